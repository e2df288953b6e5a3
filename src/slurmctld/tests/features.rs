//! Job requests and settings of slurm.conf(5), each with the difference that it makes. Unless stated otherwise, the
//! expected results are those of a real slurmctld (22.05) with the same input.

use super::*;
use crate::reservation::{ResvDesc, Who, WhoChange};
use crate::state::error::SlurmError;

/// Two nodes of two sockets with eight cores each, and one with four GPUs, two near each socket.
fn bench(global: &str, parts: &str) -> Bench {
    let conf = format!(
        "ClusterName=test\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n\
         GresTypes=gpu\nLicenses=a:2,b:2\n{global}\nNodeName=cn[01-02] Sockets=2 CoresPerSocket=8 RealMemory=8000 \
         TmpDisk=1000\nNodeName=gpu01 Sockets=2 CoresPerSocket=8 RealMemory=8000 Gres=gpu:a100:4\n\
         PartitionName=batch Nodes=cn[01-02] Default=YES MaxTime=1-0\nPartitionName=gpu Nodes=gpu01 MaxTime=1-0\n{parts}\n"
    );
    let gres = "NodeName=gpu01 Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-7\n\
                NodeName=gpu01 Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=8-15\n";
    Bench::with_gres(&conf, gres)
}

fn in_part(part: &str, desc: JobDesc) -> JobDesc {
    JobDesc { partition: Some(part.to_owned()), ..desc }
}

fn gpus(count: u64, desc: JobDesc) -> JobDesc {
    JobDesc { gres: vec![GresReq { name: "gpu".into(), kind: None, count }], ..in_part("gpu", desc) }
}

fn refusal(bench: &mut Bench, desc: JobDesc) -> (SlurmError, Vec<String>) {
    let desc = JobDesc { uid: Uid(1001), script: Some(Arc::new(b"#!/bin/sh\n".to_vec())), ..desc };
    match bench.ask(1001, Request::SubmitBatch(Box::new(desc))) {
        Response::Err { error, messages } => (error, messages),
        other => panic!("{other:?}"),
    }
}

fn state(bench: &Bench, id: JobId) -> (JobState, Reason) {
    (bench.job(id).state, bench.job(id).reason)
}

const RUNS: (JobState, Reason) = (JobState::Running, Reason::None);

#[test]
fn temporary_disk() {
    let mut bench = bench("", "");
    let request = |mib| JobDesc { tmp_disk: Some(mib), ..cpus(1, 10) };
    let fits = bench.submit(1001, request(1000));
    bench.run(5);
    assert_eq!(state(&bench, fits), RUNS);
    let (error, said) = refusal(&mut bench, request(1001));
    assert_eq!(error, SlurmError::RequestedNodeConfigUnavailable);
    assert_eq!(said, ["error: Temporary disk specification can not be satisfied"]);
}

#[test]
fn cpus_of_all_jobs_of_a_partition() {
    let mut bench = bench("", "PartitionName=most Nodes=cn[01-02] MaxCPUsPerNode=6");
    let mut ids = [4, 4, 4].map(|n| bench.submit(1001, in_part("most", cpus(n, 10)))).to_vec();
    let other = bench.submit(1001, cpus(10, 10));
    ids.push(bench.submit(1001, in_part("most", cpus(2, 10))));
    bench.run(5);
    assert_eq!([0, 1, 2].map(|i| bench.nodes_of(ids[i])), ["cn01", "cn02", "cn[01-02]"]);
    assert_eq!(state(&bench, ids[3]), (JobState::Pending, Reason::Resources));
    assert_eq!(bench.nodes_of(other), "cn01", "the rest is for other partitions");
}

