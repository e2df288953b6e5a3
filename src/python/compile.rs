//! Compiles functions and statements to operations.

use super::ast::*;
use super::code::{BinOp, CompiledUnit, Constant, PyCode, PyOp};
use super::lexer::SyntaxFault;
use super::parser;
use super::scope::PyNames;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) type CompileResult = Result<(), SyntaxFault>;

/// The constructs that `break`, `continue` and `return` must leave.
#[derive(Clone)]
pub(super) enum Enclosing {
    /// Start of the loop, jumps to its end, whether an iterator is on the stack.
    Loop {
        start: u32,
        breaks: Vec<usize>,
        iterates: bool,
    },
    Try,
    Finally(Vec<PyStmt>),
    /// `__exit__` on the stack.
    With,
    /// Inside a handler.
    Handler(Option<PyName>),
    /// Inside `except*`, which nothing may leave.
    Star,
}

/// One function being compiled.
pub(super) struct Compiling {
    pub code: PyCode,
    pub names: PyNames,
    pub leaving: Vec<Enclosing>,
    pub is_function: bool,
}

pub(crate) struct PyCompiler {
    pub(super) unit: CompiledUnit,
    pub(super) stack: Vec<Compiling>,
    pub(super) at: SourceSpan,
    /// Expressions that are statements are shown.
    shows: bool,
    /// `from __future__ import annotations`: they are not evaluated.
    late_annotations: bool,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SourceMode {
    #[default]
    File,
    /// Expressions that are statements are shown.
    Interactive,
    /// One expression, whose value is the result.
    Expression,
}

/// Compiles a source.
pub(crate) fn compile(source: &str, mode: SourceMode) -> Result<CompiledUnit, SyntaxFault> {
    let shows = mode == SourceMode::Interactive;
    let mut compiler = PyCompiler {
        unit: CompiledUnit::default(),
        stack: Vec::new(),
        at: (0, 0),
        shows,
        late_annotations: false,
    };
    compiler.unit.codes.push(Arc::default());
    if mode == SourceMode::Expression {
        let value = parser::parse_expression(source)?;
        let body = [PyStmt { at: value.at, kind: StmtKind::Expr(value.clone()) }];
        compiler.begin("<module>", "<module>", PyNames::of_body(&body), false);
        compiler.expr(&value)?;
        compiler.emit(PyOp::Return);
        let mut code = compiler.end();
        code.module = true;
        compiler.unit.codes[0] = Arc::new(code);
        return Ok(compiler.unit);
    }
    let body = parser::parse(source)?;
    compiler.late_annotations = body.iter().any(
        |s| matches!(&s.kind, StmtKind::From(0, module, names) if &**module == "__future__" && names.iter().any(|n| &*n.0 == "annotations")),
    );
    compiler.begin("<module>", "<module>", PyNames::of_body(&body), false);
    compiler.body(&body)?;
    let none = compiler.constant(Constant::None);
    compiler.emit(PyOp::Const(none));
    compiler.emit(PyOp::Return);
    let mut code = compiler.end();
    code.module = true;
    code.doc = doc(&body);
    compiler.unit.codes[0] = Arc::new(code);
    Ok(compiler.unit)
}

fn doc(body: &[PyStmt]) -> Option<String> {
    match body.first().map(|s| &s.kind) {
        Some(StmtKind::Expr(PyExpr { kind: ExprKind::Text(text), .. })) => Some(text.clone()),
        _ => None,
    }
}

pub(super) fn bin_op(op: &str) -> BinOp {
    match op {
        "+" => BinOp::Add,
        "-" => BinOp::Sub,
        "*" => BinOp::Mul,
        "/" => BinOp::Div,
        "//" => BinOp::Floor,
        "%" => BinOp::Mod,
        "**" => BinOp::Pow,
        "@" => BinOp::MatMul,
        "&" => BinOp::And,
        "|" => BinOp::Or,
        "^" => BinOp::Xor,
        "<<" => BinOp::Shl,
        _ => BinOp::Shr,
    }
}

impl PyCompiler {
    pub(super) fn begin(&mut self, name: &str, qualified: &str, names: PyNames, is_function: bool) {
        let code = PyCode { name: name.to_owned(), qualified: qualified.to_owned(), ..PyCode::default() };
        self.stack.push(Compiling { code, names, leaving: Vec::new(), is_function });
        if !is_function {
            return;
        }
        let current = self.current();
        let own: Vec<PyName> =
            current.names.inner.iter().filter(|n| current.names.is_local(n)).cloned().collect();
        let free: Vec<PyName> = current.names.free().into_iter().collect();
        let free: Vec<PyName> = free.into_iter().filter(|n| self.is_enclosed(n)).collect();
        let current = self.current();
        current.code.own_cells = own.len();
        current.code.cells = own.into_iter().chain(free).collect();
    }

