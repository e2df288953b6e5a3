//! Checks a page block by block.

use super::config_file::DoctestConfig;
use super::finding::{BlockVerdict, CheckedBlock, DocFinding};
use super::intended;
use super::options::{PlacedWord, UsedOption, is_of_plugin, parse};
use super::requests::{ExampleRequest, RowFinding};
use super::run::{PageRun, RunScript};
use super::scripts::joined;
use super::site::{DocSite, SubmissionResult};
use super::slips;
use commands::slurm::opt::SubmitCommand;
use commands::slurm::opt::script::directives;
use doc::words::{self, ShellWord};
use doc::{DocBlock, DocFormat, DocLine, DocNote, DocPiece, PagePieces, PageSource, PieceKind};
use std::collections::{BTreeMap, BTreeSet};

/// Where pages find other files.
pub trait PageFiles: PageSource {
    /// The text of a script that a page names, next to it or below its folder.
    fn script(&mut self, page: &str, name: &str) -> Option<String>;
}

/// The result of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedPage {
    /// Blocks with Slurm commands or batch scripts.
    pub blocks: Vec<CheckedBlock>,
    /// What could not be read.
    pub notes: Vec<DocNote>,
    /// Blocks and pages that a comment excludes.
    pub ignored: usize,
}

/// Checks pages against sites. A block is fine if one of the sites accepts it.
pub struct Checker<'a> {
    pub(super) sites: &'a [DocSite],
    pub(super) config: &'a DoctestConfig,
    pub(super) submissions: BTreeMap<(usize, String), SubmissionResult>,
    pub(super) outputs: BTreeMap<String, (String, String)>,
    /// The page's path and the sentence before the block, in lower case: they may name a site.
    pub(super) about: String,
    /// Whether examples run.
    pub(super) run: bool,
    /// The forks in which the page's examples run.
    pub(super) page_run: Option<PageRun>,
}

/// A page while it is checked.
pub struct OpenPage<'a> {
    pub(super) path: &'a str,
    pub(super) blocks: &'a [DocBlock],
    pub(super) pieces: PagePieces,
    /// All lines; a row is an index into them.
    pub(super) lines: Vec<DocLine>,
    /// The first row of each block.
    pub(super) starts: Vec<usize>,
    /// Scripts that a command submits: block and piece.
    pub(super) used: BTreeSet<(usize, usize)>,
}

impl<'a> Checker<'a> {
    /// A checker for at least one site.
    #[must_use]
    pub fn new(sites: &'a [DocSite], config: &'a DoctestConfig) -> Self {
        Self {
            sites,
            config,
            submissions: BTreeMap::new(),
            outputs: BTreeMap::new(),
            about: String::new(),
            run: false,
            page_run: None,
        }
    }

    /// Also runs the examples that Slurm accepts.
    #[must_use]
    pub fn running(self, run: bool) -> Self {
        Self { run, ..self }
    }

    /// Checks a page.
    pub fn page(&mut self, path: &str, text: &str, files: &mut dyn PageFiles) -> CheckedPage {
        if DocFormat::of(path).is_none() {
            let message = "not a page: its name ends in none of .md, .rst, .adoc, .ipynb".to_owned();
            let note = DocNote { file: path.into(), line: 0, message };
            return CheckedPage { notes: vec![note], ..CheckedPage::default() };
        }
        let page = doc::read(path, text, files);
        let mut result =
            CheckedPage { notes: page.notes, ignored: usize::from(page.ignored), ..CheckedPage::default() };
        if self.sites.is_empty() {
            return result;
        }
        self.page_run = None;
        let mut open = OpenPage::new(path, &page.blocks);
        let mut found: Vec<Option<Vec<RowFinding>>> = vec![None; page.blocks.len()];
        for index in 0..page.blocks.len() {
            if !page.blocks[index].ignored {
                self.commands(&mut open, index, files, &mut found);
            }
        }
        for (index, block) in page.blocks.iter().enumerate() {
            if block.ignored {
                result.ignored += usize::from(found[index].is_some() || open.pieces.has_file(index));
                continue;
            }
            self.files(&open, index, &mut found);
            if let Some(mut rows) = found[index].take() {
                for row in &mut rows {
                    intended::excuse(row, &page.blocks, &open.pieces, index);
                }
                result.blocks.push(open.finished(index, rows));
            }
        }
        result
    }

