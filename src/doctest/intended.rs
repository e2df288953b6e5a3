//! Examples that are meant to fail: the page says so around them, or shows Slurm's message.

use super::finding::BlockVerdict;
use super::requests::RowFinding;
use doc::{DocBlock, PagePieces, PieceKind};

/// Phrases before an example that is wrong on purpose.
const BEFORE: &[&str] = &[
    "bad command",
    "bad example",
    "bad script",
    "bad slurm",
    "do not use",
    "does not work",
    "doesn't work",
    "don't use",
    "incorrect",
    "is not valid",
    "never use",
    "this fails",
    "will be rejected",
    "will fail",
    "will not work",
    "won't work",
    "wrong:",
];

/// Phrases after such an example.
const AFTER: &[&str] = &[
    "does not work",
    "doesn't work",
    "following error",
    "following message",
    "is rejected",
    "will be ignored",
    "will be rejected",
    "will cause",
    "will fail",
    "will not work",
    "won't work",
];

/// How many blocks in a row may share the sentence after the last.
const ROW: usize = 6;

/// Turns a fault that the page itself announces into a remark.
pub fn excuse(finding: &mut RowFinding, blocks: &[DocBlock], pieces: &PagePieces, index: usize) {
    let reported =
        matches!(finding.verdict, BlockVerdict::Refused | BlockVerdict::WaitsForever | BlockVerdict::Ignored);
    if !reported {
        return;
    }
    let why = if shows_message(&finding.message, pieces, index) {
        "the page shows this refusal"
    } else if is_announced(blocks, index) {
        "the page says that it does not work"
    } else {
        return;
    };
    finding.verdict = BlockVerdict::Unchecked;
    finding.message = format!("{why}: {}", finding.message);
    finding.fix = None;
}

/// Whether output in the block or the next one contains an error with the same words.
fn shows_message(message: &str, pieces: &PagePieces, index: usize) -> bool {
    let near = pieces.blocks.iter().skip(index).take(2).flatten();
    near.filter(|piece| matches!(piece.kind, PieceKind::Output | PieceKind::Prose | PieceKind::Command)).any(
        |piece| {
            piece.text.lines().filter(|line| line.contains("error:")).any(|line| {
                let said = line.rsplit(": ").next().unwrap_or_default().trim();
                said.len() > 12 && message.contains(said)
            })
        },
    )
}

/// Whether the sentence before the block, or the one after it and its neighbours, says that it does not work.
fn is_announced(blocks: &[DocBlock], index: usize) -> bool {
    let has = |text: &str, phrases: &[&str]| {
        let lower = text.to_lowercase();
        phrases.iter().any(|phrase| lower.contains(phrase))
    };
    let Some(block) = blocks.get(index) else { return false };
    let below = blocks.iter().skip(index).take(ROW).find(|block| !block.after.is_empty());
    has(&block.before, BEFORE) || below.is_some_and(|block| has(&block.after, AFTER))
}
