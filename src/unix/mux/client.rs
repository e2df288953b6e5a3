//! The client: passes the keys of its terminal to the server and shows what the server draws.

use super::link::MuxLink;
use super::server;
use crate::{Cx, STDIN, STDOUT, UnixMachine};
use base::ids::Pid;
use host::kernel::OpenFlags;
use host::signal::Disposition;
use host::tty::TtyId;
use host::{Errno, Exec, Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A client's first frame: see [`MuxRequest::encode`].
pub const REQUEST: u8 = b'R';
/// Keys.
pub const KEYS: u8 = b'K';
/// The size of the client's terminal: `COLUMNS ROWS`.
pub const SIZE: u8 = b'S';
/// Text for standard output.
pub const PRINT: u8 = b'P';
/// Text for standard error.
pub const COMPLAIN: u8 = b'E';
/// From now on the client's terminal shows a session.
pub const ATTACHED: u8 = b'A';
/// The client ends with this exit code.
pub const EXIT: u8 = b'X';

/// Shows what was on the terminal before.
pub const OWN_SCREEN: &str = "\x1b[?25h\x1b[?1049l\r";

/// A client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MuxClient {
    link: MuxLink,
    is_attached: bool,
    size: (u16, u16),
}

/// What a client asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MuxRequest {
    /// The command and its arguments.
    pub words: Vec<String>,
    /// The client's directory.
    pub cwd: String,
    /// Its environment.
    pub env: host::Env,
    /// Columns and rows of its terminal.
    pub size: (u16, u16),
    /// Its terminal.
    pub tty: Option<u32>,
}

impl MuxRequest {
    /// Texts, each with a null byte behind it.
    #[must_use]
    fn encode(&self) -> Vec<u8> {
        let tty = self.tty.map_or_else(String::new, |tty| tty.to_string());
        let head = [self.cwd.clone(), self.size.0.to_string(), self.size.1.to_string(), tty];
        let env = self.env.iter().map(|(name, value)| format!("{name}={value}"));
        let words = std::iter::once(self.words.len().to_string()).chain(self.words.iter().cloned());
        let all = head.into_iter().chain(words).chain(env);
        all.flat_map(|text| text.into_bytes().into_iter().chain([0])).collect()
    }

    /// Reads what [`MuxRequest::encode`] has written.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let mut texts = text.split_terminator('\0').map(str::to_owned);
        let cwd = texts.next()?;
        let size = (texts.next()?.parse().ok()?, texts.next()?.parse().ok()?);
        let tty = texts.next()?.parse().ok();
        let count: usize = texts.next()?.parse().ok()?;
        let words = texts.by_ref().take(count).collect();
        let pair =
            |text: String| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Some(Self { words, cwd, env: texts.filter_map(pair).collect(), size, tty })
    }
}

impl MuxClient {
    /// Asks a server for something.
    ///
    /// # Errors
    /// The client cannot connect.
    pub fn ask(cx: &mut Cx, server: Pid, words: Vec<String>) -> Result<Self, Errno> {
        let mut link = MuxLink::connect(cx, server)?;
        let tty = cx.kernel.fd_tty(cx.pid, STDIN).filter(|_| cx.is_tty(STDOUT));
        let size = size_of(cx, tty);
        let request =
            MuxRequest { words, cwd: cx.cwd(), env: cx.env.clone(), size, tty: tty.map(|tty| tty.0) };
        link.send(cx, REQUEST, &request.encode());
        Ok(Self { link, is_attached: false, size })
    }

    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        self.link.flush(cx);
        for (tag, bytes) in self.link.receive(cx) {
            match tag {
                PRINT => cx.out.extend(bytes),
                COMPLAIN => cx.complain_raw_bytes(&bytes),
                ATTACHED => {
                    self.is_attached = true;
                    // These are keys of the windows.
                    for signal in [Signal::INT, Signal::QUIT, Signal::TSTP] {
                        cx.kernel.set_disposition(cx.pid, signal, Disposition::Ignore);
                    }
                    cx.kernel.take_keys(cx.pid);
                }
                EXIT => return SliceEnd::Exit(Status::Exited(bytes.first().copied().unwrap_or(0))),
                _ => {}
            }
        }
        if self.link.is_closed {
            cx.print(if self.is_attached { OWN_SCREEN } else { "" });
            cx.line("[lost server]");
            return SliceEnd::Exit(Status::Exited(1));
        }
        let mut waits: Vec<Wait> = self.link.waits().collect();
        if self.is_attached {
            let size = size_of(cx, cx.kernel.fd_tty(cx.pid, STDIN));
            if size != self.size {
                self.size = size;
                self.link.send(cx, SIZE, format!("{} {}", size.0, size.1).as_bytes());
            }
            loop {
                match cx.kernel.read(cx.pid, STDIN, 65_536) {
                    Ok(keys) if !keys.is_empty() => self.link.send(cx, KEYS, &keys),
                    Err(Errno::EAGAIN) => break,
                    // The terminal is gone.
                    Ok(_) | Err(_) => return SliceEnd::Exit(Status::Exited(1)),
                }
            }
            waits = self.link.waits().chain([Wait::Readable(STDIN)]).collect();
        }
        SliceEnd::Wait(Wait::Any(waits))
    }

    /// Bytes that it holds.
    #[must_use]
    pub const fn memory(&self) -> usize {
        self.link.memory()
    }
}

fn size_of(cx: &Cx, tty: Option<TtyId>) -> (u16, u16) {
    let terminal = tty.and_then(|tty| cx.kernel.tty(tty));
    terminal.map_or((80, 24), |terminal| (terminal.columns.max(20), terminal.rows.max(4)))
}

/// The server with these first arguments, of this user on this host.
pub fn find_server(cx: &Cx, argv: &[&str]) -> Option<Pid> {
    let (uid, host) = (cx.uid(), cx.host());
    let mut servers = cx.kernel.processes().filter(|process| {
        process.origin.uid == uid
            && process.origin.host == host
            && process.status().is_none()
            && process.argv.len() >= argv.len()
            && process.argv.iter().zip(argv).all(|(own, wanted)| own == wanted)
    });
    servers.next().map(|process| process.pid)
}

/// Starts a server: without a terminal, in a group of its own, so that it outlives the login.
///
/// # Errors
/// The user has too many processes.
pub fn start_server(cx: &mut Cx, program: &str, argv: Vec<String>) -> Result<Pid, Errno> {
    let env = Arc::new(cx.env.clone());
    let server = cx.spawn(Exec { path: cx.which(program)?, argv: argv.clone(), env })?;
    for fd in cx.kernel.fds(server) {
        cx.kernel.close(server, fd)?;
    }
    let flags = OpenFlags { read: true, write: true, ..OpenFlags::default() };
    for _ in 0..server::FIRST_FD {
        cx.kernel.open(server, "/dev/null", flags, 0, cx.now)?;
    }
    cx.kernel.set_group(server, server);
    if let Some(process) = cx.kernel.process_mut(server) {
        process.tty = None;
        process.argv = Arc::new(argv);
    }
    Ok(server)
}

/// Prints a message and ends.
pub fn fail(cx: &mut Cx, message: &str) -> UnixMachine {
    cx.complain(message);
    UnixMachine::End(1)
}
