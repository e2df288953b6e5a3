//! `[[ ... ]]`: logical operators become jumps, tests become ops.

use super::word::Context;
use super::{ErrorKind, Reader, Result, offset};
use crate::shell::op::{Mode, Op};

const BINARY: [&str; 15] =
    ["==", "=~", "!=", "=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

impl Reader<'_> {
    pub(super) fn conditional(&mut self) -> Result<()> {
        self.pos += 2;
        let line = self.line;
        self.ops.push(Op::CondEnter);
        self.cond_or()?;
        self.newlines();
        if !self.accept_keyword("]]") {
            return self.cond_error();
        }
        // The whole counts as one command for `set -e`.
        self.ops.extend([Op::CondExit, Op::CondDone(line)]);
        Ok(())
    }

    fn cond_error(&mut self) -> Result<()> {
        let token = self.token_text();
        if token.is_empty() { self.fail(ErrorKind::Eof) } else { self.fail(ErrorKind::Near(token)) }
    }

    fn cond_or(&mut self) -> Result<()> {
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

    fn cond_and(&mut self) -> Result<()> {
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

    fn cond_term(&mut self) -> Result<()> {
        self.newlines();
        if self.accept_keyword("!") {
            self.deeper(Self::cond_term)?;
            self.ops.push(Op::Not);
            return Ok(());
        }
        if self.accept("(") {
            self.deeper(Self::cond_or)?;
            self.newlines();
            return if self.accept(")") { Ok(()) } else { self.cond_error() };
        }
        let plain = self.plain();
        if plain == "]]" || plain.is_empty() && !self.looking_at("<(") {
            return self.cond_error();
        }
        let unary = plain.len() == 2 && plain.starts_with('-') && !plain.ends_with('-');
        if unary {
            let operator = plain.to_owned();
            let before = (self.pos, self.line);
            self.pos += 2;
            self.blanks();
            if !BINARY.iter().any(|b| self.looking_at(b)) && self.keyword() != Some("]]") {
                let word = self.pieces(Context::Word)?;
                self.emit_word(&word, Mode::Text);
                self.ops.extend([Op::End, Op::CondUnary(operator)]);
                return Ok(());
            }
            (self.pos, self.line) = before;
        }
        let left = self.pieces(Context::Word)?;
        self.emit_word(&left, Mode::Text);
        self.ops.push(Op::End);
        self.newlines();
        let symbol = BINARY
            .iter()
            .copied()
            .find(|b| self.looking_at(b) && (!b.starts_with('-') || self.plain() == *b));
        let Some(operator) = symbol else {
            self.ops.push(Op::CondUnary("-n".into()));
            return Ok(());
        };
        self.pos += operator.len();
        self.blanks();
        let context = if operator == "=~" { Context::Regex } else { Context::Word };
        let right = self.pieces(context)?;
        if right.is_empty() {
            return self.cond_error();
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
