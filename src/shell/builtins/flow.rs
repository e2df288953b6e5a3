//! `exit`, `return`, `break`, `continue`, `eval`, `source`, `exec`, `command`, `builtin`, `:`.

use super::{Outcome, find, options};
use crate::host::path;
use crate::shell::Cx;
use crate::shell::vm::stack::TextKind;
use crate::shell::vm::start::read;
use crate::shell::vm::{Halt, MAX_CALLS, Res, Vm};

pub(super) fn colon(_: &mut Vm, _: &mut Cx, _: &[String]) -> Res<Outcome> {
    Ok(Outcome::Done(0))
}

pub(super) fn false_(_: &mut Vm, _: &mut Cx, _: &[String]) -> Res<Outcome> {
    Ok(Outcome::Done(1))
}

/// An exit status as an argument.
fn code(vm: &mut Vm, args: &[String]) -> Result<u8, u8> {
    let Some(text) = args.get(1) else { return Ok(vm.status) };
    match text.trim().parse::<i64>() {
        Ok(n) => Ok(u8::try_from(n.rem_euclid(256)).unwrap_or(255)),
        Err(_) => {
            vm.complain(&format!("{}: {text}: numeric argument required", args[0]));
            Err(2)
        }
    }
}

pub(super) fn exit(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    if vm.interactive {
        vm.run.err.extend(if vm.login { &b"logout\n"[..] } else { b"exit\n" });
    }
    let code = code(vm, args).unwrap_or_else(|c| c);
    Err(Halt::Exit(code))
}

pub(super) fn return_(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let code = code(vm, args).unwrap_or_else(|c| c);
    if vm.return_from(cx) {
        vm.status = code;
        return Ok(Outcome::Jumped);
    }
    if vm.subshell > 0 && !vm.calls.is_empty() {
        return Err(Halt::Exit(code));
    }
    vm.fault("return", "can only `return' from a function or sourced script", 2)
}

fn levels(vm: &mut Vm, args: &[String]) -> Option<u32> {
    let name = args.first().map_or("break", String::as_str);
    let open = u32::try_from(vm.run.loops.len()).unwrap_or(0).saturating_sub(vm.loop_floor());
    if open == 0 {
        vm.complain(&format!("{name}: only meaningful in a `for', `while', or `until' loop"));
        return None;
    }
    match args.get(1).map(|t| t.parse::<i64>()) {
        None => Some(1),
        Some(Ok(n)) if n >= 1 => Some(u32::try_from(n).unwrap_or(u32::MAX)),
        Some(Ok(n)) => {
            vm.complain(&format!("{name}: {n}: loop count out of range"));
            Some(u32::MAX)
        }
        Some(Err(_)) => {
            vm.complain(&format!("{name}: {}: numeric argument required", args[1]));
            Some(u32::MAX)
        }
    }
}

pub(super) fn break_(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let Some(levels) = levels(vm, args) else { return Ok(Outcome::Done(0)) };
    vm.status = 0;
    vm.leave_loops(cx, levels, false);
    Ok(Outcome::Jumped)
}

pub(super) fn continue_(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let Some(levels) = levels(vm, args) else { return Ok(Outcome::Done(0)) };
    vm.status = 0;
    vm.leave_loops(cx, levels, true);
    Ok(Outcome::Jumped)
}

fn too_deep(vm: &mut Vm, name: &str) -> Res<bool> {
    if vm.run.frames.len() < MAX_CALLS {
        return Ok(false);
    }
    vm.complain(&format!("{name}: maximum {name} nesting level exceeded ({MAX_CALLS})"));
    Err(Halt::Discard(1))
}

pub(super) fn eval(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    let text = args[1..].join(" ");
    let text = text.strip_prefix("-- ").unwrap_or(&text);
    if text.trim().is_empty() {
        return Ok(Outcome::Done(0));
    }
    too_deep(vm, "eval")?;
    let line = vm.line;
    vm.push_text(text, TextKind::Eval, line);
    Ok(Outcome::Entered)
}

pub(super) fn source(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let name = args[0].clone();
    let Some(file) = args.get(1) else {
        vm.fault(&name, "filename argument required", 2)?;
        vm.run.err.extend(format!("{name}: usage: {name} filename [arguments]\n").as_bytes());
        return Ok(Outcome::Done(2));
    };
    too_deep(vm, "source")?;
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
                if e == crate::host::Errno::EISDIR { "is a directory".into() } else { e.to_string() }
            },
        );
        if error == "is a directory" {
            return vm.fault(&name, &format!("{file}: {error}"), 1);
        }
        vm.complain(&format!("{file}: {error}"));
        return Ok(Outcome::Done(1));
    };
    let old = (args.len() > 2).then(|| std::mem::replace(&mut vm.args, args[2..].to_vec()));
    vm.push_text(&text, TextKind::Source { args: old }, 1);
    Ok(Outcome::Entered)
}

pub(super) fn exec(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, rest, wrong) = options(args, "cl", "a");
    if let Some(wrong) = wrong {
        return vm.usage("exec", &wrong);
    }
    if rest.is_empty() {
        return Ok(Outcome::Keep(0));
    }
    let empty = found.iter().any(|(c, _)| *c == 'c');
    Ok(Outcome::Exec(rest.to_vec(), empty.then(Default::default)))
}

pub(super) fn command(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, rest, wrong) = options(args, "pvV", "");
    if let Some(wrong) = wrong {
        return vm.usage("command", &wrong);
    }
    if let Some((letter, _)) = found.iter().find(|(c, _)| matches!(c, 'v' | 'V')) {
        return super::info::describe(vm, cx, rest, *letter == 'V');
    }
    if rest.is_empty() {
        return Ok(Outcome::Done(0));
    }
    Ok(Outcome::Program(rest.to_vec()))
}

pub(super) fn builtin(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    let rest = args.get(1..).unwrap_or_default();
    match rest.first() {
        None => Ok(Outcome::Done(0)),
        Some(name) if find(name).is_none() => {
            let name = name.clone();
            vm.fault("builtin", &format!("{name}: not a shell builtin"), 1)
        }
        Some(_) => Ok(Outcome::Program(rest.to_vec())),
    }
}
