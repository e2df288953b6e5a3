//! Crash recovery: what the page keeps to restart an engine that died. That is the last saved bytes, the journal
//! entries since, and the inputs to skip.
//!
//! Only an input that was not finished at the time of the crash is skipped: the engine tells which ones these are.

use protocol::{LessonFile, ToEngine};

/// Version of the data in the browser's storage. It changes only with the layout of [`Recovery::to_bytes`]. Up to 14 it
/// was the protocol's version.
const FORMAT: u32 = 14;

/// A journal entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournaledInput {
    /// Its sequence number.
    pub seq: u64,
    /// Encoded by the engine.
    pub bytes: Vec<u8>,
    /// Description for the user.
    pub what: String,
}

/// Consequence of a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrashVerdict {
    /// This input is skipped from now on.
    SetAside(String),
    /// No input was being carried out: all of them stay.
    NoInput,
}

/// Recovery data for a running engine. Saved bytes of a long session are tens of megabytes, so `S` is a handle to where
/// the page keeps them outside WebAssembly memory, which never shrinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery<S> {
    /// The last saved bytes.
    pub saved: Option<S>,
    /// Journal entries since then.
    pub since: Vec<JournaledInput>,
    /// Inputs to skip in the replay.
    pub set_aside: Vec<u64>,
    /// Entries that are not finished, oldest first. They may have been saved before they were finished.
    pub unfinished: Vec<JournaledInput>,
}

impl<S> Default for Recovery<S> {
    fn default() -> Self {
        Self { saved: None, since: Vec::new(), set_aside: Vec::new(), unfinished: Vec::new() }
    }
}

impl<S> Recovery<S> {
    /// Records an input of the engine.
    pub fn journaled(&mut self, entry: JournaledInput) {
        // A skipped number may be reused for another input.
        self.set_aside.retain(|seq| *seq != entry.seq);
        self.unfinished.push(entry.clone());
        self.since.push(entry);
    }

    /// Records which entries are not finished.
    pub fn unfinished(&mut self, seqs: &[u64]) {
        self.unfinished.retain(|entry| seqs.contains(&entry.seq));
    }

    /// Records a save: it includes entries up to this number (`None`: all) and no skipped ones. Returns the previous
    /// save.
    pub fn saved(&mut self, seq: Option<u64>, bytes: S) -> Option<S> {
        self.since.retain(|entry| seq.is_some_and(|seq| entry.seq > seq));
        self.set_aside.clear();
        self.saved.replace(bytes)
    }

    /// Handles a crash or hang. It blames the last input that was not finished.
    pub fn died(&mut self) -> CrashVerdict {
        let Some(entry) = self.unfinished.pop() else { return CrashVerdict::NoInput };
        self.since.retain(|since| since.seq != entry.seq);
        self.set_aside.push(entry.seq);
        CrashVerdict::SetAside(entry.what)
    }

    /// The first message for an engine; the saved bytes are transferred beside it.
    #[must_use]
    pub fn start(
        &self,
        site: &str,
        files: Vec<(String, String)>,
        (seed, start): (u64, i64),
        (lesson, link): (Option<LessonFile>, Option<Vec<u8>>),
    ) -> ToEngine {
        ToEngine::Start {
            version: protocol::VERSION,
            site: site.to_owned(),
            files,
            seed,
            start,
            saved: None,
            since: self.since.iter().map(|e| e.bytes.clone()).collect(),
            set_aside: self.set_aside.clone(),
            lesson,
            link,
            class: None,
        }
    }

    /// Encodes it for the browser's storage, without the saved bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let since: Vec<_> = self.since.iter().map(|e| (e.seq, &e.bytes, &e.what)).collect();
        postcard::to_allocvec(&(FORMAT, since, &self.set_aside)).unwrap_or_default()
    }

    /// Decodes it from the browser's storage; `None` if it is invalid or from another version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], saved: Option<S>) -> Option<Self> {
        type Kept = (u32, Vec<(u64, Vec<u8>, String)>, Vec<u64>);
        let (version, since, set_aside): Kept = postcard::from_bytes(bytes).ok()?;
        let since = since.into_iter().map(|(seq, bytes, what)| JournaledInput { seq, bytes, what }).collect();
        (version == FORMAT).then_some(Self { saved, since, set_aside, unfinished: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: u64, what: &str) -> JournaledInput {
        JournaledInput { seq, bytes: vec![seq as u8], what: what.to_owned() }
    }

    #[test]
    fn each_crash_skips_one_more_unfinished_input() {
        let mut r = Recovery::default();
        r.saved(None, vec![1, 2, 3]);
        (3..6).for_each(|seq| r.journaled(entry(seq, &format!("input {seq}"))));
        r.unfinished(&[4, 5]);
        assert_eq!(r.died(), CrashVerdict::SetAside("input 5".into()));
        assert_eq!(r.died(), CrashVerdict::SetAside("input 4".into()));
        assert_eq!((r.set_aside.as_slice(), r.since.len()), (&[5, 4][..], 1));
        assert_eq!(r.died(), CrashVerdict::NoInput);
        assert_eq!((r.since.len(), r.saved.is_some()), (1, true), "nothing else is taken away");
    }

    #[test]
    fn a_finished_input_is_never_skipped() {
        let mut r = Recovery::<Vec<u8>>::default();
        r.journaled(entry(1, "sleep 100"));
        r.journaled(entry(2, "ls"));
        // The first terminal is still busy.
        r.unfinished(&[1]);
        assert_eq!(r.died(), CrashVerdict::SetAside("sleep 100".into()));
        assert_eq!(r.since.iter().map(|e| e.seq).collect::<Vec<_>>(), [2]);
        assert_eq!(r.died(), CrashVerdict::NoInput);
    }

    #[test]
    fn a_reused_number_is_another_input() {
        let mut r = Recovery::<Vec<u8>>::default();
        r.journaled(entry(1, "boom"));
        r.died();
        r.journaled(entry(1, "ls"));
        assert_eq!((r.since.len(), r.set_aside.len()), (1, 0));
    }

    #[test]
    fn an_input_saved_before_it_was_applied_is_to_blame() {
        let mut r = Recovery::default();
        r.journaled(entry(1, "boom"));
        r.saved(Some(1), vec![1]);
        assert_eq!(r.died(), CrashVerdict::SetAside("boom".into()));
        assert_eq!(r.set_aside, [1]);
        r.saved(None, vec![2]);
        assert!(r.set_aside.is_empty());
    }

    #[test]
    fn inputs_during_a_save_stay() {
        let mut r = Recovery::default();
        (3..6).for_each(|seq| r.journaled(entry(seq, "ls")));
        r.saved(Some(4), vec![1]);
        assert_eq!(r.since.iter().map(|e| e.seq).collect::<Vec<_>>(), [5]);
        // Another branch reuses the numbers for other inputs.
        r.saved(None, vec![2]);
        assert!(r.since.is_empty());
    }

    #[test]
    fn storage_round_trip() {
        let mut r = Recovery::default();
        r.saved(None, vec![9; 40]);
        r.journaled(entry(6, "ls"));
        r.journaled(entry(7, "sbatch"));
        r.died();
        r.unfinished(&[]);
        assert_eq!(Recovery::from_bytes(&r.to_bytes(), r.saved.clone()), Some(r));
        assert_eq!(Recovery::from_bytes(b"something else", Some(vec![1])), None);
    }
}
