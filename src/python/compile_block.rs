//! Compiles classes, `try`, `with` and `match`.

use super::ast::*;
use super::code::{CmpOp, Constant, PyOp};
use super::compile::{CompileResult, Enclosing, PyCompiler};
use super::scope::PyNames;
use std::sync::Arc;

impl PyCompiler {
    pub(super) fn class(
        &mut self,
        at: SourceSpan,
        name: &PyName,
        args: &[CallArg],
        body: &[PyStmt],
        decorators: &[PyExpr],
    ) -> CompileResult {
        decorators.iter().try_for_each(|d| self.expr(d))?;
        self.at = at;
        let names = PyNames::of_body(body);
        let qualified = self.qualified(name);
        self.begin(name, &qualified, names.clone(), false);
        // The body of a class sees the variables of enclosing functions.
        let free: Vec<PyName> =
            names.inner.iter().chain(&names.loads).chain(&names.nonlocals).cloned().collect();
        let own = self.stack.pop();
        let free: Vec<PyName> = free.into_iter().filter(|n| self.sees(n)).collect();
        self.stack.extend(own);
        let code = &mut self.current().code;
        code.class_body = true;
        for name in free {
            if !code.cells.contains(&name) {
                code.cells.push(name);
            }
        }
        // Names that the body of the class binds belong to the class.
        let visible = std::mem::take(&mut self.current().code.cells);
        self.current().code.cells = visible
            .iter()
            .filter(|n| !names.binds.contains(*n) || names.inner.contains(*n))
            .cloned()
            .collect();
        self.body(body)?;
        self.none();
        self.emit(PyOp::Return);
        let code = self.end();
        self.make_function(code, 0)?;
        self.spread(args)?;
        self.at = at;
        let i = self.name_index(name);
        self.emit(PyOp::Class(i));
        let none = self.constant(Constant::Names(Vec::new()));
        for decorator in decorators.iter().rev() {
            self.at = decorator.at;
            self.emit(PyOp::Call(1, none));
        }
        self.at = at;
        self.variable(name, 1);
        Ok(())
    }

    /// Whether the current function has a cell for a name.
    fn sees(&mut self, name: &PyName) -> bool {
        !self.stack.is_empty() && self.current().code.cells.contains(name)
    }

    pub(super) fn qualified(&mut self, name: &str) -> String {
        let current = self.current();
        match (current.code.qualified.as_str(), current.is_function) {
            ("<module>", _) => name.to_owned(),
            (outer, true) => format!("{outer}.<locals>.{name}"),
            (outer, false) => format!("{outer}.{name}"),
        }
    }

    /// Compiles a function and emits its creation.
    pub(super) fn closure(
        &mut self,
        name: &str,
        params: &Params,
        names: PyNames,
        body: impl FnOnce(&mut Self) -> CompileResult,
    ) -> CompileResult {
        let at = self.at;
        for default in &params.defaults {
            self.expr(default)?;
        }
        self.emit(PyOp::Tuple(u32::try_from(params.defaults.len()).unwrap_or(0)));
        let mut pairs = 0;
        for (name, default) in &params.keyword_only {
            if let Some(default) = default {
                let text = self.constant(Constant::Text(name.to_string()));
                self.emit(PyOp::Const(text));
                self.expr(default)?;
                pairs += 1;
            }
        }
        self.emit(PyOp::Dict(pairs));
        self.at = at;
        let qualified = self.qualified(name);
        let yields = names.yields;
        self.begin(name, &qualified, names, true);
        let all = params
            .names
            .iter()
            .chain(params.keyword_only.iter().map(|k| &k.0))
            .chain(&params.star)
            .chain(&params.star_star);
        for param in all {
            let local = self.local(param);
            let code = &mut self.current().code;
            if let Some(cell) = code.cells.iter().position(|n| n == param) {
                code.cell_params.push((local, u32::try_from(cell).unwrap_or(0)));
            }
        }
        let code = &mut self.current().code;
        code.positional = params.names.len();
        code.positional_only = params.positional_only;
        code.keyword_only = params.keyword_only.len();
        code.star = params.star.is_some();
        code.star_star = params.star_star.is_some();
        code.generator = yields;
        body(self)?;
        let code = self.end();
        self.at = at;
        self.make_function(code, 2)
    }

