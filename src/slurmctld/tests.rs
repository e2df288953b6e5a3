//! Tests of the controller alone: requests, its own clock, and the resulting state.

mod features;
mod jobs;
mod parameters;

use crate::Slurmctld;
use crate::rpc::request::{BatchEnd, Caller, Order, Request, Response, SignalScope, Target, Usage};
use crate::state::job::{GresReq, Job, JobDesc, JobState};
use crate::state::reason::Reason;
use base::ids::{JobId, NodeId, Uid};
use base::process::Status;
use base::time::{Limit, Span, Time};
use config::{Cluster, SiteFiles};
use std::sync::Arc;

const CONF: &str = "\
ClusterName=test
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
PriorityType=priority/basic
NodeName=cn[01-03] Sockets=2 CoresPerSocket=8 RealMemory=64000
NodeName=gpu01 Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:a100:4
PartitionName=batch Nodes=cn[01-03] Default=YES MaxTime=1-0 DefaultTime=60
PartitionName=gpu Nodes=gpu01
PartitionName=alone Nodes=cn[01-02] Exclusive=USER
";

/// A controller with its clock. Batch scripts run until they are killed.
pub(crate) struct Bench {
    pub(crate) ctld: Slurmctld,
    pub(crate) now: Time,
    /// Nodes are not cleaned up after their jobs.
    hold_clean_up: bool,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::of(CONF)
    }

    /// A controller with this slurm.conf, whose node gpu01 has four GPUs.
    pub(crate) fn of(conf: &str) -> Self {
        Self::with_gres(conf, "NodeName=gpu01 Name=gpu Type=a100 File=/dev/nvidia[0-3]\n")
    }

    /// The same with this gres.conf.
    fn with_gres(conf: &str, gres: &str) -> Self {
        let files = [("slurm.conf", conf), ("gres.conf", gres)];
        let files = SiteFiles(files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect());
        let now = Time::from_secs(1_795_240_458);
        let people =
            vec![(Uid(0), "root".to_owned()), (Uid(1001), "alice".to_owned()), (Uid(1002), "bob".to_owned())];
        let ctld = Slurmctld::new(Cluster::parse(&files), people, now);
        Self { ctld, now, hold_clean_up: false }
    }

    pub(crate) fn ask(&mut self, uid: u32, request: Request) -> Response {
        let response = self.ctld.request(Caller { uid: Uid(uid) }, request, self.now);
        self.serve();
        response
    }

    /// Cleans up at once after finished jobs.
    fn serve(&mut self) {
        for order in self.ctld.take_orders() {
            match order {
                Order::CleanUp { job, nodes } => self.clean(job, nodes),
                Order::Terminate { job, nodes, .. } => {
                    let killed = Status::Signaled(base::signal::Signal::TERM);
                    self.end(job, killed);
                    self.clean(job, nodes);
                }
                Order::LaunchBatch(_)
                | Order::WakeClient(_)
                | Order::Signal { .. }
                | Order::Prepare(_)
                | Order::Mail { .. }
                | Order::Run { .. }
                | Order::Tell { .. }
                | Order::Leave { .. }
                | Order::NewNodes
                | Order::Power { .. }
                | Order::NodeRestarts { .. } => {}
            }
        }
    }

    fn clean(&mut self, job: JobId, nodes: Vec<NodeId>) {
        if !self.hold_clean_up {
            let request = Request::EpilogComplete { job, nodes };
            self.ctld.request(Caller { uid: Uid(0) }, request, self.now);
        }
    }

    pub(crate) fn end(&mut self, job: JobId, status: Status) {
        let status = BatchEnd::Ran(status);
        self.ask(0, Request::BatchDone { job, status, usage: Usage::default() });
    }

    pub(crate) fn run(&mut self, seconds: i64) {
        let until = self.now + Span::from_secs(seconds);
        while let Some(at) = self.ctld.next_due(self.now).filter(|t| *t <= until) {
            self.now = at;
            self.ctld.timer(at);
            self.serve();
        }
        self.now = until;
    }

    pub(crate) fn submit(&mut self, uid: u32, desc: JobDesc) -> JobId {
        let desc = JobDesc { uid: Uid(uid), script: Some(Arc::new(b"#!/bin/sh\n".to_vec())), ..desc };
        match self.ask(uid, Request::SubmitBatch(Box::new(desc))) {
            Response::Job { id, .. } => id,
            other => panic!("refused: {other:?}"),
        }
    }

    pub(crate) fn job(&self, id: JobId) -> &Job {
        self.ctld.job(id).unwrap()
    }

    pub(crate) fn nodes_of(&self, id: JobId) -> String {
        self.job(id).nodes_text.clone()
    }
}

