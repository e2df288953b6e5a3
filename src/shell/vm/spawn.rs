//! Creates processes: pipelines, subshells, background jobs, substitutions.

use super::jobs::ShellJob;
use super::stack::{Assign, CallFrame, Element, FrameKind, Given, StackMark};
use super::{ExecState, Halt, MAX_GENERATION, Pending, Res, Trap, Vm, VmAction};
use crate::op::{Bytecode, Op};
use crate::options::{Flag, Shopt};
use crate::{Born, ShellContext};
use base::ids::Pid;
use base::time::Span;
use host::kernel::{MAX_PROCESSES, OpenFlags};
use host::signal::Disposition;
use host::{Errno, Fd, Signal, Wait};
use std::sync::Arc;

/// Maximum attempts to fork, with exponential back-off.
const ATTEMPTS: u32 = 4;
/// The first descriptor for pipe ends of `<(...)` and `coproc`.
const ENDS: Fd = 60;
/// Maximum bytes per read from a substitution.
const CHUNK: usize = 65_536;

impl Vm {
    /// Forks `count` children; `None` if the op must be retried (or the shell gave up).
    pub(super) fn fork(&mut self, cx: &mut ShellContext, count: usize) -> Res<Option<Vec<Pid>>> {
        if !self.has_memory_for(cx, count) {
            self.run.attempts = 0;
            self.complain(&format!("fork: {}", Errno::ENOMEM));
            return Err(if self.interactive { Halt::Discard(254) } else { Halt::Exit(254) });
        }
        let mut children = Vec::new();
        while children.len() < count && self.generation < MAX_GENERATION {
            let Ok(child) = cx.kernel.fork(cx.pid, cx.now) else { break };
            children.push(child);
        }
        if children.len() == count {
            self.run.attempts = 0;
            return Ok(Some(children));
        }
        for child in children {
            cx.kernel.exit(child, host::Status::Exited(254));
            // Its exit is not reported.
            let _ = cx.kernel.wait(cx.pid, host::kernel::ProcessTarget::Process(child));
        }
        if self.run.attempts >= ATTEMPTS || self.generation >= MAX_GENERATION {
            self.run.attempts = 0;
            self.complain("fork: Resource temporarily unavailable");
            return Err(if self.interactive { Halt::Discard(254) } else { Halt::Exit(254) });
        }
        self.complain("fork: retry: Resource temporarily unavailable");
        let until = cx.now + Span::from_secs(1 << self.run.attempts);
        self.run.attempts += 1;
        self.run.pending = Pending::Fork { until };
        Ok(None)
    }

    /// Whether memory permits this many more copies of this shell. Each of the user's other processes counts as
    /// much as this one, because every process of a fork bomb holds the variables of the first one.
    fn has_memory_for(&self, cx: &ShellContext, count: usize) -> bool {
        let args: usize = self.args.iter().map(String::len).sum();
        let own = self.vars.weight().saturating_add(u64::try_from(args).unwrap_or(u64::MAX));
        let all = u64::from(MAX_PROCESSES).saturating_mul(own);
        let most = cx.kernel.memory_bounds.user;
        if all <= most {
            return true;
        }
        let uid = cx.kernel.process(cx.pid).map(|process| process.origin.uid);
        let others = cx.kernel.processes().filter(|process| Some(process.origin.uid) == uid).count();
        let all = u64::try_from(others.saturating_add(count)).unwrap_or(u64::MAX).saturating_mul(own);
        all <= most
    }

