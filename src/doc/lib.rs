//! Reads documentation: pages, their code blocks, and the commands, files and output in those blocks.
//!
//! Every line of a block has its file and line number, through includes, admonitions, tabs, lists and notebooks.
//! Nothing here reads files or needs a cluster: includes come through [`PageSource`]. All work is bounded, and
//! omissions are listed in [`DocPage::notes`].
//!
//! The feature `pages` reads the formats of pages. Without it, only blocks are read: the page of a cluster gets the blocks of
//! other people's pages from `www/embed/` ([`tried_blocks`]).
//!
//! ```
//! let page = doc::read("a.md", "Submit it:\n\n```console\n$ sbatch job.sh\nSubmitted batch job 7\n```\n", &mut doc::NoFiles);
//! let pieces = doc::pieces(&page.blocks[0]);
//! assert_eq!(pieces[0].text, "sbatch job.sh");
//! assert_eq!(page.blocks[0].lines[0].number, 4);
//! assert_eq!(pieces[1].kind, doc::PieceKind::Output);
//! ```

#[cfg(feature = "pages")]
mod admonition;
#[cfg(feature = "pages")]
mod asciidoc;
mod ask;
mod block;
#[cfg(feature = "pages")]
mod format;
#[cfg(feature = "pages")]
mod include;
mod language;
#[cfg(feature = "pages")]
mod liquid;
#[cfg(feature = "pages")]
mod markdown;
mod names;
#[cfg(feature = "pages")]
mod notebook;
mod output;
mod page;
mod piece;
mod placeholder;
#[cfg(feature = "pages")]
mod rst;
#[cfg(all(test, feature = "pages"))]
mod seeds;
#[cfg(all(test, feature = "pages"))]
mod tests;
mod tried;
pub mod words;

pub use ask::{Ask, AskedAbout, asks_of_command, asks_of_script};
pub use block::{DocBlock, DocLine, DocNote, DocPage, NoFiles, PageSource};
#[cfg(feature = "pages")]
pub use format::{DocFormat, MAX_PAGE, read};
pub use page::PagePieces;
pub use piece::{DocPiece, PieceKind, SLURM_COMMANDS, command_name, is_slurm, is_slurm_message, pieces};
pub use placeholder::{Placeholder, is_placeholder_value, joined_placeholders, placeholders};
pub use tried::{AskedPart, TextPart, TriedBlock, TriedFile, tried_blocks};

/// Longest line that is read, bytes. Longer ones are cut, and a note says so.
pub const MAX_LINE: usize = 16 << 10;
