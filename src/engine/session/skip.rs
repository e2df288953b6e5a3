//! Skipping ahead: as fast as possible until an event occurs, or for at most 30 virtual days.

use crate::world::World;
use base::ids::{JobId, Uid};
use base::pack;
use base::state::JobState;
use base::time::{Span, Time};
use protocol::{Idle, Skip};
use slurmctld::Slurmctld;
use std::collections::BTreeSet;

/// Longest skip.
const BOUND: Span = Span::from_secs(30 * 86_400);

/// A skip in progress.
#[derive(Clone, Debug)]
pub struct Skipping {
    goal: Goal,
    /// Latest end of the skip.
    pub until: Time,
    /// `until` was requested by the user and is not only the bound.
    asked: bool,
    /// The time of the last check.
    seen: Time,
}

#[derive(Clone, Debug)]
enum Goal {
    /// The fingerprint of jobs and nodes differs from this one.
    Change(u64),
    /// A run of one of the user's jobs starts that is not in this set.
    Starts(Uid, BTreeSet<JobId>),
    /// One of these jobs changes its state.
    Ends(BTreeSet<JobId>),
    Empty,
    Moment,
}

/// The progress of a skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Not there yet.
    NotYet,
    /// The goal is reached.
    Goal,
    /// 30 days have passed, or nothing is left to happen.
    Bound,
}

impl Skipping {
    /// A skip from the present; none for `Skip::Stop` and unknown users.
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

    /// Whether it has ended. Inspects the state only when the clock has moved.
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

    /// Why a skip is impossible: no job can start or end, the time is in the past, or nothing can happen by itself.
    #[must_use]
    pub fn pointless(&self, world: &World) -> Option<Idle> {
        let (holds, why) = match &self.goal {
            Goal::Change(_) => (false, Idle::AtRest),
            Goal::Starts(uid, _) => {
                (jobs_of(&world.ctld, *uid, |s| s == JobState::Pending).is_empty(), Idle::NoneWaits)
            }
            Goal::Ends(jobs) => (jobs.is_empty(), Idle::NoneRuns),
            Goal::Empty => (self.goal.holds(&world.ctld), Idle::QueueEmpty),
            Goal::Moment => (world.now >= self.until, Idle::Past),
        };
        if holds {
            return Some(why);
        }
        let waits = !matches!(self.goal, Goal::Moment);
        (waits && world.is_at_rest()).then_some(Idle::AtRest)
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

/// A fingerprint for [`Skip::NextEvent`]. It changes when something happens to a job or a node.
fn picture(ctld: &Slurmctld) -> u64 {
    let live = ctld.jobs.values().filter(|j| !j.state.ended() || j.flags.completing);
    let jobs: Vec<_> = live.map(|j| (j.id, j.shown_state().1)).collect();
    let nodes: Vec<_> = ctld.nodes.iter().map(|n| (n.base, n.flags, n.responding, n.cpus_used)).collect();
    pack::hash(&(jobs, nodes))
}
