//! Checks the language of documentation, lessons, user interface and comments: constructions that readers stumble over.
//!
//! Each rule has a pattern, an example and what to write instead. A pattern must have next to no false positives. If correct
//! English needs the words all the same, put them in backticks or quotation marks, or reword the sentence.
//!
//! Code blocks, code spans and quoted words are skipped: Slurm's own texts are never corrected.

use regex_lite::Regex;
use std::fs;
use std::path::Path;

/// Files and folders that are checked. Add a line for each crate whose comments have been revised: `"src/base",`.
const CHECKED: &[&str] = &[
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "benches",
    "docs",
    "examples",
    "index.html",
    "src/app",
    "src/app/js",
    "src/base",
    "src/bin",
    "src/classroom",
    "src/cli",
    "src/cluster",
    "src/commands",
    "src/compare",
    "src/config",
    "src/deferred",
    "src/doc",
    "src/doctest",
    "src/engine",
    "src/findings",
    "src/host",
    "src/import",
    "src/jq",
    "src/main.rs",
    "src/protocol",
    "src/python",
    "src/serve",
    "src/shell",
    "src/slurmctld",
    "src/slurmd",
    "src/slurmdbd",
    "src/testing",
    "src/unix",
    "src/view",
    "tests/bash",
    "tests/browser",
    "tests/class",
    "tests/cluster",
    "tests/commands",
    "tests/configs/README.md",
    "tests/corpus/README.md",
    "tests/formats/README.md",
    "tests/memory.rs",
    "tests/prose.rs",
    "tests/recorded/README.md",
    "tests/suite",
    "tests/tidy.rs",
    "www",
    "xtask/src",
];

/// Rust files whose string literals are prose, in addition to their comments. Effective once the file is [`CHECKED`].
const STRINGS: &[&str] = &["/i18n/", "src/cli/", "xtask/src/"];

/// A construction to avoid.
struct Rule {
    /// A regular expression. It ignores case and treats a paragraph as one line.
    pattern: &'static str,
    /// A text that matches.
    example: &'static str,
    /// What to write.
    instead: &'static str,
}

const fn rule(pattern: &'static str, example: &'static str, instead: &'static str) -> Rule {
    Rule { pattern, example, instead }
}

