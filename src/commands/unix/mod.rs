//! Everyday programs of Unix, one file each (or a few small ones of one kind together).

pub mod sleep;

use super::{Command, Kind};

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[Command {
    name: "sleep",
    summary: "delay for a specified amount of time",
    kind: Kind::Machine(sleep::start),
}];
