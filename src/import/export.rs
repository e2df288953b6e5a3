//! The script that `sandbatch export-script` prints. It runs on a login node in any POSIX shell, and in the simulator's.

/// The script.
pub const SCRIPT: &str = include_str!("export.sh");
