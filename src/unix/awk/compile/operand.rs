//! awk's operands: values, variables, calls, built-in functions.

use super::super::lex::{AwkToken, BUILTINS};
use super::super::op::{AwkLvalue, AwkOp, Source};
use super::super::record;
use super::{AwkError, AwkResult, Compiler, index, shifted, unshifted};

impl Compiler {
    /// Expressions up to a closing sign. Returns their number.
    pub(super) fn list(&mut self, close: &str) -> Result<u32, AwkError> {
        let mut count = 0;
        self.newlines();
        while !self.accept(close) {
            if count > 0 {
                self.expect(",")?;
                self.newlines();
            }
            self.expression()?;
            self.newlines();
            count += 1;
        }
        Ok(count)
    }

    /// The subscripts of an element up to a closing sign, joined into one key.
    pub(super) fn keys(&mut self, close: &str) -> AwkResult {
        let outer = (std::mem::take(&mut self.no_in), std::mem::take(&mut self.no_greater));
        let count = self.list(close)?;
        (self.no_in, self.no_greater) = outer;
        match count {
            0 => self.fail(),
            1 => Ok(()),
            n => {
                self.emit(AwkOp::Keys(n));
                Ok(())
            }
        }
    }

    pub(super) fn primary(&mut self) -> AwkResult {
        self.deeper()?;
        let result = self.one_primary();
        self.depth -= 1;
        result
    }

    pub(super) fn one_primary(&mut self) -> AwkResult {
        match self.next() {
            AwkToken::Number(n) => drop(self.emit(AwkOp::Number(n))),
            AwkToken::Text(text) => drop(self.emit(AwkOp::Text(text))),
            AwkToken::Regex(text) => {
                if record::pattern(&text).is_none() {
                    return self.say(&format!("fatal: invalid regexp: /{text}/"));
                }
                let i = u32::try_from(self.program.regexes.len()).unwrap_or(u32::MAX);
                self.program.regexes.push(text);
                self.emit(AwkOp::MatchRecord(i));
            }
            AwkToken::Name(name) => {
                if self.accept("[") {
                    let array = self.array(&name);
                    self.keys("]")?;
                    self.emit(AwkOp::Load(AwkLvalue::Element(array)));
                } else {
                    let var = self.variable(&name);
                    self.emit(AwkOp::Load(AwkLvalue::Var(var)));
                }
            }
            AwkToken::Function(name) => return self.call(&name),
            AwkToken::Word("getline") => return self.getline(),
            AwkToken::Word(word) if BUILTINS.contains(&word) => return self.builtin(word),
            AwkToken::Sign("(") => return self.group(),
            AwkToken::Sign("$") => {
                if let AwkToken::Sign(sign @ ("++" | "--" | "-" | "+")) = *self.peek() {
                    self.at += 1;
                    self.primary()?;
                    if sign.len() == 2 {
                        let target = self.take_target()?;
                        self.emit(AwkOp::Increment {
                            target,
                            by: if sign == "++" { 1.0 } else { -1.0 },
                            post: false,
                        });
                    } else if sign == "-" {
                        self.emit(AwkOp::Negate);
                    }
                } else {
                    self.primary()?;
                }
                self.emit(AwkOp::Load(AwkLvalue::Field));
            }
            AwkToken::Sign(sign @ ("++" | "--")) => {
                self.primary()?;
                let target = self.take_target()?;
                self.emit(AwkOp::Increment {
                    target,
                    by: if sign == "++" { 1.0 } else { -1.0 },
                    post: false,
                });
            }
            AwkToken::Sign("-" | "!" | "+") => {
                self.at -= 1;
                return self.unary();
            }
            AwkToken::Word(_) | AwkToken::Sign(_) | AwkToken::Newline | AwkToken::End => {
                self.at -= 1;
                return self.fail();
            }
        }
        Ok(())
    }

    pub(super) fn group(&mut self) -> AwkResult {
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        let count = self.list(")")?;
        (self.no_greater, self.no_in) = outer;
        match count {
            0 => self.fail(),
            1 => {
                // Parentheses enclose a value, not an assignable expression: `($1)++` and `(x) = 1` are not awk,
                // `$(NF)` is.
                Ok(())
            }
            n => {
                if !self.word("in") {
                    return self.fail();
                }
                self.emit(AwkOp::Keys(n));
                Ok(())
            }
        }
    }

    pub(super) fn call(&mut self, name: &str) -> AwkResult {
        let id = self.function_id(name);
        self.expect("(")?;
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        let mut arguments = 0;
        self.newlines();
        while !self.accept(")") {
            if arguments > 0 {
                self.expect(",")?;
                self.newlines();
            }
            let before = self.program.code.len();
            self.expression()?;
            if self.program.code.len() == before + 1
                && let Some(op) = self.program.code.last_mut()
                && let AwkOp::Load(AwkLvalue::Var(var)) = *op
            {
                *op = AwkOp::Pass(var);
                self.bare.push((before, self.current, id, index(arguments)));
            }
            self.newlines();
            arguments += 1;
        }
        (self.no_greater, self.no_in) = outer;
        self.emit(AwkOp::Call { function: id, arguments });
        Ok(())
    }

    pub(super) fn getline_target(&mut self) -> Result<Option<AwkLvalue>, AwkError> {
        if !matches!(self.peek(), AwkToken::Name(_)) && !self.is("$") {
            return Ok(None);
        }
        self.primary()?;
        self.take_target().map(Some)
    }

