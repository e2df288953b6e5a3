//! tmux(1): sessions with several windows, of one server for each user and host.
//!
//! Messages, lists and exit codes are those of tmux 3.3a. Deliberate differences: a window has one pane, options and key
//! bindings cannot be changed, and the clock and the names in the status line change when something is drawn. Buffers are missing.

use super::Mux;
use super::client::{MuxClient, MuxRequest, fail, find_server, start_server};
use super::server::{MuxServer, MuxStyle};
use super::session::MuxSession;
use super::window::MuxWindow;
use crate::{Cx, UnixMachine};
use std::fmt::Write as _;

/// The version whose messages these are.
pub const VERSION: &str = "3.3a";
/// The name of the server's process.
const SERVER: &str = "tmux: server";
/// Why there are no splits.
pub const ONE_PANE: &str = "not simulated in sandbatch: a window has one pane, so create another window";
/// What the bindings do, as tmux lists them.
pub const BINDINGS: &str = include_str!("tmux_keys.txt");

/// A command of tmux.
struct TmuxCommand {
    name: &'static str,
    alias: &'static str,
    /// Flags; `:` behind those with an argument.
    flags: &'static str,
    /// Fewest and most operands.
    operands: (usize, usize),
}

/// A command that runs.
struct TmuxCall<'a, 'b, 'c, 'd> {
    server: &'a mut MuxServer,
    cx: &'a mut Cx<'b, 'c>,
    /// The client.
    at: usize,
    /// The session and the window in which it was typed.
    from: (Option<u32>, Option<u32>),
    request: Option<&'d MuxRequest>,
    flags: Vec<(char, String)>,
    operands: Vec<String>,
}

const MANY: usize = usize::MAX;

const fn command(
    name: &'static str,
    alias: &'static str,
    flags: &'static str,
    operands: (usize, usize),
) -> TmuxCommand {
    TmuxCommand { name, alias, flags, operands }
}

/// The commands, by name.
const COMMANDS: [TmuxCommand; 25] = [
    command("attach-session", "attach", "c:dEf:rt:x", (0, 0)),
    command("capture-pane", "capturep", "ab:CeE:JNpPqS:t:", (0, 0)),
    command("detach-client", "detach", "aE:s:t:P", (0, 0)),
    command("display-message", "display", "aIc:d:lNpt:F:v", (0, 1)),
    command("has-session", "has", "t:", (0, 0)),
    command("kill-pane", "killp", "at:", (0, 0)),
    command("kill-server", "", "", (0, 0)),
    command("kill-session", "", "aCt:", (0, 0)),
    command("kill-window", "killw", "at:", (0, 0)),
    command("last-window", "last", "t:", (0, 0)),
    command("list-clients", "lsc", "F:t:", (0, 0)),
    command("list-keys", "lsk", "1aNP:T:", (0, 1)),
    command("list-panes", "lsp", "asF:f:t:", (0, 0)),
    command("list-sessions", "ls", "F:f:", (0, 0)),
    command("list-windows", "lsw", "F:f:at:", (0, 0)),
    command("new-session", "new", "Ac:dDe:EF:f:n:Ps:t:x:Xy:", (0, MANY)),
    command("new-window", "neww", "abc:de:F:kn:PSt:", (0, MANY)),
    command("next-window", "next", "at:", (0, 0)),
    command("previous-window", "prev", "at:", (0, 0)),
    command("rename-session", "rename", "t:", (1, 1)),
    command("rename-window", "renamew", "t:", (1, 1)),
    command("select-window", "selectw", "lnpTt:", (0, 0)),
    command("send-keys", "send", "FHlMN:Rt:X", (0, MANY)),
    command("start-server", "start", "", (0, 0)),
    command("switch-client", "switchc", "c:EFlnO:pt:rT:Z", (0, 0)),
];

/// The other commands of tmux. They are known, and refused.
const OTHERS: &str = "bind-key break-pane choose-buffer choose-client choose-tree clear-history clock-mode command-prompt \
    confirm-before copy-mode customize-mode delete-buffer display-menu display-panes display-popup find-window if-shell \
    join-pane last-pane link-window list-buffers list-commands load-buffer lock-client lock-server lock-session move-pane \
    move-window next-layout paste-buffer pipe-pane previous-layout refresh-client resize-pane resize-window respawn-pane \
    respawn-window rotate-window run-shell save-buffer select-layout select-pane send-prefix server-access set-buffer \
    set-environment set-hook set-option set-window-option show-buffer show-environment show-hooks show-messages \
    show-options show-prompt-history show-window-options source-file split-window swap-pane swap-window suspend-client \
    unbind-key unlink-window wait-for";

