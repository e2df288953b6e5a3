//! A command as a process image: started, fed with its standard input, its output drained, ended.
//!
//! Standard error is written in its place between pieces of standard output where the command used
//! [`Cx::error`]; what it put into `cx.err` by hand follows standard output.

use super::{Cx, Kind, Machine, STDERR, STDIN, STDOUT, Slurm, find};
use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::host::kernel::own_descriptor;
use crate::host::{Errno, Exec, Fd, Kernel, Signal, Status, Step, Wait, path};
use crate::shell::Born;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Most bytes of standard input that a filter keeps, and of output that a command may leave to be written.
const MAX_BUFFER: usize = 64 << 20;
/// Bytes taken from standard input at a time.
const READ_SIZE: usize = 65_536;

/// A command's process image.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Running {
    program: String,
    exec: Exec,
    phase: Phase,
    /// Pipes that are named as files (`<(...)`), read before a command starts that reads whole files.
    piped: Vec<Piped>,
    /// What is still to be written, in order.
    pending: VecDeque<(Fd, Vec<u8>)>,
    /// How much of the first of these went out.
    sent: u64,
    /// What the last slice asked for, once all is written.
    then: Then,
}

/// A pipe among the arguments, as `/dev/fd/63`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Piped {
    /// The argument.
    pub name: String,
    fd: Fd,
    /// What came through it.
    pub data: Arc<Vec<u8>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Phase {
    Start,
    Collect(Vec<u8>),
    Machine(Box<Machine>),
}

/// A [`Step`] put off until the output is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Then {
    Again,
    Wait(Wait),
    Exit(Status),
    Exec(Exec),
}

impl Running {
    /// A command about to run: the row of `program` (an installed program's name), else of `exec.argv[0]`'s base name.
    #[must_use]
    pub fn new(program: &str, exec: Exec) -> Self {
        let program = if find(program).is_some() {
            program.to_owned()
        } else {
            exec.argv.first().map_or_else(String::new, |name| path::base_name(name).to_owned())
        };
        Self {
            program,
            exec,
            phase: Phase::Start,
            piped: Vec::new(),
            pending: VecDeque::new(),
            sent: 0,
            then: Then::Again,
        }
    }

