//! Classes of identical requests. A [`RequestClass`] is a [`NodeRequest`] (what is requested of a single node) with the requested
//! totals.
//!
//! Cost: two comparisons to find whether a class could fit now, without regard to reservations.

mod node_request;
mod releases;
mod shortfall;

use super::counts::{Counts, Sums};
use super::{Infeasible, exclusive_in, feasible};
use crate::Slurmctld;
use crate::state::job::{Exclusive, Job, Needs};
use base::bitset::BitSet;
use base::ids::{PartId, QosId, Uid};
use node_request::{NodeRequest, least, of_one_node};
pub(crate) use releases::ResourceProfile;
pub(crate) use shortfall::Shortfall;
use std::sync::Arc;

/// The id of a class in [`RequestClasses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RequestClassId(u32);

/// All classes and node requests so far.
#[derive(Debug, Default)]
pub(crate) struct RequestClasses {
    classes: Vec<RequestClass>,
    node_requests: Vec<NodeRequest>,
    /// The class that was found last.
    last: usize,
}

/// A request for resources of a partition.
#[derive(Debug)]
struct RequestClass {
    needs: Arc<Needs>,
    part: PartId,
    uid: Option<Uid>,
    node_request: usize,
    /// The number of queue entries of this class.
    queued: u32,
    /// Whether the partition could ever run it, by QOS, because a QOS may lift limits of the partition.
    feasible: Vec<(QosId, Result<u32, Infeasible>)>,
}

impl RequestClasses {
    /// The class of a job in a partition. Counts one more queue entry.
    pub(crate) fn enter(&mut self, ctld: &Slurmctld, job: &Job, part: PartId) -> RequestClassId {
        let id = self.find(ctld, job, part);
        self.classes[id.0 as usize].queued += 1;
        id
    }

    /// [`feasible`] for a job, computed once for each class.
    pub(crate) fn feasible(&mut self, ctld: &Slurmctld, job: &Job, part: PartId) -> Result<u32, Infeasible> {
        if !job.reservations.is_empty() {
            return feasible(ctld, job, part, None);
        }
        let id = self.find(ctld, job, part);
        self.feasible_entry(ctld, job, part, id)
    }

    /// [`Self::feasible`] for a queue entry with a known class.
    pub(crate) fn feasible_entry(
        &mut self,
        ctld: &Slurmctld,
        job: &Job,
        part: PartId,
        id: RequestClassId,
    ) -> Result<u32, Infeasible> {
        if ctld.plain {
            return feasible(ctld, job, part, None);
        }
        let class = &mut self.classes[id.0 as usize];
        if let Some((_, answer)) = class.feasible.iter().find(|k| k.0 == job.qos) {
            return *answer;
        }
        let node_request = &mut self.node_requests[class.node_request];
        node_request.sync(ctld);
        let answer = feasible(ctld, job, part, node_request.idle());
        class.feasible.push((job.qos, answer));
        answer
    }

    /// Counts an entry that leaves the queue.
    pub(crate) fn leave(&mut self, id: RequestClassId) {
        if let Some(class) = self.classes.get_mut(id.0 as usize) {
            class.queued = class.queued.saturating_sub(1);
        }
    }

