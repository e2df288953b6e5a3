//! od(1), xxd(1), strings(1), shuf(1), split(1): dumping, shuffling and splitting files.

use super::getopt::{self, Spec, contents};
use super::sizes::amount;
use crate::Cx;
use base::pad;
use host::Errno;
use host::kernel::OpenFlags;

/// The contents of all files, joined. Unreadable files were reported.
fn joined(cx: &mut Cx, files: &[String], stdin: &[u8]) -> (Vec<u8>, u8) {
    let (mut all, mut code) = (Vec::new(), 0);
    for (file, data) in contents(cx, files, stdin) {
        match data {
            Ok(data) => all.extend_from_slice(&data),
            Err(errno) => {
                cx.error(&format!("{file}: {errno}"));
                code = 1;
            }
        }
    }
    (all, code)
}

const OD: Spec = Spec {
    short: "A:t:N:j:w::vcbxdo",
    long: &[
        ("address-radix", 'A'),
        ("format", 't'),
        ("read-bytes", 'N'),
        ("skip-bytes", 'j'),
        ("width", 'w'),
        ("output-duplicates", 'v'),
    ],
    usage: 1,
};

/// Whether od reads standard input.
pub fn od_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&OD, argv, 0)
}

/// od(1), with one format: `-c`, `-b`, `-x`, `-d`, `-o`, `-t x1|x2|x4|u1|d1|o1|c`.
pub fn od(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &OD) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let format = match parsed.last_of("tcbxdo") {
        Some('t') => parsed.value('t').unwrap_or("o2").to_owned(),
        Some('c') => "c".to_owned(),
        Some('b') => "o1".to_owned(),
        Some('x') => "x2".to_owned(),
        Some('d') => "u2".to_owned(),
        Some(_) | None => "o2".to_owned(),
    };
    let (letter, size) = format.split_at_checked(1).unwrap_or(("o", "2"));
    let size: usize = match (letter, size) {
        ("c" | "a", "") => 1,
        ("x" | "u" | "d" | "o", "") => 4,
        ("x" | "u" | "d" | "o", "1" | "2" | "4" | "8") => size.parse().unwrap_or(1),
        _ => {
            cx.error(&format!("invalid type string '{format}'"));
            return 1;
        }
    };
    let (mut data, code) = joined(cx, &parsed.operands, stdin);
    let number = |letter: char| parsed.value(letter).and_then(amount).and_then(|n| usize::try_from(n).ok());
    let skip = number('j').unwrap_or(0).min(data.len());
    data.drain(..skip);
    data.truncate(number('N').unwrap_or(usize::MAX));
    let width = number('w').filter(|w| *w > 0 && w.is_multiple_of(size)).unwrap_or(16);
    let address = |at: usize| match parsed.value('A') {
        Some("n") => String::new(),
        Some("x") => format!("{at:06x}"),
        Some("d") => format!("{at:07}"),
        Some(_) | None => format!("{at:07o}"),
    };
    let (mut last, mut starred) = (None, false);
    for (row, bytes) in data.chunks(width).enumerate() {
        if last == Some(bytes) && bytes.len() == width && !parsed.has('v') {
            if !std::mem::replace(&mut starred, true) {
                cx.line("*");
            }
            continue;
        }
        (last, starred) = (Some(bytes), false);
        let cells: String = bytes.chunks(size).map(|cell| od_cell(letter, size, cell)).collect();
        cx.line(&format!("{}{cells}", address(skip + row * width)));
    }
    if parsed.value('A') != Some("n") {
        cx.line(&address(skip + data.len()));
    }
    code
}

fn od_cell(letter: &str, size: usize, bytes: &[u8]) -> String {
    let value = bytes.iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
    match (letter, size) {
        ("c", _) => {
            let byte = bytes.first().copied().unwrap_or(0);
            let text = match byte {
                0 => "\\0".to_owned(),
                7 => "\\a".to_owned(),
                8 => "\\b".to_owned(),
                9 => "\\t".to_owned(),
                10 => "\\n".to_owned(),
                11 => "\\v".to_owned(),
                12 => "\\f".to_owned(),
                13 => "\\r".to_owned(),
                32..127 => char::from(byte).to_string(),
                _ => format!("{byte:03o}"),
            };
            format!("{text:>4}")
        }
        ("x", _) => format!(" {}", pad::zeros(format_args!("{value:x}"), 2 * size)),
        ("o", _) => format!(" {}", pad::zeros(format_args!("{value:o}"), (8 * size).div_ceil(3))),
        ("u", _) => format!(" {}", pad::right(value, [3, 5, 0, 10, 0, 0, 0, 20][size - 1])),
        _ => {
            let shift = 64 - 8 * size;
            let signed = (value << shift).cast_signed() >> shift;
            format!(" {}", pad::right(signed, [4, 6, 0, 11, 0, 0, 0, 20][size - 1]))
        }
    }
}

