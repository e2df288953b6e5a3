//! A verdict computed in steps: a fork, and the passes on it in parts, so that messages are read in between.

use super::{ahead, eligibility, names, stop};
use crate::sched::backfill::BackfillPass;
use crate::sched::decision::{Applied, Pass, Step};
use crate::sched::main::{BlockingJob, Look, MainPass};
use crate::sched::queue::QueueEntry;
use crate::select::RequestClasses;
use crate::state::job::JobState;
use crate::{Remains, Slurmctld};
use base::bitset::BitSet;
use base::ids::{JobId, PartId};
use base::time::Time;
use base::verdict::{BackfillVerdict, Eligibility, PartitionVerdict, Verdict};

/// See the module.
pub struct VerdictTask {
    fork: Slurmctld,
    job: JobId,
    now: Time,
    stage: VerdictStage,
    /// What is known so far; none: nothing.
    pub verdict: Option<Verdict>,
}

/// What comes next.
enum VerdictStage {
    /// The fork builds its caches.
    Caches,
    /// The job's eligibility before any pass.
    Eligibility,
    /// The main pass, with the job's entries and what was seen when it came to them.
    Main(Box<MainPass>, Vec<QueueEntry>, MainVerdicts),
    /// A copy of what the backfill pass will see.
    Before,
    /// The copy builds its caches.
    CachesBefore(Box<Before>),
    /// What comes free later is looked at, from a node on, where the pass will want to see all of it.
    Foresee(u32, Box<Before>),
    /// The backfill pass.
    Backfill(Box<BackfillPass>, Box<Before>),
    /// What it made of the job.
    Tell(Box<Before>),
    /// What is left of the copy goes.
    Over(Box<Remains>),
}

impl VerdictStage {
    fn over() -> Self {
        Self::Over(Box::default())
    }
}

/// Batch size when looking at what comes free later, in nodes.
const FORESEEN: u32 = 256;

/// What the main pass said of the job in its partitions.
type MainVerdicts = Vec<(PartId, PartitionVerdict)>;

/// What a backfill pass began with.
struct Before {
    ctld: Slurmctld,
    /// Who is tried earlier.
    front: Vec<JobId>,
}

/// A main pass that is watched.
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
    /// A bit of it, about a millisecond's; false when the verdict is complete.
    pub fn step(&mut self) -> bool {
        let stage = std::mem::replace(&mut self.stage, VerdictStage::over());
        self.stage = match stage {
            VerdictStage::Caches if self.fork.build_some_caches() => VerdictStage::Caches,
            VerdictStage::Caches => VerdictStage::Eligibility,
            VerdictStage::Eligibility => self.examine(),
            VerdictStage::Main(mut pass, entries, mut seen) => {
                if self.main_part(&mut pass, &mut seen) {
                    VerdictStage::Main(pass, entries, seen)
                } else {
                    let keepers = self.fork.end_main(*pass);
                    self.tell_main(&entries, &seen, &keepers)
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
                VerdictStage::Foresee(0, before)
            }
            VerdictStage::Foresee(from, before) => {
                match self.fork.caches.availability.foresee_some(&self.fork, from, FORESEEN) {
                    Some(next) => VerdictStage::Foresee(next, before),
                    None => match self.fork.begin_backfill(self.now) {
                        Some(pass) => VerdictStage::Backfill(Box::new(pass), before),
                        None => VerdictStage::Tell(before),
                    },
                }
            }
            VerdictStage::Backfill(mut pass, before) => {
                let tries = self.fork.tries();
                if self.fork.advance(&mut *pass, tries) {
                    VerdictStage::Backfill(pass, before)
                } else {
                    self.fork.end_backfill(*pass);
                    VerdictStage::Tell(before)
                }
            }
            VerdictStage::Tell(before) => {
                self.tell_backfill(&before);
                VerdictStage::Over(Box::new(Remains::of(before.ctld)))
            }
            VerdictStage::Over(left) => VerdictStage::Over(left),
        };
        !matches!(self.stage, VerdictStage::Over(_))
    }

    /// What is left of its forks, to be dropped little by little.
    pub fn leave(self) -> [Remains; 2] {
        let before = match self.stage {
            VerdictStage::CachesBefore(before)
            | VerdictStage::Foresee(_, before)
            | VerdictStage::Backfill(_, before)
            | VerdictStage::Tell(before) => Remains::of(before.ctld),
            VerdictStage::Over(left) => *left,
            VerdictStage::Caches
            | VerdictStage::Eligibility
            | VerdictStage::Main(..)
            | VerdictStage::Before => Remains::default(),
        };
        [Remains::of(self.fork), before]
    }

    fn examine(&mut self) -> VerdictStage {
        let (fork, now) = (&mut self.fork, self.now);
        fork.build_caches_at(now);
        let Some(job) = fork.jobs.get(self.job) else { return VerdictStage::over() };
        let (shown, waits) = (job.reason.text(), job.state == JobState::Pending);
        // What passes gave up is looked at once more, to tell why.
        fork.reconsider(self.job, now);
        if waits {
            fork.refresh_waiting(now);
        }
        let Some(job) = fork.jobs.get(self.job) else { return VerdictStage::over() };
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
            return VerdictStage::over();
        }
        let entries = fork.caches.queue.entries_of(self.job);
        match fork.begin_main(usize::MAX, now) {
            Some(pass) => VerdictStage::Main(Box::new(pass), entries, Vec::new()),
            None => self.tell_main(&entries, &Vec::new(), &[]),
        }
    }

    /// Some of the main pass, watched where it comes to the job.
    fn main_part(&mut self, pass: &mut MainPass, seen: &mut MainVerdicts) -> bool {
        let (id, now) = (self.job, self.now);
        let mut look = |ctld: &Slurmctld,
                        classes: &mut RequestClasses,
                        entry: QueueEntry,
                        kept: &BitSet,
                        keepers: &[BlockingJob]| {
            if entry.job() == id && seen.iter().all(|s| s.0 != entry.part) {
                seen.push((entry.part, stop::tried(ctld, classes, entry, kept, keepers, now)));
            }
        };
        let tries = self.fork.tries();
        self.fork.advance(&mut Watched { pass, look: &mut look }, tries)
    }

    /// What the main pass said of the job in each of its partitions.
    fn tell_main(
        &mut self,
        entries: &[QueueEntry],
        seen: &MainVerdicts,
        stopped: &[BlockingJob],
    ) -> VerdictStage {
        let tried = |entry: &QueueEntry| match seen.iter().find(|s| s.0 == entry.part) {
            Some((_, tried)) => Some(tried.clone()),
            None => stop::not_tried(&self.fork, *entry, stopped, self.now),
        };
        let Some(verdict) = &mut self.verdict else { return VerdictStage::over() };
        verdict.partitions = entries.iter().filter_map(tried).collect();
        let backfill = self.fork.cluster.global.scheduler_backfill;
        if backfill && verdict.starts().is_none() { VerdictStage::Before } else { VerdictStage::over() }
    }

    fn tell_backfill(&mut self, before: &Before) {
        if let Some(verdict) = &mut self.verdict {
            verdict.backfill = ahead::outcome(&self.fork, &before.ctld, self.job, &before.front, self.now);
        }
    }
}

impl Slurmctld {
    /// The question why a job waits, in steps. None: there is no such job.
    #[must_use]
    pub fn ask_why(&self, job: JobId, now: Time) -> Option<VerdictTask> {
        self.jobs.get(job)?;
        Some(VerdictTask { fork: self.fork(), job, now, stage: VerdictStage::Caches, verdict: None })
    }
}
