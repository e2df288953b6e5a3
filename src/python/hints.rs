//! "Did you mean": the name closest to a misspelt one, as CPython 3.11 selects it.

use super::value::{Py, PyObject};
use super::vm::PyVm;
use super::{library, natives};

/// Cost of a different letter, and of the same letter in the other case.
const MOVE: usize = 2;
const CASE: usize = 1;
/// Maximum length of the names that are compared.
const LONGEST: usize = 40;
/// Maximum number of names that are compared.
const MOST: usize = 750;

/// The weighted edit distance of two names.
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).map(|j| j * MOVE).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = (i + 1) * MOVE;
        for (j, y) in b.iter().enumerate() {
            let change = if x == y {
                0
            } else if x.eq_ignore_ascii_case(y) {
                CASE
            } else {
                MOVE
            };
            let best = (diagonal + change).min(row[j] + MOVE).min(row[j + 1] + MOVE);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row.last().copied()
}

/// The closest of some names.
pub(super) fn nearest(name: &str, names: &[String]) -> Option<String> {
    let mut best: Option<(usize, &String)> = None;
    for candidate in names.iter().take(MOST).filter(|n| *n != name) {
        let most = (name.chars().count() + candidate.chars().count() + 3) * MOVE / 6;
        let most = best.map_or(most, |b| most.min(b.0.saturating_sub(1)));
        if let Some(far) = distance(name, candidate).filter(|d| *d <= most)
            && best.is_none_or(|b| far < b.0)
        {
            best = Some((far, candidate));
        }
    }
    best.map(|b| b.1.clone())
}

impl PyVm<'_> {
    /// The variable closest to an undefined name.
    pub(super) fn nearest_variable(&mut self, name: &str) -> Option<String> {
        let (unit, code, module) = (self.frame().unit, self.frame().code, self.frame().module);
        let locals: Vec<String> = self.code_of(unit, code).locals.iter().map(ToString::to_string).collect();
        let names = |vm: &Self, module: u32| match vm.obj(module) {
            PyObject::Module(m) => m.attrs.keys().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        let globals = names(self, module);
        let mut builtins: Vec<String> = names(self, self.s.builtins);
        builtins.retain(|n| !n.starts_with('_'));
        [locals, globals, builtins].iter().find_map(|names| nearest(name, names))
    }

    /// The attribute closest to one that an object lacks.
    pub(super) fn nearest_attribute(&self, exception: Py) -> Option<String> {
        let name = self.instance_attr(exception, "name").and_then(|n| self.str_ref(n))?;
        let object = self.instance_attr(exception, "obj")?;
        let mut names: Vec<String> = Vec::new();
        if let Py::Obj(id) = object {
            match self.obj(id) {
                PyObject::Module(m) => names.extend(m.attrs.keys().map(ToString::to_string)),
                PyObject::Instance(i) => names.extend(i.attrs.keys().map(ToString::to_string)),
                _ => {}
            }
        }
        let class = if self.is_class(object) { object } else { self.class_of(object) };
        let order = match class {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) => c.order.clone(),
                _ => Vec::new(),
            },
            other => vec![other],
        };
        for class in order {
            match class {
                Py::Obj(id) => {
                    if let PyObject::Class(c) = self.obj(id) {
                        // CPython's classes do not have the library's own helpers.
                        let ours = library::text(&format!("<library>/{}.py", c.module)).is_some();
                        let all = c.attrs.keys().filter(|n| !(ours && n.starts_with('_')));
                        names.extend(all.map(ToString::to_string));
                    }
                }
                Py::Type(kind) => names.extend(natives::methods(kind.name())),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        nearest(name, &names)
    }
}
