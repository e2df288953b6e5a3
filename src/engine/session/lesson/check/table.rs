//! The fields of jobs, arrays, nodes and files that checks can use.

use super::{FieldValue, FieldValueKind, Subject};
use crate::world::World;
use base::ids::{JobId, StepNum, Uid};
use base::state::JobState;
use base::time::{Limit, Time};
use commands::slurm::{jobtext, nodetext};
use slurmctld::job::Job;
use slurmctld::node::Node;
use slurmdbd::JobRecord;

/// An object of a claim.
#[derive(Clone, Debug)]
pub enum Thing<'a> {
    Job(JobThing<'a>),
    Array(Vec<JobThing<'a>>),
    Node(&'a Node),
    /// Its path.
    File(String),
}

/// A job: its newest database record, and slurmctld's record if it is still in memory.
#[derive(Clone, Copy, Debug)]
pub struct JobThing<'a> {
    pub record: Option<&'a JobRecord>,
    pub job: Option<&'a Job>,
    /// The number of earlier runs that were preempted.
    pub preempted: i64,
}

/// A field: its name, how its values are written, and how to read it.
#[derive(Debug)]
pub struct CheckField {
    pub name: &'static str,
    pub kind: FieldValueKind,
    pub read: fn(&World, &Thing) -> Option<FieldValue>,
}

/// The fields of a kind of object.
#[must_use]
pub const fn fields(subject: &Subject) -> &'static [CheckField] {
    match subject {
        Subject::Job => JOB,
        Subject::Array => ARRAY,
        Subject::Node => NODE,
        Subject::File(_) => FILE,
    }
}

const fn field(
    name: &'static str,
    kind: FieldValueKind,
    read: fn(&World, &Thing) -> Option<FieldValue>,
) -> CheckField {
    CheckField { name, kind, read }
}

const JOB: &[CheckField] = &[
    field("id", FieldValueKind::Count, |_, t| number(t.job()?.id().0)),
    field("name", FieldValueKind::Word, |_, t| word(t.job()?.name())),
    field("user", FieldValueKind::Word, |w, t| t.job()?.user(w).map(FieldValue::Word)),
    field("account", FieldValueKind::Word, |_, t| t.job()?.text(|j| &j.account, |r| &r.account)),
    field("partition", FieldValueKind::Word, |w, t| t.job()?.partition(w)),
    field("qos", FieldValueKind::Word, |w, t| t.job()?.qos(w)),
    field("state", FieldValueKind::Word, |_, t| word(t.job()?.state())),
    field("reason", FieldValueKind::Word, |_, t| word(t.job()?.job.map(jobtext::reason)?)),
    field("exit", FieldValueKind::Count, |_, t| number(t.job()?.ended()?.exit.code)),
    field("signal", FieldValueKind::Count, |_, t| number(t.job()?.ended()?.exit.signal)),
    field("submit", FieldValueKind::Moment, |_, t| moment(t.job()?.submit())),
    field("start", FieldValueKind::Moment, |_, t| moment(t.job()?.start())),
    field("end", FieldValueKind::Moment, |_, t| moment(t.job()?.ended()?.end)),
    field("waited", FieldValueKind::Duration, |w, t| {
        let job = t.job()?;
        number(job.start().unwrap_or(w.now).secs() - job.submit()?.secs())
    }),
    field("elapsed", FieldValueKind::Duration, |w, t| t.job()?.elapsed(w).map(FieldValue::Number)),
    field("limit", FieldValueKind::Duration, |_, t| t.job()?.limit().map(FieldValue::Number)),
    field("limit_used", FieldValueKind::Percent, |w, t| share(t.job()?.elapsed(w)?, t.job()?.limit()?)),
    field("cpus", FieldValueKind::Count, |_, t| number(t.job()?.cpus())),
    field("nodes", FieldValueKind::Count, |_, t| number(t.job()?.nodes())),
    field("node", FieldValueKind::Word, |_, t| word(&t.job()?.record?.nodes)),
    field("gpus", FieldValueKind::Count, |_, t| number(i64::try_from(t.job()?.gpus()).ok()?)),
    field("memory", FieldValueKind::Memory, |_, t| t.job()?.memory().map(FieldValue::Number)),
    field("peak_memory", FieldValueKind::Memory, |_, t| t.job()?.peak().map(FieldValue::Number)),
    field("memory_used", FieldValueKind::Percent, |_, t| share(t.job()?.peak()?, t.job()?.memory()?)),
    field("cpu_used", FieldValueKind::Percent, |w, t| {
        let job = t.job()?;
        share(job.cpu_seconds()?, job.elapsed(w)?.checked_mul(job.cpus().into())?)
    }),
    field("steps", FieldValueKind::Count, |_, t| number(numbered_steps(t.job()?.record?))),
    field("step_tasks", FieldValueKind::Count, |_, t| {
        number(t.job()?.record?.steps.values().map(|s| s.tasks).max().unwrap_or(0))
    }),
    field("batch", FieldValueKind::Flag, |_, t| flag(t.job()?.is_batch())),
    field("array", FieldValueKind::Count, |_, t| number(t.job()?.array()?.0.0)),
    field("task", FieldValueKind::Count, |_, t| number(t.job()?.array()?.1?)),
    field("restarts", FieldValueKind::Count, |_, t| {
        let job = t.job()?;
        number(job.job.map_or_else(|| job.record.map_or(0, |r| r.restarts), |j| j.restarts))
    }),
    field("preempted", FieldValueKind::Count, |_, t| number(t.job()?.preempted)),
    field("backfilled", FieldValueKind::Flag, |_, t| flag(t.job()?.record?.backfilled)),
    field("constraint", FieldValueKind::Word, |_, t| word(&t.job()?.record?.constraints)),
    field("comment", FieldValueKind::Word, |_, t| word(t.job()?.comment())),
    field("priority", FieldValueKind::Count, |_, t| {
        let job = t.job()?;
        number(job.job.map_or_else(|| job.record.map_or(0, |r| r.priority), |j| j.priority))
    }),
    field("dependency", FieldValueKind::Flag, |_, t| flag(t.job()?.job.is_some_and(|j| !j.deps.is_empty()))),
];

