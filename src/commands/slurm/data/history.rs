//! Jobs and steps of the accounting database, as `sacct --json` shows them.

use super::jobs::exit_code;
use super::{Data, dict, number, texts, tres_list};
use crate::base::hostlist;
use crate::base::ids::StepNum;
use crate::base::state::{ExitCode, JobState};
use crate::base::time::Limit;
use crate::commands::slurm::jobtext::View;
use crate::commands::slurm::sacct::{Line, sluid};
use crate::slurmdbd::{JobRecord, StepDbRecord};

/// The whole answer; lines of steps come with their jobs.
pub fn jobs(view: &View, lines: &[Line]) -> Vec<(&'static str, Data)> {
    let jobs = lines.iter().filter(|l| l.step.is_none()).map(|l| {
        let steps = lines.iter().filter(|s| s.job.index == l.job.index);
        let steps = steps.filter_map(|s| s.step).map(|(num, record)| step(view, l.job, num, record));
        job(view, l.job, steps.collect())
    });
    vec![("jobs", Data::List(jobs.collect()))]
}

fn seconds(time: Option<crate::base::time::Time>) -> i64 {
    time.map_or(0, |t| t.secs())
}

/// `{"seconds": 1, "microseconds": 250000}`.
fn cpu(micros: u64) -> Data {
    dict! { "seconds": micros / 1_000_000, "microseconds": micros % 1_000_000 }
}

fn times(v: &View, r: &JobRecord) -> Data {
    let used: u64 = r.steps.values().map(|s| s.usage.cpu_time).sum();
    let limit = match r.time_limit {
        Limit::Minutes(m) => number(Some(m.into())),
        Limit::Unlimited => dict! { "set": false, "infinite": true, "number": 0u32 },
    };
    let until = r.start.or(r.end).unwrap_or(v.now);
    let elapsed = r.start.map_or(0, |s| r.end.unwrap_or(v.now).secs() - s.secs());
    let waited = u64::try_from(until.secs() - r.eligible.secs()).unwrap_or(0);
    dict! {
        "elapsed": (elapsed - i64::from(r.suspended)).max(0),
        "eligible": r.eligible.secs(),
        "end": seconds(r.end),
        "planned": number(Some(waited)),
        "start": seconds(r.start),
        "submission": r.submit.secs(),
        "suspended": r.suspended,
        "system": cpu(used / 10),
        "limit": limit,
        "total": cpu(used),
        "user": cpu(used - used / 10),
    }
}

fn state(state: JobState, requeued: bool, reason: &str) -> Data {
    let shown = if requeued { "REQUEUED" } else { state.long() };
    dict! { "current": texts([shown]), "reason": reason }
}

