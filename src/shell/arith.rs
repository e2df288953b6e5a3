//! Integer arithmetic of `$(( ))`, `let` and subscripts (bash(1), "ARITHMETIC EVALUATION"): evaluates while
//! parsing. Recursion is bounded.

/// Maximum nesting of parentheses, operators and variables that contain expressions.
const MAX_DEPTH: u32 = 150;

/// Access to shell variables.
pub trait VarAccess {
    /// The value of a variable; empty if unset.
    fn value(&mut self, name: &str, subscript: Option<&str>, depth: u32) -> Result<String, String>;
    /// The value of a variable that holds a plain decimal number; `None`: use [`VarAccess::value`].
    fn number(&mut self, name: &str) -> Option<i64>;
    /// Sets a variable.
    fn assign(&mut self, name: &str, subscript: Option<&str>, value: i64, depth: u32) -> Result<(), String>;
}

/// Parses a plain decimal number without blanks or leading zeros.
#[must_use]
pub fn plain_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = matches!(digits.len(), 1..=18)
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

/// Evaluates an expression; the error is bash's message.
pub fn eval(text: &str, vars: &mut dyn VarAccess, depth: u32) -> Result<i64, String> {
    let shown = text.trim_start();
    if depth >= MAX_DEPTH {
        return Err(format!("{shown}: expression recursion level exceeded (error token is \"{shown}\")"));
    }
    let trimmed = text.trim();
    // Most expressions are plain numbers.
    if trimmed.is_empty() {
        return Ok(0);
    }
    let mut reader = ArithParser { text: shown, pos: 0, vars, depth, skip: 0, last: 0 };
    let value = reader.comma()?;
    reader.blanks();
    if reader.pos < reader.text.len() {
        let rest = reader.rest();
        let message = if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '"') {
            "syntax error in expression"
        } else if rest.starts_with(|c: char| "=+-*/%<>&|^!?:,()~".contains(c)) {
            if rest.starts_with('=') {
                "attempted assignment to non-variable"
            } else {
                "syntax error in expression"
            }
        } else {
            "syntax error: invalid arithmetic operator"
        };
        return Err(reader.error(message, reader.pos));
    }
    Ok(value)
}

struct ArithParser<'a> {
    text: &'a str,
    pos: usize,
    vars: &'a mut dyn VarAccess,
    depth: u32,
    /// Above 0: parse without evaluating.
    skip: u32,
    /// Start of the last token.
    last: usize,
}

/// The last operand: an assignable variable or a value.
enum ArithOperand {
    Value(i64),
    Target { name: String, subscript: Option<String> },
}

const BINARY: [(&str, u8); 20] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("**", 11),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("", 0),
];

const ASSIGN: [&str; 11] = ["<<=", ">>=", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "="];

