//! An ordered map with integer keys in copy-on-write pages: the basis of keyframes, forks and time travel.
//!
//! Cost: cloning copies one pointer per page; changing an entry of a clone copies one page. A lookup is a
//! short search for the page, then one index, so the map is fast for dense keys.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::sync::Arc;

/// Entries per page: small enough to copy quickly, large enough to make clones cheap. A page has one bit per
/// entry.
const PAGE: u64 = 32;

/// An ordered map from integers to `V`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct CowMap<K, V> {
    /// Sorted by page number. No page is empty.
    pages: Vec<(u64, Arc<MapPage<V>>)>,
    len: u64,
    key: PhantomData<K>,
}

/// The entries of [`PAGE`] consecutive keys.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MapPage<V> {
    /// One bit per key that has an entry.
    taken: u32,
    /// The entries in key order.
    values: Vec<Box<V>>,
}

impl<V> Default for MapPage<V> {
    fn default() -> Self {
        Self { taken: 0, values: Vec::new() }
    }
}

impl<V> MapPage<V> {
    /// The index of a slot's entry, or where it would be inserted, and whether it exists.
    const fn index_of(&self, slot: u32) -> (usize, bool) {
        let below = self.taken & ((1 << slot) - 1);
        (below.count_ones() as usize, self.taken >> slot & 1 == 1)
    }

    fn has(&self, slot: u32) -> bool {
        self.index_of(slot).1
    }

    fn get(&self, slot: u32) -> Option<&V> {
        let (at, exists) = self.index_of(slot);
        self.values.get(at).filter(|_| exists).map(|value| &**value)
    }

    fn get_mut(&mut self, slot: u32) -> Option<&mut V> {
        let (at, exists) = self.index_of(slot);
        self.values.get_mut(at).filter(|_| exists).map(|value| &mut **value)
    }

    fn insert(&mut self, slot: u32, value: Box<V>) -> Option<Box<V>> {
        let (at, exists) = self.index_of(slot);
        if let Some(old) = self.values.get_mut(at).filter(|_| exists) {
            return Some(std::mem::replace(old, value));
        }
        self.taken |= 1 << slot;
        self.values.insert(at.min(self.values.len()), value);
        None
    }

    fn remove(&mut self, slot: u32) -> Option<Box<V>> {
        let (at, exists) = self.index_of(slot);
        if !exists || at >= self.values.len() {
            return None;
        }
        self.taken &= !(1 << slot);
        Some(self.values.remove(at))
    }

    /// The occupied slots in ascending order.
    fn slots(&self) -> impl DoubleEndedIterator<Item = u32> + use<V> {
        let taken = self.taken;
        (0..u32::BITS).filter(move |slot| taken >> slot & 1 == 1)
    }
}

impl<K, V> Default for CowMap<K, V> {
    fn default() -> Self {
        Self { pages: Vec::new(), len: 0, key: PhantomData }
    }
}

/// A key's page number and its slot in the page.
fn split(key: u64) -> (u64, u32) {
    (key / PAGE, u32::try_from(key % PAGE).unwrap_or(0))
}

impl<K: Into<u64> + Copy, V: Clone> CowMap<K, V> {
    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether the map is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The index of a page, or where it would be inserted. Without gaps, the index is the distance from the
    /// first page.
    fn page(&self, number: u64) -> Result<usize, usize> {
        let first = self.pages.first().ok_or(0_usize)?.0;
        match usize::try_from(number.wrapping_sub(first)) {
            Ok(guess) if self.pages.get(guess).is_some_and(|page| page.0 == number) => Ok(guess),
            Ok(_) | Err(_) => self.pages.binary_search_by_key(&number, |(number, _)| *number),
        }
    }

