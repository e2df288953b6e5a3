//! Construction of built-in types, `super`, `property`, and the attributes that every object has.

use super::{Kw, NativeTable, arg};
use crate::convert::quoted;
use crate::value::{Py, PyObject, PyType, Table};
use crate::vm::{PyResult, PyVm, Stop};
use num_bigint::BigInt;

pub(super) const TABLE: NativeTable = &[
    ("builtins.super", |vm, a, _| {
        if let [class, receiver, ..] = a {
            return Ok(vm.add(PyObject::Super(*class, *receiver)));
        }
        let frame = vm.frame();
        let (owner, receiver, cells) = (frame.owner, frame.locals.first().copied(), frame.cells.clone());
        let receiver = match receiver {
            Some(Py::Unset) | None => None,
            Some(receiver) => Some(receiver),
        };
        let receiver = receiver.or_else(|| {
            cells.first().and_then(|c| if let PyObject::Cell(v) = vm.obj(*c) { Some(*v) } else { None })
        });
        match (vm.obj(owner), receiver) {
            (PyObject::Cell(class), Some(receiver)) if *class != Py::Unset => {
                let class = *class;
                Ok(vm.add(PyObject::Super(class, receiver)))
            }
            _ => Err(vm.error("RuntimeError", "super(): no arguments")),
        }
    }),
    ("builtins._make_class", |vm, a, _| {
        let name = vm.need_text(a, 0, "type")?;
        let bases = vm.need(a, 1, "type")?;
        let dict = vm.need(a, 2, "type")?;
        let bases = vm.gather(bases)?;
        let mut attrs: crate::value::Attrs =
            vm.pairs(dict).into_iter().map(|(k, v)| (vm.str_ref(k).unwrap_or("").into(), v)).collect();
        let text = vm.text(name.clone());
        attrs.entry("__qualname__".into()).or_insert(text);
        let main = vm.text("__main__");
        attrs.entry("__module__".into()).or_insert(main);
        vm.make_class(name, bases, attrs, Vec::new())
    }),
    ("builtins._tuple_of", |vm, a, _| {
        let items = vm.gather(a[1])?;
        let payload = vm.tuple(items);
        let Py::Obj(class) = a[0] else { return Ok(payload) };
        Ok(vm.add(PyObject::Instance(Box::new(crate::value::PyInstance {
            class,
            attrs: Default::default(),
            payload,
        }))))
    }),
    ("builtins._instance_of", |vm, a, _| {
        let (Some(Py::Obj(class)), Some(payload)) = (a.first().copied(), a.get(1).copied()) else {
            return vm.type_error("a class and a value are required");
        };
        Ok(vm.add(PyObject::Instance(Box::new(crate::value::PyInstance {
            class,
            attrs: Default::default(),
            payload,
        }))))
    }),
    ("builtins._warning_text", |vm, a, _| {
        let level = usize::try_from(vm.need_int(a, 0, "warn")?).unwrap_or(1).max(1);
        let (category, message) = (vm.need_text(a, 1, "warn")?, vm.need_text(a, 2, "warn")?);
        let (file, line, content) = vm.frame_location(level);
        let quoted = if content.is_empty() { String::new() } else { format!("  {content}\n") };
        Ok(vm.text(format!("{file}:{line}: {category}: {message}\n{quoted}")))
    }),
    ("property.setter", |vm, a, _| {
        let (property, setter) = (vm.need(a, 0, "setter")?, vm.need(a, 1, "setter")?);
        let Py::Obj(id) = property else { return Ok(Py::None) };
        let PyObject::Property([getter, _, deleter]) = vm.obj(id) else { return Ok(Py::None) };
        let parts = [*getter, setter, *deleter];
        Ok(vm.add(PyObject::Property(parts)))
    }),
    ("object.__new__", |vm, a, _| {
        let class = a.iter().copied().rev().find(|v| vm.is_class(*v)).unwrap_or(Py::None);
        let Py::Obj(id) = class else { return Ok(Py::None) };
        Ok(vm.add(PyObject::Instance(Box::new(crate::value::PyInstance {
            class: id,
            attrs: Default::default(),
            payload: Py::Unset,
        }))))
    }),
    ("object.__init__", |vm, a, _| {
        if let Some(value) = a.first()
            && vm.is_exception(*value, "BaseException")
        {
            let args = vm.tuple(a[1..].to_vec());
            vm.set_instance_attr(*value, "args", args);
        }
        Ok(Py::None)
    }),
    ("object.__init_subclass__", |_, _, _| Ok(Py::None)),
    ("object.__setattr__", |vm, a, _| {
        let name = vm.need_text(a, 1, "__setattr__")?;
        vm.set_attr_plain(a[0], &name, a[2]).map(|()| Py::None)
    }),
    ("object.__str__", |vm, a, _| {
        let text = vm.str(a[0])?;
        Ok(vm.text(text))
    }),
    ("object.__repr__", |vm, a, _| {
        let text = vm.repr(a[0])?;
        Ok(vm.text(text))
    }),
    ("object.__eq__", |_, a, _| Ok(if a[0] == a[1] { Py::Bool(true) } else { Py::NotImplemented })),
    ("object.__hash__", |vm, a, _| {
        super::find("builtins.hash").map_or(Ok(Py::None), |f| vm.call_native(f, a, &[]))
    }),
    ("object.__len__", |vm, a, _| vm.len(a[0]).map(Py::Int)),
    ("object.__iter__", |vm, a, _| vm.iter(a[0])),
    ("object.__next__", |vm, a, _| {
        super::find("builtins.next").map_or(Ok(Py::None), |f| vm.call_native(f, a, &[]))
    }),
    ("object.__contains__", |vm, a, _| vm.contains(a[0], a[1]).map(Py::Bool)),
    ("object.__getitem__", |vm, a, _| {
        let inner = vm.payload(a[0]);
        vm.index(inner, a[1])
    }),
    ("dict.__getitem__", |vm, a, _| {
        let inner = vm.payload(a[0]);
        vm.index(inner, a[1])
    }),
    ("dict.__setitem__", |vm, a, _| {
        let inner = vm.payload(a[0]);
        vm.set_index(inner, a[1], a[2]).map(|()| Py::None)
    }),
    ("dict.__init__", |vm, a, named| {
        let inner = vm.payload(a[0]);
        let from = vm.construct_now(PyType::Dict, &a[1..], named)?;
        for (key, value) in vm.pairs(from) {
            vm.set_index(inner, key, value)?;
        }
        Ok(Py::None)
    }),
    ("list.__init__", |vm, a, _| {
        let inner = vm.payload(a[0]);
        if let Some(from) = a.get(1) {
            for item in vm.gather(*from)? {
                vm.put_in(inner, item)?;
            }
        }
        Ok(Py::None)
    }),
    ("builtins._exception_str", |vm, a, _| {
        let exception = vm.need(a, 0, "str")?;
        let text = exception_text(vm, exception)?;
        Ok(vm.text(text))
    }),
    ("builtins._exception_repr", |vm, a, _| {
        let exception = vm.need(a, 0, "repr")?;
        let args = vm.instance_attr(exception, "args").unwrap_or(Py::None);
        let mut texts = Vec::new();
        for item in vm.items(args) {
            texts.push(vm.repr(item)?);
        }
        let name = vm.type_name(exception);
        Ok(vm.text(format!("{name}({})", texts.join(", "))))
    }),
    ("builtins._traceback", |vm, a, _| {
        let exception = a.first().copied().filter(|e| *e != Py::None).or_else(|| vm.handled());
        let text = exception.map_or_else(|| "NoneType: None\n".into(), |e| vm.traceback(e, 0, false));
        Ok(vm.text(text))
    }),
    ("builtins._handled", |vm, _, _| Ok(vm.handled().unwrap_or(Py::None))),
    ("generator.send", |vm, a, _| {
        Err(Stop::Tail(vm.need(a, 0, "send")?, vec![a.get(1).copied().unwrap_or(Py::None)], Vec::new()))
    }),
    ("generator.throw", |vm, a, _| {
        // An exception, or its class and a value.
        let value = vm.need(a, 1, "throw")?;
        let value = if vm.is_class(value) {
            a.get(2).copied().filter(|v| *v != Py::None).unwrap_or(value)
        } else {
            value
        };
        let exception = vm.as_exception(value)?;
        let mark = vec![("throw".into(), Py::Bool(true))];
        Err(Stop::Tail(a[0], vec![exception], mark))
    }),
    ("generator.close", |vm, a, named| {
        if let Some(Py::Obj(id)) = a.first()
            && let PyObject::Generator(g) = vm.obj_mut(*id)
            && g.frame.as_ref().is_none_or(|f| f.at == 0 || f.blocks.is_empty())
        {
            g.frame = None;
            return Ok(Py::None);
        }
        vm.tail("_close_generator", a, named)
    }),
    ("generator.__await__", |vm, a, _| vm.need(a, 0, "__await__")),
];

