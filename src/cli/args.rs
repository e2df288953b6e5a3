//! The command line's own options. There are few, so they are read by hand.

use super::site::Site;
use sandbatch::base::time::Time;
use sandbatch::config::background_amount;
use std::path::PathBuf;

/// What `sandbatch help` prints.
pub const HELP: &str = "\
sandbatch - a whole Slurm cluster, simulated

Usage:
  sandbatch shell [OPTIONS]                     a login shell on a simulated cluster
  sandbatch transcript [--clusters DIR] FILE    replay a recorded session, print what the simulation gives
  sandbatch replay TRACE [OPTIONS]              a whole workload (.swf, .events, also .gz) without scripts, in seconds
  sandbatch bench [scripts | commands]          how fast the scheduler is, scripts are, squeue and sacct are
  sandbatch check DIR                           tell what is wrong with a site's files
  sandbatch lesson check FILE...                play lessons' own solutions, and hold each check against them
  sandbatch help | --version

Options of shell (commands are read from standard input when that is no terminal):
  --site NAME       a built-in site: alliance, gcp, inserm, iq, lab or mila (lab), or a variant of one:
                    alliance-beluga, alliance-niagara, mila-aws, mila-azure, mila-gcp
  --site-dir DIR    a directory with slurm.conf, gres.conf, accounts.sh, site.toml ...
  --user NAME       who logs in; the site's first user otherwise
  --seed N          for the site's background work and program models (1)
  --start TIME      virtual time at the start (2026-11-21T05:54:00)
  --pace N          virtual seconds for each real one while you wait (1)
  --background WORD other people's work: off, quiet, normal, busy or overloaded (off)

Options of replay:
  --site NAME|DIR   the cluster; a trace in Standard Workload Format otherwise gets the machine of its header
  --parameters P    SchedulerParameters instead of the site's
  --csv FILE        each job's submission, start, end, nodes and CPUs, seconds since 1970
  --plain           without anything that makes it fast: the same decisions, slowly
";

/// The default start, `2026-11-21T05:54:00`.
pub const START: Time = Time::from_secs(1_795_240_440);

/// A parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Version,
    Shell(Shell),
    Transcript { clusters: Option<PathBuf>, file: PathBuf },
    Check(PathBuf),
    Lessons(Vec<PathBuf>),
    Replay(ReplayArgs),
    Bench,
    BenchScripts,
    BenchCommands,
}

/// `sandbatch replay`.
#[derive(Debug, PartialEq, Eq)]
pub struct ReplayArgs {
    pub trace: PathBuf,
    pub site: Option<Site>,
    /// `SchedulerParameters` instead of the site's; empty: the site's.
    pub parameters: String,
    pub csv: Option<PathBuf>,
    /// Every pass looks at everything anew.
    pub plain: bool,
}

/// `sandbatch shell`.
#[derive(Debug, PartialEq, Eq)]
pub struct Shell {
    pub site: Site,
    pub user: Option<String>,
    pub seed: u64,
    pub start: Time,
    pub pace: u32,
    /// How much other people's work there is.
    pub background: String,
}

/// Reads the arguments.
///
/// # Errors
/// A sentence about what is wrong.
pub fn parse(args: &[String]) -> Result<Command, String> {
    let mut args = Args(args);
    let Some(command) = args.next() else { return Ok(Command::Help) };
    if args.0.iter().any(|arg| arg == "--help" || arg == "-h") {
        return Ok(Command::Help);
    }
    match command {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "--version" | "-V" => Ok(Command::Version),
        "shell" => shell(args),
        "transcript" => transcript(args),
        "replay" => replay(args),
        "bench" => match args.next() {
            None => Ok(Command::Bench),
            Some("scripts") => Ok(Command::BenchScripts),
            Some("commands") => Ok(Command::BenchCommands),
            Some(_) => Err("bench takes nothing but the word scripts or commands".to_owned()),
        },
        "check" => match (args.next(), args.next()) {
            (Some(dir), None) => Ok(Command::Check(dir.into())),
            _ => Err("check takes one directory".to_owned()),
        },
        "lesson" => match args.next() {
            Some("check") if !args.0.is_empty() => {
                Ok(Command::Lessons(args.0.iter().map(PathBuf::from).collect()))
            }
            _ => Err("lesson takes the word check and files".to_owned()),
        },
        other => Err(format!("there is no command '{other}'")),
    }
}

