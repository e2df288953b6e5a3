//! Sessions recorded from a real Slurm 26.05.3, replayed: how many of the stable commands of each print what one of the
//! three recordings has. `cargo test --test suite whole_corpus -- --nocapture` prints the table with each difference.

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

/// All sessions, and how many commands of each are equal at least: a figure here may grow, never shrink.
const CORPUS: [(&str, usize); 41] = [
    ("01-sbatch-basics", 36),
    ("02-sbatch-errors", 133),
    ("03-precedence-output", 40),
    ("04-env", 23),
    ("05-squeue", 77),
    ("06-sinfo", 75),
    ("07-scancel", 71),
    ("08-scontrol", 126),
    ("09-arrays-deps", 51),
    ("11-reasons-limits", 48),
    ("12-reasons-other", 57),
    ("13-nodefail-requeue", 38),
    ("14-steps", 47),
    ("15-timelimit", 19),
    ("16-preempt-partition", 45),
    ("17-preempt-suspend-gang", 22),
    ("18-preempt-qos", 25),
    ("19-fairtree", 40),
    ("20-priority", 47),
    ("21-backfill", 24),
    ("22-gpu-nodes", 28),
    ("23-sacct-sacctmgr", 97),
    ("24-update-pending", 93),
    ("25-partitions-smt-weights", 47),
    ("28-misc-config", 24),
    ("29-fairshare-classic", 40),
    ("31-hetjob", 19),
    ("33-array-operations", 35),
    ("35-inside-jobs", 22),
    ("36-latency", 17),
    ("37-value-formats", 27),
    ("38-sacct-more", 40),
    ("40-placement", 31),
    ("42-planned-state", 17),
    ("43-preempt-victims", 25),
    ("46-workload-cores", 52),
    ("50-site-inserm", 41),
    ("51-site-iq", 21),
    ("52-site-mila", 25),
    ("54-site-gcp", 25),
    ("55-preempt-grace-signal", 10),
];

#[test]
fn the_whole_corpus() {
    let mut files: Vec<String> = std::fs::read_dir(path("tests/corpus"))
        .expect("the corpus")
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".txt").map(str::to_owned)
        })
        .collect();
    files.sort_unstable();
    assert_eq!(files, CORPUS.map(|(name, _)| name), "each session has its row");
    let (mut stable, mut equal, mut fewer) = (0, 0, Vec::new());
    println!("{:28} {:>8} {:>6} {:>9}", "file", "commands", "equal", "differing");
    for (name, least) in CORPUS {
        let verdict = replay(name);
        let differing = verdict.stable - verdict.equal;
        println!("{name:28} {:8} {:6} {differing:9}", verdict.stable, verdict.equal);
        if differing > 0 {
            println!("{}", verdict.differences);
        }
        if verdict.equal < least {
            fewer.push(format!("{name}: {} of at least {least}\n{}", verdict.equal, verdict.differences));
        }
        stable += verdict.stable;
        equal += verdict.equal;
    }
    println!("{:28} {stable:8} {equal:6} {:9}", "all", stable - equal);
    assert!(fewer.is_empty(), "{}", fewer.join("\n"));
    // Real Slurm's own recordings are equal to each other in 98.3%.
    assert!(equal * 1000 >= stable * 983, "{equal} of {stable}");
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
