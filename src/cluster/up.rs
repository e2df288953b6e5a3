//! `sandbatch cluster up`: starts a server in the background and waits until it is ready.

use crate::directory::{self, ClusterDir};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// The line that a server prints when it is ready.
pub const READY: &str = "ready";

/// Starts the server `sandbatch cluster serve` with these options in a new directory.
///
/// # Errors Why the server could not start. Nothing is left behind.
pub fn start(name: Option<&str>, site: &str, options: &[OsString]) -> Result<ClusterDir, String> {
    let (dir, guard) = directory::create(name, site)?;
    let served = serve(&dir, options);
    drop(guard);
    match served {
        Ok(()) => Ok(dir),
        Err(why) => {
            dir.remove();
            Err(why)
        }
    }
}

fn serve(dir: &ClusterDir, options: &[OsString]) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|e| format!("the path of this program: {e}"))?;
    let log = File::create(dir.log()).map_err(|e| format!("{}: {e}", dir.log().display()))?;
    let mut command = Command::new(program);
    command.args(["cluster", "serve", "--dir"]).arg(dir.path()).args(options);
    // A cluster started inside a job of another cluster is not part of that job.
    command.env_remove(crate::VARIABLE).env_remove(crate::JOB_MARK);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).process_group(0);
    let mut child = command.spawn().map_err(|e| format!("the server cannot be started: {e}"))?;
    let mut said = String::new();
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if line == READY {
                return Ok(());
            }
            said += &line;
            said.push('\n');
        }
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    let said = said.trim_end();
    if said.is_empty() {
        let log = std::fs::read_to_string(dir.log()).unwrap_or_default();
        return Err(format!("the server ended with {status}: {}", log.trim_end()));
    }
    Err(said.to_owned())
}

/// The shell that reads the lines for `eval`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShellSyntax {
    /// sh, bash, zsh, dash, ksh.
    #[default]
    Posix,
    /// fish.
    Fish,
}

/// The lines for `eval`.
#[must_use]
pub fn environment(dir: &ClusterDir, syntax: ShellSyntax) -> String {
    let set = |name: &str, value: &str| {
        let (posix, fish) = (value.replace('\'', r"'\''"), value.replace('\\', r"\\").replace('\'', r"\'"));
        match (syntax, name) {
            (ShellSyntax::Posix, "PATH") => format!("export PATH='{posix}'\"${{PATH:+:$PATH}}\"\n"),
            (ShellSyntax::Posix, _) => format!("export {name}='{posix}'\n"),
            (ShellSyntax::Fish, "PATH") => format!("set -gx PATH '{fish}' $PATH;\n"),
            (ShellSyntax::Fish, _) => format!("set -gx {name} '{fish}';\n"),
        }
    };
    let rest = std::fs::read_to_string(dir.rest()).unwrap_or_default();
    let mut lines = set(crate::VARIABLE, &dir.path().to_string_lossy());
    lines += &rest.lines().next().map(|address| set(crate::REST_VARIABLE, address)).unwrap_or_default();
    lines + &set("PATH", &dir.commands().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_eval() {
        let dir = ClusterDir::at("/tmp/it's/t");
        let posix = environment(&dir, ShellSyntax::Posix);
        assert!(posix.starts_with("export SANDBATCH_CLUSTER='/tmp/it'\\''s/t'\nexport PATH="), "{posix}");
        let fish = environment(&dir, ShellSyntax::Fish);
        assert!(fish.starts_with("set -gx SANDBATCH_CLUSTER '/tmp/it\\'s/t';\nset -gx PATH "), "{fish}");
    }
}
