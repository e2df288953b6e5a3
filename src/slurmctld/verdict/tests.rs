//! Verdicts, case by case; and on random machines, that they match what the passes do.

use super::*;
use crate::rpc::request::{JobUpdate, NodeUpdate, Request, Response, Target};
use crate::state::job::{Exclusive, GresReq, JobDesc};
use crate::tests::{Bench, cpus};
use base::time::{Limit, Span};
use base::verdict::*;
use config::SelectUnit;
use slurmdbd::AccountingChange as Accounts;
use std::cell::Cell;
use testing::Random;

const CONF: &str = "\
ClusterName=test
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
PriorityType=priority/basic
Licenses=matlab:2
AccountingStorageEnforce=limits,qos
NodeName=cn[01-03] Sockets=1 CoresPerSocket=8 RealMemory=16000 Feature=a
NodeName=gpu01 Sockets=1 CoresPerSocket=8 RealMemory=64000 Gres=gpu:a100:4
PartitionName=batch Nodes=cn[01-03] Default=YES MaxTime=1-0 DefaultTime=60
PartitionName=gpu Nodes=gpu01 MaxTime=1-0
PartitionName=short Nodes=cn[01-03] MaxTime=30 MaxNodes=1
PartitionName=down Nodes=cn[01-03] State=DOWN
PartitionName=chem Nodes=cn[01-03] AllowAccounts=science
";

fn bench() -> Bench {
    let mut bench = Bench::of(CONF);
    let account = |name: &str| Accounts::AddAccount {
        name: name.to_owned(),
        parent: "root".to_owned(),
        settings: Vec::new(),
    };
    let user = |name: &str, account: &str| Accounts::AddUser {
        name: name.to_owned(),
        account: account.to_owned(),
        partition: None,
        settings: Vec::new(),
    };
    let changes = [
        account("physics"),
        account("science"),
        user("alice", "physics"),
        user("bob", "physics"),
        user("alice", "science"),
    ];
    for change in changes {
        assert_eq!(bench.ask(0, Request::Accounting(change)), Response::Ok);
    }
    bench
}

fn set(bench: &mut Bench, kind: &str, name: &str, key: &str, value: &str) {
    let (name, settings) = (name.to_owned(), vec![(key.to_owned(), value.to_owned())]);
    let change = match kind {
        "qos" => Accounts::ModifyQos { name, settings },
        _ => Accounts::ModifyAccount { name, settings },
    };
    assert_eq!(bench.ask(0, Request::Accounting(change)), Response::Ok);
}

fn verdict(bench: &Bench, id: JobId) -> Verdict {
    bench.ctld.verdict(id, bench.now).unwrap()
}

fn blocker(bench: &Bench, id: JobId) -> Blocker {
    verdict(bench, id).partitions[0].blocker.clone()
}

/// `(cause, nodes)` in the first partition.
fn causes(bench: &Bench, id: JobId) -> Vec<(NodeVerdict, u32)> {
    verdict(bench, id).partitions[0].nodes.iter().map(|g| (g.cause.clone(), g.nodes)).collect()
}

fn gpus(count: u64, minutes: u32) -> JobDesc {
    let gres = vec![GresReq { name: "gpu".into(), kind: None, count }];
    JobDesc { partition: Some("gpu".into()), gres, ..cpus(1, minutes) }
}

