//! Tab completion: commands, variables, users and files; the caller adds completions of options.

use super::builtins;
use super::vm::Vm;
use base::ids::Pid;
use host::Kernel;
use host::fs::{Access, FileKind};
use host::path::join;
use std::collections::BTreeSet;

/// Maximum number of candidates.
const MAX_WORDS: usize = 1000;

/// Candidates for the word at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Byte offset of the word in the line.
    pub start: usize,
    /// The candidates, sorted; directories end with a slash.
    pub words: Vec<String>,
}

/// Completes options of programs: gets the words before the current one, and the current word.
pub type Hook<'a> = &'a dyn Fn(&[String], &str) -> Option<Vec<String>>;

/// Completes the word before `cursor`. `hook(words_before, current)` may complete a program's options.
#[must_use]
pub fn complete(vm: &Vm, kernel: &Kernel, pid: Pid, line: &str, cursor: usize, hook: Hook) -> Completion {
    let mut cursor = cursor.min(line.len());
    while !line.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let before = &line[..cursor];
    let (words, start) = words_before(before);
    let current = &before[start..];
    let mut found: BTreeSet<String> = BTreeSet::new();
    if let Some(name) = current.strip_prefix("${").or_else(|| current.strip_prefix('$')) {
        let lead = &current[..current.len() - name.len()];
        let tail = if lead == "${" { "}" } else { "" };
        let names = vm.vars.iter().map(|(n, _)| n).filter(|n| n.starts_with(name));
        found.extend(names.map(|n| format!("{lead}{n}{tail}")));
    } else if current.starts_with('~') && !current.contains('/') {
        let users = kernel.users.0.iter().filter(|u| u.name.starts_with(&current[1..]));
        found.extend(users.map(|u| format!("~{}/", u.name)));
    } else if words.is_empty() && !current.contains('/') {
        commands(vm, kernel, pid, current, &mut found);
    } else if let Some(offered) = hook(&words, current) {
        found.extend(offered);
    } else {
        files(vm, kernel, pid, current, words.is_empty(), &mut found);
    }
    Completion { start, words: found.into_iter().take(MAX_WORDS).collect() }
}

/// The words of the current command before the last one, and the start of the last one.
fn words_before(before: &str) -> (Vec<String>, usize) {
    let (mut words, mut current, mut start) = (Vec::new(), String::new(), 0);
    let (mut quote, mut open) = (None, false);
    let mut chars = before.char_indices();
    while let Some((at, c)) = chars.next() {
        if !open && quote.is_none() {
            start = at;
        }
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), c) => current.push(c),
            (None, '\'' | '"') => (quote, open) = (Some(c), true),
            (None, '\\') => {
                open = true;
                current.extend(chars.next().map(|(_, c)| c));
            }
            (None, ' ' | '\t') => {
                if open {
                    words.push(std::mem::take(&mut current));
                }
                (open, start) = (false, at + 1);
            }
            (None, ';' | '|' | '&' | '(' | '\n') => {
                words.clear();
                current.clear();
                (open, start) = (false, at + 1);
            }
            (None, '<' | '>' | '=') => {
                current.clear();
                (open, start) = (false, at + 1);
                if c != '=' && words.is_empty() {
                    words.push(String::new());
                }
            }
            (None, c) => {
                current.push(c);
                open = true;
            }
        }
    }
    if !open && quote.is_none() {
        start = before.len();
    }
    (words, start)
}

fn commands(vm: &Vm, kernel: &Kernel, pid: Pid, current: &str, found: &mut BTreeSet<String>) {
    let names = vm.functions.keys().chain(vm.aliases.keys()).map(String::as_str);
    let names = names.chain(builtins::TABLE.iter().map(|(name, ..)| *name));
    found.extend(names.filter(|n| n.starts_with(current)).map(str::to_owned));
    let Some(process) = kernel.process(pid) else { return };
    let uid = process.origin.uid;
    for directory in vm.var("PATH").unwrap_or("/usr/bin").split(':') {
        for name in kernel.fs.list(uid, directory).unwrap_or_default() {
            if name.starts_with(current)
                && kernel.fs.access(uid, &format!("{directory}/{name}"), Access::Exec).is_ok()
            {
                found.insert(name);
            }
        }
    }
}

fn files(vm: &Vm, kernel: &Kernel, pid: Pid, current: &str, programs: bool, found: &mut BTreeSet<String>) {
    let Some(process) = kernel.process(pid) else { return };
    let uid = process.origin.uid;
    let cut = current.rfind('/').map_or(0, |at| at + 1);
    let (lead, name) = current.split_at(cut);
    let plain = lead.replace('\\', "");
    let directory = match plain.strip_prefix('~') {
        Some(rest) => {
            let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
            let home = if user.is_empty() {
                vm.var("HOME").map(str::to_owned)
            } else {
                kernel.users.by_name(user).map(|u| u.home.clone())
            };
            format!("{}/{rest}", home.unwrap_or_default())
        }
        None if plain.is_empty() => process.cwd.to_string(),
        None => join(&process.cwd, &plain),
    };
    let wanted = name.replace('\\', "");
    for entry in kernel.fs.list(uid, &directory).unwrap_or_default() {
        if !entry.starts_with(&wanted) || entry.starts_with('.') && !wanted.starts_with('.') {
            continue;
        }
        let path = format!("{directory}/{entry}");
        let is_dir = kernel.fs.stat(uid, &path).is_ok_and(|s| s.kind == FileKind::Dir);
        if programs && !is_dir && kernel.fs.access(uid, &path, Access::Exec).is_err() {
            continue;
        }
        let shown = super::expand::escape::backslashed(&entry);
        found.insert(format!("{lead}{shown}{}", if is_dir { "/" } else { "" }));
    }
}
