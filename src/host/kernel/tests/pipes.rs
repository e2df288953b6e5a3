//! Tests: pipes lose and duplicate nothing and wake all waiters.

use super::*;
use crate::Fd;

/// A process that writes numbered lines to a pipe, or collects the output of one.
enum Role {
    Writer { rest: Vec<u8>, piece: usize },
    Reader,
}

/// Runs the writers and readers of a pipe until none is ready; returns what the readers received, in order.
fn drive(kernel: &mut Kernel, roles: &mut BTreeMap<Pid, (Fd, Role)>, random: &mut Random) -> Vec<u8> {
    let mut got = Vec::new();
    while let Some(pid) = kernel.next_ready() {
        let (fd, role) = roles.get_mut(&pid).unwrap();
        let result = match role {
            Role::Writer { rest, piece } if !rest.is_empty() => {
                let end = rest.len().min(*piece);
                kernel.write(pid, *fd, &rest[..end], NOW).map(|count| {
                    rest.drain(..count);
                    true
                })
            }
            Role::Writer { .. } => Ok(false),
            Role::Reader => kernel.read(pid, *fd, 1 + random.below(9000)).map(|data| {
                got.extend_from_slice(&data);
                !data.is_empty()
            }),
        };
        match (result, role) {
            (Ok(true), _) => kernel.requeue(pid),
            (Ok(false), _) => kernel.exit(pid, Status::Exited(0)),
            (Err(Errno::EAGAIN), Role::Writer { .. }) => kernel.block(pid, Wait::Writable(*fd)),
            (Err(Errno::EAGAIN), Role::Reader) => kernel.block(pid, Wait::Readable(*fd)),
            (Err(error), _) => panic!("{error}"),
        }
        if random.below(50) == 0 {
            sound(kernel);
        }
    }
    got
}

#[test]
fn random_interleavings_lose_nothing() {
    testing::for_seeds(0..30, |seed, random| {
        let mut kernel = boot();
        let parent = start(&mut kernel);
        let (read, write) = kernel.pipe(parent).unwrap();
        let (writers, readers) = (1 + random.below(3), 1 + random.below(2));
        let mut roles = BTreeMap::new();
        for index in 0..writers + readers {
            let child = kernel.fork(parent, NOW).unwrap();
            let (keep, close) = if index < writers { (write, read) } else { (read, write) };
            kernel.close(child, close).unwrap();
            let role = if index < writers {
                let line = |n: usize| format!("{index}:{n}:{}\n", "x".repeat(n % 300));
                let rest = (0..600).map(line).collect::<String>().into_bytes();
                Role::Writer { rest, piece: 1 + random.below(20_000) }
            } else {
                Role::Reader
            };
            roles.insert(child, (keep, role));
        }
        kernel.exit(parent, Status::Exited(0));
        let got = drive(&mut kernel, &mut roles, random);
        assert_eq!(kernel.processes().count(), 0, "a process still waits, seed {seed}");
        assert!(kernel.pipes.is_empty() && kernel.files.is_empty());
        let sent: usize = (0..600_usize).map(|n| n.to_string().len() + n % 300 + 4).sum();
        assert_eq!(got.len(), sent * writers, "seed {seed}");
        if writers == 1 {
            let text = String::from_utf8(got).unwrap();
            assert!(
                text.lines().zip(0..).all(|(line, n)| line.starts_with(&format!("0:{n}:"))),
                "seed {seed}"
            );
        }
    });
}

#[test]
fn short_writes_stay_whole() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let (read, write) = kernel.pipe(pid).unwrap();
    let line = [b'a'; 4096];
    for _ in 0..15 {
        assert_eq!(kernel.write(pid, write, &line, NOW), Ok(4096));
    }
    assert_eq!(kernel.write(pid, write, b"b", NOW), Ok(1));
    assert_eq!(kernel.write(pid, write, &line, NOW), Err(Errno::EAGAIN), "not in part");
    assert_eq!(kernel.write(pid, write, &[b'c'; 5000], NOW), Ok(4095), "a long one in part");
    assert_eq!(kernel.write(pid, write, b"d", NOW), Err(Errno::EAGAIN));
    assert_eq!(kernel.read(pid, read, 70_000).unwrap().len(), PIPE_SIZE);
    assert_eq!(kernel.read(pid, read, 1), Err(Errno::EAGAIN));
}

