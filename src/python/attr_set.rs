//! Setting and deleting attributes, annotations, and class patterns.

use super::value::{Py, PyObject};
use super::vm::{PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub fn set_attr(&mut self, object: Py, name: &str, value: Py) -> PyResult<()> {
        if let Some(attr) = self.class_attr(object, name)
            && let Py::Obj(id) = attr
        {
            match self.obj(id) {
                PyObject::Property([_, Py::None, _]) => {
                    let message =
                        format!("property '{name}' of '{}' object has no setter", self.type_name(object));
                    return Err(self.error("AttributeError", &message));
                }
                PyObject::Property([_, setter, _]) => {
                    let setter = *setter;
                    return self.call_nested(setter, vec![object, value], Vec::new()).map(drop);
                }
                PyObject::Instance(_) => {
                    if let Some(set) = self.class_attr(attr, "__set__") {
                        return self.call_nested(set, vec![attr, object, value], Vec::new()).map(drop);
                    }
                }
                _ => {}
            }
        }
        if let Some(hook) = self.class_attr(object, "__setattr__").filter(|h| !matches!(h, Py::Native(_))) {
            let text = self.text(name);
            return self.call_nested(hook, vec![object, text, value], Vec::new()).map(drop);
        }
        self.set_attr_plain(object, name, value)
    }

    pub fn set_attr_plain(&mut self, object: Py, name: &str, value: Py) -> PyResult<()> {
        if let Py::Obj(id) = object {
            if let Some(slots) = self.class_attr(object, "__slots__") {
                let allowed = self.gather(slots)?;
                let known = allowed.iter().any(|s| self.str_ref(*s) == Some(name));
                if !known && self.class_attr(object, name).is_none() {
                    let message = format!("'{}' object has no attribute '{name}'", self.type_name(object));
                    return Err(self.error("AttributeError", &message));
                }
            }
            self.s.heap.grow(16);
            let text =
                if name == "__module__" { self.str_ref(value).map(super::ast::PyName::from) } else { None };
            if let (Some(text), PyObject::Class(c)) = (text, self.obj_mut(id)) {
                c.module = text;
            }
            if name == "__class__"
                && let Py::Obj(class) = value
                && matches!(self.obj(class), PyObject::Class(_))
                && let PyObject::Instance(i) = self.obj_mut(id)
            {
                i.class = class;
                return Ok(());
            }
            let attrs = match self.obj_mut(id) {
                PyObject::Instance(i) => Some(&mut i.attrs),
                PyObject::Module(m) => Some(&mut m.attrs),
                PyObject::Class(c) => Some(&mut c.attrs),
                PyObject::Function(f) => Some(&mut f.attrs),
                _ => None,
            };
            if let Some(attrs) = attrs {
                attrs.insert(name.into(), value);
                return Ok(());
            }
        }
        let message = format!("'{}' object has no attribute '{name}'", self.type_name(object));
        Err(self.error("AttributeError", &message))
    }

    pub fn del_attr(&mut self, object: Py, name: &str) -> PyResult<()> {
        let gone = match object {
            Py::Obj(id) => match self.obj_mut(id) {
                PyObject::Instance(i) => i.attrs.shift_remove(name),
                PyObject::Module(m) => m.attrs.shift_remove(name),
                PyObject::Class(c) => c.attrs.shift_remove(name),
                PyObject::Function(f) => f.attrs.shift_remove(name),
                _ => None,
            },
            _ => None,
        };
        if gone.is_some() {
            return Ok(());
        }
        let message = format!("'{}' object has no attribute '{name}'", self.type_name(object));
        Err(self.error("AttributeError", &message))
    }

    /// Whether a built-in value has one of the methods of collections.
    pub(super) fn has_protocol(&self, object: Py, name: &str) -> bool {
        use super::value::PyType;
        let kind = self.type_of(self.payload(object));
        let sized = matches!(
            kind,
            PyType::Str
                | PyType::Bytes
                | PyType::ByteArray
                | PyType::Tuple
                | PyType::List
                | PyType::Dict
                | PyType::Set
                | PyType::FrozenSet
                | PyType::Range
                | PyType::Keys
                | PyType::Values
                | PyType::Items
        );
        let unordered =
            matches!(kind, PyType::Set | PyType::FrozenSet | PyType::Keys | PyType::Values | PyType::Items);
        let steps = matches!(kind, PyType::Iterator | PyType::Generator | PyType::File);
        match name {
            "__next__" => steps,
            "__iter__" => sized || steps,
            "__getitem__" => sized && !unordered,
            _ => sized,
        }
    }

    pub(super) fn annotate(&mut self, name: &str) {
        let value = self.pop();
        let frame = self.frame();
        let Some(names) = &mut frame.names else { return };
        let known = names.get("__annotations__").copied();
        let dict = match known {
            Some(dict) => dict,
            None => {
                let dict = self.add(PyObject::Dict(Default::default()));
                if let Some(names) = &mut self.frame().names {
                    names.insert("__annotations__".into(), dict);
                }
                dict
            }
        };
        let text = self.text(name);
        // Adding a new key cannot fail.
        let _ = self.set_index(dict, text, value);
    }

    pub(super) fn match_class(
        &mut self,
        subject: Py,
        class: Py,
        n: u32,
        names: &[super::ast::PyName],
    ) -> PyResult {
        if !self.is_instance(subject, class) {
            return Ok(Py::None);
        }
        let mut values = Vec::new();
        if n > 0 {
            match self.lookup(class, "__match_args__") {
                Some(args) => {
                    for name in self.gather(args)?.into_iter().take(n as usize) {
                        let name = self.str_ref(name).unwrap_or("").to_owned();
                        values.push(self.attr_now(subject, &name)?);
                    }
                }
                None => values.push(subject),
            }
        }
        for name in names {
            match self.find_method(subject, name)? {
                Some(value) => values.push(value),
                None => return Ok(Py::None),
            }
        }
        Ok(self.list(values))
    }

    /// A method to call: the function, and the receiver as its first argument.
    pub fn method(&mut self, object: Py, name: &str) -> PyResult<(Py, Option<Py>)> {
        if let Py::Obj(id) = object {
            let (class, own) = match self.obj(id) {
                PyObject::Instance(i) => (Py::Obj(i.class), i.attrs.get(name).copied()),
                PyObject::Module(_) | PyObject::Class(_) | PyObject::Super(..) | PyObject::Function(_) => {
                    return self.attr_now(object, name).map(|f| (f, None));
                }
                _ => (Py::Type(self.type_of(object)), None),
            };
            if own.is_none()
                && let Some(found) = self.lookup(class, name)
                && (matches!(found, Py::Native(_)) || self.as_function(found).is_some())
            {
                return Ok((found, Some(object)));
            }
        }
        self.attr_now(object, name).map(|f| (f, None))
    }

    /// An attribute; runs the getter of a property to its end.
    pub fn attr_now(&mut self, object: Py, name: &str) -> PyResult {
        match self.attr(object, name) {
            Err(Stop::Tail(function, args, named)) => self.call_nested(function, args, named),
            other => other,
        }
    }

    pub fn find_method(&mut self, object: Py, name: &str) -> PyResult<Option<Py>> {
        match self.attr_now(object, name) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Raise(e)) if self.is_exception(e, "AttributeError") => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}
