//! `sacctmgr modify job`: what may be changed in the records of jobs.

use super::{AdminLevel, JobRecord, ROOT, Slurmdbd};
use crate::base::ids::{DbIndex, JobId};
use crate::base::state::ExitCode;
use serde::{Deserialize, Serialize};

/// A change of the records of jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct JobChange {
    /// Which ones; empty: all.
    pub jobs: Vec<JobId>,
    /// Whose; empty: everybody's.
    pub users: Vec<String>,
    pub derived_exit: Option<u16>,
    pub comment: Option<String>,
    pub admin_comment: Option<String>,
    pub wckey: Option<String>,
}

impl JobChange {
    /// Whether it is about a record.
    fn is_about(&self, job: &JobRecord) -> bool {
        (self.jobs.is_empty() || self.jobs.contains(&job.job))
            && (self.users.is_empty() || self.users.contains(&job.user))
    }
}

impl Slurmdbd {
    /// The records that a change by this user is about: operators change all, others their own. What only administrators write
    /// is no user's.
    #[must_use]
    pub fn changed_jobs(&self, change: &JobChange, by: &str) -> Vec<&JobRecord> {
        let operator = by == ROOT || self.admin_level(by) >= AdminLevel::Operator;
        let may = |job: &&JobRecord| operator || (job.user == by && change.admin_comment.is_none());
        self.jobs.values().filter(|job| change.is_about(job)).filter(may).collect()
    }

    /// Carries it out.
    ///
    /// # Errors
    /// When there is no such record.
    pub(super) fn change_jobs(&mut self, change: &JobChange, by: &str) -> Result<Vec<String>, String> {
        let found: Vec<DbIndex> = self.changed_jobs(change, by).into_iter().map(|job| job.index).collect();
        if found.is_empty() {
            return Err("Nothing modified".to_owned());
        }
        for index in found {
            let Some(job) = self.jobs.get_mut(index) else { continue };
            if let Some(code) = change.derived_exit {
                // It is taken for what wait(2) gives, so that small numbers are signals.
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
