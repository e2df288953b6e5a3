//! Jobs and steps of the accounting database, as `sacct --json` shows them.

use super::jobs::exit_code;
use super::rows::TresCount;
use super::rows::history::{
    AccountedJob, AccountedJobArray, AccountedJobArrayLimits, AccountedJobArrayLimitsMax,
    AccountedJobArrayLimitsMaxRunning, AccountedJobAssociation, AccountedJobComment, AccountedJobHet,
    AccountedJobMcs, AccountedJobReservation, AccountedJobTres, AccountedJobWckey, AccountedRequest,
    AccountedState, AccountedStep, AccountedStepCpu, AccountedStepCpuRequestedFrequency, AccountedStepNodes,
    AccountedStepStatistics, AccountedStepStatisticsCpu, AccountedStepStatisticsEnergy, AccountedStepStep,
    AccountedStepTask, AccountedStepTasks, AccountedStepTime, AccountedStepTres, AccountedTime, CpuTime,
    StepTres, StepUsage,
};
use super::write::ResponseWriter;
use super::{infinite, moment, number, text, texts, tres_list};
use crate::slurm::jobtext::JobView;
use crate::slurm::sacct::{SacctLine, sampled, sluid};
use base::hostlist;
use base::ids::StepNum;
use base::state::{ExitCode, JobState};
use base::time::Limit;
use slurmctld::job::Memory;
use slurmdbd::{JobRecord, StepDbRecord};

/// The whole response. Lines of steps follow their job.
pub fn jobs(view: &JobView, out: &mut ResponseWriter, lines: &[SacctLine]) {
    let jobs = lines.iter().filter(|l| l.step.is_none()).map(|l| {
        let steps = lines.iter().filter(|s| s.job.index == l.job.index);
        let steps = steps.filter_map(|s| s.step).map(|(num, record)| step(view, l.job, num, record));
        job(view, l.job, steps.collect())
    });
    out.rows("jobs", jobs);
}

fn seconds(time: Option<base::time::Time>) -> i64 {
    time.map_or(0, |t| t.secs())
}

/// `{"seconds": 1, "microseconds": 250000}`.
fn cpu(micros: u64) -> CpuTime {
    CpuTime { seconds: micros / 1_000_000, microseconds: micros % 1_000_000 }
}

fn times(v: &JobView, r: &JobRecord) -> AccountedTime {
    let used: u64 = r.steps.values().map(|s| s.usage.cpu_time).sum();
    let limit = match r.time_limit {
        Limit::Minutes(m) => number(Some(m.into())),
        Limit::Unlimited => infinite(),
    };
    let until = r.start.or(r.end).unwrap_or(v.now);
    let elapsed = r.start.map_or(0, |s| r.end.unwrap_or(v.now).secs() - s.secs());
    let waited = u64::try_from(until.secs() - r.eligible.secs()).unwrap_or(0);
    AccountedTime {
        elapsed: (elapsed - i64::from(r.suspended)).max(0),
        eligible: if r.eligible.0 == i64::MAX { 0 } else { r.eligible.secs() },
        end: seconds(r.end),
        planned: number(Some(waited)),
        start: seconds(r.start),
        submission: r.submit.secs(),
        suspended: r.suspended,
        system: cpu(used / 10),
        limit,
        total: cpu(used),
        user: cpu(used - used / 10),
    }
}

fn state(state: JobState, requeued: bool, reason: &str) -> AccountedState {
    let shown = if requeued { "REQUEUED" } else { state.long() };
    AccountedState { current: texts([shown]), reason: text(if reason.is_empty() { "None" } else { reason }) }
}

