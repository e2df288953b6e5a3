//! The five documents on their sites as the page opens them: the page's seed, Monday morning, and a normal day of other
//! people's jobs.
//!
//! A session in `tests/seeds/opened` is what a learner types and what has to appear. In expected output `*` stands for
//! any text within a line, and a line `...` for any lines. `@terminal` types a line at the user's terminal. Every line of code of the document is typed or in a script
//! (`tests/seeds/lines`). The variants of the sites play what a document says of other clusters.

use super::site::{files, path};
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult, RunResult};
use host::tty::TtyId;
use shell::Prompt;
use std::collections::VecDeque;

/// As in the page: Monday, 2026-03-02 09:00.
const START: Time = Time::from_secs(1_772_442_000);
/// Events of a command or a wait.
const FUEL: u64 = 200_000_000;
/// The longest time that a command may take.
const LONGEST: Span = Span::from_secs(1800);

/// How many seconds a line at a terminal may take.
const TYPED: usize = 14_400;

/// A site's files and those of the site that it extends.
fn complete(site: &str) -> SiteFiles {
    let own = files(&format!("examples/sites/{site}"));
    match own.extends() {
        Some(base) => own.over(complete(&base)),
        None => own,
    }
}

/// A site as the page opens it.
pub fn opened(site: &str, seed: u64, amount: &str) -> Session {
    let mut files = complete(site);
    files.0.insert("background".to_owned(), amount.to_owned());
    Session::new(Setup { site: site.to_owned(), files, seed, start: START })
}

