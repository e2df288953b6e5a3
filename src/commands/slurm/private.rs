//! Who may see what, one table for all commands that show something. Mirrors `PrivateData` of slurm.conf(5):
//! operators and administrators see everything, coordinators what belongs to their accounts, others what is their own.

use super::jobtext::View;
use crate::base::ids::Uid;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::job::Job;
use crate::slurmctld::reservation::Reservation;
use crate::slurmdbd::Assoc;

/// A word of `PrivateData`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Accounts,
    Events,
    Jobs,
    Nodes,
    Partitions,
    Reservations,
    Usage,
    Users,
}

impl Kind {
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
pub fn is_private(state: &Slurmctld, kind: Kind) -> bool {
    let words = &state.cluster.global.private_data;
    words.iter().any(|w| w.eq_ignore_ascii_case(kind.word()) || w.eq_ignore_ascii_case("all"))
}

/// Whether somebody sees all of it: it is not private, or that person is an operator.
#[must_use]
pub fn sees_all(state: &Slurmctld, who: Uid, kind: Kind) -> bool {
    !is_private(state, kind) || state.is_operator(who)
}

/// Whether somebody may see a job, by its owner, account and MCS label.
#[must_use]
pub fn may_see_job(state: &Slurmctld, who: Uid, (owner, account): (Uid, &str), label: Option<&str>) -> bool {
    if !state.private_by_label() {
        return may_see(state, who, Kind::Jobs, owner, account);
    }
    sees_all(state, who, Kind::Jobs) || who == owner || state.has_label(who, label)
}

/// Whether somebody may see what belongs to a user and an account.
#[must_use]
pub fn may_see(state: &Slurmctld, who: Uid, kind: Kind, owner: Uid, account: &str) -> bool {
    sees_all(state, who, kind) || who == owner || state.dbd.coordinates(&state.user_name(who), account)
}

impl View<'_> {
    /// Whether who asks sees all of it.
    #[must_use]
    pub fn sees(&self, kind: Kind) -> bool {
        sees_all(self.state, self.asker, kind)
    }

    /// Whether who asks may see a job.
    #[must_use]
    pub fn sees_job(&self, job: &Job) -> bool {
        let whose = (job.uid(), job.account.as_str());
        may_see_job(self.state, self.asker, whose, job.desc.mcs_label.as_deref())
    }

    /// Whether who asks may see a reservation: where they are private, those that one may use.
    #[must_use]
    pub fn sees_reservation(&self, resv: &Reservation) -> bool {
        self.sees(Kind::Reservations) || self.state.admits(resv, self.asker)
    }

    /// Whether who asks may see an association's usage: where it is private, one's own and what one coordinates.
    #[must_use]
    pub fn sees_usage(&self, assoc: &Assoc) -> bool {
        let me = || self.state.user_name(self.asker);
        self.sees(Kind::Usage)
            || assoc.user.as_ref().is_some_and(|user| *user == me())
            || self.state.dbd.coordinates(&me(), &assoc.account)
    }
}
