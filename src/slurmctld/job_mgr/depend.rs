//! Dependencies: parsing and evaluation. Mirrors `sbatch --dependency`.

use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::{DepKind, DepState, Dependency, Job, JobState};
use base::ids::JobId;
use base::time::{Span, Time};
use std::collections::BTreeSet;

/// The state of all dependencies of a job together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DependencyOutcome {
    Free,
    Waiting,
    Never,
}

impl Slurmctld {
    /// Parses `afterok:1:2,afterany:3_4+5`. Purged jobs are dropped if that is harmless. `own` is the id that the new
    /// job will get.
    pub(crate) fn parse_dependencies(
        &self,
        text: &str,
        own: JobId,
    ) -> Result<(Vec<Dependency>, bool), SlurmError> {
        let any = text.contains('?');
        if any && text.contains(',') {
            return Err(SlurmError::Dependency);
        }
        let mut found = Vec::new();
        for part in text.split(if any { '?' } else { ',' }).filter(|_| !text.is_empty()) {
            if part == "singleton" {
                found.push(dependency(DepKind::Singleton, JobId(0), None, false, 0));
                continue;
            }
            // A list of ids only, as older versions accept it.
            let plain = part.bytes().all(|b| b.is_ascii_digit() || b == b':')
                && part.starts_with(|c: char| c.is_ascii_digit());
            let (kind, jobs) = if plain {
                ("afterany", part)
            } else {
                part.split_once(':').ok_or(SlurmError::Dependency)?
            };
            if kind == "expand" {
                // Submissions may use it, see `resize`.
                return Err(SlurmError::NotSupported);
            }
            let kind = kind_of(kind).ok_or(SlurmError::Dependency)?;
            for job in jobs.split(':') {
                found.extend(self.parse_one(kind, job, own)?);
            }
        }
        Ok((found, any))
    }

    /// The dependencies in a job's `--dependency` that name jobs still in memory.
    #[must_use]
    pub fn named_dependencies(&self, text: &str, own: JobId) -> Vec<Dependency> {
        let parts = text.split([',', '?']).filter(|p| !p.is_empty());
        parts.filter_map(|part| self.parse_dependencies(part, own).ok()).flat_map(|(deps, _)| deps).collect()
    }

    fn parse_one(&self, kind: DepKind, text: &str, own: JobId) -> Result<Option<Dependency>, SlurmError> {
        let (id, delay) = match text.split_once('+') {
            Some((id, minutes)) if kind == DepKind::After => (id, parse_number(minutes)?),
            Some(_) => return Err(SlurmError::Dependency),
            None => (text, 0),
        };
        let (id, task) = match id.split_once('_') {
            Some((id, "*")) => (id, None),
            Some((id, task)) => (id, Some(parse_number(task)?)),
            None => (id, None),
        };
        let id = JobId(parse_number(id)?);
        if id == own {
            return Err(SlurmError::Dependency);
        }
        // A task's own id means the task.
        let no_array = self.array_records(id).next().is_none();
        let (job, task, is_array) = match (no_array, self.jobs.get(id)) {
            (false, _) => (id, task, task.is_none()),
            (true, Some(_)) if task.is_some() => return Err(SlurmError::Dependency),
            (true, Some(_)) => (id, None, false),
            (true, None) => {
                return match kind {
                    DepKind::After | DepKind::AfterAny | DepKind::AfterBurstBuffer => Ok(None),
                    DepKind::AfterOk | DepKind::AfterNotOk | DepKind::AfterCorr | DepKind::Singleton => {
                        Err(SlurmError::Dependency)
                    }
                };
            }
        };
        Ok(Some(dependency(kind, job, task, is_array, delay)))
    }

