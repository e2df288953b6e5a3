//! A value that most owners leave at its default, such as a job option that few users give. The default takes no
//! more memory than a pointer.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A type whose default is a constant.
pub trait ConstDefault: Default + PartialEq + 'static {
    /// The same value as [`Default::default`].
    const DEFAULT: &'static Self;
}

/// A value, boxed unless it is the default. It serialises as the value itself.
#[derive(Clone)]
pub struct Rare<T>(Option<Box<T>>);

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: ConstDefault> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::DEFAULT)
    }
}

impl<T: ConstDefault> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: ConstDefault> From<T> for Rare<T> {
    fn from(value: T) -> Self {
        Self((value != *T::DEFAULT).then(|| Box::new(value)))
    }
}

impl<T: ConstDefault> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ConstDefault + Eq> Eq for Rare<T> {}

impl<T: ConstDefault + fmt::Debug> fmt::Debug for Rare<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ConstDefault + Serialize> Serialize for Rare<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: ConstDefault + Deserialize<'de>> Deserialize<'de> for Rare<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ConstDefault for String {
        const DEFAULT: &'static Self = &Self::new();
    }

    #[test]
    fn the_default_is_not_allocated() {
        let mut rare: Rare<String> = Rare::default();
        assert_eq!((&**rare, rare.0.is_none()), ("", true));
        rare.push('x');
        assert_eq!((&**rare, rare == Rare::from("x".to_owned())), ("x", true));
        assert!(Rare::from(String::new()).0.is_none());
    }

    #[test]
    fn serialises_as_the_value() {
        for text in ["", "x"] {
            let saved = postcard::to_allocvec(&Rare::from(text.to_owned())).unwrap();
            assert_eq!(saved, postcard::to_allocvec(text).unwrap());
            assert_eq!(&**postcard::from_bytes::<Rare<String>>(&saved).unwrap(), text);
        }
    }
}
