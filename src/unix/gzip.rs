//! gzip(1), bzip2(1), xz(1), zstd(1) and their decompressors: RFC 1952 on top of `miniz_oxide`.
//!
//! Deliberate difference: the files of the last three have their own magic bytes and suffixes, but contain
//! gzip's compression. Files that were compressed here can be decompressed here; other files give an error.

use super::getopt::{self, ParsedFlags, Spec};
use crate::{Cx, STDOUT};
use host::Errno;
use host::fs::FileKind;
use miniz_oxide::{deflate, inflate};

/// Maximum size of a decompressed file, in bytes.
const MAX_SIZE: usize = 64 << 20;

const SPEC: Spec = Spec {
    short: "cdfkhlnNqrtvzRS:T:0123456789e",
    long: &[
        ("stdout", 'c'),
        ("to-stdout", 'c'),
        ("decompress", 'd'),
        ("uncompress", 'd'),
        ("force", 'f'),
        ("keep", 'k'),
        ("list", 'l'),
        ("test", 't'),
        ("verbose", 'v'),
        ("quiet", 'q'),
        ("recursive", 'r'),
        ("no-name", 'n'),
        ("fast", '1'),
        ("best", '9'),
        ("compress", 'z'),
        ("extreme", 'e'),
        ("threads", 'T'),
        ("rm", 'R'),
    ],
    usage: 1,
};

/// A format of compressed files.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// The program that compresses it. The related programs have derived names.
    name: &'static str,
    /// The programs that decompress it: into a file, and to standard output.
    unpackers: [&'static str; 2],
    /// The suffix of files, and that of tar archives.
    suffixes: [&'static str; 2],
    /// The bytes that precede gzip's data.
    magic: &'static [u8],
}

const fn format(
    name: &'static str,
    unpackers: [&'static str; 2],
    suffixes: [&'static str; 2],
    magic: &'static [u8],
) -> Format {
    Format { name, unpackers, suffixes, magic }
}

/// All formats; the first one is gzip.
pub static FORMATS: [Format; 4] = [
    format("gzip", ["gunzip", "zcat"], [".gz", ".tgz"], b""),
    format("bzip2", ["bunzip2", "bzcat"], [".bz2", ".tbz2"], b"BZh91AY&SY"),
    format("xz", ["unxz", "xzcat"], [".xz", ".txz"], b"\xfd7zXZ\0"),
    format("zstd", ["unzstd", "zstdcat"], [".zst", ".tzst"], b"\x28\xb5\x2f\xfd"),
];

impl Format {
    /// The format of a program, by one of its names.
    #[must_use]
    pub fn of_program(name: &str) -> &'static Self {
        let found = FORMATS.iter().find(|f| f.name == name || f.unpackers.contains(&name));
        found.unwrap_or(&FORMATS[0])
    }

    /// The format of a file, by its name.
    #[must_use]
    pub fn of_name(file: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|f| f.suffixes.iter().any(|suffix| file.ends_with(suffix)))
    }

    /// Compresses data.
    #[must_use]
    pub fn pack(&self, data: &[u8], level: u8) -> Vec<u8> {
        [self.magic, &compress(data, level)].concat()
    }

    fn unpack(&self, data: &[u8]) -> Result<Vec<u8>, &'static str> {
        match data.strip_prefix(self.magic) {
            Some(rest) if self.magic.is_empty() || is_gzip(rest) => decompress(rest),
            Some(_) => Err("packed elsewhere: sandbatch unpacks what was packed in it"),
            None => Err("File format not recognized"),
        }
    }
}

/// The description of compressed data by file(1).
#[must_use]
pub fn kind(data: &[u8]) -> Option<&'static str> {
    let starts: [(&[u8], &str); 5] = [
        (b"\x1f\x8b", "gzip compressed data, from Unix"),
        (FORMATS[1].magic, "bzip2 compressed data, block size = 900k"),
        (FORMATS[2].magic, "XZ compressed data, checksum CRC64"),
        (FORMATS[3].magic, "Zstandard compressed data (v0.8+)"),
        (b"PK\x03\x04", "Zip archive data, at least v2.0 to extract"),
    ];
    starts.iter().find(|(magic, _)| data.starts_with(magic)).map(|(_, kind)| *kind)
}

