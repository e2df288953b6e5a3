//! The server of a cluster: one thread owns the world; other threads read sockets and pipes and wait for processes.

mod clock;
mod connection;
mod fault;
mod files;
mod programs;
mod pseudo_terminal;
pub mod rest;
mod start;
mod turn;

pub use pseudo_terminal::{STEPD, become_task};
pub use start::{ServerOptions, serve};

use crate::directory::ClusterDir;
use crate::wire::{ControlRequest, RunRequest, ToClient, ToServer, WindowSize};
use base::ids::{JobId, Pid, Uid};
use base::time::{Span, Time};
use clock::PacedClock;
use commands::slurm::release;
use connection::{Connection, ConnectionId};
use engine::world::World;
use engine::world::real_host::{ClientStart, RealHostOrder};
use files::MachineFiles;
use host::{Signal, Status};
use programs::Programs;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// An event for the server's thread.
pub enum ServerEvent {
    /// A client has connected.
    Connected(ConnectionId, Connection),
    /// A message from a client.
    Message(ConnectionId, ToServer),
    /// A client has disconnected.
    Closed(ConnectionId),
    /// A client has read some output.
    Written,
    /// Output of a program. Empty data means that the stream was closed.
    ProgramOutput(Pid, usize, Vec<u8>),
    /// A program has read input.
    ProgramTook(Pid, usize),
    /// A program has ended.
    ProgramOver(Pid, Status),
    /// A request to slurmrestd.
    Rest(rest::RestRequest, tokio::sync::oneshot::Sender<rest::RestReply>),
    /// The server got a signal to terminate.
    Terminate,
}

/// A connected client.
struct ConnectedClient {
    connection: Connection,
    /// Its process in the simulation.
    command: Option<Pid>,
    /// The pid (in the simulation) of the program on its terminal.
    program: Option<Pid>,
    /// The pid (in the simulation) of the task with a pseudo-terminal that is used here.
    task: Option<Pid>,
    /// The size of its terminal.
    window: WindowSize,
    /// Standard input that the command has not read yet.
    input: Vec<u8>,
    asked: bool,
    input_over: bool,
    /// When the command is killed, if the client has disconnected. It was asked to terminate before.
    lost: Option<Instant>,
}

/// A client that waits for a job.
struct JobWaiter {
    client: ConnectionId,
    job: JobId,
    state: String,
    until: Instant,
}

/// A server.
pub struct Server {
    world: World,
    clock: PacedClock,
    dir: ClusterDir,
    uid: Uid,
    files: Arc<MachineFiles>,
    programs: Programs,
    clients: BTreeMap<ConnectionId, ConnectedClient>,
    /// Commands whose client has disconnected or been answered.
    waiters: Vec<JobWaiter>,
    /// Programs that have ended, and when their pipes are closed.
    closing: Vec<(Instant, Pid)>,
    events: Receiver<ServerEvent>,
    idle: Option<Duration>,
    parent: Option<u32>,
    /// The last request.
    busy_at: Instant,
    site: String,
    faults: fault::Faults,
    rest: rest::RestState,
    /// The addresses of slurmrestd.
    rest_addresses: Vec<String>,
    /// The time up to which virtual time runs ahead of the clock, and the client that waits for it.
    ahead: Option<(Time, Option<ConnectionId>)>,
    /// How far virtual time may run at the pace `max` until something happens.
    leap_end: Time,
    leap_mark: u64,
    /// Signals in transit to programs.
    signals: VecDeque<(Instant, RealHostOrder)>,
    /// The end of a pause of virtual time, during which programs can react to a signal.
    held: Option<Instant>,
    down: bool,
}

