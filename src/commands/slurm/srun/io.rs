//! Forwards input and output between tasks and srun's descriptors and files.

use super::files::Sink;
use super::launch::{SrunTask, Tasks};
use crate::slurm::opt::RunOptions;
use crate::{Cx, STDIN};
use base::ids::Pid;
use base::pad;
use host::{Errno, Fd};
use std::collections::BTreeMap;

/// Maximum size of a message for `sattach` (`PIPE_BUF`), and the size of its header.
const PIECE: usize = 4096;
/// Size of the header before the text: task and length.
pub const HEAD: usize = 8;

/// Standard output or standard error of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TaskStream {
    /// Its position among the tasks.
    task: usize,
    /// Standard error comes first: programs buffer their output but write errors immediately.
    is_out: bool,
}

impl Tasks {
    /// Width of labels, if lines are labelled.
    pub(super) fn label(&self, run: &RunOptions) -> Option<usize> {
        let last = || self.tasks.iter().map(|t| t.rank).max().unwrap_or(0);
        run.label.then(|| last().to_string().len())
    }

    /// Passes standard input to every task.
    pub(super) fn feed(&mut self, cx: &mut Cx) {
        if self.input_open && self.input.is_empty() {
            match cx.kernel.read(cx.pid, STDIN, 16_384) {
                Ok(data) if data.is_empty() => self.input_open = false,
                Ok(data) => self.input = data,
                Err(Errno::EAGAIN) => {}
                Err(_) => self.input_open = false,
            }
        }
        for task in &mut self.tasks {
            let Some(fd) = task.input else { continue };
            let rest = self.input.get(task.taken as usize..).unwrap_or_default();
            if rest.is_empty() {
                continue;
            }
            match cx.kernel.write(cx.pid, fd, rest, cx.now) {
                Ok(n) => task.taken += u32::try_from(n).unwrap_or(0),
                Err(Errno::EAGAIN) => {}
                Err(_) => {
                    let _ = cx.kernel.close(cx.pid, fd);
                    task.input = None;
                }
            }
        }
        let open = |task: &SrunTask| task.input.is_some() && (task.taken as usize) < self.input.len();
        if !self.tasks.iter().any(open) {
            self.input.clear();
            for task in &mut self.tasks {
                task.taken = 0;
                if let Some(fd) = task.input.take_if(|_| !self.input_open) {
                    let _ = cx.kernel.close(cx.pid, fd);
                }
            }
        }
    }

    /// Forwards the output of the tasks. Only the pipes that have some, or have ended, are read.
    pub(super) fn listen(&mut self, cx: &mut Cx, run: &RunOptions) {
        let ready = self.ready(cx);
        if ready.is_empty() {
            return;
        }
        let label = self.label(run);
        let listeners = self.listeners(cx);
        for TaskStream { task: at, is_out } in ready {
            let Some(task) = self.tasks.get_mut(at) else { continue };
            let (stream, slot) = if is_out { (0, &mut task.out) } else { (1, &mut task.err) };
            let Some(fd) = *slot else { continue };
            let (data, open) = drain(cx, fd);
            if !open {
                *slot = None;
            }
            for (pid, fds) in &listeners {
                tell(cx, *pid, fds[stream], task.rank, &data);
            }
            print(cx, task, stream, &data, label);
            if !open {
                finish(cx, task, stream, label);
                if let Some(streams) = &mut self.streams {
                    streams.remove(&fd);
                }
            }
        }
    }

    /// The pipes to read, in the order of the tasks.
    fn ready(&mut self, cx: &mut Cx) -> Vec<TaskStream> {
        let streams = self.streams.get_or_insert_with(|| {
            let mut streams = BTreeMap::new();
            for (task, of) in self.tasks.iter().enumerate() {
                for (fd, is_out) in [(of.err, false), (of.out, true)] {
                    let Some(fd) = fd else { continue };
                    cx.kernel.watch(cx.pid, fd);
                    streams.insert(fd, TaskStream { task, is_out });
                }
            }
            streams
        });
        let input = cx.kernel.watched_input(cx.pid);
        let mut ready: Vec<TaskStream> = input.iter().filter_map(|fd| streams.get(fd).copied()).collect();
        ready.sort_unstable();
        ready
    }

