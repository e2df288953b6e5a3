//! A set of small numbers (nodes, cores, GPUs). Words of 64 bits on every machine, so that saved
//! state and hashes agree natively and in wasm.

use serde::{Deserialize, Serialize};

/// A growing set of `u32`. Equal sets are equal bit for bit: trailing empty words are dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// The empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The set `0..n`.
    #[must_use]
    pub fn full(n: u32) -> Self {
        (0..n).collect()
    }

    /// Adds `i`.
    pub fn insert(&mut self, i: u32) {
        let word = (i / 64) as usize;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (i % 64);
    }

    /// Takes `i` out.
    pub fn remove(&mut self, i: u32) {
        if let Some(word) = self.0.get_mut((i / 64) as usize) {
            *word &= !(1 << (i % 64));
            self.trim();
        }
    }

    /// Whether `i` is in it.
    #[must_use]
    pub fn contains(&self, i: u32) -> bool {
        self.0.get((i / 64) as usize).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    /// How many are in it.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether none is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its members, ascending.
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

    /// The smallest member.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// Adds all of `other`.
    pub fn union_with(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// Keeps only what is also in `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
        self.trim();
    }

    /// Takes all of `other` out.
    pub fn subtract(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        self.trim();
    }

    /// Whether the two have a member in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every member is also in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        let mut others = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().all(|word| others.next().is_some_and(|other| word & !other == 0))
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
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
