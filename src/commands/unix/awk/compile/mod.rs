//! awk's grammar: tokens to operations in one pass. A value that turns out to be assigned to had its `Load` written
//! last; it is taken back.

mod expression;
mod operand;
mod statement;

use super::lex::{Token, tokens};
use super::op::{Function, Op, Place, Program, Redirect, SPECIAL, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The line of a mistake, and what is wrong.
pub type Mistake = (u32, String);
type Done = Result<(), Mistake>;

/// Deepest nesting of a program.
const MAX_DEPTH: u32 = 200;

#[derive(Default)]
pub(super) struct Compiler {
    tokens: Vec<(Token, u32)>,
    at: usize,
    pub(super) program: Program,
    globals: BTreeMap<String, u32>,
    functions: BTreeMap<String, u32>,
    defined: BTreeSet<u32>,
    locals: Vec<String>,
    current: Option<u32>,
    depth: u32,
    /// Within `print`'s list `>` redirects; within `for (` an `in` may end the head.
    no_greater: bool,
    no_in: bool,
    /// Jumps to be set at the end of each loop: breaks, continues; whether it is a loop over keys.
    loops: Vec<(Vec<usize>, Vec<usize>)>,
    /// Bare names given to functions: where the load stands, in which function, to which function and parameter.
    bare: Vec<(usize, Option<u32>, u32, usize)>,
}

/// Compiles a program.
///
/// # Errors
/// The first mistake.
pub fn compile(text: &str) -> Result<Program, Mistake> {
    let mut c = Compiler { tokens: tokens(text)?, ..Compiler::default() };
    for (slot, name) in (0..).zip(SPECIAL) {
        c.globals.insert((*name).to_owned(), slot);
    }
    c.program_text()?;
    c.resolve_arrays()?;
    c.program.globals = vec![String::new(); c.globals.len()];
    for (name, slot) in &c.globals {
        if let Some(place) = c.program.globals.get_mut(index(*slot)) {
            place.clone_from(name);
        }
    }
    Ok(c.program)
}

fn index(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

impl Compiler {
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(t, _)| t)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at).map_or(0, |(_, l)| *l)
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn fail<T>(&self) -> Result<T, Mistake> {
        self.say("syntax error")
    }

    fn say<T>(&self, text: &str) -> Result<T, Mistake> {
        Err((self.line(), text.to_owned()))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    fn word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if *w == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Done {
        if self.accept(sign) { Ok(()) } else { self.fail() }
    }

    fn newlines(&mut self) {
        while matches!(self.peek(), Token::Newline) {
            self.at += 1;
        }
    }

    fn ends(&mut self) {
        while matches!(self.peek(), Token::Newline) || self.is(";") {
            self.at += 1;
        }
    }

    fn here(&self) -> u32 {
        u32::try_from(self.program.code.len()).unwrap_or(u32::MAX)
    }

    fn emit(&mut self, op: Op) -> usize {
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    /// Sets a jump's target to here.
    fn land(&mut self, at: usize) {
        let here = self.here();
        self.land_at(at, here);
    }

    fn land_at(&mut self, at: usize, target: u32) {
        if let Some(Op::Jump(to) | Op::JumpFalse(to) | Op::JumpTrue(to) | Op::NextKey(to)) =
            self.program.code.get_mut(at)
        {
            *to = target;
        }
    }

    fn deeper(&mut self) -> Done {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.say("program nested too deeply") } else { Ok(()) }
    }

    fn program_text(&mut self) -> Done {
        // BEGIN, the rules and END stand in the text in any order: each piece is compiled where it stands, a chain
        // of jumps links the pieces of a kind.
        let mut links: [Vec<usize>; 3] = Default::default();
        let mut starts: [Option<u32>; 3] = [None; 3];
        self.ends();
        while !matches!(self.peek(), Token::End) {
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
                let link = self.emit(Op::Jump(0));
                links[kind].push(link);
            }
            self.ends();
        }
        for link in links.concat() {
            self.land(link);
        }
        let halt = self.here();
        self.emit(Op::Halt);
        self.program.reads = starts[1].is_some() || starts[2].is_some();
        let start = |i: usize| starts[i].unwrap_or(halt);
        (self.program.begin, self.program.rules, self.program.end) = (start(0), start(1), start(2));
        Ok(())
    }

    fn rule(&mut self) -> Done {
        let mut skip = None;
        if !self.is("{") {
            let range = self.program.ranges;
            let before = self.program.code.len();
            self.expression()?;
            if self.accept(",") {
                self.newlines();
                self.program.ranges += 1;
                // The first pattern is only looked at while the range is closed.
                let first: Vec<Op> = self.program.code.drain(before..).collect();
                self.emit(Op::RangeOpen(range));
                let open = self.emit(Op::JumpTrue(0));
                let shift = u32::try_from(self.program.code.len() - before).unwrap_or(0);
                self.program.code.extend(first.into_iter().map(|op| shifted(op, shift)));
                for bare in &mut self.bare {
                    if bare.0 >= before {
                        bare.0 += index(shift);
                    }
                }
                skip = Some(self.emit(Op::JumpFalse(0)));
                self.emit(Op::RangeSet(range, true));
                self.land(open);
                self.expression()?;
                let last = self.emit(Op::JumpFalse(0));
                self.emit(Op::RangeSet(range, false));
                self.land(last);
            } else {
                skip = Some(self.emit(Op::JumpFalse(0)));
            }
        }
        if self.is("{") {
            self.block()?;
        } else {
            self.emit(Op::Print(0, Redirect::None));
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
        self.program.functions.push(Function::default());
        self.functions.insert(name.to_owned(), id);
        id
    }

    fn function(&mut self) -> Done {
        self.at += 1;
        let (Token::Name(name) | Token::Function(name)) = self.next() else { return self.fail() };
        let id = self.function_id(&name);
        if !self.defined.insert(id) {
            return self.say(&format!("function name `{name}' previously defined"));
        }
        self.expect("(")?;
        self.locals.clear();
        while let Token::Name(parameter) = self.peek().clone() {
            self.at += 1;
            self.locals.push(parameter);
            if !self.accept(",") {
                break;
            }
            self.newlines();
        }
        self.expect(")")?;
        self.newlines();
        let over = self.emit(Op::Jump(0));
        let function = Function { entry: self.here(), arrays: vec![false; self.locals.len()] };
        if let Some(place) = self.program.functions.get_mut(index(id)) {
            *place = function;
        }
        self.current = Some(id);
        self.block()?;
        self.emit(Op::Text(String::new()));
        self.emit(Op::Return);
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

    /// A parameter used as an array is one. True if that is news.
    fn mark_array(&mut self, function: Option<u32>, var: Var) -> bool {
        let (Some(function), Var::Local(i)) = (function, var) else { return false };
        let place = self.program.functions.get_mut(index(function)).and_then(|f| f.arrays.get_mut(index(i)));
        place.is_some_and(|array| !std::mem::replace(array, true))
    }

    /// Bare names given where a function wants an array become arrays, until nothing changes.
    fn resolve_arrays(&mut self) -> Done {
        let undefined = self.functions.iter().find(|(_, id)| !self.defined.contains(id));
        if let Some((name, _)) = undefined {
            return Err((self.line(), format!("function `{name}' not defined")));
        }
        loop {
            let mut changed = false;
            for (at, caller, callee, argument) in self.bare.clone() {
                let wants = self.program.functions.get(index(callee)).and_then(|f| f.arrays.get(argument))
                    == Some(&true);
                if let Some(Op::Load(Place::Var(var))) = self.program.code.get(at).cloned()
                    && wants
                {
                    self.mark_array(caller, var);
                    if let Some(op) = self.program.code.get_mut(at) {
                        *op = Op::LoadArray(var);
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

/// Code that moves: its jumps (all inside of it) move along.
fn shifted(op: Op, by: u32) -> Op {
    match op {
        Op::Jump(to) => Op::Jump(to + by),
        Op::JumpFalse(to) => Op::JumpFalse(to + by),
        Op::JumpTrue(to) => Op::JumpTrue(to + by),
        Op::NextKey(to) => Op::NextKey(to + by),
        other => other,
    }
}

fn unshifted(op: Op, by: u32) -> Op {
    match op {
        Op::Jump(to) => Op::Jump(to.saturating_sub(by)),
        Op::JumpFalse(to) => Op::JumpFalse(to.saturating_sub(by)),
        Op::JumpTrue(to) => Op::JumpTrue(to.saturating_sub(by)),
        Op::NextKey(to) => Op::NextKey(to.saturating_sub(by)),
        other => other,
    }
}
