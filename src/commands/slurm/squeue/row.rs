//! A line of squeue: a job, a task of an array, or all pending tasks of an array.

use crate::slurm::jobtext::{self, JobSpec, JobView};
use base::ids::PartId;
use slurmctld::job::Job;
use std::borrow::Cow;

/// A line: a job, a task of an array, or all pending tasks of an array.
pub struct SqueueRow<'a> {
    /// The record.
    pub job: &'a Job,
    /// The array task that the line shows, if the record represents several.
    pub task: Option<u32>,
    /// Tasks and reasons of the records that are folded into this line.
    pub folded: Option<(String, String)>,
    /// The partition that the line shows, if there is one line per partition.
    pub partition: Option<PartId>,
    /// Whether patterns in file names are expanded.
    pub expand: bool,
}

impl<'a> SqueueRow<'a> {
    /// The row of a whole record.
    #[must_use]
    pub const fn of(job: &'a Job) -> Self {
        Self { job, task: None, folded: None, partition: None, expand: false }
    }
}

impl SqueueRow<'_> {
    /// The task id, or the list of task ids.
    pub fn tasks(&self) -> Option<String> {
        let array = self.job.array.as_ref()?;
        if let Some((tasks, _)) = &self.folded {
            return Some(tasks.clone());
        }
        match self.task.or(array.task) {
            Some(task) => Some(task.to_string()),
            None => jobtext::pending_tasks(self.job),
        }
    }

    /// `12_[3-10%2]`.
    pub fn id(&self) -> String {
        let Some(array) = &self.job.array else { return self.job.id_text() };
        match (&self.folded, self.task) {
            (Some((tasks, _)), _) => format!("{}_[{tasks}]", array.job),
            (None, Some(task)) => format!("{}_{task}", array.job),
            (None, None) => self.job.id_text(),
        }
    }

    /// The partitions that the line shows.
    pub fn partitions<'v>(&self, view: &JobView<'v>) -> Cow<'v, str> {
        match (self.partition, self.job.partitions.as_slice()) {
            (Some(part), _) => Cow::Borrowed(&view.state.partition(part).name),
            (None, [part]) if self.job.desc.partition.as_ref().is_none_or(|names| !names.contains(',')) => {
                Cow::Borrowed(&view.state.partition(*part).name)
            }
            (None, _) => Cow::Owned(view.partitions(self.job)),
        }
    }

    /// The pending reason.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.folded.as_ref().map_or_else(|| jobtext::reason(self.job), |(_, reasons)| reasons)
    }
}

/// Whether a specification names this record, or tasks of it.
pub fn names(spec: &JobSpec, job: &Job) -> bool {
    match (&job.array, &spec.tasks) {
        (None, None) => job.id.0 == spec.job || job.het.is_some_and(|h| h.leader.0 == spec.job),
        (None, Some(_)) => false,
        (Some(array), None) => array.job.0 == spec.job || job.id.0 == spec.job,
        (Some(array), Some(tasks)) => {
            array.job.0 == spec.job
                && match array.task {
                    Some(task) => tasks.contains(task),
                    None => tasks.intersects(&array.pending),
                }
        }
    }
}
