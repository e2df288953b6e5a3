//! Bounds on a program's work, depth and memory.
//!
//! jaq's interpreter is lazy and has no limits of its own. It fetches its table of terms at every term, where this
//! module charges for work, and copies its context at every call, where it counts active calls. A recursive
//! definition starts with a check (see `program`), and every operation on values charges for the data that it
//! touches. When a bound is reached, checks and operations fail until the program ends, so `try` cannot catch it.

use crate::value::Json;
use jaq_core::Error;
use std::cell::Cell;

/// Units of work for one input: a term, an element, or 16 bytes.
const WORK: u64 = 4_000_000;
/// Maximum number of contexts in use, which bounds the depth of calls.
const CONTEXTS: u32 = 200;
/// Maximum number of recursive calls that pass a filter: each call keeps the previous one alive.
const PASSED: u32 = 1_500;
/// Maximum size of a value: its elements, plus one for each 16 bytes of text.
pub const MAX_SIZE: u64 = 4_000_000;
/// Maximum depth of a value.
pub const MAX_DEPTH: u32 = 256;

/// Why a program was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JqBound {
    /// Too much work.
    Work,
    /// Its calls are nested too deeply.
    Depth,
    /// A value became too large.
    Size,
}

impl JqBound {
    /// The message for the user.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Work => "stopped after 4 million operations on one input (the limit in sandbatch)",
            Self::Depth => "calls are nested too deeply (the limit in sandbatch)",
            Self::Size => "a value is too large or too deep (the limit in sandbatch)",
        }
    }
}

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(0) };
    static IN_USE: Cell<u32> = const { Cell::new(0) };
    static PASSED_ON: Cell<u32> = const { Cell::new(0) };
    static REACHED: Cell<Option<JqBound>> = const { Cell::new(None) };
}

/// Resets the bounds for an input.
pub fn begin() {
    LEFT.set(WORK);
    IN_USE.set(0);
    PASSED_ON.set(0);
    REACHED.set(None);
}

/// Resets the bounds for reading an input: its size is bounded, but not the work.
pub fn begin_reading() {
    begin();
    LEFT.set(u64::MAX);
}

/// The work done since [`begin`].
pub fn done() -> u64 {
    WORK.saturating_sub(LEFT.get())
}

/// The bound that was reached.
pub fn reached() -> Option<JqBound> {
    REACHED.get()
}

/// Stops the program.
pub fn stop(bound: JqBound) {
    if REACHED.get().is_none() {
        REACHED.set(Some(bound));
    }
}

/// Charges for work. False once the program is stopped.
pub fn charge(units: usize) -> bool {
    let units = u64::try_from(units).unwrap_or(u64::MAX);
    match LEFT.get().checked_sub(units) {
        Some(left) => LEFT.set(left),
        None => stop(JqBound::Work),
    }
    REACHED.get().is_none()
}

/// Charges for work, and fails once the program is stopped.
pub fn check(units: usize) -> Result<(), Error<Json>> {
    if charge(units) { Ok(()) } else { Err(Error::str(reached().map_or("", JqBound::text))) }
}

/// Charges for a recursive call that passes a filter.
pub fn check_passing() -> Result<(), Error<Json>> {
    PASSED_ON.set(PASSED_ON.get() + 1);
    if PASSED_ON.get() > PASSED {
        stop(JqBound::Depth);
    }
    check(1)
}

/// Counts a context in use until it is dropped.
pub(crate) struct InUse;

impl InUse {
    /// Counts one more context.
    pub(crate) fn new() -> Self {
        let number = IN_USE.get() + 1;
        IN_USE.set(number);
        if number > CONTEXTS {
            stop(JqBound::Depth);
        }
        Self
    }
}

impl Clone for InUse {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        IN_USE.set(IN_USE.get().saturating_sub(1));
    }
}
