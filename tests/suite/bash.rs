//! The shell with its programs, compared with the machine's own bash: the scripts of `tests/bash/*.sh` run in
//! both. Output and exit codes must be equal.

use super::site::{inserm, path};
use base::time::{Span, Time};
use engine::world::{Input, InputResult, World};
use regex_lite::Regex;

/// The result of a script.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub out: String,
    pub err: String,
    pub code: u8,
}

/// Removes process ids from messages about killed children.
fn without_pids(text: &str) -> String {
    let pids = Regex::new(r"(line [0-9]+): +[0-9]+ |pid [0-9]+ is|\([0-9]{3,}\) -").expect("a pattern");
    pids.replace_all(text, "$1: PID ").into_owned()
}

/// Runs a script in the machine's bash, in an empty home directory.
pub fn real_bash(script: &str) -> Outcome {
    let ran = testing::bash(script, &[("USER", "alice")]);
    Outcome { out: ran.out, err: without_pids(&ran.err), code: u8::try_from(ran.code & 255).unwrap_or(255) }
}

/// A booted world to clone.
pub fn booted() -> World {
    let setup = inserm(1);
    let (mut world, _) = World::new("inserm", &setup.files, 1, setup.start);
    settle(&mut world, setup.start + Span::from_secs(5));
    // Empty the home directory, as in the other bash.
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

/// Runs a script as alice in the simulated bash.
pub fn our_bash(booted: &World, script: &str) -> Outcome {
    let mut world = booted.clone();
    let input = Input::Run { user: "alice".to_owned(), command: script.to_owned() };
    let InputResult::Run(run) = world.apply(&input) else { panic!("alice cannot run") };
    let end = world.now + Span::from_secs(600);
    for _ in 0..2_000_000 {
        if world.run_result(run).exit.is_some() || !world.step(end) {
            break;
        }
    }
    // Output of background children belongs to the script's output, as it does for the pipe's reader on a real machine.
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

/// Attempts with the machine's bash. On a busy machine, a script with background jobs is not deterministic.
const ATTEMPTS: usize = 4;

/// `None` if both behave the same. A case whose name ends in `+err` compares standard error too.
fn difference(booted: &World, name: &str, script: &str) -> Option<String> {
    let mut ours = our_bash(booted, script);
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let theirs = real_bash(script);
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
                wrong.extend(difference(&booted, &name, script));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ\n{}", wrong.len(), wrong.join("\n"));
}
