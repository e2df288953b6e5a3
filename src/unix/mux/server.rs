//! The server: holds the sessions, and draws them for its clients.

use super::client::{ATTACHED, COMPLAIN, EXIT, KEYS, MuxRequest, OWN_SCREEN, PRINT, REQUEST, SIZE};
use super::link::MuxLink;
use super::session::MuxSession;
use super::view::View;
use super::window::MuxWindow;
use super::{gnu_screen, tmux};
use crate::Cx;
use host::{Env, Exec, Fd, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The first descriptor that is not `/dev/null`.
pub const FIRST_FD: Fd = 3;
/// Windows of a server.
const MAX_WINDOWS: usize = 64;

/// Which program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MuxStyle {
    /// tmux(1)
    Tmux,
    /// screen(1)
    Screen,
}

/// A server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MuxServer {
    /// Which program it is.
    pub style: MuxStyle,
    /// The file that stands for its socket.
    pub socket: String,
    /// The sessions.
    pub sessions: Vec<MuxSession>,
    /// The clients.
    pub clients: Vec<AttachedClient>,
    /// Counts sessions, windows and uses.
    pub counts: (u32, u32, u64),
    /// It has had a session, so it ends when there is none.
    has_begun: bool,
}

/// A client, whether it shows a session or only asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttachedClient {
    link: MuxLink,
    /// The session that it shows.
    pub session: Option<u32>,
    /// Columns and rows of its terminal.
    pub size: (u16, u16),
    /// Its terminal.
    pub tty: Option<u32>,
    /// What it shows.
    pub view: View,
    /// It gets no more frames.
    is_done: bool,
}

