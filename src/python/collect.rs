//! Operations that create functions and collections, and returns from frames.

use super::code::{Constant, PyOp};
use super::frame::OnReturn;
use super::value::{Py, PyFunction, PyObject, PyType};
use super::vm::{AfterOp, PyResult, PyVm, Stop};
use base::time::Time;

impl PyVm<'_> {
    pub(super) fn define(&mut self, op: PyOp) -> PyResult<AfterOp> {
        let PyOp::Function(index) = op else {
            let PyOp::Class(index) = op else { return Ok(AfterOp::Next) };
            let name = self.unit_name(index);
            return self.class_step(name);
        };
        let cells = self.pop();
        let named = self.pop();
        let defaults = self.pop();
        let cells = self
            .items(cells)
            .into_iter()
            .filter_map(|c| if let Py::Obj(id) = c { Some(id) } else { None })
            .collect();
        let defaults = self.items(defaults);
        let pairs = self.pairs(named);
        let keyword_defaults =
            pairs.into_iter().map(|(k, v)| (self.str_ref(k).unwrap_or("").into(), v)).collect();
        let frame = self.frame();
        let (unit, module, owner) = (frame.unit, frame.module, frame.owner);
        let code = self.code_of(unit, index);
        let function = PyFunction {
            unit,
            code: index,
            name: code.name.as_str().into(),
            module,
            defaults,
            keyword_defaults,
            cells,
            owner,
            attrs: Default::default(),
        };
        let value = self.add(PyObject::Function(Box::new(function)));
        self.push(value);
        Ok(AfterOp::Next)
    }

    pub(super) fn build(&mut self, op: PyOp) -> PyResult<AfterOp> {
        match op {
            PyOp::Tuple(n) => {
                let items = self.take(n);
                let value = self.tuple(items);
                self.push(value);
            }
            PyOp::List(n) => {
                let items = self.take(n);
                let value = self.list(items);
                self.push(value);
            }
            PyOp::Set(n) => {
                let items = self.take(n);
                let set = self.set_of(items)?;
                let value = self.add(PyObject::Set(set, false));
                self.push(value);
            }
            PyOp::Dict(n) => {
                let items = self.take(n * 2);
                let mut table = super::value::Table::default();
                for pair in items.chunks_exact(2) {
                    let key = self.key(pair[0])?;
                    let entry = table.entry(key).or_insert((pair[0], pair[1]));
                    entry.1 = pair[1];
                }
                let value = self.add(PyObject::Dict(table));
                self.push(value);
            }
            PyOp::Slice => {
                let items = self.take(3);
                let value = self.add(PyObject::Slice([items[0], items[1], items[2]]));
                self.push(value);
            }
            PyOp::Append(depth) | PyOp::Insert(depth) => {
                let value = self.pop();
                let target = self.below(depth);
                self.put_in(target, value)?;
            }
            PyOp::Put(depth) => {
                let value = self.pop();
                let key = self.pop();
                let target = self.below(depth);
                self.set_index(target, key, value)?;
            }
            PyOp::Extend | PyOp::Update => {
                let [target, from] = self.two();
                let items = match self.collect_items(from, "list") {
                    Ok(items) => items,
                    Err(stop) => {
                        if let Stop::Tail(function, args, named) = stop {
                            let gathered = self.call_nested(function, args, named)?;
                            self.items(gathered)
                        } else if matches!(stop, Stop::Raise(_))
                            && op == PyOp::Extend
                            && !self.is_iterable(from)
                        {
                            let message =
                                format!("Value after * must be an iterable, not {}", self.type_name(from));
                            return self.type_error(&message);
                        } else {
                            return Err(stop);
                        }
                    }
                };
                self.pop();
                for item in items {
                    self.put_in(target, item)?;
                }
            }
            PyOp::Merge => {
                let [target, from] = self.two();
                let Some(pairs) = self.mapping_pairs(from) else {
                    let message = format!("'{}' object is not a mapping", self.type_name(from));
                    return self.type_error(&message);
                };
                self.pop();
                for (key, value) in pairs {
                    self.set_index(target, key, value)?;
                }
            }
            PyOp::AsTuple => {
                let list = self.pop();
                let items = self.items(list);
                let value = self.tuple(items);
                self.push(value);
            }
            PyOp::Iter => {
                let value = self.top();
                let result = self.iter(value);
                return self.finish(1, result);
            }
            PyOp::Unpack(_) | PyOp::UnpackStar(..) => self.unpack(op)?,
            PyOp::IsSequence => {
                let value = self.pop();
                let yes = matches!(self.type_of(value), PyType::List | PyType::Tuple | PyType::Range);
                self.push(Py::Bool(yes));
            }
            PyOp::IsMapping => {
                let value = self.pop();
                let yes = self.type_of(value) == PyType::Dict;
                self.push(Py::Bool(yes));
            }
            PyOp::Len => {
                let value = self.pop();
                let len = self.len(value)?;
                self.push(Py::Int(len));
            }
            PyOp::MatchKeys(n) => {
                let keys = self.take(n);
                let subject = self.pop();
                let mut values = Vec::new();
                for key in keys {
                    match self.dict_get(subject, key)? {
                        Some(value) => values.push(value),
                        None => {
                            self.push(Py::None);
                            return Ok(AfterOp::Next);
                        }
                    }
                }
                let values = self.list(values);
                self.push(values);
            }
            PyOp::MatchClass(n, names) => {
                let class = self.pop();
                let subject = self.pop();
                let unit = self.frame().unit;
                let names = match &self.s.units[unit as usize].compiled().constants[names as usize] {
                    Constant::Names(names) => names.clone(),
                    _ => Vec::new(),
                };
                let result = self.match_class(subject, class, n, &names)?;
                self.push(result);
            }
            _ => {}
        }
        Ok(AfterOp::Next)
    }

    pub(super) fn below(&mut self, depth: u32) -> Py {
        let stack = &self.frame().stack;
        stack[stack.len() - 1 - depth as usize]
    }

    /// Returns from the frame on top.
    pub(super) fn returned(&mut self, value: Py, floor: usize) -> PyResult<AfterOp> {
        let Some(frame) = self.s.frames.pop() else { return Ok(AfterOp::Done(value)) };
        let value = match frame.then {
            OnReturn::Instance => {
                if value != Py::None {
                    let message = format!("__init__() should return None, not '{}'", self.type_name(value));
                    return self.type_error(&message);
                }
                frame.keep
            }
            OnReturn::Drop => Py::Unset,
            OnReturn::Signal => {
                self.s.deadline.0 = if let Py::Int(until) = frame.keep { Some(Time(until)) } else { None };
                Py::Unset
            }
            OnReturn::Truth(yes) => Py::Bool(self.truth(value)? == yes),
            OnReturn::Text => {
                if self.str_ref(value).is_none() {
                    let message = format!("__str__ returned non-string (type {})", self.type_name(value));
                    return self.type_error(&message);
                }
                value
            }
            OnReturn::Generator(id) => return self.generator_ended(id, value, floor),
            OnReturn::Push | OnReturn::Nested | OnReturn::End | OnReturn::Next => value,
        };
        let value = if frame.names.is_some() { self.finish_class(frame)? } else { value };
        if self.s.frames.len() <= floor {
            return Ok(AfterOp::Done(value));
        }
        if value != Py::Unset {
            self.push(value);
        }
        Ok(AfterOp::Frame)
    }
}
