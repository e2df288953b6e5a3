//! Compiles what leaves loops and protected blocks: `break`, `continue` and `return`.

use super::ast::{PyStmt, Span, StmtKind};
use super::code::{Constant, PyOp};
use super::compile::{Compiler, Done, Leaving};

impl Compiler {
    /// Emits what leaving the innermost constructs needs, up to a loop or the whole function. The stack top is
    /// kept for `return`.
    pub(super) fn leave_all(&mut self, at: Span, to_loop: bool) -> Done {
        let all = self.current().leaving.clone();
        for n in (0..all.len()).rev() {
            let inner = self.current().leaving.split_off(n);
            self.at = at;
            match &all[n] {
                Leaving::Loop { .. } if to_loop => {
                    self.current().leaving.extend(inner);
                    return Ok(());
                }
                Leaving::Loop { iterates, .. } => {
                    if *iterates {
                        self.emit(PyOp::Swap);
                        self.emit(PyOp::Pop);
                    }
                }
                Leaving::Try => {
                    self.emit(PyOp::EndTry);
                }
                Leaving::Finally(last) => {
                    self.emit(PyOp::EndTry);
                    self.body(last)?;
                }
                Leaving::With => {
                    self.emit(PyOp::EndTry);
                    if !to_loop {
                        self.emit(PyOp::Swap);
                    }
                    self.call_exit();
                }
                Leaving::Handler(name) => {
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

    pub(super) fn leave_loop(&mut self, stmt: &PyStmt) -> Done {
        let place = self.current().leaving.iter().rposition(|l| matches!(l, Leaving::Loop { .. }));
        let is_break = matches!(stmt.kind, StmtKind::Break);
        let Some(place) = place else {
            return self.fail(if is_break {
                "'break' outside loop"
            } else {
                "'continue' not properly in loop"
            });
        };
        self.leave_all(stmt.at, true)?;
        let Leaving::Loop { start, iterates, .. } = self.current().leaving[place].clone() else {
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
        if let Leaving::Loop { breaks, .. } = &mut self.current().leaving[place] {
            breaks.push(jump);
        }
        Ok(())
    }
}
