//! Native functions: built-in functions, methods of built-in types, and the access of library modules to the host.
//! The table is in order of registration; an index finds names in it.

mod array_math;
mod array_order;
mod array_random;
mod arrays;
mod builtins;
mod children;
mod classes;
mod code;
mod lists;
mod machine;
mod maps;
mod numbers;
mod regex;
mod streams;
mod system;
mod texts;
mod threads;

pub(crate) use system::content;

use super::ast::PyName;
use super::value::{Py, PyObject, PyType};
use super::vm::{PyResult, PyVm};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Keyword arguments of a native function.
pub(crate) type Kw<'a> = &'a [(PyName, Py)];
/// A native function.
pub(crate) type NativeFn = fn(&mut PyVm<'_>, &[Py], Kw<'_>) -> PyResult;
/// Names with their functions.
pub(crate) type NativeTable = &'static [(&'static str, NativeFn)];

const TABLES: &[NativeTable] = &[
    builtins::TABLE,
    classes::TABLE,
    texts::TABLE,
    lists::TABLE,
    maps::TABLE,
    numbers::TABLE,
    system::TABLE,
    regex::TABLE,
    arrays::TABLE,
    array_order::TABLE,
    array_random::TABLE,
    code::TABLE,
    streams::TABLE,
    machine::TABLE,
    threads::TABLE,
    children::TABLE,
];

/// Microseconds of work after which a process waits for its time to pass.
const PAUSE: u64 = 10_000;

struct NativeIndex {
    all: Vec<(&'static str, NativeFn)>,
    by_name: BTreeMap<&'static str, u16>,
}

fn index() -> &'static NativeIndex {
    static INDEX: OnceLock<NativeIndex> = OnceLock::new();
    INDEX.get_or_init(|| {
        let all: Vec<_> = TABLES.iter().flat_map(|t| t.iter().copied()).collect();
        let by_name = (0..).zip(&all).map(|(i, f)| (f.0, i)).collect();
        NativeIndex { all, by_name }
    })
}

/// The function with this name.
pub(crate) fn find(name: &str) -> Option<Py> {
    index().by_name.get(name).map(|n| Py::Native(*n))
}

/// The number of the function with this name; a function that no longer exists raises when it is called.
pub(crate) fn number(name: &str) -> u16 {
    index().by_name.get(name).copied().unwrap_or(u16::MAX)
}

/// The methods of a built-in type.
pub(crate) fn methods(kind: &str) -> Vec<String> {
    let prefix = format!("{kind}.");
    let from = index().by_name.range(prefix.as_str()..).take_while(|(n, _)| n.starts_with(&prefix));
    from.map(|(n, _)| n[prefix.len()..].to_owned()).collect()
}

/// The name of a function.
pub(crate) fn name(number: u16) -> &'static str {
    index().all.get(usize::from(number)).map_or("", |f| f.0)
}

pub(crate) fn call(vm: &mut PyVm<'_>, number: u16, args: &[Py], named: Kw<'_>) -> PyResult {
    match index().all.get(usize::from(number)) {
        Some((_, function)) => {
            let result = function(vm, args, named);
            vm.pause |= vm.s.work + vm.s.gpu_work > PAUSE;
            result
        }
        None => Err(
            vm.error("NotImplementedError", "this session was saved by a version with another function here")
        ),
    }
}

/// Methods whose first argument is the type.
pub(crate) fn is_class_method(name: &str) -> bool {
    matches!(name, "dict.fromkeys" | "int.from_bytes" | "bytes.fromhex" | "object.__new__")
}

/// Adds the native functions of a module to it.
pub(crate) fn fill_module(vm: &mut PyVm<'_>, module: u32, name: &str) {
    let prefix = format!("{name}.");
    for (full, number) in index().by_name.range(prefix.as_str()..).take_while(|(n, _)| n.starts_with(&prefix))
    {
        let rest = &full[prefix.len()..];
        if !rest.contains('.') {
            vm.set_global(module, rest, Py::Native(*number));
        }
    }
}

/// A named argument, or the positional one at `place`.
pub(crate) fn arg(args: &[Py], named: Kw<'_>, index: usize, name: &str) -> Option<Py> {
    args.get(index).copied().or_else(|| named.iter().find(|n| &*n.0 == name).map(|n| n.1))
}

