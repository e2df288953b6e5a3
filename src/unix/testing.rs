//! A minimal world for tests of commands: one user, one process at a time.

use crate::{CommandSet, ComputeHost, Hosts, Running, STDERR, STDIN, STDOUT, TABLE, UnixMachine};
use base::ids::{Cgroup, Pid, Uid};
use base::time::Time;
use host::kernel::OpenFlags;
use host::tty::TtyId;
use host::users::Users;
use host::{Env, Exec, Kernel, ProcessOrigin, SliceEnd, Wait};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A single host, without a cluster around it.
pub struct NoHosts;

impl Hosts for NoHosts {
    fn host(&self, _name: &str) -> Option<ComputeHost> {
        None
    }
    fn adopt(&mut self, _uid: Uid, _host: &str, _from: Cgroup) -> Option<Cgroup> {
        None
    }
    fn power_off(&mut self, _host: &str) {}
    fn power_on(&mut self, _host: &str) {}
}

/// The result of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandResult {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// Exit code as shown by a shell.
    pub code: u8,
}

/// A host with the user alice.
pub struct Host {
    /// The system.
    pub kernel: Kernel,
    /// Virtual time. Running commands advances it.
    pub now: Time,
    /// The environment of commands.
    pub env: Env,
    /// The most memory that the last command held between two slices.
    pub memory: u64,
    /// Differences from the machine's own commands. The test fails with all of them at its end.
    differences: Vec<String>,
}

impl Drop for Host {
    fn drop(&mut self) {
        assert!(self.differences.is_empty() || std::thread::panicking(), "{}", self.differences.concat());
    }
}

impl Default for Host {
    fn default() -> Self {
        // Sat Nov 21 05:54:28 UTC 2026
        let now = Time::from_secs(1_795_240_468);
        let mut kernel = Kernel::new(Users::new(["alice", "bob"]), "login01", now);
        for command in TABLE {
            let _ = kernel.fs.install(&format!("/usr/bin/{}", command.name), command.name, now);
        }
        let env = BTreeMap::from([
            ("HOME".to_owned(), "/home/alice".to_owned()),
            ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
        ]);
        Self { kernel, now, env, memory: 0, differences: Vec::new() }
    }
}

/// A program that runs on a terminal.
pub struct TestTerminal {
    /// Its process.
    pub pid: Pid,
    /// Its terminal.
    pub tty: TtyId,
    /// Its state.
    pub running: Running<UnixMachine>,
    /// Its exit code, once it has ended.
    pub code: Option<u8>,
}

impl TestTerminal {
    /// Types, and lets the program run until it waits. Returns what it draws.
    pub fn keys(&mut self, host: &mut Host, keys: &str) -> String {
        host.kernel.tty_input(self.tty, keys.as_bytes());
        self.settle(host);
        String::from_utf8(host.kernel.take_tty_output(self.tty)).unwrap()
    }

    /// Lets the program run until it waits.
    pub fn settle(&mut self, host: &mut Host) {
        let mut born = Vec::new();
        for _ in 0..1000 {
            if self.code.is_some() || host.kernel.process(self.pid).is_none_or(|process| process.stopped()) {
                return;
            }
            match self.running.run(
                &mut host.kernel,
                &mut NoHosts as &mut dyn Hosts,
                self.pid,
                host.now,
                &mut born,
            ) {
                SliceEnd::Again => {}
                SliceEnd::Wait(_) => return,
                SliceEnd::Exec(exec) => panic!("an editor runs {exec:?}"),
                SliceEnd::Exit(status) => {
                    self.code = Some(status.shell_code());
                    host.kernel.exit(self.pid, status);
                }
            }
        }
        panic!("the program does not wait")
    }
}

/// Keys, a text, and the text after them, from a file: `### KEYS`, lines after `| `, `=>`, lines.
pub struct EditorCases {
    file: String,
    cases: Vec<(String, String, String)>,
}

impl EditorCases {
    /// Reads a file.
    pub fn read(file: &str) -> Self {
        let mut cases: Vec<(String, String, String)> = Vec::new();
        let mut is_after = false;
        for line in std::fs::read_to_string(file).unwrap().lines() {
            if let Some(keys) = line.strip_prefix("### ") {
                cases.push((keys.to_owned(), String::new(), String::new()));
                is_after = false;
                continue;
            }
            let (_, before, after) = cases.last_mut().unwrap();
            match line.strip_prefix("| ") {
                Some(line) => {
                    let text = if is_after { after } else { before };
                    text.push_str(&format!("{line}\n"));
                }
                None => is_after = true,
            }
        }
        Self { file: file.to_owned(), cases }
    }

