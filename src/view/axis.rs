//! Time axes: tick positions.

use protocol::Micros;

/// Tick intervals in seconds.
const STEPS: [i64; 20] = [
    1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600,
    2_592_000, 7_776_000, 15_552_000, 31_536_000,
];
const SECOND: Micros = 1_000_000;

/// At most `most` round times between two others, and the interval in seconds.
#[must_use]
pub fn ticks(from: Micros, until: Micros, most: u32) -> (Vec<Micros>, i64) {
    let span = (until - from).max(0) / SECOND;
    let most = i64::from(most.max(1));
    let step = STEPS.into_iter().find(|step| span / step <= most).unwrap_or(STEPS[STEPS.len() - 1]);
    let first = from.div_euclid(step * SECOND) + i64::from(from.rem_euclid(step * SECOND) > 0);
    let count = (until.div_euclid(step * SECOND) - first + 1).clamp(0, most + 1);
    ((first..first + count).map(|i| i * step * SECOND).collect(), step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_moments() {
        let minutes = |all: &[Micros]| all.iter().map(|t| t / SECOND / 60).collect::<Vec<_>>();
        let (all, step) = ticks(61 * SECOND, 3700 * SECOND, 6);
        assert_eq!((minutes(&all), step), (vec![10, 20, 30, 40, 50, 60], 600));
        let (all, step) = ticks(0, 86_400 * SECOND, 4);
        assert_eq!((all.len(), step), (5, 21_600));
        assert_eq!(ticks(5 * SECOND, 5 * SECOND, 9), (vec![5 * SECOND], 1));
        assert!(ticks(0, i64::MAX, 3).0.len() <= 4);
        assert!(ticks(10, 0, 3).0.is_empty());
    }
}
