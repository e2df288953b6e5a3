//! Programs of jobs as processes of this machine, each in a process group of its own.
//!
//! Invariant: everything that a job started is killed when the job has ended, even if it left its process group,
//! because every program carries the cluster and the job's number in its environment. A daemon without that environment
//! is killed when no job runs any more, or by the [`guard`](crate::guard) of the server.

use super::ServerEvent;
use super::files::MachineFiles;
use super::pseudo_terminal;
use crate::directory::ClusterDir;
use crate::guard::end_descendants;
use crate::processes::{Mark, children_of, freeze, kill_group, kill_marked, kill_process};
use crate::wire::WindowSize;
use crate::{JOB_MARK, VARIABLE};
use base::ids::{JobId, Pid};
use engine::world::real_host::ProgramStart;
use host::real_host::RealHostIo;
use host::{Signal, Status};
use rustix::fs::Mode;
use rustix::process::{Pid as MachinePid, WaitId, WaitIdOptions, WaitOptions, umask, waitid, waitpid};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Maximum number of bytes read from a program's pipe at a time.
const PIECE: usize = 65_536;
/// Ctrl-D.
const END_OF_TRANSMISSION: u8 = 4;
/// Maximum number of reads that a program may be ahead of the simulation.
const AHEAD: usize = 4;

/// Running programs.
pub struct Programs {
    running: BTreeMap<Pid, RunningProgram>,
    dir: ClusterDir,
    events: Sender<ServerEvent>,
}

/// A running program.
struct RunningProgram {
    machine: u32,
    input: Option<Sender<Vec<u8>>>,
    /// Permits for the threads that read its output.
    permits: [Option<Sender<()>>; 2],
    /// Its pseudo-terminal.
    terminal: Option<File>,
    /// Permits to grant once the simulation has caught up.
    owed: [usize; 2],
    ended: bool,
}

impl RunningProgram {
    fn new(child: &Child) -> Self {
        let machine = child.id();
        Self { machine, input: None, permits: [None, None], terminal: None, owed: [0, 0], ended: false }
    }
}

impl Programs {
    pub const fn new(dir: ClusterDir, events: Sender<ServerEvent>) -> Self {
        Self { running: BTreeMap::new(), dir, events }
    }

    /// Starts a program.
    pub fn start(&mut self, start: &ProgramStart, files: &MachineFiles) -> io::Result<()> {
        let path = match (&start.script, start.job) {
            (Some(script), Some(job)) => self.spool(job, script)?,
            (Some(_) | None, _) => start.exec.path.clone(),
        };
        let mut command = Command::new(&path);
        let named = start.exec.argv.first().filter(|_| start.script.is_none());
        command.arg0(named.unwrap_or(&path)).args(start.exec.argv.iter().skip(1));
        command.env_clear().envs(self.environment(start)).current_dir(&start.cwd).process_group(0);
        let stdio = |fd: usize| match start.io.get(fd) {
            Some(RealHostIo::File(number)) => files.duplicate(*number).map_or_else(Stdio::null, Stdio::from),
            Some(RealHostIo::Inside) => Stdio::piped(),
            Some(RealHostIo::Full) => {
                let device = File::options().read(true).write(true).open("/dev/full");
                device.map_or_else(|_| Stdio::null(), Stdio::from)
            }
            Some(RealHostIo::Null) | None => Stdio::null(),
        };
        command.stdin(stdio(0)).stdout(stdio(1)).stderr(stdio(2));
        let mut child = spawn(&mut command, start.umask)?;
        let mut program = RunningProgram::new(&child);
        let pid = start.pid;
        program.input = child.stdin.take().map(|stdin| self.write_input(stdin, pid));
        if let Some(stdout) = child.stdout.take() {
            program.permits[0] = Some(self.read_output(stdout, pid, 0));
        }
        if let Some(stderr) = child.stderr.take() {
            program.permits[1] = Some(self.read_output(stderr, pid, 1));
        }
        self.attend(pid, program, child);
        Ok(())
    }

