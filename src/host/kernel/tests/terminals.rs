//! Tests: terminals.

use super::*;
use crate::Fd;
use crate::signal::Disposition;
use crate::tty::MAX_OUTPUT;

/// A shell and a job in its own process group, on a terminal with the job in the foreground.
fn session() -> (Kernel, TtyId, Pid, Pid, Fd) {
    let mut kernel = boot();
    let tty = kernel.new_tty();
    let shell = start(&mut kernel);
    let fd = kernel.open_tty(shell, tty).unwrap();
    kernel.process_mut(shell).unwrap().tty = Some(tty);
    let job = child_of(&mut kernel, shell);
    kernel.set_group(job, job);
    kernel.tty_mut(tty).unwrap().foreground = Some(job);
    (kernel, tty, shell, job, fd)
}

#[test]
fn lines_and_ends() {
    let (mut kernel, tty, _, job, fd) = session();
    let reads = |kernel: &mut Kernel, typed: &[u8]| {
        kernel.tty_input(tty, typed);
        let next = || kernel.read(job, fd, 5).ok().map(|data| String::from_utf8(data).unwrap());
        std::iter::from_fn(next).collect::<Vec<_>>()
    };
    assert_eq!(reads(&mut kernel, b"a\nb\n"), ["a\n", "b\n"], "a line at a time");
    assert_eq!(reads(&mut kernel, b"longer\n"), ["longe", "r\n"]);
    assert_eq!(reads(&mut kernel, b"\x04"), [""], "one end, not for ever");
    assert_eq!(reads(&mut kernel, b"a\n\x04"), ["a\n", ""]);
    assert_eq!(reads(&mut kernel, b"half\x04"), ["half"], "not empty: only pushed");
}

#[test]
fn only_the_foreground_reads() {
    let (mut kernel, tty, shell, job, fd) = session();
    kernel.block(shell, Wait::Readable(fd));
    kernel.block(job, Wait::Readable(fd));
    kernel.tty_input(tty, b"x\n");
    let woken = ready(&mut kernel);
    assert!(woken.contains(&job));
    assert_eq!(kernel.read(shell, fd, 9), Err(Errno::EAGAIN));
    kernel.block(shell, Wait::Readable(fd));
    assert_eq!(ready(&mut kernel), [], "input for another group wakes no process");
    sound(&kernel);
    kernel.tty_mut(tty).unwrap().foreground = Some(shell);
    run(&mut kernel, shell);
    assert_eq!(kernel.read(shell, fd, 9).unwrap(), b"x\n");
}

#[test]
fn control_characters() {
    for (byte, signal) in [(3, Signal::INT), (28, Signal::QUIT)] {
        let (mut kernel, tty, shell, job, _) = session();
        kernel.tty_input(tty, &[b'x', byte]);
        assert_eq!(kernel.process(job).unwrap().status(), Some(Status::Signaled(signal)));
        assert!(kernel.alive(shell) && kernel.tty(tty).unwrap().input.is_empty());
    }
    let (mut kernel, tty, shell, job, _) = session();
    kernel.tty_input(tty, &[26]);
    assert!(kernel.process(job).unwrap().stopped());
    assert_eq!(kernel.wait_stopped(shell), Some(job));
    // A job that has ended cannot react: the shell that has not looked at it yet gets the signal.
    kernel.exit(job, Status::Exited(0));
    kernel.set_disposition(shell, Signal::INT, Disposition::Catch);
    kernel.tty_input(tty, &[3]);
    assert_eq!(kernel.take_signal(shell), Some(Signal::INT));
    // A foreground group that no longer exists receives no signals.
    kernel.set_disposition(shell, Signal::INT, Disposition::Default);
    kernel.wait(shell, ProcessTarget::Any).unwrap();
    kernel.tty_input(tty, &[3]);
    assert!(kernel.alive(shell));
}

#[test]
fn output_is_bounded_and_keeps_whole_lines() {
    let (mut kernel, tty, shell, _, fd) = session();
    for n in 0..40_000 {
        kernel.write(shell, fd, format!("line {n} {}\n", "-".repeat(80)).as_bytes(), NOW).unwrap();
    }
    let output = String::from_utf8(kernel.take_tty_output(tty)).unwrap();
    assert!(output.len() <= MAX_OUTPUT && output.len() > MAX_OUTPUT / 3, "{}", output.len());
    assert!(output.starts_with("line ") && output.lines().last().unwrap().starts_with("line 39999 "));
    assert_eq!(kernel.take_tty_output(tty), b"");
}

