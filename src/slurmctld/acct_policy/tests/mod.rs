//! Every limit: which submissions are refused, which jobs wait and why, and which start once a job ends.

use crate::rpc::request::{Request, Response, Target};
use crate::state::job::{GresReq, JobDesc, JobState};
use crate::state::reason::Reason;
use crate::tests::Bench;
use base::ids::{JobId, Uid};
use base::process::Status;
use base::time::Limit;
use slurmdbd::AccountingChange;
use std::sync::Arc;

mod access;
mod moments;
mod table;

const CONF: &str = "\
ClusterName=test
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
AccountingStorageTRES=gres/gpu
PriorityType=priority/basic
Licenses=matlab:4
AccountingStorageEnforce=limits,qos
NodeName=cn[01-03] Sockets=2 CoresPerSocket=8 RealMemory=64000
NodeName=gpu01 Sockets=2 CoresPerSocket=8 RealMemory=64000 Gres=gpu:a100:4
PartitionName=batch Nodes=cn[01-03] Default=YES MaxTime=1-0 DefaultTime=60
PartitionName=gpu Nodes=gpu01 MaxTime=1-0
PartitionName=short Nodes=cn[01-03] MaxTime=30 MaxNodes=1
PartitionName=part Nodes=cn[01-03] MaxTime=1-0 QOS=part
PartitionName=chem Nodes=cn[01-03] AllowAccounts=science
PartitionName=nochem Nodes=cn[01-03] DenyAccounts=science
PartitionName=onlyq Nodes=cn[01-03] AllowQos=other,more
PartitionName=group Nodes=cn[01-03] AllowGroups=bob
";

const USERS: [(&str, u32, &str); 3] =
    [("alice", 1001, "physics"), ("bob", 1002, "physics"), ("carol", 1003, "chemistry")];

/// The expected outcome for one job of a case.
enum ExpectedOutcome {
    Runs,
    Waits(Reason),
    Refused(Reason),
}
use ExpectedOutcome::{Refused, Runs, Waits};

/// `qos NAME key=value ...`, `account NAME ...`, `user NAME ...`.
fn change(text: &str) -> AccountingChange {
    let mut words = text.split(' ');
    let (kind, name) = (words.next().unwrap(), words.next().unwrap().to_owned());
    let pair = |w: &str| w.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())).unwrap();
    let settings = words.map(pair).collect();
    match kind {
        "qos" => AccountingChange::ModifyQos { name, settings },
        "account" => AccountingChange::ModifyAccount { name, settings },
        _ => AccountingChange::ModifyUser { name, account: None, partition: None, settings },
    }
}

fn bench(conf: &str) -> Bench {
    let mut bench = Bench::of(conf);
    bench.ctld.people.push((Uid(1003), "carol".to_owned()));
    let add = |name: &str, parent: &str| AccountingChange::AddAccount {
        name: name.to_owned(),
        parent: parent.to_owned(),
        settings: Vec::new(),
    };
    let mut changes = vec![add("physics", "root"), add("science", "root"), add("chemistry", "science")];
    for (name, _, account) in USERS {
        let (name, account) = (name.to_owned(), account.to_owned());
        changes.push(AccountingChange::AddUser { name, account, partition: None, settings: Vec::new() });
    }
    for name in ["q", "part", "other"] {
        changes.push(AccountingChange::AddQos { name: name.to_owned(), settings: Vec::new() });
    }
    for account in ["physics", "science"] {
        changes.push(change(&format!("account {account} qos=normal,q,part")));
    }
    changes.into_iter().for_each(|c| apply(&mut bench, c));
    bench
}

fn apply(bench: &mut Bench, change: AccountingChange) {
    let answer = bench.ask(0, Request::Accounting(change));
    assert_eq!(answer, Response::Ok);
}

/// `alice -n 4 -q q ...`: the user, and options by their letters.
fn submit(bench: &mut Bench, text: &str) -> Response {
    let mut words = text.split(' ');
    let name = words.next().unwrap();
    let uid = USERS.iter().find(|u| u.0 == name).unwrap().1;
    let mut desc = JobDesc {
        uid: Uid(uid),
        script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
        time_limit: Some(Limit::Minutes(10)),
        ..JobDesc::default()
    };
    while let (Some(option), Some(value)) = (words.next(), words.next()) {
        let number = || value.parse().ok();
        match option {
            "-n" => desc.ntasks = number(),
            "-N" => (desc.min_nodes, desc.max_nodes) = (number(), number()),
            "-t" if value == "none" => desc.time_limit = None,
            "-t" => desc.time_limit = number().map(Limit::Minutes),
            "-q" => desc.qos = Some(value.to_owned()),
            "-p" => desc.partition = Some(value.to_owned()),
            "-a" => desc.array = Some(value.to_owned()),
            "-L" => desc.licenses = Some(value.to_owned()),
            "--mem" => desc.mem_per_node = value.parse().ok(),
            "-G" => {
                desc.gres = vec![GresReq { name: "gpu".into(), kind: None, count: value.parse().unwrap() }]
            }
            other => panic!("{other}"),
        }
    }
    bench.ask(uid, Request::SubmitBatch(Box::new(desc)))
}

