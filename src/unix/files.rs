//! mkdir(1), rmdir(1), touch(1), chmod(1), ln(1), mktemp(1): create files and change their metadata.

use super::getopt::{self, Spec};
use crate::Cx;
use host::fs::{Access, FileKind, PATH_MAX};
use host::{Errno, path};

/// mkdir(1)
pub fn mkdir(cx: &mut Cx) -> u8 {
    const SPEC: Spec =
        Spec { short: "pvm:", long: &[("parents", 'p'), ("verbose", 'v'), ("mode", 'm')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.is_empty() {
        return getopt::missing_operand(cx);
    }
    let mode = match parsed.value('m').map(|m| change_mode(m, 0o777, true, 0)) {
        None => cx.masked(0o777),
        Some(Some(mode)) => mode,
        Some(None) => {
            cx.error(&format!("invalid mode '{}'", parsed.value('m').unwrap_or("")));
            return 1;
        }
    };
    let mut code = 0;
    for name in &parsed.operands {
        let path = cx.path(name);
        // Before anything is made: the names of all parents would be as long as the path for each of its levels.
        if path.len() >= PATH_MAX {
            cx.error(&format!("cannot create directory '{name}': {}", Errno::ENAMETOOLONG));
            code = 1;
            continue;
        }
        let wanted: Vec<(String, String)> =
            if parsed.has('p') { prefixes(name, &path) } else { vec![(name.clone(), path)] };
        for (name, path) in wanted {
            let uid = cx.uid();
            match cx.kernel.fs.mkdir(uid, &path, mode, cx.now) {
                Ok(()) if parsed.has('v') => cx.line(&format!("mkdir: created directory '{name}'")),
                Ok(()) => {}
                Err(_)
                    if parsed.has('p')
                        && cx.kernel.fs.stat(uid, &path).is_ok_and(|s| s.kind == FileKind::Dir) => {}
                Err(errno) => {
                    cx.error(&format!("cannot create directory '{name}': {errno}"));
                    code = 1;
                    break;
                }
            }
        }
    }
    code
}

/// Every directory on the path, named like in the argument.
fn prefixes(name: &str, path: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut at = String::new();
    for part in path.split('/').filter(|p| !p.is_empty()) {
        at = format!("{at}/{part}");
        let shown = if name.starts_with('/') || at.len() == path.len() {
            at.clone()
        } else {
            let rest = path.len() - at.len();
            name.trim_end_matches('/')
                .get(..name.trim_end_matches('/').len().saturating_sub(rest))
                .unwrap_or(name)
                .to_owned()
        };
        let shown = if at.len() == path.len() { name.to_owned() } else { shown };
        all.push((shown, at.clone()));
    }
    all
}

/// rmdir(1)
pub fn rmdir(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "pvE",
        long: &[("parents", 'p'), ("verbose", 'v'), ("ignore-fail-on-non-empty", 'E')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.is_empty() {
        return getopt::missing_operand(cx);
    }
    let mut code = 0;
    for name in &parsed.operands {
        let mut name = name.as_str();
        loop {
            let path = cx.path(name);
            if parsed.has('v') {
                cx.line(&format!("rmdir: removing directory, '{name}'"));
            }
            match cx.kernel.fs.rmdir(cx.uid(), &path, cx.now) {
                Ok(()) => {}
                Err(Errno::ENOTEMPTY) if parsed.has('E') => break,
                Err(errno) => {
                    cx.error(&format!("failed to remove '{name}': {errno}"));
                    code = 1;
                    break;
                }
            }
            match name.trim_end_matches('/').rsplit_once('/') {
                Some((parent, _)) if parsed.has('p') && !parent.is_empty() => name = parent,
                Some(_) | None => break,
            }
        }
    }
    code
}

/// touch(1)
pub fn touch(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "acmd:r:t:h",
        long: &[("no-create", 'c'), ("date", 'd'), ("reference", 'r'), ("no-dereference", 'h')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.is_empty() {
        cx.error("missing file operand");
        getopt::try_help(cx);
        return 1;
    }
    let mut when = cx.now;
    if let Some(text) = parsed.value('d') {
        let Some(time) = super::date::parse(text, cx.now) else {
            cx.error(&format!("invalid date format '{text}'"));
            return 1;
        };
        when = time;
    }
    if let Some(reference) = parsed.value('r') {
        match cx.kernel.fs.stat(cx.uid(), &cx.path(reference)) {
            Ok(stat) => when = stat.mtime,
            Err(errno) => {
                cx.error(&format!("failed to get attributes of '{reference}': {errno}"));
                return 1;
            }
        }
    }
    let mut code = 0;
    for name in &parsed.operands {
        let (uid, path) = (cx.uid(), cx.path(name));
        let result = match cx.kernel.fs.stat(uid, &path) {
            // Standard output, whose times do not matter.
            _ if name == "-" => Ok(()),
            Err(Errno::ENOENT) if parsed.has('c') => Ok(()),
            Err(Errno::ENOENT) => {
                let mode = cx.masked(0o666);
                match cx.kernel.fs.create(uid, &path, mode, cx.now) {
                    Ok(_) => cx.kernel.fs.touch(uid, &path, when),
                    Err(errno) => Err(errno),
                }
            }
            Err(errno) => Err(errno),
            Ok(_) => cx.kernel.fs.touch(uid, &path, when).or_else(|errno| {
                // Write permission is enough to set the current time.
                let writes = when == cx.now && cx.kernel.fs.access(uid, &path, Access::Write).is_ok();
                if writes { Ok(()) } else { Err(errno) }
            }),
        };
        if let Err(errno) = result {
            cx.error(&format!("cannot touch '{name}': {errno}"));
            code = 1;
        }
    }
    code
}

/// A mode after a change in chmod(1)'s notation (`755`, `u+x,go-w`, `a=rX`); `None` if the notation is invalid.
#[must_use]
pub fn change_mode(text: &str, old: u32, is_dir: bool, umask: u32) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return u32::from_str_radix(text, 8).ok().filter(|m| *m <= 0o7777);
    }
    let mut mode = old;
    for clause in text.split(',') {
        let start = clause.find(['+', '-', '='])?;
        let (who, mut actions) = clause.split_at(start);
        let mut mask = 0;
        for letter in who.chars() {
            mask |= match letter {
                'u' => 0o4700,
                'g' => 0o2070,
                'o' => 0o1007,
                'a' => 0o7777,
                _ => return None,
            };
        }
        let effective = if who.is_empty() { 0o7777 & !umask } else { mask };
        while let Some(operator) = actions.chars().next() {
            let rest = &actions[1..];
            let end = rest.find(['+', '-', '=']).unwrap_or(rest.len());
            let mut bits = 0;
            for letter in rest[..end].chars() {
                bits |= match letter {
                    'r' => 0o444,
                    'w' => 0o222,
                    'x' => 0o111,
                    'X' if is_dir || mode & 0o111 != 0 => 0o111,
                    'X' => 0,
                    's' => 0o6000,
                    't' => 0o1000,
                    'u' => (mode >> 6 & 7) * 0o111,
                    'g' => (mode >> 3 & 7) * 0o111,
                    'o' => (mode & 7) * 0o111,
                    _ => return None,
                };
            }
            let bits = bits & effective;
            mode = match operator {
                '+' => mode | bits,
                '-' => mode & !bits,
                '=' => mode & !(if who.is_empty() { 0o777 } else { mask & 0o777 }) | bits,
                _ => return None,
            };
            actions = &rest[end..];
        }
    }
    Some(mode)
}

/// chmod(1)
pub fn chmod(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "Rvcfwrx",
        long: &[("recursive", 'R'), ("verbose", 'v'), ("changes", 'c'), ("silent", 'f'), ("quiet", 'f')],
        usage: 1,
    };
    // `-x`, `-w` and `-r` are modes.
    let (mode_args, args): (Vec<String>, Vec<String>) = cx.args().iter().cloned().partition(|a| {
        a.starts_with('-')
            && a.len() > 1
            && a[1..].chars().all(|c| "rwxXst,ugo+-=".contains(c))
            && !a.starts_with("--")
    });
    let mut parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    parsed.operands.splice(0..0, mode_args);
    if parsed.operands.len() < 2 {
        return match parsed.operands.first() {
            None => getopt::missing_operand(cx),
            Some(mode) => {
                cx.error(&format!("missing operand after '{mode}'"));
                getopt::try_help(cx);
                1
            }
        };
    }
    let text = parsed.operands.remove(0);
    if change_mode(&text, 0, false, 0).is_none() {
        cx.error(&format!("invalid mode: '{text}'"));
        getopt::try_help(cx);
        return 1;
    }
    let umask = 0o777 & !cx.masked(0o777);
    let mut todo: Vec<(String, String)> =
        parsed.operands.iter().rev().map(|n| (n.clone(), cx.path(n))).collect();
    let (uid, mut code) = (cx.uid(), 0);
    while let Some((name, path)) = todo.pop() {
        let stat = match cx.kernel.fs.stat(uid, &path) {
            Ok(stat) => stat,
            Err(errno) => {
                cx.error(&format!("cannot access '{name}': {errno}"));
                code = 1;
                continue;
            }
        };
        let mode = change_mode(&text, stat.mode, stat.kind == FileKind::Dir, umask).unwrap_or(stat.mode);
        if let Err(errno) = cx.kernel.fs.chmod(uid, &path, mode) {
            cx.error(&format!("changing permissions of '{name}': {errno}"));
            code = 1;
        } else if parsed.has('v') || parsed.has('c') && mode != stat.mode {
            cx.line(&format!("mode of '{name}' changed from {:04o} to {mode:04o}", stat.mode));
        }
        if parsed.has('R') && stat.kind == FileKind::Dir {
            let names = cx.kernel.fs.list(uid, &path).unwrap_or_default();
            todo.extend(names.iter().rev().map(|n| (format!("{name}/{n}"), format!("{path}/{n}"))));
        }
    }
    code
}

/// ln(1)
pub fn ln(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "sfnvrT",
        long: &[
            ("symbolic", 's'),
            ("force", 'f'),
            ("no-dereference", 'n'),
            ("verbose", 'v'),
            ("relative", 'r'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let uid = cx.uid();
    let is_dir =
        |cx: &Cx, name: &str| cx.kernel.fs.stat(uid, &cx.path(name)).is_ok_and(|s| s.kind == FileKind::Dir);
    let (sources, target) = match parsed.operands.as_slice() {
        [] => return getopt::missing_operand(cx),
        [one] => (std::slice::from_ref(one), ".".to_owned()),
        [sources @ .., last] => (sources, last.clone()),
    };
    let link = cx.kernel.fs.lstat(uid, &cx.path(&target)).is_ok_and(|s| s.kind == FileKind::Link);
    let into = is_dir(cx, &target) && !(parsed.has('n') && link) && !parsed.has('T');
    if sources.len() > 1 && !into {
        cx.error(&format!("target '{target}': {}", Errno::ENOTDIR));
        return 1;
    }
    let mut code = 0;
    for source in sources {
        let name = if into {
            format!("{}/{}", target.trim_end_matches('/'), path::base_name(source))
        } else {
            target.clone()
        };
        let to = cx.path(&name);
        if parsed.has('f') && cx.kernel.fs.lstat(uid, &to).is_ok_and(|s| s.kind != FileKind::Dir) {
            let _ = cx.kernel.fs.unlink(uid, &to, cx.now);
        }
        let (what, result) = if parsed.has('s') {
            ("symbolic ", cx.kernel.fs.symlink(uid, source, &to, cx.now))
        } else if is_dir(cx, source) {
            cx.error(&format!("{source}: hard link not allowed for directory"));
            code = 1;
            continue;
        } else {
            let from = cx.path(source);
            if let Err(errno) = cx.kernel.fs.lstat(uid, &from) {
                cx.error(&format!("failed to access '{source}': {errno}"));
                code = 1;
                continue;
            }
            ("hard ", cx.kernel.fs.link(uid, &from, &to, cx.now))
        };
        match result {
            Ok(()) if parsed.has('v') => cx.line(&format!("'{name}' -> '{source}'")),
            Ok(()) => {}
            Err(errno) => {
                cx.error(&format!("failed to create {what}link '{name}': {errno}"));
                code = 1;
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn modes() {
        for (text, old, expected) in [
            ("755", 0o644, Some(0o755)),
            ("u+x", 0o644, Some(0o744)),
            ("+x", 0o644, Some(0o755)),
            ("go-rwx", 0o755, Some(0o700)),
            ("a=r,u+w", 0o777, Some(0o644)),
            ("g=u", 0o700, Some(0o770)),
            ("z+x", 0, None),
            ("9", 0, None),
        ] {
            assert_eq!(change_mode(text, old, false, 0o022), expected, "{text}");
        }
    }

    #[test]
    fn files_and_directories_are_created() {
        let mut host = Host::default();
        assert_eq!(
            host.out(&["mkdir", "-pv", "a/b"]),
            "mkdir: created directory 'a'\nmkdir: created directory 'a/b'\n"
        );
        assert_eq!(host.run(&["mkdir", "a"]).err, "mkdir: cannot create directory 'a': File exists\n");
        assert_eq!(
            host.run(&["mkdir", "x/y"]).err,
            "mkdir: cannot create directory 'x/y': No such file or directory\n"
        );
        assert_eq!(host.run(&["rmdir", "a"]).err, "rmdir: failed to remove 'a': Directory not empty\n");
        assert_eq!(host.out(&["rmdir", "-p", "a/b"]), "");
        assert_eq!(host.out(&["touch", "-d", "2026-01-02", "f"]), "");
        assert_eq!(host.out(&["ls", "-l", "f"]), "-rw-r--r-- 1 alice alice 0 Jan  2  2026 f\n");
        assert_eq!(host.run(&["touch", "/etc/x"]).err, "touch: cannot touch '/etc/x': Permission denied\n");
        assert_eq!(host.out(&["ln", "-s", "f", "g"]), "");
        assert_eq!(
            host.run(&["ln", "-s", "f", "g"]).err,
            "ln: failed to create symbolic link 'g': File exists\n"
        );
        assert_eq!(
            host.run(&["mkdir"]).err,
            "mkdir: missing operand\nTry 'mkdir --help' for more information.\n"
        );
    }
}
