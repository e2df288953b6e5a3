//! A change of a job request: the option to use, and the command that applies it.

use crate::session::frame::job::resubmit;
use base::time::Limit;
use commands::slurm::jobtext::{JobView, id_text, limit_short};
use protocol::why::{Remedy, RemedyKind};
use slurmctld::job::{GresReq, Job};
use slurmctld::verdict::Change;

/// The change for the page.
pub fn change(view: &JobView, job: &Job, change: &Change, starts: bool) -> Remedy {
    let partition = |id: base::ids::PartId| {
        view.state.partitions.get(id.0 as usize).map(|p| p.name.clone()).unwrap_or_default()
    };
    let update = |what: String| Some(format!("scontrol update jobid={} {what}", id_of(job)));
    let (ask, option, command) = match change {
        Change::Time(minutes) => {
            let text = limit_short(Limit::Minutes(*minutes));
            (
                RemedyKind::Time(i64::from(*minutes) * 60),
                format!("--time={text}"),
                update(format!("timelimit={text}")),
            )
        }
        Change::Memory(mib) => {
            (RemedyKind::Memory, format!("--mem={mib}M"), update(format!("minmemorynode={mib}")))
        }
        Change::MemoryPerCpu(mib) => {
            (RemedyKind::Memory, format!("--mem-per-cpu={mib}M"), update(format!("minmemorycpu={mib}")))
        }
        Change::Gpus(count) => {
            let option = gpu_option(job, *count);
            let anew = option.as_ref().and_then(|o| resubmit(job, &[GPU_OPTIONS, &["--gres"]].concat(), o));
            let per_node = option.as_ref().and_then(|o| o.strip_prefix("--gres="));
            let command = per_node.map_or(anew, |gres| update(format!("gres={gres}")));
            (RemedyKind::Gpus(*count), option.unwrap_or_default(), command)
        }
        Change::Partition(id) => {
            let name = partition(*id);
            (
                RemedyKind::Partition(name.clone()),
                format!("--partition={name}"),
                update(format!("partition={name}")),
            )
        }
        Change::Account(id) => {
            let name = view.state.dbd.assoc(*id).map(|a| a.account.clone()).unwrap_or_default();
            (
                RemedyKind::Account(name.clone()),
                format!("--account={name}"),
                update(format!("account={name}")),
            )
        }
        Change::Qos(id) => {
            let name = view.qos(*id);
            (RemedyKind::Qos(name.clone()), format!("--qos={name}"), update(format!("qos={name}")))
        }
        Change::AnyNode => (RemedyKind::AnyNode, String::new(), update("reqnodelist=".to_owned())),
        Change::AnyFeatures => (RemedyKind::AnyFeatures, String::new(), update("features=".to_owned())),
        Change::Tasks(n) => (RemedyKind::Tasks(*n), format!("--ntasks={n}"), update(format!("numtasks={n}"))),
        Change::Nodes(n) => (RemedyKind::Nodes(*n), format!("--nodes={n}"), update(format!("numnodes={n}"))),
        Change::Throttle(n) => {
            (RemedyKind::Throttle(*n), format!("--array=…%{n}"), update(format!("arraytaskthrottle={n}")))
        }
        Change::NoLicenses => (RemedyKind::NoLicenses, String::new(), update("licenses=".to_owned())),
        Change::NoReservation => {
            (RemedyKind::NoReservation, String::new(), update("reservationname=".to_owned()))
        }
        Change::NoDependency => (RemedyKind::NoDependency, String::new(), update("dependency=".to_owned())),
        Change::Now => (RemedyKind::Now, String::new(), update("starttime=now".to_owned())),
        Change::Release | Change::AdminRelease => {
            let by_admin = *change == Change::AdminRelease;
            let command = format!("scontrol release {}", id_of(job));
            (RemedyKind::Release { by_admin }, String::new(), Some(command))
        }
        Change::Shared => (RemedyKind::Shared, String::new(), instead(job, &["--exclusive"], "")),
    };
    Remedy { ask, option, command, starts }
}

/// The id for `scontrol update`: for a pending array, the array's own id.
pub fn id_of(job: &Job) -> String {
    match &job.array {
        Some(array) if array.task.is_none() => array.job.to_string(),
        Some(_) | None => id_text(job),
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
