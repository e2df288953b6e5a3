//! JSON values with jq's semantics: numbers are doubles that keep their literal form until they are computed with,
//! and objects keep the order of their keys.
//!
//! Invariant: an array or object stores the size and depth of its whole content, and neither exceeds the bounds. So
//! printing, comparing and dropping a value are bounded.

use crate::bound::{self, JqBound, MAX_DEPTH, MAX_SIZE};
use indexmap::IndexMap;
use std::cmp::Ordering;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

/// The entries of an object.
pub type JsonFields = IndexMap<Arc<str>, Json, BuildHasherDefault<DefaultHasher>>;

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Number(f64),
    /// A number with the digits it was written with.
    Literal(f64, Arc<str>),
    /// A string.
    Text(Arc<str>),
    /// An array.
    Array(Arc<Sized<Vec<Json>>>),
    /// An object.
    Object(Arc<Sized<JsonFields>>),
}

/// The content of an array or object, with its total size and depth.
#[derive(Clone, Debug, Default)]
pub struct Sized<T> {
    content: T,
    size: u64,
    depth: u32,
}

impl<T> std::ops::Deref for Sized<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.content
    }
}

impl Json {
    /// A string.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        if !bound::charge(text.len() / 16) || text.len() as u64 / 16 > MAX_SIZE {
            bound::stop(JqBound::Size);
        }
        Self::Text(text)
    }

    /// An integer.
    pub fn int(n: usize) -> Self {
        Self::Number(n as f64)
    }

    /// An array. If it is too large, stops the program.
    pub fn array(items: Vec<Self>) -> Self {
        let (size, depth) = total(items.iter());
        if !bound::charge(items.len()) || size > MAX_SIZE || depth > MAX_DEPTH {
            bound::stop(JqBound::Size);
            return Self::Null;
        }
        Self::Array(Arc::new(Sized { content: items, size, depth }))
    }

    /// An object. If it is too large, stops the program.
    pub fn object(fields: JsonFields) -> Self {
        let (mut size, depth) = total(fields.values());
        size += fields.keys().map(|key| 1 + key.len() as u64 / 16).sum::<u64>();
        if !bound::charge(2 * fields.len()) || size > MAX_SIZE || depth > MAX_DEPTH {
            bound::stop(JqBound::Size);
            return Self::Null;
        }
        Self::Object(Arc::new(Sized { content: fields, size, depth }))
    }

    /// An object of these entries.
    pub fn fields<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::object(entries.into_iter().map(|(key, value)| (Arc::from(key), value)).collect())
    }

    /// The size of the value: its elements, plus one for each 16 bytes of text.
    pub fn size(&self) -> u64 {
        match self {
            Self::Array(items) => items.size,
            Self::Object(fields) => fields.size,
            Self::Text(text) => 1 + text.len() as u64 / 16,
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Literal(..) => 1,
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Self::Array(items) => items.depth,
            Self::Object(fields) => fields.depth,
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Literal(..) | Self::Text(_) => 0,
        }
    }

    /// The name of its type.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) | Self::Literal(..) => "number",
            Self::Text(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The value of a number.
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(n) | Self::Literal(n, _) => Some(*n),
            _ => None,
        }
    }

    /// The characters of a string.
    pub fn str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn items(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Replaces an element or a field without measuring the others.
    pub fn replace(&mut self, change: impl FnOnce(&mut Self) -> (u64, u32)) {
        let (added, deepest) = change(self);
        let too_large = match self {
            Self::Array(items) => grow(items, added, deepest),
            Self::Object(fields) => grow(fields, added, deepest),
            _ => false,
        };
        if too_large {
            bound::stop(JqBound::Size);
            *self = Self::Null;
        }
    }

    /// Sets the element of an array, which is extended with nulls.
    pub fn set_item(&mut self, at: usize, value: Self) {
        self.replace(|array| {
            let Self::Array(items) = array else { return (0, 0) };
            let items = own(items, Vec::len);
            let grown = (at + 1).saturating_sub(items.len()) as u64;
            if grown > MAX_SIZE || !bound::charge(1 + at.saturating_sub(items.len())) {
                bound::stop(JqBound::Size);
                return (0, 0);
            }
            if grown > 0 {
                items.resize(at + 1, Self::Null);
            }
            let added = (value.size() + grown, value.depth() + 1);
            items[at] = value;
            added
        });
    }

    /// Sets a field of an object.
    pub fn set_field(&mut self, key: Arc<str>, value: Self) {
        self.replace(|object| {
            let Self::Object(fields) = object else { return (0, 0) };
            let fields = own(fields, JsonFields::len);
            let added = (value.size() + 1 + key.len() as u64 / 16, value.depth() + 1);
            fields.insert(key, value);
            added
        });
    }

    /// Takes a field's value out of an object while it is updated. The key stays.
    pub fn take_field(&mut self, key: &str) -> Self {
        match self {
            Self::Object(fields) => {
                own(fields, JsonFields::len).get_mut(key).map(std::mem::take).unwrap_or_default()
            }
            _ => Self::Null,
        }
    }

    /// Takes an element out of an array while it is updated.
    pub fn take_item(&mut self, at: usize) -> Self {
        match self {
            Self::Array(items) => own(items, Vec::len).get_mut(at).map(std::mem::take).unwrap_or_default(),
            _ => Self::Null,
        }
    }

    /// Removes a field of an object.
    pub fn remove_field(&mut self, key: &str) {
        if let Self::Object(fields) = self {
            own(fields, JsonFields::len).shift_remove(key);
        }
    }

    /// Removes an element of an array.
    pub fn remove_item(&mut self, at: usize) {
        if let Self::Array(items) = self
            && at < items.len()
        {
            own(items, Vec::len).remove(at);
        }
    }
}

