//! slurmctld: keeps track of jobs, nodes and partitions, and decides which job starts where and when.
//!
//! Modules are layers; each imports only those before it in this list:
//!
//! - [`state`] holds the records of jobs, steps and nodes, and [`rpc`] the messages about them.
//! - [`acct_policy`] (limits), [`licenses`], [`priority`], [`reservation`], [`select`] and [`preempt`] answer questions about
//!   the state.
//! - [`sched`] decides: the main scheduling loop and backfill.
//! - [`step_mgr`], [`job_mgr`], [`node_mgr`] and [`partition_mgr`] carry out requests and decisions; [`policy`] applies
//!   the site's rules, and [`jobenv`] builds environments.
//! - [`verdict`] explains why a job waits, on a fork of the controller.
//! - [`controller`] is the daemon: requests, the clock, configuration, triggers.
//!
//! Time moves only through [`Slurmctld::timer`] and requests.

pub mod acct_policy;
mod controller;
mod job_mgr;
pub mod jobenv;
mod licenses;
mod node_mgr;
mod partition_mgr;
mod policy;
mod preempt;
pub mod priority;
pub mod reservation;
mod rpc;
mod saved;
mod sched;
mod select;
mod state;
mod step_mgr;
#[cfg(test)]
mod tests;
pub mod verdict;

pub use controller::{Teardown, stats, triggers as trigger};
pub use job_mgr::prolog;
pub use rpc::request;
pub use state::{error, job, job_text, node, reason};

use base::cow::CowMap;
use base::cow_set::CowSet;
use base::ids::{Cgroup, JobId, NodeId, Uid};
use base::time::{Span, Time};
use config::{Cluster, PartConf};
use controller::clock::Clock;
use error::SlurmError;
use job::Job;
use node::Node;
pub use preempt::Preemption;
use priority::Priorities;
use request::{Caller, Order};
use slurmdbd::{AdminLevel, Slurmdbd};
use state::changes::JobChange;
use state::edit::{JobEdit, NodeEdit};
use state::jobs::{JobIndex, JobTable};
use state::nodes::NodeTable;
use std::sync::Arc;

/// The state of slurmctld and slurmdbd.
#[derive(Clone, Debug)]
pub struct Slurmctld {
    /// The configuration as read.
    pub cluster: Arc<Cluster>,
    /// Nodes, by [`NodeId`].
    pub nodes: NodeTable,
    /// Partitions, by [`PartId`]: copies of the configuration that may change.
    pub partitions: Vec<PartConf>,
    /// Deleted partitions that jobs still refer to.
    gone: Vec<PartConf>,
    /// Jobs in memory, until `MinJobAge` after their end.
    pub jobs: JobTable,
    /// The accounting database.
    pub dbd: Slurmdbd,
    /// When the daemon started.
    pub boot: Time,
    /// The next job id.
    pub next_job: u32,
    /// Reservations.
    pub reservations: reservation::Reservations,
    licenses: licenses::Licenses,
    suspends: node_mgr::power_save::Rate,
    resumes: node_mgr::power_save::Rate,
    /// Users by uid, for names in the database (`getpwuid`).
    pub people: Vec<(Uid, String)>,
    /// Supplementary groups of users (`getgrnam`).
    pub groups: Vec<(Uid, Vec<String>)>,
    /// Usage that counts towards limits; derived from `jobs`, cached.
    pub limits: acct_policy::Counters,
    /// The site's job submit and cron rules.
    pub policy: config::policy::Policy,
    cron: policy::Cron,
    priority: Priorities,
    /// When a pass may decide something new although nothing happens: the end of a preemption exempt time, of a wait
    /// for switches, or the age from which backfill reserves.
    recheck_at: CowSet<Time>,
    /// Caches, rebuilt when missing.
    caches: sched::caches::Caches,
    /// The passes that are still to run at this moment.
    pass_queue: controller::pass_queue::PassQueue,
    /// Only starts matter, nothing else is observed. Backfill shows no expected starts and looks only as far ahead as
    /// needed for starts, batch scripts have no step, jobs have no node list text, and usage is not counted unless
    /// there are limits.
    pub lean: bool,
    /// Passes use no shortcuts and no caches. Tests compare the fast passes with these.
    pub plain: bool,
    clock: Clock,
    /// Users' crontabs, as written.
    crontabs: Vec<(Uid, String)>,
    /// The statistics that sdiag shows.
    pub stats: stats::Stats,
    gang: preempt::Gang,
    /// Preemptions, the newest last; bounded.
    preempted: Vec<Preemption>,
    triggers: trigger::Triggers,
    orders: Vec<Order>,
    next_cgroup: u32,
}

