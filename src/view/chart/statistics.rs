//! Summaries of many values: histograms, box plots, cumulative shares, and axes with round marks.

use super::{BoxPlot, ChartAxis, SeriesShape};

/// Maximum number of points of a cumulative distribution, so that a report of a million jobs stays small.
const MAX_POINTS: usize = 500;

/// The finite values in order.
fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A quantile of sorted values, interpolated as R, NumPy and Excel do (type 7). `None` without values.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let rank = share.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)?) as f64;
    let (low, high) = (*sorted.get(rank.floor() as usize)?, *sorted.get(rank.ceil() as usize)?);
    Some(low + (high - low) * rank.fract())
}

impl BoxPlot {
    /// The box of some values: quartiles, and whiskers to the last values within 1.5 times the height of the box. `None` without
    /// values.
    #[must_use]
    pub fn of(at: f64, width: f64, values: &[f64]) -> Option<Self> {
        let sorted = sorted(values);
        let quartiles = [quantile(&sorted, 0.25)?, quantile(&sorted, 0.5)?, quantile(&sorted, 0.75)?];
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let within = |value: &&f64| **value >= quartiles[0] - reach && **value <= quartiles[2] + reach;
        let whiskers = [
            sorted.iter().find(within).copied().unwrap_or(quartiles[0]).min(quartiles[0]),
            sorted.iter().rev().find(within).copied().unwrap_or(quartiles[2]).max(quartiles[2]),
        ];
        let outliers = sorted.iter().filter(|value| !within(value)).copied().collect();
        Some(Self { at, width, whiskers, quartiles, outliers })
    }
}

/// The number of values in each bin between two values. The last bin includes its upper end.
#[must_use]
pub fn histogram(values: &[f64], from: f64, until: f64, bins: usize) -> SeriesShape {
    let bins = bins.max(1);
    let width = (until - from) / bins as f64;
    let mut counts = vec![0.0; bins];
    for value in values.iter().filter(|value| (from..=until).contains(value)) {
        let bin = if width > 0.0 { ((value - from) / width) as usize } else { 0 };
        counts[bin.min(bins - 1)] += 1.0;
    }
    let bar =
        |(bin, count): (usize, f64)| [from + width * bin as f64, from + width * (bin + 1) as f64, count];
    SeriesShape::Bars(counts.into_iter().enumerate().map(bar).collect())
}

/// The empirical cumulative distribution: at each value the share of values that are not larger.
#[must_use]
pub fn cumulative(values: &[f64]) -> SeriesShape {
    let sorted = sorted(values);
    let count = sorted.len();
    let mut points: Vec<(f64, f64)> = sorted.first().map(|first| (*first, 0.0)).into_iter().collect();
    let stride = count.div_ceil(MAX_POINTS).max(1);
    for (rank, value) in sorted.iter().enumerate() {
        let last_of_its_value = sorted.get(rank + 1) != Some(value);
        if last_of_its_value && (rank % stride == 0 || rank + 1 == count || stride == 1) {
            points.push((*value, (rank + 1) as f64 / count as f64));
        }
    }
    SeriesShape::Steps(points)
}

impl ChartAxis {
    /// An axis over some values with at most `most` round marks, which `text` names. Its ends are marks.
    #[must_use]
    pub fn round(from: f64, until: f64, most: u32, text: impl Fn(f64) -> String) -> Self {
        let from = if from.is_finite() { from } else { 0.0 };
        let until = if until.is_finite() && until > from { until } else { from + 1.0 };
        let least = (until - from) / f64::from(most.max(2) - 1);
        let mut unit = 1.0;
        while unit * 10.0 <= least {
            unit *= 10.0;
        }
        while unit > least {
            unit /= 10.0;
        }
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit).into_iter().find(|step| *step >= least);
        let step = step.unwrap_or(unit * 10.0);
        let (first, last) = ((from / step).floor(), (until / step).ceil());
        let steps = (last - first) as u32;
        let marks = (0..=steps).map(|n| (first + f64::from(n)) * step).map(|at| (at, text(at))).collect();
        Self { ends: (first * step, last * step), marks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of `numpy.quantile` with its default method.
    #[test]
    fn quantiles() {
        let values = [1.0, 2.0, 3.0, 4.0];
        for (share, wanted) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (0.75, 3.25), (1.0, 4.0), (2.0, 4.0)] {
            assert_eq!(quantile(&values, share), Some(wanted), "{share}");
        }
        assert_eq!((quantile(&[], 0.5), quantile(&[7.0], 0.9)), (None, Some(7.0)));
    }

    #[test]
    fn a_box_excludes_outliers() {
        let plot = BoxPlot::of(1.0, 0.5, &[1.0, 2.0, 3.0, 4.0, 5.0, 100.0, f64::NAN]).expect("values");
        assert_eq!(plot.quartiles, [2.25, 3.5, 4.75]);
        assert_eq!((plot.whiskers, plot.outliers), ([1.0, 5.0], vec![100.0]));
        assert_eq!(BoxPlot::of(1.0, 0.5, &[f64::NAN]), None);
        let one = BoxPlot::of(1.0, 0.5, &[3.0]).expect("a value");
        assert_eq!((one.whiskers, one.quartiles), ([3.0, 3.0], [3.0, 3.0, 3.0]));
    }

    #[test]
    fn bins_hold_all_values_in_range() {
        let SeriesShape::Bars(bars) = histogram(&[0.0, 0.9, 1.0, 2.0, 9.0], 0.0, 2.0, 2) else { panic!() };
        assert_eq!(bars, [[0.0, 1.0, 2.0], [1.0, 2.0, 2.0]]);
        let SeriesShape::Bars(bars) = histogram(&[5.0, 5.0], 5.0, 5.0, 0) else { panic!() };
        assert_eq!(bars, [[5.0, 5.0, 2.0]]);
    }

    #[test]
    fn a_cumulative_distribution_rises_from_0_to_1() {
        let SeriesShape::Steps(points) = cumulative(&[2.0, 1.0, 2.0, 4.0]) else { panic!() };
        assert_eq!(points, [(1.0, 0.0), (1.0, 0.25), (2.0, 0.75), (4.0, 1.0)]);
        assert_eq!(cumulative(&[]), SeriesShape::Steps(Vec::new()));
        let many: Vec<f64> = (0..100_000).map(f64::from).collect();
        let SeriesShape::Steps(points) = cumulative(&many) else { panic!() };
        assert!(points.len() <= MAX_POINTS + 2, "{}", points.len());
        assert_eq!(points.last(), Some(&(99_999.0, 1.0)));
    }

    #[test]
    fn marks_are_round_and_cover_the_values() {
        let axis = |from, until| {
            let axis = ChartAxis::round(from, until, 6, |value| format!("{value}"));
            (axis.ends, axis.marks.len())
        };
        assert_eq!(axis(0.0, 10.0), ((0.0, 10.0), 6));
        assert_eq!(axis(0.0, 97.0), ((0.0, 100.0), 6));
        assert_eq!(axis(-3.0, 4.0), ((-4.0, 4.0), 5));
        assert_eq!(axis(0.0, 0.0).0, (0.0, 1.0));
        assert_eq!(axis(f64::NAN, f64::INFINITY).0, (0.0, 1.0));
        for until in [1e-9, 3.3e-4, 0.7, 12.0, 3.6e3, 8.64e5, 4.2e12] {
            let ((from, end), marks) = axis(0.0, until);
            assert!(from == 0.0 && end >= until && end <= 2.0 * until, "{until}: {end}");
            assert!((2..=7).contains(&marks), "{until}: {marks}");
        }
    }
}
