//! `read` and `mapfile`: options, and storing the input.

use super::wait::{BuiltinWait, Mapping, Reading};
use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::expand::escape::quote;
use crate::vars::{VarValue, is_readonly};
use crate::vm::stack::{Assign, Element, Given};
use crate::vm::{Res, Vm};
use base::time::{Span, Time};

fn seconds(text: &str) -> Option<Span> {
    let value = text.parse::<f64>().ok().filter(|v| *v >= 0.0 && *v < 1e9)?;
    let micros = format!("{:.0}", value * 1e6).parse().ok()?;
    Some(Span(micros))
}

pub(super) fn read(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "ers", "adinNptu");
    if let Some(wrong) = wrong {
        return vm.usage("read", &wrong);
    }
    let mut reading = Reading {
        fd: 0,
        raw: false,
        delimiter: b'\n',
        most: None,
        exact: false,
        array: None,
        names: rest.to_vec(),
        until: None,
        data: Vec::new(),
    };
    for (letter, value) in found {
        let value = value.unwrap_or_default();
        match letter {
            'r' => reading.raw = true,
            'a' => reading.array = Some(value),
            'd' => reading.delimiter = value.bytes().next().unwrap_or(0),
            'n' | 'N' => {
                let Ok(most) = value.parse() else {
                    return vm.fault("read", &format!("{value}: invalid number"), 1);
                };
                reading.most = Some(most);
                reading.exact = letter == 'N';
            }
            'p' if cx.kernel.fd_tty(cx.pid, 0).is_some() => {
                vm.run.err.extend(value.as_bytes());
            }
            't' => match seconds(&value) {
                Some(span) if span.0 == 0 => {
                    // Only test whether input is available.
                    let ready = cx.kernel.has_input(cx.pid, reading.fd);
                    return Ok(BuiltinResult::Done(u8::from(!ready)));
                }
                Some(span) => reading.until = Some(cx.now + span),
                None => return vm.fault("read", &format!("{value}: invalid timeout specification"), 1),
            },
            'u' => match value.parse() {
                Ok(fd) => reading.fd = fd,
                Err(_) => {
                    return vm.fault("read", &format!("{value}: invalid file descriptor specification"), 1);
                }
            },
            _ => {}
        }
    }
    let bad = reading.names.iter().find(|n| {
        let parameter = crate::expand::parse_parameter(n);
        parameter.name.is_empty() || crate::lower::name_prefix(&parameter.name) != parameter.name
    });
    if let Some(name) = bad {
        let message = format!("`{name}': not a valid identifier");
        return vm.fault("read", &message, 1);
    }
    Ok(BuiltinResult::Waits(BuiltinWait::Read(reading)))
}

/// Splits the input into the variables; returns the status.
pub(super) fn store(
    vm: &mut Vm,
    cx: &mut ShellContext,
    reading: &Reading,
    complete: bool,
    timeout: bool,
) -> u8 {
    let text = String::from_utf8_lossy(&reading.data).into_owned();
    let ifs = vm.ifs();
    // Escaped characters are marked: they neither split nor end fields.
    let mut marked: Vec<(char, bool)> = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && !reading.raw {
            match chars.next() {
                Some('\n') | None => {}
                Some(other) => marked.push((other, true)),
            }
        } else {
            marked.push((c, false));
        }
    }
    let status = if timeout { 142 } else { u8::from(!complete) };
    if let Some(array) = &reading.array {
        let fields = fields(&marked, &ifs, usize::MAX);
        let elements = fields.into_iter().map(|value| Element { key: None, append: false, value }).collect();
        let assign =
            Assign { name: array.clone(), subscript: None, append: false, value: Given::Array(elements) };
        if let Err(message) = vm.assign(cx, &assign) {
            vm.complain(&message);
            return 1;
        }
        return status;
    }
    if reading.names.is_empty() || reading.exact {
        let whole: String = marked.iter().map(|(c, _)| *c).collect();
        let name = reading.names.first().map_or("REPLY", String::as_str).to_owned();
        return if put(vm, cx, &name, whole) { status } else { 1 };
    }
    let mut values = fields(&marked, &ifs, reading.names.len()).into_iter();
    for name in &reading.names {
        if !put(vm, cx, name, values.next().unwrap_or_default()) {
            return 1;
        }
    }
    status
}

fn put(vm: &mut Vm, cx: &mut ShellContext, name: &str, value: String) -> bool {
    let parameter = crate::expand::parse_parameter(name);
    let assign =
        Assign { name: parameter.name, subscript: parameter.key, append: false, value: Given::Text(value) };
    match vm.assign(cx, &assign) {
        Ok(()) => true,
        Err(message) => {
            vm.complain(&message);
            false
        }
    }
}

