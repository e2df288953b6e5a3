//! Why a job is pending, in English.

use super::{
    LimitScope, Nouns, Voice, amount, ids, is_infeasible, named, said_before, scope, spenders, thousandths,
};
use crate::rich::code;
use crate::times::{self, span};
use base::time::{Limit, Time};
use protocol::why::{
    Assumption, BackfillVerdict, Blocker, BudgetRecovery, Eligibility, ExpectedStart, LicenseShortage,
    LimitOwner, NodeResource, NodeVerdict, PartitionVerdict, ReachedLimit, Remedy, RequestChange,
    RequestSummary, ReservationAhead, StartingPass, Verdict,
};

/// English.
pub const EN: Voice = Voice { sentence, cause, assumption, in_front, change };

const DAY: &str = "d";

fn moment(at: Time, now: Time) -> String {
    times::when(at.0, now.0, &times::EN)
}

fn plural(n: impl Into<u64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n == 1 { one } else { many })
}

fn sentence(verdict: &Verdict, reader: &str) -> (String, String) {
    let (shown, now, user) = (code(&verdict.shown), verdict.at, &verdict.user);
    let own = reader == user;
    match &verdict.eligibility {
        Eligibility::Past(_) => ("It is no longer waiting.".to_owned(), String::new()),
        Eligibility::Held { by_admin: true } => {
            let lead = match meaning(&verdict.shown) {
                "" => format!("An administrator holds it ({shown})."),
                why => format!("It is held ({shown}): {why}."),
            };
            let rest = match reader == "root" {
                true => "It returns to the queue when you release it.",
                false => "It returns to the queue when an administrator releases it.",
            };
            (lead, rest.to_owned())
        }
        Eligibility::Held { by_admin: false } if own => {
            (format!("You hold it ({shown})."), "It returns to the queue when you release it.".to_owned())
        }
        Eligibility::Held { by_admin: false } => (
            format!("{user} holds it ({shown})."),
            format!("It returns to the queue when {user} or an administrator releases it."),
        ),
        Eligibility::Begins { at, again } => (
            format!("It cannot start before {} ({shown}).", moment(*at, now)),
            if *again {
                "It was requeued. Slurm waits a short time before it starts a job again."
            } else {
                "This was requested with --begin."
            }
            .to_owned(),
        ),
        Eligibility::Depends(open) if open.first.is_empty() => {
            (format!("It is not eligible yet ({shown})."), String::new())
        }
        Eligibility::Depends(open) => {
            let one = |(kind, other): &(String, _)| match kind.as_str() {
                "singleton" if own => "your other jobs with this name to end".to_owned(),
                "singleton" => format!("other jobs of {user} with this name to end"),
                "after" => format!("{} to start", named("job", other)),
                "afterok" | "aftercorr" => format!("{} to complete", named("job", other)),
                "afternotok" => format!("{} to fail", named("job", other)),
                _ => format!("{} to end", named("job", other)),
            };
            let all: Vec<String> = open.first.iter().map(one).collect();
            let more = if open.count as usize > all.len() { ", and others" } else { "" };
            let never = verdict.shown == "DependencyNeverSatisfied";
            let rest = match never {
                true => "This dependency can never be satisfied. Cancel the job or remove the dependency.",
                false => "Until then it is not eligible, and the scheduler does not consider it.",
            };
            (format!("It waits for {}{more} ({shown}).", all.join(", ")), rest.to_owned())
        }
        Eligibility::Queued { in_front } => match verdict.starts() {
            Some(StartingPass::Main) => {
                ("Nothing blocks it: the next scheduling pass starts it.".to_owned(), String::new())
            }
            Some(StartingPass::Backfill) => (
                "It fits into a gap: the next backfill pass starts it.".to_owned(),
                "It does not delay any job ahead of it.".to_owned(),
            ),
            None => queued(verdict, *in_front),
        },
    }
}

