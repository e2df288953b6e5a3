//! Geometry of the time line. The past is on the left and the planned range on the right, each with its own scale, so
//! that the present stays in place.

use super::axis;
use protocol::{BranchInfo, ClusterLoad, Micros, TimeLine, TimeMark};

/// Share of the width for the past while something is planned.
const PAST: f64 = 0.78;
/// Share of the width for the break between both scales.
const BREAK: f64 = 0.015;
/// Fewer pending jobs than this don't reach the top of the picture.
const SHORT_QUEUE: f64 = 8.0;

/// Maps times to positions, which are shares of the width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// Left end.
    pub start: Micros,
    /// Boundary between past and planned range.
    pub present: Micros,
    /// Right end.
    pub ahead: Micros,
}

impl Scale {
    /// The scale of a time line.
    #[must_use]
    pub fn of(line: &TimeLine) -> Self {
        // A new session shows at least one minute.
        let start = line.start.min(line.present - 60_000_000);
        Self { start, present: line.present, ahead: line.ahead.max(line.present) }
    }

    /// Share of the width for the past.
    #[must_use]
    pub fn now(&self) -> f64 {
        if self.ahead > self.present { PAST } else { 1.0 }
    }

    /// Position of a time.
    #[must_use]
    pub fn position(&self, at: Micros) -> f64 {
        let part = |at: Micros, from: Micros, until: Micros| {
            ((at - from) as f64 / (until - from).max(1) as f64).clamp(0.0, 1.0)
        };
        if at <= self.present {
            part(at, self.start, self.present) * self.now()
        } else {
            let begin = self.now() + BREAK;
            begin + part(at, self.present, self.ahead) * (1.0 - begin)
        }
    }

    /// Both ends of the break between the past and the planned range, if there is one.
    #[must_use]
    pub fn cut(&self) -> Option<(f64, f64)> {
        (self.ahead > self.present).then(|| (self.now(), self.now() + BREAK))
    }

    /// The cores in use as points from left to right: position, and share of all cores.
    #[must_use]
    pub fn utilisation(&self, load: &ClusterLoad) -> Vec<(f64, f64)> {
        self.curve(load, load.cpus.iter().map(|n| f64::from(*n) / 1000.0))
    }

    /// The queue's length as points: position, and share of its greatest length.
    #[must_use]
    pub fn queue(&self, load: &ClusterLoad) -> Vec<(f64, f64)> {
        let top = load.pending.iter().copied().max().map_or(SHORT_QUEUE, |n| f64::from(n).max(SHORT_QUEUE));
        self.curve(load, load.pending.iter().map(|n| f64::from(*n) / top))
    }

    /// Each interval's value at its middle, from the beginning to the present.
    fn curve(&self, load: &ClusterLoad, values: impl ExactSizeIterator<Item = f64>) -> Vec<(f64, f64)> {
        let (count, length) = (values.len().max(1) as f64, (load.until - load.from) as f64);
        let at = |share: f64| self.position((load.from + (length * share) as Micros).min(self.present));
        let mut points: Vec<(f64, f64)> =
            values.enumerate().map(|(i, value)| (at((i as f64 + 0.5) / count), value)).collect();
        if let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) {
            points.insert(0, (at(0.0), first.1));
            // At a high speed, the load is a few minutes old.
            points.push((self.now(), last.1));
        }
        points
    }

    /// The past time at a position; the present for the planned range.
    #[must_use]
    pub fn moment(&self, position: f64) -> Micros {
        let share = (position / self.now()).clamp(0.0, 1.0);
        self.start + ((self.present - self.start) as f64 * share) as Micros
    }

    /// Tick positions and intervals in seconds: of the past and of the planned range.
    #[must_use]
    pub fn ticks(&self, width: f64) -> [(Vec<Micros>, i64); 2] {
        let most = |share: f64| (width * share / 92.0) as u32;
        let (past, ahead) = (most(self.now()), most(1.0 - self.now()));
        [
            axis::ticks(self.start, self.present, past),
            if ahead == 0 { (Vec::new(), 0) } else { axis::ticks(self.present + 1, self.ahead, ahead) },
        ]
    }

    /// The marks close to a position, at most eight, in the order of time. Several often fall on one pixel: a
    /// job that was submitted and started at once.
    #[must_use]
    pub fn marks<'m>(&self, marks: &'m [TimeMark], position: f64, width: f64) -> Vec<&'m TimeMark> {
        let far = |mark: &TimeMark| ((self.position(mark.at) - position) * width).abs();
        let mut near: Vec<_> = marks.iter().filter(|mark| far(mark) <= 6.0).collect();
        near.sort_by(|a, b| far(a).total_cmp(&far(b)));
        near.truncate(MARKS);
        near.sort_by_key(|mark| mark.at);
        near
    }
}

