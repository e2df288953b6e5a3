//! Edits: the named changes of stored jobs and nodes.
//!
//! Invariant: nothing outside of [`crate::state`] assigns to a stored record. The tables hand out shared references
//! only, and [`super::jobs::JobTable::apply`] and [`super::nodes::NodeTable::apply`] take an edit. An edit can be made
//! only here, because its field is private. The tables update their indices and the change log around each edit.
//!
//! An edit is a closure in a wrapper and costs no more than the assignments.
//!
//! A draft of a job (a clone, or a job before it is inserted) is an ordinary value that any code may change.

pub(crate) mod array;
pub(crate) mod life;
pub(crate) mod node;
pub(crate) mod pending;
pub(crate) mod power;
pub(crate) mod request;
pub(crate) mod steps;

use super::job::Job;
use super::node::Node;

/// A named change of one job.
#[must_use = "an edit changes nothing until a table applies it"]
pub(crate) struct JobEdit<F: FnOnce(&mut Job)>(pub(in crate::state) F);

/// A named change of one node.
#[must_use = "an edit changes nothing until a table applies it"]
pub(crate) struct NodeEdit<F: FnOnce(&mut Node)>(pub(in crate::state) F);
