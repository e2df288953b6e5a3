//! tar(1): archives in the ustar format (POSIX pax(1)), plain or compressed with [`gzip`].

mod entry;

use super::gzip::{self, Format};
use crate::{Cx, STDOUT};
use entry::TarEntry;
use host::fs::FileKind;
use host::{Errno, path};
use shell::name_matches;

/// The block size in bytes.
const BLOCK: usize = 512;
/// Maximum depth of directories.
const MAX_DEPTH: u32 = 256;
/// The requested operation.
#[derive(Default)]
struct TarRequest {
    /// `c`, `x`, `t` or `r`.
    action: char,
    archive: Option<String>,
    verbose: u32,
    /// The compressor.
    packer: Option<&'static Format>,
    directory: Option<String>,
    exclude: Vec<String>,
    strip: usize,
    keep_old: bool,
    to_stdout: bool,
    follow: bool,
    auto: bool,
    names: Vec<String>,
}

const LONG: &[(&str, char)] = &[
    ("create", 'c'),
    ("extract", 'x'),
    ("get", 'x'),
    ("list", 't'),
    ("append", 'r'),
    ("file", 'f'),
    ("verbose", 'v'),
    ("gzip", 'z'),
    ("gunzip", 'z'),
    ("bzip2", 'j'),
    ("xz", 'J'),
    ("directory", 'C'),
    ("exclude", 'E'),
    ("strip-components", 'S'),
    ("keep-old-files", 'k'),
    ("to-stdout", 'O'),
    ("dereference", 'h'),
    ("auto-compress", 'a'),
    ("preserve-permissions", 'p'),
    ("same-permissions", 'p'),
    ("zstd", 'Z'),
    ("wildcards", 'W'),
    ("no-same-owner", 'o'),
    ("numeric-owner", 'N'),
];

impl TarRequest {
    fn read(args: &[String]) -> Result<Self, String> {
        let mut asked = Self::default();
        let mut words = args.iter();
        let mut first = true;
        while let Some(word) = words.next() {
            let old_style = std::mem::replace(&mut first, false) && !word.starts_with('-');
            if let Some(long) = word.strip_prefix("--").filter(|long| !long.is_empty()) {
                let (name, value) =
                    long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v.to_owned())));
                let Some((_, letter)) = LONG.iter().find(|(known, _)| *known == name) else {
                    return Err(format!("unrecognized option '--{name}'"));
                };
                let value = match (takes(*letter), value) {
                    (true, None) => words.next().cloned(),
                    (_, value) => value,
                };
                asked.option(*letter, value)?;
            } else if old_style || word.starts_with('-') && word.len() > 1 {
                let mut letters = word.trim_start_matches('-').chars();
                while let Some(letter) = letters.next() {
                    let mut value = None;
                    if takes(letter) {
                        let rest: String = if old_style { String::new() } else { letters.by_ref().collect() };
                        value = if rest.is_empty() { words.next().cloned() } else { Some(rest) };
                    }
                    asked.option(letter, value)?;
                }
            } else {
                asked.names.push(word.clone());
            }
        }
        Ok(asked)
    }

    fn option(&mut self, letter: char, value: Option<String>) -> Result<(), String> {
        if takes(letter) && value.is_none() {
            return Err(format!("option requires an argument -- '{letter}'"));
        }
        match letter {
            'c' | 'x' | 't' | 'r' | 'u' if self.action != '\0' && self.action != letter => {
                return Err(
                    "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option"
                        .to_owned(),
                );
            }
            'c' | 'x' | 't' | 'r' => self.action = letter,
            'f' => self.archive = value,
            'v' => self.verbose += 1,
            'z' => self.packer = Some(Format::of_program("gzip")),
            'j' => self.packer = Some(Format::of_program("bzip2")),
            'J' => self.packer = Some(Format::of_program("xz")),
            'Z' => self.packer = Some(Format::of_program("zstd")),
            'C' => self.directory = value,
            'E' => self.exclude.extend(value),
            'S' => self.strip = value.and_then(|n| n.parse().ok()).unwrap_or(0),
            'k' => self.keep_old = true,
            'O' => self.to_stdout = true,
            'h' => self.follow = true,
            'a' => self.auto = true,
            'p' | 'W' | 'o' | 'N' | 'm' | 'P' => {}
            other => return Err(format!("invalid option -- '{other}'")),
        }
        Ok(())
    }
}

fn takes(letter: char) -> bool {
    matches!(letter, 'f' | 'C' | 'E' | 'S')
}

/// Whether standard input is read: an archive from a pipe.
pub fn reads(argv: &[String]) -> bool {
    TarRequest::read(argv.get(1..).unwrap_or_default())
        .is_ok_and(|asked| matches!(asked.action, 'x' | 't') && asked.archive.is_none_or(|file| file == "-"))
}