const ARRAY: &[CheckField] = &[
    field("id", FieldValueKind::Count, |_, t| number(t.tasks()?.first()?.array()?.0.0)),
    field("name", FieldValueKind::Word, |_, t| word(t.tasks()?.first()?.name())),
    field("user", FieldValueKind::Word, |w, t| t.tasks()?.first()?.user(w).map(FieldValue::Word)),
    field("tasks", FieldValueKind::Count, |_, t| {
        number(t.tasks()?.iter().map(JobThing::weight).sum::<i64>())
    }),
    field("completed", FieldValueKind::Count, |_, t| in_state(t, |s| s == JobState::Complete)),
    field("pending", FieldValueKind::Count, |_, t| in_state(t, |s| s == JobState::Pending)),
    field("running", FieldValueKind::Count, |_, t| in_state(t, |s| s == JobState::Running)),
    field("ended", FieldValueKind::Count, |_, t| in_state(t, JobState::ended)),
    field("failed", FieldValueKind::Count, |_, t| in_state(t, |s| s.ended() && s != JobState::Complete)),
    field("at_once", FieldValueKind::Count, |w, t| number(at_once(t.tasks()?, w.now))),
    field("submit", FieldValueKind::Moment, |_, t| {
        moment(t.tasks()?.iter().filter_map(JobThing::submit).min())
    }),
    field("start", FieldValueKind::Moment, |_, t| {
        moment(t.tasks()?.iter().filter_map(JobThing::start).min())
    }),
    field("end", FieldValueKind::Moment, |_, t| {
        let tasks = t.tasks()?;
        let over = tasks.iter().all(|task| task.ended().is_some());
        moment(tasks.iter().filter_map(|task| task.ended()?.end).max().filter(|_| over))
    }),
];

const NODE: &[CheckField] = &[
    field("name", FieldValueKind::Word, |_, t| word(&t.node()?.conf.name)),
    field("state", FieldValueKind::Word, |w, t| {
        Some(FieldValue::Word(nodetext::state_complete(&w.ctld, t.node()?)))
    }),
    field("jobs", FieldValueKind::Count, |_, t| number(i64::try_from(t.node()?.jobs.len()).ok()?)),
    field("cpus", FieldValueKind::Count, |_, t| number(t.node()?.conf.cpus)),
    field("memory", FieldValueKind::Memory, |_, t| kib(t.node()?.conf.real_memory)),
];

const FILE: &[CheckField] = &[
    field("path", FieldValueKind::Word, |_, t| word(t.file()?)),
    field("text", FieldValueKind::Word, |w, t| contents(w, t).map(FieldValue::Word)),
    field("lines", FieldValueKind::Count, |w, t| {
        let text = contents(w, t)?;
        number(i64::try_from(text.lines().count()).ok()?)
    }),
    field("bytes", FieldValueKind::Count, |w, t| {
        number(i64::try_from(w.kernel.fs.stat(Uid(0), t.file()?).ok()?.size).ok()?)
    }),
];

