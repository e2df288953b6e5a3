//! The shell, with the programs around it, against the machine's own bash: the scripts of `tests/bash/*.sh` run in both,
//! and what they print and how they end must be equal.

use super::site::{inserm, path};
use regex_lite::Regex;
use sandbatch::base::time::{Span, Time};
use sandbatch::world::{Applied, Input, World};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

/// What a script did.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub out: String,
    pub err: String,
    pub code: u8,
}

/// Process ids in messages about killed children are not compared.
fn without_pids(text: &str) -> String {
    let pids = Regex::new(r"(line [0-9]+): +[0-9]+ |pid [0-9]+ is|\([0-9]{3,}\) -").expect("a pattern");
    pids.replace_all(text, "$1: PID ").into_owned()
}

/// The machine's bash runs a script in an empty home.
pub fn real_bash(script: &str, number: usize) -> Outcome {
    let home = std::env::temp_dir().join(format!("sandbatch-bash-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&home).expect("a directory");
    // Who starts the tests in the background ignores these signals, and bash would say so.
    let output = Command::new("env")
        .args(["--default-signal=INT,QUIT", "timeout", "20", "bash", "-c", script])
        .current_dir(&home)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", &home)
        .env("LC_ALL", "C.UTF-8")
        .env("USER", "alice")
        .stdin(Stdio::null())
        .output()
        .expect("bash");
    std::fs::remove_dir_all(&home).expect("the directory");
    let shown = home.to_string_lossy();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace(&*shown, "/home/alice");
    let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    Outcome {
        out: text(output.stdout),
        err: without_pids(&text(output.stderr)),
        code: u8::try_from(code & 255).unwrap_or(255),
    }
}

/// A booted world to clone.
pub fn booted() -> World {
    let setup = inserm(1);
    let (mut world, _) = World::new("inserm", &setup.files, 1, setup.start);
    settle(&mut world, setup.start + Span::from_secs(5));
    // An empty home, as on the other side.
    let command = "rm -rf ~/* ~/.[a-z]*".to_owned();
    world.apply(&Input::Run { user: "alice".to_owned(), command });
    settle(&mut world, setup.start + Span::from_secs(10));
    world
}

fn settle(world: &mut World, until: Time) {
    for _ in 0..3_000_000 {
        if !world.step(until) {
            return;
        }
    }
}

/// The simulated bash runs a script as alice, at home.
pub fn our_bash(booted: &World, script: &str) -> Outcome {
    let mut world = booted.clone();
    let input = Input::Run { user: "alice".to_owned(), command: script.to_owned() };
    let Applied::Run(run) = world.apply(&input) else { panic!("alice cannot run") };
    let end = world.now + Span::from_secs(600);
    for _ in 0..2_000_000 {
        if world.run_result(run).exit.is_some() || !world.step(end) {
            break;
        }
    }
    // What a child in the background still prints belongs to it, as to the pipe's reader on a real machine.
    let late = world.now + Span::from_secs(20);
    settle(&mut world, late);
    let result = world.run_result(run);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome {
        out: text(&result.stdout),
        err: without_pids(&text(&result.stderr)),
        code: result.exit.unwrap_or(255),
    }
}

/// The cases of a file: a line with `#---` and a name, then the script.
fn cases(text: &str) -> Vec<(&str, &str)> {
    text.split("#--- ").skip(1).filter_map(|case| case.split_once('\n')).collect()
}

/// How often the machine's bash is asked before it counts: on a busy machine a script with background jobs does not
/// do the same each time.
const ATTEMPTS: usize = 4;

/// `None` if both do the same. A case whose name ends in `+err` compares standard error too.
fn difference(booted: &World, name: &str, script: &str, number: usize) -> Option<String> {
    let mut ours = our_bash(booted, script);
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let theirs = real_bash(script, number);
        if !name.ends_with("+err") {
            ours.err.clone_from(&theirs.err);
        }
        if ours == theirs {
            return None;
        }
        last = Some(format!("--- {name}\n{script}\nbash:  {theirs:?}\nours:  {ours:?}\n"));
    }
    last
}

#[test]
fn scripts_do_what_they_do_in_bash() {
    if !std::path::Path::new("/bin/bash").exists() {
        return;
    }
    let booted = booted();
    let only = std::env::var("SHELL_CASE").unwrap_or_default();
    let mut files: Vec<_> =
        std::fs::read_dir(path("tests/bash")).expect("the cases").flatten().map(|e| e.path()).collect();
    files.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let topic = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        for (name, script) in cases(&text) {
            let name = format!("{topic}/{name}");
            if name.contains(&only) {
                count += 1;
                wrong.extend(difference(&booted, &name, script, count));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ\n{}", wrong.len(), wrong.join("\n"));
}
