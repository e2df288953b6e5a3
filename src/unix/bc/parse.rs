//! bc's lexer and parser.

/// A token of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BcToken {
    /// Digits and a point.
    Number(String),
    /// A name or a keyword.
    Name(String),
    /// `"..."`
    Text(String),
    /// An operator.
    Sign(&'static str),
    /// The end of a line.
    Newline,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    Number(String),
    Variable(String),
    /// `x = e`, `x += e`: the operator without `=`.
    Assign(String, &'static str, Box<Expr>),
    /// `x++`, `--x`: the change, and whether the new value is the result.
    Step(String, bool, bool),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    /// In parentheses: an assignment inside is printed.
    Group(Box<Expr>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Printed, unless it is an assignment.
    Value(Expr),
    Text(String),
    Print(Vec<Result<Expr, String>>),
    Block(Vec<Statement>),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    While(Expr, Box<Statement>),
    For(Option<Expr>, Option<Expr>, Option<Expr>, Box<Statement>),
    Break,
    Continue,
    Return(Option<Expr>),
    Define {
        name: String,
        parameters: Vec<String>,
        locals: Vec<String>,
        body: Vec<Statement>,
    },
    Quit,
}

const SIGNS: &[&str] = &[
    "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=", "!=", "&&", "||", "++", "--", "+", "-", "*", "/",
    "%", "^", "=", "<", ">", "!", "(", ")", "{", "}", ";", ",",
];
/// Maximum nesting depth.
const MAX_DEPTH: u32 = 200;

/// The token at the start of `rest` and its length; an error if there is none.
pub fn token(rest: &str) -> Result<(Option<BcToken>, usize), ()> {
    let first = rest.chars().next().ok_or(())?;
    if first == '\n' {
        return Ok((Some(BcToken::Newline), 1));
    }
    if let Some(rest) = rest.strip_prefix("\\\n") {
        let _ = rest;
        return Ok((None, 2));
    }
    if first.is_whitespace() {
        return Ok((None, first.len_utf8()));
    }
    if first == '#' {
        return Ok((None, rest.find('\n').unwrap_or(rest.len())));
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        return Ok((None, comment.find("*/").map_or(rest.len(), |end| end + 4)));
    }
    if let Some(text) = rest.strip_prefix('"') {
        let end = text.find('"').unwrap_or(text.len());
        return Ok((Some(BcToken::Text(text[..end].to_owned())), (end + 2).min(rest.len())));
    }
    if first.is_ascii_digit() || first == '.' {
        let mut points = 0;
        let end = rest
            .find(|c: char| {
                points += u32::from(c == '.');
                !(c.is_ascii_digit() || c == '.' && points < 2)
            })
            .unwrap_or(rest.len());
        return Ok((Some(BcToken::Number(rest[..end].to_owned())), end));
    }
    if first.is_ascii_lowercase() {
        let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        return Ok((Some(BcToken::Name(rest[..end].to_owned())), end));
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Some(BcToken::Sign(sign)), sign.len())),
        None => Err(()),
    }
}

/// Parses statements from tokens.
pub struct BcParser {
    pub tokens: Vec<BcToken>,
    pub at: usize,
    depth: u32,
}

type BcParseResult<T> = Result<T, ()>;

impl BcParser {
    /// A parser over these tokens.
    pub const fn new(tokens: Vec<BcToken>) -> Self {
        Self { tokens, at: 0, depth: 0 }
    }

