//! `squeue -s`: running steps, with their own fields.

use super::Filter;
use super::row::names;
use crate::Cx;
use crate::slurm::format;
use crate::slurm::getopt::ParsedArguments;
use crate::slurm::jobtext::{self, JobView, or_null};
use base::bitset::BitSet;
use base::ids::StepNum;
use base::order::StableSort as _;
use base::time::hms_short;
use slurmctld::job::{Job, StepRecord};

type StepText = fn(&JobView, &Job, &StepRecord) -> String;
type SqueueStepField = format::FormatField<StepText>;

const fn f(
    letter: &'static str,
    names: &'static [&'static str],
    title: &'static str,
    get: StepText,
) -> SqueueStepField {
    SqueueStepField::new(letter, names, title, get)
}

/// The fields of `-o` and `-O`.
#[rustfmt::skip]
const FIELDS: &[SqueueStepField] = &[
    f("A", &["numtasks"], "TASKS", |_, _, s| s.tasks.to_string()),
    f("b", &["tres-per-job"], "TRES_PER_JOB", |_, _, _| or_null(None)),
    f("i", &["stepid"], "STEPID", |_, j, s| id(j, s)),
    f("j", &["stepname", "name"], "NAME", |_, _, s| s.name.clone()),
    f("l", &["timelimit"], "TIME_LIMIT", |_, _, _| "UNLIMITED".to_owned()),
    f("M", &["timeused"], "TIME", |v, _, s| hms_short(v.now.secs() - s.start.secs())),
    f("N", &["nodes", "nodelist"], "NODELIST", |v, _, s| v.hosts(&s.nodes.iter().map(|n| n.0.0).collect::<BitSet>())),
    f("P", &["partition"], "PARTITION", |v, j, _| v.partitions(j)),
    f("S", &["starttime"], "START_TIME", |v, _, s| v.moment(s.start)),
    f("U", &["userid"], "UID", |_, j, _| j.uid().to_string()),
    f("u", &["username"], "USER", |v, j, _| v.users.name(j.uid())),
    f("", &["arrayjobid"], "ARRAY_JOB_ID", |_, j, _| j.array.as_ref().map_or(0, |a| a.job.0).to_string()),
    f("", &["arraytaskid"], "ARRAY_TASK_ID", |_, j, _| task(j)),
    f("", &["cluster"], "CLUSTER", |v, _, _| v.state.cluster.global.cluster_name.clone()),
    f("", &["container"], "CONTAINER", |_, j, _| or_null(j.desc.extras.container.as_deref())),
    f("", &["containerid"], "CONTAINER_ID", |_, j, _| or_null(j.desc.extras.container_id.as_deref())),
    f("", &["cpufreq"], "CPU_FREQ", |_, _, s| cpu_freq(s).to_owned()),
    f("", &["jobid"], "JOB_ID", |_, j, _| j.id.to_string()),
    f("", &["network"], "NETWORK", |_, j, _| or_null(j.desc.extras.network.as_deref())),
    f("", &["numcpus"], "NUM_CPUS", |_, _, s| cpus(s).to_string()),
    f("", &["resvport", "resvports"], "RESERVED_PORTS", |_, _, _| or_null(None)),
    f("", &["stepstate"], "STATE", |_, _, _| "RUNNING".to_owned()),
    f("", &["tres-bind"], "TRES_BIND", |_, _, _| "N/A".to_owned()),
    f("", &["tres-per-node"], "TRES_PER_NODE", |_, _, s| or_null(Some(s.tres_per_node.as_str()).filter(|t| !t.is_empty()))),
];

fn id(job: &Job, step: &StepRecord) -> String {
    format!("{}.{}", job.id_text(), step.num)
}

fn task(job: &Job) -> String {
    job.array.as_ref().and_then(|a| a.task).map_or_else(|| "N/A".to_owned(), |t| t.to_string())
}

const fn cpu_freq(step: &StepRecord) -> &'static str {
    if matches!(step.num, StepNum::Number(_)) { "Unknown-Unknown:Unknown" } else { "0-0:0" }
}

/// The CPUs of a numbered step. The batch step has no count.
fn cpus(step: &StepRecord) -> u32 {
    if matches!(step.num, StepNum::Number(_)) { step.nodes.iter().map(|n| n.1).sum() } else { 0 }
}

/// Prints the steps.
pub fn print(cx: &mut Cx, parsed: &ParsedArguments, filter: &Filter) -> u8 {
    let (name, text) = parsed.last_of(&["format", "Format"]).unwrap_or(("format", super::STEPS));
    let (parts, unknown) = format::read(FIELDS, text, name == "Format");
    for field in unknown {
        cx.complain(&format!("squeue: error: Invalid job step format specification: {field}"));
    }
    let asked =
        parsed.value("steps").map(str::to_owned).or_else(|| parsed.rest.first().cloned()).unwrap_or_default();
    let wanted: Vec<_> =
        jobtext::split_list(&asked).into_iter().map(|w| w.split_once('.').unwrap_or((w, ""))).collect();
    if let Some((job, step)) = wanted.iter().find(|(job, _)| jobtext::parse_job(job).is_none()) {
        let step = if step.is_empty() { "??" } else { step };
        cx.complain(&format!("squeue: error: Invalid job_step id: {job}.{step}"));
        return 1;
    }
    let mut out = Vec::new();
    let view = JobView::of(cx);
    let mut line = |text: &dyn Fn(&SqueueStepField) -> String| {
        format::line(&mut out, &parts, &|shown| {
            (FIELDS.get(shown.at).map_or_else(String::new, text).into(), shown.width)
        });
    };
    if !parsed.has("noheader") {
        line(&|field| field.title.to_owned());
    }
    for (job, step) in shown(&view, filter, &wanted) {
        line(&|field| (field.get)(&view, job, step));
    }
    cx.out.append(&mut out);
    0
}

/// The selected steps, by partition and job. The numbered steps of a job come before the batch step.
fn shown<'a>(view: &JobView<'a>, filter: &Filter, wanted: &[(&str, &str)]) -> Vec<(&'a Job, &'a StepRecord)> {
    let mut jobs: Vec<&Job> = view.state.jobs.values().filter(|j| !j.steps.is_empty()).collect();
    jobs.order_by_key(|job| (view.partitions(job), job.id));
    let mut found = Vec::new();
    for job in jobs {
        let user = filter.users.as_ref().is_none_or(|u| u.contains(&job.uid().0));
        let partition = filter.partitions.as_ref().is_none_or(|list| list.contains(&view.partitions(job)));
        let id = filter.jobs.as_ref().is_none_or(|jobs| jobs.iter().any(|s| names(s, job)));
        if !(user && partition && id && view.sees_job(job)) {
            continue;
        }
        let mut steps: Vec<&StepRecord> = job.steps.values().filter(|s| s.end.is_none()).collect();
        steps.order_by_key(|s| (!matches!(s.num, StepNum::Number(_)), s.num));
        found.extend(steps.into_iter().filter(|step| is_named(wanted, job, step)).map(|step| (job, step)));
    }
    found
}

/// Whether no steps are named, or this one is.
fn is_named(wanted: &[(&str, &str)], job: &Job, step: &StepRecord) -> bool {
    let fits = |(id, num): &(&str, &str)| {
        jobtext::parse_job(id).is_some_and(|s| names(&s, job))
            && (num.is_empty() || step.num.to_string() == *num)
    };
    wanted.is_empty() || wanted.iter().any(fits)
}