const XXD: Spec = Spec { short: "pl:s:c:g:ur", long: &[], usage: 1 };

/// Whether xxd reads standard input.
pub fn xxd_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&XXD, argv, 0)
}

/// xxd(1) and `hexdump -C`.
pub fn xxd(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &XXD) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has('r') {
        cx.error("-r is not simulated in sandbatch");
        return 1;
    }
    let (mut data, code) = joined(cx, &parsed.operands, stdin);
    let number = |letter: char| parsed.value(letter).and_then(amount).and_then(|n| usize::try_from(n).ok());
    let skip = number('s').unwrap_or(0).min(data.len());
    data.drain(..skip);
    data.truncate(number('l').unwrap_or(usize::MAX));
    let plain = parsed.has('p');
    let width = number('c').filter(|w| *w > 0 && *w <= 256).unwrap_or(if plain { 30 } else { 16 });
    let group = number('g').filter(|g| *g > 0).unwrap_or(2);
    for (row, bytes) in data.chunks(width).enumerate() {
        let hex: Vec<String> =
            bytes.chunks(if plain { width } else { group }).map(|g| hex(g, parsed.has('u'))).collect();
        if plain {
            cx.line(&hex.concat());
            continue;
        }
        let room = 2 * width + width.div_ceil(group);
        let text: String = bytes.iter().map(|b| printable(*b)).collect();
        cx.line(&format!("{:08x}: {} {text}", skip + row * width, pad::left(hex.join(" "), room)));
    }
    code
}

fn hex(bytes: &[u8], upper: bool) -> String {
    bytes.iter().map(|byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") }).collect()
}

fn printable(byte: u8) -> char {
    if (32..127).contains(&byte) { char::from(byte) } else { '.' }
}

const HEXDUMP: Spec = Spec { short: "Cn:s:v", long: &[("canonical", 'C')], usage: 1 };

/// Whether hexdump reads standard input.
pub fn hexdump_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&HEXDUMP, argv, 0)
}

/// hexdump(1): `-C`, or words of two bytes.
pub fn hexdump(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &HEXDUMP) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let canonical = parsed.has('C');
    let (mut data, code) = joined(cx, &parsed.operands, stdin);
    let number = |letter: char| parsed.value(letter).and_then(amount).and_then(|n| usize::try_from(n).ok());
    let skip = number('s').unwrap_or(0).min(data.len());
    data.drain(..skip);
    data.truncate(number('n').unwrap_or(usize::MAX));
    let (mut last, mut starred) = (None, false);
    for (row, bytes) in data.chunks(16).enumerate() {
        if last == Some(bytes) && bytes.len() == 16 && !parsed.has('v') {
            if !std::mem::replace(&mut starred, true) {
                cx.line("*");
            }
            continue;
        }
        (last, starred) = (Some(bytes), false);
        let at = skip + 16 * row;
        if canonical {
            let half = |part: &[u8]| part.iter().map(|b| format!("{b:02x} ")).collect::<String>();
            let (first, second) = bytes.split_at(bytes.len().min(8));
            let text: String = bytes.iter().map(|b| printable(*b)).collect();
            cx.line(&format!("{at:08x}  {:<24} {:<24} |{text}|", half(first), half(second)));
        } else {
            let words: String = bytes
                .chunks(2)
                .map(|pair| format!(" {:04x}", pair.iter().rev().fold(0_u32, |n, b| n << 8 | u32::from(*b))))
                .collect();
            cx.line(&format!("{at:07x}{words:<40}"));
        }
    }
    if !data.is_empty() {
        let end = skip + data.len();
        cx.line(&if canonical { format!("{end:08x}") } else { format!("{end:07x}") });
    }
    code
}

const STRINGS: Spec = Spec { short: "an:t:", long: &[("all", 'a'), ("bytes", 'n')], usage: 1 };

/// Whether strings reads standard input.
pub fn strings_reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&STRINGS, argv, 0)
}

/// strings(1)
pub fn strings(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &STRINGS) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let least = parsed.value('n').and_then(|n| n.parse().ok()).unwrap_or(4_usize);
    let (data, code) = joined(cx, &parsed.operands, stdin);
    for run in data.split(|byte| !((32..127).contains(byte) || *byte == b'\t')) {
        if run.len() >= least.max(1) {
            cx.line(&String::from_utf8_lossy(run));
        }
    }
    code
}

const SHUF: Spec = Spec {
    short: "ei:n:o:rz",
    long: &[
        ("echo", 'e'),
        ("input-range", 'i'),
        ("head-count", 'n'),
        ("output", 'o'),
        ("repeat", 'r'),
        ("random-source", 'S'),
    ],
    usage: 1,
};

