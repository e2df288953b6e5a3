//! Background jobs: identical in every run, in the requested amount, and accepted by each site's rules.

use super::page::Page;
use base::time::{Span, Time};
use config::sites::{built_in, names};
use engine::session::Setup;
use engine::world::World;
use protocol::ToEngine;

/// Monday, 2026-03-02 09:00.
const START: Time = Time::from_secs(1_772_442_000);

/// A site after this many hours with this amount of background jobs.
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
fn amounts_of_background_jobs() {
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
        // Jobs that wait for their time have no record yet.
        let waiting = world.ctld.pending_jobs().map(|job| job.desc.name.as_str());
        let kinds: std::collections::BTreeSet<&str> = kinds.into_iter().chain(waiting).collect();
        // Rare jobs may not have arrived yet. Jobs that a site refuses would never appear.
        let often = world.site.background.iter().filter(|work| work.per_day >= 20);
        let lost: Vec<&str> =
            often.map(|work| work.name.as_str()).filter(|name| !kinds.contains(name)).collect();
        assert!(lost.is_empty(), "{site}: no {lost:?} among {kinds:?}");
        assert!(world.ctld.active_jobs().count() >= 2, "{site}: hardly anything runs");
        assert_eq!(world.check().err(), None, "{site}");
    }
}

/// A session on the site `lab` on an ordinary day.
fn setup() -> Setup {
    let mut files = built_in("lab").expect("a site");
    files.0.insert("background".to_owned(), "normal".to_owned());
    Setup { site: "lab".to_owned(), files, seed: 1, start: START }
}

#[test]
fn a_new_session_has_long_running_jobs() {
    let mut page = Page::of(setup(), None, Vec::new());
    assert!(page.types("squeue -h -t R -o %M").contains(":"), "{}", page.text());
    let longest = page.types("squeue -h -t R -S M -o %M | tail -1");
    assert!(longest.matches(':').count() == 2, "hours: {longest}");
    assert!(page.types("sacct -aXn -o state").matches("COMPLETED").count() > 5, "{}", page.text());
    // The README's first job starts immediately.
    page.types("sbatch first.sh; sleep 5");
    assert!(page.types("squeue -h --me").contains(" R "), "{}", page.text());
}

#[test]
fn a_placeholder_is_shown_until_the_whole_program_is_loaded() {
    let mut page = Page::of(setup(), None, Vec::new());
    let before = page.text();
    assert!(page.prompt.is_some() && before.contains("break whatever you like"), "{before}");
    page.draw();
    assert_eq!((page.frame.running, page.frame.now), (0, START.0), "its time stands still");
    page.ticks(10);
    assert!(page.saved.is_none(), "the page is not drawn yet");
    page.send(ToEngine::Drawn);
    assert!(page.saved.is_some() && page.journal.is_empty(), "the page has nothing of the stand-in");
    page.draw();
    assert!(page.frame.running > 10);
    assert_eq!(page.text(), before, "nothing is printed twice");
    page.send(ToEngine::Save);
    let hash = page.types("squeue | md5sum");
    let mut again = Page::of(setup(), page.saved.clone(), Vec::new());
    assert!(again.notices.is_empty(), "{:?}", again.notices);
    assert_eq!(again.types("squeue | md5sum"), hash);
}

#[test]
fn a_deferred_module_that_failed_to_load_is_requested_again() {
    let mut page = Page::of(setup(), None, Vec::new());
    page.loads = false;
    page.send(ToEngine::Drawn);
    page.ticks(10);
    assert!(page.saved.is_none(), "what stands in stays");
    assert!(page.types("squeue -h -t R -o %M").contains(":"), "{}", page.text());
    assert!(!page.engine.wants_deferred(), "it is said once");
}

/// Mean percentage of cores in use from Tuesday to Friday, and the number of pending jobs at the end.
fn load(site: &str, amount: &str) -> (u32, usize) {
    let mut world = world(site, amount, 15);
    let (mut used, mut all) = (0, 0);
    for hour in 1..=4 * 24 {
        let end = START + Span::from_secs((15 + hour) * 3600);
        while world.step(end) {}
        used += world.ctld.nodes.iter().map(|n| n.cpus_used).sum::<u32>();
        all += world.ctld.nodes.iter().map(|n| n.conf.cpus).sum::<u32>();
    }
    (used * 100 / all, world.ctld.pending_jobs().count())
}

#[test]
fn quiet_is_a_third_and_overloaded_grows() {
    let table: &[(&str, std::ops::RangeInclusive<u32>)] =
        &[("quiet", 20..=42), ("normal", 55..=80), ("busy", 75..=97), ("overloaded", 85..=100)];
    let loads: Vec<(u32, usize)> = table.iter().map(|(amount, _)| load("iq", amount)).collect();
    for ((amount, bounds), (used, _)) in table.iter().zip(&loads) {
        assert!(bounds.contains(used), "{amount}: {used}% of the cores");
    }
    assert!(loads[0].1 < 5 && loads[3].1 > 20, "who waits: {loads:?}");
}
