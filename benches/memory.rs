//! Measures the memory of a session after five months of a busy cluster (one hour of the page at 3600x),
//! counted by the allocator. `cargo xtask bench` records the result. Pointers are twice as wide here as in the
//! page.
#![allow(unsafe_code)] // An allocator cannot be written without.

use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::Input;
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator with counters: bytes in use, and their maximum.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(live, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SITE: &str = "examples/sites/inserm";
/// Five months.
const HOURS: u32 = 3600;
/// Hours between two measurements.
const MONTH: u32 = 720;

fn main() {
    let hours = std::env::var("HOURS").ok().and_then(|text| text.parse().ok()).unwrap_or(HOURS);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(SITE);
    let mut files = BTreeMap::new();
    read(&folder, &folder, &mut files);
    let start = Time::from_secs(1_795_240_458);
    let setup = Setup { site: "inserm".to_owned(), files: SiteFiles(files), seed: 1, start };
    let mut session = Session::new(setup);
    for hour in 1..=hours {
        for partition in ["CPU-4", "CPU-16", "A100-10"] {
            let command = format!(
                "sbatch -p {partition} --array=1-25 -t 20 -o %A.out --wrap 'sleep $((RANDOM % 900 + 30))'"
            );
            session.apply(Input::Run { user: "alice".to_owned(), command });
        }
        session.run_until(start + Span::from_secs(i64::from(hour) * 3600), u64::MAX);
        if hour.is_multiple_of(MONTH) {
            eprintln!("after {} days: {}", hour / 24, megabytes(LIVE.load(Relaxed)));
        }
    }
    let records = session.world().ctld.dbd.jobs.len();
    println!(
        "memory, native: a session after {} days of a busy cluster | {}",
        hours / 24,
        megabytes(LIVE.load(Relaxed))
    );
    println!("memory, native: peak | {}", megabytes(MOST.load(Relaxed)));
    println!("memory, native: job records in that session | {records}");
    let (before, saved) = (LIVE.load(Relaxed), session.save().len());
    println!("memory, native: saved session | {}", megabytes(saved));
    let present = session.fork();
    drop(session);
    let world = LIVE.load(Relaxed);
    println!("memory, native: keyframes in that session | {}", megabytes(before - world));
    drop(present);
}

fn megabytes(bytes: usize) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

fn read(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below it").to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read_to_string(&path).expect("text"));
        }
    }
}
