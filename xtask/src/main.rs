//! The developer's commands: `cargo xtask serve | test | build | check | size | bench | replay |
//! shots`.
//!
//! Each command first installs what is missing into the project's own `target/`, reports its progress, and can be
//! interrupted and restarted at any point.

mod bench;
mod book;
mod browsers;
mod budget;
mod check;
mod doctest;
mod examples;
mod fuzz;
mod halves;
mod hashes;
mod page;
mod replay;
mod run;
mod say;
mod server;
mod setup;
mod split;
mod times;
mod versions;
mod year;

use page::Build;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  serve [--port N]  build the page and serve it on 127.0.0.1 (8080, or the next free port); with --dev, compiled quickly
  test              run every test, including the browser tests
  build             build the page, target/sandbatch-web.zip and the native binary for a release
  check             run the quick part of `test`: format, lints, unit tests
  book              render docs/ again into the page that was built last
  walk              walk through the page that was built last in Firefox and WebKit
  size              build the page and check its parts against their size budgets
  fuzz [TARGET]     try random inputs for a minute with each target (--minutes N, --seed N)
  bench             measure performance and write docs/figures.md
  bench page        measure the page only, and keep the other figures
  bench class       measure a class of 100 participants for ten minutes (--people N, --seconds N)
  replay TRACE SITE measure how long a trace of sbatch lines takes in WebAssembly and natively
  python            measure how long loops of Python take in WebAssembly
  doctest DIR       check the documentation of several centres, checked out in DIR, and print the table of docs/doctest.md
  times             measure how long builds take, clean and after an edit
  year              measure the import and replay of a year of 1,000,000 jobs
  shots             regenerate the pictures in docs/images/
  looks             take pictures of every panel on five sites, in both themes, both languages and seven sizes, into target/looks/
  formats NAME      write a sample of each file and link format into tests/formats/NAME/
  setup             install the tools that the other commands need
  help              show this text

Each command installs the tools it needs into target/.";

/// A result whose error is a sentence for the user.
type Outcome<T = ()> = Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["serve", "--dev", rest @ ..] => port(rest).and_then(|port| page::serve(Build::Development, port)),
        ["serve", rest @ ..] => port(rest).and_then(|port| page::serve(Build::Published, port)),
        ["test"] => check::test(),
        ["check"] => check::check(),
        ["build"] => page::release(),
        ["size"] => page::size(),
        ["walk"] => browsers::walk(),
        ["book"] => page::book(),
        ["setup"] => setup::need(&setup::EVERYTHING),
        ["fuzz", options @ ..] => fuzz::fuzz(options),
        ["bench"] => bench::bench(false),
        ["bench", "page"] => bench::bench(true),
        ["bench", "class", options @ ..] => bench::class(options),
        ["replay", trace, site] => replay::replay(trace, site),
        ["python"] => replay::python(),
        ["doctest", dir, options @ ..] => doctest::table(dir, options),
        ["times"] => times::times(),
        ["year"] => year::year(),
        ["shots"] => bench::shots(),
        ["looks"] => bench::looks(),
        ["formats", name] => check::formats(name),
        ["help" | "-h" | "--help"] | [] => {
            println!("{HELP}");
            Ok(())
        }
        [other, ..] => Err(format!("There is no command `{}`.\n\n{HELP}", other)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            say::failure(&sentence);
            ExitCode::FAILURE
        }
    }
}

/// Parses `--port N`; without it, 8080 or the next free port.
fn port(args: &[&str]) -> Outcome<Option<u16>> {
    match args {
        [] => Ok(None),
        ["--port", number] => number
            .parse()
            .map(Some)
            .map_err(|_| format!("`{number}` is not a port. Use a number up to 65535.")),
        [other, ..] => Err(format!("`serve` has no option `{other}`, only `--dev`, then `--port N`.")),
    }
}

/// The project's root directory.
fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}
