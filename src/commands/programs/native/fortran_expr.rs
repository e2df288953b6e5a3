//! Expressions of Fortran, in lines that are read as tokens.

use super::fortran::{FortranReader, MAX_DEPTH, is_sign};
use super::lex::Token;
use super::tree::CodeExpr;

/// Binary operators by rank, the weakest first.
const RANKS: &[&[&str]] =
    &[&["||"], &["&&"], &["==", "!=", "<", ">", "<=", ">="], &["//"], &["+", "-"], &["*", "/"], &["**"]];

/// Reads expressions of a line.
pub(super) struct FortranExprs<'r> {
    reader: &'r FortranReader,
    line: &'r [Token],
    at: usize,
    depth: u32,
}

impl<'r> FortranExprs<'r> {
    /// The only expression of a text.
    pub(super) fn one(reader: &'r FortranReader, line: &'r [Token]) -> Option<CodeExpr> {
        let mut read = Self { reader, line, at: 0, depth: 0 };
        let value = read.ranked(0)?;
        (read.at == line.len()).then_some(value)
    }

    /// `(a, b, c)`
    pub(super) fn all(reader: &'r FortranReader, line: &'r [Token]) -> Option<Vec<CodeExpr>> {
        let mut read = Self { reader, line, at: 0, depth: 0 };
        let all = read.arguments()?;
        (read.at == line.len()).then_some(all)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let yes = is_sign(self.line, self.at, sign);
        self.at += usize::from(yes);
        yes
    }

    fn arguments(&mut self) -> Option<Vec<CodeExpr>> {
        let mut all = Vec::new();
        if !self.eat("(") {
            return None;
        }
        while !self.eat(")") {
            all.push(self.ranked(0)?);
            if !is_sign(self.line, self.at, ")") && !self.eat(",") {
                return None;
            }
        }
        Some(all)
    }

    fn ranked(&mut self, rank: usize) -> Option<CodeExpr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH * 10 {
            return None;
        }
        let value = self.binary(rank);
        self.depth -= 1;
        value
    }

    fn binary(&mut self, rank: usize) -> Option<CodeExpr> {
        let Some(signs) = RANKS.get(rank) else { return self.primary() };
        if rank == 2 && self.eat("!") {
            return Some(CodeExpr::Unary("!", Box::new(self.ranked(rank)?)));
        }
        let mut left = if rank == 4 && self.eat("-") {
            CodeExpr::Unary("-", Box::new(self.ranked(rank + 1)?))
        } else {
            self.ranked(rank + 1)?
        };
        loop {
            let Some(Token::Sign(sign)) = self.line.get(self.at) else { return Some(left) };
            let Some(op) = signs.iter().find(|s| *s == sign) else { return Some(left) };
            self.at += 1;
            // Powers are taken from the right.
            let right = if *op == "**" { self.ranked(rank)? } else { self.ranked(rank + 1)? };
            left = CodeExpr::Binary(op, Box::new(left), Box::new(right));
        }
    }

    fn primary(&mut self) -> Option<CodeExpr> {
        let token = self.line.get(self.at)?.clone();
        self.at += 1;
        match token {
            Token::Int(n) => Some(CodeExpr::Int(n)),
            Token::Float(x) => Some(CodeExpr::Float(x)),
            Token::Text(text) => Some(CodeExpr::Text(text)),
            Token::Sign("(") => {
                let inner = self.ranked(0)?;
                self.eat(")").then_some(inner)
            }
            Token::Sign("-") => Some(CodeExpr::Unary("-", Box::new(self.ranked(5)?))),
            Token::Name(name) => {
                if !is_sign(self.line, self.at, "(") {
                    return Some(CodeExpr::Name(constant(name)));
                }
                if self.reader.lengths.contains_key(&name) {
                    // `name(1:length)`
                    self.at += 1;
                    let from =
                        if is_sign(self.line, self.at, ":") { CodeExpr::Int(1) } else { self.ranked(0)? };
                    if !self.eat(":") {
                        return None;
                    }
                    let to = self.ranked(0)?;
                    return self
                        .eat(")")
                        .then(|| CodeExpr::Invoke("slice".to_owned(), vec![CodeExpr::Name(name), from, to]));
                }
                let mut args = self.arguments()?;
                if self.reader.arrays.contains(&name) {
                    let at = args.pop().filter(|_| args.is_empty())?;
                    let at = CodeExpr::Binary("-", Box::new(at), Box::new(CodeExpr::Int(1)));
                    return Some(CodeExpr::Index(Box::new(CodeExpr::Name(name)), Box::new(at)));
                }
                Some(CodeExpr::Invoke(name, args))
            }
            Token::Sign(_)
            | Token::Char(_)
            | Token::Pragma(_)
            | Token::Include(_)
            | Token::Define(..)
            | Token::Directive(_) => None,
        }
    }
}

/// Constants of MPI have capital letters in C.
fn constant(name: String) -> String {
    if name.starts_with("mpi_") { name.to_ascii_uppercase() } else { name }
}
