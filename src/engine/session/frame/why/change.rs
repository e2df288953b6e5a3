//! A change of a job request: the option to use, and the command that applies it.

use crate::session::frame::job::resubmit;
use base::time::Limit;
use commands::slurm::jobtext::limit_short;
use protocol::why::{Remedy, RequestChange};
use slurmctld::job::{GresReq, Job};

/// The change with its option and command.
pub fn remedy(job: &Job, change: RequestChange, starts: bool) -> Remedy {
    let (option, command) = texts(job, &change);
    Remedy { change, option, command, starts }
}

/// The option; empty if one is to be removed. And the command, if there is one.
fn texts(job: &Job, change: &RequestChange) -> (String, Option<String>) {
    let update = |what: String| Some(format!("scontrol update jobid={} {what}", id_of(job)));
    let option = |option: &str, field: &str, value: &str| {
        (format!("--{option}={value}"), update(format!("{field}={value}")))
    };
    let without = |field: &str| (String::new(), update(format!("{field}=")));
    match change {
        RequestChange::Time(minutes) => option("time", "timelimit", &limit_short(Limit::Minutes(*minutes))),
        RequestChange::Memory(mib) => (format!("--mem={mib}M"), update(format!("minmemorynode={mib}"))),
        RequestChange::MemoryPerCpu(mib) => {
            (format!("--mem-per-cpu={mib}M"), update(format!("minmemorycpu={mib}")))
        }
        RequestChange::Gpus(count) => {
            let option = gpu_option(job, *count);
            let again = option.as_ref().and_then(|o| resubmit(job, &[GPU_OPTIONS, &["--gres"]].concat(), o));
            let per_node = option.as_ref().and_then(|o| o.strip_prefix("--gres="));
            let command = per_node.map_or(again, |gres| update(format!("gres={gres}")));
            (option.unwrap_or_default(), command)
        }
        RequestChange::Partition(name) => option("partition", "partition", name),
        RequestChange::Account(name) => option("account", "account", name),
        RequestChange::Qos(name) => option("qos", "qos", name),
        RequestChange::AnyNode => without("reqnodelist"),
        RequestChange::AnyFeatures => without("features"),
        RequestChange::Tasks(n) => option("ntasks", "numtasks", &n.to_string()),
        RequestChange::Nodes(n) => option("nodes", "numnodes", &n.to_string()),
        RequestChange::Throttle(n) => (format!("--array=…%{n}"), update(format!("arraytaskthrottle={n}"))),
        RequestChange::NoLicenses => without("licenses"),
        RequestChange::NoReservation => without("reservationname"),
        RequestChange::NoDependency => without("dependency"),
        RequestChange::Now => (String::new(), update("starttime=now".to_owned())),
        RequestChange::Release { .. } => (String::new(), Some(format!("scontrol release {}", id_of(job)))),
        RequestChange::Shared => (String::new(), instead(job, &["--exclusive"], "")),
    }
}

/// The id for `scontrol update`: for a pending array, the array's own id.
pub fn id_of(job: &Job) -> String {
    match &job.array {
        Some(array) if array.task.is_none() => array.job.to_string(),
        Some(_) | None => job.id_text(),
    }
}

/// Cancels the job and submits it again.
fn instead(job: &Job, drop: &[&str], add: &str) -> Option<String> {
    Some(format!("scancel {}; {}", id_of(job), resubmit(job, drop, add)?))
}

const GPU_OPTIONS: &[&str] =
    &["--gres", "--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket", "-G"];

/// The option with which it requests GPUs, with another number.
fn gpu_option(job: &Job, count: u64) -> Option<String> {
    let desc = &job.desc;
    let lists = [
        ("--gres", &desc.gres),
        ("--gpus", &desc.gpus),
        ("--gpus-per-node", &desc.gpus_per_node),
        ("--gpus-per-task", &desc.gpus_per_task),
        ("--gpus-per-socket", &desc.gpus_per_socket),
    ];
    let one = |(option, list): &(&str, &Vec<GresReq>)| {
        let gpu = list.iter().find(|g| g.name == "gpu" && g.count > 0)?;
        let kind = gpu.kind.as_ref().map(|k| format!("{k}:")).unwrap_or_default();
        let name = if *option == "--gres" { "gpu:" } else { "" };
        Some(format!("{option}={name}{kind}{count}"))
    };
    lists.iter().find_map(one)
}
