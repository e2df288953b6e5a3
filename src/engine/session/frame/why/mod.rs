//! A verdict with the names and numbers that the page's sentences contain.

mod change;

use crate::session::explain::Explanation;
use base::ids::{JobId, NodeId};
use commands::slurm::jobtext::{self, JobView};
use config::PartState;
use protocol::why as said;
use protocol::why::{FirstOf, JobRef};
use slurmctld::acct_policy::{Blocked, Which, Whose};
use slurmctld::job::{Dependency, GresReq, Job, Memory, Scheduler};
use slurmctld::verdict::{self, Backfill, NodeCause, NodeGroup, Rest, Standing, Stop, Tried, Verdict};

/// Progress of trying changes of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trying {
    /// More will be tried.
    Still,
    /// All were tried.
    Over,
    /// None will be tried: there are more jobs than this.
    TooMany(u64),
}

/// The answer for the page.
#[inline(never)]
pub fn answer(view: &JobView, id: &str, explanation: &Explanation, trying: Trying) -> Option<said::Why> {
    let Explanation { verdict, changes, way_in } = explanation;
    let job = view.state.job(verdict.job)?;
    Some(said::Why {
        id: id.to_owned(),
        at: verdict.at.0,
        shown: verdict.shown.text().to_owned(),
        user: view.users.name(job.uid()),
        needs: needs(view, job),
        standing: standing(view, verdict),
        tried: verdict.tried.iter().map(|t| tried(view, job, t)).collect(),
        plan: plan(view, &verdict.backfill),
        changes: match trying {
            Trying::Still => said::Remedies::Trying,
            Trying::Over => {
                let starts = changes.iter().map(|c| change::change(view, job, c, true));
                said::Remedies::Found(
                    starts.chain(way_in.iter().map(|c| change::change(view, job, c, false))).collect(),
                )
            }
            Trying::TooMany(most) => said::Remedies::NotTried { jobs: view.state.jobs.len(), most },
        },
    })
}

fn needs(view: &JobView, job: &Job) -> said::WhyNeeds {
    let needs = &job.needs;
    let amount = jobtext::min_memory(needs.memory);
    let memory = match needs.memory {
        Memory::PerCpu(m) if m > 0 => format!("{amount}/CPU"),
        Memory::PerGpu(m) if m > 0 => format!("{amount}/GPU"),
        Memory::PerNode(m) if m > 0 => amount,
        Memory::PerCpu(_) | Memory::PerGpu(_) | Memory::PerNode(_) | Memory::Unset => String::new(),
    };
    let lists = [&job.desc.gres, &job.desc.gpus, &job.desc.gpus_per_node, &job.desc.gpus_per_task];
    let gres: Vec<GresReq> = lists.into_iter().flatten().cloned().collect();
    said::WhyNeeds {
        nodes: needs.min_nodes.max(1),
        tasks: needs.ntasks,
        cpus_per_task: needs.cpus_per_task,
        memory,
        gres: slurmctld::job::gres_text(&gres).replace("gres/", ""),
        limit_seconds: super::queue::limit_seconds(job.time_limit),
        nodelist: view.hosts(&needs.required),
    }
}

/// Another job, with what is still known about it.
fn other(view: &JobView, id: JobId) -> JobRef {
    match view.state.job(id) {
        Some(job) => JobRef {
            id: jobtext::id_text(job),
            user: view.users.name(job.uid()),
            priority: job.priority,
            cpus: view.cpus(job),
        },
        None => JobRef { id: id.to_string(), ..JobRef::default() },
    }
}

fn few<A, B>((first, count): &(Vec<A>, u32), turn: impl Fn(&A) -> B) -> FirstOf<B> {
    FirstOf { first: first.iter().map(turn).collect(), count: *count }
}

fn standing(view: &JobView, verdict: &Verdict) -> said::Eligibility {
    match &verdict.standing {
        Standing::Past(_) => said::Eligibility::Past,
        Standing::Held { by_admin } => said::Eligibility::Held { by_admin: *by_admin },
        Standing::Begins { at, again } => said::Eligibility::Begins { at: at.0, again: *again },
        Standing::Depends(open, count) => {
            let one = |d: &Dependency| (jobtext::dep_kind(d.kind).to_owned(), other(view, d.job));
            said::Eligibility::Depends(FirstOf { first: open.iter().map(one).collect(), count: *count })
        }
        Standing::Queued { in_front } => match verdict.starts() {
            Some(by) => said::Eligibility::Starts { backfill: by == Scheduler::Backfill },
            None => said::Eligibility::Queued { in_front: *in_front },
        },
    }
}

