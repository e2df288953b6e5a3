//! Checks the rules for sources that Cargo and the compiler cannot check: small files, a module head in each,
//! nothing left for later, no clocks and no hash order in the simulation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Folders below `src` that run only in a browser or only natively. Only they may read clocks and use hash maps.
const EDGES: &[&str] = &["app", "cluster", "deferred", "cli", "bin", "main.rs", "serve", "testing"];

/// Tables that may be longer than [`LONGEST`] lines.
const LONG_TABLES: &[&str] = &["src/app/i18n/words.rs"];

const LONGEST: usize = 500;

/// Words that no name of a function, type, constant or module contains, and what to write.
const NAME_WORDS: &[(&str, &str)] = &[
    ("anew", "again"),
    ("fate", "outcome"),
    ("kin", "the common kind"),
    ("nobody", "what is missing: no_job, unknown"),
    ("slip", "finding, error"),
    ("somebody", "the user, the job"),
    ("told", "reported, notified, sent"),
    ("untold", "pending"),
    ("whoever", "the user, the job"),
    ("whom", "the user, the target"),
    ("whose", "owner"),
    ("wish", "request, selection"),
];

/// Type names with several definitions, and why they have the same meaning everywhere.
const SHARED_NAMES: &[(&str, &str)] = &[
    ("Cx", "the alias of a crate's `unix::Context`, a parameter of every command"),
    ("Running", "the alias of `unix::Running` with the commands of that crate"),
];

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

/// The sources below `src` that take part in the simulation or compute what the page shows.
fn simulation() -> Vec<Source> {
    let mut all = sources("src");
    all.retain(|source| {
        let folder = source.path.split('/').nth(1).unwrap_or_default();
        !EDGES.contains(&folder)
    });
    all
}

/// A line's code, without the comment.
fn code(line: &str) -> &str {
    line.split_once("//").map_or(line, |(before, _)| before)
}

#[track_caller]
fn none(what: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{what}:\n  {}", findings.join("\n  "));
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
        "files of more than 500 lines: split them (or add them to LONG_TABLES, if they are tables)",
        &findings,
    );
}

#[test]
fn modules_have_a_head() {
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
        &lines_with(&simulation(), &marks, |line| code(line).to_owned()),
    );
}

/// Rust's formatting panics above a width or precision of 65,535. A constant may give one by its name, `{:>WIDTH$}`.
#[test]
fn no_width_of_a_format_string_is_computed() {
    let findings: Vec<String> = sources("src")
        .iter()
        .filter(|source| source.path != "src/base/pad.rs")
        .flat_map(|source| source.text.lines().map(move |line| (source, code(line))))
        .filter(|(_, line)| has_computed_width(line))
        .map(|(source, line)| format!("{}: {}", source.path, line.trim()))
        .collect();
    none("widths or precisions computed at run time (use base::pad)", &findings);
}

/// Whether a line has a replacement field such as `{:width$}`, `{:>1$}` or `{:.*}`.
fn has_computed_width(line: &str) -> bool {
    line.split('{').skip(1).filter_map(|rest| rest.split_once('}')).any(|(field, _)| {
        let Some((argument, how)) = field.split_once(':') else { return false };
        let plain = argument.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let simple = how.chars().all(|c| c.is_ascii_alphanumeric() || "_<>^.+#-*$?".contains(c));
        let sizes = how.split_inclusive('$').filter(|part| part.ends_with('$'));
        let computed = sizes.map(|part| part.trim_end_matches('$')).any(|part| {
            let name = part.rsplit(['<', '>', '^', '.', '+', '#']).next().unwrap_or(part);
            name.chars().any(|c| c.is_ascii_lowercase()) || name.chars().all(|c| c.is_ascii_digit())
        });
        plain && simple && (computed || how.contains(".*"))
    })
}

#[test]
fn computed_widths_are_found() {
    for bad in ["{:width$}", "{x:>1$} y", "{a}{:.*e}", "{n:0w$x}", "{n:.places$}", "{:<0$}"] {
        assert!(has_computed_width(bad), "{bad}");
    }
    for good in ["{:>8}", "{x:>WIDTH$}", "{n:.3}", "${x:1:2}", "{a:?}", "match x { a: b.c() }"] {
        assert!(!has_computed_width(good), "{good}");
    }
}