fn shell(mut args: Args) -> Result<Command, String> {
    let mut shell = Shell {
        site: Site::BuiltIn("lab".to_owned()),
        user: None,
        seed: 1,
        start: START,
        pace: 1,
        background: "off".to_owned(),
    };
    while let Some(arg) = args.next() {
        let (name, value) = args.option(arg)?;
        match name {
            "--site" => shell.site = Site::BuiltIn(value.to_owned()),
            "--site-dir" => shell.site = Site::Dir(value.into()),
            "--user" => shell.user = Some(value.to_owned()),
            "--seed" => shell.seed = number(name, value)?,
            "--start" => {
                let civil = value.parse().ok().and_then(Time::from_civil);
                shell.start = civil.ok_or_else(|| format!("--start: '{value}' is no date and time"))?;
            }
            "--pace" => shell.pace = number(name, value)?,
            "--background" if background_amount(value).is_some() => value.clone_into(&mut shell.background),
            "--background" => {
                return Err(format!("--background: '{value}' is not off, quiet, normal, busy or overloaded"));
            }
            _ => return Err(format!("shell has no option '{name}'")),
        }
    }
    Ok(Command::Shell(shell))
}

fn transcript(mut args: Args) -> Result<Command, String> {
    let (mut clusters, mut file) = (None, None);
    while let Some(arg) = args.next() {
        if !arg.starts_with("--") && file.is_none() {
            file = Some(PathBuf::from(arg));
            continue;
        }
        let (name, value) = args.option(arg)?;
        match name {
            "--clusters" => clusters = Some(PathBuf::from(value)),
            _ => return Err(format!("transcript does not take '{arg}'")),
        }
    }
    let file = file.ok_or("transcript takes a file")?;
    Ok(Command::Transcript { clusters, file })
}

fn replay(mut args: Args) -> Result<Command, String> {
    let (mut trace, mut site, mut parameters, mut csv) = (None, None, String::new(), None);
    let mut plain = false;
    while let Some(arg) = args.next() {
        if arg == "--plain" {
            plain = true;
            continue;
        }
        if !arg.starts_with("--") && trace.is_none() {
            trace = Some(PathBuf::from(arg));
            continue;
        }
        let (name, value) = args.option(arg)?;
        match name {
            "--site" => site = Some(Site::named(value)),
            "--parameters" => value.clone_into(&mut parameters),
            "--csv" => csv = Some(PathBuf::from(value)),
            _ => return Err(format!("replay does not take '{arg}'")),
        }
    }
    let trace = trace.ok_or("replay takes a trace")?;
    Ok(Command::Replay(ReplayArgs { trace, site, parameters, csv, plain }))
}

/// Arguments that are still to be read.
struct Args<'a>(&'a [String]);

impl<'a> Args<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// `--name value` or `--name=value`.
    fn option(&mut self, arg: &'a str) -> Result<(&'a str, &'a str), String> {
        if !arg.starts_with("--") {
            return Err(format!("'{arg}' is not understood"));
        }
        match arg.split_once('=') {
            Some(pair) => Ok(pair),
            None => self.next().map(|value| (arg, value)).ok_or_else(|| format!("{arg} takes a value")),
        }
    }
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    value.parse().map_err(|_| format!("{name}: '{value}' is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn lines() {
        assert_eq!(parsed(""), Ok(Command::Help));
        assert_eq!(parsed("shell --help"), Ok(Command::Help));
        assert_eq!(parsed("--version"), Ok(Command::Version));
        let Ok(Command::Shell(shell)) =
            parsed("shell --site-dir=a/b --seed 7 --start 2026-11-21T05:54:01 --pace 60")
        else {
            panic!("a shell")
        };
        assert_eq!(shell.site, Site::Dir("a/b".into()));
        assert_eq!((shell.seed, shell.pace), (7, 60));
        assert_eq!((shell.start - START).secs(), 1);
        let file = |clusters: Option<&str>| {
            Ok(Command::Transcript { clusters: clusters.map(PathBuf::from), file: "x.txt".into() })
        };
        assert_eq!(parsed("transcript x.txt --clusters d"), file(Some("d")));
        assert_eq!(parsed("transcript x.txt"), file(None));
    }

    #[test]
    fn refusals() {
        for (line, part) in [
            ("frobnicate", "no command"),
            ("shell --seed x", "no number"),
            ("shell --seed", "takes a value"),
            ("shell --start yesterday", "no date"),
            ("shell here", "not understood"),
            ("shell --nope 1", "no option"),
            ("transcript", "takes a file"),
            ("transcript a b", "not understood"),
            ("check", "one directory"),
            ("lesson check", "files"),
        ] {
            let error = parsed(line).expect_err(line);
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
