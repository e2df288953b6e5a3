//! awk's input: records from files, standard input and commands.

use super::machine::MAX_TEXT;
use super::record::next_record;
use crate::Cx;
use crate::input::{InputFiles, InputItem};
use host::{Errno, Wait};
use serde::{Deserialize, Serialize};

/// Reads of a slice for one record: a device has no end.
const SLICE_CHUNKS: u32 = 16;

/// A file from which records are read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RecordReader {
    input: InputFiles,
    pub(super) open: bool,
    /// Input that is read but not yet split, if records are not lines.
    pending: String,
    ended: bool,
}

/// The result of reading a record.
pub(super) enum Fetched {
    /// A record.
    Record(String),
    /// The end of the input.
    End,
    /// It cannot be read.
    Failed(String, Errno),
    /// No input yet.
    Wait(Wait),
}

impl RecordReader {
    pub(super) fn new(files: &[String]) -> Self {
        Self { input: InputFiles::new(files), open: true, ..Self::default() }
    }

    pub(super) fn close(&mut self, cx: &mut Cx) {
        self.input.skip(cx);
    }

    /// Bytes of memory that it holds, about.
    pub(super) fn memory(&self) -> usize {
        self.input.memory() + self.pending.len()
    }

    /// The next record of the file.
    pub(super) fn next(&mut self, cx: &mut Cx, separator: &str) -> Fetched {
        let lines = separator == "\n" && self.pending.is_empty();
        let mut left = SLICE_CHUNKS;
        loop {
            if !lines {
                if separator.is_empty() {
                    let text = self.pending.trim_start_matches('\n');
                    self.pending.drain(..self.pending.len() - text.len());
                }
                if let Some((end, next)) = next_record(&self.pending, separator, self.ended) {
                    let record = self.pending.get(..end).unwrap_or_default().to_owned();
                    self.pending.drain(..next.min(self.pending.len()));
                    return Fetched::Record(record);
                }
            }
            if left == 0 {
                return Fetched::Wait(Wait::Until(cx.now));
            }
            left -= 1;
            match if lines { self.input.next_line(cx) } else { self.input.next_chunk(cx) } {
                InputItem::Open(_) => {}
                InputItem::Line(line, _) => {
                    return Fetched::Record(String::from_utf8_lossy(&line).into_owned());
                }
                InputItem::Chunk(data) => {
                    self.pending.push_str(&String::from_utf8_lossy(&data));
                    if self.pending.len() > MAX_TEXT {
                        return Fetched::Failed(self.input.name().to_owned(), Errno::ENOMEM);
                    }
                }
                InputItem::Close | InputItem::End if self.ended || lines => return Fetched::End,
                InputItem::Close | InputItem::End => self.ended = true,
                InputItem::Failed(name, errno) => return Fetched::Failed(name, errno),
                InputItem::Wait(wait) => return Fetched::Wait(wait),
            }
        }
    }
}
