//! Access to partitions: `AllowAccounts`, `DenyAccounts`, `AllowQos`, `DenyQos`, `AllowGroups` of slurm.conf(5).
//!
//! Without `EnforcePartLimits`, a job without access is accepted and waits. A list of accounts includes the accounts
//! below them. An allow list overrides the deny list.

use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::Job;
use crate::state::reason::Reason;
use base::ids::{AssocId, PartId, QosId, Uid};
use config::PartConf;

/// Why a partition does not admit a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    Group,
    Account,
    Qos,
}

impl Denied {
    /// The error with which a submission is refused.
    pub(crate) const fn error(self) -> SlurmError {
        match self {
            Self::Group => SlurmError::JobMissingRequiredPartitionGroup,
            Self::Account => SlurmError::InvalidAccount,
            Self::Qos => SlurmError::InvalidQos,
        }
    }

    /// The reason that a pending job shows.
    pub(crate) const fn reason(self) -> Reason {
        match self {
            Self::Group | Self::Account => Reason::PartConfig,
            Self::Qos => Reason::Qos,
        }
    }
}

/// The job's user, account and QOS, as a partition checks them.
#[derive(Clone, Copy)]
pub(crate) struct AccessIdentity<'a> {
    pub uid: Uid,
    pub account: &'a str,
    pub assoc: Option<AssocId>,
    pub qos: QosId,
}

impl<'a> AccessIdentity<'a> {
    pub(crate) fn of(job: &'a Job) -> Self {
        Self { uid: job.uid(), account: &job.account, assoc: job.assoc, qos: job.qos }
    }
}

/// Checks whether a partition admits a user, account and QOS.
pub(crate) fn admits(ctld: &Slurmctld, guest: AccessIdentity<'_>, part: PartId) -> Result<(), Denied> {
    let conf = ctld.partition(part);
    let listed = |list: &[String], name: &str| list.iter().any(|n| n.eq_ignore_ascii_case(name));
    let passes = |allow: Option<&Vec<String>>, deny: Option<&Vec<String>>, is: &dyn Fn(&[String]) -> bool| {
        allow.map_or_else(|| deny.is_none_or(|list| !is(list)), |list| is(list))
    };
    if !in_groups(ctld, conf, guest.uid) {
        return Err(Denied::Group);
    }
    let accounted = |list: &[String]| {
        let above = guest.assoc.into_iter().flat_map(|id| ctld.dbd.chain(id));
        listed(list, guest.account) || above.into_iter().any(|a| listed(list, &a.account))
    };
    if !passes(conf.allow_accounts.as_ref(), conf.deny_accounts.as_ref(), &accounted) {
        return Err(Denied::Account);
    }
    let name = ctld.dbd.qos_by_id(guest.qos).map_or("", |q| q.name.as_str());
    if !passes(conf.allow_qos.as_ref(), conf.deny_qos.as_ref(), &|list| listed(list, name)) {
        return Err(Denied::Qos);
    }
    Ok(())
}

impl Slurmctld {
    /// Whether listings show a partition and its jobs to a user who does not ask for all. They omit `Hidden` partitions
    /// and those of groups that the user is not in.
    #[must_use]
    pub fn partition_shown(&self, part: &PartConf, uid: Uid) -> bool {
        (uid == Uid(0) || !part.hidden) && in_groups(self, part, uid)
    }
}

/// Whether `AllowGroups` admits the user.
fn in_groups(ctld: &Slurmctld, part: &PartConf, uid: Uid) -> bool {
    part.allow_groups.as_ref().is_none_or(|groups| groups.iter().any(|g| ctld.in_group(uid, g)))
}

/// The sentence that replaces a reason's name.
pub(crate) fn sentence(ctld: &Slurmctld, job: &Job, part: PartId, reason: Reason) -> Option<String> {
    if reason != Reason::Qos {
        return None;
    }
    let conf = ctld.partition(part);
    let name = ctld.dbd.qos_by_id(job.qos).map_or("", |q| q.name.as_str());
    let (verb, list, not) = match (&conf.allow_qos, &conf.deny_qos) {
        (Some(list), _) => ("allows", list, "not"),
        (None, Some(list)) => ("denies", list, "including"),
        (None, None) => return None,
    };
    let part = &conf.name;
    Some(format!(
        "Job's QOS not permitted to use this partition ({part} {verb} {} {not} {name})",
        list.join(",")
    ))
}
