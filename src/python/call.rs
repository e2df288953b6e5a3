//! Calls: functions, classes, methods and native functions.

use super::ast::PyName;
use super::code::{Constant, PyCode};
use super::frame::{OnReturn, PyFrame};
use super::natives;
use super::value::{Attrs, Py, PyClass, PyInstance, PyObject, PyType, Table};
use super::vm::{AfterOp, PyResult, PyVm, Stop};
use std::sync::Arc;

/// Keyword arguments.
pub(crate) type Named = Vec<(PyName, Py)>;

impl PyVm<'_> {
    pub(super) fn call_step(&mut self, method: Option<u32>, n: u32, names: u32) -> PyResult<AfterOp> {
        let unit = self.frame().unit;
        let compiled = Arc::clone(self.s.units[unit as usize].compiled());
        let Constant::Names(names) = &compiled.constants[names as usize] else { return Ok(AfterOp::Next) };
        let total = n as usize + names.len();
        let stack = &self.frame().stack;
        let base = stack.len() - total;
        let callee = stack[base - 1];
        let mut args: Vec<Py> = stack[base..].to_vec();
        let named: Named = names.iter().cloned().zip(args.split_off(n as usize)).collect();
        let function = match method {
            None => callee,
            Some(name) => {
                let name = &compiled.names[name as usize];
                let (function, receiver) = match self.method(callee, name) {
                    Ok(found) => found,
                    // The attribute is a property: call its getter, then the value.
                    Err(Stop::Tail(getter, arguments, _)) => {
                        (self.call_nested(getter, arguments, Vec::new())?, None)
                    }
                    Err(stop) => {
                        // The attribute lookup failed: its range belongs to the previous operation.
                        if matches!(stop, Stop::Raise(_)) {
                            self.frame().at -= 1;
                        }
                        return Err(stop);
                    }
                };
                if let Some(receiver) = receiver {
                    args.insert(0, receiver);
                }
                function
            }
        };
        if let Py::Native(_) = function {
            let result = self.call_native(function, &args, &named);
            return self.finish(total + 1, result);
        }
        if let Py::Obj(id) = function
            && matches!(self.obj(id), PyObject::Generator(_))
        {
            return self.type_error("'generator' object is not callable");
        }
        // An exception of the call itself (wrong arguments) belongs to this operation.
        let kept = self.frame().stack.len() - total - 1;
        let saved = self.frame().stack.split_off(kept);
        match self.call(function, args, named, OnReturn::Push) {
            Ok(AfterOp::Done(value)) => {
                self.push(value);
                Ok(AfterOp::Next)
            }
            Err(Stop::Wait(wait)) => {
                self.frame().stack.extend(saved);
                Err(Stop::Wait(wait))
            }
            other => other,
        }
    }

    /// Calls a value: pushes a frame, or returns the result immediately.
    pub fn call(
        &mut self,
        function: Py,
        mut args: Vec<Py>,
        named: Named,
        then: OnReturn,
    ) -> PyResult<AfterOp> {
        match function {
            Py::Native(_) => match self.call_native(function, &args, &named) {
                Ok(value) => Ok(AfterOp::Done(value)),
                Err(Stop::Tail(function, args, named)) => self.call(function, args, named, then),
                Err(stop) => Err(stop),
            },
            Py::Type(kind) => match self.construct(kind, &args, &named) {
                Ok(value) => Ok(AfterOp::Done(value)),
                Err(Stop::Tail(function, args, named)) => self.call(function, args, named, then),
                Err(stop) => Err(stop),
            },
            Py::Obj(id) => match self.obj(id) {
                PyObject::Function(_) => self.call_function(id, args, named, then),
                PyObject::Bound(receiver, inner) => {
                    let (receiver, inner) = (*receiver, *inner);
                    args.insert(0, receiver);
                    self.call(inner, args, named, then)
                }
                PyObject::Generator(_) if !named.is_empty() => {
                    self.resume_raising(id, args.first().copied().unwrap_or(Py::None))
                }
                PyObject::Generator(_) => self.resume(id, args.first().copied().unwrap_or(Py::None)),
                PyObject::Class(_) => self.instantiate(function, args, named, then),
                PyObject::Static(inner) | PyObject::ClassMethod(inner) => {
                    let inner = *inner;
                    self.call(inner, args, named, then)
                }
                PyObject::Instance(_) => match self.class_attr(function, "__call__") {
                    Some(method) => {
                        args.insert(0, function);
                        self.call(method, args, named, then)
                    }
                    None => self.not_callable(function),
                },
                _ => self.not_callable(function),
            },
            _ => self.not_callable(function),
        }
    }

    fn not_callable<T>(&mut self, value: Py) -> PyResult<T> {
        let message = format!("'{}' object is not callable", self.type_name(value));
        self.type_error(&message)
    }

    pub fn call_native(&mut self, function: Py, args: &[Py], named: &[(PyName, Py)]) -> PyResult {
        let Py::Native(number) = function else { return Ok(Py::None) };
        self.fuel -= 2;
        natives::call(self, number, args, named)
    }

    fn call_function(&mut self, id: u32, args: Vec<Py>, named: Named, then: OnReturn) -> PyResult<AfterOp> {
        self.check_depth()?;
        let PyObject::Function(f) = self.obj(id) else { return Ok(AfterOp::Next) };
        let (unit, code_id, module, owner, cells) = (f.unit, f.code, f.module, f.owner, f.cells.clone());
        let code = self.code_of(unit, code_id);
        let simple = named.is_empty()
            && !code.star
            && !code.star_star
            && code.keyword_only == 0
            && args.len() == code.positional;
        let mut locals = if simple { args } else { self.bind(id, &code, args, named)? };
        locals.resize(code.locals.len(), Py::Unset);
        let mut own = Vec::with_capacity(code.cells.len());
        for _ in 0..code.own_cells {
            own.push(self.s.heap.add(PyObject::Cell(Py::Unset)));
        }
        own.extend(cells);
        for (local, cell) in &code.cell_params {
            let value = locals[*local as usize];
            *self.obj_mut(own[*cell as usize]) = PyObject::Cell(value);
        }
        let frame = PyFrame {
            unit,
            code: code_id,
            at: 0,
            stack: Vec::new(),
            locals,
            cells: own,
            blocks: Vec::new(),
            handled: Vec::new(),
            module,
            owner,
            names: None,
            then,
            keep: Py::None,
        };
        if code.generator {
            let generator = self.generator(frame, code.qualified.as_str().into(), code.coroutine);
            if !code.async_generator {
                return Ok(AfterOp::Done(generator));
            }
            let Py::Obj(class) = self.builtin("async_generator") else { return Ok(AfterOp::Done(generator)) };
            let mut attrs = Attrs::default();
            attrs.insert("_steps".into(), generator);
            let instance = PyInstance { class, attrs, payload: Py::Unset };
            return Ok(AfterOp::Done(self.add(PyObject::Instance(Box::new(instance)))));
        }
        self.s.frames.push(frame);
        Ok(AfterOp::Frame)
    }

    /// Assigns arguments to parameters.
    fn bind(&mut self, id: u32, code: &PyCode, mut args: Vec<Py>, named: Named) -> PyResult<Vec<Py>> {
        let PyObject::Function(f) = self.obj(id) else { return Ok(args) };
        let (defaults, keyword_defaults) = (f.defaults.clone(), f.keyword_defaults.clone());
        let name = &code.qualified;
        let given = args.len();
        let only: Vec<&str> = code.locals[..code.positional_only]
            .iter()
            .filter(|l| !code.star_star && named.iter().any(|n| n.0 == **l))
            .map(|l| &**l)
            .collect();
        if !only.is_empty() {
            return self.type_error(&format!(
                "{name}() got some positional-only arguments passed as keyword arguments: '{}'",
                only.join(", ")
            ));
        }
        let extra = args.split_off(given.min(code.positional));
        let mut locals = args;
        locals.resize(code.positional + code.keyword_only, Py::Unset);
        let mut rest = Table::default();
        for (key, value) in named {
            match code.locals[..code.positional + code.keyword_only].iter().position(|l| *l == key) {
                Some(index) if index >= code.positional_only => {
                    if locals[index] != Py::Unset {
                        return self
                            .type_error(&format!("{name}() got multiple values for argument '{key}'"));
                    }
                    locals[index] = value;
                }
                _ if code.star_star => {
                    let text = self.text(key);
                    rest.insert(self.key(text)?, (text, value));
                }
                _ => return self.type_error(&format!("{name}() got an unexpected keyword argument '{key}'")),
            }
        }
        if !extra.is_empty() && !code.star {
            let least = code.positional - defaults.len();
            let takes = if defaults.is_empty() {
                format!("{least}")
            } else {
                format!("from {least} to {}", code.positional)
            };
            let s = if code.positional == 1 && defaults.is_empty() { "" } else { "s" };
            let was = if given == 1 { "was" } else { "were" };
            return self.type_error(&format!(
                "{name}() takes {takes} positional argument{s} but {given} {was} given"
            ));
        }
        let first_default = code.positional - defaults.len();
        for (i, value) in defaults.iter().enumerate() {
            if locals[first_default + i] == Py::Unset {
                locals[first_default + i] = *value;
            }
        }
        for (key, value) in keyword_defaults {
            if let Some(index) = code.locals.iter().position(|l| *l == key)
                && locals[index] == Py::Unset
            {
                locals[index] = value;
            }
        }
        self.check_missing(name, code, &locals)?;
        if code.star {
            let extra = self.tuple(extra);
            locals.push(extra);
        }
        if code.star_star {
            let rest = self.add(PyObject::Dict(rest));
            locals.push(rest);
        }
        Ok(locals)
    }

    fn check_missing(&mut self, name: &str, code: &PyCode, locals: &[Py]) -> PyResult<()> {
        for (kind, range) in
            [("positional", 0..code.positional), ("keyword-only", code.positional..locals.len())]
        {
            let missing: Vec<String> =
                range.filter(|i| locals[*i] == Py::Unset).map(|i| format!("'{}'", code.locals[i])).collect();
            if missing.is_empty() {
                continue;
            }
            let list = match missing.as_slice() {
                [one] => one.clone(),
                [a, b] => format!("{a} and {b}"),
                [all @ .., last] => format!("{}, and {last}", all.join(", ")),
                [] => String::new(),
            };
            let s = if missing.len() == 1 { "" } else { "s" };
            return self.type_error(&format!(
                "{name}() missing {} required {kind} argument{s}: {list}",
                missing.len()
            ));
        }
        Ok(())
    }

    /// Creates an instance of a class that the program defines.
    fn instantiate(&mut self, class: Py, args: Vec<Py>, named: Named, then: OnReturn) -> PyResult<AfterOp> {
        let Py::Obj(id) = class else { return Ok(AfterOp::Next) };
        if let Some(method) = self.meta_attr(class, "__call__") {
            let mut all = vec![class];
            all.extend(args);
            return self.call(method, all, named, then);
        }
        if let Some(missing) = self.abstract_methods(class) {
            return self.type_error(&missing);
        }
        if let Some(maker) = self.lookup(class, "__new__")
            && !matches!(maker, Py::Native(_))
        {
            let mut all = vec![class];
            all.extend(&args);
            let maker = match maker {
                Py::Obj(id) => match self.obj(id) {
                    PyObject::Static(inner) => *inner,
                    _ => maker,
                },
                other => other,
            };
            let instance = self.call_nested(maker, all, named.clone())?;
            return self.initialize(class, instance, args, named, then);
        }
        let base = self.builtin_base(class);
        let mut attrs = Attrs::default();
        let is_exception = self.inherits(class, self.builtin("BaseException"));
        if is_exception {
            let all = self.tuple(args.clone());
            attrs.insert("args".into(), all);
        }
        let instance =
            self.add(PyObject::Instance(Box::new(PyInstance { class: id, attrs, payload: Py::Unset })));
        if let Some(base) = base {
            let has_init = self.lookup(class, "__init__").is_some();
            let mutable = matches!(base, PyType::List | PyType::Dict | PyType::Set);
            let payload = if has_init && mutable {
                self.construct(base, &[], &[])?
            } else {
                self.construct_now(base, &args, &named)?
            };
            if let Py::Obj(i) = instance
                && let PyObject::Instance(inner) = self.obj_mut(i)
            {
                inner.payload = payload;
            }
        }
        self.initialize(class, instance, args, named, then)
    }

    pub fn construct_now(&mut self, kind: PyType, args: &[Py], named: &[(PyName, Py)]) -> PyResult {
        match self.construct(kind, args, named) {
            Err(Stop::Tail(function, args, named)) => self.call_nested(function, args, named),
            other => other,
        }
    }

    fn initialize(
        &mut self,
        class: Py,
        instance: Py,
        args: Vec<Py>,
        named: Named,
        then: OnReturn,
    ) -> PyResult<AfterOp> {
        let Some(init) = self.lookup(class, "__init__").filter(|_| self.is_instance(instance, class)) else {
            if !(args.is_empty() && named.is_empty())
                && self.builtin_base(class).is_none()
                && !self.inherits(class, self.builtin("BaseException"))
                && self.lookup(class, "__new__").is_none()
            {
                let message = format!("{}() takes no arguments", self.class_name(class));
                return self.type_error(&message);
            }
            return Ok(AfterOp::Done(instance));
        };
        let mut all = vec![instance];
        all.extend(args);
        let depth = self.s.frames.len();
        match self.call(init, all, named, OnReturn::Instance)? {
            AfterOp::Frame if self.s.frames.len() > depth => {
                // The frame of `__init__` returns the instance at its end, unless the caller needs another value.
                let frame = self.frame();
                frame.keep = instance;
                if then == OnReturn::Nested || then == OnReturn::Push {
                    frame.then = OnReturn::Instance;
                }
                Ok(AfterOp::Frame)
            }
            AfterOp::Done(_) | AfterOp::Next | AfterOp::Frame => Ok(AfterOp::Done(instance)),
        }
    }

    /// `class`: runs the body.
    pub(super) fn class_step(&mut self, name: PyName) -> PyResult<AfterOp> {
        let named = self.pop();
        let bases = self.pop();
        let body = self.pop();
        let Some(function) = self.as_function(body).cloned() else { return Ok(AfterOp::Next) };
        let cell = self.s.heap.add(PyObject::Cell(Py::Unset));
        let text = self.text(name);
        let keep = self.tuple(vec![text, bases, named, Py::Obj(cell)]);
        self.push_body(function.unit, function.code, function.module, OnReturn::Push)?;
        let code = self.code_of(function.unit, function.code);
        let qualified = self.text(code.qualified.as_str());
        let module = self.global(function.module, "__name__").unwrap_or(Py::None);
        let frame = self.frame();
        let mut names = Attrs::default();
        names.insert("__module__".into(), module);
        names.insert("__qualname__".into(), qualified);
        frame.names = Some(Box::new(names));
        frame.keep = keep;
        frame.owner = cell;
        frame.cells = function.cells;
        Ok(AfterOp::Frame)
    }

    pub(super) fn finish_class(&mut self, frame: PyFrame) -> PyResult {
        let parts = self.items(frame.keep);
        let [name, bases, named, cell] = parts[..] else { return Ok(Py::None) };
        let attrs = frame.names.map(|n| *n).unwrap_or_default();
        let name: PyName = self.str_ref(name).unwrap_or("").into();
        let bases = self.items(bases);
        let named: Named =
            self.pairs(named).into_iter().map(|(k, v)| (self.str_ref(k).unwrap_or("").into(), v)).collect();
        let class = self.make_class(name, bases, attrs, named)?;
        if let Py::Obj(cell) = cell {
            *self.obj_mut(cell) = PyObject::Cell(class);
        }
        Ok(class)
    }

    /// Creates a class, with the hooks of its bases and its metaclass.
    pub fn make_class(&mut self, name: PyName, bases: Vec<Py>, attrs: Attrs, mut named: Named) -> PyResult {
        let bases: Vec<Py> = bases.into_iter().filter(|b| *b != Py::Type(PyType::Object)).collect();
        let mut meta =
            named.iter().position(|n| &*n.0 == "metaclass").map_or(Py::None, |i| named.remove(i).1);
        for base in &bases {
            if let Py::Obj(id) = base
                && let PyObject::Class(c) = self.obj(*id)
                && c.meta != Py::None
                && meta == Py::None
            {
                meta = c.meta;
            }
        }
        let mut order = Vec::new();
        for base in &bases {
            if self.is_same(*base, Py::Type(PyType::Bool)) {
                return self.type_error("type 'bool' is not an acceptable base type");
            }
        }
        // Each class before its bases, and shared bases last.
        for base in bases.iter().rev() {
            let mut line = match base {
                Py::Obj(id) => match self.obj(*id) {
                    PyObject::Class(c) => c.order.clone(),
                    _ => return self.type_error("bases must be types"),
                },
                other => vec![*other],
            };
            line.retain(|c| !order.contains(c));
            line.extend(order);
            order = line;
        }
        let module = attrs.get("__module__").and_then(|m| self.str_ref(*m)).unwrap_or("").into();
        let class = PyClass { name, module, bases: bases.clone(), order, attrs: attrs.clone(), meta };
        let id = self.s.heap.add(PyObject::Class(Box::new(class)));
        let value = Py::Obj(id);
        if let PyObject::Class(c) = self.obj_mut(id) {
            c.order.insert(0, value);
        }
        for (key, attr) in &attrs {
            if let Some(hook) = self.class_attr(*attr, "__set_name__") {
                let text = self.text(key.clone());
                self.call_nested(hook, vec![*attr, value, text], Vec::new())?;
            }
        }
        for base in &bases {
            if let Some(hook) = self.lookup(*base, "__init_subclass__") {
                let hook = match hook {
                    Py::Obj(id) => match self.obj(id) {
                        PyObject::ClassMethod(inner) => *inner,
                        _ => hook,
                    },
                    other => other,
                };
                self.call_nested(hook, vec![value], named.clone())?;
                break;
            }
        }
        for base in &bases {
            // The hooks may return another class (`typing.NamedTuple`).
            if let Some(Py::Obj(hook)) = self.lookup(*base, "_class_becomes")
                && let PyObject::Static(hook) = self.obj(hook)
            {
                let hook = *hook;
                return self.call_nested(hook, vec![value], Vec::new());
            }
        }
        if let Some(hook) = self.lookup(meta, "__class_created__") {
            self.call_nested(hook, vec![value], Vec::new())?;
        }
        Ok(value)
    }
}