    /// Checks the commands of a block.
    fn commands(
        &mut self,
        open: &mut OpenPage,
        index: usize,
        files: &mut dyn PageFiles,
        found: &mut [Option<Vec<RowFinding>>],
    ) {
        self.about = format!("{} {}", open.path, open.blocks[index].before).to_lowercase();
        let pieces = std::mem::take(&mut open.pieces.blocks[index]);
        let base = open.starts[index];
        let mut last: Option<(String, Vec<ShellWord>)> = None;
        for (at, piece) in pieces.iter().enumerate() {
            match piece.kind {
                PieceKind::Command => {
                    last = None;
                    self.forget_output();
                    if !doc::is_slurm(&piece.text) {
                        self.run_line(&piece.text, None, &[]);
                    }
                    for words in words::commands(&piece.text) {
                        let Some(start) = doc::command_name(&words) else { continue };
                        let words = &words[start..];
                        let Some(name) = words.first().map(|w| w.text.clone()) else { continue };
                        if !doc::SLURM_COMMANDS.contains(&name.as_str()) {
                            continue;
                        }
                        let row = |byte: usize| base + piece.row(byte);
                        let inline = pieces
                            .get(at + 1)
                            .filter(|p| p.kind == PieceKind::File && piece.text.contains("<<"));
                        let rows = self.command(open, (index, at), &name, words, &row, inline, files);
                        found[index].get_or_insert_default().extend(rows);
                        last = Some((name, words.to_vec()));
                    }
                }
                PieceKind::Output => {
                    let lines: Vec<(usize, &str)> = piece
                        .text
                        .split('\n')
                        .enumerate()
                        .map(|(i, l)| (base + piece.rows[i.min(piece.rows.len() - 1)].1, l))
                        .collect();
                    if let Some((name, words)) = last.take() {
                        let row = self.output(&name, &words, &lines);
                        found[index].get_or_insert_default().extend(row);
                    }
                    if let Some(row) = self.compared(&lines, false) {
                        found[index].get_or_insert_default().push(row);
                    }
                }
                PieceKind::File | PieceKind::Prose => {}
            }
        }
        // The next block may be the output.
        let ends_with_command = pieces.last().is_some_and(|piece| piece.kind == PieceKind::Command);
        if ends_with_command
            && let Some(next) = open.blocks.get(index + 1).filter(|b| !b.ignored)
            && let [only] = open.pieces.blocks[index + 1].as_slice()
            && matches!(only.kind, PieceKind::Output | PieceKind::Prose)
            && next.lines.first().is_some_and(|l| l.number <= open.lines[base].number.saturating_add(60))
        {
            let base = open.starts[index + 1];
            let lines: Vec<(usize, &str)> =
                next.lines.iter().enumerate().map(|(i, l)| (base + i, l.text.as_str())).collect();
            let row = last.and_then(|(name, words)| self.output(&name, &words, &lines));
            let row = row.or_else(|| self.compared(&lines, only.kind == PieceKind::Prose));
            if let Some(row) = row {
                found[index + 1].get_or_insert_default().push(row);
            }
        }
        open.pieces.blocks[index] = pieces;
    }

