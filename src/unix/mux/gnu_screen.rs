//! screen(1): each session has a server of its own, and a socket in `/run/screen`.
//!
//! Messages, lists and exit codes are those of screen 4.9.0. Deliberate differences: a window has one region, and configuration
//! files are not read. Of the commands of `-X`, those for windows, text and the session are known.

use super::client::{MuxClient, MuxRequest, fail, start_server};
use super::server::{MuxServer, MuxStyle};
use super::session::MuxSession;
use super::{Mux, tmux};
use crate::{Cx, UnixMachine};
use base::ids::Pid;

/// The first word of a server's command line.
const SERVER: &str = "SCREEN";
/// Where sockets are.
const SOCKETS: &str = "/run/screen";
/// What the bindings do.
pub const BINDINGS: &str = include_str!("screen_keys.txt");
const HELP: &str = include_str!("screen_help.txt");

/// The options of a command line.
#[derive(Default)]
struct ScreenOptions {
    detach: bool,
    daemon: bool,
    resume: bool,
    /// `-R`: or else a new session.
    or_new: bool,
    /// `-x`
    shared: bool,
    list: bool,
    name: Option<String>,
    title: Option<String>,
    window: Option<String>,
    /// `-X`, or `-Q`, which prints the answer.
    command: bool,
    query: bool,
    words: Vec<String>,
}

/// A session's server, and its socket's name.
struct ScreenSocket {
    server: Pid,
    name: String,
    is_attached: bool,
    /// Its line in a list.
    line: String,
}

/// Starts screen(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    if cx.argv.first().is_some_and(|name| name == SERVER) {
        return UnixMachine::Mux(Box::new(Mux::Server(MuxServer::new(MuxStyle::Screen, String::new()))));
    }
    let options = match options(cx) {
        Ok(options) => options,
        Err(machine) => return machine,
    };
    let name = options.name.clone().unwrap_or_default();
    let all = sockets(cx);
    let fits = |socket: &ScreenSocket| {
        let own = socket.name.split_once('.').map_or("", |(_, own)| own);
        socket.name.starts_with(&name) || own.starts_with(&name)
    };
    let matching: Vec<&ScreenSocket> = all.iter().filter(|socket| fits(socket)).collect();
    if options.list {
        return list(cx, &matching);
    }
    if options.command {
        let sty = cx.env.get("STY").filter(|_| name.is_empty()).cloned();
        let own: Vec<&ScreenSocket> =
            all.iter().filter(|socket| Some(&socket.name) == sty.as_ref()).collect();
        return match if own.is_empty() { matching.as_slice() } else { own.as_slice() } {
            [] => fail_out(cx, "No screen session found."),
            [socket] => {
                let words =
                    [if options.query { "Q" } else { "X" }.to_owned(), options.window.unwrap_or_default()]
                        .into_iter()
                        .chain(options.words);
                ask(cx, socket.server, words.collect())
            }
            several => {
                print_list(cx, "There are several suitable screens on:", several);
                fail_out(cx, "Use -S to specify a session.")
            }
        };
    }
    if options.resume
        || options.shared
        || options.or_new && !all.is_empty()
        || options.detach && !options.daemon
    {
        let only_detaches = options.detach && !options.resume && !options.or_new;
        if !only_detaches && cx.kernel.fd_tty(cx.pid, crate::STDIN).is_none() {
            return fail_out(cx, "Must be connected to a terminal.");
        }
        let suits = |socket: &&&ScreenSocket| {
            if only_detaches {
                socket.is_attached
            } else {
                options.shared || options.detach || !socket.is_attached
            }
        };
        let suitable: Vec<&ScreenSocket> = matching.iter().filter(suits).copied().collect();
        match suitable.as_slice() {
            [] if options.or_new => {}
            [] => {
                let what = if only_detaches { "detached" } else { "resumed" };
                let which = if name.is_empty() { String::new() } else { format!(" matching {name}") };
                if !matching.is_empty() {
                    print_list(cx, heading(&matching), &matching);
                }
                return fail_out(cx, &format!("There is no screen to be {what}{which}."));
            }
            [socket, others @ ..] if others.is_empty() || options.or_new => {
                let word = if only_detaches { "detach" } else { "attach" };
                let others = if options.detach { "d" } else { "" };
                return ask(cx, socket.server, vec![word.to_owned(), others.to_owned()]);
            }
            several => {
                print_list(cx, "There are several suitable screens on:", several);
                return fail_out(cx, "Type \"screen [-d] -r [pid.]tty.host\" to resume one of them.\n");
            }
        }
    }
    begin(cx, options, &all)
}

