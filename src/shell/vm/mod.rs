//! The virtual machine: runs ops in slices. Its state is plain data: stacks are vectors, waits are values.

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

use super::builtins::wait::BuiltinWait;
use super::options::{Flag, OptionSet, Shopt};
use super::vars::Vars;
use super::{Prompt, ShellContext, ShellInput};
use base::ids::Pid;
use base::time::Time;
use base::vec_map::VecMap;
use host::{Exec, Fd, Signal, SliceEnd, Status, Wait};
use jobs::ShellJob;
use names::{Call, ShellFunction};
use serde::{Deserialize, Serialize};
use stack::{
    ArrayLiteral, Assign, CallFrame, FrameKind, Loop, SavedFd, SimpleCommand, StackMark, WordBuffer,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum depth of functions, `eval` and `source`.
pub(super) const MAX_CALLS: usize = 1000;
/// Maximum size of a word and of a substitution's output, bytes.
pub(super) const MAX_WORD: usize = 16 << 20;
/// Maximum nesting of subshells: stops fork bombs.
pub(super) const MAX_GENERATION: u32 = 100;

/// Why a command ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The shell ends.
    Exit(u8),
    /// The current line is discarded (an error in an expansion).
    Discard(u8),
}

/// The result of an operation that may end the command.
pub(super) type Res<T> = Result<T, Halt>;

/// What the machine does next.
pub(super) enum VmAction {
    Go,
    Wait(Wait),
    Exit(Status),
    Exec(Exec),
}

/// What the shell waits for before it executes the next op.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) enum Pending {
    #[default]
    None,
    /// A foreground job.
    Job(u32),
    /// The output of a command substitution.
    Substitute { fd: Fd, child: Pid, data: Vec<u8>, quoted: bool, eof: bool },
    /// A line of commands on standard input.
    Line,
    /// A waiting builtin.
    Builtin(Box<BuiltinWait>),
    /// A retry of fork.
    Fork { until: Time },
}

/// The execution state, which a copy of the shell does not inherit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ExecState {
    pub frames: Vec<CallFrame>,
    pub loops: Vec<Loop>,
    pub redirs: Vec<Vec<SavedFd>>,
    pub buffers: Vec<WordBuffer>,
    pub texts: Vec<String>,
    pub commands: Vec<SimpleCommand>,
    pub arrays: Vec<ArrayLiteral>,
    /// Items of the next loop.
    pub items: Vec<String>,
    /// Number of enclosing conditions, which suspend `set -e`.
    pub conditions: u32,
    pub pending: Pending,
    /// The mark to unwind to when the builtin's output is written.
    pub finish: Option<StackMark>,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    /// Pipe ends of process substitutions, with the frame depth at which they are closed.
    pub open_ends: Vec<(u32, Fd)>,
    /// Consecutive failed forks.
    pub attempts: u32,
    pub times: Vec<(Time, i64)>,
    /// Array arguments of the current builtin.
    pub pending_arrays: Vec<(u32, Assign)>,
    /// The mark to unwind to when the waiting builtin finishes.
    pub waiting_mark: StackMark,
    /// The mark to unwind to when the program of `command name` finishes.
    pub after_program: Option<StackMark>,
}