/// Splits into at most `most` fields; the last takes the rest.
fn fields(text: &[(char, bool)], ifs: &str, most: usize) -> Vec<String> {
    let is_ifs = |(c, escaped): &(char, bool)| !escaped && ifs.contains(*c);
    let is_blank = |item: &(char, bool)| is_ifs(item) && matches!(item.0, ' ' | '\t' | '\n');
    let mut out = Vec::new();
    let mut at = text.iter().take_while(|i| is_blank(i)).count();
    while at < text.len() {
        if out.len() + 1 == most {
            let mut end = text.len();
            while end > at && is_blank(&text[end - 1]) {
                end -= 1;
            }
            // A single delimiter at the end is removed.
            let single = end > at && is_ifs(&text[end - 1]) && !text[at..end - 1].iter().any(is_ifs);
            let end = if single { end - 1 } else { end };
            out.push(text[at..end].iter().map(|(c, _)| *c).collect());
            return out;
        }
        let length = text[at..].iter().take_while(|i| !is_ifs(i)).count();
        out.push(text[at..at + length].iter().map(|(c, _)| *c).collect());
        at += length;
        at += text[at..].iter().take_while(|i| is_blank(i)).count();
        if text.get(at).is_some_and(&is_ifs) {
            at += 1;
            at += text[at..].iter().take_while(|i| is_blank(i)).count();
        }
    }
    out
}

pub(super) fn mapfile(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "t", "dnOsucC");
    let name = args[0].clone();
    if let Some(wrong) = wrong {
        return vm.usage(&name, &wrong);
    }
    let mut mapping = Mapping {
        fd: 0,
        delimiter: b'\n',
        strip: false,
        most: 0,
        skip: 0,
        origin: None,
        array: rest.first().cloned().unwrap_or_else(|| "MAPFILE".into()),
        callback: None,
        quantum: 5000,
        data: Vec::new(),
    };
    for (letter, value) in found {
        let value = value.unwrap_or_default();
        let number = value.parse::<u32>();
        let wrong = match (letter, &number) {
            ('n' | 's', Err(_)) => "invalid line count",
            ('O', Err(_)) => "invalid array origin",
            ('u', Err(_)) => "invalid file descriptor specification",
            ('c', Err(_) | Ok(0)) => "invalid callback quantum",
            _ => "",
        };
        if !wrong.is_empty() {
            return vm.fault(&name, &format!("{value}: {wrong}"), 1);
        }
        let number = number.unwrap_or(0);
        match letter {
            't' => mapping.strip = true,
            'd' => mapping.delimiter = value.bytes().next().unwrap_or(0),
            'n' => mapping.most = number,
            's' => mapping.skip = number,
            'O' => mapping.origin = Some(number),
            'u' => mapping.fd = number,
            'C' => mapping.callback = Some(value),
            'c' => mapping.quantum = number,
            _ => {}
        }
    }
    if crate::lower::name_prefix(&mapping.array) != mapping.array || mapping.array.is_empty() {
        return vm.fault(&name, &format!("`{}': not a valid identifier", mapping.array), 1);
    }
    if is_readonly(vm.vars.get(&mapping.array)) {
        vm.complain(&format!("{}: readonly variable", mapping.array));
        return Ok(BuiltinResult::Done(1));
    }
    Ok(BuiltinResult::Waits(BuiltinWait::Map(mapping)))
}

/// Stores the lines in the array after the input is complete.
pub(super) fn store_lines(vm: &mut Vm, mapping: &Mapping) -> u8 {
    let mut lines: Vec<&[u8]> = mapping.data.split_inclusive(|b| *b == mapping.delimiter).collect();
    lines.drain(..lines.len().min(mapping.skip as usize));
    if mapping.most > 0 {
        lines.truncate(mapping.most as usize);
    }
    let text = |line: &[u8]| {
        let line = if mapping.strip { line.strip_suffix(&[mapping.delimiter]).unwrap_or(line) } else { line };
        String::from_utf8_lossy(line).into_owned()
    };
    let start = i64::from(mapping.origin.unwrap_or(0));
    if let Some(callback) = &mapping.callback {
        let calls =
            (start..).zip(&lines).skip(mapping.quantum as usize - 1).step_by(mapping.quantum as usize);
        let calls = calls.map(|(at, line)| format!("{callback} {at} {}\n", quote(&text(line))));
        // Run after `mapfile`, not during it.
        vm.after_builtin = Some(calls.collect());
    }
    let items = (start..).zip(lines.into_iter().map(text));
    let var = vm.vars.entry(&mapping.array);
    match &mut var.value {
        VarValue::List(list) if mapping.origin.is_some() => list.extend(items),
        value => *value = VarValue::List(items.collect()),
    }
    0
}

/// Whether a deadline has passed.
pub(super) fn is_over(until: Option<Time>, now: Time) -> bool {
    until.is_some_and(|u| now >= u)
}
