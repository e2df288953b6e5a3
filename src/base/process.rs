//! The vocabulary of Unix processes that slurmctld shares with the simulated hosts: descriptors, environments, exit
//! statuses and the arguments of `execve`.

use crate::signal::Signal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file descriptor of a process.
pub type Fd = u32;

/// Environment variables, sorted by name.
pub type Env = BTreeMap<String, String>;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// `exit(code)`, 0 to 255.
    Exited(u8),
    /// Killed by a signal.
    Signaled(Signal),
}

impl Status {
    /// What a shell shows in `$?`: the exit code, or 128 plus the signal's number.
    #[must_use]
    pub const fn shell_code(self) -> u8 {
        match self {
            Self::Exited(code) => code,
            Self::Signaled(signal) => 128 + signal.number(),
        }
    }
}

/// A program to execute: the arguments of `execve` with the path resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exec {
    /// Absolute path of the file.
    pub path: String,
    /// Arguments; the first is the name it was called by.
    pub argv: Vec<String>,
    /// Its environment.
    pub env: Arc<Env>,
}

/// Maximum total size of a program's arguments and environment: a quarter of the usual stack limit.
const ARG_MAX: usize = 2 << 20;
/// Maximum size of one argument or variable: 32 pages.
const MAX_ARG_STRLEN: usize = 128 << 10;

impl Exec {
    /// Whether `execve` fails with `E2BIG` for these.
    #[must_use]
    pub fn is_too_long(argv: &[String], env: &Env) -> bool {
        let arguments = argv.iter().map(String::len);
        let variables = env.iter().map(|(name, value)| name.len() + value.len() + 1);
        let mut all = 0_usize;
        arguments.chain(variables).any(|length| {
            // Each string has a terminating null byte and a pointer.
            all = all.saturating_add(length + 9);
            length >= MAX_ARG_STRLEN || all > ARG_MAX
        })
    }
}
