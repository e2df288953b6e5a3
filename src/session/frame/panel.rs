//! The open panel's picture: one room for each.

use super::{People, account, admin, charts, gantt, graph, preempt, priority, shares};
use crate::protocol::{Ask, Picture};
use crate::world::World;

/// Makers of pictures that are not made with each frame.
#[derive(Default)]
pub struct Keepers {
    gantt: gantt::Keeper,
    shares: shares::Keeper,
}

impl Keepers {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.gantt.tick(millis);
        self.shares.tick(millis);
    }
}

/// What a panel asks for, as it is now; none: as it was a moment ago. A function of its own, for it comes with the worker's
/// later half.
#[inline(never)]
pub fn picture(world: &World, ask: &Ask, people: &People, keepers: &mut Keepers) -> Option<Picture> {
    Some(match ask {
        Ask::Priority => Picture::Priority(priority::picture(world, people)),
        Ask::Graph(open) => Picture::Graph(graph::picture(world, *open, people)),
        Ask::Charts(seconds) => Picture::Charts(charts::picture(world, *seconds, people)),
        Ask::Preempt => Picture::Preempt(preempt::picture(world, people)),
        Ask::Account(filter) => Picture::Account(account::picture(world, filter, people)),
        Ask::Admin(subject) => Picture::Admin(admin::picture(world, *subject)),
        Ask::Shares(wish) => Picture::Shares(keepers.shares.picture(world, *wish, people)?),
        Ask::Gantt(window) => Picture::Gantt(keepers.gantt.picture(world, window, people)?),
    })
}
