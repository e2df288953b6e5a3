//! Arrays, dependencies, requeues, updates, deadlines and heterogeneous jobs.

use super::*;
use crate::rpc::request::{JobUpdate, Requeue, TextField};
use crate::state::error::SlurmError;

const SMALL: &str = "\
ClusterName=test
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
RequeueExit=42
RequeueExitHold=43
NodeName=cn[01-02] Sockets=1 CoresPerSocket=4 RealMemory=8000
NodeName=gpu01 Sockets=1 CoresPerSocket=4 RealMemory=8000
PartitionName=batch Nodes=cn[01-02] Default=YES MaxTime=60 DefaultTime=10
";

fn ok(bench: &Bench) {
    assert_eq!(bench.ctld.waiting_faults(bench.now), Vec::<String>::new());
}

fn target(job: JobId) -> Target {
    Target { job, task: None }
}

fn task(job: JobId, task: u32) -> Target {
    Target { job, task: Some(task) }
}

fn after(kind: &str, job: JobId) -> JobDesc {
    JobDesc { dependency: Some(format!("{kind}:{job}")), ..cpus(1, 10) }
}

fn refused(response: Response) -> SlurmError {
    match response {
        Response::Err { error, .. } => error,
        other => panic!("not refused: {other:?}"),
    }
}

fn update(bench: &mut Bench, uid: u32, job: JobId, change: JobUpdate) -> Response {
    bench.ask(uid, Request::Update { target: target(job), change: Box::new(change) })
}

#[test]
fn dependents_are_checked_after_events() {
    let mut bench = Bench::of(SMALL);
    let first = bench.submit(1001, cpus(8, 10));
    let second = bench.submit(1001, after("afterok", first));
    let third = bench.submit(1001, after("afterok", second));
    let delayed = bench.submit(1001, JobDesc { dependency: Some(format!("after:{first}+2")), ..cpus(1, 10) });
    bench.run(4);
    ok(&bench);
    bench.end(first, Status::Exited(0));
    bench.run(4);
    ok(&bench);
    assert_eq!(bench.job(second).state, JobState::Running);
    assert_eq!(bench.job(third).reason, Reason::Dependency);
    bench.run(100);
    assert_eq!(bench.job(delayed).state, JobState::Pending);
    bench.run(90);
    assert_eq!(bench.job(delayed).state, JobState::Running, "two minutes after the start, at a pass");
    bench.end(second, Status::Exited(1));
    bench.run(4);
    assert_eq!(bench.job(third).reason, Reason::DepInvalid);
    ok(&bench);
}

#[test]
fn singletons_run_one_after_another() {
    let mut bench = Bench::of(SMALL);
    let desc = || JobDesc { name: "one".into(), dependency: Some("singleton".into()), ..cpus(1, 10) };
    let ids = [0; 4].map(|_| bench.submit(1001, desc()));
    for id in ids {
        bench.run(5);
        ok(&bench);
        let running: Vec<JobId> = bench.ctld.active_jobs().map(|j| j.id).collect();
        assert_eq!(running, [id]);
        bench.end(id, Status::Exited(0));
    }
}

#[test]
fn corresponding_tasks_wait_for_each_other() {
    let mut bench = Bench::of(SMALL);
    let first = bench.submit(1001, JobDesc { array: Some("1-3".into()), ..cpus(1, 10) });
    let desc = JobDesc { array: Some("1-3".into()), ..after("aftercorr", first) };
    let second = bench.submit(1001, desc);
    bench.run(5);
    let of = |bench: &Bench, array: JobId, task: u32| {
        let mut records = bench.ctld.array_records(array).filter_map(|id| bench.ctld.job(id));
        records.find(|j| j.array.as_ref().is_some_and(|a| a.task == Some(task))).map(|j| (j.id, j.state))
    };
    let (one, _) = of(&bench, first, 1).unwrap();
    let (two, _) = of(&bench, first, 2).unwrap();
    bench.end(one, Status::Exited(0));
    bench.end(two, Status::Exited(9));
    bench.run(4);
    ok(&bench);
    assert_eq!(of(&bench, second, 1).unwrap().1, JobState::Running);
    let (failed, _) = of(&bench, second, 2).unwrap();
    assert_eq!(bench.job(failed).reason, Reason::DepInvalid);
    assert_eq!(of(&bench, second, 3).unwrap().1, JobState::Pending);
}

#[test]
fn changed_tasks_have_records() {
    let mut bench = Bench::of(SMALL);
    let array = bench.submit(1001, JobDesc { array: Some("1-8%2".into()), ..cpus(1, 10) });
    bench.run(4);
    assert_eq!(bench.ask(1001, Request::Hold { target: task(array, 5), user: true }), Response::Ok);
    let kill = |many| Request::Kill { target: task(array, 8), signal: None, scope: SignalScope::Steps, many };
    assert_eq!(bench.ask(1001, kill(false)), Response::Ok, "goes without a record");
    let texts: Vec<String> = bench.ctld.array_records(array).map(|id| bench.job(id).id_text()).collect();
    assert_eq!(texts, ["1_[3-4,6-7%2]", "1_1", "1_2", "1_5"]);
    ok(&bench);
}

