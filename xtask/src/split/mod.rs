//! Splits a WebAssembly module in two: what is needed at the start, and functions that may come later, with the data that
//! only they read.
//!
//! Both halves keep one memory and one table of functions, so to Rust it is one program still. In the first half a
//! later function is a stub: it looks into its place in the table, asks the program to load the later half if the
//! place is empty, and jumps to what then stands there. The later half fills these places when it is instantiated,
//! with the first half's exports as its imports. What only later functions reach goes with them.

mod first;
mod later;
mod linked;
mod module;
mod plan;

use crate::Outcome;
use first::FirstHalf;
use later::LaterHalf;
use linked::Linked;
use module::Module;
use plan::Plan;
use wasm_encoder::reencode::{Error, Reencode as _};
use wasmparser::Parser;

/// The two halves, not yet optimised.
pub struct Halves {
    pub first: Vec<u8>,
    pub later: Vec<u8>,
    /// The functions that were said to come later.
    pub named: Vec<String>,
}

/// Splits a module that has its names still. `linked` is what it was before wasm-bindgen, with the linker's notes.
/// `later` says by its name whether a function belongs to the later half; `load` is the exported function, without
/// parameters, that instantiates that half.
pub fn split(wasm: &[u8], linked: &[u8], later: fn(&str) -> bool, load: &str) -> Outcome<Halves> {
    let unread = |e: wasmparser::BinaryReaderError| format!("The module cannot be read: {e}.");
    let module = Module::read(wasm).map_err(unread)?;
    let linked = Linked::read(linked).map_err(unread)?;
    let plan = Plan::make(&module, &linked, later, load)?;
    let fail = |e: Error<String>| format!("The module cannot be split: {e}.");
    let mut first = wasm_encoder::Module::new();
    FirstHalf::new(&module, &plan).parse_core_module(&mut first, Parser::new(0), wasm).map_err(fail)?;
    let written = LaterHalf::new(&module, &plan).write().map_err(fail)?;
    let named = module.names.values().filter(|name| later(name)).map(|name| (*name).to_owned()).collect();
    Ok(Halves { first: first.finish(), later: written, named })
}

#[cfg(test)]
mod tests;
