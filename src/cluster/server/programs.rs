//! Programs of jobs as processes of this machine, each in a process group of its own.
//!
//! Invariant: what a job started is killed when the job is over, even if it left its process group, because every
//! program carries the cluster and the job's number in its environment.

use super::ServerEvent;
use super::files::MachineFiles;
use crate::directory::ClusterDir;
use crate::{JOB_MARK, VARIABLE};
use base::ids::{JobId, Pid};
use engine::world::outside::ProgramStart;
use host::outside::OutsideIo;
use host::{Signal, Status};
use rustix::fs::Mode;
use rustix::process::{
    Pid as MachinePid, Signal as MachineSignal, kill_process as kill, kill_process_group, umask,
};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Bytes read from a program's pipe at a time.
const PIECE: usize = 65_536;
/// Pieces that a program may be ahead of the simulation.
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
    /// Permits for the readers of its output.
    permits: [Option<Sender<()>>; 2],
    /// Permits that are due once the simulation has caught up.
    owed: [usize; 2],
    ended: bool,
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
            Some(OutsideIo::File(number)) => files.duplicate(*number).map_or_else(Stdio::null, Stdio::from),
            Some(OutsideIo::Inside) => Stdio::piped(),
            Some(OutsideIo::Null) | None => Stdio::null(),
        };
        command.stdin(stdio(0)).stdout(stdio(1)).stderr(stdio(2));
        umask(Mode::from_bits_truncate(start.umask));
        let spawned = command.spawn();
        umask(Mode::empty());
        let mut child = spawned?;
        let mut program = RunningProgram {
            machine: child.id(),
            input: None,
            permits: [None, None],
            owed: [0, 0],
            ended: false,
        };
        let pid = start.pid;
        if let Some(stdin) = child.stdin.take() {
            let (sender, pieces) = channel();
            program.input = Some(sender);
            let events = self.events.clone();
            std::thread::spawn(move || write_input(stdin, &pieces, pid, &events));
        }
        if let Some(stdout) = child.stdout.take() {
            program.permits[0] = Some(self.read_output(stdout, pid, 0));
        }
        if let Some(stderr) = child.stderr.take() {
            program.permits[1] = Some(self.read_output(stderr, pid, 1));
        }
        self.running.insert(pid, program);
        let events = self.events.clone();
        std::thread::spawn(move || {
            let status = child.wait().map_or(Status::Exited(1), status_of);
            let _ = events.send(ServerEvent::ProgramOver(pid, status));
        });
        Ok(())
    }

    /// slurmd's copy of a batch script: `spool/job00012/slurm_script`.
    fn spool(&self, job: JobId, script: &[u8]) -> io::Result<String> {
        let dir = self.dir.spool().join(format!("job{:05}", job.0));
        match DirBuilder::new().mode(0o700).create(&dir) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let file = dir.join("slurm_script");
        // A requeued job's old script may still be executed: it must not be overwritten.
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

    /// The simulation got a piece of output.
    pub fn owe(&mut self, pid: Pid, stream: usize) {
        if let Some(owed) = self.running.get_mut(&pid).and_then(|p| p.owed.get_mut(stream)) {
            *owed += 1;
        }
    }

    /// Lets programs go on that the simulation has caught up with.
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

    /// Passes on standard input; an empty piece is its end.
    pub fn input(&mut self, pid: Pid, data: Vec<u8>) {
        if let Some(program) = self.running.get_mut(&pid) {
            if data.is_empty() {
                program.input = None;
            } else if let Some(input) = &program.input {
                let _ = input.send(data);
            }
        }
    }

    /// Signals a program and, if `whole`, its process group.
    pub fn signal(&self, pid: Pid, signal: Signal, whole: bool) {
        let Some(program) = self.running.get(&pid) else { return };
        if whole {
            kill_group(program.machine, signal.number());
        } else if !program.ended {
            super::kill_process(Some(program.machine), signal.number());
        }
    }

    /// A program's first process has ended: ends the rest of its group.
    pub fn ended(&mut self, pid: Pid) {
        if let Some(program) = self.running.get_mut(&pid) {
            program.ended = true;
            kill_group(program.machine, Signal::KILL.number());
        }
    }

    /// The shadow is gone: kills what is left and forgets the program.
    pub fn forget(&mut self, pid: Pid) {
        if let Some(program) = self.running.remove(&pid) {
            kill_group(program.machine, Signal::KILL.number());
        }
    }

    /// Kills everything that a job started, wherever it is; without a job, everything of the cluster.
    pub fn sweep(&self, job: Option<JobId>) {
        let cluster = format!("{VARIABLE}={}", self.dir.path().display());
        let mark = job.map_or_else(|| format!("{JOB_MARK}="), |job| format!("{JOB_MARK}={job}"));
        for (machine, environ) in environments() {
            let mut variables = environ.split(|b| *b == 0);
            let is_ours = environ.split(|b| *b == 0).any(|v| v == cluster.as_bytes());
            let marked = variables
                .any(|v| if job.is_some() { v == mark.as_bytes() } else { v.starts_with(mark.as_bytes()) });
            if is_ours && marked {
                super::kill_process(Some(machine), Signal::KILL.number());
            }
        }
        if let Some(job) = job {
            let _ = fs::remove_dir_all(self.dir.spool().join(format!("job{:05}", job.0)));
        }
    }

    /// Ends everything.
    pub fn end_all(&mut self) {
        for program in std::mem::take(&mut self.running).into_values() {
            kill_group(program.machine, Signal::KILL.number());
        }
        // A process that is just being forked is found in a second look.
        for _ in 0..2 {
            self.sweep(None);
        }
    }
}

/// The environments of this user's processes. Empty where there is no `/proc`.
fn environments() -> impl Iterator<Item = (u32, Vec<u8>)> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(move |pid| *pid != own)
        .filter_map(|pid| Some((pid, fs::read(format!("/proc/{pid}/environ")).ok()?)))
}

fn machine_signal(number: u8) -> Option<MachineSignal> {
    MachineSignal::from_named_raw(number.into())
}

fn machine_pid(number: u32) -> Option<MachinePid> {
    i32::try_from(number).ok().and_then(MachinePid::from_raw)
}

/// Signals a process; a process that is gone is no error.
pub fn kill_process(machine: Option<u32>, number: u8) {
    if let (Some(pid), Some(signal)) = (machine.and_then(machine_pid), machine_signal(number)) {
        let _ = kill(pid, signal);
    }
}

fn kill_group(machine: u32, number: u8) {
    if let (Some(pid), Some(signal)) = (machine_pid(machine), machine_signal(number)) {
        let _ = kill_process_group(pid, signal);
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

fn write_input(mut to: ChildStdin, pieces: &Receiver<Vec<u8>>, pid: Pid, events: &Sender<ServerEvent>) {
    let mut broken = false;
    for piece in pieces {
        broken = broken || to.write_all(&piece).and_then(|()| to.flush()).is_err();
        // Input that nobody reads is taken all the same.
        if events.send(ServerEvent::ProgramTook(pid, piece.len())).is_err() {
            return;
        }
    }
}
