//! wc(1)

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::{Cx, STDIN, UnixMachine};
use base::pad;
use host::Errno;
use host::fs::FileKind;
use serde::{Deserialize, Serialize};

/// wc(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wc {
    /// The selected columns: lines, words, characters, bytes, longest line.
    show: [bool; 5],
    named: bool,
    now: [u64; 5],
    /// The last byte belongs to a word.
    in_word: bool,
    /// Columns of the line so far.
    column: u64,
    rows: Vec<(String, [u64; 5])>,
    name: String,
    /// Width of the numbers, from the files' sizes.
    width: u32,
}

/// Starts wc(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "lwcmL",
        long: &[("lines", 'l'), ("words", 'w'), ("bytes", 'c'), ("chars", 'm'), ("max-line-length", 'L')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let mut show = ['l', 'w', 'm', 'c', 'L'].map(|l| parsed.has(l));
    if show == [false; 5] {
        show = [true, true, false, true, false];
    }
    let width = width(cx, &parsed.operands, show.iter().filter(|s| **s).count() == 1);
    let named = !parsed.operands.is_empty();
    let wc = Wc {
        show,
        named,
        now: [0; 5],
        in_word: false,
        column: 0,
        rows: Vec::new(),
        name: String::new(),
        width,
    };
    machine(&parsed.operands, What::Wc(wc))
}

/// The width of the numbers: that of the sum of the files' sizes, at least 7 with other kinds of files.
fn width(cx: &Cx, files: &[String], one_number: bool) -> u32 {
    let stats: Vec<_> = if files.is_empty() {
        vec![Ok(cx.kernel.fd_stat(cx.pid, STDIN))]
    } else {
        let stat = |file: &String| match file.as_str() {
            "-" => Ok(cx.kernel.fd_stat(cx.pid, STDIN)),
            file => cx.kernel.fs.stat(cx.uid(), &cx.path(file)).map(Some),
        };
        files.iter().map(stat).collect()
    };
    if one_number && stats.len() == 1 {
        return 1;
    }
    let (mut total, mut least) = (0_u64, 1);
    for stat in stats.into_iter().flatten() {
        match stat.filter(|stat| matches!(stat.kind, FileKind::File | FileKind::Program)) {
            Some(stat) => total = total.saturating_add(stat.size),
            None => least = 7,
        }
    }
    (total.checked_ilog10().unwrap_or(0) + 1).max(least)
}

impl Wc {
    /// Starts a file. If only its size is requested, it need not be read.
    pub fn open(&mut self, cx: &Cx, name: &str) -> bool {
        self.now = [0; 5];
        (self.in_word, self.column) = (false, 0);
        name.clone_into(&mut self.name);
        let stat = cx.kernel.fs.stat(cx.uid(), &cx.path(name)).ok();
        let size = stat.filter(|s| s.kind == FileKind::File && name != "-").map(|s| s.size);
        let size = size.filter(|_| self.show == [false, false, false, true, false]);
        self.now[3] = size.unwrap_or(0);
        size.is_some()
    }

    /// Counts bytes. A line may come in pieces.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.now[3] += u64::try_from(bytes.len()).unwrap_or(0);
        for byte in bytes {
            // The first byte of a character in UTF-8.
            self.now[2] += u64::from(byte & 0xc0 != 0x80);
            match byte {
                b'\n' | b'\r' | 12 => {
                    self.now[0] += u64::from(*byte == b'\n');
                    self.now[4] = self.now[4].max(self.column);
                    (self.column, self.in_word) = (0, false);
                }
                b'\t' => (self.column, self.in_word) = ((self.column / 8 + 1) * 8, false),
                b' ' => (self.column, self.in_word) = (self.column + 1, false),
                11 => self.in_word = false,
                // Of control characters and the rest of a character, only the former belong to no word.
                0..32 | 127..0xc0 => {}
                _ => {
                    self.column += 1;
                    self.now[1] += u64::from(!std::mem::replace(&mut self.in_word, true));
                }
            }
        }
    }

    /// A file ends.
    pub fn close(&mut self) {
        self.now[4] = self.now[4].max(self.column);
        self.rows.push((std::mem::take(&mut self.name), self.now));
    }

    /// Handles an unreadable file. A directory counts as empty.
    pub fn failed(&mut self, name: &str, errno: Errno) {
        if errno == Errno::EISDIR {
            self.rows.push((name.to_owned(), [0; 5]));
        } else {
            // It is not printed, but with it there are several files, and a total.
            self.rows.push((String::new(), [0; 5]));
        }
    }

    /// Prints all counts.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        let mut rows = std::mem::take(&mut self.rows);
        if rows.len() > 1 {
            let mut total = [0; 5];
            for (_, row) in &rows {
                for i in 0..4 {
                    total[i] += row[i];
                }
                total[4] = total[4].max(row[4]);
            }
            rows.push(("total".to_owned(), total));
        }
        let width = usize::try_from(self.width).unwrap_or(1);
        for (name, row) in rows.into_iter().filter(|(name, _)| !name.is_empty() || !self.named) {
            let shown = row.iter().zip(self.show).filter(|(_, shown)| *shown);
            let numbers: Vec<String> = shown.map(|(n, _)| pad::right(n, width)).collect();
            let name = if self.named { format!(" {name}") } else { String::new() };
            out.extend_from_slice(format!("{}{name}\n", numbers.join(" ")).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let files = [("a", "one two\nthree\n"), ("b", "x")];
        let mut host = Host::with(&files);
        for args in [
            &["a"][..],
            &["-l", "a"],
            &["a", "b"],
            &["-w", "a", "b"],
            &["-c", "b"],
            &[],
            &["-l"],
            &["-lw"],
            &["-L", "a"],
        ] {
            host.same(&[&["wc"], args].concat(), "in put\nline", &files);
        }
        for args in [&["nope", "a"][..], &["a", "nope"], &["a", "-"], &[".", "a"], &["-l", "a", "-"]] {
            host.same(&[&["wc"], args].concat(), "in put\nline", &files);
        }
        assert_eq!(host.run(&["wc", "nope"]).err, "wc: nope: No such file or directory\n");
    }
}