    /// Emits the creation of a function; `given` values (defaults) are on the stack.
    fn make_function(&mut self, code: super::code::PyCode, given: u32) -> CompileResult {
        if given == 0 {
            self.emit(PyOp::Tuple(0));
            self.emit(PyOp::Dict(0));
        }
        let free: Vec<PyName> = code.cells.iter().skip(code.own_cells).cloned().collect();
        for name in &free {
            let Some(cell) = self.current().code.cells.iter().position(|n| n == name) else {
                return self.fail("sandbatch cannot compile this closure");
            };
            self.emit(PyOp::Capture(u32::try_from(cell).unwrap_or(0)));
        }
        self.emit(PyOp::Tuple(u32::try_from(free.len()).unwrap_or(0)));
        self.unit.codes.push(Arc::new(code));
        let index = u32::try_from(self.unit.codes.len() - 1).unwrap_or(0);
        self.emit(PyOp::Function(index));
        Ok(())
    }

    pub(super) fn protected(
        &mut self,
        body: &[PyStmt],
        handlers: &[Handler],
        otherwise: &[PyStmt],
        last: &[PyStmt],
        star: bool,
    ) -> CompileResult {
        let at = self.at;
        let outer = (!last.is_empty()).then(|| {
            let jump = self.emit(PyOp::Try(0));
            self.current().leaving.push(Enclosing::Finally(last.to_vec()));
            jump
        });
        if handlers.is_empty() {
            self.body(body)?;
            self.body(otherwise)?;
        } else if star {
            self.handled_groups(body, handlers, otherwise)?;
        } else {
            self.handled(body, handlers, otherwise)?;
        }
        let Some(outer) = outer else { return Ok(()) };
        self.current().leaving.pop();
        self.at = at;
        self.emit(PyOp::EndTry);
        self.body(last)?;
        let end = self.emit(PyOp::Jump(0));
        self.land(outer);
        self.emit(PyOp::Handle);
        self.current().leaving.push(Enclosing::Handler(None));
        self.body(last)?;
        self.current().leaving.pop();
        self.at = at;
        self.emit(PyOp::Reraise);
        self.land(end);
        Ok(())
    }

    fn handled(&mut self, body: &[PyStmt], handlers: &[Handler], otherwise: &[PyStmt]) -> CompileResult {
        let start = self.emit(PyOp::Try(0));
        self.current().leaving.push(Enclosing::Try);
        self.body(body)?;
        self.current().leaving.pop();
        self.emit(PyOp::EndTry);
        self.body(otherwise)?;
        let mut ends = vec![self.emit(PyOp::Jump(0))];
        self.land(start);
        self.emit(PyOp::Handle);
        for handler in handlers {
            let next = match &handler.kind {
                Some(kind) => {
                    self.expr(kind)?;
                    self.at = kind.at;
                    self.emit(PyOp::Matches);
                    Some(self.emit(PyOp::JumpIfNot(0)))
                }
                None => None,
            };
            self.at = handler.at;
            // An exception inside the handler must delete the name and end the handling.
            self.current().leaving.push(Enclosing::Handler(handler.name.clone()));
            if let Some(name) = &handler.name {
                self.emit(PyOp::Dup);
                self.variable(name, 1);
            }
            self.body(&handler.body)?;
            self.current().leaving.pop();
            self.at = handler.at;
            if let Some(name) = &handler.name {
                self.none();
                self.variable(name, 1);
                self.variable(name, 2);
            }
            self.emit(PyOp::Handled);
            self.emit(PyOp::Pop);
            ends.push(self.emit(PyOp::Jump(0)));
            next.into_iter().for_each(|n| self.land(n));
        }
        self.emit(PyOp::Reraise);
        ends.into_iter().for_each(|e| self.land(e));
        Ok(())
    }

