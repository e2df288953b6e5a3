//! What another policy would have done: a plan names policies, workloads and resamples; each cell of the plan is a replay,
//! and the differences of paired cells come with intervals and a verdict in words.
//!
//! A cell is a pure function of the plan, the site, the trace and its number. Cells can therefore run on all cores, on
//! other machines or after an interruption, and the report has the same bytes. Files, clocks and terminals are the
//! caller's. The method is described in `docs/compare.md`.

pub mod affected;
pub mod cell;
mod csv;
pub mod difference;
mod fairness;
pub mod feedback;
pub mod measure;
pub mod plan;
pub mod policy;
mod report;
pub mod resample;
pub mod statistics;
pub mod study;
pub mod sweep;
#[cfg(test)]
mod tests;
mod words;
