//! md5sum(1), sha1sum(1), sha256sum(1), sha512sum(1), cksum(1): RFC 1321, FIPS 180-4, POSIX' CRC.

use super::getopt::{self, Parsed, Spec, contents};
use crate::commands::Cx;

/// Sines of md5, as 32-bit fractions, and rotations.
const MD5_TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// A message in blocks: with the bit 1, zeros, and its length in bits.
fn padded(data: &[u8], block: usize, big: bool) -> Vec<u8> {
    let mut tail = data.get(data.len() - data.len() % block..).unwrap_or_default().to_vec();
    tail.push(0x80);
    let length = if block == 128 { 16 } else { 8 };
    while tail.len() % block != block - length {
        tail.push(0);
    }
    let bits = u64::try_from(data.len()).unwrap_or(0).wrapping_mul(8);
    tail.resize(tail.len() + length - 8, 0);
    tail.extend(if big { bits.to_be_bytes() } else { bits.to_le_bytes() });
    tail
}

/// The blocks of a message, padded.
fn blocks<'d>(data: &'d [u8], tail: &'d [u8], block: usize) -> impl Iterator<Item = &'d [u8]> {
    data.chunks_exact(block).chain(tail.chunks_exact(block))
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

fn md5(data: &[u8]) -> String {
    let mut state: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let tail = padded(data, 64, false);
    let sines: Vec<u32> =
        (1..=64_u32).map(|i| (libm::fabs(libm::sin(f64::from(i))) * 4_294_967_296.0) as u32).collect();
    for block in blocks(data, &tail, 64) {
        let words: Vec<u32> =
            block.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
        let [mut a, mut b, mut c, mut d] = state;
        for (i, sine) in sines.iter().enumerate() {
            let (mix, word) = match i / 16 {
                0 => (b & c | !b & d, i),
                1 => (d & b | !d & c, (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                _ => (c ^ (b | !d), 7 * i % 16),
            };
            let sum = a.wrapping_add(mix).wrapping_add(*sine).wrapping_add(words[word]);
            (a, d, c) = (d, c, b);
            b = b.wrapping_add(sum.rotate_left(MD5_TURNS[i / 16][i % 4]));
        }
        for (old, new) in state.iter_mut().zip([a, b, c, d]) {
            *old = old.wrapping_add(new);
        }
    }
    hex(state.iter().flat_map(|word| word.to_le_bytes()))
}

fn sha1(data: &[u8]) -> String {
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let tail = padded(data, 64, true);
    for block in blocks(data, &tail, 64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|w| u32::from_be_bytes([w[0], w[1], w[2], w[3]])).collect();
        for i in 16..80 {
            words.push((words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in words.iter().enumerate() {
            let (mix, constant) = match i / 20 {
                0 => (b & c | !b & d, 0x5a82_7999_u32),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6),
            };
            let sum = a.rotate_left(5).wrapping_add(mix).wrapping_add(e).wrapping_add(constant);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, sum.wrapping_add(*word));
        }
        for (old, new) in state.iter_mut().zip([a, b, c, d, e]) {
            *old = old.wrapping_add(new);
        }
    }
    hex(state.iter().flat_map(|word| word.to_be_bytes()))
}

/// The first `count` primes.
fn primes(count: usize) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    let mut candidate = 2;
    while found.len() < count {
        if found.iter().all(|prime| candidate % prime != 0) {
            found.push(candidate);
        }
        candidate += 1;
    }
    found
}

/// The first 64 bits of the fraction of a number's square or cube root.
fn root_fraction(number: u64, cubic: bool) -> u64 {
    // The largest r with r^2 <= n * 2^128 (r^3 <= n * 2^192), bit by bit; its low 64 bits are the fraction.
    let fits = |root: u128| {
        let (high, low) = (root >> 64, root & u128::from(u64::MAX));
        // root = high + low / 2^64 with a small high: powers in pieces of 64 bits.
        let square = product(&[low as u64, high as u64], &[low as u64, high as u64]);
        let power = if cubic { product(&square, &[low as u64, high as u64]) } else { square };
        let limit = if cubic { vec![0, 0, 0, number] } else { vec![0, 0, number] };
        !greater(&power, &limit)
    };
    let mut root: u128 = 0;
    for bit in (0..70).rev() {
        if fits(root | 1 << bit) {
            root |= 1 << bit;
        }
    }
    root as u64
}

/// A product of numbers in pieces of 64 bits, the lowest first.
fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0_u64; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0_u128;
        for (j, y) in b.iter().enumerate() {
            let sum = u128::from(*x) * u128::from(*y) + u128::from(out[i + j]) + carry;
            out[i + j] = sum as u64;
            carry = sum >> 64;
        }
        out[i + b.len()] = carry as u64;
    }
    out
}

