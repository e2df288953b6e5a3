//! uniq(1)

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::{Cx, UnixMachine};
use serde::{Deserialize, Serialize};

/// uniq(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Uniq {
    count: bool,
    repeated: bool,
    all_repeated: bool,
    unique: bool,
    icase: bool,
    fields: u64,
    chars: u64,
    width: Option<u64>,
    group: Option<(Vec<u8>, u64)>,
}

/// Starts uniq(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "cdDuif:s:w:z",
        long: &[
            ("count", 'c'),
            ("repeated", 'd'),
            ("all-repeated", 'D'),
            ("unique", 'u'),
            ("ignore-case", 'i'),
            ("skip-fields", 'f'),
            ("skip-chars", 's'),
            ("check-chars", 'w'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let mut numbers =
        [('f', "fields to skip", None), ('s', "bytes to skip", None), ('w', "bytes to compare", None)];
    for (letter, what, number) in &mut numbers {
        if let Some(text) = parsed.value(*letter) {
            let Ok(value) = text.parse::<u64>() else {
                cx.error(&format!("{text}: invalid number of {what}"));
                return UnixMachine::End(1);
            };
            *number = Some(value);
        }
    }
    if let Some(extra) = parsed.operands.get(2) {
        return UnixMachine::End(getopt::extra_operand(cx, extra));
    }
    let uniq = Uniq {
        count: parsed.has('c'),
        repeated: parsed.has('d'),
        all_repeated: parsed.has('D'),
        unique: parsed.has('u'),
        icase: parsed.has('i'),
        fields: numbers[0].2.unwrap_or(0),
        chars: numbers[1].2.unwrap_or(0),
        width: numbers[2].2,
        group: None,
    };
    machine(parsed.operands.get(..1).unwrap_or_default(), What::Uniq(uniq))
}

impl Uniq {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.group.as_ref().map_or(0, |(line, _)| line.len())
    }

    fn key(&self, line: &[u8]) -> Vec<u8> {
        let mut rest = line;
        for _ in 0..self.fields {
            let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            rest = rest.get(blanks..).unwrap_or_default();
            let word = rest.iter().take_while(|b| !b.is_ascii_whitespace()).count();
            rest = rest.get(word..).unwrap_or_default();
        }
        let skip = usize::try_from(self.chars).unwrap_or(usize::MAX).min(rest.len());
        rest = rest.get(skip..).unwrap_or_default();
        if let Some(width) = self.width {
            rest =
                rest.get(..usize::try_from(width).unwrap_or(usize::MAX).min(rest.len())).unwrap_or_default();
        }
        if self.icase { rest.to_ascii_lowercase() } else { rest.to_vec() }
    }

    /// Counts a line.
    pub fn line(&mut self, out: &mut Vec<u8>, line: &[u8]) {
        let same = self.group.as_ref().is_some_and(|(first, _)| self.key(first) == self.key(line));
        if same {
            let shown = self.all_repeated;
            if let Some((first, count)) = &mut self.group {
                *count += 1;
                if shown {
                    if *count == 2 {
                        put(out, first);
                    }
                    put(out, line);
                }
            }
        } else {
            self.end(out);
            self.group = Some((line.to_vec(), 1));
        }
    }

    /// Prints the last group.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        let Some((line, count)) = self.group.take() else { return };
        if self.all_repeated || self.repeated && count < 2 || self.unique && count > 1 {
            return;
        }
        if self.count {
            out.extend_from_slice(format!("{count:7} ").as_bytes());
        }
        put(out, &line);
    }
}

fn put(out: &mut Vec<u8>, line: &[u8]) {
    out.extend_from_slice(line);
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        for args in
            [&[][..], &["-c"], &["-d"], &["-u"], &["-i", "-c"], &["-D"], &["-f1"], &["-s1", "-w2"], &["-x"]]
        {
            host.same(&[&["uniq"], args].concat(), "a b\na b\nA b\nc d\nx d\nx d", &[]);
        }
    }
}
