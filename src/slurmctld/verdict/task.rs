//! Computes a verdict in steps: a fork, and the passes on it in slices, so that messages are read in between.

use super::{ahead, eligibility, names, stop};
use crate::sched::backfill::BackfillPass;
use crate::sched::decision::{Applied, Pass, Step};
use crate::sched::main::{BlockingJob, Look, MainPass};
use crate::sched::queue::QueueEntry;
use crate::select::RequestClasses;
use crate::state::job::JobState;
use crate::{Slurmctld, Teardown};
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::time::Time;
use base::verdict::{BackfillVerdict, Eligibility, PartitionVerdict, Verdict};

/// A verdict in progress. See the module.
pub struct VerdictTask {
    fork: Slurmctld,
    job: JobId,
    now: Time,
    stage: VerdictStage,
    /// The result so far.
    pub verdict: Option<Verdict>,
}

/// The next stage.
enum VerdictStage {
    /// Build the caches of the fork.
    Caches,
    /// Check the job's eligibility.
    Eligibility,
    /// Run the main pass, with the job's entries and the verdicts when it reached them.
    Main(Box<MainPass>, Vec<QueueEntry>, MainVerdicts),
    /// Copy the state before the backfill pass.
    Before,
    /// Build the caches of the copy.
    CachesBefore(Box<Before>),
    /// Compute the availability that the pass will need, from this node on.
    Availability(u32, Box<Before>),
    /// Run the backfill pass.
    Backfill(Box<BackfillPass>, Box<Before>),
    /// Evaluate the backfill pass.
    Evaluate(Box<Before>),
    /// Drop the copy.
    Finished(Box<Teardown>),
}

impl VerdictStage {
    fn finished() -> Self {
        Self::Finished(Box::default())
    }
}

/// Batch size when computing the availability, in nodes.
const BATCH: u32 = 256;

/// The main pass's verdicts on the job in its partitions.
type MainVerdicts = Vec<(PartId, PartitionVerdict)>;

/// The state before the backfill pass.
struct Before {
    ctld: Slurmctld,
    /// Jobs that are tried earlier.
    front: Vec<JobId>,
}

/// A main pass under observation.
struct Watched<'a, 'l> {
    pass: &'a mut MainPass,
    look: &'a mut Look<'l>,
}

impl Pass for Watched<'_, '_> {
    fn now(&self) -> Time {
        self.pass.now()
    }

    fn decide(&mut self, ctld: &Slurmctld, classes: &mut RequestClasses) -> Step {
        self.pass.decide_watched(ctld, classes, self.look)
    }

    fn note(&mut self, ctld: &Slurmctld, applied: Applied) {
        self.pass.note(ctld, applied);
    }
}

impl VerdictTask {
    /// Runs a step of about a millisecond. Returns false when the verdict is complete.
    pub fn step(&mut self) -> bool {
        let stage = std::mem::replace(&mut self.stage, VerdictStage::finished());
        self.stage = match stage {
            VerdictStage::Caches if self.fork.build_some_caches() => VerdictStage::Caches,
            VerdictStage::Caches => VerdictStage::Eligibility,
            VerdictStage::Eligibility => self.examine(),
            VerdictStage::Main(mut pass, entries, mut seen) => {
                if self.main_part(&mut pass, &mut seen) {
                    VerdictStage::Main(pass, entries, seen)
                } else {
                    let blocking = self.fork.end_main(pass);
                    self.main_verdict(&entries, &seen, &blocking)
                }
            }
            VerdictStage::Before => {
                self.fork.forget_plans();
                let front = self.fork.in_front_of(self.job);
                VerdictStage::CachesBefore(Box::new(Before { ctld: self.fork.fork(), front }))
            }
            VerdictStage::CachesBefore(mut before) => {
                if before.ctld.build_some_caches() {
                    self.stage = VerdictStage::CachesBefore(before);
                    return true;
                }
                before.ctld.build_caches_at(self.now);
                VerdictStage::Availability(0, before)
            }
            VerdictStage::Availability(from, before) => {
                match self.fork.caches.availability.compute_later(&self.fork, from, BATCH) {
                    Some(next) => VerdictStage::Availability(next, before),
                    None => match self.fork.begin_backfill(self.now) {
                        Some(pass) => VerdictStage::Backfill(pass, before),
                        None => VerdictStage::Evaluate(before),
                    },
                }
            }
            VerdictStage::Backfill(mut pass, before) => {
                let tries = self.fork.tries();
                if self.fork.advance(&mut *pass, tries) {
                    VerdictStage::Backfill(pass, before)
                } else {
                    self.fork.end_backfill(pass);
                    VerdictStage::Evaluate(before)
                }
            }
            VerdictStage::Evaluate(before) => {
                self.backfill_verdict(&before);
                VerdictStage::Finished(Box::new(Teardown::of(before.ctld)))
            }
            VerdictStage::Finished(left) => VerdictStage::Finished(left),
        };
        !matches!(self.stage, VerdictStage::Finished(_))
    }

