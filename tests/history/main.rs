//! Histories of clusters: imports, round trips, and replays compared with recordings of a real Slurm.

mod recorded;
mod roundtrip;
mod script;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A path within the project.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A path for a test's files, which does not exist yet.
fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("history").join(name);
    let _ = fs::remove_dir_all(&dir);
    dir
}

/// The files of an imported site.
fn files(site: &Path) -> config::SiteFiles {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(site).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != import::WORKLOAD {
            files.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    config::SiteFiles(files)
}