#[test]
fn jobs_ahead_and_assumptions_of_the_expected_start() {
    let mut bench = bench();
    let runs = bench.submit(1001, cpus(20, 30));
    bench.run(4);
    let big = bench.submit(1002, cpus(24, 10));
    let long = bench.submit(1001, cpus(4, 600));
    bench.run(4);
    let first = verdict(&bench, big);
    assert_eq!(first.partitions[0].blocker, Blocker::Nodes);
    assert_eq!((first.needs.nodes, first.needs.tasks), (1, 24));
    assert_eq!(first.partitions[0].available, (1, 4));
    assert_eq!(
        causes(&bench, big),
        [(NodeVerdict::Busy(NodeResource::Cpus), 2), (NodeVerdict::Available, 1)]
    );
    let BackfillVerdict::Expects(expected) = &first.backfill else { panic!("{first:?}") };
    let end = bench.job(runs).end.unwrap();
    assert_eq!(expected.at, end);
    let limit = Assumption::Limit(names::job(&bench.ctld, runs), end);
    assert_eq!(expected.assumes, FirstOf { first: vec![limit], count: 1 });

    let second = verdict(&bench, long);
    assert_eq!(second.eligibility, Eligibility::Queued { in_front: 1 });
    let ahead = names::job(&bench.ctld, big);
    assert_eq!(second.partitions[0].blocker, Blocker::Behind(ahead.clone()));
    assert_eq!(causes(&bench, long)[1], (NodeVerdict::Kept(ahead.clone()), 1));
    let BackfillVerdict::Expects(expected) = &second.backfill else { panic!("{second:?}") };
    let [plan] = &expected.in_front.first[..] else { panic!("{expected:?}") };
    assert_eq!((&plan.job, plan.nodes), (&ahead, 1));
    assert!(matches!(&expected.assumes.first[0], Assumption::Plan(job, _) if *job == ahead), "{expected:?}");
    // A job that ends before that may start at once.
    let changes = bench.ctld.remedies(long, bench.now);
    let [RequestChange::Time(minutes), RequestChange::Partition(_)] = &changes[..] else {
        panic!("{changes:?}")
    };
    assert!((25..30).contains(minutes), "{minutes}");
    assert!(!bench.ctld.would_start(long, &RequestChange::Time(minutes + 1), bench.now));
    bench.run(40);
    assert_eq!(bench.job(long).state, JobState::Pending);
    let update = JobUpdate { time_limit: Some(Limit::Minutes(minutes - 1)), ..JobUpdate::default() };
    let target = Target { job: long, task: None };
    assert_eq!(bench.ask(1001, Request::Update { target, change: Box::new(update) }), Response::Ok);
    bench.run(61);
    assert_eq!(bench.job(long).state, JobState::Running);
}

#[test]
fn nodes_say_why() {
    let mut bench = bench();
    bench.submit(1001, gpus(3, 60));
    bench.submit(1001, JobDesc { mem_per_node: Some(12_000), ..cpus(1, 60) });
    bench.submit(1001, JobDesc { exclusive: Some(Exclusive::User), ..cpus(8, 60) });
    bench.run(4);
    let drain = NodeUpdate {
        nodes: "cn03".into(),
        state: Some("drain".into()),
        reason: Some("fan".into()),
        ..NodeUpdate::default()
    };
    assert_eq!(bench.ask(0, Request::UpdateNode(Box::new(drain))), Response::Ok);
    let two = bench.submit(1001, gpus(2, 10));
    let much = bench.submit(1002, JobDesc { mem_per_node: Some(8000), ..cpus(1, 10) });
    bench.run(4);
    assert_eq!(causes(&bench, two), [(NodeVerdict::Busy(NodeResource::Gres), 1)]);
    assert_eq!(bench.ctld.remedies(two, bench.now)[0], RequestChange::Gpus(1));
    let said = causes(&bench, much);
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said.contains(&(NodeVerdict::Busy(NodeResource::Memory), 1)), "{said:?}");
    assert!(said.contains(&(NodeVerdict::Drained, 1)), "{said:?}");
    let shared =
        |v: &NodeVerdict| matches!(v, NodeVerdict::Exclusive | NodeVerdict::Busy(NodeResource::Cpus));
    assert!(said.iter().any(|(v, _)| shared(v)), "{said:?}");
    let changes = bench.ctld.remedies(much, bench.now);
    assert_eq!(changes[0], RequestChange::Memory(4000), "{changes:?}");
    let other = bench.submit(1002, JobDesc { exclude: Some("cn01".into()), ..cpus(8, 10) });
    bench.run(4);
    assert!(causes(&bench, other).contains(&(NodeVerdict::Excluded, 1)));
}

