//! Replays recorded sessions and compares the commands with different output with a list of known differences.
//!
//! A list has a line for each command that differs: its session, its number among equal commands, and the
//! command. A difference that is not in the list fails the test, and so does a line whose command no longer
//! differs. `SANDBATCH_DIFFERENCES=write cargo test --test suite` rewrites the lists.

use super::compare::{Difference, Verdict, compare};
use super::site::path;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A session's name and its recordings. The first one is replayed.
pub type Recorded = (String, Vec<PathBuf>);

/// The names of the sessions in a folder, in order.
pub fn sessions(folder: &str, list: &str) -> Vec<String> {
    let files = std::fs::read_dir(path(folder)).expect("a folder").flatten();
    let name = |file: std::fs::DirEntry| Some(file.file_name().to_str()?.strip_suffix(".txt")?.to_owned());
    let mut names: Vec<String> = files.filter_map(name).filter(|name| name != list).collect();
    names.sort_unstable();
    names
}

/// Replays a session with this build and compares the output with the recordings.
fn replay((name, files): &Recorded) -> Verdict {
    let read = |file: &PathBuf| std::fs::read_to_string(file).expect("a recording");
    let recordings: Vec<String> = files.iter().map(read).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["transcript", "--clusters"])
        .arg(path("tests/corpus/clusters"))
        .arg(&files[0])
        .output()
        .expect("sandbatch runs");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    compare(&recordings, &String::from_utf8_lossy(&output.stdout))
}

/// Replays sessions in parallel, one per core.
fn replay_all(sessions: &[Recorded]) -> BTreeMap<String, Verdict> {
    let (todo, done) = (Mutex::new(sessions.iter()), Mutex::new(BTreeMap::new()));
    let next = || todo.lock().expect("no panic").next();
    let work = || {
        while let Some(session) = next() {
            let verdict = replay(session);
            done.lock().expect("no panic").insert(session.0.clone(), verdict);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    done.into_inner().expect("no panic")
}

/// The line of a difference in a list.
fn line(session: &str, difference: &Difference) -> String {
    format!("{session} {} {}", difference.occurrence, difference.command)
}

/// Replays the sessions and compares the differences with a list. The list's first lines are comments.
pub fn hold(sessions: &[Recorded], list: &Path) {
    let verdicts = replay_all(sessions);
    let (mut stable, mut found, mut texts) = (0, BTreeSet::new(), BTreeMap::new());
    println!("{:28} {:>8} {:>9}", "session", "commands", "differing");
    for (name, verdict) in &verdicts {
        println!("{name:28} {:8} {:9}", verdict.stable, verdict.differences.len());
        assert!(verdict.stable > 0, "{name}: nothing is compared");
        stable += verdict.stable;
        for difference in &verdict.differences {
            let line = line(name, difference);
            texts.insert(line.clone(), &difference.text);
            found.insert(line);
        }
    }
    println!("{:28} {stable:8} {:9}", "all", found.len());
    let old = std::fs::read_to_string(list).unwrap_or_default();
    let comments: Vec<&str> = old.lines().take_while(|line| line.starts_with('#')).collect();
    let listed: BTreeSet<String> = old.lines().skip(comments.len()).map(str::to_owned).collect();
    if std::env::var("SANDBATCH_DIFFERENCES").is_ok_and(|what| what == "write") {
        let lines = comments.into_iter().chain(found.iter().map(String::as_str));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        std::fs::write(list, text).expect("the list is written");
        return;
    }
    let new: String = found.difference(&listed).map(|line| format!("{line}\n{}", texts[line])).collect();
    let fixed: String = listed.difference(&found).map(|line| format!("{line}\n")).collect();
    assert!(
        new.is_empty() && fixed.is_empty(),
        "{}\nThese commands differ (E: expected, P: printed). If that is right, add their lines:\n{new}\n\
         These differ no longer. Remove their lines:\n{fixed}",
        list.display()
    );
}
