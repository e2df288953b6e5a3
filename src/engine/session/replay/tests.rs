//! Compares cached passes with plain ones: they must decide the same on random machines and workloads.

use super::{Arrival, Replay, ThrottledTask, TraceJob, site};
use base::ids::{JobId, Uid};
use base::time::{Limit, Span, Time};
use config::SiteFiles;
use slurmctld::job::{Exclusive, JobDesc};
use std::collections::BTreeMap;
use std::sync::Arc;
use testing::Random;

const START: Time = Time::from_secs(1_795_240_440);

fn conf(dice: &mut Random) -> String {
    let (nodes, cores) = (2 + dice.below(6), 1 + dice.below(8));
    let parameters =
        ["bf_interval=30", "bf_window=60", "bf_resolution=300,bf_max_job_test=6", "bf_max_job_user=3"];
    let parameters = parameters[dice.below(4)];
    let memory = ["CR_Core", "CR_Core_Memory", "CR_CPU"][dice.below(3)];
    let exclusive = ["", " Exclusive=USER", " OverSubscribe=EXCLUSIVE"][dice.below(3)];
    let weight = ["", " Weight=5"][dice.below(2)];
    // With constant priorities, passes may be skipped.
    let priority = ["multifactor", "basic"][dice.below(2)];
    format!(
        "ClusterName=x\nSlurmctldHost=c\nSelectType=select/cons_tres\nSelectTypeParameters={memory}\n\
         SchedulerParameters={parameters}\nGresTypes=gpu\nPriorityType=priority/{priority}\nPriorityWeightAge=1000\n\
         PriorityWeightJobSize=500\n\
         NodeName=a[1-{nodes}] Sockets=1 CoresPerSocket={cores} RealMemory=8000 Gres=gpu:2\n\
         NodeName=b[1-3] Sockets=2 CoresPerSocket=4 RealMemory=16000{weight}\n\
         PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED DefMemPerCPU=500\n\
         PartitionName=q Nodes=b[1-3] MaxTime=60{exclusive}\n\
         PartitionName=r Nodes=a1,b[1-2] MaxTime=UNLIMITED PriorityTier=5\n"
    )
}

fn work(dice: &mut Random, at: i64) -> TraceJob {
    let limit = 1 + dice.below(40);
    let part = ["p", "q", "r", "p,q"][dice.below(4)];
    let nodes = (dice.below(3) == 0).then(|| 1 + dice.below(3));
    let mut desc = JobDesc {
        uid: Uid(1001 + dice.below(3)),
        name: "w".to_owned(),
        script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
        partition: Some(part.to_owned()),
        ntasks: Some(1 + dice.below(9)).filter(|n| nodes.is_none_or(|least| *n >= least)),
        min_nodes: nodes,
        max_nodes: nodes,
        time_limit: Some(Limit::Minutes(limit)),
        ..JobDesc::default()
    };
    match dice.below(8) {
        0 => desc.exclusive = Some(Exclusive::Node),
        1 => desc.mem_per_node = Some(1000 * (1 + dice.below(7))),
        2 => desc.cpus_per_task = Some(2),
        3 => desc.array = Some(format!("1-{}%{}", 2 + dice.below(4), 1 + dice.below(3))),
        4 => desc.begin = Some(START + Span::from_secs(at + dice.below(600))),
        _ => {}
    }
    // Some jobs end early, some reach their time limit, and some of these do not stop immediately.
    let runtime = Span::from_secs(dice.below(i64::from(limit) * 70));
    TraceJob {
        line: 0,
        submit: Span::from_secs(at),
        runtime,
        desc: Box::new(desc),
        begin: None,
        deadline: None,
        recorded: None,
        throttled: None,
    }
}