/// According to the manual: 22.05 has no such option.
#[test]
fn cpus_of_each_socket() {
    let mut bench = bench("", "PartitionName=most Nodes=cn[01-02] MaxCPUsPerSocket=3");
    let ids = [6, 5, 1, 1].map(|n| bench.submit(1001, in_part("most", cpus(n, 10))));
    bench.run(5);
    assert_eq!([0, 1, 2].map(|i| bench.nodes_of(ids[i])), ["cn01", "cn02", "cn02"]);
    let cores: Vec<u32> = bench.job(ids[0]).allocation.as_ref().unwrap().nodes[0].cores.iter().collect();
    assert_eq!(cores, [0, 1, 2, 8, 9, 10]);
    assert_eq!(state(&bench, ids[3]), (JobState::Pending, Reason::Resources));
}

#[test]
fn exclusive_jobs_get_all_devices() {
    for (part, exclusive) in [("gpu", Some(crate::state::job::Exclusive::Node)), ("alone", None)] {
        for wanted in [0, 1] {
            let mut bench = bench("", "PartitionName=alone Nodes=gpu01 OverSubscribe=EXCLUSIVE");
            let desc = JobDesc { exclusive, ..gpus(wanted, cpus(1, 10)) };
            let id = bench.submit(1001, in_part(part, desc));
            bench.run(5);
            let gpus = bench.job(id).allocation.as_ref().unwrap().tres.gres["gpu"];
            assert_eq!(gpus, 4, "{part}, {wanted} asked for");
        }
    }
}

#[test]
fn cores_bound_to_devices() {
    let bound = |count, n| JobDesc {
        gres_binding: Some(true),
        ..gpus(count, JobDesc { min_nodes: Some(1), max_nodes: Some(1), ..cpus(n, 10) })
    };
    let cores = |bench: &Bench, id: JobId| -> Vec<u32> {
        bench.job(id).allocation.as_ref().unwrap().nodes[0].cores.iter().collect()
    };
    let mut bench = bench("", "");
    let first = bench.submit(1001, bound(1, 1));
    bench.run(4);
    let far = bench.submit(1001, JobDesc { nodelist: None, ..gpus(2, cpus(1, 10)) });
    bench.run(4);
    assert_eq!(cores(&bench, first), [0]);
    assert_eq!(cores(&bench, far), [8], "where two devices are left");
    bench.end(far, Status::Exited(0));
    let other = bench.submit(1001, bound(1, 1));
    bench.run(4);
    let both = bench.submit(1001, bound(2, 1));
    bench.run(4);
    assert_eq!(cores(&bench, other), [8]);
    assert_eq!(cores(&bench, both), [1, 9], "one near each of its devices");
    assert_eq!(refusal(&mut bench, bound(1, 9)).0, SlurmError::RequestedNodeConfigUnavailable);
    let mut bench = super::features::bench("SelectTypeParameters=CR_Core,ENFORCE_BINDING_GRES", "");
    let plain = JobDesc { gres_binding: None, ..bound(1, 9) };
    assert_eq!(refusal(&mut bench, plain.clone()).0, SlurmError::RequestedNodeConfigUnavailable);
    let id = bench.submit(1001, JobDesc { gres_binding: Some(false), ..plain });
    bench.run(4);
    assert_eq!(cores(&bench, id).len(), 9, "--gres-flags=disable-binding");
}

/// According to the manual: 22.05 has no alternatives.
#[test]
fn one_of_several_licenses() {
    let request = |list: &str| JobDesc { licenses: Some(list.to_owned()), ..cpus(1, 10) };
    let mut bench = bench("", "");
    let ids = ["a|b", "a:2|b:2", "a|b", "a|b"].map(|list| bench.submit(1001, request(list)));
    bench.run(5);
    let has = |bench: &Bench, id: JobId| bench.job(id).licenses_text().unwrap_or_default();
    assert_eq!(has(&bench, ids[0]), "a:1", "the first that is free");
    assert_eq!(has(&bench, ids[1]), "b:2");
    assert_eq!(has(&bench, ids[2]), "a:1");
    assert_eq!(state(&bench, ids[3]), (JobState::Pending, Reason::Licenses));
    bench.end(ids[1], Status::Exited(0));
    bench.run(5);
    assert_eq!(has(&bench, ids[3]), "b:1");
    assert!(bench.ctld.check_counters().is_empty());
    assert_eq!(refusal(&mut bench, request("a|b,a")).0, SlurmError::InvalidLicenses, "not both");
    assert_eq!(refusal(&mut bench, request("a|c")).0, SlurmError::InvalidLicenses);
}

