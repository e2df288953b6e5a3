//! `trap`

use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::expand::escape::quote;
use crate::vm::{Res, Trap, Vm};
use host::Signal;

fn parse(word: &str) -> Option<Trap> {
    let upper = word.to_ascii_uppercase();
    match upper.strip_prefix("SIG").unwrap_or(&upper) {
        "EXIT" | "0" => Some(Trap::Exit),
        "ERR" => Some(Trap::Err),
        "DEBUG" => Some(Trap::Debug),
        "RETURN" => Some(Trap::Return),
        name => Signal::parse(name).map(Trap::Signal),
    }
}

fn name(trap: Trap) -> String {
    match trap {
        Trap::Exit => "EXIT".into(),
        Trap::Err => "ERR".into(),
        Trap::Debug => "DEBUG".into(),
        Trap::Return => "RETURN".into(),
        Trap::Signal(signal) => format!("SIG{}", signal.name()),
    }
}

pub(super) fn trap(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "lp", "");
    if let Some(wrong) = wrong {
        return vm.usage("trap", &wrong);
    }
    if found.iter().any(|(c, _)| *c == 'l') {
        super::jobs::list_signals(vm);
        return Ok(BuiltinResult::Done(0));
    }
    if rest.is_empty() || found.iter().any(|(c, _)| *c == 'p') {
        let mut status = 0;
        for word in rest.iter().filter(|w| parse(w).is_none()) {
            vm.complain(&format!("trap: {word}: invalid signal specification"));
            status = 1;
        }
        let wanted: Vec<Trap> = rest.iter().filter_map(|w| parse(w)).collect();
        let listed = if vm.inherited_traps.is_empty() { &vm.traps } else { &vm.inherited_traps };
        let lines: Vec<String> = listed
            .iter()
            .filter(|(t, _)| rest.is_empty() || wanted.contains(t))
            .map(|(t, text)| format!("trap -- {} {}", quote(text), name(*t)))
            .collect();
        lines.iter().for_each(|line| vm.say(line));
        return Ok(BuiltinResult::Done(status));
    }
    if let [only] = rest
        && parse(only).is_none()
    {
        vm.run.err.extend(b"trap: usage: trap [-lp] [[arg] signal_spec ...]\n");
        return Ok(BuiltinResult::Done(2));
    }
    let (action, words) = match rest {
        [one] => (None, std::slice::from_ref(one)),
        [first, ..] if first.parse::<u8>().is_ok() && parse(first).is_some() => (None, rest),
        [first, more @ ..] => (Some(first.clone()).filter(|t| t != "-"), more),
        [] => (None, rest),
    };
    let mut status = 0;
    for word in words {
        match parse(word) {
            Some(trap) => vm.set_trap(cx, trap, action.clone()),
            None => {
                vm.complain(&format!("trap: {word}: invalid signal specification"));
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}
