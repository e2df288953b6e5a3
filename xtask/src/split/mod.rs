//! Splits a WebAssembly module into a first module, needed at the start, and a deferred module with the other functions and
//! the data that only they read.
//!
//! Both modules share one memory and one function table, so for Rust they are still one program. In the first module, a
//! deferred function is a stub. It looks up its table entry, asks the program to load the deferred module if the entry is
//! empty, and jumps to the entry. The deferred module fills these entries when it is instantiated, with the first module's
//! exports as its imports. Functions that only deferred functions reach are deferred, too.

mod deferred;
mod first;
mod linked;
mod module;
mod plan;

use crate::Outcome;
use deferred::DeferredModuleWriter;
use first::FirstModuleWriter;
use linked::Linked;
use module::Module;
use plan::Plan;
use wasm_encoder::reencode::{Error, Reencode as _};
use wasmparser::Parser;

/// The two modules, not yet optimised.
pub struct SplitModules {
    pub first: Vec<u8>,
    pub later: Vec<u8>,
    /// The functions that were requested to be deferred.
    pub named: Vec<String>,
}

/// Splits a module that still has its name section. `linked` is the module before wasm-bindgen, with the linker's
/// relocations. `later` says whether the function with this name belongs to the deferred module. `load` is the
/// exported function without parameters that instantiates it.
pub fn split(wasm: &[u8], linked: &[u8], later: &dyn Fn(&str) -> bool, load: &str) -> Outcome<SplitModules> {
    let unread = |e: wasmparser::BinaryReaderError| format!("The module cannot be read: {e}.");
    let module = Module::read(wasm).map_err(unread)?;
    let linked = Linked::read(linked).map_err(unread)?;
    let plan = Plan::make(&module, &linked, later, load)?;
    let fail = |e: Error<String>| format!("The module cannot be split: {e}.");
    let mut first = wasm_encoder::Module::new();
    FirstModuleWriter::new(&module, &plan)
        .parse_core_module(&mut first, Parser::new(0), wasm)
        .map_err(fail)?;
    let written = DeferredModuleWriter::new(&module, &plan).write().map_err(fail)?;
    let named = module.names.values().filter(|name| later(name)).map(|name| (*name).to_owned()).collect();
    Ok(SplitModules { first: first.finish(), later: written, named })
}

#[cfg(test)]
mod tests;
