//! Parses simple statements and the patterns of `case`.

use super::ast::*;
use super::lexer::PyToken;
use super::parser::{Parsed, PyParser};

impl PyParser {
    pub(super) fn simple(&mut self) -> Parsed<StmtKind> {
        let word = if let PyToken::Name(word) = self.peek() { word.clone() } else { String::new() };
        match word.as_str() {
            "pass" => {
                self.advance();
                Ok(StmtKind::Pass)
            }
            "break" => {
                self.advance();
                Ok(StmtKind::Break)
            }
            "continue" => {
                self.advance();
                Ok(StmtKind::Continue)
            }
            "return" => {
                self.advance();
                Ok(StmtKind::Return(if self.ends_statement() { None } else { Some(self.expr_list()?) }))
            }
            "raise" => {
                self.advance();
                let value = if self.ends_statement() { None } else { Some(self.expr()?) };
                let cause = if self.takes_word("from") { Some(self.expr()?) } else { None };
                Ok(StmtKind::Raise(value, cause))
            }
            "assert" => {
                self.advance();
                let test = self.expr()?;
                Ok(StmtKind::Assert(test, if self.takes(",") { Some(self.expr()?) } else { None }))
            }
            "del" => {
                self.advance();
                let targets = self.expr_list()?;
                Ok(StmtKind::Delete(if let ExprKind::Tuple(items) = targets.kind {
                    items
                } else {
                    vec![targets]
                }))
            }
            "global" | "nonlocal" => {
                self.advance();
                let mut names = vec![self.name()?];
                while self.takes(",") {
                    names.push(self.name()?);
                }
                Ok(if word == "global" { StmtKind::Global(names) } else { StmtKind::Nonlocal(names) })
            }
            "import" => {
                self.advance();
                let mut modules = Vec::new();
                loop {
                    let module = self.dotted()?;
                    modules.push((module, if self.takes_word("as") { Some(self.name()?) } else { None }));
                    if !self.takes(",") {
                        return Ok(StmtKind::Import(modules));
                    }
                }
            }
            "from" => self.from(),
            _ => self.assignment(),
        }
    }

    fn ends_statement(&self) -> bool {
        matches!(self.peek(), PyToken::Newline | PyToken::End) || self.is(";") || self.is_word("from")
    }

    fn dotted(&mut self) -> Parsed<PyName> {
        let mut name = self.name()?.to_string();
        while self.takes(".") {
            name.push('.');
            name += &self.name()?;
        }
        Ok(name.into())
    }

