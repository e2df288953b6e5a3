//! Assignments to variables, elements and arrays.

use super::stack::{Assign, Given};
use super::{Halt, Res, Vm};
use crate::ShellContext;
use crate::expand::escape::quote_if_needed;
use crate::options::Flag;
use crate::vars::weight::STEP;
use crate::vars::{VarRef, VarValue, is_readonly};
use host::Errno;
use std::collections::BTreeMap;

impl Vm {
    /// Sets an existing plain scalar to a text; returns false if [`Vm::set_element`] is needed.
    fn set_plain(&mut self, name: &str, set: impl FnOnce(&mut String)) -> bool {
        if name == "OPTIND" || self.flag(Flag::Allexport) {
            return false;
        }
        match self.vars.plain_text(name) {
            Some(text) => {
                set(text);
                true
            }
            None => false,
        }
    }

    /// Sets an existing plain scalar to a number; returns false if [`Vm::set_element`] is needed.
    pub(crate) fn set_number(&mut self, name: &str, number: i64) -> bool {
        self.set_plain(name, |text| {
            use std::fmt::Write as _;
            text.clear();
            // Writing to a string cannot fail.
            let _ = write!(text, "{number}");
        })
    }

    /// Sets a variable or an element; `key` is evaluated (a number for indexed arrays).
    pub(crate) fn set_element(
        &mut self,
        cx: &mut ShellContext,
        name: &str,
        key: Option<&str>,
        value: String,
        append: bool,
    ) -> Result<(), String> {
        if key.is_none() && !append && !name.is_empty() {
            let mut value = Some(value);
            let after = value.as_ref().map_or(0, String::len);
            if self.set_plain(name, |text| *text = value.take().unwrap_or_default()) {
                return if after < STEP { Ok(()) } else { self.check_memory(cx, name, 0, after) };
            }
            return self.set_slowly(cx, name, key, value.unwrap_or_default(), append);
        }
        self.set_slowly(cx, name, key, value, append)
    }

    fn set_slowly(
        &mut self,
        cx: &mut ShellContext,
        name: &str,
        key: Option<&str>,
        value: String,
        append: bool,
    ) -> Result<(), String> {
        if let Some((array, inner)) = self.vars.resolve_element(name).filter(|_| key.is_none()) {
            let key = self.element_key(cx, &array, &inner)?;
            return self.set_element(cx, &array, Some(&key), value, append);
        }
        if is_readonly(self.vars.get(name)) {
            return Err(format!("{name}: readonly variable"));
        }
        if name == "_" {
            // The next command sets it again.
            return Ok(());
        }
        let integer = self.vars.get(name).and_then(VarRef::own).is_some_and(|v| v.integer);
        let mut before = 0;
        // Appending to a plain scalar does not copy the old text.
        if append
            && key.is_none()
            && !integer
            && name != "OPTIND"
            && !self.flag(Flag::Allexport)
            && let Some(text) = self.vars.plain_text(name)
        {
            before = text.len();
            text.push_str(&value);
            cx.spend(value.len());
            return self.check_memory(cx, name, before, before + value.len());
        }
        cx.spend(value.len());
        let value = if integer {
            let number = self.arithmetic_value(cx, &value)?;
            if append {
                let old = self.old_value(name, key).unwrap_or_default();
                number.wrapping_add(self.arithmetic_value(cx, &old)?).to_string()
            } else {
                number.to_string()
            }
        } else if append {
            let old = self.old_value(name, key).unwrap_or_default();
            before = old.len();
            cx.spend(before);
            old + &value
        } else {
            value
        };
        self.apply_special(cx, name, &value);
        if self.is_dynamic(name) {
            return Ok(());
        }
        let export = self.flag(Flag::Allexport);
        let var = self.vars.entry(name);
        let value = var.cased(value);
        let after = value.len();
        var.exported |= export;
        var.bare = false;
        match (&mut var.value, key) {
            (VarValue::Map(map), key) => {
                map.insert(key.unwrap_or("0").to_owned(), value);
            }
            (VarValue::List(list), key) => {
                let index = key.and_then(|k| k.parse::<i64>().ok()).unwrap_or(0);
                let index = if index < 0 {
                    let end = list.keys().next_back().map_or(0, |k| k.saturating_add(1));
                    end.saturating_add(index)
                } else {
                    index
                };
                if index < 0 {
                    return Err(format!("{name}[{}]: bad array subscript", key.unwrap_or_default()));
                }
                list.insert(index, value);
            }
            (old @ (VarValue::Unset | VarValue::Text(_)), Some(key)) => {
                let mut list = BTreeMap::new();
                if let VarValue::Text(text) = std::mem::take(old) {
                    list.insert(0, text);
                }
                let index = key.parse::<i64>().unwrap_or(0);
                if index < 0 {
                    *old = VarValue::List(list);
                    return Err(format!("{name}[{key}]: bad array subscript"));
                }
                list.insert(index, value);
                *old = VarValue::List(list);
            }
            (old @ (VarValue::Unset | VarValue::Text(_)), None) => *old = VarValue::Text(value),
        }
        self.check_memory(cx, name, before, after)
    }

