//! `[[job_submit]]`, `[[cron]]` and `[[usage]]` of `site.toml`. A rule of which a part cannot be read is left out as a
//! whole: half a rule would be another one.

use super::table::{ASSOC_SETTINGS, Kind};
use super::test::{self, amount, word};
use super::{
    Action, AssocField, Condition, CronRule, JobField, Piece, Policy, Setting, StartUsage, SubmitRule,
    Template, Wanted,
};
use crate::base::diagnostic::{Diagnostic, Severity};
use crate::config::keys::like;
use crate::config::toml::{Key, Table, Value};
use crate::config::value;

/// Most rules of a kind, and most labels.
const MAX_RULES: usize = 1000;
/// Longest text of a rule, bytes.
const MAX_TEXT: usize = 4096;

/// Reads a site's rules, one table after the other.
#[derive(Default)]
pub(in crate::config) struct Reader {
    pub(in crate::config) policy: Policy,
    /// Labels that rules so far have given: for submissions, for updates.
    labels: Vec<String>,
    modify_labels: Vec<String>,
}

/// What is wrong, and where.
type Wrong = (u32, String);

impl Reader {
    /// One `[[job_submit]]`.
    pub(in crate::config) fn job_submit(&mut self, table: &Table, found: &mut Vec<Diagnostic>) {
        let mut labels = self.labels.clone();
        match submit_rule(table, &mut labels) {
            Ok(rule) if self.policy.job_submit.len() < MAX_RULES && labels.len() < MAX_RULES => {
                self.policy.job_submit.push(rule);
                self.labels = labels;
            }
            Ok(_) => found.push(finding(table.line, "too many rules".to_owned())),
            Err((line, message)) => found.push(finding(line, format!("job_submit: {message}"))),
        }
    }

    /// One `[[job_modify]]`.
    pub(in crate::config) fn job_modify(&mut self, table: &Table, found: &mut Vec<Diagnostic>) {
        let mut labels = self.modify_labels.clone();
        let changes = |rule: &SubmitRule| {
            rule.then.iter().any(|action| matches!(action, Action::Set { .. } | Action::Say(_)))
        };
        match submit_rule(table, &mut labels) {
            Ok(rule) if changes(&rule) => {
                let message = "job_modify: a rule for updates refuses or lets pass, it sets and says nothing";
                found.push(finding(table.line, message.to_owned()));
            }
            Ok(rule) if self.policy.job_modify.len() < MAX_RULES && labels.len() < MAX_RULES => {
                self.policy.job_modify.push(rule);
                self.modify_labels = labels;
            }
            Ok(_) => found.push(finding(table.line, "too many rules".to_owned())),
            Err((line, message)) => found.push(finding(line, format!("job_modify: {message}"))),
        }
    }

    /// One `[[cron]]`.
    pub(in crate::config) fn cron(&mut self, table: &Table, found: &mut Vec<Diagnostic>) {
        match cron_rule(table) {
            Ok(rule) if self.policy.cron.len() < MAX_RULES => self.policy.cron.push(rule),
            Ok(_) => found.push(finding(table.line, "too many rules".to_owned())),
            Err((line, message)) => found.push(finding(line, format!("cron: {message}"))),
        }
    }

    /// One `[[usage]]`.
    pub(in crate::config) fn usage(&mut self, table: &Table, found: &mut Vec<Diagnostic>) {
        match start_usage(table) {
            Ok(usage) if self.policy.usage.len() < 10 * MAX_RULES => self.policy.usage.push(usage),
            Ok(_) => found.push(finding(table.line, "too many entries".to_owned())),
            Err((line, message)) => found.push(finding(line, format!("usage: {message}"))),
        }
    }
}

fn finding(line: u32, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Error, file: "site.toml".to_owned(), line, message }
}

fn unknown<'t>(what: &str, name: &str, known: impl Iterator<Item = &'t str>) -> String {
    let hint = like(known, name).map(|k| format!(" (did you mean `{k}`?)")).unwrap_or_default();
    format!("unknown {what} `{name}`{hint}")
}

/// A text value.
fn text(key: &Key) -> Result<&str, Wrong> {
    match &key.value {
        Value::Text(text) if text.len() <= MAX_TEXT => Ok(text),
        Value::Text(_) => Err((key.line, format!("`{}` is too long", key.name))),
        Value::Number(_) | Value::Bool(_) | Value::List(_) | Value::Table(_) => {
            Err((key.line, format!("`{}` must be a text", key.name)))
        }
    }
}

/// A table value.
fn table(key: &Key) -> Result<&Table, Wrong> {
    match &key.value {
        Value::Table(table) => Ok(table),
        Value::Text(_) | Value::Number(_) | Value::Bool(_) | Value::List(_) => {
            Err((key.line, format!("`{}` must be a table", key.name)))
        }
    }
}

