//! Set-up: installs what a machine with only Rust and Node lacks into the project's `target/`.
//!
//! Downloads come only from package registries (cargo, npm, the system's packages). Each part first checks whether it is
//! already installed, is tried twice because networks fail, and leaves no partial state behind.

use crate::run::{cargo, find, program, quietly, tools, visibly};
use crate::{Outcome, root, say};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const CARGO_DENY: &str = "0.20.2";
const GECKODRIVER: &str = "0.37.1";
const NODE: u32 = 20;
/// Delay between two attempts.
const PAUSE: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 5 });
const WASM: &str = "wasm32-unknown-unknown";

/// A prerequisite of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// rustfmt and clippy.
    Lints,
    /// The compiler's WebAssembly target.
    Wasm,
    /// The sources of the crates in Cargo.lock, because `www/licences.mjs` reads their licences offline.
    Crates,
    /// Node and the locked npm packages: wasm-opt, esbuild, stylelint, Playwright.
    Npm,
    /// The command-line tool that matches the wasm-bindgen crate.
    Bindgen,
    /// Checks licences and sources.
    Deny,
    /// A browser for the tests.
    Chromium,
}

/// What building the page needs.
pub const PAGE: [Part; 4] = [Part::Wasm, Part::Crates, Part::Npm, Part::Bindgen];

/// What testing needs. Quick parts come first, so that their problems are reported immediately.
pub const EVERYTHING: [Part; 7] =
    [Part::Lints, Part::Wasm, Part::Crates, Part::Npm, Part::Chromium, Part::Bindgen, Part::Deny];

/// Sets up these parts, in order.
pub fn need(parts: &[Part]) -> Outcome {
    for (i, part) in parts.iter().enumerate() {
        say::step(i + 1, parts.len(), &format!("set-up: {}", title(*part)));
        match part {
            Part::Lints => lints()?,
            Part::Wasm => wasm_target()?,
            Part::Crates => twice(|| visibly(&mut cargo("fetch --locked")))?,
            Part::Npm => npm()?,
            Part::Bindgen => {
                let version = locked_version("wasm-bindgen")?;
                tool(&Tool {
                    name: "wasm-bindgen",
                    version: &version,
                    // Neither its test runner nor TLS.
                    what: &format!("wasm-bindgen-cli@{version} --no-default-features --bin wasm-bindgen"),
                    minutes: 2,
                    optimised: &[
                        "walrus",
                        "wasmparser",
                        "wasm-encoder",
                        "wasm-bindgen-cli-support",
                        "id-arena",
                    ],
                })?;
            }
            Part::Deny => tool(&Tool {
                name: "cargo-deny",
                version: CARGO_DENY,
                what: &format!("--locked cargo-deny@{CARGO_DENY}"),
                minutes: 2,
                optimised: &[],
            })?,
            Part::Chromium => say::note(&format!("found {}", chromium()?.display())),
        }
    }
    discard(&build_folder())
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Lints => "rustfmt and clippy",
        Part::Wasm => "the compiler's WebAssembly target",
        Part::Crates => "the crates in Cargo.lock",
        Part::Npm => "Node and npm packages (wasm-opt, esbuild, stylelint, Playwright)",
        Part::Bindgen => "wasm-bindgen, the glue between Rust and JavaScript",
        Part::Deny => "cargo-deny, which checks licences and sources",
        Part::Chromium => "Chromium, for the browser tests",
    }
}

/// Runs something that needs the network, and retries once if it fails.
fn twice(mut attempt: impl FnMut() -> Outcome) -> Outcome {
    attempt().or_else(|reason| {
        say::note(&reason);
        say::note("retrying in a few seconds, in case it was the network");
        std::thread::sleep(PAUSE);
        attempt()
    })
}

/// Removes a directory if it exists.
pub fn discard(folder: &Path) -> Outcome {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{} could not be removed: {error}.", folder.display()))
        }
        _ => Ok(()),
    }
}

fn lints() -> Outcome {
    let installed =
        quietly(&mut cargo("fmt --version")).is_ok() && quietly(&mut cargo("clippy --version")).is_ok();
    if installed {
        say::note("already installed");
        return Ok(());
    }
    twice(|| visibly(program("rustup").args(["component", "add", "rustfmt", "clippy"])))
}

fn wasm_target() -> Outcome {
    let sysroot = quietly(program("rustc").args(["--print", "sysroot"]))?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).join("lib").is_dir() {
        say::note("already installed");
        return Ok(());
    }
    if find("rustup").is_none() {
        return Err(format!(
            "This Rust has no {WASM} target, and there is no rustup to add it. Install Rust through rustup."
        ));
    }
    twice(|| visibly(program("rustup").args(["target", "add", WASM])))
}

/// The version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> Outcome<String> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}."))?;
    version_in_lock(&lock, package).ok_or_else(|| {
        format!(
            "Cargo.lock does not contain {package}. If it was edited by hand, run `git checkout Cargo.lock`."
        )
    })
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(after.split('"').next()?.to_owned())
}

/// Whether `program --version` prints this version.
fn has_version(name: &str, version: &str) -> bool {
    let said = quietly(program(name).arg("--version")).unwrap_or_default();
    said.split_whitespace().any(|word| word == version)
}

