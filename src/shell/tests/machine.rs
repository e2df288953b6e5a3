//! A test machine: a kernel, shells, and a few programs that read all of their input at once.

use crate::{Born, ShellContext, ShellInput, Vm};
use base::ids::{Cgroup, Pid, Uid};
use base::time::{Span, Time};
use host::tty::TtyId;
use host::users::Users;
use host::{Errno, Exec, Kernel, KernelEvent, ProcessOrigin, SliceEnd, Status, Wait};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Eq)]
pub struct ScriptResult {
    pub out: String,
    pub err: String,
    pub code: i32,
}

enum TestProcess {
    Shell(Box<Vm>),
    Program { exec: Exec, input: Vec<u8>, output: Option<(Vec<u8>, u8)>, until: Option<Time> },
}

pub struct TestMachine {
    pub kernel: Kernel,
    images: BTreeMap<Pid, TestProcess>,
    pub now: Time,
    alarms: Vec<(Time, Pid, u32)>,
    ended: BTreeMap<Pid, Status>,
    lowered: crate::Lowered,
    /// Serialise and deserialise every shell between two slices.
    pub saves: bool,
}

const PROGRAMS: [&str; 12] =
    ["cat", "sleep", "seq", "env", "wc", "head", "sort", "rm", "touch", "mkdir", "bash", "chmod"];

impl TestMachine {
    pub fn new() -> Self {
        let now = Time::from_secs(1_795_240_460);
        let mut kernel = Kernel::new(Users::new(["alice"]), "login", now);
        for program in PROGRAMS {
            kernel.fs.install(&format!("/usr/bin/{program}"), program, now).unwrap();
        }
        Self {
            kernel,
            images: BTreeMap::new(),
            now,
            alarms: Vec::new(),
            ended: BTreeMap::new(),
            lowered: Default::default(),
            saves: true,
        }
    }

    fn spawn(&mut self) -> Pid {
        let origin = ProcessOrigin { uid: Uid(1001), host: "login".into(), cgroup: Cgroup(0) };
        self.kernel.spawn(origin, "/home/alice", vec!["bash".into()], self.now).unwrap()
    }

    /// Runs `bash -c script` as alice in her home directory.
    pub fn run(&mut self, script: &str) -> ScriptResult {
        let pid = self.spawn();
        let write = host::kernel::OpenFlags { write: true, create: true, append: true, ..Default::default() };
        let read = host::kernel::OpenFlags { read: true, ..Default::default() };
        self.kernel.open(pid, "/dev/null", read, 0, self.now).unwrap();
        for file in ["/tmp/.out", "/tmp/.err"] {
            self.kernel.open(pid, file, write, 0o600, self.now).unwrap();
        }
        let env = [("HOME", "/home/alice"), ("PATH", "/usr/bin:/bin")];
        let env = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let vm = Vm::new(ShellInput::Text(script.into()), vec!["bash".into()], &env);
        self.images.insert(pid, TestProcess::Shell(Box::new(vm)));
        self.settle(Span::from_secs(100_000));
        let text = |m: &Self, path: &str| {
            String::from_utf8_lossy(&m.kernel.fs.read(Uid(0), path).unwrap()).into_owned()
        };
        let code = self.ended.get(&pid).map_or(-1, |s| i32::from(s.shell_code()));
        ScriptResult { out: text(self, "/tmp/.out"), err: text(self, "/tmp/.err"), code }
    }

    /// Starts a login shell on a terminal.
    pub fn login(&mut self) -> (Pid, TtyId) {
        let pid = self.spawn();
        let tty = self.kernel.new_tty();
        for _ in 0..3 {
            self.kernel.open_tty(pid, tty).unwrap();
        }
        self.kernel.process_mut(pid).unwrap().tty = Some(tty);
        let env = self.kernel.login_env(Uid(1001), "login");
        let vm = Vm::new(ShellInput::Interactive { login: true }, vec!["-bash".into()], &env);
        self.images.insert(pid, TestProcess::Shell(Box::new(vm)));
        self.settle(Span::from_secs(1));
        (pid, tty)
    }

    /// Types at a terminal and returns the output of the next `secs` seconds.
    pub fn type_at(&mut self, tty: TtyId, text: &str, secs: i64) -> String {
        self.kernel.tty_input(tty, text.as_bytes());
        self.settle(Span::from_secs(secs));
        String::from_utf8_lossy(&self.kernel.take_tty_output(tty)).into_owned()
    }

    pub fn shell(&self, pid: Pid) -> Option<&Vm> {
        match self.images.get(&pid) {
            Some(TestProcess::Shell(vm)) => Some(vm),
            Some(TestProcess::Program { .. }) | None => None,
        }
    }

