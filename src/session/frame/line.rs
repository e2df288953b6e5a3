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

/// One millisecond of rest for so many things that are looked at.
const LOOKS_PER_MILLI: u64 = 50;

/// Draws the line, not more often than somebody sees a difference.
#[derive(Default)]
pub struct Keeper {
    user: String,
    goal: Option<Time>,
    /// Milliseconds until it is drawn again.
    rest: u32,
}

impl Keeper {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// The line up to the present, whatever is looked at; none: it was drawn a moment ago.
    pub fn line(&mut self, session: &Session, user: &str, goal: Option<Time>) -> Option<Box<TimeLine>> {
        if self.rest > 0 && self.user == user && self.goal == goal {
            return None;
        }
        let ctld = &session.present().ctld;
        let looks = ctld.jobs.len().min(MAX_JOBS as u64) + ctld.dbd.jobs.len().min(MAX_RECORDS as u64);
        let rest = u32::try_from(looks / LOOKS_PER_MILLI).unwrap_or(u32::MAX);
        *self = Self { user: user.to_owned(), goal, rest };
        Some(Box::new(line(session, user, goal)))
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
        futures: session.futures().into_iter().map(future).collect(),
    }
}

fn future(future: crate::session::Future) -> FutureInfo {
    let crate::session::Future { id, from, until, done, lived } = future;
    FutureInfo { id, from: from.0, until: until.0, done, lived }
}

/// The newest marks, up to [`MAX_MARKS`], in their order.
fn marks(world: &World, user: &str) -> Vec<Mark> {
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

/// A mark whose job has no text yet: of thousands of jobs few are drawn.
struct Draft<'a> {
    at: Time,
    kind: MarkKind,
    whose: Whose<'a>,
}

#[derive(Clone, Copy)]
enum Whose<'a> {
    Record(&'a JobRecord),
    Job(&'a Job),
}

/// The newest of the marks that came so far, and some more.
struct Newest<'a> {
    drafts: Vec<Draft<'a>>,
    /// There are enough that are not older than this.
    oldest: Time,
}

impl Default for Newest<'_> {
    fn default() -> Self {
        Self { drafts: Vec::new(), oldest: Time(i64::MIN) }
    }
}

impl<'a> Newest<'a> {
    fn add(&mut self, at: Option<Time>, kind: MarkKind, whose: Whose<'a>) {
        let Some(at) = at.filter(|at| *at >= self.oldest) else { return };
        self.drafts.push(Draft { at, kind, whose });
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

    fn marks(mut self) -> Vec<Mark> {
        self.cut();
        let mark = |draft: &Draft| Mark { at: draft.at.0, kind: draft.kind, job: draft.whose.text() };
        self.drafts.iter().map(mark).collect()
    }
}

impl Whose<'_> {
    fn text(self) -> String {
        match self {
            Self::Job(job) => jobtext::id_text(job),
            Self::Record(record) => match record.array {
                Some((array, Some(task))) => format!("{array}_{task}"),
                Some((array, None)) => array.to_string(),
                None => record.job.to_string(),
            },
        }
    }
}

/// What a record tells of.
fn past<'a>(record: &'a JobRecord, newest: &mut Newest<'a>) {
    let mut mark = |at, kind| newest.add(at, kind, Whose::Record(record));
    mark(Some(record.submit), MarkKind::Submitted);
    let ran = record.start.filter(|start| record.end.is_none_or(|end| end > *start));
    mark(ran, MarkKind::Started);
    let good = matches!(record.state, JobState::Complete | JobState::Pending | JobState::Running);
    mark(record.end, if good { MarkKind::Ended } else { MarkKind::Failed });
}

/// What is still to come.
fn plans<'a>(job: &'a Job, now: Time, newest: &mut Newest<'a>) {
    let (at, kind) = match (job.state, &job.planned) {
        (JobState::Running, _) => (job.end.filter(|_| job.time_limit.span().is_some()), MarkKind::Limit),
        (JobState::Pending, Some((at, _))) => (Some(*at), MarkKind::Planned),
        _ => (None, MarkKind::Planned),
    };
    newest.add(at.filter(|at| *at > now), kind, Whose::Job(job));
}
