//! The open panel's picture: one room for each.

use super::{People, priority, shares};
use crate::protocol::{Ask, Picture};
use crate::world::World;

/// What a panel asks for, as it is now.
pub fn picture(world: &World, ask: &Ask, people: &People) -> Picture {
    match ask {
        Ask::Priority => Picture::Priority(priority::picture(world, people)),
        Ask::Shares => Picture::Shares(shares::picture(world, people)),
    }
}
