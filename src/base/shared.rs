//! A vector whose items are shared by its clones.
//!
//! Cost: cloning copies one pointer per item; changing an item of a clone copies that item.

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// A vector of shared items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Shared<T>(Vec<Arc<T>>);

impl<T> Shared<T> {
    /// The number of items.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the vector is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The item at an index.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.0.get(at).map(Arc::as_ref)
    }

    /// All items in order.
    #[must_use]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self.0.iter())
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        self.0.push(Arc::new(item));
    }

    /// Drops up to `most` items from the end; returns false if none are left. Shared items live on in the
    /// clones.
    pub fn drop_some(&mut self, most: usize) -> bool {
        self.0.truncate(self.len().saturating_sub(most));
        !self.0.is_empty()
    }

    /// The number of items that are not shared with the item at the same index of `other`.
    #[must_use]
    pub fn apart(&self, other: &Self) -> usize {
        let same = self.0.iter().zip(&other.0).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        self.len() - same
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Index<usize> for Shared<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.0[at]
    }
}

impl<T: Clone> IndexMut<usize> for Shared<T> {
    fn index_mut(&mut self, at: usize) -> &mut T {
        Arc::make_mut(&mut self.0[at])
    }
}

impl<T> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().map(Arc::new).collect())
    }
}

impl<'a, T> IntoIterator for &'a Shared<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

/// An iterator over the items in order.
#[derive(Debug)]
pub struct Iter<'a, T>(std::slice::Iter<'a, Arc<T>>);

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.0.next().map(Arc::as_ref)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(Arc::as_ref)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_unchanged_items() {
        let before: Shared<u32> = (0..5).collect();
        let mut after = before.clone();
        assert_eq!(before.apart(&after), 0);
        after[3] = 7;
        after.push(9);
        assert_eq!((before[3], after[3], after.len()), (3, 7, 6));
        assert_eq!((before.apart(&after), after.apart(&before)), (1, 2));
        assert_eq!(after.iter().rev().copied().collect::<Vec<_>>(), [9, 4, 7, 2, 1, 0]);
    }
}
