//! awk's statements.

use super::super::lex::AwkToken;
use super::super::op::{AwkLvalue, AwkOp, Redirect};
use super::{AwkResult, Compiler};

impl Compiler {
    pub(super) fn block(&mut self) -> AwkResult {
        self.deeper()?;
        self.expect("{")?;
        self.ends();
        while !self.accept("}") {
            self.statement()?;
            self.ends();
        }
        self.depth -= 1;
        Ok(())
    }

    /// The end of a simple statement: `;`, a newline, or a closing brace or parenthesis.
    pub(super) fn terminator(&mut self) -> AwkResult {
        if self.accept(";") || matches!(self.peek(), AwkToken::Newline) {
            self.newlines();
            Ok(())
        } else if self.is("}") || matches!(self.peek(), AwkToken::End) {
            Ok(())
        } else {
            self.fail()
        }
    }

    pub(super) fn body(&mut self) -> AwkResult {
        self.newlines();
        if self.accept(";") {
            return Ok(());
        }
        self.statement()
    }

    pub(super) fn statement(&mut self) -> AwkResult {
        self.deeper()?;
        self.note_line();
        let result = self.one_statement();
        self.depth -= 1;
        result
    }

    pub(super) fn one_statement(&mut self) -> AwkResult {
        if self.is("{") {
            return self.block();
        }
        let AwkToken::Word(word) = *self.peek() else {
            self.simple()?;
            return self.terminator();
        };
        match word {
            "if" => self.if_statement(),
            "while" => self.while_statement(),
            "do" => self.do_statement(),
            "for" => self.for_statement(),
            "break" | "continue" => {
                self.at += 1;
                let jump = self.emit(AwkOp::Jump(0));
                match self.loops.last_mut() {
                    Some((breaks, continues)) => if word == "break" { breaks } else { continues }.push(jump),
                    None => return self.say(&format!("`{word}' is not allowed outside a loop or switch")),
                }
                self.terminator()
            }
            "next" | "nextfile" => {
                self.at += 1;
                self.emit(if word == "next" { AwkOp::Next } else { AwkOp::NextFile });
                self.terminator()
            }
            "exit" | "return" => {
                self.at += 1;
                if self.is(";") || self.is("}") || matches!(self.peek(), AwkToken::Newline | AwkToken::End) {
                    // `exit` without a number keeps an earlier exit code.
                    self.emit(AwkOp::Text(String::new()));
                } else {
                    self.expression()?;
                }
                if word == "return" && self.current.is_none() {
                    return self.say("`return' used outside function context");
                }
                self.emit(if word == "exit" { AwkOp::Exit } else { AwkOp::Return });
                self.terminator()
            }
            _ => {
                self.simple()?;
                self.terminator()
            }
        }
    }

    pub(super) fn if_statement(&mut self) -> AwkResult {
        self.at += 1;
        self.expect("(")?;
        self.expression()?;
        self.expect(")")?;
        let otherwise = self.emit(AwkOp::JumpFalse(0));
        self.body()?;
        let before = self.at;
        self.ends();
        if self.word("else") {
            self.at += 1;
            let end = self.emit(AwkOp::Jump(0));
            self.land(otherwise);
            self.body()?;
            self.land(end);
        } else {
            self.at = before;
            self.land(otherwise);
        }
        Ok(())
    }

    pub(super) fn finish_loop(&mut self, again: u32) {
        if let Some((breaks, continues)) = self.loops.pop() {
            for jump in continues {
                self.land_at(jump, again);
            }
            for jump in breaks {
                self.land(jump);
            }
        }
    }

    pub(super) fn while_statement(&mut self) -> AwkResult {
        self.at += 1;
        self.expect("(")?;
        let again = self.here();
        self.expression()?;
        self.expect(")")?;
        let out = self.emit(AwkOp::JumpFalse(0));
        self.loops.push(Default::default());
        self.body()?;
        self.emit(AwkOp::Jump(again));
        self.land(out);
        self.finish_loop(again);
        Ok(())
    }

    pub(super) fn do_statement(&mut self) -> AwkResult {
        self.at += 1;
        let start = self.here();
        self.loops.push(Default::default());
        self.body()?;
        self.ends();
        if !self.word("while") {
            return self.fail();
        }
        self.at += 1;
        let again = self.here();
        self.expect("(")?;
        self.expression()?;
        self.expect(")")?;
        self.emit(AwkOp::JumpTrue(start));
        self.finish_loop(again);
        self.terminator()
    }

