//! Incremental serialisation: stops after a number of bytes and continues there later.
//!
//! A serialiser cannot suspend, but it can fail. When enough is written, the next child fails, and each
//! enclosing value records on the way out at which child it stopped. The next run over the same value skips
//! the children before that path without visiting them.
//!
//! Invariant: all runs together write exactly the bytes of `postcard::to_allocvec`.

use super::ByteSink;
use serde::ser::{self, Serialize};
use std::fmt;

/// One run of the serialiser over a value.
pub(super) struct IncrementalWriter<'a> {
    out: postcard::Serializer<&'a mut ByteSink>,
    /// The open compound values, innermost last.
    open: Vec<OpenValue>,
    /// The next child of each compound value that the previous run left open, or this one: outermost last.
    path: Vec<u32>,
    /// The current value was opened in an earlier run: its header is written.
    begun: bool,
    /// The budget of this run: bytes, plus [`CHILD`] for each child.
    most: u64,
    /// Bytes written before this run.
    before: u64,
    children: u64,
}

/// Cost of a child in addition to its bytes, so that many small values also end a run.
const CHILD: u64 = 8;

/// A compound value; its children are numbered in the order of writing.
struct OpenValue {
    /// Children before this one were written in an earlier run.
    first: u32,
    next: u32,
}

impl<'a> IncrementalWriter<'a> {
    /// Writes the next part of a value. `path` is empty at the start, and empty again when the value is
    /// complete.
    pub fn write_some<T: Serialize + ?Sized>(
        value: &T,
        path: &mut Vec<u32>,
        sink: &'a mut ByteSink,
        most: u64,
    ) {
        let path_before = std::mem::take(path);
        let mut writer = IncrementalWriter {
            before: sink.length(),
            out: postcard::Serializer { output: sink },
            open: Vec::new(),
            begun: !path_before.is_empty(),
            path: path_before,
            most,
            children: 0,
        };
        if value.serialize(&mut writer) == Err(WriteStop::Enough) {
            *path = writer.path;
        }
    }

    /// Writes the header of a value unless an earlier run did.
    fn head(
        &mut self,
        write: impl FnOnce(&mut postcard::Serializer<&'a mut ByteSink>) -> postcard::Result<()>,
    ) -> WriteResult {
        if self.begun { Ok(()) } else { Ok(write(&mut self.out)?) }
    }

    fn enter(&mut self) {
        let first = if self.begun { self.path.pop().unwrap_or(0) } else { 0 };
        self.begun = self.begun && !self.path.is_empty();
        self.open.push(OpenValue { first, next: 0 });
    }

    fn child<T: Serialize + ?Sized>(&mut self, value: &T) -> WriteResult {
        if self.is_written()? {
            return Ok(());
        }
        value.serialize(&mut *self).map_err(|stop| self.leave(stop))
    }

    /// Whether the next child is already written; an error if the budget is used up.
    fn is_written(&mut self) -> Result<bool, WriteStop> {
        let Some(open) = self.open.last_mut() else { return Err(WriteStop::Fault) };
        open.next += 1;
        if open.next <= open.first {
            return Ok(true);
        }
        if !self.begun {
            if self.out.output.length() - self.before + self.children * CHILD >= self.most {
                return Err(self.leave(WriteStop::Enough));
            }
            self.children += 1;
        }
        Ok(false)
    }

    /// Leaves the innermost compound value at its current child.
    fn leave(&mut self, stop: WriteStop) -> WriteStop {
        self.path.extend(self.open.pop().map(|open| open.next - 1));
        stop
    }
}

/// Why a run stops before the end of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteStop {
    /// The budget is used up.
    Enough,
    /// The value is not plain data: a bug in its `Serialize`.
    Fault,
}

type WriteResult = Result<(), WriteStop>;

impl fmt::Display for WriteStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enough => "enough for now",
            Self::Fault => "no plain data",
        })
    }
}

impl std::error::Error for WriteStop {}

impl ser::Error for WriteStop {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Fault
    }
}

impl From<postcard::Error> for WriteStop {
    fn from(_: postcard::Error) -> Self {
        Self::Fault
    }
}

/// Leaf values are written by postcard.
macro_rules! leaves {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, value: $type) -> WriteResult {
            Ok(ser::Serializer::$name(&mut self.out, value)?)
        })*
    };
}

