//! ls(1): names in the order of the C locale, several columns on a terminal, `-l` with each user's group.

use super::format::human;
use super::getopt::{self, ParsedFlags, Spec};
use crate::{Cx, STDOUT};
use base::order::StableSort as _;
use base::pad;
use base::time::{Span, Time};
use base::width::text_width;
use host::fs::{FileKind, Stat};
use host::{Errno, path};

const SPEC: Spec = Spec {
    short: "lahAF1tSrRdinGgopqQNsXUcukmxCvBLHIPTZhwWy:",
    long: &[
        ("all", 'a'),
        ("almost-all", 'A'),
        ("directory", 'd'),
        ("human-readable", 'h'),
        ("inode", 'i'),
        ("numeric-uid-gid", 'n'),
        ("reverse", 'r'),
        ("recursive", 'R'),
        ("classify", 'F'),
        ("size", 's'),
        ("color", 'Z'),
        ("group-directories-first", 'P'),
        ("full-time", 'T'),
        ("time-style", 'y'),
    ],
    usage: 2,
};

/// A name to print.
struct LsEntry {
    name: String,
    path: String,
    stat: Stat,
}

fn is_style(style: &str) -> bool {
    let name = style.strip_prefix("posix-").unwrap_or(style);
    style.starts_with('+') || matches!(name, "full-iso" | "long-iso" | "iso" | "locale")
}

/// A time in the given `--time-style`. In the C locale, `posix-` styles are those of the locale.
fn styled(style: &str, time: Time, now: Time) -> String {
    let recent = is_recent(time, now);
    match style {
        "full-iso" => time.strftime("%Y-%m-%d %H:%M:%S.%6f000 +0000"),
        "long-iso" => time.strftime("%Y-%m-%d %H:%M"),
        "iso" if recent => time.strftime("%m-%d %H:%M"),
        "iso" => time.strftime("%Y-%m-%d "),
        _ => {
            match style.strip_prefix('+').map(|format| format.split_once('\n').unwrap_or((format, format))) {
                Some((old, new)) => base::strftime::strftime(time, if recent { new } else { old }),
                None => date(time, now),
            }
        }
    }
}

/// The options, and the entries found so far.
struct Ls {
    options: ParsedFlags,
    tty: bool,
    width: usize,
    code: u8,
    printed: bool,
}

/// ls(1)
pub fn ls(cx: &mut Cx) -> u8 {
    let args: Vec<String> = cx.args().iter().filter(|a| !a.starts_with("--color")).cloned().collect();
    let options = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let terminal = cx.kernel.fd_tty(cx.pid, STDOUT).and_then(|t| cx.kernel.tty(t));
    let width = terminal.map_or(80, |t| usize::from(t.columns).max(1));
    let mut ls = Ls { tty: terminal.is_some(), options, width, code: 0, printed: false };
    if let Some(style) = ls.options.value('y')
        && !is_style(style)
    {
        cx.error(&format!("invalid argument '{style}' for 'time style'"));
        let known =
            ["full-iso", "long-iso", "iso", "locale", "+FORMAT (e.g., +%H:%M) for a 'date'-style format"];
        cx.complain("Valid arguments are:");
        known.iter().for_each(|known| cx.complain(&format!("  - [posix-]{known}").replace("[posix-]+", "+")));
        getopt::try_help(cx);
        return 2;
    }
    ls.operands(cx);
    ls.code
}

impl Ls {
    fn has(&self, letter: char) -> bool {
        self.options.has(letter)
    }

    fn long(&self) -> bool {
        "lgnoT".chars().any(|l| self.has(l))
    }

    fn complain(&mut self, cx: &mut Cx, text: &str, code: u8) {
        cx.error(text);
        self.code = self.code.max(code);
    }

