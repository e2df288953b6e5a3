//! Tests: descriptors, open files and devices.

use super::*;

#[test]
fn dup_shares_the_offset_and_open_does_not() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let out = kernel.open(pid, "f", WRITE, 0o666, NOW).unwrap();
    kernel.dup2(pid, out, 5).unwrap();
    kernel.write(pid, out, b"one ", NOW).unwrap();
    kernel.write(pid, 5, b"two ", NOW).unwrap();
    let append = kernel.open(pid, "./f", APPEND, 0o666, NOW).unwrap();
    kernel.write(pid, append, b"three ", NOW).unwrap();
    kernel.write(pid, out, b"FOUR", NOW).unwrap();
    let input = kernel.open(pid, "/home/alice/f", READ, 0, NOW).unwrap();
    assert_eq!([out, append, input], [0, 1, 2]);
    let child = child_of(&mut kernel, pid);
    assert_eq!(kernel.read(child, input, 5).unwrap(), b"one t");
    assert_eq!(kernel.read(pid, input, 99).unwrap(), b"wo FOURe ");
    assert_eq!(kernel.read(pid, input, 99).unwrap(), b"");
    let stat = kernel.fs.stat(ALICE, "/home/alice/f").unwrap();
    assert_eq!((stat.mode, stat.uid), (0o644, ALICE), "masked");
    assert_eq!(kernel.read(pid, out, 1), Err(Errno::EBADF));
    assert_eq!(kernel.write(pid, input, b"x", NOW), Err(Errno::EBADF));
    sound(&kernel);
}

#[test]
fn an_open_file_outlives_its_name() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    kernel.fs.write(ALICE, "/tmp/gone", b"still here", 0o644, NOW).unwrap();
    let fd = kernel.open(pid, "/tmp/gone", READ, 0, NOW).unwrap();
    let copy = kernel.dup_from(pid, fd, 10).unwrap();
    kernel.fs.unlink(ALICE, "/tmp/gone", NOW).unwrap();
    kernel.close(pid, fd).unwrap();
    sound(&kernel);
    assert_eq!((copy, kernel.read(pid, copy, 99).unwrap().as_slice()), (10, &b"still here"[..]));
    let ino = kernel.fs.open_counts().next().unwrap().0;
    kernel.exit(pid, Status::Exited(0));
    assert!(kernel.fs.inode(ino).is_none());
    sound(&kernel);
}

#[test]
fn opening() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    kernel.fs.write(BOB, "/tmp/bobs", b"b", 0o600, NOW).unwrap();
    kernel.fs.write(BOB, "/tmp/shown", b"b", 0o644, NOW).unwrap();
    kernel.fs.install("/usr/bin/squeue", "squeue", NOW).unwrap();
    kernel.fs.symlink(ALICE, "nowhere", "/tmp/link", NOW).unwrap();
    let exclusive = OpenFlags { exclusive: true, ..WRITE };
    for (path, flags, expected) in [
        ("none", READ, Some(Errno::ENOENT)),
        ("/tmp/bobs", READ, Some(Errno::EACCES)),
        ("/tmp/shown", READ, None),
        ("/tmp/shown", WRITE, Some(Errno::EACCES)),
        ("/tmp", READ, None),
        ("/tmp", WRITE, Some(Errno::EISDIR)),
        ("/usr/bin/squeue", READ, None),
        ("/usr/bin/squeue", WRITE, Some(Errno::EACCES)),
        ("/etc/new", WRITE, Some(Errno::EACCES)),
        ("new", exclusive, None),
        ("new", exclusive, Some(Errno::EEXIST)),
        ("/tmp/link", exclusive, Some(Errno::EEXIST)),
        ("/tmp/link", WRITE, None),
        ("/dev/tty", READ, Some(Errno::ENXIO)),
        ("/dev/fd/30", READ, Some(Errno::ENOENT)),
        ("", READ, Some(Errno::ENOENT)),
    ] {
        assert_eq!(kernel.open(pid, path, flags, 0o666, NOW).err(), expected, "{path} {flags:?}");
    }
    assert!(kernel.fs.lookup(ALICE, "/tmp/nowhere").is_ok());
    sound(&kernel);
}

