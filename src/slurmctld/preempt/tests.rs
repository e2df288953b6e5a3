//! Which jobs are preempted, in which order and how: table tests on a small cluster.

use crate::rpc::request::{Request, Response, Target};
use crate::state::job::{Exclusive, JobDesc, JobState};
use crate::state::reason::Reason;
use crate::tests::{Bench, cpus};
use base::ids::JobId;
use config::preempt::PreemptMode;
use slurmdbd::AccountingChange;

const NODES: &str = "\
ClusterName=test
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
PriorityType=priority/basic
NodeName=cn[01-04] Sockets=2 CoresPerSocket=8 RealMemory=64000
";

const TIERS: &str = "\
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=low Nodes=cn[01-04] Default=YES PriorityTier=1
PartitionName=mid Nodes=cn[01-04] PriorityTier=2
PartitionName=kind Nodes=cn[01-04] PriorityTier=1 PreemptMode=CANCEL GraceTime=20
PartitionName=safe Nodes=cn[01-04] PriorityTier=1 PreemptMode=OFF
PartitionName=high Nodes=cn[01-04] PriorityTier=9
";

fn job(part: &str, nodes: u32, cores: u32) -> JobDesc {
    JobDesc {
        partition: Some(part.to_owned()),
        min_nodes: Some(nodes),
        max_nodes: Some(nodes),
        ..cpus(cores, 600)
    }
}

/// Submits jobs one after another, each started before the next.
fn started(bench: &mut Bench, descs: &[JobDesc]) -> Vec<JobId> {
    let start = |desc: &JobDesc| {
        let id = bench.submit(1001, desc.clone());
        bench.run(5);
        id
    };
    descs.iter().map(start).collect()
}

/// Which of the jobs still run.
fn running(bench: &Bench, ids: &[JobId]) -> Vec<bool> {
    ids.iter().map(|id| bench.job(*id).state == JobState::Running).collect()
}

