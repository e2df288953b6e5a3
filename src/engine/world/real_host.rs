//! Clients and programs on the machine that runs the simulation: commands typed in a real shell, and jobs that really
//! run.
//!
//! A *client* is a command that runs outside; here it is a process that holds the far ends of the command's pipes. A
//! *program* is a real process: its shadow in the simulation has its descriptors, gets its signals and ends with its
//! status. This module only issues orders; the server of `sandbatch cluster` carries them out and reports back. A world
//! without such connections never runs this code.

use super::World;
use super::image::Image;
use base::ids::{Cgroup, JobId, Pid, Uid};
use host::kernel::ProcessTarget;
use host::real_host::{RealHost, RealHostIo};
use host::signal::Disposition;
use host::{Env, Errno, Exec, Fd, ProcessOrigin, Signal, SliceEnd, Status, Wait, path};
use slurmctld::request::{Caller, Request, Response, SignalScope};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Maximum number of input bytes sent to a program that has not read them.
const MAX_INPUT: usize = 65_536;
/// Bytes read from a pipe at a time.
const READ_SIZE: usize = 65_536;
/// Maximum number of processes between a program and its client.
const MAX_ANCESTORS: usize = 64;
/// The client's ends of the pipes: it writes standard input, and reads standard output and error.
const CLIENT_INPUT: Fd = 1;
const CLIENT_OUTPUT: [Fd; 2] = [2, 4];

/// Where jobs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// In the simulation.
    #[default]
    Model,
    /// As programs of the machine.
    Host,
}

/// The clients and programs of a world.
#[derive(Clone, Debug, Default)]
pub struct RealHostState {
    execution: Execution,
    connected: bool,
    /// Processes that see the real files: clients, jobs, and their children.
    members: BTreeSet<Pid>,
    clients: BTreeMap<Pid, RealHostClient>,
    programs: BTreeMap<Pid, RealHostProgram>,
    orders: Vec<RealHostOrder>,
    /// Signals for the first process of a job only.
    alone: BTreeSet<(Pid, Signal)>,
}

impl RealHostState {
    pub(super) fn is_member(&self, pid: Pid) -> bool {
        self.members.contains(&pid)
    }
}

/// A client: the process of its command, and its exit status.
#[derive(Clone, Copy, Debug)]
struct RealHostClient {
    command: Pid,
    status: Option<Status>,
}

/// The shadow of a real process.
#[derive(Clone, Debug, Default)]
struct RealHostProgram {
    /// Output that the simulation has not taken yet.
    output: [VecDeque<u8>; 2],
    /// Whether more output may come.
    open: [bool; 2],
    input_open: bool,
    /// Bytes of input in transit.
    in_flight: usize,
    status: Option<Status>,
    /// The client at whose terminal it is used.
    terminal: Option<Pid>,
}

/// A command to run for a client.
#[derive(Clone, Debug)]
pub struct ClientStart {
    /// The user.
    pub uid: Uid,
    /// Arguments; the base name of the first is the command.
    pub argv: Vec<String>,
    /// Its environment.
    pub env: Env,
    /// Its directory.
    pub cwd: String,
    /// Its umask.
    pub umask: u32,
    /// Which of standard input, output and error are the client's terminal.
    pub terminals: [bool; 3],
}

/// An order for the real machine.
#[derive(Clone, Debug)]
pub enum RealHostOrder {
    /// Start a program.
    Start(Box<ProgramStart>),
    /// Send bytes to a program's standard input.
    Input(Pid, Vec<u8>),
    /// Close a program's standard input.
    InputEnd(Pid),
    /// Signal a program and, if `whole`, everything that it started.
    Signal {
        /// The program.
        pid: Pid,
        /// The signal.
        signal: Signal,
        /// Include all its descendants.
        whole: bool,
    },
    /// The shadow has ended: kill what is left of the program.
    Kill(Pid),
    /// A job has ended: kill everything that it started.
    Sweep(JobId),
}

