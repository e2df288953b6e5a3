//! Simple commands: functions, builtins, programs.

use super::find::Missing;
use super::names::{Call, Function};
use super::stack::{Command, Frame, FrameKind, Mark, TextKind};
use super::{Halt, MAX_CALLS, MAX_WORD, Pending, Res, Turn, Vm};
use crate::host::{Errno, Exec, Wait};
use crate::shell::builtins::{self, Outcome};
use crate::shell::expand::escape::traced;
use crate::shell::op::RedirKind;
use crate::shell::options::{Flag, Shopt};
use crate::shell::vars::{Seen, is_readonly};
use crate::shell::{Born, Cx};
use std::sync::Arc;

impl Vm {
    pub(super) fn exec(&mut self, cx: &mut Cx, text: &Arc<str>) -> Res<Turn> {
        if self.begins_debug_trap(text) {
            return Ok(Turn::Go);
        }
        let Some(mut command) = self.run.commands.pop() else {
            self.next();
            return Ok(Turn::Go);
        };
        self.line = command.line;
        command.text = text.clone();
        let Some(name) = command.args.first().cloned() else { return self.bare(cx, &command) };
        if self.flag(Flag::Noexec) && !self.interactive {
            self.next();
            return Ok(Turn::Go);
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

    pub(super) fn trace_command(&mut self, cx: &mut Cx, command: &Command) {
        if !self.flag(Flag::Xtrace) {
            return;
        }
        for assign in &command.assigns {
            self.trace_assignment(cx, assign);
        }
        let words: Vec<String> = command.args.iter().map(|a| traced(a)).collect();
        self.trace(cx, &words.join(" "));
    }

    /// Assignments and redirections without a command.
    fn bare(&mut self, cx: &mut Cx, command: &Command) -> Res<Turn> {
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

    /// `$(< file)` gives what the file holds.
    fn copy_input(&mut self, cx: &mut Cx, command: &Command) {
        let alone = matches!(self.run.frames.as_slice(), [frame] if frame.code.is_simple());
        let [only] = command.redirs.as_slice() else { return };
        if !self.substitution || !alone || only.kind != RedirKind::Read || only.fd.is_some_and(|fd| fd != 0) {
            return;
        }
        while let Ok(data) = cx.kernel.read(cx.pid, 0, 65_536) {
            if data.is_empty() || self.run.out.len() > MAX_WORD {
                break;
            }
            self.run.out.extend(data);
        }
    }

    /// Assignments in front of a command: gone when its scope closes.
    fn temporary(&mut self, cx: &mut Cx, command: &Command) -> Result<(), String> {
        for assign in &command.assigns {
            if is_readonly(self.vars.get(&assign.name)) {
                let message = format!("{}: readonly variable", assign.name);
                self.complain(&message);
                continue;
            }
            let old = if assign.append { self.vars.get(&assign.name).map(Seen::to_var) } else { None };
            self.vars.hide(&assign.name);
            if let Some(old) = old {
                *self.vars.entry(&assign.name) = old;
            }
            self.assign(cx, assign)?;
            self.vars.entry(&assign.name).exported = true;
        }
        Ok(())
    }

    /// Redirections and assignments for a function or builtin; false: they failed and were taken back.
    fn prepare(&mut self, cx: &mut Cx, command: &Command, mark: Mark) -> bool {
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

    fn call(&mut self, cx: &mut Cx, mut command: Command, function: Function) -> Res<Turn> {
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
        self.push_frame(Frame { code: function.code, pc: 0, kind: FrameKind::Call { args, last }, mark });
        if self.flag(Flag::Functrace) {
            self.enter_debug_trap();
        }
        Ok(Turn::Go)
    }

    pub(in crate::shell) fn run_builtin(
        &mut self,
        cx: &mut Cx,
        command: &Command,
        builtin: builtins::Builtin,
    ) -> Res<Turn> {
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
            Outcome::Done(status) => {
                self.status = status;
                self.set_pipe_status(&[status]);
                self.run.finish = Some(mark);
            }
            Outcome::Jumped => self.run.after_program = None,
            Outcome::Entered => {
                let outer = self.run.after_program.take();
                if let Some(frame) = self.run.frames.last_mut() {
                    frame.mark = outer.unwrap_or(mark);
                }
            }
            Outcome::Waits(waiting) => {
                self.run.pending = Pending::Builtin(Box::new(waiting));
                self.run.waiting_mark = mark;
            }
            Outcome::Keep(status) => {
                self.keep_redirections(cx);
                self.status = status;
                self.run.finish = Some(mark);
            }
            Outcome::Exec { args, name, env } => return self.replace(cx, args, name, env, mark),
            Outcome::Program(args) => {
                // `command name`: the redirections are there already.
                let text = command.text.clone();
                let inner = Command { line: command.line, args, text, ..Command::default() };
                self.jump(-1);
                self.run.after_program = Some(mark);
                return self.without_function(cx, inner);
            }
        }
        Ok(Turn::Go)
    }

    /// A command that is not looked up among functions.
    fn without_function(&mut self, cx: &mut Cx, command: Command) -> Res<Turn> {
        let name = command.args.first().cloned().unwrap_or_default();
        match self.builtin(&name) {
            Some(builtin) => self.run_builtin(cx, &command, builtin),
            None => self.program(cx, command),
        }
    }

    /// A builtin is done and its output is out: redirections and assignments are taken back.
    pub(super) fn finish(&mut self, cx: &mut Cx, mark: Mark) -> Res<Turn> {
        self.unwind(cx, mark);
        self.after_status(cx)
    }

    pub(super) fn continue_builtin(&mut self, cx: &mut Cx, waiting: builtins::wait::Waiting) -> Res<Turn> {
        match builtins::wait::go_on(self, cx, waiting)? {
            builtins::wait::Next::Done(status) => {
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
                Ok(Turn::Go)
            }
            builtins::wait::Next::Source(text, args) => {
                let mark = self.run.waiting_mark;
                builtins::enter_source(self, &text, &args);
                if let Some(frame) = self.run.frames.last_mut() {
                    frame.mark = mark;
                }
                Ok(Turn::Go)
            }
            builtins::wait::Next::Foreground(key) => {
                self.run.pending = Pending::Job(key);
                Ok(Turn::Go)
            }
            builtins::wait::Next::Wait(waiting, wait) => {
                self.run.pending = Pending::Builtin(Box::new(waiting));
                Ok(Turn::Wait(wait))
            }
        }
    }

    /// A program: in a child, or in place of this process if nothing else is to come.
    fn program(&mut self, cx: &mut Cx, command: Command) -> Res<Turn> {
        let name = command.args.first().cloned().unwrap_or_default();
        let path = self.find_for(cx, &name, &command);
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

    fn flush_and_exec(&mut self, cx: &mut Cx, path: String, argv: Vec<String>) -> Res<Turn> {
        let env = self.environment();
        // What is still to be printed (`set -x`) goes first; a full pipe loses it.
        let err = std::mem::take(&mut self.run.err);
        let _ = cx.kernel.write(cx.pid, 2, &err, cx.now);
        Ok(Turn::Exec(Exec { path, argv, env }))
    }

    fn not_found(&mut self, cx: &mut Cx, command: &Command, missing: &Missing) -> Res<Turn> {
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
        Ok(Turn::Go)
    }

    fn fork_program(&mut self, cx: &mut Cx, command: Command, path: String) -> Res<Turn> {
        let children = match self.fork(cx, 1) {
            Ok(Some(children)) => children,
            Ok(None) => {
                self.run.commands.push(command);
                return Ok(Turn::Go);
            }
            Err(halt) => return Err(halt),
        };
        let Some(child) = children.first().copied() else { return Ok(Turn::Go) };
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
            cx.kernel.exit(child, crate::host::Status::Exited(1));
            let _ = cx.kernel.wait(cx.pid, crate::host::kernel::Whom::Process(child));
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
        cx: &mut Cx,
        mut args: Vec<String>,
        shown: String,
        env: Option<crate::host::Env>,
        mark: Mark,
    ) -> Res<Turn> {
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
                Ok(Turn::Exec(Exec { path, argv: args, env }))
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
                    return Ok(Turn::Go);
                }
                Err(Halt::Exit(missing.status))
            }
        }
    }

    /// Writes what builtins and messages have left; a wait if the reader is slow.
    pub(super) fn flush(&mut self, cx: &mut Cx) -> Option<Wait> {
        for fd in [1, 2] {
            loop {
                let data = if fd == 1 { &self.run.out } else { &self.run.err };
                if data.is_empty() {
                    break;
                }
                match cx.kernel.write(cx.pid, fd, data, cx.now) {
                    Ok(count) => {
                        cx.fuel = cx.fuel.saturating_sub(u32::try_from(count / 1024).unwrap_or(0));
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
