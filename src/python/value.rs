//! Values and objects of a Python process: plain data that refers to other objects by number.

use super::ast::PyName;
use super::frame::PyFrame;
use base::time::Time;
use indexmap::IndexMap;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasherDefault, Hasher};

/// A value. Small values are stored directly, others as the number of an object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Py {
    /// No value: an unbound variable.
    Unset,
    None,
    NotImplemented,
    Ellipsis,
    Bool(bool),
    Int(i64),
    Float(f64),
    Type(PyType),
    /// A native function, by its number in the table; saved by name.
    Native(#[serde(with = "native")] u16),
    Obj(u32),
}

macro_rules! types {
    ($($name:ident = $text:literal,)*) => {
        /// The built-in types.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub(crate) enum PyType { $($name,)* }
        impl PyType {
            pub const ALL: &[Self] = &[$(Self::$name,)*];
            pub const fn name(self) -> &'static str { match self { $(Self::$name => $text,)* } }
        }
    };
}

types! {
    Object = "object",
    Type = "type",
    NoneType = "NoneType",
    NotImplemented = "NotImplementedType",
    Ellipsis = "ellipsis",
    Bool = "bool",
    Int = "int",
    Float = "float",
    Str = "str",
    Bytes = "bytes",
    ByteArray = "bytearray",
    Tuple = "tuple",
    List = "list",
    Dict = "dict",
    Set = "set",
    FrozenSet = "frozenset",
    Range = "range",
    Slice = "slice",
    Function = "function",
    Native = "builtin_function_or_method",
    Method = "method",
    Cell = "cell",
    Module = "module",
    Generator = "generator",
    Coroutine = "coroutine",
    Array = "array_buffer",
    Iterator = "iterator",
    Property = "property",
    StaticMethod = "staticmethod",
    ClassMethod = "classmethod",
    Super = "super",
    File = "_io.TextIOWrapper",
    Keys = "dict_keys",
    Values = "dict_values",
    Items = "dict_items",
}

/// A hasher that gives the same result on every platform.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Variables and attributes, in order.
pub(crate) type Attrs = IndexMap<PyName, Py, BuildHasherDefault<NameHasher>>;

/// The key by which dictionaries compare values: equal values have equal keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum DictKey {
    None,
    Ellipsis,
    Int(i64),
    /// The bits of a float that is not an integer.
    Float(u64),
    Big(String),
    Text(PyName),
    Bytes(Vec<u8>),
    Tuple(Vec<DictKey>),
    Set(Vec<DictKey>),
    Type(PyType),
    Native(#[serde(with = "native")] u16),
    Object(u32),
    /// The hash that a class computes. Objects with the same 64 bits count as equal.
    Hashed(i64),
}

/// A dictionary, or a set with unused values.
pub(crate) type Table = IndexMap<DictKey, (Py, Py), BuildHasherDefault<NameHasher>>;

/// A function of the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyFunction {
    pub unit: u32,
    pub code: u32,
    pub name: PyName,
    pub module: u32,
    pub defaults: Vec<Py>,
    pub keyword_defaults: Vec<(PyName, Py)>,
    pub cells: Vec<u32>,
    /// A cell with the class that defines it, for `super()`.
    pub owner: u32,
    pub attrs: Attrs,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyClass {
    pub name: PyName,
    pub module: PyName,
    pub bases: Vec<Py>,
    /// Method resolution order, with itself first.
    pub order: Vec<Py>,
    pub attrs: Attrs,
    pub meta: Py,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyInstance {
    pub class: u32,
    pub attrs: Attrs,
    /// The value of an instance of a subclass of a built-in type.
    pub payload: Py,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyModule {
    pub name: PyName,
    pub file: String,
    pub attrs: Attrs,
}

/// The state of an iterator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum PyIter {
    /// Any object with indices: list, tuple, bytes.
    Items(Py, u32),
    /// Characters of a string at a byte offset.
    Chars(Py, u32),
    Range(i64, i64, i64),
    Keys(Py, u32, u32),
    Values(Py, u32, u32),
    Pairs(Py, u32, u32),
    Snapshot(Vec<Py>, u32),
    Reversed(Py, u32),
    Lines(Py),
    /// `iter(function, sentinel)` and `__getitem__` iterate in Python.
    Enumerate(Py, i64),
    Zip(Vec<Py>, bool),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyGenerator {
    pub frame: Option<PyFrame>,
    pub running: bool,
    pub name: PyName,
    /// Created by `async def`.
    pub coroutine: bool,
}

/// An open file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyFile {
    pub name: String,
    pub mode: String,
    pub fd: Option<u32>,
    pub binary: bool,
    pub readable: bool,
    pub writable: bool,
    /// The write buffer.
    pub out: Vec<u8>,
    /// The read buffer.
    pub input: Vec<u8>,
    pub at_end: bool,
    /// Flushed after each line.
    pub by_line: bool,
    /// A file in memory (`io.StringIO`).
    pub memory: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum PyObject {
    Free,
    Text(#[serde(with = "text")] PyName),
    Bytes(Vec<u8>, bool),
    Big(#[serde(with = "big")] BigInt),
    Tuple(Vec<Py>),
    List(Vec<Py>),
    Dict(Table),
    /// The flag: frozen.
    Set(Table, bool),
    Range(i64, i64, i64),
    Slice([Py; 3]),
    Function(Box<PyFunction>),
    /// Receiver and function.
    Bound(Py, Py),
    Cell(Py),
    Class(Box<PyClass>),
    Instance(Box<PyInstance>),
    Module(Box<PyModule>),
    Iter(PyIter),
    Generator(Box<PyGenerator>),
    Property([Py; 3]),
    Static(Py),
    ClassMethod(Py),
    Super(Py, Py),
    File(Box<PyFile>),
    View(PyType, Py),
    /// A repetition that is not created: the type, the element, and the count.
    Bulk(PyType, Py, u64),
    Array(Box<PyArray>),
}

/// A flat array of numbers of the library's `numpy`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PyArray {
    /// 0 truth values, 1 integers, 2 floating-point numbers.
    pub kind: u8,
    /// The elements, or a sample of them.
    pub data: Vec<f64>,
    /// The number of elements.
    pub len: u64,
    /// Bytes of an element.
    pub width: u8,
    /// In the memory of a GPU, not in that of the host.
    pub device: bool,
}

/// The time until which a call waits.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Deadline(pub Option<Time>);

/// Native functions are saved by name, so a later version with other functions finds them.
mod native {
    use crate::natives;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &u16, to: S) -> Result<S::Ok, S::Error> {
        natives::name(*number).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
        Ok(natives::number(&String::deserialize(from)?))
    }
}

mod text {
    use super::PyName;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(text: &PyName, to: S) -> Result<S::Ok, S::Error> {
        (**text).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PyName, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}

mod big {
    use num_bigint::BigInt;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &BigInt, to: S) -> Result<S::Ok, S::Error> {
        number.to_signed_bytes_le().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BigInt, D::Error> {
        Ok(BigInt::from_signed_bytes_le(&Vec::deserialize(from)?))
    }
}