fn submit_rule(rule: &Table, labels: &mut Vec<String>) -> Result<SubmitRule, Wrong> {
    let mut read = SubmitRule { line: rule.line, ..SubmitRule::default() };
    let mut error = None;
    for key in &rule.keys {
        match key.name.as_str() {
            "name" => read.name = text(key)?.to_owned(),
            "when" => read.when = conditions(table(key)?, JobField::TABLE, labels)?,
            "let" => {
                for label in &table(key)?.keys {
                    read.then.push(give_label(label, labels)?);
                }
            }
            "set" | "default" => {
                for setting in &table(key)?.keys {
                    read.then.push(set(setting, key.name == "default", labels)?);
                }
            }
            "say" => read.then.push(Action::Say(template(key, labels)?)),
            "refuse" => {
                read.then.push(Action::Refuse { message: template(key, labels)?, error: None });
            }
            "error" => error = Some(text(key)?.to_owned()),
            "stop" if key.value == Value::Bool(true) => read.then.push(Action::Stop),
            other => {
                let known = ["name", "when", "let", "set", "default", "say", "refuse", "error", "stop"];
                return Err((key.line, unknown("key", other, known.into_iter())));
            }
        }
    }
    for action in &mut read.then {
        if let Action::Refuse { error: own, .. } = action {
            own.clone_from(&error);
        }
    }
    if read.then.is_empty() {
        return Err((rule.line, "the rule does nothing".to_owned()));
    }
    Ok(read)
}

/// The conditions of a `when`; `labels` may be fields, too.
fn conditions<F: Clone + FromLabel>(
    when: &Table,
    known: &[(&str, F, Kind)],
    labels: &[String],
) -> Result<Vec<Condition<F>>, Wrong> {
    let mut all = Vec::new();
    for key in &when.keys {
        let field = known.iter().find(|k| k.0 == key.name).map(|k| (k.1.clone(), k.2));
        let label = || F::from_label(labels.iter().find(|l| **l == key.name)?).map(|f| (f, Kind::Text));
        let Some((field, kind)) = field.or_else(label) else {
            let words = known.iter().map(|k| k.0).chain(labels.iter().map(String::as_str));
            return Err((key.line, unknown("condition", &key.name, words)));
        };
        let (test, text) =
            test::read(kind, &key.value).map_err(|e| (key.line, format!("{}: {e}", key.name)))?;
        all.push(Condition { field, test, text });
    }
    Ok(all)
}

/// Fields that labels can be.
trait FromLabel: Sized {
    fn from_label(name: &str) -> Option<Self>;
}

impl FromLabel for JobField {
    fn from_label(name: &str) -> Option<Self> {
        Some(Self::Label(name.to_owned()))
    }
}

impl FromLabel for AssocField {
    fn from_label(_: &str) -> Option<Self> {
        None
    }
}

fn give_label(label: &Key, labels: &mut Vec<String>) -> Result<Action, Wrong> {
    if JobField::TABLE.iter().any(|k| k.0 == label.name) {
        return Err((
            label.line,
            format!("a label cannot be called `{}`: that is what the job asks", label.name),
        ));
    }
    let value = template(label, labels)?;
    if !labels.contains(&label.name) {
        labels.push(label.name.clone());
    }
    Ok(Action::Label(label.name.clone(), value))
}

fn set(setting: &Key, missing: bool, labels: &[String]) -> Result<Action, Wrong> {
    let Some((_, what, kind)) = Setting::TABLE.iter().find(|k| k.0 == setting.name) else {
        let known = Setting::TABLE.iter().map(|k| k.0);
        return Err((setting.line, unknown("setting", &setting.name, known)));
    };
    let bad = || (setting.line, format!("`{}`: this is no value for it", setting.name));
    let text = word(&setting.value).ok_or_else(bad)?;
    let to = match kind {
        Kind::Text => Wanted::Text(template(setting, labels)?),
        Kind::Count | Kind::Mebibytes => Wanted::Number(amount(*kind, &text).ok_or_else(bad)?),
        Kind::Minutes => Wanted::Limit(value::limit(&text).ok_or_else(bad)?),
        Kind::Switch => Wanted::Switch(value::yes(&text).ok_or_else(bad)?),
    };
    Ok(Action::Set { what: *what, to, missing })
}

