//! Words for the states of jobs.

use crate::i18n::Words;
use protocol::QueueRow;

/// A row's state in a word. For other states, Slurm's name.
pub fn state_word<'a>(row: &'a QueueRow, words: &'static Words) -> &'a str {
    match row.state.as_str() {
        "PD" if row.nodelist.starts_with("(JobHeld") => words.state_held,
        "PD" => words.state_pending,
        "R" => words.state_running,
        "CF" => words.state_starting,
        "CG" | "SO" => words.state_ending,
        "CD" => words.state_completed,
        "F" => words.state_failed,
        "CA" | "RV" => words.state_cancelled,
        "TO" => words.state_timeout,
        "OOM" => words.state_memory,
        "NF" => words.state_node,
        "BF" => words.state_boot,
        "PR" => words.state_preempted,
        "S" => words.state_suspended,
        "ST" => words.state_stopped,
        "RQ" => words.state_requeued,
        "RH" | "RD" | "SE" => words.state_held,
        "DL" => words.state_deadline,
        "LF" => words.state_launch,
        _ => &row.state_long,
    }
}
