//! Why a job waits, in English.

use super::{Nouns, Scope, Voice, amount, given_up, ids, named, said_before, scope, spenders, thousandths};
use crate::protocol::Micros;
use crate::protocol::why::{
    Ask, Cause, Change, Expected, Fades, InFront, License, Limit, Plan, Resource, Rest, Standing, Stop,
    Tried, Whose, Why, WhyNeeds,
};
use crate::view::rich::code;
use crate::view::times::{self, span};

/// English.
pub const EN: Voice = Voice { sentence, cause, rest, in_front, change };

const DAY: &str = "d";

fn moment(at: Micros, now: Micros) -> String {
    times::when(at, now, &times::EN)
}

fn plural(n: impl Into<u64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{n} {}", if n == 1 { one } else { many })
}

fn sentence(why: &Why, reader: &str) -> (String, String) {
    let (shown, now, user) = (code(&why.shown), why.at, &why.user);
    let own = reader == user;
    match &why.standing {
        Standing::Past => ("It does not wait any more.".to_owned(), String::new()),
        Standing::Held { by_admin: true } => {
            let lead = match meaning(&why.shown) {
                "" => format!("An administrator holds it back ({shown})."),
                why => format!("It is held ({shown}): {why}."),
            };
            let rest = match reader == "root" {
                true => "You can release it: it joins the queue again then.",
                false => "Only an administrator can release it: it joins the queue again then.",
            };
            (lead, rest.to_owned())
        }
        Standing::Held { by_admin: false } if own => (
            format!("You hold it back ({shown})."),
            "It joins the queue again when you release it.".to_owned(),
        ),
        Standing::Held { by_admin: false } => (
            format!("{user} holds it back ({shown})."),
            format!("It joins the queue again when {user}, or an administrator, releases it."),
        ),
        Standing::Begins { at, again } => (
            format!("It is not to begin before {} ({shown}).", moment(*at, now)),
            if *again {
                "It ran before and was put back into the queue: Slurm lets a little time pass before it starts again."
            } else {
                "That is what --begin asked for."
            }
            .to_owned(),
        ),
        Standing::Depends(open) if open.first.is_empty() => {
            (format!("It is not eligible yet ({shown})."), String::new())
        }
        Standing::Depends(open) => {
            let one = |(kind, other): &(String, _)| match kind.as_str() {
                "singleton" if own => "your other jobs of the same name to end".to_owned(),
                "singleton" => format!("other jobs of {user} of the same name to end"),
                "after" => format!("{} to start", named("job", other)),
                "afterok" | "aftercorr" => format!("{} to end well", named("job", other)),
                "afternotok" => format!("{} to fail", named("job", other)),
                _ => format!("{} to end", named("job", other)),
            };
            let all: Vec<String> = open.first.iter().map(one).collect();
            let more = if open.count as usize > all.len() { ", and others" } else { "" };
            let never = why.shown == "DependencyNeverSatisfied";
            let rest = match never {
                true => "That can never happen any more: cancel it, or take the dependency away.",
                false => "Until then it is not in the queue, and nothing else about it is looked at.",
            };
            (format!("It waits for {}{more} ({shown}).", all.join(", ")), rest.to_owned())
        }
        Standing::Starts { backfill: false } => {
            ("Nothing stops it: the next scheduling pass starts it.".to_owned(), String::new())
        }
        Standing::Starts { backfill: true } => (
            "It fits into a gap: the next backfill pass starts it.".to_owned(),
            "It will delay none of the jobs in front of it.".to_owned(),
        ),
        Standing::Queued { in_front } => queued(why, *in_front),
    }
}

fn queued(why: &Why, in_front: u32) -> (String, String) {
    let lead = match why.tried.as_slice() {
        [only] => stop(only, why),
        several => {
            let each = |t: &Tried| format!("in {} {}", code(&t.partition), stop(t, why));
            several.iter().map(each).collect::<Vec<_>>().join("; ")
        }
    };
    let place = match in_front {
        0 => "It is the first of the queue.".to_owned(),
        n => format!("{} in front of it.", plural(n, "row of the queue is", "rows of the queue are")),
    };
    let rest = match given_up(why) {
        true => "Slurm holds it until its request is changed, or an administrator releases it.".to_owned(),
        false => format!("{place} {}", plan(why, why.at)),
    };
    (format!("It waits because {lead} ({}).", code(&why.shown)), rest)
}

