//! Checks in worlds with some history, and lines that do not parse.

use super::*;
use crate::world::{Input, World};
use base::time::{Span, Time};
use config::SiteFiles;

const START: Time = Time::from_secs(1_772_442_000);

fn claims(text: &str) -> Result<Vec<Claim>, (u32, String)> {
    let lines: Vec<(u32, &str)> = (1_u32..).zip(text.lines()).collect();
    parse(&lines, START)
}

/// A cluster after alice ran a command and some time has passed.
fn world(command: &str, seconds: i64) -> World {
    let files = config::sites::built_in("lab").unwrap_or_default();
    let (mut world, _) = World::new("lab", &files, 1, START);
    world.apply(&Input::Run { user: "alice".into(), command: command.into() });
    let end = START + Span::from_secs(seconds);
    while world.step(end) {}
    world
}

#[track_caller]
fn check(world: &World, text: &str, expected: bool) {
    let claims = claims(text).unwrap_or_else(|(line, why)| panic!("{text}:{line}: {why}"));
    assert_eq!(holds(world, &claims, "/home/alice"), expected, "{text}");
}

#[test]
fn present_and_past_jobs() {
    let world = world(
        "sbatch -J a -c 4 -t 5 --mem 2G --wrap 'sleep 100; echo done > out.txt'
         sbatch -J b -n 2 -t 1 --wrap 'sleep 500'
         sbatch -J c --begin=now+9days --wrap 'true'
         sbatch -J d --wrap 'exit 3'",
        1000,
    );
    for (text, expected) in [
        ("a job: user = alice, name = a, state = COMPLETED, cpus = 4, elapsed < limit", true),
        ("a job: name = a, elapsed >= 100s, elapsed < 2m, limit = 5m, memory = 2G, exit = 0", true),
        ("a job: name = a, limit_used >= 30%, limit_used < 40%, waited < 1m, batch = yes", true),
        ("a job: name = b, state = TIMEOUT | FAILED, elapsed >= limit, start >= start(a)", true),
        ("a job: name = b, start >= end(a)", false),
        ("a job: name = c, state = PENDING, start = none, exit = none, reason = BeginTime", true),
        ("a job: name = d, state = FAILED, exit = 3, end < 09:10", true),
        ("a job: name = d, state != FAILED", false),
        ("a job: name = d, exit != 0 | 1", true),
        ("a job: name = d, exit != 0 | 3", false),
        ("4 jobs: user = alice", true),
        ("at least 5 jobs: user = alice", false),
        ("at most 4 jobs: user = alice\nno job: user = bob", true),
        ("every job: user = alice", true),
        ("every job: user = alice, state = COMPLETED", false),
        ("every array", false),
        ("a job: name = [ab], gpus = 0, nodes = 1, partition = cpu, account = phys*", true),
        ("a file ~/out.txt: text contains \"do\", lines = 1, bytes > 0", true),
        ("3 files ~/slurm-*.out", true),
        ("no file /home/alice/nothing", true),
        ("8 nodes: name = c*, state = IDLE, cpus = 16", true),
    ] {
        check(&world, text, expected);
    }
}

#[test]
fn arrays() {
    let world = world("sbatch -J many --array=1-12%3 --wrap 'sleep 60'", 150);
    for (text, expected) in [
        ("an array: name = many, tasks = 12, at_once = 3, end = none", true),
        ("an array: completed >= 3, failed = 0, pending > 0, running <= 3", true),
        ("an array: ended = tasks", false),
        ("at least 6 jobs: array >= 1, task >= 1", true),
    ] {
        check(&world, text, expected);
    }
}

#[test]
fn parse_errors() {
    for (text, line, part) in [
        ("jobs: user = alice", 1, "starts with a, no, every"),
        ("a job\na cow: user = alice", 2, "job, array, node and file"),
        ("a job: usr = alice", 1, "there is no `usr` here; there are id, name, user"),
        ("a job: user ~ alice", 1, "expected =, !="),
        ("a job: user < alice", 1, "only be compared with = and !="),
        ("a job: cpus = many", 1, "whole number"),
        ("a job: elapsed < 5", 1, "such as 90s"),
        ("a job: memory > 5", 1, "4G"),
        ("a job: limit_used > 5", 1, "80%"),
        ("a job: end < noon", 1, "18:00"),
        ("a job: elapsed < memory", 1, "cannot be compared"),
        ("a job: batch = maybe", 1, "yes or no"),
        ("a job: cpus contains 4", 1, "is not text"),
        ("a file out.txt", 1, "starts with /"),
        ("an array: end >= end(x)", 1, "only jobs"),
        ("a job: name = \"x", 1, "closing quote"),
        ("at job: name = x", 1, "least"),
    ] {
        let (at, why) = claims(text).expect_err(text);
        assert!(at == line && why.contains(part), "{text}:{at}: {why}");
    }
    assert!(claims(&"a job\n".repeat(51)).is_err());
}

#[test]
fn continuation_lines_and_comments() {
    let all = claims("# a remark\na job: user = alice,\n   state = COMPLETED\n\nno job").unwrap_or_default();
    assert_eq!(all.iter().map(|c| c.terms.len()).collect::<Vec<_>>(), [2, 0]);
}

#[test]
fn the_guide_documents_every_field() {
    let guide = include_str!("../../../../../docs/lessons.md");
    for subject in [Subject::Job, Subject::Array, Subject::Node, Subject::File(String::new())] {
        for field in fields(&subject) {
            assert!(guide.contains(&format!("`{}`", field.name)), "{subject:?}: {}", field.name);
        }
    }
}

#[test]
fn an_empty_site_satisfies_no_claim() {
    let (world, _) = World::new("none", &SiteFiles::default(), 1, START);
    check(&world, "no job\nno array\nno file ~/x", true);
}
