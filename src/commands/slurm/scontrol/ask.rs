//! What scontrol asks slurmctld to change, and how it tells of a refusal.

use crate::commands::Cx;
use crate::slurmctld::request::Request;

/// Asks; `what` stands before the error as Slurm's tool writes it.
///
/// # Errors
/// slurmctld's messages, and `what: the error`.
pub(super) fn ask(cx: &mut Cx, request: Request, what: &str) -> Result<(), String> {
    cx.slurm.request(cx.uid(), request).done().map_err(|(error, messages)| {
        let mut lines: Vec<String> = messages.iter().map(|m| format!("scontrol: {m}")).collect();
        lines.push(format!("{what}: {error}"));
        lines.join("\n")
    })
}