#[test]
fn hanging_up() {
    let (mut kernel, tty, shell, job, fd) = session();
    let survivor = child_of(&mut kernel, shell);
    kernel.set_disposition(survivor, Signal::HUP, crate::signal::Disposition::Ignore);
    kernel.block(survivor, Wait::Readable(fd));
    kernel.kill(ALICE, ProcessTarget::Process(job), Some(Signal::STOP)).unwrap();
    kernel.hangup(tty);
    assert_eq!([shell, job, survivor].map(|pid| kernel.alive(pid)), [false, false, true]);
    run(&mut kernel, survivor);
    assert_eq!(kernel.read(survivor, fd, 9).unwrap(), b"");
    assert_eq!(kernel.write(survivor, fd, b"x", NOW), Err(Errno::EIO));
    sound(&kernel);
}

#[test]
fn control_characters_are_keys_of_a_program_that_ignores_their_signals() {
    let (mut kernel, tty, shell, job, fd) = session();
    kernel.take_keys(job);
    kernel.process_mut(job).unwrap().tty = Some(tty);
    kernel.take_keys(job);
    for signal in [Signal::INT, Signal::TSTP] {
        kernel.set_disposition(job, signal, Disposition::Ignore);
    }
    kernel.tty_input(tty, b"a\x03\x04\x1ab");
    assert_eq!(kernel.read(job, fd, 99).unwrap(), b"a\x03\x04\x1ab");
    kernel.edit_here(job, tty, "/home/alice/f");
    assert_eq!(kernel.editor_here(tty), Some((job, "/home/alice/f")));
    assert_eq!(kernel.take_edit(tty), None, "the page opens nothing");
    kernel.suspend(job, tty);
    assert!(kernel.process(job).unwrap().stopped() && !kernel.process(shell).unwrap().stopped());
    assert_eq!((kernel.tty(tty).unwrap().keys, kernel.editor_here(tty)), (None, None));
    kernel.take_keys(job);
    kernel.kill(Uid(0), ProcessTarget::Process(job), Some(Signal::CONT)).unwrap();
    kernel.tty_input(tty, b"\x1c");
    assert!(!kernel.alive(job), "SIGQUIT is not ignored");
}

#[test]
fn a_stopped_program_leaves_the_keys_and_gets_them_back() {
    let (mut kernel, tty, shell, job, _) = session();
    kernel.process_mut(job).unwrap().tty = Some(tty);
    kernel.take_keys(job);
    assert_eq!(kernel.key_reader(tty), Some(job));
    kernel.tty_input(tty, b"\x1a");
    assert!(kernel.process(job).unwrap().stopped());
    assert_eq!(kernel.key_reader(tty), None, "the shell reads lines");
    // Another program reads keys meanwhile.
    kernel.process_mut(shell).unwrap().tty = Some(tty);
    kernel.take_keys(shell);
    kernel.kill(Uid(0), ProcessTarget::Process(job), Some(Signal::CONT)).unwrap();
    kernel.retake_keys(job);
    assert_eq!(kernel.key_reader(tty), Some(job));
    sound(&kernel);
}

#[test]
fn a_pseudoterminal() {
    let mut kernel = boot();
    let (server, shell) = (start(&mut kernel), start(&mut kernel));
    let (master, tty) = kernel.open_pty(server, 40, 9).unwrap();
    let fd = kernel.open_tty(shell, tty).unwrap();
    kernel.process_mut(shell).unwrap().tty = Some(tty);
    assert!(kernel.has_master(tty) && !kernel.has_master(TtyId(tty.0 + 1)));
    assert_eq!(kernel.tty(tty).map(|tty| (tty.columns, tty.rows)), Some((40, 9)));
    while kernel.next_ready().is_some() {}
    kernel.block(server, Wait::Readable(master));
    kernel.block(shell, Wait::Readable(fd));
    assert_eq!(kernel.read(server, master, 9), Err(Errno::EAGAIN));
    kernel.write(server, master, b"ls\n", NOW).unwrap();
    assert_eq!(kernel.next_ready(), Some(shell));
    assert_eq!(kernel.read(shell, fd, 9), Ok(b"ls\n".to_vec()));
    kernel.write(shell, fd, b"a long line\n", NOW).unwrap();
    assert_eq!(kernel.next_ready(), Some(server));
    assert_eq!(kernel.read(server, master, 3), Ok(b"a long line\n".to_vec()), "all of it");
    kernel.close(server, master).unwrap();
    assert!(!kernel.alive(shell), "it was hung up");
    assert!(kernel.tty(tty).is_none() && !kernel.has_master(tty));
}
