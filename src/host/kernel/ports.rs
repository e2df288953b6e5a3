//! Listening ports. There is no network: a listener is reachable from its own host only. It returns a fixed answer,
//! or that of a port of another host to which ssh forwards it.

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
    /// The host and port whose answer it is instead.
    pub forward: Option<(Arc<str>, u16)>,
}

/// Most forwarded ports in a row.
const MAX_HOPS: u32 = 10;

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
        self.listeners.push(Listener { host, port, uid, pid, answer: answer.to_owned(), forward: None });
        Ok(())
    }

    /// Listens like [`Self::listen`] and forwards to a port of a host.
    ///
    /// # Errors
    /// `EADDRINUSE` if the port is in use; `ESRCH` if there is no such process.
    pub fn forward(&mut self, pid: Pid, port: u16, host: &str, to: u16) -> Result<(), Errno> {
        self.listen(pid, port, "")?;
        if let Some(listener) = self.listeners.last_mut() {
            listener.forward = Some((host.into(), to));
        }
        Ok(())
    }

    /// What a port of a host answers.
    #[must_use]
    pub fn answer(&self, host: &str, port: u16) -> Option<String> {
        let (mut host, mut port): (Arc<str>, u16) = (host.into(), port);
        for _ in 0..MAX_HOPS {
            let listener = self.listeners(&host).find(|l| l.port == port)?;
            match listener.forward.clone() {
                Some(next) => (host, port) = next,
                None => return Some(listener.answer.clone()),
            }
        }
        None
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
