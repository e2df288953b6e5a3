//! stat(1), file(1), realpath(1), readlink(1), mktemp(1): information about files and paths.

use super::getopt::{self, Spec};
use super::ls::{blocks, mode_text, size};
use crate::Cx;
use base::hash::fnv1a;
use host::fs::{FileKind, Stat};
use host::{Errno, path};

fn kind_text(stat: &Stat) -> &'static str {
    match stat.kind {
        FileKind::Dir => "directory",
        FileKind::Link => "symbolic link",
        FileKind::Device => "character special file",
        FileKind::File if stat.size == 0 => "regular empty file",
        FileKind::File | FileKind::Program => "regular file",
    }
}

/// stat(1), with `-c` and `-L`.
pub fn stat(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "c:Lft",
        long: &[("format", 'c'), ("printf", 'c'), ("dereference", 'L'), ("file-system", 'f'), ("terse", 't')],
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
        let (uid, path) = (cx.uid(), cx.path(name));
        let found =
            if parsed.has('L') { cx.kernel.fs.stat(uid, &path) } else { cx.kernel.fs.lstat(uid, &path) };
        let stat = match found {
            Ok(stat) => stat,
            Err(errno) => {
                cx.error(&format!("cannot stat '{name}': {errno}"));
                code = 1;
                continue;
            }
        };
        let format = parsed.value('c').unwrap_or(
            "  File: %N\n  Size: %s\tBlocks: %b\tIO Block: 4096   %F\nDevice: 0,1\tInode: %i\tLinks: %h\n\
             Access: (0%a/%A)  Uid: (%u/%U)   Gid: (%g/%G)\nAccess: %y\nModify: %y\nChange: %y\n Birth: -",
        );
        let text = stat_format(cx, format, name, &stat);
        cx.line(&text);
    }
    code
}

fn stat_format(cx: &Cx, format: &str, name: &str, stat: &Stat) -> String {
    let (owner, group) = (cx.kernel.users.name(stat.uid), cx.kernel.users.group_name(stat.gid));
    let mut out = String::new();
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        out += &match rest.next() {
            Some('n') => name.to_owned(),
            Some('N') => match cx.kernel.fs.readlink(cx.uid(), &cx.path(name)) {
                Ok(target) if stat.kind == FileKind::Link => format!("'{name}' -> '{target}'"),
                Ok(_) | Err(_) => name.to_owned(),
            },
            Some('s') => size(stat).to_string(),
            Some('b') => (blocks(stat) * 2).to_string(),
            Some('B') => "512".into(),
            Some('F') => kind_text(stat).into(),
            Some('a') => format!("{:o}", stat.mode & 0o7777),
            Some('A') => mode_text(stat),
            Some('i') => stat.ino.0.to_string(),
            Some('h') => cx.kernel.fs.links(stat).to_string(),
            Some('u') => stat.uid.to_string(),
            Some('g') => stat.gid.to_string(),
            Some('U') => owner.clone(),
            Some('G') => group.clone(),
            Some('d') => stat.volume.to_string(),
            Some('m') => cx.kernel.fs.volume(stat.volume).map_or("/", |v| v.what.path.as_str()).to_owned(),
            Some('x' | 'y' | 'z') => base::strftime::strftime(stat.mtime, "%F %T.%N +0000"),
            Some('X' | 'Y' | 'Z') => stat.mtime.secs().to_string(),
            Some('w' | 'W') => "-".into(),
            Some('%') => "%".into(),
            Some(other) => format!("?{other}"),
            None => "%".into(),
        };
    }
    out
}

/// file(1), for scripts and typical results.
pub fn file(cx: &mut Cx) -> u8 {
    let args = cx.args().to_vec();
    let brief = args.iter().any(|a| a == "-b");
    let names: Vec<&String> = args.iter().filter(|a| !a.starts_with('-')).collect();
    if names.is_empty() {
        cx.complain("Usage: file [-b] [file ...]");
        return 1;
    }
    for name in names {
        let text = describe(cx, name);
        cx.line(&if brief { text } else { format!("{name}: {text}") });
    }
    0
}

fn describe(cx: &mut Cx, name: &str) -> String {
    let (uid, path) = (cx.uid(), cx.path(name));
    let stat = match cx.kernel.fs.lstat(uid, &path) {
        Ok(stat) => stat,
        Err(errno) => return format!("cannot open `{name}' ({errno})"),
    };
    match stat.kind {
        FileKind::Dir => return "directory".into(),
        FileKind::Link => {
            let target = cx.kernel.fs.readlink(uid, &path).unwrap_or_default();
            return format!("symbolic link to {target}");
        }
        FileKind::Program => return "ELF 64-bit LSB executable, x86-64 (simulated)".into(),
        FileKind::Device => return "character special".into(),
        FileKind::File => {}
    }
    let data = match cx.read_file(name) {
        Ok(data) if data.is_empty() => return "empty".into(),
        Ok(data) => data,
        Err(errno) => return format!("regular file, no read permission ({errno})"),
    };
    if let Some(kind) = super::gzip::kind(&data) {
        return kind.into();
    }
    let encoding = if data.is_ascii() {
        "ASCII text"
    } else if std::str::from_utf8(&data).is_ok() {
        "UTF-8 Unicode text"
    } else {
        return "data".into();
    };
    if data.contains(&0) {
        return "data".into();
    }
    match data.strip_prefix(b"#!").map(|d| d.split(|b| *b == b'\n').next().unwrap_or_default()) {
        Some(line) if line.ends_with(b"bash") => format!("Bourne-Again shell script, {encoding} executable"),
        Some(line) if line.ends_with(b"/sh") => format!("POSIX shell script, {encoding} executable"),
        Some(line) if line.windows(6).any(|w| w == b"python") => {
            format!("Python script, {encoding} executable")
        }
        Some(_) => format!("script, {encoding} executable"),
        None => encoding.into(),
    }
}

