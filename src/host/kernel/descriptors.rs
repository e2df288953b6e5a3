//! Descriptors and the open files behind them: `open(2)`, `dup(2)`, `pipe(2)`, `close(2)`.

use super::super::fs::{Access, Device, Ino, Node, Stat};
use super::super::tty::TtyId;
use super::super::{Errno, Fd, path};
use super::{HARD_FDS, Kernel, MAX_FDS, OpenFile, OpenFlags, Pipe, Resource, Target, fresh};
use crate::base::ids::{Pid, Uid};
use crate::base::time::Time;

impl Kernel {
    /// `open(2)`; the path is resolved against the current directory, `mode` is masked by `umask`. The lowest free
    /// number is used. `/dev/fd/N` and its likes give a copy of the descriptor.
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
        let view = self.fs.enter(&host, now);
        let found = self.open_inode(uid, &path, flags, mode & !umask, now);
        self.fs.back(view);
        let ino = found?;
        let what = match self.fs.inode(ino).map(|inode| &inode.node) {
            Some(Node::Device(Device::Null)) => Target::Null,
            Some(Node::Device(Device::Zero)) => Target::Zero,
            Some(Node::Device(Device::Full)) => Target::Full,
            Some(Node::Device(Device::Urandom)) => Target::Urandom,
            Some(Node::Device(Device::Tty)) => Target::Tty(tty.ok_or(Errno::ENXIO)?),
            Some(
                Node::File(_)
                | Node::Dir(_)
                | Node::Link(_)
                | Node::Program(_)
                | Node::Script(_)
                | Node::Hosts(_),
            )
            | None => Target::Inode(ino),
        };
        self.new_fd(pid, what, flags.read, flags.write, flags.append)
    }

    /// The inode to open, made or emptied where the flags say so.
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
                Some(Node::Dir(_) | Node::Hosts(_)) => return Err(Errno::EISDIR),
                Some(Node::Program(_) | Node::Script(_)) => return Err(Errno::EACCES),
                Some(Node::File(_)) => {
                    self.fs.permit(uid, ino, Access::Write)?;
                    if flags.truncate {
                        self.fs.truncate(ino, now)?;
                    }
                }
                Some(Node::Device(_) | Node::Link(_)) | None => self.fs.permit(uid, ino, Access::Write)?,
            }
        }
        Ok(ino)
    }

    /// Opens a terminal on the lowest free number, for reading and writing.
    pub fn open_tty(&mut self, pid: Pid, tty: TtyId) -> Result<Fd, Errno> {
        if !self.ttys.contains_key(&tty) {
            return Err(Errno::ENXIO);
        }
        self.new_fd(pid, Target::Tty(tty), true, true, false)
    }

    /// `pipe(2)`: read end, write end.
    pub fn pipe(&mut self, pid: Pid) -> Result<(Fd, Fd), Errno> {
        if self.living(pid)?.fds.len() + 2 > self.most_fds(pid) {
            return Err(Errno::EMFILE);
        }
        let pipe = fresh(&mut self.next_pipe, |number| self.pipes.contains_key(&number));
        self.pipes.insert(pipe, Pipe { readers: 1, writers: 1, ..Pipe::default() });
        let read = self.new_fd(pid, Target::PipeRead(pipe), true, false, false)?;
        let write = self.new_fd(pid, Target::PipeWrite(pipe), false, true, false)?;
        Ok((read, write))
    }

    /// A new open file on the lowest free number.
    fn new_fd(
        &mut self,
        pid: Pid,
        what: Target,
        readable: bool,
        writable: bool,
        append: bool,
    ) -> Result<Fd, Errno> {
        let fd = self.free_fd(pid, 0)?;
        if let Target::Inode(ino) = what {
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

    /// `setrlimit(2)`: the process may have as many descriptors as the hard limit allows, as srun does for its tasks.
    pub fn raise_descriptors(&mut self, pid: Pid) {
        if let Ok(process) = self.living_mut(pid) {
            process.many_fds = true;
        }
    }

    /// The lowest free number from `least` on.
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

    /// The number of the open file behind a descriptor.
    pub(super) fn file_of(&self, pid: Pid, fd: Fd) -> Result<u32, Errno> {
        let process = self.living(pid).map_err(|_| Errno::EBADF)?;
        process.fds.get(&fd).copied().ok_or(Errno::EBADF)
    }

    /// Where a descriptor leads.
    pub(super) fn target(&self, pid: Pid, fd: Fd) -> Option<&Target> {
        let file = self.file_of(pid, fd).ok()?;
        self.files.get(file).map(|file| &file.what)
    }

    /// `dup2(2)`: `to` leads where `from` leads.
    pub fn dup2(&mut self, pid: Pid, from: Fd, to: Fd) -> Result<(), Errno> {
        self.give_fd(pid, from, pid, to)
    }

    /// `fcntl(F_DUPFD)`: a copy on the lowest free number from `least` on.
    pub fn dup_from(&mut self, pid: Pid, from: Fd, least: Fd) -> Result<Fd, Errno> {
        self.file_of(pid, from)?;
        if !fits(least) {
            return Err(Errno::EINVAL);
        }
        let fd = self.free_fd(pid, least)?;
        self.dup2(pid, from, fd)?;
        Ok(fd)
    }

    /// Passes a copy of a descriptor to another process (slurmstepd's pipes, `srun`'s terminal).
    pub fn give_fd(&mut self, from: Pid, fd: Fd, to: Pid, as_fd: Fd) -> Result<(), Errno> {
        let file = self.file_of(from, fd)?;
        if !fits(as_fd) {
            return Err(Errno::EBADF);
        }
        let receiver = self.living_mut(to)?;
        if from == to && fd == as_fd {
            return Ok(());
        }
        let old = receiver.fds.insert(as_fd, file);
        receiver.cloexec.remove(&as_fd);
        if let Some(file) = self.files.get_mut(file) {
            file.refs += 1;
        }
        if let Some(old) = old {
            self.drop_file(old);
        }
        // A wait of the receiver may hang on what the number led to before.
        self.unblock(to);
        Ok(())
    }

    /// Closes at the next [`Kernel::exec`].
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
        let process = self.living_mut(pid)?;
        process.fds.remove(&fd);
        process.cloexec.remove(&fd);
        self.drop_file(file);
        self.unblock(pid);
        Ok(())
    }

    /// One descriptor less leads to an open file; with the last one the file is closed.
    pub(super) fn drop_file(&mut self, number: u32) {
        let Some(file) = self.files.get_mut(number) else { return };
        file.refs -= 1;
        if file.refs > 0 {
            return;
        }
        let Some(file) = self.files.remove(number) else { return };
        match file.what {
            Target::Inode(ino) => self.fs.release(ino),
            Target::PipeRead(pipe) => self.drop_end(pipe, true),
            Target::PipeWrite(pipe) => self.drop_end(pipe, false),
            Target::Tty(_) | Target::Null | Target::Zero | Target::Full | Target::Urandom => {}
        }
    }

    /// A pipe loses an end; whoever waits at the other end learns of it.
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
        self.changed(if reader { Resource::PipeWrite(number) } else { Resource::PipeRead(number) });
    }

    /// Whether the descriptor is an end of a pipe.
    #[must_use]
    pub fn is_pipe(&self, pid: Pid, fd: Fd) -> bool {
        matches!(self.target(pid, fd), Some(Target::PipeRead(_) | Target::PipeWrite(_)))
    }

    /// Whether the descriptor is a terminal (`isatty`), and which.
    #[must_use]
    pub fn fd_tty(&self, pid: Pid, fd: Fd) -> Option<TtyId> {
        match self.target(pid, fd)? {
            Target::Tty(tty) => Some(*tty),
            Target::Inode(_)
            | Target::PipeRead(_)
            | Target::PipeWrite(_)
            | Target::Null
            | Target::Zero
            | Target::Full
            | Target::Urandom => None,
        }
    }

    /// `fstat(2)` of a descriptor that leads to a file.
    #[must_use]
    pub fn fd_stat(&self, pid: Pid, fd: Fd) -> Option<Stat> {
        match self.target(pid, fd)? {
            Target::Inode(ino) => self.fs.fstat(*ino).ok(),
            Target::Tty(_)
            | Target::PipeRead(_)
            | Target::PipeWrite(_)
            | Target::Null
            | Target::Zero
            | Target::Full
            | Target::Urandom => None,
        }
    }

    /// Whether a descriptor leads to a file, whose content is there at once.
    #[must_use]
    pub fn is_file(&self, pid: Pid, fd: Fd) -> bool {
        self.fd_stat(pid, fd).is_some()
    }

    /// Where the next read or write of a file begins.
    #[must_use]
    pub fn offset(&self, pid: Pid, fd: Fd) -> Option<u64> {
        self.files.get(self.file_of(pid, fd).ok()?).map(|file| file.offset)
    }

    /// `lseek(2)`: `EINVAL` for what is no file.
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

    /// The process' open descriptors.
    #[must_use]
    pub fn fds(&self, pid: Pid) -> Vec<Fd> {
        self.process(pid).map(|process| process.fds.keys().copied().collect()).unwrap_or_default()
    }
}

/// Whether a number may be a descriptor.
fn fits(fd: Fd) -> bool {
    usize::try_from(fd).is_ok_and(|fd| fd < MAX_FDS)
}

/// The descriptor that a path under `/dev` stands for.
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
