//! Programs that are not simulated (python, R, gmx, a binary) run as models: how long, how much memory, what they print,
//! how they end. `#SIM` comments say so, which real Slurm and real interpreters ignore: in the program's own file, in
//! `PROGRAM.sim` beside it, or in the job's script. [`keys`] is their grammar, [`programs`] what holds without them.
//!
//! A model's clock is its work: it stands still while its process is stopped, and runs slower where it shares a GPU.

mod inline;
pub mod keys;
pub mod place;
pub mod plan;
pub mod programs;
mod running;
mod speed;
mod start;
#[cfg(test)]
mod tests;
pub mod text;

pub use place::Place;
pub use plan::Plan;
pub use running::Model;
pub use speed::SpeedUp;
pub use start::Setting;
