//! Which rows squeue shows: arrays folded or one row for each task, filtered and sorted.

use super::Filter;
use crate::base::bitset::BitSet;
use crate::base::ids::Uid;
use crate::base::order::Order as _;
use crate::commands::slurm::jobtext::{self, JobSpec, View};
use crate::slurmctld::job::{Job, JobState};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Whether it is in the queue and not only on its way back to it.
fn waits(job: &Job) -> bool {
    job.state == JobState::Pending && !job.flags.completing
}

/// One row: a job, a task of an array, or all waiting tasks of an array.
pub struct Row<'a> {
    /// The record.
    pub job: &'a Job,
    /// The task it stands for where the record stands for many.
    pub task: Option<u32>,
    /// Tasks and reasons of the records that are folded into this row.
    pub folded: Option<(String, String)>,
}

impl Row<'_> {
    /// The array's task, or tasks.
    pub fn tasks(&self) -> Option<String> {
        let array = self.job.array.as_ref()?;
        if let Some((tasks, _)) = &self.folded {
            return Some(tasks.clone());
        }
        match self.task.or(array.task) {
            Some(task) => Some(task.to_string()),
            None => jobtext::pending_tasks(self.job),
        }
    }

    /// `12_[3-10%2]`.
    pub fn id(&self) -> String {
        let Some(array) = &self.job.array else { return self.job.id_text() };
        match (&self.folded, self.task) {
            (Some((tasks, _)), _) => format!("{}_[{tasks}]", array.job),
            (None, Some(task)) => format!("{}_{task}", array.job),
            (None, None) => jobtext::id_text(self.job),
        }
    }

    /// Why it waits.
    pub fn reason(&self) -> String {
        self.folded.as_ref().map_or_else(|| jobtext::reason(self.job), |(_, reasons)| reasons.clone())
    }
}

/// All rows, in order.
pub fn rows<'a>(view: &View<'a>, filter: &Filter, each_task: bool, sort: &str) -> Vec<Row<'a>> {
    let places = jobtext::list_places(view.state);
    let place = |job: &Job| places.get(&job.id.0).copied().unwrap_or(job.id.0);
    let mut jobs: Vec<&Job> = view.state.jobs.values().filter(|job| passes(view, filter, job)).collect();
    jobs.order_by_key(|job| place(job));
    let folded = if each_task { BTreeMap::new() } else { fold(&jobs, filter) };
    let mut rows = Vec::new();
    for job in jobs {
        let of = job.array.as_ref().map(|a| a.job.0);
        let pending = waits(job);
        match of.and_then(|array| folded.get(&array)).filter(|_| pending) {
            Some(text) if job.array.as_ref().is_some_and(|a| a.task.is_none()) => {
                rows.push(Row { job, task: None, folded: text.clone() });
            }
            Some(_) => {}
            None => add(&mut rows, job, filter, each_task),
        }
    }
    let keys: Vec<(bool, char)> = sort
        .split(',')
        .filter_map(|key| {
            let down = key.starts_with('-');
            Some((down, key.trim_start_matches(['-', '+', '#']).chars().next()?))
        })
        .collect();
    let ties = keys.last().is_none_or(|(_, key)| *key != 'S');
    rows.order_by(|a, b| {
        let by_keys = keys.iter().map(|(down, key)| {
            let order = compare(view, *key, a, b);
            if *down { order.reverse() } else { order }
        });
        by_keys
            .fold(Ordering::Equal, Ordering::then)
            .then_with(|| if ties { tie(view, a, b, &place) } else { place(a.job).cmp(&place(b.job)) })
    });
    rows
}

/// Equal keys: later starts first; without a start the newest first.
fn tie(view: &View, a: &Row, b: &Row, place: &impl Fn(&Job) -> u32) -> Ordering {
    let (sa, sb) = (view.start(a.job), view.start(b.job));
    let places = place(a.job).cmp(&place(b.job));
    let by_task = a.task.cmp(&b.task);
    sb.cmp(&sa).then(if sa.is_none() { places.reverse() } else { places }).then(by_task)
}

/// Rows of one record: one, or one for each task that is asked for.
fn add<'a>(rows: &mut Vec<Row<'a>>, job: &'a Job, filter: &Filter, each_task: bool) {
    let Some(array) = job.array.as_ref().filter(|a| a.task.is_none()) else {
        rows.push(Row { job, task: None, folded: None });
        return;
    };
    let asked = asked_tasks(filter, array.job.0);
    if !each_task && asked.is_none() {
        rows.push(Row { job, task: None, folded: None });
        return;
    }
    for task in array.pending.iter().filter(|t| asked.as_ref().is_none_or(|set| set.contains(*t))) {
        rows.push(Row { job, task: Some(task), folded: None });
    }
}

/// The tasks that `-j 4_2` names; none: the array as a whole, or nothing of it is named.
fn asked_tasks(filter: &Filter, array: u32) -> Option<BitSet> {
    let specs: Vec<&JobSpec> = filter.jobs.iter().filter(|s| s.job == array).collect();
    if specs.is_empty() || specs.iter().any(|s| s.tasks.is_none()) {
        return None;
    }
    let mut all = BitSet::new();
    specs.iter().filter_map(|s| s.tasks.as_ref()).for_each(|t| all.union_with(t));
    Some(all)
}

