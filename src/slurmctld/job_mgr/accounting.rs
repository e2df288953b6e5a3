//! Job and step records for the accounting database, and texts made of node names.

use crate::Slurmctld;
use crate::state::edit;
use crate::state::job::{ExitCode, Job, JobState, StepRecord};
use base::hostlist;
use base::ids::{JobId, NodeId, StepNum, Uid};
use base::time::Time;
use base::vec_map::VecMap;
use slurmdbd::{JobRecord, More, StepDbRecord};

/// The eligible time of jobs that never became eligible.
const NEVER: Time = Time(i64::MAX);

/// The fields that few jobs have. None for most jobs.
fn more_of(job: &Job) -> Option<Box<More>> {
    let desc = &job.desc;
    let more = More {
        container: desc.extras.container.clone().unwrap_or_default(),
        extra: desc.extras.extra.clone().unwrap_or_default(),
        licenses: desc.licenses.clone().unwrap_or_default(),
        qos_asked: desc.qos.clone().unwrap_or_default(),
        segment: desc.segment.unwrap_or(0),
    };
    (more != More::default()).then(|| Box::new(more))
}

impl Slurmctld {
    /// `cn[01-02]`.
    #[must_use]
    pub fn nodes_text(&self, nodes: impl Iterator<Item = NodeId>) -> String {
        let names: Vec<&str> = nodes.map(|n| self.node(n).conf.name.as_str()).collect();
        hostlist::compress(&names)
    }

    fn record_of(&self, job: &Job) -> JobRecord {
        let alloc = job.allocation.as_ref();
        let flags = &self.cluster.global.accounting_store_flags;
        let keeps_comments = flags.iter().any(|f| f.eq_ignore_ascii_case("job_comment"));
        // The site's own comment is stored in the database.
        let by_site = job.comment != job.desc.comment;
        let ended = job.end.filter(|_| job.state.ended());
        let qos = self.dbd.qos.iter().find(|q| q.id == job.qos);
        let tasks = job.array.as_ref().filter(|a| a.task.is_none()).map(crate::state::job::Array::text);
        let part = job.partitions.first().map(|p| self.partition(*p).name.clone());
        let names: Vec<String> = job.partitions.iter().map(|p| self.partition(*p).name.clone()).collect();
        // A batch job has output files even if it names none.
        let batch = |usual: &str| job.desc.script.is_some().then(|| usual.to_owned());
        let output = if job.array.is_some() { "slurm-%A_%a.out" } else { "slurm-%j.out" };
        JobRecord {
            index: base::ids::DbIndex::default(),
            job: job.id,
            array: job.array.as_ref().map(|a| (a.job, a.task)),
            het: job.het.filter(|_| job.start.is_some()).map(|h| (h.leader, h.offset)),
            tasks: tasks.unwrap_or_default(),
            name: job.name.clone(),
            uid: job.uid(),
            user: self.user_name(job.uid()),
            account: job.account.clone(),
            assoc: job.assoc,
            partition: if job.state == JobState::Pending {
                names.join(",")
            } else {
                part.unwrap_or_default()
            },
            qos: qos.map(|q| q.name.clone()).unwrap_or_default(),
            state: job.state,
            requeued: false,
            resized: false,
            mcs_label: job.desc.mcs_label.clone().unwrap_or_default(),
            reservation: job
                .reservations
                .first()
                .and_then(|id| self.reservations.get(*id).map(|resv| (resv.id, resv.name.clone()))),
            wckey: job.desc.wckey.clone().unwrap_or_default(),
            cancelled_by: None,
            submit: job.submit,
            eligible: eligible_of(job),
            // After a resize, the job has a new record.
            start: job.start.max(job.resized.filter(|_| job.start.is_some())),
            end: ended,
            suspended: job.suspended,
            suspended_since: job.suspend.filter(|_| job.state == JobState::Suspended),
            exit: job.exit,
            derived_exit: job.derived_exit,
            time_limit: job.time_limit,
            priority: job.priority,
            nodes: if job.nodes_text.is_empty() {
                "None assigned".to_owned()
            } else {
                job.nodes_text.clone()
            },
            node_count: alloc.map_or(job.needs.min_nodes, |a| u32::try_from(a.nodes.len()).unwrap_or(0)),
            cpus: alloc.map_or(0, |a| a.nodes.iter().map(|n| n.cpus).sum()),
            req_cpus: job.needs.min_cpus,
            req_mem: job.req_tres.mem,
            req_nodes: job.needs.min_nodes,
            req_tres: job.req_tres.clone(),
            alloc_tres: alloc.map(|a| a.tres.clone()).unwrap_or_default(),
            reason: job.reason.text().to_owned(),
            work_dir: job.desc.work_dir.clone(),
            submit_line: job.desc.submit_line.clone(),
            comment: job.comment.clone().filter(|_| keeps_comments || by_site).unwrap_or_default(),
            admin_comment: job.admin_comment.clone().unwrap_or_default(),
            constraints: job.needs.features.clone().unwrap_or_default(),
            restarts: job.restarts,
            backfilled: job.scheduler == crate::state::job::Scheduler::Backfill,
            stdin: job.desc.stdin.clone().or_else(|| batch("/dev/null")).unwrap_or_default(),
            stdout: job.desc.stdout.clone().or_else(|| batch(output)).unwrap_or_default(),
            stderr: job.desc.stderr.clone().unwrap_or_default(),
            more: more_of(job),
            steps: VecMap::default(),
        }
    }

