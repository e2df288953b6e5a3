//! Serialising that stops after so many bytes and goes on there later.
//!
//! A serialiser cannot wait in the middle of a value, but it can refuse: where enough was written, it refuses the next child of
//! what it is in, and on the way out each thing that was entered notes which of its children that was. The next walk over the same
//! value skips the children before those without looking into them. So any plain data is written in slices, whatever it is
//! made of, and the bytes are those of one go (postcard's).

use super::Sink;
use serde::ser::{self, Serialize};
use std::fmt;

/// One walk over a value.
pub(super) struct Walk<'a> {
    out: postcard::Serializer<&'a mut Sink>,
    /// What was entered, the innermost last.
    inside: Vec<Inside>,
    /// Which child is next in each thing that was entered when the walk before stopped, or this one: the outermost last.
    path: Vec<u32>,
    /// What is met now has been begun in a walk before: its head is written.
    begun: bool,
    /// How much more may be written before the next child waits: bytes, and [`CHILD`] for each child.
    most: u64,
    /// Bytes before this walk.
    before: u64,
    children: u64,
}

/// What a child costs beside its bytes, in bytes: thousands of small numbers take their time, too.
const CHILD: u64 = 8;

/// Something that has children, numbered in the order in which they are written.
struct Inside {
    /// Those before this one were written in a walk before.
    first: u32,
    next: u32,
}

impl<'a> Walk<'a> {
    /// Writes some of a value. `path` is empty at first; when it is empty again, that was all.
    pub fn some<T: Serialize + ?Sized>(value: &T, path: &mut Vec<u32>, sink: &'a mut Sink, most: u64) {
        let path_before = std::mem::take(path);
        let mut walk = Walk {
            before: sink.length(),
            out: postcard::Serializer { output: sink },
            inside: Vec::new(),
            begun: !path_before.is_empty(),
            path: path_before,
            most,
            children: 0,
        };
        if value.serialize(&mut walk) == Err(Halt::Enough) {
            *path = walk.path;
        }
    }

    /// Writes the head of something, unless it was.
    fn head(
        &mut self,
        write: impl FnOnce(&mut postcard::Serializer<&'a mut Sink>) -> postcard::Result<()>,
    ) -> Done {
        if self.begun { Ok(()) } else { Ok(write(&mut self.out)?) }
    }

    fn enter(&mut self) {
        let first = if self.begun { self.path.pop().unwrap_or(0) } else { 0 };
        self.begun = self.begun && !self.path.is_empty();
        self.inside.push(Inside { first, next: 0 });
    }

    fn child<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if self.is_written()? {
            return Ok(());
        }
        value.serialize(&mut *self).map_err(|halt| self.leave(halt))
    }

    /// Whether the next child is written already; an error: it has to wait.
    fn is_written(&mut self) -> Result<bool, Halt> {
        let Some(inside) = self.inside.last_mut() else { return Err(Halt::Fault) };
        inside.next += 1;
        if inside.next <= inside.first {
            return Ok(true);
        }
        if !self.begun {
            if self.out.output.length() - self.before + self.children * CHILD >= self.most {
                return Err(self.leave(Halt::Enough));
            }
            self.children += 1;
        }
        Ok(false)
    }

    /// Leaves what is entered before its end, at its present child.
    fn leave(&mut self, halt: Halt) -> Halt {
        self.path.extend(self.inside.pop().map(|inside| inside.next - 1));
        halt
    }
}

/// Why a walk ends before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// So many bytes were wanted.
    Enough,
    /// It is no plain data: a bug in a type's `Serialize`.
    Fault,
}

type Done = Result<(), Halt>;

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enough => "enough for now",
            Self::Fault => "no plain data",
        })
    }
}

impl std::error::Error for Halt {}

impl ser::Error for Halt {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Fault
    }
}

impl From<postcard::Error> for Halt {
    fn from(_: postcard::Error) -> Self {
        Self::Fault
    }
}

/// Leaves are postcard's.
macro_rules! leaves {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, value: $type) -> Done {
            Ok(ser::Serializer::$name(&mut self.out, value)?)
        })*
    };
}

