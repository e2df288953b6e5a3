//! Reservations on their own: access, nodes, times.

use super::{ResvDesc, ResvFlags, Who, WhoChange};
use crate::rpc::request::{Request, Response};
use crate::state::error::SlurmError;
use crate::state::job::{JobDesc, JobState};
use crate::state::reason::Reason;
use crate::tests::{Bench, cpus};
use base::time::{Limit, Span};

fn users(names: &[&str]) -> Option<WhoChange> {
    Some(WhoChange::Set(Who { names: names.iter().map(|n| (*n).to_owned()).collect(), except: false }))
}

/// A reservation that begins in this many minutes.
fn desc(bench: &Bench, name: &str, in_minutes: i64, minutes: u32, nodes: &str) -> ResvDesc {
    ResvDesc {
        name: Some(name.to_owned()),
        start: Some(bench.now.floor() + Span::from_mins(in_minutes)),
        duration: Some(Limit::Minutes(minutes)),
        nodes: Some(nodes.to_owned()).filter(|n| !n.is_empty()),
        users: users(&["alice"]),
        ..ResvDesc::default()
    }
}

fn make(bench: &mut Bench, desc: ResvDesc) -> Result<String, SlurmError> {
    match bench.ask(0, Request::CreateReservation(Box::new(desc))) {
        Response::Reservation(name) => Ok(name),
        Response::Err { error, .. } => Err(error),
        other => panic!("{other:?}"),
    }
}

fn inside(name: &str, n: u32, minutes: u32) -> JobDesc {
    JobDesc { reservation: Some(name.to_owned()), ..cpus(n, minutes) }
}

#[test]
fn refusals() {
    let mut bench = Bench::new();
    let good = desc(&bench, "one", 10, 60, "cn01");
    assert_eq!(make(&mut bench, good.clone()).as_deref(), Ok("one"));
    let cases = [
        ("nodes", ResvDesc { nodes: Some("cn99".into()), ..good.clone() }, SlurmError::InvalidNodeName),
        (
            "past",
            ResvDesc { start: Some(bench.now + Span::from_secs(-3600)), ..good.clone() },
            SlurmError::InvalidTimeValue,
        ),
        ("people", ResvDesc { users: users(&["nobody"]), ..good.clone() }, SlurmError::UserIdMissing),
        ("overlap", ResvDesc { name: Some("two".into()), ..good.clone() }, SlurmError::ReservationOverlap),
        (
            "partition",
            ResvDesc { partition: Some("nope".into()), ..good.clone() },
            SlurmError::InvalidPartitionName,
        ),
        (
            "too many",
            ResvDesc { nodes: None, node_count: Some(4), name: None, ..good.clone() },
            SlurmError::NodesBusy,
        ),
    ];
    for (what, desc, error) in cases {
        assert_eq!(make(&mut bench, desc), Err(error), "{what}");
    }
    let named = ResvDesc { nodes: None, node_count: Some(2), name: None, ..good };
    assert_eq!(make(&mut bench, named).as_deref(), Ok("alice_2"));
    let second = bench.ctld.reservations.by_name("alice_2").unwrap();
    assert_eq!(second.nodes.iter().collect::<Vec<_>>(), [1, 2], "the first node is reserved at that time");
    let denied = bench.ask(1001, Request::DeleteReservation("one".into()));
    assert!(matches!(denied, Response::Err { error: SlurmError::UserIdMissing, .. }));
}

#[test]
fn others_end_before_it_begins_and_its_users_run_in_it() {
    let mut bench = Bench::new();
    let resv = desc(&bench, "r", 20, 60, "cn[01-03]");
    make(&mut bench, resv).unwrap();
    let short = bench.submit(1002, cpus(1, 10));
    let long = bench.submit(1002, cpus(1, 30));
    let own = bench.submit(1001, inside("r", 48, 30));
    bench.run(5);
    assert_eq!(bench.job(short).state, JobState::Running);
    assert_eq!(bench.job(long).reason, Reason::NodeNotAvail);
    assert_eq!(bench.job(own).reason, Reason::Reservation);
    bench.run(20 * 60 + 60);
    assert_eq!(bench.job(own).state, JobState::Running, "the reservation has begun");
    assert!(bench.ctld.node(base::ids::NodeId(0)).flags.reserved);
    assert!(!bench.ctld.node(base::ids::NodeId(3)).flags.reserved);
    assert_eq!(bench.job(long).state, JobState::Pending);
    bench.run(65 * 60);
    assert_eq!(bench.job(long).state, JobState::Running, "and is over");
    assert!(bench.ctld.reservations.is_empty());
}

#[test]
fn access_rules() {
    let mut bench = Bench::new();
    let resv = desc(&bench, "r", 0, 60, "cn01");
    make(&mut bench, resv).unwrap();
    for (uid, name, expected) in [
        (1001, "r", None),
        (1002, "r", Some(SlurmError::ReservationAccess)),
        (1001, "q", Some(SlurmError::ReservationInvalid)),
    ] {
        let script = Some(std::sync::Arc::new(b"#!/bin/sh\n".to_vec()));
        let desc = JobDesc { uid: base::ids::Uid(uid), script, ..inside(name, 1, 5) };
        let refused = match bench.ask(uid, Request::SubmitBatch(Box::new(desc))) {
            Response::Err { error, .. } => Some(error),
            _ => None,
        };
        assert_eq!(refused, expected, "{uid} {name}");
    }
    // A job that is too big for the reservation could never run.
    let script = Some(std::sync::Arc::new(b"#!/bin/sh\n".to_vec()));
    let desc = JobDesc { uid: base::ids::Uid(1001), script, ..inside("r", 17, 5) };
    assert!(matches!(
        bench.ask(1001, Request::SubmitBatch(Box::new(desc))),
        Response::Err { error: SlurmError::RequestedNodeConfigUnavailable, .. }
    ));
}

