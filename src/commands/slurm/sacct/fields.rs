//! sacct's fields: one table of names, widths (negative: left-justified) and texts.

use super::select::SacctLine;
use crate::slurm::jobtext::{self, JobView, limit_long};
use crate::slurm::stepusage::{self, ShownUsage, cpu_time, memory};
use base::hostlist;
use base::ids::StepNum;
use base::state::JobState;
use base::time::{Limit, Span, Time, hms};
use base::tres::{Tres, TresOrder, mem_text};
use base::usage::Usage;

/// A field.
pub struct SacctField {
    /// Name and heading.
    pub name: &'static str,
    /// Default width.
    pub width: i32,
    /// Its text.
    pub get: fn(&JobView, &SacctLine) -> String,
}

/// The index of the field with this name or abbreviation.
pub fn find(name: &str) -> Option<usize> {
    let same = FIELDS.iter().position(|f| f.name.eq_ignore_ascii_case(name));
    same.or_else(|| {
        let begins = |f: &SacctField| f.name.get(..name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name));
        FIELDS.iter().position(begins).filter(|_| name.len() > 2)
    })
}

/// The text of `--helpformat`.
pub fn listing() -> String {
    let mut out = String::new();
    for row in FIELDS.chunks(4) {
        out += &row.iter().map(|f| format!("{:<19}", f.name)).collect::<Vec<_>>().join(" ");
        out.push('\n');
    }
    out
}

const fn f(width: i32, name: &'static str, get: fn(&JobView, &SacctLine) -> String) -> SacctField {
    SacctField { name, width, get }
}

fn none(_: &JobView, _: &SacctLine) -> String {
    String::new()
}

/// Only for jobs.
fn job(l: &SacctLine, get: impl Fn() -> String) -> String {
    if l.step.is_none() { get() } else { String::new() }
}

fn start(l: &SacctLine) -> Option<Time> {
    let start = l.step.map_or(l.job.start, |(_, s)| Some(s.start));
    start.map(|t| l.window.map_or(t, |(from, _)| t.max(from)))
}

/// A step that is still running in the database although its job finished; it is shown in the job's state.
fn left_open(l: &SacctLine) -> bool {
    l.step.is_some_and(|(_, s)| s.end.is_none()) && l.job.state.ended()
}

fn end(l: &SacctLine) -> Option<Time> {
    let end = if left_open(l) { l.job.end } else { l.step.map_or(l.job.end, |(_, s)| s.end) };
    match l.window {
        Some((_, until)) => Some(end.map_or(until, |t| t.min(until))),
        None => end,
    }
}

/// Seconds of suspension so far. Steps are suspended with their job.
fn suspended(v: &JobView, l: &SacctLine) -> i64 {
    let now = l.job.suspended_since.map_or(0, |since| v.now.secs() - since.secs());
    i64::from(l.job.suspended) + now
}

/// Seconds between start and end without suspensions.
fn elapsed(v: &JobView, l: &SacctLine) -> i64 {
    let still = suspended(v, l);
    start(l).map_or(0, |s| (end(l).unwrap_or(v.now).secs() - s.secs() - still).max(0))
}

/// `12`, `12_3`, `12+1`, `12.batch`.
pub fn id(l: &SacctLine) -> String {
    let job = match (l.job.array, l.job.tasks.as_str()) {
        (Some((array, Some(task))), _) => format!("{array}_{task}"),
        (Some((array, None)), _) if l.task.is_some() => format!("{array}_{}", l.task.unwrap_or(0)),
        (Some((array, None)), tasks) => format!("{array}_[{tasks}]"),
        (None, _) => match l.job.het {
            Some((leader, offset)) => format!("{leader}+{offset}"),
            None => l.job.job.to_string(),
        },
    };
    l.step.map_or(job.clone(), |(num, _)| format!("{job}.{num}"))
}

fn raw_id(l: &SacctLine) -> String {
    l.step.map_or_else(|| l.job.job.to_string(), |(num, _)| format!("{}.{num}", l.job.job))
}

