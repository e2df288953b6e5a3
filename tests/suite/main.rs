//! The whole house: recorded sessions, determinism, invariants.

mod compare;
mod determinism;
mod engine;
mod golden;
mod property;
mod selection;
mod site;
