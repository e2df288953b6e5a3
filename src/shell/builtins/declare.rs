//! `declare`, `local`, `export`, `readonly`, `unset`, `let`.

use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::expand::escape::{double_quoted, quote_if_needed};
use crate::expand::parse_parameter;
use crate::lower::name_prefix;
use crate::op::Index;
use crate::options::Flag;
use crate::vars::{ShellVar, VarRef, VarValue, is_readonly, map_keys};
use crate::vm::stack::{Assign, Given};
use crate::vm::{Res, Vm};
use std::collections::BTreeMap;

pub(super) fn declare(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let local = vm.in_function();
    attributes(vm, cx, args, local, None)
}

pub(super) fn local(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    if !vm.in_function() {
        return vm.fault("local", "can only be used in a function", 1);
    }
    attributes(vm, cx, args, true, None)
}

pub(super) fn export(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    attributes(vm, cx, args, false, Some('x'))
}

pub(super) fn readonly(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    attributes(vm, cx, args, false, Some('r'))
}

/// Parses the options of `declare` with their sign, `-x` or `+x`; returns the index of the first name.
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
            if !"aAfFgiIlnprtux".contains(letter) {
                return Err(format!("{}{letter}", &word[..1]));
            }
            found.push((letter, on));
        }
        at += 1;
    }
    Ok((found, at))
}

