//! slurmstepd's work before a task if the site has a `TaskProlog`. It runs that program as the job's owner,
//! applies its output (`export NAME=value`, `unset NAME`, `print text`) and becomes the task.
//!
//! Mirrors prolog_epilog.html.

use crate::{CommandMachine, Cx, STDIN, STDOUT};
use base::ids::Pid;
use host::kernel::{OpenFlags, ProcessTarget};
use host::{Env, Errno, Exec, Fd, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use shell::Born;
use std::sync::Arc;

/// Maximum number of bytes read from a program's output.
const MAX_OUTPUT: usize = 1 << 20;

/// slurmstepd between the prologs of a task and the task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stepd {
    /// Remaining programs, the next one last.
    before: Vec<String>,
    running: Option<Prolog>,
    task: Exec,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Prolog {
    pid: Pid,
    out: Option<Fd>,
    said: Vec<u8>,
    status: Option<Status>,
}

/// Starts slurmstepd.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let at = cx.argv.iter().position(|a| a == "--").filter(|at| at + 2 < cx.argv.len());
    let Some(at) = at else {
        cx.complain("slurmstepd: error: it is started by slurmd, for a step");
        return CommandMachine::End(1);
    };
    let before = cx.argv[1..at].iter().rev().cloned().collect();
    let task = Exec {
        path: cx.argv[at + 1].clone(),
        argv: cx.argv[at + 2..].to_vec(),
        env: Arc::new(cx.env.clone()),
    };
    CommandMachine::Stepd(Box::new(Stepd { before, running: None, task }))
}

impl Stepd {
    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        loop {
            if let Some(prolog) = &mut self.running {
                if let Some(wait) = prolog.listen(cx) {
                    return SliceEnd::Wait(wait);
                }
                if let Some(code) = self.take_over(cx) {
                    return SliceEnd::Exit(Status::Exited(code));
                }
            }
            let Some(program) = self.before.pop() else { return SliceEnd::Exec(self.task.clone()) };
            match self.launch(cx, &program) {
                Ok(prolog) => self.running = Some(prolog),
                Err(errno) => {
                    let stamp = cx.now.iso_millis();
                    cx.complain(&format!("[{stamp}] error: Could not run TaskProlog [{program}]: {errno}"));
                }
            }
        }
    }

    fn launch(&self, cx: &mut Cx, program: &str) -> Result<Prolog, Errno> {
        let path = cx.which(program)?;
        let (read, write) = cx.kernel.pipe(cx.pid)?;
        cx.kernel.set_cloexec(cx.pid, read, true);
        let child = cx.kernel.fork(cx.pid, cx.now)?;
        cx.kernel.dup2(child, write, STDOUT)?;
        cx.kernel.close(child, write)?;
        cx.kernel.close(cx.pid, write)?;
        let from = OpenFlags { read: true, ..OpenFlags::default() };
        if let Ok(null) = cx.kernel.open(child, "/dev/null", from, 0, cx.now) {
            cx.kernel.dup2(child, null, STDIN)?;
            cx.kernel.close(child, null)?;
        }
        let exec = Exec { path, argv: vec![program.to_owned()], env: Arc::clone(&self.task.env) };
        cx.born.push((child, Born::Exec(exec)));
        Ok(Prolog { pid: child, out: Some(read), said: Vec::new(), status: None })
    }

    /// Applies the output of a finished program. A failure ends the task.
    fn take_over(&mut self, cx: &mut Cx) -> Option<u8> {
        let prolog = self.running.take()?;
        let code = prolog.status.map_or(0, Status::shell_code);
        if code != 0 {
            let stamp = cx.now.iso_millis();
            cx.complain(&format!("[{stamp}] error: TaskProlog failed status={code}"));
            return Some(code);
        }
        let text = String::from_utf8_lossy(&prolog.said).into_owned();
        let printed = apply_lines(&text, Arc::make_mut(&mut self.task.env));
        cx.print(&printed);
        None
    }
}

impl Prolog {
    /// Reads the program's output. Returns what to wait for until it ends.
    fn listen(&mut self, cx: &mut Cx) -> Option<Wait> {
        while let Some(fd) = self.out {
            match cx.kernel.read(cx.pid, fd, 65_536) {
                Ok(data) if data.is_empty() => self.close(cx, fd),
                Ok(data) if self.said.len() < MAX_OUTPUT => self.said.extend_from_slice(&data),
                Ok(_) => {}
                Err(Errno::EAGAIN) => return Some(Wait::Any(vec![Wait::Readable(fd), Wait::Child])),
                Err(_) => self.close(cx, fd),
            }
        }
        while self.status.is_none() {
            match cx.kernel.wait(cx.pid, ProcessTarget::Process(self.pid)) {
                Ok(Some((_, status))) => self.status = Some(status),
                Ok(None) => return Some(Wait::Child),
                Err(_) => self.status = Some(Status::Exited(0)),
            }
        }
        None
    }

    fn close(&mut self, cx: &mut Cx, fd: Fd) {
        let _ = cx.kernel.close(cx.pid, fd);
        self.out = None;
    }
}

/// Applies the lines to the environment. Returns the text to print.
fn apply_lines(text: &str, env: &mut Env) -> String {
    let mut printed = String::new();
    for line in text.lines() {
        let line = line.trim_start();
        if let Some((name, value)) = line.strip_prefix("export ").and_then(|l| l.trim_start().split_once('='))
        {
            env.insert(name.trim_end().to_owned(), value.to_owned());
        } else if let Some(name) = line.strip_prefix("unset ") {
            env.remove(name.trim());
        } else if let Some(said) = line.strip_prefix("print ") {
            printed.push_str(said);
            printed.push('\n');
        }
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_task_prolog() {
        let mut env = Env::from([("OLD".to_owned(), "1".to_owned()), ("A".to_owned(), "0".to_owned())]);
        let text = "export A=b=c d\nprint hello  there\nunset OLD\nnothing\n  export B=\n";
        assert_eq!(apply_lines(text, &mut env), "hello  there\n");
        assert_eq!(
            env.into_iter().collect::<Vec<_>>(),
            [("A".into(), "b=c d".into()), ("B".into(), String::new())]
        );
    }
}
