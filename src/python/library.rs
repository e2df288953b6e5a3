//! Library modules that are written in Python.

macro_rules! library {
    ($($name:literal,)*) => {
        /// Module files and their texts.
        const FILES: &[(&str, &str)] = &[$((concat!("<library>/", $name, ".py"), include_str!(concat!("lib/", $name, ".py"))),)*];
    };
}

library! {
    "builtins", "abc", "argparse", "bisect", "collections", "contextlib", "copy", "csv", "dataclasses", "datetime", "enum", "functools", "getpass", "glob",
    "heapq", "io", "itertools", "json", "logging", "math", "multiprocessing", "operator", "os", "os.path", "pathlib", "platform", "random", "re", "shutil",
    "signal", "socket", "statistics", "string", "subprocess", "sys", "tempfile", "textwrap", "time", "traceback", "typing",
    "warnings", "__future__", "collections.abc", "concurrent", "concurrent.futures",
}

/// The text of a library file.
pub(crate) fn text(file: &str) -> Option<&'static str> {
    FILES.iter().find(|f| f.0 == file).map(|f| f.1)
}
