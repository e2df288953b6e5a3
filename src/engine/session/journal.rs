//! The journal: every input with its position in virtual time, so that a session can be replayed exactly.
//!
//! An entry contains the number of events before the input, not only the time: several events may share a
//! moment, and a busy process may make any number of them. Bounded by [`MAX_ENTRIES`] and [`MAX_BYTES`].

use crate::world::Input;
use base::time::Time;
use serde::{Deserialize, Serialize};

/// Maximum number of entries. Beyond that the older half is dropped.
pub const MAX_ENTRIES: usize = 100_000;
/// Approximate maximum of the inputs' bytes.
pub const MAX_BYTES: u64 = 32 << 20;
/// One in this many entries carries the state's hash.
pub const HASH_EVERY: u64 = 64;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Ascending from 1. The numbers of inputs that were set aside are missing.
    pub seq: u64,
    /// The virtual time.
    pub time: Time,
    /// The number of events since the world's start.
    pub step: u64,
    /// The input.
    pub input: Input,
    /// The hash of the state before the input, in some entries. It is added a moment later.
    pub hash: Option<u64>,
}

/// Inputs in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    entries: Vec<JournalEntry>,
    bytes: u64,
    /// Entries at the beginning were dropped, so it cannot be replayed from the start.
    cut: bool,
}

impl JournalEntry {
    /// Encodes the journal.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Serialising plain data into memory does not fail. An empty result would be refused by the reader.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// Decodes a journal from untrusted bytes.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        match postcard::take_from_bytes::<Self>(bytes) {
            Ok((entry, [])) => Some(entry),
            Ok(_) | Err(_) => None,
        }
    }

    fn weight(&self) -> u64 {
        let payload = match &self.input {
            Input::Login { user, .. } => user.len(),
            Input::Logout(_) | Input::Resize(..) => 0,
            Input::Type(_, bytes) => bytes.len(),
            Input::Save { user, path, data } => user.len() + path.len() + data.len(),
            Input::NodeUp { node, .. } => node.len(),
            Input::Run { user, command } => user.len() + command.len(),
            Input::Enrol(text) | Input::Announce(text) => text.len(),
        };
        64 + payload as u64
    }
}

impl Journal {
    /// A journal of these entries; `cut` if it does not reach back to the start.
    #[must_use]
    pub fn new(entries: Vec<JournalEntry>, cut: bool) -> Self {
        let bytes = entries.iter().map(JournalEntry::weight).sum();
        Self { entries, bytes, cut }
    }

    /// All entries.
    #[must_use]
    pub fn entries(&self) -> &[JournalEntry] {
        &self.entries
    }

    /// Whether it no longer reaches back to the start.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The number of the next entry.
    #[must_use]
    pub fn next_seq(&self) -> u64 {
        self.entries.last().map_or(1, |e| e.seq + 1)
    }

    /// Entries with a greater number than `seq`.
    #[must_use]
    pub fn after(&self, seq: u64) -> &[JournalEntry] {
        &self.entries[self.index_after(seq)..]
    }

    /// The number of entries up to this number.
    #[must_use]
    pub fn index_after(&self, seq: u64) -> usize {
        self.entries.partition_point(|e| e.seq <= seq)
    }

    /// Whether all entries after this number are present.
    #[must_use]
    pub fn goes_on_from(&self, seq: u64) -> bool {
        !self.cut || self.entries.first().is_some_and(|first| first.seq <= seq + 1)
    }

    /// The entries up to this number, as a separate journal.
    #[must_use]
    pub fn up_to(&self, seq: u64) -> Self {
        Self::new(self.entries.iter().take_while(|e| e.seq <= seq).cloned().collect(), self.cut)
    }

    /// Approximate number of bytes of the inputs.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds the hash of the state before the entry of this number, if the entry is still there.
    pub fn note_hash(&mut self, seq: u64, hash: u64) {
        let index = self.index_after(seq).checked_sub(1);
        if let Some(entry) = index.and_then(|at| self.entries.get_mut(at)).filter(|entry| entry.seq == seq) {
            entry.hash = Some(hash);
        }
    }

    /// Adds an entry. True if old entries were dropped.
    pub fn push(&mut self, entry: JournalEntry) -> bool {
        self.bytes += entry.weight();
        self.entries.push(entry);
        let full = self.entries.len() > MAX_ENTRIES || self.bytes > MAX_BYTES;
        if full {
            self.entries.drain(..self.entries.len() / 2);
            self.bytes = self.entries.iter().map(JournalEntry::weight).sum();
            self.cut = true;
        }
        full
    }
}