fn partition(view: &JobView, tried: &Tried) -> String {
    view.state.partitions.get(tried.part.0 as usize).map(|p| p.name.clone()).unwrap_or_default()
}

fn tried(view: &JobView, job: &Job, tried: &Tried) -> said::PartitionVerdict {
    said::PartitionVerdict {
        partition: partition(view, tried),
        stop: stop(view, job, &tried.stop),
        nodes: tried.nodes.iter().map(|g| group(view, g)).collect(),
        room: tried.room,
    }
}

fn stop(view: &JobView, job: &Job, stop: &Stop) -> said::WhyBlocker {
    match stop {
        Stop::Nothing => said::WhyBlocker::Nothing,
        Stop::Behind(job) => said::WhyBlocker::Behind(other(view, *job)),
        Stop::Nodes => said::WhyBlocker::Nodes,
        Stop::Preempts(jobs) => said::WhyBlocker::Preempts(jobs.iter().map(|j| other(view, *j)).collect()),
        Stop::State(state) => said::WhyBlocker::State(
            match state {
                PartState::Up => "UP",
                PartState::Down => "DOWN",
                PartState::Drain => "DRAIN",
                PartState::Inactive => "INACTIVE",
            }
            .to_owned(),
        ),
        Stop::TimeLimit { asked, most } => said::WhyBlocker::TimeLimit {
            asked: super::queue::limit_seconds(*asked),
            most: super::queue::limit_seconds(*most),
        },
        Stop::NodeCount { asked, least, most } => {
            said::WhyBlocker::NodeCount { asked: *asked, least: *least, most: *most }
        }
        Stop::TooSmall { cpus, nodes } => said::WhyBlocker::TooSmall { cpus: *cpus, nodes: *nodes },
        Stop::Account => said::WhyBlocker::Account,
        Stop::Group => said::WhyBlocker::Group,
        Stop::Qos => said::WhyBlocker::Qos,
        Stop::Never => said::WhyBlocker::Never,
        Stop::NoAccount => said::WhyBlocker::NoAccount(job.account.clone()),
        Stop::NoQos => {
            let qos = view.state.dbd.qos_by_id(job.qos);
            said::WhyBlocker::NoQos(qos.map(|q| q.name.clone()).unwrap_or_default())
        }
        Stop::Threshold { has, least } => {
            said::WhyBlocker::Threshold { qos: view.qos(job.qos), has: *has, least: *least }
        }
        Stop::Limit { limit: blocked, users, spent } => {
            said::WhyBlocker::Limit(limit(view, blocked, users, spent.as_ref()))
        }
        Stop::Licenses(all) => said::WhyBlocker::Licenses(all.iter().map(license).collect()),
        Stop::ArrayTasks { running, most } => said::WhyBlocker::ArrayTasks { running: *running, most: *most },
        Stop::Reservation(at) => said::WhyBlocker::Reservation(at.map(|at| at.0)),
        Stop::Other(reason) => said::WhyBlocker::Other(reason.text().to_owned()),
    }
}

fn license(l: &verdict::License) -> said::LicenseShortage {
    said::LicenseShortage { name: l.name.clone(), asked: l.asked, total: l.total, taken: l.used + l.reserved }
}

fn limit(
    view: &JobView,
    blocked: &Blocked,
    users: &(Vec<JobId>, u32),
    spent: Option<&verdict::Spent>,
) -> said::ReachedLimit {
    let (name, unit) = match &blocked.which {
        Which::Tres(kind, tres) => {
            let kind = format!("{kind:?}").replace("Tres", "TRES");
            let unit = if kind.contains("Mins") {
                said::LimitUnit::Minutes
            } else if tres == "mem" {
                said::LimitUnit::Mib
            } else {
                said::LimitUnit::Number
            };
            (format!("{kind}={tres}"), unit)
        }
        Which::Count(kind) => (format!("{kind:?}"), said::LimitUnit::Number),
        Which::GrpWall => ("GrpWall".to_owned(), said::LimitUnit::Minutes),
        Which::MaxWall => ("MaxWall".to_owned(), said::LimitUnit::Minutes),
    };
    let Blocked { at, used, asked, .. } = *blocked;
    said::ReachedLimit {
        name,
        whose: whose(view, blocked.whose),
        unit,
        at,
        used,
        asked,
        users: few(users, |j| other(view, *j)),
        spent: spent.map(|spent| said::BudgetUse {
            by: few(&spent.by, Clone::clone),
            fades: match spent.fades {
                verdict::Fades::At(at) => said::BudgetRecovery::At(at.0),
                verdict::Fades::TooMuch => said::BudgetRecovery::TooMuch,
                verdict::Fades::No => said::BudgetRecovery::No,
            },
        }),
    }
}

