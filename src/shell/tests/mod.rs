//! The shell against the real bash: the scripts of `cases.sh` run in both, and what they print and how they end must
//! be equal. Between two slices every shell is written out and read back, as a saved session does.

mod limits;
mod machine;
mod terminal;

use machine::{Machine, Outcome};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

const CASES: &str = include_str!("cases.sh");

/// A case: its name and its script.
fn cases() -> Vec<(&'static str, &'static str)> {
    CASES.split("#--- ").skip(1).filter_map(|case| case.split_once('\n')).collect()
}

fn real_bash(script: &str, number: usize) -> Outcome {
    let home = std::env::temp_dir().join(format!("sandbatch-shell-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    // Who starts the tests in the background ignores these signals, and bash would say so.
    let output = Command::new("env")
        .args(["--default-signal=INT,QUIT", "bash", "-c", script])
        .current_dir(&home)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", &home)
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    std::fs::remove_dir_all(&home).unwrap();
    let text =
        |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace(home.to_str().unwrap(), "/home/alice");
    let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    Outcome { out: text(output.stdout), err: text(output.stderr), code }
}

#[test]
fn as_bash() {
    if !std::path::Path::new("/bin/bash").exists() {
        return;
    }
    let (mut wrong, mut count) = (Vec::new(), 0);
    let only = std::env::var("SHELL_CASE").unwrap_or_default();
    for (number, (name, script)) in cases().into_iter().enumerate() {
        if !name.contains(&only) {
            continue;
        }
        count += 1;
        let theirs = real_bash(script, number);
        let mut ours = Machine::new().run(script);
        // Messages are compared where the case asks for it.
        if !name.ends_with("+err") {
            ours.err.clone_from(&theirs.err);
        }
        if ours != theirs {
            wrong.push(format!("--- {name}\n{script}\nbash:  {theirs:?}\nours:  {ours:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ\n{}", wrong.len(), wrong.join("\n"));
}
