//! The queue's order, sorted at once and in steps.

use super::order::SortedQueue;
use super::round::{QueueCounts, Round};
use crate::session::frame::People;
use crate::world::{Input, World};
use base::ids::JobId;
use base::time::{Span, Time};
use config::SiteFiles;
use protocol::{Direction, QueueList, QueueWindow, SortBy, StateClass};

const CONF: &str = "ClusterName=t\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMinJobAge=60\n\
                    NodeName=n[01-08] CPUs=16\nPartitionName=a Nodes=ALL Default=YES\nPartitionName=b Nodes=ALL\n";
const USERS: &str = "[[users]]\nname = \"alice\"\n[[users]]\nname = \"bob\"\n";

/// All kinds of jobs: single ones, and an array with running, separately pending and finished tasks.
fn world() -> World {
    let files = [("slurm.conf", CONF), ("site.toml", USERS)].map(|(name, text)| (name.into(), text.into()));
    let start = Time::from_secs(1_795_240_458);
    let (mut world, _) = World::new("t", &SiteFiles(files.into()), 1, start);
    let mut run = |user: &str, command: &str, seconds: i64| {
        world.apply(&Input::Run { user: user.to_owned(), command: command.to_owned() });
        let until = world.now + Span::from_secs(seconds);
        while world.step(until) {}
    };
    run("alice", "sbatch -t 9 --array=1-300%100 --wrap='sleep $((SLURM_ARRAY_TASK_ID * 5))'", 9);
    run(
        "bob",
        "for i in {1..40}; do sbatch -p b -J j$((i % 7)) -n $((i % 5 + 1)) --wrap='sleep 900'; done",
        60,
    );
    run(
        "root",
        "scontrol requeuehold 1_70; scontrol requeuehold 1_80; sbatch --array=1-9 --hold --wrap=x",
        30,
    );
    world
}

fn lists() -> Vec<QueueList> {
    use SortBy::*;
    let sorts = [Id, State, Name, User, Partition, Time, Size, NodeList, Priority, Start];
    let by = |sort| QueueList { sort: Some((sort, Direction::Down)), ..QueueList::default() };
    let mut lists: Vec<QueueList> = sorts.into_iter().map(by).collect();
    lists.extend([
        QueueList::default(),
        QueueList { group: true, ..QueueList::default() },
        QueueList { ended: true, group: true, ..QueueList::default() },
        QueueList { user: Some("bob".into()), ..QueueList::default() },
        QueueList { state: Some(StateClass::Waiting), ..QueueList::default() },
        QueueList { text: "held".into(), ..QueueList::default() },
    ]);
    lists
}

/// The result of a scan in steps of this many records.
fn found(world: &World, list: &QueueList, piece: usize) -> (QueueCounts, Vec<String>) {
    let mut round = Round::new(world, Some(list));
    while !round.go_on(world, piece) {}
    let (counts, rows) = round.found();
    let text = |p: &super::round::QueueListEntry| format!("{} {:?} {:?}", p.job, p.folded, p.tasks);
    (counts, rows.map(|(_, entries)| entries.iter().map(text).collect()).unwrap_or_default())
}

#[test]
fn steps_give_the_same_order() {
    let world = world();
    for list in lists() {
        let once = found(&world, &list, usize::MAX);
        assert!(once.1.len() > 1, "{list:?}");
        assert!(once.0.0 > 150 && once.0.1 > 50, "{:?}", once.0);
        for piece in [1, 7, 64] {
            assert_eq!(found(&world, &list, piece), once, "{piece} at a time: {list:?}");
        }
    }
    let rows = found(&world, &QueueList::default(), 5).1;
    let folded = rows.iter().find(|row| row.starts_with("1 ")).expect("the array's common record");
    assert!(
        folded.contains("(\"70,80,122-300\", \"JobArrayTaskLimit,job requeued in held state\")"),
        "{folded}"
    );
}

#[test]
fn finished_jobs_come_last() {
    let world = world();
    let mut round = Round::new(&world, Some(&QueueList { ended: true, ..QueueList::default() }));
    while !round.go_on(&world, 100) {}
    let (_, entries) = round.found().1.expect("rows");
    let live: Vec<bool> =
        entries.iter().filter_map(|p| world.ctld.job(p.job)).map(|job| job.is_live()).collect();
    assert!(live.is_sorted_by(|a, b| a >= b), "{live:?}");
    assert!(live.first() == Some(&true) && live.last() == Some(&false));
}

#[test]
fn steps_are_bounded() {
    let world = world();
    let records = usize::try_from(world.ctld.jobs.len()).expect("a small number");
    for list in lists() {
        let (mut round, mut pieces) = (Round::new(&world, Some(&list)), 0);
        while {
            let before = round.progress();
            let over = round.go_on(&world, 10);
            let after = round.progress();
            let looked = world.ctld.jobs.values().filter(|j| (after.0..before.0).contains(&j.id)).count();
            assert!(looked <= 10, "{looked} records");
            assert!(after.1 - before.1 <= 40, "rows within the window");
            !over
        } {
            pieces += 1;
        }
        assert!(pieces >= records / 10, "{pieces} pieces for {records} records");
    }
}

#[test]
fn an_array_entry_outlives_its_first_job() {
    let mut world = world();
    // The task that has run longest represents the array.
    let sort = Some((SortBy::Time, Direction::Down));
    let list = QueueList { group: true, sort, ..QueueList::default() };
    let (mut queue, window) =
        (SortedQueue::default(), QueueWindow { count: 200, list, ..QueueWindow::default() });
    let array = |queue: &mut SortedQueue, world: &World| {
        queue.refresh(world, 1, Some(&window.list));
        let rows = queue.rows(world, &window, &People::new()).expect("rows").rows;
        rows.into_iter().find(|row| row.id.starts_with("1_")).expect("the array's row").job
    };
    let first = array(&mut queue, &world);
    let until = world.now + Span::from_secs(600);
    while world.step(until) {}
    assert!(world.ctld.job(JobId(first)).is_none(), "{first} ended long ago");
    assert_ne!(array(&mut queue, &world), first);
}

#[test]
fn purged_jobs_are_not_shown() {
    let mut world = world();
    let (mut queue, window) = (SortedQueue::default(), QueueWindow { count: 200, ..QueueWindow::default() });
    queue.refresh(&world, 1, Some(&window.list));
    let before = queue.rows(&world, &window, &People::new()).expect("rows");
    let until = world.now + Span::from_secs(600);
    while world.step(until) {}
    queue.refresh(&world, 2, Some(&window.list));
    let after = queue.rows(&world, &window, &People::new()).expect("rows");
    assert!(after.total < before.total && !after.rows.is_empty(), "{} of {}", after.total, before.total);
    assert_eq!(after.total as usize, after.rows.len(), "none is missing in sight");
    assert!(after.rows.iter().all(|row| row.job > 0 && (row.state == "R" || row.state == "PD")));
    queue.tick(1000);
    queue.refresh(&world, 2, Some(&window.list));
    let fresh = queue.rows(&world, &window, &People::new()).expect("rows");
    assert!(fresh.total > after.total, "whoever came meanwhile is in the next order");
}