/// Decompresses data of any format; none if it is not compressed.
#[must_use]
pub fn unpack(data: &[u8]) -> Option<Result<Vec<u8>, &'static str>> {
    let [gzip, others @ ..] = &FORMATS;
    let format = if is_gzip(data) { Some(gzip) } else { others.iter().find(|f| data.starts_with(f.magic)) };
    format.map(|format| format.unpack(data))
}

/// The CRC of gzip and zip.
#[must_use]
pub fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

/// A gzip member.
#[must_use]
pub fn compress(data: &[u8], level: u8) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    out.extend(deflate::compress_to_vec(data, level));
    out.extend(crc32(data).to_le_bytes());
    out.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_le_bytes());
    out
}

/// Whether data begins like a gzip file.
#[must_use]
pub fn is_gzip(data: &[u8]) -> bool {
    data.starts_with(&[0x1f, 0x8b])
}

/// The contents of all gzip members, joined.
///
/// # Errors
/// gzip's error message.
pub fn decompress(mut data: &[u8]) -> Result<Vec<u8>, &'static str> {
    let mut out = Vec::new();
    let mut first = true;
    while !data.is_empty() {
        if !is_gzip(data) {
            return if first { Err("not in gzip format") } else { Ok(out) };
        }
        first = false;
        let body = data.get(header(data).ok_or("unexpected end of file")?..).unwrap_or_default();
        let (content, used) = member(body, MAX_SIZE.saturating_sub(out.len()))?;
        let end = body.get(used..used + 8).ok_or("unexpected end of file")?;
        if end.get(..4) != Some(&crc32(&content).to_le_bytes()[..]) {
            return Err("invalid compressed data--crc error");
        }
        out.extend(content);
        data = body.get(used + 8..).unwrap_or_default();
    }
    if first { Err("unexpected end of file") } else { Ok(out) }
}

/// The length of a member's header.
fn header(data: &[u8]) -> Option<usize> {
    let flags = *data.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + usize::from(*data.get(at)?) + (usize::from(*data.get(at + 1)?) << 8);
    }
    for bit in [8, 16] {
        if flags & bit != 0 {
            at += data.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    Some(at + if flags & 2 != 0 { 2 } else { 0 })
}

/// Decompresses the deflate stream at the start of `data`. Returns the content and the compressed length.
fn member(data: &[u8], most: usize) -> Result<(Vec<u8>, usize), &'static str> {
    use inflate::core::{DecompressorOxide, decompress, inflate_flags};
    let mut state = Box::<DecompressorOxide>::default();
    let mut out = vec![0; (data.len() * 4).clamp(256, most.max(256))];
    let (mut read, mut written) = (0, 0);
    loop {
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let piece = data.get(read..).unwrap_or_default();
        let (status, took, gave) = decompress(&mut state, piece, &mut out, written, flags);
        (read, written) = (read + took, written + gave);
        match status {
            inflate::TINFLStatus::Done => {
                out.truncate(written);
                return Ok((out, read));
            }
            inflate::TINFLStatus::HasMoreOutput if out.len() < most => {
                let grown = (out.len() * 2).min(most);
                out.resize(grown, 0);
            }
            inflate::TINFLStatus::HasMoreOutput => return Err("larger than sandbatch keeps"),
            inflate::TINFLStatus::NeedsMoreInput | inflate::TINFLStatus::FailedCannotMakeProgress => {
                return Err("unexpected end of file");
            }
            _ => return Err("invalid compressed data--format violated"),
        }
    }
}

/// Decompresses an entry of a zip file.
///
/// # Errors
/// Describes the error.
pub fn inflate_raw(data: &[u8]) -> Result<Vec<u8>, &'static str> {
    member(data, MAX_SIZE).map(|(out, _)| out)
}

/// Whether standard input is read.
pub fn reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&SPEC, argv, 0)
}

