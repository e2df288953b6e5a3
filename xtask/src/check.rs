//! `cargo xtask test` and its quick part, `cargo xtask check`: runs every step and prints a summary.

use crate::run::{cargo, program, visibly};
use crate::server::Server;
use crate::setup::Part;
use crate::{Outcome, browsers, budget, hashes, page, say, setup};
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
    run(&[
        step("format", format),
        step("style sheets", style_sheets),
        step("clippy", clippy),
        step("unit tests", unit_tests),
    ])
}

/// `cargo xtask test`.
pub fn test() -> Outcome {
    setup::need(&setup::EVERYTHING)?;
    run(&[
        step("format", format),
        step("style sheets", style_sheets),
        step("clippy", clippy),
        step("clippy for WebAssembly", clippy_wasm),
        step("licences and sources", deny),
        step("tests", tests),
        step("the page's scripts", scripts),
        step(BUILD, page::build),
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

fn unit_tests() -> Outcome {
    visibly(&mut cargo("test --workspace --lib --bins --locked"))
}

fn tests() -> Outcome {
    visibly(cargo("test --workspace --locked").env("SANDBATCH_WHEEL", "1"))
}

/// The `check` script of package.json.
fn scripts() -> Outcome {
    visibly(program("npm").args(["run", "--silent", "--if-present", "check"]))
}

/// Runs Playwright against the built page, on a plain static server.
fn browser() -> Outcome {
    let address = Server::new(&page::dist(), PREFIX).start(None)?;
    playwright(&address, &["--project=tests"])
}

/// Runs Playwright against an address.
pub fn playwright(address: &str, args: &[&str]) -> Outcome {
    visibly(
        program("npx")
            .args(["--no-install", "playwright", "test", "--config", "tests/browser/playwright.config.ts"])
            .args(args)
            .env("SANDBATCH_ADDRESS", address)
            .env("CHROME", setup::chromium()?),
    )
}

/// Runs every step, then prints the results. The last line is `test: N passed, N failed`.
fn run(steps: &[Step]) -> Outcome {
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
