//! What a reader does with the blocks of a page, one after the other in one session: what is typed, which files are written,
//! and what must be filled in first. Embedded clusters use it (`docs/embed.md`).

use super::ask::{Ask, AskedAbout, asks_of_command, asks_of_script};
use super::block::DocBlock;
use super::page::{PagePieces, PiecePlace};
use super::piece::{DocPiece, PieceKind, captured, command_name, heredoc_end};
use super::{names, words};
use std::collections::BTreeSet;

/// Most files that a block needs.
const MAX_FILES: usize = 16;
/// Most values that a block asks for.
const MAX_ASKS: usize = 24;

/// Programs that run or read the files that their arguments name.
const RUNNERS: &[&str] = &[
    "sbatch",
    "srun",
    "salloc",
    "bash",
    "sh",
    "source",
    ".",
    "python",
    "python3",
    "Rscript",
    "R",
    "julia",
    "perl",
    "gcc",
    "g++",
    "gfortran",
    "cc",
    "CC",
    "ftn",
    "mpicc",
    "mpicxx",
    "mpif90",
    "nvcc",
    "mpirun",
    "mpiexec",
    "javac",
    "java",
    "chmod",
    "dos2unix",
    "apptainer",
    "singularity",
    "conda",
    "pip",
    "sbcast",
    "xargs",
    "time",
];

/// Programs that edit a file. The cluster's editor is used instead.
const EDITORS: &[&str] = &["vi", "vim", "nano", "emacs", "edit", "gedit"];

/// A block as a reader tries it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriedBlock {
    /// The kind of each line.
    pub rows: Vec<PieceKind>,
    /// Files in the order in which they are written, before the commands.
    pub files: Vec<TriedFile>,
    /// Command lines in order. Here-documents and continued lines have several lines.
    pub commands: Vec<Vec<TextPart>>,
    /// What the reader fills in; parts refer to it.
    pub asks: Vec<AskedPart>,
}

/// A file that is written before the commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedFile {
    /// Its name, without directories.
    pub name: String,
    /// Its text.
    pub text: Vec<TextPart>,
    /// Whether the block itself shows it. Otherwise another block does, and a command of this one uses it.
    pub own: bool,
}

/// What the reader fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPart {
    /// As the page writes it.
    pub text: String,
    /// What it is about.
    pub about: AskedAbout,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// As it is.
    Text(String),
    /// What the reader fills in: an index into [`TriedBlock::asks`].
    Asked(usize),
}

/// Reads the blocks of a page.
#[must_use]
pub fn tried_blocks(blocks: &[DocBlock]) -> Vec<TriedBlock> {
    let mut page = PagePieces::of(blocks);
    page.name_all();
    let assigned = assigned(&page);
    (0..blocks.len()).map(|at| tried(&page, blocks, at, &assigned)).collect()
}

/// The variables that commands of the page set, in lower case.
fn assigned(page: &PagePieces) -> BTreeSet<String> {
    let commands = page.blocks.iter().flatten().filter(|p| p.kind == PieceKind::Command);
    let name = |line: &str| {
        let line = line.trim_start();
        let (name, _) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name.then(|| name.to_ascii_lowercase())
    };
    commands.flat_map(|p| p.text.lines()).filter_map(name).collect()
}

fn tried(page: &PagePieces, blocks: &[DocBlock], at: usize, assigned: &BTreeSet<String>) -> TriedBlock {
    let mut it = TriedBlock::default();
    let (Some(pieces), Some(block)) = (page.blocks.get(at), blocks.get(at)) else { return it };
    it.rows = vec![PieceKind::Prose; block.lines.len()];
    let mut open: Vec<PiecePlace> = Vec::new();
    let mut typed: Vec<(String, Vec<Ask>)> = Vec::new();
    let mut rest = pieces.iter().enumerate().peekable();
    while let Some((index, piece)) = rest.next() {
        mark(&mut it.rows, piece, piece.kind);
        match piece.kind {
            PieceKind::Command => {
                let mut text = piece.text.trim().to_owned();
                let mut asks = asks_of_command(&text, assigned);
                if let Some(end) = heredoc_end(&text) {
                    if let Some((_, file)) = rest.next_if(|(_, next)| next.kind == PieceKind::File) {
                        mark(&mut it.rows, file, PieceKind::Command);
                        let start = text.len() + 1;
                        let inner = asks_of_script(&file.text).into_iter();
                        asks.extend(inner.map(|a| Ask { from: start + a.from, to: start + a.to, ..a }));
                        text = format!("{text}\n{}", file.text);
                    }
                    text = format!("{text}\n{end}");
                }
                typed.push((text, asks));
            }
            PieceKind::File => open.push((at, index)),
            PieceKind::Output | PieceKind::Prose => {}
        }
    }
    let own = open.len();
    for (text, _) in &typed {
        need(page, at, text, &mut open);
    }
    // A script may use files, too.
    let mut next = 0;
    while let Some((block, index)) = open.get(next).copied() {
        if let Some(file) = page.piece((block, index)) {
            need(page, block, &file.text, &mut open);
        }
        next += 1;
    }
    for (number, place) in open.iter().enumerate() {
        let Some(file) = page.piece(*place) else { continue };
        let text = format!("{}\n", file.text.trim_end());
        let text = parted(&text, &asks_of_script(&text), &mut it.asks);
        it.files.push(TriedFile { name: file.name.clone().unwrap_or_default(), text, own: number < own });
    }
    let written = |name: &str| it.files.iter().any(|file| file.own && file.name == name);
    typed.retain(|(text, _)| !edits(text).is_some_and(|name| written(&name)));
    it.commands = typed.iter().map(|(text, asks)| parted(text, asks, &mut it.asks)).collect();
    it
}