impl ser::Serializer for &mut Walk<'_> {
    type Ok = ();
    type Error = Halt;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    leaves! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_str: &str,
        serialize_bytes: &[u8], serialize_unit_struct: &'static str
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_none(self) -> Done {
        Ok(self.out.serialize_none()?)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        self.head(|out| out.serialize_bool(true))?;
        value.serialize(self)
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Done {
        Ok(self.out.serialize_unit_variant(name, index, variant)?)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.head(|out| out.serialize_unit_variant(name, index, variant))?;
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, Halt> {
        self.head(|out| out.serialize_seq(len).map(drop))?;
        self.enter();
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, Halt> {
        self.head(|out| out.serialize_map(len).map(drop))?;
        self.enter();
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Halt> {
        self.enter();
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Halt> {
        self.enter();
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Halt> {
        self.enter();
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, Halt> {
        self.head(|out| out.serialize_unit_variant(name, index, variant))?;
        self.enter();
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self, Halt> {
        self.serialize_tuple_variant(name, index, variant, len)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// All of them write one child after the other.
macro_rules! children {
    ($($what:ident: $($name:ident($($key:ty)?)),*;)*) => {
        $(impl ser::$what for &mut Walk<'_> {
            type Ok = ();
            type Error = Halt;

            $(fn $name<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Done {
                self.child(value)
            })*

            fn end(self) -> Done {
                self.inside.pop();
                Ok(())
            }
        })*
    };
}

children! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

#[cfg(test)]
mod tests {
    use super::super::{Packer, unpack};
    use super::CHILD;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Id(u32);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Pair(i64, Option<Id>);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Unit,
        One(Vec<Kind>),
        Two(u8, Option<Box<Thing>>),
        Named { name: String, more: BTreeMap<String, Vec<u8>> },
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Thing {
        number: u64,
        empty: (),
        float: f64,
        kinds: Vec<Kind>,
        pairs: BTreeMap<u32, (Option<Vec<u16>>, Option<char>)>,
        fixed: [bool; 3],
        last: Option<Option<i32>>,
    }

    /// Some data of every kind, as deep as `depth`.
    fn thing(seed: u32, depth: u32) -> Thing {
        let deeper = (depth > 0).then(|| Box::new(thing(seed / 2 + 1, depth - 1)));
        let one = |n: u32| match n % 4 {
            0 => Kind::Unit,
            1 => Kind::One(vec![Kind::Two(7, deeper.clone()); (n % 3) as usize]),
            2 => Kind::Two(n as u8, deeper.clone()),
            _ => Kind::Named {
                name: "x".repeat((n * 7 % 300) as usize),
                more: (0..n % 5).map(|i| (i.to_string(), vec![i as u8; (i * 50) as usize])).collect(),
            },
        };
        let pair =
            |n: u32| (n, ((!n.is_multiple_of(3)).then(|| vec![n as u16; 5]), char::from_u32(n % 90 + 32)));
        Thing {
            number: u64::from(seed) << 33,
            empty: (),
            float: f64::from(seed) / 3.0,
            kinds: (seed..seed + 9).map(one).collect(),
            pairs: (seed..seed + 20).map(pair).collect(),
            fixed: [true, false, true],
            last: Some(seed.is_multiple_of(2).then_some(-5)),
        }
    }

    #[test]
    fn many_walks_write_what_one_does() {
        for seed in 0..12 {
            let value = vec![Pair(-3, Some(Id(seed))); 3];
            let value = (thing(seed, 3), value, thing(seed + 1, 1));
            let plain = postcard::to_allocvec(&value).expect("plain data");
            for most in [1, 2, 7, 64, 1000, 5000, u64::MAX] {
                let mut packer = Packer::new(true);
                let (mut walks, mut before) = (1_u64, 0);
                while packer.add_some(&value, most) {
                    let written = packer.length() - before;
                    // A child is a leaf, or the head of something: a string of 300 bytes is the largest here.
                    assert!(written < most + 310, "{written} of {most}");
                    (walks, before) = (walks + 1, packer.length());
                }
                assert_eq!(packer.length(), plain.len() as u64, "{walks} walks of {most}");
                assert!(walks >= (plain.len() as u64 / most.saturating_add(310)), "{walks} walks of {most}");
                assert!(walks <= 1 + plain.len() as u64 * (1 + 4 * CHILD) / most, "{walks} walks of {most}");
                let bytes = unpack(&packer.finish().bytes, plain.len()).expect("packed bytes");
                assert!(bytes == plain, "{walks} walks of {most}");
            }
        }
    }
}
