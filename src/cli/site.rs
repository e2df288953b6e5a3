//! Sites: built-in ones and directories.

use super::findings;
use config::{MAX_BASES, SiteFiles, furnish, sites};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest file of a site, bytes.
const MAX_FILE: u64 = 16 << 20;
/// Maximum number of files in a site.
const MAX_FILES: usize = 500;
/// Maximum depth of its directories.
const MAX_DEPTH: u32 = 4;

/// Where a site is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    BuiltIn(String),
    Dir(PathBuf),
}

impl Site {
    /// Reads a site's name or the path of its directory.
    pub fn named(text: &str) -> Self {
        if Path::new(text).is_dir() { Self::Dir(text.into()) } else { Self::BuiltIn(text.to_owned()) }
    }
}

fn built_in(name: &str) -> Result<SiteFiles, String> {
    let none = || format!("unknown site '{name}'; built-in sites: {}", sites::names().join(", "));
    sites::built_in(name).ok_or_else(none)
}

/// A site's name and files. A directory without users and accounts gets default ones, and a message says so.
///
/// # Errors
/// There is no such site.
pub fn load(site: &Site) -> Result<(String, SiteFiles), String> {
    match site {
        Site::Dir(dir) => {
            let (files, made_up) = furnish(read(dir)?);
            findings::tell(&made_up, |_| None);
            Ok((name_of(dir), files))
        }
        Site::BuiltIn(name) => Ok((name.clone(), built_in(name)?)),
    }
}

/// The last component of a directory's path.
pub fn name_of(dir: &Path) -> String {
    let full = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    full.file_name().map_or_else(|| "site".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// All text files of a directory, on top of those of the site that its `site.toml` extends: a directory next to
/// it, otherwise a built-in site.
///
/// # Errors
/// It cannot be read.
pub fn read(dir: &Path) -> Result<SiteFiles, String> {
    let files = with_base(dir, MAX_BASES)?;
    if !files.0.contains_key("slurm.conf") {
        return Err(format!("{} has no slurm.conf", dir.display()));
    }
    Ok(files)
}

fn with_base(dir: &Path, left: usize) -> Result<SiteFiles, String> {
    let mut files = BTreeMap::new();
    collect(dir, "", 0, &mut files)?;
    let files = SiteFiles(files);
    let Some(base) = files.extends() else { return Ok(files) };
    let why = |why: String| format!("{}/site.toml extends {base}: {why}", dir.display());
    if left == 0 {
        return Err(why(format!("a chain of more than {MAX_BASES} sites")));
    }
    let beside = dir.join("..").join(&base);
    let found = if beside.is_dir() { with_base(&beside, left - 1) } else { built_in(&base).map_err(why) };
    Ok(files.over(found?))
}

fn collect(dir: &Path, prefix: &str, depth: u32, files: &mut BTreeMap<String, String>) -> Result<(), String> {
    let problem = |e: std::io::Error| format!("{}: {e}", dir.display());
    for entry in std::fs::read_dir(dir).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = std::fs::metadata(entry.path()).map_err(problem)?;
        // Workloads are not files of the cluster, and may be large.
        if name.ends_with(".events") || name.ends_with(".events.gz") {
            continue;
        }
        if meta.is_dir() && depth < MAX_DEPTH {
            collect(&entry.path(), &format!("{name}/"), depth + 1, files)?;
        } else if meta.is_file() && meta.len() > MAX_FILE {
            return Err(format!("{} is larger than 16 MiB", entry.path().display()));
        } else if meta.is_file() && files.len() < MAX_FILES {
            let bytes = std::fs::read(entry.path()).map_err(problem)?;
            files.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_sites_match_the_files() {
        let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sites");
        for name in sites::names() {
            assert_eq!(built_in(name), read(&all.join(name)));
        }
        assert_eq!(std::fs::read_dir(&all).map(Iterator::count).ok(), Some(sites::names().len()));
        assert!(built_in("nowhere").is_err());
        assert!(read(Path::new("/nowhere/at/all")).is_err());
    }
}
