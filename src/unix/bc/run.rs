//! bc's interpreter, with a bound on the number of executed statements.

use super::decimal::{Decimal, MAX_DIGITS};
use super::parse::{BcParser, BcToken, Expr, Statement, token};
use super::series::{Fuel, arctangent, exponential, half_pi, logarithm, sine};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of operations of a run; one on long numbers counts as several.
const FUEL: Fuel = Fuel(1_000_000);
/// Maximum call depth.
const MAX_CALLS: u32 = 200;
/// Width of a line of digits.
const WIDTH: usize = 69;

/// A function.
struct BcFunction {
    parameters: Vec<String>,
    locals: Vec<String>,
    body: Vec<Statement>,
}

/// The state of a run.
pub struct BcMachine {
    variables: BTreeMap<String, Decimal>,
    functions: BTreeMap<String, Arc<BcFunction>>,
    scale: usize,
    last: Decimal,
    math: bool,
    fuel: Fuel,
    calls: u32,
    line: u32,
    /// Printed texts, and whether each is an error.
    pub output: Vec<(bool, String)>,
}

/// Why execution does not continue with the next statement.
enum BcStop {
    Break,
    Continue,
    Return(Decimal),
    Quit,
    /// An error message; the rest of the line is skipped.
    Error(String),
    /// The bound on operations was reached.
    Endless,
}

type BcResult<T> = Result<T, BcStop>;

fn error<T>(text: &str) -> BcResult<T> {
    Err(BcStop::Error(text.to_owned()))
}

impl BcMachine {
    /// With `-l`: 20 digits after the point, and the library functions.
    pub const fn new(math: bool) -> Self {
        Self {
            variables: BTreeMap::new(),
            functions: BTreeMap::new(),
            scale: if math { 20 } else { 0 },
            last: Decimal::zero(),
            math,
            fuel: FUEL,
            calls: 0,
            line: 1,
            output: Vec::new(),
        }
    }

    /// Runs a text line by line. Returns the exit code.
    pub fn run(&mut self, text: &str) -> u8 {
        let mut rest = text;
        let mut tokens: Vec<BcToken> = Vec::new();
        let mut open = 0_i32;
        let mut lines = 1;
        while !rest.is_empty() {
            let Ok((found, length)) = token(rest) else {
                let bad = rest.chars().next().unwrap_or(' ');
                self.output.push((true, format!("(standard_in) {lines}: illegal character: {bad}")));
                rest = rest.get(bad.len_utf8()..).unwrap_or_default();
                continue;
            };
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            lines += u32::try_from(word.matches('\n').count()).unwrap_or(0);
            rest = after;
            let Some(found) = found else { continue };
            open += match found {
                BcToken::Sign("{") => 1,
                BcToken::Sign("}") => -1,
                _ => 0,
            };
            let ends = found == BcToken::Newline && open <= 0;
            tokens.push(found);
            // `else` may start the next line of a block.
            if ends || rest.is_empty() {
                self.line = lines.saturating_sub(u32::from(ends));
                open = 0;
                if !self.statements(std::mem::take(&mut tokens)) {
                    return 0;
                }
            }
        }
        0
    }

    /// Runs a complete line or block. False when the program has ended.
    fn statements(&mut self, tokens: Vec<BcToken>) -> bool {
        let mut parser = BcParser::new(tokens);
        let Ok(line) = parser.line() else {
            self.output.push((true, format!("(standard_in) {}: syntax error", self.line)));
            return true;
        };
        for statement in &line {
            match self.execute(statement) {
                Ok(()) | Err(BcStop::Break | BcStop::Continue | BcStop::Return(_)) => {}
                Err(BcStop::Quit) => return false,
                Err(BcStop::Error(text)) => {
                    self.output.push((true, format!("Runtime error (func=(main), adr=0): {text}")));
                    return true;
                }
                Err(BcStop::Endless) => {
                    self.output.push((
                        true,
                        "bc: stopped after a million operations (the limit in sandbatch)".to_owned(),
                    ));
                    return false;
                }
            }
        }
        true
    }

