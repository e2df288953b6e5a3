//! Everyday Unix programs, one file each; small related programs share a file.
//!
//! They follow GNU coreutils, grep, sed and POSIX awk: common options, messages, exit codes. Texts are those
//! of the C locale. The head of each file lists deliberate differences.

pub mod awk;
pub mod base64;
pub mod bc;
pub mod bmc;
pub mod bytes;
pub mod cat;
pub mod copy;
pub mod cut;
mod cx;
pub mod date;
pub mod dd;
pub mod diff;
pub mod digest;
pub mod disk;
pub mod edit;
pub mod editor;
pub mod exec;
pub mod expr;
pub mod files;
pub mod find;
pub mod format;
pub mod getopt;
pub mod grep;
pub mod gzip;
pub mod head;
mod help;
pub mod info;
pub mod input;
pub mod jq;
pub mod lines;
pub mod ls;
pub mod machine;
pub mod mail;
pub mod merge;
pub mod mux;
pub mod nano;
pub mod number;
pub mod numbers;
pub mod owner;
pub mod pager;
pub mod pathinfo;
mod ports;
pub mod print;
pub mod process;
mod program;
pub mod ps;
mod running;
pub mod screen;
pub mod sed;
pub mod sizes;
pub mod sleep;
pub mod sort;
pub mod ssh;
pub mod stream;
mod table;
pub mod tail;
pub mod tar;
pub mod test;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod top;
pub mod tr;
pub mod transfer;
pub mod tree;
pub mod tsort;
pub mod uniq;
pub mod vi;
pub mod wc;
pub mod xargs;
pub mod zip;

pub use cx::{ComputeHost, Context, Cx, Hosts};
pub use program::{UnixCommand, UnixCommandKind, UnixMachine, not_simulated};
pub use running::{CommandSet, InputMode, Piped, Running, StartedCommand};
pub use table::TABLE;

/// Descriptors by their usual names.
pub const STDIN: host::Fd = 0;
/// Standard output.
pub const STDOUT: host::Fd = 1;
/// Standard error.
pub const STDERR: host::Fd = 2;

/// The Unix command of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static UnixCommand> {
    TABLE.binary_search_by_key(&name, |command| command.name).ok().and_then(|i| TABLE.get(i))
}
