//! Process images, and how executing a file creates one.

use base::ids::Pid;
use base::time::Time;
use commands::{self, CommandKind, Running};
use host::fs::{Access, InodeContent};
use host::model::Model;
use host::{Errno, Exec, Kernel, path, scripts};
use python::PythonProcess;
use serde::{Deserialize, Serialize};
use shell::{ShellInput, Vm};
use unix::sleep;

/// The program in a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Image {
    Shell(Box<Vm>),
    /// sleep(1) needs nothing but a wake-up time. Waiting scripts are the most frequent processes.
    Sleep(Time),
    Command(Box<Running>),
    Model(Box<Model>),
    Python(Box<PythonProcess>),
    /// A program of the machine that the simulation runs on, or the near end of a client's pipes.
    #[cfg(feature = "real-host")]
    RealHost,
}

/// Interpreters that are shells.
const SHELLS: [&str; 5] = ["bash", "sh", "dash", "zsh", "ksh"];
/// The first bytes of a binary. Binaries are program models.
const ELF: &[u8] = b"\x7fELF";
/// Maximum number of nested `#!` interpreters.
const MAX_INTERPRETERS: u32 = 4;

/// The result of executing a file.
pub(super) enum Loaded {
    /// An image that runs.
    Image(Image),
    /// The model of the program with this name.
    Model(Exec),
}

/// Executes a file.
pub(super) fn load(kernel: &Kernel, pid: Pid, exec: &Exec, now: Time) -> Result<Loaded, Errno> {
    load_at_depth(kernel, pid, exec, now, 0)
}

fn load_at_depth(kernel: &Kernel, pid: Pid, exec: &Exec, now: Time, depth: u32) -> Result<Loaded, Errno> {
    let uid = kernel.process(pid).ok_or(Errno::ESRCH)?.origin.uid;
    #[cfg(feature = "real-host")]
    if kernel.fs.lookup(uid, &exec.path).is_err() {
        let text = kernel.fs.read(uid, &exec.path)?;
        kernel.fs.access(uid, &exec.path, Access::Exec)?;
        return execute_text(kernel, pid, exec, now, depth, &text);
    }
    let ino = kernel.fs.lookup(uid, &exec.path)?;
    kernel.fs.permit(uid, ino, Access::Exec)?;
    let inode = kernel.fs.inode(ino).ok_or(Errno::ENOENT)?;
    let text: &[u8] = match &inode.node {
        InodeContent::Program(name) => {
            return match module_of(name, exec).filter(|_| depth < MAX_INTERPRETERS) {
                Some(next) => load_at_depth(kernel, pid, &next, now, depth + 1),
                None => Ok(program(kernel, pid, name, exec, now)),
            };
        }
        InodeContent::File(text) => text,
        InodeContent::Script(name) => scripts::text(name),
        InodeContent::Dir(_) | InodeContent::Hosts(_) | InodeContent::Link(_) | InodeContent::Device(_) => {
            return Err(Errno::EACCES);
        }
    };
    execute_text(kernel, pid, exec, now, depth, text)
}

/// Executes a file that is not a built-in program.
fn execute_text(
    kernel: &Kernel,
    pid: Pid,
    exec: &Exec,
    now: Time,
    depth: u32,
    text: &[u8],
) -> Result<Loaded, Errno> {
    if text.starts_with(ELF) {
        return Ok(Loaded::Model(exec.clone()));
    }
    let uid = kernel.process(pid).ok_or(Errno::ESRCH)?.origin.uid;
    let Some((interpreter, argument)) = shebang(text) else {
        return Ok(script(text.to_vec(), exec, ""));
    };
    let base = path::base_name(&interpreter);
    // `#!/usr/bin/env -S bash -e` has several words.
    let words = argument.as_deref().unwrap_or_default();
    let words: Vec<&str> = match words.strip_prefix("-S ").filter(|_| base == "env") {
        Some(several) => several.split_whitespace().collect(),
        None => vec![words],
    };
    let (target, options) = match words.split_first() {
        Some((named, options)) if base == "env" => (*named, options),
        Some(_) | None => (base, words.as_slice()),
    };
    let target = target.to_owned();
    let options = options.join(" ");
    if SHELLS.contains(&target.as_str()) {
        return Ok(script(text.to_vec(), exec, &options));
    }
    if depth >= MAX_INTERPRETERS {
        return Err(Errno::ELOOP);
    }
    let full = if base == "env" { format!("/usr/bin/{target}") } else { interpreter.clone() };
    let missing = base == "env" && kernel.fs.lookup(uid, &full).is_err();
    let full = if missing { interpreter.clone() } else { full };
    let mut argv: Vec<String> = missing.then_some(interpreter).into_iter().collect();
    argv.push(target);
    argv.extend(Some(options).filter(|options| !options.is_empty()));
    argv.push(exec.path.clone());
    argv.extend(exec.argv.iter().skip(1).cloned());
    let next = Exec { path: full, argv, env: exec.env.clone() };
    load_at_depth(kernel, pid, &next, now, depth + 1)
}