    /// Enforces the memory limit of a process: the variable that exceeds it is removed.
    fn check_memory(
        &mut self,
        cx: &mut ShellContext,
        name: &str,
        before: usize,
        after: usize,
    ) -> Result<(), String> {
        if !self.vars.may_be_large(name, before, after) {
            return Ok(());
        }
        cx.spend(self.vars.items());
        let weight = self.vars.weight();
        if weight <= cx.kernel.memory_bounds.process {
            cx.grew |= weight > host::memory::STEP;
            return Ok(());
        }
        self.vars.remove(name);
        Err(format!("{name}: {}", Errno::ENOMEM))
    }

    fn old_value(&self, name: &str, key: Option<&str>) -> Option<String> {
        let seen = self.vars.get(name)?;
        match (seen.list(), seen.map(), key) {
            (_, Some(map), key) => map.get(key.unwrap_or("0")).cloned(),
            (Some(list), None, key) => {
                let index = key.and_then(|k| k.parse().ok()).unwrap_or(0);
                crate::expand::element(list, index).cloned()
            }
            (None, None, None | Some("0")) => seen.text().map(str::to_owned),
            (None, None, Some(_)) => None,
        }
    }

    /// Handles assignments to variables that affect the shell.
    fn apply_special(&mut self, cx: &ShellContext, name: &str, value: &str) {
        match name {
            "OPTIND" => self.getopts = 0,
            "RANDOM" => self.random = value.parse().unwrap_or(0),
            "SECONDS" => self.seconds = cx.now.secs() - value.parse::<i64>().unwrap_or(0),
            _ => {}
        }
    }

    /// Evaluates a subscript for [`Vm::set_element`].
    pub(crate) fn element_key(
        &mut self,
        cx: &mut ShellContext,
        name: &str,
        key: &str,
    ) -> Result<String, String> {
        let map = self.vars.get(name).and_then(VarRef::map).is_some();
        if map && !key.is_empty() {
            return Ok(key.to_owned());
        }
        if key.trim().is_empty() {
            return Err(format!("{name}[{key}]: bad array subscript"));
        }
        Ok(self.arithmetic_value(cx, key)?.to_string())
    }

