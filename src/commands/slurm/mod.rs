//! Slurm's commands, one file each.

pub mod getopt;
pub mod jobtext;
pub mod opt;
pub mod sbatch;

use super::{Command, Kind};

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[Command {
    name: "sbatch",
    summary: "submit a batch script to Slurm",
    kind: Kind::Machine(sbatch::start),
}];

/// What `--version` prints.
pub const VERSION: &str = "slurm 26.05.3";
