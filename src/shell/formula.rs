//! Precompiled arithmetic: expressions without `$`, parsed once and evaluated in loops.
//!
//! A [`Formula`] is created when text is lowered to ops. Subscripts, other bases, variables whose value is an
//! expression, and all syntax errors are left to [`arith`](super::arith), which evaluates while parsing.

use super::arith::{self, VarAccess};
use serde::{Deserialize, Serialize};

/// Maximum nesting.
const MAX_DEPTH: u32 = 60;

/// An expression tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum FormulaNode {
    Number(i64),
    Name(Box<str>),
    /// `-`, `+`, `!`, `~`
    Sign(u8, Box<FormulaNode>),
    /// A binary operator, and the position of its right operand for error messages.
    Binary(Operator, Box<[FormulaNode; 2]>, u32),
    And(Box<[FormulaNode; 2]>),
    Or(Box<[FormulaNode; 2]>),
    Choice(Box<[FormulaNode; 3]>),
    /// `x = ...`
    Assign(Box<str>, Box<FormulaNode>),
    /// `x += ...`
    Change(Box<str>, Operator, Box<FormulaNode>, u32),
    /// `x++`, `--x`
    Step {
        name: Box<str>,
        by: i64,
        before: bool,
    },
    Comma(Box<[FormulaNode; 2]>),
}

/// Binary operators that always evaluate both operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Operator {
    Power,
    Times,
    Divide,
    Remainder,
    Plus,
    Minus,
    Left,
    Right,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    Unequal,
    And,
    Xor,
    Or,
}

/// Operator tokens, longest first, with their precedence (as in C; higher binds tighter).
const OPERATORS: [(&str, u8, Operator); 17] = [
    ("**", 11, Operator::Power),
    ("<<", 8, Operator::Left),
    (">>", 8, Operator::Right),
    ("<=", 7, Operator::LessEqual),
    (">=", 7, Operator::GreaterEqual),
    ("==", 6, Operator::Equal),
    ("!=", 6, Operator::Unequal),
    ("*", 10, Operator::Times),
    ("/", 10, Operator::Divide),
    ("%", 10, Operator::Remainder),
    ("+", 9, Operator::Plus),
    ("-", 9, Operator::Minus),
    ("<", 7, Operator::Less),
    (">", 7, Operator::Greater),
    ("&", 5, Operator::And),
    ("^", 4, Operator::Xor),
    ("|", 3, Operator::Or),
];

/// An expression with its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    text: Box<str>,
    node: FormulaNode,
}

impl Formula {
    /// Parses a text; `None`: use [`arith::eval`].
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let shown = text.trim_start();
        if shown.is_empty() || shown.len() > 1000 || !shown.is_ascii() {
            return None;
        }
        let mut reader = FormulaParser { text: shown, at: 0, depth: 0 };
        let node = reader.comma()?;
        reader.blanks();
        (reader.at == shown.len()).then(|| Self { text: shown.into(), node })
    }

    /// Evaluates the expression; the error is bash's message.
    pub fn value(&self, vars: &mut dyn VarAccess) -> Result<i64, String> {
        self.node.value(vars, &self.text)
    }
}

struct FormulaParser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl FormulaParser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn accept(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<FormulaNode>) -> Option<FormulaNode> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    fn comma(&mut self) -> Option<FormulaNode> {
        let mut node = self.assignment()?;
        while self.accept(",") {
            node = FormulaNode::Comma(Box::new([node, self.assignment()?]));
        }
        Some(node)
    }

    fn assignment(&mut self) -> Option<FormulaNode> {
        self.deeper(|r| {
            let condition = r.or()?;
            if !r.accept("?") {
                return Some(condition);
            }
            let yes = r.comma()?;
            if !r.accept(":") {
                return None;
            }
            Some(FormulaNode::Choice(Box::new([condition, yes, r.assignment()?])))
        })
    }

    fn or(&mut self) -> Option<FormulaNode> {
        let mut node = self.and()?;
        while self.accept("||") {
            node = FormulaNode::Or(Box::new([node, self.and()?]));
        }
        Some(node)
    }

    fn and(&mut self) -> Option<FormulaNode> {
        let mut node = self.binary(3)?;
        while self.accept("&&") {
            node = FormulaNode::And(Box::new([node, self.binary(3)?]));
        }
        Some(node)
    }

    fn operator(&mut self, least: u8) -> Option<(Operator, u8)> {
        self.blanks();
        let rest = self.rest();
        let (sign, level, operator) = OPERATORS.iter().find(|(sign, ..)| rest.starts_with(sign))?;
        let behind = rest.get(sign.len()..).unwrap_or("");
        let longer = behind.starts_with('=') && !matches!(*sign, "<=" | ">=" | "==" | "!=");
        if *level < least || longer || rest.starts_with("&&") || rest.starts_with("||") {
            return None;
        }
        self.at += sign.len();
        Some((*operator, *level))
    }

    fn binary(&mut self, least: u8) -> Option<FormulaNode> {
        self.deeper(|r| {
            let mut left = r.unary()?;
            while let Some((operator, level)) = r.operator(least) {
                r.blanks();
                let at = u32::try_from(r.at).ok()?;
                let right = r.binary(if operator == Operator::Power { level } else { level + 1 })?;
                left = FormulaNode::Binary(operator, Box::new([left, right]), at);
            }
            Some(left)
        })
    }

    fn unary(&mut self) -> Option<FormulaNode> {
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.accept(sign) {
                return Some(FormulaNode::Step { name: self.name()?, by, before: true });
            }
        }
        for sign in ["-", "+", "!", "~"] {
            if self.accept(sign) {
                let inner = self.deeper(Self::unary)?;
                return Some(FormulaNode::Sign(sign.as_bytes()[0], Box::new(inner)));
            }
        }
        if self.accept("(") {
            let node = self.deeper(Self::comma)?;
            return self.accept(")").then_some(node);
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let name = self.name()?;
        self.behind_name(name)
    }

    /// A plain decimal number.
    fn number(&mut self) -> Option<FormulaNode> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "#@_".contains(c))).unwrap_or(rest.len());
        let digits = &rest[..end];
        if digits.len() > 1 && digits.starts_with('0') || digits.len() > 18 {
            return None;
        }
        let number = digits.parse().ok()?;
        self.at += end;
        Some(FormulaNode::Number(number))
    }

    fn name(&mut self) -> Option<Box<str>> {
        self.blanks();
        let name = super::lower::name_prefix(self.rest());
        if name.is_empty() || self.rest().get(name.len()..).is_some_and(|r| r.starts_with('[')) {
            return None;
        }
        let name: Box<str> = name.into();
        self.at += name.len();
        Some(name)
    }

    fn behind_name(&mut self, name: Box<str>) -> Option<FormulaNode> {
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.accept(sign) {
                return Some(FormulaNode::Step { name, by, before: false });
            }
        }
        self.blanks();
        if self.rest().starts_with('=') && !self.rest().starts_with("==") {
            self.at += 1;
            return Some(FormulaNode::Assign(name, Box::new(self.assignment()?)));
        }
        let rest = self.rest();
        let changed = OPERATORS.iter().find(|(sign, ..)| {
            rest.starts_with(sign)
                && rest.get(sign.len()..).is_some_and(|r| r.starts_with('='))
                && !matches!(*sign, "**" | "<" | ">" | "==" | "!=" | "<=" | ">=")
        });
        let Some((sign, _, operator)) = changed else { return Some(FormulaNode::Name(name)) };
        self.at += sign.len() + 1;
        self.blanks();
        let at = u32::try_from(self.at).ok()?;
        Some(FormulaNode::Change(name, *operator, Box::new(self.assignment()?), at))
    }
}