/// gzip(1), gunzip(1), zcat(1)
pub fn run(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let format = Format::of_program(cx.name());
    let unpacks = parsed.has('d') || parsed.has('t') || parsed.has('l') || cx.name() != format.name;
    let to_stdout = parsed.has('c') || cx.name() == format.unpackers[1];
    let files = if parsed.operands.is_empty() { vec!["-".to_owned()] } else { parsed.operands.clone() };
    if parsed.has('l') {
        cx.line("         compressed        uncompressed  ratio uncompressed_name");
    }
    let mut code = 0;
    for file in &files {
        let done = if file == "-" {
            stream(cx, &parsed, stdin, unpacks)
        } else {
            one(cx, &parsed, file, unpacks, to_stdout)
        };
        code = code.max(done);
    }
    code
}

fn level(parsed: &ParsedFlags) -> u8 {
    parsed.last_of("123456789").and_then(|c| c.to_digit(10)).and_then(|n| u8::try_from(n).ok()).unwrap_or(6)
}

fn stream(cx: &mut Cx, parsed: &ParsedFlags, data: &[u8], unpacks: bool) -> u8 {
    if unpacks {
        return match Format::of_program(cx.name()).unpack(data) {
            Ok(content) => {
                if !parsed.has('t') {
                    cx.out.extend(content);
                }
                0
            }
            Err(why) => {
                cx.complain("");
                cx.error(&format!("stdin: {why}"));
                1
            }
        };
    }
    if cx.is_tty(STDOUT) && !parsed.has('f') {
        cx.error("compressed data not written to a terminal. Use -f to force compression.");
        cx.complain(&format!("For help, type: {} -h", cx.name()));
        return 1;
    }
    let packed = Format::of_program(cx.name()).pack(data, level(parsed));
    cx.out.extend(packed);
    0
}

/// The name of the result; none if the suffix shows that there is nothing to do.
fn result_name(cx: &mut Cx, file: &str, unpacks: bool) -> Option<String> {
    let [suffix, of_tar] = Format::of_program(cx.name()).suffixes;
    if !unpacks {
        if let Some(suffix) = [suffix, of_tar].into_iter().find(|suffix| file.ends_with(suffix)) {
            cx.error(&format!("{file} already has {suffix} suffix -- unchanged"));
            return None;
        }
        return Some(format!("{file}{suffix}"));
    }
    let stem = file.strip_suffix(suffix).or_else(|| file.strip_suffix(".z")).map(str::to_owned);
    let stem = stem.or_else(|| file.strip_suffix(of_tar).map(|stem| format!("{stem}.tar")));
    if stem.is_none() {
        cx.error(&format!("{file}: unknown suffix -- ignored"));
    }
    stem
}

