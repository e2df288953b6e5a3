//! Runs a program: one rank of it, with all its threads one after the other.

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
/// Nested calls.
const MAX_CALLS: u32 = 100;
/// Elements of an array, and bytes of output.
const MAX_ELEMENTS: i64 = 100_000;
const MAX_OUTPUT: usize = 1 << 20;

/// The position of a thread of a GPU: block, thread, size of a block, size of the grid.
pub(super) type GpuThread = [[i64; 3]; 4];

/// A line of output: when, on which descriptor, the text.
pub(super) type Line = (Span, u32, String);

/// A running program.
pub(super) struct Machine<'m> {
    pub context: &'m ModelContext,
    pub functions: &'m BTreeMap<String, Function>,
    pub messages: Messages<'m>,
    pub rank: u32,
    /// Variables, the newest last; those of the running function begin at `base`.
    variables: Vec<(String, CodeValue)>,
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
}

impl<'m> Machine<'m> {
    pub fn new(
        context: &'m ModelContext,
        functions: &'m BTreeMap<String, Function>,
        messages: Messages<'m>,
        rank: u32,
        openmp: bool,
    ) -> Self {
        Self {
            context,
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
            Ok(CodeValue::Float(_) | CodeValue::Text(_) | CodeValue::List(_)) => Ok(0),
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

    /// Calls a function of the program.
    pub fn called(&mut self, function: &Function, args: Vec<CodeValue>) -> RunStep<CodeValue> {
        if self.calls >= MAX_CALLS {
            return Err(RunHalt::Unknown);
        }
        let (base, len) = (self.base, self.variables.len());
        self.calls += 1;
        self.base = len;
        for ((_, name), value) in function.params.iter().zip(args) {
            self.variables.push((name.clone(), value));
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
            Stmt::Write(format, items) => self.write(format.as_deref(), items),
            Stmt::Stop(code) => {
                let code = code.as_ref().map_or(Ok(0), |code| self.whole(code))?;
                Err(RunHalt::Exit(u8::try_from(code & 255).unwrap_or(1)))
            }
        }
    }

    /// A `for` loop; of a team's loop only the iterations of this thread.
    fn repeat(&mut self, statement: &Stmt, part: Option<(u32, u32)>) -> RunStep<CodeFlow> {
        let Stmt::For { start, until, step, body } = statement else { return Err(RunHalt::Unknown) };
        let len = self.variables.len();
        let mut bounds = (0, u64::MAX);
        if let Some((thread, team)) = part {
            // Static scheduling: the iterations in pieces of equal size.
            self.one(start)?;
            let mut count: u64 = 0;
            while until.as_ref().map_or(Ok(true), |until| self.truth(until))? {
                self.burn()?;
                count += 1;
                step.as_ref().map_or(Ok(CodeValue::Int(0)), |step| self.value(step))?;
            }
            self.variables.truncate(len);
            let (piece, more, thread) = (count / u64::from(team), count % u64::from(team), u64::from(thread));
            let first = thread * piece + thread.min(more);
            bounds = (first, first + piece + u64::from(thread < more));
        }
        self.one(start)?;
        let mut nth = 0;
        while until.as_ref().map_or(Ok(true), |until| self.truth(until))? {
            self.burn()?;
            if (bounds.0..bounds.1).contains(&nth) {
                match self.one(body)? {
                    CodeFlow::Next | CodeFlow::Continue => {}
                    CodeFlow::Break => break,
                    left @ CodeFlow::Return(_) => {
                        self.variables.truncate(len);
                        return Ok(left);
                    }
                }
            }
            nth += 1;
            step.as_ref().map_or(Ok(CodeValue::Int(0)), |step| self.value(step))?;
        }
        self.variables.truncate(len);
        Ok(CodeFlow::Next)
    }

    /// A region of OpenMP.
    fn region(&mut self, clauses: &str, body: &Stmt) -> RunStep<CodeFlow> {
        if !self.openmp {
            return self.one(body);
        }
        let word = clauses.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let is_loop =
            clauses.split_whitespace().take(3).any(|w| w == "for" || w.starts_with("for(") || w == "do");
        match (word, self.team) {
            ("parallel", None) => {
                let team = self.team_size(clauses)?;
                for thread in 0..team {
                    self.team = Some((thread, team));
                    let flow = if is_loop { self.repeat(body, self.team) } else { self.one(body) };
                    if let Err(halt) = flow {
                        self.team = None;
                        return Err(halt);
                    }
                }
                self.team = None;
                Ok(CodeFlow::Next)
            }
            // Nested regions have one thread.
            ("parallel", Some(_)) => {
                let outer = self.team.replace((0, 1));
                let flow = self.one(body);
                self.team = outer;
                flow
            }
            ("for" | "do", Some(_)) => self.repeat(body, self.team),
            ("master" | "single" | "masked", Some((thread, _))) if thread > 0 => Ok(CodeFlow::Next),
            (
                "for" | "do" | "master" | "single" | "masked" | "critical" | "atomic" | "ordered" | "simd",
                _,
            ) => self.one(body),
            _ => Err(RunHalt::Unknown),
        }
    }

    /// The number of threads of a region.
    fn team_size(&mut self, clauses: &str) -> RunStep<u32> {
        if let Some((_, rest)) = clauses.split_once("num_threads(") {
            let name = rest.split(')').next().unwrap_or("").trim();
            let count = match name.parse() {
                Ok(count) => count,
                Err(_) => self.whole(&CodeExpr::Name(name.to_owned()))?,
            };
            return u32::try_from(count).ok().filter(|n| (1..=1024).contains(n)).ok_or(RunHalt::Unknown);
        }
        Ok(self.max_threads())
    }

    pub fn max_threads(&self) -> u32 {
        if self.openmp { self.wanted.unwrap_or(self.context.threads).clamp(1, 1024) } else { 1 }
    }

    fn declare(&mut self, declared: &Declared) -> RunStep<()> {
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
            (_, value) => value,
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
        match self.variable(name) {
            Some(slot) => {
                *slot = match (std::mem::replace(slot, CodeValue::Int(0)), value) {
                    (CodeValue::Int(_), CodeValue::Float(x)) => CodeValue::Int(whole_of(x)),
                    (CodeValue::Float(_), CodeValue::Int(n)) => CodeValue::Float(n as f64),
                    // An array keeps its length.
                    (CodeValue::List(mut old), CodeValue::List(new)) if new.len() < old.len() => {
                        old.iter_mut().zip(new).for_each(|(old, new)| *old = new);
                        CodeValue::List(old)
                    }
                    (CodeValue::List(mut old), value @ (CodeValue::Int(_) | CodeValue::Float(_))) => {
                        old.first_mut().into_iter().for_each(|first| *first = value.clone());
                        CodeValue::List(old)
                    }
                    (_, value) => value,
                }
            }
            None => self.variables.push((name.to_owned(), value)),
        }
    }

    /// Assigns to what an expression denotes.
    pub fn assign(&mut self, to: &CodeExpr, value: CodeValue) -> RunStep<()> {
        match to {
            CodeExpr::Unary("&" | "*", inner) => self.assign(inner, value),
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
                let mut path = vec![self.whole(at)?];
                let mut list = &**list;
                while let CodeExpr::Index(outer, at) = list {
                    path.push(self.whole(at)?);
                    list = outer;
                }
                let CodeExpr::Name(name) = list else { return Err(RunHalt::Unknown) };
                let mut slot = self.variable(name).ok_or(RunHalt::Unknown)?;
                for at in path.iter().rev() {
                    let CodeValue::List(items) = slot else { return Err(RunHalt::Unknown) };
                    slot =
                        usize::try_from(*at).ok().and_then(|at| items.get_mut(at)).ok_or(RunHalt::Unknown)?;
                }
                *slot = match (&*slot, value) {
                    (CodeValue::Int(_), CodeValue::Float(x)) => CodeValue::Int(whole_of(x)),
                    (CodeValue::Float(_), CodeValue::Int(n)) => CodeValue::Float(n as f64),
                    (_, value) => value,
                };
                Ok(())
            }
            _ => Err(RunHalt::Unknown),
        }
    }

    pub fn truth(&mut self, expr: &CodeExpr) -> RunStep<bool> {
        Ok(match self.value(expr)? {
            CodeValue::Int(n) => n != 0,
            CodeValue::Float(x) => x != 0.0,
            CodeValue::Text(_) | CodeValue::List(_) => true,
        })
    }

    pub fn whole(&mut self, expr: &CodeExpr) -> RunStep<i64> {
        match self.value(expr)? {
            CodeValue::Int(n) => Ok(n),
            CodeValue::Float(x) => Ok(whole_of(x)),
            CodeValue::Text(_) | CodeValue::List(_) => Err(RunHalt::Unknown),
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
