//! Names of files that a page gives to its blocks: captions, first comments, sentences.

use super::block::DocBlock;

/// Endings of the names of batch scripts.
const SCRIPTS: &[&str] = &[
    ".sh", ".slurm", ".sbatch", ".job", ".sl", ".batch", ".cmd", ".bash", ".slrm", ".sub", ".run", ".script",
];

/// Endings of the names of other files that a job uses.
const OTHERS: &[&str] = &[
    ".py", ".r", ".jl", ".pl", ".m", ".c", ".cc", ".cpp", ".cu", ".f", ".f90", ".java", ".go", ".rs", ".lua",
    ".conf", ".cfg", ".def", ".yml", ".yaml", ".json", ".toml", ".txt", ".csv",
];

/// The script name given by a block's caption or the sentence before it.
pub fn script_name(block: &DocBlock) -> Option<String> {
    let caption = block.caption.as_deref().and_then(|text| only_name(text, is_script));
    caption.or_else(|| only_name(&block.before, is_script))
}

/// The script name that is a block's whole caption or its whole first line, as a comment.
pub fn own_name(block: &DocBlock) -> Option<String> {
    let caption = block.caption.as_deref().filter(|text| text.split_whitespace().count() == 1);
    let caption = caption.and_then(|text| only_name(text, is_script));
    caption.or_else(|| {
        block.lines.iter().find(|l| !l.text.trim().is_empty()).and_then(|l| comment_name(&l.text))
    })
}

/// The name of a file that is not a script, from a block's caption or the sentence before it.
pub fn other_name(block: &DocBlock) -> Option<String> {
    let is_file = |word: &str| is_script(word) || has_ending(word, OTHERS);
    let caption = block.caption.as_deref().and_then(|text| only_name(text, is_file));
    caption.or_else(|| only_name(&block.before, is_file))
}

/// `# job.sh` as the first comment.
pub fn named_by_comment(text: &str) -> Option<String> {
    comment_name(text.lines().find(|l| !l.starts_with("#!"))?)
}

fn comment_name(line: &str) -> Option<String> {
    let name = line.strip_prefix("# ")?;
    name.split_whitespace().count().eq(&1).then(|| only_name(name, is_script)).flatten()
}

/// The last part of a path.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The file that a text names, if there is only one.
fn only_name(text: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let cut = |c: char| c.is_whitespace() || "`'\"()[]<>,;:*=|“”‘’«»".contains(c);
    let mut names: Vec<&str> =
        text.split(cut).map(|w| w.trim_end_matches('.')).filter(|w| wanted(w)).map(base_name).collect();
    names.dedup();
    match names.as_slice() {
        [name] if !name.contains(['%', '$']) => Some((*name).to_owned()),
        _ => None,
    }
}

/// Whether a word is the name of a batch script.
pub fn is_script(word: &str) -> bool {
    SCRIPTS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

fn has_ending(word: &str, endings: &[&str]) -> bool {
    let lower = word.to_ascii_lowercase();
    endings.iter().any(|ending| lower.len() > ending.len() && lower.ends_with(ending))
        && !word.contains("://")
        && base_name(word).starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
}
