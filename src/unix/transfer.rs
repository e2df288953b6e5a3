//! scp(1), rsync(1): copy files between hosts of the cluster. Hosts outside the cluster do not exist.

use super::getopt::{self, ParsedFlags, Spec};
use super::ssh;
use crate::{Cx, STDOUT};
use base::ids::Uid;
use host::fs::{Access, FileKind, Fs, Stat};
use host::{Errno, path};
use shell::name_matches;

/// Maximum depth of directories.
const MAX_DEPTH: u32 = 256;

/// A source or target: `host:path`, or a local path.
#[derive(Clone)]
struct TransferEnd {
    /// None for the local host.
    host: Option<String>,
    uid: Uid,
    /// The absolute path.
    path: String,
    /// As typed.
    text: String,
}

/// Parses an operand. An unreachable host was reported.
fn end(cx: &mut Cx, text: &str) -> Result<TransferEnd, u8> {
    let remote = text.split_once(':').filter(|(host, _)| !host.is_empty() && !host.contains('/'));
    let Some((host, file)) = remote else {
        return Ok(TransferEnd { host: None, uid: cx.uid(), path: cx.path(text), text: text.to_owned() });
    };
    let target = ssh::connect(cx, host)?;
    let file = file.trim_start_matches(':').trim_start_matches("~/");
    let file = if file == "~" { "" } else { file };
    let slash = if file.ends_with('/') && file.len() > 1 { "/" } else { "" };
    let path = format!("{}{slash}", path::resolve(&target.home, file));
    Ok(TransferEnd { host: Some(target.host), uid: target.uid, path, text: file.to_owned() })
}

/// The files of an operand. The remote shell expands patterns; a pattern without matches is unchanged.
fn ends(cx: &mut Cx, text: &str) -> Result<Vec<TransferEnd>, u8> {
    let one = end(cx, text)?;
    if one.host.is_none() || !one.path.contains(['*', '?', '[']) {
        return Ok(vec![one]);
    }
    let (uid, pattern) = (one.uid, one.path.clone());
    let found = at(cx, &one, |cx| files(&cx.kernel.fs, uid, &pattern));
    let ends: Vec<TransferEnd> =
        found.into_iter().map(|path| TransferEnd { text: path.clone(), path, ..one.clone() }).collect();
    Ok(if ends.is_empty() { vec![one] } else { ends })
}

/// Files that match a pattern, which may contain directories, sorted by name.
fn files(fs: &Fs, uid: Uid, pattern: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for base in found {
            let names = if part.contains(['*', '?', '[']) {
                let all = fs.list(uid, if base.is_empty() { "/" } else { &base }).unwrap_or_default();
                let shown = |name: &String| part.starts_with('.') || !name.starts_with('.');
                all.into_iter().filter(|name| shown(name) && name_matches(part, name)).collect()
            } else {
                vec![part.to_owned()]
            };
            next.extend(names.into_iter().map(|name| format!("{base}/{name}")));
        }
        found = next;
    }
    found.retain(|path| fs.lstat(uid, path).is_ok());
    found
}

/// Runs a function on the file system of an end's host.
fn at<T>(cx: &mut Cx, end: &TransferEnd, work: impl FnOnce(&mut Cx) -> T) -> T {
    let host = end.host.clone().unwrap_or_else(|| cx.host().to_string());
    let view = cx.kernel.fs.enter(&host, cx.now);
    let done = work(cx);
    cx.kernel.fs.back(view);
    done
}

fn stat(cx: &mut Cx, end: &TransferEnd, follow: bool) -> Result<Stat, Errno> {
    at(cx, end, |cx| {
        let fs = &cx.kernel.fs;
        if follow { fs.stat(end.uid, &end.path) } else { fs.lstat(end.uid, &end.path) }
    })
}

fn within(end: &TransferEnd, name: &str) -> TransferEnd {
    let join = |dir: &str| {
        if dir.is_empty() { name.to_owned() } else { format!("{}/{name}", dir.trim_end_matches('/')) }
    };
    TransferEnd { path: join(&end.path), text: join(&end.text), ..end.clone() }
}

/// Copies a regular file's content, mode and, if `times` is set, modification time.
fn copy_file(
    cx: &mut Cx,
    from: &TransferEnd,
    to: &TransferEnd,
    stat: &Stat,
    times: bool,
) -> Result<(), Errno> {
    at(cx, from, |cx| cx.kernel.fs.access(from.uid, &from.path, Access::Read))?;
    let now = cx.now;
    let mode = cx.masked(stat.mode & 0o777);
    at(cx, to, |cx| {
        let fs = &mut cx.kernel.fs;
        let made = fs.write(to.uid, &to.path, b"", mode, now)?;
        if fs.inode(made).is_some_and(|inode| matches!(inode.node, host::fs::InodeContent::File(_))) {
            fs.copy_content(stat.ino, made, now)?;
            if times {
                fs.chmod(to.uid, &to.path, stat.mode)?;
                fs.touch(to.uid, &to.path, stat.mtime)?;
            }
        }
        Ok(())
    })
}