    /// One slice.
    pub fn run(
        &mut self,
        kernel: &mut Kernel,
        slurm: &mut dyn Slurm,
        pid: Pid,
        now: Time,
        born: &mut Vec<(Pid, Born)>,
    ) -> Step {
        if let Some(step) = self.drain(kernel, pid, now) {
            return step;
        }
        match std::mem::replace(&mut self.then, Then::Again) {
            Then::Again => {}
            Then::Wait(wait) => return Step::Wait(wait),
            Then::Exit(status) => return Step::Exit(status),
            Then::Exec(exec) => return Step::Exec(exec),
        }
        if let Some(step) = self.collect(kernel, pid).or_else(|| self.collect_pipes(kernel, pid)) {
            return step;
        }
        let (mut out, mut err, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        let mut cx = Cx {
            now,
            pid,
            argv: &self.exec.argv,
            env: &self.exec.env,
            kernel: &mut *kernel,
            slurm,
            out: &mut out,
            err: &mut err,
            born,
            marks: &mut marks,
            piped: &self.piped,
        };
        let step = Self::slice(&self.program, &mut self.phase, &mut cx);
        self.put_off(step, out, &err, &marks);
        // Most output fits: written in the same slice, so that a command is one event and not two.
        if let Some(step) = self.drain(kernel, pid, now) {
            return step;
        }
        match std::mem::replace(&mut self.then, Then::Again) {
            Then::Again => Step::Again,
            Then::Wait(wait) => Step::Wait(wait),
            Then::Exit(status) => Step::Exit(status),
            Then::Exec(exec) => Step::Exec(exec),
        }
    }

    /// Reads what a filter needs; `None` when it is all there (or nothing is needed).
    fn collect(&mut self, kernel: &mut Kernel, pid: Pid) -> Option<Step> {
        if matches!(self.phase, Phase::Start) {
            self.find_pipes(kernel, pid);
        }
        if matches!(self.phase, Phase::Start)
            && let Some(Kind::Filter { reads, .. }) = find(&self.program).map(|c| c.kind)
            && reads(&self.exec.argv)
        {
            self.phase = Phase::Collect(Vec::new());
        }
        let Phase::Collect(input) = &mut self.phase else { return None };
        loop {
            match kernel.read(pid, STDIN, READ_SIZE) {
                Ok(data) if data.is_empty() => return None,
                Ok(data) if input.len() + data.len() > MAX_BUFFER => {
                    return Some(self.fail("-", Errno::EFBIG));
                }
                Ok(data) => input.extend_from_slice(&data),
                Err(Errno::EAGAIN) => return Some(Step::Wait(Wait::Readable(STDIN))),
                Err(errno) => return Some(self.fail("-", errno)),
            }
        }
    }

    /// Looks for pipes among the arguments of a command that reads files as a whole.
    fn find_pipes(&mut self, kernel: &Kernel, pid: Pid) {
        let whole =
            find(&self.program).is_some_and(|c| matches!(c.kind, Kind::Once(_) | Kind::Filter { .. }));
        if !whole || !self.piped.is_empty() {
            return;
        }
        for name in self.exec.argv.iter().skip(1).filter(|name| name.starts_with("/dev/fd/")) {
            if let Some(fd) = own_descriptor(name).filter(|fd| kernel.is_pipe(pid, *fd)) {
                self.piped.push(Piped { name: name.clone(), fd, data: Arc::default() });
            }
        }
    }

    /// Reads such pipes to their ends; `None` when all is there.
    fn collect_pipes(&mut self, kernel: &mut Kernel, pid: Pid) -> Option<Step> {
        if matches!(self.phase, Phase::Machine(_)) {
            return None;
        }
        for piped in &mut self.piped {
            loop {
                match kernel.read(pid, piped.fd, READ_SIZE) {
                    Ok(data) if data.is_empty() || piped.data.len() > MAX_BUFFER => break,
                    Ok(data) => Arc::make_mut(&mut piped.data).extend_from_slice(&data),
                    Err(Errno::EAGAIN) => return Some(Step::Wait(Wait::Readable(piped.fd))),
                    Err(_) => break,
                }
            }
        }
        None
    }

    /// Ends with `NAME: what: why` and code 1.
    fn fail(&mut self, what: &str, why: Errno) -> Step {
        let text = format!("{}: {what}: {why}\n", self.program);
        self.pending.push_back((STDERR, text.into_bytes()));
        self.then = Then::Exit(Status::Exited(1));
        Step::Again
    }

    fn slice(program: &str, phase: &mut Phase, cx: &mut Cx) -> Step {
        if let Phase::Machine(machine) = phase {
            return advance(machine, cx);
        }
        let input = match std::mem::replace(phase, Phase::Start) {
            Phase::Collect(input) => input,
            Phase::Start | Phase::Machine(_) => Vec::new(),
        };
        let Some(command) = find(program) else {
            cx.error("command not found");
            return Step::Exit(Status::Exited(127));
        };
        match command.kind {
            Kind::Once(run) => Step::Exit(Status::Exited(run(cx))),
            Kind::Filter { run, .. } => Step::Exit(Status::Exited(run(cx, &input))),
            Kind::Machine(start) => {
                let mut machine = start(cx);
                let step = advance(&mut machine, cx);
                *phase = Phase::Machine(Box::new(machine));
                step
            }
            Kind::Shell | Kind::Model | Kind::Script(_) | Kind::NotSimulated => {
                let summary = command.summary;
                cx.error(&format!("not simulated in sandbatch: {summary}"));
                Step::Exit(Status::Exited(127))
            }
        }
    }

    /// Queues a slice's output, its errors at their marks, and remembers what the slice asked for.
    fn put_off(&mut self, step: Step, out: Vec<u8>, err: &[u8], marks: &[(usize, usize)]) {
        self.then = match step {
            Step::Again => Then::Again,
            Step::Wait(wait) => Then::Wait(wait),
            Step::Exit(status) => Then::Exit(status),
            Step::Exec(exec) => Then::Exec(exec),
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

    /// Writes what it can; `None` when nothing is left.
    fn drain(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Option<Step> {
        while let Some((fd, data)) = self.pending.front_mut() {
            let fd = *fd;
            let rest = usize::try_from(self.sent).ok().and_then(|sent| data.get(sent..)).unwrap_or_default();
            match kernel.write(pid, fd, rest, now) {
                Ok(n) if n < rest.len() => self.sent += u64::try_from(n).unwrap_or(0),
                Ok(_) => {
                    self.sent = 0;
                    self.pending.pop_front();
                }
                Err(Errno::EAGAIN) => return Some(Step::Wait(Wait::Writable(fd))),
                Err(Errno::EPIPE) if !kernel.alive(pid) => {
                    return Some(Step::Exit(Status::Signaled(Signal::PIPE)));
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

/// A slice of a command's work. One that ended when it was started, as `sacctmgr` does that makes a site's accounts, needs
/// nothing of the others.
fn advance(machine: &mut Machine, cx: &mut Cx) -> Step {
    if let Machine::End(code) = machine {
        return Step::Exit(Status::Exited(*code));
    }
    machine.step(cx)
}
