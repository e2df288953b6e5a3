//! Applies a site's rules (`config::policy`). Where real sites have a `job_submit` plugin, slurmctld evaluates rules
//! for each submission before its own checks. Cron rules change associations periodically.
//!
//! Mirrors job_submit_plugins.html, with `require_timelimit` and `all_partitions` of Slurm's own plugins. Rules for
//! `scontrol update` of jobs (`job_modify`) can only refuse. They do not apply to holds, releases and requeues.

mod cron;
mod facts;
mod modify;
mod usage;

use crate::Slurmctld;
use crate::job_mgr::submit::SubmitRefusal;
use crate::rpc::request::JobUpdate;
use crate::state::error::SlurmError;
use crate::state::job::{Exclusive, Job, JobDesc};
use base::ids::Uid;
use config::JobSubmitPlugin;
use config::policy::{JobSetting, RuleAction, RuleValue, Template};
pub(crate) use cron::Cron;
use facts::Facts;

/// Maximum length of a filled-in template, bytes.
const MAX_TEXT: usize = 4096;

/// Labels set by rules, with their values.
type RuleLabels = Vec<(String, String)>;

impl Slurmctld {
    /// Applies the site's rules to a submission. Returns lines for the user, or the refusal.
    pub(crate) fn by_policy(&self, desc: &mut JobDesc) -> Result<Vec<String>, SubmitRefusal> {
        self.by_plugins(desc)?;
        let (mut labels, mut said) = (RuleLabels::new(), Vec::new());
        for rule in &self.policy.job_submit {
            let facts = self.facts(desc, &labels);
            if !rule.when.iter().all(|c| facts.hold(c)) {
                continue;
            }
            for action in &rule.then {
                let fill = |t: &Template| self.facts(desc, &labels).fill(t);
                match action {
                    RuleAction::Label(name, value) => {
                        let value = fill(value);
                        labels.retain(|l| l.0 != *name);
                        labels.push((name.clone(), value));
                    }
                    RuleAction::Set { what, to, missing } => {
                        let text = if let RuleValue::Text(t) = to { fill(t) } else { String::new() };
                        set(desc, *what, to, text, *missing);
                    }
                    RuleAction::Say(text) => said.extend(fill(text).lines().map(str::to_owned)),
                    RuleAction::Refuse { message, error } => {
                        said.extend(fill(message).lines().map(|line| format!("error: {line}")));
                        let error =
                            error.as_deref().and_then(SlurmError::by_name).unwrap_or(SlurmError::Error);
                        return Err(SubmitRefusal::with(error, said));
                    }
                    RuleAction::Stop => return Ok(said),
                }
            }
        }
        Ok(said)
    }

