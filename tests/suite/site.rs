//! Sites from directories.

use sandbatch::base::time::Time;
use sandbatch::config::SiteFiles;
use sandbatch::session::Setup;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A path in the project.
pub fn path(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

/// A directory's files by name.
pub fn files(dir: &str) -> SiteFiles {
    let mut files = BTreeMap::new();
    collect(&path(dir), "", &mut files);
    SiteFiles(files)
}

/// The site `inserm` at a fixed moment.
pub fn inserm(seed: u64) -> Setup {
    let start = Time::from_secs(1_795_240_458);
    Setup { site: "inserm".to_owned(), files: files("examples/sites/inserm"), seed, start }
}

fn collect(dir: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(dir).expect("a site's directory") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read_to_string(entry.path()).expect("a text"));
        }
    }
}