fn job(v: &JobView, r: &JobRecord, steps: Vec<AccountedStep>) -> AccountedJob {
    let task = r.array.and_then(|(_, t)| t).map(u64::from);
    let throttle: u32 = r.tasks.split_once('%').and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
    let name = r.user.as_str();
    AccountedJob {
        account: text(r.account.as_str()),
        comment: AccountedJobComment {
            administrator: text(r.admin_comment.as_str()),
            job: text(r.comment.as_str()),
            system: "",
        },
        allocation_nodes: r.node_count,
        array: AccountedJobArray {
            job_id: r.array.map_or(0, |(a, _)| a.0),
            limits: AccountedJobArrayLimits {
                max: AccountedJobArrayLimitsMax {
                    running: AccountedJobArrayLimitsMaxRunning { tasks: throttle },
                },
            },
            task_id: number(task),
            task: text(r.tasks.as_str()),
        },
        association: AccountedJobAssociation {
            account: "",
            cluster: text(v.state.dbd.cluster.as_str()),
            partition: "",
            user: "",
            id: r.assoc.map_or(0, |a| a.0),
        },
        block: "",
        cluster: text(v.state.dbd.cluster.as_str()),
        constraints: text(r.constraints.as_str()),
        container: "",
        sluid: sluid(r),
        derived_exit_code: exit_code(r.derived_exit),
        time: times(v, r),
        exclusive: "NO",
        exit_code: exit_code(r.exit),
        extra: "",
        failed_node: "",
        flags: texts(if r.start.is_some() {
            vec!["STARTED_ON_SCHEDULE", "START_RECEIVED"]
        } else {
            Vec::new()
        }),
        group: text(name),
        het: AccountedJobHet {
            job_id: r.het.map_or(0, |h| h.0.0),
            job_offset: number(r.het.map(|h| h.1.into())),
        },
        job_id: r.job.0,
        name: text(r.name.as_str()),
        licenses: "",
        mcs: AccountedJobMcs { label: text(r.mcs_label.as_str()) },
        nodes: text(if r.nodes.is_empty() { "None assigned" } else { r.nodes.as_str() }),
        oversubscribe: "NO",
        partition: text(r.partition.as_str()),
        hold: r.priority == 0,
        priority: number(Some(r.priority.into())),
        qos: text(r.qos.as_str()),
        qosreq: "",
        required: required(v, r),
        kill_request_user: r.cancelled_by.map_or_else(String::new, |u| v.users.name(u)),
        restart_cnt: r.restarts,
        reservation: AccountedJobReservation { id: 0, name: "", requested: "" },
        script: "",
        segment_size: 0,
        original_sluid: sluid(r),
        stdin_expanded: expanded(r, &r.stdin),
        stdout_expanded: expanded(r, &r.stdout),
        stderr_expanded: expanded(r, &r.stderr),
        stdout: text(r.stdout.as_str()),
        stderr: text(r.stderr.as_str()),
        stdin: text(r.stdin.as_str()),
        state: state(r.state, r.requeued, &r.reason),
        steps,
        submit_line: text(r.submit_line.as_str()),
        tres: AccountedJobTres { allocated: allocated(v, r), requested: tres_list(v, &r.req_tres) },
        used_gres: "",
        user: text(name),
        wckey: AccountedJobWckey { wckey: "", flags: Vec::new() },
        working_directory: text(r.work_dir.as_str()),
    }
}

/// The count of an unknown amount.
const UNKNOWN: i64 = -2;

/// The TRES of a job's allocation. Its energy is unknown until a step of `srun` has ended, as recorded (86).
fn allocated(v: &JobView, r: &JobRecord) -> Vec<TresCount> {
    let mut list = tres_list(v, &r.alloc_tres);
    let ended =
        |(num, step): (&StepNum, &StepDbRecord)| matches!(num, StepNum::Number(_)) && step.end.is_some();
    if let Some(at) = list.iter().position(|row| row.id > ENERGY).filter(|_| !r.steps.iter().any(ended)) {
        let energy = TresCount { kind: "energy".to_owned(), name: String::new(), id: ENERGY, count: UNKNOWN };
        list.insert(at, energy);
    }
    list
}

/// The id of energy among the TRES.
const ENERGY: u32 = 3;

/// Requested CPUs and memory. The record contains only the total memory; the unit is derived from the job or its submit
/// line.
fn required(v: &JobView, r: &JobRecord) -> AccountedRequest {
    let by_node = match v.state.job(r.job).map(|job| job.needs.memory) {
        Some(Memory::PerNode(_)) => true,
        Some(Memory::PerCpu(_) | Memory::PerGpu(_) | Memory::Unset) => false,
        None => r.submit_line.contains("--mem=") || r.submit_line.contains("--mem "),
    };
    let part = |parts: u32| Some(r.req_mem / u64::from(parts.max(1)));
    AccountedRequest {
        cpus: r.req_cpus,
        memory_per_cpu: number(part(r.req_cpus).filter(|_| !by_node)),
        memory_per_node: number(part(r.req_nodes).filter(|_| by_node)),
    }
}