    /// A copy of the shell that runs `code` as the process `child`.
    pub(super) fn copy(&mut self, cx: &mut ShellContext, child: Pid, code: &Arc<Bytecode>) -> Box<Self> {
        let run = std::mem::take(&mut self.run);
        let jobs = std::mem::take(&mut self.jobs);
        let mut vm = Box::new(self.clone());
        for saved in run.redirs.iter().flatten() {
            if let Some(kept) = saved.kept {
                let _ = cx.kernel.close(child, kept);
            }
        }
        let mark = StackMark {
            conditions: run.conditions,
            scopes: u32::try_from(vm.vars.depth()).unwrap_or(0),
            calls: u32::try_from(vm.calls.len()).unwrap_or(0),
            ..StackMark::default()
        };
        vm.run = ExecState {
            frames: vec![CallFrame { code: code.clone(), pc: 0, kind: FrameKind::Body, mark }],
            conditions: run.conditions,
            ..ExecState::default()
        };
        (self.run, self.jobs) = (run, jobs);
        vm.interactive = false;
        vm.prompt = None;
        vm.subshell += 1;
        vm.generation += 1;
        vm.exiting = false;
        vm.in_trap = false;
        vm.input.clear();
        vm.caught.clear();
        vm.ended.clear();
        vm.untold.clear();
        vm.random ^= child.0.wrapping_mul(0x9e37_79b9);
        self.uncatch(cx, child);
        if vm.inherited_traps.is_empty() {
            vm.inherited_traps = self.traps.clone();
        }
        if !self.jobs.is_empty() {
            vm.inherited_jobs = self.jobs.iter().filter(|j| j.id.is_some()).cloned().collect();
        }
        vm.lone_member = false;
        let (errors, functions) = (self.flag(Flag::Errtrace), self.flag(Flag::Functrace));
        vm.traps.retain(|trap, text| match trap {
            Trap::Err => errors,
            Trap::Debug | Trap::Return => functions,
            Trap::Exit => false,
            Trap::Signal(_) => text.is_empty(),
        });
        vm
    }

    /// Restores in a child the signal dispositions that the shell inherited.
    pub(super) fn child_signals(&self, cx: &mut ShellContext, child: Pid, background: bool) {
        if self.interactive {
            for signal in super::signals::INTERACTIVE {
                if !self.traps.get(&Trap::Signal(signal)).is_some_and(String::is_empty) {
                    cx.kernel.set_disposition(child, signal, Disposition::Default);
                }
            }
        } else if background {
            cx.kernel.set_disposition(child, Signal::INT, Disposition::Ignore);
            cx.kernel.set_disposition(child, Signal::QUIT, Disposition::Ignore);
        }
    }

    /// Puts the processes of a job into a process group and, in the foreground, gives it the terminal.
    pub(super) fn group(&self, cx: &mut ShellContext, pids: &[Pid], foreground: bool) -> Option<Pid> {
        if !self.interactive {
            return None;
        }
        let leader = *pids.first()?;
        pids.iter().for_each(|pid| cx.kernel.set_group(*pid, leader));
        if foreground {
            self.give_terminal(cx, leader);
        }
        Some(leader)
    }

    /// Makes a process group the terminal's foreground.
    pub(crate) fn give_terminal(&self, cx: &mut ShellContext, group: Pid) {
        let tty = cx.kernel.process(cx.pid).and_then(|p| p.tty);
        if let Some(tty) = tty.and_then(|t| cx.kernel.tty_mut(t)) {
            tty.foreground = Some(group);
        }
    }

    /// Registers a job and, in the foreground, waits for it.
    pub(super) fn enter_job(
        &mut self,
        cx: &mut ShellContext,
        pids: &[Pid],
        text: Arc<str>,
        background: bool,
    ) -> VmAction {
        let group = self.group(cx, pids, !background);
        self.jobs.retain(|job| !job.reported);
        let key = self.next_job;
        self.next_job += 1;
        let id = background.then(|| self.free_job_number());
        self.jobs.push(ShellJob {
            key,
            id,
            pids: pids.iter().map(|p| (*p, None)).collect(),
            group,
            text,
            line: self.line,
            stopped: false,
            tail: None,
            reported: false,
        });
        if !background {
            self.run.pending = Pending::Job(key);
            return VmAction::Go;
        }
        self.background = pids.last().copied();
        self.status = 0;
        if let (Some(id), Some(pid), true) = (id, self.background, self.interactive) {
            self.run.err.extend(format!("[{id}] {pid}\n").as_bytes());
        }
        VmAction::Go
    }

