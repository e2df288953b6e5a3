//! Slurm's commands, one file each.

use super::Command;

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[];
