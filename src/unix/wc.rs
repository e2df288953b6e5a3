//! wc(1)

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::{Cx, UnixMachine};
use base::pad;
use host::Errno;
use serde::{Deserialize, Serialize};

/// wc(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wc {
    /// The selected columns: lines, words, characters, bytes, longest line.
    show: [bool; 5],
    named: bool,
    now: [u64; 5],
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
    let uid = cx.uid();
    let sizes: Vec<_> = parsed.operands.iter().map(|f| cx.kernel.fs.stat(uid, &cx.path(f))).collect();
    let regular = !sizes.is_empty()
        && sizes.iter().flatten().all(|s| s.kind == host::fs::FileKind::File)
        && !parsed.operands.iter().any(|f| f == "-");
    let total: u64 = sizes.iter().flatten().map(|s| s.size).sum();
    let one_number = show.iter().filter(|s| **s).count() == 1 && parsed.operands.len() < 2;
    let width = if one_number {
        1
    } else if regular {
        u32::try_from(total.to_string().len()).unwrap_or(1)
    } else {
        7
    };
    let named = !parsed.operands.is_empty();
    let wc = Wc { show, named, now: [0; 5], rows: Vec::new(), name: String::new(), width };
    machine(&parsed.operands, What::Wc(wc))
}

impl Wc {
    /// Starts a file. If only its size is requested, it need not be read.
    pub fn open(&mut self, cx: &Cx, name: &str) -> bool {
        self.now = [0; 5];
        name.clone_into(&mut self.name);
        let stat = cx.kernel.fs.stat(cx.uid(), &cx.path(name)).ok();
        let size = stat.filter(|s| s.kind == host::fs::FileKind::File && name != "-").map(|s| s.size);
        let size = size.filter(|_| self.show == [false, false, false, true, false]);
        self.now[3] = size.unwrap_or(0);
        size.is_some()
    }

    /// Counts a line.
    pub fn line(&mut self, line: &[u8], newline: bool) {
        let size = |n: usize| u64::try_from(n).unwrap_or(0);
        let words = line.split(|b| b.is_ascii_whitespace() || *b == 11).filter(|w| !w.is_empty()).count();
        let chars = String::from_utf8_lossy(line).chars().count();
        let added = [0, size(words), size(chars), size(line.len()), 0];
        for (sum, more) in self.now.iter_mut().zip(added) {
            *sum += more;
        }
        if newline {
            for i in [0, 2, 3] {
                self.now[i] += 1;
            }
        }
        // Tabs go to the next multiple of eight.
        let columns = String::from_utf8_lossy(line).chars().fold(0_u64, |at, c| match c {
            '\t' => (at / 8 + 1) * 8,
            c if c.is_control() => at,
            _ => at + 1,
        });
        self.now[4] = self.now[4].max(columns);
    }

    /// A file ends.
    pub fn close(&mut self) {
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
        assert_eq!(host.run(&["wc", "nope"]).err, "wc: nope: No such file or directory\n");
    }
}