#[test]
fn the_end_of_a_reservation() {
    let mut bench = Bench::new();
    let resv = desc(&bench, "r", 0, 10, "cn01");
    make(&mut bench, resv).unwrap();
    let running = bench.submit(1001, inside("r", 16, 60));
    let waiting = bench.submit(1001, inside("r", 16, 60));
    bench.run(60);
    assert_eq!(bench.job(running).state, JobState::Running);
    let busy = bench.ask(0, Request::DeleteReservation("r".into()));
    assert!(matches!(busy, Response::Err { error: SlurmError::ReservationBusy, .. }));
    bench.run(10 * 60);
    assert_eq!(bench.job(running).state, JobState::Timeout);
    assert_eq!(bench.job(waiting).reason, Reason::ResvDeleted);
    assert_eq!(bench.job(waiting).shown_state().1, "RD");
    bench.ask(0, Request::Release(crate::rpc::request::Target { job: waiting, task: None }));
    bench.run(120);
    assert_eq!(bench.job(waiting).state, JobState::Running);
}

#[test]
fn it_repeats_each_day() {
    let mut bench = Bench::new();
    let day = 24 * 60;
    let resv = ResvDesc { set: ResvFlags::DAILY, ..desc(&bench, "r", 10, 60, "cn[01-03]") };
    let first = bench.now.floor() + Span::from_mins(10);
    make(&mut bench, resv).unwrap();
    bench.run(120 * 60);
    let start = bench.ctld.reservations.by_name("r").unwrap().start;
    assert_eq!(start, first + Span::from_mins(day));
    // Too long for the night: waits; short enough: starts.
    let long = bench.submit(1002, cpus(1, 23 * 60));
    let short = bench.submit(1002, cpus(1, 20 * 60));
    bench.run(120);
    assert_eq!(bench.job(long).state, JobState::Pending);
    assert_eq!(bench.job(short).state, JobState::Running);
}

#[test]
fn flags_that_open_and_close() {
    for (set, own_starts, other_starts) in
        [(ResvFlags::NONE, false, false), (ResvFlags::FLEX, true, false), (ResvFlags::MAGNETIC, false, false)]
    {
        let mut bench = Bench::new();
        let resv = ResvDesc { set, ..desc(&bench, "r", 5, 60, "cn[01-03]") };
        make(&mut bench, resv).unwrap();
        let own = bench.submit(1001, inside("r", 1, 30));
        let other = bench.submit(1002, cpus(1, 30));
        bench.run(5);
        assert_eq!(bench.job(own).state == JobState::Running, own_starts, "{set:?}");
        assert_eq!(bench.job(other).state == JobState::Running, other_starts, "{set:?}");
    }
}

#[test]
fn unused_ones_are_purged() {
    let mut bench = Bench::new();
    let resv = ResvDesc { set: ResvFlags::PURGE_COMP, purge: Some(300), ..desc(&bench, "r", 0, 600, "cn01") };
    make(&mut bench, resv).unwrap();
    bench.run(200);
    let job = bench.submit(1001, inside("r", 1, 5));
    bench.run(100);
    assert_eq!(bench.job(job).state, JobState::Running);
    bench.run(450);
    assert!(!bench.ctld.reservations.is_empty(), "five minutes have not gone by since");
    bench.run(600);
    assert!(bench.ctld.reservations.is_empty());
}

#[test]
fn purged_reservations_repeat_with_the_same_duration() {
    let mut bench = Bench::new();
    let set = ResvFlags::PURGE_COMP.with(ResvFlags::DAILY);
    let resv = ResvDesc { set, purge: Some(300), ..desc(&bench, "r", 0, 60, "cn01") };
    let first = bench.now.floor();
    make(&mut bench, resv).unwrap();
    bench.run(600);
    let resv = bench.ctld.reservations.by_name("r").unwrap();
    assert_eq!((resv.start - first, resv.end - resv.start), (Span::from_mins(24 * 60), Span::from_mins(60)));
}

#[test]
fn one_ends_while_another_is_active() {
    let mut bench = Bench::new();
    for (name, minutes) in [("short", 3), ("long", 60)] {
        let set = ResvFlags::MAINT.with(ResvFlags::OVERLAP).with(ResvFlags::IGNORE_JOBS);
        let resv = ResvDesc { set, ..desc(&bench, name, 0, minutes, "cn01") };
        make(&mut bench, resv).unwrap();
    }
    bench.run(300);
    assert!(bench.ctld.reservations.by_name("short").is_none());
    assert!(bench.ctld.nodes[0].flags.maint);
}

#[test]
fn its_jobs_come_first() {
    let mut bench = Bench::new();
    let resv = desc(&bench, "r", 10, 60, "cn01");
    make(&mut bench, resv).unwrap();
    let plain = bench.submit(1002, cpus(1, 5));
    let own = bench.submit(1001, inside("r", 1, 5));
    let order: Vec<_> = bench.ctld.queue_order(10).into_iter().map(|row| row.0).collect();
    assert_eq!(order, [own, plain], "although it came later");
}