/// tar(1)
pub fn run(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let asked = match TarRequest::read(cx.args()) {
        Ok(asked) if asked.action == '\0' => {
            Err("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options".to_owned())
        }
        asked => asked,
    };
    let mut asked = match asked {
        Ok(asked) => asked,
        Err(why) => {
            cx.error(&why);
            cx.complain("Try 'tar --help' or 'tar --usage' for more information.");
            return 2;
        }
    };
    if asked.auto && asked.packer.is_none() {
        asked.packer = asked.archive.as_deref().and_then(Format::of_name);
    }
    let mut tar = Tar { asked, code: 0 };
    match tar.asked.action {
        'c' | 'r' => tar.create(cx),
        _ => tar.extract(cx, stdin),
    }
}

struct Tar {
    asked: TarRequest,
    code: u8,
}

impl Tar {
    fn fail(&mut self, cx: &mut Cx, text: &str) {
        cx.error(text);
        self.code = 2;
    }

    fn end(&self, cx: &mut Cx) -> u8 {
        if self.code != 0 {
            cx.error("Exiting with failure status due to previous errors");
        }
        self.code
    }

    /// A path relative to `-C`.
    fn path_of(&self, cx: &Cx, name: &str) -> String {
        match &self.asked.directory {
            Some(dir) => path::resolve(&cx.path(dir), name),
            None => cx.path(name),
        }
    }

    fn excluded(&self, name: &str) -> bool {
        let base = path::base_name(name);
        self.asked.exclude.iter().any(|pattern| {
            let pattern = pattern.trim_end_matches('/').trim_start_matches("./");
            name_matches(pattern, base) || name_matches(pattern, name.trim_start_matches("./"))
        })
    }

    fn create(&mut self, cx: &mut Cx) -> u8 {
        if self.asked.names.is_empty() {
            cx.error("Cowardly refusing to create an empty archive");
            cx.complain("Try 'tar --help' or 'tar --usage' for more information.");
            return 2;
        }
        let file = self.asked.archive.clone().filter(|file| file != "-");
        if file.is_none() && cx.is_tty(STDOUT) {
            cx.error("Refusing to write archive contents to terminal (missing -f option?)");
            cx.error("Error is not recoverable: exiting now");
            return 2;
        }
        let mut archive = Vec::new();
        if self.asked.action == 'r'
            && let Some(old) = file.as_ref().and_then(|file| cx.read_file(file).ok())
        {
            let end = old.chunks(BLOCK).position(|block| block.iter().all(|b| *b == 0)).unwrap_or(0);
            archive.extend(old.iter().take(end * BLOCK));
        }
        let own = file.as_ref().map(|file| cx.path(file));
        let mut warned = false;
        for name in self.asked.names.clone() {
            if name.starts_with('/') && !std::mem::replace(&mut warned, true) {
                cx.error("Removing leading `/' from member names");
            }
            self.pack(cx, name.trim_end_matches('/'), own.as_deref(), &mut archive, 0);
        }
        let whole = (archive.len() + 2 * BLOCK).div_ceil(20 * BLOCK) * 20 * BLOCK;
        archive.resize(whole, 0);
        if let Some(packer) = self.asked.packer {
            archive = packer.pack(&archive, 6);
        }
        match file {
            None => cx.out.extend(archive),
            Some(file) => {
                if let Err(errno) = cx.write_file(&file, &archive) {
                    cx.error(&format!("{file}: Cannot open: {errno}"));
                    cx.error("Error is not recoverable: exiting now");
                    return 2;
                }
            }
        }
        self.end(cx)
    }

