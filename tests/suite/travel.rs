//! Time travel, and branches that start in the past.

use super::page::Page;
use protocol::*;

/// The state's hash, and whether the past is shown.
fn seen(page: &mut Page) -> (u64, bool) {
    page.send(ToEngine::Hash);
    page.ticks(2);
    let hash = page.others.iter().rev().find_map(|m| match m {
        FromEngine::Hash(hash) => Some(*hash),
        _ => None,
    });
    page.draw();
    (hash.expect("a hash"), page.frame.past)
}

/// Types a line, and pauses the clock at the next prompt.
fn types_and_stops(page: &mut Page, line: &str) -> (i64, u64) {
    page.send(ToEngine::Pace(Pace::Times(1)));
    page.types(line);
    page.send(ToEngine::Pace(Pace::Paused));
    let hash = seen(page).0;
    (page.frame.now, hash)
}

#[test]
fn the_past_is_shown_as_it_was_and_nothing_is_lost() {
    let mut page = Page::start(None, Vec::new());
    let line = Some("alice".to_owned());
    page.send(ToEngine::Subscribe(Subscription { cluster: true, line, ..Subscription::default() }));
    let first = types_and_stops(&mut page, "echo one > a.txt; sbatch mon_job.slurm");
    page.send(ToEngine::Skip(Skip::QueueEmpty));
    let second = types_and_stops(&mut page, "echo two >> a.txt; echo the second; ls");
    let screen = page.text();
    assert!(screen.contains("the second"));
    let (present, past) = seen(&mut page);
    assert!(!past && present == second.1);
    let marks = page.frame.line.clone().expect("a line").marks;
    let kinds: Vec<TimeMarkKind> = marks.iter().map(|m| m.kind).collect();
    assert_eq!(kinds, [TimeMarkKind::Submitted, TimeMarkKind::Started, TimeMarkKind::Ended]);

    page.send(ToEngine::Travel(Travel::To(first.0)));
    assert_eq!(seen(&mut page), (first.1, true), "the world is what it was");
    assert_eq!(page.frame.now, first.0);
    assert_eq!(page.frame.line.clone().expect("a line").present, second.0);
    assert!(page.frame.paused);
    assert!(page.text().contains("Submitted batch job 1") && !page.text().contains("the second"));
    page.send(ToEngine::ReadFile { user: "alice".to_owned(), path: "/home/alice/a.txt".to_owned() });
    page.ticks(2);
    assert!(page.others.iter().any(|m| matches!(m, FromEngine::File { text: Ok(t), .. } if t == "one\n")));
    // Resizing a window, reading files and logging in do not start a branch.
    page.send(ToEngine::Resize { tty: page.tty(), columns: 60, rows: 20 });
    page.send(ToEngine::Login("bob".to_owned()));
    assert_eq!(seen(&mut page), (first.1, true));

    page.send(ToEngine::Travel(Travel::Now));
    assert_eq!(seen(&mut page), (second.1, false), "the present is untouched");
    assert_eq!(page.frame.line.clone().expect("a line").branches.len(), 1);
    let text = page.text();
    assert!(screen.lines().all(|line| text.contains(line)), "and so is its screen: {text}");
    // When the clock runs, the past reaches the present.
    page.send(ToEngine::Travel(Travel::To(first.0)));
    page.ticks(2);
    page.send(ToEngine::Skip(Skip::Until(second.0 + 1_000_000)));
    page.draw();
    assert!(!page.frame.past);
    assert!(page.text().contains("the second"), "{}", page.text());
}

#[test]
fn typing_in_the_past_starts_a_branch() {
    let mut page = Page::start(None, Vec::new());
    let line = Some("alice".to_owned());
    page.send(ToEngine::Subscribe(Subscription { line, ..Subscription::default() }));
    let first = types_and_stops(&mut page, "echo one > a.txt");
    // The next input comes at another moment.
    page.send(ToEngine::Pace(Pace::Times(1)));
    page.ticks(30);
    let old = types_and_stops(&mut page, "sleep 3; echo two >> a.txt");
    page.send(ToEngine::Travel(Travel::To(first.0)));
    page.ticks(5);
    let new = types_and_stops(&mut page, "echo other >> a.txt; cat a.txt");
    assert!(page.text().ends_with("one\nother\n"), "{}", page.text());
    let futures = page.frame.line.clone().expect("a line").branches;
    let told: Vec<(u32, &str, bool)> = futures.iter().map(|f| (f.id, f.done.as_str(), f.current)).collect();
    assert_eq!(told, [(1, "alice", false), (2, "echo other >> a.txt; cat a.txt", true)]);
    assert_eq!((futures[0].until, futures[1].from), (old.0, first.0));

    page.send(ToEngine::Travel(Travel::Branch(1)));
    assert_eq!(seen(&mut page), (old.1, false), "the old future is where it was left");
    page.send(ToEngine::Travel(Travel::To(first.0)));
    assert_eq!(seen(&mut page), (first.1, true), "its past is reached as well");
    page.send(ToEngine::Travel(Travel::Branch(2)));
    assert_eq!(seen(&mut page), (new.1, false));
    assert!(page.text().contains("other") && !page.text().contains("two"));

    // A reload resumes in the current branch, and keeps the other one.
    page.send(ToEngine::Save);
    page.ticks(2);
    let mut again = Page::start(page.saved.clone(), Vec::new());
    assert_eq!(again.notices, []);
    again.send(ToEngine::Pace(Pace::Paused));
    assert!(again.text().contains("other"), "{}", again.text());
    again.send(ToEngine::Travel(Travel::Branch(1)));
    assert_eq!(seen(&mut again), (old.1, false));
    again.send(ToEngine::Travel(Travel::Branch(77)));
    assert!(matches!(&again.notices[..], [UserNotice::Bound(_)]), "{:?}", again.notices);
}

#[test]
fn branches_are_bounded() {
    let mut page = Page::start(None, Vec::new());
    let line = Some("alice".to_owned());
    page.send(ToEngine::Subscribe(Subscription { line, ..Subscription::default() }));
    let first = types_and_stops(&mut page, "true");
    for i in 0..12 {
        types_and_stops(&mut page, &format!("echo {i}"));
        page.send(ToEngine::Travel(Travel::To(first.0)));
        page.ticks(5);
    }
    types_and_stops(&mut page, "echo last");
    let futures = page.frame.line.clone().expect("a line").branches;
    assert_eq!(futures.len(), 8);
    assert!(futures.iter().any(|f| f.current && f.done == "echo last"), "{futures:?}");
    assert!(!page.notices.is_empty(), "it is told");
    page.send(ToEngine::Travel(Travel::To(i64::MIN)));
    seen(&mut page);
    assert_eq!(page.frame.now, page.frame.line.clone().expect("a line").start, "no earlier than the start");
}