pub(crate) fn cpus(n: u32, minutes: u32) -> JobDesc {
    JobDesc { ntasks: Some(n), time_limit: Some(Limit::Minutes(minutes)), ..JobDesc::default() }
}

#[test]
fn the_lowest_named_node_that_fits() {
    let mut bench = Bench::new();
    let ids = [6, 6, 4, 12, 20].map(|n| bench.submit(1001, cpus(n, 10)));
    bench.run(5);
    assert_eq!(ids.map(|id| bench.nodes_of(id)), ["cn01", "cn01", "cn01", "cn02", "cn[02-03]"]);
    let cores: Vec<u32> = bench.job(ids[0]).allocation.as_ref().unwrap().nodes[0].cores.iter().collect();
    assert_eq!(cores, [0, 1, 2, 8, 9, 10], "dealt out over the sockets");
}

#[test]
fn a_blocked_job_stops_its_partition_but_not_backfill() {
    let mut bench = Bench::new();
    let running = bench.submit(1001, cpus(40, 30));
    bench.run(4);
    let big = bench.submit(1001, cpus(48, 10));
    let long = bench.submit(1001, cpus(4, 600));
    let short = bench.submit(1001, cpus(4, 5));
    bench.run(5);
    assert_eq!(bench.job(running).state, JobState::Running);
    assert_eq!(bench.job(big).reason, Reason::Resources);
    assert_eq!((bench.job(long).reason, bench.job(short).reason), (Reason::Priority, Reason::Priority));
    bench.run(60);
    assert_eq!(bench.job(short).state, JobState::Running, "ends before the big one's expected start");
    assert_eq!(bench.job(long).state, JobState::Pending, "would delay the big one");
    let (start, _) = bench.job(big).planned.clone().unwrap();
    assert!(start >= bench.job(running).end.unwrap());
}

#[test]
fn arrays_split_as_their_tasks_start() {
    let mut bench = Bench::new();
    let array = bench.submit(1001, JobDesc { array: Some("1-6%2".into()), ..cpus(1, 10) });
    assert_eq!(bench.job(array).id_text(), "1_[1-6%2]");
    bench.run(5);
    assert_eq!((bench.job(JobId(2)).id_text(), bench.job(JobId(3)).id_text()), ("1_1".into(), "1_2".into()));
    assert_eq!(bench.job(array).id_text(), "1_[3-6%2]");
    assert_eq!(bench.job(array).reason, Reason::ArrayTaskLimit);
    for _ in 0..3 {
        let running: Vec<JobId> = bench.ctld.active_jobs().map(|j| j.id).collect();
        running.into_iter().for_each(|id| bench.end(id, Status::Exited(0)));
        bench.run(4);
    }
    assert_eq!(bench.job(array).id_text(), "1_6", "the last task keeps the array's own id");
    assert_eq!(bench.ctld.pending_jobs().count(), 0);
}

#[test]
fn dependencies() {
    let mut bench = Bench::new();
    let first = bench.submit(1001, cpus(1, 10));
    let dep = |kind: &str| JobDesc { dependency: Some(format!("{kind}:{first}")), ..cpus(1, 10) };
    let [ok, not_ok, any, after] =
        ["afterok", "afternotok", "afterany", "after"].map(|kind| bench.submit(1001, dep(kind)));
    assert_eq!(bench.job(ok).reason, Reason::Dependency);
    assert_eq!(bench.job(ok).dependency_text().unwrap(), "afterok:1(unfulfilled)");
    bench.run(66);
    assert_eq!(bench.job(after).state, JobState::Running, "at the next pass");
    bench.end(first, Status::Exited(1));
    bench.run(7);
    assert_eq!(bench.job(ok).reason, Reason::DepInvalid);
    assert_eq!(bench.job(ok).dependency_text().unwrap(), "afterok:1(failed)");
    assert_eq!((bench.job(not_ok).state, bench.job(any).state), (JobState::Running, JobState::Running));
}

