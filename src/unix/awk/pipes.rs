//! awk's files and commands: `getline`, `"cmd" | getline`, `print | "cmd"`, `system`, `close`, and the streams
//! still open at the end.

use super::machine::{Awk, Flow};
use super::op::{Source, slot};
use super::reader::{Fetched, RecordReader};
use super::value::AwkValue;
use crate::{Cx, STDOUT};
use base::ids::Pid;
use host::kernel::ProcessTarget;
use host::{Errno, Fd, SliceEnd, Status, Wait};
use std::sync::Arc;

/// Prefix that distinguishes the names of pipes from those of files.
const PIPE: char = '|';

impl Awk {
    /// Starts `sh -c command` with a pipe from it (`true`) or to it. Returns the child and the other end of the
    /// pipe.
    fn start(&mut self, cx: &mut Cx, command: &str, pipe: Option<bool>) -> Result<(Pid, Fd), Errno> {
        // Earlier output must be written before the command can print anything.
        self.flushed = u64::try_from(cx.out.len()).unwrap_or(0);
        let words = ["sh", "-c", command].map(str::to_owned);
        let exec = cx.exec_of(&words, Arc::new(cx.env.clone()))?;
        let child = cx.spawn(exec)?;
        let Some(from) = pipe else { return Ok((child, 0)) };
        let (read, write) = cx.kernel.pipe(cx.pid)?;
        let (ours, theirs, to) = if from { (read, write, 1) } else { (write, read, 0) };
        cx.kernel.give_fd(cx.pid, theirs, child, to)?;
        cx.kernel.close(cx.pid, theirs)?;
        cx.kernel.set_cloexec(cx.pid, ours, true);
        Ok((child, ours))
    }

    /// `system(command)`: the command stays on the stack until it ends.
    pub(super) fn system(&mut self, cx: &mut Cx) -> Flow {
        if self.child.is_some() {
            return self.wait_for_child(cx);
        }
        let command = self.stack.last().cloned().unwrap_or_default();
        match self.start(cx, &self.text(&command), None) {
            Ok((child, _)) => {
                self.child = Some(child);
                Flow::Wait(Wait::Child)
            }
            Err(_) => self.result(-1.0),
        }
    }

    /// `close(name)`: for a pipe it waits until the command ends.
    pub(super) fn close(&mut self, cx: &mut Cx) -> Flow {
        if self.child.is_some() {
            return self.wait_for_child(cx);
        }
        let name = self.stack.last().cloned().unwrap_or_default();
        let name = self.text(&name);
        let piped = format!("{PIPE}{name}");
        let mut known = false;
        for name in [&name, &piped] {
            if let Some(fd) = self.outputs.remove(name) {
                known |= cx.kernel.close(cx.pid, fd).is_ok();
            }
            if let Some(mut reader) = self.inputs.remove(name) {
                reader.close(cx);
                known = true;
            }
        }
        if let Some(at) = self.pipes.iter().position(|(name, ..)| *name == piped) {
            let (_, child, fd) = self.pipes.remove(at);
            // A pipe to a command was already closed as an output.
            let _ = cx.kernel.close(cx.pid, fd);
            self.child = Some(child);
            return self.wait_for_child(cx);
        }
        self.result(if known { 0.0 } else { -1.0 })
    }

    fn wait_for_child(&mut self, cx: &mut Cx) -> Flow {
        let Some(child) = self.child else { return self.result(-1.0) };
        let code = match cx.kernel.wait(cx.pid, ProcessTarget::Process(child)) {
            Ok(None) => return Flow::Wait(Wait::Child),
            Ok(Some((_, Status::Exited(code)))) => f64::from(code),
            Ok(Some((_, Status::Signaled(signal)))) => f64::from(256 + u32::from(signal.number())),
            Err(_) => -1.0,
        };
        self.child = None;
        self.result(code)
    }

    /// Replaces the only argument of a function by its result.
    fn result(&mut self, value: f64) -> Flow {
        self.pop();
        self.push(AwkValue::Number(value));
        Flow::On
    }

