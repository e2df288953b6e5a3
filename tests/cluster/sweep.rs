//! The job array of `sandbatch sweep`, on a simulated cluster and on a real Slurm: tasks are killed at random, the missing ones
//! are submitted again, and the report equals that of an uninterrupted run.

use super::fixture::{Cluster, CommandOutput, SANDBATCH, TestDir};
use std::fs;
use testing::Random;

/// The exit code of `tests/sweep` on a machine without Slurm.
const SKIPPED: i32 = 77;

/// Writes a plan of twelve cells, and the report of one machine in `whole`.
fn prepare(dir: &TestDir) {
    let mut dice = Random::new(3);
    let mut trace = "; MaxNodes: 4\n; MaxProcs: 16\n".to_owned();
    for i in 1..=600 {
        let (run, tasks, user) = (dice.between(60, 4000), dice.between(1, 12), dice.between(1, 6));
        trace +=
            &format!("{i} {} 0 {run} {tasks} -1 -1 {tasks} 5000 -1 1 {user} 1 -1 -1 -1 -1 -1\n", i * 300);
    }
    dir.write("trace.swf", &trace);
    dir.write(
        "plan.toml",
        "[[workload]]\nfile = \"trace.swf\"\n[[policy]]\nname = \"backfill\"\n[[policy]]\nname = \"in order\"\n\
         slurm_conf = [\"SchedulerType=sched/builtin\"]\n[resample]\nnumber = 5\n",
    );
    let done = dir.run("sandbatch compare plan.toml --quiet --out whole");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
}

fn assert_same_report(dir: &TestDir, run: &CommandOutput) {
    assert_eq!(run.code, Some(0), "{run:?}");
    let array = dir.file("array.sh");
    assert!(array.starts_with("#!/bin/bash\n#SBATCH --job-name=sandbatch-sweep\n"), "{array}");
    for name in ["report.html", "metrics.csv", "differences.csv"] {
        let [whole, gathered] =
            ["whole", "gathered"].map(|of| fs::read(dir.work().join(of).join(name)).unwrap());
        assert!(whole == gathered && !whole.is_empty(), "{name}: {run:?}");
    }
}

/// The command line of `tests/sweep`.
fn script(arguments: &str) -> String {
    format!("{}/tests/sweep {arguments}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_sweep_on_a_simulated_cluster() {
    let cluster = Cluster::up("--site lab --pace 10x");
    prepare(&cluster.dir);
    let run = cluster.run(&script("--drive ."));
    assert_same_report(&cluster.dir, &run);
}

#[test]
fn a_sweep_on_a_real_slurm() {
    let dir = TestDir::new();
    prepare(&dir);
    let run = dir.run(&script("."));
    if run.code == Some(SKIPPED) {
        println!("SKIPPED: {}", run.err.trim());
        return;
    }
    println!("{SANDBATCH}: {}", run.out);
    assert_same_report(&dir, &run);
}
