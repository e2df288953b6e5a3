//! `sandbatch shell`: a login shell on a simulated cluster, in a terminal or reading standard input.

mod batch;
mod interactive;
mod keys;

use super::args::Shell;
use super::out::{self, Out};
use super::{findings, site};
use base::time::Span;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use host::Wait;
use host::tty::TtyId;
use std::io::{IsTerminal, Write};

/// Longest run of one command: 30 virtual days.
const LIMIT: Span = Span::from_secs(30 * 86_400);
/// Events processed between two looks at the real clock or the output.
const SLICE: u64 = 2_000;

/// Runs the shell and returns the exit code of its last command.
///
/// # Errors
/// The shell cannot be started.
pub fn run(options: &Shell) -> Result<u8, String> {
    let (name, mut files) = site::load(&options.site())?;
    if options.background != "off" {
        files.0.insert("background".to_owned(), options.background.clone());
    }
    let setup = Setup { site: name, files: files.clone(), seed: options.seed, start: options.start };
    let mut session = Session::new(setup);
    findings::tell(session.diagnostics(), findings::of_site(&files));
    let first = session.world().site.users.first().map(|u| u.name.clone());
    let user = options.user.clone().or(first).unwrap_or_else(|| "root".to_owned());
    match session.apply(Input::Login { user, columns: 80, rows: 24 }) {
        InputResult::Terminal(tty) if std::io::stdin().is_terminal() => {
            interactive::run(session, tty, options.pace)
        }
        InputResult::Terminal(tty) => {
            // Only interactive users see the message of the day.
            session.screen_mut(tty).map(|screen| screen.take(usize::MAX));
            batch::run(session, tty)
        }
        InputResult::Refused(why) => Err(why),
        InputResult::Done | InputResult::Run(_) => Err("the login opened no terminal".to_owned()),
    }
}

/// Prints the terminal's output. Write errors are ignored: no one reads the output any more.
fn print(session: &mut Session, tty: TtyId) {
    let Some(screen) = session.screen_mut(tty) else { return };
    let output = screen.take(usize::MAX);
    if !output.is_empty() {
        let _ = Out.write_all(&output).and_then(|()| Out.flush());
    }
}

/// Answers a request for the page's editor: prints that there is none here, and ends the program that waits for it.
fn refuse_editor(session: &mut Session, tty: TtyId) {
    let Some(path) = session.screen_mut(tty).and_then(|screen| screen.edit.take()) else { return };
    out::tell(&format!(
        "sandbatch: the page's editor is not here; edit {path} with vim or nano, or write it with cat > {path}\n"
    ));
    session.apply(Input::Type(tty, b"\n".to_vec()));
}

/// Prints the bounds that jobs have hit, because no terminal shows them.
fn print_bounds(session: &mut Session) {
    for bound in session.take_bounds() {
        out::tell(&format!("sandbatch: {bound}\n"));
    }
}

/// Whether the shell has exited.
fn closed(session: &Session, tty: TtyId) -> bool {
    !session.world().logged_in(tty)
}

/// Whether the terminal's foreground program waits for a line.
fn wants_input(session: &Session, tty: TtyId) -> bool {
    let kernel = &session.world().kernel;
    let Some(terminal) = kernel.tty(tty) else { return false };
    let waits = |wait: &Wait, pid| match wait {
        Wait::Readable(fd) => kernel.fd_tty(pid, *fd) == Some(tty),
        Wait::Any(all) => {
            all.iter().any(|w| matches!(w, Wait::Readable(fd) if kernel.fd_tty(pid, *fd) == Some(tty)))
        }
        Wait::Writable(_) | Wait::Child | Wait::Until(_) | Wait::Wakeup | Wait::Watched => false,
    };
    let mut foreground = kernel.processes().filter(|p| Some(p.group) == terminal.foreground);
    terminal.input.is_empty() && foreground.any(|p| p.waiting().is_some_and(|w| waits(w, p.pid)))
}
