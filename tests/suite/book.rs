//! The book in `docs/`: links, the list of pages, the examples, and what the first course shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The Markdown files of a folder below the project, with `/`, sorted.
fn pages(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("a folder").flatten() {
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(pages(&name));
        } else if name.ends_with(".md") {
            found.push(name);
        }
    }
    found.sort();
    found
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

/// The lines outside of fenced blocks, with code spans emptied.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut fence = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let ticks = line.trim_start().chars().take_while(|c| *c == '`').count();
        if ticks >= 3 {
            fence = match fence {
                0 => ticks,
                open if ticks >= open => 0,
                open => open,
            };
        } else if fence == 0 {
            let spans = line.split('`').enumerate();
            let kept: Vec<&str> = spans.map(|(at, part)| if at % 2 == 0 { part } else { "" }).collect();
            lines.push((number, kept.join("`")));
        }
    }
    lines
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut fence = false;
    for line in text.lines() {
        fence ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if fence || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        // The text of a link, without its target.
        let mut title = title.trim().to_lowercase();
        while let Some((before, rest)) = title.split_once("](") {
            title = format!("{before}{}", rest.split_once(')').map_or("", |(_, after)| after));
        }
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let again = (1..).map(|n| format!("{anchor}-{n}"));
        let name = std::iter::once(anchor.clone()).chain(again).find(|name| !found.contains(name));
        found.extend(name);
    }
    found
}

/// The targets of the links in a line.
fn targets(line: &str) -> Vec<String> {
    let markdown = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let html = ["href=\"", "src=\""].into_iter().flat_map(|mark| line.split(mark).skip(1));
    let html = html.filter_map(|rest| rest.split('"').next());
    markdown.chain(html).map(str::to_owned).collect()
}

/// A path without `..`.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Links of a page that lead nowhere, as `page:line: link`.
fn broken(page: &str, text: &str, known: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        for link in targets(&line) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            if path.contains(':') {
                continue;
            }
            let target = if path.is_empty() { page.to_owned() } else { resolved(page, path) };
            let is_there = known.contains_key(&target) || root().join(&target).exists();
            let has_anchor = anchor.is_empty() || known.get(&target).is_some_and(|all| all.contains(anchor));
            if !is_there || !has_anchor {
                found.push(format!("{page}:{number}: {link}"));
            }
        }
    }
    found
}

#[test]
fn all_links_of_the_documentation_resolve() {
    let mut all = pages("docs");
    all.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned));
    let texts: BTreeMap<String, String> = all.into_iter().map(|page| (page.clone(), read(&page))).collect();
    let known: BTreeMap<String, BTreeSet<String>> =
        texts.iter().map(|(page, text)| (page.clone(), anchors(text))).collect();
    let found: Vec<String> = texts.iter().flat_map(|(page, text)| broken(page, text, &known)).collect();
    assert!(found.is_empty(), "broken links:\n{}", found.join("\n"));
    let links: usize =
        texts.values().flat_map(|text| prose(text)).map(|(_, line)| targets(&line).len()).sum();
    assert!(links > 150, "only {links} links were found");
    // A link to a file, an anchor or a folder that does not exist is found.
    let text = "# A title\n[a](nothing.md) [b](embed.md#nowhere) [c](#a-title) ![d](images/none.png)\n```\n[e](none.md)\n```\n";
    let known = known.into_iter().chain([("docs/x.md".to_owned(), anchors(text))]).collect();
    let wanted = ["docs/x.md:2: nothing.md", "docs/x.md:2: embed.md#nowhere", "docs/x.md:2: images/none.png"];
    assert_eq!(broken("docs/x.md", text, &known), wanted);
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = read("docs/SUMMARY.md");
    let mut listed: Vec<String> =
        summary.lines().flat_map(targets).map(|link| resolved("docs/SUMMARY.md", &link)).collect();
    listed.sort();
    let mut wanted = pages("docs");
    wanted.retain(|page| page != "docs/SUMMARY.md");
    assert_eq!(listed, wanted, "docs/SUMMARY.md lists the pages of the book");
}

/// A part of a chapter, in order.
#[derive(Debug, PartialEq)]
enum Part {
    /// `<!-- wait: SECONDS -->`: the reader skips ahead.
    Wait(u32),
    /// A script: its name and text.
    Script(String, String),
    /// A block of commands: the lines of the block in the file, from 0.
    Session(std::ops::Range<usize>),
}

/// The parts of a chapter. A script has the name in the line before it.
fn parts(text: &str) -> Vec<Part> {
    let lines: Vec<&str> = text.lines().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if let Some(rest) = line.strip_prefix("<!-- wait: ") {
            let seconds =
                rest.trim_end_matches(" -->").parse().unwrap_or_else(|_| panic!("a number: {line}"));
            parts.push(Part::Wait(seconds));
            continue;
        }
        let Some(language) = line.strip_prefix("```") else { continue };
        let rest = lines.get(at..).unwrap_or_default();
        let end =
            at + rest.iter().position(|line| *line == "```").unwrap_or_else(|| panic!("an end: {line}"));
        match language {
            "console" => parts.push(Part::Session(at..end)),
            "bash" => {
                let before = lines.get(..at - 1).unwrap_or_default();
                let sentence = before.iter().rev().find(|line| !line.is_empty()).copied().unwrap_or_default();
                let name = sentence.split('`').rev().nth(1).unwrap_or_else(|| panic!("a name: {sentence}"));
                parts.push(Part::Script(name.to_owned(), lines.get(at..end).unwrap_or_default().join("\n")));
            }
            other => panic!("a chapter has blocks in bash and console, not {other}"),
        }
        at = end + 1;
    }
    parts
}

