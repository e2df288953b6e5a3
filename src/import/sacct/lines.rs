//! Reads lines of a file of any size with bounded memory.

use std::io::BufRead;

/// Maximum length of a line, in bytes. The rest is dropped.
const MAX_LINE: usize = 1 << 20;

/// A line reader. Text that is not UTF-8 is replaced.
pub struct BoundedLines<R> {
    input: R,
    number: u32,
    buffer: Vec<u8>,
}

impl<R: BufRead> BoundedLines<R> {
    /// The lines of an input.
    pub const fn new(input: R) -> Self {
        Self { input, number: 0, buffer: Vec::new() }
    }

    /// The next line with its number from 1, without its end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_line(&mut self) -> std::io::Result<Option<(u32, String)>> {
        self.buffer.clear();
        let mut any = false;
        loop {
            let chunk = self.input.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            any = true;
            let (taken, ended) = match chunk.iter().position(|b| *b == b'\n') {
                Some(at) => (at + 1, true),
                None => (chunk.len(), false),
            };
            let room = MAX_LINE.saturating_sub(self.buffer.len());
            self.buffer.extend_from_slice(&chunk[..taken.min(room)]);
            self.input.consume(taken);
            if ended {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number = self.number.saturating_add(1);
        let text = String::from_utf8_lossy(&self.buffer);
        Ok(Some((self.number, text.trim_end_matches(['\n', '\r']).to_owned())))
    }
}