#[test]
fn devices() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let both = OpenFlags { read: true, ..WRITE };
    let mut open = |path| kernel.open(pid, path, both, 0o666, NOW).unwrap();
    let (null, zero, full, random) =
        (open("/dev/null"), open("/dev/zero"), open("/dev/full"), open("/dev/urandom"));
    assert_eq!(kernel.read(pid, null, 9).unwrap(), b"");
    assert_eq!(kernel.read(pid, zero, 3).unwrap(), [0; 3]);
    assert_eq!(kernel.read(pid, zero, usize::MAX).unwrap().len(), 65_536);
    assert_eq!(kernel.write(pid, null, b"abc", NOW), Ok(3));
    assert_eq!(kernel.write(pid, full, b"abc", NOW), Err(Errno::ENOSPC));
    let mut other = kernel.clone();
    let bytes = kernel.read(pid, random, 16).unwrap();
    assert_ne!(bytes, kernel.read(pid, random, 16).unwrap());
    assert_eq!(bytes, other.read(pid, random, 16).unwrap(), "the same in every replay");
    // Opening a descriptor by path duplicates it.
    kernel.fs.write(ALICE, "/tmp/f", b"line\nrest", 0o644, NOW).unwrap();
    let file = kernel.open(pid, "/tmp/f", READ, 0, NOW).unwrap();
    kernel.dup2(pid, file, 0).unwrap();
    let by_path = kernel.open(pid, "/dev/stdin", READ, 0, NOW).unwrap();
    kernel.read(pid, by_path, 5).unwrap();
    assert_eq!(kernel.read(pid, 0, 99).unwrap(), b"rest");
}

#[test]
fn numbers_of_descriptors() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    for fd in 0..1024 {
        assert_eq!(kernel.open(pid, "/dev/null", READ, 0, NOW), Ok(fd));
    }
    assert_eq!(kernel.open(pid, "new", WRITE, 0o666, NOW), Err(Errno::EMFILE));
    assert_eq!(kernel.fs.lookup(ALICE, "/home/alice/new"), Err(Errno::ENOENT), "and no file was created");
    kernel.close(pid, 7).unwrap();
    assert_eq!(kernel.pipe(pid), Err(Errno::EMFILE));
    assert_eq!(kernel.dup_from(pid, 3, 8), Err(Errno::EMFILE));
    assert_eq!(kernel.dup_from(pid, 3, 2), Ok(7));
    assert_eq!(kernel.dup2(pid, 3, 1024), Err(Errno::EBADF));
    assert_eq!(kernel.dup_from(pid, 3, 1024), Err(Errno::EINVAL));
    for fd in [3, 4] {
        kernel.set_cloexec(pid, fd, true);
    }
    kernel.set_cloexec(pid, 4, false);
    kernel.dup2(pid, 3, 5).unwrap();
    kernel.exec(pid, Vec::new());
    let fds = kernel.fds(pid);
    assert!(!fds.contains(&3) && fds.contains(&4) && fds.contains(&5));
    sound(&kernel);
}

#[test]
fn replacing_a_descriptor_wakes_its_waiter() {
    let mut kernel = boot();
    let pid = start(&mut kernel);
    let (read, _write) = kernel.pipe(pid).unwrap();
    let other = child_of(&mut kernel, pid);
    kernel.block(pid, Wait::Readable(read));
    kernel.fs.write(ALICE, "/tmp/f", b"now a file", 0o644, NOW).unwrap();
    let file = kernel.open(other, "/tmp/f", READ, 0, NOW).unwrap();
    kernel.give_fd(other, file, pid, read).unwrap();
    run(&mut kernel, pid);
    assert_eq!(kernel.read(pid, read, 99).unwrap(), b"now a file");
    sound(&kernel);
}
