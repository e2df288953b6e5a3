//! The virtual machine: frames, operations and exceptions.

use super::ast::PyName;
use super::code::{CompiledUnit, Constant, PyCode};
use super::compile::{self, SourceMode};
use super::frame::{OnReturn, PyFrame};
use super::heap::{PyHeap, frame_references};
use super::library;
use super::threads::PyThreads;
use super::value::{Attrs, Deadline, Py, PyFunction, PyInstance, PyModule, PyObject};
use base::ids::Pid;
use base::time::{Span, Time};
use host::{Exec, Kernel, Wait};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Maximum depth of Python calls.
pub(crate) const MAX_FRAMES: usize = 1000;
/// Maximum depth of calls from native functions back into Python.
const MAX_NESTED: u32 = 40;
/// Maximum number of operations of such a call.
const NESTED_FUEL: i64 = 20_000_000;

/// Maximum bytes of what a process can reach, besides long repetitions and arrays, which are not written out.
const MAX_BYTES: u64 = 512 << 20;

/// Why an operation did not complete.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// An exception.
    Raise(Py),
    /// Repeats the operation when the condition holds.
    Wait(Wait),
    /// The operation's result is that of this call.
    Tail(Py, Vec<Py>, Vec<(PyName, Py)>),
    /// The slice is used up.
    Fuel,
    /// `os._exit`
    Exit(u8),
}

pub(crate) type PyResult<T = Py> = Result<T, Stop>;

/// A loaded source file. Its code is compiled again after a session is loaded.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PyUnit {
    pub file: String,
    /// Empty: a file of the library.
    pub source: String,
    pub mode: SourceMode,
    /// Constants that are objects already.
    pub constants: Vec<Py>,
    #[serde(skip)]
    pub compiled: OnceLock<Arc<CompiledUnit>>,
}

impl Clone for PyUnit {
    fn clone(&self) -> Self {
        Self {
            file: self.file.clone(),
            source: self.source.clone(),
            mode: self.mode,
            constants: self.constants.clone(),
            compiled: self.compiled.clone(),
        }
    }
}

impl PyUnit {
    pub fn text(&self) -> &str {
        if self.source.is_empty() { library::text(&self.file).unwrap_or("") } else { &self.source }
    }

    pub fn compiled(&self) -> &Arc<CompiledUnit> {
        let shared = || library::compiled(&self.file).filter(|_| self.source.is_empty());
        let own = || Arc::new(compile::compile(self.text(), self.mode).unwrap_or_default());
        self.compiled.get_or_init(|| shared().unwrap_or_else(own))
    }
}

/// A Python process.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PyState {
    pub heap: PyHeap,
    pub units: Vec<PyUnit>,
    pub frames: Vec<PyFrame>,
    pub modules: std::collections::BTreeMap<String, u32>,
    pub builtins: u32,
    pub argv: Vec<String>,
    pub env: Vec<(String, String)>,
    pub path: Vec<String>,
    pub deadline: Deadline,
    pub started: Time,
    /// `sys.stdout` and `sys.stderr` as files.
    pub stdout: u32,
    pub stderr: u32,
    pub stdin: u32,
    /// Signal handlers in Python.
    pub handlers: Vec<(u8, Py)>,
    pub ops: u64,
    pub random: u64,
    pub children: Vec<(u32, i32)>,
    pub exit_hooks: Vec<Py>,
    pub program: String,
    /// Microseconds of CPU and GPU time of calls that have not passed yet.
    pub work: u64,
    pub gpu_work: u64,
    /// The work is shared by the threads.
    pub threaded: bool,
    /// Numbers were estimated from a sample.
    pub estimated: bool,
    /// The line about models was printed to standard error.
    pub told: bool,
    /// GPUs in use with MiB of memory, and how busy they are.
    pub gpus: Vec<(u32, u64)>,
    pub gpu_load: u32,
    pub threads: PyThreads,
    /// When SIGALRM comes, and the interval after which it comes again.
    pub alarm: Option<(Time, Span)>,
}

