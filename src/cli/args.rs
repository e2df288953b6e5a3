//! The command line's own options, as `clap` reads them. Help, man pages and completions come from the same declarations.

use super::cluster::ClusterCommand;
use super::doctest::DoctestArgs;
use super::scorm::ExportArgs;
use super::serve::PageServerArgs;
use super::site::Site;
use super::snippets::SnippetsArgs;
use base::time::Time;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

pub use engine::session::replay::site::START;

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
    /// When findings have colours: auto (on a terminal, without NO_COLOR), always or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorWhen::Auto)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub color: ColorWhen,
}

/// When findings have colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal
    Auto,
    /// In pipes and files, too
    Always,
    /// Never
    Never,
}

impl ColorWhen {
    /// Decides for the whole program.
    pub fn set(self) {
        use anstream::ColorChoice;
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// A subcommand.
#[derive(Debug, Subcommand, PartialEq, Eq)]
pub enum CliCommand {
    /// Open a login shell on a simulated cluster
    ///
    /// Without a terminal, commands are read from standard input.
    Shell(Shell),
    /// Replay a recorded session and print the simulated output
    #[command(after_help = "Examples:
  sandbatch transcript tests/corpus/05-squeue.txt
  sandbatch transcript session.txt --clusters DIR")]
    Transcript {
        /// Directory with the configurations of recorded clusters
        #[arg(long, value_name = "DIR")]
        clusters: Option<PathBuf>,
        /// The recording; - reads standard input
        file: PathBuf,
    },
    /// Replay a whole workload in seconds
    Replay(ReplayArgs),
    /// Create a site and a workload from the history of a real cluster
    Import(ImportArgs),
    /// Compare a replay of an imported history with the recording
    Calibrate(CalibrateArgs),
    /// Print the script that collects an export on a real cluster
    ///
    /// It runs in any POSIX shell without privileges, and replaces names of users and accounts by pseudonyms.
    #[command(after_help = "Example:
  sandbatch export-script > export.sh      run it on the cluster: sh export.sh")]
    ExportScript,
    /// Compare policies: replay workloads under each of them, with intervals and a report
    Compare(CompareArgs),
    /// Run the replays of a comparison one by one, for example as a job array
    Sweep(SweepArgs),
    /// Measure the scheduler, running scripts, squeue and sacct, a cluster for tools, or a class
    #[command(after_help = "Examples:
  sandbatch bench                          times of scheduler passes, as a table
  sandbatch bench commands
  sandbatch bench class --seconds 60")]
    Bench {
        /// What to measure
        #[arg(value_enum, default_value_t = Benchmark::Scheduler)]
        what: Benchmark,
        /// Participants of a class [default: 100]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
        people: Option<u32>,
        /// Seconds that a class takes [default: 600]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=36_000))]
        seconds: Option<u32>,
    },
    /// Report errors in a site's files
    ///
    /// The exit code is 1 if there are errors.
    Check(CheckArgs),
    /// Check the Slurm examples of documentation against a site
    ///
    /// The request of each script and command is submitted in a fork of the site. Nothing is run.
    Doctest(DoctestArgs),
    /// Write the Carpentries' description of a site from the output of a simulated cluster
    Snippets(SnippetsArgs),
    /// A cluster in the background, for tools that call Slurm's commands
    #[command(
        subcommand,
        after_help = "Example:
  eval \"$(sandbatch cluster up --site lab)\"      then: sbatch job.sh; squeue; sandbatch cluster down"
    )]
    Cluster(ClusterCommand),
    /// Serve the page, and classes that share one cluster
    Serve(PageServerArgs),
    /// Work with the files of classes
    #[command(
        subcommand,
        after_help = "Example:
  sandbatch class export ~/.local/state/sandbatch/classes/hpc1.class --pseudonyms"
    )]
    Class(ClassCommand),
    /// Work with lessons
    #[command(
        subcommand,
        after_help = "Example:
  sandbatch lesson check examples/lessons/en/*.md"
    )]
    Lesson(LessonCommand),
    /// Print the completion script of a shell
    #[command(after_help = "Examples:
  sandbatch completions bash > ~/.local/share/bash-completion/completions/sandbatch
  sandbatch completions fish > ~/.config/fish/completions/sandbatch.fish")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff)
    #[command(after_help = "Example:
  sandbatch man > ~/.local/share/man/man1/sandbatch.1")]
    Man,
}

/// `sandbatch class`.
#[derive(Debug, Subcommand, PartialEq, Eq)]
pub enum ClassCommand {
    /// Write a class as a recording that the page opens
    ///
    /// The page shows every moment of the class, without a server.
    Export(ClassExportArgs),
}

/// `sandbatch class export`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch class export hpc1.class                 writes hpc1.sandbatch.txt
  sandbatch class export hpc1.class --pseudonyms    p1, p2 ... instead of names")]
pub struct ClassExportArgs {
    /// The file in which `sandbatch serve` keeps the class. The server must not be running
    pub class: PathBuf,
    /// File to write [default: the class's name with .sandbatch.txt]
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    pub out: Option<PathBuf>,
    /// Numbers instead of names, as users and in texts where they stand as a word
    #[arg(long)]
    pub pseudonyms: bool,
}

/// `sandbatch lesson`.
#[derive(Debug, Subcommand, PartialEq, Eq)]
pub enum LessonCommand {
    /// Play each lesson's solutions and verify its checks
    #[command(after_help = "Example:
  sandbatch lesson check examples/lessons/en/*.md")]
    Check {
        /// Lesson files; - reads standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one line for each finding
        #[arg(long)]
        short: bool,
    },
    /// Write a lesson as a package for learning platforms
    Export(ExportArgs),
}

/// `sandbatch check`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch check mysite             show each finding with its line
  sandbatch check mysite --strict    fail on warnings, too: for continuous integration")]
pub struct CheckArgs {
    /// Directory with slurm.conf, gres.conf, accounts.sh, site.toml
    pub dir: PathBuf,
    /// Fail on warnings, too
    #[arg(long)]
    pub strict: bool,
    /// Print one line for each finding: file, line, severity and message
    #[arg(long, conflicts_with = "json")]
    pub short: bool,
    /// Print a JSON object with the findings and the numbers of nodes and partitions
    #[arg(long)]
    pub json: bool,
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
    /// A class of participants on a server
    Class,
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
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    pub csv: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
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
    /// Export: a directory, a .tar.gz, or a file of job records (sacct -P, sacct --json, .swf); - reads standard input
    pub input: PathBuf,
    /// Directory to create for the site
    #[arg(long, value_name = "SITE")]
    pub out: PathBuf,
}

/// `sandbatch calibrate`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch calibrate mysite
  sandbatch calibrate mysite --json --csv jobs.csv")]
pub struct CalibrateArgs {
    /// Directory that `sandbatch import` created
    pub site: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write each job's recorded and simulated start
    #[arg(long, value_name = "FILE", value_parser = output_file)]
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
    /// The plan: site, workloads, policies and resamples; - reads standard input
    pub plan: PathBuf,
    /// Write report.html, metrics.csv and differences.csv into this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Language of the report
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = OutputLanguage::En)]
    pub language: OutputLanguage,
    /// Number of replays at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// A language of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputLanguage {
    /// English
    En,
    /// French
    Fr,
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
    /// Write the report of all results
    #[arg(long)]
    pub gather: bool,
    /// With --gather: write report.html, metrics.csv and differences.csv into this directory
    #[arg(long, value_name = "DIR", requires = "gather")]
    pub out: Option<PathBuf>,
    /// With --gather: language of the report
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = OutputLanguage::En)]
    pub language: OutputLanguage,
    /// Do not report problems of traces and policies again
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
#[command(after_help = "Examples:
  sandbatch shell --site alliance --background normal
  sandbatch shell --site-dir mysite --user alice --pace 60
  echo 'sinfo; squeue' | sandbatch shell")]
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

/// A file to write. `-` would become a file of that name.
pub fn output_file(text: &str) -> Result<PathBuf, String> {
    if text == "-" { Err("- is standard input, not a file to write".to_owned()) } else { Ok(text.into()) }
}

#[allow(clippy::unnecessary_wraps, reason = "clap wants a Result")]
fn named_site(text: &str) -> Result<Site, String> {
    Ok(Site::named(text))
}

pub fn time(text: &str) -> Result<Time, String> {
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
    fn pages(command: &clap::Command, name: &str, out: &mut impl Write) -> std::io::Result<()> {
        clap_mangen::Man::new(command.clone()).title(name).render(out)?;
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help" && !sub.is_hide_set()) {
            pages(sub, &format!("{name}-{}", sub.get_name()), out)?;
        }
        Ok(())
    }
    let mut command = CliArguments::command();
    command.build();
    pages(&command, "sandbatch", out)
}

#[cfg(test)]
mod tests;
