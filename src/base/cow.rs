//! A map of numbered things in copy-on-write pages: cloning costs one pointer per page, changing one
//! entry of a clone copies one page. What keyframes, forks and time travel rest on.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// Entries per page: small enough to copy quickly, large enough to make clones cheap.
const PAGE: u64 = 32;

/// An ordered map from numbers to `V`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub struct CowMap<K, V> {
    pages: BTreeMap<u64, Arc<Page<V>>>,
    len: u64,
    key: PhantomData<K>,
}

type Page<V> = BTreeMap<u64, V>;

impl<K, V> Default for CowMap<K, V> {
    fn default() -> Self {
        Self { pages: BTreeMap::new(), len: 0, key: PhantomData }
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
        self.pages.get(&(key / PAGE))?.get(&key)
    }

    /// Whether `key` has an entry.
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.get(key).is_some()
    }

    /// The entry of `key`, to change; its page is copied if a clone still shares it.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let key = key.into();
        let page = self.pages.get_mut(&(key / PAGE))?;
        if !page.contains_key(&key) {
            return None;
        }
        Arc::make_mut(page).get_mut(&key)
    }

    /// Sets the entry of `key` and returns what stood there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let key = key.into();
        let old = Arc::make_mut(self.pages.entry(key / PAGE).or_default()).insert(key, value);
        self.len += u64::from(old.is_none());
        old
    }

    /// Removes and returns the entry of `key`.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let key = key.into();
        let page = self.pages.get_mut(&(key / PAGE))?;
        if !page.contains_key(&key) {
            return None;
        }
        let page_mut = Arc::make_mut(page);
        let old = page_mut.remove(&key);
        if page_mut.is_empty() {
            self.pages.remove(&(key / PAGE));
        }
        self.len -= u64::from(old.is_some());
        old
    }

    /// All entries, ascending by key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.pages.values().flat_map(|page| page.values())
    }

    /// All keys and entries, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, &V)> {
        self.pages.values().flat_map(|page| page.iter().map(|(k, v)| (*k, v)))
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
        assert_eq!(b.values().copied().collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    }
}