/// Whether shuf reads standard input.
pub fn shuf_reads(argv: &[String]) -> bool {
    let asks = getopt::scan(&SHUF, argv.get(1..).unwrap_or_default());
    asks.is_ok_and(|parsed| !parsed.has('e') && !parsed.has('i')) && getopt::reads_stdin(&SHUF, argv, 0)
}

/// shuf(1), with random numbers from `/dev/urandom`, which are the same in every replay.
pub fn shuf(cx: &mut Cx, stdin: &[u8]) -> u8 {
    const MOST: u64 = 10_000_000;
    let parsed = match getopt::parse(cx, &SHUF) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut code = 0;
    let mut lines: Vec<String> = if parsed.has('e') {
        parsed.operands.clone()
    } else if let Some(range) = parsed.value('i') {
        let ends =
            range.split_once('-').and_then(|(a, b)| Some((a.parse::<u64>().ok()?, b.parse::<u64>().ok()?)));
        match ends.filter(|(low, high)| low <= high && high - low < MOST) {
            Some((low, high)) => (low..=high).map(|n| n.to_string()).collect(),
            None => {
                cx.error(&format!("invalid input range: '{range}'"));
                return 1;
            }
        }
    } else {
        let (data, wrong) = joined(cx, &parsed.operands, stdin);
        code = wrong;
        String::from_utf8_lossy(&data).lines().map(str::to_owned).collect()
    };
    let count = match parsed.value('n').map(str::parse::<usize>) {
        Some(Ok(count)) => count,
        Some(Err(_)) => {
            cx.error(&format!("invalid line count: '{}'", parsed.value('n').unwrap_or_default()));
            return 1;
        }
        None if parsed.has('r') => usize::MAX,
        None => lines.len(),
    };
    let mut out = Vec::new();
    if parsed.has('r') {
        for _ in 0..count.min(1_000_000).min(if lines.is_empty() { 0 } else { usize::MAX }) {
            let at = cx.kernel.random_below(lines.len());
            out.push(lines[at].clone());
        }
    } else {
        while out.len() < count && !lines.is_empty() {
            let at = cx.kernel.random_below(lines.len());
            out.push(lines.swap_remove(at));
        }
    }
    let text: String = out.iter().map(|line| format!("{line}\n")).collect();
    match parsed.value('o').map(str::to_owned) {
        Some(file) => {
            if let Err(errno) = cx.write_file(&file, text.as_bytes()) {
                cx.error(&format!("{file}: {errno}"));
                return 1;
            }
        }
        None => cx.print(&text),
    }
    code
}

const SPLIT: Spec = Spec {
    short: "l:b:n:da:C:",
    long: &[
        ("lines", 'l'),
        ("bytes", 'b'),
        ("number", 'n'),
        ("numeric-suffixes", 'd'),
        ("suffix-length", 'a'),
        ("additional-suffix", 'S'),
    ],
    usage: 1,
};

/// Whether split reads standard input. Its second operand is not an input file.
pub fn split_reads(argv: &[String]) -> bool {
    getopt::scan(&SPLIT, argv.get(1..).unwrap_or_default())
        .is_ok_and(|parsed| parsed.operands.first().is_none_or(|file| file == "-"))
}

/// split(1): by lines, by bytes, or into a number of pieces (`-n 4`, `-n l/4`).
pub fn split(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPLIT) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let (data, code) = joined(cx, parsed.operands.get(..1).unwrap_or_default(), stdin);
    if code != 0 {
        return code;
    }
    let prefix = parsed.operands.get(1).map_or("x", String::as_str).to_owned();
    let number = |letter: char| parsed.value(letter).map(|text| amount(text).filter(|n| *n > 0));
    let pieces: Vec<&[u8]> = if let Some(size) = number('b') {
        let Some(size) = size.and_then(|n| usize::try_from(n).ok()) else {
            cx.error(&format!("invalid number of bytes: '{}'", parsed.value('b').unwrap_or_default()));
            return 1;
        };
        data.chunks(size).collect()
    } else if let Some(text) = parsed.value('n') {
        let count = text.trim_start_matches("l/").parse::<usize>().ok().filter(|n| (1..=100_000).contains(n));
        let Some(count) = count else {
            cx.error(&format!("invalid number of chunks: '{text}'"));
            return 1;
        };
        chunks(&data, count, text.starts_with("l/"))
    } else {
        let Some(lines) = number('l').unwrap_or(Some(1000)).and_then(|n| usize::try_from(n).ok()) else {
            cx.error(&format!("invalid number of lines: '{}'", parsed.value('l').unwrap_or_default()));
            return 1;
        };
        let all: Vec<&[u8]> = data.split_inclusive(|byte| *byte == b'\n').collect();
        let mut start = 0;
        all.chunks(lines)
            .map(|piece| {
                let length: usize = piece.iter().map(|line| line.len()).sum();
                let piece = &data[start..start + length];
                start += length;
                piece
            })
            .collect()
    };
    let width = parsed.value('a').and_then(|a| a.parse().ok()).unwrap_or(2_usize).clamp(1, 10);
    for (at, piece) in pieces.iter().enumerate() {
        let Some(suffix) = suffix(at, width, parsed.has('d')) else {
            cx.error("output file suffixes exhausted");
            return 1;
        };
        let name = format!("{prefix}{suffix}");
        let flags = OpenFlags { write: true, create: true, truncate: true, ..OpenFlags::default() };
        let done: Result<(), Errno> = cx.open(&name, flags).and_then(|fd| {
            let wrote = cx.kernel.write(cx.pid, fd, piece, cx.now).map(drop);
            cx.kernel.close(cx.pid, fd)?;
            wrote
        });
        if let Err(errno) = done {
            cx.error(&format!("{name}: {errno}"));
            return 1;
        }
    }
    0
}

