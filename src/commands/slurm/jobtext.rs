//! Texts about a job that several commands share.

use crate::Cx;
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{JobId, QosId, Uid};
use base::time::{Limit, Time, hms, hms_short};
use base::tres::{TresOrder, mem_text};
use host::users::Users;
use slurmctld::Slurmctld;
use slurmctld::job::{Array, DepKind, DepState, Dependency, Job, JobState, Memory, NodeAlloc};
pub use slurmctld::job_text::task_list;

/// What formatting needs besides the job.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct JobView<'a> {
    pub state: &'a Slurmctld,
    pub users: &'a Users,
    pub now: Time,
    /// The user who runs the command.
    pub asker: Uid,
    /// `SLURM_TIME_FORMAT`, if set.
    pub times: Option<&'a str>,
}

impl<'a> JobView<'a> {
    /// The view of a running command.
    #[must_use]
    pub fn of(cx: &'a Cx) -> Self {
        let times = cx.env.get("SLURM_TIME_FORMAT").map(String::as_str).filter(|f| !f.is_empty());
        Self { state: cx.cluster.state(), users: &cx.kernel.users, now: cx.now, asker: cx.uid(), times }
    }

    /// A time in the format of `SLURM_TIME_FORMAT`.
    #[must_use]
    pub fn moment(&self, time: Time) -> String {
        match self.times {
            None | Some("standard") => time.iso(),
            Some("relative") => relative(time, self.now),
            Some(format) => time.strftime(format),
        }
    }

    /// A time, or `none`.
    #[must_use]
    pub fn moment_or(&self, time: Option<Time>, none: &str) -> String {
        time.map_or_else(|| none.to_owned(), |time| self.moment(time))
    }

    /// The name of a QOS.
    #[must_use]
    pub fn qos(&self, id: QosId) -> String {
        self.state.dbd.qos.iter().find(|q| q.id == id).map_or_else(|| "normal".to_owned(), |q| q.name.clone())
    }

    /// The names of a job's partitions: all while it is pending, then the one it runs in.
    #[must_use]
    pub fn partitions(&self, job: &Job) -> String {
        let mut names = job.partitions.iter().map(|p| self.state.partition(*p).name.as_str());
        if job.state != JobState::Pending {
            return names.next().unwrap_or_default().to_owned();
        }
        // A name that was given twice stands there twice.
        let given = job.desc.partition.as_deref().unwrap_or_default();
        let times = |name: &str| given.split(',').filter(|n| *n == name).count().max(1);
        names.flat_map(|name| std::iter::repeat_n(name, times(name))).collect::<Vec<_>>().join(",")
    }

    /// A set of nodes as a host list.
    #[must_use]
    pub fn hosts(&self, set: &BitSet) -> String {
        let names: Vec<&str> = set
            .iter()
            .filter_map(|i| self.state.nodes.get(i as usize))
            .map(|n| n.conf.name.as_str())
            .collect();
        hostlist::compress(&names)
    }

