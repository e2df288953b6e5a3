//! `import`: modules from files, packages and the library.

use super::ast::PyName;
use super::code::PyOp;
use super::compile::SourceMode;
use super::frame::OnReturn;
use super::library;
use super::value::{Attrs, Py, PyObject};
use super::vm::{AfterOp, PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub(super) fn import_step(&mut self, op: PyOp) -> PyResult<AfterOp> {
        let unit = self.frame().unit;
        let compiled = std::sync::Arc::clone(self.s.units[unit as usize].compiled());
        match op {
            PyOp::Import(i) => {
                let name = compiled.names[i as usize].clone();
                self.import(&name)
            }
            PyOp::ImportFrom(i) => {
                let name = &compiled.names[i as usize];
                let module = self.top();
                match self.attr_now(module, name) {
                    Ok(value) => {
                        self.push(value);
                        Ok(AfterOp::Next)
                    }
                    Err(Stop::Raise(e)) if self.is_exception(e, "AttributeError") => {
                        // `from package import module`
                        let full = match module {
                            Py::Obj(id) => match self.obj(id) {
                                PyObject::Module(m) => format!("{}.{name}", m.name),
                                _ => String::new(),
                            },
                            _ => String::new(),
                        };
                        if !full.is_empty() && self.find_module(&full)?.is_some() {
                            // The module runs, and the operation is repeated.
                            return match self.import(&full.as_str().into())? {
                                AfterOp::Next => {
                                    self.pop();
                                    self.frame().at -= 1;
                                    Ok(AfterOp::Next)
                                }
                                flow => Ok(flow),
                            };
                        }
                        let (owner, file) = match module {
                            Py::Obj(id) => match self.obj(id) {
                                PyObject::Module(m) => (m.name.to_string(), m.file.clone()),
                                _ => Default::default(),
                            },
                            _ => Default::default(),
                        };
                        let file = if file.is_empty() { "unknown location".to_owned() } else { file };
                        let message = format!("cannot import name '{name}' from '{owner}' ({file})");
                        Err(self.error("ImportError", &message))
                    }
                    Err(stop) => Err(stop),
                }
            }
            _ => {
                let module = self.pop();
                let Py::Obj(id) = module else { return Ok(AfterOp::Next) };
                let PyObject::Module(m) = self.obj(id) else { return Ok(AfterOp::Next) };
                let all: Attrs = m
                    .attrs
                    .iter()
                    .filter(|(n, _)| !n.starts_with('_'))
                    .map(|(n, v)| (n.clone(), *v))
                    .collect();
                let target = self.frame().module;
                if let PyObject::Module(m) = self.obj_mut(target) {
                    m.attrs.extend(all);
                }
                Ok(AfterOp::Next)
            }
        }
    }

    /// `import name`: pushes the module (of a dotted name, the package), whose body runs first if it is new.
    pub(super) fn import(&mut self, name: &PyName) -> PyResult<AfterOp> {
        let relative = name.starts_with('.');
        let full = if relative { self.absolute_name(name)? } else { name.to_string() };
        let name = full.as_str();
        let first = if relative { name } else { name.split('.').next().unwrap_or_default() };
        // Each part of a dotted name is a module of its own. The innermost missing one runs first, and the
        // import is repeated.
        let mut full = String::new();
        for part in name.split('.') {
            if !full.is_empty() {
                full.push('.');
            }
            full += part;
            if self.s.modules.contains_key(&full) {
                continue;
            }
            let Some((file, source)) = self.find_module(&full)? else {
                let tail = match full.rsplit_once('.') {
                    Some((package, _))
                        if full == name
                            && self.find_module(package)?.is_some_and(|f| !f.0.ends_with("__init__.py")) =>
                    {
                        format!("; '{package}' is not a package")
                    }
                    _ => String::new(),
                };
                let stop = self.error("ModuleNotFoundError", &format!("No module named '{full}'{tail}"));
                return Err(stop);
            };
            let unit = self.load_unit(&file, &source, SourceMode::File)?;
            let shown = if library::text(&file).is_some() { "" } else { file.as_str() };
            let module = self.new_module(&full, shown);
            super::natives::fill_module(self, module, &full);
            self.frame().at -= 1;
            self.push_body(unit, 0, module, OnReturn::Drop)?;
            return Ok(AfterOp::Frame);
        }
        let module = self.s.modules.get(first).copied().unwrap_or(0);
        self.push(Py::Obj(module));
        Ok(AfterOp::Next)
    }

    /// The full name of a module that is named relative to the current one.
    pub(super) fn absolute_name(&mut self, name: &str) -> PyResult<String> {
        let rest = name.trim_start_matches('.');
        let dots = name.len() - rest.len();
        let module = self.frame().module;
        let (own, package) = match self.obj(module) {
            PyObject::Module(m) => (m.name.to_string(), m.file.ends_with("__init__.py")),
            _ => Default::default(),
        };
        let mut parts: Vec<&str> = own.split('.').collect();
        let up = dots - usize::from(package);
        if own == "__main__" || !package && parts.len() < 2 {
            return Err(self.error("ImportError", "attempted relative import with no known parent package"));
        }
        if up >= parts.len() {
            return Err(self.error("ImportError", "attempted relative import beyond top-level package"));
        }
        parts.truncate(parts.len() - up);
        parts.extend(Some(rest).filter(|r| !r.is_empty()));
        Ok(parts.join("."))
    }

    /// The file and source of a module.
    pub(super) fn find_module(&mut self, name: &str) -> PyResult<Option<(String, String)>> {
        let relative = name.replace('.', "/");
        // CPython immediately closes a file that no variable refers to.
        self.flush_written()?;
        for folder in self.s.path.clone() {
            for file in [format!("{folder}/{relative}.py"), format!("{folder}/{relative}/__init__.py")] {
                if let Some(text) = self.read_file_text(&file) {
                    return Ok(Some((file, if text.is_empty() { "\n".to_owned() } else { text })));
                }
            }
        }
        if self.is_package(name) {
            if self.package_version(name).is_none() {
                return Ok(None);
            }
            if library::text(&format!("<library>/{name}.py")).is_none() {
                let message = format!("sandbatch does not simulate {name}");
                return Err(self.error("NotImplementedError", &message));
            }
        }
        let file = format!("<library>/{name}.py");
        Ok(library::text(&file).map(|_| (file, String::new())))
    }
}
