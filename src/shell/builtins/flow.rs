//! `exit`, `return`, `break`, `continue`, `eval`, `source`, `exec`, `command`, `builtin`, `:`.

use super::wait::BuiltinWait;
use super::{BuiltinResult, find, options};
use crate::ShellContext;
use crate::vm::names::Call;
use crate::vm::stack::TextKind;
use crate::vm::start::{looks_binary, read};
use crate::vm::{Halt, MAX_CALLS, Res, Vm};
use host::kernel::own_descriptor;
use host::path;

pub(super) fn colon(_: &mut Vm, _: &mut ShellContext, _: &[String]) -> Res<BuiltinResult> {
    Ok(BuiltinResult::Done(0))
}

pub(super) fn false_(_: &mut Vm, _: &mut ShellContext, _: &[String]) -> Res<BuiltinResult> {
    Ok(BuiltinResult::Done(1))
}

/// Parses an exit status argument.
fn code(vm: &mut Vm, args: &[String]) -> Res<u8> {
    let rest = args.get(1..).unwrap_or_default();
    let rest = if rest.first().is_some_and(|w| w == "--") { &rest[1..] } else { rest };
    let Some(text) = rest.first() else { return Ok(vm.status) };
    if vm.dash && !text.bytes().all(|b| b.is_ascii_digit()) {
        vm.complain(&format!("{}: Illegal number: {text}", args[0]));
        return Ok(2);
    }
    let Ok(number) = text.trim_matches([' ', '\t']).parse::<i64>() else {
        vm.complain(&format!("{}: {text}: numeric argument required", args[0]));
        return Ok(2);
    };
    if rest.len() > 1 {
        vm.complain(&format!("{}: too many arguments", args[0]));
        return Err(vm.give_up());
    }
    Ok(u8::try_from(number.rem_euclid(256)).unwrap_or(255))
}

pub(super) fn exit(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    if vm.interactive {
        vm.run.err.extend(if vm.login { &b"logout\n"[..] } else { b"exit\n" });
    }
    Err(Halt::Exit(code(vm, args)?))
}

pub(super) fn return_(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let code = code(vm, args)?;
    if vm.return_from(cx, code) {
        return Ok(BuiltinResult::Jumped);
    }
    if vm.subshell > 0 && !vm.calls.is_empty() {
        return Err(Halt::Exit(code));
    }
    vm.fault("return", "can only `return' from a function or sourced script", 2)
}

/// Parses the number of loops for `break` and `continue`; returns it with the exit status.
fn levels(vm: &mut Vm, args: &[String]) -> Res<Option<(u32, u8)>> {
    let name = args.first().map_or("break", String::as_str);
    let open = u32::try_from(vm.run.loops.len()).unwrap_or(0).saturating_sub(vm.loop_floor());
    if open == 0 {
        vm.complain(&format!("{name}: only meaningful in a `for', `while', or `until' loop"));
        return Ok(None);
    }
    match args.get(1).map(|t| t.parse::<i64>()) {
        None => Ok(Some((1, 0))),
        Some(Ok(n)) if n >= 1 => Ok(Some((u32::try_from(n).unwrap_or(u32::MAX), 0))),
        Some(Ok(n)) => {
            vm.complain(&format!("{name}: {n}: loop count out of range"));
            Ok(Some((u32::MAX, 1)))
        }
        Some(Err(_)) => {
            vm.complain(&format!("{name}: {}: numeric argument required", args[1]));
            Err(Halt::Exit(128))
        }
    }
}

fn leave(vm: &mut Vm, cx: &mut ShellContext, args: &[String], again: bool) -> Res<BuiltinResult> {
    let Some((levels, status)) = levels(vm, args)? else { return Ok(BuiltinResult::Done(0)) };
    vm.status = status;
    vm.leave_loops(cx, levels, again && status == 0);
    Ok(BuiltinResult::Jumped)
}

pub(super) fn break_(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    leave(vm, cx, args, false)
}

pub(super) fn continue_(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    leave(vm, cx, args, true)
}

fn too_deep(vm: &mut Vm, name: &str) -> Res<bool> {
    if vm.run.frames.len() < MAX_CALLS {
        return Ok(false);
    }
    vm.complain(&format!("{name}: maximum {name} nesting level exceeded ({MAX_CALLS})"));
    Err(Halt::Discard(1))
}

