//! A program in a host of its own, for measurements.

use crate::PythonProcess;
use base::ids::{Cgroup, Uid};
use base::time::Time;
use host::kernel::OpenFlags;
use host::users::Users;
use host::{Exec, Kernel, ProcessOrigin, SliceEnd, Wait};
use std::sync::Arc;

/// Most slices of the program.
const MAX_SLICES: u32 = 1_000_000;

/// Runs a Python program in a host of its own until it ends, or until it waits for something other than its turn. Returns
/// the process and what it printed.
#[must_use]
pub fn run_alone(source: &str) -> (PythonProcess, String) {
    let mut now = Time::from_secs(1_795_240_440);
    let mut kernel = Kernel::new(Users::new(["alice"]), "login", now);
    let argv: Vec<String> = ["python3", "-c", source].iter().map(|word| (*word).to_owned()).collect();
    let origin = ProcessOrigin { uid: Uid(1001), host: "login".into(), cgroup: Cgroup(0) };
    let exec = Exec { path: "/usr/bin/python3".into(), argv: argv.clone(), env: Arc::default() };
    let mut process = PythonProcess::new(exec);
    let Ok(pid) = kernel.spawn(origin, "/home/alice", argv, now) else { return (process, String::new()) };
    let flags = OpenFlags { read: true, write: true, create: true, ..OpenFlags::default() };
    for name in ["/dev/null", "/tmp/out", "/tmp/out"] {
        // Without the file, nothing is printed.
        let _ = kernel.open(pid, name, flags, 0o666, now);
    }
    for _ in 0..MAX_SLICES {
        match process.run(&mut kernel, pid, now, &mut Vec::new(), &mut Vec::new()) {
            SliceEnd::Again => {}
            // The end of a slice: its CPU time passes.
            SliceEnd::Wait(Wait::Until(until)) if until.0 - now.0 < 2_000_000 => now = until,
            SliceEnd::Wait(_) | SliceEnd::Exit(_) | SliceEnd::Exec(_) => break,
        }
    }
    let out = kernel.fs.read(Uid(0), "/tmp/out").map(|data| data.to_vec()).unwrap_or_default();
    (process, String::from_utf8_lossy(&out).into_owned())
}
