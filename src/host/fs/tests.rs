//! The tree at its boundary.

use super::*;

const ALICE: Uid = Uid(1001);
const BOB: Uid = Uid(1002);
const ROOTY: Uid = Uid(0);
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
        let stat = fs.stat(ROOTY, path).unwrap();
        assert_eq!((stat.kind, stat.mode), (kind, mode), "{path}");
    }
    assert_eq!(fs.lstat(ALICE, "/bin").unwrap().kind, Kind::Link);
}
