//! Compiles `except*`: the library splits the exception for each clause, collects what the handlers raise, and puts
//! together what is left.

use super::ast::*;
use super::code::{CmpOp, Constant, PyOp};
use super::compile::{CompileResult, Enclosing, PyCompiler};

impl PyCompiler {
    /// Calls a function of the library with the top, which it replaces.
    fn library(&mut self, function: &str) {
        let none = self.constant(Constant::Names(Vec::new()));
        self.variable(&function.into(), 0);
        self.emit(PyOp::Swap);
        self.emit(PyOp::Call(1, none));
    }

    /// Whether the top is None; keeps it.
    fn jump_if_none(&mut self) -> usize {
        self.emit(PyOp::Dup);
        self.none();
        self.emit(PyOp::Compare(CmpOp::Is));
        self.emit(PyOp::JumpIf(0))
    }

    pub(super) fn handled_groups(
        &mut self,
        body: &[PyStmt],
        handlers: &[Handler],
        otherwise: &[PyStmt],
    ) -> CompileResult {
        let none = self.constant(Constant::Names(Vec::new()));
        let start = self.emit(PyOp::Try(0));
        self.current().leaving.push(Enclosing::Try);
        self.body(body)?;
        self.current().leaving.pop();
        self.emit(PyOp::EndTry);
        self.body(otherwise)?;
        let end = self.emit(PyOp::Jump(0));
        self.land(start);
        self.emit(PyOp::Handle);
        // The exception, and what is left of it.
        self.emit(PyOp::Dup);
        self.library("_star_begin");
        for handler in handlers {
            let Some(kind) = &handler.kind else { continue };
            self.emit(PyOp::Dup);
            self.variable(&"_star_split".into(), 0);
            self.emit(PyOp::Swap);
            self.expr(kind)?;
            self.at = kind.at;
            self.emit(PyOp::Call(2, none));
            let miss = self.jump_if_none();
            self.at = handler.at;
            let raised = self.emit(PyOp::Try(0));
            self.emit(PyOp::Handle);
            if let Some(name) = &handler.name {
                self.emit(PyOp::Dup);
                self.variable(name, 1);
            }
            self.current().leaving.push(Enclosing::Star);
            self.body(&handler.body)?;
            self.current().leaving.pop();
            self.at = handler.at;
            self.forget(handler.name.as_ref());
            self.emit(PyOp::Handled);
            self.emit(PyOp::EndTry);
            let done = self.emit(PyOp::Jump(0));
            self.land(raised);
            self.emit(PyOp::Swap);
            self.emit(PyOp::Pop);
            self.variable(&"_star_raised".into(), 0);
            self.emit(PyOp::Rot3);
            self.emit(PyOp::Call(2, none));
            self.forget(handler.name.as_ref());
            let next = self.emit(PyOp::Jump(0));
            self.land(miss);
            self.land(done);
            self.emit(PyOp::Pop);
            self.land(next);
        }
        self.library("_star_end");
        let over = self.jump_if_none();
        self.emit(PyOp::Swap);
        self.emit(PyOp::Pop);
        self.emit(PyOp::Reraise);
        self.land(over);
        self.emit(PyOp::Pop);
        self.emit(PyOp::Handled);
        self.emit(PyOp::Pop);
        self.land(end);
        Ok(())
    }

    /// Deletes the name of a handler.
    fn forget(&mut self, name: Option<&PyName>) {
        if let Some(name) = name {
            self.none();
            self.variable(name, 1);
            self.variable(name, 2);
        }
    }
}
