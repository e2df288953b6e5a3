//! `SchedulerParameters`: each word makes a difference that can be seen.

use super::*;

/// Four nodes of four cores, with these parameters.
fn bench(parameters: &str) -> Bench {
    Bench::of(&format!(
        "ClusterName=test\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/basic\n\
         SchedulerParameters={parameters}\nNodeName=cn[01-04] CPUs=4 RealMemory=8000\n\
         NodeName=gpu01 CPUs=4 RealMemory=8000 Gres=gpu:a100:4\nGresTypes=gpu\n\
         PartitionName=batch Nodes=cn[01-04] Default=YES\nPartitionName=a Nodes=cn[01-02]\n\
         PartitionName=b Nodes=cn[03-04]\n"
    ))
}

fn on(nodes: &str, n: u32, minutes: u32) -> JobDesc {
    JobDesc { nodelist: Some(nodes.to_owned()), ..cpus(n, minutes) }
}

/// Three nodes are busy for an hour, a job that needs all nodes waits, and behind it are three short jobs of one CPU:
/// two of alice, one of bob. Returns which of them backfill starts.
fn backfilled(parameters: &str) -> [bool; 3] {
    let mut bench = bench(parameters);
    bench.submit(1001, cpus(12, 60));
    bench.run(5);
    bench.submit(1001, cpus(16, 60));
    let small = [1001, 1001, 1002].map(|uid| bench.submit(uid, cpus(1, 10)));
    bench.run(32);
    small.map(|id| bench.job(id).state == JobState::Running)
}

#[test]
fn how_many_entries_backfill_visits() {
    for (parameters, started) in [
        ("bf_interval=30", [true, true, true]),
        ("bf_max_job_test=1", [false, false, false]),
        ("bf_max_job_test=2", [true, false, false]),
        ("bf_max_job_user=1", [false, false, true]),
        ("bf_max_job_user=2", [true, false, true]),
        ("bf_max_job_part=2", [true, false, false]),
        ("bf_max_job_user_part=1", [false, false, true]),
        ("bf_max_job_start=1", [true, false, false]),
        ("bf_interval=600", [false, false, false]),
    ] {
        assert_eq!(backfilled(parameters), started, "{parameters}");
    }
}

#[test]
fn no_reservation_below_a_priority() {
    // Without a reservation for the large job, the long job behind it also starts.
    for (parameters, state) in
        [("bf_interval=30", JobState::Pending), ("bf_min_prio_reserve=4294901760", JobState::Running)]
    {
        let mut bench = bench(parameters);
        bench.submit(1001, cpus(12, 60));
        bench.run(5);
        let large = bench.submit(1001, cpus(16, 60));
        let long = bench.submit(1002, cpus(4, 600));
        bench.run(4);
        assert_eq!(bench.job(long).state, state, "{parameters}: the main loop");
        bench.run(60);
        assert_eq!(bench.job(long).state, state, "{parameters}");
        assert_eq!(bench.job(large).planned.is_some(), state == JobState::Pending, "{parameters}");
    }
}

#[test]
fn passes_wait_for_batch_sched_delay() {
    for (parameters, seconds) in [("batch_sched_delay=3", 3), ("batch_sched_delay=10", 10)] {
        let mut bench = bench(parameters);
        let first = bench.submit(1001, cpus(1, 10));
        bench.run(1);
        let second = bench.submit(1001, cpus(1, 10));
        bench.run(40);
        let third = bench.submit(1001, cpus(1, 10));
        bench.run(1);
        let fourth = bench.submit(1001, cpus(1, 10));
        bench.run(40);
        let start = |id| bench.job(id).start.unwrap();
        assert_eq!(start(first), start(second), "{parameters}: one pass for both");
        assert_eq!((start(fourth) - start(third)).secs(), seconds, "{parameters}");
    }
}

