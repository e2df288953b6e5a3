//! `[[usage]]`: what was used before the world began, as a cluster that has run for years has it.

use crate::Slurmctld;
use config::policy::StartUsage;

impl Slurmctld {
    /// Gives the associations the usage that the site says; entries that name none come back, to be told.
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
