//! tmux(1): sessions with several windows, of one server for each user and host.
//!
//! Messages, lists and exit codes are those of tmux 3.3a. Deliberate differences: a window has one pane, options and key
//! bindings cannot be changed, and the clock and the names in the status line change when something is drawn. Buffers are missing.

mod call;
mod list;
mod table;
mod target;

use super::Mux;
use super::client::{MuxClient, MuxRequest, fail, find_server, start_server};
use super::server::{MuxServer, MuxStyle};
use crate::{Cx, UnixMachine};
use call::TmuxCall;
use table::{command_of, flags_of};

/// The version whose messages these are.
pub const VERSION: &str = "3.3a";
/// The name of the server's process.
const SERVER: &str = "tmux: server";
/// Why there are no splits.
pub const ONE_PANE: &str = "not simulated in sandbatch: a window has one pane, so create another window";
/// What the bindings do, as tmux lists them.
pub const BINDINGS: &str = include_str!("keys.txt");

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

/// The name of a session, without the characters that separate targets.
#[must_use]
pub fn session_name(name: &str) -> String {
    name.replace([':', '.'], "_")
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