fn holds(bench: &Bench, row: &str) {
    let broken = bench.ctld.check_limits_counted(bench.now);
    assert!(broken.is_empty(), "{row}: {broken:?}");
}

/// Sets limits, submits the jobs and checks their outcome. Then ends the first running job: the first job that waited
/// for resources must start.
fn plays(row: &str, limits: &[&str], jobs: &[(&str, ExpectedOutcome)]) {
    let mut bench = bench(CONF);
    limits.iter().for_each(|l| apply(&mut bench, change(l)));
    let mut ids = Vec::new();
    for (text, outcome) in jobs {
        match (submit(&mut bench, text), outcome) {
            (Response::Job { id, .. }, Runs | Waits(_)) => ids.push(id),
            (Response::Err { messages, .. }, Refused(reason)) => {
                assert_eq!(messages, [format!("error: {}", reason.text())], "{row}: {text}");
            }
            (answer, _) => panic!("{row}: {text}: {answer:?}"),
        }
        bench.run(4);
        holds(&bench, row);
    }
    let mut at = ids.iter();
    for (text, outcome) in jobs {
        let Some(id) = at.next().filter(|_| !matches!(outcome, Refused(_))) else { continue };
        let job = bench.job(*id);
        match outcome {
            Runs => assert_eq!((job.state, job.reason), (JobState::Running, Reason::None), "{row}: {text}"),
            Waits(reason) => {
                assert_eq!((job.state, job.reason), (JobState::Pending, *reason), "{row}: {text}")
            }
            Refused(_) => {}
        }
    }
    let waits = |bench: &Bench, id: &JobId| bench.job(*id).state == JobState::Pending;
    let first = ids.iter().find(|id| !waits(&bench, id)).copied();
    if let (Some(first), Some(next)) = (first, ids.iter().find(|id| waits(&bench, id)).copied()) {
        bench.end(first, Status::Exited(0));
        bench.run(5);
        assert_eq!(bench.job(next).state, JobState::Running, "{row}: nothing holds it any more");
        holds(&bench, row);
    }
}

#[test]
fn numbers_of_jobs() {
    use Reason::*;
    let q2 = |reason| [("alice -q q", Runs), ("alice -q q", Waits(reason))];
    plays("GrpJobs of a QOS", &["qos q GrpJobs=1"], &q2(QosGrpJob));
    plays("MaxJobsPerUser", &["qos q MaxJobsPerUser=1"], &q2(QosMaxJobPerUser));
    plays("MaxJobsPerAccount", &["qos q MaxJobsPerAccount=1"], &q2(QosMaxJobPerAcct));
    plays(
        "users have MaxJobsPerUser each, an account has one MaxJobsPerAccount",
        &["qos q MaxJobsPerUser=2 MaxJobsPerAccount=2"],
        &[
            ("alice -q q", Runs),
            ("bob -q q", Runs),
            ("bob -q q", Waits(QosMaxJobPerAcct)),
            ("carol -q q", Runs),
        ],
    );
    plays(
        "MaxJobs",
        &["user alice MaxJobs=1"],
        &[("alice", Runs), ("alice", Waits(AssocMaxJobs)), ("bob", Runs)],
    );
    plays(
        "MaxJobs of an account is each user's",
        &["account physics MaxJobs=1"],
        &[("alice", Runs), ("bob", Runs), ("alice", Waits(AssocMaxJobs))],
    );
    plays(
        "GrpJobs of an account, from far above",
        &["account science GrpJobs=1"],
        &[("carol", Runs), ("carol", Waits(AssocGrpJob)), ("alice", Runs)],
    );
    plays(
        "a QOS decides instead of the association",
        &["user alice MaxJobs=1 GrpJobs=1", "qos q MaxJobsPerUser=2 GrpJobs=3"],
        &[("alice -q q", Runs), ("alice -q q", Runs), ("alice -q q", Waits(QosMaxJobPerUser))],
    );
}

