//! Programs that look at one line after another as they come: cut(1), tr(1), uniq(1), wc(1), nl(1), rev(1), fold(1).

use super::cut::Cut;
use super::input::{Input, Item};
use super::lines::{Fold, Nl};
use super::tr::Tr;
use super::uniq::Uniq;
use super::wc::Wc;
use crate::commands::{Cx, Machine};
use crate::host::{Status, Step};
use serde::{Deserialize, Serialize};

/// A program of this kind, running.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stream {
    input: Input,
    what: What,
    code: u8,
}

/// Which program, with its options and counters.
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
}

/// A machine of this kind.
#[must_use]
pub fn machine(files: &[String], what: What) -> Machine {
    Machine::Stream(Box::new(Stream { input: Input::new(files), what, code: 0 }))
}

impl Stream {
    /// Looks at what is there.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        for _ in 0..4000 {
            let next = match &self.what {
                What::Tr(_) => self.input.next_chunk(cx),
                What::Cut(_) | What::Uniq(_) | What::Wc(_) | What::Nl(_) | What::Rev | What::Fold(_) => {
                    self.input.next_line(cx)
                }
            };
            match next {
                Item::Open(name) => {
                    if let What::Wc(wc) = &mut self.what
                        && wc.open(cx, &name)
                    {
                        self.input.skip(cx);
                        wc.close();
                    }
                }
                Item::Chunk(bytes) => {
                    if let What::Tr(tr) = &mut self.what {
                        tr.bytes(cx.out, &bytes);
                    }
                }
                Item::Line(line, newline) => self.line(cx, &line, newline),
                Item::Close => {
                    if let What::Wc(wc) = &mut self.what {
                        wc.close();
                    }
                }
                Item::Failed(name, errno) => {
                    cx.error(&format!("{name}: {errno}"));
                    self.code = 1;
                    if let What::Wc(wc) = &mut self.what {
                        wc.failed(&name, errno);
                    }
                }
                Item::Wait(wait) => return Step::Wait(wait),
                Item::End => {
                    self.end(cx);
                    return Step::Exit(Status::Exited(self.code));
                }
            }
        }
        Step::Again
    }

    fn line(&mut self, cx: &mut Cx, line: &[u8], newline: bool) {
        match &mut self.what {
            What::Cut(cut) => cut.line(cx.out, line),
            // It gets pieces.
            What::Tr(_) => {}
            What::Uniq(uniq) => uniq.line(cx.out, line),
            What::Wc(wc) => wc.line(line, newline),
            What::Nl(nl) => nl.line(cx.out, line),
            What::Rev => {
                let text: String = String::from_utf8_lossy(line).chars().rev().collect();
                cx.print(&text);
                if newline {
                    cx.out.push(b'\n');
                }
            }
            What::Fold(fold) => {
                fold.line(cx.out, &String::from_utf8_lossy(line));
                if newline {
                    cx.out.push(b'\n');
                }
            }
        }
    }

    fn end(&mut self, cx: &mut Cx) {
        match &mut self.what {
            What::Uniq(uniq) => uniq.end(cx.out),
            What::Wc(wc) => wc.end(cx.out),
            What::Cut(_) | What::Tr(_) | What::Nl(_) | What::Rev | What::Fold(_) => {}
        }
    }
}