/// This many pieces of about the same size. With `lines`, only between lines.
fn chunks(data: &[u8], count: usize, lines: bool) -> Vec<&[u8]> {
    let mut start = 0;
    (1..=count)
        .map(|at| {
            let mut end = (data.len() * at / count).max(start);
            if lines && end > start && end < data.len() && data[end - 1] != b'\n' {
                end += data[end..].iter().position(|b| *b == b'\n').map_or(data.len() - end, |n| n + 1);
            }
            let piece = &data[start..end];
            start = end;
            piece
        })
        .collect()
}

/// `aa`, `ab` ..., or `00`, `01` ...
fn suffix(mut number: usize, width: usize, digits: bool) -> Option<String> {
    let (first, base) = if digits { (b'0', 10) } else { (b'a', 26) };
    let mut text = Vec::new();
    for _ in 0..width {
        text.push(char::from(first + u8::try_from(number % base).unwrap_or(0)));
        number /= base;
    }
    (number == 0).then(|| text.iter().rev().collect())
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_programs() {
        let long = "0123456789abcdef".repeat(5);
        let files = [("a", "hello\tworld\n\u{e9}\x01"), ("b", long.as_str()), ("e", "")];
        let mut host = Host::with(&files);
        for argv in [
            &["od", "a"][..],
            &["od", "-c", "a"],
            &["od", "-An", "-tx1", "a"],
            &["od", "-x", "b"],
            &["od", "-v", "-b", "b"],
            &["od", "-A", "d", "-t", "u1", "-N", "5", "a"],
            &["od", "-t", "d2", "a"],
            &["od", "e"],
            &["xxd", "a"],
            &["xxd", "-p", "b"],
            &["xxd", "-c", "8", "-g", "1", "a"],
            &["xxd", "-l", "3", "-s", "2", "-u", "b"],
            &["hexdump", "-C", "a"],
            &["hexdump", "a"],
            &["hexdump", "-C", "b"],
            &["hexdump", "e"],
            &["strings", "a"],
            &["strings", "-n", "3", "b"],
        ] {
            host.same(argv, "", &files);
        }
        host.same(&["strings"], "ab\0abcd\0efghi\n", &[]);
    }

    #[test]
    fn shuffled_and_split() {
        let mut host = Host::with(&[("n", "1\n2\n3\n4\n5\n")]);
        let mut dealt: Vec<String> = host.out(&["shuf", "n"]).lines().map(str::to_owned).collect();
        base::order::StableSort::order(dealt.as_mut_slice());
        assert_eq!(dealt, ["1", "2", "3", "4", "5"]);
        assert_eq!(host.out(&["shuf", "-n", "2", "-e", "a", "b", "c"]).lines().count(), 2);
        assert_eq!(host.out(&["shuf", "-i", "7-7"]), "7\n");
        assert_eq!(host.run(&["shuf", "-i", "9-7"]).err, "shuf: invalid input range: '9-7'\n");
        host.out(&["split", "-l", "2", "n", "p-"]);
        assert_eq!((host.cat("p-aa"), host.cat("p-ac")), ("1\n2\n".to_owned(), "5\n".to_owned()));
        host.out(&["split", "-d", "-n", "l/2", "n", "q"]);
        assert_eq!(host.cat("q00") + &host.cat("q01"), "1\n2\n3\n4\n5\n");
        assert_eq!(host.run(&["split", "-l", "0", "n"]).err, "split: invalid number of lines: '0'\n");
    }
}