#[test]
fn a_requeued_job_waits_two_minutes() {
    let mut bench = Bench::of(SMALL);
    let job = bench.submit(1001, JobDesc { requeue: Some(true), ..cpus(1, 10) });
    bench.run(4);
    let requeue = |how| Request::Requeue { target: target(job), how };
    assert_eq!(refused(bench.ask(1002, requeue(Requeue::Plain))), SlurmError::AccessDenied);
    assert_eq!(bench.ask(1001, requeue(Requeue::Plain)), Response::Ok);
    assert_eq!((bench.job(job).state, bench.job(job).restarts), (JobState::Pending, 1));
    bench.run(1);
    assert_eq!(refused(bench.ask(1001, requeue(Requeue::Plain))), SlurmError::JobPending);
    bench.run(100);
    assert_eq!(bench.job(job).reason, Reason::Time);
    bench.run(100);
    assert_eq!(bench.job(job).state, JobState::Running);
    bench.ask(1001, requeue(Requeue::SpecialExit));
    bench.run(1);
    assert_eq!(bench.job(job).shown_state().1, "SE");
    assert_eq!(bench.ask(1001, Request::Release(target(job))), Response::Ok);
    assert_eq!(bench.job(job).shown_state().1, "PD");
    ok(&bench);
}

#[test]
fn exit_codes_that_requeue() {
    let mut bench = Bench::of(SMALL);
    let ids = [(42, true), (43, true), (42, false)].map(|(code, requeue)| {
        let job = bench.submit(1001, JobDesc { requeue: Some(requeue), ..cpus(1, 10) });
        bench.run(4);
        bench.end(job, Status::Exited(code));
        job
    });
    bench.run(4);
    assert_eq!((bench.job(ids[0]).state, bench.job(ids[0]).reason), (JobState::Pending, Reason::Time));
    assert_eq!(bench.job(ids[1]).shown_state().1, "SE");
    assert_eq!(bench.job(ids[2]).state, JobState::Failed, "--no-requeue");
}

#[test]
fn permissions_for_updates() {
    let mut bench = Bench::of(SMALL);
    bench.submit(1001, cpus(8, 10));
    bench.run(4);
    let job = bench.submit(1001, cpus(8, 10));
    bench.run(4);
    let limit = |minutes| JobUpdate { time_limit: Some(Limit::Minutes(minutes)), ..JobUpdate::default() };
    let nice = |nice| JobUpdate { nice: Some(nice), ..JobUpdate::default() };
    let priority = |priority| JobUpdate { priority: Some(priority), ..JobUpdate::default() };
    let nodes = |n| JobUpdate { min_nodes: Some(n), max_nodes: Some(n), ..JobUpdate::default() };
    let table = [
        (1001, limit(30), None),
        (1001, limit(61), Some(SlurmError::AccessDenied)),
        (0, limit(61), None),
        (1002, limit(1), Some(SlurmError::UserIdMissing)),
        (1001, nice(-5), Some(SlurmError::AccessDenied)),
        (1001, nice(5), None),
        (1001, priority(1), Some(SlurmError::PrioResetFail)),
        (1001, nodes(3), Some(SlurmError::RequestedPartConfigUnavailable)),
    ];
    for (uid, change, error) in table {
        let what = format!("{change:?}");
        let response = update(&mut bench, uid, job, change);
        match error {
            None => assert_eq!(response, Response::Ok, "{what}"),
            Some(error) => assert_eq!(refused(response), error, "{what}"),
        }
    }
    assert_eq!(bench.job(job).reason, Reason::PartConfig, "the refused size stands all the same");
    assert_eq!(bench.job(job).nice, 0, "a refused priority takes the nice value with it");
    let text = |field, text: &str| JobUpdate { texts: vec![(field, text.into())], ..JobUpdate::default() };
    assert_eq!(update(&mut bench, 1001, job, text(TextField::Comment, "x")), Response::Ok);
    assert_eq!(
        refused(update(&mut bench, 1001, job, text(TextField::AdminComment, "x"))),
        SlurmError::AccessDenied
    );
    assert_eq!(bench.job(job).comment.as_deref(), Some("x"));
}

