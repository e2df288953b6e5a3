//! The `in` operator.

use super::value::{Py, PyObject, PyType};
use super::vm::{PyResult, PyVm};

impl PyVm<'_> {
    /// Whether bytes contain a byte or a part.
    fn bytes_contain(&mut self, own: &[u8], item: Py) -> PyResult<bool> {
        if self.as_big(item).is_some() {
            return match self.as_int(item).and_then(|n| u8::try_from(n).ok()) {
                Some(byte) => Ok(own.contains(&byte)),
                None => self.value_error("byte must be in range(0, 256)"),
            };
        }
        match self.payload(item) {
            Py::Obj(id) if let PyObject::Bytes(part, _) = self.obj(id) => {
                // Texts are searched in linear time.
                let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
                Ok(text(own).contains(&text(part)))
            }
            _ => {
                let message = format!("a bytes-like object is required, not '{}'", self.type_name(item));
                self.type_error(&message)
            }
        }
    }

    /// `item in container`
    pub fn contains(&mut self, container: Py, item: Py) -> PyResult<bool> {
        if let Some(f) = self.class_attr(container, "__contains__").filter(|f| !matches!(f, Py::Native(_))) {
            let value = self.call_nested(f, vec![container, item], Vec::new())?;
            return self.truth(value);
        }
        let inner = self.payload(container);
        if let Py::Obj(id) = inner {
            match self.obj(id) {
                PyObject::Dict(_) | PyObject::Set(..) | PyObject::View(PyType::Keys, _) => {
                    let key = self.key(item)?;
                    let inner =
                        if let PyObject::View(_, dict) = self.obj(id) { self.payload(*dict) } else { inner };
                    let Py::Obj(id) = inner else { return Ok(false) };
                    return Ok(match self.obj(id) {
                        PyObject::Dict(t) | PyObject::Set(t, _) => t.contains_key(&key),
                        _ => false,
                    });
                }
                PyObject::Bytes(own, _) => {
                    let own = own.clone();
                    return self.bytes_contain(&own, item);
                }
                PyObject::Text(t) => {
                    let t = t.clone();
                    return match self.str_ref(item) {
                        Some(part) => Ok(t.contains(part)),
                        None => {
                            let message = format!(
                                "'in <string>' requires string as left operand, not {}",
                                self.type_name(item)
                            );
                            self.type_error(&message)
                        }
                    };
                }
                PyObject::Range(a, b, c) => {
                    let (a, b, c) = (*a, *b, *c);
                    return Ok(self.as_int(item).is_some_and(|n| {
                        let within = if c > 0 { n >= a && n < b } else { n <= a && n > b };
                        within && (i128::from(n) - i128::from(a)) % i128::from(c) == 0
                    }));
                }
                PyObject::Class(_) if self.meta_attr(container, "__contains__").is_some() => {
                    let Some(f) = self.meta_attr(container, "__contains__") else { return Ok(false) };
                    let value = self.call_nested(f, vec![container, item], Vec::new())?;
                    return self.truth(value);
                }
                _ => {}
            }
        }
        if !self.is_iterable(container) && !self.is_class(container) {
            let message = format!("argument of type '{}' is not iterable", self.type_name(container));
            return self.type_error(&message);
        }
        for other in self.gather(container)? {
            if self.is_same(other, item) || self.equal(other, item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
