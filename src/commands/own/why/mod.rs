//! `why JOBID`: explains why a job waits, as a sentence and a small table, and lists changes that would let
//! it start now.

mod words;

use crate::Cx;
use crate::slurm::jobtext::{JobView, parse_job};
use base::ids::JobId;
use slurmctld::Slurmctld;
use slurmctld::verdict::{Backfill, Standing, Tried, Verdict};

const HELP: &str = "\
Usage: why JOBID...
Explains why a job is pending: what blocks it, the verdict of each node, its expected start and what that assumes,
and which single changes would let it start now. A command of sandbatch; real clusters do not have it.
";

/// Maximum number of jobs per call.
const MOST: usize = 8;

/// Runs why. Exit code 0 if all jobs were found.
pub fn run(cx: &mut Cx) -> u8 {
    let args: Vec<String> = cx.args().to_vec();
    if args.is_empty() || args.iter().any(|a| matches!(a.as_str(), "-h" | "--help")) {
        cx.print(HELP);
        return u8::from(args.is_empty());
    }
    let mut code = 0;
    for arg in args.iter().take(MOST) {
        let found = record(cx.cluster.state(), arg);
        let text = found.and_then(|id| explained(&JobView::of(cx), id));
        match text {
            Some(text) => cx.print(&text),
            None => {
                cx.error(&format!("no job '{arg}' in slurmctld's memory"));
                code = 1;
            }
        }
    }
    if args.len() > MOST {
        cx.error(&format!("only the first {MOST} jobs are explained"));
    }
    cx.line("(why is a command of sandbatch, not of Slurm)");
    code
}

/// The record of a job id; for an array without a task, the record of the pending tasks.
fn record(state: &Slurmctld, text: &str) -> Option<JobId> {
    let spec = parse_job(text)?;
    let id = JobId(spec.job);
    let of_array = || state.array_records(id).filter_map(|id| state.job(id));
    let Some(task) = spec.tasks.and_then(|t| t.first()) else {
        let waits = of_array().find(|j| j.array.as_ref().is_some_and(|a| !a.pending.is_empty()));
        return waits.map(|j| j.id).or_else(|| state.job(id).map(|j| j.id));
    };
    let has = |a: &slurmctld::job::Array| a.task == Some(task) || a.pending.contains(task);
    of_array().find(|j| j.array.as_ref().is_some_and(has)).map(|j| j.id)
}

fn explained(view: &JobView, id: JobId) -> Option<String> {
    let job = view.state.job(id)?;
    let verdict = view.state.verdict(id, view.now)?;
    let mut text = format!("{}\n", words::sentence(view, job, &verdict));
    for tried in &verdict.tried {
        text += &table(view, tried);
    }
    text += &plans(view, &verdict);
    if !matches!(verdict.standing, Standing::Past(_)) && verdict.starts().is_none() {
        let changes = view.state.remedies(id, view.now);
        let queued = matches!(verdict.standing, Standing::Queued { .. });
        text += match (changes.is_empty(), queued) {
            (true, true) => "  No single change to its request would let it start now.\n",
            (true, false) => "",
            (false, _) => "  Any one of these changes would let it start now:\n",
        };
        for change in &changes {
            text += &format!("    {}\n", words::change(view, job, change));
        }
    }
    Some(text)
}

/// The nodes, grouped by verdict.
fn table(view: &JobView, tried: &Tried) -> String {
    let name = view.state.partitions.get(tried.part.0 as usize).map_or("", |p| p.name.as_str());
    let mut text = format!("  nodes in partition {name}:\n");
    for group in &tried.nodes {
        let more = if group.nodes as usize > group.names.len() { ",..." } else { "" };
        let names = view.hosts(&group.names.iter().map(|n| n.0).collect());
        let room = if group.tasks > 0 { format!(" (tasks: {})", group.tasks) } else { String::new() };
        text +=
            &format!("    {:>5}  {}{room}: {names}{more}\n", group.nodes, words::cause(view, group.cause));
    }
    text
}

/// What the expected start assumes, and the backfill reservations ahead.
fn plans(view: &JobView, verdict: &Verdict) -> String {
    let Backfill::Expects(expected) = &verdict.backfill else { return String::new() };
    let mut text = String::new();
    let (rests, count) = &expected.rests_on;
    if *count > 0 {
        text += "  this estimate assumes:\n";
    }
    for rest in rests {
        text += &format!("    {}\n", words::rest(view, *rest));
    }
    text += &more(*count, rests.len());
    let (plans, count) = &expected.in_front;
    if *count > 0 {
        text += "  free nodes reserved for jobs ahead of it:\n";
    }
    for plan in plans {
        text += &format!(
            "    job {} ({} {}) from {} to {}\n",
            plan.job,
            plan.nodes,
            if plan.nodes == 1 { "node" } else { "nodes" },
            plan.start,
            plan.end
        );
    }
    text + &more(*count, plans.len())
}

fn more(count: u32, shown: usize) -> String {
    let left = (count as usize).saturating_sub(shown);
    if left > 0 { format!("    and {left} more\n") } else { String::new() }
}
