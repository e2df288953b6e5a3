//! What the editors on a terminal share: keys, the text with its undo history, files, and drawing.
//!
//! Invariant: an editor is plain data, so a session that is saved while a file is edited resumes there. The cost of a key is
//! that of the rows that it changes on the screen.

pub mod file;
pub mod keys;
pub mod screen;
pub mod terminal;
pub mod text;

pub use file::{FileLoad, SaveError};
pub use keys::EditorKey;
pub use screen::EditorScreen;
pub use terminal::EditorTerminal;
pub use text::{EditorText, Place};