    pub(super) fn pipeline(
        &mut self,
        cx: &mut ShellContext,
        members: &[Arc<Bytecode>],
        text: &str,
        line: u32,
    ) -> Res<VmAction> {
        self.line = line;
        if self.shopt(Shopt::Lastpipe) && !self.interactive {
            return self.pipeline_here(cx, members, text);
        }
        let Some((pids, _)) = self.spawn_members(cx, members, false, false)? else { return Ok(VmAction::Go) };
        self.next();
        Ok(self.enter_job(cx, &pids, text.into(), false))
    }

    /// Starts the members of a pipeline; with `open`, the shell can read the output of the last one.
    fn spawn_members(
        &mut self,
        cx: &mut ShellContext,
        members: &[Arc<Bytecode>],
        background: bool,
        open: bool,
    ) -> Res<Option<(Vec<Pid>, Option<Fd>)>> {
        let Some(pids) = self.fork(cx, members.len())? else { return Ok(None) };
        let mut input: Option<Fd> = None;
        for (i, (pid, code)) in pids.iter().zip(members).enumerate() {
            let output = if i + 1 < members.len() || open { self.pipe_for(cx, *pid) } else { None };
            let piped = input.is_some();
            if let Some(fd) = input.take() {
                let _ = cx.kernel.give_fd(cx.pid, fd, *pid, 0);
                let _ = cx.kernel.close(cx.pid, fd);
            } else if background && i == 0 {
                self.no_input(cx, *pid);
            }
            input = output;
            let mut vm = self.copy(cx, *pid, code);
            vm.piped |= piped;
            vm.lone_member = (members.len() > 1 || open) && code.is_simple();
            self.child_signals(cx, *pid, background);
            cx.born.push((*pid, Born::Shell(vm)));
        }
        Ok(Some((pids, input)))
    }

    /// `shopt -s lastpipe`: the last member runs in the shell itself.
    fn pipeline_here(
        &mut self,
        cx: &mut ShellContext,
        members: &[Arc<Bytecode>],
        text: &str,
    ) -> Res<VmAction> {
        let Some((last, others)) = members.split_last() else { return Ok(VmAction::Go) };
        let Some((pids, input)) = self.spawn_members(cx, others, false, true)? else {
            return Ok(VmAction::Go);
        };
        self.next();
        self.enter_job(cx, &pids, text.into(), false);
        let key = self.next_job - 1;
        self.run.pending = Pending::None;
        let mark = self.mark();
        self.run.redirs.push(Vec::new());
        self.save(cx, 0);
        if let Some(fd) = input {
            let _ = cx.kernel.dup2(cx.pid, fd, 0);
            let _ = cx.kernel.close(cx.pid, fd);
        }
        self.push_frame(CallFrame { code: last.clone(), pc: 0, kind: FrameKind::LastMember { key }, mark });
        Ok(VmAction::Go)
    }

    /// The last member has ended: waits for the others.
    pub(super) fn end_last_member(&mut self, cx: &mut ShellContext, key: u32) -> Res<VmAction> {
        let status = self.status;
        self.leave_frame(cx);
        if let Some(job) = self.jobs.iter_mut().find(|j| j.key == key) {
            job.tail = Some(status);
        }
        self.run.pending = Pending::Job(key);
        Ok(VmAction::Go)
    }

    /// Creates a pipe for the child's output; returns the read end, kept by the shell.
    fn pipe_for(&mut self, cx: &mut ShellContext, child: Pid) -> Option<Fd> {
        match cx.kernel.pipe(cx.pid) {
            Ok((read, write)) => {
                let _ = cx.kernel.give_fd(cx.pid, write, child, 1);
                let _ = cx.kernel.close(cx.pid, write);
                Some(read)
            }
            Err(error) => {
                self.complain(&format!("pipe error: {error}"));
                None
            }
        }
    }

