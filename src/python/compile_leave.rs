//! Compiles exits from loops and protected blocks: `break`, `continue` and `return`; `yield` and `await`.

use super::ast::{PyExpr, PyStmt, SourceSpan, StmtKind};
use super::code::{Constant, PyOp};
use super::compile::{CompileResult, Enclosing, PyCompiler};
use super::lexer::SyntaxFault;

impl PyCompiler {
    /// Emits what leaving the innermost constructs needs, up to a loop or the whole function. The stack top is
    /// kept for `return`.
    pub(super) fn leave_all(&mut self, at: SourceSpan, to_loop: bool) -> CompileResult {
        let all = self.current().leaving.clone();
        for n in (0..all.len()).rev() {
            let inner = self.current().leaving.split_off(n);
            self.at = at;
            match &all[n] {
                Enclosing::Loop { .. } if to_loop => {
                    self.current().leaving.extend(inner);
                    return Ok(());
                }
                Enclosing::Loop { iterates, .. } => {
                    if *iterates {
                        self.emit(PyOp::Swap);
                        self.emit(PyOp::Pop);
                    }
                }
                Enclosing::Star => {
                    return self.fail("'break', 'continue' and 'return' cannot appear in an except* block");
                }
                Enclosing::Try => {
                    self.emit(PyOp::EndTry);
                }
                Enclosing::Finally(last) => {
                    self.emit(PyOp::EndTry);
                    self.body(last)?;
                }
                Enclosing::With => {
                    self.emit(PyOp::EndTry);
                    if !to_loop {
                        self.emit(PyOp::Swap);
                    }
                    self.call_exit();
                }
                Enclosing::Handler(name) => {
                    if let Some(name) = name {
                        self.none();
                        self.variable(name, 1);
                        self.variable(name, 2);
                    }
                    self.emit(PyOp::Handled);
                    if !to_loop {
                        self.emit(PyOp::Swap);
                    }
                    self.emit(PyOp::Pop);
                }
            }
            self.current().leaving.extend(inner);
        }
        Ok(())
    }

    /// Calls `__exit__` on top of the stack without an exception.
    pub(super) fn call_exit(&mut self) {
        let names = self.constant(Constant::Names(Vec::new()));
        (0..3).for_each(|_| self.none());
        self.emit(PyOp::Call(3, names));
        self.emit(PyOp::Pop);
    }

    pub(super) fn leave_loop(&mut self, stmt: &PyStmt) -> CompileResult {
        let index = self.current().leaving.iter().rposition(|l| matches!(l, Enclosing::Loop { .. }));
        let is_break = matches!(stmt.kind, StmtKind::Break);
        let Some(index) = index else {
            return self.fail(if is_break {
                "'break' outside loop"
            } else {
                "'continue' not properly in loop"
            });
        };
        self.leave_all(stmt.at, true)?;
        let Enclosing::Loop { start, iterates, .. } = self.current().leaving[index].clone() else {
            return Ok(());
        };
        if !is_break {
            self.emit(PyOp::Jump(start));
            return Ok(());
        }
        if iterates {
            self.emit(PyOp::Pop);
        }
        let jump = self.emit(PyOp::Jump(0));
        if let Enclosing::Loop { breaks, .. } = &mut self.current().leaving[index] {
            breaks.push(jump);
        }
        Ok(())
    }

    pub(super) fn condition(&mut self, test: &PyExpr) -> Result<usize, SyntaxFault> {
        self.expr(test)?;
        let before = std::mem::replace(&mut self.at, test.at);
        let jump = self.emit(PyOp::JumpIfNot(0));
        self.at = before;
        Ok(jump)
    }

    pub(super) fn yielded(&mut self, value: Option<&PyExpr>) -> CompileResult {
        if !self.current().is_function {
            return self.fail("'yield' outside function");
        }
        // An asynchronous generator distinguishes the values that it yields from those that it awaits.
        let wraps = self.current().code.async_generator;
        if wraps {
            self.variable(&"_async_value".into(), 0);
        }
        match value {
            Some(value) => self.expr(value)?,
            None => self.none(),
        }
        if wraps {
            let none = self.constant(Constant::Names(Vec::new()));
            self.emit(PyOp::Call(1, none));
        }
        self.emit(PyOp::Yield);
        Ok(())
    }

    pub(super) fn awaited(&mut self, value: &PyExpr) -> CompileResult {
        if !self.current().code.coroutine {
            let kind = if self.current().is_function { "async function" } else { "function" };
            return self.fail(&format!("'await' outside {kind}"));
        }
        self.variable(&"_awaitable".into(), 0);
        self.expr(value)?;
        let none = self.constant(Constant::Names(Vec::new()));
        self.emit(PyOp::Call(1, none));
        self.emit(PyOp::Iter);
        self.none();
        self.emit(PyOp::YieldFrom);
        Ok(())
    }
}
