//! A map of a few things: pairs in one list, in the order of their keys. Where most maps hold one or two entries that come
//! and go, as the jobs of a node do, it takes less than a tree and keeps its memory.

use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Few<K, V>(Vec<(K, V)>);

impl<K, V> Default for Few<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord, V> Few<K, V> {
    fn place(&self, key: &K) -> Result<usize, usize> {
        match self.0.iter().position(|entry| entry.0 >= *key) {
            Some(at) if self.0[at].0 == *key => Ok(at),
            Some(at) => Err(at),
            None => Err(self.0.len()),
        }
    }

    /// Sets the entry of `key` and returns what stood there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                if self.0.len() == self.0.capacity() {
                    // Lists of one entry are many, and long ones few.
                    self.0.reserve_exact(1 + self.0.len() / 4);
                }
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes and returns the entry of `key`.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).ok().map(|at| self.0.remove(at).1)
    }

    /// The entry of `key`.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// The entry of `key`, to change.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether `key` has an entry.
    #[must_use]
    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }

    /// How many entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All entries, ascending by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|entry| (&entry.0, &entry.1))
    }

    /// All keys, ascending.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|entry| &entry.0)
    }

    /// All entries without their keys, ascending by key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.0.iter().map(|entry| &entry.1)
    }

    /// The same, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|entry| &mut entry.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stand_in_order() {
        let mut few = Few::default();
        for (key, value) in [(7, 'a'), (3, 'b'), (9, 'c'), (5, 'd')] {
            assert_eq!(few.insert(key, value), None);
        }
        assert_eq!(few.insert(3, 'e'), Some('b'));
        assert_eq!(few.keys().copied().collect::<Vec<_>>(), [3, 5, 7, 9]);
        assert_eq!((few.remove(&5), few.remove(&4)), (Some('d'), None));
        assert_eq!((few.get(&9), few.get(&5), few.contains_key(&7)), (Some(&'c'), None, true));
        assert_eq!(few.values().collect::<String>(), "eac");
        assert_eq!((few.len(), few.is_empty()), (3, false));
    }
}
