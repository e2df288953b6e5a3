//! Fuzz targets: every input that comes from outside.
//!
//! In the ordinary tests each target tries a fixed number of inputs. `cargo xtask fuzz [TARGET] [--minutes N]` runs them for
//! longer. An input that was found becomes a file in `corpus/TARGET`, or a test next to what was wrong.

mod archives;
mod commands;
mod coreutils;
mod gawk;
mod imports;
mod python;
mod real;
mod sites;
mod slurm;
mod world;

use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::Setup;
use engine::world::{Input, InputResult, RunResult, World};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use testing::Corpus;

/// The start of all worlds.
const START: Time = Time::from_secs(1_795_240_458);

/// A path in the project.
fn path(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

/// The corpus of a target, with words that edits insert.
fn corpus(target: &str, words: &'static [&'static str]) -> Corpus {
    Corpus::new(words).with_files(&path("tests/fuzz/corpus").join(target), &[""])
}

/// A directory's files by name.
fn files(dir: &str) -> SiteFiles {
    fn collect(dir: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(dir).expect("a site's directory").flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{name}/"), files);
            } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
                files.insert(name, text);
            }
        }
    }
    let mut all = BTreeMap::new();
    collect(&path(dir), "", &mut all);
    SiteFiles(all)
}

/// The start of a session on the site `lab`.
fn lab() -> Setup {
    Setup { site: "lab".to_owned(), files: files("examples/sites/lab"), seed: 1, start: START }
}

/// A world of the site `lab` after its start.
fn booted() -> World {
    let (mut world, _) = World::new("lab", &lab().files, 1, START);
    let until = START + Span::from_secs(10);
    while world.step(until) {}
    world
}

/// Runs a command line to its end, for at most ten virtual minutes and 3,000 events. `SANDBATCH_FUZZ_SHOW=1` prints
/// it before, to see the one that never ends.
fn run(world: &mut World, user: &str, command: &str) -> RunResult {
    if std::env::var_os("SANDBATCH_FUZZ_SHOW").is_some() {
        eprintln!("{user}: {command}");
    }
    let input = Input::Run { user: user.to_owned(), command: command.to_owned() };
    let InputResult::Run(run) = world.apply(&input) else { return RunResult::default() };
    let until = world.now + Span::from_secs(600);
    for event in 0..3_000 {
        // The result is a copy of all output.
        if event % 32 == 0 && world.run_result(run).exit.is_some() || !world.step(until) {
            break;
        }
    }
    world.run_result(run)
}

/// Asserts that all invariants hold.
fn holds(world: &World, what: &str) {
    if let Err(broken) = world.check() {
        panic!("at {} after {what:.2000}:\n{}", world.now, broken.join("\n"));
    }
}
