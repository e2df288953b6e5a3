//! Tests: the process tree and waiting.

use super::*;

#[test]
fn parents_reap_and_orphans_are_reaped() {
    let mut kernel = boot();
    let parent = start(&mut kernel);
    assert_eq!(kernel.wait(parent, ProcessTarget::Any), Err(Errno::ECHILD));
    let [one, two, three] = std::array::from_fn(|_| child_of(&mut kernel, parent));
    let grandchild = child_of(&mut kernel, two);
    kernel.set_group(three, Pid(77));
    assert_eq!(kernel.wait(parent, ProcessTarget::Any), Ok(None));
    kernel.exit(one, Status::Exited(3));
    kernel.exit(three, Status::Exited(4));
    assert!(!kernel.alive(one) && kernel.process(one).is_some(), "a zombie");
    for (whom, expected) in [
        (ProcessTarget::Process(two), Ok(None)),
        (ProcessTarget::Process(grandchild), Err(Errno::ECHILD)),
        (ProcessTarget::Group(Pid(77)), Ok(Some((three, Status::Exited(4))))),
        (ProcessTarget::Group(Pid(77)), Err(Errno::ECHILD)),
        (ProcessTarget::Any, Ok(Some((one, Status::Exited(3))))),
        (ProcessTarget::Process(one), Err(Errno::ECHILD)),
    ] {
        assert_eq!(kernel.wait(parent, whom), expected, "{whom:?}");
    }
    kernel.exit(grandchild, Status::Exited(0));
    kernel.exit(parent, Status::Exited(0));
    let left: Vec<Pid> = kernel.processes().map(|process| process.pid).collect();
    assert_eq!(left, [two, grandchild], "the grandchild waits for its own parent");
    assert_eq!(kernel.process(two).unwrap().parent, Pid(0));
    kernel.exit(two, Status::Exited(0));
    assert_eq!((kernel.processes().count(), kernel.process(grandchild).is_none()), (0, true));
    assert_eq!(kernel.take_notices().len(), 5);
    sound(&kernel);
}

#[test]
fn a_parent_that_waits_is_woken_and_does_not_spin() {
    let mut kernel = boot();
    let parent = start(&mut kernel);
    let (background, foreground) = (child_of(&mut kernel, parent), child_of(&mut kernel, parent));
    let wait = |kernel: &mut Kernel| kernel.wait(parent, ProcessTarget::Process(foreground));
    assert_eq!(wait(&mut kernel), Ok(None));
    kernel.block(parent, Wait::Child);
    kernel.exit(background, Status::Exited(0));
    run(&mut kernel, parent);
    // The other child's zombie stays and must not wake the parent again.
    assert_eq!(wait(&mut kernel), Ok(None));
    kernel.block(parent, Wait::Child);
    assert_eq!(ready(&mut kernel), []);
    kernel.exit(foreground, Status::Exited(1));
    run(&mut kernel, parent);
    assert_eq!(wait(&mut kernel), Ok(Some((foreground, Status::Exited(1)))));
    // An exit between polling and waiting is not missed.
    let third = child_of(&mut kernel, parent);
    assert_eq!(kernel.wait(parent, ProcessTarget::Process(third)), Ok(None));
    kernel.exit(third, Status::Exited(2));
    kernel.block(parent, Wait::Child);
    run(&mut kernel, parent);
    // Without children, waiting returns at once.
    while let Ok(Some(_)) = kernel.wait(parent, ProcessTarget::Any) {}
    kernel.block(parent, Wait::Child);
    run(&mut kernel, parent);
}

#[test]
fn alarms_end_only_their_own_wait() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let alarms = |kernel: &mut Kernel, wait| {
        kernel.block(pid, wait);
        kernel.take_notices()
    };
    let first =
        alarms(&mut kernel, Wait::Any(vec![Wait::Until(Time(30)), Wait::Until(Time(20)), Wait::Child]));
    // No child: ready at once, without a timer.
    assert_eq!(first, []);
    run(&mut kernel, pid);
    let first = alarms(&mut kernel, Wait::Any(vec![Wait::Until(Time(30)), Wait::Until(Time(20))]));
    let [KernelEvent::Alarm { at: Time(20), ticket: old, .. }] = first[..] else { panic!("{first:?}") };
    kernel.wake(pid);
    run(&mut kernel, pid);
    let second = alarms(&mut kernel, Wait::Until(Time(40)));
    let [KernelEvent::Alarm { at: Time(40), ticket: new, .. }] = second[..] else { panic!("{second:?}") };
    kernel.alarm(pid, old);
    assert_eq!(ready(&mut kernel), []);
    kernel.alarm(pid, new);
    kernel.alarm(pid, new);
    assert_eq!(ready(&mut kernel), [pid]);
    kernel.alarm(pid, new);
    assert_eq!(ready(&mut kernel), []);
}

