//! A sorted set in copy-on-write pages, for entries whose order is not a dense integer.
//!
//! Cost: cloning copies one pointer per page; changing a clone copies one page.

use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

/// Maximum number of entries in a page.
const PAGE: usize = 64;

/// A sorted copy-on-write set.
#[derive(Clone, Debug)]
pub struct CowSet<T> {
    /// In ascending order, as are their entries. No page is empty.
    pages: Vec<Arc<Vec<T>>>,
    len: usize,
}

/// How [`CowSet::change`] edits an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryEdit<T> {
    /// Keep it.
    Nothing,
    /// Replace it.
    To(T),
    /// Remove it.
    Gone,
}

impl<T> Default for CowSet<T> {
    fn default() -> Self {
        Self { pages: Vec::new(), len: 0 }
    }
}

impl<T: Ord + Clone> CowSet<T> {
    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The index of the page for an entry: the first whose last entry is not less.
    fn page(&self, entry: &T) -> usize {
        self.pages.partition_point(|page| page.last() < Some(entry))
    }

    /// Whether the set contains `entry`.
    #[must_use]
    pub fn contains(&self, entry: &T) -> bool {
        self.pages.get(self.page(entry)).is_some_and(|page| page.binary_search(entry).is_ok())
    }

    /// Inserts `entry`; returns false if it was present.
    pub fn insert(&mut self, entry: T) -> bool {
        let at = self.page(&entry);
        let Some(page) = self.pages.get_mut(at) else {
            self.push(entry);
            return true;
        };
        let Err(index) = page.binary_search(&entry) else { return false };
        let page = Arc::make_mut(page);
        page.insert(index, entry);
        if page.len() > PAGE {
            let upper = page.split_off(PAGE / 2);
            self.pages.insert(at + 1, Arc::new(upper));
        }
        self.len += 1;
        true
    }

    /// Appends an entry that is greater than all others. Pages filled this way are full.
    fn push(&mut self, entry: T) {
        self.len += 1;
        if let Some(page) = self.pages.last_mut().filter(|page| page.len() < PAGE) {
            Arc::make_mut(page).push(entry);
        } else {
            let mut page = Vec::with_capacity(PAGE);
            page.push(entry);
            self.pages.push(Arc::new(page));
        }
    }

    /// Removes `entry`; returns false if it was absent.
    pub fn remove(&mut self, entry: &T) -> bool {
        let at = self.page(entry);
        let Some(page) = self.pages.get_mut(at) else { return false };
        let Ok(index) = page.binary_search(entry) else { return false };
        self.take(at, index);
        true
    }

    /// Removes the entry at an existing position.
    fn take(&mut self, at: usize, index: usize) {
        let Some(page) = self.pages.get_mut(at).map(Arc::make_mut) else { return };
        page.remove(index);
        self.len -= 1;
        if page.is_empty() {
            self.pages.remove(at);
        }
    }

    /// Edits the first entry that is not less than `first` as `change` says. A replacement must keep its
    /// position in the order. Returns false if nothing changed or there is no such entry.
    pub fn change(&mut self, first: &T, change: impl FnOnce(&T) -> EntryEdit<T>) -> bool {
        let (at, index) = self.find(|entry| entry < first);
        let Some(entry) = self.pages.get(at).and_then(|page| page.get(index)) else { return false };
        match change(entry) {
            EntryEdit::Nothing => return false,
            EntryEdit::Gone => self.take(at, index),
            EntryEdit::To(changed) => {
                let Some(page) = self.pages.get_mut(at).map(Arc::make_mut) else { return false };
                page[index] = changed;
                debug_assert!(page.is_sorted(), "a changed entry keeps its position");
            }
        }
        true
    }

    /// The least entry.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.pages.first()?.first()
    }

    /// Removes and returns the least entry.
    pub fn pop_first(&mut self) -> Option<T> {
        let first = self.first().cloned()?;
        self.take(0, 0);
        Some(first)
    }

    /// Keeps the entries for which `stay` returns true.
    pub fn retain(&mut self, stay: impl Fn(&T) -> bool) {
        let gone: Vec<T> = self.iter().filter(|entry| !stay(entry)).cloned().collect();
        gone.iter().for_each(|entry| {
            self.remove(entry);
        });
    }

    /// All entries in ascending order.
    #[must_use]
    pub fn iter(&self) -> SetRange<'_, T> {
        SetRange { pages: &self.pages, from: (0, 0), to: (self.pages.len(), 0) }
    }

    /// The entries of a range in ascending order.
    pub fn range(&self, range: impl RangeBounds<T>) -> SetRange<'_, T> {
        let from = match range.start_bound() {
            Bound::Included(first) => self.find(|entry| entry < first),
            Bound::Excluded(before) => self.find(|entry| entry <= before),
            Bound::Unbounded => (0, 0),
        };
        let to = match range.end_bound() {
            Bound::Included(last) => self.find(|entry| entry <= last),
            Bound::Excluded(behind) => self.find(|entry| entry < behind),
            Bound::Unbounded => (self.pages.len(), 0),
        };
        // A range that ends before it begins is empty.
        SetRange { pages: &self.pages, from, to: to.max(from) }
    }

    /// The page and the index of the first entry for which `before` is false.
    fn find(&self, before: impl Fn(&T) -> bool) -> (usize, usize) {
        let at = self.pages.partition_point(|page| page.last().is_some_and(&before));
        (at, self.pages.get(at).map_or(0, |page| page.partition_point(&before)))
    }
}

/// An iterator over the entries of a set in ascending order.
#[derive(Clone, Debug)]
pub struct SetRange<'a, T> {
    pages: &'a [Arc<Vec<T>>],
    /// Page and index of the next entry, never past the end of a page.
    from: (usize, usize),
    /// Page and index of the first entry past the range.
    to: (usize, usize),
}