    /// The nodes on which a completing job still has processes; for other jobs all of its nodes.
    fn held<'j>(&self, job: &'j Job) -> Option<Vec<&'j NodeAlloc>> {
        let open = |part: &&NodeAlloc| {
            let node = self.state.nodes.get(part.node.0 as usize);
            !job.flags.completing || node.is_some_and(|n| n.completing.contains_key(&job.id))
        };
        Some(job.allocation.as_ref()?.nodes.iter().filter(open).collect())
    }

    /// Nodes that a job has or had.
    #[must_use]
    pub fn nodelist(&self, job: &Job) -> String {
        match self.held(job) {
            Some(parts) => self.hosts(&parts.iter().map(|n| n.node.0).collect()),
            None if job.state == JobState::Pending => String::new(),
            None => job.nodes_text.clone(),
        }
    }

    /// The expected start of a pending job, the real start of others.
    #[must_use]
    pub fn start(&self, job: &Job) -> Option<Time> {
        if job.state != JobState::Pending {
            return job.start;
        }
        if job.flags.completing {
            return Some(self.now);
        }
        job.start
            .or_else(|| job.planned.as_ref().map(|p| p.0))
            .or_else(|| job.begin.filter(|b| *b > self.now))
    }

    /// The (expected) end time.
    #[must_use]
    pub fn end(&self, job: &Job) -> Option<Time> {
        if job.state == JobState::Pending {
            return Some(self.start(job)? + job.time_limit.span()?);
        }
        job.end
    }

    /// The number of allocated nodes, or the minimum number requested.
    #[must_use]
    pub fn node_count(&self, job: &Job) -> u32 {
        if let Some(parts) = self.held(job) {
            return u32::try_from(parts.len()).unwrap_or(u32::MAX);
        }
        if job.state != JobState::Pending && !job.nodes_text.is_empty() {
            return hostlist::expand(&job.nodes_text).map_or(1, |l| u32::try_from(l.len()).unwrap_or(1));
        }
        job.needs.min_nodes.max(job.needs.likely_nodes).max(1)
    }

    /// The number of allocated or requested CPUs.
    #[must_use]
    pub fn cpus(&self, job: &Job) -> u32 {
        match &job.allocation {
            Some(alloc) => alloc.nodes.iter().map(|n| n.cpus).sum(),
            None => job.needs.min_cpus.max(1),
        }
    }

    /// `cpu=4,mem=8000M,node=1,billing=4` of the allocated or requested TRES.
    #[must_use]
    pub fn tres(&self, job: &Job) -> String {
        let tres = job.allocation.as_ref().map_or(&job.req_tres, |a| &a.tres);
        tres.text(TresOrder::Id, &self.state.cluster.global.tracked_gres)
    }
}

/// The time of day if `time` is today, otherwise the date.
fn relative(time: Time, now: Time) -> String {
    const DAY: i64 = 86_400;
    let days = time.secs().div_euclid(DAY) - now.secs().div_euclid(DAY);
    match days {
        0 => time.strftime("%H:%M:%S"),
        -1 => time.strftime("Ystday %H:%M"),
        1 => time.strftime("Tomorr %H:%M"),
        -6..=6 => time.strftime("%a %H:%M"),
        _ if time.civil().year() == now.civil().year() => time.strftime("%-d %b %H:%M"),
        _ => time.strftime("%-d %b %Y"),
    }
}

/// `1-00:00:00`, `30:00`, `UNLIMITED`: a time limit in the format of `squeue`.
#[must_use]
pub fn limit_short(limit: Limit) -> String {
    match limit {
        Limit::Unlimited => "UNLIMITED".to_owned(),
        Limit::Minutes(m) if i32::try_from(m).is_err() => "INVALID".to_owned(),
        Limit::Minutes(m) => hms_short(i64::from(m) * 60),
    }
}

/// `00:30:00`: a time limit in the format of `scontrol` and `sacct`.
#[must_use]
pub fn limit_long(limit: Limit) -> String {
    match limit {
        Limit::Unlimited => "UNLIMITED".to_owned(),
        Limit::Minutes(m) => hms(i64::from(m) * 60),
    }
}

/// A time, or `none`.
#[must_use]
pub fn time_or(time: Option<Time>, none: &str) -> String {
    time.map_or_else(|| none.to_owned(), Time::iso)
}

/// An optional text, `(null)` if missing.
#[must_use]
pub fn or_null(text: Option<&str>) -> String {
    text.filter(|t| !t.is_empty()).unwrap_or("(null)").to_owned()
}

/// A job's SLUID, a string that sorts by submission time.
#[must_use]
pub fn sluid(submit: Time, job: JobId) -> String {
    format!("s{:013X}", submit.secs().unsigned_abs() << 12 | u64::from(job.0 & 0xfff))
}

/// `OverSubscribe`: `YES` if the job asked to share nodes; `OK` if its partition allows it and the job did not
/// refuse; else `NO`.
#[must_use]
pub fn oversubscribe(view: &JobView, job: &Job) -> &'static str {
    use config::OverSubscribe::{Exclusive, Force, No, Yes};
    if job.desc.oversubscribe {
        return "YES";
    }
    let part = job.partitions.first().and_then(|p| view.state.partitions.get(p.0 as usize));
    match part.map(|p| p.over_subscribe) {
        Some(Yes(_) | Force(_)) if slurmctld::exclusive_of(view.state, job).is_none() => "OK",
        Some(No | Exclusive | Yes(_) | Force(_)) | None => "NO",
    }
}

