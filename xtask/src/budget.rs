//! Size budgets of the page, in bytes after brotli.

use crate::run::{self, program, visibly};
use crate::versions::BOOK;
use crate::{Outcome, say, setup};
use std::fs;
use std::path::{Path, PathBuf};

/// A part of the page with a budget, in bytes after brotli.
struct Part {
    name: &'static str,
    limit: usize,
    /// Whether a file (by its path below `dist`) belongs to this part. The first matching part counts.
    wants: fn(&str) -> bool,
}

/// The parts of the first load, then (from [`FIRST_PARTS`] on) those loaded after the first prompt. All other files are
/// loaded on demand.
const PARTS: [Part; 8] = [
    // The aim is 650 kB.
    Part { name: "worker", limit: 768_000, wants: |file| file.starts_with("worker") },
    Part {
        name: "terminal and styles",
        limit: 100_000,
        wants: |file| (file.ends_with(".css") || file.starts_with("terminal")) && !file.starts_with("editor"),
    },
    // The aim is 200 kB.
    Part {
        name: "app",
        limit: 332_000,
        wants: |file| file.starts_with("app") || file.starts_with("snippets/"),
    },
    Part {
        name: "other files",
        limit: 250_000,
        wants: |file| {
            let sites = file.ends_with("/sites/index.json") || file.ends_with("/sites/lab.json");
            file == "index.html" || file.starts_with("early") || file.ends_with(".svg") || sites
        },
    },
    Part {
        name: "worker's deferred module",
        limit: 1_940_000,
        wants: |file| file.starts_with("later-worker"),
    },
    Part { name: "app's deferred module", limit: 440_000, wants: |file| file.starts_with("later-app") },
    Part { name: "editor", limit: 130_000, wants: |file| file.starts_with("editor") },
    Part { name: "book", limit: 700_000, wants: |file| file.starts_with(BOOK) },
];
const FIRST_PARTS: usize = 4;

/// Budget for the first load as a whole; 1.2 MB is the most that it may ever be.
const FIRST_LOAD: usize = 1_200_000;

/// A row of the table: name, size after brotli, and the limit, if any.
pub type Row = (&'static str, usize, Option<usize>);

/// The index of a file's part. The book has files with any ending.
fn part_of(file: &str) -> Option<usize> {
    PARTS.iter().position(|part| (part.wants)(file) && (part.name == "book") == file.starts_with(BOOK))
}

/// The sizes of the parts, of the first load, and of files loaded on demand.
pub fn sizes(dist: &Path) -> Outcome<Vec<Row>> {
    let mut sizes = [0; PARTS.len()];
    let mut later = 0;
    let compressed = run::target().join("brotli");
    setup::discard(&compressed)?;
    compress(dist, &compressed)?;
    for file in files(&compressed)? {
        let size = fs::metadata(&file).map_err(|e| format!("{}: {e}.", file.display()))?.len();
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let name = file.strip_prefix(&compressed).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        match part_of(name.trim_end_matches(".br")) {
            Some(part) => sizes[part] += size,
            None => later += size,
        }
    }
    let mut rows: Vec<Row> =
        PARTS.iter().zip(sizes).map(|(part, size)| (part.name, size, Some(part.limit))).collect();
    rows.insert(FIRST_PARTS, ("first load", sizes[..FIRST_PARTS].iter().sum(), Some(FIRST_LOAD)));
    rows.push(("on demand", later, None));
    Ok(rows)
}

/// Prints the table; an error if a budget is exceeded or a part is missing.
pub fn check(dist: &Path) -> Outcome {
    let mut over = Vec::new();
    for (name, size, limit) in sizes(dist)? {
        let of = limit.map_or(String::new(), |limit| format!(" of {:>8}", say::kilobytes(limit)));
        say::note(&format!("{name:24} {:>8}{of}", say::kilobytes(size)));
        if limit.is_some_and(|limit| size > limit || size == 0) {
            over.push(name);
        }
    }
    if over.is_empty() { Ok(()) } else { Err(format!("Over budget or missing: {}.", over.join(", "))) }
}

/// The files below a folder, sorted.
pub fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let fail = |e: std::io::Error| format!("{}: {e}.", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Compresses every file below a folder to `NAME.br` below another one, at the highest level, as a good web host would.
pub fn compress(from: &Path, to: &Path) -> Outcome {
    visibly(program("node").arg("xtask/src/brotli.mjs").args([from, to]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_their_part() {
        let part = |file: &str| part_of(file).and_then(|part| PARTS.get(part)).map(|part| part.name);
        assert_eq!(part("worker-0123456789abcdef_bg.wasm"), Some("worker"));
        assert_eq!(part("app-0123456789abcdef_bg.wasm"), Some("app"));
        assert_eq!(part("snippets/sandbatch-app-0123/js/bundle.js"), Some("app"));
        assert_eq!(part("page-0123.css"), Some("terminal and styles"));
        assert_eq!(part("terminal-ABCD.js"), Some("terminal and styles"));
        assert_eq!(part("data-0123/sites/lab.json"), Some("other files"));
        assert_eq!(part("data-0123/sites/other.json"), None);
        assert_eq!(part("editor-ABCD.js"), Some("editor"));
        assert_eq!(part("later-worker-0123.wasm"), Some("worker's deferred module"));
        assert_eq!(part("later-app-0123.wasm"), Some("app's deferred module"));
        assert_eq!(part("book/css/general-0123.css"), Some("book"));
        assert_eq!(part("book/learn/look.html"), Some("book"));
    }
}
