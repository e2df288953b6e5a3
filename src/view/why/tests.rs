//! Sentences in both languages.

use super::*;
use crate::protocol::why::{Changes, Few, Plan, Standing, Stop, Tried, Whose};
use crate::view::rich::plain;

fn waiting(stop: Stop, room: (u32, u64)) -> Why {
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
        standing: Standing::Queued { in_front: 2 },
        tried: vec![Tried { partition: "gpu".into(), stop, nodes: Vec::new(), room }],
        plan: Plan::NoPlace(3_600_000_000),
        changes: Changes::Trying,
    }
}

#[test]
fn resources() {
    let why = waiting(Stop::Nodes, (0, 0));
    let said = |voice: &Voice| {
        let (lead, rest) = (voice.sentence)(&why, "alice");
        plain(&format!("{lead} {rest}"))
    };
    assert_eq!(
        said(&EN),
        "It waits because it needs 1 node, 4 CPUs, 8G of memory, gpu:a100:2 and no node of gpu has room now \
         (Resources). 2 rows of the queue are in front of it. Backfill finds no place for it before 01:00:00."
    );
    assert_eq!(
        said(&FR),
        "Elle attend : il lui faut 1 nœud, 4 CPU, 8G de mémoire, gpu:a100:2, et aucun nœud de gpu n’a de place en ce \
         moment (Resources). 2 lignes la précèdent dans la file. Le remplissage (backfill) ne lui trouve pas de place \
         avant 01:00:00."
    );
}

#[test]
fn some_room() {
    let (lead, _) = (EN.sentence)(&waiting(Stop::Nodes, (1, 2)), "alice");
    assert!(plain(&lead).contains("only 1 node of gpu has room now, for 2 tasks"), "{lead}");
    let busy = Cause::Busy(crate::protocol::why::Resource::Memory);
    assert_eq!((EN.cause)(&busy, &WhyNeeds::default()), "busy: too little memory free");
    assert_eq!((FR.cause)(&busy, &WhyNeeds::default()), "occupés : trop peu de mémoire de libre");
}

#[test]
fn limits_have_numbers() {
    let other = Other { id: "7".into(), user: "bob".into(), priority: 3, cpus: 4 };
    let limit = Limit {
        name: "MaxTRESPerUser=mem".into(),
        whose: Whose::UserInQos { user: "bob".into(), qos: "long".into() },
        unit: Unit::Mib,
        at: 4096,
        used: 3072,
        asked: 2000,
        users: Few { first: vec![other], count: 3 },
        spent: None,
    };
    let (lead, _) = (EN.sentence)(&waiting(Stop::Limit(limit), (0, 0)), "alice");
    assert_eq!(
        plain(&lead),
        "It waits because bob in QOS long may have 4 GiB of memory at once (MaxTRESPerUser=mem): 3 GiB of memory in use \
         (jobs 7 …), and it asks for 2000 MiB of memory (Resources)."
    );
}
