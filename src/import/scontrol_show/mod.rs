//! Reconstructs a site's `slurm.conf` from the output of `scontrol show config`, `show node` and `show partition`.
//!
//! Ordinary users may run these commands although they may not read the files. Both layouts are read, one line for each
//! item (`-o`) and several, of any Slurm from 20.11 on. Diagnostics list what a running cluster does not show: the
//! cores of a GPU, weights of GRES, the contents of prologs.

mod global;
mod items;
mod nodes;
mod partitions;
#[cfg(test)]
mod tests;

use base::diagnostic::{Diagnostic, Severity};
use config::{Cluster, SiteFiles};
use std::collections::BTreeMap;

/// The output of `scontrol`, each text with a name for diagnostics.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownTexts<'a> {
    /// `scontrol show config`.
    pub config: Option<(&'a str, &'a str)>,
    /// `scontrol show node`.
    pub nodes: Option<(&'a str, &'a str)>,
    /// `scontrol show partition`.
    pub partitions: Option<(&'a str, &'a str)>,
}

/// The files derived from the texts, and what was guessed or omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownSite {
    /// `slurm.conf`, and `cgroup.conf` if its settings were shown.
    pub files: BTreeMap<String, String>,
    /// What was guessed or omitted, by the line of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Creates the files of a site. Missing texts are replaced by a minimal configuration, with a warning.
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

/// Comments out lines that the parser of `slurm.conf` refuses, and reports them.
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

/// Diagnostics being collected.
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
