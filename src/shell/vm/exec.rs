//! Simple commands: functions, builtins, programs.

use super::find::Missing;
use super::names::{Call, ShellFunction};
use super::stack::{CallFrame, FrameKind, SimpleCommand, StackMark, TextKind};
use super::{Halt, MAX_CALLS, MAX_WORD, Pending, Res, Vm, VmAction};
use crate::builtins::{self, BuiltinResult};
use crate::expand::escape::traced;
use crate::op::RedirKind;
use crate::options::{Flag, Shopt};
use crate::vars::{VarRef, is_readonly};
use crate::{Born, ShellContext};
use host::{Errno, Exec, Wait};
use std::sync::Arc;

impl Vm {
    pub(super) fn exec(&mut self, cx: &mut ShellContext, text: &Arc<str>) -> Res<VmAction> {
        if self.begins_debug_trap(text) {
            return Ok(VmAction::Go);
        }
        let Some(mut command) = self.run.commands.pop() else {
            self.next();
            return Ok(VmAction::Go);
        };
        self.line = command.line;
        command.text = text.clone();
        let Some(name) = command.args.first().cloned() else { return self.bare(cx, &command) };
        if self.flag(Flag::Noexec) && !self.interactive {
            self.next();
            return Ok(VmAction::Go);
        }
        if let Some(function) = self.functions.get(&name).cloned() {
            self.trace_command(cx, &command);
            return self.call(cx, command, function);
        }
        if let Some(builtin) = self.builtin(&name) {
            self.trace_command(cx, &command);
            return self.run_builtin(cx, &command, builtin);
        }
        self.program(cx, command)
    }

    pub(super) fn trace_command(&mut self, cx: &mut ShellContext, command: &SimpleCommand) {
        if !self.flag(Flag::Xtrace) {
            return;
        }
        for assign in &command.assigns {
            self.trace_assignment(cx, assign);
        }
        let words: Vec<String> = command.args.iter().map(|a| traced(a)).collect();
        self.trace(cx, &words.join(" "));
    }

    /// Executes assignments and redirections without a command.
    fn bare(&mut self, cx: &mut ShellContext, command: &SimpleCommand) -> Res<VmAction> {
        self.next();
        self.last_argument.clear();
        if !command.redirs.is_empty() {
            let result = self.redirect_self(cx, &command.redirs);
            if result.is_ok() {
                self.copy_input(cx, command);
            }
            self.pop_redirections(cx);
            if let Err(message) = result {
                self.complain(&message);
                self.status = 1;
                return self.after_status(cx);
            }
        }
        for assign in &command.assigns {
            self.trace_assignment(cx, assign);
            self.assign_or_halt(cx, assign)?;
        }
        self.status = self.substituted.take().unwrap_or(0);
        self.set_pipe_status(&[self.status]);
        self.after_status(cx)
    }

    /// `$(< file)` expands to the content of the file.
    fn copy_input(&mut self, cx: &mut ShellContext, command: &SimpleCommand) {
        let alone = matches!(self.run.frames.as_slice(), [frame] if frame.code.is_simple());
        let [only] = command.redirs.as_slice() else { return };
        if !self.substitution || !alone || only.kind != RedirKind::Read || only.fd.is_some_and(|fd| fd != 0) {
            return;
        }
        while let Ok(data) = cx.kernel.read(cx.pid, 0, 65_536) {
            if data.is_empty() || self.run.out.len() > MAX_WORD {
                break;
            }
            cx.spend(data.len());
            self.run.out.extend(data);
        }
    }

    /// Applies assignments before a command; they end with its scope.
    fn temporary(&mut self, cx: &mut ShellContext, command: &SimpleCommand) -> Result<(), String> {
        for assign in &command.assigns {
            if is_readonly(self.vars.get(&assign.name)) {
                let message = format!("{}: readonly variable", assign.name);
                self.complain(&message);
                continue;
            }
            let old = if assign.append { self.vars.get(&assign.name).map(VarRef::to_var) } else { None };
            self.vars.hide(&assign.name);
            if let Some(old) = old {
                *self.vars.entry(&assign.name) = old;
            }
            self.assign(cx, assign)?;
            self.vars.entry(&assign.name).exported = true;
        }
        Ok(())
    }

