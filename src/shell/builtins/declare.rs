//! `declare`, `local`, `export`, `readonly`, `unset`, `let`.

use super::{Outcome, options};
use crate::shell::Cx;
use crate::shell::expand::escape::{double_quoted, quote_if_needed};
use crate::shell::expand::parse_place;
use crate::shell::lower::name_prefix;
use crate::shell::vars::{Value, Var, map_keys};
use crate::shell::vm::stack::{Assign, Given};
use crate::shell::vm::{Res, Vm};
use std::collections::BTreeMap;

pub(super) fn declare(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let local = !vm.calls.is_empty();
    attributes(vm, cx, args, local, None)
}

pub(super) fn local(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    if vm.calls.is_empty() {
        return vm.fault("local", "can only be used in a function", 1);
    }
    attributes(vm, cx, args, true, None)
}

pub(super) fn export(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    attributes(vm, cx, args, false, Some('x'))
}

pub(super) fn readonly(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    attributes(vm, cx, args, false, Some('r'))
}

/// Options of `declare` with their sign: `-x`, `+x`. The rest are names.
fn signed(args: &[String]) -> Result<(Vec<(char, bool)>, usize), String> {
    let mut found = Vec::new();
    let mut at = 1;
    while let Some(word) = args.get(at) {
        if word == "--" {
            at += 1;
            break;
        }
        let on = word.starts_with('-');
        if word.len() < 2 || !on && !word.starts_with('+') {
            break;
        }
        for letter in word[1..].chars() {
            if !"aAfFgiIlnprtuxz".contains(letter) {
                return Err(format!("{}{letter}", &word[..1]));
            }
            found.push((letter, on));
        }
        at += 1;
    }
    Ok((found, at))
}

fn attributes(vm: &mut Vm, cx: &mut Cx, args: &[String], local: bool, always: Option<char>) -> Res<Outcome> {
    let name = args[0].clone();
    let (mut flags, at) = match signed(args) {
        Ok(parsed) => parsed,
        Err(wrong) => return vm.usage(&name, &wrong),
    };
    let has = |flags: &[(char, bool)], letter: char| flags.contains(&(letter, true));
    let remove = name == "export" && has(&flags, 'n');
    if name == "export" {
        flags.retain(|(c, _)| *c != 'n');
    }
    flags.extend(always.map(|c| (c, !remove)));
    let words = &args[at..];
    if has(&flags, 'f') || has(&flags, 'F') {
        return functions(vm, words, has(&flags, 'F'));
    }
    if words.is_empty() || has(&flags, 'p') {
        return print(vm, &name, &flags, words);
    }
    let local = local && !has(&flags, 'g');
    let arrays = vm.run.pending_arrays.clone();
    let mut status = 0;
    for (i, word) in words.iter().enumerate() {
        let place = u32::try_from(at + i).unwrap_or(u32::MAX);
        let array = arrays.iter().find(|(n, _)| *n == place).map(|(_, a)| a.clone());
        if let Err(message) = one(vm, cx, word, array, &flags, local) {
            vm.complain(&if message.contains("readonly") { message } else { format!("{name}: {message}") });
            status = 1;
        }
    }
    Ok(Outcome::Done(status))
}

/// Declares one variable.
fn one(
    vm: &mut Vm,
    cx: &mut Cx,
    word: &str,
    array: Option<Assign>,
    flags: &[(char, bool)],
    local: bool,
) -> Result<(), String> {
    let (left, value) = match word.split_once('=') {
        Some((left, value)) if array.is_none() => (left, Some(value.to_owned())),
        Some(_) | None => (word, None),
    };
    let append = left.ends_with('+') && value.is_some();
    let place = parse_place(left.strip_suffix('+').filter(|_| append).unwrap_or(left));
    if name_prefix(&place.name) != place.name || place.name.is_empty() {
        return Err(format!("`{word}': not a valid identifier"));
    }
    let is = |letter: char| flags.contains(&(letter, true));
    if local {
        let old = vm.vars.raw(&place.name).cloned();
        if old.as_ref().is_some_and(|v| v.readonly) {
            return Err(format!("{}: readonly variable", place.name));
        }
        let fresh = vm.vars.hide(&place.name);
        if fresh && append {
            *vm.vars.raw_entry(&place.name) = old.unwrap_or_default();
        }
    }
    let readonly_now = vm.vars.raw(&place.name).is_some_and(|v| v.readonly);
    if readonly_now && (value.is_some() || array.is_some()) {
        return Err(format!("{}: readonly variable", place.name));
    }
    let var = if is('n') { vm.vars.raw_entry(&place.name) } else { vm.vars.entry(&place.name) };
    for (letter, on) in flags {
        match letter {
            'i' => var.integer = *on,
            'l' => var.lower = *on,
            'u' => var.upper = *on,
            'x' => var.exported = *on,
            'n' => var.reference = *on,
            'a' if *on && !matches!(var.value, Value::List(_)) => {
                let old = var.scalar().map(str::to_owned);
                var.value = Value::List(old.map(|v| (0, v)).into_iter().collect());
            }
            'A' if *on && !matches!(var.value, Value::Map(_)) => var.value = Value::Map(BTreeMap::new()),
            'r' if !*on && readonly_now => return Err(format!("{}: readonly variable", place.name)),
            _ => {}
        }
    }
    if is('n') {
        if let Some(value) = value {
            vm.vars.raw_entry(&place.name).value = Value::Text(value);
        }
        return Ok(());
    }
    if let Some(array) = array {
        vm.assign(cx, &array)?;
    } else if let Some(value) = value {
        let given = Given::Text(value);
        vm.assign(cx, &Assign { name: place.name.clone(), subscript: place.key, append, value: given })?;
    }
    if is('r') {
        vm.vars.entry(&place.name).readonly = true;
    }
    Ok(())
}

