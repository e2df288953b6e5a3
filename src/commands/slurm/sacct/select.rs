//! Selects and orders the records that sacct shows.

use crate::slurm::jobtext::{self, JobSpec, JobView};
use crate::slurm::private;
use base::hostlist;
use base::ids::StepNum;
use base::ids::Uid;
use base::order::StableSort as _;
use base::state::JobState;
use base::time::{Limit, Time};
use slurmdbd::{JobRecord, StepDbRecord};
use std::collections::{BTreeMap, BTreeSet};

/// The selection; empty lists select everything.
pub struct SacctSelection {
    pub from: Time,
    pub until: Time,
    pub window_is_now: bool,
    /// Job IDs are given and no end time.
    pub any_time: bool,
    pub states: Vec<String>,
    pub jobs: Vec<(JobSpec, Option<String>)>,
    pub users: Option<Vec<u32>>,
    /// Only other clusters are selected.
    pub elsewhere: bool,
    /// The user who runs the command.
    pub asker: Uid,
    pub accounts: Vec<String>,
    pub associations: Vec<String>,
    pub constraints: Vec<String>,
    pub flags: Vec<String>,
    pub groups: Option<Vec<u32>>,
    pub reasons: Vec<String>,
    pub wckeys: Vec<String>,
    pub cpus: Option<Between>,
    pub node_count: Option<Between>,
    /// Minutes.
    pub limits: Option<Between>,
    /// Times are truncated to the window.
    pub truncate: bool,
    /// One line for each pending array task.
    pub each_task: bool,
    pub partitions: Vec<String>,
    pub names: Vec<String>,
    pub qos: Vec<String>,
    pub nodes: Vec<String>,
    pub steps: bool,
    pub duplicates: bool,
    /// `--units`: the unit of memory sizes.
    pub unit: Option<char>,
}

/// A range of numbers, inclusive.
#[derive(Clone, Copy)]
pub struct Between {
    pub low: u32,
    pub high: u32,
}

impl Between {
    const fn has(self, n: u32) -> bool {
        self.low <= n && n <= self.high
    }
}

impl SacctSelection {
    /// The message of `-v` about the window.
    pub fn window_text(&self) -> String {
        let said = |t: Time| match t {
            Time(0) => "Epoch 0".to_owned(),
            t => t.strftime("%a %b %e %H:%M:%S %Y"),
        };
        let from = said(self.from);
        let until = said(self.until);
        match self.states.is_empty() {
            true => format!("Jobs Eligible in the time window from {from} to {until}"),
            false => {
                format!("Jobs in states {} in the time window from {from} to {until}", self.states.join(","))
            }
        }
    }
}

/// A line: a job, or a step of it.
pub struct SacctLine<'a> {
    /// The job record.
    pub job: &'a JobRecord,
    /// The step, if the line shows one.
    pub step: Option<(StepNum, &'a StepDbRecord)>,
    /// The pending task that the line shows, if the record represents several.
    pub task: Option<u32>,
    /// See [`SacctSelection::unit`].
    pub unit: Option<char>,
    /// The window to which times are truncated.
    pub window: Option<(Time, Time)>,
}

/// A key that identifies a job across requeues: the job, and its array and task.
type Name = (u32, Option<(u32, Option<u32>)>);

/// All lines, in order.
pub fn lines<'a>(view: &JobView<'a>, wanted: &SacctSelection) -> Vec<SacctLine<'a>> {
    let mut chosen: Vec<&JobRecord> =
        view.state.dbd.arrived_jobs().values().filter(|r| passes(view, wanted, r)).collect();
    if !wanted.duplicates {
        // Only the last record of a requeued job counts.
        let mut last: BTreeMap<Name, u64> = BTreeMap::new();
        let name = |r: &JobRecord| (r.job.0, r.array.map(|(a, t)| (a.0, t)));
        last.extend(chosen.iter().map(|r| (name(r), r.index.0)));
        chosen.retain(|r| r.resized || last.get(&name(r)) == Some(&r.index.0));
    }
    let window = wanted.truncate.then_some((wanted.from, wanted.until));
    // Sorted by submission time; in the same second single jobs precede arrays.
    let key = |r: &JobRecord| {
        let array = r.array.map_or((0, 0), |(array, task)| (array.0, task.unwrap_or(u32::MAX)));
        (r.submit.secs(), r.restarts > 0, array, r.job.0, r.index.0)
    };
    let mut keyed: Vec<_> = chosen.into_iter().map(|r| (key(r), r)).collect();
    keyed.order_by(|a, b| a.0.cmp(&b.0));
    let mut lines = Vec::new();
    for (_, job) in keyed {
        let asked: BTreeSet<&str> = wanted
            .jobs
            .iter()
            .filter(|(spec, _)| is_named(spec, job))
            .map(|(_, step)| step.as_deref().unwrap_or(""))
            .collect();
        let whole = asked.is_empty() || asked.contains("");
        let tasks =
            wanted.each_task.then(|| jobtext::parse_tasks(&job.tasks)).flatten().filter(|t| !t.is_empty());
        if let Some(tasks) = tasks.filter(|_| whole) {
            lines.extend(tasks.iter().map(|task| SacctLine {
                job,
                step: None,
                task: Some(task),
                unit: wanted.unit,
                window,
            }));
            continue;
        }
        if whole {
            lines.push(SacctLine { job, step: None, task: None, unit: wanted.unit, window });
        }
        if !wanted.steps && whole {
            continue;
        }
        let mut steps: Vec<_> = job.steps.iter().collect();
        steps.order_by_key(|(num, _)| match num {
            StepNum::Batch | StepNum::Interactive => (0, 0),
            StepNum::Extern => (1, 0),
            StepNum::Number(n) => (2, *n),
        });
        for (num, step) in steps {
            if whole || asked.contains(num.to_string().as_str()) {
                lines.push(SacctLine {
                    job,
                    step: Some((*num, step)),
                    task: None,
                    unit: wanted.unit,
                    window,
                });
            }
        }
    }
    lines
}

