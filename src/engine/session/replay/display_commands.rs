//! Runs display commands on a controller without hosts, to measure their speed.

use base::ids::{Cgroup, DbIndex, JobId, NodeId, Pid, StepId, Uid};
use base::state::{ExitCode, JobState};
use base::time::{Span, Time};
use base::usage::Usage;
use commands::{Running, Slurm};
use host::kernel::OpenFlags;
use host::users::Users;
use host::{Exec, Kernel, ProcessOrigin, SliceEnd};
use slurmctld::Slurmctld;
use slurmctld::request::{Caller, Request, Response};
use slurmdbd::JobRecord;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A controller with a single client.
struct Alone<'a> {
    ctld: &'a mut Slurmctld,
    now: Time,
}

impl Slurm for Alone<'_> {
    fn request(&mut self, uid: Uid, request: Request) -> Response {
        self.ctld.request(Caller { uid }, request, self.now)
    }
    fn state(&self) -> &Slurmctld {
        self.ctld
    }
    fn adopt(&mut self, _uid: Uid, _node: NodeId, _from: Cgroup) -> Option<Cgroup> {
        None
    }
    fn usage(&self, _kernel: &Kernel, _step: StepId) -> Usage {
        Usage::default()
    }
}

/// Runs a command as root until it ends or waits. Returns its output.
#[must_use]
pub fn run(ctld: &mut Slurmctld, argv: &[&str], now: Time) -> Vec<u8> {
    let mut kernel = Kernel::new(Users::new(["alice"]), "login", now);
    let origin = ProcessOrigin { uid: Uid(0), host: "login".into(), cgroup: Cgroup(0) };
    let argv: Vec<String> = argv.iter().map(|a| (*a).to_owned()).collect();
    let Ok(pid) = kernel.spawn(origin, "/", argv.clone(), now) else { return Vec::new() };
    for name in ["/tmp/in", "/tmp/out", "/tmp/err"] {
        let _ = kernel.fs.write(Uid(0), name, b"", 0o644, now);
        let flags = OpenFlags { read: name == "/tmp/in", write: true, append: true, ..OpenFlags::default() };
        let _ = kernel.open(pid, name, flags, 0, now);
    }
    let name = argv.first().cloned().unwrap_or_default();
    let mut running = Running::new(&name, Exec { path: name.clone(), argv, env: Arc::new(BTreeMap::new()) });
    let mut slurm = Alone { ctld, now };
    let mut born: Vec<(Pid, shell::Born)> = Vec::new();
    while matches!(running.run(&mut kernel, &mut slurm, pid, now, &mut born), SliceEnd::Again) {}
    kernel.fs.read(Uid(0), "/tmp/out").map(|data| data.to_vec()).unwrap_or_default()
}

/// Adds this many finished jobs of a hundred users to the database, one every ten seconds, as copies of its
/// first record.
pub fn history(ctld: &mut Slurmctld, count: u64, now: Time) {
    let Some(like) = ctld.dbd.jobs.values().next().cloned() else { return };
    let first = ctld.dbd.jobs.iter().next_back().map_or(0, |(index, _)| index) + 1;
    for i in 0..count {
        let n = u32::try_from(i).unwrap_or(u32::MAX);
        let submit = now - Span::from_secs(i64::try_from(count - i).unwrap_or(0) * 10);
        let (uid, failed) = (Uid(2000 + n % 100), n.is_multiple_of(7));
        let record = JobRecord {
            index: DbIndex(first + i),
            job: JobId(n.saturating_add(1_000_000)),
            uid,
            user: format!("u{uid}"),
            state: if failed { JobState::Failed } else { JobState::Complete },
            exit: ExitCode { code: u8::from(failed), signal: 0 },
            submit,
            eligible: submit,
            start: Some(submit + Span::from_secs(3)),
            end: Some(submit + Span::from_secs(300)),
            ..like.clone()
        };
        ctld.dbd.jobs.insert(DbIndex(first + i), record);
    }
}
