//! What people find on a cluster besides Unix and Slurm: GPU tools, containers, environments, compilers, launchers.
//!
//! Programs that compute are models (`host::model`); here is what prepares, starts and watches them. Most of that needs
//! nothing but what bash and Unix have, so it is bash (`scripts/`), run by the simulated one: `cat $(which conda)` shows it.

pub mod manual;
pub mod nvidia_smi;
pub mod partition_stats;
mod table;

pub use table::{FILES, MODELS, SITE_TOOLS, TABLE};