/// A job that waits for licences has an expected start: the time limit of the job that holds them.
#[test]
fn backfill_plans_with_licenses() {
    let request = |list: &str, minutes| JobDesc { licenses: Some(list.to_owned()), ..cpus(1, minutes) };
    for (parameters, plans) in [("bf_interval=30", None), ("bf_licenses", Some(20))] {
        let mut bench = bench(&format!("SchedulerParameters={parameters}"), "");
        let first = bench.submit(1001, request("a:1", 20));
        bench.run(5);
        let both = bench.submit(1001, request("a:2", 10));
        bench.run(60);
        assert_eq!(bench.job(both).reason, Reason::Licenses, "{parameters}");
        let start = bench.job(first).start.unwrap();
        let planned = bench.job(both).planned.as_ref().map(|p| (p.0 - start).secs() / 60);
        assert_eq!(planned, plans, "{parameters}");
    }
}

#[test]
fn reservations_need_a_minimum_age_and_are_limited() {
    for (parameters, long_runs) in
        [("bf_interval=30", false), ("bf_min_age_reserve=600", true), ("bf_job_part_count_reserve=1", false)]
    {
        let mut bench = bench(&format!("SchedulerParameters={parameters}"), "");
        bench.submit(1001, cpus(24, 60));
        bench.run(5);
        let large = bench.submit(1001, cpus(32, 60));
        let long = bench.submit(1002, cpus(4, 600));
        bench.run(4);
        let runs = |bench: &Bench, id| bench.job(id).state == JobState::Running;
        assert_eq!(runs(&bench, long), long_runs, "{parameters}: the main loop");
        bench.run(60);
        assert_eq!(runs(&bench, long), long_runs, "{parameters}");
        assert_eq!(bench.job(large).planned.is_some(), !long_runs, "{parameters}");
        bench.run(700);
        // Only a change triggers another pass.
        bench.submit(1002, cpus(1, 1));
        bench.run(40);
        assert!(bench.job(large).planned.is_some(), "{parameters}: old enough");
    }
    let mut bench = bench("SchedulerParameters=bf_job_part_count_reserve=1", "");
    bench.submit(1001, cpus(24, 60));
    bench.run(5);
    let large = [32, 32].map(|n| bench.submit(1001, cpus(n, 60)));
    bench.run(60);
    assert_eq!(large.map(|id| bench.job(id).planned.is_some()), [true, false]);
}

#[test]
fn plans_count_with_soft_limits() {
    for (parameters, minutes) in [("bf_interval=30", 60), ("time_min_as_soft_limit", 10)] {
        let mut bench = bench(&format!("SchedulerParameters={parameters}"), "");
        let soft = JobDesc { time_min: Some(Limit::Minutes(10)), ..cpus(32, 60) };
        let first = bench.submit(1001, soft);
        bench.run(5);
        let next = bench.submit(1001, cpus(32, 10));
        bench.run(40);
        let (planned, start) = (bench.job(next).planned.as_ref().unwrap().0, bench.job(first).start.unwrap());
        assert_eq!((planned - start).secs() / 60, minutes, "{parameters}");
        bench.run(30 * 60);
        assert_eq!(bench.job(first).state, JobState::Running, "{parameters}: until its own limit");
    }
}

/// While a node is being cleaned up after its job, no job starts anywhere.
#[test]
fn completing_jobs_hold_up_others() {
    for (wait, reduce, after) in [(0, "", 0), (20, "", 20), (600, "", 60), (600, "reduce_completing_frag", 0)]
    {
        let global = format!("CompleteWait={wait}\nSchedulerParameters=bf_interval=30,{reduce}");
        let mut bench = bench(&global, "PartitionName=first Nodes=cn01\nPartitionName=second Nodes=cn02");
        let first = bench.submit(1001, in_part("first", cpus(16, 60)));
        bench.run(10);
        bench.hold_clean_up = true;
        bench.end(first, Status::Exited(0));
        let ended = bench.now;
        let second = bench.submit(1001, in_part("second", cpus(1, 10)));
        for second in 0..200 {
            if second == 60 {
                bench.hold_clean_up = false;
                bench.clean(first, vec![NodeId(0)]);
            }
            bench.run(1);
        }
        let waited = (bench.job(second).start.unwrap() - ended).secs();
        assert!(
            (after..after + 63).contains(&waited) && (after > 0) == (waited > 5),
            "{wait} {reduce}: {waited} s"
        );
    }
}

