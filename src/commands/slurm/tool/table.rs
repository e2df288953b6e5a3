//! Building blocks of the tables: argument kinds, constructors, and all tools by name.

use super::{ToolOption, ToolSpec};
use crate::slurm as s;
use crate::slurm::getopt::Arg;

/// The kind of an argument: its name in help, and its completion candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// No argument.
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
    /// Host lists of nodes.
    Node,
    /// Job ids.
    Job,
    /// Licences.
    License,
    /// Partitions.
    Partition,
    /// QOS.
    Qos,
    /// Reservations.
    Reservation,
    /// Signal names.
    Signal,
    /// States of jobs.
    JobState,
    /// States of nodes.
    NodeState,
    /// Steps of jobs.
    Step,
    /// Users.
    User,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// Any text, with this name in help.
    Text(&'static str),
}

impl ArgumentKind {
    /// The argument's name.
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

/// An option without an argument; `' '` means no short letter.
#[must_use]
pub const fn flag(name: &'static str, short: char, help: &'static str) -> ToolOption {
    row(name, short, Arg::No, ArgumentKind::Nothing, help)
}

/// An option with a required argument.
#[must_use]
pub const fn needs(name: &'static str, short: char, word: ArgumentKind, help: &'static str) -> ToolOption {
    row(name, short, Arg::Required, word, help)
}

/// An option with an optional, attached argument.
#[must_use]
pub const fn may(name: &'static str, short: char, word: ArgumentKind, help: &'static str) -> ToolOption {
    row(name, short, Arg::Optional, word, help)
}

const fn row(
    name: &'static str,
    short: char,
    arg: Arg,
    word: ArgumentKind,
    help: &'static str,
) -> ToolOption {
    let short = if short == ' ' { None } else { Some(short) };
    ToolOption { name, short, arg, word, env: "", help }
}

/// A keyword of scontrol, sacctmgr or sreport.
#[derive(Clone, Copy)]
pub struct Keyword {
    /// The full keyword.
    pub name: &'static str,
    /// Minimum number of letters of an abbreviation.
    pub least: usize,
    /// The words that follow, for help.
    pub args: &'static str,
    /// A one-line description.
    pub help: &'static str,
}

/// The keyword with this name or abbreviation.
#[must_use]
pub fn keyword<'t>(table: &'t [Keyword], word: &str) -> Option<&'t Keyword> {
    let lower = word.to_ascii_lowercase();
    let same = table.iter().find(|k| k.name == lower);
    same.or_else(|| table.iter().find(|k| lower.len() >= k.least && k.name.starts_with(&lower)))
}

/// All commands with such a table, by name.
pub const TABLE: &[&ToolSpec] = &[
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
    &s::swait::TOOL,
];

/// The definition of a command.
#[must_use]
pub fn find(name: &str) -> Option<&'static ToolSpec> {
    TABLE.iter().copied().find(|t| t.name == name)
}
