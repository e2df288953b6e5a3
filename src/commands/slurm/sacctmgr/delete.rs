//! `sacctmgr delete`.

use super::change::{Confirmation, DENIED, cluster, split, take, unknown_entity};
use super::{entity, list};
use crate::Cx;
use slurmdbd::{AccountingChange, ChangeError};

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
    let own: &[&str] = if kind == "accounts" {
        &["name", "names", "account", "accounts", "acct"]
    } else {
        &["name", "names", "user", "users", "qos"]
    };
    let (names, mut conditions) = split(rest, own);
    let account = take(&mut conditions, &["account", "accounts", "acct"]);
    if names.is_empty() && account.is_none() && conditions.is_empty() {
        return Err(" No conditions given to remove, not executing.".to_owned());
    }
    let cluster = cluster(cx);
    let mut done = Vec::new();
    for name in &names {
        let change = match kind {
            "accounts" => AccountingChange::DeleteAccount { name: name.clone() },
            "users" => AccountingChange::DeleteUser { name: name.clone(), account: account.clone() },
            _ => AccountingChange::DeleteQos { name: name.clone() },
        };
        match ask.attempt(cx, change) {
            Ok(()) => done.push(name.clone()),
            Err(ChangeError::AccessDenied) => return Err(DENIED.to_owned()),
            Err(ChangeError::NothingDeleted) => {}
            Err(error) => {
                let text = error.to_string();
                let text = if kind == "qos" { text.replace("\n  JobID", "\n JobID") } else { text };
                return Err(format!(" Error with request: {text}"));
            }
        }
    }
    let list: String = done.iter().map(|n| format!("  {n}\n")).collect();
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
        ("accounts", _) => format!(" Deleting accounts...\n{list}"),
        _ => format!(" Deleting QOS(s)...\n{list}"),
    };
    cx.print(&text);
    Ok(u8::from(done.is_empty()))
}

fn delete_coordinators(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    if names.is_empty() || accounts.is_empty() {
        return Err(
            " error: You need to specify users and accounts: where user=NAMES account=NAMES".to_owned()
        );
    }
    super::add::nobody(cx, &names, &accounts)?;
    let listed = |names: &[String]| names.iter().map(|n| format!("  {n}\n")).collect::<String>();
    cx.print(&format!(
        " Removing Coordinators with user name\n{} From Account(s)\n{}",
        listed(&names),
        listed(&accounts)
    ));
    let mut done = String::new();
    for account in &accounts {
        for user in &names {
            let change = AccountingChange::DeleteCoordinator { account: account.clone(), user: user.clone() };
            match ask.attempt(cx, change) {
                Ok(()) => done += &format!("  U = {user:<9} A = {account:<10}\n"),
                Err(ChangeError::AccessDenied) => return Err(DENIED.to_owned()),
                Err(_) => {}
            }
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
