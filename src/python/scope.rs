//! The names that a function binds, and those that its inner functions need.

use super::ast::*;
use std::collections::BTreeSet;

/// The names of one scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct PyNames {
    pub loads: BTreeSet<PyName>,
    pub binds: BTreeSet<PyName>,
    pub globals: BTreeSet<PyName>,
    pub nonlocals: BTreeSet<PyName>,
    /// Names that inner scopes take from outside.
    pub inner: BTreeSet<PyName>,
    pub yields: bool,
    /// It awaits, which only matters for a comprehension.
    pub awaits: bool,
    /// Names that `:=` binds; in a comprehension they belong to the enclosing scope.
    pub walrus: BTreeSet<PyName>,
}

impl PyNames {
    pub fn of_body(body: &[PyStmt]) -> Self {
        let mut names = Self::default();
        names.body(body);
        names
    }

    pub fn of_function(params: &Params, body: &[PyStmt]) -> Self {
        let mut names = Self::of_body(body);
        names.bind_params(params);
        names
    }

    pub fn of_lambda(params: &Params, body: &PyExpr) -> Self {
        let mut names = Self::default();
        names.expr(body);
        names.bind_params(params);
        names
    }

    pub fn of_comp(element: &PyExpr, value: Option<&PyExpr>, fors: &[CompFor]) -> Self {
        let mut names = Self { awaits: fors.iter().any(|clause| clause.is_async), ..Self::default() };
        for (i, clause) in fors.iter().enumerate() {
            if i > 0 {
                names.expr(&clause.iter);
            }
            names.target(&clause.target);
            clause.ifs.iter().for_each(|e| names.expr(e));
        }
        names.expr(element);
        value.into_iter().for_each(|e| names.expr(e));
        for name in &names.walrus {
            names.binds.remove(name);
            names.loads.insert(name.clone());
        }
        names
    }

    fn bind_params(&mut self, params: &Params) {
        self.binds.extend(params.names.iter().cloned());
        self.binds.extend(params.keyword_only.iter().map(|k| k.0.clone()));
        self.binds.extend(params.star.iter().chain(&params.star_star).cloned());
    }

    /// Names that this scope takes from outside.
    pub fn free(&self) -> BTreeSet<PyName> {
        let bound = |n: &&PyName| self.binds.contains(*n) && !self.nonlocals.contains(*n);
        self.loads
            .iter()
            .chain(&self.inner)
            .chain(&self.nonlocals)
            .filter(|n| !bound(n) && !self.globals.contains(*n))
            .cloned()
            .collect()
    }

    pub fn is_local(&self, name: &PyName) -> bool {
        self.binds.contains(name) && !self.globals.contains(name) && !self.nonlocals.contains(name)
    }

