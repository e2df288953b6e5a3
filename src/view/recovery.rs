//! What the page keeps so that an engine that died can be started again: the last saved bytes, the journal entries
//! since, and which inputs are left out.

use crate::protocol::{LessonFile, ToEngine};

/// An entry of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its sequence number.
    pub seq: u64,
    /// As the engine gave it.
    pub bytes: Vec<u8>,
    /// In words.
    pub what: String,
}

/// What a death means for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This input is left out from now on.
    SetAside(String),
    /// No input is to blame: the session starts anew, and what was saved is given for download.
    StartAnew,
}

/// Kept beside a running engine. What it saved is tens of megabytes of a long history: `S` is where the page holds that,
/// outside of the program's memory, which never gives anything back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery<S> {
    /// What the engine saved last.
    pub saved: Option<S>,
    /// Entries after that.
    pub since: Vec<Entry>,
    /// Left out of the replay.
    pub set_aside: Vec<u64>,
    /// The newest entry, which may have been saved before it was carried out.
    pub last: Option<Entry>,
}

impl<S> Default for Recovery<S> {
    fn default() -> Self {
        Self { saved: None, since: Vec::new(), set_aside: Vec::new(), last: None }
    }
}

impl<S> Recovery<S> {
    /// The engine took an input.
    pub fn journaled(&mut self, entry: Entry) {
        // A number that was set aside may be given again: it is another input now.
        self.set_aside.retain(|seq| *seq != entry.seq);
        self.last = Some(entry.clone());
        self.since.push(entry);
    }

    /// The engine saved itself: entries up to this number are in there (none: all that there are), and those that were set
    /// aside are not. Gives what it had saved before.
    pub fn saved(&mut self, seq: Option<u64>, bytes: S) -> Option<S> {
        self.since.retain(|entry| seq.is_some_and(|seq| entry.seq > seq));
        self.set_aside.clear();
        self.saved.replace(bytes)
    }

    /// The engine died or hangs. The last input that is not left out yet is to blame; when there is none, what was saved is.
    pub fn died(&mut self) -> Verdict {
        let last = self.last.take();
        match self.since.pop().or(last) {
            Some(entry) => {
                self.set_aside.push(entry.seq);
                Verdict::SetAside(entry.what)
            }
            None => {
                *self = Self::default();
                Verdict::StartAnew
            }
        }
    }

    /// The first message for an engine; what was saved goes beside it.
    #[must_use]
    pub fn start(
        &self,
        site: &str,
        files: Vec<(String, String)>,
        (seed, start): (u64, i64),
        (lesson, link): (Option<LessonFile>, Option<Vec<u8>>),
    ) -> ToEngine {
        ToEngine::Start {
            version: crate::protocol::VERSION,
            site: site.to_owned(),
            files,
            seed,
            start,
            saved: None,
            since: self.since.iter().map(|e| e.bytes.clone()).collect(),
            set_aside: self.set_aside.clone(),
            lesson,
            link,
        }
    }

    /// For the browser's storage, beside what was saved.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let since: Vec<_> = self.since.iter().map(|e| (e.seq, &e.bytes, &e.what)).collect();
        postcard::to_allocvec(&(crate::protocol::VERSION, since, &self.set_aside)).unwrap_or_default()
    }

    /// From the browser's storage; none if it is not ours or of another version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], saved: Option<S>) -> Option<Self> {
        type Kept = (u32, Vec<(u64, Vec<u8>, String)>, Vec<u64>);
        let (version, since, set_aside): Kept = postcard::from_bytes(bytes).ok()?;
        let since = since.into_iter().map(|(seq, bytes, what)| Entry { seq, bytes, what }).collect();
        (version == crate::protocol::VERSION).then_some(Self { saved, since, set_aside, last: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: u64, what: &str) -> Entry {
        Entry { seq, bytes: vec![seq as u8], what: what.to_owned() }
    }

    #[test]
    fn each_death_sets_one_more_input_aside() {
        let mut r = Recovery::default();
        r.saved(None, vec![1, 2, 3]);
        r.journaled(entry(4, "ls"));
        r.journaled(entry(5, "boom"));
        assert_eq!(r.died(), Verdict::SetAside("boom".into()));
        assert_eq!(r.since.len(), 1);
        assert_eq!(r.died(), Verdict::SetAside("ls".into()));
        assert_eq!(r.set_aside, [5, 4]);
        assert_eq!(r.died(), Verdict::StartAnew);
        assert_eq!(r, Recovery::default());
    }

    #[test]
    fn a_number_given_again_is_another_input() {
        let mut r = Recovery::<Vec<u8>>::default();
        r.journaled(entry(1, "boom"));
        r.died();
        r.journaled(entry(1, "ls"));
        assert_eq!((r.since.len(), r.set_aside.len()), (1, 0));
    }

    #[test]
    fn an_input_saved_before_it_was_carried_out_is_to_blame() {
        let mut r = Recovery::default();
        r.journaled(entry(1, "boom"));
        r.saved(Some(1), vec![1]);
        assert_eq!(r.died(), Verdict::SetAside("boom".into()));
        assert_eq!(r.set_aside, [1]);
        r.saved(None, vec![2]);
        assert!(r.set_aside.is_empty());
    }

    #[test]
    fn what_came_while_it_was_packed_stays() {
        let mut r = Recovery::default();
        (3..6).for_each(|seq| r.journaled(entry(seq, "ls")));
        r.saved(Some(4), vec![1]);
        assert_eq!(r.since.iter().map(|e| e.seq).collect::<Vec<_>>(), [5]);
        // Another future has other inputs of the same numbers.
        r.saved(None, vec![2]);
        assert!(r.since.is_empty());
    }

    #[test]
    fn what_is_stored_comes_back() {
        let mut r = Recovery::default();
        r.saved(None, vec![9; 40]);
        r.journaled(entry(6, "ls"));
        r.journaled(entry(7, "sbatch"));
        r.died();
        assert_eq!(Recovery::from_bytes(&r.to_bytes(), r.saved.clone()), Some(r));
        assert_eq!(Recovery::from_bytes(b"something else", Some(vec![1])), None);
    }
}
