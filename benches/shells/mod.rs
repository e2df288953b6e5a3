//! Shells without a world around them, to be measured.

use sandbatch::base::ids::{Cgroup, Pid, Uid};
use sandbatch::base::time::Time;
use sandbatch::host::kernel::OpenFlags;
use sandbatch::host::users::Users;
use sandbatch::host::{Env, Kernel, Origin, Step};
use sandbatch::shell::{Cx, Lowered, Vm};

/// A system with one process for each of `count` scripts, on as many hosts as it needs.
pub fn system(count: u32, now: Time) -> (Kernel, Vec<Pid>) {
    let mut kernel = Kernel::new(Users::new(["alice"]), "login", now);
    kernel.fs.install("/usr/bin/sleep", "sleep", now).expect("a program");
    let flags = OpenFlags { read: true, write: true, ..OpenFlags::default() };
    let pids = (0..count).map(|i| {
        let host = format!("cn{}", i / 100);
        let origin = Origin { uid: Uid(1001), host: host.as_str().into(), cgroup: Cgroup(i + 1) };
        let pid = kernel.spawn(origin, "/home/alice", vec!["bash".into()], now).expect("a process");
        for _ in 0..3 {
            kernel.open(pid, "/dev/null", flags, 0, now).expect("a descriptor");
        }
        pid
    });
    let pids = pids.collect();
    (kernel, pids)
}

/// The environment of a job's script: a hundred variables.
pub fn environment() -> Env {
    let mut env: Env = (0..90).map(|i| (format!("SLURM_VARIABLE_{i}"), format!("value-{i}"))).collect();
    env.insert("PATH".to_owned(), "/usr/bin:/bin".to_owned());
    env
}

/// Runs a shell until it waits or ends; its children.
pub fn run(vm: &mut Vm, kernel: &mut Kernel, pid: Pid, now: Time) -> (Step, Vec<Pid>) {
    let mut lowered = Lowered::default();
    let mut children = Vec::new();
    loop {
        let lowered = &mut lowered;
        let mut cx = Cx { now, pid, kernel: &mut *kernel, lowered, fuel: 2000, born: Vec::new() };
        let step = vm.run(&mut cx);
        children.extend(cx.born.iter().map(|(child, _)| *child));
        if !matches!(step, Step::Again) {
            return (step, children);
        }
    }
}
