//! Filters that process one line at a time as input arrives: cut(1), tr(1), uniq(1), wc(1), nl(1), rev(1),
//! fold(1).

use super::cut::{Cut, CutPosition};
use super::input::{InputFiles, InputItem};
use super::lines::{Expand, Fold, Nl};
use super::tr::Tr;
use super::uniq::Uniq;
use super::wc::Wc;
use crate::{Cx, UnixMachine};
use host::{Errno, SliceEnd, Status};
use serde::{Deserialize, Serialize};

/// Lines per slice, and bytes read or written per slice: about the work of the operations in a shell's slice.
const SLICE_LINES: u32 = 1_000;
const SLICE_BYTES: usize = 1 << 18;
/// Bytes per slice of a filter that looks at each byte.
const SLICE_CHUNK: usize = 1 << 16;

/// A running filter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StreamFilter {
    input: InputFiles,
    what: What,
    code: u8,
}

/// The filter, with its options and counters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum What {
    /// `cut`
    Cut(Cut),
    /// `tr`
    Tr(Box<Tr>),
    /// `uniq`
    Uniq(Uniq),
    /// `wc`
    Wc(Wc),
    /// `nl`
    Nl(Nl),
    /// `rev`
    Rev,
    /// `fold`
    Fold(Fold),
    /// `expand`
    Expand(Expand),
    /// `cut -b`. New variants come last, because saved sessions store the index of the variant.
    CutBytes(Cut, CutPosition),
}

/// The state machine of a filter.
#[must_use]
pub fn machine(files: &[String], what: What) -> UnixMachine {
    UnixMachine::Stream(Box::new(StreamFilter { input: InputFiles::new(files), what, code: 0 }))
}

impl StreamFilter {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let kept = match &self.what {
            What::Uniq(uniq) => uniq.memory(),
            What::Cut(_)
            | What::CutBytes(..)
            | What::Tr(_)
            | What::Wc(_)
            | What::Nl(_)
            | What::Rev
            | What::Fold(_)
            | What::Expand(_) => 0,
        };
        self.input.memory() + kept
    }

    /// Processes the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let mut work = match &self.what {
            What::Tr(_) | What::Wc(_) | What::CutBytes(..) => SLICE_CHUNK,
            What::Cut(_) | What::Uniq(_) | What::Nl(_) | What::Rev | What::Fold(_) | What::Expand(_) => {
                SLICE_BYTES
            }
        };
        for _ in 0..SLICE_LINES {
            if work == 0 || cx.out.len() > SLICE_BYTES {
                break;
            }
            let next = match &self.what {
                What::Tr(_) | What::Wc(_) | What::CutBytes(..) => self.input.next_chunk(cx),
                What::Fold(_) => self.input.next_part(cx),
                What::Cut(_) | What::Uniq(_) | What::Nl(_) | What::Rev | What::Expand(_) => {
                    self.input.next_line(cx)
                }
            };
            match next {
                InputItem::Open(name) => {
                    if let What::Wc(wc) = &mut self.what
                        && wc.open(cx, &name)
                    {
                        self.input.skip(cx);
                        wc.close();
                    }
                }
                InputItem::Chunk(bytes) => {
                    work = work.saturating_sub(bytes.len());
                    match &mut self.what {
                        What::Tr(tr) => tr.bytes(cx.out, &bytes),
                        What::Wc(wc) => wc.bytes(&bytes),
                        What::CutBytes(cut, at) => cut.bytes(cx.out, &bytes, at),
                        What::Fold(fold) => self.input.give_back(fold.pieces(cx.out, &bytes)),
                        // These read lines.
                        What::Cut(_) | What::Uniq(_) | What::Nl(_) | What::Rev | What::Expand(_) => {}
                    }
                }
                InputItem::Line(line, newline) => {
                    work = work.saturating_sub(line.len());
                    if let Err(errno) = self.line(cx, &line, newline) {
                        cx.error(&errno.to_string());
                        return SliceEnd::Exit(Status::Exited(1));
                    }
                }
                InputItem::Close => match &mut self.what {
                    What::Wc(wc) => wc.close(),
                    What::CutBytes(_, at) => Cut::end_of_file(cx.out, at),
                    What::Cut(_)
                    | What::Tr(_)
                    | What::Uniq(_)
                    | What::Nl(_)
                    | What::Rev
                    | What::Fold(_)
                    | What::Expand(_) => {}
                },
                InputItem::Failed(name, errno) => {
                    cx.error(&format!("{name}: {errno}"));
                    self.code = 1;
                    if let What::Wc(wc) = &mut self.what {
                        wc.failed(&name, errno);
                    }
                }
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End => {
                    self.end(cx);
                    return SliceEnd::Exit(Status::Exited(self.code));
                }
            }
        }
        SliceEnd::Again
    }

    fn line(&mut self, cx: &mut Cx, line: &[u8], newline: bool) -> Result<(), Errno> {
        match &mut self.what {
            What::Cut(cut) => cut.line(cx.out, line),
            // These process chunks instead of lines.
            What::Tr(_) | What::Wc(_) | What::CutBytes(..) => {}
            What::Uniq(uniq) => uniq.line(cx.out, line),
            What::Nl(nl) => nl.line(cx.out, line),
            What::Rev => {
                let text: String = String::from_utf8_lossy(line).chars().rev().collect();
                cx.print(&text);
                if newline {
                    cx.out.push(b'\n');
                }
            }
            What::Fold(fold) => {
                fold.line(cx.out, line);
                if newline {
                    cx.out.push(b'\n');
                }
            }
            What::Expand(expand) => {
                expand.line(cx.out, line)?;
                if newline {
                    cx.out.push(b'\n');
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, cx: &mut Cx) {
        match &mut self.what {
            What::Uniq(uniq) => uniq.end(cx.out),
            What::Wc(wc) => wc.end(cx.out),
            What::Cut(_)
            | What::CutBytes(..)
            | What::Tr(_)
            | What::Nl(_)
            | What::Rev
            | What::Fold(_)
            | What::Expand(_) => {}
        }
    }
}
