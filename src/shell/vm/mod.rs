//! The machine that runs ops, in slices, as plain data: its stacks are vectors, its waits are values.

pub(super) mod assign;
pub(super) mod call;
pub(super) mod cond;
pub(super) mod exec;
pub(super) mod find;
pub(super) mod flow;
pub(super) mod input;
pub(super) mod jobs;
pub(super) mod names;
pub(super) mod ops;
pub(super) mod redirect;
pub(super) mod remember;
pub(super) mod signals;
pub(super) mod spawn;
pub(super) mod stack;
pub(super) mod start;

use super::builtins::wait::Waiting;
use super::options::{Flag, Set, Shopt};
use super::vars::Vars;
use super::{Cx, Prompt, Source};
use crate::base::dictionary::Dictionary;
use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::host::{Exec, Fd, Signal, Status, Step, Wait};
use jobs::Job;
use names::{Call, Function};
use serde::{Deserialize, Serialize};
use stack::{Array, Assign, Buffer, Command, Frame, FrameKind, Loop, Mark, Saved};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Deepest calls of functions, `eval` and `source`.
pub(super) const MAX_CALLS: usize = 1000;
/// Largest word and largest output of a substitution, bytes.
pub(super) const MAX_WORD: usize = 16 << 20;
/// Generations of subshells: what ends a fork bomb.
pub(super) const MAX_GENERATION: u32 = 100;

/// What ends a command early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The shell ends.
    Exit(u8),
    /// The current line is given up (an error in an expansion).
    Discard(u8),
}

/// Result of what may end the command.
pub(super) type Res<T> = Result<T, Halt>;

/// What the next turn of the machine does.
pub(super) enum Turn {
    Go,
    Wait(Wait),
    Exit(Status),
    Exec(Exec),
}

/// What the shell waits for before it takes the next op.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) enum Pending {
    #[default]
    None,
    /// A job in the foreground.
    Job(u32),
    /// The output of a command substitution.
    Substitute { fd: Fd, child: Pid, data: Vec<u8>, quoted: bool, eof: bool },
    /// A line of commands on standard input.
    Line,
    /// A builtin that waits.
    Builtin(Box<Waiting>),
    /// Room for a new process.
    Fork { until: Time },
}

/// Everything that belongs to what is being run, and not to a copy of the shell.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Run {
    pub frames: Vec<Frame>,
    pub loops: Vec<Loop>,
    pub redirs: Vec<Vec<Saved>>,
    pub buffers: Vec<Buffer>,
    pub texts: Vec<String>,
    pub commands: Vec<Command>,
    pub arrays: Vec<Array>,
    /// Items for the loop that is about to begin.
    pub items: Vec<String>,
    /// Conditions being evaluated: `set -e` looks away.
    pub conditions: u32,
    pub pending: Pending,
    /// A builtin ran: this is restored once its output is out.
    pub finish: Option<Mark>,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    /// Ends of process substitutions, closed after the command, and how deep it runs.
    pub open_ends: Vec<(u32, Fd)>,
    /// Failed attempts to fork in a row.
    pub attempts: u32,
    pub times: Vec<(Time, i64)>,
    /// Arrays among the arguments of the builtin that is being run.
    pub pending_arrays: Vec<(u32, Assign)>,
    /// What is restored when the waiting builtin is done.
    pub waiting_mark: Mark,
    /// What is restored when the program of `command name` is done.
    pub after_program: Option<Mark>,
}

/// What a trap belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Trap {
    Exit,
    Signal(Signal),
    Debug,
    Err,
    Return,
}

