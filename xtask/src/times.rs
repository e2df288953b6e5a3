//! `cargo xtask times`: how long builds take, clean and after a one-line edit, as the table of CONTRIBUTING.md.
//!
//! Builds go to `target/times` and leave the everyday build alone. An edit inserts a comment at the start of a
//! source file and is undone afterwards. Run it on an idle machine.

use crate::page::Build;
use crate::run::{cargo, quietly};
use crate::setup::{self, PAGE};
use crate::{Outcome, root, run, say};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The files to edit: the name in the table, and the path.
const EDITS: [(&str, &str); 3] = [
    ("the page", "src/app/clock/mod.rs"),
    ("a Slurm command", "src/commands/slurm/sinfo/mod.rs"),
    ("the scheduler", "src/slurmctld/sched/backfill/mod.rs"),
];

/// A column of the table: its heading, and what builds into a target directory.
type Column = (&'static str, fn(&Path) -> Outcome);

const COLUMNS: [Column; 4] = [
    ("`cargo check`", |target| built("check --workspace --locked", target)),
    ("`cargo test`, compiled", |target| built("test --workspace --locked --no-run", target)),
    ("`cargo build --release`", |target| built("build --release --locked --bin sandbatch", target)),
    ("the page, for development", |target| Build::Development.write(target, &target.join("dist"))),
];

fn built(words: &str, target: &Path) -> Outcome {
    quietly(cargo(words).env("CARGO_TARGET_DIR", target))?;
    Ok(())
}

/// Measures everything and prints the table.
pub fn times() -> Outcome {
    setup::need(&PAGE)?;
    let target = run::target().join("times");
    setup::discard(&target)?;
    let mut rows = vec![("clean", measured(&target)?)];
    for (name, path) in EDITS {
        say::note(&format!("after an edit in {path}"));
        let edit = Edit::make(root().join(path))?;
        let times = measured(&target);
        edit.undo()?;
        // Rebuilds the original state, so the next edit is measured alone.
        measured(&target)?;
        rows.push((name, times?));
    }
    println!("| after an edit in | {} |", COLUMNS.map(|(heading, _)| heading).join(" | "));
    println!("| --- |{}", " ---: |".repeat(COLUMNS.len()));
    for (name, times) in rows {
        println!("| {name} | {} |", times.map(say::duration).join(" | "));
    }
    Ok(())
}

/// Builds every column once.
fn measured(target: &Path) -> Outcome<[Duration; COLUMNS.len()]> {
    let mut times = [Duration::ZERO; COLUMNS.len()];
    for ((heading, build), time) in COLUMNS.iter().zip(&mut times) {
        let began = Instant::now();
        build(target)?;
        *time = began.elapsed();
        say::note(&format!("{heading}: {}", say::duration(*time)));
    }
    Ok(times)
}

/// A comment at the start of a source file. It shifts every line, so the compiler reuses nothing of the file.
struct Edit {
    file: PathBuf,
    before: String,
}

impl Edit {
    fn make(file: PathBuf) -> Outcome<Self> {
        let before = fs::read_to_string(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
        fs::write(&file, format!("// Edited.\n{before}")).map_err(|e| format!("{}: {e}.", file.display()))?;
        Ok(Self { file, before })
    }

    fn undo(self) -> Outcome {
        fs::write(&self.file, self.before).map_err(|e| format!("{}: {e}.", self.file.display()))
    }
}
