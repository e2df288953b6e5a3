//! The commands of tmux.

use super::{BINDINGS, session_name};
use crate::Cx;
use crate::mux::client::MuxRequest;
use crate::mux::server::MuxServer;
use crate::mux::session::MuxSession;

/// A command that runs.
pub(super) struct TmuxCall<'a, 'b, 'c, 'd> {
    pub(super) server: &'a mut MuxServer,
    pub(super) cx: &'a mut Cx<'b, 'c>,
    /// The client.
    pub(super) at: usize,
    /// The session and the window in which it was typed.
    pub(super) from: (Option<u32>, Option<u32>),
    pub(super) request: Option<&'d MuxRequest>,
    pub(super) flags: Vec<(char, String)>,
    pub(super) operands: Vec<String>,
}

impl TmuxCall<'_, '_, '_, '_> {
    pub(super) fn run(&mut self, name: &str) -> Result<String, String> {
        match name {
            "attach-session" => self.attach_session(),
            "capture-pane" => self.capture_pane(),
            "detach-client" => self.detach_client(),
            "display-message" => self.display_message(),
            "has-session" => self.session().map(|_| String::new()),
            "kill-pane" | "kill-window" => self.kill_window(),
            "kill-server" => self.kill_server(),
            "kill-session" => self.kill_session(),
            "last-window" => self.step_to(|session| session.last, "no last window"),
            "list-clients" => self.list_clients(),
            "list-keys" => Ok(BINDINGS.to_owned()),
            "list-panes" => self.list_panes(),
            "list-sessions" => self.list_sessions(),
            "list-windows" => self.list_windows(),
            "new-session" => self.new_session(),
            "new-window" => self.new_window(),
            "next-window" => self.step_to(|session| session.beside(1), "no next window"),
            "previous-window" => self.step_to(MuxSession::before, "no previous window"),
            "rename-session" => self.rename_session(),
            "rename-window" => self.rename_window(),
            "select-window" => self.select_window(),
            "send-keys" => self.send_keys(),
            "switch-client" => self.switch_client(),
            // `start-server`: it runs.
            _ => Ok(String::new()),
        }
    }

    pub(super) fn has(&self, flag: char) -> bool {
        self.flags.iter().any(|(own, _)| *own == flag)
    }

    pub(super) fn value(&self, flag: char) -> Option<String> {
        self.flags.iter().rev().find(|(own, _)| *own == flag).map(|(_, value)| value.clone())
    }

    /// Checks that the client can show a session.
    fn can_attach(&self) -> Result<(), String> {
        let nested =
            self.request.is_some_and(|request| request.env.get("TMUX").is_some_and(|tmux| !tmux.is_empty()));
        if nested {
            return Err("sessions should be nested with care, unset $TMUX to force".to_owned());
        }
        if self.server.clients[self.at].tty.is_none() {
            return Err("open terminal failed: not a terminal".to_owned());
        }
        Ok(())
    }

    fn new_session(&mut self) -> Result<String, String> {
        let name = self.value('s').map(|name| session_name(&name));
        let taken = |name: &str| self.server.sessions.iter().any(|session| session.name == name);
        if let Some(name) = name.as_ref().filter(|name| taken(name)) {
            if !self.has('A') {
                return Err(format!("duplicate session: {name}"));
            }
            self.flags.retain(|(flag, _)| *flag != 't');
            self.flags.push(('t', format!("={name}")));
            return self.attach_session();
        }
        let first = self.server.counts.0;
        let free = (first..).map(|number| number.to_string()).find(|name| !taken(name));
        let name = name.or(free).unwrap_or_default();
        let is_detached = self.has('d');
        if !is_detached {
            self.can_attach()?;
        }
        let number = |flag| self.value(flag).and_then(|number| number.parse().ok());
        let mut size = (number('x').unwrap_or(80).clamp(2, 500), number('y').unwrap_or(24).clamp(2, 200));
        if !is_detached {
            let own = self.server.clients[self.at].size;
            size = (own.0, own.1 - 1);
        }
        let mut request = self.request.cloned().unwrap_or_default();
        if self.request.is_none() {
            let own = self.get(self.own_session()?)?;
            (request.env, request.cwd) = (own.env.clone(), own.cwd.clone());
        }
        if let Some(dir) = self.value('c') {
            request.cwd = host::path::resolve(&request.cwd, &dir);
        }
        let window = (self.value('n'), self.operands.as_slice());
        let id = self.server.open_session(self.cx, &name, window, &request, size)?;
        if !is_detached {
            self.server.attach(self.cx, self.at, id);
        }
        if self.has('P') { Ok(format!("{name}:\n")) } else { Ok(String::new()) }
    }

