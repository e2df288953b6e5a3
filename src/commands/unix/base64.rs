//! base64(1): RFC 4648.

use super::getopt::{self, Spec, contents};
use crate::commands::Cx;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const SPEC: Spec =
    Spec { short: "dw:i", long: &[("decode", 'd'), ("wrap", 'w'), ("ignore-garbage", 'i')], usage: 1 };

/// Whether standard input is read.
pub fn reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&SPEC, argv, 0)
}

/// base64(1)
pub fn run(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let wrap = match parsed.value('w').map_or(Some(76), |text| text.parse::<usize>().ok()) {
        Some(wrap) => wrap,
        None => {
            cx.error(&format!("invalid wrap size: '{}'", parsed.value('w').unwrap_or_default()));
            return 1;
        }
    };
    if let Some(extra) = parsed.operands.get(1).cloned() {
        return getopt::extra_operand(cx, &extra);
    }
    let Some((file, data)) = contents(cx, &parsed.operands, stdin).pop() else { return 1 };
    let data = match data {
        Ok(data) => data,
        Err(errno) => {
            cx.error(&format!("{file}: {errno}"));
            return 1;
        }
    };
    if parsed.has('d') {
        return decode(cx, &data, parsed.has('i'));
    }
    let text = encode(&data);
    if wrap == 0 {
        cx.out.extend_from_slice(&text);
    } else {
        for line in text.chunks(wrap) {
            cx.out.extend_from_slice(line);
            cx.out.push(b'\n');
        }
    }
    0
}

fn encode(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() / 3 * 4 + 4);
    for three in data.chunks(3) {
        let bits = three.iter().fold(0_u32, |n, byte| n << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place > three.len() { b'=' } else { letter });
        }
    }
    out
}

fn decode(cx: &mut Cx, data: &[u8], lenient: bool) -> u8 {
    let (mut bits, mut count, mut ends) = (0_u32, 0, 0);
    let mut ok = true;
    for byte in data.iter().filter(|byte| **byte != b'\n') {
        let value = LETTERS.iter().position(|letter| letter == byte);
        match value.and_then(|value| u32::try_from(value).ok()) {
            Some(value) if ends == 0 => {
                bits = bits << 6 | value;
                count += 1;
            }
            Some(_) => ok = false,
            None if *byte == b'=' => ends += 1,
            None if lenient => {}
            None => ok = false,
        }
        if !ok {
            break;
        }
        if count + ends == 4 {
            let whole = bits << (6 * ends);
            let bytes = [(whole >> 16) as u8, (whole >> 8) as u8, whole as u8];
            ok = ends < 3;
            cx.out.extend(bytes.iter().take(3_usize.saturating_sub(ends)));
            (bits, count, ends) = (0, 0, 0);
        }
    }
    if ok && count == 0 && ends == 0 {
        return 0;
    }
    // What was whole before the mistake is given out.
    let whole = bits << (6 * (4 - count.min(4)));
    cx.out.extend([(whole >> 16) as u8, (whole >> 8) as u8].iter().take(count.saturating_sub(1)));
    cx.error("invalid input");
    1
}

#[cfg(test)]
mod tests {
    use crate::commands::testing::Host;

    #[test]
    fn as_the_real_one() {
        let mut host = Host::default();
        let long = "x".repeat(200);
        for text in ["", "a", "ab", "abc", "hello world\n", &long] {
            host.same(&["base64"], text, &[]);
            host.same(&["base64", "-w0"], text, &[]);
        }
        for text in ["aGVsbG8=\n", "aGVs\nbG8=", "aGVsbG8", "a$b", "aA==", ""] {
            host.same(&["base64", "-d"], text, &[]);
        }
    }
}