    pub(super) fn with(&mut self, items: &[(PyExpr, Option<PyExpr>)], body: &[PyStmt]) -> CompileResult {
        let Some(((value, target), rest)) = items.split_first() else { return self.body(body) };
        self.expr(value)?;
        self.at = value.at;
        self.emit(PyOp::Enter);
        match target {
            Some(target) => self.store(target)?,
            None => {
                self.emit(PyOp::Pop);
            }
        }
        let guard = self.emit(PyOp::Try(0));
        self.current().leaving.push(Enclosing::With);
        self.with(rest, body)?;
        self.current().leaving.pop();
        self.at = value.at;
        self.emit(PyOp::EndTry);
        self.call_exit();
        let end = self.emit(PyOp::Jump(0));
        self.land(guard);
        self.emit(PyOp::Handle);
        self.emit(PyOp::Exit);
        let swallowed = self.emit(PyOp::JumpIf(0));
        self.emit(PyOp::Reraise);
        self.land(swallowed);
        self.emit(PyOp::Handled);
        self.emit(PyOp::Pop);
        self.emit(PyOp::Pop);
        self.land(end);
        Ok(())
    }

    pub(super) fn match_cases(
        &mut self,
        subject: &PyExpr,
        cases: &[(MatchPattern, Option<PyExpr>, Vec<PyStmt>)],
    ) -> CompileResult {
        self.expr(subject)?;
        let mut ends = Vec::new();
        for (pattern, guard, body) in cases {
            self.emit(PyOp::Dup);
            self.pattern(pattern)?;
            let mut misses = vec![self.emit(PyOp::JumpIfNot(0))];
            if let Some(guard) = guard {
                self.expr(guard)?;
                misses.push(self.emit(PyOp::JumpIfNot(0)));
            }
            self.emit(PyOp::Pop);
            self.body(body)?;
            ends.push(self.emit(PyOp::Jump(0)));
            misses.into_iter().for_each(|m| self.land(m));
        }
        self.emit(PyOp::Pop);
        ends.into_iter().for_each(|e| self.land(e));
        Ok(())
    }

    /// Sets or reads a variable that no program can name.
    fn hidden(&mut self, name: &PyName, set: bool) {
        let op = if self.current().is_function {
            let i = self.local(name);
            if set { PyOp::SetLocal(i) } else { PyOp::Local(i) }
        } else {
            let i = self.name_index(name);
            if set { PyOp::SetNamed(i) } else { PyOp::Named(i) }
        };
        self.emit(op);
    }

    fn truth(&mut self, yes: bool) {
        let value = self.constant(Constant::Bool(yes));
        self.emit(PyOp::Const(value));
    }

    /// Replaces the subject on the stack with whether it matches.
    fn pattern(&mut self, pattern: &MatchPattern) -> CompileResult {
        match pattern {
            MatchPattern::Any(None) => {
                self.emit(PyOp::Pop);
                self.truth(true);
            }
            MatchPattern::Any(Some(name)) => {
                self.variable(name, 1);
                self.truth(true);
            }
            MatchPattern::Value(value) => {
                self.expr(value)?;
                let singleton = matches!(value.kind, ExprKind::None | ExprKind::Bool(_));
                self.emit(PyOp::Compare(if singleton { CmpOp::Is } else { CmpOp::Eq }));
            }
            MatchPattern::Or(all) => {
                let mut hits = Vec::new();
                for option in all {
                    self.emit(PyOp::Dup);
                    self.pattern(option)?;
                    hits.push(self.emit(PyOp::JumpIf(0)));
                }
                self.emit(PyOp::Pop);
                self.truth(false);
                let end = self.emit(PyOp::Jump(0));
                hits.into_iter().for_each(|h| self.land(h));
                self.emit(PyOp::Pop);
                self.truth(true);
                self.land(end);
            }
            MatchPattern::As(inner, name) => {
                self.emit(PyOp::Dup);
                self.pattern(inner)?;
                let miss = self.emit(PyOp::JumpIfNot(0));
                self.variable(name, 1);
                self.truth(true);
                let end = self.emit(PyOp::Jump(0));
                self.land(miss);
                self.emit(PyOp::Pop);
                self.truth(false);
                self.land(end);
            }
            MatchPattern::Sequence(items) => self.sequence(items)?,
            MatchPattern::Mapping(pairs, rest) => {
                let hidden: PyName = format!(".match{}", self.at.0).into();
                if rest.is_some() {
                    self.emit(PyOp::Dup);
                    self.hidden(&hidden, true);
                }
                self.emit(PyOp::Dup);
                self.emit(PyOp::IsMapping);
                let miss = self.emit(PyOp::JumpIfNot(0));
                for (key, _) in pairs {
                    self.expr(key)?;
                }
                self.emit(PyOp::MatchKeys(u32::try_from(pairs.len()).unwrap_or(0)));
                let values: Vec<&MatchPattern> = pairs.iter().map(|p| &p.1).collect();
                let none = self.unless_none();
                self.values(&values, vec![miss, none])?;
                if let Some(rest) = rest {
                    self.emit(PyOp::Dup);
                    let miss = self.emit(PyOp::JumpIfNot(0));
                    self.variable(&"_mapping_rest".into(), 0);
                    self.hidden(&hidden, false);
                    for (key, _) in pairs {
                        self.expr(key)?;
                    }
                    let names = self.constant(Constant::Names(Vec::new()));
                    self.emit(PyOp::Call(u32::try_from(pairs.len() + 1).unwrap_or(1), names));
                    self.variable(rest, 1);
                    self.land(miss);
                }
            }
            MatchPattern::Class(class, items, named) => {
                self.expr(class)?;
                let names = self.constant(Constant::Names(named.iter().map(|n| n.0.clone()).collect()));
                self.emit(PyOp::MatchClass(u32::try_from(items.len()).unwrap_or(0), names));
                let values: Vec<&MatchPattern> = items.iter().chain(named.iter().map(|n| &n.1)).collect();
                let none = self.unless_none();
                self.values(&values, vec![none])?;
            }
        }
        Ok(())
    }

