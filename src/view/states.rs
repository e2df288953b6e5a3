//! What a state looks like: a pattern and a tone, so that colour is never the only news. States are Slurm's words
//! (sinfo(1) "NODE STATE CODES", squeue(1) "JOB STATE CODES").

/// A pattern over a node's tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// In service.
    #[default]
    Plain,
    /// Dotted: kept for a planned job.
    Planned,
    /// Diagonals: takes no more jobs.
    Draining,
    /// A cross: not there.
    Down,
    /// A frame: reserved or in maintenance.
    Reserved,
    /// A rising bar: starting.
    PoweringUp,
    /// Faint: switched off.
    Off,
}

/// What kind of news something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing to be said.
    #[default]
    Quiet,
    /// It waits.
    Waiting,
    /// It runs.
    Running,
    /// It ended well.
    Good,
    /// Worth a look.
    Warn,
    /// It went wrong.
    Bad,
}

impl Tone {
    /// The class in the style sheet.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

/// The pattern of a node's state as sinfo prints it in small letters, with its suffix.
#[must_use]
pub fn node_pattern(state: &str) -> Pattern {
    let word = state.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let suffix = &state[word.len()..];
    match word {
        "down" | "fail" | "failg" | "unk" | "inval" | "error" => return Pattern::Down,
        "drain" | "drng" | "drained" | "draining" => return Pattern::Draining,
        "resv" | "maint" => return Pattern::Reserved,
        "plnd" => return Pattern::Planned,
        "boot" | "reboot" | "pow_up" => return Pattern::PoweringUp,
        "pow_dn" => return Pattern::Off,
        _ => {}
    }
    match suffix.chars().next() {
        Some('*') => Pattern::Down,
        Some('~' | '!' | '%') => Pattern::Off,
        Some('#' | '@' | '^') => Pattern::PoweringUp,
        Some('$') => Pattern::Reserved,
        Some('-') => Pattern::Planned,
        _ => Pattern::Plain,
    }
}

/// The tone of a job's state, by squeue's short code.
#[must_use]
pub fn job_tone(code: &str) -> Tone {
    match code {
        "PD" | "RD" | "RF" | "RQ" | "RH" => Tone::Waiting,
        "R" | "CF" | "CG" | "SI" | "SO" | "RS" => Tone::Running,
        "CD" => Tone::Good,
        "S" | "ST" | "PR" | "RV" | "SE" | "CA" => Tone::Warn,
        "F" | "NF" | "OOM" | "TO" | "BF" | "DL" | "LF" => Tone::Bad,
        _ => Tone::Quiet,
    }
}

/// squeue's short code of a state in full words, as job details carry it (`CANCELLED by 1001` is `CA`).
#[must_use]
pub fn job_code(state: &str) -> &'static str {
    match state.split_whitespace().next().unwrap_or("") {
        "PENDING" => "PD",
        "RUNNING" => "R",
        "SUSPENDED" => "S",
        "COMPLETING" => "CG",
        "COMPLETED" => "CD",
        "CONFIGURING" => "CF",
        "CANCELLED" => "CA",
        "FAILED" => "F",
        "TIMEOUT" => "TO",
        "NODE_FAIL" => "NF",
        "PREEMPTED" => "PR",
        "OUT_OF_MEMORY" => "OOM",
        "BOOT_FAIL" => "BF",
        "DEADLINE" => "DL",
        "REQUEUED" => "RQ",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_and_tones() {
        let table = [
            ("idle", Pattern::Plain),
            ("mix", Pattern::Plain),
            ("idle*", Pattern::Down),
            ("down*", Pattern::Down),
            ("drng", Pattern::Draining),
            ("idle~", Pattern::Off),
            ("alloc#", Pattern::PoweringUp),
            ("plnd", Pattern::Planned),
            ("mix-", Pattern::Planned),
            ("maint", Pattern::Reserved),
        ];
        for (state, want) in table {
            assert_eq!(node_pattern(state), want, "{state}");
        }
        assert_eq!(job_tone(job_code("CANCELLED by 1001")), Tone::Warn);
        assert_eq!(job_tone(job_code("TIMEOUT")), Tone::Bad);
    }
}
