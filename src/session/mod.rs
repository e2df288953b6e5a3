//! A world with a journal, a pace, keyframes and forks: what the page and the command line drive.
//!
//! - [`Session`] a world and everything that was done to it: save, resume, seek, fork
//! - [`Engine`] a session behind the messages of [`crate::protocol`], driven in slices by the web worker
//! - [`explain`] why a job waits, and what would change it
//! - [`lesson`] steps that notice by themselves when they are done
//! - [`scenario`] fixed journals whose hashes must be the same on every machine

mod complete;
mod engine;
mod explain;
mod frame;
mod futures;
pub mod journal;
mod keyframes;
pub mod lesson;
mod link;
mod pace;
mod recorded;
pub mod replay;
mod saved;
mod scenario;
mod screen;
mod skip;
mod track;
mod travel;

pub use complete::complete;
pub use engine::Engine;
pub use explain::{Explanation, Inquiry, explain};
pub use futures::Future;
pub use link::{BadLink, Link, MAX_LINK};
pub use recorded::{Session, Setup};
pub use saved::Unreadable;
pub use scenario::{SCENARIOS, busy, scenario};
pub use screen::Screen;
pub use track::MAX_TERMINALS;