#[test]
fn numbers_of_submitted_jobs() {
    use Reason::*;
    let three = |reason| [("alice -q q", Runs), ("alice -q q -n 1", Runs), ("alice -q q", Refused(reason))];
    plays("GrpSubmitJobs", &["qos q GrpSubmitJobs=2"], &three(QosGrpSubJob));
    plays("MaxSubmitJobsPerUser", &["qos q MaxSubmitJobsPerUser=2"], &three(QosMaxSubJob));
    plays("MaxSubmitJobsPerAccount", &["qos q MaxSubmitJobsPerAccount=2"], &three(QosMaxSubJobPerAcct));
    plays("MaxSubmitJobs", &["user alice MaxSubmitJobs=2"], &three(AssocMaxSubJob));
    plays("GrpSubmitJobs above", &["account physics GrpSubmitJobs=2"], &three(AssocGrpSubJob));
    plays(
        "an array counts its tasks",
        &["user alice MaxSubmitJobs=3"],
        &[
            ("alice -a 1-4", Refused(AssocMaxSubJob)),
            ("alice -a 1-3", Runs),
            ("alice", Refused(AssocMaxSubJob)),
        ],
    );
}

/// A job that breaks a limit by itself stays pending whichever job ends.
fn waits_forever(row: &str, limit: &str, jobs: &[(&str, ExpectedOutcome)]) {
    let mut bench = bench(CONF);
    apply(&mut bench, change(limit));
    for (text, outcome) in jobs {
        let Response::Job { id, .. } = submit(&mut bench, text) else { panic!("{row}: refused") };
        bench.run(4);
        let reason = if let Waits(reason) = outcome { *reason } else { Reason::None };
        assert_eq!(bench.job(id).reason, reason, "{row}: {text}");
    }
    holds(&bench, row);
}

#[test]
fn amounts() {
    use Reason::*;
    let two = |reason| [("alice -q q -n 5", Runs), ("alice -q q -n 5", Waits(reason))];
    plays("GrpTRES", &["qos q GrpTRES=cpu=8"], &two(QosGrpCpu));
    plays("MaxTRESPerUser", &["qos q MaxTRESPerUser=cpu=8"], &two(QosMaxCpuPerUser));
    plays("MaxTRESPerAccount", &["qos q MaxTRESPerAccount=cpu=8"], &two(QosMaxCpuPerAcct));
    plays("GrpTRES of memory", &["qos q GrpTRES=mem=8000"], &two(QosGrpMem));
    plays("GrpTRES of billing", &["qos q GrpTRES=billing=8"], &two(QosGrpBilling));
    plays("GrpTRES of an account", &["account physics GrpTRES=cpu=8"], &two(AssocGrpCpu));
    plays("GrpTRESRunMins", &["qos q GrpTRESRunMins=cpu=80"], &two(QosGrpCpuRunMin));
    plays("GrpTRESRunMins above", &["account physics GrpTRESRunMins=cpu=80"], &two(AssocGrpCpuRunMin));
    plays("MaxTRESRunMinsPerUser", &["qos q MaxTRESRunMinsPerUser=cpu=80"], &two(QosMaxCpuRunMinsPerUser));
    plays(
        "MaxTRESRunMinsPerAccount",
        &["qos q MaxTRESRunMinsPerAccount=cpu=80"],
        &two(QosMaxCpuRunMinsPerAcct),
    );
    let one = |reason| [("alice -q q -n 4", Runs), ("alice -q q -n 5", Waits(reason))];
    let never = |row, limit: &str, reason| waits_forever(row, limit, &one(reason));
    never("MaxTRES", "qos q MaxTRES=cpu=4", QosMaxCpuPerJob);
    never("MaxTRES of a user", "user alice MaxTRES=cpu=4", AssocMaxCpuPerJob);
    never("MaxTRES of the account above", "account physics MaxTRES=cpu=4", AssocMaxCpuPerJob);
    never("MaxTRESPerNode", "qos q MaxTRESPerNode=cpu=4", QosMaxCpuPerNode);
    never("MaxTRESPerNode of a user", "user alice MaxTRESPerNode=cpu=4", AssocMaxCpuPerNode);
    never("MaxTRESMins", "qos q MaxTRESMins=cpu=40", QosMaxCpuMinsPerJob);
    never("MaxTRESMins of a user", "user alice MaxTRESMins=cpu=40", AssocMaxCpuMinsPerJob);
    plays("MinTRES", &["qos q MinTRES=cpu=4"], &[("alice -q q -n 3", Waits(QosMinCpu))]);
    plays(
        "GPUs",
        &["qos q GrpTRES=gres/gpu=2"],
        &[
            ("alice -q q -p gpu -G 2", Runs),
            ("alice -q q -p gpu -G 1", Waits(QosGrpGres)),
            ("bob -q q", Runs),
        ],
    );
    plays(
        "licences",
        &["account physics GrpTRES=license/matlab=2"],
        &[("alice -L matlab:2", Runs), ("bob -L matlab:1", Waits(AssocGrpLic)), ("carol -L matlab:1", Runs)],
    );
}

