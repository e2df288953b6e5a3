//! `sacctmgr load`: creates what a dump file describes and changes what exists to match the file. `clean`
//! deletes what the file does not name.

use super::change::{Confirmation, apply};
use super::{list, load_changes, pairs};
use crate::Cx;
use base::order::StableSort as _;
use slurmctld::Slurmctld;
use slurmdbd::{AccountingChange, ChangeError, ROOT};

/// Maximum number of lines in a file.
const MAX_LINES: usize = 100_000;

/// Runs `load`.
pub fn load(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (mut file, mut clean) = (None, false);
    for ((key, value), word) in pairs(words).into_iter().zip(words) {
        match (key.as_str(), value) {
            ("file", Some(name)) => file = Some((name, word)),
            ("clean", None) => clean = true,
            ("cluster", Some(_)) => {}
            (_, None) => file = Some((key, word)),
            (_, Some(_)) => return Err(format!(" Unknown option: {key}")),
        }
    }
    let Some((file, word)) = file else {
        return Err(" No filename given, specify one with file=''".to_owned());
    };
    if !cx.cluster.state().is_operator(cx.uid()) {
        return Err(" Your user/uid isn't an admin and can not load".to_owned());
    }
    let data = cx.read_file(&file).map_err(|e| format!(" Unable to read \"{word}\": {e}"))?;
    let text = String::from_utf8_lossy(&data);
    let (said, new) = changes(cx.cluster.state(), &text)?;
    let defaults = defaults(&text);
    let shown: Vec<AccountingChange> = said
        .iter()
        .zip(&new)
        .filter(|(_, new)| clean || **new)
        .map(|((_, change), _)| change.clone())
        .collect();
    let mut changes = if clean { missing(cx.cluster.state(), &said) } else { Vec::new() };
    changes.extend(said.into_iter().zip(new).filter(|(_, new)| *new).map(|(change, _)| change));
    let cluster = cx.cluster.state().dbd.cluster.clone();
    if changes.is_empty() {
        cx.print(&format!("For cluster {cluster}\n Nothing new added.\n"));
        return Ok(0);
    }
    let tables = load_changes::tables(cx.cluster.state(), &shown, &defaults, clean);
    cx.print(&format!("For cluster {cluster}\n{tables}"));
    // The time that a recorded run took.
    cx.complain("sacctmgr: Done adding cluster in usec=1735");
    if !ask.commit(cx) {
        return Ok(0);
    }
    for (line, change) in changes {
        match apply(cx, change) {
            Ok(()) | Err(ChangeError::NoEffect | ChangeError::NothingDeleted) => {}
            Err(error) => return Err(format!(" error: {line}: {error}")),
        }
    }
    // A user's default account may be further down in the file, or missing.
    for (name, account) in defaults {
        let settings = vec![("defaultaccount".to_owned(), account)];
        match apply(cx, AccountingChange::ModifyUser { name, account: None, partition: None, settings }) {
            Ok(()) | Err(ChangeError::NotAssociated { .. } | ChangeError::NothingModified) => {}
            Err(error) => return Err(format!(" error: {error}")),
        }
    }
    Ok(0)
}

/// Users with their default accounts, as a file names them.
fn defaults(text: &str) -> Vec<(String, String)> {
    let of_line = |line: &str| {
        let entry = entry(line.trim()).filter(|e| e.kind == "user")?;
        let account = entry.settings.iter().find(|(key, _)| key.eq_ignore_ascii_case("DefaultAccount"))?;
        Some((entry.name, account.1.to_ascii_lowercase()))
    };
    let mut all: Vec<(String, String)> = text.lines().take(MAX_LINES).filter_map(of_line).collect();
    all.dedup();
    all
}

/// The lines that a dump would have now, each with its parent's name, in order.
fn known(state: &Slurmctld) -> Vec<(String, String)> {
    let (head, tree) = super::dump::text(state);
    let mut parent = String::new();
    let mut lines: Vec<(String, String)> = head.into_iter().map(|line| (ROOT.to_owned(), line)).collect();
    for line in tree {
        match entry(&line).filter(|e| e.kind == "parent") {
            Some(e) => parent = e.name,
            None => lines.push((parent.clone(), line)),
        }
    }
    lines.order();
    lines
}

/// A parsed line: entity, name and settings.
struct LoadEntry {
    kind: String,
    name: String,
    settings: Vec<(String, String)>,
}

/// `User - 'alice':DefaultAccount='physics':Fairshare=1`.
fn entry(line: &str) -> Option<LoadEntry> {
    let (kind, rest) = line.split_once('-')?;
    let mut parts = split(rest.trim()).into_iter();
    let name = parts.next()?;
    let settings = parts.filter_map(|p| p.split_once('=').map(|(k, v)| (k.trim().to_owned(), v.to_owned())));
    Some(LoadEntry { kind: kind.trim().to_ascii_lowercase(), name, settings: settings.collect() })
}

