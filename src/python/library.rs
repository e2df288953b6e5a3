//! Library modules that are written in Python.

macro_rules! library {
    ($($name:literal,)*) => {
        /// Module files and their texts.
        const FILES: &[(&str, &str)] = &[$((concat!("<library>/", $name, ".py"), include_str!(concat!("lib/", $name, ".py"))),)*];
    };
}

library! {
    "builtins", "__future__", "_host", "_nd", "_perl", "_r", "abc", "argparse", "array", "asyncio", "atexit", "base64", "binascii",
    "bisect", "collections", "collections.abc", "concurrent", "concurrent.futures", "configparser", "contextlib",
    "copy", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "getpass", "glob",
    "hashlib", "heapq", "inspect", "io", "itertools", "jax", "jax.numpy", "jax.random", "json", "keras", "logging",
    "math", "mpi4py", "mpi4py.MPI", "multiprocessing", "numpy", "numpy.linalg", "numpy.random", "operator", "os",
    "os.path", "pandas", "pathlib", "pickle", "platform", "pprint", "psutil", "queue", "random", "re", "resource",
    "secrets", "shutil", "signal", "sklearn", "sklearn.linear_model", "sklearn.metrics", "sklearn.model_selection",
    "sklearn.preprocessing", "socket", "statistics", "string", "struct", "subprocess", "sys", "tempfile",
    "tensorflow", "tensorflow.keras", "tensorflow.keras.layers", "textwrap", "threading", "time", "torch",
    "torch.amp", "torch.backends", "torch.cuda", "torch.cuda.amp", "torch.distributed", "torch.multiprocessing",
    "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parallel", "torch.nn.utils", "torch.optim",
    "torch.optim.lr_scheduler", "torch.utils", "torch.utils.data", "torch.utils.data.distributed", "tqdm",
    "tqdm.auto", "traceback", "types", "typing", "uuid", "warnings", "yaml", "zlib",
}

/// The text of a library file.
pub(crate) fn text(file: &str) -> Option<&'static str> {
    FILES.iter().find(|f| f.0 == file).map(|f| f.1)
}
