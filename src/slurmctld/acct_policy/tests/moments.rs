//! Changes at run time: settings, requeues, minutes that are used up.

use super::*;

#[test]
fn limits_that_are_not_enforced_block_no_job() {
    let mut bench = bench(&CONF.replace("Enforce=limits,qos", "Enforce=associations"));
    apply(&mut bench, change("qos q MaxJobsPerUser=1 MaxSubmitJobsPerUser=1"));
    for text in ["alice -q q", "alice -q q", "alice -q other"] {
        let Response::Job { id, .. } = submit(&mut bench, text) else { panic!("{text}: refused") };
        bench.run(4);
        assert_eq!(bench.job(id).state, JobState::Running, "{text}");
    }
}

#[test]
fn changes_at_run_time() {
    let mut bench = bench(CONF);
    apply(&mut bench, change("user alice MaxJobs=1"));
    let ids = [0, 1].map(|_| match submit(&mut bench, "alice") {
        Response::Job { id, .. } => id,
        other => panic!("{other:?}"),
    });
    bench.run(5);
    assert_eq!(bench.job(ids[1]).reason, Reason::AssocMaxJobs);
    apply(&mut bench, change("user alice MaxJobs=2"));
    bench.run(5);
    assert_eq!(bench.job(ids[1]).reason, Reason::AssocMaxJobs, "nothing wants a pass");
    bench.run(60);
    assert_eq!(bench.job(ids[1]).state, JobState::Running, "but the next one lets it go");
    apply(&mut bench, change("account physics qos=normal,part"));
    let Response::Job { id, .. } = submit(&mut bench, "carol -q q") else { panic!("refused") };
    apply(&mut bench, change("account science qos=normal"));
    bench.run(4);
    assert_eq!(bench.job(id).reason, Reason::FailQos, "the association lost its QOS");
    holds(&bench, "changes");
}

#[test]
fn a_requeued_job_counts_as_submitted_only() {
    let mut bench = bench(CONF);
    apply(&mut bench, change("user alice MaxJobs=1"));
    let Response::Job { id: first, .. } = submit(&mut bench, "alice") else { panic!("refused") };
    let Response::Job { id: second, .. } = submit(&mut bench, "alice") else { panic!("refused") };
    bench.run(4);
    bench.ask(
        0,
        Request::Requeue {
            target: Target { job: first, task: None },
            how: crate::rpc::request::Requeue::Held,
        },
    );
    bench.run(5);
    assert_eq!(bench.job(second).state, JobState::Running);
    holds(&bench, "requeue");
}

/// A cluster that counts minutes every minute.
fn by_the_minute(enforce: &str) -> Bench {
    let conf = CONF
        .replace("priority/basic", "priority/multifactor\nPriorityCalcPeriod=1\nPriorityDecayHalfLife=0")
        .replace("Enforce=limits,qos", enforce);
    bench(&conf)
}

#[test]
fn minutes_that_are_used_up() {
    for (limit, waits) in [
        ("qos q GrpTRESMins=cpu=8", Reason::QosGrpCpuMin),
        ("account physics GrpTRESMins=cpu=8", Reason::AssocGrpCpuMin),
        ("qos q GrpWall=4", Reason::QosGrpWall),
        ("account physics GrpWall=4", Reason::AssocGrpWall),
    ] {
        let mut bench = by_the_minute("Enforce=limits");
        apply(&mut bench, change(limit));
        let first = id_of(submit(&mut bench, "alice -q q -n 2 -t 20"));
        bench.run(5);
        assert_eq!(bench.job(first).state, JobState::Running, "{limit}: nothing is used yet");
        bench.run(3 * 60);
        assert_eq!(bench.job(first).state, JobState::Running, "{limit}: not used up yet");
        bench.run(2 * 60);
        assert_eq!(bench.job(first).state, JobState::Timeout, "{limit}: four minutes of two CPUs");
        let second = id_of(submit(&mut bench, "bob -q q"));
        bench.run(5);
        assert_eq!(
            (bench.job(second).state, bench.job(second).reason),
            (JobState::Pending, waits),
            "{limit}"
        );
        holds(&bench, limit);
    }
}

