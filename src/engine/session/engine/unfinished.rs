//! The inputs that are not finished. If the engine crashes, the page leaves out the last of them, and no other input.

use crate::session::journal::JournalEntry;
use crate::session::recorded::Session;
use crate::world::{Input, InputResult};
use host::tty::TtyId;
use protocol::FromEngine;
use shell::Prompt;

/// Maximum number of lines that are known to be unfinished: those of a terminal that is typed ahead.
const MAX_LINES: usize = 64;

/// The inputs that are not finished, as far as the page knows, and now.
#[derive(Default)]
pub struct UnfinishedInputs {
    /// Lines that are applied and whose terminal may still be busy with them, by the numbers of their entries.
    lines: Vec<(u64, TtyId)>,
    /// What the page was told last.
    sent: Vec<u64>,
    /// An input was applied since then.
    changed: bool,
}

impl UnfinishedInputs {
    /// An input was applied. Only what a shell does with a line can take longer.
    pub fn applied(&mut self, entry: &JournalEntry, result: &InputResult) {
        // The page counts it as unfinished since it was journaled, and it may finish within this slice.
        self.changed = true;
        if let (Input::Type(tty, _), _) | (_, InputResult::Terminal(tty)) = (&entry.input, result) {
            self.lines.push((entry.seq, *tty));
            if self.lines.len() > MAX_LINES {
                self.lines.remove(0);
            }
        }
    }

    /// Tells the page which inputs are not finished, if that has changed. `ready`: the one that is not applied yet.
    pub fn tell(&mut self, session: &Session, ready: Option<u64>, out: &mut Vec<FromEngine>) {
        if !self.changed && self.lines.is_empty() && self.sent.is_empty() && ready.is_none() {
            return;
        }
        let busy = |tty: TtyId| session.track.prompt(tty) == Prompt::Busy && session.present().logged_in(tty);
        self.lines.retain(|(_, tty)| busy(*tty));
        let all: Vec<u64> = self.lines.iter().map(|(seq, _)| *seq).chain(ready).collect();
        if std::mem::take(&mut self.changed) || all != self.sent {
            self.sent.clone_from(&all);
            out.push(FromEngine::Unfinished(all));
        }
    }
}
