//! What a command sees of the world while it runs, with the calls that most commands need.

use super::running::Piped;
use crate::base::ids::{Pid, Uid};
use crate::base::time::Time;
use crate::host::fs::{Access, Kind, MAX_FILE};
use crate::host::kernel::OpenFlags;
use crate::host::{Env, Errno, Exec, Fd, Kernel, path};
use crate::shell::Born;
use std::sync::Arc;

/// What a command needs while it runs. What goes to `out` and `err` is written to descriptors 1 and 2 as fast as
/// their readers take it; the process ends after that.
pub struct Cx<'a> {
    /// Virtual time.
    pub now: Time,
    /// Its process.
    pub pid: Pid,
    /// Its arguments; the first is its name.
    pub argv: &'a [String],
    /// Its environment.
    pub env: &'a Env,
    /// The system.
    pub kernel: &'a mut Kernel,
    /// The cluster.
    pub slurm: &'a mut dyn super::Slurm,
    /// Standard output.
    pub out: &'a mut Vec<u8>,
    /// Standard error.
    pub err: &'a mut Vec<u8>,
    /// Children born in this slice, with what they run.
    pub born: &'a mut Vec<(Pid, Born)>,
    /// Where in `out` the pieces of `err` belong: lengths of both when [`Cx::error`] was called.
    pub(super) marks: &'a mut Vec<(usize, usize)>,
    /// What came through pipes among its arguments.
    pub(super) piped: &'a [Piped],
}