#[test]
fn deadlines() {
    let mut bench = Bench::of(SMALL);
    let first = bench.submit(1001, cpus(8, 20));
    bench.run(4);
    let deadline = bench.now + Span::from_mins(15);
    let late = bench.submit(1001, JobDesc { deadline: Some(deadline), ..cpus(8, 10) });
    bench.run(240);
    assert_eq!(bench.job(late).state, JobState::Pending);
    bench.run(180);
    assert_eq!((bench.job(late).state, bench.job(late).reason), (JobState::Deadline, Reason::FailDeadline));
    assert_eq!(bench.job(first).state, JobState::Running);
    ok(&bench);
}

#[test]
fn a_shorter_time_that_fits_in_front_of_a_planned_job() {
    let mut bench = Bench::of(SMALL);
    bench.submit(1001, cpus(4, 30));
    bench.run(4);
    let big = bench.submit(1001, cpus(8, 10));
    let short = bench.submit(1001, JobDesc { time_min: Some(Limit::Minutes(5)), ..cpus(2, 60) });
    bench.run(70);
    assert_eq!(bench.job(big).state, JobState::Pending);
    assert_eq!(bench.job(short).state, JobState::Running);
    let Limit::Minutes(got) = bench.job(short).time_limit else { panic!("a limit") };
    assert!((5..=30).contains(&got), "{got} minutes are left before the big one");
}

#[test]
fn components_start_and_end_together() {
    let mut bench = Bench::of(SMALL);
    let running = bench.submit(1001, cpus(4, 10));
    bench.run(4);
    let component =
        |n| JobDesc { uid: Uid(1001), script: Some(Arc::new(b"#!/bin/sh\n".to_vec())), ..cpus(n, 10) };
    let Response::Job { id, .. } = bench.ask(1001, Request::SubmitHet(vec![component(4), component(2)]))
    else {
        panic!("refused")
    };
    let other = JobId(id.0 + 1);
    assert_eq!((bench.job(id).id_text(), bench.job(other).id_text()), ("2+0".into(), "2+1".into()));
    bench.run(70);
    assert_eq!(bench.job(id).state, JobState::Pending, "there is room for one of them only");
    assert_eq!(bench.job(other).state, JobState::Pending);
    let kill =
        |job| Request::Kill { target: target(job), signal: None, scope: SignalScope::Steps, many: false };
    assert_eq!(refused(bench.ask(1001, kill(other))), SlurmError::NotWholeHetJob);
    bench.end(running, Status::Exited(0));
    bench.run(62);
    assert_eq!((bench.job(id).state, bench.job(other).state), (JobState::Running, JobState::Running));
    bench.end(id, Status::Exited(0));
    bench.run(2);
    assert_eq!((bench.job(id).state, bench.job(other).state), (JobState::Complete, JobState::Complete));
    assert!(bench.ctld.nodes.iter().all(|n| n.cpus_used == 0));
}

#[test]
fn a_running_job_is_held() {
    let mut bench = Bench::new();
    let [mine, other, ends] = [1, 2, 3].map(|n| bench.submit(1001, cpus(n, 30)));
    bench.run(5);
    let shown = |bench: &Bench, job| (bench.job(job).state, bench.job(job).priority, bench.job(job).reason);
    bench.ask(1001, Request::Hold { target: target(mine), user: false });
    assert_eq!(shown(&bench, mine), (JobState::Running, 0, Reason::HeldUser));
    // Priority 0 is a hold. What an operator holds, the owner can't make its own.
    update(&mut bench, 0, other, JobUpdate { priority: Some(0), ..JobUpdate::default() });
    bench.ask(1001, Request::Hold { target: target(other), user: false });
    assert_eq!(shown(&bench, other), (JobState::Running, 0, Reason::Held));
    assert_eq!(
        refused(update(&mut bench, 0, other, JobUpdate { priority: Some(7), ..JobUpdate::default() })),
        SlurmError::JobHeld
    );
    bench.ask(0, Request::Hold { target: target(ends), user: true });
    bench.end(ends, Status::Exited(0));
    assert_eq!((bench.job(ends).state, bench.job(ends).reason), (JobState::Complete, Reason::HeldUser));
    // It comes back to the queue as held as it was.
    bench.ask(0, Request::Requeue { target: target(other), how: Requeue::Plain });
    bench.run(5);
    assert_eq!(shown(&bench, other), (JobState::Pending, 0, Reason::Held));
    assert_eq!(bench.job(other).state_desc, None);
    bench.ask(1001, Request::Release(target(mine)));
    assert_eq!(bench.job(mine).reason, Reason::None);
    ok(&bench);
}

#[test]
fn jobs_that_a_partition_refuses_block_no_other_job() {
    let mut bench = Bench::new();
    let tall = JobDesc { min_nodes: Some(9), ..cpus(9, 30) };
    let too_wide = bench.submit(1001, tall);
    bench.run(5);
    assert_eq!(bench.job(too_wide).reason, Reason::PartNodeLimit);
    let next = bench.submit(1001, cpus(1, 30));
    assert_eq!(bench.job(next).reason, Reason::None);
}
