//! Runs a program: one rank of it, with all its threads one after the other.

use super::facts::HostFacts;
use super::random::GlibcRandom;
use super::tree::{CodeExpr, Declared, Function, Kind, Stmt};
use super::world::{Messages, RunHalt, RunStep};
use base::time::Span;
use host::model::ModelContext;
use std::collections::BTreeMap;

/// The value of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CodeValue {
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    /// Memory that several variables may point to, by its number.
    Array(usize),
}

/// Where a statement leaves its block to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CodeFlow {
    Next,
    Break,
    Continue,
    Return(CodeValue),
}

/// Operations of one run, and how many are done in a second.
pub(super) const FUEL: u32 = 2_000_000;
const OPERATIONS_PER_SECOND: i64 = 100_000_000;
/// The variable for what is behind a function's parameters.
pub(super) const MORE: &str = "...";
/// Nested calls.
const MAX_CALLS: u32 = 100;
/// Elements of an array, and bytes of output.
const MAX_ELEMENTS: i64 = 100_000;
const MAX_OUTPUT: usize = 1 << 20;

/// The position of a thread of a GPU: block, thread, size of a block, size of the grid.
pub(super) type GpuThread = [[i64; 3]; 4];

/// A line of output: when, on which descriptor, the text.
pub(super) type Line = (Span, u32, String);

/// How C++ prints the next item.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StreamFormat {
    pub width: usize,
    pub precision: Option<i64>,
    pub fixed: bool,
    pub left: bool,
    pub fill: char,
}

/// A running program.
pub(super) struct Machine<'m> {
    pub context: &'m ModelContext,
    pub facts: &'m HostFacts,
    pub functions: &'m BTreeMap<String, Function>,
    pub messages: Messages<'m>,
    pub rank: u32,
    /// Variables, the newest last; those of the running function begin at `base`.
    pub variables: Vec<(String, CodeValue)>,
    globals: usize,
    base: usize,
    calls: u32,
    fuel: u32,
    pub lines: Vec<Line>,
    partial: [String; 2],
    printed: usize,
    pub at: Span,
    /// OpenMP: compiled with it, the number of threads that the program has set, the team's size and the own number.
    pub openmp: bool,
    pub wanted: Option<u32>,
    pub team: Option<(u32, u32)>,
    pub gpu_thread: Option<GpuThread>,
    pub gpu_error: i64,
    pub uses_gpu: bool,
    /// The GPU that was chosen.
    pub device: usize,
    pub stream: StreamFormat,
    pub random: Option<GlibcRandom>,
    /// Communicators beside `MPI_COMM_WORLD`: the own rank and the size.
    pub groups: Vec<(i64, i64)>,
    pub memory: Vec<Vec<CodeValue>>,
    pub taken: usize,
}

impl<'m> Machine<'m> {
    pub fn new(
        context: &'m ModelContext,
        facts: &'m HostFacts,
        functions: &'m BTreeMap<String, Function>,
        messages: Messages<'m>,
        rank: u32,
        openmp: bool,
    ) -> Self {
        Self {
            context,
            facts,
            functions,
            messages,
            rank,
            variables: Vec::new(),
            globals: 0,
            base: 0,
            calls: 0,
            fuel: FUEL,
            lines: Vec::new(),
            partial: [String::new(), String::new()],
            printed: 0,
            at: Span(0),
            openmp,
            wanted: None,
            team: None,
            gpu_thread: None,
            gpu_error: 0,
            uses_gpu: false,
            device: 0,
            stream: StreamFormat { width: 0, precision: None, fixed: false, left: false, fill: ' ' },
            random: None,
            groups: Vec::new(),
            memory: Vec::new(),
            taken: 0,
        }
    }