fn greater(a: &[u64], b: &[u64]) -> bool {
    let length = a.len().max(b.len());
    let piece = |n: &[u64], at: usize| n.get(at).copied().unwrap_or(0);
    (0..length)
        .rev()
        .map(|at| piece(a, at).cmp(&piece(b, at)))
        .find(|order| order.is_ne())
        .is_some_and(std::cmp::Ordering::is_gt)
}

fn sha256(data: &[u8]) -> String {
    let mut state: Vec<u32> = primes(8).iter().map(|p| (root_fraction(*p, false) >> 32) as u32).collect();
    let constants: Vec<u32> = primes(64).iter().map(|p| (root_fraction(*p, true) >> 32) as u32).collect();
    let tail = padded(data, 64, true);
    for block in blocks(data, &tail, 64) {
        let mut w: Vec<u32> =
            block.chunks_exact(4).map(|w| u32::from_be_bytes([w[0], w[1], w[2], w[3]])).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = state.clone();
        for (constant, word) in constants.iter().zip(&w) {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = v[4] & v[5] ^ !v[4] & v[6];
            let t1 = v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(*constant).wrapping_add(*word);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let major = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2];
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0).wrapping_add(major);
        }
        for (old, new) in state.iter_mut().zip(v) {
            *old = old.wrapping_add(new);
        }
    }
    hex(state.iter().flat_map(|word| word.to_be_bytes()))
}

fn sha512(data: &[u8]) -> String {
    let mut state: Vec<u64> = primes(8).iter().map(|p| root_fraction(*p, false)).collect();
    let constants: Vec<u64> = primes(80).iter().map(|p| root_fraction(*p, true)).collect();
    let tail = padded(data, 128, true);
    for block in blocks(data, &tail, 128) {
        let word = |w: &[u8]| w.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let mut w: Vec<u64> = block.chunks_exact(8).map(word).collect();
        for i in 16..80 {
            let s0 = w[i - 15].rotate_right(1) ^ w[i - 15].rotate_right(8) ^ (w[i - 15] >> 7);
            let s1 = w[i - 2].rotate_right(19) ^ w[i - 2].rotate_right(61) ^ (w[i - 2] >> 6);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v = state.clone();
        for (constant, word) in constants.iter().zip(&w) {
            let s1 = v[4].rotate_right(14) ^ v[4].rotate_right(18) ^ v[4].rotate_right(41);
            let choice = v[4] & v[5] ^ !v[4] & v[6];
            let t1 = v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(*constant).wrapping_add(*word);
            let s0 = v[0].rotate_right(28) ^ v[0].rotate_right(34) ^ v[0].rotate_right(39);
            let major = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2];
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0).wrapping_add(major);
        }
        for (old, new) in state.iter_mut().zip(v) {
            *old = old.wrapping_add(new);
        }
    }
    hex(state.iter().flat_map(|word| word.to_be_bytes()))
}

/// The CRC of cksum(1): over the bytes, then over the length's bytes, the lowest first.
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

/// The digest that a command's name means.
fn digest(name: &str, data: &[u8]) -> String {
    match name {
        "md5sum" => md5(data),
        "sha1sum" => sha1(data),
        "sha512sum" => sha512(data),
        _ => sha256(data),
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

/// md5sum(1) and its relatives
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

/// `-c`: the sums of a list.
fn check(cx: &mut Cx, parsed: &Parsed, list: &str, data: &[u8]) -> u8 {
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
    use crate::commands::testing::Host;

    #[test]
    fn sums_as_the_real_ones() {
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
