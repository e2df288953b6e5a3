//! The dictionary of a documentation project: `doctest.toml`.

use base::diagnostic::{Diagnostic, Severity};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the author declares about the documentation and its site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DoctestConfig {
    /// The user who submits; by default the site's first user.
    pub user: Option<String>,
    /// Paths that are not checked; `*` matches anything.
    pub exclude: Vec<String>,
    /// Options that plugins of the site add to `sbatch` and `srun`: `--container-image`.
    pub options: Vec<String>,
    /// Options whose values the site's files do not list, such as `account` or `constraint`: any value is accepted.
    pub free: Vec<String>,
    /// Values of placeholders.
    pub placeholders: BTreeMap<String, String>,
    /// Renamed partitions: old name and new name.
    pub partitions: BTreeMap<String, String>,
}

impl DoctestConfig {
    /// Reads a dictionary.
    ///
    /// # Errors
    /// It is not valid TOML, or it has a key that does not exist.
    pub fn read(file: &str, text: &str) -> Result<Self, Diagnostic> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            let severity = Severity::Error;
            let message = error.message().replace('\n', " ");
            Diagnostic { severity, file: file.to_owned(), line: u32::try_from(line).unwrap_or(0), message }
        })
    }

    /// Names in the dictionary that do not exist on the site.
    #[must_use]
    pub fn unknown_names(
        &self,
        file: &str,
        text: &str,
        is_partition: &dyn Fn(&str) -> bool,
        is_option: &dyn Fn(&str) -> bool,
    ) -> Vec<Diagnostic> {
        let line_of = |name: &str| {
            let found = text.lines().position(|line| line.contains(name)).map_or(0, |n| n + 1);
            u32::try_from(found).unwrap_or(0)
        };
        let mut found = Vec::new();
        let mut tell = |line: u32, message: String| {
            let file = file.to_owned();
            found.push(Diagnostic { severity: Severity::Error, file, line, message });
        };
        for (old, new) in &self.partitions {
            if !is_partition(new) {
                tell(line_of(old), format!("the site has no partition '{new}'"));
            }
        }
        for name in self.free.iter().filter(|name| !is_option(name)) {
            tell(line_of(name), format!("sbatch has no option '--{name}'"));
        }
        found
    }

    /// Whether a path is excluded.
    #[must_use]
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|pattern| shell::name_matches(pattern, path))
    }

    /// Whether an option comes from a plugin of the site.
    #[must_use]
    pub fn is_extra(&self, word: &str) -> bool {
        let name = word.split('=').next().unwrap_or(word);
        self.options
            .iter()
            .any(|option| option == name || option.trim_start_matches('-') == name.trim_start_matches('-'))
    }
}