    /// Whether an enclosing function binds a name.
    fn is_enclosed(&self, name: &PyName) -> bool {
        let outer = self.stack.len().saturating_sub(1);
        self.stack[..outer].iter().rev().filter(|c| c.is_function).find_map(|c| {
            (c.names.globals.contains(name))
                .then_some(false)
                .or_else(|| c.names.is_local(name).then_some(true))
        }) == Some(true)
    }

    pub(super) fn end(&mut self) -> PyCode {
        self.stack.pop().map(|c| c.code).unwrap_or_default()
    }

    pub(super) fn current(&mut self) -> &mut Compiling {
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    pub(super) fn emit(&mut self, op: PyOp) -> usize {
        let at = self.at;
        let code = &mut self.current().code;
        code.ops.push(op);
        code.spans.push(at);
        code.ops.len() - 1
    }

    pub(super) fn here(&mut self) -> u32 {
        u32::try_from(self.current().code.ops.len()).unwrap_or(u32::MAX)
    }

    /// Sets the target of a jump to the next operation.
    pub(super) fn land(&mut self, jump: usize) {
        let here = self.here();
        let op = &mut self.current().code.ops[jump];
        *op = match *op {
            PyOp::Jump(_) => PyOp::Jump(here),
            PyOp::JumpIf(_) => PyOp::JumpIf(here),
            PyOp::JumpIfNot(_) => PyOp::JumpIfNot(here),
            PyOp::JumpIfKeep(_) => PyOp::JumpIfKeep(here),
            PyOp::JumpIfNotKeep(_) => PyOp::JumpIfNotKeep(here),
            PyOp::For(_) => PyOp::For(here),
            PyOp::Try(_) => PyOp::Try(here),
            op => op,
        };
    }

    pub(super) fn constant(&mut self, value: Constant) -> u32 {
        let found = self.unit.constants.iter().position(|c| *c == value && !matches!(c, Constant::Float(_)));
        let index = found.unwrap_or_else(|| {
            self.unit.constants.push(value);
            self.unit.constants.len() - 1
        });
        u32::try_from(index).unwrap_or(0)
    }

    pub(super) fn name_index(&mut self, name: &str) -> u32 {
        let found = self.unit.names.iter().position(|n| &**n == name);
        let index = found.unwrap_or_else(|| {
            self.unit.names.push(name.into());
            self.unit.names.len() - 1
        });
        u32::try_from(index).unwrap_or(0)
    }

    pub(super) fn fail<T>(&self, message: &str) -> Result<T, SyntaxFault> {
        Err(SyntaxFault { class: "SyntaxError", message: message.into(), at: self.at })
    }

    pub(super) fn local(&mut self, name: &PyName) -> u32 {
        let locals = &mut self.current().code.locals;
        let index = locals.iter().position(|n| n == name).unwrap_or_else(|| {
            locals.push(name.clone());
            locals.len() - 1
        });
        u32::try_from(index).unwrap_or(0)
    }

    /// Reads (0), sets (1) or deletes (2) a name.
    pub(super) fn variable(&mut self, name: &PyName, what: usize) {
        let current = self.current();
        let cell = current.code.cells.iter().position(|n| n == name);
        let op = if let Some(cell) = cell.and_then(|c| u32::try_from(c).ok()) {
            [PyOp::Cell(cell), PyOp::SetCell(cell), PyOp::DelCell(cell)][what]
        } else if current.is_function && current.names.is_local(name) {
            let i = self.local(name);
            [PyOp::Local(i), PyOp::SetLocal(i), PyOp::DelLocal(i)][what]
        } else if current.is_function || current.names.globals.contains(name) {
            let i = self.name_index(name);
            [PyOp::Global(i), PyOp::SetGlobal(i), PyOp::DelGlobal(i)][what]
        } else {
            let i = self.name_index(name);
            [PyOp::Named(i), PyOp::SetNamed(i), PyOp::DelNamed(i)][what]
        };
        self.emit(op);
    }

    pub(super) fn body(&mut self, body: &[PyStmt]) -> CompileResult {
        body.iter().try_for_each(|s| self.stmt(s))
    }

    fn stmt(&mut self, stmt: &PyStmt) -> CompileResult {
        self.at = stmt.at;
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.expr(e)?;
                let show = self.shows && self.stack.len() == 1;
                self.emit(if show { PyOp::Show } else { PyOp::Pop });
            }
            StmtKind::Assign(targets, value) => {
                self.expr(value)?;
                for (i, target) in targets.iter().enumerate() {
                    self.at = stmt.at;
                    if i + 1 < targets.len() {
                        self.emit(PyOp::Dup);
                    }
                    self.store(target)?;
                }
            }
            StmtKind::Augmented(target, op, value) => self.augmented(stmt.at, target, op, value)?,
            StmtKind::Annotated(target, annotation, value) => {
                if let Some(value) = value {
                    self.expr(value)?;
                    self.store(target)?;
                }
                if let ExprKind::Name(name) = &target.kind
                    && !self.current().is_function
                {
                    self.expr(annotation)?;
                    let i = self.name_index(name);
                    self.emit(PyOp::Annotate(i));
                }
            }
            StmtKind::Return(value) => {
                if !self.current().is_function {
                    return self.fail("'return' outside function");
                }
                match value {
                    Some(value) => self.expr(value)?,
                    None => self.none(),
                }
                self.leave_all(stmt.at, false)?;
                self.emit(PyOp::Return);
            }
            StmtKind::Raise(value, cause) => {
                let mut count = 0;
                for e in value.iter().chain(cause) {
                    self.expr(e)?;
                    count += 1;
                }
                self.at = stmt.at;
                self.emit(PyOp::Raise(count));
            }
            StmtKind::Assert(test, message) => {
                self.expr(test)?;
                let good = self.emit(PyOp::JumpIf(0));
                message.iter().try_for_each(|e| self.expr(e))?;
                self.at = test.at;
                self.emit(PyOp::AssertionFailed(u32::from(message.is_some())));
                self.land(good);
            }
            StmtKind::Delete(targets) => targets.iter().try_for_each(|t| self.delete(t))?,
            StmtKind::Pass | StmtKind::Global(_) => {}
            StmtKind::Nonlocal(names) => {
                for name in names {
                    if !self.is_enclosed(name) {
                        return self.fail(&format!("no binding for nonlocal '{name}' found"));
                    }
                }
            }
            StmtKind::Break | StmtKind::Continue => self.leave_loop(stmt)?,
            StmtKind::Import(_) | StmtKind::From(..) => self.import(stmt)?,
            StmtKind::If(test, a, b) => {
                let no = self.condition(test)?;
                self.body(a)?;
                if b.is_empty() {
                    self.land(no);
                } else {
                    let end = self.emit(PyOp::Jump(0));
                    self.land(no);
                    self.body(b)?;
                    self.land(end);
                }
            }
            StmtKind::While(test, body, otherwise) => {
                let start = self.here();
                let end = self.condition(test)?;
                let breaks = self.loop_body(start, false, body)?;
                self.emit(PyOp::Jump(start));
                self.land(end);
                self.body(otherwise)?;
                breaks.into_iter().for_each(|b| self.land(b));
            }
            StmtKind::For(target, iter, body, otherwise) => {
                self.expr(iter)?;
                // An error of the loop itself is that of the whole statement.
                self.at = stmt.at;
                self.emit(PyOp::Iter);
                let start = self.here();
                let end = self.emit(PyOp::For(0));
                self.store(target)?;
                let breaks = self.loop_body(start, true, body)?;
                self.emit(PyOp::Jump(start));
                self.land(end);
                self.body(otherwise)?;
                breaks.into_iter().for_each(|b| self.land(b));
            }
            StmtKind::Try(body, handlers, otherwise, last)
            | StmtKind::TryStar(body, handlers, otherwise, last) => {
                let star = matches!(stmt.kind, StmtKind::TryStar(..));
                self.protected(body, handlers, otherwise, last, star)?
            }
            StmtKind::With(items, body) => self.with(items, body)?,
            StmtKind::Function(def) => self.function(def)?,
            StmtKind::Class(name, args, body, decorators) => {
                self.class(stmt.at, name, args, body, decorators)?
            }
            StmtKind::Match(subject, cases) => self.match_cases(subject, cases)?,
        }
        Ok(())
    }

