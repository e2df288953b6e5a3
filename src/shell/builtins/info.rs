//! `type`, `command -v`, `hash`, `alias`, `help`, `history`, `caller`, `ulimit`.

use super::{Outcome, TABLE, options};
use crate::shell::Cx;
use crate::shell::expand::escape::quote;
use crate::shell::vm::{Res, Vm};

const KEYWORDS: [&str; 21] = [
    "!", "[[", "]]", "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
];

/// What is accepted and changes nothing.
pub(super) fn accepted(_: &mut Vm, _: &mut Cx, _: &[String]) -> Res<Outcome> {
    Ok(Outcome::Done(0))
}

/// `command -v` and `command -V`.
pub(super) fn describe(vm: &mut Vm, cx: &mut Cx, names: &[String], long: bool) -> Res<Outcome> {
    let mut status = 0;
    for name in names {
        match (kind(vm, cx, name), long) {
            (None, true) => {
                vm.complain(&format!("command: {name}: not found"));
                status = 1;
            }
            (None, false) => status = 1,
            (Some((kind, detail)), true) => say_long(vm, name, kind, &detail),
            (Some(("alias", detail)), false) => vm.say(&format!("alias {name}={}", quote(&detail))),
            (Some(("file", path)), false) => vm.say(&path),
            (Some(_), false) => vm.say(name),
        }
    }
    Ok(Outcome::Done(status))
}

/// What a name is, and its text or path.
fn kind(vm: &mut Vm, cx: &mut Cx, name: &str) -> Option<(&'static str, String)> {
    let expands = vm.interactive || vm.shopt("expand_aliases");
    if let Some(text) = vm.aliases.get(name).filter(|_| expands) {
        return Some(("alias", text.clone()));
    }
    if KEYWORDS.contains(&name) {
        return Some(("keyword", String::new()));
    }
    if let Some(code) = vm.functions.get(name) {
        return Some(("function", code.text.clone()));
    }
    if super::find(name).is_some() {
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

pub(super) fn type_(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, rest, wrong) = options(args, "afptP", "");
    if let Some(wrong) = wrong {
        return vm.usage("type", &wrong);
    }
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    let mut status = 0;
    for name in rest {
        let what =
            if has('P') { vm.find_program(cx, name).ok().map(|p| ("file", p)) } else { kind(vm, cx, name) };
        match what {
            None => {
                if !has('t') && !has('p') && !has('P') {
                    vm.complain(&format!("type: {name}: not found"));
                }
                status = 1;
            }
            Some((kind, _)) if has('t') => vm.say(kind),
            Some((kind, detail)) if has('p') || has('P') => {
                if kind == "file" {
                    vm.say(&detail);
                }
            }
            Some((kind, detail)) => say_long(vm, name, kind, &detail),
        }
    }
    Ok(Outcome::Done(status))
}

pub(super) fn hash(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (_, rest, wrong) = options(args, "ldtr", "p");
    if let Some(wrong) = wrong {
        return vm.usage("hash", &wrong);
    }
    if args.len() == 1 {
        vm.say("hash: hash table empty");
    }
    let mut status = 0;
    for name in rest {
        if super::find(name).is_none() && vm.find_program(cx, name).is_err() {
            vm.complain(&format!("hash: {name}: not found"));
            status = 1;
        }
    }
    Ok(Outcome::Done(status))
}

pub(super) fn alias(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
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
    Ok(Outcome::Done(status))
}

pub(super) fn unalias(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
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
    Ok(Outcome::Done(status))
}

pub(super) fn help(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
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
    Ok(Outcome::Done(status))
}

pub(super) fn history(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    match args.get(1).map(String::as_str) {
        Some("-c") => {
            vm.history = std::sync::Arc::default();
            return Ok(Outcome::Done(0));
        }
        Some(word) if word.starts_with('-') => return Ok(Outcome::Done(0)),
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
    Ok(Outcome::Done(0))
}

pub(super) fn caller(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    let depth = args.get(1).and_then(|w| w.parse::<usize>().ok());
    let frame = vm.calls.len().checked_sub(1 + depth.unwrap_or(0));
    let Some(line) = frame.and_then(|f| vm.calls.get(f)).map(|(_, line)| *line) else {
        return Ok(Outcome::Done(1));
    };
    let name = frame.and_then(|f| f.checked_sub(1)).and_then(|f| vm.calls.get(f));
    let name = name.map_or("main", |(name, _)| name.as_str());
    let text =
        if depth.is_some() { format!("{line} {name} {}", vm.name) } else { format!("{line} {}", vm.name) };
    vm.say(&text);
    Ok(Outcome::Done(0))
}

pub(super) fn ulimit(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    const LIMITS: [(char, &str, &str, &str); 9] = [
        ('c', "core file size", "(blocks, -c)", "0"),
        ('d', "data seg size", "(kbytes, -d)", "unlimited"),
        ('f', "file size", "(blocks, -f)", "unlimited"),
        ('l', "max locked memory", "(kbytes, -l)", "unlimited"),
        ('n', "open files", "(-n)", "1024"),
        ('s', "stack size", "(kbytes, -s)", "8192"),
        ('t', "cpu time", "(seconds, -t)", "unlimited"),
        ('u', "max user processes", "(-u)", "512"),
        ('v', "virtual memory", "(kbytes, -v)", "unlimited"),
    ];
    let letters: String = args[1..].iter().filter_map(|a| a.strip_prefix('-')).collect();
    if letters.contains('a') {
        for (_, name, unit, value) in LIMITS {
            vm.say(&format!("{name:<20}{unit:>20} {value}"));
        }
        return Ok(Outcome::Done(0));
    }
    // A new limit is accepted and changes nothing.
    if args.len() > 1 && !args[args.len() - 1].starts_with('-') {
        return Ok(Outcome::Done(0));
    }
    let letter = letters.chars().find(|c| !"SH".contains(*c)).unwrap_or('f');
    match LIMITS.iter().find(|(c, ..)| *c == letter) {
        Some((.., value)) => vm.say(value),
        None => return vm.usage("ulimit", &format!("-{letter}")),
    }
    Ok(Outcome::Done(0))
}
