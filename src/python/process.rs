//! A Python process of the simulated host: start-up, slices, signals and exit.
//!
//! Operations cost CPU time at [`crate::OPERATIONS_PER_SECOND`]. A long computation is charged more per operation,
//! so an endless loop does not stall the simulation.

use super::compile::SourceMode;
use super::frame::OnReturn;
use super::prompt::{BANNER, PyPrompt};
use super::value::{Py, PyFile, PyObject};
use super::vm::{PyResult, PyState, PyVm, Stop};
use base::ids::Pid;
use base::time::{Span, Time};
use host::kernel::OpenFlags;
use host::signal::Disposition;
use host::{Errno, Exec, Kernel, Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// Operations in a slice.
const FUEL: i64 = 60_000;
/// Number of operations at their real cost. Later ones cost ten times as much, and then five hundred times.
const REAL: u64 = 200_000_000;
const CHEAP: u64 = 1_000_000_000;
/// How busy a GPU is while a model computes on it, in percent.
const GPU_LOAD: u32 = 90;
/// Memory of the interpreter itself, MiB.
const BASE_MEMORY: u64 = 9;
/// Maximum length of a program on standard input, bytes.
const MAX_SOURCE: usize = 1 << 20;
/// Maximum number of objects of a process.
const MAX_OBJECTS: usize = 12_000_000;

/// A Python process: plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PythonProcess {
    state: PyState,
    exec: Option<Exec>,
    ending: Option<Status>,
    memory: u64,
    /// The program, if it comes on standard input.
    input: Vec<u8>,
    /// The prompt of a terminal.
    prompt: Option<PyPrompt>,
}

impl PythonProcess {
    /// A process that executes a command line of `python`.
    #[must_use]
    pub fn new(exec: Exec) -> Self {
        Self {
            state: PyState::default(),
            exec: Some(exec),
            ending: None,
            memory: 0,
            input: Vec::new(),
            prompt: None,
        }
    }

    /// A process that runs a command line of `perl`, `Rscript` or `R`: the library has interpreters for parts of these
    /// languages.
    #[must_use]
    pub fn of_interpreter(exec: &Exec) -> Self {
        let name = exec.argv.first().and_then(|name| name.rsplit('/').next()).unwrap_or("");
        let program = match name {
            "R" => "import _r; _r.start('R')",
            "Rscript" => "import _r; _r.start('Rscript')",
            _ => "import _perl; _perl.start()",
        };
        let mut argv = vec![name.to_owned(), "-c".to_owned(), program.to_owned()];
        argv.extend(exec.argv.iter().skip(1).cloned());
        Self::new(Exec { argv, path: exec.path.clone(), env: exec.env.clone() })
    }

