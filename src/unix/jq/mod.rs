//! jq(1): a command-line JSON processor. Its interpreter is the crate `jq`.
//!
//! Invariant: between two inputs the state is plain data, so a keyframe can be taken there, and Ctrl-C takes effect
//! there. Work, depth and memory are bounded for each input (`jq::bound`).
//!
//! Cost: one compilation at the start, then the work on the parts of an input that the filter touches.
//!
//! It follows jq 1.7.1: options, output, messages and exit codes. Deliberate differences: no modules, `?//`, `$__loc__` or
//! `--stream-errors`; patterns without look-around (`jq::regex`); syntax errors do not list the expected tokens; local time is
//! UTC. The time and the environment are those of the simulated process.

mod options;
#[cfg(test)]
mod tests;

use crate::input::{InputFiles, InputItem};
use crate::{Cx, UnixMachine};
use host::{SliceEnd, Status};
use jq::program::{Around, Program};
use jq::read::{self, JsonReader, Position};
use jq::value::Json;
use jq::{bound, natives, write};
use options::JqOptions;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::Arc;

/// Maximum size of the inputs that are read before the program runs.
const MAX_INPUT: usize = 64 << 20;
/// Work of a slice, after which other processes run, and reads of a slice.
const SLICE: u64 = 100_000;
const SLICE_READS: u32 = 16;

/// jq(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Jq {
    options: JqOptions,
    /// Compiled from the options; compiled again after a keyframe was loaded.
    #[serde(skip)]
    compiled: Compiled,
    input: InputFiles,
    /// Input that is read but not used, from `position` on.
    text: Vec<u8>,
    position: Position,
    scan: Scan,
    /// The file that is read, and its lines before `text`.
    file: String,
    lines: u64,
    ended: bool,
    /// A file could not be read.
    failed: bool,
    /// The code of the last input, and whether the last value was true.
    code: i32,
    last: Option<bool>,
}

#[derive(Clone, Default)]
struct Compiled(Option<Arc<Program>>);

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Compiled")
    }
}

/// Watches for the end of a value in text that arrives in pieces, so that a long value is parsed once.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Scan {
    depth: u64,
    in_text: bool,
    escaped: bool,
    /// A value may be complete.
    ready: bool,
}

impl Scan {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_text => self.escaped = true,
                b'"' => self.in_text = !self.in_text,
                _ if self.in_text => {}
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.ready = self.ready || (self.depth == 0 && !self.in_text);
        }
    }
}

/// Nothing was printed, with `-e`.
const NO_OUTPUT: i32 = -4;
/// An input was invalid JSON.
const PARSE_ERROR: i32 = 5;
/// The last value was false or null.
const FALSE_OUTPUT: i32 = -1;

/// Starts jq(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    bound::begin();
    let options = match options::parse(cx) {
        Ok(options) => options,
        Err(code) => return UnixMachine::End(code),
    };
    let mut jq = Jq {
        compiled: Compiled::default(),
        input: InputFiles::new(&options.files),
        options,
        text: Vec::new(),
        position: Position::default(),
        scan: Scan::default(),
        file: String::new(),
        lines: 0,
        ended: false,
        failed: false,
        code: NO_OUTPUT,
        last: None,
    };
    match jq.compile() {
        Ok(_) => UnixMachine::Jq(Box::new(jq)),
        Err(errors) => {
            for error in &errors {
                cx.complain(&format!("jq: error: {error}"));
            }
            let plural = if errors.len() == 1 { "" } else { "s" };
            cx.complain(&format!("jq: {} compile error{plural}", errors.len()));
            UnixMachine::End(3)
        }
    }
}

