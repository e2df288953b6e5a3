//! The work of sed's commands and the memory of its spaces.

use super::Sed;
use super::run::{Cycle, FUEL};
use super::script::{Action, Address, LineAddress, RangeEnd, SedCommand};
use crate::Cx;
use host::memory::ELEMENT;

/// Bytes that cost as much as a command.
const TOUCHED: usize = 64;
/// A pattern takes as long for a byte as it takes to copy this many.
const MATCHING: usize = 16;

impl Cycle {
    /// Bytes of memory that it holds, about.
    pub(super) fn memory(&self) -> usize {
        let append: usize = self.append.iter().map(|(_, text)| text.len() + ELEMENT).sum();
        self.space.len() + append
    }
}

impl Sed {
    /// The fuel that is left after the next command.
    pub(super) fn burn(&self, cx: &mut Cx, next: Option<&SedCommand>, fuel: usize) -> usize {
        let cost = next.map_or(0, |command| self.cost(command));
        let beyond = u32::try_from(cost.saturating_sub(fuel) / FUEL).unwrap_or(u32::MAX);
        *cx.work = cx.work.saturating_add(beyond);
        fuel.saturating_sub(cost)
    }

    /// What a command costs beyond one: the bytes that it reads or writes, about.
    fn cost(&self, command: &SedCommand) -> usize {
        let (space, hold) = (self.state.space.len(), self.hold.len());
        let matches =
            |at: &LineAddress| if matches!(at, LineAddress::Match(_)) { MATCHING * space } else { 0 };
        let address = match &command.address {
            Address::All => 0,
            Address::One(at) => matches(at),
            Address::Range(from, RangeEnd::Address(to), _) => matches(from) + matches(to),
            Address::Range(from, RangeEnd::After(_) | RangeEnd::Multiple(_), _) => matches(from),
        };
        let own = match &command.action {
            Action::Substitute(_) => MATCHING * space,
            Action::Transliterate(_) | Action::File(..) => 2 * space,
            Action::Simple('p' | 'P' | 'l' | 'D') => space,
            Action::Simple('g' | 'G' | 'h' | 'H') => space + hold,
            Action::Block(_)
            | Action::Nothing
            | Action::Text(..)
            | Action::Branch(..)
            | Action::Quit(..)
            | Action::Simple(_) => 0,
        };
        (address + own) / TOUCHED
    }
}
