//! tree(1): a directory as a tree. `-a -d -f -i -L -F -s -h -P -I --noreport --dirsfirst -r -t`; no colours, no `-X` and `-J`.

use super::format::human;
use super::getopt::{self, ParsedFlags, Spec};
use crate::Cx;
use base::order::StableSort as _;
use base::pad;
use host::fs::{FileKind, Stat};
use shell::name_matches;

const SPEC: Spec =
    Spec { short: "adfiFshL:P:I:rtnCQU", long: &[("noreport", 'N'), ("dirsfirst", 'D')], usage: 1 };
/// Maximum depth.
const MAX_DEPTH: usize = 256;

struct TreeListing {
    options: ParsedFlags,
    depth: usize,
    dirs: u64,
    files: u64,
    code: u8,
}

/// tree(1)
pub fn tree(cx: &mut Cx) -> u8 {
    let options = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let depth = match options.value('L').map(str::parse::<usize>) {
        None => MAX_DEPTH,
        Some(Ok(depth)) if depth > 0 => depth.min(MAX_DEPTH),
        Some(_) => {
            cx.error("Invalid level, must be greater than 0.");
            return 1;
        }
    };
    let roots = if options.operands.is_empty() { vec![".".to_owned()] } else { options.operands.clone() };
    let mut tree = TreeListing { options, depth, dirs: 0, files: 0, code: 0 };
    for root in &roots {
        let stat = cx.kernel.fs.stat(cx.uid(), &cx.path(root));
        match stat {
            Ok(stat) if stat.kind == FileKind::Dir => {
                let line = tree.label(cx, root, root, &stat);
                cx.line(&line);
                tree.dirs += 1;
                tree.directory(cx, root, "", 1);
            }
            _ => {
                cx.line(&format!("{root}  [error opening dir]"));
                tree.code = 2;
            }
        }
    }
    if !tree.options.has('N') {
        let plural = |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let mut report = plural(tree.dirs, "directory", "directories");
        if !tree.options.has('d') {
            report += &format!(", {}", plural(tree.files, "file", "files"));
        }
        cx.line(&format!("\n{report}"));
    }
    tree.code
}

impl TreeListing {
    fn label(&self, cx: &Cx, name: &str, path: &str, stat: &Stat) -> String {
        let mut line = String::new();
        if self.options.has('s') || self.options.has('h') {
            let size = super::ls::size(stat);
            let (size, width) = if self.options.has('h') { (human(size), 4) } else { (size.to_string(), 11) };
            line = format!("[{}]  ", pad::right(size, width));
        }
        line += if self.options.has('f') { path } else { name };
        match stat.kind {
            FileKind::Link => {
                let target = cx.kernel.fs.readlink(cx.uid(), &cx.path(path)).unwrap_or_default();
                line += &format!(" -> {target}");
            }
            FileKind::Dir if self.options.has('F') => line.push('/'),
            FileKind::File | FileKind::Program if self.options.has('F') && stat.mode & 0o111 != 0 => {
                line.push('*')
            }
            FileKind::Dir | FileKind::File | FileKind::Program | FileKind::Device => {}
        }
        line
    }

    fn wanted(&self, name: &str, stat: &Stat) -> bool {
        let matches = |letter: char| {
            let patterns = self.options.value(letter)?;
            Some(patterns.split('|').any(|pattern| name_matches(pattern, name)))
        };
        let dir = stat.kind == FileKind::Dir;
        (self.options.has('a') || !name.starts_with('.'))
            && (dir || !self.options.has('d'))
            && (dir || matches('P') != Some(false))
            && matches('I') != Some(true)
    }

    fn directory(&mut self, cx: &mut Cx, path: &str, before: &str, depth: usize) {
        if depth > self.depth {
            return;
        }
        let uid = cx.uid();
        let Ok(names) = cx.kernel.fs.list(uid, &cx.path(path)) else { return };
        let inner = |name: &str| format!("{}/{name}", path.trim_end_matches('/'));
        let mut entries: Vec<(String, Stat)> = names
            .into_iter()
            .filter_map(|name| cx.kernel.fs.lstat(uid, &cx.path(&inner(&name))).ok().map(|stat| (name, stat)))
            .filter(|(name, stat)| self.wanted(name, stat))
            .collect();
        if self.options.has('t') {
            entries.order_by_key(|(_, stat)| stat.mtime);
        }
        if self.options.has('r') {
            entries.reverse();
        }
        if self.options.has('D') {
            entries.order_by_key(|(_, stat)| stat.kind != FileKind::Dir);
        }
        let last = entries.len().saturating_sub(1);
        for (at, (name, stat)) in entries.into_iter().enumerate() {
            let inner = inner(&name);
            let (branch, below) = match (self.options.has('i'), at == last) {
                (true, _) => ("", ""),
                (false, true) => ("└── ", "    "),
                (false, false) => ("├── ", "│\u{a0}\u{a0} "),
            };
            let label = self.label(cx, &name, &inner, &stat);
            cx.line(&format!("{before}{branch}{label}"));
            if stat.kind == FileKind::Dir {
                self.dirs += 1;
                self.directory(cx, &inner, &format!("{before}{below}"), depth + 1);
            } else {
                self.files += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn output_follows_the_manual_page() {
        let mut host = Host::with(&[("b.txt", "x"), (".hidden", ""), ("a.sh", "")]);
        host.out(&["mkdir", "-p", "d/e"]);
        host.out(&["touch", "d/z", "d/e/f"]);
        host.out(&["ln", "-s", "../b.txt", "d/link"]);
        assert_eq!(
            host.out(&["tree"]),
            ".\n├── a.sh\n├── b.txt\n└── d\n    ├── e\n    │\u{a0}\u{a0} └── f\n    ├── link -> ../b.txt\n    └── z\n\n3 directories, 5 files\n"
        );
        assert_eq!(host.out(&["tree", "-d", "--noreport"]), ".\n└── d\n    └── e\n");
        assert_eq!(
            host.out(&["tree", "-L", "1", "-a", "-I", "*.sh"]),
            ".\n├── .hidden\n├── b.txt\n└── d\n\n2 directories, 2 files\n"
        );
        assert_eq!(host.out(&["tree", "-if", "--noreport", "d/e"]), "d/e\nd/e/f\n");
        assert_eq!(host.run(&["tree", "nope"]).code, 2);
    }
}
