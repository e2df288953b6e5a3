//! The connection of a client and its server: two pipes with frames of a tag, a length and bytes.

use crate::Cx;
use base::ids::Pid;
use host::{Errno, Fd, Wait};
use serde::{Deserialize, Serialize};

/// Bytes before the contents of a frame.
const HEAD: usize = 5;

/// One end of a connection.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MuxLink {
    read: Fd,
    write: Fd,
    /// Received, and not a whole frame yet.
    received: Vec<u8>,
    /// Not sent yet, because the pipe is full.
    unsent: Vec<u8>,
    /// The other end is closed.
    pub is_closed: bool,
}

impl MuxLink {
    /// An end with these descriptors.
    #[must_use]
    pub const fn new(read: Fd, write: Fd) -> Self {
        Self { read, write, received: Vec::new(), unsent: Vec::new(), is_closed: false }
    }

    /// Connects to a server, which finds the two descriptors with the highest numbers.
    ///
    /// # Errors
    /// Too many descriptors are open.
    pub fn connect(cx: &mut Cx, server: Pid) -> Result<Self, Errno> {
        let (to_read, write) = cx.kernel.pipe(cx.pid)?;
        let (read, to_write) = cx.kernel.pipe(cx.pid)?;
        let next = cx.kernel.fds(server).last().map_or(0, |last| last + 1);
        let given = cx
            .kernel
            .give_fd(cx.pid, to_read, server, next)
            .and_then(|()| cx.kernel.give_fd(cx.pid, to_write, server, next + 1));
        for fd in [to_read, to_write] {
            cx.kernel.close(cx.pid, fd)?;
        }
        given.map(|()| Self::new(read, write))
    }

    /// Its descriptors.
    #[must_use]
    pub const fn fds(&self) -> [Fd; 2] {
        [self.read, self.write]
    }

    /// Closes it.
    pub fn close(&self, cx: &mut Cx) {
        for fd in self.fds() {
            // It is open unless the process is ending.
            cx.kernel.close(cx.pid, fd).unwrap_or_default();
        }
    }

    /// Sends a frame.
    pub fn send(&mut self, cx: &mut Cx, tag: u8, bytes: &[u8]) {
        self.unsent.push(tag);
        self.unsent.extend(u32::try_from(bytes.len()).unwrap_or(0).to_le_bytes());
        self.unsent.extend_from_slice(bytes);
        self.flush(cx);
    }

    /// Sends what the pipe has room for.
    pub fn flush(&mut self, cx: &mut Cx) {
        while !self.unsent.is_empty() {
            // Only whole pieces are written to a pipe that is nearly full.
            match cx.kernel.write(cx.pid, self.write, &self.unsent, cx.now) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(Errno::EAGAIN) => return,
                Err(_) => {
                    self.unsent.clear();
                    self.is_closed = true;
                }
            }
        }
    }

    /// Whether everything is sent.
    #[must_use]
    pub const fn is_sent(&self) -> bool {
        self.unsent.is_empty()
    }

    /// Receives the frames that have arrived.
    pub fn receive(&mut self, cx: &mut Cx) -> Vec<(u8, Vec<u8>)> {
        loop {
            match cx.kernel.read(cx.pid, self.read, 65_536) {
                Ok(bytes) if !bytes.is_empty() => self.received.extend(bytes),
                Err(Errno::EAGAIN) => break,
                Ok(_) | Err(_) => {
                    self.is_closed = true;
                    break;
                }
            }
        }
        let mut frames = Vec::new();
        while let Some((&[tag, a, b, c, d], rest)) = self.received.split_first_chunk::<HEAD>() {
            let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX);
            let Some(bytes) = rest.get(..length) else { break };
            frames.push((tag, bytes.to_vec()));
            self.received.drain(..HEAD + length);
        }
        frames
    }

    /// What this end waits for.
    pub fn waits(&self) -> impl Iterator<Item = Wait> + use<> {
        let full = (!self.unsent.is_empty()).then_some(Wait::Writable(self.write));
        std::iter::once(Wait::Readable(self.read)).chain(full)
    }

    /// Bytes that it holds.
    #[must_use]
    pub const fn memory(&self) -> usize {
        self.received.len() + self.unsent.len()
    }
}
