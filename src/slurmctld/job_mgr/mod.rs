//! Job management: submission, updates, requeues, arrays, heterogeneous jobs, dependencies, and ends.
//!
//! These modules carry out requests and the scheduler's decisions.

mod accounting;
mod apply;
pub mod array;
pub(crate) mod changed;
mod control;
pub(crate) mod depend;
mod eligible;
mod ending;
pub(crate) mod hetjob;
mod immediate;
mod kill;
mod life;
pub(crate) mod mail;
mod passes;
pub mod prolog;
mod resize;
mod scrontab;
pub(crate) mod submit;
mod suspend;
mod tally;
mod update;
pub(crate) mod waiting;
mod will_run;
