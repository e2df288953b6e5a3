//! A function's activation record: plain data, so a generator or a whole process can be suspended.

use super::value::{Attrs, Py};
use serde::{Deserialize, Serialize};

/// An exception handler that is in force.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TryBlock {
    pub handler: u32,
    pub stack: u32,
    pub handled: u32,
}

/// What becomes of a frame's result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum OnReturn {
    /// The caller's stack.
    Push,
    /// `__init__`: the new instance takes its place.
    Instance,
    /// The body of a module: drop the result.
    Drop,
    /// A class's body.
    Nested,
    /// A generator resumed by `for` or `next`.
    Generator(u32),
    /// Negated or turned to a truth value.
    Truth(bool),
    /// The main program.
    End,
    /// The text of `str` and `repr` must be a string.
    Text,
    /// `__next__`, called by a loop: `StopIteration` ends the loop.
    Next,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyFrame {
    pub unit: u32,
    pub code: u32,
    pub at: u32,
    pub stack: Vec<Py>,
    pub locals: Vec<Py>,
    pub cells: Vec<u32>,
    pub blocks: Vec<TryBlock>,
    /// Exceptions that are being handled.
    pub handled: Vec<Py>,
    pub module: u32,
    pub owner: u32,
    /// The names of a class's body.
    pub names: Option<Box<Attrs>>,
    pub then: OnReturn,
    /// The instance of `OnReturn::Instance`, or the class being made.
    pub keep: Py,
}
