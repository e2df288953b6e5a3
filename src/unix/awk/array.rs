//! awk's arrays, with a count of their memory.

use super::value::AwkValue;
use host::memory::ELEMENT;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// An array, and the memory that its elements take.
#[derive(Clone, Debug, Default)]
pub struct AwkArray {
    elements: BTreeMap<String, AwkValue>,
    /// Bytes of the keys and values.
    bytes: usize,
}

impl AwkArray {
    fn weight(key: &str, value: &AwkValue) -> usize {
        // A tree's nodes are half empty.
        key.len() + value.size() + 2 * ELEMENT
    }

    /// Bytes of memory, about.
    pub fn memory(&self) -> usize {
        self.bytes + ELEMENT
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether an element exists.
    pub fn has(&self, key: &str) -> bool {
        self.elements.contains_key(key)
    }

    /// An element's value. Reading an element creates it.
    pub fn read(&mut self, key: String) -> AwkValue {
        if let Some(value) = self.elements.get(&key) {
            return value.clone();
        }
        self.set(key, AwkValue::Unset);
        AwkValue::Unset
    }

    /// Sets an element.
    pub fn set(&mut self, key: String, value: AwkValue) {
        self.bytes += Self::weight(&key, &value);
        let length = key.len();
        if let Some(old) = self.elements.insert(key, value) {
            self.bytes = self.bytes.saturating_sub(length + old.size() + 2 * ELEMENT);
        }
    }

    /// Deletes an element.
    pub fn remove(&mut self, key: &str) {
        if let Some(old) = self.elements.remove(key) {
            self.bytes = self.bytes.saturating_sub(Self::weight(key, &old));
        }
    }

    /// The keys, in byte order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.elements.keys()
    }

    /// The values, by key.
    pub fn values(&self) -> impl Iterator<Item = &AwkValue> {
        self.elements.values()
    }
}

impl FromIterator<(String, AwkValue)> for AwkArray {
    fn from_iter<T: IntoIterator<Item = (String, AwkValue)>>(all: T) -> Self {
        let mut array = Self::default();
        all.into_iter().for_each(|(key, value)| array.set(key, value));
        array
    }
}

/// Only the elements are saved.
impl Serialize for AwkArray {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.elements.serialize(to)
    }
}

impl<'de> Deserialize<'de> for AwkArray {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        BTreeMap::<String, AwkValue>::deserialize(from).map(|elements| elements.into_iter().collect())
    }
}
