//! Checks scripts: their `#SBATCH` lines, and the Slurm commands in them.

use super::check::{Checker, OpenPage, synopsis};
use super::finding::{BlockVerdict, DocFix};
use super::options::{PlacedWord, UsedOption};
use super::requests::{ExampleRequest, RowFinding};
use super::run::RunScript;
use super::slips;
use commands::slurm::opt::SubmitCommand;
use commands::slurm::opt::script::directives;
use doc::words;
use doc::{DocPiece, PieceKind};

impl Checker<'_> {
    /// Checks the scripts of a block that no command submits, and the commands in all of its scripts.
    pub(super) fn files(&mut self, open: &OpenPage, index: usize, found: &mut [Option<Vec<RowFinding>>]) {
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
    pub(super) fn directives(&self, piece: &DocPiece, base: usize) -> ScriptOptions {
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
            let (mut options, rest) = self.parsed(SubmitCommand::Sbatch, &words);
            for option in options.extract_if(.., |option| slips::is_blank(option)) {
                let message = "the value is left to the reader".to_owned();
                script.found.push(RowFinding::new(row, BlockVerdict::Unchecked, message, &option.written));
            }
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
        // The end of a here-document, whose lines may be another script.
        let mut inner: Option<String> = None;
        for (line, text) in piece.text.split('\n').enumerate() {
            let bare = text.trim();
            if inner.is_some() {
                inner = inner.filter(|end| bare != end);
                continue;
            }
            if !bare.starts_with('#') {
                inner = slips::heredoc(bare);
            }
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
                if let Some(slip) = slips::dash(name, words, &row) {
                    found.push(slip);
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
pub struct ScriptOptions {
    /// In order.
    pub options: Vec<UsedOption>,
    /// Lines that Slurm does not read.
    pub found: Vec<RowFinding>,
    /// It has a shebang and commands.
    pub whole: bool,
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
pub fn joined(text: &str) -> String {
    let one = |line: &str| {
        if line.starts_with("#SBATCH") { doc::joined_placeholders(line) } else { line.to_owned() }
    };
    text.split('\n').map(one).collect::<Vec<_>>().join("\n")
}