#[test]
fn limits_name_their_users() {
    let mut bench = bench();
    set(&mut bench, "account", "physics", "GrpTRES", "cpu=6");
    set(&mut bench, "account", "physics", "MaxJobs", "2");
    let first = bench.submit(1001, cpus(4, 60));
    bench.run(4);
    let second = bench.submit(1002, cpus(4, 10));
    bench.run(4);
    let Blocker::Limit(limit) = blocker(&bench, second) else { panic!("{:?}", blocker(&bench, second)) };
    assert_eq!((limit.at, limit.used, limit.asked), (6, 4, 4));
    assert_eq!((limit.name.as_str(), limit.unit), ("GrpTRES=cpu", LimitUnit::Number));
    assert_eq!(limit.owner, LimitOwner::Account("physics".to_owned()));
    assert_eq!(limit.users, FirstOf { first: vec![names::job(&bench.ctld, first)], count: 1 });
    assert_eq!(limit.reason, bench.job(second).reason.text());
    let third = bench.submit(1001, JobDesc { account: Some("physics".into()), ..cpus(1, 10) });
    let fourth = bench.submit(1001, cpus(1, 10));
    bench.run(4);
    assert_eq!(bench.job(third).state, JobState::Running);
    let Blocker::Limit(limit) = blocker(&bench, fourth) else { panic!("{:?}", blocker(&bench, fourth)) };
    assert_eq!((limit.name.as_str(), limit.at, limit.used, limit.users.count), ("MaxJobs", 2, 2, 2));
    let changes = bench.ctld.remedies(fourth, bench.now);
    assert!(changes.iter().any(|c| matches!(c, RequestChange::Account(_))), "{changes:?}");
}

#[test]
fn reasons_not_to_try_a_job() {
    let mut bench = bench();
    let of = |part: &str, desc: JobDesc| JobDesc { partition: Some(part.into()), ..desc };
    let held = bench.submit(1001, JobDesc { hold: true, ..cpus(1, 1) });
    let begins = bench.submit(1001, JobDesc { begin: Some(bench.now + Span::from_mins(9)), ..cpus(1, 1) });
    let runs = bench.submit(1001, JobDesc { licenses: Some("matlab:2".into()), ..cpus(1, 60) });
    let waits = bench.submit(1001, JobDesc { dependency: Some(format!("afterok:{runs}")), ..cpus(1, 1) });
    bench.run(4);
    let down = bench.submit(1001, of("down", cpus(1, 1)));
    let short = bench.submit(1001, of("short", cpus(1, 31)));
    let wide = bench.submit(1001, JobDesc { min_nodes: Some(2), ..of("short", cpus(2, 1)) });
    let chem = bench.submit(1001, of("chem", cpus(1, 1)));
    let matlab = bench.submit(1001, JobDesc { licenses: Some("matlab".into()), ..cpus(1, 1) });
    let array = bench.submit(1001, JobDesc { array: Some("1-3%1".into()), ..cpus(1, 60) });
    bench.run(8);
    assert_eq!(verdict(&bench, held).eligibility, Eligibility::Held { by_admin: false });
    assert_eq!(
        verdict(&bench, begins).eligibility,
        Eligibility::Begins { at: bench.job(begins).begin.unwrap(), again: false }
    );
    assert_eq!(verdict(&bench, runs).eligibility, Eligibility::Past("RUNNING".to_owned()));
    assert!(
        matches!(verdict(&bench, waits).eligibility, Eligibility::Depends(on) if on.count == 1 && on.first[0].1.job == runs)
    );
    assert_eq!(blocker(&bench, down), Blocker::State("DOWN".to_owned()));
    assert_eq!(
        blocker(&bench, short),
        Blocker::TimeLimit { asked: Limit::Minutes(31), most: Limit::Minutes(30) }
    );
    assert_eq!(blocker(&bench, wide), Blocker::NodeCount { asked: 2, least: 1, most: 1 });
    assert_eq!(blocker(&bench, chem), Blocker::Account);
    let Blocker::Licenses(missing) = blocker(&bench, matlab) else { panic!("{:?}", blocker(&bench, matlab)) };
    assert_eq!((missing[0].asked, missing[0].taken, missing[0].total), (1, 2, 2));
    assert_eq!(blocker(&bench, array), Blocker::ArrayTasks { running: 1, most: 1 });
    assert!(bench.ctld.verdict(JobId(999), bench.now).is_none());
}

