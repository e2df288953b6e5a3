//! The options of `sandbatch cluster`.

use crate::cli::site::Site;
use ::cluster::server::rest::http::RestAddress;
use base::time::Time;
use clap::{Args, Subcommand, ValueEnum};
use commands::slurm::release::{RELEASES, Release};
use std::path::PathBuf;

/// `sandbatch cluster`.
#[derive(Debug, Subcommand, PartialEq, Eq)]
pub enum ClusterCommand {
    /// Start a cluster in the background and print its environment
    Up(ClusterUp),
    /// End a cluster with everything that runs in it
    #[command(after_help = "Examples:
  sandbatch cluster down
  sandbatch cluster down lab2")]
    Down {
        /// Its name [default: the cluster of the environment, or the only one]
        name: Option<String>,
    },
    /// Print what runs in a cluster
    #[command(after_help = "Example:
  sandbatch cluster status")]
    Status {
        /// Its name [default: the cluster of the environment, or the only one]
        name: Option<String>,
    },
    /// Print the environment of a running cluster, for eval
    #[command(after_help = "Examples:
  eval \"$(sandbatch cluster env)\"
  sandbatch cluster env lab2 --shell fish | source")]
    Env {
        /// Its name [default: the cluster of the environment, or the only one]
        name: Option<String>,
        /// The shell that reads it
        #[arg(long, value_name = "SHELL", value_enum, default_value_t = EvalShell::Sh)]
        shell: EvalShell,
    },
    /// Print the names of your running clusters
    #[command(after_help = "Example:
  sandbatch cluster list                   name and directory of each")]
    List,
    /// Let virtual time pass at once
    #[command(after_help = "Examples:
  sandbatch cluster advance 1h
  sandbatch cluster advance 90s")]
    Advance {
        /// Virtual time: 90s, 30m, 1h, 2d
        #[arg(value_parser = span)]
        time: u32,
        /// The cluster's name
        #[arg(long)]
        name: Option<String>,
    },
    /// Change the pace of virtual time
    #[command(after_help = "Examples:
  sandbatch cluster pace 60x
  sandbatch cluster pace max")]
    Pace {
        /// 1x, 60x, max
        #[arg(value_parser = pace)]
        pace: u32,
        /// The cluster's name
        #[arg(long)]
        name: Option<String>,
    },
    /// Wait until a job is in a state
    ///
    /// Without --state, waits until the job has ended. The exit code is 2 if the job ends in another state or the time
    /// is over.
    #[command(after_help = "Example:
  sandbatch cluster wait --job 12 --state RUNNING")]
    Wait {
        /// The job's ID
        #[arg(long)]
        job: u32,
        /// PENDING, RUNNING, COMPLETED...
        #[arg(long)]
        state: Option<String>,
        /// Real seconds
        #[arg(long, default_value_t = 60)]
        timeout: u32,
        /// The cluster's name
        #[arg(long)]
        name: Option<String>,
    },
    /// Make something fail
    #[command(after_help = "Faults:
  node-fail NODES         the nodes go down, their jobs fail or are requeued
  drain NODES             the nodes start no more jobs
  resume NODES            the nodes are back
  requeue JOB             the job goes back to the queue
  preempt JOB             the job is preempted, as PreemptMode says
  oom JOB                 the OOM killer ends the job's largest process
  timeout JOB             the job reaches its time limit
  purge [JOB]             slurmctld forgets ended jobs, as after MinJobAge
  socket-timeout [COUNT]  the next commands do not reach the controller
  slow-controller TIME    each command waits so long, in real time; 0s: no longer
  late-accounting TIME    sacct sees jobs so much later, in virtual time; 0s: no longer

Example:
  sandbatch cluster inject node-fail c01")]
    Inject {
        /// The fault and what it strikes
        #[arg(required = true)]
        fault: Vec<String>,
        /// The cluster's name
        #[arg(long)]
        name: Option<String>,
    },
    /// Run the server in the foreground (for `up`)
    #[command(hide = true)]
    Serve {
        /// The cluster's directory
        #[arg(long)]
        dir: PathBuf,
        /// The process that guards this one; without it, this process guards another
        #[arg(long)]
        guard: Option<u32>,
        #[command(flatten)]
        options: ServeArgs,
    },
}

/// `sandbatch cluster up`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  eval \"$(sandbatch cluster up --site lab)\"      then: sbatch job.sh; squeue; sandbatch cluster down
  eval \"$(sandbatch cluster up --parent $$)\"     ends with this shell
  eval \"$(sandbatch cluster up --pace max --execute model)\"

