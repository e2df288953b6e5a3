//! Copies of the world along its way, from which any moment is reached quickly. They get sparser with age.
//!
//! A world's clone shares its pages with the original, and a page's version lives for a stretch of time. So what all of
//! them take together is what each has that the next one has not; that is bounded, as is their number.

use super::journal::Journal;
use super::track::Track;
use crate::base::time::Time;
use crate::world::Remains;
use std::sync::Arc;

/// Most keyframes ...
pub const MAX_KEYFRAMES: usize = 48;
/// ... and most bytes of them, roughly.
const MAX_BYTES: u64 = 32 << 20;
/// A keyframe is due after so many events ...
pub const EVERY_STEPS: u64 = 20_000;
/// ... so many inputs ...
pub const EVERY_INPUTS: u64 = 32;
/// ... or so many microseconds of virtual time.
pub const EVERY_MICROS: i64 = 3_600_000_000;

/// Tracks on their way out, at most: more are dropped at once.
const MAX_GONE: usize = 4;

/// Tracks in the order of their moments. A copy shares them.
#[derive(Debug, Default)]
pub struct Keyframes {
    kept: Vec<Keyframe>,
    /// Tracks that nobody needs any more ...
    gone: Vec<Arc<Track>>,
    /// ... and what is left of one of them.
    remains: Option<Box<Remains>>,
}

/// What is on its way out stays where it is.
impl Clone for Keyframes {
    fn clone(&self) -> Self {
        Self { kept: self.kept.clone(), ..Self::default() }
    }
}

#[derive(Clone, Debug)]
struct Keyframe {
    track: Arc<Track>,
    /// Bytes that it has for itself beside the next one, roughly; none: it was not weighed yet.
    own: Option<u64>,
}

impl Keyframes {
    /// Takes a copy if one is due.
    pub fn offer(&mut self, track: &Track) {
        let place = self.kept.partition_point(|k| (k.track.step, k.track.seq) <= (track.step, track.seq));
        let due = place.checked_sub(1).and_then(|i| self.kept.get(i)).is_none_or(|last| {
            let last = &last.track;
            track.step >= last.step + EVERY_STEPS
                || track.seq >= last.seq + EVERY_INPUTS
                || (track.world.now - last.world.now).0 >= EVERY_MICROS
        });
        if due {
            while self.weigh_one() {}
            #[expect(clippy::arc_with_non_send_sync, reason = "shared by futures, not by threads")]
            self.kept.insert(place, Keyframe { track: Arc::new(track.still()), own: None });
            self.weigh_again_before(place);
            self.thin(MAX_KEYFRAMES);
        }
    }

    /// The last one that is not later than `time` and from which the journal goes on.
    #[must_use]
    pub fn before(&self, time: Time, journal: &Journal) -> Option<&Track> {
        let found = self.kept.iter().rev().find(|k| k.track.world.now <= time)?;
        journal.goes_on_from(found.track.seq).then_some(&found.track)
    }

    /// The earliest moment that can be reached.
    #[must_use]
    pub fn reach(&self, journal: &Journal) -> Option<Time> {
        self.kept.iter().find(|k| journal.goes_on_from(k.track.seq)).map(|k| k.track.world.now)
    }

    /// Those that a track has come by.
    #[must_use]
    pub fn up_to(&self, track: &Track) -> Self {
        let passed = self.kept.iter().take_while(|k| (k.track.step, k.track.seq) <= (track.step, track.seq));
        Self { kept: passed.cloned().collect(), ..Self::default() }
    }

    /// Keeps at most so many, and what fits into the budget.
    pub fn thin(&mut self, most: usize) {
        while self.kept.len() > most || (self.kept.len() > 2 && self.bytes() > MAX_BYTES) {
            let times: Vec<i64> = self.kept.iter().map(|k| k.track.world.now.0).collect();
            let place = superfluous(&times);
            let gone = self.kept.remove(place);
            self.discard(gone.track);
            self.weigh_again_before(place);
        }
    }

    /// Nobody needs this any more: it is dropped little by little.
    pub fn discard(&mut self, track: Arc<Track>) {
        self.gone.push(track);
        if self.gone.len() > MAX_GONE {
            self.gone.remove(0);
        }
    }

    /// Whether something is on its way out.
    pub fn has_to_tidy(&self) -> bool {
        self.remains.is_some() || !self.gone.is_empty() || self.unweighed().is_some()
    }

    /// Drops some of what is on its way out, or weighs what came.
    pub fn tidy(&mut self) {
        if let Some(remains) = &mut self.remains {
            if !remains.shed() {
                self.remains = None;
            }
        } else if let Some(track) = self.gone.pop() {
            self.remains = Arc::try_unwrap(track).ok().map(|track| Box::new(Remains::of(track.world)));
        } else if self.weigh_one() {
            self.thin(MAX_KEYFRAMES);
        }
    }

    fn bytes(&self) -> u64 {
        self.kept.iter().filter_map(|k| k.own).sum()
    }

    fn unweighed(&self) -> Option<usize> {
        self.kept.iter().position(|k| k.own.is_none())
    }

    /// Weighs one that was not weighed; false when there is none. The last one shares its pages with the present still.
    fn weigh_one(&mut self) -> bool {
        let Some(place) = self.unweighed() else { return false };
        let later = self.kept.get(place + 1).map(|k| Arc::clone(&k.track));
        if let Some(keyframe) = self.kept.get_mut(place) {
            let world = &keyframe.track.world;
            keyframe.own = Some(world.apart(later.as_ref().map_or(world, |later| &later.world)));
        }
        true
    }

    /// The one before this place has another after it than before.
    fn weigh_again_before(&mut self, place: usize) {
        if let Some(before) = place.checked_sub(1).and_then(|before| self.kept.get_mut(before)) {
            before.own = None;
        }
    }
}

/// Which of these ascending moments is missed least: the one whose gap, if it went, is smallest in proportion to its
/// age. The first and the last one stay.
fn superfluous(times: &[i64]) -> usize {
    let Some(&last) = times.last() else { return 0 };
    let cost = |i: usize| {
        let gap = i128::from(times[i + 1]) - i128::from(times[i - 1]);
        let age = i128::from(last) - i128::from(times[i]) + 1;
        gap * 1_000_000 / age
    };
    (1..times.len().saturating_sub(1)).min_by_key(|&i| cost(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparser_with_age() {
        let mut times: Vec<i64> = Vec::new();
        for i in 0..2000 {
            times.push(i * 1_000_000);
            if times.len() > MAX_KEYFRAMES {
                times.remove(superfluous(&times));
            }
        }
        assert_eq!(times.len(), MAX_KEYFRAMES);
        assert_eq!(times.first(), Some(&0), "the start stays");
        let gaps: Vec<i64> = times.windows(2).map(|w| w[1] - w[0]).collect();
        assert_eq!(gaps.last(), Some(&1_000_000), "the newest are dense");
        // Going back from the end, no gap is more than a quarter of its age.
        let end = *times.last().unwrap();
        for w in times.windows(2).filter(|w| end - w[0] > 20_000_000) {
            assert!(w[1] - w[0] <= (end - w[0]) / 4, "{w:?}");
        }
    }
}