impl<'a> Thing<'a> {
    const fn job(&self) -> Option<&JobThing<'a>> {
        if let Self::Job(job) = self { Some(job) } else { None }
    }

    fn tasks(&self) -> Option<&[JobThing<'a>]> {
        if let Self::Array(tasks) = self { Some(tasks) } else { None }
    }

    const fn node(&self) -> Option<&'a Node> {
        if let Self::Node(node) = self { Some(node) } else { None }
    }

    fn file(&self) -> Option<&str> {
        if let Self::File(path) = self { Some(path) } else { None }
    }
}

impl<'a> JobThing<'a> {
    /// Its job id.
    pub fn id(&self) -> JobId {
        self.job.map(|j| j.id).or_else(|| self.record.map(|r| r.job)).unwrap_or_default()
    }

    /// The job id of its array, and its task id.
    pub fn array(&self) -> Option<(JobId, Option<u32>)> {
        match self.job {
            Some(job) => job.array.as_ref().map(|a| (a.job, a.task)),
            None => self.record.and_then(|r| r.array),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'a str {
        self.job.map(|j| j.name.as_str()).or_else(|| self.record.map(|r| r.name.as_str())).unwrap_or_default()
    }

    /// The owner.
    pub fn user(&self, world: &World) -> Option<String> {
        self.job.map(|j| world.kernel.users.name(j.uid())).or_else(|| self.record.map(|r| r.user.clone()))
    }

    fn text(&self, job: fn(&Job) -> &str, record: fn(&JobRecord) -> &str) -> Option<FieldValue> {
        word(self.job.map(job).or_else(|| self.record.map(record))?)
    }

    fn partition(&self, world: &World) -> Option<FieldValue> {
        let named =
            self.job.and_then(|j| world.ctld.cluster.partitions.get(j.partitions.first()?.0 as usize));
        word(named.map(|p| p.name.as_str()).or_else(|| self.record.map(|r| r.partition.as_str()))?)
    }

    fn qos(&self, world: &World) -> Option<FieldValue> {
        let named = self.job.and_then(|j| world.ctld.dbd.qos.iter().find(|q| q.id == j.qos));
        word(named.map(|q| q.name.as_str()).or_else(|| self.record.map(|r| r.qos.as_str()))?)
    }

    fn base_state(&self) -> JobState {
        self.job.map(|j| j.state).or_else(|| self.record.map(|r| r.state)).unwrap_or(JobState::Pending)
    }

    fn state(&self) -> &'static str {
        let configuring = self.job.is_some_and(|j| j.flags.configuring);
        if configuring { "CONFIGURING" } else { self.base_state().long() }
    }

