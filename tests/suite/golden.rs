//! Replays sessions recorded from a real Slurm 26.05.3. A command passes if its output equals one of the three
//! recordings. `tests/corpus/differences.txt` names those that fail. Commands on which no two recordings agree
//! are left out. A fourth recording of real Slurm equals one of the three on 98.3% of the rest.

use super::compare::compare;
use super::differences::{Recorded, hold, sessions};
use super::site::path;
use std::path::PathBuf;

/// The recordings of a session.
fn recordings(name: &str) -> [PathBuf; 3] {
    ["", "again/2/", "again/3/"].map(|again| path("tests/corpus").join(format!("{again}{name}.txt")))
}

#[test]
fn the_whole_corpus() {
    let names = sessions("tests/corpus", "differences");
    assert!(names.len() >= 76, "{names:?}");
    let recorded: Vec<Recorded> = names.into_iter().map(|n| (n.clone(), recordings(&n).to_vec())).collect();
    hold(&recorded, &path("tests/corpus/differences.txt"));
}

#[test]
fn recordings_agree_with_themselves() {
    for name in ["01-sbatch-basics", "09-arrays-deps", "11-reasons-limits", "36-latency", "50-site-inserm"] {
        let recordings = recordings(name).map(|file| std::fs::read_to_string(file).expect("a recording"));
        let verdict = compare(&recordings, &recordings[0]);
        assert!(verdict.stable > 10, "{name}");
        // The first recording may differ from the other two on a few commands.
        assert!(verdict.differences.len() * 20 <= verdict.stable, "{name}: {:?}", verdict.differences);
    }
}