fn decisions(conf: &str, works: &[TraceJob], lean: bool, plain: bool) -> Vec<(Time, JobId, String)> {
    let files = SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), conf.to_owned())]));
    let (ctld, _) = site::controller("x", &files, START);
    let mut replay = Replay::new(ctld, works.to_vec(), START);
    replay.ctld.lean = lean;
    replay.ctld.plain = plain;
    let waiting = |r: &Replay| {
        let jobs = r.ctld().pending_jobs().chain(r.ctld().active_jobs());
        jobs.map(|j| format!("{} {:?} {:?} {:?} {:?}", j.id, j.state, j.reason, j.begin, j.end))
            .collect::<Vec<_>>()
    };
    assert!(!replay.run(200_000), "a workload ends: {} {:?}", replay.now(), waiting(&replay));
    replay.starts
}

#[test]
fn shortcuts_change_no_decision() {
    testing::for_seeds(0..40, |seed, dice| {
        // Every other world computes expected starts, too.
        let lean = seed % 2 == 0;
        let conf = conf(dice);
        let mut at = 0;
        // Some queues are long.
        let between = if seed % 3 == 0 { 12 } else { 120 };
        let works: Vec<TraceJob> = (0..60)
            .map_while(|_| {
                if dice.is_used_up() {
                    return None;
                }
                at += dice.below(between);
                Some(work(dice, at))
            })
            .collect();
        let (fast, plain) = (decisions(&conf, &works, lean, false), decisions(&conf, &works, lean, true));
        let differ = fast.iter().zip(&plain).position(|(fast, plain)| fast != plain);
        let around = |starts: &[(Time, JobId, String)]| differ.map(|at| starts[at].clone());
        assert!(
            fast == plain,
            "seed {seed}: start {differ:?}: {:?}, plainly {:?}\n{conf}",
            around(&fast),
            around(&plain)
        );
        assert!(fast.len() > 20 || dice.is_used_up(), "seed {seed}: most of it runs");
    });
}

fn small(conf: &str) -> slurmctld::Slurmctld {
    let conf = format!(
        "ClusterName=x\nSlurmctldHost=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n{conf}\n\
         NodeName=a1 Sockets=1 CoresPerSocket=4 RealMemory=8000\n"
    );
    site::controller("x", &SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), conf)])), START).0
}

fn asks(partition: &str, tasks: u32, seconds: (i64, i64)) -> TraceJob {
    let desc = JobDesc {
        uid: Uid(1001),
        name: "w".to_owned(),
        script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
        partition: Some(partition.to_owned()),
        ntasks: Some(tasks),
        time_limit: Some(Limit::Minutes(100)),
        ..JobDesc::default()
    };
    let (submit, runtime) = (Span::from_secs(seconds.0), Span::from_secs(seconds.1));
    TraceJob {
        line: 1,
        submit,
        runtime,
        desc: Box::new(desc),
        begin: None,
        deadline: None,
        recorded: None,
        throttled: None,
    }
}

#[test]
fn each_task_of_an_array_runs_for_its_time() {
    let mut array = asks("p", 1, (0, 600));
    array.desc.array = Some("1-6%2".to_owned());
    let ctld = small("PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED");
    let mut replay = Replay::new(ctld, vec![array], START);
    assert!(!replay.run(10_000));
    assert_eq!(replay.progress(), (1, 1));
    let all = replay.outcomes();
    assert_eq!(all.len(), 6);
    assert!(all.iter().all(|o| o.state == Some(slurmctld::job::JobState::Complete)), "{all:?}");
    assert!(all.iter().all(|o| (o.end.unwrap() - o.start.unwrap()).secs() == 600 && o.trace == 0), "{all:?}");
    // Two at a time.
    let mut starts: Vec<i64> = all.iter().map(|o| (o.start.unwrap() - START).secs()).collect();
    starts.sort_unstable();
    assert!(starts[1] < 60 && starts[2] >= 600 && starts[3] < 660 && starts[4] >= 1200, "{starts:?}");
}