    /// Without job control, redirects a background command's input from /dev/null.
    fn no_input(&self, cx: &mut ShellContext, child: Pid) {
        let given = self.run.redirs.iter().flatten().any(|saved| saved.fd == 0);
        if self.interactive || self.piped || given {
            return;
        }
        let null =
            cx.kernel.open(child, "/dev/null", OpenFlags { read: true, ..OpenFlags::default() }, 0, cx.now);
        if let Ok(fd) = null
            && fd != 0
        {
            let _ = cx.kernel.dup2(child, fd, 0);
            let _ = cx.kernel.close(child, fd);
        }
    }

    pub(super) fn background(&mut self, cx: &mut ShellContext, code: &Arc<Bytecode>) -> Res<VmAction> {
        let members = match code.ops.as_slice() {
            [Op::Pipeline { members, .. }] => members.clone(),
            _ => vec![code.clone()],
        };
        let Some((pids, _)) = self.spawn_members(cx, &members, true, false)? else { return Ok(VmAction::Go) };
        self.next();
        Ok(self.enter_job(cx, &pids, code.text.as_str().into(), true))
    }

    pub(super) fn subshell(
        &mut self,
        cx: &mut ShellContext,
        code: &Arc<Bytecode>,
        line: u32,
    ) -> Res<VmAction> {
        self.line = line;
        if !self.in_trap {
            self.command = code.text.as_str().into();
        }
        let Some((pids, _)) = self.spawn_members(cx, std::slice::from_ref(code), false, false)? else {
            return Ok(VmAction::Go);
        };
        self.next();
        Ok(self.enter_job(cx, &pids, code.text.as_str().into(), false))
    }

    pub(super) fn substitute(
        &mut self,
        cx: &mut ShellContext,
        code: &Arc<Bytecode>,
        quoted: bool,
    ) -> Res<VmAction> {
        let Some(pids) = self.fork(cx, 1)? else { return Ok(VmAction::Go) };
        let Some(child) = pids.first().copied() else { return Ok(VmAction::Go) };
        self.next();
        let fd = self.pipe_for(cx, child);
        let mut vm = self.copy(cx, child, code);
        vm.trace_depth += 1;
        vm.substitution = true;
        if !self.shopt(Shopt::InheritErrexit) {
            vm.flags.switch(Flag::Errexit, false);
        }
        self.child_signals(cx, child, false);
        cx.born.push((child, Born::Shell(vm)));
        match fd {
            Some(fd) => {
                cx.kernel.set_cloexec(cx.pid, fd, true);
                self.run.pending = Pending::Substitute { fd, child, data: Vec::new(), quoted, eof: false };
            }
            None => self.substituted = Some(1),
        }
        Ok(VmAction::Go)
    }

    pub(super) fn read_substitution(
        &mut self,
        cx: &mut ShellContext,
        fd: Fd,
        child: Pid,
        mut data: Vec<u8>,
        quoted: bool,
        mut eof: bool,
    ) -> Res<VmAction> {
        while !eof {
            match cx.kernel.read(cx.pid, fd, CHUNK) {
                Ok(piece) if piece.is_empty() => eof = true,
                Ok(piece) => {
                    data.extend(piece);
                    cx.fuel = cx.fuel.saturating_sub(8);
                    if data.len() > super::MAX_WORD {
                        let _ = cx.kernel.close(cx.pid, fd);
                        return Err(self.discard_with("command substitution: output too large"));
                    }
                }
                Err(host::Errno::EAGAIN) => {
                    self.run.pending = Pending::Substitute { fd, child, data, quoted, eof };
                    return Ok(VmAction::Wait(Wait::Readable(fd)));
                }
                Err(_) => eof = true,
            }
            if eof {
                let _ = cx.kernel.close(cx.pid, fd);
            }
        }
        self.reap(cx);
        let Some(status) = self.take_ended(child) else {
            let waiting = cx.kernel.process(child).is_some();
            if waiting {
                self.run.pending = Pending::Substitute { fd, child, data, quoted, eof };
                return Ok(VmAction::Wait(Wait::Child));
            }
            return Ok(VmAction::Go);
        };
        self.substituted = Some(status);
        self.status = status;
        let mut text =
            String::from_utf8(data).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
        if text.contains('\0') {
            self.complain("warning: command substitution: ignored null byte in input");
            text.retain(|c| c != '\0');
        }
        let text = text.trim_end_matches('\n');
        if quoted {
            self.append(text, true)?
        } else {
            self.append_split(cx, text)?
        }
        Ok(VmAction::Go)
    }