fn state(l: &SacctLine) -> String {
    let (state, by) = match l.step {
        Some((_, s)) if s.end.is_none() && l.job.resized => return "RESIZING".to_owned(),
        Some(_) if left_open(l) => (l.job.state, None),
        Some((_, s)) if s.end.is_none() && l.job.suspended_since.is_some() => (JobState::Suspended, None),
        Some((_, s)) => (s.state, s.cancelled_by),
        None if l.job.resized => return "RESIZING".to_owned(),
        None if l.job.requeued
            && matches!(
                l.job.state,
                JobState::Pending | JobState::Running | JobState::Complete | JobState::Cancelled
            ) =>
        {
            return "REQUEUED".to_owned();
        }
        None => (l.job.state, l.job.cancelled_by),
    };
    match by {
        Some(uid) if state == JobState::Cancelled => format!("CANCELLED by {uid}"),
        _ => state.long().to_owned(),
    }
}

fn cpus(l: &SacctLine) -> u64 {
    u64::from(l.step.map_or(l.job.cpus, |(_, s)| s.cpus))
}

fn nodes(l: &SacctLine) -> u64 {
    let (count, requested) = match l.step {
        Some((_, s)) => (s.node_count, s.node_count),
        None => (l.job.node_count, l.job.req_nodes),
    };
    u64::from(if count == 0 { requested } else { count })
}

fn tres(v: &JobView, tres: &Tres) -> String {
    tres.text(TresOrder::Name, &v.state.cluster.global.tracked_gres)
}

fn node_list(l: &SacctLine) -> String {
    let text = l.step.map_or(&l.job.nodes, |(_, s)| &s.nodes);
    if text.is_empty() { "None assigned".to_owned() } else { text.clone() }
}

/// CPU time of a step, or the total of a job.
fn cpu(l: &SacctLine, get: fn(&Usage) -> u64) -> String {
    cpu_time(match l.step {
        Some((_, step)) => get(&step.usage),
        None => l.job.steps.values().map(|s| get(&s.usage)).sum(),
    })
}

/// A job's SLUID, a string that sorts by submission time.
pub fn sluid(r: &slurmdbd::JobRecord) -> String {
    jobtext::sluid(r.submit, r.job)
}

/// Requested memory of a job, MiB.
fn req_mem(l: &SacctLine) -> String {
    match (l.job.req_mem, l.unit) {
        (0, _) => "0".to_owned(),
        (mib, unit @ Some(_)) => memory(mib * 1024, unit),
        (mib, None) => mem_text(mib),
    }
}

/// The frequency of the nodes' CPUs, kHz. That of the recorded machine (83).
const FREQUENCY: &str = "2.60M";

/// slurmstepd samples the tasks of a node while it starts them if there are at least this many.
const SAMPLED_AT_START: u32 = 3;

/// Whether a step was sampled. The database learns it when a step ends. Recorded steps of less than a second were
/// sampled only if they had several tasks on a node (83), or overlapped the end of a second.
pub fn sampled(num: StepNum, step: &slurmdbd::StepDbRecord) -> bool {
    let numbered = matches!(num, StepNum::Number(_));
    let lasted = |end| end - step.start >= Span::from_secs(1);
    let crowded = step.tasks.div_ceil(step.node_count.max(1)) >= SAMPLED_AT_START;
    step.usage.max_rss.value > 0 || numbered && step.end.is_some_and(|end| lasted(end) || crowded)
}

/// A usage field of a step; empty for jobs and for steps that were never sampled.
fn used(l: &SacctLine, name: &str) -> String {
    let Some((num, step)) = l.step else { return String::new() };
    let sampled = sampled(num, step);
    let nodes = hostlist::expand(&step.nodes).unwrap_or_default();
    let shown = ShownUsage { usage: &step.usage, sampled, nodes: &nodes, unit: l.unit };
    match stepusage::text(name, &shown) {
        Some(text) => text,
        None if name == "TRESUsageInTot" => "energy=0".to_owned(),
        None => String::new(),
    }
}

fn limit_raw(limit: Limit) -> String {
    match limit {
        Limit::Unlimited => "UNLIMITED".to_owned(),
        Limit::Minutes(m) => m.to_string(),
    }
}

fn planned(v: &JobView, l: &SacctLine) -> i64 {
    let until = l.job.start.or(l.job.end).unwrap_or(v.now);
    (until.secs() - l.job.eligible.secs()).max(0)
}

