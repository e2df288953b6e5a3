//! xargs(1). `-P` is accepted, but commands run one after another.

use super::getopt::{self, Spec};
use super::grep::next_char;
use super::input::{InputFiles, InputItem};
use crate::running::MAX_BUFFER;
use crate::{Cx, UnixMachine};
use base::ids::Pid;
use host::kernel::ProcessTarget;
use host::memory::ELEMENT;
use host::{SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Pieces of input that a slice reads.
const SLICE_CHUNKS: u32 = 32;

/// Splits the input of xargs at blanks; quotes and backslashes protect.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut at = 0;
    let mut quote = None;
    while let Some(c) = text.get(at..).and_then(|t| t.chars().next()) {
        at = next_char(text, at);
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('\\', None) => {
                let escaped = text.get(at..).and_then(|t| t.chars().next());
                at = next_char(text, at);
                word.get_or_insert_default().extend(escaped);
            }
            (c, None) if c.is_ascii_whitespace() => all.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    all.extend(word);
    all
}

/// xargs(1) after reading its input: a list of commands as for `-exec`. If a command fails, the exit code is 123.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Xargs {
    input: InputFiles,
    text: Vec<u8>,
    read: bool,
    commands: Vec<Vec<String>>,
    next: u32,
    child: Option<Pid>,
    code: u8,
    replace: Option<String>,
    most: Option<u64>,
    lines: bool,
    separator: Option<u8>,
    skip_empty: bool,
    trace: bool,
    command: Vec<String>,
}

/// Starts xargs(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "+0n:I:P:L:d:rtx",
        long: &[
            ("null", '0'),
            ("max-args", 'n'),
            ("max-procs", 'P'),
            ("max-lines", 'L'),
            ("delimiter", 'd'),
            ("no-run-if-empty", 'r'),
            ("verbose", 't'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let most = parsed.value('n').or(parsed.value('L'));
    if let Some(text) = most
        && !text.parse::<u64>().is_ok_and(|n| n > 0)
    {
        cx.error(&format!("value {text} for -n option should be >= 1"));
        return UnixMachine::End(1);
    }
    let delimiter = parsed.value('d').and_then(|d| super::format::unescape(d, false).bytes.first().copied());
    let command = if parsed.operands.is_empty() { vec!["echo".to_owned()] } else { parsed.operands.clone() };
    UnixMachine::Xargs(Box::new(Xargs {
        input: InputFiles::new(&[]),
        text: Vec::new(),
        read: false,
        commands: Vec::new(),
        next: 0,
        child: None,
        code: 0,
        replace: parsed.value('I').map(str::to_owned),
        most: most.and_then(|t| t.parse().ok()),
        lines: parsed.has('L') || parsed.has('I'),
        separator: if parsed.has('0') { Some(0) } else { delimiter },
        skip_empty: parsed.has('r'),
        trace: parsed.has('t'),
        command,
    }))
}

impl Xargs {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let words: usize = self.commands.iter().flatten().map(|word| word.len() + ELEMENT).sum();
        self.input.memory() + self.text.len() + words
    }

    fn plan(&mut self) {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let items: Vec<String> = match self.separator {
            Some(b) => {
                let text = text.strip_suffix(char::from(b)).unwrap_or(&text);
                if text.is_empty() {
                    Vec::new()
                } else {
                    text.split(char::from(b)).map(str::to_owned).collect()
                }
            }
            None if self.lines => {
                text.lines().map(|l| l.trim_start().to_owned()).filter(|l| !l.is_empty()).collect()
            }
            None => words(&text),
        };
        if let Some(mark) = &self.replace {
            let fill = |item: &String| self.command.iter().map(|w| w.replace(mark.as_str(), item)).collect();
            self.commands = items.iter().map(fill).collect();
            return;
        }
        if items.is_empty() {
            if !self.skip_empty {
                self.commands.push(self.command.clone());
            }
            return;
        }
        let most = self.most.map_or(5000, |n| usize::try_from(n).unwrap_or(5000).clamp(1, 5000));
        for chunk in items.chunks(most) {
            let chunk: Vec<String> = if self.lines && self.separator.is_none() {
                chunk.iter().flat_map(|l| words(l)).collect()
            } else {
                chunk.to_vec()
            };
            self.commands.push([self.command.clone(), chunk].concat());
        }
    }

    /// Reads the input, then runs the commands.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let mut left = SLICE_CHUNKS;
        while !self.read {
            if left == 0 {
                return SliceEnd::Again;
            }
            left -= 1;
            match self.input.next_chunk(cx) {
                InputItem::Chunk(data) if self.text.len() + data.len() > MAX_BUFFER => {
                    cx.error("argument line too long");
                    return SliceEnd::Exit(Status::Exited(1));
                }
                InputItem::Chunk(data) => self.text.extend(data),
                InputItem::Wait(wait) => return SliceEnd::Wait(wait),
                InputItem::End | InputItem::Failed(..) => {
                    self.read = true;
                    self.plan();
                    self.text.clear();
                }
                InputItem::Open(_) | InputItem::Close | InputItem::Line(..) => {}
            }
        }
        if let Some(child) = self.child {
            match cx.kernel.wait(cx.pid, ProcessTarget::Process(child)) {
                Ok(None) => return SliceEnd::Wait(Wait::Child),
                Ok(Some((_, Status::Exited(0)))) | Err(_) => {}
                Ok(Some((_, Status::Exited(255)))) => {
                    let name = self.command.first().cloned().unwrap_or_default();
                    cx.error(&format!("{name}: exited with status 255; aborting"));
                    return SliceEnd::Exit(Status::Exited(124));
                }
                Ok(Some((_, Status::Exited(_)))) => self.code = 123,
                Ok(Some((_, Status::Signaled(signal)))) => {
                    let name = self.command.first().cloned().unwrap_or_default();
                    cx.error(&format!("{name}: terminated by signal {}", signal.number()));
                    return SliceEnd::Exit(Status::Exited(125));
                }
            }
            self.child = None;
        }
        let at = usize::try_from(self.next).unwrap_or(usize::MAX);
        let Some(words) = self.commands.get(at).cloned() else {
            return SliceEnd::Exit(Status::Exited(self.code));
        };
        self.next += 1;
        if self.trace {
            cx.complain(&words.join(" "));
        }
        let env = Arc::new(cx.env.clone());
        match cx.exec_of(&words, env).and_then(|exec| cx.spawn(exec)) {
            Ok(child) => {
                self.child = Some(child);
                SliceEnd::Wait(Wait::Child)
            }
            Err(errno) => {
                let name = words.first().map_or("", String::as_str);
                cx.error(&format!("{name}: {errno}"));
                SliceEnd::Exit(Status::Exited(127))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quoting() {
        assert_eq!(words(" a 'b c' d\\ e \"\"\nf"), ["a", "b c", "d e", "", "f"]);
    }
}
