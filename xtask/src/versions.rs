//! Makes each build one versioned set of files: files that a page loads have a hash in their names, and the service
//! worker lists the set.
//!
//! Invariant: two builds share no name with different content, except the page itself, the service worker, and files with a
//! stable address (icons, manifest, `embed.js`, licences). So a page of one build never gets a part of another one, whatever
//! a host or a browser has cached.

use crate::{Outcome, budget, examples};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Files that other files refer to and that get no hash from www/build.mjs.
const UNHASHED: [(&str, &str); 4] =
    [("worker.js", ".js"), ("worker_bg.wasm", "_bg.wasm"), ("worker_loader.js", ".js"), ("early.js", ".js")];

/// Folders that the app reads by name: sites and lessons.
const DATA: [&str; 2] = ["sites", "lessons"];

/// The folder of the book. Its files are kept once a visitor opens it.
pub const BOOK: &str = "book/";

/// Files that an offline visit does not need.
const NOT_KEPT: [&str; 4] = ["index.html", "sw.js", "licences.txt", "preview.png"];

/// The variable with the address that the page will have, such as `https://example.org/sandbatch/`. Most sites ignore a
/// preview's picture whose address is relative.
const PUBLIC: &str = "SANDBATCH_PUBLIC_URL";

/// The picture's relative address in the page.
const PREVIEW: &str = "property=\"og:image\" content=\"preview.png\" />";

/// Renames the files of a built page and writes the service worker's list.
pub fn name(dist: &Path) -> Outcome {
    let build = hash_of(dist)?;
    for (name, ending) in UNHASHED {
        fs::rename(dist.join(name), dist.join(named(name, ending, &build)))
            .map_err(|e| format!("{name}: {e}."))?;
    }
    let data = format!("data-{build}");
    fs::create_dir(dist.join(&data)).map_err(|e| format!("{data}: {e}."))?;
    for folder in DATA {
        let to = dist.join(&data).join(folder);
        fs::rename(dist.join(folder), to).map_err(|e| format!("{folder}: {e}."))?;
    }
    for (file, ending) in UNHASHED.into_iter().filter(|(_, ending)| *ending == ".js") {
        rewrite(&dist.join(named(file, ending, &build)), |text| Ok(with_names(text, &build)))?;
    }
    rewrite(&dist.join("index.html"), |text| {
        let data = format!("name=\"sandbatch-data\" content=\"{data}/\"");
        let text = once(&with_names(text, &build), "name=\"sandbatch-data\" content=\"\"", &data)?;
        match std::env::var(PUBLIC) {
            Ok(address) => with_address(&text, &address),
            Err(_) => Ok(text),
        }
    })?;
    let kept = |name: &String| !NOT_KEPT.contains(&name.as_str());
    let files: Vec<String> = budget::files(dist)?.iter().map(|file| examples::below(dist, file)).collect();
    let (book, files): (Vec<String>, Vec<String>) =
        files.into_iter().filter(kept).partition(|name| name.starts_with(BOOK));
    let files: Vec<String> = std::iter::once("./".to_owned()).chain(files).collect();
    let list = format!("const FILES = {};", examples::json(&files)?);
    let pages = format!("const BOOK = {};", examples::json(&book)?);
    rewrite(&dist.join("sw.js"), |text| {
        let named = once(text, "const BUILD = \"\";", &format!("const BUILD = \"{build}\";"))?;
        once(&once(&named, "const FILES = [];", &list)?, "const BOOK = [];", &pages)
    })
}

/// Writes the service worker's list of the book's files again, after the book alone was rendered. The rest of the build keeps its
/// names.
pub fn list_book(dist: &Path) -> Outcome {
    let files = budget::files(dist)?;
    let names = files.iter().map(|file| examples::below(dist, file)).filter(|name| name.starts_with(BOOK));
    let pages = format!("const BOOK = {};", examples::json(&names.collect::<Vec<_>>())?);
    rewrite(&dist.join("sw.js"), |text| {
        let old = text.lines().find(|line| line.starts_with("const BOOK = [")).unwrap_or("const BOOK = [];");
        once(text, old, &pages)
    })
}

/// `worker_bg.wasm` becomes `worker-HASH_bg.wasm`.
fn named(name: &str, ending: &str, build: &str) -> String {
    format!("{}-{build}{ending}", name.strip_suffix(ending).unwrap_or(name))
}

/// Replaces the names of the build's files in a text with their new names.
fn with_names(text: &str, build: &str) -> String {
    let mut text = text.to_owned();
    for (name, ending) in UNHASHED {
        for quote in ['"', '\'', '/'] {
            text = text.replace(&format!("{quote}{name}"), &format!("{quote}{}", named(name, ending, build)));
        }
    }
    text
}

