//! Compares the states of all tabs: at each checkpoint every tab reports a hash, and a tab that differs from most gets a message.

use super::HASH_EVERY;
use std::collections::BTreeMap;

/// Checkpoints that are remembered.
const MAX_POINTS: usize = 8;

/// The reports of the latest checkpoints: by number and seat, with whether the seat was informed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashReports(BTreeMap<u64, BTreeMap<u32, (u64, bool)>>);

impl HashReports {
    /// Takes a report. Returns the seats that have to be informed that they differ at this checkpoint. A report about
    /// another entry than a checkpoint up to `last`, or a second one, does not count.
    pub fn report(&mut self, seat: u32, number: u64, hash: u64, last: u64) -> Vec<u32> {
        if number == 0 || !number.is_multiple_of(HASH_EVERY) || number > last {
            return Vec::new();
        }
        let old = self.0.first_key_value().is_some_and(|(first, _)| number < *first);
        if old && self.0.len() >= MAX_POINTS {
            return Vec::new();
        }
        let reports = self.0.entry(number).or_default();
        if reports.contains_key(&seat) {
            return Vec::new();
        }
        reports.insert(seat, (hash, false));
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for (hash, _) in reports.values() {
            *counts.entry(*hash).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let mut leaders = counts.iter().filter(|(_, count)| **count == most).map(|(hash, _)| *hash);
        // If two states have the same number of tabs, neither is known to be right, and all tabs get the message.
        let most = leaders.next().filter(|_| leaders.next().is_none());
        let mut informed = Vec::new();
        for (seat, (hash, knows)) in reports {
            if Some(*hash) != most && !*knows {
                *knows = true;
                informed.push(*seat);
            }
        }
        while self.0.len() > MAX_POINTS {
            self.0.pop_first();
        }
        informed
    }
}
