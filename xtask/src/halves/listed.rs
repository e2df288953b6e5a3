//! Checks that every module of the commands and every panel is listed as part of the first download or as
//! deferred. An unlisted module would make the first download grow unnoticed.

use crate::{Outcome, root};
use std::fs;
use std::path::Path;

/// The lists of a crate: modules that are deferred, and modules that stay in the first download.
#[derive(Clone, Copy)]
pub struct Lists<'a> {
    pub later: &'a [&'a str],
    pub first: &'a [&'a str],
}

/// Fails if a module of `crates` is in neither list or in both, or if the list of first modules names one that no
/// longer exists.
pub fn check(crates: &[&str], lists: Lists<'_>) -> Outcome {
    let mut findings = Vec::new();
    let mut known = Vec::new();
    for name in crates {
        let folder = root().join("src").join(name);
        modules(&folder.join("lib.rs"), &folder, name, lists, &mut known, &mut findings)?;
    }
    let gone = lists.first.iter().filter(|module| !known.iter().any(|k| k == *module));
    findings.extend(gone.map(|module| format!("`{module}` is no module any more")));
    match findings.as_slice() {
        [] => Ok(()),
        all => Err(format!(
            "xtask/src/halves/worker.rs (LATER defers a module, FIRST_MODULES keeps it in the first download): {}.",
            all.join("; ")
        )),
    }
}

/// Checks the modules that a file declares. An entry for a module also covers its submodules.
fn modules(
    file: &Path,
    folder: &Path,
    path: &str,
    lists: Lists<'_>,
    known: &mut Vec<String>,
    findings: &mut Vec<String>,
) -> Outcome {
    if lists.later.contains(&path) {
        return Ok(());
    }
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}.", file.display()))?;
    for name in declared(&text) {
        let path = format!("{path}::{name}");
        let (later, first) = (lists.later.contains(&path.as_str()), lists.first.contains(&path.as_str()));
        known.push(path.clone());
        let own = folder.join(name);
        match (later, first) {
            (true, true) => findings.push(format!("`{path}` is both in LATER and in FIRST_MODULES")),
            (true, false) | (false, true) => {}
            (false, false) if own.join("mod.rs").is_file() => {
                modules(&own.join("mod.rs"), &own, &path, lists, known, findings)?;
            }
            (false, false) => findings.push(format!("`{path}` is in no list")),
        }
    }
    Ok(())
}

/// The modules that a source declares, without those of its tests.
fn declared(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = "";
    for line in text.lines().map(str::trim) {
        let declares = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ");
        if let Some(name) = declares.and_then(|rest| rest.strip_suffix(';'))
            && !before.starts_with("#[cfg(")
        {
            found.push(name);
        }
        before = line;
    }
    found
}

/// A row of the page's table of panels.
#[derive(Debug, PartialEq, Eq)]
pub struct PanelRow {
    /// The function that draws the panel: `app::panels::charts::draw`.
    pub draw: String,
    /// Whether it is in the first download.
    pub at_once: bool,
}

/// The rows of the table of panels, from the text of `src/app/panels/mod.rs`. Fails on a row that it cannot read.
pub fn panels(source: &str) -> Outcome<Vec<PanelRow>> {
    let own = declared(source);
    let table = source.split_once("pub const PANELS").map_or("", |(_, table)| table);
    let table = table.split_once("\n];").map_or("", |(table, _)| table);
    let mut rows = Vec::new();
    for text in table.split("PanelKind {").skip(1) {
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
            line.ok_or_else(|| format!("src/app/panels/mod.rs: a row of PANELS has no `{name}:`."))
        };
        let (draw, at_once) = (field("draw")?, field("at_once")?);
        let module = draw.rsplit("| ").next().and_then(|call| call.split_once("::draw("));
        let Some((module, _)) = module else {
            return Err(format!("src/app/panels/mod.rs: `{draw}` does not call `MODULE::draw`."));
        };
        let below = if own.contains(&module) { "panels::" } else { "" };
        rows.push(PanelRow {
            draw: format!("app::{below}{module}::draw"),
            at_once: at_once.starts_with("true"),
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halves::worker::{FIRST_MODULES, LATER};

    const CRATES: &[&str] = &["commands", "unix"];

    #[test]
    fn every_module_of_the_commands_is_listed() {
        assert_eq!(check(CRATES, Lists { later: LATER, first: FIRST_MODULES }), Ok(()));
    }

    #[test]
    fn a_missing_entry_is_an_error() {
        let without = |all: &[&'static str], name: &str| {
            all.iter().copied().filter(|entry| *entry != name).collect::<Vec<_>>()
        };
        for forgotten in ["commands::slurm::sdiag", "commands::slurm::scontrol", "unix"] {
            let later = without(LATER, forgotten);
            assert_ne!(later.len(), LATER.len(), "{forgotten} is no entry");
            let error = check(CRATES, Lists { later: &later, first: FIRST_MODULES }).unwrap_err();
            assert!(error.contains("is in no list"), "{error}");
        }
        let first = without(FIRST_MODULES, "commands::slurm::squeue");
        assert!(check(CRATES, Lists { later: LATER, first: &first }).is_err());
        let both: Vec<_> = LATER.iter().chain(FIRST_MODULES).copied().collect();
        let error = check(CRATES, Lists { later: &both, first: FIRST_MODULES }).unwrap_err();
        assert!(error.contains("is both in"), "{error}");
        let gone: Vec<_> = FIRST_MODULES.iter().copied().chain(["commands::slurm::sgone"]).collect();
        let error = check(CRATES, Lists { later: LATER, first: &gone }).unwrap_err();
        assert!(error.contains("`commands::slurm::sgone` is no module"), "{error}");
    }

    #[test]
    fn panels_are_read_from_their_table() {
        let row = |draw: &str, at_once| PanelRow { draw: draw.to_owned(), at_once };
        let source = "mod charts;\npub const PANELS: [PanelKind; 2] = [\n    PanelKind {\n        name: \"charts\",\n        \
                      at_once: false,\n        draw: |page, state| charts::draw(page, state.picture),\n    },\n    PanelKind {\n        \
                      at_once: true,\n        draw: |page, state| lesson::draw(page),\n    },\n];\n";
        let expected = vec![row("app::panels::charts::draw", false), row("app::lesson::draw", true)];
        assert_eq!(panels(source), Ok(expected));
        assert!(panels(&source.replace("charts::draw(", "charts::paint(")).is_err());
        assert!(panels(&source.replace("at_once: true", "later: true")).is_err());
    }
}
