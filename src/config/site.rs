//! `site.toml`: what Slurm does not know about a site. Also the `users` file of recorded clusters.

use super::policy::Reader;
use super::toml::{Key, Table, Value};
use super::{
    FileSystem, LoginLimits, Note, OutOfMemory, Provider, SiteFile, SiteFiles, SiteGpus, SiteInfo, SiteUser,
    Work, variant,
};
use crate::base::diagnostic::{Diagnostic, Severity};
use std::collections::BTreeMap;

/// Most users and most files of a site.
const MAX_ITEMS: usize = 2000;
/// Most variables of a person's environment.
const MAX_VARIABLES: usize = 200;

/// Reads `site.toml`, else `users`.
pub(super) fn parse(name: &str, files: &SiteFiles) -> (SiteInfo, Vec<Diagnostic>) {
    let (name, login) = (name.to_owned(), "login".to_owned());
    // A cluster without more than its configuration is one Debian machine.
    let mut site = SiteInfo { name, login, home_mode: 0o755, dash: true, ..SiteInfo::default() };
    let mut found = Vec::new();
    if let Some((table, error)) = variant::document(files) {
        (site.home_mode, site.filesystems, site.dash) = (0o700, FileSystem::usual(), false);
        if let Some(e) = error {
            found.push(finding(e.line, Severity::Error, e.message));
        }
        let mut rules = Reader::default();
        for Key { name, line, value } in table.keys {
            read_key(&mut site, &mut rules, files, (&name, line), value, &mut found);
        }
        site.policy = rules.policy;
    } else if let Some(text) = files.0.get("users") {
        site.users = text.split_whitespace().take(MAX_ITEMS).map(|n| user(n, n)).collect();
    }
    if site.users.is_empty() {
        site.users.push(user("alice", "Alice"));
    }
    if site.title.is_empty() {
        site.title.insert("en".to_owned(), site.name.clone());
    }
    (site, found)
}

fn user(name: &str, gecos: &str) -> SiteUser {
    SiteUser { name: name.to_owned(), gecos: gecos.to_owned(), ..SiteUser::default() }
}

fn finding(line: u32, severity: Severity, message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity, file: "site.toml".to_owned(), line, message: message.into() }
}

/// One key of the document.
fn read_key(
    site: &mut SiteInfo,
    rules: &mut Reader,
    files: &SiteFiles,
    (key, line): (&str, u32),
    value: Value,
    found: &mut Vec<Diagnostic>,
) {
    let read = match (key, value) {
        ("title", value) => languages(value).map(|t| site.title = t),
        ("motd", value) => languages(value).map(|t| site.motd = t),
        ("login", Value::Text(t)) => Some(t).filter(|t| is_name(t)).map(|t| site.login = t),
        ("open", Value::Text(t)) => {
            site.open = Some(t);
            Some(())
        }
        ("users", Value::List(list)) => tables(list).map(|list| {
            site.users = list.iter().filter_map(|t| site_user(t, found)).collect();
        }),
        ("files", Value::List(list)) => tables(list).map(|list| {
            site.files = list.iter().filter_map(|t| site_file(t, files, found)).collect();
        }),
        ("tools", Value::List(list)) => {
            let name = |v| if let Value::Text(t) = v { Some(t) } else { None };
            list.into_iter().take(MAX_ITEMS).map(name).collect::<Option<_>>().map(|t| site.tools = t)
        }
        ("env", Value::Table(t)) => {
            site.env = environment(&t, found);
            Some(())
        }
        ("job_submit", Value::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.job_submit(t, found)))
        }
        ("job_modify", Value::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.job_modify(t, found)))
        }
        ("cron", Value::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.cron(t, found)))
        }
        ("usage", Value::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.usage(t, found)))
        }
        ("filesystems", Value::List(list)) => tables(list).and_then(|list| {
            let found: Option<Vec<FileSystem>> = list.iter().map(FileSystem::parse).collect();
            found.map(|found| mount(&mut site.filesystems, found))
        }),
        ("sh", Value::Text(t)) => (t == "dash" || t == "bash").then(|| site.dash = t == "dash"),
        ("home_mode", Value::Text(t)) => {
            u32::from_str_radix(&t, 8).ok().filter(|m| *m <= 0o777).map(|m| site.home_mode = m)
        }
        ("job_tmp", Value::Text(t)) => Some(t).filter(|t| t.starts_with('/')).map(|t| site.job_tmp = Some(t)),
        ("login_limits", Value::Table(t)) => LoginLimits::parse(&t).map(|l| site.login_limits = Some(l)),
        ("gpus", Value::List(list)) => tables(list).and_then(|list| {
            let all: Option<Vec<SiteGpus>> = list.iter().map(SiteGpus::parse).collect();
            all.map(|all| site.gpus = all)
        }),
        ("background", Value::List(list)) => tables(list).and_then(|list| {
            let all: Option<Vec<Work>> = list.iter().map(Work::parse).collect();
            all.map(|all| site.background = all)
        }),
        ("notes", Value::List(list)) => tables(list).and_then(|list| {
            let all: Option<Vec<Note>> = list.iter().map(Note::parse).collect();
            all.map(|all| rules.policy.notes = all)
        }),
        ("provider", Value::Table(t)) => Provider::parse(&t).map(|p| site.provider = Some(p)),
        // Whoever gathered the files has laid them over those.
        ("extends", Value::Text(_)) => files.0.contains_key("base/site.toml").then_some(()),
        ("out_of_memory", Value::Table(t)) => out_of_memory(&t).map(|o| site.out_of_memory = o),
        _ => None,
    };
    if read.is_none() {
        found.push(finding(line, Severity::Error, format!("cannot use the key `{key}`")));
    }
}

