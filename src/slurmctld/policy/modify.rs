//! An update as `[[job_modify]]` rules see it: the job with the update applied, and the changed fields.

use crate::Slurmctld;
use crate::job_mgr::changed::changed_desc;
use crate::rpc::request::JobUpdate;
use crate::state::job::{Job, JobDesc};

/// The description of a new job with the same request.
pub(super) fn as_it_would_be(ctld: &Slurmctld, job: &Job, change: &JobUpdate) -> JobDesc {
    let names: Vec<&str> = job.partitions.iter().map(|p| ctld.partition(*p).name.as_str()).collect();
    let desc = changed_desc(&job.desc, change);
    JobDesc {
        name: change.name.clone().unwrap_or_else(|| job.name.clone()),
        partition: change.partition.clone().or_else(|| Some(names.join(","))),
        account: desc.account.clone().or_else(|| Some(job.account.clone())),
        time_limit: change.time_limit.or(Some(job.time_limit)),
        ntasks: change.ntasks.or(desc.ntasks),
        mem_per_node: change.mem_per_node.or(desc.mem_per_node.filter(|_| change.mem_per_cpu.is_none())),
        mem_per_cpu: change.mem_per_cpu.or(desc.mem_per_cpu.filter(|_| change.mem_per_node.is_none())),
        dependency: change.dependency.clone().or_else(|| desc.dependency.clone()),
        reservation: change.reservation.clone().or_else(|| desc.reservation.clone()),
        ..desc
    }
}

/// The changed fields, by their names in rules: `partition,time_limit`.
pub(super) fn changes(change: &JobUpdate) -> String {
    let all = [
        ("account", change.account.is_some()),
        ("begin", change.begin.is_some()),
        ("constraint", change.features.is_some()),
        ("cpus_per_task", change.cpus_per_task.is_some()),
        ("deadline", change.deadline.is_some()),
        ("dependency", change.dependency.is_some()),
        ("gres", change.gres.is_some()),
        ("licenses", change.licenses.is_some()),
        ("mem", change.mem_per_node.is_some() || change.mem_per_cpu.is_some()),
        ("name", change.name.is_some()),
        ("nice", change.nice.is_some()),
        ("nodelist", change.required.is_some()),
        ("nodes", change.min_nodes.is_some()),
        ("partition", change.partition.is_some()),
        ("priority", change.priority.is_some()),
        ("qos", change.qos.is_some()),
        ("requeue", change.requeue.is_some()),
        ("reservation", change.reservation.is_some()),
        ("tasks", change.ntasks.is_some() || change.min_cpus.is_some()),
        ("throttle", change.throttle.is_some()),
        ("time_limit", change.time_limit.is_some() || change.end_time.is_some()),
    ];
    all.iter().filter(|c| c.1).map(|c| c.0).collect::<Vec<_>>().join(",")
}
