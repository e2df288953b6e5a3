//! The files of an export: a directory, a `.tar.gz`, or a single file of job records.
//!
//! Archives are untrusted: their size, number of files and paths are bounded. Only regular files are unpacked, into a
//! temporary directory.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;

/// Maximum number of bytes after decompression.
const MAX_BYTES: u64 = 8 << 30;
/// Maximum number of files.
const MAX_FILES: usize = 2000;
/// Maximum directory depth.
const MAX_DEPTH: usize = 6;

/// The files of an export, on this machine's disk.
pub struct ExportFiles {
    /// Name within the export, and path. Sorted by name.
    pub files: Vec<(String, PathBuf)>,
    /// Holds unpacked files until they are read.
    _unpacked: Option<TempDir>,
    /// Holds a copy of standard input.
    _kept: Option<TempDir>,
}

impl ExportFiles {
    /// Opens a directory, a compressed archive, or a single file. `scratch` is where archives are unpacked.
    ///
    /// # Errors
    /// A sentence that names the file: it cannot be read, is truncated, is too large, or a path leads out of it.
    pub fn open(path: &Path, scratch: &Path) -> Result<Self, String> {
        if path == Path::new("-") {
            return Self::of_stdin(scratch);
        }
        let problem = |e: std::io::Error| format!("{}: {e}", path.display());
        let meta = std::fs::metadata(path).map_err(problem)?;
        if meta.is_dir() {
            let mut files = Vec::new();
            walk(path, "", 0, &mut files)?;
            files.sort();
            return Ok(Self { files, _unpacked: None, _kept: None });
        }
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let mut start = [0; 512];
        let got =
            read_up_to(&mut decoded(path).map_err(problem)?, &mut start).map_err(|e| packed(path, &e))?;
        if got == start.len() && &start[257..262] == b"ustar" {
            return unpack(path, scratch);
        }
        Ok(Self { files: vec![(name, path.to_owned())], _unpacked: None, _kept: None })
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

/// A file, decompressed if it is compressed with gzip.
///
/// # Errors
/// It cannot be read.
pub fn decoded(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let mut file = File::open(path)?;
    let mut magic = [0; 2];
    let got = read_up_to(&mut file, &mut magic)?;
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    if got == 2 && magic == [0x1f, 0x8b] {
        return Ok(Box::new(flate2::bufread::MultiGzDecoder::new(file).take(MAX_BYTES)));
    }
    Ok(Box::new(file.take(MAX_BYTES)))
}

fn read_up_to(input: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match input.read(&mut buffer[got..])? {
            0 => break,
            n => got += n,
        }
    }
    Ok(got)
}

/// The message for an archive that cannot be decompressed.
fn packed(path: &Path, error: &std::io::Error) -> String {
    let why = match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "it is truncated".to_owned(),
        _ => error.to_string(),
    };
    format!("{}: not a whole archive: {why}", path.display())
}

fn walk(dir: &Path, prefix: &str, depth: usize, files: &mut Vec<(String, PathBuf)>) -> Result<(), String> {
    let problem = |e: std::io::Error| format!("{}: {e}", dir.display());
    for entry in std::fs::read_dir(dir).map_err(problem)? {
        let entry = entry.map_err(problem)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(problem)?;
        if kind.is_dir() && depth < MAX_DEPTH {
            walk(&entry.path(), &format!("{name}/"), depth + 1, files)?;
        } else if kind.is_file() && files.len() < MAX_FILES {
            files.push((name, entry.path()));
        } else if kind.is_file() {
            return Err(format!("{}: more than {MAX_FILES} files", dir.display()));
        }
    }
    Ok(())
}

fn unpack(path: &Path, scratch: &Path) -> Result<ExportFiles, String> {
    let bad = |e: std::io::Error| packed(path, &e);
    let dir = tempfile::Builder::new().prefix(".sandbatch-unpack").tempdir_in(scratch);
    let dir = dir.map_err(|e| format!("{}: {e}", scratch.display()))?;
    // The reader itself is bounded, so a decompression bomb ends at the bound. The check below distinguishes it from a
    // truncated archive.
    let mut archive = tar::Archive::new(decoded(path).map_err(bad)?);
    let mut files = Vec::new();
    let mut total: u64 = 0;
    for entry in archive.entries().map_err(bad)? {
        let mut entry = entry.map_err(bad)?;
        let kind = entry.header().entry_type();
        let inside = entry.path().map_err(bad)?.into_owned();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let name = safe(&inside).ok_or_else(|| {
            format!("{}: the path {} leads out of the archive", path.display(), inside.display())
        })?;
        if !kind.is_file() {
            return Err(format!("{}: {name} is not a regular file", path.display()));
        }
        total = total.saturating_add(entry.size());
        if total > MAX_BYTES || files.len() >= MAX_FILES {
            let most = MAX_BYTES >> 30;
            return Err(format!("{}: more than {MAX_FILES} files or {most} GiB", path.display()));
        }
        // Files get numbered names, so the archive's names never reach the file system.
        let target = dir.path().join(files.len().to_string());
        let mut file = File::create(&target).map_err(|e| format!("{}: {e}", target.display()))?;
        let written = std::io::copy(&mut entry, &mut file).map_err(bad)?;
        file.flush().map_err(bad)?;
        if written != entry.size() {
            return Err(format!("{}: not a whole archive: {name} is truncated", path.display()));
        }
        files.push((name, target));
    }
    files.sort();
    Ok(ExportFiles { files, _unpacked: Some(dir), _kept: None })
}

/// A path without `.`. None if it is absolute or contains `..`.
fn safe(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.is_empty() && parts.len() <= MAX_DEPTH).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder =
            tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        for (name, bytes) in entries {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            // `set_path` refuses paths with `..`.
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    fn opened(bytes: &[u8]) -> Result<Vec<String>, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.tar.gz");
        std::fs::write(&path, bytes).unwrap();
        let found = ExportFiles::open(&path, dir.path());
        let names = found.map(|found| found.files.iter().map(|f| f.0.clone()).collect());
        // Only the archive remains.
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        names
    }

    #[test]
    fn archives() {
        let noise: Vec<u8> = (0..60_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let good = archive(&[("./e/sacct.txt", b"JobID|x\n"), ("e/slurm.conf", &noise)]);
        assert_eq!(opened(&good), Ok(vec!["e/sacct.txt".to_owned(), "e/slurm.conf".to_owned()]));
        let cut = opened(&good[..good.len() / 2]).unwrap_err();
        assert!(cut.contains("not a whole archive"), "{cut}");
        for path in ["../evil", "/etc/passwd", "a/../../b"] {
            let error = opened(&archive(&[(path, b"x")])).unwrap_err();
            assert!(error.contains("leads out of the archive"), "{error}");
        }
    }
}
