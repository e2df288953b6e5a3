//! `with`, and `async for` and `async with` as equivalent simpler statements.

use super::ast::*;
use super::parser::{Parsed, PyParser};

impl PyParser {
    /// `async for`: a loop that awaits each element.
    pub(super) fn async_for(&mut self, start: u32) -> Parsed<StmtKind> {
        self.at += 2;
        let target = self.targets()?;
        if !self.takes_word("in") {
            return self.fail("invalid syntax");
        }
        let iter = self.expr_list()?;
        let at = (start, iter.at.1);
        let mut body = self.block("'for' statement", start)?;
        let otherwise = self.else_block()?;
        let expr = |kind| PyExpr { at, kind };
        let stmt = |kind| PyStmt { at, kind };
        // A name that no program can contain. The offset makes it unique.
        let hidden: PyName = format!(".async{start}").into();
        let name = || expr(ExprKind::Name(hidden.clone()));
        let method = |of: PyExpr, method: &str| {
            expr(ExprKind::Call(Box::new(expr(ExprKind::Attr(Box::new(of), method.into()))), Vec::new()))
        };
        let next = expr(ExprKind::Await(Box::new(method(name(), "__anext__"))));
        let over = Handler {
            at,
            kind: Some(expr(ExprKind::Name("StopAsyncIteration".into()))),
            name: None,
            body: otherwise.into_iter().chain([stmt(StmtKind::Break)]).collect(),
        };
        let step = stmt(StmtKind::Try(
            vec![stmt(StmtKind::Assign(vec![target], next))],
            vec![over],
            Vec::new(),
            Vec::new(),
        ));
        body.insert(0, step);
        let first = stmt(StmtKind::Assign(vec![name()], method(iter, "__aiter__")));
        let turn = stmt(StmtKind::While(expr(ExprKind::Bool(true)), body, Vec::new()));
        Ok(StmtKind::If(expr(ExprKind::Bool(true)), vec![first, turn], Vec::new()))
    }

    /// `async with`: awaits `__aenter__` and `__aexit__`.
    pub(super) fn async_with(&mut self, start: u32) -> Parsed<StmtKind> {
        self.at += 2;
        let items = self.with_items(false)?;
        let mut body = self.block("'with' statement", start)?;
        for (i, (manager, target)) in items.into_iter().enumerate().rev() {
            let at = manager.at;
            let expr = |kind| PyExpr { at, kind };
            let stmt = |kind| PyStmt { at, kind };
            let named = |part: &str| -> PyName { format!(".async{start}.{i}{part}").into() };
            let name = |part: &str| expr(ExprKind::Name(named(part)));
            let wait = |method: &str, args: Vec<PyExpr>| {
                let function = expr(ExprKind::Attr(Box::new(name("m")), method.into()));
                let args = args.into_iter().map(CallArg::One).collect();
                expr(ExprKind::Await(Box::new(expr(ExprKind::Call(Box::new(function), args)))))
            };
            let none = || expr(ExprKind::None);
            let kind_of = expr(ExprKind::Call(
                Box::new(expr(ExprKind::Name("type".into()))),
                vec![CallArg::One(name("e"))],
            ));
            let flag = |yes| stmt(StmtKind::Assign(vec![name("ok")], expr(ExprKind::Bool(yes))));
            let enter = wait("__aenter__", Vec::new());
            let entered = match target {
                Some(target) => StmtKind::Assign(vec![target], enter),
                None => StmtKind::Expr(enter),
            };
            let swallowed = wait("__aexit__", vec![kind_of, name("e"), none()]);
            let handler = Handler {
                at,
                kind: Some(expr(ExprKind::Name("BaseException".into()))),
                name: Some(named("e")),
                body: vec![
                    flag(false),
                    stmt(StmtKind::If(
                        expr(ExprKind::Unary("not", Box::new(swallowed))),
                        vec![stmt(StmtKind::Raise(None, None))],
                        Vec::new(),
                    )),
                ],
            };
            let guarded = stmt(StmtKind::Try(body, vec![handler], Vec::new(), Vec::new()));
            let leave = stmt(StmtKind::If(
                name("ok"),
                vec![stmt(StmtKind::Expr(wait("__aexit__", vec![none(), none(), none()])))],
                Vec::new(),
            ));
            body = vec![
                stmt(StmtKind::Assign(vec![name("m")], manager)),
                stmt(entered),
                flag(true),
                stmt(StmtKind::Try(vec![guarded], Vec::new(), Vec::new(), vec![leave])),
            ];
        }
        let yes = PyExpr { at: (start, start), kind: ExprKind::Bool(true) };
        Ok(StmtKind::If(yes, body, Vec::new()))
    }

    pub(super) fn with_rest(&mut self, start: u32) -> Parsed<StmtKind> {
        // `with (a as b, c as d):` needs a look ahead for the closing parenthesis before the colon.
        let before = self.at;
        if self.takes("(")
            && let Ok(items) = self.with_items(true)
            && self.takes(")")
            && self.is(":")
        {
            return Ok(StmtKind::With(items, self.block("'with' statement", start)?));
        }
        self.at = before;
        let items = self.with_items(false)?;
        Ok(StmtKind::With(items, self.block("'with' statement", start)?))
    }

    pub(super) fn with_items(&mut self, closed: bool) -> Parsed<Vec<(PyExpr, Option<PyExpr>)>> {
        let mut items = Vec::new();
        loop {
            let value = self.expr()?;
            let target = if self.takes_word("as") { Some(self.target()?) } else { None };
            items.push((value, target));
            if !self.takes(",") || closed && self.is(")") {
                return Ok(items);
            }
        }
    }
}