    /// `coproc`: a background command between two pipes, whose ends the shell stores in an array.
    pub(super) fn coproc(
        &mut self,
        cx: &mut ShellContext,
        name: &str,
        code: &Arc<Bytecode>,
        line: u32,
    ) -> Res<VmAction> {
        self.line = line;
        let Some(pids) = self.fork(cx, 1)? else { return Ok(VmAction::Go) };
        let Some(child) = pids.first().copied() else { return Ok(VmAction::Go) };
        self.next();
        let output = self.pipe_for(cx, child);
        let input = cx.kernel.pipe(cx.pid).ok().map(|(read, write)| {
            let _ = cx.kernel.give_fd(cx.pid, read, child, 0);
            let _ = cx.kernel.close(cx.pid, read);
            write
        });
        let mut elements = Vec::new();
        for fd in [output, input].into_iter().flatten() {
            let kept = cx.kernel.dup_from(cx.pid, fd, ENDS).unwrap_or(fd);
            if kept != fd {
                let _ = cx.kernel.close(cx.pid, fd);
            }
            cx.kernel.set_cloexec(cx.pid, kept, true);
            elements.push(Element { key: None, append: false, value: kept.to_string() });
        }
        let value = Given::Array(elements);
        let ends = Assign { name: name.to_owned(), subscript: None, append: false, value };
        let set = self.assign(cx, &ends);
        let set =
            set.and_then(|()| self.set_element(cx, &format!("{name}_PID"), None, child.to_string(), false));
        let mut vm = self.copy(cx, child, code);
        vm.piped = true;
        self.child_signals(cx, child, true);
        cx.born.push((child, Born::Shell(vm)));
        if let Err(message) = set {
            self.complain(&message);
        }
        Ok(self.enter_job(cx, &pids, code.text.as_str().into(), true))
    }

    /// `<(...)`: the other end of the pipe stays open under `/dev/fd` until the command ends.
    pub(super) fn process_substitution(
        &mut self,
        cx: &mut ShellContext,
        code: &Arc<Bytecode>,
        read: bool,
    ) -> Res<VmAction> {
        let Some(pids) = self.fork(cx, 1)? else { return Ok(VmAction::Go) };
        let Some(child) = pids.first().copied() else { return Ok(VmAction::Go) };
        self.next();
        let Ok((reading, writing)) = cx.kernel.pipe(cx.pid) else { return Ok(VmAction::Go) };
        let (theirs, ours, to) = if read { (writing, reading, 1) } else { (reading, writing, 0) };
        let _ = cx.kernel.give_fd(cx.pid, theirs, child, to);
        let _ = cx.kernel.close(cx.pid, theirs);
        let kept = cx.kernel.dup_from(cx.pid, ours, ENDS).unwrap_or(ours);
        if kept != ours {
            let _ = cx.kernel.close(cx.pid, ours);
        }
        let vm = self.copy(cx, child, code);
        self.child_signals(cx, child, true);
        cx.born.push((child, Born::Shell(vm)));
        self.run.open_ends.push((u32::try_from(self.run.frames.len()).unwrap_or(0), kept));
        self.background = Some(child);
        self.append(&format!("/dev/fd/{kept}"), true)?;
        Ok(VmAction::Go)
    }
}
