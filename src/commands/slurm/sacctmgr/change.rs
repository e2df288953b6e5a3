//! `sacctmgr add`, `modify`, `delete`.

use super::{Pair, entity, list, pairs};
use crate::base::order::Order as _;
use crate::base::time::hms;
use crate::commands::Cx;
use crate::commands::slurm::dialog::Answers;
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::request::{Request, Response};
use crate::slurmdbd::Change;

/// Whether and with what the question is answered.
pub struct Ask<'a> {
    pub immediate: bool,
    pub answers: &'a mut Answers,
}

impl Ask<'_> {
    /// Whether the changes are to be made.
    pub fn commit(&mut self, cx: &mut Cx) -> bool {
        self.question(cx, "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ")
    }

    /// Whether a question is answered with yes.
    pub fn question(&mut self, cx: &mut Cx, question: &str) -> bool {
        if self.immediate {
            return true;
        }
        let yes = self.answers.ask(cx, question).is_some_and(|a| a.trim_start().starts_with(['y', 'Y']));
        if !yes {
            cx.print("\n Changes Discarded\n");
        }
        yes
    }
}

/// Why a change did not happen.
enum No {
    Denied,
    Text(String),
}

fn apply(cx: &mut Cx, change: Change) -> Result<(), No> {
    match cx.slurm.request(cx.uid(), Request::Accounting(change)) {
        Response::Err { error: SlurmError::AccessDenied, .. } => Err(No::Denied),
        Response::Err { error, messages } => Err(No::Text(match messages.first() {
            Some(text) if text == "Access/permission denied" => return Err(No::Denied),
            Some(_) => messages.join("\n"),
            None => error.to_string(),
        })),
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_) => Ok(()),
    }
}

/// Names (first words, `name=`), and the other pairs.
fn split(words: &[String], own: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
    let (mut names, mut rest) = (Vec::new(), Vec::new());
    for (key, value) in pairs(words) {
        match value {
            None if key.eq_ignore_ascii_case("where") || key.eq_ignore_ascii_case("set") => {}
            None => names.extend(list(&key)),
            Some(value) if own.contains(&key.as_str()) => names.extend(list(&value)),
            Some(value) => rest.push((key, value)),
        }
    }
    (names, rest)
}

fn take(settings: &mut Vec<(String, String)>, keys: &[&str]) -> Option<String> {
    let at = settings.iter().position(|(k, _)| keys.contains(&k.as_str()))?;
    Some(settings.remove(at).1)
}

/// The name under which a setting is listed.
fn title(key: &str) -> String {
    let known = [
        ("fairshare", "Fairshare"),
        ("share", "Fairshare"),
        ("shares", "Fairshare"),
        ("parent", "Parent"),
        ("priority", "Priority"),
        ("maxwall", "MaxWall"),
        ("maxjobs", "MaxJobs"),
        ("maxsubmitjobs", "MaxSubmitJobs"),
        ("grptres", "GrpTRES"),
        ("maxtres", "MaxTRES"),
        ("qos", "QOS"),
        ("defaultqos", "DefaultQOS"),
        ("flags", "Flags"),
        ("usagefactor", "UsageFactor"),
        ("grpjobs", "GrpJobs"),
    ];
    known.iter().find(|(k, _)| *k == key).map_or_else(|| key.to_owned(), |(_, t)| (*t).to_owned())
}

const NOTHING_ADDED: &str = "Nothing added.\nMake sure the accounts requested here have been added to the system/cluster. (sacctmgr add account...)\n";

/// `add`.
pub fn add(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let Some((what, rest)) = words.split_first() else { return Err(unknown_entity("add")) };
    match entity(what) {
        Some("accounts") => add_accounts(cx, ask, rest),
        Some("users") => add_users(cx, ask, rest),
        Some("qos") => add_qos(cx, ask, rest),
        Some("coordinators") => add_coordinators(cx, ask, rest),
        _ => Err(unknown_entity("add")),
    }
}

