//! Runs processes in slices, and charges them virtual time.

use super::event::WorldEvent;
use super::image::{self, Image, Loaded};
use super::{CommandRun, InputResult, RunResult, World, run_file};
use base::ids::{Cgroup, NodeId, Pid, StepId, Uid};
use base::time::{Span, Time};
use commands::Slurm;
use host::kernel::{EXEC_COST, OpenFlags};
use host::memory::STEP;
use host::model::{Model, ModelInputs};
use host::{Errno, Exec, Kernel, KernelEvent, ProcessOrigin, SliceEnd, Status, Wait};
use python::PythonProcess;
use shell::{Born, ShellContext};
use slurmctld::Slurmctld;
use slurmctld::request::{Caller, Request, Response, Usage};
use slurmd::Slurmd;
use std::sync::Arc;

/// Shell ops per slice.
const FUEL: u32 = 2_000;
/// Consecutive slices that a process can use up for free, which makes typed commands immediate. Slices after that cost
/// time, so an endless loop does not stop the world.
const FREE_SLICES: u32 = 500;
/// Further slices. Each costs what a real shell takes for as many steps: a loop with a million
/// iterations ends within seconds.
const REAL_SLICES: u32 = 20_000;
/// The cost of such a slice, in microseconds.
const REAL_COST: Span = Span(200);
/// A process of a pipeline waits for the cost of this many slices at once.
const PIPELINE_SLICES: u32 = 16;
/// Further slices at a low cost. After these, each slice of an endless loop costs a second.
const CHEAP_SLICES: u32 = 22_000;

/// Passes requests from commands to slurmctld.
struct Router<'a> {
    ctld: &'a mut Slurmctld,
    slurmd: &'a mut Slurmd,
    now: Time,
}

impl Slurm for Router<'_> {
    fn request(&mut self, uid: Uid, request: Request) -> Response {
        let response = self.ctld.request(Caller { uid }, request, self.now);
        if let Response::Step(layout) = &response {
            self.slurmd.track(layout);
        }
        response
    }

    fn state(&self) -> &Slurmctld {
        self.ctld
    }

    fn adopt(&mut self, uid: Uid, node: NodeId, from: Cgroup) -> Option<Cgroup> {
        self.slurmd.adopt(self.ctld, uid, node, from)
    }

    fn usage(&self, kernel: &Kernel, step: StepId) -> Usage {
        self.slurmd.usage(kernel, self.ctld, step, self.now)
    }
}

