//! Languages after the fences of blocks, in lower case.

/// Languages of blocks that hold commands or scripts. A block without a language may hold anything.
pub const SHELLS: &[&str] = &[
    "bash",
    "sh",
    "shell",
    "console",
    "shell-session",
    "shellsession",
    "sh-session",
    "bash-session",
    "slurm",
    "sl",
    "sbatch",
    "zsh",
    "terminal",
    "shellscript",
    "batch",
    "cmd",
    "language-bash",
    "bash-console",
    "commandline",
];

/// Languages of output.
pub const OUTPUTS: &[&str] = &["output", "out", "error", "warning", "log", "stdout"];

/// Languages of pages: such a block shows how a page is written.
pub const MARKUP: &[&str] = &["adoc", "asciidoc", "html", "markdown", "md", "mdx", "restructuredtext", "rst"];

/// Languages that carry no information.
pub const VAGUE: &[&str] =
    &["", "none", "text", "txt", "plaintext", "plain", "default", "ini", "nohighlight", "raw"];
