//! `hash`: the remembered locations of programs.

use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::vm::{Res, Vm};

/// `hash [-lr] [-p pathname] [-dt] [name ...]`
pub(super) fn hash(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "ldtr", "p");
    if let Some(wrong) = wrong {
        return vm.usage("hash", &wrong);
    }
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    if has('r') {
        vm.remembered().clear();
    }
    if rest.is_empty() && !has('r') {
        list(vm, has('l'));
    }
    let given = found.iter().find(|(c, _)| *c == 'p').and_then(|(_, path)| path.clone());
    let mut status = 0;
    for name in rest {
        let done = match &given {
            Some(path) => {
                vm.remembered().put(name, path, 0);
                true
            }
            None if has('d') => vm.remembered().drop_name(name),
            None if has('t') => print(vm, name, rest.len() > 1),
            None => find(vm, cx, name),
        };
        if !done {
            vm.complain(&format!("hash: {name}: not found"));
            status = 1;
        }
    }
    Ok(BuiltinResult::Done(status))
}

fn list(vm: &mut Vm, reusable: bool) {
    let rows = vm.remembered().rows().to_vec();
    if rows.is_empty() {
        return vm.say("hash: hash table empty");
    }
    if !reusable {
        vm.say("hits\tcommand");
    }
    for row in rows {
        match reusable {
            true => vm.say(&format!("builtin hash -p {} {}", row.path, row.name)),
            false => vm.say(&format!("{:4}\t{}", row.hits, row.path)),
        }
    }
}

fn print(vm: &mut Vm, name: &str, several: bool) -> bool {
    let Some(path) = vm.remembered().get(name).map(|row| row.path.to_string()) else { return false };
    vm.say(&if several { format!("{name}\t{path}") } else { path });
    true
}

/// Looks up and remembers a program. Functions, builtins and paths need no entry.
fn find(vm: &mut Vm, cx: &mut ShellContext, name: &str) -> bool {
    if name.contains('/') || vm.builtin(name).is_some() || vm.functions.contains_key(name) {
        return true;
    }
    match vm.find_program(cx, name) {
        Ok(path) => {
            vm.remembered().put(name, &path, 0);
            true
        }
        Err(_) => false,
    }
}
