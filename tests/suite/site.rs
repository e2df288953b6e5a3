//! Sites read from directories.

use crate::page::Page;
use base::time::Time;
use config::SiteFiles;
use engine::session::Setup;
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

#[test]
fn a_desktop_reaches_only_the_ports_of_its_node() {
    let mut page = Page::of(inserm(1), None, Vec::new());
    page.types("sbatch bureau.slurm; sleep 5");
    let firefox = "firefox http://localhost:3000";
    let seen = page.types(&format!("srun --jobid=1 --overlap {firefox}"));
    assert!(seen.contains("<h1>Mon application</h1> <p>sur cpu4-01</p>"), "{seen}");
    let second = page.types("srun --jobid=1 --overlap python mon_app.py");
    assert!(second.contains("OSError: [Errno 98] Address already in use"), "{second}");
    let listeners = page.types("srun --jobid=1 --overlap ss -ltnp");
    assert!(listeners.contains("127.0.0.1:3000") && listeners.contains("python"), "{listeners}");
    let login = page.types(firefox);
    assert!(login.contains("Unable to connect"), "localhost is one's own host: {login}");
    assert!(page.types("curl -s localhost:3000; echo $?").contains('7'));
    page.types("scancel 1; sleep 5");
    let after = page.types("salloc -p CPU-4 -w cpu4-01 -t 5 srun nc -zv localhost 3000");
    assert!(after.contains("Connection refused"), "its port went with its job: {after}");
}