impl ArithParser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn blanks(&mut self) {
        self.pos += self.rest().len() - self.rest().trim_start().len();
    }

    fn error(&self, message: &str, at: usize) -> String {
        let token = self.text.get(at..).unwrap_or("");
        format!("{}: {message} (error token is \"{token}\")", self.text)
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("expression recursion level exceeded", self.pos));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn comma(&mut self) -> Result<i64, String> {
        loop {
            let value = self.assignment()?;
            self.blanks();
            if !self.rest().starts_with(',') {
                return Ok(value);
            }
            self.pos += 1;
        }
    }

    /// Assignments and `?:`, right-associative.
    fn assignment(&mut self) -> Result<i64, String> {
        self.deeper(|e| {
            let condition = e.binary(1)?;
            e.blanks();
            if !e.rest().starts_with('?') {
                return Ok(condition);
            }
            e.pos += 1;
            let yes = e.skipping(condition == 0, Self::comma)?;
            e.blanks();
            if !e.rest().starts_with(':') {
                return Err(e.error("`:' expected for conditional expression", e.last));
            }
            e.pos += 1;
            let no = e.skipping(condition != 0, Self::assignment)?;
            Ok(if condition != 0 { yes } else { no })
        })
    }

    fn skipping(
        &mut self,
        skip: bool,
        f: impl FnOnce(&mut Self) -> Result<i64, String>,
    ) -> Result<i64, String> {
        self.skip += u32::from(skip);
        let result = f(self);
        self.skip -= u32::from(skip);
        result
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let rest = self.rest();
        if ASSIGN.iter().any(|a| rest.starts_with(a)) && !rest.starts_with("==") {
            return None;
        }
        BINARY.iter().copied().find(|(op, _)| !op.is_empty() && rest.starts_with(op))
    }

    fn binary(&mut self, least: u8) -> Result<i64, String> {
        let mut left = self.unary()?;
        loop {
            self.blanks();
            let Some((op, level)) = self.operator().filter(|(_, level)| *level >= least) else {
                return Ok(left);
            };
            self.last = self.pos;
            self.pos += op.len();
            let short = match op {
                "&&" => left == 0,
                "||" => left != 0,
                _ => false,
            };
            let next = if op == "**" { level } else { level + 1 };
            self.blanks();
            let at = self.pos;
            let right = self.skipping(short, |e| e.deeper(|e| e.binary(next)))?;
            left = if self.skip > 0 { 0 } else { self.apply(op, left, right, at)? };
        }
    }

    fn apply(&self, op: &str, a: i64, b: i64, at: usize) -> Result<i64, String> {
        let shift = u32::try_from(b & 63).unwrap_or(0);
        Ok(match op {
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" | "%" if b == 0 => return Err(self.error("division by 0", at)),
            "/" => a.wrapping_div(b),
            "%" => a.wrapping_rem(b),
            "**" if b < 0 => return Err(self.error("exponent less than 0", self.last.max(at))),
            "**" => power(a, b),
            "<<" => a.wrapping_shl(shift),
            ">>" => a.wrapping_shr(shift),
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            "&&" => i64::from(a != 0 && b != 0),
            "||" => i64::from(a != 0 || b != 0),
            "==" => i64::from(a == b),
            "!=" => i64::from(a != b),
            "<" => i64::from(a < b),
            ">" => i64::from(a > b),
            "<=" => i64::from(a <= b),
            _ => i64::from(a >= b),
        })
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.blanks();
        for (sign, delta) in [("++", 1), ("--", -1)] {
            if self.rest().starts_with(sign) {
                let before = self.pos;
                self.pos += 2;
                self.blanks();
                if self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    let ArithOperand::Target { name, subscript } = self.operand()? else { return Ok(0) };
                    let value = self.read(&name, subscript.as_deref())?.wrapping_add(delta);
                    self.write(&name, subscript.as_deref(), value)?;
                    return Ok(value);
                }
                self.pos = before;
            }
        }
        let Some(c) = self.rest().chars().next() else {
            return Err(self.error("syntax error: operand expected", self.last));
        };
        if matches!(c, '-' | '+' | '!' | '~') {
            self.last = self.pos;
            self.pos += 1;
            let value = self.deeper(Self::unary)?;
            return Ok(match c {
                '-' => value.wrapping_neg(),
                '!' => i64::from(value == 0),
                '~' => !value,
                _ => value,
            });
        }
        match self.operand()? {
            ArithOperand::Value(value) => Ok(value),
            ArithOperand::Target { name, subscript } => self.target(&name, subscript.as_deref()),
        }
    }

    /// A variable: read, assigned, incremented or decremented.
    fn target(&mut self, name: &str, subscript: Option<&str>) -> Result<i64, String> {
        self.blanks();
        for (sign, delta) in [("++", 1), ("--", -1)] {
            if self.rest().starts_with(sign) {
                self.pos += 2;
                let value = self.read(name, subscript)?;
                self.write(name, subscript, value.wrapping_add(delta))?;
                return Ok(value);
            }
        }
        let rest = self.rest();
        let Some(op) = ASSIGN.iter().copied().find(|a| rest.starts_with(a)) else {
            return self.read(name, subscript);
        };
        if rest.starts_with("==") {
            return self.read(name, subscript);
        }
        self.last = self.pos;
        self.pos += op.len();
        self.blanks();
        let at = self.pos;
        let right = self.assignment()?;
        let operator = &op[..op.len() - 1];
        let value = if operator.is_empty() || self.skip > 0 {
            right
        } else {
            let left = self.read(name, subscript)?;
            self.apply(operator, left, right, at)?
        };
        self.write(name, subscript, value)?;
        Ok(value)
    }

    fn read(&mut self, name: &str, subscript: Option<&str>) -> Result<i64, String> {
        if self.skip > 0 {
            return Ok(0);
        }
        let text = self.vars.value(name, subscript, self.depth + 1)?;
        match text.trim().parse::<i64>() {
            Ok(n) if !text.trim().trim_start_matches('-').starts_with('0') || n == 0 => Ok(n),
            Ok(_) | Err(_) => eval(&text, self.vars, self.depth + 1),
        }
    }

    fn write(&mut self, name: &str, subscript: Option<&str>, value: i64) -> Result<(), String> {
        if self.skip > 0 {
            return Ok(());
        }
        self.vars.assign(name, subscript, value, self.depth + 1)
    }

    fn operand(&mut self) -> Result<ArithOperand, String> {
        self.blanks();
        let at = self.pos;
        let Some(c) = self.rest().chars().next() else {
            return Err(self.error("syntax error: operand expected", self.last));
        };
        if c == '(' {
            self.last = at;
            self.pos += 1;
            let value = self.deeper(Self::comma)?;
            self.blanks();
            if !self.rest().starts_with(')') {
                return Err(self.error("missing `)'", self.last));
            }
            self.pos += 1;
            return Ok(ArithOperand::Value(value));
        }
        if c.is_ascii_digit() {
            let end = self.rest().find(|c: char| !(c.is_alphanumeric() || "#@_".contains(c)));
            let token = self.rest()[..end.unwrap_or(self.rest().len())].to_owned();
            let value =
                constant(&token).map_err(|m| format!("{}: {m} (error token is \"{token}\")", self.text))?;
            self.last = at;
            self.pos += token.len();
            return Ok(ArithOperand::Value(value));
        }
        let name = super::lower::name_prefix(self.rest()).to_owned();
        if name.is_empty() {
            return Err(self.error("syntax error: operand expected", self.last.max(at)));
        }
        self.last = at;
        self.pos += name.len();
        let subscript = if self.rest().starts_with('[') { Some(self.subscript()?) } else { None };
        Ok(ArithOperand::Target { name, subscript })
    }

    fn subscript(&mut self) -> Result<String, String> {
        let mut depth = 0_u32;
        for (i, c) in self.rest().char_indices() {
            match c {
                '[' => depth += 1,
                ']' => {
                    depth -= 1;
                    if depth == 0 {
                        let text = self.rest()[1..i].to_owned();
                        self.pos += i + 1;
                        return Ok(text);
                    }
                }
                _ => {}
            }
        }
        Err(self.error("bad array subscript", self.pos))
    }
}