    /// Executes an assignment.
    pub(crate) fn assign(&mut self, cx: &mut ShellContext, assign: &Assign) -> Result<(), String> {
        let name = &assign.name;
        match &assign.value {
            Given::Text(text) => {
                let key = match &assign.subscript {
                    Some(key) => Some(self.element_key(cx, name, key)?),
                    None => None,
                };
                self.set_element(cx, name, key.as_deref(), text.clone(), assign.append)
            }
            Given::Array(elements) => {
                if is_readonly(self.vars.get(name)) {
                    return Err(format!("{name}: readonly variable"));
                }
                let var = self.vars.entry(name);
                var.bare = false;
                let map = matches!(var.value, VarValue::Map(_));
                if !assign.append {
                    var.value =
                        if map { VarValue::Map(BTreeMap::new()) } else { VarValue::List(BTreeMap::new()) };
                } else if let VarValue::Text(text) = &mut var.value {
                    var.value = VarValue::List(BTreeMap::from([(0, std::mem::take(text))]));
                } else if var.value == VarValue::Unset {
                    var.value = VarValue::List(BTreeMap::new());
                }
                let mut next = match &var.value {
                    VarValue::List(list) => list.keys().next_back().map_or(0, |k| k.saturating_add(1)),
                    VarValue::Map(_) | VarValue::Text(_) | VarValue::Unset => 0,
                };
                if map && elements.iter().all(|e| e.key.is_none()) {
                    for pair in elements.chunks(2) {
                        let [key, rest @ ..] = pair else { continue };
                        let value = rest.first().map(|e| e.value.clone()).unwrap_or_default();
                        self.set_element(cx, name, Some(&key.value), value, false)?;
                    }
                    return Ok(());
                }
                for element in elements {
                    let key = match &element.key {
                        Some(key) => self.element_key(cx, name, key)?,
                        None => next.to_string(),
                    };
                    next = key.parse::<i64>().map_or(next, |k| k.saturating_add(1));
                    self.set_element(cx, name, Some(&key), element.value.clone(), element.append)?;
                }
                Ok(())
            }
        }
    }

    /// Executes an assignment without a command; an error discards the line.
    pub(super) fn assign_or_halt(&mut self, cx: &mut ShellContext, assign: &Assign) -> Res<()> {
        self.assign(cx, assign).map_err(|message| {
            self.complain(&message);
            if message.contains("error token") { self.give_up() } else { Halt::Discard(1) }
        })
    }

    /// Traces an assignment for `set -x`.
    pub(super) fn trace_assignment(&mut self, cx: &mut ShellContext, assign: &Assign) {
        if !self.flag(Flag::Xtrace) {
            return;
        }
        let key = assign.subscript.as_ref().map(|k| format!("[{k}]")).unwrap_or_default();
        let sign = if assign.append { "+=" } else { "=" };
        let value = match &assign.value {
            Given::Text(text) if text.is_empty() => String::new(),
            Given::Text(text) => quote_if_needed(text),
            Given::Array(list) => {
                let shown: Vec<String> = list
                    .iter()
                    .map(|e| match &e.key {
                        Some(key) => format!("[{key}]={}", quote_if_needed(&e.value)),
                        None => quote_if_needed(&e.value),
                    })
                    .collect();
                format!("({})", shown.join(" "))
            }
        };
        self.trace(cx, &format!("{}{key}{sign}{value}", assign.name));
    }

    /// Prints a line of `set -x` to standard error or `BASH_XTRACEFD`, before the command's output and
    /// unaffected by its redirections. If the pipe is full, the rest is written later.
    pub(crate) fn trace(&mut self, cx: &mut ShellContext, text: &str) {
        let prefix = self.var("PS4").unwrap_or("+ ").to_owned();
        let prefix = self.prompt_text(cx, &prefix);
        let depth = usize::try_from(self.subshell_trace()).unwrap_or(0);
        let first: String = prefix.chars().take(1).collect();
        let line = format!("{}{prefix}{text}\n", first.repeat(depth));
        let fd = self.var("BASH_XTRACEFD").and_then(|fd| fd.parse().ok()).unwrap_or(2);
        let sent = if self.run.err.is_empty() {
            cx.kernel.write(cx.pid, fd, line.as_bytes(), cx.now)
        } else {
            Ok(0)
        };
        let rest = match sent {
            Ok(count) => line.as_bytes().get(count..),
            Err(Errno::EAGAIN) => Some(line.as_bytes()),
            Err(_) => None,
        };
        self.run.err.extend(rest.unwrap_or_default());
    }

    /// How many times the first character of `PS4` is repeated, for substitutions and `eval`.
    const fn subshell_trace(&self) -> u32 {
        self.trace_depth
    }
}
