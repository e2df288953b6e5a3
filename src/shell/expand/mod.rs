//! Expansion: appends values to words (bash(1), "EXPANSION").

pub mod escape;
mod lookup;
mod modify;
mod param;
mod special;

pub(super) use lookup::{ParamValue, parse_parameter};

use super::ShellContext;
use super::arith;
use super::formula::Formula;
use super::glob;
use super::op::{Mode, Param};
use super::pattern::{Pattern, has_wildcards, push_marked, unmarked};
use super::vars::VarRef;
use super::vm::stack::WordBuffer;
use super::vm::{Halt, MAX_WORD, Res, Vm};
use crate::options::{Flag, Shopt};

impl Vm {
    /// Appends text without splitting.
    pub(super) fn append(&mut self, text: &str, quoted: bool) -> Res<()> {
        let Some(buffer) = self.run.buffers.last_mut() else { return Ok(()) };
        // Each piece may become a field of its own.
        buffer.size += u64::try_from(text.len()).unwrap_or(u64::MAX).saturating_add(8);
        if buffer.size > MAX_WORD as u64 {
            return self.too_large();
        }
        match buffer.mode {
            Mode::Text => buffer.current.push_str(text),
            Mode::Args | Mode::Pattern => push_marked(&mut buffer.current, text, quoted),
        }
        buffer.open |= quoted || !text.is_empty();
        Ok(())
    }

    fn too_large(&mut self) -> Res<()> {
        self.complain("xrealloc: cannot allocate memory: word too large");
        Err(Halt::Discard(1))
    }

    /// Appends the result of an unquoted expansion, split at `IFS` among arguments.
    pub(super) fn append_split(&mut self, cx: &mut ShellContext, text: &str) -> Res<()> {
        let args = self.run.buffers.last().is_some_and(|b| b.mode == Mode::Args);
        if !args {
            return self.append(text, false);
        }
        cx.spend(text.len() / 4);
        let ifs = self.ifs();
        let Some(buffer) = self.run.buffers.last_mut() else { return Ok(()) };
        buffer.size += u64::try_from(text.len()).unwrap_or(u64::MAX);
        if buffer.size > MAX_WORD as u64 {
            return self.too_large();
        }
        let mut closed_by_blank = false;
        for c in text.chars() {
            if !ifs.contains(c) {
                push_marked(&mut buffer.current, c.encode_utf8(&mut [0; 4]), false);
                buffer.open = true;
                closed_by_blank = false;
            } else if matches!(c, ' ' | '\t' | '\n') {
                if buffer.open {
                    buffer.fields.push(std::mem::take(&mut buffer.current));
                    buffer.open = false;
                    closed_by_blank = true;
                }
            } else if closed_by_blank {
                closed_by_blank = false;
            } else {
                buffer.fields.push(std::mem::take(&mut buffer.current));
                buffer.open = false;
            }
        }
        Ok(())
    }

    /// Ends the current field, between the values of `"$@"`.
    pub(super) fn break_field(&mut self) {
        if let Some(buffer) = self.run.buffers.last_mut()
            && buffer.open
        {
            buffer.fields.push(std::mem::take(&mut buffer.current));
            buffer.open = false;
        }
    }

    /// Ends the field between two values of an unquoted `$@`. If `IFS` begins with a non-blank character,
    /// empty fields count.
    pub(super) fn break_unquoted(&mut self) {
        let blank = self.ifs().chars().next().is_none_or(|c| matches!(c, ' ' | '\t' | '\n'));
        match self.run.buffers.last_mut() {
            Some(buffer) if !blank => {
                buffer.fields.push(std::mem::take(&mut buffer.current));
                buffer.open = false;
            }
            Some(_) | None => self.break_field(),
        }
    }

    /// `IFS`.
    pub(super) fn ifs(&self) -> String {
        match self.vars.get("IFS") {
            None => " \t\n".into(),
            Some(var) => var.scalar().map_or_else(|| " \t\n".into(), str::to_owned),
        }
    }

    /// Completes the word on top of the stack: returns its fields after pathname expansion.
    pub(super) fn finish_fields(&mut self, cx: &mut ShellContext) -> Res<Vec<String>> {
        let Some(mut buffer) = self.run.buffers.pop() else { return Ok(Vec::new()) };
        if buffer.mode == Mode::Text {
            // `export x=$y` is one argument, whatever its value.
            return Ok(vec![buffer.current]);
        }
        if buffer.open {
            buffer.fields.push(buffer.current);
        }
        let extglob = self.shopt(Shopt::Extglob);
        let mut fields = Vec::with_capacity(buffer.fields.len());
        for field in buffer.fields {
            if self.flag(Flag::Noglob) || !has_wildcards(&field, extglob) {
                fields.push(unmarked(&field));
                continue;
            }
            let wanted = glob::GlobOptions {
                dots: self.shopt(Shopt::Dotglob),
                fold: self.shopt(Shopt::Nocaseglob),
                extglob,
                deep: self.shopt(Shopt::Globstar),
            };
            let ignored = self.var("GLOBIGNORE").filter(|text| !text.is_empty()).map(str::to_owned);
            let wanted = glob::GlobOptions { dots: wanted.dots || ignored.is_some(), ..wanted };
            let mut found = glob::expand(cx, &field, wanted);
            for pattern in ignored.iter().flat_map(|list| list.split(':')) {
                let pattern = Pattern::new(pattern, extglob, false);
                found.retain(|name| !pattern.matches(name));
            }
            if !found.is_empty() {
                fields.extend(found);
            } else if self.shopt(Shopt::Failglob) {
                self.complain(&format!("no match: {}", unmarked(&field)));
                return Err(Halt::Discard(1));
            } else if !self.shopt(Shopt::Nullglob) {
                fields.push(unmarked(&field));
            }
        }
        Ok(fields)
    }