impl Server {
    fn handle(&mut self, event: ServerEvent) {
        match event {
            ServerEvent::Connected(number, connection) => {
                let client = ConnectedClient {
                    connection,
                    command: None,
                    program: None,
                    task: None,
                    window: WindowSize::default(),
                    input: Vec::new(),
                    asked: false,
                    input_over: false,
                    lost: None,
                };
                self.clients.insert(number, client);
            }
            ServerEvent::Message(number, message) => {
                self.busy_at = crate::real_now();
                self.leap_end = self.world.now + turn::MAX_LEAP;
                self.receive(number, message);
            }
            ServerEvent::Closed(number) => self.lose(number),
            ServerEvent::Written => {}
            ServerEvent::ProgramOutput(pid, stream, data) => {
                self.world.program_output(pid, stream, &data);
                self.programs.owe(pid, stream);
            }
            ServerEvent::ProgramTook(pid, bytes) => self.world.program_took(pid, bytes),
            ServerEvent::ProgramOver(pid, status) => {
                self.programs.ended(pid);
                self.held = None;
                self.closing.push((crate::real_now() + turn::CLOSE_AFTER, pid));
                self.world.program_over(pid, status);
            }
            ServerEvent::Rest(request, reply) => {
                self.busy_at = crate::real_now();
                self.leap_end = self.world.now + turn::MAX_LEAP;
                if let Some((request, reply)) = self.faults.delay_rest(request, reply) {
                    self.rest(&request, reply);
                }
            }
            ServerEvent::Terminate => self.down = true,
        }
    }

    fn receive(&mut self, number: ConnectionId, message: ToServer) {
        match message {
            ToServer::Run(request) => self.run(number, request),
            ToServer::Input(data) => {
                let Some(client) = self.clients.get_mut(&number) else { return };
                client.asked = false;
                client.input_over |= data.is_empty();
                client.input.extend(data);
            }
            ToServer::Signal(raw) => {
                if self.faults.forget(number) {
                    // It still waited for the controller.
                    self.say(number, ToClient::Exit(raw.saturating_add(128)));
                    return;
                }
                let command = self.clients.get(&number).and_then(|client| client.command);
                let signal = Signal::ALL.iter().find(|signal| signal.number() == raw);
                if let (Some(command), Some(signal)) = (command, signal) {
                    self.world.client_signal(command, *signal);
                }
            }
            ToServer::Resize(window) => {
                if let Some(client) = self.clients.get_mut(&number) {
                    client.window = window;
                    client.task.iter().for_each(|task| self.programs.resize(*task, window));
                }
            }
            ToServer::ProgramOver { code, signal } => {
                let program = self.clients.get_mut(&number).and_then(|client| client.program.take());
                let signal = Signal::ALL.iter().find(|s| s.number() == signal);
                if let Some(pid) = program {
                    self.world
                        .program_over(pid, signal.map_or(Status::Exited(code), |s| Status::Signaled(*s)));
                }
            }
            ToServer::Control(request) => self.control(number, request),
        }
    }

    fn run(&mut self, number: ConnectionId, request: RunRequest) {
        if self.clients.get(&number).is_none_or(|client| client.command.is_some()) {
            return;
        }
        if let Some(request) = self.faults.delay(number, request) {
            self.start(number, request);
        }
    }

    /// Starts a client's command.
    fn start(&mut self, number: ConnectionId, request: RunRequest) {
        if self.clients.get(&number).is_none_or(|client| client.command.is_some()) {
            return;
        }
        if let Some(why) = self.faults.refusal(&request.argv) {
            self.say(number, ToClient::Error(why.into_bytes()));
            self.say(number, ToClient::Exit(1));
            return;
        }
        if let Some((out, code)) = self.token(&request.argv) {
            self.say(number, if code == 0 { ToClient::Output(out) } else { ToClient::Error(out) });
            self.say(number, ToClient::Exit(code));
            return;
        }
        let mut env: std::collections::BTreeMap<String, String> = request.env.into_iter().collect();
        if let Some(release) = self.rest.release {
            env.insert(release::VARIABLE.to_owned(), release.name.to_owned());
        }
        let start = ClientStart {
            uid: self.uid,
            argv: request.argv,
            env,
            cwd: request.cwd,
            umask: request.umask,
            terminals: request.terminals,
        };
        match self.world.start_client(start) {
            Ok(command) => {
                if let Some(client) = self.clients.get_mut(&number) {
                    client.command = Some(command);
                    client.window = request.window;
                }
            }
            Err(errno) => {
                self.say(number, ToClient::Error(format!("sandbatch: {errno}\n").into_bytes()));
                self.say(number, ToClient::Exit(1));
            }
        }
    }

