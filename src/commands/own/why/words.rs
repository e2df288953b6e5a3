//! English sentences for a verdict.

use crate::slurm::jobtext::limit_short;
use base::time::Limit;
use base::verdict::{
    Assumption, BackfillVerdict, Blocker, Eligibility, ExpectedStart, JobRef, LicenseShortage, LimitOwner,
    NodeResource, NodeVerdict, PartitionVerdict, ReachedLimit, RequestChange, RequestSummary, StartingPass,
    Verdict,
};
use slurmctld::job::Job;

/// The whole verdict in a sentence or two.
pub fn sentence(job: &Job, verdict: &Verdict) -> String {
    let who = format!("Job {} ({}) of {}", verdict.job, job.name, verdict.user);
    match &verdict.eligibility {
        Eligibility::Past(state) => format!("{who} is not pending: it is {state}."),
        Eligibility::Held { by_admin: true } => {
            format!("{who} is held ({}): only an administrator can release it.", verdict.shown)
        }
        Eligibility::Held { by_admin: false } => {
            format!("{who} is held by its owner: 'scontrol release {}' releases it.", verdict.job)
        }
        Eligibility::Begins { at, again: false } => format!("{who} cannot start before {at}."),
        Eligibility::Begins { at, again: true } => {
            format!("{who} was requeued and cannot start again before {at}.")
        }
        Eligibility::Depends(open) if open.first.is_empty() => format!("{who} is not eligible yet."),
        Eligibility::Depends(open) => {
            let ids: Vec<String> =
                open.first.iter().map(|d| d.1.job).filter(|j| j.0 > 0).map(|j| j.to_string()).collect();
            let whom = if ids.is_empty() { "other jobs with this name".to_owned() } else { ids.join(", ") };
            format!("{who} waits for {}: {whom}.", plural(open.count, "dependency", "dependencies"))
        }
        Eligibility::Queued { in_front } => queued((&who, *in_front), verdict),
    }
}

fn queued((who, in_front): (&str, u32), verdict: &Verdict) -> String {
    match verdict.starts() {
        Some(StartingPass::Main) => return format!("{who} starts with the next scheduling pass."),
        Some(StartingPass::Backfill) => return format!("{who} starts with the next backfill pass."),
        None => {}
    }
    let blockers: Vec<String> = verdict.partitions.iter().map(|p| blocker(p, verdict)).collect();
    let behind = plural(in_front, "queue entry is", "queue entries are");
    format!(
        "{who} is waiting ({}; {behind} ahead of it): {}.{}",
        verdict.shown,
        blockers.join("; "),
        backfill(verdict)
    )
}

fn backfill(verdict: &Verdict) -> String {
    match &verdict.backfill {
        BackfillVerdict::None | BackfillVerdict::Starts => String::new(),
        BackfillVerdict::Expects(ExpectedStart { at, nodes, .. }) => {
            format!(" It is expected to start at {at} on {nodes}.")
        }
        BackfillVerdict::Limited(limit) => format!(" Backfill does not plan it: {}.", limited(limit)),
        BackfillVerdict::TooFar(depth) => {
            format!(
                " Backfill considers only the first {depth} entries (bf_max_job_test) and does not reach it."
            )
        }
        BackfillVerdict::NoStart(until) => format!(" Backfill finds no start for it before {until}."),
    }
}

