//! The controller: it keeps jobs, nodes and partitions, and decides what starts where and when.
//!
//! Policies (`sched`, `select`, `priority`) take `&Slurmctld` and return a plan or a [`reason::Reason`]; `life`
//! and `control` change the state. Time moves only through [`Slurmctld::timer`] and requests.

mod account;
pub mod array;
mod billing;
mod changed;
mod clock;
mod control;
mod depend;
pub mod desc;
pub mod details;
mod due;
mod dynamic;
mod ending;
pub mod error;
mod features;
mod hetjob;
mod immediate;
pub mod job;
pub mod jobenv;
mod kill;
pub mod licenses;
mod life;
pub mod limits;
mod live;
mod mail;
mod mcs;
mod needs;
pub mod node;
mod node_events;
pub mod nodes;
pub mod oom;
mod order;
mod partition;
mod pings;
mod policy;
mod power_save;
mod preempt;
pub mod priority;
pub mod prolog;
pub mod reason;
mod reconfigure;
mod remains;
pub mod request;
pub mod reservation;
mod resize;
mod sched;
mod scrontab;
mod select;
pub mod stats;
pub mod steps;
mod submit;
mod tally;
#[cfg(test)]
mod tests;
pub mod trigger;
mod unavailable;
mod update;
pub mod verdict;
mod waiting;
mod whose;
mod will_run;

use crate::base::cow::CowMap;
use crate::base::cow_set::CowSet;
use crate::base::ids::{Cgroup, JobId, NodeId, Uid};
use crate::base::shared::Shared;
use crate::base::time::Time;
use crate::config::{Cluster, PartConf};
use crate::slurmdbd::{AdminLevel, Slurmdbd};
use clock::Clock;
use error::SlurmError;
use job::Job;
use node::Node;
pub use preempt::Preemption;
use priority::Priorities;
pub use remains::Remains;
use request::{Caller, Order, Request, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// slurmctld's state, with slurmdbd's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Slurmctld {
    /// The configuration as read.
    pub cluster: Arc<Cluster>,
    /// Nodes, by [`NodeId`].
    pub nodes: Shared<Node>,
    /// Partitions, by [`PartId`]; changeable copies of the configuration.
    pub partitions: Vec<PartConf>,
    /// Partitions that are no more, for jobs that remember them.
    gone: Vec<PartConf>,
    /// Jobs in memory: until `MinJobAge` after their end.
    pub jobs: CowMap<JobId, Job>,
    /// The accounting database.
    pub dbd: Slurmdbd,
    /// When the daemon started.
    pub boot: Time,
    /// The id that the next job gets.
    pub next_job: u32,
    /// Reservations.
    pub reservations: reservation::Reservations,
    licenses: licenses::Licenses,
    suspends: power_save::Rate,
    resumes: power_save::Rate,
    /// People by number, for names in the database (`getpwuid`).
    pub people: Vec<(Uid, String)>,
    /// Further groups of people, by their names (`getgrnam`).
    pub groups: Vec<(Uid, Vec<String>)>,
    /// What is used of limits; derived from `jobs`, kept for speed.
    pub limits: limits::Counters,
    /// The site's own rules.
    pub policy: crate::config::policy::Policy,
    cron: policy::Cron,
    priority: Priorities,
    /// Jobs by what they need attention for; derived from `jobs`, kept for speed.
    index: Index,
    #[serde(skip)]
    live: live::Live,
    /// Nobody looks at anything but who starts where and when: backfill shows no expected starts and looks no farther than
    /// to what could start, batch scripts have no step and jobs no list of nodes to show, and what is used of limits is
    /// not counted where there is none.
    pub lean: bool,
    /// Passes take no shortcut and remember nothing: what tests hold the fast ones against.
    pub plain: bool,
    clock: Clock,
    /// People's tables of jobs by the clock, as written.
    crontabs: Vec<(Uid, String)>,
    /// What sdiag shows.
    pub stats: stats::Stats,
    gang: preempt::Gang,
    /// Who pushed whom out, the newest last; bounded.
    preempted: Vec<Preemption>,
    triggers: trigger::Triggers,
    orders: Vec<Order>,
    next_cgroup: u32,
}