#[test]
fn defer_makes_srun_wait_for_a_pass() {
    for (parameters, at_once) in [("bf_interval=30", true), ("defer_batch", true), ("defer", false)] {
        let mut bench = bench(parameters);
        let desc = JobDesc { uid: Uid(1001), ..cpus(1, 10) };
        let Response::Job { id, .. } = bench.ask(1001, Request::Allocate(Box::new(desc))) else {
            panic!("refused")
        };
        assert_eq!(bench.job(id).state == JobState::Running, at_once, "{parameters}");
        bench.run(5);
        assert_eq!(bench.job(id).state, JobState::Running, "{parameters}");
    }
}

#[test]
fn how_many_jobs_a_pass_starts() {
    for (parameters, started) in [("sched_max_job_start=0", 3), ("sched_max_job_start=2", 2)] {
        let mut bench = bench(&format!("{parameters},bf_interval=600"));
        let ids = [1, 1, 1].map(|n| bench.submit(1001, cpus(n, 10)));
        bench.run(3);
        let running = |id: &&JobId| bench.job(**id).state == JobState::Running;
        assert_eq!(ids.iter().filter(running).count(), started, "{parameters}");
    }
}

#[test]
fn bf_busy_nodes_and_pack_serial_at_end_choose_other_nodes() {
    for (parameters, nodes) in [("bf_interval=30", [0, 1, 2]), ("bf_busy_nodes", [0, 2, 3])] {
        let mut bench = bench(parameters);
        bench.submit(1001, on("cn[03-04]", 8, 60));
        bench.run(5);
        let later = bench.submit(1001, cpus(12, 60));
        bench.run(40);
        let planned = bench.job(later).planned.as_ref().unwrap();
        assert_eq!(planned.1.iter().collect::<Vec<_>>(), nodes, "{parameters}");
    }
    for (parameters, nodes) in
        [("bf_interval=30", ["cn01", "cn02"]), ("pack_serial_at_end", ["cn04", "cn01"])]
    {
        let mut bench = bench(parameters);
        let ids = [1, 4].map(|n| bench.submit(1001, cpus(n, 10)));
        bench.run(5);
        assert_eq!(ids.map(|id| bench.nodes_of(id)), nodes, "{parameters}");
    }
}

#[test]
fn one_reservation_for_a_job_in_two_partitions() {
    let part = |name: &str, n, minutes| JobDesc { partition: Some(name.to_owned()), ..cpus(n, minutes) };
    for (parameters, minutes) in [("bf_interval=30", 50), ("bf_one_resv_per_job", 20)] {
        let mut bench = bench(parameters);
        let start = bench.submit(1001, part("a", 8, 60));
        bench.submit(1001, part("b", 8, 20));
        bench.run(5);
        let both = bench.submit(1001, part("a,b", 8, 30));
        let behind = bench.submit(1001, part("b", 8, 30));
        bench.run(40);
        let (begun, after) = (bench.job(start).start.unwrap(), bench.job(behind).planned.as_ref().unwrap().0);
        assert_eq!((after - begun).secs() / 60, minutes, "{parameters}");
        let expected = bench.job(both).planned.as_ref().unwrap().0;
        let first = if minutes == 50 { 20 } else { 60 };
        assert_eq!((expected - begun).secs() / 60, first, "{parameters}: the earlier of its places");
    }
}

#[test]
fn a_job_that_backfill_does_not_reach_has_no_expected_start() {
    let mut bench = bench("bf_max_job_test=1");
    bench.submit(1001, cpus(16, 60));
    bench.run(5);
    let waits = bench.submit(1001, cpus(16, 60));
    bench.run(40);
    assert!(bench.job(waits).planned.is_some());
    let before = bench.submit(0, JobDesc { priority: Some(u32::MAX - 1), ..cpus(16, 60) });
    bench.run(40);
    assert!(bench.job(before).planned.is_some());
    assert_eq!(bench.job(waits).planned, None);
}

#[test]
fn max_switch_wait_bounds_the_wait() {
    let request = |seconds| JobDesc { switches: Some((1, Some(seconds))), ..cpus(1, 10) };
    for (parameters, waits) in [("bf_interval=30", 300), ("max_switch_wait=900", 600)] {
        let mut bench = bench(parameters);
        let id = bench.submit(1001, request(600));
        assert_eq!(bench.job(id).needs.switches, Some((1, waits)), "{parameters}");
    }
}