    /// Whether following the dependencies leads back to the job.
    pub(crate) fn circular(&self, deps: &[Dependency], own: JobId) -> bool {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![deps]);
        while let Some(deps) = todo.pop() {
            for dep in deps.iter().filter(|dep| dep.kind != DepKind::Singleton) {
                if dep.job == own {
                    return true;
                }
                if seen.insert(dep.job) {
                    todo.extend(self.jobs.get(dep.job).map(|job| job.deps.as_slice()));
                }
            }
        }
        false
    }

    /// Evaluates one dependency of a job.
    fn judge(&self, job: &Job, dep: &Dependency, now: Time) -> DepState {
        match dep.kind {
            DepKind::Singleton => {
                let free = self.singleton_blocker(job).is_none();
                if free { DepState::Fulfilled } else { DepState::Unfulfilled }
            }
            DepKind::AfterCorr => {
                // If the other job has no task with this number, the whole job counts.
                let own = Dependency {
                    kind: DepKind::AfterOk,
                    task: job.array.as_ref().and_then(|a| a.task),
                    ..dep.clone()
                };
                let whole = Dependency { task: None, ..own.clone() };
                let has_own = self.named_by(&own).next().is_some();
                self.judge_records(if has_own { &own } else { &whole }, now)
            }
            DepKind::After
            | DepKind::AfterAny
            | DepKind::AfterBurstBuffer
            | DepKind::AfterNotOk
            | DepKind::AfterOk => self.judge_records(dep, now),
        }
    }

    fn judge_records(&self, dep: &Dependency, now: Time) -> DepState {
        let jobs = || self.named_by(dep);
        if dep.kind == DepKind::After {
            let delay = Span::from_mins(dep.delay.into());
            let begun =
                |j: &&Job| j.state.ended() && j.start.is_none() || j.start.is_some_and(|s| s + delay <= now);
            return if jobs().all(|j| begun(&j)) { DepState::Fulfilled } else { DepState::Unfulfilled };
        }
        if !jobs().all(is_finished_for_dependents) {
            return DepState::Unfulfilled;
        }
        let ok = jobs().all(|j| j.state == JobState::Complete);
        match dep.kind {
            DepKind::AfterOk if ok => DepState::Fulfilled,
            DepKind::AfterNotOk if !ok => DepState::Fulfilled,
            DepKind::AfterOk | DepKind::AfterNotOk => DepState::Failed,
            DepKind::After
            | DepKind::AfterAny
            | DepKind::AfterBurstBuffer
            | DepKind::AfterCorr
            | DepKind::Singleton => DepState::Fulfilled,
        }
    }

    /// The records that a dependency names. Empty once they are purged.
    fn named_by<'a>(&'a self, dep: &'a Dependency) -> impl Iterator<Item = &'a Job> {
        let whole = dep.is_array || dep.task.is_some();
        let single = (!whole).then_some(dep.job);
        let records = whole.then(|| self.array_records(dep.job)).into_iter().flatten();
        let mine = move |job: &&Job| match (dep.task, &job.array) {
            (Some(task), Some(array)) => array.task == Some(task) || array.pending.contains(task),
            (Some(_), None) => false,
            (None, _) => true,
        };
        single.into_iter().chain(records).filter_map(|id| self.jobs.get(id)).filter(mine)
    }

    /// When `after:...+minutes` is fulfilled. None until all of its jobs have started.
    pub(crate) fn after_due(&self, dep: &Dependency) -> Option<Time> {
        if dep.kind != DepKind::After {
            return None;
        }
        let delay = Span::from_mins(dep.delay.into());
        let begun = |j: &Job| j.start.or(j.end.filter(|_| j.state.ended()));
        if self.named_by(dep).any(|j| begun(j).is_none()) {
            return None;
        }
        self.named_by(dep).filter_map(begun).max().map(|t| t + delay)
    }

    /// Evaluates a job's dependencies again, each one and all together.
    pub(crate) fn review(&self, job: &Job, now: Time) -> (Vec<Dependency>, DependencyOutcome) {
        let mut deps = job.deps.clone();
        if !job.deps_any && deps.iter().any(|d| d.state == DepState::Failed) {
            // Never satisfiable: Slurm does not evaluate the others any more.
            return (deps, DependencyOutcome::Never);
        }
        for dep in deps.iter_mut().filter(|d| d.state == DepState::Unfulfilled) {
            dep.state = self.judge(job, dep, now);
        }
        let some = |state| deps.iter().any(|d| d.state == state);
        let outcome = if job.deps_any {
            match (some(DepState::Fulfilled), some(DepState::Unfulfilled)) {
                (true, _) => DependencyOutcome::Free,
                (false, true) => DependencyOutcome::Waiting,
                (false, false) if deps.is_empty() => DependencyOutcome::Free,
                (false, false) => DependencyOutcome::Never,
            }
        } else if some(DepState::Failed) {
            DependencyOutcome::Never
        } else if some(DepState::Unfulfilled) {
            DependencyOutcome::Waiting
        } else {
            DependencyOutcome::Free
        };
        if outcome == DependencyOutcome::Free {
            deps.clear();
        } else if !job.deps_any {
            deps.retain(|d| d.state != DepState::Fulfilled);
        }
        (deps, outcome)
    }
}

/// Whether a job is finished as far as its dependents are concerned.
fn is_finished_for_dependents(job: &Job) -> bool {
    job.state.ended() && !job.flags.completing
}

fn dependency(kind: DepKind, job: JobId, task: Option<u32>, is_array: bool, delay: u32) -> Dependency {
    Dependency { kind, job, task, is_array, delay, state: DepState::Unfulfilled }
}

fn kind_of(text: &str) -> Option<DepKind> {
    Some(match text.to_ascii_lowercase().as_str() {
        "after" => DepKind::After,
        "afterany" => DepKind::AfterAny,
        "afterburstbuffer" => DepKind::AfterBurstBuffer,
        "aftercorr" => DepKind::AfterCorr,
        "afternotok" => DepKind::AfterNotOk,
        "afterok" => DepKind::AfterOk,
        _ => return None,
    })
}

fn parse_number(text: &str) -> Result<u32, SlurmError> {
    text.parse().map_err(|_| SlurmError::Dependency)
}

impl Job {
    /// `afterok:19(unfulfilled),afternotok:20(failed)`, as `squeue` shows it. None without dependencies.
    #[must_use]
    pub fn dependency_text(&self) -> Option<String> {
        let texts: Vec<String> = self.deps.iter().map(ToString::to_string).collect();
        (!texts.is_empty()).then(|| texts.join(if self.deps_any { "?" } else { "," }))
    }
}

impl std::fmt::Display for Dependency {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            DepKind::After => "after",
            DepKind::AfterAny => "afterany",
            DepKind::AfterBurstBuffer => "afterburstbuffer",
            DepKind::AfterCorr => "aftercorr",
            DepKind::AfterNotOk => "afternotok",
            DepKind::AfterOk => "afterok",
            DepKind::Singleton => "singleton",
        };
        f.write_str(kind)?;
        if self.kind != DepKind::Singleton {
            write!(f, ":{}", self.job)?;
            match self.task {
                Some(task) => write!(f, "_{task}")?,
                None if self.is_array => f.write_str("_*")?,
                None => {}
            }
            if self.delay > 0 {
                write!(f, "+{}", self.delay)?;
            }
        }
        f.write_str(match self.state {
            DepState::Unfulfilled => "(unfulfilled)",
            DepState::Fulfilled => "(fulfilled)",
            DepState::Failed => "(failed)",
        })
    }
}