/// scp(1)
pub fn scp(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec { short: "rpqvCBT346OsP:i:o:F:J:l:c:S:D:X:", long: &[], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let [sources @ .., target] = parsed.operands.as_slice() else { return scp_usage(cx) };
    if sources.is_empty() {
        return scp_usage(cx);
    }
    let Ok(target) = end(cx, target) else {
        cx.complain("scp: Connection closed");
        return 255;
    };
    let into = stat(cx, &target, true).is_ok_and(|stat| stat.kind == FileKind::Dir);
    if sources.len() > 1 && !into {
        cx.complain(&format!("scp: {}: Not a directory", target.text));
        return 1;
    }
    let mut scp = Scp { options: &parsed, code: 0 };
    for source in sources {
        let Ok(sources) = ends(cx, source) else {
            cx.complain("scp: Connection closed");
            return 255;
        };
        for source in sources {
            let name = path::base_name(&source.path).to_owned();
            let to = if into { within(&target, &name) } else { target.clone() };
            scp.copy(cx, &source, &to, 0);
        }
    }
    scp.code
}

fn scp_usage(cx: &mut Cx) -> u8 {
    cx.complain("usage: scp [-pqrv] source ... target");
    1
}

struct Scp<'o> {
    options: &'o ParsedFlags,
    code: u8,
}

impl Scp<'_> {
    fn fail(&mut self, cx: &mut Cx, what: &str, why: impl std::fmt::Display) {
        cx.complain(&format!("scp: {what}: {why}"));
        self.code = 1;
    }

    fn copy(&mut self, cx: &mut Cx, from: &TransferEnd, to: &TransferEnd, depth: u32) {
        let found = match stat(cx, from, true) {
            Ok(found) => found,
            Err(why) => {
                let what = if from.host.is_some() { "" } else { "stat local \"" };
                let text = if what.is_empty() { from.path.clone() } else { format!("{what}{}\"", from.text) };
                return self.fail(cx, &text, why);
            }
        };
        if found.kind != FileKind::Dir {
            match copy_file(cx, from, to, &found, self.options.has('p')) {
                Ok(()) if cx.is_tty(STDOUT) && !self.options.has('q') => progress(cx, from, &found),
                Ok(()) => {}
                Err(why) => self.fail(cx, &format!("dest open \"{}\"", to.text), why),
            }
            return;
        }
        if !self.options.has('r') {
            return self.fail(cx, &from.text, "not a regular file");
        }
        let now = cx.now;
        let mode = cx.masked(found.mode & 0o777) | 0o700;
        let made = at(cx, to, |cx| cx.kernel.fs.mkdir(to.uid, &to.path, mode, now));
        if let Err(why) = made
            && why != Errno::EEXIST
        {
            return self.fail(cx, &to.text, why);
        }
        let names = at(cx, from, |cx| cx.kernel.fs.list(from.uid, &from.path)).unwrap_or_default();
        for name in names.iter().filter(|_| depth < MAX_DEPTH) {
            self.copy(cx, &within(from, name), &within(to, name), depth + 1);
        }
    }
}

/// scp's progress line for a file on a terminal.
fn progress(cx: &mut Cx, from: &TransferEnd, stat: &Stat) {
    let name = path::base_name(&from.path).to_owned();
    let size = super::format::human(stat.size);
    cx.line(&format!("{name:<50} 100% {size:>6}B 110.0MB/s   00:00"));
}