    #[allow(clippy::too_many_arguments, reason = "a command, where it stands and what it may refer to")]
    fn command(
        &mut self,
        open: &mut OpenPage,
        (index, at): (usize, usize),
        name: &str,
        words: &[ShellWord],
        row: &dyn Fn(usize) -> usize,
        inline: Option<&DocPiece>,
        files: &mut dyn PageFiles,
    ) -> Vec<RowFinding> {
        let tool = match name {
            "sbatch" => SubmitCommand::Sbatch,
            "srun" => SubmitCommand::Srun,
            "salloc" => SubmitCommand::Salloc,
            _ => return self.tool(name, words, row).into_iter().collect(),
        };
        let head = row(words.first().map_or(0, |w| w.from));
        if let Some(word) = synopsis(words) {
            return vec![RowFinding::new(head, BlockVerdict::Unchecked, "a synopsis".to_owned(), &word)];
        }
        if let Some(found) = slips::dash(name, words, row) {
            return vec![found];
        }
        let placed: Vec<PlacedWord> =
            words.iter().skip(1).map(|w| PlacedWord { text: w.text.clone(), row: row(w.from) }).collect();
        let (options, operand) = self.parsed(tool, &placed);
        let mut request = ExampleRequest { tool, options, fragment: true, row: head };
        if tool != SubmitCommand::Sbatch {
            let asks =
                ["partition", "time", "account", "qos", "constraint", "pty", "gres", "gpus", "exclusive"];
            let submits =
                tool == SubmitCommand::Salloc || request.options.iter().any(|o| asks.contains(&o.name));
            let found = self.request(&request, submits);
            let program: Vec<String> = placed.iter().skip(operand).map(|w| w.text.clone()).collect();
            if tool == SubmitCommand::Srun && found.is_empty() && !program.is_empty() {
                self.run_line(&format!("srun {}", program.join(" ")), Some(&request), &program);
            }
            return found;
        }
        let args: Vec<String> = placed.iter().skip(operand + 1).map(|w| w.text.clone()).collect();
        let wrapped = request.options.iter().any(|o| o.name == "wrap");
        let script = placed.get(operand).map(|w| w.text.clone());
        if let Some(piece) = inline {
            let key = (index, at + 1);
            open.used.insert(key);
            let base = open.starts[index];
            let script = self.directives(piece, base);
            request.options.splice(0..0, script.options);
            let mut found = script.found;
            found.extend(self.request(&request, true));
            if found.is_empty() {
                let row = |line: usize| base + piece.rows.get(line).map_or(0, |r| r.1);
                let script = RunScript { text: &piece.text, name: "job.sh", args: &[], row: &row };
                found.extend(self.run_script(&request, &script));
            }
            return found;
        }
        match script {
            Some(name) if !wrapped => {
                let base_name = name.rsplit('/').next().unwrap_or(&name).to_owned();
                if let Some(key) = open.pieces.submitted(index, &base_name) {
                    open.used.insert(key);
                    let piece =
                        if key.0 == index { None } else { open.pieces.blocks[key.0].get(key.1).cloned() };
                    if let Some(piece) = piece {
                        let script = self.directives(&piece, open.starts[key.0]);
                        request.options.splice(0..0, script.options);
                        request.fragment = !script.whole;
                        let mut found = script.found;
                        found.extend(self.request(&request, true));
                        if found.is_empty() && !request.fragment {
                            let row =
                                |line: usize| open.starts[key.0] + piece.rows.get(line).map_or(0, |r| r.1);
                            let script =
                                RunScript { text: &piece.text, name: &base_name, args: &args, row: &row };
                            found.extend(self.run_script(&request, &script));
                        }
                        return found;
                    }
                    open.used.remove(&key);
                    return self.request(&request, false);
                }
                if let Some(text) = files.script(open.path, &name) {
                    let words: Vec<PlacedWord> = directives(joined(&text).as_bytes())
                        .into_iter()
                        .flat_map(|d| d.words)
                        .map(|(text, ..)| PlacedWord { text, row: head })
                        .collect();
                    let (options, _) = self.parsed(tool, &words);
                    request.options.splice(0..0, options);
                    let mut found = self.request(&request, true);
                    if found.is_empty() {
                        let name = name.rsplit('/').next().unwrap_or(&name);
                        let script = RunScript { text: &text, name, args: &args, row: &|_| head };
                        found.extend(self.run_script(&request, &script));
                    }
                    return found;
                }
                let mut found = self.request(&request, !request.options.is_empty());
                if found.is_empty() && doc::placeholders(&name).is_empty() {
                    let message = format!("the page does not show {name}");
                    found.push(RowFinding::new(head, BlockVerdict::Unchecked, message, ""));
                }
                found
            }
            _ => self.request(&request, !request.options.is_empty()),
        }
    }

    pub(super) fn parsed(&self, tool: SubmitCommand, words: &[PlacedWord]) -> (Vec<UsedOption>, usize) {
        parse(tool, words, &|word| self.config.is_extra(word) || is_of_plugin(word))
    }
}

/// A word that makes a command line a synopsis.
pub fn synopsis(words: &[ShellWord]) -> Option<String> {
    let marks = |w: &&ShellWord| {
        let text = w.text.as_str();
        text.starts_with('[') && !text.starts_with("[[")
            || matches!(text, "..." | "…" | "<options>" | "OPTIONS")
            || text.contains("<options")
    };
    words.iter().skip(1).find(marks).map(|w| w.text.clone())
}

impl<'a> OpenPage<'a> {
    fn new(path: &'a str, blocks: &'a [DocBlock]) -> Self {
        let mut lines = Vec::new();
        let mut starts = Vec::new();
        for block in blocks {
            starts.push(lines.len());
            lines.extend(block.lines.iter().cloned());
        }
        let pieces = PagePieces::of(blocks);
        Self { path, blocks, pieces, lines, starts, used: BTreeSet::new() }
    }

    fn finished(&self, index: usize, rows: Vec<RowFinding>) -> CheckedBlock {
        let mut findings: Vec<DocFinding> = Vec::new();
        for row in rows {
            let Some(line) = self.lines.get(row.row) else { continue };
            let finding = DocFinding {
                file: line.file.to_string(),
                line: line.number,
                verdict: row.verdict,
                message: row.message,
                quote: line.text.clone(),
                part: row.part,
                fix: row.fix,
            };
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        let verdict = findings.iter().map(|f| f.verdict).max().unwrap_or(BlockVerdict::Fine);
        let first = self.blocks[index].lines.first();
        CheckedBlock {
            file: first.map_or_else(|| self.path.to_owned(), |l| l.file.to_string()),
            line: first.map_or(0, |l| l.number),
            verdict,
            findings,
        }
    }
}
