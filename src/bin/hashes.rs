//! Runs the fixed scenarios and prints the hashes of the state after each step: `cargo xtask test` compares what this
//! program says natively (`hashes FOLDER`) and in WebAssembly (`hashes([name, text, ...])`).

use sandbatch::config::SiteFiles;
use sandbatch::session::scenario;

const SCENARIOS: [&str; 1] = ["chapter7"];

/// One line for each step of each scenario.
fn lines(files: &SiteFiles) -> String {
    let mut lines = String::new();
    for name in SCENARIOS {
        for (step, hash) in scenario(files, name).iter().enumerate() {
            lines.push_str(&format!("{name} {step} {hash:016x}\n"));
        }
    }
    lines
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    //! The same behind a JavaScript function.

    use super::{SiteFiles, lines};
    use sandbatch::base::time::Time;
    use sandbatch::session::busy;
    use sandbatch::session::replay::{Replay, events as trace, site::controller};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// When traces begin.
    const START: Time = Time::from_secs(1_795_240_440);

    /// Takes the site's files: a name, its text, the next name ...
    #[wasm_bindgen]
    #[must_use]
    pub fn hashes(names_and_texts: Vec<String>) -> String {
        lines(&site(&names_and_texts))
    }

    /// For `cargo xtask bench`: runs a busy cluster for some hours and gives the number of events.
    #[wasm_bindgen]
    #[must_use]
    pub fn events(names_and_texts: Vec<String>, hours: i32) -> f64 {
        busy(&site(&names_and_texts), hours.into()).1 as f64
    }

    /// For `cargo xtask replay`: runs a trace of sbatch lines on a site and gives the number of events.
    #[wasm_bindgen]
    #[must_use]
    pub fn replay(text: &str, names_and_texts: Vec<String>) -> f64 {
        let (ctld, _) = controller("trace", &site(&names_and_texts), START);
        let jobs = trace::parse("trace", text, &ctld.people).jobs;
        let mut replay = Replay::new(ctld, jobs, START);
        while replay.run(u64::MAX) {}
        replay.events() as f64
    }

    fn site(names_and_texts: &[String]) -> SiteFiles {
        let pairs = names_and_texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
        SiteFiles(pairs.collect())
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "examples/sites/inserm".to_owned());
    match read(std::path::Path::new(&folder)) {
        Ok(files) => {
            print!("{}", lines(&files));
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("hashes: {folder}: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// A site's files by their path below its folder, with `/`.
#[cfg(not(target_arch = "wasm32"))]
fn read(folder: &std::path::Path) -> std::io::Result<SiteFiles> {
    fn walk(
        root: &std::path::Path,
        folder: &std::path::Path,
        files: &mut std::collections::BTreeMap<String, String>,
    ) -> std::io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                walk(root, &path, files)?;
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                files.insert(name, std::fs::read_to_string(&path)?);
            }
        }
        Ok(())
    }
    let mut files = std::collections::BTreeMap::new();
    walk(folder, folder, &mut files)?;
    Ok(SiteFiles(files))
}