    fn sequence(&mut self, items: &[(bool, MatchPattern)]) -> CompileResult {
        let star = items.iter().position(|i| i.0);
        let fixed = items.len() - usize::from(star.is_some());
        self.emit(PyOp::Dup);
        self.emit(PyOp::IsSequence);
        let miss = self.emit(PyOp::JumpIfNot(0));
        self.emit(PyOp::Dup);
        self.emit(PyOp::Len);
        let count = self.constant(Constant::Int(i64::try_from(fixed).unwrap_or(0)));
        self.emit(PyOp::Const(count));
        self.emit(PyOp::Compare(if star.is_some() { CmpOp::Ge } else { CmpOp::Eq }));
        let short = self.emit(PyOp::JumpIfNot(0));
        let n = |n: usize| u32::try_from(n).unwrap_or(0);
        match star {
            Some(star) => self.emit(PyOp::UnpackStar(n(star), n(fixed - star))),
            None => self.emit(PyOp::Unpack(n(fixed))),
        };
        // The first element is on top: collects all elements in a list, as for the other patterns.
        self.emit(PyOp::List(n(items.len())));
        let patterns: Vec<&MatchPattern> = items.iter().rev().map(|i| &i.1).collect();
        self.values(&patterns, vec![miss, short])
    }

    /// Jumps if the top of the stack is None.
    fn unless_none(&mut self) -> usize {
        self.emit(PyOp::Dup);
        self.none();
        self.emit(PyOp::Compare(CmpOp::Is));
        self.emit(PyOp::JumpIf(0))
    }

    /// Matches each element of the list on the stack. The `misses` jump here with one value on the stack.
    fn values(&mut self, patterns: &[&MatchPattern], mut misses: Vec<usize>) -> CompileResult {
        for (i, pattern) in patterns.iter().enumerate() {
            self.emit(PyOp::Dup);
            let index = self.constant(Constant::Int(i64::try_from(i).unwrap_or(0)));
            self.emit(PyOp::Const(index));
            self.emit(PyOp::Index);
            self.pattern(pattern)?;
            misses.push(self.emit(PyOp::JumpIfNot(0)));
        }
        self.emit(PyOp::Pop);
        self.truth(true);
        let end = self.emit(PyOp::Jump(0));
        misses.into_iter().for_each(|m| self.land(m));
        self.emit(PyOp::Pop);
        self.truth(false);
        self.land(end);
        Ok(())
    }
}