/// Which jobs are pending, running or completing, and which ended ones will be forgotten when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Index {
    pending: CowSet<JobId>,
    active: CowSet<JobId>,
    ended: CowSet<(Time, JobId)>,
    /// Running jobs by when their time limit, or the warning before it, wants to be looked at.
    limits: CowSet<(Time, JobId)>,
    /// Running jobs whose nodes boot.
    configuring: CowSet<JobId>,
    /// Pending jobs of which backfill told an expected start.
    planned: CowSet<JobId>,
    /// Nodes that do not answer, by when they are given up.
    silent: CowSet<(Time, NodeId)>,
    /// Nodes on which jobs may start; [`Slurmctld::note_node`] keeps it true.
    available: crate::base::bitset::BitSet,
    /// Nodes on which a job is completing: no other starts there meanwhile.
    completing: crate::base::bitset::BitSet,
    /// Nodes by when they want attention.
    nodes_due: CowSet<(Time, NodeId)>,
    waiting: waiting::Waiting,
    /// When jobs may be preempted that may not yet: a pass may decide otherwise then, although nothing happens.
    ripe: CowSet<Time>,
}

impl Slurmctld {
    /// A controller that has just started, its nodes up.
    #[must_use]
    pub fn new(cluster: Cluster, people: Vec<(Uid, String)>, now: Time) -> Self {
        let nodes: Shared<Node> =
            cluster.nodes.iter().zip(0..).map(|(conf, i)| Node::new(NodeId(i), conf, now)).collect();
        let available = nodes.iter().filter(|n| n.available()).map(|n| n.id.0).collect();
        let dbd = Slurmdbd::new(&cluster.global.cluster_name);
        let period = cluster.global.priority.calc_period;
        let mut ctld = Self {
            nodes,
            partitions: cluster.partitions.clone(),
            gone: Vec::new(),
            jobs: CowMap::default(),
            limits: limits::Counters::new(&dbd, &cluster.partitions, now, period),
            dbd,
            boot: now,
            next_job: cluster.global.first_job_id.max(1),
            reservations: reservation::Reservations::default(),
            licenses: licenses::Licenses::default(),
            suspends: power_save::Rate::default(),
            resumes: power_save::Rate::default(),
            people,
            groups: Vec::new(),
            policy: crate::config::policy::Policy::default(),
            cron: policy::Cron::default(),
            index: Index { available, ..Index::default() },
            live: live::Live::default(),
            lean: false,
            plain: false,
            clock: Clock::new(&cluster.global.scheduler_parameters, now),
            crontabs: Vec::new(),
            stats: stats::Stats::new(now),
            gang: preempt::Gang::default(),
            preempted: Vec::new(),
            triggers: trigger::Triggers::default(),
            orders: Vec::new(),
            next_cgroup: 1,
            cluster: Arc::new(cluster),
            priority: Priorities::default(),
        };
        ctld.dbd.note_registration(&ctld.cluster.global.tracked_gres, now);
        ctld.cluster_changed();
        ctld.shares_changed();
        ctld.note_nodes(now);
        ctld
    }

    /// Carries out a request.
    pub fn request(&mut self, caller: Caller, request: Request, now: Time) -> Response {
        self.wake();
        self.live.moment = now;
        self.clock.note_request(now);
        self.stats.call(caller.uid.0, &request);
        let reshapes = request.reshapes();
        let response = match request {
            // What a site's accounts are made with at the start: the page's first prompt needs no other request.
            Request::Accounting(change) => self.accounting(caller, &change, now),
            other => self.carry_out(caller, other, now),
        };
        if reshapes {
            self.live.forget();
        }
        response
    }

