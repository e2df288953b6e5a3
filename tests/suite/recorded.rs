//! Replays sessions recorded from a real Slurm 22.05. `tests/recorded/differences.txt` names the commands with
//! different output. 26.05 accepts a licence request that 22.05 refused in session `licenses` (`a|b`, one of
//! the two), which changes later output.

use super::differences::{Recorded, hold, sessions};
use super::site::path;

#[test]
fn as_recorded_from_22_05() {
    let names = sessions("tests/recorded", "differences");
    assert!(names.len() >= 28, "{names:?}");
    let file = |name: &str| path("tests/recorded").join(format!("{name}.txt"));
    let recorded: Vec<Recorded> = names.into_iter().map(|n| (n.clone(), vec![file(&n)])).collect();
    hold(&recorded, &path("tests/recorded/differences.txt"));
}