#[test]
fn closing_one_end_wakes_the_other() {
    let mut kernel = boot();
    let writer = start(&mut kernel);
    let (read, write) = kernel.pipe(writer).unwrap();
    let reader = child_of(&mut kernel, writer);
    kernel.close(writer, read).unwrap();
    kernel.close(reader, write).unwrap();
    // The reader waits; first data, then the close of the writer wakes it.
    kernel.block(reader, Wait::Readable(read));
    assert_eq!(ready(&mut kernel), []);
    kernel.write(writer, write, b"x", NOW).unwrap();
    run(&mut kernel, reader);
    assert_eq!(kernel.read(reader, read, 9).unwrap(), b"x");
    // The writer waits for space; the close of the reader wakes it, and SIGPIPE ends it.
    while kernel.write(writer, write, &[0; 4096], NOW).is_ok() {}
    kernel.block(writer, Wait::Writable(write));
    sound(&kernel);
    assert_eq!(ready(&mut kernel), []);
    kernel.exit(reader, Status::Exited(0));
    run(&mut kernel, writer);
    kernel.take_notices();
    assert_eq!(kernel.write(writer, write, b"x", NOW), Err(Errno::EPIPE));
    let status = Status::Signaled(Signal::PIPE);
    assert_eq!(
        kernel.take_notices(),
        [KernelEvent::Exited { pid: writer, cgroup: Cgroup(0), task: writer, load: 0, status }]
    );
    sound(&kernel);
}

#[test]
fn ignoring_sigpipe_returns_epipe() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let (read, write) = kernel.pipe(pid).unwrap();
    kernel.set_disposition(pid, Signal::PIPE, crate::signal::Disposition::Ignore);
    kernel.close(pid, read).unwrap();
    assert_eq!(kernel.write(pid, write, b"x", NOW), Err(Errno::EPIPE));
    assert!(kernel.alive(pid));
}

#[test]
fn end_of_file_follows_the_last_writer() {
    let mut kernel = boot();
    let reader = start(&mut kernel);
    let (read, write) = kernel.pipe(reader).unwrap();
    let (one, two) = (child_of(&mut kernel, reader), child_of(&mut kernel, reader));
    kernel.close(reader, write).unwrap();
    kernel.write(two, write, b"last words", NOW).unwrap();
    kernel.exit(one, Status::Exited(0));
    assert_eq!(kernel.read(reader, read, 99).unwrap(), b"last words");
    assert_eq!(kernel.read(reader, read, 99), Err(Errno::EAGAIN));
    kernel.block(reader, Wait::Readable(read));
    assert_eq!(ready(&mut kernel), []);
    kernel.exit(two, Status::Exited(0));
    run(&mut kernel, reader);
    assert_eq!(kernel.read(reader, read, 99).unwrap(), b"");
}

/// A wake-up costs what has changed, not what is watched.
#[test]
fn watched_pipes_wake_and_are_named() {
    let mut kernel = boot();
    let reader = start(&mut kernel);
    kernel.raise_descriptors(reader);
    let writer = child_of(&mut kernel, reader);
    let mut ends = Vec::new();
    for _ in 0..300 {
        let (read, write) = kernel.pipe(reader).unwrap();
        kernel.give_fd(reader, write, writer, write).unwrap();
        kernel.close(reader, write).unwrap();
        kernel.watch(reader, read);
        ends.push((read, write));
    }
    assert_eq!(kernel.watched_input(reader), []);
    kernel.block(reader, Wait::Any(vec![Wait::Child, Wait::Watched]));
    sound(&kernel);
    assert_eq!(ready(&mut kernel), []);
    let before = kernel.descriptor_checks;
    for (read, write) in &ends {
        kernel.write(writer, *write, b"x", NOW).unwrap();
        run(&mut kernel, reader);
        assert_eq!(kernel.watched_input(reader), [*read]);
        assert_eq!(kernel.read(reader, *read, 9).unwrap(), b"x");
        kernel.block(reader, Wait::Any(vec![Wait::Child, Wait::Watched]));
        sound(&kernel);
        assert_eq!(ready(&mut kernel), []);
    }
    assert!(kernel.descriptor_checks - before < 5 * 300, "{}", kernel.descriptor_checks - before);
    // A restored session knows nothing of it, and finds it again.
    kernel.news.clear();
    kernel.write(writer, ends[7].1, b"y", NOW).unwrap();
    run(&mut kernel, reader);
    assert_eq!(kernel.watched_input(reader), [ends[7].0], "input stays until it is read");
    assert_eq!(kernel.watched_input(reader), [ends[7].0]);
    kernel.close(reader, ends[7].0).unwrap();
    // The end of a file counts as input.
    kernel.close(writer, ends[8].1).unwrap();
    kernel.block(reader, Wait::Watched);
    run(&mut kernel, reader);
    assert_eq!(kernel.watched_input(reader), [ends[8].0]);
    sound(&kernel);
    kernel.exit(reader, Status::Exited(0));
    sound(&kernel);
}
