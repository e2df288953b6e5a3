//! What can be asked of jobs, arrays, nodes and files: the tables of fields.

use super::{Kind, Subject, Value};
use crate::base::ids::{JobId, StepNum, Uid};
use crate::base::state::JobState;
use crate::base::time::{Limit, Time};
use crate::commands::slurm::{jobtext, nodetext};
use crate::slurmctld::job::Job;
use crate::slurmctld::node::Node;
use crate::slurmdbd::JobRecord;
use crate::world::World;

/// Something that a claim is about.
#[derive(Clone, Debug)]
pub enum Thing<'a> {
    Job(JobThing<'a>),
    Array(Vec<JobThing<'a>>),
    Node(&'a Node),
    /// Its path.
    File(String),
}

/// A job: its newest record in the database, and what slurmctld has in memory.
#[derive(Clone, Copy, Debug)]
pub struct JobThing<'a> {
    pub record: Option<&'a JobRecord>,
    pub job: Option<&'a Job>,
    /// Earlier runs that were preempted.
    pub preempted: i64,
}

/// A field: its name, how its values are written, and how it is read.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub read: fn(&World, &Thing) -> Option<Value>,
}

/// The fields of what a claim is about.
#[must_use]
pub const fn fields(subject: &Subject) -> &'static [Field] {
    match subject {
        Subject::Job => JOB,
        Subject::Array => ARRAY,
        Subject::Node => NODE,
        Subject::File(_) => FILE,
    }
}

const fn field(name: &'static str, kind: Kind, read: fn(&World, &Thing) -> Option<Value>) -> Field {
    Field { name, kind, read }
}

const JOB: &[Field] = &[
    field("id", Kind::Count, |_, t| number(t.job()?.id().0)),
    field("name", Kind::Word, |_, t| word(t.job()?.name())),
    field("user", Kind::Word, |w, t| t.job()?.user(w).map(Value::Word)),
    field("account", Kind::Word, |_, t| t.job()?.text(|j| &j.account, |r| &r.account)),
    field("partition", Kind::Word, |w, t| t.job()?.partition(w)),
    field("qos", Kind::Word, |w, t| t.job()?.qos(w)),
    field("state", Kind::Word, |_, t| word(t.job()?.state())),
    field("reason", Kind::Word, |_, t| word(t.job()?.job.map(jobtext::reason)?)),
    field("exit", Kind::Count, |_, t| number(t.job()?.ended()?.exit.code)),
    field("signal", Kind::Count, |_, t| number(t.job()?.ended()?.exit.signal)),
    field("submit", Kind::Moment, |_, t| moment(t.job()?.submit())),
    field("start", Kind::Moment, |_, t| moment(t.job()?.start())),
    field("end", Kind::Moment, |_, t| moment(t.job()?.ended()?.end)),
    field("waited", Kind::Duration, |w, t| {
        let job = t.job()?;
        number(job.start().unwrap_or(w.now).secs() - job.submit()?.secs())
    }),
    field("elapsed", Kind::Duration, |w, t| t.job()?.elapsed(w).map(Value::Number)),
    field("limit", Kind::Duration, |_, t| t.job()?.limit().map(Value::Number)),
    field("limit_used", Kind::Percent, |w, t| share(t.job()?.elapsed(w)?, t.job()?.limit()?)),
    field("cpus", Kind::Count, |_, t| number(t.job()?.cpus())),
    field("nodes", Kind::Count, |_, t| number(t.job()?.nodes())),
    field("node", Kind::Word, |_, t| word(&t.job()?.record?.nodes)),
    field("gpus", Kind::Count, |_, t| number(i64::try_from(t.job()?.gpus()).ok()?)),
    field("memory", Kind::Memory, |_, t| t.job()?.memory().map(Value::Number)),
    field("peak_memory", Kind::Memory, |_, t| t.job()?.peak().map(Value::Number)),
    field("memory_used", Kind::Percent, |_, t| share(t.job()?.peak()?, t.job()?.memory()?)),
    field("cpu_used", Kind::Percent, |w, t| {
        let job = t.job()?;
        share(job.cpu_seconds()?, job.elapsed(w)?.checked_mul(job.cpus().into())?)
    }),
    field("steps", Kind::Count, |_, t| number(numbered_steps(t.job()?.record?))),
    field("step_tasks", Kind::Count, |_, t| {
        number(t.job()?.record?.steps.values().map(|s| s.tasks).max().unwrap_or(0))
    }),
    field("batch", Kind::Flag, |_, t| flag(t.job()?.is_batch())),
    field("array", Kind::Count, |_, t| number(t.job()?.array()?.0.0)),
    field("task", Kind::Count, |_, t| number(t.job()?.array()?.1?)),
    field("restarts", Kind::Count, |_, t| {
        let job = t.job()?;
        number(job.job.map_or_else(|| job.record.map_or(0, |r| r.restarts), |j| j.restarts))
    }),
    field("preempted", Kind::Count, |_, t| number(t.job()?.preempted)),
    field("backfilled", Kind::Flag, |_, t| flag(t.job()?.record?.backfilled)),
    field("constraint", Kind::Word, |_, t| word(&t.job()?.record?.constraints)),
    field("comment", Kind::Word, |_, t| word(t.job()?.comment())),
    field("priority", Kind::Count, |_, t| {
        let job = t.job()?;
        number(job.job.map_or_else(|| job.record.map_or(0, |r| r.priority), |j| j.priority))
    }),
    field("dependency", Kind::Flag, |_, t| flag(t.job()?.job.is_some_and(|j| !j.deps.is_empty()))),
];