fn request(dice: &mut Random, now: Time) -> JobDesc {
    let mut desc = cpus(1 + dice.below(12), 1 + dice.below(60));
    desc.partition = Some(["batch", "gpu", "batch,gpu", "short"][dice.below(4)].to_owned());
    match dice.below(9) {
        0 => desc.exclusive = Some(Exclusive::Node),
        1 => desc.mem_per_node = Some(1000 * (1 + dice.below(15))),
        2 => desc = gpus(1 + dice.below(4), 1 + dice.below(60)),
        3 => desc.array = Some("1-3%2".into()),
        4 => desc.nodelist = Some("cn02".into()).filter(|_| desc.partition.as_deref() == Some("batch")),
        5 => desc.licenses = Some("matlab".into()),
        6 => desc.begin = Some(now + Span::from_secs(dice.below(300))),
        _ => {}
    }
    desc
}

/// The results of a plain main pass and a plain backfill pass, without observation.
fn passes(bench: &Bench, change: impl FnOnce(&mut Slurmctld)) -> [Slurmctld; 2] {
    let mut ctld = bench.ctld.clone();
    ctld.plain = true;
    ctld.build_caches();
    ctld.caches.moment = bench.now;
    ctld.forget_plans();
    change(&mut ctld);
    if let Some(mut pass) = ctld.begin_main(usize::MAX, bench.now) {
        while ctld.advance(&mut *pass, 1) {}
        ctld.end_main(pass);
    }
    let after_main = ctld.clone();
    if let Some(mut pass) = ctld.begin_backfill(bench.now) {
        while ctld.advance(&mut *pass, u32::MAX) {}
        ctld.end_backfill(pass);
    }
    [after_main, ctld]
}

fn runs(ctld: &Slurmctld, id: JobId, now: Time) -> bool {
    ctld.job(id).is_some_and(|job| ahead::started(ctld, job, now))
}

/// Whether the blocker matches the reason that the pass set.
fn agrees(blocker: &Blocker, reason: Reason) -> bool {
    match blocker {
        Blocker::Limit(limit) => limit.reason == reason.text(),
        Blocker::Behind(_) => matches!(reason, Reason::Priority | Reason::Resources),
        Blocker::Nodes | Blocker::Preempts(_) => matches!(reason, Reason::Resources | Reason::NodeNotAvail),
        Blocker::Licenses(_) => reason == Reason::Licenses,
        Blocker::ArrayTasks { .. } => reason == Reason::ArrayTaskLimit,
        Blocker::TimeLimit { .. } => reason == Reason::PartTimeLimit,
        Blocker::NodeCount { .. } => reason == Reason::PartNodeLimit,
        Blocker::Other(other) => other == reason.text(),
        Blocker::State(_) => matches!(reason, Reason::PartDown | Reason::PartInactive),
        Blocker::TooSmall { .. } | Blocker::Account | Blocker::Group => reason == Reason::PartConfig,
        Blocker::Qos => reason == Reason::Qos,
        Blocker::Never => reason == Reason::FailBadConstraints,
        Blocker::NoAccount(_) => reason == Reason::FailAccount,
        Blocker::NoQos(_) => reason == Reason::FailQos,
        Blocker::Threshold { .. } => reason == Reason::QosThres,
        Blocker::Reservation(_) => reason == Reason::Reservation,
        Blocker::Nothing => false,
    }
}

