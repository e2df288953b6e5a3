//! A verdict with the names and numbers that the page's sentences need.

mod change;

use crate::base::ids::{JobId, NodeId};
use crate::commands::slurm::jobtext::{self, View};
use crate::config::PartState;
use crate::protocol::why as said;
use crate::protocol::why::{Few, Other};
use crate::session::explain::Explanation;
use crate::slurmctld::job::{Dependency, GresReq, Job, Memory, Scheduler};
use crate::slurmctld::limits::{Blocked, Which, Whose};
use crate::slurmctld::verdict::{self, Backfill, NodeCause, NodeGroup, Rest, Standing, Stop, Tried, Verdict};

/// How far changes of the request have been tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trying {
    /// More will be tried.
    Still,
    /// All were.
    Over,
    /// None will be: there are more jobs than this.
    TooMany(u64),
}

/// The answer for the page.
#[inline(never)]
pub fn answer(view: &View, id: &str, explanation: &Explanation, trying: Trying) -> Option<said::Why> {
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
            Trying::Still => said::Changes::Trying,
            Trying::Over => {
                let starts = changes.iter().map(|c| change::change(view, job, c, true));
                said::Changes::Found(
                    starts.chain(way_in.iter().map(|c| change::change(view, job, c, false))).collect(),
                )
            }
            Trying::TooMany(most) => said::Changes::NotTried { jobs: view.state.jobs.len(), most },
        },
    })
}

fn needs(view: &View, job: &Job) -> said::WhyNeeds {
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
        gres: jobtext::gres_text(&gres).replace("gres/", ""),
        limit_seconds: super::queue::limit_seconds(job.time_limit),
        nodelist: view.hosts(&needs.required),
    }
}

/// Another job, as far as it is still known.
fn other(view: &View, id: JobId) -> Other {
    match view.state.job(id) {
        Some(job) => Other {
            id: jobtext::id_text(job),
            user: view.users.name(job.uid()),
            priority: job.priority,
            cpus: view.cpus(job),
        },
        None => Other { id: id.to_string(), ..Other::default() },
    }
}

fn few<A, B>((first, count): &(Vec<A>, u32), turn: impl Fn(&A) -> B) -> Few<B> {
    Few { first: first.iter().map(turn).collect(), count: *count }
}

fn standing(view: &View, verdict: &Verdict) -> said::Standing {
    match &verdict.standing {
        Standing::Past(_) => said::Standing::Past,
        Standing::Held { by_admin } => said::Standing::Held { by_admin: *by_admin },
        Standing::Begins { at, again } => said::Standing::Begins { at: at.0, again: *again },
        Standing::Depends(open, count) => {
            let one = |d: &Dependency| (jobtext::dep_kind(d.kind).to_owned(), other(view, d.job));
            said::Standing::Depends(Few { first: open.iter().map(one).collect(), count: *count })
        }
        Standing::Queued { in_front } => match verdict.starts() {
            Some(by) => said::Standing::Starts { backfill: by == Scheduler::Backfill },
            None => said::Standing::Queued { in_front: *in_front },
        },
    }
}

fn partition(view: &View, tried: &Tried) -> String {
    view.state.partitions.get(tried.part.0 as usize).map(|p| p.name.clone()).unwrap_or_default()
}

fn tried(view: &View, job: &Job, tried: &Tried) -> said::Tried {
    said::Tried {
        partition: partition(view, tried),
        stop: stop(view, job, &tried.stop),
        nodes: tried.nodes.iter().map(|g| group(view, g)).collect(),
        room: tried.room,
    }
}

fn stop(view: &View, job: &Job, stop: &Stop) -> said::Stop {
    match stop {
        Stop::Nothing => said::Stop::Nothing,
        Stop::Behind(job) => said::Stop::Behind(other(view, *job)),
        Stop::Nodes => said::Stop::Nodes,
        Stop::Preempts(jobs) => said::Stop::Preempts(jobs.iter().map(|j| other(view, *j)).collect()),
        Stop::State(state) => said::Stop::State(
            match state {
                PartState::Up => "UP",
                PartState::Down => "DOWN",
                PartState::Drain => "DRAIN",
                PartState::Inactive => "INACTIVE",
            }
            .to_owned(),
        ),
        Stop::TimeLimit { asked, most } => said::Stop::TimeLimit {
            asked: super::queue::limit_seconds(*asked),
            most: super::queue::limit_seconds(*most),
        },
        Stop::NodeCount { asked, least, most } => {
            said::Stop::NodeCount { asked: *asked, least: *least, most: *most }
        }
        Stop::TooSmall { cpus, nodes } => said::Stop::TooSmall { cpus: *cpus, nodes: *nodes },
        Stop::Account => said::Stop::Account,
        Stop::Group => said::Stop::Group,
        Stop::Qos => said::Stop::Qos,
        Stop::Never => said::Stop::Never,
        Stop::NoAccount => said::Stop::NoAccount(job.account.clone()),
        Stop::NoQos => {
            let qos = view.state.dbd.qos_by_id(job.qos);
            said::Stop::NoQos(qos.map(|q| q.name.clone()).unwrap_or_default())
        }
        Stop::Threshold { has, least } => {
            said::Stop::Threshold { qos: view.qos(job.qos), has: *has, least: *least }
        }
        Stop::Limit { limit: blocked, users, spent } => {
            said::Stop::Limit(limit(view, blocked, users, spent.as_ref()))
        }
        Stop::Licenses(all) => said::Stop::Licenses(all.iter().map(license).collect()),
        Stop::ArrayTasks { running, most } => said::Stop::ArrayTasks { running: *running, most: *most },
        Stop::Reservation(at) => said::Stop::Reservation(at.map(|at| at.0)),
        Stop::Other(reason) => said::Stop::Other(reason.text().to_owned()),
    }
}

