//! Runs scripts in the machine's own bash, to compare our shell with it.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The result of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BashResult {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code; 128 plus the signal's number if a signal ended it.
    pub code: i32,
}

/// Time limit of a script, in seconds.
const TIMEOUT: &str = "20";

/// The tool that is missing on this machine, if any.
static MISSING: LazyLock<Option<String>> = LazyLock::new(|| {
    let runs = |argv: &[&str]| {
        let quiet =
            Command::new(argv[0]).args(&argv[1..]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    [
        (&["bash", "-c", "true"][..], "bash"),
        (&["env", "--default-signal", "true"], "env of GNU coreutils 8.31 or later (--default-signal)"),
        (&["timeout", TIMEOUT, "true"], "timeout of GNU coreutils"),
    ]
    .into_iter()
    .find(|(argv, _)| !runs(argv))
    .map(|(_, what)| format!("this test compares with the machine's bash: please install {what}"))
});

/// Runs a script in an empty home directory, shown as `/home/alice` in its output. The environment consists of
/// `variables`, `HOME`, `PATH` and `LC_ALL`. All signals have their default disposition, even if the test
/// runner ignores some: `nohup` ignores SIGHUP, and a shell without job control ignores SIGINT and SIGQUIT for
/// its background processes.
///
/// # Panics
/// bash or a tool that runs it is missing.
#[must_use]
pub fn bash(script: &str, variables: &[(&str, &str)]) -> BashResult {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if let Some(missing) = &*MISSING {
        panic!("{missing}");
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let home = std::env::temp_dir().join(format!("sandbatch-bash-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&home).expect("a directory");
    let output = Command::new("env")
        .args(["--default-signal", "timeout", TIMEOUT, "bash", "-c", script])
        .current_dir(&home)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", &home)
        .env("LC_ALL", "C.UTF-8")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    std::fs::remove_dir_all(&home).expect("the directory");
    let shown = home.to_string_lossy();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace(&*shown, "/home/alice");
    let code = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    BashResult { out: text(output.stdout), err: text(output.stderr), code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_return_output_and_exit_code() {
        let ran = bash("echo \"$x\" ~; pwd >&2; kill -HUP $$; echo later", &[("x", "7")]);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), ("7 /home/alice\n", "/home/alice\n"));
        assert_eq!(ran.code, 128 + 1);
    }
}
