//! Compound commands and functions.

use super::emit::formula;
use super::scan::{is_meta, name_prefix};
use super::word::WordContext;
use super::{ErrorKind, ListEnd, LowerResult, SourceParser, offset};
use crate::op::{Bytecode, Mode, Op};
use std::sync::Arc;

impl SourceParser<'_> {
    /// Parses a command of a pipeline.
    pub(super) fn command(&mut self) -> LowerResult<()> {
        self.blanks();
        while self.alias() {
            self.blanks();
        }
        let start = self.ops.len();
        let line = self.line;
        if self.peek() == Some('(') {
            self.deeper(Self::parenthesis)?;
            return self.compound_redirections(start, line);
        }
        match self.keyword() {
            None => {
                if let Some(name) = self.function_head() {
                    return self.deeper(|r| r.function_body(name));
                }
                return self.simple_command();
            }
            Some("function") => return self.deeper(Self::function_keyword),
            Some("if") => self.deeper(Self::if_clause)?,
            Some("while") => self.deeper(|r| r.while_clause(true))?,
            Some("until") => self.deeper(|r| r.while_clause(false))?,
            Some("for") => self.deeper(Self::for_clause)?,
            Some("select") => self.deeper(Self::select_clause)?,
            Some("case") => self.deeper(Self::case_clause)?,
            Some("[[") => self.deeper(Self::conditional)?,
            Some("{") => self.deeper(Self::group)?,
            Some("coproc") => return self.deeper(Self::coproc),
            Some(_) => return self.unexpected(),
        }
        self.compound_redirections(start, line)
    }

    /// Parses redirections after a compound command, which apply to all of it.
    fn compound_redirections(&mut self, start: usize, line: u32) -> LowerResult<()> {
        let body = self.ops.split_off(start);
        self.ops.push(Op::Cmd(line));
        let mut any = false;
        loop {
            self.blanks();
            if !self.redirection()? {
                break;
            }
            any = true;
        }
        if !any {
            self.ops.truncate(start);
            self.ops.extend(body);
            return Ok(());
        }
        self.ops.push(Op::RedirPush(i32::try_from(body.len()).unwrap_or(0) + 2));
        self.ops.extend(body);
        self.ops.push(Op::RedirPop);
        Ok(())
    }

    fn need(&mut self, keyword: &str) -> LowerResult<()> {
        if self.accept_keyword(keyword) { Ok(()) } else { self.unexpected() }
    }

    fn parenthesis(&mut self) -> LowerResult<()> {
        if let Some(end) = self.arithmetic_end(self.pos) {
            let line = self.line;
            let text = self.src[self.pos + 2..end - 2].to_owned();
            self.arithmetic_command(&text, line)?;
            self.pos = end;
            self.line += count_lines(&text);
            return Ok(());
        }
        let (line, from) = (self.line, self.pos);
        self.pos += 1;
        let outer = std::mem::take(&mut self.ops);
        let result = self.list(ListEnd::Paren);
        let ops = std::mem::replace(&mut self.ops, outer);
        result?;
        self.pos += 1;
        let text = self.src[from..self.pos].to_owned();
        self.ops.push(Op::Subshell(Arc::new(Bytecode { ops, text }), line));
        Ok(())
    }

    /// The position after the `))` that closes the `((` at `from`.
    pub(super) fn arithmetic_end(&self, from: usize) -> Option<usize> {
        if !self.src[from..].starts_with("((") {
            return None;
        }
        let inner = self.find_close(from + 2, '(', ')')?;
        self.src[inner..].starts_with(')').then_some(inner + 1)
    }

    /// Emits `((text))`.
    fn arithmetic_command(&mut self, text: &str, line: u32) -> LowerResult<()> {
        let word = self.sub_word(text, WordContext::Arith)?;
        let shown = format!("(({text}))").into();
        match formula(&word) {
            Some(formula) => self.ops.push(Op::FormulaCommand(line, shown, formula)),
            None => {
                self.emit_word(&word, Mode::Text);
                self.ops.extend([Op::End, Op::ArithCommand(line, shown)]);
            }
        }
        Ok(())
    }

    /// `coproc [NAME] command`: a name is allowed only before a compound command.
    fn coproc(&mut self) -> LowerResult<()> {
        let (from, line) = (self.pos, self.line);
        self.pos += 6;
        self.blanks();
        let name = self.coproc_name().unwrap_or_else(|| "COPROC".to_owned());
        let outer = std::mem::take(&mut self.ops);
        let result = self.command();
        let ops = std::mem::replace(&mut self.ops, outer);
        result?;
        let text = self.src[from..self.pos].trim().to_owned();
        self.ops.push(Op::Coproc(name, Arc::new(Bytecode { ops, text }), line));
        Ok(())
    }

    fn coproc_name(&mut self) -> Option<String> {
        let before = self.pos;
        if self.begins_compound() {
            return None;
        }
        let name = self.plain().to_owned();
        self.pos += name.len();
        self.blanks();
        if !name.is_empty() && name_prefix(&name) == name && self.begins_compound() {
            return Some(name);
        }
        self.pos = before;
        None
    }

    /// Whether a compound command begins here.
    fn begins_compound(&self) -> bool {
        self.peek() == Some('(')
            || self.keyword().is_some_and(|k| {
                matches!(k, "{" | "if" | "while" | "until" | "for" | "case" | "[[" | "select")
            })
    }

    fn group(&mut self) -> LowerResult<()> {
        self.pos += 1;
        self.list(ListEnd::Words(&["}"]))?;
        self.need("}")
    }

    fn if_clause(&mut self) -> LowerResult<()> {
        self.pos += 2;
        let mut ends = Vec::new();
        loop {
            self.ops.push(Op::CondEnter);
            self.list(ListEnd::Words(&["then"]))?;
            self.need("then")?;
            self.ops.push(Op::CondExit);
            let over = self.ops.len();
            self.ops.push(Op::Jump(0));
            self.list(ListEnd::Words(&["elif", "else", "fi"]))?;
            ends.push(self.ops.len());
            self.ops.push(Op::Jump(0));
            self.ops[over] = Op::JumpIfFail(offset(over, self.ops.len()));
            if self.accept_keyword("elif") {
                continue;
            }
            if self.accept_keyword("else") {
                self.list(ListEnd::Words(&["fi"]))?;
            } else {
                self.ops.push(Op::Status(0));
            }
            break;
        }
        self.need("fi")?;
        for end in ends {
            self.ops[end] = Op::Jump(offset(end, self.ops.len()));
        }
        Ok(())
    }

    fn do_group(&mut self) -> LowerResult<()> {
        self.newlines();
        if self.keyword() == Some("{") {
            return self.group();
        }
        self.need("do")?;
        self.list(ListEnd::Words(&["done"]))?;
        self.need("done")
    }

    /// Emits a loop: enter, `head` (returns the op that leaves), body, back, exit.
    fn repeat(
        &mut self,
        head: impl FnOnce(&mut Self) -> LowerResult<usize>,
        leave: impl FnOnce(i32) -> Op,
        tail: impl FnOnce(&mut Self) -> LowerResult<()>,
    ) -> LowerResult<()> {
        let enter = self.ops.len();
        self.ops.push(Op::LoopExit);
        let top = self.ops.len();
        let out = head(self)?;
        self.do_group()?;
        let next = self.ops.len();
        self.ops.push(Op::LoopRound);
        tail(self)?;
        self.ops.push(Op::Jump(offset(self.ops.len(), top)));
        let end = self.ops.len();
        self.ops.push(Op::LoopExit);
        self.ops[out] = leave(offset(out, end));
        self.ops[enter] = Op::LoopEnter { brk: offset(enter, end + 1), cont: offset(enter, next) };
        Ok(())
    }

    fn while_clause(&mut self, wanted: bool) -> LowerResult<()> {
        self.pos += 5;
        self.repeat(
            |r| {
                r.ops.push(Op::CondEnter);
                r.list(ListEnd::Words(&["do"]))?;
                r.ops.push(Op::CondExit);
                r.ops.push(Op::Jump(0));
                Ok(r.ops.len() - 1)
            },
            |far| if wanted { Op::JumpIfFail(far) } else { Op::JumpIfOk(far) },
            |_| Ok(()),
        )
    }

    fn for_clause(&mut self) -> LowerResult<()> {
        self.pos += 3;
        self.blanks();
        if self.looking_at("((") {
            return self.arithmetic_for();
        }
        let from = self.pos;
        let name = self.loop_items()?;
        let head = self.src[from..self.pos].trim_end_matches([';', ' ', '\n', '\t']);
        let text = format!("for {head}").into();
        self.repeat(
            |r| {
                r.ops.push(Op::Jump(0));
                Ok(r.ops.len() - 1)
            },
            |done| Op::ForNext { name, done, text },
            |_| Ok(()),
        )
    }

    fn select_clause(&mut self) -> LowerResult<()> {
        self.pos += 6;
        self.blanks();
        let name = self.loop_items()?;
        self.repeat(
            |r| {
                r.ops.push(Op::Jump(0));
                Ok(r.ops.len() - 1)
            },
            |done| Op::Select { name, done },
            |_| Ok(()),
        )
    }

    /// `name in words;` of `for` and `select`.
    fn loop_items(&mut self) -> LowerResult<String> {
        let name = self.plain().to_owned();
        if name.is_empty() {
            return self.unexpected();
        }
        self.pos += name.len();
        self.ops.push(Op::Cmd(self.line));
        let behind = (self.pos, self.line);
        self.newlines();
        let explicit = self.accept_keyword("in");
        if explicit {
            loop {
                self.blanks();
                match self.peek() {
                    None | Some(';' | '\n') => break,
                    Some('<') if self.looking_at("<(") => {}
                    Some('&' | '|' | '<' | '>' | '(' | ')') => return self.unexpected(),
                    Some(_) => {}
                }
                let word = self.pieces(WordContext::Word)?;
                self.emit_args(word)?;
            }
        } else if self.here.is_none() {
            (self.pos, self.line) = behind;
        }
        self.blanks();
        if !self.looking_at(";;") {
            self.accept(";");
        }
        self.ops.push(Op::ForItems { explicit });
        Ok(name)
    }

    fn arithmetic_for(&mut self) -> LowerResult<()> {
        let line = self.line;
        let Some(end) = self.arithmetic_end(self.pos) else {
            return self.fail(ErrorKind::Unmatched(')'));
        };
        let text = self.src[self.pos + 2..end - 2].to_owned();
        let parts: Vec<&str> = text.split(';').collect();
        let parts: Vec<&str> = parts.iter().map(|part| part.trim_start()).collect();
        let [first, condition, step] = parts.as_slice() else {
            let what = "arithmetic expression required";
            let message = format!("syntax error: {what}\nsyntax error: `(({text}))'");
            return self.fail(ErrorKind::Message(message));
        };
        self.pos = end;
        self.line += count_lines(&text);
        // Its status is not a failure of a command.
        self.ops.push(Op::CondEnter);
        self.arithmetic_command(first, line)?;
        self.ops.push(Op::CondExit);
        self.blanks();
        self.accept(";");
        let condition = if condition.trim().is_empty() { "1" } else { condition };
        self.repeat(
            |r| {
                r.ops.push(Op::CondEnter);
                r.arithmetic_command(condition, line)?;
                r.ops.extend([Op::CondExit, Op::Jump(0)]);
                Ok(r.ops.len() - 1)
            },
            Op::JumpIfFail,
            |r| {
                r.ops.push(Op::CondEnter);
                r.arithmetic_command(step, line)?;
                r.ops.push(Op::CondExit);
                Ok(())
            },
        )
    }

    fn case_clause(&mut self) -> LowerResult<()> {
        self.pos += 4;
        self.blanks();
        if self.peek().is_none_or(is_meta) {
            return self.unexpected();
        }
        let from = self.pos;
        let word = self.pieces(WordContext::Word)?;
        let text = format!("case {} in ", &self.src[from..self.pos]);
        self.ops.push(Op::Begins(text.into(), true));
        self.emit_word(&word, Mode::Text);
        self.ops.push(Op::End);
        self.newlines();
        self.need("in")?;
        let mut ends = Vec::new();
        let mut fall_through: Option<usize> = None;
        loop {
            self.newlines();
            if self.accept_keyword("esac") {
                break;
            }
            let out = self.case_patterns()?;
            if let Some(jump) = fall_through.take() {
                self.ops[jump] = Op::Jump(offset(jump, self.ops.len()));
            }
            let body = self.ops.len();
            self.list(ListEnd::Case)?;
            if self.ops.len() == body {
                self.ops.push(Op::Status(0));
            }
            let jump = self.ops.len();
            self.ops.push(Op::Jump(0));
            if self.accept(";;&") {
                self.ops.pop();
            } else if self.accept(";&") {
                fall_through = Some(jump);
            } else {
                self.accept(";;");
                ends.push(jump);
            }
            let here = self.ops.len();
            self.ops[out] = Op::Jump(offset(out, here));
        }
        self.ops.push(Op::Status(0));
        ends.extend(fall_through);
        for end in ends {
            self.ops[end] = Op::Jump(offset(end, self.ops.len()));
        }
        self.ops.push(Op::Drop);
        Ok(())
    }

    /// Parses `(a | b)`; returns the op that jumps to the next clause.
    fn case_patterns(&mut self) -> LowerResult<usize> {
        self.accept("(");
        let mut hits = Vec::new();
        loop {
            self.blanks();
            if self.peek().is_none_or(is_meta) {
                return self.unexpected();
            }
            let pattern = self.pieces(WordContext::Word)?;
            self.emit_word(&pattern, Mode::Pattern);
            self.ops.push(Op::End);
            // Skips the next op unless it matches.
            self.ops.push(Op::CaseMatch(2));
            hits.push(self.ops.len());
            self.ops.push(Op::Jump(0));
            self.blanks();
            if self.accept(")") {
                break;
            }
            if !self.accept("|") {
                return self.unexpected();
            }
        }
        let out = self.ops.len();
        self.ops.push(Op::Jump(0));
        for hit in hits {
            self.ops[hit] = Op::Jump(offset(hit, self.ops.len()));
        }
        Ok(out)
    }

    /// The name in `name ()`, if a function definition begins here.
    fn function_head(&mut self) -> Option<String> {
        let name = self.plain();
        let behind = self.src[self.pos + name.len()..].trim_start_matches([' ', '\t']);
        let inner = behind.strip_prefix('(')?.trim_start_matches([' ', '\t']).strip_prefix(')')?;
        if name.is_empty() || name.contains(['$', '`', '\'', '"', '\\', '=']) {
            return None;
        }
        let (name, end) = (name.to_owned(), self.src.len() - inner.len());
        self.pos = end;
        Some(name)
    }

    fn function_keyword(&mut self) -> LowerResult<()> {
        self.pos += 8;
        self.blanks();
        let name = self.plain().to_owned();
        if name.is_empty() {
            return self.unexpected();
        }
        self.pos += name.len();
        self.blanks();
        if self.accept("(") {
            self.blanks();
            if !self.accept(")") {
                return self.unexpected();
            }
        }
        self.function_body(name)
    }

    fn function_body(&mut self, name: String) -> LowerResult<()> {
        self.newlines();
        let from = self.pos;
        if !self.begins_compound() {
            return self.unexpected();
        }
        let outer = std::mem::take(&mut self.ops);
        let result = self.command();
        let ops = std::mem::replace(&mut self.ops, outer);
        result?;
        let text = self.src[from..self.pos].trim().to_owned();
        self.ops.push(Op::Function(name, Arc::new(Bytecode { ops, text })));
        Ok(())
    }
}

/// The number of newlines in a text.
pub(super) fn count_lines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|b| *b == b'\n').count()).unwrap_or(0)
}
