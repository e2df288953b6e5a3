//! File descriptors and open file descriptions: `open(2)`, `dup(2)`, `pipe(2)`, `close(2)`.

use super::super::fs::{Access, Device, Ino, InodeContent, Stat};
use super::super::tty::TtyId;
use super::super::{Errno, Fd, path};
use super::{FileTarget, HARD_FDS, Kernel, MAX_FDS, OpenFile, OpenFlags, Pipe, WaitResource, fresh};
use base::ids::{Pid, Uid};
use base::time::Time;

impl Kernel {
    /// `open(2)`. Resolves the path against the current directory, masks `mode` by the umask and uses the
    /// lowest free number. `/dev/fd/N` and its equivalents duplicate the descriptor.
    pub fn open(
        &mut self,
        pid: Pid,
        path: &str,
        flags: OpenFlags,
        mode: u32,
        now: Time,
    ) -> Result<Fd, Errno> {
        let process = self.living(pid)?;
        let (uid, umask, tty) = (process.origin.uid, process.umask, process.tty);
        let path = path::join(&process.cwd, path);
        let host = process.origin.host.clone();
        if let Some(fd) = own_descriptor(&path) {
            return self.dup_from(pid, fd, 0).map_err(|error| match error {
                Errno::EBADF => Errno::ENOENT,
                other => other,
            });
        }
        self.free_fd(pid, 0)?;
        #[cfg(feature = "real-host")]
        if let Some(real_host) = self.fs.real_host_at(uid, &path) {
            let number = real_host.open(&path, flags, mode & !umask)?;
            return self.new_fd(pid, FileTarget::RealHost(number), flags.read, flags.write, flags.append);
        }
        let view = self.fs.enter(&host, now);
        let found = self.open_inode(uid, &path, flags, mode & !umask, now);
        self.fs.back(view);
        let ino = found?;
        let what = match self.fs.inode(ino).map(|inode| &inode.node) {
            Some(InodeContent::Device(Device::Null)) => FileTarget::Null,
            Some(InodeContent::Device(Device::Zero)) => FileTarget::Zero,
            Some(InodeContent::Device(Device::Full)) => FileTarget::Full,
            Some(InodeContent::Device(Device::Urandom)) => FileTarget::Urandom,
            Some(InodeContent::Device(Device::Tty)) => FileTarget::Tty(tty.ok_or(Errno::ENXIO)?),
            Some(
                InodeContent::Device(Device::CpuInfo | Device::MemInfo)
                | InodeContent::File(_)
                | InodeContent::Dir(_)
                | InodeContent::Link(_)
                | InodeContent::Program(_)
                | InodeContent::Script(_)
                | InodeContent::Hosts(_),
            )
            | None => FileTarget::Inode(ino),
        };
        self.new_fd(pid, what, flags.read, flags.write, flags.append)
    }

    /// The inode to open, created or truncated as the flags say.
    fn open_inode(
        &mut self,
        uid: Uid,
        path: &str,
        flags: OpenFlags,
        mode: u32,
        now: Time,
    ) -> Result<Ino, Errno> {
        if flags.create && flags.exclusive && self.fs.lstat(uid, path).is_ok() {
            return Err(Errno::EEXIST);
        }
        let ino = match self.fs.lookup(uid, path) {
            Err(Errno::ENOENT) if flags.create => return self.fs.create(uid, path, mode, now),
            found => found?,
        };
        if flags.read {
            self.fs.permit(uid, ino, Access::Read)?;
        }
        if flags.write {
            match self.fs.inode(ino).map(|inode| &inode.node) {
                Some(InodeContent::Dir(_) | InodeContent::Hosts(_)) => return Err(Errno::EISDIR),
                Some(InodeContent::Program(_) | InodeContent::Script(_)) => return Err(Errno::EACCES),
                Some(InodeContent::File(_)) => {
                    self.fs.permit(uid, ino, Access::Write)?;
                    if flags.truncate {
                        self.fs.truncate(ino, now)?;
                    }
                }
                Some(InodeContent::Device(_) | InodeContent::Link(_)) | None => {
                    self.fs.permit(uid, ino, Access::Write)?
                }
            }
        }
        Ok(ino)
    }

    /// Opens a terminal for reading and writing on the lowest free number.
    pub fn open_tty(&mut self, pid: Pid, tty: TtyId) -> Result<Fd, Errno> {
        if !self.ttys.contains_key(&tty) {
            return Err(Errno::ENXIO);
        }
        self.new_fd(pid, FileTarget::Tty(tty), true, true, false)
    }