    #[inline(never)]
    fn carry_out(&mut self, caller: Caller, request: Request, now: Time) -> Response {
        let done = match request {
            Request::SubmitBatch(desc) | Request::Allocate(desc) => return self.submit(caller, desc, now),
            Request::SubmitHet(descs) => return self.submit_het(descs, now),
            Request::WillRun(desc) => return self.will_run(caller, *desc, now),
            Request::Kill { target, signal, scope, many } => {
                return self.kill(caller, target, signal, scope, many, now);
            }
            Request::Update { target, change } => return self.update(caller, target, &change, now),
            Request::Hold { target, user } => return self.hold(caller, target, user, now),
            Request::Release(target) => return self.release(caller, target, now),
            Request::Requeue { target, how } => return self.requeue(caller, target, how, now),
            Request::Top(target) => return self.top(caller, target, now),
            Request::Suspend(target) => self.suspend(caller, target, now),
            Request::Resume(target) => self.resume(caller, target, now),
            Request::UpdateNode(change) => self.update_nodes(caller, &change, now),
            Request::Reboot(how) => self.reboot_nodes(caller, &how, now),
            Request::CreateReservation(desc) => return self.create_reservation(caller, &desc, now),
            Request::UpdateReservation(desc) => self.update_reservation(caller, &desc, now),
            Request::DeleteReservation(name) => self.delete_reservation(caller, &name, now),
            Request::SetCrontab { uid, text, jobs } => return self.set_crontab(caller, uid, text, jobs, now),
            Request::Notify { job, message } => self.notify(caller, job, message),
            Request::SetDampening(factor) => self.administrator_only(caller).map(|()| {
                Arc::make_mut(&mut self.cluster).global.priority.dampening = factor;
            }),
            Request::SetTrigger(trigger) => self.set_trigger(caller, &trigger, now),
            Request::ClearTriggers { id, job, user } => self.clear_triggers(caller, (id, job, user)),
            Request::ResetStats => self
                .operator_only(caller)
                .map(|()| self.stats.reset(now))
                .map_err(|_| SlurmError::AccessDenied),
            Request::Reconfigure(files) => return self.reconfigure(caller, &files, now),
            Request::CreatePartition { name, changes } => self.create_partition(caller, &name, &changes, now),
            Request::CreateNodes(line) => return self.create_nodes(caller, &line, now),
            Request::DeleteNodes(list) => return self.delete_nodes(caller, &list, now),
            Request::DeletePartition(name) => self.delete_partition(caller, &name, now),
            Request::UpdatePartition { name, changes } => self.update_partition(caller, &name, &changes, now),
            Request::CreateStep(desc) => return self.create_step(caller, &desc, now),
            Request::ForgetStep { job, client } => self.forget_step(job, client),
            Request::Listen { step, listener, fds } => self.listen(caller, step, listener, fds),
            Request::StepDone { step, exit, usage } => self.step_done(step, exit, usage, now),
            Request::BatchDone { job, status, usage } => self.batch_done(job, status, usage, now),
            Request::CompleteJob { job, exit } => self.complete_allocation(caller, job, exit, now),
            Request::EpilogComplete { job, nodes } => self.epilog_complete(job, &nodes, now),
            Request::NodeResponding { node, up } => self.node_responding(node, up, now),
            Request::NodeOutOfMemory { node, job, comment, back } => {
                self.node_out_of_memory(node, job, comment, back, now)
            }
            Request::NodeGone { node } => self.node_gone(node, now),
            Request::Prepared { job, failed } => self.prepared(job, failed, now),
            Request::Resuming { nodes, ended } => self.resuming(&nodes, ended, now),
            Request::EpilogFailed { node } => self.epilog_failed(node, now),
            Request::OutOfMemory { step } => self.out_of_memory(step),
            Request::Accounting(change) => return self.accounting(caller, &change, now),
        };
        match done {
            Ok(()) => Response::Ok,
            Err(error) => Response::Err { error, messages: Vec::new() },
        }
    }

    fn accounting(&mut self, caller: Caller, change: &crate::slurmdbd::Change, now: Time) -> Response {
        let name = self.user_name(caller.uid);
        match self.dbd.apply(change, &name) {
            Ok(_) => {
                self.dbd.note_change(change, &name, now);
                self.shares_changed();
                if matches!(change, crate::slurmdbd::Change::Resource(_)) {
                    self.share_resources();
                }
                self.find_associations();
                // A raised limit lets jobs go at the next pass, and brings none about.
                self.recount();
                self.clock.note_change(now);
                Response::Ok
            }
            Err(message) => Response::Err { error: SlurmError::Error, messages: vec![message] },
        }
    }

    /// What it wants done, in order.
    pub fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// A job in memory, by its own id (for arrays see [`job::Job::array`]).
    #[must_use]
    pub fn job(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(id)
    }

    /// Changes a job and keeps the index of jobs true.
    fn change_job(&mut self, id: JobId, change: impl FnOnce(&mut Job)) {
        let counts = self.counts_limits();
        let Some(job) = self.jobs.get_mut(id) else { return };
        let (before, end_before) = (waiting::Stage::of(job), job.end);
        let counted = counts.then(|| limits::Standing::of(job));
        let standing = live::Standing::of(job);
        let look_before = job.limit_look();
        let held = licenses::holds(job);
        let (was, priority, listed) = (job.state, job.priority, lists(job));
        change(job);
        self.stats.job(was, job.state, job.scheduler == job::Scheduler::Backfill, job.het.is_some());
        let holds = licenses::holds(job);
        self.limits.move_job(&self.dbd, job, counted, counts.then(|| limits::Standing::of(job)));
        let look = job.limit_look();
        if look != look_before {
            look_before.map(|at| self.index.limits.remove(&(at, id)));
            look.map(|at| self.index.limits.insert((at, id)));
        }
        let (state, completing, end) = (job.state, job.flags.completing, job.end);
        let listed_now = lists(job);
        self.list(id, listed, listed_now);
        let age = crate::base::time::Span::from_secs(self.cluster.global.min_job_age.into());
        if state.ended() && !completing && age.0 > 0 {
            self.index.ended.insert((end.unwrap_or_default() + age, id));
        } else if before.over() {
            self.index.ended.remove(&(end_before.unwrap_or_default() + age, id));
        }
        self.note_stage(id, before);
        self.note_priority(id, priority);
        self.note_standing(id, &standing);
        if held != holds {
            self.note_licenses(id, holds);
        }
    }

