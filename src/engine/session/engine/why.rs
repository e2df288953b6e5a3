//! Explains why the selected job is pending, and repeats that some time after the cluster has changed.
//!
//! An answer is computed on forks of the controller, one bounded step at a time. The pause between two answers
//! grows with the number of jobs. This code is in the worker's deferred module: nothing here runs before a job
//! is selected.

use crate::session::explain::Inquiry;
use crate::session::frame::{self, Trying};
use crate::session::recorded::Session;
use protocol::FromEngine;
use slurmctld::Teardown;
use slurmctld::job::{Job, JobState};

/// Real milliseconds between two answers.
const PAUSE: u32 = 400;
/// Number of jobs for which the pause grows by a millisecond.
const JOBS_PER_MILLI: u32 = 50;
/// With more jobs than this, no changes of the request are tried: each would need a pass over all jobs.
const MOST_JOBS: u64 = 20_000;

/// The question and the state of its answer.
#[derive(Default)]
pub struct Answering {
    /// The selected job's id; empty if none is selected.
    id: String,
    inquiry: Option<Inquiry>,
    /// Earlier forks, which are freed in steps.
    gone: Vec<Teardown>,
    /// Number of the session's events when the last answer was started; none without an answer.
    events: Option<u64>,
    /// This answer is the first one for the job.
    first: bool,
    /// Milliseconds until the next answer can start.
    rest: u32,
}

impl Answering {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// Whether a job is selected.
    pub const fn is_asked(&self) -> bool {
        !self.id.is_empty()
    }

    /// Whether steps are left.
    pub const fn is_pending(&self) -> bool {
        self.inquiry.is_some() || !self.gone.is_empty()
    }

    /// Starts an answer for the selected job if one is due.
    #[inline(never)] // Deferred (xtask).
    pub fn start(&mut self, session: &Session, job: Option<&str>) {
        self.follow(session, job);
        if let Some(job) = job.and_then(|id| pending(session, id)) {
            self.begin(session, job);
        }
    }

    /// Continues the answer for the selected job, or frees what the answer for another job left.
    #[inline(never)] // Deferred (xtask).
    pub fn step(&mut self, session: &Session, job: Option<&str>, out: &mut Vec<FromEngine>) {
        if let Some(gone) = self.gone.last_mut() {
            if !gone.drop_some() {
                self.gone.pop();
            }
        } else if self.follow(session, job) {
            self.go_on(session, out);
        }
    }

    /// Switches to the selected job if it has changed, or to none if it is not pending. True if it is the same.
    fn follow(&mut self, session: &Session, job: Option<&str>) -> bool {
        let (id, rest) = match job.filter(|id| pending(session, id).is_some()) {
            Some(id) if id == self.id => return true,
            Some(id) => (id, 0),
            None => ("", self.rest),
        };
        self.retire();
        *self = Self { id: id.to_owned(), gone: std::mem::take(&mut self.gone), rest, ..Self::default() };
        false
    }

    /// Leaves the inquiry's forks to be freed in steps.
    fn retire(&mut self) {
        self.gone.extend(self.inquiry.take().into_iter().flat_map(Inquiry::leave));
    }

    fn begin(&mut self, session: &Session, job: &Job) {
        let (events, world) = (session.seen_steps(), session.world());
        if self.events.is_some_and(|last| last == events || self.rest > 0) {
            return;
        }
        self.first = self.events.replace(events).is_none();
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
            // Send the verdict immediately; helpful changes follow.
            self.tell(session, Trying::Still, out);
        }
    }

    fn finish(&mut self, session: &Session, trying: Trying, out: &mut Vec<FromEngine>) {
        self.tell(session, trying, out);
        self.retire();
        let jobs = u32::try_from(session.world().ctld.jobs.len()).unwrap_or(u32::MAX);
        self.rest = PAUSE.saturating_add(jobs / JOBS_PER_MILLI);
    }

    fn tell(&self, session: &Session, trying: Trying, out: &mut Vec<FromEngine>) {
        let explanation = self.inquiry.as_ref().and_then(Inquiry::explanation);
        let ctld = &session.world().ctld;
        let why = explanation.and_then(|explanation| frame::why(ctld, &self.id, explanation, trying));
        out.extend(why.map(|why| FromEngine::Why(Box::new(why))));
    }
}

/// The record of a pending job.
fn pending<'a>(session: &'a Session, id: &str) -> Option<&'a Job> {
    frame::find(session.world(), id).filter(|job| job.state == JobState::Pending && !job.flags.completing)
}
