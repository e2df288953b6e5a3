//! The factors of a priority and their sum. Mirrors priority_multifactor.shtml.
//!
//! A job in several partitions has a priority in each of them; the one of its first partition is shown.

use crate::Slurmctld;
use crate::state::factors::Factors;
use crate::state::job::{Exclusive, Job};
use base::ids::PartId;
use base::time::{Limit, Time};
use config::Priority;

/// A job's weighted factors at `now`.
pub(super) fn factors(ctld: &Slurmctld, job: &Job, now: Time) -> Factors {
    let conf = &ctld.cluster.global.priority;
    let plain = unweighed(ctld, job, now);
    Factors {
        age: f64::from(conf.weight_age) * plain.age,
        assoc: f64::from(conf.weight_assoc) * plain.assoc,
        fairshare: f64::from(conf.weight_fairshare) * plain.fairshare,
        job_size: f64::from(conf.weight_job_size) * plain.job_size,
        qos: f64::from(conf.weight_qos) * plain.qos,
        ..plain
    }
}

/// A job's factors at `now`, each from 0 to 1 unless `PriorityFlags` say otherwise.
pub(super) fn unweighed(ctld: &Slurmctld, job: &Job, now: Time) -> Factors {
    let conf = &ctld.cluster.global.priority;
    let norms = &ctld.priority.norms;
    let assoc = job.assoc.and_then(|a| ctld.dbd.assoc(a));
    let qos = f64::from(ctld.dbd.qos_by_id(job.qos).map_or(0, |q| q.priority));
    let per = |value: f64, raw: bool, most: f64| if raw { value } else { value / most };
    let assoc_priority = f64::from(assoc.map_or(0, |a| a.priority));
    Factors {
        age: age(conf, job, now),
        assoc: per(assoc_priority, conf.flags.no_normal_assoc, norms.assoc),
        fairshare: assoc.map_or(0.0, |a| a.fair.factor),
        job_size: size(ctld, job),
        qos: per(qos, conf.flags.no_normal_qos, norms.qos),
        site: job.site_factor,
        nice: job.nice,
    }
}

/// The weighted factor of a partition.
pub(super) fn partition(ctld: &Slurmctld, part: PartId) -> f64 {
    f64::from(ctld.cluster.global.priority.weight_partition) * partition_factor(ctld, part)
}

/// A partition's factor.
pub(super) fn partition_factor(ctld: &Slurmctld, part: PartId) -> f64 {
    let factor = f64::from(ctld.partition(part).priority_job_factor);
    let raw = ctld.cluster.global.priority.flags.no_normal_part;
    factor / if raw { 1.0 } else { ctld.priority.norms.partition }
}

/// The factor of each weighted TRES in a partition: the fraction that the job requests of what the partition has.
pub(super) fn tres<'a>(ctld: &'a Slurmctld, job: &'a Job, part: PartId) -> impl Iterator<Item = Part<'a>> {
    let raw = ctld.cluster.global.priority.flags.no_normal_tres;
    ctld.priority.norms.tres.iter().map(move |tres| {
        let asked = job.req_tres.get(&tres.name) as f64;
        let total = tres.total.get(part.0 as usize).copied().unwrap_or(0) as f64;
        let share = if total > 0.0 { (asked / total).min(1.0) } else { 0.0 };
        Part { name: &tres.name, weight: tres.weight, factor: if raw { asked } else { share } }
    })
}

/// The contribution of a TRES to a priority.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<'a> {
    /// `cpu`, `gres/gpu`.
    pub name: &'a str,
    /// Its weight in `PriorityWeightTRES`.
    pub weight: f64,
    /// The factor, which is multiplied by the weight.
    pub factor: f64,
}

/// The unrounded sum in one partition.
pub(super) fn sum(ctld: &Slurmctld, job: &Job, factors: &Factors, part: PartId) -> f64 {
    let of_tres: f64 = tres(ctld, job, part).map(|t| t.weight * t.factor).sum();
    factors.sum() + partition(ctld, part) + of_tres
}

/// The time for which a job could have run, as a fraction of `PriorityMaxAge`.
fn age(conf: &Priority, job: &Job, now: Time) -> f64 {
    let since = if conf.flags.accrue_always { Some(job.submit) } else { job.accrue };
    let Some(since) = since else { return 0.0 };
    let waited = (now.secs() - since.secs()).max(0) as f64;
    (waited / f64::from(conf.max_age.max(1))).min(1.0)
}

/// JobSize: the mean of its fractions of the cluster's nodes and CPUs; with `PriorityFavorSmall`, one minus that.
fn size(ctld: &Slurmctld, job: &Job) -> f64 {
    let conf = &ctld.cluster.global.priority;
    let (nodes, cpus) = (ctld.priority.norms.nodes, ctld.priority.norms.cpus);
    let (my_nodes, my_cpus) = (f64::from(job.needs.min_nodes), f64::from(expected_cpus(ctld, job)));
    let factor = if conf.flags.small_relative_to_time {
        let minutes = match job.time_limit {
            Limit::Minutes(m) => f64::from(m.max(1)),
            Limit::Unlimited => f64::from(u32::MAX),
        };
        let part = (my_nodes * cpus / nodes).max(my_cpus) / minutes / cpus;
        if conf.favor_small { 1.0 - part } else { part }
    } else if conf.favor_small {
        f64::midpoint((nodes - my_nodes) / nodes, (cpus - my_cpus) / cpus)
    } else {
        f64::midpoint(my_nodes / nodes, my_cpus / cpus)
    };
    factor.clamp(0.0, 1.0)
}

/// The CPUs that count: the requested ones, until a backfill pass has computed how many an exclusive job will get.
fn expected_cpus(ctld: &Slurmctld, job: &Job) -> u32 {
    if let Some(allocation) = &job.allocation {
        return allocation.nodes.iter().map(|n| n.cpus).sum();
    }
    match &job.planned {
        Some((_, nodes)) if crate::exclusive_of(ctld, job) == Some(Exclusive::Node) => {
            let found: u32 = nodes.iter().filter_map(|i| ctld.nodes.get(i as usize)).map(|n| n.cpus()).sum();
            found.max(job.needs.min_cpus)
        }
        _ => job.needs.min_cpus,
    }
}
