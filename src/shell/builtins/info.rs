//! `type`, `command -v`, `hash`, `alias`, `help`, `history`, `caller`, `ulimit`.

use super::{BuiltinResult, TABLE, options};
use crate::ShellContext;
use crate::expand::escape::quote;
use crate::options::Shopt;
use crate::vm::{Res, Vm};

const KEYWORDS: [&str; 21] = [
    "!", "[[", "]]", "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
];

/// Builtins that are accepted without effect.
pub(super) fn accepted(_: &mut Vm, _: &mut ShellContext, _: &[String]) -> Res<BuiltinResult> {
    Ok(BuiltinResult::Done(0))
}

/// `command -v` and `command -V`.
pub(super) fn describe(
    vm: &mut Vm,
    cx: &mut ShellContext,
    names: &[String],
    long: bool,
) -> Res<BuiltinResult> {
    // One name that is found suffices.
    let mut status = u8::from(!names.is_empty());
    for name in names {
        let found = kind(vm, cx, name);
        if found.is_some() {
            status = 0;
        }
        match (found, long) {
            (None, true) => vm.complain(&format!("command: {name}: not found")),
            (None, false) => {}
            (Some((kind, detail)), true) => say_long(vm, name, kind, &detail),
            (Some(("alias", detail)), false) => vm.say(&format!("alias {name}={}", quote(&detail))),
            (Some(("file", path)), false) => vm.say(&path),
            (Some(_), false) => vm.say(name),
        }
    }
    Ok(BuiltinResult::Done(status))
}

/// The type of a command name, and its text or path.
fn kind(vm: &mut Vm, cx: &mut ShellContext, name: &str) -> Option<(&'static str, String)> {
    let expands = vm.interactive || vm.shopt(Shopt::ExpandAliases);
    if let Some(text) = vm.aliases.get(name).filter(|_| expands) {
        return Some(("alias", text.clone()));
    }
    if KEYWORDS.contains(&name) {
        return Some(("keyword", String::new()));
    }
    if let Some(function) = vm.functions.get(name) {
        return Some(("function", function.code.text.clone()));
    }
    if vm.builtin(name).is_some() {
        return Some(("builtin", String::new()));
    }
    vm.find_program(cx, name).ok().map(|path| ("file", path))
}

fn say_long(vm: &mut Vm, name: &str, kind: &str, detail: &str) {
    let line = match kind {
        "alias" => format!("{name} is aliased to `{detail}'"),
        "keyword" => format!("{name} is a shell keyword"),
        "function" => format!("{name} is a function\n{name} () \n{detail}"),
        "builtin" => format!("{name} is a shell builtin"),
        _ => format!("{name} is {detail}"),
    };
    vm.say(&line);
}

