//! md5sum(1), sha1sum(1), sha256sum(1), sha512sum(1), cksum(1): RFC 1321, FIPS 180-4, the CRC of POSIX.
//!
//! Data is hashed as it arrives. None of these commands keeps a file in memory.

use super::getopt::{self, Spec};
use super::input::{InputFiles, InputItem};
use crate::{Cx, UnixMachine};
use host::{SliceEnd, Status};
use md5::Md5;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha1::Sha1;
use sha2::digest::common::hazmat::SerializableState;
use sha2::{Digest as _, Sha256, Sha512};

/// Bytes hashed per slice.
const SLICE_BYTES: usize = 1 << 15;
/// Lines, files and chunks per slice.
const SLICE_ITEMS: u32 = 1_000;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The remainders of all bytes.
const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = ((byte as u32) << 24, 0);
        while bit < 8 {
            crc = if crc >> 31 == 1 { crc << 1 ^ 0x04c1_1db7 } else { crc << 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// The CRC of cksum(1): over the bytes, then over the bytes of the length, lowest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Crc {
    sum: u32,
    length: u64,
}

impl Crc {
    fn byte(&mut self, byte: u8) {
        let [first, ..] = self.sum.to_be_bytes();
        self.sum = self.sum << 8 ^ CRC_TABLE[usize::from(first ^ byte)];
    }

    fn update(&mut self, data: &[u8]) {
        self.length += u64::try_from(data.len()).unwrap_or(0);
        for byte in data {
            self.byte(*byte);
        }
    }

    /// The checksum and the length.
    fn text(mut self) -> String {
        let mut length = self.length;
        while length > 0 {
            self.byte((length & 255) as u8);
            length >>= 8;
        }
        format!("{} {}", !self.sum, self.length)
    }
}

/// A hash function and the data so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Hasher {
    Md5(#[serde(serialize_with = "save", deserialize_with = "load")] Md5),
    Sha1(#[serde(serialize_with = "save", deserialize_with = "load")] Sha1),
    Sha256(#[serde(serialize_with = "save", deserialize_with = "load")] Sha256),
    Sha512(#[serde(serialize_with = "save", deserialize_with = "load")] Sha512),
    Crc(Crc),
}

fn save<S: Serializer, H: SerializableState>(hasher: &H, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(&hasher.serialize())
}

fn load<'de, D: Deserializer<'de>, H: SerializableState>(deserializer: D) -> Result<H, D::Error> {
    let bytes = Vec::<u8>::deserialize(deserializer)?;
    let state = bytes.as_slice().try_into().map_err(serde::de::Error::custom)?;
    H::deserialize(state).map_err(serde::de::Error::custom)
}

impl Hasher {
    /// The hash function of a command.
    fn of(name: &str) -> Self {
        match name {
            "cksum" => Self::Crc(Crc::default()),
            "md5sum" => Self::Md5(Md5::new()),
            "sha1sum" => Self::Sha1(Sha1::new()),
            "sha512sum" => Self::Sha512(Sha512::new()),
            _ => Self::Sha256(Sha256::new()),
        }
    }

    fn update(&mut self, data: &[u8]) {
        match self {
            Self::Md5(hasher) => hasher.update(data),
            Self::Sha1(hasher) => hasher.update(data),
            Self::Sha256(hasher) => hasher.update(data),
            Self::Sha512(hasher) => hasher.update(data),
            Self::Crc(crc) => crc.update(data),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Md5(hasher) => hex(&hasher.finalize()),
            Self::Sha1(hasher) => hex(&hasher.finalize()),
            Self::Sha256(hasher) => hex(&hasher.finalize()),
            Self::Sha512(hasher) => hex(&hasher.finalize()),
            Self::Crc(crc) => crc.text(),
        }
    }
}

const SPEC: Spec = Spec {
    short: "bctqswz",
    long: &[
        ("check", 'c'),
        ("binary", 'b'),
        ("text", 't'),
        ("quiet", 'q'),
        ("status", 's'),
        ("warn", 'w'),
        ("zero", 'z'),
    ],
    usage: 1,
};

/// A running command of this module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Digest {
    /// The files to hash, or with `-c` the lists to check.
    input: InputFiles,
    hasher: Hasher,
    mark: char,
    /// cksum(1) without operands prints no name.
    named: bool,
    check: Option<ChecksumLists>,
    code: u8,
}

/// `-c`: verifies the checksums in lists.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "options")]
struct ChecksumLists {
    quiet: bool,
    status: bool,
    /// Whether the list has a checksum.
    any: bool,
    bad: u32,
    missing: u32,
    malformed: u32,
    /// The expected checksum of the file that is being hashed, and the file.
    now: Option<(String, InputFiles)>,
}

/// Starts md5sum(1) and related commands.
pub fn start(cx: &mut Cx) -> UnixMachine {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let check = ChecksumLists { quiet: parsed.has('q'), status: parsed.has('s'), ..ChecksumLists::default() };
    let digest = Digest {
        input: InputFiles::new(&parsed.operands),
        hasher: Hasher::of(cx.name()),
        mark: if parsed.has('b') { '*' } else { ' ' },
        named: true,
        check: parsed.has('c').then_some(check),
        code: 0,
    };
    UnixMachine::Digest(Box::new(digest))
}

/// Starts cksum(1).
pub fn cksum(cx: &mut Cx) -> UnixMachine {
    let digest = Digest {
        input: InputFiles::new(cx.args()),
        hasher: Hasher::of("cksum"),
        mark: ' ',
        named: !cx.args().is_empty(),
        check: None,
        code: 0,
    };
    UnixMachine::Digest(Box::new(digest))
}

impl Digest {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let checked = self.check.as_ref().and_then(|check| check.now.as_ref());
        self.input.memory() + checked.map_or(0, |(_, file)| file.memory())
    }

    /// Processes the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let mut work = SLICE_BYTES;
        for _ in 0..SLICE_ITEMS {
            if work == 0 {
                break;
            }
            let item = match &mut self.check {
                None => self.input.next_chunk(cx),
                Some(ChecksumLists { now: Some((_, file)), .. }) => file.next_chunk(cx),
                Some(_) => self.input.next_line(cx),
            };
            match item {
                InputItem::Chunk(bytes) => {
                    work = work.saturating_sub(bytes.len());
                    self.hasher.update(&bytes);
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End if self.check.as_ref().is_none_or(|check| check.now.is_none()) => {
                    return SliceEnd::Exit(Status::Exited(self.code));
                }
                item => match &mut self.check {
                    None => self.file(cx, item),
                    Some(check) if check.now.is_some() => {
                        if check.verify(cx, &mut self.hasher, item) {
                            check.now = None;
                        }
                    }
                    Some(check) => self.code |= check.list(cx, self.input.name(), item),
                },
            }
        }
        SliceEnd::Again
    }

    /// A file begins, ends or cannot be read.
    fn file(&mut self, cx: &mut Cx, item: InputItem) {
        match item {
            InputItem::Open(_) => self.hasher = Hasher::of(cx.name()),
            InputItem::Close => {
                let hasher = std::mem::replace(&mut self.hasher, Hasher::of(cx.name()));
                let (sum, mark, file) = (hasher.text(), self.mark, self.input.name());
                match (cx.name() == "cksum", self.named) {
                    (false, _) => cx.line(&format!("{sum} {mark}{file}")),
                    (true, true) => cx.line(&format!("{sum} {file}")),
                    (true, false) => cx.line(&sum),
                }
            }
            InputItem::Failed(file, errno) => {
                cx.error(&format!("{file}: {errno}"));
                self.code = 1;
            }
            InputItem::Line(..) | InputItem::Chunk(_) | InputItem::Wait(_) | InputItem::End => {}
        }
    }
}

impl ChecksumLists {
    /// A list begins, goes on, ends or cannot be read. Returns the exit code for it.
    fn list(&mut self, cx: &mut Cx, list: &str, item: InputItem) -> u8 {
        match item {
            InputItem::Open(_) => {
                let (quiet, status) = (self.quiet, self.status);
                *self = Self { quiet, status, ..Self::default() };
            }
            InputItem::Line(line, _) => {
                let length = Hasher::of(cx.name()).text().len();
                let line = String::from_utf8_lossy(&line);
                let line = line.strip_suffix('\r').unwrap_or(&line);
                let parts = line.split_once(' ').filter(|(sum, file)| sum.len() == length && file.len() > 1);
                match parts {
                    Some((sum, file)) => {
                        let file = file.get(1..).unwrap_or_default().to_owned();
                        self.any = true;
                        self.now = Some((sum.to_owned(), InputFiles::new(&[file])));
                    }
                    None => self.malformed += 1,
                }
            }
            InputItem::Close => return self.end(cx, list),
            InputItem::Failed(file, errno) => {
                cx.error(&format!("{file}: {errno}"));
                return 1;
            }
            InputItem::Chunk(_) | InputItem::Wait(_) | InputItem::End => {}
        }
        0
    }

    /// A listed file begins, ends or cannot be read. Returns whether it is done.
    fn verify(&mut self, cx: &mut Cx, hasher: &mut Hasher, item: InputItem) -> bool {
        let Some((sum, file)) = &self.now else { return true };
        match item {
            InputItem::Open(_) => *hasher = Hasher::of(cx.name()),
            InputItem::Close => {
                let hasher = std::mem::replace(hasher, Hasher::of(cx.name()));
                let ok = hasher.text().eq_ignore_ascii_case(sum);
                self.bad += u32::from(!ok);
                if !(self.status || ok && self.quiet) {
                    cx.line(&format!("{}: {}", file.name(), if ok { "OK" } else { "FAILED" }));
                }
                return true;
            }
            InputItem::Failed(file, errno) => {
                cx.error(&format!("{file}: {errno}"));
                self.missing += 1;
                if !self.status {
                    cx.line(&format!("{file}: FAILED open or read"));
                }
                return true;
            }
            InputItem::Line(..) | InputItem::Chunk(_) | InputItem::Wait(_) => {}
            InputItem::End => return true,
        }
        false
    }

    /// Summarises a list. Returns the exit code for it.
    fn end(&self, cx: &mut Cx, list: &str) -> u8 {
        let list = if list == "-" { "'standard input'" } else { list };
        if !self.any {
            cx.error(&format!("{list}: no properly formatted checksum lines found"));
            return 1;
        }
        if !self.status {
            warn(cx, self.malformed, "line is improperly formatted", "lines are improperly formatted");
            warn(cx, self.missing, "listed file could not be read", "listed files could not be read");
            warn(cx, self.bad, "computed checksum did NOT match", "computed checksums did NOT match");
        }
        u8::from(self.bad + self.missing > 0)
    }
}

fn warn(cx: &mut Cx, count: u32, one: &str, many: &str) {
    if count > 0 {
        cx.error(&format!("WARNING: {count} {}", if count == 1 { one } else { many }));
    }
}

#[cfg(test)]
mod tests {
    use super::Hasher;
    use crate::testing::Host;

    #[test]
    fn data_is_hashed_in_bounded_memory() {
        let long = "0123456789abcdef\n".repeat(200_000);
        let files = [("a", long.as_str()), ("list", "a15ec37c6dd9dd9ea4ca3f36c2b44ff7  a\n")];
        let mut host = Host::with(&files);
        for name in ["md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum"] {
            host.same(&[name], &long, &[]);
            assert!(host.memory < 600_000, "{name}: {}", host.memory);
        }
        host.same(&["md5sum", "-c", "list"], "", &files);
        assert!(host.memory < 600_000, "{}", host.memory);
    }

    /// A session may be saved while data arrives.
    #[test]
    fn a_hash_is_saved_and_goes_on() {
        for name in ["md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum"] {
            let mut whole = Hasher::of(name);
            whole.update(&[b'x'; 1000]);
            let mut hasher = Hasher::of(name);
            for part in [&[b'x'; 100][..], &[b'x'; 899], b"x"] {
                hasher.update(part);
                hasher = postcard::from_bytes(&postcard::to_stdvec(&hasher).unwrap()).unwrap();
            }
            assert_eq!(hasher.text(), whole.text(), "{name}");
        }
    }

    #[test]
    fn same_sums_as_the_real_programs() {
        let long = "0123456789".repeat(100);
        let files =
            [("a", "hello\n"), ("b", ""), ("c", long.as_str()), ("d", &long[..119]), ("e", &long[..55])];
        let mut host = Host::with(&files);
        for name in ["md5sum", "sha1sum", "sha256sum", "sha512sum"] {
            host.same(&[name, "a", "b", "c", "d", "e", "nope"], "", &files);
            host.same(&[name], "text", &files);
        }
        host.same(&["cksum", "a", "b", "c"], "", &files);
        host.same(&["cksum"], "xyz", &files);
        let list = "b1946ac92492d2347c6235b4d2611184  a\nb1946ac92492d2347c6235b4d2611184  b\nx\n";
        let files = [("a", "hello\n"), ("b", ""), ("list", list)];
        let mut host = Host::with(&files);
        for argv in [
            &["md5sum", "-c", "list"][..],
            &["md5sum", "-c", "--quiet", "list"],
            &["md5sum", "-c", "--status", "list"],
            &["md5sum", "-c", "a"],
        ] {
            host.same(argv, "", &files);
        }
    }
}