    /// Records a job that became eligible.
    pub(crate) fn record_pending(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        if self.cluster.global.accounting_enforce.no_jobs {
            return;
        }
        if job.db.is_some() {
            return self.record_update(id);
        }
        let mut record = self.record_of(job);
        if job.reason == crate::state::reason::Reason::Priority {
            // The reason from before the first pass is not sent to the database.
            crate::state::reason::Reason::None.text().clone_into(&mut record.reason);
        }
        if self.cluster.global.track_wckey && !record.wckey.is_empty() {
            self.dbd.note_wckey(&record.wckey, &record.user);
        }
        let index = self.dbd.job_start(record);
        self.edit_job(id, edit::array::record(index));
    }

    /// Records a refused submission that used up a job id.
    pub(crate) fn record_refused(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        if self.cluster.global.accounting_enforce.no_jobs {
            return;
        }
        let mut record = self.record_of(job);
        record.req_cpus = job.needs.min_cpus;
        // The database gets no start time.
        record.start = None;
        self.dbd.job_start(record);
    }

    /// Updates the job's record. Its steps stay.
    pub(crate) fn record_update(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(id) else { return };
        // While a job goes back to the queue, its record describes the run that ended.
        let Some(index) = job.db.filter(|_| !(job.flags.completing && job.state == JobState::Pending)) else {
            return;
        };
        let mut fresh = self.record_of(job);
        let Some(record) = self.dbd.job_mut(index) else { return };
        fresh.index = index;
        fresh.steps = std::mem::take(&mut record.steps);
        fresh.cancelled_by = record.cancelled_by;
        fresh.requeued = record.requeued;
        fresh.resized = record.resized;
        if job.state != JobState::Pending {
            // The database keeps the reason why a job was pending, not how it ended.
            fresh.reason = std::mem::take(&mut record.reason);
        }
        *record = fresh;
    }

    /// Records who cancelled the job.
    pub(crate) fn record_cancelled(&mut self, id: JobId, by: Uid) {
        let index = self.jobs.get(id).and_then(|j| j.db);
        if let Some(record) = index.and_then(|i| self.dbd.job_mut(i)) {
            record.cancelled_by = Some(by);
        }
    }

    /// Records that this run of the job was requeued.
    pub(crate) fn record_requeued(&mut self, id: JobId, state: JobState, now: Time) {
        let job = self.jobs.get(id);
        // Each run of a scrontab job is a record of its own.
        let ended = job.is_some_and(|j| j.desc.cron.is_some());
        if let Some(record) = job.and_then(|j| j.db).and_then(|i| self.dbd.job_mut(i)) {
            record.requeued = !ended;
            record.state = state;
            record.end = Some(now);
        }
    }

    /// The job continues with fewer nodes, in a new record.
    pub(crate) fn record_resized(&mut self, id: JobId, now: Time) {
        let index = self.jobs.get(id).and_then(|j| j.db);
        if let Some(record) = index.and_then(|i| self.dbd.job_mut(i)) {
            record.resized = true;
            record.end = Some(now);
        }
    }

    /// A step began, changed or ended.
    pub(crate) fn record_step(&mut self, id: JobId, step: &StepRecord) {
        if self.cluster.global.accounting_enforce.no_steps {
            return;
        }
        let nodes = self.nodes_text(step.nodes.iter().map(|n| n.0));
        let record = StepDbRecord {
            name: step.name.clone(),
            state: step.state,
            cancelled_by: step.ended_by,
            start: step.start,
            end: step.end,
            exit: step.exit,
            tasks: step.tasks,
            nodes,
            node_count: u32::try_from(step.nodes.len()).unwrap_or(0),
            cpus: step.nodes.iter().map(|n| n.1).sum(),
            tres: step.tres.clone(),
            usage: step.usage,
            submit_line: step.submit_line.clone(),
            distribution: step.distribution.clone(),
        };
        let index = self.jobs.get(id).and_then(|j| j.db);
        if let Some(job) = index.and_then(|i| self.dbd.job_mut(i)) {
            let counts = matches!(step.num, StepNum::Number(_));
            match step.exit.filter(|_| counts) {
                Some(exit) => job.derived_exit = job.derived_exit.max(exit),
                None if counts && step.end.is_some() => job.derived_exit = ExitCode::default(),
                None => {}
            }
            job.steps.insert(step.num, record);
        }
    }
}

/// The eligible time of a job. [`NEVER`] for a held or dependent job.
fn eligible_of(job: &Job) -> Time {
    let held = job.state != JobState::Running && job.start.is_none() && job.priority == 0;
    job.eligible.filter(|_| !held).or(job.begin).or(job.start).unwrap_or(NEVER)
}
