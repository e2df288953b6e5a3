//! Executes ops.

use super::names::ShellFunction;
use super::stack::{Assign, Element, Given, Redirection, SimpleCommand, WordBuffer};
use super::{Halt, Res, Vm, VmAction};
use crate::ShellContext;
use crate::op::{Op, RedirKind};
use crate::options::Flag;
use base::pad;

/// CPU time of the shell and its reaped children, microseconds: what `time` measures.
pub(super) fn used(cx: &ShellContext) -> i64 {
    cx.kernel.process(cx.pid).map_or(0, |p| p.cpu_time(cx.now) + p.children_cpu_time())
}

impl Vm {
    pub(super) fn perform(&mut self, cx: &mut ShellContext, op: &Op) -> Res<VmAction> {
        match op {
            Op::Begin(_)
            | Op::Lit { .. }
            | Op::Tilde(_)
            | Op::Param(_)
            | Op::Test { .. }
            | Op::AssignDefault(_)
            | Op::Unset(..)
            | Op::Modify(..)
            | Op::BadSubstitution(_)
            | Op::Arith(_)
            | Op::Formula(..)
            | Op::Arg(_)
            | Op::ArgParam(_)
            | Op::ArgSequence { .. }
            | Op::End
            | Op::EndArgs
            | Op::ArrayFields => self.word_op(cx, op)?,
            Op::Substitute(code, quoted) => return self.substitute(cx, code, *quoted),
            Op::ProcessSub(code, read) => return self.process_substitution(cx, code, *read),
            Op::Cmd(_)
            | Op::Assign { .. }
            | Op::ArrayBegin
            | Op::ArrayKeyed { .. }
            | Op::ArrayEnd { .. }
            | Op::Redirect { .. } => self.build_op(cx, op)?,
            Op::Exec(text) => return self.exec(cx, text),
            Op::RedirPush(far) => return self.push_redirections(cx, *far),
            Op::RedirPop => {
                self.next();
                self.pop_redirections(cx);
            }
            Op::Pipeline { members, text, line } => return self.pipeline(cx, members, text, *line),
            Op::Async(code) => return self.background(cx, code),
            Op::Subshell(code, line) => return self.subshell(cx, code, *line),
            Op::Coproc(name, code, line) => return self.coproc(cx, name, code, *line),
            Op::Jump(_)
            | Op::JumpIfFail(_)
            | Op::JumpIfOk(_)
            | Op::CondEnter
            | Op::CondExit
            | Op::Not
            | Op::Status(_)
            | Op::LoopEnter { .. }
            | Op::LoopExit
            | Op::LoopRound
            | Op::ForItems { .. }
            | Op::ForNext { .. }
            | Op::Drop
            | Op::CaseMatch(_) => self.flow_op(cx, op)?,
            Op::Select { name, done } => return self.select(cx, name, *done),
            Op::ArithCommand(line, text) => {
                self.line = *line;
                if self.begins_debug_trap(text) {
                    return Ok(VmAction::Go);
                }
                return self.arith_command(cx);
            }
            Op::FormulaCommand(line, text, formula) => {
                self.line = *line;
                if self.begins_debug_trap(text) {
                    return Ok(VmAction::Go);
                }
                return self.formula_command(cx, text, formula);
            }
            Op::Begins(text, traced) => {
                if self.begins_debug_trap(text) {
                    return Ok(VmAction::Go);
                }
                if *traced && self.flag(Flag::Xtrace) {
                    self.trace(cx, text.trim_end());
                }
                self.next();
            }
            Op::CondUnary(operator) => {
                self.cond_unary(cx, operator);
                self.next();
            }
            Op::CondBinary(operator) => {
                self.cond_binary(cx, operator)?;
                self.next();
            }
            Op::CondDone(line) => {
                self.line = *line;
                self.set_pipe_status(&[self.status]);
                self.next();
                return self.after_status(cx);
            }
            Op::Function(name, code) => {
                let old = self.functions.get(name).is_some_and(|f| f.exported);
                let function =
                    ShellFunction { code: code.clone(), source: self.defining_source(), exported: old };
                self.functions.insert(name.clone(), function);
                if old {
                    self.vars.forget_env();
                }
                self.set_status(0);
                self.next();
            }
            Op::TimeStart => {
                let cpu = used(cx);
                self.run.times.push((cx.now, cpu));
                self.next();
            }
            Op::TimeEnd(posix) => {
                self.report_time(cx, *posix);
                self.next();
            }
        }
        Ok(VmAction::Go)
    }