fn queued(verdict: &Verdict, in_front: u32) -> (String, String) {
    let lead = match verdict.partitions.as_slice() {
        [only] => blocker(only, verdict),
        several => {
            let each = |t: &PartitionVerdict| format!("in {} {}", code(&t.partition), blocker(t, verdict));
            several.iter().map(each).collect::<Vec<_>>().join("; ")
        }
    };
    let position = match in_front {
        0 => "It is first in the queue.".to_owned(),
        n => format!("{} ahead of it.", plural(n, "queue entry is", "queue entries are")),
    };
    let rest = match is_infeasible(verdict) {
        true => "Slurm holds it until its request changes or an administrator releases it.".to_owned(),
        false => format!("{position} {}", plan(verdict, verdict.at)),
    };
    (format!("It waits because {lead} ({}).", code(&verdict.shown)), rest)
}

fn plan(verdict: &Verdict, now: Time) -> String {
    match &verdict.backfill {
        BackfillVerdict::None | BackfillVerdict::Starts => String::new(),
        BackfillVerdict::Expects(ExpectedStart { at, nodes, .. }) => format!(
            "It is expected to start at {} on {}, in {}.",
            moment(*at, now),
            code(nodes),
            span((*at - now).secs(), DAY)
        ),
        BackfillVerdict::Limited(limit) if said_before(verdict, limit) => String::new(),
        BackfillVerdict::Limited(limit) => {
            format!("Backfill does not plan it either: {}.", limited(limit, now))
        }
        BackfillVerdict::TooFar(depth) => format!(
            "Backfill considers only the first {depth} entries ({}) and does not reach it, so its start cannot be predicted.",
            code("bf_max_job_test")
        ),
        BackfillVerdict::NoStart(until) => {
            format!("Backfill finds no start for it before {}.", moment(*until, now))
        }
    }
}

fn needs(needs: &RequestSummary) -> String {
    let cpus = u64::from(needs.tasks.max(1)) * u64::from(needs.cpus_per_task.max(1));
    let mut all = vec![plural(needs.nodes, "node", "nodes"), plural(cpus, "CPU", "CPUs")];
    if !needs.memory.is_empty() {
        all.push(format!("{} of memory", needs.memory));
    }
    if !needs.gres.is_empty() {
        all.push(gpus(&needs.gres));
    }
    all.join(", ")
}

/// A GRES request in words if it is simple.
fn gpus(gres: &str) -> String {
    match gres.strip_prefix("gpu:").map(str::parse::<u32>) {
        Some(Ok(n)) => plural(n, "GPU", "GPUs"),
        Some(Err(_)) | None => code(gres),
    }
}

/// Meaning of Slurm reasons without further data; empty if there is none.
fn meaning(reason: &str) -> &'static str {
    match reason {
        "None" => "no scheduling pass has considered it yet",
        "Priority" => "it is not its turn yet",
        "Resources" => "the components of its heterogeneous job cannot all start at the same time",
        "Cleaning" => "its previous run is still being cleaned up on its nodes",
        "NodeDown" => "a node it needs is down",
        "JobHoldMaxRequeue" => "it was requeued too many times",
        "JobLaunchFailure" => "it could not be launched on its nodes",
        "ReservationDeleted" => "its reservation was deleted",
        "ReservationInvalid" => "it may not use its reservation",
        "MaxPoweredUpNodes" => "the maximum number of nodes is already powered up",
        "SchedDefer" => "jobs start only in scheduling passes, not at submission",
        _ => "",
    }
}