/// A running shell. Cloning it is `fork`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vm {
    pub(super) run: Run,
    pub(super) vars: Vars,
    pub(super) functions: Dictionary<String, Function>,
    pub(super) aliases: Dictionary<String, String>,
    /// It is dash, by its messages; it takes bash's language all the same.
    pub(super) dash: bool,
    pub(super) name: String,
    pub(super) args: Vec<String>,
    /// `set` has changed them since a file was sourced.
    pub(super) args_set: bool,
    pub(super) source: Option<Source>,
    /// Commands come from a terminal, jobs have groups of their own.
    pub(super) interactive: bool,
    pub(super) login: bool,
    /// `--rcfile`, until it is read.
    pub(super) rcfile: Option<String>,
    /// Commands come from `-c`: messages say so.
    pub(super) command_text: bool,
    pub(super) flags: Set<Flag>,
    pub(super) shopts: Set<Shopt>,
    pub(super) status: u8,
    /// `PIPESTATUS`
    pub(super) pipe: Vec<u8>,
    pub(super) substituted: Option<u8>,
    pub(super) line: u32,
    pub(super) shell_pid: Pid,
    pub(super) background: Option<Pid>,
    pub(super) jobs: Vec<Job>,
    pub(super) next_job: u32,
    /// Ended children that nobody asked for yet.
    pub(super) ended: BTreeMap<Pid, u8>,
    /// Those of them that `wait -n` has not told.
    pub(super) untold: Vec<Pid>,
    pub(super) traps: Dictionary<Trap, String>,
    pub(super) caught: Vec<Signal>,
    /// Standard input is a pipe or was redirected: background commands keep it.
    pub(super) piped: bool,
    /// A simple command as a member of a pipeline: its failure is nobody's but the pipeline's.
    pub(super) lone_member: bool,
    /// In a command substitution.
    pub(super) substitution: bool,
    /// Jobs of the parent, for `jobs` in a subshell.
    pub(super) inherited_jobs: Vec<Job>,
    /// What `ulimit` was told.
    pub(super) limits: Vec<(char, String)>,
    /// Where programs are.
    pub(super) remembered: remember::Remembered,
    /// Builtins that `enable -n` switched off.
    pub(super) disabled: Vec<String>,
    /// Traps of the parent, which `trap` lists in a subshell until it sets one of its own.
    pub(super) inherited_traps: Dictionary<Trap, String>,
    /// How many functions deep the trap on `RETURN` was set.
    pub(super) return_trap_depth: u32,
    /// The trap on `DEBUG` has run for the command that comes next.
    pub(super) debugged: bool,
    /// `BASH_COMMAND`
    pub(super) command: Arc<str>,
    pub(super) in_trap: bool,
    /// `set -e` ends the shell behind the trap on `ERR`.
    pub(super) exit_after_trap: Option<u8>,
    pub(super) exiting: bool,
    /// The signal that the shell dies of at the end.
    pub(super) killed_by: Option<Signal>,
    /// How often `set -x` repeats its first sign.
    pub(super) trace_depth: u32,
    pub(super) subshell: u32,
    pub(super) generation: u32,
    pub(super) started: Option<Time>,
    pub(super) seconds: i64,
    pub(super) random: u32,
    /// Variables of the shell's own that were unset and are ordinary now.
    pub(super) unset_dynamics: Vec<String>,
    pub(super) history: Arc<Vec<String>>,
    pub(super) directories: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// Typed and not yet complete.
    pub(super) input: String,
    /// Bytes of an unfinished line.
    pub(super) partial: Vec<u8>,
    /// Nothing more will come from standard input.
    pub(super) ended_input: bool,
    pub(super) prompt: Option<String>,
    /// For messages about output.
    pub(super) last_builtin: String,
    pub(super) last_argument: String,
    pub(super) getopts: u32,
    /// Commands that a builtin wants to be run behind it (`mapfile -C`).
    pub(super) after_builtin: Option<String>,
    pub(super) commands_seen: u32,
}

impl Vm {
    /// Runs until it waits, ends, execs, or its fuel is used up.
    pub fn run(&mut self, cx: &mut Cx) -> Step {
        if self.started.is_none() {
            self.start(cx);
        }
        loop {
            match cx.kernel.has_signals(cx.pid) {
                None => return Step::Exit(Status::Signaled(Signal::PIPE)),
                Some(true) => self.take_signals(cx),
                Some(false) => {}
            }
            if cx.fuel == 0 {
                return Step::Again;
            }
            cx.fuel -= 1;
            match self.turn(cx) {
                Turn::Go => {}
                Turn::Wait(wait) => {
                    self.rest();
                    return Step::Wait(wait);
                }
                Turn::Exit(status) => return Step::Exit(status),
                Turn::Exec(exec) => return Step::Exec(exec),
            }
        }
    }

    /// The shell waits: it gives back what it can.
    fn rest(&mut self) {
        self.vars.rest();
        self.run.frames.shrink_to_fit();
        self.run.loops.shrink_to_fit();
        self.run.redirs.shrink_to_fit();
        self.run.buffers.shrink_to_fit();
        self.run.texts.shrink_to_fit();
        self.run.commands.shrink_to_fit();
        self.run.arrays.shrink_to_fit();
        self.run.out.shrink_to_fit();
        self.run.err.shrink_to_fit();
        self.jobs.shrink_to_fit();
        self.untold.shrink_to_fit();
    }