fn one(cx: &mut Cx, parsed: &ParsedFlags, file: &str, unpacks: bool, to_stdout: bool) -> u8 {
    let uid = cx.uid();
    let mut file = file.to_owned();
    let mut found = cx.kernel.fs.lstat(uid, &cx.path(&file));
    if unpacks && found.is_err() {
        // `gunzip x` means x.gz.
        let named = format!("{file}{}", Format::of_program(cx.name()).suffixes[0]);
        if let Ok(stat) = cx.kernel.fs.lstat(uid, &cx.path(&named)) {
            (file, found) = (named, Ok(stat));
        }
    }
    let stat = match found {
        Ok(stat) => stat,
        Err(errno) => {
            cx.error(&format!("{file}: {errno}"));
            return 1;
        }
    };
    if stat.kind == FileKind::Dir {
        if parsed.has('r') {
            let names = cx.kernel.fs.list(uid, &cx.path(&file)).unwrap_or_default();
            return names
                .iter()
                .map(|name| one(cx, parsed, &format!("{file}/{name}"), unpacks, to_stdout))
                .max()
                .unwrap_or(0);
        }
        cx.error(&format!("{file} is a directory -- ignored"));
        return 2;
    }
    let data = match cx.read_file(&file) {
        Ok(data) => data,
        Err(errno) => {
            cx.error(&format!("{file}: {errno}"));
            return 1;
        }
    };
    let quiet = parsed.has('t') || parsed.has('l') || to_stdout;
    let target = if quiet { None } else { result_name(cx, &file, unpacks) };
    if target.is_none() && !quiet {
        return 2;
    }
    let format = Format::of_program(cx.name());
    let content = if unpacks { format.unpack(&data) } else { Ok(format.pack(&data, level(parsed))) };
    let content = match content {
        Ok(content) => content,
        Err(why) => {
            cx.complain("");
            cx.error(&format!("{file}: {why}"));
            return 1;
        }
    };
    if parsed.has('l') {
        let (packed, whole) = (data.len(), content.len());
        let saved = 1000_u64.saturating_sub(packed as u64 * 1000 / (whole as u64).max(1));
        let name = file.strip_suffix(format.suffixes[0]).unwrap_or(&file);
        cx.line(&format!("{packed:>19} {whole:>19} {:>3}.{}% {name}", saved / 10, saved % 10));
        return 0;
    }
    let Some(target) = target else {
        if !parsed.has('t') {
            cx.out.extend(content);
        }
        return 0;
    };
    match replace(cx, parsed, &file, &target, &content, &stat) {
        Ok(()) => {
            if parsed.has('v') {
                let verb = if parsed.has('k') { "created" } else { "replaced with" };
                cx.complain(&format!("{file}:\t -- {verb} {target}"));
            }
            0
        }
        Err((name, errno)) => {
            cx.error(&format!("{name}: {errno}"));
            1
        }
    }
}

fn replace(
    cx: &mut Cx,
    parsed: &ParsedFlags,
    file: &str,
    target: &str,
    content: &[u8],
    stat: &host::fs::Stat,
) -> Result<(), (String, Errno)> {
    let (uid, now) = (cx.uid(), cx.now);
    let (from, to) = (cx.path(file), cx.path(target));
    let named = |name: &str| {
        let name = name.to_owned();
        move |errno| (name, errno)
    };
    if cx.kernel.fs.lstat(uid, &to).is_ok() && !parsed.has('f') {
        return Err((target.to_owned(), Errno::EEXIST));
    }
    cx.kernel.fs.write(uid, &to, content, stat.mode, now).map_err(named(target))?;
    // The metadata of another user's file is left unchanged if it cannot be set.
    let _ = cx.kernel.fs.touch(uid, &to, stat.mtime);
    // zstd keeps its source files.
    if !parsed.has('k') && (!cx.name().contains("zst") || parsed.has('R')) {
        cx.kernel.fs.unlink(uid, &from, now).map_err(named(file))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn compressed_files_round_trip() {
        let text = "hello hello hello hello\n".repeat(50);
        let mut host = Host::with(&[("a", &text), ("b", "plain")]);
        assert_eq!(host.out(&["gzip", "a"]), "");
        assert_eq!(host.run(&["cat", "a"]).code, 1);
        assert_eq!(host.out(&["zcat", "a.gz"]), text);
        assert_eq!(host.out(&["gunzip", "-k", "a.gz"]), "");
        assert_eq!(host.cat("a"), text);
        assert_eq!(host.run(&["gunzip", "a.gz"]).err, "gunzip: a: File exists\n");
        assert_eq!(host.run(&["gunzip", "b"]).err, "gunzip: b: unknown suffix -- ignored\n");
        assert_eq!(host.run(&["zcat", "b"]).err, "\nzcat: b: not in gzip format\n");
        assert_eq!(host.run(&["gzip", "nope"]).err, "gzip: nope: No such file or directory\n");
    }

    #[test]
    fn bad_data() {
        let packed = compress(b"some text, some text", 6);
        for end in 0..packed.len() {
            assert!(decompress(&packed[..end]).is_err(), "{end}");
        }
        for at in 10..packed.len() {
            let mut wrong = packed.clone();
            wrong[at] ^= 0x55;
            // Any result is fine as long as it returns.
            let _ = decompress(&wrong);
        }
        assert_eq!(decompress(&packed).unwrap(), b"some text, some text");
    }
}
