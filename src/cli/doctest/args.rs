//! The options of `sandbatch doctest`.

use ::doctest::report::ReportFormat;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `sandbatch doctest`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch doctest docs --site ./mysite
  sandbatch doctest docs --site ./mysite --init
  sandbatch doctest docs --site lab --format github --baseline doctest.baseline

The exit code is 1 if there are findings, 2 if something cannot be read.")]
pub struct DoctestArgs {
    /// Pages, and folders of pages: Markdown, reStructuredText, AsciiDoc, notebooks; - reads Markdown from standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Built-in site or directory; with several, an example is fine if one of them accepts it
    #[arg(long, value_name = "DIR|NAME", required = true)]
    pub site: Vec<String>,
    /// Dictionary of placeholders, options and partitions [default: doctest.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Write a dictionary with the placeholders of the pages
    #[arg(long, conflicts_with_all = ["fix", "baseline", "write_baseline", "verbose"])]
    pub init: bool,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = DoctestFormat::Text)]
    pub format: DoctestFormat,
    /// Leave out the findings of this file
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix"])]
    pub write_baseline: Option<PathBuf>,
    /// Correct what is certain: renamed options, partitions of the dictionary
    #[arg(long)]
    pub fix: bool,
    /// Also run the scripts in the simulated cluster, and compare the output that the pages show
    #[arg(long, conflicts_with = "init")]
    pub run: bool,
    /// Show the blocks that cannot be checked, too
    #[arg(long, short)]
    pub verbose: bool,
    /// Print a table: pages, blocks and findings of each path
    #[arg(long, conflicts_with_all = ["init", "fix", "baseline", "write_baseline", "format"])]
    pub table: bool,
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctestFormat {
    /// For people: each finding with its line
    Text,
    /// One line for each finding
    Short,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1
    Sarif,
    /// One JSON object
    Json,
    /// JUnit's XML
    Junit,
}

impl From<DoctestFormat> for ReportFormat {
    fn from(format: DoctestFormat) -> Self {
        match format {
            DoctestFormat::Text => Self::Text,
            DoctestFormat::Short => Self::Short,
            DoctestFormat::Github => Self::Github,
            DoctestFormat::Sarif => Self::Sarif,
            DoctestFormat::Json => Self::Json,
            DoctestFormat::Junit => Self::Junit,
        }
    }
}
