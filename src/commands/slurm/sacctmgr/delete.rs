//! `sacctmgr delete`.

use super::change::{Confirmation, DENIED, account_line, cluster, split, take, unknown_entity};
use super::{entity, list, selection};
use crate::Cx;
use slurmdbd::{AccountingChange, ChangeError, ROOT};

/// `delete`.
pub fn delete(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let Some((what, rest)) = words.split_first() else { return Err(unknown_entity("delete")) };
    if entity(what) == Some("coordinators") {
        return delete_coordinators(cx, ask, rest);
    }
    match entity(what) {
        Some("resources") => return super::resource::delete(cx, ask, rest),
        Some("clusters") => return super::cluster::delete(cx, ask, rest),
        _ => {}
    }
    let code = delete_objects(cx, ask, what, rest)?;
    ask.settle(cx);
    Ok(code)
}

fn delete_objects(cx: &mut Cx, ask: &mut Confirmation, what: &str, rest: &[String]) -> Result<u8, String> {
    let kind = entity(what)
        .filter(|k| ["accounts", "users", "qos"].contains(k))
        .ok_or_else(|| unknown_entity("delete"))?;
    let none = " No conditions given to remove, not executing.";
    let selected = selection::read(cx, kind, rest).map_err(|text| format!("{text}\n{none}"))?;
    if !selected.any {
        return Err(none.to_owned());
    }
    if kind == "accounts" && !selected.of_assocs && selected.names.iter().any(|name| name == ROOT) {
        return Err(
            " You are not allowed to remove the root account.\n Use remove cluster instead.".to_owned()
        );
    }
    let (cluster, account) = (cluster(cx), selected.accounts.first().cloned());
    let in_partition = |name: &String| {
        let mut assocs = cx.cluster.state().dbd.live().filter(|a| a.user.as_ref() == Some(name));
        selected.partitions.is_empty()
            || assocs.any(|a| a.partition.as_ref().is_some_and(|p| selected.partitions.contains(p)))
    };
    let names: Vec<String> = selected.names.iter().filter(|name| in_partition(name)).cloned().collect();
    let of_assocs = kind == "accounts" && selected.of_assocs;
    let lines: Vec<String> = names
        .iter()
        .map(|name| if of_assocs { account_line(cx, name) } else { format!("  {name}\n") })
        .collect();
    let mut done = Vec::new();
    for (name, line) in names.iter().zip(lines) {
        let change = match kind {
            "accounts" => AccountingChange::DeleteAccount { name: name.clone() },
            "users" => AccountingChange::DeleteUser { name: name.clone(), account: account.clone() },
            _ => AccountingChange::DeleteQos { name: name.clone() },
        };
        match ask.attempt(cx, change) {
            Ok(()) => done.push((name.clone(), line)),
            Err(ChangeError::AccessDenied) => return Err(DENIED.to_owned()),
            Err(ChangeError::NothingDeleted) => {}
            Err(error) => {
                let text = error.to_string();
                let text = if kind == "qos" { text.replace("\n  JobID", "\n JobID") } else { text };
                return Err(format!(" Error with request: {text}"));
            }
        }
    }
    let list: String = done.iter().map(|(_, line)| line.as_str()).collect();
    let done: Vec<String> = done.into_iter().map(|(name, _)| name).collect();
    let text = match (kind, &account) {
        _ if done.is_empty() => " Nothing deleted\n".to_owned(),
        ("users", Some(account)) => {
            let lines: String =
                done.iter().map(|n| format!("  C = {cluster:<10} A = {account:<10} U = {n:<9}\n")).collect();
            let left = |n: &String| cx.cluster.state().dbd.users.contains_key(n);
            let gone: String = done.iter().filter(|n| !left(n)).map(|n| format!("  {n}\n")).collect();
            let tail = if gone.is_empty() {
                String::new()
            } else {
                format!(" Deleting users (No Associations)...\n{gone}")
            };
            format!(" Deleting user associations...\n{lines}{tail}")
        }
        ("users", None) => format!(" Deleting users...\n{list}"),
        ("accounts", _) if of_assocs => format!(" Deleting account associations...\n{list}"),
        ("accounts", _) => format!(" Deleting accounts...\n{list}"),
        _ => format!(" Deleting QOS(s)...\n{list}"),
    };
    cx.print(&text);
    Ok(u8::from(done.is_empty()))
}

fn delete_coordinators(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    if names.is_empty() && accounts.is_empty() {
        return Err(
            " error: You need to specify users and accounts: where user=NAMES account=NAMES".to_owned()
        );
    }
    super::add::check_unknown(cx, &names, &accounts)?;
    let listed = |names: &[String]| names.iter().map(|n| format!("  {n}\n")).collect::<String>();
    let text = match (names.is_empty(), accounts.is_empty()) {
        (true, _) => format!(" Removing all users from Accounts\n{}", listed(&accounts)),
        (_, true) => format!(" Removing Coordinators with user name\n{} From all accounts\n", listed(&names)),
        _ => format!(
            " Removing Coordinators with user name\n{} From Account(s)\n{}",
            listed(&names),
            listed(&accounts)
        ),
    };
    cx.print(&text);
    // Where only one of the two is named: those that there are.
    let led = cx.cluster.state().dbd.accounts.values();
    let found: Vec<(String, String)> = if names.is_empty() || accounts.is_empty() {
        led.filter(|account| accounts.is_empty() || accounts.contains(&account.name))
            .flat_map(|a| a.coordinators.iter().map(|user| (a.name.clone(), user.clone())))
            .filter(|(_, user)| names.is_empty() || names.contains(user))
            .collect()
    } else {
        accounts.iter().flat_map(|a| names.iter().map(|user| (a.clone(), user.clone()))).collect()
    };
    let mut done = String::new();
    for (account, user) in found {
        let line = format!("  U = {user:<9} A = {account:<10}\n");
        match ask.attempt(cx, AccountingChange::DeleteCoordinator { account, user }) {
            Ok(()) => done += &line,
            Err(ChangeError::AccessDenied) => return Err(DENIED.to_owned()),
            Err(_) => {}
        }
    }
    if done.is_empty() {
        cx.line(" Nothing removed");
        return Ok(1);
    }
    cx.print(&format!(" Removed Coordinators (sub accounts not listed)...\n{done}"));
    ask.settle(cx);
    Ok(0)
}