    fn pack(&mut self, cx: &mut Cx, name: &str, own: Option<&str>, archive: &mut Vec<u8>, depth: u32) {
        if self.excluded(name) || archive.len() > host::fs::MAX_FILE {
            return;
        }
        let (uid, file) = (cx.uid(), self.path_of(cx, name));
        let fs = &cx.kernel.fs;
        let found = if self.asked.follow { fs.stat(uid, &file) } else { fs.lstat(uid, &file) };
        let stat = match found {
            Ok(stat) => stat,
            Err(errno) => return self.fail(cx, &format!("{name}: Cannot stat: {errno}")),
        };
        if Some(file.as_str()) == own {
            cx.error(&format!("{name}: file is the archive; not dumped"));
            return;
        }
        let member = name.trim_start_matches('/');
        let mut entry = TarEntry {
            name: if stat.kind == FileKind::Dir { format!("{member}/") } else { member.to_owned() },
            mode: stat.mode,
            uid: stat.uid,
            gid: stat.gid,
            owner: cx.kernel.users.name(stat.uid),
            group: cx.kernel.users.group_name(stat.gid),
            mtime: stat.mtime,
            kind: stat.kind,
            hard: false,
            target: String::new(),
            data: Vec::new(),
        };
        match stat.kind {
            FileKind::Link => entry.target = cx.kernel.fs.readlink(uid, &file).unwrap_or_default(),
            FileKind::File | FileKind::Program => match cx.kernel.fs.read(uid, &file) {
                Ok(data) => entry.data = data.to_vec(),
                Err(errno) => return self.fail(cx, &format!("{name}: Cannot open: {errno}")),
            },
            FileKind::Dir | FileKind::Device => {}
        }
        if self.asked.verbose > 0 {
            // If the archive goes to standard output, the names go to standard error.
            let file = self.asked.archive.as_deref().is_some_and(|f| f != "-");
            if file { cx.line(&entry.name) } else { cx.complain(&entry.name) }
        }
        archive.extend(entry.encode());
        if stat.kind == FileKind::Dir && depth < MAX_DEPTH {
            match cx.kernel.fs.list(uid, &file) {
                Ok(names) => {
                    for inner in names {
                        self.pack(cx, &format!("{name}/{inner}"), own, archive, depth + 1);
                    }
                }
                Err(errno) => self.fail(cx, &format!("{name}: Cannot open: {errno}")),
            }
        }
    }

    fn unreadable(cx: &mut Cx, why: &str) -> u8 {
        cx.complain(&format!("\ngzip: stdin: {why}"));
        cx.error("Child returned status 1");
        cx.error("Error is not recoverable: exiting now");
        2
    }

    fn extract(&mut self, cx: &mut Cx, stdin: &[u8]) -> u8 {
        let data = match self.asked.archive.clone().filter(|file| file != "-") {
            None => stdin.to_vec(),
            Some(file) => match cx.read_file(&file) {
                Ok(data) => data.to_vec(),
                Err(errno) => {
                    cx.error(&format!("{file}: Cannot open: {errno}"));
                    cx.error("Error is not recoverable: exiting now");
                    return 2;
                }
            },
        };
        let data = match (gzip::unpack(&data), self.asked.packer) {
            (Some(Ok(data)), _) => data,
            (None, None) => data,
            (Some(Err(why)), _) => return Self::unreadable(cx, why),
            (None, Some(_)) => return Self::unreadable(cx, "not in gzip format"),
        };
        let mut wanted: Vec<(String, bool)> =
            self.asked.names.iter().map(|name| (name.clone(), false)).collect();
        let mut rest = data.as_slice();
        let mut long_name = None;
        while rest.iter().take(BLOCK).any(|byte| *byte != 0) {
            let Some((mut entry, letter, length)) = rest.get(..BLOCK).and_then(TarEntry::decode) else {
                cx.error("This does not look like a tar archive");
                self.fail(cx, "Skipping to next header");
                break;
            };
            let blocks = length.div_ceil(BLOCK) * BLOCK;
            let Some(content) = rest.get(BLOCK..BLOCK + length) else {
                cx.error("Unexpected EOF in archive");
                cx.error("Error is not recoverable: exiting now");
                return 2;
            };
            rest = rest.get(BLOCK + blocks..).unwrap_or_default();
            if letter == b'L' {
                long_name = Some(String::from_utf8_lossy(content).trim_end_matches('\0').to_owned());
                continue;
            }
            if matches!(letter, b'x' | b'g' | b'K') {
                continue;
            }
            entry.data = content.to_vec();
            if let Some(name) = long_name.take() {
                entry.name = name;
            }
            let all = wanted.is_empty();
            let mine = wanted.iter_mut().find(|(name, _)| {
                let name = name.trim_end_matches('/');
                entry.name.trim_end_matches('/') == name
                    || entry.name.starts_with(&format!("{name}/"))
                    || name_matches(name, &entry.name)
            });
            match mine {
                Some((_, found)) => *found = true,
                None if !all => continue,
                None => {}
            }
            if !self.excluded(entry.name.trim_end_matches('/')) {
                self.take(cx, &entry);
            }
        }
        for (name, _) in wanted.iter().filter(|(_, found)| !found) {
            self.fail(cx, &format!("{name}: Not found in archive"));
        }
        self.end(cx)
    }

    /// Handles one member: lists, prints or writes it.
    fn take(&mut self, cx: &mut Cx, entry: &TarEntry) {
        let lists = self.asked.action == 't';
        let name = if lists { Some(entry.name.clone()) } else { self.stripped(&entry.name) };
        let Some(name) = name else { return };
        if lists && self.asked.verbose > 0 || !lists && self.asked.verbose > 1 {
            let line = entry.described();
            cx.line(&line);
        } else if lists || self.asked.verbose > 0 && !self.asked.to_stdout {
            cx.line(&entry.name);
        }
        if lists {
            return;
        }
        if self.asked.to_stdout {
            cx.out.extend(&entry.data);
            return;
        }
        if let Err(errno) = self.write(cx, &name, entry) {
            let what = if entry.kind == FileKind::Dir { "Cannot mkdir" } else { "Cannot open" };
            self.fail(cx, &format!("{name}: {what}: {errno}"));
        }
    }

