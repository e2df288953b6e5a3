//! The simulation engine. A [`world`] is a simulated cluster on one event queue. A [`session`] is a world with
//! a journal, a pace, keyframes and forks. The page's worker and the command line drive sessions.

pub mod session;
pub mod world;
