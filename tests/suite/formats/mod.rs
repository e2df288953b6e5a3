//! Samples of all saved formats, written by earlier builds: this build opens each of them.
//!
//! `tests/formats/NAME/` holds the files written by the build of that name; its `README.md` lists them. These
//! files never change. [`make::make`] makes the same files with this build; `cargo xtask formats NAME` writes
//! them into a new folder.
//!
//! The `*.facts` files describe a sample's contents. The users' inputs must stay the same forever. The
//! resulting state may differ in a later version, which then shows a notice.

mod class;
mod facts;
mod keep;
mod make;

use super::page::Page;
use super::site::path;
use base::time::Time;
use config::SiteFiles;
use engine::session::{Link, Session, Setup};
use facts::Facts;
use make::make;
use protocol::*;
use std::collections::{BTreeMap, BTreeSet};
use view::opened_files::{OpenedFiles, SessionFile, classify};
use view::recovery::Recovery;
use view::results::LessonResult;

/// The start of the page's sessions: 2026-03-02 09:00.
const START: Time = Time::from_secs(1_772_442_000);
/// Names and contents of the files in a folder.
type Folder = BTreeMap<String, Vec<u8>>;

/// The site of the samples, as it was when they were made.
fn setup(site: &str, files: SiteFiles) -> Setup {
    Setup { site: site.to_owned(), files, seed: 1, start: START }
}

fn with_background(mut setup: Setup) -> Setup {
    setup.files.0.insert("background".to_owned(), "normal".to_owned());
    setup
}

fn text<'a>(folder: &'a Folder, name: &str) -> &'a str {
    std::str::from_utf8(bytes(folder, name)).expect("a text")
}

fn bytes<'a>(folder: &'a Folder, name: &str) -> &'a [u8] {
    folder.get(name).unwrap_or_else(|| panic!("no {name}"))
}

/// The site's files in a folder below `prefix`.
fn site_of(folder: &Folder, prefix: &str) -> SiteFiles {
    let file = |name: &String| Some((name.strip_prefix(prefix)?.to_owned(), text(folder, name).to_owned()));
    SiteFiles(folder.keys().filter_map(file).collect())
}

/// A sample's session, and the notices shown when opening it.
type Opened = (Session, Vec<UserNotice>);

/// The journal entries that the page stores next to the saved bytes.
fn since(folder: &Folder, name: &str) -> Vec<Vec<u8>> {
    let recovery = Recovery::<Vec<u8>>::from_bytes(bytes(folder, name), None);
    recovery.expect("a journal").since.into_iter().map(|entry| entry.bytes).collect()
}

fn resumed(setup: Setup, saved: Option<&[u8]>, since: &[Vec<u8>]) -> Opened {
    // A saved session contains its seed.
    let setup = if saved.is_some() { Setup { seed: 99, ..setup } } else { setup };
    Session::resume(setup, saved, since, &BTreeSet::new()).unwrap_or_else(|why| panic!("{why}"))
}

fn opened(link: &[u8], setup: Setup) -> Opened {
    let link = Link::decode(link).unwrap_or_else(|why| panic!("{why}"));
    let setup = Setup { seed: 99, start: Time(0), ..setup };
    link.open(setup)
}

/// Compares an opened sample with its facts. A different result requires a notice. The same state may be printed in
/// another way by a later version of the commands.
fn check(build: Build, name: &str, (session, notices): Opened, expected: &Facts) {
    let mut session = session;
    // A journal ends at its last input.
    assert!(session.run_until(Time(expected.at), 1_000_000), "{name}");
    let found = Facts::of(&session);
    assert_eq!(found.done, expected.done, "{name}: nothing that was done is lost");
    assert_eq!(session.world().check(), Ok(()), "{name}");
    if found.hash == expected.hash {
        assert_eq!(notices, [], "{name}");
        assert!(build == Build::Earlier || found.result == expected.result, "{name}: {}", found.result);
    } else {
        // Inputs that were not saved yet have no hash to compare with, but for every 64th.
        let compared = name != "since" && name != "journal";
        assert!(!compared || !notices.is_empty(), "{name}: the result is another and nobody says so");
        assert!(build == Build::Earlier, "{name}: this build gives the same result");
    }
}

