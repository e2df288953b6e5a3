//! sed(1): POSIX commands with GNU's common extensions (`-i`, `-E`, `-s`, `0~3`, `I`, one-line `a` `i` `c`).
//!
//! Not simulated: `e`, and features that [`super::regex`] omits. `w FILE` appends to a
//! file that is truncated at the start.

mod cost;
mod file_commands;
mod output;
mod parse;
mod run;
mod script;
mod substitute;
#[cfg(test)]
mod tests;

use super::getopt::{self, Spec};
use super::input::InputFiles;
use crate::{Cx, UnixMachine};
use host::memory::ELEMENT;
use script::SedScript;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

const SPEC: Spec = Spec {
    short: "nEre:f:si::zul:b",
    long: &[
        ("quiet", 'n'),
        ("silent", 'n'),
        ("regexp-extended", 'E'),
        ("expression", 'e'),
        ("file", 'f'),
        ("separate", 's'),
        ("in-place", 'i'),
        ("unbuffered", 'u'),
    ],
    usage: 1,
};

/// sed(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sed {
    input: InputFiles,
    text: String,
    extended: bool,
    quiet: bool,
    separate: bool,
    /// Suffix of the backup; `None` if files are not edited in place.
    in_place: Option<String>,
    /// Parsed from `text`; parsed again after a keyframe was loaded.
    #[serde(skip)]
    script: Option<Arc<SedScript>>,
    /// Lines that were read ahead to detect the last one.
    ahead: VecDeque<SedInput>,
    ended: bool,
    file: String,
    line: u64,
    hold: String,
    /// Whether the line in the hold space had no newline.
    hold_bare: bool,
    /// For each range: the line number at which it ends if it is open.
    ranges: Vec<Option<u64>>,
    /// The output so far for the file that is edited in place.
    edited: Vec<u8>,
    missing_newline: bool,
    state: run::Cycle,
    /// Files of `R`, with the number of lines read from each.
    lines_read: Vec<(String, u64)>,
    code: u8,
}

/// The next item of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum SedInput {
    Open(String),
    Line(Vec<u8>, bool),
    Close,
}

/// Starts sed(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    match prepare(cx) {
        Ok(sed) => UnixMachine::Sed(Box::new(sed)),
        Err(code) => UnixMachine::End(code),
    }
}

fn prepare(cx: &mut Cx) -> Result<Sed, u8> {
    let mut parsed = getopt::parse(cx, &SPEC)?;
    if parsed.has('z') {
        cx.error("-z: lines that end with a zero byte are not simulated in sandbatch");
        return Err(1);
    }
    let mut pieces: Vec<String> = Vec::new();
    for (letter, value) in &parsed.options {
        match letter {
            'e' => pieces.push(value.clone()),
            'f' => match cx.read_file(value) {
                Ok(data) => {
                    let text = String::from_utf8_lossy(&data);
                    pieces.push(text.strip_suffix('\n').unwrap_or(&text).to_owned());
                }
                Err(errno) => {
                    cx.error(&format!("couldn't open file {value}: {errno}"));
                    return Err(1);
                }
            },
            _ => {}
        }
    }
    if pieces.is_empty() {
        if parsed.operands.is_empty() {
            cx.complain("Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n");
            getopt::try_help(cx);
            return Err(1);
        }
        pieces.push(parsed.operands.remove(0));
    }
    let text = pieces.join("\n");
    let quiet = parsed.has('n') || text.starts_with("#n\n");
    let in_place = parsed.value('i').map(str::to_owned);
    let mut sed = Sed {
        input: InputFiles::new(&parsed.operands),
        text,
        extended: parsed.has('E') || parsed.has('r'),
        quiet,
        separate: parsed.has('s') || in_place.is_some(),
        in_place,
        script: None,
        ahead: VecDeque::new(),
        ended: false,
        file: String::new(),
        line: 0,
        hold: String::new(),
        hold_bare: false,
        ranges: Vec::new(),
        edited: Vec::new(),
        missing_newline: false,
        state: run::Cycle::default(),
        lines_read: Vec::new(),
        code: 0,
    };
    match sed.script() {
        Ok(script) => {
            sed.ranges = vec![None; script.ranges];
            for file in &script.writes {
                if let Err(errno) = cx.write_file(file, b"") {
                    cx.error(&format!("couldn't open file {file}: {errno}"));
                    return Err(4);
                }
            }
            Ok(sed)
        }
        Err((parse::NO_PLACE, why)) => {
            cx.error(&why);
            Err(4)
        }
        Err((at, why)) => {
            cx.error(&format!("-e expression #1, char {at}: {why}"));
            Err(1)
        }
    }
}

impl Sed {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let ahead = self.ahead.iter().map(|item| match item {
            SedInput::Line(line, _) => line.len() + ELEMENT,
            SedInput::Open(_) | SedInput::Close => ELEMENT,
        });
        self.input.memory() + ahead.sum::<usize>() + self.hold.len() + self.edited.len() + self.state.memory()
    }

    fn script(&mut self) -> Result<Arc<SedScript>, (usize, String)> {
        if let Some(script) = &self.script {
            return Ok(script.clone());
        }
        let script = Arc::new(parse::parse(&self.text, self.extended)?);
        self.script = Some(script.clone());
        Ok(script)
    }
}
