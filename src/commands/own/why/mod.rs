//! `why JOBID`: explains why a job waits, as a sentence and a small table, and lists changes that would let
//! it start now.

mod words;

use crate::Cx;
use crate::slurm::jobtext::{JobView, parse_job};
use base::ids::JobId;
use base::verdict::{BackfillVerdict, Eligibility, FirstOf, PartitionVerdict, Verdict};
use slurmctld::Slurmctld;

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
    let mut text = format!("{}\n", words::sentence(job, &verdict));
    for partition in &verdict.partitions {
        text += &table(partition);
    }
    text += &plans(&verdict);
    if !matches!(verdict.eligibility, Eligibility::Past(_)) && verdict.starts().is_none() {
        let changes = view.state.remedies(id, view.now);
        let queued = matches!(verdict.eligibility, Eligibility::Queued { .. });
        text += match (changes.is_empty(), queued) {
            (true, true) => "  No single change to its request would let it start now.\n",
            (true, false) => "",
            (false, _) => "  Any one of these changes would let it start now:\n",
        };
        for change in &changes {
            text += &format!("    {}\n", words::change(job, &verdict.needs, change));
        }
    }
    Some(text)
}

/// The nodes, grouped by verdict.
fn table(partition: &PartitionVerdict) -> String {
    let mut text = format!("  nodes in partition {}:\n", partition.partition);
    for group in &partition.nodes {
        let more = if group.is_cut() { ",..." } else { "" };
        let tasks = if group.tasks > 0 { format!(" (tasks: {})", group.tasks) } else { String::new() };
        let cause = words::cause(&group.cause);
        text += &format!("    {:>5}  {cause}{tasks}: {}{more}\n", group.nodes, group.names);
    }
    text
}

/// What the expected start assumes, and the backfill reservations ahead.
fn plans(verdict: &Verdict) -> String {
    let BackfillVerdict::Expects(expected) = &verdict.backfill else { return String::new() };
    let mut text = String::new();
    if expected.assumes.count > 0 {
        text += "  this estimate assumes:\n";
    }
    for assumption in &expected.assumes.first {
        text += &format!("    {}\n", words::assumption(assumption));
    }
    text += &more(&expected.assumes);
    if expected.in_front.count > 0 {
        text += "  free nodes reserved for jobs ahead of it:\n";
    }
    for plan in &expected.in_front.first {
        text += &format!(
            "    job {} ({} {}) from {} to {}\n",
            plan.job.job,
            plan.nodes,
            if plan.nodes == 1 { "node" } else { "nodes" },
            plan.start,
            plan.end
        );
    }
    text + &more(&expected.in_front)
}

fn more<T>(list: &FirstOf<T>) -> String {
    let left = (list.count as usize).saturating_sub(list.first.len());
    if left > 0 { format!("    and {left} more\n") } else { String::new() }
}
