//! Signals and traps.

use super::jobs::ShellJob;
use super::stack::TextKind;
use super::{Pending, Trap, Vm};
use crate::ShellContext;
use crate::options::Flag;
use base::ids::Pid;
use host::Signal;
use host::signal::Disposition;
use std::sync::Arc;

/// Signals that end a shell, after its `EXIT` trap.
const ENDING: [Signal; 9] = [
    Signal::HUP,
    Signal::INT,
    Signal::ABRT,
    Signal::ALRM,
    Signal::TERM,
    Signal::XCPU,
    Signal::XFSZ,
    Signal::USR1,
    Signal::USR2,
];

/// Signals that an interactive shell catches or ignores.
pub(super) const INTERACTIVE: [Signal; 6] =
    [Signal::INT, Signal::QUIT, Signal::TERM, Signal::TSTP, Signal::TTIN, Signal::TTOU];

impl Vm {
    /// Takes caught signals from the kernel; Ctrl-C at a prompt or in a builtin aborts the command.
    pub(super) fn take_signals(&mut self, cx: &mut ShellContext) {
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            if self.traps.contains_key(&Trap::Signal(signal)) {
                self.caught.push(signal);
            } else if signal == Signal::INT && self.interactive {
                self.interrupt(cx);
            } else if signal == Signal::HUP && self.interactive {
                self.hang_up(cx);
            } else if ENDING.contains(&signal) && !self.interactive && !self.exiting {
                self.die_of(signal);
                self.exit(cx, self.status);
            }
        }
    }

    /// SIGHUP of an interactive shell: signals its jobs and ends.
    fn hang_up(&mut self, cx: &mut ShellContext) {
        let groups: Vec<_> = self.jobs.iter().filter_map(|j| j.group).collect();
        for group in groups {
            let uid = cx.kernel.process(cx.pid).map(|p| p.origin.uid).unwrap_or_default();
            let _ = cx.kernel.kill(uid, host::kernel::ProcessTarget::Group(group), Some(Signal::HUP));
        }
        self.die_of(Signal::HUP);
        self.run.pending = Pending::None;
        self.run.frames.clear();
    }

    fn interrupt(&mut self, cx: &mut ShellContext) {
        if let Pending::Job(key) = self.run.pending {
            self.reap(cx);
            let own = cx.kernel.process(cx.pid).map(|process| process.group);
            let ended = |job: &ShellJob| {
                job.key == key && job.is_done() && job.group.is_some_and(|group| Some(group) != own)
            };
            // The job also received it; its reaction decides. One that had ended before did not.
            let Some(at) = self.jobs.iter().position(ended) else { return };
            let job = self.jobs.remove(at);
            self.take_terminal(cx);
            self.job_status(&job);
        }
        if let Pending::Substitute { fd, .. } = self.run.pending {
            let _ = cx.kernel.close(cx.pid, fd);
        }
        self.input.clear();
        self.run.out.clear();
        self.run.err.push(b'\n');
        self.status = 128 + Signal::INT.number();
        self.discard(cx, 128 + Signal::INT.number());
    }

    /// Starts the trap of a caught signal.
    pub(super) fn run_caught_trap(&mut self) -> bool {
        if self.in_trap || self.caught.is_empty() {
            return false;
        }
        let signal = self.caught.remove(0);
        let Some(text) = self.traps.get(&Trap::Signal(signal)).cloned().filter(|t| !t.is_empty()) else {
            return false;
        };
        self.in_trap = true;
        let status = self.status;
        self.push_text(&text, TextKind::Trap { status }, self.line);
        true
    }

    /// Catches the signals that would end the shell if there is an `EXIT` trap.
    fn catch_ends(&self, cx: &mut ShellContext, on: bool) {
        for signal in ENDING.into_iter().filter(|s| !self.traps.contains_key(&Trap::Signal(*s))) {
            let (from, to) = (Disposition::Default, Disposition::Catch);
            let (from, to) = if on { (from, to) } else { (to, from) };
            if cx.kernel.disposition(cx.pid, signal) == from {
                cx.kernel.set_disposition(cx.pid, signal, to);
            }
        }
    }

    /// Resets in a copy of the shell the signals that its parent catches.
    pub(super) fn uncatch(&self, cx: &mut ShellContext, child: Pid) {
        let own = self.traps.keys().filter_map(|trap| match trap {
            Trap::Signal(signal) => Some(*signal),
            Trap::Exit | Trap::Debug | Trap::Err | Trap::Return => None,
        });
        for signal in own.chain(ENDING.into_iter().filter(|_| self.traps.contains_key(&Trap::Exit))) {
            if cx.kernel.disposition(child, signal) == Disposition::Catch {
                cx.kernel.set_disposition(child, signal, Disposition::Default);
            }
        }
    }

    /// Sets `$BASH_COMMAND`; returns true if the `DEBUG` trap runs before it.
    pub(super) fn begins_debug_trap(&mut self, text: &Arc<str>) -> bool {
        if self.in_trap {
            return false;
        }
        self.command = text.clone();
        if self.traps.is_empty() || std::mem::take(&mut self.debugged) {
            return false;
        }
        self.debugged = self.enter_debug_trap();
        self.debugged
    }

    /// Enters the `DEBUG` trap, if it applies here.
    pub(super) fn enter_debug_trap(&mut self) -> bool {
        if self.in_trap || self.in_function() && !self.flag(Flag::Functrace) {
            return false;
        }
        let Some(text) = self.traps.get(&Trap::Debug).cloned().filter(|t| !t.is_empty()) else {
            return false;
        };
        self.in_trap = true;
        self.push_text(&text, TextKind::Trap { status: self.status }, self.line);
        true
    }

    /// Handles the end of a function or sourced file; returns true if the `RETURN` trap runs first, after
    /// which `$?` is `status`.
    pub(super) fn begins_return_trap(&mut self, status: u8) -> bool {
        if self.in_trap || self.traps.is_empty() {
            return false;
        }
        let Some(text) = self.traps.get(&Trap::Return).cloned().filter(|t| !t.is_empty()) else {
            return false;
        };
        let traced = self.flag(Flag::Functrace);
        let here = self.calls.len() == self.return_trap_depth as usize;
        let Some(call) = self.calls.last_mut() else { return false };
        if call.returned || call.function && !traced && !here {
            return false;
        }
        call.returned = true;
        self.in_trap = true;
        self.push_text(&text, TextKind::Trap { status }, self.line);
        true
    }

    /// Sets, ignores or resets a trap.
    pub(crate) fn set_trap(&mut self, cx: &mut ShellContext, trap: Trap, text: Option<String>) {
        if let Trap::Signal(signal) = trap {
            let kept = self.interactive && INTERACTIVE.contains(&signal);
            let disposition = match &text {
                Some(text) if text.is_empty() => Disposition::Ignore,
                Some(_) => Disposition::Catch,
                None if kept && signal == Signal::INT => Disposition::Catch,
                None if kept => Disposition::Ignore,
                None => Disposition::Default,
            };
            cx.kernel.set_disposition(cx.pid, signal, disposition);
        }
        let exit = trap == Trap::Exit && !self.interactive;
        if trap == Trap::Return {
            self.return_trap_depth = u32::try_from(self.calls.len()).unwrap_or(0);
        }
        self.inherited_traps.clear();
        let set = text.is_some();
        match text {
            Some(text) => self.traps.insert(trap, text),
            None => self.traps.remove(&trap),
        };
        if exit || !set && self.traps.contains_key(&Trap::Exit) {
            self.catch_ends(cx, set || !exit);
        }
    }

    /// Sets the signal dispositions of an interactive shell.
    pub(super) fn interactive_signals(&self, cx: &mut ShellContext) {
        for signal in INTERACTIVE {
            let disposition = if signal == Signal::INT { Disposition::Catch } else { Disposition::Ignore };
            cx.kernel.set_disposition(cx.pid, signal, disposition);
        }
        cx.kernel.set_disposition(cx.pid, Signal::HUP, Disposition::Catch);
    }
}