fn qos_number(v: &JobView, l: &SacctLine) -> String {
    v.state.dbd.qos.iter().find(|q| q.name == l.job.qos).map_or_else(String::new, |q| q.id.to_string())
}

fn req_freq(l: &SacctLine) -> String {
    match l.step {
        Some((StepNum::Batch, _)) => "0".to_owned(),
        _ => "Unknown".to_owned(),
    }
}

/// `Block`, `BCyclic`.
fn layout(distribution: &str) -> String {
    let word = |w: &str| {
        let mut letters = w.chars();
        letters.next().map_or_else(String::new, |c| c.to_ascii_uppercase().to_string() + letters.as_str())
    };
    match distribution.split_once(':') {
        _ if distribution.is_empty() => "Unknown".to_owned(),
        _ if distribution == "arbitrary" => distribution.to_owned(),
        Some((over, within)) => format!("{}{}", word(over).chars().take(1).collect::<String>(), word(within)),
        None => word(distribution),
    }
}

/// Nothing is measured. A job with unfinished numbered steps has no sum.
fn energy(_: &JobView, l: &SacctLine) -> String {
    let ended =
        |(num, s): (&StepNum, &slurmdbd::StepDbRecord)| matches!(num, StepNum::Number(_)) && s.end.is_some();
    let known = l.step.is_some() || l.job.start.is_none() || l.job.steps.iter().any(ended);
    if known { "0".to_owned() } else { String::new() }
}