fn unknown_entity(command: &str) -> String {
    format!(
        "No valid entity in {command} command\nInput line must include \"Account\", \"Coordinator\", \"QOS\" or \"User\""
    )
}

fn cluster(cx: &Cx) -> String {
    cx.slurm.state().cluster.global.cluster_name.clone()
}

fn denied(what: &str) -> String {
    format!(
        " error: Problem adding {what}: Access/permission denied (Only admins/operators/coordinators can add accounts)"
    )
}

fn add_accounts(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["account", "accounts", "acct", "name", "names"]);
    take(&mut settings, &["cluster", "clusters"]);
    let parent = settings.iter().find(|(k, _)| k == "parent").map_or("root", |(_, v)| v.as_str()).to_owned();
    let cluster = cluster(cx);
    let lower = |keys: &[&str], or: &str| {
        settings
            .iter()
            .find(|(k, _)| keys.contains(&k.as_str()))
            .map_or(or, |(_, v)| v.as_str())
            .to_lowercase()
    };
    let mut out = String::from(" Adding Account(s)\n");
    names.iter().for_each(|n| out += &format!("  {n}\n"));
    let first = names.first().map_or("", String::as_str);
    out += &format!(" Settings\n  Description     = {}\n", lower(&["description", "desc"], first));
    out += &format!(
        "  Organization    = {}\n Associations =\n",
        lower(&["organization", "org"], if parent == "root" { first } else { &parent })
    );
    names.iter().for_each(|n| out += &format!("  C = {cluster:<10} A = {n:<20}\n"));
    let own = ["description", "desc", "organization", "org"];
    let mut more: Vec<(String, &String)> =
        settings.iter().filter(|(k, _)| !own.contains(&k.as_str())).map(|(k, v)| (title(k), v)).collect();
    more.order();
    if !more.is_empty() {
        out += " Settings\n";
        more.iter().for_each(|(k, v)| out += &format!("  {k:<13} = {v}\n"));
    }
    let mut added = false;
    if ask.immediate || !names.is_empty() {
        for name in &names {
            let change =
                Change::AddAccount { name: name.clone(), parent: parent.clone(), settings: settings.clone() };
            if !ask.immediate && !added {
                cx.print(&out);
                if !ask.commit(cx) {
                    return Ok(0);
                }
                out.clear();
            }
            match apply(cx, change) {
                Ok(()) => added = true,
                Err(No::Denied) => return Err(denied("accounts")),
                Err(No::Text(text)) => {
                    cx.print(&format!(" {text}\n Nothing new added.\n"));
                    return Ok(1);
                }
            }
        }
    }
    cx.print(&out);
    Ok(u8::from(!added))
}

