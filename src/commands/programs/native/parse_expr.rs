//! Expressions of C, C++ and CUDA.

use super::lex::Token;
use super::parse::{CReader, MAX_DEPTH};
use super::tree::{CodeExpr, Kind};

/// Binary operators by rank, the weakest first.
const RANKS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl CReader {
    /// An expression with commas: its value is the last one.
    pub(super) fn expr(&mut self) -> Option<CodeExpr> {
        let mut value = self.assigned()?;
        while self.eat(",") {
            value = CodeExpr::Binary(",", Box::new(value), Box::new(self.assigned()?));
        }
        Some(value)
    }

    pub(super) fn assigned(&mut self) -> Option<CodeExpr> {
        if self.is("{") {
            return self.list();
        }
        self.depth += 1;
        let read = if self.depth < MAX_DEPTH { self.assignment() } else { None };
        self.depth -= 1;
        read
    }

    fn assignment(&mut self) -> Option<CodeExpr> {
        let left = self.choice()?;
        let Some(Token::Sign(sign)) = self.peek(0) else { return Some(left) };
        let op = match *sign {
            "=" => "",
            "+=" => "+",
            "-=" => "-",
            "*=" => "*",
            "/=" => "/",
            "%=" => "%",
            "&=" => "&",
            "|=" => "|",
            "^=" => "^",
            "<<=" => "<<",
            ">>=" => ">>",
            _ => return Some(left),
        };
        self.at += 1;
        Some(CodeExpr::Assign(op, Box::new(left), Box::new(self.assigned()?)))
    }

    fn choice(&mut self) -> Option<CodeExpr> {
        let test = self.binary(0)?;
        if !self.eat("?") {
            return Some(test);
        }
        let yes = self.assigned()?;
        self.expect(":")?;
        Some(CodeExpr::Choice(Box::new(test), Box::new(yes), Box::new(self.assigned()?)))
    }

    fn binary(&mut self, rank: usize) -> Option<CodeExpr> {
        let Some(signs) = RANKS.get(rank) else { return self.unary() };
        let mut left = self.binary(rank + 1)?;
        loop {
            let Some(Token::Sign(sign)) = self.peek(0) else { return Some(left) };
            let Some(op) = signs.iter().find(|s| *s == sign) else { return Some(left) };
            self.at += 1;
            left = CodeExpr::Binary(op, Box::new(left), Box::new(self.binary(rank + 1)?));
        }
    }

    fn unary(&mut self) -> Option<CodeExpr> {
        for sign in ["-", "!", "~", "+", "*", "&"] {
            if self.eat(sign) {
                return Some(CodeExpr::Unary(sign, Box::new(self.unary()?)));
            }
        }
        for (sign, step) in [("++", 1), ("--", -1)] {
            if self.eat(sign) {
                return Some(CodeExpr::Bump(true, step, Box::new(self.unary()?)));
            }
        }
        if self.eat_word("new") {
            let (kind, _) = self.sized_kind()?;
            self.expect("[")?;
            let count = self.expr()?;
            self.expect("]")?;
            let zero = Box::new(CodeExpr::Invoke("new".to_owned(), vec![count]));
            return Some(CodeExpr::Pointer(kind, zero));
        }
        if self.eat_word("delete") {
            if self.eat("[") {
                self.expect("]")?;
            }
            return Some(CodeExpr::Invoke("free".to_owned(), vec![self.unary()?]));
        }
        if self.eat_word("sizeof") {
            self.expect("(")?;
            let Some((_, mut size)) = self.sized_kind() else {
                let value = self.expr()?;
                self.expect(")")?;
                return Some(CodeExpr::Invoke("sizeof".to_owned(), vec![value]));
            };
            while self.eat("*") {
                size = 8;
            }
            self.expect(")")?;
            return Some(CodeExpr::Int(size));
        }
        if self.is("(") {
            let start = self.at;
            self.at += 1;
            if let Some(kind) = self.kind() {
                let mut pointer = false;
                while self.eat("*") {
                    pointer = true;
                }
                if self.eat(")") {
                    let inner = Box::new(self.unary()?);
                    return Some(match kind {
                        Kind::Whole if !pointer => CodeExpr::Whole(inner),
                        Kind::Fraction if !pointer => CodeExpr::Fraction(inner),
                        Kind::Whole | Kind::Fraction | Kind::Text if pointer => {
                            CodeExpr::Pointer(kind, inner)
                        }
                        Kind::Whole | Kind::Fraction | Kind::Text | Kind::Any => *inner,
                    });
                }
            }
            self.at = start;
        }
        self.postfix()
    }

    pub(super) fn arguments(&mut self) -> Option<Vec<CodeExpr>> {
        let mut all = Vec::new();
        while !self.eat(")") {
            all.push(self.assigned()?);
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Some(all)
    }

    fn postfix(&mut self) -> Option<CodeExpr> {
        let mut value = self.primary()?;
        loop {
            if self.eat("[") {
                let at = self.expr()?;
                self.expect("]")?;
                value = CodeExpr::Index(Box::new(value), Box::new(at));
            } else if self.eat("(") {
                let CodeExpr::Name(name) = value else { return None };
                value = CodeExpr::Invoke(name, self.arguments()?);
            } else if self.eat("<<<") {
                let CodeExpr::Name(name) = value else { return None };
                let blocks = self.assigned()?;
                self.expect(",")?;
                let threads = self.assigned()?;
                while self.eat(",") {
                    self.assigned()?;
                }
                self.expect(">>>")?;
                self.expect("(")?;
                value = CodeExpr::Launch(name, Box::new(blocks), Box::new(threads), self.arguments()?);
            } else if self.eat(".") || self.eat("->") {
                let CodeExpr::Name(name) = value else { return None };
                value = CodeExpr::Name(format!("{name}.{}", self.name()?));
            } else if self.eat("++") {
                value = CodeExpr::Bump(false, 1, Box::new(value));
            } else if self.eat("--") {
                value = CodeExpr::Bump(false, -1, Box::new(value));
            } else {
                return Some(value);
            }
        }
    }

    fn primary(&mut self) -> Option<CodeExpr> {
        self.skip_std();
        let token = self.peek(0)?.clone();
        self.at += 1;
        match token {
            Token::Int(n) => Some(CodeExpr::Int(n)),
            Token::Float(n) => Some(CodeExpr::Float(n)),
            Token::Char(n) => Some(CodeExpr::Char(n)),
            Token::Name(mut name) => {
                while self.is("::") {
                    self.at += 1;
                    name = format!("{name}::{}", self.name()?);
                }
                Some(CodeExpr::Name(name))
            }
            Token::Text(mut text) => {
                while let Some(Token::Text(more)) = self.peek(0) {
                    text += more;
                    self.at += 1;
                }
                Some(CodeExpr::Text(text))
            }
            Token::Sign("(") => {
                let inner = self.expr()?;
                self.expect(")")?;
                Some(inner)
            }
            Token::Sign(_)
            | Token::Pragma(_)
            | Token::Include(_)
            | Token::Define(..)
            | Token::Directive(_) => None,
        }
    }
}
