//! A Python process of the simulated host: start-up, slices, signals and exit.
//!
//! Operations cost CPU time at [`crate::OPERATIONS_PER_SECOND`]. A long computation is charged more per operation,
//! so an endless loop does not stall the simulation.

use super::prompt::{BANNER, PyPrompt};
use super::start::{reads_program, start};
use super::threads::PyThreads;
use super::value::{Py, PyObject};
use super::vm::{PyResult, PyState, PyVm, Stop};
use base::ids::Pid;
use base::time::{Span, Time};
use host::kernel::ProcessTarget;
use host::{Errno, Exec, Kernel, Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// Operations in a slice.
const FUEL: i64 = 60_000;
/// Number of operations at their real cost. Later ones cost ten times as much, and then five hundred times.
const REAL: u64 = 200_000_000;
const CHEAP: u64 = 1_000_000_000;
/// How busy a GPU is while a model computes on it, in percent.
const GPU_LOAD: u32 = 90;
/// Memory of the interpreter itself, MiB.
const BASE_MEMORY: u64 = 9;
/// Maximum length of a program on standard input, bytes.
const MAX_SOURCE: usize = 1 << 20;
/// Maximum number of objects of a process.
const MAX_OBJECTS: usize = 12_000_000;

/// A Python process: plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PythonProcess {
    state: PyState,
    exec: Option<Exec>,
    ending: Option<Status>,
    memory: u64,
    /// The program, if it comes on standard input.
    input: Vec<u8>,
    /// The prompt of a terminal.
    prompt: Option<PyPrompt>,
}

impl PythonProcess {
    /// A process that executes a command line of `python`.
    #[must_use]
    pub fn new(exec: Exec) -> Self {
        Self {
            state: PyState::default(),
            exec: Some(exec),
            ending: None,
            memory: 0,
            input: Vec::new(),
            prompt: None,
        }
    }

    /// A process that runs a command line of `perl`, `Rscript` or `R`: the library has interpreters for parts of these
    /// languages.
    #[must_use]
    pub fn of_interpreter(exec: &Exec) -> Self {
        let name = exec.argv.first().and_then(|name| name.rsplit('/').next()).unwrap_or("");
        let program = match name {
            "R" => "import _r; _r.start('R')",
            "Rscript" => "import _r; _r.start('Rscript')",
            _ => "import _perl; _perl.start()",
        };
        let mut argv = vec![name.to_owned(), "-c".to_owned(), program.to_owned()];
        argv.extend(exec.argv.iter().skip(1).cloned());
        Self::new(Exec { argv, path: exec.path.clone(), env: exec.env.clone() })
    }