    /// What remains of its forks, to be dropped in steps.
    pub fn leave(self) -> [Teardown; 2] {
        let before = match self.stage {
            VerdictStage::CachesBefore(before)
            | VerdictStage::Availability(_, before)
            | VerdictStage::Backfill(_, before)
            | VerdictStage::Evaluate(before) => Teardown::of(before.ctld),
            VerdictStage::Finished(left) => *left,
            VerdictStage::Caches
            | VerdictStage::Eligibility
            | VerdictStage::Main(..)
            | VerdictStage::Before => Teardown::default(),
        };
        [Teardown::of(self.fork), before]
    }

    fn examine(&mut self) -> VerdictStage {
        let (fork, now) = (&mut self.fork, self.now);
        fork.build_caches_at(now);
        let Some(job) = fork.jobs.get(self.job) else { return VerdictStage::finished() };
        let (shown, waits) = (job.reason.text(), job.state == JobState::Pending);
        // Jobs held because no nodes could run them are tried again, to explain why.
        fork.reconsider(self.job, now);
        if waits {
            fork.refresh_waiting(now);
        }
        let Some(job) = fork.jobs.get(self.job) else { return VerdictStage::finished() };
        let eligibility = eligibility(fork, job, now);
        let queued = matches!(eligibility, Eligibility::Queued { .. });
        self.verdict = Some(Verdict {
            job: self.job,
            at: now,
            shown: shown.to_owned(),
            user: fork.user_name(job.uid()),
            needs: names::request(fork, job),
            eligibility,
            partitions: Vec::new(),
            backfill: BackfillVerdict::None,
        });
        if !queued {
            return VerdictStage::finished();
        }
        let entries = fork.caches.queue.entries_of(self.job);
        match fork.begin_main(usize::MAX, now) {
            Some(pass) => VerdictStage::Main(pass, entries, Vec::new()),
            None => self.main_verdict(&entries, &Vec::new(), &[]),
        }
    }

    /// Runs a slice of the main pass and observes it when it reaches the job.
    fn main_part(&mut self, pass: &mut MainPass, seen: &mut MainVerdicts) -> bool {
        let (id, now) = (self.job, self.now);
        let mut look = |ctld: &Slurmctld,
                        classes: &mut RequestClasses,
                        entry: QueueEntry,
                        blocked: &BitSet,
                        blocking: &[BlockingJob]| {
            if entry.job() == id && seen.iter().all(|s| s.0 != entry.part) {
                seen.push((entry.part, stop::tried(ctld, classes, entry, blocked, blocking, now)));
            }
        };
        let tries = self.fork.tries();
        self.fork.advance(&mut Watched { pass, look: &mut look }, tries)
    }

    /// The main pass's verdict on the job in each of its partitions.
    fn main_verdict(
        &mut self,
        entries: &[QueueEntry],
        seen: &MainVerdicts,
        stopped: &[BlockingJob],
    ) -> VerdictStage {
        let tried = |entry: &QueueEntry| match seen.iter().find(|s| s.0 == entry.part) {
            Some((_, tried)) => Some(tried.clone()),
            None => stop::not_tried(&self.fork, *entry, stopped, self.now),
        };
        let Some(verdict) = &mut self.verdict else { return VerdictStage::finished() };
        verdict.partitions = entries.iter().filter_map(tried).collect();
        let backfill = self.fork.cluster.global.scheduler_backfill;
        if backfill && verdict.starts().is_none() { VerdictStage::Before } else { VerdictStage::finished() }
    }

    fn backfill_verdict(&mut self, before: &Before) {
        if let Some(verdict) = &mut self.verdict {
            verdict.backfill = ahead::outcome(&self.fork, &before.ctld, self.job, &before.front, self.now);
        }
    }
}

impl Slurmctld {
    /// Starts to compute why a job is pending. None if there is no such job.
    #[must_use]
    pub fn ask_why(&self, job: JobId, now: Time) -> Option<VerdictTask> {
        self.jobs.get(job)?;
        Some(VerdictTask { fork: self.fork(), job, now, stage: VerdictStage::Caches, verdict: None })
    }
}
