//! Converts an export to a site: reads each file by its kind, writes the site to a temporary directory, and renames it
//! at the end.

use crate::accounts::{self, AccountTexts};
use crate::archive::{ExportFiles, decoded};
use crate::findings::ImportFindings;
use crate::history::{HistoryTotals, JobHistory};
use crate::kinds::{self, ExportKind};
use crate::sacct::values;
use crate::sacct::{SacctItem, SacctReader, json};
use crate::scontrol_show::{self, ShownTexts};
use crate::{FINDINGS, WORKLOAD, events, swf};
use base::diagnostic::Diagnostic;
use engine::session::replay::swf::{SwfMachine, site as machine_site};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// Maximum size of files that are read as a whole (all except job records), in bytes.
const MAX_TEXT: u64 = 16 << 20;

/// The result of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportReport {
    /// Totals of jobs, times and users.
    pub totals: HistoryTotals,
    /// Number of omitted records and lines.
    pub left_out: u64,
    /// What was guessed and omitted: one entry for each kind.
    pub findings: Vec<Diagnostic>,
}

/// Imports an export into a new directory.
///
/// # Errors A sentence that names the file. Nothing is left behind.
pub fn import(input: &Path, out: &Path) -> Result<ImportReport, String> {
    let at = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    if out.exists() {
        return Err(format!("{}: it exists already", out.display()));
    }
    let parent = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|e| at(parent, e))?;
    let export = ExportFiles::open(input, parent)?;
    let scratch = tempfile::Builder::new().prefix(".sandbatch-import").tempdir_in(parent);
    let scratch = scratch.map_err(|e| at(parent, e))?;
    let mut intake = Intake::default();
    for (name, path) in &export.files {
        intake.file(name, path)?;
    }
    let report = intake.finish(scratch.path())?;
    // From here on the directory is the site.
    let made = scratch.keep();
    std::fs::rename(&made, out).map_err(|e| {
        drop(std::fs::remove_dir_all(&made));
        at(out, e)
    })?;
    Ok(report)
}

/// What has been read so far.
#[derive(Default)]
struct Intake {
    findings: ImportFindings,
    history: JobHistory,
    histories: Vec<String>,
    conf: BTreeMap<String, String>,
    config: Option<(String, String)>,
    nodes: Option<(String, String)>,
    partitions: Option<(String, String)>,
    accounts: AccountTexts,
    node_events: Option<(String, String)>,
    machine: Option<SwfMachine>,
}

impl Intake {
    fn file(&mut self, name: &str, path: &Path) -> Result<(), String> {
        let problem = |e: std::io::Error| format!("{name}: {e}");
        match kinds::kind(name, path).map_err(problem)? {
            ExportKind::Conf => {
                let base = name.rsplit('/').next().unwrap_or(name).to_owned();
                let text = text(name, path)?;
                self.conf.insert(base, text);
            }
            ExportKind::ShownConfig => self.config = Some((name.to_owned(), text(name, path)?)),
            ExportKind::ShownNodes => self.nodes = Some((name.to_owned(), text(name, path)?)),
            ExportKind::ShownPartitions => self.partitions = Some((name.to_owned(), text(name, path)?)),
            ExportKind::Dump => self.accounts.dump = Some((name.to_owned(), text(name, path)?)),
            ExportKind::Assoc => self.accounts.assoc = Some((name.to_owned(), text(name, path)?)),
            ExportKind::Qos => self.accounts.qos = Some((name.to_owned(), text(name, path)?)),
            ExportKind::Events => self.node_events = Some((name.to_owned(), text(name, path)?)),
            ExportKind::Manifest => self.manifest(&text(name, path)?),
            ExportKind::Sacct => self.sacct(name, path)?,
            ExportKind::SacctJson => {
                let (history, findings) = (&mut self.history, &mut self.findings);
                let read =
                    json::read(decoded(path).map_err(problem)?, |row| history.take(row, name, findings));
                read.map_err(|why| format!("{name}: {why}"))?;
                self.histories.push(name.to_owned());
            }
            ExportKind::Swf => {
                let (history, findings) = (&mut self.history, &mut self.findings);
                let input = BufReader::new(decoded(path).map_err(problem)?);
                let machine = swf::read(input, |item| match item {
                    Ok(row) => history.take(row, name, findings),
                    Err((line, why, text)) => findings.leave_out(why, name, line, &text),
                });
                self.machine = Some(machine.map_err(problem)?);
                self.histories.push(name.to_owned());
            }
            ExportKind::Other => self.findings.guess("not read: no known kind of file", name, 0, ""),
        }
        Ok(())
    }