    /// Runs a slice. `born` gets the processes that it started.
    /// `forked` gets its copies.
    pub fn run(
        &mut self,
        kernel: &mut Kernel,
        pid: Pid,
        now: Time,
        born: &mut Vec<(Pid, Exec)>,
        forked: &mut Vec<(Pid, Self)>,
    ) -> SliceEnd {
        let reads = self.exec.as_ref().is_some_and(reads_program);
        let interactive = reads && kernel.fd_tty(pid, 0).is_some();
        if reads && !interactive {
            loop {
                match kernel.read(pid, 0, 65_536) {
                    Ok(data) if !data.is_empty() && self.input.len() < MAX_SOURCE => self.input.extend(data),
                    Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Readable(0)),
                    Ok(_) | Err(_) => break,
                }
            }
        }
        let exec = self.exec.take();
        let input = std::mem::take(&mut self.input);
        let mut vm = PyVm {
            s: &mut self.state,
            kernel,
            pid,
            now,
            fuel: FUEL,
            nested: 0,
            born: Vec::new(),
            stuck: None,
            pause: false,
            forked: Vec::new(),
        };
        let before = vm.s.ops;
        let mut end = match (exec, self.ending) {
            (Some(exec), _) => match start(&mut vm, &exec, if interactive { None } else { Some(&input) }) {
                Ok(main) => {
                    if interactive {
                        let _ = vm.kernel.write(pid, 2, BANNER.as_bytes(), now);
                        self.prompt = Some(PyPrompt { main, ..PyPrompt::default() });
                    }
                    None
                }
                Err(stop) => Some(Err(stop)),
            },
            (None, Some(status)) => Some(Err(Stop::Exit(match status {
                Status::Exited(code) => code,
                Status::Signaled(_) => 1,
            }))),
            (None, None) => None,
        };
        // Output that a full pipe did not accept is written first.
        if let Err(stop) = vm.flush_stuck() {
            end = end.or(Some(Err(stop)));
        }
        if vm.stuck.is_none() && end.is_none() {
            end = Some(match &mut self.prompt {
                Some(prompt) => match vm.heed() {
                    Err(Stop::Raise(exception)) => vm.report(prompt, exception),
                    other => other,
                }
                .and_then(|()| vm.converse(prompt)),
                None => vm.heed().and_then(|()| vm.run(0)),
            });
        }
        let stuck = vm.stuck;
        let (ops, spent) = (vm.s.ops, (FUEL - vm.fuel.max(0)).max(0));
        let outcome = match end {
            None => SliceEnd::Again,
            Some(Err(Stop::Fuel)) => SliceEnd::Again,
            Some(Err(Stop::Wait(wait))) => SliceEnd::Wait(wait),
            Some(result) => {
                let status = match self.ending {
                    Some(status) => status,
                    None => vm.ended(result),
                };
                self.ending = Some(status);
                let _ = vm.flush_all();
                match vm.stuck {
                    Some(fd) => SliceEnd::Wait(Wait::Writable(fd)),
                    None => SliceEnd::Exit(status),
                }
            }
        };
        born.append(&mut vm.born);
        for child in std::mem::take(&mut vm.forked) {
            let mut state = vm.s.clone();
            // The result of `fork` is on top.
            if let Some(top) = state.frames.last_mut().and_then(|f| f.stack.last_mut()) {
                *top = Py::Int(0);
            }
            state.gpus.clear();
            let copy = Self { state, exec: None, ending: None, memory: 0, input: Vec::new(), prompt: None };
            forked.push((child, copy));
        }
        if vm.s.heap.wants_collection() {
            vm.collect();
        }
        let memory = BASE_MEMORY + vm.s.heap.bytes() / 1_048_576;
        if memory != self.memory {
            self.memory = memory;
            vm.kernel.set_memory(pid, memory);
        }
        if vm.s.heap.len() > MAX_OBJECTS {
            let _ =
                vm.kernel.write(pid, 2, b"python: sandbatch computes with at most 12 million objects\n", now);
            return SliceEnd::Exit(Status::Signaled(Signal::KILL));
        }
        if std::mem::take(&mut vm.s.estimated) {
            vm.say_model();
        }
        let cost = cost(before, ops.max(before + spent.unsigned_abs()));
        let (work, gpu) = (std::mem::take(&mut vm.s.work), std::mem::take(&mut vm.s.gpu_work));
        let threads = if std::mem::take(&mut vm.s.threaded) { threads(&vm) } else { 1 };
        let gpu = gpu.saturating_mul(1000) / if gpu > 0 { vm.gpu_share() } else { 1000 };
        if !vm.s.gpus.is_empty() {
            vm.load_gpus(if gpu > 0 { GPU_LOAD } else { 0 });
        }
        let micros = |n: u64| Span(i64::try_from(n).unwrap_or(i64::MAX / 4));
        kernel.charge_cpu(pid, cost.0 + micros(work.saturating_add(gpu / 4)).0);
        let cost = cost + micros(work / threads) + micros(gpu);
        match outcome {
            SliceEnd::Again => match stuck {
                Some(fd) => SliceEnd::Wait(Wait::Writable(fd)),
                None => SliceEnd::Wait(Wait::Until(now + cost.max(Span(1)))),
            },
            other => other,
        }
    }
}

