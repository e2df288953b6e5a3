//! Library modules that are written in Python.

use super::code::CompiledUnit;
use super::compile::{self, SourceMode};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

macro_rules! library {
    ($($name:literal,)*) => {
        /// Module files and their texts.
        const FILES: &[(&str, &str)] = &[$((concat!("<library>/", $name, ".py"), include_str!(concat!("lib/", $name, ".py"))),)*];
    };
}

library! {
    "builtins", "__future__", "_complex", "_groups", "_host", "_nd", "_perl", "_perl_calls", "_perl_expressions",
    "_perl_files", "_perl_format", "_perl_functions", "_perl_match", "_perl_quotes", "_perl_run", "_perl_scanner",
    "_perl_statements", "_perl_terms", "_perl_values", "_perl_words", "_r", "_r_calls", "_r_lists", "_r_maths",
    "_r_operators", "_r_parser", "_r_run", "_r_show", "_r_texts", "_r_values", "_r_vectors", "abc", "argparse",
    "array", "asyncio", "atexit", "base64", "binascii", "bisect", "cmath", "collections", "collections.abc",
    "concurrent", "concurrent.futures", "concurrent.futures.process", "concurrent.futures.thread", "configparser",
    "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "getpass",
    "glob", "hashlib", "heapq", "inspect", "io", "itertools", "jax", "jax.numpy", "jax.random", "json", "keras",
    "logging", "math", "mpi4py", "mpi4py.MPI", "multiprocessing", "multiprocessing.connection",
    "multiprocessing.dummy", "multiprocessing.managers", "multiprocessing.pool", "multiprocessing.shared_memory", "numpy", "numpy.linalg",
    "numpy.random", "operator", "os", "os.path", "pandas", "pathlib", "pickle", "platform", "pprint", "psutil",
    "queue", "random", "re", "resource", "secrets", "shlex", "shutil", "signal", "sklearn", "sklearn.linear_model",
    "sklearn.metrics", "sklearn.model_selection", "sklearn.preprocessing", "socket", "statistics", "string", "struct",
    "subprocess", "sys", "tempfile", "tensorflow", "tensorflow.keras", "tensorflow.keras.layers", "textwrap",
    "threading", "time", "torch", "torch.amp", "torch.backends", "torch.cuda", "torch.cuda.amp", "torch.distributed",
    "torch.multiprocessing", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parallel",
    "torch.nn.utils", "torch.optim", "torch.optim.lr_scheduler", "torch.utils", "torch.utils.data",
    "torch.utils.data.distributed", "tqdm", "tqdm.auto", "traceback", "types", "typing", "uuid", "warnings", "yaml",
    "zlib",
}

/// The module that defines a built-in name that few programs use.
pub(crate) fn of_builtin(name: &str) -> Option<&'static str> {
    match name {
        "complex" | "_imaginary" | "_complex_power" => Some("_complex"),
        "BaseExceptionGroup" | "ExceptionGroup" | "_star_begin" | "_star_split" | "_star_raised"
        | "_star_end" => Some("_groups"),
        _ => None,
    }
}

/// A library file in its compiled form, which all processes share.
pub(crate) fn compiled(file: &str) -> Option<Arc<CompiledUnit>> {
    static COMPILED: Mutex<BTreeMap<&'static str, Arc<CompiledUnit>>> = Mutex::new(BTreeMap::new());
    let (name, text) = FILES.iter().find(|f| f.0 == file)?;
    let known = COMPILED.lock().ok().and_then(|all| all.get(name).cloned());
    if known.is_some() {
        return known;
    }
    let unit = Arc::new(compile::compile(text, SourceMode::File).ok()?);
    if let Ok(mut all) = COMPILED.lock() {
        all.insert(name, Arc::clone(&unit));
    }
    Some(unit)
}

/// The text of a library file.
pub(crate) fn text(file: &str) -> Option<&'static str> {
    FILES.iter().find(|f| f.0 == file).map(|f| f.1)
}