#[test]
fn gpus_by_index_and_never_twice() {
    let mut bench = Bench::new();
    let gres = GresReq { name: "gpu".into(), kind: Some("a100".into()), count: 3 };
    let desc =
        |gres: &GresReq| JobDesc { partition: Some("gpu".into()), gres: vec![gres.clone()], ..cpus(1, 10) };
    let three = bench.submit(1001, desc(&gres));
    let two = bench.submit(1001, desc(&GresReq { count: 2, ..gres.clone() }));
    bench.run(5);
    let taken = &bench.job(three).allocation.as_ref().unwrap().nodes[0].gres[0].1;
    assert_eq!(taken.iter().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(bench.job(two).state, JobState::Pending);
    let five = desc(&GresReq { count: 5, ..gres });
    let five = JobDesc { uid: Uid(1001), script: Some(Arc::new(Vec::new())), ..five };
    let refused = bench.ask(1001, Request::SubmitBatch(Box::new(five)));
    assert!(matches!(
        refused,
        Response::Err { error: crate::state::error::SlurmError::RequestedNodeConfigUnavailable, .. }
    ));
}

#[test]
fn a_node_for_one_user() {
    let mut bench = Bench::new();
    let desc = || JobDesc { partition: Some("alone".into()), ..cpus(4, 10) };
    let ids = [1001, 1002, 1001, 1002].map(|uid| bench.submit(uid, desc()));
    bench.run(5);
    assert_eq!(ids.map(|id| bench.nodes_of(id)), ["cn01", "cn02", "cn01", "cn02"]);
}

#[test]
fn limits_are_checked_every_half_minute() {
    let mut bench = Bench::new();
    let job = bench.submit(1001, cpus(1, 1));
    bench.run(62);
    assert_eq!(bench.job(job).state, JobState::Running);
    bench.run(31);
    assert_eq!(bench.job(job).state, JobState::Timeout);
    assert_eq!(bench.job(job).exit.to_string(), "0:15", "what the script said last");
    assert!(bench.ctld.node(NodeId(0)).cores_used.is_empty());
}

#[test]
fn permissions_for_cancel_hold_and_release() {
    let mut bench = Bench::new();
    let job = bench.submit(1001, JobDesc { hold: true, ..cpus(1, 1) });
    let target = Target { job, task: None };
    let kill = || Request::Kill { target, signal: None, scope: SignalScope::Steps, many: false };
    let denied = |r: Response| matches!(r, Response::Err { .. });
    assert_eq!(bench.job(job).reason, Reason::HeldUser);
    assert!(denied(bench.ask(1002, kill())));
    assert!(denied(bench.ask(1002, Request::Release(target))));
    assert_eq!(bench.ask(0, Request::Hold { target, user: false }), Response::Ok);
    assert!(denied(bench.ask(1001, Request::Release(target))), "held by an administrator");
    assert_eq!(bench.ask(0, Request::Release(target)), Response::Ok);
    bench.run(5);
    assert_eq!(bench.job(job).state, JobState::Running);
    assert_eq!(bench.ask(1001, kill()), Response::Ok);
    assert_eq!(bench.job(job).state, JobState::Cancelled);
    assert!(denied(bench.ask(1001, kill())), "it is over");
}

#[test]
fn jobs_of_a_lost_node_are_requeued() {
    let mut bench = Bench::new();
    let job = bench.submit(1001, cpus(16, 100));
    bench.run(5);
    bench.ask(0, Request::NodeResponding { node: NodeId(0), up: false });
    bench.run(299);
    assert_eq!(bench.job(job).state, JobState::Running);
    // It is down at a ping, one to two ping intervals after `SlurmdTimeout`.
    bench.run(200);
    assert_eq!((bench.job(job).state, bench.job(job).reason), (JobState::Pending, Reason::Time));
    assert_eq!(bench.job(job).restarts, 1);
    bench.run(121 + 60);
    assert_eq!(bench.nodes_of(job), "cn02", "after two minutes, at a pass that looks at all jobs");
}