#[test]
fn components_share_one_position() {
    let het = |bench: &mut Bench, requests: [(u32, u32); 2]| {
        let desc = |(n, priority): (u32, u32)| JobDesc {
            uid: Uid(0),
            priority: Some(priority),
            script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
            ..cpus(n, 60)
        };
        match bench.ask(0, Request::SubmitHet(requests.map(desc).to_vec())) {
            Response::Job { id, .. } => id,
            other => panic!("{other:?}"),
        }
    };
    // One component is ahead of the single job, the other behind it. The one that comes first gets the nodes.
    for (parameters, whole) in [
        ("bf_interval=30", false),
        ("bf_hetjob_prio=max", true),
        ("bf_hetjob_prio=min", false),
        ("bf_hetjob_immediate", false),
    ] {
        let mut bench = bench(&format!("SchedulerParameters={parameters},sched_interval=-1"), "");
        let first = bench.submit(1001, cpus(32, 5));
        bench.run(5);
        let leader = het(&mut bench, [(16, 1000), (16, 10)]);
        let single = bench.submit(0, JobDesc { priority: Some(100), ..cpus(16, 60) });
        bench.run(32);
        bench.end(first, Status::Exited(0));
        bench.run(64);
        let runs = |id| bench.job(id).state == JobState::Running;
        assert_eq!((runs(leader), runs(single)), (whole, !whole), "{parameters}");
    }
}

#[test]
fn cancelling_a_het_job_frees_its_reservation() {
    let mut bench = bench("SchedulerParameters=bf_interval=30,sched_interval=-1", "");
    let by_root = |priority: u32, desc: JobDesc| JobDesc {
        uid: Uid(0),
        priority: Some(priority),
        script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
        ..desc
    };
    bench.submit(1001, cpus(16, 300));
    bench.submit(1001, in_part("gpu", cpus(16, 300)));
    bench.run(5);
    // It stops the main loop, so only backfill starts other jobs. Its reservation is in 300 minutes.
    bench.submit(0, by_root(1000, cpus(32, 60)));
    let components = vec![by_root(500, cpus(16, 60)), by_root(500, in_part("gpu", cpus(16, 60)))];
    let Response::Job { id: leader, .. } = bench.ask(0, Request::SubmitHet(components)) else {
        panic!("refused")
    };
    let single = bench.submit(0, by_root(100, cpus(16, 60)));
    bench.run(64);
    assert_eq!(bench.job(leader).state, JobState::Pending);
    let planned = bench.job(single).planned.as_ref().map(|p| p.0 > bench.now);
    assert_eq!(planned, Some(true), "behind the component that could start");
    let target = Target { job: leader, task: None };
    bench.ask(0, Request::Kill { target, signal: None, scope: SignalScope::Steps, many: false });
    bench.run(64);
    assert_eq!(bench.job(single).state, JobState::Running);
}

