//! Holds the sources to the rules of the house: who may know whom, small files, a word at the head of each module,
//! nothing left for later, no clocks and no hash order below the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The rows: a room and the rooms that it may know.
const ROOMS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("config", &["base"]),
    ("host", &["base", "config"]),
    ("shell", &["base", "config", "host"]),
    ("slurmdbd", &["base", "config"]),
    ("slurmctld", &["base", "config", "host", "slurmdbd"]),
    ("slurmd", &["base", "config", "host", "shell", "slurmdbd", "slurmctld"]),
    ("commands", &["base", "config", "host", "shell", "slurmdbd", "slurmctld"]),
    ("world", &["base", "config", "host", "shell", "slurmdbd", "slurmctld", "slurmd", "commands"]),
    ("protocol", &["base"]),
    (
        "session",
        &[
            "base",
            "config",
            "host",
            "shell",
            "slurmdbd",
            "slurmctld",
            "slurmd",
            "commands",
            "world",
            "protocol",
        ],
    ),
    ("view", &["base", "protocol"]),
    ("later", &[]),
    ("ui", &["base", "protocol", "view", "later"]),
    (
        "cli",
        &[
            "base",
            "config",
            "host",
            "shell",
            "slurmdbd",
            "slurmctld",
            "slurmd",
            "commands",
            "world",
            "protocol",
            "session",
        ],
    ),
    ("bin/app", &["ui"]),
    ("bin/worker", &["session", "protocol", "later"]),
];

/// Tables that may be longer than [`LONGEST`] lines.
const LONG_TABLES: &[&str] = &["src/ui/i18n/words.rs"];

const LONGEST: usize = 500;

/// A source file: its path below the project, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

fn sources(folder: &str) -> Vec<Source> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<Source>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                walk(root, &path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("a source file is text");
                let path =
                    path.strip_prefix(root).expect("below the project").to_string_lossy().replace('\\', "/");
                found.push(Source { path, text });
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    walk(root, &root.join(folder), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn all_sources() -> Vec<Source> {
    ["src", "tests", "benches", "xtask/src"].into_iter().flat_map(sources).collect()
}

/// The room of a file: `src/host/fs.rs` is in `host`, `src/protocol.rs` in `protocol`, `src/bin/app.rs` in `bin/app`.
fn room(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path).trim_end_matches(".rs");
    match inside.strip_prefix("bin/") {
        Some(_) => inside,
        None => inside.split('/').next().unwrap_or(inside),
    }
}

/// A line's code: without what follows `//`.
fn code(line: &str) -> &str {
    line.split_once("//").map_or(line, |(before, _)| before)
}

/// The rooms that a text names in `crate::room` or `sandbatch::room`, also within braces, with their lines.
fn known(text: &str) -> BTreeSet<(usize, String)> {
    let mut known = BTreeSet::new();
    let mut open: Option<usize> = None;
    for (number, line) in text.lines().enumerate() {
        let mut rest = code(line);
        if let Some(depth) = &mut open {
            rest = names_in_braces(rest, depth, |name| known.insert((number + 1, name.to_owned())));
            if *depth == 0 {
                open = None;
            } else {
                continue;
            }
        }
        while let Some(at) =
            ["crate::", "sandbatch::"].iter().filter_map(|p| rest.find(p).map(|i| i + p.len())).min()
        {
            rest = &rest[at..];
            if let Some(list) = rest.strip_prefix('{') {
                let mut depth = 1;
                rest = names_in_braces(list, &mut depth, |name| known.insert((number + 1, name.to_owned())));
                if depth > 0 {
                    open = Some(depth);
                    break;
                }
            } else {
                known.insert((number + 1, first_word(rest).to_owned()));
            }
        }
    }
    known
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
}

/// Reports the names at the outermost level of a `{a::b, c::{d}}` list, until it closes; gives what follows.
fn names_in_braces<'a>(text: &'a str, depth: &mut usize, mut name: impl FnMut(&str) -> bool) -> &'a str {
    let mut start = true;
    for (at, c) in text.char_indices() {
        match c {
            '{' => *depth += 1,
            '}' => {
                *depth -= 1;
                if *depth == 0 {
                    return &text[at + 1..];
                }
            }
            ',' if *depth == 1 => start = true,
            c if start && *depth == 1 && (c.is_alphabetic() || c == '_') => {
                name(first_word(&text[at..]));
                start = false;
            }
            _ => {}
        }
    }
    ""
}