    pub(super) fn getline(&mut self) -> AwkResult {
        let target = self.getline_target()?;
        if self.accept("<") {
            self.primary()?;
            self.emit(AwkOp::Getline(Source::File, target));
        } else {
            self.emit(AwkOp::Getline(Source::Main, target));
        }
        Ok(())
    }

    pub(super) fn builtin(&mut self, name: &'static str) -> AwkResult {
        if name == "length" && !self.is("(") {
            self.emit(AwkOp::Builtin("length", 0));
            return Ok(());
        }
        self.expect("(")?;
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        match name {
            "sub" | "gsub" => self.substitution(name == "gsub")?,
            "split" => {
                self.expression()?;
                self.expect(",")?;
                self.newlines();
                let (AwkToken::Name(array) | AwkToken::Function(array)) = self.next() else {
                    return self.fail();
                };
                let array = self.array(&array);
                let separated = self.accept(",");
                if separated {
                    self.newlines();
                    self.pattern()?;
                }
                self.expect(")")?;
                self.emit(AwkOp::Split(array, separated));
            }
            "match" => {
                self.expression()?;
                self.expect(",")?;
                self.newlines();
                self.pattern()?;
                self.expect(")")?;
                self.emit(AwkOp::Builtin(name, 2));
            }
            "asort" | "asorti" => {
                let mut count = 0;
                while count == 0 || count == 1 && self.accept(",") {
                    self.newlines();
                    let (AwkToken::Name(array) | AwkToken::Function(array)) = self.next() else {
                        return self.fail();
                    };
                    let array = self.array(&array);
                    self.emit(AwkOp::LoadArray(array));
                    count += 1;
                }
                self.expect(")")?;
                self.emit(AwkOp::Builtin(name, count));
            }
            "gensub" => {
                self.pattern()?;
                let mut count = 1;
                while self.accept(",") {
                    self.newlines();
                    self.expression()?;
                    count += 1;
                }
                self.expect(")")?;
                if !(3..=4).contains(&count) {
                    return self.say(&format!("{count} is invalid as number of arguments for {name}"));
                }
                self.emit(AwkOp::Builtin(name, count));
            }
            "length" if self.is(")") => {
                self.at += 1;
                self.emit(AwkOp::Builtin(name, 0));
            }
            "length" => self.length()?,
            name => {
                let count = self.list(")")?;
                let range = arguments(name);
                if !range.contains(&count) {
                    return self.say(&format!("{count} is invalid as number of arguments for {name}"));
                }
                self.emit(AwkOp::Builtin(name, count));
            }
        }
        (self.no_greater, self.no_in) = outer;
        Ok(())
    }

    /// `length(x)`. Whether `x` is an array may depend on the rest of the program: a name that is used as an
    /// array, and never as a scalar, is one.
    pub(super) fn length(&mut self) -> AwkResult {
        let name = match (self.peek(), self.tokens.get(self.at + 1).map(|(t, _)| t)) {
            (AwkToken::Name(name), Some(AwkToken::Sign(")"))) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = name {
            self.at += 2;
            let var = self.variable(&name);
            self.emit(AwkOp::LengthOf(var));
            return Ok(());
        }
        self.expression()?;
        self.expect(")")?;
        self.emit(AwkOp::Builtin("length", 1));
        Ok(())
    }

    pub(super) fn pattern(&mut self) -> AwkResult {
        let before = self.program.code.len();
        self.expression()?;
        self.as_pattern(before);
        Ok(())
    }

    /// `sub(re, text [, target])`. The target's operands must be on the stack first, so their code is moved to
    /// the front.
    pub(super) fn substitution(&mut self, all: bool) -> AwkResult {
        let start = self.program.code.len();
        self.pattern()?;
        self.expect(",")?;
        self.newlines();
        self.expression()?;
        let middle = self.program.code.len();
        let target = if self.accept(",") {
            self.newlines();
            self.expression()?;
            self.take_target()?
        } else {
            self.emit(AwkOp::Number(0.0));
            AwkLvalue::Field
        };
        self.expect(")")?;
        let needs: Vec<AwkOp> = self.program.code.drain(middle..).collect();
        let (length, before) = (needs.len(), middle - start);
        let back = u32::try_from(before).unwrap_or(0);
        let forth = u32::try_from(length).unwrap_or(0);
        let needs: Vec<AwkOp> = needs.into_iter().map(|op| unshifted(op, back)).collect();
        let first: Vec<AwkOp> = self.program.code.drain(start..).map(|op| shifted(op, forth)).collect();
        self.program.code.extend(needs);
        self.program.code.extend(first);
        for bare in &mut self.bare {
            if bare.0 >= middle {
                bare.0 -= before;
            } else if bare.0 >= start {
                bare.0 += length;
            }
        }
        self.emit(AwkOp::Substitute(target, all));
        Ok(())
    }
}

fn arguments(name: &str) -> std::ops::RangeInclusive<u32> {
    match name {
        "rand" | "systime" => 0..=0,
        "srand" | "fflush" => 0..=1,
        "atan2" | "index" | "lshift" | "rshift" => 2..=2,
        "and" | "or" | "xor" => 2..=u32::MAX,
        "mktime" => 1..=2,
        "substr" => 2..=3,
        "sprintf" => 1..=u32::MAX,
        "strftime" => 0..=3,
        _ => 1..=1,
    }
}
