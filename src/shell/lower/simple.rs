//! Pipelines, simple commands, assignments and redirections.

use super::scan::{is_meta, name_prefix};
use super::word::{Word, WordContext, WordPiece, plain_text};
use super::{LowerResult, SourceParser};
use crate::op::{Bytecode, Mode, Op, RedirKind};
use std::sync::Arc;

/// Builtins whose arguments may be array assignments.
const DECLARATIONS: [&str; 6] = ["declare", "typeset", "local", "export", "readonly", "alias"];

/// A parsed assignment target: `name=`, `name[sub]+=` and so on.
struct AssignTarget {
    name: String,
    subscript: Option<Word>,
    append: bool,
}

impl SourceParser<'_> {
    /// `! time a | b |& c`
    pub(super) fn pipeline(&mut self) -> LowerResult<()> {
        self.blanks();
        let (start, mut negate, mut timed) = (self.ops.len(), false, None);
        loop {
            if self.accept_keyword("!") {
                negate = !negate;
            } else if self.accept_keyword("time") {
                self.blanks();
                timed = Some(self.plain() == "-p" && self.accept("-p"));
            } else {
                break;
            }
            self.blanks();
        }
        let bare = self.peek().is_none_or(|c| matches!(c, '\n' | ';' | ')' | '&' | '|'));
        if bare && (timed.is_some() || negate) {
            self.ops.push(Op::Status(0));
        } else {
            self.members()?;
        }
        if let Some(posix) = timed {
            self.ops.insert(start, Op::TimeStart);
            self.ops.push(Op::TimeEnd(posix));
        }
        if negate {
            self.ops.insert(start, Op::CondEnter);
            self.ops.extend([Op::CondExit, Op::Not]);
        }
        Ok(())
    }

    fn members(&mut self) -> LowerResult<()> {
        let (start, from, line) = (self.ops.len(), self.pos, self.line);
        let mut members = Vec::new();
        loop {
            self.blanks();
            let begin = self.pos;
            self.command()?;
            let text = self.src[begin..self.pos].trim().to_owned();
            self.blanks();
            let both = self.looking_at("|&");
            let more = both || self.peek() == Some('|') && !self.looking_at("||");
            if !more && members.is_empty() {
                return Ok(());
            }
            let mut ops = self.ops.split_off(start);
            if both {
                add_stderr(&mut ops, line);
            }
            members.push(Arc::new(Bytecode { ops, text }));
            if !more {
                break;
            }
            self.pos += if both { 2 } else { 1 };
            self.newlines();
        }
        let text = self.src[from..self.pos].trim().to_owned();
        self.ops.push(Op::Pipeline { members, text, line });
        Ok(())
    }

    /// `words`, assignments and redirections in any order.
    pub(super) fn simple_command(&mut self) -> LowerResult<()> {
        let (begin, first) = (self.pos, self.ops.len());
        self.ops.push(Op::Cmd(self.line));
        let (mut words, mut elements, mut declaration) = (0_u32, 0_u32, false);
        let mut word_end = self.line;
        // Assignments are expanded after the words, in order.
        let mut assigns = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None | Some('\n' | ';' | '|' | ')') => break,
                Some('&') if !self.looking_at("&>") => break,
                // `echo (a)`: bash names the word after it.
                Some('(') if words == 1 && self.src[..self.pos].ends_with([' ', '\t']) => {
                    self.pos += 1;
                    return self.unexpected();
                }
                Some('(') => return self.unexpected(),
                Some(_) => {}
            }
            // bash uses the line where the second word ends.
            if elements < 3 {
                self.ops[first] = Op::Cmd(word_end);
            }
            elements += 1;
            let left = self.src.len() - self.pos;
            if words > 0 && self.alias_next.is_some_and(|end| left <= end) {
                self.alias_next = None;
                if self.alias() {
                    elements -= 1;
                    continue;
                }
            }
            if self.redirection()? {
                word_end = self.line;
                continue;
            }
            if (words == 0 || declaration)
                && let Some(target) = self.assignment_target()?
            {
                let from = self.ops.len();
                self.assignment(target, declaration)?;
                if !declaration {
                    assigns.extend(self.ops.drain(from..));
                }
                word_end = self.line;
                continue;
            }
            let word = self.pieces(WordContext::Word)?;
            if words == 0 {
                declaration = plain_text(&word).is_some_and(|w| DECLARATIONS.contains(&w.as_str()));
            }
            words += 1;
            word_end = self.line;
            self.emit_args(word)?;
        }
        if elements < 3 {
            self.ops[first] = Op::Cmd(word_end);
        }
        if self.pos == begin {
            return self.unexpected();
        }
        self.ops.extend(assigns);
        if words == 0 {
            for op in &mut self.ops[first..] {
                if let Op::Assign { now, .. } | Op::ArrayEnd { now, .. } = op {
                    *now = true;
                }
            }
        }
        let text = self.src[begin..self.pos].trim().to_owned();
        self.ops.push(Op::Exec(text.into()));
        Ok(())
    }

    /// The left side of an assignment, if one is next.
    fn assignment_target(&mut self) -> LowerResult<Option<AssignTarget>> {
        let name = name_prefix(self.rest()).to_owned();
        if name.is_empty() {
            return Ok(None);
        }
        let behind = self.pos + name.len();
        let mut end = behind;
        if self.src[behind..].starts_with('[') {
            match self.find_close(behind + 1, '[', ']') {
                Some(close) => end = close,
                None => return Ok(None),
            }
        }
        let append = self.src[end..].starts_with("+=");
        if !append && !self.src[end..].starts_with('=') {
            return Ok(None);
        }
        let subscript = if end > behind {
            self.pos = behind + 1;
            Some(self.pieces(WordContext::Subscript)?)
        } else {
            None
        };
        self.pos = end + if append { 2 } else { 1 };
        Ok(Some(AssignTarget { name, subscript, append }))
    }

    fn assignment(&mut self, target: AssignTarget, argument: bool) -> LowerResult<()> {
        let AssignTarget { name, subscript, append } = target;
        if self.peek() == Some('(') && subscript.is_none() {
            self.pos += 1;
            return self.deeper(|reader| reader.array(name, append, argument));
        }
        if argument {
            // `declare x=$y`: one argument, not split.
            let mut word = vec![WordPiece::Lit(name, true)];
            if let Some(subscript) = subscript {
                word.push(WordPiece::Lit("[".into(), true));
                word.extend(subscript);
                word.push(WordPiece::Lit("]".into(), true));
            }
            word.push(WordPiece::Lit(if append { "+=" } else { "=" }.into(), true));
            word.extend(self.pieces(WordContext::Value)?);
            self.emit_word(&word, Mode::Text);
            self.ops.push(Op::EndArgs);
            return Ok(());
        }
        let index = subscript.is_some();
        if let Some(subscript) = subscript {
            self.emit_word(&subscript, Mode::Text);
            self.ops.push(Op::End);
        }
        let value = self.pieces(WordContext::Value)?;
        self.emit_word(&value, Mode::Text);
        self.ops.extend([Op::End, Op::Assign { name, index, append, now: false }]);
        Ok(())
    }

    /// Parses the elements of `name=( ... )`.
    fn array(&mut self, name: String, append: bool, argument: bool) -> LowerResult<()> {
        self.ops.push(Op::ArrayBegin);
        let line = self.line;
        loop {
            self.newlines();
            match self.peek() {
                None => return self.unmatched(line, ')'),
                Some(')') => break,
                Some('&' | '|' | ';' | '<' | '>' | '(') => return self.unexpected(),
                Some('[') => {
                    if self.keyed_element()? {
                        continue;
                    }
                }
                Some(_) => {}
            }
            let word = self.pieces(WordContext::Word)?;
            for word in self.braces(word)? {
                self.emit_word(&word, Mode::Args);
                self.ops.push(Op::ArrayFields);
            }
        }
        self.pos += 1;
        self.ops.push(Op::ArrayEnd { name, append, argument, now: false });
        Ok(())
    }

    fn keyed_element(&mut self) -> LowerResult<bool> {
        let Some(close) = self.find_close(self.pos + 1, '[', ']') else { return Ok(false) };
        let append = self.src[close..].starts_with("+=");
        if !append && !self.src[close..].starts_with('=') {
            return Ok(false);
        }
        self.pos += 1;
        let key = self.pieces(WordContext::Subscript)?;
        self.pos = close + if append { 2 } else { 1 };
        let value = self.pieces(WordContext::Value)?;
        self.emit_word(&key, Mode::Text);
        self.ops.push(Op::End);
        self.emit_word(&value, Mode::Text);
        self.ops.extend([Op::End, Op::ArrayKeyed { append }]);
        Ok(true)
    }

    /// Parses a redirection, if one is next.
    pub(super) fn redirection(&mut self) -> LowerResult<bool> {
        let start = self.pos;
        let (mut fd, mut var) = (None, None);
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        if digits > 0 && self.src[self.pos + digits..].starts_with(['<', '>']) {
            fd = Some(self.rest()[..digits].parse::<u32>().unwrap_or(u32::MAX));
            self.pos += digits;
        } else if self.peek() == Some('{') {
            let name = name_prefix(&self.rest()[1..]).to_owned();
            let behind = self.pos + 1 + name.len();
            if !name.is_empty() && self.src[behind..].starts_with("}<") | self.src[behind..].starts_with("}>")
            {
                self.pos = behind + 1;
                var = Some(name);
            }
        }
        let named = fd.is_some() || var.is_some();
        let Some((kind, here)) = self.redirect_operator(named) else {
            self.pos = start;
            return Ok(false);
        };
        match here {
            Some(HereSource::Document { strip }) => {
                let body = self.here_document(strip)?;
                self.emit_word(&body, Mode::Text);
            }
            Some(HereSource::Text) => {
                let mut word = self.redirect_target()?;
                word.push(WordPiece::Lit("\n".into(), true));
                self.emit_word(&word, Mode::Text);
            }
            None => {
                self.blanks();
                let from = self.pos;
                let word = self.redirect_target()?;
                let text = self.src[from..self.pos].into();
                self.emit_word(&word, Mode::Args);
                self.ops.push(Op::Redirect { fd, var, kind, word: text });
                return Ok(true);
            }
        }
        self.ops.extend([Op::End, Op::Redirect { fd, var, kind, word: "".into() }]);
        Ok(true)
    }

    fn redirect_target(&mut self) -> LowerResult<Word> {
        self.blanks();
        let process = self.looking_at("<(") || self.looking_at(">(");
        if !process && self.peek().is_none_or(is_meta) {
            return self.unexpected();
        }
        self.pieces(WordContext::Word)
    }

    fn redirect_operator(&mut self, named: bool) -> Option<(RedirKind, Option<HereSource>)> {
        const TABLE: [(&str, RedirKind, Option<HereSource>); 13] = [
            ("&>>", RedirKind::BothAppend, None),
            ("&>", RedirKind::Both, None),
            ("<<<", RedirKind::Here, Some(HereSource::Text)),
            ("<<-", RedirKind::Here, Some(HereSource::Document { strip: true })),
            ("<<", RedirKind::Here, Some(HereSource::Document { strip: false })),
            ("<&", RedirKind::DupIn, None),
            ("<>", RedirKind::ReadWrite, None),
            ("<", RedirKind::Read, None),
            (">>", RedirKind::Append, None),
            (">&", RedirKind::DupOut, None),
            (">|", RedirKind::Clobber, None),
            (">", RedirKind::Write, None),
            ("", RedirKind::Read, None),
        ];
        if !named && (self.looking_at("<(") || self.looking_at(">(")) {
            return None;
        }
        let row = TABLE.iter().find(|(text, ..)| !text.is_empty() && self.looking_at(text))?;
        if named && row.0.starts_with('&') {
            return None;
        }
        self.pos += row.0.len();
        Some((row.1, row.2))
    }

    /// Replaces an alias in command position; returns true if the text has changed.
    pub(super) fn alias(&mut self) -> bool {
        let Some(aliases) = self.options.aliases else { return false };
        let name = self.plain().to_owned();
        let Some(value) = aliases.get(&name) else { return false };
        let left = self.src.len() - self.pos;
        self.expanding.retain(|(_, until)| left > *until);
        if self.expanding.iter().any(|(n, _)| *n == name) || self.expanding.len() > 100 {
            return false;
        }
        let end = self.pos + name.len();
        self.expanding.push((name, self.src.len() - end));
        let value = value.clone();
        if value.ends_with([' ', '\t']) {
            self.alias_next = Some(self.src.len() - end);
        }
        self.src.to_mut().replace_range(self.pos..end, &value);
        if let Some(bodies) = &mut self.here {
            let grown = value.len() + bodies.newline - (end - self.pos);
            bodies.resume = bodies.resume + grown - bodies.newline;
            bodies.newline = grown;
        }
        true
    }
}

/// The source of the text of a [`RedirKind::Here`].
#[derive(Clone, Copy)]
enum HereSource {
    Document { strip: bool },
    Text,
}

/// `|&`: redirects the whole member's standard error to its output.
fn add_stderr(ops: &mut Vec<Op>, line: u32) {
    let prefix = [
        Op::Cmd(line),
        Op::Begin(Mode::Args),
        Op::Lit { text: "1".into(), quoted: false, split: false },
        Op::Redirect { fd: Some(2), var: None, kind: RedirKind::DupOut, word: "1".into() },
        Op::RedirPush(i32::try_from(ops.len()).unwrap_or(0) + 2),
    ];
    ops.splice(0..0, prefix);
    ops.push(Op::RedirPop);
}
