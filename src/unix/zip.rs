//! zip(1), unzip(1): archives in PKWARE's format, stored or deflated.
//!
//! Links are followed; passwords and split archives are not supported. Without `-o`, existing files are not
//! overwritten.

use super::format::human;
use super::getopt::{self, ParsedFlags, Spec};
use super::gzip::{crc32, inflate_raw};
use crate::Cx;
use base::time::Time;
use host::fs::FileKind;
use host::{Errno, path};
use miniz_oxide::deflate;
use shell::name_matches;

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
/// Maximum depth of directories.
const MAX_DEPTH: u32 = 256;
/// Maximum number of members in this format.
const MAX_MEMBERS: usize = 65_535;

/// A member of an archive.
struct Member {
    name: String,
    deflated: bool,
    crc: u32,
    /// The stored bytes.
    packed: Vec<u8>,
    size: u32,
    /// Date and time in the DOS format.
    stamp: (u16, u16),
    mode: u32,
}

impl Member {
    fn is_dir(&self) -> bool {
        self.name.ends_with('/')
    }

    fn content(&self) -> Result<Vec<u8>, &'static str> {
        if self.deflated { inflate_raw(&self.packed) } else { Ok(self.packed.clone()) }
    }
}

fn dos(time: Time) -> (u16, u16) {
    let c = time.civil();
    let part = |n: i8| u16::try_from(n).unwrap_or(0);
    let year = u16::try_from(c.year().saturating_sub(1980)).unwrap_or(0);
    (
        year << 9 | part(c.month()) << 5 | part(c.day()),
        part(c.hour()) << 11 | part(c.minute()) << 5 | (part(c.second()) / 2),
    )
}

fn number<const N: usize>(data: &[u8], at: usize) -> Option<usize> {
    let bytes = data.get(at..at.checked_add(N)?)?;
    Some(bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte)))
}

/// The members of an archive, from its central directory.
fn read(data: &[u8]) -> Option<Vec<Member>> {
    let tail = data.len().saturating_sub(66_000);
    let end = tail + data.get(tail..)?.windows(4).rposition(|w| w == END)?;
    let (count, mut at) = (number::<2>(data, end + 10)?, number::<4>(data, end + 16)?);
    let mut members = Vec::new();
    for _ in 0..count {
        if data.get(at..at + 4)? != CENTRAL {
            return None;
        }
        let long = |n: usize| number::<4>(data, at + n).and_then(|n| u32::try_from(n).ok());
        let short = |n: usize| number::<2>(data, at + n).and_then(|n| u16::try_from(n).ok());
        let (name, extra, note) = (short(28)?, short(30)?, short(32)?);
        let local = number::<4>(data, at + 42)?;
        let body = local + 30 + number::<2>(data, local + 26)? + number::<2>(data, local + 28)?;
        let packed = data.get(body..body.checked_add(long(20)? as usize)?)?.to_vec();
        let name = String::from_utf8_lossy(data.get(at + 46..at + 46 + usize::from(name))?).into_owned();
        let (deflated, crc, size, mode) = (short(10)? == 8, long(16)?, long(24)?, long(38)? >> 16);
        let stamp = (short(14)?, short(12)?);
        at += 46 + usize::from(short(28)?) + usize::from(extra) + usize::from(note);
        members.push(Member { name, deflated, crc, packed, size, stamp, mode });
    }
    Some(members)
}

