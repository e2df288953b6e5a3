//! The file of a class. A record is written before any tab sees it, and reaches the disk within a second.

use classroom::record::{self, HEADER};
use classroom::{Record, Secret};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Largest file: the inputs, their frames, and the clock.
const MAX_FILE: u64 = 128 << 20;

/// An open file.
pub struct ClassFile {
    file: File,
    path: PathBuf,
    /// Where the next record goes. What is behind it was written only in part.
    end: u64,
    /// Something was written since the last [`Self::sync`].
    dirty: bool,
}

/// The contents of a class's file.
pub struct FileContents {
    pub records: Vec<Record>,
    /// Bytes of an interrupted write that were cut off.
    pub cut: u64,
}

impl ClassFile {
    /// Opens a class's file in a directory, creates it if it is missing, and reads it. Only one server can have it open.
    ///
    /// # Errors
    /// A sentence with the path.
    pub fn open(state: &Path, name: &str) -> Result<(Self, FileContents), String> {
        let path = state.join(format!("{name}.class"));
        let problem = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        private_directory(state).map_err(|e| format!("{}: {e}", state.display()))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(|e| problem(&e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(problem(&"another server has this class open")),
            Err(TryLockError::Error(e)) => return Err(problem(&e)),
        }
        if file.metadata().map_err(|e| problem(&e))?.len() > MAX_FILE {
            return Err(problem(&format!("it is larger than {MAX_FILE} bytes")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| problem(&e))?;
        let read = record::read(&bytes).map_err(|e| problem(&e))?;
        let end = read.whole as u64;
        let cut = bytes.len() as u64 - end;
        if cut > 0 {
            file.set_len(end).map_err(|e| problem(&e))?;
        }
        let mut class_file = Self { file, path: path.clone(), end, dirty: false };
        if end == 0 {
            class_file.write(HEADER).map_err(|e| problem(&e))?;
        } else if read.old {
            // One byte differs, so an interrupted write leaves one header or the other.
            class_file.upgrade().map_err(|e| problem(&e))?;
        }
        Ok((class_file, FileContents { records: read.records, cut }))
    }

    /// Gives a file of an older version the present header. Its records stay as they are.
    fn upgrade(&mut self) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(HEADER)?;
        self.dirty = true;
        Ok(())
    }

    /// Appends records.
    ///
    /// # Errors
    /// They cannot be stored; nothing of them will be read later.
    pub fn append(&mut self, records: &[Record]) -> std::io::Result<()> {
        let bytes: Vec<u8> = records.iter().flat_map(record::frame).collect();
        if bytes.is_empty() { Ok(()) } else { self.write(&bytes) }
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)?;
        self.end += bytes.len() as u64;
        self.dirty = true;
        Ok(())
    }

    /// Removes the file. Nothing that is written later can be read again.
    ///
    /// # Errors
    /// It is still there.
    pub fn remove(&mut self) -> std::io::Result<()> {
        self.dirty = false;
        fs::remove_file(&self.path)
    }

    /// A second handle for `fsync`, if something was written.
    pub fn take_unsynced(&mut self) -> Option<std::io::Result<File>> {
        std::mem::take(&mut self.dirty).then(|| self.file.try_clone())
    }

    /// Everything further goes to a full disk.
    #[cfg(test)]
    pub fn fill(&mut self) {
        self.file = OpenOptions::new().write(true).open("/dev/full").expect("Linux has this device");
    }
}

/// Creates the directory, which only its owner may read.
fn private_directory(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A random secret.
///
/// # Errors
/// The system has no random numbers.
pub fn random_secret() -> Result<Secret, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| format!("the system gives no random numbers: {e}"))?;
    Ok(Secret::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that opens a class of the first version goes on with it.
    #[test]
    fn a_file_of_version_1_goes_on_in_version_2() {
        let sample =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats/0.1.0-layout-12/class.bin");
        let state = std::env::temp_dir().join(format!("sandbatch-class-{}", std::process::id()));
        fs::create_dir_all(&state).expect("a directory");
        let path = state.join("sample.class");
        fs::copy(sample, &path).expect("a copy");
        assert!(fs::read(&path).expect("a file").starts_with(b"sandbatch class 1\n"));
        let (mut file, before) = ClassFile::open(&state, "sample").expect("it opens");
        let more = Record::Reserved(7);
        file.append(std::slice::from_ref(&more)).expect("it is written");
        drop(file);
        let bytes = fs::read(&path).expect("a file");
        assert!(bytes.starts_with(HEADER));
        let (_, after) = ClassFile::open(&state, "sample").expect("it opens again");
        assert!(before.records.len() > 10 && after.records.starts_with(&before.records));
        assert_eq!(after.records.last(), Some(&more));
        fs::remove_dir_all(&state).expect("it is removed");
        let newer = record::read(b"sandbatch class 3\n").map(|_| ());
        assert_eq!(newer, Err("it is a class of version 3, which this program does not know".to_owned()));
    }
}