fn whose(view: &JobView, whose: Whose) -> said::LimitOwner {
    let account = |id| view.state.dbd.assoc(id).map(|a| a.account.clone()).unwrap_or_default();
    match whose {
        Whose::Assoc(id) => match view.state.dbd.assoc(id).and_then(|a| a.user.clone()) {
            Some(user) => said::LimitOwner::User { user, account: account(id) },
            None => said::LimitOwner::Account(account(id)),
        },
        Whose::Qos(id) => said::LimitOwner::Qos(view.qos(id)),
        Whose::User(id, uid) => said::LimitOwner::UserInQos { user: view.users.name(uid), qos: view.qos(id) },
        Whose::Account(id, of) => said::LimitOwner::AccountInQos { account: account(of), qos: view.qos(id) },
    }
}

fn group(view: &JobView, group: &NodeGroup) -> said::NodeVerdictGroup {
    let resource = |r| match r {
        verdict::Resource::Cpus => said::NodeResource::Cpus,
        verdict::Resource::Memory => said::NodeResource::Memory,
        verdict::Resource::Gres => said::NodeResource::Gres,
    };
    let reservation = |id| view.state.reservations.get(id).map(|r| r.name.clone());
    let cause = match group.cause {
        NodeCause::Room => said::NodeVerdict::Room,
        NodeCause::Kept(job) => said::NodeVerdict::Kept(other(view, job)),
        NodeCause::Reserved(id) => said::NodeVerdict::Reserved(id.and_then(reservation).unwrap_or_default()),
        NodeCause::Busy(r) => said::NodeVerdict::Busy(resource(r)),
        NodeCause::Company => said::NodeVerdict::Company,
        NodeCause::Small(r) => said::NodeVerdict::Small(resource(r)),
        NodeCause::Excluded => said::NodeVerdict::Excluded,
        NodeCause::Others => said::NodeVerdict::Others,
        NodeCause::Features => said::NodeVerdict::Features,
        NodeCause::Down => said::NodeVerdict::Down,
        NodeCause::Drained => said::NodeVerdict::Drained,
        NodeCause::Away => said::NodeVerdict::Away,
    };
    said::NodeVerdictGroup {
        cause,
        nodes: group.nodes,
        tasks: group.tasks,
        names: view.hosts(&group.names.iter().map(|n| n.0).collect()),
        first: group.names.first().map_or(0, |n: &NodeId| n.0),
    }
}

fn plan(view: &JobView, backfill: &Backfill) -> said::BackfillVerdict {
    match backfill {
        Backfill::None | Backfill::Starts => said::BackfillVerdict::None,
        Backfill::Expects(expected) => said::BackfillVerdict::Expects(said::ExpectedStart {
            at: expected.at.0,
            nodes: view.hosts(&expected.nodes),
            rests_on: few(&expected.rests_on, |r| rest(view, *r)),
            in_front: few(&expected.in_front, |f| said::ReservationAhead {
                job: other(view, f.job),
                start: f.start.0,
                end: f.end.0,
                nodes: f.nodes,
            }),
        }),
        Backfill::Limited { limit: blocked, users, spent } => {
            said::BackfillVerdict::Limited(limit(view, blocked, users, spent.as_ref()))
        }
        Backfill::TooFar(depth) => said::BackfillVerdict::TooFar(*depth),
        Backfill::NoPlace(until) => said::BackfillVerdict::NoPlace(until.0),
    }
}

fn rest(view: &JobView, rest: Rest) -> said::Assumption {
    match rest {
        Rest::Limit { job, end } => said::Assumption::Limit(other(view, job), end.0),
        Rest::Plan { job, end } => said::Assumption::Plan(other(view, job), end.0),
        Rest::Reservation { id, end } => {
            let name = view.state.reservations.get(id).map(|r| r.name.clone()).unwrap_or_default();
            said::Assumption::Reservation(name, end.0)
        }
    }
}