/// The machine while it runs a process.
pub(crate) struct PyVm<'a> {
    pub s: &'a mut PyState,
    pub kernel: &'a mut Kernel,
    pub pid: Pid,
    pub now: Time,
    pub fuel: i64,
    pub nested: u32,
    pub born: Vec<(Pid, Exec)>,
    /// A pipe that is full.
    pub stuck: Option<u32>,
    /// The slice ends after this operation.
    pub pause: bool,
    /// The program's objects take more than sandbatch has for one process.
    pub too_large: bool,
    /// The operation waits for a change of a lock, event or queue.
    pub for_change: bool,
    /// Processes that are copies of this one, in which the result of this operation is 0.
    pub forked: Vec<Pid>,
}

/// What to do after an operation.
pub(crate) enum AfterOp {
    Next,
    /// Another frame is on top.
    Frame,
    /// The frame at the floor returned.
    Done(Py),
}

impl PyVm<'_> {
    /// A new object. Its elements or bytes are charged, since one operation may copy millions of them.
    pub fn add(&mut self, object: PyObject) -> Py {
        let copied = match &object {
            PyObject::Text(text) => text.len() / 64,
            PyObject::Bytes(bytes, _) => bytes.len() / 64,
            PyObject::List(items) | PyObject::Tuple(items) => items.len() / 16,
            _ => 0,
        };
        self.fuel -= i64::try_from(copied).unwrap_or(0);
        Py::Obj(self.s.heap.add(object))
    }

    pub fn obj(&self, id: u32) -> &PyObject {
        self.s.heap.get(id)
    }

    pub fn obj_mut(&mut self, id: u32) -> &mut PyObject {
        self.s.heap.get_mut(id)
    }

    pub fn text(&mut self, text: impl Into<PyName>) -> Py {
        self.add(PyObject::Text(text.into()))
    }

    pub fn list(&mut self, items: Vec<Py>) -> Py {
        self.add(PyObject::List(items))
    }

    pub fn tuple(&mut self, items: Vec<Py>) -> Py {
        self.add(PyObject::Tuple(items))
    }

    pub fn frame(&mut self) -> &mut PyFrame {
        let last = self.s.frames.len() - 1;
        &mut self.s.frames[last]
    }

    pub fn push(&mut self, value: Py) {
        self.frame().stack.push(value);
    }

    pub fn pop(&mut self) -> Py {
        self.frame().stack.pop().unwrap_or(Py::None)
    }

    pub fn top(&mut self) -> Py {
        self.frame().stack.last().copied().unwrap_or(Py::None)
    }

    pub fn code_of(&self, unit: u32, code: u32) -> Arc<PyCode> {
        Arc::clone(&self.s.units[unit as usize].compiled().codes[code as usize])
    }

    /// A constant as a value; an object is created only once.
    pub fn constant(&mut self, unit: u32, index: u32) -> Py {
        let constants = &mut self.s.units[unit as usize].constants;
        let slot = index as usize;
        if constants.len() <= slot {
            constants.resize(slot + 1, Py::Unset);
        }
        if constants[slot] != Py::Unset {
            return constants[slot];
        }
        let compiled = Arc::clone(self.s.units[unit as usize].compiled());
        let value = match &compiled.constants[slot] {
            Constant::None => Py::None,
            Constant::Bool(b) => Py::Bool(*b),
            Constant::Ellipsis => Py::Ellipsis,
            Constant::Int(n) => Py::Int(*n),
            Constant::Float(x) => Py::Float(*x),
            Constant::Text(t) => self.text(t.as_str()),
            Constant::Bytes(b) => self.add(PyObject::Bytes(b.clone(), false)),
            Constant::Big(b) => self.add(PyObject::Big(b.clone())),
            Constant::Names(_) => Py::None,
        };
        self.s.units[unit as usize].constants[slot] = value;
        value
    }

    /// Loads a source and returns its unit.
    pub fn load_unit(&mut self, file: &str, source: &str, mode: SourceMode) -> PyResult<u32> {
        let text = if source.is_empty() { library::text(file).unwrap_or("") } else { source };
        let shared = if source.is_empty() { library::compiled(file) } else { None };
        match shared.map_or_else(|| compile::compile(text, mode).map(Arc::new), Ok) {
            Ok(compiled) => {
                let unit = PyUnit {
                    file: file.to_owned(),
                    source: source.to_owned(),
                    mode,
                    constants: Vec::new(),
                    compiled: OnceLock::from(compiled),
                };
                self.s.units.push(unit);
                Ok(u32::try_from(self.s.units.len() - 1).unwrap_or(0))
            }
            Err(fault) => Err(self.syntax_error(file, source, &fault)),
        }
    }

    pub fn new_module(&mut self, name: &str, file: &str) -> u32 {
        let module = PyModule { name: name.into(), file: file.to_owned(), attrs: Attrs::default() };
        let id = self.s.heap.add(PyObject::Module(Box::new(module)));
        let text = self.text(name);
        self.set_global(id, "__name__", text);
        self.s.modules.insert(name.to_owned(), id);
        id
    }

    pub fn set_global(&mut self, module: u32, name: &str, value: Py) {
        if let PyObject::Module(m) = self.obj_mut(module) {
            m.attrs.insert(name.into(), value);
        }
    }

    pub fn global(&self, module: u32, name: &str) -> Option<Py> {
        match self.obj(module) {
            PyObject::Module(m) => m.attrs.get(name).copied(),
            _ => None,
        }
    }

    /// A name of the built-in module.
    pub fn builtin(&self, name: &str) -> Py {
        self.global(self.s.builtins, name).unwrap_or(Py::None)
    }

    /// Pushes a frame for the body of a module or a class.
    pub fn push_body(&mut self, unit: u32, code: u32, module: u32, then: OnReturn) -> PyResult<()> {
        self.check_depth()?;
        self.s.frames.push(PyFrame {
            unit,
            code,
            at: 0,
            stack: Vec::new(),
            locals: Vec::new(),
            cells: Vec::new(),
            blocks: Vec::new(),
            handled: Vec::new(),
            module,
            owner: 0,
            names: None,
            then,
            keep: Py::None,
        });
        Ok(())
    }

    pub fn check_depth(&mut self) -> PyResult<()> {
        if self.s.frames.len() >= MAX_FRAMES {
            return Err(self.error("RecursionError", "maximum recursion depth exceeded"));
        }
        Ok(())
    }

    /// A new exception of a built-in class.
    pub fn exception(&mut self, class: &str, message: &str) -> Py {
        let text = self.text(message);
        let args = if message.is_empty() { Vec::new() } else { vec![text] };
        let class = self.builtin(class);
        self.exception_with(class, args)
    }

    pub fn exception_with(&mut self, class: Py, args: Vec<Py>) -> Py {
        let args = self.tuple(args);
        let Py::Obj(class) = class else { return Py::None };
        let mut attrs = Attrs::default();
        attrs.insert("args".into(), args);
        self.add(PyObject::Instance(Box::new(PyInstance { class, attrs, payload: Py::Unset })))
    }

    pub fn error(&mut self, class: &str, message: &str) -> Stop {
        Stop::Raise(self.exception(class, message))
    }

    pub fn type_error<T>(&mut self, message: &str) -> PyResult<T> {
        Err(self.error("TypeError", message))
    }

    pub fn value_error<T>(&mut self, message: &str) -> PyResult<T> {
        Err(self.error("ValueError", message))
    }

    /// Calls a Python function from a native function.
    pub fn call_now(&mut self, function: Py, args: &[Py]) -> PyResult {
        if let Py::Native(_) = function {
            return match self.call_native(function, args, &[]) {
                Err(Stop::Tail(function, args, named)) => self.call_nested(function, args, named),
                other => other,
            };
        }
        self.call_nested(function, args.to_vec(), Vec::new())
    }

    pub fn call_nested(&mut self, function: Py, args: Vec<Py>, named: Vec<(PyName, Py)>) -> PyResult {
        if self.nested >= MAX_NESTED {
            return Err(self.error("RecursionError", "maximum recursion depth exceeded"));
        }
        let floor = self.s.frames.len();
        let result = match self.call(function, args, named, OnReturn::Nested) {
            Ok(AfterOp::Done(value)) => return Ok(value),
            Ok(_) => {
                self.nested += 1;
                let result = self.run(floor);
                self.nested -= 1;
                result
            }
            Err(stop) => Err(stop),
        };
        match result {
            Err(Stop::Wait(_)) => {
                self.s.frames.truncate(floor);
                Err(self.error(
                    "NotImplementedError",
                    "sandbatch does not simulate waiting inside a method that the interpreter calls",
                ))
            }
            other => other,
        }
    }

    /// Runs until the frame at `floor` returns.
    pub fn run(&mut self, floor: usize) -> PyResult {
        loop {
            let Some(frame) = self.s.frames.last() else { return Ok(Py::None) };
            let code = self.code_of(frame.unit, frame.code);
            let flow = self.run_frame(&code, floor);
            match flow {
                Ok(AfterOp::Done(value)) => return Ok(value),
                Ok(AfterOp::Next | AfterOp::Frame) => {}
                Err(Stop::Raise(exception)) => self.unwind(exception, floor)?,
                Err(Stop::Tail(function, args, named)) => {
                    match self.call(function, args, named, OnReturn::Push) {
                        Ok(AfterOp::Done(value)) => self.push(value),
                        Ok(_) => {}
                        Err(Stop::Raise(exception)) => self.unwind(exception, floor)?,
                        Err(stop) => return Err(stop),
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    fn run_frame(&mut self, code: &PyCode, floor: usize) -> PyResult<AfterOp> {
        loop {
            self.fuel -= 1;
            self.s.ops += 1;
            if self.fuel <= 0 {
                if self.nested == 0 {
                    return Err(Stop::Fuel);
                }
                if self.fuel < -NESTED_FUEL {
                    self.fuel = 0;
                    return Err(self.error(
                        "RuntimeError",
                        "sandbatch stops a method that the interpreter calls after 20 million operations",
                    ));
                }
            }
            if self.nested == 0 && self.s.heap.wants_collection() {
                self.collect();
                if self.too_large {
                    return Err(Stop::Fuel);
                }
            }
            let frame = self.frame();
            let op = code.ops[frame.at as usize];
            frame.at += 1;
            match self.step(op, code, floor) {
                Ok(AfterOp::Next) if (self.pause || self.stuck.is_some()) && self.nested == 0 => {
                    return Err(Stop::Fuel);
                }
                Ok(AfterOp::Next) => {}
                Ok(flow) => return Ok(flow),
                Err(Stop::Wait(wait)) => {
                    self.frame().at -= 1;
                    return Err(Stop::Wait(wait));
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    /// Frees what the program cannot reach, and sees whether the rest is too large.
    pub fn collect(&mut self) {
        let roots = self.roots();
        self.too_large = self.s.heap.collect(roots) > MAX_BYTES;
    }

    /// What a process can reach at once.
    pub fn roots(&self) -> Vec<Py> {
        let mut roots: Vec<Py> = self.s.modules.values().map(|m| Py::Obj(*m)).collect();
        roots.extend([self.s.builtins, self.s.stdout, self.s.stderr, self.s.stdin].map(Py::Obj));
        roots.extend(self.s.handlers.iter().map(|h| h.1));
        roots.extend(&self.s.exit_hooks);
        self.s.units.iter().for_each(|u| roots.extend(&u.constants));
        let parked = self.s.threads.parked.iter().flat_map(|thread| &thread.frames);
        self.s.frames.iter().chain(parked).for_each(|f| frame_references(f, &mut roots));
        roots
    }

    pub fn instance_attr(&self, object: Py, name: &str) -> Option<Py> {
        match object {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Instance(i) => i.attrs.get(name).copied(),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn set_instance_attr(&mut self, object: Py, name: &str, value: Py) {
        if let Py::Obj(id) = object
            && let PyObject::Instance(i) = self.obj_mut(id)
        {
            i.attrs.insert(name.into(), value);
        }
    }

    /// The function object of a value.
    pub fn as_function(&self, value: Py) -> Option<&PyFunction> {
        match value {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Function(f) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }
}
