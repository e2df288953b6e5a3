//! A tiny world for tests of commands: one user, one process at a time.

use super::{Running, STDERR, STDIN, STDOUT, Slurm};
use crate::base::ids::{Cgroup, NodeId, Pid, StepId, Uid};
use crate::base::time::Time;
use crate::host::kernel::OpenFlags;
use crate::host::users::Users;
use crate::host::{Env, Exec, Kernel, Origin, Step, Wait};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{Request, Response, Usage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cluster that nobody asks.
pub struct NoSlurm;

impl Slurm for NoSlurm {
    fn request(&mut self, _uid: Uid, _request: Request) -> Response {
        panic!("no slurmctld in this test")
    }
    fn state(&self) -> &Slurmctld {
        panic!("no slurmctld in this test")
    }
    fn adopt(&mut self, _uid: Uid, _node: NodeId, _from: Cgroup) -> Option<Cgroup> {
        None
    }
    fn usage(&self, _kernel: &Kernel, _step: StepId) -> Usage {
        Usage::default()
    }
}

/// What a command did.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// Exit code as a shell shows it.
    pub code: u8,
}

/// A host with the user alice.
pub struct Host {
    /// The system.
    pub kernel: Kernel,
    /// Virtual time; runs move it.
    pub now: Time,
    /// The environment of commands.
    pub env: Env,
    /// Where commands did not do what the machine's own did; the test fails with all of them at its end.
    differences: Vec<String>,
}

impl Drop for Host {
    fn drop(&mut self) {
        assert!(self.differences.is_empty() || std::thread::panicking(), "{}", self.differences.concat());
    }
}

impl Default for Host {
    fn default() -> Self {
        // Sat Nov 21 05:54:28 UTC 2026
        let now = Time::from_secs(1_795_240_468);
        let mut kernel = Kernel::new(Users::new(["alice", "bob"]), "login01", now);
        for command in super::table() {
            let _ = kernel.fs.install(&format!("/usr/bin/{}", command.name), command.name, now);
        }
        let env = BTreeMap::from([
            ("HOME".to_owned(), "/home/alice".to_owned()),
            ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
        ]);
        Self { kernel, now, env, differences: Vec::new() }
    }
}

/// What the machine's own program does in an empty directory with these files, in the C locale and UTC.
pub fn real(argv: &[&str], input: &str, files: &[(&str, &str)]) -> Ran {
    use std::io::Write;
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("sandbatch-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for (name, text) in files {
        std::fs::write(dir.join(name), text).unwrap();
    }
    let mut child = std::process::Command::new(argv[0])
        .args(&argv[1..])
        .current_dir(&dir)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = u8::try_from(output.status.code().unwrap_or(255)).unwrap();
    Ran { out: text(&output.stdout), err: text(&output.stderr), code }
}

impl Host {
    /// The command must print and end as the machine's own does; on standard error only whether there is something
    /// is compared, since locales and versions word it differently.
    pub fn same(&mut self, argv: &[&str], input: &str, files: &[(&str, &str)]) {
        let real = real(argv, input, files);
        let ran = self.run_in(argv, input);
        // Every awk has exit codes of its own for its errors.
        let code = |code: u8| if argv.first() == Some(&"awk") { code.min(1) } else { code };
        let same = (&ran.out, code(ran.code), ran.err.is_empty())
            == (&real.out, code(real.code), real.err.is_empty());
        if !same {
            self.differences.push(format!("{argv:?}\n  ours {ran:?}\n  real {real:?}\n"));
        }
    }

    /// With these files in alice's home.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let mut host = Self::default();
        for (name, text) in files {
            host.file(name, text);
        }
        host
    }

    /// Writes a file into alice's home.
    pub fn file(&mut self, name: &str, text: &str) {
        let path = format!("/home/alice/{name}");
        self.kernel.fs.write(Uid(1001), &path, text.as_bytes(), 0o644, self.now).unwrap();
    }

    /// A file of alice's home.
    pub fn cat(&self, name: &str) -> String {
        let data = self.kernel.fs.read(Uid(1001), &format!("/home/alice/{name}")).unwrap();
        String::from_utf8_lossy(&data).into_owned()
    }

    /// A process with standard input from `input` and outputs into files, and its command.
    fn start(&mut self, uid: Uid, argv: &[&str], input: &str) -> (Pid, Running) {
        let root = Uid(0);
        let origin = Origin { uid, host: "login01".into(), cgroup: Cgroup(0) };
        let argv: Vec<String> = argv.iter().map(|a| (*a).to_owned()).collect();
        let pid = self.kernel.spawn(origin, "/home/alice", argv.clone(), self.now).unwrap();
        for (name, data) in [("in", input), ("out", ""), ("err", "")] {
            let path = format!("/tmp/{name}");
            self.kernel.fs.write(root, &path, data.as_bytes(), 0o666, self.now).unwrap();
            let read = name == "in";
            let flags = OpenFlags { read, write: !read, append: !read, ..OpenFlags::default() };
            self.kernel.open(pid, &path, flags, 0, self.now).unwrap();
        }
        assert_eq!(self.kernel.fds(pid), [STDIN, STDOUT, STDERR]);
        let exec = Exec {
            path: format!("/usr/bin/{}", argv[0]),
            argv: argv.clone(),
            env: Arc::new(self.env.clone()),
        };
        (pid, Running::new(&argv[0], exec))
    }

    /// Runs a command to its end, jumping over its waits for a moment.
    pub fn run_in(&mut self, argv: &[&str], input: &str) -> Ran {
        self.run_with(argv, input, &mut NoSlurm)
    }

    /// The same on a cluster.
    pub fn run_with(&mut self, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> Ran {
        self.run_by(Uid(1001), argv, input, slurm)
    }

    /// The same as root.
    pub fn run_as_root(&mut self, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> Ran {
        self.run_by(Uid(0), argv, input, slurm)
    }

    fn run_by(&mut self, uid: Uid, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> Ran {
        let (pid, mut running) = self.start(uid, argv, input);
        let mut born = Vec::new();
        for _ in 0..100_000 {
            match running.run(&mut self.kernel, slurm, pid, self.now, &mut born) {
                Step::Again => {}
                Step::Wait(Wait::Until(at)) => self.now = at,
                Step::Wait(other) => panic!("{argv:?} waits for {other:?}"),
                Step::Exec(exec) => {
                    let program = crate::host::path::base_name(&exec.path).to_owned();
                    running = Running::new(&program, exec);
                }
                Step::Exit(status) => {
                    self.kernel.exit(pid, status);
                    let text = |name| {
                        let data = self.kernel.fs.read(Uid(0), name).unwrap();
                        String::from_utf8_lossy(&data).into_owned()
                    };
                    return Ran { out: text("/tmp/out"), err: text("/tmp/err"), code: status.shell_code() };
                }
            }
        }
        panic!("{argv:?} does not end")
    }

    /// Runs a command without input.
    pub fn run(&mut self, argv: &[&str]) -> Ran {
        self.run_in(argv, "")
    }

    /// Standard output of a command that must succeed without a complaint.
    pub fn out(&mut self, argv: &[&str]) -> String {
        let ran = self.run(argv);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{argv:?}");
        ran.out
    }
}
