//! `cargo xtask test` and its quick part, `cargo xtask check`: runs every step and prints a summary.

use crate::run::{self, cargo, program, visibly};
use crate::server::Server;
use crate::setup::Part;
use crate::{Outcome, browsers, budget, hashes, page, say, setup};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The path under which the page is tested, because it must work under any path.
const PREFIX: &str = "/some/where/";

/// A step: its name and its action.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
    /// Skipped if the page could not be built.
    of_page: bool,
}

const fn step(name: &'static str, run: fn() -> Outcome) -> Step {
    Step { name, run, of_page: false }
}

const fn of_page(name: &'static str, run: fn() -> Outcome) -> Step {
    Step { name, run, of_page: true }
}

const BUILD: &str = "the page builds";

/// `cargo xtask check`.
pub fn check() -> Outcome {
    setup::need(&[Part::Lints, Part::Npm])?;
    run_steps(&[
        step("format", format),
        step("style sheets", style_sheets),
        step("clippy", clippy),
        step("unit tests", unit_tests),
    ])
}

/// `cargo xtask test`.
pub fn test() -> Outcome {
    setup::need(&setup::EVERYTHING)?;
    run_steps(&[
        step("format", format),
        step("style sheets", style_sheets),
        step("clippy", clippy),
        step("clippy for WebAssembly", clippy_wasm),
        step("licences and sources", deny),
        step("tests", tests),
        step("the page's scripts", scripts),
        step(BUILD, build),
        step("published clients of Slurm", clients),
        of_page("byte budgets", || budget::check(&page::dist())),
        step("native and WebAssembly agree", hashes::check),
        of_page("browser tests", browser),
        of_page("the walk in Firefox and WebKit", browsers::walk),
    ])
}

/// `cargo xtask formats NAME`: a test creates the samples in any case, and writes them if this variable is set.
pub fn formats(name: &str) -> Outcome {
    let mut test = cargo("test --locked --test suite formats::this_builds_format_opens");
    visibly(test.env("SANDBATCH_FORMATS", name))?;
    say::success(&format!("Wrote tests/formats/{name}/. Now add a row to tests/formats/README.md."));
    Ok(())
}

fn format() -> Outcome {
    visibly(&mut cargo("fmt --all --check"))
}

/// Colours, sizes and durations come from www/tokens.css only (stylelint.config.mjs).
fn style_sheets() -> Outcome {
    visibly(program("stylelint").arg("www/*.css"))
}

fn clippy() -> Outcome {
    visibly(&mut cargo("clippy --workspace --all-targets --locked -- -D warnings"))
}

fn clippy_wasm() -> Outcome {
    let target = "--target wasm32-unknown-unknown --no-default-features --features web";
    visibly(&mut cargo(&format!("clippy {target} --bins --locked -- -D warnings")))
}

fn deny() -> Outcome {
    visibly(&mut cargo("deny --all-features check bans licenses sources"))?;
    visibly(&mut cargo("deny --config deny.page.toml check bans"))
}

/// Together with the program of a later step, whose link would take minutes of one core.
fn build() -> Outcome {
    page::compile(&["app", "worker", "hashes"])?;
    page::build()
}

fn unit_tests() -> Outcome {
    visibly(&mut cargo("test --workspace --lib --bins --locked"))
}

/// The tests of published clients wait most of the time, for packages and for jobs, so they run beside the other tests and
/// the page's build.
fn tests() -> Outcome {
    visibly(&mut cargo("test --workspace --locked --no-run"))?;
    // All test programs again, because with fewer of them some libraries would have other features and be compiled once more.
    let mut command = cargo(&format!("test --workspace --locked -- {}", CLIENTS.join(" ")));
    *BESIDE.lock().unwrap_or_else(PoisonError::into_inner) =
        Some(Beside::start(command.env("SANDBATCH_WHEEL", "1"), &run::target().join("clients.log"))?);
    let others: String = CLIENTS.iter().map(|part| format!(" --skip {part}")).collect();
    visibly(&mut cargo(&format!("test --workspace --locked --{others}")))
}

