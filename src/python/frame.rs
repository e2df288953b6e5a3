//! A function's activation record: plain data, so a generator or a whole process can be suspended.

use super::value::{Attrs, Py};
use serde::{Deserialize, Serialize};

/// An active exception handler.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TryBlock {
    pub handler: u32,
    pub stack: u32,
    pub handled: u32,
}

/// The use of a frame's result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum OnReturn {
    /// Pushes it to the caller's stack.
    Push,
    /// `__init__`: replaces it with the new instance.
    Instance,
    /// The body of a module: drops it.
    Drop,
    /// A class's body.
    Nested,
    /// A generator resumed by `for` or `next`.
    Generator(u32),
    /// Compares its truth value with this one.
    Truth(bool),
    /// The main program.
    End,
    /// The text of `str` and `repr` must be a string.
    Text,
    /// A signal handler: drops it, and the call that it interrupted goes on.
    Signal,
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
    /// The instance of `OnReturn::Instance`, the class being made, or what the call waits for that a signal interrupted.
    pub keep: Py,
}
