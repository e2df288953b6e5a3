//! `Flags` of a QOS, as sacctmgr(1) takes and shows them.

use super::Qos;
use serde::{Deserialize, Serialize};

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A flag of a QOS.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum QosFlag { $($(#[$doc])* $name,)* }

        impl QosFlag {
            /// All flags, in Slurm's order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Slurm's name of the flag.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

flags! {
    /// A job that exceeds a limit by itself is refused at submission instead of pending.
    DenyOnLimit = "DenyOnLimit";
    /// Jobs of associations whose fair share is below `UsageThreshold` stay pending.
    EnforceUsageThreshold = "EnforceUsageThreshold";
    /// Its usage is not decayed.
    NoDecay = "NoDecay";
    /// Backfill makes no reservations for its jobs.
    NoReserve = "NoReserve";
    /// Its limits take precedence over those of the partition's QOS.
    OverPartQos = "OverPartQOS";
    /// Its jobs may have more nodes than the partition's `MaxNodes`.
    PartitionMaxNodes = "PartitionMaxNodes";
    /// Its jobs may have fewer nodes than the partition's `MinNodes`.
    PartitionMinNodes = "PartitionMinNodes";
    /// Its jobs may run longer than the partition's `MaxTime`.
    PartitionTimeLimit = "PartitionTimeLimit";
    /// Its limits are percentages of the cluster or, as a partition's QOS, of the partition.
    Relative = "Relative";
    /// Only for jobs in a reservation.
    RequiresReservation = "RequiresReservation";
    /// With `AccountingStorageEnforce=safe`, the expected usage of a job is multiplied by `UsageFactor`.
    UsageFactorSafe = "UsageFactorSafe";
}

impl QosFlag {
    /// All of them, in the order in which Slurm lists them.
    pub const SHOWN: &'static [Self] = &[
        Self::DenyOnLimit,
        Self::EnforceUsageThreshold,
        Self::PartitionMinNodes,
        Self::PartitionMaxNodes,
        Self::PartitionTimeLimit,
        Self::RequiresReservation,
        Self::OverPartQos,
        Self::NoReserve,
        Self::NoDecay,
        Self::Relative,
        Self::UsageFactorSafe,
    ];

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

    /// The flags that are set, in Slurm's order.
    #[must_use]
    pub fn flag_names(&self) -> String {
        let set = QosFlag::SHOWN.iter().filter(|flag| self.has(**flag));
        set.map(|flag| flag.text()).collect::<Vec<_>>().join(",")
    }
}
