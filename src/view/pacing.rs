//! How often the page draws what the engine sends. Where that takes longer than the display shows a picture, not every
//! animation frame draws, and those between answer typing, scrolling and hovering sooner.

/// Longest animation frame of a page that keeps up with its display, in milliseconds.
const KEEPS_UP: f64 = 20.0;
/// Longest time that a drawing counts with, in milliseconds: one pause must not delay the next picture by more than twice that.
const MOST: f64 = 50.0;

/// Decides when a drawn frame of the engine is acknowledged. Only then does the engine send the next one.
#[derive(Clone, Copy, Debug, Default)]
pub struct FramePacer {
    /// The begin of the last animation frame, and of the last one with an acknowledgement, in milliseconds.
    last: f64,
    acknowledged: f64,
    /// The last animation frame painted a new frame of the engine.
    fresh: bool,
    /// The frame that was drawn waits for its acknowledgement.
    held: bool,
    /// How long the last painting of a new frame took, in milliseconds.
    cost: f64,
}

impl FramePacer {
    /// An animation frame begins at `now`, in milliseconds, with a frame of the engine that is not acknowledged yet, or without.
    /// Returns whether to acknowledge it: at once if the page keeps up, otherwise after twice the time that painting took.
    pub fn begin(&mut self, now: f64, drawn: bool) -> bool {
        if self.fresh {
            self.cost = (now - self.last).min(MOST);
        }
        self.fresh = drawn && !self.held;
        self.last = now;
        let due = drawn && (self.cost <= KEEPS_UP || now - self.acknowledged >= 2.0 * self.cost);
        self.held = drawn && !due;
        if due {
            self.acknowledged = now;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The acknowledgements in a second, when a new frame of the engine comes after each and takes `cost` to paint.
    fn acknowledgements(cost: f64) -> u32 {
        const BEAT: f64 = 1000.0 / 60.0;
        let mut pacer = FramePacer::default();
        let (mut now, mut count, mut new) = (0.0, 0, true);
        while now < 1000.0 {
            let due = pacer.begin(now, true);
            count += u32::from(due);
            now += if new { BEAT.max(cost) } else { BEAT };
            new = due;
        }
        count
    }

    #[test]
    fn a_fast_page_draws_every_frame() {
        // A second has 60 beats, or 61 by rounding.
        for cost in [1.0, 16.0] {
            assert!((60..=61).contains(&acknowledgements(cost)), "{}", acknowledgements(cost));
        }
    }

    #[test]
    fn a_slow_page_draws_less_often() {
        assert!((15..=18).contains(&acknowledgements(30.0)), "{}", acknowledgements(30.0));
        assert!((10..=12).contains(&acknowledgements(45.0)), "{}", acknowledgements(45.0));
    }

    #[test]
    fn a_pause_is_soon_forgotten() {
        let mut pacer = FramePacer::default();
        assert!(pacer.begin(0.0, true));
        // A pause of two seconds, then a page that keeps up.
        assert!(pacer.begin(2000.0, true));
        assert!(pacer.begin(2016.0, true));
        assert!(pacer.begin(2032.0, true));
        assert!(!pacer.begin(2048.0, false), "nothing was drawn");
    }
}
