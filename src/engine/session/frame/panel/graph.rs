//! Dependencies and arrays. A satisfied dependency is no longer in the job's list, so it is read from the
//! submission. Tasks of arrays that slurmctld has dropped are searched among the newest records of slurmdbd.

use crate::session::frame::{People, queue};
use crate::world::World;
use base::ids::JobId;
use base::state::JobState;
use commands::slurm::jobtext;
use protocol::{ArrayRow, EdgeState, GraphEdge, GraphJob, GraphPicture};
use slurmctld::job::{Array, DepKind, DepState, Dependency, Job};

/// Maximum number of inspected jobs, the newest first.
const MAX_LOOK: usize = 100_000;
/// Maximum number of jobs in the graph.
const MAX_JOBS: usize = 120;
/// Maximum number of dependencies in the graph.
const MAX_EDGES: usize = 240;
/// Maximum number of arrays in the list.
const MAX_ARRAYS: usize = 40;
/// Maximum number of tasks of the open array.
const MAX_TASKS: usize = 2_000;
/// Maximum number of database records searched for tasks and for jobs that slurmctld has dropped.
const MAX_RECORDS: usize = 20_000;

/// The whole panel; `open` is an array's job id.
pub fn picture(world: &World, open: Option<u32>, people: &People) -> GraphPicture {
    let mut graph =
        Graph { world, people, jobs: Vec::new(), edges: Vec::new(), cut: false, records: MAX_RECORDS };
    let mut arrays: Vec<JobId> = Vec::new();
    for job in world.ctld.jobs.values().rev().take(MAX_LOOK) {
        if let Some(array) = &job.array
            && arrays.len() < MAX_ARRAYS
            && !arrays.contains(&array.job)
        {
            arrays.push(array.job);
        }
        if job.desc.dependency.is_some() || !job.deps.is_empty() {
            graph.dependent(job);
        }
    }
    let row = |id: &JobId| array_row(world, *id, people);
    let arrays: Vec<ArrayRow> = arrays.iter().filter_map(row).collect();
    let known = |id: &u32| world.ctld.array_records(JobId(*id)).next().is_some();
    let open = open.filter(known).or_else(|| arrays.first().map(|a| a.job));
    GraphPicture {
        tasks: open.map(|id| tasks(world, JobId(id))).unwrap_or_default(),
        jobs: graph.jobs,
        edges: graph.edges,
        cut: graph.cut,
        arrays,
        open,
    }
}

struct Graph<'a> {
    world: &'a World,
    people: &'a People,
    jobs: Vec<GraphJob>,
    edges: Vec<GraphEdge>,
    cut: bool,
    /// Number of slurmdbd records that may still be searched.
    records: usize,
}

impl Graph<'_> {
    /// Adds the present and past dependencies of a job.
    fn dependent(&mut self, job: &Job) {
        let ctld = &self.world.ctld;
        let text = job.desc.dependency.as_deref().unwrap_or_default();
        let asked = ctld.named_dependencies(text, job.id);
        let now = |wish: &Dependency| {
            let same = |d: &&Dependency| (d.kind, d.job, d.task) == (wish.kind, wish.job, wish.task);
            job.deps.iter().find(same)
        };
        let held = asked.iter().filter(|wish| now(wish).is_none());
        // A submitted dependency that is no longer in the list was satisfied. `scontrol update` may have added others.
        let all = job.deps.iter().map(|d| (d, edge_state(d.state)));
        let all = all.chain(held.map(|d| (d, EdgeState::Satisfied)));
        for (dep, state) in all {
            let from = match dep.kind {
                DepKind::Singleton => ctld.singleton_blocker(job),
                DepKind::After
                | DepKind::AfterAny
                | DepKind::AfterBurstBuffer
                | DepKind::AfterCorr
                | DepKind::AfterNotOk
                | DepKind::AfterOk => Some(dep.job),
            };
            if let Some(from) = from.filter(|id| *id != number(job)) {
                self.edge(from, number(job), dep, state, job.deps_any);
            }
        }
    }

    fn edge(&mut self, from: JobId, to: JobId, dep: &Dependency, state: EdgeState, any: bool) {
        if self.edges.len() >= MAX_EDGES || self.jobs.len() + 2 > MAX_JOBS {
            self.cut = true;
            return;
        }
        let (Some(from), Some(to)) = (self.job_index(from), self.job_index(to)) else { return };
        let kind = kind(dep);
        let same = |e: &&mut GraphEdge| (e.from, e.to, e.kind.as_str()) == (from, to, kind.as_str());
        match self.edges.iter_mut().find(same) {
            // The tasks of an array share a node.
            Some(edge) => edge.state = edge.state.max(state),
            None => self.edges.push(GraphEdge { from, to, kind, state, any }),
        }
    }

    /// A job's index, if slurmctld or slurmdbd has a record of it.
    fn job_index(&mut self, id: JobId) -> Option<u32> {
        let at = self.jobs.iter().position(|j| j.job == id.0);
        let at = match at {
            Some(at) => at,
            None => {
                let job = graph_job(self.world, id, self.people).or_else(|| self.recorded(id))?;
                self.jobs.push(job);
                self.jobs.len() - 1
            }
        };
        u32::try_from(at).ok()
    }

    /// A job in slurmdbd, among its newest records.
    fn recorded(&mut self, id: JobId) -> Option<GraphJob> {
        // The bound applies to all searches for the graph together.
        let left = &mut self.records;
        let newest = self.world.ctld.dbd.jobs.values().rev().take(*left).inspect(|_| *left -= 1);
        let mut wanted = newest.filter(|r| r.job == id || r.array.is_some_and(|(array, _)| array == id));
        let record = wanted.next()?;
        Some(GraphJob {
            id: id.to_string(),
            job: id.0,
            name: record.name.clone(),
            user: record.user.clone(),
            user_index: queue::index(self.people, record.uid),
            state: record.state.compact().to_owned(),
            reason: String::new(),
        })
    }
}