const ARRAY: &[Field] = &[
    field("id", Kind::Count, |_, t| number(t.tasks()?.first()?.array()?.0.0)),
    field("name", Kind::Word, |_, t| word(t.tasks()?.first()?.name())),
    field("user", Kind::Word, |w, t| t.tasks()?.first()?.user(w).map(Value::Word)),
    field("tasks", Kind::Count, |_, t| number(t.tasks()?.iter().map(JobThing::weight).sum::<i64>())),
    field("completed", Kind::Count, |_, t| in_state(t, |s| s == JobState::Complete)),
    field("pending", Kind::Count, |_, t| in_state(t, |s| s == JobState::Pending)),
    field("running", Kind::Count, |_, t| in_state(t, |s| s == JobState::Running)),
    field("ended", Kind::Count, |_, t| in_state(t, JobState::ended)),
    field("failed", Kind::Count, |_, t| in_state(t, |s| s.ended() && s != JobState::Complete)),
    field("at_once", Kind::Count, |w, t| number(at_once(t.tasks()?, w.now))),
    field("submit", Kind::Moment, |_, t| moment(t.tasks()?.iter().filter_map(JobThing::submit).min())),
    field("start", Kind::Moment, |_, t| moment(t.tasks()?.iter().filter_map(JobThing::start).min())),
    field("end", Kind::Moment, |_, t| {
        let tasks = t.tasks()?;
        let over = tasks.iter().all(|task| task.ended().is_some());
        moment(tasks.iter().filter_map(|task| task.ended()?.end).max().filter(|_| over))
    }),
];

const NODE: &[Field] = &[
    field("name", Kind::Word, |_, t| word(&t.node()?.conf.name)),
    field("state", Kind::Word, |w, t| Some(Value::Word(nodetext::state_complete(&w.ctld, t.node()?)))),
    field("jobs", Kind::Count, |_, t| number(i64::try_from(t.node()?.jobs.len()).ok()?)),
    field("cpus", Kind::Count, |_, t| number(t.node()?.conf.cpus)),
    field("memory", Kind::Memory, |_, t| kib(t.node()?.conf.real_memory)),
];

