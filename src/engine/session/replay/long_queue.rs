//! A machine with a long queue, of any size, for measuring the scheduler's speed.

use base::ids::Uid;
use base::time::{Limit, Span, Time};
use config::SiteFiles;
use slurmctld::Slurmctld;
use slurmctld::job::{GresReq, JobDesc};
use slurmctld::request::{Caller, Request, Response};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The first uid of the users.
const FIRST_UID: u32 = 2000;

/// Upper bound of the time in which the nodes are filled; the first job ends later.
const LONGEST_FILL: Span = Span::from_mins(600);

/// A controller with `nodes` nodes of 32 cores and 4 GPUs each. `backfill` enables the backfill scheduler.
#[must_use]
pub fn machine(nodes: u32, backfill: bool, now: Time) -> Slurmctld {
    let scheduler = if backfill { "sched/backfill" } else { "sched/builtin" };
    let conf = format!(
        "ClusterName=crowd\nSlurmctldHost=ctl\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n\
         SchedulerType={scheduler}\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\n\
         PriorityWeightJobSize=1000\nGresTypes=gpu\nMaxJobCount=1000000\n\
         NodeName=n[1-{nodes}] Sockets=2 CoresPerSocket=16 RealMemory=512000 Gres=gpu:a100:4\n\
         PartitionName=all Nodes=ALL Default=YES MaxTime=2-00:00:00 DefMemPerCPU=4000 State=UP\n"
    );
    let files = SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), conf)]));
    super::site::controller("crowd", &files, now).0
}

/// Fills every node with one job. All jobs end at different times.
pub fn fill(ctld: &mut Slurmctld, now: Time) -> Time {
    let nodes = u32::try_from(ctld.nodes.len()).unwrap_or(u32::MAX);
    for i in 0..nodes {
        let mut desc = job(i, 1000);
        desc.cpus_per_task = Some(32);
        (desc.min_nodes, desc.max_nodes, desc.ntasks) = (Some(1), Some(1), Some(1));
        desc.gpus_per_node = gpus(4);
        desc.time_limit = Some(Limit::Minutes(600 + i * 7 % 2000));
        submit(ctld, desc, now);
    }
    // Each pass starts at most as many jobs as its queue depth, so repeat until all run.
    let mut at = now;
    while ctld.pending_jobs().next().is_some() {
        let Some(due) = ctld.next_due(at).filter(|due| *due < now + LONGEST_FILL) else { break };
        at = due;
        ctld.timer(at);
        ctld.take_orders();
    }
    at
}

/// The `i`-th job of a queue with `users` users. There are 240 kinds, from one core to eight nodes with all GPUs.
#[must_use]
pub fn job(i: u32, users: u32) -> JobDesc {
    let nodes = 1 + i % 8;
    JobDesc {
        uid: Uid(FIRST_UID + i % users.max(1)),
        name: "crowd".to_owned(),
        script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
        min_nodes: Some(nodes),
        max_nodes: Some(nodes),
        ntasks: Some(nodes * (1 + i / 8 % 5)),
        cpus_per_task: Some(1 + i / 40 % 6),
        gpus_per_node: gpus(u64::from(i % 5)),
        time_limit: Some(Limit::Minutes(30 + i % 97 * 29)),
        ..JobDesc::default()
    }
}

fn gpus(count: u64) -> Vec<GresReq> {
    if count == 0 { Vec::new() } else { vec![GresReq { name: "gpu".to_owned(), kind: None, count }] }
}

/// Submits a job. True if it was accepted.
pub fn submit(ctld: &mut Slurmctld, desc: JobDesc, now: Time) -> bool {
    let caller = Caller { uid: desc.uid };
    matches!(ctld.request(caller, Request::SubmitBatch(Box::new(desc)), now), Response::Job { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_one() {
        let start = Time::from_secs(1_795_240_440);
        let mut ctld = machine(20, true, start);
        let now = fill(&mut ctld, start);
        assert_eq!(ctld.active_jobs().count(), 20);
        assert!((0..200).all(|i| submit(&mut ctld, job(i, 10), now)));
        assert_eq!(ctld.pending_jobs().count(), 200);
    }
}