/// The page with absolute addresses in its preview.
fn with_address(text: &str, address: &str) -> Outcome<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/%".contains(c);
    if !address.starts_with("https://") || !address.ends_with('/') || !address.chars().all(plain) {
        return Err(format!("{PUBLIC} must be an address such as https://example.org/sandbatch/."));
    }
    let tags = format!(
        "property=\"og:image\" content=\"{address}preview.png\" /><meta property=\"og:url\" content=\"{address}\" />"
    );
    once(text, PREVIEW, &tags)
}

/// Replaces a text that must occur exactly once.
fn once(text: &str, from: &str, to: &str) -> Outcome<String> {
    match text.matches(from).count() {
        1 => Ok(text.replacen(from, to, 1)),
        found => Err(format!("`{from}` is {found} times in a file of the page, and must be there once.")),
    }
}

fn rewrite(file: &Path, change: impl FnOnce(&str) -> Outcome<String>) -> Outcome {
    let problem = |e: std::io::Error| format!("{}: {e}.", file.display());
    let text = fs::read_to_string(file).map_err(problem)?;
    fs::write(file, change(&text)?).map_err(problem)
}

/// A hash of all files' names and bytes.
fn hash_of(dist: &Path) -> Outcome<String> {
    let mut hasher = DefaultHasher::new();
    for file in budget::files(dist)? {
        examples::below(dist, &file).hash(&mut hasher);
        fs::read(&file).map_err(|e| format!("{}: {e}.", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_in_texts_are_replaced() {
        let loader = "import init from './worker.js';\ninit({ module_or_path: \"./worker_bg.wasm\" });";
        let named = "import init from './worker-0a.js';\ninit({ module_or_path: \"./worker-0a_bg.wasm\" });";
        assert_eq!(with_names(loader, "0a"), named);
        let page = "<meta name=\"sandbatch-worker\" content=\"worker_loader.js\"><script src=\"early.js\">";
        let named =
            "<meta name=\"sandbatch-worker\" content=\"worker_loader-0a.js\"><script src=\"early-0a.js\">";
        assert_eq!(with_names(page, "0a"), named);
    }

    #[test]
    fn a_preview_gets_the_address_of_the_page() {
        let page = include_str!("../../index.html");
        let done = with_address(page, "https://example.org/sandbatch/").unwrap_or_default();
        assert!(done.contains("content=\"https://example.org/sandbatch/preview.png\""));
        assert!(done.contains("property=\"og:url\" content=\"https://example.org/sandbatch/\""));
        for wrong in ["http://a.org/", "https://a.org", "https://a.org/\"><script>/"] {
            assert!(with_address(page, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_mark_must_occur_exactly_once() {
        assert!(once("const BUILD = \"\";", "const FILES = [];", "").is_err());
        assert!(once("aa", "a", "b").is_err());
    }

    #[test]
    fn every_file_of_a_build_is_in_its_set() {
        let dist = std::env::temp_dir().join(format!("xtask-versions-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let file = dist.join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, text).expect("written");
        };
        write(
            "index.html",
            "<meta name=\"sandbatch-data\" content=\"\" /><script src=\"early.js\"></script>",
        );
        write("sw.js", "const BUILD = \"\";\nconst FILES = [];\nconst BOOK = [];\n");
        for file in [
            "worker.js",
            "worker_bg.wasm",
            "worker_loader.js",
            "early.js",
            "sites/lab.json",
            "lessons/en/a.md",
            "book/a.html",
        ] {
            write(file, "");
        }
        let named = name(&dist);
        let read = |name: &str| fs::read_to_string(dist.join(name)).unwrap_or_default();
        let (page, worker) = (read("index.html"), read("sw.js"));
        write("book/b.html", "");
        let listed = list_book(&dist);
        let renewed = read("sw.js");
        let left: Vec<bool> =
            ["worker.js", "early.js", "sites"].iter().map(|name| dist.join(name).exists()).collect();
        let _ = fs::remove_dir_all(&dist);
        assert_eq!(named, Ok(()));
        assert_eq!(left, [false; 3]);
        assert_eq!(listed, Ok(()));
        assert_eq!(
            renewed,
            worker.replace(
                "const BOOK = [\"book/a.html\"];",
                "const BOOK = [\"book/a.html\",\"book/b.html\"];"
            )
        );
        assert!(page.contains("content=\"data-") && page.contains("src=\"early-"), "{page}");
        assert!(worker.contains("const BOOK = [\"book/a.html\"];"), "{worker}");
        for file in ["\"./\"", "/sites/lab.json\"", "/lessons/en/a.md\"", "_bg.wasm\"", "worker_loader-"] {
            assert!(worker.contains(file), "{file} in {worker}");
        }
    }
}
