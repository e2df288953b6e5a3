//! The files of an export: a `.tar.gz`, or a single file of job records. [`crate::disk`] adds directories and standard input.
//!
//! Archives are untrusted: their size, number of files and paths are bounded. Only regular files are unpacked.

use std::io::{BufReader, Cursor, Read};
use std::path::{Component, Path};
use std::sync::Arc;

/// Maximum number of bytes after decompression.
pub const MAX_BYTES: u64 = 8 << 30;
/// Maximum number of bytes after decompression of an archive that is unpacked into memory.
const MAX_MEMORY: u64 = 256 << 20;
/// Maximum number of files.
pub const MAX_FILES: usize = 2000;
/// Maximum directory depth.
pub const MAX_DEPTH: usize = 6;

/// Where the bytes of an export's file are.
#[derive(Clone, Debug)]
pub enum ExportSource {
    /// On this machine's disk.
    #[cfg(not(target_arch = "wasm32"))]
    Disk(std::path::PathBuf),
    /// In memory.
    Memory(Arc<[u8]>),
}

/// Name within the export, and its bytes. Sorted by name.
pub type ExportFiles = Vec<(String, ExportSource)>;

/// Opens an export that is in memory.
///
/// # Errors
/// A sentence that names the file: it is truncated, is too large, or a path leads out of it.
pub fn of_memory(name: &str, bytes: Vec<u8>) -> Result<ExportFiles, String> {
    let source = ExportSource::Memory(bytes.into());
    if !is_archive(name, &source)? {
        return Ok(vec![(name.to_owned(), source)]);
    }
    unpack(name, &source, MAX_MEMORY, |_, entry| {
        let mut bytes = Vec::new();
        let size = entry.read_to_end(&mut bytes)?;
        Ok((size as u64, ExportSource::Memory(bytes.into())))
    })
}

/// A file, decompressed if it is compressed with gzip.
///
/// # Errors
/// It cannot be read.
pub fn decoded(source: &ExportSource) -> std::io::Result<Box<dyn Read>> {
    let mut magic = [0; 2];
    let got = read_up_to(&mut raw(source)?, &mut magic)?;
    let file = BufReader::with_capacity(1 << 16, raw(source)?);
    if got == 2 && magic == [0x1f, 0x8b] {
        return Ok(Box::new(flate2::bufread::MultiGzDecoder::new(file).take(MAX_BYTES)));
    }
    Ok(Box::new(file.take(MAX_BYTES)))
}

fn raw(source: &ExportSource) -> std::io::Result<Box<dyn Read>> {
    Ok(match source {
        #[cfg(not(target_arch = "wasm32"))]
        ExportSource::Disk(path) => Box::new(std::fs::File::open(path)?),
        ExportSource::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
    })
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
fn packed(name: &str, error: &std::io::Error) -> String {
    let why = match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "it is truncated".to_owned(),
        _ => error.to_string(),
    };
    format!("{name}: not a whole archive: {why}")
}

/// Whether a file is a tar archive. `name` is its name in messages.
pub fn is_archive(name: &str, source: &ExportSource) -> Result<bool, String> {
    let mut start = [0; 512];
    let mut input = decoded(source).map_err(|e| format!("{name}: {e}"))?;
    let got = read_up_to(&mut input, &mut start).map_err(|e| packed(name, &e))?;
    Ok(got == start.len() && &start[257..262] == b"ustar")
}

/// Unpacks an archive. `keep` stores a file and returns its size; files are numbered, so that the archive's names never reach
/// the file system.
pub fn unpack(
    archive: &str,
    source: &ExportSource,
    most: u64,
    mut keep: impl FnMut(usize, &mut dyn Read) -> std::io::Result<(u64, ExportSource)>,
) -> Result<ExportFiles, String> {
    let bad = |e: std::io::Error| packed(archive, &e);
    // The reader itself is bounded, so a decompression bomb ends at the bound. The check below distinguishes it from a
    // truncated archive.
    let mut reader = tar::Archive::new(decoded(source).map_err(bad)?);
    let mut files = Vec::new();
    let mut total: u64 = 0;
    for entry in reader.entries().map_err(bad)? {
        let mut entry = entry.map_err(bad)?;
        let kind = entry.header().entry_type();
        let inside = entry.path().map_err(bad)?.into_owned();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let name = safe(&inside)
            .ok_or_else(|| format!("{archive}: the path {} leads out of the archive", inside.display()))?;
        if !kind.is_file() {
            return Err(format!("{archive}: {name} is not a regular file"));
        }
        total = total.saturating_add(entry.size());
        if total > most || files.len() >= MAX_FILES {
            return Err(format!("{archive}: more than {MAX_FILES} files or {} MiB", most >> 20));
        }
        let size = entry.size();
        let (kept, stored) = keep(files.len(), &mut entry).map_err(bad)?;
        if kept != size {
            return Err(format!("{archive}: not a whole archive: {name} is truncated"));
        }
        files.push((name, stored));
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(files)
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
        let found = crate::disk::DiskExport::open(&path, dir.path());
        let names: Result<Vec<String>, String> =
            found.map(|found| found.files.iter().map(|f| f.0.clone()).collect());
        // Only the archive remains.
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        // In memory it is the same.
        let shown = path.display().to_string();
        let memory = of_memory(&shown, bytes.to_vec());
        assert_eq!(memory.map(|files| files.into_iter().map(|f| f.0).collect::<Vec<_>>()), names);
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