/// The condition of a trap.
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
    pub(super) run: ExecState,
    pub(super) vars: Vars,
    pub(super) functions: VecMap<String, ShellFunction>,
    pub(super) aliases: VecMap<String, String>,
    /// Use dash's messages; the language remains bash's.
    pub(super) dash: bool,
    pub(super) name: String,
    pub(super) args: Vec<String>,
    /// `set` has changed the arguments since a file was sourced.
    pub(super) args_set: bool,
    pub(super) source: Option<ShellInput>,
    /// Commands come from a terminal, and jobs have process groups.
    pub(super) interactive: bool,
    pub(super) login: bool,
    /// `--rcfile`, until it is read.
    pub(super) rcfile: Option<String>,
    /// Commands come from `-c`, which messages mention.
    pub(super) command_text: bool,
    pub(super) flags: OptionSet<Flag>,
    pub(super) shopts: OptionSet<Shopt>,
    pub(super) status: u8,
    /// `PIPESTATUS`
    pub(super) pipe: Vec<u8>,
    pub(super) substituted: Option<u8>,
    pub(super) line: u32,
    pub(super) shell_pid: Pid,
    pub(super) background: Option<Pid>,
    pub(super) jobs: Vec<ShellJob>,
    pub(super) next_job: u32,
    /// Exit statuses not yet collected.
    pub(super) ended: BTreeMap<Pid, u8>,
    /// Children that `wait -n` has not reported.
    pub(super) untold: Vec<Pid>,
    pub(super) traps: VecMap<Trap, String>,
    pub(super) caught: Vec<Signal>,
    /// Standard input is a pipe or redirected: background commands keep it.
    pub(super) piped: bool,
    /// A simple command in a pipeline: only the pipeline reports its failure.
    pub(super) lone_member: bool,
    /// Whether this is a command substitution.
    pub(super) substitution: bool,
    /// The parent's jobs, for `jobs` in a subshell.
    pub(super) inherited_jobs: Vec<ShellJob>,
    /// Values set by `ulimit`.
    pub(super) limits: Vec<(char, String)>,
    /// Remembered program locations.
    pub(super) remembered: remember::Remembered,
    /// Builtins disabled by `enable -n`.
    pub(super) disabled: Vec<String>,
    /// The parent's traps, which `trap` lists in a subshell until it sets one.
    pub(super) inherited_traps: VecMap<Trap, String>,
    /// The function depth at which the `RETURN` trap was set.
    pub(super) return_trap_depth: u32,
    /// The `DEBUG` trap has run for the next command.
    pub(super) debugged: bool,
    /// `BASH_COMMAND`
    pub(super) command: Arc<str>,
    pub(super) in_trap: bool,
    /// `set -e` ends the shell with this status after the `ERR` trap.
    pub(super) exit_after_trap: Option<u8>,
    pub(super) exiting: bool,
    /// The signal that ends the shell.
    pub(super) killed_by: Option<Signal>,
    /// How many times `set -x` repeats the first character of `PS4`.
    pub(super) trace_depth: u32,
    pub(super) subshell: u32,
    pub(super) generation: u32,
    pub(super) started: Option<Time>,
    pub(super) seconds: i64,
    pub(super) random: u32,
    /// Computed variables that were unset and are now ordinary.
    pub(super) unset_dynamics: Vec<String>,
    pub(super) history: Arc<Vec<String>>,
    pub(super) directories: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// Input of an incomplete command.
    pub(super) input: String,
    /// Bytes of an incomplete line.
    pub(super) partial: Vec<u8>,
    /// End of file on standard input.
    pub(super) ended_input: bool,
    pub(super) prompt: Option<String>,
    /// The last builtin, for messages about output errors.
    pub(super) last_builtin: String,
    pub(super) last_argument: String,
    pub(super) getopts: u32,
    /// Commands to run after a builtin (`mapfile -C`).
    pub(super) after_builtin: Option<String>,
    pub(super) commands_seen: u32,
}

impl Vm {
    /// Runs until it waits, exits, executes a program, or the fuel is used up.
    pub fn run(&mut self, cx: &mut ShellContext) -> SliceEnd {
        if self.started.is_none() {
            self.start(cx);
        }
        loop {
            match cx.kernel.has_signals(cx.pid) {
                None => return SliceEnd::Exit(Status::Signaled(Signal::PIPE)),
                Some(true) => self.take_signals(cx),
                Some(false) => {}
            }
            if cx.fuel == 0 {
                return SliceEnd::Again;
            }
            cx.fuel -= 1;
            match self.step(cx) {
                VmAction::Go => {}
                VmAction::Wait(wait) => {
                    self.rest();
                    return SliceEnd::Wait(wait);
                }
                VmAction::Exit(status) => return SliceEnd::Exit(status),
                VmAction::Exec(exec) => return SliceEnd::Exec(exec),
            }
        }
    }

    /// Frees memory while the shell waits.
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

    fn step(&mut self, cx: &mut ShellContext) -> VmAction {
        if let Some(wait) = self.flush(cx) {
            return VmAction::Wait(wait);
        }
        let result = match std::mem::take(&mut self.run.pending) {
            Pending::None => match self.run.finish.take() {
                Some(mark) => self.finish(cx, mark),
                None => self.advance(cx),
            },
            pending => self.resume(cx, pending),
        };
        match result {
            Ok(action) => action,
            Err(Halt::Exit(code)) => self.exit(cx, code),
            Err(Halt::Discard(code)) => self.discard(cx, code),
        }
    }

