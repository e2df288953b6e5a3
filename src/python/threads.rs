//! The threads of a process take turns: one runs until it waits or its slice ends, then the one that has waited longest.
//! Nothing but virtual time and the order of these events decides, so every run is the same.
//!
//! Locks, events and queues are written in Python. A thread that finds one in the wrong state waits for a change
//! ([`ThreadWait::Change`]), and looks again after each.

use super::frame::{OnReturn, PyFrame};
use super::value::{Deadline, Py};
use super::vm::{AfterOp, PyResult, PyVm, Stop};
use base::time::Time;
use host::{Signal, Status, Wait};
use serde::{Deserialize, Serialize};

/// Maximum number of threads of a process.
const MAX_THREADS: usize = 1000;
/// The main thread. Signal handlers run in it.
pub(crate) const MAIN: u32 = 0;

/// What a thread waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ThreadWait {
    #[default]
    Ready,
    Host(Wait),
    /// A change of a lock, event or queue after this many, or a moment.
    Change(u64, Option<Time>),
}

/// A thread that does not run now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PyThread {
    pub id: u32,
    pub frames: Vec<PyFrame>,
    pub deadline: Deadline,
    pub wait: ThreadWait,
}

/// The threads of a process.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PyThreads {
    /// The threads that do not run, the one that has waited longest first.
    pub parked: Vec<PyThread>,
    /// The thread that runs, and what it waits for.
    pub current: u32,
    pub wait: ThreadWait,
    /// The number of threads that were started.
    started: u32,
    /// The number of changes of locks, events and queues.
    pub changes: u64,
    /// The status of the main program, which ended before its threads.
    pub outcome: Option<Status>,
}

