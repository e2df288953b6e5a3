//! The time line's geometry: the past to the left, what is planned to the right, each with its own scale, so that the
//! present stands still.

use super::axis;
use crate::protocol::{FutureInfo, Mark, Micros, TimeLine};

/// The past's part of the width while something is planned.
const PAST: f64 = 0.78;

/// Moments and places on the line, as shares of its width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// The left end.
    pub start: Micros,
    /// Where past and plans meet.
    pub present: Micros,
    /// The right end.
    pub ahead: Micros,
}

impl Scale {
    /// Of a line.
    #[must_use]
    pub fn of(line: &TimeLine) -> Self {
        // A session that has just begun has a minute of room.
        let start = line.start.min(line.present - 60_000_000);
        Self { start, present: line.present, ahead: line.ahead.max(line.present) }
    }

    /// The past's part of the width.
    #[must_use]
    pub fn now(&self) -> f64 {
        if self.ahead > self.present { PAST } else { 1.0 }
    }

    /// Where a moment is.
    #[must_use]
    pub fn place(&self, at: Micros) -> f64 {
        let part = |at: Micros, from: Micros, until: Micros| {
            ((at - from) as f64 / (until - from).max(1) as f64).clamp(0.0, 1.0)
        };
        if at <= self.present {
            part(at, self.start, self.present) * self.now()
        } else {
            self.now() + part(at, self.present, self.ahead) * (1.0 - self.now())
        }
    }

    /// Which moment of the past is there; the present for what lies ahead.
    #[must_use]
    pub fn moment(&self, place: f64) -> Micros {
        let share = (place / self.now()).clamp(0.0, 1.0);
        self.start + ((self.present - self.start) as f64 * share) as Micros
    }

    /// Moments to be written, with the seconds between them: of the past and of what is planned.
    #[must_use]
    pub fn ticks(&self, width: f64) -> [(Vec<Micros>, i64); 2] {
        let most = |share: f64| (width * share / 92.0) as u32;
        let (past, ahead) = (most(self.now()), most(1.0 - self.now()));
        [
            axis::ticks(self.start, self.present, past),
            if ahead == 0 { (Vec::new(), 0) } else { axis::ticks(self.present + 1, self.ahead, ahead) },
        ]
    }

    /// The mark at a place, if one is near enough.
    #[must_use]
    pub fn mark<'m>(&self, marks: &'m [Mark], place: f64, width: f64) -> Option<&'m Mark> {
        let far = |mark: &Mark| ((self.place(mark.at) - place) * width).abs();
        let nearest = marks.iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        (far(nearest) <= 6.0).then_some(nearest)
    }
}

/// Whether what is seen is the moment that was asked for, not one of the way there.
#[must_use]
pub fn arrived(line: &TimeLine, asked: Micros, now: Micros, past: bool) -> bool {
    if past { line.goal.is_none() && (now - asked).abs() < 1_000_000 } else { asked >= line.present }
}

/// The next mark after a moment, or the last one before it.
#[must_use]
pub fn neighbour(marks: &[Mark], at: Micros, forwards: bool) -> Option<Micros> {
    let mut moments = marks.iter().map(|m| m.at);
    if forwards { moments.find(|m| *m > at) } else { moments.rfind(|m| *m < at) }
}

/// A future's name: a letter, `A` for the first.
#[must_use]
pub fn future_name(id: u32) -> String {
    let (round, letter) = (id.saturating_sub(1) / 26, id.saturating_sub(1) % 26);
    let letter = char::from_u32(u32::from('A') + letter).unwrap_or('A');
    if round == 0 { letter.to_string() } else { format!("{letter}{round}") }
}

/// Where a branch lies among the others: its left end and its width, as shares of all that was lived.
#[must_use]
pub fn lane(line: &TimeLine, branch: &FutureInfo) -> (f64, f64) {
    let end = line.futures.iter().map(|f| f.until).max().unwrap_or(line.present).max(line.start + 1);
    let share = |at: Micros| ((at - line.start) as f64 / (end - line.start) as f64).clamp(0.0, 1.0);
    let left = share(branch.from);
    (left, share(branch.until) - left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::MarkKind;

    const SECOND: Micros = 1_000_000;

    fn line(present: Micros, ahead: Micros) -> TimeLine {
        TimeLine { start: 0, present: present * SECOND, ahead: ahead * SECOND, ..TimeLine::default() }
    }

    #[test]
    fn there_and_back() {
        let scale = Scale::of(&line(1000, 5000));
        for at in [0, 1, 500, 999, 1000] {
            let back = scale.moment(scale.place(at * SECOND));
            assert!((back - at * SECOND).abs() < 1000, "{at}: {back}");
        }
        assert_eq!(scale.place(1000 * SECOND), PAST);
        assert_eq!(scale.place(5000 * SECOND), 1.0);
        assert_eq!(scale.moment(0.95), 1000 * SECOND, "nobody goes where nothing has been");
        assert_eq!(Scale::of(&line(1000, 1000)).now(), 1.0, "no plans, no room for them");
        assert_eq!(Scale::of(&line(0, 0)).place(0), 1.0);
    }

    #[test]
    fn marks_near_and_next() {
        let mark = |at: Micros| Mark { at: at * SECOND, kind: MarkKind::Started, job: at.to_string() };
        let marks = [mark(100), mark(500), mark(900)];
        let scale = Scale::of(&line(1000, 1000));
        assert_eq!(scale.mark(&marks, 0.502, 1000.0).map(|m| m.job.as_str()), Some("500"));
        assert_eq!(scale.mark(&marks, 0.3, 1000.0), None);
        assert_eq!(neighbour(&marks, 500 * SECOND, true), Some(900 * SECOND));
        assert_eq!(neighbour(&marks, 500 * SECOND, false), Some(100 * SECOND));
        assert_eq!(neighbour(&marks, 100 * SECOND, false), None);
    }

    #[test]
    fn the_way_to_a_moment_is_not_that_moment() {
        let still = line(1000, 1000);
        let looking = TimeLine { goal: Some(500 * SECOND), ..line(1000, 1000) };
        let at = |line, now: Micros, past| arrived(line, 500 * SECOND, now * SECOND, past);
        assert!(at(&still, 500, true));
        assert!(!at(&looking, 500, true) && !at(&still, 700, true), "on the way, and at the moment before");
        assert!(!at(&still, 1000, false), "nothing of the past has come yet");
        assert!(arrived(&still, 1000 * SECOND, 1000 * SECOND, false));
    }

    #[test]
    fn branches_lie_beside_each_other() {
        let branch = |id, from: Micros, until: Micros| FutureInfo {
            id,
            from: from * SECOND,
            until: until * SECOND,
            ..FutureInfo::default()
        };
        let futures = vec![branch(1, 0, 800), branch(2, 200, 400)];
        let line = TimeLine { futures, ..line(400, 400) };
        assert_eq!(lane(&line, &line.futures[0]), (0.0, 1.0));
        assert_eq!(lane(&line, &line.futures[1]), (0.25, 0.25));
        assert_eq!(lane(&TimeLine::default(), &FutureInfo::default()), (0.0, 0.0));
    }

    #[test]
    fn names() {
        assert_eq!([1, 2, 26, 27].map(future_name), ["A", "B", "Z", "A1"]);
    }
}
