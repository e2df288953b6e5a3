//! `eval`, `source` and other texts; `select`; `time`.

use super::stack::{CallFrame, FrameKind, TextFrame, TextKind};
use super::{Res, Vm, VmAction};
use crate::ShellContext;
use crate::formula::Formula;
use crate::options::Flag;
use base::pad;
use base::time::SECOND;
use base::width::text_width;
use std::sync::Arc;

impl Vm {
    /// Pushes a text that is executed command by command.
    pub(crate) fn push_text(&mut self, text: &str, what: TextKind, line: u32) {
        let mark = self.mark();
        self.push_frame(CallFrame {
            code: Arc::default(),
            pc: 0,
            kind: FrameKind::Text(TextFrame { text: text.into(), pos: 0, line, what }),
            mark,
        });
    }

    pub(super) fn arith_command(&mut self, cx: &mut ShellContext) -> Res<VmAction> {
        let text = self.pop_text();
        self.next();
        if self.flag(Flag::Xtrace) {
            self.trace(cx, &format!("(( {text} ))"));
        }
        let value = self.arithmetic_value(cx, &text);
        self.end_arith_command(cx, value)
    }

    pub(super) fn formula_command(
        &mut self,
        cx: &mut ShellContext,
        text: &str,
        formula: &Formula,
    ) -> Res<VmAction> {
        self.next();
        if self.flag(Flag::Xtrace) {
            let inner = text.strip_prefix("((").and_then(|t| t.strip_suffix("))")).unwrap_or(text);
            self.trace(cx, &format!("(( {inner} ))"));
        }
        let value = self.formula_value(cx, formula);
        self.end_arith_command(cx, value)
    }

    fn end_arith_command(&mut self, cx: &mut ShellContext, value: Result<i64, String>) -> Res<VmAction> {
        match value {
            Ok(value) => self.status = u8::from(value == 0),
            Err(message) if message.ends_with("unbound variable") => {
                self.complain(&message);
                return Err(self.fatal_expansion());
            }
            Err(message) => {
                let bare = message.ends_with("readonly variable");
                self.complain(&if bare { message } else { format!("((: {message}") });
                self.status = 1;
            }
        }
        self.set_pipe_status(&[self.status]);
        self.after_status(cx)
    }

    /// Prints the report of `time` as `TIMEFORMAT` says.
    pub(super) fn report_time(&mut self, cx: &mut ShellContext, posix: bool) {
        let Some((since, cpu)) = self.run.times.pop() else { return };
        let used = super::ops::used(cx) - cpu;
        let real = (cx.now - since).0;
        let format = match self.var("TIMEFORMAT") {
            _ if posix => "real %2R\nuser %2U\nsys %2S",
            Some("") => return,
            Some(format) => format,
            None => "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS",
        };
        let mut text = String::new();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                text.push(c);
                continue;
            }
            let digits = chars.next_if(char::is_ascii_digit).and_then(|c| c.to_digit(10)).unwrap_or(3).min(3);
            let long = chars.next_if_eq(&'l').is_some();
            match chars.next() {
                Some('R') => text.push_str(&duration(real, digits, long)),
                Some('U') => text.push_str(&duration(used, digits, long)),
                Some('S') => text.push_str(&duration(0, digits, long)),
                Some('P') => text.push_str(&format!("{:.2}", if real > 0 { used * 100 / real } else { 0 })),
                Some('%') => text.push('%'),
                Some(other) => text.extend(['%', other]),
                None => text.push('%'),
            }
        }
        self.run.err.extend(text.as_bytes());
        self.run.err.push(b'\n');
    }
}

/// Formats `1.250` or `0m1.250s`.
fn duration(micros: i64, digits: u32, long: bool) -> String {
    let (seconds, fraction) = (micros / SECOND, micros % SECOND / 10_i64.pow(6 - digits));
    let point =
        if digits > 0 { format!(".{}", pad::zeros(fraction, digits as usize)) } else { String::new() };
    if long { format!("{}m{}{point}s", seconds / 60, seconds % 60) } else { format!("{seconds}{point}") }
}

impl Vm {
    /// `select`: shows the menu once and reads a choice in each iteration.
    pub(super) fn select(&mut self, cx: &mut ShellContext, name: &str, done: i32) -> Res<VmAction> {
        use crate::builtins::wait::{BuiltinWait, Reading};
        let Some(entry) = self.run.loops.last_mut() else { return Ok(VmAction::Go) };
        if entry.next == 1 {
            entry.next = 0;
            let items = entry.items.clone();
            if self.status != 0 {
                self.run.out.push(b'\n');
                if let Some(entry) = self.run.loops.last_mut() {
                    entry.status = 1;
                }
                self.jump(done);
                return Ok(VmAction::Go);
            }
            let reply = self.var("REPLY").unwrap_or("").trim().to_owned();
            if reply.is_empty() {
                if let Some(entry) = self.run.loops.last_mut() {
                    entry.shown = false;
                }
                return Ok(VmAction::Go);
            }
            let chosen = reply.parse::<usize>().ok().and_then(|n| items.get(n.wrapping_sub(1)).cloned());
            if let Err(message) = self.set_element(cx, name, None, chosen.unwrap_or_default(), false) {
                return Err(self.discard_with(&message));
            }
            self.next();
            return Ok(VmAction::Go);
        }
        entry.next = 1;
        let first = !std::mem::replace(&mut entry.shown, true);
        if first {
            let items = std::mem::take(&mut entry.items);
            let columns = self.var("COLUMNS").and_then(|c| c.parse().ok()).unwrap_or(80);
            self.run.err.extend(menu(&items, columns).as_bytes());
            if let Some(entry) = self.run.loops.last_mut() {
                entry.items = items;
            }
        }
        let prompt = self.var("PS3").unwrap_or("#? ").to_owned();
        self.run.err.extend(prompt.as_bytes());
        let reading = Reading {
            fd: 0,
            raw: true,
            delimiter: b'\n',
            most: None,
            exact: false,
            array: None,
            names: vec!["REPLY".into()],
            until: None,
            data: Vec::new(),
        };
        self.run.waiting_mark = self.mark();
        self.run.pending = super::Pending::Builtin(Box::new(BuiltinWait::Read(reading)));
        Ok(VmAction::Go)
    }
}

/// The menu of `select`, in bash's column layout.
fn menu(items: &[String], width: usize) -> String {
    let longest = items.iter().map(|item| text_width(item)).max().unwrap_or(0);
    let digits = items.len().to_string().len();
    let cell = longest + digits + 4;
    let columns = (width / cell).max(1);
    let rows = items.len().div_ceil(columns).max(1);
    let columns = items.len().div_ceil(rows);
    let (rows, _) = if rows == 1 { (columns, 1) } else { (rows, columns) };
    let first_digits = rows.to_string().len();
    let mut text = String::new();
    for row in 0..rows {
        let mut position = 0;
        for (i, item) in items.iter().enumerate().skip(row).step_by(rows) {
            let digits = if position == 0 { first_digits } else { digits };
            text.push_str(&format!("{}) {item}", pad::right(i + 1, digits)));
            if i + rows < items.len() {
                indent(&mut text, position + text_width(item) + digits + 2, position + cell);
            }
            position += cell;
        }
        text.push('\n');
    }
    text
}

/// Pads from one column to another with tabs and blanks.
fn indent(text: &mut String, mut from: usize, to: usize) {
    while from < to {
        if to / 8 > from / 8 {
            text.push('\t');
            from += 8 - from % 8;
        } else {
            text.push(' ');
            from += 1;
        }
    }
}
