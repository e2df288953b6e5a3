//! scontrol's change requests to slurmctld, and its messages about refusals.

use crate::Cx;
use slurmctld::request::Request;

/// Sends a request; `what` precedes the error in the format of Slurm's tool.
///
/// # Errors
/// slurmctld's messages, and `what: the error`.
pub(super) fn ask(cx: &mut Cx, request: Request, what: &str) -> Result<(), String> {
    cx.cluster.request(cx.uid(), request).done().map_err(|(error, messages)| {
        let mut lines: Vec<String> = messages.iter().map(|m| format!("scontrol: {m}")).collect();
        lines.push(format!("{what}: {error}"));
        lines.join("\n")
    })
}