Jobs run on this machine as you. This is no isolation.")]
pub struct ClusterUp {
    /// Name of the cluster [default: the site's name, with a number if it is taken]
    #[arg(long)]
    pub name: Option<String>,
    /// The shell that reads the environment
    #[arg(long, value_name = "SHELL", value_enum, default_value_t = EvalShell::Sh)]
    pub shell: EvalShell,
    #[command(flatten)]
    pub options: ServeArgs,
}

/// The shell for which an environment is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvalShell {
    /// sh, bash, zsh and their like
    Sh,
    /// fish
    Fish,
}

/// The options that the server gets.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ServeArgs {
    /// Built-in site, or directory with slurm.conf, gres.conf, accounts.sh, site.toml
    #[arg(long, value_name = "NAME|DIR", default_value = "lab", value_parser = named)]
    pub site: Site,
    /// Where jobs run: on this machine, or in the simulation
    #[arg(long, value_name = "WHERE", value_enum, default_value_t = ExecuteOn::Host)]
    pub execute: ExecuteOn,
    /// Virtual seconds per real second: 1x, 60x, max
    #[arg(long, value_name = "PACE", default_value = "1x", value_parser = pace)]
    pub pace: u32,
    /// End after this time without a command or a running job
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = span)]
    pub idle: u32,
    /// End when this process ends
    #[arg(long, value_name = "PID")]
    pub parent: Option<u32>,
    /// Answer slurmrestd's requests here: 127.0.0.1:0 (a free port), or unix:PATH. May be repeated
    #[arg(long, value_name = "ADDRESS", value_parser = rest)]
    pub rest: Vec<RestAddress>,
    /// Release of Slurm that the commands claim to be: 22.05 to 26.05
    #[arg(long, value_name = "RELEASE", value_parser = slurm_version)]
    pub slurm_version: Option<&'static Release>,
    /// Seed for program models
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Virtual start time [default: now, in UTC]
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub start: Option<Time>,
}

/// Where jobs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExecuteOn {
    /// Scripts and tasks are processes of this machine
    Host,
    /// Scripts and tasks are simulated
    Model,
}

#[allow(clippy::unnecessary_wraps, reason = "clap wants a Result")]
fn named(text: &str) -> Result<Site, String> {
    Ok(Site::named(text))
}

/// `1x`, `60x`, `max`: 0 is as fast as possible.
fn pace(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix('x').unwrap_or(text).parse().ok().filter(|n| (1..=1_000_000).contains(n));
    let known = if text == "max" { Some(0) } else { number };
    known.ok_or_else(|| "not 1x, 60x or max".to_owned())
}

/// Seconds from `90s`, `30m`, `1h`, `2d`.
fn span(text: &str) -> Result<u32, String> {
    let factor = |unit| match unit {
        's' => Some(1),
        'm' => Some(60),
        'h' => Some(3600),
        'd' => Some(86_400),
        _ => None,
    };
    let parse = || {
        let unit = text.chars().last()?;
        let (number, factor) = match factor(unit) {
            Some(factor) => (&text[..text.len() - 1], factor),
            None => (text, 1),
        };
        number.parse::<u32>().ok()?.checked_mul(factor).filter(|secs| *secs <= 366 * 86_400)
    };
    parse().ok_or_else(|| "not a time such as 90s, 30m, 1h or 2d".to_owned())
}

/// `127.0.0.1:0` or `unix:PATH`. The server may have another directory.
fn rest(text: &str) -> Result<RestAddress, String> {
    match text.strip_prefix("unix:") {
        Some(path) if !path.is_empty() => {
            std::path::absolute(path).map(RestAddress::Unix).map_err(|e| e.to_string())
        }
        None if text.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) => {
            Ok(RestAddress::Tcp(text.to_owned()))
        }
        Some(_) | None => Err("not HOST:PORT or unix:PATH".to_owned()),
    }
}

fn slurm_version(text: &str) -> Result<&'static Release, String> {
    let names = || RELEASES.iter().map(|release| release.name).collect::<Vec<_>>().join(", ");
    let known = RELEASES.iter().find(|release| release.name == text);
    known.ok_or_else(|| format!("not one of {}", names()))
}

fn moment(text: &str) -> Result<Time, String> {
    let civil = text.parse().ok().and_then(Time::from_civil);
    civil.ok_or_else(|| "not a date and time such as 2026-11-21T05:54:00".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_paces() {
        assert_eq!((span("90s"), span("30m"), span("1h"), span("7")), (Ok(90), Ok(1800), Ok(3600), Ok(7)));
        assert!(span("").is_err() && span("h").is_err() && span("-1s").is_err() && span("9999d").is_err());
        assert_eq!((pace("1x"), pace("60x"), pace("max"), pace("3")), (Ok(1), Ok(60), Ok(0), Ok(3)));
        assert!(pace("0x").is_err() && pace("fast").is_err());
    }
}