    /// Starts a program on a pseudo-terminal of its own.
    pub fn start_on_terminal(&mut self, start: &ProgramStart, window: WindowSize) -> io::Result<()> {
        let (ours, task) = pseudo_terminal::open(window)?;
        let (input, output) = (ours.try_clone()?, ours.try_clone()?);
        let mut command = Command::new(std::env::current_exe()?);
        command.arg0(pseudo_terminal::STEPD).arg(&start.exec.path);
        command.args(start.exec.argv.first().or(Some(&start.exec.path))).args(start.exec.argv.iter().skip(1));
        command.env_clear().envs(self.environment(start)).current_dir(&start.cwd);
        command.env("SLURM_PTY_WIN_COL", window.columns.to_string());
        command.env("SLURM_PTY_WIN_ROW", window.rows.to_string());
        command.stdin(task.try_clone()?).stdout(task.try_clone()?).stderr(task);
        let child = spawn(&mut command, start.umask)?;
        // The last descriptors of the task's end here; afterwards, the end of the task is the end of its output.
        drop(command);
        let mut program = RunningProgram::new(&child);
        program.input = Some(self.write_input(input, start.pid));
        program.permits[0] = Some(self.read_output(output, start.pid, 0));
        program.terminal = Some(ours);
        self.attend(start.pid, program, child);
        Ok(())
    }

    /// Changes the size of a program's terminal.
    pub fn resize(&self, pid: Pid, window: WindowSize) {
        if let Some(terminal) = self.running.get(&pid).and_then(|program| program.terminal.as_ref()) {
            pseudo_terminal::resize(terminal, window);
        }
    }

    /// Notes a program and waits for its end.
    fn attend(&mut self, pid: Pid, program: RunningProgram, mut child: Child) {
        self.running.insert(pid, program);
        let events = self.events.clone();
        std::thread::spawn(move || {
            end_group(child.id());
            let status = child.wait().map_or(Status::Exited(1), status_of);
            let _ = events.send(ServerEvent::ProgramOver(pid, status));
        });
    }

    /// slurmd's copy of a batch script: `spool/job00012/slurm_script`.
    fn spool(&self, job: JobId, script: &[u8]) -> io::Result<String> {
        let dir = self.dir.spool().join(format!("job{:05}", job.0));
        match DirBuilder::new().mode(0o700).create(&dir) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let file = dir.join("slurm_script");
        // A requeued job's old script may still be running, so it must not be overwritten.
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut out = fs::OpenOptions::new().write(true).create_new(true).mode(0o700).open(&file)?;
        out.write_all(script)?;
        Ok(file.to_string_lossy().into_owned())
    }

    /// A program's environment: the cluster's commands are always on PATH.
    fn environment(&self, start: &ProgramStart) -> BTreeMap<String, String> {
        let mut env = (*start.exec.env).clone();
        let bin = self.dir.commands().to_string_lossy().into_owned();
        let path = env.get("PATH").map(String::as_str).unwrap_or_default();
        if !path.split(':').any(|dir| dir == bin) {
            let path = if path.is_empty() { bin } else { format!("{bin}:{path}") };
            env.insert("PATH".to_owned(), path);
        }
        env.insert(VARIABLE.to_owned(), self.dir.path().to_string_lossy().into_owned());
        env.remove(JOB_MARK);
        if let Some(job) = start.job {
            env.insert(JOB_MARK.to_owned(), job.to_string());
        }
        env
    }

    fn write_input(&self, to: impl Write + Send + 'static, pid: Pid) -> Sender<Vec<u8>> {
        let (sender, pieces) = channel();
        let events = self.events.clone();
        std::thread::spawn(move || write_input(to, &pieces, pid, &events));
        sender
    }

