//! Names in a verdict, as Slurm prints them: jobs, nodes, reservations, limits and their owners.

use crate::Slurmctld;
use crate::acct_policy::{Blocked, LimitKind, UsageOwner};
use crate::state::desc::gres_text;
use crate::state::job::{GresReq, Job, Memory};
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{AssocId, JobId, QosId, ResvId};
use base::time::Time;
use base::tres::mem_text;
use base::verdict::{JobRef, LimitOwner, LimitUnit, ReachedLimit, RequestSummary};

/// Another job, with the data that is still available.
pub(super) fn job(ctld: &Slurmctld, id: JobId) -> JobRef {
    match ctld.jobs.get(id) {
        Some(job) => {
            JobRef { job: id, id: job.id_text(), user: ctld.user_name(job.uid()), priority: job.priority }
        }
        None => JobRef { job: id, id: id.to_string(), ..JobRef::default() },
    }
}

/// A job's request.
pub(super) fn request(ctld: &Slurmctld, job: &Job) -> RequestSummary {
    let needs = &job.needs;
    let memory = match needs.memory {
        Memory::PerCpu(mib) if mib > 0 => format!("{}/CPU", mem_text(mib)),
        Memory::PerGpu(mib) if mib > 0 => format!("{}/GPU", mem_text(mib)),
        Memory::PerNode(mib) if mib > 0 => mem_text(mib),
        Memory::PerCpu(_) | Memory::PerGpu(_) | Memory::PerNode(_) | Memory::Unset => String::new(),
    };
    let lists = [&job.desc.gres, &job.desc.gpus, &job.desc.gpus_per_node, &job.desc.gpus_per_task];
    let gres: Vec<GresReq> = lists.into_iter().flatten().cloned().collect();
    RequestSummary {
        nodes: needs.min_nodes.max(1),
        tasks: needs.ntasks,
        cpus_per_task: needs.cpus_per_task,
        memory,
        gres: gres_text(&gres).replace("gres/", ""),
        nodelist: hosts(ctld, &needs.required),
    }
}

/// A set of nodes: `gpu[01-04]`.
pub(super) fn hosts(ctld: &Slurmctld, nodes: &BitSet) -> String {
    let names: Vec<&str> = super::node_ids(nodes).map(|id| ctld.node(id).conf.name.as_str()).collect();
    hostlist::compress(&names)
}

/// A reservation's name; empty if there is none.
pub(super) fn reservation(ctld: &Slurmctld, id: Option<ResvId>) -> String {
    id.and_then(|id| ctld.reservations.get(id)).map(|r| r.name.clone()).unwrap_or_default()
}

/// A QOS by name; empty if it was deleted.
pub(super) fn qos(ctld: &Slurmctld, id: QosId) -> String {
    ctld.dbd.qos_by_id(id).map(|q| q.name.clone()).unwrap_or_default()
}

/// An association's account.
pub(super) fn account(ctld: &Slurmctld, id: AssocId) -> String {
    ctld.dbd.assoc(id).map(|a| a.account.clone()).unwrap_or_default()
}

/// A limit, its owner, and the jobs and users that use it.
pub(super) fn limit(ctld: &Slurmctld, blocked: &Blocked, now: Time) -> ReachedLimit {
    let (name, unit) = match &blocked.which {
        LimitKind::Tres(kind, tres) => {
            let kind = format!("{kind:?}").replace("Tres", "TRES");
            let unit = if kind.contains("Mins") {
                LimitUnit::Minutes
            } else if tres == "mem" {
                LimitUnit::Mib
            } else {
                LimitUnit::Number
            };
            (format!("{kind}={tres}"), unit)
        }
        LimitKind::Count(kind) => (format!("{kind:?}"), LimitUnit::Number),
        LimitKind::GrpWall => ("GrpWall".to_owned(), LimitUnit::Minutes),
        LimitKind::MaxWall => ("MaxWall".to_owned(), LimitUnit::Minutes),
    };
    ReachedLimit {
        reason: blocked.reason.text().to_owned(),
        name,
        owner: owner(ctld, blocked.owner),
        unit,
        at: blocked.at,
        used: blocked.used,
        asked: blocked.asked,
        users: super::stop::users(ctld, blocked),
        spent: super::used_minutes::used_minutes(ctld, blocked, now),
    }
}

fn owner(ctld: &Slurmctld, owner: UsageOwner) -> LimitOwner {
    match owner {
        UsageOwner::Assoc(id) => match ctld.dbd.assoc(id).and_then(|a| a.user.clone()) {
            Some(user) => LimitOwner::User { user, account: account(ctld, id) },
            None => LimitOwner::Account(account(ctld, id)),
        },
        UsageOwner::Qos(id) => LimitOwner::Qos(qos(ctld, id)),
        UsageOwner::User(id, uid) => LimitOwner::UserInQos { user: ctld.user_name(uid), qos: qos(ctld, id) },
        UsageOwner::Account(id, of) => {
            LimitOwner::AccountInQos { account: account(ctld, of), qos: qos(ctld, id) }
        }
    }
}