fn plan(why: &Why, now: Micros) -> String {
    match &why.plan {
        Plan::None => String::new(),
        Plan::Expects(Expected { at, nodes, .. }) => format!(
            "It is expected to start at {} on {}, in {}.",
            moment(*at, now),
            code(nodes),
            span((at - now).div_euclid(1_000_000), DAY)
        ),
        Plan::Limited(limit) if said_before(why, limit) => String::new(),
        Plan::Limited(limit) => format!("Backfill does not look for nodes either: {}.", limited(limit, now)),
        Plan::TooFar(depth) => format!(
            "Backfill looks at {depth} rows only ({}) and does not come to it, so nobody can say when it starts.",
            code("bf_max_job_test")
        ),
        Plan::NoPlace(until) => format!("Backfill finds no place for it before {}.", moment(*until, now)),
    }
}

fn needs(needs: &WhyNeeds) -> String {
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

/// GPUs in words where that is easy.
fn gpus(gres: &str) -> String {
    match gres.strip_prefix("gpu:").map(str::parse::<u32>) {
        Some(Ok(n)) => plural(n, "GPU", "GPUs"),
        Some(Err(_)) | None => code(gres),
    }
}

/// What some of Slurm's reasons mean, where there is no more to say; empty: nothing.
fn meaning(reason: &str) -> &'static str {
    match reason {
        "None" => "no pass has come to it yet",
        "Priority" => "it is not its turn yet",
        "Resources" => "the parts of its heterogeneous job do not all find room at the same time",
        "Cleaning" => "its last run is still being cleaned up on its nodes",
        "NodeDown" => "a node that it needs is down",
        "JobHoldMaxRequeue" => "it was put back into the queue too often",
        "JobLaunchFailure" => "it could not be launched on its nodes",
        "ReservationDeleted" => "its reservation was deleted",
        "ReservationInvalid" => "its reservation is not for it",
        "MaxPoweredUpNodes" => "as many nodes are switched on as may be",
        "SchedDefer" => "jobs are started by scheduling passes only, not when they come",
        _ => "",
    }
}

