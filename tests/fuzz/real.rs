//! Runs generated commands here and in the machine's bash.
//!
//! Standard output and exit codes must be equal; of messages only whether there is one.

use super::{booted, run};
use engine::world::World;

/// What precedes the output of a command.
const MARK: &str = "\u{1}=";

/// A world with an empty home directory, as the machine's bash has one.
pub fn empty_home() -> World {
    let mut world = booted();
    run(&mut world, "alice", "cd; rm -rf ~/* ~/.[a-z]*");
    world
}

/// A script that runs these commands one after another, each with its mark and exit code.
fn script(start: &str, commands: &[String]) -> String {
    let mut text = format!("cd\n{start}\n");
    for command in commands {
        text += &format!(
            "printf '{MARK}\\n'; ( {command} ) 2> .err; echo \"[$?]\"; [ -s .err ] && echo message\n"
        );
    }
    text
}

/// The commands whose outputs differ.
fn differences(commands: &[String], ours: &str, theirs: &str) -> Vec<String> {
    let parts = |text: &str| text.split(MARK).skip(1).map(str::to_owned).collect::<Vec<_>>();
    let (ours, theirs) = (parts(ours), parts(theirs));
    let pairs = ours.iter().zip(&theirs).zip(commands).filter(|((ours, theirs), _)| ours != theirs);
    let mut all: Vec<String> = pairs
        .map(|((ours, theirs), command)| format!("{command}\n  ours {ours:?}\n  real {theirs:?}"))
        .collect();
    if ours.len() != theirs.len() {
        all.push(format!("{} and {} of {} commands printed", ours.len(), theirs.len(), commands.len()));
    }
    all
}

/// Runs the commands in both shells.
pub fn compare(world: &World, start: &str, commands: &[String], awk: (&str, &str)) {
    let text = script(start, commands);
    let theirs = testing::bash(
        &text.replace("AWK ", &format!("{} ", awk.1)),
        &[("USER", "alice"), ("TZ", "UTC"), ("LC_ALL", "C")],
    );
    let ours = run(
        &mut world.clone(),
        "alice",
        &format!("export LC_ALL=C TZ=UTC\n{}", text.replace("AWK ", &format!("{} ", awk.0))),
    );
    let found = differences(commands, &String::from_utf8_lossy(&ours.stdout), &theirs.out);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

pub const FILES: &str = "printf 'b 2 x\\na 10 y\\n\\nc -1\\tz\\nB 2 w\\na 10 y\\n' > f; seq 12 > n; printf 'a:1:x\\nb:2\\nd:4:z\\n' > s; \
    printf 'a:9\\nc:8\\nd:7\\n' > r; printf 'no newline' > u; printf 'x\\n\\n\\n  y\\tz\\n\\n\\n' > e; printf '1K\\n2M\\n10\\n1.5G\\n' > h";
