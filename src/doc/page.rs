//! The blocks of a page together: which file a command names, and what names a block's file.

use super::block::DocBlock;
use super::piece::{DocPiece, PieceKind, SLURM_COMMANDS, captured, command_name, heredoc_end, pieces, shows};
use super::{names, words};
use std::collections::{BTreeMap, BTreeSet};

/// The index of a block, and that of a piece in it.
pub type PiecePlace = (usize, usize);

/// The pieces of all blocks of a page, and its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PagePieces {
    /// The pieces of each block.
    pub blocks: Vec<Vec<DocPiece>>,
    /// Files in order, and whether they have a name.
    files: Vec<(PiecePlace, bool)>,
    /// Files by name, in order.
    names: BTreeMap<String, Vec<PiecePlace>>,
}

impl PagePieces {
    /// The pieces of these blocks.
    #[must_use]
    pub fn of(blocks: &[DocBlock]) -> Self {
        let mut page = Self { blocks: blocks.iter().map(named_pieces).collect(), ..Self::default() };
        page.name_shown(blocks);
        for (block, list) in page.blocks.iter().enumerate() {
            for (piece, it) in list.iter().enumerate().filter(|(_, p)| p.kind == PieceKind::File) {
                page.files.push(((block, piece), it.name.is_some()));
                if let Some(name) = &it.name {
                    page.names.entry(name.clone()).or_default().push((block, piece));
                }
            }
        }
        page
    }

    /// Names a script after the command that shows or edits it, if that ends the block directly before: `cat job.sh`.
    fn name_shown(&mut self, blocks: &[DocBlock]) {
        for block in 1..self.blocks.len() {
            let shown = self.blocks.get(block - 1).and_then(|list| list.last());
            let Some(name) = shown.filter(|p| p.kind == PieceKind::Command).and_then(|p| shows(&p.text))
            else {
                continue;
            };
            if !blocks.get(block).is_some_and(|block| block.before.is_empty()) || !names::is_script(&name) {
                continue;
            }
            if let Some([only]) = self.blocks.get_mut(block).map(Vec::as_mut_slice)
                && only.kind == PieceKind::File
            {
                only.name = Some(name);
            }
        }
    }

    /// Whether a block contains a file.
    #[must_use]
    pub fn has_file(&self, block: usize) -> bool {
        self.file_before(block + 1).is_some_and(|((found, _), _)| found == block)
    }

    /// The file with this name: the nearest before the block or in it, otherwise the first after it.
    #[must_use]
    pub fn named(&self, block: usize, name: &str) -> Option<PiecePlace> {
        let all = self.names.get(name)?;
        let before = all.partition_point(|place| place.0 <= block);
        all.get(before.saturating_sub(1)).copied()
    }

    /// The script that a command of a block submits by this name: [`Self::named`]. If there is none, a script without a name
    /// directly before the block.
    #[must_use]
    pub fn submitted(&self, block: usize, name: &str) -> Option<PiecePlace> {
        self.named(block, name).or_else(|| {
            let (place, is_named) = self.file_before(block)?;
            (!is_named && block - place.0 == 1).then_some(place)
        })
    }

    /// A piece.
    #[must_use]
    pub fn piece(&self, (block, piece): PiecePlace) -> Option<&DocPiece> {
        self.blocks.get(block)?.get(piece)
    }

    /// Gives every file a name: that by which the next block submits it, otherwise `job.sh`, `job-2.sh` and so on. Parts of
    /// scripts become `options.sh`.
    pub fn name_all(&mut self) {
        let mut found: BTreeMap<PiecePlace, String> = BTreeMap::new();
        for (block, list) in self.blocks.iter().enumerate() {
            for piece in list.iter().filter(|p| p.kind == PieceKind::Command) {
                for name in submitted_names(&piece.text) {
                    let place = self.submitted(block, &name);
                    if let Some(place) =
                        place.filter(|place| self.piece(*place).is_some_and(|file| !is_part(file)))
                    {
                        found.entry(place).or_insert(name);
                    }
                }
            }
        }
        let mut known: BTreeSet<String> = self.names.keys().cloned().chain(found.values().cloned()).collect();
        let (mut scripts, mut parts) = (numbered("job"), numbered("options"));
        for (place, is_named) in std::mem::take(&mut self.files) {
            self.files.push((place, true));
            let before = place.1.checked_sub(1).and_then(|at| self.piece((place.0, at)));
            let is_here =
                before.is_some_and(|p| p.kind == PieceKind::Command && heredoc_end(&p.text).is_some());
            if is_named || is_here {
                continue;
            }
            let names = if self.piece(place).is_some_and(is_part) { &mut parts } else { &mut scripts };
            let name = found.remove(&place).or_else(|| names.find(|name| known.insert(name.clone())));
            let Some(name) = name else { continue };
            let places = self.names.entry(name.clone()).or_default();
            let at = places.partition_point(|known| *known < place);
            places.insert(at, place);
            if let Some(piece) = self.blocks.get_mut(place.0).and_then(|list| list.get_mut(place.1)) {
                piece.name = Some(name);
            }
        }
    }

    /// The last file before a block, and whether it has a name.
    fn file_before(&self, block: usize) -> Option<(PiecePlace, bool)> {
        let before = self.files.partition_point(|((at, _), _)| *at < block);
        self.files.get(before.checked_sub(1)?).copied()
    }
}

/// `job.sh`, `job-2.sh`, `job-3.sh` and so on.
fn numbered(stem: &'static str) -> impl Iterator<Item = String> {
    std::iter::once(format!("{stem}.sh")).chain((2_usize..).map(move |number| format!("{stem}-{number}.sh")))
}

/// Whether a file is only a part of a script: `#SBATCH` lines without a command.
fn is_part(file: &DocPiece) -> bool {
    let bare = |line: &str| line.trim().is_empty() || line.starts_with('#') && !line.starts_with("#!");
    file.text.lines().all(bare)
}

/// A block's pieces. A block of another language whose page names it is a file: `train.py`.
fn named_pieces(block: &DocBlock) -> Vec<DocPiece> {
    let mut all = pieces(block);
    if let [only] = all.as_mut_slice()
        && only.kind == PieceKind::Prose
        && !only.text.trim().is_empty()
        && let Some(name) = names::other_name(block)
    {
        only.kind = PieceKind::File;
        only.name = Some(name);
    }
    all
}

/// The scripts that the `sbatch` commands of a line name, without their directories.
fn submitted_names(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    for words in words::commands(&super::joined_placeholders(captured(command).unwrap_or(command))) {
        let Some(at) = command_name(&words) else { continue };
        let Some(program) = words.get(at).map(|w| w.text.as_str()) else { continue };
        // An alias, such as `sbatch-gpu`, submits scripts, too.
        if program != "sbatch" && (SLURM_COMMANDS.contains(&program) || !program.starts_with("sbatch")) {
            continue;
        }
        let named = |word: &str| names::is_script(word).then(|| names::base_name(word).to_owned());
        found.extend(words.iter().skip(at + 1).find_map(|word| named(&word.text)));
    }
    found
}
