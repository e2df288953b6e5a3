//! The journal: every input with its place in virtual time, so that a session can be replayed to the last bit.
//!
//! An entry says after how many events the input came, not only at which moment: several events may share a
//! moment, and a busy process may make them without end. Bounded: see [`MAX_ENTRIES`] and [`MAX_BYTES`].

use crate::base::time::Time;
use crate::world::Input;
use serde::{Deserialize, Serialize};

/// Most entries that are kept; the oldest half goes when there are more.
pub const MAX_ENTRIES: usize = 100_000;
/// Most bytes of inputs that are kept, roughly.
pub const MAX_BYTES: u64 = 32 << 20;
/// Every so many entries carry the state's hash.
pub const HASH_EVERY: u64 = 64;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// From 1, ascending; numbers of inputs that were set aside are missing.
    pub seq: u64,
    /// The world's clock.
    pub time: Time,
    /// How many events the world had carried out by then, counted from its start.
    pub step: u64,
    /// What was done.
    pub input: Input,
    /// The state's hash before it, now and then; it is made a moment later.
    pub hash: Option<u64>,
}

/// Inputs in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    entries: Vec<Entry>,
    bytes: u64,
    /// Entries at the beginning were dropped: it cannot be replayed from the start any more.
    cut: bool,
}

impl Entry {
    /// As bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Serialising plain data into memory does not fail; an empty entry would be refused when read.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    /// From bytes that may come from anywhere.
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
        };
        64 + payload as u64
    }
}

impl Journal {
    /// A journal of these entries; `cut` if it does not reach back to the start.
    #[must_use]
    pub fn new(entries: Vec<Entry>, cut: bool) -> Self {
        let bytes = entries.iter().map(Entry::weight).sum();
        Self { entries, bytes, cut }
    }

    /// All entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether it no longer reaches back to the start.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// The number that the next entry gets.
    #[must_use]
    pub fn next_seq(&self) -> u64 {
        self.entries.last().map_or(1, |e| e.seq + 1)
    }

    /// Entries with a greater number than `seq`.
    #[must_use]
    pub fn after(&self, seq: u64) -> &[Entry] {
        &self.entries[self.place_after(seq)..]
    }

    /// How many entries have at most this number.
    #[must_use]
    pub fn place_after(&self, seq: u64) -> usize {
        self.entries.partition_point(|e| e.seq <= seq)
    }

    /// Whether everything that came after the entry of this number is here.
    #[must_use]
    pub fn goes_on_from(&self, seq: u64) -> bool {
        !self.cut || self.entries.first().is_some_and(|first| first.seq <= seq + 1)
    }

    /// The entries up to this number, as a journal of their own.
    #[must_use]
    pub fn up_to(&self, seq: u64) -> Self {
        Self::new(self.entries.iter().take_while(|e| e.seq <= seq).cloned().collect(), self.cut)
    }

    /// Bytes of inputs, roughly.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What the state's hash was before the entry of this number, if that is still here.
    pub fn note_hash(&mut self, seq: u64, hash: u64) {
        let place = self.place_after(seq).checked_sub(1);
        if let Some(entry) = place.and_then(|at| self.entries.get_mut(at)).filter(|entry| entry.seq == seq) {
            entry.hash = Some(hash);
        }
    }

    /// Adds an entry. True when old ones had to go.
    pub fn push(&mut self, entry: Entry) -> bool {
        self.bytes += entry.weight();
        self.entries.push(entry);
        let full = self.entries.len() > MAX_ENTRIES || self.bytes > MAX_BYTES;
        if full {
            self.entries.drain(..self.entries.len() / 2);
            self.bytes = self.entries.iter().map(Entry::weight).sum();
            self.cut = true;
        }
        full
    }
}

/// What an input was, in a line for people.
#[must_use]
pub fn describe(input: &Input) -> String {
    match input {
        Input::Login { user, .. } => format!("login of {user}"),
        Input::Logout(tty) => format!("terminal {} closed", tty.0),
        Input::Type(tty, bytes) => format!("typed at terminal {}: {}", tty.0, typed(bytes)),
        Input::Resize(tty, columns, rows) => format!("terminal {} is {columns}x{rows}", tty.0),
        Input::Save { user, path, data } => format!("{user} saved {path} ({} bytes)", data.len()),
        Input::NodeUp { node, up: true } => format!("slurmd started on {node}"),
        Input::NodeUp { node, up: false } => format!("slurmd stopped on {node}"),
        Input::Run { user, command } => format!("{user} ran {}", typed(command.as_bytes())),
    }
}

/// What an input was, as whoever did it wrote it; empty where nothing was written.
#[must_use]
pub fn shown(input: &Input) -> String {
    match input {
        Input::Type(_, bytes) => typed(bytes),
        Input::Run { command, .. } => typed(command.as_bytes()),
        Input::Save { path, .. } => path.clone(),
        Input::NodeUp { node, .. } => node.clone(),
        Input::Login { user, .. } => user.clone(),
        Input::Logout(_) | Input::Resize(..) => String::new(),
    }
}

/// Up to 60 characters of what was typed, control characters as `^C`.
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
    use crate::host::tty::TtyId;

    fn entry(seq: u64, input: Input) -> Entry {
        Entry { seq, time: Time::from_secs(7), step: 3 * seq, input, hash: None }
    }

    #[test]
    fn bytes_there_and_back() {
        let e = entry(4, Input::Type(TtyId(1), b"sbatch a.sh\n".to_vec()));
        let bytes = e.encode();
        assert_eq!(Entry::decode(&bytes), Some(e));
        assert_eq!(Entry::decode(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Entry::decode(&[bytes, vec![0]].concat()), None);
        assert_eq!(Entry::decode(&[]), None);
        assert_eq!(Entry::decode(&[0xff; 40]), None);
    }

    #[test]
    fn what_follows_a_number() {
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
    fn in_words() {
        assert_eq!(describe(&Input::Type(TtyId(1), b"ls\n".to_vec())), "typed at terminal 1: ls");
        assert_eq!(describe(&Input::Type(TtyId(1), vec![3])), "typed at terminal 1: ^C");
        let long = describe(&Input::Run { user: "bob".into(), command: "y".repeat(99) });
        assert_eq!(long, format!("bob ran {}...", "y".repeat(60)));
    }
}
