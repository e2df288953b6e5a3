//! sstat(1): current resource usage of running jobs' steps.
//!
//! Without a step ID it shows the job's lowest-numbered step; `--allsteps` shows all steps including the
//! batch step.

use super::getopt::ParsedArguments;
use super::jobtext::{self, JobView};
use super::squeue::row::names;
use super::stepusage::{self, ShownUsage};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, needs};
use crate::Cx;
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{StepId, StepNum};
use base::order::StableSort as _;
use base::table::{MAX_WIDTH, Overflow, cell};
use base::tres::TresOrder;
use base::usage::SHELL_KIB;
use slurmctld::error::SlurmError;
use slurmctld::job::{Job, StepRecord};

const OPTIONS: &[ToolOption] = &[
    flag("allsteps", 'a', "all steps of a job, not only the first"),
    needs("fields", 'o', ArgumentKind::Fields, "columns: name[%[-]width],..."),
    needs("format", 'o', ArgumentKind::Fields, "columns: name[%[-]width],...").env("SSTAT_FORMAT"),
    flag("help", 'h', "show this text"),
    flag("helpformat", 'e', "names of fields"),
    needs("jobs", 'j', ArgumentKind::Step, "these jobs or steps"),
    flag("noconvert", ' ', "leave units as they are"),
    flag("noheader", 'n', "no headings"),
    flag("parsable", 'p', "columns between |, one at the end"),
    flag("parsable2", 'P', "columns between |"),
    flag("pidformat", 'i', "nodes and processes of steps"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sstat",
    options: OPTIONS,
    usage: "Usage: sstat [options] -j <job(.stepid)>\n\tUse --help for help\n",
    synopsis: "-j <JOB[.STEP]>",
    words: |_| ArgumentKind::Step,
    fields: || FIELDS.iter().chain(MORE).map(|f| f.0).collect(),
    hint: false,
    about: "What the steps of running jobs have used so far, from the last look of their slurmd's.",
    ..PLAIN
};

/// Default fields with their widths (negative: left-justified), in order.
#[rustfmt::skip]
const FIELDS: &[(&str, i32)] = &[
    ("JobID", -12), ("AllocTRES", 10), ("MaxVMSize", 10), ("MaxVMSizeNode", 14), ("MaxVMSizeTask", 14), ("AveVMSize", 10),
    ("MaxRSS", 10), ("MaxRSSNode", 10), ("MaxRSSTask", 10), ("AveRSS", 10), ("MaxPages", 8), ("MaxPagesNode", 12),
    ("MaxPagesTask", 14), ("AvePages", 10), ("MinCPU", 10), ("MinCPUNode", 10), ("MinCPUTask", 10), ("AveCPU", 10),
    ("NTasks", 8), ("AveCPUFreq", 10), ("ReqCPUFreqMin", 13), ("ReqCPUFreqMax", 13), ("ReqCPUFreqGov", 13),
    ("ConsumedEnergy", 14), ("MaxDiskRead", 12), ("MaxDiskReadNode", 15), ("MaxDiskReadTask", 15), ("AveDiskRead", 12),
    ("MaxDiskWrite", 12), ("MaxDiskWriteNode", 16), ("MaxDiskWriteTask", 16), ("AveDiskWrite", 12),
    ("TRESUsageInAve", 14), ("TRESUsageInMax", 14), ("TRESUsageInMaxNode", 18), ("TRESUsageInMaxTask", 18),
    ("TRESUsageInMin", 14), ("TRESUsageInMinNode", 18), ("TRESUsageInMinTask", 18), ("TRESUsageInTot", 14),
    ("TRESUsageOutAve", 15), ("TRESUsageOutMax", 15), ("TRESUsageOutMaxNode", 19), ("TRESUsageOutMaxTask", 19),
    ("TRESUsageOutMin", 15), ("TRESUsageOutMinNode", 19), ("TRESUsageOutMinTask", 19), ("TRESUsageOutTot", 15),
];
/// Fields that are printed only on request.
const MORE: &[(&str, i32)] =
    &[("ConsumedEnergyRaw", 17), ("Nodelist", 20), ("Pids", 20), ("ReqCPUFreq", 13), ("SLUID", 14)];

/// The fields of `--pidformat`.
const PIDS: &str = "jobid,nodelist,pids";

/// A requested column.
struct SstatColumn {
    name: &'static str,
    width: usize,
    right: bool,
}

/// Runs sstat.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has("helpformat") {
        // Sorted by name; the variants of ReqCPUFreq stay in order.
        let key = |name: &str| {
            let lower = name.to_ascii_lowercase();
            if lower.starts_with("reqcpufreq") { "reqcpufreq".to_owned() } else { lower }
        };
        let mut names: Vec<&str> = MORE.iter().chain(FIELDS).map(|f| f.0).collect();
        names.order_by_key(|name| key(name));
        let names: Vec<String> = names.into_iter().map(|name| format!("{name:<19}")).collect();
        for row in names.chunks(4) {
            cx.line(&row.join(" "));
        }
        return 0;
    }
    let format = if parsed.has("pidformat") {
        Some(PIDS)
    } else {
        parsed.last_of(&["fields", "format"]).map(|(_, text)| text)
    };
    match columns(format) {
        Ok(columns) => show(cx, &parsed, &columns),
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

/// `jobid,maxrss%20,pids%-10`.
fn columns(format: Option<&str>) -> Result<Vec<SstatColumn>, String> {
    let column = |(name, usual): (&'static str, i32), width: Option<i32>| {
        let width = width.unwrap_or(usual);
        let size = usize::try_from(width.unsigned_abs()).unwrap_or(10).clamp(1, MAX_WIDTH);
        SstatColumn { name, width: size, right: width >= 0 }
    };
    let Some(format) = format else { return Ok(FIELDS.iter().map(|f| column(*f, None)).collect()) };
    let mut columns = Vec::new();
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = word.split_once('%').map_or((word, None), |(n, w)| (n, w.parse().ok()));
        let all = || FIELDS.iter().chain(MORE);
        let same = all().find(|f| f.0.eq_ignore_ascii_case(name));
        let begins = || all().find(|f| f.0.get(..name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name)));
        let field = same.or_else(begins);
        let field = field.ok_or_else(|| format!("sstat: error: Invalid field requested: \"{name}\""))?;
        columns.push(column(*field, width));
    }
    Ok(columns)
}

