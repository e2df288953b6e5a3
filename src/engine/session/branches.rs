//! Branches. An input in the past starts another branch. The previous branch is packed and kept, and the user
//! can switch back to it.

use super::journal::{Journal, JournalEntry, shown};
use super::keyframes::Keyframes;
use super::rebuild::{Replayer, Unusable};
use super::recorded::Session;
use super::saved::Latest;
use super::track::Track;
use crate::world::WorldWriter;
use base::pack::Packed;
use base::time::Time;
use protocol::UserNotice;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Maximum number of branches kept besides the current one.
pub const MAX_OTHERS: usize = 7;
/// Maximum number of bytes of these.
const MAX_BYTES: u64 = 24 << 20;
/// Maximum number of keyframes of each.
const KEYFRAMES: usize = 6;

/// The origin of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchOrigin {
    /// Numbered from 1 in the order of creation.
    pub id: u32,
    /// The moment at which it starts.
    pub from: Time,
    /// The last input that it shares with the branch it started from.
    pub seq: u64,
}

/// A branch that is not the current one, packed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedBranch {
    /// Its origin.
    pub origin: BranchOrigin,
    /// The time it has reached.
    pub until: Time,
    /// Its journal, from the beginning.
    #[serde(with = "super::sections::encoded_entries")]
    pub entries: Vec<JournalEntry>,
    /// The journal no longer reaches back to the start.
    pub cut: bool,
    /// Its state.
    pub latest: Latest,
}

/// A packed branch, and keyframes that make its past quick to reach.
#[derive(Clone, Debug)]
pub struct KeptBranch {
    pub other: Arc<PackedBranch>,
    pub keyframes: Keyframes,
}

/// A branch as shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchSummary {
    /// See [`BranchOrigin::id`].
    pub id: u32,
    /// See [`BranchOrigin::from`].
    pub from: Time,
    /// The time it has reached.
    pub until: Time,
    /// The first input in it; empty if there is none.
    pub done: String,
    /// The current branch.
    pub current: bool,
}

impl PackedBranch {
    fn bytes(&self) -> u64 {
        let inputs = Journal::new(self.entries.clone(), self.cut).bytes();
        self.latest.world.len() as u64 + inputs
    }
}

impl Session {
    /// Starts a new branch at the past moment that is shown, and makes it the current one. Nothing happens in
    /// the branch that is left. It must be packed with [`Self::pack_left`] before anything else is done.
    pub fn begin_branch(&mut self) {
        self.finish_event();
        let Some(past) = self.past.take() else { return };
        let newest = self.others.iter().map(|k| k.other.origin.id).max().unwrap_or(0).max(self.origin.id);
        let origin = BranchOrigin { id: newest + 1, from: past.track.world.now, seq: past.track.seq };
        let journal = self.journal.up_to(past.track.seq);
        let keyframes = self.keyframes.up_to(&past.track);
        self.leave();
        (self.origin, self.journal, self.keyframes) = (origin, journal, keyframes);
        self.make_present(past.track);
    }

    /// Switches to another branch, at the time it had reached. The branch that is left must be packed, as after
    /// [`Self::begin_branch`]. The state may have to be rebuilt from the journal, which is reported as a
    /// notice. None if there is no readable branch with this number.
    pub fn switch(&mut self, id: u32) -> Option<Vec<UserNotice>> {
        self.finish_event();
        let at = self.others.iter().position(|k| k.other.origin.id == id)?;
        let KeptBranch { other, mut keyframes } = self.others.get(at)?.clone();
        let mut journal = Journal::new(other.entries.clone(), other.cut);
        let (track, notices) = match other.latest.clone().revive() {
            Ok(track) => (Track { max_terminals: self.track.max_terminals, ..track }, Vec::new()),
            Err(unusable) => {
                let mut track = keyframes.start(&journal)?.still();
                let unusable = Unusable { now: Some(other.until), ..unusable };
                let entries = journal.entries().to_vec();
                let mut replayer = Replayer::new(&track, entries, None, Some(unusable.into()));
                while replayer.step(&mut track, u64::MAX, |track| keyframes.offer(track)) {}
                let (entries, result) = replayer.finish();
                let notices = result.notices(entries.len(), Some(unusable));
                journal = Journal::new(entries, other.cut);
                (track, notices)
            }
        };
        self.back();
        self.others.remove(at);
        self.leave();
        (self.origin, self.journal, self.keyframes) = (other.origin, journal, keyframes);
        self.make_present(track);
        Some(notices)
    }

    /// All branches in the order of creation.
    #[must_use]
    pub fn branches(&self) -> Vec<BranchSummary> {
        let future = |origin: &BranchOrigin, until, entries: &[JournalEntry], lived| BranchSummary {
            id: origin.id,
            from: origin.from,
            until,
            done: entries.iter().find(|e| e.seq > origin.seq).map(|e| shown(&e.input)).unwrap_or_default(),
            current: lived,
        };
        let mut all: Vec<BranchSummary> = self
            .others
            .iter()
            .map(|k| future(&k.other.origin, k.other.until, &k.other.entries, false))
            .collect();
        let lived = future(&self.origin, self.present().now, self.journal.entries(), true);
        all.insert(all.partition_point(|f| f.id < lived.id), lived);
        all
    }

    /// Packs the branch that was left, in steps of about a millisecond. False when it is packed. Branches
    /// beyond the limits are then dropped, and their numbers added to `forgotten`.
    pub fn pack_left(&mut self, forgotten: &mut Vec<u32>) -> bool {
        let Some((id, mut pieces)) = self.leaving.take() else { return false };
        if pieces.step() {
            self.leaving = Some((id, pieces));
            return true;
        }
        let Packed { hash, bytes, sum: _ } = pieces.finish();
        if let Some(left) = self.others.iter_mut().find(|k| k.other.origin.id == id) {
            let latest = &mut Arc::make_mut(&mut left.other).latest;
            (latest.hash, latest.world) = (hash, bytes);
        }
        forgotten.extend(self.drop_branches());
        false
    }

    /// Makes this the present.
    #[expect(clippy::arc_with_non_send_sync, reason = "shared by futures, not by threads")]
    fn make_present(&mut self, track: Track) {
        let left = std::mem::replace(&mut self.track, track);
        self.keyframes.discard(Arc::new(left));
    }

    /// Moves the current branch to the kept ones.
    fn leave(&mut self) {
        self.hashing = None;
        let mut keyframes = self.keyframes.clone();
        keyframes.thin(KEYFRAMES);
        let other = PackedBranch {
            origin: self.origin,
            until: self.present().now,
            entries: self.journal.entries().to_vec(),
            cut: self.journal.is_cut(),
            latest: Latest::without_world(&self.track),
        };
        self.leaving = Some((self.origin.id, Box::new(WorldWriter::new(&self.track.world, true))));
        let index = self.others.partition_point(|k| k.other.origin.id < other.origin.id);
        self.others.insert(index, KeptBranch { other: Arc::new(other), keyframes });
    }

    /// Drops branches while there are too many, starting with those that reached least far.
    fn drop_branches(&mut self) -> Vec<u32> {
        let mut forgotten = Vec::new();
        let bytes = |others: &[KeptBranch]| others.iter().map(|k| k.other.bytes()).sum::<u64>();
        while self.others.len() > MAX_OTHERS || (self.others.len() > 1 && bytes(&self.others) > MAX_BYTES) {
            let least = (0..self.others.len()).min_by_key(|i| self.others.get(*i).map(|k| k.other.until));
            let gone = self.others.remove(least.unwrap_or(0));
            forgotten.push(gone.other.origin.id);
        }
        forgotten
    }
}