    /// Runs a slice. `born` gets the processes that it started.
    /// `forked` gets its copies.
    pub fn run(
        &mut self,
        kernel: &mut Kernel,
        pid: Pid,
        now: Time,
        born: &mut Vec<(Pid, Exec)>,
        forked: &mut Vec<(Pid, Self)>,
    ) -> SliceEnd {
        let reads = self.exec.as_ref().is_some_and(reads_program);
        let interactive = reads && kernel.fd_tty(pid, 0).is_some();
        if reads && !interactive {
            loop {
                match kernel.read(pid, 0, 65_536) {
                    Ok(data) if !data.is_empty() && self.input.len() < MAX_SOURCE => self.input.extend(data),
                    Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Readable(0)),
                    Ok(_) | Err(_) => break,
                }
            }
        }
        if self.state.alarm.is_some_and(|timer| timer.0 <= now) && !self.ring(kernel, pid) {
            return SliceEnd::Exit(Status::Signaled(Signal::ALRM));
        }
        let exec = self.exec.take();
        let input = std::mem::take(&mut self.input);
        let mut vm = PyVm {
            s: &mut self.state,
            kernel,
            pid,
            now,
            fuel: FUEL,
            nested: 0,
            born: Vec::new(),
            stuck: None,
            pause: false,
            too_large: false,
            for_change: false,
            forked: Vec::new(),
        };
        let before = vm.s.ops;
        let mut end = match (exec, self.ending) {
            (Some(exec), _) => match start(&mut vm, &exec, if interactive { None } else { Some(&input) }) {
                Ok(main) => {
                    if interactive {
                        let _ = vm.kernel.write(pid, 2, BANNER.as_bytes(), now);
                        self.prompt = Some(PyPrompt { main, ..PyPrompt::default() });
                    }
                    None
                }
                Err(stop) => Some(Err(stop)),
            },
            (None, Some(status)) => Some(Err(Stop::Exit(match status {
                Status::Exited(code) => code,
                Status::Signaled(_) => 1,
            }))),
            (None, None) => None,
        };
        // Output that a full pipe did not accept is written first.
        if let Err(stop) = vm.flush_stuck() {
            end = end.or(Some(Err(stop)));
        }
        if vm.stuck.is_none() && end.is_none() {
            end = Some(match &mut self.prompt {
                Some(prompt) => match vm.heed() {
                    Err(Stop::Raise(exception)) => vm.report(prompt, exception),
                    other => other,
                }
                .and_then(|()| vm.converse(prompt)),
                None => vm.heed().and_then(|()| vm.take_turns(false)),
            });
        }
        let stuck = vm.stuck;
        let (ops, spent) = (vm.s.ops, (FUEL - vm.fuel.max(0)).max(0));
        let outcome = match end {
            None => SliceEnd::Again,
            Some(Err(Stop::Fuel)) => SliceEnd::Again,
            Some(Err(Stop::Wait(wait))) => SliceEnd::Wait(wait),
            Some(result) => {
                let at_once = self.ending.is_none() && matches!(result, Err(Stop::Exit(_)));
                let status = match self.ending {
                    Some(status) => status,
                    None => vm.ended(result),
                };
                self.ending = Some(status);
                if at_once {
                    vm.drop_buffers();
                }
                let _ = vm.flush_all();
                match vm.stuck {
                    Some(fd) => SliceEnd::Wait(Wait::Writable(fd)),
                    None => SliceEnd::Exit(status),
                }
            }
        };
        born.append(&mut vm.born);
        for child in std::mem::take(&mut vm.forked) {
            let mut state = vm.s.clone();
            // The result of `fork` is on top.
            if let Some(top) = state.frames.last_mut().and_then(|f| f.stack.last_mut()) {
                *top = Py::Int(0);
            }
            state.gpus.clear();
            // The thread that forks is the only one in the copy.
            state.threads = PyThreads::default();
            state.alarm = None;
            let copy = Self { state, exec: None, ending: None, memory: 0, input: Vec::new(), prompt: None };
            forked.push((child, copy));
        }
        if vm.s.heap.wants_collection() {
            vm.collect();
        }
        let memory = BASE_MEMORY + vm.s.heap.bytes() / 1_048_576;
        if memory != self.memory {
            self.memory = memory;
            vm.kernel.set_memory(pid, memory);
        }
        if vm.s.heap.len() > MAX_OBJECTS || vm.too_large {
            let text = b"python: sandbatch computes with at most 12 million objects and 512 MiB\n";
            let _ = vm.kernel.write(pid, 2, text, now);
            return SliceEnd::Exit(Status::Signaled(Signal::KILL));
        }
        if std::mem::take(&mut vm.s.estimated) {
            vm.say_model();
        }
        let cost = cost(before, ops.max(before + spent.unsigned_abs()));
        let (work, gpu) = (std::mem::take(&mut vm.s.work), std::mem::take(&mut vm.s.gpu_work));
        let threads = if std::mem::take(&mut vm.s.threaded) { threads(&vm) } else { 1 };
        let gpu = gpu.saturating_mul(1000) / if gpu > 0 { vm.gpu_share() } else { 1000 };
        if !vm.s.gpus.is_empty() {
            vm.load_gpus(if gpu > 0 { GPU_LOAD } else { 0 });
        }
        let micros = |n: u64| Span(i64::try_from(n).unwrap_or(i64::MAX / 4));
        kernel.charge_cpu(pid, cost.0 + micros(work.saturating_add(gpu / 4)).0);
        let cost = cost + micros(work / threads) + micros(gpu);
        match outcome {
            SliceEnd::Again => match stuck {
                Some(fd) => SliceEnd::Wait(Wait::Writable(fd)),
                None => SliceEnd::Wait(Wait::Until(now + cost.max(Span(1)))),
            },
            SliceEnd::Wait(wait) => SliceEnd::Wait(match self.state.alarm {
                Some((at, _)) => Wait::Any(vec![wait, Wait::Until(at)]),
                None => wait,
            }),
            other => other,
        }
    }

    /// Sends SIGALRM to the process itself and sets the timer again: whether the process lives.
    fn ring(&mut self, kernel: &mut Kernel, pid: Pid) -> bool {
        let repeats = |timer: (Time, Span)| (timer.1.0 > 0).then(|| (timer.0 + timer.1, timer.1));
        self.state.alarm = self.state.alarm.and_then(repeats);
        let uid = kernel.process(pid).map(|p| p.origin.uid).unwrap_or_default();
        let sent = kernel.kill(uid, ProcessTarget::Process(pid), Some(Signal::ALRM));
        sent.is_ok() && kernel.has_signals(pid).is_some()
    }
}

