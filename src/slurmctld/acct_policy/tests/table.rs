//! Every limit and flag, one line each: the setting, a job that breaks this limit only, Slurm's reason.

use super::*;

/// A limit that a job breaks by itself, whatever others use.
struct LimitCase(&'static str, &'static str, Reason);

fn check_alone(rows: &[LimitCase], queue: &str) {
    for LimitCase(limit, job, reason) in rows {
        let mut bench = bench(CONF);
        apply(&mut bench, change(limit));
        let id = id_of(submit(&mut bench, job));
        bench.run(4);
        let found = bench.job(id);
        assert_eq!((found.state, found.reason), (JobState::Pending, *reason), "{queue} {limit}: {job}");
        holds(&bench, limit);
    }
}

/// The same with `Flags=DenyOnLimit`: the submission is refused with the same words.
fn plays_denied(rows: &[LimitCase]) {
    for LimitCase(limit, job, reason) in rows {
        let mut bench = bench(CONF);
        apply(&mut bench, change(&format!("{limit} Flags=DenyOnLimit")));
        match submit(&mut bench, job) {
            Response::Err { messages, .. } => {
                assert_eq!(messages, [format!("error: {}", reason.text())], "{limit}: {job}")
            }
            other => panic!("{limit}: {job}: {other:?}"),
        }
    }
}

#[test]
fn limits_of_a_qos_on_one_job() {
    use Reason::*;
    let rows = [
        LimitCase("qos q GrpTRES=cpu=4", "alice -q q -n 5", QosGrpCpu),
        LimitCase("qos q GrpTRES=mem=4000", "alice -q q -n 5", QosGrpMem),
        LimitCase("qos q GrpTRES=node=1", "alice -q q -N 2", QosGrpNode),
        LimitCase("qos q GrpTRES=billing=4", "alice -q q -n 5", QosGrpBilling),
        LimitCase("qos q GrpTRES=gres/gpu=1", "alice -q q -p gpu -G 2", QosGrpGres),
        LimitCase("qos q GrpTRES=license/matlab=1", "alice -q q -L matlab:2", QosGrpLic),
        LimitCase("qos q GrpTRESRunMins=cpu=40", "alice -q q -n 5 -t 10", QosGrpCpuRunMin),
        LimitCase("qos q GrpTRESRunMins=mem=40000", "alice -q q -n 5 -t 10", QosGrpMemRunMin),
        LimitCase("qos q GrpTRESRunMins=node=10", "alice -q q -N 2 -t 10", QosGrpNodeRunMin),
        LimitCase("qos q GrpTRESRunMins=billing=40", "alice -q q -n 5 -t 10", QosGrpBillingRunMin),
        LimitCase("qos q GrpTRESRunMins=gres/gpu=10", "alice -q q -p gpu -G 2 -t 10", QosGrpGresRunMin),
        LimitCase("qos q GrpTRESRunMins=license/matlab=10", "alice -q q -L matlab:2 -t 10", QosGrpLicRunMin),
        LimitCase("qos q MaxTRES=cpu=4", "alice -q q -n 5", QosMaxCpuPerJob),
        LimitCase("qos q MaxTRES=mem=4000", "alice -q q -n 5", QosMaxMemPerJob),
        LimitCase("qos q MaxTRES=node=1", "alice -q q -N 2", QosMaxNodePerJob),
        LimitCase("qos q MaxTRES=billing=4", "alice -q q -n 5", QosMaxBillingPerJob),
        LimitCase("qos q MaxTRES=gres/gpu=1", "alice -q q -p gpu -G 2", QosMaxGresPerJob),
        LimitCase("qos q MaxTRES=license/matlab=1", "alice -q q -L matlab:2", QosMaxLicPerJob),
        LimitCase("qos q MaxTRESPerNode=cpu=4", "alice -q q -n 5", QosMaxCpuPerNode),
        LimitCase("qos q MaxTRESPerNode=mem=4000", "alice -q q -n 5", QosMaxMemPerNode),
        LimitCase("qos q MaxTRESPerNode=gres/gpu=1", "alice -q q -p gpu -G 2", QosMaxGresPerNode),
        LimitCase("qos q MaxTRESMins=cpu=40", "alice -q q -n 5 -t 10", QosMaxCpuMinsPerJob),
        LimitCase("qos q MaxTRESMins=mem=40000", "alice -q q -n 5 -t 10", QosMaxMemMinsPerJob),
        LimitCase("qos q MaxTRESMins=node=10", "alice -q q -N 2 -t 10", QosMaxNodeMinsPerJob),
        LimitCase("qos q MaxTRESMins=gres/gpu=10", "alice -q q -p gpu -G 2 -t 10", QosMaxGresMinsPerJob),
        LimitCase("qos q MaxTRESPerUser=cpu=4", "alice -q q -n 5", QosMaxCpuPerUser),
        LimitCase("qos q MaxTRESPerUser=mem=4000", "alice -q q -n 5", QosMaxMemPerUser),
        LimitCase("qos q MaxTRESPerUser=node=1", "alice -q q -N 2", QosMaxNodePerUser),
        LimitCase("qos q MaxTRESPerUser=billing=4", "alice -q q -n 5", QosMaxBillingPerUser),
        LimitCase("qos q MaxTRESPerUser=gres/gpu=1", "alice -q q -p gpu -G 2", QosMaxGresPerUser),
        LimitCase("qos q MaxTRESPerUser=license/matlab=1", "alice -q q -L matlab:2", QosMaxLicPerUser),
        LimitCase("qos q MaxTRESPerAccount=cpu=4", "alice -q q -n 5", QosMaxCpuPerAcct),
        LimitCase("qos q MaxTRESPerAccount=mem=4000", "alice -q q -n 5", QosMaxMemPerAcct),
        LimitCase("qos q MaxTRESPerAccount=node=1", "alice -q q -N 2", QosMaxNodePerAcct),
        LimitCase("qos q MaxTRESPerAccount=gres/gpu=1", "alice -q q -p gpu -G 2", QosMaxGresPerAcct),
        LimitCase("qos q MaxTRESPerAccount=license/matlab=1", "alice -q q -L matlab:2", QosMaxLicPerAcct),
        LimitCase("qos q MaxTRESRunMinsPerUser=cpu=40", "alice -q q -n 5 -t 10", QosMaxCpuRunMinsPerUser),
        LimitCase("qos q MaxTRESRunMinsPerAccount=cpu=40", "alice -q q -n 5 -t 10", QosMaxCpuRunMinsPerAcct),
        LimitCase("qos q MaxWall=10", "alice -q q -t 11", QosMaxWallPerJob),
        LimitCase("qos q MinTRES=cpu=4", "alice -q q -n 3", QosMinCpu),
        LimitCase("qos q MinTRES=mem=4000", "alice -q q -n 3", QosMinMem),
        LimitCase("qos q MinTRES=node=2", "alice -q q -N 1", QosMinNode),
        LimitCase("qos q MinTRES=gres/gpu=1", "alice -q q", QosMinGres),
        LimitCase("qos q MinTRES=billing=4", "alice -q q -n 3", QosMinBilling),
        LimitCase("qos q MinTRES=license/matlab=1", "alice -q q", QosMinLic),
    ];
    check_alone(&rows, "waits");
    plays_denied(&rows);
}

