//! base64(1): RFC 4648.

use super::getopt::{self, Spec, contents};
use crate::Cx;
use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};

/// Decodes a group whose end is missing.
const UNPADDED: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
);

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
    let text = STANDARD.encode(&*data).into_bytes();
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

/// Decodes groups of four letters. Groups may follow padding, as in concatenated encodings.
fn decode(cx: &mut Cx, data: &[u8], lenient: bool) -> u8 {
    let letters: Vec<u8> =
        data.iter().copied().filter(|byte| *byte != b'\n' && (!lenient || is_letter(*byte))).collect();
    for group in letters.chunks(4) {
        if let Ok(bytes) = STANDARD.decode(group) {
            cx.out.extend(bytes);
            continue;
        }
        // The valid start of a broken group is written, as GNU does.
        let valid: Vec<u8> =
            group.iter().copied().take_while(|byte| *byte != b'=' && is_letter(*byte)).collect();
        cx.out.extend(UNPADDED.decode(valid).unwrap_or_default());
        cx.error("invalid input");
        return 1;
    }
    0
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        let long = "x".repeat(200);
        for text in ["", "a", "ab", "abc", "hello world\n", &long] {
            host.same(&["base64"], text, &[]);
            host.same(&["base64", "-w0"], text, &[]);
        }
        for text in [
            "aGVsbG8=\n",
            "aGVs\nbG8=",
            "aGVsbG8",
            "a$b",
            "aA==",
            "aA==aA==\n",
            "aA=",
            "a",
            "aGVsb",
            "aGVsbG",
            "aG=s",
            "aGV$",
            "",
        ] {
            host.same(&["base64", "-d"], text, &[]);
        }
    }
}
