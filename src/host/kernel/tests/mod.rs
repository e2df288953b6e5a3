//! Tests: the public interface of the kernel.

mod descriptors;
mod pipes;
mod processes;
mod signals;
mod terminals;

use super::*;
use crate::{Errno, Signal};
use crate::{ProcessOrigin, Status, Wait};
use base::time::Time;
use testing::Random;

const ALICE: Uid = Uid(1001);
const BOB: Uid = Uid(1002);
const NOW: Time = Time(5);
const READ: OpenFlags =
    OpenFlags { read: true, write: false, append: false, create: false, truncate: false, exclusive: false };
const WRITE: OpenFlags = OpenFlags { read: false, write: true, create: true, truncate: true, ..READ };
const APPEND: OpenFlags = OpenFlags { append: true, truncate: false, ..WRITE };

/// A machine with users alice and bob.
fn boot() -> Kernel {
    Kernel::new(Users::new(["alice", "bob"]), "login", Time(0))
}

fn origin(uid: Uid) -> ProcessOrigin {
    ProcessOrigin { uid, host: "login".into(), cgroup: Cgroup(0) }
}

/// A running process of alice.
fn start(kernel: &mut Kernel) -> Pid {
    let pid = kernel.spawn(origin(ALICE), "/home/alice", vec!["test".into()], NOW).unwrap();
    run(kernel, pid);
    pid
}

/// A running child of `parent`.
fn child_of(kernel: &mut Kernel, parent: Pid) -> Pid {
    let pid = kernel.fork(parent, NOW).unwrap();
    run(kernel, pid);
    pid
}

/// Asserts that this process is the only ready one and runs it.
#[track_caller]
fn run(kernel: &mut Kernel, pid: Pid) {
    assert_eq!(ready(kernel), [pid]);
}

/// Takes all ready processes.
fn ready(kernel: &mut Kernel) -> Vec<Pid> {
    std::iter::from_fn(|| kernel.next_ready()).collect()
}

#[track_caller]
fn sound(kernel: &Kernel) {
    if let Err(wrong) = kernel.check() {
        panic!("{wrong:#?}");
    }
}

#[test]
fn initial_files_and_environment() {
    let mut users = Users::new(["alice", "bob"]);
    users.0[1].groups = vec!["physics".into(), "hpc".into()];
    users.0[2].groups = vec!["physics".into()];
    let kernel = Kernel::new(users, "login", NOW);
    let text = |path| String::from_utf8(kernel.fs.read(BOB, path).unwrap().to_vec()).unwrap();
    assert_eq!(text("/etc/hostname"), "login\n");
    assert!(text("/etc/passwd").contains("alice:x:1001:1001::/home/alice:/bin/bash\n"));
    assert!(text("/etc/group").ends_with("bob:x:1002:\nhpc:x:2001:alice\nphysics:x:2002:alice,bob\n"));
    let home = kernel.fs.stat(BOB, "/home/alice").unwrap();
    assert_eq!((home.uid, home.mode), (ALICE, 0o755));
    let env = kernel.login_env(ALICE, "n1");
    assert_eq!((env["HOME"].as_str(), env["HOSTNAME"].as_str()), ("/home/alice", "n1"));
    sound(&kernel);
}

#[test]
fn a_saved_kernel_can_be_loaded() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let (read, write) = kernel.pipe(pid).unwrap();
    kernel.write(pid, write, b"kept", NOW).unwrap();
    let child = child_of(&mut kernel, pid);
    kernel.block(child, Wait::Any(vec![Wait::Until(Time(9)), Wait::Wakeup]));
    let bytes = postcard::to_allocvec(&kernel).unwrap();
    let mut again: Kernel = postcard::from_bytes(&bytes).unwrap();
    sound(&again);
    assert_eq!(postcard::to_allocvec(&again).unwrap(), bytes);
    assert_eq!(again.read(pid, read, 9).unwrap(), b"kept");
    again.wake(child);
    run(&mut again, child);
}