    /// A member's name without its leading directories; it never points outside the target directory.
    fn stripped(&self, name: &str) -> Option<String> {
        let parts: Vec<&str> =
            name.split('/').filter(|part| !part.is_empty() && *part != ".." && *part != ".").collect();
        let left = parts.get(self.asked.strip..).filter(|left| !left.is_empty())?;
        Some(left.join("/"))
    }

    fn write(&self, cx: &mut Cx, name: &str, entry: &TarEntry) -> Result<(), Errno> {
        let (uid, now, file) = (cx.uid(), cx.now, self.path_of(cx, name));
        let mut ends: Vec<usize> = name.match_indices('/').map(|(at, _)| at).collect();
        if entry.kind == FileKind::Dir {
            ends.push(name.len());
        }
        for end in ends {
            let dir = self.path_of(cx, &name[..end]);
            let mode = if end == name.len() { entry.mode | 0o700 } else { 0o755 };
            match cx.kernel.fs.mkdir(uid, &dir, cx.masked(mode & 0o777), now) {
                Ok(()) | Err(Errno::EEXIST) => {}
                Err(errno) => return Err(errno),
            }
        }
        let exists = cx.kernel.fs.lstat(uid, &file).is_ok();
        if exists && self.asked.keep_old && entry.kind != FileKind::Dir {
            return Err(Errno::EEXIST);
        }
        match entry.kind {
            FileKind::Dir => return Ok(()),
            FileKind::Link => {
                let _ = cx.kernel.fs.unlink(uid, &file, now);
                return cx.kernel.fs.symlink(uid, &entry.target, &file, now);
            }
            FileKind::File | FileKind::Program | FileKind::Device => {}
        }
        if exists {
            cx.kernel.fs.unlink(uid, &file, now)?;
        }
        if entry.hard {
            let target = self.path_of(cx, &entry.target);
            return cx.kernel.fs.link(uid, &target, &file, now);
        }
        cx.kernel.fs.write(uid, &file, &entry.data, cx.masked(entry.mode & 0o777), now)?;
        cx.kernel.fs.touch(uid, &file, entry.mtime)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn archives_round_trip() {
        let mut host = Host::with(&[("a", "A\n"), ("b", "")]);
        host.out(&["mkdir", "-p", "d/e"]);
        host.file("d/e/f", "deep\n");
        host.out(&["ln", "-s", "e/f", "d/l"]);
        assert_eq!(host.out(&["tar", "czvf", "x.tgz", "a", "d"]), "a\nd/\nd/e/\nd/e/f\nd/l\n");
        assert_eq!(host.out(&["tar", "tf", "x.tgz"]), "a\nd/\nd/e/\nd/e/f\nd/l\n");
        let listed = host.out(&["tar", "-tvf", "x.tgz"]);
        assert!(listed.starts_with("-rw-r--r-- alice/alice       2 2026-11-21 05:54 a\n"), "{listed}");
        assert!(listed.ends_with("d/l -> e/f\n"), "{listed}");
        host.out(&["mkdir", "out"]);
        assert_eq!(host.out(&["tar", "-xf", "x.tgz", "-C", "out"]), "");
        assert_eq!((host.cat("out/d/e/f"), host.cat("out/d/l")), ("deep\n".to_owned(), "deep\n".to_owned()));
        host.out(&["tar", "xf", "x.tgz", "--strip-components=2", "d/e/f"]);
        assert_eq!(host.cat("f"), "deep\n");
        for (argv, err) in [
            (
                &["tar", "xf", "nope"][..],
                "tar: nope: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n",
            ),
            (
                &["tar", "xf", "a"],
                "tar: This does not look like a tar archive\ntar: Skipping to next header\ntar: Exiting with failure status due to previous errors\n",
            ),
            (
                &["tar", "cf", "y.tar", "nope"],
                "tar: nope: Cannot stat: No such file or directory\ntar: Exiting with failure status due to previous errors\n",
            ),
            (
                &["tar", "cf", "y.tar"],
                "tar: Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.\n",
            ),
            (
                &["tar", "xf", "x.tgz", "zzz"],
                "tar: zzz: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
            ),
        ] {
            let ran = host.run(argv);
            assert_eq!((ran.err.as_str(), ran.code), (err, 2), "{argv:?}");
        }
    }
}
