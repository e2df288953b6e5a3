//! Shared code for the tests of several crates: random numbers, and the machine's bash.
//!
//! Crates use it as a dev-dependency only.

mod bash;
mod random;

pub use bash::{BashResult, bash};
pub use random::Random;