    fn operands(&mut self, cx: &mut Cx) {
        let names =
            if self.options.operands.is_empty() { vec![".".into()] } else { self.options.operands.clone() };
        let (mut files, mut dirs) = (Vec::new(), Vec::new());
        let follow = !self.long() && !self.has('d') && !self.has('F');
        for name in names {
            let path = cx.path(&name);
            let uid = cx.uid();
            let mut stat = if name.is_empty() { Err(Errno::ENOENT) } else { cx.kernel.fs.lstat(uid, &path) };
            if name.ends_with('/') && stat.as_ref().is_ok_and(|s| s.kind == FileKind::File) {
                stat = Err(Errno::ENOTDIR);
            }
            if stat.as_ref().is_ok_and(|s| s.kind == FileKind::Link) && (follow || name.ends_with('/')) {
                stat = cx.kernel.fs.stat(uid, &path).or(stat);
            }
            match stat {
                Ok(stat) => {
                    let is_dir = stat.kind == FileKind::Dir && !self.has('d');
                    if is_dir { &mut dirs } else { &mut files }.push(LsEntry { name, path, stat });
                }
                Err(errno) => self.complain(cx, &format!("cannot access '{name}': {errno}"), 2),
            }
        }
        self.sort(&mut files);
        self.sort(&mut dirs);
        let titles = self.options.operands.len() > 1 || self.has('R');
        if !files.is_empty() {
            self.show(cx, &files);
            self.printed = true;
        }
        for dir in dirs {
            self.directory(cx, &dir, titles, 0);
        }
    }

    fn directory(&mut self, cx: &mut Cx, dir: &LsEntry, title: bool, depth: u32) {
        let uid = cx.uid();
        let names = match cx.kernel.fs.list(uid, &dir.path) {
            Ok(names) => names,
            Err(errno) => {
                let code = if depth == 0 { 2 } else { 1 };
                return self.complain(cx, &format!("cannot open directory '{}': {errno}", dir.name), code);
            }
        };
        if title {
            let gap = if self.printed { "\n" } else { "" };
            cx.print(&format!("{gap}{}:\n", self.quoted(&dir.name)));
        }
        self.printed = true;
        let mut wanted: Vec<String> = Vec::new();
        if self.has('a') {
            wanted.extend([".".to_owned(), "..".to_owned()]);
        }
        let hidden = self.has('a') || self.has('A');
        wanted.extend(names.into_iter().filter(|n| hidden || !n.starts_with('.')));
        let mut entries = Vec::new();
        for name in wanted {
            let path = path::resolve(&dir.path, &name);
            match cx.kernel.fs.lstat(uid, &path) {
                Ok(stat) => entries.push(LsEntry { name, path, stat }),
                Err(errno) => self.complain(cx, &format!("cannot access '{}/{name}': {errno}", dir.name), 1),
            }
        }
        self.sort(&mut entries);
        if self.long() || self.has('s') {
            let total: u64 = entries.iter().map(|e| blocks(&e.stat)).sum();
            let total = if self.has('h') { human(total * 1024) } else { total.to_string() };
            cx.line(&format!("total {total}"));
        }
        self.show(cx, &entries);
        if self.has('R') && depth < 64 {
            for entry in entries {
                if entry.stat.kind == FileKind::Dir && entry.name != "." && entry.name != ".." {
                    let name = format!("{}/{}", dir.name.trim_end_matches('/'), entry.name);
                    self.directory(cx, &LsEntry { name, ..entry }, true, depth + 1);
                }
            }
        }
    }

    fn sort(&self, entries: &mut [LsEntry]) {
        if self.has('U') {
            return;
        }
        entries.order_by(|a, b| a.name.cmp(&b.name));
        match self.options.last_of("tSXv") {
            Some('t') => entries.order_by_key(|e| std::cmp::Reverse(e.stat.mtime)),
            Some('S') => entries.order_by_key(|e| std::cmp::Reverse(size(&e.stat))),
            Some('X') => entries.order_by_key(|e| e.name.rsplit_once('.').map(|(_, x)| x.to_owned())),
            Some('v') => {
                entries.order_by(|a, b| super::sort::version_order(a.name.as_bytes(), b.name.as_bytes()))
            }
            Some(_) | None => {}
        }
        if self.has('r') {
            entries.reverse();
        }
        if self.has('P') {
            entries.order_by_key(|e| e.stat.kind != FileKind::Dir);
        }
    }

    fn quoted(&self, name: &str) -> String {
        if self.tty && !self.has('N') || self.has('Q') { super::print::quote(name) } else { name.to_owned() }
    }

