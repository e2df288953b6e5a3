//! Preemptions: the preempted job, the preemptor, and the current state of both.

use crate::session::frame::{People, queue};
use crate::world::World;
use base::ids::{JobId, Uid};
use base::order::StableSort as _;
use base::state::JobState;
use config::preempt::{PreemptMode, PreemptType};
use protocol::{PreemptJob, PreemptPicture, PreemptRow};

/// Most rows in a frame.
const MAX_ROWS: usize = 60;

/// The latest preemptions.
pub fn picture(world: &World, people: &People) -> PreemptPicture {
    let ctld = &world.ctld;
    let conf = &ctld.cluster.global.preempt;
    let kind = match conf.kind {
        PreemptType::None => "preempt/none",
        PreemptType::PartitionPrio => "preempt/partition_prio",
        PreemptType::Qos => "preempt/qos",
    };
    let gang = if conf.gang { ",GANG" } else { "" };
    let forgotten = forgotten(world);
    let row = |p: &slurmctld::Preemption| PreemptRow {
        at: p.at.0,
        victim: job(world, p.victim, people, &forgotten),
        by: job(world, p.by, people, &forgotten),
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

fn job(world: &World, id: JobId, people: &People, forgotten: &[(JobId, Uid, JobState)]) -> PreemptJob {
    let Some(job) = world.ctld.job(id) else {
        let known = forgotten.iter().find(|f| f.0 == id);
        let uid = known.map(|f| f.1);
        return PreemptJob {
            id: id.to_string(),
            job: id.0,
            user: uid.map(|uid| world.kernel.users.name(uid)).unwrap_or_default(),
            user_index: uid.map_or(u32::MAX, |uid| queue::index(people, uid)),
            state: known.map(|f| f.2.compact().to_owned()).unwrap_or_default(),
            ..PreemptJob::default()
        };
    };
    PreemptJob {
        id: job.id_text(),
        job: id.0,
        user: world.kernel.users.name(job.uid()),
        user_index: queue::index(people, job.uid()),
        state: job.shown_state().1.to_owned(),
        restarts: job.restarts,
        start: job.start.map(|t| t.0),
    }
}

/// Jobs that slurmctld has dropped, with their users from the database: one scan for all rows.
fn forgotten(world: &World) -> Vec<(JobId, Uid, JobState)> {
    let all = world.ctld.preemptions().rev().take(MAX_ROWS).flat_map(|p| [p.victim, p.by]);
    let mut wanted: Vec<JobId> = all.filter(|id| world.ctld.job(*id).is_none()).collect();
    wanted.order();
    wanted.dedup();
    let mut found = Vec::new();
    for record in world.ctld.dbd.jobs.values().rev() {
        if wanted.is_empty() {
            break;
        }
        if let Ok(at) = wanted.binary_search(&record.job) {
            found.push((wanted.remove(at), record.uid, record.state));
        }
    }
    found
}