    /// Applies redirections and assignments for a function or builtin; returns false if they failed and were
    /// undone.
    fn prepare(&mut self, cx: &mut ShellContext, command: &SimpleCommand, mark: StackMark) -> bool {
        let mut result = Ok(());
        if !command.redirs.is_empty() {
            result = self.redirect_self(cx, &command.redirs);
        }
        if result.is_ok() {
            result = self.temporary(cx, command);
        }
        if let Err(message) = &result {
            self.unwind(cx, mark);
            self.complain(message);
            self.status = 1;
        }
        result.is_ok()
    }

    fn call(
        &mut self,
        cx: &mut ShellContext,
        mut command: SimpleCommand,
        function: ShellFunction,
    ) -> Res<VmAction> {
        self.next();
        let own = self.var("FUNCNEST").and_then(|n| n.parse::<usize>().ok()).filter(|n| *n > 0);
        let most = own.map_or(MAX_CALLS, |n| n.min(MAX_CALLS));
        if self.calls.len() >= most || self.run.frames.len() >= MAX_CALLS {
            let name = command.args.first().cloned().unwrap_or_default();
            self.complain(&format!("{name}: maximum function nesting level exceeded ({most})"));
            return Err(Halt::Discard(1));
        }
        let mark = self.mark();
        self.vars.open();
        if !self.prepare(cx, &command, mark) {
            return self.after_status(cx);
        }
        let last = command.args.last().cloned().unwrap_or_default();
        let name = command.args.remove(0);
        self.calls.push(Call {
            name: name.into(),
            source: function.source,
            line: command.line,
            function: true,
            returned: false,
        });
        let args = std::mem::replace(&mut self.args, command.args);
        self.push_frame(CallFrame { code: function.code, pc: 0, kind: FrameKind::Call { args, last }, mark });
        if self.flag(Flag::Functrace) {
            self.enter_debug_trap();
        }
        Ok(VmAction::Go)
    }

    pub(crate) fn run_builtin(
        &mut self,
        cx: &mut ShellContext,
        command: &SimpleCommand,
        builtin: builtins::Builtin,
    ) -> Res<VmAction> {
        self.next();
        let mark = self.mark();
        if !command.assigns.is_empty() {
            self.vars.open();
        }
        if !self.prepare(cx, command, mark) {
            return self.after_status(cx);
        }
        if let Some(last) = command.args.last() {
            self.last_argument.clone_from(last);
        }
        self.run.pending_arrays.clone_from(&command.arrays);
        let outcome = builtin(self, cx, &command.args);
        self.run.pending_arrays.clear();
        match outcome? {
            BuiltinResult::Done(status) => {
                self.status = status;
                self.set_pipe_status(&[status]);
                self.run.finish = Some(mark);
            }
            BuiltinResult::Jumped => self.run.after_program = None,
            BuiltinResult::Entered => {
                let outer = self.run.after_program.take();
                if let Some(frame) = self.run.frames.last_mut() {
                    frame.mark = outer.unwrap_or(mark);
                }
            }
            BuiltinResult::Waits(waiting) => {
                self.run.pending = Pending::Builtin(Box::new(waiting));
                self.run.waiting_mark = mark;
            }
            BuiltinResult::Keep(status) => {
                self.keep_redirections(cx);
                self.status = status;
                self.run.finish = Some(mark);
            }
            BuiltinResult::Exec { args, name, env } => return self.replace(cx, args, name, env, mark),
            BuiltinResult::Program(args) => {
                // `command name`: the redirections are already applied.
                let text = command.text.clone();
                let inner = SimpleCommand { line: command.line, args, text, ..SimpleCommand::default() };
                self.jump(-1);
                self.run.after_program = Some(mark);
                return self.without_function(cx, inner);
            }
        }
        Ok(VmAction::Go)
    }

    /// Executes a command without looking up functions.
    fn without_function(&mut self, cx: &mut ShellContext, command: SimpleCommand) -> Res<VmAction> {
        let name = command.args.first().cloned().unwrap_or_default();
        match self.builtin(&name) {
            Some(builtin) => self.run_builtin(cx, &command, builtin),
            None => self.program(cx, command),
        }
    }