/// The page's modules form layers: dependencies between them have no cycle, not even through others.
#[test]
fn modules_of_the_page_form_no_cycle() {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources("src/app") {
        let path = source.path.trim_start_matches("src/app/");
        let module = path.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        // lib.rs puts the page together; `super` of a module below it is the crate.
        if module == "lib" {
            continue;
        }
        let below_root = !path.contains('/') || path.matches('/').count() == 1 && path.ends_with("/mod.rs");
        let text: String = source.text.lines().map(|line| format!("{} ", code(line))).collect();
        let names = named_after("crate::", &text).into_iter();
        let above = if below_root { named_after("super::", &text) } else { Vec::new() };
        known.entry(module.clone()).or_default().extend(names.chain(above).filter(|name| *name != module));
    }
    assert!(known["page"].contains("notices"), "the modules that others name were not found");
    // Removes modules that depend only on removed ones. What stays is in a cycle or above one.
    let modules: BTreeSet<String> = known.keys().cloned().collect();
    known.values_mut().for_each(|names| names.retain(|name| modules.contains(name)));
    loop {
        let done: Vec<String> =
            known.iter().filter(|(_, names)| names.is_empty()).map(|(module, _)| module.clone()).collect();
        if done.is_empty() {
            break;
        }
        known.retain(|module, _| !done.contains(module));
        known.values_mut().for_each(|names| names.retain(|name| !done.contains(name)));
    }
    let findings: Vec<String> =
        known.iter().map(|(module, names)| format!("{module} -> {names:?}")).collect();
    none("modules of the page in a cycle, or above one", &findings);
}

/// The first names that follow a prefix in a source: of `crate::{a, b::c}` these are `a` and `b`.
fn named_after(prefix: &str, text: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut found = Vec::new();
    for rest in text.split(prefix).skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.push(name(rest));
            continue;
        };
        let (mut depth, mut start) = (1, 0);
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && c == ',') {
                found.push(name(&list[start..at]));
                start = at + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    found.retain(|name: &String| !name.is_empty());
    found
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

/// The names of the types that a source defines: structs, enums, traits and type aliases outside of `impl`.
fn types(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let item = line.trim_start();
        let inside = item.len() < line.len();
        let item = match item.strip_prefix("pub") {
            Some(rest) => rest.trim_start_matches(|c| c != ' ').trim_start(),
            None => item,
        };
        let (keyword, rest) = item.split_once(' ')?;
        let is_type = matches!(keyword, "struct" | "enum" | "trait" | "union" | "type");
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
        (is_type && is_name && !(inside && keyword == "type")).then_some(name)
    })
}

#[test]
fn types_have_names_of_their_own() {
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in &sources("src") {
        for name in types(&source.text).filter(|name| SHARED_NAMES.iter().all(|(shared, _)| shared != name)) {
            paths.entry(name.to_owned()).or_default().push(source.path.clone());
        }
    }
    assert!(paths.len() > 500, "only {} types were found", paths.len());
    paths.retain(|_, paths| paths.len() > 1);
    let findings: Vec<String> =
        paths.iter().map(|(name, paths)| format!("{name}: {}", paths.join(", "))).collect();
    none("types with the same name; name each after what it is", &findings);
}

/// The words of the name that a line defines, in lower case: of functions, types, constants and modules.
fn defined_words(line: &str) -> Vec<String> {
    const MODIFIERS: [&str; 4] = ["async", "const", "pub", "unsafe"];
    const ITEMS: [&str; 8] = ["enum", "fn", "mod", "static", "struct", "trait", "type", "union"];
    let mut parts = code(line).split_whitespace().peekable();
    let mut constant = false;
    while let Some(part) = parts.next_if(|part| MODIFIERS.contains(part) || part.starts_with("pub(")) {
        constant |= part == "const";
    }
    // `pub(in crate::select) fn` has its path in a part of its own.
    while parts.next_if(|part| part.ends_with(')') && part.starts_with("crate")).is_some() {}
    let name = match parts.next() {
        Some(item) if ITEMS.contains(&item) => parts.next().unwrap_or_default(),
        Some(name) if constant => name,
        Some(_) | None => return Vec::new(),
    };
    let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let upper = name.chars().all(|c| !c.is_lowercase());
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && !upper) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn names_are_plain() {
    let mut findings = Vec::new();
    for source in &all_sources() {
        for (number, line) in source.text.lines().enumerate() {
            for word in defined_words(line) {
                if let Some((_, instead)) = NAME_WORDS.iter().find(|(bad, _)| *bad == word) {
                    findings.push(format!("{}:{}: `{word}`: {instead}", source.path, number + 1));
                }
            }
        }
    }
    none("words in names", &findings);
}

#[test]
fn words_of_definitions_are_found() {
    let words = |line: &str| defined_words(line).join(" ");
    assert_eq!(words("    pub(super) const fn nobody_there(&self) -> bool {"), "nobody there");
    assert_eq!(words("pub(in crate::select) fn is_of(a: u8) {}"), "is of");
    assert_eq!(words("pub struct QueueWish<'a> {"), "queue wish");
    assert_eq!(words("const MAX_WISHES: usize = 1;"), "max wishes");
    assert_eq!(words("mod told; // whom"), "told");
    assert_eq!(words("let nobody = 1;"), "");
    assert_eq!(words("// fn nobody() {}"), "");
}

#[test]
fn definitions_of_types_are_found() {
    let text = "pub(super) struct One<'a> {\nenum Two {}\n    pub type Output = u8;\npub trait Three {\n    \
                struct Four;\nlet type_of = 1;\n/// struct Five\npub type Six = u8;\npub fn seven() {}\n";
    assert_eq!(types(text).collect::<Vec<_>>(), ["One", "Two", "Three", "Four", "Six"]);
}
