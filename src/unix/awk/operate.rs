//! Execution of awk's operations.

use super::array::AwkArray;
use super::fatal;
use super::machine::{Awk, Flow, MAX_TEXT};
use super::op::{Arith, AwkLvalue, AwkOp, AwkProgram, Compare, Redirect, Source, Var, slot};
use super::print::{runs_out, sprintf};
use super::reader::Fetched;
use super::record;
use super::value::AwkValue;
use crate::Cx;
use crate::grep::next_char;
use base::math;
use base::regex::Regex;
use host::kernel::OpenFlags;
use host::memory::ELEMENT;
use std::cmp::Ordering;

fn flag(truth: bool) -> AwkValue {
    AwkValue::Number(if truth { 1.0 } else { 0.0 })
}

impl Awk {
    /// Executes an operation.
    pub(super) fn operate(&mut self, cx: &mut Cx, program: &AwkProgram, op: &AwkOp) -> Flow {
        if let Some(misuse) = self.misuse(program, op) {
            return Flow::Fatal(misuse);
        }
        match op {
            AwkOp::Number(n) => self.push(AwkValue::Number(*n)),
            AwkOp::Text(text) => self.push(AwkValue::Text(text.clone())),
            AwkOp::Regex(i) => {
                let source = program.regexes.get(usize::try_from(*i).unwrap_or(usize::MAX)).cloned();
                self.push(AwkValue::Regex(source.unwrap_or_default()));
            }
            AwkOp::MatchRecord(i) => {
                let source = program.regexes.get(usize::try_from(*i).unwrap_or(usize::MAX));
                let regex = source.and_then(|s| self.pattern(s));
                let length = self.store.record().len();
                self.spend(8 * length);
                let record = self.store.record();
                let matched = regex.is_some_and(|r| r.is_match(record));
                self.push(flag(matched));
            }
            AwkOp::Load(target) => return self.load(*target),
            AwkOp::LoadArray(var) => {
                let id = self.store.array_id(*var);
                self.push(AwkValue::Array(id));
            }
            AwkOp::Pass(var) => {
                let value = self.store.load(*var);
                self.push(value);
            }
            AwkOp::Store(target) => {
                let value = self.pop();
                return self.store_in(*target, value);
            }
            AwkOp::Increment { target, by, post } => return self.increment(*target, *by, *post),
            AwkOp::Arith(arith) => {
                let (b, a) = (self.pop_number(), self.pop_number());
                match calculate(*arith, a, b) {
                    Ok(value) => self.push(AwkValue::Number(value)),
                    Err(text) => return Flow::Fatal(text.into()),
                }
            }
            AwkOp::Compare(compare) => {
                let (b, a) = (self.pop(), self.pop());
                let order = a.compare(&b, &self.store.special(slot::CONVFMT));
                self.push(flag(holds(*compare, order)));
            }
            AwkOp::Concat => {
                let (b, mut a) = (self.pop_text(), self.pop_text());
                if a.len() + b.len() > MAX_TEXT {
                    return Flow::Fatal("string too long".into());
                }
                a += &b;
                self.push(AwkValue::Text(a));
            }
            AwkOp::Negate => {
                let n = self.pop_number();
                self.push(AwkValue::Number(-n));
            }
            AwkOp::Plus => {
                let n = self.pop_number();
                self.push(AwkValue::Number(n));
            }
            AwkOp::Not => {
                let truth = self.pop().truth();
                self.push(flag(!truth));
            }
            AwkOp::Truth => {
                let truth = self.pop().truth();
                self.push(flag(truth));
            }
            AwkOp::Match(negated) => {
                let pattern = self.pop_text();
                let text = self.pop_text();
                match self.pattern(&pattern) {
                    Some(regex) => self.push(flag(regex.is_match(&text) != *negated)),
                    None => return Flow::Fatal(format!("invalid regexp: /{pattern}/")),
                }
            }
            AwkOp::In(array) => {
                let key = self.pop_text();
                let found = self.store.array(*array).has(&key);
                self.push(flag(found));
            }
            AwkOp::Delete(array) => {
                let key = self.pop_text();
                self.store.array(*array).remove(&key);
            }
            AwkOp::DeleteAll(array) => *self.store.array(*array) = AwkArray::default(),
            AwkOp::Keys(count) => {
                let keys: Vec<String> = self.pop_many(*count).iter().map(|k| self.text(k)).collect();
                let joined = keys.join(&self.store.special(slot::SUBSEP));
                self.push(AwkValue::Text(joined));
            }
            AwkOp::Jump(to) => return Flow::Jump(*to),
            AwkOp::JumpFalse(to) => {
                if !self.pop().truth() {
                    return Flow::Jump(*to);
                }
            }
            AwkOp::JumpTrue(to) => {
                if self.pop().truth() {
                    return Flow::Jump(*to);
                }
            }
            AwkOp::Dup => {
                let top = self.stack.last().cloned().unwrap_or_default();
                self.push(top);
            }
            AwkOp::Pop => drop(self.pop()),
            AwkOp::Builtin("system", _) => return self.system(cx),
            AwkOp::Builtin("close", _) => return self.close(cx),
            AwkOp::Builtin(name, count) => return self.builtin(cx, name, *count),
            AwkOp::Substitute(target, all) => return self.substitute(*target, *all),
            AwkOp::Split(array, separated) => self.split(*array, *separated),
            AwkOp::LengthOf(var) => {
                let value = self.store.load(*var);
                self.spend(value.size());
                let length = match value {
                    AwkValue::Array(_) => self.store.array(*var).len(),
                    value => self.text(&value).chars().count(),
                };
                self.push(AwkValue::Number(length as f64));
            }
            AwkOp::Print(count, redirect) => return self.print(cx, *count, *redirect, false),
            AwkOp::Printf(count, redirect) => return self.print(cx, *count, *redirect, true),
            AwkOp::Getline(source, target) => return self.getline(cx, *source, *target),
            AwkOp::RangeOpen(i) => {
                let open = self.ranges.get(usize::try_from(*i).unwrap_or(usize::MAX)) == Some(&true);
                self.push(flag(open));
            }
            AwkOp::RangeSet(i, open) => {
                if let Some(range) = self.ranges.get_mut(usize::try_from(*i).unwrap_or(usize::MAX)) {
                    *range = *open;
                }
            }
            AwkOp::Call { .. }
            | AwkOp::Return
            | AwkOp::IterateKeys(_)
            | AwkOp::NextKey(_)
            | AwkOp::IterateEnd
            | AwkOp::Next
            | AwkOp::NextFile
            | AwkOp::Exit
            | AwkOp::Halt => return self.control(cx, program, op),
        }
        Flow::On
    }

