//! Shared code for the tests of several crates: random numbers, shrinking of random input, and the machine's bash.
//!
//! Crates use it as a dev-dependency only.

mod bash;
mod random;
mod shrink;

pub use bash::{BashResult, bash};
pub use random::Random;
pub use shrink::for_seeds;
