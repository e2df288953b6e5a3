//! Sentences in both languages.

use super::*;
use crate::rich::plain;
use protocol::why::{
    BackfillVerdict, Eligibility, FirstOf, LimitOwner, PartitionVerdict, Remedies, WhyBlocker,
};

fn waiting(stop: WhyBlocker, room: (u32, u64)) -> Why {
    let needs = WhyNeeds {
        nodes: 1,
        tasks: 1,
        cpus_per_task: 4,
        memory: "8G".into(),
        gres: "gpu:a100:2".into(),
        limit_seconds: 60,
        nodelist: String::new(),
    };
    Why {
        id: "42".into(),
        at: 0,
        shown: "Resources".into(),
        user: "alice".into(),
        needs,
        standing: Eligibility::Queued { in_front: 2 },
        tried: vec![PartitionVerdict { partition: "gpu".into(), stop, nodes: Vec::new(), room }],
        plan: BackfillVerdict::NoPlace(3_600_000_000),
        changes: Remedies::Trying,
    }
}

#[test]
fn resources() {
    let why = waiting(WhyBlocker::Nodes, (0, 0));
    let said = |voice: &Voice| {
        let (lead, rest) = (voice.sentence)(&why, "alice");
        plain(&format!("{lead} {rest}"))
    };
    assert_eq!(
        said(&EN),
        "It waits because it needs 1 node, 4 CPUs, 8G of memory, gpu:a100:2 and no node in gpu has room now \
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
fn some_room() {
    let (lead, _) = (EN.sentence)(&waiting(WhyBlocker::Nodes, (1, 2)), "alice");
    assert!(plain(&lead).contains("only 1 node in gpu has room now, for 2 tasks"), "{lead}");
    let busy = NodeVerdict::Busy(protocol::why::NodeResource::Memory);
    assert_eq!((EN.cause)(&busy, &WhyNeeds::default()), "busy: too little memory free");
    assert_eq!((FR.cause)(&busy, &WhyNeeds::default()), "occupés : trop peu de mémoire de libre");
}

#[test]
fn limits_have_numbers() {
    let other = JobRef { id: "7".into(), user: "bob".into(), priority: 3, cpus: 4 };
    let limit = ReachedLimit {
        name: "MaxTRESPerUser=mem".into(),
        whose: LimitOwner::UserInQos { user: "bob".into(), qos: "long".into() },
        unit: LimitUnit::Mib,
        at: 4096,
        used: 3072,
        asked: 2000,
        users: FirstOf { first: vec![other], count: 3 },
        spent: None,
    };
    let (lead, _) = (EN.sentence)(&waiting(WhyBlocker::Limit(limit), (0, 0)), "alice");
    assert_eq!(
        plain(&lead),
        "It waits because bob in QOS long may use 4 GiB of memory at once (MaxTRESPerUser=mem): 3 GiB of memory in use \
         (jobs 7 …), and it requests 2000 MiB of memory (Resources)."
    );
}
