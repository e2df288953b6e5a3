//! A small number for each node, stored as bit planes: plane `p` has bit `p` of all numbers.
//!
//! Cost: the sum over any set of nodes is a few population counts; neither copying nor summing visits single nodes.

use base::bitset::BitSet;

/// The number of nodes that could take a task, and the total of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub nodes: u32,
    pub tasks: u64,
}

impl Sums {
    /// The sum of two.
    pub(crate) const fn plus(self, other: Self) -> Self {
        self.and(other.nodes, other.tasks)
    }

    /// The difference.
    pub(crate) const fn less(self, part: Self) -> Self {
        debug_assert!(part.nodes <= self.nodes && part.tasks <= self.tasks, "a part is not more than all");
        Self { nodes: self.nodes - part.nodes, tasks: self.tasks - part.tasks }
    }

    pub(crate) const fn and(self, nodes: u32, tasks: u64) -> Self {
        Self { nodes: self.nodes + nodes, tasks: self.tasks + tasks }
    }
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Number of words in a plane.
    words: usize,
    /// The set of nodes whose number is not 0, then the planes, lowest bit first.
    planes: Vec<u64>,
}

impl Counts {
    /// All 0, for nodes with an index below `nodes`.
    pub(crate) fn new(nodes: usize) -> Self {
        let words = nodes.div_ceil(64);
        Self { words, planes: vec![0; words] }
    }

    /// Copies another one and reuses the memory.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.words = other.words;
        self.planes.clear();
        self.planes.extend_from_slice(&other.planes);
    }

    fn plane(&self, p: usize) -> &[u64] {
        &self.planes[(p + 1) * self.words..(p + 2) * self.words]
    }

    /// The number of words of all planes.
    pub(crate) const fn size(&self) -> usize {
        self.planes.len()
    }

    fn depth(&self) -> usize {
        (self.planes.len() / self.words.max(1)).saturating_sub(1)
    }

    /// The nodes whose number is not 0.
    pub(crate) fn some(&self) -> &[u64] {
        &self.planes[..self.words]
    }

    /// A node's number.
    pub(crate) fn get(&self, node: u32) -> u32 {
        let (word, bit) = (node as usize / 64, node % 64);
        (0..self.depth()).fold(0, |sum, p| {
            let set = self.plane(p).get(word).is_some_and(|w| w >> bit & 1 == 1);
            sum | u32::from(set) << p
        })
    }

    /// Sets the number of a node, which was `old`.
    pub(crate) fn set(&mut self, node: u32, old: u32, new: u32) {
        let (word, mask) = (node as usize / 64, 1_u64 << (node % 64));
        let needed = (33 - new.leading_zeros()) as usize * self.words;
        if needed > self.planes.len() {
            self.planes.resize(needed, 0);
        }
        if (old == 0) != (new == 0) {
            self.planes[word] ^= mask;
        }
        let mut differ = old ^ new;
        while differ != 0 {
            let plane = differ.trailing_zeros() as usize + 1;
            self.planes[plane * self.words + word] ^= mask;
            differ &= differ - 1;
        }
    }

    /// All 0, for the same number of nodes.
    pub(crate) fn blank(&self) -> Self {
        Self { words: self.words, planes: vec![0; self.words] }
    }

    /// Flips bits, which were computed by [`Counts::set`] on [`Counts::blank`].
    pub(crate) fn flip(&mut self, bits: &Self) {
        if self.planes.len() < bits.planes.len() {
            self.planes.resize(bits.planes.len(), 0);
        }
        self.planes.iter_mut().zip(&bits.planes).for_each(|(plane, bits)| *plane ^= bits);
    }

    /// Sets the number of all nodes of a set, which was 0.
    pub(crate) fn fill(&mut self, nodes: &BitSet, number: u32) {
        let planes = (32 - number.leading_zeros()) as usize;
        if (planes + 1) * self.words > self.planes.len() {
            self.planes.resize((planes + 1) * self.words, 0);
        }
        let bits = std::iter::once(number > 0).chain((0..planes).map(|p| number >> p & 1 == 1));
        for (plane, set) in self.planes.chunks_exact_mut(self.words.max(1)).zip(bits) {
            if set {
                plane.iter_mut().zip(nodes.words()).for_each(|(word, nodes)| *word |= nodes);
            }
        }
    }

    /// The count of nodes outside `shut` whose number is not 0, and the sum of their numbers.
    pub(crate) fn sums(&self, shut: &[u64]) -> Sums {
        self.sums_where(shut, |word, shut| word & !shut)
    }

    /// The count of nodes of a set whose number is not 0, and the sum of their numbers.
    pub(crate) fn sums_on(&self, nodes: &BitSet) -> Sums {
        self.sums_where(nodes.words(), |word, nodes| word & nodes)
    }

    fn sums_where(&self, words: &[u64], which: impl Fn(u64, u64) -> u64) -> Sums {
        let count = |plane: &[u64]| {
            let mut ones = 0;
            for (word, other) in plane.iter().zip(words) {
                ones += which(*word, *other).count_ones();
            }
            ones
        };
        let mut tasks = 0;
        for p in 0..self.depth() {
            tasks += u64::from(count(self.plane(p))) << p;
        }
        Sums { nodes: count(self.some()), tasks }
    }

    /// The first node with the smallest number, among the nodes from `first` up to but not including `end` whose number is at
    /// least `least`.
    pub(crate) fn smallest(&self, (first, end): (u32, u32), least: u32) -> Option<u32> {
        let depth = self.depth();
        if depth < 32 && least >> depth > 0 {
            return None;
        }
        let words = first as usize / 64..(end as usize).div_ceil(64).min(self.words);
        let mut enough: Vec<u64> = Vec::with_capacity(words.len());
        for i in words.clone() {
            let (mut more, mut equal) = (0, within(i, first, end));
            for p in (0..depth).rev() {
                let bits = self.plane(p)[i];
                if least >> p & 1 == 1 {
                    equal &= bits;
                } else {
                    more |= equal & bits;
                    equal &= !bits;
                }
            }
            enough.push(more | equal);
        }
        for p in (0..depth).rev() {
            let plane = &self.plane(p)[words.clone()];
            if enough.iter().zip(plane).any(|(e, bits)| e & !bits != 0) {
                enough.iter_mut().zip(plane).for_each(|(e, bits)| *e &= !bits);
            }
        }
        let (i, word) = words.zip(enough).find(|(_, word)| *word != 0)?;
        Some(u32::try_from(i).unwrap_or(u32::MAX) * 64 + word.trailing_zeros())
    }

    /// The nodes of a set whose number is not 0.
    pub(crate) fn some_of(&self, nodes: &BitSet) -> BitSet {
        BitSet::from_words(self.some().iter().zip(nodes.words()).map(|(a, b)| a & b))
    }

    /// The nodes outside `shut` whose number is not 0.
    pub(crate) fn open(&self, shut: &[u64]) -> BitSet {
        BitSet::from_words(self.some().iter().zip(shut).map(|(w, s)| w & !s))
    }

    /// The end of the shortest run from `first` on whose sum is at least `wanted`; `end` if the sum of all is less.
    pub(crate) fn end_of(&self, (first, end): (u32, u32), wanted: u64) -> u32 {
        let mut left = wanted;
        let mut at = first;
        while at < end {
            let next = (at / 64 + 1).saturating_mul(64).min(end);
            let here = self.sum_between(at, next);
            if here >= left {
                break;
            }
            left -= here;
            at = next;
        }
        while at < end && left > 0 {
            left = left.saturating_sub(self.get(at).into());
            at += 1;
        }
        at
    }

    /// The sum over nodes from `first` up to but not including `end`.
    pub(crate) fn sum_between(&self, first: u32, end: u32) -> u64 {
        let words = first as usize / 64..(end as usize).div_ceil(64).min(self.words);
        (0..self.depth())
            .map(|p| {
                let plane = self.plane(p);
                words.clone().map(|i| u64::from((plane[i] & within(i, first, end)).count_ones())).sum::<u64>()
                    << p
            })
            .sum()
    }
}