/// `python -m pip` and similar modules are programs of their own.
fn module_of(name: &str, exec: &Exec) -> Option<Exec> {
    let [_, option, module, rest @ ..] = exec.argv.as_slice() else { return None };
    if !name.starts_with("python") || option != "-m" {
        return None;
    }
    let program = match module.as_str() {
        "pip" => "pip",
        "venv" | "virtualenv" => "virtualenv",
        "torch.distributed.run" | "torch.distributed.launch" => "torchrun",
        "pytest" | "unittest" => "pytest",
        "tensorboard" => "tensorboard",
        "jupyter" | "notebook" => "jupyter",
        _ => return None,
    };
    let argv = std::iter::once(program.to_owned()).chain(rest.iter().cloned()).collect();
    Some(Exec { path: format!("/usr/bin/{program}"), argv, env: exec.env.clone() })
}

fn program(kernel: &Kernel, pid: Pid, name: &str, exec: &Exec, now: Time) -> Loaded {
    if name == "sleep"
        && let Some(span) = sleep::total(exec.argv.get(1..).unwrap_or_default())
    {
        return Loaded::Image(Image::Sleep(now + span));
    }
    match commands::find(name).map(|c| c.kind) {
        Some(CommandKind::Unix(unix::UnixCommand { kind: unix::UnixCommandKind::Shell, .. })) => {
            Loaded::Image(Image::Shell(Box::new(shell(kernel, pid, exec))))
        }
        Some(CommandKind::Model) => Loaded::Model(exec.clone()),
        Some(
            CommandKind::Unix(_) | CommandKind::Once(_) | CommandKind::Machine(_) | CommandKind::Script(_),
        )
        | None => Loaded::Image(Image::Command(Box::new(Running::new(name, exec.clone())))),
    }
}

/// A script with its interpreter's `options`; `$0` is the path as it was executed.
fn script(text: Vec<u8>, exec: &Exec, options: &str) -> Loaded {
    let named = exec.argv.first().filter(|name| name.contains('/'));
    let mut args = vec![named.unwrap_or(&exec.path).clone()];
    args.extend(exec.argv.iter().skip(1).cloned());
    let mut vm = Vm::new(ShellInput::Script(text), args, &exec.env);
    if options.starts_with('-') {
        vm.option_letters_of(options);
        if options == "--login" || !options.starts_with("--") && options.contains('l') {
            vm.as_login();
        }
    }
    Loaded::Image(Image::Shell(Box::new(vm)))
}

/// The parsed arguments of a `bash` command line.
#[derive(Default)]
struct ShellWords {
    login: bool,
    interactive: bool,
    /// `-c`
    text: bool,
    /// `-s`
    stdin: bool,
    /// `-eu`, `+x`
    letters: Vec<String>,
    /// `-o name`, `-O name`: the name, whether it belongs to `shopt`, and whether it is switched on.
    named: Vec<(String, bool, bool)>,
    operands: Vec<String>,
    /// `--rcfile FILE`
    rcfile: Option<String>,
    /// An invalid option.
    wrong: Option<String>,
}

