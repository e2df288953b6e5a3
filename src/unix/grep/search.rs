//! The files of `grep -r` and `-R`.

use crate::Cx;
use crate::getopt::ParsedFlags;
use host::fs::FileKind;

/// Maximum depth of a recursive search, which also ends loops of links.
const MAX_DEPTH: u32 = 40;

/// The files in directories, recursively, for `-r`.
pub(super) fn files(cx: &mut Cx, operands: &[String], parsed: &ParsedFlags) -> Vec<String> {
    let wanted = |name: &str, letter: char| {
        let mut globs =
            parsed.options.iter().filter(|(l, _)| *l == letter).map(|(_, v)| v.as_str()).peekable();
        globs.peek().is_some().then(|| globs.any(|g| shell::name_matches(g, name)))
    };
    let bare = operands.is_empty();
    let roots = if bare { vec![".".to_owned()] } else { operands.iter().rev().cloned().collect() };
    let mut todo: Vec<(String, u32)> = roots.into_iter().map(|name| (name, 0)).collect();
    let mut files = Vec::new();
    let mut first = true;
    let every = parsed.has('R');
    while let Some((name, depth)) = todo.pop() {
        let path = cx.path(&name);
        // `-R` follows every link, `-r` only those among the operands.
        let follow = every || depth == 0 && !bare;
        let stat =
            if follow { cx.kernel.fs.stat(cx.uid(), &path) } else { cx.kernel.fs.lstat(cx.uid(), &path) };
        let base = host::path::base_name(&name).to_owned();
        if stat.as_ref().is_ok_and(|s| s.kind == FileKind::Dir) {
            if !first && wanted(&base, '@') == Some(true) {
                continue;
            }
            let names = cx.kernel.fs.list(cx.uid(), &path).unwrap_or_default();
            let join = |n: &String| {
                if bare && name == "." { n.clone() } else { format!("{}/{n}", name.trim_end_matches('/')) }
            };
            if depth >= MAX_DEPTH {
                super::error(cx, &format!("{name}: warning: recursive directory loop"));
                continue;
            }
            todo.extend(names.iter().rev().map(|name| (join(name), depth + 1)));
        } else if depth > 0 && !every && stat.as_ref().is_ok_and(|s| s.kind == FileKind::Link) {
            continue;
        } else if wanted(&base, '#') != Some(false) && wanted(&base, '!') != Some(true) {
            files.push(name);
        }
        first = false;
    }
    files
}
