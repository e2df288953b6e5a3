//! `[[notes]]` of `site.toml`: text of the site's guide that Slurm or the site's rules would not accept as
//! intended.

use super::site_toml::{TomlTable, TomlValue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An error in a guide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuideNote {
    /// The text in the guide, which the editor searches for.
    pub prints: String,
    /// Slurm's answer to it.
    pub answers: String,
    /// The correct text; `None` if there is no replacement.
    pub write: Option<String>,
    /// The explanation for users, by language code.
    pub says: BTreeMap<String, String>,
}

impl GuideNote {
    pub(super) fn parse(table: &TomlTable) -> Option<Self> {
        let mut note = Self::default();
        for key in &table.keys {
            let TomlValue::Text(text) = &key.value else { return None };
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
