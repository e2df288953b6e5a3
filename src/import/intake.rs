//! Converts an export to a site: reads each file by its kind, and makes the site's files at the end.

use crate::accounts::{self, AccountTexts};
use crate::archive::{self, ExportFiles, ExportSource, decoded};
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
use std::io::{BufReader, Read, Write};

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

/// Imports an export that is in memory, into a site's files.
///
/// # Errors
/// A sentence that names the file.
pub fn import_bytes(name: &str, bytes: Vec<u8>) -> Result<(BTreeMap<String, String>, ImportReport), String> {
    let mut workload = Vec::new();
    let intake = Intake::of(&archive::of_memory(name, bytes)?)?;
    let (mut files, report) = intake.finish(&mut workload).map_err(|why| format!("{name}: {why}"))?;
    if report.totals.jobs > 0 {
        files.insert(WORKLOAD.to_owned(), String::from_utf8_lossy(&workload).into_owned());
    }
    Ok((files, report))
}

/// What has been read so far.
#[derive(Default)]
pub struct Intake {
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
    /// Reads the files of an export.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn of(files: &ExportFiles) -> Result<Self, String> {
        let mut intake = Self::default();
        for (name, source) in files {
            intake.file(name, source)?;
        }
        Ok(intake)
    }

    fn file(&mut self, name: &str, source: &ExportSource) -> Result<(), String> {
        let problem = |e: std::io::Error| format!("{name}: {e}");
        match kinds::kind(name, source).map_err(problem)? {
            ExportKind::Conf => {
                let base = name.rsplit('/').next().unwrap_or(name).to_owned();
                let text = text(name, source)?;
                self.conf.insert(base, text);
            }
            ExportKind::ShownConfig => self.config = Some((name.to_owned(), text(name, source)?)),
            ExportKind::ShownNodes => self.nodes = Some((name.to_owned(), text(name, source)?)),
            ExportKind::ShownPartitions => self.partitions = Some((name.to_owned(), text(name, source)?)),
            ExportKind::Dump => self.accounts.dump = Some((name.to_owned(), text(name, source)?)),
            ExportKind::Assoc => self.accounts.assoc = Some((name.to_owned(), text(name, source)?)),
            ExportKind::Qos => self.accounts.qos = Some((name.to_owned(), text(name, source)?)),
            ExportKind::Events => self.node_events = Some((name.to_owned(), text(name, source)?)),
            ExportKind::Manifest => self.manifest(&text(name, source)?),
            ExportKind::Sacct => self.sacct(name, source)?,
            ExportKind::SacctJson => {
                let (history, findings) = (&mut self.history, &mut self.findings);
                let read =
                    json::read(decoded(source).map_err(problem)?, |row| history.take(row, name, findings));
                read.map_err(|why| format!("{name}: {why}"))?;
                self.histories.push(name.to_owned());
            }
            ExportKind::Swf => {
                let (history, findings) = (&mut self.history, &mut self.findings);
                let input = BufReader::new(decoded(source).map_err(problem)?);
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

    fn sacct(&mut self, name: &str, source: &ExportSource) -> Result<(), String> {
        let problem = |e: std::io::Error| format!("{name}: {e}");
        let input = BufReader::with_capacity(1 << 18, decoded(source).map_err(problem)?);
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

    /// Writes the history, and returns the other files of the site.
    ///
    /// # Errors
    /// There is nothing to import, or the history cannot be written.
    pub fn finish(mut self, out: &mut dyn Write) -> Result<(BTreeMap<String, String>, ImportReport), String> {
        let problem = |e: std::io::Error| format!("{WORKLOAD}: {e}");
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
        let totals = history.write(&file, &mut self.findings, out).map_err(problem)?;
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
        files.extend(accounts::files(&self.accounts, &totals, &mut self.findings));
        let list = self.findings.list();
        let mut told = String::from("What the import guessed and left out.\n");
        for finding in &list {
            told += &format!("{finding}\n");
        }
        files.insert(FINDINGS.to_owned(), told);
        let left_out = self.findings.left_out();
        Ok((files, ImportReport { totals, left_out, findings: list }))
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
fn text(name: &str, source: &ExportSource) -> Result<String, String> {
    let problem = |e: std::io::Error| format!("{name}: {e}");
    let mut bytes = Vec::new();
    decoded(source).map_err(problem)?.take(MAX_TEXT + 1).read_to_end(&mut bytes).map_err(problem)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(format!("{name}: larger than {} MiB", MAX_TEXT >> 20));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
