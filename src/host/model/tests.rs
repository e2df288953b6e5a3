//! Tests: models on a small machine.

use super::{Model, ModelContext, ModelPlan};
use crate::kernel::OpenFlags;
use crate::users::Users;
use crate::{Gpu, Hardware, Kernel, ProcessOrigin, SliceEnd, Status, Wait};
use base::ids::{Cgroup, Pid, Uid};
use base::time::{Span, Time};

const NOW: Time = Time::from_secs(1_000_000);

fn machine() -> Kernel {
    let mut kernel = Kernel::new(Users::new(["alice"]), "login", NOW);
    let gpus = vec![Gpu { memory: 16_000, ..Gpu::of(Some("p100")) }; 2];
    kernel.set_hardware("cn01", Hardware { cpus: 8, memory: 64_000, gpus, ..Hardware::default() });
    kernel
}

fn process(kernel: &mut Kernel) -> Pid {
    let origin = ProcessOrigin { uid: Uid(1001), host: "cn01".into(), cgroup: Cgroup(7) };
    let pid = kernel.spawn(origin, "/home/alice", vec!["python".into()], NOW).unwrap();
    for (file, read) in [("/dev/null", true), ("out", false), ("err", false)] {
        let flags = OpenFlags { read, write: !read, create: !read, append: !read, ..OpenFlags::default() };
        kernel.open(pid, file, flags, 0o644, NOW).unwrap();
    }
    pid
}

fn plan(text: &str, context: &ModelContext) -> ModelPlan {
    let mut plan = ModelPlan::default();
    plan.read_script(text, context, false);
    assert_eq!(plan.wrong, [""; 0]);
    plan
}

