//! A separate cluster for each test, which ends with the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The binary under test.
pub const SANDBATCH: &str = env!("CARGO_BIN_EXE_sandbatch");
static NEXT: AtomicU32 = AtomicU32::new(0);

/// The output of a command, and its exit code.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandOutput {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

/// A private directory for clusters, with a working directory.
pub struct TestDir {
    pub path: PathBuf,
}

impl TestDir {
    pub fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let path = std::env::temp_dir().join(format!("sb{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("run")).unwrap();
        std::fs::create_dir_all(path.join("work")).unwrap();
        Self { path }
    }

    pub fn work(&self) -> PathBuf {
        self.path.join("work")
    }

    /// `bash` with the clusters of this directory.
    pub fn bash(&self, script: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["-c", script]).current_dir(self.work()).stdin(Stdio::null());
        command.env("XDG_RUNTIME_DIR", self.path.join("run")).env_remove("SANDBATCH_CLUSTER");
        let path = std::env::var("PATH").unwrap_or_default();
        let own = Path::new(SANDBATCH).parent().unwrap();
        command.env("PATH", format!("{}:{path}", own.display()));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SLURM_")) {
            command.env_remove(name);
        }
        command
    }

    /// Runs a script until it exits.
    pub fn run(&self, script: &str) -> CommandOutput {
        completed(self.bash(script).output().unwrap())
    }

    pub fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.work().join(name)).unwrap_or_else(|error| format!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.work().join(name), text).unwrap();
    }

    /// The directories of remaining clusters.
    pub fn left(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path.join("run/sandbatch")).into_iter().flatten().flatten();
        entries.map(|e| e.file_name().to_string_lossy().into_owned()).filter(|n| n != ".lock").collect()
    }
}

impl Drop for TestDir {
    fn drop(&mut self) {
        let list = "for name in $(sandbatch cluster list | cut -f1); do sandbatch cluster down $name; done";
        let _ = self.bash(list).output();
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

fn completed(output: Output) -> CommandOutput {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    CommandOutput { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
}

/// A directory with a running cluster.
pub struct Cluster {
    pub dir: TestDir,
}

impl Cluster {
    pub fn up(options: &str) -> Self {
        let dir = TestDir::new();
        let up = dir.run(&format!("sandbatch cluster up --name t --idle 10m {options}"));
        assert_eq!(up.code, Some(0), "{up:?}");
        assert!(up.out.contains("export SANDBATCH_CLUSTER="), "{up:?}");
        Self { dir }
    }

    /// `bash` with the cluster's environment.
    pub fn bash(&self, script: &str) -> Command {
        self.dir.bash(&format!("eval \"$(sandbatch cluster env t)\"\n{script}"))
    }

    /// Runs a script in the cluster's environment.
    pub fn run(&self, script: &str) -> CommandOutput {
        completed(self.bash(script).output().unwrap())
    }

    /// Standard output of a script, which must succeed.
    pub fn out(&self, script: &str) -> String {
        let done = self.run(script);
        assert_eq!(done.code, Some(0), "{script}: {done:?}");
        done.out.trim_end().to_owned()
    }

    /// Submits a job and waits for its end; returns its ID.
    pub fn job(&self, options: &str) -> String {
        let id = self.out(&format!("sbatch --parsable {options}"));
        self.out(&format!("sandbatch cluster wait --job {id}"));
        id
    }

    /// State and exit code of a job.
    pub fn state(&self, id: &str) -> String {
        self.out(&format!("sacct -X -n -P -j {id} -o state,exitcode"))
    }
}

/// Whether a running process has this text in its command line.
pub fn runs(text: &str) -> bool {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let mut lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.any(|line| line.contains(text))
}

/// Waits until a condition holds, at most ten seconds.
pub fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("not within ten seconds: {what}");
}

/// A number of seconds that no other `sleep` on this machine uses.
pub fn unlikely_sleep() -> String {
    format!("{}.{:03}", 4000 + std::process::id() % 5000, NEXT.fetch_add(1, Ordering::SeqCst))
}
