//! Tests: the public interface of the file system.

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
fn initial_tree() {
    let fs = tree();
    sound(&fs);
    for (path, kind, mode) in [
        ("/", FileKind::Dir, 0o755),
        ("/tmp", FileKind::Dir, 0o1777),
        ("/dev/null", FileKind::Device, 0o666),
        ("/bin/", FileKind::Dir, 0o755),
        ("/home/bob", FileKind::Dir, 0o700),
    ] {
        let stat = fs.stat(ADMIN, path).unwrap();
        assert_eq!((stat.kind, stat.mode), (kind, mode), "{path}");
    }
    assert_eq!(fs.lstat(ALICE, "/bin").unwrap().kind, FileKind::Link);
    assert_eq!(fs.links(&fs.stat(ALICE, "/home").unwrap()), 4);
}

#[test]
fn permissions() {
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
    // A directory with search permission but without read permission.
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
    // Writing through a dangling link creates its target.
    fs.write(ALICE, "/home/alice/dangling", b"2", 0o644, NOW).unwrap();
    assert_eq!(fs.read(ALICE, "/home/alice/new.txt").unwrap().as_slice(), b"2");
    // Removing a link keeps its target.
    fs.unlink(ALICE, "/home/alice/dangling", NOW).unwrap();
    assert!(fs.lookup(ALICE, "/home/alice/new.txt").is_ok());
    assert_eq!(fs.unlink(ALICE, "/tmp/d/", NOW), Err(EISDIR));
    assert_eq!(fs.rmdir(ALICE, "/tmp/d", NOW), Err(ENOTDIR));
    sound(&fs);
    // Forty links in a chain are followed, forty-one are not.
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

/// Applies the same random changes to the tree and to a plain map of paths; `None` is a directory.
#[test]
fn random_changes_agree_with_a_plain_map() {
    type PathModel = BTreeMap<String, Option<Vec<u8>>>;
    fn inside<'a>(model: &'a PathModel, dir: &str) -> Vec<&'a String> {
        model.keys().filter(|path| path.starts_with(&format!("{dir}/"))).collect()
    }
    let is_dir = |model: &PathModel, path: &str| path == "/tmp" || matches!(model.get(path), Some(None));
    let done = std::cell::Cell::new(0);
    testing::for_seeds(0..20, |_, numbers| {
        let (mut fs, mut model) = (tree(), PathModel::new());
        for round in 0..200 {
            if numbers.is_used_up() {
                break;
            }
            let mut random = |n: u64| numbers.below(n);
            let mut path = || (0..=random(3)).fold("/tmp".to_owned(), |p, _| format!("{p}/{}", random(3)));
            let (a, b) = (path(), path());
            let has_parent = |model: &PathModel, p: &str| is_dir(model, super::super::path::parent(p));
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
                    let expected =
                        model.contains_key(&a) && has_parent(&model, &b) && !below && (a == b || fits);
                    if expected && a != b {
                        model.remove(&b);
                        let moved: Vec<String> =
                            inside(&model, &a).into_iter().chain([&a]).cloned().collect();
                        for old in moved {
                            let what = model.remove(&old).unwrap();
                            model.insert(format!("{b}{}", &old[a.len()..]), what);
                        }
                    }
                    (fs.rename(ALICE, &a, &b, NOW).is_ok(), expected)
                }
            };
            assert_eq!(ok, expected, "round {round}: {a} {b}");
            done.set(done.get() + u32::from(ok));
            sound(&fs);
        }
        for (path, what) in &model {
            match what {
                Some(data) => assert_eq!(fs.read(ALICE, path).unwrap().as_slice(), data, "{path}"),
                None => assert!(fs.list(ALICE, path).is_ok(), "{path}"),
            }
        }
    });
    assert!(done.get() > 500, "too little happened: {}", done.get());
}

