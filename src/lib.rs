//! sandbatch: a whole Slurm cluster, simulated.
//!
//! The map of the crate, lowest room first. A room may know only rooms above its own line
//! (`tests/tidy.rs` holds the `use` lines to that):
//!
//! - [`base`] words that everything speaks: time, ids, host lists, TRES, bit sets
//! - [`config`] `slurm.conf`, `gres.conf` and a site's files, read into one [`config::Cluster`]
//! - [`host`] the simulated Unix: users, files, processes, pipes, terminals, signals
//! - [`shell`] bash in virtual time; it knows no Slurm
//! - [`slurmdbd`] associations, QOS and the history of jobs
//! - [`slurmctld`] the controller: jobs, nodes, partitions, scheduling
//! - [`slurmd`] what happens on a node: launching, limits, program models
//! - [`commands`] the programs that a person types, Slurm's and Unix'
//! - [`world`] all of it on one event queue
//! - [`protocol`] the messages between page and engine
//! - [`session`] a world with a journal, a pace, keyframes and forks
//! - [`view`] geometry and formatting of pictures, without a browser
//! - `later` the second half of the page's programs, loaded behind their first (in a browser only, as `ui` is)

pub mod base;
pub mod commands;
pub mod config;
pub mod host;
pub mod protocol;
pub mod session;
pub mod shell;
pub mod slurmctld;
pub mod slurmd;
pub mod slurmdbd;
pub mod view;
pub mod world;

#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub mod later;
#[cfg(all(feature = "web", target_arch = "wasm32"))]
pub mod ui;