impl World {
    /// Runs one slice of a process.
    pub(super) fn run_process(&mut self, pid: Pid) {
        let Some(image) = self.images.get_mut(pid) else { return };
        let (mut born, mut copies) = (Vec::new(), Vec::new());
        #[cfg(feature = "real-host")]
        if matches!(image, Image::RealHost) {
            return self.run_on_real_host(pid);
        }
        #[cfg(feature = "real-host")]
        let member = self.real_host.is_member(pid);
        #[cfg(feature = "real-host")]
        self.kernel.fs.reach_real_host(member);
        self.kernel.enter_host_of(pid, self.now);
        let modelled = matches!(image, Image::Model(_) | Image::Python(_));
        let (mut slices, mut grew) = (1_u32, false);
        let step = match image {
            Image::Shell(vm) => {
                let lowered = &mut self.lowered;
                let mut cx = ShellContext {
                    now: self.now,
                    pid,
                    kernel: &mut self.kernel,
                    lowered,
                    fuel: FUEL,
                    debt: 0,
                    grew: false,
                    born: Vec::new(),
                };
                let step = vm.run(&mut cx);
                slices = slices.saturating_add(cx.debt / FUEL);
                grew = cx.grew;
                born = cx.born;
                step
            }
            Image::Command(command) => {
                let before = command.memory::<dyn Slurm>();
                let mut router = Router { ctld: &mut self.ctld, slurmd: &mut self.slurmd, now: self.now };
                let step = command.run(&mut self.kernel, &mut router, pid, self.now, &mut born);
                slices = slices.saturating_add(command.take_work());
                grew = command.memory::<dyn Slurm>() / STEP > before / STEP;
                step
            }
            Image::Model(model) => model.run(&mut self.kernel, pid, self.now),
            Image::Python(process) => {
                let mut started = Vec::new();
                let mut forked = Vec::new();
                let end = process.run(&mut self.kernel, pid, self.now, &mut started, &mut forked);
                copies = forked;
                born.extend(started.into_iter().map(|(child, exec)| (child, Born::Exec(exec))));
                end
            }
            Image::Sleep(until) if self.now < *until => SliceEnd::Wait(Wait::Until(*until)),
            Image::Sleep(_) => SliceEnd::Exit(Status::Exited(0)),
            #[cfg(feature = "real-host")]
            Image::RealHost => SliceEnd::Again,
        };
        for (child, what) in born {
            #[cfg(feature = "real-host")]
            if member {
                self.join_real_host(child);
            }
            self.start_child(child, what);
        }
        for (child, copy) in copies {
            #[cfg(feature = "real-host")]
            if member {
                self.join_real_host(child);
            }
            self.put_image(child, Image::Python(Box::new(copy)));
            self.count_start(child);
        }
        let step = if grew { self.bounded_memory(pid, step) } else { step };
        // Work beyond a slice is charged before the process waits. It tries again afterwards.
        let step = if slices > 1 && matches!(step, SliceEnd::Wait(_)) { SliceEnd::Again } else { step };
        let burns = step == SliceEnd::Again;
        self.after_slice(pid, step, slices);
        #[cfg(feature = "real-host")]
        self.kernel.fs.reach_real_host(false);
        self.kernel.enter_login(self.now);
        if modelled {
            self.watch_memory(pid);
        }
        if modelled || burns {
            self.guard(pid);
        }
    }

    /// Sets the image that a process runs.
    pub(super) fn put_image(&mut self, pid: Pid, image: Image) {
        if matches!(image, Image::Command(_)) {
            self.clients.insert(pid);
        } else {
            self.clients.remove(&pid);
        }
        self.images.insert(pid, image);
    }

    fn start_child(&mut self, child: Pid, what: Born) {
        match what {
            Born::Shell(vm) => {
                self.put_image(child, Image::Shell(vm));
                self.count_start(child);
            }
            Born::Exec(exec) => self.exec(child, exec),
        }
    }

    /// Carries out the end of a slice. `slices`: how many slices its work was worth.
    pub(super) fn after_slice(&mut self, pid: Pid, step: SliceEnd, slices: u32) {
        if !self.kernel.alive(pid) {
            return;
        }
        match step {
            SliceEnd::Again => self.charge(pid, slices),
            // A builtin that goes on at once has used up its slice.
            SliceEnd::Wait(Wait::Until(at)) if at <= self.now => self.charge(pid, slices),
            SliceEnd::Wait(wait) => {
                let wait = self.pause(pid, &wait).unwrap_or(wait);
                self.kernel.block(pid, wait);
            }
            SliceEnd::Exit(status) => {
                self.count_slices(pid, slices);
                self.kernel.exit(pid, status);
            }
            SliceEnd::Exec(exec) => self.exec(pid, exec),
        }
    }

    /// A process that waits is not busy, so its next slices are free again. The exception is waiting for the other end
    /// of a pipe, since the processes of a pipeline keep each other busy: these slices are counted, and beyond the free
    /// ones the process waits for their cost at times ([`PIPELINE_SLICES`]). Otherwise a pipeline that never ends, none of
    /// whose members uses up a slice, would stop the world. Such a process is still never slowed down as much as an endless
    /// loop, which does not wait. Returns what to wait for instead.
    fn pause(&mut self, pid: Pid, wait: &Wait) -> Option<Wait> {
        let in_pipeline = match wait {
            Wait::Readable(fd) | Wait::Writable(fd) => self.kernel.is_pipe(pid, *fd),
            Wait::Child | Wait::Until(_) | Wait::Wakeup | Wait::Watched | Wait::Any(_) => false,
        };
        if !in_pipeline {
            self.burning.remove(&pid);
            return self.count_wait(pid, wait);
        }
        let burnt = self.burning.entry(pid).or_default();
        *burnt = if *burnt < REAL_SLICES { *burnt + 1 } else { REAL_SLICES + 1 - PIPELINE_SLICES };
        if *burnt <= FREE_SLICES {
            return self.count_wait(pid, wait);
        }
        if !burnt.is_multiple_of(PIPELINE_SLICES) {
            return None;
        }
        let (_, others) = self.burning_beside(pid);
        let cost = REAL_COST.0 * i64::from(PIPELINE_SLICES);
        self.kernel.charge_cpu(pid, cost);
        Some(Wait::Until(self.now + Span(cost * i64::from(1 + others))))
    }