/// A new session; within a session, a new window.
fn begin(cx: &mut Cx, options: ScreenOptions, all: &[ScreenSocket]) -> UnixMachine {
    let title = options.title.unwrap_or_default();
    if !options.daemon
        && options.name.is_none()
        && let Some(own) = cx.env.get("STY").and_then(|sty| all.iter().find(|socket| socket.name == *sty))
    {
        let words = ["X", "", "screen", "-t", &title].map(str::to_owned).into_iter().chain(options.words);
        return ask(cx, own.server, words.collect());
    }
    let is_detached = options.daemon && options.detach;
    if !is_detached && cx.kernel.fd_tty(cx.pid, crate::STDIN).is_none() {
        return fail_out(cx, "Must be connected to a terminal.");
    }
    let argv = std::iter::once(SERVER.to_owned()).chain(cx.args().iter().cloned()).collect();
    let mode = if is_detached { "d" } else { "a" };
    let words = ["new", mode, &options.name.unwrap_or_default(), &title].map(str::to_owned);
    match start_server(cx, "screen", argv) {
        Ok(server) => ask(cx, server, words.into_iter().chain(options.words).collect()),
        Err(errno) => fail(cx, &format!("fork: {errno}")),
    }
}

fn ask(cx: &mut Cx, server: Pid, words: Vec<String>) -> UnixMachine {
    match MuxClient::ask(cx, server, words) {
        Ok(client) => UnixMachine::Mux(Box::new(Mux::Client(client))),
        Err(errno) => fail(cx, &format!("connect: {errno}")),
    }
}

/// Messages are printed on standard output.
fn fail_out(cx: &mut Cx, message: &str) -> UnixMachine {
    cx.line(message);
    UnixMachine::End(1)
}

fn options(cx: &mut Cx) -> Result<ScreenOptions, UnixMachine> {
    let mut options = ScreenOptions::default();
    let mut rest = cx.args();
    while let [word, more @ ..] = rest {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty() && !options.command)
        else {
            break;
        };
        rest = more;
        match letters {
            "-version" => {
                version(cx);
                return Err(UnixMachine::End(0));
            }
            "-help" => {
                cx.print(HELP);
                return Err(UnixMachine::End(0));
            }
            "ls" | "list" | "wipe" => {
                options.list = true;
                optional(&mut options, &mut rest);
                continue;
            }
            "Logfile" => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            _ => {}
        }
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            match letter {
                'd' | 'D' => {
                    options.detach = true;
                    if letters.as_str().is_empty() {
                        optional(&mut options, &mut rest);
                    }
                }
                'm' => options.daemon = true,
                'r' | 'R' | 'x' => {
                    options.resume |= letter == 'r';
                    options.or_new |= letter == 'R';
                    options.shared |= letter == 'x';
                    if letters.as_str().is_empty() {
                        optional(&mut options, &mut rest);
                    }
                }
                'X' | 'Q' => (options.command, options.query) = (true, letter == 'Q'),
                'v' => {
                    version(cx);
                    return Err(UnixMachine::End(0));
                }
                'S' | 't' | 'p' | 'h' | 'c' | 's' | 'T' | 'e' => {
                    let attached = letters.as_str().to_owned();
                    let value = match rest {
                        _ if !attached.is_empty() => attached,
                        [value, more @ ..] => {
                            rest = more;
                            value.clone()
                        }
                        [] => String::new(),
                    };
                    match letter {
                        'S' => options.name = Some(value),
                        't' => options.title = Some(value),
                        'p' => options.window = Some(value),
                        _ => {}
                    }
                    break;
                }
                'a' | 'A' | 'f' | 'i' | 'l' | 'L' | 'n' | 'O' | 'q' | 'U' | '4' | '6' => {}
                other => {
                    cx.print(HELP);
                    cx.line("");
                    cx.line(&format!("Error: Unknown option -{other}"));
                    return Err(UnixMachine::End(1));
                }
            }
        }
    }
    options.words = rest.to_vec();
    Ok(options)
}

fn version(cx: &mut Cx) {
    cx.line("Screen version 4.09.00 (GNU) 30-Jan-22");
}

/// The name of a session behind an option.
fn optional(options: &mut ScreenOptions, rest: &mut &[String]) {
    if let [name, more @ ..] = rest
        && !name.starts_with('-')
    {
        options.name = Some(name.clone());
        *rest = more;
    }
}

fn directory(cx: &Cx) -> String {
    format!("{SOCKETS}/S-{}", cx.user())
}

