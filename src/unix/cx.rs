//! A running command's view of its host, with the calls that most commands need.

use crate::running::Piped;
use base::ids::{Cgroup, Pid, Uid};
use base::time::Time;
use host::fs::{Access, FileKind, MAX_FILE};
use host::kernel::OpenFlags;
use host::{Env, Errno, Exec, Fd, Kernel, path};
use shell::Born;
use std::sync::Arc;

/// Reading this many bytes is worth a slice.
const SLICE_BYTES: usize = 1 << 18;

/// The context of a Unix command.
pub type Cx<'a, 'c> = Context<'a, dyn Hosts + 'c>;

/// Properties of a compute host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComputeHost {
    /// Processor sockets, at least 1.
    pub sockets: u32,
    /// Cores in a socket, at least 1.
    pub cores_per_socket: u32,
    /// Hardware threads of a core, at least 1.
    pub threads_per_core: u32,
    /// CPUs as counted by the operating system.
    pub cpus: u32,
    /// Memory in MiB.
    pub memory: u64,
    /// The time of its last boot.
    pub booted: Time,
    /// It has power and its operating system runs.
    pub is_up: bool,
}

/// The hosts of the cluster, for commands that look beyond their own host. Implemented on slurmctld's node table.
pub trait Hosts {
    /// The compute host of this name.
    fn host(&self, name: &str) -> Option<ComputeHost>;
    /// `pam_slurm_adopt(8)`: the cgroup of one of the user's jobs on a host, for a process that comes from
    /// group `from`; `None` if the user has no job there.
    fn adopt(&mut self, uid: Uid, host: &str, from: Cgroup) -> Option<Cgroup>;
    /// Cuts a host's power: its slurmd stops responding.
    fn power_off(&mut self, host: &str);
    /// Boots a host: its slurmd registers.
    fn power_on(&mut self, host: &str);
}

/// The environment in which a command runs. The contents of `out` and `err` are written to descriptors 1 and 2
/// as fast as the readers take them; the process ends after that.
pub struct Context<'a, C: ?Sized> {
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
    /// The command's access to the cluster: [`Hosts`] for Unix commands, more for Slurm's.
    pub cluster: &'a mut C,
    /// Standard output.
    pub out: &'a mut Vec<u8>,
    /// Standard error.
    pub err: &'a mut Vec<u8>,
    /// Children created in this slice, with the programs that they run.
    pub born: &'a mut Vec<(Pid, Born)>,
    /// The positions of `err`'s texts within `out`: the lengths of both at each call of [`Context::error`].
    pub marks: &'a mut Vec<(usize, usize)>,
    /// The data of pipes among its arguments.
    pub piped: &'a [Piped],
    /// How many slices more than one this slice's work was worth. The process is charged for them.
    pub work: &'a mut u32,
}