    /// Charges a process that used up its slice: nothing at first, then increasing amounts up to a second of
    /// virtual time per slice. Work that was worth several slices costs as much as these.
    fn charge(&mut self, pid: Pid, slices: u32) {
        let (shared, others) = self.burning_beside(pid);
        let burnt = self.burning.entry(pid).or_default();
        let before = burnt.saturating_add(shared);
        *burnt = burnt.saturating_add(slices);
        let burnt = burnt.saturating_add(shared);
        if (before..burnt).contains(&(CHEAP_SLICES - 1)) {
            self.report_slowdown(pid);
        }
        let cost = match burnt {
            n if n <= FREE_SLICES => {
                return match self.count_slices(pid, slices) {
                    Some(due) => self.kernel.block(pid, Wait::Until(due)),
                    None => self.kernel.requeue(pid),
                };
            }
            n if n <= REAL_SLICES => REAL_COST,
            n if n <= CHEAP_SLICES => Span::from_millis(5),
            _ => Span::from_secs(1),
        };
        let cost = cost.0.saturating_mul(slices.into());
        self.kernel.charge_cpu(pid, cost);
        self.kernel.block(pid, Wait::Until(self.now + Span(cost.saturating_mul(i64::from(1 + others)))));
    }

    /// Ends a shell or command that has grown beyond what a process, its user or all users together may hold.
    fn bounded_memory(&mut self, pid: Pid, step: SliceEnd) -> SliceEnd {
        let held = |image: &Image| match image {
            Image::Shell(vm) => vm.memory(),
            Image::Command(command) => command.memory::<dyn Slurm>(),
            // Models hold nothing, and Python counts its own heap.
            Image::Sleep(_) | Image::Model(_) | Image::Python(_) => 0,
            #[cfg(feature = "real-host")]
            Image::RealHost => 0,
        };
        let uid = |pid: Pid| self.kernel.process(pid).map(|process| process.origin.uid);
        let user = uid(pid);
        let (mut own, mut users, mut all) = (0_u64, 0_u64, 0_u64);
        for (number, image) in self.images.iter() {
            let (other, bytes) = (Pid(u32::try_from(number).unwrap_or(u32::MAX)), held(image));
            all = all.saturating_add(bytes);
            if uid(other) == user {
                users = users.saturating_add(bytes);
            }
            if other == pid {
                own = bytes;
            }
        }
        let most = self.kernel.memory_bounds;
        if own <= most.process && users <= most.user && all <= most.all {
            return step;
        }
        match self.images.get_mut(pid) {
            Some(Image::Command(command)) => command.run_out_of_memory(),
            Some(Image::Shell(_)) => {
                let text = b"bash: xrealloc: cannot allocate memory\n";
                let _ = self.kernel.write(pid, 2, text, self.now);
                SliceEnd::Exit(Status::Exited(2))
            }
            Some(_) | None => step,
        }
    }

    /// Replaces the program of a process, or ends it if the file cannot be executed.
    pub(super) fn exec(&mut self, pid: Pid, exec: Exec) {
        #[cfg(feature = "real-host")]
        if self.runs_on_real_host(pid, &exec) {
            return self.exec_on_real_host(pid, exec);
        }
        self.exec_inside(pid, exec);
    }

