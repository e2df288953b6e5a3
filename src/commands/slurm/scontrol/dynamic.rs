//! `scontrol create` and `delete nodename=`.

use crate::commands::Cx;
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::request::{Request, Response};

/// `create nodename=NAMES KEY=VALUE ...`: what would stand in slurm.conf.
pub fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let response = cx.slurm.request(cx.uid(), Request::CreateNodes(args.join(" ")));
    refused(response, |error| format!("Error creating the node(s): {error}"))
}

/// `delete nodename=NAMES`; `arg` as written.
pub fn delete(cx: &mut Cx, arg: &str, names: &str) -> Result<(), String> {
    let response = cx.slurm.request(cx.uid(), Request::DeleteNodes(names.to_owned()));
    refused(response, |error| format!("delete_node {arg}: {error}"))
}

fn refused(response: Response, last: impl Fn(SlurmError) -> String) -> Result<(), String> {
    match response {
        Response::Err { error, messages } => {
            let mut lines: Vec<String> = messages.iter().map(|m| format!("scontrol: {m}")).collect();
            lines.push(last(error));
            Err(lines.join("\n"))
        }
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_) => Ok(()),
    }
}
