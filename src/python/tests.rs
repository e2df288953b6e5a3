//! Scripts of the kind that learners write, run here and by the machine's own CPython 3.11: output, errors and exit
//! code must be equal. Without CPython 3.11 the comparison is skipped, and says so.

use crate::PythonProcess;
use base::ids::{Cgroup, Pid, Uid};
use base::time::Time;
use host::kernel::OpenFlags;
use host::users::Users;
use host::{Exec, Kernel, KernelEvent, ProcessOrigin, SliceEnd, Status};
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;

#[derive(Debug, PartialEq, Eq)]
struct Ran {
    out: String,
    err: String,
    code: i32,
}

/// A host with a Python process.
struct TestRun {
    kernel: Kernel,
    pid: Pid,
    process: PythonProcess,
    now: Time,
    status: Option<Status>,
    copies: Vec<(Pid, PythonProcess)>,
    timers: BTreeSet<(Time, Pid, u32)>,
}

#[path = "tests_more.rs"]
mod more;

const ALICE: Uid = Uid(1001);

impl TestRun {
    fn new(argv: &[&str], files: &[(&str, &str)], input: &str) -> Self {
        let now = Time::from_secs(1_795_240_468);
        let mut kernel = Kernel::new(Users::new(["alice"]), "login01", now);
        for (name, text) in files {
            if let Some((folder, _)) = name.rsplit_once('/') {
                kernel.fs.mkdir(ALICE, &format!("/home/alice/{folder}"), 0o755, now).unwrap();
            }
            kernel.fs.write(ALICE, &format!("/home/alice/{name}"), text.as_bytes(), 0o644, now).unwrap();
        }
        let origin = ProcessOrigin { uid: ALICE, host: "login01".into(), cgroup: Cgroup(0) };
        let argv: Vec<String> = argv.iter().map(|a| (*a).to_owned()).collect();
        let pid = kernel.spawn(origin, "/home/alice", argv.clone(), now).unwrap();
        for (name, data) in [("in", input), ("out", ""), ("err", "")] {
            let path = format!("/tmp/{name}");
            kernel.fs.write(Uid(0), &path, data.as_bytes(), 0o666, now).unwrap();
            let read = name == "in";
            let flags = OpenFlags { read, write: !read, append: !read, ..OpenFlags::default() };
            kernel.open(pid, &path, flags, 0, now).unwrap();
        }
        let env = [
            ("HOME", "/home/alice"),
            ("USER", "alice"),
            ("PATH", "/usr/bin:/bin"),
            ("SLURM_ARRAY_TASK_ID", "3"),
        ];
        let env = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let exec = Exec { path: "/usr/bin/python3".into(), argv, env: Arc::new(env) };
        Self {
            kernel,
            pid,
            process: PythonProcess::new(exec),
            now,
            status: None,
            copies: Vec::new(),
            timers: BTreeSet::new(),
        }
    }

    /// Runs until the process ends, at most this many slices of it and its copies.
    fn slices(&mut self, most: usize) {
        let mut left = most;
        while left > 0 && self.status.is_none() {
            let Some(pid) = self.kernel.next_ready() else {
                if !self.pass_time() {
                    return;
                }
                continue;
            };
            left -= 1;
            let (mut born, mut forked) = (Vec::new(), Vec::new());
            let copy = self.copies.iter_mut().find(|copy| copy.0 == pid);
            let process = match copy {
                Some((_, process)) => process,
                None => &mut self.process,
            };
            let end = process.run(&mut self.kernel, pid, self.now, &mut born, &mut forked);
            self.copies.append(&mut forked);
            match end {
                SliceEnd::Exit(status) if pid == self.pid => self.status = Some(status),
                SliceEnd::Exit(status) => {
                    self.kernel.exit(pid, status);
                    self.copies.retain(|copy| copy.0 != pid);
                }
                SliceEnd::Wait(wait) => self.kernel.block(pid, wait),
                SliceEnd::Again | SliceEnd::Exec(_) => self.kernel.requeue(pid),
            }
        }
    }

    /// Goes to the time of the next timer. False: there is none.
    fn pass_time(&mut self) -> bool {
        for event in self.kernel.take_notices() {
            if let KernelEvent::Alarm { at, pid, ticket } = event {
                self.timers.insert((at, pid, ticket));
            }
        }
        let Some((at, pid, ticket)) = self.timers.pop_first() else { return false };
        if self.kernel.rings(pid, ticket) {
            self.now = self.now.max(at);
            self.kernel.alarm(pid, ticket);
        }
        true
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.kernel.fs.read(Uid(0), &format!("/tmp/{name}")).unwrap()).into_owned()
    }

    fn result(&self) -> Ran {
        let code = match self.status {
            Some(Status::Exited(code)) => i32::from(code),
            Some(Status::Signaled(signal)) => 128 + i32::from(signal.number()),
            None => -1,
        };
        Ran { out: self.text("out"), err: self.text("err"), code }
    }
}

fn ours(script: &str, args: &[&str], input: &str) -> Ran {
    let argv: Vec<&str> = ["python3", "script.py"].iter().chain(args).copied().collect();
    let mut run = TestRun::new(&argv, &[("script.py", script)], input);
    run.slices(20_000);
    run.result()
}

fn cpython() -> Option<String> {
    ["python3.11", "python3"].iter().find_map(|name| {
        let version = Command::new(name).arg("--version").output().ok()?;
        String::from_utf8_lossy(&version.stdout).starts_with("Python 3.11").then(|| (*name).to_owned())
    })
}

