//! The trackable resources in the database.

use slurmctld::Slurmctld;

/// All TRES with type, name and id.
#[must_use]
pub fn rows(state: &Slurmctld) -> Vec<(String, String, u32)> {
    let base = [
        ("cpu", "", 1),
        ("mem", "", 2),
        ("energy", "", 3),
        ("node", "", 4),
        ("billing", "", 5),
        ("fs", "disk", 6),
        ("vmem", "", 7),
        ("pages", "", 8),
    ];
    let mut rows: Vec<_> =
        base.iter().map(|(kind, name, id)| ((*kind).to_owned(), (*name).to_owned(), *id)).collect();
    let tracked = &state.cluster.global.tracked_gres;
    rows.extend((1001..).zip(tracked).map(|(id, name)| ("gres".to_owned(), name.clone(), id)));
    rows
}
