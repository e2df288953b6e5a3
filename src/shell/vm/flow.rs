//! Control flow: jumps, loops, `case`, unwinding and the ends of frames.

use super::stack::{CallFrame, FrameKind, Loop, StackMark, TextKind};
use super::{Halt, Res, Vm, VmAction};
use crate::ShellContext;
use crate::op::Op;
use crate::options::{Flag, Shopt};
use crate::pattern::Pattern;
use crate::vars::{VarRef, VarValue};
use host::{Signal, Status};

fn height<T>(stack: &[T]) -> u32 {
    u32::try_from(stack.len()).unwrap_or(u32::MAX)
}

impl Vm {
    /// The current heights of the stacks.
    pub(crate) fn mark(&self) -> StackMark {
        StackMark {
            loops: height(&self.run.loops),
            redirs: height(&self.run.redirs),
            buffers: height(&self.run.buffers),
            texts: height(&self.run.texts),
            commands: height(&self.run.commands),
            arrays: height(&self.run.arrays),
            scopes: u32::try_from(self.vars.depth()).unwrap_or(u32::MAX),
            calls: height(&self.calls),
            conditions: self.run.conditions,
        }
    }

    /// Unwinds the stacks to a mark: undoes redirections and closes local scopes.
    pub(crate) fn unwind(&mut self, cx: &mut ShellContext, mark: StackMark) {
        while self.run.redirs.len() > mark.redirs as usize {
            self.pop_redirections(cx);
        }
        self.run.loops.truncate(mark.loops as usize);
        self.run.buffers.truncate(mark.buffers as usize);
        self.run.texts.truncate(mark.texts as usize);
        self.run.commands.truncate(mark.commands as usize);
        self.run.arrays.truncate(mark.arrays as usize);
        if mark.scopes != u32::MAX {
            self.vars.close(mark.scopes as usize);
            if let Some(flags) = self.vars.options_back() {
                self.flags = flags;
            }
        }
        self.calls.truncate(mark.calls as usize);
        self.run.conditions = mark.conditions;
    }

    pub(super) fn flow_op(&mut self, cx: &mut ShellContext, op: &Op) -> Res<()> {
        match op {
            Op::Jump(far) => {
                self.jump(*far);
                return Ok(());
            }
            Op::JumpIfFail(far) if self.status != 0 => {
                self.jump(*far);
                return Ok(());
            }
            Op::JumpIfOk(far) if self.status == 0 => {
                self.jump(*far);
                return Ok(());
            }
            Op::JumpIfFail(_) | Op::JumpIfOk(_) => {}
            Op::CondEnter => self.run.conditions += 1,
            Op::CondExit => self.run.conditions = self.run.conditions.saturating_sub(1),
            Op::Not => self.set_status(u8::from(self.status == 0)),
            Op::Status(status) => self.set_status(*status),
            Op::LoopEnter { brk, cont } => {
                let pc = self.run.frames.last().map_or(0, |f| f.pc);
                let entry = Loop {
                    frames: height(&self.run.frames),
                    brk: pc.saturating_add_signed(*brk),
                    cont: pc.saturating_add_signed(*cont),
                    mark: self.mark(),
                    items: std::mem::take(&mut self.run.items),
                    next: 0,
                    shown: false,
                    status: 0,
                };
                self.run.loops.push(entry);
            }
            Op::LoopExit => {
                if let Some(ended) = self.run.loops.pop() {
                    self.status = ended.status;
                }
            }
            Op::LoopRound => {
                let status = self.status;
                if let Some(entry) = self.run.loops.last_mut() {
                    entry.status = status;
                }
            }
            Op::ForItems { explicit } => {
                let command = self.run.commands.pop().unwrap_or_default();
                self.line = command.line;
                self.run.items = if *explicit { command.args } else { self.args.clone() };
            }
            Op::ForNext { name, done, text } => {
                let more = self.run.loops.last().is_some_and(|l| (l.next as usize) < l.items.len());
                if more && self.begins_debug_trap(text) {
                    return Ok(());
                }
                return self.for_next(cx, (name, text), *done);
            }
            Op::Drop => {
                self.pop_text();
            }
            Op::CaseMatch(far) => {
                let pattern = self.pop_text();
                let fold = self.shopt(Shopt::Nocasematch);
                let pattern = Pattern::new(&pattern, self.shopt(Shopt::Extglob), fold);
                let hit = self.run.texts.last().is_some_and(|subject| pattern.matches(subject));
                if !hit {
                    self.jump(*far);
                    return Ok(());
                }
            }
            other => debug_assert!(false, "not an op of flow: {other:?}"),
        }
        self.next();
        Ok(())
    }

