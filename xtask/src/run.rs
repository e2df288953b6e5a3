//! Starts other programs, preferring the project's own tools to the system's.

use crate::{Outcome, root};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The directory where tools are installed.
pub fn tools() -> PathBuf {
    root().join("target").join("tools")
}

/// The PATH: the project's tools, then npm's, then the system's.
pub fn path() -> OsString {
    let mut places = vec![tools().join("bin"), root().join("node_modules").join(".bin")];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(places).unwrap_or_default()
}

/// A program that runs in the project's directory without standard input.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(find(name).unwrap_or_else(|| PathBuf::from(name)));
    command.current_dir(root()).env("PATH", path()).stdin(Stdio::null());
    command
}

/// `cargo` with these arguments, separated by spaces.
pub fn cargo(words: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(root()).env("PATH", path()).stdin(Stdio::null()).args(words.split_whitespace());
    command
}

/// Finds a program, in the order of [`path`].
pub fn find(name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ""] } else { &[""] };
    std::env::split_paths(&path())
        .flat_map(|dir| endings.iter().map(move |end| dir.join(format!("{name}{end}"))))
        .find(|file| file.is_file())
}

/// Runs a command and shows its output.
pub fn visibly(command: &mut Command) -> Outcome {
    let shown = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}.")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}.")),
    }
}

/// Runs a command and returns its output. On failure, its standard error becomes the error message.
pub fn quietly(command: &mut Command) -> Outcome<String> {
    let shown = shown(command);
    match command.output() {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => {
            let said = String::from_utf8_lossy(&out.stderr);
            Err(format!("`{shown}` ended with {}.\n{}", out.status, said.trim_end()))
        }
        Err(error) => Err(format!("`{shown}` could not be started: {error}.")),
    }
}

/// The command as typed in a shell.
fn shown(command: &Command) -> String {
    let name = PathBuf::from(command.get_program());
    let name = name.file_name().unwrap_or_else(|| command.get_program()).to_string_lossy().into_owned();
    let words = command.get_args().map(OsStr::to_string_lossy);
    std::iter::once(name.into()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}
