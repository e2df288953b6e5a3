//! Commands that show something, on a controller without hosts: what their speed is measured with.

use crate::base::ids::{Cgroup, DbIndex, JobId, NodeId, Pid, StepId, Uid};
use crate::base::state::{ExitCode, JobState};
use crate::base::time::{Span, Time};
use crate::base::usage::Usage;
use crate::commands::{Running, Slurm};
use crate::host::kernel::OpenFlags;
use crate::host::users::Users;
use crate::host::{Exec, Kernel, Origin, Step};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{Caller, Request, Response};
use crate::slurmdbd::JobRecord;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A controller that nobody else talks to.
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

/// Runs a command as root until it ends or waits; gives what it printed.
#[must_use]
pub fn run(ctld: &mut Slurmctld, argv: &[&str], now: Time) -> Vec<u8> {
    let mut kernel = Kernel::new(Users::new(["alice"]), "login", now);
    let origin = Origin { uid: Uid(0), host: "login".into(), cgroup: Cgroup(0) };
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
    let mut born: Vec<(Pid, crate::shell::Born)> = Vec::new();
    while matches!(running.run(&mut kernel, &mut slurm, pid, now, &mut born), Step::Again) {}
    kernel.fs.read(Uid(0), "/tmp/out").map(|data| data.to_vec()).unwrap_or_default()
}

/// Fills the database with so many jobs that are over, one each ten seconds, of a hundred users; they are like the first
/// one that it has.
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
