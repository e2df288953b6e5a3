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

pub use line::line;

use crate::base::ids::Uid;
use crate::base::state::JobState;
use crate::protocol::{Ask, Frame, Picture, Subscription};
use crate::slurmctld::Slurmctld;
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
    order: queue::Order,
    keepers: panel::Keepers,
    counts: Counts,
}

/// How many jobs wait and run.
#[derive(Clone, Copy, Default)]
struct Counts {
    pending: u32,
    running: u32,
    /// Milliseconds until they are counted again.
    rest: u32,
}

impl Maker {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.order.tick(millis);
        self.keepers.tick(millis);
        self.counts.rest = self.counts.rest.saturating_sub(millis);
    }

    /// It is another moment that is pictured from now on: as many events may have been carried out until then.
    pub fn elsewhere(&mut self) {
        (self.order, self.counts) = (queue::Order::default(), Counts::default());
        self.keepers = panel::Keepers::default();
    }

    /// What is subscribed, as it is now, after so many events. The engine fills in the clock's part.
    pub fn make(&mut self, world: &World, step: u64, subscription: &Subscription) -> Frame {
        let ctld = &world.ctld;
        let people = people(world);
        self.count(ctld);
        Frame {
            now: world.now.0,
            pending: self.counts.pending,
            running: self.counts.running,
            machine: self.nodes.machine(ctld).map(Box::new),
            cluster: subscription.cluster.then(|| self.nodes.changes(ctld, &people)),
            queue: subscription.queue.as_ref().map(|window| self.order.rows(world, step, window, &people)),
            job: subscription.job.as_ref().and_then(|id| job::detail(world, id)).map(Box::new),
            panel: subscription.panel.as_ref().and_then(|ask| self.panel(world, ask, &people)),
            node: subscription.node.and_then(|node| node::detail(world, node, &people)).map(Box::new),
            ..Frame::default()
        }
    }

    fn panel(&mut self, world: &World, ask: &Ask, people: &People) -> Option<Box<Picture>> {
        panel::picture(world, ask, people, &mut self.keepers).map(Box::new)
    }

    fn count(&mut self, ctld: &Slurmctld) {
        if self.counts.rest > 0 {
            return;
        }
        let (mut pending, mut looked) = (0u32, 0u32);
        for job in ctld.pending_jobs() {
            looked += 1;
            pending = pending.saturating_add(queue::tasks(job));
        }
        let running = ctld.active_jobs().filter(|j| j.state == JobState::Running).count();
        let running = u32::try_from(running).unwrap_or(u32::MAX);
        self.counts = Counts { pending, running, rest: looked / queue::ROWS_PER_MILLI };
    }
}

fn people(world: &World) -> People {
    let users = &world.kernel.users;
    let uids = world.site.users.iter().map(|u| users.by_name(&u.name).map(|user| user.uid));
    uids.zip(0..).filter_map(|(uid, i)| Some((uid?, i))).collect()
}