    fn body(&mut self, body: &[PyStmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn enclose(&mut self, inner: &Self) {
        self.inner.extend(inner.free());
    }

    fn stmt(&mut self, stmt: &PyStmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Assign(targets, value) => {
                self.expr(value);
                targets.iter().for_each(|t| self.target(t));
            }
            StmtKind::Augmented(target, _, value) => {
                self.expr(value);
                self.expr(target);
                self.target(target);
            }
            StmtKind::Annotated(target, _, value) => {
                value.iter().for_each(|e| self.expr(e));
                self.target(target);
            }
            StmtKind::Return(value) => value.iter().for_each(|e| self.expr(e)),
            StmtKind::Raise(a, b) => a.iter().chain(b).for_each(|e| self.expr(e)),
            StmtKind::Assert(a, b) => {
                self.expr(a);
                b.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Delete(targets) => targets.iter().for_each(|t| self.target(t)),
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Global(names) => self.globals.extend(names.iter().cloned()),
            StmtKind::Nonlocal(names) => self.nonlocals.extend(names.iter().cloned()),
            StmtKind::Import(modules) => {
                for (module, name) in modules {
                    let first = module.split('.').next().unwrap_or_default();
                    self.binds.insert(name.clone().unwrap_or_else(|| first.into()));
                }
            }
            StmtKind::From(_, _, names) => {
                self.binds.extend(names.iter().map(|(n, a)| a.clone().unwrap_or_else(|| n.clone())));
            }
            StmtKind::If(test, a, b) | StmtKind::While(test, a, b) => {
                self.expr(test);
                self.body(a);
                self.body(b);
            }
            StmtKind::For(target, iter, a, b) => {
                self.expr(iter);
                self.target(target);
                self.body(a);
                self.body(b);
            }
            StmtKind::Try(body, handlers, otherwise, last)
            | StmtKind::TryStar(body, handlers, otherwise, last) => {
                self.body(body);
                for handler in handlers {
                    handler.kind.iter().for_each(|e| self.expr(e));
                    self.binds.extend(handler.name.iter().cloned());
                    self.body(&handler.body);
                }
                self.body(otherwise);
                self.body(last);
            }
            StmtKind::With(items, body) => {
                for (value, target) in items {
                    self.expr(value);
                    target.iter().for_each(|t| self.target(t));
                }
                self.body(body);
            }
            StmtKind::Function(def) => {
                self.binds.insert(def.name.clone());
                def.decorators.iter().for_each(|e| self.expr(e));
                self.defaults(&def.params);
                self.enclose(&Self::of_function(&def.params, &def.body));
            }
            StmtKind::Class(name, args, body, decorators) => {
                self.binds.insert(name.clone());
                decorators.iter().for_each(|e| self.expr(e));
                self.args(args);
                let inner = Self::of_body(body);
                // A class's own names are not visible inside its functions.
                self.inner.extend(inner.inner.iter().chain(&inner.loads).chain(&inner.nonlocals).cloned());
            }
            StmtKind::Match(subject, cases) => {
                self.expr(subject);
                for (pattern, guard, body) in cases {
                    self.pattern(pattern);
                    guard.iter().for_each(|e| self.expr(e));
                    self.body(body);
                }
            }
        }
    }

    fn pattern(&mut self, pattern: &MatchPattern) {
        match pattern {
            MatchPattern::Any(name) => self.binds.extend(name.iter().cloned()),
            MatchPattern::Value(e) => self.expr(e),
            MatchPattern::Or(all) => all.iter().for_each(|p| self.pattern(p)),
            MatchPattern::As(inner, name) => {
                self.pattern(inner);
                self.binds.insert(name.clone());
            }
            MatchPattern::Sequence(items) => items.iter().for_each(|(_, p)| self.pattern(p)),
            MatchPattern::Mapping(pairs, rest) => {
                for (key, value) in pairs {
                    self.expr(key);
                    self.pattern(value);
                }
                self.binds.extend(rest.iter().cloned());
            }
            MatchPattern::Class(class, items, named) => {
                self.expr(class);
                items.iter().chain(named.iter().map(|n| &n.1)).for_each(|p| self.pattern(p));
            }
        }
    }

    fn defaults(&mut self, params: &Params) {
        params.annotations.iter().for_each(|(_, e)| self.expr(e));
        params.defaults.iter().for_each(|e| self.expr(e));
        params.keyword_only.iter().filter_map(|k| k.1.as_ref()).for_each(|e| self.expr(e));
    }

    fn args(&mut self, args: &[CallArg]) {
        for arg in args {
            match arg {
                CallArg::One(e) | CallArg::Star(e) | CallArg::Named(_, e) | CallArg::StarStar(e) => {
                    self.expr(e)
                }
            }
        }
    }

    fn target(&mut self, target: &PyExpr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.binds.insert(name.clone());
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| self.target(t)),
            ExprKind::Starred(inner) => self.target(inner),
            _ => self.expr(target),
        }
    }

    fn parts(&mut self, parts: &[FPart]) {
        for part in parts {
            if let FPart::Value(value, _, format) = part {
                self.expr(value);
                self.parts(format);
            }
        }
    }

    fn expr(&mut self, expr: &PyExpr) {
        match &expr.kind {
            ExprKind::None
            | ExprKind::Bool(_)
            | ExprKind::Ellipsis
            | ExprKind::Int(_)
            | ExprKind::Big(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Text(_)
            | ExprKind::Bytes(_) => {}
            ExprKind::Format(parts) => self.parts(parts),
            ExprKind::Name(name) => {
                self.loads.insert(name.clone());
            }
            ExprKind::Tuple(all) | ExprKind::List(all) | ExprKind::Set(all) | ExprKind::Logic(_, all) => {
                all.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Dict(pairs) => {
                for (key, value) in pairs {
                    key.iter().for_each(|e| self.expr(e));
                    self.expr(value);
                }
            }
            ExprKind::Starred(e) | ExprKind::Unary(_, e) | ExprKind::Attr(e, _) => self.expr(e),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Compare(first, rest) => {
                self.expr(first);
                rest.iter().for_each(|(_, e)| self.expr(e));
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Slice(a, b, c) => [a, b, c].into_iter().flatten().for_each(|e| self.expr(e)),
            ExprKind::Call(function, args) => {
                self.expr(function);
                self.args(args);
            }
            ExprKind::Lambda(params, body) => {
                self.defaults(params);
                self.enclose(&Self::of_lambda(params, body));
            }
            ExprKind::Comp(kind, element, value, fors) => {
                fors.iter().take(1).for_each(|f| self.expr(&f.iter));
                let inner = Self::of_comp(element, value.as_deref(), fors);
                self.awaits |= inner.awaits && *kind != CompKind::Generator;
                // `:=` in a comprehension binds outside.
                self.binds.extend(inner.walrus.iter().cloned());
                self.walrus.extend(inner.walrus.iter().cloned());
                self.enclose(&inner);
            }
            ExprKind::Walrus(name, value) => {
                self.expr(value);
                self.binds.insert(name.clone());
                self.walrus.insert(name.clone());
            }
            ExprKind::Yield(value) => {
                self.yields = true;
                value.iter().for_each(|e| self.expr(e));
            }
            ExprKind::YieldFrom(value) => {
                self.yields = true;
                self.expr(value);
            }
            ExprKind::Await(value) => {
                self.awaits = true;
                self.expr(value);
            }
        }
    }
}
