//! Sentences in both languages.

use super::*;
use crate::rich::plain;
use protocol::why::{BackfillVerdict, Eligibility, FirstOf, LimitOwner, PartitionVerdict};

fn waiting(blocker: Blocker, available: (u32, u64)) -> Verdict {
    let needs = RequestSummary {
        nodes: 1,
        tasks: 1,
        cpus_per_task: 4,
        memory: "8G".into(),
        gres: "gpu:a100:2".into(),
        nodelist: String::new(),
    };
    Verdict {
        job: base::ids::JobId(42),
        at: Time(0),
        shown: "Resources".into(),
        user: "alice".into(),
        needs,
        eligibility: Eligibility::Queued { in_front: 2 },
        partitions: vec![PartitionVerdict { partition: "gpu".into(), blocker, nodes: Vec::new(), available }],
        backfill: BackfillVerdict::NoStart(Time::from_secs(3600)),
    }
}

#[test]
fn resources() {
    let why = waiting(Blocker::Nodes, (0, 0));
    let said = |voice: &Voice| {
        let (lead, rest) = (voice.sentence)(&why, "alice");
        plain(&format!("{lead} {rest}"))
    };
    assert_eq!(
        said(&EN),
        "It waits because it needs 1 node, 4 CPUs, 8G of memory, gpu:a100:2, and no node in gpu has room now \
         (Resources). 2 queue entries are ahead of it. Backfill finds no start for it before 01:00:00."
    );
    assert_eq!(
        said(&FR),
        "Elle attend : il lui faut 1 nœud, 4 CPU, 8G de mémoire, gpu:a100:2, et aucun nœud de gpu n’a de place en ce \
         moment (Resources). 2 entrées la précèdent dans la file. Le remplissage (backfill) ne lui trouve pas de place \
         avant 01:00:00."
    );
}

#[test]
fn some_nodes_are_free() {
    let (lead, _) = (EN.sentence)(&waiting(Blocker::Nodes, (1, 2)), "alice");
    assert!(plain(&lead).contains("only 1 node in gpu has room now, for 2 tasks"), "{lead}");
    let busy = NodeVerdict::Busy(protocol::why::NodeResource::Memory);
    assert_eq!((EN.cause)(&busy, &RequestSummary::default()), "busy: too little memory free");
    assert_eq!((FR.cause)(&busy, &RequestSummary::default()), "occupés : trop peu de mémoire de libre");
}

#[test]
fn limits_have_numbers() {
    let other = JobRef { job: base::ids::JobId(7), id: "7".into(), user: "bob".into(), priority: 3 };
    let limit = ReachedLimit {
        reason: "QOSMaxMemoryPerUser".into(),
        name: "MaxTRESPerUser=mem".into(),
        owner: LimitOwner::UserInQos { user: "bob".into(), qos: "long".into() },
        unit: LimitUnit::Mib,
        at: 4096,
        used: 3072,
        asked: 2000,
        users: FirstOf { first: vec![other], count: 3 },
        spent: None,
    };
    let (lead, _) = (EN.sentence)(&waiting(Blocker::Limit(limit), (0, 0)), "alice");
    assert_eq!(
        plain(&lead),
        "It waits because bob in QOS long may use 4 GiB of memory at once (MaxTRESPerUser=mem): 3 GiB of memory in use \
         (jobs 7 …), and it requests 2000 MiB of memory (Resources)."
    );
}