    /// A compiled pattern. The most recent ones are cached.
    pub(super) fn pattern(&mut self, source: &str) -> Option<Regex> {
        if let Some(known) = self.patterns.get(source) {
            return known.clone();
        }
        if self.patterns.len() > 200 {
            self.patterns.clear();
        }
        let regex = record::pattern(source);
        self.patterns.insert(source.to_owned(), regex.clone());
        regex
    }

    fn pop_field(&mut self) -> Result<usize, Flow> {
        let number = self.pop_number();
        if number < 0.0 {
            return Err(Flow::Fatal(format!("attempt to access field {number}")));
        }
        if number > 100_000.0 {
            return Err(Flow::Fatal(format!("field {number} is beyond the simulation's limit")));
        }
        Ok(number as usize)
    }

    fn load(&mut self, target: AwkLvalue) -> Flow {
        let value = match target {
            AwkLvalue::Var(var) => self.store.load(var),
            AwkLvalue::Field => match self.pop_field() {
                Ok(field) => self.store.field(field),
                Err(flow) => return flow,
            },
            AwkLvalue::Element(array) => {
                let key = self.pop_text();
                self.store.array(array).read(key)
            }
        };
        self.push(value);
        Flow::On
    }

    /// Stores the value and leaves it on the stack.
    fn store_in(&mut self, target: AwkLvalue, value: AwkValue) -> Flow {
        match target {
            AwkLvalue::Var(Var::Global(slot::NF)) if value.number() <= -1.0 => {
                return Flow::Fatal("NF set to negative value".to_owned());
            }
            AwkLvalue::Var(var) => self.store.store(var, value.clone()),
            AwkLvalue::Field => {
                let text = self.text(&value);
                match self.pop_field() {
                    Ok(field) => self.store.set_field(field, text),
                    Err(flow) => return flow,
                }
            }
            AwkLvalue::Element(array) => {
                let key = self.pop_text();
                self.store.array(array).set(key, value.clone());
            }
        }
        self.push(value);
        Flow::On
    }