fn is_named(spec: &JobSpec, job: &JobRecord) -> bool {
    match (job.array, &spec.tasks) {
        (None, None) => job.job.0 == spec.job || job.het.is_some_and(|(leader, _)| leader.0 == spec.job),
        (None, Some(_)) => false,
        (Some((array, _)), None) => array.0 == spec.job || job.job.0 == spec.job,
        (Some((array, task)), Some(tasks)) => array.0 == spec.job && task.is_some_and(|t| tasks.contains(t)),
    }
}

fn passes(view: &JobView, wanted: &SacctSelection, r: &JobRecord) -> bool {
    let one_of = |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
    let any = |list: &[String], text: &str| {
        list.is_empty() || list.iter().any(|n| text.split(['&', '|', ',']).any(|w| w.eq_ignore_ascii_case(n)))
    };
    let within = |range: Option<Between>, n: u32| range.is_none_or(|r| r.has(n));
    let minutes = match r.time_limit {
        Limit::Minutes(minutes) => minutes,
        Limit::Unlimited => u32::MAX,
    };
    !wanted.elsewhere
        && (wanted.jobs.is_empty() || wanted.jobs.iter().any(|(spec, _)| is_named(spec, r)))
        && in_window(wanted, r)
        && wanted.users.as_ref().is_none_or(|u| u.contains(&r.uid.0))
        && wanted.groups.as_ref().is_none_or(|g| g.contains(&r.uid.0))
        && one_of(&wanted.accounts, &r.account)
        && (wanted.associations.is_empty()
            || r.assoc.is_some_and(|a| one_of(&wanted.associations, &a.to_string())))
        && any(&wanted.constraints, &r.constraints)
        && one_of(&wanted.partitions, &r.partition)
        && one_of(&wanted.names, &r.name)
        && one_of(&wanted.qos, &r.qos)
        && any(&wanted.reasons, &r.reason)
        && one_of(&wanted.wckeys, &r.wckey)
        && (wanted.flags.is_empty() || any(&wanted.flags, flags(r)))
        && within(wanted.cpus, r.cpus)
        && within(wanted.node_count, r.node_count)
        && within(wanted.limits, minutes)
        && on_nodes(&wanted.nodes, r)
        && private::may_see(view.state, wanted.asker, private::PrivateKind::Jobs, r.uid, &r.account)
}

fn on_nodes(nodes: &[String], r: &JobRecord) -> bool {
    nodes.is_empty() || {
        let mine = hostlist::expand(&r.nodes).unwrap_or_default();
        nodes.iter().any(|n| mine.contains(n))
    }
}

/// A job's `Flags`.
pub const fn flags(r: &JobRecord) -> &'static str {
    match (r.start, r.backfilled) {
        (None, _) => "StartReceived",
        (Some(_), false) => "SchedMain,StartReceived",
        (Some(_), true) => "SchedBackfill,StartReceived",
    }
}

/// Without states: jobs that were eligible before the end of the window and did not end before its start. With
/// states: jobs that were in one of them within the window.
fn in_window(wanted: &SacctSelection, r: &JobRecord) -> bool {
    let ended = r.end.filter(|_| r.state.ended() || r.requeued || r.resized);
    if wanted.states.is_empty() {
        // The remainder of a cancelled array is shown only if its ID or state is selected.
        let rest = r.array.is_some_and(|(array, _)| array == r.job) && r.cpus == 0;
        if rest && ended.is_some() && wanted.jobs.is_empty() {
            return false;
        }
        // A job that is not eligible is still found by its id.
        return (wanted.any_time || r.eligible <= wanted.until) && ended.is_none_or(|end| end >= wanted.from);
    }
    let waited_until = r.start.or(ended);
    wanted.states.iter().any(|s| {
        if is_state(s, JobState::Pending) {
            r.eligible <= wanted.until && waited_until.is_none_or(|t| t > wanted.from)
        } else if is_state(s, JobState::Running) {
            r.start.is_some_and(|t| t <= wanted.until) && ended.is_none_or(|t| t > wanted.from)
        } else if is_state(s, JobState::Suspended) {
            r.state == JobState::Suspended
        } else {
            let requeued = s.eq_ignore_ascii_case("RQ") || s.eq_ignore_ascii_case("REQUEUED");
            let same = is_state(s, r.state) && !r.requeued || requeued && r.requeued;
            same && !wanted.window_is_now && ended.is_some_and(|t| t >= wanted.from && t <= wanted.until)
        }
    })
}

fn is_state(name: &str, state: JobState) -> bool {
    name.eq_ignore_ascii_case(state.long()) || name.eq_ignore_ascii_case(state.compact())
}
