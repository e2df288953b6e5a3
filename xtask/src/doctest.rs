//! `cargo xtask doctest DIR`: the table of `docs/doctest.md`, from checked-out documentation of several centres.
//!
//! `examples/doctest/documentation.json` lists the repositories, the commits that were judged, the sites in
//! `examples/doctest/sites`, and the findings that are false or doubtful, each with the reason.

use crate::run::{cargo, quietly, target};
use crate::{Outcome, root, say};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The documentation of one centre.
#[derive(Deserialize)]
struct Documentation {
    name: String,
    repository: String,
    commit: String,
    sites: Vec<String>,
    /// False and doubtful findings: `path:line`, and why.
    doubtful: BTreeMap<String, String>,
}

/// What `sandbatch doctest --format json` prints, as far as the table needs it.
#[derive(Deserialize)]
struct Report {
    pages: usize,
    blocks: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    file: String,
    verdict: String,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    line: u32,
    verdict: String,
}

/// Verdicts that are no faults.
const NO_FAULT: [&str; 2] = ["fine", "unchecked"];

/// Prints the table. Documentation that is not in `dir` is named and left out.
pub fn table(dir: &str, options: &[&str]) -> Outcome {
    let list = root().join("examples/doctest/documentation.json");
    let text = fs::read_to_string(&list).map_err(|e| format!("{}: {e}.", list.display()))?;
    let all: Vec<Documentation> =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}.", list.display()))?;
    say::note("building sandbatch");
    quietly(&mut cargo("build --locked --bin sandbatch"))?;
    println!(
        "| documentation | commit | pages | blocks | blocks with findings | of these false or doubtful |"
    );
    println!("| --- | --- | ---: | ---: | ---: | --- |");
    for documentation in &all {
        let folder = documentation.repository.rsplit('/').next().unwrap_or_default();
        let path = Path::new(dir).join(folder);
        if path.is_dir() {
            row(documentation, &path, options)?;
        } else {
            let Documentation { name, repository, commit, .. } = documentation;
            say::note(&format!(
                "{name} is left out: check out {repository} at {commit} as {}",
                path.display()
            ));
        }
    }
    Ok(())
}

fn row(documentation: &Documentation, path: &Path, options: &[&str]) -> Outcome {
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(path).output();
    let head = head.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default();
    if !head.starts_with(&documentation.commit) {
        let Documentation { name, commit, .. } = documentation;
        say::note(&format!("{name}: not known to be at {commit}, whose findings were judged"));
    }
    let program = target().join("debug").join(format!("sandbatch{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.args(["doctest", ".", "--format", "json"]).args(options).current_dir(path).stdin(Stdio::null());
    for site in &documentation.sites {
        command.arg("--site").arg(root().join("examples/doctest/sites").join(site));
    }
    let out = command.output().map_err(|e| format!("sandbatch could not be started: {e}."))?;
    let report: Report = serde_json::from_slice(&out.stdout).map_err(|e| {
        format!("{}: {e}.\n{}", documentation.name, String::from_utf8_lossy(&out.stderr).trim_end())
    })?;
    let is_fault = |verdict: &String| !NO_FAULT.contains(&verdict.as_str());
    let faulty: Vec<&Block> = report.blocks.iter().filter(|block| is_fault(&block.verdict)).collect();
    let mut judged = BTreeSet::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &faulty {
        let lines = block.findings.iter().filter(|f| is_fault(&f.verdict)).map(|f| f.line);
        let places = lines.map(|line| format!("{}:{line}", block.file.trim_start_matches("./")));
        if let Some((place, why)) =
            places.filter_map(|place| documentation.doubtful.get_key_value(&place)).next()
        {
            judged.insert(place);
            *reasons.entry(why).or_default() += 1;
        }
    }
    for (place, why) in documentation.doubtful.iter().filter(|(place, _)| !judged.contains(place)) {
        say::note(&format!("{}: no finding at {place} ({why})", documentation.name));
    }
    let Documentation { name, commit, .. } = documentation;
    let doubtful: usize = reasons.values().sum();
    let reasons: Vec<String> = reasons
        .iter()
        .map(|(why, count)| if *count == 1 { (*why).to_owned() } else { format!("{count}: {why}") })
        .collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
    let (pages, blocks, faults) = (report.pages, report.blocks.len(), faulty.len());
    println!("| {name} | {commit} | {pages} | {blocks} | {faults} | {doubtful}{reasons} |");
    Ok(())
}