/// Threads of libraries that use all of a process's cores.
fn threads(vm: &PyVm<'_>) -> u64 {
    let number = |name: &str| vm.s.env.iter().find(|e| e.0 == name).and_then(|e| e.1.parse::<u64>().ok());
    let cores = number("SLURM_CPUS_PER_TASK").or_else(|| number("SLURM_CPUS_ON_NODE")).unwrap_or(1);
    number("OMP_NUM_THREADS").map_or(cores, |n| n.min(cores)).clamp(1, 1024)
}

/// Whether the program comes on standard input.
fn reads_program(exec: &Exec) -> bool {
    let mut words = exec.argv.iter().skip(1);
    loop {
        match words.next().map(String::as_str) {
            None | Some("-") => return true,
            Some("-W" | "-X") => drop(words.next()),
            Some("-c" | "-m") => return false,
            Some(word) if word.starts_with('-') => {}
            Some(_) => return false,
        }
    }
}

/// CPU time of operations, given the number before and after.
fn cost(before: u64, after: u64) -> Span {
    let factor = if before > CHEAP {
        500
    } else if before > REAL {
        10
    } else {
        1
    };
    let micros = (after - before) * factor * 1_000_000 / crate::OPERATIONS_PER_SECOND;
    Span(i64::try_from(micros).unwrap_or(i64::MAX))
}

/// Reads the command line and loads the program, unless a prompt asks for it: the main module.
fn start(vm: &mut PyVm<'_>, exec: &Exec, input: Option<&[u8]>) -> PyResult<u32> {
    vm.s.started = vm.now;
    vm.s.env = exec.env.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    vm.s.program.clone_from(&exec.path);
    vm.kernel.set_disposition(vm.pid, Signal::PIPE, Disposition::Ignore);
    vm.kernel.set_disposition(vm.pid, Signal::INT, Disposition::Catch);
    let unbuffered = exec.argv.iter().skip(1).take_while(|a| a.starts_with('-')).any(|a| a.starts_with("-u"))
        || exec.env.get("PYTHONUNBUFFERED").is_some_and(|v| !v.is_empty());
    let streams = ["<stdin>", "<stdout>", "<stderr>"].map(|name| {
        let fd =
            u32::try_from(["<stdin>", "<stdout>", "<stderr>"].iter().position(|n| *n == name).unwrap_or(0))
                .unwrap_or(0);
        let by_line = fd == 2 || unbuffered || vm.kernel.fd_tty(vm.pid, fd).is_some();
        let file = PyFile {
            name: name.to_owned(),
            mode: if fd == 0 { "r" } else { "w" }.to_owned(),
            fd: Some(fd),
            binary: false,
            readable: fd == 0,
            writable: fd > 0,
            out: Vec::new(),
            input: Vec::new(),
            at_end: false,
            by_line,
            memory: false,
        };
        vm.s.heap.add(PyObject::File(Box::new(file)))
    });
    [vm.s.stdin, vm.s.stdout, vm.s.stderr] = streams;
    vm.s.builtins = vm.new_module("builtins", "");
    let builtins = vm.s.builtins;
    super::natives::fill_module(vm, builtins, "builtins");
    for kind in super::value::PyType::ALL {
        if kind.name().chars().all(char::is_alphabetic)
            && !["cell", "module", "iterator", "generator", "function", "method", "ellipsis"]
                .contains(&kind.name())
        {
            vm.set_global(builtins, kind.name(), Py::Type(*kind));
        }
    }
    let super_native = super::natives::find("builtins.super").unwrap_or(Py::None);
    vm.set_global(builtins, "super", super_native);
    vm.set_global(builtins, "NotImplemented", Py::NotImplemented);
    vm.set_global(builtins, "Ellipsis", Py::Ellipsis);
    let unit = vm.load_unit("<library>/builtins.py", "", SourceMode::File)?;
    vm.push_body(unit, 0, builtins, OnReturn::Drop)?;
    let saved = std::mem::replace(&mut vm.fuel, 1_000_000);
    vm.run(0)?;
    vm.fuel = saved;
    match input {
        Some(input) => program(vm, exec, input),
        None => {
            vm.s.argv = vec![String::new()];
            vm.s.path = vec![".".into()];
            Ok(main_module(vm))
        }
    }
}

