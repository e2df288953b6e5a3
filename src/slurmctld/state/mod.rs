//! The controller's state: records of jobs, steps and nodes, and their types.
//!
//! Everything else in this crate builds on these types. Nothing here imports another module of the crate, except for
//! functions that read the whole controller.

pub(crate) mod billing;
pub(crate) mod changes;
pub mod desc;
pub mod details;
pub(crate) mod edit;
pub mod error;
pub mod factors;
pub(crate) mod features;
pub mod job;
pub mod job_text;
pub mod jobs;
pub mod node;
pub mod nodes;
pub mod reason;
pub(crate) mod saved;
pub mod step;
pub(crate) mod waiting;