/// Threads of libraries that use all of a process's cores.
fn threads(vm: &PyVm<'_>) -> u64 {
    let number = |name: &str| vm.s.env.iter().find(|e| e.0 == name).and_then(|e| e.1.parse::<u64>().ok());
    let cores = number("SLURM_CPUS_PER_TASK").or_else(|| number("SLURM_CPUS_ON_NODE")).unwrap_or(1);
    number("OMP_NUM_THREADS").map_or(cores, |n| n.min(cores)).clamp(1, 1024)
}

/// CPU time of operations, given the number before and after.
fn cost(before: u64, after: u64) -> Span {
    let factor = if before > CHEAP {
        500
    } else if before > REAL {
        10
    } else {
        1
    };
    let micros = (after - before) * factor * 1_000_000 / crate::OPERATIONS_PER_SECOND;
    Span(i64::try_from(micros).unwrap_or(i64::MAX))
}

impl PyVm<'_> {
    fn flush_stuck(&mut self) -> PyResult<()> {
        let ids: Vec<u32> = self.s.heap.all().filter(|(_, o)| matches!(o, PyObject::File(f) if !f.out.is_empty() && f.fd.is_some() && (f.out.len() > 8192 || f.by_line))).map(|o| o.0).collect();
        ids.into_iter().try_for_each(|id| self.flush_file(id))
    }

    /// Prints the traceback of a failed program, runs the exit hooks and returns the exit status.
    fn ended(&mut self, result: PyResult) -> Status {
        // `os._exit` ends the process at once.
        if let Err(Stop::Exit(code)) = result {
            return Status::Exited(code);
        }
        let hooks = std::mem::take(&mut self.s.exit_hooks);
        let mut status = match self.s.threads.outcome.take() {
            Some(status) => status,
            None => self.status(result),
        };
        self.fuel = FUEL;
        for hook in hooks.into_iter().rev() {
            if let Err(stop) = self.call_nested(hook, Vec::new(), Vec::new()) {
                status = self.status(Err(stop));
            }
        }
        status
    }

    pub(crate) fn status(&mut self, result: PyResult) -> Status {
        let exception = match result {
            Ok(_) => return Status::Exited(0),
            Err(Stop::Exit(code)) => return Status::Exited(code),
            Err(Stop::Raise(exception)) => exception,
            Err(_) => return Status::Exited(1),
        };
        let out = self.s.stdout;
        let _ = self.flush_file(out);
        if self.is_exception(exception, "SystemExit") {
            let args = self.instance_attr(exception, "args").unwrap_or(Py::None);
            let value = self.items(args).first().copied().unwrap_or(Py::None);
            return match value {
                Py::None => Status::Exited(0),
                Py::Bool(b) => Status::Exited(u8::from(b)),
                Py::Int(n) => Status::Exited(u8::try_from(n & 255).unwrap_or(1)),
                other => {
                    let text = self.str(other).unwrap_or_default();
                    let err = self.s.stderr;
                    let _ = self.write_file(err, format!("{text}\n").as_bytes());
                    Status::Exited(1)
                }
            };
        }
        let text = self.traceback(exception, 0, true);
        let err = self.s.stderr;
        let _ = self.write_file(err, text.as_bytes());
        if self.is_exception(exception, "KeyboardInterrupt") {
            Status::Signaled(Signal::INT)
        } else {
            Status::Exited(1)
        }
    }
}
