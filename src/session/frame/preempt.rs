//! Who pushed whom out, and what has become of both.

use super::{People, queue};
use crate::base::ids::JobId;
use crate::commands::slurm::jobtext;
use crate::config::preempt::{PreemptMode, PreemptType};
use crate::protocol::{PreemptJob, PreemptPicture, PreemptRow};
use crate::world::World;

/// Most rows in a frame.
const MAX_ROWS: usize = 60;

/// The last preemptions.
pub fn picture(world: &World, people: &People) -> PreemptPicture {
    let ctld = &world.ctld;
    let conf = &ctld.cluster.global.preempt;
    let kind = match conf.kind {
        PreemptType::None => "preempt/none",
        PreemptType::PartitionPrio => "preempt/partition_prio",
        PreemptType::Qos => "preempt/qos",
    };
    let gang = if conf.gang { ",GANG" } else { "" };
    let row = |p: &crate::slurmctld::Preemption| PreemptRow {
        at: p.at.0,
        victim: job(world, p.victim, people),
        by: job(world, p.by, people),
        mode: mode(p.mode).to_owned(),
        grace: p.grace,
    };
    PreemptPicture {
        rows: ctld.preemptions().rev().take(MAX_ROWS).map(row).collect(),
        rules: [kind.to_owned(), format!("{}{gang}", mode(conf.mode)), conf.exempt_time.to_string()],
        on: conf.kind != PreemptType::None,
    }
}

const fn mode(mode: PreemptMode) -> &'static str {
    match mode {
        PreemptMode::Off => "OFF",
        PreemptMode::Cancel => "CANCEL",
        PreemptMode::Requeue => "REQUEUE",
        PreemptMode::Suspend => "SUSPEND",
    }
}

fn job(world: &World, id: JobId, people: &People) -> PreemptJob {
    let Some(job) = world.ctld.job(id) else {
        return PreemptJob { id: id.to_string(), job: id.0, user_index: u32::MAX, ..PreemptJob::default() };
    };
    PreemptJob {
        id: jobtext::id_text(job),
        job: id.0,
        user: world.kernel.users.name(job.uid()),
        user_index: queue::index(people, job.uid()),
        state: job.shown_state().1.to_owned(),
        restarts: job.restarts,
        start: job.start.map(|t| t.0),
    }
}