    /// Finishes a builtin after its output is written: undoes redirections and assignments.
    pub(super) fn finish(&mut self, cx: &mut ShellContext, mark: StackMark) -> Res<VmAction> {
        self.unwind(cx, mark);
        self.after_status(cx)
    }

    pub(super) fn continue_builtin(
        &mut self,
        cx: &mut ShellContext,
        waiting: builtins::wait::BuiltinWait,
    ) -> Res<VmAction> {
        match builtins::wait::resume(self, cx, waiting)? {
            builtins::wait::WaitResult::Done(status) => {
                self.status = status;
                self.set_pipe_status(&[status]);
                self.run.finish = Some(self.run.waiting_mark);
                if let Some(text) = self.after_builtin.take() {
                    let mark = self.run.finish.take();
                    self.push_text(&text, TextKind::Eval, self.line);
                    if let (Some(frame), Some(mark)) = (self.run.frames.last_mut(), mark) {
                        frame.mark = mark;
                    }
                }
                Ok(VmAction::Go)
            }
            builtins::wait::WaitResult::Source(text, args) => {
                let mark = self.run.waiting_mark;
                builtins::enter_source(self, &text, &args);
                if let Some(frame) = self.run.frames.last_mut() {
                    frame.mark = mark;
                }
                Ok(VmAction::Go)
            }
            builtins::wait::WaitResult::Foreground(key) => {
                self.run.pending = Pending::Job(key);
                Ok(VmAction::Go)
            }
            builtins::wait::WaitResult::Wait(waiting, wait) => {
                self.run.pending = Pending::Builtin(Box::new(waiting));
                Ok(VmAction::Wait(wait))
            }
        }
    }

    /// Executes a program in a child, or in this process if it is the last command.
    fn program(&mut self, cx: &mut ShellContext, command: SimpleCommand) -> Res<VmAction> {
        let name = command.args.first().cloned().unwrap_or_default();
        let path = match self.find_for(cx, &name, &command) {
            Ok(path) if Exec::is_too_long(&command.args, &self.environment()) => {
                let message = format!("{path}: {}", Errno::E2BIG);
                Err(Missing { message, status: 126 })
            }
            found => found,
        };
        let last = self.is_last() && command.assigns.is_empty();
        if path.is_ok() && last {
            self.next();
            self.trace_command(cx, &command);
            for redirect in &command.redirs {
                if let Err(message) = self.redirect_process(cx, cx.pid, redirect) {
                    self.complain(&message);
                    return Err(Halt::Exit(1));
                }
            }
            let path = path.unwrap_or_default();
            return self.flush_and_exec(cx, path, command.args);
        }
        match path {
            Ok(path) => self.fork_program(cx, command, path),
            Err(missing) => {
                self.trace_command(cx, &command);
                self.next();
                self.not_found(cx, &command, &missing)
            }
        }
    }

    fn flush_and_exec(&mut self, cx: &mut ShellContext, path: String, argv: Vec<String>) -> Res<VmAction> {
        let env = self.environment();
        // Write pending output (`set -x`) first; a full pipe loses it.
        let err = std::mem::take(&mut self.run.err);
        let _ = cx.kernel.write(cx.pid, 2, &err, cx.now);
        Ok(VmAction::Exec(Exec { path, argv, env }))
    }

    fn not_found(
        &mut self,
        cx: &mut ShellContext,
        command: &SimpleCommand,
        missing: &Missing,
    ) -> Res<VmAction> {
        let mark = self.mark();
        if !command.redirs.is_empty()
            && let Err(message) = self.redirect_self(cx, &command.redirs)
        {
            self.unwind(cx, mark);
            self.complain(&message);
            self.status = 1;
            return self.after_status(cx);
        }
        self.complain(&missing.message);
        self.status = missing.status;
        self.run.finish = Some(mark);
        Ok(VmAction::Go)
    }

