//! Tests: immediate actions, pending signals, permissions.

use super::*;
use crate::signal::Disposition::{self, Catch, Default, Ignore};

/// The state of a process: exit status, whether it is stopped, pending signals.
type ProcessState<'a> = (Option<Status>, bool, &'a [Signal]);

fn effect(kernel: &Kernel, pid: Pid) -> (Option<Status>, bool, Vec<Signal>) {
    let process = kernel.process(pid).unwrap();
    (process.status(), process.stopped(), process.pending.iter().copied().collect())
}

#[test]
fn effects_of_signals() {
    use Signal::*;
    const DEAD: fn(Signal) -> Option<Status> = |signal| Some(Status::Signaled(signal));
    let table: &[(Disposition, &[Signal], ProcessState)] = &[
        (Default, &[TERM], (DEAD(TERM), false, &[])),
        (Default, &[USR1], (DEAD(USR1), false, &[])),
        (Default, &[CHLD], (None, false, &[])),
        (Default, &[WINCH], (None, false, &[])),
        (Default, &[CONT], (None, false, &[])),
        (Default, &[TSTP], (None, true, &[])),
        (Default, &[TSTP, CONT], (None, false, &[])),
        (Default, &[TSTP, TERM], (None, true, &[TERM])),
        (Default, &[TSTP, TERM, CONT], (DEAD(TERM), false, &[])),
        (Default, &[TSTP, KILL], (DEAD(KILL), false, &[])),
        (Ignore, &[TERM], (None, false, &[])),
        (Ignore, &[TSTP], (None, false, &[])),
        (Ignore, &[KILL], (DEAD(KILL), false, &[])),
        (Ignore, &[STOP], (None, true, &[])),
        (Catch, &[TERM, USR1, TERM], (None, false, &[USR1, TERM])),
        (Catch, &[STOP, TERM], (None, true, &[TERM])),
        (Catch, &[STOP, TERM, CONT], (None, false, &[TERM, CONT])),
        (Catch, &[TSTP, CONT], (None, false, &[CONT])),
        (Catch, &[CONT, TSTP], (None, false, &[TSTP])),
        (Catch, &[KILL], (DEAD(KILL), false, &[])),
    ];
    for (disposition, signals, (status, stopped, pending)) in table {
        let mut kernel = boot();
        let parent = start(&mut kernel);
        let pid = child_of(&mut kernel, parent);
        for signal in Signal::ALL {
            kernel.set_disposition(pid, *signal, *disposition);
        }
        kernel.block(pid, Wait::Wakeup);
        for signal in *signals {
            kernel.kill(ALICE, ProcessTarget::Process(pid), Some(*signal)).unwrap();
            sound(&kernel);
        }
        let expected = (*status, *stopped, pending.to_vec());
        assert_eq!(effect(&kernel, pid), expected, "{disposition:?} {signals:?}");
        let woken = !pending.is_empty() && !stopped;
        assert_eq!(kernel.next_ready(), woken.then_some(pid), "{disposition:?} {signals:?}");
    }
}

#[test]
fn permission_to_send_signals() {
    let mut kernel = boot();
    let mine = start(&mut kernel);
    let yours = kernel.spawn(origin(BOB), "/", Vec::new(), NOW).unwrap();
    kernel.set_group(yours, mine);
    for (sender, whom, expected) in [
        (ALICE, ProcessTarget::Process(yours), Err(Errno::EPERM)),
        (BOB, ProcessTarget::Process(yours), Ok(())),
        (Uid(0), ProcessTarget::Process(yours), Ok(())),
        (ALICE, ProcessTarget::Process(Pid(7)), Err(Errno::ESRCH)),
        (ALICE, ProcessTarget::Group(Pid(7)), Err(Errno::ESRCH)),
        (ALICE, ProcessTarget::Group(mine), Ok(())),
        (Uid(1003), ProcessTarget::Group(mine), Err(Errno::EPERM)),
    ] {
        assert_eq!(kernel.kill(sender, whom, None), expected, "{sender} {whom:?}");
    }
    kernel.kill(ALICE, ProcessTarget::Group(mine), Some(Signal::TERM)).unwrap();
    assert!(!kernel.alive(mine) && kernel.alive(yours), "only those that the sender may signal");
}

