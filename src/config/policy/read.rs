//! Parses `[[job_submit]]`, `[[cron]]` and `[[usage]]` of `site.toml`.
//!
//! Invariant: a rule with an invalid part is dropped as a whole, because half a rule would mean something
//! different.

use super::table::{ASSOC_SETTINGS, ValueKind};
use super::test::{self, amount, word};
use super::{
    AssocField, Condition, CronRule, JobField, JobSetting, Policy, RuleAction, RuleValue, StartUsage,
    SubmitRule, Template, TemplatePart,
};
use crate::keys::like;
use crate::site_toml::{TomlKey, TomlTable, TomlValue};
use crate::value;
use base::diagnostic::{Diagnostic, Severity};

/// Maximum number of rules of each type, and of labels.
const MAX_RULES: usize = 1000;
/// Maximum length of a text in a rule, bytes.
const MAX_TEXT: usize = 4096;

/// Parses a site's rules, one table after the other.
#[derive(Default)]
pub(crate) struct PolicyReader {
    pub(crate) policy: Policy,
    /// Labels that earlier rules set: for submissions, for updates.
    labels: Vec<String>,
    modify_labels: Vec<String>,
}

/// An error: the line and the message.
type PolicyError = (u32, String);

impl PolicyReader {
    /// Parses a `[[job_submit]]` table.
    pub(crate) fn job_submit(&mut self, table: &TomlTable, found: &mut Vec<Diagnostic>) {
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

    /// Parses a `[[job_modify]]` table.
    pub(crate) fn job_modify(&mut self, table: &TomlTable, found: &mut Vec<Diagnostic>) {
        let mut labels = self.modify_labels.clone();
        let changes = |rule: &SubmitRule| {
            rule.then.iter().any(|action| matches!(action, RuleAction::Set { .. } | RuleAction::Say(_)))
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

    /// Parses a `[[cron]]` table.
    pub(crate) fn cron(&mut self, table: &TomlTable, found: &mut Vec<Diagnostic>) {
        match cron_rule(table) {
            Ok(rule) if self.policy.cron.len() < MAX_RULES => self.policy.cron.push(rule),
            Ok(_) => found.push(finding(table.line, "too many rules".to_owned())),
            Err((line, message)) => found.push(finding(line, format!("cron: {message}"))),
        }
    }

    /// Parses a `[[usage]]` table.
    pub(crate) fn usage(&mut self, table: &TomlTable, found: &mut Vec<Diagnostic>) {
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
fn text(key: &TomlKey) -> Result<&str, PolicyError> {
    match &key.value {
        TomlValue::Text(text) if text.len() <= MAX_TEXT => Ok(text),
        TomlValue::Text(_) => Err((key.line, format!("`{}` is too long", key.name))),
        TomlValue::Number(_)
        | TomlValue::Float(_)
        | TomlValue::Bool(_)
        | TomlValue::Date(_)
        | TomlValue::List(_)
        | TomlValue::Table(_) => Err((key.line, format!("`{}` must be a text", key.name))),
    }
}

/// A table value.
fn table(key: &TomlKey) -> Result<&TomlTable, PolicyError> {
    match &key.value {
        TomlValue::Table(table) => Ok(table),
        TomlValue::Text(_)
        | TomlValue::Number(_)
        | TomlValue::Float(_)
        | TomlValue::Bool(_)
        | TomlValue::Date(_)
        | TomlValue::List(_) => Err((key.line, format!("`{}` must be a table", key.name))),
    }
}

fn submit_rule(rule: &TomlTable, labels: &mut Vec<String>) -> Result<SubmitRule, PolicyError> {
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
            "say" => read.then.push(RuleAction::Say(template(key, labels)?)),
            "refuse" => {
                read.then.push(RuleAction::Refuse { message: template(key, labels)?, error: None });
            }
            "error" => error = Some(text(key)?.to_owned()),
            "stop" if key.value == TomlValue::Bool(true) => read.then.push(RuleAction::Stop),
            other => {
                let known = ["name", "when", "let", "set", "default", "say", "refuse", "error", "stop"];
                return Err((key.line, unknown("key", other, known.into_iter())));
            }
        }
    }
    for action in &mut read.then {
        if let RuleAction::Refuse { error: own, .. } = action {
            own.clone_from(&error);
        }
    }
    if read.then.is_empty() {
        return Err((rule.line, "the rule does nothing".to_owned()));
    }
    Ok(read)
}

/// Parses the conditions of a `when`; `labels` are valid fields, too.
fn conditions<F: Clone + FromLabel>(
    when: &TomlTable,
    known: &[(&str, F, ValueKind)],
    labels: &[String],
) -> Result<Vec<Condition<F>>, PolicyError> {
    let mut all = Vec::new();
    for key in &when.keys {
        let field = known.iter().find(|k| k.0 == key.name).map(|k| (k.1.clone(), k.2));
        let label = || F::from_label(labels.iter().find(|l| **l == key.name)?).map(|f| (f, ValueKind::Text));
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

/// Field types that include labels.
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

fn give_label(label: &TomlKey, labels: &mut Vec<String>) -> Result<RuleAction, PolicyError> {
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
    Ok(RuleAction::Label(label.name.clone(), value))
}

fn set(setting: &TomlKey, missing: bool, labels: &[String]) -> Result<RuleAction, PolicyError> {
    let Some((_, what, kind)) = JobSetting::TABLE.iter().find(|k| k.0 == setting.name) else {
        let known = JobSetting::TABLE.iter().map(|k| k.0);
        return Err((setting.line, unknown("setting", &setting.name, known)));
    };
    let bad = || (setting.line, format!("`{}`: this is no value for it", setting.name));
    let text = word(&setting.value).ok_or_else(bad)?;
    let to = match kind {
        ValueKind::Text => RuleValue::Text(template(setting, labels)?),
        ValueKind::Count | ValueKind::Mebibytes => RuleValue::Number(amount(*kind, &text).ok_or_else(bad)?),
        ValueKind::Minutes => RuleValue::Limit(value::limit(&text).ok_or_else(bad)?),
        ValueKind::Switch => RuleValue::Switch(value::yes(&text).ok_or_else(bad)?),
    };
    Ok(RuleAction::Set { what: *what, to, missing })
}

/// Parses `{account}_cpu` into its parts.
fn template(key: &TomlKey, labels: &[String]) -> Result<Template, PolicyError> {
    let mut rest = text(key)?;
    let mut pieces = Vec::new();
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else {
            return Err((key.line, "a `{` has no `}`".to_owned()));
        };
        let (name, end) = name.split_once('%').map_or((name, None), |(name, end)| (name, Some(end)));
        let field = JobField::TABLE.iter().find(|k| k.0 == name).map(|k| k.1.clone());
        let label = || labels.iter().find(|l| *l == name).map(|l| JobField::Label(l.clone()));
        let Some(field) = field.or_else(label) else {
            let words = JobField::TABLE.iter().map(|k| k.0).chain(labels.iter().map(String::as_str));
            return Err((key.line, unknown("placeholder", name, words)));
        };
        if !before.is_empty() {
            pieces.push(TemplatePart::Text(before.to_owned()));
        }
        pieces.push(match end {
            Some(end) => TemplatePart::Trimmed(field, end.to_owned()),
            None => TemplatePart::Field(field),
        });
        rest = tail;
    }
    if !rest.is_empty() {
        pieces.push(TemplatePart::Text(rest.to_owned()));
    }
    Ok(Template(pieces))
}

fn cron_rule(rule: &TomlTable) -> Result<CronRule, PolicyError> {
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

fn assoc_setting(setting: &TomlKey) -> Result<(String, String), PolicyError> {
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

fn start_usage(entry: &TomlTable) -> Result<StartUsage, PolicyError> {
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
        let number = |value: &TomlValue| word(value).and_then(|t| t.parse::<u64>().ok());
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

/// Parses `54618` or `54618.53` into thousandths.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || part.len() > 3 || !digits(whole) || !digits(part) {
        return None;
    }
    let part: u64 = format!("{part:0<3}").parse().ok()?;
    whole.parse::<u64>().ok().filter(|n| *n < 1 << 50).map(|n| n * 1000 + part)
}
