//! `[[usage]]`: usage from before the simulation starts, as on a cluster that has run for years.

use crate::Slurmctld;
use config::policy::StartUsage;

impl Slurmctld {
    /// Sets the initial usage of the associations. Returns the entries that match no association, for an error message.
    #[must_use]
    pub fn begin_usage(&mut self) -> Vec<StartUsage> {
        let mut lost = Vec::new();
        for entry in std::mem::take(&mut self.policy.usage) {
            let of_user = |a: &slurmdbd::Assoc| a.user == entry.user;
            let found =
                self.dbd.live().find(|a| of_user(a) && a.account.eq_ignore_ascii_case(&entry.account));
            match found.map(|a| a.id) {
                Some(id) => {
                    let raw = entry.raw_thousandths as f64 / 1000.0;
                    self.dbd.add_usage(id, raw, entry.wall as f64, &entry.tres);
                }
                None => lost.push(entry.clone()),
            }
            self.policy.usage.push(entry);
        }
        self.recount();
        lost
    }
}