/// The command of a name, an alias or the beginning of a name.
fn command_of(word: &str) -> Result<&'static TmuxCommand, String> {
    if let Some(found) = COMMANDS.iter().find(|command| command.alias == word || command.name == word) {
        return Ok(found);
    }
    let names = COMMANDS.iter().map(|command| command.name).chain(OTHERS.split(' '));
    let mut found: Vec<&str> = names.filter(|name| name.starts_with(word)).collect();
    found.sort_unstable();
    let other = match (found.as_slice(), word) {
        (_, "splitw") => "split-window",
        (_, "set") => "set-option",
        (_, "setw") => "set-window-option",
        (_, "source") => "source-file",
        (_, "bind") => "bind-key",
        ([], _) => return Err(format!("unknown command: {word}")),
        ([one], _) => one,
        _ if found.contains(&word) => word,
        _ => return Err(format!("ambiguous command: {word}, could be: {}", found.join(", "))),
    };
    match COMMANDS.iter().find(|command| command.name == other) {
        Some(command) => Ok(command),
        None if other == "split-window" => Err(format!("tmux: split-window: {ONE_PANE}")),
        None => Err(format!("tmux: {other}: not simulated in sandbatch")),
    }
}

/// Starts tmux(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    if let [name, socket] = cx.argv
        && name == SERVER
    {
        return UnixMachine::Mux(Box::new(Mux::Server(MuxServer::new(MuxStyle::Tmux, socket.clone()))));
    }
    let mut socket = format!("/tmp/tmux-{}/default", cx.uid().0);
    let mut rest = cx.args().iter();
    let mut words: Vec<String> = Vec::new();
    while let Some(word) = rest.next() {
        let mut letters = word.strip_prefix('-').filter(|letters| !letters.is_empty()).unwrap_or("").chars();
        let Some(letter) = letters.next() else {
            words.push(word.clone());
            break;
        };
        let takes = |rest: &mut std::slice::Iter<String>| {
            if letters.as_str().is_empty() { rest.next().cloned() } else { Some(letters.as_str().to_owned()) }
        };
        match letter {
            'V' => {
                cx.line(&format!("tmux {VERSION}"));
                return UnixMachine::End(0);
            }
            'L' => socket = format!("/tmp/tmux-{}/{}", cx.uid().0, takes(&mut rest).unwrap_or_default()),
            'S' => socket = takes(&mut rest).unwrap_or_default(),
            'f' | 'T' => drop(takes(&mut rest)),
            '2' | 'l' | 'u' | 'v' | 'N' => {}
            _ => {
                cx.complain("usage: tmux [-2CDlNuVv] [-c shell-command] [-f file] [-L socket-name]");
                cx.complain("            [-S socket-path] [-T features] [command [flags]]");
                return UnixMachine::End(1);
            }
        }
    }
    words.extend(rest.cloned());
    if words.is_empty() {
        words.push("new-session".to_owned());
    }
    let known = command_of(&words[0]).map(|command| command.name);
    let server = match (find_server(cx, &[SERVER, &socket]), known) {
        (Some(server), _) => Ok(server),
        (None, Ok("new-session" | "start-server")) => begin(cx, &socket),
        (None, Ok("attach-session")) => return fail(cx, "no sessions"),
        (None, _) if cx.kernel.fs.stat(cx.uid(), &socket).is_ok() => {
            return fail(cx, &format!("no server running on {socket}"));
        }
        (None, _) => return fail(cx, &format!("error connecting to {socket} (No such file or directory)")),
    };
    match server.and_then(|server| MuxClient::ask(cx, server, words)) {
        Ok(client) => UnixMachine::Mux(Box::new(Mux::Client(client))),
        Err(errno) => fail(cx, &format!("fork failed: {errno}")),
    }
}

fn begin(cx: &mut Cx, socket: &str) -> Result<base::ids::Pid, host::Errno> {
    if let Some((dir, _)) = socket.rsplit_once('/').filter(|(dir, _)| dir.starts_with("/tmp/tmux-")) {
        cx.kernel.fs.mkdir_all(dir, cx.uid(), 0o700, cx.now)?;
    }
    cx.kernel.fs.write(cx.uid(), socket, b"", 0o600, cx.now)?;
    start_server(cx, "tmux", vec![SERVER.to_owned(), socket.to_owned()])
}

