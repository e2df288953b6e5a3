//! `site`: what this site does besides Slurm. sandbatch's own command: on a real cluster these rules are in a
//! job_submit plugin, in cron and in profile files, where only administrators see them.

use crate::base::time::hms;
use crate::commands::Cx;
use crate::config::policy::{Action, Condition, CronRule, Piece, SubmitRule, Template, Wanted};
use std::fmt::Write as _;

const HELP: &str = "\
site [job_submit|job_modify|cron|usage|env|notes]
    What this site does besides Slurm: rules for submissions and updates, what cron changes, usage that the
    simulation began with, variables of your shells; and where the site's own guide and Slurm differ. A command of sandbatch; real clusters have none.
";

/// A part of the listing.
type Part = (&'static str, fn(&Cx) -> String);

const PARTS: &[Part] = &[
    ("job_submit", job_submit),
    ("job_modify", job_modify),
    ("cron", cron),
    ("usage", usage),
    ("env", env),
    ("notes", notes),
];

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let (mut texts, mut wanted) = (String::new(), PARTS.to_vec());
    match cx.args().first().map(String::as_str) {
        None => {}
        Some("-h" | "--help") => {
            cx.print(HELP);
            return 0;
        }
        Some(word) => {
            wanted.retain(|p| p.0 == word);
            if wanted.is_empty() {
                cx.error(&format!("invalid argument '{word}'"));
                cx.complain_raw(HELP);
                return 1;
            }
        }
    }
    for (_, part) in wanted {
        texts += &part(cx);
    }
    if texts.is_empty() {
        texts =
            "This site has no rules of its own: everything is in slurm.conf and the accounts.\n".to_owned();
    }
    cx.print(&texts);
    0
}

fn job_submit(cx: &Cx) -> String {
    listed(
        &cx.slurm.state().policy.job_submit,
        "Each submission is looked at by these rules in order (job_submit)",
    )
}

fn job_modify(cx: &Cx) -> String {
    listed(
        &cx.slurm.state().policy.job_modify,
        "Each update of a job is looked at by these rules (job_modify)",
    )
}

fn listed(rules: &[SubmitRule], what: &str) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let mut out = format!("{what}:\n");
    for rule in rules {
        head(&mut out, rule.line, &rule.name);
        let _ = writeln!(out, "      {}{}", when(&rule.when, |f| f.word()), actions(rule));
    }
    out
}

/// `  site.toml:12  name`
fn head(out: &mut String, line: u32, name: &str) {
    let _ = writeln!(out, "  {:<15}{name}", place(line));
}

/// A line of a variant's base has no number in its own file.
fn place(line: u32) -> String {
    if line == 0 { "base site.toml".to_owned() } else { format!("site.toml:{line}") }
}

/// `if time_limit <3:00:00 and gpus >0: `
fn when<F>(conditions: &[Condition<F>], word: impl Fn(&F) -> &str) -> String {
    let all: Vec<String> = conditions.iter().map(|c| format!("{} {}", word(&c.field), c.text)).collect();
    if all.is_empty() { String::new() } else { format!("if {}: ", all.join(" and ")) }
}

fn actions(rule: &SubmitRule) -> String {
    let all: Vec<String> = rule.then.iter().map(action).collect();
    all.join("; ")
}

fn action(action: &Action) -> String {
    match action {
        Action::Label(name, value) => format!("{name} is {}", template(value)),
        Action::Set { what, to, missing } => {
            let unless = if *missing { " unless given" } else { "" };
            format!("{}={}{unless}", what.word(), wanted(to))
        }
        Action::Say(text) => format!("say \"{}\"", template(text).trim_end()),
        Action::Refuse { message, error: None } => format!("refuse \"{}\"", template(message).trim_end()),
        Action::Refuse { message, error: Some(error) } => {
            format!("refuse \"{}\" ({error})", template(message).trim_end())
        }
        Action::Stop => "stop here".to_owned(),
    }
}

fn wanted(value: &Wanted) -> String {
    match value {
        Wanted::Text(text) => template(text),
        Wanted::Number(n) => n.to_string(),
        Wanted::Limit(limit) => limit.span().map_or_else(|| "UNLIMITED".to_owned(), |s| hms(s.secs())),
        Wanted::Switch(yes) => if *yes { "yes" } else { "no" }.to_owned(),
    }
}

fn template(text: &Template) -> String {
    let piece = |p: &Piece| match p {
        Piece::Text(text) => text.clone(),
        Piece::Place(field) => format!("{{{}}}", field.word()),
    };
    text.0.iter().map(piece).collect()
}

fn cron(cx: &Cx) -> String {
    let rules = &cx.slurm.state().policy.cron;
    if rules.is_empty() {
        return String::new();
    }
    let mut out = "Every so often these change associations (cron):\n".to_owned();
    for rule in rules {
        head(&mut out, rule.line, &rule.name);
        let set: Vec<String> = rule.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let _ = writeln!(
            out,
            "      every {}, {}: {}sacctmgr modify set {}",
            hms(rule.every.into()),
            whose(rule),
            when(&rule.when, |f| f.word()),
            set.join(" ")
        );
    }
    out
}

const fn whose(rule: &CronRule) -> &'static str {
    if rule.users { "each user of an account" } else { "each account" }
}

fn usage(cx: &Cx) -> String {
    let entries = &cx.slurm.state().policy.usage;
    if entries.is_empty() {
        return String::new();
    }
    let mut out = "Usage that the simulation began with:\n".to_owned();
    for entry in entries {
        let user = entry.user.as_deref().unwrap_or("-");
        let _ = writeln!(
            out,
            "  {:<15}{:<20} {user:<12} {}.{:03}",
            place(entry.line),
            entry.account,
            entry.raw_thousandths / 1000,
            entry.raw_thousandths % 1000
        );
    }
    out
}

fn notes(cx: &Cx) -> String {
    let notes = &cx.slurm.state().policy.notes;
    if notes.is_empty() {
        return String::new();
    }
    let mut out = "Where the site's guide and Slurm differ:\n".to_owned();
    for note in notes {
        let _ = writeln!(out, "  {}\n      Slurm: {}", note.prints, note.answers);
        if let Some(write) = &note.write {
            let _ = writeln!(out, "      write: {write}");
        }
        for says in note.says.values() {
            let _ = writeln!(out, "      {says}");
        }
    }
    out
}

fn env(cx: &Cx) -> String {
    let own = cx.kernel.users.by_uid(cx.uid()).map(|u| u.env.as_slice()).unwrap_or_default();
    if own.is_empty() {
        return String::new();
    }
    let lines: String = own.iter().map(|(k, v)| format!("  {k}={v}\n")).collect();
    format!("Your shells begin with:\n{lines}")
}
