//! A world with a journal, a pace, keyframes and forks: what the page and the command line drive.
//!
//! - [`Session`]: a world and all its inputs; save, resume, seek, fork
//! - [`Engine`]: a session behind the messages of [`protocol`], driven in slices by the web worker
//! - [`explain`]: why a job is pending, and what would change that
//! - [`lesson`]: lessons whose steps detect when they are done
//! - [`scenario`]: fixed journals whose hashes must be the same on every machine

mod branches;
mod complete;
mod engine;
mod explain;
mod frame;
pub mod journal;
mod keyframes;
pub mod lesson;
mod link;
mod old;
mod pace;
mod rebuild;
mod recorded;
pub mod replay;
mod resume;
mod saved;
mod scenario;
mod screen;
mod sections;
mod skip;
mod track;
mod travel;
mod words;

pub use branches::BranchSummary;
pub use complete::complete;
pub use engine::Engine;
pub use explain::{Explanation, Inquiry, explain};
pub use link::{BadLink, Link, MAX_LINK};
pub use recorded::{Session, Setup};
pub use resume::Resuming;
pub use saved::Unreadable;
pub use scenario::{SCENARIOS, busy, scenario};
pub use screen::Screen;
pub use track::MAX_TERMINALS;
