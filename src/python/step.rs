//! Executes operations.

use super::code::{BinOp, CmpOp, PyCode, PyOp};
use super::frame::TryBlock;
use super::library;
use super::value::{Py, PyObject};
use super::vm::{AfterOp, PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub(super) fn unit_name(&mut self, index: u32) -> super::ast::PyName {
        let unit = self.frame().unit;
        self.s.units[unit as usize].compiled().names[index as usize].clone()
    }

    fn unbound(&mut self, name: &str, local: bool) -> Stop {
        if local {
            let message =
                format!("cannot access local variable '{name}' where it is not associated with a value");
            return self.error("UnboundLocalError", &message);
        }
        let stop = self.error("NameError", &format!("name '{name}' is not defined"));
        if let Stop::Raise(e) = stop {
            let text = self.text(name);
            self.set_instance_attr(e, "name", text);
            if let Some(hint) = self.nearest_variable(name) {
                let hint = self.text(hint);
                self.set_instance_attr(e, "__hint__", hint);
            }
        }
        stop
    }

    /// A global variable or a built-in one. Some of those are in modules that run when the first one is needed.
    fn load_global(&mut self, index: u32) -> PyResult<AfterOp> {
        let name = self.unit_name(index);
        let module = self.frame().module;
        let value = self.global(module, &name).or_else(|| self.global(self.s.builtins, &name));
        match value {
            Some(value) => {
                self.push(value);
                Ok(AfterOp::Next)
            }
            None => match library::of_builtin(&name) {
                Some(module) if !self.s.modules.contains_key(module) => self.import(&module.into()),
                _ => Err(self.unbound(&name, false)),
            },
        }
    }

    pub(super) fn step(&mut self, op: PyOp, code: &PyCode, floor: usize) -> PyResult<AfterOp> {
        match op {
            PyOp::Const(i) => {
                let unit = self.frame().unit;
                let known = self.s.units[unit as usize].constants.get(i as usize).copied();
                let value = match known {
                    Some(value) if value != Py::Unset => value,
                    _ => self.constant(unit, i),
                };
                self.push(value);
            }
            PyOp::Local(i) => {
                let value = self.frame().locals[i as usize];
                if value == Py::Unset {
                    return Err(self.unbound(&code.locals[i as usize], true));
                }
                self.push(value);
            }
            PyOp::SetLocal(i) => {
                let value = self.pop();
                self.frame().locals[i as usize] = value;
            }
            PyOp::DelLocal(i) => {
                if std::mem::replace(&mut self.frame().locals[i as usize], Py::Unset) == Py::Unset {
                    return Err(self.unbound(&code.locals[i as usize], true));
                }
            }
            PyOp::Global(i) => return self.load_global(i),
            PyOp::SetGlobal(i)
            | PyOp::DelGlobal(i)
            | PyOp::SetNamed(i)
            | PyOp::DelNamed(i)
            | PyOp::Named(i) => return self.named(op, i),
            PyOp::Cell(i) => {
                let cell = self.frame().cells[i as usize];
                match self.obj(cell) {
                    PyObject::Cell(Py::Unset) => {
                        let name = &code.cells[i as usize];
                        if (i as usize) < code.own_cells {
                            return Err(self.unbound(name, true));
                        }
                        let message = format!(
                            "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
                        );
                        return Err(self.error("NameError", &message));
                    }
                    PyObject::Cell(value) => {
                        let value = *value;
                        self.push(value);
                    }
                    _ => {}
                }
            }
            PyOp::SetCell(i) | PyOp::DelCell(i) => {
                let value = if matches!(op, PyOp::SetCell(_)) { self.pop() } else { Py::Unset };
                let cell = self.frame().cells[i as usize];
                *self.obj_mut(cell) = PyObject::Cell(value);
            }
            PyOp::Capture(i) => {
                let cell = self.frame().cells[i as usize];
                self.push(Py::Obj(cell));
            }
            PyOp::Nop => {}
            PyOp::Pop => {
                self.pop();
            }
            PyOp::Dup => {
                let value = self.top();
                self.push(value);
            }
            PyOp::Dup2 => {
                let stack = &mut self.frame().stack;
                let n = stack.len();
                stack.extend_from_within(n - 2..);
            }
            PyOp::Swap => {
                let stack = &mut self.frame().stack;
                let n = stack.len();
                stack.swap(n - 1, n - 2);
            }
            PyOp::Rot3 => {
                let stack = &mut self.frame().stack;
                let n = stack.len();
                stack[n - 3..].rotate_right(1);
            }
            PyOp::Neg | PyOp::Pos | PyOp::Invert => {
                let value = self.top();
                let result = self.unary(op, value)?;
                self.replace(1, result);
            }
            PyOp::Not => {
                let value = self.top();
                let truth = self.truth(value)?;
                self.replace(1, Py::Bool(!truth));
            }
            PyOp::Binary(op) | PyOp::InPlace(op) => {
                let at = self.frame().at as usize - 1;
                return self.binary_step(op, matches!(code.ops[at], PyOp::InPlace(_)));
            }
            PyOp::Compare(op) => return self.compare_step(op),
            PyOp::Jump(to) => self.frame().at = to,
            PyOp::JumpIf(to) | PyOp::JumpIfNot(to) => {
                let value = self.top();
                let truth = self.truth(value)?;
                self.pop();
                if truth == matches!(op, PyOp::JumpIf(_)) {
                    self.frame().at = to;
                }
            }
            PyOp::JumpIfKeep(to) | PyOp::JumpIfNotKeep(to) => {
                let value = self.top();
                let truth = self.truth(value)?;
                if truth == matches!(op, PyOp::JumpIfKeep(_)) {
                    self.frame().at = to;
                } else {
                    self.pop();
                }
            }
            PyOp::Attr(i) => {
                let name = self.unit_name(i);
                let object = self.top();
                match self.attr(object, &name) {
                    Ok(value) => self.replace(1, value),
                    Err(stop) => {
                        if matches!(stop, Stop::Tail(..)) {
                            self.pop();
                        }
                        return Err(stop);
                    }
                }
            }
            PyOp::SetAttr(i) => {
                let name = self.unit_name(i);
                let object = self.pop();
                let value = self.pop();
                self.set_attr(object, &name, value)?;
            }
            PyOp::DelAttr(i) => {
                let name = self.unit_name(i);
                let object = self.pop();
                self.del_attr(object, &name)?;
            }
            PyOp::Index => {
                let [object, index] = self.two();
                return self.index_step(object, index);
            }
            PyOp::SetIndex => {
                let index = self.pop();
                let object = self.pop();
                let value = self.pop();
                self.set_index(object, index, value)?;
            }
            PyOp::DelIndex => {
                let index = self.pop();
                let object = self.pop();
                self.del_index(object, index)?;
            }
            PyOp::Format(letter) => {
                let [value, format] = self.two();
                let result = self.format_value(value, letter, format)?;
                self.replace(2, result);
            }
            PyOp::Join(n) => {
                let parts = self.take(n);
                let mut out = String::new();
                for part in parts {
                    out += self.text_of(part)?.as_deref().unwrap_or_default();
                    self.fits(out.len())?;
                }
                let text = self.text(out);
                self.push(text);
            }
            PyOp::Call(n, names) => return self.call_step(None, n, names),
            PyOp::Method(name, n, names) => return self.call_step(Some(name), n, names),
            PyOp::Function(_) | PyOp::Class(_) => return self.define(op),
            PyOp::Return => {
                let value = self.pop();
                return self.returned(value, floor);
            }
            PyOp::Yield => return self.yielded(floor),
            PyOp::For(end) => return self.for_step(end),
            PyOp::Try(handler) => {
                let frame = self.frame();
                let (stack, handled) = (frame.stack.len(), frame.handled.len());
                let n = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                frame.blocks.push(TryBlock { handler, stack: n(stack), handled: n(handled) });
            }
            PyOp::EndTry => {
                self.frame().blocks.pop();
            }
            PyOp::Handle => {
                let exception = self.top();
                self.frame().handled.push(exception);
            }
            PyOp::Handled => {
                self.frame().handled.pop();
            }
            PyOp::Matches => {
                let class = self.top();
                let n = self.frame().stack.len();
                let exception = self.frame().stack[n - 2];
                let yes = self.matches(exception, class)?;
                self.replace(1, Py::Bool(yes));
            }
            PyOp::Raise(_) | PyOp::Reraise | PyOp::AssertionFailed(_) => return Err(self.raise_step(op)),
            PyOp::Import(_) | PyOp::ImportFrom(_) | PyOp::ImportStar => return self.import_step(op),
            PyOp::Enter | PyOp::Exit | PyOp::YieldFrom | PyOp::CallSpread => {
                return self.protocol_step(op, floor);
            }
            PyOp::Annotate(i) => {
                let name = self.unit_name(i);
                self.annotate(&name);
            }
            PyOp::Show => {
                let value = self.pop();
                if value != Py::None {
                    let text = self.repr(value)?;
                    self.write_out(&format!("{text}\n"));
                    let builtins = self.s.builtins;
                    self.set_global(builtins, "_", value);
                }
            }
            _ => return self.build(op),
        }
        Ok(AfterOp::Next)
    }

    /// The two topmost values.
    pub(super) fn two(&mut self) -> [Py; 2] {
        let stack = &self.frame().stack;
        let n = stack.len();
        [stack[n - 2], stack[n - 1]]
    }

    /// Replaces the `n` topmost values with one.
    pub(super) fn replace(&mut self, n: usize, value: Py) {
        let stack = &mut self.frame().stack;
        let rest = stack.len() - n;
        stack.truncate(rest);
        stack.push(value);
    }

    /// Pops the `n` topmost values, in order.
    pub(super) fn take(&mut self, n: u32) -> Vec<Py> {
        let stack = &mut self.frame().stack;
        let rest = stack.len() - n as usize;
        stack.split_off(rest)
    }

    fn named(&mut self, op: PyOp, index: u32) -> PyResult<AfterOp> {
        let name = self.unit_name(index);
        let module = self.frame().module;
        let in_class = self.frame().names.is_some() && !matches!(op, PyOp::SetGlobal(_) | PyOp::DelGlobal(_));
        match op {
            PyOp::Named(_) => {
                let own = self.frame().names.as_ref().and_then(|n| n.get(&name).copied());
                match own {
                    Some(value) => self.push(value),
                    None => return self.load_global(index),
                }
            }
            PyOp::SetGlobal(_) | PyOp::SetNamed(_) => {
                let value = self.pop();
                if in_class {
                    self.frame().names.as_mut().map(|n| n.insert(name, value));
                } else if let PyObject::Module(m) = self.obj_mut(module) {
                    m.attrs.insert(name, value);
                }
            }
            _ => {
                let gone = if in_class {
                    self.frame().names.as_mut().and_then(|n| n.shift_remove(&name))
                } else if let PyObject::Module(m) = self.obj_mut(module) {
                    m.attrs.shift_remove(&name)
                } else {
                    None
                };
                if gone.is_none() {
                    return Err(self.unbound(&name, false));
                }
            }
        }
        Ok(AfterOp::Next)
    }

    fn binary_step(&mut self, op: BinOp, in_place: bool) -> PyResult<AfterOp> {
        let [a, b] = self.two();
        let quick = match (a, b, op) {
            (Py::Int(a), Py::Int(b), BinOp::Add) => a.checked_add(b).map(Py::Int),
            (Py::Int(a), Py::Int(b), BinOp::Sub) => a.checked_sub(b).map(Py::Int),
            (Py::Int(a), Py::Int(b), BinOp::Mul) => a.checked_mul(b).map(Py::Int),
            (Py::Float(a), Py::Float(b), BinOp::Add) => Some(Py::Float(a + b)),
            (Py::Float(a), Py::Float(b), BinOp::Sub) => Some(Py::Float(a - b)),
            (Py::Float(a), Py::Float(b), BinOp::Mul) => Some(Py::Float(a * b)),
            _ => None,
        };
        let result = match quick {
            Some(value) => Ok(value),
            None => self.binary(op, a, b, in_place),
        };
        self.finish(2, result)
    }

    /// Finishes an operation on the `n` topmost values. Its result may be that of a call.
    pub(super) fn finish(&mut self, n: usize, result: PyResult) -> PyResult<AfterOp> {
        match result {
            Ok(value) => {
                self.replace(n, value);
                Ok(AfterOp::Next)
            }
            Err(Stop::Tail(function, args, named)) => {
                self.take(u32::try_from(n).unwrap_or(0));
                Err(Stop::Tail(function, args, named))
            }
            Err(stop) => Err(stop),
        }
    }

    fn compare_step(&mut self, op: CmpOp) -> PyResult<AfterOp> {
        let [a, b] = self.two();
        let quick = match (a, b, op) {
            (Py::Int(a), Py::Int(b), CmpOp::Lt) => Some(a < b),
            (Py::Int(a), Py::Int(b), CmpOp::Le) => Some(a <= b),
            (Py::Int(a), Py::Int(b), CmpOp::Gt) => Some(a > b),
            (Py::Int(a), Py::Int(b), CmpOp::Ge) => Some(a >= b),
            (Py::Int(a), Py::Int(b), CmpOp::Eq) => Some(a == b),
            (Py::Int(a), Py::Int(b), CmpOp::Ne) => Some(a != b),
            (_, _, CmpOp::Is) => Some(self.is_same(a, b)),
            (_, _, CmpOp::IsNot) => Some(!self.is_same(a, b)),
            _ => None,
        };
        let result = match quick {
            Some(yes) => Ok(Py::Bool(yes)),
            None => self.compare(op, a, b),
        };
        self.finish(2, result)
    }

    /// Identity. Equal small values are identical.
    pub(super) fn is_same(&self, a: Py, b: Py) -> bool {
        match (a, b) {
            (Py::Float(a), Py::Float(b)) => a.to_bits() == b.to_bits(),
            (Py::Obj(x), Py::Obj(y)) if x != y => match (self.obj(x), self.obj(y)) {
                (PyObject::Text(x), PyObject::Text(y)) => x == y && x.len() < 21,
                (PyObject::Bound(..), _) => false,
                _ => false,
            },
            _ => a == b,
        }
    }
}