const RULES: &[Rule] = &[
    rule(r"\bsomebody\b", "somebody waits for it", "name the user, the job or the caller"),
    rule(r"\b(whoever|whosoever)\b", "whoever comes second", "a plain subject: a job that, a user who"),
    rule(r"\banew\b", "it is compiled anew", "again, or a verb with re-: recompile, reload"),
    rule(r"\bof (which|whom)\b", "a job of which a task ran", "a second sentence"),
    rule(r"\b(is|are|was|were) otherwise\b", "no node is otherwise", "is different, has changed"),
    rule(r"\bas long as there (is|are) none\b", "as long as there is none", "until there is one"),
    rule(r"\bwhat (is|was) over\b", "what is over comes last", "finished jobs"),
    rule(r"\b(jobs?|tasks?|steps?) that (is|are|was|were) over\b", "a job that is over", "a finished job"),
    rule(r"\bwhat nobody\b", "what nobody asks for", "a positive statement"),
    rule(r"\bnobody (minds|does who|is known)\b", "or nobody minds", "say when, or under which condition"),
    rule(r"\bin peace\b", "they were left in peace", "unchanged, not delayed"),
    rule(
        r"(^|[.;] )who (starts?|waits?|asks?|comes?|needs?|wants?|looks?|takes?|submits?|runs?)\b[^?]*?[.;:]",
        "Who starts breaks no limit.",
        "a job that, a user who",
    ),
    rule(
        r"(\b(so|and|but|that|if)|[,:]) who (starts|waits|asks|comes) (breaks|takes|needs|gets|has|is|comes)\b",
        "so who waits needs no visit",
        "a job that",
    ),
    rule(r"\bthat (is|are) none\b", "a height that is none", "is invalid, is missing"),
    rule(r"\bheld against\b", "sizes, held against the budgets", "compared with, checked against"),
    rule(r"\bin the place of\b", "in the place of the start", "instead of, replaces"),
    rule(r"\b(to|cannot|can) be had\b", "when it cannot be had", "available"),
    rule(r"\b(what|which) stands\b", "what stands behind the prompt", "the text after, the content of"),
    rule(r"\bstands? (there|here) (and|until|for)\b", "it stands here and not there", "is"),
    rule(r"\b(tells?|told|telling) of\b", "docs/embed.md tells of it", "describes, reports"),
    rule(r"\b(pushe[sd]|pushing) (out|\w+ (\w+ )?out)\b", "pushed out by job 7", "preempts"),
    rule(r"\bsent back( to the queue)?\b", "it is sent back", "requeued"),
    rule(r"\b(the|a|whole) house\b", "the rules of the house", "project, workspace"),
    rule(r"\brooms\b", "rooms know only rooms below them", "crates, modules"),
    rule(
        r"\b(every|each|a|this) room (that|knows?|may|has|without)\b",
        "every room has a row",
        "crate, module",
    ),
    rule(r"\bwho may know whom\b", "who may know whom", "which crate may depend on which"),
    rule(r"\brows? of (the queue|jobs and partitions)\b", "rows of the queue", "queue entries"),
    rule(r"\b(later|second) half('s)?\b", "the worker's later half", "deferred module"),
    rule(r"\bin two halves\b", "programs in two halves each", "as two modules"),
    rule(r"\bas time goes\b", "as time goes", "in real time"),
    rule(r"\bas fast as (it|one) can\b", "as fast as it can", "as fast as possible"),
    rule(r"\bon purpose different\b", "on purpose different", "deliberate difference"),
    rule(r"\b(has|had|have) it so\b", "if chance has it so", "if, with this probability"),
    rule(r"\bso that it is not that\b", "so that it is not that", "a positive statement"),
    rule(r"\bfor who (wants?|asks?|has|looks?|keeps?|is)\b", "for who wants to know", "for users who"),
    rule(r"\b(a|the) person's? (own )?mistake\b", "a person's mistake", "user error"),
    rule(
        r"\bso many (seconds|jobs|nodes|tasks|CPUs)( of| at| later|[,;:.)]|$)",
        "advances by so many seconds.",
        "this many, a number of",
    ),
    rule(r"\b(its|their) kin\b", "SuspendTime and its kin", "related, similar"),
    rule(r"\breckoned\b", "is reckoned from the rows", "estimated, computed"),
    rule(r"\bone's own\b", "a site of one's own", "your own"),
    rule(r"\bwithout a word\b", "it ends without a word", "silently, without a message"),
    rule(r"\bcomes to nothing\b", "a skip that comes to nothing", "has no effect, finds nothing"),
    rule(r"\bcomes to the same\b", "counting cores comes to the same", "with the same result"),
    rule(r"\breservations aside\b", "what is free, reservations aside", "without regard to reservations"),
    rule(
        r"\b(tasks|CPUs|GRES|nodes|jobs) in all\b([.,;:)]|$)",
        "nodes that could take one, and tasks in all.",
        "in total, the total of",
    ),
    rule(r"\bdea(ls?|lt)( \w+)? out\b", "tasks are dealt out node by node", "distributed"),
    rule(
        r"\bstands? (above|before|below|behind|in front|ahead)\b",
        "jobs that stand before it",
        "is ahead of, has a higher priority",
    ),
    rule(r"\bma(kes?|de|king) way\b", "what later jobs made way for", "preempted by, planned around"),
    rule(r"\bbears? (a|the|this|no|its) label\b", "nodes bear the label meanwhile", "has the label"),
    rule(r"\bcrowded out\b", "jobs that were crowded out", "does not fit"),
    rule(
        r"\b(is|are|was|were) thought (to|before)\b",
        "when jobs are thought to end",
        "is assumed to, is expected to",
    ),
    rule(r"\b(as|than) was (thought|last seen)\b", "as was last seen", "as of the last update"),
    rule(r"\bworked out of\b", "needs, worked out of the request", "derived from, computed from"),
    rule(r"\bof equals\b", "the first of equals", "the first one, if several are equal"),
    rule(
        r"\b(is|are|was|were) what (is|are|was|were) \w+(ed|en)\b",
        "where sockets are what is given",
        "name the thing: with CR_Socket",
    ),
    rule(
        r"(^|[.] )what (is|was) (left|wanted|done|kept|meant)( |[.,;:]|$)",
        "What is left of the bounds.",
        "a noun: the rest of, the request, the text",
    ),
    rule(
        r"\bat (least|most) how many\b",
        "at least and at most how many nodes",
        "minimum and maximum number of",
    ),
    rule(r"\b(since|until|from) when\b", "Since when it is eligible.", "the time at which, when it became"),
    rule(
        r"\b(jobs?|entry|entries) in front\b",
        "nodes kept for jobs in front",
        "ahead of it, with a higher priority",
    ),
    rule(
        r"\bnobody (joins|says|waits|reads|asks|knows|goes|is there)\b",
        "when nobody reads expected starts",
        "the passive: when expected starts are not read",
    ),
    rule(r"\bin (nobody|somebody|anybody)['’]s way\b", "it is in nobody's way", "blocks no other job"),
    rule(r"\bwherever (it|they) (stands?|may be)\b", "wherever they stand in the script", "anywhere in"),
];

