//! Values derived from the node and GRES entries.

use super::{GresConf, NodeConf};
use base::bitset::BitSet;

/// Maximum number of distinguishable units of one GRES on a node; above it, several form one unit.
const MAX_UNITS: u32 = 65_536;

impl GresConf {
    /// The count per unit: one, unless the count is very large.
    #[must_use]
    pub const fn grain(&self) -> u32 {
        let grain = self.count.div_ceil(MAX_UNITS);
        if grain == 0 { 1 } else { grain }
    }

    /// The number of units on the node.
    #[must_use]
    pub const fn units(&self) -> u32 {
        self.count / self.grain()
    }

    /// The count of `units` units.
    #[must_use]
    pub fn amount(&self, units: u32) -> u64 {
        u64::from(units) * u64::from(self.grain())
    }

    /// Whether its units are shares of GPUs.
    #[must_use]
    pub fn shares(&self) -> bool {
        self.name == "shard" || self.name == "mps"
    }

    /// Whether its units are GPUs.
    #[must_use]
    pub fn is_gpu(&self) -> bool {
        self.name == "gpu"
    }
}

impl NodeConf {
    /// Whether an idle node with this configuration offers jobs the same resources as one with `other`.
    #[must_use]
    pub fn gives_like(&self, other: &Self) -> bool {
        let size = |n: &Self| (n.sockets, n.cores_per_socket, n.threads_per_core, n.cpus, n.core_spec);
        let memory = |n: &Self| (n.real_memory, n.mem_spec_limit);
        size(self) == size(other) && memory(self) == memory(other) && self.gres == other.gres
    }

    /// The number of cores.
    #[must_use]
    pub const fn cores(&self) -> u32 {
        self.sockets * self.cores_per_socket
    }

    /// CPUs per core: its threads, or one if `CPUs` equals the number of cores.
    #[must_use]
    pub const fn cpus_per_core(&self) -> u32 {
        match self.cpus.checked_div(self.cores()) {
            Some(n) if n > 0 => n,
            _ => 1,
        }
    }

    /// Memory available to jobs, MiB.
    #[must_use]
    pub const fn usable_memory(&self) -> u64 {
        self.real_memory.saturating_sub(self.mem_spec_limit)
    }

    /// Whether the node has GRES that are shares of its GPUs.
    #[must_use]
    pub fn shares_gpus(&self) -> bool {
        self.gres.iter().any(GresConf::shares)
    }

    /// Cores in the order in which they are reserved for the system: the last core of each socket in turn,
    /// starting at the last socket.
    fn spare(&self) -> impl Iterator<Item = u32> + '_ {
        let sockets = self.sockets.max(1);
        (0..self.cores().saturating_sub(1))
            .map(move |i| (sockets - i % sockets) * self.cores_per_socket - 1 - i / sockets)
    }

    /// The cores available to jobs: all but `CoreSpecCount`.
    #[must_use]
    pub fn job_cores(&self) -> BitSet {
        let mut cores = BitSet::full(self.cores());
        self.spare().take(self.core_spec as usize).for_each(|core| cores.remove(core));
        cores
    }

    /// The cores available to a job with `--core-spec`. If it reserves fewer than `CoreSpecCount`, it
    /// reserves the first of those.
    #[must_use]
    pub fn cores_but(&self, spec: u32) -> BitSet {
        let mut spare: BitSet = self.spare().take(self.core_spec.max(spec) as usize).collect();
        spare = spare.iter().take(spec as usize).collect();
        let mut cores = BitSet::full(self.cores());
        cores.subtract(&spare);
        cores
    }
}