/// The fields that both headers of a member share.
fn header(member: &Member) -> Vec<u8> {
    let mut out = vec![20, 0, 0, 0, if member.deflated { 8 } else { 0 }, 0];
    out.extend(member.stamp.1.to_le_bytes());
    out.extend(member.stamp.0.to_le_bytes());
    out.extend(member.crc.to_le_bytes());
    out.extend(u32::try_from(member.packed.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend(member.size.to_le_bytes());
    out.extend(u16::try_from(member.name.len()).unwrap_or(u16::MAX).to_le_bytes());
    out.extend([0, 0]);
    out
}

/// The archive's bytes.
fn write(members: &[Member]) -> Vec<u8> {
    let (mut out, mut central) = (Vec::new(), Vec::new());
    for member in members {
        let at = u32::try_from(out.len()).unwrap_or(u32::MAX);
        let header = header(member);
        out.extend(LOCAL);
        out.extend(&header);
        out.extend(member.name.as_bytes());
        out.extend(&member.packed);
        central.extend(CENTRAL);
        central.extend([30, 3]);
        central.extend(&header);
        central.extend([0; 6]);
        central.extend((member.mode << 16).to_le_bytes());
        central.extend(at.to_le_bytes());
        central.extend(member.name.as_bytes());
    }
    let (size, start, count) = (central.len(), out.len(), members.len());
    out.extend(central);
    out.extend(END);
    out.extend([0; 4]);
    for _ in 0..2 {
        out.extend(u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes());
    }
    out.extend(u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
    out.extend(u32::try_from(start).unwrap_or(u32::MAX).to_le_bytes());
    out.extend([0, 0]);
    out
}

/// zip(1)
pub fn zip(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "rqjvumydx:i:0123456789",
        long: &[("recurse-paths", 'r'), ("quiet", 'q'), ("junk-paths", 'j'), ("move", 'm'), ("exclude", 'x')],
        usage: 16,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let [archive, names @ ..] = parsed.operands.as_slice() else {
        cx.complain("zip error: Nothing to do! (zip.zip)");
        return 12;
    };
    let on_stdout = archive == "-";
    let archive =
        if path::base_name(archive).contains('.') { archive.clone() } else { format!("{archive}.zip") };
    let before = if on_stdout { None } else { cx.read_file(&archive).ok() };
    let mut zip =
        Zip { members: before.and_then(|data| read(&data)).unwrap_or_default(), options: &parsed, code: 0 };
    let old_count = zip.members.len();
    let mut added = 0;
    for name in names {
        added += zip.add(cx, name.trim_end_matches('/'), 0, on_stdout);
    }
    if added == 0 && old_count == 0 {
        cx.complain(&format!("\nzip error: Nothing to do! ({archive})"));
        return 12;
    }
    let data = write(&zip.members);
    if on_stdout {
        cx.out.extend(data);
        return zip.code;
    }
    if let Err(why) = cx.write_file(&archive, &data) {
        cx.complain(&format!("zip I/O error: {why}\nzip error: Could not create output file ({archive})"));
        return 15;
    }
    if parsed.has('m') {
        let (uid, now) = (cx.uid(), cx.now);
        for name in names {
            // A file that cannot be removed is kept, as in zip.
            let _ = cx.kernel.fs.unlink(uid, &cx.path(name), now);
        }
    }
    zip.code
}

struct Zip<'o> {
    members: Vec<Member>,
    options: &'o ParsedFlags,
    code: u8,
}

impl Zip<'_> {
    /// Adds a file, or a directory with its contents. Returns the number of members added.
    fn add(&mut self, cx: &mut Cx, file: &str, depth: u32, silent: bool) -> u32 {
        let uid = cx.uid();
        let full = cx.path(if file.is_empty() { "/" } else { file });
        let Ok(stat) = cx.kernel.fs.stat(uid, &full) else {
            cx.complain(&format!("\tzip warning: name not matched: {file}"));
            self.code = 12;
            return 0;
        };
        let name = file.trim_start_matches('/').trim_start_matches("./");
        let name = if self.options.has('j') { path::base_name(name) } else { name };
        let left_out = |p: &&(char, String)| p.0 == 'x' && name_matches(&p.1, name);
        if self.options.options.iter().any(|p| left_out(&p)) {
            return 0;
        }
        let dir = stat.kind == FileKind::Dir;
        let data = if dir { std::sync::Arc::default() } else { cx.read_file(file).unwrap_or_default() };
        let shown = if dir { format!("{name}/") } else { name.to_owned() };
        let mut count = 0;
        if !(dir && (self.options.has('j') || name.is_empty() || name == ".")) {
            self.put(cx, Self::member(&shown, &data, stat.mode, stat.mtime, dir), silent);
            count = 1;
        }
        if dir && self.options.has('r') && depth < MAX_DEPTH {
            for inner in cx.kernel.fs.list(uid, &full).unwrap_or_default() {
                count += self.add(cx, &format!("{file}/{inner}"), depth + 1, silent);
            }
        }
        count
    }

    fn member(name: &str, data: &[u8], mode: u32, mtime: Time, dir: bool) -> Member {
        let packed = deflate::compress_to_vec(data, 6);
        let deflated = packed.len() < data.len();
        Member {
            name: name.to_owned(),
            deflated,
            crc: crc32(data),
            packed: if deflated { packed } else { data.to_vec() },
            size: u32::try_from(data.len()).unwrap_or(u32::MAX),
            stamp: dos(mtime),
            mode: mode & 0o777 | if dir { 0o040_000 } else { 0o100_000 },
        }
    }

    fn put(&mut self, cx: &mut Cx, member: Member, silent: bool) {
        let saved =
            100 - (member.packed.len() * 100).checked_div(member.size as usize).unwrap_or(100).min(100);
        let how = if member.deflated { "deflated" } else { "stored" };
        let old = self.members.iter().position(|m| m.name == member.name);
        if !self.options.has('q') && !silent {
            let verb = if old.is_some() { "updating" } else { "  adding" };
            cx.line(&format!("{verb}: {} ({how} {saved}%)", member.name));
        }
        match old {
            Some(at) => self.members[at] = member,
            None if self.members.len() < MAX_MEMBERS => self.members.push(member),
            None => self.code = 6,
        }
    }
}

/// unzip(1)
pub fn unzip(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec { short: "lovqntpjuPXad:x:", long: &[], usage: 10 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let [archive, wanted @ ..] = parsed.operands.as_slice() else {
        cx.line("Usage: unzip [-lqotnpj] file[.zip] [list] [-x xlist] [-d exdir]");
        return 0;
    };
    let names = [archive.clone(), format!("{archive}.zip")];
    let Some((file, data)) = names.iter().find_map(|name| Some((name, cx.read_file(name).ok()?))) else {
        cx.complain(&format!("unzip:  cannot find or open {archive}, {archive}.zip or {archive}.ZIP."));
        return 9;
    };
    if !parsed.has('p') && !parsed.has('q') {
        cx.line(&format!("Archive:  {file}"));
    }
    let Some(mut members) = read(&data) else {
        cx.complain(&format!(
            "  End-of-central-directory signature not found.  Either this file is not\n  a zipfile, or it constitutes one \
             disk of a multi-part archive.  In the\n  latter case the central directory and zipfile comment will be found \
             on\n  the last disk(s) of this archive.\nunzip:  cannot find zipfile directory in one of {archive} or\n        \
             {archive}.zip, and cannot find {archive}.ZIP, period."
        ));
        return 9;
    };
    let left_out = |m: &Member| parsed.options.iter().any(|(l, p)| *l == 'x' && name_matches(p, &m.name));
    members
        .retain(|m| (wanted.is_empty() || wanted.iter().any(|p| name_matches(p, &m.name))) && !left_out(m));
    let missing = wanted.iter().find(|p| !members.iter().any(|m| name_matches(p, &m.name)));
    let missing = missing.map(|p| format!("caution: filename not matched:  {p}"));
    let code = if parsed.has('l') || parsed.has('v') {
        list(cx, &members);
        0
    } else {
        members.iter().map(|member| extract(cx, &parsed, member)).max().unwrap_or(0)
    };
    if let Some(missing) = missing {
        cx.complain(&missing);
        return 11;
    }
    code
}

fn list(cx: &mut Cx, members: &[Member]) {
    cx.line("  Length      Date    Time    Name\n---------  ---------- -----   ----");
    for m in members {
        let (date, time) = m.stamp;
        cx.line(&format!(
            "{:>9}  {}-{:02}-{:02} {:02}:{:02}   {}",
            m.size,
            1980 + (date >> 9),
            date >> 5 & 15,
            date & 31,
            time >> 11,
            time >> 5 & 63,
            m.name
        ));
    }
    let total: u64 = members.iter().map(|m| u64::from(m.size)).sum();
    let files = if members.len() == 1 { "file" } else { "files" };
    cx.line(&format!(
        "---------                     -------\n{total:>9}                     {} {files}",
        members.len()
    ));
}

/// Extracts, prints or tests one member.
fn extract(cx: &mut Cx, parsed: &ParsedFlags, member: &Member) -> u8 {
    let content = match member.content() {
        Ok(content) if crc32(&content) == member.crc => content,
        Ok(_) => return bad(cx, member, "bad CRC"),
        Err(why) => return bad(cx, member, why),
    };
    if parsed.has('p') {
        cx.out.extend(content);
        return 0;
    }
    let silent = parsed.has('q');
    if parsed.has('t') {
        cx.line(&format!("    testing: {:<22}   OK", member.name));
        return 0;
    }
    let parts: Vec<&str> =
        member.name.split('/').filter(|part| !part.is_empty() && *part != ".." && *part != ".").collect();
    let parts =
        if parsed.has('j') { parts.get(parts.len().saturating_sub(1)..).unwrap_or_default() } else { &parts };
    let shown = parsed.value('d').map_or_else(String::new, |dir| format!("{}/", dir.trim_end_matches('/')));
    let shown = format!("{shown}{}", parts.join("/"));
    match unpack(cx, parsed, member, &shown, &content) {
        Ok(Some(verb)) => {
            if !silent {
                cx.line(&format!("{verb:>11}: {shown}{}", if member.is_dir() { "/" } else { "  " }));
            }
            0
        }
        Ok(None) => 0,
        Err(why) => {
            cx.complain(&format!("error:  cannot create {shown}\n        {why}"));
            50
        }
    }
}

fn bad(cx: &mut Cx, member: &Member, why: &str) -> u8 {
    cx.complain(&format!(
        "error:  invalid compressed data to inflate {} ({}): {why}",
        member.name,
        human(u64::from(member.size))
    ));
    2
}

/// Writes a member. Returns the action for the listing, empty if the file was kept.
fn unpack(
    cx: &mut Cx,
    parsed: &ParsedFlags,
    member: &Member,
    file: &str,
    content: &[u8],
) -> Result<Option<&'static str>, Errno> {
    let (uid, now, full) = (cx.uid(), cx.now, cx.path(file));
    let upto =
        if member.is_dir() { full.as_str() } else { full.rsplit_once('/').map_or("/", |(dir, _)| dir) };
    let exists = cx.kernel.fs.lstat(uid, &full).is_ok();
    let mut dir = String::new();
    for part in upto.split('/').filter(|part| !part.is_empty()) {
        dir = format!("{dir}/{part}");
        if cx.kernel.fs.stat(uid, &dir).is_err() {
            cx.kernel.fs.mkdir(uid, &dir, cx.masked(0o777), now)?;
        }
    }
    if member.is_dir() {
        return Ok((!exists && !parsed.has('j')).then_some("creating"));
    }
    if exists && parsed.has('n') {
        return Ok(None);
    }
    if exists && !parsed.has('o') {
        cx.complain(&format!(
            "replace {file}? [y]es, [n]o, [A]ll, [N]one, [r]ename:  NULL\n(EOF or read error, treating as \"[N]one\" ...)"
        ));
        return Ok(None);
    }
    let mode = if member.mode & 0o777 == 0 { 0o644 } else { member.mode & 0o777 };
    cx.kernel.fs.write(uid, &full, content, mode, now)?;
    cx.kernel.fs.chmod(uid, &full, mode)?;
    Ok(Some(if member.deflated { "inflating" } else { "extracting" }))
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn archives_round_trip() {
        let text = "hello hello hello hello\n".repeat(50);
        let mut host = Host::with(&[("a", &text), ("b", "x\n")]);
        host.out(&["mkdir", "-p", "d/e"]);
        host.file("d/e/f", "deep\n");
        let said = host.out(&["zip", "-r", "x", "a", "b", "d"]);
        let adding = "  adding: b (stored 0%)\n  adding: d/ (stored 0%)\n  adding: d/e/ (stored 0%)\n  adding: d/e/f (stored 0%)\n";
        assert!(said.starts_with("  adding: a (deflated 9") && said.ends_with(adding), "{said}");
        assert_eq!(host.out(&["unzip", "-p", "x.zip", "a"]), text);
        let said = host.out(&["unzip", "x.zip", "-d", "o"]);
        let expected = "Archive:  x.zip\n  inflating: o/a  \n extracting: o/b  \n   creating: o/d/\n   creating: o/d/e/\n extracting: o/d/e/f  \n";
        assert_eq!((said.as_str(), host.cat("o/d/e/f").as_str()), (expected, "deep\n"));
        let listed = host.out(&["unzip", "-l", "x", "b"]);
        assert!(listed.ends_with("        2  2026-11-21 05:54   b\n---------                     -------\n        2                     1 file\n"), "{listed}");
        assert_eq!(host.run(&["unzip", "nope"]).code, 9);
        assert_eq!(host.run(&["unzip", "a"]).code, 9);
        assert_eq!(host.run(&["zip", "y.zip", "nope"]).code, 12);
        host.file("b", "other\n");
        assert_eq!(host.out(&["zip", "x.zip", "b"]), "updating: b (stored 0%)\n");
        assert_eq!(host.out(&["unzip", "-oq", "x.zip"]), "");
    }
}
