//! awk's machine: its sections, its input, the loop over operations.

use super::compile::{Mistake, compile};
use super::op::{Op, Program, slot};
use super::record::next_record;
use super::store::{Array, Store};
use super::value::Value;
use super::{is_name, lex};
use crate::base::ids::Pid;
use crate::base::order::Order as _;
use crate::base::regex::Regex;
use crate::commands::Cx;
use crate::commands::unix::input::{Input, Item};
use crate::host::{Errno, Fd, Status, Step, Wait};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Operations in a slice.
const FUEL: u32 = 20_000;
/// Values on the stack, functions within functions.
const MAX_STACK: usize = 100_000;
/// Longest text.
pub(super) const MAX_TEXT: usize = 16 << 20;

/// awk(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Awk {
    source: String,
    /// Compiled from `source`, again after a keyframe was read.
    #[serde(skip)]
    program: Option<Arc<Program>>,
    /// Patterns that were used.
    #[serde(skip)]
    pub(super) patterns: BTreeMap<String, Option<Regex>>,
    operands: VecDeque<String>,
    any_file: bool,
    main: Reader,
    pub(super) store: Store,
    pub(super) stack: Vec<Value>,
    frames: Vec<Frame>,
    loops: Vec<VecDeque<String>>,
    pc: u32,
    section: Section,
    running: bool,
    pub(super) ranges: Vec<bool>,
    pub(super) outputs: BTreeMap<String, Fd>,
    pub(super) inputs: BTreeMap<String, Reader>,
    /// Commands between which and here there is a pipe: its name, the child, our end.
    pub(super) pipes: Vec<(String, Pid, Fd)>,
    /// The command that `system` or `close` waits for.
    pub(super) child: Option<Pid>,
    /// What commands have not taken yet.
    pub(super) unsent: Vec<(Fd, Vec<u8>)>,
    /// How much of this slice's output goes out before a command that was started.
    pub(super) flushed: u64,
    /// Output that is written once all commands are over.
    pub(super) held: Vec<u8>,
    /// It is over, with this code, but for what is still open.
    ending: Option<u8>,
    pub(super) seed: f64,
    pub(super) random: u64,
    code: u8,
}

/// A file that records are read from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Reader {
    input: Input,
    open: bool,
    /// Read and not yet cut into records, where a record is not a line.
    pending: String,
    ended: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Frame {
    back: u32,
    base: u64,
    locals: u64,
    loops: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Section {
    Begin,
    Rules,
    End,
}

/// A record, or why there is none.
pub(super) enum Fetched {
    /// A record.
    Record(String),
    /// The end.
    End,
    /// It cannot be read.
    Failed(String, Errno),
    /// Nothing yet.
    Wait(Wait),
}

/// What an operation leads to.
pub(super) enum Flow {
    /// The next operation.
    On,
    /// That operation.
    Jump(u32),
    /// The end of the section.
    Halt,
    /// The same operation again, later.
    Wait(Wait),
    /// The next record, the end.
    Exit,
    /// A fatal error.
    Fatal(String),
}

impl Reader {
    pub(super) fn new(files: &[String]) -> Self {
        Self { input: Input::new(files), open: true, ..Self::default() }
    }

    pub(super) fn close(&mut self, cx: &mut Cx) {
        self.input.skip(cx);
    }

    /// The next record of the file.
    pub(super) fn next(&mut self, cx: &mut Cx, separator: &str) -> Fetched {
        let lines = separator == "\n" && self.pending.is_empty();
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
            match if lines { self.input.next_line(cx) } else { self.input.next_chunk(cx) } {
                Item::Open(_) => {}
                Item::Line(line, _) => return Fetched::Record(String::from_utf8_lossy(&line).into_owned()),
                Item::Chunk(data) => {
                    self.pending.push_str(&String::from_utf8_lossy(&data));
                    if self.pending.len() > MAX_TEXT {
                        return Fetched::Failed(self.input.name().to_owned(), Errno::EFBIG);
                    }
                }
                Item::Close | Item::End if self.ended || lines => return Fetched::End,
                Item::Close | Item::End => self.ended = true,
                Item::Failed(name, errno) => return Fetched::Failed(name, errno),
                Item::Wait(wait) => return Fetched::Wait(wait),
            }
        }
    }
}

