//! Serialisation of the controller, field by field, jobs and nodes before their indices. The order defines the format
//! of saved sessions.

use crate::state::job::Job;
use crate::state::jobs::JobTable;
use crate::state::node::Node;
use crate::state::nodes::NodeTable;
use crate::state::saved::{Indices, IndicesRef};
use crate::{Clock, Order, Preemption, Priorities, Slurmctld};
use crate::{acct_policy, controller, licenses, node_mgr, policy, preempt, reservation};
use base::cow::CowMap;
use base::ids::{JobId, Uid};
use base::shared::Shared;
use base::time::{Span, Time};
use config::{Cluster, PartConf};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use slurmdbd::Slurmdbd;
use std::sync::Arc;

macro_rules! layout {
    ({ $($before:ident: $before_kind:ty,)* } index { $($after:ident: $after_kind:ty,)* }) => {
        /// The fields that are written.
        #[derive(Serialize)]
        struct Written<'a> {
            $($before: &'a $before_kind,)*
            index: IndicesRef<'a>,
            $($after: &'a $after_kind,)*
        }

        /// The fields that are read.
        #[derive(Deserialize)]
        struct Read {
            $($before: $before_kind,)*
            index: Indices,
            $($after: $after_kind,)*
        }

        impl Serialize for Slurmctld {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let written = Written {
                    $($before: &self.$before,)*
                    index: IndicesRef::of(self.jobs.index(), self.nodes.index(), &self.recheck_at),
                    $($after: &self.$after,)*
                };
                written.serialize(serializer)
            }
        }
    };
}

layout! {
    {
        cluster: Arc<Cluster>,
        nodes: Shared<Node>,
        partitions: Vec<PartConf>,
        gone: Vec<PartConf>,
        jobs: CowMap<JobId, Job>,
        dbd: Slurmdbd,
        boot: Time,
        next_job: u32,
        reservations: reservation::Reservations,
        licenses: licenses::Licenses,
        suspends: node_mgr::power_save::Rate,
        resumes: node_mgr::power_save::Rate,
        people: Vec<(Uid, String)>,
        groups: Vec<(Uid, Vec<String>)>,
        limits: acct_policy::Counters,
        policy: config::policy::Policy,
        cron: policy::Cron,
        priority: Priorities,
    }
    index
    {
        lean: bool,
        plain: bool,
        clock: Clock,
        crontabs: Vec<(Uid, String)>,
        stats: controller::stats::Stats,
        gang: preempt::Gang,
        preempted: Vec<Preemption>,
        triggers: controller::triggers::Triggers,
        orders: Vec<Order>,
        next_cgroup: u32,
    }
}

impl<'de> Deserialize<'de> for Slurmctld {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Read::deserialize(deserializer)?;
        let (jobs, nodes, recheck_at) = read.index.split();
        let min_age = Span::from_secs(read.cluster.global.min_job_age.into());
        Ok(Self {
            nodes: NodeTable::restore(read.nodes, nodes),
            jobs: JobTable::restore(read.jobs, jobs, min_age),
            recheck_at,
            caches: crate::sched::caches::Caches::default(),
            pass_queue: crate::controller::pass_queue::PassQueue::default(),
            cluster: read.cluster,
            partitions: read.partitions,
            gone: read.gone,
            dbd: read.dbd,
            boot: read.boot,
            next_job: read.next_job,
            reservations: read.reservations,
            licenses: read.licenses,
            suspends: read.suspends,
            resumes: read.resumes,
            people: read.people,
            groups: read.groups,
            limits: read.limits,
            policy: read.policy,
            cron: read.cron,
            priority: read.priority,
            lean: read.lean,
            plain: read.plain,
            clock: read.clock,
            crontabs: read.crontabs,
            stats: read.stats,
            gang: read.gang,
            preempted: read.preempted,
            triggers: read.triggers,
            orders: read.orders,
            next_cgroup: read.next_cgroup,
        })
    }
}
