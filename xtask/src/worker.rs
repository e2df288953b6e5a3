//! The worker in two halves: what a first prompt needs, and what comes after it: the programs that a person types.
//!
//! The second half is a file of its own, named by its content, and the first half says its name in a custom section
//! (`src/bin/worker.rs` looks for it): halves of two builds never meet.

use crate::run::{program, quietly};
use crate::{Outcome, root, split};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use wasm_encoder::{CustomSection, Section};

/// The worker's exported function that loads the second half.
const LOAD: &str = "load_later_half";
/// The custom section that names the second half's file.
const SECTION: &str = "later-half";

/// Rooms and functions that a first prompt does not need: programs, what only they ask for, what slurmctld does once there
/// is a job, and reading a saved session. Not here: what makes a site's accounts (`sacctmgr`), what the page always shows of jobs and nodes, what the
/// editor asks when it opens.
const LATER: &[&str] = &[
    "commands::Machine",
    "commands::_",
    "commands::own",
    "commands::programs::nvidia_smi",
    "commands::programs::partition_stats",
    "commands::slurm::data",
    "commands::slurm::sacct",
    "commands::slurm::sacctmgr::dump",
    "commands::slurm::sacctmgr::load",
    "commands::slurm::sacctmgr::show",
    "commands::slurm::sacctmgr::tables",
    "commands::slurm::salloc",
    "commands::slurm::sattach",
    "commands::slurm::sbatch",
    "commands::slurm::sbcast",
    "commands::slurm::scancel",
    "commands::slurm::scontrol",
    "commands::slurm::scrontab",
    "commands::slurm::sdiag",
    "commands::slurm::seff",
    "commands::slurm::sinfo",
    "commands::slurm::sprio",
    "commands::slurm::squeue::show",
    "commands::slurm::sreport",
    "commands::slurm::srun",
    "commands::slurm::sshare",
    "commands::slurm::sstat",
    "commands::slurm::stepd",
    "commands::slurm::stepusage",
    "commands::slurm::strigger",
    "commands::slurm::tool::help",
    "commands::slurm::tool::manual",
    "commands::unix",
    "config::_",
    "config::part_change",
    "host::kernel::_",
    "host::model",
    "session::engine::why",
    "session::explain",
    "session::frame::job",
    "session::frame::panel",
    "session::frame::why",
    "session::lesson",
    "session::link",
    "session::recorded::Session::resume",
    "session::skip",
    "shell::arith",
    "shell::formula",
    "shell::vm::_",
    "slurmctld::Slurmctld::carry_out",
    "slurmctld::_",
    "slurmctld::account",
    "slurmctld::array",
    "slurmctld::changed",
    "slurmctld::depend",
    "slurmctld::desc",
    "slurmctld::details",
    "slurmctld::ending",
    "slurmctld::hetjob",
    "slurmctld::job::_",
    "slurmctld::jobenv",
    "slurmctld::kill",
    "slurmctld::licenses",
    "slurmctld::life",
    "slurmctld::limits::view",
    "slurmctld::mail",
    "slurmctld::needs",
    "slurmctld::preempt",
    "slurmctld::reservation::change",
    "slurmctld::reservation::pick",
    "slurmctld::resize",
    "slurmctld::sched::backfill",
    "slurmctld::select::choice",
    "slurmctld::select::gres",
    "slurmctld::select::pick",
    "slurmctld::select::room",
    "slurmctld::steps",
    "slurmctld::submit",
    "slurmctld::unavailable",
    "slurmctld::update",
    "slurmctld::verdict",
    "slurmd::pattern",
    "slurmd::usage",
    "slurmdbd::_",
    "world::_",
    "world::background",
];

/// What of those rooms the first prompt does need: the journal's inputs are written from the first on.
const FIRST: &str = "Serialize for sandbatch::world::Input>";