/// The modules of `tests/cluster` with published clients.
const CLIENTS: [&str; 2] = ["clients::", "packaging::"];

/// The tests of published clients, while they run.
static BESIDE: Mutex<Option<Beside>> = Mutex::new(None);

fn clients() -> Outcome {
    match BESIDE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(beside) => beside.end(),
        None => Err("They were not started.".to_owned()),
    }
}

/// A command that runs beside others. Its output is shown at its end.
struct Beside {
    child: Child,
    log: PathBuf,
}

impl Beside {
    fn start(command: &mut Command, log: &Path) -> Outcome<Self> {
        let fail = |e: std::io::Error| format!("{}: {e}.", log.display());
        let file = fs::File::create(log).map_err(fail)?;
        let errors = file.try_clone().map_err(fail)?;
        let child = command.stdout(file).stderr(errors).spawn().map_err(fail)?;
        Ok(Self { child, log: log.to_owned() })
    }

    fn end(mut self) -> Outcome {
        let status = self.child.wait().map_err(|e| format!("{e}."))?;
        print!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        if status.success() { Ok(()) } else { Err(format!("They ended with {status}.")) }
    }
}

/// The `check` script of package.json.
fn scripts() -> Outcome {
    visibly(program("npm").args(["run", "--silent", "--if-present", "check"]))
}

/// Runs Playwright against the built page, on a plain static server.
fn browser() -> Outcome {
    let address = Server::new(&page::dist(), PREFIX).start(None)?;
    let shell = setup::chromium_shell()?;
    let run = |args: &[&str]| visibly(playwright(&address)?.args(args).env("CHROME_SHELL", &shell));
    let tests = run(&["--project=tests"]);
    let pauses = run(&["--project=pauses", "--workers=1", "--output=target/browser-pauses"]);
    tests.and(pauses)
}

/// Playwright against an address.
pub fn playwright(address: &str) -> Outcome<Command> {
    let mut command = program("npx");
    command
        .args(["--no-install", "playwright", "test", "--config", "tests/browser/playwright.config.ts"])
        .env("SANDBATCH_ADDRESS", address)
        .env("CHROME", setup::chromium()?);
    Ok(command)
}

/// Runs every step, then prints the results. The last line is `test: N passed, N failed`.
fn run_steps(steps: &[Step]) -> Outcome {
    let began = Instant::now();
    let mut results: Vec<(&str, Result<Duration, String>)> = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        say::step(i + 1, steps.len(), step.name);
        let page_failed = results.iter().any(|(name, result)| *name == BUILD && result.is_err());
        let since = Instant::now();
        let result = if step.of_page && page_failed {
            Err("The page was not built.".to_owned())
        } else {
            (step.run)()
        };
        match &result {
            Ok(()) => say::success(&format!("{} ({})", step.name, say::duration(since.elapsed()))),
            Err(reason) => say::failure(&format!("{}: {reason}", step.name)),
        }
        results.push((step.name, result.map(|()| since.elapsed())));
    }
    println!();
    for (name, result) in &results {
        match result {
            Ok(time) => say::success(&format!("{name:32} {:>12}", say::duration(*time))),
            Err(_) => say::failure(name),
        }
    }
    let failed = results.iter().filter(|(_, result)| result.is_err()).count();
    say::note(&format!("in {}", say::duration(began.elapsed())));
    println!("test: {} passed, {failed} failed", results.len() - failed);
    // The line above must be the last one. The exit code carries the result.
    if failed == 0 { Ok(()) } else { std::process::exit(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_beside_others_fails_like_any() {
        let log = std::env::temp_dir().join(format!("sandbatch-beside-{}", std::process::id()));
        let end = |word: &str| Beside::start(&mut Command::new(word), &log).unwrap().end();
        assert_eq!(end("true"), Ok(()));
        assert!(end("false").unwrap_err().contains("exit status: 1"));
        fs::remove_file(&log).unwrap();
    }
}
