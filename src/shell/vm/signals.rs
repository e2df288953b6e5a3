//! Signals and traps.

use super::stack::TextKind;
use super::{Pending, Trap, Vm};
use crate::host::Signal;
use crate::host::signal::Disposition;
use crate::shell::Cx;

/// What an interactive shell keeps from its default action.
pub(super) const INTERACTIVE: [Signal; 6] =
    [Signal::INT, Signal::QUIT, Signal::TERM, Signal::TSTP, Signal::TTIN, Signal::TTOU];

impl Vm {
    /// Takes caught signals from the kernel; Ctrl-C at a prompt or in a builtin gives the command up.
    pub(super) fn take_signals(&mut self, cx: &mut Cx) {
        while let Some(signal) = cx.kernel.take_signal(cx.pid) {
            if self.traps.contains_key(&Trap::Signal(signal)) {
                self.caught.push(signal);
            } else if signal == Signal::INT && self.interactive {
                self.interrupt(cx);
            } else if signal == Signal::HUP && self.interactive {
                self.hang_up(cx);
            }
        }
    }

    /// An interactive shell hangs up: its jobs are told, and it ends.
    fn hang_up(&mut self, cx: &mut Cx) {
        let groups: Vec<_> = self.jobs.iter().filter_map(|j| j.group).collect();
        for group in groups {
            let uid = cx.kernel.process(cx.pid).map(|p| p.origin.uid).unwrap_or_default();
            let _ = cx.kernel.kill(uid, crate::host::kernel::Whom::Group(group), Some(Signal::HUP));
        }
        self.die_of(Signal::HUP);
        self.run.pending = Pending::None;
        self.run.frames.clear();
    }

    fn interrupt(&mut self, cx: &mut Cx) {
        if matches!(self.run.pending, Pending::Job(_)) {
            // The job got it, too; what it does counts.
            return;
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

    /// Begins the trap of a caught signal.
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

    /// Sets, ignores or resets a trap.
    pub(in crate::shell) fn set_trap(&mut self, cx: &mut Cx, trap: Trap, text: Option<String>) {
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
        match text {
            Some(text) => self.traps.insert(trap, text),
            None => self.traps.remove(&trap),
        };
    }

    /// What an interactive shell does with signals.
    pub(super) fn interactive_signals(&self, cx: &mut Cx) {
        for signal in INTERACTIVE {
            let disposition = if signal == Signal::INT { Disposition::Catch } else { Disposition::Ignore };
            cx.kernel.set_disposition(cx.pid, signal, disposition);
        }
        cx.kernel.set_disposition(cx.pid, Signal::HUP, Disposition::Catch);
    }
}
