//! Measures the engine's throughput: events per second, and hours of a busy cluster per second. `cargo xtask
//! bench` records the result.
#![allow(clippy::disallowed_methods)] // This measures real time.

use base::ids::{Cgroup, Pid, Uid};
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::busy;
use host::kernel::OpenFlags;
use host::users::Users;
use host::{Env, Kernel, ProcessOrigin, SliceEnd, Status};
use shell::{Lowered, ShellContext, ShellInput, Vm};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

const SITE: &str = "examples/sites/inserm";
const HOURS: i64 = 24;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(SITE);
    let mut files = BTreeMap::new();
    read(&folder, &folder, &mut files);
    let began = Instant::now();
    let (world, events) = busy(&SiteFiles(files), HOURS);
    let seconds = began.elapsed().as_secs_f64();
    println!("engine, native: events per second | {:.0}", events as f64 / seconds);
    println!("engine, native: {HOURS} hours with 2700 jobs | {seconds:.2} s");
    let began = Instant::now();
    for _ in 0..100 {
        std::hint::black_box(world.clone());
    }
    println!("engine, native: a fork | {:.3} ms", began.elapsed().as_secs_f64() * 10.0);
    for (what, script) in LOOPS {
        println!("bash, native: a million iterations of {what} | {:.2} s", shell_loop(script));
    }
    for (what, script, shown) in PYTHON {
        let began = Instant::now();
        assert_eq!(python::run_alone(script).1, shown);
        println!("python, native: {what} | {:.2} s", began.elapsed().as_secs_f64());
    }
    println!("bash, native: {SCRIPTS} scripts waking up | {:.1} ms", waking());
}

/// Loops with a million iterations.
const LOOPS: [(&str, &str); 4] = [
    ("for ((...))", "for ((i=0;i<1000000;i++)); do :; done"),
    ("while [ ... ]", "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done"),
    ("a function", "f() { :; }; for ((i=0;i<1000000;i++)); do f $i; done"),
    ("[[ ... ]]", "n=0; for ((i=0;i<1000000;i++)); do if [[ $i == *99 ]]; then n=$((n+1)); fi; done"),
];

/// Python programs, and what they print.
const PYTHON: [(&str, &str, &str); 3] = [
    (
        "a million additions in a loop",
        "x = 0\nfor i in range(1000000):\n    x += i\nprint(x)\n",
        "499999500000\n",
    ),
    (
        "a million additions in a function",
        "def f(n):\n    x = 0\n    for i in range(n):\n        x += i\n    return x\nprint(f(1000000))\n",
        "499999500000\n",
    ),
    (
        "a million calls",
        "def f(x):\n    return x + 1\nn = 0\nwhile n < 1000000:\n    n = f(n)\nprint(n)\n",
        "1000000\n",
    ),
];

/// Scripts that sleep in a loop.
const SCRIPTS: u32 = 10_000;

/// A system with one process for each of `count` scripts, on as many hosts as it needs.
fn system(count: u32, now: Time) -> (Kernel, Vec<Pid>) {
    let mut kernel = Kernel::new(Users::new(["alice"]), "login", now);
    kernel.fs.install("/usr/bin/sleep", "sleep", now).expect("a program");
    let flags = OpenFlags { read: true, write: true, ..OpenFlags::default() };
    let pids = (0..count).map(|i| {
        let host = format!("cn{}", i / 100);
        let origin = ProcessOrigin { uid: Uid(1001), host: host.as_str().into(), cgroup: Cgroup(i + 1) };
        let pid = kernel.spawn(origin, "/home/alice", vec!["bash".into()], now).expect("a process");
        for _ in 0..3 {
            kernel.open(pid, "/dev/null", flags, 0, now).expect("a descriptor");
        }
        pid
    });
    let pids = pids.collect();
    (kernel, pids)
}

fn environment() -> Env {
    let mut env: Env = (0..90).map(|i| (format!("SLURM_VARIABLE_{i}"), format!("value-{i}"))).collect();
    env.insert("PATH".to_owned(), "/usr/bin:/bin".to_owned());
    env
}

/// Runs a shell until it waits or ends; returns its children.
fn run(vm: &mut Vm, kernel: &mut Kernel, pid: Pid, now: Time) -> (SliceEnd, Vec<Pid>) {
    let mut lowered = Lowered::default();
    let mut children = Vec::new();
    loop {
        let lowered = &mut lowered;
        let mut cx = ShellContext {
            now,
            pid,
            kernel: &mut *kernel,
            lowered,
            fuel: 2000,
            debt: 0,
            grew: false,
            born: Vec::new(),
        };
        let step = vm.run(&mut cx);
        children.extend(cx.born.iter().map(|(child, _)| *child));
        if !matches!(step, SliceEnd::Again) {
            return (step, children);
        }
    }
}

/// Seconds of a script without children.
fn shell_loop(script: &str) -> f64 {
    let now = Time::from_secs(1_795_240_440);
    let (mut kernel, pids) = system(1, now);
    let mut vm = Vm::new(ShellInput::Text(script.to_owned()), vec!["bash".to_owned()], &environment());
    let began = Instant::now();
    let (step, _) = run(&mut vm, &mut kernel, pids[0], now);
    assert!(matches!(step, SliceEnd::Exit(_)), "{step:?}");
    began.elapsed().as_secs_f64()
}

/// Milliseconds for all scripts to wake once and sleep again: time in the shells and time in the kernel.
fn waking() -> f64 {
    const SCRIPT: &str = "for ((step=0;step<1000;step++)); do sleep 60; done";
    let mut now = Time::from_secs(1_795_240_440);
    let (mut kernel, pids) = system(SCRIPTS, now);
    let env = environment();
    let mut scripts: Vec<(Pid, Vm, Vec<Pid>)> = Vec::new();
    for pid in pids {
        let mut vm = Vm::new(ShellInput::Text(SCRIPT.to_owned()), vec!["bash".to_owned()], &env);
        let (_, children) = run(&mut vm, &mut kernel, pid, now);
        scripts.push((pid, vm, children));
    }
    const MINUTES: i64 = 5;
    let began = Instant::now();
    for _ in 0..MINUTES {
        now += Span::from_secs(60);
        for (pid, vm, children) in &mut scripts {
            children.drain(..).for_each(|child| kernel.exit(child, Status::Exited(0)));
            *children = run(vm, &mut kernel, *pid, now).1;
        }
    }
    began.elapsed().as_secs_f64() * 1e3 / MINUTES as f64
}

/// A site's files by their path below the site's folder.
fn read(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the site is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below the site").to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read_to_string(&path).expect("a site's file is text"));
        }
    }
}