    pub fn process_count(&self) -> usize {
        self.kernel.processes().count()
    }

    /// Runs until idle, or for at most `most`.
    pub fn settle(&mut self, most: Span) {
        let end = self.now + most;
        let mut slices = 0_u64;
        loop {
            while let Some(pid) = self.kernel.next_ready() {
                self.slice(pid);
                slices += 1;
                assert!(slices < 3_000_000, "it does not come to an end");
            }
            self.alarms.sort_by_key(|(at, ..)| *at);
            let Some((at, pid, ticket)) = self.alarms.first().copied() else { return };
            if at > end {
                self.now = end;
                return;
            }
            self.alarms.remove(0);
            self.now = self.now.max(at);
            self.kernel.alarm(pid, ticket);
        }
    }

    fn slice(&mut self, pid: Pid) {
        let Some(mut image) = self.images.remove(&pid) else { return };
        let (step, born) = match &mut image {
            TestProcess::Shell(vm) => {
                if self.saves {
                    let bytes = postcard::to_allocvec(&**vm).unwrap();
                    **vm = postcard::from_bytes(&bytes).unwrap();
                }
                let mut cx = ShellContext {
                    now: self.now,
                    pid,
                    kernel: &mut self.kernel,
                    lowered: &mut self.lowered,
                    fuel: 2000,
                    debt: 0,
                    grew: false,
                    born: Vec::new(),
                };
                let step = vm.run(&mut cx);
                (step, cx.born)
            }
            TestProcess::Program { exec, input, output, until } => {
                (program(&mut self.kernel, pid, self.now, exec, input, output, until), Vec::new())
            }
        };
        for (child, what) in born {
            match what {
                Born::Shell(vm) => {
                    self.images.insert(child, TestProcess::Shell(vm));
                }
                Born::Exec(exec) => self.exec(child, exec),
            }
        }
        if self.kernel.alive(pid) {
            match step {
                SliceEnd::Again => {
                    self.images.insert(pid, image);
                    self.kernel.requeue(pid);
                }
                SliceEnd::Wait(wait) => {
                    self.images.insert(pid, image);
                    self.kernel.block(pid, wait);
                }
                SliceEnd::Exit(status) => self.kernel.exit(pid, status),
                SliceEnd::Exec(exec) => self.exec(pid, exec),
            }
        }
        for notice in self.kernel.take_notices() {
            match notice {
                KernelEvent::Alarm { at, pid, ticket } => self.alarms.push((at, pid, ticket)),
                KernelEvent::Stopped { .. } => {}
                KernelEvent::Exited { pid, status, .. } => {
                    self.images.remove(&pid);
                    self.ended.insert(pid, status);
                }
            }
        }
    }

    fn exec(&mut self, pid: Pid, exec: Exec) {
        self.kernel.exec(pid, exec.argv.clone());
        let ino = self.kernel.fs.lookup(Uid(0), &exec.path).unwrap();
        let script = match &self.kernel.fs.inode(ino).unwrap().node {
            host::fs::InodeContent::File(text) => Some(text.clone()),
            _ => None,
        };
        let image = match (&script, exec.argv.as_slice()) {
            (Some(text), argv) => {
                let mut args = argv.to_vec();
                args[0].clone_from(&exec.path);
                TestProcess::Shell(Box::new(Vm::new(ShellInput::Script(text.to_vec()), args, &exec.env)))
            }
            (None, [name, option, text, args @ ..]) if name == "bash" && option == "-c" => {
                let args = if args.is_empty() { vec!["bash".into()] } else { args.to_vec() };
                TestProcess::Shell(Box::new(Vm::new(ShellInput::Text(text.clone()), args, &exec.env)))
            }
            (None, [name]) if name == "bash" => {
                TestProcess::Shell(Box::new(Vm::new(ShellInput::Stdin, vec!["bash".into()], &exec.env)))
            }
            (None, [name, file, ..]) if name == "bash" => {
                let cwd = self.kernel.process(pid).unwrap().cwd.to_string();
                let text = self.kernel.fs.read(Uid(0), &host::path::join(&cwd, file)).unwrap_or_default();
                let args = exec.argv[1..].to_vec();
                TestProcess::Shell(Box::new(Vm::new(ShellInput::Script(text.to_vec()), args, &exec.env)))
            }
            (None, _) => TestProcess::Program { exec, input: Vec::new(), output: None, until: None },
        };
        self.images.insert(pid, image);
        self.kernel.wake(pid);
    }
}