/// The build that wrote a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Build {
    Earlier,
    This,
}

fn open_all(folder: &Folder, build: Build) {
    let check = |name, opened, expected: &Facts| check(build, name, opened, expected);
    let lab = setup("lab", site_of(folder, "site/"));
    let facts = |name: &str| Facts::read(folder, name);
    let session = bytes(folder, "session.bin");
    check("session", resumed(lab.clone(), Some(session), &[]), &facts("session.facts"));
    let later = since(folder, "since.bin");
    assert!(!later.is_empty());
    check("since", resumed(lab.clone(), Some(session), &later), &facts("since.facts"));
    let (mut other, notices) = resumed(lab.clone(), Some(session), &later);
    let more = other.switch(1).expect("the other future is there");
    while other.pack_left(&mut Vec::new()) {}
    check("other", (other, [notices, more].concat()), &facts("other.facts"));
    let busy = with_background(lab.clone());
    check(
        "background",
        resumed(busy, Some(bytes(folder, "background.bin")), &[]),
        &facts("background.facts"),
    );
    let journal = since(folder, "journal.bin");
    check("journal", resumed(lab.clone(), None, &journal), &facts("journal.facts"));

    let link = bytes(folder, "link-1.bin");
    assert_eq!(Link::decode(link).expect("a link").passed, 0b101);
    check("link", opened(link, lab.clone()), &facts("link-1.facts"));
    let moment = text(folder, "moment.txt").to_owned();
    let OpenedFiles::Moment(query) = classify(vec![("moment.txt".to_owned(), moment)]) else {
        panic!("a moment")
    };
    assert_eq!(query.split_once("#s=").map(|(_, s)| from_address(s)).as_deref(), Some(link));
    assert!(query.starts_with("?site=lab&seed=1#"), "{query}");
    let outcome = LessonResult::read(text(folder, "results.txt")).expect("results");
    assert!(outcome.whole && outcome.moment == query);
    assert_eq!((outcome.name.as_str(), outcome.passed, outcome.points), ("Zoé Lefèvre", 2, 15));
    assert_eq!((outcome.simulated(), outcome.real()), (600, 300));

    let elsewhere = setup("lab", SiteFiles::default());
    check("own site", opened(bytes(folder, "link-2.bin"), elsewhere), &facts("link-2.facts"));

    // A session as the page offers it for download: since layout 11 as text, before that the bytes alone.
    let brought = |text: String| match classify(vec![("session".to_owned(), text)]) {
        OpenedFiles::Session(file) => *file,
        other => panic!("{other:?}"),
    };
    let rest = bytes(folder, "since.bin");
    let alone = brought(SessionFile::text_of(session.to_vec()));
    assert_eq!((alone.site.as_str(), alone.state.as_deref()), ("lab", Some(session)));
    assert_eq!(brought(SessionFile::text_of(rest.to_vec())).journal, rest);
    if folder.contains_key("session.txt") {
        let file = brought(text(folder, "session.txt").to_owned());
        assert_eq!((file.site.as_str(), file.seed.as_str(), file.background.as_str()), ("lab", "1", "off"));
        assert_eq!((file.journal.as_slice(), file.state.as_deref()), (rest, Some(session)));
    }

    // Samples of version 0.1.0 before layout 10 have no class.
    if let Some(file) = folder.get("class.bin") {
        assert_eq!(class::facts(file), text(folder, "class.facts"));
    }

    // The same through the engine, as in the page.
    let page = Page::of(lab, Some(session.to_vec()), later);
    assert!(page.others.iter().any(|m| matches!(m, FromEngine::Started(s) if s.resumed)));
    let lost = |n: &UserNotice| matches!(n, UserNotice::SavedUnreadable(_));
    assert!(!page.notices.iter().any(lost), "{:?}", page.notices);
}