    /// Writes the file again, with what a program leaves.
    pub fn record(&mut self, program: impl Fn(&str, &str) -> String) {
        let mut text = String::new();
        for (keys, before, after) in &mut self.cases {
            *after = program(keys, before);
            text.push_str(&format!("### {keys}\n{}=>\n{}", with_marks(before), with_marks(after)));
        }
        std::fs::write(&self.file, text).unwrap();
    }

    /// Asserts that another program leaves the same.
    pub fn compare(&self, program: impl Fn(&str, &str) -> String) {
        let mut differences = Vec::new();
        for (keys, before, after) in &self.cases {
            let ours = program(keys, before);
            if ours != *after {
                differences.push(format!("{keys}\nours\n{}real\n{}", with_marks(&ours), with_marks(after)));
            }
        }
        assert!(!self.cases.is_empty());
        assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
    }
}

fn with_marks(text: &str) -> String {
    text.lines().map(|line| format!("| {line}\n")).collect()
}

/// Keys from a notation like vim's: `ihello<Esc>`, `<C-r>`, `<CR>`, `<Up>`.
pub fn keys_of(notation: &str) -> String {
    let mut keys = notation.to_owned();
    let names = [
        ("<Esc>", "\x1b"),
        ("<CR>", "\n"),
        ("<Tab>", "\t"),
        ("<BS>", "\x7f"),
        ("<Del>", "\x1b[3~"),
        ("<Up>", "\x1b[A"),
        ("<Down>", "\x1b[B"),
        ("<Right>", "\x1b[C"),
        ("<Left>", "\x1b[D"),
        ("<Home>", "\x1b[H"),
        ("<End>", "\x1b[F"),
        ("<PageUp>", "\x1b[5~"),
        ("<PageDown>", "\x1b[6~"),
    ];
    for (name, bytes) in names {
        keys = keys.replace(name, bytes);
    }
    for letter in 'a'..='z' {
        let control = char::from(letter as u8 & 0x1f).to_string();
        keys = keys.replace(&format!("<C-{letter}>"), &control);
        keys = keys.replace(&format!("<M-{letter}>"), &format!("\x1b{letter}"));
    }
    keys
}

/// Runs the machine's own program in an empty directory with these files, in the C locale and UTC.
pub fn real(argv: &[&str], input: &str, files: &[(&str, &str)]) -> CommandResult {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("sandbatch-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for (name, text) in files {
        std::fs::write(dir.join(name), text).unwrap();
    }
    // A file like ours: `wc` asks for its size.
    let input_file = dir.with_extension("in");
    std::fs::write(&input_file, input).unwrap();
    let child = std::process::Command::new(argv[0])
        .args(&argv[1..])
        .current_dir(&dir)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(std::fs::File::open(&input_file).unwrap())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    std::fs::remove_file(&input_file).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = u8::try_from(output.status.code().unwrap_or(255)).unwrap();
    CommandResult { out: text(&output.stdout), err: text(&output.stderr), code }
}

impl Host {
    /// Asserts that the command's output and exit code equal those of the machine's own. For standard error,
    /// only whether it is empty is compared, because messages differ between locales and versions.
    pub fn same(&mut self, argv: &[&str], input: &str, files: &[(&str, &str)]) {
        let real = real(argv, input, files);
        let ran = self.run_in(argv, input);
        // Every awk has its own exit codes for errors.
        let code = |code: u8| if argv.first() == Some(&"awk") { code.min(1) } else { code };
        let same = (&ran.out, code(ran.code), ran.err.is_empty())
            == (&real.out, code(real.code), real.err.is_empty());
        if !same {
            self.differences.push(format!("{argv:?}\n  ours {ran:?}\n  real {real:?}\n"));
        }
    }

