//! chown(1), chgrp(1): change a file's owner and group.

use super::getopt::{self, ParsedFlags, Spec};
use crate::Cx;
use base::ids::{Gid, Uid};
use host::fs::FileKind;

const SPEC: Spec = Spec {
    short: "RvchfHLPr:",
    long: &[
        ("recursive", 'R'),
        ("verbose", 'v'),
        ("changes", 'c'),
        ("no-dereference", 'h'),
        ("silent", 'f'),
        ("quiet", 'f'),
        ("reference", 'r'),
    ],
    usage: 1,
};

/// The requested owner and group.
struct OwnerChange {
    owner: Option<Uid>,
    group: Option<Gid>,
    /// As typed.
    text: String,
}

/// chown(1)
pub fn chown(cx: &mut Cx) -> u8 {
    run(cx, |cx, text| {
        let (owner, group) = match text.split_once(':').or_else(|| text.split_once('.')) {
            Some((owner, group)) => (owner, Some(group)),
            None => (text, None),
        };
        let user = (!owner.is_empty()).then(|| user(cx, owner));
        if user == Some(None) {
            return Err(format!("invalid user: '{text}'"));
        }
        let owner = user.flatten();
        let group = match group {
            // `alice:` means alice's primary group.
            Some("") => owner.map(|uid| Gid(uid.0)),
            Some(name) => Some(group_number(cx, name).ok_or_else(|| format!("invalid group: '{text}'"))?),
            None => None,
        };
        Ok(OwnerChange { owner, group, text: text.to_owned() })
    })
}

/// chgrp(1)
pub fn chgrp(cx: &mut Cx) -> u8 {
    run(cx, |cx, text| {
        let group = (!text.is_empty()).then(|| group_number(cx, text));
        match group {
            Some(None) => Err(format!("invalid group: '{text}'")),
            group => Ok(OwnerChange { owner: None, group: group.flatten(), text: text.to_owned() }),
        }
    })
}

fn user(cx: &Cx, name: &str) -> Option<Uid> {
    cx.kernel.users.by_name(name).map(|user| user.uid).or_else(|| name.parse().ok().map(Uid))
}

fn group_number(cx: &Cx, name: &str) -> Option<Gid> {
    cx.kernel.users.gid(name).or_else(|| name.parse().ok().map(Gid))
}

fn run(cx: &mut Cx, read: fn(&Cx, &str) -> Result<OwnerChange, String>) -> u8 {
    let mut parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let wanted = if let Some(reference) = parsed.value('r') {
        match cx.kernel.fs.stat(cx.uid(), &cx.path(reference)) {
            Ok(stat) => {
                OwnerChange { owner: Some(stat.uid), group: Some(stat.gid), text: reference.to_owned() }
            }
            Err(errno) => {
                cx.error(&format!("failed to get attributes of '{reference}': {errno}"));
                return 1;
            }
        }
    } else {
        if parsed.operands.is_empty() {
            return getopt::missing_operand(cx);
        }
        let text = parsed.operands.remove(0);
        match read(cx, &text) {
            Ok(wanted) => wanted,
            Err(why) => {
                cx.error(&why);
                return 1;
            }
        }
    };
    if parsed.operands.is_empty() {
        cx.error(&format!("missing operand after '{}'", wanted.text));
        getopt::try_help(cx);
        return 1;
    }
    let mut code = 0;
    let mut todo: Vec<String> = parsed.operands.iter().rev().cloned().collect();
    while let Some(name) = todo.pop() {
        code |= change(cx, &parsed, &wanted, &name, &mut todo);
    }
    code
}

/// Changes one file, then the contents if it is a directory.
fn change(cx: &mut Cx, parsed: &ParsedFlags, wanted: &OwnerChange, name: &str, todo: &mut Vec<String>) -> u8 {
    let (uid, path) = (cx.uid(), cx.path(name));
    let follow = !parsed.has('h') && !parsed.has('R');
    let found = if follow { cx.kernel.fs.stat(uid, &path) } else { cx.kernel.fs.lstat(uid, &path) };
    let stat = match found {
        Ok(stat) => stat,
        Err(errno) => {
            cx.error(&format!("cannot access '{name}': {errno}"));
            return 1;
        }
    };
    if parsed.has('R') && stat.kind == FileKind::Dir {
        let names = cx.kernel.fs.list(uid, &path).unwrap_or_default();
        todo.extend(names.iter().rev().map(|inner| format!("{}/{inner}", name.trim_end_matches('/'))));
    }
    let what = if cx.name() == "chgrp" { "group" } else { "ownership" };
    match cx.kernel.fs.set_owner(uid, &path, wanted.owner, wanted.group, follow) {
        Ok(()) => {
            let changed = wanted.owner.is_some_and(|owner| owner != stat.uid)
                || wanted.group.is_some_and(|group| group != stat.gid);
            if parsed.has('v') || parsed.has('c') && changed {
                let (users, text) = (&cx.kernel.users, &wanted.text);
                let before = match what {
                    "group" => users.group_name(stat.gid),
                    _ if text.contains(':') => {
                        format!("{}:{}", users.name(stat.uid), users.group_name(stat.gid))
                    }
                    _ => users.name(stat.uid),
                };
                let line = if changed {
                    format!("changed {what} of '{name}' from {before} to {text}")
                } else {
                    format!("{what} of '{name}' retained as {before}")
                };
                cx.line(&line);
            }
            0
        }
        Err(errno) => {
            if !parsed.has('f') {
                cx.error(&format!("changing {what} of '{name}': {errno}"));
            }
            1
        }
    }
}