/// `{account}_cpu`, in pieces.
fn template(key: &Key, labels: &[String]) -> Result<Template, Wrong> {
    let mut rest = text(key)?;
    let mut pieces = Vec::new();
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else {
            return Err((key.line, "a `{` has no `}`".to_owned()));
        };
        let field = JobField::TABLE.iter().find(|k| k.0 == name).map(|k| k.1.clone());
        let label = || labels.iter().find(|l| *l == name).map(|l| JobField::Label(l.clone()));
        let Some(field) = field.or_else(label) else {
            let words = JobField::TABLE.iter().map(|k| k.0).chain(labels.iter().map(String::as_str));
            return Err((key.line, unknown("place", name, words)));
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Place(field));
        rest = tail;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(Template(pieces))
}

fn cron_rule(rule: &Table) -> Result<CronRule, Wrong> {
    let mut read = CronRule {
        name: String::new(),
        line: rule.line,
        every: 0,
        users: false,
        when: Vec::new(),
        set: Vec::new(),
    };
    for key in &rule.keys {
        match key.name.as_str() {
            "name" => read.name = text(key)?.to_owned(),
            "every" => {
                let every = word(&key.value).and_then(|t| value::seconds(&t));
                let bad = || {
                    (key.line, "`every` must be a time of a minute to a day, such as \"15:00\"".to_owned())
                };
                read.every = every.filter(|s| (60..=86_400).contains(s)).ok_or_else(bad)?;
            }
            "for" => match text(key)? {
                "accounts" => read.users = false,
                "users" => read.users = true,
                _ => return Err((key.line, "`for` must be \"accounts\" or \"users\"".to_owned())),
            },
            "when" => read.when = conditions(table(key)?, AssocField::TABLE, &[])?,
            "set" => {
                for setting in &table(key)?.keys {
                    read.set.push(assoc_setting(setting)?);
                }
            }
            other => {
                let known = ["name", "every", "for", "when", "set"];
                return Err((key.line, unknown("key", other, known.into_iter())));
            }
        }
    }
    match (read.every, read.set.is_empty()) {
        (0, _) => Err((rule.line, "`every` is missing".to_owned())),
        (_, true) => Err((rule.line, "the rule does nothing".to_owned())),
        _ => Ok(read),
    }
}

fn assoc_setting(setting: &Key) -> Result<(String, String), Wrong> {
    let name = setting.name.to_ascii_lowercase();
    if !ASSOC_SETTINGS.contains(&name.as_str()) {
        return Err((setting.line, unknown("setting", &setting.name, ASSOC_SETTINGS.iter().copied())));
    }
    let bad = || (setting.line, format!("`{}`: this is no value for it", setting.name));
    let text = word(&setting.value).ok_or_else(bad)?;
    let number = |t: &str| t == "-1" || t.parse::<u32>().is_ok();
    let ok = match name.as_str() {
        "fairshare" => text.parse::<u32>().is_ok() || text.eq_ignore_ascii_case("parent"),
        "grptres" | "maxtres" => text
            .split(',')
            .all(|pair| pair.split_once('=').is_some_and(|(name, n)| !name.is_empty() && number(n))),
        "grpwall" | "maxwall" => value::limit(&text).is_some(),
        _ => number(&text),
    };
    if ok { Ok((name, text)) } else { Err(bad()) }
}

fn start_usage(entry: &Table) -> Result<StartUsage, Wrong> {
    let mut read = StartUsage {
        line: entry.line,
        account: String::new(),
        user: None,
        raw_thousandths: 0,
        wall: 0,
        tres: Vec::new(),
    };
    for key in &entry.keys {
        let bad = || (key.line, format!("`{}`: a number is wanted that is not negative", key.name));
        let number = |value: &Value| word(value).and_then(|t| t.parse::<u64>().ok());
        match key.name.as_str() {
            "account" => text(key)?.clone_into(&mut read.account),
            "user" => read.user = Some(text(key)?.to_owned()),
            "raw" => read.raw_thousandths = word(&key.value).and_then(|t| thousandths(&t)).ok_or_else(bad)?,
            "wall" => read.wall = number(&key.value).ok_or_else(bad)?,
            "tres" => {
                for tres in &table(key)?.keys {
                    read.tres.push((tres.name.to_ascii_lowercase(), number(&tres.value).ok_or_else(bad)?));
                }
            }
            other => {
                let known = ["account", "user", "raw", "wall", "tres"];
                return Err((key.line, unknown("key", other, known.into_iter())));
            }
        }
    }
    if read.account.is_empty() { Err((entry.line, "`account` is missing".to_owned())) } else { Ok(read) }
}

/// `54618` or `54618.53`.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || part.len() > 3 || !digits(whole) || !digits(part) {
        return None;
    }
    let part: u64 = format!("{part:0<3}").parse().ok()?;
    whole.parse::<u64>().ok().filter(|n| *n < 1 << 50).map(|n| n * 1000 + part)
}
