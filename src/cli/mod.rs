//! The subcommands of the command line. Among native code, only this module uses files, clocks and terminals.

// Printing to a closed pipe must not panic: see `out`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod bench;
mod bench_class;
mod bench_cluster;
mod bench_commands;
mod bench_late;
mod bench_scripts;
mod class;
mod cluster;
mod compare;
mod doctest;
mod findings;
mod import;
mod input;
mod lesson;
mod out;
mod replay;
mod scorm;
mod serve;
mod shell;
mod site;
mod snippets;
mod sweep;
mod transcript;

use args::{Benchmark, CheckArgs, ClassCommand, CliArguments, CliCommand, LessonCommand};
use base::diagnostic::Severity;
use clap::{CommandFactory, Parser};
use config::furnish;
use engine::world::World;
use out::Out;
use std::process::ExitCode;

/// Runs the command line.
pub fn main() -> ExitCode {
    // Called as `sbatch` and the like, it is a client of a cluster.
    if let Some(code) = ::cluster::client::run_as(&std::env::args_os().collect::<Vec<_>>()) {
        return ExitCode::from(code);
    }
    let command = match CliArguments::try_parse() {
        Ok(line) => {
            line.color.set();
            line.command
        }
        // Help and version are "errors" to clap, too.
        Err(error) => return closing(error.print(), u8::try_from(error.exit_code()).unwrap_or(2)),
    };
    let Some(command) = command else { return closing(CliArguments::command().print_help(), 0) };
    match run(command) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            out::tell(&format!("sandbatch: {}\n", findings::plain(&message)));
            ExitCode::from(2)
        }
    }
}

/// The exit code after clap has printed something.
fn closing(printed: std::io::Result<()>, code: u8) -> ExitCode {
    match printed {
        Ok(()) => ExitCode::from(code),
        Err(error) => ExitCode::from(if out::is_closed(&error) { out::PIPE } else { 2 }),
    }
}

fn run(command: CliCommand) -> Result<u8, String> {
    let written = |done: std::io::Result<()>| done.map(|()| 0).map_err(|e| format!("standard output: {e}"));
    match command {
        CliCommand::Shell(options) => shell::run(&options),
        CliCommand::Transcript { clusters, file } => transcript::run(clusters.as_deref(), &file),
        CliCommand::Replay(args) => replay::run(&args, args::START),
        CliCommand::Compare(args) => compare::run(&args, args::START),
        CliCommand::Sweep(args) => sweep::run(&args, args::START),
        CliCommand::Import(args) => import::import(&args),
        CliCommand::Calibrate(args) => import::calibrate(&args),
        CliCommand::ExportScript => import::export_script(),
        CliCommand::Bench { what, people, seconds }
            if what != Benchmark::Class && (people.is_some() || seconds.is_some()) =>
        {
            Err("--people and --seconds are for `bench class`".to_owned())
        }
        CliCommand::Bench { what: Benchmark::Scheduler, .. } => bench::run(args::START),
        CliCommand::Bench { what: Benchmark::Scripts, .. } => bench_scripts::run(args::START),
        CliCommand::Bench { what: Benchmark::Cluster, .. } => bench_cluster::run(),
        CliCommand::Bench { what: Benchmark::Commands, .. } => bench_commands::run(args::START),
        CliCommand::Bench { what: Benchmark::Class, people, seconds } => {
            bench_class::run(people.unwrap_or(100), seconds.unwrap_or(600))
        }
        CliCommand::Cluster(command) => cluster::run(command),
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Class(ClassCommand::Export(args)) => class::export(&args),
        CliCommand::Lesson(LessonCommand::Check { files, short }) => lesson::check(&files, short),
        CliCommand::Lesson(LessonCommand::Export(args)) => scorm::export(&args),
        CliCommand::Doctest(args) => doctest::run(&args),
        CliCommand::Snippets(args) => snippets::run(&args),
        CliCommand::Check(args) => check(&args),
        CliCommand::Completions { shell } => written(args::completions(shell, &mut Out)),
        CliCommand::Man => written(args::man(&mut Out)),
    }
}

/// Prints the diagnostics of a site's files by file and line. The exit code is 1 if one of them is an error, or with
/// `--strict` a warning.
fn check(args: &CheckArgs) -> Result<u8, String> {
    let dir = args.dir.as_path();
    let (files, made_up) = furnish(site::read(dir)?);
    // Builds a world, because only that runs accounts.sh.
    let (world, found) = World::new(&site::name_of(dir), &files, 1, args::START);
    let mut findings: Vec<_> = found.iter().chain(&made_up).collect();
    findings.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let worst = findings.iter().map(|f| f.severity).max();
    let fails = if args.strict { Severity::Warning } else { Severity::Error };
    let failed = u8::from(worst >= Some(fails));
    let (nodes, partitions) = (world.ctld.nodes.len(), world.ctld.partitions.len());
    if args.json {
        let report = serde_json::json!({ "findings": findings, "nodes": nodes, "partitions": partitions });
        out::print(&format!("{report:#}\n"))?;
        return Ok(failed);
    }
    findings::print(findings, findings::of_site(&files), args.short)?;
    out::print(&format!("{nodes} nodes, {partitions} partitions\n"))?;
    Ok(failed)
}
