//! Slurm releases that the commands can imitate: what `--version` prints, and which data parsers exist.
//!
//! `sandbatch cluster up --slurm-version` selects one through the environment of each command. All other output is that
//! of the newest release.

use crate::Cx;

/// The variable that chooses a release.
pub const VARIABLE: &str = "SANDBATCH_SLURM_VERSION";

/// A release.
#[derive(Debug, PartialEq, Eq)]
pub struct Release {
    /// Year and month.
    pub name: &'static str,
    /// What `--version` prints.
    pub version: &'static str,
    /// The numbers of its data parsers (45: v0.0.45), in the order in which they are listed. Empty if it has none.
    pub parsers: &'static [u32],
    /// The default parser.
    pub parser: u32,
}

/// All releases, the default first. The order of the parsers of 26.05 was recorded; for the others it is unknown.
pub const RELEASES: &[Release] = &[
    Release { name: "26.05", version: "slurm 26.05.3", parsers: &[43, 42, 45, 44], parser: 45 },
    Release { name: "25.11", version: "slurm 25.11.4", parsers: &[41, 42, 43, 44], parser: 44 },
    Release { name: "25.05", version: "slurm 25.05.3", parsers: &[40, 41, 42, 43], parser: 43 },
    Release { name: "24.11", version: "slurm 24.11.5", parsers: &[40, 41, 42], parser: 42 },
    Release { name: "24.05", version: "slurm 24.05.5", parsers: &[39, 40, 41], parser: 41 },
    Release { name: "23.11", version: "slurm 23.11.10", parsers: &[39, 40], parser: 40 },
    Release { name: "23.02", version: "slurm 23.02.8", parsers: &[39], parser: 39 },
    Release { name: "22.05", version: "slurm 22.05.11", parsers: &[], parser: 38 },
];

/// The oldest data parser with a known structure.
pub const OLDEST: u32 = 40;

/// The release with this name, otherwise the newest.
#[must_use]
pub fn named(name: &str) -> &'static Release {
    RELEASES.iter().find(|release| release.name == name).unwrap_or(&RELEASES[0])
}

/// The release that a command imitates.
#[must_use]
pub fn of(cx: &Cx) -> &'static Release {
    named(cx.env.get(VARIABLE).map_or("", String::as_str))
}

/// The number of a data parser: 45 for `v0.0.45`.
#[must_use]
pub fn parser_number(text: &str) -> Option<u32> {
    text.strip_prefix("v0.0.")?.parse().ok()
}
