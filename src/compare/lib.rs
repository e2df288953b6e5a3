//! Compares policies. A plan lists policies, workloads and resamples. Each cell of the plan is a replay, and the
//! differences between paired cells are reported with intervals and a verdict in words.
//!
//! A cell is a pure function of the plan, the site, the trace and its number. Cells can therefore run on all cores, on
//! other machines or after an interruption, and the report is the same byte for byte. Files, clocks and terminals are
//! the caller's. The method is described in `docs/compare.md`.

pub mod affected;
pub mod cell;
mod csv;
pub mod difference;
mod fairness;
pub mod feedback;
pub mod measure;
#[cfg(feature = "parquet")]
pub mod parquet_tables;
pub mod plan;
pub mod policy;
pub mod report;
pub mod resample;
pub mod service;
pub mod statistics;
pub mod study;
pub mod sweep;
#[cfg(test)]
mod tests;
mod words;