/// Splits at colons outside quotes and removes the quotes.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quote) = (Vec::new(), String::new(), None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ':') => parts.push(std::mem::take(&mut part)),
            (_, c) => part.push(c),
        }
    }
    parts.push(part);
    parts
}

/// Lines with their changes, and whether each is new.
type Said = (Vec<(String, AccountingChange)>, Vec<bool>);

/// The contents of a file, line by line, and whether each differs from the database.
fn changes(state: &Slurmctld, text: &str) -> Result<Said, String> {
    let (mut all, mut new) = (Vec::new(), Vec::new());
    let mut parent = ROOT.to_owned();
    let known = known(state);
    for (number, line) in (1..).zip(text.lines().take(MAX_LINES)) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = || format!(" error: Unable to parse line {number}: {line}");
        let LoadEntry { kind, name, settings } = entry(line).ok_or_else(bad)?;
        let change = match kind.as_str() {
            "cluster" | "machine" => {
                parent = ROOT.to_owned();
                continue;
            }
            "parent" => {
                parent = name;
                continue;
            }
            "qos" if state.dbd.qos_by_name(&name).is_some() => AccountingChange::ModifyQos { name, settings },
            "qos" => AccountingChange::AddQos { name, settings },
            "account" | "project" if state.dbd.account_assoc(&name).is_some() => {
                AccountingChange::ModifyAccount { name, settings }
            }
            "account" | "project" => AccountingChange::AddAccount { name, parent: parent.clone(), settings },
            "user" => user(state, name, &parent, settings, &mut all, line),
            _ => return Err(bad()),
        };
        let is_new = known.binary_search(&(parent.clone(), line.to_owned())).is_err();
        all.push((line.to_owned(), change));
        new.resize(all.len(), is_new);
    }
    Ok((all, new))
}

/// `clean`: deletes entities that the file does not name, users before their accounts.
fn missing(state: &Slurmctld, wanted: &[(String, AccountingChange)]) -> Vec<(String, AccountingChange)> {
    let users = |name: &str, account: &str| {
        wanted.iter().any(|(_, change)| match change {
            AccountingChange::AddUser { name: n, account: a, .. } => n == name && a == account,
            AccountingChange::ModifyUser { name: n, account: Some(a), .. } => n == name && a == account,
            _ => false,
        })
    };
    let accounts = |name: &str| {
        wanted.iter().any(|(_, change)| match change {
            AccountingChange::AddAccount { name: n, .. }
            | AccountingChange::ModifyAccount { name: n, .. } => n == name,
            _ => false,
        })
    };
    let mut gone: Vec<(String, AccountingChange)> = Vec::new();
    for assoc in state.dbd.live().filter(|a| a.user.as_deref() != Some(ROOT)) {
        let Some(user) = assoc.user.as_ref().filter(|user| !users(user, &assoc.account)) else { continue };
        let change =
            AccountingChange::DeleteUser { name: user.clone(), account: Some(assoc.account.clone()) };
        gone.push((format!("- User '{user}' of '{}'", assoc.account), change));
    }
    for name in state.dbd.accounts.keys().filter(|name| *name != ROOT && !accounts(name)) {
        gone.push((format!("- Account '{name}'"), AccountingChange::DeleteAccount { name: name.clone() }));
    }
    gone
}

/// A user's line; the accounts that the user coordinates become separate changes.
fn user(
    state: &Slurmctld,
    name: String,
    account: &str,
    mut settings: Vec<(String, String)>,
    all: &mut Vec<(String, AccountingChange)>,
    line: &str,
) -> AccountingChange {
    let mut take = |key: &str| {
        let at = settings.iter().position(|(k, _)| k.eq_ignore_ascii_case(key))?;
        Some(settings.remove(at).1)
    };
    let partition = take("Partition");
    // Set when all associations exist.
    take("DefaultAccount");
    for account in list(&take("Coordinator").unwrap_or_default()) {
        all.push((line.to_owned(), AccountingChange::AddCoordinator { account, user: name.clone() }));
    }
    let known = state.dbd.live().any(|a| {
        a.user.as_deref() == Some(name.as_str()) && a.account == account && a.partition == partition
    });
    if known {
        return AccountingChange::ModifyUser { name, account: Some(account.to_owned()), partition, settings };
    }
    AccountingChange::AddUser { name, account: account.to_owned(), partition, settings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_file() {
        let e = entry("Account - 'a b':Description='x: y':GrpTRES=cpu=100:Fairshare=1").unwrap();
        assert_eq!((e.kind.as_str(), e.name.as_str()), ("account", "a b"));
        assert_eq!(e.settings[0], ("Description".to_owned(), "x: y".to_owned()));
        assert_eq!(e.settings[1], ("GrpTRES".to_owned(), "cpu=100".to_owned()));
        assert!(entry("nonsense").is_none());
    }
}
