//! Checks a page block by block.

use super::config_file::DoctestConfig;
use super::finding::{BlockVerdict, CheckedBlock, DocFinding, DocFix};
use super::intended;
use super::options::{PlacedWord, UsedOption, is_of_plugin, parse};
use super::requests::{ExampleRequest, RowFinding};
use super::run::{PageRun, RunScript};
use super::site::{DocSite, SubmissionResult};
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
struct OpenPage<'a> {
    path: &'a str,
    blocks: &'a [DocBlock],
    pieces: PagePieces,
    /// All lines; a row is an index into them.
    lines: Vec<DocLine>,
    /// The first row of each block.
    starts: Vec<usize>,
    /// Scripts that a command submits: block and piece.
    used: BTreeSet<(usize, usize)>,
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

    fn parsed(&self, tool: SubmitCommand, words: &[PlacedWord]) -> (Vec<UsedOption>, usize) {
        parse(tool, words, &|word| self.config.is_extra(word) || is_of_plugin(word))
    }

    /// Checks the scripts of a block that no command submits, and the commands in all of its scripts.
    fn files(&mut self, open: &OpenPage, index: usize, found: &mut [Option<Vec<RowFinding>>]) {
        let base = open.starts[index];
        self.about = format!("{} {}", open.path, open.blocks[index].before).to_lowercase();
        for (at, piece) in
            open.pieces.blocks[index].iter().enumerate().filter(|(_, p)| p.kind == PieceKind::File)
        {
            if !piece.text.contains("#SBATCH") && !is_batch(&piece.text) {
                continue;
            }
            let rows = found[index].get_or_insert_default();
            if !open.used.contains(&(index, at)) {
                let script = self.directives(piece, base);
                let row = base + piece.rows.first().map_or(0, |r| r.1);
                let request = ExampleRequest {
                    tool: SubmitCommand::Sbatch,
                    options: script.options,
                    fragment: !script.whole,
                    row,
                };
                let mut own = script.found;
                let submits = !request.options.is_empty();
                own.extend(self.request(&request, submits));
                if own.is_empty() && !request.fragment {
                    let row = |line: usize| base + piece.rows.get(line).map_or(0, |r| r.1);
                    let name =
                        piece.name.as_deref().and_then(|name| name.rsplit('/').next()).unwrap_or("job.sh");
                    own.extend(
                        self.run_script(
                            &request,
                            &RunScript { text: &piece.text, name, args: &[], row: &row },
                        ),
                    );
                }
                rows.extend(own);
                self.output_after(open, index, found);
            }
            let rows = found[index].get_or_insert_default();
            rows.extend(self.body(piece, base));
        }
    }

    /// Compares the block after a script with the script's output.
    fn output_after(&mut self, open: &OpenPage, index: usize, found: &mut [Option<Vec<RowFinding>>]) {
        let Some([only]) = open.pieces.blocks.get(index + 1).map(Vec::as_slice) else { return };
        if only.kind == PieceKind::Output && !open.blocks[index + 1].ignored {
            let base = open.starts[index + 1];
            let lines =
                open.blocks[index + 1].lines.iter().enumerate().map(|(i, l)| (base + i, l.text.as_str()));
            if let Some(row) = self.compared(&lines.collect::<Vec<_>>(), true) {
                found[index + 1].get_or_insert_default().push(row);
            }
        }
    }

    /// The options in a script's `#SBATCH` lines, and findings about lines that Slurm does not read.
    fn directives(&self, piece: &DocPiece, base: usize) -> ScriptOptions {
        let row_of = |line: usize| base + piece.rows.get(line).map_or(0, |r| r.1);
        let mut script = ScriptOptions::default();
        for directive in directives(joined(&piece.text).as_bytes()) {
            let row = row_of(directive.line as usize - 1);
            let words: Vec<PlacedWord> =
                directive.words.iter().map(|(text, ..)| PlacedWord { text: text.clone(), row }).collect();
            if words.first().is_some_and(|w| w.text == "hetjob" || w.text == "packjob") {
                let name = "het-group";
                script.options.push(UsedOption {
                    name,
                    value: Some("0".into()),
                    written: "hetjob".into(),
                    row,
                    bad: None,
                });
                continue;
            }
            let (options, rest) = self.parsed(SubmitCommand::Sbatch, &words);
            script.options.extend(options);
            if let Some(word) = words.get(rest).filter(|w| {
                doc::placeholders(&w.text).is_empty()
                    && !w.text.starts_with(['<', '[', '(', '.', '←', '-', '/'])
            }) {
                let message = format!("sbatch: Invalid directive found in batch script: {}", word.text);
                script.found.push(RowFinding::new(row, BlockVerdict::Refused, message, &word.text));
            }
        }
        let mut command = false;
        let mut after = 0;
        for (line, text) in piece.text.split('\n').enumerate() {
            let bare = text.trim();
            if bare.starts_with("#SBATCH") && text.starts_with("#SBATCH") {
                if command {
                    after += 1;
                    let message = "sbatch reads #SBATCH lines only before the first command".to_owned();
                    script.found.push(RowFinding::new(row_of(line), BlockVerdict::Ignored, message, bare));
                } else if bare.get(7..).is_some_and(|rest| rest.starts_with(['-', ':'])) {
                    let message = "not read by sbatch: the line must start with \"#SBATCH \"".to_owned();
                    script.found.push(RowFinding::new(row_of(line), BlockVerdict::Ignored, message, bare));
                }
            } else if line == 0 && bare.starts_with("!/") {
                let message = "not a comment but a command: the first line must start with #!".to_owned();
                let fix = Some(DocFix { old: bare.to_owned(), new: format!("#{bare}") });
                let finding = RowFinding::new(row_of(line), BlockVerdict::Refused, message, bare);
                script.found.push(RowFinding { fix, ..finding });
                // Once that is corrected, Slurm reads the lines below.
            } else if !(bare.is_empty() || bare.starts_with('#') || is_filler(bare)) {
                command = true;
            }
        }
        script.whole = piece.text.starts_with("#!") && command && after == 0;
        script
    }

    /// Checks the options of Slurm commands in a script.
    fn body(&mut self, piece: &DocPiece, base: usize) -> Vec<RowFinding> {
        let mut found = Vec::new();
        let lines: Vec<&str> = piece.text.split('\n').collect();
        let mut line = 0;
        while line < lines.len() {
            let first = line;
            let mut text = lines[line].to_owned();
            while text.trim_end().ends_with('\\')
                && line + 1 < lines.len()
                && !text.trim_start().starts_with('#')
            {
                line += 1;
                text.push('\n');
                text.push_str(lines[line]);
            }
            line += 1;
            if text.trim_start().starts_with('#')
                || !doc::SLURM_COMMANDS.iter().any(|name| text.contains(name))
            {
                continue;
            }
            let row = |byte: usize| {
                let extra = text.get(..byte).unwrap_or_default().matches('\n').count();
                base + piece.rows.get(first + extra).map_or(0, |r| r.1)
            };
            for words in words::commands(&text) {
                let Some(start) = doc::command_name(&words) else { continue };
                let words = &words[start..];
                let Some(name) = words.first().map(|w| w.text.as_str()) else { continue };
                let tool = match name {
                    "srun" => SubmitCommand::Srun,
                    "sbatch" => SubmitCommand::Sbatch,
                    "salloc" => SubmitCommand::Salloc,
                    _ if doc::SLURM_COMMANDS.contains(&name) => {
                        found.extend(self.tool(name, words, &row).filter(|f| f.verdict.is_fault()));
                        continue;
                    }
                    _ => continue,
                };
                if synopsis(words).is_some() {
                    continue;
                }
                let placed: Vec<PlacedWord> = words
                    .iter()
                    .skip(1)
                    .map(|w| PlacedWord { text: w.text.clone(), row: row(w.from) })
                    .collect();
                let (options, _) = self.parsed(tool, &placed);
                found.extend(
                    self.request(&ExampleRequest { tool, options, fragment: true, row: row(0) }, false),
                );
            }
        }
        found
    }
}

/// The options of a script.
#[derive(Default)]
struct ScriptOptions {
    options: Vec<UsedOption>,
    found: Vec<RowFinding>,
    /// It has a shebang and commands.
    whole: bool,
}

/// Whether a script without `#SBATCH` lines is meant for Slurm.
fn is_batch(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_start().starts_with("srun ") || line.trim_start().starts_with("sbatch "))
}

/// A line that represents omitted lines: `...`, `[...]`, `<your commands>`.
fn is_filler(line: &str) -> bool {
    line.starts_with("...")
        || line.starts_with('…')
        || line.starts_with('[')
        || line.starts_with('<')
        || line.starts_with("{%")
        || line.starts_with("--8<--")
        || line.starts_with("{{")
}

/// A script whose placeholders in directives are single words.
fn joined(text: &str) -> String {
    let one = |line: &str| {
        if line.starts_with("#SBATCH") { doc::joined_placeholders(line) } else { line.to_owned() }
    };
    text.split('\n').map(one).collect::<Vec<_>>().join("\n")
}

/// A word that makes a command line a synopsis.
fn synopsis(words: &[ShellWord]) -> Option<String> {
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