/// A line of prose. A paragraph is a run of lines without a break.
struct Line {
    number: usize,
    text: String,
    /// Starts a new paragraph.
    starts: bool,
}

/// Replaces code spans and quoted words with underscores of the same length.
fn without_code(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut open = None;
    for c in line.chars() {
        let closes = matches!((open, c), (Some('`'), '`') | (Some('"'), '"') | (Some('“'), '”'));
        if closes {
            open = None;
            out.push(c);
        } else if open.is_some() {
            out.push('_');
        } else {
            if matches!(c, '`' | '"' | '“') {
                open = Some(c);
            }
            out.push(c);
        }
    }
    // An opening mark without a closing one is no quotation.
    if open.is_some() { line.to_owned() } else { out }
}

/// The prose of Markdown: no fenced blocks except hints of lessons.
fn markdown(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut fence, mut skipped, mut starts) = (String::new(), false, true);
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let ticks: String = trimmed.chars().take_while(|c| *c == '`' || *c == '~').collect();
        if ticks.len() >= 3 && (fence.is_empty() || (ticks == fence && trimmed.trim_end() == fence)) {
            skipped = fence.is_empty() && !trimmed.ends_with("hint");
            fence = if fence.is_empty() { ticks } else { String::new() };
            skipped &= !fence.is_empty();
            starts = true;
            continue;
        }
        if skipped || trimmed.is_empty() {
            starts = true;
            continue;
        }
        let own = trimmed.starts_with(['#', '-', '|', '*', '<']) || trimmed.starts_with("> ");
        lines.push(Line { number: at + 1, text: without_code(trimmed), starts: starts || own });
        starts = trimmed.starts_with(['#', '|']);
    }
    lines
}

/// The comments of a program, by their comment marks.
fn comments(text: &str, marks: &[&str]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut fenced, mut block, mut last) = (false, false, 0);
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let (found, own) = if block {
            (Some(trimmed.trim_start_matches('*')), true)
        } else if let Some(mark) = marks.iter().find(|mark| trimmed.starts_with(**mark)) {
            (Some(&trimmed[mark.len()..]), true)
        } else {
            // After code, but not within a string.
            let behind = marks.iter().find_map(|mark| {
                let (code, comment) = line.split_once(&format!(" {mark} "))?;
                (code.matches('"').count().is_multiple_of(2)).then_some(comment)
            });
            (behind, false)
        };
        let Some(comment) = found else { continue };
        if marks.contains(&"/*") {
            block = (block || trimmed.starts_with("/*")) && !line.contains("*/");
        }
        let comment = comment.trim_start_matches(['/', '!', '*']).trim_end_matches("*/").trim();
        if comment.starts_with("```") {
            fenced = !fenced;
        }
        if fenced || comment.is_empty() {
            last = 0;
            continue;
        }
        let starts = !own || last != at || comment.starts_with(['-', '#', '|']);
        last = if own { at + 1 } else { 0 };
        lines.push(Line { number: at + 1, text: without_code(comment), starts });
    }
    lines
}

/// The string literals of a Rust file, each a separate paragraph unless it continues on the next line.
fn strings(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        if !open && line.trim_start().starts_with("//") {
            continue;
        }
        let mut starts = !open;
        let line = line.replace("\\\"", "__").replace("'\"'", "___");
        for (part, piece) in line.split('"').enumerate() {
            if part > 0 {
                open = !open;
                starts = true;
            }
            if open && piece.contains(' ') {
                let text = piece.trim().trim_end_matches('\\').to_owned();
                lines.push(Line { number: at + 1, text, starts });
            }
        }
    }
    lines
}

/// The text of a page without its tags.
fn html(text: &str) -> Vec<Line> {
    let tag = Regex::new("<[a-z/!][^>]*>").expect("a pattern");
    let lines = text.lines().enumerate();
    let prose =
        lines.map(|(at, line)| (at, tag.replace_all(line, " ").replace("<!--", "").replace("-->", "")));
    prose
        .map(|(at, line)| Line {
            number: at + 1,
            text: line.trim().to_owned(),
            starts: line.trim().is_empty(),
        })
        .collect()
}

