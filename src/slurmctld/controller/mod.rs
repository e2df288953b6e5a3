//! The daemon: its clock, configuration, event triggers and statistics.

pub(crate) mod clock;
mod dispatch;
mod fault;
pub(crate) mod pass_queue;
mod reconfigure;
mod requests;
pub mod stats;
mod teardown;
pub mod triggers;

pub use teardown::Teardown;
