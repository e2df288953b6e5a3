//! Ports of hosts. There is no network: who listens is heard on its own host only, and has one answer for everybody.

use super::Kernel;
use crate::base::ids::{Pid, Uid};
use crate::host::Errno;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A program that listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    /// Where it is heard.
    pub host: Arc<str>,
    /// Its number.
    pub port: u16,
    /// Whose it is.
    pub uid: Uid,
    /// Who listens.
    pub pid: Pid,
    /// What it answers.
    pub answer: String,
}

impl Kernel {
    /// A process listens on a port of its host until it ends.
    ///
    /// # Errors
    /// `EADDRINUSE` if somebody does already; `ESRCH` if there is no such process.
    pub fn listen(&mut self, pid: Pid, port: u16, answer: &str) -> Result<(), Errno> {
        let origin = &self.living(pid)?.origin;
        let (host, uid) = (origin.host.clone(), origin.uid);
        if self.listeners(&host).any(|l| l.port == port) {
            return Err(Errno::EADDRINUSE);
        }
        self.listeners.push(Listener { host, port, uid, pid, answer: answer.to_owned() });
        Ok(())
    }

    /// Who listens on a host, in the order of their starts.
    pub fn listeners<'a>(&'a self, host: &'a str) -> impl Iterator<Item = &'a Listener> {
        self.listeners.iter().filter(move |l| *l.host == *host)
    }

    /// A process is gone, and its ports are free.
    pub(super) fn end_listening(&mut self, pid: Pid) {
        self.listeners.retain(|l| l.pid != pid);
    }
}