pub(super) fn type_(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "afptP", "");
    if let Some(wrong) = wrong {
        return vm.usage("type", &wrong);
    }
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    let mut status = 0;
    for name in rest {
        let path_only = has('P');
        let mut what =
            if path_only { Vec::new() } else { kind(vm, cx, name).into_iter().collect::<Vec<_>>() };
        if path_only || has('a') && !what.iter().any(|(kind, _)| *kind == "file") {
            what.extend(vm.find_program(cx, name).ok().map(|path| ("file", path)));
        }
        if !has('a') {
            what.truncate(1);
        }
        if what.is_empty() {
            if !has('t') && !has('p') && !path_only {
                vm.complain(&format!("type: {name}: not found"));
            }
            status = 1;
        }
        for (kind, detail) in what {
            if has('t') {
                vm.say(kind);
            } else if kind == "file"
                && !has('a')
                && !has('p')
                && !path_only
                && vm.remembered().get(name).is_some()
            {
                vm.say(&format!("{name} is hashed ({detail})"));
            } else if !has('p') && !path_only {
                say_long(vm, name, kind, &detail);
            } else if kind == "file" {
                vm.say(&detail);
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn enable(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "adnps", "f");
    if let Some(wrong) = wrong {
        return vm.usage("enable", &wrong);
    }
    let off = found.iter().any(|(c, _)| *c == 'n');
    if rest.is_empty() {
        let all = found.iter().any(|(c, _)| *c == 'a');
        let lines: Vec<String> = TABLE
            .iter()
            .map(|(name, ..)| (name, vm.disabled.iter().any(|n| n == name)))
            .filter(|(_, disabled)| all || *disabled == off)
            .map(|(name, disabled)| format!("enable {}{name}", if disabled { "-n " } else { "" }))
            .collect();
        lines.iter().for_each(|line| vm.say(line));
    }
    let mut status = 0;
    for name in rest {
        if super::find(name).is_none() {
            vm.complain(&format!("enable: {name}: not a shell builtin"));
            status = 1;
        } else if off {
            vm.disabled.push(name.clone());
        } else {
            vm.disabled.retain(|n| n != name);
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn alias(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (_, rest, wrong) = options(args, "p", "");
    if let Some(wrong) = wrong {
        return vm.usage("alias", &wrong);
    }
    let shown = |name: &str, text: &str| format!("alias {name}={}", quote(text));
    if rest.is_empty() {
        let lines: Vec<String> = vm.aliases.iter().map(|(n, t)| shown(n, t)).collect();
        lines.iter().for_each(|line| vm.say(line));
    }
    let mut status = 0;
    for word in rest {
        if let Some((name, text)) = word.split_once('=').filter(|(n, _)| !n.is_empty()) {
            vm.aliases.insert(name.to_owned(), text.to_owned());
        } else if let Some(line) = vm.aliases.get(word).map(|t| shown(word, t)) {
            vm.say(&line);
        } else {
            vm.complain(&format!("alias: {word}: not found"));
            status = 1;
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn unalias(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "a", "");
    if let Some(wrong) = wrong {
        return vm.usage("unalias", &wrong);
    }
    if !found.is_empty() {
        vm.aliases.clear();
    }
    let mut status = 0;
    for name in rest {
        if vm.aliases.remove(name).is_none() {
            vm.complain(&format!("unalias: {name}: not found"));
            status = 1;
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn help(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let mut status = 0;
    if args.len() == 1 {
        vm.say("GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)");
        vm.say("These shell commands are defined internally. Type `help name' to see one of them.");
        TABLE.iter().for_each(|(.., usage)| vm.say(&format!(" {usage}")));
    }
    for name in &args[1..] {
        match TABLE.iter().find(|(n, ..)| n == name) {
            Some((name, _, usage)) => vm.say(&format!("{name}: {usage}")),
            None => {
                vm.complain(&format!("help: no help topics match `{name}'."));
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn history(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    match args.get(1).map(String::as_str) {
        Some("-c") => {
            vm.history = std::sync::Arc::default();
            return Ok(BuiltinResult::Done(0));
        }
        Some(word) if word.starts_with('-') => return Ok(BuiltinResult::Done(0)),
        Some(word) if word.parse::<usize>().is_err() => {
            let message = format!("{word}: numeric argument required");
            return vm.fault("history", &message, 1);
        }
        Some(_) | None => {}
    }
    let most = args.get(1).and_then(|w| w.parse::<usize>().ok()).unwrap_or(usize::MAX);
    let skip = vm.history.len().saturating_sub(most);
    let lines: Vec<String> =
        vm.history.iter().enumerate().skip(skip).map(|(i, line)| format!("{:>5}  {line}", i + 1)).collect();
    lines.iter().for_each(|line| vm.say(line));
    Ok(BuiltinResult::Done(0))
}

pub(super) fn caller(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let depth = args.get(1).and_then(|w| w.parse::<usize>().ok());
    let list = |name: &str| vm.call_list(name).unwrap_or_default();
    let (lines, sources, names) = (list("BASH_LINENO"), list("BASH_SOURCE"), list("FUNCNAME"));
    let at = depth.unwrap_or(0);
    if depth.is_none() && vm.calls.is_empty() && !vm.command_text && !vm.interactive {
        vm.say("0 NULL");
        return Ok(BuiltinResult::Done(0));
    }
    let Some(line) = lines.get(at).filter(|_| vm.calls.len() > at) else { return Ok(BuiltinResult::Done(1)) };
    let source = sources.get(at + 1).map_or("NULL", String::as_str);
    let text = match (depth, names.get(at + 1)) {
        (None, _) => format!("{line} {source}"),
        (Some(_), Some(name)) => format!("{line} {name} {source}"),
        (Some(_), None) => return Ok(BuiltinResult::Done(1)),
    };
    vm.say(&text);
    Ok(BuiltinResult::Done(0))
}

/// The limits: letter, name, unit, usual value.
const LIMITS: [(char, &str, &str, &str); 16] = [
    ('R', "real-time non-blocking time", "(microseconds, -R)", "unlimited"),
    ('c', "core file size", "(blocks, -c)", "0"),
    ('d', "data seg size", "(kbytes, -d)", "unlimited"),
    ('e', "scheduling priority", "(-e)", "0"),
    ('f', "file size", "(blocks, -f)", "unlimited"),
    ('i', "pending signals", "(-i)", "1030000"),
    ('l', "max locked memory", "(kbytes, -l)", "unlimited"),
    ('m', "max memory size", "(kbytes, -m)", "unlimited"),
    ('n', "open files", "(-n)", "1024"),
    ('p', "pipe size", "(512 bytes, -p)", "8"),
    ('q', "POSIX message queues", "(bytes, -q)", "819200"),
    ('r', "real-time priority", "(-r)", "0"),
    ('s', "stack size", "(kbytes, -s)", "8192"),
    ('t', "cpu time", "(seconds, -t)", "unlimited"),
    ('u', "max user processes", "(-u)", "512"),
    ('v', "virtual memory", "(kbytes, -v)", "unlimited"),
];

/// dash's names, in its order.
const DASH_LIMITS: &[(char, &str)] = &[
    ('t', "time(seconds)"),
    ('f', "file(blocks)"),
    ('d', "data(kbytes)"),
    ('s', "stack(kbytes)"),
    ('c', "coredump(blocks)"),
    ('m', "memory(kbytes)"),
    ('l', "locked memory(kbytes)"),
    ('u', "process"),
    ('n', "nofiles"),
    ('v', "vmemory(kbytes)"),
    ('x', "locks"),
    ('r', "rtprio"),
];

/// `ulimit`: stores and shows limits but does not enforce them.
pub(super) fn ulimit(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (letters, rest): (Vec<&String>, Vec<&String>) = args[1..].iter().partition(|a| a.starts_with('-'));
    let letters: String = letters.iter().flat_map(|a| a.chars().skip(1)).collect();
    let shown = |vm: &Vm, letter: char, usual: &str| {
        vm.limits.iter().find(|(l, _)| *l == letter).map_or_else(|| usual.to_owned(), |(_, v)| v.clone())
    };
    if letters.contains('a') && vm.dash {
        for (letter, name) in DASH_LIMITS {
            let usual = LIMITS.iter().find(|(l, ..)| l == letter).map_or("unlimited", |(.., usual)| *usual);
            let value = shown(vm, *letter, usual);
            vm.say(&format!("{name:<20} {value}"));
        }
        return Ok(BuiltinResult::Done(0));
    }
    if letters.contains('a') {
        for (letter, name, unit, value) in LIMITS {
            let value = shown(vm, letter, value);
            vm.say(&format!("{name:<27} {unit:>19} {value}"));
        }
        return Ok(BuiltinResult::Done(0));
    }
    let letter = letters.chars().find(|c| !"SH".contains(*c)).unwrap_or('f');
    let Some((.., usual)) = LIMITS.iter().find(|(c, ..)| *c == letter) else {
        return vm.usage("ulimit", &format!("-{letter}"));
    };
    let Some(value) = rest.first() else {
        let value = shown(vm, letter, usual);
        vm.say(&value);
        return Ok(BuiltinResult::Done(0));
    };
    let now = shown(vm, letter, usual);
    let value = match value.as_str() {
        "hard" | "soft" => now.clone(),
        other => other.to_owned(),
    };
    let Some(wanted) = (if value == "unlimited" { Some(u64::MAX) } else { value.parse::<u64>().ok() }) else {
        return vm.fault("ulimit", &format!("{value}: invalid number"), 1);
    };
    let hard = if "ns".contains(letter) { u64::MAX } else { usual.parse::<u64>().unwrap_or(u64::MAX) };
    let name = LIMITS.iter().find(|(c, ..)| *c == letter).map_or("", |(_, name, ..)| *name);
    if wanted > hard && letter != 'c' {
        return vm.fault("ulimit", &format!("{name}: cannot modify limit: Operation not permitted"), 1);
    }
    vm.limits.retain(|(l, _)| *l != letter);
    vm.limits.push((letter, value));
    Ok(BuiltinResult::Done(0))
}
