//! The priorities of pending jobs, in the scheduler's order and with sprio's numbers.

use crate::session::frame::{People, queue};
use crate::world::World;
use base::ids::{JobId, PartId};
use base::state::JobState;
use config::Priority;
use protocol::{HeldJob, PriorityFactor, PriorityPicture, PriorityRow, Weight};
use slurmctld::job::Job;

/// Most rows in a frame.
const MAX_ROWS: usize = 150;
/// Maximum number of listed held jobs.
const MAX_HELD: usize = 12;

/// The first entries of the queue.
pub fn picture(world: &World, people: &People) -> PriorityPicture {
    let ctld = &world.ctld;
    let rows = ctld.queue_order(MAX_ROWS);
    let (main_depth, backfill_depth) = ctld.depths();
    let is_held = |j: &&Job| j.state == JobState::Pending && j.priority == 0;
    let held = || ctld.jobs.values().filter(is_held);
    let held_job = |j: &Job| HeldJob { id: j.id_text(), by_admin: j.held_by_admin };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    PriorityPicture {
        weights: weights(&ctld.cluster.global.priority),
        main_depth: count(main_depth),
        backfill_depth: count(backfill_depth),
        held: held().take(MAX_HELD).map(held_job).collect(),
        held_total: count(held().count()),
        rows: rows.into_iter().filter_map(|(job, part)| row(world, job, part, people)).collect(),
        total: ctld.queue_entries(),
        multifactor: ctld.cluster.global.priority.multifactor,
    }
}

fn weights(conf: &Priority) -> Vec<Weight> {
    let tres: Vec<String> =
        conf.weight_tres.iter().map(|(name, weight)| format!("{name}={weight}")).collect();
    let weight = |key: &str, value: String| Weight { key: format!("PriorityWeight{key}"), value };
    vec![
        weight("Age", conf.weight_age.to_string()),
        weight("Assoc", conf.weight_assoc.to_string()),
        weight("Fairshare", conf.weight_fairshare.to_string()),
        weight("JobSize", conf.weight_job_size.to_string()),
        weight("Partition", conf.weight_partition.to_string()),
        weight("QOS", conf.weight_qos.to_string()),
        weight("TRES", tres.join(",")),
    ]
}

fn row(world: &World, id: JobId, part: PartId, people: &People) -> Option<PriorityRow> {
    let ctld = &world.ctld;
    let job = ctld.job(id)?;
    let (partition, tres, sum) = ctld.priority_parts(job, part);
    let fixed = job.fixed_priority;
    let factors = &job.factors;
    let (plain, of_part) = ctld.priority_factors(job, part, world.now);
    let tres = tres.iter().map(|t| (PriorityFactor::Tres(t.name.to_owned()), t.weight * t.factor));
    let parts = [
        (PriorityFactor::Site, factors.site as f64),
        (PriorityFactor::Age, factors.age),
        (PriorityFactor::Association, factors.assoc),
        (PriorityFactor::FairShare, factors.fairshare),
        (PriorityFactor::JobSize, factors.job_size),
        (PriorityFactor::Partition, partition),
        (PriorityFactor::Qos, factors.qos),
        (PriorityFactor::Nice, -(factors.nice as f64)),
    ];
    Some(PriorityRow {
        id: job.id_text(),
        job: id.0,
        user: world.kernel.users.name(job.uid()),
        user_index: queue::index(people, job.uid()),
        tier: ctld.partitions.get(part.0 as usize).map_or(0, |p| p.priority_tier),
        partition: ctld.partitions.get(part.0 as usize).map(|p| p.name.clone()).unwrap_or_default(),
        // Saturating cast: the sum is neither negative nor above 32 bits.
        priority: fixed.unwrap_or(sum as u32),
        fixed: fixed.is_some(),
        parts: match fixed {
            Some(_) => Vec::new(),
            None => parts.into_iter().chain(tres).filter(|(_, adds)| *adds != 0.0).collect(),
        },
        factors: [plain.age, plain.assoc, plain.fairshare, plain.job_size, of_part, plain.qos],
    })
}
