//! How much the engine does in a second: events, and hours of a busy cluster. `cargo xtask bench` writes it down.
#![allow(clippy::disallowed_methods)] // This measures real time.

use sandbatch::config::SiteFiles;
use sandbatch::session::busy;
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
    let began = Instant::now();
    let (world, events) = busy(&SiteFiles(files), HOURS);
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
