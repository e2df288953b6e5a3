//! awk's grammar: tokens to operations in one pass. A value that turns out to be assigned to had its `Load` written
//! last; it is taken back.

use super::lex::{BUILTINS, Token, tokens};
use super::op::{Arith, Compare, Function, Op, Place, Program, Redirect, SPECIAL, Source, Var};
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
        match self.program.code.get_mut(at) {
            Some(Op::Jump(to) | Op::JumpFalse(to) | Op::JumpTrue(to) | Op::NextKey(to)) => *to = target,
            Some(_) | None => {}
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

    fn block(&mut self) -> Done {
        self.deeper()?;
        self.expect("{")?;
        self.ends();
        while !self.accept("}") {
            self.statement()?;
            self.ends();
        }
        self.depth -= 1;
        Ok(())
    }

    /// The end of a simple statement: `;`, a newline, or what closes it.
    fn terminator(&mut self) -> Done {
        if self.accept(";") || matches!(self.peek(), Token::Newline) {
            self.newlines();
            Ok(())
        } else if self.is("}") || matches!(self.peek(), Token::End) {
            Ok(())
        } else {
            self.fail()
        }
    }

    fn body(&mut self) -> Done {
        self.newlines();
        if self.accept(";") {
            return Ok(());
        }
        self.statement()
    }

    fn statement(&mut self) -> Done {
        self.deeper()?;
        let result = self.one_statement();
        self.depth -= 1;
        result
    }

    fn one_statement(&mut self) -> Done {
        if self.is("{") {
            return self.block();
        }
        let Token::Word(word) = *self.peek() else {
            self.simple()?;
            return self.terminator();
        };
        match word {
            "if" => self.if_statement(),
            "while" => self.while_statement(),
            "do" => self.do_statement(),
            "for" => self.for_statement(),
            "break" | "continue" => {
                self.at += 1;
                let jump = self.emit(Op::Jump(0));
                match self.loops.last_mut() {
                    Some((breaks, continues)) => if word == "break" { breaks } else { continues }.push(jump),
                    None => return self.say(&format!("`{word}' is not allowed outside a loop or switch")),
                }
                self.terminator()
            }
            "next" | "nextfile" => {
                self.at += 1;
                self.emit(if word == "next" { Op::Next } else { Op::NextFile });
                self.terminator()
            }
            "exit" | "return" => {
                self.at += 1;
                if self.is(";") || self.is("}") || matches!(self.peek(), Token::Newline | Token::End) {
                    // `exit` without a number keeps the code of an earlier one.
                    self.emit(Op::Text(String::new()));
                } else {
                    self.expression()?;
                }
                if word == "return" && self.current.is_none() {
                    return self.say("`return' used outside function context");
                }
                self.emit(if word == "exit" { Op::Exit } else { Op::Return });
                self.terminator()
            }
            _ => {
                self.simple()?;
                self.terminator()
            }
        }
    }

    fn if_statement(&mut self) -> Done {
        self.at += 1;
        self.expect("(")?;
        self.expression()?;
        self.expect(")")?;
        let otherwise = self.emit(Op::JumpFalse(0));
        self.body()?;
        let before = self.at;
        self.ends();
        if self.word("else") {
            self.at += 1;
            let end = self.emit(Op::Jump(0));
            self.land(otherwise);
            self.body()?;
            self.land(end);
        } else {
            self.at = before;
            self.land(otherwise);
        }
        Ok(())
    }

    fn finish_loop(&mut self, again: u32) {
        if let Some((breaks, continues)) = self.loops.pop() {
            for jump in continues {
                self.land_at(jump, again);
            }
            for jump in breaks {
                self.land(jump);
            }
        }
    }

    fn while_statement(&mut self) -> Done {
        self.at += 1;
        self.expect("(")?;
        let again = self.here();
        self.expression()?;
        self.expect(")")?;
        let out = self.emit(Op::JumpFalse(0));
        self.loops.push(Default::default());
        self.body()?;
        self.emit(Op::Jump(again));
        self.land(out);
        self.finish_loop(again);
        Ok(())
    }

    fn do_statement(&mut self) -> Done {
        self.at += 1;
        let start = self.here();
        self.loops.push(Default::default());
        self.body()?;
        self.ends();
        if !self.word("while") {
            return self.fail();
        }
        self.at += 1;
        let again = self.here();
        self.expect("(")?;
        self.expression()?;
        self.expect(")")?;
        self.emit(Op::JumpTrue(start));
        self.finish_loop(again);
        self.terminator()
    }

    fn for_statement(&mut self) -> Done {
        self.at += 1;
        self.expect("(")?;
        let keys = |i: usize| self.tokens.get(self.at + i).map(|(t, _)| t);
        let over_keys = match (keys(0), keys(1), keys(2), keys(3)) {
            (
                Some(Token::Name(name)),
                Some(Token::Word("in")),
                Some(Token::Name(array)),
                Some(Token::Sign(")")),
            ) => Some((name.clone(), array.clone())),
            _ => None,
        };
        if let Some((name, array)) = over_keys {
            self.at += 4;
            let (target, array) = (self.variable(&name), self.array(&array));
            self.emit(Op::IterateKeys(array));
            let again = self.here();
            let out = self.emit(Op::NextKey(0));
            self.emit(Op::Store(Place::Var(target)));
            self.emit(Op::Pop);
            self.loops.push(Default::default());
            self.body()?;
            self.emit(Op::Jump(again));
            self.land(out);
            self.finish_loop(again);
            self.emit(Op::IterateEnd);
            return Ok(());
        }
        if !self.is(";") {
            self.simple()?;
        }
        self.expect(";")?;
        self.newlines();
        let test = self.here();
        let out = if self.is(";") {
            None
        } else {
            self.expression()?;
            Some(self.emit(Op::JumpFalse(0)))
        };
        self.expect(";")?;
        self.newlines();
        let into = self.emit(Op::Jump(0));
        let again = self.here();
        if !self.is(")") {
            self.simple()?;
        }
        self.expect(")")?;
        self.emit(Op::Jump(test));
        self.land(into);
        self.loops.push(Default::default());
        self.body()?;
        self.emit(Op::Jump(again));
        if let Some(out) = out {
            self.land(out);
        }
        self.finish_loop(again);
        Ok(())
    }

    fn simple(&mut self) -> Done {
        match self.peek() {
            Token::Word(word @ ("print" | "printf")) => {
                let printf = *word == "printf";
                self.at += 1;
                self.print(printf)
            }
            Token::Word("delete") => {
                self.at += 1;
                let (Token::Name(name) | Token::Function(name)) = self.next() else { return self.fail() };
                let array = self.array(&name);
                if self.accept("[") {
                    self.keys("]")?;
                    self.emit(Op::Delete(array));
                } else {
                    self.emit(Op::DeleteAll(array));
                }
                Ok(())
            }
            _ => {
                self.expression()?;
                self.emit(Op::Pop);
                Ok(())
            }
        }
    }

    fn print(&mut self, printf: bool) -> Done {
        let mut count = 0;
        let ends = |c: &Self| {
            c.is(";")
                || c.is("}")
                || c.is(">")
                || c.is(">>")
                || c.is("|")
                || matches!(c.peek(), Token::Newline | Token::End)
        };
        let outer = std::mem::replace(&mut self.no_greater, true);
        if self.is("(") && self.closes_print() {
            self.at += 1;
            self.no_greater = false;
            count = self.list(")")?;
            self.no_greater = true;
        } else if !ends(self) {
            loop {
                self.expression()?;
                count += 1;
                if !self.accept(",") {
                    break;
                }
                self.newlines();
            }
        }
        let redirect = if self.accept(">") {
            Redirect::File
        } else if self.accept(">>") {
            Redirect::Append
        } else if self.accept("|") {
            Redirect::Pipe
        } else {
            Redirect::None
        };
        if redirect != Redirect::None {
            self.concatenation(true)?;
        }
        self.no_greater = outer;
        if printf && count == 0 {
            return self.fail();
        }
        self.emit(if printf { Op::Printf(count, redirect) } else { Op::Print(count, redirect) });
        Ok(())
    }

    /// Whether the parenthesis that begins here holds all of `print`'s list: what follows its end ends the statement.
    fn closes_print(&self) -> bool {
        let mut depth = 0;
        for (i, (token, _)) in self.tokens.iter().enumerate().skip(self.at) {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => {
                    depth -= 1;
                    if depth == 0 {
                        return matches!(
                            self.tokens.get(i + 1).map(|(t, _)| t),
                            None | Some(
                                Token::Newline | Token::End | Token::Sign(";" | "}" | ">" | ">>" | "|")
                            )
                        );
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Expressions up to a closing sign; how many.
    fn list(&mut self, close: &str) -> Result<u32, Mistake> {
        let mut count = 0;
        self.newlines();
        while !self.accept(close) {
            if count > 0 {
                self.expect(",")?;
                self.newlines();
            }
            self.expression()?;
            self.newlines();
            count += 1;
        }
        Ok(count)
    }

    /// Keys of an element up to a closing sign, as one.
    fn keys(&mut self, close: &str) -> Done {
        let outer = (std::mem::take(&mut self.no_in), std::mem::take(&mut self.no_greater));
        let count = self.list(close)?;
        (self.no_in, self.no_greater) = outer;
        match count {
            0 => self.fail(),
            1 => Ok(()),
            n => {
                self.emit(Op::Keys(n));
                Ok(())
            }
        }
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

    pub(super) fn expression(&mut self) -> Done {
        self.deeper()?;
        self.ternary()?;
        if let Token::Sign(sign @ ("=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "**=")) = *self.peek() {
            self.assignment(sign)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Takes back the load of what is assigned to.
    fn take_place(&mut self) -> Result<Place, Mistake> {
        match self.program.code.last() {
            Some(Op::Load(place)) => {
                let place = *place;
                self.program.code.pop();
                Ok(place)
            }
            Some(_) | None => self.fail(),
        }
    }

    fn assignment(&mut self, sign: &str) -> Done {
        let place = self.take_place()?;
        self.at += 1;
        self.newlines();
        let arith = match sign {
            "+=" => Some(Arith::Add),
            "-=" => Some(Arith::Sub),
            "*=" => Some(Arith::Mul),
            "/=" => Some(Arith::Div),
            "%=" => Some(Arith::Mod),
            "^=" | "**=" => Some(Arith::Pow),
            _ => None,
        };
        if arith.is_some() {
            if !matches!(place, Place::Var(_)) {
                self.emit(Op::Dup);
            }
            self.emit(Op::Load(place));
        }
        self.expression()?;
        if let Some(arith) = arith {
            self.emit(Op::Arith(arith));
        }
        self.emit(Op::Store(place));
        Ok(())
    }

    fn ternary(&mut self) -> Done {
        self.or()?;
        if self.accept("?") {
            self.newlines();
            let otherwise = self.emit(Op::JumpFalse(0));
            self.expression()?;
            self.newlines();
            self.expect(":")?;
            self.newlines();
            let end = self.emit(Op::Jump(0));
            self.land(otherwise);
            self.expression()?;
            self.land(end);
        }
        Ok(())
    }

    /// `a || b` and `a && b`: 0 or 1, the right side only where it matters.
    fn or(&mut self) -> Done {
        self.and()?;
        while self.accept("||") {
            self.newlines();
            self.emit(Op::Truth);
            self.emit(Op::Dup);
            let end = self.emit(Op::JumpTrue(0));
            self.emit(Op::Pop);
            self.and()?;
            self.emit(Op::Truth);
            self.land(end);
        }
        Ok(())
    }

    fn and(&mut self) -> Done {
        self.membership()?;
        while self.accept("&&") {
            self.newlines();
            self.emit(Op::Truth);
            self.emit(Op::Dup);
            let end = self.emit(Op::JumpFalse(0));
            self.emit(Op::Pop);
            self.membership()?;
            self.emit(Op::Truth);
            self.land(end);
        }
        Ok(())
    }

    fn membership(&mut self) -> Done {
        self.matching()?;
        while !self.no_in && self.word("in") {
            self.at += 1;
            let (Token::Name(name) | Token::Function(name)) = self.next() else { return self.fail() };
            let array = self.array(&name);
            self.emit(Op::In(array));
        }
        Ok(())
    }

    fn matching(&mut self) -> Done {
        self.comparison()?;
        while let Token::Sign(sign @ ("~" | "!~")) = *self.peek() {
            self.at += 1;
            let before = self.program.code.len();
            self.comparison()?;
            self.as_pattern(before);
            self.emit(Op::Match(sign == "!~"));
        }
        Ok(())
    }

    /// A pattern alone stands for itself where a pattern is wanted, not for a match with the record.
    fn as_pattern(&mut self, before: usize) {
        let length = self.program.code.len();
        if let Some(last) = self.program.code.last_mut()
            && let Op::MatchRecord(i) = *last
            && length == before + 1
        {
            *last = Op::Regex(i);
        }
    }

    fn comparison(&mut self) -> Done {
        self.concatenation(false)?;
        let compare = match *self.peek() {
            Token::Sign("<") => Compare::Lt,
            Token::Sign("<=") => Compare::Le,
            Token::Sign("==") => Compare::Eq,
            Token::Sign("!=") => Compare::Ne,
            Token::Sign(">") if !self.no_greater => Compare::Gt,
            Token::Sign(">=") => Compare::Ge,
            Token::Sign("|") if matches!(self.tokens.get(self.at + 1), Some((Token::Word("getline"), _))) => {
                return self.piped_getline();
            }
            _ => return Ok(()),
        };
        self.at += 1;
        self.concatenation(false)?;
        self.emit(Op::Compare(compare));
        Ok(())
    }

    fn piped_getline(&mut self) -> Done {
        while self.is("|") && matches!(self.tokens.get(self.at + 1), Some((Token::Word("getline"), _))) {
            self.at += 2;
            let place = self.getline_place()?;
            if let Some(Place::Field | Place::Element(_)) = place {
                return self.say("cmd | getline into a field or an element is not simulated");
            }
            self.emit(Op::Getline(Source::Command, place));
        }
        Ok(())
    }

    fn starts_operand(&self) -> bool {
        match self.peek() {
            Token::Number(_) | Token::Text(_) | Token::Regex(_) | Token::Name(_) | Token::Function(_) => true,
            Token::Word(word) => BUILTINS.contains(word),
            Token::Sign(sign) => matches!(*sign, "$" | "!" | "(" | "-" | "+" | "++" | "--"),
            Token::Newline | Token::End => false,
        }
    }

    /// One value behind the other. `single` values (a file's name after `>`) end before a comparison.
    fn concatenation(&mut self, single: bool) -> Done {
        self.additive()?;
        while self.starts_operand() && !self.is("+") && !self.is("-") && !(single && self.is("(")) {
            self.additive()?;
            self.emit(Op::Concat);
        }
        Ok(())
    }

    fn additive(&mut self) -> Done {
        self.multiplicative()?;
        while let Token::Sign(sign @ ("+" | "-")) = *self.peek() {
            self.at += 1;
            self.multiplicative()?;
            self.emit(Op::Arith(if sign == "+" { Arith::Add } else { Arith::Sub }));
        }
        Ok(())
    }

    fn multiplicative(&mut self) -> Done {
        self.unary()?;
        while let Token::Sign(sign @ ("*" | "/" | "%")) = *self.peek() {
            self.at += 1;
            self.unary()?;
            self.emit(Op::Arith(match sign {
                "*" => Arith::Mul,
                "/" => Arith::Div,
                _ => Arith::Mod,
            }));
        }
        Ok(())
    }

    fn unary(&mut self) -> Done {
        let Token::Sign(sign @ ("!" | "-" | "+")) = *self.peek() else { return self.power() };
        self.deeper()?;
        self.at += 1;
        self.unary()?;
        self.depth -= 1;
        // `! x ~ y` is read as `!(x ~ y)` by the real ones.
        if sign == "!" && (self.is("~") || self.is("!~")) {
            let negated = self.is("!~");
            self.at += 1;
            let before = self.program.code.len();
            self.comparison()?;
            self.as_pattern(before);
            self.emit(Op::Match(negated));
        }
        self.emit(match sign {
            "!" => Op::Not,
            "-" => Op::Negate,
            _ => Op::Plus,
        });
        Ok(())
    }

    fn power(&mut self) -> Done {
        self.postfix()?;
        if self.accept("^") || self.accept("**") {
            // Right-associative; its right side may have a sign.
            self.deeper()?;
            if let Token::Sign(sign @ ("-" | "+" | "!")) = *self.peek() {
                self.at += 1;
                self.power()?;
                self.emit(match sign {
                    "-" => Op::Negate,
                    "+" => Op::Plus,
                    _ => Op::Not,
                });
            } else {
                self.power()?;
            }
            self.depth -= 1;
            self.emit(Op::Arith(Arith::Pow));
        }
        Ok(())
    }

    fn postfix(&mut self) -> Done {
        self.primary()?;
        if let Token::Sign(sign @ ("++" | "--")) = *self.peek()
            && let Some(Op::Load(place)) = self.program.code.last().cloned()
        {
            self.at += 1;
            self.program.code.pop();
            self.emit(Op::Increment { place, by: if sign == "++" { 1.0 } else { -1.0 }, post: true });
        }
        Ok(())
    }

    fn primary(&mut self) -> Done {
        self.deeper()?;
        let result = self.one_primary();
        self.depth -= 1;
        result
    }

    fn one_primary(&mut self) -> Done {
        match self.next() {
            Token::Number(n) => drop(self.emit(Op::Number(n))),
            Token::Text(text) => drop(self.emit(Op::Text(text))),
            Token::Regex(text) => {
                let i = u32::try_from(self.program.regexes.len()).unwrap_or(u32::MAX);
                self.program.regexes.push(text);
                self.emit(Op::MatchRecord(i));
            }
            Token::Name(name) => {
                if self.accept("[") {
                    let array = self.array(&name);
                    self.keys("]")?;
                    self.emit(Op::Load(Place::Element(array)));
                } else {
                    let var = self.variable(&name);
                    self.emit(Op::Load(Place::Var(var)));
                }
            }
            Token::Function(name) => return self.call(&name),
            Token::Word("getline") => return self.getline(),
            Token::Word(word) if BUILTINS.contains(&word) => return self.builtin(word),
            Token::Sign("(") => return self.group(),
            Token::Sign("$") => {
                if let Token::Sign(sign @ ("++" | "--" | "-" | "+")) = *self.peek() {
                    self.at += 1;
                    self.primary()?;
                    if sign.len() == 2 {
                        let place = self.take_place()?;
                        self.emit(Op::Increment {
                            place,
                            by: if sign == "++" { 1.0 } else { -1.0 },
                            post: false,
                        });
                    } else if sign == "-" {
                        self.emit(Op::Negate);
                    }
                } else {
                    self.primary()?;
                }
                self.emit(Op::Load(Place::Field));
            }
            Token::Sign(sign @ ("++" | "--")) => {
                self.primary()?;
                let place = self.take_place()?;
                self.emit(Op::Increment { place, by: if sign == "++" { 1.0 } else { -1.0 }, post: false });
            }
            Token::Sign("-" | "!" | "+") => {
                self.at -= 1;
                return self.unary();
            }
            Token::Word(_) | Token::Sign(_) | Token::Newline | Token::End => {
                self.at -= 1;
                return self.fail();
            }
        }
        Ok(())
    }

    fn group(&mut self) -> Done {
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        let count = self.list(")")?;
        (self.no_greater, self.no_in) = outer;
        match count {
            0 => self.fail(),
            1 => {
                // What stands in parentheses is a value, not a place; `($1)++` and `(x) = 1` are not awk, `$(NF)` is.
                Ok(())
            }
            n => {
                if !self.word("in") {
                    return self.fail();
                }
                self.emit(Op::Keys(n));
                Ok(())
            }
        }
    }

    fn call(&mut self, name: &str) -> Done {
        let id = self.function_id(name);
        self.expect("(")?;
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        let mut arguments = 0;
        self.newlines();
        while !self.accept(")") {
            if arguments > 0 {
                self.expect(",")?;
                self.newlines();
            }
            let before = self.program.code.len();
            self.expression()?;
            if self.program.code.len() == before + 1
                && matches!(self.program.code.last(), Some(Op::Load(Place::Var(_))))
            {
                self.bare.push((before, self.current, id, index(arguments)));
            }
            self.newlines();
            arguments += 1;
        }
        (self.no_greater, self.no_in) = outer;
        self.emit(Op::Call { function: id, arguments });
        Ok(())
    }

    fn getline_place(&mut self) -> Result<Option<Place>, Mistake> {
        if !matches!(self.peek(), Token::Name(_)) && !self.is("$") {
            return Ok(None);
        }
        self.primary()?;
        self.take_place().map(Some)
    }

    fn getline(&mut self) -> Done {
        let place = self.getline_place()?;
        if self.accept("<") {
            self.primary()?;
            self.emit(Op::Getline(Source::File, place));
        } else {
            self.emit(Op::Getline(Source::Main, place));
        }
        Ok(())
    }

    fn builtin(&mut self, name: &'static str) -> Done {
        if name == "length" && !self.is("(") {
            self.emit(Op::Builtin("length", 0));
            return Ok(());
        }
        self.expect("(")?;
        let outer = (std::mem::take(&mut self.no_greater), std::mem::take(&mut self.no_in));
        match name {
            "sub" | "gsub" => self.substitution(name == "gsub")?,
            "split" => {
                self.expression()?;
                self.expect(",")?;
                self.newlines();
                let (Token::Name(array) | Token::Function(array)) = self.next() else { return self.fail() };
                let array = self.array(&array);
                let separated = self.accept(",");
                if separated {
                    self.newlines();
                    self.pattern()?;
                }
                self.expect(")")?;
                self.emit(Op::Split(array, separated));
            }
            "match" => {
                self.expression()?;
                self.expect(",")?;
                self.newlines();
                self.pattern()?;
                self.expect(")")?;
                self.emit(Op::Builtin(name, 2));
            }
            "length" if self.is(")") => {
                self.at += 1;
                self.emit(Op::Builtin(name, 0));
            }
            "length" => self.length()?,
            name => {
                let count = self.list(")")?;
                let range = arguments(name);
                if !range.contains(&count) {
                    return self.say(&format!("{count} is invalid as number of arguments for {name}"));
                }
                self.emit(Op::Builtin(name, count));
            }
        }
        (self.no_greater, self.no_in) = outer;
        Ok(())
    }

    /// `length(x)`: of an array too, which only the rest of the program tells; a name that is nowhere else a scalar
    /// and was seen as an array is one.
    fn length(&mut self) -> Done {
        let name = match (self.peek(), self.tokens.get(self.at + 1).map(|(t, _)| t)) {
            (Token::Name(name), Some(Token::Sign(")"))) => Some(name.clone()),
            _ => None,
        };
        if let Some(name) = name {
            self.at += 2;
            let var = self.variable(&name);
            self.emit(Op::LengthOf(var));
            return Ok(());
        }
        self.expression()?;
        self.expect(")")?;
        self.emit(Op::Builtin("length", 1));
        Ok(())
    }

    fn pattern(&mut self) -> Done {
        let before = self.program.code.len();
        self.expression()?;
        self.as_pattern(before);
        Ok(())
    }

    /// `sub(re, text [, place])`; the place's needs come first on the stack, so its code is moved to the front.
    fn substitution(&mut self, all: bool) -> Done {
        let start = self.program.code.len();
        self.pattern()?;
        self.expect(",")?;
        self.newlines();
        self.expression()?;
        let middle = self.program.code.len();
        let place = if self.accept(",") {
            self.newlines();
            self.expression()?;
            self.take_place()?
        } else {
            self.emit(Op::Number(0.0));
            Place::Field
        };
        self.expect(")")?;
        let needs: Vec<Op> = self.program.code.drain(middle..).collect();
        let (length, before) = (needs.len(), middle - start);
        let back = u32::try_from(before).unwrap_or(0);
        let forth = u32::try_from(length).unwrap_or(0);
        let needs: Vec<Op> = needs.into_iter().map(|op| unshifted(op, back)).collect();
        let first: Vec<Op> = self.program.code.drain(start..).map(|op| shifted(op, forth)).collect();
        self.program.code.extend(needs);
        self.program.code.extend(first);
        for bare in &mut self.bare {
            if bare.0 >= middle {
                bare.0 -= before;
            } else if bare.0 >= start {
                bare.0 += length;
            }
        }
        self.emit(Op::Substitute(place, all));
        Ok(())
    }
}

fn arguments(name: &str) -> std::ops::RangeInclusive<u32> {
    match name {
        "rand" | "systime" => 0..=0,
        "srand" | "fflush" => 0..=1,
        "atan2" | "index" => 2..=2,
        "substr" => 2..=3,
        "sprintf" => 1..=u32::MAX,
        "strftime" => 0..=3,
        _ => 1..=1,
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