    pub(super) fn none(&mut self) {
        let none = self.constant(Constant::None);
        self.emit(PyOp::Const(none));
    }

    fn loop_body(&mut self, start: u32, iterates: bool, body: &[PyStmt]) -> Result<Vec<usize>, SyntaxFault> {
        self.current().leaving.push(Enclosing::Loop { start, breaks: Vec::new(), iterates });
        self.body(body)?;
        match self.current().leaving.pop() {
            Some(Enclosing::Loop { breaks, .. }) => Ok(breaks),
            _ => Ok(Vec::new()),
        }
    }

    fn augmented(&mut self, at: SourceSpan, target: &PyExpr, op: &str, value: &PyExpr) -> CompileResult {
        let op = PyOp::InPlace(bin_op(op));
        match &target.kind {
            ExprKind::Name(name) => {
                self.at = target.at;
                self.variable(name, 0);
                self.expr(value)?;
                self.at = at;
                self.emit(op);
                self.variable(name, 1);
            }
            ExprKind::Attr(object, name) => {
                self.expr(object)?;
                let i = self.name_index(name);
                self.emit(PyOp::Dup);
                self.at = target.at;
                self.emit(PyOp::Attr(i));
                self.expr(value)?;
                self.at = at;
                self.emit(op);
                self.emit(PyOp::Swap);
                self.emit(PyOp::SetAttr(i));
            }
            ExprKind::Index(object, index) => {
                self.expr(object)?;
                self.expr(index)?;
                self.emit(PyOp::Dup2);
                self.at = target.at;
                self.emit(PyOp::Index);
                self.expr(value)?;
                self.at = at;
                self.emit(op);
                self.emit(PyOp::Rot3);
                self.emit(PyOp::SetIndex);
            }
            _ => return self.fail("illegal expression for augmented assignment"),
        }
        Ok(())
    }