#[test]
fn a_wake_up_during_the_slice_is_not_lost() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    kernel.wake(pid);
    kernel.wake(pid);
    kernel.block(pid, Wait::Wakeup);
    sound(&kernel);
    assert_eq!(ready(&mut kernel), [pid]);
    kernel.block(pid, Wait::Wakeup);
    assert_eq!(ready(&mut kernel), []);
}

#[test]
fn what_a_child_inherits() {
    let mut kernel = boot();
    let tty = kernel.new_tty();
    let parent = start(&mut kernel);
    kernel.open_tty(parent, tty).unwrap();
    kernel.chdir(parent, "../bob/.").unwrap();
    let process = kernel.process_mut(parent).unwrap();
    (process.umask, process.tty) = (0o077, Some(tty));
    let child = child_of(&mut kernel, parent);
    kernel.exit(parent, Status::Exited(0));
    let process = kernel.process(child).unwrap();
    assert_eq!((&*process.cwd, process.umask, process.tty), ("/home/bob", 0o077, Some(tty)));
    assert_eq!((process.group, process.rss), (parent, 0));
    assert_eq!(kernel.fd_tty(child, 0), Some(tty));
    for (path, expected) in [
        ("", Err(Errno::ENOENT)),
        ("/etc/hosts", Err(Errno::ENOTDIR)),
        ("/root", Err(Errno::EACCES)),
        ("/bin", Ok(())),
    ] {
        assert_eq!(kernel.chdir(child, path), expected, "{path}");
    }
    assert_eq!(&*kernel.process(child).unwrap().cwd, "/usr/bin", "kept without links");
}

#[test]
fn a_fork_bomb_ends_at_the_limit() {
    let mut kernel = boot();
    start(&mut kernel);
    kernel.requeue(Pid(1001));
    let mut refused = 0;
    for _ in 0..4 * MAX_PROCESSES {
        let pid = kernel.next_ready().unwrap();
        refused += u32::from(kernel.fork(pid, NOW) == Err(Errno::EAGAIN));
        kernel.requeue(pid);
    }
    assert_eq!((kernel.processes().count(), refused), (512, 4 * MAX_PROCESSES - 511));
    assert!(kernel.spawn(origin(BOB), "/", Vec::new(), NOW).is_ok(), "others go on");
    let elsewhere = ProcessOrigin { host: "n1".into(), ..origin(ALICE) };
    assert!(kernel.spawn(elsewhere, "/", Vec::new(), NOW).is_ok(), "and so do other hosts");
    kernel.kill(ALICE, ProcessTarget::Any, Some(Signal::KILL)).unwrap();
    assert_eq!(kernel.processes().count(), 1);
    sound(&kernel);
}

#[test]
fn calls_of_ended_processes_have_no_effect() {
    let mut kernel = boot();
    let parent = start(&mut kernel);
    let pid = child_of(&mut kernel, parent);
    kernel.exit(pid, Status::Exited(1));
    kernel.exit(pid, Status::Exited(2));
    kernel.requeue(pid);
    kernel.wake(pid);
    kernel.block(pid, Wait::Wakeup);
    kernel.exec(pid, Vec::new());
    assert_eq!(kernel.fork(pid, NOW), Err(Errno::ESRCH));
    assert_eq!(kernel.write(pid, 1, b"x", NOW), Err(Errno::EBADF));
    assert_eq!(kernel.kill(ALICE, ProcessTarget::Process(pid), Some(Signal::KILL)), Ok(()));
    assert_eq!(ready(&mut kernel), []);
    assert_eq!(kernel.wait(parent, ProcessTarget::Any), Ok(Some((pid, Status::Exited(1)))));
    sound(&kernel);
}
