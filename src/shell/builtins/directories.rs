//! `cd`, `pwd`, `pushd`, `popd`, `dirs`, `umask`.

use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::expand::escape::visible;
use crate::options::Flag;
use crate::vars::ShellVar;
use crate::vm::{Res, Vm};
use host::path::resolve;

fn here(vm: &Vm, cx: &ShellContext) -> String {
    vm.var("PWD")
        .map(str::to_owned)
        .or_else(|| cx.kernel.process(cx.pid).map(|p| p.cwd.to_string()))
        .unwrap_or_default()
}

/// Changes the directory; the error is bash's message.
fn change(vm: &mut Vm, cx: &mut ShellContext, to: &str, physical: bool) -> Result<String, String> {
    let old = here(vm, cx);
    let real = cx.kernel.process(cx.pid).filter(|_| physical);
    let real = real.and_then(|p| cx.kernel.fs.real_path(p.origin.uid, &old).ok());
    let new = resolve(real.as_ref().unwrap_or(&old), to);
    // bash keeps exactly two leading slashes.
    let new = if to.trim_end_matches('/').is_empty() && to.len() == 2 { "//".to_owned() } else { new };
    cx.kernel.chdir(cx.pid, &new).map_err(|e| format!("{}: {e}", visible(to)))?;
    let new = match cx.kernel.process(cx.pid).filter(|_| physical) {
        Some(process) => cx.kernel.fs.real_path(process.origin.uid, &new).unwrap_or(new),
        None => new,
    };
    let exported = |name: &str, vm: &Vm| vm.vars.raw(name).is_some_and(|v| v.to_var().exported);
    for (name, value) in [("OLDPWD", old), ("PWD", new.clone())] {
        let exported = exported(name, vm);
        *vm.vars.raw_entry(name) = ShellVar { exported, ..ShellVar::text(value) };
    }
    Ok(new)
}

pub(super) fn cd(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "LPe@", "");
    let physical = found.iter().rev().find(|(c, _)| matches!(c, 'L' | 'P')).is_some_and(|(c, _)| *c == 'P')
        || vm.flag(Flag::Physical);
    // `cd -` is not an option.
    if let Some(wrong) = wrong {
        return vm.usage("cd", &wrong);
    }
    if rest.len() > 1 {
        return vm.fault("cd", "too many arguments", 1);
    }
    let (target, show) = match rest.first().map(String::as_str) {
        None => match vm.var("HOME") {
            Some(home) => (home.to_owned(), false),
            None => return vm.fault("cd", "HOME not set", 1),
        },
        Some("-") => match vm.var("OLDPWD").filter(|o| !o.is_empty()) {
            Some(old) => (old.to_owned(), true),
            None => return vm.fault("cd", "OLDPWD not set", 1),
        },
        Some("") => return Ok(BuiltinResult::Done(0)),
        Some(path) => (path.to_owned(), false),
    };
    let along = vm.var("CDPATH").map(str::to_owned).filter(|_| !target.starts_with(['/', '.']));
    for base in along.iter().flat_map(|list| list.split(':')).filter(|b| !b.is_empty()) {
        if let Ok(new) = change(vm, cx, &format!("{base}/{target}"), physical) {
            vm.say(&new);
            return Ok(BuiltinResult::Done(0));
        }
    }
    match change(vm, cx, &target, physical) {
        Ok(new) => {
            if show {
                vm.say(&new);
            }
            Ok(BuiltinResult::Done(0))
        }
        Err(message) => vm.fault("cd", &message, 1),
    }
}

pub(super) fn pwd(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, _, wrong) = options(args, "LP", "");
    if let Some(wrong) = wrong {
        return vm.usage("pwd", &wrong);
    }
    let physical = found.last().is_some_and(|(c, _)| *c == 'P');
    let text = match cx.kernel.process(cx.pid).filter(|_| physical) {
        Some(process) => {
            let cwd = process.cwd.to_string();
            cx.kernel.fs.real_path(process.origin.uid, &cwd).unwrap_or(cwd)
        }
        None => here(vm, cx),
    };
    vm.say(&text);
    Ok(BuiltinResult::Done(0))
}

/// The stack with the current directory on top.
pub(crate) fn stack(vm: &Vm, cx: &ShellContext) -> Vec<String> {
    std::iter::once(here(vm, cx)).chain(vm.directories.iter().rev().cloned()).collect()
}

fn short(vm: &Vm, path: &str) -> String {
    match vm.var("HOME").and_then(|home| path.strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        Some(_) | None => path.to_owned(),
    }
}

fn show_stack(vm: &mut Vm, cx: &ShellContext) {
    let shown: Vec<String> = stack(vm, cx).iter().map(|d| short(vm, d)).collect();
    vm.say(&shown.join(" "));
}

pub(super) fn dirs(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let has = |letter: char| args[1..].iter().any(|a| a.starts_with('-') && a.contains(letter));
    if has('c') {
        vm.directories.clear();
        return Ok(BuiltinResult::Done(0));
    }
    let list = stack(vm, cx);
    if let Some((word, at)) = args[1..].iter().find_map(|w| Some((w, stack_index(w, list.len())?))) {
        let Some(at) = at else {
            return vm.fault("dirs", &format!("{word}: directory stack index out of range"), 1);
        };
        let line = short(vm, &list[at]);
        vm.say(&line);
        return Ok(BuiltinResult::Done(0));
    }
    let shown: Vec<String> = list.iter().map(|d| if has('l') { d.clone() } else { short(vm, d) }).collect();
    if has('v') {
        for (i, line) in shown.iter().enumerate() {
            vm.say(&format!("{i:>2}  {line}"));
        }
    } else if has('p') {
        shown.iter().for_each(|line| vm.say(line));
    } else {
        vm.say(&shown.join(" "));
    }
    Ok(BuiltinResult::Done(0))
}

