//! The simulated cluster on one event queue: slurmctld, the slurmds, the hosts and their processes.
//!
//! A world is a pure function of its site, its seed and its inputs. It never reads a clock.

mod background;
mod boot;
mod check;
mod daemon_program;
mod enrol;
mod event;
#[cfg(feature = "real-host")]
pub mod fault;
mod guard;
mod hardware;
mod image;
mod memory;
mod orders;
mod participants;
mod processes;
mod provider;
#[cfg(feature = "real-host")]
pub mod real_host;
mod scratch;
mod writer;

use base::cow::CowMap;
use base::ids::{JobId, Pid, StepId, Uid};
use base::time::Time;
use base::usage::Usage;
pub(crate) use boot::UPTIME;
use config::SiteInfo;
use event::{EventQueue, WorldEvent};
use host::tty::TtyId;
use host::{Kernel, Signal, Status, Wait};
use image::Image;
use serde::{Deserialize, Serialize};
use shell::Prompt;
use slurmctld::Slurmctld;
use slurmctld::request::{Caller, Order, Request};
use slurmd::Slurmd;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
pub use writer::{WorldTeardown, WorldWriter};

/// The whole state of a simulation. A clone is a fork, its serialised form a keyframe.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// The current virtual time.
    pub now: Time,
    /// Facts about the site that Slurm does not know.
    pub site: SiteInfo,
    /// The simulated Unix.
    pub kernel: Kernel,
    /// The controller and the database.
    pub ctld: Slurmctld,
    slurmd: Slurmd,
    images: CowMap<Pid, Image>,
    /// Processes that run a command. Some wait for a change in slurmctld.
    clients: BTreeSet<Pid>,
    /// Compiled code, shared by shells with equal scripts.
    #[serde(skip)]
    lowered: shell::Lowered,
    /// Running programs of the daemons (prologs, epilogs).
    daemon_programs: BTreeMap<Pid, daemon_program::ProgramPurpose>,
    /// Number of consecutive slices that a process used up without waiting.
    burning: BTreeMap<Pid, u32>,
    queue: EventQueue,
    /// The progress of the current event.
    #[serde(skip)]
    amid: EventProgress,
    /// Orders of slurmctld that are still to be carried out.
    #[serde(skip)]
    orders: VecDeque<Order>,
    /// Machines that their provider is shutting down: slurmd no longer reports from these.
    leaving: Vec<base::ids::NodeId>,
    /// The time and job of the last report that a node is clean. It may be in the future.
    cleaned: (Time, JobId),
    /// Processes on the login node: whether the owner was warned, and the CPU time in microseconds above which usage
    /// counts.
    guarded: BTreeMap<Pid, (bool, i64)>,
    /// Bounds that were hit and not reported yet.
    bounds: Vec<String>,
    terminals: BTreeMap<TtyId, Pid>,
    /// The login shell that exited last, and its exit code.
    last_logout: Option<(TtyId, u8)>,
    runs: Vec<CommandRun>,
    /// The seed of all random streams.
    seed: u64,
    /// Amount of background jobs, as a percentage.
    background: u32,
    /// What participants of a class have used of their shares. At the end of a world's bytes, if there are any; read by
    /// [`World::from_bytes`].
    #[serde(serialize_with = "participants::write_if_any", skip_deserializing)]
    shares: participants::Shares,
    /// Programs and clients on the machine that runs the simulation.
    #[cfg(feature = "real-host")]
    #[serde(skip)]
    real_host: real_host::RealHostState,
}

/// The result of [`World::part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventPart {
    /// No event was due; the clock was moved.
    Nothing,
    /// A part of an event was processed; more is left.
    Some,
    /// The last part of an event was processed.
    Last,
}

impl EventPart {
    /// Processes all parts of an event. False if there was none.
    pub fn all(mut next: impl FnMut() -> Self) -> bool {
        loop {
            match next() {
                Self::Nothing => return false,
                Self::Some => {}
                Self::Last => return true,
            }
        }
    }
}

/// The progress of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EventProgress {
    /// No event is in progress.
    #[default]
    Nothing,
    /// slurmctld's due timers are being processed.
    Timer,
    /// The event itself is done; orders and notices are left.
    Orders,
}

/// A command run without a terminal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CommandRun {
    pid: Pid,
    result: RunResult,
}

