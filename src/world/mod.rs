//! All of it on one event queue: slurmctld, slurmd's, hosts and their processes.
//!
//! A world is a pure function of its site, its seed and the inputs it was given. Nothing in it reads a clock.

mod background;
mod boot;
mod check;
mod duty;
mod equip;
mod event;
mod guard;
mod image;
mod orders;
mod pieces;
mod processes;
mod provider;
mod scratch;
mod weight;

use crate::base::cow::CowMap;
use crate::base::ids::{JobId, Pid, StepId, Uid};
use crate::base::time::Time;
use crate::base::usage::Usage;
use crate::config::SiteInfo;
use crate::host::tty::TtyId;
use crate::host::{Kernel, Signal, Status};
use crate::shell::Prompt;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{Caller, Order, Request};
use crate::slurmd::Slurmd;
use event::{Event, Queue};
use image::Image;
pub use pieces::{Pieces, Remains};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Everything that there is. `Clone` is a fork, serialising it is a keyframe.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// The moment it has reached.
    pub now: Time,
    /// What Slurm does not know of the site.
    pub site: SiteInfo,
    /// The simulated Unix.
    pub kernel: Kernel,
    /// The controller and the database.
    pub ctld: Slurmctld,
    slurmd: Slurmd,
    images: CowMap<Pid, Image>,
    /// Processes that run a command: some wait for what slurmctld does.
    clients: BTreeSet<Pid>,
    /// Code that shells with equal scripts share.
    #[serde(skip)]
    lowered: crate::shell::Lowered,
    /// Programs that daemons run around jobs.
    duties: BTreeMap<Pid, duty::Duty>,
    /// How many slices in a row a process used up without waiting.
    burning: BTreeMap<Pid, u32>,
    queue: Queue,
    /// How far the present event was carried out ...
    #[serde(skip)]
    amid: Amid,
    /// ... and what is still to be done for slurmctld.
    #[serde(skip)]
    orders: VecDeque<Order>,
    /// Machines that their provider shuts down: what ends there is not reported any more.
    leaving: Vec<crate::base::ids::NodeId>,
    /// When and after which job a node was, or will be, reported clean last.
    cleaned: (Time, JobId),
    /// Processes of the login node whose owners were warned, and from which CPU time on theirs counts, microseconds.
    guarded: BTreeMap<Pid, (bool, i64)>,
    /// Bounds that were hit and not told yet.
    bounds: Vec<String>,
    terminals: BTreeMap<TtyId, Pid>,
    /// The login shell that ended last, and its exit code.
    last_logout: Option<(TtyId, u8)>,
    runs: Vec<Run>,
    /// Named streams of chance start from it.
    seed: u64,
    /// How much of other people's work there is, per cent.
    background: u32,
}

/// What [`World::part`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// There is no event that is due; the clock was moved.
    Nothing,
    /// Some of an event was carried out, and there is more of it.
    Some,
    /// The last of an event was carried out.
    Last,
}

impl Part {
    /// All parts of an event; false when there was none.
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

/// Where an event stands that was begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Amid {
    /// There is none.
    #[default]
    Nothing,
    /// The controller's clock is in the middle of what is due.
    Timer,
    /// What happened is there; orders and notices are left.
    Orders,
}

/// A command run without a terminal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    pid: Pid,
    result: RunResult,
}

/// What a person (or an administrator) does to a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// A command run by `bash -c` in a user's home (root: `/tmp`) without a terminal, its output kept: what
    /// transcripts and lessons use.
    Run {
        /// Login name.
        user: String,
        /// The command line.
        command: String,
    },
}

/// What [`World::apply`] gave back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Nothing to tell.
    Done,
    /// The new terminal.
    Terminal(TtyId),
    /// A `Run`'s handle, for [`World::run_result`].
    Run(u32),
    /// It cannot be done, and why.
    Refused(String),
}