    /// `pipe(2)`: returns the read end and the write end.
    pub fn pipe(&mut self, pid: Pid) -> Result<(Fd, Fd), Errno> {
        if self.living(pid)?.fds.len() + 2 > self.most_fds(pid) {
            return Err(Errno::EMFILE);
        }
        let pipe = fresh(&mut self.next_pipe, |number| self.pipes.contains_key(&number));
        self.pipes.insert(pipe, Pipe { readers: 1, writers: 1, ..Pipe::default() });
        let read = self.new_fd(pid, FileTarget::PipeRead(pipe), true, false, false)?;
        let write = self.new_fd(pid, FileTarget::PipeWrite(pipe), false, true, false)?;
        Ok((read, write))
    }

    /// Opens a file with this data that has no name, as here-documents need it: writing it never blocks.
    pub fn open_unlinked(&mut self, pid: Pid, data: &[u8], now: Time) -> Result<Fd, Errno> {
        let uid = self.living(pid)?.origin.uid;
        let path = format!("/tmp/sh-thd.{pid}.{}", now.0);
        self.fs.write(uid, &path, data, 0o600, now)?;
        let opened = self.open(pid, &path, OpenFlags { read: true, ..OpenFlags::default() }, 0, now);
        self.fs.unlink(uid, &path, now)?;
        opened
    }

    /// Opens a file description on the lowest free number.
    pub(super) fn new_fd(
        &mut self,
        pid: Pid,
        what: FileTarget,
        readable: bool,
        writable: bool,
        append: bool,
    ) -> Result<Fd, Errno> {
        let fd = self.free_fd(pid, 0)?;
        if let FileTarget::Inode(ino) = what {
            self.fs.hold(ino);
        }
        let file = fresh(&mut self.next_file, |number| self.files.contains(number));
        self.files.insert(file, OpenFile { what, refs: 1, readable, writable, append, offset: 0 });
        self.living_mut(pid)?.fds.insert(fd, file);
        Ok(fd)
    }

    fn most_fds(&self, pid: Pid) -> usize {
        if self.process(pid).is_some_and(|p| p.many_fds) { HARD_FDS } else { MAX_FDS }
    }

    /// `setrlimit(2)`: raises the soft limit of open files to the hard limit, as srun does for its tasks.
    pub fn raise_descriptors(&mut self, pid: Pid) {
        if let Ok(process) = self.living_mut(pid) {
            process.many_fds = true;
        }
    }

    /// The lowest free descriptor from `least` on.
    fn free_fd(&self, pid: Pid, least: Fd) -> Result<Fd, Errno> {
        let taken = &self.living(pid)?.fds;
        let mut fd = least;
        for used in taken.keys().copied().filter(|used| *used >= least) {
            if used != fd {
                break;
            }
            fd += 1;
        }
        let fits = usize::try_from(fd).is_ok_and(|fd| fd < self.most_fds(pid));
        if fits { Ok(fd) } else { Err(Errno::EMFILE) }
    }

    /// The open file description of a descriptor.
    pub(super) fn file_of(&self, pid: Pid, fd: Fd) -> Result<u32, Errno> {
        let process = self.living(pid).map_err(|_| Errno::EBADF)?;
        process.fds.get(&fd).copied().ok_or(Errno::EBADF)
    }

    /// The target of a descriptor.
    pub(super) fn target(&self, pid: Pid, fd: Fd) -> Option<&FileTarget> {
        let file = self.file_of(pid, fd).ok()?;
        self.files.get(file).map(|file| &file.what)
    }

    /// `dup2(2)`.
    pub fn dup2(&mut self, pid: Pid, from: Fd, to: Fd) -> Result<(), Errno> {
        self.give_fd(pid, from, pid, to)
    }

    /// `fcntl(F_DUPFD)`: duplicates to the lowest free number from `least` on.
    pub fn dup_from(&mut self, pid: Pid, from: Fd, least: Fd) -> Result<Fd, Errno> {
        self.file_of(pid, from)?;
        if !fits(least) {
            return Err(Errno::EINVAL);
        }
        let fd = self.free_fd(pid, least)?;
        self.dup2(pid, from, fd)?;
        Ok(fd)
    }