/// A one-line description of an input.
#[must_use]
pub fn describe(input: &Input) -> String {
    match input {
        Input::Login { user, .. } => format!("login of {user}"),
        Input::Logout(tty) => format!("terminal {} closed", tty.0),
        Input::Type(tty, bytes) => format!("typed at terminal {}: {}", tty.0, typed(bytes)),
        Input::Resize(tty, columns, rows) => format!("terminal {} resized to {columns}x{rows}", tty.0),
        Input::Save { user, path, data } => format!("{user} saved {path} ({} bytes)", data.len()),
        Input::NodeUp { node, up: true } => format!("slurmd started on {node}"),
        Input::NodeUp { node, up: false } => format!("slurmd stopped on {node}"),
        Input::Run { user, command } => format!("{user} ran {}", typed(command.as_bytes())),
        Input::Enrol(user) => format!("user {user} added"),
        Input::Announce(text) => format!("announced: {}", typed(text.as_bytes())),
    }
}

/// The text that the user typed or saved; empty for other inputs.
#[must_use]
pub fn shown(input: &Input) -> String {
    match input {
        Input::Type(_, bytes) => typed(bytes),
        Input::Run { command, .. } => typed(command.as_bytes()),
        Input::Save { path, .. } => path.clone(),
        Input::NodeUp { node, .. } => node.clone(),
        Input::Login { user, .. } | Input::Enrol(user) => user.clone(),
        Input::Announce(text) => typed(text.as_bytes()),
        Input::Logout(_) | Input::Resize(..) => String::new(),
    }
}

/// Up to 60 characters of typed text, with control characters as `^C`.
fn typed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_end_matches('\n');
    let mut shown = String::new();
    for c in text.chars().take(60) {
        match u32::from(c) {
            code @ 0..=31 => {
                shown.push('^');
                shown.extend(char::from_u32(code + 64));
            }
            _ => shown.push(c),
        }
    }
    if text.chars().nth(60).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::tty::TtyId;

    fn entry(seq: u64, input: Input) -> JournalEntry {
        JournalEntry { seq, time: Time::from_secs(7), step: 3 * seq, input, hash: None }
    }

    #[test]
    fn encoding_round_trip() {
        let e = entry(4, Input::Type(TtyId(1), b"sbatch a.sh\n".to_vec()));
        let bytes = e.encode();
        assert_eq!(JournalEntry::decode(&bytes), Some(e));
        assert_eq!(JournalEntry::decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(JournalEntry::decode(&[bytes, vec![0]].concat()), None);
        assert_eq!(JournalEntry::decode(&[]), None);
        assert_eq!(JournalEntry::decode(&[0xff; 40]), None);
    }

    #[test]
    fn entries_after_a_number() {
        let entries = [1, 2, 5, 6].map(|s| entry(s, Input::Logout(TtyId(0)))).to_vec();
        let journal = Journal::new(entries, false);
        assert_eq!(journal.after(2).iter().map(|e| e.seq).collect::<Vec<_>>(), [5, 6]);
        assert_eq!(journal.after(3).len(), 2);
        assert_eq!(journal.after(0).len(), 4);
        assert!(journal.after(6).is_empty());
        assert_eq!(journal.next_seq(), 7);
    }

    #[test]
    fn a_full_journal_loses_its_older_half() {
        let mut journal = Journal::default();
        let mut cut = 0;
        for seq in 1..=40 {
            let input = Input::Type(TtyId(0), vec![b'x'; 1 << 20]);
            cut += u32::from(journal.push(entry(seq, input)));
        }
        assert!(journal.is_cut());
        assert_eq!(cut, 1);
        assert_eq!(journal.entries().last().map(|e| e.seq), Some(40));
        assert!(journal.bytes <= MAX_BYTES);
    }

    #[test]
    fn descriptions() {
        assert_eq!(describe(&Input::Type(TtyId(1), b"ls\n".to_vec())), "typed at terminal 1: ls");
        assert_eq!(describe(&Input::Type(TtyId(1), vec![3])), "typed at terminal 1: ^C");
        let long = describe(&Input::Run { user: "bob".into(), command: "y".repeat(99) });
        assert_eq!(long, format!("bob ran {}...", "y".repeat(60)));
    }
}
