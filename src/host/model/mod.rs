//! Models of programs that are not simulated exactly (python, R, gmx, any binary): run time, memory, output
//! and exit status.
//!
//! `#SIM` comments define a model; real Slurm and real interpreters ignore them. They are read from the
//! program's file, from `PROGRAM.sim` beside it, or from the job's script. [`keys`] is their grammar;
//! [`programs`] holds the defaults.
//!
//! A model's clock is its work: it stops while the process is stopped, and slows down where the process
//! shares a GPU.

pub mod context;
mod inline;
pub mod keys;
pub mod plan;
pub mod programs;
mod running;
mod speed;
mod start;
#[cfg(test)]
mod tests;
pub mod text;

pub use context::ModelContext;
pub use plan::ModelPlan;
pub use running::Model;
pub use speed::SpeedUp;
pub use start::ModelInputs;