/// A session of layout 6 on a changed site: it is rebuilt with a different result, and a notice says so.
#[test]
fn a_session_with_a_different_result_says_so() {
    let folder = read_folder(&path("tests/formats/0.1.0-layout-6"));
    let mut site = site_of(&folder, "site/");
    let conf = site.0.get_mut("slurm.conf").expect("slurm.conf");
    *conf = conf.replace(
        "NodeName=c[01-08] Sockets=2 CoresPerSocket=8",
        "NodeName=c[01-08] Sockets=2 CoresPerSocket=1",
    );
    let (session, notices) = resumed(setup("lab", site), Some(bytes(&folder, "session.bin")), &[]);
    let [UserNotice::Session(_), UserNotice::Rebuilt(text)] = notices.as_slice() else {
        panic!("{notices:?}")
    };
    assert!(text.contains("format 6") && text.contains("differ"), "{text}");
    let (found, expected) = (Facts::of(&session), Facts::read(&folder, "session.facts"));
    assert_eq!((found.done, found.at), (expected.done, expected.at));
    assert_ne!(found.result, expected.result);
}

/// A session in another layout whose journal cannot be replayed either.
#[test]
fn a_damaged_session_is_refused() {
    let folder = read_folder(&path("tests/formats/0.1.0-layout-6"));
    let good = bytes(&folder, "session.bin");
    let lab = setup("lab", site_of(&folder, "site/"));
    for at in [0, 9, 13, 21, 40, good.len() / 2, good.len() - 1] {
        let mut bad = good.to_vec();
        bad[at] ^= 0x20;
        let resumed = Session::resume(lab.clone(), Some(&bad), &[], &BTreeSet::new());
        assert!(resumed.is_err(), "byte {at}");
    }
}

fn read_folder(root: &std::path::Path) -> Folder {
    fn walk(root: &std::path::Path, dir: &std::path::Path, folder: &mut Folder) {
        for entry in std::fs::read_dir(dir).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, folder);
            } else {
                let name = path.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/");
                folder.insert(name, std::fs::read(&path).expect("a sample"));
            }
        }
    }
    let mut folder = Folder::new();
    walk(root, root, &mut folder);
    folder
}

#[test]
fn every_earlier_format_opens() {
    let folders: Vec<_> = std::fs::read_dir(path("tests/formats")).expect("samples").flatten().collect();
    let folders: Vec<_> = folders.iter().map(std::fs::DirEntry::path).filter(|p| p.is_dir()).collect();
    assert!(!folders.is_empty());
    for folder in folders {
        open_all(&read_folder(&folder), Build::Earlier);
    }
}

#[test]
fn this_builds_format_opens() {
    let folder = make();
    if let Some(name) = std::env::var_os("SANDBATCH_FORMATS") {
        let root = path("tests/formats").join(name);
        assert!(!root.exists(), "{} is there already: samples never change", root.display());
        for (name, bytes) in &folder {
            let file = root.join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a new folder");
            std::fs::write(file, bytes).expect("a new file");
        }
    }
    open_all(&folder, Build::This);
}

// Base64, as in URLs.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn to_address(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let value = (0..3).fold(0_usize, |v, i| v << 8 | usize::from(chunk.get(i).copied().unwrap_or(0)));
        for digit in 0..=chunk.len() {
            text.push(char::from(DIGITS[value >> (18 - 6 * digit) & 63]));
        }
    }
    text
}

fn from_address(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in text.as_bytes().chunks(4) {
        let digit =
            |i: usize| chunk.get(i).map_or(0, |c| DIGITS.iter().position(|d| d == c).expect("a digit"));
        let value = (0..4).fold(0, |v, i| v << 6 | digit(i));
        for i in 0..chunk.len() - 1 {
            bytes.push((value >> (16 - 8 * i) & 255) as u8);
        }
    }
    bytes
}

#[test]
fn addresses_round_trip() {
    for long in 0..9 {
        let bytes: Vec<u8> = (0..long).map(|i: u8| i.wrapping_mul(67)).collect();
        assert_eq!(from_address(&to_address(&bytes)), bytes);
    }
    assert_eq!(to_address(b"sbl\x01\xff"), "c2JsAf8");
}
