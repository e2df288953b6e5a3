//! The start of a process: reads the command line of `python`, and loads the program that it names.

use super::compile::SourceMode;
use super::frame::OnReturn;
use super::value::{Py, PyFile, PyObject};
use super::vm::{PyResult, PyState, PyVm, Stop};
use host::kernel::OpenFlags;
use host::signal::Disposition;
use host::{Errno, Exec, Signal};
use std::sync::Mutex;

/// Whether the program comes on standard input.
pub(super) fn reads_program(exec: &Exec) -> bool {
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

/// Reads the command line and loads the program, unless a prompt asks for it: the main module.
pub(super) fn start(vm: &mut PyVm<'_>, exec: &Exec, input: Option<&[u8]>) -> PyResult<u32> {
    vm.s.started = vm.now;
    vm.s.env = exec.env.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    vm.s.program.clone_from(&exec.path);
    vm.kernel.set_disposition(vm.pid, Signal::PIPE, Disposition::Ignore);
    vm.kernel.set_disposition(vm.pid, Signal::INT, Disposition::Catch);
    let unbuffered = exec.argv.iter().skip(1).take_while(|a| a.starts_with('-')).any(|a| a.starts_with("-u"))
        || exec.env.get("PYTHONUNBUFFERED").is_some_and(|v| !v.is_empty());
    let begun = std::mem::take(vm.s);
    *vm.s = begin(vm)?;
    (vm.s.started, vm.s.env, vm.s.program) = (begun.started, begun.env, begun.program);
    for (fd, id) in (0..).zip([vm.s.stdin, vm.s.stdout, vm.s.stderr]) {
        let lines = fd == 2 || unbuffered || vm.kernel.fd_tty(vm.pid, fd).is_some();
        if let PyObject::File(file) = vm.obj_mut(id) {
            file.by_line = lines;
        }
    }
    match input {
        Some(input) => program(vm, exec, input),
        None => {
            vm.s.argv = vec![String::new()];
            vm.s.path = vec![".".into()];
            Ok(main_module(vm))
        }
    }
}

/// The state in which every process begins: the standard files and the built-in names. It is made once.
fn begin(vm: &mut PyVm<'_>) -> PyResult<PyState> {
    static BEGIN: Mutex<Option<PyState>> = Mutex::new(None);
    if let Some(state) = BEGIN.lock().ok().and_then(|state| state.clone()) {
        return Ok(state);
    }
    let streams = [("<stdin>", 0), ("<stdout>", 1), ("<stderr>", 2)].map(|(name, fd)| {
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
            by_line: false,
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
    vm.collect();
    let state = std::mem::take(vm.s);
    if let Ok(mut known) = BEGIN.lock() {
        *known = Some(state.clone());
    }
    Ok(state)
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
