//! `[provider]` of `site.toml`: whoever owns a cloud's machines takes them back now and then (spot, preemptible machines).

use super::toml::{Table, Value};
use super::value;
use serde::{Deserialize, Serialize};

/// Shortest mean life of a machine, seconds: each minute is looked at once.
const SHORTEST: u32 = 600;
/// Longest notice, seconds.
const LONGEST_NOTICE: u32 = 3600;

/// How the provider takes machines back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provider {
    /// How long a machine that is switched on stays on average, seconds.
    pub every: u32,
    /// From the notice, with which jobs get SIGCONT and SIGTERM, to the end, seconds; 0: there is no notice.
    pub notice: u32,
}

impl Provider {
    /// `every = "6:00:00"`, `notice = "0:30"`.
    pub(super) fn parse(table: &Table) -> Option<Self> {
        let mut provider = Self { every: 0, notice: 0 };
        for key in &table.keys {
            let Value::Text(text) = &key.value else { return None };
            let seconds = value::seconds(text)?;
            match key.name.as_str() {
                "every" => provider.every = seconds,
                "notice" => provider.notice = seconds,
                _ => return None,
            }
        }
        (provider.every >= SHORTEST && provider.notice <= LONGEST_NOTICE).then_some(provider)
    }
}