    fn attach_session(&mut self) -> Result<String, String> {
        // A window may be named, too.
        let (id, window) = match self.value('t') {
            Some(target) if !target.contains([':', '@', '%', '.']) => {
                let id = self.named_session(&target)?;
                (id, self.get(id)?.current)
            }
            Some(_) => self.window("session")?,
            None => {
                let id = self.own_session()?;
                (id, self.get(id)?.current)
            }
        };
        self.can_attach()?;
        if self.has('d') || self.has('D') {
            self.detach_all(id, None)?;
        }
        self.get_mut(id)?.select(window);
        self.server.attach(self.cx, self.at, id);
        Ok(String::new())
    }

    /// Detaches the clients of a session, but for one.
    fn detach_all(&mut self, id: u32, but: Option<usize>) -> Result<bool, String> {
        let line = format!("[detached (from session {})]", self.get(id)?.name);
        let mut any = false;
        for at in 0..self.server.clients.len() {
            if self.server.clients[at].session == Some(id) && Some(at) != but {
                self.server.detach(self.cx, at, &line, 0);
                any = true;
            }
        }
        Ok(any)
    }

    fn detach_client(&mut self) -> Result<String, String> {
        let id = match self.value('s') {
            Some(name) => self.named_session(&name)?,
            None => self.own_session()?,
        };
        let is_own = self.server.clients[self.at].session == Some(id);
        let any = self.detach_all(id, Some(self.at).filter(|_| self.has('a') && is_own))?;
        if any || self.has('a') || self.has('s') {
            Ok(String::new())
        } else {
            Err("no current client".to_owned())
        }
    }

    fn switch_client(&mut self) -> Result<String, String> {
        let (id, own) = (self.session()?, self.own_session()?);
        let client = self.server.clients.iter_mut().find(|client| client.session == Some(own));
        client.ok_or("no current client")?.session = Some(id);
        self.server.touch(id);
        Ok(String::new())
    }

    fn kill_server(&mut self) -> Result<String, String> {
        let all: Vec<u32> = self.server.sessions.iter().map(|session| session.id).collect();
        all.into_iter().for_each(|id| self.server.end_session(self.cx, id, "[server exited]", 1));
        Ok(String::new())
    }

    fn kill_session(&mut self) -> Result<String, String> {
        let id = self.session()?;
        let others = self.server.sessions.iter().map(|session| session.id).filter(|other| *other != id);
        let ended: Vec<u32> = if self.has('a') { others.collect() } else { vec![id] };
        ended.into_iter().for_each(|id| self.server.end_session(self.cx, id, "[exited]", 0));
        Ok(String::new())
    }

    fn kill_window(&mut self) -> Result<String, String> {
        let (id, window) = self.window("window")?;
        let all_others = self.has('a');
        let session = self.server.session_mut(id).ok_or("no current session")?;
        let ended: Vec<u32> =
            session.windows.iter().map(|own| own.id).filter(|own| (*own == window) != all_others).collect();
        ended.into_iter().for_each(|window| session.remove(self.cx, window));
        self.server.end_empty(self.cx);
        Ok(String::new())
    }

    fn new_window(&mut self) -> Result<String, String> {
        let target = self.value('t').unwrap_or_default();
        let index = target.rsplit_once(':').map_or(target.as_str(), |(_, index)| index).parse::<u32>().ok();
        let id = match (target.split_once(':'), index) {
            (Some(("", _)), _) | (None, Some(_)) => self.own_session()?,
            (Some((name, _)), _) => self.named_session(name)?,
            (None, None) => self.window("window")?.0,
        };
        let session = self.get(id)?;
        if let Some(index) = index.filter(|index| session.windows.iter().any(|window| window.index == *index))
        {
            return Err(format!("create window failed: index {index} in use"));
        }
        if let Some(dir) = self.value('c') {
            let cwd = self.request.map_or(session.cwd.clone(), |request| request.cwd.clone());
            let kept = std::mem::replace(&mut self.get_mut(id)?.cwd, host::path::resolve(&cwd, &dir));
            let made = self.open_window(id, index);
            self.get_mut(id)?.cwd = kept;
            return made;
        }
        self.open_window(id, index)
    }

    fn open_window(&mut self, id: u32, index: Option<u32>) -> Result<String, String> {
        let (name, behind) = (self.value('n'), self.has('d'));
        let made = self.server.open_window(self.cx, id, name, &self.operands, behind);
        let window = made.map_err(|why| format!("create window failed: {why}"))?;
        let session = self.server.session_mut(id).ok_or("no current session")?;
        if let (Some(index), Some(at)) = (index, session.windows.iter().position(|own| own.id == window)) {
            let mut window = session.windows.remove(at);
            window.index = index;
            session.add(window);
        }
        let found = session.windows.iter().find(|own| own.id == window);
        let line = found.map_or_else(String::new, |own| format!("{}:{}.0\n", session.name, own.index));
        if self.has('P') { Ok(line) } else { Ok(String::new()) }
    }

    fn select_window(&mut self) -> Result<String, String> {
        for (flag, message) in [('n', "no next window"), ('p', "no previous window"), ('l', "no last window")]
        {
            if self.has(flag) {
                let to = |session: &MuxSession| match flag {
                    'n' => session.beside(1),
                    'p' => session.before(),
                    _ => session.last,
                };
                return self.step_to(to, message);
            }
        }
        let (id, window) = self.window("window")?;
        self.get_mut(id)?.select(window);
        Ok(String::new())
    }

