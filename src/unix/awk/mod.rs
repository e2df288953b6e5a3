//! awk(1) as in POSIX, with `strftime`, `systime`, `nextfile`, `fflush`, `delete a` and `length(a)`.
//!
//! Programs compile to operations of a stack machine whose state is plain data. An endless loop only uses up
//! its time slices, and a keyframe can be taken within an action. Deliberate differences: `for (k in a)`
//! visits numbers first, in ascending order, then strings in byte order (real implementations use hash table
//! order); `rand` yields the same sequence on every machine.

mod array;
mod compile;
mod fatal;
mod function;
mod gnu;
mod lex;
mod machine;
mod op;
mod operate;
mod pipes;
mod print;
mod reader;
mod record;
mod store;
#[cfg(test)]
mod tests;
mod value;

use super::getopt::{self, Spec};
use crate::{Cx, UnixMachine};
pub use machine::Awk;

/// Starts awk(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    match prepare(cx) {
        Ok(awk) => UnixMachine::Awk(Box::new(awk)),
        Err(code) => UnixMachine::End(code),
    }
}

fn prepare(cx: &mut Cx) -> Result<Awk, u8> {
    const SPEC: Spec = Spec {
        short: "+F:v:f:e:",
        long: &[("field-separator", 'F'), ("assign", 'v'), ("file", 'f'), ("source", 'e')],
        usage: 2,
    };
    let parsed = getopt::parse(cx, &SPEC)?;
    let mut operands = parsed.operands.clone();
    let mut pieces = Vec::new();
    for (letter, value) in &parsed.options {
        match letter {
            'e' => pieces.push(fatal::named(fatal::COMMAND_LINE, value)),
            'f' => match cx.read_file(value) {
                Ok(data) => pieces.push(fatal::named(value, &String::from_utf8_lossy(&data))),
                Err(errno) => {
                    cx.error(&format!("fatal: cannot open source file `{value}' for reading: {errno}"));
                    return Err(2);
                }
            },
            _ => {}
        }
    }
    if pieces.is_empty() {
        if operands.is_empty() {
            cx.complain("Usage: awk [-F fs] [-v var=value] 'program' [file ...]");
            return Err(2);
        }
        pieces.push(operands.remove(0));
    }
    let mut assignments: Vec<(String, String)> = Vec::new();
    for (letter, value) in &parsed.options {
        match (letter, value.split_once('=')) {
            ('F', _) => {
                assignments.push(("FS".into(), if value == "t" { "\t".into() } else { value.clone() }))
            }
            ('v', Some((name, text))) if is_name(name) => assignments.push((name.into(), text.into())),
            ('v', _) => {
                cx.error(&format!("fatal: `{value}' argument to `-v' not in `var=value' form"));
                return Err(2);
            }
            _ => {}
        }
    }
    let source = pieces.join("\n");
    Awk::new(cx, source.clone(), &assignments, operands).map_err(|(line, why)| {
        cx.error(&format!("{}{why}", fatal::place_of(&source, line)));
        if why.starts_with("fatal") { 2 } else { 1 }
    })
}

/// Whether a text could name a variable.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
