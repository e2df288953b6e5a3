//! English sentences for a verdict.

use crate::slurm::jobtext::{JobView, limit_short};
use base::ids::JobId;
use base::time::Limit;
use config::PartState;
use slurmctld::acct_policy::{Blocked, Which, Whose};
use slurmctld::job::{Job, Scheduler};
use slurmctld::verdict::{
    Backfill, Change, Expected, NodeCause, Resource, Rest, Standing, Stop, Tried, Verdict,
};

/// The whole verdict in a sentence or two.
pub fn sentence(view: &JobView, job: &Job, verdict: &Verdict) -> String {
    let who = format!("Job {} ({}) of {}", verdict.job, job.name, view.users.name(job.uid()));
    match &verdict.standing {
        Standing::Past(state) => format!("{who} is not pending: it is {}.", state.long()),
        Standing::Held { by_admin: true } => {
            format!("{who} is held ({}): only an administrator can release it.", verdict.shown.text())
        }
        Standing::Held { by_admin: false } => {
            format!("{who} is held by its owner: 'scontrol release {}' releases it.", verdict.job)
        }
        Standing::Begins { at, again: false } => format!("{who} cannot start before {at}."),
        Standing::Begins { at, again: true } => {
            format!("{who} was requeued and cannot start again before {at}.")
        }
        Standing::Depends(open, _) if open.is_empty() => format!("{who} is not eligible yet."),
        Standing::Depends(open, count) => {
            let ids: Vec<String> =
                open.iter().map(|d| d.job).filter(|j| j.0 > 0).map(|j| j.to_string()).collect();
            let whom = if ids.is_empty() { "other jobs with this name".to_owned() } else { ids.join(", ") };
            format!("{who} waits for {}: {whom}.", plural(*count, "dependency", "dependencies"))
        }
        Standing::Queued { in_front } => queued(view, job, (&who, *in_front), verdict),
    }
}

fn queued(view: &JobView, job: &Job, (who, in_front): (&str, u32), verdict: &Verdict) -> String {
    let shown = verdict.shown.text();
    match verdict.starts() {
        Some(Scheduler::Main) => return format!("{who} starts with the next scheduling pass."),
        Some(Scheduler::Backfill) => return format!("{who} starts with the next backfill pass."),
        None => {}
    }
    let stops: Vec<String> = verdict.tried.iter().map(|tried| stop(view, job, tried)).collect();
    let behind = plural(in_front, "queue entry is", "queue entries are");
    format!(
        "{who} is waiting ({shown}; {behind} ahead of it): {}.{}",
        stops.join("; "),
        backfill(view, verdict)
    )
}

fn backfill(view: &JobView, verdict: &Verdict) -> String {
    match &verdict.backfill {
        Backfill::None | Backfill::Starts => String::new(),
        Backfill::Expects(Expected { at, nodes, .. }) => {
            format!(" It is expected to start at {at} on {}.", view.hosts(nodes))
        }
        Backfill::Limited { limit, users, .. } => {
            format!(" Backfill does not plan it: {}.", limited(view, limit, users))
        }
        Backfill::TooFar(depth) => {
            format!(
                " Backfill considers only the first {depth} entries (bf_max_job_test) and does not reach it."
            )
        }
        Backfill::NoPlace(until) => format!(" Backfill finds no start for it before {until}."),
    }
}

