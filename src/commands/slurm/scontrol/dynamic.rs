//! `scontrol create` and `delete nodename=`.

use super::ask::ask;
use crate::Cx;
use slurmctld::request::Request;

/// `create nodename=NAMES KEY=VALUE ...`: the definition as in slurm.conf.
pub fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    ask(cx, Request::CreateNodes(args.join(" ")), "Error creating node(s)")
}

/// `delete nodename=NAMES`; `arg` as typed.
pub fn delete(cx: &mut Cx, arg: &str, names: &str) -> Result<(), String> {
    ask(cx, Request::DeleteNodes(names.to_owned()), &format!("delete_node {arg}"))
}
