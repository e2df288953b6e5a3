//! tmux(1) and screen(1): sessions with several windows, which outlive the login.
//!
//! A server process has the windows: each is a pseudoterminal with a program, a line editor and an emulator of what it shows
//! ([`grid`]). A client process reads the keys of its terminal one by one, passes them through a pipe to the server, and prints
//! what the server sends. All of it is plain data, so sessions are saved and cloned like other processes.
//!
//! A shell on a pseudoterminal marks its prompts and completions with escape sequences (OSC 133), which the window takes out.

mod client;
mod gnu_screen;
mod grid;
mod link;
mod server;
mod session;
mod tmux;
mod view;
mod window;

use crate::Cx;
pub use gnu_screen::start as screen;
use host::SliceEnd;
use serde::{Deserialize, Serialize};
pub use tmux::start as tmux;

/// A process of tmux or screen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Mux {
    /// On a user's terminal.
    Client(client::MuxClient),
    /// In the background.
    Server(server::MuxServer),
}

impl Mux {
    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        match self {
            Self::Client(client) => client.step(cx),
            Self::Server(server) => server.step(cx),
        }
    }

    /// Bytes that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        match self {
            Self::Client(client) => client.memory(),
            Self::Server(server) => server.memory(),
        }
    }
}
