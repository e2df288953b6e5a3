//! `site`: what this site does in addition to Slurm.
//!
//! This is sandbatch's own command. On a real cluster these rules are in a job_submit plugin, in cron and in
//! profile files, where only administrators see them.

use crate::Cx;
use base::time::hms;
use config::policy::{Condition, CronRule, RuleAction, RuleValue, SubmitRule, Template, TemplatePart};
use std::fmt::Write as _;

const HELP: &str = "\
site [job_submit|job_modify|cron|usage|env|notes]
    Shows what this site does outside Slurm: rules for submissions and updates, changes made by cron, usage at
    the start of the simulation, shell variables, and where the site's guide and Slurm differ.
    A command of sandbatch; real clusters do not have it.
";

/// A part of the listing.
type SiteSection = (&'static str, fn(&Cx) -> String);

const PARTS: &[SiteSection] = &[
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
        texts = "This site has no rules outside slurm.conf and the accounts.\n".to_owned();
    }
    cx.print(&texts);
    0
}

fn job_submit(cx: &Cx) -> String {
    listed(
        &cx.cluster.state().policy.job_submit,
        "These rules apply to each submission, in order (job_submit)",
    )
}

fn job_modify(cx: &Cx) -> String {
    listed(
        &cx.cluster.state().policy.job_modify,
        "These rules apply to each job update, in order (job_modify)",
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
    let _ = writeln!(out, "  {:<15}{name}", line_text(line));
}

/// `site.toml:12`. Lines that come from a variant's base have no number in its own file.
fn line_text(line: u32) -> String {
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

fn action(action: &RuleAction) -> String {
    match action {
        RuleAction::Label(name, value) => format!("{name} is {}", template(value)),
        RuleAction::Set { what, to, missing } => {
            let unless = if *missing { " unless given" } else { "" };
            format!("{}={}{unless}", what.word(), wanted(to))
        }
        RuleAction::Say(text) => format!("say \"{}\"", template(text).trim_end()),
        RuleAction::Refuse { message, error: None } => format!("refuse \"{}\"", template(message).trim_end()),
        RuleAction::Refuse { message, error: Some(error) } => {
            format!("refuse \"{}\" ({error})", template(message).trim_end())
        }
        RuleAction::Stop => "stop".to_owned(),
    }
}

fn wanted(value: &RuleValue) -> String {
    match value {
        RuleValue::Text(text) => template(text),
        RuleValue::Number(n) => n.to_string(),
        RuleValue::Limit(limit) => limit.span().map_or_else(|| "UNLIMITED".to_owned(), |s| hms(s.secs())),
        RuleValue::Switch(yes) => if *yes { "yes" } else { "no" }.to_owned(),
    }
}

fn template(text: &Template) -> String {
    let piece = |p: &TemplatePart| match p {
        TemplatePart::Text(text) => text.clone(),
        TemplatePart::Field(field) => format!("{{{}}}", field.word()),
        TemplatePart::Trimmed(field, end) => format!("{{{}%{end}}}", field.word()),
    };
    text.0.iter().map(piece).collect()
}

fn cron(cx: &Cx) -> String {
    let rules = &cx.cluster.state().policy.cron;
    if rules.is_empty() {
        return String::new();
    }
    let mut out = "These rules change associations periodically (cron):\n".to_owned();
    for rule in rules {
        head(&mut out, rule.line, &rule.name);
        let set: Vec<String> = rule.set.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let _ = writeln!(
            out,
            "      every {}, {}: {}sacctmgr modify set {}",
            hms(rule.every.into()),
            targets(rule),
            when(&rule.when, |f| f.word()),
            set.join(" ")
        );
    }
    out
}

const fn targets(rule: &CronRule) -> &'static str {
    if rule.users { "each user of an account" } else { "each account" }
}

fn usage(cx: &Cx) -> String {
    let entries = &cx.cluster.state().policy.usage;
    if entries.is_empty() {
        return String::new();
    }
    let mut out = "Usage at the start of the simulation:\n".to_owned();
    for entry in entries {
        let user = entry.user.as_deref().unwrap_or("-");
        let _ = writeln!(
            out,
            "  {:<15}{:<20} {user:<12} {}.{:03}",
            line_text(entry.line),
            entry.account,
            entry.raw_thousandths / 1000,
            entry.raw_thousandths % 1000
        );
    }
    out
}

fn notes(cx: &Cx) -> String {
    let notes = &cx.cluster.state().policy.notes;
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
    format!("Your shells start with:\n{lines}")
}