/// Runs a model to its end; returns the time, exit status and output.
fn run(kernel: &mut Kernel, text: &str, context: &ModelContext) -> (i64, Status, String) {
    let pid = process(kernel);
    let mut model = Model::of(&plan(text, context), context, 1);
    let mut now = NOW;
    for _ in 0..10_000 {
        match model.run(kernel, pid, now) {
            SliceEnd::Wait(Wait::Until(at)) => now = at,
            SliceEnd::Exit(status) => {
                kernel.exit(pid, status);
                kernel.end_load(pid, Cgroup(7), pid, 0, now);
                let out = kernel.fs.read(Uid(0), "/home/alice/out").unwrap();
                return ((now - NOW).secs(), status, String::from_utf8_lossy(&out).into_owned());
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("it does not end")
}

#[test]
fn work_is_shared_by_threads_and_ranks() {
    let text = "#SIM work=1h serial=10% threads=auto";
    let at = |cpus, threads| ModelContext { cpus, threads, tasks: 1, ..ModelContext::default() };
    let mut kernel = machine();
    assert_eq!(run(&mut kernel, text, &at(1, 1)).0, 3600);
    assert_eq!(run(&mut kernel, text, &at(4, 4)).0, 1170);
    // More threads than CPUs do not help.
    assert_eq!(run(&mut kernel, text, &at(4, 32)).0, 1170);
    let ranks = ModelContext { tasks: 4, rank: 0, ..at(1, 1) };
    assert_eq!(run(&mut kernel, "#SIM work=1h mpi", &ranks).0, 900);
    assert_eq!(run(&mut kernel, "#SIM work=1h", &ranks).0, 3600);
    let (_, _, out) = run(&mut kernel, "#SIM mpi time=1s print=hello", &ModelContext { rank: 2, ..ranks });
    assert_eq!(out, "", "only the first rank speaks");
}

#[test]
fn lines_are_printed_on_time() {
    let mut kernel = machine();
    let text = "#SIM time=100s exit=3\n#SIM print@every25%=step $n, $percent%\n#SIM print@10s=soon";
    let (seconds, status, out) = run(&mut kernel, text, &ModelContext::default());
    assert_eq!((seconds, status), (100, Status::Exited(3)));
    assert_eq!(out, "soon\nstep 1, 25%\nstep 2, 50%\nstep 3, 75%\nstep 4, 100%\n");
}

#[test]
fn memory_and_cpu_time_are_accounted() {
    let mut kernel = machine();
    let text = "#SIM time=100s memory@0s=100M memory@50s=1100M memory@100s=600M cpu=50%";
    let pid = process(&mut kernel);
    let context = ModelContext { cpus: 2, ..ModelContext::default() };
    let mut model = Model::of(&plan(text, &context), &context, 1);
    let mut now = NOW;
    while let SliceEnd::Wait(Wait::Until(at)) = model.run(&mut kernel, pid, now) {
        now = at;
    }
    kernel.exit(pid, Status::Exited(0));
    kernel.end_load(pid, Cgroup(7), pid, 50, now);
    let account = kernel.accounts(Cgroup(7)).next().copied().unwrap_or_default();
    assert_eq!((account.peak, account.memory), (1100, 0));
    assert_eq!(account.cpu.at(now + Span::from_secs(60)), 50_000_000, "no CPU time is counted after the end");
    assert_eq!(kernel.host_memory("cn01"), 0);
}

#[test]
fn two_programs_on_one_gpu_share_it() {
    let mut kernel = machine();
    let context = ModelContext { gpus: vec![0, 1], ..ModelContext::default() };
    let text = "#SIM work=100s gpu=100% gpumemory=6G";
    let (one, two) = (process(&mut kernel), process(&mut kernel));
    let mut first = Model::of(&plan(text, &context), &context, 1);
    let mut second = Model::of(&plan(text, &context), &context, 1);
    assert_eq!(first.run(&mut kernel, one, NOW), SliceEnd::Wait(Wait::Until(NOW + Span::from_secs(100))));
    let half = NOW + Span::from_secs(50);
    assert_eq!(second.run(&mut kernel, two, half), SliceEnd::Wait(Wait::Until(half + Span::from_secs(200))));
    // The first model was woken; the remaining half of its work runs at half speed.
    assert_eq!(first.run(&mut kernel, one, half), SliceEnd::Wait(Wait::Until(half + Span::from_secs(100))));
    let third = process(&mut kernel);
    let mut third_model = Model::of(&plan(text, &context), &context, 1);
    assert_eq!(
        third_model.run(&mut kernel, third, half),
        SliceEnd::Exit(Status::Exited(1)),
        "no memory is left"
    );
    let other = ModelContext { gpus: Vec::new(), ..context };
    let mut blind = Model::of(&plan(text, &other), &other, 1);
    assert_eq!(blind.run(&mut kernel, third, half), SliceEnd::Exit(Status::Exited(1)), "no GPU is seen");
}

#[test]
fn checkpoints_and_failures() {
    let mut kernel = machine();
    let text = "#SIM time=100s checkpoint=10s print@every20s=at $n\n#SIM fail@45s=SEGV:oops";
    let (seconds, status, out) =
        run(&mut kernel, text, &ModelContext { name: "sim".into(), ..ModelContext::default() });
    assert_eq!((seconds, status), (45, Status::Signaled(crate::Signal::SEGV)));
    assert_eq!(out, "at 1\nat 2\n");
    let text = "#SIM time=100s checkpoint=10s print@every20s=at $n";
    let (seconds, status, out) =
        run(&mut kernel, text, &ModelContext { name: "sim".into(), ..ModelContext::default() });
    assert_eq!((seconds, status), (60, Status::Exited(0)));
    assert_eq!(out, "at 1\nat 2\nRestarting from sim.ckpt at 40%\nat 3\nat 4\nat 5\n");
    assert!(kernel.fs.stat(Uid(0), "/home/alice/sim.ckpt").is_err(), "a finished run leaves none");
}

#[test]
fn failures_are_the_same_in_every_run() {
    let mut kernel = machine();
    let failed = |kernel: &mut Kernel, job: u32| {
        let context = ModelContext { job: job.to_string(), ..ModelContext::default() };
        run(kernel, "#SIM time=10s fail=30%:1", &context).1 != Status::Exited(0)
    };
    let first: Vec<bool> = (0..50).map(|job| failed(&mut kernel, job)).collect();
    let again: Vec<bool> = (0..50).map(|job| failed(&mut kernel, job)).collect();
    assert_eq!(first, again);
    let count = first.iter().filter(|f| **f).count();
    assert!((5..=25).contains(&count), "{count} of 50");
}