    /// Duplicates a descriptor into another process (slurmstepd's pipes, `srun`'s terminal).
    pub fn give_fd(&mut self, from: Pid, fd: Fd, to: Pid, as_fd: Fd) -> Result<(), Errno> {
        let file = self.file_of(from, fd)?;
        if !fits(as_fd) {
            return Err(Errno::EBADF);
        }
        self.living(to)?;
        if from == to && fd == as_fd {
            return Ok(());
        }
        self.unwatch(to, as_fd);
        let receiver = self.living_mut(to)?;
        let old = receiver.fds.insert(as_fd, file);
        receiver.cloexec.remove(&as_fd);
        if let Some(file) = self.files.get_mut(file) {
            file.refs += 1;
        }
        if let Some(old) = old {
            self.drop_file(old);
        }
        // The receiver may be waiting on the number's previous target.
        self.unblock(to);
        Ok(())
    }

    /// Sets close-on-exec.
    pub fn set_cloexec(&mut self, pid: Pid, fd: Fd, on: bool) {
        if let Ok(process) = self.living_mut(pid) {
            if on && process.fds.contains_key(&fd) {
                process.cloexec.insert(fd);
            } else {
                process.cloexec.remove(&fd);
            }
        }
    }

    /// `close(2)`.
    pub fn close(&mut self, pid: Pid, fd: Fd) -> Result<(), Errno> {
        let file = self.file_of(pid, fd)?;
        self.unwatch(pid, fd);
        let process = self.living_mut(pid)?;
        process.fds.remove(&fd);
        process.cloexec.remove(&fd);
        self.drop_file(file);
        self.unblock(pid);
        Ok(())
    }

    /// Drops a reference to an open file description; the last one closes it.
    pub(super) fn drop_file(&mut self, number: u32) {
        let Some(file) = self.files.get_mut(number) else { return };
        file.refs -= 1;
        if file.refs > 0 {
            return;
        }
        let Some(file) = self.files.remove(number) else { return };
        match file.what {
            #[cfg(feature = "real-host")]
            FileTarget::RealHost(number) => self.close_on_real_host(number),
            FileTarget::Inode(ino) => self.fs.release(ino),
            FileTarget::PipeRead(pipe) => self.drop_end(pipe, true),
            FileTarget::PipeWrite(pipe) => self.drop_end(pipe, false),
            FileTarget::Master(tty) => self.hangup(tty),
            FileTarget::Tty(_)
            | FileTarget::Null
            | FileTarget::Zero
            | FileTarget::Full
            | FileTarget::Urandom => {}
        }
    }

    /// Closes one end of a pipe and wakes waiters at the other end.
    fn drop_end(&mut self, number: u32, reader: bool) {
        let Some(pipe) = self.pipes.get_mut(&number) else { return };
        if reader {
            pipe.readers -= 1;
        } else {
            pipe.writers -= 1;
        }
        if pipe.readers == 0 && pipe.writers == 0 {
            self.pipes.remove(&number);
        }
        self.changed(if reader { WaitResource::PipeWrite(number) } else { WaitResource::PipeRead(number) });
    }

    /// Whether the descriptor is an end of a pipe.
    #[must_use]
    pub fn is_pipe(&self, pid: Pid, fd: Fd) -> bool {
        matches!(self.target(pid, fd), Some(FileTarget::PipeRead(_) | FileTarget::PipeWrite(_)))
    }

    /// Whether a descriptor is `/dev/null`.
    #[must_use]
    pub fn is_null(&self, pid: Pid, fd: Fd) -> bool {
        matches!(self.target(pid, fd), Some(FileTarget::Null))
    }

    /// The terminal of a descriptor, if it is one (`isatty`).
    #[must_use]
    pub fn fd_tty(&self, pid: Pid, fd: Fd) -> Option<TtyId> {
        match self.target(pid, fd)? {
            FileTarget::Tty(tty) => Some(*tty),
            #[cfg(feature = "real-host")]
            FileTarget::RealHost(_) => None,
            FileTarget::Inode(_)
            | FileTarget::Master(_)
            | FileTarget::PipeRead(_)
            | FileTarget::PipeWrite(_)
            | FileTarget::Null
            | FileTarget::Zero
            | FileTarget::Full
            | FileTarget::Urandom => None,
        }
    }

    /// Whether a descriptor is a terminal (`isatty`), of the simulation or of a client on the real machine.
    #[must_use]
    pub fn is_terminal(&self, pid: Pid, fd: Fd) -> bool {
        #[cfg(feature = "real-host")]
        if let Some(FileTarget::PipeRead(pipe) | FileTarget::PipeWrite(pipe)) = self.target(pid, fd) {
            return self.pipes.get(pipe).is_some_and(|pipe| pipe.terminal);
        }
        self.fd_tty(pid, fd).is_some()
    }