/// The pending reason as a sentence or a name.
#[must_use]
pub fn reason(job: &Job) -> &str {
    job.state_desc.as_deref().unwrap_or_else(|| job.reason.text())
}

/// The tasks that an array's common record represents, with `%2`.
#[must_use]
pub fn pending_tasks(job: &Job) -> Option<String> {
    job.array.as_ref().filter(|a| a.task.is_none()).map(Array::text)
}

/// `afterok:1(unfulfilled),afterany:2_*(unfulfilled)`; fulfilled dependencies are removed.
#[must_use]
pub fn dependencies(job: &Job) -> String {
    if job.state != JobState::Pending {
        return "(null)".to_owned();
    }
    let open: Vec<String> =
        job.deps.iter().filter(|d| d.state != DepState::Fulfilled).map(dependency).collect();
    if open.is_empty() { "(null)".to_owned() } else { open.join(if job.deps_any { "?" } else { "," }) }
}

fn dependency(dep: &Dependency) -> String {
    let kind = dep.kind.name();
    let state = match dep.state {
        DepState::Unfulfilled => "unfulfilled",
        DepState::Fulfilled => "fulfilled",
        DepState::Failed => "failed",
    };
    if dep.kind == DepKind::Singleton {
        return format!("{kind}({state})");
    }
    let task = match dep.task {
        Some(task) => format!("_{task}"),
        None if dep.is_array => "_*".to_owned(),
        None => String::new(),
    };
    let delay = if dep.delay > 0 { format!("+{}", dep.delay) } else { String::new() };
    format!("{kind}:{}{task}{delay}({state})", dep.job)
}

/// The requested memory in the format of `MIN_MEMORY`.
#[must_use]
pub fn min_memory(memory: Memory) -> String {
    match memory {
        Memory::PerNode(0) | Memory::PerCpu(0) | Memory::PerGpu(0) | Memory::Unset => "0".to_owned(),
        Memory::PerNode(m) | Memory::PerCpu(m) | Memory::PerGpu(m) => mem_text(m),
    }
}

/// Whether a job is in the named state (`PD`, `running`, `CG`).
#[must_use]
pub fn in_state(job: &Job, name: &str) -> bool {
    let is = |long: &str, short: &str| long.eq_ignore_ascii_case(name) || short.eq_ignore_ascii_case(name);
    let flags = [
        (job.flags.completing, "COMPLETING", "CG"),
        (job.flags.configuring, "CONFIGURING", "CF"),
        (job.flags.requeued, "REQUEUED", "RQ"),
        (job.flags.requeue_hold, "REQUEUE_HOLD", "RH"),
        (job.flags.special_exit, "SPECIAL_EXIT", "SE"),
        (job.flags.stopped, "STOPPED", "ST"),
    ];
    flags.iter().any(|(set, long, short)| *set && is(long, short))
        || is(job.state.long(), job.state.compact())
}

/// The same for `squeue -t`: a completing, configuring or stopped job is not in its base state.
#[must_use]
pub fn just_in_state(job: &Job, name: &str) -> bool {
    let f = &job.flags;
    let is =
        |(long, short): (&str, &str)| long.eq_ignore_ascii_case(name) || short.eq_ignore_ascii_case(name);
    let base = is((job.state.long(), job.state.compact()));
    in_state(job, name) && !(base && (f.completing || f.configuring || f.stopped))
}

/// All names of job states, in the order of Slurm's message.
pub const STATES: &[(&str, &str)] = &[
    ("pending", "PD"),
    ("running", "R"),
    ("suspended", "S"),
    ("completed", "CD"),
    ("cancelled", "CA"),
    ("failed", "F"),
    ("timeout", "TO"),
    ("node_fail", "NF"),
    ("preempted", "PR"),
    ("boot_fail", "BF"),
    ("deadline", "DL"),
    ("out_of_memory", "OOM"),
    ("completing", "CG"),
    ("configuring", "CF"),
    ("expediting", ""),
    ("resizing", "RS"),
    ("resv_del_hold", "RD"),
    ("requeued", "RQ"),
    ("requeue_fed", "RF"),
    ("requeue_hold", "RH"),
    ("revoked", "RV"),
    ("signaling", "SI"),
    ("special_exit", "SE"),
    ("stage_out", "SO"),
    ("stopped", "ST"),
];