fn license(l: &verdict::License) -> said::License {
    said::License { name: l.name.clone(), asked: l.asked, total: l.total, taken: l.used + l.reserved }
}

fn limit(
    view: &View,
    blocked: &Blocked,
    users: &(Vec<JobId>, u32),
    spent: Option<&verdict::Spent>,
) -> said::Limit {
    let (name, unit) = match &blocked.which {
        Which::Tres(kind, tres) => {
            let kind = format!("{kind:?}").replace("Tres", "TRES");
            let unit = if kind.contains("Mins") {
                said::Unit::Minutes
            } else if tres == "mem" {
                said::Unit::Mib
            } else {
                said::Unit::Number
            };
            (format!("{kind}={tres}"), unit)
        }
        Which::Count(kind) => (format!("{kind:?}"), said::Unit::Number),
        Which::GrpWall => ("GrpWall".to_owned(), said::Unit::Minutes),
        Which::MaxWall => ("MaxWall".to_owned(), said::Unit::Minutes),
    };
    let Blocked { at, used, asked, .. } = *blocked;
    said::Limit {
        name,
        whose: whose(view, blocked.whose),
        unit,
        at,
        used,
        asked,
        users: few(users, |j| other(view, *j)),
        spent: spent.map(|spent| said::Spent {
            by: few(&spent.by, Clone::clone),
            fades: match spent.fades {
                verdict::Fades::At(at) => said::Fades::At(at.0),
                verdict::Fades::TooMuch => said::Fades::TooMuch,
                verdict::Fades::No => said::Fades::No,
            },
        }),
    }
}

fn whose(view: &View, whose: Whose) -> said::Whose {
    let account = |id| view.state.dbd.assoc(id).map(|a| a.account.clone()).unwrap_or_default();
    match whose {
        Whose::Assoc(id) => match view.state.dbd.assoc(id).and_then(|a| a.user.clone()) {
            Some(user) => said::Whose::User { user, account: account(id) },
            None => said::Whose::Account(account(id)),
        },
        Whose::Qos(id) => said::Whose::Qos(view.qos(id)),
        Whose::User(id, uid) => said::Whose::UserInQos { user: view.users.name(uid), qos: view.qos(id) },
        Whose::Account(id, of) => said::Whose::AccountInQos { account: account(of), qos: view.qos(id) },
    }
}

fn group(view: &View, group: &NodeGroup) -> said::NodeGroup {
    let resource = |r| match r {
        verdict::Resource::Cpus => said::Resource::Cpus,
        verdict::Resource::Memory => said::Resource::Memory,
        verdict::Resource::Gres => said::Resource::Gres,
    };
    let reservation = |id| view.state.reservations.get(id).map(|r| r.name.clone());
    let cause = match group.cause {
        NodeCause::Room => said::Cause::Room,
        NodeCause::Kept(job) => said::Cause::Kept(other(view, job)),
        NodeCause::Reserved(id) => said::Cause::Reserved(id.and_then(reservation).unwrap_or_default()),
        NodeCause::Busy(r) => said::Cause::Busy(resource(r)),
        NodeCause::Company => said::Cause::Company,
        NodeCause::Small(r) => said::Cause::Small(resource(r)),
        NodeCause::Excluded => said::Cause::Excluded,
        NodeCause::Others => said::Cause::Others,
        NodeCause::Features => said::Cause::Features,
        NodeCause::Down => said::Cause::Down,
        NodeCause::Drained => said::Cause::Drained,
        NodeCause::Away => said::Cause::Away,
    };
    said::NodeGroup {
        cause,
        nodes: group.nodes,
        tasks: group.tasks,
        names: view.hosts(&group.names.iter().map(|n| n.0).collect()),
        first: group.names.first().map_or(0, |n: &NodeId| n.0),
    }
}

fn plan(view: &View, backfill: &Backfill) -> said::Plan {
    match backfill {
        Backfill::None | Backfill::Starts => said::Plan::None,
        Backfill::Expects(expected) => said::Plan::Expects(said::Expected {
            at: expected.at.0,
            nodes: view.hosts(&expected.nodes),
            rests_on: few(&expected.rests_on, |r| rest(view, *r)),
            in_front: few(&expected.in_front, |f| said::InFront {
                job: other(view, f.job),
                start: f.start.0,
                end: f.end.0,
                nodes: f.nodes,
            }),
        }),
        Backfill::Limited { limit: blocked, users, spent } => {
            said::Plan::Limited(limit(view, blocked, users, spent.as_ref()))
        }
        Backfill::TooFar(depth) => said::Plan::TooFar(*depth),
        Backfill::NoPlace(until) => said::Plan::NoPlace(until.0),
    }
}

fn rest(view: &View, rest: Rest) -> said::Rest {
    match rest {
        Rest::Limit { job, end } => said::Rest::Limit(other(view, job), end.0),
        Rest::Plan { job, end } => said::Rest::Plan(other(view, job), end.0),
        Rest::Reservation { id, end } => {
            let name = view.state.reservations.get(id).map(|r| r.name.clone()).unwrap_or_default();
            said::Rest::Reservation(name, end.0)
        }
    }
}
