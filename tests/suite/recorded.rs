//! Sessions recorded from a real Slurm 22.05: the part of their commands that prints the same does not shrink.

use super::compare::compare;
use super::site::path;
use std::process::Command;

/// Recordings, and how many of their commands print the same at least. What `licenses` refuses of 22.05 (`a|b`, one of the
/// two) is a job of 26.05, with what follows from that.
const RECORDED: [(&str, usize); 28] = [
    ("admin", 56),
    ("arrays2", 30),
    ("depend", 54),
    ("export", 31),
    ("fifo", 43),
    ("flatw", 4),
    ("gang", 13),
    ("hetlimits", 13),
    ("hetsteps", 17),
    ("interactive", 29),
    ("licenses", 24),
    ("limits", 34),
    ("memory", 41),
    ("nested", 31),
    ("nodes", 44),
    ("parent", 23),
    ("partsqos", 19),
    ("plane", 18),
    ("requeue", 36),
    ("silent", 18),
    ("smt", 10),
    ("sockets", 13),
    ("strict", 49),
    ("switches", 35),
    ("taskends", 13),
    ("topology", 19),
    ("turns", 9),
    ("walk2", 14),
];

#[test]
fn as_recorded_from_22_05() {
    for (name, least) in RECORDED {
        let file = path("tests/recorded").join(format!("{name}.txt"));
        let output = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
            .args(["transcript", "--clusters"])
            .arg(path("tests/corpus/clusters"))
            .arg(&file)
            .output()
            .expect("sandbatch runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let recording = std::fs::read_to_string(&file).expect("a recording");
        let verdict = compare(&[recording], &String::from_utf8_lossy(&output.stdout));
        assert!(verdict.equal >= least, "{name}: {} equal\n{}", verdict.equal, verdict.differences);
    }
}
