//! Mail about jobs (`--mail-type`, `--mail-user` of sbatch(1)), with Slurm's subjects.
//!
//! Deliberate difference: mail to an address outside the cluster goes to the owner's mailbox.

use crate::Slurmctld;
use crate::rpc::request::Order;
use crate::state::edit;
use crate::state::job::{Job, JobState};
use base::ids::{JobId, Uid};
use base::time::{Span, Time, hms};

/// What happened to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailEvent {
    Began,
    Ended,
    Requeued,
    NeverSatisfied,
    /// This percentage of its time limit has passed.
    Reached(u8),
}

/// The percentages of the time limit that mail can report.
const PARTS: [u8; 4] = [50, 80, 90, 100];

/// The words of `--mail-type` that request an event.
const fn words(event: MailEvent, failed: bool) -> &'static [&'static str] {
    match event {
        MailEvent::Began => &["BEGIN"],
        MailEvent::Ended if failed => &["FAIL", "END"],
        MailEvent::Ended => &["END"],
        MailEvent::Requeued => &["REQUEUE"],
        MailEvent::NeverSatisfied => &["INVALID_DEPEND"],
        MailEvent::Reached(100) => &["TIME_LIMIT"],
        MailEvent::Reached(90) => &["TIME_LIMIT_90"],
        MailEvent::Reached(80) => &["TIME_LIMIT_80"],
        MailEvent::Reached(_) => &["TIME_LIMIT_50"],
    }
}

fn asks(job: &Job, list: &[&str]) -> bool {
    let wanted = job.desc.mail_type.as_deref().unwrap_or_default();
    wanted.split(',').any(|w| list.iter().any(|l| l.eq_ignore_ascii_case(w.trim())))
}

/// The text of the subject after the job's name.
fn subject_end(job: &Job, event: MailEvent, now: Time) -> String {
    match event {
        MailEvent::Began => {
            let queued = now.secs() - job.eligible.unwrap_or(job.submit).secs();
            format!("Began, Queued time {}", hms(queued.max(0)))
        }
        MailEvent::Ended => {
            let word = if failed(job.state) { "Failed" } else { "Ended" };
            let (state, ran) = (job.state.long(), hms(job.run_seconds(now)));
            format!("{word}, Run time {ran}, {state}, ExitCode {}", job.exit.code)
        }
        MailEvent::Requeued => {
            let ran = hms(now.secs() - job.start.unwrap_or(now).secs());
            format!("Requeued, Run time {ran}")
        }
        MailEvent::NeverSatisfied => "Invalid dependency".to_owned(),
        MailEvent::Reached(100) => format!("Reached time limit, Run time {}", hms(job.run_seconds(now))),
        MailEvent::Reached(part) => {
            format!("Reached {part}% of time limit, Run time {}", hms(job.run_seconds(now)))
        }
    }
}

const fn failed(state: JobState) -> bool {
    matches!(
        state,
        JobState::Failed
            | JobState::Timeout
            | JobState::NodeFail
            | JobState::BootFail
            | JobState::Deadline
            | JobState::OutOfMemory
    )
}

impl Job {
    /// The next percentage of its time limit that mail reports, and when it is reached.
    pub(crate) fn next_part(&self) -> Option<(u8, Time)> {
        self.desc.mail_type.as_deref().filter(|types| types.contains("TIME_LIMIT"))?;
        let (end, limit) = (self.end?, self.time_limit.span()?);
        let asked =
            |part: &u8| *part > self.flags.mailed && asks(self, words(MailEvent::Reached(*part), false));
        let part = PARTS.into_iter().find(asked)?;
        Some((part, end - Span(limit.0 / 100 * i64::from(100 - part))))
    }
}

impl Slurmctld {
    /// Reports the percentages of its time limit that a running job has reached.
    pub(crate) fn mail_parts(&mut self, id: JobId, now: Time) {
        while let Some((part, _)) = self.jobs.get(id).and_then(Job::next_part).filter(|p| p.1 <= now) {
            self.edit_job(id, edit::life::mail(part));
            self.mail(id, MailEvent::Reached(part), now);
        }
    }

    /// Reports an event to the user named by the job. An array reports once, when its first task begins and its last
    /// one has ended, unless it asks for `ARRAY_TASKS`.
    pub(crate) fn mail(&mut self, id: JobId, event: MailEvent, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        if job.desc.mail_type.is_none() || !asks(job, words(event, failed(job.state))) {
            return;
        }
        let each = asks(job, &["ARRAY_TASKS"]);
        let text = subject_end(job, event, now);
        let subject = match job.array.as_ref() {
            None => format!("Slurm Job_id={id} Name={} {text}", job.name),
            Some(array) if each => {
                let task = array.task.unwrap_or(0);
                format!("Slurm Array Task Job_id={}_{task} ({id}) Name={} {text}", array.job, job.name)
            }
            Some(array) => {
                let Some(text) = self.of_array(array.job, event, &text) else { return };
                format!("Slurm Array Summary Job_id={}_* ({}) Name={} {text}", array.job, array.job, job.name)
            }
        };
        let to = self.addressee(job);
        self.orders.push(Order::Mail { to, subject });
    }

    /// The subject for an array as a whole. None except at its first and last event.
    fn of_array(&self, array: JobId, event: MailEvent, text: &str) -> Option<String> {
        let records = || self.array_records(array).filter_map(|id| self.jobs.get(id));
        match event {
            MailEvent::Began => {
                (records().filter(|j| j.start.is_some()).count() == 1).then(|| "Began".to_owned())
            }
            MailEvent::Ended => {
                if records().any(|j| !j.state.ended()) {
                    return None;
                }
                let codes = || records().map(|j| j.exit.code);
                let (low, high) = (codes().min().unwrap_or(0), codes().max().unwrap_or(0));
                let first = records().next().map(|j| j.state)?;
                let state = if records().all(|j| j.state == first) { first.long() } else { "Mixed" };
                let word = if records().any(|j| failed(j.state)) { "Failed" } else { "Ended" };
                Some(format!("{word}, {state}, ExitCode [{low}-{high}]"))
            }
            MailEvent::Requeued | MailEvent::NeverSatisfied | MailEvent::Reached(_) => Some(text.to_owned()),
        }
    }

    /// The recipient: `--mail-user` if it is a user of the cluster, otherwise the owner.
    fn addressee(&self, job: &Job) -> Uid {
        let named = job.desc.mail_user.as_deref().unwrap_or_default();
        self.people.iter().find(|p| p.1 == named).map_or(job.uid(), |p| p.0)
    }
}
