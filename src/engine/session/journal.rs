//! The journal: every input with its position in virtual time, so that a session can be replayed exactly.
//!
//! An entry contains the number of events before the input, not only the time: several events may share a
//! moment, and a busy process may make any number of them. Bounded by [`MAX_ENTRIES`] and [`MAX_BYTES`].
//!
//! An encoded entry (`docs/formats.md`):
//!
//! ```text
//! 0 (1)  version (1)  checksum (4)  postcard
//! ```

use super::old;
use super::words;
use crate::world::Input;
use base::hash::fnv1a;
use base::time::Time;
use serde::{Deserialize, Serialize};

/// Maximum number of entries. Beyond that the older half is dropped.
pub const MAX_ENTRIES: usize = 100_000;
/// Approximate maximum of the inputs' bytes.
pub const MAX_BYTES: u64 = 32 << 20;
/// One in this many entries carries the state's hash.
pub const HASH_EVERY: u64 = 64;

/// First byte of an encoded entry. Earlier versions began with the entry's number, which is at least 1.
const MARK: u8 = 0;
/// Version of the encoding.
const VERSION: u8 = 2;

/// One input. Later versions may add fields at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Ascending from 1. The numbers of inputs that were set aside are missing.
    pub seq: u64,
    /// The virtual time.
    pub time: Time,
    /// The number of events since the world's start.
    pub step: u64,
    /// The input.
    #[serde(with = "words")]
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
    /// Encodes the entry.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Serialising plain data into memory does not fail. An empty result would be refused by the reader.
        let body = postcard::to_allocvec(self).unwrap_or_default();
        [&[MARK, VERSION], checksum(&body).as_slice(), &body].concat()
    }

    /// Decodes an entry from untrusted bytes, also one of an earlier version.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [MARK, VERSION, rest @ ..] => {
                let (sum, body) = rest.split_first_chunk::<4>()?;
                if *sum != checksum(body) {
                    return None;
                }
                // What follows are fields of a later version.
                postcard::take_from_bytes::<Self>(body).ok().map(|(entry, _)| entry)
            }
            [MARK, ..] => None,
            bytes => old::entry(bytes),
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

/// A checksum of four bytes.
pub fn checksum(bytes: &[u8]) -> [u8; 4] {
    let sum = fnv1a(bytes);
    let folded = u32::try_from((sum ^ (sum >> 32)) & u64::from(u32::MAX)).unwrap_or(0);
    folded.to_le_bytes()
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
    pub fn is_complete_after(&self, seq: u64) -> bool {
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
        assert_eq!(JournalEntry::decode(&[0; 40]), None);
    }

    #[test]
    fn damage_of_an_entry_is_detected() {
        let e = entry(4, Input::Run { user: "bob".into(), command: "squeue".into() });
        let bytes = e.encode();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bad = bytes.clone();
                bad[at] ^= 1 << bit;
                assert_eq!(JournalEntry::decode(&bad), None, "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn an_entry_may_have_more_fields() {
        let e = entry(4, Input::Logout(TtyId(1)));
        let mut body = postcard::to_allocvec(&e).unwrap_or_default();
        body.extend([1, 2, 3]);
        let bytes = [&[MARK, VERSION], checksum(&body).as_slice(), &body].concat();
        assert_eq!(JournalEntry::decode(&bytes), Some(e));
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
