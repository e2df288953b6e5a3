//! A terminal's output: what the page has not seen yet, and enough history to show it again after a reload.

use base::refusal::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of bytes waiting for the page. The oldest are dropped first.
pub const MAX_WAITING: usize = 1 << 20;
/// Number of bytes of history.
pub const MAX_PAST: usize = 64 << 10;
/// Bytes per chunk of the history.
const PIECE: usize = 4 << 10;

/// One terminal's output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// The user of the terminal.
    pub user: String,
    waiting: Vec<u8>,
    past: Scrollback,
    /// Bytes that were dropped since the last [`Screen::take_lost`].
    lost: u64,
    /// The page knows that the shell shows a prompt.
    announced: bool,
    /// A file for which an editor was requested, until it is opened.
    #[serde(skip)]
    pub edit: Option<String>,
    /// The reason why a command was refused, until it is sent to the page.
    #[serde(skip)]
    pub refusal: Option<Refusal>,
    /// The page knows that a program reads single keys.
    #[serde(skip)]
    pub keys: bool,
}

/// The last bytes, in chunks that copies share, because every keyframe has a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Scrollback {
    full: VecDeque<Arc<Vec<u8>>>,
    tail: Vec<u8>,
}

impl Scrollback {
    fn push(&mut self, bytes: &[u8]) {
        let (_, mut rest) = bytes.split_at(bytes.len().saturating_sub(MAX_PAST + PIECE));
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(PIECE - self.tail.len()));
            self.tail.extend_from_slice(now);
            rest = later;
            if self.tail.len() == PIECE {
                self.full.push_back(Arc::new(std::mem::take(&mut self.tail)));
            }
            if self.full.len() > MAX_PAST / PIECE {
                self.full.pop_front();
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut all: Vec<u8> = self.full.iter().flat_map(|piece| piece.iter().copied()).collect();
        all.extend_from_slice(&self.tail);
        all
    }
}

impl Screen {
    /// A screen without output.
    #[must_use]
    pub fn new(user: &str) -> Self {
        Self { user: user.to_owned(), ..Self::default() }
    }

    /// Adds output of the terminal.
    pub fn print(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        self.remember(bytes);
        if self.waiting.len() > MAX_WAITING {
            // Drops half of it at once, so that a flood of output does not move the rest at every write.
            let surplus = self.waiting.len() - MAX_WAITING / 2;
            self.waiting.drain(..surplus);
            self.lost += surplus as u64;
        }
    }

    /// Adds output that the page shows by itself.
    pub fn remember(&mut self, bytes: &[u8]) {
        self.past.push(bytes);
    }

    /// Shows what another person has typed behind this prompt. It is remembered when it is read.
    pub fn show(&mut self, prompt: &str, bytes: &[u8]) {
        self.waiting.extend(prompt.as_bytes());
        self.waiting.extend(bytes.iter().filter(|byte| !byte.is_ascii_control() || **byte == b'\n'));
    }

    /// At most this many of the last bytes.
    #[must_use]
    pub fn tail(&self, most: usize) -> Vec<u8> {
        let mut bytes = self.past.bytes();
        bytes.drain(..bytes.len().saturating_sub(most));
        bytes
    }

    /// A copy without waiting output.
    #[must_use]
    pub fn still(&self) -> Self {
        Self { past: self.past.clone(), ..Self::new(&self.user) }
    }

    /// A line was entered, so the next prompt must be announced.
    pub fn typed(&mut self) {
        self.announced = false;
    }

    /// At most `most` bytes that the page has not seen.
    pub fn take(&mut self, most: usize) -> Vec<u8> {
        let n = self.waiting.len().min(most);
        self.waiting.drain(..n).collect()
    }

    /// Whether the page has seen everything.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many bytes were dropped since the last call.
    pub fn take_lost(&mut self) -> u64 {
        std::mem::take(&mut self.lost)
    }

    /// Whether the page knows that the shell is ready.
    #[must_use]
    pub const fn is_announced(&self) -> bool {
        self.announced
    }

    /// The prompt, if it was not announced yet. It counts as announced from now on.
    pub fn announce(&mut self, ready: Option<String>) -> Option<String> {
        let news = if self.announced { None } else { ready.clone() };
        self.announced = ready.is_some();
        news
    }

    /// Queues the history to be shown again on an empty screen.
    pub fn replay(&mut self) {
        self.waiting = self.past.bytes();
        self.lost = 0;
        self.announced = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_keeps_the_end() {
        let mut screen = Screen::new("alice");
        for i in 0..300_000 {
            screen.print(format!("{i}\n").as_bytes());
        }
        let lost = screen.take_lost();
        let all = screen.take(usize::MAX);
        assert!(all.len() <= MAX_WAITING && lost > 0);
        assert!(all.ends_with(b"299999\n"));
        screen.replay();
        let past = screen.take(usize::MAX);
        assert!(past.len() <= MAX_PAST + PIECE && past.ends_with(b"299999\n"));
        assert_eq!(screen.take_lost(), 0);
    }

    #[test]
    fn a_prompt_is_announced_once() {
        let mut screen = Screen::new("alice");
        let ready = || Some("$ ".to_owned());
        assert_eq!(screen.announce(ready()), ready());
        assert_eq!(screen.announce(ready()), None);
        screen.typed();
        assert_eq!(screen.announce(None), None);
        assert_eq!(screen.announce(ready()), ready());
        screen.print(b"out\n");
        screen.take(99);
        screen.replay();
        assert_eq!(screen.take(99), b"out\n");
        assert_eq!(screen.announce(ready()), ready());
    }
}