    /// Replaces the program of a process by one of the simulation.
    pub(super) fn exec_inside(&mut self, pid: Pid, exec: Exec) {
        let view = self.kernel.enter_host_of(pid, self.now);
        let fits = if Exec::is_too_long(&exec.argv, &exec.env) { Err(Errno::E2BIG) } else { Ok(()) };
        let loaded = fits.and_then(|()| image::load(&self.kernel, pid, &exec, self.now));
        let loaded = loaded.map(|loaded| match loaded {
            Loaded::Image(image) => image,
            Loaded::Model(exec) => self.model(pid, &exec),
        });
        self.kernel.fs.back(view);
        match loaded {
            Ok(image) => {
                self.kernel.exec(pid, exec.argv);
                self.kernel.charge_cpu(pid, EXEC_COST);
                let sleeps = if let Image::Sleep(until) = image { Some(until) } else { None };
                self.put_image(pid, image);
                match sleeps.filter(|until| *until > self.now) {
                    Some(until) => self.kernel.rest_until(pid, until),
                    None => self.kernel.wake(pid),
                }
                self.count_start(pid);
            }
            Err(error) => {
                let name = exec.argv.first().map_or(exec.path.as_str(), String::as_str);
                let text = if error == Errno::ENOENT && exec.path == name {
                    format!("{name}: cannot execute: required file not found\n")
                } else {
                    format!("{name}: {error}\n")
                };
                let _ = self.kernel.write(pid, 2, text.as_bytes(), self.now);
                let code = if error == Errno::ENOENT { 127 } else { 126 };
                self.kernel.exit(pid, Status::Exited(code));
            }
        }
    }

    fn model(&self, pid: Pid, exec: &Exec) -> Image {
        let script = self.script_of(pid);
        let setting =
            ModelInputs { script: script.as_deref().map(Vec::as_slice), seed: self.seed, now: self.now };
        if Model::is_computed(&self.kernel, pid, exec, setting) {
            return Image::Python(Box::new(PythonProcess::new(exec.clone())));
        }
        if Model::is_interpreted(&self.kernel, pid, exec, setting) {
            return Image::Python(Box::new(PythonProcess::of_interpreter(exec)));
        }
        if let Some(computed) = commands::programs::native::start(&self.kernel, pid, exec, setting) {
            return Image::Model(Box::new(computed));
        }
        Image::Model(Box::new(Model::start(&self.kernel, pid, exec, setting)))
    }

    /// The script of the job that a process belongs to.
    fn script_of(&self, pid: Pid) -> Option<Arc<Vec<u8>>> {
        let job = self.slurmd.job_of(self.kernel.process(pid)?.origin.cgroup)?;
        self.ctld.job(job)?.desc.script.clone()
    }

    /// Handles the kernel's events: ended processes and alarms.
    pub(super) fn take_kernel_events(&mut self) {
        for _ in 0..self.kernel.pending_events() {
            let Some(notice) = self.kernel.next_notice() else { return };
            match notice {
                KernelEvent::Alarm { at, pid, ticket } => {
                    self.queue.push(at.max(self.now), WorldEvent::Wake { pid, ticket })
                }
                KernelEvent::Exited { pid, cgroup, task, load, status } => {
                    self.kernel.end_load(pid, cgroup, task, load, self.now);
                    if task == pid {
                        self.task_over(cgroup);
                    }
                    self.mourn(pid, cgroup, status);
                }
                KernelEvent::Stopped { pid, yes } => {
                    #[cfg(feature = "real-host")]
                    self.stop_on_real_host(pid, yes);
                    if let Some(Image::Model(model)) = self.images.get_mut(pid) {
                        model.stop(&mut self.kernel, pid, yes, self.now);
                    }
                }
            }
        }
    }

    fn mourn(&mut self, pid: Pid, cgroup: Cgroup, status: Status) {
        #[cfg(feature = "real-host")]
        self.real_host_ended(pid, status);
        self.images.remove(pid);
        self.clients.remove(&pid);
        self.burning.remove(&pid);
        self.shares.forget(pid);
        self.guarded.remove(&pid);
        self.program_ended(pid, status);
        if let Some(job) = self.slurmd.batch_job(pid) {
            self.batch_ended(job, status);
        }
        for run in self.runs.iter_mut().filter(|r| r.pid == pid) {
            run.result.exit = Some(status.shell_code());
        }
        if let Some((tty, _)) = self.terminals.iter().find(|(_, shell)| **shell == pid) {
            self.last_logout = Some((*tty, status.shell_code()));
        }
        if let Some(job) = self.slurmd.dying_job(cgroup) {
            self.report_clear(job);
        }
    }

