//! awk's operators, the loosest first.

use super::super::lex::{BUILTINS, Token};
use super::super::op::{Arith, Compare, Op, Place, Source};
use super::{Compiler, Done, Mistake};

impl Compiler {
    pub(super) fn expression(&mut self) -> Done {
        self.deeper()?;
        self.ternary()?;
        if let Token::Sign(sign @ ("=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "**=")) = *self.peek() {
            self.assignment(sign)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Takes back the load of what is assigned to.
    pub(super) fn take_place(&mut self) -> Result<Place, Mistake> {
        match self.program.code.last() {
            Some(Op::Load(place)) => {
                let place = *place;
                self.program.code.pop();
                Ok(place)
            }
            Some(_) | None => self.fail(),
        }
    }

    pub(super) fn assignment(&mut self, sign: &str) -> Done {
        let place = self.take_place()?;
        self.at += 1;
        self.newlines();
        let arith = match sign {
            "+=" => Some(Arith::Add),
            "-=" => Some(Arith::Sub),
            "*=" => Some(Arith::Mul),
            "/=" => Some(Arith::Div),
            "%=" => Some(Arith::Mod),
            "^=" | "**=" => Some(Arith::Pow),
            _ => None,
        };
        if arith.is_some() {
            if !matches!(place, Place::Var(_)) {
                self.emit(Op::Dup);
            }
            self.emit(Op::Load(place));
        }
        self.expression()?;
        if let Some(arith) = arith {
            self.emit(Op::Arith(arith));
        }
        self.emit(Op::Store(place));
        Ok(())
    }

    pub(super) fn ternary(&mut self) -> Done {
        self.or()?;
        if self.accept("?") {
            self.newlines();
            let otherwise = self.emit(Op::JumpFalse(0));
            self.expression()?;
            self.newlines();
            self.expect(":")?;
            self.newlines();
            let end = self.emit(Op::Jump(0));
            self.land(otherwise);
            self.expression()?;
            self.land(end);
        }
        Ok(())
    }

    /// `a || b` and `a && b`: 0 or 1, the right side only where it matters.
    pub(super) fn or(&mut self) -> Done {
        self.and()?;
        while self.accept("||") {
            self.newlines();
            self.emit(Op::Truth);
            self.emit(Op::Dup);
            let end = self.emit(Op::JumpTrue(0));
            self.emit(Op::Pop);
            self.and()?;
            self.emit(Op::Truth);
            self.land(end);
        }
        Ok(())
    }

    pub(super) fn and(&mut self) -> Done {
        self.membership()?;
        while self.accept("&&") {
            self.newlines();
            self.emit(Op::Truth);
            self.emit(Op::Dup);
            let end = self.emit(Op::JumpFalse(0));
            self.emit(Op::Pop);
            self.membership()?;
            self.emit(Op::Truth);
            self.land(end);
        }
        Ok(())
    }

    pub(super) fn membership(&mut self) -> Done {
        self.matching()?;
        while !self.no_in && self.word("in") {
            self.at += 1;
            let (Token::Name(name) | Token::Function(name)) = self.next() else { return self.fail() };
            let array = self.array(&name);
            self.emit(Op::In(array));
        }
        Ok(())
    }

    pub(super) fn matching(&mut self) -> Done {
        self.comparison()?;
        while let Token::Sign(sign @ ("~" | "!~")) = *self.peek() {
            self.at += 1;
            let before = self.program.code.len();
            self.comparison()?;
            self.as_pattern(before);
            self.emit(Op::Match(sign == "!~"));
        }
        Ok(())
    }

    /// A pattern alone stands for itself where a pattern is wanted, not for a match with the record.
    pub(super) fn as_pattern(&mut self, before: usize) {
        let length = self.program.code.len();
        if let Some(last) = self.program.code.last_mut()
            && let Op::MatchRecord(i) = *last
            && length == before + 1
        {
            *last = Op::Regex(i);
        }
    }

    pub(super) fn comparison(&mut self) -> Done {
        self.concatenation(false)?;
        let compare = match *self.peek() {
            Token::Sign("<") => Compare::Lt,
            Token::Sign("<=") => Compare::Le,
            Token::Sign("==") => Compare::Eq,
            Token::Sign("!=") => Compare::Ne,
            Token::Sign(">") if !self.no_greater => Compare::Gt,
            Token::Sign(">=") => Compare::Ge,
            Token::Sign("|") if matches!(self.tokens.get(self.at + 1), Some((Token::Word("getline"), _))) => {
                return self.piped_getline();
            }
            _ => return Ok(()),
        };
        self.at += 1;
        self.concatenation(false)?;
        self.emit(Op::Compare(compare));
        Ok(())
    }

    pub(super) fn piped_getline(&mut self) -> Done {
        while self.is("|") && matches!(self.tokens.get(self.at + 1), Some((Token::Word("getline"), _))) {
            self.at += 2;
            let place = self.getline_place()?;
            if let Some(Place::Field | Place::Element(_)) = place {
                return self.say("cmd | getline into a field or an element is not simulated");
            }
            self.emit(Op::Getline(Source::Command, place));
        }
        Ok(())
    }

    pub(super) fn starts_operand(&self) -> bool {
        match self.peek() {
            Token::Number(_) | Token::Text(_) | Token::Regex(_) | Token::Name(_) | Token::Function(_) => true,
            Token::Word(word) => BUILTINS.contains(word),
            Token::Sign(sign) => matches!(*sign, "$" | "!" | "(" | "-" | "+" | "++" | "--"),
            Token::Newline | Token::End => false,
        }
    }

    /// One value behind the other. `single` values (a file's name after `>`) end before a comparison.
    pub(super) fn concatenation(&mut self, single: bool) -> Done {
        self.additive()?;
        while self.starts_operand() && !(self.is("+") || self.is("-") || single && self.is("(")) {
            self.additive()?;
            self.emit(Op::Concat);
        }
        Ok(())
    }

    pub(super) fn additive(&mut self) -> Done {
        self.multiplicative()?;
        while let Token::Sign(sign @ ("+" | "-")) = *self.peek() {
            self.at += 1;
            self.multiplicative()?;
            self.emit(Op::Arith(if sign == "+" { Arith::Add } else { Arith::Sub }));
        }
        Ok(())
    }

    pub(super) fn multiplicative(&mut self) -> Done {
        self.unary()?;
        while let Token::Sign(sign @ ("*" | "/" | "%")) = *self.peek() {
            self.at += 1;
            self.unary()?;
            self.emit(Op::Arith(match sign {
                "*" => Arith::Mul,
                "/" => Arith::Div,
                _ => Arith::Mod,
            }));
        }
        Ok(())
    }

    pub(super) fn unary(&mut self) -> Done {
        let Token::Sign(sign @ ("!" | "-" | "+")) = *self.peek() else { return self.power() };
        self.deeper()?;
        self.at += 1;
        self.unary()?;
        self.depth -= 1;
        // `! x ~ y` is read as `!(x ~ y)` by the real ones.
        if sign == "!" && (self.is("~") || self.is("!~")) {
            let negated = self.is("!~");
            self.at += 1;
            let before = self.program.code.len();
            self.comparison()?;
            self.as_pattern(before);
            self.emit(Op::Match(negated));
        }
        self.emit(match sign {
            "!" => Op::Not,
            "-" => Op::Negate,
            _ => Op::Plus,
        });
        Ok(())
    }

    pub(super) fn power(&mut self) -> Done {
        self.postfix()?;
        if self.accept("^") || self.accept("**") {
            // Right-associative; its right side may have a sign.
            self.deeper()?;
            if let Token::Sign(sign @ ("-" | "+" | "!")) = *self.peek() {
                self.at += 1;
                self.power()?;
                self.emit(match sign {
                    "-" => Op::Negate,
                    "+" => Op::Plus,
                    _ => Op::Not,
                });
            } else {
                self.power()?;
            }
            self.depth -= 1;
            self.emit(Op::Arith(Arith::Pow));
        }
        Ok(())
    }

    pub(super) fn postfix(&mut self) -> Done {
        self.primary()?;
        if let Token::Sign(sign @ ("++" | "--")) = *self.peek()
            && let Some(Op::Load(place)) = self.program.code.last().cloned()
        {
            self.at += 1;
            self.program.code.pop();
            self.emit(Op::Increment { place, by: if sign == "++" { 1.0 } else { -1.0 }, post: true });
        }
        Ok(())
    }
}