#[test]
fn limits_of_associations_on_one_job() {
    use Reason::*;
    for level in ["user alice", "account physics", "account root"] {
        let row = |limit: &str, job: &'static str, reason| {
            let text: &'static str = format!("{level} {limit}").leak();
            LimitCase(text, job, reason)
        };
        check_alone(
            &[
                row("GrpTRES=cpu=4", "alice -n 5", AssocGrpCpu),
                row("GrpTRES=mem=4000", "alice -n 5", AssocGrpMem),
                row("GrpTRES=node=1", "alice -N 2", AssocGrpNode),
                row("GrpTRES=billing=4", "alice -n 5", AssocGrpBilling),
                row("GrpTRES=gres/gpu=1", "alice -p gpu -G 2", AssocGrpGres),
                row("GrpTRES=license/matlab=1", "alice -L matlab:2", AssocGrpLic),
                row("GrpTRESRunMins=cpu=40", "alice -n 5 -t 10", AssocGrpCpuRunMin),
                row("GrpTRESRunMins=mem=40000", "alice -n 5 -t 10", AssocGrpMemRunMin),
                row("GrpTRESRunMins=node=10", "alice -N 2 -t 10", AssocGrpNodeRunMin),
                row("GrpTRESRunMins=gres/gpu=10", "alice -p gpu -G 2 -t 10", AssocGrpGresRunMin),
                row("MaxTRES=cpu=4", "alice -n 5", AssocMaxCpuPerJob),
                row("MaxTRES=mem=4000", "alice -n 5", AssocMaxMemPerJob),
                row("MaxTRES=node=1", "alice -N 2", AssocMaxNodePerJob),
                row("MaxTRES=billing=4", "alice -n 5", AssocMaxBillingPerJob),
                row("MaxTRES=gres/gpu=1", "alice -p gpu -G 2", AssocMaxGresPerJob),
                row("MaxTRES=license/matlab=1", "alice -L matlab:2", AssocMaxLicPerJob),
                row("MaxTRESPerNode=cpu=4", "alice -n 5", AssocMaxCpuPerNode),
                row("MaxTRESPerNode=mem=4000", "alice -n 5", AssocMaxMemPerNode),
                row("MaxTRESPerNode=gres/gpu=1", "alice -p gpu -G 2", AssocMaxGresPerNode),
                row("MaxTRESMins=cpu=40", "alice -n 5 -t 10", AssocMaxCpuMinsPerJob),
                row("MaxTRESMins=mem=40000", "alice -n 5 -t 10", AssocMaxMemMinsPerJob),
                row("MaxTRESMins=node=10", "alice -N 2 -t 10", AssocMaxNodeMinsPerJob),
                row("MaxTRESMins=gres/gpu=10", "alice -p gpu -G 2 -t 10", AssocMaxGresMinsPerJob),
                row("MaxWall=10", "alice -t 11", AssocMaxWallPerJob),
                row("GrpJobs=0", "alice", AssocGrpJob),
                row("MaxJobs=0", "alice", AssocMaxJobs),
            ],
            level,
        );
    }
}

