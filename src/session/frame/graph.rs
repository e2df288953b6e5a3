//! Dependencies and arrays. What holds is no longer in a job's dependencies, so the submission tells of it; what slurmctld
//! has forgotten of an array's tasks is looked up among the newest records of slurmdbd.

use super::{People, queue};
use crate::base::ids::JobId;
use crate::base::state::JobState;
use crate::commands::slurm::jobtext;
use crate::protocol::{ArrayRow, EdgeStanding, GraphEdge, GraphJob, GraphPicture};
use crate::slurmctld::job::{Array, DepKind, DepState, Dependency, Job};
use crate::world::World;

/// Jobs that are looked at, the newest first.
const MAX_LOOK: usize = 100_000;
/// Jobs in the graph ...
const MAX_JOBS: usize = 120;
/// ... and what they wait for.
const MAX_EDGES: usize = 240;
/// Arrays in the list.
const MAX_ARRAYS: usize = 40;
/// Tasks of the open array.
const MAX_TASKS: usize = 2_000;
/// Records of the database that are searched for tasks, and for jobs that slurmctld has forgotten.
const MAX_RECORDS: usize = 20_000;

/// Everything of it; `open` is an array's number.
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
    /// Records of slurmdbd that may still be looked at.
    records: usize,
}

impl Graph<'_> {
    /// What a job waits for or waited for.
    fn dependent(&mut self, job: &Job) {
        let ctld = &self.world.ctld;
        let text = job.desc.dependency.as_deref().unwrap_or_default();
        let asked = ctld.named_dependencies(text, job.id);
        let now = |wish: &Dependency| {
            let same = |d: &&Dependency| (d.kind, d.job, d.task) == (wish.kind, wish.job, wish.task);
            job.deps.iter().find(same)
        };
        let held = asked.iter().filter(|wish| now(wish).is_none());
        // What is not among its dependencies any more has come true; after scontrol update there may be others.
        let all = job.deps.iter().map(|d| (d, standing(d.state)));
        let all = all.chain(held.map(|d| (d, EdgeStanding::Satisfied)));
        for (dep, standing) in all {
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
                self.edge(from, number(job), dep, standing, job.deps_any);
            }
        }
    }

    fn edge(&mut self, from: JobId, to: JobId, dep: &Dependency, standing: EdgeStanding, any: bool) {
        if self.edges.len() >= MAX_EDGES || self.jobs.len() + 2 > MAX_JOBS {
            self.cut = true;
            return;
        }
        let (Some(from), Some(to)) = (self.place(from), self.place(to)) else { return };
        let kind = kind(dep);
        let same = |e: &&mut GraphEdge| (e.from, e.to, e.kind.as_str()) == (from, to, kind.as_str());
        match self.edges.iter_mut().find(same) {
            // Tasks of an array stand together.
            Some(edge) => edge.standing = edge.standing.max(standing),
            None => self.edges.push(GraphEdge { from, to, kind, standing, any }),
        }
    }

    /// A job's place, where slurmctld or slurmdbd still knows it.
    fn place(&mut self, id: JobId) -> Option<u32> {
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

    /// A job as slurmdbd has it, among its newest records.
    fn recorded(&mut self, id: JobId) -> Option<GraphJob> {
        // What was looked at counts for all that the graph looks for.
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

/// The number that `sbatch` printed.
fn number(job: &Job) -> JobId {
    job.array.as_ref().map_or(job.id, |a| a.job)
}

const fn standing(state: DepState) -> EdgeStanding {
    match state {
        DepState::Unfulfilled => EdgeStanding::Waiting,
        DepState::Fulfilled => EdgeStanding::Satisfied,
        DepState::Failed => EdgeStanding::Never,
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

/// A job; of an array the record that says most: one that waits, else one that runs, else the worst end.
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
        id: if one { jobtext::id_text(job) } else { format!("{id}_[…]") },
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

/// The first tasks of an array. Which numbers it has follows from its records and from slurmdbd's.
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
    use crate::base::time::{Span, Time};
    use crate::config::SiteFiles;
    use crate::world::Input;

    #[test]
    fn what_slurmctld_has_forgotten_stands_in_the_graph() {
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
        let edges: Vec<_> = graph.edges.iter().map(|e| (e.from, e.to, e.standing)).collect();
        assert_eq!(edges, [(0, 1, EdgeStanding::Never)]);
    }
}