/// The sessions of this user on this host.
fn sockets(cx: &Cx) -> Vec<ScreenSocket> {
    let (uid, dir, host) = (cx.uid(), directory(cx), cx.host());
    let names = cx.kernel.fs.list(uid, &dir).unwrap_or_default();
    let socket = |name: String| {
        let server = Pid(name.split_once('.')?.0.parse().ok()?);
        let process = cx.kernel.process(server).filter(|process| {
            process.origin.host == host && process.argv.first().is_some_and(|own| own == SERVER)
        })?;
        // The server sets the bits of its socket while it is attached.
        let is_attached = cx.kernel.fs.stat(uid, &format!("{dir}/{name}")).ok()?.mode & 0o100 != 0;
        let state = if is_attached { "Attached" } else { "Detached" };
        let line = format!("\t{name}\t({})\t({state})", process.started.strftime("%m/%d/%y %H:%M:%S"));
        Some(ScreenSocket { server, name, is_attached, line })
    };
    names.into_iter().filter_map(socket).collect()
}

const fn heading(sockets: &[&ScreenSocket]) -> &'static str {
    if sockets.len() == 1 { "There is a screen on:" } else { "There are screens on:" }
}

fn print_list(cx: &mut Cx, head: &str, sockets: &[&ScreenSocket]) {
    cx.line(head);
    sockets.iter().for_each(|socket| cx.line(&socket.line));
}

/// `-ls`
fn list(cx: &mut Cx, sockets: &[&ScreenSocket]) -> UnixMachine {
    let dir = directory(cx);
    if sockets.is_empty() {
        return fail_out(cx, &format!("No Sockets found in {dir}.\n"));
    }
    print_list(cx, heading(sockets), sockets);
    let plural = if sockets.len() == 1 { "" } else { "s" };
    cx.line(&format!("{} Socket{plural} in {dir}.", sockets.len()));
    UnixMachine::End(0)
}

/// Runs what a client asks for.
///
/// # Errors
/// The message of what failed.
pub fn run(server: &mut MuxServer, cx: &mut Cx, at: usize, request: &MuxRequest) -> Result<String, String> {
    let words = &request.words;
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    if word(0) == "new" {
        let tty = request.tty.map_or_else(String::new, |tty| format!("pts-{tty}"));
        let name = match word(2) {
            "" => format!("{tty}.{}", cx.host()),
            name => name.to_owned(),
        };
        let dir = directory(cx);
        server.socket = format!("{dir}/{}.{name}", cx.pid);
        let made = cx.kernel.fs.mkdir_all(&dir, cx.uid(), 0o700, cx.now);
        let made = made.and_then(|()| cx.kernel.fs.write(cx.uid(), &server.socket, b"", 0o600, cx.now));
        made.map_err(|errno| format!("Cannot make directory '{dir}': {errno}"))?;
        let title = Some(word(3).to_owned()).filter(|title| !title.is_empty());
        let commands = words.get(4..).unwrap_or_default();
        let is_attached = word(1) == "a";
        let size = if is_attached { server.clients[at].size } else { (80, 24) };
        let id = server.open_session(cx, &name, (title, commands), request, size)?;
        if is_attached {
            server.attach(cx, at, id);
        }
        return Ok(String::new());
    }
    let Some(session) = server.sessions.first() else { return Err("No screen session found.".to_owned()) };
    let (id, name) = (session.id, session.name.clone());
    match word(0) {
        "X" => command_in(server, cx, id, words).map(|_| String::new()),
        "Q" => command_in(server, cx, id, words),
        "attach" | "detach" => {
            if word(0) == "detach" || word(1) == "d" {
                detach_all(server, cx, id);
            }
            if word(0) == "attach" {
                server.attach(cx, at, id);
                return Ok(String::new());
            }
            Ok(format!("[{}.{name} detached.]\n", cx.pid))
        }
        _ => Ok(String::new()),
    }
}

fn detach_all(server: &mut MuxServer, cx: &mut Cx, id: u32) {
    let name = server.session(id).map_or_else(String::new, |session| session.name.clone());
    for at in 0..server.clients.len() {
        if server.clients[at].session == Some(id) {
            server.detach(cx, at, &format!("[remote detached from {}.{name}]", cx.pid), 0);
        }
    }
}

/// A command of a client, in the window of `-p`, which the second word names.
fn command_in(server: &mut MuxServer, cx: &mut Cx, id: u32, words: &[String]) -> Result<String, String> {
    let (wanted, words) = (words.get(1).map_or("", String::as_str), words.get(2..).unwrap_or_default());
    let found = server.session(id).and_then(|session| session.find(cx, wanted));
    let Some(window) = found.filter(|_| !wanted.is_empty()) else { return command(server, cx, id, words) };
    let Some(session) = server.session_mut(id) else { return Ok(String::new()) };
    let kept = (session.current, session.last);
    session.select(window);
    let result = command(server, cx, id, words);
    if let Some(session) = server.session_mut(id).filter(|session| session.current == window) {
        (session.current, session.last) = kept;
    }
    result
}