    /// `~`, `~name`, `~+`, `~-`.
    pub(super) fn tilde(&mut self, cx: &ShellContext, user: &str) -> String {
        let named = |name: &str| cx.kernel.users.by_name(name).map(|u| u.home.clone());
        let found = match user {
            "" => self.var("HOME").map(str::to_owned).or_else(|| {
                let uid = cx.kernel.process(cx.pid)?.origin.uid;
                cx.kernel.users.by_uid(uid).map(|u| u.home.clone())
            }),
            "+" => self.var("PWD").map(str::to_owned),
            "-" => self.var("OLDPWD").map(str::to_owned),
            name => match name.trim_start_matches(['+', '-']).parse::<usize>() {
                Ok(at) if name.starts_with('-') => {
                    crate::builtins::directory_stack(self, cx).iter().rev().nth(at).cloned()
                }
                Ok(at) => crate::builtins::directory_stack(self, cx).get(at).cloned(),
                Err(_) => named(name),
            },
        };
        found.unwrap_or_else(|| format!("~{user}"))
    }

    /// Evaluates an expression; an error aborts the command.
    pub(super) fn arithmetic(&mut self, cx: &mut ShellContext, text: &str) -> Res<i64> {
        self.arithmetic_value(cx, text).map_err(|message| self.arithmetic_error(&message))
    }

    /// The effect of an error in `$((...))`.
    pub(super) fn arithmetic_error(&mut self, message: &str) -> Halt {
        self.complain(message);
        if message.ends_with("unbound variable") { self.fatal_expansion() } else { Halt::Discard(1) }
    }

    /// Expands a word that is only `$x`: usually one unchanged argument.
    pub(super) fn argument(&mut self, cx: &mut ShellContext, param: &Param) -> Res<()> {
        let plain = !param.indirect && self.is_default_ifs();
        let seen = self.vars.get(&param.name).filter(|_| plain).and_then(VarRef::text);
        let whole = seen.filter(|text| {
            let splits = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'*' | b'?' | b'[' | b'\\' | b'(' | 1);
            param.quoted || !text.is_empty() && !text.bytes().any(splits)
        });
        if let Some(text) = whole.map(str::to_owned) {
            if let Some(command) = self.run.commands.last_mut() {
                command.args.push(text);
            }
            return Ok(());
        }
        self.run.buffers.push(WordBuffer::new(Mode::Args));
        self.expand_param(cx, param)?;
        let fields = self.finish_fields(cx)?;
        if let Some(command) = self.run.commands.last_mut() {
            command.args.extend(fields);
        }
        Ok(())
    }

    /// Whether `IFS` is space, tab, newline, or unset.
    fn is_default_ifs(&self) -> bool {
        self.vars.get("IFS").is_none_or(|var| var.scalar() == Some(" \t\n"))
    }

    /// Evaluates a parsed expression.
    pub(super) fn formula_value(&mut self, cx: &mut ShellContext, formula: &Formula) -> Result<i64, String> {
        formula.value(&mut ArithScope { vm: self, cx })
    }

    /// Evaluates an expression.
    pub(super) fn arithmetic_value(&mut self, cx: &mut ShellContext, text: &str) -> Result<i64, String> {
        cx.spend(text.len() / 4);
        arith::eval(text, &mut ArithScope { vm: self, cx }, 0)
    }
}

/// Variable access for arithmetic.
struct ArithScope<'a, 'b, 'c> {
    vm: &'a mut Vm,
    cx: &'b mut ShellContext<'c>,
}

impl arith::VarAccess for ArithScope<'_, '_, '_> {
    fn number(&mut self, name: &str) -> Option<i64> {
        arith::plain_number(self.vm.vars.get(name)?.text()?)
    }

    fn value(&mut self, name: &str, subscript: Option<&str>, depth: u32) -> Result<String, String> {
        let Some(subscript) = subscript else {
            let value = self.vm.scalar(self.cx, name);
            if value.is_none() && self.vm.flag(Flag::Nounset) {
                return Err(format!("{name}: unbound variable"));
            }
            return Ok(value.unwrap_or_default());
        };
        let Some(seen) = self.vm.vars.get(name) else { return Ok(String::new()) };
        if let Some(map) = seen.map() {
            return Ok(map.get(subscript).cloned().unwrap_or_default());
        }
        let index = arith::eval(subscript, self, depth)?;
        let Some(seen) = self.vm.vars.get(name) else { return Ok(String::new()) };
        Ok(match seen.list() {
            Some(list) => element(list, index).cloned().unwrap_or_default(),
            None => seen.text().filter(|_| index == 0).unwrap_or_default().to_owned(),
        })
    }

    fn assign(&mut self, name: &str, subscript: Option<&str>, value: i64, depth: u32) -> Result<(), String> {
        if subscript.is_none() && self.vm.set_number(name, value) {
            return Ok(());
        }
        let map = self.vm.vars.get(name).and_then(VarRef::map).is_some();
        let key = match subscript {
            Some(text) if !map => Some(arith::eval(text, self, depth)?.to_string()),
            other => other.map(str::to_owned),
        };
        self.vm.set_element(self.cx, name, key.as_deref(), value.to_string(), false)
    }
}

/// An element of an indexed array; negative subscripts count from the end.
pub(super) fn element(list: &std::collections::BTreeMap<i64, String>, index: i64) -> Option<&String> {
    let index = if index < 0 { list.keys().next_back()?.checked_add(1)?.checked_add(index)? } else { index };
    list.get(&index)
}