#[rustfmt::skip]
pub const FIELDS: &[SacctField] = &[
    f(10, "Account", |_, l| l.job.account.clone()),
    f(15, "AdminComment", |_, l| job(l, || l.job.admin_comment.clone())),
    f(10, "AllocCPUS", |_, l| cpus(l).to_string()),
    f(10, "AllocNodes", |_, l| l.step.map_or(l.job.start.map_or(0, |_| l.job.node_count), |(_, s)| s.node_count).to_string()),
    f(10, "AllocTRES", |v, l| tres(v, l.step.map_or(&l.job.alloc_tres, |(_, s)| &s.tres))),
    f(7, "AssocID", |_, l| l.job.assoc.map_or_else(String::new, |a| a.to_string())),
    f(10, "AveCPU", |_, l| used(l, "AveCPU")),
    f(10, "AveCPUFreq", |_, l| l.step.map_or_else(String::new, |(num, s)| if sampled(num, s) { FREQUENCY } else { "0" }.to_owned())),
    f(14, "AveDiskRead", none),
    f(14, "AveDiskWrite", none),
    f(10, "AvePages", |_, l| used(l, "AvePages")),
    f(10, "AveRSS", |_, l| used(l, "AveRSS")),
    f(10, "AveVMSize", |_, l| used(l, "AveVMSize")),
    f(16, "BlockID", none),
    f(10, "Cluster", |v, _| v.state.cluster.global.cluster_name.clone()),
    f(14, "Comment", |_, l| job(l, || l.job.comment.clone())),
    f(19, "Constraints", |_, l| job(l, || l.job.constraints.clone())),
    f(14, "ConsumedEnergy", energy),
    f(17, "ConsumedEnergyRaw", |_, _| "0".to_owned()),
    f(19, "Container", |_, l| job(l, || l.job.more.as_ref().map_or_else(String::new, |m| m.container.clone()))),
    f(10, "CPUTime", |v, l| hms(elapsed(v, l) * i64::try_from(cpus(l)).unwrap_or(0))),
    f(10, "CPUTimeRAW", |v, l| (elapsed(v, l) * i64::try_from(cpus(l)).unwrap_or(0)).to_string()),
    f(-21, "DBIndex", |_, l| l.job.index.to_string()),
    f(15, "DerivedExitCode", |_, l| job(l, || l.job.derived_exit.to_string())),
    f(10, "Elapsed", |v, l| hms(elapsed(v, l))),
    f(10, "ElapsedRaw", |v, l| elapsed(v, l).to_string()),
    f(19, "Eligible", |v, l| v.moment_or(Some(l.job.eligible).filter(|t| t.0 < i64::MAX), "Unknown")),
    f(19, "End", |v, l| v.moment_or(end(l), "Unknown")),
    f(14, "Exclusive", none),
    f(8, "ExitCode", |_, l| l.step.map_or(Some(l.job.exit), |(_, s)| s.exit).map_or_else(String::new, |e| e.to_string())),
    f(14, "Extra", |_, l| job(l, || l.job.more.as_ref().map_or_else(String::new, |m| m.extra.clone()))),
    f(8, "FailedNode", none),
    f(19, "Flags", |_, l| job(l, || super::select::flags(l.job).to_owned())),
    f(6, "GID", |_, l| job(l, || l.job.uid.to_string())),
    f(9, "Group", |_, l| job(l, || l.job.user.clone())),
    f(-12, "JobID", |_, l| id(l)),
    f(-12, "JobIDRaw", |_, l| raw_id(l)),
    f(10, "JobName", |_, l| l.step.map_or_else(|| l.job.name.clone(), |(_, s)| s.name.clone())),
    f(9, "Layout", |_, l| l.step.map_or_else(String::new, |(_, s)| layout(&s.distribution))),
    f(10, "Licenses", |_, l| job(l, || l.job.more.as_ref().map_or_else(String::new, |m| m.licenses.clone()))),
    f(12, "MaxDiskRead", none),
    f(15, "MaxDiskReadNode", none),
    f(15, "MaxDiskReadTask", none),
    f(12, "MaxDiskWrite", none),
    f(16, "MaxDiskWriteNode", none),
    f(16, "MaxDiskWriteTask", none),
    f(8, "MaxPages", |_, l| used(l, "MaxPages")),
    f(12, "MaxPagesNode", |_, l| used(l, "MaxPagesNode")),
    f(14, "MaxPagesTask", |_, l| used(l, "MaxPagesTask")),
    f(10, "MaxRSS", |_, l| used(l, "MaxRSS")),
    f(10, "MaxRSSNode", |_, l| used(l, "MaxRSSNode")),
    f(10, "MaxRSSTask", |_, l| used(l, "MaxRSSTask")),
    f(10, "MaxVMSize", |_, l| used(l, "MaxVMSize")),
    f(14, "MaxVMSizeNode", |_, l| used(l, "MaxVMSizeNode")),
    f(14, "MaxVMSizeTask", |_, l| used(l, "MaxVMSizeTask")),
    f(12, "McsLabel", |_, l| job(l, || l.job.mcs_label.clone())),
    f(10, "MinCPU", |_, l| used(l, "MinCPU")),
    f(10, "MinCPUNode", |_, l| used(l, "MinCPUNode")),
    f(10, "MinCPUTask", |_, l| used(l, "MinCPUTask")),
    f(10, "NCPUS", |_, l| cpus(l).to_string()),
    f(8, "NNodes", |_, l| nodes(l).to_string()),
    f(15, "NodeList", |_, l| node_list(l)),
    f(8, "NTasks", |_, l| l.step.map_or_else(String::new, |(_, s)| s.tasks.to_string())),
    f(14, "OriginalSLUID", none),
    f(14, "OverSubscribe", none),
    f(10, "Partition", |_, l| job(l, || l.job.partition.clone())),
    f(10, "Planned", |v, l| job(l, || hms(planned(v, l)))),
    f(10, "PlannedCPU", |v, l| job(l, || hms(planned(v, l) * i64::from(l.job.req_cpus)))),
    f(13, "PlannedCPURAW", |v, l| job(l, || (planned(v, l) * i64::from(l.job.req_cpus)).to_string())),
    f(10, "Priority", |_, l| job(l, || l.job.priority.to_string())),
    f(10, "QOS", |_, l| job(l, || l.job.qos.clone())),
    f(6, "QOSRAW", |v, l| job(l, || qos_number(v, l))),
    f(10, "QOSREQ", |_, l| job(l, || l.job.more.as_ref().map_or_else(String::new, |m| m.qos_asked.clone()))),
    f(22, "Reason", |_, l| job(l, || l.job.reason.clone())),
    f(10, "ReqCPUFreq", |_, l| req_freq(l)),
    f(13, "ReqCPUFreqGov", |_, l| req_freq(l)),
    f(13, "ReqCPUFreqMax", |_, l| req_freq(l)),
    f(13, "ReqCPUFreqMin", |_, l| req_freq(l)),
    f(8, "ReqCPUS", |_, l| l.step.map_or(l.job.req_cpus, |(_, s)| s.cpus).to_string()),
    f(10, "ReqMem", |_, l| job(l, || req_mem(l))),
    f(8, "ReqNodes", |_, l| l.step.map_or(l.job.req_nodes, |(_, s)| s.node_count).to_string()),
    f(10, "ReqTRES", |v, l| job(l, || tres(v, &l.job.req_tres))),
    f(20, "Reservation", |_, l| job(l, || l.job.reservation.as_ref().map_or_else(String::new, |r| r.1.clone()))),
    f(8, "ReservationId", |_, l| job(l, || l.job.reservation.as_ref().map_or_else(String::new, |r| r.0.to_string()))),
    f(20, "ReqReservation", |_, l| job(l, || l.job.reservation.as_ref().map_or_else(String::new, |r| r.1.clone()))),
    f(8, "Restarts", |_, l| job(l, || l.job.restarts.to_string())),
    f(11, "SegmentSize", |_, l| job(l, || l.job.more.as_ref().map_or_else(String::new, |m| if m.segment > 0 { m.segment.to_string() } else { String::new() }))),
    f(14, "SLUID", |_, l| sluid(l.job)),
    f(19, "Start", |v, l| v.moment_or(start(l), if end(l).is_some() { "None" } else { "Unknown" })),
    f(10, "State", |_, l| state(l)),
    f(20, "StdErr", |_, l| job(l, || l.job.stderr.clone())),
    f(20, "StdIn", |_, l| job(l, || l.job.stdin.clone())),
    f(20, "StdOut", |_, l| job(l, || l.job.stdout.clone())),
    f(19, "Submit", |v, l| v.moment(l.step.map_or(l.job.submit, |(_, s)| s.start))),
    f(20, "SubmitLine", |_, l| l.step.map_or_else(|| l.job.submit_line.clone(), |(_, s)| s.submit_line.clone())),
    f(10, "Suspended", |v, l| hms(suspended(v, l))),
    f(15, "SystemComment", none),
    f(10, "SystemCPU", |_, l| cpu(l, Usage::system_cpu)),
    f(10, "Timelimit", |_, l| job(l, || limit_long(l.job.time_limit))),
    f(10, "TimelimitRaw", |_, l| job(l, || limit_raw(l.job.time_limit))),
    f(10, "TotalCPU", |_, l| cpu(l, |u| u.cpu_time)),
    f(14, "TRESUsageInAve", |_, l| used(l, "TRESUsageInAve")),
    f(14, "TRESUsageInMax", |_, l| used(l, "TRESUsageInMax")),
    f(18, "TRESUsageInMaxNode", none),
    f(18, "TRESUsageInMaxTask", none),
    f(14, "TRESUsageInMin", none),
    f(18, "TRESUsageInMinNode", none),
    f(18, "TRESUsageInMinTask", none),
    f(14, "TRESUsageInTot", |_, l| used(l, "TRESUsageInTot")),
    f(15, "TRESUsageOutAve", none),
    f(15, "TRESUsageOutMax", none),
    f(19, "TRESUsageOutMaxNode", none),
    f(19, "TRESUsageOutMaxTask", none),
    f(15, "TRESUsageOutMin", none),
    f(19, "TRESUsageOutMinNode", none),
    f(19, "TRESUsageOutMinTask", none),
    f(15, "TRESUsageOutTot", none),
    f(6, "UID", |_, l| job(l, || l.job.uid.to_string())),
    f(9, "User", |_, l| job(l, || l.job.user.clone())),
    f(10, "UserCPU", |_, l| cpu(l, Usage::user_cpu)),
    f(10, "WCKey", |_, l| job(l, || l.job.wckey.clone())),
    f(10, "WCKeyID", |_, l| job(l, || "0".to_owned())),
    f(20, "WorkDir", |_, l| job(l, || l.job.work_dir.clone())),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(find("jobid").map(|at| FIELDS[at].width), Some(-12));
        assert_eq!(find("STATE").map(|at| FIELDS[at].name), Some("State"));
        assert!(find("bogus").is_none() && find("reserved").is_none() && find("resvcpu").is_none());
        assert!(listing().starts_with(
            "Account             AdminComment        AllocCPUS           AllocNodes         \n"
        ));
    }
}