    /// Selects another window of a session.
    fn step_to(&mut self, to: impl Fn(&MuxSession) -> Option<u32>, none: &str) -> Result<String, String> {
        let id = self.session()?;
        let window = to(self.get(id)?).ok_or(none)?;
        self.get_mut(id)?.select(window);
        Ok(String::new())
    }

    fn rename_window(&mut self) -> Result<String, String> {
        let name = self.operands.first().cloned();
        self.window_mut("window")?.name = name;
        Ok(String::new())
    }

    fn rename_session(&mut self) -> Result<String, String> {
        let (id, name) = (self.session()?, session_name(&self.operands[0]));
        if self.server.sessions.iter().any(|session| session.name == name && session.id != id) {
            return Err(format!("duplicate session: {name}"));
        }
        self.get_mut(id)?.name = name;
        Ok(String::new())
    }

    fn send_keys(&mut self) -> Result<String, String> {
        let (id, window) = self.window("pane")?;
        let literal = self.has('l');
        let session = self.server.session_mut(id).ok_or("no current session")?;
        let Some(window) = session.windows.iter_mut().find(|own| own.id == window) else {
            return Ok(String::new());
        };
        let count =
            self.flags.iter().find(|(flag, _)| *flag == 'N').and_then(|(_, n)| n.parse().ok()).unwrap_or(1);
        for _ in 0..count.min(1000_u32) {
            for word in &self.operands {
                let keys = if literal { word.clone() } else { keys_of(word) };
                window.type_keys(self.cx, &keys);
            }
        }
        Ok(String::new())
    }

    fn capture_pane(&mut self) -> Result<String, String> {
        if !self.has('p') {
            return Err("tmux: capture-pane: sandbatch has no paste buffers: print with -p".to_owned());
        }
        let (start, end, coloured) = (self.value('S'), self.value('E'), self.has('e'));
        let window = self.window_mut("pane")?;
        let grid = &window.grid;
        let above = grid.history().len();
        let rows: Vec<String> = if coloured { grid.drawn().collect() } else { grid.texts().collect() };
        let lines: Vec<&String> = grid.history().iter().chain(&rows).collect();
        // Rows of the screen count from 0, those above it are negative, and `-` is the end.
        let line = |text: Option<String>, far: usize, own: usize| match text.as_deref() {
            None => own,
            Some("-") => far,
            Some(number) => match number.strip_prefix('-') {
                Some(up) => above.saturating_sub(up.parse().unwrap_or(0)),
                None => above + number.parse::<usize>().unwrap_or(0),
            },
        };
        let last = lines.len() - 1;
        let (from, to) = (line(start, 0, above).min(last), line(end, last, last).min(last));
        Ok(lines[from.min(to)..=to.max(from)].iter().fold(String::new(), |all, line| all + line + "\n"))
    }

    fn display_message(&mut self) -> Result<String, String> {
        let (id, window) = self.window("pane")?;
        let default = "[#{session_name}] #{window_index}:#{window_name}, current pane 0";
        let format =
            self.operands.first().cloned().or_else(|| self.value('F')).unwrap_or_else(|| default.to_owned());
        let text = self.expanded(&format, id, window);
        if self.has('p') {
            return Ok(text + "\n");
        }
        for client in self.server.clients.iter_mut().filter(|client| client.session == Some(id)) {
            client.view.tell(text.clone());
        }
        Ok(String::new())
    }
}

/// The keys of a word of `send-keys`: a key's name, or text.
fn keys_of(word: &str) -> String {
    let named = match word.to_ascii_lowercase().as_str() {
        "enter" | "kpenter" => "\r",
        "space" => " ",
        "tab" => "\t",
        "btab" => "\x1b[Z",
        "bspace" => "\x7f",
        "escape" => "\x1b",
        "up" => "\x1b[A",
        "down" => "\x1b[B",
        "right" => "\x1b[C",
        "left" => "\x1b[D",
        "home" => "\x1b[1~",
        "end" => "\x1b[4~",
        "dc" | "delete" => "\x1b[3~",
        "ppage" | "pageup" | "pgup" => "\x1b[5~",
        "npage" | "pagedown" | "pgdn" => "\x1b[6~",
        _ => "",
    };
    if !named.is_empty() {
        return named.to_owned();
    }
    let control = word.strip_prefix("C-").or_else(|| word.strip_prefix('^'));
    let mut chars = control.unwrap_or("").chars();
    match (chars.next(), chars.next(), word.strip_prefix("M-")) {
        (Some(c @ ('a'..='z' | 'A'..='Z' | '@' | '[' | '\\' | ']' | '_')), None, _) => {
            char::from(c as u8 & 0x1f).to_string()
        }
        (_, _, Some(key)) if key.chars().count() == 1 => format!("\x1b{key}"),
        _ => word.to_owned(),
    }
}