    fn increment(&mut self, target: AwkLvalue, by: f64, post: bool) -> Flow {
        let needs = if matches!(target, AwkLvalue::Var(_)) { None } else { self.stack.last().cloned() };
        if let flow @ (Flow::Fatal(_) | Flow::Halt) = self.load(target) {
            return flow;
        }
        let old = self.pop_number();
        self.stack.extend(needs);
        if let flow @ Flow::Fatal(_) = self.store_in(target, AwkValue::Number(old + by)) {
            return flow;
        }
        if post {
            self.pop();
            self.push(AwkValue::Number(old));
        }
        Flow::On
    }

    fn split(&mut self, array: Var, separated: bool) {
        let separator = separated.then(|| self.pop());
        let text = self.pop_text();
        let parts = match separator {
            Some(AwkValue::Regex(source)) => match self.pattern(&source) {
                Some(regex) => record::split_by(&text, &regex),
                None => vec![text],
            },
            Some(value) => {
                let separator = self.text(&value);
                record::split(&text, &separator, false)
            }
            None => record::split(&text, &self.store.special(slot::FS), false),
        };
        let count = parts.len();
        self.spend(count * ELEMENT);
        *self.store.array(array) =
            (1_u32..).zip(parts).map(|(i, part)| (i.to_string(), AwkValue::Input(part))).collect();
        self.push(AwkValue::Number(count as f64));
    }

    fn print(&mut self, cx: &mut Cx, count: u32, redirect: Redirect, formatted: bool) -> Flow {
        let target = (redirect != Redirect::None).then(|| self.pop_text());
        let values = self.pop_many(count);
        let text = if formatted {
            let format = values.first().map(|f| self.text(f)).unwrap_or_default();
            if let Some(short) = runs_out(&format, values.len().saturating_sub(1)) {
                return Flow::Fatal(short);
            }
            sprintf(&format, values.get(1..).unwrap_or_default(), &self.store.special(slot::CONVFMT))
        } else {
            let format = self.store.special(slot::OFMT);
            let separator = self.store.special(slot::OFS);
            let shown: Vec<String> = values.iter().map(|v| v.text(&format)).collect();
            let line = if count == 0 { self.store.record().to_owned() } else { shown.join(&separator) };
            line + &self.store.special(slot::ORS)
        };
        self.spend(text.len());
        let Some(name) = target else {
            cx.print(&text);
            return Flow::On;
        };
        if name.is_empty() {
            return fatal::null_redirection(match redirect {
                Redirect::None | Redirect::File => ">",
                Redirect::Append => ">>",
                Redirect::Pipe => "|",
            });
        }
        match (redirect, name.as_str()) {
            (Redirect::Pipe, command) => return self.print_to(cx, command, &text),
            (_, "/dev/stdout" | "-") => cx.print(&text),
            (_, "/dev/stderr") => cx.complain_raw(&text),
            (_, _) => return self.write(cx, &name, redirect == Redirect::Append, &text),
        }
        Flow::On
    }