/// The most marks that the time line names at once.
const MARKS: usize = 8;

/// The cores in use, in thousandths, and the number of pending jobs at a past moment.
#[must_use]
pub fn load_at(load: &ClusterLoad, at: Micros) -> Option<(u16, u32)> {
    let share = (at - load.from) as f64 / (load.until - load.from).max(1) as f64;
    let index = ((share * load.cpus.len() as f64) as usize).min(load.cpus.len().saturating_sub(1));
    let known = (0.0..=1.01).contains(&share);
    Some((*load.cpus.get(index).filter(|_| known)?, *load.pending.get(index)?))
}

/// Whether the frame shows the requested time and not an intermediate one.
#[must_use]
pub fn arrived(line: &TimeLine, asked: Micros, now: Micros, past: bool) -> bool {
    if past { line.goal.is_none() && (now - asked).abs() < 1_000_000 } else { asked >= line.present }
}

/// The next mark after a time, or the last one before it.
#[must_use]
pub fn neighbour(marks: &[TimeMark], at: Micros, forwards: bool) -> Option<Micros> {
    let mut moments = marks.iter().map(|m| m.at);
    if forwards { moments.find(|m| *m > at) } else { moments.rfind(|m| *m < at) }
}

/// A branch's name: a letter, `A` for the first.
#[must_use]
pub fn branch_name(id: u32) -> String {
    let (round, letter) = (id.saturating_sub(1) / 26, id.saturating_sub(1) % 26);
    let letter = char::from_u32(u32::from('A') + letter).unwrap_or('A');
    if round == 0 { letter.to_string() } else { format!("{letter}{round}") }
}

