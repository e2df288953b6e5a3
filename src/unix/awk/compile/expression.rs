//! awk's operators, loosest binding first.

use super::super::lex::{AwkToken, BUILTINS};
use super::super::op::{Arith, AwkLvalue, AwkOp, Compare, Source};
use super::{AwkError, AwkResult, Compiler};

impl Compiler {
    pub(super) fn expression(&mut self) -> AwkResult {
        self.deeper()?;
        self.ternary()?;
        if let AwkToken::Sign(sign @ ("=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "**=")) = *self.peek() {
            self.assignment(sign)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Removes the load of the assignment's target.
    pub(super) fn take_target(&mut self) -> Result<AwkLvalue, AwkError> {
        match self.program.code.last() {
            Some(AwkOp::Load(target)) => {
                let target = *target;
                self.program.code.pop();
                Ok(target)
            }
            Some(_) | None => self.fail(),
        }
    }

    pub(super) fn assignment(&mut self, sign: &str) -> AwkResult {
        let target = self.take_target()?;
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
            if !matches!(target, AwkLvalue::Var(_)) {
                self.emit(AwkOp::Dup);
            }
            self.emit(AwkOp::Load(target));
        }
        self.expression()?;
        if let Some(arith) = arith {
            self.emit(AwkOp::Arith(arith));
        }
        self.emit(AwkOp::Store(target));
        Ok(())
    }

    pub(super) fn ternary(&mut self) -> AwkResult {
        self.or()?;
        if self.accept("?") {
            self.newlines();
            let otherwise = self.emit(AwkOp::JumpFalse(0));
            self.expression()?;
            self.newlines();
            self.expect(":")?;
            self.newlines();
            let end = self.emit(AwkOp::Jump(0));
            self.land(otherwise);
            self.expression()?;
            self.land(end);
        }
        Ok(())
    }

    /// `a || b` and `a && b`: yields 0 or 1, and evaluates the right side only if needed.
    pub(super) fn or(&mut self) -> AwkResult {
        self.and()?;
        while self.accept("||") {
            self.newlines();
            self.emit(AwkOp::Truth);
            self.emit(AwkOp::Dup);
            let end = self.emit(AwkOp::JumpTrue(0));
            self.emit(AwkOp::Pop);
            self.and()?;
            self.emit(AwkOp::Truth);
            self.land(end);
        }
        Ok(())
    }

    pub(super) fn and(&mut self) -> AwkResult {
        self.membership()?;
        while self.accept("&&") {
            self.newlines();
            self.emit(AwkOp::Truth);
            self.emit(AwkOp::Dup);
            let end = self.emit(AwkOp::JumpFalse(0));
            self.emit(AwkOp::Pop);
            self.membership()?;
            self.emit(AwkOp::Truth);
            self.land(end);
        }
        Ok(())
    }

    pub(super) fn membership(&mut self) -> AwkResult {
        self.matching()?;
        while !self.no_in && self.word("in") {
            self.at += 1;
            let (AwkToken::Name(name) | AwkToken::Function(name)) = self.next() else { return self.fail() };
            let array = self.array(&name);
            self.emit(AwkOp::In(array));
        }
        Ok(())
    }

    pub(super) fn matching(&mut self) -> AwkResult {
        self.comparison()?;
        while let AwkToken::Sign(sign @ ("~" | "!~")) = *self.peek() {
            self.at += 1;
            let before = self.program.code.len();
            self.comparison()?;
            self.as_pattern(before);
            self.emit(AwkOp::Match(sign == "!~"));
        }
        Ok(())
    }

    /// A regex constant alone is a pattern value here, not a match with the record.
    pub(super) fn as_pattern(&mut self, before: usize) {
        let length = self.program.code.len();
        if let Some(last) = self.program.code.last_mut()
            && let AwkOp::MatchRecord(i) = *last
            && length == before + 1
        {
            *last = AwkOp::Regex(i);
        }
    }

    pub(super) fn comparison(&mut self) -> AwkResult {
        self.concatenation()?;
        let compare = match *self.peek() {
            AwkToken::Sign("<") => Compare::Lt,
            AwkToken::Sign("<=") => Compare::Le,
            AwkToken::Sign("==") => Compare::Eq,
            AwkToken::Sign("!=") => Compare::Ne,
            AwkToken::Sign(">") if !self.no_greater => Compare::Gt,
            AwkToken::Sign(">=") => Compare::Ge,
            AwkToken::Sign("|")
                if matches!(self.tokens.get(self.at + 1), Some((AwkToken::Word("getline"), _))) =>
            {
                return self.piped_getline();
            }
            _ => return Ok(()),
        };
        self.at += 1;
        self.concatenation()?;
        self.emit(AwkOp::Compare(compare));
        Ok(())
    }

    pub(super) fn piped_getline(&mut self) -> AwkResult {
        while self.is("|") && matches!(self.tokens.get(self.at + 1), Some((AwkToken::Word("getline"), _))) {
            self.at += 2;
            let target = self.getline_target()?;
            if let Some(AwkLvalue::Field | AwkLvalue::Element(_)) = target {
                return self.say("cmd | getline into a field or an element is not simulated");
            }
            self.emit(AwkOp::Getline(Source::Command, target));
        }
        Ok(())
    }

    pub(super) fn starts_operand(&self) -> bool {
        match self.peek() {
            AwkToken::Number(_)
            | AwkToken::Text(_)
            | AwkToken::Regex(_)
            | AwkToken::Name(_)
            | AwkToken::Function(_) => true,
            AwkToken::Word(word) => BUILTINS.contains(word),
            AwkToken::Sign(sign) => matches!(*sign, "$" | "!" | "(" | "-" | "+" | "++" | "--"),
            AwkToken::Newline | AwkToken::End => false,
        }
    }

    /// Concatenation.
    pub(super) fn concatenation(&mut self) -> AwkResult {
        self.additive()?;
        while self.starts_operand() && !(self.is("+") || self.is("-")) {
            self.additive()?;
            self.emit(AwkOp::Concat);
        }
        Ok(())
    }

    pub(super) fn additive(&mut self) -> AwkResult {
        self.multiplicative()?;
        while let AwkToken::Sign(sign @ ("+" | "-")) = *self.peek() {
            self.at += 1;
            self.multiplicative()?;
            self.emit(AwkOp::Arith(if sign == "+" { Arith::Add } else { Arith::Sub }));
        }
        Ok(())
    }

    pub(super) fn multiplicative(&mut self) -> AwkResult {
        self.unary()?;
        while let AwkToken::Sign(sign @ ("*" | "/" | "%")) = *self.peek() {
            self.at += 1;
            let (begin, grouped) = (self.program.code.len(), self.is("("));
            self.unary()?;
            // A number that is written as zero is refused before the program starts.
            if let [AwkOp::Number(0.0)] | [AwkOp::Number(0.0), AwkOp::Negate] = self.program.code[begin..]
                && sign != "*"
                && !grouped
            {
                let which = if sign == "%" { " in `%'" } else { "" };
                return self.say(&format!("error: division by zero attempted{which}"));
            }
            self.emit(AwkOp::Arith(match sign {
                "*" => Arith::Mul,
                "/" => Arith::Div,
                _ => Arith::Mod,
            }));
        }
        Ok(())
    }

    pub(super) fn unary(&mut self) -> AwkResult {
        let AwkToken::Sign(sign @ ("!" | "-" | "+")) = *self.peek() else { return self.power() };
        self.deeper()?;
        self.at += 1;
        self.unary()?;
        self.depth -= 1;
        self.emit(match sign {
            "!" => AwkOp::Not,
            "-" => AwkOp::Negate,
            _ => AwkOp::Plus,
        });
        Ok(())
    }

    pub(super) fn power(&mut self) -> AwkResult {
        self.postfix()?;
        if self.accept("^") || self.accept("**") {
            // Right-associative. The right side may have a sign.
            self.deeper()?;
            if let AwkToken::Sign(sign @ ("-" | "+" | "!")) = *self.peek() {
                self.at += 1;
                self.power()?;
                self.emit(match sign {
                    "-" => AwkOp::Negate,
                    "+" => AwkOp::Plus,
                    _ => AwkOp::Not,
                });
            } else {
                self.power()?;
            }
            self.depth -= 1;
            self.emit(AwkOp::Arith(Arith::Pow));
        }
        Ok(())
    }

    pub(super) fn postfix(&mut self) -> AwkResult {
        self.primary()?;
        if let AwkToken::Sign(sign @ ("++" | "--")) = *self.peek()
            && let Some(AwkOp::Load(target)) = self.program.code.last().cloned()
        {
            self.at += 1;
            self.program.code.pop();
            self.emit(AwkOp::Increment { target, by: if sign == "++" { 1.0 } else { -1.0 }, post: true });
        }
        Ok(())
    }
}