    fn label(&self, entry: &LsEntry) -> String {
        let mut text = String::new();
        if self.has('i') && !self.long() {
            text = format!("{} ", entry.stat.ino.0);
        }
        if self.has('s') {
            text += &format!("{} ", blocks(&entry.stat));
        }
        text += &self.quoted(&entry.name);
        let mark = match entry.stat.kind {
            FileKind::Dir if self.has('F') || self.has('p') => "/",
            FileKind::Link if self.has('F') && !self.long() => "@",
            FileKind::File | FileKind::Program if self.has('F') && entry.stat.mode & 0o111 != 0 => "*",
            FileKind::Dir | FileKind::Link | FileKind::File | FileKind::Program | FileKind::Device => "",
        };
        text + mark
    }

    fn show(&self, cx: &mut Cx, entries: &[LsEntry]) {
        if self.long() {
            return self.show_long(cx, entries);
        }
        let labels: Vec<String> = entries.iter().map(|e| self.label(e)).collect();
        let columns = self.has('C') || self.has('x') || self.tty && !self.has('1');
        if self.has('m') && !labels.is_empty() {
            cx.line(&labels.join(", "));
        } else if columns && !self.has('1') {
            cx.print(&in_columns(&labels, self.width, self.has('x')));
        } else {
            labels.iter().for_each(|label| cx.line(label));
        }
    }

    fn show_long(&self, cx: &mut Cx, entries: &[LsEntry]) {
        let owner = |cx: &Cx, e: &LsEntry| {
            if self.has('n') { e.stat.uid.to_string() } else { cx.kernel.users.name(e.stat.uid) }
        };
        let rows: Vec<[String; 4]> = entries
            .iter()
            .map(|e| {
                let bytes = size(&e.stat);
                let bytes = if self.has('h') { human(bytes) } else { bytes.to_string() };
                let group = if self.has('n') {
                    e.stat.gid.to_string()
                } else {
                    cx.kernel.users.group_name(e.stat.gid)
                };
                [cx.kernel.fs.links(&e.stat).to_string(), owner(cx, e), group, bytes]
            })
            .collect();
        let width = |i: usize| rows.iter().map(|r| r[i].len()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2), width(3)];
        let inode = entries.iter().map(|e| e.stat.ino.0.to_string().len()).max().unwrap_or(0);
        for (entry, [links, owner, group, bytes]) in entries.iter().zip(&rows) {
            let mut line = String::new();
            if self.has('i') {
                line += &(pad::right(entry.stat.ino.0, inode) + " ");
            }
            line += &format!("{} {} ", mode_text(&entry.stat), pad::right(links, widths[0]));
            if !self.has('g') {
                line += &(pad::left(owner, widths[1]) + " ");
            }
            if !self.has('o') && !self.has('G') {
                line += &(pad::left(group, widths[2]) + " ");
            }
            let style = if self.has('T') { "full-iso" } else { self.options.value('y').unwrap_or("locale") };
            let date = styled(style, entry.stat.mtime, cx.now);
            line += &format!("{} {date} {}", pad::right(bytes, widths[3]), self.label(entry));
            if entry.stat.kind == FileKind::Link
                && let Ok(target) = cx.kernel.fs.readlink(cx.uid(), &entry.path)
            {
                line += &format!(" -> {}", self.quoted(&target));
            }
            cx.line(&line);
        }
    }
}

/// Size as `ls -l` shows it; directories take a block.
#[must_use]
pub fn size(stat: &Stat) -> u64 {
    match stat.kind {
        FileKind::Dir => stat.size.max(4096),
        FileKind::File | FileKind::Link | FileKind::Program => stat.size,
        FileKind::Device => 0,
    }
}

/// Disk space in KiB.
#[must_use]
pub fn blocks(stat: &Stat) -> u64 {
    match stat.kind {
        FileKind::Program => size(stat).div_ceil(4096) * 4,
        FileKind::Dir | FileKind::File | FileKind::Link | FileKind::Device => stat.disk / 1024,
    }
}

/// `drwxr-xr-x`
#[must_use]
pub fn mode_text(stat: &Stat) -> String {
    let mut text: Vec<char> = vec![match stat.kind {
        FileKind::Dir => 'd',
        FileKind::Link => 'l',
        FileKind::Device => 'c',
        FileKind::File | FileKind::Program => '-',
    }];
    let mode = if stat.kind == FileKind::Link { 0o777 } else { stat.mode };
    for shift in [6, 3, 0] {
        for (bit, letter) in [(4, 'r'), (2, 'w'), (1, 'x')] {
            text.push(if mode >> shift & bit != 0 { letter } else { '-' });
        }
    }
    for (bit, at, with, without) in [(0o4000, 3, 's', 'S'), (0o2000, 6, 's', 'S'), (0o1000, 9, 't', 'T')] {
        if mode & bit != 0 {
            text[at] = if text[at] == 'x' { with } else { without };
        }
    }
    text.into_iter().collect()
}