/// The value of a variable.
fn read(vars: &mut dyn VarAccess, name: &str) -> Result<i64, String> {
    match vars.number(name) {
        Some(number) => Ok(number),
        None => {
            let text = vars.value(name, None, 1)?;
            arith::eval(&text, vars, 1)
        }
    }
}

impl FormulaNode {
    fn value(&self, vars: &mut dyn VarAccess, text: &str) -> Result<i64, String> {
        Ok(match self {
            Self::Number(number) => *number,
            Self::Name(name) => read(vars, name)?,
            Self::Sign(sign, inner) => {
                let value = inner.value(vars, text)?;
                match sign {
                    b'-' => value.wrapping_neg(),
                    b'!' => i64::from(value == 0),
                    b'~' => !value,
                    _ => value,
                }
            }
            Self::Binary(operator, operands, at) => {
                let left = operands[0].value(vars, text)?;
                let right = operands[1].value(vars, text)?;
                operator.apply(left, right, text, *at)?
            }
            Self::And(operands) => {
                i64::from(operands[0].value(vars, text)? != 0 && operands[1].value(vars, text)? != 0)
            }
            Self::Or(operands) => {
                i64::from(operands[0].value(vars, text)? != 0 || operands[1].value(vars, text)? != 0)
            }
            Self::Choice(parts) => {
                let chosen = if parts[0].value(vars, text)? != 0 { &parts[1] } else { &parts[2] };
                chosen.value(vars, text)?
            }
            Self::Assign(name, right) => {
                let value = right.value(vars, text)?;
                vars.assign(name, None, value, 1)?;
                value
            }
            Self::Change(name, operator, right, at) => {
                let right = right.value(vars, text)?;
                let left = read(vars, name)?;
                let value = operator.apply(left, right, text, *at)?;
                vars.assign(name, None, value, 1)?;
                value
            }
            Self::Step { name, by, before } => {
                let old = read(vars, name)?;
                let new = old.wrapping_add(*by);
                vars.assign(name, None, new, 1)?;
                if *before { new } else { old }
            }
            Self::Comma(parts) => {
                parts[0].value(vars, text)?;
                parts[1].value(vars, text)?
            }
        })
    }
}

impl Operator {
    fn apply(self, a: i64, b: i64, text: &str, at: u32) -> Result<i64, String> {
        let error = |message: &str| {
            let token = text.get(at as usize..).unwrap_or("");
            let token = if self == Self::Power { token.trim_start_matches(['-', ' ']) } else { token };
            Err(format!("{text}: {message} (error token is \"{token}\")"))
        };
        let shift = u32::try_from(b & 63).unwrap_or(0);
        Ok(match self {
            Self::Power if b < 0 => return error("exponent less than 0"),
            Self::Power => arith::power(a, b),
            Self::Times => a.wrapping_mul(b),
            Self::Divide | Self::Remainder if b == 0 => return error("division by 0"),
            Self::Divide => a.wrapping_div(b),
            Self::Remainder => a.wrapping_rem(b),
            Self::Plus => a.wrapping_add(b),
            Self::Minus => a.wrapping_sub(b),
            Self::Left => a.wrapping_shl(shift),
            Self::Right => a.wrapping_shr(shift),
            Self::Less => i64::from(a < b),
            Self::Greater => i64::from(a > b),
            Self::LessEqual => i64::from(a <= b),
            Self::GreaterEqual => i64::from(a >= b),
            Self::Equal => i64::from(a == b),
            Self::Unequal => i64::from(a != b),
            Self::And => a & b,
            Self::Xor => a ^ b,
            Self::Or => a | b,
        })
    }
}
