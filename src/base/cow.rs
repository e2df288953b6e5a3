//! A map of numbered things in copy-on-write pages: cloning costs one pointer per page, changing one
//! entry of a clone copies one page. What keyframes, forks and time travel rest on.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::sync::Arc;

/// Entries per page: small enough to copy quickly, large enough to make clones cheap.
const PAGE: u64 = 32;

/// An ordered map from numbers to `V`. Numbers that are given out one after the other are found without a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct CowMap<K, V> {
    /// By what their keys are divided by [`PAGE`], ascending.
    pages: Vec<(u64, Arc<Page<V>>)>,
    len: u64,
    key: PhantomData<K>,
}

/// Some entries, ascending by key.
type Page<V> = Vec<(u64, Box<V>)>;

impl<K, V> Default for CowMap<K, V> {
    fn default() -> Self {
        Self { pages: Vec::new(), len: 0, key: PhantomData }
    }
}

/// Where the key stands, or would stand, among sorted ones: as far from the first as it is larger if none is missing.
fn place<T>(sorted: &[(u64, T)], key: u64) -> Result<usize, usize> {
    let first = sorted.first().ok_or(0_usize)?.0;
    match usize::try_from(key.wrapping_sub(first)) {
        Ok(guess) if sorted.get(guess).is_some_and(|s| s.0 == key) => Ok(guess),
        Ok(_) | Err(_) => sorted.binary_search_by_key(&key, |s| s.0),
    }
}

impl<K: Into<u64> + Copy, V: Clone> CowMap<K, V> {
    /// How many entries.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry of `key`.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        let key = key.into();
        let page = &self.pages[place(&self.pages, key / PAGE).ok()?].1;
        Some(&page[place(page, key).ok()?].1)
    }

    /// Whether `key` has an entry.
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// The entry of `key`, to change; its page is copied if a clone still shares it.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let key = key.into();
        let at = place(&self.pages, key / PAGE).ok()?;
        let page = &mut self.pages[at].1;
        let at = place(page, key).ok()?;
        Some(&mut Arc::make_mut(page)[at].1)
    }

    /// Sets the entry of `key` and returns what stood there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let key = key.into();
        let at = place(&self.pages, key / PAGE).unwrap_or_else(|at| {
            self.pages.insert(at, (key / PAGE, Arc::default()));
            at
        });
        let page = Arc::make_mut(&mut self.pages[at].1);
        match place(page, key) {
            Ok(at) => Some(std::mem::replace(&mut *page[at].1, value)),
            Err(at) => {
                page.insert(at, (key, Box::new(value)));
                self.len += 1;
                None
            }
        }
    }

    /// Removes and returns the entry of `key`.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let key = key.into();
        let at = place(&self.pages, key / PAGE).ok()?;
        let page = &mut self.pages[at].1;
        let entry = place(page, key).ok()?;
        let page = Arc::make_mut(page);
        let (_, old) = page.remove(entry);
        if page.is_empty() {
            self.pages.remove(at);
        }
        self.len -= 1;
        Some(*old)
    }

    /// All entries, ascending by key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// All keys and entries, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &V)> {
        self.pages.iter().flat_map(|page| page.1.iter().map(|(key, value)| (*key, &**value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::JobId;

    #[test]
    fn a_clone_is_its_own() {
        let mut a: CowMap<JobId, u32> = CowMap::default();
        (0..100).for_each(|i| assert!(a.insert(JobId(i), i).is_none()));
        let b = a.clone();
        *a.get_mut(JobId(7)).unwrap() = 0;
        assert_eq!(a.remove(JobId(8)), Some(8));
        assert_eq!((a.len(), b.len()), (99, 100));
        assert_eq!(b.get(JobId(7)), Some(&7));
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
    }
}