/// Runs what a client asks for.
///
/// # Errors
/// The message of the command that failed.
pub fn run(server: &mut MuxServer, cx: &mut Cx, at: usize, request: &MuxRequest) -> Result<String, String> {
    // `$TMUX` is the socket, the server and the session.
    let session = request.env.get("TMUX").and_then(|tmux| tmux.rsplit(',').next()?.parse().ok());
    run_words(server, cx, (at, session), &request.words, Some(request))
}

/// Runs commands, which are separated by `;`, of a client and in a session.
///
/// # Errors
/// The message of the command that failed.
pub fn run_words(
    server: &mut MuxServer,
    cx: &mut Cx,
    (at, session): (usize, Option<u32>),
    words: &[String],
    request: Option<&MuxRequest>,
) -> Result<String, String> {
    let pane = request.and_then(|request| request.env.get("TMUX_PANE")?.strip_prefix('%')?.parse().ok());
    let mut out = String::new();
    for words in words.split(|word| word == ";") {
        let Some((name, arguments)) = words.split_first() else { continue };
        let command = command_of(name)?;
        let (flags, operands) = flags_of(command, arguments)?;
        let from = (session, pane);
        let mut call = TmuxCall { server, cx, at, from, request, flags, operands };
        out.push_str(&call.run(command.name)?);
    }
    Ok(out)
}

type TmuxFlags = (Vec<(char, String)>, Vec<String>);

fn flags_of(command: &TmuxCommand, arguments: &[String]) -> Result<TmuxFlags, String> {
    let (mut flags, name) = (Vec::new(), command.name);
    let mut rest = arguments;
    while let [word, more @ ..] = rest {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
        rest = more;
        if letters == "-" {
            break;
        }
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            let Some(place) = command.flags.find(letter).filter(|_| letter != ':') else {
                return Err(format!("command {name}: unknown flag -{letter}"));
            };
            if !command.flags[place + 1..].starts_with(':') {
                flags.push((letter, String::new()));
                continue;
            }
            let value = match (letters.as_str(), rest) {
                ("", [value, more @ ..]) => {
                    rest = more;
                    value.clone()
                }
                ("", []) => return Err(format!("command {name}: -{letter} expects an argument")),
                (value, _) => value.to_owned(),
            };
            flags.push((letter, value));
            break;
        }
    }
    let (least, most) = command.operands;
    if rest.len() < least {
        return Err(format!("command {name}: too few arguments (need at least {least})"));
    }
    if rest.len() > most {
        return Err(format!("command {name}: too many arguments (need at most {most})"));
    }
    Ok((flags, rest.to_vec()))
}

