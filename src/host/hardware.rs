//! The hardware of hosts as programs see it: CPUs, memory, GPUs.

use serde::{Deserialize, Serialize};

/// A host's hardware.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hardware {
    /// CPUs.
    pub cpus: u32,
    /// Sockets.
    pub sockets: u32,
    /// Cores of each socket.
    pub cores: u32,
    /// Threads of each core.
    pub threads: u32,
    /// MiB.
    pub memory: u64,
    /// GPUs by index.
    pub gpus: Vec<Gpu>,
    /// Whether cgroups hide other jobs' GPUs: each step sees its own, numbered from 0 (`ConstrainDevices` of
    /// cgroup.conf).
    pub constrained: bool,
}

/// One GPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gpu {
    /// `NVIDIA A40`.
    pub model: String,
    /// MiB.
    pub memory: u64,
    /// Maximum power in W.
    pub watts: u32,
}

/// A known GPU model: the type in gres.conf, its name, MiB, W.
struct GpuModel {
    kind: &'static str,
    model: &'static str,
    memory: u64,
    watts: u32,
}

const fn known(kind: &'static str, model: &'static str, memory: u64, watts: u32) -> GpuModel {
    GpuModel { kind, model, memory, watts }
}

const KNOWN: &[GpuModel] = &[
    known("a100", "NVIDIA A100-SXM4-40GB", 40_960, 400),
    known("a100_10g", "GRID A100D-10C", 10_240, 400),
    known("a100_80g", "NVIDIA A100-SXM4-80GB", 81_920, 400),
    known("a40", "NVIDIA A40", 46_068, 300),
    known("h100", "NVIDIA H100 NVL", 95_830, 400),
    known("l4", "NVIDIA L4", 23_034, 72),
    known("l40s", "NVIDIA L40S", 46_068, 350),
    known("p100", "Tesla P100-PCIE-16GB", 16_280, 250),
    known("rtx8000", "Quadro RTX 8000", 49_152, 260),
    known("t4", "Tesla T4", 15_360, 70),
    known("v100", "Tesla V100-SXM2-32GB", 32_768, 300),
    known("v100l", "Tesla V100-SXM2-32GB", 32_768, 300),
];
/// The GPU model if no type is known.
const USUAL: GpuModel = known("", "NVIDIA L4", 23_034, 72);

impl Gpu {
    /// The GPU model for a type in gres.conf (`p100`); a default if there is no type or it is unknown.
    #[must_use]
    pub fn of(kind: Option<&str>) -> Self {
        let found = kind.and_then(|k| KNOWN.iter().find(|known| known.kind.eq_ignore_ascii_case(k)));
        let of = found.unwrap_or(&USUAL);
        let model = match (kind, found) {
            (Some(kind), None) => format!("NVIDIA {}", kind.to_ascii_uppercase()),
            (_, _) => of.model.to_owned(),
        };
        Self { model, memory: of.memory, watts: of.watts }
    }
}
