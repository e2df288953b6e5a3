//! The whole house: recorded sessions, determinism, invariants.

mod bad_trace;
mod bash;
mod bash_generated;
mod bench;
mod block;
mod compare;
mod config;
mod determinism;
mod dynamic;
mod ends;
mod engine;
mod golden;
mod mcs;
mod policy;
mod power;
mod property;
mod reconfigure;
mod recorded;
mod resize;
mod seeds;
mod selection;
mod site;
mod steps;
mod told;