fn plural(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn jobs(jobs: &[JobRef]) -> String {
    let ids: Vec<String> = jobs.iter().map(|j| j.job.to_string()).collect();
    format!("{} {}", if ids.len() == 1 { "job" } else { "jobs" }, ids.join(", "))
}

/// What blocks the job in one partition.
fn blocker(tried: &PartitionVerdict, verdict: &Verdict) -> String {
    let part = &tried.partition;
    match &tried.blocker {
        Blocker::Nothing => format!("nothing blocks it in {part}"),
        Blocker::Behind(job) => {
            let job = job.job;
            format!("job {job} ahead of it cannot start either and blocks partition {part}")
        }
        Blocker::Nodes => {
            let ((nodes, tasks), (free, fit)) = ((verdict.needs.nodes, verdict.needs.tasks), tried.available);
            format!(
                "it needs {} for {}, and in {part} {} room now, for {}",
                plural(nodes, "node", "nodes"),
                plural(tasks, "task", "tasks"),
                plural(free, "node has", "nodes have"),
                plural(u32::try_from(fit).unwrap_or(u32::MAX), "task", "tasks")
            )
        }
        Blocker::Preempts(victims) => format!("it preempts {} and waits for the resources", jobs(victims)),
        Blocker::State(state) => format!("partition {part} is {state}"),
        Blocker::TimeLimit { asked, most } => {
            let (asked, most) = (limit_short(*asked), limit_short(*most));
            format!("its time limit {asked} exceeds the {most} of partition {part}")
        }
        Blocker::NodeCount { asked, least, most } => {
            format!(
                "it requests {}, partition {part} allows {least} to {most} per job",
                plural(*asked, "node", "nodes")
            )
        }
        Blocker::TooSmall { cpus, nodes } => format!(
            "it requests {} and {} CPUs, partition {part} has {} and {}",
            plural(nodes.0, "node", "nodes"),
            cpus.0,
            nodes.1,
            cpus.1
        ),
        Blocker::Account => format!("partition {part} does not allow its account"),
        Blocker::Group => format!("partition {part} does not allow its user's groups"),
        Blocker::Qos => format!("partition {part} does not allow its QOS"),
        Blocker::Never => format!("no nodes in {part} can ever satisfy its request"),
        Blocker::NoAccount(_) => format!("{} has no association for it", verdict.user),
        Blocker::NoQos(qos) if qos.is_empty() => "its QOS was deleted".to_owned(),
        Blocker::NoQos(qos) => format!("its association may not use its QOS {qos}"),
        Blocker::Threshold { has, least, .. } => format!(
            "its QOS requires a fair share of 0.{least:03} and its association has 0.{has:03} (UsageThreshold)"
        ),
        Blocker::Limit(limit) => {
            let by =
                limit.spent.iter().flat_map(|s| &s.by.first).map(|(user, used)| format!("{user} {used}"));
            let by = by.collect::<Vec<_>>().join(", ");
            let by = if by.is_empty() { by } else { format!("; used by {by}") };
            limited(limit) + &by
        }
        Blocker::Licenses(licenses) => {
            let one = |l: &LicenseShortage| {
                format!(
                    "{} of {} licences {} are used or reserved, and it needs {}",
                    l.taken, l.total, l.name, l.asked
                )
            };
            licenses.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Blocker::ArrayTasks { running, most } => {
            format!("{running} tasks of its array are running, and the array allows {most} at once")
        }
        Blocker::Reservation(Some(at)) => format!("its reservation starts at {at}"),
        Blocker::Reservation(None) => "its reservation is not active".to_owned(),
        Blocker::Other(reason) => format!("{reason} in {part}"),
    }
}

fn limited(limit: &ReachedLimit) -> String {
    let users = &limit.users;
    let by = match users.count {
        0 => String::new(),
        n => format!(" ({}{})", jobs(&users.first), if n as usize > users.first.len() { " ..." } else { "" }),
    };
    let ReachedLimit { name, at, used, asked, .. } = limit;
    format!("{name} of {} is {at}, {used} are used{by}, and it requests {asked}", owner(&limit.owner))
}

fn owner(owner: &LimitOwner) -> String {
    match owner {
        LimitOwner::User { user, account } => format!("user {user} in account {account}"),
        LimitOwner::Account(account) => format!("account {account}"),
        LimitOwner::Qos(qos) => format!("QOS {qos}"),
        LimitOwner::UserInQos { user, qos } => format!("user {user} in QOS {qos}"),
        LimitOwner::AccountInQos { account, qos } => format!("account {account} in QOS {qos}"),
    }
}

/// A node's verdict.
pub fn cause(cause: &NodeVerdict) -> String {
    let what = |resource| match resource {
        NodeResource::Cpus => "CPUs",
        NodeResource::Memory => "memory",
        NodeResource::Gres => "GRES",
    };
    match cause {
        NodeVerdict::Available => "room for it".to_owned(),
        NodeVerdict::Kept(job) => format!("room, reserved for job {} ahead of it", job.job),
        NodeVerdict::Reserved(name) if name.is_empty() => "room, reserved for others".to_owned(),
        NodeVerdict::Reserved(name) => format!("room, reserved for {name}"),
        NodeVerdict::Busy(resource) => {
            format!("busy: too few {} free", what(*resource)).replace("few memory", "little memory")
        }
        NodeVerdict::Exclusive => "busy with jobs that cannot share a node with it".to_owned(),
        NodeVerdict::Small(resource) => format!("too small: {}", what(*resource)),
        NodeVerdict::Excluded => "excluded (-x)".to_owned(),
        NodeVerdict::NotListed => "not in the requested list (-w)".to_owned(),
        NodeVerdict::Features => "without the requested features".to_owned(),
        NodeVerdict::Down => "down".to_owned(),
        NodeVerdict::Drained => "drained".to_owned(),
        NodeVerdict::Away => "failing, powered down or booting".to_owned(),
    }
}

/// What must end first.
pub fn assumption(assumption: &Assumption) -> String {
    match assumption {
        Assumption::Limit(job, end) => format!("job {} runs until {end} at most", job.job),
        Assumption::Plan(job, end) => {
            format!("job {}, ahead of it, has a backfill reservation until {end}", job.job)
        }
        Assumption::Reservation(name, end) => format!("reservation {name} ends at {end}"),
    }
}

/// A change, phrased for the user.
pub fn change(job: &Job, needs: &RequestSummary, change: &RequestChange) -> String {
    match change {
        RequestChange::Time(minutes) => format!("--time={}", limit_short(Limit::Minutes(*minutes))),
        RequestChange::Memory(mib) => format!("--mem={mib}M"),
        RequestChange::MemoryPerCpu(mib) => format!("--mem-per-cpu={mib}M"),
        RequestChange::Gpus(count) => format!(
            "{} (instead of its request)",
            plural(u32::try_from(*count).unwrap_or(u32::MAX), "GPU", "GPUs")
        ),
        RequestChange::Partition(name) => format!("--partition={name}"),
        RequestChange::Account(name) => format!("--account={name}"),
        RequestChange::Qos(name) => format!("--qos={name}"),
        RequestChange::AnyNode => format!("no --nodelist ({})", needs.nodelist),
        RequestChange::AnyFeatures => "no --constraint".to_owned(),
        RequestChange::Shared => "no --exclusive".to_owned(),
        RequestChange::Tasks(n) => format!("--ntasks={n}"),
        RequestChange::Nodes(n) => format!("--nodes={n}"),
        RequestChange::Throttle(n) => format!("scontrol update jobid={} arraytaskthrottle={n}", job.id),
        RequestChange::NoLicenses => "no --licenses".to_owned(),
        RequestChange::NoReservation => "no --reservation".to_owned(),
        RequestChange::NoDependency => {
            format!("no dependency (scontrol update jobid={} dependency=)", job.id)
        }
        RequestChange::Now => "no --begin".to_owned(),
        RequestChange::Release { by_admin: false } => format!("scontrol release {}", job.id),
        RequestChange::Release { by_admin: true } => {
            format!("scontrol release {} (by an administrator)", job.id)
        }
    }
}
