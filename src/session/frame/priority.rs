//! The pending jobs' priorities, in the scheduler's order and sprio's numbers.

use super::{People, queue};
use crate::base::ids::{JobId, PartId};
use crate::commands::slurm::jobtext;
use crate::protocol::{Part, PriorityPicture, PriorityRow};
use crate::world::World;

/// Most rows in a frame.
const MAX_ROWS: usize = 100;

/// The first rows of the queue.
pub fn picture(world: &World, people: &People) -> PriorityPicture {
    let ctld = &world.ctld;
    let rows = ctld.queue_order(MAX_ROWS);
    PriorityPicture {
        rows: rows.into_iter().filter_map(|(job, part)| row(world, job, part, people)).collect(),
        total: ctld.queue_rows(),
        multifactor: ctld.cluster.global.priority.multifactor,
    }
}

fn row(world: &World, id: JobId, part: PartId, people: &People) -> Option<PriorityRow> {
    let ctld = &world.ctld;
    let job = ctld.job(id)?;
    let (partition, tres, sum) = ctld.priority_parts(job, part);
    let fixed = job.fixed_priority;
    let factors = &job.factors;
    let tres = tres.iter().map(|t| (Part::Tres(t.name.to_owned()), t.weight * t.factor));
    let parts = [
        (Part::Site, factors.site as f64),
        (Part::Age, factors.age),
        (Part::Association, factors.assoc),
        (Part::FairShare, factors.fairshare),
        (Part::JobSize, factors.job_size),
        (Part::Partition, partition),
        (Part::Qos, factors.qos),
        (Part::Nice, -(factors.nice as f64)),
    ];
    Some(PriorityRow {
        id: jobtext::id_text(job),
        job: id.0,
        user: world.kernel.users.name(job.uid()),
        user_index: queue::index(people, job.uid()),
        partition: ctld.partitions.get(part.0 as usize).map(|p| p.name.clone()).unwrap_or_default(),
        // Saturating: no sum is negative or beyond 32 bits.
        priority: fixed.unwrap_or(sum as u32),
        fixed: fixed.is_some(),
        parts: match fixed {
            Some(_) => Vec::new(),
            None => parts.into_iter().chain(tres).filter(|(_, adds)| *adds != 0.0).collect(),
        },
    })
}