/// Arrays whose waiting tasks are shown in one row: those that still have a common record. The value is the text
/// where single tasks have records too.
fn fold(jobs: &[&Job], filter: &Filter) -> BTreeMap<u32, Option<(String, String)>> {
    let mut arrays: BTreeMap<u32, (bool, BitSet, Vec<String>, u32)> = BTreeMap::new();
    for job in jobs.iter().filter(|j| waits(j)) {
        let Some(array) = &job.array else { continue };
        if asked_tasks(filter, array.job.0).is_some() {
            continue;
        }
        let entry = arrays.entry(array.job.0).or_default();
        match array.task {
            Some(task) => entry.1.insert(task),
            None => {
                entry.0 = true;
                entry.1.union_with(&array.pending);
            }
        }
        entry.3 += 1;
    }
    // The common record's reason comes first.
    for job in jobs.iter().filter(|j| waits(j)) {
        let Some(array) = &job.array else { continue };
        let Some(entry) = arrays.get_mut(&array.job.0) else { continue };
        let reason = jobtext::reason(job);
        if array.task.is_none() {
            entry.2.retain(|r| *r != reason);
            entry.2.insert(0, reason);
        } else if !entry.2.contains(&reason) {
            entry.2.push(reason);
        }
    }
    let text = |(_, tasks, reasons, records): (bool, BitSet, Vec<String>, u32)| {
        (records > 1).then(|| (jobtext::task_list(&tasks), reasons.join(",")))
    };
    arrays.into_iter().filter(|(_, e)| e.0).map(|(id, e)| (id, text(e))).collect()
}

fn passes(view: &View, filter: &Filter, job: &Job) -> bool {
    let one_of = |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
    let state = if !filter.states.is_empty() {
        filter.states.iter().any(|s| jobtext::in_state(job, s))
    } else {
        filter.all_states || !job.state.ended() || job.flags.completing
    };
    let asked = filter.jobs.is_empty() || filter.jobs.iter().any(|spec| names(spec, job));
    let partitions = view.partitions(job);
    let shown = |uid: Uid| {
        let mut parts = job.partitions.iter().map(|p| view.state.partition(*p));
        parts.any(|part| view.state.partition_shown(part, uid))
    };
    state
        && filter.shown_to.is_none_or(shown)
        && asked
        && filter.users.as_ref().is_none_or(|uids| uids.contains(&job.uid().0))
        && one_of(&filter.accounts, &job.account)
        && (filter.partitions.is_empty() || partitions.split(',').any(|p| one_of(&filter.partitions, p)))
        && one_of(&filter.qos, &view.qos(job.qos))
        && one_of(&filter.names, &job.name)
        && filter.reservation.as_ref().is_none_or(|r| view.state.reservation_names(job) == *r)
        && (filter.licenses.is_empty() || job.needs.licenses.keys().any(|l| filter.licenses.contains(l)))
        && (filter.nodes.is_empty() || on_nodes(view, job, &filter.nodes))
}

fn on_nodes(view: &View, job: &Job, nodes: &[String]) -> bool {
    let mine = crate::base::hostlist::expand(&view.nodelist(job)).unwrap_or_default();
    mine.iter().any(|n| nodes.contains(n))
}

/// Whether a specification names this record, or tasks of it.
pub fn names(spec: &JobSpec, job: &Job) -> bool {
    match (&job.array, &spec.tasks) {
        (None, None) => job.id.0 == spec.job || job.het.is_some_and(|h| h.leader.0 == spec.job),
        (None, Some(_)) => false,
        (Some(array), None) => array.job.0 == spec.job || job.id.0 == spec.job,
        (Some(array), Some(tasks)) => {
            array.job.0 == spec.job
                && match array.task {
                    Some(task) => tasks.contains(task),
                    None => tasks.intersects(&array.pending),
                }
        }
    }
}

fn compare(view: &View, key: char, a: &Row, b: &Row) -> Ordering {
    let (x, y) = (a.job, b.job);
    let id = |r: &Row| {
        let array = r.job.array.as_ref();
        (array.map_or(r.job.id, |a| a.job), array.map(|a| r.task.or(a.task).or(a.pending.first())))
    };
    // What has no start comes last.
    let start = |j: &Job| view.start(j).map_or(i64::MAX, |t| t.0);
    let end = |j: &Job| view.end(j).map_or(i64::MAX, |t| t.0);
    let state = |j: &Job| (j.flags.completing, j.state);
    match key {
        'i' | 'A' | 'F' => id(a).cmp(&id(b)),
        'j' => x.name.cmp(&y.name),
        'u' => view.users.name(x.uid()).cmp(&view.users.name(y.uid())),
        'U' => x.uid().cmp(&y.uid()),
        'P' => view.partitions(x).cmp(&view.partitions(y)),
        't' | 'T' => rank(state(x)).cmp(&rank(state(y))),
        'p' | 'Q' => x.priority.cmp(&y.priority),
        'M' => x.run_seconds(view.now).cmp(&y.run_seconds(view.now)),
        'l' => x.time_limit.cmp(&y.time_limit),
        'L' => end(x).cmp(&end(y)),
        'D' => view.node_count(x).cmp(&view.node_count(y)),
        'C' => view.cpus(x).cmp(&view.cpus(y)),
        'S' => start(x).cmp(&start(y)),
        'e' => end(x).cmp(&end(y)),
        'V' => x.submit.cmp(&y.submit),
        'a' => x.account.cmp(&y.account),
        'q' => view.qos(x.qos).cmp(&view.qos(y.qos)),
        'r' => jobtext::reason(x).cmp(&jobtext::reason(y)),
        'N' | 'R' => view.nodelist(x).cmp(&view.nodelist(y)),
        'y' => x.nice.cmp(&y.nice),
        _ => Ordering::Equal,
    }
}

/// Waiting jobs first, then completing ones, then running ones.
fn rank((completing, state): (bool, JobState)) -> u8 {
    match (completing, state) {
        (_, JobState::Pending) => 0,
        (true, _) => 1,
        (false, JobState::Running) => 2,
        (false, JobState::Suspended) => 3,
        (false, state) => 4 + state as u8,
    }
}
