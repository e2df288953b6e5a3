//! Parses `site.toml`: the properties of a site that Slurm does not know. Also parses the `users` file of
//! recorded clusters.

use super::policy::PolicyReader;
use super::site_toml::{TomlKey, TomlTable, TomlValue};
use super::{
    BackgroundStream, FileSystem, GuideNote, LoginLimits, OutOfMemory, Provider, SiteFile, SiteFiles,
    SiteGpus, SiteInfo, SiteUser, variant,
};
use base::diagnostic::{Diagnostic, Severity};
use base::hostlist;
use std::collections::BTreeMap;

/// Maximum number of users and of files in a site.
const MAX_ITEMS: usize = 2000;
/// Maximum number of files after ranges in their paths have been expanded.
const MAX_FILES: usize = 4000;
/// Maximum number of environment variables of a user.
const MAX_VARIABLES: usize = 200;

/// Parses `site.toml`, else `users`.
pub(super) fn parse(name: &str, files: &SiteFiles) -> (SiteInfo, Vec<Diagnostic>) {
    let (name, login) = (name.to_owned(), "login".to_owned());
    // A bare configuration is simulated as one Debian machine.
    let mut site = SiteInfo { name, login, home_mode: 0o755, dash: true, ..SiteInfo::default() };
    let mut found = Vec::new();
    if let Some((table, errors)) = variant::document(files) {
        (site.home_mode, site.filesystems, site.dash) = (0o700, FileSystem::usual(), false);
        found.extend(errors.into_iter().map(|e| finding(e.line, Severity::Error, e.message)));
        let mut rules = PolicyReader::default();
        for TomlKey { name, line, value } in table.keys {
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

/// A sentence about the site, by language code.
pub(super) fn summary(files: &SiteFiles) -> BTreeMap<String, String> {
    let keys = variant::document(files).map(|(table, _)| table.keys).unwrap_or_default();
    let summary = keys.into_iter().find(|key| key.name == "summary").and_then(|key| languages(key.value));
    summary.unwrap_or_default()
}

fn user(name: &str, gecos: &str) -> SiteUser {
    SiteUser { name: name.to_owned(), gecos: gecos.to_owned(), ..SiteUser::default() }
}

fn finding(line: u32, severity: Severity, message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity, file: "site.toml".to_owned(), line, message: message.into() }
}

/// Applies a key of the document.
fn read_key(
    site: &mut SiteInfo,
    rules: &mut PolicyReader,
    files: &SiteFiles,
    (key, line): (&str, u32),
    value: TomlValue,
    found: &mut Vec<Diagnostic>,
) {
    let read = match (key, value) {
        ("title", value) => languages(value).map(|t| site.title = t),
        // Read by `summary`: only lists of sites show it.
        ("summary", value) => languages(value).map(drop),
        ("motd", value) => languages(value).map(|t| site.motd = t),
        ("login", TomlValue::Text(t)) => Some(t).filter(|t| is_name(t)).map(|t| site.login = t),
        ("open", TomlValue::Text(t)) => {
            site.open = Some(t);
            Some(())
        }
        ("users", TomlValue::List(list)) => tables(list).map(|list| {
            site.users = list.iter().filter_map(|t| site_user(t, found)).collect();
        }),
        ("files", TomlValue::List(list)) => tables(list).map(|list| {
            site.files = list.iter().flat_map(|t| site_files(t, files, found)).take(MAX_FILES).collect();
        }),
        ("tools", TomlValue::List(list)) => {
            let name = |v| if let TomlValue::Text(t) = v { Some(t) } else { None };
            list.into_iter().take(MAX_ITEMS).map(name).collect::<Option<_>>().map(|t| site.tools = t)
        }
        ("env", TomlValue::Table(t)) => {
            site.env = environment(&t, found);
            Some(())
        }
        ("job_submit", TomlValue::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.job_submit(t, found)))
        }
        ("job_modify", TomlValue::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.job_modify(t, found)))
        }
        ("cron", TomlValue::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.cron(t, found)))
        }
        ("usage", TomlValue::List(list)) => {
            tables(list).map(|list| list.iter().for_each(|t| rules.usage(t, found)))
        }
        ("filesystems", TomlValue::List(list)) => tables(list).and_then(|list| {
            let found: Option<Vec<FileSystem>> = list.iter().map(FileSystem::parse).collect();
            found.map(|found| mount(&mut site.filesystems, found))
        }),
        ("sh", TomlValue::Text(t)) => (t == "dash" || t == "bash").then(|| site.dash = t == "dash"),
        ("home_mode", TomlValue::Text(t)) => {
            u32::from_str_radix(&t, 8).ok().filter(|m| *m <= 0o777).map(|m| site.home_mode = m)
        }
        ("job_tmp", TomlValue::Text(t)) => {
            Some(t).filter(|t| t.starts_with('/')).map(|t| site.job_tmp = Some(t))
        }
        ("login_limits", TomlValue::Table(t)) => LoginLimits::parse(&t).map(|l| site.login_limits = Some(l)),
        ("gpus", TomlValue::List(list)) => tables(list).and_then(|list| {
            let all: Option<Vec<SiteGpus>> = list.iter().map(SiteGpus::parse).collect();
            all.map(|all| site.gpus = all)
        }),
        ("background", TomlValue::List(list)) => tables(list).and_then(|list| {
            let all: Option<Vec<BackgroundStream>> = list.iter().map(BackgroundStream::parse).collect();
            all.map(|all| site.background = all)
        }),
        ("notes", TomlValue::List(list)) => tables(list).and_then(|list| {
            let all: Option<Vec<GuideNote>> = list.iter().map(GuideNote::parse).collect();
            all.map(|all| rules.policy.notes = all)
        }),
        ("provider", TomlValue::Table(t)) => Provider::parse(&t).map(|p| site.provider = Some(p)),
        // The caller has already merged the base site's files.
        ("extends", TomlValue::Text(_)) => files.0.contains_key("base/site.toml").then_some(()),
        ("out_of_memory", TomlValue::Table(t)) => out_of_memory(&t).map(|o| site.out_of_memory = o),
        _ => None,
    };
    if read.is_none() {
        found.push(finding(line, Severity::Error, format!("cannot use the key `{key}`")));
    }
}

