//! Connections: one thread reads a client's messages, another writes.

use super::ServerEvent;
use crate::wire::{ToClient, ToServer, receive, send};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

/// A connection's id.
pub type ConnectionId = u64;

/// The sending half of a connection.
pub struct Connection {
    messages: Sender<ToClient>,
    /// Bytes that the client has not read yet.
    waiting: Arc<AtomicUsize>,
}

impl Connection {
    /// Queues a message.
    pub fn send(&self, message: ToClient) {
        self.waiting.fetch_add(size(&message), Ordering::SeqCst);
        // The reader thread reports a client that has disconnected.
        let _ = self.messages.send(message);
    }

    /// Bytes that the client has not read yet.
    pub fn backlog(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }
}

const fn size(message: &ToClient) -> usize {
    match message {
        ToClient::Output(data) | ToClient::Error(data) => data.len(),
        ToClient::WantInput
        | ToClient::Program { .. }
        | ToClient::ProgramSignal(_)
        | ToClient::RawTerminal
        | ToClient::Exit(_)
        | ToClient::Answer(_) => 0,
    }
}

/// Accepts clients of the same user until the server ends.
pub fn listen(listener: UnixListener, events: Sender<ServerEvent>) {
    std::thread::spawn(move || {
        for (number, stream) in (1..).zip(listener.incoming()) {
            let Ok(stream) = stream else { continue };
            if !is_own(&stream) {
                continue;
            }
            let events = events.clone();
            // Without a thread, the connection is closed.
            let _ = std::thread::Builder::new().spawn(move || serve(number, stream, &events));
        }
    });
}

/// Whether the peer is the same user. The directory's mode already excludes others; this is a second check.
#[cfg(target_os = "linux")]
fn is_own(stream: &UnixStream) -> bool {
    rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| peer.uid == rustix::process::geteuid())
}

#[cfg(not(target_os = "linux"))]
const fn is_own(_: &UnixStream) -> bool {
    true
}

fn serve(number: ConnectionId, mut stream: UnixStream, events: &Sender<ServerEvent>) {
    let Ok(mut writer) = stream.try_clone() else { return };
    let (messages, queue) = channel::<ToClient>();
    let waiting = Arc::new(AtomicUsize::new(0));
    let connection = Connection { messages, waiting: Arc::clone(&waiting) };
    let woken = events.clone();
    std::thread::spawn(move || {
        for message in queue {
            let bytes = size(&message);
            let done = send(&mut writer, &message);
            waiting.fetch_sub(bytes, Ordering::SeqCst);
            if done.is_err() || bytes > 0 && woken.send(ServerEvent::Written).is_err() {
                return;
            }
        }
        let _ = writer.shutdown(std::net::Shutdown::Both);
    });
    if events.send(ServerEvent::Connected(number, connection)).is_err() {
        return;
    }
    while let Ok(message) = receive::<ToServer>(&mut stream) {
        if events.send(ServerEvent::Message(number, message)).is_err() {
            return;
        }
    }
    let _ = events.send(ServerEvent::Closed(number));
}
