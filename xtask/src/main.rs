//! What a person types to work on sandbatch: `cargo xtask serve | test | build | check | size | bench | replay |
//! shots`.
//!
//! Each command sets up whatever is missing into the project's own `target/` first, says what it does and how far
//! it is, and can be interrupted and started again at any point.

mod bench;
mod budget;
mod check;
mod halves;
mod hashes;
mod page;
mod replay;
mod run;
mod say;
mod server;
mod setup;
mod split;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  serve [--port N]  build the page and serve it on 127.0.0.1 (8080, or the next free port)
  test              set up and run every test, the browser's too
  build             the page, target/sandbatch-web.zip for a release, and the native binary
  check             the quick part of `test`: format, lints, unit tests
  size              build the page and hold its parts against their budgets
  bench             measure what `test` does not judge, and write docs/figures.md
  replay TRACE SITE how long a trace of sbatch lines takes in WebAssembly, and natively
  shots             remake the pictures in docs/images/
  looks             every panel in both themes and languages and four widths, into target/looks/
  setup             only what the others do first
  help              this text

Everything that is missing is installed into target/ by the command that needs it.";

/// What goes wrong, as a sentence for the person.
type Outcome<T = ()> = Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["serve", rest @ ..] => port(rest).and_then(page::serve),
        ["test"] => check::test(),
        ["check"] => check::check(),
        ["build"] => page::release(),
        ["size"] => page::size(),
        ["setup"] => setup::need(&setup::EVERYTHING),
        ["bench"] => bench::bench(),
        ["replay", trace, site] => replay::replay(trace, site),
        ["shots"] => bench::shots(),
        ["looks"] => bench::looks(),
        ["help" | "-h" | "--help"] | [] => {
            println!("{HELP}");
            Ok(())
        }
        [other, ..] => Err(format!("`{}` is not something I can do.\n\n{HELP}", other)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            say::failure(&sentence);
            ExitCode::FAILURE
        }
    }
}

/// `--port N`; none: 8080 or the next free one.
fn port(args: &[&str]) -> Outcome<Option<u16>> {
    match args {
        [] => Ok(None),
        ["--port", number] => number
            .parse()
            .map(Some)
            .map_err(|_| format!("`{number}` is not a port: write a number up to 65535.")),
        [other, ..] => Err(format!("`serve` does not know `{other}`; it takes `--port N`.")),
    }
}

/// The project's folder.
fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}