    pub(super) fn for_statement(&mut self) -> AwkResult {
        self.at += 1;
        self.expect("(")?;
        let keys = |i: usize| self.tokens.get(self.at + i).map(|(t, _)| t);
        let over_keys = match (keys(0), keys(1), keys(2), keys(3)) {
            (
                Some(AwkToken::Name(name)),
                Some(AwkToken::Word("in")),
                Some(AwkToken::Name(array)),
                Some(AwkToken::Sign(")")),
            ) => Some((name.clone(), array.clone())),
            _ => None,
        };
        if let Some((name, array)) = over_keys {
            self.at += 4;
            let (target, array) = (self.variable(&name), self.array(&array));
            self.emit(AwkOp::IterateKeys(array));
            let again = self.here();
            let out = self.emit(AwkOp::NextKey(0));
            self.emit(AwkOp::Store(AwkLvalue::Var(target)));
            self.emit(AwkOp::Pop);
            self.loops.push(Default::default());
            self.body()?;
            self.emit(AwkOp::Jump(again));
            self.land(out);
            self.finish_loop(again);
            self.emit(AwkOp::IterateEnd);
            return Ok(());
        }
        if !self.is(";") {
            self.simple()?;
        }
        self.expect(";")?;
        self.newlines();
        let test = self.here();
        let out = if self.is(";") {
            None
        } else {
            self.expression()?;
            Some(self.emit(AwkOp::JumpFalse(0)))
        };
        self.expect(";")?;
        self.newlines();
        let into = self.emit(AwkOp::Jump(0));
        let again = self.here();
        if !self.is(")") {
            self.simple()?;
        }
        self.expect(")")?;
        self.emit(AwkOp::Jump(test));
        self.land(into);
        self.loops.push(Default::default());
        self.body()?;
        self.emit(AwkOp::Jump(again));
        if let Some(out) = out {
            self.land(out);
        }
        self.finish_loop(again);
        Ok(())
    }

    pub(super) fn simple(&mut self) -> AwkResult {
        match self.peek() {
            AwkToken::Word(word @ ("print" | "printf")) => {
                let printf = *word == "printf";
                self.at += 1;
                self.print(printf)
            }
            AwkToken::Word("delete") => {
                self.at += 1;
                let (AwkToken::Name(name) | AwkToken::Function(name)) = self.next() else {
                    return self.fail();
                };
                let array = self.array(&name);
                if self.accept("[") {
                    self.keys("]")?;
                    self.emit(AwkOp::Delete(array));
                } else {
                    self.emit(AwkOp::DeleteAll(array));
                }
                Ok(())
            }
            _ => {
                self.expression()?;
                self.emit(AwkOp::Pop);
                Ok(())
            }
        }
    }

    pub(super) fn print(&mut self, printf: bool) -> AwkResult {
        let mut count = 0;
        let ends = |c: &Self| {
            c.is(";")
                || c.is("}")
                || c.is(">")
                || c.is(">>")
                || c.is("|")
                || matches!(c.peek(), AwkToken::Newline | AwkToken::End)
        };
        let outer = std::mem::replace(&mut self.no_greater, true);
        if self.is("(") && self.closes_print() {
            self.at += 1;
            self.no_greater = false;
            count = self.list(")")?;
            self.no_greater = true;
        } else if !ends(self) {
            loop {
                self.expression()?;
                count += 1;
                if !self.accept(",") {
                    break;
                }
                self.newlines();
            }
        }
        let redirect = if self.accept(">") {
            Redirect::File
        } else if self.accept(">>") {
            Redirect::Append
        } else if self.accept("|") {
            Redirect::Pipe
        } else {
            Redirect::None
        };
        if redirect != Redirect::None {
            self.concatenation()?;
        }
        self.no_greater = outer;
        if printf && count == 0 {
            return self.fail();
        }
        self.emit(if printf { AwkOp::Printf(count, redirect) } else { AwkOp::Print(count, redirect) });
        Ok(())
    }

    /// Whether the parenthesis that opens here encloses the whole list of `print`: the statement ends after it.
    pub(super) fn closes_print(&self) -> bool {
        let mut depth = 0;
        for (i, (token, _)) in self.tokens.iter().enumerate().skip(self.at) {
            match token {
                AwkToken::Sign("(") => depth += 1,
                AwkToken::Sign(")") => {
                    depth -= 1;
                    if depth == 0 {
                        return matches!(
                            self.tokens.get(i + 1).map(|(t, _)| t),
                            None | Some(
                                AwkToken::Newline
                                    | AwkToken::End
                                    | AwkToken::Sign(";" | "}" | ">" | ">>" | "|")
                            )
                        );
                    }
                }
                _ => {}
            }
        }
        false
    }
}
