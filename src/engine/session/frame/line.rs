//! The timeline: a user's jobs from the start to the planned ones, and the cluster's load.

use super::panel;
use crate::session::recorded::Session;
use crate::world::World;
use base::order::StableSort as _;
use base::state::JobState;
use base::time::{Span, Time};
use protocol::{BranchInfo, ClusterLoad, TimeLine, TimeMark, TimeMarkKind};
use slurmctld::job::Job;
use slurmdbd::JobRecord;

/// Maximum number of searched database records, the newest.
const MAX_RECORDS: usize = 4000;
/// Maximum number of searched jobs in memory.
const MAX_JOBS: usize = 4000;
/// Maximum number of marks sent, the newest.
const MAX_MARKS: usize = 300;
/// Planned starts after this are not shown.
const AHEAD: Span = Span::from_secs(7 * 86_400);

/// The pause grows by a millisecond for this many inspected items.
const LOOKS_PER_MILLI: u64 = 50;

/// Makes the timeline, at most as often as a change is visible.
#[derive(Default)]
pub struct LineCache {
    user: String,
    goal: Option<Time>,
    /// Milliseconds until the next update.
    rest: u32,
    load: ClusterLoad,
    /// Milliseconds until the load is computed again.
    load_rest: u32,
}

/// Milliseconds between two computations of the load, and records that add another one.
const LOAD_REST: u32 = 500;
const LOAD_LOOKS: u64 = 20;
/// A new session shows at least this long, as `view::travel` does.
const SHORTEST: Span = Span::from_secs(60);

impl LineCache {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
        self.load_rest = self.load_rest.saturating_sub(millis);
    }

    /// Whether it was sent a moment ago.
    pub const fn rests(&self) -> bool {
        self.rest > 0
    }

    /// Another moment is shown. The load is that of the present, and stays.
    pub const fn elsewhere(&mut self) {
        self.rest = 0;
    }

    /// The timeline up to the present, even while the past is shown. None if it was sent a moment ago. Its load needs the
    /// deferred module.
    pub fn line(
        &mut self,
        session: &Session,
        user: &str,
        goal: Option<Time>,
        complete: bool,
    ) -> Option<Box<TimeLine>> {
        if self.rest > 0 && self.user == user && self.goal == goal {
            return None;
        }
        let world = session.present();
        let ctld = &world.ctld;
        if complete && self.load_rest == 0 {
            self.load = panel::load(world, Some(session.setup().start.min(world.now - SHORTEST)));
            let looks = u32::try_from(ctld.dbd.jobs.len() / LOAD_LOOKS).unwrap_or(u32::MAX);
            self.load_rest = LOAD_REST.saturating_add(looks);
        }
        let looks = ctld.jobs.len().min(MAX_JOBS as u64) + ctld.dbd.jobs.len().min(MAX_RECORDS as u64);
        let rest = u32::try_from(looks / LOOKS_PER_MILLI).unwrap_or(u32::MAX);
        (self.user, self.goal, self.rest) = (user.to_owned(), goal, rest);
        Some(Box::new(TimeLine { load: self.load.clone(), ..line(session, user, goal) }))
    }
}

fn line(session: &Session, user: &str, goal: Option<Time>) -> TimeLine {
    let world = session.present();
    let marks = marks(world, user);
    let furthest = marks.last().map_or(0, |m| m.at);
    let start = session.setup().start;
    TimeLine {
        start: start.0,
        reach: session.reach().unwrap_or(world.now).0,
        present: world.now.0,
        ahead: furthest.clamp(world.now.0, (world.now + AHEAD).0),
        goal: goal.map(|t| t.0),
        marks,
        branches: session.branches().into_iter().map(future).collect(),
        load: ClusterLoad::default(),
    }
}

fn future(future: crate::session::BranchSummary) -> BranchInfo {
    let crate::session::BranchSummary { id, from, until, done, current: lived } = future;
    BranchInfo { id, from: from.0, until: until.0, done, current: lived }
}

