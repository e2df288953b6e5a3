//! Random numbers, means and bootstrap intervals.
//!
//! An interval is a studentised bootstrap ("bootstrap-t") over resamples: with twenty of them its coverage is closer to
//! 95% than that of the percentile bootstrap. Where too few resamples differ to studentise, the percentiles are taken.

/// A splitmix64 generator.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator for a seed and a stream. Different streams are unrelated.
    #[must_use]
    pub fn new(seed: u64, stream: &str) -> Self {
        Self(base::hash::scatter(&format!("{seed} {stream}")))
    }

    const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` - 1; 0 if `n` is 0.
    pub const fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { ((self.bits() as u128 * n as u128) >> 64) as u64 }
    }
}

/// Number of bootstrap draws.
pub const DRAWS: usize = 2000;
/// Minimum number of resamples for an interval.
pub const LEAST: usize = 5;

/// An estimate with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// Whether the interval excludes zero.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The draws of a bootstrap over `n` resamples; all intervals of a report share them.
#[derive(Clone, Debug)]
pub struct BootstrapDraws {
    n: usize,
    indices: Vec<u32>,
}

impl BootstrapDraws {
    /// Draws from `n` resamples.
    #[must_use]
    pub fn new(n: usize, seed: u64) -> Self {
        let mut random = SplitMix::new(seed, "bootstrap");
        let draw = |_| u32::try_from(random.below(n as u64)).unwrap_or(0);
        Self { n, indices: (0..n * DRAWS).map(draw).collect() }
    }

    /// The sum of `differences` divided by the sum of `of`, over the resamples, with its interval. None if there are
    /// too few, or if `of` sums to zero.
    #[must_use]
    pub fn ratio(&self, differences: &[f64], of: &[f64]) -> Option<Estimate> {
        let n = self.n;
        if n < LEAST || differences.len() != n || of.len() != n || of.iter().sum::<f64>() <= 0.0 {
            return None;
        }
        let (value, error) = ratio_and_error(n, |i| (differences[i], of[i]));
        if error == 0.0 {
            return Some(Estimate { value, low: value, high: value });
        }
        let (mut t, mut plain, mut degenerate) = (Vec::with_capacity(DRAWS), Vec::with_capacity(DRAWS), 0);
        for draw in self.indices.chunks_exact(n) {
            let pick = |i: usize| (differences[draw[i] as usize], of[draw[i] as usize]);
            let (drawn, its_error) = ratio_and_error(n, pick);
            if !drawn.is_finite() {
                continue;
            }
            plain.push(drawn);
            if its_error > error * 1e-6 {
                t.push((drawn - value) / its_error);
            } else {
                degenerate += 1;
            }
        }
        if degenerate * 100 > DRAWS {
            let (low, high) = (quantile(&mut plain, 0.025), quantile(&mut plain, 0.975));
            return Some(Estimate { value, low: low.min(value), high: high.max(value) });
        }
        let (low, high) = (quantile(&mut t, 0.025), quantile(&mut t, 0.975));
        Some(Estimate { value, low: value - high * error, high: value - low * error })
    }
}

/// A ratio of sums and its standard error by linearisation.
fn ratio_and_error(n: usize, pair: impl Fn(usize) -> (f64, f64)) -> (f64, f64) {
    let (mut above, mut below) = (0.0, 0.0);
    for i in 0..n {
        let (a, b) = pair(i);
        (above, below) = (above + a, below + b);
    }
    let (ratio, mean) = (above / below, below / n as f64);
    let squares: f64 = (0..n).map(&pair).map(|(a, b)| ((a - ratio * b) / mean).powi(2)).sum();
    (ratio, (squares / (n as f64 - 1.0) / n as f64).sqrt())
}

/// A quantile of values, which this sorts. 0 without values.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else { return 0.0 };
    let at = part.clamp(0.0, 1.0) * last as f64;
    let (low, rest) = (at as usize, at - (at as usize) as f64);
    let next = values[(low + 1).min(last)];
    values[low] + (next - values[low]) * rest
}

/// The mean. 0 without values.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roughly normal: the sum of twelve uniform numbers.
    fn normal(random: &mut SplitMix) -> f64 {
        (0..12).map(|_| random.below(1 << 32) as f64 / f64::from(u32::MAX)).sum::<f64>() - 6.0
    }

    #[test]
    fn quantiles() {
        let mut values = [3.0, 1.0, 2.0, 4.0];
        assert_eq!(quantile(&mut values, 0.5), 2.5);
        assert_eq!(
            (quantile(&mut values, 0.0), quantile(&mut values, 1.0), quantile(&mut [], 0.5)),
            (1.0, 4.0, 0.0)
        );
    }

    #[test]
    fn intervals_cover_the_truth_in_about_95_percent_of_experiments() {
        let draws = BootstrapDraws::new(20, 3);
        let mut random = SplitMix::new(11, "test");
        // A true difference of 10% with noise that the base shares.
        let covered = (0..1000)
            .filter(|_| {
                let of: Vec<f64> = (0..20).map(|_| 100.0 + 10.0 * normal(&mut random)).collect();
                let differences: Vec<f64> = of.iter().map(|a| a * 0.1 + 5.0 * normal(&mut random)).collect();
                draws.ratio(&differences, &of).is_some_and(|e| e.low <= 0.1 && 0.1 <= e.high)
            })
            .count();
        // 950 expected; the standard deviation of the count is 7.
        assert!((920..=978).contains(&covered), "{covered}");
    }

    #[test]
    fn special_cases() {
        let draws = BootstrapDraws::new(6, 1);
        let of = [2.0; 6];
        assert_eq!(draws.ratio(&[0.0; 6], &of), Some(Estimate { value: 0.0, low: 0.0, high: 0.0 }));
        assert_eq!(draws.ratio(&[1.0; 6], &[0.0; 6]), None);
        assert_eq!(BootstrapDraws::new(4, 1).ratio(&[1.0; 4], &[1.0; 4]), None);
        // One resample of six differs: that shows nothing.
        let one = draws.ratio(&[0.0, 0.0, 6.0, 0.0, 0.0, 0.0], &of).unwrap();
        assert!(!one.differs() && one.high > 0.5, "{one:?}");
    }
}