fn stop(tried: &Tried, why: &Why) -> String {
    let part = code(&tried.partition);
    match &tried.stop {
        Stop::Nothing => "nothing stops it any more".to_owned(),
        Stop::Behind(other) => format!(
            "it is not its turn: {}, of priority {}, is in front and finds no room in {part} itself",
            named("job", other),
            other.priority
        ),
        Stop::Nodes if !why.needs.nodelist.is_empty() => format!(
            "it asks for {} by name ({}), not free for it now; it needs {}",
            code(&why.needs.nodelist),
            code("--nodelist"),
            needs(&why.needs)
        ),
        Stop::Nodes => {
            let room = match tried.room {
                (0, _) => format!("no node of {part} has room now"),
                (nodes, tasks) => format!(
                    "only {} of {part} {} room now, for {}",
                    plural(nodes, "node", "nodes"),
                    if nodes == 1 { "has" } else { "have" },
                    plural(tasks, "task", "tasks")
                ),
            };
            format!("it needs {} and {room}", needs(&why.needs))
        }
        Stop::Preempts(victims) => {
            format!("{} must make room for it first", named_all(victims))
        }
        Stop::State(state) => format!("partition {part} is {}: it starts no jobs", code(state)),
        Stop::TimeLimit { asked, most } => {
            format!("it asks for {} and {part} allows {} at most", limit_text(*asked), limit_text(*most))
        }
        Stop::NodeCount { asked, least, most } => format!(
            "it asks for {} and {part} lets a job have {least} to {most}",
            plural(*asked, "node", "nodes")
        ),
        Stop::TooSmall { cpus, nodes } => format!(
            "it asks for {} with {} CPUs and {part} has {} with {} CPUs",
            plural(nodes.0, "node", "nodes"),
            cpus.0,
            plural(nodes.1, "node", "nodes"),
            cpus.1
        ),
        Stop::Account => format!("partition {part} is not open to its account"),
        Stop::Group => format!("partition {part} is not open to its user's groups"),
        Stop::Qos => format!("partition {part} is not open to its QOS"),
        Stop::Never => format!("no nodes of {part} can ever give what it asks for: {}", needs(&why.needs)),
        Stop::NoAccount(account) if account.is_empty() => format!(
            "{} belongs to no account, and jobs must be charged to one here ({})",
            why.user,
            code("AccountingStorageEnforce")
        ),
        Stop::NoAccount(account) => format!("account {account} is not {}'s any more", why.user),
        Stop::NoQos(qos) if qos.is_empty() => "its QOS was deleted".to_owned(),
        Stop::NoQos(qos) => format!("QOS {qos} is not open to {} any more", why.user),
        Stop::Threshold { qos, has, least } => format!(
            "QOS {qos} wants a fair share of {} at least ({}) and {} has {}: it rises as old usage fades",
            thousandths(*least, '.'),
            code("UsageThreshold"),
            why.user,
            thousandths(*has, '.')
        ),
        Stop::Limit(limit) => limited(limit, why.at),
        Stop::Licenses(all) => {
            let one = |l: &License| {
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
        Stop::ArrayTasks { running, most } => {
            format!(
                "{} of its array {} and the array lets {most} run at once ({})",
                plural(*running, "task", "tasks"),
                if *running == 1 { "runs" } else { "run" },
                code(&format!("%{most}"))
            )
        }
        Stop::Reservation(Some(at)) => format!("its reservation opens at {}", moment(*at, why.at)),
        Stop::Reservation(None) => "its reservation is not open".to_owned(),
        Stop::Other(reason) => match meaning(reason) {
            "" => format!("Slurm says {} in {part}", code(reason)),
            known => known.to_owned(),
        },
    }
}

fn named_all(others: &[crate::protocol::why::Other]) -> String {
    let all: Vec<String> = others.iter().map(|o| named("job", o)).collect();
    all.join(", ")
}

fn limit_text(seconds: i64) -> String {
    if seconds < 0 { "no time limit".to_owned() } else { span(seconds, DAY) }
}

const NOUNS: Nouns = Nouns {
    job: |n| if n == 1 { "job" } else { "jobs" },
    cpu: |n| if n == 1 { "CPU" } else { "CPUs" },
    node: |n| if n == 1 { "node" } else { "nodes" },
    licence: "licences",
    memory: "of memory",
    minutes: "{} minutes",
};

fn limited(limit: &Limit, now: Micros) -> String {
    let who = match &limit.whose {
        Whose::User { user, account } => format!("{user} in account {account}"),
        Whose::Account(account) => format!("account {account}"),
        Whose::Qos(qos) => format!("QOS {qos}"),
        Whose::UserInQos { user, qos } => format!("{user} in QOS {qos}"),
        Whose::AccountInQos { account, qos } => format!("account {account} in QOS {qos}"),
    };
    let by = match limit.users.count {
        0 => String::new(),
        1 => format!(" (job {})", ids(&limit.users.first, 1)),
        _ => format!(" (jobs {})", ids(&limit.users.first, limit.users.count)),
    };
    let of = |n| amount(limit, n, &NOUNS);
    let (at, used, asked, name) = (of(limit.at), of(limit.used), of(limit.asked), code(&limit.name));
    match scope(&limit.name) {
        Scope::AtOnce if !limit.name.contains('=') => {
            format!(
                "{who} may run {at} at once ({name}), and {used} {}{by}",
                if limit.used == 1 { "runs" } else { "run" }
            )
        }
        Scope::AtOnce => {
            format!("{who} may have {at} at once ({name}): {used} in use{by}, and it asks for {asked}")
        }
        Scope::Job => {
            format!(
                "a job of {who} may have {at} at most ({name}) and it asks for {asked}: so it never starts"
            )
        }
        Scope::Node => format!(
            "a job of {who} may have {at} on each node at most ({name}) and it asks for {asked}: so it never starts"
        ),
        Scope::Least => {
            format!(
                "a job of {who} must have {at} at least ({name}) and it asks for {asked}: so it never starts"
            )
        }
        Scope::Budget => {
            let asks = if limit.asked > 0 { format!(", and it asks for {asked}") } else { String::new() };
            let by = spenders(limit.spent.as_ref());
            format!("{who} has {at} to use up ({name}): {used} are used{by}{asks}. {}", fades(limit, now))
        }
        Scope::Ahead => format!(
            "what {who} runs may have {at} before it ({name}): {used} are taken{by}, and it asks for {asked}"
        ),
    }
}

/// When a limit on what was used up lets jobs go again.
fn fades(limit: &Limit, now: Micros) -> String {
    match limit.spent.as_ref().map(|s| s.fades) {
        Some(Fades::At(at)) => {
            format!("Usage fades: if nobody adds to it, there is enough left by {}", moment(at, now))
        }
        Some(Fades::TooMuch) => "So much is never left, however much usage fades".to_owned(),
        Some(Fades::No) | None => {
            "Usage does not fade here: only an administrator can change that".to_owned()
        }
    }
}

fn cause(cause: &Cause, needs: &WhyNeeds) -> String {
    let lack = |resource: Resource| match resource {
        Resource::Cpus => match needs.cpus_per_task.max(1) {
            1 => "no CPU".to_owned(),
            n => format!("fewer than {n} CPUs"),
        },
        // Without a wish of its own a job gets what the cluster gives, often a whole node's.
        Resource::Memory if needs.memory.is_empty() => "too little memory".to_owned(),
        Resource::Memory => format!("less than {} of memory", needs.memory),
        Resource::Gres => format!("fewer than {}", gpus(&needs.gres)),
    };
    match cause {
        Cause::Room => "have room for it".to_owned(),
        Cause::Kept(other) => format!("have room, kept for {} in front", named("job", other)),
        Cause::Reserved(name) if name.is_empty() => {
            "have room, which a reservation keeps for others, or for later".to_owned()
        }
        Cause::Reserved(name) => format!("have room, reserved by {}", code(name)),
        Cause::Busy(resource) => format!("busy: {} free", lack(*resource)),
        Cause::Company => "busy, and this job and those there cannot share a node".to_owned(),
        Cause::Small(resource) => format!("too small: {} even when idle", lack(*resource)),
        Cause::Excluded => format!("not wanted ({})", code("--exclude")),
        Cause::Others => format!("not among those asked for ({})", code("--nodelist")),
        Cause::Features => format!("lack the features asked for ({})", code("--constraint")),
        Cause::Down => "down".to_owned(),
        Cause::Drained => "drained".to_owned(),
        Cause::Away => "failing, switched off or booting".to_owned(),
    }
}

fn rest(rest: &Rest, now: Micros) -> String {
    match rest {
        Rest::Limit(other, end) => {
            format!("{} reaches its time limit at {}, or ends sooner", named("job", other), moment(*end, now))
        }
        Rest::Plan(other, end) => {
            format!("{}, in front, has its place there until {}", named("job", other), moment(*end, now))
        }
        Rest::Reservation(name, end) => format!("reservation {} ends at {}", code(name), moment(*end, now)),
    }
}

fn in_front(plan: &InFront, now: Micros) -> String {
    format!(
        "{}, priority {}: {} from {} to {}",
        named("job", &plan.job),
        plan.job.priority,
        plural(plan.nodes, "node", "nodes"),
        moment(plan.start, now),
        moment(plan.end, now)
    )
}

fn change(change: &Change) -> String {
    let option = code(&change.option);
    match &change.ask {
        Ask::Time(seconds) => format!("a time limit of {} ({option})", span(*seconds, DAY)),
        Ask::Memory => format!("less memory ({option})"),
        Ask::Gpus(count) => format!("{} in all ({option})", plural(*count, "GPU", "GPUs")),
        Ask::Partition(name) => format!("partition {name} ({option})"),
        Ask::Account(name) => format!("account {name} ({option})"),
        Ask::Qos(name) => format!("QOS {name} ({option})"),
        Ask::AnyNode => format!("any node: without {}", code("--nodelist")),
        Ask::AnyFeatures => format!("any kind of node: without {}", code("--constraint")),
        Ask::Shared => format!("nodes shared with others: without {}", code("--exclusive")),
        Ask::Tasks(count) => format!("{} ({option})", plural(*count, "task", "tasks")),
        Ask::Nodes(count) => format!("{} ({option})", plural(*count, "node", "nodes")),
        Ask::Throttle(most) => format!("{most} tasks of its array at once ({option})"),
        Ask::NoLicenses => {
            format!("no licences: without {}, if the program does without", code("--licenses"))
        }
        Ask::NoReservation => format!("outside its reservation: without {}", code("--reservation")),
        Ask::NoDependency => format!("no dependency: without {}", code("--dependency")),
        Ask::Now => format!("no begin time: without {}", code("--begin")),
        Ask::Release { by_admin: true } => "an administrator who releases it".to_owned(),
        Ask::Release { by_admin: false } => "releasing it".to_owned(),
    }
}