#[test]
fn tasks_that_a_trace_lists_one_by_one_keep_the_limit_of_their_array() {
    let ctld = small("PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED");
    // The second one is shorter: the third follows it, the fourth the first.
    let tasks = [400, 100, 600, 50, 50].map(|runtime| TraceJob {
        throttled: Some(ThrottledTask { array: 7, limit: 2 }),
        ..asks("p", 1, (0, runtime))
    });
    let mut replay = Replay::new(ctld, tasks.to_vec(), START);
    assert!(!replay.run(10_000));
    let at = |time: Option<Time>| (time.unwrap() - START).secs();
    let runs: Vec<(i64, i64)> = replay.outcomes().iter().map(|o| (at(o.start), at(o.end))).collect();
    assert!(runs[0].0 < 10 && runs[1].0 < 10, "{runs:?}");
    for (task, after) in [(2, 1), (3, 0), (4, 3)] {
        assert!((0..60).contains(&(runs[task].0 - runs[after].1)), "{task} follows {after}: {runs:?}");
    }
}

#[test]
fn preempted_runs_are_lost_and_repeated() {
    let conf = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n\
                PartitionName=low Nodes=ALL Default=YES MaxTime=UNLIMITED\n\
                PartitionName=high Nodes=ALL MaxTime=UNLIMITED PriorityTier=5";
    let works = vec![asks("low", 4, (0, 1000)), asks("high", 4, (500, 60))];
    let mut replay = Replay::new(small(conf), works, START);
    assert!(!replay.run(10_000));
    let [low, high] = replay.outcomes() else { panic!("two jobs") };
    assert!((1900..2100).contains(&low.lost), "four CPUs for about 500 s: {low:?}");
    assert!(low.start > high.end && (low.end.unwrap() - low.start.unwrap()).secs() == 1000, "{low:?}");
    assert!(low.wait().unwrap().secs() < 60 && high.lost == 0, "the wait is that for the first start");
}

#[test]
fn arrivals_may_follow_the_end_of_others() {
    let works: Arc<[TraceJob]> = vec![asks("p", 4, (0, 300)), asks("p", 1, (10, 60))].into();
    let arrivals = [
        Arrival { job: 0, at: Span(0), after: None },
        Arrival { job: 1, at: Span(0), after: Some((0, Span::from_secs(120))) },
        Arrival { job: 1, at: Span::from_secs(5000), after: None },
    ];
    let ctld = small("PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED");
    let mut replay = Replay::with_arrivals(ctld, works, &arrivals, START);
    assert!(replay.run_until(START + Span::from_secs(400)));
    assert_eq!(replay.progress(), (1, 3));
    assert!(!replay.run(10_000));
    let [first, second, third] = replay.outcomes() else { panic!("three jobs") };
    assert_eq!((second.submit - first.end.unwrap()).secs(), 120);
    assert_eq!((third.submit - START).secs(), 5000);
    let node_seconds = replay.powered_node_seconds();
    assert!((5060..5200).contains(&node_seconds), "one node all the time: {node_seconds}");
}

#[test]
fn recorded_dependencies_refer_to_recorded_numbers() {
    let ctld = small("PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED");
    let line = |at: i64, facts: &str, options: &str| {
        format!(
            "-dt {at} -e submit_batch_job | -sim-walltime 100 -sim-start {at} -sim-end 900 {facts} --uid=1001 {options} job\n"
        )
    };
    let text = line(0, "-sim-job 70 -sim-state COMPLETED", "-J same")
        + &line(0, "-sim-job 71 -sim-state FAILED", "")
        + &line(0, "-sim-job 72 -sim-array 72_1 -sim-state COMPLETED", "")
        + &line(1, "-sim-job 80 -sim-state COMPLETED", "--dependency=afterok:70:72_1,afterany:9")
        + &line(1, "-sim-job 81 -sim-state COMPLETED", "--dependency=afternotok:71")
        + &line(1, "-sim-job 82 -sim-state PENDING", "--dependency=afterok:71")
        + &line(1, "-sim-job 83 -sim-state COMPLETED", "--dependency=singleton -J same")
        + &line(1, "-sim-job 84 -sim-state COMPLETED", "--dependency=afterok:9");
    let jobs = super::events::parse("w", &text, &[]).jobs;
    assert_eq!(jobs.len(), 8);
    let mut replay = Replay::new(ctld, jobs, START);
    while replay.run(1000) {}
    let waits: Vec<_> = replay.outcomes().iter().map(|o| o.wait().map(|wait| wait.secs() / 100)).collect();
    let soon = Some(0);
    assert_eq!(waits, [soon, soon, soon, Some(1), Some(1), None, Some(1), soon]);
    assert_eq!(replay.outcomes()[1].state, Some(slurmctld::job::JobState::Failed));
}

