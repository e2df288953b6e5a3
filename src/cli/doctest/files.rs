//! Finds pages, and the files that they include or mention.

use crate::cli::input::{self, is_stdin};
use ::doctest::{DoctestConfig, PageFiles};
use doc::{DocFormat, MAX_PAGE, PageSource};
use std::path::{Path, PathBuf};

/// Maximum depth of folders.
const MAX_DEPTH: u32 = 20;
/// Maximum number of pages.
const MAX_PAGES: usize = 50_000;
/// Folders that generators and version control write.
const SKIPPED: &[&str] = &["node_modules", "_build", "site", "target", "__pycache__", "venv"];
/// How many folders above a page belong to its documentation.
const ABOVE: usize = 8;

/// The pages of these paths, sorted.
///
/// # Errors
/// A path does not exist, or there are too many pages.
pub fn find_pages(paths: &[PathBuf], config: &DoctestConfig) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if is_stdin(path) {
            found.push(path.clone());
            continue;
        }
        let meta = std::fs::metadata(path).map_err(|e| format!("{}: {e}", path.display()))?;
        if meta.is_dir() {
            walk(path, 0, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    found.retain(|path| !config.excludes(&path.to_string_lossy()));
    found.sort();
    found.dedup();
    Ok(found)
}

fn walk(folder: &Path, depth: u32, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let problem = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        // Links could lead out of the folder or in circles.
        let kind = entry.file_type().map_err(problem)?;
        if kind.is_dir() && depth < MAX_DEPTH && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            walk(&path, depth + 1, found)?;
        } else if kind.is_file() && DocFormat::of(&name).is_some() {
            if found.len() >= MAX_PAGES {
                return Err(format!("more than {MAX_PAGES} pages"));
            }
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a file or standard input may be a page.
pub fn is_page(path: &Path) -> bool {
    is_stdin(path) || DocFormat::of(&path.to_string_lossy()).is_some()
}

/// What the reports call a page. Standard input is Markdown.
pub fn page_name(path: &Path) -> String {
    if is_stdin(path) { "stdin.md".to_owned() } else { path.to_string_lossy().into_owned() }
}

/// The text of a file.
///
/// # Errors
/// It is too large, binary, or cannot be read.
pub fn read_text(path: &Path) -> Result<String, String> {
    input::text(path, MAX_PAGE as u64)
}

/// The files around a page.
pub struct Folder {
    page: PathBuf,
    root: PathBuf,
}

impl Folder {
    /// The documentation that a page belongs to: the highest folder above it with a generator's configuration, or its own.
    pub fn of(page: &Path) -> Self {
        let marks = ["mkdocs.yml", "conf.py", "_config.yml", "docusaurus.config.js", "book.toml", ".git"];
        // The current directory is the empty path above a relative one.
        let here =
            |dir: &'_ Path| if dir.as_os_str().is_empty() { PathBuf::from(".") } else { dir.to_owned() };
        let above: Vec<PathBuf> = page.ancestors().skip(1).take(ABOVE).map(here).collect();
        let root = above.iter().rev().find(|dir| marks.iter().any(|mark| dir.join(mark).exists()));
        let root = root.or(above.first()).cloned().unwrap_or_else(|| ".".into());
        Self { page: page.to_owned(), root }
    }

    /// Resolves a path relative to a file: next to it, from the root, or from the usual folders below.
    fn find(&self, from: &Path, path: &str) -> Option<PathBuf> {
        let beside = from.parent().unwrap_or(Path::new("."));
        let inner = path.trim_start_matches('/');
        let dirs = [
            beside.to_owned(),
            self.root.clone(),
            self.root.join("docs"),
            self.root.join("includes"),
            self.root.join("docs/snippets"),
        ];
        let first = if path.starts_with('/') { 1 } else { 0 };
        dirs.iter().skip(first).map(|dir| dir.join(inner)).find(|file| file.is_file())
    }
}

impl PageSource for Folder {
    fn include(&mut self, from: &str, path: &str) -> Result<(String, String), String> {
        if path.starts_with("http://") || path.starts_with("https://") {
            return Err(format!("{path}: files of other machines are not read"));
        }
        let file = self.find(Path::new(from), path).ok_or_else(|| format!("{path}: no such file"))?;
        let inside = file.canonicalize().ok().zip(self.root.canonicalize().ok());
        if inside.is_none_or(|(file, root)| !file.starts_with(root)) {
            return Err(format!("{path}: outside of {}", self.root.display()));
        }
        let text = read_text(&file).map_err(|why| format!("{path}: {why}"))?;
        // Without `..`, so that each file has a single name.
        let mut name = PathBuf::new();
        for part in file.components() {
            if part == std::path::Component::ParentDir && name.file_name().is_some() {
                name.pop();
            } else {
                name.push(part);
            }
        }
        Ok((name.to_string_lossy().into_owned(), text))
    }
}

impl PageFiles for Folder {
    fn script(&mut self, _: &str, name: &str) -> Option<String> {
        let file = self.find(&self.page.clone(), name)?;
        let inside = file.canonicalize().ok()?.starts_with(self.root.canonicalize().ok()?);
        inside.then(|| read_text(&file).ok()).flatten()
    }
}
