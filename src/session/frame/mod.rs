//! Pictures of the moment for the page: what it subscribed to, texts as Slurm's commands give them.

mod account;
mod admin;
mod charts;
mod gantt;
mod graph;
mod job;
mod line;
mod machine;
mod node;
mod panel;
mod preempt;
mod priority;
mod queue;
mod shares;
mod why;

use crate::base::ids::Uid;
use crate::base::time::Time;
use crate::protocol::{Ask, Frame, Picture, Subscription, TimeLine};
use crate::session::recorded::Session;
use crate::world::World;
pub use job::find;
pub use machine::machine;
use std::collections::BTreeMap;
pub use why::{Trying, answer as why};

/// Places of people in `Started::users`.
type People = BTreeMap<Uid, u32>;

/// Makes frames, with what is costly to find out and stays as it is for a while.
#[derive(Default)]
pub struct Maker {
    nodes: node::Known,
    queue: queue::Queue,
    keepers: panel::Keepers,
    line: line::Keeper,
    /// The last frame did not tell all that it should.
    behind: bool,
}

impl Maker {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.queue.tick(millis);
        self.keepers.tick(millis);
        self.line.tick(millis);
    }

    /// It is another moment that is pictured from now on: as many events may have been carried out until then.
    pub fn elsewhere(&mut self) {
        self.queue.elsewhere();
        self.nodes.elsewhere();
        (self.keepers, self.line) = (panel::Keepers::default(), line::Keeper::default());
    }

    /// Whether something is worked out beside the clock.
    pub const fn is_under_way(&self) -> bool {
        self.queue.is_under_way()
    }

    /// A bit of that; true when the next frame looks otherwise thereby.
    pub fn go_on(&mut self, world: &World) -> bool {
        self.queue.go_on(world)
    }

    /// Whether the last frame did not tell all that it should: the next one goes on.
    pub const fn is_behind(&self) -> bool {
        self.behind
    }

    /// What is subscribed, as it is now, after so many events. The engine fills in the clock's part.
    pub fn make(&mut self, world: &World, step: u64, subscription: &Subscription) -> Frame {
        let ctld = &world.ctld;
        let people = people(world);
        self.queue.refresh(world, step, subscription.queue.as_ref().map(|window| &window.list));
        let (pending, running) = self.queue.counts;
        let machine = self.nodes.machine(ctld).map(Box::new);
        let cluster = subscription.cluster.then(|| self.nodes.changes(ctld, step, &people));
        self.behind = cluster.is_some() && self.nodes.is_behind();
        Frame {
            now: world.now.0,
            pending,
            running,
            machine,
            cluster,
            queue: subscription.queue.as_ref().and_then(|w| self.queue.rows(world, w, &people)),
            job: subscription.job.as_ref().and_then(|id| job::detail(world, id)).map(Box::new),
            panel: subscription.panel.as_ref().and_then(|ask| self.panel(world, ask, &people)),
            node: subscription.node.and_then(|node| node::detail(world, node, &people)).map(Box::new),
            ..Frame::default()
        }
    }

    /// A person's time line, if it is to be drawn anew: it is part of the frame, but not of what is seen of one moment.
    pub fn line(&mut self, session: &Session, user: &str, goal: Option<Time>) -> Option<Box<TimeLine>> {
        let line = self.line.line(session, user, goal);
        self.behind |= line.is_none();
        line
    }

    fn panel(&mut self, world: &World, ask: &Ask, people: &People) -> Option<Box<Picture>> {
        panel::picture(world, ask, people, &mut self.keepers).map(Box::new)
    }
}

fn people(world: &World) -> People {
    let users = &world.kernel.users;
    let uids = world.site.users.iter().map(|u| users.by_name(&u.name).map(|user| user.uid));
    uids.zip(0..).filter_map(|(uid, i)| Some((uid?, i))).collect()
}