/// The commands of a block of a session.
fn commands<'t>(lines: &'t [&'t str], block: &std::ops::Range<usize>) -> Vec<&'t str> {
    lines.get(block.clone()).unwrap_or_default().iter().filter_map(|line| line.strip_prefix("$ ")).collect()
}

/// What the cluster prints for each command of a chapter.
fn played(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut input = String::new();
    let mut count = 0;
    for part in parts(text) {
        match part {
            Part::Wait(seconds) => input += &format!("sleep {seconds}\n"),
            Part::Script(name, script) => {
                input += &format!("cat > {name} <<'END OF THE SCRIPT'\n{script}\nEND OF THE SCRIPT\n");
            }
            Part::Session(block) => {
                for command in commands(&lines, &block) {
                    // `srun` must not take the next line for its tasks.
                    input += &format!("echo '@{count}@'\n{{ {command}\n}} < /dev/null\necho '@end@'\n");
                    count += 1;
                }
            }
        }
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["shell", "--site", "lab", "--start", "2026-03-02T09:00:00"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads its input");
    let output = child.wait_with_output().expect("it ends");
    let output = String::from_utf8(output.stdout).expect("text").replace('\r', "");
    let answer = |number: usize| {
        let (_, after) =
            output.split_once(&format!("@{number}@\n")).unwrap_or_else(|| panic!("{number}: {output}"));
        after.split_once("@end@\n").unwrap_or_else(|| panic!("{number}: {output}")).0.to_owned()
    };
    (0..count).map(answer).collect()
}

/// A chapter with what the cluster prints.
fn with_output(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut answers = played(text).into_iter();
    let mut out = String::new();
    let mut at = 0;
    for part in parts(text) {
        let Part::Session(block) = part else { continue };
        for line in lines.get(at..block.start).unwrap_or_default() {
            out += &format!("{line}\n");
        }
        for command in commands(&lines, &block) {
            out += &format!("$ {command}\n");
            // Spaces and empty lines at the end would be lost in an editor.
            for line in answers.next().unwrap_or_default().trim_end().lines() {
                out += line.trim_end();
                out.push('\n');
            }
        }
        at = block.end;
    }
    for line in lines.get(at..).unwrap_or_default() {
        out += &format!("{line}\n");
    }
    out
}

/// `SANDBATCH_CHAPTERS=write` writes the output into the chapters.
#[test]
fn the_first_course_shows_what_the_cluster_prints() {
    let writes = std::env::var("SANDBATCH_CHAPTERS").is_ok_and(|what| what == "write");
    let chapters: Vec<String> = [pages("docs/learn"), pages("docs/fr")].concat();
    let mut sessions = 0;
    for chapter in chapters {
        let text = read(&chapter);
        if !text.contains("```") {
            continue;
        }
        sessions += 1;
        let played = with_output(&text);
        if writes {
            fs::write(root().join(&chapter), played).expect("the chapter is written");
        } else {
            let differs = text.lines().zip(played.lines()).find(|(shown, printed)| shown != printed);
            assert!(
                text == played,
                "{chapter} differs from the cluster; SANDBATCH_CHAPTERS=write writes it again: {differs:?}"
            );
        }
    }
    assert_eq!(sessions, 16);
}

/// The lines of a block of a chapter after a command.
fn shown(chapter: &str, command: &str) -> String {
    let text = read(chapter);
    let start = format!("$ {command}\n");
    let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("{chapter} does not show {command}"));
    rest.split("```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_chapters_for_administrators_show_what_the_program_prints() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("chapters");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder");
    let run = |args: &str, code: i32| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sandbatch"));
        let output = command.args(args.split(' ')).current_dir(&dir).output().expect("the program");
        assert_eq!(output.status.code(), Some(code), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let replay = read("docs/replay.md");
    let events =
        replay.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a workload");
    fs::write(dir.join("morning.events"), events).expect("a file");
    let command = "replay morning.events --site lab --csv jobs.csv";
    assert_eq!(shown("docs/replay.md", &format!("sandbatch {command}")), run(command, 0));
    let csv = fs::read_to_string(dir.join("jobs.csv")).expect("a table");
    assert_eq!(shown("docs/replay.md", "cat jobs.csv"), csv);
    let plan = root().join("examples/compare/plan.toml");
    fs::copy(plan, dir.join("plan.toml")).expect("a file");
    let listed = run("sweep plan.toml", 0);
    let listed: Vec<&str> = listed.lines().collect();
    let wanted = shown("docs/sweep.md", "sandbatch sweep plan.toml");
    let (first, last) = wanted.trim_end().split_once("\n...\n").expect("an omission");
    assert_eq!(listed[..first.lines().count()].join("\n"), first);
    assert_eq!((listed.len(), listed.last().copied()), (27, Some(last)));
    let command = "sweep plan.toml --print sbatch";
    assert_eq!(shown("docs/sweep.md", &format!("sandbatch {command}")), run(command, 0));
    run("sweep plan.toml --task 1", 0);
    let command = "sweep plan.toml --missing";
    assert_eq!(shown("docs/sweep.md", &format!("sandbatch {command}")), run(command, 0));
    run("sweep plan.toml --gather --out report", 2);
}