    fn word_op(&mut self, cx: &mut ShellContext, op: &Op) -> Res<()> {
        match op {
            Op::Begin(mode) => self.run.buffers.push(WordBuffer::new(*mode)),
            Op::Lit { text, quoted, split } => {
                cx.spend(text.len() / 4);
                if *split { self.append_split(cx, text)? } else { self.append(text, *quoted)? }
            }
            Op::Tilde(user) => {
                let text = self.tilde(cx, user);
                self.append(&text, true)?;
            }
            Op::Param(param) => self.expand_param(cx, param)?,
            Op::Test { param, colon, test, skip } => {
                if self.test_param(cx, param, *colon, *test)? {
                    self.jump(*skip);
                    return Ok(());
                }
            }
            Op::AssignDefault(param) => self.assign_default(cx, param)?,
            Op::Unset(param, colon) => return self.unset_error(param, *colon),
            Op::Modify(param, modify) => self.expand_modified(cx, param, *modify)?,
            Op::Arith(quoted) => {
                let text = self.pop_text();
                let value = self.arithmetic(cx, &text)?.to_string();
                if *quoted { self.append(&value, true)? } else { self.append_split(cx, &value)? }
            }
            Op::Formula(formula, quoted) => {
                let value = self.formula_value(cx, formula).map_err(|m| self.arithmetic_error(&m))?;
                let value = value.to_string();
                if *quoted { self.append(&value, true)? } else { self.append_split(cx, &value)? }
            }
            Op::Arg(text) => {
                cx.spend(text.len() / 4);
                if let Some(command) = self.run.commands.last_mut() {
                    command.args.push(text.to_string());
                }
            }
            Op::ArgParam(param) => self.argument(cx, param)?,
            Op::ArgSequence { first, step, count, width } => {
                cx.fuel = cx.fuel.saturating_sub(count / 16);
                let width = *width as usize;
                let numbers = (0..i64::from(*count)).map(|n| first.saturating_add(n.saturating_mul(*step)));
                if let Some(command) = self.run.commands.last_mut() {
                    command.args.extend(numbers.map(|n| pad::zeros(n, width)));
                }
            }
            Op::End => {
                let text = self.run.buffers.pop().map(|b| b.current).unwrap_or_default();
                self.run.texts.push(text);
            }
            Op::EndArgs | Op::ArrayFields => {
                let fields = self.finish_fields(cx)?;
                if matches!(op, Op::EndArgs) {
                    if let Some(command) = self.run.commands.last_mut() {
                        command.args.extend(fields);
                    }
                } else if let Some(array) = self.run.arrays.last_mut() {
                    array.extend(fields.into_iter().map(|value| Element { key: None, append: false, value }));
                }
            }
            Op::BadSubstitution(text) => {
                self.complain(&format!("{text}: bad substitution"));
                return Err(Halt::Discard(1));
            }
            other => debug_assert!(false, "not an op of words: {other:?}"),
        }
        self.next();
        Ok(())
    }

    fn build_op(&mut self, cx: &mut ShellContext, op: &Op) -> Res<()> {
        self.next();
        match op {
            Op::Cmd(line) => {
                self.line = *line;
                self.substituted = None;
                self.run.commands.push(SimpleCommand { line: *line, ..SimpleCommand::default() });
            }
            Op::Assign { name, index, append, now } => {
                let value = Given::Text(self.pop_text());
                let subscript = index.then(|| self.pop_text());
                let assign = Assign { name: name.clone(), subscript, append: *append, value };
                self.take_assignment(cx, assign, *now)?;
            }
            Op::ArrayBegin => self.run.arrays.push(Vec::new()),
            Op::ArrayKeyed { append } => {
                let value = self.pop_text();
                let key = Some(self.pop_text());
                if let Some(array) = self.run.arrays.last_mut() {
                    array.push(Element { key, append: *append, value });
                }
            }
            Op::ArrayEnd { name, append, argument, now } => {
                let value = Given::Array(self.run.arrays.pop().unwrap_or_default());
                let assign = Assign { name: name.clone(), subscript: None, append: *append, value };
                if *argument {
                    if let Some(command) = self.run.commands.last_mut() {
                        let at = u32::try_from(command.args.len()).unwrap_or(u32::MAX);
                        command.args.push(assign.name.clone());
                        command.arrays.push((at, assign));
                    }
                } else {
                    self.take_assignment(cx, assign, *now)?;
                }
            }
            Op::Redirect { fd, var, kind, word } => {
                let (kind, target) = match kind {
                    RedirKind::Here => (RedirKind::Here, self.pop_text()),
                    kind => {
                        let fields = self.finish_fields(cx)?;
                        match <[String; 1]>::try_from(fields) {
                            Ok([target]) => (*kind, target),
                            Err(_) => (RedirKind::Ambiguous, word.to_string()),
                        }
                    }
                };
                if let Some(command) = self.run.commands.last_mut() {
                    command.redirs.push(Redirection { fd: *fd, var: var.clone(), kind, target });
                }
            }
            other => debug_assert!(false, "not an op that builds: {other:?}"),
        }
        Ok(())
    }

    fn take_assignment(&mut self, cx: &mut ShellContext, assign: Assign, now: bool) -> Res<()> {
        if now {
            self.trace_assignment(cx, &assign);
            return self.assign_or_halt(cx, &assign);
        }
        if let Some(command) = self.run.commands.last_mut() {
            command.assigns.push(assign);
        }
        Ok(())
    }

    pub(crate) fn pop_text(&mut self) -> String {
        self.run.texts.pop().unwrap_or_default()
    }
}