fn plural(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn jobs(ids: &[JobId]) -> String {
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    format!("{} {}", if ids.len() == 1 { "job" } else { "jobs" }, ids.join(", "))
}

/// What blocks the job in one partition.
fn stop(view: &JobView, job: &Job, tried: &Tried) -> String {
    let part = view.state.partitions.get(tried.part.0 as usize).map_or("", |p| p.name.as_str());
    match &tried.stop {
        Stop::Nothing => format!("nothing blocks it in {part}"),
        Stop::Behind(job) => {
            format!("job {job} ahead of it cannot start either and blocks partition {part}")
        }
        Stop::Nodes => {
            let ((nodes, tasks), (free, fit)) = (tried.wanted, tried.room);
            format!(
                "it needs {} for {}, and in {part} {} room now, for {}",
                plural(nodes, "node", "nodes"),
                plural(tasks, "task", "tasks"),
                plural(free, "node has", "nodes have"),
                plural(u32::try_from(fit).unwrap_or(u32::MAX), "task", "tasks")
            )
        }
        Stop::Preempts(victims) => format!("it preempts {} and waits for the resources", jobs(victims)),
        Stop::State(state) => {
            let state = match state {
                PartState::Up => "UP",
                PartState::Down => "DOWN",
                PartState::Drain => "DRAIN",
                PartState::Inactive => "INACTIVE",
            };
            format!("partition {part} is {state}")
        }
        Stop::TimeLimit { asked, most } => {
            let (asked, most) = (limit_short(*asked), limit_short(*most));
            format!("its time limit {asked} exceeds the {most} of partition {part}")
        }
        Stop::NodeCount { asked, least, most } => {
            format!(
                "it requests {}, partition {part} allows {least} to {most} per job",
                plural(*asked, "node", "nodes")
            )
        }
        Stop::TooSmall { cpus, nodes } => format!(
            "it requests {} and {} CPUs, partition {part} has {} and {}",
            plural(nodes.0, "node", "nodes"),
            cpus.0,
            nodes.1,
            cpus.1
        ),
        Stop::Account => format!("partition {part} does not allow its account"),
        Stop::Group => format!("partition {part} does not allow its user's groups"),
        Stop::Qos => format!("partition {part} does not allow its QOS"),
        Stop::Never => format!("no nodes in {part} can ever satisfy its request"),
        Stop::NoAccount => format!("{} has no association for it", view.users.name(job.uid())),
        Stop::NoQos => format!("its association may not use its QOS {}", view.qos(job.qos)),
        Stop::Threshold { has, least } => format!(
            "its QOS requires a fair share of 0.{least:03} and its association has 0.{has:03} (UsageThreshold)"
        ),
        Stop::Limit { limit, users, spent } => {
            let by = spent.iter().flat_map(|s| &s.by.0).map(|(user, used)| format!("{user} {used}"));
            let by = by.collect::<Vec<_>>().join(", ");
            let by = if by.is_empty() { by } else { format!("; used by {by}") };
            limited(view, limit, users) + &by
        }
        Stop::Licenses(licenses) => {
            let one = |l: &slurmctld::verdict::License| {
                format!(
                    "{} of {} licences {} are used or reserved, and it needs {}",
                    l.used + l.reserved,
                    l.total,
                    l.name,
                    l.asked
                )
            };
            licenses.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Stop::ArrayTasks { running, most } => {
            format!("{running} tasks of its array are running, and the array allows {most} at once")
        }
        Stop::Reservation(Some(at)) => format!("its reservation starts at {at}"),
        Stop::Reservation(None) => "its reservation is not active".to_owned(),
        Stop::Other(reason) => format!("{} in {part}", reason.text()),
    }
}

fn limited(view: &JobView, limit: &Blocked, (users, count): &(Vec<JobId>, u32)) -> String {
    let which = match &limit.which {
        Which::Tres(kind, name) => format!("{kind:?}={name}"),
        Which::Count(kind) => format!("{kind:?}"),
        Which::GrpWall => "GrpWall".to_owned(),
        Which::MaxWall => "MaxWall".to_owned(),
    };
    let by = match count {
        0 => String::new(),
        n => format!(" ({}{})", jobs(users), if *n as usize > users.len() { " ..." } else { "" }),
    };
    let Blocked { at, used, asked, .. } = limit;
    format!("{which} of {} is {at}, {used} are used{by}, and it requests {asked}", whose(view, limit.whose))
}

fn whose(view: &JobView, whose: Whose) -> String {
    let assoc = |id| {
        view.state.dbd.assoc(id).map_or_else(String::new, |a| match &a.user {
            Some(user) => format!("user {user} in account {}", a.account),
            None => format!("account {}", a.account),
        })
    };
    match whose {
        Whose::Assoc(id) => assoc(id),
        Whose::Qos(id) => format!("QOS {}", view.qos(id)),
        Whose::User(id, uid) => format!("user {} in QOS {}", view.users.name(uid), view.qos(id)),
        Whose::Account(id, account) => format!("{} in QOS {}", assoc(account), view.qos(id)),
    }
}

/// A node's verdict.
pub fn cause(view: &JobView, cause: NodeCause) -> String {
    let what = |resource| match resource {
        Resource::Cpus => "CPUs",
        Resource::Memory => "memory",
        Resource::Gres => "GRES",
    };
    match cause {
        NodeCause::Room => "room for it".to_owned(),
        NodeCause::Kept(job) => format!("room, reserved for job {job} ahead of it"),
        NodeCause::Reserved(id) => {
            let name =
                id.and_then(|id| view.state.reservations.get(id)).map_or("others", |r| r.name.as_str());
            format!("room, reserved for {name}")
        }
        NodeCause::Busy(resource) => {
            format!("busy: too few {} free", what(resource)).replace("few memory", "little memory")
        }
        NodeCause::Company => "busy with jobs that cannot share a node with it".to_owned(),
        NodeCause::Small(resource) => format!("too small: {}", what(resource)),
        NodeCause::Excluded => "excluded (-x)".to_owned(),
        NodeCause::Others => "not in the requested list (-w)".to_owned(),
        NodeCause::Features => "without the requested features".to_owned(),
        NodeCause::Down => "down".to_owned(),
        NodeCause::Drained => "drained".to_owned(),
        NodeCause::Away => "failing, powered down or booting".to_owned(),
    }
}

/// What must end first.
pub fn rest(view: &JobView, rest: Rest) -> String {
    match rest {
        Rest::Limit { job, end } => format!("job {job} runs until {end} at most"),
        Rest::Plan { job, end } => format!("job {job}, ahead of it, has a backfill reservation until {end}"),
        Rest::Reservation { id, end } => {
            let name = view.state.reservations.get(id).map_or("", |r| r.name.as_str());
            format!("reservation {name} ends at {end}")
        }
    }
}

/// A change, phrased for the user.
pub fn change(view: &JobView, job: &Job, change: &Change) -> String {
    match change {
        Change::Time(minutes) => format!("--time={}", limit_short(Limit::Minutes(*minutes))),
        Change::Memory(mib) => format!("--mem={mib}M"),
        Change::MemoryPerCpu(mib) => format!("--mem-per-cpu={mib}M"),
        Change::Gpus(count) => format!(
            "{} (instead of its request)",
            plural(u32::try_from(*count).unwrap_or(u32::MAX), "GPU", "GPUs")
        ),
        Change::Partition(part) => {
            format!(
                "--partition={}",
                view.state.partitions.get(part.0 as usize).map_or("", |p| p.name.as_str())
            )
        }
        Change::Account(id) => {
            format!("--account={}", view.state.dbd.assoc(*id).map_or("", |a| a.account.as_str()))
        }
        Change::Qos(id) => format!("--qos={}", view.qos(*id)),
        Change::AnyNode => format!("no --nodelist ({})", view.hosts(&job.needs.required)),
        Change::AnyFeatures => "no --constraint".to_owned(),
        Change::Shared => "no --exclusive".to_owned(),
        Change::Tasks(n) => format!("--ntasks={n}"),
        Change::Nodes(n) => format!("--nodes={n}"),
        Change::Throttle(n) => format!("scontrol update jobid={} arraytaskthrottle={n}", job.id),
        Change::NoLicenses => "no --licenses".to_owned(),
        Change::NoReservation => "no --reservation".to_owned(),
        Change::NoDependency => format!("no dependency (scontrol update jobid={} dependency=)", job.id),
        Change::Now => "no --begin".to_owned(),
        Change::Release => format!("scontrol release {}", job.id),
        Change::AdminRelease => format!("scontrol release {} (by an administrator)", job.id),
    }
}
