//! Visibility rules of all commands that show records. Mirrors `PrivateData` of slurm.conf(5).
//!
//! Operators and administrators see everything, coordinators the records of their accounts, other users their
//! own.

use super::jobtext::JobView;
use base::ids::Uid;
use slurmctld::Slurmctld;
use slurmctld::job::Job;
use slurmctld::reservation::Reservation;
use slurmdbd::Assoc;

/// A value of `PrivateData`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the variants say it")]
pub enum PrivateKind {
    Accounts,
    Events,
    Jobs,
    Nodes,
    Partitions,
    Reservations,
    Usage,
    Users,
}

impl PrivateKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Events => "events",
            Self::Jobs => "jobs",
            Self::Nodes => "nodes",
            Self::Partitions => "partitions",
            Self::Reservations => "reservations",
            Self::Usage => "usage",
            Self::Users => "users",
        }
    }
}

/// Whether this kind of data is private on the cluster.
#[must_use]
pub fn is_private(state: &Slurmctld, kind: PrivateKind) -> bool {
    let words = &state.cluster.global.private_data;
    words.iter().any(|w| w.eq_ignore_ascii_case(kind.word()) || w.eq_ignore_ascii_case("all"))
}

/// Whether a user sees all data of this kind: it is not private, or the user is an operator.
#[must_use]
pub fn sees_all(state: &Slurmctld, who: Uid, kind: PrivateKind) -> bool {
    !is_private(state, kind) || state.is_operator(who)
}

/// Whether a user may see a job, by its owner, account and MCS label.
#[must_use]
pub fn may_see_job(state: &Slurmctld, who: Uid, (owner, account): (Uid, &str), label: Option<&str>) -> bool {
    if !state.private_by_label() {
        return may_see(state, who, PrivateKind::Jobs, owner, account);
    }
    sees_all(state, who, PrivateKind::Jobs) || who == owner || state.has_label(who, label)
}

/// Whether a user may see records of another user and account.
#[must_use]
pub fn may_see(state: &Slurmctld, who: Uid, kind: PrivateKind, owner: Uid, account: &str) -> bool {
    sees_all(state, who, kind) || who == owner || state.dbd.coordinates(&state.user_name(who), account)
}

impl JobView<'_> {
    /// Whether the calling user sees all data of this kind.
    #[must_use]
    pub fn sees(&self, kind: PrivateKind) -> bool {
        sees_all(self.state, self.asker, kind)
    }

    /// Whether the calling user may see a job.
    #[must_use]
    pub fn sees_job(&self, job: &Job) -> bool {
        let whose = (job.uid(), job.account.as_str());
        may_see_job(self.state, self.asker, whose, job.desc.mcs_label.as_deref())
    }

    /// Whether the calling user may see a reservation. Private reservations are visible to users who may use
    /// them.
    #[must_use]
    pub fn sees_reservation(&self, resv: &Reservation) -> bool {
        self.sees(PrivateKind::Reservations) || self.state.admits(resv, self.asker)
    }

    /// Whether the calling user may see an association's usage. Private usage is visible to its user and the
    /// account's coordinators.
    #[must_use]
    pub fn sees_usage(&self, assoc: &Assoc) -> bool {
        let me = || self.state.user_name(self.asker);
        self.sees(PrivateKind::Usage)
            || assoc.user.as_ref().is_some_and(|user| *user == me())
            || self.state.dbd.coordinates(&me(), &assoc.account)
    }
}
