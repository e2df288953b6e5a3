//! How TRES are counted and billed: `TRESBillingWeights` of slurm.conf(5).

use super::job::GresReq;
use base::tres::Tres;
use config::{PartConf, PriorityFlags};

/// Counts GRES under its name and, where it has a type, under `name:type` too.
pub(crate) fn add_gres(tres: &mut Tres, gres: &GresReq, count: u64) {
    *tres.gres.entry(gres.name.clone()).or_default() += count;
    if let Some(kind) = &gres.kind {
        *tres.gres.entry(format!("{}:{kind}", gres.name)).or_default() += count;
    }
}

/// Billing units as shown among TRES, rounded down.
pub(crate) fn billing(part: &PartConf, tres: &Tres, flags: PriorityFlags) -> u64 {
    // Not negative and far below 2^53: the sum of bounded amounts.
    billable(part, tres, flags) as u64
}

/// `TRESBillingWeights`: the sum of amount times weight, or the CPUs without weights. With `MAX_TRES`, only the largest
/// of a node's contributions (CPUs, memory, GRES) counts; with `MAX_TRES_GRES`, the largest plus the GPUs. Memory is
/// weighted per GiB, as slurm.conf(5) specifies for a weight with a suffix (the parser scales weights to that).
pub(crate) fn billable(part: &PartConf, tres: &Tres, flags: PriorityFlags) -> f64 {
    if part.tres_billing_weights.is_empty() {
        return tres.cpu as f64;
    }
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for (name, weight) in part.tres_billing_weights.iter().filter(|(name, _)| *name != "billing") {
        let weighed = tres.get(name) as f64 * weight;
        let gres = name.starts_with("gres/");
        let of_node = gres || matches!(name.as_str(), "cpu" | "mem" | "node");
        let gpu = name == "gres/gpu" || name.starts_with("gres/gpu:");
        if of_node && (flags.max_tres || flags.max_tres_gres && !gpu) {
            largest = largest.max(weighed);
        } else {
            sum += weighed;
        }
    }
    (largest + sum).max(0.0)
}