/// A text by language, or one text for all languages.
fn languages(value: TomlValue) -> Option<BTreeMap<String, String>> {
    match value {
        TomlValue::Text(text) => Some(BTreeMap::from([("en".to_owned(), text)])),
        TomlValue::Table(table) => table
            .keys
            .into_iter()
            .map(|k| if let TomlValue::Text(t) = k.value { Some((k.name, t)) } else { None })
            .collect(),
        TomlValue::Number(_)
        | TomlValue::Float(_)
        | TomlValue::Bool(_)
        | TomlValue::Date(_)
        | TomlValue::List(_) => None,
    }
}

fn tables(list: Vec<TomlValue>) -> Option<Vec<TomlTable>> {
    let table = |v| if let TomlValue::Table(t) = v { Some(t) } else { None };
    list.into_iter().take(MAX_ITEMS).map(table).collect()
}

fn text<'t>(table: &'t TomlTable, key: &str) -> Option<&'t str> {
    match table.get(key) {
        Some(TomlValue::Text(t)) => Some(t),
        _ => None,
    }
}

/// Whether a text is a valid user or host name.
fn is_name(text: &str) -> bool {
    let ok = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.len() <= 64
        && text.chars().all(ok)
}

fn group(value: &TomlValue) -> Option<String> {
    if let TomlValue::Text(name) = value { Some(name.clone()).filter(|name| is_name(name)) } else { None }
}

/// Site file systems replace the defaults at the same mount point.
fn mount(all: &mut Vec<FileSystem>, own: Vec<FileSystem>) {
    all.retain(|usual| !own.iter().any(|fs| fs.path == usual.path));
    all.extend(own);
}

fn site_user(table: &TomlTable, found: &mut Vec<Diagnostic>) -> Option<SiteUser> {
    match text(table, "name") {
        Some(name) if is_name(name) && name != "root" => {
            let env = match table.get("env") {
                Some(TomlValue::Table(env)) => environment(env, found),
                _ => Vec::new(),
            };
            let groups = match table.get("groups") {
                Some(TomlValue::List(list)) => list.iter().filter_map(group).collect(),
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

/// Parses environment variables for shells.
fn environment(table: &TomlTable, found: &mut Vec<Diagnostic>) -> Vec<(String, String)> {
    let mut env = Vec::new();
    for key in table.keys.iter().take(MAX_VARIABLES) {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let named = key.name.chars().all(letter) && !key.name.starts_with(|c: char| c.is_ascii_digit());
        match &key.value {
            TomlValue::Text(value) if named && !value.contains('\0') => {
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

/// The files of an entry. A path with ranges, such as `data_[4-100].csv`, names several files with the same content.
fn site_files(table: &TomlTable, files: &SiteFiles, found: &mut Vec<Diagnostic>) -> Vec<SiteFile> {
    let Some(file) = site_file(table, files, found) else { return Vec::new() };
    match hostlist::expand(&file.path) {
        Ok(paths) if file.path.contains('[') && paths.len() <= MAX_FILES => {
            paths.into_iter().map(|path| SiteFile { path, ..file.clone() }).collect()
        }
        Ok(_) | Err(_) => vec![file],
    }
}

/// Parses a file entry: `path` with `content`, or with the site's file `from`, by default `files/` and the
/// path.
fn site_file(table: &TomlTable, files: &SiteFiles, found: &mut Vec<Diagnostic>) -> Option<SiteFile> {
    let path = text(table, "path").unwrap_or_default().to_owned();
    let from = text(table, "from").map_or_else(|| format!("files/{path}"), str::to_owned);
    let content = text(table, "content").or_else(|| files.0.get(&from).map(String::as_str));
    let Some(content) = content.filter(|_| !path.is_empty() && !path.split('/').any(|p| p == "..")) else {
        found.push(finding(table.line, Severity::Error, format!("file `{path}`: the site has no `{from}`")));
        return None;
    };
    let executable = table.get("executable") == Some(&TomlValue::Bool(true));
    Some(SiteFile { path, content: content.to_owned(), executable })
}

fn out_of_memory(table: &TomlTable) -> Option<OutOfMemory> {
    match text(table, "action")? {
        "cgroup" => Some(OutOfMemory::Cgroup),
        "ignore" => Some(OutOfMemory::Ignore),
        "reboot" => {
            let seconds = match table.get("seconds") {
                None => 120,
                Some(TomlValue::Number(n)) => u32::try_from(*n).ok().filter(|n| *n <= 86_400)?,
                Some(_) => return None,
            };
            let comment = text(table, "comment").unwrap_or("out of memory").to_owned();
            Some(OutOfMemory::RebootNode { comment, seconds })
        }
        _ => None,
    }
}
