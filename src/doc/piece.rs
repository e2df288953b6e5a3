//! The pieces of a code block: commands, their output, files, and everything else.

use super::block::DocBlock;
use super::language::{MARKUP, OUTPUTS, SHELLS, VAGUE};
use super::words::{self, ShellWord};
use super::{names, output};

/// Slurm's commands.
pub const SLURM_COMMANDS: &[&str] = &[
    "sacct", "sacctmgr", "salloc", "sattach", "sbatch", "sbcast", "scancel", "scontrol", "scrontab", "sdiag",
    "seff", "sinfo", "sprio", "squeue", "sreport", "srun", "sshare", "sstat", "strigger", "swait",
];

/// Programs that display or edit a file.
const SHOWERS: &[&str] = &["cat", "more", "less", "vi", "vim", "nano", "emacs", "head", "edit"];

/// Programs other than Slurm's with which a line of a session begins.
const PROGRAMS: &[&str] = &[
    "alias",
    "apptainer",
    "awk",
    "bash",
    "cat",
    "cd",
    "chmod",
    "conda",
    "cp",
    "curl",
    "docker",
    "echo",
    "export",
    "gcc",
    "git",
    "grep",
    "gfortran",
    "head",
    "hostname",
    "julia",
    "less",
    "ls",
    "make",
    "man",
    "mkdir",
    "ml",
    "module",
    "mpicc",
    "mpirun",
    "mv",
    "nvcc",
    "nvidia-smi",
    "pip",
    "pwd",
    "python",
    "python3",
    "rm",
    "rsync",
    "scp",
    "sed",
    "singularity",
    "source",
    "ssh",
    "tail",
    "tar",
    "touch",
    "unzip",
    "watch",
    "wget",
];

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A command line, with its continuation lines.
    Command,
    /// The output of the commands before it.
    Output,
    /// A file's content.
    File,
    /// Anything else.
    Prose,
}

/// A piece of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocPiece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its text: a command without its prompt, a file's content, output.
    pub text: String,
    /// A file's name, if the page names it.
    pub name: Option<String>,
    /// For each line of the piece: its first byte in `text`, its index in the block, and the bytes before it.
    pub rows: Vec<(usize, usize, usize)>,
}

impl DocPiece {
    /// The index in the block of the line that contains a byte of the text.
    #[must_use]
    pub fn row(&self, at: usize) -> usize {
        let next = self.rows.partition_point(|(start, ..)| *start <= at);
        self.rows.get(next.saturating_sub(1)).map_or(0, |(_, row, _)| *row)
    }

    fn new(kind: PieceKind) -> Self {
        Self { kind, text: String::new(), name: None, rows: Vec::new() }
    }

    fn push(&mut self, row: usize, before: usize, text: &str) {
        if !self.rows.is_empty() {
            self.text.push('\n');
        }
        self.rows.push((self.text.len(), row, before));
        self.text.push_str(text);
    }
}