impl<C: ?Sized> Context<'_, C> {
    /// The same process with other arguments, for commands read from text.
    pub fn with_argv<'b>(&'b mut self, argv: &'b [String]) -> Context<'b, C> {
        Context {
            now: self.now,
            pid: self.pid,
            argv,
            env: self.env,
            kernel: &mut *self.kernel,
            cluster: &mut *self.cluster,
            out: &mut *self.out,
            err: &mut *self.err,
            born: &mut *self.born,
            marks: &mut *self.marks,
            piped: self.piped,
            work: &mut *self.work,
        }
    }

    /// The number of bytes printed so far, to standard output and to standard error.
    #[must_use]
    pub const fn printed(&self) -> (usize, usize) {
        (self.out.len(), self.err.len())
    }

    /// Removes what was printed between two moments (see [`Context::printed`]).
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

    /// The owner of the process.
    #[must_use]
    pub fn uid(&self) -> Uid {
        self.kernel.process(self.pid).map_or(Uid(0), |p| p.origin.uid)
    }

    /// The login name of [`Context::uid`].
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

    /// The permission bits of a new file or directory: `mode` without the bits in the process' umask.
    #[must_use]
    pub fn masked(&self, mode: u32) -> u32 {
        mode & !self.kernel.process(self.pid).map_or(0o022, |p| p.umask)
    }

    /// Prints text to standard output.
    pub fn print(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Prints a line to standard output.
    pub fn line(&mut self, text: &str) {
        self.print(text);
        self.out.push(b'\n');
    }

    /// Prints `NAME: text` to standard error, in order with the previous output.
    pub fn error(&mut self, text: &str) {
        let name = self.name().to_owned();
        self.complain(&format!("{name}: {text}"));
    }

    /// Prints a line to standard error, in order with the previous output.
    pub fn complain(&mut self, text: &str) {
        self.complain_raw(text);
        self.err.push(b'\n');
        self.marks.push((self.out.len(), self.err.len()));
    }

    /// Prints text without a newline to standard error, in order with the previous output.
    pub fn complain_raw(&mut self, text: &str) {
        self.complain_raw_bytes(text.as_bytes());
    }

    /// The same for bytes.
    pub fn complain_raw_bytes(&mut self, text: &[u8]) {
        // The mark keeps the previous standard output in front.
        self.marks.push((self.out.len(), self.err.len()));
        self.err.extend_from_slice(text);
        self.marks.push((self.out.len(), self.err.len()));
    }

    /// A file's content. Devices and pipes are read up to the data available now.
    ///
    /// # Errors
    /// The errors of `open` and `read`.
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
            FileKind::File => match self.kernel.proc_text(self.pid, stat.ino) {
                Some(text) => Ok(Arc::new(text.into_bytes())),
                None => self.kernel.fs.read(self.uid(), &file),
            },
            FileKind::Dir => Err(Errno::EISDIR),
            FileKind::Link | FileKind::Program | FileKind::Device => {
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
            if all.len().is_multiple_of(SLICE_BYTES) {
                *self.work = self.work.saturating_add(1);
            }
            // A device without end does not fit into memory.
            if all.len() > MAX_FILE {
                return Err(Errno::ENOMEM);
            }
        }
    }

    /// Creates or replaces a file with `open(2)`, so devices work too.
    ///
    /// # Errors
    /// The errors of `open` and `write`.
    pub fn write_file(&mut self, arg: &str, data: &[u8]) -> Result<(), Errno> {
        let flags = OpenFlags { write: true, create: true, truncate: true, ..OpenFlags::default() };
        self.write_with(arg, data, flags)
    }

    /// Appends to a file, and creates it if needed.
    ///
    /// # Errors
    /// The errors of `open` and `write`.
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

    /// Opens a file with close-on-exec.
    ///
    /// # Errors
    /// The errors of `open`.
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
        self.kernel.is_terminal(self.pid, fd)
    }

    /// The path of a program: `name` itself if it contains a slash, otherwise the first match in `$PATH`.
    ///
    /// # Errors
    /// `ENOENT`, or `EACCES` if the only matches are not executable.
    pub fn which(&self, name: &str) -> Result<String, Errno> {
        let uid = self.uid();
        if name.contains('/') {
            let file = self.path(name);
            let stat = self.kernel.fs.stat(uid, &file)?;
            self.kernel.fs.access(uid, &file, Access::Exec)?;
            return if stat.kind == FileKind::Dir { Err(Errno::EACCES) } else { Ok(file) };
        }
        let mut why = Errno::ENOENT;
        for dir in self.env.get("PATH").map_or("/usr/bin:/bin", String::as_str).split(':') {
            let file = path::resolve(&self.cwd(), &format!("{dir}/{name}"));
            match self.kernel.fs.stat(uid, &file) {
                Ok(stat) if stat.kind != FileKind::Dir => {
                    match self.kernel.fs.access(uid, &file, Access::Exec) {
                        Ok(()) => return Ok(file),
                        Err(errno) => why = errno,
                    }
                }
                Ok(_) | Err(_) => {}
            }
        }
        Err(why)
    }

    /// Prepares `execvp` of these words.
    ///
    /// # Errors
    /// As [`Context::which`].
    pub fn exec_of(&self, words: &[String], env: Arc<Env>) -> Result<Exec, Errno> {
        let name = words.first().ok_or(Errno::ENOENT)?;
        Ok(Exec { path: self.which(name)?, argv: words.to_vec(), env })
    }

    /// A child that executes `exec`. It inherits the caller's descriptors.
    ///
    /// # Errors
    /// As `fork`.
    pub fn spawn(&mut self, exec: Exec) -> Result<Pid, Errno> {
        let child = self.kernel.fork(self.pid, self.now)?;
        self.born.push((child, Born::Exec(exec)));
        Ok(child)
    }
}
