//! The documentation of five real clusters: all its scripts and command lines, on a cluster of that kind.
//!
//! Each transcript in `tests/seeds` was checked against the documentation and Slurm's rules, and is replayed on
//! the site in `examples/sites`. Its head lists where the documentation and Slurm differ. The simulation's
//! output must be equal except for clock times and process ids. `tests/seeds/lines` lists the lines of code in
//! the documentation.

use super::compare::{compare, in_words};
use super::site::path;
use std::process::Command;

fn plays(name: &str) {
    covers(name, &format!("tests/seeds/{name}.txt"));
    plays_on("tests/seeds", name, "examples/sites");
}

/// Checks that every line of code of the document is in a transcript, typed or in a script.
pub fn covers(name: &str, transcript: &str) {
    let read = |file: &str| std::fs::read_to_string(path(file)).expect("a text");
    let (lines, transcript) = (read(&format!("tests/seeds/lines/{name}.txt")), read(transcript));
    let mut in_file = false;
    let code: Vec<&str> = transcript
        .lines()
        .filter(|line| {
            in_file = (in_file || line.starts_with("@file ")) && *line != "@end";
            in_file || line.starts_with("$ ")
        })
        .collect();
    // `~ text -- why` marks lines that are not code or cannot appear in a transcript.
    let missing: Vec<&str> =
        lines.lines().filter(|l| !l.starts_with("~ ") && !code.iter().any(|c| c.contains(l))).collect();
    assert!(missing.is_empty() && lines.lines().count() > 3, "{name}: not in its transcript: {missing:#?}");
}

/// Replays a transcript of a folder on one of its clusters. Every command must print the transcript's output.
pub fn plays_in(folder: &str, name: &str) {
    plays_on(folder, name, &format!("{folder}/clusters"));
}

/// The same on a cluster of another folder.
pub fn plays_on(folder: &str, name: &str, clusters: &str) {
    let file = path(folder).join(format!("{name}.txt"));
    let expected = std::fs::read_to_string(&file).expect("a transcript");
    let output = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["transcript", "--clusters"])
        .arg(path(clusters))
        .arg(&file)
        .output()
        .expect("sandbatch runs");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let same = [expected.clone(), expected.clone(), expected];
    let verdict = compare(&same, &String::from_utf8_lossy(&output.stdout));
    assert!(verdict.stable > 3, "{name} has hardly any commands");
    assert!(verdict.differences.is_empty(), "{name}: {}", in_words(&verdict.differences));
}

#[test]
fn the_quantum_institute() {
    plays("iq");
}

#[test]
fn the_alliance() {
    plays("alliance");
}

#[test]
fn inserm() {
    plays("inserm");
}

#[test]
fn the_cloud() {
    plays("gcp");
}

#[test]
fn tools_beside_slurm() {
    plays_in("tests/seeds", "tools");
}

#[test]
fn hello_programs_of_ten_centres() {
    plays_in("tests/seeds", "hello");
}

#[test]
fn r_as_job_scripts_use_it() {
    plays_in("tests/seeds", "r");
}

#[test]
fn tools_around_the_scheduler() {
    plays_in("tests/seeds", "around");
}

#[test]
fn windows_that_stay_after_the_logout() {
    plays_in("tests/seeds", "windows");
}

#[test]
fn perl_as_job_scripts_use_it() {
    plays_in("tests/seeds", "perl");
}

#[test]
fn mila() {
    plays("mila");
}

#[test]
fn variants_of_the_alliance_and_of_mila() {
    for name in ["alliance-beluga", "alliance-niagara", "mila-clouds"] {
        plays_on("tests/seeds", name, "examples/sites");
    }
}
