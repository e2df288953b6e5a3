//! Parses statements. Every recursion is bounded. Common errors have CPython's messages.

use super::ast::*;
use super::lexer::{PyToken, SyntaxFault, tokens};
use std::sync::Arc;

/// Reserved words.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];
/// Maximum nesting of statements and expressions.
const MAX_DEPTH: u32 = 90;

pub(super) type Parsed<T> = Result<T, SyntaxFault>;

/// A parser: the tokens and its position in them.
pub(crate) struct PyParser {
    tokens: Vec<(PyToken, SourceSpan)>,
    pub(super) at: usize,
    pub(super) depth: u32,
    /// Added to ranges: the offset of an f-string's expression.
    pub(super) offset: u32,
    pub(super) source: Arc<str>,
    unclosed: Option<SyntaxFault>,
}

/// The statements of a program.
pub(crate) fn parse(source: &str) -> Parsed<Vec<PyStmt>> {
    let mut parser = PyParser::new(source, 0)?;
    let unclosed = parser.unclosed.take();
    let result = statements(&mut parser);
    match (unclosed, result) {
        (None, result) => result,
        (Some(open), Err(fault)) if same_line(source, open.at.0, fault.at.0) => Err(fault),
        (Some(open), _) => Err(open),
    }
}

/// Whether an error is on the line of an open bracket, before the end of the source.
fn same_line(source: &str, open: u32, fault: u32) -> bool {
    let between = source.get(open as usize..fault as usize);
    between.is_some_and(|t| !t.contains('\n')) && (fault as usize) < source.trim_end().len()
}

fn statements(parser: &mut PyParser) -> Parsed<Vec<PyStmt>> {
    let mut body = Vec::new();
    while *parser.peek() != PyToken::End {
        if *parser.peek() == PyToken::Indent {
            return Err(SyntaxFault {
                class: "IndentationError",
                message: "unexpected indent".into(),
                at: parser.span(),
            });
        }
        parser.statement(&mut body)?;
    }
    Ok(body)
}

/// Parses a text that is a single expression.
pub(crate) fn parse_expression(source: &str) -> Parsed<PyExpr> {
    let blank = source.len() - source.trim_start_matches([' ', '\t']).len();
    let text = format!("{}\n", source.get(blank..).unwrap_or(""));
    let mut parser = PyParser::new(&text, u32::try_from(blank).unwrap_or(0))?;
    if let Some(unclosed) = parser.unclosed.take() {
        return Err(unclosed);
    }
    let value = parser.expr_list()?;
    while *parser.peek() == PyToken::Newline {
        parser.at += 1;
    }
    if *parser.peek() == PyToken::End { Ok(value) } else { parser.fail("invalid syntax") }
}

impl PyParser {
    pub(super) fn new(source: &str, offset: u32) -> Parsed<Self> {
        let moved = |mut fault: SyntaxFault| {
            fault.at = (fault.at.0 + offset, fault.at.1 + offset);
            fault
        };
        let (tokens, unclosed) = tokens(source).map_err(moved)?;
        let unclosed = unclosed.map(moved);
        if let Some(unclosed) = unclosed.clone().filter(|_| offset > 0) {
            return Err(unclosed);
        }
        Ok(Self { tokens, at: 0, depth: 0, offset, source: source.into(), unclosed })
    }

    pub(super) fn peek(&self) -> &PyToken {
        self.tokens.get(self.at).map_or(&PyToken::End, |t| &t.0)
    }

    pub(super) fn peek_after(&self, n: usize) -> &PyToken {
        self.tokens.get(self.at + n).map_or(&PyToken::End, |t| &t.0)
    }

    pub(super) fn span(&self) -> SourceSpan {
        let at = self.tokens.get(self.at).or(self.tokens.last()).map_or((0, 0), |t| t.1);
        (at.0 + self.offset, at.1 + self.offset)
    }

    pub(super) fn start(&self) -> u32 {
        self.span().0
    }

