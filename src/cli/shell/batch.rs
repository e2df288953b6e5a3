//! Runs the commands from standard input, each until the next prompt, as fast as the simulation allows.

use super::{LIMIT, SLICE, closed, print, print_bounds, refuse_editor, wants_input};
use crate::cli::out::{self, Out};
use engine::session::Session;
use engine::world::Input;
use host::tty::TtyId;
use shell::Prompt;
use std::io::{BufRead, Write};

/// End of input.
const CTRL_D: u8 = 4;
/// What an editor prints at its end.
const OWN_SCREEN: &[u8] = b"\x1b[?25h\x1b[?1049l\r";
/// Events per command; this bound ends an endless loop.
const FUEL: u64 = 1_000_000;

/// Runs all lines. The exit code is that of the last command.
///
/// # Errors
/// Standard input cannot be read, or a command does not end.
pub fn run(mut session: Session, tty: TtyId) -> Result<u8, String> {
    settle(&mut session, tty, true)?;
    for line in std::io::stdin().lock().split(b'\n') {
        let mut line = line.map_err(|e| format!("standard input: {e}"))?;
        if closed(&session, tty) {
            break;
        }
        line.push(b'\n');
        session.apply(Input::Type(tty, line));
        settle(&mut session, tty, true)?;
    }
    // A program that is still reading, or an unfinished command, gets the end of input. The shell then exits
    // with the last command's code. Its messages about that are not part of the commands' output.
    for _ in 0..16 {
        if closed(&session, tty) {
            break;
        }
        let at_prompt = matches!(session.prompt(tty), Prompt::Ready(p) if !p.starts_with('>'));
        let end = if at_prompt { b"exit\n".to_vec() } else { vec![CTRL_D] };
        session.apply(Input::Type(tty, end));
        settle(&mut session, tty, !at_prompt)?;
    }
    Ok(session.world().login_status(tty).unwrap_or(0))
}

/// Leaves an editor that has drawn on the terminal: the lines of standard input are no keys.
fn leave_editor(session: &mut Session, tty: TtyId) {
    let kernel = &session.world().kernel;
    let Some((pid, path)) = kernel.editor_here(tty) else { return };
    let waits = kernel.process(pid).is_some_and(|process| process.waiting().is_some());
    // It has read what was typed.
    if !waits || kernel.tty(tty).is_none_or(|terminal| !terminal.input.is_empty()) {
        return;
    }
    let is_nano =
        kernel.process(pid).and_then(|process| process.argv.first()).is_some_and(|name| !name.contains("vi"));
    let keys: &[u8] = if is_nano { b"\x18" } else { b"\x1b\x1b:q!\n" };
    let path = path.to_owned();
    // What it has drawn is no output of a command.
    session.screen_mut(tty).map(|screen| screen.take(usize::MAX));
    out::tell(&format!(
        "sandbatch: standard input has no keys for an editor; write {path} with cat > {path}, printf or sed -i\n"
    ));
    session.apply(Input::Type(tty, keys.to_vec()));
    let end = session.world().now + LIMIT;
    for _ in 0..SLICE {
        if session.world().kernel.editor_here(tty).is_none() || !session.step(end) {
            break;
        }
    }
    let output = session.screen_mut(tty).map(|screen| screen.take(usize::MAX)).unwrap_or_default();
    let rest = output.strip_prefix(OWN_SCREEN).unwrap_or(&output);
    // Write errors are ignored: no one reads the output any more.
    let _ = Out.write_all(rest).and_then(|()| Out.flush());
}

/// Runs until the shell expects a command, a program reads a line, or the shell has exited.
fn settle(session: &mut Session, tty: TtyId, aloud: bool) -> Result<(), String> {
    let end = session.world().now + LIMIT;
    let mut steps = 0;
    loop {
        refuse_editor(session, tty);
        leave_editor(session, tty);
        print_bounds(session);
        if closed(session, tty)
            || matches!(session.prompt(tty), Prompt::Ready(_))
            || wants_input(session, tty)
        {
            if aloud {
                print(session, tty);
            }
            return Ok(());
        }
        let did = session.step(end);
        steps += 1;
        if steps % SLICE == 0 {
            print(session, tty);
        }
        if !did || steps >= FUEL {
            print(session, tty);
            return Err("the command does not end".to_owned());
        }
    }
}
