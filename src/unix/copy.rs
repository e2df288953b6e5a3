//! cp(1), mv(1), rm(1).

use super::getopt::{self, ParsedFlags, Spec};
use crate::Cx;
use host::fs::{Access, FileKind, Stat};
use host::{Errno, path};

/// Maximum depth of directories.
const MAX_DEPTH: u32 = 256;

/// The checked sources and targets of cp and mv: each source with its new path.
fn pairs(cx: &mut Cx, parsed: &ParsedFlags) -> Result<Vec<(String, String)>, u8> {
    let mut operands = parsed.operands.clone();
    let uid = cx.uid();
    let target = match parsed.value('t') {
        Some(target) => target.to_owned(),
        None => match operands.pop() {
            None => {
                cx.error("missing file operand");
                getopt::try_help(cx);
                return Err(1);
            }
            Some(only) if operands.is_empty() => {
                cx.error(&format!("missing destination file operand after '{only}'"));
                getopt::try_help(cx);
                return Err(1);
            }
            Some(target) => target,
        },
    };
    let is_dir = cx.kernel.fs.stat(uid, &cx.path(&target)).is_ok_and(|s| s.kind == FileKind::Dir);
    let into = is_dir && !parsed.has('T');
    if (operands.len() > 1 || parsed.has('t') || target.ends_with('/')) && !into {
        let why = match cx.kernel.fs.stat(uid, &cx.path(&target)) {
            Ok(_) => Errno::ENOTDIR,
            Err(errno) => errno,
        };
        // `mv dir new/` and `cp -r dir new/` are valid.
        let one_dir = operands.len() == 1
            && operands
                .first()
                .is_some_and(|o| cx.kernel.fs.stat(uid, &cx.path(o)).is_ok_and(|s| s.kind == FileKind::Dir));
        if !(one_dir && why == Errno::ENOENT) {
            if operands.len() == 1 && why == Errno::ENOENT && !parsed.has('t') {
                let verb = if cx.name() == "mv" {
                    format!("cannot move '{}' to '{target}'", operands[0])
                } else {
                    format!("cannot create regular file '{target}'")
                };
                cx.error(&format!("{verb}: {}", Errno::ENOTDIR));
            } else {
                cx.error(&format!("target '{target}': {why}"));
            }
            return Err(1);
        }
    }
    let name = |source: &String| {
        let to = if into {
            format!("{}/{}", target.trim_end_matches('/'), path::base_name(source))
        } else {
            target.clone()
        };
        (source.clone(), to)
    };
    Ok(operands.iter().map(name).collect())
}

struct Copier<'o> {
    options: &'o ParsedFlags,
    code: u8,
}

