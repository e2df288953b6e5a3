//! `[[ ... ]]`: logical operators become jumps, tests become ops.

use super::scan::is_meta;
use super::word::WordContext;
use super::{ErrorKind, LowerResult, SourceParser, offset};
use crate::op::{Mode, Op};

const BINARY: [&str; 15] =
    ["==", "=~", "!=", "=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

impl SourceParser<'_> {
    pub(super) fn conditional(&mut self) -> LowerResult<()> {
        let (from, begins) = (self.pos, self.ops.len());
        self.pos += 2;
        let line = self.line;
        self.ops.extend([Op::Begins("[[".into(), false), Op::CondEnter]);
        // Patterns are always extended here.
        let extglob = std::mem::replace(&mut self.options.extglob, true);
        let result = self.cond_or();
        self.options.extglob = extglob;
        result?;
        self.newlines();
        if !self.accept_keyword("]]") {
            let token = self.token_text();
            let what = "syntax error in conditional expression".to_owned();
            return match self.peek() {
                None => self.fail(ErrorKind::Eof),
                Some(c) if is_meta(c) => self.condition(format!("{what}: unexpected token `{token}'")),
                Some(_) => self.condition(what),
            };
        }
        self.ops[begins] = Op::Begins(self.src[from..self.pos].into(), false);
        // The whole expression is one command for `set -e`.
        self.ops.extend([Op::CondExit, Op::CondDone(line)]);
        Ok(())
    }

    fn condition(&self, message: String) -> LowerResult<()> {
        self.fail(ErrorKind::Condition(Some(message)))
    }

    /// The error for an operator without its argument.
    fn no_argument(&self, kind: &str) -> LowerResult<()> {
        let token = self.token_text();
        if token.is_empty() {
            return self.fail(ErrorKind::Eof);
        }
        self.condition(format!("unexpected argument `{token}' to conditional {kind} operator"))
    }

    fn cond_or(&mut self) -> LowerResult<()> {
        self.cond_and()?;
        self.newlines();
        while self.accept("||") {
            let jump = self.ops.len();
            self.ops.push(Op::Jump(0));
            self.cond_and()?;
            self.ops[jump] = Op::JumpIfOk(offset(jump, self.ops.len()));
            self.newlines();
        }
        Ok(())
    }

    fn cond_and(&mut self) -> LowerResult<()> {
        self.cond_term()?;
        self.newlines();
        while self.accept("&&") {
            let jump = self.ops.len();
            self.ops.push(Op::Jump(0));
            self.cond_term()?;
            self.ops[jump] = Op::JumpIfFail(offset(jump, self.ops.len()));
            self.newlines();
        }
        Ok(())
    }

    fn cond_term(&mut self) -> LowerResult<()> {
        self.newlines();
        if self.accept_keyword("!") {
            self.deeper(Self::cond_term)?;
            self.ops.push(Op::Not);
            return Ok(());
        }
        if self.accept("(") {
            self.deeper(Self::cond_or)?;
            self.newlines();
            if self.accept(")") {
                return Ok(());
            }
            let token = self.token_text();
            if token.is_empty() {
                return self.fail(ErrorKind::Eof);
            }
            return self.condition(format!("unexpected token `{token}', expected `)'"));
        }
        let plain = self.plain();
        if plain == "]]" || plain.is_empty() && !self.looking_at("<(") {
            return self.fail(if self.at_end() { ErrorKind::Eof } else { ErrorKind::Condition(None) });
        }
        let unary = plain.len() == 2 && plain.starts_with('-') && !plain.ends_with('-');
        if unary {
            let operator = plain.to_owned();
            let before = (self.pos, self.line);
            self.pos += 2;
            self.blanks();
            if self.keyword() == Some("]]") || self.peek().is_none_or(|c| is_meta(c) && c != '<' && c != '>')
            {
                return self.no_argument("unary");
            }
            if !BINARY.iter().any(|b| self.looking_at(b)) {
                let word = self.pieces(WordContext::Word)?;
                self.emit_word(&word, Mode::Text);
                self.ops.extend([Op::End, Op::CondUnary(operator)]);
                return Ok(());
            }
            (self.pos, self.line) = before;
        }
        let left = self.pieces(WordContext::Word)?;
        self.emit_word(&left, Mode::Text);
        self.ops.push(Op::End);
        self.newlines();
        let symbol = BINARY
            .iter()
            .copied()
            .find(|b| self.looking_at(b) && (!b.starts_with('-') || self.plain() == *b));
        let Some(operator) = symbol else {
            self.ops.push(Op::CondUnary("-n".into()));
            let ends = self.at_end() || self.keyword() == Some("]]") || self.looking_at(")");
            if ends || self.looking_at("&&") || self.looking_at("||") {
                return Ok(());
            }
            let token = self.token_text();
            let what = "conditional binary operator expected";
            return match self.peek() {
                Some(c) if is_meta(c) => self.condition(format!("unexpected token `{token}', {what}")),
                Some(_) | None => self.condition(what.to_owned()),
            };
        };
        self.pos += operator.len();
        self.blanks();
        let context = if operator == "=~" { WordContext::Regex } else { WordContext::Word };
        if self.keyword() == Some("]]") {
            return self.no_argument("binary");
        }
        let right = self.pieces(context)?;
        if right.is_empty() {
            return self.no_argument("binary");
        }
        let mode = match operator {
            "==" | "=" | "!=" | "=~" => Mode::Pattern,
            _ => Mode::Text,
        };
        self.emit_word(&right, mode);
        self.ops.extend([Op::End, Op::CondBinary(operator.into())]);
        Ok(())
    }
}
