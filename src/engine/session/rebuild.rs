//! Rebuilds a session by replaying its journal, if its saved state is damaged or has another layout.
//!
//! The journal defines the session, so a version with another state layout can still open sessions of earlier
//! versions. If the replay shows that the program now simulates differently, a notice names the first affected
//! input.

use super::journal::JournalEntry;
use super::saved::Unusable;
use super::track::Track;
use protocol::UserNotice;

/// Limit on the work of replaying a whole session, see [`Track::run_to`].
const FUEL: u64 = 20_000_000;

/// Applies the entries that `track` has not applied yet, and stops in between at the moment of the unusable
/// state. Returns the entries with their positions in this replay, and the notices. Entries from number `loose`
/// on are applied by their times only. `each` is called with the track after every entry.
pub fn take_up(
    track: &mut Track,
    mut entries: Vec<JournalEntry>,
    mut loose: Option<u64>,
    unusable: Option<Unusable>,
    mut each: impl FnMut(&Track),
) -> (Vec<JournalEntry>, Vec<UserNotice>) {
    let mut fuel = FUEL;
    let (mut same, mut differs, mut reached) = (false, None, true);
    if let Some(unusable) = unusable {
        let old = entries.partition_point(|e| e.seq <= unusable.seq);
        let retaken = track.retake(&mut entries[..old], loose, &mut fuel, &mut each);
        differs = retaken.drift.map(|seq| format!("from input {seq} on"));
        let exact = loose.is_none() && differs.is_none();
        reached = retaken.taken == old && go_to(track, unusable, exact, &mut fuel);
        same = reached && exact && track.world.hash() == unusable.hash;
        if reached && exact && Some(track.world.now) == unusable.now && track.step != unusable.step {
            differs = Some("after the last input that was saved".to_owned());
        }
        if differs.is_some() {
            loose = Some(0);
        }
        if retaken.taken < old {
            entries.truncate(retaken.taken);
        }
    }
    let retaken = track.retake(&mut entries, loose, &mut fuel, each);
    differs = differs.or(retaken.drift.map(|seq| format!("from input {seq} on")));
    let whole = reached && retaken.taken == entries.len();
    entries.truncate(retaken.taken);
    let mut notices = Vec::new();
    if !whole {
        notices.push(UserNotice::Bound(
            "the session took too long to replay; what came last is missing".to_owned(),
        ));
    }
    let why = unusable.filter(|_| !same).map(|unusable| match unusable.outdated {
        Some(layout) => format!("an earlier version of sandbatch saved it (format {layout})"),
        None => "its saved state can't be used".to_owned(),
    });
    notices.extend(text(why, entries.len(), differs).map(UserNotice::Rebuilt));
    (entries, notices)
}

/// Runs to the moment of the unusable state. False if the fuel was used up.
fn go_to(track: &mut Track, unusable: Unusable, exact: bool, fuel: &mut u64) -> bool {
    let Some(now) = unusable.now else { return true };
    track.run_to(now, exact.then_some(unusable.step), fuel)
        // If there were fewer events than recorded, the clock may be behind.
        && (track.world.now == now || track.run_to(now, None, fuel))
}

fn text(why: Option<String>, inputs: usize, differs: Option<String>) -> Option<String> {
    let differs = differs.map(|from| format!("the result differs {from}"));
    match (why, differs) {
        (None, None) => None,
        // The hashes of two layouts cannot be compared.
        (Some(why), differs) => {
            let differs = differs.unwrap_or_else(|| "the result may differ".to_owned());
            Some(format!("{why}. {inputs} inputs were replayed; {differs}."))
        }
        (None, Some(differs)) => {
            Some(format!("{differs}. Another version of the program, or of the site, made the session."))
        }
    }
}
