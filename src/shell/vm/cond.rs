//! The tests of `[[` and `test`.

use super::{Res, Vm};
use crate::ShellContext;
use crate::options::{Bit as _, Flag, Shopt};
use crate::pattern::{MARK, Pattern, unmarked};
use crate::vars::{ShellVar, VarRef, VarValue};
use base::ids::Uid;
use base::regex::{Flags, Regex, Syntax};
use host::fs::{Access, FileKind, Stat};
use host::kernel::own_descriptor;
use host::path::join;
use std::cmp::Ordering;

impl Vm {
    pub(super) fn cond_unary(&mut self, cx: &mut ShellContext, operator: &str) {
        let text = self.pop_text();
        if self.flag(Flag::Xtrace) {
            let shown = if text.is_empty() { "''" } else { &text };
            self.trace(cx, &format!("[[ {operator} {shown} ]]"));
        }
        self.status = u8::from(!self.test_unary(cx, operator, &text));
    }

    pub(super) fn cond_binary(&mut self, cx: &mut ShellContext, operator: &str) -> Res<()> {
        let right = self.pop_text();
        let left = self.pop_text();
        if self.flag(Flag::Xtrace) {
            // Quoted characters of a pattern get backslashes.
            let right = right.replace(MARK, "\\");
            let [left, right] =
                [&unmarked(&left), &right].map(|t| if t.is_empty() { "''".to_owned() } else { t.clone() });
            self.trace(cx, &format!("[[ {left} {operator} {right} ]]"));
        }
        let fold = self.shopt(Shopt::Nocasematch);
        self.status = match operator {
            "==" | "=" => u8::from(!Pattern::new(&right, true, fold).matches(&left)),
            "!=" => u8::from(Pattern::new(&right, true, fold).matches(&left)),
            "=~" => self.regex(&left, &right),
            "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
                let values = (self.arithmetic_value(cx, &left), self.arithmetic_value(cx, &right));
                match values {
                    (Ok(a), Ok(b)) => u8::from(!compare(operator, a.cmp(&b))),
                    (Err(message), _) | (_, Err(message)) => {
                        self.complain(&format!("[[: {message}"));
                        1
                    }
                }
            }
            _ => u8::from(!self.test_binary(cx, operator, &left, &right)),
        };
        Ok(())
    }

    /// `=~`: sets `BASH_REMATCH`.
    fn regex(&mut self, text: &str, pattern: &str) -> u8 {
        let flags = Flags { icase: self.shopt(Shopt::Nocasematch), lines: false };
        let Ok(regex) = Regex::new(&as_regex(pattern), Syntax::Posix, flags) else { return 2 };
        let part = |range: (usize, usize)| text.get(range.0..range.1).unwrap_or_default().to_owned();
        let found = regex.groups_at(text, 0).unwrap_or_default();
        let groups: Vec<String> = found.iter().map(|g| g.map_or_else(String::new, part)).collect();
        let status = u8::from(groups.is_empty());
        let list = (0_i64..).zip(groups).collect();
        *self.vars.raw_entry("BASH_REMATCH") =
            ShellVar { value: VarValue::List(list), ..ShellVar::default() };
        status
    }

    fn stat(cx: &ShellContext, text: &str, follow: bool) -> Option<Stat> {
        if let Some(fd) = own_descriptor(text).filter(|_| text.starts_with("/dev/fd/")) {
            // An open descriptor counts as the file it refers to.
            let open = cx.kernel.fds(cx.pid).contains(&fd);
            return open.then(|| cx.kernel.fs.stat(Uid(0), "/dev/null").ok()).flatten();
        }
        let process = cx.kernel.process(cx.pid)?;
        let (uid, path) = (process.origin.uid, join(&process.cwd, text));
        if follow { cx.kernel.fs.stat(uid, &path).ok() } else { cx.kernel.fs.lstat(uid, &path).ok() }
    }

    fn may(cx: &ShellContext, text: &str, access: Access) -> bool {
        cx.kernel
            .process(cx.pid)
            .is_some_and(|p| cx.kernel.fs.access(p.origin.uid, &join(&p.cwd, text), access).is_ok())
    }

    /// Evaluates unary tests such as `-f file`.
    pub(crate) fn test_unary(&mut self, cx: &mut ShellContext, operator: &str, text: &str) -> bool {
        let kind = |kind: FileKind| Self::stat(cx, text, true).is_some_and(|s| s.kind == kind);
        match operator {
            "-n" => !text.is_empty(),
            "-z" => text.is_empty(),
            "-e" | "-a" => Self::stat(cx, text, true).is_some(),
            "-f" => kind(FileKind::File) || kind(FileKind::Program),
            "-d" => kind(FileKind::Dir),
            "-c" => kind(FileKind::Device),
            "-L" | "-h" => Self::stat(cx, text, false).is_some_and(|s| s.kind == FileKind::Link),
            "-p" => own_descriptor(text).is_some_and(|fd| cx.kernel.is_pipe(cx.pid, fd)),
            "-k" => Self::stat(cx, text, true).is_some_and(|s| s.mode & 0o1000 != 0),
            "-g" => Self::stat(cx, text, true).is_some_and(|s| s.mode & 0o2000 != 0),
            "-u" => Self::stat(cx, text, true).is_some_and(|s| s.mode & 0o4000 != 0),
            "-s" => Self::stat(cx, text, true).is_some_and(|s| s.size > 0),
            "-r" => Self::may(cx, text, Access::Read),
            "-w" => Self::may(cx, text, Access::Write),
            "-x" => Self::may(cx, text, Access::Exec),
            "-O" | "-G" => {
                let uid = cx.kernel.process(cx.pid).map(|p| p.origin.uid);
                Self::stat(cx, text, true).is_some_and(|s| Some(s.uid) == uid)
            }
            "-N" => false,
            "-t" => text.trim().parse().is_ok_and(|fd| cx.kernel.fd_tty(cx.pid, fd).is_some()),
            "-v" => {
                let parameter = crate::expand::parse_parameter(text);
                let found = self.find(cx, &parameter);
                matches!(found, Ok(crate::expand::ParamValue::One(_)))
                    || matches!(found, Ok(crate::expand::ParamValue::Many(list)) if !list.is_empty())
            }
            "-R" => self.vars.raw(text).and_then(VarRef::own).is_some_and(|v| v.reference),
            "-o" => Flag::named(text).is_some_and(|flag| self.flag(flag)),
            _ => false,
        }
    }

    /// Evaluates binary tests of texts or files, but not of numbers.
    pub(crate) fn test_binary(&mut self, cx: &mut ShellContext, operator: &str, a: &str, b: &str) -> bool {
        let times = || (Self::stat(cx, a, true).map(|s| s.mtime), Self::stat(cx, b, true).map(|s| s.mtime));
        match operator {
            "=" | "==" => a == b,
            "!=" => a != b,
            "<" => a < b,
            ">" => a > b,
            "-nt" => times().0 > times().1,
            "-ot" => times().0 < times().1,
            "-ef" => {
                let inodes = (Self::stat(cx, a, true), Self::stat(cx, b, true));
                matches!(inodes, (Some(a), Some(b)) if a.ino == b.ino)
            }
            _ => false,
        }
    }
}

/// Converts a marked text to a regular expression; quoted characters are literal.
fn as_regex(marked: &str) -> String {
    let (mut source, mut chars, mut in_set) = (String::new(), marked.chars(), false);
    while let Some(c) = chars.next() {
        if c == MARK {
            let Some(literal) = chars.next() else { break };
            // In a bracket expression a backslash is literal; `\<` and similar have a special meaning.
            if !in_set && "\\.[]*^$+?(){}|".contains(literal) {
                source.push('\\');
            }
            source.push(literal);
            continue;
        }
        in_set = if in_set { c != ']' } else { c == '[' };
        source.push(c);
    }
    source
}

/// Whether an ordering satisfies `-lt` and similar operators.
pub(crate) fn compare(operator: &str, ordering: Ordering) -> bool {
    match operator {
        "-eq" => ordering == Ordering::Equal,
        "-ne" => ordering != Ordering::Equal,
        "-lt" => ordering == Ordering::Less,
        "-le" => ordering != Ordering::Greater,
        "-gt" => ordering == Ordering::Greater,
        _ => ordering != Ordering::Less,
    }
}
