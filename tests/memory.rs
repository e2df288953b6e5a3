//! How much memory a shell at rest takes: all that is freed with it, counted by the allocator.
#![allow(unsafe_code)] // An allocator cannot be written without.

use sandbatch::base::ids::{Cgroup, Uid};
use sandbatch::base::time::Time;
use sandbatch::host::kernel::OpenFlags;
use sandbatch::host::users::Users;
use sandbatch::host::{Env, Kernel, Origin, Step};
use sandbatch::shell::{Cx, Lowered, Source, Vm};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting the bytes that are in use.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Most bytes of a script at rest, its text and its job's environment counted.
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
    let nothing = at_rest("sleep 60\ntrue", &Env::new());
    let script = at_rest(SCRIPT, &Env::from([("SLURM_ARRAY_TASK_ID".to_owned(), "3".to_owned())]));
    let whole = at_rest(SCRIPT, &environment());
    let own = size_of::<Vm>();
    println!(
        "a shell at rest: {whole} bytes; {nothing} with nothing, {script} without a job's environment, {own} its struct"
    );
    assert!(whole <= MOST, "a shell at rest takes {whole} bytes");
}

/// Bytes that a shell takes which waits for the first program of a script.
fn at_rest(script: &str, env: &Env) -> usize {
    let now = Time::from_secs(1_795_240_460);
    let mut kernel = Kernel::new(Users::new(["alice"]), "cn01", now);
    for program in ["sleep", "date"] {
        kernel.fs.install(&format!("/usr/bin/{program}"), program, now).expect("a program");
    }
    let mut lowered = Lowered::default();
    let origin = Origin { uid: Uid(1001), host: "cn01".into(), cgroup: Cgroup(7) };
    let pid = kernel.spawn(origin, "/home/alice", vec!["bash".into()], now).expect("a process");
    for _ in 0..3 {
        kernel
            .open(pid, "/dev/null", OpenFlags { read: true, write: true, ..OpenFlags::default() }, 0, now)
            .expect("null");
    }
    let mut vm = Box::new(Vm::new(Source::Script(script.into()), vec!["job.sh".into()], env));
    // What its children run is theirs.
    let mut children = Vec::new();
    loop {
        let mut cx =
            Cx { now, pid, kernel: &mut kernel, lowered: &mut lowered, fuel: 2000, born: Vec::new() };
        let step = vm.run(&mut cx);
        children.extend(cx.born);
        match step {
            Step::Again => {}
            Step::Wait(_) => break,
            step @ (Step::Exit(_) | Step::Exec(_)) => panic!("{step:?}"),
        }
    }
    let before = LIVE.load(Ordering::Relaxed);
    drop(vm);
    let freed = before - LIVE.load(Ordering::Relaxed);
    assert_eq!(children.len(), 1);
    freed
}
