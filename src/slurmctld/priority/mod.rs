//! Job priority (priority/multifactor and priority/basic). Mirrors priority_multifactor.html.
//!
//! The fair-share factor is that of unused associations (1.0) until usage is decayed and ranked, which is the
//! business of `fair_tree`, not built yet (see docs/fidelity.md).

use super::Slurmctld;
use super::job::Job;
use crate::base::ids::PartId;
use crate::base::time::Time;

/// priority/basic counts down from here.
const TOP: u32 = 4_294_901_760;

/// The priority of a job that is not held.
pub(super) fn of(ctld: &Slurmctld, job: &Job, now: Time) -> u32 {
    let conf = &ctld.cluster.global.priority;
    if let Some(fixed) = job.desc.priority {
        return fixed;
    }
    if !conf.multifactor {
        return TOP.saturating_sub(job.array.as_ref().map_or(job.id, |a| a.job).0);
    }
    let best = job.partitions.iter().map(|p| factors(ctld, job, *p, now).sum()).fold(0.0, f64::max);
    let with_nice = best.trunc() - job.nice as f64;
    // 0 would mean held.
    with_nice.clamp(1.0, f64::from(u32::MAX)) as u32
}

/// The weighted parts of a priority.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Factors {
    age: f64,
    fairshare: f64,
    job_size: f64,
    partition: f64,
    qos: f64,
}

impl Factors {
    fn sum(&self) -> f64 {
        self.age + self.fairshare + self.job_size + self.partition + self.qos
    }
}

fn factors(ctld: &Slurmctld, job: &Job, part: PartId, now: Time) -> Factors {
    let conf = &ctld.cluster.global.priority;
    let age = job.accrue.map_or(0.0, |since| {
        let waited = (now - since).secs().max(0) as f64;
        (waited / f64::from(conf.max_age.max(1))).min(1.0)
    });
    let highest = |values: &mut dyn Iterator<Item = u32>| f64::from(values.max().unwrap_or(0).max(1));
    let part_high = highest(&mut ctld.partitions.iter().map(|p| p.priority_job_factor));
    let qos_high = highest(&mut ctld.dbd.qos.iter().map(|q| q.priority));
    let qos = ctld.dbd.qos.iter().find(|q| q.id == job.qos).map_or(0, |q| q.priority);
    Factors {
        age: f64::from(conf.weight_age) * age,
        fairshare: f64::from(conf.weight_fairshare),
        job_size: f64::from(conf.weight_job_size) * size(ctld, job),
        partition: f64::from(conf.weight_partition) * f64::from(ctld.partition(part).priority_job_factor)
            / part_high,
        qos: f64::from(conf.weight_qos) * f64::from(qos) / qos_high,
    }
}

/// JobSize: the mean of the shares of nodes and CPUs; with PriorityFavorSmall what is left of them.
fn size(ctld: &Slurmctld, job: &Job) -> f64 {
    let nodes = ctld.nodes.len().max(1) as f64;
    let cpus = f64::from(ctld.nodes.iter().map(|n| n.cpus()).sum::<u32>().max(1));
    let (mine, my_cpus) = (f64::from(job.needs.min_nodes), f64::from(job.needs.min_cpus));
    let share = if ctld.cluster.global.priority.favor_small {
        f64::midpoint((nodes - mine) / nodes, (cpus - my_cpus) / cpus)
    } else {
        f64::midpoint(mine / nodes, my_cpus / cpus)
    };
    share.clamp(0.0, 1.0)
}
