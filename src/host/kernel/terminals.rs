//! Terminals: input, output, and the signals of control characters (`termios(3)`).

use super::super::signal::Disposition;
use super::super::tty::{MAX_OUTPUT, Tty, TtyId};
use super::super::{Errno, Signal};
use super::{Kernel, ProcessTarget, WaitResource, fresh};
use base::ids::{Pid, Uid};
use std::collections::VecDeque;

/// Maximum bytes of type-ahead; more are dropped.
const MAX_INPUT: usize = 16 << 20;

impl Kernel {
    /// A new terminal.
    pub fn new_tty(&mut self) -> TtyId {
        let tty = TtyId(fresh(&mut self.next_tty, |number| self.ttys.contains_key(&TtyId(number))));
        let fresh = Tty {
            input: VecDeque::new(),
            eof: false,
            output: Vec::new(),
            foreground: None,
            columns: 80,
            rows: 24,
            keys: None,
        };
        self.ttys.insert(tty, fresh);
        tty
    }

    /// A terminal.
    #[must_use]
    pub fn tty(&self, tty: TtyId) -> Option<&Tty> {
        self.ttys.get(&tty)
    }

    /// A terminal, mutably, to set its foreground group or size.
    pub fn tty_mut(&mut self, tty: TtyId) -> Option<&mut Tty> {
        // A background process may become the next reader.
        self.changed(WaitResource::Tty(tty));
        self.ttys.get_mut(&tty)
    }

    /// Handles input: control characters act, the rest becomes readable. A program that reads single keys and ignores the signal of
    /// a control character reads that character (raw mode: editors).
    pub fn tty_input(&mut self, tty: TtyId, bytes: &[u8]) {
        for byte in bytes {
            let signal = match byte {
                3 => Some(Signal::INT),
                28 => Some(Signal::QUIT),
                26 => Some(Signal::TSTP),
                _ => None,
            };
            let reader = self.key_reader(tty);
            let is_key = |signal: &Signal| {
                reader.is_some_and(|pid| self.disposition(pid, *signal) == Disposition::Ignore)
            };
            let signal = signal.filter(|signal| !is_key(signal));
            let Some(terminal) = self.ttys.get_mut(&tty) else { return };
            if let Some(signal) = signal {
                terminal.input.clear();
                terminal.eof = false;
                if let Some(group) = terminal.foreground {
                    let group = self.signalled(group);
                    // The group may no longer exist.
                    self.kill(Uid(0), ProcessTarget::Group(group), Some(signal)).unwrap_or_default();
                }
            } else if *byte == 4 && reader.is_none() {
                terminal.eof |= terminal.input.back().is_none_or(|last| *last == b'\n');
            } else if terminal.input.len() < MAX_INPUT {
                terminal.input.push_back(*byte);
            }
        }
        self.changed(WaitResource::Tty(tty));
    }

    /// The group that a control character signals: the foreground group. If all its processes have ended and wait to be
    /// reaped, it is the group of their parent, which is about to take the terminal back: a signal must not be lost between
    /// two commands of a loop.
    fn signalled(&self, group: Pid) -> Pid {
        let mut members = self.processes.values().filter(|process| process.group == group).peekable();
        let parent = members.peek().map(|process| process.parent);
        match parent.and_then(|parent| self.living(parent).ok()) {
            Some(parent) if members.all(|process| process.status.is_some()) => parent.group,
            Some(_) | None => group,
        }
    }

    /// Prints on a terminal from elsewhere (`wall`).
    pub fn print_on(&mut self, tty: TtyId, text: &[u8]) {
        // The terminal may be gone.
        self.write_tty(tty, text).map(drop).unwrap_or_default();
    }

    /// Switches a process's terminal to single-key input until the process ends.
    pub fn take_keys(&mut self, pid: Pid) {
        let tty = self.processes.get(pid).and_then(|process| process.tty);
        if let Some(terminal) = tty.and_then(|tty| self.ttys.get_mut(&tty)) {
            terminal.keys = Some(pid);
        }
    }

    /// Lets a process read single keys again after a stop, in which another program may have read them.
    pub fn retake_keys(&mut self, pid: Pid) {
        let tty = self.processes.get(pid).and_then(|process| process.tty);
        if tty.is_some_and(|tty| self.is_in_front(pid, tty)) {
            self.take_keys(pid);
        }
    }

