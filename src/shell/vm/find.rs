//! Finds programs along `PATH`.

use super::Vm;
use super::stack::SimpleCommand;
use super::start::looks_binary;
use crate::ShellContext;
use crate::expand::escape::visible;
use host::fs::{Access, Ino, InodeContent};
use host::path::join;
use host::{Errno, path};

/// Why a program was not found.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub message: String,
    pub status: u8,
}

impl Vm {
    /// The path of a program for a command; respects a `PATH=` before the command.
    pub(super) fn find_for(
        &mut self,
        cx: &mut ShellContext,
        name: &str,
        command: &SimpleCommand,
    ) -> Result<String, Missing> {
        let own = command.assigns.iter().rev().find(|a| a.name == "PATH").map(|a| match &a.value {
            super::stack::Given::Text(text) => text.clone(),
            super::stack::Given::Array(_) => String::new(),
        });
        if let Some(list) = own {
            return Self::find_in(cx, name, &list);
        }
        if let Some(path) = self.recall(cx, name) {
            return Ok(path);
        }
        let list = self.var("PATH").unwrap_or_default().to_owned();
        let path = Self::find_in(cx, name, &list)?;
        self.memorise(name, &path);
        Ok(path)
    }

    /// The path of a program.
    pub(crate) fn find_program(&mut self, cx: &mut ShellContext, name: &str) -> Result<String, Missing> {
        let list = self.var("PATH").unwrap_or("/usr/bin:/bin").to_owned();
        Self::find_in(cx, name, &list)
    }

    fn find_in(cx: &ShellContext, name: &str, list: &str) -> Result<String, Missing> {
        let missing = |message: String, status| Err(Missing { message, status });
        // With an empty `PATH`, bash reports the error of exec.
        let what = if list.is_empty() && !name.is_empty() {
            Errno::ENOENT.to_string()
        } else {
            "command not found".into()
        };
        let not_found = || missing(format!("{}: {what}", visible(name)), 127);
        let Some(process) = cx.kernel.process(cx.pid) else { return not_found() };
        let (uid, cwd) = (process.origin.uid, process.cwd.clone());
        if name.contains('/') {
            let full = path::resolve(&cwd, name);
            let seen = join(&cwd, name);
            return match cx.kernel.fs.lookup(uid, &seen) {
                Err(error) => {
                    missing(format!("{name}: {error}"), if error == Errno::ENOENT { 127 } else { 126 })
                }
                Ok(ino) if is_dir(cx, ino) => missing(format!("{name}: Is a directory"), 126),
                Ok(ino) => match cx.kernel.fs.permit(uid, ino, Access::Exec) {
                    Err(error) => missing(format!("{name}: {error}"), 126),
                    Ok(()) => interpreter(cx, uid, name, ino).map(|()| full),
                },
            };
        }
        let mut denied = None;
        for directory in list.split(':').filter(|_| !name.is_empty()) {
            let directory = if directory.is_empty() { "." } else { directory };
            let candidate = join(&cwd, &[directory, "/", name].concat());
            match cx.kernel.fs.lookup(uid, &candidate) {
                Ok(ino) if !is_dir(cx, ino) => {
                    if cx.kernel.fs.permit(uid, ino, Access::Exec).is_ok() {
                        interpreter(cx, uid, name, ino)?;
                        return Ok(path::resolve("/", &candidate));
                    }
                    denied = Some(candidate);
                }
                Ok(_) | Err(_) => {}
            }
        }
        match denied {
            Some(path) => missing(format!("{path}: Permission denied"), 126),
            None => not_found(),
        }
    }
}

fn is_dir(cx: &ShellContext, ino: Ino) -> bool {
    cx.kernel
        .fs
        .inode(ino)
        .is_some_and(|inode| matches!(inode.node, InodeContent::Dir(_) | InodeContent::Hosts(_)))
}

/// Checks that a script's interpreter exists, and that a file without `#!` is text.
fn interpreter(cx: &ShellContext, uid: base::ids::Uid, name: &str, ino: Ino) -> Result<(), Missing> {
    let Some(InodeContent::File(data)) = cx.kernel.fs.inode(ino).map(|i| &i.node) else { return Ok(()) };
    let Some(line) = data.strip_prefix(b"#!") else {
        if looks_binary(data) {
            let message = format!("{name}: cannot execute binary file: Exec format error");
            return Err(Missing { message, status: 126 });
        }
        return Ok(());
    };
    let line = line.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line.get(..line.len().min(255)).unwrap_or_default()).into_owned();
    let program = line.split([' ', '\t']).find(|word| !word.is_empty()).unwrap_or_default();
    match cx.kernel.fs.stat(uid, program) {
        Ok(_) => Ok(()),
        Err(Errno::ENOENT) => {
            let message = format!("{name}: cannot execute: required file not found");
            Err(Missing { message, status: 127 })
        }
        Err(error) => {
            Err(Missing { message: format!("{name}: {program}: bad interpreter: {error}"), status: 126 })
        }
    }
}
