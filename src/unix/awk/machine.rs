//! awk's interpreter: sections, input, the loop over operations.

use super::array::AwkArray;
use super::compile::{AwkError, compile};
use super::op::{AwkOp, AwkProgram, slot};
use super::reader::{Fetched, RecordReader};
use super::store::Store;
use super::value::AwkValue;
use super::{is_name, lex};
use crate::Cx;
use base::ids::Pid;
use base::order::StableSort as _;
use base::regex::Regex;
use host::memory::ELEMENT;
use host::{Errno, Fd, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Operations per slice. An operation costs one more for each [`TOUCHED`] bytes that it reads or writes.
const FUEL: u32 = 20_000;
const TOUCHED: usize = 64;
/// Maximum number of values on the stack, and of parameters. The maximum call depth is a tenth of it.
const MAX_STACK: usize = 100_000;
/// Maximum length of a text.
pub(super) const MAX_TEXT: usize = 16 << 20;

/// awk(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Awk {
    pub(super) source: String,
    /// Compiled from `source`; compiled again after a keyframe was loaded.
    #[serde(skip)]
    program: Option<Arc<AwkProgram>>,
    /// The compiled patterns in use.
    #[serde(skip)]
    pub(super) patterns: BTreeMap<String, Option<Regex>>,
    operands: VecDeque<String>,
    any_file: bool,
    main: RecordReader,
    pub(super) store: Store,
    pub(super) stack: Vec<AwkValue>,
    frames: Vec<AwkFrame>,
    loops: Vec<VecDeque<String>>,
    pub(super) pc: u32,
    section: Section,
    running: bool,
    pub(super) ranges: Vec<bool>,
    pub(super) outputs: BTreeMap<String, Fd>,
    pub(super) inputs: BTreeMap<String, RecordReader>,
    /// Commands connected by a pipe: name, child, our end.
    pub(super) pipes: Vec<(String, Pid, Fd)>,
    /// The command that `system` or `close` waits for.
    pub(super) child: Option<Pid>,
    /// Output that commands have not read yet.
    pub(super) unsent: Vec<(Fd, Vec<u8>)>,
    /// Number of bytes of this slice's output to write before a started command can print.
    pub(super) flushed: u64,
    /// Output to write after all commands have ended.
    pub(super) held: Vec<u8>,
    /// The exit code, once the program has ended and only open streams are left.
    ending: Option<u8>,
    pub(super) seed: f64,
    pub(super) random: u64,
    code: u8,
    /// Bytes that this slice's operations have touched.
    #[serde(skip)]
    touched: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct AwkFrame {
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

/// How execution continues after an operation.
pub(super) enum Flow {
    /// The next operation.
    On,
    /// Jumps to an operation.
    Jump(u32),
    /// The end of the section.
    Halt,
    /// Repeats the operation later.
    Wait(Wait),
    /// Ends the program.
    Exit,
    /// A fatal error.
    Fatal(String),
}

impl Awk {
    /// Prepares a program to run.
    ///
    /// # Errors
    /// Describes the error in the program.
    pub fn new(
        cx: &mut Cx,
        source: String,
        assignments: &[(String, String)],
        operands: Vec<String>,
    ) -> Result<Self, AwkError> {
        let program = Arc::new(compile(&source)?);
        let mut store = Store::new(program.globals.len());
        let environ: AwkArray = cx.env.iter().map(|(k, v)| (k.clone(), AwkValue::Input(v.clone()))).collect();
        *store.array(super::op::Var::Global(slot::ENVIRON)) = environ;
        let argv = std::iter::once(&"awk".to_owned()).chain(&operands).cloned().collect::<Vec<_>>();
        store.set_global(slot::ARGC, AwkValue::Number(argv.len() as f64));
        *store.array(super::op::Var::Global(slot::ARGV)) =
            (0..).zip(argv).map(|(i, a): (u32, String)| (i.to_string(), AwkValue::Input(a))).collect();
        let mut awk = Self {
            source,
            patterns: BTreeMap::new(),
            operands: operands.into(),
            any_file: false,
            main: RecordReader::default(),
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
            touched: 0,
            program: Some(program),
        };
        for (name, text) in assignments {
            awk.assign(name, text);
        }
        Ok(awk)
    }

    fn program(&mut self) -> Option<Arc<AwkProgram>> {
        if self.program.is_none() {
            self.program = compile(&self.source).ok().map(Arc::new);
        }
        self.program.clone()
    }

    /// An assignment `name=text` on the command line.
    fn assign(&mut self, name: &str, text: &str) {
        let globals = self.program().map(|p| p.globals.clone()).unwrap_or_default();
        if let Some(slot) = globals.iter().position(|g| g == name) {
            let var = super::op::Var::Global(u32::try_from(slot).unwrap_or(u32::MAX));
            self.store.store(var, AwkValue::Input(lex::escapes(text)));
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
                        self.main = RecordReader::new(std::slice::from_ref(&operand));
                        let shown = if operand == "-" { String::new() } else { operand };
                        self.store.set_global(slot::FILENAME, AwkValue::Text(shown));
                    }
                    None if self.any_file => return Fetched::End,
                    None => {
                        self.any_file = true;
                        self.main = RecordReader::new(&[]);
                    }
                }
                self.store.set_global(slot::FNR, AwkValue::Number(0.0));
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

    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        self.flushed = 0;
        if let Some(code) = self.ending {
            return self.finish(cx, code);
        }
        if let Some(wait) = self.send(cx) {
            return SliceEnd::Wait(wait);
        }
        let Some(program) = self.program() else { return SliceEnd::Exit(Status::Exited(2)) };
        let mut fuel = FUEL;
        while fuel > 0 && cx.out.len() < 1 << 18 && self.unsent.is_empty() {
            if !self.running {
                match self.next_record(cx, &program) {
                    Ok(true) => {}
                    Ok(false) => return self.end(cx, self.code),
                    Err(step) => return step,
                }
                fuel = self.burn(cx, fuel);
            }
            while fuel > 0 && self.unsent.is_empty() {
                fuel = self.burn(cx, fuel);
                let Some(op) = program.code.get(usize::try_from(self.pc).unwrap_or(usize::MAX)) else {
                    return self.end(cx, 2);
                };
                match self.operate(cx, &program, op) {
                    Flow::On => self.pc += 1,
                    Flow::Jump(to) => self.pc = to,
                    Flow::Wait(wait) => return SliceEnd::Wait(wait),
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
                        return self.fail(cx, &program, &text);
                    }
                }
                if self.stack.len() > MAX_STACK || self.frames.len() > MAX_STACK / 10 {
                    return self.fail(cx, &program, "stack overflow");
                }
            }
        }
        SliceEnd::Again
    }

    /// Charges the next operation, and what the last one touched.
    fn burn(&mut self, cx: &mut Cx, fuel: u32) -> u32 {
        // Numbers become texts with these, however long they are.
        let formats = [slot::CONVFMT, slot::OFMT, slot::OFS].map(|slot| self.store.global(slot).size());
        let touched = std::mem::take(&mut self.touched) + formats.iter().sum::<usize>();
        let cost = u32::try_from(touched / TOUCHED).unwrap_or(u32::MAX).saturating_add(1);
        *cx.work = cx.work.saturating_add(cost.saturating_sub(fuel) / FUEL);
        fuel.saturating_sub(cost)
    }

    /// Counts bytes that an operation reads or writes, except those of values that it pushes.
    pub(super) const fn spend(&mut self, bytes: usize) {
        self.touched = self.touched.saturating_add(bytes);
    }

    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let stack: usize = self.stack.iter().map(|value| value.size() + ELEMENT).sum();
        let loops: usize = self.loops.iter().flatten().map(|key| key.len() + ELEMENT).sum();
        let unsent: usize = self.unsent.iter().map(|(_, data)| data.len()).sum();
        let pending: usize =
            std::iter::once(&self.main).chain(self.inputs.values()).map(RecordReader::memory).sum();
        self.store.memory() + stack + loops + unsent + pending + self.held.len()
    }

    fn clear(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.loops.clear();
        self.store.locals.clear();
        self.store.base = 0;
    }

    fn halt(&mut self, program: &AwkProgram) {
        self.clear();
        self.running = false;
        if self.section == Section::Begin && program.reads {
            self.section = Section::Rules;
        } else if self.section != Section::Rules {
            self.section = Section::End;
            self.pc = u32::MAX;
        }
    }

    /// Starts the rules with the next record, or END at the end of the input. False when everything is done.
    fn next_record(&mut self, cx: &mut Cx, program: &AwkProgram) -> Result<bool, SliceEnd> {
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
            Fetched::Wait(wait) => return Err(SliceEnd::Wait(wait)),
        }
        self.running = true;
        Ok(true)
    }

    fn fail(&mut self, cx: &mut Cx, program: &AwkProgram, text: &str) -> SliceEnd {
        cx.error(&format!("{}fatal: {text}", self.place(program)));
        self.end(cx, 2)
    }

    fn end(&mut self, cx: &mut Cx, code: u8) -> SliceEnd {
        self.ending = Some(code);
        self.finish(cx, code)
    }

    pub(super) fn push(&mut self, value: AwkValue) {
        self.spend(value.size());
        self.stack.push(value);
    }

    pub(super) fn pop(&mut self) -> AwkValue {
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
    pub(super) fn pop_many(&mut self, count: u32) -> Vec<AwkValue> {
        let at = self.stack.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        self.stack.split_off(at)
    }

    /// A value as text, by `CONVFMT`.
    pub(super) fn text(&self, value: &AwkValue) -> String {
        match value {
            AwkValue::Number(n) if n.fract() != 0.0 => value.text(&self.store.special(slot::CONVFMT)),
            value => value.text("%.6g"),
        }
    }

    /// Calls, loops over keys, and moving between records. `operate` handles the other operations.
    pub(super) fn control(&mut self, cx: &mut Cx, program: &AwkProgram, op: &AwkOp) -> Flow {
        match op {
            AwkOp::Call { function, arguments } => self.call(program, *function, *arguments),
            AwkOp::Return => self.return_(),
            AwkOp::IterateKeys(array) => {
                let mut keys: Vec<String> = self.store.array(*array).keys().cloned().collect();
                self.spend(keys.len() * 8 * ELEMENT);
                // Numbers first, in ascending order.
                keys.order_by_key(|k| k.parse::<i64>().map_or((1, 0), |n| (0, n)));
                self.loops.push(keys.into());
                Flow::On
            }
            AwkOp::NextKey(out) => match self.loops.last_mut().and_then(VecDeque::pop_front) {
                Some(key) => {
                    self.push(AwkValue::Input(key));
                    Flow::On
                }
                None => Flow::Jump(*out),
            },
            AwkOp::IterateEnd => {
                self.loops.pop();
                Flow::On
            }
            AwkOp::Next | AwkOp::NextFile => {
                let name = if matches!(op, AwkOp::Next) { "next" } else { "nextfile" };
                match self.section {
                    Section::Rules => {}
                    Section::Begin => {
                        return Flow::Fatal(format!("`{name}' cannot be called from a `BEGIN' rule"));
                    }
                    Section::End => {
                        return Flow::Fatal(format!("`{name}' cannot be called from a `END' rule"));
                    }
                }
                if matches!(op, AwkOp::NextFile) {
                    self.main.close(cx);
                    self.main.open = false;
                }
                Flow::Halt
            }
            AwkOp::Exit => {
                match self.pop() {
                    AwkValue::Text(text) if text.is_empty() => {}
                    value => self.code = (value.number() as i64 & 255) as u8,
                }
                Flow::Exit
            }
            _ => Flow::Halt,
        }
    }

    fn call(&mut self, program: &AwkProgram, function: u32, arguments: u32) -> Flow {
        let Some(function) = program.functions.get(usize::try_from(function).unwrap_or(usize::MAX)) else {
            return Flow::Fatal("function not defined".into());
        };
        let mut values = self.pop_many(arguments);
        if values.len() > function.arrays.len() {
            return Flow::Fatal("function called with more arguments than declared".into());
        }
        values.resize(function.arrays.len(), AwkValue::Unset);
        let size = |n: usize| u64::try_from(n).unwrap_or(0);
        self.frames.push(AwkFrame {
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
        self.store.leave(size(frame.locals), frame.base);
        self.loops.truncate(size(frame.loops));
        Flow::Jump(frame.back)
    }
}