    /// The process that reads single keys of a terminal. While it is stopped, the terminal takes lines.
    #[must_use]
    pub fn key_reader(&self, tty: TtyId) -> Option<Pid> {
        let reader = self.ttys.get(&tty)?.keys?;
        self.living(reader).ok().filter(|process| !process.stopped()).map(|_| reader)
    }

    /// Whether a process may read its terminal's keys: its group is in the foreground.
    #[must_use]
    pub fn is_in_front(&self, pid: Pid, tty: TtyId) -> bool {
        self.ttys.get(&tty).is_some_and(|terminal| self.in_foreground(pid, tty, terminal))
    }

    /// Stops a program that reads single keys, with its group, and switches its terminal back to line input.
    pub fn suspend(&mut self, pid: Pid, tty: TtyId) {
        self.give_keys_back(pid, tty);
        if let Ok(group) = self.living(pid).map(|process| process.group) {
            // The group exists: the process is in it.
            self.kill(Uid(0), ProcessTarget::Group(group), Some(Signal::STOP)).unwrap_or_default();
        }
    }

    /// Switches the terminal back to line input when the process has ended.
    pub(super) fn give_keys_back(&mut self, pid: Pid, tty: TtyId) {
        if let Some(terminal) = self.ttys.get_mut(&tty).filter(|terminal| terminal.keys == Some(pid)) {
            terminal.keys = None;
        }
    }

    /// Takes the output since the last call.
    pub fn take_tty_output(&mut self, tty: TtyId) -> Vec<u8> {
        self.ttys.get_mut(&tty).map(|terminal| std::mem::take(&mut terminal.output)).unwrap_or_default()
    }

    /// Hangs up: sends SIGHUP and SIGCONT to all processes of the terminal. Processes that survive read end
    /// of file and can no longer print.
    pub fn hangup(&mut self, tty: TtyId) {
        self.ttys.remove(&tty);
        let of_tty = |process: &&super::Process| process.tty == Some(tty);
        let pids: Vec<Pid> = self.processes.values().filter(of_tty).map(|process| process.pid).collect();
        for pid in pids {
            self.deliver(pid, Signal::HUP);
            self.deliver(pid, Signal::CONT);
        }
        self.changed(WaitResource::Tty(tty));
    }

    /// Whether a process may read input: it is in the foreground group, or the terminal does not control it
    /// (a task whose input `srun` forwards).
    fn in_foreground(&self, pid: Pid, tty: TtyId, terminal: &Tty) -> bool {
        self.living(pid).is_ok_and(|process| {
            process.tty != Some(tty) || terminal.foreground.is_none_or(|group| group == process.group)
        })
    }

    /// Whether reading would not give `EAGAIN`.
    pub(super) fn tty_readable(&self, pid: Pid, tty: TtyId) -> bool {
        self.ttys.get(&tty).is_none_or(|terminal| {
            (terminal.eof || !terminal.input.is_empty()) && self.in_foreground(pid, tty, terminal)
        })
    }

    pub(super) fn read_tty(&mut self, pid: Pid, tty: TtyId, max: usize) -> Result<Vec<u8>, Errno> {
        if !self.tty_readable(pid, tty) {
            return Err(Errno::EAGAIN);
        }
        let Some(terminal) = self.ttys.get_mut(&tty) else { return Ok(Vec::new()) };
        if terminal.input.is_empty() {
            terminal.eof = false;
            return Ok(Vec::new());
        }
        let line = terminal.input.iter().position(|byte| *byte == b'\n');
        let end = line.map_or(terminal.input.len(), |at| at + 1).min(max);
        Ok(terminal.input.drain(..end).collect())
    }

    pub(super) fn write_tty(&mut self, tty: TtyId, data: &[u8]) -> Result<usize, Errno> {
        let terminal = self.ttys.get_mut(&tty).ok_or(Errno::EIO)?;
        terminal.output.extend_from_slice(data);
        if terminal.output.len() > MAX_OUTPUT {
            // Drops half at a time, so that endless output costs amortised linear time, and cuts at a line
            // start.
            let cut = terminal.output.len() - MAX_OUTPUT / 2;
            let line = terminal.output[cut..].iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            terminal.output.drain(..cut + line);
        }
        self.changed(WaitResource::Master(tty));
        Ok(data.len())
    }
}
