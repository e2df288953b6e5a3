//! The tree at its boundary.

use super::*;
use Errno::*;

const ALICE: Uid = Uid(1001);
const BOB: Uid = Uid(1002);
const ADMIN: Uid = Uid(0);
const NOW: Time = Time(7);

fn tree() -> Fs {
    let mut fs = Fs::new(Time(0));
    fs.mkdir_all("/home/alice", ALICE, 0o755, NOW).unwrap();
    fs.mkdir_all("/home/bob", BOB, 0o700, NOW).unwrap();
    fs
}

#[track_caller]
fn sound(fs: &Fs) {
    let mut wrong = Vec::new();
    fs.check(&mut wrong);
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_there_at_first() {
    let fs = tree();
    sound(&fs);
    for (path, kind, mode) in [
        ("/", Kind::Dir, 0o755),
        ("/tmp", Kind::Dir, 0o1777),
        ("/dev/null", Kind::Device, 0o666),
        ("/bin/", Kind::Dir, 0o755),
        ("/home/bob", Kind::Dir, 0o700),
    ] {
        let stat = fs.stat(ADMIN, path).unwrap();
        assert_eq!((stat.kind, stat.mode), (kind, mode), "{path}");
    }
    assert_eq!(fs.lstat(ALICE, "/bin").unwrap().kind, Kind::Link);
    assert_eq!(fs.stat(ALICE, "/home").unwrap().links, 4);
}

#[test]
fn who_may_do_what() {
    let mut fs = tree();
    for (path, owner, mode) in [
        ("/home/alice/open", ALICE, 0o644),
        ("/home/alice/closed", ALICE, 0o600),
        ("/home/alice/none", ALICE, 0o000),
        ("/home/alice/others", ALICE, 0o007),
        ("/home/bob/letter", BOB, 0o644),
        ("/tmp/note", ALICE, 0o666),
    ] {
        fs.write(owner, path, b"x", mode, NOW).unwrap();
    }
    use Access::*;
    for (uid, path, access, expected) in [
        (BOB, "/home/alice/open", Read, Ok(())),
        (BOB, "/home/alice/open", Write, Err(EACCES)),
        (BOB, "/home/alice/closed", Read, Err(EACCES)),
        (ALICE, "/home/alice/none", Read, Err(EACCES)),
        (ALICE, "/home/alice/others", Read, Err(EACCES)),
        (BOB, "/home/alice/others", Exec, Ok(())),
        (ADMIN, "/home/alice/none", Write, Ok(())),
        (ADMIN, "/home/alice/none", Exec, Err(EACCES)),
        (ALICE, "/home/bob/letter", Read, Err(EACCES)),
        (ALICE, "/home/bob/nothing", Read, Err(EACCES)),
        (ADMIN, "/home/bob/letter", Read, Ok(())),
        (BOB, "/tmp/note", Write, Ok(())),
    ] {
        assert_eq!(fs.access(uid, path, access), expected, "{uid} {path} {access:?}");
    }
    assert_eq!(fs.unlink(BOB, "/tmp/note", NOW), Err(EPERM), "sticky");
    assert_eq!(fs.rename(BOB, "/tmp/note", "/tmp/mine", NOW), Err(EPERM), "sticky");
    assert_eq!(fs.unlink(BOB, "/home/alice/open", NOW), Err(EACCES));
    assert_eq!(fs.unlink(ALICE, "/tmp/note", NOW), Ok(()));
    assert_eq!(fs.chmod(BOB, "/home/alice/open", 0o777), Err(EPERM));
    assert_eq!(fs.chown(ALICE, "/home/alice/open", BOB), Err(EPERM));
    assert_eq!(fs.touch(BOB, "/home/alice/open", NOW), Err(EPERM));
    assert_eq!(fs.create(ALICE, "/etc/mine", 0o644, NOW), Err(EACCES));
    assert_eq!(fs.list(ALICE, "/home/bob"), Err(EACCES));
    // A directory that may be searched but not listed.
    fs.chmod(ALICE, "/home/alice", 0o711).unwrap();
    assert_eq!(fs.list(BOB, "/home/alice"), Err(EACCES));
    assert_eq!(fs.read(BOB, "/home/alice/open").unwrap().as_slice(), b"x");
    sound(&fs);
}

#[test]
fn symbolic_links() {
    let mut fs = tree();
    fs.mkdir(ALICE, "/home/alice/data", 0o755, NOW).unwrap();
    for (target, path) in [
        ("/home/alice/data", "/tmp/d"),
        ("../alice/data", "/home/alice/relative"),
        ("self", "/home/alice/self"),
        ("new.txt", "/home/alice/dangling"),
        ("/home/alice/data/", "/tmp/slash"),
    ] {
        fs.symlink(ALICE, target, path, NOW).unwrap();
    }
    fs.write(ALICE, "/tmp/d/a", b"1", 0o644, NOW).unwrap();
    assert_eq!(fs.read(ALICE, "/home/alice/relative/a").unwrap().as_slice(), b"1");
    assert_eq!(fs.real_path(ALICE, "/tmp/d/../relative/./a").as_deref(), Ok("/home/alice/data/a"));
    assert_eq!(fs.real_path(ALICE, "/tmp/slash/").as_deref(), Ok("/home/alice/data"));
    assert_eq!(fs.real_path(ALICE, "/").as_deref(), Ok("/"));
    assert_eq!(fs.lookup(ALICE, "/home/alice/self"), Err(ELOOP));
    assert_eq!(fs.readlink(ALICE, "/home/alice/self").as_deref(), Ok("self"));
    assert_eq!(fs.readlink(ALICE, "/home/alice/data"), Err(EINVAL));
    // Writing through a dangling link makes its target.
    fs.write(ALICE, "/home/alice/dangling", b"2", 0o644, NOW).unwrap();
    assert_eq!(fs.read(ALICE, "/home/alice/new.txt").unwrap().as_slice(), b"2");
    // Removing a link leaves what it leads to.
    fs.unlink(ALICE, "/home/alice/dangling", NOW).unwrap();
    assert!(fs.lookup(ALICE, "/home/alice/new.txt").is_ok());
    assert_eq!(fs.unlink(ALICE, "/tmp/d/", NOW), Err(EISDIR));
    assert_eq!(fs.rmdir(ALICE, "/tmp/d", NOW), Err(ENOTDIR));
    sound(&fs);
    // Forty in a row are followed, one more is not.
    for i in 0..41 {
        fs.symlink(ALICE, &format!("l{i}"), &format!("/home/alice/l{}", i + 1), NOW).unwrap();
    }
    fs.write(ALICE, "/home/alice/l0", b"", 0o644, NOW).unwrap();
    assert!(fs.lookup(ALICE, "/home/alice/l40").is_ok());
    assert_eq!(fs.lookup(ALICE, "/home/alice/l41"), Err(ELOOP));
}

#[test]
fn odd_paths() {
    let mut fs = tree();
    fs.write(ALICE, "/home/alice/f", b"", 0o644, NOW).unwrap();
    let long = "n".repeat(256);
    for (path, expected) in [
        ("", Some(ENOENT)),
        ("/home/alice/f/", Some(ENOTDIR)),
        ("/home/alice/f/.", Some(ENOTDIR)),
        ("/home/alice/f/..", Some(ENOTDIR)),
        ("/home/alice/no/f", Some(ENOENT)),
        ("//home/./alice//f", None),
        ("/../../home/alice/f", None),
        (&format!("/tmp/{long}"), Some(ENAMETOOLONG)),
        (&"/".repeat(4096), Some(ENAMETOOLONG)),
        (&"/".repeat(4095), None),
    ] {
        assert_eq!(fs.lookup(ALICE, path).err(), expected, "{path:.20}");
    }
    assert_eq!(fs.create(ALICE, &format!("/tmp/{}", &long[..255]), 0o644, NOW).err(), None);
    assert_eq!(fs.create(ALICE, "/tmp/new/", 0o644, NOW).err(), Some(EISDIR));
    assert_eq!(fs.mkdir(ALICE, "/tmp/new/", 0o755, NOW), Ok(()));
    assert_eq!(fs.rmdir(ALICE, "/tmp/new/.", NOW), Err(EINVAL));
    assert_eq!(fs.rmdir(ADMIN, "/", NOW), Err(EBUSY));
    assert_eq!(fs.rmdir(ALICE, "/tmp/new", NOW), Ok(()));
}

#[test]
fn disks_are_bounded() {
    let mut fs = tree();
    let ino = fs.create(ALICE, "/tmp/big", 0o644, NOW).unwrap();
    let end = MAX_FILE as u64;
    assert_eq!(fs.write_at(ino, end, b"x", NOW), Err(EFBIG));
    assert_eq!(fs.write_at(ino, u64::MAX, b"x", NOW), Err(EFBIG));
    for i in 0..4 {
        let ino = fs.create(ALICE, &format!("/tmp/{i}"), 0o644, NOW).unwrap();
        let room = if i == 3 { 64 } else { 0 };
        fs.write_at(ino, end - room - 1, b"x", NOW).unwrap();
    }
    assert_eq!(fs.write_at(ino, 0, &[1; 65], NOW), Err(ENOSPC));
    sound(&fs);
    fs.unlink(ALICE, "/tmp/0", NOW).unwrap();
    assert_eq!(fs.write_at(ino, 0, &[1; 65], NOW), Ok(()));
    fs.truncate(ino, NOW).unwrap();
    sound(&fs);
}

#[test]
fn content_and_clones() {
    let mut fs = tree();
    let ino = fs.write(ALICE, "/tmp/f", b"hello", 0o644, NOW).unwrap();
    let before = fs.clone();
    fs.write_at(ino, 7, b"!", Time(9)).unwrap();
    fs.write_at(ino, 1, b"E", Time(9)).unwrap();
    assert_eq!(fs.read(ALICE, "/tmp/f").unwrap().as_slice(), b"hEllo\0\0!");
    assert_eq!(fs.stat(ALICE, "/tmp/f").unwrap().mtime, Time(9));
    assert_eq!(before.read(ALICE, "/tmp/f").unwrap().as_slice(), b"hello");
    // A second name, and an existing file that keeps its mode and owner.
    fs.link(ALICE, "/tmp/f", "/tmp/g", NOW).unwrap();
    fs.chmod(ALICE, "/tmp/g", 0o666).unwrap();
    assert_eq!(fs.write(BOB, "/tmp/g", b"new", 0o600, NOW), Ok(ino));
    fs.unlink(ALICE, "/tmp/f", NOW).unwrap();
    let stat = fs.stat(ALICE, "/tmp/g").unwrap();
    assert_eq!((stat.mode, stat.uid, stat.links, stat.size), (0o666, ALICE, 1, 3));
    fs.install("/usr/bin/squeue", "squeue", NOW).unwrap();
    fs.install("/usr/bin/squeue", "squeue", NOW).unwrap();
    assert!(fs.read(ALICE, "/bin/squeue").unwrap().starts_with(b"\x7fELF"));
    assert_eq!(fs.write(ADMIN, "/usr/bin/squeue", b"", 0o755, NOW), Err(EACCES));
    sound(&fs);
    sound(&before);
}

#[test]
fn renaming() {
    let setup = || {
        let mut fs = tree();
        for dir in ["d", "d/sub", "empty"] {
            fs.mkdir(ALICE, &format!("/home/alice/{dir}"), 0o755, NOW).unwrap();
        }
        for file in ["a", "b", "d/f"] {
            fs.write(ALICE, &format!("/home/alice/{file}"), file.as_bytes(), 0o644, NOW).unwrap();
        }
        fs
    };
    for (from, to, expected) in [
        ("a", "b", Ok(())),
        ("a", "new", Ok(())),
        ("a", "a", Ok(())),
        ("a", "d/a", Ok(())),
        ("a", "new/", Err(ENOTDIR)),
        ("a", "d", Err(EISDIR)),
        ("d", "a", Err(ENOTDIR)),
        ("d", "empty", Ok(())),
        ("empty", "d", Err(ENOTEMPTY)),
        ("d", "d/sub/x", Err(EINVAL)),
        ("d/sub", "d", Err(ENOTEMPTY)),
        ("d", "new/", Ok(())),
        ("no", "x", Err(ENOENT)),
        ("a", "no/x", Err(ENOENT)),
        ("a", "/etc/x", Err(EACCES)),
        ("/etc", "x", Err(EACCES)),
    ] {
        let mut fs = setup();
        let path = |name| {
            super::super::path::resolve("/home/alice", name) + if name.ends_with('/') { "/" } else { "" }
        };
        let ino = fs.lstat(ALICE, &path(from)).ok().map(|stat| stat.ino);
        assert_eq!(fs.rename(ALICE, &path(from), &path(to), NOW), expected, "{from} -> {to}");
        if expected.is_ok() {
            assert_eq!(fs.lstat(ALICE, &path(to)).ok().map(|stat| stat.ino), ino, "{from} -> {to}");
            assert!(from == to || fs.lstat(ALICE, &path(from)).is_err(), "{from} -> {to}");
        }
        sound(&fs);
    }
}

/// The same random changes to the tree and to a plain map of paths; `None` is a directory.
#[test]
fn random_changes_agree_with_a_plain_map() {
    type Model = BTreeMap<String, Option<Vec<u8>>>;
    fn inside<'a>(model: &'a Model, dir: &str) -> Vec<&'a String> {
        model.keys().filter(|path| path.starts_with(&format!("{dir}/"))).collect()
    }
    let is_dir = |model: &Model, path: &str| path == "/tmp" || matches!(model.get(path), Some(None));
    let mut seed = 42_u64;
    let mut random = move |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let (mut fs, mut model) = (tree(), Model::new());
    let mut done = 0;
    for round in 0..4000 {
        let mut path = || (0..=random(3)).fold("/tmp".to_owned(), |p, _| format!("{p}/{}", random(3)));
        let (a, b) = (path(), path());
        let has_parent = |model: &Model, p: &str| is_dir(model, super::super::path::parent(p));
        let (ok, expected) = match random(5) {
            0 => {
                let expected = has_parent(&model, &a) && !is_dir(&model, &a);
                if expected {
                    model.insert(a.clone(), Some(b.clone().into_bytes()));
                }
                (fs.write(ALICE, &a, b.as_bytes(), 0o644, NOW).is_ok(), expected)
            }
            1 => {
                let expected = has_parent(&model, &a) && !model.contains_key(&a);
                if expected {
                    model.insert(a.clone(), None);
                }
                (fs.mkdir(ALICE, &a, 0o755, NOW).is_ok(), expected)
            }
            2 => {
                let expected = model.get(&a).is_some_and(Option::is_some) && model.remove(&a).is_some();
                (fs.unlink(ALICE, &a, NOW).is_ok(), expected)
            }
            3 => {
                let expected = is_dir(&model, &a) && inside(&model, &a).is_empty();
                if expected {
                    model.remove(&a);
                }
                (fs.rmdir(ALICE, &a, NOW).is_ok(), expected)
            }
            _ => {
                let fits = match (is_dir(&model, &a), model.get(&b)) {
                    (_, None) => true,
                    (true, Some(None)) => inside(&model, &b).is_empty(),
                    (dir, Some(file)) => !dir && file.is_some(),
                };
                let below = b.starts_with(&format!("{a}/"));
                let expected = model.contains_key(&a) && has_parent(&model, &b) && !below && (a == b || fits);
                if expected && a != b {
                    model.remove(&b);
                    let moved: Vec<String> = inside(&model, &a).into_iter().chain([&a]).cloned().collect();
                    for old in moved {
                        let what = model.remove(&old).unwrap();
                        model.insert(format!("{b}{}", &old[a.len()..]), what);
                    }
                }
                (fs.rename(ALICE, &a, &b, NOW).is_ok(), expected)
            }
        };
        assert_eq!(ok, expected, "round {round}: {a} {b}");
        done += u32::from(ok);
        sound(&fs);
    }
    assert!(done > 500, "too little happened: {done}");
    for (path, what) in &model {
        match what {
            Some(data) => assert_eq!(fs.read(ALICE, path).unwrap().as_slice(), data, "{path}"),
            None => assert!(fs.list(ALICE, path).is_ok(), "{path}"),
        }
    }
}
