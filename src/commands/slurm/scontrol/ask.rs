//! What scontrol asks slurmctld to change, and how it tells of a refusal.

use crate::commands::Cx;
use crate::slurmctld::request::{Request, Response};

/// Asks; `what` stands before the error as Slurm's tool writes it.
///
/// # Errors
/// slurmctld's messages, and `what: the error`.
pub(super) fn ask(cx: &mut Cx, request: Request, what: &str) -> Result<(), String> {
    match cx.slurm.request(cx.uid(), request) {
        Response::Err { error, messages } => {
            let mut lines: Vec<String> = messages.iter().map(|m| format!("scontrol: {m}")).collect();
            lines.push(format!("{what}: {error}"));
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
