//! A row of squeue: a job, a task of an array, or all waiting tasks of an array.

use crate::base::ids::PartId;
use crate::commands::slurm::jobtext::{self, JobSpec, View};
use crate::slurmctld::job::Job;
use std::borrow::Cow;

/// One row: a job, a task of an array, or all waiting tasks of an array.
pub struct Row<'a> {
    /// The record.
    pub job: &'a Job,
    /// The task it stands for where the record stands for many.
    pub task: Option<u32>,
    /// Tasks and reasons of the records that are folded into this row.
    pub folded: Option<(String, String)>,
    /// The one partition that it stands for.
    pub partition: Option<PartId>,
    /// Whether names of files are shown with their patterns filled in.
    pub expand: bool,
}

impl<'a> Row<'a> {
    /// The row of a record as a whole.
    #[must_use]
    pub const fn of(job: &'a Job) -> Self {
        Self { job, task: None, folded: None, partition: None, expand: false }
    }
}

impl Row<'_> {
    /// The array's task, or tasks.
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
            (None, None) => jobtext::id_text(self.job),
        }
    }

    /// The partitions it stands for.
    pub fn partitions<'v>(&self, view: &View<'v>) -> Cow<'v, str> {
        match (self.partition, self.job.partitions.as_slice()) {
            (Some(part), _) => Cow::Borrowed(&view.state.partition(part).name),
            (None, [part]) => Cow::Borrowed(&view.state.partition(*part).name),
            (None, _) => Cow::Owned(view.partitions(self.job)),
        }
    }

    /// Why it waits.
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
