//! The rows of these programs, sorted by name, and those of the models.

use super::nvidia_smi;
use crate::commands::Kind::Machine;
use crate::commands::{Command, Kind};
use crate::host::model::programs::PROGRAMS;
use std::sync::LazyLock;

const fn row(name: &'static str, summary: &'static str, kind: Kind) -> Command {
    Command { name, summary, kind }
}

/// The rows, sorted by name.
pub const TABLE: &[Command] =
    &[row("nvidia-smi", "GPUs of this host, their load and processes", Machine(nvidia_smi::start))];

/// Programs that run as models.
pub static MODELS: LazyLock<Vec<Command>> =
    LazyLock::new(|| PROGRAMS.iter().map(|p| row(p.name, p.summary, Kind::Model)).collect());
