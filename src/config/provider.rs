//! `[provider]` of `site.toml`: a cloud provider that reclaims instances (spot or preemptible instances).

use super::site_toml::{TomlTable, TomlValue};
use super::value;
use serde::{Deserialize, Serialize};

/// Minimum mean lifetime of an instance, seconds. Reclaims are drawn once a minute.
const SHORTEST: u32 = 600;
/// Maximum notice period, seconds.
const LONGEST_NOTICE: u32 = 3600;

/// How the provider reclaims instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provider {
    /// Mean lifetime of an instance, seconds.
    pub every: u32,
    /// Time between the notice, when jobs get SIGCONT and SIGTERM, and the shutdown, seconds; 0: no notice.
    pub notice: u32,
}

impl Provider {
    /// Parses `every = "6:00:00"`, `notice = "0:30"`.
    pub(super) fn parse(table: &TomlTable) -> Option<Self> {
        let mut provider = Self { every: 0, notice: 0 };
        for key in &table.keys {
            let TomlValue::Text(text) = &key.value else { return None };
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
