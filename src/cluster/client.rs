//! The client side of `sbatch` and the other commands on PATH. The command itself runs in the server; its descriptors
//! and signals are here.

use crate::VARIABLE;
use crate::directory::ClusterDir;
use crate::server::{STEPD, become_task};
use crate::terminal::{RawMode, window};
use crate::wire::{RunRequest, ToClient, ToServer, receive, send};
use rustix::fs::Mode;
use rustix::process::umask;
use signal_hook::consts::{SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};

/// 128 + SIGPIPE.
const PIPE: u8 = 141;
/// Maximum number of standard input bytes in a message.
const PIECE: usize = 65_536;

/// Runs this program as the command whose name it was called by, if the environment names a cluster. Returns the exit
/// code, or None if the program was called by another name.
#[must_use]
pub fn run_as(argv: &[OsString]) -> Option<u8> {
    let name = argv.first().map(std::path::Path::new)?.file_name()?.to_string_lossy().into_owned();
    if name == STEPD {
        return Some(become_task(argv.get(1..).unwrap_or_default()));
    }
    if !crate::COMMANDS.contains(&name.as_str()) {
        return None;
    }
    let Some(dir) = std::env::var_os(VARIABLE) else {
        return Some(fail(&name, &format!("{VARIABLE} is not set; run eval \"$(sandbatch cluster up)\"")));
    };
    let dir = ClusterDir::at(dir);
    let mut argv: Vec<String> = argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(first) = argv.first_mut() {
        first.clone_from(&name);
    }
    Some(run(&name, &dir, argv).unwrap_or_else(|why| fail(&name, &why)))
}

fn fail(name: &str, why: &str) -> u8 {
    let _ = writeln!(io::stderr(), "{name}: error: Unable to contact slurm controller (connect failure)");
    let _ = writeln!(io::stderr(), "sandbatch: {why}");
    1
}

/// The umask, which can only be read by setting it.
fn own_umask() -> u32 {
    let mask = umask(Mode::empty());
    umask(mask);
    mask.bits()
}

/// The connection, shared by the threads that write to it.
type SharedStream = Arc<Mutex<UnixStream>>;

fn tell(stream: &SharedStream, message: &ToServer) -> io::Result<()> {
    send(&mut *stream.lock().unwrap_or_else(PoisonError::into_inner), message)
}

fn run(name: &str, dir: &ClusterDir, argv: Vec<String>) -> Result<u8, String> {
    let dead = |error: io::Error| {
        format!(
            "no cluster answers in {} ({error}); start one with `sandbatch cluster up`",
            dir.path().display()
        )
    };
    let mut stream = UnixStream::connect(dir.socket()).map_err(dead)?;
    let to_server: SharedStream = Arc::new(Mutex::new(stream.try_clone().map_err(dead)?));
    let cwd =
        std::env::current_dir().map_or_else(|_| "/".to_owned(), |dir| dir.to_string_lossy().into_owned());
    let env = std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)));
    let terminals = [io::stdin().is_terminal(), io::stdout().is_terminal(), io::stderr().is_terminal()];
    let umask = own_umask();
    let request = RunRequest { argv, env: env.collect(), cwd, umask, terminals, window: window() };
    tell(&to_server, &ToServer::Run(request)).map_err(dead)?;
    if matches!(name, "srun" | "salloc" | "sbatch" | "sattach") {
        forward_signals(Arc::clone(&to_server));
    }
    let mut raw = None;
    let program: Arc<Mutex<Option<u32>>> = Arc::default();
    loop {
        match receive(&mut stream) {
            Ok(ToClient::Output(data)) => {
                if let Some(code) = written(name, io::stdout().lock().write_all(&data)) {
                    return Ok(code);
                }
            }
            Ok(ToClient::Error(data)) => {
                let _ = io::stderr().lock().write_all(&data);
            }
            Ok(ToClient::WantInput) => feed(Arc::clone(&to_server)),
            Ok(ToClient::Program { path, argv, env, cwd }) => {
                let mut command = Command::new(path);
                command.args(argv.iter().skip(1)).env_clear().envs(env).current_dir(cwd);
                if let Some(first) = argv.first() {
                    command.arg0(first);
                }
                attend(command.spawn(), Arc::clone(&to_server), &program);
            }
            Ok(ToClient::ProgramSignal(number)) => {
                let pid = *program.lock().unwrap_or_else(PoisonError::into_inner);
                crate::processes::kill_process(pid, number);
            }
            Ok(ToClient::RawTerminal) => raw = raw.or_else(RawMode::set),
            Ok(ToClient::Exit(code)) => return Ok(written(name, io::stdout().flush()).unwrap_or(code)),
            Ok(ToClient::Answer(_)) => {}
            Err(error) => return Err(format!("the cluster has ended ({error})")),
        }
    }
}

/// The exit code if standard output cannot be written. As with Slurm, srun goes on without its output.
fn written(name: &str, done: io::Result<()>) -> Option<u8> {
    match done {
        Ok(()) => None,
        Err(_) if name == "srun" => None,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Some(PIPE),
        Err(error) => {
            let _ = writeln!(io::stderr(), "sandbatch: standard output: {error}");
            Some(1)
        }
    }
}

/// Sends one piece of standard input. Input is only read when the command asks for it, so a loop over lines of a file
/// keeps its lines.
fn feed(to_server: SharedStream) {
    std::thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        let count = io::stdin().lock().read(&mut piece).unwrap_or(0);
        piece.truncate(count);
        let _ = tell(&to_server, &ToServer::Input(piece));
    });
}

/// Reports the end of a program that uses this terminal.
fn attend(spawned: io::Result<Child>, to_server: SharedStream, program: &Arc<Mutex<Option<u32>>>) {
    let over = |code, signal| ToServer::ProgramOver { code, signal };
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: execve(): {error}");
            let _ = tell(&to_server, &over(if error.kind() == ErrorKind::NotFound { 127 } else { 126 }, 0));
            return;
        }
    };
    *program.lock().unwrap_or_else(PoisonError::into_inner) = Some(child.id());
    let program = Arc::clone(program);
    std::thread::spawn(move || {
        let status = child.wait();
        *program.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let number = |n: Option<i32>| n.and_then(|n| u8::try_from(n).ok());
        let (code, signal) =
            status.map_or((1, 0), |s| (number(s.code()).unwrap_or(0), number(s.signal()).unwrap_or(0)));
        let _ = tell(&to_server, &over(code, signal));
    });
}

/// Forwards signals to the command, which decides how to handle them.
fn forward_signals(to_server: SharedStream) {
    let Ok(mut signals) =
        Signals::new([SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH])
    else {
        return;
    };
    std::thread::spawn(move || {
        for number in signals.forever() {
            if number == SIGWINCH {
                let _ = tell(&to_server, &ToServer::Resize(window()));
            } else if let Ok(number) = u8::try_from(number) {
                let _ = tell(&to_server, &ToServer::Signal(number));
            }
        }
    });
}