#[test]
fn verdicts_match_the_passes() {
    let (waiting, cured) = (Cell::new(0), Cell::new(0));
    testing::for_seeds(0..40, |seed, dice| {
        let mut bench = bench();
        if seed % 3 == 0 {
            set(&mut bench, "account", "physics", "GrpTRES", "cpu=14");
        }
        std::sync::Arc::make_mut(&mut bench.ctld.cluster).global.select.unit =
            if seed % 2 == 0 { SelectUnit::Core } else { SelectUnit::Cpu };
        for _ in 0..25 {
            if dice.is_used_up() {
                break;
            }
            let desc = request(dice, bench.now);
            bench.ask(
                1001,
                Request::SubmitBatch(Box::new(JobDesc {
                    uid: base::ids::Uid(1001),
                    script: Some(Default::default()),
                    ..desc
                })),
            );
            bench.run(dice.below(90));
        }
        let pending: Vec<JobId> = bench.ctld.pending_jobs().map(|j| j.id).collect();
        let [main, both] = passes(&bench, |_| {});
        for id in pending {
            let verdict = verdict(&bench, id);
            let entry = format!("seed {seed}, {:?}: {verdict:?}", bench.job(id).needs);
            if !matches!(verdict.eligibility, Eligibility::Queued { .. }) {
                assert!(!runs(&both, id, bench.now), "{entry}");
                continue;
            }
            waiting.set(waiting.get() + 1);
            assert_eq!(verdict.starts() == Some(StartingPass::Main), runs(&main, id, bench.now), "{entry}");
            assert_eq!(verdict.starts().is_some(), runs(&both, id, bench.now), "{entry}");
            if verdict.starts().is_none() {
                let (reason, after) = (main.job(id).unwrap().reason, both.job(id).unwrap().reason);
                let by_backfill = matches!(&verdict.backfill, BackfillVerdict::Limited(limit) if limit.reason == after.text());
                let stops = |reason| verdict.partitions.iter().any(|p| agrees(&p.blocker, reason));
                // A job that no pass reached keeps its reason.
                let looked = main.job(id).unwrap().last_sched == Some(bench.now);
                let agree =
                    !looked || stops(reason) && (stops(after) || by_backfill || after == Reason::Priority);
                assert!(agree, "{reason:?} {after:?} {entry}");
                let expected = both.job(id).unwrap().planned.as_ref().map(|p| p.0);
                let said = match &verdict.backfill {
                    BackfillVerdict::Expects(e) => Some(e.at),
                    _ => None,
                };
                assert_eq!(said, expected, "{entry}");
            }
            for tried in &verdict.partitions {
                let nodes: u32 = tried.nodes.iter().map(|g| g.nodes).sum();
                let part = bench.ctld.partitions.iter().find(|p| p.name == tried.partition).unwrap();
                assert_eq!(nodes, part.nodes.len(), "{entry}");
                let small =
                    tried.available.0 < verdict.needs.nodes || tried.available.1 < verdict.needs.tasks.into();
                let chosen = bench.job(id).needs.required.is_empty();
                assert!(small || tried.blocker != Blocker::Nodes || !chosen, "there is room: {entry}");
            }
            for change in bench.ctld.remedies(id, bench.now) {
                cured.set(cured.get() + 1);
                let [_, changed] =
                    passes(&bench, |ctld| assert!(ctld.change_request(id, &change, bench.now)));
                assert!(runs(&changed, id, bench.now), "{change:?} {entry}");
            }
        }
    });
    let (waiting, cured) = (waiting.get(), cured.get());
    assert!(waiting > 100 && cured > 50, "{waiting} waited, {cured} could be helped");
}
