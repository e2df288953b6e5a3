//! The time line: a person's jobs on the way from the start to what is planned.

use crate::base::order::Order as _;
use crate::base::state::JobState;
use crate::base::time::{Span, Time};
use crate::commands::slurm::jobtext;
use crate::protocol::{FutureInfo, Mark, MarkKind, TimeLine};
use crate::session::recorded::Session;
use crate::slurmctld::job::Job;
use crate::slurmdbd::JobRecord;
use crate::world::World;

/// Records of the accounting database that are looked at, the newest ones.
const MAX_RECORDS: usize = 4000;
/// Jobs in memory that are looked at.
const MAX_JOBS: usize = 4000;
/// Marks that are sent, the newest ones.
const MAX_MARKS: usize = 300;
/// Plans beyond that are not drawn.
const AHEAD: Span = Span::from_secs(7 * 86_400);

/// The line up to the present, whatever is looked at.
pub fn line(session: &Session, user: &str, goal: Option<Time>) -> TimeLine {
    let world = session.present();
    let mut marks = marks(world, user);
    let furthest = marks.iter().map(|m| m.at).max().unwrap_or(0);
    marks.drain(..marks.len().saturating_sub(MAX_MARKS));
    let start = session.setup().start;
    TimeLine {
        start: start.0,
        reach: session.reach().unwrap_or(world.now).0,
        present: world.now.0,
        ahead: furthest.clamp(world.now.0, (world.now + AHEAD).0),
        goal: goal.map(|t| t.0),
        marks,
        futures: session.futures().into_iter().map(future).collect(),
    }
}

fn future(future: crate::session::Future) -> FutureInfo {
    let crate::session::Future { id, from, until, done, lived } = future;
    FutureInfo { id, from: from.0, until: until.0, done, lived }
}

fn marks(world: &World, user: &str) -> Vec<Mark> {
    let Some(uid) = world.kernel.users.by_name(user).map(|u| u.uid) else { return Vec::new() };
    let ctld = &world.ctld;
    let mut marks = Vec::new();
    for record in ctld.dbd.jobs.values().rev().take(MAX_RECORDS).filter(|r| r.uid == uid) {
        past(record, &mut marks);
    }
    for job in ctld.jobs.values().rev().take(MAX_JOBS).filter(|j| j.uid() == uid) {
        plans(job, world.now, &mut marks);
    }
    marks.order_by_key(|m| (m.at, m.kind));
    marks
}

/// What a record tells of.
fn past(record: &JobRecord, marks: &mut Vec<Mark>) {
    let job = match record.array {
        Some((array, Some(task))) => format!("{array}_{task}"),
        Some((array, None)) => array.to_string(),
        None => record.job.to_string(),
    };
    let mut mark =
        |at: Option<Time>, kind| marks.extend(at.map(|at| Mark { at: at.0, kind, job: job.clone() }));
    mark(Some(record.submit), MarkKind::Submitted);
    let ran = record.start.filter(|start| record.end.is_none_or(|end| end > *start));
    mark(ran, MarkKind::Started);
    let good = matches!(record.state, JobState::Complete | JobState::Pending | JobState::Running);
    mark(record.end, if good { MarkKind::Ended } else { MarkKind::Failed });
}

/// What is still to come.
fn plans(job: &Job, now: Time, marks: &mut Vec<Mark>) {
    let (at, kind) = match (job.state, &job.planned) {
        (JobState::Running, _) => (job.end.filter(|_| job.time_limit.span().is_some()), MarkKind::Limit),
        (JobState::Pending, Some((at, _))) => (Some(*at), MarkKind::Planned),
        _ => (None, MarkKind::Planned),
    };
    let coming = at.filter(|at| *at > now).map(|at| Mark { at: at.0, kind, job: jobtext::id_text(job) });
    marks.extend(coming);
}