/// A file system with this quota of bytes and files per user.
fn limited(
    path: &str,
    size: u64,
    quota: Option<u64>,
    files: Option<u64>,
    shared: bool,
) -> config::FileSystem {
    config::FileSystem {
        path: path.to_owned(),
        size,
        quota,
        quota_files: files,
        shared,
        ..config::FileSystem::root()
    }
}

#[test]
fn groups_grant_access() {
    let mut fs = tree();
    let team = Gid(2001);
    fs.set_groups(vec![(ALICE, vec![team]), (BOB, vec![team])]);
    fs.mkdir(ALICE, "/home/alice/shared", 0o770, NOW).unwrap();
    fs.set_owner(ALICE, "/home/alice/shared", None, Some(team), true).unwrap();
    fs.chmod(ALICE, "/home/alice/shared", 0o2770).unwrap();
    fs.write(BOB, "/home/alice/shared/b", b"b", 0o640, NOW).unwrap();
    fs.mkdir(BOB, "/home/alice/shared/d", 0o750, NOW).unwrap();
    assert_eq!(fs.stat(BOB, "/home/alice/shared/b").unwrap().gid, team, "the directory's group");
    let inner = fs.stat(BOB, "/home/alice/shared/d").unwrap();
    assert_eq!((inner.gid, inner.mode), (team, 0o2750), "setgid is inherited");
    assert_eq!(fs.access(ALICE, "/home/alice/shared/b", Access::Read), Ok(()));
    assert_eq!(fs.access(ALICE, "/home/alice/shared/b", Access::Write), Err(EACCES));
    assert_eq!(fs.access(Uid(1003), "/home/alice/shared/b", Access::Read), Err(EACCES));
    assert_eq!(fs.set_owner(BOB, "/home/alice/shared/b", None, Some(Gid(ALICE.0)), true), Err(EPERM));
    assert_eq!(fs.set_owner(BOB, "/home/alice/shared/b", Some(ALICE), None, true), Err(EPERM));
    sound(&fs);
}

#[test]
fn quotas_and_full_disks() {
    let mut fs = tree();
    fs.mount(limited("/home", 1 << 20, Some(40_960), Some(5), true), NOW).unwrap();
    assert_eq!(fs.write(ALICE, "/home/alice/a", &[1; 32_768], 0o644, NOW).map(drop), Ok(()));
    assert_eq!(fs.write(ALICE, "/home/alice/b", &[1; 8192], 0o644, NOW).map(drop), Err(EDQUOT));
    let ino = fs.lookup(ALICE, "/home/alice/a").unwrap();
    assert_eq!(fs.write_at(ino, 32_768, &[2; 9000], NOW), Err(EDQUOT));
    assert_eq!(fs.stat(ALICE, "/home/alice/a").unwrap().size, 32_768);
    for name in ["c", "d"] {
        fs.create(ALICE, &format!("/home/alice/{name}"), 0o644, NOW).unwrap();
    }
    assert_eq!(fs.mkdir(ALICE, "/home/alice/e", 0o755, NOW), Err(EDQUOT), "too many files");
    assert_eq!(fs.set_size(ino, 2 << 20, true, NOW), Err(EDQUOT));
    assert_eq!(fs.set_size(ino, 2 << 20, false, NOW), Ok(()), "a hole takes no room");
    fs.mkdir(ADMIN, "/home/big", 0o755, NOW).unwrap();
    let big = fs.create(ADMIN, "/home/big/f", 0o644, NOW).unwrap();
    assert_eq!(fs.set_size(big, 2 << 20, true, NOW), Err(ENOSPC), "root has no quota, but a disk");
    fs.chown(ADMIN, "/home/alice/c", BOB).unwrap();
    sound(&fs);
    fs.unlink(ALICE, "/home/alice/a", NOW).unwrap();
    fs.write(ALICE, "/home/alice/b", &[1; 8192], 0o644, NOW).unwrap();
    sound(&fs);
}