fn main_module(vm: &mut PyVm<'_>) -> u32 {
    let main = vm.new_module("__main__", "");
    vm.set_global(main, "__builtins__", Py::Obj(vm.s.builtins));
    vm.set_global(main, "__doc__", Py::None);
    main
}

/// Loads the program that the command line names.
fn program(vm: &mut PyVm<'_>, exec: &Exec, input: &[u8]) -> PyResult<u32> {
    let mut words = exec.argv.iter().skip(1).peekable();
    while let Some(word) = words.peek().filter(|w| w.starts_with('-') && w.len() > 1) {
        match word.as_str() {
            "-c" | "-m" => break,
            "-W" | "-X" => {
                words.next();
            }
            word if "-u-s-E-I-B-O-OO-q-S-v-i-b-d-x".split('-').any(|o| word[1..] == *o) => {}
            word if word.len() > 2 && word[1..].chars().all(|c| "usEIBOqSb".contains(c)) => {}
            other => {
                let text = format!(
                    "unknown option {other}\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry `python -h' for more information.\n"
                );
                let _ = vm.kernel.write(vm.pid, 2, text.as_bytes(), vm.now);
                return Err(Stop::Exit(2));
            }
        }
        words.next();
    }
    let first = words.next().cloned();
    let mut rest: Vec<String> = words.cloned().collect();
    let (file, source, argv0) = match first.as_deref() {
        Some("-c") => {
            if rest.is_empty() {
                let _ = vm.kernel.write(vm.pid, 2, b"Argument expected for the -c option\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry `python -h' for more information.\n", vm.now);
                return Err(Stop::Exit(2));
            }
            let source = rest.remove(0);
            vm.s.path = vec![".".into()];
            ("<string>".to_owned(), source, "-c".to_owned())
        }
        Some("-m") => {
            let module = if rest.is_empty() { String::new() } else { rest.remove(0) };
            vm.s.path = vec![".".into()];
            let relative = module.replace('.', "/");
            let found = [format!("{relative}.py"), format!("{relative}/__main__.py")]
                .into_iter()
                .find_map(|f| vm.read_file_text(&f).map(|t| (f, t)));
            let Some((file, source)) = found else {
                let text = format!("{}: No module named {module}\n", exec.path);
                let _ = vm.kernel.write(vm.pid, 2, text.as_bytes(), vm.now);
                return Err(Stop::Exit(1));
            };
            let (_, full) = vm.resolve_path(&file);
            (full.clone(), source, full)
        }
        None | Some("-") => {
            vm.s.path = vec![".".into()];
            let argv0 = first.clone().unwrap_or_default();
            ("<stdin>".to_owned(), String::from_utf8_lossy(input).into_owned(), argv0)
        }
        Some(name) => {
            let (_, full) = vm.resolve_path(name);
            let flags = OpenFlags { read: true, ..OpenFlags::default() };
            let text = vm.kernel.open(vm.pid, name, flags, 0, vm.now).and_then(|fd| {
                let uid = vm.kernel.process(vm.pid).map(|p| p.origin.uid).unwrap_or_default();
                let data = vm.kernel.fs.read(uid, &full);
                let _ = vm.kernel.close(vm.pid, fd);
                data
            });
            match text {
                Ok(data) => {
                    let folder = full.rsplit_once('/').map_or("/", |f| f.0).to_owned();
                    vm.s.path = vec![folder];
                    (full, String::from_utf8_lossy(&data).into_owned(), name.to_owned())
                }
                Err(error) => {
                    let typed = exec.argv.first().map_or(exec.path.as_str(), String::as_str);
                    let number = match error {
                        Errno::EACCES => 13,
                        Errno::EISDIR => 21,
                        _ => 2,
                    };
                    let text = if error == Errno::EISDIR {
                        format!("{}: can't find '__main__' module in '{full}'\n", exec.path)
                    } else {
                        format!("{typed}: can't open file '{full}': [Errno {number}] {error}\n")
                    };
                    let _ = vm.kernel.write(vm.pid, 2, text.as_bytes(), vm.now);
                    return Err(Stop::Exit(if error == Errno::EISDIR { 1 } else { 2 }));
                }
            }
        }
    };
    rest.insert(0, argv0);
    vm.s.argv = rest;
    let source = if source.is_empty() { "\n".to_owned() } else { source.replace("\r\n", "\n") };
    let main = main_module(vm);
    if !file.starts_with('<') {
        let shown = vm.text(vm.s.argv[0].clone());
        vm.set_global(main, "__file__", shown);
    }
    let shown = if file.starts_with('<') { file } else { shown_name(&vm.s.argv[0], &file) };
    let unit = vm.load_unit(&shown, &source, SourceMode::File)?;
    vm.push_body(unit, 0, main, OnReturn::End)?;
    Ok(main)
}

