//! `sacctmgr modify job`: changes job records.

use super::error::ChangeError;
use super::{AdminLevel, JobRecord, ROOT, Slurmdbd};
use base::ids::{DbIndex, JobId};
use base::state::ExitCode;
use serde::{Deserialize, Serialize};

/// A change of job records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct JobRecordChange {
    /// The job ids; empty means all.
    pub jobs: Vec<JobId>,
    /// The users; empty means all.
    pub users: Vec<String>,
    pub derived_exit: Option<u16>,
    pub comment: Option<String>,
    pub admin_comment: Option<String>,
    pub wckey: Option<String>,
}

impl JobRecordChange {
    /// Whether the change applies to a record.
    fn is_about(&self, job: &JobRecord) -> bool {
        (self.jobs.is_empty() || self.jobs.contains(&job.job))
            && (self.users.is_empty() || self.users.contains(&job.user))
    }
}

impl Slurmdbd {
    /// The records that `by` may change with this change: operators change all records, others their own. Some
    /// fields can only be changed by administrators.
    #[must_use]
    pub fn changed_jobs(&self, change: &JobRecordChange, by: &str) -> Vec<&JobRecord> {
        let operator = by == ROOT || self.admin_level(by) >= AdminLevel::Operator;
        let may = |job: &&JobRecord| operator || (job.user == by && change.admin_comment.is_none());
        self.jobs.values().filter(|job| change.is_about(job)).filter(may).collect()
    }

    /// Applies the change.
    ///
    /// # Errors
    /// There is no such record.
    pub(super) fn change_jobs(
        &mut self,
        change: &JobRecordChange,
        by: &str,
    ) -> Result<Vec<String>, ChangeError> {
        let found: Vec<DbIndex> = self.changed_jobs(change, by).into_iter().map(|job| job.index).collect();
        if found.is_empty() {
            return Err(ChangeError::NothingModified);
        }
        for index in found {
            let Some(job) = self.jobs.get_mut(index) else { continue };
            if let Some(code) = change.derived_exit {
                // The value is read like a wait(2) status, so small numbers are signals.
                job.derived_exit = ExitCode {
                    code: u8::try_from(code >> 8).unwrap_or(0),
                    signal: u8::try_from(code & 0x7f).unwrap_or(0),
                };
            }
            let texts = [
                (&mut job.comment, &change.comment),
                (&mut job.admin_comment, &change.admin_comment),
                (&mut job.wckey, &change.wckey),
            ];
            for (slot, text) in texts {
                if let Some(text) = text {
                    slot.clone_from(text);
                }
            }
        }
        Ok(Vec::new())
    }
}
