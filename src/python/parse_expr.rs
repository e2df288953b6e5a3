//! Parses expressions by precedence climbing.

use super::ast::*;
use super::lexer::PyToken;
use super::parser::{Parsed, PyParser};
use std::sync::Arc;

/// Binary operators with their precedence.
const BINARY: &[(&str, u8)] = &[
    ("|", 1),
    ("^", 2),
    ("&", 3),
    ("<<", 4),
    (">>", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("//", 6),
    ("%", 6),
    ("@", 6),
];

pub(super) fn make(at: SourceSpan, kind: ExprKind) -> PyExpr {
    PyExpr { at, kind }
}

impl PyParser {
    /// Expressions separated by commas: a tuple if there is a comma.
    pub(super) fn expr_list(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let first = self.star_or_named()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.takes(",") {
            if self.ends_list() {
                break;
            }
            items.push(self.star_or_named()?);
        }
        Ok(make(self.since(start), ExprKind::Tuple(items)))
    }

    fn ends_list(&self) -> bool {
        match self.peek() {
            PyToken::Newline | PyToken::End => true,
            PyToken::Op(op) => matches!(*op, ")" | "]" | "}" | "=" | ":" | ";"),
            PyToken::Name(word) => word == "in",
            _ => false,
        }
    }

    fn star_or_named(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        if self.takes("*") {
            let inner = self.binary(1)?;
            return Ok(make(self.since(start), ExprKind::Starred(Box::new(inner))));
        }
        self.named_expr()
    }

    /// An expression that may be `name := value`.
    pub(super) fn named_expr(&mut self) -> Parsed<PyExpr> {
        let value = self.expr()?;
        if self.is(":=")
            && let ExprKind::Name(name) = &value.kind
        {
            self.advance();
            let inner = self.expr()?;
            return Ok(make(self.since(value.at.0), ExprKind::Walrus(name.clone(), Box::new(inner))));
        }
        Ok(value)
    }

    /// The targets of `for`.
    pub(super) fn targets(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let first = self.target()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.takes(",") {
            if self.ends_list() {
                break;
            }
            items.push(self.target()?);
        }
        Ok(make(self.since(start), ExprKind::Tuple(items)))
    }

    pub(super) fn target(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        if self.takes("*") {
            let inner = self.postfix()?;
            return Ok(make(self.since(start), ExprKind::Starred(Box::new(inner))));
        }
        self.postfix()
    }

    pub(super) fn expr(&mut self) -> Parsed<PyExpr> {
        self.deeper(|p| {
            let start = p.start();
            if p.takes_word("lambda") {
                let params = p.params(":", false)?;
                p.expect(":")?;
                let body = p.expr()?;
                return Ok(make(p.since(start), ExprKind::Lambda(Arc::new(params), Box::new(body))));
            }
            if p.is_word("yield") {
                return p.yielded();
            }
            let value = p.logic(true)?;
            if !p.takes_word("if") {
                return Ok(value);
            }
            let test = p.logic(true)?;
            if !p.takes_word("else") {
                return p.fail_at("expected 'else' after 'if' expression", (start, test.at.1));
            }
            let other = p.expr()?;
            Ok(make(p.since(start), ExprKind::If(Box::new(test), Box::new(value), Box::new(other))))
        })
    }

    pub(super) fn yielded(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        self.advance();
        if self.takes_word("from") {
            let inner = self.expr()?;
            return Ok(make(self.since(start), ExprKind::YieldFrom(Box::new(inner))));
        }
        let inner = if self.ends_list() { None } else { Some(Box::new(self.expr_list()?)) };
        Ok(make(self.since(start), ExprKind::Yield(inner)))
    }

    /// `or` and `and`.
    fn logic(&mut self, or: bool) -> Parsed<PyExpr> {
        let start = self.start();
        let word = if or { "or" } else { "and" };
        let next = |p: &mut Self| if or { p.logic(false) } else { p.negation() };
        let first = next(self)?;
        if !self.is_word(word) {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.takes_word(word) {
            items.push(next(self)?);
        }
        Ok(make(self.since(start), ExprKind::Logic(!or, items)))
    }

    fn negation(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        if self.takes_word("not") {
            let inner = self.deeper(Self::negation)?;
            return Ok(make(self.since(start), ExprKind::Unary("not", Box::new(inner))));
        }
        let left = self.binary(1)?;
        let mut rest = Vec::new();
        loop {
            let op = match self.peek() {
                PyToken::Op(op @ ("<" | ">" | "==" | ">=" | "<=" | "!=")) => *op,
                PyToken::Name(w) if w == "in" => "in",
                PyToken::Name(w) if w == "is" => "is",
                PyToken::Name(w) if w == "not" => "not in",
                _ => break,
            };
            self.advance();
            let op = match op {
                "not in" if self.takes_word("in") => "not in",
                "not in" => return self.fail("invalid syntax"),
                "is" if self.takes_word("not") => "is not",
                op => op,
            };
            rest.push((op, self.binary(1)?));
        }
        if rest.is_empty() {
            return Ok(left);
        }
        Ok(make(self.since(start), ExprKind::Compare(Box::new(left), rest)))
    }

    fn binary(&mut self, least: u8) -> Parsed<PyExpr> {
        let start = self.start();
        let mut left = self.unary()?;
        loop {
            let PyToken::Op(op) = *self.peek() else { return Ok(left) };
            let Some((name, level)) = BINARY.iter().find(|(name, level)| *name == op && *level >= least)
            else {
                return Ok(left);
            };
            self.advance();
            let right = self.deeper(|p| p.binary(level + 1))?;
            left = make(self.since(start), ExprKind::Binary(name, Box::new(left), Box::new(right)));
        }
    }

    fn unary(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        for op in ["-", "+", "~"] {
            if self.takes(op) {
                let inner = self.deeper(Self::unary)?;
                return Ok(make(self.since(start), ExprKind::Unary(op, Box::new(inner))));
            }
        }
        let left = if self.takes_word("await") {
            let inner = self.deeper(Self::postfix)?;
            make(self.since(start), ExprKind::Await(Box::new(inner)))
        } else {
            self.postfix()?
        };
        if self.takes("**") {
            let right = self.deeper(Self::unary)?;
            return Ok(make(self.since(start), ExprKind::Binary("**", Box::new(left), Box::new(right))));
        }
        Ok(left)
    }

    fn postfix(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let mut value = self.atom()?;
        loop {
            let kind = if self.takes(".") {
                ExprKind::Attr(Box::new(value), self.name()?)
            } else if self.takes("(") {
                ExprKind::Call(Box::new(value), self.call_args()?)
            } else if self.takes("[") {
                let index = self.deeper(Self::subscript)?;
                self.expect("]")?;
                ExprKind::Index(Box::new(value), Box::new(index))
            } else {
                return Ok(value);
            };
            value = make(self.since(start), kind);
        }
    }

    fn subscript(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let first = self.slice()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.takes(",") {
            if self.is("]") {
                break;
            }
            items.push(self.slice()?);
        }
        Ok(make(self.since(start), ExprKind::Tuple(items)))
    }

    fn slice(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let part = |p: &mut Self| -> Parsed<Option<Box<PyExpr>>> {
            if p.is(":") || p.is("]") || p.is(",") {
                Ok(None)
            } else {
                Ok(Some(Box::new(p.star_or_named()?)))
            }
        };
        let low = part(self)?;
        if !self.takes(":") {
            return low.map_or_else(|| self.fail("invalid syntax"), |e| Ok(*e));
        }
        let high = part(self)?;
        let step = if self.takes(":") { part(self)? } else { None };
        Ok(make(self.since(start), ExprKind::Slice(low, high, step)))
    }

    /// The arguments of a call, with the closing parenthesis.
    pub(super) fn call_args(&mut self) -> Parsed<Vec<CallArg>> {
        let mut args = Vec::new();
        while !self.is(")") {
            let start = self.start();
            if self.takes("**") {
                args.push(CallArg::StarStar(self.expr()?));
            } else if self.takes("*") {
                args.push(CallArg::Star(self.expr()?));
            } else {
                let value = self.named_expr()?;
                if self.is("=") {
                    let ExprKind::Name(name) = value.kind else {
                        return self.fail_at(
                            "expression cannot contain assignment, perhaps you meant \"==\"?",
                            (start, self.span().1),
                        );
                    };
                    self.advance();
                    if args.iter().any(|a| matches!(a, CallArg::Named(n, _) if *n == name)) {
                        return self
                            .fail_at(&format!("keyword argument repeated: {name}"), (start, self.span().1));
                    }
                    args.push(CallArg::Named(name, self.expr()?));
                } else if self.is_comp() {
                    let fors = self.comp_fors()?;
                    let at = self.since(start);
                    args.push(CallArg::One(make(
                        at,
                        ExprKind::Comp(CompKind::Generator, Box::new(value), None, fors),
                    )));
                } else {
                    if args.iter().any(|a| matches!(a, CallArg::Named(..))) {
                        return self.fail_at("positional argument follows keyword argument", self.span());
                    }
                    args.push(CallArg::One(value));
                }
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    /// Whether `for` or `async for` follows.
    fn is_comp(&self) -> bool {
        self.is_word("for")
            || self.is_word("async") && matches!(self.peek_after(1), PyToken::Name(word) if word == "for")
    }

    fn comp_fors(&mut self) -> Parsed<Vec<CompFor>> {
        let mut fors = Vec::new();
        while self.is_comp() {
            let is_async = self.takes_word("async");
            self.advance();
            let target = self.targets()?;
            if !self.takes_word("in") {
                return self.fail("invalid syntax");
            }
            let iter = self.deeper(|p| p.logic(true))?;
            let mut ifs = Vec::new();
            while self.takes_word("if") {
                let test = self.logic(true)?;
                ifs.push(if self.is(":=") { return self.fail("invalid syntax") } else { test });
            }
            fors.push(CompFor { target, iter, ifs, is_async });
        }
        Ok(fors)
    }

    fn atom(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let kind = match self.peek().clone() {
            PyToken::Int(n) => ExprKind::Int(n),
            PyToken::Big(n) => ExprKind::Big(n),
            PyToken::Float(x) => ExprKind::Float(x),
            PyToken::Imaginary(x) => ExprKind::Imaginary(x),
            PyToken::Text(..) => return self.texts(),
            PyToken::Op("...") => ExprKind::Ellipsis,
            PyToken::Op("(") => return self.deeper(Self::parenthesized),
            PyToken::Op("[") => return self.deeper(Self::list),
            PyToken::Op("{") => return self.deeper(Self::braces),
            PyToken::Name(word) => match word.as_str() {
                "None" => ExprKind::None,
                "True" => ExprKind::Bool(true),
                "False" => ExprKind::Bool(false),
                word if Self::is_keyword(word) => return self.fail("invalid syntax"),
                word => ExprKind::Name(word.into()),
            },
            _ => return self.fail("invalid syntax"),
        };
        self.advance();
        Ok(make(self.since(start), kind))
    }

    fn parenthesized(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        self.advance();
        if self.takes(")") {
            return Ok(make(self.since(start), ExprKind::Tuple(Vec::new())));
        }
        let mut inner = if self.is_word("yield") { self.yielded()? } else { self.expr_list()? };
        if self.is_comp() {
            let fors = self.comp_fors()?;
            self.expect(")")?;
            return Ok(make(
                self.since(start),
                ExprKind::Comp(CompKind::Generator, Box::new(inner), None, fors),
            ));
        }
        self.expect(")")?;
        if matches!(inner.kind, ExprKind::Tuple(_)) {
            inner.at = self.since(start);
        }
        Ok(inner)
    }

    fn list(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        self.advance();
        let mut items = Vec::new();
        while !self.is("]") {
            items.push(self.star_or_named()?);
            if items.len() == 1 && self.is_comp() {
                let fors = self.comp_fors()?;
                self.expect("]")?;
                let element = Box::new(items.remove(0));
                return Ok(make(self.since(start), ExprKind::Comp(CompKind::List, element, None, fors)));
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect("]")?;
        Ok(make(self.since(start), ExprKind::List(items)))
    }

    fn braces(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        self.advance();
        let (mut pairs, mut items) = (Vec::new(), Vec::new());
        while !self.is("}") {
            if self.takes("**") {
                pairs.push((None, self.binary(1)?));
            } else {
                let first = self.star_or_named()?;
                let second = if self.takes(":") { Some(self.expr()?) } else { None };
                if self.is_comp() {
                    let fors = self.comp_fors()?;
                    self.expect("}")?;
                    let kind = if second.is_some() { CompKind::Dict } else { CompKind::Set };
                    return Ok(make(
                        self.since(start),
                        ExprKind::Comp(kind, Box::new(first), second.map(Box::new), fors),
                    ));
                }
                match second {
                    Some(value) => pairs.push((Some(first), value)),
                    None if pairs.is_empty() => items.push(first),
                    None => return self.fail("':' expected after dictionary key"),
                }
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect("}")?;
        let kind = if items.is_empty() { ExprKind::Dict(pairs) } else { ExprKind::Set(items) };
        Ok(make(self.since(start), kind))
    }
}