    fn count_operation(&mut self) -> BcResult<()> {
        self.fuel.0 = self.fuel.0.checked_sub(1).ok_or(BcStop::Endless)?;
        Ok(())
    }

    /// Charges for an operation on two numbers.
    fn spend(&mut self, a: &Decimal, b: &Decimal) -> BcResult<()> {
        self.fuel.spend(a, b).ok_or(BcStop::Endless)
    }

    fn block(&mut self, all: &[Statement]) -> BcResult<()> {
        all.iter().try_for_each(|statement| self.execute(statement))
    }

    fn execute(&mut self, statement: &Statement) -> BcResult<()> {
        self.count_operation()?;
        match statement {
            Statement::Value(expression) => {
                let value = self.value(expression)?;
                if !matches!(expression, Expr::Assign(..)) {
                    self.print(&value);
                    self.output.push((false, "\n".to_owned()));
                    self.last = value;
                }
            }
            Statement::Text(text) => self.output.push((false, text.clone())),
            Statement::Print(items) => {
                for item in items {
                    match item {
                        Ok(expression) => {
                            let value = self.value(expression)?;
                            self.print(&value);
                            self.last = value;
                        }
                        Err(text) => self.output.push((false, unescaped(text))),
                    }
                }
            }
            Statement::Block(all) => self.block(all)?,
            Statement::If(condition, yes, no) => {
                if !self.value(condition)?.is_zero() {
                    self.execute(yes)?;
                } else if let Some(no) = no {
                    self.execute(no)?;
                }
            }
            Statement::While(condition, body) => self.repeat(Some(condition), None, body)?,
            Statement::For(first, test, step, body) => {
                if let Some(first) = first {
                    self.value(first)?;
                }
                self.repeat(test.as_ref(), step.as_ref(), body)?;
            }
            Statement::Break => return Err(BcStop::Break),
            Statement::Continue => return Err(BcStop::Continue),
            Statement::Return(value) => {
                let value = value.as_ref().map_or(Ok(Decimal::zero()), |value| self.value(value))?;
                return Err(BcStop::Return(value));
            }
            Statement::Define { name, parameters, locals, body } => {
                let function =
                    BcFunction { parameters: parameters.clone(), locals: locals.clone(), body: body.clone() };
                self.functions.insert(name.clone(), Arc::new(function));
            }
            Statement::Quit => return Err(BcStop::Quit),
        }
        Ok(())
    }

    fn repeat(&mut self, test: Option<&Expr>, step: Option<&Expr>, body: &Statement) -> BcResult<()> {
        loop {
            self.count_operation()?;
            if let Some(test) = test
                && self.value(test)?.is_zero()
            {
                return Ok(());
            }
            match self.execute(body) {
                Ok(()) | Err(BcStop::Continue) => {}
                Err(BcStop::Break) => return Ok(()),
                Err(stop) => return Err(stop),
            }
            if let Some(step) = step {
                self.value(step)?;
            }
        }
    }

    /// Prints digits in lines of 68.
    fn print(&mut self, value: &Decimal) {
        let text = value.text();
        if text.len() < WIDTH {
            self.output.push((false, text));
            return;
        }
        let lines: Vec<String> = text
            .as_bytes()
            .chunks(WIDTH - 1)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        self.output.push((false, lines.join("\\\n")));
    }

    fn get(&self, name: &str) -> Decimal {
        match name {
            "scale" => Decimal::whole(i64::try_from(self.scale).unwrap_or(0)),
            "last" => self.last.clone(),
            "ibase" | "obase" => Decimal::whole(10),
            _ => self.variables.get(name).cloned().unwrap_or_default(),
        }
    }

    fn set(&mut self, name: &str, value: Decimal) -> BcResult<()> {
        match name {
            "scale" => {
                let scale = value.to_i64().and_then(|n| usize::try_from(n).ok());
                self.scale = scale.unwrap_or(0).min(MAX_DIGITS / 10);
            }
            "ibase" | "obase" if value.to_i64() != Some(10) => {
                return error(&format!("{name} other than 10 is not simulated in sandbatch"));
            }
            "ibase" | "obase" => {}
            "last" => self.last = value,
            _ => {
                self.variables.insert(name.to_owned(), value);
            }
        }
        Ok(())
    }