/// Random calls in random order keep the tables consistent.
#[test]
fn random_calls_keep_the_tables_consistent() {
    testing::for_seeds(0..40, |_, random| {
        let mut kernel = boot();
        let tty = kernel.new_tty();
        let first = kernel.spawn(origin(ALICE), "/tmp", Vec::new(), NOW).unwrap();
        kernel.open_tty(first, tty).unwrap();
        kernel.process_mut(first).unwrap().tty = Some(tty);
        for _ in 0..400 {
            if random.is_used_up() {
                break;
            }
            let Some(pid) = kernel.next_ready() else {
                let all: Vec<Pid> = kernel.processes().map(|process| process.pid).collect();
                if all.is_empty() {
                    break;
                }
                disturb(&mut kernel, tty, all[random.below(all.len())], random);
                sound(&kernel);
                continue;
            };
            for _ in 0..random.below(6) {
                call(&mut kernel, pid, random);
            }
            end_slice(&mut kernel, pid, random);
        }
    });
}

/// Ends a slice in a random way and checks.
fn end_slice(kernel: &mut Kernel, pid: Pid, random: &mut Random) {
    let fd = |random: &mut Random| random.below(8);
    match random.below(9) {
        8 => kernel.block(pid, Wait::Any(vec![Wait::Child, Wait::Watched])),
        0 => kernel.exit(pid, Status::Exited(1)),
        1 | 2 => kernel.requeue(pid),
        3 => kernel.block(pid, Wait::Readable(fd(random))),
        4 => kernel.block(pid, Wait::Any(vec![Wait::Writable(fd(random)), Wait::Readable(fd(random))])),
        5 => kernel.block(pid, Wait::Any(vec![Wait::Child, Wait::Until(Time(3))])),
        6 => kernel.block(pid, Wait::Child),
        _ => kernel.block(pid, Wait::Wakeup),
    }
    sound(kernel);
    assert_eq!(kernel.lost().collect::<Vec<_>>(), []);
}

/// A random call of a running process. Most fail; none may break an invariant.
fn call(kernel: &mut Kernel, pid: Pid, random: &mut Random) {
    use crate::signal::Disposition;
    let mut number = |n: usize| u32::try_from(random.below(n)).unwrap();
    let (a, b) = (number(8), number(8));
    let path = ["/tmp/x", "/tmp/y", "/dev/null", "/dev/fd/1", "/tmp/no/z"][number(5) as usize];
    let signal = Signal::ALL[number(Signal::ALL.len()) as usize];
    let disposition = [Disposition::Default, Disposition::Ignore, Disposition::Catch][number(3) as usize];
    let other = Pid(1001 + number(12));
    match number(20) {
        0 => drop(kernel.fork(pid, NOW)),
        1 => drop(kernel.pipe(pid)),
        2 => drop(kernel.open(pid, path, WRITE, 0o666, NOW)),
        3 => drop(kernel.open(pid, path, READ, 0o666, NOW)),
        4 => drop(kernel.dup2(pid, a, b)),
        5 => drop(kernel.dup_from(pid, a, b)),
        6 => drop(kernel.close(pid, a)),
        7 => drop(kernel.read(pid, a, 5000)),
        8 | 9 => drop(kernel.write(pid, a, &[7; 9000], NOW)),
        10 => kernel.set_cloexec(pid, a, b % 2 == 0),
        11 => kernel.exec(pid, Vec::new()),
        12 => kernel.set_disposition(pid, signal, disposition),
        13 => drop(kernel.kill(ALICE, ProcessTarget::Process(other), Some(signal))),
        14 => drop(kernel.wait(pid, ProcessTarget::Any)),
        15 => drop(kernel.give_fd(pid, a, other, b)),
        16 => drop(kernel.fs.unlink(ALICE, path, NOW)),
        17 => kernel.wake(other),
        18 => {
            kernel.watch(pid, a);
            kernel.watched_input(pid);
        }
        _ => {
            kernel.take_signal(pid);
            kernel.set_group(pid, other);
        }
    }
}

/// A random external event when all processes wait.
fn disturb(kernel: &mut Kernel, tty: TtyId, pid: Pid, random: &mut Random) {
    match random.below(5) {
        0 => kernel.tty_input(tty, b"line\n\x04\x1a"),
        1 => drop(kernel.kill(ALICE, ProcessTarget::Process(pid), Some(Signal::CONT))),
        2 => kernel.wake(pid),
        3 => {
            for notice in kernel.take_notices() {
                if let KernelEvent::Alarm { pid, ticket, .. } = notice {
                    kernel.alarm(pid, ticket);
                }
            }
        }
        _ => {
            if let Some(terminal) = kernel.tty_mut(tty) {
                terminal.foreground = Some(pid);
            }
        }
    }
}
