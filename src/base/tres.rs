//! Trackable resources (TRES) and how Slurm writes amounts of them.

use crate::order::StableSort as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Amounts of trackable resources: memory in MiB, everything else in units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tres {
    /// CPUs.
    pub cpu: u64,
    /// Memory, MiB.
    pub mem: u64,
    /// Nodes.
    pub node: u64,
    /// Billing units (`TRESBillingWeights`).
    pub billing: u64,
    /// Generic resources by name: `gpu`, `gpu:a100`.
    pub gres: BTreeMap<String, u64>,
    /// Licenses by name; counted for limits (`license/matlab`), not shown among a job's TRES.
    pub licenses: BTreeMap<String, u64>,
}

/// The order of the parts of a TRES list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TresOrder {
    /// By TRES ID, as in `scontrol` and `squeue`: `cpu,mem,node,billing,gres/gpu`.
    Id,
    /// By name, as in `sacct`: `billing,cpu,gres/gpu,mem,node`.
    Name,
}

/// The TRES of every cluster, by TRES ID; GRES follow.
pub const BUILT_IN: [&str; 8] = ["cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"];

impl Tres {
    /// The amount of a TRES by name: `cpu`, `mem`, `node`, `billing`, `gres/gpu`, `license/matlab`; 0 if it
    /// is not tracked.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        match name {
            "cpu" => self.cpu,
            "mem" => self.mem,
            "node" => self.node,
            "billing" => self.billing,
            _ => match name.split_once('/') {
                Some(("gres", name)) => self.gres.get(name).copied().unwrap_or(0),
                Some(("license", name)) => self.licenses.get(name).copied().unwrap_or(0),
                _ => 0,
            },
        }
    }

    /// Combines every amount with that of `other`.
    fn each(&mut self, other: &Self, change: impl Fn(u64, u64) -> u64) {
        self.cpu = change(self.cpu, other.cpu);
        self.mem = change(self.mem, other.mem);
        self.node = change(self.node, other.node);
        self.billing = change(self.billing, other.billing);
        for (mine, others) in [(&mut self.gres, &other.gres), (&mut self.licenses, &other.licenses)] {
            for (name, amount) in others {
                let old = mine.get(name).copied().unwrap_or(0);
                match change(old, *amount) {
                    0 => mine.remove(name),
                    new => mine.insert(name.clone(), new),
                };
            }
        }
    }

    /// Adds `times` × `other`.
    pub fn add(&mut self, other: &Self, times: u64) {
        self.each(other, |mine, more| mine.saturating_add(more.saturating_mul(times)));
    }

    /// Subtracts `times` × `other`, saturating at zero.
    pub fn sub(&mut self, other: &Self, times: u64) {
        self.each(other, |mine, less| mine.saturating_sub(less.saturating_mul(times)));
    }

    /// The sort key of a TRES: by ID, then GRES by name.
    #[must_use]
    pub fn sort_key(name: &str) -> (u32, String) {
        (0..)
            .zip(BUILT_IN)
            .find(|(_, n)| *n == name)
            .map_or((8, name.to_owned()), |(i, _)| (i, String::new()))
    }

    /// Formats the amounts: `cpu=4,mem=8000M,node=1,billing=4,gres/gpu=2`. Zero amounts are left out. Only
    /// GRES named in `tracked` (from `AccountingStorageTRES`, without `gres/`) are shown.
    #[must_use]
    pub fn text(&self, order: TresOrder, tracked: &[String]) -> String {
        let mut parts: Vec<(String, String)> = Vec::new();
        let mut push = |name: &str, amount: u64, text: String| {
            if amount > 0 {
                parts.push((name.to_owned(), text));
            }
        };
        push("cpu", self.cpu, self.cpu.to_string());
        push("mem", self.mem, mem_text(self.mem));
        push("node", self.node, self.node.to_string());
        push("billing", self.billing, self.billing.to_string());
        for name in tracked {
            let amount = self.gres.get(name).copied().unwrap_or(0);
            push(&format!("gres/{name}"), amount, amount.to_string());
        }
        if order == TresOrder::Name {
            parts.order();
        }
        parts.iter().map(|(n, t)| format!("{n}={t}")).collect::<Vec<_>>().join(",")
    }
}

/// Formats MiB as Slurm does: in the largest unit in which the number is a multiple of one half, else with
/// two decimals (`1G`, `1500M`, `62.50G`).
#[must_use]
pub fn mem_text(mib: u64) -> String {
    const UNITS: [char; 4] = ['M', 'G', 'T', 'P'];
    // Repeated halving keeps the value exact in binary.
    #[allow(clippy::cast_precision_loss, reason = "sizes are far below 2^53 MiB")]
    let mut value = mib as f64;
    let (mut whole, mut unit) = (mib, 0);
    while unit + 1 < UNITS.len() && whole >= 1024 && whole % 512 == 0 {
        value /= 1024.0;
        whole /= 1024;
        unit += 1;
    }
    #[allow(clippy::cast_precision_loss, reason = "sizes are far below 2^53 MiB")]
    if value == whole as f64 {
        format!("{whole}{}", UNITS[unit])
    } else {
        format!("{value:.2}{}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_as_recorded() {
        for (mib, text) in [
            (1, "1M"),
            (500, "500M"),
            (1024, "1G"),
            (1500, "1500M"),
            (2000, "2000M"),
            (3072, "3G"),
            (8000, "8000M"),
            (8192, "8G"),
            (64_000, "62.50G"),
            (256_000, "250G"),
            (16_384, "16G"),
            (32_000, "32000M"),
            (40_000, "40000M"),
            (10_240, "10G"),
            (1_048_576, "1T"),
        ] {
            assert_eq!(mem_text(mib), text, "{mib}");
        }
    }
}
