//! awk's operands: values, variables, calls, built-in functions.

use super::super::lex::{BUILTINS, Token};
use super::super::op::{Op, Place, Source};
use super::{Compiler, Done, Mistake, index, shifted, unshifted};

impl Compiler {
    /// Expressions up to a closing sign; how many.
    pub(super) fn list(&mut self, close: &str) -> Result<u32, Mistake> {
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

    /// Keys of an element up to a closing sign, as one.
    pub(super) fn keys(&mut self, close: &str) -> Done {
        let outer = (std::mem::take(&mut self.no_in), std::mem::take(&mut self.no_greater));
        let count = self.list(close)?;
        (self.no_in, self.no_greater) = outer;
        match count {
            0 => self.fail(),
            1 => Ok(()),
            n => {
                self.emit(Op::Keys(n));
                Ok(())
            }
        }
    }

    pub(super) fn primary(&mut self) -> Done {
        self.deeper()?;
        let result = self.one_primary();
        self.depth -= 1;
        result
    }

    pub(super) fn one_primary(&mut self) -> Done {
        match self.next() {
            Token::Number(n) => drop(self.emit(Op::Number(n))),
            Token::Text(text) => drop(self.emit(Op::Text(text))),
            Token::Regex(text) => {
                let i = u32::try_from(self.program.regexes.len()).unwrap_or(u32::MAX);
                self.program.regexes.push(text);
                self.emit(Op::MatchRecord(i));
            }
            Token::Name(name) => {
                if self.accept("[") {
                    let array = self.array(&name);
                    self.keys("]")?;
                    self.emit(Op::Load(Place::Element(array)));
                } else {
                    let var = self.variable(&name);
                    self.emit(Op::Load(Place::Var(var)));
                }
            }
            Token::Function(name) => return self.call(&name),
            Token::Word("getline") => return self.getline(),
            Token::Word(word) if BUILTINS.contains(&word) => return self.builtin(word),
            Token::Sign("(") => return self.group(),
            Token::Sign("$") => {
                if let Token::Sign(sign @ ("++" | "--" | "-" | "+")) = *self.peek() {
                    self.at += 1;
                    self.primary()?;
                    if sign.len() == 2 {
                        let place = self.take_place()?;
                        self.emit(Op::Increment {
                            place,
                            by: if sign == "++" { 1.0 } else { -1.0 },
                            post: false,
                        });
                    } else if sign == "-" {
                        self.emit(Op::Negate);
                    }
                } else {
                    self.primary()?;
                }
                self.emit(Op::Load(Place::Field));
            }
            Token::Sign(sign @ ("++" | "--")) => {
                self.primary()?;
                let place = self.take_place()?;
                self.emit(Op::Increment { place, by: if sign == "++" { 1.0 } else { -1.0 }, post: false });
            }
            Token::Sign("-" | "!" | "+") => {
                self.at -= 1;
                return self.unary();
            }
            Token::Word(_) | Token::Sign(_) | Token::Newline | Token::End => {
                self.at -= 1;
                return self.fail();
            }
        }
        Ok(())
    }

    pub(super) fn group(&mut self) -> Done {
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        let count = self.list(")")?;
        (self.no_greater, self.no_in) = outer;
        match count {
            0 => self.fail(),
            1 => {
                // What stands in parentheses is a value, not a place; `($1)++` and `(x) = 1` are not awk, `$(NF)` is.
                Ok(())
            }
            n => {
                if !self.word("in") {
                    return self.fail();
                }
                self.emit(Op::Keys(n));
                Ok(())
            }
        }
    }

    pub(super) fn call(&mut self, name: &str) -> Done {
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
                && matches!(self.program.code.last(), Some(Op::Load(Place::Var(_))))
            {
                self.bare.push((before, self.current, id, index(arguments)));
            }
            self.newlines();
            arguments += 1;
        }
        (self.no_greater, self.no_in) = outer;
        self.emit(Op::Call { function: id, arguments });
        Ok(())
    }

