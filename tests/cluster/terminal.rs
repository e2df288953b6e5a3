//! `srun --pty` and `salloc` at a terminal.

use crate::fixture::{Cluster, SANDBATCH, runs, soon, unlikely_sleep};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcgetpgrp, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A shell at a terminal of its own, as in a window.
struct Window {
    terminal: File,
    /// The shell's end, to read its modes.
    modes: OwnedFd,
    output: Receiver<Vec<u8>>,
    seen: String,
    shell: Child,
}

impl Window {
    fn open(cluster: &Cluster, columns: u16, rows: u16) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let modes =
            rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let terminal = File::from(terminal);
        resize(&terminal, columns, rows);
        let shell = cluster.bash("PS1= exec bash --norc --noediting -i");
        let (script, environment) = (shell.get_args().nth(1).unwrap(), shell.get_envs());
        // Started under this name, the program makes its standard input the terminal of a new session.
        let mut window = Command::new(SANDBATCH);
        window
            .arg0("slurmstepd")
            .args(["/bin/bash", "bash", "-c"])
            .arg(script)
            .current_dir(cluster.dir.work());
        for (name, value) in environment {
            match value {
                Some(value) => window.env(name, value),
                None => window.env_remove(name),
            };
        }
        let end = || modes.try_clone().unwrap();
        let child = window.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        drop(window);
        let (sender, output) = channel();
        let mut reader = terminal.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(count) = reader.read(&mut piece) {
                if count == 0 || sender.send(piece[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { terminal, modes, output, seen: String::new(), shell: child }
    }

    fn keys(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    /// Reads until this text has been printed; returns what was printed before it.
    fn until(&mut self, text: &str) -> String {
        loop {
            if let Some((before, rest)) = self.seen.split_once(text) {
                let (before, rest) = (before.to_owned(), rest.to_owned());
                self.seen = rest;
                return before;
            }
            let piece = self.output.recv_timeout(Duration::from_secs(20));
            let piece = piece.unwrap_or_else(|error| panic!("no {text:?} ({error}) in {:?}", self.seen));
            self.seen += &String::from_utf8_lossy(&piece);
        }
    }

    /// Types a command whose output ends with a word that is not in the command; returns the output.
    fn out(&mut self, command: &str) -> String {
        self.keys(&format!("{command}; echo DO''NE\n"));
        self.until("DO''NE");
        self.until("DONE").replace('\r', "").trim().to_owned()
    }

    /// Whether keys are passed on as typed, without echo.
    fn is_raw(&self) -> bool {
        !tcgetattr(&self.modes).unwrap().local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO)
    }

    /// The process group that gets the keys.
    fn front(&self) -> i32 {
        tcgetpgrp(&self.terminal).unwrap().as_raw_nonzero().get()
    }

    /// Waits until a shell has the terminal back, as it was. Until then, keys are for the program in front.
    fn back(&self, shell: i32) {
        soon("the terminal is as before", || self.front() == shell && !self.is_raw());
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

fn resize(terminal: &File, columns: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).unwrap();
}

const SHELL: &str = "srun --pty bash --norc --noediting -i\n";

#[test]
fn a_task_has_a_terminal_of_its_own() {
    let cluster = Cluster::up("");
    let mut window = Window::open(&cluster, 91, 31);
    let own = window.out("tty");
    let shell = window.front();
    window.keys(SHELL);
    soon("the terminal is raw", || window.is_raw());
    let inside =
        window.out("tty; stty size; echo $SLURM_JOB_ID $SLURM_PROCID $SLURM_PTY_WIN_COL $SLURM_PTY_WIN_ROW");
    let lines: Vec<&str> = inside.lines().collect();
    assert!(lines[0].starts_with("/dev/pts/") && lines[0] != own, "{own}: {inside}");
    assert_eq!(lines[1..], ["31 91", "1 0 91 31"]);
    resize(&window.terminal, 44, 11);
    soon("the size follows", || window.out("stty size").ends_with("11 44"));
    // Ctrl-C is the task's.
    let nap = unlikely_sleep();
    window.keys(&format!("sleep {nap}\n"));
    soon("the program runs", || runs(&format!("sleep {nap}")));
    window.keys("\u{3}");
    soon("the program is interrupted", || !runs(&format!("sleep {nap}")));
    assert_eq!(window.out("echo $?").lines().last(), Some("130"));
    window.keys("exit 7\n");
    window.until("task 0: Exited with exit code 7");
    window.back(shell);
    assert_eq!(window.out("echo $?"), "7");
    assert_eq!(cluster.state("1"), "FAILED|7:0");
}

#[test]
fn terminals_in_allocations() {
    let cluster = Cluster::up("");
    let mut window = Window::open(&cluster, 80, 24);
    window.out("true");
    let shell = window.front();
    // A shell that edits its line reads single keys at its prompt, as srun does.
    let plain = cluster.dir.work().join("plain");
    std::fs::write(&plain, "#!/bin/sh\nexec bash --norc --noediting -i\n").unwrap();
    cluster.out("chmod +x plain");
    window.keys(&format!("SHELL={} salloc -Q -n2\n", plain.display()));
    soon("the allocation is granted", || cluster.run("squeue -h -o %t").out == "R\n");
    // Only the first task has a terminal, and only if srun has one.
    let two = window.out("srun -n2 --pty bash -c 'echo $SLURM_PROCID $(test -t 0 && tty)' | sort");
    assert!(two.contains("srun: error: ioctl(TIOCGWINSZ)") && !two.contains("/dev/"), "{two}");
    let two = window.out("srun -n2 --pty bash -c 'echo $SLURM_PROCID $(test -t 0 && tty)'");
    assert!(two.contains("0 /dev/") && !two.contains("1 /dev/"), "{two}");
    let inner = window.front();
    assert_ne!(inner, shell);
    window.keys(SHELL);
    soon("the terminal is raw", || window.is_raw());
    assert!(window.out("tty; echo step $SLURM_STEP_ID").contains("step 2"));
    // Ctrl-D ends the task's shell, and then the allocation's.
    window.keys("\u{4}");
    window.back(inner);
    window.keys("exit 0\n");
    window.back(shell);
    soon("the allocation is over", || cluster.run("squeue -h").out.is_empty());
    assert_eq!(cluster.state("1"), "COMPLETED|0:0");
    // Beside a batch script, in its allocation.
    let nap = unlikely_sleep();
    let id = cluster.out(&format!("sbatch --parsable --wrap 'sleep {nap}'"));
    cluster.out(&format!("sandbatch cluster wait --job {id} --state RUNNING"));
    window.keys(&format!("srun --jobid={id} --overlap --pty bash --norc --noediting -i\n"));
    soon("the terminal is raw", || window.is_raw());
    assert_eq!(
        window.out("echo $SLURM_JOB_ID $(test -t 0 && echo terminal)").lines().last(),
        Some("2 terminal")
    );
    // The end of the job ends the task: an interactive shell ignores SIGTERM and is killed after KillWait.
    cluster.out(&format!("scancel {id}; sandbatch cluster advance 40s"));
    window.back(shell);
    assert_eq!(window.out("stty -a | grep -o ' echo '").lines().last(), Some("echo"));
}

#[test]
fn every_end_restores_the_terminal() {
    let cluster = Cluster::up("");
    let mut window = Window::open(&cluster, 80, 24);
    window.out("true");
    let (shell, nap) = (window.front(), unlikely_sleep());
    // A task that ignores polite signals.
    let stubborn = format!("srun --pty bash -c \"trap '' HUP TERM INT; sleep {nap} & sleep {nap}; wait\"\n");
    let begin = |window: &mut Window| {
        window.keys(&stubborn);
        soon("the terminal is raw", || window.is_raw());
        soon("the task runs", || runs(&format!("sleep {nap}")));
    };
    begin(&mut window);
    // SIGTERM to srun.
    cluster.out(&format!("pkill -TERM -P {} srun", window.shell.id()));
    window.back(shell);
    soon("no process is left", || !runs(&nap));
    // The server is killed.
    begin(&mut window);
    cluster.out("kill -9 $(sandbatch cluster status | sed 's/.*pid=\\([0-9]*\\).*/\\1/;q')");
    window.back(shell);
    soon("no process is left", || !runs(&nap));
    assert_eq!(window.out("echo $?").lines().last(), Some("1"));
}

#[test]
fn a_closed_window_ends_the_task() {
    let cluster = Cluster::up("");
    let mut window = Window::open(&cluster, 80, 24);
    let nap = unlikely_sleep();
    window.keys(SHELL);
    soon("the terminal is raw", || window.is_raw());
    window.keys(&format!("trap '' HUP TERM; sleep {nap}\n"));
    soon("the program runs", || runs(&format!("sleep {nap}")));
    drop(window);
    soon("the job is over", || cluster.run("squeue -h").out.is_empty());
    soon("no process is left", || !runs(&nap));
}

/// Whether all processes with this text in their command line are stopped; none if there are none.
fn all_stopped(text: &str) -> Option<bool> {
    let listed = Command::new("ps").args(["-eo", "stat=,args="]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let states: Vec<&str> = listed.lines().filter(|line| line.contains(text)).collect();
    (!states.is_empty()).then(|| states.iter().all(|line| line.starts_with('T')))
}

#[test]
fn a_suspended_task_goes_on_at_its_terminal() {
    let lab = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sites/lab");
    let directory = crate::fixture::TestDir::new();
    for name in ["slurm.conf", "gres.conf", "accounts.sh"] {
        std::fs::copy(lab.join(name), directory.work().join(name)).unwrap();
    }
    // Only operators may suspend jobs.
    let accounts = directory.file("accounts.sh").replace("alice,bob", "alice,bob AdminLevel=Operator");
    directory.write("accounts.sh", &accounts);
    let cluster = Cluster::up(&format!("--site {}", directory.work().display()));
    let mut window = Window::open(&cluster, 80, 24);
    window.out("true");
    let shell = window.front();
    window.keys(SHELL);
    soon("the terminal is raw", || window.is_raw());
    let nap = unlikely_sleep();
    // The shell has a group of its own for the program in front.
    window.keys(&format!("sleep {nap}; echo WO''KE\n"));
    let program = format!("sleep {nap}");
    soon("the program runs", || runs(&program));
    cluster.out("scontrol suspend 1");
    soon("the program stands still", || all_stopped(&program) == Some(true));
    assert_eq!(cluster.run("squeue -h -o %t").out, "S\n");
    cluster.out("scontrol resume 1");
    soon("the program goes on", || all_stopped(&program) == Some(false));
    // It still has the terminal: the shell has not seen it stopped.
    window.keys("\u{3}");
    soon("the program is interrupted", || !runs(&program));
    let shown = window.out("jobs");
    assert!(!shown.contains("Stopped"), "{shown}");
    window.keys("exit 5\n");
    window.until("Exited with exit code 5");
    window.back(shell);
}