    fn from(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let mut dots = 0;
        loop {
            if self.takes(".") {
                dots += 1;
            } else if self.takes("...") {
                dots += 3;
            } else {
                break;
            }
        }
        let module = if self.is_word("import") { "".into() } else { self.dotted()? };
        if !self.takes_word("import") {
            return self.fail("invalid syntax");
        }
        if self.takes("*") {
            return Ok(StmtKind::From(dots, module, Vec::new()));
        }
        let closed = self.takes("(");
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            names.push((name, if self.takes_word("as") { Some(self.name()?) } else { None }));
            if !self.takes(",") || closed && self.is(")") {
                break;
            }
        }
        if closed {
            self.expect(")")?;
        }
        Ok(StmtKind::From(dots, module, names))
    }

    fn assignment(&mut self) -> Parsed<StmtKind> {
        let first = if self.is_word("yield") { self.yielded()? } else { self.expr_list()? };
        if self.takes(":") {
            let annotation = self.expr()?;
            let value = if self.takes("=") { Some(self.expr_list()?) } else { None };
            return Ok(StmtKind::Annotated(first, annotation, value));
        }
        for op in ["+", "-", "*", "/", "//", "%", "@", "&", "|", "^", ">>", "<<", "**"] {
            if self.is(&format!("{op}=")) {
                self.check_target(&first, "")?;
                self.advance();
                let value = if self.is_word("yield") { self.yielded()? } else { self.expr_list()? };
                return Ok(StmtKind::Augmented(first, op, value));
            }
        }
        if !self.is("=") {
            return Ok(StmtKind::Expr(first));
        }
        let mut targets = vec![first];
        while self.takes("=") {
            targets.push(if self.is_word("yield") { self.yielded()? } else { self.expr_list()? });
        }
        let Some(value) = targets.pop() else { return self.fail("invalid syntax") };
        for target in &targets {
            self.check_target(target, " here. Maybe you meant '==' instead of '='?")?;
        }
        Ok(StmtKind::Assign(targets, value))
    }

    fn check_target(&self, target: &PyExpr, hint: &str) -> Parsed<()> {
        let what = match &target.kind {
            ExprKind::Name(_) | ExprKind::Attr(..) | ExprKind::Index(..) => return Ok(()),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                return items.iter().try_for_each(|item| self.check_target(item, ""));
            }
            ExprKind::Starred(inner) => return self.check_target(inner, ""),
            ExprKind::Call(..) => "function call",
            ExprKind::None => return self.fail_at("cannot assign to None", target.at),
            ExprKind::Bool(true) => return self.fail_at("cannot assign to True", target.at),
            ExprKind::Bool(false) => return self.fail_at("cannot assign to False", target.at),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Text(_) | ExprKind::Bytes(_) => "literal",
            ExprKind::Compare(..) => "comparison",
            ExprKind::Lambda(..) => "lambda",
            ExprKind::If(..) => "conditional expression",
            ExprKind::Format(_) => "f-string expression",
            _ => "expression",
        };
        self.fail_at(&format!("cannot assign to {what}{hint}"), target.at)
    }

    pub(super) fn pattern_list(&mut self) -> Parsed<MatchPattern> {
        let first = self.starred_pattern()?;
        if !self.is(",") && !first.0 {
            return Ok(first.1);
        }
        let mut items = vec![first];
        while self.takes(",") {
            if self.is(":") || self.is_word("if") {
                break;
            }
            items.push(self.starred_pattern()?);
        }
        Ok(MatchPattern::Sequence(items))
    }

    fn starred_pattern(&mut self) -> Parsed<(bool, MatchPattern)> {
        if self.takes("*") {
            let name = self.name()?;
            return Ok((true, MatchPattern::Any(Some(name).filter(|n| &**n != "_"))));
        }
        Ok((false, self.deeper(Self::pattern)?))
    }

    fn pattern(&mut self) -> Parsed<MatchPattern> {
        let mut options = vec![self.closed_pattern()?];
        while self.takes("|") {
            options.push(self.closed_pattern()?);
        }
        let pattern = if options.len() == 1 { options.remove(0) } else { MatchPattern::Or(options) };
        Ok(if self.takes_word("as") { MatchPattern::As(Box::new(pattern), self.name()?) } else { pattern })
    }

    fn sequence_until(&mut self, end: &str) -> Parsed<(Vec<(bool, MatchPattern)>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        while !self.is(end) {
            items.push(self.starred_pattern()?);
            if !self.takes(",") {
                break;
            }
            comma = true;
        }
        self.expect(end)?;
        Ok((items, comma))
    }

    fn closed_pattern(&mut self) -> Parsed<MatchPattern> {
        if self.takes("(") {
            let (mut items, comma) = self.sequence_until(")")?;
            return Ok(if items.len() == 1 && !comma && !items[0].0 {
                items.remove(0).1
            } else {
                MatchPattern::Sequence(items)
            });
        }
        if self.takes("[") {
            return Ok(MatchPattern::Sequence(self.sequence_until("]")?.0));
        }
        if self.takes("{") {
            let (mut pairs, mut rest) = (Vec::new(), None);
            while !self.is("}") {
                if self.takes("**") {
                    rest = Some(self.name()?);
                } else {
                    let key = self.target()?;
                    self.expect(":")?;
                    pairs.push((key, self.deeper(Self::pattern)?));
                }
                if !self.takes(",") {
                    break;
                }
            }
            self.expect("}")?;
            return Ok(MatchPattern::Mapping(pairs, rest));
        }
        let negative = self.is("-");
        let value = if negative { self.expr()? } else { self.pattern_value()? };
        Ok(match value.kind {
            ExprKind::Name(name) if self.is("(") => {
                self.class_pattern(PyExpr { at: value.at, kind: ExprKind::Name(name) })?
            }
            ExprKind::Name(name) => MatchPattern::Any(Some(name).filter(|n| &**n != "_")),
            ExprKind::Attr(..) if self.is("(") => self.class_pattern(value)?,
            _ => MatchPattern::Value(value),
        })
    }

    /// A literal or a dotted name.
    fn pattern_value(&mut self) -> Parsed<PyExpr> {
        let start = self.start();
        let mut value = match self.peek() {
            PyToken::Name(word) if !Self::is_keyword(word) => {
                let kind = ExprKind::Name(self.name()?);
                PyExpr { at: self.since(start), kind }
            }
            _ => return self.target(),
        };
        while self.takes(".") {
            let kind = ExprKind::Attr(Box::new(value), self.name()?);
            value = PyExpr { at: self.since(start), kind };
        }
        Ok(value)
    }

    fn class_pattern(&mut self, class: PyExpr) -> Parsed<MatchPattern> {
        self.advance();
        let (mut items, mut named) = (Vec::new(), Vec::new());
        while !self.is(")") {
            let pattern = self.deeper(Self::pattern)?;
            match pattern {
                MatchPattern::Any(Some(name)) if self.takes("=") => {
                    named.push((name, self.deeper(Self::pattern)?))
                }
                pattern => items.push(pattern),
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(MatchPattern::Class(class, items, named))
    }
}