/// The prose in a file.
fn prose(path: &str, text: &str) -> Vec<Line> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "md" | "mdx" => markdown(text),
        "html" => html(text),
        "rs" => {
            let mut lines = comments(text, &["//"]);
            if STRINGS.iter().any(|part| path.contains(part)) {
                lines.extend(strings(text));
            }
            lines
        }
        "js" | "mjs" | "ts" => comments(text, &["/*", "//"]),
        "css" => comments(text, &["/*"]),
        "toml" if path.ends_with("site.toml") => {
            let whole = |(at, line): (usize, &str)| Line {
                number: at + 1,
                text: line.trim_start_matches(['#', ' ']).to_owned(),
                starts: line.trim().is_empty() || line.contains('='),
            };
            text.lines().enumerate().map(whole).collect()
        }
        "sh" | "slurm" | "py" | "conf" | "yml" | "toml" => comments(text, &["#"]),
        _ => Vec::new(),
    }
}

/// Violations of the rules, as `line: words: what to write`.
fn findings(lines: &[Line], rules: &[(Regex, &Rule)]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < lines.len() {
        let more = lines[from + 1..].iter().take_while(|line| !line.starts).count();
        let paragraph = &lines[from..=from + more];
        let joined = paragraph.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
        for (pattern, rule) in rules {
            for hit in pattern.find_iter(&joined) {
                let mut rest = hit.start();
                let line = paragraph.iter().find(|line| {
                    let inside = rest <= line.text.len();
                    rest = rest.saturating_sub(line.text.len() + 1);
                    inside
                });
                let number = line.map_or(0, |line| line.number);
                found.push((number, format!("`{}`: {}", hit.as_str(), rule.instead)));
            }
        }
        from += more + 1;
    }
    found.sort();
    found
}

fn compiled() -> Vec<(Regex, &'static Rule)> {
    let compile =
        |rule: &'static Rule| (Regex::new(&format!("(?i){}", rule.pattern)).expect("a pattern"), rule);
    RULES.iter().map(compile).collect()
}

/// All files at or below a path, as paths relative to the project, with `/`.
fn files(root: &Path, path: &str) -> Vec<String> {
    let full = root.join(path);
    if full.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(&full).unwrap_or_else(|e| panic!("{path} in CHECKED: {e}"));
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut found: Vec<String> = names.flat_map(|name| files(root, &format!("{path}/{name}"))).collect();
    found.sort();
    found
}

#[test]
fn prose_is_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = compiled();
    let mut all = Vec::new();
    let mut looked_at = 0;
    for path in CHECKED.iter().flat_map(|path| files(root, path)) {
        let Ok(text) = fs::read_to_string(root.join(&path)) else { continue };
        let lines = prose(&path, &text);
        looked_at += lines.len();
        all.extend(
            findings(&lines, &rules).into_iter().map(|(line, found)| format!("{path}:{line}: {found}")),
        );
    }
    assert!(looked_at > 1000, "only {looked_at} lines of prose were found");
    assert!(all.is_empty(), "{} findings:\n  {}", all.len(), all.join("\n  "));
}

#[test]
fn every_rule_finds_its_example() {
    for (pattern, rule) in compiled() {
        assert!(pattern.is_match(rule.example), "{}", rule.pattern);
    }
}

#[test]
fn correct_sentences_pass() {
    let fine = "A user who starts a job, and jobs that wait. Who starts first? There is no room for the job: it finds none. \
                Otherwise nothing changes. The row of a table has cells. The person who asks gets an answer.\n\n\
                See who preempted whom. Text that is invalid. It takes the place of the old one.";
    assert_eq!(findings(&markdown(fine), &compiled()), []);
}

#[test]
fn prose_is_found_with_its_line() {
    let rules = compiled();
    let at = |path: &str, text: &str| {
        findings(&prose(path, text), &rules).into_iter().map(|(line, _)| line).collect::<Vec<_>>()
    };
    assert_eq!(
        at("a.md", "One.\n\nA job of\nwhich a task ran.\n\n```sh\n# whoever\n```\nAnd `whoever`.\n"),
        [3]
    );
    assert_eq!(at("a.md", "```hint\nwhoever\n```\n````md\n```hint\nwhoever\n```\n````\nanew\n"), [2, 9]);
    assert_eq!(
        at("a.rs", "/// It is made\n/// anew.\nlet a = \"anew\"; // for somebody\n//\n// \"anew\"\n"),
        [2, 3]
    );
    assert_eq!(at("xtask/src/a.rs", "let a = \"made \\\n    anew here\";\nlet b = \"anew\".len();\n"), [2]);
    assert_eq!(at("a.js", "/**\n * One for\n * whoever\n */\nlet a = 1; // anew\nlet whoever;\n"), [3, 5]);
    assert_eq!(at("a.css", "/* Made anew. */\na { b: c; }\n/* One\n   anew */\n"), [1, 4]);
    assert_eq!(at("a.html", "<p class=\"anew\">It is\nmade anew.</p>\n"), [2]);
    assert_eq!(at("a.sh", "#!/bin/bash\necho anew # not anew\n# anew\n"), [2, 3]);
}