    fn read_output(&self, mut from: impl Read + Send + 'static, pid: Pid, stream: usize) -> Sender<()> {
        let (permits, permitted) = channel();
        for _ in 0..AHEAD {
            let _ = permits.send(());
        }
        let events = self.events.clone();
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let count = match from.read(&mut piece) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Ok(count) => count,
                    Err(_) => 0,
                };
                piece.truncate(count);
                if events.send(ServerEvent::ProgramOutput(pid, stream, piece)).is_err()
                    || count == 0
                    || permitted.recv().is_err()
                {
                    return;
                }
            }
        });
        permits
    }

    /// Notes that the simulation received output.
    pub fn owe(&mut self, pid: Pid, stream: usize) {
        if let Some(owed) = self.running.get_mut(&pid).and_then(|p| p.owed.get_mut(stream)) {
            *owed += 1;
        }
    }

    /// Lets programs continue once the simulation has caught up with their output.
    pub fn permit(&mut self, backlog: impl Fn(Pid) -> usize) {
        for (pid, program) in &mut self.running {
            if program.owed == [0, 0] || backlog(*pid) > PIECE * AHEAD {
                continue;
            }
            for (permits, owed) in program.permits.iter().zip(&mut program.owed) {
                for _ in 0..std::mem::take(owed) {
                    let _ = permits.as_ref().map(|permits| permits.send(()));
                }
            }
        }
    }

    /// Forwards standard input. Empty data means that the stream was closed.
    pub fn input(&mut self, pid: Pid, data: Vec<u8>) {
        if let Some(program) = self.running.get_mut(&pid) {
            if data.is_empty() {
                // A terminal does not end; Ctrl-D ends a line-wise reader's input.
                if let (Some(_), Some(input)) = (&program.terminal, &program.input) {
                    let _ = input.send(vec![END_OF_TRANSMISSION]);
                }
                program.input = None;
            } else if let Some(input) = &program.input {
                let _ = input.send(data);
            }
        }
    }

    /// Signals a program and, if `whole`, its process group.
    pub fn signal(&self, pid: Pid, signal: Signal, whole: bool) {
        let Some(program) = self.running.get(&pid).filter(|program| !program.ended) else { return };
        if matches!(signal, Signal::STOP | Signal::CONT) && whole {
            freeze(program.machine, signal == Signal::STOP);
        } else if whole {
            kill_group(program.machine, signal.number());
        } else {
            kill_process(Some(program.machine), signal.number());
        }
    }

    /// A program's first process has ended: kills the rest of its group.
    pub fn ended(&mut self, pid: Pid) {
        if let Some(program) = self.running.get_mut(&pid) {
            program.ended = true;
        }
    }

    /// The shadow has ended: kills what is left and drops the program.
    pub fn forget(&mut self, pid: Pid) {
        if let Some(program) = self.running.remove(&pid).filter(|program| !program.ended) {
            kill_group(program.machine, Signal::KILL.number());
        }
    }

    /// Kills everything that a job started.
    pub fn sweep(&self, job: JobId) {
        kill_marked(&self.dir, Mark::Job(job));
        self.end_orphans();
        let _ = fs::remove_dir_all(self.dir.spool().join(format!("job{:05}", job.0)));
    }

    /// Kills everything that any job started.
    pub fn end_all(&mut self) {
        for program in std::mem::take(&mut self.running).into_values().filter(|program| !program.ended) {
            kill_group(program.machine, Signal::KILL.number());
        }
        kill_marked(&self.dir, Mark::Cluster);
        end_descendants();
    }

    /// Orphans of jobs are children of this process. Reaps zombies, and kills the others if no job can own them.
    fn end_orphans(&self) {
        let ours: BTreeSet<u32> = self.running.values().map(|program| program.machine).collect();
        for orphan in children_of(std::process::id()).into_iter().filter(|pid| !ours.contains(pid)) {
            if ours.is_empty() {
                kill_process(Some(orphan), Signal::KILL.number());
            }
            let pid = i32::try_from(orphan).ok().and_then(MachinePid::from_raw);
            let _ = waitpid(pid, WaitOptions::NOHANG);
        }
    }
}

/// Waits for a group's first process to exit and kills the others. The first process is still a zombie then, so the
/// group's id cannot be reused.
fn end_group(leader: u32) {
    let pid = i32::try_from(leader).ok().and_then(MachinePid::from_raw);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    if let Some(pid) = pid {
        while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
        kill_group(leader, Signal::KILL.number());
    }
}

fn status_of(status: std::process::ExitStatus) -> Status {
    let signal = status.signal().and_then(|n| Signal::ALL.iter().find(|s| i32::from(s.number()) == n));
    match (signal, status.code()) {
        (Some(signal), _) => Status::Signaled(*signal),
        (None, Some(code)) => Status::Exited(u8::try_from(code).unwrap_or(1)),
        (None, None) => Status::Signaled(Signal::KILL),
    }
}

/// Starts a process with this umask.
fn spawn(command: &mut Command, mask: u32) -> io::Result<Child> {
    umask(Mode::from_bits_truncate(mask));
    let spawned = command.spawn();
    umask(Mode::empty());
    spawned
}

fn write_input(mut to: impl Write, pieces: &Receiver<Vec<u8>>, pid: Pid, events: &Sender<ServerEvent>) {
    let mut broken = false;
    for piece in pieces {
        broken = broken || to.write_all(&piece).and_then(|()| to.flush()).is_err();
        // Input that no one reads is consumed all the same.
        if events.send(ServerEvent::ProgramTook(pid, piece.len())).is_err() {
            return;
        }
    }
}
