//! What follows from the state and is kept so that it is not computed again: the forecast of what is free, the queue in
//! its order, the shapes of requests. Never saved and never copied: a world that lacks it makes it anew.

use super::Slurmctld;
use super::due::Due;
use super::job::{Exclusive, Job};
use super::preempt;
use super::priority::Factors;
use super::sched::knobs::Knobs;
use super::sched::memo::Memo;
use super::sched::plan::Plan;
use super::sched::queue::Queue;
use super::sched::quiet::{Quiet, Sight};
use super::select::{Forecast, Shapes, Size};
use crate::base::ids::{JobId, PartId, QosId};
use crate::base::time::Time;
use crate::config::PartExclusive;
use std::collections::BTreeSet;
use std::ops::Bound;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Live {
    pub forecast: Forecast,
    pub queue: Queue,
    /// None while they are lent out.
    pub shapes: Option<Box<Shapes>>,
    pub knobs: Knobs,
    pub memo: Memo,
    /// Memory for the plan of the next backfill pass.
    pub plan: Plan,
    /// What the last pass of the main loop saw, if it came to the end of the queue.
    pub seen: Option<Sight>,
    pub quiet: Option<Quiet>,
    /// What the clock has still to do at this moment.
    pub due: Option<Due>,
    /// QOS that others may preempt, with how many stand above each.
    pub preempted: Vec<(QosId, u32)>,
    /// Jobs that hold nodes by the end of their limits.
    ends: BTreeSet<(Time, JobId)>,
    /// By partition.
    sizes: Vec<Size>,
    /// Some nodes may belong to one user at a time.
    pub shy: bool,
    /// The moment of the last request or timer.
    pub moment: Time,
    awake: Awake,
}

/// How much of it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Awake {
    /// Nothing that is true of the state.
    #[default]
    No,
    /// The forecast of some nodes ...
    Nodes,
    /// ... and of all, and the queue up to a job.
    Queue(JobId),
    Yes,
}

/// Nodes, or jobs, of which what is kept is made at a time: about a millisecond's.
const SOME: usize = 512;

/// A fork makes its own when it needs it: most forks are only looked at.
impl Clone for Live {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Live {
    /// When jobs that hold nodes come to the end of their limits, in order, after a moment.
    pub(super) fn ends_from(&self, after: Time) -> impl Iterator<Item = (Time, JobId)> + '_ {
        self.ends.range((Bound::Excluded((after, JobId(u32::MAX))), Bound::Unbounded)).copied()
    }

    /// From now on it must be made anew: something changed that it does not follow.
    pub(super) const fn forget(&mut self) {
        self.awake = Awake::No;
    }

    pub(super) const fn is_awake(&self) -> bool {
        matches!(self.awake, Awake::Yes)
    }
}

impl Slurmctld {
    /// Makes what is kept for speed, if it is missing. Every request and every timer begins with it.
    pub(super) fn wake(&mut self) {
        let crowded = self.live.shapes.as_ref().is_some_and(|shapes| shapes.crowded());
        if self.live.is_awake() && (crowded || self.plain) {
            self.live.forget();
        }
        while self.wake_some() {}
    }

    /// Makes some of it; false when nothing is missing.
    pub(super) fn wake_some(&mut self) -> bool {
        self.live.awake = match self.live.awake {
            Awake::No => {
                self.begin_to_wake();
                Awake::Nodes
            }
            Awake::Nodes => {
                let mut forecast = std::mem::take(&mut self.live.forecast);
                let more = forecast.add_some(self, SOME);
                self.live.forecast = forecast;
                if more { Awake::Nodes } else { Awake::Queue(JobId(0)) }
            }
            Awake::Queue(from) => {
                let some: Vec<JobId> = self.pending_from(from).take(SOME).map(|job| job.id).collect();
                some.iter().for_each(|id| self.note_change(*id, &Standing::default()));
                some.last().map_or(Awake::Yes, |last| Awake::Queue(JobId(last.0.saturating_add(1))))
            }
            Awake::Yes => Awake::Yes,
        };
        !self.live.is_awake()
    }

