//! The random numbers of glibc: an additive generator with 31 words of state, and a simple one for `rand_r`.

use std::collections::VecDeque;

/// The state of `rand`.
#[derive(Clone, Debug)]
pub(super) struct GlibcRandom {
    words: VecDeque<u32>,
}

/// Words of state, the distance of the two that are added, and how many results are dropped at the start.
const WORDS: usize = 31;
const NEAR: usize = 3;
const DROPPED: usize = 310;

impl GlibcRandom {
    /// The state after `srand`.
    pub fn seeded(seed: u32) -> Self {
        let mut word = i64::from(if seed == 0 { 1 } else { seed }.cast_signed());
        let mut words = VecDeque::new();
        for _ in 0..WORDS {
            words.push_back(u32::try_from(word & 0xFFFF_FFFF).unwrap_or(0));
            word = (word * 16_807) % 2_147_483_647;
            if word < 0 {
                word += 2_147_483_647;
            }
        }
        // The first three words follow the last one again.
        for at in 0..NEAR {
            let again = words.get(at).copied().unwrap_or(0);
            words.push_back(again);
        }
        words.drain(..NEAR);
        let mut random = Self { words };
        for _ in 0..DROPPED {
            random.next();
        }
        random
    }

    /// The next number, 0 to `RAND_MAX`.
    pub fn next(&mut self) -> i64 {
        let far = self.words.pop_front().unwrap_or(0);
        let near = self.words.get(WORDS - 1 - NEAR).copied().unwrap_or(0);
        let sum = far.wrapping_add(near);
        self.words.push_back(sum);
        i64::from(sum >> 1)
    }
}

/// The next number of `rand_r`, and the seed after it.
pub(super) fn rand_r(seed: u32) -> (i64, u32) {
    let step = |seed: u32| seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
    let mut seed = step(seed);
    let mut result = (seed / 65_536) % 2048;
    for _ in 0..2 {
        seed = step(seed);
        result = (result << 10) ^ ((seed / 65_536) % 1024);
    }
    (i64::from(result), seed)
}

#[cfg(test)]
mod tests {
    use super::{GlibcRandom, rand_r};

    #[test]
    fn numbers_are_those_of_glibc() {
        let first = |seed: u32| {
            let mut random = GlibcRandom::seeded(seed);
            [random.next(), random.next(), random.next()]
        };
        // What a program compiled with gcc prints.
        assert_eq!(first(1), [1_804_289_383, 846_930_886, 1_681_692_777]);
        assert_eq!(first(42), [71_876_166, 708_592_740, 1_483_128_881]);
        assert_eq!(first(0), first(1));
        let (a, seed) = rand_r(5);
        let (b, seed) = rand_r(seed);
        let (c, seed) = rand_r(seed);
        assert_eq!(([a, b, c], seed), ([234_104_184, 1_214_203_244, 1_803_669_308], 4_282_185_906));
    }
}