fn exception_text(vm: &mut PyVm<'_>, exception: Py) -> PyResult<String> {
    if let (Some(number), Some(text)) =
        (vm.instance_attr(exception, "errno"), vm.instance_attr(exception, "strerror"))
    {
        let mut out = format!("[Errno {}] {}", vm.str(number)?, vm.str(text)?);
        if let Some(name) = vm.instance_attr(exception, "filename").filter(|n| *n != Py::None) {
            out += &format!(": {}", vm.repr(name)?);
        }
        return Ok(out);
    }
    let args = vm.instance_attr(exception, "args").unwrap_or(Py::None);
    let items = vm.items(args);
    match items.as_slice() {
        [] => Ok(String::new()),
        [one] if vm.is_exception(exception, "KeyError") => vm.repr(*one),
        [one] => vm.str(*one),
        [number @ Py::Int(_), text] if vm.is_exception(exception, "OSError") => {
            Ok(format!("[Errno {}] {}", vm.str(*number)?, vm.str(*text)?))
        }
        _ => vm.repr(args),
    }
}

impl PyVm<'_> {
    /// Calls a built-in type.
    pub fn construct(&mut self, kind: PyType, a: &[Py], named: Kw<'_>) -> PyResult {
        let first = a.first().copied();
        match kind {
            PyType::Object => Ok(self.add(PyObject::Cell(Py::None))),
            PyType::Type => match a {
                [value] => Ok(self.class_of(*value)),
                _ => self.tail("_make_class", a, named),
            },
            PyType::Bool => match first {
                Some(value) => self.truth(value).map(Py::Bool),
                None => Ok(Py::Bool(false)),
            },
            PyType::Int => self.make_int(a, named),
            PyType::Float => self.make_float(first),
            PyType::Str => {
                let Some(value) = first else { return Ok(self.text("")) };
                if a.len() > 1
                    && let Some(f) = self.lookup(Py::Type(PyType::Bytes), "decode")
                {
                    return self.call_native(f, &[value], &[]);
                }
                let text = self.str(value)?;
                Ok(self.text(text))
            }
            PyType::List | PyType::Tuple | PyType::Set | PyType::FrozenSet => {
                let Some(value) = first else { return self.collection(kind, Vec::new()) };
                if self.needs_python(value) {
                    let name = ["_list", "_tuple", "_set", "_frozenset"][match kind {
                        PyType::List => 0,
                        PyType::Tuple => 1,
                        PyType::Set => 2,
                        _ => 3,
                    }];
                    return self.tail(name, a, named);
                }
                let items = self.gather(value)?;
                self.fuel -= i64::try_from(items.len()).unwrap_or(0);
                self.collection(kind, items)
            }
            PyType::Dict => self.make_dict(first, named),
            PyType::Range => {
                // A value that is no number is refused before a number that is too large.
                let mut numbers = Vec::new();
                let by_size = |i: &usize| self.as_int(a[*i]).is_none() && self.as_big(a[*i]).is_some();
                let (large, small): (Vec<usize>, Vec<usize>) = (0..a.len()).partition(by_size);
                for i in small.into_iter().chain(large) {
                    numbers.push((i, self.need_int(a, i, "range")?));
                }
                numbers.sort_unstable();
                let numbers: Vec<i64> = numbers.into_iter().map(|n| n.1).collect();
                let (from, to, step) = match numbers[..] {
                    [to] => (0, to, 1),
                    [from, to] => (from, to, 1),
                    [_, _, 0] => return self.value_error("range() arg 3 must not be zero"),
                    [from, to, step] => (from, to, step),
                    [] => return self.type_error("range expected at least 1 argument, got 0"),
                    _ => {
                        let message = format!("range expected at most 3 arguments, got {}", a.len());
                        return self.type_error(&message);
                    }
                };
                Ok(self.add(PyObject::Range(from, to, step)))
            }
            PyType::Slice => {
                let part = |i: usize| a.get(i).copied().unwrap_or(Py::None);
                let parts =
                    if a.len() == 1 { [Py::None, part(0), Py::None] } else { [part(0), part(1), part(2)] };
                Ok(self.add(PyObject::Slice(parts)))
            }
            PyType::Property => {
                let part = |i: usize, name: &str| arg(a, named, i, name).unwrap_or(Py::None);
                Ok(self.add(PyObject::Property([part(0, "fget"), part(1, "fset"), part(2, "fdel")])))
            }
            PyType::StaticMethod => Ok(self.add(PyObject::Static(first.unwrap_or(Py::None)))),
            PyType::ClassMethod => Ok(self.add(PyObject::ClassMethod(first.unwrap_or(Py::None)))),
            PyType::Bytes | PyType::ByteArray => self.make_bytes(first, kind == PyType::ByteArray),
            PyType::NoneType => Ok(Py::None),
            other => {
                let message = format!("cannot create '{}' instances", other.name());
                self.type_error(&message)
            }
        }
    }

    fn collection(&mut self, kind: PyType, items: Vec<Py>) -> PyResult {
        let object = match kind {
            PyType::List => PyObject::List(items),
            PyType::Tuple => PyObject::Tuple(items),
            _ => PyObject::Set(self.set_of(items)?, kind == PyType::FrozenSet),
        };
        Ok(self.add(object))
    }

    fn make_bytes(&mut self, value: Option<Py>, mutable: bool) -> PyResult {
        let Some(value) = value else { return Ok(self.add(PyObject::Bytes(Vec::new(), mutable))) };
        if let Some(n) = self.as_int(value) {
            let n = u64::try_from(n).unwrap_or(0);
            if n > 1_000_000 {
                let kind = if mutable { PyType::ByteArray } else { PyType::Bytes };
                return Ok(self.add(PyObject::Bulk(kind, Py::Int(0), n)));
            }
            return Ok(self.add(PyObject::Bytes(vec![0; usize::try_from(n).unwrap_or(0)], mutable)));
        }
        if let Some(text) = self.str_ref(value) {
            let bytes = text.as_bytes().to_vec();
            return Ok(self.add(PyObject::Bytes(bytes, mutable)));
        }
        let items = self.gather(value)?;
        let bytes =
            items.iter().filter_map(|v| self.as_int(*v)).map(|n| u8::try_from(n).unwrap_or(0)).collect();
        Ok(self.add(PyObject::Bytes(bytes, mutable)))
    }

    fn make_int(&mut self, a: &[Py], named: Kw<'_>) -> PyResult {
        let base = match arg(a, named, 1, "base").map(|base| (base, self.as_int(base))) {
            None => None,
            Some((_, Some(base @ (0 | 2..=36)))) => Some(base),
            Some((base, None)) if self.as_big(base).is_none() => {
                let message =
                    format!("'{}' object cannot be interpreted as an integer", self.type_name(base));
                return self.type_error(&message);
            }
            Some(_) => return self.value_error("int() base must be >= 2 and <= 36, or 0"),
        };
        let Some(value) = a.first().copied() else {
            return match base {
                None => Ok(Py::Int(0)),
                Some(_) => self.type_error("int() missing string argument"),
            };
        };
        if base.is_some()
            && self.str_ref(value).is_none()
            && !matches!(&*self.type_name(value), "bytes" | "bytearray")
        {
            return self.type_error("int() can't convert non-string with explicit base");
        }
        for name in ["__int__", "__index__"] {
            if let Some(f) = self.class_attr(value, name) {
                return Err(Stop::Tail(f, vec![value], Vec::new()));
            }
        }
        if let Some(text) = self.str_ref(value) {
            let text = text.to_owned();
            let base = base.unwrap_or(10);
            let digits = text.trim().replace('_', "").to_lowercase();
            let (sign, digits) = digits
                .strip_prefix('-')
                .map_or_else(|| ("", digits.strip_prefix('+').unwrap_or(&digits)), |d| ("-", d));
            let (base, digits) = match (base, digits.get(..2)) {
                (0 | 16, Some("0x")) => (16, &digits[2..]),
                (0 | 8, Some("0o")) => (8, &digits[2..]),
                (0 | 2, Some("0b")) => (2, &digits[2..]),
                (0, _) => (10, digits),
                (base, _) => (base, digits),
            };
            let shown = if base == 10 { 10 } else { base };
            let parsed = if digits.starts_with(['+', '-']) {
                None
            } else {
                BigInt::parse_bytes(format!("{sign}{digits}").as_bytes(), u32::try_from(base).unwrap_or(10))
            };
            return match parsed {
                Some(n) => Ok(self.big(n)),
                None => self
                    .value_error(&format!("invalid literal for int() with base {shown}: {}", quoted(&text))),
            };
        }
        match self.payload(value) {
            Py::Float(x) if x.is_nan() => self.value_error("cannot convert float NaN to integer"),
            Py::Float(x) if x.is_infinite() => {
                Err(self.error("OverflowError", "cannot convert float infinity to integer"))
            }
            Py::Float(x) if x.abs() < 9e18 => Ok(Py::Int(x as i64)),
            Py::Float(x) => {
                Ok(format!("{:.0}", x.trunc()).parse::<BigInt>().map_or(Py::Int(0), |n| self.big(n)))
            }
            Py::Bool(b) => Ok(Py::Int(i64::from(b))),
            other if self.as_big(other).is_some() => Ok(other),
            _ => {
                let message = format!(
                    "int() argument must be a string, a bytes-like object or a real number, not '{}'",
                    self.type_name(value)
                );
                self.type_error(&message)
            }
        }
    }

    fn make_float(&mut self, value: Option<Py>) -> PyResult {
        let Some(value) = value else { return Ok(Py::Float(0.0)) };
        if let Some(f) = self.class_attr(value, "__float__") {
            return Err(Stop::Tail(f, vec![value], Vec::new()));
        }
        if let Some(text) = self.str_ref(value) {
            let text = text.to_owned();
            let plain = text.trim().replace('_', "").to_lowercase();
            let good = plain.bytes().all(|b| b.is_ascii_digit() || b"+-.einfatyn".contains(&b));
            return match plain.parse::<f64>() {
                Ok(x) if good && !plain.is_empty() => Ok(Py::Float(x)),
                _ => self.value_error(&format!("could not convert string to float: {}", quoted(&text))),
            };
        }
        match self.as_float(value) {
            Some(x) => Ok(Py::Float(x)),
            None => {
                let message = format!(
                    "float() argument must be a string or a real number, not '{}'",
                    self.type_name(value)
                );
                self.type_error(&message)
            }
        }
    }

    fn make_dict(&mut self, from: Option<Py>, named: Kw<'_>) -> PyResult {
        let mut table = Table::default();
        if let Some(from) = from {
            let pairs = match self.mapping_pairs(from) {
                None if self.class_attr(from, "keys").is_some() => {
                    let all = self.builtin("_mapping_items");
                    let items = self.call_nested(all, vec![from], Vec::new())?;
                    self.mapping_pairs(items)
                }
                pairs => pairs,
            };
            match pairs {
                Some(pairs) => {
                    for (key, value) in pairs {
                        table.insert(self.key(key)?, (key, value));
                    }
                }
                None => {
                    for pair in self.gather(from)? {
                        let pair = self.gather(pair)?;
                        let [key, value] = pair[..] else {
                            let message = format!(
                                "dictionary update sequence element #{} has length {}; 2 is required",
                                table.len(),
                                pair.len()
                            );
                            return self.value_error(&message);
                        };
                        table.insert(self.key(key)?, (key, value));
                    }
                }
            }
        }
        for (name, value) in named {
            let text = self.text(name.clone());
            table.insert(self.key(text)?, (text, *value));
        }
        Ok(self.add(PyObject::Dict(table)))
    }
}
