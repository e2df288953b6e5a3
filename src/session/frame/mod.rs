//! Pictures of the moment for the page: what it subscribed to, texts as Slurm's commands give them.

mod account;
mod charts;
mod graph;
mod job;
mod node;
mod panel;
mod preempt;
mod priority;
mod queue;
mod shares;

use crate::base::ids::Uid;
use crate::base::state::JobState;
use crate::protocol::{Frame, Subscription};
use crate::world::World;
use std::collections::BTreeMap;

/// Places of people in `Started::users`.
type People = BTreeMap<Uid, u32>;

/// What is subscribed, as it is now. The engine fills in the clock's part.
#[must_use]
pub fn build(world: &World, subscription: &Subscription) -> Frame {
    let ctld = &world.ctld;
    let people = people(world);
    let count = |state| ctld.jobs.values().filter(|j| j.state == state).map(queue::tasks).sum();
    Frame {
        now: world.now.0,
        pending: count(JobState::Pending),
        running: count(JobState::Running),
        cluster: subscription.cluster.then(|| node::cells(ctld, &people)),
        queue: subscription.queue.as_ref().map(|window| queue::rows(world, window, &people)),
        job: subscription.job.as_ref().and_then(|id| job::detail(world, id)).map(Box::new),
        panel: subscription.panel.as_ref().map(|ask| Box::new(panel::picture(world, ask, &people))),
        node: subscription.node.and_then(|node| node::detail(world, node, &people)).map(Box::new),
        ..Frame::default()
    }
}

fn people(world: &World) -> People {
    let users = &world.kernel.users;
    let uids = world.site.users.iter().map(|u| users.by_name(&u.name).map(|user| user.uid));
    uids.zip(0..).filter_map(|(uid, i)| Some((uid?, i))).collect()
}