impl Jq {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.input.memory() + self.text.len()
    }

    /// The names of the global variables.
    fn names(&self) -> Vec<String> {
        let named = self.options.named.iter().map(|(name, _)| format!("${name}"));
        ["$ENV".to_owned(), "$ARGS".to_owned()].into_iter().chain(named).collect()
    }

    /// The values of the global variables.
    fn globals(&self, cx: &Cx) -> Vec<Json> {
        let value = |text: &String| read::only(text).ok().flatten().unwrap_or_default();
        let named: Vec<Json> = self.options.named.iter().map(|(_, text)| value(text)).collect();
        let names = self.options.named.iter().map(|(name, _)| Arc::from(name.as_str()));
        let arguments = Json::fields([
            ("positional", self.options.positional.iter().map(value).collect()),
            ("named", Json::object(names.zip(named.iter().cloned()).collect())),
        ]);
        [natives::texts(cx.env), arguments].into_iter().chain(named).collect()
    }

    fn compile(&mut self) -> Result<Arc<Program>, Vec<String>> {
        if let Some(program) = &self.compiled.0 {
            return Ok(program.clone());
        }
        let program = Arc::new(Program::new(&self.options.program, &self.names())?);
        self.compiled.0 = Some(program.clone());
        Ok(program)
    }

    /// Processes some inputs.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let Ok(program) = self.compile() else { return SliceEnd::Exit(Status::Exited(3)) };
        let options = &self.options;
        let whole = options.slurp || options.stream || program.takes_inputs;
        if options.null_input && !program.takes_inputs {
            bound::begin();
            let _ = self.process(cx, &program, Json::Null, Vec::new());
            return self.exit();
        }
        let (mut work, mut reads) = (0, 0);
        loop {
            if reads == SLICE_READS {
                return SliceEnd::Again;
            }
            if whole && !self.ended {
                reads += 1;
                match self.fetch(cx) {
                    None => continue,
                    Some(end) => return end,
                }
            }
            bound::begin_reading();
            if whole {
                self.process_all(cx, &program);
                return self.exit();
            }
            match self.next() {
                Some(Ok(value)) => {
                    if self.too_large(cx) {
                        return self.exit();
                    }
                    bound::begin();
                    if !self.process(cx, &program, value, Vec::new()) {
                        return self.exit();
                    }
                    work += bound::done();
                    if work > SLICE {
                        return SliceEnd::Again;
                    }
                }
                Some(Err(why)) => {
                    cx.complain(&format!("jq: parse error: {why}"));
                    self.code = PARSE_ERROR;
                    return self.exit();
                }
                None if self.ended => return self.exit(),
                None => {
                    reads += 1;
                    if let Some(end) = self.fetch(cx) {
                        return end;
                    }
                }
            }
        }
    }

    /// Reads more of the input. Returns the end of the slice if no input is available.
    fn fetch(&mut self, cx: &mut Cx) -> Option<SliceEnd> {
        match self.input.next_chunk(cx) {
            InputItem::Open(name) => {
                self.file = name;
                self.lines = 0;
            }
            InputItem::Chunk(data) => {
                let used = usize::try_from(self.position.at).unwrap_or(0).min(self.text.len());
                self.lines += newlines(&self.text[..used]);
                self.text.drain(..used);
                self.position.at = 0;
                self.scan.feed(&data);
                self.text.extend_from_slice(&data);
                if self.text.len() > MAX_INPUT {
                    cx.complain("jq: error: cannot allocate memory");
                    return Some(SliceEnd::Exit(Status::Exited(2)));
                }
            }
            InputItem::Failed(name, errno) => {
                cx.complain(&format!("jq: error: Could not open file {name}: {errno}"));
                self.failed = true;
            }
            InputItem::Wait(wait) => return Some(SliceEnd::Wait(wait)),
            InputItem::End => {
                self.ended = true;
                self.scan.ready = true;
            }
            InputItem::Line(..) | InputItem::Close => {}
        }
        None
    }

    /// The next complete input.
    fn next(&mut self) -> Option<Result<Json, String>> {
        if self.options.raw_input {
            let at = usize::try_from(self.position.at).unwrap_or(0);
            let rest = self.text.get(at..).unwrap_or_default();
            let end = rest.iter().position(|b| *b == b'\n');
            let line = match end {
                Some(end) => &rest[..end],
                None if self.ended && !rest.is_empty() => rest,
                None => return None,
            };
            let value = Json::text(String::from_utf8_lossy(line));
            self.position.at += u64::try_from(line.len() + usize::from(end.is_some())).unwrap_or(0);
            return Some(Ok(value));
        }
        if !self.scan.ready {
            return None;
        }
        let mut reader = JsonReader::new(&self.text, self.ended, self.position);
        let value = reader.value();
        self.position = reader.position();
        self.scan.ready = value.is_some();
        value
    }

    /// Runs a program that needs all inputs at once.
    fn process_all(&mut self, cx: &mut Cx, program: &Program) {
        let mut values = Vec::new();
        if self.options.raw_input && self.options.slurp {
            values.push(Ok(Json::text(String::from_utf8_lossy(&self.text))));
            self.position.at = u64::try_from(self.text.len()).unwrap_or(0);
        } else {
            let mut error = None;
            if self.options.raw_input {
                while let Some(value) = self.next() {
                    values.push(value);
                }
            } else {
                let mut reader = JsonReader::new(&self.text, true, self.position);
                while let Some(value) = reader.value() {
                    match value {
                        Ok(value) => values.push(Ok(value)),
                        Err(why) => {
                            error = Some(why);
                            break;
                        }
                    }
                }
                self.position.at = u64::try_from(self.text.len()).unwrap_or(0);
            }
            if self.options.stream {
                let all = values.into_iter().flatten().collect::<Vec<_>>();
                values = all.iter().flat_map(read::events).map(Ok).collect();
            }
            if let Some(why) = error {
                if self.options.slurp || !program.takes_inputs {
                    cx.complain(&format!("jq: parse error: {why}"));
                    self.code = PARSE_ERROR;
                    if self.options.slurp {
                        return;
                    }
                } else {
                    values.push(Err(why));
                }
            }
            if self.options.slurp {
                values = vec![Ok(values.into_iter().flatten().collect())];
            }
        }
        if self.too_large(cx) {
            return;
        }
        bound::begin();
        values.reverse();
        if self.options.null_input {
            let _ = self.process(cx, program, Json::Null, values);
            return;
        }
        let code = self.code;
        let around = Cell::new(values);
        loop {
            let mut values = around.take();
            let Some(value) = values.pop() else { break };
            match value {
                Ok(value) => {
                    let rest = self.process_with(cx, program, value, values);
                    match rest {
                        Some(rest) => around.set(rest),
                        None => break,
                    }
                }
                Err(why) => {
                    cx.complain(&format!("jq: parse error: {why}"));
                    self.code = PARSE_ERROR;
                    return;
                }
            }
        }
        if code == PARSE_ERROR {
            self.code = code;
        }
    }

    /// Prints that the input exceeds a bound, if it does.
    fn too_large(&mut self, cx: &mut Cx) -> bool {
        let Some(bound) = bound::reached() else { return false };
        cx.complain(&format!("jq: error (at {}): {}", self.location(), bound.text()));
        self.code = PARSE_ERROR;
        true
    }

    /// The position in the input, for messages.
    fn location(&self) -> String {
        if self.file.is_empty() {
            return "<unknown>".to_owned();
        }
        format!("{}:{}", self.file_name(), self.line())
    }

    fn file_name(&self) -> &str {
        if self.file == "-" { "<stdin>" } else { &self.file }
    }

    /// Lines read so far: jq reads whole lines.
    fn line(&self) -> u64 {
        let at = usize::try_from(self.position.at).unwrap_or(0).min(self.text.len());
        let (used, rest) = self.text.split_at(at);
        let at_start = self.options.raw_input && used.ends_with(b"\n");
        self.lines + newlines(used) + u64::from(!at_start && rest.contains(&b'\n'))
    }

    /// Runs the program on an input. False if the program ends.
    fn process(
        &mut self,
        cx: &mut Cx,
        program: &Program,
        value: Json,
        inputs: Vec<Result<Json, String>>,
    ) -> bool {
        self.process_with(cx, program, value, inputs).is_some()
    }

    /// Runs the program on an input; returns the inputs that the program did not consume.
    fn process_with(
        &mut self,
        cx: &mut Cx,
        program: &Program,
        value: Json,
        inputs: Vec<Result<Json, String>>,
    ) -> Option<Vec<Result<Json, String>>> {
        let around = Around {
            now: cx.now,
            file: (!self.file.is_empty()).then(|| self.file_name().to_owned()),
            lines: self.line(),
            inputs: Cell::new(inputs),
            ..Around::default()
        };
        let globals = self.globals(cx);
        let options = &self.options;
        let mut code = NO_OUTPUT;
        let ended = program.run(&around, &globals, value, |value| {
            flush(cx, &around);
            let mut out = String::new();
            match &value {
                Json::Text(text) if options.raw_output && !options.format.ascii => {
                    out.push_str(text);
                    code = 0;
                }
                value => {
                    if options.sequence {
                        out.push('\x1e');
                    }
                    write::write(&mut out, value, options.format, 0);
                    code = if matches!(value, Json::Null | Json::Bool(false)) { FALSE_OUTPUT } else { 0 };
                }
            }
            if !options.joined {
                out.push('\n');
            }
            if options.nul {
                out.push('\0');
            }
            cx.print(&out);
        });
        flush(cx, &around);
        self.code = code;
        if let Err(error) = ended {
            let location = self.location();
            match &error {
                Json::Text(text) => cx.complain(&format!("jq: error (at {location}): {text}")),
                other => cx.complain(&format!(
                    "jq: error (at {location}) (not a string): {}",
                    write::compact(other)
                )),
            }
            self.code = 5;
        } else if let Some(code) = around.halt.get() {
            self.code = code;
            return None;
        }
        if self.code <= 0 && self.code != NO_OUTPUT {
            self.last = Some(self.code != FALSE_OUTPUT);
        }
        Some(around.inputs.take())
    }

    /// Exits with jq's exit code.
    fn exit(&self) -> SliceEnd {
        let code = match self.code {
            _ if self.failed => 2,
            NO_OUTPUT if self.options.exit_status => match self.last {
                None => 4,
                Some(false) => 1,
                Some(true) => 0,
            },
            code if self.options.exit_status => code.abs(),
            code => code.max(0),
        };
        SliceEnd::Exit(Status::Exited(code.to_le_bytes()[0]))
    }
}

/// Prints the messages of `debug` and `stderr` after the previous output.
fn flush(cx: &mut Cx, around: &Around) {
    let messages = around.messages.take();
    if !messages.is_empty() {
        cx.complain_raw(&messages);
    }
}

fn newlines(text: &[u8]) -> u64 {
    u64::try_from(text.iter().filter(|b| **b == b'\n').count()).unwrap_or(0)
}
