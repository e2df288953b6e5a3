//! Skipping ahead: as fast as possible, until something happens or 30 virtual days have gone by.

use crate::base::ids::{JobId, Uid};
use crate::base::pack;
use crate::base::state::JobState;
use crate::base::time::{Span, Time};
use crate::protocol::{Idle, Skip};
use crate::slurmctld::Slurmctld;
use crate::world::World;
use std::collections::BTreeSet;

/// How far a skip goes at most.
const BOUND: Span = Span::from_secs(30 * 86_400);

/// A skip under way.
#[derive(Clone, Debug)]
pub struct Skipping {
    goal: Goal,
    /// It ends here at the latest.
    pub until: Time,
    /// `until` is what was asked for, no bound.
    asked: bool,
    /// The moment that was looked at last.
    seen: Time,
}

#[derive(Clone, Debug)]
enum Goal {
    /// The picture of jobs and nodes is no longer this one.
    Change(u64),
    /// One of the user's jobs that is not among these runs.
    Starts(Uid, BTreeSet<JobId>),
    /// One of these jobs no longer is what it was.
    Ends(BTreeSet<JobId>),
    Empty,
    Moment,
}

/// How a skip stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// On the way.
    NotYet,
    /// There.
    Goal,
    /// 30 days have gone by, or nothing will ever happen.
    Bound,
}

impl Skipping {
    /// A skip from the present on; none for `Skip::Stop` and for people who don't exist.
    #[must_use]
    pub fn new(skip: &Skip, world: &World) -> Option<Self> {
        let ctld = &world.ctld;
        let uid = |user: &str| world.kernel.users.by_name(user).map(|u| u.uid);
        let mut until = world.now + BOUND;
        let goal = match skip {
            Skip::NextEvent => Goal::Change(picture(ctld)),
            Skip::JobStarts(user) => {
                let uid = uid(user)?;
                Goal::Starts(uid, jobs_of(ctld, uid, |state| state == JobState::Running))
            }
            Skip::JobEnds(user) => Goal::Ends(jobs_of(ctld, uid(user)?, |state| !state.ended())),
            Skip::QueueEmpty => Goal::Empty,
            Skip::Until(at) => {
                until = until.min(Time(*at));
                Goal::Moment
            }
            Skip::Stop => return None,
        };
        let asked = matches!(skip, Skip::Until(at) if *at == until.0);
        Some(Self { goal, until, asked, seen: world.now })
    }

    /// Whether it is over. Looks at the state only when the clock has moved.
    pub fn reached(&mut self, world: &World) -> Reached {
        if world.now >= self.until {
            return if self.asked { Reached::Goal } else { Reached::Bound };
        }
        if world.now == self.seen {
            return Reached::NotYet;
        }
        self.seen = world.now;
        if self.goal.holds(&world.ctld) { Reached::Goal } else { Reached::NotYet }
    }

    /// Why it is over before it begins: no job that could start or end, a moment that is past.
    #[must_use]
    pub fn pointless(&self, world: &World) -> Option<Idle> {
        let (holds, why) = match &self.goal {
            Goal::Change(_) => return None,
            Goal::Starts(uid, _) => {
                (jobs_of(&world.ctld, *uid, |s| s == JobState::Pending).is_empty(), Idle::NoneWaits)
            }
            Goal::Ends(jobs) => (jobs.is_empty(), Idle::NoneRuns),
            Goal::Empty => (self.goal.holds(&world.ctld), Idle::QueueEmpty),
            Goal::Moment => (world.now >= self.until, Idle::Past),
        };
        holds.then_some(why)
    }
}

impl Goal {
    fn holds(&self, ctld: &Slurmctld) -> bool {
        match self {
            Self::Change(before) => picture(ctld) != *before,
            Self::Starts(uid, before) => {
                let mut running =
                    ctld.jobs.values().filter(|j| j.uid() == *uid && j.state == JobState::Running);
                running.any(|j| !before.contains(&j.id))
            }
            Self::Ends(before) => before.iter().any(|id| ctld.job(*id).is_none_or(|job| job.state.ended())),
            Self::Empty => ctld.jobs.values().all(|j| j.state.ended() && !j.flags.completing),
            Self::Moment => false,
        }
    }
}

fn jobs_of(ctld: &Slurmctld, uid: Uid, wanted: impl Fn(JobState) -> bool) -> BTreeSet<JobId> {
    ctld.jobs.values().filter(|j| j.uid() == uid && wanted(j.state)).map(|j| j.id).collect()
}

/// What is looked at for [`Skip::NextEvent`]: it changes when something happens to a job or a node.
fn picture(ctld: &Slurmctld) -> u64 {
    let live = ctld.jobs.values().filter(|j| !j.state.ended() || j.flags.completing);
    let jobs: Vec<_> = live.map(|j| (j.id, j.shown_state().1)).collect();
    let nodes: Vec<_> = ctld.nodes.iter().map(|n| (n.base, n.flags, n.responding, n.cpus_used)).collect();
    pack::hash(&(jobs, nodes))
}