/// The newest marks, up to [`MAX_MARKS`], in order.
fn marks(world: &World, user: &str) -> Vec<TimeMark> {
    let Some(uid) = world.kernel.users.by_name(user).map(|u| u.uid) else { return Vec::new() };
    let ctld = &world.ctld;
    let mut newest = Newest::default();
    for job in ctld.jobs.values().rev().take(MAX_JOBS).filter(|j| j.uid() == uid) {
        plans(job, world.now, &mut newest);
    }
    for record in ctld.dbd.jobs.values().rev().take(MAX_RECORDS).filter(|r| r.uid == uid) {
        past(record, &mut newest);
    }
    newest.marks()
}

/// A mark whose text is not made yet: of thousands of jobs, few are shown.
struct MarkDraft<'a> {
    at: Time,
    kind: TimeMarkKind,
    whose: MarkSource<'a>,
}

#[derive(Clone, Copy)]
enum MarkSource<'a> {
    Record(&'a JobRecord),
    Job(&'a Job),
}

/// Collects the newest marks, and a few more.
struct Newest<'a> {
    drafts: Vec<MarkDraft<'a>>,
    /// There are enough marks that are at least as new as this.
    oldest: Time,
}

impl Default for Newest<'_> {
    fn default() -> Self {
        Self { drafts: Vec::new(), oldest: Time(i64::MIN) }
    }
}

impl<'a> Newest<'a> {
    fn add(&mut self, at: Option<Time>, kind: TimeMarkKind, whose: MarkSource<'a>) {
        let Some(at) = at.filter(|at| *at >= self.oldest) else { return };
        self.drafts.push(MarkDraft { at, kind, whose });
        if self.drafts.len() >= 4 * MAX_MARKS {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.drafts.order_by_key(|draft| (draft.at, draft.kind));
        self.drafts.drain(..self.drafts.len().saturating_sub(MAX_MARKS));
        if self.drafts.len() == MAX_MARKS {
            self.oldest = self.drafts.first().map_or(self.oldest, |draft| draft.at);
        }
    }

    fn marks(mut self) -> Vec<TimeMark> {
        self.cut();
        let mark = |draft: &MarkDraft| TimeMark { at: draft.at.0, kind: draft.kind, job: draft.whose.text() };
        self.drafts.iter().map(mark).collect()
    }
}

impl MarkSource<'_> {
    fn text(self) -> String {
        match self {
            Self::Job(job) => job.id_text(),
            Self::Record(record) => match record.array {
                Some((array, Some(task))) => format!("{array}_{task}"),
                Some((array, None)) => array.to_string(),
                None => record.job.to_string(),
            },
        }
    }
}

/// The marks of a database record.
fn past<'a>(record: &'a JobRecord, newest: &mut Newest<'a>) {
    let mut mark = |at, kind| newest.add(at, kind, MarkSource::Record(record));
    mark(Some(record.submit), TimeMarkKind::Submitted);
    let ran = record.start.filter(|start| record.end.is_none_or(|end| end > *start));
    mark(ran, TimeMarkKind::Started);
    mark(record.end, end_of(record.state));
}

/// How an attempt ended that is no longer in this state, or is in it for good.
const fn end_of(state: JobState) -> TimeMarkKind {
    match state {
        JobState::Complete | JobState::Pending | JobState::Running => TimeMarkKind::Ended,
        JobState::Preempted => TimeMarkKind::Preempted,
        _ => TimeMarkKind::Failed,
    }
}

/// The marks of planned events.
fn plans<'a>(job: &'a Job, now: Time, newest: &mut Newest<'a>) {
    let (at, kind) = match (job.state, &job.planned) {
        (JobState::Running, _) => (job.end.filter(|_| job.time_limit.span().is_some()), TimeMarkKind::Limit),
        (JobState::Pending, Some((at, _))) => (Some(*at), TimeMarkKind::Planned),
        _ => (None, TimeMarkKind::Planned),
    };
    newest.add(at.filter(|at| *at > now), kind, MarkSource::Job(job));
}