/// The name of the program in tracebacks: an absolute path, as in CPython.
fn shown_name(_given: &str, full: &str) -> String {
    full.to_owned()
}

impl PyVm<'_> {
    fn flush_stuck(&mut self) -> PyResult<()> {
        let ids: Vec<u32> = self.s.heap.all().filter(|(_, o)| matches!(o, PyObject::File(f) if !f.out.is_empty() && f.fd.is_some() && (f.out.len() > 8192 || f.by_line))).map(|o| o.0).collect();
        ids.into_iter().try_for_each(|id| self.flush_file(id))
    }

    /// Handles caught signals: the program's handlers run between two operations.
    fn heed(&mut self) -> PyResult<()> {
        while let Some(signal) = self.kernel.take_signal(self.pid) {
            let handler = self.s.handlers.iter().find(|h| h.0 == signal.number()).map(|h| h.1);
            match handler {
                Some(handler) => {
                    if let Err(stop) = self.call_nested(
                        handler,
                        vec![Py::Int(i64::from(signal.number())), Py::None],
                        Vec::new(),
                    ) {
                        self.s.deadline.0 = None;
                        if let Stop::Raise(exception) = stop {
                            self.unwind(exception, 0)?;
                            continue;
                        }
                        return Err(stop);
                    }
                }
                None => {
                    self.s.deadline.0 = None;
                    let exception = self.exception("KeyboardInterrupt", "");
                    self.unwind(exception, 0)?;
                }
            }
        }
        Ok(())
    }

    /// Prints the traceback of a failed program, runs the exit hooks and returns the exit status.
    fn ended(&mut self, result: PyResult) -> Status {
        let hooks = std::mem::take(&mut self.s.exit_hooks);
        let mut status = self.status(result);
        self.fuel = FUEL;
        for hook in hooks.into_iter().rev() {
            if let Err(stop) = self.call_nested(hook, Vec::new(), Vec::new()) {
                status = self.status(Err(stop));
            }
        }
        status
    }

    fn status(&mut self, result: PyResult) -> Status {
        let exception = match result {
            Ok(_) => return Status::Exited(0),
            Err(Stop::Exit(code)) => return Status::Exited(code),
            Err(Stop::Raise(exception)) => exception,
            Err(_) => return Status::Exited(1),
        };
        let out = self.s.stdout;
        let _ = self.flush_file(out);
        if self.is_exception(exception, "SystemExit") {
            let args = self.instance_attr(exception, "args").unwrap_or(Py::None);
            let value = self.items(args).first().copied().unwrap_or(Py::None);
            return match value {
                Py::None => Status::Exited(0),
                Py::Bool(b) => Status::Exited(u8::from(b)),
                Py::Int(n) => Status::Exited(u8::try_from(n & 255).unwrap_or(1)),
                other => {
                    let text = self.str(other).unwrap_or_default();
                    let err = self.s.stderr;
                    let _ = self.write_file(err, format!("{text}\n").as_bytes());
                    Status::Exited(1)
                }
            };
        }
        let text = self.traceback(exception, 0, true);
        let err = self.s.stderr;
        let _ = self.write_file(err, text.as_bytes());
        if self.is_exception(exception, "KeyboardInterrupt") {
            Status::Signaled(Signal::INT)
        } else {
            Status::Exited(1)
        }
    }
}
