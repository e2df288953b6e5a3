//! `sandbatch shell`: a login shell on a simulated cluster, at a terminal or from standard input.

mod batch;
mod interactive;

use super::args::Shell;
use super::out::{self, Out};
use super::site;
use sandbatch::base::time::Span;
use sandbatch::host::Wait;
use sandbatch::host::tty::TtyId;
use sandbatch::session::{Session, Setup};
use sandbatch::world::{Applied, Input};
use std::io::{IsTerminal, Write};

/// A command runs no longer than this: 30 virtual days.
const LIMIT: Span = Span::from_secs(30 * 86_400);
/// Events that are carried out between two looks at the real clock, or at the output.
const SLICE: u64 = 2_000;

/// Runs the shell; its exit code is the last command's.
///
/// # Errors
/// Why there can be no shell.
pub fn run(options: &Shell) -> Result<u8, String> {
    let (name, mut files) = site::load(&options.site)?;
    if options.background != "off" {
        files.0.insert("background".to_owned(), options.background.clone());
    }
    let setup = Setup { site: name, files, seed: options.seed, start: options.start };
    let mut session = Session::new(setup);
    for finding in session.diagnostics() {
        out::tell(&format!("{finding}\n"));
    }
    let first = session.world().site.users.first().map(|u| u.name.clone());
    let user = options.user.clone().or(first).unwrap_or_else(|| "root".to_owned());
    match session.apply(Input::Login { user, columns: 80, rows: 24 }) {
        Applied::Terminal(tty) if std::io::stdin().is_terminal() => {
            interactive::run(session, tty, options.pace)
        }
        Applied::Terminal(tty) => {
            // The message of the day is for people.
            session.screen_mut(tty).map(|screen| screen.take(usize::MAX));
            batch::run(session, tty)
        }
        Applied::Refused(why) => Err(why),
        Applied::Done | Applied::Run(_) => Err("the login gave no terminal".to_owned()),
    }
}

/// Prints what the terminal printed. Where it cannot be written nobody wants to see it.
fn print(session: &mut Session, tty: TtyId) {
    let Some(screen) = session.screen_mut(tty) else { return };
    let output = screen.take(usize::MAX);
    if !output.is_empty() {
        let _ = Out.write_all(&output).and_then(|()| Out.flush());
    }
}

/// An editor was called for: there is none here, which is said, and the one that waits ends.
fn refuse_editor(session: &mut Session, tty: TtyId) {
    let Some(path) = session.screen_mut(tty).and_then(|screen| screen.edit.take()) else { return };
    out::tell(&format!(
        "sandbatch: the page's editor would open {path} now; here write it with cat > {path}, printf or sed -i\n"
    ));
    session.apply(Input::Type(tty, b"\n".to_vec()));
}

/// Bounds that were hit in jobs, which no terminal of theirs shows.
fn tell_bounds(session: &mut Session) {
    for bound in session.take_bounds() {
        out::tell(&format!("sandbatch: {bound}\n"));
    }
}

/// Whether the shell is gone.
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
        Wait::Writable(_) | Wait::Child | Wait::Until(_) | Wait::Wakeup => false,
    };
    let mut foreground = kernel.processes().filter(|p| Some(p.group) == terminal.foreground);
    terminal.input.is_empty() && foreground.any(|p| p.waiting().is_some_and(|w| waits(w, p.pid)))
}