impl ser::Serializer for &mut IncrementalWriter<'_> {
    type Ok = ();
    type Error = WriteStop;
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

    fn serialize_unit(self) -> WriteResult {
        Ok(())
    }

    fn serialize_none(self) -> WriteResult {
        Ok(self.out.serialize_none()?)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> WriteResult {
        self.head(|out| out.serialize_bool(true))?;
        value.serialize(self)
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> WriteResult {
        Ok(self.out.serialize_unit_variant(name, index, variant)?)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> WriteResult {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> WriteResult {
        self.head(|out| out.serialize_unit_variant(name, index, variant))?;
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, WriteStop> {
        self.head(|out| out.serialize_seq(len).map(drop))?;
        self.enter();
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, WriteStop> {
        self.head(|out| out.serialize_map(len).map(drop))?;
        self.enter();
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, WriteStop> {
        self.enter();
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, WriteStop> {
        self.enter();
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, WriteStop> {
        self.enter();
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, WriteStop> {
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
    ) -> Result<Self, WriteStop> {
        self.serialize_tuple_variant(name, index, variant, len)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// All compound serialisers write one child after the other.
macro_rules! children {
    ($($what:ident: $($name:ident($($key:ty)?)),*;)*) => {
        $(impl ser::$what for &mut IncrementalWriter<'_> {
            type Ok = ();
            type Error = WriteStop;

            $(fn $name<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> WriteResult {
                self.child(value)
            })*

            fn end(self) -> WriteResult {
                self.open.pop();
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
    struct SampleId(u32);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct SamplePair(i64, Option<SampleId>);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum SampleKind {
        Unit,
        One(Vec<SampleKind>),
        Two(u8, Option<Box<Sample>>),
        Named { name: String, more: BTreeMap<String, Vec<u8>> },
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Sample {
        number: u64,
        empty: (),
        float: f64,
        kinds: Vec<SampleKind>,
        pairs: BTreeMap<u32, (Option<Vec<u16>>, Option<char>)>,
        fixed: [bool; 3],
        last: Option<Option<i32>>,
    }

    /// Values of every kind, nested up to `depth`.
    fn sample(seed: u32, depth: u32) -> Sample {
        let deeper = (depth > 0).then(|| Box::new(sample(seed / 2 + 1, depth - 1)));
        let one = |n: u32| match n % 4 {
            0 => SampleKind::Unit,
            1 => SampleKind::One(vec![SampleKind::Two(7, deeper.clone()); (n % 3) as usize]),
            2 => SampleKind::Two(n as u8, deeper.clone()),
            _ => SampleKind::Named {
                name: "x".repeat((n * 7 % 300) as usize),
                more: (0..n % 5).map(|i| (i.to_string(), vec![i as u8; (i * 50) as usize])).collect(),
            },
        };
        let pair =
            |n: u32| (n, ((!n.is_multiple_of(3)).then(|| vec![n as u16; 5]), char::from_u32(n % 90 + 32)));
        Sample {
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
    fn incremental_runs_write_the_same_bytes() {
        for seed in 0..12 {
            let value = vec![SamplePair(-3, Some(SampleId(seed))); 3];
            let value = (sample(seed, 3), value, sample(seed + 1, 1));
            let plain = postcard::to_allocvec(&value).expect("plain data");
            for most in [1, 2, 7, 64, 1000, 5000, u64::MAX] {
                let mut packer = Packer::new(true);
                let (mut runs, mut before) = (1_u64, 0);
                while packer.add_some(&value, most) {
                    let written = packer.length() - before;
                    // The largest single write is a string of 300 bytes.
                    assert!(written < most + 310, "{written} of {most}");
                    (runs, before) = (runs + 1, packer.length());
                }
                assert_eq!(packer.length(), plain.len() as u64, "{runs} runs of {most}");
                assert!(runs >= (plain.len() as u64 / most.saturating_add(310)), "{runs} runs of {most}");
                assert!(runs <= 1 + plain.len() as u64 * (1 + 4 * CHILD) / most, "{runs} runs of {most}");
                let bytes = unpack(&packer.finish().bytes, plain.len()).expect("packed bytes");
                assert!(bytes == plain, "{runs} runs of {most}");
            }
        }
    }
}