/// Parses `+N` and `-N` as an index of the stack; `None` for other words.
fn stack_index(word: &str, count: usize) -> Option<Option<usize>> {
    let number = word.strip_prefix(['+', '-'])?.parse::<usize>().ok()?;
    let at = if word.starts_with('+') { Some(number) } else { count.checked_sub(number + 1) };
    Some(at.filter(|at| *at < count))
}

/// Sets the stack from `list`, top first. The caller has already changed the current directory.
fn set_stack(vm: &mut Vm, list: &[String]) {
    vm.directories = list.iter().skip(1).rev().cloned().collect();
}

pub(super) fn pushd(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let stay = args.get(1).is_some_and(|w| w == "-n");
    let word = args.get(if stay { 2 } else { 1 });
    let mut list = stack(vm, cx);
    match word {
        None if list.len() < 2 => return vm.fault("pushd", "no other directory", 1),
        None => list.swap(0, 1),
        Some(word) => match stack_index(word, list.len()) {
            Some(None) if list.len() < 2 => return vm.fault("pushd", "directory stack empty", 1),
            Some(None) => {
                return vm.fault("pushd", &format!("{word}: directory stack index out of range"), 1);
            }
            Some(Some(at)) => list.rotate_left(at),
            None if stay => list.insert(1, word.clone()),
            None => list.insert(0, word.clone()),
        },
    }
    if list.len() > 1000 {
        list.truncate(1000);
    }
    if !stay {
        match change(vm, cx, &list[0].clone(), false) {
            Ok(new) => list[0] = new,
            Err(message) => return vm.fault("pushd", &message, 1),
        }
    }
    set_stack(vm, &list);
    show_stack(vm, cx);
    Ok(BuiltinResult::Done(0))
}

pub(super) fn popd(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let stay = args.get(1).is_some_and(|w| w == "-n");
    let word = args.get(if stay { 2 } else { 1 });
    let mut list = stack(vm, cx);
    if list.len() < 2 {
        return vm.fault("popd", "directory stack empty", 1);
    }
    let at = match word.map(|word| (word, stack_index(word, list.len()))) {
        None => usize::from(stay),
        Some((_, Some(Some(at)))) => at,
        Some((word, Some(None))) => {
            return vm.fault("popd", &format!("{word}: directory stack index out of range"), 1);
        }
        Some((word, None)) => return vm.fault("popd", &format!("{word}: invalid argument"), 1),
    };
    list.remove(at);
    if at == 0
        && let Err(message) = change(vm, cx, &list[0].clone(), false)
    {
        return vm.fault("popd", &message, 1);
    }
    set_stack(vm, &list);
    show_stack(vm, cx);
    Ok(BuiltinResult::Done(0))
}

/// Parses a symbolic umask: the allowed permissions as clauses `[ugoa][=+-][rwx]`.
fn symbolic(text: &str, now: u32) -> Result<u32, String> {
    let mut allowed = !now & 0o777;
    for clause in text.split(',') {
        let who = clause.find(|c| !"ugoa".contains(c)).unwrap_or(clause.len());
        let (who, rest) = clause.split_at(who);
        let Some(operator @ ('=' | '+' | '-')) = rest.chars().next() else {
            let c = rest.chars().next().map(String::from).unwrap_or_default();
            return Err(format!("`{c}': invalid symbolic mode operator"));
        };
        let mask = if who.is_empty() || who.contains('a') {
            0o777
        } else {
            who.chars().fold(0, |m, c| {
                m | match c {
                    'u' => 0o700,
                    'g' => 0o070,
                    _ => 0o007,
                }
            })
        };
        let mut bits = 0;
        for c in rest.chars().skip(1) {
            bits |= match c {
                'r' => 0o444,
                'w' => 0o222,
                'x' | 'X' => 0o111,
                other => return Err(format!("`{other}': invalid symbolic mode character")),
            };
        }
        let bits = bits & mask;
        allowed = match operator {
            '=' => allowed & !mask | bits,
            '+' => allowed | bits,
            _ => allowed & !bits,
        };
    }
    Ok(!allowed & 0o777)
}

pub(super) fn umask(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "pS", "");
    if let Some(wrong) = wrong {
        return vm.usage("umask", &wrong);
    }
    let now = cx.kernel.process(cx.pid).map_or(0o22, |p| p.umask);
    let Some(text) = rest.first() else {
        let text = if found.iter().any(|(c, _)| *c == 'S') {
            let part = |shift: u32| {
                let allowed = !now >> shift & 7;
                [(4, 'r'), (2, 'w'), (1, 'x')]
                    .iter()
                    .filter(|(b, _)| allowed & b != 0)
                    .map(|(_, c)| *c)
                    .collect::<String>()
            };
            format!("u={},g={},o={}", part(6), part(3), part(0))
        } else {
            format!("{now:04o}")
        };
        let dash = if found.iter().any(|(c, _)| *c == 'S') { "-S " } else { "" };
        let text = if found.iter().any(|(c, _)| *c == 'p') { format!("umask {dash}{text}") } else { text };
        vm.say(&text);
        return Ok(BuiltinResult::Done(0));
    };
    let mask = if text.starts_with(|c: char| c.is_ascii_digit()) {
        let octal = u32::from_str_radix(text, 8).ok().filter(|m| *m <= 0o777);
        octal.ok_or_else(|| format!("{text}: octal number out of range"))
    } else {
        symbolic(text, now)
    };
    match mask {
        Ok(mask) => {
            if let Some(process) = cx.kernel.process_mut(cx.pid) {
                process.umask = mask;
            }
            Ok(BuiltinResult::Done(0))
        }
        Err(message) => vm.fault("umask", &message, 1),
    }
}