/// A text in several languages, or one for all.
fn languages(value: Value) -> Option<BTreeMap<String, String>> {
    match value {
        Value::Text(text) => Some(BTreeMap::from([("en".to_owned(), text)])),
        Value::Table(table) => table
            .keys
            .into_iter()
            .map(|k| if let Value::Text(t) = k.value { Some((k.name, t)) } else { None })
            .collect(),
        Value::Number(_) | Value::Bool(_) | Value::List(_) => None,
    }
}

fn tables(list: Vec<Value>) -> Option<Vec<Table>> {
    let table = |v| if let Value::Table(t) = v { Some(t) } else { None };
    list.into_iter().take(MAX_ITEMS).map(table).collect()
}

fn text<'t>(table: &'t Table, key: &str) -> Option<&'t str> {
    match table.get(key) {
        Some(Value::Text(t)) => Some(t),
        _ => None,
    }
}

/// Whether a text can be a user's or host's name.
fn is_name(text: &str) -> bool {
    let ok = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.len() <= 64
        && text.chars().all(ok)
}

fn group(value: &Value) -> Option<String> {
    if let Value::Text(name) = value { Some(name.clone()).filter(|name| is_name(name)) } else { None }
}

/// The site's own file systems take the place of the usual ones at the same path.
fn mount(all: &mut Vec<FileSystem>, own: Vec<FileSystem>) {
    all.retain(|usual| !own.iter().any(|fs| fs.path == usual.path));
    all.extend(own);
}

fn site_user(table: &Table, found: &mut Vec<Diagnostic>) -> Option<SiteUser> {
    match text(table, "name") {
        Some(name) if is_name(name) && name != "root" => {
            let env = match table.get("env") {
                Some(Value::Table(env)) => environment(env, found),
                _ => Vec::new(),
            };
            let groups = match table.get("groups") {
                Some(Value::List(list)) => list.iter().filter_map(group).collect(),
                _ => Vec::new(),
            };
            Some(SiteUser { env, groups, ..user(name, text(table, "gecos").unwrap_or(name)) })
        }
        name => {
            let message = format!("`{}` can be no user's name", name.unwrap_or_default());
            found.push(finding(table.line, Severity::Error, message));
            None
        }
    }
}

/// Variables that somebody's shells begin with.
fn environment(table: &Table, found: &mut Vec<Diagnostic>) -> Vec<(String, String)> {
    let mut env = Vec::new();
    for key in table.keys.iter().take(MAX_VARIABLES) {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let named = key.name.chars().all(letter) && !key.name.starts_with(|c: char| c.is_ascii_digit());
        match &key.value {
            Value::Text(value) if named && !value.contains('\0') => {
                env.push((key.name.clone(), value.clone()));
            }
            _ => {
                let message = format!("`{}` can be no variable with a text", key.name);
                found.push(finding(key.line, Severity::Error, message));
            }
        }
    }
    env
}

/// `path` with `content`, or with the site's file `from`, `files/` and the path unless it says so.
fn site_file(table: &Table, files: &SiteFiles, found: &mut Vec<Diagnostic>) -> Option<SiteFile> {
    let path = text(table, "path").unwrap_or_default().to_owned();
    let from = text(table, "from").map_or_else(|| format!("files/{path}"), str::to_owned);
    let content = text(table, "content").or_else(|| files.0.get(&from).map(String::as_str));
    let Some(content) = content.filter(|_| !path.is_empty() && !path.split('/').any(|p| p == "..")) else {
        found.push(finding(table.line, Severity::Error, format!("file `{path}`: the site has no `{from}`")));
        return None;
    };
    let executable = table.get("executable") == Some(&Value::Bool(true));
    Some(SiteFile { path, content: content.to_owned(), executable })
}

fn out_of_memory(table: &Table) -> Option<OutOfMemory> {
    match text(table, "action")? {
        "cgroup" => Some(OutOfMemory::Cgroup),
        "ignore" => Some(OutOfMemory::Ignore),
        "reboot" => {
            let seconds = match table.get("seconds") {
                None => 120,
                Some(Value::Number(n)) => u32::try_from(*n).ok().filter(|n| *n <= 86_400)?,
                Some(_) => return None,
            };
            let comment = text(table, "comment").unwrap_or("out of memory").to_owned();
            Some(OutOfMemory::RebootNode { comment, seconds })
        }
        _ => None,
    }
}
