//! `[[notes]]` of `site.toml`: what the site's own guide prints and Slurm, or the site's rules, would not take as meant.

use super::toml::{Table, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A slip of a guide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What the guide prints; the editor looks for it.
    pub prints: String,
    /// What Slurm answers.
    pub answers: String,
    /// What to write instead; none: there is no other word for it.
    pub write: Option<String>,
    /// The same for people, by language code.
    pub says: BTreeMap<String, String>,
}

impl Note {
    pub(super) fn parse(table: &Table) -> Option<Self> {
        let mut note = Self::default();
        for key in &table.keys {
            let Value::Text(text) = &key.value else { return None };
            match key.name.as_str() {
                "prints" => note.prints.clone_from(text),
                "answers" => note.answers.clone_from(text),
                "write" => note.write = Some(text.clone()),
                "en" | "fr" => {
                    note.says.insert(key.name.clone(), text.clone());
                }
                _ => return None,
            }
        }
        (note.prints.len() > 2 && !note.answers.is_empty()).then_some(note)
    }
}