impl ShellWords {
    /// `bash [-l] [-eux] [-o name] [-O name] [-c TEXT [name args...]] [file [args...]]`
    fn read(argv: &[String]) -> Self {
        let mut words = Self { login: argv.first().is_some_and(|a| a.starts_with('-')), ..Self::default() };
        let mut rest = argv.iter().skip(1);
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "--login" => words.login = true,
                "--" | "-" => break,
                "--rcfile" | "--init-file" => words.rcfile = rest.next().cloned(),
                long if long.starts_with("--") => {}
                short if short.starts_with(['-', '+']) && short.len() > 1 => {
                    let on = short.starts_with('-');
                    words.login |= short.contains('l');
                    words.interactive |= short.contains('i');
                    words.text |= short.contains('c');
                    words.stdin |= short.contains('s');
                    for letter in short.chars().filter(|c| matches!(c, 'o' | 'O')) {
                        words.named.extend(rest.next().map(|name| (name.clone(), letter == 'O', on)));
                    }
                    let unknown = short.chars().skip(1).find(|c| !"abefhkmnptuvxBCEHPTilrsDcoO".contains(*c));
                    words.wrong = words.wrong.or_else(|| unknown.map(|c| format!("-{c}: invalid option")));
                    words.letters.push(short.to_owned());
                }
                operand => {
                    words.operands.push(operand.to_owned());
                    break;
                }
            }
        }
        words.operands.extend(rest.cloned());
        words
    }
}

fn shell(kernel: &Kernel, pid: Pid, exec: &Exec) -> Vm {
    let words = ShellWords::read(&exec.argv);
    let name = exec.argv.first().cloned().unwrap_or_default();
    let mut operands = words.operands;
    if words.text && operands.is_empty() {
        return refusal(&format!("{name}: -c: option requires an argument"), 2, exec);
    }
    if let Some(wrong) = words.wrong {
        return refusal(&format!("{name}: {wrong}"), 2, exec);
    }
    let mut vm = if words.text {
        let command = if operands.is_empty() { String::new() } else { operands.remove(0) };
        let args = if operands.is_empty() { vec![name] } else { operands };
        let mut vm = Vm::new(ShellInput::Text(command), args, &exec.env);
        if words.interactive {
            vm.with_rcfile(words.rcfile.unwrap_or_else(|| "~/.bashrc".to_owned()));
        }
        vm
    } else if let Some(file) = operands.first().filter(|_| !words.stdin) {
        from_file(kernel, pid, file, &operands, exec)
    } else {
        let interactive = words.interactive || !words.stdin && kernel.fd_tty(pid, 0).is_some();
        let source =
            if interactive { ShellInput::Interactive { login: words.login } } else { ShellInput::Stdin };
        let args = std::iter::once(name).chain(operands).collect();
        Vm::new(source, args, &exec.env)
    };
    words.letters.iter().for_each(|letters| vm.option_letters_of(letters));
    for (option, shopt, on) in &words.named {
        if !vm.named_option(option, *shopt, *on) {
            let name = exec.argv.first().map_or("bash", String::as_str);
            return refusal(&format!("{name}: line 0: {name}: {option}: invalid option name"), 2, exec);
        }
    }
    if words.login {
        vm.as_login();
    }
    vm
}

fn from_file(kernel: &Kernel, pid: Pid, file: &str, operands: &[String], exec: &Exec) -> Vm {
    let process = kernel.process(pid);
    let uid = process.map(|p| p.origin.uid).unwrap_or_default();
    let full = path::resolve(process.map_or("/", |p| &*p.cwd), file);
    let content = if file.is_empty() { Err(Errno::ENOENT) } else { kernel.fs.read(uid, &full) };
    match content {
        Ok(text) => Vm::new(ShellInput::Script(text.to_vec()), operands.to_vec(), &exec.env),
        Err(error) => {
            let name = exec.argv.first().map_or("bash", String::as_str);
            let name =
                if error == Errno::EISDIR { &format!("{file}: {file}") } else { &format!("{name}: {file}") };
            let code = if error == Errno::ENOENT { 127 } else { 126 };
            refusal(&format!("{name}: {error}"), code, exec)
        }
    }
}

/// A shell that only prints an error message and exits.
fn refusal(message: &str, code: u8, exec: &Exec) -> Vm {
    let quoted = message.replace('\'', "'\\''");
    let text = format!("echo '{quoted}' >&2; exit {code}");
    Vm::new(ShellInput::Text(text), vec!["bash".to_owned()], &exec.env)
}

/// Interpreter and argument of `#!/usr/bin/env python3`.
fn shebang(text: &[u8]) -> Option<(String, Option<String>)> {
    let line = text.split(|b| *b == b'\n').next()?.strip_prefix(b"#!")?;
    let line = String::from_utf8_lossy(line).into_owned();
    let line = line.trim();
    let (interpreter, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let argument = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
    (!interpreter.is_empty()).then(|| (interpreter.to_owned(), argument))
}