    fn for_next(&mut self, cx: &mut ShellContext, (name, text): (&str, &str), done: i32) -> Res<()> {
        let item = self.run.loops.last_mut().and_then(|l| {
            l.next = l.next.saturating_add(1);
            l.items.get(l.next as usize - 1).cloned()
        });
        match item {
            Some(value) => {
                if self.flag(Flag::Xtrace) {
                    self.trace(cx, text);
                }
                let valid = crate::lower::name_prefix(name) == name;
                let reference = self.vars.raw(name).and_then(VarRef::own).is_some_and(|var| var.reference);
                let set = match valid {
                    // A loop over a reference binds it to one variable after the other.
                    true if reference => {
                        self.vars.raw_entry(name).value = VarValue::Text(value);
                        Ok(())
                    }
                    true => self.set_element(cx, name, None, value, false),
                    false => Err(format!("`{name}': not a valid identifier")),
                };
                if let Err(message) = set {
                    self.complain(&message);
                    if let Some(entry) = self.run.loops.last_mut() {
                        entry.status = 1;
                    }
                    self.jump(done);
                    return Ok(());
                }
                self.next();
            }
            None => self.jump(done),
        }
        Ok(())
    }

    /// `break` and `continue`.
    pub(crate) fn leave_loops(&mut self, cx: &mut ShellContext, levels: u32, again: bool) {
        let floor = self.loop_floor();
        let open = height(&self.run.loops).saturating_sub(floor);
        if open == 0 || levels == 0 {
            return;
        }
        let index = (height(&self.run.loops) - levels.min(open)) as usize;
        let Some(target) = self.run.loops.drain(index..).next() else { return };
        while self.run.frames.len() > target.frames as usize {
            self.leave_frame(cx);
        }
        self.unwind(cx, target.mark);
        if let Some(frame) = self.run.frames.last_mut() {
            frame.pc = if again { target.cont } else { target.brk };
        }
        if again {
            self.run.loops.push(target);
        }
    }

    /// Loops below this height belong to the caller of the current function.
    pub(crate) fn loop_floor(&self) -> u32 {
        self.run
            .frames
            .iter()
            .rev()
            .find(|f| matches!(f.kind, FrameKind::Call { .. }))
            .map_or(0, |f| f.mark.loops)
    }

    /// Handles the end of the innermost frame's ops.
    pub(super) fn end_of_frame(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        match self.run.frames.last().map(|f| &f.kind) {
            Some(FrameKind::Text(_)) => self.next_command(cx),
            Some(FrameKind::Call { .. }) => {
                if self.begins_return_trap(self.status) {
                    return Ok(VmAction::Go);
                }
                self.leave_frame(cx);
                self.after_status(cx)
            }
            Some(FrameKind::LastMember { key }) => {
                let key = *key;
                self.end_last_member(cx, key)
            }
            Some(FrameKind::Body) | None => Ok(self.exit(cx, self.status)),
        }
    }

    /// Pops the innermost frame.
    pub(crate) fn leave_frame(&mut self, cx: &mut ShellContext) {
        let Some(frame) = self.run.frames.pop() else { return };
        self.unwind(cx, frame.mark);
        match frame.kind {
            FrameKind::Call { args, last } => {
                self.args = args;
                self.last_argument = last;
                if self.return_trap_depth > frame.mark.calls {
                    self.return_trap_depth = 0;
                }
            }
            FrameKind::Text(text) => match text.what {
                // Arguments set by `set --` in the file stay, but not in a function.
                TextKind::Source { args: Some(args) } if !self.args_set || self.in_function() => {
                    self.args = args;
                }
                TextKind::Trap { status } => {
                    self.in_trap = false;
                    self.status = status;
                }
                TextKind::Main
                | TextKind::Stdin
                | TextKind::Eval
                | TextKind::Source { .. }
                | TextKind::Startup
                | TextKind::Exit { .. } => {}
            },
            FrameKind::Body | FrameKind::LastMember { .. } => {}
        }
    }