fn mark(rows: &mut [PieceKind], piece: &DocPiece, kind: PieceKind) {
    for (_, row, _) in &piece.rows {
        if let Some(row) = rows.get_mut(*row) {
            *row = kind;
        }
    }
}

/// Adds the files of other blocks that commands in a text use.
fn need(page: &PagePieces, at: usize, text: &str, open: &mut Vec<PiecePlace>) {
    let lines = text.replace("\\\n", "  ");
    for line in lines.lines().filter(|line| !line.trim_start().starts_with('#')) {
        for words in words::commands(&super::joined_placeholders(captured(line).unwrap_or(line))) {
            let Some(start) = command_name(&words) else { continue };
            let Some(program) = words.get(start).map(|w| w.text.as_str()) else { continue };
            let runs = RUNNERS.contains(&program) || program.starts_with("sbatch") || program.contains('/');
            for word in words.iter().skip(start).filter(|_| runs) {
                let found = page.named(at, names::base_name(&word.text)).filter(|place| place.0 != at);
                if let Some(place) = found.filter(|place| !open.contains(place) && !typed_there(page, *place))
                {
                    if open.len() >= MAX_FILES {
                        return;
                    }
                    open.push(place);
                }
            }
        }
    }
}

/// Whether a file is the content of a here-document that the shell would change.
fn typed_there(page: &PagePieces, (block, index): PiecePlace) -> bool {
    let Some(before) = index.checked_sub(1).and_then(|at| page.piece((block, at))) else { return false };
    let is_here = before.kind == PieceKind::Command && heredoc_end(&before.text).is_some();
    let is_quoted =
        before.text.contains("<<'") || before.text.contains("<< '") || before.text.contains("<<\"");
    let is_plain = page.piece((block, index)).is_some_and(|file| !file.text.contains(['$', '`', '\\']));
    is_here && !(is_quoted || is_plain)
}

/// The file that a command opens in a terminal's editor.
fn edits(command: &str) -> Option<String> {
    let all = words::commands(command);
    let [words] = all.as_slice() else { return None };
    let [program, .., file] = words.as_slice() else { return None };
    EDITORS.contains(&program.text.as_str()).then(|| names::base_name(&file.text).to_owned())
}

