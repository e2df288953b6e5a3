//! Starting other programs, with the project's own tools before the system's.

use crate::{Outcome, root};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Where tools are installed.
pub fn tools() -> PathBuf {
    root().join("target").join("tools")
}

/// PATH with the project's tools, then npm's, then the system's.
pub fn path() -> OsString {
    let mut places = vec![tools().join("bin"), root().join("node_modules").join(".bin")];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(places).unwrap_or_default()
}

/// A program in the project's folder, with nothing to read from the keyboard.
pub fn program(name: &str) -> Command {
    let mut command = Command::new(find(name).unwrap_or_else(|| PathBuf::from(name)));
    command.current_dir(root()).env("PATH", path()).stdin(Stdio::null());
    command
}

/// `cargo` with these arguments, words separated by spaces.
pub fn cargo(words: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(root()).env("PATH", path()).stdin(Stdio::null()).args(words.split_whitespace());
    command
}

/// Where a program is, in the order of [`path`].
pub fn find(name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ""] } else { &[""] };
    std::env::split_paths(&path())
        .flat_map(|dir| endings.iter().map(move |end| dir.join(format!("{name}{end}"))))
        .find(|file| file.is_file())
}

/// Runs it, its output going to the person.
pub fn visibly(command: &mut Command) -> Outcome {
    let shown = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}.")),
        Err(error) => Err(format!("`{shown}` could not be started: {error}.")),
    }
}

/// Runs it and gives what it printed; what it said on standard error becomes the reason of a failure.
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

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let name = PathBuf::from(command.get_program());
    let name = name.file_name().unwrap_or_else(|| command.get_program()).to_string_lossy().into_owned();
    let words = command.get_args().map(OsStr::to_string_lossy);
    std::iter::once(name.into()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Where cargo puts what it compiles.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}
