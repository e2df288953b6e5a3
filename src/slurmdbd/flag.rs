//! `Flags` of a QOS, as sacctmgr(1) takes and shows them.

use super::Qos;
use serde::{Deserialize, Serialize};

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A flag of a QOS.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum QosFlag { $($(#[$doc])* $name,)* }

        impl QosFlag {
            /// All of them, in their order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Slurm's word for it.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

flags! {
    /// What exceeds a limit by itself is refused instead of kept waiting.
    DenyOnLimit = "DenyOnLimit";
    /// Jobs of associations whose fair share is below `UsageThreshold` wait.
    EnforceUsageThreshold = "EnforceUsageThreshold";
    /// Its usage is not decayed.
    NoDecay = "NoDecay";
    /// Backfill keeps no nodes for its jobs.
    NoReserve = "NoReserve";
    /// Its limits come before those of the partition's QOS.
    OverPartQos = "OverPartQOS";
    /// Its jobs may have more nodes than the partition's `MaxNodes`.
    PartitionMaxNodes = "PartitionMaxNodes";
    /// Its jobs may have fewer nodes than the partition's `MinNodes`.
    PartitionMinNodes = "PartitionMinNodes";
    /// Its jobs may run longer than the partition's `MaxTime`.
    PartitionTimeLimit = "PartitionTimeLimit";
    /// Its limits are per cent of the cluster or, as a partition's QOS, of the partition.
    Relative = "Relative";
    /// Only for jobs in a reservation.
    RequiresReservation = "RequiresReservation";
    /// With `AccountingStorageEnforce=safe`, `UsageFactor` counts for what a job is going to use.
    UsageFactorSafe = "UsageFactorSafe";
}

impl QosFlag {
    /// The flag of this name, in any case.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|f| f.text().eq_ignore_ascii_case(word))
    }
}

impl Qos {
    /// Whether a flag is set.
    #[must_use]
    pub fn has(&self, flag: QosFlag) -> bool {
        self.flags.contains(&flag)
    }
}
