//! A set of small numbers (nodes, cores, GPUs), stored as a bit vector.
//!
//! Sets of numbers below 128, which are most of them, need no memory of their own.
//!
//! Invariant: words have 64 bits on every machine and trailing zero words are dropped, so saved state and
//! hashes agree natively and in WebAssembly.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The words of a set. Two words are as large as the pointer, length and capacity of a vector.
type BitWords = SmallVec<[u64; INLINE]>;

/// The number of words that need no memory of their own.
const INLINE: usize = 2;

/// At most [`INLINE`] words, followed by zero words up to `len`. The operations of `SmallVec` itself cost more than such a set.
fn inline(words: &[u64], len: usize) -> BitWords {
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    BitWords::from_buf_and_len([word(0), word(1)], len)
}

/// A growable set of `u32`. Equal sets have equal words.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BitSet(BitWords);

impl Clone for BitSet {
    fn clone(&self) -> Self {
        if self.0.len() <= INLINE {
            Self(inline(&self.0, self.0.len()))
        } else {
            Self(BitWords::from_slice(&self.0))
        }
    }

    /// Reuses the allocation.
    fn clone_from(&mut self, other: &Self) {
        if other.0.len() <= INLINE && !self.0.spilled() {
            self.0 = inline(&other.0, other.0.len());
        } else {
            self.0.clear();
            self.0.extend_from_slice(&other.0);
        }
    }
}

impl BitSet {
    /// The empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self(BitWords::new_const())
    }

    /// The set `0..n`.
    #[must_use]
    pub fn full(n: u32) -> Self {
        (0..n).collect()
    }

    /// A set from its words, lowest first.
    #[must_use]
    pub fn from_words(words: impl IntoIterator<Item = u64>) -> Self {
        let mut set = Self(words.into_iter().collect());
        set.trim();
        set
    }

    /// The words, lowest first, without trailing zero words.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Adds `i`.
    pub fn insert(&mut self, i: u32) {
        let word = (i / 64) as usize;
        if self.0.len() <= word {
            self.grow(word + 1);
        }
        self.0[word] |= 1 << (i % 64);
    }

    /// Adds `first..end`.
    pub fn insert_run(&mut self, first: u32, end: u32) {
        let words = (end as usize).div_ceil(64);
        if first < end && self.0.len() < words {
            self.grow(words);
        }
        let (mut at, words) = (first, self.0.as_mut_slice());
        while at < end {
            let bits = (64 - at % 64).min(end - at);
            words[(at / 64) as usize] |= u64::MAX >> (64 - bits) << (at % 64);
            at += bits;
        }
    }

    /// Removes `i`.
    pub fn remove(&mut self, i: u32) {
        if let Some(word) = self.0.get_mut((i / 64) as usize) {
            *word &= !(1 << (i % 64));
            self.trim();
        }
    }

    /// Whether the set contains `i`.
    #[must_use]
    pub fn contains(&self, i: u32) -> bool {
        self.0.get((i / 64) as usize).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    u32::try_from(i).unwrap_or(u32::MAX) * 64 + bit
                })
            })
        })
    }

    /// Maximal runs of consecutive members in ascending order, as `(first, end)` with `end` exclusive.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let first = self.next_from(at, 0)?;
            let end = self
                .next_from(first, u64::MAX)
                .unwrap_or_else(|| u32::try_from(self.0.len() * 64).unwrap_or(u32::MAX));
            at = end;
            Some((first, end))
        })
    }

    /// The first number at or after `at` whose bit differs from the bits of `flip`, within the words.
    fn next_from(&self, at: u32, flip: u64) -> Option<u32> {
        let mut word = (at / 64) as usize;
        let mut bits = (self.0.get(word)? ^ flip) & u64::MAX << (at % 64);
        while bits == 0 {
            word += 1;
            bits = self.0.get(word)? ^ flip;
        }
        Some(u32::try_from(word).unwrap_or(u32::MAX) * 64 + bits.trailing_zeros())
    }

    /// The smallest member.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// Adds the members of `other`.
    pub fn union_with(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.grow(other.0.len());
        }
        for (a, b) in self.0.iter_mut().zip(other.words()) {
            *a |= b;
        }
    }

    /// Keeps only members of `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (a, b) in self.0.iter_mut().zip(other.words()) {
            *a &= b;
        }
        self.trim();
    }

    /// Removes the members of `other`.
    pub fn subtract(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(other.words()) {
            *a &= !b;
        }
        self.trim();
    }

    /// Whether the sets intersect.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(other.words()).any(|(a, b)| a & b != 0)
    }

    /// Whether the set is a subset of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        let mut others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().all(|word| others.next().is_some_and(|other| word & !other == 0))
    }

    /// Adds zero words until there are `words`, which are more than now.
    fn grow(&mut self, words: usize) {
        if words <= INLINE {
            self.0 = inline(&self.0, words);
        } else {
            self.0.resize(words, 0);
        }
    }

    fn trim(&mut self) {
        let used = self.0.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        self.0.truncate(used);
    }
}

impl Extend<u32> for BitSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, iter: I) {
        iter.into_iter().for_each(|i| self.insert(i));
    }
}

impl FromIterator<u32> for BitSet {
    fn from_iter<I: IntoIterator<Item = u32>>(iter: I) -> Self {
        let mut set = Self::new();
        iter.into_iter().for_each(|i| set.insert(i));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_maximal() {
        let runs = |set: &BitSet| set.runs().collect::<Vec<_>>();
        assert_eq!(runs(&BitSet::new()), []);
        assert_eq!(
            runs(&[0, 1, 3, 62, 63, 64, 127].into_iter().collect()),
            [(0, 2), (3, 4), (62, 65), (127, 128)]
        );
        assert_eq!(runs(&BitSet::full(200)), [(0, 200)]);
    }

    #[test]
    fn insert_run_equals_single_inserts() {
        for (first, end) in [(0, 0), (5, 5), (0, 1), (3, 64), (63, 65), (64, 128), (1, 200)] {
            let mut set: BitSet = [70].into_iter().collect();
            set.insert_run(first, end);
            let plain: BitSet = (first..end).chain([70]).collect();
            assert_eq!(set, plain, "{first}..{end}");
        }
    }

    #[test]
    fn set_algebra() {
        let mut a: BitSet = [1, 64, 130].into_iter().collect();
        let b: BitSet = [64, 65].into_iter().collect();
        assert!(a.intersects(&b));
        a.subtract(&b);
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 130]);
        a.remove(130);
        assert_eq!(a, [1].into_iter().collect());
        a.union_with(&b);
        assert_eq!(a.len(), 3);
        a.intersect_with(&b);
        assert_eq!(a, b);
        assert!(a.is_subset(&b) && BitSet::new().is_subset(&a));
        b.iter().for_each(|i| a.remove(i));
        a.insert(700);
        assert!(!a.is_subset(&b) && !b.is_subset(&a));
    }
}