/// A command of `-X` or of the prompt.
///
/// # Errors
/// The command is not known, or it failed.
pub fn command(server: &mut MuxServer, cx: &mut Cx, id: u32, words: &[String]) -> Result<String, String> {
    let none = || Ok(String::new());
    let Some((name, arguments)) = words.split_first() else { return none() };
    let argument = arguments.first().map_or("", String::as_str);
    if name == "quit" {
        server.end_session(cx, id, "[screen is terminating]", 0);
        return none();
    }
    if name == "detach" {
        detach_all(server, cx, id);
        return none();
    }
    if name == "screen" {
        let (title, arguments) = match arguments {
            [option, title, more @ ..] if option == "-t" => (Some(title.clone()), more),
            _ => (None, arguments),
        };
        let title = title.filter(|title| !title.is_empty());
        return server.open_window(cx, id, title, arguments, false).map(|_| String::new());
    }
    let Some(session) = server.session_mut(id) else { return none() };
    let (current, cwd) = (session.current, session.cwd.clone());
    let target = match name.as_str() {
        "next" => session.beside(1),
        "prev" => session.before(),
        "other" => session.last,
        "select" => session.find(cx, argument),
        _ => None,
    };
    match name.as_str() {
        "next" | "prev" | "other" | "select" => {
            if let Some(window) = target {
                session.select(window);
            }
        }
        "kill" => {
            session.remove(cx, current);
            server.end_empty(cx);
        }
        "windows" => return Ok(windows(cx, session) + "\n"),
        "sessionname" if !argument.is_empty() => {
            let (_, own) = server.socket.rsplit_once('/').unwrap_or_default();
            let renamed = server.socket.replace(own, &format!("{}.{argument}", cx.pid));
            cx.kernel.fs.rename(cx.uid(), &server.socket, &renamed, cx.now).map_err(|e| e.to_string())?;
            server.socket = renamed;
            if let Some(session) = server.session_mut(id) {
                session.name = argument.to_owned();
            }
        }
        "redisplay" => {}
        "split" => return Err(format!("screen: split: {}", tmux::ONE_PANE)),
        "title" | "stuff" | "hardcopy" => {
            let Some(window) = session.front_mut() else { return none() };
            match name.as_str() {
                "title" => window.name = Some(argument.to_owned()),
                "stuff" => window.type_keys(cx, &stuffed(argument)),
                _ => {
                    let file = if argument.is_empty() {
                        format!("hardcopy.{}", window.index)
                    } else {
                        argument.to_owned()
                    };
                    let text = window.grid.texts().fold(String::new(), |all, line| all + &line + "\n");
                    let path = host::path::resolve(&cwd, &file);
                    cx.kernel
                        .fs
                        .write(cx.uid(), &path, text.as_bytes(), 0o644, cx.now)
                        .map_err(|e| format!("{file}: {e}"))?;
                }
            }
        }
        _ => return Err(format!("screen: {name}: not simulated in sandbatch")),
    }
    none()
}

/// The text of `stuff`: `^M`, `\n` and octal numbers are control characters.
fn stuffed(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let next = rest.chars().next();
        match (c, next) {
            ('^', Some(letter @ ('a'..='z' | 'A'..='Z' | '@' | '[' | '\\' | ']' | '_'))) => {
                out.push(char::from(letter as u8 & 0x1f));
                rest = &rest[1..];
            }
            ('\\', Some(letter)) => {
                let octal = rest.find(|c| !('0'..='7').contains(&c)).unwrap_or(rest.len()).min(3);
                let number = u8::from_str_radix(&rest[..octal], 8).ok();
                out.push(match (letter, number) {
                    (_, Some(number)) => char::from(number),
                    ('n', None) => '\n',
                    ('r', None) => '\r',
                    ('t', None) => '\t',
                    ('e', None) => '\x1b',
                    (other, None) => other,
                });
                rest = &rest[octal.max(letter.len_utf8())..];
            }
            (c, _) => out.push(c),
        }
    }
    out
}

/// The windows of a session in a line: `0- bash  1* bash`.
pub fn windows(cx: &Cx, session: &MuxSession) -> String {
    let one = |window: &super::window::MuxWindow| {
        format!("{}{} {}", window.index, session.flag(window), window.title(cx))
    };
    session.windows.iter().map(one).collect::<Vec<_>>().join("  ")
}