    fn import(&mut self, stmt: &PyStmt) -> CompileResult {
        match &stmt.kind {
            StmtKind::Import(modules) => {
                for (module, name) in modules {
                    let i = self.name_index(module);
                    self.emit(PyOp::Import(i));
                    // `import a.b as c` binds the submodule, `import a.b` binds the package.
                    let mut parts = module.split('.');
                    let first = parts.next().unwrap_or_default();
                    if name.is_some() {
                        for part in parts {
                            let i = self.name_index(part);
                            self.emit(PyOp::Attr(i));
                        }
                    }
                    self.variable(&name.clone().unwrap_or_else(|| first.into()), 1);
                }
            }
            StmtKind::From(dots, module, names) => {
                let full = format!("{}{module}", ".".repeat(*dots as usize));
                let i = self.name_index(&full);
                self.emit(PyOp::Import(i));
                let trail =
                    if *dots > 0 { Vec::new() } else { module.split('.').skip(1).collect::<Vec<_>>() };
                for part in trail {
                    let i = self.name_index(part);
                    self.emit(PyOp::Attr(i));
                }
                if names.is_empty() {
                    self.emit(PyOp::ImportStar);
                    return Ok(());
                }
                for (name, alias) in names {
                    let i = self.name_index(name);
                    self.emit(PyOp::ImportFrom(i));
                    self.variable(alias.as_ref().unwrap_or(name), 1);
                }
                self.emit(PyOp::Pop);
            }
            _ => {}
        }
        Ok(())
    }

    fn function(&mut self, def: &FunctionDef) -> CompileResult {
        let at = self.at;
        def.decorators.iter().try_for_each(|d| self.expr(d))?;
        self.at = at;
        let names = PyNames::of_function(&def.params, &def.body);
        self.closure(&def.name, &def.params, names, |c| {
            let code = &mut c.current().code;
            code.doc = doc(&def.body);
            if def.is_async {
                code.async_generator = code.generator;
                code.generator = true;
                code.coroutine = true;
            }
            c.body(&def.body)?;
            c.none();
            c.emit(PyOp::Return);
            Ok(())
        })?;
        let none = self.constant(Constant::Names(Vec::new()));
        if !def.params.annotations.is_empty() && !self.late_annotations {
            self.variable(&"_annotated".into(), 0);
            self.emit(PyOp::Swap);
            for (name, value) in &def.params.annotations {
                let text = self.constant(Constant::Text(name.to_string()));
                self.emit(PyOp::Const(text));
                self.expr(value)?;
            }
            self.emit(PyOp::Dict(u32::try_from(def.params.annotations.len()).unwrap_or(0)));
            self.at = at;
            self.emit(PyOp::Call(2, none));
        }
        for decorator in def.decorators.iter().rev() {
            self.at = decorator.at;
            self.emit(PyOp::Call(1, none));
        }
        self.at = at;
        self.variable(&def.name, 1);
        Ok(())
    }
}