/// An action of a user or administrator on a world. The journal stores it as words (`session/words.rs`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A login shell of this user on a new terminal.
    Login {
        /// Login name.
        user: String,
        /// Window size.
        columns: u16,
        /// Window size.
        rows: u16,
    },
    /// The terminal is closed: hangup.
    Logout(TtyId),
    /// Bytes typed at a terminal: whole lines with their newline, or control characters.
    Type(TtyId, Vec<u8>),
    /// The window's size changed.
    Resize(TtyId, u16, u16),
    /// The editor saves a file as this user (absolute path).
    Save {
        /// Login name.
        user: String,
        /// Absolute path.
        path: String,
        /// New content.
        data: Vec<u8>,
    },
    /// slurmd on a node dies, or comes back.
    NodeUp {
        /// The node's name.
        node: String,
        /// Comes back.
        up: bool,
    },
    /// Runs a command with `bash -c` in a user's home (root: `/tmp`), without a terminal. Its output is kept,
    /// for transcripts and lessons.
    Run {
        /// Login name.
        user: String,
        /// The command line.
        command: String,
    },
    /// A user of this name is added, with a home directory (`useradd`).
    Enrol(String),
    /// Root prints a message on all terminals (`wall`).
    Announce(String),
}

/// The result of [`World::apply`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputResult {
    /// Done, without a result.
    Done,
    /// The new terminal.
    Terminal(TtyId),
    /// A `Run`'s handle, for [`World::run_result`].
    Run(u32),
    /// Why it was refused.
    Refused(String),
}

/// What a `Run` has printed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResult {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The exit code, once it has ended.
    pub exit: Option<u8>,
}

impl World {
    /// The usage of a step until now, as shown by `sstat`.
    #[must_use]
    pub fn usage(&self, step: StepId) -> Usage {
        self.slurmd.usage(&self.kernel, &self.ctld, step, self.now)
    }

    /// Applies an input now.
    pub fn apply(&mut self, input: &Input) -> InputResult {
        match input {
            Input::Login { user, columns, rows } => self.login(user, *columns, *rows),
            Input::Logout(tty) => {
                if let Some(pid) = self.terminals.remove(tty) {
                    let group = host::kernel::ProcessTarget::Group(pid);
                    let _ = self.kernel.kill(Uid(0), group, Some(Signal::HUP));
                }
                InputResult::Done
            }
            Input::Type(tty, bytes) => {
                self.kernel.tty_input(*tty, bytes);
                InputResult::Done
            }
            Input::Resize(tty, columns, rows) => {
                if let Some(tty) = self.kernel.tty_mut(*tty) {
                    tty.columns = *columns;
                    tty.rows = *rows;
                }
                InputResult::Done
            }
            Input::Save { user, path, data } => self.save(user, path, data),
            Input::NodeUp { node, up } => match self.ctld.node_by_name(node) {
                Some(id) => {
                    self.node_up(id, *up);
                    InputResult::Done
                }
                None => InputResult::Refused(format!("no node {node}")),
            },
            Input::Run { user, command } => self.start_run(user, command),
            Input::Enrol(user) => self.enrol(user),
            Input::Announce(text) => {
                self.announce(text);
                InputResult::Done
            }
        }
    }

    fn save(&mut self, user: &str, path: &str, data: &[u8]) -> InputResult {
        let Some(uid) = self.kernel.users.by_name(user).map(|u| u.uid) else {
            return InputResult::Refused(format!("no user {user}"));
        };
        match self.kernel.fs.write(uid, path, data, 0o644, self.now) {
            Ok(_) => {
                self.kernel.note_saved(path);
                InputResult::Done
            }
            Err(error) => InputResult::Refused(format!("{path}: {error}")),
        }
    }

    /// Stops or starts slurmd. The node's processes continue until slurmctld declares the node lost.
    fn node_up(&mut self, node: base::ids::NodeId, up: bool) {
        let caller = Caller { uid: Uid(0) };
        self.ctld.request(caller, Request::NodeResponding { node, up }, self.now);
        self.settle();
    }