    fn say(&self, number: ConnectionId, message: ToClient) {
        if let Some(client) = self.clients.get(&number) {
            client.connection.send(message);
        }
    }

    fn answer(&mut self, number: ConnectionId, answer: Result<String, String>) {
        self.say(number, ToClient::Answer(answer));
    }

    /// Handles a disconnected client. Its command ends as after SIGTERM, and is killed a little later.
    fn lose(&mut self, number: ConnectionId) {
        self.waiters.retain(|waiter| waiter.client != number);
        let Some(client) = self.clients.get_mut(&number) else { return };
        match client.command {
            Some(command) => {
                client.lost = Some(crate::real_now() + turn::LOST_AFTER);
                client.input_over = true;
                client.input.clear();
                self.world.client_input_end(command);
                self.world.client_signal(command, Signal::TERM);
                // Its terminal has disappeared, too.
                if let Some(pid) = client.program.take() {
                    self.world.program_over(pid, Status::Signaled(Signal::HUP));
                }
                if let Some(task) = client.task.take() {
                    self.programs.signal(task, Signal::HUP, true);
                }
            }
            None => {
                self.clients.remove(&number);
            }
        }
    }

    fn control(&mut self, number: ConnectionId, request: ControlRequest) {
        match request {
            ControlRequest::Down => {
                self.answer(number, Ok(String::new()));
                self.down = true;
            }
            ControlRequest::Status => {
                let status = self.status();
                self.answer(number, Ok(status));
            }
            ControlRequest::Advance(seconds) => {
                if self.ahead.is_some() {
                    return self.answer(number, Err("time is already being advanced".to_owned()));
                }
                self.ahead = Some((self.world.now + Span::from_secs(seconds.into()), Some(number)));
            }
            ControlRequest::Pace(pace) => {
                self.clock.set_pace(pace, self.world.now);
                self.answer(number, Ok(String::new()));
            }
            ControlRequest::Wait { job, state, timeout } => {
                let until = crate::real_now() + Duration::from_secs(timeout.into());
                self.waiters.push(JobWaiter { client: number, job: JobId(job), state, until });
            }
            ControlRequest::Inject(words) => {
                let answer = self.inject(&words);
                self.answer(number, answer);
            }
        }
    }

    fn status(&self) -> String {
        let (mut running, mut pending) = (0, 0);
        for job in self.world.ctld.jobs.values() {
            match job.state {
                slurmctld::job::JobState::Running | slurmctld::job::JobState::Suspended => running += 1,
                slurmctld::job::JobState::Pending => pending += 1,
                _ => {}
            }
        }
        format!(
            "name={} site={} pid={} time={} pace={} nodes={} running={running} pending={pending}\n",
            self.dir.name(),
            self.site,
            std::process::id(),
            self.world.now.iso(),
            self.clock.text(),
            self.world.ctld.nodes.len(),
        ) + &self.rest_addresses.iter().map(|address| format!("rest={address}\n")).collect::<String>()
    }

    /// `scontrol token`: slurmctld's answer, with the key of this cluster. None for other commands, and for arguments
    /// that the command itself refuses.
    fn token(&self, argv: &[String]) -> Option<(Vec<u8>, u8)> {
        let [name, verb, words @ ..] = argv else { return None };
        if name != "scontrol" || verb != "token" {
            return None;
        }
        let (mut user, mut lifespan) = (self.world.user_name(self.uid), rest::token::LIFESPAN);
        for word in words {
            match word.split_once('=')? {
                ("username", name) => name.clone_into(&mut user),
                ("lifespan", "infinite") => lifespan = i64::from(i32::MAX),
                ("lifespan", secs) => lifespan = secs.parse().ok().filter(|secs| *secs > 0)?,
                _ => return None,
            }
        }
        if self.uid != Uid(0) && user != self.world.user_name(self.uid) {
            let why = "scontrol: error: slurm_fetch_token: error with request: Access/permission denied\n";
            return Some((why.as_bytes().to_vec(), 1));
        }
        let token = rest::token::issue(&self.rest.key, &user, crate::real_date(), lifespan)?;
        Some((format!("SLURM_JWT={token}\n").into_bytes(), 0))
    }
}
