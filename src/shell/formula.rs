//! Arithmetic that is read once and worked out often: what stands in a loop without a `$` in it.
//!
//! A [`Formula`] is made where a text is read into ops. What it does not know (subscripts, other bases, a variable whose
//! value is an expression) and every syntax error is left to [`arith`](super::arith), which evaluates while it reads.

use super::arith::{self, Access};
use serde::{Deserialize, Serialize};

/// Deepest nesting.
const MAX_DEPTH: u32 = 60;

/// An expression in the shape of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Node {
    Number(i64),
    Name(Box<str>),
    /// `-`, `+`, `!`, `~`
    Sign(u8, Box<Node>),
    /// An operator of `arith` with two operands, and where the right one begins, for messages.
    Binary(Operator, Box<[Node; 2]>, u32),
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    Choice(Box<[Node; 3]>),
    /// `x = ...`
    Assign(Box<str>, Box<Node>),
    /// `x += ...`
    Change(Box<str>, Operator, Box<Node>, u32),
    /// `x++`, `--x`
    Step {
        name: Box<str>,
        by: i64,
        before: bool,
    },
    Comma(Box<[Node; 2]>),
}

/// Operators with two operands that are always evaluated.
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

/// Signs, longest first, how strongly they bind (as in C; the higher, the tighter), and their operators.
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

/// An expression and its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formula {
    text: Box<str>,
    node: Node,
}

impl Formula {
    /// Reads a text; none: it is for [`arith::eval`].
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let shown = text.trim_start();
        if shown.is_empty() || shown.len() > 1000 || !shown.is_ascii() {
            return None;
        }
        let mut reader = Reader { text: shown, at: 0, depth: 0 };
        let node = reader.comma()?;
        reader.blanks();
        (reader.at == shown.len()).then(|| Self { text: shown.into(), node })
    }

    /// Its value, or bash's message.
    pub fn value(&self, vars: &mut dyn Access) -> Result<i64, String> {
        self.node.value(vars, &self.text)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Reader<'_> {
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

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<Node>) -> Option<Node> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    fn comma(&mut self) -> Option<Node> {
        let mut node = self.assignment()?;
        while self.accept(",") {
            node = Node::Comma(Box::new([node, self.assignment()?]));
        }
        Some(node)
    }

    fn assignment(&mut self) -> Option<Node> {
        self.deeper(|r| {
            let condition = r.or()?;
            if !r.accept("?") {
                return Some(condition);
            }
            let yes = r.comma()?;
            if !r.accept(":") {
                return None;
            }
            Some(Node::Choice(Box::new([condition, yes, r.assignment()?])))
        })
    }

    fn or(&mut self) -> Option<Node> {
        let mut node = self.and()?;
        while self.accept("||") {
            node = Node::Or(Box::new([node, self.and()?]));
        }
        Some(node)
    }

    fn and(&mut self) -> Option<Node> {
        let mut node = self.binary(3)?;
        while self.accept("&&") {
            node = Node::And(Box::new([node, self.binary(3)?]));
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

    fn binary(&mut self, least: u8) -> Option<Node> {
        self.deeper(|r| {
            let mut left = r.unary()?;
            while let Some((operator, level)) = r.operator(least) {
                r.blanks();
                let at = u32::try_from(r.at).ok()?;
                let right = r.binary(if operator == Operator::Power { level } else { level + 1 })?;
                left = Node::Binary(operator, Box::new([left, right]), at);
            }
            Some(left)
        })
    }

    fn unary(&mut self) -> Option<Node> {
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.accept(sign) {
                return Some(Node::Step { name: self.name()?, by, before: true });
            }
        }
        for sign in ["-", "+", "!", "~"] {
            if self.accept(sign) {
                let inner = self.deeper(Self::unary)?;
                return Some(Node::Sign(sign.as_bytes()[0], Box::new(inner)));
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
    fn number(&mut self) -> Option<Node> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "#@_".contains(c))).unwrap_or(rest.len());
        let digits = &rest[..end];
        if digits.len() > 1 && digits.starts_with('0') || digits.len() > 18 {
            return None;
        }
        let number = digits.parse().ok()?;
        self.at += end;
        Some(Node::Number(number))
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

    fn behind_name(&mut self, name: Box<str>) -> Option<Node> {
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.accept(sign) {
                return Some(Node::Step { name, by, before: false });
            }
        }
        self.blanks();
        if self.rest().starts_with('=') && !self.rest().starts_with("==") {
            self.at += 1;
            return Some(Node::Assign(name, Box::new(self.assignment()?)));
        }
        let rest = self.rest();
        let changed = OPERATORS.iter().find(|(sign, ..)| {
            rest.starts_with(sign)
                && rest.get(sign.len()..).is_some_and(|r| r.starts_with('='))
                && !matches!(*sign, "**" | "<" | ">" | "==" | "!=" | "<=" | ">=")
        });
        let Some((sign, _, operator)) = changed else { return Some(Node::Name(name)) };
        self.at += sign.len() + 1;
        self.blanks();
        let at = u32::try_from(self.at).ok()?;
        Some(Node::Change(name, *operator, Box::new(self.assignment()?), at))
    }
}

/// The value of a variable.
fn read(vars: &mut dyn Access, name: &str) -> Result<i64, String> {
    match vars.number(name) {
        Some(number) => Ok(number),
        None => {
            let text = vars.value(name, None, 1)?;
            arith::eval(&text, vars, 1)
        }
    }
}

impl Node {
    fn value(&self, vars: &mut dyn Access, text: &str) -> Result<i64, String> {
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