impl Cx<'_> {
    /// The same process with other arguments: for commands that are given as lines of text.
    pub fn with_argv<'b>(&'b mut self, argv: &'b [String]) -> Cx<'b> {
        Cx {
            now: self.now,
            pid: self.pid,
            argv,
            env: self.env,
            kernel: &mut *self.kernel,
            slurm: &mut *self.slurm,
            out: &mut *self.out,
            err: &mut *self.err,
            born: &mut *self.born,
            marks: &mut *self.marks,
            piped: self.piped,
        }
    }

    /// How much was printed so far, to standard output and error.
    #[must_use]
    pub const fn printed(&self) -> (usize, usize) {
        (self.out.len(), self.err.len())
    }

    /// Takes back what was printed between two moments (see [`Cx::printed`]).
    pub fn unprint(&mut self, from: (usize, usize), to: (usize, usize)) {
        let (out, err) = (to.0.min(self.out.len()), to.1.min(self.err.len()));
        self.out.drain(from.0.min(out)..out);
        self.err.drain(from.1.min(err)..err);
        let back = |at: usize, from: usize, to: usize| at.min(from) + at.saturating_sub(to);
        for (o, e) in self.marks.iter_mut() {
            (*o, *e) = (back(*o, from.0, to.0), back(*e, from.1, to.1));
        }
    }

    /// The name it was called by, without directories.
    #[must_use]
    pub fn name(&self) -> &str {
        self.argv.first().map_or("", |name| path::base_name(name))
    }

    /// Its arguments after the name.
    #[must_use]
    pub fn args(&self) -> &[String] {
        self.argv.get(1..).unwrap_or(&[])
    }

    /// Whose process it is.
    #[must_use]
    pub fn uid(&self) -> Uid {
        self.kernel.process(self.pid).map_or(Uid(0), |p| p.origin.uid)
    }

    /// The login name of [`Cx::uid`].
    #[must_use]
    pub fn user(&self) -> String {
        self.kernel.users.name(self.uid())
    }

    /// The host it runs on.
    #[must_use]
    pub fn host(&self) -> Arc<str> {
        self.kernel.process(self.pid).map_or_else(|| self.kernel.login.clone(), |p| p.origin.host.clone())
    }

    /// The current directory.
    #[must_use]
    pub fn cwd(&self) -> String {
        self.kernel.process(self.pid).map_or_else(|| "/".to_owned(), |p| p.cwd.to_string())
    }

    /// An argument as an absolute path.
    #[must_use]
    pub fn path(&self, arg: &str) -> String {
        self.kernel.process(self.pid).map_or_else(|| path::resolve("/", arg), |p| path::resolve(&p.cwd, arg))
    }

    /// The permission bits of a new file or directory: `mode` without the process' umask.
    #[must_use]
    pub fn masked(&self, mode: u32) -> u32 {
        mode & !self.kernel.process(self.pid).map_or(0o022, |p| p.umask)
    }

    /// Prints text to standard output, as it is.
    pub fn print(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Prints a line to standard output.
    pub fn line(&mut self, text: &str) {
        self.print(text);
        self.out.push(b'\n');
    }

    /// Prints `NAME: text` to standard error, in its place among what was printed before.
    pub fn error(&mut self, text: &str) {
        let name = self.name().to_owned();
        self.complain(&format!("{name}: {text}"));
    }

    /// Prints a line to standard error as it is, in its place among what was printed before.
    pub fn complain(&mut self, text: &str) {
        self.complain_raw(text);
        self.err.push(b'\n');
        self.marks.push((self.out.len(), self.err.len()));
    }

    /// Prints text to standard error as it is, without a newline, in its place among what was printed before.
    pub fn complain_raw(&mut self, text: &str) {
        self.complain_raw_bytes(text.as_bytes());
    }

    /// The same of bytes.
    pub fn complain_raw_bytes(&mut self, text: &[u8]) {
        // A mark before it keeps what was printed to standard output so far in front.
        self.marks.push((self.out.len(), self.err.len()));
        self.err.extend_from_slice(text);
        self.marks.push((self.out.len(), self.err.len()));
    }

    /// A file's content. Devices and pipes are read to their end, as far as they give anything now.
    ///
    /// # Errors
    /// What `open` and `read` say.
    pub fn read_file(&mut self, arg: &str) -> Result<Arc<Vec<u8>>, Errno> {
        if arg.is_empty() {
            return Err(Errno::ENOENT);
        }
        if let Some(piped) = self.piped.iter().find(|piped| piped.name == arg) {
            return Ok(piped.data.clone());
        }
        let file = self.path(arg);
        let stat = self.kernel.fs.stat(self.uid(), &file)?;
        match stat.kind {
            Kind::File => self.kernel.fs.read(self.uid(), &file),
            Kind::Dir => Err(Errno::EISDIR),
            Kind::Link | Kind::Program | Kind::Device => {
                let fd = self.open(arg, OpenFlags { read: true, ..OpenFlags::default() })?;
                let data = self.read_all(fd);
                self.kernel.close(self.pid, fd)?;
                data.map(Arc::new)
            }
        }
    }

    fn read_all(&mut self, fd: Fd) -> Result<Vec<u8>, Errno> {
        let mut all = Vec::new();
        loop {
            match self.kernel.read(self.pid, fd, 65_536) {
                Ok(data) if data.is_empty() => return Ok(all),
                Ok(data) => all.extend_from_slice(&data),
                Err(Errno::EAGAIN) => return Ok(all),
                Err(errno) => return Err(errno),
            }
            if all.len() > MAX_FILE {
                return Err(Errno::EFBIG);
            }
        }
    }

    /// Creates or replaces a file, through `open(2)`: devices take it too.
    ///
    /// # Errors
    /// What `open` and `write` say.
    pub fn write_file(&mut self, arg: &str, data: &[u8]) -> Result<(), Errno> {
        let flags = OpenFlags { write: true, create: true, truncate: true, ..OpenFlags::default() };
        self.write_with(arg, data, flags)
    }

    /// Appends to a file, creating it if need be.
    ///
    /// # Errors
    /// What `open` and `write` say.
    pub fn append_file(&mut self, arg: &str, data: &[u8]) -> Result<(), Errno> {
        let flags = OpenFlags { write: true, create: true, append: true, ..OpenFlags::default() };
        self.write_with(arg, data, flags)
    }

    fn write_with(&mut self, arg: &str, mut data: &[u8], flags: OpenFlags) -> Result<(), Errno> {
        let fd = self.open(arg, flags)?;
        let mut result = Ok(());
        while !data.is_empty() && result.is_ok() {
            match self.kernel.write(self.pid, fd, data, self.now) {
                Ok(n) => data = data.get(n..).unwrap_or(&[]),
                Err(errno) => result = Err(errno),
            }
        }
        self.kernel.close(self.pid, fd)?;
        result
    }

    /// Opens a file for itself: the descriptor is not inherited by what it executes.
    ///
    /// # Errors
    /// What `open` says.
    pub fn open(&mut self, arg: &str, flags: OpenFlags) -> Result<Fd, Errno> {
        if arg.is_empty() {
            return Err(Errno::ENOENT);
        }
        let fd = self.kernel.open(self.pid, arg, flags, 0o666, self.now)?;
        self.kernel.set_cloexec(self.pid, fd, true);
        Ok(fd)
    }

    /// Whether a descriptor is a terminal.
    #[must_use]
    pub fn is_tty(&self, fd: Fd) -> bool {
        self.kernel.fd_tty(self.pid, fd).is_some()
    }

    /// The program that `name` means: itself if it has a slash, else the first one in `$PATH`.
    ///
    /// # Errors
    /// `ENOENT`, or `EACCES` where all that was found can't be executed.
    pub fn which(&self, name: &str) -> Result<String, Errno> {
        let uid = self.uid();
        if name.contains('/') {
            let file = self.path(name);
            let stat = self.kernel.fs.stat(uid, &file)?;
            self.kernel.fs.access(uid, &file, Access::Exec)?;
            return if stat.kind == Kind::Dir { Err(Errno::EACCES) } else { Ok(file) };
        }
        let mut why = Errno::ENOENT;
        for dir in self.env.get("PATH").map_or("/usr/bin:/bin", String::as_str).split(':') {
            let file = path::resolve(&self.cwd(), &format!("{dir}/{name}"));
            match self.kernel.fs.stat(uid, &file) {
                Ok(stat) if stat.kind != Kind::Dir => match self.kernel.fs.access(uid, &file, Access::Exec) {
                    Ok(()) => return Ok(file),
                    Err(errno) => why = errno,
                },
                Ok(_) | Err(_) => {}
            }
        }
        Err(why)
    }

    /// What `execvp` of these words needs.
    ///
    /// # Errors
    /// As [`Cx::which`].
    pub fn exec_of(&self, words: &[String], env: Arc<Env>) -> Result<Exec, Errno> {
        let name = words.first().ok_or(Errno::ENOENT)?;
        Ok(Exec { path: self.which(name)?, argv: words.to_vec(), env })
    }

    /// A child that executes `exec`. It has the caller's descriptors.
    ///
    /// # Errors
    /// As `fork`.
    pub fn spawn(&mut self, exec: Exec) -> Result<Pid, Errno> {
        let child = self.kernel.fork(self.pid, self.now)?;
        self.born.push((child, Born::Exec(exec)));
        Ok(child)
    }
}
