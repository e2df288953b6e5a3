//! A sorted map in a vector, for maps with few entries: the jobs of a node, the file descriptors of a process, the
//! functions of a shell.
//!
//! Invariant: entries are sorted by key and keys are unique.
//!
//! Cost: lookup is a binary search; insertion and removal shift the entries behind. The vector grows by one entry
//! and a quarter at a time, so a map takes less memory than a tree node. It keeps its memory when entries come and
//! go.

use serde::{Deserialize, Serialize};
use std::borrow::Borrow;

/// A map from `K` to `V` in a sorted vector. It serialises as a sequence of pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VecMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for VecMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> VecMap<K, V> {
    /// The index of `key`, or the index to insert it at.
    fn search<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(own, _)| own.borrow().cmp(key))
    }

    /// Sets the value of `key` and returns the previous value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.search(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                if self.0.len() == self.0.capacity() {
                    // Most maps hold one to three entries: `Vec`'s doubling would waste memory.
                    self.0.reserve_exact(1 + self.0.len() / 4);
                }
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes `key` and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.search(key).ok().map(|at| self.0.remove(at).1)
    }

    /// Keeps the entries for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        self.0.retain(|(key, value)| keep(key, value));
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The value of `key`.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.search(key).ok().map(|at| &self.0[at].1)
    }

    /// The value of `key`, mutably.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.search(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Whether `key` has an entry.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.search(key).is_ok()
    }

    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map has no entries.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All entries in key order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// All keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// All values in key order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// All values in key order, mutably.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted() {
        let mut map = VecMap::default();
        for (key, value) in [(7, 'a'), (3, 'b'), (9, 'c'), (5, 'd')] {
            assert_eq!(map.insert(key, value), None);
        }
        assert_eq!(map.insert(3, 'e'), Some('b'));
        assert_eq!(map.keys().copied().collect::<Vec<_>>(), [3, 5, 7, 9]);
        assert_eq!((map.remove(&5), map.remove(&4)), (Some('d'), None));
        assert_eq!((map.get(&9), map.get(&5), map.contains_key(&7)), (Some(&'c'), None, true));
        assert_eq!(map.values().collect::<String>(), "eac");
        assert_eq!((map.len(), map.is_empty()), (3, false));
    }

    #[test]
    fn strings_are_found_by_str() {
        let mut map = VecMap::default();
        for name in ["ls", "cd", "vi"] {
            map.insert(name.to_owned(), name.len());
        }
        assert_eq!((map.get("cd"), map.get("rm"), map.contains_key("vi")), (Some(&2), None, true));
        map.retain(|name, _| name != "ls");
        assert_eq!(map.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["cd", "vi"]);
    }

    /// Saved sessions hold these maps: a length, then the pairs in key order.
    #[test]
    fn postcard_bytes_are_a_sequence_of_pairs() {
        let mut numbers = VecMap::default();
        numbers.insert(7_u32, 300_u32);
        numbers.insert(1, 2);
        assert_eq!(postcard::to_allocvec(&numbers).unwrap(), [2, 1, 2, 7, 0xac, 2]);

        let mut names = VecMap::default();
        names.insert("b".to_owned(), String::from("x"));
        names.insert("a".to_owned(), String::new());
        let bytes = postcard::to_allocvec(&names).unwrap();
        assert_eq!(bytes, [2, 1, b'a', 0, 1, b'b', 1, b'x']);
        assert_eq!(postcard::from_bytes::<VecMap<String, String>>(&bytes).unwrap(), names);
    }
}