    /// What is quickly made.
    fn begin_to_wake(&mut self) {
        self.live = Live::default();
        self.live.knobs = Knobs::new(&self.cluster.global.scheduler_parameters);
        self.live.preempted = preempt::preempted(self);
        self.live.queue = Queue::new(self.partitions.len());
        let by_user = |p: &crate::config::PartConf| p.exclusive == PartExclusive::User;
        let asks = |j: &Job| j.needs.exclusive == Some(Exclusive::User);
        self.live.shy = self.partitions.iter().any(by_user)
            || self.pending_jobs().any(asks)
            || self.active_jobs().any(asks);
        self.live.sizes = (0u32..).zip(&self.partitions).map(|(id, _)| Size::of(self, PartId(id))).collect();
        self.live.ends = self.active_jobs().filter_map(|j| Some((Standing::of(j).end?, j.id))).collect();
    }

    /// How large a partition is.
    pub(super) fn size_of(&self, part: PartId) -> Size {
        let known = self.live.sizes.get(part.0 as usize).filter(|_| self.live.is_awake());
        known.copied().unwrap_or_else(|| Size::of(self, part))
    }

    /// A job changed: it may stand elsewhere in the queue, or its nodes may be free at another time.
    pub(super) fn note_standing(&mut self, id: JobId, before: &Standing) {
        if self.live.is_awake() {
            self.note_change(id, before);
        }
    }

    fn note_change(&mut self, id: JobId, before: &Standing) {
        let Some(job) = self.jobs.get(id) else { return };
        let after = Standing::of(job);
        if before.end != after.end {
            before.end.map(|end| self.live.ends.remove(&(end, id)));
            after.end.map(|end| self.live.ends.insert((end, id)));
            for part in job.allocation.iter().flat_map(|a| &a.nodes) {
                self.live.forecast.touch(part.node);
            }
        }
        if job.needs.exclusive == Some(Exclusive::User) && !self.live.shy {
            return self.live.forget();
        }
        match (&before.place, &after.place) {
            (before, after) if before == after => {}
            (Some(before), Some(after)) if before.asks_like(after) => self.move_rows(id),
            _ => {
                let shapes = self.live.shapes.get_or_insert_default();
                self.live.queue.remove(id, shapes);
                self.enqueue(id);
            }
        }
        if before.is_restless() != after.is_restless() {
            self.live.queue.note_restless(id, after.is_restless());
        }
    }
}

/// What of a job matters for the queue and for the forecast.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Standing {
    place: Option<Place>,
    end: Option<Time>,
    restless: bool,
}

/// Its place in the queue and what it asks for there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    priority: u32,
    /// The first partitions, and how many there are.
    partitions: [u32; 4],
    count: usize,
    /// In several partitions each has a priority of its own, made of these.
    factors: Option<(Factors, i64)>,
    /// Which needs; compared only while the job lives.
    needs: usize,
    limit: crate::base::time::Limit,
    /// Who has a reservation comes earlier.
    reserved: bool,
    qos: crate::base::ids::QosId,
}

impl Place {
    /// Whether only the order in the queue is another.
    fn asks_like(&self, other: &Self) -> bool {
        Self { priority: other.priority, factors: other.factors, ..*self } == *other && self.count <= 4
    }
}

impl Standing {
    /// Whether it is queued and the next pass says its reason.
    const fn is_restless(&self) -> bool {
        self.place.is_some() && self.restless
    }

    pub(super) fn of(job: &Job) -> Self {
        let mut partitions = [u32::MAX; 4];
        for (place, part) in partitions.iter_mut().zip(&job.partitions) {
            *place = part.0;
        }
        let place = job.queued().then_some(Place {
            priority: job.priority,
            partitions,
            count: job.partitions.len(),
            factors: (job.partitions.len() > 1).then_some((job.factors, job.nice)),
            needs: std::sync::Arc::as_ptr(&job.needs) as usize,
            limit: job.time_limit,
            reserved: !job.reservations.is_empty(),
            qos: job.qos,
        });
        Self {
            place,
            end: job.holds_nodes().then(|| job.planned_end()),
            restless: super::sched::restless(job.reason),
        }
    }
}