    fn peek(&self) -> Option<&BcToken> {
        self.tokens.get(self.at)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(BcToken::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> BcParseResult<()> {
        if self.sign(sign) { Ok(()) } else { Err(()) }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(BcToken::Name(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    fn newlines(&mut self) {
        while self.peek() == Some(&BcToken::Newline) {
            self.at += 1;
        }
    }

    /// The statements of a line.
    pub fn line(&mut self) -> BcParseResult<Vec<Statement>> {
        let mut all = Vec::new();
        loop {
            match self.peek() {
                None => return Ok(all),
                Some(BcToken::Newline) => {
                    self.at += 1;
                    return Ok(all);
                }
                Some(BcToken::Sign(";")) => {
                    self.at += 1;
                    continue;
                }
                Some(_) => all.push(self.statement()?),
            }
            if !matches!(self.peek(), None | Some(BcToken::Newline | BcToken::Sign(";"))) {
                let block = matches!(all.last(), Some(Statement::Define { .. } | Statement::Block(_)));
                if !block {
                    return Err(());
                }
            }
        }
    }

    fn block(&mut self) -> BcParseResult<Vec<Statement>> {
        let mut all = Vec::new();
        loop {
            match self.peek() {
                None => return Err(()),
                Some(BcToken::Newline | BcToken::Sign(";")) => self.at += 1,
                Some(BcToken::Sign("}")) => {
                    self.at += 1;
                    return Ok(all);
                }
                Some(_) => all.push(self.statement()?),
            }
        }
    }

    fn statement(&mut self) -> BcParseResult<Statement> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(());
        }
        let statement = self.statement_within();
        self.depth -= 1;
        statement
    }

    fn statement_within(&mut self) -> BcParseResult<Statement> {
        if self.sign("{") {
            return Ok(Statement::Block(self.block()?));
        }
        if let Some(BcToken::Text(text)) = self.peek() {
            let text = text.clone();
            self.at += 1;
            return Ok(Statement::Text(text));
        }
        let Some(BcToken::Name(name)) = self.peek() else { return Ok(Statement::Value(self.expression()?)) };
        match name.clone().as_str() {
            "if" => self.conditional(),
            "while" => {
                self.at += 1;
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                self.newlines();
                Ok(Statement::While(condition, Box::new(self.statement()?)))
            }
            "for" => self.counting(),
            "define" => self.definition(),
            "print" => {
                self.at += 1;
                let mut items = vec![self.item()?];
                while self.sign(",") {
                    items.push(self.item()?);
                }
                Ok(Statement::Print(items))
            }
            "break" => self.plain(Statement::Break),
            "continue" => self.plain(Statement::Continue),
            "quit" | "halt" => self.plain(Statement::Quit),
            "return" => {
                self.at += 1;
                let ends = matches!(self.peek(), None | Some(BcToken::Newline | BcToken::Sign(";" | "}")));
                Ok(Statement::Return(if ends { None } else { Some(self.expression()?) }))
            }
            _ => Ok(Statement::Value(self.expression()?)),
        }
    }

    fn plain(&mut self, statement: Statement) -> BcParseResult<Statement> {
        self.at += 1;
        Ok(statement)
    }

    fn item(&mut self) -> BcParseResult<Result<Expr, String>> {
        if let Some(BcToken::Text(text)) = self.peek() {
            let text = text.clone();
            self.at += 1;
            return Ok(Err(text));
        }
        Ok(Ok(self.expression()?))
    }

    fn conditional(&mut self) -> BcParseResult<Statement> {
        self.at += 1;
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        self.newlines();
        let yes = Box::new(self.statement()?);
        let before = self.at;
        while matches!(self.peek(), Some(BcToken::Newline | BcToken::Sign(";"))) {
            self.at += 1;
        }
        if self.word("else") {
            self.newlines();
            return Ok(Statement::If(condition, yes, Some(Box::new(self.statement()?))));
        }
        self.at = before;
        Ok(Statement::If(condition, yes, None))
    }

    fn counting(&mut self) -> BcParseResult<Statement> {
        self.at += 1;
        self.expect("(")?;
        let mut parts = [None, None, None];
        for (part, end) in parts.iter_mut().zip([";", ";", ")"]) {
            if !self.sign(end) {
                *part = Some(self.expression()?);
                self.expect(end)?;
            }
        }
        self.newlines();
        let [first, test, step] = parts;
        Ok(Statement::For(first, test, step, Box::new(self.statement()?)))
    }

    fn names(&mut self, end: &[&str]) -> BcParseResult<Vec<String>> {
        let mut names = Vec::new();
        loop {
            match self.peek().cloned() {
                Some(BcToken::Name(name)) => names.push(name),
                Some(BcToken::Sign(sign)) if end.contains(&sign) => break,
                Some(BcToken::Newline) if end.contains(&";") => break,
                _ => return Err(()),
            }
            self.at += 1;
            let _ = self.sign(",");
        }
        self.at += 1;
        Ok(names)
    }

    fn definition(&mut self) -> BcParseResult<Statement> {
        self.at += 1;
        let _ = self.word("void");
        let Some(BcToken::Name(name)) = self.peek().cloned() else { return Err(()) };
        self.at += 1;
        self.expect("(")?;
        let parameters = self.names(&[")"])?;
        self.newlines();
        self.expect("{")?;
        self.newlines();
        let locals = if self.word("auto") { self.names(&[";"])? } else { Vec::new() };
        Ok(Statement::Define { name, parameters, locals, body: self.block()? })
    }

    /// An expression.
    pub fn expression(&mut self) -> BcParseResult<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(());
        }
        let expression = self.level(0);
        self.depth -= 1;
        expression
    }

    /// Binary operators, loosest binding first.
    fn level(&mut self, level: usize) -> BcParseResult<Expr> {
        const LEVELS: &[&[&str]] = &[
            &["||"],
            &["&&"],
            &["!"],
            &["==", "<=", ">=", "!=", "<", ">"],
            &["="],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(signs) = LEVELS.get(level) else { return self.power() };
        if *signs == ["!"] {
            if self.sign("!") {
                return Ok(Expr::Unary("!", Box::new(self.level(level)?)));
            }
            return self.level(level + 1);
        }
        if *signs == ["="] {
            return self.assignment(level);
        }
        let mut left = self.level(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.sign(sign)) {
            left = Expr::Binary(sign, Box::new(left), Box::new(self.level(level + 1)?));
        }
        Ok(left)
    }

    fn assignment(&mut self, level: usize) -> BcParseResult<Expr> {
        if let (Some(BcToken::Name(name)), Some(BcToken::Sign(sign))) =
            (self.peek().cloned(), self.tokens.get(self.at + 1))
            && let Some(operator) = ["", "+", "-", "*", "/", "%", "^"]
                .into_iter()
                .find(|operator| sign.strip_suffix('=') == Some(*operator))
            && !matches!(*sign, "==" | "<=" | ">=" | "!=")
        {
            self.at += 2;
            return Ok(Expr::Assign(name, operator, Box::new(self.assignment(level)?)));
        }
        self.level(level + 1)
    }

    fn unary(&mut self) -> BcParseResult<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(());
        }
        // A minus binds tighter than a power: -2^2 is 4.
        let value = if self.sign("-") { Expr::Unary("-", Box::new(self.unary()?)) } else { self.primary()? };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> BcParseResult<Expr> {
        let base = self.unary()?;
        if self.sign("^") {
            let exponent = self.power()?;
            return Ok(Expr::Binary("^", Box::new(base), Box::new(exponent)));
        }
        Ok(base)
    }

    fn primary(&mut self) -> BcParseResult<Expr> {
        for (sign, up) in [("++", true), ("--", false)] {
            if self.sign(sign) {
                let Some(BcToken::Name(name)) = self.peek().cloned() else { return Err(()) };
                self.at += 1;
                return Ok(Expr::Step(name, up, true));
            }
        }
        let token = self.peek().cloned().ok_or(())?;
        self.at += 1;
        match token {
            BcToken::Number(text) => Ok(Expr::Number(text)),
            BcToken::Sign("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(Expr::Group(Box::new(inner)))
            }
            BcToken::Name(name) if self.sign("(") => {
                let mut arguments = Vec::new();
                while !self.sign(")") {
                    arguments.push(self.expression()?);
                    if !self.sign(",") && !matches!(self.peek(), Some(BcToken::Sign(")"))) {
                        return Err(());
                    }
                }
                Ok(Expr::Call(name, arguments))
            }
            BcToken::Name(name) => {
                for (sign, up) in [("++", true), ("--", false)] {
                    if self.sign(sign) {
                        return Ok(Expr::Step(name, up, false));
                    }
                }
                Ok(Expr::Variable(name))
            }
            BcToken::Text(_) | BcToken::Sign(_) | BcToken::Newline => Err(()),
        }
    }
}
