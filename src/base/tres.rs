//! Trackable resources (TRES) and how Slurm writes amounts of them.

use crate::base::order::Order as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Amounts of what is tracked. Memory is in MiB, everything else in units.
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
    /// Licences by name; counted for limits (`license/matlab`), not shown among a job's TRES.
    pub licenses: BTreeMap<String, u64>,
}

/// In which order the parts of a TRES list are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TresOrder {
    /// By TRES id, as `scontrol` and `squeue`: `cpu,mem,node,billing,gres/gpu`.
    Id,
    /// By name, as `sacct`: `billing,cpu,gres/gpu,mem,node`.
    Name,
}

/// What every cluster tracks, in the order of TRES ids; GRES follow.
pub const BUILT_IN: [&str; 8] = ["cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"];

impl Tres {
    /// The amount of one TRES by its name: `cpu`, `mem`, `node`, `billing`, `gres/gpu`, `license/matlab`; 0 for what
    /// is not counted.
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

    /// Changes every amount by that of `other`.
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

    /// Adds `times` what `other` has.
    pub fn add(&mut self, other: &Self, times: u64) {
        self.each(other, |mine, more| mine.saturating_add(more.saturating_mul(times)));
    }

    /// Takes `times` what `other` has away; nothing goes below zero.
    pub fn sub(&mut self, other: &Self, times: u64) {
        self.each(other, |mine, less| mine.saturating_sub(less.saturating_mul(times)));
    }

    /// Where a TRES stands among others: in the order of ids, GRES by name after those that every cluster has.
    #[must_use]
    pub fn place(name: &str) -> (u32, String) {
        (0..)
            .zip(BUILT_IN)
            .find(|(_, n)| *n == name)
            .map_or((8, name.to_owned()), |(i, _)| (i, String::new()))
    }

    /// `cpu=4,mem=8000M,node=1,billing=4,gres/gpu=2`; parts that are zero are left out. Only gres names
    /// in `tracked` (from `AccountingStorageTRES`, without the `gres/`) are shown.
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

/// MiB as Slurm writes them: a larger unit as long as half of it divides the number (`1G`, `1500M`, `62.50G`).
#[must_use]
pub fn mem_text(mib: u64) -> String {
    const UNITS: [char; 4] = ['M', 'G', 'T', 'P'];
    // Thousandths would not do: halves of units repeat, so a value is whole, or exact in binary.
    #[allow(clippy::cast_precision_loss)]
    let mut value = mib as f64;
    let (mut whole, mut unit) = (mib, 0);
    while unit + 1 < UNITS.len() && whole >= 1024 && whole % 512 == 0 {
        value /= 1024.0;
        whole /= 1024;
        unit += 1;
    }
    #[allow(clippy::cast_precision_loss)]
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