    fn write(&mut self, cx: &mut Cx, name: &str, append: bool, text: &str) -> Flow {
        let fail = |errno| Flow::Fatal(format!("cannot redirect to `{name}': {errno}"));
        let fd = match self.outputs.get(name) {
            Some(fd) => *fd,
            None => {
                let flags = OpenFlags {
                    write: true,
                    create: true,
                    append,
                    truncate: !append,
                    ..OpenFlags::default()
                };
                match cx.open(name, flags) {
                    Ok(fd) => fd,
                    Err(errno) => return fail(errno),
                }
            }
        };
        self.outputs.insert(name.to_owned(), fd);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match cx.kernel.write(cx.pid, fd, rest, cx.now) {
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(errno) => return fail(errno),
            }
        }
        Flow::On
    }

    fn getline(&mut self, cx: &mut Cx, source: Source, target: Option<AwkLvalue>) -> Flow {
        let unnamed = || self.stack.last().is_none_or(|name| self.text(name).is_empty());
        match source {
            Source::File if unnamed() => return fatal::null_redirection("<"),
            Source::Command if unnamed() => return fatal::null_redirection("|"),
            Source::Main | Source::File | Source::Command => {}
        }
        let fetched = self.getline_from(cx, source);
        if let Fetched::Wait(wait) = fetched {
            return Flow::Wait(wait);
        }
        if source != Source::Main {
            self.pop();
        }
        let record = match fetched {
            Fetched::Record(record) => record,
            Fetched::End | Fetched::Failed(..) | Fetched::Wait(_) => {
                if !matches!(target, None | Some(AwkLvalue::Var(_))) {
                    self.pop();
                }
                let failed = matches!(fetched, Fetched::Failed(..));
                self.push(AwkValue::Number(if failed { -1.0 } else { 0.0 }));
                return Flow::On;
            }
        };
        if source == Source::Main {
            self.store.count_record();
        }
        match target {
            None => self.store.set_record(record),
            Some(target) => {
                if let flow @ Flow::Fatal(_) = self.store_in(target, AwkValue::Input(record)) {
                    return flow;
                }
                self.pop();
            }
        }
        self.push(AwkValue::Number(1.0));
        Flow::On
    }

    /// `sub` and `gsub`. The target's operands are below the pattern and the text.
    fn substitute(&mut self, target: AwkLvalue, all: bool) -> Flow {
        let replacement = self.pop_text();
        let pattern = self.pop_text();
        let Some(regex) = self.pattern(&pattern) else {
            return Flow::Fatal(format!("invalid regexp: /{pattern}/"));
        };
        let needs = if matches!(target, AwkLvalue::Var(_)) { None } else { self.stack.last().cloned() };
        if let flow @ Flow::Fatal(_) = self.load(target) {
            return flow;
        }
        let text = self.pop_text();
        let (count, new) = replaced(&regex, &replacement, &text, all);
        // The texts, and the steps of the pattern.
        self.spend(new.len() + text.len().saturating_mul(4 + pattern.len() / 4));
        if count > 0 {
            self.stack.extend(needs);
            if let flow @ Flow::Fatal(_) = self.store_in(target, AwkValue::Text(new)) {
                return flow;
            }
            self.pop();
        }
        self.push(AwkValue::Number(f64::from(count)));
        Flow::On
    }
}

fn calculate(arith: Arith, a: f64, b: f64) -> Result<f64, &'static str> {
    Ok(match arith {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div if b == 0.0 => return Err("division by zero attempted"),
        Arith::Div => a / b,
        Arith::Mod if b == 0.0 => return Err("division by zero attempted in `%'"),
        Arith::Mod => a % b,
        Arith::Pow => math::pow(a, b),
    })
}

fn holds(compare: Compare, order: Option<Ordering>) -> bool {
    match (compare, order) {
        (Compare::Ne, None) => true,
        (_, None) => false,
        (Compare::Lt, Some(order)) => order == Ordering::Less,
        (Compare::Le, Some(order)) => order != Ordering::Greater,
        (Compare::Eq, Some(order)) => order == Ordering::Equal,
        (Compare::Ne, Some(order)) => order != Ordering::Equal,
        (Compare::Gt, Some(order)) => order == Ordering::Greater,
        (Compare::Ge, Some(order)) => order != Ordering::Less,
    }
}

/// The number of replacements, and the resulting text.
fn replaced(regex: &Regex, replacement: &str, text: &str, all: bool) -> (u32, String) {
    let mut out = String::new();
    let (mut at, mut copied, mut count) = (0, 0, 0);
    let mut previous_end = None;
    while let Some((start, end)) = regex.find_at(text, at) {
        if start == end && previous_end == Some(start) {
            at = next_char(text, start);
        } else {
            out.push_str(text.get(copied..start).unwrap_or_default());
            insert(&mut out, replacement, text.get(start..end).unwrap_or_default());
            count += 1;
            copied = end;
            previous_end = Some(end);
            at = if end == start { next_char(text, end) } else { end };
        }
        if !all || at > text.len() || out.len() > MAX_TEXT {
            break;
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    (count, out)
}

/// Appends the replacement: `&` is the match, `\&` a literal ampersand, `\\` a backslash.
fn insert(out: &mut String, replacement: &str, matched: &str) {
    let mut rest = replacement.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '&' => out.push_str(matched),
            '\\' => match rest.next_if(|c| matches!(c, '&' | '\\')) {
                Some(c) => out.push(c),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
}