fn program(
    kernel: &mut Kernel,
    pid: Pid,
    now: Time,
    exec: &Exec,
    input: &mut Vec<u8>,
    output: &mut Option<(Vec<u8>, u8)>,
    until: &mut Option<Time>,
) -> SliceEnd {
    let name = host::path::base_name(&exec.path).to_owned();
    let args = &exec.argv[1..];
    let files = args.iter().any(|a| !a.starts_with('-'));
    if output.is_none() && !files && matches!(name.as_str(), "cat" | "wc" | "head" | "sort") {
        let enough = |input: &[u8]| name == "head" && input.iter().filter(|b| **b == b'\n').count() >= 10;
        while !enough(input) {
            match kernel.read(pid, 0, 65_536) {
                Ok(bytes) if bytes.is_empty() => break,
                Ok(bytes) => input.extend(bytes),
                Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Readable(0)),
                Err(_) => break,
            }
        }
    }
    if name == "sleep" {
        let micros = args.first().and_then(|a| a.parse::<f64>().ok()).unwrap_or(0.0) * 1e6;
        let end = *until.get_or_insert(now + Span(micros as i64));
        return if now >= end { SliceEnd::Exit(Status::Exited(0)) } else { SliceEnd::Wait(Wait::Until(end)) };
    }
    let (bytes, code) = output.get_or_insert_with(|| result(kernel, pid, now, &name, args, exec, input));
    while !bytes.is_empty() {
        match kernel.write(pid, 1, bytes, now) {
            Ok(count) => {
                bytes.drain(..count);
            }
            Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Writable(1)),
            Err(_) => return SliceEnd::Exit(Status::Exited(1)),
        }
    }
    SliceEnd::Exit(Status::Exited(*code))
}

fn result(
    kernel: &mut Kernel,
    pid: Pid,
    now: Time,
    name: &str,
    args: &[String],
    exec: &Exec,
    input: &[u8],
) -> (Vec<u8>, u8) {
    let process = kernel.process(pid).unwrap();
    let (uid, cwd) = (process.origin.uid, process.cwd.clone());
    let at = |path: &String| host::path::join(&cwd, path);
    let names = || args.iter().filter(|a| !a.starts_with('-') && a.parse::<u32>().is_err());
    let mut data = input.to_vec();
    let mut code = 0;
    if matches!(name, "cat" | "wc" | "head" | "sort") {
        for file in names() {
            let opened =
                kernel.open(pid, file, host::kernel::OpenFlags { read: true, ..Default::default() }, 0, now);
            match opened.and_then(|fd| kernel.read(pid, fd, 100 << 20)) {
                Ok(text) => data.extend(text),
                Err(_) => code = 1,
            }
        }
    }
    let text = String::from_utf8_lossy(&data).into_owned();
    let number = |default: i64| {
        args.iter().rev().find_map(|a| a.trim_start_matches("-n").parse::<i64>().ok()).unwrap_or(default)
    };
    let out = match name {
        "cat" => data,
        "wc" if args.iter().any(|a| a == "-c") => format!("{}\n", data.len()).into_bytes(),
        "wc" => format!("{}\n", text.lines().count()).into_bytes(),
        "head" => text
            .split_inclusive('\n')
            .take(usize::try_from(number(10).abs()).unwrap())
            .collect::<String>()
            .into_bytes(),
        "sort" => {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines.iter().map(|l| format!("{l}\n")).collect::<String>().into_bytes()
        }
        "seq" => {
            let numbers: Vec<i64> = args.iter().filter_map(|a| a.parse().ok()).collect();
            let (from, to) = if numbers.len() > 1 { (numbers[0], numbers[1]) } else { (1, numbers[0]) };
            (from..=to).map(|n| format!("{n}\n")).collect::<String>().into_bytes()
        }
        "env" => exec.env.iter().map(|(k, v)| format!("{k}={v}\n")).collect::<String>().into_bytes(),
        "rm" => {
            for file in names() {
                let _ = kernel.fs.unlink(uid, &at(file), now);
            }
            Vec::new()
        }
        "touch" => {
            for file in names() {
                let _ = kernel.fs.create(uid, &at(file), 0o644, now);
            }
            Vec::new()
        }
        "mkdir" => {
            for file in names() {
                let _ = kernel.fs.mkdir(uid, &at(file), 0o755, now);
            }
            Vec::new()
        }
        "chmod" => {
            for file in names() {
                let _ = kernel.fs.chmod(uid, &at(file), 0o755);
            }
            Vec::new()
        }
        _ => Vec::new(),
    };
    (out, code)
}
