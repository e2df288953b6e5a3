//! The files of this machine, for the simulated commands.

use host::Errno;
use host::fs::{Access, FileKind, MAX_FILE};
use host::kernel::OpenFlags;
use host::real_host::RealHost;
use rustix::fs::{AtFlags, CWD};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The machine's files, accessed with the user's own permissions.
#[derive(Debug, Default)]
pub struct MachineFiles(Mutex<OpenFiles>);

/// Open files by number.
#[derive(Debug, Default)]
struct OpenFiles {
    next: u32,
    files: BTreeMap<u32, File>,
}

impl MachineFiles {
    fn open_files(&self) -> MutexGuard<'_, OpenFiles> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another handle of an open file, for a descriptor of a program.
    pub fn duplicate(&self, number: u32) -> Option<File> {
        self.open_files().files.get(&number)?.try_clone().ok()
    }
}

/// The simulation's error number.
pub fn errno(error: &io::Error) -> Errno {
    use rustix::io::Errno as E;
    match E::from_io_error(error) {
        Some(E::PERM) => Errno::EPERM,
        Some(E::NOENT) => Errno::ENOENT,
        Some(E::BADF) => Errno::EBADF,
        Some(E::EXIST) => Errno::EEXIST,
        Some(E::NOTDIR) => Errno::ENOTDIR,
        Some(E::ISDIR) => Errno::EISDIR,
        Some(E::INVAL) => Errno::EINVAL,
        Some(E::MFILE | E::NFILE) => Errno::EMFILE,
        Some(E::FBIG) => Errno::EFBIG,
        Some(E::NOSPC | E::DQUOT) => Errno::ENOSPC,
        Some(E::PIPE) => Errno::EPIPE,
        Some(E::NAMETOOLONG) => Errno::ENAMETOOLONG,
        Some(E::NOTEMPTY) => Errno::ENOTEMPTY,
        Some(E::LOOP) => Errno::ELOOP,
        Some(_) | None => Errno::EACCES,
    }
}

fn with_errno<T>(result: io::Result<T>) -> Result<T, Errno> {
    result.map_err(|error| errno(&error))
}

impl RealHost for MachineFiles {
    fn stat(&self, path: &str) -> Result<(FileKind, u32, u64), Errno> {
        let meta = with_errno(fs::metadata(path))?;
        let kind = match meta.file_type() {
            kind if kind.is_dir() => FileKind::Dir,
            kind if kind.is_file() => FileKind::File,
            _ => FileKind::Device,
        };
        Ok((kind, meta.mode() & 0o7777, meta.len()))
    }

    fn access(&self, path: &str, access: Access) -> Result<(), Errno> {
        let wanted = match access {
            Access::Read => rustix::fs::Access::READ_OK,
            Access::Write => rustix::fs::Access::WRITE_OK,
            Access::Exec => rustix::fs::Access::EXEC_OK,
        };
        with_errno(rustix::fs::accessat(CWD, path, wanted, AtFlags::empty()).map_err(io::Error::from))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Errno> {
        let file = with_errno(File::open(path))?;
        let most = u64::try_from(MAX_FILE).unwrap_or(u64::MAX);
        if with_errno(file.metadata())?.len() > most {
            return Err(Errno::EFBIG);
        }
        let mut data = Vec::new();
        with_errno(file.take(most).read_to_end(&mut data))?;
        Ok(data)
    }

    fn replace(&self, path: &str, data: &[u8], mode: u32) -> Result<(), Errno> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path);
        with_errno(file.and_then(|mut file| file.write_all(data)))
    }

    fn append(&self, path: &str, data: &[u8]) -> Result<(), Errno> {
        with_errno(OpenOptions::new().append(true).open(path).and_then(|mut file| file.write_all(data)))
    }

    fn mkdir(&self, path: &str, mode: u32) -> Result<(), Errno> {
        with_errno(DirBuilder::new().mode(mode).create(path))
    }

    fn chmod(&self, path: &str, mode: u32) -> Result<(), Errno> {
        with_errno(fs::set_permissions(path, Permissions::from_mode(mode)))
    }

    fn unlink(&self, path: &str) -> Result<(), Errno> {
        with_errno(fs::remove_file(path))
    }

    fn open(&self, path: &str, flags: OpenFlags, mode: u32) -> Result<u32, Errno> {
        let mut options = OpenOptions::new();
        options.read(flags.read).write(flags.write && !flags.append).append(flags.append);
        options.create(flags.create).create_new(flags.exclusive && flags.create).mode(mode);
        let file = with_errno(options.open(path))?;
        if flags.truncate && with_errno(file.metadata())?.is_file() {
            with_errno(file.set_len(0))?;
        }
        let mut open = self.open_files();
        open.next = open.next.wrapping_add(1);
        let number = open.next;
        open.files.insert(number, file);
        Ok(number)
    }

    fn read_open(&self, file: u32, max: usize) -> Result<Vec<u8>, Errno> {
        let open = self.open_files();
        let mut file = open.files.get(&file).ok_or(Errno::EBADF)?;
        let mut data = vec![0; max];
        let count = with_errno(file.read(&mut data))?;
        data.truncate(count);
        Ok(data)
    }

    fn write_open(&self, file: u32, data: &[u8]) -> Result<usize, Errno> {
        let open = self.open_files();
        let mut file = open.files.get(&file).ok_or(Errno::EBADF)?;
        with_errno(file.write_all(data)).map(|()| data.len())
    }

    fn close(&self, file: u32) {
        self.open_files().files.remove(&file);
    }
}