/// What a command prints: standard output, then standard error and the exit code marked as in transcripts.
pub fn types(session: &mut Session, user: &str, command: &str) -> Vec<String> {
    let InputResult::Run(run) =
        session.apply(Input::Run { user: user.to_owned(), command: command.to_owned() })
    else {
        panic!("{command}: refused");
    };
    let end = session.world().now + LONGEST;
    let mut result = RunResult::default();
    for _ in 0..FUEL {
        let did = session.step(end);
        result = session.world().run_result(run);
        if result.exit.is_some() || !did {
            break;
        }
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut lines: Vec<String> = text(&result.stdout).lines().map(str::to_owned).collect();
    lines.extend(text(&result.stderr).lines().map(|line| format!("2> {line}")));
    match result.exit {
        Some(0) => {}
        Some(code) => lines.push(format!("[exit {code}]")),
        None => lines.push("[does not end]".to_owned()),
    }
    lines
}

/// A new terminal of a user, with its first prompt.
fn logs_in(session: &mut Session, user: &str) -> TtyId {
    let login = Input::Login { user: user.to_owned(), columns: 80, rows: 24 };
    let InputResult::Terminal(tty) = session.apply(login) else { panic!("{user} does not log in") };
    let soon = session.world().now + Span::from_secs(2);
    session.run_until(soon, FUEL);
    tty
}

/// Types a line at a terminal and waits for the next prompt.
fn types_at(session: &mut Session, tty: TtyId, line: &str) {
    session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
    for _ in 0..TYPED {
        let next = session.world().now + Span::from_secs(1);
        session.run_until(next, FUEL);
        if matches!(session.prompt(tty), Prompt::Ready(_)) {
            return;
        }
    }
}

/// Whether a line matches the expected one; `*` matches any text.
fn is_like(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.trim_end().split('*');
    let Some(mut rest) = line.trim_end().strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: VecDeque<&str> = parts.collect();
    let Some(last) = parts.pop_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn are_like(expected: &[String], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((gap, more)) if gap == "..." => {
            (0..=lines.len()).any(|skipped| are_like(more, &lines[skipped..]))
        }
        Some((first, more)) => {
            lines.split_first().is_some_and(|(line, rest)| is_like(first, line) && are_like(more, rest))
        }
    }
}

/// Plays a session. All commands that print something else are reported together.
fn plays(site: &str) {
    let text = std::fs::read_to_string(path(&format!("tests/seeds/opened/{site}.txt"))).expect("a session");
    let mut session = opened(site, 1, "normal");
    let mut user = "alice".to_owned();
    let mut terminal = None;
    let mut wrong = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        // Shown if it panics.
        println!("{} {line}", session.world().now.iso());
        if let Some(name) = line.strip_prefix("@user ") {
            name.clone_into(&mut user);
            terminal = None;
        } else if let Some(typed) = line.strip_prefix("@terminal ") {
            let tty = *terminal.get_or_insert_with(|| logs_in(&mut session, &user));
            types_at(&mut session, tty, typed);
        } else if let Some(name) = line.strip_prefix("@file ") {
            let body: String =
                lines.by_ref().take_while(|l| *l != "@end").map(|l| format!("{l}\n")).collect();
            let path = format!("/home/{user}/{name}");
            let saved = session.apply(Input::Save { user: user.clone(), path, data: body.into_bytes() });
            assert_eq!(saved, InputResult::Done, "{name}");
        } else if let Some(seconds) = line.strip_prefix("@wait ") {
            let until = session.world().now + Span::from_secs(seconds.parse().expect("seconds"));
            session.run_until(until, FUEL);
        } else if let Some((seconds, command)) =
            line.strip_prefix("@until ").and_then(|rest| rest.split_once(' '))
        {
            let end = session.world().now + Span::from_secs(seconds.parse().expect("seconds"));
            while types(&mut session, &user, command).last().is_some_and(|l| l.starts_with("[exit")) {
                if session.world().now >= end {
                    wrong += &format!("{command}: not within {seconds} s\n");
                    break;
                }
                let next = session.world().now + Span::from_secs(5);
                session.run_until(next, FUEL);
            }
        } else if let Some(command) = line.strip_prefix("$ ") {
            let mut expected = Vec::new();
            while let Some(next) = lines.next_if(|l| !l.starts_with(['$', '@', '#'])) {
                expected.push(next.to_owned());
            }
            let printed = types(&mut session, &user, command);
            if !are_like(&expected, &printed) {
                wrong += &format!(
                    "$ {command}\nexpected:\n{}\nprinted:\n{}\n\n",
                    expected.join("\n"),
                    printed.join("\n")
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{site}\n{wrong}");
}

/// Plays a session that has all lines of the document.
fn plays_document(site: &str) {
    super::seeds::covers(site, &format!("tests/seeds/opened/{site}.txt"));
    plays(site);
}

#[test]
fn the_quantum_institute_as_it_opens() {
    plays_document("iq");
}

#[test]
fn the_alliance_as_it_opens() {
    plays_document("alliance");
}

#[test]
fn mila_as_it_opens() {
    plays_document("mila");
}

#[test]
fn inserm_as_it_opens() {
    plays_document("inserm");
}

#[test]
fn the_cloud_as_it_opens() {
    plays_document("gcp");
}

/// What the documents of the Alliance and of Mila say of other clusters.
#[test]
fn variants_as_they_open() {
    for site in ["alliance-beluga", "alliance-niagara", "mila-gcp", "mila-aws", "mila-azure"] {
        plays(site);
    }
}

/// The example of the Alliance's page is not a matter of chance.
#[test]
fn the_table_of_shares_is_there_with_any_seed_and_amount() {
    for (seed, amount) in [(1, "off"), (2, "quiet"), (3, "normal"), (4, "overloaded")] {
        let mut session = opened("alliance", seed, amount);
        let table = types(&mut session, "prof1", "sshare -l -P -A def-prof1_cpu -u prof1,grad2,postdoc3");
        let columns = [0, 1, 2, 3, 4, 6, 8];
        let rows: Vec<String> = table
            .iter()
            .skip(1)
            .map(|row| {
                let cells: Vec<&str> = row.split('|').collect();
                columns.map(|at| cells.get(at).copied().unwrap_or("").trim()).join(" ")
            })
            .collect();
        assert_eq!(
            rows,
            [
                "def-prof1_cpu  434086 0.001607 1512054 0.000043 37.357207",
                "def-prof1_cpu grad2 1 0.100000 54618 0.036122 2.768390",
                "def-prof1_cpu postdoc3 1 0.100000 855517 0.565798 0.176741",
                "def-prof1_cpu prof1 1 0.100000 0 0.000000 inf",
            ],
            "seed {seed}, {amount}: {table:#?}"
        );
    }
}

#[test]
fn patterns_of_expected_output() {
    for (pattern, line, like) in [
        ("Submitted batch job *", "Submitted batch job 17", true),
        ("a*b*c", "a-b-b-c", true),
        ("a*b", "a-b-c", false),
        ("c-iq         up", "c-iq         up  ", true),
        ("", "x", false),
    ] {
        assert_eq!(is_like(pattern, line), like, "{pattern} {line}");
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(are_like(&lines("a\n...\nd"), &lines("a\nb\nc\nd")) && !are_like(&lines("a"), &lines("a\nb")));
}