fn shown(name: &str, var: &Var) -> String {
    let flags = var.flags();
    let flags = if flags.is_empty() { "-".to_owned() } else { flags };
    let value = match &var.value {
        Value::Unset => String::new(),
        Value::Text(text) => format!("={}", double_quoted(text)),
        Value::List(list) => {
            let items: Vec<String> =
                list.iter().map(|(k, v)| format!("[{k}]={}", double_quoted(v))).collect();
            format!("=({})", items.join(" "))
        }
        Value::Map(map) => {
            let items: Vec<String> = map_keys(map)
                .into_iter()
                .map(|k| format!("[{}]={} ", quote_key(k), double_quoted(&map[k])))
                .collect();
            format!("=({})", items.concat())
        }
    };
    format!("declare -{flags} {name}{value}")
}

fn quote_key(key: &str) -> String {
    if quote_if_needed(key) == key { key.to_owned() } else { double_quoted(key) }
}

fn print(vm: &mut Vm, builtin: &str, flags: &[(char, bool)], words: &[String]) -> Res<Outcome> {
    let wanted: String =
        flags.iter().filter(|(c, on)| *on && *c != 'p' && *c != 'g').map(|(c, _)| *c).collect();
    let mut status = 0;
    if words.is_empty() {
        let lines: Vec<String> = vm
            .vars
            .iter()
            .filter(|(_, v)| wanted.chars().all(|c| v.flags().contains(c)))
            .map(|(n, v)| shown(n, v))
            .collect();
        lines.iter().for_each(|line| vm.say(line));
    }
    for name in words {
        match vm.vars.raw(name).map(|v| shown(name, v)) {
            Some(line) => vm.say(&line),
            None => {
                vm.complain(&format!("{builtin}: {name}: not found"));
                status = 1;
            }
        }
    }
    Ok(Outcome::Done(status))
}

fn functions(vm: &mut Vm, words: &[String], names_only: bool) -> Res<Outcome> {
    let names: Vec<String> =
        if words.is_empty() { vm.functions.keys().cloned().collect() } else { words.to_vec() };
    let mut status = 0;
    for name in names {
        match vm.functions.get(&name).map(|c| c.text.clone()) {
            None => status = 1,
            Some(_) if names_only && words.is_empty() => vm.say(&format!("declare -f {name}")),
            Some(_) if names_only => vm.say(&name),
            Some(text) => vm.say(&format!("{name} () \n{text}")),
        }
    }
    Ok(Outcome::Done(status))
}

pub(super) fn unset(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, rest, wrong) = options(args, "fvn", "");
    if let Some(wrong) = wrong {
        return vm.usage("unset", &wrong);
    }
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    let mut status = 0;
    for word in rest {
        let place = parse_place(word);
        if has('f') || vm.vars.raw(&place.name).is_none() && !has('v') {
            vm.functions.remove(word);
            continue;
        }
        if vm.vars.get(&place.name).is_some_and(|v| v.readonly) {
            vm.complain(&format!("unset: {word}: cannot unset: readonly variable"));
            status = 1;
            continue;
        }
        let name = if has('n') { place.name.clone() } else { vm.vars.resolve(&place.name).to_owned() };
        match place.key {
            None => vm.vars.remove(&name),
            Some(key) => {
                let key = vm.element_key(cx, &name, &key).unwrap_or_default();
                match &mut vm.vars.entry(&name).value {
                    Value::Map(map) => {
                        map.remove(&key);
                    }
                    Value::List(list) => {
                        let index = key.parse::<i64>().unwrap_or(0);
                        let end = list.keys().next_back().map_or(0, |k| k + 1);
                        list.remove(&if index < 0 { end + index } else { index });
                    }
                    Value::Text(_) | Value::Unset => {}
                }
            }
        }
    }
    Ok(Outcome::Done(status))
}

pub(super) fn let_(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    if args.len() < 2 {
        return vm.fault("let", "expression expected", 1);
    }
    let mut value = 0;
    for text in &args[1..] {
        match vm.arithmetic_value(cx, text) {
            Ok(n) => value = n,
            Err(message) => return vm.fault("let", &message, 1),
        }
    }
    Ok(Outcome::Done(u8::from(value == 0)))
}