    /// Notes that a pipe stands for a client's terminal.
    #[cfg(feature = "real-host")]
    pub fn mark_terminal(&mut self, pid: Pid, fd: Fd) {
        let Some(FileTarget::PipeRead(pipe) | FileTarget::PipeWrite(pipe)) = self.target(pid, fd) else {
            return;
        };
        let pipe = *pipe;
        if let Some(pipe) = self.pipes.get_mut(&pipe) {
            pipe.terminal = true;
        }
    }

    /// `fstat(2)` of a descriptor for a file.
    #[must_use]
    pub fn fd_stat(&self, pid: Pid, fd: Fd) -> Option<Stat> {
        match self.target(pid, fd)? {
            FileTarget::Inode(ino) => self.fs.fstat(*ino).ok(),
            #[cfg(feature = "real-host")]
            FileTarget::RealHost(_) => None,
            FileTarget::Tty(_)
            | FileTarget::Master(_)
            | FileTarget::PipeRead(_)
            | FileTarget::PipeWrite(_)
            | FileTarget::Null
            | FileTarget::Zero
            | FileTarget::Full
            | FileTarget::Urandom => None,
        }
    }

    /// The target of a descriptor, for a program that runs on the real machine.
    #[cfg(feature = "real-host")]
    #[must_use]
    pub fn real_host_io(&self, pid: Pid, fd: Fd) -> crate::real_host::RealHostIo {
        use crate::real_host::RealHostIo;
        match self.target(pid, fd) {
            Some(FileTarget::RealHost(number)) => RealHostIo::File(*number),
            Some(FileTarget::Null) | None => RealHostIo::Null,
            Some(FileTarget::Full) => RealHostIo::Full,
            Some(
                FileTarget::Inode(_)
                | FileTarget::PipeRead(_)
                | FileTarget::PipeWrite(_)
                | FileTarget::Tty(_)
                | FileTarget::Master(_)
                | FileTarget::Zero
                | FileTarget::Urandom,
            ) => RealHostIo::Inside,
        }
    }

    /// Whether two processes share the open file of a descriptor.
    #[cfg(feature = "real-host")]
    #[must_use]
    pub fn shares_file(&self, one: Pid, other: Pid, fd: Fd) -> bool {
        self.file_of(one, fd).is_ok_and(|file| self.file_of(other, fd) == Ok(file))
    }

    #[cfg(feature = "real-host")]
    fn close_on_real_host(&mut self, number: u32) {
        if let Some(real_host) = self.fs.real_host_files() {
            real_host.close(number);
        }
    }

    /// Whether a descriptor refers to a regular file, which never blocks.
    #[must_use]
    pub fn is_file(&self, pid: Pid, fd: Fd) -> bool {
        self.fd_stat(pid, fd).is_some()
    }

    /// The file offset.
    #[must_use]
    pub fn offset(&self, pid: Pid, fd: Fd) -> Option<u64> {
        self.files.get(self.file_of(pid, fd).ok()?).map(|file| file.offset)
    }

    /// `lseek(2)`: `EINVAL` unless it is a file.
    pub fn seek(&mut self, pid: Pid, fd: Fd, offset: u64) -> Result<(), Errno> {
        let is_file = self.is_file(pid, fd);
        let number = self.file_of(pid, fd)?;
        match self.files.get_mut(number) {
            Some(file) if is_file => {
                file.offset = offset;
                Ok(())
            }
            Some(_) => Err(Errno::EINVAL),
            None => Err(Errno::EBADF),
        }
    }

    /// `ftruncate(2)`, or `fallocate(2)` if `fill`.
    pub fn set_size(&mut self, pid: Pid, fd: Fd, size: u64, fill: bool, now: Time) -> Result<(), Errno> {
        let ino = self.fd_stat(pid, fd).ok_or(Errno::EINVAL)?.ino;
        self.fs.set_size(ino, size, fill, now)
    }

    /// The process's open descriptors.
    #[must_use]
    pub fn fds(&self, pid: Pid) -> Vec<Fd> {
        self.process(pid).map(|process| process.fds.keys().copied().collect()).unwrap_or_default()
    }
}

/// Whether a number is a valid descriptor.
fn fits(fd: Fd) -> bool {
    usize::try_from(fd).is_ok_and(|fd| fd < MAX_FDS)
}

/// The descriptor that a path under `/dev` refers to.
#[must_use]
pub fn own_descriptor(path: &str) -> Option<Fd> {
    if !path.starts_with("/dev/") {
        return None;
    }
    match path {
        "/dev/stdin" => Some(0),
        "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        other => other.strip_prefix("/dev/fd/")?.parse().ok(),
    }
}