/// Position and width of a branch in the list, as shares of the total time range.
#[must_use]
pub fn lane(line: &TimeLine, branch: &BranchInfo) -> (f64, f64) {
    let end = line.branches.iter().map(|f| f.until).max().unwrap_or(line.present).max(line.start + 1);
    let share = |at: Micros| ((at - line.start) as f64 / (end - line.start) as f64).clamp(0.0, 1.0);
    let left = share(branch.from);
    (left, share(branch.until) - left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::TimeMarkKind;

    const SECOND: Micros = 1_000_000;

    fn line(present: Micros, ahead: Micros) -> TimeLine {
        TimeLine { start: 0, present: present * SECOND, ahead: ahead * SECOND, ..TimeLine::default() }
    }

    #[test]
    fn positions_round_trip() {
        let scale = Scale::of(&line(1000, 5000));
        for at in [0, 1, 500, 999, 1000] {
            let back = scale.moment(scale.position(at * SECOND));
            assert!((back - at * SECOND).abs() < 1000, "{at}: {back}");
        }
        assert_eq!(scale.position(1000 * SECOND), PAST);
        assert_eq!(scale.position(5000 * SECOND), 1.0);
        assert_eq!(scale.moment(0.95), 1000 * SECOND, "no time in the future");
        assert_eq!(Scale::of(&line(1000, 1000)).now(), 1.0, "no width for the future without plans");
        assert_eq!(Scale::of(&line(0, 0)).position(0), 1.0);
    }

    #[test]
    fn the_load_fills_the_past() {
        let load = ClusterLoad {
            from: 0,
            until: 1000 * SECOND,
            cpus: vec![0, 500, 1000, 250],
            gpus: Vec::new(),
            pending: vec![0, 3, 0, 40],
        };
        let scale = Scale::of(&line(1000, 5000));
        let (cores, queue) = (scale.utilisation(&load), scale.queue(&load));
        assert_eq!(cores.first(), Some(&(0.0, 0.0)));
        assert_eq!(cores.last(), Some(&(PAST, 0.25)), "the present ends it");
        assert!(cores.windows(2).all(|w| w[0].0 <= w[1].0));
        assert_eq!(queue.iter().map(|p| p.1).collect::<Vec<_>>(), [0.0, 0.0, 0.075, 0.0, 1.0, 1.0]);
        assert_eq!(load_at(&load, 300 * SECOND), Some((500, 3)));
        assert_eq!(load_at(&load, 1000 * SECOND), Some((250, 40)));
        assert_eq!(load_at(&load, -SECOND), None);
        let none = ClusterLoad::default();
        assert_eq!((scale.queue(&none), load_at(&none, 0)), (Vec::new(), None));
    }

    #[test]
    fn a_break_separates_both_scales() {
        let scale = Scale::of(&line(1000, 5000));
        let (from, to) = scale.cut().unwrap();
        assert!(scale.position(1000 * SECOND) <= from && scale.position(1000 * SECOND + 1) >= to);
        // The break belongs to the present.
        assert_eq!(scale.moment((from + to) / 2.0), 1000 * SECOND);
        assert_eq!(Scale::of(&line(1000, 1000)).cut(), None, "nothing is planned");
    }

    #[test]
    fn marks_near_and_next() {
        let mark =
            |at: Micros| TimeMark { at: at * SECOND, kind: TimeMarkKind::Started, job: at.to_string() };
        let marks = [mark(100), mark(500), mark(900)];
        let scale = Scale::of(&line(1000, 1000));
        let near = |position, width| -> Vec<&str> {
            scale.marks(&marks, position, width).iter().map(|m| m.job.as_str()).collect()
        };
        assert_eq!(near(0.502, 1000.0), ["500"]);
        assert_eq!(near(0.3, 1000.0), [""; 0]);
        assert_eq!(near(0.7, 5.0), ["100", "500", "900"], "all of them are near on a short line");
        assert_eq!(neighbour(&marks, 500 * SECOND, true), Some(900 * SECOND));
        assert_eq!(neighbour(&marks, 500 * SECOND, false), Some(100 * SECOND));
        assert_eq!(neighbour(&marks, 100 * SECOND, false), None);
    }

    #[test]
    fn intermediate_frames_have_not_arrived() {
        let still = line(1000, 1000);
        let looking = TimeLine { goal: Some(500 * SECOND), ..line(1000, 1000) };
        let at = |line, now: Micros, past| arrived(line, 500 * SECOND, now * SECOND, past);
        assert!(at(&still, 500, true));
        assert!(!at(&looking, 500, true) && !at(&still, 700, true), "on the way, and at the moment before");
        assert!(!at(&still, 1000, false), "nothing of the past has come yet");
        assert!(arrived(&still, 1000 * SECOND, 1000 * SECOND, false));
    }

    #[test]
    fn lanes_of_branches() {
        let branch = |id, from: Micros, until: Micros| BranchInfo {
            id,
            from: from * SECOND,
            until: until * SECOND,
            ..BranchInfo::default()
        };
        let branches = vec![branch(1, 0, 800), branch(2, 200, 400)];
        let line = TimeLine { branches, ..line(400, 400) };
        assert_eq!(lane(&line, &line.branches[0]), (0.0, 1.0));
        assert_eq!(lane(&line, &line.branches[1]), (0.25, 0.25));
        assert_eq!(lane(&TimeLine::default(), &BranchInfo::default()), (0.0, 0.0));
    }

    #[test]
    fn names() {
        assert_eq!([1, 2, 26, 27].map(branch_name), ["A", "B", "Z", "A1"]);
    }
}
