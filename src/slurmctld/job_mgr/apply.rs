//! Applies the decisions of passes. Passes themselves change nothing.

use crate::Slurmctld;
use crate::sched::decision::{Applied, Decision, PlannedStart, RefusedStart, Start};
use crate::select::Availability;
use crate::state::edit;
use crate::state::reason::Reason;
use base::bitset::BitSet;
use base::ids::{JobId, NodeId};
use base::time::Time;

impl Slurmctld {
    /// Applies one decision.
    #[inline(never)]
    pub(crate) fn apply(&mut self, decision: Decision, now: Time) -> Applied {
        match decision {
            Decision::Start(start) => return Applied::Started { whole: self.start_entry(start, now) },
            Decision::Preempt(plan, part, by) => {
                let job = plan.job;
                if let Some(allocation) = self.preempt(plan, now) {
                    let start = Start { job, part, allocation, by, limit: None };
                    return Applied::Started { whole: self.start_entry(start, now) };
                }
            }
            Decision::StartHet { starts, last } => {
                self.start_het_jobs(starts, now);
                if !last {
                    Availability::refresh(self);
                }
            }
            Decision::Refuse(refusal) => self.refuse(refusal, now),
            Decision::Reason(job, reason) => self.edit_reason(job, reason, edit::pending::set_reason(reason)),
            Decision::Plan(PlannedStart { job, at, nodes }) => {
                self.edit_job(job, edit::pending::plan_start(at, nodes, now));
            }
            Decision::Unplan(job) => self.edit_job(job, edit::pending::clear_planned_start()),
            Decision::ShowPlanned(nodes) => self.show_planned(&nodes),
        }
        Applied::Done
    }

    /// Starts a job, or one task of an array. Returns true when nothing of it is left to start.
    fn start_entry(&mut self, start: Start, now: Time) -> bool {
        let Start { job, part, allocation, by, limit } = start;
        if let Some(limit) = limit {
            self.edit_job(job, edit::request::set_time_limit(limit));
        }
        let throttled = self.jobs.get(job).is_some_and(|j| j.reason == Reason::ArrayTaskLimit);
        if throttled {
            // The task becomes eligible when it is its turn.
            self.edit_job(job, edit::pending::set_eligible(now));
        }
        let task = self.jobs.get(job).and_then(|j| j.array.as_ref()).and_then(|a| a.pending.first());
        let started = task.map_or(job, |task| self.split_task(job, task));
        self.start(started, part, allocation, by, now);
        if throttled {
            // The database says why the task waited.
            let index = self.jobs.get(started).and_then(|j| j.db);
            if let Some(record) = index.and_then(|index| self.dbd.job_mut(index)) {
                Reason::ArrayTaskLimit.text().clone_into(&mut record.reason);
            }
        }
        Availability::refresh(self);
        started == job
    }

    fn refuse(&mut self, refusal: RefusedStart, now: Time) {
        let RefusedStart { job, why, said, by, single_out, hold } = refusal;
        self.edit_reason(job, why.reason, edit::pending::refuse(why.reason, why.text.or(said), by, now));
        if single_out {
            self.single_out(job);
        }
        if hold {
            self.hold_impossible(job);
        }
    }

    /// Holds a job that can never run on any nodes, until its request is changed or an administrator releases it. With
    /// several partitions it only gets the reason, as observed on 22.05.
    fn hold_impossible(&mut self, id: JobId) {
        if self.jobs.get(id).is_some_and(|job| job.partitions.len() == 1) {
            self.edit_job(id, edit::pending::hold_by_controller());
        }
    }

    /// Updates which nodes show as planned. Allocated nodes do not, mixed ones do.
    fn show_planned(&mut self, planned: &BitSet) {
        for id in (0..).map(NodeId).take(self.nodes.len()) {
            let node = self.node(id);
            let shown = planned.contains(id.0) && node.cpus_used < node.cpus();
            self.nodes.show_planned(id, shown);
        }
    }
}