    fn turn(&mut self, cx: &mut Cx) -> Turn {
        if let Some(wait) = self.flush(cx) {
            return Turn::Wait(wait);
        }
        let result = match std::mem::take(&mut self.run.pending) {
            Pending::None => match self.run.finish.take() {
                Some(mark) => self.finish(cx, mark),
                None => self.advance(cx),
            },
            pending => self.resume(cx, pending),
        };
        match result {
            Ok(turn) => turn,
            Err(Halt::Exit(code)) => self.exit(cx, code),
            Err(Halt::Discard(code)) => self.discard(cx, code),
        }
    }

    fn resume(&mut self, cx: &mut Cx, pending: Pending) -> Res<Turn> {
        match pending {
            Pending::None => Ok(Turn::Go),
            Pending::Job(key) => self.wait_foreground(cx, key),
            Pending::Substitute { fd, child, data, quoted, eof } => {
                self.read_substitution(cx, fd, child, data, quoted, eof)
            }
            Pending::Line => self.read_line(cx),
            Pending::Builtin(waiting) => self.continue_builtin(cx, *waiting),
            Pending::Fork { until } => {
                if cx.now >= until {
                    return Ok(Turn::Go);
                }
                self.run.pending = Pending::Fork { until };
                Ok(Turn::Wait(Wait::Until(until)))
            }
        }
    }

    /// Takes the next op, or what comes at the end of a frame.
    fn advance(&mut self, cx: &mut Cx) -> Res<Turn> {
        if self.run.buffers.is_empty() && self.run.commands.is_empty() {
            self.between_commands(cx);
            if self.run_caught_trap() {
                return Ok(Turn::Go);
            }
        }
        let Some(frame) = self.run.frames.last() else { return Ok(self.exit(cx, self.status)) };
        let code = frame.code.clone();
        let depth = self.run.frames.len();
        let Some(mut op) = code.ops.get(frame.pc as usize) else { return self.end_of_frame(cx) };
        loop {
            let turn = self.perform(cx, op)?;
            // Only what is done to the system, or printed, needs a look at the system.
            let more = matches!(turn, Turn::Go)
                && op.is_inner()
                && cx.fuel > 0
                && self.run.frames.len() == depth
                && self.run.out.is_empty()
                && self.run.err.is_empty();
            if !more {
                return Ok(turn);
            }
            cx.fuel -= 1;
            let pc = self.run.frames.last().map_or(0, |frame| frame.pc);
            match code.ops.get(pc as usize) {
                Some(next) => op = next,
                None => return Ok(Turn::Go),
            }
        }
    }

    /// Moves the program counter by `far` ops.
    pub(super) fn jump(&mut self, far: i32) {
        if let Some(frame) = self.run.frames.last_mut() {
            frame.pc = frame.pc.saturating_add_signed(far);
        }
    }

    /// What a terminal should show.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        match (&self.prompt, &self.run.pending) {
            (Some(text), Pending::Line) => Prompt::Ready(text.clone()),
            (Some(_) | None, _) => Prompt::Busy,
        }
    }

    /// A shell variable's value, exported or not.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name)?.scalar()
    }

    /// Whether an option of `set` is on.
    #[must_use]
    pub(super) fn flag(&self, flag: Flag) -> bool {
        self.flags.has(flag)
    }

    #[must_use]
    pub(super) fn shopt(&self, shopt: Shopt) -> bool {
        self.shopts.has(shopt)
    }

    /// How messages begin: `bash: line 3: `, or `bash: ` at a terminal.
    #[must_use]
    pub(super) fn prefix(&self) -> String {
        let name = self.error_name();
        if self.dash {
            return format!("{name}: {}: ", self.line);
        }
        if self.interactive { format!("{name}: ") } else { format!("{name}: line {}: ", self.line) }
    }

    /// A message on standard error.
    pub(super) fn complain(&mut self, message: &str) {
        let message = match message.strip_suffix("command not found").filter(|_| self.dash) {
            Some(start) => &format!("{start}not found"),
            None => message,
        };
        let line = format!("{}{message}\n", self.prefix());
        self.run.err.extend(line.as_bytes());
    }

    /// The op that was just taken is the last thing that this process will do. Of a script file bash does not know that.
    pub(super) fn is_last(&self) -> bool {
        let knows = |frame: &Frame| self.command_text || matches!(frame.kind, FrameKind::Body);
        self.run.frames.len() == 1
            && self.run.frames.last().is_some_and(knows)
            && self.run.redirs.is_empty()
            && self.traps.values().all(String::is_empty)
            && self.run.frames.last().is_some_and(Frame::is_over)
            && !self.interactive
    }

    pub(super) const fn set_status(&mut self, status: u8) {
        self.status = status;
    }

    /// A jump's op was not taken: on to the next one.
    pub(super) fn next(&mut self) {
        self.jump(1);
    }
}