/// What the case shows, a line of slurm.conf, running jobs, the new job, which of the jobs still run afterwards.
type Case = (&'static str, &'static str, Vec<JobDesc>, JobDesc, &'static [bool]);

#[test]
fn order_of_preemption() {
    let lows = |n: u32| vec![job("low", 1, 16); n as usize];
    let (small, big) = (job("low", 1, 4), job("low", 2, 32));
    let table: &[Case] = &[
        ("the oldest of equals", "", lows(4), job("high", 1, 16), &[false, true, true, true]),
        ("only as many as needed", "", lows(4), job("high", 2, 32), &[false, false, true, true]),
        ("free nodes first", "", lows(3), job("high", 1, 16), &[true, true, true]),
        (
            "the lower tier first",
            "",
            [vec![job("mid", 1, 16); 2], lows(2)].concat(),
            job("high", 1, 16),
            &[true, true, false, true],
        ),
        (
            "the one on fewer nodes first",
            "",
            vec![big.clone(), job("low", 1, 16), job("low", 1, 16)],
            job("high", 1, 16),
            &[true, false, true],
        ),
        (
            "who does not help stays",
            "",
            // Preempting the small job first does not help: the big one's nodes are needed.
            vec![small.clone(), job("mid", 1, 12), big.clone(), job("safe", 1, 16)],
            JobDesc { exclusive: Some(Exclusive::Node), ..job("high", 2, 2) },
            &[true, true, false, true],
        ),
        (
            "the youngest first",
            "PreemptParameters=youngest_first",
            lows(4),
            job("high", 1, 16),
            &[true, true, true, false],
        ),
        ("PreemptMode=OFF", "", vec![job("safe", 1, 16); 4], job("high", 1, 16), &[true; 4]),
        ("equal tiers", "", lows(4), job("low", 1, 16), &[true; 4]),
        (
            "nobody if all would not do",
            "",
            [lows(3), vec![job("safe", 1, 16)]].concat(),
            job("high", 4, 64),
            &[true; 4],
        ),
        ("not yet", "PreemptExemptTime=1:00:00", lows(4), job("high", 1, 16), &[true; 4]),
        (
            "the reordered victim is the one that does it",
            "PreemptParameters=reorder_count=1",
            vec![job("low", 1, 4), job("low", 1, 12), job("safe", 3, 48)],
            job("high", 1, 12),
            &[true, false, true],
        ),
    ];
    for (what, parameters, before, desc, expected) in table {
        let mut bench = Bench::of(&format!("{NODES}{parameters}\n{TIERS}"));
        let ids = started(&mut bench, before);
        assert!(running(&bench, &ids).iter().all(|r| *r), "{what}: all run at first");
        let high = bench.submit(1002, desc.clone());
        bench.run(10);
        assert_eq!(running(&bench, &ids), *expected, "{what}");
        let helped = expected.contains(&false) || *what == "free nodes first";
        assert_eq!(bench.job(high).state == JobState::Running, helped, "{what}");
    }
}

#[test]
fn how_they_end() {
    let mut bench = Bench::of(&format!("{NODES}{TIERS}"));
    let mut descs = vec![job("low", 1, 16); 4];
    descs[1].requeue = Some(false);
    descs[2] = job("kind", 1, 16);
    descs[3] = job("safe", 1, 16);
    let ids = started(&mut bench, &descs);
    let high = bench.submit(1002, job("high", 3, 48));
    bench.run(4);
    let state = |bench: &Bench, i: usize| bench.job(ids[i]).state;
    assert_eq!((state(&bench, 0), bench.job(ids[0]).reason), (JobState::Pending, Reason::Time), "requeued");
    assert_eq!(bench.job(ids[0]).restarts, 1);
    assert_eq!(state(&bench, 1), JobState::Preempted, "it may not be requeued");
    assert_eq!(state(&bench, 2), JobState::Running, "it has a grace time");
    let told = bench.job(ids[2]).preempt_time.unwrap();
    assert_eq!(bench.job(ids[2]).end, Some(told + base::time::Span::from_secs(20)));
    assert_eq!(bench.job(high).reason, Reason::Resources);
    let told: Vec<_> = bench.ctld.preemptions().map(|p| (p.victim, p.by, p.mode, p.grace)).collect();
    let (requeue, cancel) = (PreemptMode::Requeue, PreemptMode::Cancel);
    let all = [(ids[0], high, requeue, 0), (ids[1], high, cancel, 0), (ids[2], high, cancel, 20)];
    assert!(all.iter().all(|one| told.contains(one)) && told.len() == 3, "each is remembered once: {told:?}");
    bench.run(55);
    assert_eq!(
        state(&bench, 2),
        JobState::Preempted,
        "at the first look at time limits after the grace time"
    );
    assert_eq!(bench.job(high).state, JobState::Running);
    assert_eq!(state(&bench, 3), JobState::Running);
}

fn qos(bench: &mut Bench, name: &str, settings: &[(&str, &str)]) {
    let settings = settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let change = AccountingChange::AddQos { name: name.to_owned(), settings };
    assert_eq!(bench.ask(0, Request::Accounting(change)), Response::Ok);
}

#[test]
fn by_qos() {
    let table: &[(&str, &str, &str, bool)] = &[
        ("REQUEUE", "urgent", "spot", true),
        ("REQUEUE", "urgent", "exempt", false),
        ("REQUEUE", "spot", "urgent", false),
        ("REQUEUE", "normal", "spot", false),
        ("CANCEL", "urgent", "keep", false),
    ];
    for (mode, by, victim, expected) in table {
        let conf = format!(
            "{NODES}PreemptType=preempt/qos\nPreemptMode={mode}\nPartitionName=batch Nodes=cn01 Default=YES\n"
        );
        let mut bench = Bench::of(&conf);
        qos(&mut bench, "spot", &[]);
        qos(&mut bench, "exempt", &[("preemptexempttime", "00:10:00")]);
        qos(&mut bench, "keep", &[("preemptmode", "off")]);
        qos(&mut bench, "urgent", &[("preempt", "spot,exempt,keep")]);
        let desc = |qos: &str| JobDesc { qos: Some(qos.to_owned()), ..job("batch", 1, 16) };
        let ids = started(&mut bench, &[desc(victim)]);
        let high = bench.submit(1002, desc(by));
        bench.run(10);
        assert_eq!(bench.job(high).state == JobState::Running, *expected, "{by} against {victim}");
        assert_eq!(running(&bench, &ids), [!*expected], "{by} against {victim}");
    }
}

const SUSPEND: &str = "\
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PartitionName=low Nodes=cn[01-02] Default=YES PriorityTier=1
PartitionName=high Nodes=cn[01-02] PriorityTier=9
";

#[test]
fn suspended_jobs_stop_and_resume() {
    let mut bench = Bench::of(&format!("{NODES}{SUSPEND}"));
    let low = started(&mut bench, &[job("low", 2, 32)])[0];
    let limit = bench.job(low).end;
    let high = started(&mut bench, &[job("high", 1, 4)])[0];
    assert_eq!(bench.job(high).state, JobState::Running);
    assert_eq!(bench.job(low).state, JobState::Suspended);
    let ran = bench.job(low).run_seconds(bench.now);
    let more = started(&mut bench, &[job("high", 1, 4), job("low", 1, 4)]);
    bench.run(20);
    assert_eq!(running(&bench, &more), [true, false], "the low partition's cores are not free");
    assert_eq!(bench.job(low).run_seconds(bench.now), ran);
    for id in [high, more[0]] {
        let target = Target { job: id, task: None };
        let scope = crate::rpc::request::SignalScope::Steps;
        bench.ask(1001, Request::Kill { target, signal: None, scope, many: false });
        bench.run(1);
    }
    assert_eq!(bench.job(low).state, JobState::Running, "as soon as nobody of a higher tier is there");
    assert!(bench.job(low).end > limit, "its limit moves");
    assert!(bench.job(low).suspended >= 20);
}

#[test]
fn by_hand() {
    let mut bench = Bench::of(&format!("{NODES}{SUSPEND}"));
    let id = started(&mut bench, &[job("low", 2, 32)])[0];
    let target = Target { job: id, task: None };
    assert!(matches!(bench.ask(1001, Request::Suspend(target)), Response::Err { .. }), "administrators only");
    assert_eq!(bench.ask(0, Request::Suspend(target)), Response::Ok);
    bench.run(100);
    assert_eq!(bench.job(id).state, JobState::Suspended, "nobody but the administrator lets it go on");
    assert_eq!(bench.ask(0, Request::Resume(target)), Response::Ok);
    assert_eq!((bench.job(id).state, bench.job(id).suspended), (JobState::Running, 100));
}

#[test]
fn turns() {
    let conf = "PreemptMode=GANG\nSchedulerTimeSlice=10\nPartitionName=g Nodes=cn01 OverSubscribe=FORCE:2\n";
    let mut bench = Bench::of(&format!("{NODES}{conf}"));
    let ids: Vec<JobId> = (0..3).map(|_| bench.submit(1001, job("g", 1, 16))).collect();
    bench.run(4);
    assert_eq!(running(&bench, &ids), [true, false, false]);
    assert_eq!(bench.job(ids[1]).state, JobState::Suspended, "it shares the cores");
    assert_eq!(bench.job(ids[2]).reason, Reason::Resources, "two jobs at most");
    bench.run(3);
    let mut seen = Vec::new();
    for _ in 0..6 {
        bench.run(10);
        seen.push(running(&bench, &ids)[0]);
    }
    assert_eq!(seen, [false, true, false, true, false, true]);
    let ran = [0, 1].map(|i| bench.job(ids[i]).run_seconds(bench.now));
    assert!(ran[0].abs_diff(ran[1]) <= 12, "{ran:?}");
}