    /// Connected `sattach` clients.
    fn listeners(&self, cx: &Cx) -> Vec<(Pid, [Fd; 2])> {
        let step = |l: &slurmctld::request::StepLayout| {
            let job = cx.cluster.state().jobs.get(l.step.job)?;
            Some(job.steps.get(&l.step.step)?.listeners.clone())
        };
        self.layouts.iter().filter_map(step).flatten().collect()
    }

    /// Writes slurmstepd's message to the standard error of the first task on the first node.
    pub(super) fn stepd(&mut self, cx: &mut Cx, run: &RunOptions, line: &str) {
        let label = self.label(run);
        if let Some(task) = self.tasks.first_mut() {
            print(cx, task, 1, format!("{line}\n").as_bytes(), label);
        }
    }
}

/// Sends a task's output to a `sattach`, in messages that a pipe accepts as a whole or not at all: task id, length,
/// text.
fn tell(cx: &mut Cx, listener: Pid, fd: Fd, rank: u32, data: &[u8]) {
    for bytes in data.chunks(PIECE - HEAD) {
        let length = bytes.len() as u32;
        let piece = [&rank.to_le_bytes()[..], &length.to_le_bytes()[..], bytes].concat();
        if cx.kernel.write(listener, fd, &piece, cx.now).is_err() {
            // A client that has exited or does not read loses the message.
            return;
        }
    }
}

/// Writes a task's output: unchanged, or line by line with a label of this width.
pub(super) fn print(cx: &mut Cx, task: &mut SrunTask, stream: usize, data: &[u8], label: Option<usize>) {
    let Some(width) = label else { return write(cx, task.sinks[stream], stream, data) };
    let mut text = Vec::new();
    task.rest[stream].extend_from_slice(data);
    while let Some(at) = task.rest[stream].iter().position(|b| *b == b'\n') {
        text.extend_from_slice(format!("{}: ", pad::right(task.rank, width)).as_bytes());
        text.extend(task.rest[stream].drain(..=at));
    }
    write(cx, task.sinks[stream], stream, &text);
}

/// Writes the incomplete last line.
fn finish(cx: &mut Cx, task: &mut SrunTask, stream: usize, label: Option<usize>) {
    let rest = std::mem::take(&mut task.rest[stream]);
    if let Some(width) = label.filter(|_| !rest.is_empty()) {
        let mut text = format!("{}: ", pad::right(task.rank, width)).into_bytes();
        text.extend(rest);
        text.push(b'\n');
        write(cx, task.sinks[stream], stream, &text);
    }
}

fn write(cx: &mut Cx, sink: Sink, stream: usize, data: &[u8]) {
    match sink {
        _ if data.is_empty() => {}
        Sink::Nowhere => {}
        Sink::Own if stream == 0 => cx.out.extend_from_slice(data),
        Sink::Own => cx.complain_raw_bytes(data),
        Sink::File(fd) => {
            // A full disk loses it, as with slurmstepd.
            let _ = cx.kernel.write(cx.pid, fd, data, cx.now);
        }
    }
}

/// Reads what a pipe holds, and whether it is still open. Closes it at the end of file.
fn drain(cx: &mut Cx, fd: Fd) -> (Vec<u8>, bool) {
    let mut all = Vec::new();
    loop {
        match cx.kernel.read(cx.pid, fd, 65_536) {
            Ok(data) if data.is_empty() => break,
            Ok(data) => all.extend_from_slice(&data),
            Err(Errno::EAGAIN) => return (all, true),
            Err(_) => break,
        }
        if all.len() > 1 << 20 {
            return (all, true);
        }
    }
    let _ = cx.kernel.close(cx.pid, fd);
    (all, false)
}