/// The job id that `sbatch` printed.
fn number(job: &Job) -> JobId {
    job.array.as_ref().map_or(job.id, |a| a.job)
}

const fn edge_state(state: DepState) -> EdgeState {
    match state {
        DepState::Unfulfilled => EdgeState::Waiting,
        DepState::Fulfilled => EdgeState::Satisfied,
        DepState::Failed => EdgeState::Never,
    }
}

/// `afterok`, `after+5`, `afterok _3`.
fn kind(dep: &Dependency) -> String {
    let text = dep.to_string();
    let word = text.split([':', '(']).next().unwrap_or_default();
    let delay = if dep.delay > 0 { format!("+{}", dep.delay) } else { String::new() };
    let task = dep.task.map(|t| format!(" _{t}")).unwrap_or_default();
    format!("{word}{delay}{task}")
}

/// A job. For an array, the most informative record: a pending one, otherwise a running one, otherwise the worst end.
fn graph_job(world: &World, id: JobId, people: &People) -> Option<GraphJob> {
    let ctld = &world.ctld;
    let records = || ctld.array_records(id).filter_map(|id| ctld.job(id));
    let says = |state: JobState| records().find(|j| j.state == state);
    let job = says(JobState::Pending)
        .or_else(|| says(JobState::Running))
        .or_else(|| records().find(|j| j.state != JobState::Complete))
        .or_else(|| records().next())
        .or_else(|| ctld.job(id))?;
    let one = job.array.as_ref().is_none_or(|a| a.task.is_none());
    Some(GraphJob {
        id: if one { job.id_text() } else { format!("{id}_[…]") },
        job: id.0,
        name: job.name.clone(),
        user: world.kernel.users.name(job.uid()),
        user_index: queue::index(people, job.uid()),
        state: job.shown_state().1.to_owned(),
        reason: if job.state == JobState::Pending { jobtext::reason(job).to_owned() } else { String::new() },
    })
}

fn array_row(world: &World, id: JobId, people: &People) -> Option<ArrayRow> {
    let ctld = &world.ctld;
    let records = || ctld.array_records(id).filter_map(|id| ctld.job(id));
    let first = records().next()?;
    let array = first.array.as_ref()?;
    let count = |state| records().filter(|j| j.state == state).map(queue::tasks).sum();
    Some(ArrayRow {
        job: id.0,
        name: first.name.clone(),
        user: world.kernel.users.name(first.uid()),
        user_index: queue::index(people, first.uid()),
        count: array.count,
        throttle: array.throttle,
        pending: count(JobState::Pending),
        running: count(JobState::Running),
    })
}

/// The first tasks of an array. Its task ids follow from its records and those of slurmdbd.
fn tasks(world: &World, id: JobId) -> Vec<(u32, String)> {
    let ctld = &world.ctld;
    let mut tasks: Vec<(u32, String)> = Vec::new();
    let mut asked: Option<&Array> = None;
    for job in ctld.array_records(id).filter_map(|id| ctld.job(id)).take(MAX_TASKS) {
        let Some(array) = &job.array else { continue };
        asked = Some(array);
        let code = job.shown_state().1;
        match array.task {
            Some(task) => put(&mut tasks, task, code),
            None => array.pending.iter().take(MAX_TASKS).for_each(|task| put(&mut tasks, task, code)),
        }
    }
    let Some(asked) = asked else { return tasks };
    if tasks.len() < (asked.count as usize).min(MAX_TASKS) {
        let records = world.ctld.dbd.jobs.values().rev().take(MAX_RECORDS);
        for record in records {
            if let Some((array, Some(task))) = record.array
                && array == id
                && tasks.binary_search_by_key(&task, |t| t.0).is_err()
            {
                put(&mut tasks, task, record.state.compact());
            }
        }
    }
    tasks.truncate(MAX_TASKS);
    tasks
}

fn put(tasks: &mut Vec<(u32, String)>, task: u32, code: &str) {
    match tasks.binary_search_by_key(&task, |t| t.0) {
        Ok(at) => tasks[at].1 = code.to_owned(),
        Err(at) => tasks.insert(at, (task, code.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Input;
    use base::time::{Span, Time};
    use config::SiteFiles;

    #[test]
    fn purged_jobs_are_in_the_graph() {
        let conf = "ClusterName=t\nMinJobAge=60\nNodeName=n1\nPartitionName=a Nodes=ALL Default=YES\n";
        let files = [("slurm.conf", conf), ("site.toml", "[[users]]\nname = \"alice\"\n")];
        let files = SiteFiles(files.map(|(name, text)| (name.into(), text.into())).into());
        let (mut world, _) = World::new("t", &files, 1, Time::from_secs(1_795_240_458));
        let command = "sbatch -J first --wrap true; sbatch -d afternotok:1 --wrap true";
        world.apply(&Input::Run { user: "alice".into(), command: command.into() });
        let until = world.now + Span::from_secs(600);
        while world.step(until) {}
        assert!(world.ctld.job(JobId(1)).is_none() && world.ctld.job(JobId(2)).is_some());
        let graph = picture(&world, None, &People::new());
        let names: Vec<_> = graph.jobs.iter().map(|j| (j.id.as_str(), j.name.as_str(), &*j.state)).collect();
        assert_eq!(names, [("1", "first", "CD"), ("2", "wrap", "PD")]);
        let edges: Vec<_> = graph.edges.iter().map(|e| (e.from, e.to, e.state)).collect();
        assert_eq!(edges, [(0, 1, EdgeState::Never)]);
    }
}
