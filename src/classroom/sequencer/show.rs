//! A terminal or a job that a teacher shows to all. The clock is paused meanwhile, and participants' inputs are refused, so that
//! everyone sees the same picture until the teacher ends it. Only the server's memory knows of it: after a restart, the clock is
//! paused and nothing is shown.

use super::super::record::Record;
use super::super::wire::{ClassShow, FromClassServer, ShownToAll};
use super::super::{ClassDecision, Sequencer};
use protocol::Pace;
use protocol::class::ClassAction;

/// Longest id of a job.
const MAX_JOB: usize = 32;

/// What is shown, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    pub(super) shown: ShownToAll,
    /// The pace at the end.
    pace: Pace,
}

/// What a decision does to what is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShowChange {
    /// Nothing.
    #[default]
    Keep,
    /// It begins, or shows something else.
    Begin(Box<Showing>),
    /// It ends.
    End,
}

impl Sequencer {
    /// A teacher shows something to all, or ends that. A teacher can show only what a teacher can look at.
    pub(super) fn show(&self, by: u32, what: Option<ClassShow>) -> ClassDecision {
        let refused = |why: &str| ClassDecision::refused(by, 0, why.to_owned());
        let Some(teacher) = self.seat(by).filter(|seat| seat.teacher) else {
            return refused("Only a teacher can do that.");
        };
        let now = self.clock.until();
        let Some(what) = what else {
            let Some(showing) = &self.showing else { return ClassDecision::default() };
            let records = vec![Record::Paced(showing.pace, now)];
            return ClassDecision { records, show: ShowChange::End, ..ClassDecision::default() };
        };
        let owner = match &what {
            ClassShow::Terminal(seat) => match self.seat(*seat).filter(|seat| !seat.teacher) {
                Some(seat) => seat.name.clone(),
                None => return refused("There is no such participant."),
            },
            ClassShow::Job(id) if is_job_id(id) => String::new(),
            ClassShow::Job(_) => return refused("That is no job."),
        };
        let pace = self.showing.as_ref().map_or(self.clock.pace(), |showing| showing.pace);
        let shown = ShownToAll { by: teacher.name.clone(), owner, what };
        let show = ShowChange::Begin(Box::new(Showing { shown, pace }));
        ClassDecision { records: vec![Record::Paced(Pace::Paused, now)], show, ..ClassDecision::default() }
    }

    /// Applies the change of a decision whose records were applied.
    pub fn change_show(&mut self, change: ShowChange) {
        match change {
            ShowChange::Keep => {}
            ShowChange::Begin(showing) => self.showing = Some(*showing),
            ShowChange::End => self.showing = None,
        }
    }

    /// What all see now.
    #[must_use]
    pub fn shown(&self) -> Option<&ShownToAll> {
        self.showing.as_ref().map(|showing| &showing.shown)
    }

    /// The message about it.
    #[must_use]
    pub fn shown_message(&self) -> FromClassServer {
        FromClassServer::Shown(self.shown().cloned().map(Box::new))
    }

    /// Whether a seat may do something now.
    ///
    /// # Errors
    /// A sentence for the user.
    pub(super) fn check_show(&self, seat: u32, action: &ClassAction) -> Result<(), String> {
        if self.showing.is_none() || self.leads(seat) {
            return Ok(());
        }
        match action {
            // The page does these by itself.
            ClassAction::Logout(_) | ClassAction::Resize(..) => Ok(()),
            ClassAction::Enrol(_)
            | ClassAction::Administer(_)
            | ClassAction::Login { .. }
            | ClassAction::Type(..)
            | ClassAction::Save { .. }
            | ClassAction::Announce(_)
            | ClassAction::Prepare { .. }
            | ClassAction::Help { .. } => {
                Err("Your teacher is showing something to all. Try again afterwards.".to_owned())
            }
        }
    }
}

/// Whether a text may be the id of a job, a task or a component: `42`, `42_3`, `42_[1-3]`, `42+1`.
fn is_job_id(id: &str) -> bool {
    let begins = id.starts_with(|c: char| c.is_ascii_digit());
    begins && id.len() <= MAX_JOB && id.chars().all(|c| c.is_ascii_digit() || "_+[]-,%:".contains(c))
}
