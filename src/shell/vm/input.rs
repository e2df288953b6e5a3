//! Reads commands from texts, standard input and terminals.

use super::stack::{FrameKind, TextKind};
use super::{Halt, Pending, Res, Vm, VmAction};
use crate::lower::{self, ErrorKind, SyntaxError};
use crate::options::{Flag, Shopt};
use crate::shared::SourcePosition;
use crate::{ShellContext, completion};
use host::{Errno, Wait};
use std::sync::Arc;

/// Maximum size of an incomplete command in bytes.
const MAX_INPUT: usize = 16 << 20;

impl Vm {
    fn options(&self, whole: bool) -> lower::ParseOptions<'_> {
        let expands = self.interactive || self.shopt(Shopt::ExpandAliases);
        lower::ParseOptions {
            extglob: self.shopt(Shopt::Extglob),
            braces: self.flag(Flag::Braceexpand),
            whole,
            aliases: (expands && !self.aliases.is_empty()).then_some(&self.aliases),
        }
    }

    /// Starts the next command of the innermost frame's text.
    pub(super) fn next_command(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        let Some(FrameKind::Text(frame)) = self.run.frames.last().map(|f| &f.kind) else {
            return Ok(VmAction::Go);
        };
        let (text, pos, line, what) =
            (frame.text.clone(), frame.pos as usize, frame.line, frame.what.clone());
        if what == TextKind::Stdin {
            return self.next_line(cx);
        }
        let rest = text.get(pos..).unwrap_or("");
        cx.fuel = cx.fuel.saturating_sub(1);
        match self.read_command(cx, &text, pos, line, &what) {
            Ok(Some(complete)) => {
                if self.flag(Flag::Verbose) && what == TextKind::Main {
                    let read = rest.get(..complete.used).unwrap_or("");
                    self.run.err.extend(read.as_bytes());
                }
                if let Some((begun, tag)) = &complete.unended {
                    self.line = complete.line.saturating_sub(1);
                    let what =
                        format!("here-document at line {begun} delimited by end-of-file (wanted `{tag}')");
                    self.complain(&format!("warning: {what}"));
                }
                self.enter_command(pos + complete.used, complete);
                Ok(VmAction::Go)
            }
            Ok(None) => self.end_of_text(cx, &what),
            Err(error) => {
                self.syntax_error(&error, rest, line, &what);
                if what == TextKind::Main {
                    let condition = matches!(error.kind, ErrorKind::Condition(_));
                    return Err(Halt::Exit(if condition { self.status } else { 2 }));
                }
                self.status = 2;
                self.end_of_text(cx, &what)
            }
        }
    }

    /// Lowers a command of a text, or takes it from the shared cache.
    fn read_command(
        &mut self,
        cx: &mut ShellContext,
        text: &Arc<str>,
        pos: usize,
        line: u32,
        what: &TextKind,
    ) -> Result<Option<lower::Complete>, SyntaxError> {
        let options = self.options(true);
        let shares = matches!(what, TextKind::Main | TextKind::Startup) && options.aliases.is_none();
        let at = u32::try_from(pos).unwrap_or(u32::MAX);
        let position = SourcePosition { at, line, extglob: options.extglob, braces: options.braces };
        if shares && let Some((text, complete)) = cx.lowered.get(text, position) {
            if let Some(FrameKind::Text(frame)) = self.run.frames.last_mut().map(|f| &mut f.kind) {
                frame.text = text;
            }
            return Ok(Some(complete));
        }
        let read = lower::next_command(text.get(pos..).unwrap_or(""), line, options);
        if let Ok(Some(complete)) = &read
            && shares
        {
            cx.lowered.put(text, position, complete);
        }
        read
    }

    /// Enters a lowered command; under `set -n` it is only checked.
    fn enter_command(&mut self, pos: usize, complete: lower::Complete) {
        let reads_only = self.flag(Flag::Noexec) && !self.interactive;
        if let Some(frame) = self.run.frames.last_mut() {
            frame.code = if reads_only { Arc::default() } else { complete.code };
            frame.pc = 0;
            if let FrameKind::Text(text) = &mut frame.kind {
                text.pos = u32::try_from(pos).unwrap_or(u32::MAX);
                text.line = complete.line;
            }
        }
    }

    fn end_of_text(&mut self, cx: &mut ShellContext, what: &TextKind) -> Res<VmAction> {
        match what {
            TextKind::Main => Ok(self.exit(cx, self.status)),
            TextKind::Exit { status } => Ok(self.exit(cx, *status)),
            TextKind::Source { .. } if self.begins_return_trap(self.status) => Ok(VmAction::Go),
            TextKind::Stdin | TextKind::Eval | TextKind::Source { .. } | TextKind::Startup => {
                self.leave_frame(cx);
                self.after_status(cx)
            }
            TextKind::Trap { .. } => {
                self.leave_frame(cx);
                match self.exit_after_trap.take() {
                    Some(code) => Err(Halt::Exit(code)),
                    None => Ok(VmAction::Go),
                }
            }
        }
    }

    /// Reads commands from standard input and executes each as soon as it is complete.
    fn next_line(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        if !self.input.is_empty() && self.input.ends_with('\n') {
            let input = std::mem::take(&mut self.input);
            cx.spend(input.len() / 4);
            let line = match self.run.frames.last().map(|f| &f.kind) {
                Some(FrameKind::Text(frame)) => frame.line,
                Some(FrameKind::Call { .. } | FrameKind::Body | FrameKind::LastMember { .. }) | None => 1,
            };
            match lower::next_command(&input, line, self.options(self.ended_input)) {
                Ok(found)
                    if found.as_ref().is_none_or(|complete| complete.used == input.len())
                        && !self.ended_input
                        && goes_on(&input) =>
                {
                    self.input = input;
                }
                Ok(Some(complete)) => {
                    self.input = input.get(complete.used..).unwrap_or("").to_owned();
                    self.commands_seen += 1;
                    if self.interactive {
                        self.remember_line(input.get(..complete.used).unwrap_or(""));
                    }
                    self.enter_command(0, complete);
                    return Ok(VmAction::Go);
                }
                Ok(None) => {}
                Err(error) if error.incomplete() && !self.ended_input => self.input = input,
                Err(error) => {
                    if self.interactive {
                        self.remember_line(&input);
                    }
                    self.syntax_error(&error, &input, line, &TextKind::Stdin);
                    self.status = 2;
                    if !self.interactive {
                        return Err(Halt::Exit(2));
                    }
                }
            }
        }
        if self.ended_input {
            if self.interactive {
                let word: &[u8] = if self.login { b"logout\n" } else { b"exit\n" };
                self.run.err.extend(word);
            }
            return Ok(self.exit(cx, self.status));
        }
        if self.interactive {
            if self.input.is_empty() {
                self.notify(cx);
            }
            self.take_terminal(cx);
            let variable = if self.input.is_empty() { "PS1" } else { "PS2" };
            let default = if self.input.is_empty() { "[\\u@\\h \\W]\\$ " } else { "> " };
            let text = self.var(variable).unwrap_or(default).to_owned();
            let prompt = self.prompt_text(cx, &text);
            if on_pseudoterminal(cx) {
                self.run.err.extend(format!("\x1b]133;A\x07{prompt}\x1b]133;B\x07").as_bytes());
            }
            self.prompt = Some(prompt);
        }
        self.run.pending = Pending::Line;
        Ok(VmAction::Go)
    }

    /// Reads a line; byte by byte if other processes may read the rest.
    pub(super) fn read_line(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        loop {
            let most = if self.interactive { 65_536 } else { 1 };
            match cx.kernel.read(cx.pid, 0, most) {
                Ok(bytes) if bytes.is_empty() => {
                    if self.partial.is_empty() && self.interactive && !self.input.is_empty() {
                        // Ctrl-D within an incomplete command.
                        let error = SyntaxError { line: 1, kind: ErrorKind::Eof };
                        self.syntax_error(&error, "", 1, &TextKind::Stdin);
                        self.input.clear();
                        return Ok(VmAction::Go);
                    }
                    self.ended_input = true;
                    let mut rest = String::from_utf8_lossy(&std::mem::take(&mut self.partial)).into_owned();
                    if !rest.is_empty() || !self.input.is_empty() {
                        rest.push('\n');
                    }
                    self.input.push_str(&rest);
                    return Ok(VmAction::Go);
                }
                Ok(bytes) => {
                    self.partial.extend(&bytes);
                    cx.fuel = cx.fuel.saturating_sub(1);
                    if self.interactive && bytes.ends_with(b"\t") && on_pseudoterminal(cx) {
                        self.offer_completions(cx);
                        return Ok(VmAction::Go);
                    }
                    if self.partial.len() + self.input.len() > MAX_INPUT {
                        self.complain("input line too long");
                        return Err(Halt::Exit(2));
                    }
                    if self.partial.ends_with(b"\n") {
                        let line = std::mem::take(&mut self.partial);
                        self.input.push_str(&String::from_utf8_lossy(&line));
                        return Ok(VmAction::Go);
                    }
                    if cx.fuel == 0 {
                        self.run.pending = Pending::Line;
                        return Ok(VmAction::Go);
                    }
                }
                Err(Errno::EAGAIN) => {
                    self.run.pending = Pending::Line;
                    return Ok(VmAction::Wait(Wait::Readable(0)));
                }
                Err(_) => {
                    self.ended_input = true;
                    return Ok(VmAction::Go);
                }
            }
        }
    }

    /// Answers a line without an end and with a tab behind it: the offset of the word and its completions, between marks. The
    /// program at the other end of the terminal edits the line.
    fn offer_completions(&mut self, cx: &mut ShellContext) {
        let line = std::mem::take(&mut self.partial);
        let line = String::from_utf8_lossy(&line).into_owned();
        let line = line.trim_end_matches('\t');
        let found = completion::complete(self, cx.kernel, cx.pid, line, line.len(), &|_, _| None);
        let words = std::iter::once(found.start.to_string()).chain(found.words).collect::<Vec<_>>();
        self.run.err.extend(format!("\x1b]133;T;{}\x07", words.join("\x1f")).as_bytes());
        self.run.pending = Pending::Line;
    }

    /// Prints bash's message for a syntax error.
    fn syntax_error(&mut self, error: &SyntaxError, text: &str, first: u32, what: &TextKind) {
        // bash reports the end of a text without a final newline on a line of its own.
        let behind = matches!(error.kind, ErrorKind::Eof) && !text.ends_with('\n');
        self.line = error.line + u32::from(behind);
        let name = self.error_name();
        let main = matches!(what, TextKind::Main);
        let prefix = match what {
            TextKind::Main if self.command_text => format!("{name}: -c: line {}: ", self.line),
            TextKind::Eval => format!("{name}: eval: line {}: ", self.line),
            _ if self.interactive => format!("{name}: "),
            _ => format!("{name}: line {}: ", self.line),
        };
        let message = match &error.kind {
            ErrorKind::Near(token) => format!("syntax error near unexpected token `{token}'"),
            ErrorKind::Eof => "syntax error: unexpected end of file".into(),
            ErrorKind::Unmatched(c) => format!("unexpected EOF while looking for matching `{c}'"),
            ErrorKind::Nesting => "maximum nesting level exceeded".into(),
            ErrorKind::Message(message) | ErrorKind::Condition(Some(message)) => message.clone(),
            ErrorKind::Condition(None) => return,
        };
        for message in message.split('\n') {
            self.run.err.extend(format!("{prefix}{message}\n").as_bytes());
        }
        let shows_line = matches!(error.kind, ErrorKind::Near(_)) && (main || !self.interactive);
        if shows_line {
            let index = error.line.saturating_sub(first) as usize;
            let line: String = text.split('\n').nth(index).unwrap_or("").chars().take(4096).collect();
            self.run.err.extend(format!("{prefix}`{line}'\n").as_bytes());
        }
    }
}

/// Whether another program has the other end of the terminal (`tmux`). It is told where the prompts are, with the marks of
/// semantic prompts (OSC 133); the page asks the shell instead.
fn on_pseudoterminal(cx: &ShellContext) -> bool {
    cx.kernel.fd_tty(cx.pid, 0).is_some_and(|tty| cx.kernel.has_master(tty))
}

/// Whether a line continuation ends a text: a backslash before the last newline, neither escaped nor in a comment.
fn goes_on(text: &str) -> bool {
    let Some(body) = text.strip_suffix("\\\n") else { return false };
    let mut quote = None;
    let mut is_start = true;
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        let begins_comment = c == '#' && quote.is_none() && is_start;
        // The comment ends with its line.
        if begins_comment && !chars.any(|c| c == '\n') {
            return false;
        }
        is_start = begins_comment || c.is_whitespace() || ";&|()<>".contains(c);
        match (c, quote) {
            // The backslash at the end is escaped.
            ('\\', None | Some('"')) if chars.next().is_none() => return false,
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if open == c => quote = None,
            _ => {}
        }
    }
    true
}