    /// Reads a record for `getline`.
    pub(super) fn getline_from(&mut self, cx: &mut Cx, source: Source) -> Fetched {
        match source {
            Source::Main => self.fetch(cx),
            Source::Command | Source::File => {
                let name = self.stack.last().cloned().unwrap_or_default();
                let name = self.text(&name);
                let separator = self.store.special(slot::RS);
                if source == Source::Command {
                    return self.getline_command(cx, &name, &separator);
                }
                let mut reader = match self.inputs.remove(&name) {
                    Some(reader) => reader,
                    None => RecordReader::new(std::slice::from_ref(&name)),
                };
                let fetched = reader.next(cx, &separator);
                if !matches!(fetched, Fetched::Failed(..)) {
                    self.inputs.insert(name, reader);
                }
                fetched
            }
        }
    }

    /// The next record from a command's output.
    fn getline_command(&mut self, cx: &mut Cx, command: &str, separator: &str) -> Fetched {
        let name = format!("{PIPE}{command}");
        let mut reader = match self.inputs.remove(&name) {
            Some(reader) => reader,
            None => match self.start(cx, command, Some(true)) {
                Ok((child, fd)) => {
                    self.pipes.push((name.clone(), child, fd));
                    RecordReader::new(&[format!("/dev/fd/{fd}")])
                }
                Err(errno) => return Fetched::Failed(command.to_owned(), errno),
            },
        };
        let fetched = reader.next(cx, separator);
        self.inputs.insert(name, reader);
        fetched
    }

    /// `print | "command"`
    pub(super) fn print_to(&mut self, cx: &mut Cx, command: &str, text: &str) -> Flow {
        let name = format!("{PIPE}{command}");
        let fd = match self.outputs.get(&name) {
            Some(fd) => *fd,
            None => match self.start(cx, command, Some(false)) {
                Ok((child, fd)) => {
                    self.outputs.insert(name.clone(), fd);
                    self.pipes.push((name, child, fd));
                    fd
                }
                Err(errno) => {
                    return Flow::Fatal(format!("cannot open pipe `{command}' for output: {errno}"));
                }
            },
        };
        self.unsent.push((fd, text.as_bytes().to_vec()));
        self.send(cx);
        Flow::On
    }

    /// Writes pending output to commands. Waits if a command is slow.
    pub(super) fn send(&mut self, cx: &mut Cx) -> Option<Wait> {
        while let Some((fd, data)) = self.unsent.first_mut() {
            let fd = *fd;
            match cx.kernel.write(cx.pid, fd, data, cx.now) {
                Ok(n) if n < data.len() => drop(data.drain(..n)),
                Err(Errno::EAGAIN) => return Some(Wait::Writable(fd)),
                // A command that no longer reads gets nothing.
                Ok(_) | Err(_) => drop(self.unsent.remove(0)),
            }
        }
        None
    }

    /// At the end: closes open streams, and waits for commands that read from us.
    pub(super) fn finish(&mut self, cx: &mut Cx, code: u8) -> SliceEnd {
        if let Some(wait) = self.send(cx) {
            return SliceEnd::Wait(wait);
        }
        // Standard output is written last, unless it is a terminal.
        if !self.pipes.is_empty() && !cx.is_tty(STDOUT) {
            let from = usize::try_from(self.flushed).unwrap_or(0).min(cx.out.len());
            self.held.extend(cx.out.split_off(from));
            self.flushed = 0;
        }
        for fd in std::mem::take(&mut self.outputs).into_values() {
            let _ = cx.kernel.close(cx.pid, fd);
        }
        for (_, mut reader) in std::mem::take(&mut self.inputs) {
            reader.close(cx);
        }
        for (_, _, fd) in &mut self.pipes {
            let _ = cx.kernel.close(cx.pid, *fd);
        }
        let pid = cx.pid;
        self.pipes
            .retain(|(_, child, _)| matches!(cx.kernel.wait(pid, ProcessTarget::Process(*child)), Ok(None)));
        if !self.pipes.is_empty() {
            return SliceEnd::Wait(Wait::Child);
        }
        cx.out.append(&mut self.held);
        SliceEnd::Exit(Status::Exited(code))
    }
}