#[test]
fn each_host_has_its_own_file_systems() {
    let mut fs = tree();
    fs.enter("login", NOW);
    fs.write(ALICE, "/tmp/old", b"gone", 0o644, NOW).unwrap();
    fs.mount(limited("/tmp", 1 << 20, None, None, false), NOW).unwrap();
    assert_eq!(fs.stat(ALICE, "/tmp/old").err(), Some(ENOENT));
    assert_eq!(fs.stat(ALICE, "/tmp").unwrap().mode, 0o1777);
    fs.write(ALICE, "/tmp/x", b"login", 0o644, NOW).unwrap();
    let login = fs.enter("cn01", NOW);
    assert_eq!(fs.stat(ALICE, "/tmp/x").err(), Some(ENOENT));
    fs.write(ALICE, "/tmp/x", b"cn01", 0o644, NOW).unwrap();
    fs.symlink(ALICE, "/tmp/x", "/home/alice/there", NOW).unwrap();
    assert_eq!(fs.real_path(ALICE, "/tmp/x").unwrap(), "/tmp/x");
    assert_eq!(**fs.read(ALICE, "/home/alice/there").unwrap(), *b"cn01");
    assert_eq!(fs.rename(ALICE, "/tmp/x", "/home/alice/x", NOW), Err(EXDEV));
    assert_eq!(fs.link(ALICE, "/tmp/x", "/home/alice/x", NOW), Err(EXDEV));
    assert_eq!(fs.rmdir(ADMIN, "/tmp", NOW), Err(EBUSY));
    assert_eq!(fs.mounted().filter(|volume| volume.what.path == "/tmp").count(), 1);
    fs.mkdir(BOB, "/tmp/of-bob", 0o755, NOW).unwrap();
    fs.clean_up(ALICE, NOW);
    assert_eq!(fs.list(ALICE, "/tmp").unwrap(), ["of-bob"]);
    fs.back(login);
    assert_eq!(**fs.read(ALICE, "/home/alice/there").unwrap(), *b"login");
    sound(&fs);
}

#[test]
fn sizes_without_content() {
    let mut fs = tree();
    let path = "/home/alice/huge";
    let ino = fs.create(ALICE, path, 0o644, NOW).unwrap();
    fs.write_at(ino, 0, b"head", NOW).unwrap();
    fs.set_size(ino, 10 << 30, true, NOW).unwrap();
    let stat = fs.stat(ALICE, path).unwrap();
    assert_eq!((stat.size, stat.disk), (10 << 30, 10 << 30));
    assert_eq!(fs.read_at(ino, 2, 4).unwrap(), b"ad\0\0");
    assert_eq!(fs.read(ALICE, path), Err(EFBIG));
    fs.write_at(ino, 10 << 30, b"tail", NOW).unwrap();
    assert_eq!(fs.read_at(ino, 10 << 30, 9).unwrap(), [0; 4], "only the size is kept there");
    fs.set_size(ino, 6, false, NOW).unwrap();
    assert_eq!(**fs.read(ALICE, path).unwrap(), *b"head\0\0");
    fs.write_at(ino, 8, b"x", NOW).unwrap();
    assert_eq!(**fs.read(ALICE, path).unwrap(), *b"head\0\0\0\0x");
    fs.write_at(ino, 9, &[0; 8192], NOW).unwrap();
    fs.write_at(ino, 4000, b"y", NOW).unwrap();
    assert_eq!(fs.read_at(ino, 3999, 3).unwrap(), b"\0y\0");
    assert_eq!(fs.stat(ALICE, path).unwrap().size, 8201);
    let copy = fs.create(ALICE, "/home/alice/copy", 0o644, NOW).unwrap();
    fs.copy_content(ino, copy, NOW).unwrap();
    assert_eq!(fs.read(ALICE, "/home/alice/copy"), fs.read(ALICE, path));
    assert_eq!(fs.write_at(ino, u64::MAX - 9, b"z", NOW), Err(EFBIG));
    sound(&fs);
}