/// Replays lines on a small machine, as recorded. Returns each job's wait, and all starts and ends in seconds.
fn as_recorded(text: &str) -> Vec<(Option<i64>, Option<i64>, Option<i64>)> {
    let ctld = small("PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED");
    let workload = super::events::parse("w", text, &[]);
    assert_eq!(workload.diagnostics, []);
    let mut replay = Replay::new(ctld, workload.jobs, START);
    replay.follow_trace(workload.node_changes);
    while replay.run(1000) {}
    let at = |time: Option<Time>| time.map(|time| (time - START).secs());
    replay.outcomes().iter().map(|o| (o.wait().map(Span::secs), at(o.start), at(o.end))).collect()
}

fn recorded(at: i64, facts: &str, options: &str) -> String {
    format!("-dt {at} -e submit_batch_job | -sim-walltime 100 {facts} --uid=1001 {options} job\n")
}

#[test]
fn begin_times_and_holds_are_repeated() {
    let text = recorded(10, "-sim-job 1 -sim-eligible 510 -sim-start 700 -sim-end 800 -sim-state COMPLETED", "")
        + &recorded(10, "-sim-job 2 -sim-end 900 -sim-state CANCELLED -sim-waited-for hold", "")
        + &recorded(10, "-sim-job 3 -sim-state PENDING -sim-waited-for hold,JobHeldUser", "")
        // It became eligible when the first one had ended. Here, that is earlier.
        + &recorded(20, "-sim-job 4 -sim-eligible 800 -sim-start 800 -sim-end 900 -sim-state COMPLETED", "-d afterany:1")
        + &recorded(30, "", "--begin=now+1hour");
    let all = as_recorded(&text);
    let [released, cancelled, held, dependent, later] = all.as_slice() else { panic!("five jobs: {all:?}") };
    assert!((510..570).contains(&released.1.unwrap()) && released.0.unwrap() < 60, "{all:?}");
    assert_eq!((cancelled.1, held.1), (None, None), "{all:?}");
    assert!((610..790).contains(&dependent.1.unwrap()) && dependent.0.unwrap() >= 590, "{all:?}");
    assert!((3630..3690).contains(&later.1.unwrap()) && later.0.unwrap() < 60, "{all:?}");
}

#[test]
fn requeues_are_repeated() {
    let text = recorded(
        0,
        "-sim-job 1 -sim-run 5:305:REQUEUED -sim-start 600 -sim-end 700 -sim-state COMPLETED",
        "",
    ) + &recorded(0, "-sim-job 2 -sim-run 5:55:REQUEUED -sim-end 85 -sim-state CANCELLED", "")
        + &recorded(
            0,
            "-sim-job 3 -sim-run 5:55:REQUEUED -sim-start 90 -sim-end 190 -sim-state COMPLETED",
            "--no-requeue",
        );
    let all = as_recorded(&text);
    let [twice, cancelled, once] = all.as_slice() else { panic!("three jobs: {all:?}") };
    // A requeued job waits for two minutes.
    let (start, end) = (twice.1.unwrap(), twice.2.unwrap());
    assert!((420..500).contains(&start) && end - start == 100 && twice.0.unwrap() < 10, "{all:?}");
    assert!((50..60).contains(&cancelled.2.unwrap()), "it is cancelled before it starts again: {all:?}");
    assert!((50..60).contains(&once.2.unwrap()), "the controller does not requeue it: {all:?}");
}
