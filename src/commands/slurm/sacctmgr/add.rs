//! `sacctmgr add`.

use super::change::{Confirmation, apply, cluster, split, take, unknown_entity};
use super::settings::{self, Of};
use super::{entity, list};
use crate::Cx;
use base::pad;
use slurmdbd::{AccountingChange, AdminLevel, ChangeError};

const NOTHING_ADDED: &str = "Nothing added.\nMake sure the accounts requested here have been added to the system/cluster. (sacctmgr add account...)\n";

/// Most associations that one command may name.
const MAX_ASSOCIATIONS: usize = 100_000;

/// `add`.
pub fn add(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
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

fn add_accounts(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["account", "accounts", "acct", "name", "names"]);
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let clusters = take(&mut settings, &["cluster", "clusters"]);
    if names.is_empty() {
        return Err(" Need name of account to add.".to_owned());
    }
    let settings = match settings::read(cx, Of::Account, settings) {
        Ok(settings) => settings,
        Err(code) => return Ok(code),
    };
    if let Some(name) = unknown_cluster(cx, clusters.as_deref()) {
        return Err(format!(
            " error: Cluster '{name}' has not been added yet, please contact your admin before adding accounts to it"
        ));
    }
    let cluster = cluster(cx);
    let given = |key: &str| settings.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let parent = given("parent").map_or_else(|| "root".to_owned(), |name| name.to_lowercase());
    let dbd = &cx.cluster.state().dbd;
    if dbd.account_assoc(&parent).is_none() {
        return Err(format!(" error: No parent account '{parent}' on cluster '{cluster}'"));
    }
    let (old, new): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| dbd.account_assoc(name).is_some());
    if new.is_empty() {
        old.iter()
            .for_each(|name| cx.line(&format!(" Already existing account {name} on cluster {cluster}")));
        return Ok(1);
    }
    let mut out = String::from(" Adding Account(s)\n");
    new.iter().for_each(|n| out += &format!("  {n}\n"));
    let lower = |key: &str, or: &str| given(key).map_or_else(|| or.to_owned(), |text| text.to_lowercase());
    out += &format!(" Settings\n  Description     = {}\n", lower("description", "Account Name"));
    out += &format!("  Organization    = {}\n", lower("organization", "Parent/Account Name"));
    out += " Associations =\n";
    new.iter().for_each(|n| out += &format!("  C = {cluster:<10} A = {n:<20}\n"));
    out += &limits("Settings", Of::Account, &settings);
    for name in new {
        let change =
            AccountingChange::AddAccount { name, parent: parent.clone(), settings: settings.clone() };
        match ask.attempt(cx, change) {
            Ok(()) => {}
            Err(ChangeError::AccessDenied) => return Err(denied("accounts")),
            Err(error) => {
                cx.print(&format!(" {error}\n Nothing new added.\n"));
                return Ok(1);
            }
        }
    }
    cx.print(&out);
    ask.settle(cx);
    Ok(0)
}

/// The first of these clusters that does not exist.
fn unknown_cluster(cx: &Cx, clusters: Option<&str>) -> Option<String> {
    let dbd = &cx.cluster.state().dbd;
    list(clusters.unwrap_or_default()).into_iter().find(|name| dbd.cluster_record(name).is_none())
}

/// The limits of new associations, below a heading.
fn limits(heading: &str, of: Of, settings: &[(String, String)]) -> String {
    let lines: String = settings::listed(of, settings)
        .into_iter()
        .map(|(title, text)| format!("  {title:<14}= {text}\n"))
        .collect();
    if lines.is_empty() { lines } else { format!(" {heading}\n{lines}") }
}

