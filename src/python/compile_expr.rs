//! Compiles expressions and assignment targets.

use super::ast::*;
use super::code::{CmpOp, Constant, PyOp};
use super::compile::{CompileResult, PyCompiler, bin_op};
use super::scope::PyNames;

pub(super) fn n(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn cmp_op(op: &str) -> CmpOp {
    match op {
        "<" => CmpOp::Lt,
        "<=" => CmpOp::Le,
        "==" => CmpOp::Eq,
        "!=" => CmpOp::Ne,
        ">" => CmpOp::Gt,
        ">=" => CmpOp::Ge,
        "in" => CmpOp::In,
        "not in" => CmpOp::NotIn,
        "is" => CmpOp::Is,
        _ => CmpOp::IsNot,
    }
}

impl PyCompiler {
    fn literal(&mut self, value: Constant) {
        let i = self.constant(value);
        self.emit(PyOp::Const(i));
    }

    pub(super) fn expr(&mut self, expr: &PyExpr) -> CompileResult {
        let before = self.at;
        self.at = expr.at;
        self.expr_inner(expr)?;
        self.at = before;
        Ok(())
    }

    fn all(&mut self, items: &[PyExpr]) -> CompileResult {
        items.iter().try_for_each(|e| self.expr(e))
    }

    fn expr_inner(&mut self, expr: &PyExpr) -> CompileResult {
        match &expr.kind {
            ExprKind::None => self.literal(Constant::None),
            ExprKind::Bool(b) => self.literal(Constant::Bool(*b)),
            ExprKind::Ellipsis => self.literal(Constant::Ellipsis),
            ExprKind::Int(i) => self.literal(Constant::Int(*i)),
            ExprKind::Big(i) => self.literal(Constant::Big(i.clone())),
            ExprKind::Float(x) => self.literal(Constant::Float(*x)),
            ExprKind::Imaginary(x) => {
                self.variable(&"_imaginary".into(), 0);
                self.literal(Constant::Float(*x));
                let none = self.constant(Constant::Names(Vec::new()));
                self.emit(PyOp::Call(1, none));
            }
            ExprKind::Text(t) => self.literal(Constant::Text(t.clone())),
            ExprKind::Bytes(b) => self.literal(Constant::Bytes(b.clone())),
            ExprKind::Format(parts) => self.format(parts)?,
            ExprKind::Name(name) => self.variable(name, 0),
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                self.display(expr, items)?
            }
            ExprKind::Dict(pairs) => self.dict(pairs)?,
            ExprKind::Starred(_) => return self.fail("can't use starred expression here"),
            ExprKind::Unary(op, inner) => {
                // A negative literal is a constant.
                match (&inner.kind, *op) {
                    (ExprKind::Int(i), "-") => self.literal(Constant::Int(-i)),
                    (ExprKind::Float(x), "-") => self.literal(Constant::Float(-x)),
                    _ => {
                        self.expr(inner)?;
                        self.emit(match *op {
                            "-" => PyOp::Neg,
                            "+" => PyOp::Pos,
                            "~" => PyOp::Invert,
                            _ => PyOp::Not,
                        });
                    }
                }
            }
            ExprKind::Binary(op, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                self.emit(PyOp::Binary(bin_op(op)));
            }
            ExprKind::Logic(and, items) => {
                let mut ends = Vec::new();
                for (i, item) in items.iter().enumerate() {
                    self.expr(item)?;
                    if i + 1 < items.len() {
                        ends.push(self.emit(if *and { PyOp::JumpIfNotKeep(0) } else { PyOp::JumpIfKeep(0) }));
                    }
                }
                ends.into_iter().for_each(|e| self.land(e));
            }
            ExprKind::Compare(first, rest) => self.compare(first, rest)?,
            ExprKind::If(test, yes, no) => {
                self.expr(test)?;
                let other = self.emit(PyOp::JumpIfNot(0));
                self.expr(yes)?;
                let end = self.emit(PyOp::Jump(0));
                self.land(other);
                self.expr(no)?;
                self.land(end);
            }
            ExprKind::Attr(object, name) => {
                self.expr(object)?;
                let i = self.name_index(name);
                self.emit(PyOp::Attr(i));
            }
            ExprKind::Index(object, index) => {
                self.expr(object)?;
                self.expr(index)?;
                self.emit(PyOp::Index);
            }
            ExprKind::Slice(low, high, step) => {
                for part in [low, high, step] {
                    match part {
                        Some(part) => self.expr(part)?,
                        None => self.none(),
                    }
                }
                self.emit(PyOp::Slice);
            }
            ExprKind::Call(function, args) => self.call(function, args)?,
            ExprKind::Lambda(params, body) => {
                let names = PyNames::of_lambda(params, body);
                self.closure("<lambda>", params, names, |c| {
                    c.expr(body)?;
                    c.emit(PyOp::Return);
                    Ok(())
                })?;
            }
            ExprKind::Comp(kind, element, value, fors) => {
                self.comp(*kind, element, value.as_deref(), fors)?
            }
            ExprKind::Walrus(name, value) => {
                self.expr(value)?;
                self.emit(PyOp::Dup);
                self.variable(name, 1);
            }
            ExprKind::Yield(value) => self.yielded(value.as_deref())?,
            ExprKind::Await(value) => self.awaited(value)?,
            ExprKind::YieldFrom(value) => {
                self.expr(value)?;
                self.emit(PyOp::Iter);
                self.none();
                self.emit(PyOp::YieldFrom);
            }
        }
        Ok(())
    }

    fn format(&mut self, parts: &[FPart]) -> CompileResult {
        for part in parts {
            match part {
                FPart::Text(text) => self.literal(Constant::Text(text.clone())),
                FPart::Value(value, conversion, format) => {
                    self.expr(value)?;
                    self.format(format)?;
                    self.emit(PyOp::Format(conversion.map_or(0, u32::from)));
                }
            }
        }
        self.emit(PyOp::Join(n(parts.len())));
        Ok(())
    }

    fn display(&mut self, expr: &PyExpr, items: &[PyExpr]) -> CompileResult {
        let starred = items.iter().any(|i| matches!(i.kind, ExprKind::Starred(_)));
        if !starred {
            self.all(items)?;
            self.emit(match &expr.kind {
                ExprKind::Tuple(_) => PyOp::Tuple(n(items.len())),
                ExprKind::Set(_) => PyOp::Set(n(items.len())),
                _ => PyOp::List(n(items.len())),
            });
            return Ok(());
        }
        let set = matches!(expr.kind, ExprKind::Set(_));
        self.emit(if set { PyOp::Set(0) } else { PyOp::List(0) });
        for item in items {
            match &item.kind {
                ExprKind::Starred(inner) => {
                    self.expr(inner)?;
                    self.emit(if set { PyOp::Update } else { PyOp::Extend });
                }
                _ => {
                    self.expr(item)?;
                    self.emit(if set { PyOp::Insert(0) } else { PyOp::Append(0) });
                }
            }
        }
        if matches!(expr.kind, ExprKind::Tuple(_)) {
            self.emit(PyOp::AsTuple);
        }
        Ok(())
    }

    fn dict(&mut self, pairs: &[(Option<PyExpr>, PyExpr)]) -> CompileResult {
        if pairs.iter().all(|p| p.0.is_some()) {
            for (key, value) in pairs {
                key.iter().try_for_each(|k| self.expr(k))?;
                self.expr(value)?;
            }
            self.emit(PyOp::Dict(n(pairs.len())));
            return Ok(());
        }
        self.emit(PyOp::Dict(0));
        for (key, value) in pairs {
            match key {
                Some(key) => {
                    self.expr(key)?;
                    self.expr(value)?;
                    self.emit(PyOp::Put(0));
                }
                None => {
                    self.expr(value)?;
                    self.emit(PyOp::Merge);
                }
            }
        }
        Ok(())
    }

    fn compare(&mut self, first: &PyExpr, rest: &[(&'static str, PyExpr)]) -> CompileResult {
        self.expr(first)?;
        let mut ends = Vec::new();
        for (i, (op, right)) in rest.iter().enumerate() {
            self.expr(right)?;
            if i + 1 == rest.len() {
                self.emit(PyOp::Compare(cmp_op(op)));
                break;
            }
            // a < b < c: keep b below the first result.
            self.emit(PyOp::Swap);
            self.emit(PyOp::Dup2);
            self.emit(PyOp::Pop);
            self.emit(PyOp::Compare(cmp_op(op)));
            ends.push(self.emit(PyOp::JumpIfNotKeep(0)));
        }
        if ends.is_empty() {
            return Ok(());
        }
        let done = self.emit(PyOp::Jump(0));
        ends.into_iter().for_each(|e| self.land(e));
        self.emit(PyOp::Swap);
        self.emit(PyOp::Pop);
        self.land(done);
        Ok(())
    }

    fn call(&mut self, function: &PyExpr, args: &[CallArg]) -> CompileResult {
        let at = self.at;
        let plain = args.iter().all(|a| matches!(a, CallArg::One(_) | CallArg::Named(..)));
        if !plain {
            self.expr(function)?;
            self.spread(args)?;
            self.at = at;
            self.emit(PyOp::CallSpread);
            return Ok(());
        }
        let method = match &function.kind {
            ExprKind::Attr(object, name) => {
                self.expr(object)?;
                Some(self.name_index(name))
            }
            _ => {
                self.expr(function)?;
                None
            }
        };
        let mut names = Vec::new();
        for arg in args {
            match arg {
                CallArg::One(value) | CallArg::Star(value) | CallArg::StarStar(value) => self.expr(value)?,
                CallArg::Named(name, value) => {
                    self.expr(value)?;
                    names.push(name.clone());
                }
            }
        }
        if method.is_some() {
            self.at = function.at;
            self.emit(PyOp::Nop);
        }
        let positional = n(args.len() - names.len());
        let names = self.constant(Constant::Names(names));
        self.at = at;
        self.emit(method.map_or(PyOp::Call(positional, names), |m| PyOp::Method(m, positional, names)));
        Ok(())
    }

    /// Pushes a list of positional arguments and a dict of the others.
    pub(super) fn spread(&mut self, args: &[CallArg]) -> CompileResult {
        self.emit(PyOp::List(0));
        for arg in args {
            match arg {
                CallArg::One(value) => {
                    self.expr(value)?;
                    self.emit(PyOp::Append(0));
                }
                CallArg::Star(value) => {
                    self.expr(value)?;
                    self.emit(PyOp::Extend);
                }
                CallArg::Named(..) | CallArg::StarStar(_) => {}
            }
        }
        self.emit(PyOp::Dict(0));
        for arg in args {
            match arg {
                CallArg::Named(name, value) => {
                    self.literal(Constant::Text(name.to_string()));
                    self.expr(value)?;
                    self.emit(PyOp::Put(0));
                }
                CallArg::StarStar(value) => {
                    self.expr(value)?;
                    self.emit(PyOp::Merge);
                }
                CallArg::One(_) | CallArg::Star(_) => {}
            }
        }
        Ok(())
    }

    /// Stores the top of the stack.
    pub(super) fn store(&mut self, target: &PyExpr) -> CompileResult {
        let before = self.at;
        match &target.kind {
            ExprKind::Name(name) => {
                self.at = target.at;
                self.variable(name, 1);
            }
            ExprKind::Attr(object, name) => {
                self.expr(object)?;
                self.at = target.at;
                let i = self.name_index(name);
                self.emit(PyOp::SetAttr(i));
            }
            ExprKind::Index(object, index) => {
                self.expr(object)?;
                self.expr(index)?;
                self.at = target.at;
                self.emit(PyOp::SetIndex);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.at = target.at;
                let star = items.iter().position(|i| matches!(i.kind, ExprKind::Starred(_)));
                self.emit(match star {
                    Some(star) => PyOp::UnpackStar(n(star), n(items.len() - star - 1)),
                    None => PyOp::Unpack(n(items.len())),
                });
                for item in items {
                    match &item.kind {
                        ExprKind::Starred(inner) => self.store(inner)?,
                        _ => self.store(item)?,
                    }
                }
            }
            _ => {
                self.at = target.at;
                return self.fail("cannot assign to expression here. Maybe you meant '==' instead of '='?");
            }
        }
        self.at = before;
        Ok(())
    }

    pub(super) fn delete(&mut self, target: &PyExpr) -> CompileResult {
        match &target.kind {
            ExprKind::Name(name) => self.variable(name, 2),
            ExprKind::Attr(object, name) => {
                self.expr(object)?;
                let i = self.name_index(name);
                self.emit(PyOp::DelAttr(i));
            }
            ExprKind::Index(object, index) => {
                self.expr(object)?;
                self.expr(index)?;
                self.emit(PyOp::DelIndex);
            }
            ExprKind::Tuple(items) => items.iter().try_for_each(|t| self.delete(t))?,
            _ => return self.fail("cannot delete expression"),
        }
        Ok(())
    }
}