const FILE: &[Field] = &[
    field("path", Kind::Word, |_, t| word(t.file()?)),
    field("text", Kind::Word, |w, t| contents(w, t).map(Value::Word)),
    field("lines", Kind::Count, |w, t| {
        let text = contents(w, t)?;
        number(i64::try_from(text.lines().count()).ok()?)
    }),
    field("bytes", Kind::Count, |w, t| {
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
    /// Its number.
    pub fn id(&self) -> JobId {
        self.job.map(|j| j.id).or_else(|| self.record.map(|r| r.job)).unwrap_or_default()
    }

    /// Its array, and its task in it.
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

    /// Whose it is.
    pub fn user(&self, world: &World) -> Option<String> {
        self.job.map(|j| world.kernel.users.name(j.uid())).or_else(|| self.record.map(|r| r.user.clone()))
    }

    fn text(&self, job: fn(&Job) -> &str, record: fn(&JobRecord) -> &str) -> Option<Value> {
        word(self.job.map(job).or_else(|| self.record.map(record))?)
    }

    fn partition(&self, world: &World) -> Option<Value> {
        let named =
            self.job.and_then(|j| world.ctld.cluster.partitions.get(j.partitions.first()?.0 as usize));
        word(named.map(|p| p.name.as_str()).or_else(|| self.record.map(|r| r.partition.as_str()))?)
    }

    fn qos(&self, world: &World) -> Option<Value> {
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

    /// Its record, once it is over.
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

    /// The largest step's memory, KiB.
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

    /// What people or the site noted of it.
    fn comment(&self) -> &'a str {
        let own =
            self.job.and_then(|j| j.comment.as_deref()).or_else(|| self.record.map(|r| r.comment.as_str()));
        let admin = self.record.map_or("", |r| r.admin_comment.as_str());
        own.filter(|text| !text.is_empty()).unwrap_or(admin)
    }

    /// Tasks that it stands for.
    fn weight(&self) -> i64 {
        let many = self.job.and_then(|j| j.array.as_ref()).filter(|a| a.task.is_none());
        many.map_or(1, |a| a.pending.len().into())
    }
}

/// Steps that srun made.
fn numbered_steps(record: &JobRecord) -> u32 {
    let numbered = record.steps.keys().filter(|num| matches!(num, StepNum::Number(_)));
    u32::try_from(numbered.count()).unwrap_or(u32::MAX)
}

/// How many tasks of an array are in a state.
fn in_state(thing: &Thing, is: fn(JobState) -> bool) -> Option<Value> {
    number(thing.tasks()?.iter().filter(|t| is(t.base_state())).map(JobThing::weight).sum::<i64>())
}

/// The most tasks of an array that ever ran at one time.
fn at_once(tasks: &[JobThing], now: Time) -> u32 {
    use crate::base::order::Order as _;
    let runs = tasks.iter().filter_map(|t| Some((t.start()?, t.ended().and_then(|r| r.end).unwrap_or(now))));
    // Whoever ends makes room for who starts at the same moment.
    let mut changes: Vec<(Time, i32)> = runs.flat_map(|(start, end)| [(start, 1), (end, -1)]).collect();
    changes.order();
    let (mut running, mut most) = (0_i32, 0_i32);
    for (_, change) in changes {
        running += change;
        most = most.max(running);
    }
    u32::try_from(most).unwrap_or(0)
}

fn word(text: &str) -> Option<Value> {
    Some(Value::Word(text.to_owned()))
}

fn number(n: impl Into<i64>) -> Option<Value> {
    Some(Value::Number(n.into()))
}

fn moment(time: Option<Time>) -> Option<Value> {
    time.map(|t| Value::Number(t.secs()))
}

fn kib(mib: u64) -> Option<Value> {
    i64::try_from(mib.checked_mul(1024)?).ok().map(Value::Number)
}

fn flag(is: bool) -> Option<Value> {
    word(if is { "yes" } else { "no" })
}

/// Per cent, rounded down.
fn share(part: i64, whole: i64) -> Option<Value> {
    part.checked_mul(100)?.checked_div(whole).map(Value::Number)
}

/// Bytes of a file that are looked at.
const MAX_TEXT: usize = 256 << 10;

fn contents(world: &World, thing: &Thing) -> Option<String> {
    let data = world.kernel.fs.read(Uid(0), thing.file()?).ok()?;
    Some(String::from_utf8_lossy(data.get(..data.len().min(MAX_TEXT))?).into_owned())
}
