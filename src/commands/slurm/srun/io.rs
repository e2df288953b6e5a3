//! What tasks read and print, carried between them and srun's own descriptors and files.

use super::files::Sink;
use super::launch::{Task, Tasks};
use crate::base::ids::Pid;
use crate::commands::slurm::opt::RunOptions;
use crate::commands::{Cx, STDIN};
use crate::host::{Errno, Fd};

/// Most bytes of a piece of output for `sattach` (`PIPE_BUF`), and of what stands before its text.
const PIECE: usize = 4096;
/// Bytes before the text: whose it is and how long.
pub const HEAD: usize = 8;

impl Tasks {
    /// How wide labels are, where lines are labelled.
    pub(super) fn label(&self, run: &RunOptions) -> Option<usize> {
        let last = self.tasks.iter().map(|t| t.rank).max().unwrap_or(0);
        run.label.then(|| last.to_string().len())
    }

    /// Standard input goes to every task.
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
        let open = |task: &Task| task.input.is_some() && (task.taken as usize) < self.input.len();
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

    /// Passes on what the tasks printed.
    pub(super) fn listen(&mut self, cx: &mut Cx, run: &RunOptions) {
        let label = self.label(run);
        let listeners = self.listeners(cx);
        for task in &mut self.tasks {
            // Programs keep output back and say errors at once.
            for stream in [1, 0] {
                let slot = if stream == 0 { &mut task.out } else { &mut task.err };
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
                }
            }
        }
    }

    /// Who listens with `sattach`.
    fn listeners(&self, cx: &Cx) -> Vec<(Pid, [Fd; 2])> {
        let step = |l: &crate::slurmctld::request::StepLayout| {
            let job = cx.slurm.state().jobs.get(l.step.job)?;
            Some(job.steps.get(&l.step.step)?.listeners.clone())
        };
        self.layouts.iter().filter_map(step).flatten().collect()
    }

    /// slurmstepd's own line: on the standard error of the first task of the first node.
    pub(super) fn stepd(&mut self, cx: &mut Cx, run: &RunOptions, line: &str) {
        let label = self.label(run);
        if let Some(task) = self.tasks.first_mut() {
            print(cx, task, 1, format!("{line}\n").as_bytes(), label);
        }
    }
}

/// Tells a `sattach` what a task printed, in pieces that a pipe takes whole or not at all: the task's number, how many bytes,
/// and these.
fn tell(cx: &mut Cx, listener: Pid, fd: Fd, rank: u32, data: &[u8]) {
    for bytes in data.chunks(PIECE - HEAD) {
        let length = bytes.len() as u32;
        let piece = [&rank.to_le_bytes()[..], &length.to_le_bytes()[..], bytes].concat();
        if cx.kernel.write(listener, fd, &piece, cx.now).is_err() {
            // Who is gone or does not read misses it.
            return;
        }
    }
}

/// Prints a task's output where it belongs: as it came, or line by line with the task's number in so many places.
pub(super) fn print(cx: &mut Cx, task: &mut Task, stream: usize, data: &[u8], label: Option<usize>) {
    let Some(width) = label else { return write(cx, task.sinks[stream], stream, data) };
    let mut text = Vec::new();
    task.rest[stream].extend_from_slice(data);
    while let Some(at) = task.rest[stream].iter().position(|b| *b == b'\n') {
        text.extend_from_slice(format!("{:width$}: ", task.rank).as_bytes());
        text.extend(task.rest[stream].drain(..=at));
    }
    write(cx, task.sinks[stream], stream, &text);
}

/// What is left of a line at the end.
fn finish(cx: &mut Cx, task: &mut Task, stream: usize, label: Option<usize>) {
    let rest = std::mem::take(&mut task.rest[stream]);
    if let Some(width) = label.filter(|_| !rest.is_empty()) {
        let mut text = format!("{:width$}: ", task.rank).into_bytes();
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
            // A full disk loses it, as slurmstepd would.
            let _ = cx.kernel.write(cx.pid, fd, data, cx.now);
        }
    }
}

/// What a pipe holds now, and whether it is still open; at its end it is closed.
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
