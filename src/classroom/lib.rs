//! A class that shares one cluster. The server orders all inputs; every tab computes the same world from them.
//!
//! - [`Sequencer`]: gives each input its number and virtual time, knows the seats, and keeps the bounds
//! - [`record`]: the file that a class survives a restart with
//! - [`wire`]: the messages between a tab and the server
//! - [`ClassMember`]: the tab's side of the connection
//! - [`results`]: each participant's results as CSV and as a page
//! - [`board`]: the teacher's dashboard, and [`ClassEvent`], what its buttons do to the cluster
//!
//! All of it is plain data without sockets, files or clocks: real time is a parameter, and a change is decided as a
//! [`Record`], stored, and then applied. Every message comes from outside, so each of its fields is bounded here.

pub mod board;
mod clock;
mod description;
mod flow;
mod hashes;
mod inject;
mod member;
mod names;
pub mod record;
mod requests;
pub mod results;
mod seat;
mod secret;
mod sequencer;
#[cfg(test)]
mod tests;
pub mod wire;

pub use clock::ClassClock;
pub use description::{AccountPlan, ClassDescription};
pub use inject::ClassEvent;
pub use member::{ClassMember, MemberNews};
pub use names::{check_class_name, check_user_name};
pub use record::Record;
pub use seat::Seat;
pub use secret::Secret;
pub use sequencer::{ClassDecision, Sequencer, ShowChange, Showing};

/// Most entries of a class. After that its inputs are refused.
pub const MAX_ENTRIES: usize = 100_000;
/// Most bytes of its inputs.
pub const MAX_BYTES: usize = 32 << 20;
/// One in this many entries is a checkpoint: every tab reports the hash of its state before it.
pub const HASH_EVERY: u64 = 64;
/// Most participants that a class may be made for.
pub const MAX_PEOPLE: u32 = 250;
/// Most open terminals of a participant.
pub const MAX_TERMINALS: usize = 4;

/// The hash over all entries up to this one. Two tabs or servers with the same number and the same hash have the
/// same entries.
#[must_use]
pub fn chain(before: u64, entry: &protocol::class::ClassEntry) -> u64 {
    // Serialising plain data into memory does not fail.
    base::hash::more(before, &postcard::to_allocvec(entry).unwrap_or_default())
}
