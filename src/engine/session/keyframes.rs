//! Keyframes: copies of the world from which any moment can be reached quickly. They get sparser with age.
//!
//! A clone shares pages with the original, and each version of a page is shared by consecutive clones. The
//! total memory is therefore the sum of what each keyframe does not share with the next. It is bounded, and so
//! is the number of keyframes.

use super::journal::Journal;
use super::track::Track;
use crate::world::WorldTeardown;
use base::time::Time;
use std::sync::Arc;

/// Maximum number of keyframes.
pub const MAX_KEYFRAMES: usize = 48;
/// Approximate maximum of their bytes.
const MAX_BYTES: u64 = 32 << 20;
/// A keyframe is due after this many events.
pub const EVERY_STEPS: u64 = 20_000;
/// A keyframe is due after this many inputs.
pub const EVERY_INPUTS: u64 = 32;
/// A keyframe is due after this many microseconds of virtual time.
pub const EVERY_MICROS: i64 = 3_600_000_000;

/// Maximum number of tracks to be freed in steps. More are freed immediately.
const MAX_GONE: usize = 4;

/// Tracks in the order of time. Copies share them.
#[derive(Debug, Default)]
pub struct Keyframes {
    kept: Vec<Keyframe>,
    /// Tracks that are no longer needed.
    gone: Vec<Arc<Track>>,
    /// The world of the track that is being freed.
    teardown: Option<Box<WorldTeardown>>,
}

/// A clone does not include what is being freed.
impl Clone for Keyframes {
    fn clone(&self) -> Self {
        Self { kept: self.kept.clone(), ..Self::default() }
    }
}

#[derive(Clone, Debug)]
struct Keyframe {
    track: Arc<Track>,
    /// Approximate bytes not shared with the next keyframe; none before it is measured.
    own: Option<u64>,
}

impl Keyframes {
    /// Takes a copy if one is due.
    pub fn offer(&mut self, track: &Track) {
        let index = self.kept.partition_point(|k| (k.track.step, k.track.seq) <= (track.step, track.seq));
        let due = index.checked_sub(1).and_then(|i| self.kept.get(i)).is_none_or(|last| {
            let last = &last.track;
            track.step >= last.step + EVERY_STEPS
                || track.seq >= last.seq + EVERY_INPUTS
                || (track.world.now - last.world.now).0 >= EVERY_MICROS
        });
        if due {
            while self.measure_one() {}
            #[expect(clippy::arc_with_non_send_sync, reason = "shared by futures, not by threads")]
            self.kept.insert(index, Keyframe { track: Arc::new(track.still()), own: None });
            self.remeasure_before(index);
            self.thin(MAX_KEYFRAMES);
        }
    }

    /// The last keyframe that is not later than `time` and from which the journal continues.
    #[must_use]
    pub fn before(&self, time: Time, journal: &Journal) -> Option<&Track> {
        let found = self.kept.iter().rev().find(|k| k.track.world.now <= time)?;
        journal.is_complete_after(found.track.seq).then_some(&found.track)
    }

    /// The session's start, if the journal continues from there.
    #[must_use]
    pub fn start(&self, journal: &Journal) -> Option<&Track> {
        let first = self.kept.first().filter(|k| k.track.seq == 0 && journal.is_complete_after(0))?;
        Some(&first.track)
    }

    /// The earliest moment that can be reached.
    #[must_use]
    pub fn reach(&self, journal: &Journal) -> Option<Time> {
        self.kept.iter().find(|k| journal.is_complete_after(k.track.seq)).map(|k| k.track.world.now)
    }

    /// The keyframes in the past of a track.
    #[must_use]
    pub fn up_to(&self, track: &Track) -> Self {
        let passed = self.kept.iter().take_while(|k| (k.track.step, k.track.seq) <= (track.step, track.seq));
        Self { kept: passed.cloned().collect(), ..Self::default() }
    }

    /// Keeps at most `most` keyframes, within the memory budget.
    pub fn thin(&mut self, most: usize) {
        while self.kept.len() > most || (self.kept.len() > 2 && self.bytes() > MAX_BYTES) {
            let times: Vec<i64> = self.kept.iter().map(|k| k.track.world.now.0).collect();
            let index = superfluous(&times);
            let gone = self.kept.remove(index);
            self.discard(gone.track);
            self.remeasure_before(index);
        }
    }

    /// Frees a track in steps.
    pub fn discard(&mut self, track: Arc<Track>) {
        self.gone.push(track);
        if self.gone.len() > MAX_GONE {
            self.gone.remove(0);
        }
    }

    /// Whether there is something to free or measure.
    pub fn has_to_tidy(&self) -> bool {
        self.teardown.is_some() || !self.gone.is_empty() || self.unweighed().is_some()
    }

    /// Frees some pages, or measures a keyframe.
    pub fn tidy(&mut self) {
        if let Some(teardown) = &mut self.teardown {
            if !teardown.free_some() {
                self.teardown = None;
            }
        } else if let Some(track) = self.gone.pop() {
            self.teardown = Arc::try_unwrap(track).ok().map(|track| Box::new(WorldTeardown::of(track.world)));
        } else if self.measure_one() {
            self.thin(MAX_KEYFRAMES);
        }
    }

    fn bytes(&self) -> u64 {
        self.kept.iter().filter_map(|k| k.own).sum()
    }

    fn unweighed(&self) -> Option<usize> {
        self.kept.iter().position(|k| k.own.is_none())
    }

    /// Measures one keyframe. False if there is none to measure. The last one still shares its pages with the present.
    fn measure_one(&mut self) -> bool {
        let Some(index) = self.unweighed() else { return false };
        let later = self.kept.get(index + 1).map(|k| Arc::clone(&k.track));
        if let Some(keyframe) = self.kept.get_mut(index) {
            let world = &keyframe.track.world;
            keyframe.own = Some(world.apart(later.as_ref().map_or(world, |later| &later.world)));
        }
        true
    }

    /// The keyframe before this index has a new successor: measures it again.
    fn remeasure_before(&mut self, index: usize) {
        if let Some(before) = index.checked_sub(1).and_then(|before| self.kept.get_mut(before)) {
            before.own = None;
        }
    }
}

/// Which of these ascending moments to drop: the one whose removal leaves the smallest gap relative to its age.
/// The first and the last are kept.
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
    fn keyframes_get_sparser_with_age() {
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
        // Going back from the end, no gap exceeds a quarter of its age.
        let end = *times.last().unwrap();
        for w in times.windows(2).filter(|w| end - w[0] > 20_000_000) {
            assert!(w[1] - w[0] <= (end - w[0]) / 4, "{w:?}");
        }
    }
}