#[test]
fn nodes_are_counted_once() {
    plays(
        "two jobs on the same two nodes",
        &["qos q GrpTRES=node=2"],
        &[("alice -q q -N 2", Runs), ("bob -q q -N 2", Runs)],
    );
    plays(
        "GrpTRES=node of a user counts no others",
        &["user alice GrpTRES=node=2"],
        &[("alice -N 2", Runs), ("alice", Runs), ("bob -N 3", Runs)],
    );
}

#[test]
fn times() {
    use Reason::*;
    plays("MaxWall", &["qos q MaxWall=10"], &[("alice -q q -t 11", Waits(QosMaxWallPerJob))]);
    plays("MaxWall of a user", &["user alice MaxWall=10"], &[("alice -t 11", Waits(AssocMaxWallPerJob))]);
    plays(
        "a default time counts",
        &["user alice MaxWall=10"],
        &[("alice -t none", Waits(AssocMaxWallPerJob))],
    );
    plays("the partition's limit", &[], &[("alice -p short -t 31", Waits(PartTimeLimit))]);
    plays("PartitionTimeLimit", &["qos q Flags=PartitionTimeLimit"], &[("alice -q q -p short -t 31", Runs)]);
    plays("the partition's nodes", &[], &[("alice -p short -N 2", Waits(PartNodeLimit))]);
    plays("PartitionMaxNodes", &["qos q Flags=PartitionMaxNodes"], &[("alice -q q -p short -N 2", Runs)]);
    let mut bench = bench(CONF);
    apply(&mut bench, change("qos part MaxWall=25"));
    let Response::Job { id, .. } = submit(&mut bench, "alice -p part -t none") else { panic!("refused") };
    assert_eq!(bench.job(id).time_limit, Limit::Minutes(25), "no default in this partition");
}

#[test]
fn the_order_of_places() {
    use Reason::*;
    plays(
        "the partition's QOS first",
        &["qos part MaxJobsPerUser=1", "qos q MaxJobsPerUser=2"],
        &[("alice -q q -p part", Runs), ("alice -q q -p part", Waits(QosMaxJobPerUser))],
    );
    plays(
        "OverPartQOS",
        &["qos part MaxJobsPerUser=1", "qos q MaxJobsPerUser=2 Flags=OverPartQOS"],
        &[("alice -q q -p part", Runs), ("alice -q q -p part", Runs)],
    );
    plays(
        "what the partition's does not set, the job's does",
        &["qos part MaxTRESPerUser=cpu=9", "qos q MaxTRESPerUser=mem=4000"],
        &[("alice -q q -p part -n 4", Runs), ("alice -q q -p part", Waits(QosMaxMemPerUser))],
    );
    plays(
        "LimitFactor",
        &["user alice GrpTRES=cpu=4", "qos q LimitFactor=2"],
        &[("alice -q q -n 8", Runs), ("alice -q q", Waits(AssocGrpCpu))],
    );
    plays(
        "Relative: a quarter of 64 CPUs",
        &["qos q GrpTRES=cpu=25 Flags=Relative"],
        &[("alice -q q -n 16", Runs), ("alice -q q", Waits(QosGrpCpu))],
    );
}

#[test]
fn deny_on_limit() {
    use Reason::*;
    let limits = [
        "qos q MaxTRES=cpu=8 GrpTRES=mem=12000 MaxWall=20 MinTRES=cpu=2 Flags=DenyOnLimit",
        "user alice MaxJobs=9",
    ];
    plays(
        "what breaks a limit by itself is refused, what others fill up waits",
        &limits,
        &[
            ("alice -q q -n 9", Refused(QosMaxCpuPerJob)),
            ("alice -q q -n 2 -t 21", Refused(QosMaxWallPerJob)),
            ("alice -q q -n 1", Refused(QosMinCpu)),
            ("alice -q q -n 2 --mem 12001", Refused(QosGrpMem)),
            ("alice -q q -n 8", Runs),
            ("alice -q q -n 8", Waits(QosGrpMem)),
        ],
    );
}

fn id_of(answer: Response) -> JobId {
    match answer {
        Response::Job { id, .. } => id,
        other => panic!("{other:?}"),
    }
}