    /// `return`: ends the innermost function or sourced file; returns false if there is none.
    pub(crate) fn return_from(&mut self, cx: &mut ShellContext, status: u8) -> bool {
        let found = self.run.frames.iter().rposition(|f| match &f.kind {
            FrameKind::Call { .. } => true,
            FrameKind::Text(t) => matches!(t.what, TextKind::Source { .. } | TextKind::Startup),
            FrameKind::Body | FrameKind::LastMember { .. } => false,
        });
        let Some(found) = found else { return false };
        while self.run.frames.len() > found + 1 {
            self.leave_frame(cx);
        }
        let Some(frame) = self.run.frames.last_mut() else { return false };
        frame.pc = u32::try_from(frame.code.ops.len()).unwrap_or(u32::MAX);
        if let FrameKind::Text(text) = &mut frame.kind {
            text.pos = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
        }
        let inner = StackMark { scopes: u32::MAX, calls: u32::MAX, ..frame.mark };
        self.unwind(cx, inner);
        if !self.begins_return_trap(status) {
            self.status = status;
        }
        true
    }

    /// Handles a command's status: `ERR` trap, `set -e`.
    pub(crate) fn after_status(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        if let Some(mark) = self.run.after_program.take() {
            self.unwind(cx, mark);
        }
        if self.status == 0 || self.run.conditions > 0 {
            return Ok(VmAction::Go);
        }
        let leave = self.flag(Flag::Errexit);
        if !self.in_trap && !self.lone_member {
            let inherits = !self.in_function() || self.flag(Flag::Errtrace);
            if let Some(text) = self.traps.get(&super::Trap::Err).cloned().filter(|_| inherits) {
                let status = self.status;
                self.in_trap = true;
                self.exit_after_trap = leave.then_some(status);
                self.push_text(&text, TextKind::Trap { status }, self.line);
                return Ok(VmAction::Go);
            }
        }
        if leave { Err(Halt::Exit(self.status)) } else { Ok(VmAction::Go) }
    }

    /// Discards the command after an error: continues with the next one of the innermost text, or ends.
    pub(super) fn discard(&mut self, cx: &mut ShellContext, code: u8) -> VmAction {
        self.status = code;
        self.run.pending = super::Pending::None;
        self.run.finish = None;
        self.debugged = false;
        let main = self.run.frames.first().is_some_and(|f| matches!(f.kind, FrameKind::Text(_)));
        if !main || self.exiting {
            return self.exit(cx, code);
        }
        while self.run.frames.len() > 1
            && (self.interactive
                || !self.run.frames.last().is_some_and(|f| matches!(f.kind, FrameKind::Text(_))))
        {
            self.leave_frame(cx);
        }
        let Some(frame) = self.run.frames.last_mut() else { return VmAction::Go };
        frame.pc = u32::try_from(frame.code.ops.len()).unwrap_or(u32::MAX);
        let kept = frame.keeps_scope();
        let mark = frame.mark;
        self.unwind(cx, if kept { StackMark { scopes: u32::MAX, calls: u32::MAX, ..mark } } else { mark });
        VmAction::Go
    }

    /// The effect of errors for which bash discards a whole `-c` text, but only the line of a script.
    pub(crate) fn give_up(&self) -> Halt {
        if self.command_text && !self.interactive { Halt::Exit(1) } else { Halt::Discard(1) }
    }

    /// Ends the shell: runs the `EXIT` trap, then writes pending output.
    pub(super) fn exit(&mut self, cx: &mut ShellContext, code: u8) -> VmAction {
        if !self.exiting {
            self.exiting = true;
            self.status = code;
            self.run.pending = super::Pending::None;
            self.run.finish = None;
            self.unwind(cx, StackMark::default());
            self.run.frames.clear();
            if let Some(text) = self.traps.remove(&super::Trap::Exit).filter(|t| !t.is_empty()) {
                self.in_trap = false;
                self.push_text(&text, TextKind::Exit { status: code }, 1);
                return VmAction::Go;
            }
        } else {
            self.status = code;
        }
        self.run.frames.clear();
        if self.run.out.is_empty() && self.run.err.is_empty() {
            return VmAction::Exit(self.killed_by.map_or(Status::Exited(self.status), Status::Signaled));
        }
        VmAction::Go
    }

    /// Pushes a frame.
    pub(super) fn push_frame(&mut self, frame: CallFrame) {
        self.run.frames.push(frame);
    }

    /// Ends the shell by this signal after its `EXIT` trap.
    pub(super) fn die_of(&mut self, signal: Signal) {
        self.killed_by = Some(signal);
    }
}