/// A program to start.
#[derive(Clone, Debug)]
pub struct ProgramStart {
    /// The pid of its shadow.
    pub pid: Pid,
    /// What to execute.
    pub exec: Exec,
    /// The batch script, if it is one. `exec.path` is then a file of the simulation.
    pub script: Option<Arc<Vec<u8>>>,
    /// The job it belongs to.
    pub job: Option<JobId>,
    /// Its directory.
    pub cwd: String,
    /// Its umask.
    pub umask: u32,
    /// Standard input, output and error.
    pub io: [RealHostIo; 3],
    /// The client that runs it on its own terminal, if any.
    pub client: Option<Pid>,
    /// The client at whose terminal it is used (`srun --pty`): it gets a pseudo-terminal of its own.
    pub terminal: Option<Pid>,
}

impl World {
    /// Connects the world to a real machine: its files, and where jobs run.
    pub fn connect_real_host(&mut self, files: Arc<dyn RealHost>, execution: Execution) {
        self.kernel.fs.connect_real_host(files, execution == Execution::Model);
        self.real_host.execution = execution;
        self.real_host.connected = true;
    }

    /// Carries out a request of root.
    pub fn request_as_root(&mut self, request: Request) -> Response {
        self.request_as(Uid(0), request)
    }

    /// Carries out a request of a user.
    pub fn request_as(&mut self, uid: Uid, request: Request) -> Response {
        let response = self.ctld.request(Caller { uid }, request, self.now);
        self.settle();
        response
    }

    /// A user of the cluster by name.
    #[must_use]
    pub fn user_named(&self, name: &str) -> Option<Uid> {
        self.kernel.users.by_name(name).map(|user| user.uid)
    }

    /// The name of a user of the cluster.
    #[must_use]
    pub fn user_name(&self, uid: Uid) -> String {
        self.kernel.users.by_uid(uid).map(|user| user.name.clone()).unwrap_or_else(|| uid.to_string())
    }

    /// Takes the orders for the real machine.
    pub fn take_real_host_orders(&mut self) -> Vec<RealHostOrder> {
        std::mem::take(&mut self.real_host.orders)
    }

    /// Whether there are orders for the real machine.
    #[must_use]
    pub fn has_real_host_orders(&self) -> bool {
        !self.real_host.orders.is_empty()
    }

