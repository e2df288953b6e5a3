//! Histories of real Slurm clusters: converts the output of `scontrol`, `sacctmgr` and `sacct` to a site and a
//! workload, and compares a replay with the recording.
//!
//! Data flows one way: `archive` and `disk` (bounded files) → `shown` and `accounts` (the site) → `sacct` (records) → `history` (jobs)
//! → `workload.events` → `calibrate`. `export.sh` collects the files on a real cluster.

mod accounts;
mod archive;
pub mod calibrate;
#[cfg(not(target_arch = "wasm32"))]
mod disk;
mod events;
mod export;
mod findings;
mod history;
mod intake;
mod kinds;
mod request;
pub mod sacct;
pub mod scontrol_show;
mod swf;
#[cfg(test)]
mod tests;

#[cfg(not(target_arch = "wasm32"))]
pub use disk::import;
pub use export::SCRIPT as EXPORT_SCRIPT;
pub use findings::ImportFindings;
pub use intake::{ImportReport, import_bytes};

/// The file of a site that holds its imported workload.
pub const WORKLOAD: &str = "workload.events";
/// The file of a site that lists what the import guessed and omitted.
pub const FINDINGS: &str = "import.txt";
