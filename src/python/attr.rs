//! Types, classes and attributes.

use super::natives;
use super::value::{Py, PyObject, PyType};
use super::vm::{PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub fn type_of(&self, value: Py) -> PyType {
        match value {
            Py::Unset | Py::None => PyType::NoneType,
            Py::NotImplemented => PyType::NotImplemented,
            Py::Ellipsis => PyType::Ellipsis,
            Py::Bool(_) => PyType::Bool,
            Py::Int(_) => PyType::Int,
            Py::Float(_) => PyType::Float,
            Py::Type(_) => PyType::Type,
            Py::Native(_) => PyType::Native,
            Py::Obj(id) => match self.obj(id) {
                PyObject::Text(_) => PyType::Str,
                PyObject::Bytes(_, false) => PyType::Bytes,
                PyObject::Bytes(_, true) => PyType::ByteArray,
                PyObject::Big(_) => PyType::Int,
                PyObject::Tuple(_) => PyType::Tuple,
                PyObject::List(_) => PyType::List,
                PyObject::Dict(_) => PyType::Dict,
                PyObject::Set(_, false) => PyType::Set,
                PyObject::Set(_, true) => PyType::FrozenSet,
                PyObject::Range(..) => PyType::Range,
                PyObject::Slice(_) => PyType::Slice,
                PyObject::Function(_) => PyType::Function,
                PyObject::Bound(_, Py::Native(_)) => PyType::Native,
                PyObject::Bound(..) => PyType::Method,
                PyObject::Cell(_) | PyObject::Free => PyType::Cell,
                PyObject::Class(_) => PyType::Type,
                PyObject::Instance(i) => {
                    if i.payload == Py::Unset {
                        PyType::Object
                    } else {
                        self.type_of(i.payload)
                    }
                }
                PyObject::Module(_) => PyType::Module,
                PyObject::Iter(_) => PyType::Iterator,
                PyObject::Generator(g) if g.coroutine => PyType::Coroutine,
                PyObject::Generator(_) => PyType::Generator,
                PyObject::Array(_) => PyType::Array,
                PyObject::Property(_) => PyType::Property,
                PyObject::Static(_) => PyType::StaticMethod,
                PyObject::ClassMethod(_) => PyType::ClassMethod,
                PyObject::Super(..) => PyType::Super,
                PyObject::File(_) => PyType::File,
                PyObject::View(kind, _) | PyObject::Bulk(kind, ..) => *kind,
            },
        }
    }

    /// The built-in value of an instance whose class extends a built-in type; other values are returned unchanged.
    pub fn payload(&self, value: Py) -> Py {
        match value {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Instance(i) if i.payload != Py::Unset => i.payload,
                _ => value,
            },
            _ => value,
        }
    }

    pub fn class_of(&self, value: Py) -> Py {
        match value {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Instance(i) => Py::Obj(i.class),
                PyObject::Class(c) if c.meta != Py::None => c.meta,
                _ => Py::Type(self.type_of(value)),
            },
            _ => Py::Type(self.type_of(value)),
        }
    }

    pub fn class_name(&self, class: Py) -> String {
        match class {
            Py::Type(kind) => kind.name().to_owned(),
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) => c.name.to_string(),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    pub fn type_name(&self, value: Py) -> String {
        self.class_name(self.class_of(value))
    }

    /// An attribute of a class or of its bases.
    pub fn lookup(&self, class: Py, name: &str) -> Option<Py> {
        match class {
            Py::Type(kind) => natives::find(&format!("{}.{name}", kind.name())).or_else(|| {
                let kin = match kind {
                    PyType::Bool => "int",
                    PyType::Coroutine => "generator",
                    _ => return None,
                };
                natives::find(&format!("{kin}.{name}"))
            }),
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) => c.order.iter().find_map(|c| match c {
                    Py::Obj(id) => match self.obj(*id) {
                        PyObject::Class(c) => c.attrs.get(name).copied(),
                        _ => None,
                    },
                    other => self.lookup(*other, name),
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// A special method of a value's class.
    pub fn class_attr(&self, value: Py, name: &str) -> Option<Py> {
        match value {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Instance(i) => self.lookup(Py::Obj(i.class), name),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn meta_attr(&self, class: Py, name: &str) -> Option<Py> {
        match class {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) if c.meta != Py::None => self.lookup(c.meta, name),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn inherits(&self, class: Py, base: Py) -> bool {
        match class {
            Py::Type(kind) => {
                base == class
                    || base == Py::Type(PyType::Object)
                    || kind == PyType::Bool && base == Py::Type(PyType::Int)
            }
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) => c.order.contains(&base) || base == Py::Type(PyType::Object),
                _ => false,
            },
            _ => false,
        }
    }

    pub fn is_instance(&self, value: Py, class: Py) -> bool {
        self.inherits(self.class_of(value), class)
    }

    pub fn is_exception(&self, value: Py, class: &str) -> bool {
        self.is_instance(value, self.builtin(class))
    }

    /// The built-in type that a class extends.
    pub fn builtin_base(&self, class: Py) -> Option<PyType> {
        match class {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) => {
                    c.order.iter().find_map(|c| if let Py::Type(kind) = c { Some(*kind) } else { None })
                }
                _ => None,
            },
            _ => None,
        }
        .filter(|kind| *kind != PyType::Type)
    }

    /// The error message if a class has abstract methods.
    pub fn abstract_methods(&self, class: Py) -> Option<String> {
        let Py::Obj(id) = class else { return None };
        let PyObject::Class(c) = self.obj(id) else { return None };
        let mut names: Vec<String> = Vec::new();
        for base in c.order.iter().rev() {
            let Py::Obj(id) = base else { continue };
            let PyObject::Class(b) = self.obj(*id) else { continue };
            for (name, value) in &b.attrs {
                names.retain(|n| **n != **name);
                let value = match value {
                    Py::Obj(id) => match self.obj(*id) {
                        PyObject::Property([getter, ..]) => *getter,
                        PyObject::Static(inner) | PyObject::ClassMethod(inner) => *inner,
                        _ => *value,
                    },
                    other => *other,
                };
                if self.as_function(value).is_some_and(|f| f.attrs.contains_key("__isabstractmethod__")) {
                    names.push(name.to_string());
                }
            }
        }
        if names.is_empty() {
            return None;
        }
        names.sort();
        let s = if names.len() == 1 { "" } else { "s" };
        Some(format!(
            "Can't instantiate abstract class {} with abstract method{s} {}",
            c.name,
            names.join(", ")
        ))
    }

    /// A class attribute as an attribute of an instance.
    fn bound(&mut self, attr: Py, receiver: Py) -> PyResult {
        match attr {
            Py::Native(_) => Ok(self.add(PyObject::Bound(receiver, attr))),
            Py::Obj(id) => match self.obj(id) {
                PyObject::Function(_) => Ok(self.add(PyObject::Bound(receiver, attr))),
                PyObject::Static(inner) => Ok(*inner),
                PyObject::ClassMethod(inner) => {
                    let inner = *inner;
                    let class = if self.is_class(receiver) { receiver } else { self.class_of(receiver) };
                    Ok(self.add(PyObject::Bound(class, inner)))
                }
                PyObject::Property([getter, ..]) => Err(Stop::Tail(*getter, vec![receiver], Vec::new())),
                PyObject::Instance(_) => match self.class_attr(attr, "__get__") {
                    Some(get) => {
                        let class = self.class_of(receiver);
                        Err(Stop::Tail(get, vec![attr, receiver, class], Vec::new()))
                    }
                    None => Ok(attr),
                },
                _ => Ok(attr),
            },
            _ => Ok(attr),
        }
    }

    pub fn is_class(&self, value: Py) -> bool {
        matches!(value, Py::Type(_))
            || matches!(value, Py::Obj(id) if matches!(self.obj(id), PyObject::Class(_)))
    }

    /// An attribute. For a property, the value is the result of a call (`Stop::Tail`).
    pub fn attr(&mut self, object: Py, name: &str) -> PyResult {
        if let Some(value) = self.own_attr(object, name)? {
            return Ok(value);
        }
        if let Some(hook) = self.class_attr(object, "__getattr__") {
            let text = self.text(name);
            return Err(Stop::Tail(hook, vec![object, text], Vec::new()));
        }
        if let Py::Obj(id) = object
            && let PyObject::Module(m) = self.obj(id)
        {
            if let Some(hook) = m.attrs.get("__getattr__").copied() {
                let text = self.text(name);
                return Err(Stop::Tail(hook, vec![text], Vec::new()));
            }
            let message = format!("module '{}' has no attribute '{name}'", m.name);
            return Err(self.no_attribute(object, name, &message));
        }
        let message = if self.is_class(object) {
            format!("type object '{}' has no attribute '{name}'", self.class_name(object))
        } else {
            format!("'{}' object has no attribute '{name}'", self.type_name(object))
        };
        Err(self.no_attribute(object, name, &message))
    }

    fn no_attribute(&mut self, object: Py, name: &str, message: &str) -> Stop {
        let exception = self.exception("AttributeError", message);
        let name = self.text(name);
        self.set_instance_attr(exception, "name", name);
        self.set_instance_attr(exception, "obj", object);
        Stop::Raise(exception)
    }

    fn own_attr(&mut self, object: Py, name: &str) -> PyResult<Option<Py>> {
        if let Py::Obj(id) = object {
            match self.obj(id) {
                PyObject::Instance(i) => {
                    let class = Py::Obj(i.class);
                    let own = i.attrs.get(name).copied();
                    let attr = self.lookup(class, name);
                    let is_property = attr.is_some_and(
                        |a| matches!(a, Py::Obj(id) if matches!(self.obj(id), PyObject::Property(_))),
                    );
                    return match (own, attr) {
                        (Some(own), attr) if !is_property || attr.is_none() => Ok(Some(own)),
                        (_, Some(attr)) => self.bound(attr, object).map(Some),
                        _ => self.special_attr(object, name),
                    };
                }
                PyObject::Module(m) => {
                    if let Some(value) = m.attrs.get(name) {
                        return Ok(Some(*value));
                    }
                    let full = format!("{}.{name}", m.name);
                    if let Some(module) = self.s.modules.get(&full) {
                        return Ok(Some(Py::Obj(*module)));
                    }
                    return self.special_attr(object, name);
                }
                PyObject::Class(_) => {
                    if let Some(value) = self.lookup(object, name) {
                        return match value {
                            Py::Obj(id) => match self.obj(id) {
                                PyObject::Static(inner) => Ok(Some(*inner)),
                                PyObject::ClassMethod(_) => self.bound(value, object).map(Some),
                                _ => Ok(Some(value)),
                            },
                            _ => Ok(Some(value)),
                        };
                    }
                    if let Some(value) = self.meta_attr(object, name) {
                        return self.bound(value, object).map(Some);
                    }
                    return self.special_attr(object, name);
                }
                PyObject::Super(class, receiver) => {
                    let (class, receiver) = (*class, *receiver);
                    let start = if self.is_class(receiver) { receiver } else { self.class_of(receiver) };
                    return match self.lookup_after(start, class, name) {
                        Some(attr) => self.bound(attr, receiver).map(Some),
                        None => match name {
                            "__init__" | "__init_subclass__" | "__setattr__" | "__new__" => {
                                Ok(natives::find(&format!("object.{name}"))
                                    .map(|n| self.add(PyObject::Bound(receiver, n))))
                            }
                            _ => Ok(None),
                        },
                    };
                }
                PyObject::Function(f) => {
                    if let Some(value) = f.attrs.get(name) {
                        return Ok(Some(*value));
                    }
                }
                _ => {}
            }
        }
        if let Py::Type(kind) = object {
            let full = format!("{}.{name}", kind.name());
            if let Some(native) = natives::find(&full) {
                return Ok(Some(if natives::is_class_method(&full) {
                    self.add(PyObject::Bound(object, native))
                } else {
                    native
                }));
            }
            return self.special_attr(object, name);
        }
        let kind = self.type_of(object);
        if let Some(native) = self.lookup(Py::Type(kind), name) {
            return Ok(Some(self.add(PyObject::Bound(object, native))));
        }
        self.special_attr(object, name)
    }

    /// An attribute of the classes after `class` in the order of `start`.
    fn lookup_after(&self, start: Py, class: Py, name: &str) -> Option<Py> {
        let Py::Obj(id) = start else { return None };
        let PyObject::Class(c) = self.obj(id) else { return None };
        let after = c.order.iter().position(|o| *o == class)? + 1;
        c.order[after..].iter().find_map(|c| match c {
            Py::Obj(id) => match self.obj(*id) {
                PyObject::Class(c) => c.attrs.get(name).copied(),
                _ => None,
            },
            other => self.lookup(*other, name),
        })
    }

    /// The module that defines a function.
    fn module_name(&self, object: Py) -> String {
        match object {
            Py::Native(number) => {
                natives::name(number).rsplit_once('.').map_or("builtins", |name| name.0).to_owned()
            }
            Py::Type(_) => "builtins".to_owned(),
            _ => match self.as_function(object).map(|f| self.obj(f.module)) {
                Some(PyObject::Module(module)) => module.name.to_string(),
                _ => "__main__".to_owned(),
            },
        }
    }

    /// Attributes that every object of a kind has.
    fn special_attr(&mut self, object: Py, name: &str) -> PyResult<Option<Py>> {
        let Some(text) = (match name {
            "__class__" => return Ok(Some(self.class_of(object))),
            "__dict__" => return self.dict_of(object).map(Some),
            "__annotations__" if self.as_function(object).is_some() => {
                return Ok(Some(self.add(PyObject::Dict(Default::default()))));
            }
            "__doc__" => {
                let doc = self
                    .as_function(object)
                    .map(|f| (f.unit, f.code))
                    .and_then(|(unit, code)| self.code_of(unit, code).doc.clone());
                return Ok(Some(doc.map_or(Py::None, |d| self.text(d))));
            }
            "__name__" | "__qualname__" => match object {
                Py::Type(kind) => Some(kind.name().to_owned()),
                Py::Native(number) => {
                    Some(natives::name(number).rsplit('.').next().unwrap_or_default().to_owned())
                }
                Py::Obj(id) => match self.obj(id) {
                    PyObject::Class(c) => Some(c.name.to_string()),
                    PyObject::Function(f) => Some(f.name.to_string()),
                    PyObject::Bound(_, f) => {
                        let f = *f;
                        return self.own_attr(f, name);
                    }
                    PyObject::Generator(g) => Some(g.name.rsplit('.').next().unwrap_or_default().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            "__module__" => Some(self.module_name(object)),
            "__mro__" | "__bases__" => {
                let Py::Obj(id) = object else { return Ok(None) };
                let PyObject::Class(c) = self.obj(id) else { return Ok(None) };
                let mut items = if name == "__mro__" { c.order.clone() } else { c.bases.clone() };
                if name == "__mro__" || items.is_empty() {
                    items.push(Py::Type(PyType::Object));
                }
                return Ok(Some(self.tuple(items)));
            }
            "__func__" | "__self__" => {
                let Py::Obj(id) = object else { return Ok(None) };
                let PyObject::Bound(receiver, function) = self.obj(id) else { return Ok(None) };
                return Ok(Some(if name == "__self__" { *receiver } else { *function }));
            }
            "__file__" => match object {
                Py::Obj(id) => match self.obj(id) {
                    PyObject::Module(m) if !m.file.is_empty() => Some(m.file.clone()),
                    _ => None,
                },
                _ => None,
            },
            "name" | "mode" | "closed" | "encoding" => return self.file_attr(object, name),
            "setter" | "getter" | "deleter" => {
                let native = natives::find("property.setter");
                return Ok(native
                    .filter(|_| self.type_of(object) == PyType::Property)
                    .map(|n| self.add(PyObject::Bound(object, n))));
            }
            "start" | "stop" | "step" => {
                let Py::Obj(id) = object else { return Ok(None) };
                let index = ["start", "stop", "step"].iter().position(|n| *n == name).unwrap_or(0);
                return Ok(match self.obj(id) {
                    PyObject::Range(a, b, c) => Some(Py::Int([*a, *b, *c][index])),
                    PyObject::Slice(parts) => Some(parts[index]),
                    _ => None,
                });
            }
            "real" if matches!(object, Py::Int(_) | Py::Float(_)) => return Ok(Some(object)),
            "numerator" if matches!(object, Py::Int(_)) => return Ok(Some(object)),
            "__cause__" | "__context__" | "__traceback__" if self.is_exception(object, "BaseException") => {
                return Ok(Some(Py::None));
            }
            "__iter__" | "__len__" | "__next__" | "__contains__" | "__getitem__"
                if !self.has_protocol(object, name) =>
            {
                return Ok(None);
            }
            _ => {
                let full = format!("object.{name}");
                return Ok(natives::find(&full).map(|n| self.add(PyObject::Bound(object, n))));
            }
        }) else {
            return Ok(None);
        };
        Ok(Some(self.text(text)))
    }

    fn dict_of(&mut self, object: Py) -> PyResult {
        let attrs = match object {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Instance(i) => i.attrs.clone(),
                PyObject::Module(m) => m.attrs.clone(),
                PyObject::Class(c) => c.attrs.clone(),
                PyObject::Function(f) => f.attrs.clone(),
                _ => Default::default(),
            },
            _ => Default::default(),
        };
        self.attrs_dict(&attrs)
    }

    pub fn attrs_dict(&mut self, attrs: &super::value::Attrs) -> PyResult {
        let mut table = super::value::Table::default();
        for (name, value) in attrs {
            let text = self.text(name.clone());
            table.insert(super::value::DictKey::Text(name.clone()), (text, *value));
        }
        Ok(self.add(PyObject::Dict(table)))
    }
}