impl<'a, T> Iterator for SetRange<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        if self.from >= self.to {
            return None;
        }
        let (at, index) = self.from;
        let page = self.pages.get(at)?;
        self.from = if index + 1 < page.len() { (at, index + 1) } else { (at + 1, 0) };
        page.get(index)
    }
}

impl<T> DoubleEndedIterator for SetRange<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.from >= self.to {
            return None;
        }
        let (at, index) = self.to;
        self.to = match index.checked_sub(1) {
            Some(index) => (at, index),
            None => (at - 1, self.pages.get(at - 1)?.len() - 1),
        };
        self.pages.get(self.to.0)?.get(self.to.1)
    }
}

impl<'a, T: Ord + Clone> IntoIterator for &'a CowSet<T> {
    type Item = &'a T;
    type IntoIter = SetRange<'a, T>;

    fn into_iter(self) -> SetRange<'a, T> {
        self.iter()
    }
}

impl<T: Ord + Clone> Extend<T> for CowSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        entries.into_iter().for_each(|entry| {
            self.insert(entry);
        });
    }
}

impl<T: Ord + Clone> FromIterator<T> for CowSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut set = Self::default();
        set.extend(entries);
        set
    }
}

impl<T: Ord + Clone> PartialEq for CowSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T: Ord + Clone> Eq for CowSet<T> {}

/// Serialises as a sequence: equal sets have equal bytes whatever their pages.
impl<T: Ord + Clone + Serialize> Serialize for CowSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.len))?;
        self.iter().try_for_each(|entry| seq.serialize_element(entry))?;
        seq.end()
    }
}

impl<'de, T: Ord + Clone + Deserialize<'de>> Deserialize<'de> for CowSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A pseudorandom stream of numbers below `most`.
    fn numbers(seed: u64, most: u64) -> impl Iterator<Item = u64> {
        let step =
            |x: &u64| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
        std::iter::successors(Some(seed), step).map(move |x| (x >> 33) % most)
    }

    #[test]
    fn changed_entries_keep_their_position() {
        let (mut set, mut like) = (CowSet::default(), std::collections::BTreeMap::new());
        for number in numbers(4, 300).take(20_000) {
            let up = like.get(&number).is_none_or(|count| (count + number) % 5 != 0);
            let changed = set.change(&(number, 1), |(at, count)| match (*at == number, up, *count) {
                (false, _, _) => EntryEdit::Nothing,
                (true, true, count) => EntryEdit::To((number, count + 1)),
                (true, false, 1) => EntryEdit::Gone,
                (true, false, count) => EntryEdit::To((number, count - 1)),
            });
            assert_eq!(changed, like.contains_key(&number));
            if up {
                *like.entry(number).or_insert(0) += 1;
            } else {
                *like.entry(number).or_default() -= 1;
                like.retain(|_, count| *count > 0);
            }
            if !changed {
                assert!(set.insert((number, 1)));
            }
            assert_eq!(set.len(), like.len());
        }
        assert!(set.iter().copied().eq(like));
    }

    #[test]
    fn behaves_like_the_standard_set() {
        for (seed, most) in [(1, 40), (2, 300), (3, 5000)] {
            let (mut set, mut like) = (CowSet::default(), BTreeSet::new());
            let mut numbers = numbers(seed, most);
            let mut next = || numbers.next().unwrap();
            for turn in 0..6000 {
                let (number, what) = (next(), next() % 8);
                match what {
                    0..=3 => assert_eq!(set.insert(number), like.insert(number)),
                    4..=5 => assert_eq!(set.remove(&number), like.remove(&number)),
                    6 => assert_eq!(set.contains(&number), like.contains(&number)),
                    _ => assert_eq!(set.pop_first(), like.pop_first()),
                }
                if turn % 50 == 0 {
                    let (a, b) = (next(), next());
                    let (a, b) = (a.min(b), a.max(b));
                    assert!(set.range(a..b).eq(like.range(a..b)));
                    assert!(set.range(a..=b).rev().eq(like.range(a..=b).rev()));
                    assert!(set.range(..=b).eq(like.range(..=b)) && set.range(a..).eq(like.range(a..)));
                    assert!(set.range(b + 1..a).next().is_none());
                    let mut ends = set.iter();
                    assert_eq!(
                        (ends.next_back(), ends.next()),
                        (like.last(), like.first().filter(|_| like.len() > 1))
                    );
                    assert_eq!(
                        (set.len(), set.is_empty(), set.first()),
                        (like.len(), like.is_empty(), like.first())
                    );
                    let (a, b) =
                        (postcard::to_allocvec(&set).unwrap(), postcard::to_allocvec(&like).unwrap());
                    assert_eq!(a, b);
                    assert_eq!(postcard::from_bytes::<CowSet<u64>>(&a).unwrap(), set);
                }
            }
            set.retain(|n| n % 3 == 0);
            like.retain(|n| n % 3 == 0);
            assert!(set.iter().eq(&like));
        }
    }

    #[test]
    fn changes_do_not_reach_clones() {
        let mut a: CowSet<u32> = (0..1000).collect();
        let b = a.clone();
        let shared = |a: &CowSet<u32>, b: &CowSet<u32>| {
            a.pages.iter().filter(|page| b.pages.iter().any(|other| Arc::ptr_eq(page, other))).count()
        };
        assert_eq!((a.pages.len(), shared(&a, &b)), (16, 16));
        assert!(a.remove(&500));
        assert_eq!((b.contains(&500), shared(&a, &b)), (true, 15));
    }
}