    pub(super) fn getline_place(&mut self) -> Result<Option<Place>, Mistake> {
        if !matches!(self.peek(), Token::Name(_)) && !self.is("$") {
            return Ok(None);
        }
        self.primary()?;
        self.take_place().map(Some)
    }

    pub(super) fn getline(&mut self) -> Done {
        let place = self.getline_place()?;
        if self.accept("<") {
            self.primary()?;
            self.emit(Op::Getline(Source::File, place));
        } else {
            self.emit(Op::Getline(Source::Main, place));
        }
        Ok(())
    }

    pub(super) fn builtin(&mut self, name: &'static str) -> Done {
        if name == "length" && !self.is("(") {
            self.emit(Op::Builtin("length", 0));
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
                let (Token::Name(array) | Token::Function(array)) = self.next() else { return self.fail() };
                let array = self.array(&array);
                let separated = self.accept(",");
                if separated {
                    self.newlines();
                    self.pattern()?;
                }
                self.expect(")")?;
                self.emit(Op::Split(array, separated));
            }
            "match" => {
                self.expression()?;
                self.expect(",")?;
                self.newlines();
                self.pattern()?;
                self.expect(")")?;
                self.emit(Op::Builtin(name, 2));
            }
            "length" if self.is(")") => {
                self.at += 1;
                self.emit(Op::Builtin(name, 0));
            }
            "length" => self.length()?,
            name => {
                let count = self.list(")")?;
                let range = arguments(name);
                if !range.contains(&count) {
                    return self.say(&format!("{count} is invalid as number of arguments for {name}"));
                }
                self.emit(Op::Builtin(name, count));
            }
        }
        (self.no_greater, self.no_in) = outer;
        Ok(())
    }

    /// `length(x)`: of an array too, which only the rest of the program tells; a name that is nowhere else a scalar
    /// and was seen as an array is one.
    pub(super) fn length(&mut self) -> Done {
        let name = match (self.peek(), self.tokens.get(self.at + 1).map(|(t, _)| t)) {
            (Token::Name(name), Some(Token::Sign(")"))) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = name {
            self.at += 2;
            let var = self.variable(&name);
            self.emit(Op::LengthOf(var));
            return Ok(());
        }
        self.expression()?;
        self.expect(")")?;
        self.emit(Op::Builtin("length", 1));
        Ok(())
    }

    pub(super) fn pattern(&mut self) -> Done {
        let before = self.program.code.len();
        self.expression()?;
        self.as_pattern(before);
        Ok(())
    }

    /// `sub(re, text [, place])`; the place's needs come first on the stack, so its code is moved to the front.
    pub(super) fn substitution(&mut self, all: bool) -> Done {
        let start = self.program.code.len();
        self.pattern()?;
        self.expect(",")?;
        self.newlines();
        self.expression()?;
        let middle = self.program.code.len();
        let place = if self.accept(",") {
            self.newlines();
            self.expression()?;
            self.take_place()?
        } else {
            self.emit(Op::Number(0.0));
            Place::Field
        };
        self.expect(")")?;
        let needs: Vec<Op> = self.program.code.drain(middle..).collect();
        let (length, before) = (needs.len(), middle - start);
        let back = u32::try_from(before).unwrap_or(0);
        let forth = u32::try_from(length).unwrap_or(0);
        let needs: Vec<Op> = needs.into_iter().map(|op| unshifted(op, back)).collect();
        let first: Vec<Op> = self.program.code.drain(start..).map(|op| shifted(op, forth)).collect();
        self.program.code.extend(needs);
        self.program.code.extend(first);
        for bare in &mut self.bare {
            if bare.0 >= middle {
                bare.0 -= before;
            } else if bare.0 >= start {
                bare.0 += length;
            }
        }
        self.emit(Op::Substitute(place, all));
        Ok(())
    }
}

fn arguments(name: &str) -> std::ops::RangeInclusive<u32> {
    match name {
        "rand" | "systime" => 0..=0,
        "srand" | "fflush" => 0..=1,
        "atan2" | "index" => 2..=2,
        "substr" => 2..=3,
        "sprintf" => 1..=u32::MAX,
        "strftime" => 0..=3,
        _ => 1..=1,
    }
}