    /// Whether what is used of limits is counted.
    const fn counts_limits(&self) -> bool {
        !self.lean || self.limits.any()
    }

    /// A job is in other lists than it was.
    fn list(&mut self, id: JobId, before: [bool; 4], after: [bool; 4]) {
        if before == after {
            return;
        }
        let index = &mut self.index;
        let all = [&mut index.configuring, &mut index.planned, &mut index.pending, &mut index.active];
        for ((ids, was), is) in all.into_iter().zip(before).zip(after) {
            if was != is {
                set(ids, id, is);
            }
        }
    }

    /// A node.
    ///
    /// # Panics
    /// When no such node exists: ids come from this controller only.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.live.forecast.touch(id);
        &mut self.nodes[id.0 as usize]
    }

    /// A node by name.
    #[must_use]
    pub fn node_by_name(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().find(|n| !n.gone && n.conf.name == name).map(|n| n.id)
    }

    /// A person's name, or the number as text.
    #[must_use]
    pub fn user_name(&self, uid: Uid) -> String {
        self.people.iter().find(|p| p.0 == uid).map_or_else(|| uid.to_string(), |p| p.1.clone())
    }

    /// Whether somebody belongs to a group: everybody has one of their own name, root is in all.
    #[must_use]
    pub fn in_group(&self, uid: Uid, group: &str) -> bool {
        let others = || self.groups.iter().find(|g| g.0 == uid);
        uid == Uid(0)
            || self.user_name(uid).eq_ignore_ascii_case(group)
            || others().is_some_and(|g| g.1.iter().any(|name| name.eq_ignore_ascii_case(group)))
    }

    /// Jobs that hold resources: running, suspended, completing.
    pub fn active_jobs(&self) -> impl Iterator<Item = &Job> {
        self.index.active.iter().filter_map(|id| self.jobs.get(*id))
    }

    /// Jobs that wait, arrays' common records once.
    pub fn pending_jobs(&self) -> impl Iterator<Item = &Job> {
        self.pending_from(JobId(0))
    }

    /// Jobs from a number on that wait.
    pub fn pending_from(&self, first: JobId) -> impl Iterator<Item = &Job> {
        self.index.pending.range(first..).filter_map(|id| self.jobs.get(*id))
    }

    /// Whether a user may do to jobs and reservations what their owners may, and see everything.
    #[must_use]
    pub fn is_operator(&self, uid: Uid) -> bool {
        uid == Uid(0) || self.dbd.admin_level(&self.user_name(uid)) >= AdminLevel::Operator
    }

    /// Whether a user may change nodes, partitions and the daemon itself.
    #[must_use]
    pub fn is_administrator(&self, uid: Uid) -> bool {
        uid == Uid(0) || self.dbd.admin_level(&self.user_name(uid)) == AdminLevel::Administrator
    }

    fn administrator_only(&self, caller: Caller) -> Result<(), SlurmError> {
        if self.is_administrator(caller.uid) { Ok(()) } else { Err(SlurmError::UserIdMissing) }
    }

    /// A number among `SchedulerParameters`.
    fn parameter(&self, word: &str) -> Option<u32> {
        self.cluster.global.scheduler_parameters.get(word)?.parse().ok()
    }

    fn operator_only(&self, caller: Caller) -> Result<(), SlurmError> {
        if self.is_operator(caller.uid) { Ok(()) } else { Err(SlurmError::UserIdMissing) }
    }

    fn new_job_id(&mut self) -> JobId {
        let id = JobId(self.next_job);
        self.next_job += 1;
        id
    }

    /// A tracking group that nobody had before.
    pub fn new_cgroup(&mut self) -> Cgroup {
        let cgroup = Cgroup(self.next_cgroup);
        self.next_cgroup += 1;
        cgroup
    }
}

/// Whom a job lets onto its nodes: its own wish, or its partition's rule.
#[must_use]
pub fn exclusive_of(ctld: &Slurmctld, job: &Job) -> Option<job::Exclusive> {
    select::alone(ctld, job)
}

/// Whether a job is among those that are configuring, planned, pending, and active.
fn lists(job: &Job) -> [bool; 4] {
    let (pending, completing) = (job.state == job::JobState::Pending, job.flags.completing);
    [
        job.flags.configuring,
        pending && job.planned.is_some(),
        pending && !completing,
        completing || (!pending && !job.state.ended()),
    ]
}

fn set(ids: &mut CowSet<JobId>, id: JobId, member: bool) {
    if member {
        ids.insert(id);
    } else {
        ids.remove(&id);
    }
}
