//! What sed prints, with the line break that the last line of the input may lack.

use super::Sed;
use crate::Cx;

impl Sed {
    /// Prints the texts of `a` and files of `r`.
    pub(super) fn flush(&mut self, cx: &mut Cx) {
        for (is_file, text) in std::mem::take(&mut self.state.append) {
            if !is_file {
                self.put(cx, text.as_bytes());
            } else if let Ok(data) = cx.read_file(&text) {
                self.put(cx, &data);
            }
        }
    }

    /// Queues a text or a file for the end of the cycle.
    pub(super) fn append(&mut self, is_file: bool, text: String) {
        self.state.append.push((is_file, text));
    }

    /// The pattern space.
    pub(super) fn space(&self) -> &str {
        &self.state.space
    }

    /// Writes bytes.
    pub(super) fn put(&mut self, cx: &mut Cx, data: &[u8]) {
        if !data.is_empty() {
            self.complete_line(cx);
        }
        self.target(cx).extend_from_slice(data);
    }

    /// Adds the newline that the last printed line lacked, as `q` does even at the end of the output.
    pub(super) fn complete_line(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.missing_newline) {
            self.target(cx).push(b'\n');
        }
    }

    fn target<'a>(&'a mut self, cx: &'a mut Cx) -> &'a mut Vec<u8> {
        if self.in_place.is_some() { &mut self.edited } else { cx.out }
    }

    /// Prints a line. The newline is omitted if the last line of the input had none.
    pub(super) fn print(&mut self, cx: &mut Cx, text: &str) {
        self.put(cx, text.as_bytes());
        if self.state.newline {
            self.put(cx, b"\n");
        } else {
            self.missing_newline = true;
        }
    }
}
