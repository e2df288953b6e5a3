//! `set`, `shopt`, `shift`, `getopts`.

use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::expand::escape::quote_if_needed;
use crate::options::{Bit as _, Flag, Shopt};
use crate::vars::{ShellVar, VarValue};
use crate::vm::{Res, Vm};

/// Sets an option of `set -o` or `shopt`; returns false if the name is unknown.
pub(crate) fn switch_named(vm: &mut Vm, name: &str, shopt: bool, on: bool) -> bool {
    if shopt {
        Shopt::named(name).map(|option| vm.shopts.switch(option, on)).is_some()
    } else {
        Flag::named(name).map(|option| vm.flags.switch(option, on)).is_some()
    }
}

/// A variable as `set` prints it.
fn assignment(name: &str, var: &ShellVar) -> Option<String> {
    match &var.value {
        VarValue::Unset => None,
        VarValue::Text(text) if text.is_empty() => Some(format!("{name}=")),
        VarValue::Text(text) => Some(format!("{name}={}", quote_if_needed(text))),
        VarValue::List(_) | VarValue::Map(_) => Some(format!("{name}{}", super::declare::value_text(var))),
    }
}

pub(super) fn set(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let mut rest = &args[1..];
    if rest.is_empty() {
        let lines: Vec<String> =
            vm.vars.iter().filter_map(|(name, var)| assignment(name, &var.to_var())).collect();
        lines.iter().for_each(|line| vm.say(line));
        super::declare::all_functions(vm);
        return Ok(BuiltinResult::Done(0));
    }
    while let [first, more @ ..] = rest {
        let on = first.starts_with('-');
        if !on && !first.starts_with('+') || first.len() < 2 {
            if first == "-" {
                rest = more;
                vm.flags.switch(Flag::Xtrace, false);
                if rest.is_empty() {
                    return Ok(BuiltinResult::Done(0));
                }
            }
            break;
        }
        rest = more;
        if first == "--" {
            vm.args = rest.to_vec();
            vm.args_set = true;
            return Ok(BuiltinResult::Done(0));
        }
        for letter in first[1..].chars() {
            if letter == 'o' {
                let Some((name, more)) = rest.split_first() else {
                    list_options(vm, on);
                    return Ok(BuiltinResult::Done(0));
                };
                rest = more;
                if !switch_named(vm, name, false, on) {
                    return vm.fault("set", &format!("{name}: invalid option name"), 2);
                }
            } else if let Some(flag) = Flag::of_letter(letter) {
                vm.flags.switch(flag, on);
            } else {
                return vm.usage("set", &format!("{}{letter}", &first[..1]));
            }
        }
    }
    if !rest.is_empty() {
        vm.args = rest.to_vec();
        vm.args_set = true;
    }
    Ok(BuiltinResult::Done(0))
}

fn list_options(vm: &mut Vm, table: bool) {
    for (name, flag) in Flag::ALL {
        let on = vm.flag(*flag);
        let line = match (table, on) {
            (true, on) => format!("{name:<15}\t{}", if on { "on" } else { "off" }),
            (false, true) => format!("set -o {name}"),
            (false, false) => format!("set +o {name}"),
        };
        vm.say(&line);
    }
}

