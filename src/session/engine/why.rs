//! Why the selected job waits: worked out beside the frames, a fork in each slice, and anew a moment after the cluster has
//! changed.

use crate::base::ids::Uid;
use crate::commands::slurm::jobtext::View;
use crate::protocol::FromEngine;
use crate::session::explain::Inquiry;
use crate::session::frame::{self, Trying};
use crate::session::recorded::Session;
use crate::slurmctld::Remains;
use crate::slurmctld::job::{Job, JobState};

/// Real milliseconds between two answers, and one more for so many jobs: what is costly is asked less often.
const PAUSE: u32 = 400;
const PER_MILLI: u32 = 50;
/// With more jobs in memory no changes are tried: each would need a pass over all of them.
const MOST_JOBS: u64 = 20_000;

/// The question, and what became of it.
#[derive(Default)]
pub struct Asked {
    id: String,
    inquiry: Option<Inquiry>,
    /// What is left of the forks of earlier ones.
    gone: Vec<Remains>,
    /// Events of the session when the last answer was begun; none: there is no answer yet.
    step: Option<u64>,
    /// There was no answer before this one.
    first: bool,
    /// Milliseconds until it may be asked again.
    rest: u32,
}

impl Asked {
    /// Real time went by.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Whether there is a question, answered or not.
    pub const fn is_asked(&self) -> bool {
        !self.id.is_empty()
    }

    /// Whether an answer is being worked out.
    pub const fn is_under_way(&self) -> bool {
        self.inquiry.is_some() || !self.gone.is_empty()
    }

    /// A bit of work for the job that the page looks at; true when more is due now.
    pub fn slice(&mut self, session: &Session, job: Option<&str>, out: &mut Vec<FromEngine>) -> bool {
        if let Some(gone) = self.gone.last_mut() {
            if !gone.shed() {
                self.gone.pop();
            }
            return true;
        }
        let waiting = job.and_then(|id| Some((id, waits(session, id)?)));
        let Some((id, job)) = waiting else {
            self.forget("", self.rest);
            return self.is_under_way();
        };
        if self.id != id {
            self.forget(id, 0);
        }
        if self.inquiry.is_none() {
            self.begin(session, job);
        } else {
            self.go_on(session, out);
        }
        self.is_under_way()
    }

    /// The question is another, or there is none.
    fn forget(&mut self, id: &str, rest: u32) {
        self.retire();
        *self = Self { id: id.to_owned(), gone: std::mem::take(&mut self.gone), rest, ..Self::default() };
    }

    fn retire(&mut self) {
        self.gone.extend(self.inquiry.take().into_iter().flat_map(Inquiry::leave));
    }

    fn begin(&mut self, session: &Session, job: &Job) {
        let (step, world) = (session.seen_steps(), session.world());
        if self.step.is_some_and(|last| last == step || self.rest > 0) {
            return;
        }
        self.first = self.step.replace(step).is_none();
        self.inquiry = Inquiry::new(&world.ctld, job.id, world.now);
    }

    fn go_on(&mut self, session: &Session, out: &mut Vec<FromEngine>) {
        let Some(inquiry) = &mut self.inquiry else { return };
        let asked = inquiry.is_asking();
        let more = inquiry.step();
        let known = asked && !inquiry.is_asking();
        if known && session.world().ctld.jobs.len() > MOST_JOBS {
            self.finish(session, Trying::TooMany(MOST_JOBS), out);
        } else if !more {
            self.finish(session, Trying::Over, out);
        } else if known && self.first {
            // The verdict at once; what would change it follows.
            self.tell(session, Trying::Still, out);
        }
    }

    fn finish(&mut self, session: &Session, trying: Trying, out: &mut Vec<FromEngine>) {
        self.tell(session, trying, out);
        self.retire();
        let ctld = &session.world().ctld;
        let jobs = u32::try_from(ctld.jobs.len()).unwrap_or(u32::MAX);
        self.rest = PAUSE.saturating_add(jobs / PER_MILLI);
    }

    fn tell(&self, session: &Session, trying: Trying, out: &mut Vec<FromEngine>) {
        let world = session.world();
        let view = View {
            state: &world.ctld,
            users: &world.kernel.users,
            now: world.now,
            asker: Uid(0),
            times: None,
        };
        let told = self.inquiry.as_ref().and_then(Inquiry::explanation);
        let why = told.and_then(|told| frame::why(&view, &self.id, &told, trying));
        out.extend(why.map(|why| FromEngine::Why(Box::new(why))));
    }
}

/// The record behind an id, if it waits.
fn waits<'a>(session: &'a Session, id: &str) -> Option<&'a Job> {
    frame::find(session.world(), id).filter(|job| job.state == JobState::Pending && !job.flags.completing)
}
