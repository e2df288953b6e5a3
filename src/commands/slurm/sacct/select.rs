//! Which records sacct shows, and in which order.

use crate::base::hostlist;
use crate::base::ids::StepNum;
use crate::base::order::Order as _;
use crate::base::state::JobState;
use crate::base::time::Time;
use crate::commands::slurm::jobtext::{JobSpec, View};
use crate::slurmdbd::{JobRecord, StepDbRecord};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked for; empty lists: all.
pub struct Wanted {
    pub from: Time,
    pub until: Time,
    pub window_is_now: bool,
    pub states: Vec<String>,
    pub jobs: Vec<(JobSpec, Option<String>)>,
    pub users: Option<Vec<u32>>,
    pub accounts: Vec<String>,
    pub partitions: Vec<String>,
    pub names: Vec<String>,
    pub qos: Vec<String>,
    pub nodes: Vec<String>,
    pub steps: bool,
    pub duplicates: bool,
    /// `--units`: the letter of the unit in which memory is shown.
    pub unit: Option<char>,
}

impl Wanted {
    /// What `-v` says about the window.
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
pub struct Line<'a> {
    pub job: &'a JobRecord,
    pub step: Option<(StepNum, &'a StepDbRecord)>,
    /// See [`Wanted::unit`].
    pub unit: Option<char>,
}

/// What tells jobs apart whatever their incarnation: the job, and the array and task it is of.
type Name = (u32, Option<(u32, Option<u32>)>);

/// All lines, in order.
pub fn lines<'a>(view: &View<'a>, wanted: &Wanted) -> Vec<Line<'a>> {
    let records = || view.state.dbd.jobs.values();
    // Of a requeued job only its last record counts, unless duplicates are asked for.
    let mut last: BTreeMap<Name, u64> = BTreeMap::new();
    let name = |r: &JobRecord| (r.job.0, r.array.map(|(a, t)| (a.0, t)));
    for record in records().filter(|r| passes(wanted, r)) {
        last.insert(name(record), record.index.0);
    }
    let mut chosen: Vec<&JobRecord> = records()
        .filter(|r| wanted.duplicates || last.get(&name(r)) == Some(&r.index.0))
        .filter(|r| passes(wanted, r))
        .collect();
    // By submission; of one second single jobs come before arrays.
    chosen.order_by_key(|r| {
        let array = r.array.map_or((0, 0), |(array, task)| (array.0, task.unwrap_or(u32::MAX)));
        (r.submit.secs(), r.restarts > 0, array, r.job.0, r.index.0)
    });
    let mut lines = Vec::new();
    for job in chosen {
        let asked: BTreeSet<&str> = wanted
            .jobs
            .iter()
            .filter(|(spec, _)| is_named(spec, job))
            .map(|(_, step)| step.as_deref().unwrap_or(""))
            .collect();
        let whole = asked.is_empty() || asked.contains("");
        if whole {
            lines.push(Line { job, step: None, unit: wanted.unit });
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
                lines.push(Line { job, step: Some((*num, step)), unit: wanted.unit });
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

fn passes(wanted: &Wanted, r: &JobRecord) -> bool {
    let one_of = |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
    let named = wanted.jobs.is_empty() || wanted.jobs.iter().any(|(spec, _)| is_named(spec, r));
    let nodes = wanted.nodes.is_empty() || {
        let mine = hostlist::expand(&r.nodes).unwrap_or_default();
        wanted.nodes.iter().any(|n| mine.contains(n))
    };
    named
        && in_window(wanted, r)
        && wanted.users.as_ref().is_none_or(|u| u.contains(&r.uid.0))
        && one_of(&wanted.accounts, &r.account)
        && one_of(&wanted.partitions, &r.partition)
        && one_of(&wanted.names, &r.name)
        && one_of(&wanted.qos, &r.qos)
        && nodes
}

/// Without states: what was eligible before the end of the window and had not ended before its start. With states:
/// what was in one of them within the window.
fn in_window(wanted: &Wanted, r: &JobRecord) -> bool {
    let ended = r.end.filter(|_| r.state.ended() || r.requeued);
    if wanted.states.is_empty() {
        // Of an array that was cancelled what was left is only shown to those who ask for it by its id or state.
        let rest = r.array.is_some_and(|(array, _)| array == r.job) && r.cpus == 0;
        if rest && ended.is_some() && wanted.jobs.is_empty() {
            return false;
        }
        return r.eligible <= wanted.until && ended.is_none_or(|end| end >= wanted.from);
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
