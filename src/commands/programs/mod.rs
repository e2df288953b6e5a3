//! Cluster software besides Unix and Slurm: GPU tools, containers, environments, compilers, launchers.
//!
//! Programs that compute are models (`host::model`). This module holds the programs that prepare, start and
//! watch them. Most need only bash and Unix commands, so they are bash scripts (`scripts/`) that the
//! simulated bash runs: `cat $(which conda)` shows one.

pub mod manual;
pub mod native;
pub mod nvidia_smi;
pub mod partition_stats;
mod table;

pub use table::{FILES, MODELS, SITE_TOOLS, TABLE};