    /// The entry of `key`.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        let (number, slot) = split(key.into());
        let near = usize::try_from(number.wrapping_sub(self.pages.first()?.0)).ok();
        match near.and_then(|guess| self.pages.get(guess)) {
            Some((found, page)) if *found == number => page.get(slot),
            Some(_) | None => self.pages.get(self.page(number).ok()?)?.1.get(slot),
        }
    }

    /// Whether `key` has an entry.
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// The page of an entry, copied first if it is shared; `None` if the entry does not exist.
    fn own_page(&mut self, number: u64, slot: u32) -> Option<(usize, &mut MapPage<V>)> {
        let at = self.page(number).ok()?;
        let (_, page) = self.pages.get_mut(at).filter(|(_, page)| page.has(slot))?;
        Some((at, Arc::make_mut(page)))
    }

    /// The entry of `key`, mutably. Copies the page if a clone shares it.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let (number, slot) = split(key.into());
        self.own_page(number, slot)?.1.get_mut(slot)
    }

    /// Sets the entry of `key` and returns the previous one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.insert_box(key, Box::new(value)).map(|old| *old)
    }

    /// [`Self::insert`] without a copy of large entries.
    pub fn insert_box(&mut self, key: K, value: Box<V>) -> Option<Box<V>> {
        let (number, slot) = split(key.into());
        let at = match self.page(number) {
            Ok(at) => at,
            Err(at) => {
                self.pages.insert(at, (number, Arc::default()));
                at
            }
        };
        let (_, page) = self.pages.get_mut(at)?;
        let old = Arc::make_mut(page).insert(slot, value);
        self.len += u64::from(old.is_none());
        old
    }

    /// The entry of `key`, mutably; inserts the default if there is none.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.or_insert(key, V::default())
    }

    /// The entry of `key`, mutably; inserts `value` if there is none.
    pub fn or_insert(&mut self, key: K, value: V) -> &mut V {
        let (number, slot) = split(key.into());
        let at = self.page(number).unwrap_or_else(|at| {
            self.pages.insert(at, (number, Arc::default()));
            at
        });
        let page = Arc::make_mut(&mut self.pages[at].1);
        if !page.has(slot) {
            page.insert(slot, Box::new(value));
            self.len += 1;
        }
        let (index, _) = page.index_of(slot);
        &mut page.values[index]
    }

    /// Removes and returns the entry of `key`.
    pub fn remove(&mut self, key: K) -> Option<V> {
        self.remove_box(key).map(|old| *old)
    }

    /// [`Self::remove`] without a copy of large entries.
    pub fn remove_box(&mut self, key: K) -> Option<Box<V>> {
        let (number, slot) = split(key.into());
        let (at, page) = self.own_page(number, slot)?;
        let old = page.remove(slot);
        if page.taken == 0 {
            self.pages.remove(at);
        }
        self.len -= u64::from(old.is_some());
        old
    }

    /// One page, by index, as a map that shares it; `None` past the last page.
    #[must_use]
    pub fn piece(&self, at: usize) -> Option<Self> {
        let (number, page) = self.pages.get(at)?;
        let len = u64::from(page.taken.count_ones());
        Some(Self { pages: vec![(*number, Arc::clone(page))], len, key: PhantomData })
    }

    /// Drops the last page; returns false if there is none. Shared pages live on in the clones.
    pub fn drop_some(&mut self) -> bool {
        let page = self.pages.pop();
        self.len -= page.as_ref().map_or(0, |(_, page)| u64::from(page.taken.count_ones()));
        page.is_some()
    }

    /// Appends the pages of `piece`, whose keys must be greater than all present keys.
    pub fn append(&mut self, piece: Self) {
        self.len += piece.len;
        self.pages.extend(piece.pages);
    }

    /// The total weight of entries in pages that `other` does not share. `weigh` also gets the other map's
    /// entry with the same key.
    pub fn apart(&self, other: &Self, weigh: impl Fn(&V, Option<&V>) -> u64) -> u64 {
        let mut sum = 0;
        for (number, page) in &self.pages {
            let theirs = other.page(*number).ok().and_then(|at| other.pages.get(at));
            if theirs.is_none_or(|(_, theirs)| !Arc::ptr_eq(page, theirs)) {
                let beside = |slot| theirs.and_then(|(_, theirs)| theirs.get(slot));
                sum += page.slots().filter_map(|s| Some(weigh(page.get(s)?, beside(s)))).sum::<u64>();
            }
        }
        sum
    }

    /// All values in key order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.pages.iter().flat_map(|(_, page)| page.values.iter().map(|value| &**value))
    }

    /// The values with keys less than `key`, in descending order.
    pub fn values_below(&self, key: K) -> impl Iterator<Item = &V> {
        let (number, slot) = split(key.into());
        let (at, end) = self.page(number).map_or_else(|at| (at, 0), |at| (at, slot));
        let part = self.pages.get(at).and_then(|(_, page)| page.values.get(..page.index_of(end).0));
        let whole = self.pages.iter().take(at).rev().flat_map(|(_, page)| page.values.iter().rev());
        part.unwrap_or_default().iter().rev().chain(whole).map(|value| &**value)
    }

    /// All keys and values in key order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &V)> {
        self.pages.iter().flat_map(|(number, page)| {
            let entry = move |slot| Some((number * PAGE + u64::from(slot), page.get(slot)?));
            page.slots().filter_map(entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::JobId;

    #[test]
    fn changes_do_not_reach_clones() {
        let mut a: CowMap<JobId, u32> = CowMap::default();
        (0..100).for_each(|i| assert!(a.insert(JobId(i), i).is_none()));
        let b = a.clone();
        *a.get_mut(JobId(7)).unwrap() = 0;
        assert_eq!(a.remove(JobId(8)), Some(8));
        assert_eq!((a.len(), b.len()), (99, 100));
        assert_eq!(b.get(JobId(7)), Some(&7));
        assert_eq!(a.iter().map(|(k, v)| (k, *v)).nth(8), Some((9, 9)));
        assert_eq!(a.iter().next_back(), Some((99, &99)));
        assert_eq!(a.insert(JobId(900), 9), None);
        assert_eq!(a.insert(JobId(8), 8), None);
        assert_eq!(a.insert(JobId(900), 10), Some(9));
        assert_eq!(a.iter().filter(|e| e.0 > 97).map(|e| *e.1).collect::<Vec<_>>(), [98, 99, 10]);
        (32..64).for_each(|i| assert_eq!(a.remove(JobId(i)), Some(i)));
        assert_eq!(
            (a.get(JobId(40)), a.get(JobId(70)), a.get(JobId(900)), a.len()),
            (None, Some(&70), Some(&10), 69)
        );
        assert_eq!(b.values().copied().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
        let below = |key| a.values_below(JobId(key)).copied().take(3).collect::<Vec<_>>();
        assert_eq!((below(0), below(10), below(70)), (vec![], vec![9, 8, 0], vec![69, 68, 67]));
        assert_eq!((below(800), below(u32::MAX)), (vec![99, 98, 97], vec![10, 99, 98]));
    }

    #[test]
    fn missing_entries_are_inserted() {
        let mut a: CowMap<JobId, u32> = CowMap::default();
        *a.or_default(JobId(40)) += 1;
        let b = a.clone();
        *a.or_default(JobId(40)) += 1;
        *a.or_insert(JobId(3), 5) += 1;
        *a.or_insert(JobId(3), 5) += 1;
        assert_eq!(a.iter().map(|(k, v)| (k, *v)).collect::<Vec<_>>(), [(3, 7), (40, 2)]);
        assert_eq!((a.len(), b.get(JobId(40)), b.len()), (2, Some(&1), 1));
    }

    #[test]
    fn only_unshared_pages_have_weight() {
        let mut a: CowMap<JobId, u32> = CowMap::default();
        (0..100).for_each(|i| assert!(a.insert(JobId(i), i).is_none()));
        let b = a.clone();
        let count = |a: &CowMap<JobId, u32>, b: &CowMap<JobId, u32>| a.apart(b, |_, _| 1);
        assert_eq!(count(&a, &b), 0);
        a.insert(JobId(40), 0);
        assert_eq!((count(&a, &b), count(&b, &a)), (32, 32));
        a.insert(JobId(1000), 0);
        assert_eq!((count(&a, &b), count(&b, &a)), (33, 32));
        assert_eq!(a.apart(&b, |own, other| u64::from(Some(own) == other)), 31);
    }

    #[test]
    fn pieces_rebuild_the_map() {
        let mut a: CowMap<JobId, u32> = CowMap::default();
        (0..1000)
            .filter(|i| i % 7 != 0 && i / 100 != 4)
            .for_each(|i| assert!(a.insert(JobId(i), i).is_none()));
        let mut b = CowMap::default();
        let pieces = (0..).map_while(|at| a.piece(at));
        pieces.for_each(|piece| b.append(piece));
        assert_eq!((a.len(), a.iter().collect::<Vec<_>>()), (b.len(), b.iter().collect()));
        assert_eq!(a.apart(&b, |_, _| 1), 0, "the pages are the same");
    }

    #[test]
    fn distant_keys() {
        let mut map: CowMap<u64, &str> = CowMap::default();
        let numbers = [5, 1 << 40, 0, 4_000_000_000, 31, 32, 5];
        for n in numbers {
            map.insert(n, "x");
        }
        assert_eq!(map.iter().map(|(k, _)| k).collect::<Vec<_>>(), [0, 5, 31, 32, 4_000_000_000, 1 << 40]);
        assert_eq!(map.len(), 6);
        assert_eq!(map.insert(32, "y"), Some("x"));
        for n in numbers {
            map.remove(n);
            assert!(!map.contains(n) && map.get(n).is_none());
        }
        assert!(map.is_empty() && map.iter().next().is_none());
    }
}