fn attributes(
    vm: &mut Vm,
    cx: &mut ShellContext,
    args: &[String],
    local: bool,
    always: Option<char>,
) -> Res<BuiltinResult> {
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
        if always.is_some() && !words.is_empty() {
            return export_functions(vm, &name, words, !remove);
        }
        return functions(vm, words, has(&flags, 'F'));
    }
    if name == "local" && words.first().is_some_and(|w| w == "-") {
        vm.vars.keep_options(vm.flags);
        return Ok(BuiltinResult::Done(0));
    }
    if words.is_empty() || has(&flags, 'p') {
        return print(vm, &name, &flags, words);
    }
    let global = has(&flags, 'g') && vm.in_function();
    let local = local && !has(&flags, 'g');
    let arrays = vm.run.pending_arrays.clone();
    let mut status = 0;
    for (i, word) in words.iter().enumerate() {
        let position = u32::try_from(at + i).unwrap_or(u32::MAX);
        let array = arrays.iter().find(|(n, _)| *n == position).map(|(_, a)| a.clone());
        let before = if global { vm.vars.expose_global(declared_name(word)) } else { None };
        let declared = one(vm, cx, word, array, &flags, local);
        if let Some(local) = before {
            vm.vars.hide_global(declared_name(word), local);
        }
        match declared {
            Ok(()) => {
                if always.is_some() && word.contains('=') && vm.flag(Flag::Xtrace) {
                    vm.trace(cx, word);
                }
            }
            Err(message) if message.contains("error token") => {
                vm.complain(&format!("{name}: {message}"));
                return Err(vm.give_up());
            }
            Err(message) => {
                let bare = always.is_some() && message.contains("readonly");
                vm.complain(&if bare { message } else { format!("{name}: {message}") });
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

/// The name in `name=value` or `name[1]+=value`.
fn declared_name(word: &str) -> &str {
    name_prefix(word)
}

/// Declares a variable.
fn one(
    vm: &mut Vm,
    cx: &mut ShellContext,
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
    let parameter = parse_parameter(left.strip_suffix('+').filter(|_| append).unwrap_or(left));
    if name_prefix(&parameter.name) != parameter.name || parameter.name.is_empty() {
        return Err(format!("`{word}': not a valid identifier"));
    }
    let is = |letter: char| flags.contains(&(letter, true));
    if local {
        let old = vm.vars.raw(&parameter.name).map(VarRef::to_var);
        if old.as_ref().is_some_and(|v| v.readonly) {
            return Err(format!("{}: readonly variable", parameter.name));
        }
        let fresh = vm.vars.hide(&parameter.name);
        if fresh && append {
            *vm.vars.raw_entry(&parameter.name) = old.unwrap_or_default();
        }
    }
    let readonly_now = is_readonly(vm.vars.raw(&parameter.name));
    if readonly_now && (value.is_some() || array.is_some()) {
        return Err(format!("{}: readonly variable", parameter.name));
    }
    let var = if is('n') { vm.vars.raw_entry(&parameter.name) } else { vm.vars.entry(&parameter.name) };
    for (letter, on) in flags {
        match letter {
            'i' => var.integer = *on,
            'l' => var.lower = *on,
            'u' => var.upper = *on,
            'x' => var.exported = *on,
            'n' if *on => var.reference = true,
            'a' if *on && matches!(var.value, VarValue::Map(_)) => {
                return Err(format!("{}: cannot convert associative to indexed array", parameter.name));
            }
            'A' if *on && matches!(var.value, VarValue::List(_)) => {
                return Err(format!("{}: cannot convert indexed to associative array", parameter.name));
            }
            'a' if *on && !matches!(var.value, VarValue::List(_)) => {
                let old = var.scalar().map(str::to_owned);
                var.bare = old.is_none();
                var.value = VarValue::List(old.map(|v| (0, v)).into_iter().collect());
            }
            'A' if *on && !matches!(var.value, VarValue::Map(_)) => {
                var.bare = true;
                var.value = VarValue::Map(BTreeMap::new());
            }
            'r' if !*on && readonly_now => return Err(format!("{}: readonly variable", parameter.name)),
            _ => {}
        }
    }
    let both = is('l') && is('u');
    if both {
        (var.lower, var.upper) = (false, false);
    }
    if is('n') {
        if array.is_some() {
            vm.vars.remove(&parameter.name);
            return Err(format!("{}: reference variable cannot be an array", parameter.name));
        }
        if let Some(value) = value {
            let target = parse_parameter(&value);
            if value == parameter.name && !local {
                vm.vars.remove(&parameter.name);
                return Err(format!("{value}: nameref variable self references not allowed"));
            }
            if name_prefix(&target.name) != target.name || target.name.is_empty() {
                vm.vars.remove(&parameter.name);
                return Err(format!("`{value}': invalid variable name for name reference"));
            }
            vm.vars.raw_entry(&parameter.name).value = VarValue::Text(value);
        }
        return Ok(());
    }
    if flags.contains(&('n', false)) {
        vm.vars.raw_entry(&parameter.name).reference = false;
        if value.is_none() && array.is_none() {
            return Ok(());
        }
    }
    if let Some(array) = array {
        vm.assign(cx, &array)?;
    } else if let Some(value) = value {
        let given = Given::Text(value);
        vm.assign(
            cx,
            &Assign { name: parameter.name.clone(), subscript: parameter.key, append, value: given },
        )?;
    }
    if is('r') {
        vm.vars.entry(&parameter.name).readonly = true;
    }
    Ok(())
}

/// The output of `declare -p` for a variable.
pub(crate) fn shown(name: &str, var: &ShellVar) -> String {
    let flags = var.flags();
    let flags = if flags.is_empty() { "-".to_owned() } else { flags };
    format!("declare -{flags} {name}{}", value_text(var))
}

/// `=value` as `declare -p` shows it; empty without a value.
pub(super) fn value_text(var: &ShellVar) -> String {
    match &var.value {
        VarValue::Unset => String::new(),
        VarValue::List(list) if var.bare && list.is_empty() => String::new(),
        VarValue::Map(map) if var.bare && map.is_empty() => String::new(),
        VarValue::Text(text) => format!("={}", double_quoted(text)),
        VarValue::List(list) => {
            let items: Vec<String> =
                list.iter().map(|(k, v)| format!("[{k}]={}", double_quoted(v))).collect();
            format!("=({})", items.join(" "))
        }
        VarValue::Map(map) => {
            let items: Vec<String> = map_keys(map)
                .into_iter()
                .map(|k| format!("[{}]={} ", quote_key(k), double_quoted(&map[k])))
                .collect();
            format!("=({})", items.concat())
        }
    }
}

fn quote_key(key: &str) -> String {
    if quote_if_needed(key) == key { key.to_owned() } else { double_quoted(key) }
}

fn print(vm: &mut Vm, builtin: &str, flags: &[(char, bool)], words: &[String]) -> Res<BuiltinResult> {
    let wanted: String =
        flags.iter().filter(|(c, on)| *on && *c != 'p' && *c != 'g').map(|(c, _)| *c).collect();
    let mut status = 0;
    if words.is_empty() {
        let lines: Vec<String> = vm
            .vars
            .iter()
            .filter(|(n, _)| builtin != "local" || vm.vars.is_local(n))
            .map(|(n, v)| (n, v.to_var()))
            .filter(|(_, v)| wanted.chars().all(|c| v.flags().contains(c)))
            .map(|(n, v)| shown(n, &v))
            .collect();
        lines.iter().for_each(|line| vm.say(line));
    }
    for name in words {
        match vm.vars.raw(name).map(|v| shown(name, &v.to_var())) {
            Some(line) => vm.say(&line),
            None => {
                vm.complain(&format!("{builtin}: {name}: not found"));
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

/// `export -f`, `readonly -f`
fn export_functions(vm: &mut Vm, builtin: &str, words: &[String], on: bool) -> Res<BuiltinResult> {
    vm.vars.forget_env();
    let mut status = 0;
    for word in words {
        match vm.functions.get_mut(word) {
            Some(function) if builtin == "export" => function.exported = on,
            Some(_) => {}
            None => {
                vm.complain(&format!("{builtin}: {word}: not a function"));
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

/// Prints all functions, as `set` does after the variables.
pub(super) fn all_functions(vm: &mut Vm) {
    let names: Vec<String> = vm.functions.keys().cloned().collect();
    for name in names {
        say_function(vm, &name);
    }
}

fn say_function(vm: &mut Vm, name: &str) {
    if let Some(text) = vm.functions.get(name).map(|f| f.code.text.clone()) {
        vm.say(&format!("{name} () \n{text}"));
    }
}

fn functions(vm: &mut Vm, words: &[String], names_only: bool) -> Res<BuiltinResult> {
    let names: Vec<String> =
        if words.is_empty() { vm.functions.keys().cloned().collect() } else { words.to_vec() };
    let mut status = 0;
    for name in names {
        match vm.functions.get(&name) {
            None => status = 1,
            Some(_) if names_only && words.is_empty() => vm.say(&format!("declare -f {name}")),
            Some(_) if names_only => vm.say(&name),
            Some(_) => say_function(vm, &name),
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn unset(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "fvn", "");
    if let Some(wrong) = wrong {
        return vm.usage("unset", &wrong);
    }
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    let mut status = 0;
    for word in rest {
        let parameter = parse_parameter(word);
        if has('f') {
            vm.functions.remove(word);
            continue;
        }
        if name_prefix(&parameter.name) != parameter.name || parameter.name.is_empty() {
            if !has('v') {
                vm.functions.remove(word);
                continue;
            }
            vm.complain(&format!("unset: `{word}': not a valid identifier"));
            status = 1;
            continue;
        }
        if vm.vars.raw(&parameter.name).is_none() && !has('v') && vm.functions.remove(word).is_some() {
            continue;
        }
        if is_readonly(vm.vars.get(&parameter.name)) {
            vm.complain(&format!("unset: {word}: cannot unset: readonly variable"));
            status = 1;
            continue;
        }
        let name =
            if has('n') { parameter.name.clone() } else { vm.vars.resolve(&parameter.name).to_owned() };
        match parameter.key {
            // In an associative array, only the element with that key, since bash 5.2.
            None if matches!(parameter.index, Index::All | Index::Star) => {
                match &mut vm.vars.entry(&name).value {
                    VarValue::Map(map) => {
                        map.remove(if parameter.index == Index::All { "@" } else { "*" });
                    }
                    VarValue::List(_) | VarValue::Text(_) | VarValue::Unset => vm.vars.remove(&name),
                }
            }
            None => {
                if vm.is_dynamic(&name) {
                    vm.unset_dynamics.push(name.clone());
                }
                vm.vars.remove(&name);
            }
            Some(key) => {
                let key = vm.element_key(cx, &name, &key).unwrap_or_default();
                match &mut vm.vars.entry(&name).value {
                    VarValue::Map(map) => {
                        map.remove(&key);
                    }
                    VarValue::List(list) => {
                        let index = key.parse::<i64>().unwrap_or(0);
                        let end = list.keys().next_back().map_or(0, |k| k + 1);
                        let index = if index < 0 { end.saturating_add(index) } else { index };
                        list.remove(&index);
                        if index < 0 {
                            vm.complain(&format!("unset: [{key}]: bad array subscript"));
                            status = 1;
                        }
                    }
                    VarValue::Text(_) | VarValue::Unset => {}
                }
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn let_(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    if args.len() < 2 {
        return vm.fault("let", "expression expected", 1);
    }
    let mut value = 0;
    for text in &args[1..] {
        match vm.arithmetic_value(cx, text) {
            Ok(n) => value = n,
            Err(message) if message.ends_with("unbound variable") => {
                vm.complain(&message);
                return Err(vm.fatal_expansion());
            }
            Err(message) if message.ends_with("readonly variable") => {
                vm.complain(&message);
                return Ok(BuiltinResult::Done(1));
            }
            Err(message) => return vm.fault("let", &message, 1),
        }
    }
    Ok(BuiltinResult::Done(u8::from(value == 0)))
}
