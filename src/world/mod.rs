//! All of it on one event queue: slurmctld, slurmd's, hosts and their processes.
//!
//! A world is a pure function of its site, its seed and the inputs it was given. Nothing in it reads a clock.

use crate::base::diagnostic::Diagnostic;
use crate::base::time::Time;
use crate::config::{SiteFiles, SiteInfo};
use crate::host::Kernel;
use crate::host::tty::TtyId;
use crate::shell::Prompt;
use crate::slurmctld::Slurmctld;
use serde::{Deserialize, Serialize};

/// Everything that there is. `Clone` is a fork, serialising it is a keyframe.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// The moment it has reached.
    pub now: Time,
    /// What Slurm does not know of the site.
    pub site: SiteInfo,
    /// The simulated Unix.
    pub kernel: Kernel,
    /// The controller and the database.
    pub ctld: Slurmctld,
}

/// What a person (or an administrator) does to a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// A login shell of this user on a new terminal.
    Login {
        /// Login name.
        user: String,
        /// Window size.
        columns: u16,
        /// Window size.
        rows: u16,
    },
    /// The terminal is closed: hangup.
    Logout(TtyId),
    /// Bytes typed at a terminal: whole lines with their newline, or control characters.
    Type(TtyId, Vec<u8>),
    /// The window's size changed.
    Resize(TtyId, u16, u16),
    /// The editor saves a file as this user (absolute path).
    Save {
        /// Login name.
        user: String,
        /// Absolute path.
        path: String,
        /// New content.
        data: Vec<u8>,
    },
    /// slurmd on a node dies, or comes back.
    NodeUp {
        /// The node's name.
        node: String,
        /// Comes back.
        up: bool,
    },
    /// A command run by `bash -c` in a user's home (root: `/tmp`) without a terminal, its output kept: what
    /// transcripts and lessons use.
    Run {
        /// Login name.
        user: String,
        /// The command line.
        command: String,
    },
}

/// What [`World::apply`] gave back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Nothing to tell.
    Done,
    /// The new terminal.
    Terminal(TtyId),
    /// A `Run`'s handle, for [`World::run_result`].
    Run(u32),
    /// It cannot be done, and why.
    Refused(String),
}

/// What a `Run` printed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResult {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code, once it has ended.
    pub exit: Option<u8>,
}

impl World {
    /// A cluster that has just been started, at `now`, its accounts made by the site's `accounts.sh`. Always gives
    /// a world; what is wrong with the files is in the diagnostics.
    #[must_use]
    pub fn new(_site: &str, _files: &SiteFiles, _seed: u64, _now: Time) -> (Self, Vec<Diagnostic>) {
        todo!()
    }

    /// Takes an input at the present moment.
    pub fn apply(&mut self, _input: &Input) -> Applied {
        todo!()
    }

    /// The moment of the next event; none: nothing will ever happen by itself.
    #[must_use]
    pub fn next_event(&self) -> Option<Time> {
        todo!()
    }

    /// Carries out the next event if it is due by `until`, else moves the clock to `until`. False when there was none.
    pub fn step(&mut self, _until: Time) -> bool {
        todo!()
    }

    /// What a terminal's shell is doing.
    #[must_use]
    pub fn prompt(&self, _tty: TtyId) -> Prompt {
        todo!()
    }

    /// A `Run`'s output so far.
    #[must_use]
    pub fn run_result(&self, _run: u32) -> RunResult {
        todo!()
    }

    /// Everything that must hold whatever happens (nothing oversubscribed, TRES conserved ...).
    ///
    /// # Errors
    /// What does not hold, one sentence each.
    pub fn check(&self) -> Result<(), Vec<String>> {
        todo!()
    }

    /// A hash over the whole state; equal natively and in wasm.
    #[must_use]
    pub fn hash(&self) -> u64 {
        todo!()
    }
}