    /// `key: value` lines.
    fn manifest(&mut self, text: &str) {
        for (key, value) in text.lines().filter_map(|line| line.split_once(": ")) {
            let moment = || values::moment(value.trim()).map(|t| t.secs());
            match key {
                "since" => self.history.since = moment(),
                "until" => self.history.until = moment(),
                "cost" => {
                    self.findings.guess("the export could not see everything", "manifest.txt", 0, value)
                }
                _ => {}
            }
        }
    }

    fn sacct(&mut self, name: &str, path: &Path) -> Result<(), String> {
        let problem = |e: std::io::Error| format!("{name}: {e}");
        let input = BufReader::with_capacity(1 << 18, decoded(path).map_err(problem)?);
        let Some(mut reader) = SacctReader::new(input).map_err(problem)? else {
            return Err(format!(
                "{name}: no heading of sacct with JobID in its first 100 lines (use sacct -P)"
            ));
        };
        while let Some(item) = reader.next_item().map_err(problem)? {
            match item {
                SacctItem::Row(row) => self.history.take(&row, name, &mut self.findings),
                SacctItem::Broken(line, why, text) => self.findings.leave_out(why, name, line, &text),
            }
        }
        self.histories.push(name.to_owned());
        Ok(())
    }

    /// Writes the site.
    fn finish(mut self, dir: &Path) -> Result<ImportReport, String> {
        let problem = |e: std::io::Error| format!("{}: {e}", dir.display());
        if self.histories.is_empty() && self.conf.is_empty() && self.config.is_none() && self.nodes.is_none()
        {
            return Err(
                "nothing to import: no job records (sacct -P, sacct --json, .swf), no slurm.conf, no \
                        scontrol output"
                    .to_owned(),
            );
        }
        let mut files = self.site();
        let file = self.histories.first().cloned().unwrap_or_else(|| WORKLOAD.to_owned());
        let history = std::mem::take(&mut self.history);
        let mut out = BufWriter::new(File::create(dir.join(WORKLOAD)).map_err(problem)?);
        let totals = history.write(&file, &mut self.findings, &mut out).map_err(problem)?;
        if let (Some((name, text)), Some(began), Some(ended)) =
            (&self.node_events, totals.began, totals.ended)
        {
            let lines = events::lines(name, text, (began.secs(), ended.secs()), &mut self.findings);
            out.write_all(lines.as_bytes()).map_err(problem)?;
        } else if totals.jobs > 0 {
            self.findings.guess(
                "no `sacctmgr show event`: nodes are taken to be up all the time",
                "workload.events",
                0,
                "",
            );
        }
        out.flush().map_err(problem)?;
        drop(out);
        files.extend(accounts::files(&self.accounts, &totals, &mut self.findings));
        let list = self.findings.list();
        let mut told = String::from("What the import guessed and left out.\n");
        for finding in &list {
            told += &format!("{finding}\n");
        }
        files.insert(FINDINGS.to_owned(), told);
        for (name, text) in &files {
            std::fs::write(dir.join(name), text).map_err(problem)?;
        }
        let left_out = self.findings.left_out();
        Ok(ImportReport { totals, left_out, findings: list })
    }

    /// `slurm.conf` itself, or derived from scontrol's output, or from the header of a trace.
    fn site(&mut self) -> BTreeMap<String, String> {
        let mut files = std::mem::take(&mut self.conf);
        if files.contains_key("slurm.conf") {
            return files;
        }
        let shown = {
            let (config, nodes, partitions) = (&self.config, &self.nodes, &self.partitions);
            if let Some(machine) = self.machine.filter(|_| config.is_none() && nodes.is_none()) {
                let kind = "the machine is that of the trace's header: equal nodes, one partition";
                self.findings.guess(kind, "slurm.conf", 0, "");
                files.extend(machine_site(machine, "").0);
                return files;
            }
            scontrol_show::site(ShownTexts {
                config: pair(config),
                nodes: pair(nodes),
                partitions: pair(partitions),
            })
        };
        self.findings.extend(shown.diagnostics);
        for (name, text) in shown.files {
            files.entry(name).or_insert(text);
        }
        files
    }
}

fn pair(text: &Option<(String, String)>) -> Option<(&str, &str)> {
    text.as_ref().map(|(name, text)| (name.as_str(), text.as_str()))
}

/// A file as text.
fn text(name: &str, path: &Path) -> Result<String, String> {
    let problem = |e: std::io::Error| format!("{name}: {e}");
    let mut bytes = Vec::new();
    decoded(path).map_err(problem)?.take(MAX_TEXT + 1).read_to_end(&mut bytes).map_err(problem)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(format!("{name}: larger than {} MiB", MAX_TEXT >> 20));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