/// A text in parts. Parts with the same text share an entry of `known`; a part that no longer fits stays text.
fn parted(text: &str, asks: &[Ask], known: &mut Vec<AskedPart>) -> Vec<TextPart> {
    let mut parts = Vec::new();
    let mut at = 0;
    for ask in asks {
        let Some(word) = text.get(ask.from..ask.to).filter(|_| ask.from >= at) else { continue };
        let index = known.iter().position(|k| k.text == word && k.about == ask.about);
        if index.is_none() && known.len() >= MAX_ASKS {
            continue;
        }
        let index = index.unwrap_or_else(|| {
            known.push(AskedPart { text: word.to_owned(), about: ask.about });
            known.len() - 1
        });
        if let Some(before) = text.get(at..ask.from).filter(|before| !before.is_empty()) {
            parts.push(TextPart::Text(before.to_owned()));
        }
        parts.push(TextPart::Asked(index));
        at = ask.to;
    }
    if let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        parts.push(TextPart::Text(rest.to_owned()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(language: &str, before: &str, text: &str) -> DocBlock {
        DocBlock::of_text(language, None, before, text)
    }

    fn captioned(caption: &str, language: &str, text: &str) -> DocBlock {
        DocBlock::of_text(language, Some(caption), "", text)
    }

    fn plain(parts: &[TextPart]) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Text(text) => text.clone(),
            TextPart::Asked(index) => format!("{{{index}}}"),
        };
        parts.iter().map(part).collect()
    }

    /// `name` of own files, `(name)` of others.
    fn files(block: &TriedBlock) -> Vec<String> {
        block.files.iter().map(|f| if f.own { f.name.clone() } else { format!("({})", f.name) }).collect()
    }

    fn commands(block: &TriedBlock) -> Vec<String> {
        block.commands.iter().map(|c| plain(c)).collect()
    }

    const BODY: &str = "#!/bin/bash\n#SBATCH --time=5\npython train.py\n";

    #[test]
    fn a_script_and_what_it_uses_are_written_before_it_is_submitted() {
        let page = [
            captioned("src/train.py", "python", "print(1)\n"),
            block("bash", "", BODY),
            block("console", "", "$ sbatch -p cpu \\\n    scripts/run.slurm\nSubmitted batch job 3\n"),
            block("console", "", "$ cat result.txt\nfine\n"),
            block("text", "The file result.txt contains:", "fine\n"),
        ];
        let all = tried_blocks(&page);
        assert_eq!(files(&all[0]), ["train.py"]);
        assert_eq!(files(&all[1]), ["run.slurm", "(train.py)"]);
        assert_eq!(files(&all[2]), ["(run.slurm)", "(train.py)"]);
        assert_eq!(commands(&all[2]), ["sbatch -p cpu \\\n    scripts/run.slurm"]);
        assert_eq!(plain(&all[2].files[0].text), BODY);
        // What a command prints is never written for it.
        assert_eq!((files(&all[3]), commands(&all[3])), (vec![], vec!["cat result.txt".to_owned()]));
    }

    #[test]
    fn here_documents_and_files_of_the_block_itself() {
        let typed = format!("$ cat > go.sh <<'EOF'\n{BODY}EOF\n$ sbatch go.sh");
        let shown = format!("$ cat run.slurm\n{BODY}$ sbatch run.slurm\nSubmitted batch job 3\n");
        let edited = format!("$ nano edit.sh\n{BODY}$ sbatch edit.sh\n");
        let all = tried_blocks(&[
            block("bash", "", &typed),
            block("console", "", &shown),
            block("console", "", &edited),
            block("bash", "", "sbatch go.sh"),
            block("bash", "", "cat > home.sh <<EOF\n#!/bin/bash\ncd $HOME\nEOF"),
            block("bash", "", "sbatch home.sh"),
            block("bash", "", "$ cat > x <<EOF\na"),
        ]);
        let here = format!("cat > go.sh <<'EOF'\n{BODY}EOF");
        assert_eq!((files(&all[0]), commands(&all[0])), (vec![], vec![here, "sbatch go.sh".to_owned()]));
        assert_eq!(files(&all[1]), ["run.slurm"]);
        assert_eq!(commands(&all[1]), ["cat run.slurm", "sbatch run.slurm"]);
        // The file is open in the editor already.
        assert_eq!(
            (files(&all[2]), commands(&all[2])),
            (vec!["edit.sh".to_owned()], vec!["sbatch edit.sh".to_owned()])
        );
        assert_eq!(files(&all[3]), ["(go.sh)"]);
        // The shell would change its content.
        assert_eq!(files(&all[5]), Vec::<String>::new());
        // A here-document that does not end is ended.
        assert_eq!(commands(&all[6]), ["cat > x <<EOF\na\nEOF"]);
    }

    #[test]
    fn a_value_is_asked_for_once() {
        let script = "#!/bin/bash\n#SBATCH -A <account>\n#SBATCH ....\nhostname\n";
        let all = tried_blocks(&[
            block("bash", "Save it as `a.sh`:", script),
            block(
                "bash",
                "",
                "sbatch -A <account> -p <queue> a.sh\nID=$(sbatch --parsable a.sh)\nscancel $ID $JOBID",
            ),
        ]);
        let asked = |at: usize| all[at].asks.iter().map(|a| a.text.as_str()).collect::<Vec<_>>();
        assert_eq!(asked(0), ["<account>", "...."]);
        assert_eq!(asked(1), ["<account>", "....", "<queue>", "$JOBID"]);
        assert_eq!(commands(&all[1])[0], "sbatch -A {0} -p {2} a.sh");
    }

    #[test]
    fn odd_and_hostile_blocks_are_bounded() {
        assert_eq!(tried_blocks(&[]), []);
        let empty =
            tried_blocks(&[block("python", "", ""), block("", "", "\n \n"), block("output", "", "squeue")]);
        assert!(empty.iter().all(|b| b.files.is_empty() && b.commands.is_empty()), "{empty:?}");
        let many: String = (0..2000).map(|n| format!("sbatch -A <p{n}> job.sh\n")).collect();
        assert_eq!(tried_blocks(&[block("bash", "", &many)])[0].asks.len(), MAX_ASKS);
        for text in [
            "<a> ",
            "#!/bin/sh\n",
            "#SBATCH\n",
            "a\n",
            "$(",
            "{{",
            "sbatch a.sh;",
            "\u{1f600}\\\n",
            "cat <<E\n",
        ] {
            let hostile = text.repeat((8 << 10) / text.len());
            let page: Vec<DocBlock> = (0..2)
                .map(|_| block("bash", &hostile[..256.min(hostile.floor_char_boundary(256))], &hostile))
                .collect();
            let all = tried_blocks(&page);
            assert!(all.iter().all(|b| b.asks.len() <= MAX_ASKS), "{text}");
        }
    }
}
