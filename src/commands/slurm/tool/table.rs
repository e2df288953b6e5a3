//! Rows of the tables: what arguments are, constructors, and all tools by name.

use super::{Opt, Tool};
use crate::commands::slurm as s;
use crate::commands::slurm::getopt::Arg;

/// What an argument is: its name in help, and what completion offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// None is taken.
    Nothing,
    /// Accounts.
    Account,
    /// The cluster's name.
    Cluster,
    /// Features of nodes.
    Constraint,
    /// Fields of the command, as `--helpformat` lists them.
    Fields,
    /// A file.
    File,
    /// Host lists, made of nodes' names.
    Node,
    /// Jobs' numbers.
    Job,
    /// Licences.
    License,
    /// Partitions.
    Partition,
    /// QOS.
    Qos,
    /// Reservations.
    Reservation,
    /// Signals' names.
    Signal,
    /// States of jobs.
    JobState,
    /// States of nodes.
    NodeState,
    /// Steps, by their job.
    Step,
    /// Users.
    User,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// Anything, named so in help.
    Text(&'static str),
}

impl Word {
    /// What the argument is called.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Account => "accounts",
            Self::Cluster => "clusters",
            Self::Constraint => "constraints",
            Self::Fields => "fields",
            Self::File => "file",
            Self::Node => "nodes",
            Self::Job => "jobs",
            Self::License => "licenses",
            Self::Partition => "partitions",
            Self::Qos => "qos",
            Self::Reservation => "reservations",
            Self::Signal => "signal",
            Self::JobState | Self::NodeState => "states",
            Self::Step => "steps",
            Self::User => "users",
            Self::OneOf(_) => "value",
            Self::Text(name) => name,
        }
    }
}

/// An option that takes no argument; `' '` is no short letter.
#[must_use]
pub const fn flag(name: &'static str, short: char, help: &'static str) -> Opt {
    row(name, short, Arg::No, Word::Nothing, help)
}

/// An option that needs an argument.
#[must_use]
pub const fn needs(name: &'static str, short: char, word: Word, help: &'static str) -> Opt {
    row(name, short, Arg::Required, word, help)
}

/// An option that may have an argument, attached.
#[must_use]
pub const fn may(name: &'static str, short: char, word: Word, help: &'static str) -> Opt {
    row(name, short, Arg::Optional, word, help)
}

const fn row(name: &'static str, short: char, arg: Arg, word: Word, help: &'static str) -> Opt {
    let short = if short == ' ' { None } else { Some(short) };
    Opt { name, short, arg, word, env: "", help }
}

/// A keyword of scontrol, sacctmgr or sreport.
#[derive(Clone, Copy)]
pub struct Keyword {
    /// In full.
    pub name: &'static str,
    /// How many letters are enough.
    pub least: usize,
    /// What follows it, for help.
    pub args: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

/// The keyword that a word is or abbreviates.
#[must_use]
pub fn keyword<'t>(table: &'t [Keyword], word: &str) -> Option<&'t Keyword> {
    let lower = word.to_ascii_lowercase();
    let same = table.iter().find(|k| k.name == lower);
    same.or_else(|| table.iter().find(|k| lower.len() >= k.least && k.name.starts_with(&lower)))
}

/// All commands with a table of this kind, by name.
pub const TABLE: &[&Tool] = &[
    &s::sacct::TOOL,
    &s::sacctmgr::TOOL,
    &s::sattach::TOOL,
    &s::sbcast::TOOL,
    &s::scancel::TOOL,
    &s::scontrol::TOOL,
    &s::scrontab::TOOL,
    &s::sdiag::TOOL,
    &s::seff::TOOL,
    &s::sinfo::TOOL,
    &s::sprio::TOOL,
    &s::squeue::TOOL,
    &s::sreport::TOOL,
    &s::sshare::TOOL,
    &s::sstat::TOOL,
    &s::strigger::TOOL,
];

/// The tool of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    TABLE.iter().copied().find(|t| t.name == name)
}