/// The index of the program that a simple command runs, after assignments, `sudo`, `watch`, `time` and similar.
#[must_use]
pub fn command_name(words: &[ShellWord]) -> Option<usize> {
    let mut at = 0;
    let mut prefix = "";
    loop {
        let word = words.get(at)?.text.as_str();
        let assigned = word.split_once('=').is_some_and(|(name, _)| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        let wraps = ["sudo", "watch", "time", "nohup", "exec", "!", "then", "do", "else", "env", "command"];
        let own = !prefix.is_empty() && (word.starts_with('-') || word.parse::<f64>().is_ok());
        if wraps.contains(&word) {
            prefix = word;
        } else if !(assigned || own) {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether a line is a message of one of Slurm's commands: `sbatch: error: ...`.
#[must_use]
pub fn is_slurm_message(line: &str) -> bool {
    let bare = line.trim_start();
    ["slurmstepd:", "slurmd:", "slurm_load", "Submitted batch job"]
        .iter()
        .any(|start| bare.starts_with(start))
        || bare.split_once(':').is_some_and(|(name, rest)| {
            SLURM_COMMANDS.contains(&name) && (rest.is_empty() || rest.starts_with(' '))
        })
}

/// The pieces of a block.
#[must_use]
pub fn pieces(block: &DocBlock) -> Vec<DocPiece> {
    let language = block.language.split([' ', ',', ';']).next().unwrap_or_default();
    let shebang = block.lines.iter().any(|l| l.text.starts_with("#!"));
    let first = block.lines.iter().find(|l| !l.text.trim().is_empty());
    if OUTPUTS.contains(&language) {
        // The output of `cat job.sh`.
        let is_script = first.is_some_and(|l| l.text.starts_with("#!"));
        return if is_script { files(block) } else { whole(block, PieceKind::Output) };
    }
    if MARKUP.contains(&language) {
        return whole(block, PieceKind::Prose);
    }
    let prompts = block.lines.iter().any(|l| prompt(&l.text).is_some_and(|n| n < l.text.len()));
    let directive = block.lines.iter().any(|l| l.text.starts_with("#SBATCH"));
    let vague = VAGUE.contains(&language);
    let shell = SHELLS.contains(&language);
    if !(vague || shell || directive) {
        return whole(block, PieceKind::Prose);
    }
    let heredoc = block.lines.iter().any(|l| l.text.contains("<<"));
    let first_is_command = first.is_some_and(|l| prompt(&l.text).is_some() || is_slurm(&l.text));
    if (directive || shebang && !heredoc)
        && !(prompts || heredoc && first_is_heredoc(block))
        && (directive || !first_is_command)
    {
        return files(block);
    }
    if prompts {
        return session(block);
    }
    if !heredoc && !first_is_command && names::own_name(block).is_some() {
        return files(block);
    }
    let is_table = first.is_some_and(|l| output::begins_table(&l.text));
    if is_table || !first_is_command && output::is_announced(&block.before) {
        return whole(block, PieceKind::Output);
    }
    lines(block, shell)
}

/// Whether a script begins with a here-document, which then contains the script.
fn first_is_heredoc(block: &DocBlock) -> bool {
    let begins = |line: &str| line.starts_with("#!") || line.starts_with("#SBATCH");
    let first = block.lines.iter().position(|l| begins(&l.text)).unwrap_or(block.lines.len());
    block.lines.iter().take(first).any(|l| heredoc(&l.text).is_some())
}

/// Whether a line runs one of Slurm's commands.
#[must_use]
pub fn is_slurm(line: &str) -> bool {
    let runs = |line: &str| {
        words::commands(line).iter().any(|words| {
            command_name(words)
                .and_then(|at| words.get(at))
                .is_some_and(|w| SLURM_COMMANDS.contains(&w.text.as_str()))
        })
    };
    !is_slurm_message(line) && (runs(line) || captured(line).is_some_and(runs))
}

/// The command whose output a variable gets: `id=$(sbatch --parsable job.sh)`. It ends with the bracket.
#[must_use]
pub fn captured(line: &str) -> Option<&str> {
    let (name, inner) = line.trim_start().split_once("=$(")?;
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(inner)
}

/// Whether a line begins with a program that people use around Slurm, or sets a variable in capitals.
fn is_common(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let name = first.split_once('=').map_or("", |(name, _)| name);
    PROGRAMS.contains(&first) || !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

fn whole(block: &DocBlock, kind: PieceKind) -> Vec<DocPiece> {
    let mut piece = DocPiece::new(kind);
    for (row, line) in block.lines.iter().enumerate() {
        piece.push(row, 0, &line.text);
    }
    vec![piece]
}

/// One or several scripts: each begins with `#!`, unless that is in a here-document.
fn files(block: &DocBlock) -> Vec<DocPiece> {
    let mut all = vec![DocPiece::new(PieceKind::File)];
    let mut begun = false;
    let mut inner: Option<String> = None;
    for (row, line) in block.lines.iter().enumerate() {
        let begins = line.text.starts_with("#!") && inner.is_none();
        inner = match inner {
            Some(end) => Some(end).filter(|end| line.text.trim() != end),
            None => heredoc_end(&line.text),
        };
        if begins && begun {
            all.push(DocPiece::new(PieceKind::File));
        }
        begun |= begins;
        if let Some(piece) = all.last_mut() {
            // Empty lines before the shebang are not part of the file.
            if !(piece.rows.is_empty() && line.text.trim().is_empty()) {
                piece.push(row, 0, &line.text);
            }
        }
    }
    if let [only] = all.as_mut_slice() {
        only.name = names::script_name(block).or_else(|| names::named_by_comment(&only.text));
    }
    all
}

/// The bytes of a prompt at the start of a line.
fn prompt(line: &str) -> Option<usize> {
    let indent = line.len() - line.trim_start().len();
    let bare = line.get(indent..)?;
    // `(env)`, the name of an environment.
    let environment = bare.strip_prefix('(').and_then(|rest| rest.find(')')).map_or(0, |end| end + 2);
    let after = bare.get(environment..)?.trim_start();
    let skipped = bare.len() - after.len();
    if environment > 40 {
        return None;
    }
    for mark in ["$>", "$", "%", "❯", "➜"] {
        if let Some(rest) = after.strip_prefix(mark)
            && (rest.is_empty() || rest.starts_with(' '))
        {
            return Some(indent + skipped + mark.len() + usize::from(!rest.is_empty()));
        }
    }
    // `{{ site.remote.prompt }} squeue`, as in the Carpentries' lessons.
    if after.starts_with("{{") {
        let end = after.find("}}")? + 2;
        let rest = after.get(end..)?;
        return rest.starts_with(' ').then(|| indent + skipped + end + 1);
    }
    // `[user@host dir]$`, `user@host:~$`, `host$`, `host>`.
    let end = ["$ ", "# ", "> ", "% "].iter().filter_map(|mark| after.find(mark)).min()?;
    let head = after.get(..end)?;
    // `501 host%`, with the number of the command.
    let numbered = head
        .split_once(' ')
        .filter(|(number, _)| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
        .map(|(_, host)| host)
        .filter(|host| host.starts_with(|c: char| c.is_ascii_lowercase()) && !host.contains(' '));
    let named = head.starts_with(|c: char| c.is_ascii_alphanumeric() || "[<{".contains(c))
        && head.len() <= 60
        && !head.contains(['=', '"', '\'', '|', ';'])
        && (!head.contains(' ') || head.starts_with('[') && head.contains(']') || numbered.is_some());
    let typical = head.contains('@')
        || head.ends_with(']')
        || numbered.is_some() && after.get(end..end + 1) == Some("%")
        || (!head.contains(['$', '>']) && after.get(end..end + 1) != Some("#"))
            && head.starts_with(|c: char| c.is_ascii_lowercase());
    (named && typical).then_some(indent + skipped + end + 2)
}

/// Splits a block with prompts: commands after the prompts, output between them.
fn session(block: &DocBlock) -> Vec<DocPiece> {
    let mut all: Vec<DocPiece> = Vec::new();
    let mut row = 0;
    while let Some(line) = block.lines.get(row) {
        if let Some(width) = prompt(&line.text) {
            let mut piece = DocPiece::new(PieceKind::Command);
            row = gather(block, row, width, &mut piece);
            let shown = shows(&piece.text);
            let inner = heredoc(&piece.text);
            all.push(piece);
            if let Some((end, name)) = inner {
                row = until(block, row, &end, name, &mut all);
            } else if let Some(name) = shown {
                row = shown_file(block, row, name, &mut all);
            }
        } else {
            let kind = if all.is_empty() { PieceKind::Prose } else { PieceKind::Output };
            if all.last().is_none_or(|p| p.kind != kind) {
                all.push(DocPiece::new(kind));
            }
            if let Some(piece) = all.last_mut() {
                piece.push(row, 0, &line.text);
            }
            row += 1;
        }
    }
    all
}

/// A command with its continuation lines; returns the row after it.
fn gather(block: &DocBlock, first: usize, width: usize, piece: &mut DocPiece) -> usize {
    let mut row = first;
    let mut before = width;
    while let Some(line) = block.lines.get(row) {
        let text = line.text.get(before..).unwrap_or_default();
        piece.push(row, before, text);
        row += 1;
        if !text.trim_end().ends_with('\\') || text.trim_start().starts_with('#') {
            break;
        }
        let next = block.lines.get(row).map(|l| l.text.as_str()).unwrap_or_default();
        before = if next.starts_with("> ") { 2 } else { 0 };
    }
    // A space after the backslash is a mistake on the page; the lines are still one command.
    piece.text = piece
        .text
        .split('\n')
        .map(|l| if l.trim_end().ends_with('\\') { l.trim_end() } else { l })
        .collect::<Vec<_>>()
        .join("\n");
    let mut at = 0;
    for (index, part) in piece.text.split('\n').enumerate() {
        if let Some(row) = piece.rows.get_mut(index) {
            row.0 = at;
        }
        at += part.len() + 1;
    }
    row
}

/// The file that a command shows or edits: `cat job.sh`.
#[must_use]
pub fn shows(command: &str) -> Option<String> {
    let all = words::commands(command);
    let [words] = all.as_slice() else { return None };
    let [program, .., file] = words.as_slice() else { return None };
    (SHOWERS.contains(&program.text.as_str()) && !file.text.starts_with('-'))
        .then(|| file.text.rsplit('/').next().unwrap_or_default().to_owned())
}

fn shown_file(block: &DocBlock, from: usize, name: String, all: &mut Vec<DocPiece>) -> usize {
    let rest = block.lines.get(from..).unwrap_or_default();
    let count = rest.iter().take_while(|l| prompt(&l.text).is_none()).count();
    let content = rest.get(..count).unwrap_or_default();
    if !content.iter().any(|l| l.text.starts_with("#!") || l.text.starts_with("#SBATCH")) {
        return from;
    }
    let mut piece = DocPiece { name: Some(name), ..DocPiece::new(PieceKind::File) };
    for (i, line) in content.iter().enumerate().skip_while(|(_, l)| l.text.trim().is_empty()) {
        piece.push(from + i, 0, &line.text);
    }
    all.push(piece);
    from + count
}

/// The end word and the file of a here-document: `cat > job.sh <<EOF`, `sbatch <<EOF`.
fn heredoc(command: &str) -> Option<(String, Option<String>)> {
    let (head, rest) = command.split_once("<<")?;
    let rest = rest.trim_start_matches('-').trim_start();
    if rest.starts_with('<') {
        return None;
    }
    let mut words = rest.split_whitespace();
    let end = words.next()?.trim_matches(['"', '\'', '\\']).to_owned();
    let target = |text: &str| {
        let (_, file) = text.rsplit_once('>')?;
        let file = file.split_whitespace().next()?.trim_matches(['"', '\'']);
        Some(file.rsplit('/').next().unwrap_or(file).to_owned())
    };
    let name = target(head).or_else(|| target(rest));
    end.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some((end, name))
}

/// The word that ends a command's here-document; none if it has none.
#[must_use]
pub fn heredoc_end(command: &str) -> Option<String> {
    heredoc(command).map(|(end, _)| end)
}

/// The lines of a here-document until its end word.
fn until(block: &DocBlock, from: usize, end: &str, name: Option<String>, all: &mut Vec<DocPiece>) -> usize {
    let mut piece = DocPiece { name, ..DocPiece::new(PieceKind::File) };
    let mut row = from;
    while let Some(line) = block.lines.get(row) {
        row += 1;
        let width = if line.text.starts_with("> ") { 2 } else { 0 };
        let text = line.text.get(width..).unwrap_or_default();
        if text.trim() == end {
            break;
        }
        piece.push(row - 1, width, text);
    }
    if !piece.rows.is_empty() {
        all.push(piece);
    }
    row
}

/// Splits a block without prompts: lines that run a command, and the rest.
fn lines(block: &DocBlock, shell: bool) -> Vec<DocPiece> {
    let mut all: Vec<DocPiece> = Vec::new();
    let mut row = 0;
    let starts = block.lines.iter().find(|l| !l.text.trim().is_empty() && !l.text.starts_with('#'));
    let commands = shell || starts.is_some_and(|l| is_slurm(&l.text) || is_common(&l.text));
    // Within a table or a record.
    let mut printing = false;
    while let Some(line) = block.lines.get(row) {
        let bare = line.text.trim();
        let slurm = is_slurm(&line.text);
        let comment = bare.starts_with('#') || bare.is_empty();
        let inner = heredoc(bare);
        printing =
            !slurm && !bare.is_empty() && (printing || output::begins_table(bare) || output::is_rule(bare));
        let is_command = commands
            && !comment
            && !printing
            && !is_slurm_message(bare)
            && (slurm || shell || inner.is_some() || is_common(bare));
        if is_command {
            let mut piece = DocPiece::new(PieceKind::Command);
            row = gather(block, row, 0, &mut piece);
            let inner = heredoc(&piece.text);
            all.push(piece);
            if let Some((end, name)) = inner {
                row = until(block, row, &end, name, &mut all);
            }
            continue;
        }
        let kind = if comment {
            PieceKind::Prose
        } else if printing || all.iter().any(|p| p.kind == PieceKind::Command) || is_slurm_message(bare) {
            PieceKind::Output
        } else {
            PieceKind::Prose
        };
        if all.last().is_none_or(|p| p.kind != kind) {
            all.push(DocPiece::new(kind));
        }
        if let Some(piece) = all.last_mut() {
            piece.push(row, 0, &line.text);
        }
        row += 1;
    }
    all
}
