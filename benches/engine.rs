//! How much the engine does in a second: events, and hours of a busy cluster. `cargo xtask bench` writes it down.
#![allow(clippy::disallowed_methods)] // This measures real time.

use sandbatch::base::time::{Span, Time};
use sandbatch::config::SiteFiles;
use sandbatch::world::{Input, World};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

const SITE: &str = "examples/sites/inserm";
const HOURS: i64 = 24;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(SITE);
    let mut files = BTreeMap::new();
    read(&folder, &folder, &mut files);
    let start = Time::from_secs(1_795_240_458);
    let (mut world, _) = World::new("inserm", &SiteFiles(files), 1, start);
    for partition in ["CPU-4", "CPU-16", "A100-10"] {
        let command =
            format!("sbatch -p {partition} --array=1-900 -t 20 --wrap 'sleep $((RANDOM % 900 + 30))'");
        world.apply(&Input::Run { user: "alice".to_owned(), command });
    }
    let until = start + Span::from_secs(HOURS * 3600);
    let began = Instant::now();
    let mut events = 0_u64;
    while world.now < until && world.step(until) {
        events += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("engine, natively: events a second | {:.0}", events as f64 / seconds);
    println!("engine, natively: {HOURS} hours of 2700 jobs in | {seconds:.2} s");
    let began = Instant::now();
    for _ in 0..100 {
        std::hint::black_box(world.clone());
    }
    println!("engine, natively: a fork | {:.3} ms", began.elapsed().as_secs_f64() * 10.0);
}

/// A site's files by their path below its folder.
fn read(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the site is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below the site").to_string_lossy().replace('\\', "/");
            files.insert(name, fs::read_to_string(&path).expect("a site's file is text"));
        }
    }
}
