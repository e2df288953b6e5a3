//! sandbatch's own programs. No real cluster has them, and their manual pages say so.

mod man;
pub mod site;
pub mod why;

use super::{CommandEntry, CommandKind};

/// The table entries, sorted by name.
pub const TABLE: &[CommandEntry] = &[
    CommandEntry {
        name: "man",
        summary: "an interface to the system reference manuals",
        kind: CommandKind::Once(man::man),
    },
    CommandEntry {
        name: "site",
        summary: "show this site's rules outside Slurm (sandbatch's own)",
        kind: CommandKind::Once(site::run),
    },
    CommandEntry {
        name: "why",
        summary: "explain why a job is pending and what would start it (sandbatch's own)",
        kind: CommandKind::Once(why::run),
    },
];
