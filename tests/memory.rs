//! Measures the memory of objects that are numerous or large: an idle shell, a job's record in the history, a
//! session while it is saved. Counted by the allocator.
#![allow(unsafe_code)] // An allocator cannot be written without.

use base::cow::CowMap;
use base::ids::{Cgroup, Uid};
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::Input;
use host::kernel::OpenFlags;
use host::users::Users;
use host::{Env, Kernel, ProcessOrigin, SliceEnd};
use shell::{Lowered, ShellContext, ShellInput, Vm};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator with counters: bytes in use, and their maximum.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The tests run one at a time, because they share the counters.
static COUNTING: Mutex<()> = Mutex::new(());

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Maximum bytes of an idle script, including its text and its job's environment.
const MOST: usize = 8 << 10;

const SCRIPT: &str = "#!/bin/bash
#SBATCH --job-name=rest
#SBATCH --array=1-10
set -euo pipefail
trap 'echo checkpoint; exit 0' USR1
name=sample_$SLURM_ARRAY_TASK_ID
files=(a.dat b.dat c.dat)
log() { echo \"[$(date)] $*\"; }
step=0
while ((step < 1000)); do
    step=$((step + 1))
    sleep 60
done
";

/// An environment as large as a recorded batch job's: seventy variables, 1.8 kB.
fn environment() -> Env {
    let mut env = Env::new();
    for (name, value) in
        [("HOME", "/home/alice"), ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("USER", "alice")]
    {
        env.insert(name.to_owned(), value.to_owned());
    }
    for i in 0..67 {
        env.insert(format!("SLURM_VARIABLE_{i}"), format!("value-{i}"));
    }
    env.insert("SLURM_ARRAY_TASK_ID".to_owned(), "3".to_owned());
    env
}

#[test]
fn a_shell_at_rest_is_small() {
    let _alone = COUNTING.lock();
    let nothing = at_rest("sleep 60\ntrue", &Env::new());
    let script = at_rest(SCRIPT, &Env::from([("SLURM_ARRAY_TASK_ID".to_owned(), "3".to_owned())]));
    let whole = at_rest(SCRIPT, &environment());
    let own = size_of::<Vm>();
    println!(
        "a shell at rest: {whole} bytes; {nothing} with nothing, {script} without a job's environment, {own} its struct"
    );
    assert!(whole <= MOST, "a shell at rest takes {whole} bytes");
}

/// Maximum bytes of a Python process that sleeps, besides what all of them share.
const MOST_OF_PYTHON: usize = 64 << 10;

#[test]
fn a_python_process_at_rest_is_small() {
    let _alone = COUNTING.lock();
    let sleeping = "import time\nprint('begins', flush=True)\ntime.sleep(100)\n";
    // The first one compiles the library, which all share.
    let first = python::run_alone(sleeping);
    assert_eq!(first.1, "begins\n");
    let before = LIVE.load(Ordering::Relaxed);
    let others: Vec<_> = (0..10).map(|_| python::run_alone(sleeping).0).collect();
    let each = (LIVE.load(Ordering::Relaxed) - before) / others.len();
    println!("a Python process at rest: {each} bytes");
    assert!(each <= MOST_OF_PYTHON, "a Python process at rest takes {each} bytes");
}

/// Maximum bytes of a job's record with its batch step and its entry in the history.
const MOST_OF_A_RECORD: usize = 1_500;

const CONF: &str = "ClusterName=lab\nSlurmctldHost=ctl\nNodeName=cn[01-08] CPUs=16 RealMemory=64000\n\
    PartitionName=main Nodes=ALL Default=YES\n";

/// A session in which six hundred jobs of three kinds have run.
fn after_a_day() -> Session {
    let files = SiteFiles(BTreeMap::from([("slurm.conf".to_owned(), CONF.to_owned())]));
    let start = Time::from_secs(1_795_240_458);
    let mut session = Session::new(Setup { site: "lab".to_owned(), files, seed: 1, start });
    for hour in 1..=8 {
        for name in ["short", "long", "other"] {
            let command =
                format!("sbatch -J {name} --array=1-25 --mem=100 -t 20 -o {name}-%A.out --wrap 'sleep 300'");
            session.apply(Input::Run { user: "root".to_owned(), command });
        }
        session.run_until(start + Span::from_secs(hour * 3600), u64::MAX);
    }
    session
}

#[test]
fn a_record_in_the_history_is_small() {
    let _alone = COUNTING.lock();
    let mut world = after_a_day().fork();
    let records = usize::try_from(world.ctld.dbd.jobs.len()).expect("few");
    assert!(records >= 600, "{records} records");
    let before = LIVE.load(Ordering::Relaxed);
    world.ctld.dbd.jobs = CowMap::default();
    let each = (before - LIVE.load(Ordering::Relaxed)) / records;
    println!("a record in the history: {each} bytes");
    assert!(each <= MOST_OF_A_RECORD, "a record in the history takes {each} bytes");
}

#[test]
fn saving_takes_little_besides_what_is_saved() {
    let _alone = COUNTING.lock();
    let session = after_a_day();
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let saved = session.save();
    let most = PEAK.load(Ordering::Relaxed) - before;
    println!("saved: {} bytes, with {most} at the most on the way", saved.len());
    // The saved bytes, the buffer that they are packed into, and the block that is being packed.
    assert!(most <= saved.len() * 5 / 2 + (1 << 19), "{most} bytes to save {}", saved.len());
}

/// The memory of a shell that waits for the first program of a script.
fn at_rest(script: &str, env: &Env) -> usize {
    let now = Time::from_secs(1_795_240_460);
    let mut kernel = Kernel::new(Users::new(["alice"]), "cn01", now);
    for program in ["sleep", "date"] {
        kernel.fs.install(&format!("/usr/bin/{program}"), program, now).expect("a program");
    }
    let mut lowered = Lowered::default();
    let origin = ProcessOrigin { uid: Uid(1001), host: "cn01".into(), cgroup: Cgroup(7) };
    let pid = kernel.spawn(origin, "/home/alice", vec!["bash".into()], now).expect("a process");
    for _ in 0..3 {
        kernel
            .open(pid, "/dev/null", OpenFlags { read: true, write: true, ..OpenFlags::default() }, 0, now)
            .expect("null");
    }
    let mut vm = Box::new(Vm::new(ShellInput::Script(script.into()), vec!["job.sh".into()], env));
    // The memory of its children is not counted.
    let mut children = Vec::new();
    loop {
        let mut cx = ShellContext {
            now,
            pid,
            kernel: &mut kernel,
            lowered: &mut lowered,
            fuel: 2000,
            debt: 0,
            grew: false,
            born: Vec::new(),
        };
        let step = vm.run(&mut cx);
        children.extend(cx.born);
        match step {
            SliceEnd::Again => {}
            SliceEnd::Wait(_) => break,
            step @ (SliceEnd::Exit(_) | SliceEnd::Exec(_)) => panic!("{step:?}"),
        }
    }
    let before = LIVE.load(Ordering::Relaxed);
    drop(vm);
    let freed = before - LIVE.load(Ordering::Relaxed);
    assert_eq!(children.len(), 1);
    freed
}