/// Maximum width and precision of a field.
const MAX_FIELD: usize = 100_000;
/// Maximum number of elements or bytes of a sequence that is written out.
const MAX_SEQUENCE: usize = 50_000_000;

impl PyVm<'_> {
    /// A required argument.
    pub(crate) fn need(&mut self, args: &[Py], index: usize, function: &str) -> PyResult {
        match args.get(index) {
            Some(value) => Ok(*value),
            None => {
                let s = if index == 0 { "" } else { "s" };
                let message =
                    format!("{function}() takes at least {} argument{s} ({} given)", index + 1, args.len());
                self.type_error(&message)
            }
        }
    }

    /// The single argument of a function.
    pub(crate) fn only(&mut self, args: &[Py], function: &str) -> PyResult {
        match args {
            [value] => Ok(*value),
            _ => {
                let message = format!("{function}() takes exactly one argument ({} given)", args.len());
                self.type_error(&message)
            }
        }
    }

    /// Refuses a sequence that is too long to be made.
    ///
    /// # Errors
    /// `MemoryError` for more than [`MAX_SEQUENCE`] elements or bytes.
    pub(crate) fn fits(&mut self, length: usize) -> PyResult<()> {
        if length <= MAX_SEQUENCE {
            return Ok(());
        }
        Err(self.error("MemoryError", "sandbatch makes sequences of at most 50 million elements"))
    }

    /// Refuses a field that is too wide to be formatted.
    ///
    /// # Errors
    /// `MemoryError` for more than [`MAX_FIELD`] characters or digits.
    pub(crate) fn field_fits(&mut self, width: usize, precision: Option<usize>) -> PyResult<()> {
        if width.max(precision.unwrap_or(0)) <= MAX_FIELD {
            return Ok(());
        }
        Err(self.error("MemoryError", "sandbatch formats fields of at most 100,000 characters"))
    }

    /// A required integer argument that is the length of a result. A negative one counts as 0.
    pub(crate) fn need_length(&mut self, args: &[Py], index: usize, function: &str) -> PyResult<usize> {
        let length = self.need_int(args, index, function)?.max(0);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.fits(length)?;
        Ok(length)
    }

    /// The text of a string, or `None` for another value. A long repetition is written out.
    ///
    /// # Errors
    /// `MemoryError` for more than [`MAX_SEQUENCE`] bytes.
    pub(crate) fn text_of(&mut self, value: Py) -> PyResult<Option<PyName>> {
        if let Py::Obj(id) = self.payload(value)
            && let &PyObject::Bulk(PyType::Str, unit, times) = self.obj(id)
        {
            let unit = self.str_ref(unit).unwrap_or_default().to_owned();
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            self.fits(times.saturating_mul(unit.len()))?;
            return Ok(Some(unit.repeat(times).into()));
        }
        Ok(self.str_ref(value).map(PyName::from))
    }

    /// A required string argument.
    pub(crate) fn need_text(&mut self, args: &[Py], index: usize, function: &str) -> PyResult<PyName> {
        let value = self.need(args, index, function)?;
        match self.text_of(value)? {
            Some(text) => Ok(text),
            None => {
                let message = format!(
                    "{function}() argument {} must be str, not {}",
                    index.max(1),
                    self.type_name(value)
                );
                self.type_error(&message)
            }
        }
    }

    /// A required integer argument.
    pub(crate) fn need_int(&mut self, args: &[Py], index: usize, function: &str) -> PyResult<i64> {
        let value = self.need(args, index, function)?;
        match self.index_number(value)? {
            Some(n) => Ok(n),
            None => {
                let message =
                    format!("'{}' object cannot be interpreted as an integer", self.type_name(value));
                self.type_error(&message)
            }
        }
    }

    /// Returns the result of a library function that is written in Python.
    pub(crate) fn tail(&mut self, function: &str, args: &[Py], named: Kw<'_>) -> PyResult {
        let function = self.builtin(function);
        Err(super::vm::Stop::Tail(function, args.to_vec(), named.to_vec()))
    }
}