    /// Its record, once it has finished.
    fn ended(&self) -> Option<&'a JobRecord> {
        self.record.filter(|_| self.base_state().ended())
    }

    fn submit(&self) -> Option<Time> {
        self.job.map(|j| j.submit).or_else(|| self.record.map(|r| r.submit))
    }

    fn start(&self) -> Option<Time> {
        let pending = self.base_state() == JobState::Pending;
        self.record.and_then(|r| r.start).filter(|_| !pending)
    }

    fn elapsed(&self, world: &World) -> Option<i64> {
        let start = self.start()?;
        let end = self.ended().and_then(|r| r.end).unwrap_or(world.now);
        let paused = i64::from(self.record.map_or(0, |r| r.suspended));
        Some((end.secs() - start.secs() - paused).max(0))
    }

    fn limit(&self) -> Option<i64> {
        let limit = self.job.map(|j| j.time_limit).or_else(|| self.record.map(|r| r.time_limit))?;
        match limit {
            Limit::Unlimited => None,
            Limit::Minutes(minutes) => Some(i64::from(minutes) * 60),
        }
    }

    fn cpus(&self) -> u32 {
        match (self.record, self.job) {
            (Some(record), _) if record.cpus > 0 => record.cpus,
            (_, Some(job)) => u32::try_from(job.req_tres.cpu).unwrap_or(u32::MAX),
            (Some(record), None) => record.req_cpus,
            (None, None) => 0,
        }
    }

    fn nodes(&self) -> u32 {
        let requested = self.job.map_or(0, |j| u32::try_from(j.req_tres.node).unwrap_or(u32::MAX));
        self.record.map(|r| r.node_count).filter(|n| *n > 0).unwrap_or(requested)
    }

    fn gpus(&self) -> u64 {
        let allocated = self.record.map(|r| &r.alloc_tres).filter(|t| t.cpu > 0);
        let tres =
            allocated.or_else(|| self.job.map(|j| &j.req_tres)).or_else(|| self.record.map(|r| &r.req_tres));
        tres.map_or(0, |t| t.get("gres/gpu"))
    }

    fn memory(&self) -> Option<i64> {
        let allocated = self.record.map(|r| &r.alloc_tres).filter(|t| t.cpu > 0);
        let tres = allocated.or_else(|| self.job.map(|j| &j.req_tres))?;
        i64::try_from(tres.mem.checked_mul(1024)?).ok()
    }

    /// The memory of its largest step, in KiB.
    fn peak(&self) -> Option<i64> {
        let steps = self.record?.steps.values();
        let most = steps.map(|s| s.usage.max_rss.value * u64::from(s.tasks.max(1))).max()?;
        i64::try_from(most).ok()
    }

    fn cpu_seconds(&self) -> Option<i64> {
        let micros: u64 = self.record?.steps.values().map(|s| s.usage.cpu_time).sum();
        i64::try_from(micros / 1_000_000).ok()
    }

    fn is_batch(&self) -> bool {
        let ran = || self.record.is_some_and(|r| r.steps.contains_key(&StepNum::Batch));
        self.job.map_or_else(ran, Job::is_batch)
    }

    /// The user's comment, or the one that the site's scripts set.
    fn comment(&self) -> &'a str {
        let own =
            self.job.and_then(|j| j.comment.as_deref()).or_else(|| self.record.map(|r| r.comment.as_str()));
        let admin = self.record.map_or("", |r| r.admin_comment.as_str());
        own.filter(|text| !text.is_empty()).unwrap_or(admin)
    }

    /// The number of tasks in its record.
    fn weight(&self) -> i64 {
        let many = self.job.and_then(|j| j.array.as_ref()).filter(|a| a.task.is_none());
        many.map_or(1, |a| a.pending.len().into())
    }
}

/// Number of steps created by srun.
fn numbered_steps(record: &JobRecord) -> u32 {
    let numbered = record.steps.keys().filter(|num| matches!(num, StepNum::Number(_)));
    u32::try_from(numbered.count()).unwrap_or(u32::MAX)
}

/// Number of tasks of an array in a state.
fn in_state(thing: &Thing, is: fn(JobState) -> bool) -> Option<FieldValue> {
    number(thing.tasks()?.iter().filter(|t| is(t.base_state())).map(JobThing::weight).sum::<i64>())
}

/// The maximum number of tasks of an array that ran at the same time.
fn at_once(tasks: &[JobThing], now: Time) -> u32 {
    use base::order::StableSort as _;
    let runs = tasks.iter().filter_map(|t| Some((t.start()?, t.ended().and_then(|r| r.end).unwrap_or(now))));
    // At the same moment, ends come before starts.
    let mut changes: Vec<(Time, i32)> = runs.flat_map(|(start, end)| [(start, 1), (end, -1)]).collect();
    changes.order();
    let (mut running, mut most) = (0_i32, 0_i32);
    for (_, change) in changes {
        running += change;
        most = most.max(running);
    }
    u32::try_from(most).unwrap_or(0)
}

fn word(text: &str) -> Option<FieldValue> {
    Some(FieldValue::Word(text.to_owned()))
}

fn number(n: impl Into<i64>) -> Option<FieldValue> {
    Some(FieldValue::Number(n.into()))
}

fn moment(time: Option<Time>) -> Option<FieldValue> {
    time.map(|t| FieldValue::Number(t.secs()))
}

fn kib(mib: u64) -> Option<FieldValue> {
    i64::try_from(mib.checked_mul(1024)?).ok().map(FieldValue::Number)
}

fn flag(is: bool) -> Option<FieldValue> {
    word(if is { "yes" } else { "no" })
}

/// Percentage, rounded down.
fn share(part: i64, whole: i64) -> Option<FieldValue> {
    part.checked_mul(100)?.checked_div(whole).map(FieldValue::Number)
}

/// Maximum number of bytes read from a file.
const MAX_TEXT: usize = 256 << 10;

fn contents(world: &World, thing: &Thing) -> Option<String> {
    let data = world.kernel.fs.read(Uid(0), thing.file()?).ok()?;
    Some(String::from_utf8_lossy(data.get(..data.len().min(MAX_TEXT))?).into_owned())
}
