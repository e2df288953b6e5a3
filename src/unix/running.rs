//! A command as a process image: it starts, reads standard input, writes its output and exits.
//!
//! Standard error keeps its position between pieces of standard output if the command used
//! [`Context::error`]. Text that the command writes to `cx.err` directly follows standard output.

use crate::{Context, STDERR, STDIN, STDOUT};
use base::ids::Pid;
use base::time::Time;
use host::kernel::own_descriptor;
use host::memory::ELEMENT;
use host::{Errno, Exec, Fd, Kernel, Signal, SliceEnd, Status, Wait, path};
use serde::{Deserialize, Serialize};
use shell::Born;
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of bytes: standard input that a filter keeps, and output that waits to be written.
pub(crate) const MAX_BUFFER: usize = 64 << 20;
/// Bytes taken from standard input at a time.
const READ_SIZE: usize = 65_536;
/// Reads of a slice before a filter starts: a device has no end.
const SLICE_READS: u32 = 16;

/// A set of commands, represented by their state machines. `C` is the [`Context`]'s access to the cluster.
pub trait CommandSet<C: ?Sized>: Sized {
    /// Whether a command has this name.
    fn is_known(name: &str) -> bool;
    /// How a command reads its input with these arguments.
    fn input(name: &str, argv: &[String]) -> InputMode;
    /// Starts a command. `input` is its standard input if the command reads all of it first.
    fn start(name: &str, cx: &mut Context<C>, input: &[u8]) -> StartedCommand<Self>;
    /// Runs a slice.
    fn step(&mut self, cx: &mut Context<C>) -> SliceEnd;
    /// Bytes of memory that it holds, about.
    fn memory(&self) -> u64;
}

/// How a command reads its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputMode {
    /// It reads its descriptors itself.
    Streamed,
    /// It opens whole files. Pipes among its arguments are read to the end first.
    Files,
    /// Like `Files`, and standard input is read to the end first.
    Whole,
}

/// A command that was started.
pub enum StartedCommand<M> {
    /// It ended immediately.
    Ended(u8),
    /// It continues as a state machine.
    Machine(M),
}

/// A command's process image.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Running<M> {
    program: String,
    exec: Exec,
    phase: RunPhase<M>,
    /// Pipes passed as file names (`<(...)`), read before a command that reads whole files starts.
    piped: Vec<Piped>,
    /// Output to be written, in order.
    pending: VecDeque<(Fd, Vec<u8>)>,
    /// How much of the first of these is written.
    sent: u64,
    /// The result of the last slice, which takes effect once everything is written.
    then: Then,
    /// See [`Context::work`]. Taken after each slice.
    #[serde(skip)]
    work: u32,
}

/// A pipe among the arguments, as `/dev/fd/63`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Piped {
    /// The argument.
    pub name: String,
    /// The descriptor that the argument names.
    fd: Fd,
    /// The data read from it.
    pub data: Arc<Vec<u8>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum RunPhase<M> {
    Start,
    Collect(Vec<u8>),
    Machine(Box<M>),
}

/// A [`SliceEnd`] that takes effect once the output is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Then {
    Again,
    Wait(Wait),
    Exit(Status),
    Exec(Exec),
}

impl<M> Running<M> {
    /// A command about to run: the entry for `program` (the name of an installed program), otherwise for the
    /// base name of `exec.argv[0]`.
    #[must_use]
    pub fn new<C: ?Sized>(program: &str, exec: Exec) -> Self
    where
        M: CommandSet<C>,
    {
        let program = if M::is_known(program) {
            program.to_owned()
        } else {
            exec.argv.first().map_or_else(String::new, |name| path::base_name(name).to_owned())
        };
        Self {
            program,
            exec,
            phase: RunPhase::Start,
            piped: Vec::new(),
            pending: VecDeque::new(),
            sent: 0,
            then: Then::Again,
            work: 0,
        }
    }