/// Whether a function is in one of [`LATER`].
fn later(name: &str) -> bool {
    LATER.iter().any(|room| within(name, room)) && !name.contains(FIRST)
}

/// Whether a function is in a room: `sandbatch::room::f` and `<sandbatch::room::Type as Trait>::f` are.
fn within(name: &str, room: &str) -> bool {
    let name = name.trim_start_matches(['<', '&', '_']);
    let path = name.strip_prefix("sandbatch::");
    path.and_then(|path| path.strip_prefix(room)).is_some_and(|rest| rest.starts_with("::"))
}

/// A room of [`LATER`] that no function is in: it was renamed, or the compiler has put it into its caller.
fn missing(named: &[String]) -> Option<&'static str> {
    LATER.iter().find(|room| !named.iter().any(|name| within(name, room))).copied()
}

/// Splits `worker_bg.wasm`, optimises both halves and puts them into the page's folder.
pub fn split(dist: &Path) -> Outcome {
    let file = dist.join("worker_bg.wasm");
    let whole = fs::read(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
    let halves = split::split(&whole, later, LOAD)?;
    if let Some(room) = missing(&halves.named) {
        return Err(format!(
            "`{room}` is to come later, but the worker has no such function (`#[inline(never)]`?)."
        ));
    }
    let (first, later) = std::thread::scope(|scope| {
        let later = scope.spawn(|| optimised("later", &halves.later));
        (optimised("first", &halves.first), later.join())
    });
    let (mut first, later) = (first?, later.map_err(|_| "wasm-opt could not be watched.".to_owned())??);
    let mut hasher = DefaultHasher::new();
    later.hash(&mut hasher);
    let name = format!("later-{:016x}.wasm", hasher.finish());
    CustomSection { name: SECTION.into(), data: name.as_bytes().into() }.append_to(&mut first);
    save(&dist.join(&name), &later)?;
    add_to_list(dist, &name)?;
    save(&file, &first)
}

/// Adds a file to those that the page keeps for visits without a network.
fn add_to_list(dist: &Path, name: &str) -> Outcome {
    let file = dist.join("files.json");
    let list = fs::read_to_string(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
    let longer = list.trim_end().strip_suffix(']').map(|names| format!("{names},\"{name}\"]"));
    save(&file, longer.ok_or("files.json is no list.")?.as_bytes())
}

/// A module after wasm-opt.
fn optimised(name: &str, wasm: &[u8]) -> Outcome<Vec<u8>> {
    let folder = root().join("target").join("halves");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}.", folder.display()))?;
    let (from, to): (PathBuf, PathBuf) =
        (folder.join(format!("{name}.wasm")), folder.join(format!("{name}-opt.wasm")));
    save(&from, wasm)?;
    quietly(program("wasm-opt").arg("-Oz").arg(&from).arg("-o").arg(&to))?;
    fs::read(&to).map_err(|e| format!("{}: {e}.", to.display()))
}

fn save(file: &Path, bytes: &[u8]) -> Outcome {
    fs::write(file, bytes).map_err(|e| format!("{}: {e}.", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_programs_come_later() {
        assert!(later("sandbatch::commands::unix::awk::start::h0123456789abcdef"));
        assert!(later("<sandbatch::commands::slurm::sinfo::Row as core::fmt::Debug>::fmt::h01"));
        assert!(later("sandbatch::session::recorded::Session::resume::h01"));
        assert!(!later("sandbatch::commands::running::Running::run::h01"));
        assert!(!later("sandbatch::commands::slurm::sacctmgr::run::h01"));
        assert!(!later("core::fmt::write::h01"));
    }

    #[test]
    fn a_room_that_is_gone_is_noticed() {
        let mut named: Vec<String> = LATER.iter().map(|room| format!("sandbatch::{room}::h01")).collect();
        assert_eq!(missing(&named), None);
        named.remove(0);
        assert_eq!(missing(&named), LATER.first().copied());
    }
}
