//! Tests: what is accepted and refused, and the texts of `--help`.

use super::*;
use config::{background_amount, sites};

fn parsed(line: &str) -> Result<CliArguments, String> {
    let words = std::iter::once("sandbatch").chain(line.split_whitespace());
    CliArguments::try_parse_from(words).map_err(|error| error.to_string())
}

#[test]
fn the_declarations_are_consistent() {
    CliArguments::command().debug_assert();
    let help = CliArguments::command().find_subcommand_mut("shell").map(|c| c.render_long_help().to_string());
    let help = help.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    for site in sites::names() {
        assert!(help.contains(site), "{site}: {help}");
    }
    for amount in ["off", "quiet", "normal", "busy", "overloaded"] {
        assert!(background_amount(amount).is_some());
    }
}

/// What `--help` prints in a terminal of 100 columns. `INSTA_UPDATE=always cargo test` writes it again after a change.
#[test]
fn help_of_each_command() {
    fn walk(command: &mut clap::Command, name: &str) {
        let text = command.render_long_help().to_string();
        assert!(text.contains("Example"), "{name} has no example: {text}");
        insta::assert_snapshot!(name.to_owned(), text);
        for sub in command.get_subcommands_mut().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        {
            let name = format!("{name}-{}", sub.get_name());
            walk(sub, &name);
        }
    }
    let mut command = CliArguments::command().term_width(100);
    command.build();
    walk(&mut command, "sandbatch");
}

#[test]
fn lines() {
    assert_eq!(parsed("").map(|c| c.command), Ok(None));
    let Ok(Some(CliCommand::Shell(shell))) =
        parsed("shell --site-dir=a/b --seed 7 --start 2026-11-21T05:54:01 --pace 60").map(|c| c.command)
    else {
        panic!("a shell")
    };
    assert_eq!(shell.site(), Site::Dir("a/b".into()));
    assert_eq!((shell.seed, shell.pace), (7, 60));
    assert_eq!((shell.start - START).secs(), 1);
    let Ok(Some(CliCommand::Shell(shell))) = parsed("shell").map(|c| c.command) else { panic!("a shell") };
    assert_eq!((shell.site(), shell.start), (Site::BuiltIn("lab".to_owned()), START));
    let transcript = CliCommand::Transcript { clusters: Some("d".into()), file: "x.txt".into() };
    assert_eq!(parsed("transcript x.txt --clusters d").map(|c| c.command), Ok(Some(transcript)));
    let bench = CliCommand::Bench { what: Benchmark::Scheduler, people: None, seconds: None };
    assert_eq!(parsed("bench").map(|c| c.command), Ok(Some(bench)));
}

#[test]
fn refusals() {
    for (line, part) in [
        ("frobnicate", "unrecognized subcommand"),
        ("repaly x", "a similar subcommand exists: 'replay'"),
        ("shell --seed x", "invalid digit"),
        ("shell --seed", "a value is required"),
        ("shell --start yesterday", "not a date and time"),
        ("shell --background some", "[possible values: off, quiet"),
        ("shell --site lab --site-dir .", "cannot be used with"),
        ("shell here", "unexpected argument"),
        ("shell --sit lab", "a similar argument exists: '--site'"),
        ("transcript", "<FILE>"),
        ("transcript a b", "unexpected argument"),
        ("check", "<DIR>"),
        ("lesson check", "<FILES>"),
        ("lesson export a.md", "--scorm12 <OUT.zip>"),
        ("lesson export a.md --scorm12 -", "- is standard input"),
        ("lesson export a.md --scorm12 a.zip --page https://a.org", "--name <NAME|URL>"),
        ("lesson export a.md --scorm12 a.zip --page a.org --name b", "not the address of a page"),
        ("serve --tls-cert a.pem", "--tls-key <FILE>"),
        ("check . --short --json", "cannot be used with"),
        ("doctest docs --site lab --init --fix", "cannot be used with"),
        ("doctest docs --site lab --baseline a --write-baseline b", "cannot be used with"),
        ("sweep plan.toml --task 1 --gather", "cannot be used with"),
        ("doctest docs --site lab --table --format json", "cannot be used with"),
        ("replay a.swf --csv -", "- is standard input"),
        ("calibrate site --csv -", "- is standard input"),
        ("serve --seed 3", "--class <NAME>"),
        ("serve --people 5", "--class <NAME>"),
        ("--color some check .", "[possible values: auto, always, never]"),
    ] {
        let error = parsed(line).expect_err(line);
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn completions_and_manual_pages() {
    for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
        let mut text = Vec::new();
        completions(shell, &mut text).unwrap();
        assert!(String::from_utf8_lossy(&text).contains("site-dir"), "{shell}");
    }
    let mut page = Vec::new();
    man(&mut page).unwrap();
    let page = String::from_utf8_lossy(&page).into_owned();
    let page = page.replace("\\-", "-");
    for name in ["sandbatch", "sandbatch-replay", "sandbatch-cluster-up", "sandbatch-lesson-check"] {
        assert!(page.contains(&format!(".TH {name} ")), "{name}: {page}");
    }
    assert!(!page.contains("cluster-serve"), "{page}");
}
