//! sandbatch's own programs: no real cluster has them, and each says so.

pub mod site;
pub mod why;

use super::{Command, Kind};

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[
    Command {
        name: "site",
        summary: "what this site does besides Slurm (sandbatch's own)",
        kind: Kind::Once(site::run),
    },
    Command {
        name: "why",
        summary: "why a job waits, and what would change it (sandbatch's own, not Slurm's)",
        kind: Kind::Once(why::run),
    },
];
