//! Listening ports. There is no network: a listener is reachable from its own host only and returns a fixed
//! answer.

use super::Kernel;
use crate::Errno;
use base::ids::{Pid, Uid};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A listening socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    /// The host.
    pub host: Arc<str>,
    /// The port number.
    pub port: u16,
    /// The user.
    pub uid: Uid,
    /// The process.
    pub pid: Pid,
    /// The answer to every request.
    pub answer: String,
}

impl Kernel {
    /// Listens on a port of the process's host until the process ends.
    ///
    /// # Errors
    /// `EADDRINUSE` if the port is in use; `ESRCH` if there is no such process.
    pub fn listen(&mut self, pid: Pid, port: u16, answer: &str) -> Result<(), Errno> {
        let origin = &self.living(pid)?.origin;
        let (host, uid) = (origin.host.clone(), origin.uid);
        if self.listeners(&host).any(|l| l.port == port) {
            return Err(Errno::EADDRINUSE);
        }
        self.listeners.push(Listener { host, port, uid, pid, answer: answer.to_owned() });
        Ok(())
    }

    /// The listeners on a host in order of creation.
    pub fn listeners<'a>(&'a self, host: &'a str) -> impl Iterator<Item = &'a Listener> {
        self.listeners.iter().filter(move |l| *l.host == *host)
    }

    /// Closes the ports of an ended process.
    pub(super) fn end_listening(&mut self, pid: Pid) {
        self.listeners.retain(|l| l.pid != pid);
    }
}
