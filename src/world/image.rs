//! What a process runs, and how a file becomes that.

use crate::base::ids::Pid;
use crate::commands::{self, Kind, Running};
use crate::host::fs::{Access, Node};
use crate::host::model::{Model, Setting};
use crate::host::{Errno, Exec, Kernel, path};
use crate::shell::{Source, Vm};
use serde::{Deserialize, Serialize};

/// A program in a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Image {
    Shell(Box<Vm>),
    Command(Box<Running>),
    Model(Box<Model>),
}

/// Interpreters that are shells.
const SHELLS: [&str; 5] = ["bash", "sh", "dash", "zsh", "ksh"];
/// What binaries begin with; they are models.
const ELF: &[u8] = b"\x7fELF";
/// How often a `#!` may lead to another script.
const MAX_INTERPRETERS: u32 = 4;

/// What executing a file gives.
pub(super) fn load(kernel: &Kernel, pid: Pid, exec: &Exec, setting: Setting) -> Result<Image, Errno> {
    load_at_depth(kernel, pid, exec, setting, 0)
}

fn load_at_depth(
    kernel: &Kernel,
    pid: Pid,
    exec: &Exec,
    setting: Setting,
    depth: u32,
) -> Result<Image, Errno> {
    let uid = kernel.process(pid).ok_or(Errno::ESRCH)?.origin.uid;
    let ino = kernel.fs.lookup(uid, &exec.path)?;
    kernel.fs.access(uid, &exec.path, Access::Exec)?;
    let inode = kernel.fs.inode(ino).ok_or(Errno::ENOENT)?;
    match &inode.node {
        Node::Program(name) => Ok(program(kernel, pid, name, exec, setting)),
        Node::File(text) if text.starts_with(ELF) => Ok(model(kernel, pid, exec, setting)),
        Node::File(text) => {
            let Some((interpreter, argument)) = shebang(text) else {
                return Ok(script(text.to_vec(), exec));
            };
            let base = path::base_name(&interpreter);
            let target = if base == "env" { argument.clone().unwrap_or_default() } else { base.to_owned() };
            if SHELLS.contains(&target.as_str()) {
                return Ok(script(text.to_vec(), exec));
            }
            if depth >= MAX_INTERPRETERS {
                return Err(Errno::ELOOP);
            }
            let mut argv = vec![target.clone()];
            argv.push(exec.path.clone());
            argv.extend(exec.argv.iter().skip(1).cloned());
            let full = if base == "env" { format!("/usr/bin/{target}") } else { interpreter };
            let next = Exec { path: full, argv, env: exec.env.clone() };
            load_at_depth(kernel, pid, &next, setting, depth + 1)
        }
        Node::Dir(_) | Node::Hosts(_) | Node::Link(_) | Node::Device(_) => Err(Errno::EACCES),
    }
}

fn model(kernel: &Kernel, pid: Pid, exec: &Exec, setting: Setting) -> Image {
    Image::Model(Box::new(Model::start(kernel, pid, exec, setting)))
}

fn program(kernel: &Kernel, pid: Pid, name: &str, exec: &Exec, setting: Setting) -> Image {
    match commands::find(name).map(|c| c.kind) {
        Some(Kind::Shell) => Image::Shell(Box::new(shell(kernel, pid, exec))),
        Some(Kind::Model) => model(kernel, pid, exec, setting),
        Some(Kind::Once(_) | Kind::Filter { .. } | Kind::Machine(_) | Kind::NotSimulated) | None => {
            Image::Command(Box::new(Running::new(name, exec.clone())))
        }
    }
}

fn script(text: Vec<u8>, exec: &Exec) -> Image {
    let mut args = vec![exec.path.clone()];
    args.extend(exec.argv.iter().skip(1).cloned());
    Image::Shell(Box::new(Vm::new(Source::Script(text), args, &exec.env)))
}

/// `bash [-l] [-c TEXT [name args...]] [file [args...]]`; other options are taken and ignored.
fn shell(kernel: &Kernel, pid: Pid, exec: &Exec) -> Vm {
    let mut login = exec.argv.first().is_some_and(|a| a.starts_with('-'));
    let mut interactive = false;
    let mut text = false;
    let mut rest = exec.argv.iter().skip(1);
    let mut operands: Vec<String> = Vec::new();
    for arg in rest.by_ref() {
        match arg.as_str() {
            "--login" => login = true,
            "--" => break,
            long if long.starts_with("--") => {}
            short if short.len() > 1 && (short.starts_with('-') || short.starts_with('+')) => {
                login |= short.contains('l');
                interactive |= short.contains('i');
                text |= short.contains('c');
            }
            operand => {
                operands.push(operand.to_owned());
                break;
            }
        }
    }
    operands.extend(rest.cloned());
    let name = exec.argv.first().cloned().unwrap_or_default();
    if text {
        let command = if operands.is_empty() { String::new() } else { operands.remove(0) };
        let args = if operands.is_empty() { vec![name] } else { operands };
        return Vm::new(Source::Text(command), args, &exec.env);
    }
    if let Some(file) = operands.first() {
        return from_file(kernel, pid, file, &operands, exec);
    }
    let source = if interactive || kernel.fd_tty(pid, 0).is_some() {
        Source::Interactive { login }
    } else {
        Source::Stdin
    };
    Vm::new(source, vec![name], &exec.env)
}

fn from_file(kernel: &Kernel, pid: Pid, file: &str, operands: &[String], exec: &Exec) -> Vm {
    let process = kernel.process(pid);
    let uid = process.map(|p| p.origin.uid).unwrap_or_default();
    let full = path::resolve(process.map_or("/", |p| p.cwd.as_str()), file);
    match kernel.fs.read(uid, &full) {
        Ok(text) => Vm::new(Source::Script(text.to_vec()), operands.to_vec(), &exec.env),
        Err(error) => {
            let name = exec.argv.first().map_or("bash", String::as_str);
            let code = if error == Errno::ENOENT { 127 } else { 126 };
            let quoted = format!("{name}: {file}: {error}").replace('\'', "'\\''");
            Vm::new(
                Source::Text(format!("echo '{quoted}' >&2; exit {code}")),
                vec![name.to_owned()],
                &exec.env,
            )
        }
    }
}

/// `#!/usr/bin/env python3`: interpreter and its argument.
fn shebang(text: &[u8]) -> Option<(String, Option<String>)> {
    let line = text.split(|b| *b == b'\n').next()?.strip_prefix(b"#!")?;
    let line = String::from_utf8_lossy(line).into_owned();
    let mut words = line.split_whitespace();
    let interpreter = words.next()?.to_owned();
    Some((interpreter, words.next().map(ToOwned::to_owned)))
}