    /// How many slices more than one the last slice's work was worth.
    pub fn take_work(&mut self) -> u32 {
        std::mem::take(&mut self.work)
    }

    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory<C: ?Sized>(&self) -> u64
    where
        M: CommandSet<C>,
    {
        let size = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX);
        let pending: usize = self.pending.iter().map(|(_, data)| data.len()).sum();
        let piped: usize = self.piped.iter().map(|piped| piped.data.len()).sum();
        let own = match &self.phase {
            RunPhase::Start => 0,
            RunPhase::Collect(input) => size(input.len()),
            RunPhase::Machine(machine) => machine.memory(),
        };
        size(pending + piped).saturating_add(own)
    }

    /// Ends it because it may have no more memory. Its output so far is still written.
    pub fn run_out_of_memory(&mut self) -> SliceEnd {
        self.phase = RunPhase::Start;
        self.piped.clear();
        // The exit codes of programs that tell trouble from a result.
        let code = if matches!(self.program.as_str(), "awk" | "cmp" | "diff" | "gawk" | "grep" | "sort") {
            2
        } else {
            1
        };
        let text = format!("{}: {}\n", self.program, Errno::ENOMEM);
        self.pending.push_back((STDERR, text.into_bytes()));
        self.then = Then::Exit(Status::Exited(code));
        SliceEnd::Again
    }

    /// Runs a slice.
    pub fn run<C: ?Sized>(
        &mut self,
        kernel: &mut Kernel,
        cluster: &mut C,
        pid: Pid,
        now: Time,
        born: &mut Vec<(Pid, Born)>,
    ) -> SliceEnd
    where
        M: CommandSet<C>,
    {
        if let Some(step) = self.drain(kernel, pid, now) {
            return step;
        }
        match std::mem::replace(&mut self.then, Then::Again) {
            Then::Again => {}
            Then::Wait(wait) => return SliceEnd::Wait(wait),
            Then::Exit(status) => return SliceEnd::Exit(status),
            Then::Exec(exec) => return SliceEnd::Exec(exec),
        }
        let input = M::input(&self.program, &self.exec.argv);
        if let Some(step) = self.collect(kernel, pid, input).or_else(|| self.collect_pipes(kernel, pid)) {
            return step;
        }
        if input == InputMode::Streamed
            && let Err(errno) = self.pass_on(kernel, pid, now)
        {
            return self.fail("-", errno);
        }
        let (mut out, mut err, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        let mut cx = Context {
            now,
            pid,
            argv: &self.exec.argv,
            env: &self.exec.env,
            kernel: &mut *kernel,
            cluster,
            out: &mut out,
            err: &mut err,
            born,
            marks: &mut marks,
            piped: &self.piped,
            work: &mut self.work,
        };
        let step = Self::slice(&self.program, &mut self.phase, &mut cx);
        self.queue_output(step, out, &err, &marks);
        // Most output fits and is written in the same slice, so that a command takes one event instead of two.
        if let Some(step) = self.drain(kernel, pid, now) {
            return step;
        }
        match std::mem::replace(&mut self.then, Then::Again) {
            Then::Again => SliceEnd::Again,
            Then::Wait(wait) => SliceEnd::Wait(wait),
            Then::Exit(status) => SliceEnd::Exit(status),
            Then::Exec(exec) => SliceEnd::Exec(exec),
        }
    }

    /// Reads the standard input of a filter. `None` when it is complete or not needed.
    fn collect(&mut self, kernel: &mut Kernel, pid: Pid, takes: InputMode) -> Option<SliceEnd> {
        if matches!(self.phase, RunPhase::Start) {
            if takes != InputMode::Streamed {
                self.find_pipes(kernel, pid);
            }
            if takes == InputMode::Whole {
                self.phase = RunPhase::Collect(Vec::new());
            }
        }
        let RunPhase::Collect(input) = &mut self.phase else { return None };
        for _ in 0..SLICE_READS {
            match kernel.read(pid, STDIN, READ_SIZE) {
                Ok(data) if data.is_empty() => return None,
                Ok(data) if input.len() + data.len() > MAX_BUFFER => {
                    return Some(self.run_out_of_memory());
                }
                Ok(data) => input.extend_from_slice(&data),
                Err(Errno::EAGAIN) => return Some(SliceEnd::Wait(Wait::Readable(STDIN))),
                Err(errno) => return Some(self.fail("-", errno)),
            }
        }
        Some(SliceEnd::Again)
    }

    /// In a session that an earlier release saved, a command may have collected input that it reads as it arrives now. It
    /// finds that input again.
    fn pass_on(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Result<(), Errno> {
        let RunPhase::Collect(input) = &self.phase else { return Ok(()) };
        let fd = kernel.open_unlinked(pid, input, now)?;
        self.phase = RunPhase::Start;
        kernel.dup2(pid, fd, STDIN)?;
        kernel.close(pid, fd)
    }

    /// Finds pipes among the arguments of a command that reads whole files.
    fn find_pipes(&mut self, kernel: &Kernel, pid: Pid) {
        if !self.piped.is_empty() {
            return;
        }
        for name in self.exec.argv.iter().skip(1).filter(|name| name.starts_with("/dev/fd/")) {
            if let Some(fd) = own_descriptor(name).filter(|fd| kernel.is_pipe(pid, *fd)) {
                self.piped.push(Piped { name: name.clone(), fd, data: Arc::default() });
            }
        }
    }

    /// Reads these pipes to the end. `None` when complete.
    fn collect_pipes(&mut self, kernel: &mut Kernel, pid: Pid) -> Option<SliceEnd> {
        if matches!(self.phase, RunPhase::Machine(_)) {
            return None;
        }
        for piped in &mut self.piped {
            loop {
                match kernel.read(pid, piped.fd, READ_SIZE) {
                    Ok(data) if data.is_empty() || piped.data.len() > MAX_BUFFER => break,
                    Ok(data) => Arc::make_mut(&mut piped.data).extend_from_slice(&data),
                    Err(Errno::EAGAIN) => return Some(SliceEnd::Wait(Wait::Readable(piped.fd))),
                    Err(_) => break,
                }
            }
        }
        None
    }

    /// Exits with `NAME: what: why` and code 1.
    fn fail(&mut self, what: &str, why: Errno) -> SliceEnd {
        let text = format!("{}: {what}: {why}\n", self.program);
        self.pending.push_back((STDERR, text.into_bytes()));
        self.then = Then::Exit(Status::Exited(1));
        SliceEnd::Again
    }

    fn slice<C: ?Sized>(program: &str, phase: &mut RunPhase<M>, cx: &mut Context<C>) -> SliceEnd
    where
        M: CommandSet<C>,
    {
        if let RunPhase::Machine(machine) = phase {
            return machine.step(cx);
        }
        let input = match std::mem::replace(phase, RunPhase::Start) {
            RunPhase::Collect(input) => input,
            RunPhase::Start | RunPhase::Machine(_) => Vec::new(),
        };
        // Commands that read all of their input keep it in lines.
        let lines = input.iter().filter(|byte| **byte == b'\n').count();
        let held = lines.saturating_mul(ELEMENT).saturating_add(input.len());
        if u64::try_from(held).unwrap_or(u64::MAX) > cx.kernel.memory_bounds.process {
            cx.complain(&format!("{program}: {}", Errno::ENOMEM));
            return SliceEnd::Exit(Status::Exited(2));
        }
        match M::start(program, cx, &input) {
            StartedCommand::Ended(code) => SliceEnd::Exit(Status::Exited(code)),
            StartedCommand::Machine(mut machine) => {
                let step = machine.step(cx);
                *phase = RunPhase::Machine(Box::new(machine));
                step
            }
        }
    }

    /// Queues a slice's output, with errors at their marks, and stores the slice's result.
    fn queue_output(&mut self, step: SliceEnd, out: Vec<u8>, err: &[u8], marks: &[(usize, usize)]) {
        self.then = match step {
            SliceEnd::Again => Then::Again,
            SliceEnd::Wait(wait) => Then::Wait(wait),
            SliceEnd::Exit(status) => Then::Exit(status),
            SliceEnd::Exec(exec) => Then::Exec(exec),
        };
        let size = out.len() + err.len();
        let (mut o, mut e) = (0, 0);
        let end = (out.len(), err.len());
        if err.is_empty() && size <= MAX_BUFFER {
            self.pending.extend((size > 0).then_some((STDOUT, out)));
            return;
        }
        for &(to_o, to_e) in marks.iter().chain(std::iter::once(&end)) {
            self.queue(STDOUT, out.get(o..to_o).unwrap_or_default());
            self.queue(STDERR, err.get(e..to_e).unwrap_or_default());
            (o, e) = (to_o.max(o), to_e.max(e));
        }
        if size > MAX_BUFFER {
            self.pending.clear();
            self.then = Then::Again;
            let _ = self.fail("write error", Errno::EFBIG);
        }
    }

    fn queue(&mut self, fd: Fd, data: &[u8]) {
        if !data.is_empty() {
            self.pending.push_back((fd, data.to_vec()));
        }
    }

    /// Writes as much as possible. `None` when nothing is left.
    fn drain(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Option<SliceEnd> {
        while let Some((fd, data)) = self.pending.front_mut() {
            let fd = *fd;
            let rest = usize::try_from(self.sent).ok().and_then(|sent| data.get(sent..)).unwrap_or_default();
            match kernel.write(pid, fd, rest, now) {
                Ok(n) if n < rest.len() => self.sent += u64::try_from(n).unwrap_or(0),
                Ok(_) => {
                    self.sent = 0;
                    self.pending.pop_front();
                }
                Err(Errno::EAGAIN) => return Some(SliceEnd::Wait(Wait::Writable(fd))),
                Err(Errno::EPIPE) if !kernel.alive(pid) => {
                    return Some(SliceEnd::Exit(Status::Signaled(Signal::PIPE)));
                }
                Err(errno) => {
                    self.sent = 0;
                    self.pending.retain(|(to, _)| *to != fd);
                    self.then = Then::Exit(Status::Exited(1));
                    if fd == STDOUT {
                        let _ = self.fail("write error", errno);
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hosts;
    use crate::UnixMachine;
    use crate::testing::{Host, NoHosts};
    use base::ids::Uid;

    #[test]
    fn input_that_an_earlier_release_collected_is_not_lost() {
        let mut host = Host::default();
        let (pid, mut running) =
            host.start::<UnixMachine, dyn Hosts>(Uid(1001), &["wc", "-c"], "and the rest");
        running.phase = RunPhase::Collect(b"saved ".to_vec());
        for _ in 0..100 {
            match running.run(&mut host.kernel, &mut NoHosts, pid, host.now, &mut Vec::new()) {
                SliceEnd::Again => {}
                end => {
                    assert!(matches!(end, SliceEnd::Exit(Status::Exited(0))), "{end:?}");
                    break;
                }
            }
        }
        let out = host.kernel.fs.read(Uid(0), "/tmp/out").map(|data| data.to_vec());
        assert_eq!(out, Ok(b"18\n".to_vec()));
    }
}