/// What a `Run` printed so far.
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
    /// What a step has used until now, as `sstat` asks.
    #[must_use]
    pub fn usage(&self, step: StepId) -> Usage {
        self.slurmd.usage(&self.kernel, &self.ctld, step, self.now)
    }

    /// Takes an input at the present moment.
    pub fn apply(&mut self, input: &Input) -> Applied {
        match input {
            Input::Login { user, columns, rows } => self.login(user, *columns, *rows),
            Input::Logout(tty) => {
                if let Some(pid) = self.terminals.remove(tty) {
                    let group = crate::host::kernel::Whom::Group(pid);
                    let _ = self.kernel.kill(Uid(0), group, Some(Signal::HUP));
                }
                Applied::Done
            }
            Input::Type(tty, bytes) => {
                self.kernel.tty_input(*tty, bytes);
                Applied::Done
            }
            Input::Resize(tty, columns, rows) => {
                if let Some(tty) = self.kernel.tty_mut(*tty) {
                    tty.columns = *columns;
                    tty.rows = *rows;
                }
                Applied::Done
            }
            Input::Save { user, path, data } => self.save(user, path, data),
            Input::NodeUp { node, up } => match self.ctld.node_by_name(node) {
                Some(id) => {
                    self.node_up(id, *up);
                    Applied::Done
                }
                None => Applied::Refused(format!("no node {node}")),
            },
            Input::Run { user, command } => self.start_run(user, command),
        }
    }

    fn save(&mut self, user: &str, path: &str, data: &[u8]) -> Applied {
        let Some(uid) = self.kernel.users.by_name(user).map(|u| u.uid) else {
            return Applied::Refused(format!("no user {user}"));
        };
        match self.kernel.fs.write(uid, path, data, 0o644, self.now) {
            Ok(_) => {
                self.kernel.note_saved(path);
                Applied::Done
            }
            Err(error) => Applied::Refused(format!("{path}: {error}")),
        }
    }

    /// slurmd stops or starts; what runs on the node goes on meanwhile, until slurmctld takes the node to be lost.
    fn node_up(&mut self, node: crate::base::ids::NodeId, up: bool) {
        let caller = Caller { uid: Uid(0) };
        self.ctld.request(caller, Request::NodeResponding { node, up }, self.now);
        self.settle();
    }

    /// Every process of a node is gone, at once.
    fn kill_host(&mut self, node: crate::base::ids::NodeId) {
        let name = self.ctld.node(node).conf.name.clone();
        let there: Vec<Pid> =
            self.kernel.processes().filter(|p| *p.origin.host == *name).map(|p| p.pid).collect();
        for pid in there {
            let whom = crate::host::kernel::Whom::Process(pid);
            let _ = self.kernel.kill(Uid(0), whom, Some(Signal::KILL));
        }
    }

    /// The moment of the next event; none: nothing will ever happen by itself.
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

    /// Carries out the next event if it is due by `until`, else moves the clock to `until`. False when there was none.
    pub fn step(&mut self, until: Time) -> bool {
        Part::all(|| self.part(until))
    }

    /// The same in parts, for who must be heard of in between: passes over a long queue, and what comes of them, take their
    /// time. Between the parts of an event a world may be looked at; it takes no inputs, and bytes or a fork of it would
    /// lack the rest.
    pub fn part(&mut self, until: Time) -> Part {
        if self.amid == Amid::Nothing {
            let Some(at) = self.next_event().filter(|at| *at <= until) else {
                self.now = self.now.max(until);
                return Part::Nothing;
            };
            self.now = at;
            self.amid = Amid::Orders;
            if let Some(pid) = self.kernel.next_ready() {
                self.run_process(pid);
            } else if self.queue.next_time().is_some_and(|t| t <= at) {
                if let Some(event) = self.queue.pop() {
                    self.carry_out(event);
                }
            } else {
                self.amid = Amid::Timer;
            }
        }
        if self.amid == Amid::Timer {
            if self.ctld.timer_part(self.now) {
                return Part::Some;
            }
            self.amid = Amid::Orders;
        }
        if self.settle_some() {
            return Part::Some;
        }
        self.amid = Amid::Nothing;
        Part::Last
    }

    /// Whether an event was begun that is not carried out yet.
    #[must_use]
    pub fn is_amid(&self) -> bool {
        self.amid != Amid::Nothing
    }

    /// Carries out the rest of an event that was begun.
    pub fn finish_event(&mut self) {
        while self.is_amid() {
            self.part(self.now);
        }
    }

    fn carry_out(&mut self, event: Event) {
        match event {
            Event::Wake { pid, ticket } => match self.images.get(pid) {
                // Scripts that sleep are what there is most of: nothing is left to run.
                Some(Image::Sleep(until)) if *until <= self.now && self.kernel.rings(pid, ticket) => {
                    self.kernel.exit(pid, Status::Exited(0));
                }
                Some(Image::Sleep(_) | Image::Shell(_) | Image::Command(_) | Image::Model(_)) | None => {
                    self.kernel.alarm(pid, ticket);
                }
            },
            Event::Launch(job) => self.launch(job),
            Event::Still(job) => self.stop_if_suspended(job),
            Event::BatchDone(job, end) => self.report_batch(job, end),
            Event::Power(what, nodes) => self.run_switch(what, nodes),
            Event::Minute => self.background_minute(),
            Event::Arrival { kind, nth } => self.arrive(kind, nth),
            Event::Provider => self.provider_minute(),
            Event::Notice(node) => self.give_notice(node),
            Event::Gone(node) => self.take_back(node),
            Event::Guard(pid) => self.guard(pid),
            Event::Kill(job) => self.slurmd.kill_dying(&mut self.kernel, job),
            Event::Epilog(job, node) => self.finish_node(job, node),
            Event::NodeBack(node) => {
                let caller = Caller { uid: Uid(0) };
                self.ctld.request(caller, Request::NodeResponding { node, up: true }, self.now);
            }
        }
    }

    /// What a terminal's shell is doing.
    #[must_use]
    pub fn prompt(&self, tty: TtyId) -> Prompt {
        let front = self.kernel.tty(tty).and_then(|t| t.foreground);
        let shell = front.into_iter().chain(self.terminals.get(&tty).copied()).find_map(|pid| {
            match self.images.get(pid) {
                Some(Image::Shell(vm)) => Some(vm.prompt()),
                Some(Image::Command(_) | Image::Model(_) | Image::Sleep(_)) | None => None,
            }
        });
        match shell {
            Some(prompt) if front.is_none_or(|pid| self.images.contains(pid)) => prompt,
            Some(_) | None => Prompt::Busy,
        }
    }

    /// The shell in front of a terminal, with its process: for completion.
    #[must_use]
    pub fn front_shell(&self, tty: TtyId) -> Option<(Pid, &crate::shell::Vm)> {
        let front = self.kernel.tty(tty).and_then(|t| t.foreground);
        front.into_iter().chain(self.terminals.get(&tty).copied()).find_map(|pid| {
            match self.images.get(pid) {
                Some(Image::Shell(vm)) => Some((pid, &**vm)),
                Some(Image::Command(_) | Image::Model(_) | Image::Sleep(_)) | None => None,
            }
        })
    }

    /// Whether a terminal's login shell still lives.
    #[must_use]
    pub fn logged_in(&self, tty: TtyId) -> bool {
        self.terminals.get(&tty).is_some_and(|pid| self.kernel.alive(*pid))
    }

    /// The exit code of a terminal's login shell, if that was the last one to end.
    #[must_use]
    pub fn login_status(&self, tty: TtyId) -> Option<u8> {
        self.last_logout.filter(|(of, _)| *of == tty).map(|(_, code)| code)
    }

    /// A `Run`'s output so far.
    #[must_use]
    pub fn run_result(&self, run: u32) -> RunResult {
        let Some(entry) = self.runs.get(run as usize) else { return RunResult::default() };
        let mut result = entry.result.clone();
        let read = |path: String| self.kernel.fs.read(Uid(0), &path).map(|d| d.to_vec()).unwrap_or_default();
        result.stdout = read(run_file(run, "out"));
        result.stderr = read(run_file(run, "err"));
        result
    }

    /// Whether some process used up its last slice without waiting.
    #[must_use]
    pub fn is_burning(&self) -> bool {
        !self.burning.is_empty()
    }

    /// A hash over the whole state; equal natively and in wasm.
    #[must_use]
    pub fn hash(&self) -> u64 {
        Pieces::new(self, false).finish().hash
    }
}

/// Where a `Run`'s output is kept.
fn run_file(run: u32, kind: &str) -> String {
    format!("/var/run/sandbatch/{run}.{kind}")
}
