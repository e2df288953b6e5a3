//! `[[usage]]`: usage from before the simulation starts, as on a cluster that has run for years.

use crate::Slurmctld;
use base::time::Time;
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

    /// Sets all usage back to what the site says, whatever the jobs before a world's first moment have used: a
    /// guide's table of usage holds when a session begins. Running jobs are charged from now on.
    pub fn restart_usage(&mut self, now: Time) {
        if self.policy.usage.is_empty() {
            return;
        }
        // Charges what has run until now, so that the next period does not.
        self.priority_period(now);
        self.dbd.decay(0.0);
        // Entries without an association were reported when the world began.
        drop(self.begin_usage());
        self.priority_period(now);
    }
}
