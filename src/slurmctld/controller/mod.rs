//! The daemon: its clock, configuration, event triggers and statistics.

pub(crate) mod clock;
mod dispatch;
pub(crate) mod pass_queue;
mod reconfigure;
mod remains;
mod requests;
pub mod stats;
pub mod triggers;

pub use remains::Remains;
