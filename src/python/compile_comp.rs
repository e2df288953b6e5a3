//! Compiles comprehensions: each is a function of its own, which gets the first iterator. One that awaits is a coroutine,
//! and its value is awaited; a generator expression that awaits is an asynchronous generator.

use super::ast::*;
use super::code::{Constant, PyOp};
use super::compile::{CompileResult, PyCompiler};
use super::compile_expr::n;
use super::scope::PyNames;

/// A comprehension.
struct Comprehension<'a> {
    kind: CompKind,
    element: &'a PyExpr,
    value: Option<&'a PyExpr>,
    fors: &'a [CompFor],
    awaits: bool,
}

impl PyCompiler {
    pub(super) fn comp(
        &mut self,
        kind: CompKind,
        element: &PyExpr,
        value: Option<&PyExpr>,
        fors: &[CompFor],
    ) -> CompileResult {
        let at = self.at;
        let (name, empty) = match kind {
            CompKind::List => ("<listcomp>", Some(PyOp::List(0))),
            CompKind::Set => ("<setcomp>", Some(PyOp::Set(0))),
            CompKind::Dict => ("<dictcomp>", Some(PyOp::Dict(0))),
            CompKind::Generator => ("<genexpr>", None),
        };
        let input: PyName = ".0".into();
        let mut names = PyNames::of_comp(element, value, fors);
        names.binds.insert(input.clone());
        let comp = Comprehension { kind, element, value, fors, awaits: names.awaits };
        if comp.awaits && empty.is_some() && !self.current().code.coroutine {
            return self.fail("asynchronous comprehension outside of an asynchronous function");
        }
        names.yields = empty.is_none() || comp.awaits;
        let params = Params { names: vec![input.clone()], ..Params::default() };
        self.closure(name, &params, names, |c| {
            c.at = at;
            let code = &mut c.current().code;
            code.coroutine = comp.awaits;
            code.async_generator = comp.awaits && empty.is_none();
            empty.into_iter().for_each(|op| {
                c.emit(op);
            });
            c.comp_level(&comp, 0)?;
            if empty.is_none() {
                c.none();
            }
            c.emit(PyOp::Return);
            Ok(())
        })?;
        if let Some(first) = fors.first() {
            self.iterator(first)?;
        }
        self.at = at;
        let none = self.constant(Constant::Names(Vec::new()));
        self.emit(PyOp::Call(1, none));
        if comp.awaits && empty.is_some() {
            self.await_top();
        }
        Ok(())
    }

    /// Pushes the iterator of a clause.
    fn iterator(&mut self, clause: &CompFor) -> CompileResult {
        self.expr(&clause.iter)?;
        self.at = clause.iter.at;
        if clause.is_async {
            self.method("__aiter__");
        } else {
            self.emit(PyOp::Iter);
        }
        Ok(())
    }

    /// Calls a method of the top without arguments.
    fn method(&mut self, name: &str) {
        let none = self.constant(Constant::Names(Vec::new()));
        let i = self.name_index(name);
        self.emit(PyOp::Nop);
        self.emit(PyOp::Method(i, 0, none));
    }

    /// Awaits the top.
    fn await_top(&mut self) {
        let none = self.constant(Constant::Names(Vec::new()));
        self.variable(&"_awaitable".into(), 0);
        self.emit(PyOp::Swap);
        self.emit(PyOp::Call(1, none));
        self.emit(PyOp::Iter);
        self.none();
        self.emit(PyOp::YieldFrom);
    }

    fn comp_level(&mut self, comp: &Comprehension<'_>, level: usize) -> CompileResult {
        let Some(clause) = comp.fors.get(level) else { return self.comp_element(comp, level) };
        if level == 0 {
            self.variable(&".0".into(), 0);
        } else {
            self.iterator(clause)?;
        }
        let start = self.here();
        let end = if clause.is_async {
            let over = self.emit(PyOp::Try(0));
            self.emit(PyOp::Dup);
            self.method("__anext__");
            self.await_top();
            self.emit(PyOp::EndTry);
            over
        } else {
            self.emit(PyOp::For(0))
        };
        self.store(&clause.target)?;
        for test in &clause.ifs {
            self.expr(test)?;
            let no = self.emit(PyOp::JumpIf(0));
            self.emit(PyOp::Jump(start));
            self.land(no);
        }
        self.comp_level(comp, level + 1)?;
        self.emit(PyOp::Jump(start));
        self.land(end);
        if clause.is_async {
            self.emit(PyOp::Handle);
            self.variable(&"StopAsyncIteration".into(), 0);
            self.emit(PyOp::Matches);
            let over = self.emit(PyOp::JumpIf(0));
            self.emit(PyOp::Reraise);
            self.land(over);
            self.emit(PyOp::Handled);
            self.emit(PyOp::Pop);
            self.emit(PyOp::Pop);
        }
        Ok(())
    }

    fn comp_element(&mut self, comp: &Comprehension<'_>, level: usize) -> CompileResult {
        let wraps = comp.awaits && comp.kind == CompKind::Generator;
        if wraps {
            self.variable(&"_async_value".into(), 0);
        }
        self.expr(comp.element)?;
        comp.value.into_iter().try_for_each(|v| self.expr(v))?;
        if wraps {
            let none = self.constant(Constant::Names(Vec::new()));
            self.emit(PyOp::Call(1, none));
        }
        self.emit(match comp.kind {
            CompKind::List => PyOp::Append(n(level)),
            CompKind::Set => PyOp::Insert(n(level)),
            CompKind::Dict => PyOp::Put(n(level)),
            CompKind::Generator => PyOp::Yield,
        });
        if comp.kind == CompKind::Generator {
            self.emit(PyOp::Pop);
        }
        Ok(())
    }
}