#[test]
fn a_stopped_process_does_not_run() {
    let mut kernel = boot();
    let parent = start(&mut kernel);
    let pid = kernel.fork(parent, NOW).unwrap();
    let send =
        |kernel: &mut Kernel, signal| kernel.kill(ALICE, ProcessTarget::Process(pid), Some(signal)).unwrap();
    kernel.block(parent, Wait::Child);
    send(&mut kernel, Signal::STOP);
    assert_eq!(ready(&mut kernel), [parent], "it leaves the queue, and its parent is notified");
    assert_eq!(kernel.wait(parent, ProcessTarget::Any), Ok(None));
    assert_eq!(kernel.wait_stopped(parent), Some(pid));
    assert_eq!(kernel.wait_stopped(parent), None);
    kernel.wake(pid);
    kernel.requeue(pid);
    assert_eq!(ready(&mut kernel), []);
    send(&mut kernel, Signal::CONT);
    assert_eq!(ready(&mut kernel), [pid]);
    // Its wait condition may become true while stopped; it notices when it is continued.
    let (read, write) = kernel.pipe(pid).unwrap();
    kernel.give_fd(pid, write, parent, 9).unwrap();
    kernel.block(pid, Wait::Readable(read));
    send(&mut kernel, Signal::TSTP);
    kernel.write(parent, 9, b"x", NOW).unwrap();
    sound(&kernel);
    assert_eq!(ready(&mut kernel), []);
    send(&mut kernel, Signal::CONT);
    assert_eq!(ready(&mut kernel), [pid]);
    // A wait whose condition is still false continues.
    kernel.read(pid, read, 9).unwrap();
    kernel.block(pid, Wait::Readable(read));
    send(&mut kernel, Signal::TSTP);
    send(&mut kernel, Signal::CONT);
    assert_eq!(ready(&mut kernel), []);
    sound(&kernel);
}

#[test]
fn caught_signals_are_taken_in_order_and_wake() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    for signal in [Signal::TERM, Signal::INT] {
        kernel.set_disposition(pid, signal, Catch);
    }
    kernel.block(pid, Wait::Until(Time(100)));
    kernel.kill(ALICE, ProcessTarget::Process(pid), Some(Signal::TERM)).unwrap();
    kernel.kill(ALICE, ProcessTarget::Process(pid), Some(Signal::INT)).unwrap();
    run(&mut kernel, pid);
    assert_eq!(kernel.take_signal(pid), Some(Signal::INT));
    kernel.block(pid, Wait::Wakeup);
    run(&mut kernel, pid);
    assert_eq!(kernel.take_signal(pid), Some(Signal::TERM));
    assert_eq!(kernel.take_signal(pid), None);
    kernel.block(pid, Wait::Wakeup);
    assert_eq!(ready(&mut kernel), []);
}

#[test]
fn dispositions_over_fork_and_exec() {
    let mut kernel = boot();
    let parent = start(&mut kernel);
    kernel.set_disposition(parent, Signal::TERM, Catch);
    kernel.set_disposition(parent, Signal::INT, Ignore);
    kernel.set_disposition(parent, Signal::KILL, Ignore);
    kernel.kill(ALICE, ProcessTarget::Process(parent), Some(Signal::TERM)).unwrap();
    let pid = kernel.fork(parent, NOW).unwrap();
    assert_eq!(kernel.take_signal(pid), None, "pending signals stay with the parent");
    let how = |kernel: &Kernel| [Signal::TERM, Signal::INT, Signal::KILL].map(|s| kernel.disposition(pid, s));
    assert_eq!(how(&kernel), [Catch, Ignore, Default]);
    kernel.exec(pid, vec!["sleep".into()]);
    assert_eq!(how(&kernel), [Default, Ignore, Default]);
    assert!(kernel.alive(pid));
    // Caught before the exec and still pending: the new program has no handler for it.
    kernel.exec(parent, vec!["sleep".into()]);
    assert!(!kernel.alive(parent));
    sound(&kernel);
}

#[test]
fn cgroups_are_signalled_and_counted() {
    let mut kernel = boot();
    let mut launch = |group, host: &str| {
        let origin = ProcessOrigin { uid: ALICE, host: host.into(), cgroup: Cgroup(group) };
        kernel.spawn(origin, "/", Vec::new(), NOW).unwrap()
    };
    let (one, two, other) = (launch(1, "n1"), launch(1, "n2"), launch(2, "n1"));
    let child = kernel.fork(one, NOW).unwrap();
    kernel.set_origin(child, ProcessOrigin { uid: ALICE, host: "n1".into(), cgroup: Cgroup(3) });
    kernel.kill_cgroup(Cgroup(1), Signal::KILL);
    assert_eq!([one, two, other, child].map(|pid| kernel.alive(pid)), [false, false, true, true]);
    assert_eq!([1, 2, 3].map(|group| kernel.cgroup_alive(Cgroup(group))), [false, true, true]);
    sound(&kernel);
}
