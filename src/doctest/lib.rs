//! Checks the Slurm examples of documentation against simulated sites.
//!
//! [`Checker::page`] reads a page (crate `doc`), submits the request of every script and command in a fork of a site's
//! world, and reports Slurm's answer for each block. Nothing here reads files: pages, includes and sibling files come
//! from the caller.

mod baseline;
mod bind;
mod check;
mod config_file;
mod finding;
mod fix;
mod init;
mod intended;
mod options;
mod outputs;
pub mod report;
mod requests;
mod run;
mod scripts;
mod site;
mod slips;
#[cfg(test)]
mod tests;
mod tools;

pub use baseline::Baseline;
pub use check::{CheckedPage, Checker, PageFiles};
pub use config_file::DoctestConfig;
pub use finding::{BlockVerdict, CheckedBlock, DocFinding, DocFix};
pub use fix::apply as apply_fixes;
pub use init::{Proposal, propose};
pub use site::DocSite;
