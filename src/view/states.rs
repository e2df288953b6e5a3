//! Appearance of states: a pattern and a tone, so that colour is never the only cue.
//!
//! State names are Slurm's: sinfo(1) "NODE STATE CODES", squeue(1) "JOB STATE CODES".

/// A pattern over a node's tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodePattern {
    /// In service.
    #[default]
    Plain,
    /// Dotted: reserved for a planned job.
    Planned,
    /// Diagonals: draining or drained.
    Draining,
    /// A cross: down.
    Down,
    /// A frame: reserved or in maintenance.
    Reserved,
    /// A rising bar: powering up.
    PoweringUp,
    /// Faint: powered down.
    Off,
}

/// Semantic colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Neutral.
    #[default]
    Quiet,
    /// Pending.
    Waiting,
    /// Running.
    Running,
    /// Success.
    Good,
    /// Warning.
    Warn,
    /// Failure.
    Bad,
}

impl Tone {
    /// Its class in the style sheet.
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

/// The pattern for a node state as sinfo prints it, with its suffix.
#[must_use]
pub fn node_pattern(state: &str) -> NodePattern {
    let word = state.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let suffix = &state[word.len()..];
    match word {
        "down" | "fail" | "failg" | "unk" | "inval" | "error" => return NodePattern::Down,
        "drain" | "drng" | "drained" | "draining" => return NodePattern::Draining,
        "resv" | "maint" => return NodePattern::Reserved,
        "plnd" => return NodePattern::Planned,
        "boot" | "reboot" | "pow_up" => return NodePattern::PoweringUp,
        "pow_dn" => return NodePattern::Off,
        _ => {}
    }
    match suffix.chars().next() {
        Some('*') => NodePattern::Down,
        Some('~' | '!' | '%') => NodePattern::Off,
        Some('#' | '@' | '^') => NodePattern::PoweringUp,
        Some('$') => NodePattern::Reserved,
        Some('-') => NodePattern::Planned,
        _ => NodePattern::Plain,
    }
}

/// The tone for a job state by squeue's short code.
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

/// squeue's short code for a long state as in job details (`CANCELLED by 1001` is `CA`).
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
            ("idle", NodePattern::Plain),
            ("mix", NodePattern::Plain),
            ("idle*", NodePattern::Down),
            ("down*", NodePattern::Down),
            ("drng", NodePattern::Draining),
            ("idle~", NodePattern::Off),
            ("alloc#", NodePattern::PoweringUp),
            ("plnd", NodePattern::Planned),
            ("mix-", NodePattern::Planned),
            ("maint", NodePattern::Reserved),
        ];
        for (state, want) in table {
            assert_eq!(node_pattern(state), want, "{state}");
        }
        assert_eq!(job_tone(job_code("CANCELLED by 1001")), Tone::Warn);
        assert_eq!(job_tone(job_code("TIMEOUT")), Tone::Bad);
    }
}
