//! Nodes: their states, failures and recoveries, power saving, and dynamic nodes.

pub(crate) mod dynamic;
mod events;
mod pings;
pub(crate) mod power_save;
mod update;
