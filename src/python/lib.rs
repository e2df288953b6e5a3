//! Python 3.11 for processes of the simulated host: compiles source text to operations, and runs them in a virtual
//! machine whose state is plain data, like bash's. A process can be saved, cloned and replayed in the middle of any
//! statement. It behaves the same natively and in WebAssembly.
//!
//! Invariants: every slice is bounded, nothing reads a clock or real randomness, and memory is accounted as in
//! CPython. Large repetitions (`[0] * 10**9`) are accounted for but not created.
//!
//! Packages with native code (numpy, torch) are written in Python over flat arrays. A program can only import packages
//! that its environment has.
//!
//! Deliberate differences: no metaclass conflicts or weak references; threads take turns and never run at the same time;
//! the library has only the modules that job scripts use. Other features raise `NotImplementedError` or `ModuleNotFoundError`.

mod alone;
mod ast;
mod attr;
mod attr_set;
mod call;
mod code;
mod collect;
mod compile;
mod compile_block;
mod compile_comp;
mod compile_expr;
mod compile_groups;
mod compile_leave;
mod contains;
mod convert;
mod errors;
mod files;
mod format;
mod frame;
mod generators;
mod heap;
mod hints;
mod import;
mod index;
mod iterate;
mod lexer;
mod library;
mod natives;
mod number;
mod operate;
mod packages;
mod pages;
mod parse_async;
mod parse_expr;
mod parse_simple;
mod parse_text;
mod parser;
mod percent;
mod process;
mod prompt;
mod protocol;
mod scope;
mod sets;
mod start;
mod step;
#[cfg(test)]
mod tests;
mod threads;
mod traceback;
mod unwind;
mod value;
mod vm;

pub use alone::run_alone;
pub use process::PythonProcess;

/// Operations of the virtual machine that one second of CPU time stands for. CPython 3.11 executes about as
/// many bytecodes per second on a current core.
pub const OPERATIONS_PER_SECOND: u64 = 30_000_000;