fn job(v: &View, r: &JobRecord, steps: Vec<Data>) -> Data {
    let task = r.array.and_then(|(_, t)| t).map(u64::from);
    let throttle: u32 = r.tasks.split_once('%').and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
    let name = r.user.as_str();
    dict! {
        "account": r.account.as_str(),
        "comment": dict! { "administrator": r.admin_comment.as_str(), "job": r.comment.as_str(), "system": "" },
        "allocation_nodes": r.node_count,
        "array": dict! {
            "job_id": r.array.map_or(0, |(a, _)| a.0),
            "limits": dict! { "max": dict! { "running": dict! { "tasks": throttle } } },
            "task_id": number(task),
            "task": r.tasks.as_str(),
        },
        "association": dict! {
            "account": r.account.as_str(),
            "cluster": v.state.dbd.cluster.as_str(),
            "partition": "",
            "user": name,
            "id": r.assoc.map_or(0, |a| a.0),
        },
        "block": "",
        "cluster": v.state.dbd.cluster.as_str(),
        "constraints": r.constraints.as_str(),
        "container": "",
        "derived_exit_code": exit_code(r.derived_exit),
        "time": times(v, r),
        "exit_code": exit_code(r.exit),
        "extra": "",
        "failed_node": "",
        "flags": texts(if r.start.is_some() { vec!["STARTED_ON_SCHEDULE", "START_RECEIVED"] } else { Vec::new() }),
        "group": name,
        "het": dict! { "job_id": r.het.map_or(0, |h| h.0.0), "job_offset": number(r.het.map(|h| h.1.into())) },
        "job_id": r.job.0,
        "name": r.name.as_str(),
        "licenses": "",
        "mcs": dict! { "label": r.mcs_label.as_str() },
        "nodes": if r.nodes.is_empty() { "None assigned" } else { r.nodes.as_str() },
        "partition": r.partition.as_str(),
        "hold": r.priority == 0,
        "priority": number(Some(r.priority.into())),
        "qos": r.qos.as_str(),
        "qosreq": "",
        "required": dict! { "CPUs": r.req_cpus, "memory_per_cpu": number(None), "memory_per_node": number(Some(r.req_mem)) },
        "kill_request_user": r.cancelled_by.map_or_else(String::new, |u| v.users.name(u)),
        "restart_cnt": r.restarts,
        "reservation": dict! { "id": 0u32, "name": "", "requested": "" },
        "script": "",
        "segment_size": 0u32,
        "sluid": sluid(r),
        "stdin_expanded": r.stdin.as_str(),
        "stdout_expanded": r.stdout.as_str(),
        "stderr_expanded": r.stderr.as_str(),
        "stdout": r.stdout.as_str(),
        "stderr": r.stderr.as_str(),
        "stdin": r.stdin.as_str(),
        "state": state(r.state, r.requeued, &r.reason),
        "steps": Data::List(steps),
        "submit_line": r.submit_line.as_str(),
        "tres": dict! { "allocated": tres_list(v, &r.alloc_tres), "requested": tres_list(v, &r.req_tres) },
        "used_gres": "",
        "user": name,
        "wckey": dict! { "wckey": "", "flags": Data::List(Vec::new()) },
        "working_directory": r.work_dir.as_str(),
    }
}

fn step(v: &View, r: &JobRecord, num: StepNum, s: &StepDbRecord) -> Data {
    let end = s.end.or(r.end).unwrap_or(v.now);
    let layout = match (num, s.node_count) {
        (StepNum::Number(_), 0 | 1) => "Block",
        (StepNum::Number(_), _) => "Cyclic",
        (StepNum::Batch | StepNum::Extern | StepNum::Interactive, _) => "Unknown",
    };
    let usage = Data::List(Vec::new());
    dict! {
        "time": dict! {
            "elapsed": (end.secs() - s.start.secs()).max(0),
            "end": dict! { "set": true, "infinite": false, "number": seconds(s.end) },
            "start": dict! { "set": true, "infinite": false, "number": s.start.secs() },
            "suspended": 0u32,
            "system": cpu(s.usage.cpu_time / 10),
            "limit": number(None),
            "total": cpu(s.usage.cpu_time),
            "user": cpu(s.usage.cpu_time - s.usage.cpu_time / 10),
        },
        "exit_code": exit_code(s.exit.unwrap_or(ExitCode { code: 0, signal: 0 })),
        "nodes": dict! {
            "count": s.node_count,
            "range": s.nodes.as_str(),
            "list": texts(hostlist::expand(&s.nodes).unwrap_or_default()),
        },
        "tasks": dict! { "count": s.tasks },
        "pid": "",
        "CPU": dict! {
            "requested_frequency": dict! { "min": number(Some(0)), "max": number(Some(0)) },
            "governor": "0",
        },
        "kill_request_user": s.cancelled_by.map_or_else(String::new, |u| v.users.name(u)),
        "state": texts([s.state.long()]),
        "statistics": dict! {
            "CPU": dict! { "actual_frequency": 0u32 },
            "energy": dict! { "consumed": number(Some(0)) },
        },
        "step": dict! {
            "id": format!("{}.{num}", r.job),
            "name": s.name.as_str(),
            "stderr": "",
            "stdin": "",
            "stdout": "",
            "stderr_expanded": "",
            "stdin_expanded": "",
            "stdout_expanded": "",
        },
        "submit_line": s.submit_line.as_str(),
        "task": dict! { "distribution": layout },
        "tres": dict! {
            "requested": dict! { "max": usage.clone(), "min": usage.clone(), "average": usage.clone(), "total": usage.clone() },
            "consumed": dict! { "max": usage.clone(), "min": usage.clone(), "average": usage.clone(), "total": usage },
            "allocated": tres_list(v, &s.tres),
        },
    }
}
