//! The page's two programs, each in two modules: the first download, and the deferred module that is loaded after the first
//! prompt.
//!
//! The deferred module is a file named by its content. A custom section of the first module holds that name
//! (`src/deferred` reads it), so a page never mixes modules of two builds.

mod app;
mod listed;
mod worker;

use crate::run::{program, quietly};
use crate::{Outcome, root, split};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use wasm_encoder::{CustomSection, Section};

/// The exported function that loads the deferred module.
const LOAD: &str = "load_deferred_module";
/// The custom section with the name of the deferred module's file.
const SECTION: &str = "deferred-module";

/// A program of the page.
struct Program {
    /// The name of its binary, and of wasm-bindgen's output.
    name: &'static str,
    /// Its deferred modules and functions. Each must exist.
    deferred: Vec<String>,
    /// Whether a function is deferred.
    later: Box<dyn Fn(&str) -> bool + Sync>,
}

/// The app and the worker. Fails if a module is in none of the lists.
fn programs() -> Outcome<[Program; 2]> {
    listed::check(
        &["commands", "unix"],
        listed::Lists { later: worker::LATER, first: worker::FIRST_MODULES },
    )?;
    let functions = app::later()?;
    Ok([
        Program {
            name: "app",
            deferred: functions.clone(),
            later: Box::new(move |name| functions.iter().any(|function| is(name, function))),
        },
        Program {
            name: "worker",
            deferred: worker::LATER.iter().map(|module| (*module).to_owned()).collect(),
            later: Box::new(|name| {
                among(worker::LATER, name) && !worker::FIRST.iter().any(|first| name.contains(first))
            }),
        },
    ])
}

/// Whether a function is one of these or in one of these modules.
fn among(modules: &[&str], name: &str) -> bool {
    modules.iter().any(|module| within(name, module))
}

/// Whether a function is in a module: `module::f` and `<module::Type as Trait>::f` are.
fn within(name: &str, module: &str) -> bool {
    let name = name.trim_start_matches(['<', '&', '_']);
    name.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
}

/// Whether it is exactly this function, not one inside it: the compiler may merge inner functions with others.
fn is(name: &str, function: &str) -> bool {
    within(name, function) && name.matches("::").count() == function.matches("::").count() + 1
}

/// Entries of `deferred` that match no function: renamed, or inlined by the compiler.
fn missing<'a>(deferred: &'a [String], named: &[String]) -> Vec<&'a str> {
    let lacks = |entry: &&str| !named.iter().any(|name| within(name, entry));
    deferred.iter().map(String::as_str).filter(lacks).collect()
}

/// Splits both programs, optimises the modules and puts them into the page's folder.
pub fn split(dist: &Path, compiled: &Path) -> Outcome {
    let [app, worker] = &programs()?;
    let one = |program| split_program(program, dist, compiled);
    let (app, worker) = std::thread::scope(|scope| {
        let app = scope.spawn(|| one(app));
        (app.join(), one(worker))
    });
    app.map_err(|_| "The thread that runs wasm-opt panicked.".to_owned())?.and(worker)
}

/// Splits a program.
fn split_program(program: &Program, dist: &Path, compiled: &Path) -> Outcome {
    let file = dist.join(format!("{}_bg.wasm", program.name));
    let linked = compiled.join(program.name).with_extension("wasm");
    let halves = split::split(&read(&file)?, &read(&linked)?, &program.later, LOAD)?;
    let missing = missing(&program.deferred, &halves.named);
    if !missing.is_empty() {
        return Err(format!(
            "`{}` is to be deferred, but {} has no such function (`#[inline(never)]`?).",
            missing.join("`, `"),
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
    save(&file, &first)
}

/// A function with more bytes than this is not inlined into its only caller. Otherwise functions grow to 90 kB. Browsers
/// compile such a function as a whole at its first call, and optimise it for a tenth of a second as soon as one loop is hot.
const MAX_INLINED: &str = "50";

/// Runs wasm-opt on a module.
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
    fn functions_of_programs_are_deferred() {
        let [app, worker] = &programs().expect("everything is listed");
        assert!((worker.later)("unix::awk::start::h0123456789abcdef"));
        assert!((worker.later)("<commands::slurm::sinfo::Rows as core::fmt::Debug>::fmt::h01"));
        assert!((worker.later)("engine::session::resume::Resuming::step::h01"));
        assert!(!(worker.later)("unix::running::Running<M>::run::h01"));
        assert!(!(worker.later)("commands::slurm::sacctmgr::run::h01"));
        assert!(!(worker.later)("core::fmt::write::h01"));
        assert!((app.later)("app::panels::gantt::draw::h01"));
        assert!(!(app.later)("app::panels::queue::draw::h01"));
    }

    #[test]
    fn entries_without_functions_are_reported() {
        for program in programs().expect("everything is listed") {
            let mut named: Vec<String> =
                program.deferred.iter().map(|entry| format!("{entry}::h01")).collect();
            assert!(missing(&program.deferred, &named).is_empty());
            named.remove(0);
            assert_eq!(missing(&program.deferred, &named), [&program.deferred[0]]);
        }
    }
}