/// Whether this names a job state.
#[must_use]
pub fn is_state(name: &str) -> bool {
    STATES
        .iter()
        .any(|(l, s)| l.eq_ignore_ascii_case(name) || (!s.is_empty() && s.eq_ignore_ascii_case(name)))
}

/// A job ID as typed, perhaps with array tasks: `12`, `12_3`, `12_[1-3,7]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct JobSpec {
    pub job: u32,
    pub tasks: Option<BitSet>,
    /// The heterogeneous job in `12+1`, which names one of its components.
    pub leader: Option<u32>,
}

impl JobSpec {
    /// Whether the specification names a component of another job than this one.
    #[must_use]
    pub fn mistakes(&self, job: &Job) -> bool {
        self.leader.is_some_and(|leader| job.het.map_or(job.id, |het| het.leader).0 != leader)
    }
}

/// Maximum number of tasks in one specification.
const MAX_TASKS: u32 = 4_000_000;

/// Parses `12`, `12_3`, `12_[1-3,7]`, `12_*`.
#[must_use]
pub fn parse_job(text: &str) -> Option<JobSpec> {
    let (job, tasks) = text.split_once('_').map_or((text, None), |(a, b)| (a, Some(b)));
    // Components of a heterogeneous job have consecutive numbers.
    let component = job.split_once('+').filter(|(_, o)| tasks.is_none() && !o.is_empty());
    let (job, offset) = component.unwrap_or((job, "0"));
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let leader = component.and_then(|_| number(job));
    let job = number(job)?.checked_add(number(offset)?)?;
    let tasks = match tasks {
        None | Some("*") => None,
        Some(list) => {
            Some(parse_tasks(list.strip_prefix('[').and_then(|l| l.strip_suffix(']')).unwrap_or(list))?)
        }
    };
    Some(JobSpec { job, tasks, leader })
}

/// Parses `1-6%2`, `1,3,5-9:2`.
#[must_use]
pub fn parse_tasks(list: &str) -> Option<BitSet> {
    let mut set = BitSet::new();
    let list = list.split('%').next()?;
    for part in list.split(',') {
        let (range, step) = part.split_once(':').unwrap_or((part, "1"));
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (low, high, step): (u32, u32, usize) =
            (low.parse().ok()?, high.parse().ok()?, step.parse().ok()?);
        if high >= MAX_TASKS || step == 0 || low > high {
            return None;
        }
        (low..=high).step_by(step).for_each(|i| set.insert(i));
    }
    Some(set)
}

/// Splits `1,3_[2-4],5` at commas outside brackets.
#[must_use]
pub fn split_list(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|p| !p.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_lists_as_recorded() {
        let list = |text: &str| parse_tasks(text).map(|s| task_list(&s));
        assert_eq!(list("1-6%2").as_deref(), Some("1-6"));
        assert_eq!(list("1,3,5-9:2,20-22").as_deref(), Some("1,3,5,7,9,20-22"));
        assert_eq!(list("0-200:7").as_deref(), Some("0-196:7"));
        assert_eq!(list("1-7:2,20").as_deref(), Some("1,3,5,7,20"));
        assert_eq!(list("3-1"), None);
    }

    #[test]
    fn job_names() {
        let tasks: BitSet = [1, 2, 3, 7].into_iter().collect();
        assert_eq!(parse_job("12_[1-3,7]"), Some(JobSpec { job: 12, tasks: Some(tasks), leader: None }));
        assert_eq!(parse_job("12"), Some(JobSpec { job: 12, tasks: None, leader: None }));
        for bad in ["", "abc", "12_x", "-1", "12_", "+3"] {
            assert_eq!(parse_job(bad), None, "{bad}");
        }
        assert_eq!(split_list("1,3_[2,4],5"), ["1", "3_[2,4]", "5"]);
    }
}
