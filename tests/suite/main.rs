//! The whole house: recorded sessions, determinism, invariants.

mod compare;
mod determinism;
mod engine;
mod golden;
mod policy;
mod property;
mod selection;
mod site;