#[test]
fn safe_starts_only_jobs_that_can_end() {
    let mut bench = by_the_minute("Enforce=safe");
    apply(&mut bench, change("account physics GrpTRESMins=cpu=40"));
    let fits = id_of(submit(&mut bench, "alice -n 2 -t 10"));
    let second = id_of(submit(&mut bench, "bob -n 2 -t 10"));
    let third = id_of(submit(&mut bench, "bob -n 1 -t 5"));
    bench.run(5);
    assert_eq!([fits, second].map(|id| bench.job(id).state), [JobState::Running; 2]);
    assert_eq!(bench.job(third).reason, Reason::AssocGrpCpuMin, "40 of 40 minutes are spoken for");
    bench.run(300);
    bench.end(fits, Status::Exited(0));
    bench.run(10);
    assert_eq!(bench.job(third).state, JobState::Running, "the first ended early");
}

#[test]
fn accruing_jobs_are_limited() {
    for limit in
        ["user alice MaxJobsAccrue=1", "account physics GrpJobsAccrue=1", "qos normal MaxJobsAccruePerUser=1"]
    {
        let mut bench = by_the_minute("Enforce=limits");
        apply(&mut bench, change("account physics MaxJobs=1"));
        apply(&mut bench, change(limit));
        let ids = [0, 1, 2].map(|_| {
            let id = id_of(submit(&mut bench, "alice -t 3"));
            bench.run(5);
            id
        });
        assert_eq!(bench.job(ids[0]).state, JobState::Running, "{limit}");
        let accrues = |bench: &Bench| ids.map(|id| bench.job(id).accrue.is_some());
        assert_eq!(
            accrues(&bench),
            [true, true, false],
            "{limit}: the second waits and grows older, the third waits only"
        );
        bench.end(ids[0], Status::Exited(0));
        bench.run(70);
        assert_eq!(accrues(&bench), [true; 3], "{limit}: the second runs");
        holds(&bench, limit);
    }
}

#[test]
fn no_reservation_below_min_prio_thresh() {
    for (setting, planned) in [
        ("qos q Flags=NoReserve", false),
        ("qos q MinPrioThresh=4294967290", false),
        ("qos q Priority=1", true),
    ] {
        let mut bench = bench(CONF);
        apply(&mut bench, change(setting));
        submit(&mut bench, "alice -n 40 -t 100");
        bench.run(5);
        let big = id_of(submit(&mut bench, "bob -q q -n 48"));
        bench.run(70);
        assert_eq!(bench.job(big).planned.is_some(), planned, "{setting}");
    }
}

#[test]
fn a_partition_changes_at_run_time() {
    let mut bench = bench(CONF);
    apply(&mut bench, change("qos other MaxJobsPerUser=1"));
    let set = |bench: &mut Bench, key: &str, value: &str| {
        let changes = vec![(key.to_owned(), value.to_owned())];
        bench.ask(0, Request::UpdatePartition { name: "batch".to_owned(), changes })
    };
    assert_eq!(set(&mut bench, "QOS", "other"), Response::Ok);
    assert!(matches!(set(&mut bench, "QOS", "nope"), Response::Err { .. }));
    let ids = [0, 1].map(|_| id_of(submit(&mut bench, "alice")));
    bench.run(5);
    assert_eq!(bench.job(ids[1]).reason, Reason::QosMaxJobPerUser);
    holds(&bench, "the partition's QOS");
    assert_eq!(set(&mut bench, "QOS", ""), Response::Ok);
    bench.run(5);
    assert_eq!(bench.job(ids[1]).state, JobState::Running);
    holds(&bench, "no QOS any more");
    for (key, value, reason) in [
        ("AllowAccounts", "science", Reason::PartConfig),
        ("MaxTime", "5", Reason::PartTimeLimit),
        ("State", "DOWN", Reason::PartDown),
    ] {
        assert_eq!(set(&mut bench, key, value), Response::Ok, "{key}");
        let id = id_of(submit(&mut bench, "alice"));
        bench.run(5);
        assert_eq!(bench.job(id).reason, reason, "{key}");
    }
}
