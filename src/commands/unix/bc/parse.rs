//! bc's language: words, then statements.

/// A word of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Digits and a point.
    Number(String),
    /// A name or a key word.
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
    /// `x++`, `--x`: the change, and whether the new value counts.
    Step(String, bool, bool),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    /// In parentheses: an assignment in there is printed.
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
/// Deepest nesting.
const MAX_DEPTH: u32 = 200;

/// What stands at the start of `rest`, and how long it is; an error for what is no word at all.
pub fn token(rest: &str) -> Result<(Option<Token>, usize), ()> {
    let first = rest.chars().next().ok_or(())?;
    if first == '\n' {
        return Ok((Some(Token::Newline), 1));
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
        return Ok((Some(Token::Text(text[..end].to_owned())), (end + 2).min(rest.len())));
    }
    if first.is_ascii_digit() || first == '.' {
        let mut points = 0;
        let end = rest
            .find(|c: char| {
                points += u32::from(c == '.');
                !(c.is_ascii_digit() || c == '.' && points < 2)
            })
            .unwrap_or(rest.len());
        return Ok((Some(Token::Number(rest[..end].to_owned())), end));
    }
    if first.is_ascii_lowercase() {
        let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        return Ok((Some(Token::Name(rest[..end].to_owned())), end));
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Some(Token::Sign(sign)), sign.len())),
        None => Err(()),
    }
}

/// Reads statements from words.
pub struct Parser {
    pub tokens: Vec<Token>,
    pub at: usize,
    depth: u32,
}

type Read<T> = Result<T, ()>;

impl Parser {
    /// Over these words.
    pub const fn new(tokens: Vec<Token>) -> Self {
        Self { tokens, at: 0, depth: 0 }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.sign(sign) { Ok(()) } else { Err(()) }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    fn newlines(&mut self) {
        while self.peek() == Some(&Token::Newline) {
            self.at += 1;
        }
    }

    /// The statements of a line.
    pub fn line(&mut self) -> Read<Vec<Statement>> {
        let mut all = Vec::new();
        loop {
            match self.peek() {
                None => return Ok(all),
                Some(Token::Newline) => {
                    self.at += 1;
                    return Ok(all);
                }
                Some(Token::Sign(";")) => {
                    self.at += 1;
                    continue;
                }
                Some(_) => all.push(self.statement()?),
            }
            if !matches!(self.peek(), None | Some(Token::Newline | Token::Sign(";"))) {
                let block = matches!(all.last(), Some(Statement::Define { .. } | Statement::Block(_)));
                if !block {
                    return Err(());
                }
            }
        }
    }

    fn block(&mut self) -> Read<Vec<Statement>> {
        let mut all = Vec::new();
        loop {
            match self.peek() {
                None => return Err(()),
                Some(Token::Newline | Token::Sign(";")) => self.at += 1,
                Some(Token::Sign("}")) => {
                    self.at += 1;
                    return Ok(all);
                }
                Some(_) => all.push(self.statement()?),
            }
        }
    }

    fn statement(&mut self) -> Read<Statement> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(());
        }
        let statement = self.statement_within();
        self.depth -= 1;
        statement
    }

    fn statement_within(&mut self) -> Read<Statement> {
        if self.sign("{") {
            return Ok(Statement::Block(self.block()?));
        }
        if let Some(Token::Text(text)) = self.peek() {
            let text = text.clone();
            self.at += 1;
            return Ok(Statement::Text(text));
        }
        let Some(Token::Name(name)) = self.peek() else { return Ok(Statement::Value(self.expression()?)) };
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
                let ends = matches!(self.peek(), None | Some(Token::Newline | Token::Sign(";" | "}")));
                Ok(Statement::Return(if ends { None } else { Some(self.expression()?) }))
            }
            _ => Ok(Statement::Value(self.expression()?)),
        }
    }

    fn plain(&mut self, statement: Statement) -> Read<Statement> {
        self.at += 1;
        Ok(statement)
    }

    fn item(&mut self) -> Read<Result<Expr, String>> {
        if let Some(Token::Text(text)) = self.peek() {
            let text = text.clone();
            self.at += 1;
            return Ok(Err(text));
        }
        Ok(Ok(self.expression()?))
    }

    fn conditional(&mut self) -> Read<Statement> {
        self.at += 1;
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        self.newlines();
        let yes = Box::new(self.statement()?);
        let before = self.at;
        while matches!(self.peek(), Some(Token::Newline | Token::Sign(";"))) {
            self.at += 1;
        }
        if self.word("else") {
            self.newlines();
            return Ok(Statement::If(condition, yes, Some(Box::new(self.statement()?))));
        }
        self.at = before;
        Ok(Statement::If(condition, yes, None))
    }

    fn counting(&mut self) -> Read<Statement> {
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

    fn names(&mut self, end: &[&str]) -> Read<Vec<String>> {
        let mut names = Vec::new();
        loop {
            match self.peek().cloned() {
                Some(Token::Name(name)) => names.push(name),
                Some(Token::Sign(sign)) if end.contains(&sign) => break,
                Some(Token::Newline) if end.contains(&";") => break,
                _ => return Err(()),
            }
            self.at += 1;
            let _ = self.sign(",");
        }
        self.at += 1;
        Ok(names)
    }

    fn definition(&mut self) -> Read<Statement> {
        self.at += 1;
        let _ = self.word("void");
        let Some(Token::Name(name)) = self.peek().cloned() else { return Err(()) };
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
    pub fn expression(&mut self) -> Read<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(());
        }
        let expression = self.level(0);
        self.depth -= 1;
        expression
    }

    /// Operators, the weakest first.
    fn level(&mut self, level: usize) -> Read<Expr> {
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

    fn assignment(&mut self, level: usize) -> Read<Expr> {
        if let (Some(Token::Name(name)), Some(Token::Sign(sign))) =
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

    fn unary(&mut self) -> Read<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(());
        }
        // A minus binds closer than a power: -2^2 is 4.
        let value = if self.sign("-") { Expr::Unary("-", Box::new(self.unary()?)) } else { self.primary()? };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Read<Expr> {
        let base = self.unary()?;
        if self.sign("^") {
            let exponent = self.power()?;
            return Ok(Expr::Binary("^", Box::new(base), Box::new(exponent)));
        }
        Ok(base)
    }

    fn primary(&mut self) -> Read<Expr> {
        for (sign, up) in [("++", true), ("--", false)] {
            if self.sign(sign) {
                let Some(Token::Name(name)) = self.peek().cloned() else { return Err(()) };
                self.at += 1;
                return Ok(Expr::Step(name, up, true));
            }
        }
        let token = self.peek().cloned().ok_or(())?;
        self.at += 1;
        match token {
            Token::Number(text) => Ok(Expr::Number(text)),
            Token::Sign("(") => {
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(Expr::Group(Box::new(inner)))
            }
            Token::Name(name) if self.sign("(") => {
                let mut arguments = Vec::new();
                while !self.sign(")") {
                    arguments.push(self.expression()?);
                    if !self.sign(",") && !matches!(self.peek(), Some(Token::Sign(")"))) {
                        return Err(());
                    }
                }
                Ok(Expr::Call(name, arguments))
            }
            Token::Name(name) => {
                for (sign, up) in [("++", true), ("--", false)] {
                    if self.sign(sign) {
                        return Ok(Expr::Step(name, up, false));
                    }
                }
                Ok(Expr::Variable(name))
            }
            Token::Text(_) | Token::Sign(_) | Token::Newline => Err(()),
        }
    }
}
