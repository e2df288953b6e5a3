//! Selects the jobs to preempt among the candidates, as select/cons_tres does: it removes one after another until the
//! job fits. Then it repeats that `reorder_count` times in a better order, so that no job is preempted needlessly.

use super::PreemptionPlan;
use super::rules::Candidate;
use crate::Slurmctld;
use crate::select::{self, FreeResources};
use crate::state::job::Job;
use base::bitset::BitSet;
use base::ids::PartId;
use base::order::StableSort as _;
use config::preempt::PreemptMode;
use std::cmp::Reverse;

/// The free resources without the first `gone` candidates, and the allocation that then fits.
struct Fit {
    gone: usize,
    choice: select::Choice,
}

/// Selects among `candidates`, which are in the order in which they would be preempted.
pub(super) fn choose(
    ctld: &Slurmctld,
    job: &Job,
    part: PartId,
    resources: &FreeResources,
    nodes: &BitSet,
    mut candidates: Vec<Candidate>,
) -> Option<PreemptionPlan> {
    let search = VictimSearch { ctld, job, part, resources, nodes };
    if candidates.is_empty() || !search.fits_without_all(&candidates) {
        return None;
    }
    let conf = &ctld.cluster.global.preempt;
    let mut fit = search.fit(&candidates)?;
    for _ in 0..conf.reorder_count {
        if candidates.len() < 2 {
            break;
        }
        better_order(ctld, &mut candidates, &fit, conf.strict_order);
        fit = search.fit(&candidates)?;
    }
    let chosen = fit.choice.nodes();
    let on_chosen = |c: &&Candidate| shared(ctld, c, &chosen) > 0;
    let victims: Vec<(_, PreemptMode)> =
        candidates[..fit.gone].iter().filter(on_chosen).map(|c| (c.id, c.mode)).collect();
    let at_once = victims.iter().all(|v| v.1 == PreemptMode::Suspend);
    let allocation = fit.choice.allocation(ctld, job, part);
    (!victims.is_empty()).then_some(PreemptionPlan { job: job.id, victims, allocation, at_once })
}

/// A better order: the candidate that made the job fit comes first. Unless the order is strict, those on most of the
/// selected nodes follow.
fn better_order(ctld: &Slurmctld, candidates: &mut [Candidate], fit: &Fit, strict: bool) {
    let chosen = fit.choice.nodes();
    for (i, candidate) in candidates.iter_mut().enumerate() {
        candidate.shared = match i + 1 == fit.gone {
            true => u32::MAX,
            false if strict => 0,
            false => shared(ctld, candidate, &chosen),
        };
    }
    candidates.order_by_key(|c| Reverse(c.shared));
}

fn shared(ctld: &Slurmctld, candidate: &Candidate, nodes: &BitSet) -> u32 {
    let allocation = ctld.jobs.get(candidate.id).and_then(|j| j.allocation.as_ref());
    let on = allocation.iter().flat_map(|a| &a.nodes).filter(|n| nodes.contains(n.node.0)).count();
    u32::try_from(on).unwrap_or(u32::MAX)
}

struct VictimSearch<'a> {
    ctld: &'a Slurmctld,
    job: &'a Job,
    part: PartId,
    resources: &'a FreeResources<'a>,
    nodes: &'a BitSet,
}

impl VictimSearch<'_> {
    fn remove_candidate(&self, resources: &mut FreeResources, candidate: &Candidate) {
        let Some(victim) = self.ctld.jobs.get(candidate.id) else { return };
        match candidate.mode {
            PreemptMode::Off => {}
            PreemptMode::Cancel | PreemptMode::Requeue => resources.release(victim),
            PreemptMode::Suspend => resources.pause(self.ctld, victim),
        }
    }

    /// A cheap check first: would it fit if all candidates were removed?
    fn fits_without_all(&self, candidates: &[Candidate]) -> bool {
        let mut resources = self.resources.clone();
        candidates.iter().for_each(|c| self.remove_candidate(&mut resources, c));
        select::choose(self.ctld, self.job, self.part, &resources, self.nodes.into()).is_ok()
    }

    /// The number of candidates to remove, in this order.
    fn fit(&self, candidates: &[Candidate]) -> Option<Fit> {
        let mut resources = self.resources.clone();
        for (i, candidate) in candidates.iter().enumerate() {
            self.remove_candidate(&mut resources, candidate);
            if let Ok(choice) = select::choose(self.ctld, self.job, self.part, &resources, self.nodes.into())
            {
                return Some(Fit { gone: i + 1, choice });
            }
        }
        None
    }
}