    /// Removes all processes of a node immediately.
    fn kill_host(&mut self, node: base::ids::NodeId) {
        let name = self.ctld.node(node).conf.name.clone();
        let there: Vec<Pid> =
            self.kernel.processes().filter(|p| *p.origin.host == *name).map(|p| p.pid).collect();
        for pid in there {
            let whom = host::kernel::ProcessTarget::Process(pid);
            let _ = self.kernel.kill(Uid(0), whom, Some(Signal::KILL));
        }
    }

    /// The time of the next event; none if nothing is left to happen.
    #[must_use]
    pub fn next_event(&self) -> Option<Time> {
        if self.kernel.has_ready() {
            return Some(self.now);
        }
        let queued = self.queue.next_time();
        if queued.is_some_and(|at| at <= self.now) {
            return Some(self.now);
        }
        [queued, self.ctld.next_due(self.now)].into_iter().flatten().min().map(|t| t.max(self.now))
    }

    /// Whether nothing can happen to a job or a node before the next input: no job can start or end, no process waits for
    /// a time, no other user submits jobs, and no machine is powered up or down.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        let rests = |event: &WorldEvent| match event {
            // A timer that no longer ends a wait.
            WorldEvent::Wake { pid, ticket } => !self.kernel.rings(*pid, *ticket),
            // The provider takes back only machines that are powered up.
            WorldEvent::Provider => !self.has_machines(),
            WorldEvent::Guard(_) | WorldEvent::Opening => true,
            WorldEvent::Launch(_)
            | WorldEvent::Still(_)
            | WorldEvent::BatchDone(..)
            | WorldEvent::Kill(_)
            | WorldEvent::Epilog(..)
            | WorldEvent::Minute
            | WorldEvent::Arrival { .. }
            | WorldEvent::Power(..)
            | WorldEvent::NodeBack(_)
            | WorldEvent::Notice(_)
            | WorldEvent::Gone(_) => false,
        };
        !self.kernel.has_ready() && self.queue.iter().all(rests) && self.ctld.is_at_rest(self.now)
    }

    /// Processes the next event if it is due by `until`, otherwise moves the clock to `until`. False if no
    /// event was due.
    pub fn step(&mut self, until: Time) -> bool {
        EventPart::all(|| self.part(until))
    }

    /// Does a bounded part of the next event, for callers that must stay responsive: passes over a long queue
    /// take time. Between two parts a world can be inspected, but it takes no inputs, and its bytes or a fork
    /// would lack the rest of the event.
    pub fn part(&mut self, until: Time) -> EventPart {
        if self.amid == EventProgress::Nothing {
            let Some(at) = self.next_event().filter(|at| *at <= until) else {
                self.now = self.now.max(until);
                return EventPart::Nothing;
            };
            self.now = at;
            self.amid = EventProgress::Orders;
            if let Some(pid) = self.kernel.next_ready() {
                self.run_process(pid);
            } else if self.queue.next_time().is_some_and(|t| t <= at) {
                if let Some(event) = self.queue.pop() {
                    self.carry_out(event);
                }
            } else {
                self.amid = EventProgress::Timer;
            }
        }
        if self.amid == EventProgress::Timer {
            if self.ctld.timer_part(self.now) {
                return EventPart::Some;
            }
            self.amid = EventProgress::Orders;
        }
        if self.settle_some() {
            return EventPart::Some;
        }
        self.amid = EventProgress::Nothing;
        EventPart::Last
    }

    /// Whether an event is only partly processed.
    #[must_use]
    pub fn is_mid_event(&self) -> bool {
        self.amid != EventProgress::Nothing
    }

    /// Processes the rest of such an event.
    pub fn finish_event(&mut self) {
        while self.is_mid_event() {
            self.part(self.now);
        }
    }

    fn carry_out(&mut self, event: WorldEvent) {
        match event {
            WorldEvent::Wake { pid, ticket } => match self.images.get(pid) {
                // Sleeping scripts are the most frequent processes: no code is left to run.
                Some(Image::Sleep(until)) if *until <= self.now && self.kernel.rings(pid, ticket) => {
                    self.kernel.exit(pid, Status::Exited(0));
                }
                #[cfg(feature = "real-host")]
                Some(Image::RealHost) => self.kernel.alarm(pid, ticket),
                Some(
                    Image::Sleep(_)
                    | Image::Shell(_)
                    | Image::Command(_)
                    | Image::Model(_)
                    | Image::Python(_),
                )
                | None => {
                    self.kernel.alarm(pid, ticket);
                }
            },
            WorldEvent::Launch(job) => self.launch(job),
            WorldEvent::Still(job) => self.stop_if_suspended(job),
            WorldEvent::BatchDone(job, end) => self.report_batch(job, end),
            WorldEvent::Power(what, nodes) => self.run_switch(what, nodes),
            WorldEvent::Minute => self.background_minute(),
            WorldEvent::Arrival { kind, nth } => self.arrive(kind, nth),
            WorldEvent::Provider => self.provider_minute(),
            WorldEvent::Notice(node) => self.give_notice(node),
            WorldEvent::Gone(node) => self.take_back(node),
            WorldEvent::Opening => self.ctld.restart_usage(self.now),
            WorldEvent::Guard(pid) => self.guard(pid),
            WorldEvent::Kill(job) => self.slurmd.kill_dying(&mut self.kernel, job),
            WorldEvent::Epilog(job, node) => self.finish_node(job, node),
            WorldEvent::NodeBack(node) => {
                let caller = Caller { uid: Uid(0) };
                self.ctld.request(caller, Request::NodeResponding { node, up: true }, self.now);
            }
        }
    }

    /// The state of a terminal's shell.
    #[must_use]
    pub fn prompt(&self, tty: TtyId) -> Prompt {
        let front = self.kernel.tty(tty).and_then(|t| t.foreground);
        let shell = front.into_iter().chain(self.terminals.get(&tty).copied()).find_map(|pid| {
            match self.images.get(pid) {
                Some(Image::Shell(vm)) => Some(vm.prompt()),
                #[cfg(feature = "real-host")]
                Some(Image::RealHost) => None,
                Some(Image::Command(_) | Image::Model(_) | Image::Python(_) | Image::Sleep(_)) | None => None,
            }
        });
        match shell {
            Some(prompt) if front.is_none_or(|pid| self.images.contains(pid)) => prompt,
            Some(_) | None => Prompt::Busy,
        }
    }

    /// The shell in the foreground of a terminal and its process, for completion.
    #[must_use]
    pub fn front_shell(&self, tty: TtyId) -> Option<(Pid, &shell::Vm)> {
        let front = self.kernel.tty(tty).and_then(|t| t.foreground);
        front.into_iter().chain(self.terminals.get(&tty).copied()).find_map(|pid| {
            match self.images.get(pid) {
                Some(Image::Shell(vm)) => Some((pid, &**vm)),
                #[cfg(feature = "real-host")]
                Some(Image::RealHost) => None,
                Some(Image::Command(_) | Image::Model(_) | Image::Python(_) | Image::Sleep(_)) | None => None,
            }
        })
    }

    /// Whether a terminal's login shell is running.
    #[must_use]
    pub fn logged_in(&self, tty: TtyId) -> bool {
        self.terminals.get(&tty).is_some_and(|pid| self.kernel.alive(*pid))
    }

    /// The exit code of a terminal's login shell, if that was the last to exit.
    #[must_use]
    pub fn login_status(&self, tty: TtyId) -> Option<u8> {
        self.last_logout.filter(|(of, _)| *of == tty).map(|(_, code)| code)
    }

    /// The output of a `Run` so far.
    #[must_use]
    pub fn run_result(&self, run: u32) -> RunResult {
        let Some(entry) = self.runs.get(run as usize) else { return RunResult::default() };
        let mut result = entry.result.clone();
        let read = |path: String| self.kernel.fs.read(Uid(0), &path).map(|d| d.to_vec()).unwrap_or_default();
        result.stdout = read(run_file(run, "out"));
        result.stderr = read(run_file(run, "err"));
        result
    }

    /// Whether any process used up its last slice without waiting.
    #[must_use]
    pub fn is_burning(&self) -> bool {
        self.burning.keys().any(|pid| {
            let waiting = self.kernel.process(*pid).and_then(|process| process.waiting());
            !matches!(waiting, Some(Wait::Readable(_) | Wait::Writable(_)))
        })
    }

    /// A hash of the whole state. It is the same natively and in WebAssembly.
    #[must_use]
    pub fn hash(&self) -> u64 {
        WorldWriter::new(self, false).finish().hash
    }
}

/// The file with a `Run`'s output.
fn run_file(run: u32, kind: &str) -> String {
    format!("/var/run/sandbatch/{run}.{kind}")
}
