//! The questions in the row above the keys.

use super::Nano;
use crate::Cx;
use crate::edit::EditorKey::{self, Alt, Char, Ctrl};
use crate::edit::Place;
use serde::{Deserialize, Serialize};

/// Maximum length of an answer.
const MAX_ANSWER: usize = 4096;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PromptKind {
    /// The name to write.
    Write {
        /// Whether the editor ends afterwards.
        leaves: bool,
    },
    /// Whether another file is overwritten.
    Overwrite {
        /// Its name.
        name: String,
        /// Whether the editor ends afterwards.
        leaves: bool,
    },
    /// Whether to save before the editor ends.
    SaveFirst,
    /// The file to insert.
    Read,
    /// What to search for.
    Search {
        /// The direction.
        forward: bool,
    },
    /// What to replace.
    Replace,
    /// By what.
    ReplaceWith,
    /// Whether this match is replaced.
    Replacing {
        /// Where the cursor was.
        begin: Place,
        /// Whether the end of the text was passed.
        wrapped: bool,
        /// Matches that were replaced.
        count: usize,
    },
    /// A line and a column.
    Line,
}

/// A question and the answer so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NanoPrompt {
    pub kind: PromptKind,
    pub answer: String,
    /// The character of the answer before which the cursor is.
    pub at: u32,
}

impl NanoPrompt {
    /// A question with the answer that Enter gives.
    #[must_use]
    pub fn new(kind: PromptKind, answer: &str) -> Self {
        let at = u32::try_from(answer.chars().count()).unwrap_or(0);
        Self { kind, answer: answer.to_owned(), at }
    }

    fn byte(&self, at: u32) -> usize {
        self.answer.char_indices().nth(at as usize).map_or(self.answer.len(), |(byte, _)| byte)
    }

    /// Edits the answer.
    fn edit(&mut self, key: EditorKey) {
        let length = u32::try_from(self.answer.chars().count()).unwrap_or(0);
        match key {
            Char(c) if self.answer.len() < MAX_ANSWER => {
                self.answer.insert(self.byte(self.at), c);
                self.at += 1;
            }
            EditorKey::Backspace if self.at > 0 => {
                self.at -= 1;
                self.answer.remove(self.byte(self.at));
            }
            EditorKey::Delete | Ctrl('d') if self.at < length => drop(self.answer.remove(self.byte(self.at))),
            EditorKey::Left | Ctrl('b') => self.at = self.at.saturating_sub(1),
            EditorKey::Right | Ctrl('f') => self.at = (self.at + 1).min(length),
            EditorKey::Home | Ctrl('a') => self.at = 0,
            EditorKey::End | Ctrl('e') => self.at = length,
            Ctrl('k') => {
                self.answer.clear();
                self.at = 0;
            }
            _ => {}
        }
    }
}

impl Nano {
    /// The question's text.
    pub(super) fn question(&self, prompt: &NanoPrompt) -> String {
        let last = |text: &str| if text.is_empty() { String::new() } else { format!(" [{text}]") };
        let mut modes = String::new();
        if self.case_sensitive {
            modes.push_str(" [Case Sensitive]");
        }
        if self.regex {
            modes.push_str(" [Regexp]");
        }
        match &prompt.kind {
            PromptKind::Write { .. } => "File Name to Write: ".to_owned(),
            PromptKind::Overwrite { name, .. } => format!("File \"{name}\" exists; OVERWRITE? "),
            PromptKind::SaveFirst => "Save modified buffer? ".to_owned(),
            PromptKind::Read => "File to insert [from ./]: ".to_owned(),
            PromptKind::Search { forward } => {
                let back = if *forward { "" } else { " [Backwards]" };
                format!("Search{modes}{back}{}: ", last(&self.search))
            }
            PromptKind::Replace => format!("Search{modes} (to replace){}: ", last(&self.search)),
            PromptKind::ReplaceWith => format!("Replace with{}: ", last(&self.replacement)),
            PromptKind::Replacing { .. } => "Replace this instance? ".to_owned(),
            PromptKind::Line => "Enter line number, column number: ".to_owned(),
        }
    }

    pub(super) fn prompt_key(&mut self, cx: &mut Cx, key: EditorKey) {
        let Some(mut prompt) = self.prompt.take() else { return };
        if matches!(key, Ctrl('c')) || key == EditorKey::Escape {
            return self.tell("Cancelled");
        }
        let letter = match key {
            Char(c) => c.to_ascii_lowercase(),
            _ => ' ',
        };
        match prompt.kind.clone() {
            PromptKind::SaveFirst => match letter {
                'y' => self.ask(PromptKind::Write { leaves: true }, &self.name.clone()),
                'n' => self.over = Some(0),
                _ => self.prompt = Some(prompt),
            },
            PromptKind::Overwrite { name, leaves } => match letter {
                'y' => self.write_and(cx, &name, leaves),
                'n' => self.ask(PromptKind::Write { leaves }, &name),
                _ => self.prompt = Some(prompt),
            },
            PromptKind::Replacing { begin, wrapped, count } => match letter {
                'y' | 'n' | 'a' => self.answer_replace(begin, wrapped, count, letter),
                _ => self.prompt = Some(prompt),
            },
            kind if key == EditorKey::Enter => self.answered(cx, kind, &prompt.answer),
            kind => {
                let searches = matches!(kind, PromptKind::Search { .. } | PromptKind::Replace);
                match key {
                    Alt('c') if searches => self.case_sensitive = !self.case_sensitive,
                    Alt('r') if searches => self.regex = !self.regex,
                    Alt('b') if matches!(kind, PromptKind::Search { .. }) => {
                        let forward = kind == PromptKind::Search { forward: false };
                        prompt.kind = PromptKind::Search { forward };
                    }
                    Ctrl('r') if searches => prompt.kind = PromptKind::Replace,
                    key => prompt.edit(key),
                }
                self.prompt = Some(prompt);
            }
        }
    }

    fn answered(&mut self, cx: &mut Cx, kind: PromptKind, answer: &str) {
        match kind {
            PromptKind::Write { leaves } => {
                if answer.is_empty() {
                    return self.tell("Cancelled");
                }
                if answer != self.name && crate::edit::file::exists(cx, answer) {
                    return self.ask(PromptKind::Overwrite { name: answer.to_owned(), leaves }, "");
                }
                self.write_and(cx, answer, leaves);
            }
            PromptKind::Read => self.read_in(cx, answer),
            PromptKind::Search { forward } => {
                if !answer.is_empty() {
                    answer.clone_into(&mut self.search);
                }
                if self.search.is_empty() {
                    return self.tell("Cancelled");
                }
                self.search_again(forward);
            }
            PromptKind::Replace => {
                if !answer.is_empty() {
                    answer.clone_into(&mut self.search);
                }
                if self.search.is_empty() {
                    return self.tell("Cancelled");
                }
                self.ask(PromptKind::ReplaceWith, "");
            }
            PromptKind::ReplaceWith => {
                answer.clone_into(&mut self.replacement);
                self.start_replace();
            }
            PromptKind::Line => {
                let mut parts = answer.split([',', '.', ' ', ';']);
                let number = |part: Option<&str>| part.and_then(|part| part.trim().parse::<usize>().ok());
                match (number(parts.next()), number(parts.next())) {
                    (Some(line), column) => self.go_to(line, column.unwrap_or(1)),
                    (None, _) => self.tell("Invalid line or column number"),
                }
            }
            PromptKind::Overwrite { .. } | PromptKind::SaveFirst | PromptKind::Replacing { .. } => {}
        }
    }
}