    fn resume(&mut self, cx: &mut ShellContext, pending: Pending) -> Res<VmAction> {
        match pending {
            Pending::None => Ok(VmAction::Go),
            Pending::Job(key) => self.wait_foreground(cx, key),
            Pending::Substitute { fd, child, data, quoted, eof } => {
                self.read_substitution(cx, fd, child, data, quoted, eof)
            }
            Pending::Line => self.read_line(cx),
            Pending::Builtin(waiting) => self.continue_builtin(cx, *waiting),
            Pending::Fork { until } => {
                if cx.now >= until {
                    return Ok(VmAction::Go);
                }
                self.run.pending = Pending::Fork { until };
                Ok(VmAction::Wait(Wait::Until(until)))
            }
        }
    }

    /// Executes the next op, or handles the end of a frame.
    fn advance(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        if self.run.buffers.is_empty() && self.run.commands.is_empty() {
            self.between_commands(cx);
            if self.run_caught_trap() {
                return Ok(VmAction::Go);
            }
        }
        let Some(frame) = self.run.frames.last() else { return Ok(self.exit(cx, self.status)) };
        let code = frame.code.clone();
        let depth = self.run.frames.len();
        let Some(mut op) = code.ops.get(frame.pc as usize) else { return self.end_of_frame(cx) };
        loop {
            let action = self.perform(cx, op)?;
            // Check the system only after ops that affect it or print.
            let more = matches!(action, VmAction::Go)
                && op.is_inner()
                && cx.fuel > 0
                && self.run.frames.len() == depth
                && self.run.out.is_empty()
                && self.run.err.is_empty();
            if !more {
                return Ok(action);
            }
            cx.fuel -= 1;
            let pc = self.run.frames.last().map_or(0, |frame| frame.pc);
            match code.ops.get(pc as usize) {
                Some(next) => op = next,
                None => return Ok(VmAction::Go),
            }
        }
    }

    /// Moves the program counter by `far` ops.
    pub(super) fn jump(&mut self, far: i32) {
        if let Some(frame) = self.run.frames.last_mut() {
            frame.pc = frame.pc.saturating_add_signed(far);
        }
    }

    /// The prompt that a terminal should show.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        match (&self.prompt, &self.run.pending) {
            (Some(text), Pending::Line) => Prompt::Ready(text.clone()),
            (Some(_) | None, _) => Prompt::Busy,
        }
    }

    /// The exit status of the last command (`$?`).
    #[must_use]
    pub const fn status(&self) -> u8 {
        self.status
    }

    /// Bytes of memory that its variables, arguments and waiting output take, about.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let args: usize = self.args.iter().map(String::len).sum();
        let texts = args + self.run.out.len() + self.run.err.len() + self.input.len() + self.partial.len();
        self.vars.weight().saturating_add(u64::try_from(texts).unwrap_or(u64::MAX))
    }

    /// The value of a shell variable, exported or not.
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

    /// The prefix of messages: `bash: line 3: `, or `bash: ` at a terminal.
    #[must_use]
    pub(super) fn prefix(&self) -> String {
        let name = self.error_name();
        if self.dash {
            return format!("{name}: {}: ", self.line);
        }
        if self.interactive { format!("{name}: ") } else { format!("{name}: line {}: ", self.line) }
    }

    /// Prints a message to standard error.
    pub(super) fn complain(&mut self, message: &str) {
        let message = match message.strip_suffix("command not found").filter(|_| self.dash) {
            Some(start) => &format!("{start}not found"),
            None => message,
        };
        let line = format!("{}{message}\n", self.prefix());
        self.run.err.extend(line.as_bytes());
    }

    /// Whether the current op is the last action of this process. bash cannot know this for a script file.
    pub(super) fn is_last(&self) -> bool {
        let knows = |frame: &CallFrame| self.command_text || matches!(frame.kind, FrameKind::Body);
        self.run.frames.len() == 1
            && self.run.frames.last().is_some_and(knows)
            && self.run.redirs.is_empty()
            && self.traps.values().all(String::is_empty)
            && self.run.frames.last().is_some_and(CallFrame::is_over)
            && !self.interactive
    }

    pub(super) const fn set_status(&mut self, status: u8) {
        self.status = status;
    }

    /// Continues with the next op.
    pub(super) fn next(&mut self) {
        self.jump(1);
    }
}
