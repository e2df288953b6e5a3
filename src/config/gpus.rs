//! `[[gpus]]` of `site.toml`: what the GPUs of nodes are, and GPUs that Slurm does not know of. Also what cgroup.conf(5)
//! says about devices.

use super::SiteFiles;
use super::toml::{Table, Value};
use crate::base::hostlist;
use serde::{Deserialize, Serialize};

/// What a job gets for each of its GPUs unless it says otherwise (`DefCpuPerGPU`, `DefMemPerGPU`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuDefaults {
    /// CPUs.
    pub cpus: Option<u32>,
    /// MiB.
    pub memory: Option<u64>,
}

/// The GPUs of some nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteGpus {
    /// The nodes' names.
    pub nodes: Vec<String>,
    /// What `nvidia-smi` calls them.
    pub model: String,
    /// MiB of each.
    pub memory: u64,
    /// How many there are; none: as many as gres.conf says.
    pub count: Option<u32>,
}

impl SiteGpus {
    /// `nodes = "cp3705"`, `model = "NVIDIA A100"`, `memory = 40960` (MiB), `count = 2`.
    pub(super) fn parse(table: &Table) -> Option<Self> {
        let Some(Value::Text(nodes)) = table.get("nodes") else { return None };
        let Some(Value::Text(model)) = table.get("model") else { return None };
        let memory = match table.get("memory") {
            Some(Value::Number(n)) => u64::try_from(*n).ok().filter(|n| (1..=1 << 24).contains(n))?,
            Some(_) => return None,
            None => 40_960,
        };
        let count = match table.get("count") {
            Some(Value::Number(n)) => Some(u32::try_from(*n).ok().filter(|n| *n <= 64)?),
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