    /// Starts a login shell on a new terminal.
    pub(super) fn login(&mut self, user: &str, columns: u16, rows: u16) -> InputResult {
        let Some(uid) = self.kernel.users.by_name(user).map(|u| u.uid) else {
            return InputResult::Refused(format!("no user {user}"));
        };
        let home = self.home(uid);
        let tty = self.kernel.new_tty();
        if let Some(tty) = self.kernel.tty_mut(tty) {
            tty.columns = columns;
            tty.rows = rows;
        }
        let spawned = self.spawn_shell((uid, home), vec!["-bash".to_owned()], |kernel, pid| {
            for _ in 0..3 {
                kernel.open_tty(pid, tty)?;
            }
            if let Some(process) = kernel.process_mut(pid) {
                process.tty = Some(tty);
            }
            kernel.set_group(pid, pid);
            if let Some(tty) = kernel.tty_mut(tty) {
                tty.foreground = Some(pid);
            }
            Ok(())
        });
        match spawned {
            Ok(pid) => {
                self.terminals.insert(tty, pid);
                InputResult::Terminal(tty)
            }
            Err(error) => InputResult::Refused(error.to_string()),
        }
    }

    /// Starts a command without a terminal. Its output is kept in files.
    pub(super) fn start_run(&mut self, user: &str, command: &str) -> InputResult {
        let Some(uid) = self.kernel.users.by_name(user).map(|u| u.uid) else {
            return InputResult::Refused(format!("no user {user}"));
        };
        let number = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        let now = self.now;
        let argv = vec!["bash".to_owned(), "-c".to_owned(), command.to_owned()];
        // The recorded sessions of root were typed in /tmp.
        let cwd = if uid == Uid(0) { "/tmp".to_owned() } else { self.home(uid) };
        let spawned = self.spawn_shell((uid, cwd), argv, |kernel, pid| {
            let read = OpenFlags { read: true, ..OpenFlags::default() };
            kernel.open(pid, "/dev/null", read, 0, now)?;
            for kind in ["out", "err"] {
                let file = run_file(number, kind);
                kernel.fs.write(Uid(0), &file, b"", 0o600, now)?;
                kernel.fs.chown(Uid(0), &file, uid)?;
                let write = OpenFlags { write: true, append: true, ..OpenFlags::default() };
                kernel.open(pid, &file, write, 0, now)?;
            }
            Ok(())
        });
        match spawned {
            Ok(pid) => {
                self.runs.push(CommandRun { pid, result: RunResult::default() });
                InputResult::Run(number)
            }
            Err(error) => InputResult::Refused(error.to_string()),
        }
    }

    fn home(&self, uid: Uid) -> String {
        self.kernel.users.by_uid(uid).map_or("/", |u| u.home.as_str()).to_owned()
    }

    fn spawn_shell(
        &mut self,
        (uid, cwd): (Uid, String),
        argv: Vec<String>,
        open: impl FnOnce(&mut Kernel, Pid) -> Result<(), Errno>,
    ) -> Result<Pid, Errno> {
        let host = Arc::clone(&self.kernel.login);
        let env = self.kernel.login_env(uid, &host);
        let origin = ProcessOrigin { uid, host, cgroup: Cgroup(0) };
        let pid = self.kernel.spawn(origin, &cwd, argv.clone(), self.now)?;
        if let Err(error) = open(&mut self.kernel, pid) {
            self.kernel.exit(pid, Status::Exited(1));
            return Err(error);
        }
        let mut env = env;
        env.insert("PWD".to_owned(), cwd);
        self.exec(pid, Exec { path: "/usr/bin/bash".to_owned(), argv, env: Arc::new(env) });
        self.settle();
        Ok(pid)
    }
}
