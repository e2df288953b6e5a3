//! Data of the open panel: one module for each panel.

mod account;
mod admin;
mod charts;
mod gantt;
mod graph;
mod preempt;
mod priority;
mod shares;

use super::People;
use crate::world::World;
use base::time::Time;
use protocol::{ClusterLoad, PanelAnswer, PanelRequest};

/// Caches for panels that are too expensive for every frame.
#[derive(Default)]
pub struct PanelCaches {
    gantt: gantt::GanttCache,
    shares: shares::SharesCache,
}

impl PanelCaches {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.gantt.tick(millis);
        self.shares.tick(millis);
    }
}

/// Makes the cluster's load, at most as often as a change is visible.
#[derive(Default)]
pub struct LoadCache {
    /// The moment that was sent last.
    sent: Option<Time>,
    /// Milliseconds until the next one.
    rest: u32,
}

/// The pause between two of them, which grows by a millisecond for this many records.
const LOAD_REST: u32 = 1_000;
const LOAD_LOOKS: u64 = 20;

impl LoadCache {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Whether it was sent a moment ago.
    pub const fn rests(&self) -> bool {
        self.rest > 0
    }

    /// Whether the last one is not of this moment.
    pub fn is_behind(&self, world: &World) -> bool {
        self.sent != Some(world.now)
    }

    /// The load, unless the last one is of this moment or was sent a moment ago.
    pub fn load(&mut self, world: &World) -> Option<Box<ClusterLoad>> {
        if self.rest > 0 || !self.is_behind(world) {
            return None;
        }
        let looks = u32::try_from(world.ctld.dbd.jobs.len() / LOAD_LOOKS).unwrap_or(u32::MAX);
        *self = Self { sent: Some(world.now), rest: LOAD_REST.saturating_add(looks) };
        Some(Box::new(load(world, None)))
    }
}

/// The cluster's load since a moment, or over the last day.
///
/// A function of its own, because the worker's deferred module begins here.
#[inline(never)]
pub fn load(world: &World, since: Option<Time>) -> ClusterLoad {
    charts::load(world, since)
}

/// The data of a panel. None if the last one is still valid.
///
/// A function of its own, because the worker's deferred module begins here.
#[inline(never)]
pub fn picture(
    world: &World,
    ask: &PanelRequest,
    people: &People,
    keepers: &mut PanelCaches,
) -> Option<PanelAnswer> {
    Some(match ask {
        PanelRequest::Priority => PanelAnswer::Priority(priority::picture(world, people)),
        PanelRequest::Graph(open) => PanelAnswer::Graph(graph::picture(world, *open, people)),
        PanelRequest::Charts(window) => PanelAnswer::Charts(charts::picture(world, *window, people)),
        PanelRequest::Preempt => PanelAnswer::Preempt(preempt::picture(world, people)),
        PanelRequest::Account(filter) => PanelAnswer::Account(account::picture(world, filter, people)),
        PanelRequest::Admin(subject) => PanelAnswer::Admin(admin::picture(world, *subject)),
        PanelRequest::Shares(hypothesis) => {
            PanelAnswer::Shares(keepers.shares.picture(world, *hypothesis, people)?)
        }
        PanelRequest::Gantt(window) => PanelAnswer::Gantt(keepers.gantt.picture(world, window, people)?),
    })
}