#[track_caller]
fn none(what: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{what}:\n  {}", findings.join("\n  "));
}

#[test]
fn rooms_know_only_rooms_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut findings = Vec::new();
    for source in sources("src") {
        let room = room(&source.path);
        if ["lib", "main"].contains(&room) {
            continue;
        }
        for (line, other) in known(&source.text) {
            let is_room = allowed.contains_key(other.as_str());
            let may = allowed.get(room).is_none_or(|rooms| rooms.contains(&other.as_str()));
            if is_room && other != room && !may {
                findings.push(format!("{}:{line} `{room}` may not know `{other}`", source.path));
            }
        }
    }
    none("who may know whom", &findings);
}

#[test]
fn every_room_has_a_row() {
    let rows: BTreeSet<&str> = ROOMS.iter().map(|(room, _)| *room).collect();
    let others = ["lib", "main", "bin/hashes"];
    let lost: BTreeSet<String> = sources("src")
        .iter()
        .map(|source| room(&source.path).to_owned())
        .filter(|room| !rows.contains(room.as_str()) && !others.contains(&room.as_str()))
        .collect();
    none("rooms without a row in tests/tidy.rs", &lost.into_iter().collect::<Vec<_>>());
}

#[test]
fn files_are_small() {
    let findings: Vec<String> = all_sources()
        .iter()
        .filter(|source| !LONG_TABLES.contains(&source.path.as_str()))
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > LONGEST)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    none(
        "files of more than 500 lines want a wall (or a line in LONG_TABLES, if they are tables)",
        &findings,
    );
}

#[test]
fn modules_open_with_what_they_are_for() {
    let findings: Vec<String> =
        all_sources().into_iter().filter(|s| !s.text.starts_with("//! ")).map(|s| s.path).collect();
    none("files that do not open with `//! `", &findings);
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("#[ign", "ore"),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("dbg", "!("),
    ];
    none("left for later", &lines_with(&all_sources(), &marks, str::to_owned));
}

#[test]
fn nothing_depends_on_hash_order_or_on_a_clock() {
    let below: Vec<Source> = sources("src")
        .into_iter()
        .filter(|source| {
            !["ui", "later", "main", "cli", "bin/app", "bin/worker"].contains(&room(&source.path))
        })
        .collect();
    let marks = [
        "HashMap",
        "HashSet",
        "SystemTime",
        "Instant::",
        "std::time::",
        "thread::spawn",
        "thread::sleep",
        "Rc<",
        "RefCell<",
    ];
    none(
        "order or clocks that differ from run to run",
        &lines_with(&below, &marks, |line| code(line).to_owned()),
    );
}

#[test]
fn nothing_below_the_page_touches_a_browser() {
    let below: Vec<Source> = sources("src")
        .into_iter()
        .filter(|source| {
            !["ui", "later"].contains(&room(&source.path)) && !source.path.starts_with("src/bin/")
        })
        .collect();
    let marks = ["web_sys", "js_sys", "wasm_bindgen", "leptos"];
    none("browser below the page", &lines_with(&below, &marks, |line| code(line).to_owned()));
}

/// The lines that contain one of the marks after `see`.
fn lines_with(sources: &[Source], marks: &[&str], see: fn(&str) -> String) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources {
        for (number, line) in source.text.lines().enumerate() {
            if let Some(mark) = marks.iter().find(|mark| see(line).contains(*mark)) {
                findings.push(format!("{}:{} has `{mark}`", source.path, number + 1));
            }
        }
    }
    findings
}

#[test]
fn uses_are_found_in_every_shape() {
    let text = "use crate::base::time::Time;\nuse crate::{config, host::{fs, tty}, shell::Vm};\n\
                use crate::{\n    slurmd::Model,\n    world::{\n        World,\n    },\n    view,\n};\n\
                // crate::session\nfn f() { crate::ui::g(sandbatch::protocol::VERSION) }\n";
    let names: Vec<String> = known(text).into_iter().map(|(line, name)| format!("{line} {name}")).collect();
    let expected =
        ["1 base", "2 config", "2 host", "2 shell", "4 slurmd", "5 world", "8 view", "11 protocol", "11 ui"];
    assert_eq!(names, expected);
}