    fn facts<'a>(&'a self, desc: &'a JobDesc, labels: &'a RuleLabels) -> Facts<'a> {
        Facts { ctld: self, desc, labels, by: desc.uid, changes: None }
    }

    /// Checks whether the site's rules permit an update. The rules see the job with the update applied.
    pub(crate) fn may_modify(&self, by: Uid, job: &Job, change: &JobUpdate) -> Result<(), SubmitRefusal> {
        if self.policy.job_modify.is_empty() {
            return Ok(());
        }
        let (desc, changes) = (modify::as_it_would_be(self, job, change), modify::changes(change));
        let mut labels = RuleLabels::new();
        for rule in &self.policy.job_modify {
            let facts = Facts { ctld: self, desc: &desc, labels: &labels, by, changes: Some(&changes) };
            if !rule.when.iter().all(|c| facts.hold(c)) {
                continue;
            }
            for action in &rule.then {
                let facts = Facts { ctld: self, desc: &desc, labels: &labels, by, changes: Some(&changes) };
                match action {
                    RuleAction::Label(name, value) => {
                        let value = facts.fill(value);
                        labels.retain(|l| l.0 != *name);
                        labels.push((name.clone(), value));
                    }
                    RuleAction::Refuse { message, error } => {
                        let text = facts.fill(message);
                        let said = text.lines().map(|line| format!("error: {line}")).collect();
                        let error = error.as_deref().and_then(SlurmError::by_name);
                        return Err(SubmitRefusal::with(error.unwrap_or(SlurmError::Error), said));
                    }
                    RuleAction::Stop => return Ok(()),
                    // Rules for updates have no such actions.
                    RuleAction::Set { .. } | RuleAction::Say(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Applies the `JobSubmitPlugins` that come with Slurm.
    fn by_plugins(&self, desc: &mut JobDesc) -> Result<(), SubmitRefusal> {
        for plugin in &self.cluster.global.job_submit {
            match plugin {
                JobSubmitPlugin::RequireTimeLimit if desc.time_limit.is_none() => {
                    return Err(SlurmError::MissingTimeLimit.into());
                }
                JobSubmitPlugin::AllPartitions if desc.partition.is_none() => {
                    let names: Vec<&str> = self.partitions.iter().map(|p| p.name.as_str()).collect();
                    desc.partition = Some(names.join(","));
                }
                JobSubmitPlugin::RequireTimeLimit | JobSubmitPlugin::AllPartitions => {}
            }
        }
        Ok(())
    }
}

/// Sets one field, unless it has a value and only missing ones are to be set.
fn set(desc: &mut JobDesc, what: JobSetting, to: &RuleValue, text: String, missing: bool) {
    let number = || if let RuleValue::Number(n) = to { Some(*n) } else { None };
    let small = || number().map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let limit = || if let RuleValue::Limit(l) = to { Some(*l) } else { None };
    let yes = matches!(to, RuleValue::Switch(true));
    let text = Some(text).filter(|t| !t.is_empty());
    match what {
        JobSetting::Account => put(&mut desc.account, text, missing),
        JobSetting::AdminComment => put(&mut desc.admin_comment, text, missing),
        JobSetting::Comment => put(&mut desc.comment, text, missing),
        JobSetting::Constraint => put(&mut desc.constraint, text, missing),
        JobSetting::Licenses => put(&mut desc.licenses, text, missing),
        JobSetting::Name => desc.name = text.filter(|_| !missing).unwrap_or(std::mem::take(&mut desc.name)),
        JobSetting::Nodelist => put(&mut desc.nodelist, text, missing),
        JobSetting::Partition => put(&mut desc.partition, text, missing),
        JobSetting::Qos => put(&mut desc.qos, text, missing),
        JobSetting::Reservation => put(&mut desc.reservation, text, missing),
        JobSetting::Wckey => put(&mut desc.wckey, text, missing),
        JobSetting::CpusPerTask => put(&mut desc.cpus_per_task, small(), missing),
        JobSetting::Nice => desc.nice = number().and_then(|n| i64::try_from(n).ok()).unwrap_or(desc.nice),
        JobSetting::Nodes => put(&mut desc.min_nodes, small(), missing),
        JobSetting::Priority => put(&mut desc.priority, small(), missing),
        JobSetting::Tasks => put(&mut desc.ntasks, small(), missing),
        JobSetting::TasksPerNode => put(&mut desc.ntasks_per_node, small(), missing),
        JobSetting::MemPerCpu | JobSetting::MemPerNode => {
            let given = desc.mem_per_cpu.or(desc.mem_per_node).or(desc.mem_per_gpu).is_some();
            if !(given && missing) {
                desc.mem_per_gpu = None;
                desc.mem_per_cpu = number().filter(|_| what == JobSetting::MemPerCpu);
                desc.mem_per_node = number().filter(|_| what == JobSetting::MemPerNode);
            }
        }
        JobSetting::TimeLimit => put(&mut desc.time_limit, limit(), missing),
        JobSetting::TimeMin => put(&mut desc.time_min, limit(), missing),
        JobSetting::Exclusive => put(&mut desc.exclusive, yes.then_some(Exclusive::Node), missing),
        JobSetting::Hold => desc.hold = yes,
        JobSetting::Requeue => put(&mut desc.requeue, Some(yes), missing),
    }
}

fn put<T>(to: &mut Option<T>, value: Option<T>, missing: bool) {
    if to.is_none() || !missing {
        *to = value;
    }
}