/// Adds the size of new content. True if the total is too large. The size of replaced content is subtracted only
/// when the total is measured again.
fn grow<T: HasSize + Clone>(all: &mut Arc<Sized<T>>, added: u64, deepest: u32) -> bool {
    let all = Arc::make_mut(all);
    all.size += added;
    all.depth = all.depth.max(deepest);
    if all.size > MAX_SIZE {
        (all.size, all.depth) = all.content.measure();
    }
    all.size > MAX_SIZE || all.depth > MAX_DEPTH
}

trait HasSize {
    fn measure(&self) -> (u64, u32);
}

impl HasSize for Vec<Json> {
    fn measure(&self) -> (u64, u32) {
        bound::charge(self.len());
        total(self.iter())
    }
}

impl HasSize for JsonFields {
    fn measure(&self) -> (u64, u32) {
        bound::charge(self.len());
        let (size, depth) = total(self.values());
        (size + self.keys().map(|key| 1 + key.len() as u64 / 16).sum::<u64>(), depth)
    }
}

/// The content, copied if it is shared.
fn own<T: Clone>(all: &mut Arc<Sized<T>>, len: fn(&T) -> usize) -> &mut T {
    if Arc::get_mut(all).is_none() {
        bound::charge(len(&all.content));
    }
    &mut Arc::make_mut(all).content
}

/// Size and depth of a container of these values.
fn total<'a>(values: impl Iterator<Item = &'a Json>) -> (u64, u32) {
    values.fold((1, 1), |(size, depth), value| (size + value.size(), depth.max(value.depth() + 1)))
}

/// The elements of an array by value, copied if it is shared.
pub fn into_items(array: Arc<Sized<Vec<Json>>>) -> Vec<Json> {
    bound::charge(array.len());
    Arc::try_unwrap(array).map_or_else(|array| array.content.clone(), |array| array.content)
}

/// The entries of an object by value, copied if it is shared.
pub fn into_fields(object: Arc<Sized<JsonFields>>) -> JsonFields {
    bound::charge(object.len());
    Arc::try_unwrap(object).map_or_else(|object| object.content.clone(), |object| object.content)
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<isize> for Json {
    fn from(value: isize) -> Self {
        Self::Number(value as f64)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::text(value)
    }
}

impl FromIterator<Self> for Json {
    fn from_iter<I: IntoIterator<Item = Self>>(iter: I) -> Self {
        // Stops collecting once the program is stopped: the iterator may be endless.
        Self::array(iter.into_iter().take_while(|_| bound::charge(1)).collect())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        !self.is_nan() && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Json {}

#[expect(
    clippy::non_canonical_partial_ord_impl,
    reason = "NaN is less than itself, but sorting needs a total order"
)]
impl PartialOrd for Json {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.is_nan() && other.is_nan() {
            return Some(Ordering::Less);
        }
        Some(self.cmp(other))
    }
}

/// jq's order: null, false, true, numbers, strings, arrays, objects. Objects compare their sorted keys first.
/// NaN is less than every number; `<` calls it less than itself, but sorting needs a total order.
impl Ord for Json {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => {
                bound::charge(a.len().min(b.len()) / 16);
                a.cmp(b)
            }
            (Self::Array(a), Self::Array(b)) => {
                if Arc::ptr_eq(a, b) {
                    return Ordering::Equal;
                }
                bound::charge(a.len().min(b.len()));
                a.iter().cmp(b.iter())
            }
            (Self::Object(a), Self::Object(b)) => {
                if Arc::ptr_eq(a, b) {
                    return Ordering::Equal;
                }
                bound::charge(a.len() + b.len());
                let (ka, kb) = (sorted_keys(a), sorted_keys(b));
                ka.cmp(&kb)
                    .then_with(|| ka.iter().map(|key| a.get(*key)).cmp(kb.iter().map(|key| b.get(*key))))
            }
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => match (a.is_nan(), b.is_nan()) {
                    (true, true) => Ordering::Equal,
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                    (false, false) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
                },
                _ => self.rank().cmp(&other.rank()),
            },
        }
    }
}

/// The keys of an object, sorted.
pub fn sorted_keys(fields: &JsonFields) -> Vec<&Arc<str>> {
    let mut keys: Vec<&Arc<str>> = fields.keys().collect();
    keys.sort_unstable();
    keys
}

impl Json {
    /// Whether it is the number NaN.
    pub fn is_nan(&self) -> bool {
        self.number().is_some_and(f64::is_nan)
    }

    const fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(false) => 1,
            Self::Bool(true) => 2,
            Self::Number(_) | Self::Literal(..) => 3,
            Self::Text(_) => 4,
            Self::Array(_) => 5,
            Self::Object(_) => 6,
        }
    }
}