#[test]
fn immediate_or_refused() {
    let ask = |bench: &mut Bench, desc: JobDesc| {
        let desc = JobDesc { uid: Uid(1001), immediate: Some(1), ..desc };
        match bench.ask(1001, Request::Allocate(Box::new(desc))) {
            Response::Job { id, .. } => Ok(bench.job(id).state),
            Response::Err { error, .. } => Err(error),
            other => panic!("{other:?}"),
        }
    };
    let mut bench = bench("", "PartitionName=short Nodes=cn01 MaxTime=10");
    assert_eq!(ask(&mut bench, cpus(20, 10)), Ok(JobState::Running));
    assert_eq!(ask(&mut bench, cpus(20, 10)), Err(SlurmError::NodesBusy));
    let failed = bench.ctld.jobs.values().last().unwrap();
    assert_eq!((failed.state, failed.exit.to_string().as_str()), (JobState::Failed, "0:1"));
    let long = in_part("short", cpus(1, 11));
    assert_eq!(ask(&mut bench, long), Err(SlurmError::RequestedPartConfigUnavailable));
    let later = JobDesc { begin: Some(bench.now + Span::from_mins(1)), ..cpus(1, 10) };
    assert_eq!(ask(&mut bench, later), Err(SlurmError::Dependency));
    assert_eq!(ask(&mut bench, cpus(12, 10)), Ok(JobState::Running), "who was refused is in nobody's way");
    let mut bench = super::features::bench("SchedulerParameters=defer", "");
    assert_eq!(ask(&mut bench, cpus(1, 10)), Err(SlurmError::Defer));
}

/// Some cores of a node are reserved for alice, the others are for everyone.
#[test]
fn reserved_cores() {
    let reserve = |bench: &mut Bench, name: &str, nodes: Option<&str>, count, cores: &[u32]| {
        let desc = ResvDesc {
            name: Some(name.to_owned()),
            start: Some(bench.now),
            duration: Some(Limit::Minutes(60)),
            nodes: nodes.map(str::to_owned),
            node_count: count,
            core_counts: cores.to_vec(),
            users: Some(WhoChange::Set(Who { names: vec!["alice".to_owned()], except: false })),
            ..ResvDesc::default()
        };
        match bench.ask(0, Request::CreateReservation(Box::new(desc))) {
            Response::Reservation(_) => Ok(()),
            Response::Err { error, .. } => Err(error),
            other => panic!("{other:?}"),
        }
    };
    let mut bench = bench("", "");
    assert_eq!(reserve(&mut bench, "one", None, Some(1), &[8]), Ok(()));
    assert_eq!(reserve(&mut bench, "two", Some("cn02"), None, &[4]), Ok(()));
    assert_eq!(reserve(&mut bench, "bad", Some("cn[01-02]"), None, &[5]), Err(SlurmError::InvalidCoreCnt));
    assert_eq!(reserve(&mut bench, "big", Some("cn01"), None, &[9]), Err(SlurmError::NodesBusy));
    bench.run(1);
    let on = |name: &str, n| JobDesc { nodelist: Some(name.to_owned()), ..cpus(n, 10) };
    let own = |name: &str, n| JobDesc { reservation: Some(name.to_owned()), ..cpus(n, 10) };
    let cores = |bench: &Bench, id: JobId| -> Vec<Vec<u32>> {
        let nodes = &bench.job(id).allocation.as_ref().unwrap().nodes;
        nodes.iter().map(|n| n.cores.iter().collect()).collect()
    };
    let others = bench.submit(1002, on("cn01", 1));
    let more = bench.submit(1002, on("cn01", 8));
    let alone = JobDesc { exclusive: Some(crate::state::job::Exclusive::Node), ..on("cn02", 1) };
    let alone = bench.submit(1002, alone);
    let inside = [own("one", 8), own("one", 1), own("two", 4)].map(|desc| bench.submit(1001, desc));
    bench.run(6);
    assert_eq!(cores(&bench, others), [[8]]);
    assert_eq!(cores(&bench, more), [vec![9, 10, 11, 12, 13, 14, 15], vec![4]], "7 are left there");
    assert_eq!(bench.job(alone).reason, Reason::NodeNotAvail);
    assert_eq!(cores(&bench, inside[0]), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    assert_eq!(state(&bench, inside[1]), (JobState::Pending, Reason::Resources));
    assert_eq!(cores(&bench, inside[2]), [[0, 1, 2, 3]]);
    bench.run(60);
    let start = bench.job(alone).planned.as_ref().unwrap().0;
    assert!(start >= bench.now + Span::from_mins(55), "when the reservation is over");
}
