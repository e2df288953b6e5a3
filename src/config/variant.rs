//! `extends` of `site.toml`: a site that differs from a base site in some files and keys.
//!
//! Files of a variant replace files of the base with the same name, and keys of `site.toml` replace keys. In
//! arrays of tables (`[[...]]`), a table with the same name (or path) replaces the base's; other tables come
//! before the base's.

use super::SiteFiles;
use super::site_toml::{self, TomlError, TomlKey, TomlTable, TomlValue};

/// The path of the base's `site.toml` among a variant's files.
const BASE: &str = "base/site.toml";
/// Maximum length of a chain of bases.
pub const MAX_BASES: usize = 4;

impl SiteFiles {
    /// The base site named in `site.toml`.
    #[must_use]
    pub fn extends(&self) -> Option<String> {
        let line = self.0.get("site.toml")?.lines().find(|l| l.starts_with("extends"))?;
        let value = line.split_once('=')?.1.trim().strip_prefix('"')?.strip_suffix('"')?;
        let letter = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        Some(value.to_owned()).filter(|v| !v.is_empty() && v.chars().all(letter))
    }

    /// Merges these files over those of the base site, which may itself extend a site.
    #[must_use]
    pub fn over(mut self, base: Self) -> Self {
        for (path, text) in base.0 {
            let path = if path.ends_with("site.toml") { format!("base/{path}") } else { path };
            self.0.entry(path).or_insert(text);
        }
        self
    }
}

/// The document merged with its bases, and the errors in it.
pub(super) fn document(files: &SiteFiles) -> Option<(TomlTable, Vec<TomlError>)> {
    let (mut all, errors) = site_toml::parse(files.0.get("site.toml")?);
    let mut path = BASE.to_owned();
    for text in (0..MAX_BASES).map_while(|_| {
        let text = files.0.get(&path);
        path.insert_str(0, "base/");
        text
    }) {
        merge(&mut all.keys, site_toml::parse(text).0.keys);
    }
    Some((all, errors))
}

fn merge(own: &mut Vec<TomlKey>, base: Vec<TomlKey>) {
    for mut key in base {
        key.line = 0;
        match own.iter_mut().find(|k| k.name == key.name).map(|k| &mut k.value) {
            Some(TomlValue::List(mine)) => {
                if let TomlValue::List(theirs) = key.value {
                    join(mine, theirs);
                }
            }
            Some(
                TomlValue::Text(_)
                | TomlValue::Number(_)
                | TomlValue::Float(_)
                | TomlValue::Bool(_)
                | TomlValue::Date(_)
                | TomlValue::Table(_),
            ) => {}
            None => own.push(key),
        }
    }
}

/// Merges arrays of tables. Arrays of other values are the variant's alone.
fn join(mine: &mut Vec<TomlValue>, theirs: Vec<TomlValue>) {
    if !mine.iter().all(|v| matches!(v, TomlValue::Table(_))) || mine.is_empty() {
        return;
    }
    let mut joined = Vec::new();
    for value in theirs {
        let TomlValue::Table(mut table) = value else { continue };
        let same = |v: &TomlValue| matches!(v, TomlValue::Table(own) if called(own) == called(&table));
        match mine.iter().position(same).filter(|_| called(&table).is_some()) {
            Some(at) => joined.push(mine.remove(at)),
            None => {
                table.line = 0;
                joined.push(TomlValue::Table(table));
            }
        }
    }
    mine.append(&mut joined);
}

fn called(table: &TomlTable) -> Option<&str> {
    let text = |key| if let Some(TomlValue::Text(t)) = table.get(key) { Some(t.as_str()) } else { None };
    text("path").or_else(|| text("name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteInfo;

    fn site(files: &[(&str, &str)]) -> SiteFiles {
        SiteFiles(files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect())
    }

    #[test]
    fn keys_lists_and_files_of_a_variant() {
        let oldest = site(&[
            ("site.toml", "login = \"old\"\nopen = \"a\"\n[[users]]\nname = \"zoe\"\n"),
            ("slurm.conf", "old"),
            ("files/a", "from the oldest"),
        ]);
        let base = site(&[
            (
                "site.toml",
                "extends = \"oldest\"\nlogin = \"mid\"\n[[users]]\nname = \"ann\"\ngecos = \"Ann\"\n[[users]]\nname = \"bob\"\n",
            ),
            ("gres.conf", "mid"),
        ]);
        let own = site(&[
            (
                "site.toml",
                "extends = \"base\"\n[title]\nen = \"Own\"\n[[users]]\nname = \"bob\"\ngecos = \"Own Bob\"\n[[users]]\nname = \"eve\"\n",
            ),
            ("slurm.conf", "own"),
        ]);
        assert_eq!(own.extends().as_deref(), Some("base"));
        assert_eq!(site(&[("site.toml", "extends = \"../up\"\n")]).extends(), None);
        let all = own.over(base.over(oldest));
        assert_eq!(all.0.get("slurm.conf").map(String::as_str), Some("own"));
        assert_eq!(all.0.get("gres.conf").map(String::as_str), Some("mid"));
        let (info, found) = SiteInfo::parse("own", &all);
        assert_eq!(found, []);
        assert_eq!((info.login.as_str(), info.open.as_deref()), ("mid", Some("a")));
        let people: Vec<(&str, &str)> =
            info.users.iter().map(|u| (u.name.as_str(), u.gecos.as_str())).collect();
        assert_eq!(people, [("eve", "eve"), ("ann", "Ann"), ("bob", "Own Bob"), ("zoe", "zoe")]);
        assert_eq!(info.title.get("en").map(String::as_str), Some("Own"));
    }
}