    fn fork_program(&mut self, cx: &mut ShellContext, command: SimpleCommand, path: String) -> Res<VmAction> {
        let children = match self.fork(cx, 1) {
            Ok(Some(children)) => children,
            Ok(None) => {
                self.run.commands.push(command);
                return Ok(VmAction::Go);
            }
            Err(halt) => return Err(halt),
        };
        let Some(child) = children.first().copied() else { return Ok(VmAction::Go) };
        self.next();
        self.trace_command(cx, &command);
        let mut failed = None;
        let env = if command.assigns.is_empty() {
            self.environment()
        } else {
            let mark = self.mark();
            self.vars.open();
            failed = self.temporary(cx, &command).err();
            let env = self.environment();
            self.unwind(cx, mark);
            env
        };
        for redirect in &command.redirs {
            if failed.is_none() {
                failed = self.redirect_process(cx, child, redirect).err();
            }
        }
        if let Some(message) = failed {
            self.complain(&message);
            cx.kernel.exit(child, host::Status::Exited(1));
            let _ = cx.kernel.wait(cx.pid, host::kernel::ProcessTarget::Process(child));
            self.status = 1;
            return self.after_status(cx);
        }
        self.child_signals(cx, child, false);
        for saved in self.run.redirs.iter().flatten() {
            if let Some(kept) = saved.kept {
                let _ = cx.kernel.close(child, kept);
            }
        }
        if let Some(argument) = command.args.last() {
            self.last_argument.clone_from(argument);
        }
        let text = command.text;
        cx.born.push((child, Born::Exec(Exec { path, argv: command.args, env })));
        Ok(self.enter_job(cx, &[child], text, false))
    }

    /// `exec program`
    fn replace(
        &mut self,
        cx: &mut ShellContext,
        mut args: Vec<String>,
        shown: String,
        env: Option<host::Env>,
        mark: StackMark,
    ) -> Res<VmAction> {
        let name = args.first().cloned().unwrap_or_default();
        if let Some(first) = args.first_mut() {
            *first = shown;
        }
        match self.find_program(cx, &name) {
            Ok(path) => {
                self.keep_redirections(cx);
                let env = env.map_or_else(|| self.environment(), Arc::new);
                let (out, err) = (std::mem::take(&mut self.run.out), std::mem::take(&mut self.run.err));
                let _ = cx.kernel.write(cx.pid, 1, &out, cx.now);
                let _ = cx.kernel.write(cx.pid, 2, &err, cx.now);
                self.child_signals(cx, cx.pid, false);
                Ok(VmAction::Exec(Exec { path, argv: args, env }))
            }
            Err(missing) => {
                let mut message = missing.message.replace(": command not found", ": not found");
                if message.ends_with("Is a directory") {
                    self.complain(&message);
                    message = message.replace(": Is", ": cannot execute: Is");
                }
                self.complain(&format!("exec: {message}"));
                if self.interactive || self.shopt(Shopt::Execfail) {
                    self.status = missing.status;
                    self.run.finish = Some(mark);
                    return Ok(VmAction::Go);
                }
                Err(Halt::Exit(missing.status))
            }
        }
    }

    /// Writes pending output of builtins and messages; returns a wait if the reader is slow.
    pub(super) fn flush(&mut self, cx: &mut ShellContext) -> Option<Wait> {
        for fd in [1, 2] {
            loop {
                let data = if fd == 1 { &self.run.out } else { &self.run.err };
                if data.is_empty() {
                    break;
                }
                match cx.kernel.write(cx.pid, fd, data, cx.now) {
                    Ok(count) => {
                        // A terminal takes as long to draw the output as the shell to print it.
                        cx.spend(count.saturating_mul(8));
                        if fd == 1 {
                            self.run.out.drain(..count)
                        } else {
                            self.run.err.drain(..count)
                        };
                    }
                    Err(Errno::EAGAIN) => return Some(Wait::Writable(fd)),
                    Err(error) => {
                        if fd == 1 {
                            self.run.out.clear();
                            let name = self.last_builtin.clone();
                            self.complain(&format!("{name}: write error: {error}"));
                            self.status = 1;
                        } else {
                            self.run.err.clear();
                        }
                        break;
                    }
                }
            }
        }
        None
    }
}
