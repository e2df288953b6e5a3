//! Shared code for the tests of several crates: random numbers, shrinking of random input, fuzzing, and the machine's bash.
//!
//! Crates use it as a dev-dependency only.

mod bash;
mod clock;
mod cores;
mod fuzz;
mod random;
mod shrink;

pub use bash::{BashResult, bash};
pub use clock::thread_time;
pub use cores::on_all_cores;
pub use fuzz::{Corpus, fuzz, fuzz_texts};
pub use random::Random;
pub use shrink::for_seeds;