fn blocker(tried: &PartitionVerdict, verdict: &Verdict) -> String {
    let part = code(&tried.partition);
    match &tried.blocker {
        Blocker::Nothing => "nothing blocks it any more".to_owned(),
        Blocker::Behind(other) => format!(
            "it is not its turn: {}, with priority {}, is ahead of it and cannot start in {part} either",
            named("job", other),
            other.priority
        ),
        Blocker::Nodes if !verdict.needs.nodelist.is_empty() => format!(
            "the nodes it requests, {} ({}), are not free; it needs {}",
            code(&verdict.needs.nodelist),
            code("--nodelist"),
            needs(&verdict.needs)
        ),
        Blocker::Nodes => {
            let room = match tried.available {
                (0, _) => format!("no node in {part} has room now"),
                (nodes, tasks) => format!(
                    "only {} in {part} {} room now, for {}",
                    plural(nodes, "node", "nodes"),
                    if nodes == 1 { "has" } else { "have" },
                    plural(tasks, "task", "tasks")
                ),
            };
            format!("it needs {}, and {room}", needs(&verdict.needs))
        }
        Blocker::Preempts(victims) => {
            format!("it preempts {} and waits for the resources", named_all(victims))
        }
        Blocker::State(state) => format!("partition {part} is {} and starts no jobs", code(state)),
        Blocker::TimeLimit { asked, most } => {
            format!("it requests {} and {part} allows at most {}", limit_text(*asked), limit_text(*most))
        }
        Blocker::NodeCount { asked, least, most } => format!(
            "it requests {} and {part} allows {least} to {most} per job",
            plural(*asked, "node", "nodes")
        ),
        Blocker::TooSmall { cpus, nodes } => format!(
            "it requests {} with {} CPUs and {part} has {} with {} CPUs",
            plural(nodes.0, "node", "nodes"),
            cpus.0,
            plural(nodes.1, "node", "nodes"),
            cpus.1
        ),
        Blocker::Account => format!("partition {part} does not allow its account"),
        Blocker::Group => format!("partition {part} does not allow its user's groups"),
        Blocker::Qos => format!("partition {part} does not allow its QOS"),
        Blocker::Never => {
            format!("no nodes in {part} can ever satisfy its request: {}", needs(&verdict.needs))
        }
        Blocker::NoAccount(account) if account.is_empty() => format!(
            "{} has no account, and jobs must be charged to one here ({})",
            verdict.user,
            code("AccountingStorageEnforce")
        ),
        Blocker::NoAccount(account) => format!("{} no longer belongs to account {account}", verdict.user),
        Blocker::NoQos(qos) if qos.is_empty() => "its QOS was deleted".to_owned(),
        Blocker::NoQos(qos) => format!("{} may no longer use QOS {qos}", verdict.user),
        Blocker::Threshold { qos, has, least } => format!(
            "QOS {qos} requires a fair share of at least {} ({}) and {} has {}; it rises as past usage decays",
            thousandths(*least, '.'),
            code("UsageThreshold"),
            verdict.user,
            thousandths(*has, '.')
        ),
        Blocker::Limit(limit) => limited(limit, verdict.at),
        Blocker::Licenses(all) => {
            let one = |l: &LicenseShortage| {
                format!(
                    "it needs {} and {} of {} are free ({})",
                    plural(l.asked, "licence", "licences"),
                    l.total.saturating_sub(l.taken),
                    l.total,
                    code(&l.name)
                )
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Blocker::ArrayTasks { running, most } => {
            format!(
                "{} of its array {} and the array allows {most} at once ({})",
                plural(*running, "task", "tasks"),
                if *running == 1 { "is running" } else { "are running" },
                code(&format!("%{most}"))
            )
        }
        Blocker::Reservation(Some(at)) => format!("its reservation starts at {}", moment(*at, verdict.at)),
        Blocker::Reservation(None) => "its reservation is not active".to_owned(),
        Blocker::Other(reason) => match meaning(reason) {
            "" => format!("Slurm reports {} in {part}", code(reason)),
            known => known.to_owned(),
        },
    }
}

fn named_all(others: &[protocol::why::JobRef]) -> String {
    let all: Vec<String> = others.iter().map(|o| named("job", o)).collect();
    all.join(", ")
}

fn limit_text(limit: Limit) -> String {
    limit.span().map_or_else(|| "no time limit".to_owned(), |time| span(time.secs(), DAY))
}

const NOUNS: Nouns = Nouns {
    job: |n| if n == 1 { "job" } else { "jobs" },
    cpu: |n| if n == 1 { "CPU" } else { "CPUs" },
    node: |n| if n == 1 { "node" } else { "nodes" },
    licence: "licences",
    memory: "of memory",
    minutes: "{} minutes",
};

fn limited(limit: &ReachedLimit, now: Time) -> String {
    let who = match &limit.owner {
        LimitOwner::User { user, account } => format!("{user} in account {account}"),
        LimitOwner::Account(account) => format!("account {account}"),
        LimitOwner::Qos(qos) => format!("QOS {qos}"),
        LimitOwner::UserInQos { user, qos } => format!("{user} in QOS {qos}"),
        LimitOwner::AccountInQos { account, qos } => format!("account {account} in QOS {qos}"),
    };
    let by = match limit.users.count {
        0 => String::new(),
        1 => format!(" (job {})", ids(&limit.users.first, 1)),
        _ => format!(" (jobs {})", ids(&limit.users.first, limit.users.count)),
    };
    let of = |n| amount(limit, n, &NOUNS);
    let (at, used, asked, name) = (of(limit.at), of(limit.used), of(limit.asked), code(&limit.name));
    match scope(&limit.name) {
        LimitScope::AtOnce if !limit.name.contains('=') => {
            format!(
                "{who} may run {at} at once ({name}), and {used} {}{by}",
                if limit.used == 1 { "is running" } else { "are running" }
            )
        }
        LimitScope::AtOnce => {
            format!("{who} may use {at} at once ({name}): {used} in use{by}, and it requests {asked}")
        }
        LimitScope::Job => {
            format!(
                "a job of {who} may use at most {at} ({name}) and it requests {asked}, so it can never start"
            )
        }
        LimitScope::Node => format!(
            "a job of {who} may use at most {at} per node ({name}) and it requests {asked}, so it can never start"
        ),
        LimitScope::Least => {
            format!(
                "a job of {who} must request at least {at} ({name}) and it requests {asked}, so it can never start"
            )
        }
        LimitScope::Budget => {
            let asks = if limit.asked > 0 { format!(", and it requests {asked}") } else { String::new() };
            let by = spenders(limit.spent.as_ref());
            format!(
                "{who} has a budget of {at} ({name}): {used} are used{by}{asks}. {}",
                recovery(limit, now)
            )
        }
        LimitScope::Ahead => format!(
            "running jobs of {who} may have at most {at} left to run ({name}): {used} are taken{by}, and it requests {asked}"
        ),
    }
}

/// When a limit on accumulated usage admits jobs again.
fn recovery(limit: &ReachedLimit, now: Time) -> String {
    match limit.spent.as_ref().map(|s| s.recovery) {
        Some(BudgetRecovery::At(at)) => {
            format!("Usage decays: without new usage, enough of it is left by {}", moment(at, now))
        }
        Some(BudgetRecovery::TooMuch) => {
            "It requests more than is ever left, however much usage decays".to_owned()
        }
        Some(BudgetRecovery::No) | None => {
            "Usage does not decay here: only an administrator can change that".to_owned()
        }
    }
}

fn cause(cause: &NodeVerdict, needs: &RequestSummary) -> String {
    let lack = |resource: NodeResource| match resource {
        NodeResource::Cpus => match needs.cpus_per_task.max(1) {
            1 => "no CPU".to_owned(),
            n => format!("fewer than {n} CPUs"),
        },
        // Without `--mem` a job gets the cluster's default, often a whole node's memory.
        NodeResource::Memory if needs.memory.is_empty() => "too little memory".to_owned(),
        NodeResource::Memory => format!("less than {} of memory", needs.memory),
        NodeResource::Gres => format!("fewer than {}", gpus(&needs.gres)),
    };
    match cause {
        NodeVerdict::Available => "have room for it".to_owned(),
        NodeVerdict::Kept(other) => format!("have room, reserved for {} ahead of it", named("job", other)),
        NodeVerdict::Reserved(name) if name.is_empty() => {
            "have room, but in a reservation for others or for later".to_owned()
        }
        NodeVerdict::Reserved(name) => format!("have room, but in reservation {}", code(name)),
        NodeVerdict::Busy(resource) => format!("busy: {} free", lack(*resource)),
        NodeVerdict::Exclusive => "busy with jobs that cannot share a node with this one".to_owned(),
        NodeVerdict::Small(resource) => format!("too small: {} even when idle", lack(*resource)),
        NodeVerdict::Excluded => format!("excluded ({})", code("--exclude")),
        NodeVerdict::NotListed => format!("not in the requested list ({})", code("--nodelist")),
        NodeVerdict::Features => format!("lack the requested features ({})", code("--constraint")),
        NodeVerdict::Down => "down".to_owned(),
        NodeVerdict::Drained => "drained".to_owned(),
        NodeVerdict::Away => "failing, powered down or booting".to_owned(),
    }
}

fn assumption(assumption: &Assumption, now: Time) -> String {
    match assumption {
        Assumption::Limit(other, end) => {
            format!("{} reaches its time limit at {}, or ends sooner", named("job", other), moment(*end, now))
        }
        Assumption::Plan(other, end) => {
            format!(
                "{}, ahead of it, has a backfill reservation there until {}",
                named("job", other),
                moment(*end, now)
            )
        }
        Assumption::Reservation(name, end) => {
            format!("reservation {} ends at {}", code(name), moment(*end, now))
        }
    }
}

fn in_front(plan: &ReservationAhead, now: Time) -> String {
    format!(
        "{}, priority {}: {} from {} to {}",
        named("job", &plan.job),
        plan.job.priority,
        plural(plan.nodes, "node", "nodes"),
        moment(plan.start, now),
        moment(plan.end, now)
    )
}

fn change(remedy: &Remedy) -> String {
    let option = code(&remedy.option);
    match &remedy.change {
        RequestChange::Time(minutes) => {
            format!("a time limit of {} ({option})", span(i64::from(*minutes) * 60, DAY))
        }
        RequestChange::Memory(_) | RequestChange::MemoryPerCpu(_) => format!("less memory ({option})"),
        RequestChange::Gpus(count) => format!("{} in total ({option})", plural(*count, "GPU", "GPUs")),
        RequestChange::Partition(name) => format!("partition {name} ({option})"),
        RequestChange::Account(name) => format!("account {name} ({option})"),
        RequestChange::Qos(name) => format!("QOS {name} ({option})"),
        RequestChange::AnyNode => format!("any node: without {}", code("--nodelist")),
        RequestChange::AnyFeatures => format!("any kind of node: without {}", code("--constraint")),
        RequestChange::Shared => format!("nodes shared with others: without {}", code("--exclusive")),
        RequestChange::Tasks(count) => format!("{} ({option})", plural(*count, "task", "tasks")),
        RequestChange::Nodes(count) => format!("{} ({option})", plural(*count, "node", "nodes")),
        RequestChange::Throttle(most) => format!("{most} array tasks at once ({option})"),
        RequestChange::NoLicenses => {
            format!("no licences: without {}, if the program can run without them", code("--licenses"))
        }
        RequestChange::NoReservation => format!("outside its reservation: without {}", code("--reservation")),
        RequestChange::NoDependency => format!("no dependency: without {}", code("--dependency")),
        RequestChange::Now => format!("no begin time: without {}", code("--begin")),
        RequestChange::Release { by_admin: true } => "its release by an administrator".to_owned(),
        RequestChange::Release { by_admin: false } => "its release".to_owned(),
    }
}
