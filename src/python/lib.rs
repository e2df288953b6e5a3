//! Python 3.11 for processes of the simulated host: compiles source text to operations, and runs them in a virtual
//! machine whose state is plain data, like bash's. A process can be saved, cloned and replayed in the middle of any
//! statement. It behaves the same natively and in WebAssembly.
//!
//! Invariants: every slice is bounded, nothing reads a clock or real randomness, and memory is accounted as in
//! CPython. Large repetitions (`[0] * 10**9`) are accounted for but not created.
//!
//! Deliberate differences: no `async`, complex numbers, `exec`, metaclass conflicts or weak references; the library
//! has only the modules that job scripts use. Other features raise `NotImplementedError` or `ModuleNotFoundError`.

mod ast;
mod attr;
mod attr_set;

mod call;
mod code;
mod collect;
mod compile;
mod compile_block;
mod compile_expr;
mod compile_leave;
mod convert;
mod errors;
mod files;
mod format;
mod frame;
mod heap;
mod index;
mod iterate;
mod lexer;
mod library;
mod natives;
mod number;
mod operate;
mod parse_expr;
mod parse_simple;
mod parse_text;
mod parser;
mod process;
mod protocol;
mod scope;
mod sets;
mod step;
#[cfg(test)]
mod tests;
mod value;
mod vm;

pub use process::PythonProcess;

/// Operations of the virtual machine that one second of CPU time stands for. CPython 3.11 executes about as
/// many bytecodes per second on a current core.
pub const OPERATIONS_PER_SECOND: u64 = 30_000_000;

/// Packages whose programs are models (`host::model`): they compute with libraries that are not simulated.
const MODELLED: &[&str] = &[
    "numpy",
    "pandas",
    "torch",
    "torchvision",
    "tensorflow",
    "keras",
    "jax",
    "flax",
    "mpi4py",
    "dask",
    "sklearn",
    "scipy",
    "matplotlib",
    "cupy",
    "numba",
    "transformers",
    "datasets",
    "accelerate",
    "lightning",
    "pytorch_lightning",
    "xgboost",
    "horovod",
    "ray",
    "pyspark",
    "PIL",
    "cv2",
    "h5py",
    "requests",
    "wandb",
    "tqdm",
    "yaml",
    "seaborn",
    "networkx",
    "deepspeed",
    "peft",
    "submitit",
    "optuna",
    "snakemake",
    "Bio",
];

/// The first package that a program imports and that is not simulated.
#[must_use]
pub fn modelled_package(source: &str) -> Option<&'static str> {
    source.lines().find_map(|line| {
        let line = line.trim_start();
        let names = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "))?;
        names.split([',', ' ', '.']).find_map(|name| MODELLED.iter().find(|m| **m == name).copied())
    })
}
