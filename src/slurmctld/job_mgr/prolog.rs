//! Prologs that run before jobs begin. Mirrors prolog_epilog.html.
//!
//! Deliberate difference: a node's Prolog runs when the job is allocated, not when its first step starts there.

use crate::Slurmctld;
use crate::rpc::request::{Failure, Order};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, JobState};
use base::ids::{JobId, NodeId, Uid};
use base::process::Exec;
use base::time::Time;

/// `slurmstepd PROGRAM... -- PATH ARGUMENT...`: the command that starts a task if a TaskProlog, or the step's own one
/// (`own`), runs before it.
#[must_use]
pub fn task(ctld: &Slurmctld, own: Option<&str>, task: Exec) -> Exec {
    let site = ctld.cluster.global.programs.task_prolog.as_deref();
    if site.or(own).is_none() {
        return task;
    }
    let mut argv = vec!["slurmstepd".to_owned()];
    argv.extend(site.into_iter().chain(own).map(str::to_owned));
    argv.extend(["--".to_owned(), task.path]);
    argv.extend(task.argv);
    Exec { path: "/usr/bin/slurmstepd".to_owned(), argv, env: task.env }
}

impl Slurmctld {
    /// Starts the prologs. Returns whether there are any.
    pub(crate) fn prepare(&mut self, id: JobId) -> bool {
        let programs = &self.cluster.global.programs;
        let any = programs.prolog.is_some() || programs.prolog_slurmctld.is_some();
        let shown = programs.at_allocation || programs.prolog_slurmctld.is_some();
        if !any || self.jobs.get(id).is_none_or(|job| job.flags.prepared) {
            return false;
        }
        self.edit_job(id, edit::life::begin_prolog(shown));
        self.orders.push(Order::Prepare(id));
        true
    }

    /// Handles the end of the prologs, or a failure.
    pub(crate) fn prepared(
        &mut self,
        id: JobId,
        failed: Option<Failure>,
        now: Time,
    ) -> Result<(), SlurmError> {
        let job = self.jobs.get(id).ok_or(SlurmError::InvalidJobId)?;
        if !job.flags.preparing || job.flags.completing {
            return Ok(());
        }
        self.edit_job(id, edit::life::end_prolog());
        match failed {
            None => self.launch_job(id, now),
            Some(failure) => {
                if let Failure::Node(node) = failure {
                    self.drain_for(node, "Prolog error", now);
                }
                self.launch_failed(id, failure, now);
            }
        }
        Ok(())
    }

    /// Requeues a batch job, held if a node's Prolog failed. Cancels any other job.
    fn launch_failed(&mut self, id: JobId, failure: Failure, now: Time) {
        let Some(job) = self.jobs.get(id) else { return };
        let requeue = job.requeue && job.is_batch();
        let free = self.cluster.global.scheduler_parameters.contains_key("nohold_on_prolog_fail");
        let often = job.restarts >= self.cluster.global.max_batch_requeue;
        let hold = requeue && (often || !free && matches!(failure, Failure::Node(_)));
        self.edit_job(id, edit::life::fail_launch(hold));
        let ending = Ending { state: JobState::Cancelled, since: now, by: Uid(0), requeue };
        self.end_job(id, ending, "", now);
        if !requeue {
            self.record_cancelled(id, Uid(0));
        }
    }

    /// Drains a node whose Epilog has failed.
    pub(crate) fn epilog_failed(&mut self, node: NodeId, now: Time) -> Result<(), SlurmError> {
        if node.0 as usize >= self.nodes.len() {
            return Err(SlurmError::InvalidNodeName);
        }
        self.drain_for(node, "Epilog error", now);
        Ok(())
    }

    fn drain_for(&mut self, id: NodeId, why: &str, now: Time) {
        self.edit_node(id, edit::node::drain_for(why, now));
        self.note_node(id, now);
    }
}