/// The bits of a word for nodes from `first` up to but not including `end`.
fn within(word: usize, first: u32, end: u32) -> u64 {
    let low = u32::try_from(word).unwrap_or(u32::MAX) * 64;
    let from = u64::MAX << first.saturating_sub(low).min(63);
    let to = end.saturating_sub(low);
    from & if to >= 64 { u64::MAX } else { (1 << to) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_single_numbers() {
        let mut counts = Counts::new(200);
        let number = |n: u32| (n * 7919) % 23;
        counts.fill(&(0..200).filter(|n| n % 2 == 0).collect(), 37);
        counts.fill(&(0..200).filter(|n| n % 2 == 1).collect(), 2);
        assert_eq!((0..4).map(|n| counts.get(n)).collect::<Vec<_>>(), [37, 2, 37, 2]);
        (0..200).for_each(|n| counts.set(n, counts.get(n), number(n)));
        assert!((0..200).all(|n| counts.get(n) == number(n)), "the last number holds");
        let shut: BitSet = (0..200).filter(|n| n % 3 == 0).collect();
        let mut words = shut.words().to_vec();
        words.resize(counts.words, 0);
        let open = || (0..200).filter(|n| n % 3 != 0 && number(*n) > 0);
        let tasks = open().map(|n| u64::from(number(n))).sum();
        assert_eq!(counts.sums(&words), Sums { nodes: open().count() as u32, tasks });
        assert_eq!(counts.sums_on(&shut).tasks + counts.sums(&words).tasks, counts.sum_between(0, 200));
        assert_eq!(counts.open(&words).iter().collect::<Vec<_>>(), open().collect::<Vec<_>>());
        for (first, end) in [(0, 200), (3, 4), (60, 70), (64, 128), (5, 5), (63, 65), (199, 200)] {
            let sum = (first..end).map(|n| u64::from(number(n))).sum::<u64>();
            assert_eq!(counts.sum_between(first, end), sum, "{first}..{end}");
            for wanted in [1, 17, 400, sum, sum + 1] {
                let enough = |to: &u32| (first..*to).map(|n| u64::from(number(n))).sum::<u64>() >= wanted;
                assert_eq!(counts.end_of((first, end), wanted), (first..end).find(enough).unwrap_or(end));
            }
            for least in [0, 1, 7, 22, 23, 40] {
                let smallest = (first..end).filter(|n| number(*n) >= least).min_by_key(|n| number(*n));
                assert_eq!(counts.smallest((first, end), least), smallest, "{first}..{end} from {least} on");
            }
        }
    }
}