fn real(python: &str, script: &str, args: &[&str], input: &str, number: usize) -> Ran {
    use std::io::Write;
    let folder = std::env::temp_dir().join(format!("sandbatch-python-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("script.py"), script).unwrap();
    let mut child = Command::new(python)
        .arg("script.py")
        .args(args)
        .current_dir(&folder)
        .env("SLURM_ARRAY_TASK_ID", "3")
        .env("PYTHONHASHSEED", "0")
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A script that does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let place = std::fs::canonicalize(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let text =
        |b: &[u8]| own_frames(&String::from_utf8_lossy(b).replace(place.to_str().unwrap(), "/home/alice"));
    Ran { out: text(&output.stdout), err: text(&output.stderr), code: exit_code(output.status) }
}

/// The exit code as a shell shows it.
fn exit_code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

/// A traceback without the frames of CPython's own library, which this library does not print.
fn own_frames(text: &str) -> String {
    let mut out = String::new();
    let mut skips = false;
    for line in text.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix("  File \"") {
            // `dataclass` generates methods as source text and runs it.
            let made = rest.starts_with("<string>") && rest.contains(", in __setattr__");
            let frozen = rest.starts_with("<frozen ") && !rest.starts_with("<frozen os>");
            skips = made || frozen || rest.contains("/lib/python3");
        } else if !line.starts_with("    ") {
            skips = false;
        }
        if !skips {
            out += line;
        }
    }
    out
}

/// The scripts of a file, separated by lines with their names.
fn scripts(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("#### ") {
            Some(name) => all.push((name.to_owned(), String::new())),
            None => {
                if let Some((_, script)) = all.last_mut() {
                    *script += line;
                    script.push('\n');
                }
            }
        }
    }
    all
}

#[test]
fn scripts_print_what_cpython_prints() {
    let Some(python) = cpython() else {
        eprintln!("skipped: there is no CPython 3.11 to compare with");
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    names.sort();
    let scripts = names.iter().flat_map(|file| scripts(&std::fs::read_to_string(file).unwrap()));
    let compared = testing::on_all_cores(scripts.enumerate(), |(number, (name, script))| {
        let args = ["--n", "4", "data.txt"];
        let (ours, real) =
            (ours(&script, &args, "one\ntwo\n3\n"), real(&python, &script, &args, "one\ntwo\n3\n", number));
        if ours == real {
            return String::new();
        }
        format!(
            "==== {name}\n---- ours {}\n{}{}---- real {}\n{}{}",
            ours.code, ours.out, ours.err, real.code, real.out, real.err
        )
    });
    let (number, wrong) = (compared.len(), compared.concat());
    assert!(wrong.is_empty(), "of {number} scripts, these differ:\n{wrong}");
    assert!(number >= 250, "only {number} scripts were found");
}

#[test]
fn a_process_continues_from_a_copy_in_the_middle() {
    let script = "import time\ndef f():\n    for i in range(3):\n        time.sleep(10)\n        yield i\nprint(sum(f()))\n";
    let mut run = TestRun::new(&["python3", "script.py"], &[("script.py", script)], "");
    run.slices(3);
    assert!(run.status.is_none());
    let copy = run.process.clone();
    run.slices(20);
    assert_eq!((run.result().out.as_str(), run.result().code), ("3\n", 0));
    assert_eq!((run.now - Time::from_secs(1_795_240_468)).secs(), 30);
    drop(copy);
}

#[test]
fn work_and_memory_are_bounded() {
    // The slices of an endless loop end, and it costs time.
    let mut run = TestRun::new(&["python3", "-c", "while True: pass"], &[], "");
    run.slices(200);
    assert!(run.status.is_none() && run.now > Time::from_secs(1_795_240_468));
    // A list of 40 GB is accounted for but not created.
    let ran = ours("x = [0] * (5 * 10**9)\nprint(len(x))\n", &[], "");
    assert_eq!(ran.out, "5000000000\n");
    let mut run =
        TestRun::new(&["python3", "-c", "import time\nx = [0] * (5 * 10**9)\ntime.sleep(5)"], &[], "");
    run.slices(3);
    assert!(run.kernel.host_memory("login01") > 38_000, "{}", run.kernel.host_memory("login01"));
    let ran = ours("def f(n):\n    return f(n + 1)\nf(0)\n", &[], "");
    assert!(
        ran.err.ends_with("RecursionError: maximum recursion depth exceeded\n") && ran.code == 1,
        "{}",
        ran.err
    );
    let ran = ours("s = 'ab' * 10**12\n", &[], "");
    assert!(ran.err.contains("MemoryError") && ran.code == 1, "{}", ran.err);
}

#[test]
fn programs_come_from_standard_input_and_missing_files_fail() {
    let mut run = TestRun::new(&["python3", "-"], &[], "print(1 + 1)\n1/0\n");
    run.slices(50);
    let ran = run.result();
    assert_eq!((ran.out.as_str(), ran.code), ("2\n", 1));
    assert!(
        ran.err.starts_with("Traceback (most recent call last):\n  File \"<stdin>\", line 2, in <module>\n"),
        "{}",
        ran.err
    );
    let mut run = TestRun::new(&["python3", "nosuch.py"], &[], "");
    run.slices(50);
    let ran = run.result();
    assert_eq!(
        ran.err,
        "python3: can't open file '/home/alice/nosuch.py': [Errno 2] No such file or directory\n"
    );
    assert_eq!(ran.code, 2);
}
