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
use protocol::{PanelAnswer, PanelRequest};

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
        PanelRequest::Charts(seconds) => PanelAnswer::Charts(charts::picture(world, *seconds, people)),
        PanelRequest::Preempt => PanelAnswer::Preempt(preempt::picture(world, people)),
        PanelRequest::Account(filter) => PanelAnswer::Account(account::picture(world, filter, people)),
        PanelRequest::Admin(subject) => PanelAnswer::Admin(admin::picture(world, *subject)),
        PanelRequest::Shares(hypothesis) => {
            PanelAnswer::Shares(keepers.shares.picture(world, *hypothesis, people)?)
        }
        PanelRequest::Gantt(window) => PanelAnswer::Gantt(keepers.gantt.picture(world, window, people)?),
    })
}
