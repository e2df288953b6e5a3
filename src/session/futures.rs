//! Futures: who does something in the past begins another one. The one that was lived in is kept packed, and can be
//! lived in again.

use super::journal::{Entry, Journal, shown};
use super::keyframes::Keyframes;
use super::recorded::Session;
use super::saved::Latest;
use super::track::Track;
use crate::base::pack::Packed;
use crate::base::time::Time;
use crate::world::Pieces;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most futures that are kept beside the one that is lived in ...
pub const MAX_OTHERS: usize = 7;
/// ... and most bytes of them.
const MAX_BYTES: u64 = 24 << 20;
/// Keyframes of each.
const KEYFRAMES: usize = 6;

/// Where a future comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// From 1, in the order in which they began.
    pub id: u32,
    /// The moment from which on it is another.
    pub from: Time,
    /// The last input that it has in common with the future it left.
    pub seq: u64,
}

/// A future that nobody lives in, packed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// Where it comes from.
    pub origin: Origin,
    /// How far it had come.
    pub until: Time,
    /// Its journal, from the beginning.
    pub entries: Vec<Entry>,
    /// Which does not reach back to the start.
    pub cut: bool,
    /// Its state.
    pub latest: Latest,
}

/// It, with what makes its past quick to reach.
#[derive(Clone, Debug)]
pub struct Kept {
    pub other: Arc<Other>,
    pub keyframes: Keyframes,
}

/// A future as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Future {
    /// See [`Origin::id`].
    pub id: u32,
    /// See [`Origin::from`].
    pub from: Time,
    /// How far it has come.
    pub until: Time,
    /// What was done first in it; empty: nothing.
    pub done: String,
    /// It is the one that is lived in.
    pub lived: bool,
}

impl Other {
    fn bytes(&self) -> u64 {
        let inputs = Journal::new(self.entries.clone(), self.cut).bytes();
        self.latest.world.len() as u64 + inputs
    }
}

impl Session {
    /// A new future begins at the moment of the past that is seen, and is lived in; nothing happens at the present. The one
    /// that is left is to be packed, with [`Self::pack_left`], before anything else is done.
    pub fn begin_future(&mut self) {
        self.finish_event();
        let Some(past) = self.past.take() else { return };
        let newest = self.others.iter().map(|k| k.other.origin.id).max().unwrap_or(0).max(self.origin.id);
        let origin = Origin { id: newest + 1, from: past.track.world.now, seq: past.track.seq };
        let journal = self.journal.up_to(past.track.seq);
        let keyframes = self.keyframes.up_to(&past.track);
        self.leave();
        (self.origin, self.journal, self.keyframes) = (origin, journal, keyframes);
        self.live_on(past.track);
    }

    /// Lives in another future, at the moment to which it had come; the one that is left is to be packed, as in
    /// [`Self::begin_future`]. False: there is none of this number that can be read.
    pub fn switch(&mut self, id: u32) -> bool {
        self.finish_event();
        let Some(at) = self.others.iter().position(|k| k.other.origin.id == id) else { return false };
        let Some(track) = self.others.get(at).and_then(|k| k.other.latest.clone().revive()) else {
            return false;
        };
        self.back();
        let Kept { other, keyframes } = self.others.remove(at);
        self.leave();
        self.origin = other.origin;
        self.journal = Journal::new(other.entries.clone(), other.cut);
        self.keyframes = keyframes;
        self.live_on(track);
        true
    }

    /// All futures, in the order in which they began.
    #[must_use]
    pub fn futures(&self) -> Vec<Future> {
        let future = |origin: &Origin, until, entries: &[Entry], lived| Future {
            id: origin.id,
            from: origin.from,
            until,
            done: entries.iter().find(|e| e.seq > origin.seq).map(|e| shown(&e.input)).unwrap_or_default(),
            lived,
        };
        let mut all: Vec<Future> = self
            .others
            .iter()
            .map(|k| future(&k.other.origin, k.other.until, &k.other.entries, false))
            .collect();
        let lived = future(&self.origin, self.present().now, self.journal.entries(), true);
        all.insert(all.partition_point(|f| f.id < lived.id), lived);
        all
    }

    /// A bit of packing the future that was left, about a millisecond's; false when it is packed. Then those are forgotten,
    /// and given here, for which there is no room.
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
        forgotten.extend(self.forget_futures());
        false
    }

    /// This is the present now.
    #[expect(clippy::arc_with_non_send_sync, reason = "shared by futures, not by threads")]
    fn live_on(&mut self, track: Track) {
        let left = std::mem::replace(&mut self.track, track);
        self.keyframes.discard(Arc::new(left));
    }

    /// Puts the future that is lived in with the others.
    fn leave(&mut self) {
        self.hashing = None;
        let mut keyframes = self.keyframes.clone();
        keyframes.thin(KEYFRAMES);
        let other = Other {
            origin: self.origin,
            until: self.present().now,
            entries: self.journal.entries().to_vec(),
            cut: self.journal.is_cut(),
            latest: Latest::without_world(&self.track),
        };
        self.leaving = Some((self.origin.id, Box::new(Pieces::new(&self.track.world, true))));
        let place = self.others.partition_point(|k| k.other.origin.id < other.origin.id);
        self.others.insert(place, Kept { other: Arc::new(other), keyframes });
    }

    /// Forgets futures, those that reach least far first, while there are too many.
    fn forget_futures(&mut self) -> Vec<u32> {
        let mut forgotten = Vec::new();
        let bytes = |others: &[Kept]| others.iter().map(|k| k.other.bytes()).sum::<u64>();
        while self.others.len() > MAX_OTHERS || (self.others.len() > 1 && bytes(&self.others) > MAX_BYTES) {
            let least = (0..self.others.len()).min_by_key(|i| self.others.get(*i).map(|k| k.other.until));
            let gone = self.others.remove(least.unwrap_or(0));
            forgotten.push(gone.other.origin.id);
        }
        forgotten
    }
}
