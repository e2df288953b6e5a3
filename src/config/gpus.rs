//! GPU models: `[[gpus]]` of `site.toml` describes the GPUs of nodes, including GPUs unknown to Slurm. Also
//! the device constraint of cgroup.conf(5).

use super::SiteFiles;
use super::site_toml::{TomlTable, TomlValue};
use base::hostlist;
use serde::{Deserialize, Serialize};

/// Defaults per GPU of a job (`DefCpuPerGPU`, `DefMemPerGPU`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuDefaults {
    /// CPUs.
    pub cpus: Option<u32>,
    /// MiB.
    pub memory: Option<u64>,
}

/// The GPUs of a set of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteGpus {
    /// Node names.
    pub nodes: Vec<String>,
    /// The model name that `nvidia-smi` prints.
    pub model: String,
    /// Memory of each GPU, MiB.
    pub memory: u64,
    /// GPUs per node; `None`: the count in gres.conf.
    pub count: Option<u32>,
}

impl SiteGpus {
    /// Parses `nodes = "cp3705"`, `model = "NVIDIA A100"`, `memory = 40960` (MiB), `count = 2`.
    pub(super) fn parse(table: &TomlTable) -> Option<Self> {
        let Some(TomlValue::Text(nodes)) = table.get("nodes") else { return None };
        let Some(TomlValue::Text(model)) = table.get("model") else { return None };
        let memory = match table.get("memory") {
            Some(TomlValue::Number(n)) => u64::try_from(*n).ok().filter(|n| (1..=1 << 24).contains(n))?,
            Some(_) => return None,
            None => 40_960,
        };
        let count = match table.get("count") {
            Some(TomlValue::Number(n)) => Some(u32::try_from(*n).ok().filter(|n| *n <= 64)?),
            Some(_) => return None,
            None => None,
        };
        Some(Self { nodes: hostlist::expand(nodes).ok()?, model: model.clone(), memory, count })
    }
}

/// Whether cgroup.conf has `ConstrainDevices=yes`.
#[must_use]
pub fn constrains_devices(files: &SiteFiles) -> bool {
    let text = files.0.get("cgroup.conf").map_or("", String::as_str);
    text.lines().any(|line| {
        let line = line.split('#').next().unwrap_or("");
        let pair = line.split_once('=').map(|(k, v)| (k.trim(), v.trim()));
        pair.is_some_and(|(k, v)| k.eq_ignore_ascii_case("ConstrainDevices") && v.eq_ignore_ascii_case("yes"))
    })
}
