//! What people find on a cluster besides Unix and Slurm: GPU tools, containers, environments, compilers, launchers.
//!
//! Programs that compute are models (`host::model`); here is what prepares, starts and watches them.

pub mod manual;
pub mod nvidia_smi;
mod table;

pub use table::{MODELS, TABLE};
