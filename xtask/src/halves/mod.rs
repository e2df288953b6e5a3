//! The page's two programs in two halves each: what is needed at first, and what is loaded while a person looks at that.
//!
//! The second half is a file of its own, named by its content, and the first half says its name in a custom section
//! (`src/later.rs` looks for it): halves of two builds never meet.

mod app;
mod worker;

use crate::run::{program, quietly};
use crate::{Outcome, root, split};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use wasm_encoder::{CustomSection, Section};

/// The exported function that loads the second half.
const LOAD: &str = "load_later_half";
/// The custom section that names the second half's file.
const SECTION: &str = "later-half";

/// A program of the page.
struct Program {
    /// Its binary; Trunk's file begins with it.
    name: &'static str,
    /// Rooms and functions of it that come later.
    rooms: &'static [&'static str],
    later: fn(&str) -> bool,
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "app",
        rooms: app::LATER,
        later: |name| app::LATER.iter().any(|function| is(name, function)),
    },
    Program {
        name: "worker",
        rooms: worker::LATER,
        later: |name| among(worker::LATER, name) && !name.contains(worker::FIRST),
    },
];

/// Whether a function is one of these, or in one of these rooms.
fn among(rooms: &[&str], name: &str) -> bool {
    rooms.iter().any(|room| within(name, room))
}

/// Whether a function is in a room: `sandbatch::room::f` and `<sandbatch::room::Type as Trait>::f` are.
fn within(name: &str, room: &str) -> bool {
    let name = name.trim_start_matches(['<', '&', '_']);
    let path = name.strip_prefix("sandbatch::");
    path.and_then(|path| path.strip_prefix(room)).is_some_and(|rest| rest.starts_with("::"))
}

/// Whether it is this very function, not one within it: of those the compiler merges some with others'.
fn is(name: &str, function: &str) -> bool {
    within(name, function) && name.matches("::").count() == function.matches("::").count() + 2
}

/// A room that no function is in: it was renamed, or the compiler has put it into its caller.
fn missing(rooms: &[&'static str], named: &[String]) -> Option<&'static str> {
    rooms.iter().find(|room| !named.iter().any(|name| within(name, room))).copied()
}

/// Splits both programs, optimises the halves and puts them into the page's folder.
pub fn split(dist: &Path, compiled: &Path) -> Outcome {
    let [app, worker] = &PROGRAMS;
    let one = |program| split_program(program, dist, compiled);
    let (app, worker) = std::thread::scope(|scope| {
        let app = scope.spawn(|| one(app));
        (app.join(), one(worker))
    });
    let app = app.map_err(|_| "wasm-opt could not be watched.".to_owned())?;
    for name in [app?, worker?] {
        add_to_list(dist, &name)?;
    }
    Ok(())
}

/// Splits a program; gives the name of its later half.
fn split_program(program: &Program, dist: &Path, compiled: &Path) -> Outcome<String> {
    let file = bound(program.name, dist)?;
    let linked = compiled.join(program.name).with_extension("wasm");
    let halves = split::split(&read(&file)?, &read(&linked)?, program.later, LOAD)?;
    if let Some(room) = missing(program.rooms, &halves.named) {
        return Err(format!(
            "`{room}` is to come later, but {} has no such function (`#[inline(never)]`?).",
            program.name
        ));
    }
    let mut first = optimised(&format!("{}-first", program.name), &halves.first)?;
    let later = optimised(&format!("{}-later", program.name), &halves.later)?;
    let mut hasher = DefaultHasher::new();
    later.hash(&mut hasher);
    let name = format!("later-{}-{:016x}.wasm", program.name, hasher.finish());
    CustomSection { name: SECTION.into(), data: name.as_bytes().into() }.append_to(&mut first);
    save(&dist.join(&name), &later)?;
    save(&file, &first)?;
    Ok(name)
}

/// A program as wasm-bindgen wrote it: `worker_bg.wasm`, `app-<hash>_bg.wasm`.
fn bound(name: &str, dist: &Path) -> Outcome<PathBuf> {
    let fail = |e: std::io::Error| format!("{}: {e}.", dist.display());
    for entry in fs::read_dir(dist).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.starts_with(name) && file.ends_with("_bg.wasm") {
            return Ok(path);
        }
    }
    Err(format!("Trunk has made no {name} in {}.", dist.display()))
}

/// Adds a file to those that the page keeps for visits without a network.
fn add_to_list(dist: &Path, name: &str) -> Outcome {
    let file = dist.join("files.json");
    let list = fs::read_to_string(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
    let longer = list.trim_end().strip_suffix(']').map(|names| format!("{names},\"{name}\"]"));
    save(&file, longer.ok_or("files.json is no list.")?.as_bytes())
}

/// A function of more bytes than this is not put into the only one that calls it. Otherwise there are functions of 90 kB, which
/// browsers compile as a whole at the first call, and optimise, in a tenth of a second each, as soon as one loop in them is hot.
const MAX_INLINED: &str = "50";

/// A module after wasm-opt.
fn optimised(name: &str, wasm: &[u8]) -> Outcome<Vec<u8>> {
    let folder = root().join("target").join("halves");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}.", folder.display()))?;
    let (from, to) = (folder.join(format!("{name}.wasm")), folder.join(format!("{name}-opt.wasm")));
    save(&from, wasm)?;
    let mut wasm_opt = program("wasm-opt");
    wasm_opt.args(["-Oz", "--one-caller-inline-max-function-size", MAX_INLINED]);
    quietly(wasm_opt.arg(&from).arg("-o").arg(&to))?;
    read(&to)
}

fn read(file: &Path) -> Outcome<Vec<u8>> {
    fs::read(file).map_err(|e| format!("{}: {e}.", file.display()))
}

fn save(file: &Path, bytes: &[u8]) -> Outcome {
    fs::write(file, bytes).map_err(|e| format!("{}: {e}.", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_programs_come_later() {
        let [app, worker] = &PROGRAMS;
        assert!((worker.later)("sandbatch::commands::unix::awk::start::h0123456789abcdef"));
        assert!((worker.later)("<sandbatch::commands::slurm::sinfo::Row as core::fmt::Debug>::fmt::h01"));
        assert!((worker.later)("sandbatch::session::recorded::Session::resume::h01"));
        assert!(!(worker.later)("sandbatch::commands::running::Running::run::h01"));
        assert!(!(worker.later)("sandbatch::commands::slurm::sacctmgr::run::h01"));
        assert!(!(worker.later)("core::fmt::write::h01"));
        assert!((app.later)("sandbatch::ui::gantt::draw::h01"));
        assert!(!(app.later)("sandbatch::ui::queue::QueueZone::h01"));
    }

    #[test]
    fn a_room_that_is_gone_is_noticed() {
        let rooms = worker::LATER;
        let mut named: Vec<String> = rooms.iter().map(|room| format!("sandbatch::{room}::h01")).collect();
        assert_eq!(missing(rooms, &named), None);
        named.remove(0);
        assert_eq!(missing(rooms, &named), rooms.first().copied());
    }
}