pub fn power(base: i64, exponent: i64) -> i64 {
    let (mut result, mut base, mut exponent) = (1_i64, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

/// Parses `10`, `0x1f`, `017`, `2#101`.
fn constant(token: &str) -> Result<i64, &'static str> {
    let (base, digits) = if let Some((base, digits)) = token.split_once('#') {
        let base =
            base.parse::<i64>().ok().filter(|b| (2..=64).contains(b)).ok_or("invalid arithmetic base")?;
        if digits.is_empty() {
            return Err("invalid integer constant");
        }
        (base, digits)
    } else if let Some(hex) = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X")) {
        (16, hex)
    } else if token.len() > 1 && token.starts_with('0') {
        (8, &token[1..])
    } else {
        (10, token)
    };
    let mut value = 0_i64;
    for c in digits.chars() {
        let c = if base <= 36 { c.to_ascii_lowercase() } else { c };
        let digit = match c {
            '0'..='9' => u32::from(c) - 48,
            'a'..='z' => u32::from(c) - 87,
            'A'..='Z' => u32::from(c) - 29,
            '@' => 62,
            '_' => 63,
            _ => return Err("syntax error in expression"),
        };
        let digit = i64::from(digit);
        if digit >= base {
            return Err("value too great for base");
        }
        value = value.wrapping_mul(base).wrapping_add(digit);
    }
    Ok(value)
}
