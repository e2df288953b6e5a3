//! Dependencies of recorded jobs (`--dependency=afterok:12`). They name jobs by their numbers in the history. The replay's
//! controller gives jobs other numbers, and each task of an array is a job of its own.

use super::recorded::RecordedJob;
use base::ids::JobId;
use slurmctld::Slurmctld;
use std::collections::BTreeMap;

/// The jobs that have been submitted, by their recorded numbers.
#[derive(Debug, Default)]
pub(super) struct RecordedIds {
    jobs: BTreeMap<u32, JobId>,
    /// The tasks of arrays and the components of heterogeneous jobs, by the first number.
    groups: BTreeMap<u32, BTreeMap<u32, JobId>>,
}

impl RecordedIds {
    /// Notes a submitted job. If a resample submits a job again, dependencies refer to the latest one.
    pub(super) fn add(&mut self, recorded: &RecordedJob, job: JobId) {
        self.jobs.insert(recorded.job, job);
        if let Some((first, member)) = recorded.array.or(recorded.het) {
            self.groups.entry(first).or_default().insert(member, job);
        }
    }

    /// A job's dependency in the numbers of the replay. Jobs that the controller does not know have ended or are not in the
    /// trace, so nothing waits for them. None: nothing is left to wait for.
    pub(super) fn translate(&self, ctld: &Slurmctld, text: &str, own: &RecordedJob) -> Option<String> {
        let sign = if text.contains('?') { '?' } else { ',' };
        let mut parts = Vec::new();
        for part in text.split(sign) {
            let Some((kind, list)) = part.split_once(':') else {
                parts.push(part.to_owned());
                continue;
            };
            let corresponding = own.array.map(|(_, task)| task).filter(|_| kind == "aftercorr");
            let kind = if kind == "aftercorr" { "afterok" } else { kind };
            let mut found = String::new();
            for name in list.split(':') {
                let (id, delay) = name.split_at(name.find('+').unwrap_or(name.len()));
                for job in self.named(id, corresponding).into_iter().filter(|job| ctld.job(*job).is_some()) {
                    found += &format!(":{}{delay}", job.0);
                }
            }
            match (found.is_empty(), sign) {
                (true, '?') => return None,
                (true, _) => {}
                (false, _) => parts.push(format!("{kind}{found}")),
            }
        }
        Some(parts.join(&sign.to_string())).filter(|text| !text.is_empty())
    }

    /// The jobs that `12`, `12_3` or `12_*` names. Of an array, only the corresponding task if there is one.
    fn named(&self, id: &str, corresponding: Option<u32>) -> Vec<JobId> {
        let (first, member) = id.split_once('_').map_or((id, None), |(first, member)| (first, Some(member)));
        let Ok(first) = first.parse() else { return Vec::new() };
        let Some(group) = self.groups.get(&first) else {
            return self.jobs.get(&first).copied().into_iter().collect();
        };
        let member = member.and_then(|member| member.parse().ok());
        match member.or_else(|| corresponding.filter(|task| group.contains_key(task))) {
            Some(member) => group.get(&member).copied().into_iter().collect(),
            None => group.values().copied().collect(),
        }
    }
}