fn add_users(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["user", "users", "name", "names"]);
    let clusters = take(&mut settings, &["cluster", "clusters"]);
    let mut accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    let partitions = list(&take(&mut settings, &["partition", "partitions"]).unwrap_or_default());
    let keys = take(&mut settings, &["wckey", "wckeys"]);
    let settings = match settings::read(cx, Of::NewUser, settings) {
        Ok(settings) => settings,
        Err(code) => return Ok(code),
    };
    let given = |key: &str| settings.iter().find(|(k, _)| k == key).map(|(_, v)| v.to_lowercase());
    let default = given("defaultaccount");
    // The default account becomes one of the user's accounts even if it is not in the list.
    accounts.extend(default.clone().filter(|account| !accounts.contains(account)));
    if let Some(keys) = keys.filter(|_| accounts.is_empty()) {
        return super::wckey::add(cx, ask, &names, &keys);
    }
    if names.is_empty() {
        return Err(" Need name of user to add.".to_owned());
    }
    if accounts.is_empty() {
        return Err(" Need name of account or wckey to add.".to_owned());
    }
    if let Some(name) = unknown_cluster(cx, clusters.as_deref()) {
        return Err(format!("{}\n No cluster specified.", no_cluster(&name)));
    }
    let cluster = cluster(cx);
    let level = given("adminlevel").as_deref().and_then(AdminLevel::parse);
    let key = given("defaultwckey");
    let known = &cx.cluster.state().dbd.users;
    let new: Vec<&String> = names.iter().filter(|n| !known.contains_key(*n)).collect();
    let mut out = String::new();
    if !new.is_empty() {
        out += " Adding User(s)\n";
        new.iter().for_each(|n| out += &format!("  {n}\n"));
        out += " Settings\n";
        let level = level.map(AdminLevel::text).map(str::to_owned);
        for (title, text) in
            [("Default Account", default.clone()), ("Default WCKey", key.clone()), ("Admin Level", level)]
        {
            out += &text.map_or_else(String::new, |text| format!("  {title:<15} = {text}\n"));
        }
    }
    let partitions: Vec<Option<String>> =
        if partitions.is_empty() { vec![None] } else { partitions.into_iter().map(Some).collect() };
    let many = names.len().saturating_mul(accounts.len()).saturating_mul(partitions.len());
    if many > MAX_ASSOCIATIONS {
        return Err(format!(
            " Too many associations for one command: {many} (the limit in sandbatch is {MAX_ASSOCIATIONS})."
        ));
    }
    let (mut lines, mut refused) = (String::new(), Vec::new());
    for name in &names {
        for account in &accounts {
            for partition in &partitions {
                let part = partition.as_ref().map_or_else(String::new, |p| format!(" P = {p}"));
                let line = format!("  C = {cluster:<10} A = {account:<20} U = {name:<9}{part}\n");
                // An unknown level is ignored, and the default account is set along with its association.
                let wanted = |(key, _): &&(String, String)| match key.as_str() {
                    "adminlevel" => level.is_some(),
                    "defaultaccount" => default.as_ref() == Some(account),
                    _ => true,
                };
                let settings = settings.iter().filter(wanted).cloned().collect();
                let (name, account, partition) = (name.clone(), account.clone(), partition.clone());
                match ask.attempt(cx, AccountingChange::AddUser { name, account, partition, settings }) {
                    Ok(()) => lines += &line,
                    Err(ChangeError::AccessDenied) => return Err(denied("user associations")),
                    Err(error) => refused.push(error),
                }
            }
        }
    }
    refused.dedup();
    for error in &refused {
        cx.line(&error.to_string());
    }
    if lines.is_empty() {
        cx.print(NOTHING_ADDED);
        return Ok(1);
    }
    out += &format!(" Associations =\n{lines}");
    if let Some(key) = key {
        out += " Wckey(s)\n";
        names.iter().for_each(|n| out += &format!("  C = {cluster:<10} W = {key:<10} U = {n:<9}\n"));
    }
    cx.print(&(out + &limits("Non Default Settings", Of::NewUser, &settings)));
    ask.settle(cx);
    Ok(0)
}

/// The message about a cluster that does not exist.
pub(super) fn no_cluster(name: &str) -> String {
    format!(" This cluster '{name}' doesn't exist.\n        Contact your admin to add it to accounting.")
}

fn add_qos(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (names, settings) = split(words, &["name", "names", "qos"]);
    if names.is_empty() {
        return Err(" Need name of qos to add.".to_owned());
    }
    let settings = match settings::read(cx, Of::Qos, settings) {
        Ok(settings) => settings,
        Err(code) => return Ok(code),
    };
    let dbd = &cx.cluster.state().dbd;
    let new: Vec<String> =
        names.iter().map(|n| n.to_lowercase()).filter(|n| dbd.qos_by_name(n).is_none()).collect();
    // With several names the description is the last name.
    let Some(last) = new.last() else {
        cx.line(" Nothing new added.");
        return Ok(1);
    };
    let mut out = String::from(" Adding QOS(s)\n");
    new.iter().for_each(|n| out += &format!("  {n}\n"));
    let description = settings.iter().find(|(k, _)| k == "description").map_or(last, |(_, v)| v);
    out += &format!(" Settings\n  Description    = {description}\n");
    // One field has no column of its own in Slurm.
    let wide = |title: &str| if title == "MaxJobsPerUser" { 0 } else { 24 };
    let lines = settings::listed(Of::Qos, &settings);
    lines.iter().for_each(|(title, text)| out += &format!("  {} = {text}\n", pad::left(title, wide(title))));
    for name in new {
        match ask.attempt(cx, AccountingChange::AddQos { name, settings: settings.clone() }) {
            Ok(()) => {}
            Err(error @ ChangeError::AccessDenied) => {
                return Err(format!(" error: Problem adding QOS: {error}"));
            }
            Err(error) => {
                cx.print(&format!(" {error}\n Nothing new added.\n"));
                return Ok(1);
            }
        }
    }
    cx.print(&out);
    ask.settle(cx);
    Ok(0)
}

fn add_coordinators(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (mut names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    names.dedup();
    match (names.is_empty(), accounts.is_empty()) {
        (false, false) => {}
        (true, true) => return Err(" You need to specify conditions to to add the coordinator.".to_owned()),
        (false, true) => return Err(" You need to specify an account list here.".to_owned()),
        (true, false) => return Err(" You need to specify a user list here.".to_owned()),
    }
    check_unknown(cx, &names, &accounts)?;
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
            match apply(cx, AccountingChange::AddCoordinator { account: account.clone(), user: user.clone() })
            {
                Ok(()) => {}
                Err(ChangeError::NoEffect) => {}
                Err(error) => return Err(format!(" error: Problem adding coordinator: {error}")),
            }
        }
    }
    Ok(0)
}

/// Names that do not exist.
///
/// # Errors
/// A line for each.
pub(super) fn check_unknown(cx: &Cx, users: &[String], accounts: &[String]) -> Result<(), String> {
    let dbd = &cx.cluster.state().dbd;
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
