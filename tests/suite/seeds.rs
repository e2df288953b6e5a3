//! The documents of five real clusters: every script and command line of theirs on a cluster of that kind.
//!
//! Each transcript in `tests/seeds` was read against the document and Slurm's rules; at its head stands where these two
//! differ. What the simulation prints must be that, but for clock times and process numbers.

use super::compare::compare;
use super::site::path;
use std::process::Command;

fn plays(name: &str) {
    plays_in("tests/seeds", name);
}

/// Plays a transcript of a folder on one of its clusters; every command must print what stands there.
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
    assert_eq!(verdict.equal, verdict.stable, "{name}:\n{}", verdict.differences);
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
    plays("tools");
}

#[test]
fn mila() {
    plays("mila");
}