/// Which reason a job shows that breaks two limits, as recorded from a real slurmctld (22.05).
#[test]
fn which_of_two_limits_is_shown() {
    use Reason::*;
    const ALL: [(&str, Reason); 7] = [
        ("MaxTRESPerAccount=cpu=4", QosMaxCpuPerAcct),
        ("MaxTRESPerUser=cpu=4", QosMaxCpuPerUser),
        ("GrpTRES=cpu=4", QosGrpCpu),
        ("MaxWall=5", QosMaxWallPerJob),
        ("MaxTRES=cpu=4", QosMaxCpuPerJob),
        ("MaxTRESPerNode=cpu=4", QosMaxCpuPerNode),
        ("MinTRES=mem=20000", QosMinMem),
    ];
    let waiting = [3, 2, 4, 5, 6, 0, 1].map(|at: usize| ALL[at]);
    for (order, denied) in [(ALL, true), (waiting, false)] {
        for (i, (first, reason)) in order.iter().enumerate() {
            for (second, _) in &order[i + 1..] {
                let mut bench = bench(CONF);
                let flag = if denied { " Flags=DenyOnLimit" } else { "" };
                apply(&mut bench, change(&format!("qos q {first} {second}{flag}")));
                let answer = submit(&mut bench, "alice -q q -n 8 -t 10");
                let told = match answer {
                    Response::Job { id, .. } => {
                        bench.run(4);
                        bench.job(id).reason.text().to_owned()
                    }
                    Response::Err { messages, .. } => messages[0].replace("error: ", ""),
                    other => panic!("{other:?}"),
                };
                assert_eq!(told, reason.text(), "{first} and {second}, denied: {denied}");
            }
        }
    }
}

#[test]
fn flags_of_a_qos() {
    use Reason::*;
    for (row, flag, job, without, with) in [
        ("too many nodes", "PartitionMaxNodes", "alice -q q -p short -N 2", PartNodeLimit, None),
        ("too long", "PartitionTimeLimit", "alice -q q -p short -t 31", PartTimeLimit, None),
        ("too few nodes", "PartitionMinNodes", "alice -q q -p wide -N 1", PartNodeLimit, None),
        ("over the partition's", "OverPartQOS", "alice -q q -p part -n 5", QosMaxCpuPerJob, None),
    ] {
        for (flags, reason) in [("", without), (flag, with)] {
            let conf = format!("{CONF}PartitionName=wide Nodes=cn[01-03] MinNodes=2 MaxTime=1-0\n");
            let mut bench = bench(&conf);
            apply(&mut bench, change("qos part MaxTRES=cpu=4"));
            let flags = if flags.is_empty() { String::new() } else { format!(" Flags={flags}") };
            apply(&mut bench, change(&format!("qos q MaxTRES=cpu=6{flags}")));
            let id = id_of(submit(&mut bench, job));
            bench.run(4);
            let state = if reason == None { JobState::Running } else { JobState::Pending };
            let job = bench.job(id);
            assert_eq!((job.state, job.reason), (state, reason), "{row}: Flags={flags}");
        }
    }
    let mut bench = bench(CONF);
    apply(&mut bench, change("qos q Flags=RequiresReservation"));
    let answer = submit(&mut bench, "alice -q q");
    let refused = matches!(answer, Response::Err { error: crate::state::error::SlurmError::InvalidQos, .. });
    assert!(refused, "RequiresReservation: {answer:?}");
}