    /// A host with these files in alice's home.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let mut host = Self::default();
        for (name, text) in files {
            host.file(name, text);
        }
        host
    }

    /// Writes a file into alice's home.
    pub fn file(&mut self, name: &str, text: &str) {
        let path = format!("/home/alice/{name}");
        self.kernel.fs.write(Uid(1001), &path, text.as_bytes(), 0o644, self.now).unwrap();
    }

    /// The content of a file in alice's home.
    pub fn cat(&self, name: &str) -> String {
        let data = self.kernel.fs.read(Uid(1001), &format!("/home/alice/{name}")).unwrap();
        String::from_utf8_lossy(&data).into_owned()
    }

    /// Creates a process with standard input from `input` and output to files, and starts its command.
    pub(crate) fn start<M: CommandSet<C>, C: ?Sized>(
        &mut self,
        uid: Uid,
        argv: &[&str],
        input: &str,
    ) -> (Pid, Running<M>) {
        let root = Uid(0);
        let origin = ProcessOrigin { uid, host: "login01".into(), cgroup: Cgroup(0) };
        let argv: Vec<String> = argv.iter().map(|a| (*a).to_owned()).collect();
        let pid = self.kernel.spawn(origin, "/home/alice", argv.clone(), self.now).unwrap();
        for (name, data) in [("in", input), ("out", ""), ("err", "")] {
            let path = format!("/tmp/{name}");
            self.kernel.fs.write(root, &path, data.as_bytes(), 0o666, self.now).unwrap();
            let read = name == "in";
            let flags = OpenFlags { read, write: !read, append: !read, ..OpenFlags::default() };
            self.kernel.open(pid, &path, flags, 0, self.now).unwrap();
        }
        assert_eq!(self.kernel.fds(pid), [STDIN, STDOUT, STDERR]);
        let exec = Exec {
            path: format!("/usr/bin/{}", argv[0]),
            argv: argv.clone(),
            env: Arc::new(self.env.clone()),
        };
        (pid, Running::new::<C>(&argv[0], exec))
    }

    /// Starts a program on a terminal of 80 columns and 24 rows.
    pub fn on_terminal(&mut self, argv: &[&str]) -> TestTerminal {
        let origin = ProcessOrigin { uid: Uid(1001), host: "login01".into(), cgroup: Cgroup(0) };
        let argv: Vec<String> = argv.iter().map(|a| (*a).to_owned()).collect();
        let pid = self.kernel.spawn(origin, "/home/alice", argv.clone(), self.now).unwrap();
        let tty = self.kernel.new_tty();
        for _ in 0..3 {
            self.kernel.open_tty(pid, tty).unwrap();
        }
        self.kernel.process_mut(pid).unwrap().tty = Some(tty);
        self.kernel.tty_mut(tty).unwrap().foreground = Some(pid);
        let exec = Exec {
            path: format!("/usr/bin/{}", argv[0]),
            argv: argv.clone(),
            env: Arc::new(self.env.clone()),
        };
        let running = Running::new::<dyn Hosts>(&argv[0], exec);
        let mut terminal = TestTerminal { pid, tty, running, code: None };
        terminal.settle(self);
        terminal
    }

    /// Runs a Unix command to its end, skipping its waits.
    pub fn run_in(&mut self, argv: &[&str], input: &str) -> CommandResult {
        self.run_by::<UnixMachine, dyn Hosts>(Uid(1001), argv, input, &mut NoHosts)
    }

    /// Runs a command of this set as a user.
    pub fn run_by<M: CommandSet<C>, C: ?Sized>(
        &mut self,
        uid: Uid,
        argv: &[&str],
        input: &str,
        cluster: &mut C,
    ) -> CommandResult {
        let (pid, mut running) = self.start::<M, C>(uid, argv, input);
        let mut born = Vec::new();
        self.memory = 0;
        for _ in 0..100_000 {
            let step = running.run(&mut self.kernel, cluster, pid, self.now, &mut born);
            self.memory = self.memory.max(running.memory::<C>());
            match step {
                SliceEnd::Again => {}
                SliceEnd::Wait(Wait::Until(at)) => self.now = at,
                SliceEnd::Wait(other) => panic!("{argv:?} waits for {other:?}"),
                SliceEnd::Exec(exec) => {
                    let program = host::path::base_name(&exec.path).to_owned();
                    running = Running::new::<C>(&program, exec);
                }
                SliceEnd::Exit(status) => {
                    self.kernel.exit(pid, status);
                    let text = |name| {
                        let data = self.kernel.fs.read(Uid(0), name).unwrap();
                        String::from_utf8_lossy(&data).into_owned()
                    };
                    return CommandResult {
                        out: text("/tmp/out"),
                        err: text("/tmp/err"),
                        code: status.shell_code(),
                    };
                }
            }
        }
        panic!("{argv:?} does not end")
    }

    /// Runs a command without input.
    pub fn run(&mut self, argv: &[&str]) -> CommandResult {
        self.run_in(argv, "")
    }

    /// Standard output of a command that must succeed without messages.
    pub fn out(&mut self, argv: &[&str]) -> String {
        let ran = self.run(argv);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{argv:?}");
        ran.out
    }
}
