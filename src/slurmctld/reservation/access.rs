//! Access to reservations, and which ones a job names. Mirrors `--reservation` of sbatch(1).

use super::Reservation;
use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::Job;
use base::ids::{ResvId, Uid};
use base::time::Time;

/// Whether a job may use a reservation: its user or group, its account, and its QOS and partition if the reservation
/// names any.
pub(super) fn may_use(ctld: &Slurmctld, resv: &Reservation, job: &Job) -> bool {
    let user = ctld.user_name(job.uid());
    // Users have no other group here, so groups are looked up by the user's name.
    let users = resv.users.admits(std::iter::once(user.as_str()));
    let groups = resv.groups.admits(std::iter::once(user.as_str()));
    let accounts = resv.accounts.admits(std::iter::once(job.account.as_str()));
    let qos = ctld.dbd.qos.iter().find(|q| q.id == job.qos).map(|q| q.name.as_str());
    let parts = job.partitions.iter().map(|p| ctld.partition(*p).name.as_str());
    [users.or(groups), accounts, resv.qos.admits(qos.into_iter()), resv.partitions.admits(parts)]
        .into_iter()
        .flatten()
        .all(|admitted| admitted)
}

impl Slurmctld {
    /// Whether a user may use a reservation with any of their accounts.
    #[must_use]
    pub fn admits(&self, resv: &Reservation, uid: Uid) -> bool {
        let user = self.user_name(uid);
        let users = resv.users.admits(std::iter::once(user.as_str()));
        let groups = resv.groups.admits(std::iter::once(user.as_str()));
        let mine = self.dbd.live().filter(|a| a.user.as_ref() == Some(&user));
        let accounts = resv.accounts.admits(mine.map(|a| a.account.as_str()));
        [users.or(groups), accounts].into_iter().flatten().all(|admitted| admitted)
    }

    /// The reservations that a job names, if it may use all of them.
    pub(crate) fn reservations_for(
        &self,
        names: Option<&str>,
        job: &Job,
        now: Time,
    ) -> Result<Vec<ResvId>, SlurmError> {
        let mut ids = Vec::new();
        for name in names.unwrap_or_default().split(',').filter(|n| !n.is_empty()) {
            let resv = self.reservations.by_name(name).ok_or(SlurmError::ReservationInvalid)?;
            if resv.window(now).1 <= now {
                return Err(SlurmError::ReservationInvalid);
            }
            if !may_use(self, resv, job) {
                return Err(SlurmError::ReservationAccess);
            }
            ids.push(resv.id);
        }
        Ok(ids)
    }
}
