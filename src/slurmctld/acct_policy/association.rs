//! The account, workload characterization key and QOS to which a job is charged, as requested or by default. Mirrors
//! sacctmgr(1) and `AccountingStorageEnforce` of slurm.conf(5).

use crate::Slurmctld;
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Job, JobDesc};
use base::ids::{AssocId, PartId, QosId, Uid};
use slurmdbd::QosFlag;

impl Slurmctld {
    /// The account and association to which a job description is charged.
    pub(crate) fn account_of(
        &self,
        desc: &JobDesc,
        part: PartId,
    ) -> Result<(String, Option<AssocId>), SlurmError> {
        let user = self.user_name(desc.uid);
        let account = desc.account.clone().or_else(|| self.dbd.default_account(&user).map(ToOwned::to_owned));
        let account = account.unwrap_or_default();
        match self.dbd.user_assoc(&user, &account, &self.partition(part).name) {
            Some(assoc) => Ok((account, Some(assoc.id))),
            None if self.cluster.global.accounting_enforce.associations && desc.uid.0 != 0 => {
                Err(SlurmError::InvalidAccount)
            }
            None => Ok((account, None)),
        }
    }

    /// Gives jobs that were accepted without an association the one that their user has now.
    pub(crate) fn find_associations(&mut self) {
        let found = |job: &Job| {
            let part = *job.partitions.first()?;
            let (account, assoc) = self.account_of(&job.desc, part).ok()?;
            Some((job.id, account, assoc?))
        };
        let all: Vec<_> = self.pending_jobs().filter(|j| j.assoc.is_none()).filter_map(found).collect();
        for (id, account, assoc) in all {
            self.edit_job(id, edit::request::set_association(account, assoc));
        }
    }

    /// The workload characterization key of a job description. With `TrackWCKey`, a job that names none gets `*` and
    /// the user's default.
    pub(crate) fn wckey_of(&self, desc: &JobDesc) -> Result<Option<String>, SlurmError> {
        let global = &self.cluster.global;
        if !global.track_wckey {
            return Ok(desc.wckey.clone());
        }
        let user = self.user_name(desc.uid);
        let default = self.dbd.default_wckey(&user);
        let plain = desc.wckey.as_deref().unwrap_or(default);
        if global.accounting_enforce.wckeys && desc.uid != Uid(0) && !self.dbd.has_wckey(plain, &user) {
            return Err(SlurmError::InvalidWckey);
        }
        Ok(Some(desc.wckey.clone().unwrap_or_else(|| format!("*{default}"))))
    }

    /// The QOS of a description; operators (`by`) may use any.
    pub(crate) fn qos_of(
        &self,
        desc: &JobDesc,
        assoc: Option<AssocId>,
        by: Uid,
    ) -> Result<QosId, SlurmError> {
        let Some(name) = desc.qos.as_deref() else {
            return Ok(assoc.and_then(|a| self.dbd.default_qos(a)).unwrap_or(self.dbd.normal_qos()));
        };
        // Of several (`-q high,low`) the first one applies, and all must be allowed.
        let mut first = None;
        for name in name.split(',') {
            let Some(qos) = self.dbd.qos_by_name(name) else {
                let enforced = self.cluster.global.accounting_enforce.qos;
                return if enforced { Err(SlurmError::InvalidQos) } else { Ok(self.dbd.normal_qos()) };
            };
            let allowed = self.qos_allowed(assoc, qos.id) || self.is_operator(by);
            if !allowed || (desc.reservation.is_none() && qos.has(QosFlag::RequiresReservation)) {
                return Err(SlurmError::InvalidQos);
            }
            first.get_or_insert(qos.id);
        }
        Ok(first.unwrap_or(self.dbd.normal_qos()))
    }

    /// Whether an association may use a QOS, if the site enforces it.
    pub(crate) fn qos_allowed(&self, assoc: Option<AssocId>, qos: QosId) -> bool {
        !self.cluster.global.accounting_enforce.qos || assoc.is_none_or(|a| self.dbd.allows_qos(a, qos))
    }
}
