//! Sessions recorded from real Slurm, replayed: at least 90% of the stable commands of each print the same.

use super::compare::{Verdict, compare};
use super::site::path;
use std::process::Command;

fn replay(name: &str) -> Verdict {
    let files =
        ["", "again/2/", "again/3/"].map(|again| path("tests/corpus").join(format!("{again}{name}.txt")));
    let recordings: Vec<String> =
        files.iter().map(|f| std::fs::read_to_string(f).expect("a recording")).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["transcript", "--clusters"])
        .arg(path("tests/corpus/clusters"))
        .arg(&files[0])
        .output()
        .expect("sandbatch runs");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    compare(&recordings, &String::from_utf8_lossy(&output.stdout))
}

fn at_least_90_percent(name: &str) {
    let verdict = replay(name);
    let percent = verdict.equal * 100 / verdict.stable.max(1);
    println!("{name}: {} of {} stable commands equal ({percent}%)", verdict.equal, verdict.stable);
    assert!(verdict.stable > 0, "{name} has no stable commands");
    assert!(
        verdict.equal * 10 >= verdict.stable * 9,
        "{name}: only {} of {} equal\n{}",
        verdict.equal,
        verdict.stable,
        verdict.differences
    );
}

#[test]
fn sbatch_basics() {
    at_least_90_percent("01-sbatch-basics");
}

#[test]
fn arrays_and_dependencies() {
    at_least_90_percent("09-arrays-deps");
}

#[test]
fn reasons_of_limits() {
    at_least_90_percent("11-reasons-limits");
}

#[test]
fn latency() {
    at_least_90_percent("36-latency");
}

#[test]
fn the_inserm_guide() {
    at_least_90_percent("50-site-inserm");
}

#[test]
fn fair_tree() {
    at_least_90_percent("19-fairtree");
}

#[test]
fn priorities() {
    at_least_90_percent("20-priority");
}

#[test]
fn classic_fair_share() {
    at_least_90_percent("29-fairshare-classic");
}

#[test]
fn a_workload() {
    at_least_90_percent("46-workload-cores");
}

#[test]
fn scancel() {
    at_least_90_percent("07-scancel");
}

#[test]
fn updates_of_jobs() {
    at_least_90_percent("24-update-pending");
}

#[test]
fn requeue_codes_top_and_other_configuration() {
    at_least_90_percent("28-misc-config");
}

#[test]
fn time_limits() {
    at_least_90_percent("15-timelimit");
}

#[test]
fn suspension_and_time_slices() {
    at_least_90_percent("17-preempt-suspend-gang");
}

#[test]
fn preemption_by_qos() {
    at_least_90_percent("18-preempt-qos");
}

#[test]
fn grace_times_and_signals() {
    at_least_90_percent("55-preempt-grace-signal");
}

#[test]
fn victims_of_preemption() {
    at_least_90_percent("43-preempt-victims");
}

#[test]
fn sinfo() {
    at_least_90_percent("06-sinfo");
}

#[test]
fn reasons_of_nodes_reservations_and_licences() {
    at_least_90_percent("12-reasons-other");
}

#[test]
fn sbatch_errors() {
    at_least_90_percent("02-sbatch-errors");
}

#[test]
fn gpus_and_nodes() {
    at_least_90_percent("22-gpu-nodes");
}

#[test]
fn formats_of_values() {
    at_least_90_percent("37-value-formats");
}

#[test]
fn recordings_agree_with_themselves() {
    for name in ["01-sbatch-basics", "09-arrays-deps", "11-reasons-limits", "36-latency", "50-site-inserm"] {
        let read = |again: &str| {
            std::fs::read_to_string(path("tests/corpus").join(format!("{again}{name}.txt")))
                .expect("a recording")
        };
        let recordings = [read(""), read("again/2/"), read("again/3/")];
        let verdict = compare(&recordings, &recordings[0]);
        assert!(verdict.stable > 10, "{name}");
        // The first recording may be the odd one out on a few.
        assert!(verdict.equal * 100 >= verdict.stable * 95, "{name}: {}", verdict.differences);
    }
}

#[test]
fn nodes_kept_for_the_top_job() {
    at_least_90_percent("42-planned-state");
}

#[test]
fn operations_on_tasks() {
    at_least_90_percent("33-array-operations");
}

#[test]
fn what_sacct_shows() {
    at_least_90_percent("38-sacct-more");
}

#[test]
fn threads_weights_and_partitions() {
    at_least_90_percent("25-partitions-smt-weights");
}

#[test]
fn lost_nodes_and_requeues() {
    at_least_90_percent("13-nodefail-requeue");
}

#[test]
fn preemption_by_partition() {
    at_least_90_percent("16-preempt-partition");
}

#[test]
fn cloud_nodes() {
    at_least_90_percent("54-site-gcp");
}

#[test]
fn steps() {
    at_least_90_percent("14-steps");
}

#[test]
fn heterogeneous_jobs() {
    at_least_90_percent("31-hetjob");
}