fn build_folder() -> PathBuf {
    root().join("target").join("tools-build")
}

/// A program from cargo's registry.
struct Tool<'a> {
    name: &'a str,
    version: &'a str,
    /// The arguments of `cargo install`.
    what: &'a str,
    /// How long it compiles, about, on two cores.
    minutes: u32,
    /// Crates that are optimised a little, because they process megabytes in every build of the page. The rest runs for
    /// seconds only and is compiled as fast as possible.
    optimised: &'a [&'a str],
}

/// Installs a program from cargo's registry.
fn tool(tool: &Tool) -> Outcome {
    let Tool { name, version, what, minutes, optimised } = *tool;
    if has_version(name, version) {
        say::note(&format!("{name} {version} is installed"));
        return Ok(());
    }
    say::note(&format!("compiling {name} {version} (once, about {minutes} minutes on two cores)"));
    let began = Instant::now();
    twice(|| {
        let mut install = cargo("install --force --root");
        install.arg(tools()).args(what.split_whitespace());
        for name in optimised {
            install.args(["--config", &format!("profile.release.package.{name}.opt-level=1")]);
        }
        visibly(fast(&mut install))
    })?;
    if !has_version(name, version) {
        return Err(format!(
            "{name} was installed into {} but does not run as {version}.",
            tools().display()
        ));
    }
    say::success(&format!("{name} {version} in {}", say::duration(began.elapsed())));
    Ok(())
}

fn fast(command: &mut Command) -> &mut Command {
    command
        .env("CARGO_TARGET_DIR", build_folder())
        .env("CARGO_PROFILE_RELEASE_LTO", "false")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_STRIP", "true")
}

/// Checks the version of Node, and runs `npm ci` unless the current lock file is already installed.
fn npm() -> Outcome {
    let version = quietly(program("node").arg("--version")).map_err(|_| {
        format!("Node was not found. Install Node {NODE} or later (with npm), then run this command again.")
    })?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|n| n.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE) {
        return Err(format!("Node {} is too old. Install Node {NODE} or later.", version.trim()));
    }
    let lock = fs::read(root().join("package-lock.json")).map_err(|e| format!("package-lock.json: {e}."))?;
    let modules = root().join("node_modules");
    let stamp = modules.join(".sandbatch-installed");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        say::note("already installed");
        return Ok(());
    }
    twice(|| {
        discard(&modules)?;
        // The tests use the system's Chromium, so no package may download another one.
        visibly(
            program("npm")
                .args(["ci", "--no-audit", "--no-fund"])
                .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
                .env("PUPPETEER_SKIP_DOWNLOAD", "1"),
        )
    })?;
    fs::write(&stamp, lock).map_err(|e| format!("{}: {e}.", stamp.display()))
}

/// A working Chromium: `$CHROME`, one on PATH, or the system's package.
pub fn chromium() -> Outcome<PathBuf> {
    if let Some(path) = installed_chromium() {
        return Ok(path);
    }
    let asked = "Install Chromium or Chrome, or set CHROME to its path, then run this command again.";
    packages(&["chromium", SHELL])
        .or_else(|_| packages(&["chromium"]))
        .map_err(|reason| format!("The browser tests need Chromium: {reason} {asked}"))?;
    installed_chromium().ok_or_else(|| format!("The system package `chromium` does not start. {asked}"))
}

/// Installs packages of the system, if it is one with apt and this user may.
pub fn packages(names: &[&str]) -> Outcome {
    let root_user = quietly(program("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if find("apt-get").is_none() || !root_user {
        return Err(format!("{} is not installed.", names.join(" or ")));
    }
    say::note(&format!("installing the system's {}", names.join(" and ")));
    twice(|| {
        visibly(program("apt-get").args(["update", "-qq"]))?;
        visibly(
            program("apt-get")
                .args(["install", "-y", "-qq", "--no-install-recommends"])
                .args(names)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    })
}

/// The program through which WebDriver speaks to Firefox.
pub fn geckodriver() -> Outcome {
    tool(&Tool {
        name: "geckodriver",
        version: GECKODRIVER,
        what: &format!("--locked geckodriver@{GECKODRIVER}"),
        minutes: 1,
        optimised: &[],
    })?;
    discard(&build_folder())
}

/// Chromium without its windows, where it is installed: the browser tests take a third less time with it.
pub fn chromium_shell() -> Outcome<PathBuf> {
    let chromium = chromium()?;
    // A browser that the user names is meant for the tests.
    Ok(if std::env::var_os("CHROME").is_some() { chromium } else { find(SHELL).unwrap_or(chromium) })
}

/// The system package with `chromium_shell`'s program, which has the same name.
const SHELL: &str = "chromium-headless-shell";

fn installed_chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROME").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    let mut candidates = named.into_iter().chain(names.iter().filter_map(|name| find(name))).chain([mac]);
    candidates.find(|path| path.is_file() && quietly(Command::new(path).arg("--version")).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_a_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n[[package]]\n\
                    name = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"registry\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }

    #[test]
    fn one_attempt_is_repeated() {
        let mut attempts = 0;
        let outcome = twice(|| {
            attempts += 1;
            Err("no".to_owned())
        });
        assert_eq!((attempts, outcome), (2, Err("no".to_owned())));
    }
}
