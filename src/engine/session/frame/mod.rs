//! Frames for the page: the state of everything that it subscribed to, in the texts of Slurm's commands.

mod job;
mod line;
mod machine;
mod node;
mod panel;
mod queue;
mod why;

use crate::session::recorded::Session;
use crate::world::World;
use base::ids::Uid;
use base::time::Time;
pub use job::{find, search};
pub use machine::machine;
use protocol::{Frame, PanelAnswer, PanelRequest, Subscription, TimeLine};
use std::collections::BTreeMap;
pub use why::{Trying, answer as why};

/// Index of each user in `Started::users`.
type People = BTreeMap<Uid, u32>;

/// Makes frames, and caches what is expensive to compute.
#[derive(Default)]
pub struct FrameMaker {
    nodes: node::KnownNodes,
    queue: queue::SortedQueue,
    /// The current user's own jobs.
    own: queue::SortedQueue,
    keepers: panel::PanelCaches,
    line: line::LineCache,
    load: panel::LoadCache,
    /// Whether the deferred module is loaded, which computes the load. A call would load it and block.
    complete: bool,
    /// The last frame did not contain all changes.
    behind: bool,
    /// The last frame left something out that had been sent a moment before.
    rests: bool,
}

impl FrameMaker {
    /// Lets real time pass. True if another frame is due, with what the last one left out because it had been sent a moment
    /// before.
    pub const fn tick(&mut self, millis: u32) -> bool {
        self.queue.tick(millis);
        self.own.tick(millis);
        self.keepers.tick(millis);
        self.line.tick(millis);
        self.load.tick(millis);
        let due = self.rests && !self.line.rests() && !self.load.rests();
        self.rests &= !due;
        due
    }

    /// Says whether the deferred module is loaded. Until then, frames leave out what only it can compute. True if that is
    /// news, so that another frame is due.
    pub const fn set_complete(&mut self, complete: bool) -> bool {
        let news = complete && !self.complete;
        self.complete = complete;
        news
    }

    /// Frames now show another moment. Its number of events may be the same, so all caches are dropped.
    pub fn elsewhere(&mut self) {
        self.queue.elsewhere();
        self.own.elsewhere();
        self.nodes.elsewhere();
        self.keepers = panel::PanelCaches::default();
        self.line.elsewhere();
        self.load = panel::LoadCache::default();
    }

    /// Whether the queue is being sorted.
    pub const fn is_sorting(&self) -> bool {
        self.queue.is_sorting() || self.own.is_sorting()
    }

    /// Sorts some more of the queue. True if that changes the next frame.
    pub fn sort_step(&mut self, world: &World) -> bool {
        if self.queue.is_sorting() { self.queue.sort_step(world) } else { self.own.sort_step(world) }
    }

    /// Whether the last frame did not contain all changes, so that another must follow.
    pub const fn is_behind(&self) -> bool {
        self.behind
    }

    /// The current state of everything subscribed, after this many events. The engine adds the clock.
    pub fn make(&mut self, world: &World, step: u64, subscription: &Subscription) -> Frame {
        let ctld = &world.ctld;
        let people = people(world);
        self.queue.refresh(world, step, subscription.queue.as_ref().map(|window| &window.list));
        let own = subscription.own.as_ref().and_then(|window| {
            self.own.refresh(world, step, Some(&window.list));
            self.own.rows(world, window, &people)
        });
        let (pending, running) = self.queue.counts;
        let machine = self.nodes.machine(ctld).map(Box::new);
        let cluster = subscription.cluster.then(|| self.nodes.changes(ctld, step, &people));
        self.behind = cluster.is_some() && self.nodes.is_behind();
        let wants_load = subscription.load && self.complete;
        let load = wants_load.then(|| self.load.load(world)).flatten();
        self.rests = wants_load && self.load.is_behind(world);
        Frame {
            now: world.now.0,
            pending,
            running,
            machine,
            cluster,
            queue: subscription.queue.as_ref().and_then(|w| self.queue.rows(world, w, &people)),
            own,
            job: subscription.job.as_ref().and_then(|id| job::detail(world, id)).map(Box::new),
            unsubmitted: subscription.job.as_ref().is_some_and(|id| job::is_unsubmitted(world, id)),
            panel: subscription.panel.as_ref().and_then(|ask| self.panel(world, ask, &people)),
            node: subscription.node.and_then(|node| node::detail(world, node, &people)).map(Box::new),
            load,
            ..Frame::default()
        }
    }

    /// A user's timeline, if it needs an update. It is part of the frame, but does not belong to a single moment.
    pub fn line(&mut self, session: &Session, user: &str, goal: Option<Time>) -> Option<Box<TimeLine>> {
        let line = self.line.line(session, user, goal, self.complete);
        self.rests |= line.is_none();
        line
    }

    fn panel(&mut self, world: &World, ask: &PanelRequest, people: &People) -> Option<Box<PanelAnswer>> {
        panel::picture(world, ask, people, &mut self.keepers).map(Box::new)
    }
}

fn people(world: &World) -> People {
    let users = &world.kernel.users;
    let uids = world.site.users.iter().map(|u| users.by_name(&u.name).map(|user| user.uid));
    uids.zip(0..).filter_map(|(uid, i)| Some((uid?, i))).collect()
}
