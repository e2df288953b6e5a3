//! Copies of the world along its way, from which any moment is reached quickly. They get sparser with age.
//!
//! A world's clone shares its pages with the original, so what is bounded is their number.

use super::track::Track;
use crate::base::time::Time;

/// Most keyframes.
pub const MAX_KEYFRAMES: usize = 48;
/// A keyframe is due after so many events ...
pub const EVERY_STEPS: u64 = 20_000;
/// ... so many inputs ...
pub const EVERY_INPUTS: u64 = 32;
/// ... or so many microseconds of virtual time.
pub const EVERY_MICROS: i64 = 3_600_000_000;

/// Tracks in the order of their moments.
#[derive(Clone, Debug, Default)]
pub struct Keyframes(Vec<Track>);

impl Keyframes {
    /// Takes a copy if one is due.
    pub fn offer(&mut self, track: &Track) {
        let due = self.0.last().is_none_or(|last| {
            track.step >= last.step + EVERY_STEPS
                || track.seq >= last.seq + EVERY_INPUTS
                || (track.world.now - last.world.now).0 >= EVERY_MICROS
        });
        if due {
            self.0.push(track.bare());
            if self.0.len() > MAX_KEYFRAMES {
                let times: Vec<i64> = self.0.iter().map(|k| k.world.now.0).collect();
                self.0.remove(superfluous(&times));
            }
        }
    }

    /// The last one that is not later than `time`.
    #[must_use]
    pub fn before(&self, time: Time) -> Option<&Track> {
        self.0.iter().rev().find(|k| k.world.now <= time)
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