impl Slurmctld {
    /// A controller that has just started, with all nodes up.
    #[must_use]
    pub fn new(cluster: Cluster, people: Vec<(Uid, String)>, now: Time) -> Self {
        let nodes: NodeTable =
            cluster.nodes.iter().zip(0..).map(|(conf, i)| Node::new(NodeId(i), conf, now)).collect();
        let dbd = Slurmdbd::new(&cluster.global.cluster_name);
        let period = cluster.global.priority.calc_period;
        let mut ctld = Self {
            nodes,
            partitions: cluster.partitions.clone(),
            gone: Vec::new(),
            jobs: JobTable::restore(
                CowMap::default(),
                JobIndex::default(),
                Span::from_secs(cluster.global.min_job_age.into()),
            ),
            limits: acct_policy::Counters::new(&dbd, &cluster.partitions, now, period),
            dbd,
            boot: now,
            next_job: cluster.global.first_job_id.max(1),
            reservations: reservation::Reservations::default(),
            licenses: licenses::Licenses::default(),
            suspends: node_mgr::power_save::Rate::default(),
            resumes: node_mgr::power_save::Rate::default(),
            people,
            groups: Vec::new(),
            policy: config::policy::Policy::default(),
            cron: policy::Cron::default(),
            recheck_at: CowSet::default(),
            caches: sched::caches::Caches::default(),
            pass_queue: controller::pass_queue::PassQueue::default(),
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

    /// A job in memory, by its own id (for arrays see [`job::Job::array`]).
    #[must_use]
    pub fn job(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(id)
    }

    /// Edits a job and updates everything derived from jobs.
    fn edit_job(&mut self, id: JobId, edit: JobEdit<impl FnOnce(&mut Job)>) {
        self.jobs.apply(id, self.counts_limits(), edit);
        self.follow_changes();
    }

    /// Edits a job's reason, and nothing else that anything is derived from.
    fn edit_reason(&mut self, id: JobId, reason: reason::Reason, edit: JobEdit<impl FnOnce(&mut Job)>) {
        self.jobs.apply_reason(id, self.counts_limits(), reason, edit);
        self.follow_changes();
    }

    /// Inserts a new job.
    fn insert_job(&mut self, job: Box<Job>) {
        self.jobs.insert(job, self.counts_limits());
        self.follow_changes();
    }

    /// Passes logged changes of jobs to everything derived from jobs.
    fn follow_changes(&mut self) {
        while self.jobs.has_changes() {
            let changes = self.jobs.take_changes();
            changes.iter().for_each(|change| self.follow_change(change));
            self.jobs.followed(changes);
        }
    }

    /// Passes on one change.
    fn follow_change(&mut self, change: &JobChange) {
        let Some(job) = self.jobs.get(change.id) else { return };
        let JobChange { before, after, .. } = change;
        if let Some(before) = before {
            let backfilled = job.scheduler == job::Scheduler::Backfill;
            self.stats.job(before.state, after.state, backfilled, job.het.is_some());
        }
        let counted = before.as_ref().and_then(|b| b.counted);
        self.limits.move_job(&self.dbd, job, counted, after.counted);
        let had = before.as_ref().is_some_and(|b| b.holds_licenses);
        if had != after.holds_licenses {
            self.licenses.take(job, after.holds_licenses);
        }
        self.note_priority(change.id, before.as_ref().map_or(0, |b| b.priority));
        self.note_queue_state(change);
    }

    /// Whether usage is counted for limits.
    const fn counts_limits(&self) -> bool {
        !self.lean || self.limits.any()
    }

    /// A node.
    ///
    /// # Panics
    /// When no such node exists: ids come from this controller only.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Edits a node.
    fn edit_node(&mut self, id: NodeId, edit: NodeEdit<impl FnOnce(&mut Node)>) {
        self.nodes.apply(id, edit);
    }

    /// A node by name.
    #[must_use]
    pub fn node_by_name(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().find(|n| !n.gone && n.conf.name == name).map(|n| n.id)
    }

    /// A user's name, or the uid as text.
    #[must_use]
    pub fn user_name(&self, uid: Uid) -> String {
        self.people.iter().find(|p| p.0 == uid).map_or_else(|| uid.to_string(), |p| p.1.clone())
    }

    /// Whether a user belongs to a group. Each user has a group of the same name, and root is in all groups.
    #[must_use]
    pub fn in_group(&self, uid: Uid, group: &str) -> bool {
        let others = || self.groups.iter().find(|g| g.0 == uid);
        uid == Uid(0)
            || self.user_name(uid).eq_ignore_ascii_case(group)
            || others().is_some_and(|g| g.1.iter().any(|name| name.eq_ignore_ascii_case(group)))
    }

    /// Jobs that hold resources: running, suspended, completing.
    pub fn active_jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.active()
    }

    /// Pending jobs. The common record of an array counts once.
    pub fn pending_jobs(&self) -> impl Iterator<Item = &Job> {
        self.pending_from(JobId(0))
    }

    /// Pending jobs from this id on.
    pub fn pending_from(&self, first: JobId) -> impl Iterator<Item = &Job> {
        self.jobs.pending_from(first)
    }

    /// Whether a user has the rights of an owner for all jobs and reservations, and sees everything.
    #[must_use]
    pub fn is_operator(&self, uid: Uid) -> bool {
        uid == Uid(0) || self.dbd.admin_level(&self.user_name(uid)) >= AdminLevel::Operator
    }

    /// Whether a user may change nodes, partitions and slurmctld itself.
    #[must_use]
    pub fn is_administrator(&self, uid: Uid) -> bool {
        uid == Uid(0) || self.dbd.admin_level(&self.user_name(uid)) == AdminLevel::Administrator
    }

    fn administrator_only(&self, caller: Caller) -> Result<(), SlurmError> {
        if self.is_administrator(caller.uid) { Ok(()) } else { Err(SlurmError::UserIdMissing) }
    }

    /// A number from `SchedulerParameters`.
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

    /// A new tracking group.
    pub fn new_cgroup(&mut self) -> Cgroup {
        let cgroup = Cgroup(self.next_cgroup);
        self.next_cgroup += 1;
        cgroup
    }
}

/// With whom a job shares its nodes: its own request, or its partition's rule.
#[must_use]
pub fn exclusive_of(ctld: &Slurmctld, job: &Job) -> Option<job::Exclusive> {
    match job.needs.exclusive {
        Some(job::Exclusive::Topo) => Some(job::Exclusive::Topo),
        _ => select::exclusive(ctld, job),
    }
}