    fn find(&mut self, ctld: &Slurmctld, job: &Job, part: PartId) -> RequestClassId {
        // The user matters only where nodes belong to users.
        let exclusive = exclusive_in(job.needs.exclusive, Some(ctld.partition(part)));
        let uid =
            (exclusive == Some(Exclusive::User) || ctld.caches.may_hit_exclusive_user).then(|| job.uid());
        let same = |s: &RequestClass| {
            s.part == part
                && s.uid == uid
                && (Arc::ptr_eq(&s.needs, &job.needs)
                    || (s.needs.ntasks == job.needs.ntasks
                        && s.needs.min_nodes == job.needs.min_nodes
                        && s.needs == job.needs))
        };
        let again = Some(self.last).filter(|last| self.classes.get(*last).is_some_and(same));
        let known = again.or_else(|| self.classes.iter().rposition(same));
        let at = known.unwrap_or_else(|| {
            let node_request = self.node_request_of(ctld, job, part, uid);
            self.classes.push(RequestClass {
                needs: Arc::clone(&job.needs),
                part,
                uid,
                node_request,
                queued: 0,
                feasible: Vec::new(),
            });
            self.classes.len() - 1
        });
        self.last = at;
        RequestClassId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn node_request_of(&mut self, ctld: &Slurmctld, job: &Job, part: PartId, uid: Option<Uid>) -> usize {
        let (needs, least) = (of_one_node(&job.needs), least(&job.needs));
        self.node_requests.iter().position(|k| k.is_of(part, uid, &needs, least)).unwrap_or_else(|| {
            self.node_requests.push(NodeRequest::new(ctld, job, part, uid));
            self.node_requests.len() - 1
        })
    }

    /// Whether there are so many classes that they should be rebuilt.
    pub(crate) fn crowded(&self) -> bool {
        self.classes.len() > 20_000 || self.node_requests.len() > 500
    }

    /// Whether counted resources are enough for the class now. This is a necessary condition: if it is false, no choice of nodes is
    /// possible.
    pub(crate) fn may_fit(&mut self, ctld: &Slurmctld, id: RequestClassId) -> bool {
        let node_request = self.node_request(id);
        self.node_requests[node_request].sync(ctld);
        self.enough(id, self.node_requests[node_request].sums())
    }

    /// How much is missing for the class if this much is available.
    pub(crate) fn shortfall(&self, id: RequestClassId, there: Sums) -> Shortfall {
        let needs = &self.classes[id.0 as usize].needs;
        Shortfall {
            nodes: needs.min_nodes.max(1).saturating_sub(there.nodes),
            tasks: u64::from(needs.ntasks).saturating_sub(there.tasks),
        }
    }

    /// Whether a class dominates another one: the same request to single nodes, and totals that are at least as large.
    pub(crate) fn dominates(&self, id: RequestClassId, than: RequestClassId) -> bool {
        let (this, that) = (&self.classes[id.0 as usize], &self.classes[than.0 as usize]);
        this.node_request == that.node_request
            && this.needs.min_nodes >= that.needs.min_nodes
            && this.needs.ntasks >= that.needs.ntasks
    }

    /// The node request of a class.
    pub(crate) fn node_request(&self, id: RequestClassId) -> usize {
        self.classes[id.0 as usize].node_request
    }

    /// Nodes that jobs of the class may use, as of the last update.
    pub(crate) fn open(&self, id: RequestClassId) -> &BitSet {
        self.node_requests[self.node_request(id)].open()
    }

    /// The capacity of a set of idle nodes for the class.
    pub(crate) fn capacity_of(&mut self, ctld: &Slurmctld, id: RequestClassId, nodes: &BitSet) -> Sums {
        let node_request = self.node_request(id);
        self.node_requests[node_request].sync(ctld);
        self.node_requests[node_request].capacity_of(nodes)
    }

    /// Whether this much is enough for the class.
    pub(crate) fn enough(&self, id: RequestClassId, there: Sums) -> bool {
        !self.shortfall(id, there).survives(0, 0)
    }

    /// Whether any queue entry has a class that may fit now.
    pub(crate) fn any_may_fit(&mut self, ctld: &Slurmctld) -> bool {
        self.node_requests.iter_mut().for_each(|node_request| node_request.sync(ctld));
        self.classes.iter().zip(0u32..).any(|(class, id)| {
            class.queued > 0 && self.enough(RequestClassId(id), self.node_requests[class.node_request].sums())
        })
    }

    /// Brings the resource profile of the class up to date.
    pub(crate) fn update_profile(&mut self, ctld: &Slurmctld, id: RequestClassId) {
        let node_request = self.node_request(id);
        self.node_requests[node_request].sync(ctld);
        self.node_requests[node_request].update_profile(ctld);
    }

    /// How many tasks of the class each node could take now; none if weights matter.
    pub(crate) fn counted_now(&mut self, ctld: &Slurmctld, id: RequestClassId) -> Option<&Counts> {
        let node_request = self.node_request(id);
        self.node_requests[node_request].sync(ctld);
        let profile = self.profile(id);
        Some(profile.tasks).filter(|_| profile.level)
    }

    /// The resource profile of the class, as of the last update.
    pub(crate) fn profile(&self, id: RequestClassId) -> ResourceProfile<'_> {
        self.node_requests[self.node_request(id)].profile()
    }
}