impl MuxServer {
    /// A server without sessions.
    #[must_use]
    pub const fn new(style: MuxStyle, socket: String) -> Self {
        Self { style, socket, sessions: Vec::new(), clients: Vec::new(), counts: (0, 0, 0), has_begun: false }
    }

    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        self.meet(cx);
        for at in 0..self.clients.len() {
            self.serve(cx, at);
        }
        self.run_windows(cx);
        self.leave_closed(cx);
        self.has_begun |= !self.sessions.is_empty();
        if self.has_begun
            && self.sessions.is_empty()
            && self.clients.iter().all(|client| client.link.is_sent())
        {
            return SliceEnd::Exit(Status::Exited(0));
        }
        self.fit(cx);
        for at in 0..self.clients.len() {
            self.draw(cx, at);
        }
        SliceEnd::Wait(Wait::Any(self.waits()))
    }

    fn windows(&self) -> impl Iterator<Item = &MuxWindow> {
        self.sessions.iter().flat_map(|session| &session.windows)
    }

    fn waits(&self) -> Vec<Wait> {
        let mut waits: Vec<Wait> = self.clients.iter().flat_map(|client| client.link.waits()).collect();
        waits.extend(self.windows().map(|window| Wait::Readable(window.master())));
        waits.extend(self.windows().filter_map(|window| window.gives_up()).min().map(Wait::Until));
        if !self.sessions.is_empty() {
            waits.push(Wait::Child);
        }
        // A new client.
        waits.push(Wait::Wakeup);
        waits
    }

    /// Notices new clients: each has given two descriptors.
    fn meet(&mut self, cx: &mut Cx) {
        let mut known: BTreeSet<Fd> = self.clients.iter().flat_map(|client| client.link.fds()).collect();
        known.extend(self.windows().map(MuxWindow::master));
        let all = cx.kernel.fds(cx.pid);
        let new: Vec<Fd> = all.into_iter().filter(|fd| *fd >= FIRST_FD && !known.contains(fd)).collect();
        for pair in new.chunks_exact(2) {
            for fd in pair {
                cx.kernel.set_cloexec(cx.pid, *fd, true);
            }
            self.clients.push(AttachedClient {
                link: MuxLink::new(pair[0], pair[1]),
                session: None,
                size: (80, 24),
                tty: None,
                view: View::default(),
                is_done: false,
            });
        }
    }

    /// Handles what a client has sent.
    fn serve(&mut self, cx: &mut Cx, at: usize) {
        self.clients[at].link.flush(cx);
        for (tag, bytes) in self.clients[at].link.receive(cx) {
            match tag {
                REQUEST => {
                    let Some(request) = MuxRequest::decode(&bytes) else { continue };
                    (self.clients[at].size, self.clients[at].tty) = (request.size, request.tty);
                    let answer = match self.style {
                        MuxStyle::Tmux => tmux::run(self, cx, at, &request),
                        MuxStyle::Screen => gnu_screen::run(self, cx, at, &request),
                    };
                    self.answer(cx, at, &answer);
                }
                SIZE => {
                    let text = String::from_utf8_lossy(&bytes);
                    let mut numbers = text.split(' ').filter_map(|number| number.parse().ok());
                    if let (Some(columns), Some(rows)) = (numbers.next(), numbers.next()) {
                        self.clients[at].size = (columns, rows);
                    }
                }
                KEYS => self.type_keys(cx, at, &String::from_utf8_lossy(&bytes)),
                _ => {}
            }
        }
    }

    /// Sends what a command has printed. A client that shows no session ends with it.
    fn answer(&mut self, cx: &mut Cx, at: usize, answer: &Result<String, String>) {
        match answer {
            Ok(text) if !text.is_empty() => self.clients[at].link.send(cx, PRINT, text.as_bytes()),
            Ok(_) => {}
            Err(message) => {
                // screen prints its messages on standard output.
                let tag = if self.style == MuxStyle::Tmux { COMPLAIN } else { PRINT };
                self.clients[at].link.send(cx, tag, format!("{message}\n").as_bytes());
            }
        }
        if self.clients[at].session.is_none() && !self.clients[at].is_done {
            self.dismiss(cx, at, u8::from(answer.is_err()));
        }
    }

    fn dismiss(&mut self, cx: &mut Cx, at: usize, code: u8) {
        self.clients[at].is_done = true;
        self.clients[at].session = None;
        self.clients[at].link.send(cx, EXIT, &[code]);
    }

    /// Shows a session to a client.
    pub fn attach(&mut self, cx: &mut Cx, at: usize, session: u32) {
        self.clients[at].session = Some(session);
        self.clients[at].link.send(cx, ATTACHED, &[]);
        self.touch(session);
    }

    /// Ends a client that shows a session, with a last line on its terminal.
    pub fn detach(&mut self, cx: &mut Cx, at: usize, line: &str, code: u8) {
        if self.clients[at].session.is_some() {
            let text = format!("{OWN_SCREEN}{line}\n");
            self.clients[at].link.send(cx, PRINT, text.as_bytes());
            self.dismiss(cx, at, code);
        }
    }

    /// The session with this number.
    pub fn session_mut(&mut self, id: u32) -> Option<&mut MuxSession> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    /// The session with this number.
    #[must_use]
    pub fn session(&self, id: u32) -> Option<&MuxSession> {
        self.sessions.iter().find(|session| session.id == id)
    }

    /// Notes that a session is used.
    pub fn touch(&mut self, id: u32) {
        self.counts.2 += 1;
        let used = self.counts.2;
        if let Some(session) = self.session_mut(id) {
            session.used = used;
        }
    }

    /// How many clients show a session.
    #[must_use]
    pub fn attached(&self, id: u32) -> usize {
        self.clients.iter().filter(|client| client.session == Some(id)).count()
    }

    /// Starts a program in a new window of a session: a shell, unless there are words. Makes it the current one, unless it is to
    /// stay `behind`.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn open_window(
        &mut self,
        cx: &mut Cx,
        id: u32,
        name: Option<String>,
        words: &[String],
        behind: bool,
    ) -> Result<u32, String> {
        if self.windows().count() >= MAX_WINDOWS {
            return Err(format!("sandbatch: at most {MAX_WINDOWS} windows"));
        }
        let (style, server, socket, number) = (self.style, cx.pid, self.socket.clone(), self.counts.1);
        let Some(session) = self.session_mut(id) else { return Err("no current session".to_owned()) };
        let mut env: Env = session.env.clone();
        let index = session.free_index();
        let set = match style {
            MuxStyle::Tmux => vec![
                ("TMUX", format!("{socket},{server},{id}")),
                ("TMUX_PANE", format!("%{number}")),
                ("TERM", "tmux-256color".to_owned()),
                ("TERM_PROGRAM", "tmux".to_owned()),
                ("TERM_PROGRAM_VERSION", tmux::VERSION.to_owned()),
            ],
            MuxStyle::Screen => vec![
                ("STY", format!("{server}.{}", session.name)),
                ("WINDOW", index.to_string()),
                ("TERM", "screen".to_owned()),
            ],
        };
        env.extend(set.into_iter().map(|(name, value)| (name.to_owned(), value)));
        let env = Arc::new(env);
        let shell = |argv: &[&str]| Exec {
            path: "/bin/bash".to_owned(),
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            env: Arc::clone(&env),
        };
        let exec = match (style, words) {
            (MuxStyle::Tmux, []) => shell(&["-bash"]),
            (MuxStyle::Screen, []) => shell(&["/bin/bash"]),
            // One word is a command line.
            (MuxStyle::Tmux, [line]) => shell(&["bash", "-c", line]),
            (_, words) => cx.exec_of(words, Arc::clone(&env)).map_err(|_| match style {
                MuxStyle::Tmux => format!("{}: command not found", words[0]),
                MuxStyle::Screen => format!("Cannot exec '{}': No such file or directory", words[0]),
            })?,
        };
        let window = MuxWindow::open(cx, (index, number), name, session.size, (exec, &session.cwd))?;
        session.add(window);
        if !behind {
            session.select(number);
        }
        self.counts.1 += 1;
        Ok(number)
    }

    /// Creates a session with one window.
    ///
    /// # Errors
    /// Its program cannot be started.
    pub fn open_session(
        &mut self,
        cx: &mut Cx,
        name: &str,
        window: (Option<String>, &[String]),
        request: &MuxRequest,
        size: (u16, u16),
    ) -> Result<u32, String> {
        let id = self.counts.0;
        self.sessions.push(MuxSession {
            id,
            name: name.to_owned(),
            created: cx.now,
            windows: Vec::new(),
            current: 0,
            last: None,
            size,
            env: request.env.clone(),
            cwd: request.cwd.clone(),
            used: 0,
        });
        if let Err(why) = self.open_window(cx, id, window.0, window.1, false) {
            self.sessions.pop();
            return Err(why);
        }
        self.counts.0 += 1;
        self.touch(id);
        if let Some(session) = self.session_mut(id) {
            session.last = None;
        }
        Ok(id)
    }

    /// Takes the output of all windows, and removes those whose program has ended.
    fn run_windows(&mut self, cx: &mut Cx) {
        for session in &mut self.sessions {
            let mut ended = Vec::new();
            for window in &mut session.windows {
                window.pump(cx);
                window.refuse_editor(cx);
                window.check_patience(cx);
                if window.has_ended(cx) {
                    ended.push(window.id);
                }
            }
            ended.into_iter().for_each(|id| session.remove(cx, id));
        }
        self.end_empty(cx);
    }

    /// Ends the sessions without windows.
    pub fn end_empty(&mut self, cx: &mut Cx) {
        let ended: Vec<u32> = self
            .sessions
            .iter()
            .filter(|session| session.windows.is_empty())
            .map(|session| session.id)
            .collect();
        for id in ended {
            self.end_session(
                cx,
                id,
                match self.style {
                    MuxStyle::Tmux => "[exited]",
                    MuxStyle::Screen => "[screen is terminating]",
                },
                0,
            );
        }
    }

    /// Ends a session with all its windows.
    pub fn end_session(&mut self, cx: &mut Cx, id: u32, line: &str, code: u8) {
        for at in 0..self.clients.len() {
            if self.clients[at].session == Some(id) {
                self.detach(cx, at, line, code);
            }
        }
        if let Some(at) = self.sessions.iter().position(|session| session.id == id) {
            let session = self.sessions.remove(at);
            session.windows.iter().for_each(|window| window.close(cx));
            if self.style == MuxStyle::Screen {
                // It may have been removed by hand.
                cx.kernel.fs.unlink(cx.uid(), &self.socket, cx.now).unwrap_or_default();
            }
        }
    }

    /// Forgets the clients that have ended.
    fn leave_closed(&mut self, cx: &mut Cx) {
        self.clients.retain(|client| {
            let stays = !client.link.is_closed;
            if !stays {
                client.link.close(cx);
            }
            stays
        });
        if self.style == MuxStyle::Screen {
            let is_attached = self.clients.iter().any(|client| client.session.is_some());
            // `screen -ls` reads it from the bits of the socket, as the real one does.
            let mode = if is_attached { 0o700 } else { 0o600 };
            cx.kernel.fs.chmod(cx.uid(), &self.socket, mode).unwrap_or_default();
        }
    }

    /// Gives windows the size of the client that shows them; of several, the smallest.
    fn fit(&mut self, cx: &mut Cx) {
        let status = u16::from(self.style == MuxStyle::Tmux);
        for session in &mut self.sessions {
            let shown = self.clients.iter().filter(|client| client.session == Some(session.id));
            let sizes = shown.map(|client| (client.size.0, client.size.1 - status));
            if let Some(size) = sizes.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))) {
                session.size = size;
                session.windows.iter_mut().for_each(|window| window.resize(cx, size));
            }
        }
    }

    /// Sends a client what has changed on its screen.
    fn draw(&mut self, cx: &mut Cx, at: usize) {
        let client = &mut self.clients[at];
        let Some(session) = self.sessions.iter().find(|session| Some(session.id) == client.session) else {
            return;
        };
        // A terminal that takes nothing gets the newest picture later.
        if client.link.is_sent() {
            let text = client.view.draw(cx, self.style, &self.sessions, session, client.size);
            if !text.is_empty() {
                client.link.send(cx, PRINT, text.as_bytes());
            }
        }
    }

    /// Bytes that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let links: usize = self.clients.iter().map(|client| client.link.memory()).sum();
        self.windows().map(MuxWindow::memory).sum::<usize>() + links
    }
}