    /// The range from `start` to the last token.
    pub(super) fn since(&self, start: u32) -> SourceSpan {
        let end =
            self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |t| t.1.1 + self.offset);
        (start, end)
    }

    pub(super) fn advance(&mut self) -> PyToken {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    pub(super) fn is(&self, op: &str) -> bool {
        matches!(self.peek(), PyToken::Op(o) if *o == op)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), PyToken::Name(w) if w == word)
    }

    pub(super) fn takes(&mut self, op: &str) -> bool {
        let yes = self.is(op);
        self.at += usize::from(yes);
        yes
    }

    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let yes = self.is_word(word);
        self.at += usize::from(yes);
        yes
    }

    pub(super) fn fail<T>(&self, message: &str) -> Parsed<T> {
        Err(SyntaxFault { class: "SyntaxError", message: message.into(), at: self.span() })
    }

    pub(super) fn fail_at<T>(&self, message: &str, at: SourceSpan) -> Parsed<T> {
        Err(SyntaxFault { class: "SyntaxError", message: message.into(), at })
    }

    pub(super) fn expect(&mut self, op: &str) -> Parsed<()> {
        if self.takes(op) {
            return Ok(());
        }
        if op == ":" && *self.peek() == PyToken::Newline {
            return self.fail("expected ':'");
        }
        if matches!(op, ")" | "]" | "}")
            && matches!(self.peek(), PyToken::Name(_) | PyToken::Text(..) | PyToken::Int(_))
        {
            return self.fail("invalid syntax. Perhaps you forgot a comma?");
        }
        self.fail("invalid syntax")
    }

    /// A name that is not a keyword.
    pub(super) fn name(&mut self) -> Parsed<PyName> {
        match self.peek() {
            PyToken::Name(word) if !KEYWORDS.contains(&word.as_str()) => {
                let name = PyName::from(word.as_str());
                self.at += 1;
                Ok(name)
            }
            _ => self.fail("invalid syntax"),
        }
    }

    pub(super) fn is_keyword(word: &str) -> bool {
        KEYWORDS.contains(&word)
    }

    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail("too many nested parentheses");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn statement(&mut self, out: &mut Vec<PyStmt>) -> Parsed<()> {
        let start = self.start();
        let compound = match self.peek() {
            PyToken::Op("@") => true,
            PyToken::Name(w) => {
                matches!(w.as_str(), "if" | "while" | "for" | "try" | "with" | "def" | "class" | "async")
                    || w == "match" && self.is_match()
            }
            _ => false,
        };
        if compound {
            let kind = self.deeper(Self::compound)?;
            out.push(PyStmt { at: self.since(start), kind });
            return Ok(());
        }
        loop {
            let start = self.start();
            let kind = self.simple()?;
            out.push(PyStmt { at: self.since(start), kind });
            if !self.takes(";") {
                break;
            }
            if *self.peek() == PyToken::Newline {
                break;
            }
        }
        match self.peek() {
            PyToken::Newline => {
                self.at += 1;
                Ok(())
            }
            PyToken::End => Ok(()),
            _ => self.after_statement(start),
        }
    }

    /// The error for the text after a complete statement.
    fn after_statement<T>(&self, start: u32) -> Parsed<T> {
        let first = self.source.get((start - self.offset) as usize..).unwrap_or("");
        if first.starts_with("print ") {
            let end = start + u32::try_from(first.find('\n').unwrap_or(first.len())).unwrap_or(0);
            return self
                .fail_at("Missing parentheses in call to 'print'. Did you mean print(...)?", (start, end));
        }
        self.fail("invalid syntax")
    }

    /// `match` begins a statement if its line ends with a colon.
    fn is_match(&self) -> bool {
        if matches!(self.peek_after(1), PyToken::Op("=" | "." | "," | ")" | ":") | PyToken::Newline) {
            return false;
        }
        let line = self.tokens.iter().skip(self.at).take_while(|t| t.0 != PyToken::Newline);
        line.last().is_some_and(|t| t.0 == PyToken::Op(":"))
    }

    /// The block after a colon. `what` names the statement in messages.
    pub(super) fn block(&mut self, what: &str, start: u32) -> Parsed<Vec<PyStmt>> {
        self.expect(":")?;
        let mut body = Vec::new();
        if *self.peek() != PyToken::Newline {
            self.statement(&mut body)?;
            return Ok(body);
        }
        self.at += 1;
        if *self.peek() != PyToken::Indent {
            let line =
                self.source.get(..(start - self.offset) as usize).unwrap_or("").matches('\n').count() + 1;
            let message = format!("expected an indented block after {what} on line {line}");
            return Err(SyntaxFault { class: "IndentationError", message, at: self.span() });
        }
        self.at += 1;
        while !matches!(self.peek(), PyToken::Dedent | PyToken::End) {
            if *self.peek() == PyToken::Indent {
                return Err(SyntaxFault {
                    class: "IndentationError",
                    message: "unexpected indent".into(),
                    at: self.span(),
                });
            }
            self.statement(&mut body)?;
        }
        self.at += 1;
        Ok(body)
    }

    fn compound(&mut self) -> Parsed<StmtKind> {
        let start = self.start();
        if self.is("@") {
            let mut decorators = Vec::new();
            while self.takes("@") {
                decorators.push(self.named_expr()?);
                if self.advance() != PyToken::Newline {
                    return self.fail("invalid syntax");
                }
            }
            return if self.is_word("class") { self.class(decorators) } else { self.function(decorators) };
        }
        let PyToken::Name(word) = self.peek().clone() else { return self.fail("invalid syntax") };
        match word.as_str() {
            "def" => return self.function(Vec::new()),
            "class" => return self.class(Vec::new()),
            "async" => match self.peek_after(1) {
                PyToken::Name(w) if w == "def" => return self.function(Vec::new()),
                PyToken::Name(w) if w == "for" => return self.async_for(start),
                PyToken::Name(w) if w == "with" => return self.async_with(start),
                _ => return self.fail("invalid syntax"),
            },
            _ => self.at += 1,
        }
        let what = format!("'{word}' statement");
        Ok(match word.as_str() {
            "if" => self.if_rest(start, "if")?,
            "while" => {
                let test = self.named_expr()?;
                let body = self.block(&what, start)?;
                StmtKind::While(test, body, self.else_block()?)
            }
            "for" => {
                let target = self.targets()?;
                if !self.takes_word("in") {
                    return self.fail("invalid syntax");
                }
                let iter = self.expr_list()?;
                let body = self.block(&what, start)?;
                StmtKind::For(target, iter, body, self.else_block()?)
            }
            "try" => self.try_rest(start)?,
            "with" => self.with_rest(start)?,
            _ => self.match_rest(start)?,
        })
    }

    pub(super) fn else_block(&mut self) -> Parsed<Vec<PyStmt>> {
        let start = self.start();
        if self.takes_word("else") { self.block("'else' statement", start) } else { Ok(Vec::new()) }
    }

    fn if_rest(&mut self, start: u32, word: &str) -> Parsed<StmtKind> {
        let test = self.named_expr()?;
        if self.is("=") {
            if matches!(test.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Text(_)) {
                return self
                    .fail_at("cannot assign to literal here. Maybe you meant '==' instead of '='?", test.at);
            }
            self.advance();
            let value = self.expr()?;
            return self.fail_at(
                "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
                (test.at.0, value.at.1),
            );
        }
        let body = self.block(&format!("'{word}' statement"), start)?;
        let next = self.start();
        if self.takes_word("elif") {
            let kind = self.deeper(|p| p.if_rest(next, "elif"))?;
            return Ok(StmtKind::If(test, body, vec![PyStmt { at: self.since(next), kind }]));
        }
        Ok(StmtKind::If(test, body, self.else_block()?))
    }

    fn try_rest(&mut self, start: u32) -> Parsed<StmtKind> {
        let body = self.block("'try' statement", start)?;
        let mut handlers = Vec::new();
        let mut stars = None;
        loop {
            let start = self.start();
            if !self.takes_word("except") {
                break;
            }
            let star = self.takes("*");
            if stars.is_some_and(|stars| stars != star) {
                return self.fail("cannot have both 'except' and 'except*' on the same 'try'");
            }
            stars = Some(star);
            if star && self.is(":") {
                return self.fail("expected one or more exception types");
            }
            let kind = if self.is(":") { None } else { Some(self.expr()?) };
            let name = if self.takes_word("as") { Some(self.name()?) } else { None };
            if self.is(",") {
                return self.fail("multiple exception types must be parenthesized");
            }
            let at = self.since(start);
            handlers.push(Handler {
                at,
                kind,
                name,
                body: self.block(if star { "'except*' statement" } else { "'except' statement" }, start)?,
            });
        }
        let otherwise = self.else_block()?;
        let start = self.start();
        let last =
            if self.takes_word("finally") { self.block("'finally' statement", start)? } else { Vec::new() };
        if handlers.is_empty() && last.is_empty() {
            return self.fail("expected 'except' or 'finally' block");
        }
        if stars == Some(true) {
            return Ok(StmtKind::TryStar(body, handlers, otherwise, last));
        }
        Ok(StmtKind::Try(body, handlers, otherwise, last))
    }

    fn function(&mut self, decorators: Vec<PyExpr>) -> Parsed<StmtKind> {
        let start = self.start();
        let is_async = self.takes_word("async");
        if !self.takes_word("def") {
            return self.fail("invalid syntax");
        }
        let name = self.name()?;
        if !self.takes("(") {
            return self.fail("expected '('");
        }
        let params = self.params(")", true)?;
        self.expect(")")?;
        let mut params = params;
        if self.takes("->") {
            params.annotations.push(("return".into(), self.expr()?));
        }
        let body = self.block("function definition", start)?;
        Ok(StmtKind::Function(Arc::new(FunctionDef { name, params, body, decorators, is_async })))
    }

    pub(super) fn params(&mut self, end: &str, annotated: bool) -> Parsed<Params> {
        let mut params = Params::default();
        let mut after_star = false;
        while !self.is(end) {
            if self.takes("**") {
                params.star_star = Some(self.param(&mut params.annotations, annotated)?);
            } else if self.takes("*") {
                after_star = true;
                if !self.is(",") {
                    params.star = Some(self.param(&mut params.annotations, annotated)?);
                }
            } else if self.takes("/") {
                params.positional_only = params.names.len();
            } else {
                let start = self.start();
                let name = self.param(&mut params.annotations, annotated)?;
                let default = if self.takes("=") { Some(self.expr()?) } else { None };
                if params.names.contains(&name) || params.keyword_only.iter().any(|k| k.0 == name) {
                    return self.fail_at(
                        &format!("duplicate argument '{name}' in function definition"),
                        self.since(start),
                    );
                }
                if after_star {
                    params.keyword_only.push((name, default));
                } else {
                    if default.is_none() && !params.defaults.is_empty() {
                        return self
                            .fail_at("non-default argument follows default argument", self.since(start));
                    }
                    params.names.push(name);
                    params.defaults.extend(default);
                }
            }
            if !self.takes(",") {
                break;
            }
        }
        Ok(params)
    }

    fn param(&mut self, annotations: &mut Vec<(PyName, PyExpr)>, annotated: bool) -> Parsed<PyName> {
        let name = self.name()?;
        if annotated && self.takes(":") {
            annotations.push((name.clone(), self.expr()?));
        }
        Ok(name)
    }

    fn class(&mut self, decorators: Vec<PyExpr>) -> Parsed<StmtKind> {
        let start = self.start();
        self.at += 1;
        let name = self.name()?;
        let bases = if self.takes("(") { self.call_args()? } else { Vec::new() };
        let body = self.block("class definition", start)?;
        Ok(StmtKind::Class(name, bases, body, decorators))
    }

    fn match_rest(&mut self, start: u32) -> Parsed<StmtKind> {
        let subject = self.expr_list()?;
        self.expect(":")?;
        if self.advance() != PyToken::Newline || self.advance() != PyToken::Indent {
            self.at -= 1;
            let line = self.source.get(..start as usize).unwrap_or("").matches('\n').count() + 1;
            return self.fail(&format!("expected an indented block after 'match' statement on line {line}"));
        }
        let mut cases = Vec::new();
        while !matches!(self.peek(), PyToken::Dedent | PyToken::End) {
            let start = self.start();
            if !self.takes_word("case") {
                return self.fail("invalid syntax");
            }
            let pattern = self.pattern_list()?;
            let guard = if self.takes_word("if") { Some(self.named_expr()?) } else { None };
            cases.push((pattern, guard, self.block("'case' statement", start)?));
        }
        self.at += 1;
        Ok(StmtKind::Match(subject, cases))
    }
}
