//! Runs fixed scenarios and prints the hash of the state after each step. `cargo xtask test` compares the
//! output of the native program with that of the WebAssembly program.

use engine::session::{SCENARIOS, scenario};

/// One line for each step of each scenario.
fn lines() -> String {
    let mut lines = String::new();
    for name in SCENARIOS {
        for (step, hash) in scenario(name).iter().enumerate() {
            lines.push_str(&format!("{name} {step} {hash:016x}\n"));
        }
    }
    lines
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    //! The same lines, exported to JavaScript.

    use super::lines;
    use base::time::Time;
    use config::SiteFiles;
    use engine::session::busy;
    use engine::session::replay::{Replay, events as trace, site::controller};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Virtual time at which traces begin.
    const START: Time = Time::from_secs(1_795_240_440);

    /// What the native program prints.
    #[wasm_bindgen]
    #[must_use]
    pub fn hashes() -> String {
        lines()
    }

    /// For `cargo xtask bench`: runs a busy cluster for `hours` and returns the number of events.
    /// `names_and_texts` holds the site's files as alternating names and contents.
    #[wasm_bindgen]
    #[must_use]
    pub fn events(names_and_texts: Vec<String>, hours: i32) -> f64 {
        busy(&site(&names_and_texts), hours.into()).1 as f64
    }

    /// For `cargo xtask replay`: runs a trace of sbatch lines on a site and returns the number of events.
    #[wasm_bindgen]
    #[must_use]
    pub fn replay(text: &str, names_and_texts: Vec<String>) -> f64 {
        let (ctld, _) = controller("trace", &site(&names_and_texts), START);
        let jobs = trace::parse("trace", text, &ctld.people).jobs;
        let mut replay = Replay::new(ctld, jobs, START);
        while replay.run(u64::MAX) {}
        replay.events() as f64
    }

    /// For `cargo xtask python`: runs a Python program and returns what it printed.
    #[wasm_bindgen]
    #[must_use]
    pub fn python(source: &str) -> String {
        python::run_alone(source).1
    }

    fn site(names_and_texts: &[String]) -> SiteFiles {
        let pairs = names_and_texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
        SiteFiles(pairs.collect())
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    print!("{}", lines());
}
