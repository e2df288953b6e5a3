//! A site's `slurm.conf` from what `scontrol show config`, `show node` and `show partition` print.
//!
//! Ordinary users may run these commands although they may not read the files. Both layouts are read, one line for each item
//! (`-o`) and several, of any Slurm from 20.11 on. What a running cluster does not tell is listed as a diagnostic: which
//! cores a GPU belongs to, weights of GRES, prologs' contents.

mod global;
mod items;
mod nodes;
mod partitions;
#[cfg(test)]
mod tests;

use base::diagnostic::{Diagnostic, Severity};
use config::{Cluster, SiteFiles};
use std::collections::BTreeMap;

/// Texts that `scontrol` printed, each with a name for diagnostics.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownTexts<'a> {
    /// `scontrol show config`.
    pub config: Option<(&'a str, &'a str)>,
    /// `scontrol show node`.
    pub nodes: Option<(&'a str, &'a str)>,
    /// `scontrol show partition`.
    pub partitions: Option<(&'a str, &'a str)>,
}

/// The files that the texts describe, and what was guessed or left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownSite {
    /// `slurm.conf`, and `cgroup.conf` if its settings were shown.
    pub files: BTreeMap<String, String>,
    /// What was guessed or left out, by the line of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes the files of a site. Missing texts are replaced by the least that makes a cluster, with a warning.
#[must_use]
pub fn site(texts: ShownTexts) -> ShownSite {
    let mut log = ShownLog::default();
    let mut conf = String::from("# Written by `sandbatch import` from the output of scontrol.\n");
    let mut files = BTreeMap::new();
    match texts.config {
        Some((file, text)) => {
            let (settings, cgroup) = global::settings(file, text, &mut log);
            conf += &settings;
            if !cgroup.is_empty() {
                files.insert("cgroup.conf".to_owned(), cgroup);
            }
        }
        None => {
            conf += global::BARE;
            log.warn(
                "slurm.conf",
                0,
                "no `scontrol show config`: every global setting is a guess".to_owned(),
            );
        }
    }
    match texts.nodes {
        Some((file, text)) => conf += &nodes::lines(file, text, &mut log),
        None => log.warn("slurm.conf", 0, "no `scontrol show node`: the cluster has no nodes".to_owned()),
    }
    match texts.partitions {
        Some((file, text)) => conf += &partitions::lines(file, text, &mut log),
        None => {
            conf += "PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP\n";
            let message = "no `scontrol show partition`: one partition of all nodes is a guess";
            log.warn("slurm.conf", 0, message.to_owned());
        }
    }
    files.insert("slurm.conf".to_owned(), without_errors(&conf, &mut log));
    ShownSite { files, diagnostics: log.0 }
}

/// Comments out the lines that the reader of `slurm.conf` refuses, and reports them.
fn without_errors(conf: &str, log: &mut ShownLog) -> String {
    let cluster = Cluster::parse(&SiteFiles([("slurm.conf".to_owned(), conf.to_owned())].into()));
    let refused: BTreeMap<u32, String> = cluster
        .diagnostics
        .into_iter()
        .filter(|d| d.severity == Severity::Error && d.file == "slurm.conf" && d.line > 0)
        .map(|d| (d.line, d.message))
        .collect();
    let mut text = String::with_capacity(conf.len());
    for (line, number) in conf.lines().zip(1..) {
        match refused
            .get(&number)
            .filter(|_| !line.starts_with("NodeName") && !line.starts_with("PartitionName"))
        {
            Some(message) => {
                log.warn("slurm.conf", number, format!("left out: {message}"));
                text += "# left out: ";
            }
            None => {
                if let Some(message) = refused.get(&number) {
                    log.warn("slurm.conf", number, message.clone());
                }
            }
        }
        text += line;
        text.push('\n');
    }
    text
}

/// Diagnostics in the making.
#[derive(Default)]
struct ShownLog(Vec<Diagnostic>);

impl ShownLog {
    fn add(&mut self, severity: Severity, file: &str, line: u32, message: String) {
        self.0.push(Diagnostic { severity, file: file.to_owned(), line, message });
    }

    fn warn(&mut self, file: &str, line: u32, message: String) {
        self.add(Severity::Warning, file, line, message);
    }

    fn note(&mut self, file: &str, line: u32, message: String) {
        self.add(Severity::Note, file, line, message);
    }
}
