//! `cd`, `pwd`, `pushd`, `popd`, `dirs`, `umask`.

use super::{Outcome, options};
use crate::host::path::resolve;
use crate::shell::Cx;
use crate::shell::vars::Var;
use crate::shell::vm::{Res, Vm};

fn here(vm: &Vm, cx: &Cx) -> String {
    vm.var("PWD")
        .map(str::to_owned)
        .or_else(|| cx.kernel.process(cx.pid).map(|p| p.cwd.clone()))
        .unwrap_or_default()
}

/// Changes the directory; the message if that fails.
fn change(vm: &mut Vm, cx: &mut Cx, to: &str) -> Result<String, String> {
    let old = here(vm, cx);
    let new = resolve(&old, to);
    cx.kernel.chdir(cx.pid, &new).map_err(|e| format!("{to}: {e}"))?;
    let exported = |name: &str, vm: &Vm| vm.vars.raw(name).is_some_and(|v| v.exported);
    for (name, value) in [("OLDPWD", old), ("PWD", new.clone())] {
        let exported = exported(name, vm);
        *vm.vars.raw_entry(name) = Var { exported, ..Var::text(value) };
    }
    Ok(new)
}

pub(super) fn cd(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (_, rest, wrong) = options(args, "LPe@", "");
    // `cd -` is no option.
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
        Some("") => return Ok(Outcome::Done(0)),
        Some(path) => (path.to_owned(), false),
    };
    let along = vm.var("CDPATH").map(str::to_owned).filter(|_| !target.starts_with(['/', '.']));
    for base in along.iter().flat_map(|list| list.split(':')).filter(|b| !b.is_empty()) {
        if let Ok(new) = change(vm, cx, &format!("{base}/{target}")) {
            vm.say(&new);
            return Ok(Outcome::Done(0));
        }
    }
    match change(vm, cx, &target) {
        Ok(new) => {
            if show {
                vm.say(&new);
            }
            Ok(Outcome::Done(0))
        }
        Err(message) => vm.fault("cd", &message, 1),
    }
}

pub(super) fn pwd(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, _, wrong) = options(args, "LP", "");
    if let Some(wrong) = wrong {
        return vm.usage("pwd", &wrong);
    }
    let physical = found.last().is_some_and(|(c, _)| *c == 'P');
    let text = match cx.kernel.process(cx.pid).filter(|_| physical) {
        Some(process) => process.cwd.clone(),
        None => here(vm, cx),
    };
    vm.say(&text);
    Ok(Outcome::Done(0))
}

/// The stack with the current directory on top.
fn stack(vm: &Vm, cx: &Cx) -> Vec<String> {
    std::iter::once(here(vm, cx)).chain(vm.directories.iter().rev().cloned()).collect()
}

fn short(vm: &Vm, path: &str) -> String {
    match vm.var("HOME").and_then(|home| path.strip_prefix(home)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        Some(_) | None => path.to_owned(),
    }
}

fn show_stack(vm: &mut Vm, cx: &Cx) {
    let shown: Vec<String> = stack(vm, cx).iter().map(|d| short(vm, d)).collect();
    vm.say(&shown.join(" "));
}

pub(super) fn dirs(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let has = |letter: char| args[1..].iter().any(|a| a.starts_with('-') && a.contains(letter));
    if has('c') {
        vm.directories.clear();
        return Ok(Outcome::Done(0));
    }
    let list = stack(vm, cx);
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
    Ok(Outcome::Done(0))
}

pub(super) fn pushd(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let old = here(vm, cx);
    let target = match args.get(1) {
        Some(path) => path.clone(),
        None => match vm.directories.pop() {
            Some(path) => path,
            None => return vm.fault("pushd", "no other directory", 1),
        },
    };
    if let Err(message) = change(vm, cx, &target) {
        return vm.fault("pushd", &message, 1);
    }
    if vm.directories.len() < 1000 {
        vm.directories.push(old);
    }
    show_stack(vm, cx);
    Ok(Outcome::Done(0))
}

pub(super) fn popd(vm: &mut Vm, cx: &mut Cx, _: &[String]) -> Res<Outcome> {
    let Some(target) = vm.directories.pop() else { return vm.fault("popd", "directory stack empty", 1) };
    if let Err(message) = change(vm, cx, &target) {
        return vm.fault("popd", &message, 1);
    }
    show_stack(vm, cx);
    Ok(Outcome::Done(0))
}

pub(super) fn umask(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
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
        let text = if found.iter().any(|(c, _)| *c == 'p') { format!("umask {text}") } else { text };
        vm.say(&text);
        return Ok(Outcome::Done(0));
    };
    match u32::from_str_radix(text, 8).ok().filter(|m| *m <= 0o777) {
        Some(mask) => {
            if let Some(process) = cx.kernel.process_mut(cx.pid) {
                process.umask = mask;
            }
            Ok(Outcome::Done(0))
        }
        None => vm.fault("umask", &format!("{text}: octal number out of range"), 1),
    }
}