/// A file's path with its patterns expanded. Empty if there is no file.
fn expanded(r: &JobRecord, pattern: &str) -> String {
    if pattern.is_empty() {
        return String::new();
    }
    let (array, task) = r.array.map_or((r.job, None), |(array, task)| (array, task));
    let mut out = if pattern.starts_with('/') { String::new() } else { format!("{}/", r.work_dir) };
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('j' | 'J') => out += &r.job.to_string(),
            Some('A') => out += &array.to_string(),
            Some('a') => out += &task.unwrap_or(u32::MAX - 1).to_string(),
            Some('x') => out += &r.name,
            Some('u') => out += &r.user,
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}

/// The measured TRES of a step: all that slurmstepd samples, or only the energy that it is asked for at the end.
fn measured(v: &JobView, s: &StepDbRecord, sampled: bool, with_task: bool) -> Vec<StepTres> {
    let of_it = |kind: &str, name: &str| match (kind, name) {
        ("energy", _) => true,
        ("cpu" | "mem" | "vmem" | "pages", _) | ("fs", "disk") => sampled,
        _ => false,
    };
    let first = hostlist::expand(&s.nodes).ok().and_then(|list| list.into_iter().next()).unwrap_or_default();
    let rows = crate::slurm::tres::rows(v.state);
    let amount = |kind: &str| match kind {
        "cpu" => s.usage.cpu_time / 1000,
        "mem" => s.usage.max_rss.value * 1024,
        _ => 0,
    };
    // Of tasks with equal usage, the last one of the node is shown; energy is the node's (86).
    let last = s.tasks.div_ceil(s.node_count.max(1)).saturating_sub(1);
    let task = if s.usage.max_rss.value > 0 { s.usage.max_rss.task } else { last };
    let one = |(kind, name, id): (String, String, u32)| StepTres {
        count: amount(&kind),
        task: with_task.then_some(if kind == "energy" { 0 } else { task }),
        kind,
        name,
        id,
        node: with_task.then(|| first.clone()),
    };
    rows.into_iter().filter(|row| of_it(&row.0, &row.1)).map(one).collect()
}

fn step(v: &JobView, r: &JobRecord, num: StepNum, s: &StepDbRecord) -> AccountedStep {
    let end = s.end.or(r.end).unwrap_or(v.now);
    let layout = match (num, s.node_count) {
        (StepNum::Number(_), 0 | 1) => "Block",
        (StepNum::Number(_), _) => "Cyclic",
        (StepNum::Batch | StepNum::Extern | StepNum::Interactive, _) => "Unknown",
    };
    let numbered = matches!(num, StepNum::Number(_));
    let sampled = sampled(num, s);
    let usage = |with_task: bool| {
        if with_task && !sampled { Vec::new() } else { measured(v, s, sampled, with_task) }
    };
    let usage =
        || StepUsage { max: usage(true), min: usage(true), average: usage(false), total: usage(false) };
    let frequency = || number((!numbered).then_some(0));
    AccountedStep {
        time: AccountedStepTime {
            elapsed: (end.secs() - s.start.secs()).max(0),
            end: moment(s.end),
            start: moment(Some(s.start)),
            suspended: 0,
            system: cpu(s.usage.cpu_time / 10),
            limit: infinite(),
            total: cpu(s.usage.cpu_time),
            user: cpu(s.usage.cpu_time - s.usage.cpu_time / 10),
        },
        exit_code: exit_code(s.exit.unwrap_or(ExitCode { code: 0, signal: 0 })),
        nodes: AccountedStepNodes {
            count: s.node_count,
            range: text(s.nodes.as_str()),
            list: texts(hostlist::expand(&s.nodes).unwrap_or_default()),
        },
        tasks: AccountedStepTasks { count: s.tasks },
        cpu: AccountedStepCpu {
            requested_frequency: AccountedStepCpuRequestedFrequency { min: frequency(), max: frequency() },
            governor: if numbered { "Unknown" } else { "0" },
        },
        kill_request_user: s.cancelled_by.map_or_else(String::new, |u| v.users.name(u)),
        state: texts([s.state.long()]),
        statistics: AccountedStepStatistics {
            cpu: AccountedStepStatisticsCpu { actual_frequency: 0 },
            energy: AccountedStepStatisticsEnergy { consumed: number(Some(0)) },
        },
        step: AccountedStepStep {
            id: format!("{}.{num}", r.job),
            name: text(s.name.as_str()),
            stderr: "",
            stdin: "",
            stdout: "",
            stderr_expanded: "",
            stdin_expanded: "",
            stdout_expanded: "",
        },
        submit_line: text(s.submit_line.as_str()),
        task: AccountedStepTask { distribution: layout },
        tres: AccountedStepTres { requested: usage(), consumed: usage(), allocated: tres_list(v, &s.tres) },
    }
}