impl PyVm<'_> {
    /// Starts a thread with a function: its number.
    pub(crate) fn start_thread(&mut self, function: Py) -> PyResult {
        if self.s.threads.parked.len() >= MAX_THREADS {
            return Err(self.error("RuntimeError", "can't start new thread"));
        }
        if self.nested > 0 {
            return Err(self.error(
                "NotImplementedError",
                "sandbatch does not start a thread in a method that the interpreter calls",
            ));
        }
        let saved = std::mem::take(&mut self.s.frames);
        let result = self.call(function, Vec::new(), Vec::new(), OnReturn::End);
        let frames = std::mem::replace(&mut self.s.frames, saved);
        result?;
        self.s.threads.started += 1;
        let id = self.s.threads.started;
        let thread = PyThread { id, frames, deadline: Deadline::default(), wait: ThreadWait::Ready };
        self.s.threads.parked.push(thread);
        Ok(Py::Int(i64::from(id)))
    }

    /// Waits for a change, at most until a moment: whether it is not reached yet.
    pub(crate) fn wait_for_change(&mut self, until: Option<Time>) -> PyResult {
        match self.s.deadline.0.take() {
            Some(until) => Ok(Py::Bool(self.now < until)),
            None => {
                self.s.deadline.0 = Some(until.unwrap_or(Time(i64::MAX)));
                self.for_change = true;
                Err(Stop::Wait(until.map_or(Wait::Wakeup, Wait::Until)))
            }
        }
    }

    /// Whether a thread can go on. The host cannot say whether a child has ended: the thread tries once in a slice.
    fn is_ready(&self, id: u32, wait: &ThreadWait, tried: &[u32]) -> bool {
        match wait {
            ThreadWait::Ready => true,
            ThreadWait::Change(seen, until) => {
                self.s.threads.changes != *seen || until.is_some_and(|until| until <= self.now)
            }
            ThreadWait::Host(Wait::Until(until)) => *until <= self.now,
            ThreadWait::Host(Wait::Readable(fd)) => self.kernel.has_input(self.pid, *fd),
            ThreadWait::Host(
                Wait::Writable(_) | Wait::Child | Wait::Wakeup | Wait::Any(_) | Wait::Watched,
            ) => !tried.contains(&id),
        }
    }

    /// Makes a parked thread the current one.
    fn switch_to(&mut self, index: usize, keep: bool) {
        let next = self.s.threads.parked.remove(index);
        let frames = std::mem::replace(&mut self.s.frames, next.frames);
        let deadline = std::mem::replace(&mut self.s.deadline, next.deadline);
        let wait = std::mem::replace(&mut self.s.threads.wait, next.wait);
        let id = std::mem::replace(&mut self.s.threads.current, next.id);
        if keep {
            self.s.threads.parked.push(PyThread { id, frames, deadline, wait });
        }
    }

    /// Makes the thread current whose turn it is. False: all of them wait.
    fn choose(&mut self, alive: bool, tried: &[u32]) -> bool {
        let threads = &self.s.threads;
        let due = |wait: &ThreadWait| match wait {
            ThreadWait::Host(Wait::Until(until)) | ThreadWait::Change(_, Some(until)) => {
                (*until).min(self.now)
            }
            ThreadWait::Ready | ThreadWait::Host(_) | ThreadWait::Change(_, None) => self.now,
        };
        let ready = threads
            .parked
            .iter()
            .enumerate()
            .filter(|(_, thread)| self.is_ready(thread.id, &thread.wait, tried));
        let first = ready.map(|(i, thread)| (due(&thread.wait), i)).min();
        let own = alive && self.is_ready(threads.current, &threads.wait, tried);
        match first {
            Some((due_at, index)) if !own || due_at <= due(&threads.wait) => {
                self.switch_to(index, alive);
                true
            }
            _ => own,
        }
    }

    /// What the process waits for if all threads wait.
    fn all_waits(&self) -> Wait {
        let threads = &self.s.threads;
        let waits = [&threads.wait].into_iter().chain(threads.parked.iter().map(|thread| &thread.wait));
        let mut all: Vec<Wait> = waits
            .filter_map(|wait| match wait {
                ThreadWait::Host(wait) => Some(wait.clone()),
                ThreadWait::Change(_, until) => until.map(Wait::Until),
                ThreadWait::Ready => None,
            })
            .collect();
        match all.len() {
            // A deadlock. A signal ends it.
            0 => Wait::Wakeup,
            1 => all.remove(0),
            _ => Wait::Any(all),
        }
    }

    /// Runs the threads until the slice ends, all of them wait, or the main program and its threads have ended. At a
    /// prompt, the end of a statement is not that of the program.
    pub(crate) fn take_turns(&mut self, prompt: bool) -> PyResult {
        let (mut alive, mut tried) = (true, Vec::new());
        loop {
            if !self.choose(alive, &tried) {
                return Err(Stop::Wait(self.all_waits()));
            }
            alive = true;
            self.s.threads.wait = ThreadWait::Ready;
            match self.run(0) {
                Err(Stop::Wait(wait)) => {
                    tried.push(self.s.threads.current);
                    let until = self.s.deadline.0.filter(|until| *until != Time(i64::MAX));
                    self.s.threads.wait = if std::mem::take(&mut self.for_change) {
                        ThreadWait::Change(self.s.threads.changes, until)
                    } else {
                        ThreadWait::Host(wait)
                    };
                }
                Err(Stop::Fuel) => return Err(Stop::Fuel),
                Err(Stop::Exit(code)) => return Err(Stop::Exit(code)),
                _ if self.s.threads.current != MAIN => {
                    // The library has reported an exception of the thread.
                    self.s.frames.clear();
                    self.s.deadline = Deadline::default();
                    alive = false;
                }
                result if prompt => return result,
                result => {
                    if self.s.threads.outcome.is_some() {
                        return Ok(Py::None);
                    }
                    let module = self.s.modules.get("threading").copied();
                    let Some(shutdown) = module.and_then(|m| self.global(m, "_shutdown")) else {
                        return result;
                    };
                    // The program has ended: its threads go on, and the library waits for them.
                    let status = self.status(result);
                    self.s.threads.outcome = Some(status);
                    self.s.frames.clear();
                    self.s.deadline = Deadline::default();
                    self.call(shutdown, Vec::new(), Vec::new(), OnReturn::End)?;
                }
            }
        }
    }

    /// Calls the program's handlers of caught signals: each is a frame on top of the main thread.
    pub(crate) fn heed(&mut self) -> PyResult<()> {
        let mut signals = Vec::new();
        while let Some(signal) = self.kernel.take_signal(self.pid) {
            signals.push(signal);
        }
        // The last one that is called runs first.
        for signal in signals.into_iter().rev() {
            if let Some(index) = self.s.threads.parked.iter().position(|thread| thread.id == MAIN) {
                self.switch_to(index, true);
            }
            self.handle(signal)?;
        }
        Ok(())
    }

    fn handle(&mut self, signal: Signal) -> PyResult<()> {
        let waits = std::mem::take(&mut self.s.threads.wait) != ThreadWait::Ready;
        let Some(handler) = self.s.handlers.iter().find(|h| h.0 == signal.number()).map(|h| h.1) else {
            self.s.deadline.0 = None;
            let exception = self.exception("KeyboardInterrupt", "");
            self.leave_wait(waits);
            return self.unwind(exception, 0);
        };
        let args = vec![Py::Int(i64::from(signal.number())), Py::None];
        if self.s.frames.is_empty() {
            return self.call_nested(handler, args, Vec::new()).map(drop);
        }
        let deadline = self.s.deadline.0.take();
        // What the interrupted call waits for, when it goes on.
        let keep = match deadline {
            Some(until) => Py::Int(until.0),
            None if waits => Py::Bool(true),
            None => Py::None,
        };
        match self.call(handler, args, Vec::new(), OnReturn::Signal) {
            Ok(AfterOp::Done(_)) => {
                self.s.deadline.0 = deadline;
                Ok(())
            }
            Ok(AfterOp::Next | AfterOp::Frame) => {
                self.frame().keep = keep;
                Ok(())
            }
            Err(Stop::Raise(exception)) => {
                self.leave_wait(waits);
                self.unwind(exception, 0)
            }
            Err(stop) => Err(stop),
        }
    }

    /// An exception of a handler ends the call that it interrupted, whose position the traceback shows.
    pub(crate) fn leave_wait(&mut self, waits: bool) {
        if waits && let Some(frame) = self.s.frames.last_mut() {
            frame.at += 1;
        }
    }
}
