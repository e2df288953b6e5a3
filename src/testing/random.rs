//! Random numbers that are the same in every run.

/// A splitmix64 generator, or a list of choices. Consecutive seeds give unrelated numbers.
#[derive(Clone, Debug)]
pub struct Random(RandomSource);

#[derive(Clone, Debug)]
enum RandomSource {
    Seed(u64),
    /// The remaining choices; the last one is drawn next.
    Choices(Vec<u64>),
}

impl Random {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(RandomSource::Seed(seed))
    }

    /// A generator of these numbers, followed by zeros.
    #[must_use]
    pub fn of_choices(mut choices: Vec<u64>) -> Self {
        choices.reverse();
        Self(RandomSource::Choices(choices))
    }

    /// Whether all choices of a list are used up; never for a seed.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        matches!(&self.0, RandomSource::Choices(left) if left.is_empty())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let state = match &mut self.0 {
            RandomSource::Seed(state) => state,
            RandomSource::Choices(left) => return left.pop().unwrap_or(0),
        };
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n` - 1.
    ///
    /// # Panics
    /// `n` is less than 1.
    pub fn below<N: TryInto<u64> + TryFrom<u64>>(&mut self, n: N) -> N {
        let n = n.try_into().ok().filter(|n| *n > 0).expect("a number above 0");
        N::try_from(self.bits() % n).ok().expect("less than a number of its type")
    }

    /// A number from `low` to `high`.
    ///
    /// # Panics
    /// `low` is negative or above `high`.
    pub fn between<N: TryInto<u64> + TryFrom<u64>>(&mut self, low: N, high: N) -> N {
        let [low, high] = [low, high].map(|n| n.try_into().ok().expect("a number of at least 0"));
        N::try_from(low + self.below(high - low + 1)).ok().expect("at most a number of its type")
    }

    /// A random element of a list.
    ///
    /// # Panics
    /// The list is empty.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        // The first numbers of Vigna's splitmix64 with the seed 1234567.
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn bounds() {
        let mut random = Random::new(1);
        let mut seen = [false; 5];
        for _ in 0..200 {
            seen[random.below(5_usize)] = true;
            assert!((3..=7).contains(&random.between(3_i32, 7)));
            assert!(["a", "b"].contains(&random.of(&["a", "b"])));
        }
        assert_eq!(seen, [true; 5]);
    }
}
