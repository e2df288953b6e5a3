//! Runs the commands from standard input, each until the next prompt, as fast as the simulation allows.

use super::{LIMIT, SLICE, closed, print, print_bounds, refuse_editor, wants_input};
use engine::session::Session;
use engine::world::Input;
use host::tty::TtyId;
use shell::Prompt;
use std::io::BufRead;

/// End of input.
const CTRL_D: u8 = 4;
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

/// Runs until the shell expects a command, a program reads a line, or the shell has exited.
fn settle(session: &mut Session, tty: TtyId, aloud: bool) -> Result<(), String> {
    let end = session.world().now + LIMIT;
    let mut steps = 0;
    loop {
        refuse_editor(session, tty);
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
