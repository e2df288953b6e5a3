//! MCS labels: the label of a job, and which users see jobs with a label. Mirrors mcs.html.
//!
//! A label is checked after the job has got its id, as recorded with 22.05. With `--exclusive=mcs` (or `select`), a job shares its
//! nodes only with jobs of the same label. The nodes then have this label, and jobs without a label do not start on them.

use crate::Slurmctld;
use crate::select;
use crate::state::error::SlurmError;
use crate::state::job::{Exclusive, Job, JobDesc};
use crate::state::node::Node;
use base::ids::Uid;
use config::{McsKind, McsSelect};

impl Slurmctld {
    /// The label of a job: the requested one, if its owner may use it; otherwise the owner's label, if a label is required.
    ///
    /// # Errors
    /// The owner may not use the label.
    pub(crate) fn mcs_label(&self, desc: &JobDesc, account: &str) -> Result<Option<String>, SlurmError> {
        let mcs = &self.cluster.global.mcs;
        let asked = desc.mcs_label.as_deref();
        let needed = mcs.enforced || desc.exclusive == Some(Exclusive::Mcs);
        let own = |name: &str| match asked {
            Some(label) if label != name => Err(SlurmError::InvalidMcsLabel),
            Some(label) => Ok(Some(label.to_owned())),
            None => Ok(Some(name.to_owned()).filter(|_| needed)),
        };
        match mcs.kind {
            McsKind::None => Ok(desc.mcs_label.clone()),
            McsKind::User => own(&self.user_name(desc.uid)),
            McsKind::Account => own(account),
            McsKind::Group => {
                let mut mine = mcs.groups.iter().filter(|g| self.in_group(desc.uid, g));
                match asked {
                    Some(label) => mine.find(|g| *g == label).cloned().map(Some),
                    None if needed => mine.next().cloned().map(Some),
                    None => Some(None),
                }
                .ok_or(SlurmError::InvalidMcsLabel)
            }
            McsKind::Label if asked.is_none() && mcs.enforced => Err(SlurmError::InvalidMcsLabel),
            McsKind::Label => Ok(asked.map(str::to_owned)),
        }
    }

    /// Whether the label of a job restricts the choice of its nodes.
    pub(crate) fn selects_by_label(&self, desc: &JobDesc) -> bool {
        match self.cluster.global.mcs.select {
            McsSelect::Never => false,
            McsSelect::Always => true,
            McsSelect::OnDemand => desc.exclusive == Some(Exclusive::Mcs),
        }
    }

    /// The label of a node while jobs with a label run on it.
    #[must_use]
    pub fn node_label(&self, node: &Node) -> Option<&str> {
        node.jobs.keys().find_map(|id| self.jobs.get(*id)?.needs.mcs.as_deref())
    }

    /// The user with exclusive use of a node (`--exclusive=user`).
    #[must_use]
    pub fn node_owner(&self, node: &Node) -> Option<Uid> {
        let mut jobs = node.jobs.keys().filter_map(|id| self.jobs.get(*id));
        jobs.find(|job| select::exclusive(self, job) == Some(Exclusive::User)).map(Job::uid)
    }

    /// Whether `privatedata` of `MCSParameters` decides who sees jobs, instead of coordinators' rights.
    #[must_use]
    pub fn private_by_label(&self) -> bool {
        self.cluster.global.mcs.private && self.cluster.global.mcs.kind != McsKind::None
    }

    /// Whether a user may use a label.
    #[must_use]
    pub fn has_label(&self, uid: Uid, label: Option<&str>) -> bool {
        let Some(label) = label else { return false };
        let name = || self.user_name(uid);
        match self.cluster.global.mcs.kind {
            McsKind::None => false,
            McsKind::User => name() == label,
            McsKind::Account => self.dbd.user_assoc(&name(), label, "").is_some(),
            McsKind::Group => self.in_group(uid, label),
            McsKind::Label => true,
        }
    }
}

/// Whether the labels allow a job to preempt another: both must have the same label, or none.
pub(crate) fn same_label(job: &Job, other: &Job) -> bool {
    job.needs.mcs == other.needs.mcs
}