impl TmuxCall<'_, '_, '_, '_> {
    fn run(&mut self, name: &str) -> Result<String, String> {
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

    fn has(&self, flag: char) -> bool {
        self.flags.iter().any(|(own, _)| *own == flag)
    }

    fn value(&self, flag: char) -> Option<String> {
        self.flags.iter().rev().find(|(own, _)| *own == flag).map(|(_, value)| value.clone())
    }

    /// The session in which the command was typed, or the one that was used last.
    fn own_session(&self) -> Result<u32, String> {
        let sessions = &self.server.sessions;
        let own = sessions.iter().find(|session| Some(session.id) == self.from.0);
        let own = own.or_else(|| sessions.iter().max_by_key(|session| session.used));
        own.map(|session| session.id).ok_or_else(|| "no sessions".to_owned())
    }

    fn named_session(&self, name: &str) -> Result<u32, String> {
        let exact = name.strip_prefix('=');
        let wanted = exact.unwrap_or(name);
        let sessions = &self.server.sessions;
        let number = wanted.strip_prefix('$').and_then(|id| id.parse().ok());
        let found = sessions.iter().find(|session| session.name == wanted || Some(session.id) == number);
        let mut begins =
            sessions.iter().filter(|session| exact.is_none() && session.name.starts_with(wanted));
        let found = found.or_else(|| begins.next().filter(|_| begins.next().is_none()));
        found.map(|session| session.id).ok_or_else(|| format!("can't find session: {name}"))
    }

    /// The session of `-t`.
    fn session(&self) -> Result<u32, String> {
        match self.value('t') {
            None => self.own_session(),
            Some(name) => {
                let name = name.split_once(':').map_or(name.as_str(), |(name, _)| name);
                if name.is_empty() { self.own_session() } else { self.named_session(name) }
            }
        }
    }

    fn get(&self, id: u32) -> Result<&MuxSession, String> {
        self.server.session(id).ok_or_else(|| "no current session".to_owned())
    }

    fn get_mut(&mut self, id: u32) -> Result<&mut MuxSession, String> {
        self.server.session_mut(id).ok_or_else(|| "no current session".to_owned())
    }

    /// The session and window of `-t`; `what` is a window or a pane.
    fn window(&self, what: &str) -> Result<(u32, u32), String> {
        let own = self.own_session()?;
        let Some(target) = self.value('t') else {
            let session = self.get(own)?;
            let typed = session.windows.iter().find(|window| Some(window.id) == self.from.1);
            return Ok((own, typed.map_or(session.current, |window| window.id)));
        };
        let mut name = target.as_str();
        if let Some((window, pane)) = name.rsplit_once('.').filter(|(_, pane)| pane.parse::<u32>().is_ok()) {
            if pane != "0" {
                return Err(format!("can't find pane: {pane}"));
            }
            name = window;
        }
        if name.starts_with(['@', '%']) {
            let found = self.server.sessions.iter().find_map(|s| Some((s.id, s.find(self.cx, name)?)));
            return found.ok_or_else(|| format!("can't find {what}: {name}"));
        }
        if let Some((session, window)) = name.split_once(':') {
            let id = if session.is_empty() { own } else { self.named_session(session)? };
            let found = self.get(id)?.find(self.cx, window);
            return found.map(|window| (id, window)).ok_or_else(|| format!("can't find window: {window}"));
        }
        if let Some(window) = self.get(own)?.find(self.cx, name.trim_start_matches('=')) {
            return Ok((own, window));
        }
        let id = self.named_session(name).map_err(|_| format!("can't find {what}: {name}"))?;
        Ok((id, self.get(id)?.current))
    }

    fn window_mut(&mut self, what: &str) -> Result<&mut MuxWindow, String> {
        let (session, window) = self.window(what)?;
        let found = self.get_mut(session)?.windows.iter_mut().find(|own| own.id == window);
        found.ok_or_else(|| format!("can't find {what}: {window}"))
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

    fn list_sessions(&mut self) -> Result<String, String> {
        let mut order: Vec<&MuxSession> = self.server.sessions.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let format = self.value('F').unwrap_or_else(|| {
            "#{session_name}: #{session_windows} windows (created #{t:session_created})#{?session_attached, (attached),}"
                .to_owned()
        });
        Ok(order.iter().fold(String::new(), |all, s| all + &self.expanded(&format, s.id, s.current) + "\n"))
    }

    fn list_windows(&mut self) -> Result<String, String> {
        let all = self.has('a');
        let shown = if all { None } else { Some(self.session()?) };
        let head = if all { "#{session_name}:" } else { "" };
        let tail =
            if all { " " } else { " [layout #{window_layout}] #{window_id}#{?window_active, (active),}" };
        let default = format!(
            "{head}#{{window_index}}: #{{window_name}}#{{window_flags}} (1 panes) [#{{window_width}}x#{{window_height}}]{tail}"
        );
        let format = self.value('F').unwrap_or(default);
        let mut order: Vec<&MuxSession> = self.server.sessions.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let mut out = String::new();
        for session in order.into_iter().filter(|session| shown.is_none_or(|id| id == session.id)) {
            for window in &session.windows {
                let _ = writeln!(out, "{}", self.expanded(&format, session.id, window.id));
            }
        }
        Ok(out)
    }

    fn list_panes(&mut self) -> Result<String, String> {
        let (id, window) = self.window("window")?;
        let default = "0: [#{window_width}x#{window_height}] [history #{history_size}/500, 0 bytes] #{pane_id} (active)";
        let format = self.value('F').unwrap_or_else(|| default.to_owned());
        let all = self.has('a') || self.has('s');
        let windows = self.get(id)?.windows.iter().map(|own| own.id).filter(|own| all || *own == window);
        Ok(windows.fold(String::new(), |out, window| out + &self.expanded(&format, id, window) + "\n"))
    }

    fn list_clients(&mut self) -> Result<String, String> {
        let mut out = String::new();
        for client in &self.server.clients {
            if let (Some(session), Some(tty)) =
                (client.session.and_then(|id| self.server.session(id)), client.tty)
            {
                let (columns, rows) = client.size;
                let name = &session.name;
                let _ = writeln!(
                    out,
                    "/dev/pts/{tty}: {name} [{columns}x{rows} xterm-256color] (attached,focused,UTF-8)"
                );
            }
        }
        Ok(out)
    }

    /// A format with the values of a window.
    fn expanded(&self, format: &str, session: u32, window: u32) -> String {
        let mut out = String::new();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('#') {
            out.push_str(before);
            let mut chars = after.chars();
            let letter = chars.next().unwrap_or('#');
            rest = chars.as_str();
            let name = match letter {
                '{' => {
                    let (name, after) = rest.split_once('}').unwrap_or((rest, ""));
                    rest = after;
                    name
                }
                'S' => "session_name",
                'I' => "window_index",
                'W' => "window_name",
                'F' => "window_flags",
                'P' => "pane_index",
                'D' => "pane_id",
                'T' => "pane_title",
                'H' => "host",
                'h' => "host_short",
                other => {
                    out.push(other);
                    continue;
                }
            };
            match name.strip_prefix('?').map(|condition| condition.splitn(3, ',').collect::<Vec<_>>()) {
                Some(parts) => {
                    let value = self.fact(parts[0], session, window);
                    let is_true = !value.is_empty() && value != "0";
                    out.push_str(parts.get(if is_true { 1 } else { 2 }).copied().unwrap_or_default());
                }
                None => out.push_str(&self.fact(name, session, window)),
            }
        }
        out + rest
    }

    /// The value of a name in a format.
    fn fact(&self, name: &str, session: u32, window: u32) -> String {
        let Some(session) = self.server.session(session) else { return String::new() };
        let Some(window) = session.windows.iter().find(|own| own.id == window) else { return String::new() };
        let process = |pid| self.cx.kernel.process(pid);
        let front = self.cx.kernel.tty(window.tty).and_then(|tty| process(tty.foreground?));
        match name {
            "session_name" => session.name.clone(),
            "session_id" => format!("${}", session.id),
            "session_windows" => session.windows.len().to_string(),
            "session_attached" => self.server.attached(session.id).to_string(),
            "session_created" => session.created.secs().to_string(),
            "t:session_created" => session.created.strftime("%a %b %e %H:%M:%S %Y"),
            "window_index" => window.index.to_string(),
            "window_name" => window.title(self.cx),
            "window_flags" => session.flag(window).to_owned(),
            "window_active" => u8::from(session.current == window.id).to_string(),
            "window_id" => format!("@{}", window.id),
            "window_panes" => "1".to_owned(),
            "window_width" | "pane_width" => session.size.0.to_string(),
            "window_height" | "pane_height" => session.size.1.to_string(),
            "window_layout" => layout(session.size, window.id),
            "history_size" => window.grid.history().len().to_string(),
            "pane_index" => "0".to_owned(),
            "pane_active" => "1".to_owned(),
            "pane_id" => format!("%{}", window.id),
            "pane_pid" => window.pid.0.to_string(),
            "pane_tty" => format!("/dev/pts/{}", window.tty.0),
            "pane_current_command" => front.map_or_else(String::new, crate::ps::comm),
            "pane_current_path" => {
                front.or_else(|| process(window.pid)).map_or_else(String::new, |p| p.cwd.to_string())
            }
            "host" | "host_short" | "pane_title" => self.cx.host().to_string(),
            "version" => VERSION.to_owned(),
            _ => String::new(),
        }
    }
}

/// The layout of a window with one pane: a checksum, and its size, position and number.
fn layout((columns, rows): (u16, u16), pane: u32) -> String {
    let text = format!("{columns}x{rows},0,0,{pane}");
    let sum = text.bytes().fold(0_u16, |sum, byte| sum.rotate_right(1).wrapping_add(u16::from(byte)));
    format!("{sum:04x},{text}")
}

/// The name of a session, without the characters that separate targets.
#[must_use]
pub fn session_name(name: &str) -> String {
    name.replace([':', '.'], "_")
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

/// The words of a command line of tmux or screen: blanks separate them, quotes join them.
#[must_use]
pub fn words_of(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ' | '\t', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