    /// Whether any real programs run.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        !self.real_host.programs.is_empty()
    }

    /// Starts a command for a client and returns the client's pid.
    ///
    /// # Errors
    ///
    /// There are too many processes.
    pub fn start_client(&mut self, start: ClientStart) -> Result<Pid, Errno> {
        // Inside a job, the command runs on the job's node.
        let node = start.env.get("SLURMD_NODENAME").filter(|name| self.ctld.node_by_name(name).is_some());
        let host = node.map_or_else(|| Arc::clone(&self.kernel.login), |name| name.as_str().into());
        let origin = ProcessOrigin { uid: start.uid, host, cgroup: Cgroup(0) };
        let client = self.kernel.spawn(origin, &start.cwd, vec!["client".to_owned()], self.now)?;
        self.put_image(client, Image::RealHost);
        let command = match self.fork_command(client) {
            Ok(command) => command,
            Err(errno) => {
                self.kernel.exit(client, Status::Exited(1));
                return Err(errno);
            }
        };
        if let Some(process) = self.kernel.process_mut(command) {
            process.umask = start.umask;
        }
        // The simulation has no terminal for them: a shell would neither print a prompt nor echo.
        let host = self.real_host.execution == Execution::Host;
        for (fd, _) in (0..).zip(start.terminals).filter(|(_, terminal)| host && *terminal) {
            self.kernel.mark_terminal(command, fd);
        }
        self.real_host.clients.insert(client, RealHostClient { command, status: None });
        self.join_real_host(command);
        let name = start.argv.first().map_or("", |name| path::base_name(name));
        let exec = Exec { path: format!("/usr/bin/{name}"), argv: start.argv, env: Arc::new(start.env) };
        self.exec_inside(command, exec);
        self.settle();
        Ok(client)
    }

    /// Forks the process of a client's command, with pipes to the client.
    fn fork_command(&mut self, client: Pid) -> Result<Pid, Errno> {
        for _ in 0..3 {
            self.kernel.pipe(client)?;
        }
        let command = self.kernel.fork(client, self.now)?;
        self.kernel.set_group(command, command);
        for (from, to) in [(0, 10), (3, 11), (5, 12)] {
            self.kernel.dup2(command, from, to)?;
        }
        for fd in 0..6 {
            self.kernel.close(command, fd)?;
        }
        for (from, to) in [(10, 0), (11, 1), (12, 2)] {
            self.kernel.dup2(command, from, to)?;
            self.kernel.close(command, from)?;
        }
        for fd in [0, 3, 5] {
            self.kernel.close(client, fd)?;
        }
        Ok(command)
    }

    /// Takes the output of a client's command: standard output (0) or error (1).
    pub fn client_output(&mut self, client: Pid, stream: usize) -> Vec<u8> {
        let fd = CLIENT_OUTPUT.get(stream).copied().unwrap_or_default();
        self.kernel.read(client, fd, READ_SIZE).unwrap_or_default()
    }

    /// Whether a client's command, or a task at the client's terminal, waits for standard input.
    #[must_use]
    pub fn client_wants_input(&self, client: Pid) -> bool {
        let Some(command) = self.real_host.clients.get(&client).map(|c| c.command) else { return false };
        let at_terminal =
            self.real_host.programs.iter().filter(|(_, program)| program.terminal == Some(client));
        at_terminal.map(|(pid, _)| *pid).chain([command]).any(|pid| self.waits_for_input(pid))
    }

    fn waits_for_input(&self, pid: Pid) -> bool {
        let waits = match self.kernel.process(pid).and_then(|process| process.waiting()) {
            Some(Wait::Any(all)) => all.as_slice(),
            one => one.map_or(&[][..], std::slice::from_ref),
        };
        waits.iter().any(|wait| matches!(wait, Wait::Readable(0)))
    }

    /// Passes standard input to a client's command. Returns how many bytes it took.
    pub fn client_input(&mut self, client: Pid, data: &[u8]) -> usize {
        self.kernel.set_disposition(client, Signal::PIPE, Disposition::Ignore);
        match self.kernel.write(client, CLIENT_INPUT, data, self.now) {
            Ok(count) => count,
            Err(Errno::EAGAIN) => 0,
            // The command no longer reads its input.
            Err(_) => data.len(),
        }
    }

    /// Closes the standard input of a client's command.
    pub fn client_input_end(&mut self, client: Pid) {
        let _ = self.kernel.close(client, CLIENT_INPUT);
    }

    /// Sends a signal to a client's command.
    pub fn client_signal(&mut self, client: Pid, signal: Signal) {
        if let Some(client) = self.real_host.clients.get(&client) {
            let _ = self.kernel.kill(Uid(0), ProcessTarget::Process(client.command), Some(signal));
        }
    }

    /// The exit status of a client's command.
    #[must_use]
    pub fn client_status(&self, client: Pid) -> Option<Status> {
        self.real_host.clients.get(&client)?.status
    }

    /// Removes a client. A command that still runs is killed.
    pub fn drop_client(&mut self, client: Pid) {
        self.client_signal(client, Signal::KILL);
        self.real_host.clients.remove(&client);
        self.kernel.exit(client, Status::Exited(0));
    }

    /// Receives output of a program. Empty data means that the stream was closed. `stream` is 0 or 1.
    pub fn program_output(&mut self, pid: Pid, stream: usize, data: &[u8]) {
        let Some(program) = self.real_host.programs.get_mut(&pid) else { return };
        if let Some(output) = program.output.get_mut(stream) {
            output.extend(data);
        }
        if data.is_empty()
            && let Some(open) = program.open.get_mut(stream)
        {
            *open = false;
        }
        self.kernel.wake(pid);
    }

    /// Bytes of a program's output that the simulation has not consumed yet.
    #[must_use]
    pub fn program_backlog(&self, pid: Pid) -> usize {
        self.real_host.programs.get(&pid).map_or(0, |p| p.output.iter().map(VecDeque::len).sum())
    }

    /// A program has read this many bytes of its input.
    pub fn program_took(&mut self, pid: Pid, bytes: usize) {
        if let Some(program) = self.real_host.programs.get_mut(&pid) {
            program.in_flight = program.in_flight.saturating_sub(bytes);
            self.kernel.wake(pid);
        }
    }

    /// A program has ended, or could not be started.
    pub fn program_over(&mut self, pid: Pid, status: Status) {
        if let Some(program) = self.real_host.programs.get_mut(&pid) {
            program.status = Some(status);
            self.kernel.wake(pid);
        }
    }

    /// Adds a process to those of jobs and clients.
    pub(super) fn join_real_host(&mut self, pid: Pid) {
        if self.real_host.connected {
            self.real_host.members.insert(pid);
        }
    }

    /// Whether an `exec` of this process starts a real program. slurmstepd is simulated: it runs task prologs and then
    /// executes the task.
    pub(super) fn runs_on_real_host(&self, pid: Pid, exec: &Exec) -> bool {
        self.real_host.execution == Execution::Host
            && self.real_host.is_member(pid)
            && path::base_name(&exec.path) != "slurmstepd"
    }

    pub(super) fn exec_on_real_host(&mut self, pid: Pid, exec: Exec) {
        self.kernel.exec(pid, exec.argv.clone());
        let Some(process) = self.kernel.process(pid) else { return };
        let (cwd, umask, cgroup) = (process.cwd.to_string(), process.umask, process.origin.cgroup);
        for signal in Signal::ALL.iter().filter(|signal| signal.kills() && **signal != Signal::KILL) {
            self.kernel.set_disposition(pid, *signal, Disposition::Catch);
        }
        let io = [0, 1, 2].map(|fd| self.kernel.real_host_io(pid, fd));
        let job = self.slurmd.job_of(cgroup);
        let script = job.filter(|job| self.slurmd.batch_job(pid) == Some(*job));
        let script = script.and_then(|job| self.ctld.job(job)?.desc.script.clone());
        let client = self.client_of(pid);
        // Of a step's tasks, only the one with a pseudo-terminal has srun's own descriptors.
        let terminal = client.filter(|_| job.is_some() && self.kernel.is_terminal(pid, 0));
        let client = client.filter(|_| terminal.is_none());
        let inside = |fd: usize| client.is_none() && io.get(fd) == Some(&RealHostIo::Inside);
        let program = RealHostProgram {
            open: [inside(1), inside(2) && terminal.is_none()],
            input_open: inside(0),
            terminal,
            ..RealHostProgram::default()
        };
        self.real_host.programs.insert(pid, program);
        self.put_image(pid, Image::RealHost);
        self.kernel.wake(pid);
        let start = ProgramStart { pid, exec, script, job, cwd, umask, io, client, terminal };
        self.real_host.orders.push(RealHostOrder::Start(Box::new(start)));
    }

    /// The client on whose terminal a program runs: both have the same standard input.
    fn client_of(&self, pid: Pid) -> Option<Pid> {
        let mut at = self.kernel.process(pid)?.parent;
        for _ in 0..MAX_ANCESTORS {
            if let Some((client, _)) = self.real_host.clients.iter().find(|(_, c)| c.command == at) {
                return self.kernel.shares_file(pid, at, 0).then_some(*client);
            }
            at = self.kernel.process(at)?.parent;
        }
        None
    }

    /// Runs a slice of a shadow: passes on signals, output and input.
    pub(super) fn run_on_real_host(&mut self, pid: Pid) {
        let end = self.pump_program(pid);
        self.after_slice(pid, end, 1);
    }

    fn pump_program(&mut self, pid: Pid) -> SliceEnd {
        if !self.real_host.programs.contains_key(&pid) {
            return SliceEnd::Wait(Wait::Wakeup);
        }
        while let Some(signal) = self.kernel.take_signal(pid) {
            let whole = !self.real_host.alone.remove(&(pid, signal));
            self.real_host.orders.push(RealHostOrder::Signal { pid, signal, whole });
        }
        let Some(program) = self.real_host.programs.get_mut(&pid) else {
            return SliceEnd::Wait(Wait::Wakeup);
        };
        let mut waits = vec![Wait::Wakeup];
        for (output, fd) in program.output.iter_mut().zip([1, 2]) {
            while !output.is_empty() {
                match self.kernel.write(pid, fd, output.make_contiguous(), self.now) {
                    Ok(count) => {
                        output.drain(..count);
                    }
                    Err(Errno::EAGAIN) => {
                        waits.push(Wait::Writable(fd));
                        break;
                    }
                    Err(_) => output.clear(),
                }
            }
        }
        while program.input_open && program.status.is_none() && program.in_flight < MAX_INPUT {
            match self.kernel.read(pid, 0, READ_SIZE) {
                Ok(data) if !data.is_empty() => {
                    program.in_flight += data.len();
                    self.real_host.orders.push(RealHostOrder::Input(pid, data));
                }
                Err(Errno::EAGAIN) => {
                    waits.push(Wait::Readable(0));
                    break;
                }
                Ok(_) | Err(_) => {
                    program.input_open = false;
                    self.real_host.orders.push(RealHostOrder::InputEnd(pid));
                }
            }
        }
        let flushed = program.output.iter().all(VecDeque::is_empty) && program.open == [false, false];
        match program.status.filter(|_| flushed) {
            Some(status) => SliceEnd::Exit(status),
            None => SliceEnd::Wait(Wait::Any(waits)),
        }
    }

    /// A simulated process has ended.
    pub(super) fn real_host_ended(&mut self, pid: Pid, status: Status) {
        self.real_host.members.remove(&pid);
        if self.real_host.programs.remove(&pid).is_some() {
            self.real_host.alone.retain(|(of, _)| *of != pid);
            self.real_host.orders.push(RealHostOrder::Kill(pid));
        }
        for (client, state) in self.real_host.clients.iter_mut().filter(|(_, state)| state.command == pid) {
            state.status = Some(status);
            let _ = self.kernel.wait(*client, ProcessTarget::Process(pid));
        }
    }

    /// A simulated process was stopped or continued.
    pub(super) fn stop_on_real_host(&mut self, pid: Pid, stopped: bool) {
        if self.real_host.programs.contains_key(&pid) {
            let signal = if stopped { Signal::STOP } else { Signal::CONT };
            self.real_host.orders.push(RealHostOrder::Signal { pid, signal, whole: true });
        }
    }

    /// Notes that a signal is only for the batch script's own process.
    pub(super) fn note_scope(&mut self, job: JobId, signal: Signal, scope: SignalScope) {
        if scope == SignalScope::Batch {
            let scripts: Vec<Pid> = self.real_host.programs.keys().copied().collect();
            for pid in scripts.into_iter().filter(|pid| self.slurmd.batch_job(*pid) == Some(job)) {
                self.real_host.alone.insert((pid, signal));
            }
        }
    }

    /// A job has ended: kills its real processes.
    pub(super) fn sweep_real_host(&mut self, job: JobId) {
        if self.real_host.execution == Execution::Host {
            self.real_host.orders.push(RealHostOrder::Sweep(job));
        }
    }
}