pub(super) fn eval(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (_, words, wrong) = options(args, "", "");
    if let Some(wrong) = wrong {
        return vm.usage("eval", &wrong);
    }
    let text = &words.join(" ");
    if text.trim().is_empty() {
        return Ok(BuiltinResult::Done(0));
    }
    too_deep(vm, "eval")?;
    let line = vm.line;
    vm.push_text(text, TextKind::Eval, line);
    Ok(BuiltinResult::Entered)
}

pub(super) fn source(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let name = args[0].clone();
    let Some(file) = args.get(1) else {
        vm.fault(&name, "filename argument required", 2)?;
        vm.run.err.extend(format!("{name}: usage: {name} filename [arguments]\n").as_bytes());
        return Ok(BuiltinResult::Done(2));
    };
    too_deep(vm, "source")?;
    if let Some(fd) = own_descriptor(file) {
        return Ok(BuiltinResult::Waits(BuiltinWait::Source { fd, args: args.to_vec(), data: Vec::new() }));
    }
    let along_path = if file.contains('/') {
        None
    } else {
        let list = vm.var("PATH").unwrap_or("").to_owned();
        list.split(':').map(|d| format!("{d}/{file}")).find_map(|path| read(cx, &path))
    };
    let Some(text) = along_path.or_else(|| read(cx, file)) else {
        let process = cx.kernel.process(cx.pid);
        let error = process.and_then(|p| cx.kernel.fs.read(p.origin.uid, &path::join(&p.cwd, file)).err());
        let error = error.map_or_else(
            || "No such file or directory".to_owned(),
            |e| {
                if e == host::Errno::EISDIR { "is a directory".into() } else { e.to_string() }
            },
        );
        if error == "is a directory" {
            return vm.fault(&name, &format!("{file}: {error}"), 1);
        }
        vm.complain(&format!("{file}: {error}"));
        return Ok(BuiltinResult::Done(1));
    };
    if looks_binary(text.as_bytes()) {
        return vm.fault(&name, &format!("{file}: cannot execute binary file"), 126);
    }
    enter_source(vm, &text, args);
    Ok(BuiltinResult::Entered)
}

/// Starts executing a sourced text; `args` are the words of the command.
pub(crate) fn enter_source(vm: &mut Vm, text: &str, args: &[String]) {
    vm.args_set = false;
    let old = (args.len() > 2).then(|| std::mem::replace(&mut vm.args, args[2..].to_vec()));
    let call = Call {
        name: "source".into(),
        source: args.get(1).map_or("", String::as_str).into(),
        line: vm.line,
        function: false,
        returned: false,
    };
    vm.push_text(text, TextKind::Source { args: old }, 1);
    vm.calls.push(call);
}

pub(super) fn exec(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "cl", "a");
    if let Some(wrong) = wrong {
        return vm.usage("exec", &wrong);
    }
    if rest.is_empty() {
        return Ok(BuiltinResult::Keep(0));
    }
    let empty = found.iter().any(|(c, _)| *c == 'c');
    let named = found.iter().find_map(|(c, value)| value.clone().filter(|_| *c == 'a'));
    let login = if found.iter().any(|(c, _)| *c == 'l') { "-" } else { "" };
    let name = format!("{login}{}", named.as_ref().unwrap_or(&rest[0]));
    Ok(BuiltinResult::Exec { args: rest.to_vec(), name, env: empty.then(Default::default) })
}

pub(super) fn command(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "pvV", "");
    if let Some(wrong) = wrong {
        return vm.usage("command", &wrong);
    }
    if let Some((letter, _)) = found.iter().find(|(c, _)| matches!(c, 'v' | 'V')) {
        return super::info::describe(vm, cx, rest, *letter == 'V');
    }
    if rest.is_empty() {
        return Ok(BuiltinResult::Done(0));
    }
    Ok(BuiltinResult::Program(rest.to_vec()))
}

pub(super) fn builtin(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let rest = args.get(1..).unwrap_or_default();
    match rest.first() {
        None => Ok(BuiltinResult::Done(0)),
        Some(name) if find(name).is_none() => {
            let name = name.clone();
            vm.fault("builtin", &format!("{name}: not a shell builtin"), 1)
        }
        Some(_) => Ok(BuiltinResult::Program(rest.to_vec())),
    }
}