/// realpath(1)
pub fn realpath(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "emsqz",
        long: &[("canonicalize-existing", 'e'), ("canonicalize-missing", 'm'), ("no-symlinks", 's')],
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
        match resolve(cx, name, parsed.has('e'), parsed.has('m') || parsed.has('s')) {
            Ok(path) => cx.line(&path),
            Err(errno) => {
                cx.error(&format!("{name}: {errno}"));
                code = 1;
            }
        }
    }
    code
}

/// The canonical path. The last component may be missing, or with `all` every component.
fn resolve(cx: &Cx, name: &str, all: bool, none: bool) -> Result<String, Errno> {
    let (uid, path) = (cx.uid(), cx.path(name));
    match cx.kernel.fs.real_path(uid, &path) {
        Ok(real) => Ok(real),
        Err(Errno::ENOENT) if none => Ok(path),
        Err(Errno::ENOENT) if !all => {
            let parent = cx.kernel.fs.real_path(uid, path::parent(&path))?;
            Ok(path::resolve(&parent, path::base_name(&path)))
        }
        Err(errno) => Err(errno),
    }
}

/// readlink(1)
pub fn readlink(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "femnqsv",
        long: &[("canonicalize", 'f'), ("no-newline", 'n'), ("verbose", 'v')],
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
        let result = if parsed.has('f') || parsed.has('e') || parsed.has('m') {
            resolve(cx, name, parsed.has('e'), parsed.has('m'))
        } else {
            cx.kernel.fs.readlink(cx.uid(), &cx.path(name))
        };
        match result {
            Ok(text) if parsed.has('n') => cx.print(&text),
            Ok(text) => cx.line(&text),
            Err(errno) => {
                if parsed.has('v') {
                    cx.error(&format!("{name}: {errno}"));
                }
                code = 1;
            }
        }
    }
    code
}

/// mktemp(1). The name is derived from the time and the process, not random.
pub fn mktemp(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "dtup:q",
        long: &[("directory", 'd'), ("dry-run", 'u'), ("tmpdir", 'p'), ("quiet", 'q')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let tmp = cx.env.get("TMPDIR").map_or("/tmp", String::as_str).to_owned();
    let (template, dir) = match parsed.operands.first() {
        None => ("tmp.XXXXXXXXXX".to_owned(), Some(parsed.value('p').unwrap_or(&tmp).to_owned())),
        Some(name) if parsed.has('t') || parsed.has('p') => {
            (name.clone(), Some(parsed.value('p').unwrap_or(&tmp).to_owned()))
        }
        Some(name) => (name.clone(), None),
    };
    let marks = template.chars().rev().take_while(|c| *c == 'X').count();
    if marks < 3 {
        cx.error(&format!("too few X's in template '{template}'"));
        return 1;
    }
    let stem = template.get(..template.len() - marks).unwrap_or_default();
    for attempt in 0..100_u32 {
        let mut hash = fnv1a(format!("{}/{}/{attempt}", cx.now.0, cx.pid).as_bytes());
        let letters: String = (0..marks)
            .map(|_| {
                let letter = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                    .get(usize::try_from(hash % 62).unwrap_or(0));
                hash = (hash / 62).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (hash >> 7);
                char::from(letter.copied().unwrap_or(b'a'))
            })
            .collect();
        let name = match &dir {
            Some(dir) => format!("{dir}/{stem}{letters}"),
            None => format!("{stem}{letters}"),
        };
        let (uid, path) = (cx.uid(), cx.path(&name));
        let made = if parsed.has('u') {
            Ok(())
        } else if parsed.has('d') {
            cx.kernel.fs.mkdir(uid, &path, 0o700, cx.now)
        } else {
            cx.kernel.fs.create(uid, &path, 0o600, cx.now).map(drop)
        };
        match made {
            Ok(()) => {
                cx.line(&name);
                return 0;
            }
            Err(Errno::EEXIST) => {}
            Err(errno) => {
                let what = if parsed.has('d') { "directory" } else { "file" };
                let template = dir.map_or(template.clone(), |dir| format!("{dir}/{template}"));
                cx.error(&format!("failed to create {what} via template '{template}': {errno}"));
                return 1;
            }
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn answers() {
        let mut host = Host::with(&[("s.sh", "#!/bin/bash\necho\n"), ("e", "")]);
        assert_eq!(host.out(&["stat", "-c", "%n %s %a %U %F", "s.sh"]), "s.sh 17 644 alice regular file\n");
        assert_eq!(host.run(&["stat", "no"]).err, "stat: cannot stat 'no': No such file or directory\n");
        assert_eq!(
            host.out(&["file", "s.sh", "e"]),
            "s.sh: Bourne-Again shell script, ASCII text executable\ne: empty\n"
        );
        host.out(&["ln", "-s", "s.sh", "l"]);
        assert_eq!(host.out(&["readlink", "l"]), "s.sh\n");
        assert_eq!(host.out(&["readlink", "-f", "l"]), "/home/alice/s.sh\n");
        assert_eq!(host.out(&["realpath", "./new"]), "/home/alice/new\n");
        assert_eq!(host.out(&["du", "-s", "."]), "8\t.\n");
        let name = host.out(&["mktemp", "-d"]);
        assert!(name.starts_with("/tmp/tmp.") && name.len() == 20, "{name}");
        assert_ne!(name, host.out(&["mktemp", "-u"]));
    }
}