    fn value(&mut self, expression: &Expr) -> BcResult<Decimal> {
        self.count_operation()?;
        match expression {
            Expr::Number(text) => Ok(Decimal::parse(text)),
            Expr::Variable(name) => Ok(self.get(name)),
            Expr::Group(inner) => self.value(inner),
            Expr::Assign(name, operator, value) => {
                let mut new = self.value(value)?;
                if !operator.is_empty() {
                    new = self.binary(operator, &self.get(name), &new)?;
                }
                self.set(name, new.clone())?;
                Ok(new)
            }
            Expr::Step(name, up, new) => {
                let before = self.get(name);
                let after = before.add(&Decimal::whole(if *up { 1 } else { -1 }));
                self.set(name, after.clone())?;
                Ok(if *new { after } else { before })
            }
            Expr::Unary("-", value) => Ok(self.value(value)?.negated()),
            Expr::Unary(_, value) => Ok(truth(self.value(value)?.is_zero())),
            Expr::Binary("&&", a, b) => Ok(truth(!self.value(a)?.is_zero() & !self.value(b)?.is_zero())),
            Expr::Binary("||", a, b) => Ok(truth(!self.value(a)?.is_zero() | !self.value(b)?.is_zero())),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(operator, &a, &b)
            }
            Expr::Call(name, arguments) => {
                let values: Vec<Decimal> =
                    arguments.iter().map(|argument| self.value(argument)).collect::<BcResult<_>>()?;
                self.call(name, &values)
            }
        }
    }

    fn binary(&mut self, operator: &str, a: &Decimal, b: &Decimal) -> BcResult<Decimal> {
        self.spend(a, b)?;
        let order = a.order(b);
        let result = match operator {
            "+" => a.add(b),
            "-" => a.sub(b),
            "*" => {
                let scale = (a.scale() + b.scale()).min(self.scale.max(a.scale()).max(b.scale()));
                a.mul(b).with_scale(scale)
            }
            "/" => match a.div(b, self.scale) {
                Some(quotient) => quotient,
                None => return error("Divide by zero"),
            },
            "%" => {
                let Some(quotient) = a.div(b, self.scale) else { return error("Modulo by zero") };
                let scale = (self.scale + b.scale()).max(a.scale());
                a.sub(&quotient.mul(b)).with_scale(scale)
            }
            "^" => return self.power(a, b),
            "==" => truth(order.is_eq()),
            "!=" => truth(order.is_ne()),
            "<" => truth(order.is_lt()),
            "<=" => truth(order.is_le()),
            ">" => truth(order.is_gt()),
            _ => truth(order.is_ge()),
        };
        if result.length_at_most() > MAX_DIGITS {
            return error("number too large for sandbatch");
        }
        Ok(result)
    }

    fn power(&mut self, base: &Decimal, exponent: &Decimal) -> BcResult<Decimal> {
        if exponent.scale() > 0 && exponent.with_scale(0).order(exponent).is_ne() {
            self.output
                .push((true, "Runtime warning (func=(main), adr=0): non-zero scale in exponent".to_owned()));
        }
        let Some(count) = exponent.to_i64() else { return error("exponent too large in raise") };
        let times = count.unsigned_abs();
        let digits = u64::try_from(base.length()).unwrap_or(u64::MAX).saturating_mul(times);
        if digits > u64::try_from(MAX_DIGITS).unwrap_or(0) && base.length() > 1 || times > 60_000 {
            return error("exponent too large in raise");
        }
        let most = u64::try_from(base.scale()).unwrap_or(0).saturating_mul(times);
        let scale = usize::try_from(most).unwrap_or(usize::MAX).min(self.scale.max(base.scale()));
        let (mut result, mut factor, mut left) = (Decimal::whole(1), base.clone(), times);
        while left > 0 {
            self.spend(&factor, &factor)?;
            if left % 2 == 1 {
                result = result.mul(&factor);
            }
            left /= 2;
            if left > 0 {
                factor = factor.mul(&factor);
            }
        }
        if count >= 0 {
            return Ok(result.with_scale(scale));
        }
        match Decimal::whole(1).div(&result, self.scale) {
            Some(result) => Ok(result),
            None => error("Divide by zero"),
        }
    }

    fn call(&mut self, name: &str, values: &[Decimal]) -> BcResult<Decimal> {
        if let Some(function) = self.functions.get(name).cloned() {
            return self.user_call(name, &function, values);
        }
        let [value] = values else { return error(&format!("Function {name} not defined.")) };
        match name {
            "sqrt" => match self.square_root(value)? {
                Some(root) => Ok(root),
                None => error("Square root of a negative number"),
            },
            "length" => Ok(Decimal::whole(i64::try_from(value.length()).unwrap_or(0))),
            "scale" => Ok(Decimal::whole(i64::try_from(value.scale()).unwrap_or(0))),
            "s" | "c" | "a" | "l" | "e" if self.math => self.transcendental(name, value),
            _ => error(&format!("Function {name} not defined.")),
        }
    }

    fn square_root(&mut self, value: &Decimal) -> BcResult<Option<Decimal>> {
        let scale = self.scale.max(value.scale());
        let square = value.with_scale(2 * scale);
        self.spend(&square, &square)?;
        Ok(value.sqrt(scale))
    }

    fn user_call(&mut self, name: &str, function: &Arc<BcFunction>, values: &[Decimal]) -> BcResult<Decimal> {
        if values.len() != function.parameters.len() {
            return error(&format!("Parameter number mismatch in {name}"));
        }
        self.calls += 1;
        if self.calls > MAX_CALLS {
            return Err(BcStop::Endless);
        }
        let names: Vec<&String> = function.parameters.iter().chain(&function.locals).collect();
        let before: Vec<Option<Decimal>> = names.iter().map(|name| self.variables.remove(*name)).collect();
        for (name, value) in function.parameters.iter().zip(values) {
            self.variables.insert(name.clone(), value.clone());
        }
        let done = self.block(&function.body);
        for (name, value) in names.iter().zip(before) {
            self.variables.remove(*name);
            if let Some(value) = value {
                self.variables.insert((*name).clone(), value);
            }
        }
        self.calls -= 1;
        match done {
            Ok(()) => Ok(Decimal::zero()),
            Err(BcStop::Return(value)) => Ok(value),
            Err(stop) => Err(stop),
        }
    }

    /// Computes a series with some guard digits and truncates the result.
    fn transcendental(&mut self, name: &str, value: &Decimal) -> BcResult<Decimal> {
        let scale = self.scale;
        let precise = scale + 8 + value.length() / 2;
        if value.length() - value.scale().min(value.length()) > 8 {
            return error("argument too large for sandbatch");
        }
        let fuel = &mut self.fuel;
        let result = match name {
            "e" => exponential(fuel, value, precise),
            "l" if value.is_negative() || value.is_zero() => {
                return Ok(Decimal::whole(1).sub(&Decimal::parse(&format!("1{}", "0".repeat(scale)))));
            }
            "l" => logarithm(fuel, value, precise),
            "s" => sine(fuel, value, precise),
            "c" => half_pi(fuel, precise).and_then(|half| sine(fuel, &value.add(&half), precise)),
            _ => arctangent(fuel, value, precise),
        };
        Ok(result.ok_or(BcStop::Endless)?.with_scale(scale))
    }
}

fn truth(holds: bool) -> Decimal {
    Decimal::whole(i64::from(holds))
}

/// Resolves the escapes of `print`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('\\', Some(next)) => {
                rest.next();
                out.push(match next {
                    'n' => '\n',
                    't' => '\t',
                    'q' => '"',
                    other => other,
                });
            }
            (c, _) => out.push(c),
        }
    }
    out
}
