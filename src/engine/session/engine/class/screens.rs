//! Terminals of participants, for a teacher who looks at them, and for all while a teacher shows one. They are drawn from the world: no tab sends its screen.

use super::{ClassSession, RunningSession};
use host::tty::TtyId;
use protocol::class::{ClassAction, ClassEntry, ClassScreen};
use shell::Prompt;

/// Bytes of the end of a terminal's output: of one, and of each of all.
const TAIL: (usize, usize) = (32 << 10, 6 << 10);

impl ClassSession {
    /// A seat is about to do something: its terminal comes to the front.
    pub(super) fn note_front(&mut self, entry: &ClassEntry) {
        match &entry.action {
            ClassAction::Type(number, _) => self.front.insert(entry.seat, *number),
            ClassAction::Help { seat, terminal, .. } => self.front.insert(*seat, *terminal),
            ClassAction::Login { .. } => {
                let number = self.logins.get(&entry.seat).map_or(1, |logins| logins + 1);
                self.front.insert(entry.seat, number)
            }
            _ => None,
        };
    }

    /// The terminal of a seat that was typed in last, or else the first one that is open.
    fn front_terminal(&self, seat: u32) -> Option<(u32, TtyId)> {
        let front =
            self.front.get(&seat).and_then(|number| Some((*number, *self.terminals.get(&(seat, *number))?)));
        let mut open = self.terminals.range((seat, 0)..=(seat, u32::MAX));
        front.or_else(|| open.next().map(|((_, number), tty)| (*number, *tty)))
    }
}

impl RunningSession {
    /// The terminals of a participant or of all; in a participant's tab only the one that is shown to all.
    pub(super) fn class_screens(&self, of: Option<u32>) -> Vec<ClassScreen> {
        let Some(class) = &self.class else { return Vec::new() };
        let visible = |seat: u32| class.me.teacher || class.shown_seat == Some(seat);
        let most = if of.is_some() { TAIL.0 } else { TAIL.1 };
        let seats = class.users.keys().filter(|seat| visible(**seat) && of.is_none_or(|of| **seat == of));
        let screen = |seat: &u32| {
            let (terminal, tty) = class.front_terminal(*seat)?;
            let kernel = self.session.world().kernel.tty(tty)?;
            let (_, screen) = self.session.terminals().find(|(id, _)| *id == tty)?;
            let mut output = screen.tail(most);
            if let (Prompt::Ready(prompt), None) =
                (self.session.prompt(tty), self.session.world().kernel.key_reader(tty))
            {
                output.extend(prompt.as_bytes());
            }
            Some(ClassScreen { seat: *seat, terminal, columns: kernel.columns, rows: kernel.rows, output })
        };
        seats.filter_map(screen).collect()
    }

    /// A teacher is about to type into a terminal of this seat. Nobody has typed it here, so the page is shown the line.
    pub(super) fn show_help(&mut self, tty: TtyId, bytes: &[u8]) {
        let kernel = &self.session.world().kernel;
        let single = kernel.tty(tty).is_none() || kernel.key_reader(tty).is_some();
        let shown = self.class.as_ref().is_some_and(|class| class.shows(tty));
        // The page erases the line with its own prompt where output comes.
        let prompt =
            if let Prompt::Ready(prompt) = self.session.prompt(tty) { prompt } else { String::new() };
        if let Some(screen) = self.session.screen_mut(tty).filter(|_| shown && !single) {
            screen.show(&prompt, bytes);
        }
    }
}
