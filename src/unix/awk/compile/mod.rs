//! awk's single-pass compiler: tokens to operations. When a parsed value turns out to be the target of an
//! assignment, the compiler removes its `Load`, which is the last operation written.

mod expression;
mod operand;
mod statement;

use super::lex::{AwkToken, tokens};
use super::op::{AwkFunction, AwkOp, AwkProgram, Redirect, SPECIAL, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A line number and an error message.
pub type AwkError = (u32, String);
type AwkResult = Result<(), AwkError>;

/// Maximum nesting depth of a program.
const MAX_DEPTH: u32 = 200;

#[derive(Default)]
pub(super) struct Compiler {
    tokens: Vec<(AwkToken, u32)>,
    at: usize,
    pub(super) program: AwkProgram,
    globals: BTreeMap<String, u32>,
    functions: BTreeMap<String, u32>,
    defined: BTreeSet<u32>,
    locals: Vec<String>,
    current: Option<u32>,
    depth: u32,
    /// Within the list of `print`, `>` redirects. Within `for (`, `in` may end the head.
    no_greater: bool,
    no_in: bool,
    /// For each loop: the jumps of breaks and continues to patch, and whether it is a loop over keys.
    loops: Vec<(Vec<usize>, Vec<usize>)>,
    /// Bare names passed to functions: the position of the load, the enclosing function, the called function
    /// and the parameter.
    bare: Vec<(usize, Option<u32>, u32, usize)>,
}

/// Compiles a program.
///
/// # Errors
/// The first error.
pub fn compile(text: &str) -> Result<AwkProgram, AwkError> {
    let mut c = Compiler { tokens: tokens(text)?, ..Compiler::default() };
    for (slot, name) in (0..).zip(SPECIAL) {
        c.globals.insert((*name).to_owned(), slot);
    }
    c.program_text()?;
    c.resolve_arrays()?;
    c.program.globals = vec![String::new(); c.globals.len()];
    for (name, slot) in &c.globals {
        if let Some(slot_name) = c.program.globals.get_mut(index(*slot)) {
            slot_name.clone_from(name);
        }
    }
    Ok(c.program)
}

fn index(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

impl Compiler {
    fn peek(&self) -> &AwkToken {
        self.tokens.get(self.at).map_or(&AwkToken::End, |(t, _)| t)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at).map_or(0, |(_, l)| *l)
    }

    fn next(&mut self) -> AwkToken {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn fail<T>(&self) -> Result<T, AwkError> {
        self.say("syntax error")
    }

    fn say<T>(&self, text: &str) -> Result<T, AwkError> {
        Err((self.line(), text.to_owned()))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), AwkToken::Sign(s) if *s == sign)
    }

    fn word(&self, word: &str) -> bool {
        matches!(self.peek(), AwkToken::Word(w) if *w == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> AwkResult {
        if self.accept(sign) { Ok(()) } else { self.fail() }
    }

    fn newlines(&mut self) {
        while matches!(self.peek(), AwkToken::Newline) {
            self.at += 1;
        }
    }

    fn ends(&mut self) {
        while matches!(self.peek(), AwkToken::Newline) || self.is(";") {
            self.at += 1;
        }
    }

    fn here(&self) -> u32 {
        u32::try_from(self.program.code.len()).unwrap_or(u32::MAX)
    }

    /// Notes the line of the code that follows, for messages.
    fn note_line(&mut self) {
        self.program.lines.push((self.here(), self.line()));
    }

    fn emit(&mut self, op: AwkOp) -> usize {
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    /// Sets the target of a jump to the current position.
    fn land(&mut self, at: usize) {
        let here = self.here();
        self.land_at(at, here);
    }

    fn land_at(&mut self, at: usize, target: u32) {
        if let Some(AwkOp::Jump(to) | AwkOp::JumpFalse(to) | AwkOp::JumpTrue(to) | AwkOp::NextKey(to)) =
            self.program.code.get_mut(at)
        {
            *to = target;
        }
    }

    fn deeper(&mut self) -> AwkResult {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.say("program nested too deeply") } else { Ok(()) }
    }

    fn program_text(&mut self) -> AwkResult {
        // BEGIN, rules and END may be in any order. Each is compiled in place, and a chain of jumps links those
        // of the same kind.
        let mut links: [Vec<usize>; 3] = Default::default();
        let mut starts: [Option<u32>; 3] = [None; 3];
        self.ends();
        while !matches!(self.peek(), AwkToken::End) {
            if self.word("function") || self.word("func") {
                self.function()?;
            } else {
                let kind = if self.word("BEGIN") {
                    0
                } else if self.word("END") {
                    2
                } else {
                    1
                };
                let here = self.here();
                starts[kind].get_or_insert(here);
                if let Some(link) = links[kind].pop() {
                    self.land(link);
                }
                if kind == 1 {
                    self.rule()?;
                } else {
                    self.at += 1;
                    if !self.is("{") {
                        return self.fail();
                    }
                    self.block()?;
                }
                let link = self.emit(AwkOp::Jump(0));
                links[kind].push(link);
            }
            self.ends();
        }
        for link in links.concat() {
            self.land(link);
        }
        let halt = self.here();
        self.emit(AwkOp::Halt);
        self.program.reads = starts[1].is_some() || starts[2].is_some();
        let start = |i: usize| starts[i].unwrap_or(halt);
        (self.program.begin, self.program.rules, self.program.end) = (start(0), start(1), start(2));
        Ok(())
    }

    fn rule(&mut self) -> AwkResult {
        self.note_line();
        let mut skip = None;
        if !self.is("{") {
            let range = self.program.ranges;
            let before = self.program.code.len();
            self.expression()?;
            if self.accept(",") {
                self.newlines();
                self.program.ranges += 1;
                // The first pattern is evaluated only while the range is closed.
                let first: Vec<AwkOp> = self.program.code.drain(before..).collect();
                self.emit(AwkOp::RangeOpen(range));
                let open = self.emit(AwkOp::JumpTrue(0));
                let shift = u32::try_from(self.program.code.len() - before).unwrap_or(0);
                self.program.code.extend(first.into_iter().map(|op| shifted(op, shift)));
                for bare in &mut self.bare {
                    if bare.0 >= before {
                        bare.0 += index(shift);
                    }
                }
                skip = Some(self.emit(AwkOp::JumpFalse(0)));
                self.emit(AwkOp::RangeSet(range, true));
                self.land(open);
                self.expression()?;
                let last = self.emit(AwkOp::JumpFalse(0));
                self.emit(AwkOp::RangeSet(range, false));
                self.land(last);
            } else {
                skip = Some(self.emit(AwkOp::JumpFalse(0)));
            }
        }
        if self.is("{") {
            self.block()?;
        } else {
            self.emit(AwkOp::Print(0, Redirect::None));
        }
        if let Some(skip) = skip {
            self.land(skip);
        }
        Ok(())
    }

    fn function_id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.functions.get(name) {
            return *id;
        }
        let id = u32::try_from(self.program.functions.len()).unwrap_or(u32::MAX);
        self.program.functions.push(AwkFunction::default());
        self.functions.insert(name.to_owned(), id);
        id
    }

    fn function(&mut self) -> AwkResult {
        self.at += 1;
        let (AwkToken::Name(name) | AwkToken::Function(name)) = self.next() else { return self.fail() };
        let id = self.function_id(&name);
        if !self.defined.insert(id) {
            return self.say(&format!("function name `{name}' previously defined"));
        }
        self.expect("(")?;
        self.locals.clear();
        while let AwkToken::Name(parameter) = self.peek().clone() {
            self.at += 1;
            self.locals.push(parameter);
            if !self.accept(",") {
                break;
            }
            self.newlines();
        }
        self.expect(")")?;
        self.newlines();
        let over = self.emit(AwkOp::Jump(0));
        let function = AwkFunction {
            entry: self.here(),
            arrays: vec![false; self.locals.len()],
            parameters: self.locals.clone(),
        };
        if let Some(entry) = self.program.functions.get_mut(index(id)) {
            *entry = function;
        }
        self.current = Some(id);
        self.block()?;
        self.emit(AwkOp::Text(String::new()));
        self.emit(AwkOp::Return);
        self.current = None;
        self.locals.clear();
        self.land(over);
        Ok(())
    }

    fn variable(&mut self, name: &str) -> Var {
        if let Some(i) = self.locals.iter().position(|l| l == name) {
            return Var::Local(u32::try_from(i).unwrap_or(u32::MAX));
        }
        let next = u32::try_from(self.globals.len()).unwrap_or(u32::MAX);
        Var::Global(*self.globals.entry(name.to_owned()).or_insert(next))
    }

    fn array(&mut self, name: &str) -> Var {
        let var = self.variable(name);
        self.mark_array(self.current, var);
        var
    }

    /// Marks a parameter that is used as an array. True if it was not marked before.
    fn mark_array(&mut self, function: Option<u32>, var: Var) -> bool {
        let (Some(function), Var::Local(i)) = (function, var) else { return false };
        let flag = self.program.functions.get_mut(index(function)).and_then(|f| f.arrays.get_mut(index(i)));
        flag.is_some_and(|array| !std::mem::replace(array, true))
    }

    /// Bare names passed where a function expects an array become arrays. Repeated until nothing changes.
    fn resolve_arrays(&mut self) -> AwkResult {
        let undefined = self.functions.iter().find(|(_, id)| !self.defined.contains(id));
        if let Some((name, _)) = undefined {
            return Err((self.line(), format!("function `{name}' not defined")));
        }
        loop {
            let mut changed = false;
            for (at, caller, callee, argument) in self.bare.clone() {
                let wants = self.program.functions.get(index(callee)).and_then(|f| f.arrays.get(argument))
                    == Some(&true);
                if let Some(AwkOp::Pass(var)) = self.program.code.get(at).cloned()
                    && wants
                {
                    self.mark_array(caller, var);
                    if let Some(op) = self.program.code.get_mut(at) {
                        *op = AwkOp::LoadArray(var);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }
}

/// Adjusts an operation of code that is moved. Its jumps are internal and move along.
fn shifted(op: AwkOp, by: u32) -> AwkOp {
    match op {
        AwkOp::Jump(to) => AwkOp::Jump(to + by),
        AwkOp::JumpFalse(to) => AwkOp::JumpFalse(to + by),
        AwkOp::JumpTrue(to) => AwkOp::JumpTrue(to + by),
        AwkOp::NextKey(to) => AwkOp::NextKey(to + by),
        other => other,
    }
}

fn unshifted(op: AwkOp, by: u32) -> AwkOp {
    match op {
        AwkOp::Jump(to) => AwkOp::Jump(to.saturating_sub(by)),
        AwkOp::JumpFalse(to) => AwkOp::JumpFalse(to.saturating_sub(by)),
        AwkOp::JumpTrue(to) => AwkOp::JumpTrue(to.saturating_sub(by)),
        AwkOp::NextKey(to) => AwkOp::NextKey(to.saturating_sub(by)),
        other => other,
    }
}
