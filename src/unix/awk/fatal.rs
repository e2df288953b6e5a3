//! What ends an awk program: where it was, and the misuse of arrays, in gawk's words.

use super::machine::{Awk, Flow};
use super::op::{AwkLvalue, AwkOp, AwkProgram, Var, slot};
use super::value::AwkValue;

/// What gawk calls a program that is no file.
pub(super) const COMMAND_LINE: &str = "cmd. line";

/// Begins the comment that names the file of the lines that follow. A program is stored as one text.
const FILE: &str = "#\u{1}";

/// A piece of a program with the name of its file. A line break in the name would end the comment.
pub(super) fn named(file: &str, text: &str) -> String {
    format!("{FILE}{}\n{text}", file.replace('\n', " "))
}

/// The file and line of a line of the whole program, counted from 1, as messages begin with them.
pub(super) fn place_of(source: &str, line: u32) -> String {
    let until = usize::try_from(line).unwrap_or(usize::MAX);
    let marks =
        source.lines().take(until).zip(1_u32..).filter_map(|(text, at)| Some((text.strip_prefix(FILE)?, at)));
    let (file, before) = marks.last().unwrap_or((COMMAND_LINE, 0));
    format!("{file}:{}: ", line - before)
}

/// The end of a program that reads from or writes to a file without a name.
pub(super) fn null_redirection(sign: &str) -> Flow {
    Flow::Fatal(format!("expression for `{sign}' redirection has null string value"))
}

impl Awk {
    /// Where the program is: the file and line of the statement, and the record.
    pub(super) fn place(&self, program: &AwkProgram) -> String {
        let after = program.lines.partition_point(|(at, _)| *at <= self.pc);
        let line = after.checked_sub(1).and_then(|last| program.lines.get(last)).map_or(1, |(_, line)| *line);
        let place = place_of(&self.source, line);
        let count = self.store.special(slot::FNR);
        if count == "0" {
            return place;
        }
        let file = self.store.special(slot::FILENAME);
        format!("{place}(FILENAME={} FNR={count}) ", if file.is_empty() { "-" } else { &file })
    }

    /// Why an operation may not use its variable: it is an array, or it is none.
    pub(super) fn misuse(&self, program: &AwkProgram, op: &AwkOp) -> Option<String> {
        let (var, array) = match op {
            AwkOp::Load(AwkLvalue::Var(var))
            | AwkOp::Store(AwkLvalue::Var(var))
            | AwkOp::Increment { target: AwkLvalue::Var(var), .. }
            | AwkOp::Substitute(AwkLvalue::Var(var), _)
            | AwkOp::Getline(_, Some(AwkLvalue::Var(var))) => (*var, false),
            AwkOp::Load(AwkLvalue::Element(var))
            | AwkOp::Store(AwkLvalue::Element(var))
            | AwkOp::Increment { target: AwkLvalue::Element(var), .. }
            | AwkOp::Substitute(AwkLvalue::Element(var), _)
            | AwkOp::Getline(_, Some(AwkLvalue::Element(var)))
            | AwkOp::In(var)
            | AwkOp::Delete(var)
            | AwkOp::DeleteAll(var)
            | AwkOp::IterateKeys(var)
            | AwkOp::LoadArray(var)
            | AwkOp::Split(var, _) => (*var, true),
            _ => return None,
        };
        match (self.store.stored(var)?, array) {
            (AwkValue::Array(id), false) => Some(format!(
                "attempt to use array `{}' in a scalar context",
                self.array_name(program, var, *id)
            )),
            (AwkValue::Array(_), true) | (_, false) => None,
            (AwkValue::Unset, true) if var != Var::Global(slot::NF) => None,
            (_, true) if matches!(op, AwkOp::Split(..)) => {
                Some("split: second argument is not an array".to_owned())
            }
            (_, true) => {
                let kind = if matches!(var, Var::Local(_)) { "scalar parameter" } else { "scalar" };
                Some(format!("attempt to use {kind} `{}' as an array", self.name(program, var)))
            }
        }
    }

    /// An array's name; that of a parameter also tells which global array it is.
    fn array_name(&self, program: &AwkProgram, var: Var, id: u32) -> String {
        let name = self.name(program, var);
        let is_it = |value: &AwkValue| *value == AwkValue::Array(id);
        let global = self.store.globals.iter().position(is_it).and_then(|slot| program.globals.get(slot));
        match (var, global) {
            (Var::Local(_), Some(global)) => format!("{name} (from {global})"),
            (Var::Local(_), None) | (Var::Global(_), _) => name.to_owned(),
        }
    }

    fn name<'p>(&self, program: &'p AwkProgram, var: Var) -> &'p str {
        let nth = |slot: u32| usize::try_from(slot).unwrap_or(usize::MAX);
        match var {
            Var::Global(slot) => program.globals.get(nth(slot)),
            Var::Local(slot) => {
                let begun = program.functions.iter().filter(|function| function.entry <= self.pc);
                let running = begun.max_by_key(|function| function.entry);
                running.and_then(|function| function.parameters.get(nth(slot)))
            }
        }
        .map_or("", String::as_str)
    }
}