    /// Runs `main`. Its exit code.
    pub fn run(&mut self, globals: &[Declared]) -> RunStep<u8> {
        globals.iter().try_for_each(|declared| self.declare(declared))?;
        self.globals = self.variables.len();
        let main = self.functions.get("main").ok_or(RunHalt::Unknown)?;
        let mut words = vec![CodeValue::Text(format!("./{}", self.context.name))];
        words.extend(self.context.words.iter().cloned().map(CodeValue::Text));
        let count = i64::try_from(words.len()).unwrap_or(1);
        let ended = match self.called(main, vec![CodeValue::Int(count), CodeValue::List(words)]) {
            Ok(CodeValue::Int(code)) => Ok(u8::try_from(code & 255).unwrap_or(1)),
            Ok(CodeValue::Float(_) | CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_)) => Ok(0),
            Err(RunHalt::Exit(code)) => Ok(code),
            Err(halt) => Err(halt),
        };
        for fd in [0, 1] {
            if self.partial.get(fd).is_some_and(|text| !text.is_empty()) {
                self.print(fd + 1, "\n");
            }
        }
        let spent = i64::from(FUEL - self.fuel) * 1_000_000 / OPERATIONS_PER_SECOND;
        self.at = self.at + Span(spent);
        ended
    }

    /// Writes text to a descriptor (1 or 2).
    pub fn print(&mut self, fd: usize, text: &str) {
        self.printed += text.len();
        let Some(partial) = self.partial.get_mut(fd - 1) else { return };
        if self.printed > MAX_OUTPUT {
            self.fuel = 0;
            return;
        }
        partial.push_str(text);
        while let Some((line, rest)) = partial.split_once('\n') {
            self.lines.push((self.at, if fd == 2 { 2 } else { 1 }, line.to_owned()));
            *partial = rest.to_owned();
        }
    }

    pub fn burn(&mut self) -> RunStep<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(RunHalt::Unknown)?;
        Ok(())
    }

    /// Counts several operations.
    pub fn spend(&mut self, count: usize) -> RunStep<()> {
        let count = u32::try_from(count).map_err(|_| RunHalt::Unknown)?;
        self.fuel = self.fuel.checked_sub(count).ok_or(RunHalt::Unknown)?;
        Ok(())
    }

    /// Calls a function of the program.
    pub fn called(&mut self, function: &Function, args: Vec<CodeValue>) -> RunStep<CodeValue> {
        if self.calls >= MAX_CALLS {
            return Err(RunHalt::Unknown);
        }
        let (base, len) = (self.base, self.variables.len());
        self.calls += 1;
        self.base = len;
        let mut args = args.into_iter();
        for ((_, name), value) in function.params.iter().zip(args.by_ref()) {
            self.variables.push((name.clone(), value));
        }
        if function.variadic {
            self.variables.push((MORE.to_owned(), CodeValue::List(args.collect())));
        }
        let flow = self.all(&function.body);
        self.variables.truncate(len);
        self.base = base;
        self.calls -= 1;
        Ok(match flow? {
            CodeFlow::Return(value) => value,
            CodeFlow::Next | CodeFlow::Break | CodeFlow::Continue => CodeValue::Int(0),
        })
    }

    /// Runs statements; their variables are gone afterwards.
    pub fn all(&mut self, statements: &[Stmt]) -> RunStep<CodeFlow> {
        let len = self.variables.len();
        for statement in statements {
            match self.one(statement) {
                Ok(CodeFlow::Next) => {}
                left => {
                    self.variables.truncate(len);
                    return left;
                }
            }
        }
        self.variables.truncate(len);
        Ok(CodeFlow::Next)
    }

    pub fn one(&mut self, statement: &Stmt) -> RunStep<CodeFlow> {
        self.burn()?;
        match statement {
            Stmt::Eval(expr) => self.value(expr).map(|_| CodeFlow::Next),
            Stmt::Declare(all) => {
                all.iter().try_for_each(|declared| self.declare(declared))?;
                Ok(CodeFlow::Next)
            }
            Stmt::If(test, then, other) => {
                if self.truth(test)? {
                    self.one(then)
                } else {
                    other.as_ref().map_or(Ok(CodeFlow::Next), |other| self.one(other))
                }
            }
            Stmt::While { first, until, body } => {
                let mut skip = *first;
                while std::mem::take(&mut skip) || self.truth(until)? {
                    match self.one(body)? {
                        CodeFlow::Next | CodeFlow::Continue => {}
                        CodeFlow::Break => break,
                        left @ CodeFlow::Return(_) => return Ok(left),
                    }
                }
                Ok(CodeFlow::Next)
            }
            Stmt::For { .. } => self.repeat(statement, None),
            Stmt::Block(all) => self.all(all),
            Stmt::Return(value) => {
                let value = value.as_ref().map_or(Ok(CodeValue::Int(0)), |value| self.value(value))?;
                Ok(CodeFlow::Return(value))
            }
            Stmt::Break => Ok(CodeFlow::Break),
            Stmt::Continue => Ok(CodeFlow::Continue),
            Stmt::Omp(clauses, body) => self.region(clauses, body),
            Stmt::Write(to, format, items) => self.write(to.as_deref(), format.as_deref(), items),
            Stmt::Stop(code) => {
                let code = code.as_ref().map_or(Ok(0), |code| self.whole(code))?;
                Err(RunHalt::Exit(u8::try_from(code & 255).unwrap_or(1)))
            }
        }
    }

    pub fn declare(&mut self, declared: &Declared) -> RunStep<()> {
        let empty = match declared.kind {
            Kind::Whole | Kind::Any => CodeValue::Int(0),
            Kind::Fraction => CodeValue::Float(0.0),
            Kind::Text => CodeValue::Text(String::new()),
        };
        let mut value = match &declared.value {
            Some(given) => self.value(given)?,
            None => empty.clone(),
        };
        value = match (declared.kind, value) {
            (Kind::Whole, CodeValue::Float(x)) => CodeValue::Int(whole_of(x)),
            (Kind::Fraction, CodeValue::Int(n)) => CodeValue::Float(n as f64),
            (Kind::Text, CodeValue::Array(_)) => CodeValue::Text(String::new()),
            (kind, value) => self.retyped(kind, value),
        };
        // An array of characters is a text.
        let sizes: &[CodeExpr] = match (declared.kind, declared.sizes.as_slice()) {
            (Kind::Text, [rest @ .., _]) => rest,
            (_, all) => all,
        };
        for (nth, size) in sizes.iter().rev().enumerate() {
            let size = self.whole(size)?;
            if nth == 0 && declared.value.is_some() {
                let CodeValue::List(mut list) = value else { return Err(RunHalt::Unknown) };
                let size = usize::try_from(size).unwrap_or(list.len());
                if size > MAX_ELEMENTS.unsigned_abs() as usize {
                    return Err(RunHalt::Unknown);
                }
                list.resize(size, empty.clone());
                value = CodeValue::List(list);
                continue;
            }
            if !(0..=MAX_ELEMENTS).contains(&size) {
                return Err(RunHalt::Unknown);
            }
            self.fuel = self.fuel.saturating_sub(u32::try_from(size).unwrap_or(u32::MAX));
            value = CodeValue::List(vec![value; usize::try_from(size).unwrap_or(0)]);
        }
        if !declared.sizes.is_empty() {
            value = self.stored(value)?;
        }
        self.variables.push((declared.name.clone(), value));
        Ok(())
    }

    /// A variable of the running function, or of the whole program.
    fn variable(&mut self, name: &str) -> Option<&mut CodeValue> {
        let base = self.base;
        let own = self
            .variables
            .iter()
            .enumerate()
            .rev()
            .take_while(|(at, _)| *at >= base)
            .find(|(_, v)| v.0 == name);
        let at = own.map(|(at, _)| at);
        let at = at.or_else(|| self.variables.iter().take(self.globals).rposition_of(name));
        self.variables.get_mut(at?).map(|variable| &mut variable.1)
    }

    pub fn read(&mut self, name: &str) -> Option<CodeValue> {
        self.variable(name).map(|value| value.clone())
    }

    /// Sets a variable; one that was not declared becomes one (a member of a structure).
    pub fn set_named(&mut self, name: &str, value: CodeValue) {
        let mut retype = None;
        match self.variable(name) {
            Some(slot) => {
                *slot = match (std::mem::replace(slot, CodeValue::Int(0)), value) {
                    (CodeValue::Int(_), CodeValue::Float(x)) => CodeValue::Int(whole_of(x)),
                    (CodeValue::Float(_), CodeValue::Int(n)) => CodeValue::Float(n as f64),
                    // A pointer to fractions gets memory.
                    (CodeValue::Float(_), CodeValue::Array(id)) => {
                        retype = Some(id);
                        CodeValue::Array(id)
                    }
                    (CodeValue::Text(_), CodeValue::Array(_)) => CodeValue::Text(String::new()),
                    (_, value) => value,
                }
            }
            None => self.variables.push((name.to_owned(), value)),
        }
        if let Some(id) = retype {
            self.retyped(Kind::Fraction, CodeValue::Array(id));
        }
    }

    /// Assigns to what an expression denotes.
    pub fn assign(&mut self, to: &CodeExpr, value: CodeValue) -> RunStep<()> {
        if let CodeValue::Text(text) = &value {
            // A copy of a long text is work.
            self.spend(text.len() / 16)?;
        }
        match to {
            CodeExpr::Unary("*", inner) => match self.value(inner)? {
                CodeValue::Array(id) => self.put(id, 0, value),
                _ => self.assign(inner, value),
            },
            CodeExpr::Unary("&", inner) | CodeExpr::Pointer(_, inner) => self.assign(inner, value),
            CodeExpr::Name(name) => {
                // Members belong to variables that exist.
                let owner = name.split('.').next().unwrap_or(name);
                if self.variable(owner).is_none() {
                    return Err(RunHalt::Unknown);
                }
                self.set_named(name, value);
                Ok(())
            }
            CodeExpr::Index(list, at) => {
                let at = usize::try_from(self.whole(at)?).map_err(|_| RunHalt::Unknown)?;
                match (self.value(list)?, &**list, value) {
                    (CodeValue::Array(id), _, value) => self.put(id, at, value),
                    // The end of a text.
                    (CodeValue::Text(text), CodeExpr::Name(name), CodeValue::Int(0)) => {
                        let text = text.get(..at).map_or(text.clone(), str::to_owned);
                        self.set_named(name, CodeValue::Text(text));
                        Ok(())
                    }
                    _ => Err(RunHalt::Unknown),
                }
            }
            _ => Err(RunHalt::Unknown),
        }
    }

    pub fn truth(&mut self, expr: &CodeExpr) -> RunStep<bool> {
        Ok(match self.value(expr)? {
            CodeValue::Int(n) => n != 0,
            CodeValue::Float(x) => x != 0.0,
            CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_) => true,
        })
    }

    pub fn whole(&mut self, expr: &CodeExpr) -> RunStep<i64> {
        match self.value(expr)? {
            CodeValue::Int(n) => Ok(n),
            CodeValue::Float(x) => Ok(whole_of(x)),
            CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_) => Err(RunHalt::Unknown),
        }
    }
}

/// The search for a global variable.
trait LastNamed {
    fn rposition_of(self, name: &str) -> Option<usize>;
}

impl<'v, I: Iterator<Item = &'v (String, CodeValue)>> LastNamed for I {
    fn rposition_of(self, name: &str) -> Option<usize> {
        self.enumerate().filter(|(_, variable)| variable.0 == name).last().map(|(at, _)| at)
    }
}

/// A fraction as a whole number, as C converts it.
pub(super) fn whole_of(x: f64) -> i64 {
    // Saturates, and NaN is 0.
    x as i64
}