pub(super) fn shopt(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "pqsuo", "");
    if let Some(wrong) = wrong {
        return vm.usage("shopt", &wrong);
    }
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    let set_option = has('o');
    if has('s') && has('u') {
        return vm.fault("shopt", "cannot set and unset shell options simultaneously", 1);
    }
    let all: Vec<&str> = if set_option {
        Flag::ALL.iter().map(|(name, _)| *name).collect()
    } else {
        Shopt::ALL.iter().map(|(name, _)| *name).collect()
    };
    let names: Vec<String> =
        if rest.is_empty() { all.iter().map(|s| (*s).to_owned()).collect() } else { rest.to_vec() };
    let mut status = 0;
    for name in names {
        let on = if set_option {
            Flag::named(&name).map(|flag| vm.flag(flag))
        } else {
            Shopt::named(&name).map(|shopt| vm.shopt(shopt))
        };
        let Some(on) = on else {
            vm.complain(&format!("shopt: {name}: invalid shell option name"));
            status = 1;
            continue;
        };
        if (has('s') || has('u')) && !rest.is_empty() {
            switch_named(vm, &name, !set_option, has('s'));
            continue;
        }
        if !rest.is_empty() && !on {
            status = 1;
        }
        if has('q') || has('s') && !on || has('u') && on {
            continue;
        }
        let line = if has('p') && set_option {
            format!("set {}o {name}", if on { '-' } else { '+' })
        } else if has('p') {
            format!("shopt -{} {name}", if on { 's' } else { 'u' })
        } else {
            format!("{name:<15}\t{}", if on { "on" } else { "off" })
        };
        vm.say(&line);
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn shift(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    if args.len() > 2 {
        vm.complain("shift: too many arguments");
        return Err(vm.give_up());
    }
    let count = match args.get(1).map(|t| t.parse::<i64>()) {
        None => 1,
        Some(Ok(n)) => n,
        Some(Err(_)) => return vm.fault("shift", &format!("{}: numeric argument required", args[1]), 1),
    };
    match usize::try_from(count) {
        Ok(n) if n <= vm.args.len() => {
            vm.args.drain(..n);
            Ok(BuiltinResult::Done(0))
        }
        Ok(_) => Ok(BuiltinResult::Done(1)),
        Err(_) => vm.fault("shift", &format!("{count}: shift count out of range"), 1),
    }
}

/// Prints a message unless `OPTERR=0`.
fn complain_getopts(vm: &mut Vm, message: &str) {
    if vm.var("OPTERR") != Some("0") {
        let line = format!("{}: {message}\n", vm.name);
        vm.run.err.extend(line.as_bytes());
    }
}

pub(super) fn getopts(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let [_, spec, name, given @ ..] = args else {
        vm.run.err.extend(b"getopts: usage: getopts optstring name [arg ...]\n");
        return Ok(BuiltinResult::Done(2));
    };
    if crate::lower::name_prefix(name) != name || name.is_empty() {
        return vm.fault("getopts", &format!("`{name}': not a valid identifier"), 1);
    }
    let list = if given.is_empty() { vm.args.clone() } else { given.to_vec() };
    let silent = spec.starts_with(':');
    let mut index = vm.var("OPTIND").and_then(|t| t.parse::<usize>().ok()).unwrap_or(1).max(1);
    let mut within = vm.getopts as usize;
    vm.vars.remove("OPTARG");
    let finish = |vm: &mut Vm, cx: &mut ShellContext, value: &str, index: usize, within: usize| {
        let result = vm.set_element(cx, name, None, value.to_owned(), false);
        *vm.vars.raw_entry("OPTIND") =
            ShellVar { value: VarValue::Text(index.to_string()), ..ShellVar::default() };
        vm.getopts = u32::try_from(within).unwrap_or(0);
        if let Err(message) = &result {
            vm.complain(message);
        }
        result.is_ok()
    };
    let word = list.get(index - 1).cloned().unwrap_or_default();
    let letters: Vec<char> = word.chars().collect();
    if within == 0 {
        if letters.len() < 2 || letters[0] != '-' {
            let named = finish(vm, cx, "?", index, 0);
            return Ok(BuiltinResult::Done(if named { 1 } else { 2 }));
        }
        if word == "--" {
            let named = finish(vm, cx, "?", index + 1, 0);
            return Ok(BuiltinResult::Done(if named { 1 } else { 2 }));
        }
        within = 1;
    }
    let letter = letters.get(within).copied().unwrap_or('?');
    within += 1;
    let at = spec.find(letter).filter(|_| letter != ':');
    let last = within >= letters.len();
    let set_argument = |vm: &mut Vm, value: String| *vm.vars.raw_entry("OPTARG") = ShellVar::text(value);
    let Some(at) = at else {
        if silent {
            set_argument(vm, letter.to_string());
        } else {
            complain_getopts(vm, &format!("illegal option -- {letter}"));
        }
        let named = finish(vm, cx, "?", index + usize::from(last), if last { 0 } else { within });
        return Ok(BuiltinResult::Done(if named { 0 } else { 2 }));
    };
    if !spec[at + letter.len_utf8()..].starts_with(':') {
        let named =
            finish(vm, cx, &letter.to_string(), index + usize::from(last), if last { 0 } else { within });
        return Ok(BuiltinResult::Done(if named { 0 } else { 2 }));
    }
    if !last {
        set_argument(vm, letters[within..].iter().collect());
        index += 1;
    } else if let Some(value) = list.get(index) {
        set_argument(vm, value.clone());
        index += 2;
    } else {
        index += 1;
        let shown = if silent {
            set_argument(vm, letter.to_string());
            ":"
        } else {
            complain_getopts(vm, &format!("option requires an argument -- {letter}"));
            "?"
        };
        let named = finish(vm, cx, shown, index, 0);
        return Ok(BuiltinResult::Done(if named { 0 } else { 2 }));
    }
    let named = finish(vm, cx, &letter.to_string(), index, 0);
    Ok(BuiltinResult::Done(if named { 0 } else { 2 }))
}
