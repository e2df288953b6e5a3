//! Everyday programs of Unix, one file each (or a few small ones of one kind together).
//!
//! They follow GNU coreutils, grep, sed and POSIX awk: options that people use, messages, exit codes. Texts are
//! those of the C locale. What differs on purpose stands at the head of each file.

pub mod awk;
pub mod base64;
pub mod bc;
pub mod bmc;
pub mod bytes;
pub mod cat;
pub mod copy;
pub mod cut;
pub mod date;
pub mod dd;
pub mod diff;
pub mod digest;
pub mod disk;
pub mod editor;
pub mod exec;
pub mod expr;
pub mod files;
pub mod find;
pub mod format;
pub mod getopt;
pub mod glob;
pub mod grep;
#[cfg(test)]
mod grep_tests;
pub mod gzip;
pub mod head;
pub mod info;
pub mod input;
pub mod lines;
pub mod ls;
pub mod machine;
pub mod mail;
pub mod man;
pub mod merge;
pub mod number;
pub mod owner;
pub mod pager;
pub mod pathinfo;
mod ports;
pub mod print;
pub mod process;
pub mod ps;
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
pub mod top;
pub mod tr;
pub mod transfer;
pub mod uniq;
pub mod wc;
pub mod xargs;
pub mod zip;

pub use table::TABLE;