fn add_users(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["user", "users", "name", "names"]);
    take(&mut settings, &["cluster", "clusters"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    let partitions = list(&take(&mut settings, &["partition", "partitions"]).unwrap_or_default());
    let default =
        settings.iter().find(|(k, _)| k == "defaultaccount" || k == "defaultacct").map(|(_, v)| v.clone());
    let accounts = if accounts.is_empty() { default.clone().into_iter().collect() } else { accounts };
    let cluster = cluster(cx);
    let known: Vec<String> = cx.slurm.state().dbd.users.keys().cloned().collect();
    let mut out = String::new();
    let new: Vec<&String> = names.iter().filter(|n| !known.contains(n)).collect();
    if !new.is_empty() {
        out += " Adding User(s)\n";
        new.iter().for_each(|n| out += &format!("  {n}\n"));
        out += " Settings\n";
        if let Some(account) = &default {
            out += &format!("  Default Account = {account}\n");
        }
    }
    let mut changes = Vec::new();
    let mut lines = String::new();
    for name in &names {
        for account in &accounts {
            let places: Vec<Option<String>> = if partitions.is_empty() {
                vec![None]
            } else {
                partitions.iter().cloned().map(Some).collect()
            };
            for partition in places {
                let part = partition.as_ref().map_or_else(String::new, |p| format!(" P = {p}"));
                let line = format!("  C = {cluster:<10} A = {account:<20} U = {name:<9}{part}\n");
                let settings = settings.clone();
                changes.push((
                    line,
                    Change::AddUser { name: name.clone(), account: account.clone(), partition, settings },
                ));
            }
        }
    }
    changes.iter().for_each(|(line, _)| lines += line);
    if !ask.immediate {
        cx.print(&(out.clone() + " Associations =\n" + &lines));
        if !ask.commit(cx) {
            return Ok(0);
        }
    }
    let (mut done, mut refused) = (String::new(), Vec::new());
    for (line, change) in changes {
        match apply(cx, change) {
            Ok(()) => done += &line,
            Err(No::Denied) => return Err(denied("user associations")),
            Err(No::Text(text)) => refused.push(text),
        }
    }
    refused.dedup();
    for text in &refused {
        cx.line(text);
    }
    if done.is_empty() {
        cx.print(NOTHING_ADDED);
        return Ok(1);
    }
    if ask.immediate {
        cx.print(&(out + " Associations =\n" + &done));
    }
    Ok(0)
}

fn add_qos(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (names, settings) = split(words, &["name", "names", "qos"]);
    let mut out = String::from(" Adding QOS(s)\n");
    names.iter().for_each(|n| out += &format!("  {n}\n"));
    let first = names.first().map_or("", String::as_str);
    let description = settings.iter().find(|(k, _)| k.starts_with("desc")).map_or(first, |(_, v)| v.as_str());
    out += &format!(" Settings\n  Description    = {description}\n");
    let mut listed: Vec<(String, String)> = settings
        .iter()
        .filter(|(k, _)| !k.starts_with("desc"))
        .map(|(k, v)| (title(k), shown(k, v)))
        .collect();
    listed.order();
    listed.iter().for_each(|(k, v)| out += &format!("  {k:<24} = {v}\n"));
    if !ask.immediate {
        cx.print(&out);
        if !ask.commit(cx) {
            return Ok(0);
        }
    }
    for name in &names {
        match apply(cx, Change::AddQos { name: name.clone(), settings: settings.clone() }) {
            Ok(()) => {}
            Err(No::Denied) => return Err(" error: Problem adding QOS: Access/permission denied".to_owned()),
            Err(No::Text(text)) => {
                cx.print(&format!(" {text}\n Nothing new added.\n"));
                return Ok(1);
            }
        }
    }
    if ask.immediate {
        cx.print(&out);
    }
    Ok(0)
}

/// A value as it is listed: times are written out.
fn shown(key: &str, value: &str) -> String {
    let wall = matches!(key, "maxwall" | "grpwall" | "maxwalldurationperjob");
    let seconds = crate::commands::slurm::opt::values::duration(value).filter(|_| wall);
    seconds.map_or_else(|| value.to_owned(), |s| hms(i64::try_from(s).unwrap_or(0)))
}

fn add_coordinators(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (mut names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    names.dedup();
    let mut out = String::from(" Adding Coordinator User(s)\n");
    names.iter().for_each(|n| out += &format!("  {n}\n"));
    out += " To Account(s) and all sub-accounts\n";
    accounts.iter().for_each(|a| out += &format!("  {a}\n"));
    cx.print(&out);
    if !ask.commit(cx) {
        return Ok(0);
    }
    for account in &accounts {
        for user in &names {
            match apply(cx, Change::AddCoordinator { account: account.clone(), user: user.clone() }) {
                Ok(()) => {}
                Err(No::Denied) => {
                    return Err(" error: Problem adding coordinator: Access/permission denied".to_owned());
                }
                Err(No::Text(text)) => return Err(format!(" error: Problem adding coordinator: {text}")),
            }
        }
    }
    Ok(0)
}

fn delete_coordinators(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    if names.is_empty() || accounts.is_empty() {
        return Err(
            " error: You need to specify users and accounts: where user=NAMES account=NAMES".to_owned()
        );
    }
    cx.print(&format!(" Removing Coordinators {} from accounts {}\n", names.join(","), accounts.join(",")));
    if !ask.commit(cx) {
        return Ok(0);
    }
    let mut done = 0;
    for account in &accounts {
        for user in &names {
            let change = Change::DeleteCoordinator { account: account.clone(), user: user.clone() };
            match apply(cx, change) {
                Ok(()) => done += 1,
                Err(No::Denied) => return Err(" Error with request: Access/permission denied".to_owned()),
                Err(No::Text(_)) => {}
            }
        }
    }
    if done == 0 {
        cx.line(" Nothing removed");
    }
    Ok(u8::from(done == 0))
}

/// The two halves of `[where] COND set VALUES`.
fn halves(words: &[String]) -> (&[String], &[String]) {
    match words.iter().position(|w| w.eq_ignore_ascii_case("set")) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

fn settings_of(words: &[String]) -> (Vec<(String, String)>, Vec<Pair>) {
    let (mut settings, mut conditions, mut in_where) = (Vec::new(), Vec::new(), false);
    for (key, value) in pairs(words) {
        match value {
            None => in_where |= key.eq_ignore_ascii_case("where"),
            Some(value) if in_where => conditions.push((key, Some(value))),
            Some(value) => settings.push((key, value)),
        }
    }
    (settings, conditions)
}

/// `modify`.
pub fn modify(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let Some((what, rest)) = words.split_first() else { return Err(unknown_entity("modify")) };
    let kind = entity(what)
        .filter(|k| ["accounts", "users", "qos"].contains(k))
        .ok_or_else(|| unknown_entity("modify"))?;
    let (before, after) = halves(rest);
    let (names, mut conditions) = split(before, &["name", "names", "user", "users", "qos"]);
    let (settings, more) = settings_of(after);
    conditions.extend(more.into_iter().filter_map(|(k, v)| Some((k, v?))));
    let account = take(&mut conditions, &["account", "accounts", "acct"]);
    let partition = take(&mut conditions, &["partition", "partitions"]);
    let names = match (kind, names.is_empty(), &account) {
        ("accounts", true, Some(account)) => list(account),
        _ => names,
    };
    let heading = match kind {
        "accounts" => " Modified account associations...\n",
        "users" => " Modified user associations...\n",
        _ => " Modified qos...\n",
    };
    let resets = settings.iter().any(|(key, _)| key.eq_ignore_ascii_case("rawusage"));
    if resets && kind == "users" && account.is_none() {
        return Err("sacctmgr: error: An account must be specified".to_owned());
    }
    if !ask.commit(cx) {
        return Ok(0);
    }
    let mut lines = String::new();
    for name in &names {
        let settings = settings.clone();
        let change = match kind {
            "accounts" => Change::ModifyAccount { name: name.clone(), settings },
            "users" => Change::ModifyUser {
                name: name.clone(),
                account: account.clone(),
                partition: partition.clone(),
                settings,
            },
            _ => Change::ModifyQos { name: name.clone(), settings },
        };
        let touched = touched(cx, kind, name, account.as_deref());
        match apply(cx, change) {
            Ok(()) => lines += &touched,
            Err(No::Denied) => return Err(" Error with request: Access/permission denied".to_owned()),
            Err(No::Text(text)) if text.starts_with("Unknown option") => {
                cx.print(&format!(" {text}\n Use keyword 'where' to modify condition\n"));
                return Ok(1);
            }
            Err(No::Text(text)) if text == "Nothing modified" => {}
            Err(No::Text(text)) => return Err(format!(" Error with request: {text}")),
        }
    }
    if resets && kind != "qos" {
        let cluster = cluster(cx);
        cx.print(&format!("No cluster specified, resetting on local cluster {cluster}\n"));
        if settings.len() == 1 {
            return Ok(0);
        }
    }
    let nothing = lines.is_empty();
    cx.print(&format!("{heading}{}", if nothing { "  Nothing modified\n" } else { &lines }));
    Ok(u8::from(nothing))
}

/// The lines that name what is changed.
fn touched(cx: &Cx, kind: &str, name: &str, account: Option<&str>) -> String {
    let dbd = &cx.slurm.state().dbd;
    let cluster = cluster(cx);
    let parent = |a: &crate::slurmdbd::Assoc| {
        dbd.assocs
            .iter()
            .find(|p| Some(p.id) == a.parent)
            .map_or_else(String::new, |p| format!(" of {}", p.account))
    };
    match kind {
        "accounts" => dbd
            .assocs
            .iter()
            .filter(|a| !a.deleted && a.user.is_none() && a.account == name)
            .map(|a| format!("  C = {cluster:<10} A = {}{}\n", a.account, parent(a)))
            .collect(),
        "users" => dbd
            .assocs
            .iter()
            .filter(|a| {
                !a.deleted && a.user.as_deref() == Some(name) && account.is_none_or(|w| w == a.account)
            })
            .map(|a| format!("  C = {cluster:<10} A = {:<20} U = {name:<9}\n", a.account))
            .collect(),
        _ => format!("  {name}\n"),
    }
}

/// `delete`.
pub fn delete(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let Some((what, rest)) = words.split_first() else { return Err(unknown_entity("delete")) };
    if entity(what) == Some("coordinators") {
        return delete_coordinators(cx, ask, rest);
    }
    let kind = entity(what)
        .filter(|k| ["accounts", "users", "qos"].contains(k))
        .ok_or_else(|| unknown_entity("delete"))?;
    let own: &[&str] = if kind == "accounts" {
        &["name", "names", "account", "accounts", "acct"]
    } else {
        &["name", "names", "user", "users", "qos"]
    };
    let (names, mut conditions) = split(rest, own);
    let account = take(&mut conditions, &["account", "accounts", "acct"]);
    if !ask.commit(cx) {
        return Ok(0);
    }
    let cluster = cluster(cx);
    let mut done = Vec::new();
    for name in &names {
        let change = match kind {
            "accounts" => Change::DeleteAccount { name: name.clone() },
            "users" => Change::DeleteUser { name: name.clone(), account: account.clone() },
            _ => Change::DeleteQos { name: name.clone() },
        };
        match apply(cx, change) {
            Ok(()) => done.push(name.clone()),
            Err(No::Denied) => return Err(" Error with request: Access/permission denied".to_owned()),
            Err(No::Text(text)) => {
                let text = if kind == "qos" { text.replace("\n  JobID", "\n JobID") } else { text };
                return Err(format!(" Error with request: {text}"));
            }
        }
    }
    let list: String = done.iter().map(|n| format!("  {n}\n")).collect();
    let text = match (kind, &account) {
        _ if done.is_empty() => "  Nothing deleted\n".to_owned(),
        ("users", Some(account)) => {
            let lines: String =
                done.iter().map(|n| format!("  C = {cluster:<10} A = {account:<10} U = {n:<9}\n")).collect();
            let left = |n: &String| cx.slurm.state().dbd.users.contains_key(n);
            let gone: String = done.iter().filter(|n| !left(n)).map(|n| format!("  {n}\n")).collect();
            let tail = if gone.is_empty() {
                String::new()
            } else {
                format!(" Deleting users (No Associations)...\n{gone}")
            };
            format!(" Deleting user associations...\n{lines}{tail}")
        }
        ("users", None) => format!(" Deleting users...\n{list}"),
        ("accounts", _) => format!(" Deleting accounts...\n{list}"),
        _ => format!(" Deleting QOS(s)...\n{list}"),
    };
    cx.print(&text);
    Ok(u8::from(done.is_empty()))
}
