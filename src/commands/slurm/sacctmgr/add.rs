//! `sacctmgr add`.

use super::change::{Ask, No, apply, cluster, refused, split, take, title, unknown_entity};
use super::{entity, list, values};
use crate::base::order::Order as _;
use crate::base::time::hms;
use crate::commands::Cx;
use crate::slurmdbd::Change;

const NOTHING_ADDED: &str = "Nothing added.\nMake sure the accounts requested here have been added to the system/cluster. (sacctmgr add account...)\n";

/// `add`.
pub fn add(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let Some((what, rest)) = words.split_first() else { return Err(unknown_entity("add")) };
    match entity(what) {
        Some("accounts") => add_accounts(cx, ask, rest),
        Some("users") => add_users(cx, ask, rest),
        Some("qos") => add_qos(cx, ask, rest),
        Some("clusters") => super::cluster::add(cx, ask, rest),
        Some("federations") => {
            Err("sacctmgr: error: federations are not simulated: there is one cluster".to_owned())
        }
        Some("coordinators") => add_coordinators(cx, ask, rest),
        Some("resources") => super::resource::add(cx, ask, rest),
        _ => Err(unknown_entity("add")),
    }
}

fn add_accounts(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["account", "accounts", "acct", "name", "names"]);
    take(&mut settings, &["cluster", "clusters"]);
    if names.is_empty() {
        return Err(" Need name of account to add.".to_owned());
    }
    if let Some(code) = refused(cx, values::Kind::Assoc, &settings) {
        return Ok(code);
    }
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
                Err(No::Text(text)) if text.starts_with("Unknown option") => {
                    return Err(format!(" {text}\n Use keyword 'where' to modify condition"));
                }
                Err(No::Text(text)) if text.starts_with("No parent account") => {
                    return Err(format!(
                        " Parent account '{parent}' doesn't exist on cluster {cluster}\n        Contact your admin to add this account.\n No associations created."
                    ));
                }
                Err(No::Text(text)) if text == "Request didn't affect anything" => {
                    cx.print(" Nothing new added.\n");
                    return Ok(1);
                }
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
    // A default account is one of a user's accounts, whether it is among those that are named or not.
    let mut all: Vec<String> = default.clone().into_iter().collect();
    all.extend(accounts.into_iter().filter(|a| Some(a) != default.as_ref()));
    let accounts = all;
    let keys = take(&mut settings, &["wckey", "wckeys"]);
    if let Some(keys) = keys.filter(|_| accounts.is_empty()) {
        return super::wckey::add(cx, ask, &names, &keys);
    }
    if names.is_empty() {
        return Err(" Need name of user to add.".to_owned());
    }
    if accounts.is_empty() {
        return Err(" Need name of account to add user to.".to_owned());
    }
    if let Some(code) = refused(cx, values::Kind::Assoc, &settings) {
        return Ok(code);
    }
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
    if let Some(text) = refused.iter().find(|text| text.starts_with("Unknown option")) {
        return Err(format!(" {text}"));
    }
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
    if names.is_empty() {
        return Err(" Need name of qos to add.".to_owned());
    }
    if let Some(code) = refused(cx, values::Kind::Qos, &settings) {
        return Ok(code);
    }
    let exists = |name: &String| cx.slurm.state().dbd.qos.iter().any(|q| q.name == *name);
    if !names.is_empty() && names.iter().all(exists) {
        cx.line(" Nothing new added.");
        return Ok(1);
    }
    let mut out = String::from(" Adding QOS(s)\n");
    names.iter().for_each(|n| out += &format!("  {n}\n"));
    // Of several the last one's name describes all.
    let first = names.last().map_or("", String::as_str);
    let description = settings.iter().find(|(k, _)| k.starts_with("desc")).map_or(first, |(_, v)| v.as_str());
    out += &format!(" Settings\n  Description    = {description}\n");
    let mut listed: Vec<(String, String)> = settings
        .iter()
        .filter(|(k, _)| !k.starts_with("desc"))
        .map(|(k, v)| (title(k), shown(k, v)))
        .collect();
    listed.order();
    // One title has no column of its own in Slurm.
    let wide = |title: &str| if title == "MaxJobsPerUser" { 0 } else { 24 };
    listed.iter().for_each(|(k, v)| out += &format!("  {k:<0$} = {v}\n", wide(k)));
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
    if matches!(key, "usagefactor" | "usagethreshold") {
        return value.parse::<f64>().map_or_else(|_| value.to_owned(), |n| format!("{n:.4}"));
    }
    if key == "preemptmode" {
        return value.to_ascii_uppercase();
    }
    let wall = matches!(key, "maxwall" | "grpwall" | "maxwalldurationperjob");
    let seconds = crate::commands::slurm::opt::values::duration(value).filter(|_| wall);
    seconds.map_or_else(|| value.to_owned(), |s| hms(i64::try_from(s).unwrap_or(0)))
}

fn add_coordinators(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (mut names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    names.dedup();
    if names.is_empty() || accounts.is_empty() {
        return Err(" You need to specify conditions to to add the coordinator.".to_owned());
    }
    nobody(cx, &names, &accounts)?;
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
                Err(No::Text(text)) if text == "Request didn't affect anything" => {}
                Err(No::Text(text)) => return Err(format!(" error: Problem adding coordinator: {text}")),
            }
        }
    }
    Ok(0)
}

/// Names that nobody has.
///
/// # Errors
/// A line for each.
pub(super) fn nobody(cx: &Cx, users: &[String], accounts: &[String]) -> Result<(), String> {
    let dbd = &cx.slurm.state().dbd;
    let accounts = accounts.iter().filter(|name| !dbd.accounts.contains_key(*name)).map(|n| ("account", n));
    let users = users.iter().filter(|name| !dbd.users.contains_key(*name)).map(|n| ("user", n));
    let lines: Vec<String> = accounts
        .chain(users)
        .map(|(what, name)| format!(" You specified a non-existent {what} '{name}'."))
        .collect();
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

fn denied(what: &str) -> String {
    format!(
        " error: Problem adding {what}: Access/permission denied (Only admins/operators/coordinators can add accounts)"
    )
}