/// A user over their share waits if the QOS requires a minimum fair share.
#[test]
fn thresholds_of_a_qos() {
    use Reason::*;
    for (settings, reason) in [
        ("UsageThreshold=0.9 Flags=EnforceUsageThreshold", QosThres),
        ("UsageThreshold=0.9", None),
        ("UsageThreshold=0.1 Flags=EnforceUsageThreshold", None),
    ] {
        let conf = CONF.replace("priority/basic", "priority/multifactor\nPriorityCalcPeriod=1");
        let mut bench = bench(&conf);
        apply(&mut bench, change(&format!("qos q {settings}")));
        let first = id_of(submit(&mut bench, "alice -n 4 -t 10"));
        bench.run(130);
        bench.end(first, Status::Exited(0));
        bench.run(70);
        let id = id_of(submit(&mut bench, "alice -q q"));
        bench.run(4);
        assert_eq!(bench.job(id).reason, reason, "{settings}");
    }
}

/// `UsageFactor` scales past usage, and with `UsageFactorSafe` also planned usage. `NoDecay` keeps usage from decaying.
#[test]
fn factors_of_usage() {
    for (settings, safe) in [
        ("UsageFactor=2", true),
        ("UsageFactor=2 Flags=UsageFactorSafe", false),
        ("UsageFactor=0.5 Flags=UsageFactorSafe", true),
    ] {
        let conf = CONF.replace("Enforce=limits,qos", "Enforce=safe,qos");
        let mut bench = bench(&conf);
        apply(&mut bench, change(&format!("qos q GrpTRESMins=cpu=100 {settings}")));
        let id = id_of(submit(&mut bench, "alice -q q -n 8 -t 10"));
        bench.run(4);
        let state = if safe { JobState::Running } else { JobState::Pending };
        assert_eq!(bench.job(id).state, state, "80 of 100 CPU minutes, {settings}");
    }
    for (flags, kept) in [("", false), ("NoDecay", true)] {
        let conf = CONF.replace(
            "priority/basic",
            "priority/multifactor\nPriorityCalcPeriod=1\nPriorityDecayHalfLife=00:10:00",
        );
        let mut bench = bench(&conf);
        let flag = if flags.is_empty() { String::new() } else { format!(" Flags={flags}") };
        apply(&mut bench, change(&format!("qos q Priority=1{flag}")));
        let id = id_of(submit(&mut bench, "alice -q q -n 4 -t 10"));
        bench.run(240);
        bench.end(id, Status::Exited(0));
        bench.run(60);
        let of = |bench: &Bench| bench.ctld.dbd.qos_by_name("q").unwrap().usage.tres["cpu"];
        let before = of(&bench);
        bench.run(3600);
        assert!(before > 0.0);
        assert_eq!((of(&bench) - before).abs() < 1.0, kept, "Flags={flags}");
    }
}

#[test]
fn relative_limits_follow_the_partition_of_a_partition_qos() {
    use Reason::*;
    // Of 48 CPUs of the partition's nodes, not of the cluster's 64.
    for (cpus, reason) in [(24, None), (25, QosMaxCpuPerJob)] {
        let mut bench = bench(CONF);
        apply(&mut bench, change("qos part MaxTRES=cpu=50 Flags=Relative"));
        let id = id_of(submit(&mut bench, &format!("alice -p part -n {cpus}")));
        bench.run(4);
        assert_eq!(bench.job(id).reason, reason, "{cpus} CPUs");
    }
}

/// `MaxMemPerNode` and `MaxMemPerCPU` of the cluster and of a partition. The partition's value takes precedence.
#[test]
fn memory_of_a_node_and_of_a_cpu() {
    use Reason::*;
    for (global, part, job, reason, cpus) in [
        ("MaxMemPerNode=4000", "", "alice --mem 4000", None, 4),
        ("MaxMemPerNode=4000", "", "alice --mem 4001", PnMemLimit, 1),
        ("MaxMemPerNode=4000", "MaxMemPerNode=8000", "alice --mem 8000", None, 8),
        ("MaxMemPerNode=4000", "MaxMemPerNode=8000", "alice --mem 8001", PnMemLimit, 1),
        ("MaxMemPerNode=8000", "MaxMemPerNode=4000", "alice --mem 8000", PnMemLimit, 1),
        ("MaxMemPerCPU=2000", "", "alice --mem 2000", None, 1),
        ("MaxMemPerCPU=2000", "", "alice --mem 5000", None, 3),
        ("MaxMemPerCPU=2000", "MaxMemPerCPU=1000", "alice --mem 5000", None, 5),
    ] {
        let conf = CONF.replace("Licenses=", &format!("{global}\nLicenses="));
        let conf = conf.replace("Default=YES", &format!("Default=YES {part}"));
        let mut bench = bench(&conf);
        let id = id_of(submit(&mut bench, job));
        bench.run(4);
        let found = bench.job(id);
        assert_eq!(found.reason, reason, "{global} {part}: {job}");
        if global.starts_with("MaxMemPerCPU") {
            let got = found.allocation.as_ref().map(|a| a.tres.cpu);
            assert_eq!(got, Some(cpus), "{global} {part}: {job}: CPUs for the memory");
        }
    }
}