impl Awk {
    /// A program about to run.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(
        cx: &mut Cx,
        source: String,
        assignments: &[(String, String)],
        operands: Vec<String>,
    ) -> Result<Self, Mistake> {
        let program = Arc::new(compile(&source)?);
        if let Some(bad) = program.regexes.iter().find(|r| super::record::pattern(r).is_none()) {
            return Err((1, format!("fatal: invalid regexp: /{bad}/")));
        }
        let mut store = Store::new(program.globals.len());
        let environ: Array = cx.env.iter().map(|(k, v)| (k.clone(), Value::Input(v.clone()))).collect();
        *store.array(super::op::Var::Global(slot::ENVIRON)) = environ;
        let argv = std::iter::once(&"awk".to_owned()).chain(&operands).cloned().collect::<Vec<_>>();
        store.set_global(slot::ARGC, Value::Number(argv.len() as f64));
        *store.array(super::op::Var::Global(slot::ARGV)) =
            (0..).zip(argv).map(|(i, a): (u32, String)| (i.to_string(), Value::Input(a))).collect();
        let mut awk = Self {
            source,
            patterns: BTreeMap::new(),
            operands: operands.into(),
            any_file: false,
            main: Reader::default(),
            store,
            stack: Vec::new(),
            frames: Vec::new(),
            loops: Vec::new(),
            pc: program.begin,
            section: Section::Begin,
            running: true,
            ranges: vec![false; usize::try_from(program.ranges).unwrap_or(0)],
            outputs: BTreeMap::new(),
            inputs: BTreeMap::new(),
            pipes: Vec::new(),
            child: None,
            unsent: Vec::new(),
            flushed: 0,
            held: Vec::new(),
            ending: None,
            seed: 0.0,
            random: 0,
            code: 0,
            program: Some(program),
        };
        for (name, text) in assignments {
            awk.assign(name, text);
        }
        Ok(awk)
    }

    fn program(&mut self) -> Option<Arc<Program>> {
        if self.program.is_none() {
            self.program = compile(&self.source).ok().map(Arc::new);
        }
        self.program.clone()
    }

    /// `name=text` of the command line.
    fn assign(&mut self, name: &str, text: &str) {
        let globals = self.program().map(|p| p.globals.clone()).unwrap_or_default();
        if let Some(place) = globals.iter().position(|g| g == name) {
            let var = super::op::Var::Global(u32::try_from(place).unwrap_or(u32::MAX));
            self.store.store(var, Value::Input(lex::escapes(text)));
        }
    }

    /// The next record of the main input.
    pub(super) fn fetch(&mut self, cx: &mut Cx) -> Fetched {
        loop {
            if !self.main.open {
                match self.operands.pop_front() {
                    Some(operand) => {
                        if let Some((name, text)) = operand.split_once('=')
                            && is_name(name)
                        {
                            self.assign(name, text);
                            continue;
                        }
                        self.any_file = true;
                        self.main = Reader::new(std::slice::from_ref(&operand));
                        let shown = if operand == "-" { String::new() } else { operand };
                        self.store.set_global(slot::FILENAME, Value::Text(shown));
                    }
                    None if self.any_file => return Fetched::End,
                    None => {
                        self.any_file = true;
                        self.main = Reader::new(&[]);
                    }
                }
                self.store.set_global(slot::FNR, Value::Number(0.0));
            }
            let separator = self.store.special(slot::RS);
            match self.main.next(cx, &separator) {
                Fetched::End => self.main.open = false,
                Fetched::Failed(name, Errno::EISDIR) => {
                    cx.error(&format!("warning: command line argument `{name}' is a directory: skipped"));
                    self.main.open = false;
                }
                other => return other,
            }
        }
    }

    /// Looks at what is there.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        self.flushed = 0;
        if let Some(code) = self.ending {
            return self.finish(cx, code);
        }
        if let Some(wait) = self.send(cx) {
            return Step::Wait(wait);
        }
        let Some(program) = self.program() else { return Step::Exit(Status::Exited(2)) };
        let mut fuel = FUEL;
        while fuel > 0 && cx.out.len() < 1 << 18 && self.unsent.is_empty() {
            if !self.running {
                match self.next_record(cx, &program) {
                    Ok(true) => {}
                    Ok(false) => return self.end(cx, self.code),
                    Err(step) => return step,
                }
                fuel -= 1;
            }
            while fuel > 0 && self.unsent.is_empty() {
                fuel -= 1;
                let Some(op) = program.code.get(usize::try_from(self.pc).unwrap_or(usize::MAX)) else {
                    return self.end(cx, 2);
                };
                match self.operate(cx, &program, op) {
                    Flow::On => self.pc += 1,
                    Flow::Jump(to) => self.pc = to,
                    Flow::Wait(wait) => return Step::Wait(wait),
                    Flow::Halt => {
                        self.halt(&program);
                        break;
                    }
                    Flow::Exit => {
                        if self.section == Section::End {
                            return self.end(cx, self.code);
                        }
                        self.clear();
                        self.section = Section::End;
                        self.pc = program.end;
                    }
                    Flow::Fatal(text) => {
                        cx.error(&format!("fatal: {text}"));
                        return self.end(cx, 2);
                    }
                }
                if self.stack.len() > MAX_STACK || self.frames.len() > MAX_STACK / 10 {
                    cx.error("fatal: stack overflow");
                    return self.end(cx, 2);
                }
            }
        }
        Step::Again
    }

    fn clear(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.loops.clear();
        self.store.locals.clear();
        self.store.base = 0;
    }

    fn halt(&mut self, program: &Program) {
        self.clear();
        self.running = false;
        if self.section == Section::Begin && program.reads {
            self.section = Section::Rules;
        } else if self.section != Section::Rules {
            self.section = Section::End;
            self.pc = u32::MAX;
        }
    }

    /// Gets the rules going with the next record, or END at the input's end; false when all is over.
    fn next_record(&mut self, cx: &mut Cx, program: &Program) -> Result<bool, Step> {
        if self.section != Section::Rules {
            return Ok(false);
        }
        match self.fetch(cx) {
            Fetched::Record(record) => {
                self.store.set_record(record);
                self.store.count_record();
                self.pc = program.rules;
            }
            Fetched::End => {
                self.section = Section::End;
                self.pc = program.end;
            }
            Fetched::Failed(name, errno) => {
                cx.error(&format!("fatal: cannot open file `{name}' for reading: {errno}"));
                return Err(self.end(cx, 2));
            }
            Fetched::Wait(wait) => return Err(Step::Wait(wait)),
        }
        self.running = true;
        Ok(true)
    }

    fn end(&mut self, cx: &mut Cx, code: u8) -> Step {
        self.ending = Some(code);
        self.finish(cx, code)
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or_default()
    }

    pub(super) fn pop_text(&mut self) -> String {
        let value = self.pop();
        self.text(&value)
    }

    pub(super) fn pop_number(&mut self) -> f64 {
        self.pop().number()
    }

    /// The last `count` values, in order.
    pub(super) fn pop_many(&mut self, count: u32) -> Vec<Value> {
        let at = self.stack.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        self.stack.split_off(at)
    }

    /// A value as text, by `CONVFMT`.
    pub(super) fn text(&self, value: &Value) -> String {
        match value {
            Value::Number(n) if n.fract() != 0.0 => value.text(&self.store.special(slot::CONVFMT)),
            value => value.text("%.6g"),
        }
    }

    /// Calls, loops over keys, and what moves between records; the rest is elsewhere.
    pub(super) fn control(&mut self, cx: &mut Cx, program: &Program, op: &Op) -> Flow {
        match op {
            Op::Call { function, arguments } => self.call(program, *function, *arguments),
            Op::Return => self.return_(),
            Op::IterateKeys(array) => {
                let mut keys: Vec<String> = self.store.array(*array).keys().cloned().collect();
                // Numbers first, in their order.
                keys.order_by_key(|k| k.parse::<i64>().map_or((1, 0), |n| (0, n)));
                self.loops.push(keys.into());
                Flow::On
            }
            Op::NextKey(out) => match self.loops.last_mut().and_then(VecDeque::pop_front) {
                Some(key) => {
                    self.push(Value::Input(key));
                    Flow::On
                }
                None => Flow::Jump(*out),
            },
            Op::IterateEnd => {
                self.loops.pop();
                Flow::On
            }
            Op::Next | Op::NextFile => {
                if self.section != Section::Rules {
                    return Flow::Fatal("`next' used in BEGIN or END action".into());
                }
                if matches!(op, Op::NextFile) {
                    self.main.close(cx);
                    self.main.open = false;
                }
                Flow::Halt
            }
            Op::Exit => {
                match self.pop() {
                    Value::Text(text) if text.is_empty() => {}
                    value => self.code = (value.number() as i64 & 255) as u8,
                }
                Flow::Exit
            }
            _ => Flow::Halt,
        }
    }

    fn call(&mut self, program: &Program, function: u32, arguments: u32) -> Flow {
        let Some(function) = program.functions.get(usize::try_from(function).unwrap_or(usize::MAX)) else {
            return Flow::Fatal("function not defined".into());
        };
        let mut values = self.pop_many(arguments);
        if values.len() > function.arrays.len() {
            return Flow::Fatal("function called with more arguments than declared".into());
        }
        values.resize(function.arrays.len(), Value::Unset);
        let size = |n: usize| u64::try_from(n).unwrap_or(0);
        self.frames.push(Frame {
            back: self.pc + 1,
            base: self.store.base,
            locals: size(self.store.locals.len()),
            loops: size(self.loops.len()),
        });
        self.store.base = size(self.store.locals.len());
        self.store.locals.extend(values);
        if self.store.locals.len() > MAX_STACK {
            return Flow::Fatal("function calls nested too deeply".into());
        }
        Flow::Jump(function.entry)
    }

    fn return_(&mut self) -> Flow {
        let Some(frame) = self.frames.pop() else { return Flow::Halt };
        let size = |n: u64| usize::try_from(n).unwrap_or(0);
        self.store.locals.truncate(size(frame.locals));
        self.loops.truncate(size(frame.loops));
        self.store.base = frame.base;
        Flow::Jump(frame.back)
    }
}
