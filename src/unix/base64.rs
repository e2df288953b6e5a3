//! base64(1): RFC 4648. Data is encoded or decoded as it arrives.

use super::getopt::{self, Spec};
use super::input::{InputFiles, InputItem};
use crate::{Cx, UnixMachine};
use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use host::{SliceEnd, Status};
use serde::{Deserialize, Serialize};

/// Bytes of input per slice.
const SLICE_BYTES: usize = 1 << 16;

/// Decodes a group whose end is missing.
const UNPADDED: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
);

/// A running base64(1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Base64 {
    input: InputFiles,
    task: Base64Task,
    /// Input that does not fill a group yet: of three bytes, or of four letters.
    rest: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Base64Task {
    /// Lines have `wrap` letters, or there are none (0). `column` letters of the last line are written.
    Encode { wrap: u64, column: u64 },
    /// `lenient` (`-i`) skips other characters.
    Decode { lenient: bool },
}

/// Starts base64(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec =
        Spec { short: "dw:i", long: &[("decode", 'd'), ("wrap", 'w'), ("ignore-garbage", 'i')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let wrap = match parsed.value('w').map_or(Some(76), |text| text.parse::<u64>().ok()) {
        Some(wrap) => wrap,
        None => {
            cx.error(&format!("invalid wrap size: '{}'", parsed.value('w').unwrap_or_default()));
            return UnixMachine::End(1);
        }
    };
    if let Some(extra) = parsed.operands.get(1).cloned() {
        return UnixMachine::End(getopt::extra_operand(cx, &extra));
    }
    let task = if parsed.has('d') {
        Base64Task::Decode { lenient: parsed.has('i') }
    } else {
        Base64Task::Encode { wrap, column: 0 }
    };
    let input = InputFiles::new(&parsed.operands);
    UnixMachine::Base64(Box::new(Base64 { input, task, rest: Vec::new() }))
}

impl Base64 {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.input.memory()
    }

    /// Processes the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let mut work = SLICE_BYTES;
        while work > 0 {
            let code = match self.input.next_chunk(cx) {
                InputItem::Chunk(bytes) => {
                    work = work.saturating_sub(bytes.len());
                    if self.bytes(cx, &bytes) {
                        continue;
                    }
                    1
                }
                InputItem::Open(_) | InputItem::Line(..) | InputItem::Close => continue,
                InputItem::Failed(file, errno) => {
                    cx.error(&format!("{file}: {errno}"));
                    1
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End => u8::from(!self.end(cx)),
            };
            return SliceEnd::Exit(Status::Exited(code));
        }
        SliceEnd::Again
    }

    /// Processes the complete groups. Returns whether the input is valid so far.
    fn bytes(&mut self, cx: &mut Cx, bytes: &[u8]) -> bool {
        match &mut self.task {
            Base64Task::Encode { wrap, column } => {
                self.rest.extend_from_slice(bytes);
                let whole = self.rest.len() / 3 * 3;
                let groups: Vec<u8> = self.rest.drain(..whole).collect();
                put(cx.out, STANDARD.encode(groups).as_bytes(), *wrap, column);
                true
            }
            Base64Task::Decode { lenient } => {
                let letter = |byte: &u8| *byte != b'\n' && (!*lenient || is_letter(*byte));
                self.rest.extend(bytes.iter().copied().filter(letter));
                let whole = self.rest.len() / 4 * 4;
                let groups: Vec<u8> = self.rest.drain(..whole).collect();
                decode(cx, &groups)
            }
        }
    }

    /// Processes the incomplete group. Returns whether the input was valid.
    fn end(&mut self, cx: &mut Cx) -> bool {
        let rest = std::mem::take(&mut self.rest);
        match &mut self.task {
            Base64Task::Encode { wrap, column } => {
                put(cx.out, STANDARD.encode(rest).as_bytes(), *wrap, column);
                if *column > 0 {
                    cx.out.push(b'\n');
                }
                true
            }
            Base64Task::Decode { .. } => decode(cx, &rest),
        }
    }
}

/// Writes letters in lines. `column` stays 0 without lines.
fn put(out: &mut Vec<u8>, mut letters: &[u8], wrap: u64, column: &mut u64) {
    if wrap == 0 {
        out.extend_from_slice(letters);
        return;
    }
    while !letters.is_empty() {
        let room = usize::try_from(wrap - *column).unwrap_or(usize::MAX).min(letters.len());
        let (line, rest) = letters.split_at(room);
        out.extend_from_slice(line);
        letters = rest;
        *column += u64::try_from(line.len()).unwrap_or(0);
        if *column == wrap {
            out.push(b'\n');
            *column = 0;
        }
    }
}

/// Decodes groups of four letters. Groups may follow padding, as in concatenated encodings. Returns whether all are
/// valid.
fn decode(cx: &mut Cx, letters: &[u8]) -> bool {
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
        return false;
    }
    true
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn data_is_encoded_and_decoded_in_bounded_memory() {
        let mut host = Host::default();
        let long = "0123456789abcde\n".repeat(100_001);
        for options in ["-w76", "-w0", "-w100000"] {
            host.same(&["base64", options], &long, &[]);
            assert!(host.memory < 600_000, "{options}: {}", host.memory);
        }
        let encoded = host.run_in(&["base64"], &long).out;
        host.same(&["base64", "-d"], &encoded, &[]);
        assert!(host.memory < 600_000, "{}", host.memory);
    }

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
