//! `scontrol create` and `delete nodename=`.

use super::ask::ask;
use crate::commands::Cx;
use crate::slurmctld::request::Request;

/// `create nodename=NAMES KEY=VALUE ...`: what would stand in slurm.conf.
pub fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    ask(cx, Request::CreateNodes(args.join(" ")), "Error creating the node(s)")
}

/// `delete nodename=NAMES`; `arg` as written.
pub fn delete(cx: &mut Cx, arg: &str, names: &str) -> Result<(), String> {
    ask(cx, Request::DeleteNodes(names.to_owned()), &format!("delete_node {arg}"))
}
