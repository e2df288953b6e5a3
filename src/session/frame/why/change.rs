//! A change of a request, as the option to ask with and the command that makes it.

use crate::base::time::Limit;
use crate::commands::slurm::jobtext::{View, id_text, limit_short};
use crate::protocol::why::{Ask, Change as Said};
use crate::session::frame::job::resubmit;
use crate::slurmctld::job::{GresReq, Job};
use crate::slurmctld::verdict::Change;

/// For the page.
pub fn change(view: &View, job: &Job, change: &Change, starts: bool) -> Said {
    let partition = |id: crate::base::ids::PartId| {
        view.state.partitions.get(id.0 as usize).map(|p| p.name.clone()).unwrap_or_default()
    };
    let update = |what: String| Some(format!("scontrol update jobid={} {what}", id_of(job)));
    let (ask, option, command) = match change {
        Change::Time(minutes) => {
            let text = limit_short(Limit::Minutes(*minutes));
            (
                Ask::Time(i64::from(*minutes) * 60),
                format!("--time={text}"),
                update(format!("timelimit={text}")),
            )
        }
        Change::Memory(mib) => (Ask::Memory, format!("--mem={mib}M"), update(format!("minmemorynode={mib}"))),
        Change::MemoryPerCpu(mib) => {
            (Ask::Memory, format!("--mem-per-cpu={mib}M"), update(format!("minmemorycpu={mib}")))
        }
        Change::Gpus(count) => {
            let option = gpu_option(job, *count);
            let anew = option.as_ref().and_then(|o| resubmit(job, &[GPU_OPTIONS, &["--gres"]].concat(), o));
            let per_node = option.as_ref().and_then(|o| o.strip_prefix("--gres="));
            let command = per_node.map_or(anew, |gres| update(format!("gres={gres}")));
            (Ask::Gpus(*count), option.unwrap_or_default(), command)
        }
        Change::Partition(id) => {
            let name = partition(*id);
            (Ask::Partition(name.clone()), format!("--partition={name}"), update(format!("partition={name}")))
        }
        Change::Account(id) => {
            let name = view.state.dbd.assoc(*id).map(|a| a.account.clone()).unwrap_or_default();
            (Ask::Account(name.clone()), format!("--account={name}"), update(format!("account={name}")))
        }
        Change::Qos(id) => {
            let name = view.qos(*id);
            (Ask::Qos(name.clone()), format!("--qos={name}"), update(format!("qos={name}")))
        }
        Change::AnyNode => (Ask::AnyNode, String::new(), update("reqnodelist=".to_owned())),
        Change::AnyFeatures => (Ask::AnyFeatures, String::new(), update("features=".to_owned())),
        Change::Tasks(n) => (Ask::Tasks(*n), format!("--ntasks={n}"), update(format!("numtasks={n}"))),
        Change::Nodes(n) => (Ask::Nodes(*n), format!("--nodes={n}"), update(format!("numnodes={n}"))),
        Change::Throttle(n) => {
            (Ask::Throttle(*n), format!("--array=…%{n}"), update(format!("arraytaskthrottle={n}")))
        }
        Change::NoLicenses => (Ask::NoLicenses, String::new(), update("licenses=".to_owned())),
        Change::NoReservation => (Ask::NoReservation, String::new(), update("reservationname=".to_owned())),
        Change::NoDependency => (Ask::NoDependency, String::new(), update("dependency=".to_owned())),
        Change::Now => (Ask::Now, String::new(), update("starttime=now".to_owned())),
        Change::Release | Change::AdminRelease => {
            let by_admin = *change == Change::AdminRelease;
            let command = format!("scontrol release {}", id_of(job));
            (Ask::Release { by_admin }, String::new(), Some(command))
        }
        Change::Shared => (Ask::Shared, String::new(), instead(job, &["--exclusive"], "")),
    };
    Said { ask, option, command, starts }
}

/// The id that `scontrol update` takes: of an array that waits the array's own.
pub fn id_of(job: &Job) -> String {
    match &job.array {
        Some(array) if array.task.is_none() => array.job.to_string(),
        Some(_) | None => id_text(job),
    }
}

/// Cancels it, and submits it anew.
fn instead(job: &Job, drop: &[&str], add: &str) -> Option<String> {
    Some(format!("scancel {}; {}", id_of(job), resubmit(job, drop, add)?))
}

const GPU_OPTIONS: &[&str] =
    &["--gres", "--gpus", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket", "-G"];

/// The option in which it asks for GPUs, with another number.
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
