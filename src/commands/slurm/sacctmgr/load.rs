//! `sacctmgr load`: makes what a file of `dump` describes. What exists already is changed to what the file says; with `clean` what
//! the file does not name is deleted.

use super::change::Ask;
use super::{list, pairs};
use crate::base::ids::Uid;
use crate::base::order::Order as _;
use crate::commands::Cx;
use crate::slurmctld::Slurmctld;
use crate::slurmctld::request::{Request, Response};
use crate::slurmdbd::{Change, ROOT};

/// Most lines of a file.
const MAX_LINES: usize = 100_000;

/// Runs it.
pub fn load(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (mut file, mut clean) = (None, false);
    for (key, value) in pairs(words) {
        match (key.as_str(), value) {
            ("file", Some(name)) => file = Some(name),
            ("clean", None) => clean = true,
            ("cluster", Some(_)) => {}
            (_, None) => file = Some(key),
            (_, Some(_)) => return Err(format!(" Unknown option: {key}")),
        }
    }
    let Some(file) = file else { return Err(" No filename given, specify one with file=''".to_owned()) };
    if !cx.slurm.state().is_operator(cx.uid()) {
        return Err(" Your user/uid isn't an admin and can not load".to_owned());
    }
    let data = cx.read_file(&file).map_err(|e| format!(" Unable to read \"{file}\": {e}"))?;
    let (said, new) = changes(cx.slurm.state(), &String::from_utf8_lossy(&data))?;
    let mut changes = if clean { missing(cx.slurm.state(), &said) } else { Vec::new() };
    changes.extend(said.into_iter().zip(new).filter(|(_, new)| *new).map(|(change, _)| change));
    if changes.is_empty() {
        let cluster = cx.slurm.state().dbd.cluster.clone();
        cx.print(&format!("For cluster {cluster}\n Nothing new added.\n"));
        return Ok(0);
    }
    let what: String = changes.iter().map(|(line, _)| format!("  {line}\n")).collect();
    cx.print(&format!(" Loading from {file}\n{what}"));
    if !ask.commit(cx) {
        return Ok(0);
    }
    for (line, change) in changes {
        let uid: Uid = cx.uid();
        if let Response::Err { error, messages } = cx.slurm.request(uid, Request::Accounting(change)) {
            let why = if messages.is_empty() { error.to_string() } else { messages.join("; ") };
            if !why.contains("didn't affect anything") && !why.contains("Nothing deleted") {
                return Err(format!(" error: {line}: {why}"));
            }
        }
    }
    Ok(0)
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

/// One line: what it is, its name, and its settings.
struct Entry {
    kind: String,
    name: String,
    settings: Vec<(String, String)>,
}

/// `User - 'alice':DefaultAccount='physics':Fairshare=1`.
fn entry(line: &str) -> Option<Entry> {
    let (kind, rest) = line.split_once('-')?;
    let mut parts = split(rest.trim()).into_iter();
    let name = parts.next()?;
    let settings = parts.filter_map(|p| p.split_once('=').map(|(k, v)| (k.trim().to_owned(), v.to_owned())));
    Some(Entry { kind: kind.trim().to_ascii_lowercase(), name, settings: settings.collect() })
}

/// Splits at colons outside of quotes, and takes the quotes away.
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

/// Lines with the changes that they are, and which of them are news.
type Said = (Vec<(String, Change)>, Vec<bool>);

/// What a file says, each with its line, and whether the database says otherwise.
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
        let Entry { kind, name, settings } = entry(line).ok_or_else(bad)?;
        let change = match kind.as_str() {
            "cluster" | "machine" => {
                parent = ROOT.to_owned();
                continue;
            }
            "parent" => {
                parent = name;
                continue;
            }
            "qos" if state.dbd.qos_by_name(&name).is_some() => Change::ModifyQos { name, settings },
            "qos" => Change::AddQos { name, settings },
            "account" | "project" if state.dbd.account_assoc(&name).is_some() => {
                Change::ModifyAccount { name, settings }
            }
            "account" | "project" => Change::AddAccount { name, parent: parent.clone(), settings },
            "user" => user(state, name, &parent, settings, &mut all, line),
            _ => return Err(bad()),
        };
        let is_new = known.binary_search(&(parent.clone(), line.to_owned())).is_err();
        all.push((line.to_owned(), change));
        new.resize(all.len(), is_new);
    }
    Ok((all, new))
}

/// `clean`: what there is and the file does not name goes first, users before their accounts.
fn missing(state: &Slurmctld, wanted: &[(String, Change)]) -> Vec<(String, Change)> {
    let users = |name: &str, account: &str| {
        wanted.iter().any(|(_, change)| match change {
            Change::AddUser { name: n, account: a, .. } => n == name && a == account,
            Change::ModifyUser { name: n, account: Some(a), .. } => n == name && a == account,
            _ => false,
        })
    };
    let accounts = |name: &str| {
        wanted.iter().any(|(_, change)| match change {
            Change::AddAccount { name: n, .. } | Change::ModifyAccount { name: n, .. } => n == name,
            _ => false,
        })
    };
    let mut gone: Vec<(String, Change)> = Vec::new();
    for assoc in state.dbd.live().filter(|a| a.user.as_deref() != Some(ROOT)) {
        let Some(user) = assoc.user.as_ref().filter(|user| !users(user, &assoc.account)) else { continue };
        let change = Change::DeleteUser { name: user.clone(), account: Some(assoc.account.clone()) };
        gone.push((format!("- User '{user}' of '{}'", assoc.account), change));
    }
    for name in state.dbd.accounts.keys().filter(|name| *name != ROOT && !accounts(name)) {
        gone.push((format!("- Account '{name}'"), Change::DeleteAccount { name: name.clone() }));
    }
    gone
}

/// A user's line; accounts that the user coordinates become changes of their own.
fn user(
    state: &Slurmctld,
    name: String,
    account: &str,
    mut settings: Vec<(String, String)>,
    all: &mut Vec<(String, Change)>,
    line: &str,
) -> Change {
    let mut take = |key: &str| {
        let at = settings.iter().position(|(k, _)| k.eq_ignore_ascii_case(key))?;
        Some(settings.remove(at).1)
    };
    let partition = take("Partition");
    for account in list(&take("Coordinator").unwrap_or_default()) {
        all.push((line.to_owned(), Change::AddCoordinator { account, user: name.clone() }));
    }
    let known = state.dbd.live().any(|a| {
        a.user.as_deref() == Some(name.as_str()) && a.account == account && a.partition == partition
    });
    if known {
        return Change::ModifyUser { name, account: Some(account.to_owned()), partition, settings };
    }
    Change::AddUser { name, account: account.to_owned(), partition, settings }
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
