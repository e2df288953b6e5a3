//! md5sum(1), sha1sum(1), sha256sum(1), sha512sum(1), cksum(1): RFC 1321, FIPS 180-4, the CRC of POSIX.

use super::getopt::{self, ParsedFlags, Spec, contents};
use crate::Cx;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The CRC of cksum(1): over the bytes, then over the bytes of the length, lowest first.
fn crc(data: &[u8]) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| {
            if crc >> 31 == 1 { crc << 1 ^ 0x04c1_1db7 } else { crc << 1 }
        })
    };
    let mut sum = data.iter().fold(0, |crc, byte| step(crc, *byte));
    let mut length = data.len();
    while length > 0 {
        sum = step(sum, (length & 255) as u8);
        length >>= 8;
    }
    !sum
}

/// The digest for a command's name.
fn digest(name: &str, data: &[u8]) -> String {
    match name {
        "md5sum" => hex(&Md5::digest(data)),
        "sha1sum" => hex(&Sha1::digest(data)),
        "sha512sum" => hex(&Sha512::digest(data)),
        _ => hex(&Sha256::digest(data)),
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

/// Whether standard input is read.
pub fn reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&SPEC, argv, 0)
}

/// md5sum(1) and related commands.
pub fn run(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let name = cx.name().to_owned();
    let mut code = 0;
    for (file, data) in contents(cx, &parsed.operands, stdin) {
        match data {
            Ok(data) if parsed.has('c') => code |= check(cx, &parsed, &file, &data),
            Ok(data) => {
                let sum = digest(&name, &data);
                let mark = if parsed.has('b') { '*' } else { ' ' };
                cx.line(&format!("{sum} {mark}{file}"));
            }
            Err(errno) => {
                cx.error(&format!("{file}: {errno}"));
                code = 1;
            }
        }
    }
    code
}

/// `-c`: verifies the checksums in a list.
fn check(cx: &mut Cx, parsed: &ParsedFlags, list: &str, data: &[u8]) -> u8 {
    let name = cx.name().to_owned();
    let length = digest(&name, b"").len();
    let (mut bad, mut missing, mut malformed, mut any) = (0_u32, 0_u32, 0_u32, false);
    for line in String::from_utf8_lossy(data).lines() {
        let parts = line.split_once(' ').filter(|(sum, file)| sum.len() == length && file.len() > 1);
        let Some((sum, file)) = parts else {
            malformed += 1;
            continue;
        };
        any = true;
        let file = file.get(1..).unwrap_or_default();
        let (ok, silent) = match cx.read_file(file) {
            Ok(data) => (digest(&name, &data).eq_ignore_ascii_case(sum), parsed.has('q')),
            Err(errno) => {
                cx.error(&format!("{file}: {errno}"));
                missing += 1;
                if !parsed.has('s') {
                    cx.line(&format!("{file}: FAILED open or read"));
                }
                continue;
            }
        };
        bad += u32::from(!ok);
        if !(parsed.has('s') || ok && silent) {
            cx.line(&format!("{file}: {}", if ok { "OK" } else { "FAILED" }));
        }
    }
    let list = if list == "-" { "'standard input'" } else { list };
    if !any {
        cx.error(&format!("{list}: no properly formatted checksum lines found"));
        return 1;
    }
    if !parsed.has('s') {
        warn(cx, malformed, "line is improperly formatted", "lines are improperly formatted");
        warn(cx, missing, "listed file could not be read", "listed files could not be read");
        warn(cx, bad, "computed checksum did NOT match", "computed checksums did NOT match");
    }
    u8::from(bad + missing > 0)
}

fn warn(cx: &mut Cx, count: u32, one: &str, many: &str) {
    if count > 0 {
        cx.error(&format!("WARNING: {count} {}", if count == 1 { one } else { many }));
    }
}

/// cksum(1)
pub fn cksum(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let files = cx.args().to_vec();
    let mut code = 0;
    for (file, data) in contents(cx, &files, stdin) {
        match data {
            Ok(data) => {
                let name = if files.is_empty() { String::new() } else { format!(" {file}") };
                cx.line(&format!("{} {}{name}", crc(&data), data.len()));
            }
            Err(errno) => {
                cx.error(&format!("{file}: {errno}"));
                code = 1;
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

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