fn show(cx: &mut Cx, parsed: &ParsedArguments, columns: &[SstatColumn]) -> u8 {
    let asked = parsed.value("jobs").map_or_else(|| parsed.rest.join(","), str::to_owned);
    let asked =
        if asked.is_empty() { cx.env.get("SLURM_JOB_ID").cloned().unwrap_or_default() } else { asked };
    if asked.is_empty() {
        cx.complain("sstat: error: You didn't give me any jobs to stat.");
        return 1;
    }
    let words = jobtext::split_list(&asked);
    if let Some(bad) = words.iter().find(|word| !is_step(word)) {
        cx.complain(&format!("sstat: fatal: Bad job/step specified: {bad}"));
        return 1;
    }
    if !parsed.has("noheader") {
        line(cx, parsed, columns, |name| name.to_owned());
        if !parsed.has("parsable") && !parsed.has("parsable2") {
            line(cx, parsed, columns, |name| {
                let width = columns.iter().find(|c| c.name == name).map_or(0, |c| c.width);
                "-".repeat(width)
            });
        }
    }
    for word in words {
        let (id, step) = parts(word);
        let Some(spec) = jobtext::parse_job(id) else { continue };
        let found = cx.cluster.state().jobs.values().find(|j| names(&spec, j)).cloned();
        let Some(job) = found else {
            cx.complain(&format!("sstat: error: couldn't get steps for JobId={id}"));
            continue;
        };
        let steps = chosen(&job, step, parsed.has("allsteps"));
        if steps.is_empty() {
            // A batch step alone does not cause an error.
            match (step, job.steps.values().any(|s| s.end.is_none())) {
                (Some(step), true) => {
                    cx.complain(&format!("sstat: error: StepId={id}.{step} not found running."));
                }
                (Some(step), false) => {
                    cx.complain(&format!("sstat: error: couldn't get steps for StepId={id}.{step}"));
                }
                (None, true) => {}
                (None, false) => cx.complain(&format!("sstat: error: No steps running for JobId={id}")),
            }
        }
        for step in steps {
            show_step(cx, parsed, columns, &job, &step);
        }
    }
    0
}

