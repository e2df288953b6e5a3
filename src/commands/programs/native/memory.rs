//! Memory that several variables may point to: arrays, and what `malloc`, `new` and `cudaMalloc` give.

use super::run::{CodeValue, Machine, whole_of};
use super::tree::{CodeExpr, Kind};
use super::world::{RunHalt, RunStep};

/// Elements of all memory.
const MAX_MEMORY: usize = 1 << 20;

impl Machine<'_> {
    /// Puts the elements of a list into memory.
    pub fn stored(&mut self, value: CodeValue) -> RunStep<CodeValue> {
        let CodeValue::List(items) = value else { return Ok(value) };
        let items = items.into_iter().map(|item| self.stored(item)).collect::<RunStep<Vec<_>>>()?;
        self.allocated(items)
    }

    /// New memory with these elements.
    pub fn allocated(&mut self, items: Vec<CodeValue>) -> RunStep<CodeValue> {
        self.taken += items.len() + 1;
        if self.taken > MAX_MEMORY {
            return Err(RunHalt::Unknown);
        }
        self.memory.push(items);
        Ok(CodeValue::Array(self.memory.len() - 1))
    }

    /// The elements of an array.
    pub fn elements(&mut self, id: usize) -> RunStep<&mut Vec<CodeValue>> {
        self.memory.get_mut(id).ok_or(RunHalt::Unknown)
    }

    pub fn element(&self, id: usize, at: usize) -> RunStep<CodeValue> {
        self.memory.get(id).and_then(|items| items.get(at)).cloned().ok_or(RunHalt::Unknown)
    }

    /// Memory without a type gets one.
    pub fn retyped(&mut self, kind: Kind, value: CodeValue) -> CodeValue {
        match (kind, value) {
            (Kind::Text, CodeValue::Array(id)) => {
                // Memory for letters is a text.
                let untouched =
                    self.memory.get(id).is_some_and(|all| all.iter().all(|v| *v == CodeValue::Int(0)));
                if untouched { CodeValue::Text(String::new()) } else { CodeValue::Array(id) }
            }
            (Kind::Fraction, CodeValue::Array(id)) => {
                for item in self.memory.get_mut(id).into_iter().flatten() {
                    if let CodeValue::Int(n) = item {
                        *item = CodeValue::Float(*n as f64);
                    }
                }
                CodeValue::Array(id)
            }
            (_, value) => value,
        }
    }

    /// The element that an expression denotes: the array and the position in it.
    pub fn place(&mut self, expr: &CodeExpr) -> RunStep<Option<(usize, usize)>> {
        Ok(match expr {
            CodeExpr::Pointer(_, inner) => self.place(inner)?,
            CodeExpr::Unary("&", inner) if matches!(**inner, CodeExpr::Index(..) | CodeExpr::Name(_)) => {
                self.place(inner)?
            }
            CodeExpr::Index(list, at) => match self.value(list)? {
                CodeValue::Array(id) => {
                    let at = usize::try_from(self.whole(at)?).map_err(|_| RunHalt::Unknown)?;
                    match self.element(id, at)? {
                        CodeValue::Array(inner) => Some((inner, 0)),
                        _ => Some((id, at)),
                    }
                }
                _ => None,
            },
            CodeExpr::Binary("+", list, at) => match self.value(list)? {
                CodeValue::Array(id) => {
                    Some((id, usize::try_from(self.whole(at)?).map_err(|_| RunHalt::Unknown)?))
                }
                _ => None,
            },
            CodeExpr::Name(name) => match self.read(name) {
                Some(CodeValue::Array(id)) => Some((id, 0)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Sets an element of an array.
    pub fn put(&mut self, id: usize, at: usize, value: CodeValue) -> RunStep<()> {
        let slot = self.elements(id)?.get_mut(at).ok_or(RunHalt::Unknown)?;
        *slot = match (&*slot, value) {
            (CodeValue::Int(_), CodeValue::Float(x)) => CodeValue::Int(whole_of(x)),
            (CodeValue::Float(_), CodeValue::Int(n)) => CodeValue::Float(n as f64),
            (_, value) => value,
        };
        Ok(())
    }

    /// Functions about memory; none if the name is another one.
    pub fn memory_call(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<Option<CodeValue>> {
        Ok(Some(match name {
            "malloc" | "calloc" | "new" => {
                let mut bytes = self.whole(self.arg(args, 0)?)?;
                if name == "calloc" {
                    bytes = bytes.saturating_mul(self.whole(self.arg(args, 1)?)?);
                }
                let count = if name == "new" { bytes } else { bytes.saturating_add(3) / 4 };
                self.cleared(count)?
            }
            "free" => CodeValue::Int(0),
            "memset" => {
                let zero = self.whole(self.arg(args, 1)?)? == 0;
                match (zero, self.value(self.arg(args, 0)?)?) {
                    (true, CodeValue::Array(id)) => {
                        for item in self.elements(id)? {
                            *item = match item {
                                CodeValue::Float(_) => CodeValue::Float(0.0),
                                _ => CodeValue::Int(0),
                            };
                        }
                    }
                    (true, CodeValue::Text(_)) => self.give(args, 0, CodeValue::Text(String::new()))?,
                    _ => return Err(RunHalt::Unknown),
                }
                CodeValue::Int(0)
            }
            "memcpy" => {
                let bytes = self.whole(self.arg(args, 2)?)?;
                self.copied(self.arg(args, 0)?, self.arg(args, 1)?, bytes)?;
                CodeValue::Int(0)
            }
            _ => return Ok(None),
        }))
    }

    /// New memory of zeros.
    pub fn cleared(&mut self, count: i64) -> RunStep<CodeValue> {
        let count = usize::try_from(count).ok().filter(|n| *n <= MAX_MEMORY).ok_or(RunHalt::Unknown)?;
        self.spend(count)?;
        self.allocated(vec![CodeValue::Int(0); count])
    }

    /// Copies memory to memory, or to and from a variable.
    pub fn copied(&mut self, to: &CodeExpr, from: &CodeExpr, bytes: i64) -> RunStep<()> {
        // Elements have at least four bytes; more of them than there are don't matter.
        let most = usize::try_from(bytes.saturating_add(3) / 4).map_err(|_| RunHalt::Unknown)?;
        let values = match self.place(from)? {
            Some((id, at)) => self.elements(id)?.iter().skip(at).take(most).cloned().collect(),
            None => match from {
                CodeExpr::Unary("&", inner) => vec![self.value(inner)?],
                _ => return Err(RunHalt::Unknown),
            },
        };
        self.spend(values.len())?;
        self.fill(to, values)
    }

    /// Sets elements from where an expression points to on, or the variable that it denotes.
    pub fn fill(&mut self, to: &CodeExpr, values: Vec<CodeValue>) -> RunStep<()> {
        match self.place(to)? {
            Some((id, at)) => {
                let room = self.elements(id)?.len().saturating_sub(at);
                for (nth, value) in values.into_iter().take(room).enumerate() {
                    self.put(id, at + nth, value)?;
                }
                Ok(())
            }
            None => self.assign(to, values.into_iter().next().ok_or(RunHalt::Unknown)?),
        }
    }
}
