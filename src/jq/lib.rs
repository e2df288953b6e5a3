//! The interpreter of jq(1), built on jaq's: values, filters, reading and writing of JSON, and bounds.
//!
//! The command itself, with its options and its files, is in `unix`. jaq's interpreter is generic and so is compiled here;
//! a crate of its own lets development builds optimise only this.

mod access;
pub mod bound;
mod dates;
mod formats;
pub mod natives;
pub mod program;
pub mod read;
mod regex;
mod sorting;
pub mod value;
pub mod write;