/// `12.batch`: the job and the step.
fn parts(word: &str) -> (&str, Option<&str>) {
    word.split_once('.').map_or((word, None), |(id, step)| (id, Some(step)))
}

/// Whether a word can name a job or a step.
fn is_step(word: &str) -> bool {
    let (id, step) = parts(word);
    let known =
        |step: &str| matches!(step, "batch" | "extern" | "interactive") || step.parse::<u32>().is_ok();
    jobtext::parse_job(id).is_some() && step.is_none_or(known)
}

/// The running steps that were requested.
fn chosen(job: &Job, step: Option<&str>, all: bool) -> Vec<StepRecord> {
    let running = job.steps.values().filter(|s| s.end.is_none());
    match step {
        Some(step) => running.filter(|s| s.num.to_string() == step).cloned().collect(),
        None if all => running.cloned().collect(),
        None => running.filter(|s| matches!(s.num, StepNum::Number(_))).take(1).cloned().collect(),
    }
}

fn show_step(cx: &mut Cx, parsed: &ParsedArguments, columns: &[SstatColumn], job: &Job, step: &StepRecord) {
    let id = StepId { job: job.id, step: step.num };
    if job.uid() != cx.uid() && cx.uid().0 != 0 {
        let view = JobView::of(cx);
        let node = step.nodes.first().map_or_else(String::new, |n| view.state.node(n.0).conf.name.clone());
        let step = format!("StepId={id}");
        let lines = if view.sees_job(job) {
            let why = SlurmError::UserIdMissing;
            format!(
                "sstat: error: slurm_job_step_stat: there was an error with the request to {node} rc = {why}\n\
                 sstat: error: problem getting step_layout for {step}: {why}"
            )
        } else {
            format!("sstat: error: couldn't get steps for {step}")
        };
        cx.complain(&lines);
        return;
    }
    let mut usage = cx.cluster.usage(cx.kernel, id);
    if usage.max_rss.value == 0 {
        // A query triggers a sample.
        usage.max_rss.value = SHELL_KIB;
        usage.total_rss = SHELL_KIB * u64::from(usage.tasks);
    }
    let (list, tres) = {
        let view = JobView::of(cx);
        let list = view.hosts(&step.nodes.iter().map(|n| n.0.0).collect::<BitSet>());
        (list, step.tres.text(TresOrder::Name, &view.state.cluster.global.tracked_gres))
    };
    let nodes = hostlist::expand(&list).unwrap_or_default();
    let unit = parsed.has("noconvert").then_some('K');
    let shown = ShownUsage { usage: &usage, sampled: true, nodes: &nodes, unit };
    line(cx, parsed, columns, |name| match name {
        "JobID" => format!("{}.{}", job.id_text(), step.num),
        "AllocTRES" => tres.clone(),
        "NTasks" => step.tasks.to_string(),
        "Nodelist" => list.clone(),
        "SLUID" => jobtext::sluid(job.submit, job.id),
        "AveCPUFreq" | "ConsumedEnergy" | "ConsumedEnergyRaw" => "0".to_owned(),
        "ReqCPUFreq" | "ReqCPUFreqMin" | "ReqCPUFreqMax" | "ReqCPUFreqGov" => "Unknown".to_owned(),
        _ => stepusage::text(name, &shown).unwrap_or_default(),
    });
}

/// One line of the table.
fn line(
    cx: &mut Cx,
    parsed: &ParsedArguments,
    columns: &[SstatColumn],
    text: impl Fn(&'static str) -> String,
) {
    let ends = parsed.has("parsable");
    let plain = ends || parsed.has("parsable2");
    let mut out = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        let text = text(column.name);
        if plain {
            out.extend(if i > 0 { "|" } else { "" }.bytes().chain(text.bytes()));
        } else {
            cell(&mut out, &text, column.width, column.right, Overflow::Mark);
            out.push(b' ');
        }
    }
    out.extend(if ends { "|\n" } else { "\n" }.bytes());
    cx.out.append(&mut out);
}