/// cp(1)
pub fn cp(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "rRapvfinudTt:Lls",
        long: &[
            ("recursive", 'r'),
            ("archive", 'a'),
            ("verbose", 'v'),
            ("force", 'f'),
            ("no-clobber", 'n'),
            ("update", 'u'),
            ("target-directory", 't'),
            ("no-target-directory", 'T'),
            ("preserve", 'p'),
            ("interactive", 'i'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let pairs = match pairs(cx, &parsed) {
        Ok(pairs) => pairs,
        Err(code) => return code,
    };
    let mut copier = Copier { options: &parsed, code: 0 };
    for (from, to) in pairs {
        copier.copy(cx, &from, &to, 0);
    }
    copier.code
}

impl Copier<'_> {
    fn has(&self, letter: char) -> bool {
        self.options.has(letter)
    }

    fn fail(&mut self, cx: &mut Cx, text: &str) {
        cx.error(text);
        self.code = 1;
    }

    fn copy(&mut self, cx: &mut Cx, from: &str, to: &str, depth: u32) {
        let (uid, source, target) = (cx.uid(), cx.path(from), cx.path(to));
        let recursive = self.has('r') || self.has('R') || self.has('a');
        let keep_links = (recursive || self.has('d')) && !self.has('L');
        let stat =
            match if keep_links { cx.kernel.fs.lstat(uid, &source) } else { cx.kernel.fs.stat(uid, &source) }
            {
                Ok(stat) => stat,
                Err(errno) => return self.fail(cx, &format!("cannot stat '{from}': {errno}")),
            };
        let existing = cx.kernel.fs.stat(uid, &target);
        if existing.as_ref().is_ok_and(|t| t.ino == stat.ino) {
            return self.fail(cx, &format!("'{from}' and '{to}' are the same file"));
        }
        if stat.kind == FileKind::Dir {
            if !recursive {
                return self.fail(cx, &format!("-r not specified; omitting directory '{from}'"));
            }
            return self.directory(cx, from, to, stat.mode, depth);
        }
        if let Ok(existing) = &existing {
            if existing.kind == FileKind::Dir {
                return self.fail(cx, &format!("cannot overwrite directory '{to}' with non-directory"));
            }
            if self.has('n') || self.has('u') && existing.mtime >= stat.mtime {
                return;
            }
        }
        let result = match stat.kind {
            FileKind::Link => cx.kernel.fs.readlink(uid, &source).and_then(|t| {
                if self.has('f') {
                    let _ = cx.kernel.fs.unlink(uid, &target, cx.now);
                }
                cx.kernel.fs.symlink(uid, &t, &target, cx.now)
            }),
            FileKind::File | FileKind::Dir | FileKind::Program | FileKind::Device => {
                self.content(cx, from, to, stat.mode)
            }
        };
        if let Err(text) = result.map_err(|errno| format!("cannot create regular file '{to}': {errno}")) {
            return self.fail(cx, &text);
        }
        if self.has('p') || self.has('a') {
            let _ = cx.kernel.fs.chmod(uid, &target, stat.mode);
            let _ = cx.kernel.fs.touch(uid, &target, stat.mtime);
        }
        if self.has('v') {
            cx.line(&format!("'{from}' -> '{to}'"));
        }
    }

    fn content(&mut self, cx: &mut Cx, from: &str, to: &str, mode: u32) -> Result<(), Errno> {
        let (uid, source) = (cx.uid(), cx.path(from));
        // Files in /proc have content only when they are read.
        let stored =
            |stat: &Stat| stat.kind == FileKind::File && cx.kernel.proc_text(cx.pid, stat.ino).is_none();
        let regular = cx.kernel.fs.stat(uid, &source).ok().filter(stored);
        let readable = cx.kernel.fs.access(uid, &source, Access::Read);
        let data = match if regular.is_some() {
            readable.map(|()| Default::default())
        } else {
            cx.read_file(from)
        } {
            Ok(data) => data,
            Err(errno) => {
                self.fail(cx, &format!("cannot open '{from}' for reading: {errno}"));
                return Ok(());
            }
        };
        let target = cx.path(to);
        match cx.kernel.fs.stat(uid, &target) {
            Ok(stat) if stat.kind == FileKind::File => {
                let blocked = cx.kernel.fs.access(uid, &target, Access::Write).is_err();
                if blocked && self.has('f') {
                    cx.kernel.fs.unlink(uid, &target, cx.now)?;
                }
            }
            Ok(_) => {
                let data = cx.read_file(from)?;
                return cx.write_file(to, &data);
            }
            Err(_) => {}
        }
        let mode = cx.masked(mode & 0o777);
        let made = cx.kernel.fs.write(uid, &target, &data, mode, cx.now)?;
        match regular {
            Some(stat) => cx.kernel.fs.copy_content(stat.ino, made, cx.now),
            None => Ok(()),
        }
    }

    fn directory(&mut self, cx: &mut Cx, from: &str, to: &str, mode: u32, depth: u32) {
        let (uid, source, target) = (cx.uid(), cx.path(from), cx.path(to));
        if target.starts_with(&format!("{source}/")) {
            return self.fail(cx, &format!("cannot copy a directory, '{from}', into itself, '{to}'"));
        }
        if depth > MAX_DEPTH {
            return self.fail(cx, &format!("cannot access '{from}': {}", Errno::ENAMETOOLONG));
        }
        let names = match cx.kernel.fs.list(uid, &source) {
            Ok(names) => names,
            Err(errno) => return self.fail(cx, &format!("cannot access '{from}': {errno}")),
        };
        match cx.kernel.fs.stat(uid, &target) {
            Ok(stat) if stat.kind == FileKind::Dir => {}
            Ok(_) => {
                return self
                    .fail(cx, &format!("cannot overwrite non-directory '{to}' with directory '{from}'"));
            }
            Err(_) => {
                let mode = cx.masked(mode & 0o777);
                if let Err(errno) = cx.kernel.fs.mkdir(uid, &target, mode | 0o700, cx.now) {
                    return self.fail(cx, &format!("cannot create directory '{to}': {errno}"));
                }
                if self.has('v') {
                    cx.line(&format!("'{from}' -> '{to}'"));
                }
            }
        }
        for name in names {
            let join = |dir: &str| format!("{}/{name}", dir.trim_end_matches('/'));
            self.copy(cx, &join(from), &join(to), depth + 1);
        }
    }
}

/// mv(1)
pub fn mv(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "fivnuTt:",
        long: &[
            ("force", 'f'),
            ("verbose", 'v'),
            ("no-clobber", 'n'),
            ("update", 'u'),
            ("interactive", 'i'),
            ("target-directory", 't'),
            ("no-target-directory", 'T'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let pairs = match pairs(cx, &parsed) {
        Ok(pairs) => pairs,
        Err(code) => return code,
    };
    let mut code = 0;
    for (from, to) in pairs {
        if let Err(text) = rename(cx, &parsed, &from, &to) {
            cx.error(&text);
            code = 1;
        }
    }
    code
}

fn rename(cx: &mut Cx, options: &ParsedFlags, from: &str, to: &str) -> Result<(), String> {
    let (uid, source, target) = (cx.uid(), cx.path(from), cx.path(to));
    let stat = cx.kernel.fs.lstat(uid, &source).map_err(|e| format!("cannot stat '{from}': {e}"))?;
    if source == target {
        return Err(format!("'{from}' and '{to}' are the same file"));
    }
    if target.starts_with(&format!("{source}/")) {
        return Err(format!("cannot move '{from}' to a subdirectory of itself, '{to}'"));
    }
    if let Ok(existing) = cx.kernel.fs.lstat(uid, &target) {
        if options.has('n') || options.has('u') && existing.mtime >= stat.mtime {
            return Ok(());
        }
        match (stat.kind == FileKind::Dir, existing.kind == FileKind::Dir) {
            (false, true) => {
                return Err(format!("cannot overwrite directory '{to}' with non-directory '{from}'"));
            }
            (true, false) => {
                return Err(format!("cannot overwrite non-directory '{to}' with directory '{from}'"));
            }
            (true, true) | (false, false) => {}
        }
    }
    match cx.kernel.fs.rename(uid, &source, &target, cx.now) {
        Err(Errno::EXDEV) => across(cx, from, to)?,
        done => done.map_err(|e| format!("cannot move '{from}' to '{to}': {e}"))?,
    }
    if options.has('v') {
        cx.line(&format!("renamed '{from}' -> '{to}'"));
    }
    Ok(())
}

/// Moves between file systems: copies, then removes.
fn across(cx: &mut Cx, from: &str, to: &str) -> Result<(), String> {
    let options =
        ParsedFlags { options: vec![('a', String::new()), ('f', String::new())], operands: Vec::new() };
    let mut copier = Copier { options: &options, code: 0 };
    copier.copy(cx, from, to, 0);
    if copier.code != 0 {
        return Err(format!("inter-device move failed: '{from}' to '{to}'"));
    }
    let options = ParsedFlags { options: vec![('r', String::new())], operands: Vec::new() };
    Copier { options: &options, code: 0 }.remove(cx, from, 0);
    Ok(())
}

/// rm(1). It never asks: `-i` and `-I` count as answered with no.
pub fn rm(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "rRfvidI",
        long: &[("recursive", 'r'), ("force", 'f'), ("verbose", 'v'), ("dir", 'd'), ("interactive", 'i')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.operands.is_empty() && !parsed.has('f') {
        return getopt::missing_operand(cx);
    }
    let mut remover = Copier { options: &parsed, code: 0 };
    for name in &parsed.operands {
        let last = path::base_name(name);
        if matches!(last, "." | "..") {
            remover.fail(cx, &format!("refusing to remove '.' or '..' directory: skipping '{name}'"));
        } else if cx.path(name) == "/" {
            cx.error("it is dangerous to operate recursively on '/'");
            remover.fail(cx, "use --no-preserve-root to override this failsafe");
        } else {
            remover.remove(cx, name, 0);
        }
    }
    remover.code
}

impl Copier<'_> {
    fn remove(&mut self, cx: &mut Cx, name: &str, depth: u32) {
        let (uid, path) = (cx.uid(), cx.path(name));
        let stat = match cx.kernel.fs.lstat(uid, &path) {
            Ok(stat) => stat,
            Err(Errno::ENOENT) if self.has('f') => return,
            Err(errno) => return self.fail(cx, &format!("cannot remove '{name}': {errno}")),
        };
        let recursive = self.has('r') || self.has('R');
        if stat.kind != FileKind::Dir {
            return match cx.kernel.fs.unlink(uid, &path, cx.now) {
                Ok(()) if self.has('v') => cx.line(&format!("removed '{name}'")),
                Ok(()) => {}
                Err(errno) => self.fail(cx, &format!("cannot remove '{name}': {errno}")),
            };
        }
        if !recursive && !self.has('d') {
            return self.fail(cx, &format!("cannot remove '{name}': {}", Errno::EISDIR));
        }
        if recursive && depth < MAX_DEPTH {
            let inner = cx.kernel.fs.list(uid, &path).unwrap_or_default();
            let before = self.code;
            self.code = 0;
            for entry in inner {
                self.remove(cx, &format!("{}/{entry}", name.trim_end_matches('/')), depth + 1);
            }
            let failed = self.code != 0;
            self.code = self.code.max(before);
            if failed {
                return;
            }
        }
        match cx.kernel.fs.rmdir(uid, &path, cx.now) {
            Ok(()) if self.has('v') => cx.line(&format!("removed directory '{name}'")),
            Ok(()) => {}
            Err(errno) => self.fail(cx, &format!("cannot remove '{name}': {errno}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn copies_moves_removes() {
        let mut host = Host::with(&[("a", "A"), ("b", "B")]);
        host.out(&["mkdir", "d"]);
        assert_eq!(host.out(&["cp", "-v", "a", "b", "d"]), "'a' -> 'd/a'\n'b' -> 'd/b'\n");
        assert_eq!(host.run(&["cp", "d", "e"]).err, "cp: -r not specified; omitting directory 'd'\n");
        assert_eq!(host.out(&["cp", "-r", "d", "e"]), "");
        assert_eq!(host.cat("e/b"), "B");
        assert_eq!(host.run(&["cp", "a", "a"]).err, "cp: 'a' and 'a' are the same file\n");
        assert_eq!(host.run(&["cp", "nope", "x"]).err, "cp: cannot stat 'nope': No such file or directory\n");
        assert_eq!(host.run(&["cp", "a", "b", "x"]).err, "cp: target 'x': No such file or directory\n");
        assert_eq!(host.out(&["mv", "-v", "a", "e/"]), "renamed 'a' -> 'e/a'\n");
        assert_eq!(
            host.run(&["mv", "e", "e/f"]).err,
            "mv: cannot move 'e' to a subdirectory of itself, 'e/f'\n"
        );
        assert_eq!(host.run(&["rm", "e"]).err, "rm: cannot remove 'e': Is a directory\n");
        assert_eq!(
            host.out(&["rm", "-rfv", "e", "nope"]),
            "removed 'e/a'\nremoved 'e/b'\nremoved directory 'e'\n"
        );
        assert_eq!(host.out(&["ls"]), "b\nd\n");
        assert_eq!(host.run(&["rm", "/etc/passwd"]).code, 1);
    }
}