/// rsync(1)
pub fn rsync(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "avrlptgoDzhPnuqcxHAXSe:E:I:K",
        long: &[
            ("archive", 'a'),
            ("verbose", 'v'),
            ("recursive", 'r'),
            ("links", 'l'),
            ("perms", 'p'),
            ("times", 't'),
            ("compress", 'z'),
            ("human-readable", 'h'),
            ("progress", 'P'),
            ("partial", 'S'),
            ("dry-run", 'n'),
            ("update", 'u'),
            ("quiet", 'q'),
            ("checksum", 'c'),
            ("delete", 'K'),
            ("exclude", 'E'),
            ("include", 'I'),
            ("rsh", 'e'),
            ("stats", 'X'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let [sources @ .., target] = parsed.operands.as_slice() else {
        cx.complain("Usage: rsync [OPTION]... SRC [SRC]... DEST");
        return 1;
    };
    let Ok(target) = end(cx, target) else { return connection_lost(cx) };
    let mut sync = Rsync { options: &parsed, sent: 0, total: 0, code: 0, listed: 0 };
    if parsed.has('v') && !parsed.has('q') {
        cx.line("sending incremental file list");
    }
    for text in sources {
        let Ok(found) = ends(cx, text) else { return connection_lost(cx) };
        for source in &found {
            sync.source(cx, source, text, &target, sources.len() + found.len() > 2);
        }
    }
    sync.report(cx);
    sync.code
}

fn connection_lost(cx: &mut Cx) -> u8 {
    cx.complain("rsync: connection unexpectedly closed (0 bytes received so far) [sender]");
    cx.complain("rsync error: unexplained error (code 255) at io.c(232) [sender=3.2.7]");
    255
}

struct Rsync<'o> {
    options: &'o ParsedFlags,
    sent: u64,
    total: u64,
    code: u8,
    listed: u64,
}

impl Rsync<'_> {
    fn has(&self, letter: char) -> bool {
        self.options.has(letter)
    }

    fn fail(&mut self, cx: &mut Cx, text: &str) {
        cx.complain(&format!("rsync: {text}"));
        self.code = 23;
    }

    fn source(&mut self, cx: &mut Cx, source: &TransferEnd, text: &str, target: &TransferEnd, many: bool) {
        let found = match stat(cx, source, text.ends_with('/')) {
            Ok(found) => found,
            Err(why) => {
                self.fail(
                    cx,
                    &format!("[sender] link_stat \"{}\" failed: {why} ({})", source.path, number(why)),
                );
                return;
            }
        };
        let name = path::base_name(&source.path).to_owned();
        if found.kind != FileKind::Dir {
            let into = target.path.ends_with('/')
                || target.text.ends_with('/')
                || stat(cx, target, true).is_ok_and(|stat| stat.kind == FileKind::Dir);
            let to = if many || into { within(target, &name) } else { target.clone() };
            return self.entry(cx, source, &to, &name, 0);
        }
        if !self.has('r') && !self.has('a') {
            cx.line(&format!("skipping directory {name}"));
            return;
        }
        if text.ends_with('/') || text == "." || text.ends_with("/.") {
            self.directory(cx, source, target, "", 0);
        } else {
            self.directory(cx, source, &within(target, &name), &name, 0);
        }
    }

    fn excluded(&self, name: &str) -> bool {
        let patterns = self.options.options.iter().filter(|(letter, _)| *letter == 'E');
        patterns
            .map(|(_, text)| text.trim_end_matches('/').trim_start_matches('/'))
            .any(|p| name_matches(p, name))
    }

    fn say(&mut self, cx: &mut Cx, name: &str) {
        self.listed += 1;
        if (self.has('v') || self.has('P')) && !self.has('q') {
            cx.line(name);
        }
    }

    fn directory(&mut self, cx: &mut Cx, from: &TransferEnd, to: &TransferEnd, shown: &str, depth: u32) {
        let now = cx.now;
        let mode = at(cx, from, |cx| cx.kernel.fs.stat(from.uid, &from.path)).map_or(0o755, |stat| stat.mode);
        if stat(cx, to, true).is_err() {
            if self.has('v') && depth == 0 && shown.is_empty() {
                cx.line(&format!("created directory {}", to.text));
            }
            if !self.has('n')
                && let Err(why) =
                    at(cx, to, |cx| cx.kernel.fs.mkdir(to.uid, &to.path, mode & 0o777 | 0o700, now))
            {
                self.fail(cx, &format!("[Receiver] mkdir \"{}\" failed: {why} ({})", to.path, number(why)));
                self.code = 11;
                return;
            }
            self.say(cx, &if shown.is_empty() { "./".to_owned() } else { format!("{shown}/") });
        }
        let names = match at(cx, from, |cx| cx.kernel.fs.list(from.uid, &from.path)) {
            Ok(names) => names,
            Err(why) => {
                let text = format!("[sender] opendir \"{}\" failed: {why} ({})", from.path, number(why));
                return self.fail(cx, &text);
            }
        };
        for name in names.iter().filter(|_| depth < MAX_DEPTH) {
            let shown = if shown.is_empty() { name.clone() } else { format!("{shown}/{name}") };
            if !self.excluded(name) {
                self.entry(cx, &within(from, name), &within(to, name), &shown, depth + 1);
            }
        }
        if self.has('K') {
            self.delete(cx, to, &names, shown);
        }
    }

    /// `--delete`: removes files that the source does not have.
    fn delete(&mut self, cx: &mut Cx, to: &TransferEnd, keep: &[String], shown: &str) {
        let existing = at(cx, to, |cx| cx.kernel.fs.list(to.uid, &to.path)).unwrap_or_default();
        let gone: Vec<&String> =
            existing.iter().filter(|name| !keep.contains(name) && !self.excluded(name)).collect();
        for name in gone {
            let gone = within(to, name);
            let text = if shown.is_empty() { name.clone() } else { format!("{shown}/{name}") };
            self.say(cx, &format!("deleting {text}"));
            if !self.has('n') {
                let now = cx.now;
                let allowed = at(cx, to, |cx| cx.kernel.fs.access(to.uid, &to.path, Access::Write));
                let done = allowed.and_then(|()| at(cx, to, |cx| cx.kernel.fs.remove_tree(&gone.path, now)));
                if let Err(why) = done {
                    self.fail(cx, &format!("delete_file: unlink({text}) failed: {why} ({})", number(why)));
                }
            }
        }
    }

    fn entry(&mut self, cx: &mut Cx, from: &TransferEnd, to: &TransferEnd, shown: &str, depth: u32) {
        let found = match stat(cx, from, false) {
            Ok(found) => found,
            Err(why) => {
                return self.fail(
                    cx,
                    &format!("[sender] link_stat \"{}\" failed: {why} ({})", from.path, number(why)),
                );
            }
        };
        match found.kind {
            FileKind::Dir => return self.directory(cx, from, to, shown, depth),
            FileKind::Link if !self.has('a') && !self.has('l') => {
                cx.line(&format!("skipping non-regular file \"{shown}\""));
                return;
            }
            FileKind::File | FileKind::Link | FileKind::Program | FileKind::Device => {}
        }
        self.total += found.size;
        let existing = stat(cx, to, false).ok();
        let keeps_time = self.has('a') || self.has('t');
        let same = existing.as_ref().is_some_and(|existing| {
            existing.size == found.size
                && (existing.mtime == found.mtime || !keeps_time && existing.mtime >= found.mtime)
                || self.has('u') && existing.mtime > found.mtime
        });
        if same {
            return;
        }
        self.say(cx, shown);
        if self.has('n') {
            return;
        }
        self.sent += found.size + 60;
        let now = cx.now;
        let done = if found.kind == FileKind::Link {
            let target = at(cx, from, |cx| cx.kernel.fs.readlink(from.uid, &from.path)).unwrap_or_default();
            at(cx, to, |cx| {
                let _ = cx.kernel.fs.unlink(to.uid, &to.path, now);
                cx.kernel.fs.symlink(to.uid, &target, &to.path, now)
            })
        } else {
            copy_file(cx, from, to, &found, keeps_time)
        };
        if let Err(why) = done {
            self.fail(cx, &format!("[receiver] mkstemp \"{}\" failed: {why} ({})", to.path, number(why)));
        }
    }

    fn report(&self, cx: &mut Cx) {
        if self.has('v') && !self.has('q') {
            let (sent, received) = (self.sent + 80, 35 + 19 * self.listed);
            let speed = (sent + received) * 2;
            let total = self.total;
            let dry = if self.has('n') { " (DRY RUN)" } else { "" };
            let hundredths = total * 100 / (sent + received).max(1);
            cx.line("");
            cx.line(&format!("sent {sent} bytes  received {received} bytes  {speed}.00 bytes/sec"));
            cx.line(&format!(
                "total size is {total}  speedup is {}.{:02}{dry}",
                hundredths / 100,
                hundredths % 100
            ));
        }
        if self.code != 0 {
            cx.complain(&format!(
                "rsync error: some files/attrs were not transferred (see previous errors) (code {}) at main.c(1338) [sender=3.2.7]",
                self.code
            ));
        }
    }
}

/// The number that rsync appends to an error message.
fn number(errno: Errno) -> u32 {
    match errno {
        Errno::ENOENT => 2,
        Errno::EACCES => 13,
        Errno::EEXIST => 17,
        Errno::ENOTDIR => 20,
        Errno::EISDIR => 21,
        Errno::ENOSPC => 28,
        Errno::EDQUOT => 122,
        _ => 5,
    }
}

/// sftp(1)
pub fn sftp(cx: &mut Cx) -> u8 {
    cx.error(
        "not simulated in sandbatch: between hosts use scp or rsync; from outside, the page's file list",
    );
    127
}
