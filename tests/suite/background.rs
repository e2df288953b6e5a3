//! Other people's work: the same in every run, as much as was asked for, and taken by each site's rules.

use sandbatch::base::time::{Span, Time};
use sandbatch::config::sites::{built_in, names};
use sandbatch::world::World;

/// Monday, 2026-03-02 09:00.
const START: Time = Time::from_secs(1_772_442_000);

/// A site after so many hours of this much work.
fn world(site: &str, amount: &str, hours: i64) -> World {
    let mut files = built_in(site).expect("a site");
    files.0.insert("background".to_owned(), amount.to_owned());
    let (mut world, found) = World::new(site, &files, 7, START);
    assert!(found.is_empty(), "{site}: {found:?}");
    let end = START + Span::from_secs(hours * 3600);
    while world.step(end) {}
    world
}

fn submitted(world: &World) -> u64 {
    world.ctld.dbd.jobs.len()
}

#[test]
fn the_same_seed_gives_the_same_day() {
    let (a, b) = (world("lab", "busy", 3), world("lab", "busy", 3));
    assert!(submitted(&a) > 20);
    assert_eq!(a.hash(), b.hash());
}

#[test]
fn more_is_more_and_off_is_nothing() {
    let counts = ["off", "quiet", "normal", "overloaded"].map(|amount| submitted(&world("lab", amount, 4)));
    assert_eq!(counts[0], 0);
    assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
}

#[test]
fn every_site_is_at_work() {
    for site in names() {
        let world = world(site, "normal", 2);
        let kinds: std::collections::BTreeSet<&str> =
            world.ctld.dbd.jobs.values().map(|job| job.name.as_str()).collect();
        // What arrives rarely may not have arrived yet; what a site refuses never would.
        let often = world.site.background.iter().filter(|work| work.per_day >= 20);
        let lost: Vec<&str> =
            often.map(|work| work.name.as_str()).filter(|name| !kinds.contains(name)).collect();
        assert!(lost.is_empty(), "{site}: no {lost:?} among {kinds:?}");
        assert!(world.ctld.active_jobs().count() >= 2, "{site}: hardly anything runs");
        assert_eq!(world.check().err(), None, "{site}");
    }
}