/// `Nov 21 05:54`, or with the year if it is more than half a year away.
fn date(mtime: Time, now: Time) -> String {
    mtime.strftime(if is_recent(mtime, now) { "%b %e %H:%M" } else { "%b %e  %Y" })
}

/// Whether a time is at most half a year ago.
fn is_recent(mtime: Time, now: Time) -> bool {
    let half_a_year = Span::from_secs(31_556_952 / 2);
    mtime <= now && mtime > now - half_a_year
}

/// As many columns as fit, filled column by column (or row by row).
#[must_use]
pub fn in_columns(labels: &[String], width: usize, across: bool) -> String {
    let count = labels.len();
    let lengths: Vec<usize> = labels.iter().map(|l| text_width(l)).collect();
    let column_of = |i: usize, rows: usize, columns: usize| if across { i % columns } else { i / rows };
    for columns in (1..=count.min(width / 3 + 1)).rev() {
        let rows = count.div_ceil(columns);
        let mut widths = vec![0; columns];
        for (i, length) in lengths.iter().enumerate() {
            let column = column_of(i, rows, columns);
            let gap = if column + 1 == columns { 0 } else { 2 };
            widths[column] = widths[column].max(length + gap);
        }
        if columns > 1 && widths.iter().sum::<usize>() >= width {
            continue;
        }
        let mut text = String::new();
        for row in 0..rows {
            let mut line = String::new();
            let mut padding = 0;
            for (column, width) in widths.iter().enumerate() {
                let i = if across { row * columns + column } else { column * rows + row };
                let Some(label) = labels.get(i) else { break };
                line.extend(std::iter::repeat_n(' ', padding));
                line += label;
                padding = width.saturating_sub(text_width(label));
            }
            text += &line;
            text.push('\n');
        }
        return text;
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn listings() {
        let mut host = Host::with(&[("b.txt", "hello"), ("a.sh", "x"), (".hidden", ""), ("Z", "")]);
        host.out(&["mkdir", "dir"]);
        host.out(&["ln", "-s", "b.txt", "link"]);
        host.out(&["chmod", "+x", "a.sh"]);
        assert_eq!(host.out(&["ls"]), "Z\na.sh\nb.txt\ndir\nlink\n");
        assert_eq!(host.out(&["ls", "-A", "-r"]), "link\ndir\nb.txt\na.sh\nZ\n.hidden\n");
        assert_eq!(host.out(&["ls", "-F"]), "Z\na.sh*\nb.txt\ndir/\nlink@\n");
        assert_eq!(
            host.out(&["ls", "-l"]),
            "total 12\n-rw-r--r-- 1 alice alice    0 Nov 21 05:54 Z\n-rwxr-xr-x 1 alice alice    1 Nov 21 05:54 a.sh\n\
             -rw-r--r-- 1 alice alice    5 Nov 21 05:54 b.txt\ndrwxr-xr-x 2 alice alice 4096 Nov 21 05:54 dir\n\
             lrwxrwxrwx 1 alice alice    5 Nov 21 05:54 link -> b.txt\n"
        );
        assert_eq!(host.out(&["ls", "-S", "-1"]).lines().next(), Some("dir"));
        let ran = host.run(&["ls", "nope", "Z", "dir"]);
        assert_eq!(ran.err, "ls: cannot access 'nope': No such file or directory\n");
        assert_eq!((ran.out.as_str(), ran.code), ("Z\n\ndir:\n", 2));
        assert_eq!(
            host.run(&["ls", "--foo"]).err,
            "ls: unrecognized option '--foo'\nTry 'ls --help' for more information.\n"
        );
        assert_eq!(host.out(&["ls", "-d", "dir"]), "dir\n");
    }

    #[test]
    fn columns() {
        let names: Vec<String> = (1..=12).map(|n| format!("file{n}")).collect();
        assert_eq!(
            in_columns(&names, 40, false),
            "file1  file4  file7  file10\nfile2  file5  file8  file11\nfile3  file6  file9  file12\n"
        );
    }
}
