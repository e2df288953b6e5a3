//! Exports on this machine's disk: reads a directory, an archive, a file or standard input, and writes the site.

use crate::WORKLOAD;
use crate::archive::{ExportFiles, ExportSource, MAX_BYTES, MAX_DEPTH, MAX_FILES, is_archive, unpack};
use crate::intake::{ImportReport, Intake};
use std::fs::File;
use std::io::{BufWriter, Read as _, Write as _};
use std::path::Path;
use tempfile::TempDir;

/// Imports an export into a new directory: writes the site to a temporary directory, and renames it at the end.
///
/// # Errors
/// A sentence that names the file. Nothing is left behind.
pub fn import(input: &Path, out: &Path) -> Result<ImportReport, String> {
    let at = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    if out.exists() {
        return Err(format!("{}: it exists already", out.display()));
    }
    let parent = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|e| at(parent, e))?;
    let export = DiskExport::open(input, parent)?;
    let scratch = tempfile::Builder::new().prefix(".sandbatch-import").tempdir_in(parent);
    let scratch = scratch.map_err(|e| at(parent, e))?;
    let intake = Intake::of(&export.files)?;
    let dir = scratch.path();
    let mut workload = BufWriter::new(File::create(dir.join(WORKLOAD)).map_err(|e| at(dir, e))?);
    let (files, report) =
        intake.finish(&mut workload).map_err(|why| format!("{}: {why}", input.display()))?;
    workload.flush().map_err(|e| at(dir, e))?;
    drop(workload);
    for (name, text) in &files {
        std::fs::write(dir.join(name), text).map_err(|e| at(dir, e))?;
    }
    // From here on the directory is the site.
    let made = scratch.keep();
    std::fs::rename(&made, out).map_err(|e| {
        drop(std::fs::remove_dir_all(&made));
        at(out, e)
    })?;
    Ok(report)
}

/// The files of an export.
pub struct DiskExport {
    /// Names and places.
    pub files: ExportFiles,
    /// Holds unpacked files until they are read.
    _unpacked: Option<TempDir>,
    /// Holds a copy of standard input.
    _kept: Option<TempDir>,
}

impl DiskExport {
    /// Opens a directory, a compressed archive, or a single file. `scratch` is where archives are unpacked.
    ///
    /// # Errors
    /// A sentence that names the file: it cannot be read, is truncated, is too large, or a path leads out of it.
    pub fn open(path: &Path, scratch: &Path) -> Result<Self, String> {
        if path == Path::new("-") {
            return Self::of_stdin(scratch);
        }
        let shown = path.display().to_string();
        let meta = std::fs::metadata(path).map_err(|e| format!("{shown}: {e}"))?;
        if meta.is_dir() {
            let mut files = Vec::new();
            walk(path, "", 0, &mut files)?;
            files.sort_by(|a, b| a.0.cmp(&b.0));
            return Ok(Self { files, _unpacked: None, _kept: None });
        }
        let source = ExportSource::Disk(path.to_owned());
        if !is_archive(&shown, &source)? {
            let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            return Ok(Self { files: vec![(name, source)], _unpacked: None, _kept: None });
        }
        let dir = tempfile::Builder::new().prefix(".sandbatch-unpack").tempdir_in(scratch);
        let dir = dir.map_err(|e| format!("{}: {e}", scratch.display()))?;
        let files = unpack(&shown, &source, MAX_BYTES, |number, entry| {
            let target = dir.path().join(number.to_string());
            let mut file = File::create(&target)?;
            let size = std::io::copy(entry, &mut file)?;
            file.flush()?;
            Ok((size, ExportSource::Disk(target)))
        })?;
        Ok(Self { files, _unpacked: Some(dir), _kept: None })
    }

    /// Standard input, which is read several times and therefore kept in a file.
    fn of_stdin(scratch: &Path) -> Result<Self, String> {
        let problem = |e: std::io::Error| format!("standard input: {e}");
        let kept =
            tempfile::Builder::new().prefix(".sandbatch-stdin").tempdir_in(scratch).map_err(problem)?;
        let path = kept.path().join("stdin");
        let mut file = File::create(&path).map_err(problem)?;
        let bytes =
            std::io::copy(&mut std::io::stdin().lock().take(MAX_BYTES), &mut file).map_err(problem)?;
        if bytes == 0 {
            return Err("standard input: it is empty".to_owned());
        }
        let mut files = Self::open(&path, scratch)?;
        files._kept = Some(kept);
        Ok(files)
    }
}

fn walk(dir: &Path, prefix: &str, depth: usize, files: &mut ExportFiles) -> Result<(), String> {
    let problem = |e: std::io::Error| format!("{}: {e}", dir.display());
    for entry in std::fs::read_dir(dir).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(problem)?;
        if kind.is_dir() && depth < MAX_DEPTH {
            walk(&entry.path(), &format!("{name}/"), depth + 1, files)?;
        } else if kind.is_file() && files.len() < MAX_FILES {
            files.push((name, ExportSource::Disk(entry.path())));
        } else if kind.is_file() {
            return Err(format!("{}: more than {MAX_FILES} files", dir.display()));
        }
    }
    Ok(())
}
