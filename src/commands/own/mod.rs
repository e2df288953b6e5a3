//! sandbatch's own programs: no real cluster has them, and each says so.

pub mod why;

use super::{Command, Kind};

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[Command {
    name: "why",
    summary: "why a job waits, and what would change it (sandbatch's own, not Slurm's)",
    kind: Kind::Once(why::run),
}];
