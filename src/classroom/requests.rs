//! Which requests are granted: whose terminal, whose files, and how large.

use super::seat::Seat;
use super::{MAX_BYTES, MAX_TERMINALS};
use protocol::class::ClassAction;

/// Most bytes typed at once.
const MAX_TYPED: usize = 64 << 10;
/// Most bytes of a saved file.
const MAX_TEXT: usize = 256 << 10;
/// Longest path.
const MAX_PATH: usize = 4096;
/// Longest command of an administrator.
const MAX_COMMAND: usize = 4096;
/// Longest announcement.
const MAX_ANNOUNCEMENT: usize = 500;
/// Largest width or height of a terminal.
const MAX_CELLS: u16 = 1000;

/// Bytes that an action takes in the class's memory and file.
#[must_use]
pub fn weight(action: &ClassAction) -> usize {
    let payload = match action {
        ClassAction::Enrol(text) | ClassAction::Administer(text) | ClassAction::Announce(text) => text.len(),
        ClassAction::Login { user, .. } => user.len(),
        ClassAction::Logout(_) | ClassAction::Resize(..) => 0,
        ClassAction::Type(_, bytes) | ClassAction::Help { bytes, .. } => bytes.len(),
        ClassAction::Save { user, path, text } => user.len() + path.len() + text.len(),
        ClassAction::Prepare { user, command } => user.len() + command.len(),
    };
    payload.saturating_add(64).min(MAX_BYTES)
}

/// Checks whether a teacher may type into a participant's terminal.
///
/// # Errors
/// A sentence for the user.
pub fn check_help(of: Option<&Seat>, terminal: u32) -> Result<(), String> {
    match of.filter(|seat| !seat.teacher) {
        None => Err("There is no such participant.".to_owned()),
        Some(seat) if seat.hand.is_none() => {
            Err(format!("{}'s hand is down: you can look at that terminal, and not type.", seat.name))
        }
        Some(seat) if !seat.terminals.contains(&terminal) => Err("That terminal is closed.".to_owned()),
        Some(_) => Ok(()),
    }
}

/// Checks a request of a participant.
///
/// # Errors
/// A sentence for the user.
pub fn check(seat: &Seat, action: &ClassAction) -> Result<(), String> {
    let own = |user: &str| seat.teacher || user == seat.user();
    let open = |terminal: &u32| {
        let known = seat.terminals.contains(terminal);
        if known { Ok(()) } else { Err("That terminal is closed.".to_owned()) }
    };
    let cells = |columns: u16, rows: u16| {
        let fits = (1..=MAX_CELLS).contains(&columns) && (1..=MAX_CELLS).contains(&rows);
        if fits { Ok(()) } else { Err(format!("A terminal has 1 to {MAX_CELLS} columns and rows.")) }
    };
    match action {
        ClassAction::Login { user, .. } if !own(user) => {
            Err(format!("You are {} in this class.", seat.user()))
        }
        ClassAction::Login { user, .. } if user.len() > 64 => Err("That name is too long.".to_owned()),
        ClassAction::Login { .. } if seat.terminals.len() >= MAX_TERMINALS => {
            Err(format!("A participant has at most {MAX_TERMINALS} terminals."))
        }
        ClassAction::Login { columns, rows, .. } => cells(*columns, *rows),
        ClassAction::Logout(terminal) => open(terminal),
        ClassAction::Type(_, bytes) if bytes.is_empty() || bytes.len() > MAX_TYPED => {
            Err(format!("A terminal accepts 1 to {MAX_TYPED} bytes at once."))
        }
        ClassAction::Type(terminal, _) => open(terminal),
        ClassAction::Resize(terminal, columns, rows) => open(terminal).and_then(|()| cells(*columns, *rows)),
        ClassAction::Save { user, .. } if !own(user) => {
            Err(format!("You are {} in this class.", seat.user()))
        }
        ClassAction::Save { user, path, text }
            if user.len() > 64 || path.len() > MAX_PATH || text.len() > MAX_TEXT =>
        {
            Err(format!("A file of a class has at most {MAX_TEXT} bytes."))
        }
        ClassAction::Save { path, .. } if !path.starts_with('/') => {
            Err("A file needs an absolute path.".to_owned())
        }
        ClassAction::Save { .. } => Ok(()),
        ClassAction::Help { bytes, .. } if bytes.is_empty() || bytes.len() > MAX_TYPED => {
            Err(format!("A terminal accepts 1 to {MAX_TYPED} bytes at once."))
        }
        ClassAction::Help { .. } if !seat.teacher => Err("Only a teacher can do that.".to_owned()),
        ClassAction::Help { .. } => Ok(()),
        ClassAction::Enrol(_) => Err("Participants are added by the server.".to_owned()),
        ClassAction::Prepare { .. } => Err("Lessons are prepared by the server.".to_owned()),
        ClassAction::Administer(_) | ClassAction::Announce(_) if !seat.teacher => {
            Err("Only a teacher can do that.".to_owned())
        }
        ClassAction::Administer(text) if text.len() > MAX_COMMAND => {
            Err(format!("A command has at most {MAX_COMMAND} bytes."))
        }
        ClassAction::Announce(text) if text.is_empty() || text.len() > MAX_ANNOUNCEMENT => {
            Err(format!("An announcement has 1 to {MAX_ANNOUNCEMENT} bytes."))
        }
        ClassAction::Administer(_) | ClassAction::Announce(_) => Ok(()),
    }
}
