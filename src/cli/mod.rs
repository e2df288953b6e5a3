//! The command line's subcommands. Only here (and in the browser's part) there are files, clocks and terminals.

// A closed pipe is no reason to panic: see `out`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod bench;
mod bench_commands;
mod bench_scripts;
mod lesson;
mod out;
mod replay;
mod shell;
mod site;
mod transcript;

use args::Command;
use sandbatch::config::furnish;
use sandbatch::world::World;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command line.
pub fn main(args: &[String]) -> ExitCode {
    let result = match args::parse(args) {
        Ok(Command::Help) => out::print(args::HELP).map(|()| 0),
        Ok(Command::Version) => {
            out::print(concat!("sandbatch ", env!("CARGO_PKG_VERSION"), "\n")).map(|()| 0)
        }
        Ok(Command::Shell(options)) => shell::run(&options),
        Ok(Command::Transcript { clusters, file }) => transcript::run(clusters.as_deref(), &file),
        Ok(Command::Replay(args)) => replay::run(&args, args::START),
        Ok(Command::Bench) => bench::run(args::START),
        Ok(Command::BenchScripts) => bench_scripts::run(args::START),
        Ok(Command::BenchCommands) => bench_commands::run(args::START),
        Ok(Command::Lessons(files)) => lesson::check(&files),
        Ok(Command::Check(dir)) => check(&dir),
        Err(message) => Err(format!("{message}\nTry 'sandbatch help'.")),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            out::tell(&format!("sandbatch: {message}\n"));
            ExitCode::from(2)
        }
    }
}

/// Prints what is wrong with a site's files; exit code 1 if there is an error among it.
fn check(dir: &Path) -> Result<u8, String> {
    let (files, made_up) = furnish(site::read(dir)?);
    // A world, since only that runs accounts.sh.
    let (world, found) = World::new(&site::name_of(dir), &files, 1, args::START);
    let mut failed = 0;
    for finding in found.iter().chain(&made_up) {
        out::print(&format!("{finding}\n"))?;
        if finding.severity == sandbatch::base::diagnostic::Severity::Error {
            failed = 1;
        }
    }
    out::print(&format!("{} nodes, {} partitions\n", world.ctld.nodes.len(), world.ctld.partitions.len()))?;
    Ok(failed)
}
