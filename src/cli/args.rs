//! The command line's own options, as `clap` reads them. Help, man pages and completions come from the same declarations.

use super::cluster::ClusterCommand;
use super::doctest::DoctestArgs;
use super::site::Site;
use super::snippets::SnippetsArgs;
use base::time::Time;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

/// The default start, `2026-11-21T05:54:00`.
pub const START: Time = Time::from_secs(1_795_240_440);

/// A whole Slurm cluster, simulated
#[derive(Debug, Parser, PartialEq, Eq)]
#[command(name = "sandbatch", version, max_term_width = 100)]
#[command(after_help = "Examples:
  sandbatch shell --site mila              log in to a cluster
  echo 'sinfo; squeue' | sandbatch shell   run commands from standard input
  sandbatch replay trace.swf.gz            schedule a recorded workload")]
pub struct CliArguments {
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// A subcommand.
#[derive(Debug, Subcommand, PartialEq, Eq)]
pub enum CliCommand {
    /// Open a login shell on a simulated cluster
    ///
    /// Without a terminal, commands are read from standard input.
    Shell(Shell),
    /// Replay a recorded session and print the simulated output
    Transcript {
        /// Directory with the configurations of recorded clusters
        #[arg(long, value_name = "DIR")]
        clusters: Option<PathBuf>,
        /// The recording
        file: PathBuf,
    },
    /// Replay a whole workload in seconds
    Replay(ReplayArgs),
    /// Make a site and a workload from what a real cluster recorded
    Import(ImportArgs),
    /// Compare a replay of an imported history with what happened
    Calibrate(CalibrateArgs),
    /// Print the script that collects an export on a real cluster
    ///
    /// It runs in any POSIX shell without privileges, and replaces names of users and accounts by pseudonyms.
    ExportScript,
    /// Compare policies: replay workloads under each of them, with intervals and a report
    Compare(CompareArgs),
    /// Run the replays of a comparison one by one, for example as a job array
    Sweep(SweepArgs),
    /// Measure the scheduler, running scripts, squeue and sacct, or a cluster for tools
    Bench {
        /// What to measure
        #[arg(value_enum, default_value_t = Benchmark::Scheduler)]
        what: Benchmark,
    },
    /// Report what is wrong with a site's files
    Check {
        /// Directory with slurm.conf, gres.conf, accounts.sh, site.toml
        dir: PathBuf,
        /// Fail on warnings, too
        #[arg(long)]
        strict: bool,
        /// Print a JSON object with the findings and the numbers of nodes and partitions
        #[arg(long)]
        json: bool,
    },
    /// Check the Slurm examples of documentation against a site
    ///
    /// The request of each script and command is submitted in a fork of the site. Nothing is run.
    Doctest(DoctestArgs),
    /// Write the Carpentries' description of a site from what a simulated cluster prints
    Snippets(SnippetsArgs),
    /// A cluster in the background, for tools that call Slurm's commands
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Work with lessons
    #[command(subcommand)]
    Lesson(LessonCommand),
    /// Print the completion script of a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff)
    Man,
}

/// `sandbatch lesson`.
#[derive(Debug, Subcommand, PartialEq, Eq)]
pub enum LessonCommand {
    /// Play each lesson's solutions and verify its checks
    Check {
        /// Lesson files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// What `sandbatch bench` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Benchmark {
    /// Passes of the scheduler on machines and queues of several sizes
    Scheduler,
    /// Scripts that wake every virtual minute
    Scripts,
    /// squeue, sinfo and sacct on a large machine
    Commands,
    /// Starting a cluster for tools, and its commands
    Cluster,
}

/// `sandbatch replay`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch replay KTH-SP2-1996-2.1-cln.swf.gz
  sandbatch replay week.events --site ./mysite --csv jobs.csv
  zcat trace.swf.gz | sandbatch replay -")]
pub struct ReplayArgs {
    /// Workload: Standard Workload Format (.swf) or sbatch lines (.events), also .gz; - reads standard input
    pub trace: PathBuf,
    /// Built-in site or directory [default for Standard Workload Format: the machine in the trace's header]
    #[arg(long, value_name = "NAME|DIR", value_parser = named_site)]
    pub site: Option<Site>,
    /// `SchedulerParameters` to use instead of the site's
    #[arg(long, value_name = "PARAMETERS", default_value = "", hide_default_value = true)]
    pub parameters: String,
    /// Write each job's submission, start, end, nodes and CPUs; times in seconds since 1970
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Disable all caches: same decisions, slower
    #[arg(long)]
    pub plain: bool,
    /// Print only the report and errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sandbatch import`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch export-script > export.sh      run it on the cluster: sh export.sh
  sandbatch import sandbatch-export.tar.gz --out mysite
  sandbatch import sacct.txt --out mysite  job records alone (sacct -a -X -D -P -o ALL)")]
pub struct ImportArgs {
    /// Export: a directory, a .tar.gz, or a file of job records (sacct -P, sacct --json, .swf)
    pub input: PathBuf,
    /// Directory to create for the site
    #[arg(long, value_name = "SITE")]
    pub out: PathBuf,
}

/// `sandbatch calibrate`.
#[derive(Args, Debug, PartialEq, Eq)]
pub struct CalibrateArgs {
    /// Directory that `sandbatch import` made
    pub site: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write each job's recorded and simulated start
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print only the comparison and errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sandbatch compare`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch compare plan.toml              print what differs
  sandbatch compare plan.toml --out DIR    write report.html, metrics.csv and differences.csv")]
pub struct CompareArgs {
    /// The plan: site, workloads, policies and resamples
    pub plan: PathBuf,
    /// Write report.html, metrics.csv and differences.csv into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of replays at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// `sandbatch sweep`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch sweep plan.toml                       list the cells
  sandbatch sweep plan.toml --print sbatch | sbatch
  sandbatch sweep plan.toml --missing             3,7,12-40
  sandbatch sweep plan.toml --gather --out DIR    write the report")]
pub struct SweepArgs {
    /// The plan, as for compare
    pub plan: PathBuf,
    /// Directory with a file for each result
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Run one cell, numbered from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["print", "missing", "gather"])]
    pub task: Option<usize>,
    /// Print a script that runs the cells
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "gather")]
    pub print: Option<SweepPrint>,
    /// Only cells without a result; without --print, as an array specification
    #[arg(long, conflicts_with = "gather")]
    pub missing: bool,
    /// Make the report of all results
    #[arg(long)]
    pub gather: bool,
    /// With --gather: write report.html, metrics.csv and differences.csv into this directory
    #[arg(long, value_name = "DIR", requires = "gather")]
    pub out: Option<PathBuf>,
    /// Do not repeat what is wrong with traces and policies
    #[arg(long, short)]
    pub quiet: bool,
}

/// A script that runs cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SweepPrint {
    /// A job array
    Sbatch,
    /// A command line of GNU Parallel
    Parallel,
    /// A Snakefile
    Snakemake,
}

/// `sandbatch shell`.
#[derive(Args, Debug, PartialEq, Eq)]
pub struct Shell {
    /// Built-in site: alliance, gcp, inserm, iq, lab or mila, or a variant: alliance-beluga, alliance-niagara,
    /// mila-aws, mila-azure, mila-gcp
    #[arg(long, value_name = "NAME", default_value = "lab")]
    site: String,
    /// Directory with slurm.conf, gres.conf, accounts.sh, site.toml
    #[arg(long, value_name = "DIR", conflicts_with = "site")]
    site_dir: Option<PathBuf>,
    /// User to log in as [default: the site's first user]
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Seed for background jobs and program models
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Virtual start time
    #[arg(long, value_name = "TIME", default_value = "2026-11-21T05:54:00", value_parser = time)]
    pub start: Time,
    /// Virtual seconds per real second while you wait
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub pace: u32,
    /// Jobs of other users
    #[arg(long, value_name = "AMOUNT", default_value = "off",
        value_parser = ["off", "quiet", "normal", "busy", "overloaded"])]
    pub background: String,
}

impl Shell {
    /// The site that was chosen.
    pub fn site(&self) -> Site {
        self.site_dir.clone().map_or_else(|| Site::BuiltIn(self.site.clone()), Site::Dir)
    }
}

#[allow(clippy::unnecessary_wraps, reason = "clap wants a Result")]
fn named_site(text: &str) -> Result<Site, String> {
    Ok(Site::named(text))
}

fn time(text: &str) -> Result<Time, String> {
    let civil = text.parse().ok().and_then(Time::from_civil);
    civil.ok_or_else(|| "not a date and time such as 2026-11-21T05:54:00".to_owned())
}

/// Writes the completion script of a shell.
///
/// # Errors
/// The output cannot be written.
pub fn completions(shell: clap_complete::Shell, out: &mut impl Write) -> std::io::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut CliArguments::command(), "sandbatch", &mut text);
    out.write_all(&text)
}

/// Writes the manual page: one page for the program and all its subcommands.
///
/// # Errors
/// The output cannot be written.
pub fn man(out: &mut impl Write) -> std::io::Result<()> {
    let mut command = CliArguments::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(out)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("sandbatch-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone()).title(name).render(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::{background_amount, sites};

    fn parsed(line: &str) -> Result<CliArguments, String> {
        let words = std::iter::once("sandbatch").chain(line.split_whitespace());
        CliArguments::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn the_declarations_are_consistent() {
        CliArguments::command().debug_assert();
        let help =
            CliArguments::command().find_subcommand_mut("shell").map(|c| c.render_long_help().to_string());
        let help = help.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        for site in sites::names() {
            assert!(help.contains(site), "{site}: {help}");
        }
        for amount in ["off", "quiet", "normal", "busy", "overloaded"] {
            assert!(background_amount(amount).is_some());
        }
    }

    #[test]
    fn lines() {
        assert_eq!(parsed("").map(|c| c.command), Ok(None));
        let Ok(Some(CliCommand::Shell(shell))) =
            parsed("shell --site-dir=a/b --seed 7 --start 2026-11-21T05:54:01 --pace 60").map(|c| c.command)
        else {
            panic!("a shell")
        };
        assert_eq!(shell.site(), Site::Dir("a/b".into()));
        assert_eq!((shell.seed, shell.pace), (7, 60));
        assert_eq!((shell.start - START).secs(), 1);
        let Ok(Some(CliCommand::Shell(shell))) = parsed("shell").map(|c| c.command) else {
            panic!("a shell")
        };
        assert_eq!((shell.site(), shell.start), (Site::BuiltIn("lab".to_owned()), START));
        let transcript = CliCommand::Transcript { clusters: Some("d".into()), file: "x.txt".into() };
        assert_eq!(parsed("transcript x.txt --clusters d").map(|c| c.command), Ok(Some(transcript)));
        let bench = CliCommand::Bench { what: Benchmark::Scheduler };
        assert_eq!(parsed("bench").map(|c| c.command), Ok(Some(bench)));
    }

    #[test]
    fn refusals() {
        for (line, part) in [
            ("frobnicate", "unrecognized subcommand"),
            ("repaly x", "a similar subcommand exists: 'replay'"),
            ("shell --seed x", "invalid digit"),
            ("shell --seed", "a value is required"),
            ("shell --start yesterday", "not a date and time"),
            ("shell --background some", "[possible values: off, quiet"),
            ("shell --site lab --site-dir .", "cannot be used with"),
            ("shell here", "unexpected argument"),
            ("shell --sit lab", "a similar argument exists: '--site'"),
            ("transcript", "<FILE>"),
            ("transcript a b", "unexpected argument"),
            ("check", "<DIR>"),
            ("lesson check", "<FILES>"),
        ] {
            let error = parsed(line).expect_err(line);
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn completions_and_manual_pages() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            let mut text = Vec::new();
            completions(shell, &mut text).unwrap();
            assert!(String::from_utf8_lossy(&text).contains("site-dir"), "{shell}");
        }
        let mut page = Vec::new();
        man(&mut page).unwrap();
        let page = String::from_utf8_lossy(&page).into_owned();
        assert!(
            page.contains(".TH sandbatch") && page.contains(".TH sandbatch\\-replay")
                || page.contains(".TH sandbatch-replay"),
            "{page}"
        );
    }
}
