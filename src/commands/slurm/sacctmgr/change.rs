//! `sacctmgr modify` and `delete`, and what every change has in common.

use super::{Pair, entity, list, pairs, values};
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
pub(super) enum No {
    Denied,
    Text(String),
}

pub(super) fn apply(cx: &mut Cx, change: Change) -> Result<(), No> {
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

/// Makes a change; its refusal in words.
pub(super) fn apply_text(cx: &mut Cx, change: Change) -> Result<(), String> {
    apply(cx, change).map_err(|no| match no {
        No::Denied => " Error with request: Access/permission denied".to_owned(),
        No::Text(text) => format!(" {text}"),
    })
}

/// Names (first words, `name=`), and the other pairs.
pub(super) fn split(words: &[String], own: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
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

pub(super) fn take(settings: &mut Vec<(String, String)>, keys: &[&str]) -> Option<String> {
    let at = settings.iter().position(|(k, _)| keys.contains(&k.as_str()))?;
    Some(settings.remove(at).1)
}

/// The name under which a setting is listed.
pub(super) fn title(key: &str) -> String {
    let known = [
        ("fairshare", "Fairshare"),
        ("share", "Fairshare"),
        ("shares", "Fairshare"),
        ("parent", "Parent"),
        ("priority", "Priority"),
        ("maxwall", "MaxWall"),
        ("maxjobs", "MaxJobs"),
        ("maxjobspu", "MaxJobsPerUser"),
        ("maxjobsperuser", "MaxJobsPerUser"),
        ("maxsubmitpu", "MaxSubmitJobsPerUser"),
        ("maxsubmitjobsperuser", "MaxSubmitJobsPerUser"),
        ("maxtrespu", "MaxTRESPerUser"),
        ("maxtresperuser", "MaxTRESPerUser"),
        ("gracetime", "GraceTime"),
        ("preemptmode", "PreemptMode"),
        ("preempt", "Preempt"),
        ("usagethreshold", "UsageThreshold"),
        ("grptresmins", "GrpTRESMins"),
        ("grpsubmitjobs", "GrpSubmitJobs"),
        ("grpwall", "GrpWall"),
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

/// What is said where no entity is named.
pub(super) fn unknown_entity(command: &str) -> String {
    format!(
        "No valid entity in {command} command\nInput line must include {}",
        if command == "modify" {
            "\"Account\", \"Cluster\", \"Federation\", \"Job\", \"QOS\", \"Resource\" or \"User\""
        } else {
            "\"Account\", \"Cluster\", \"Coordinator\", \"Federation\", \"QOS\", \"Resource\", or \"User\""
        }
    )
}

/// The cluster's name.
pub(super) fn cluster(cx: &Cx) -> String {
    cx.slurm.state().cluster.global.cluster_name.clone()
}

fn delete_coordinators(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let (names, mut settings) = split(words, &["name", "names", "user", "users"]);
    let accounts = list(&take(&mut settings, &["account", "accounts", "acct"]).unwrap_or_default());
    if names.is_empty() || accounts.is_empty() {
        return Err(
            " error: You need to specify users and accounts: where user=NAMES account=NAMES".to_owned()
        );
    }
    super::add::nobody(cx, &names, &accounts)?;
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

/// Looks at values before slurmdbd is asked; says what is wrong, and gives the exit code then.
pub(super) fn refused(cx: &mut Cx, kind: values::Kind, settings: &[(String, String)]) -> Option<u8> {
    match values::check(cx, kind, settings) {
        Ok(()) => return None,
        Err(values::Wrong::Err(text)) => cx.complain(&text),
        Err(values::Wrong::Out(text)) => cx.print(&text),
    }
    Some(1)
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
    if entity(what) == Some("resources") {
        return super::resource::modify(cx, ask, rest);
    }
    let kind = entity(what)
        .filter(|k| ["accounts", "users", "qos"].contains(k))
        .ok_or_else(|| unknown_entity("modify"))?;
    let (before, after) = halves(rest);
    let (names, mut conditions) = split(before, &["name", "names", "user", "users", "qos"]);
    let (settings, more) = settings_of(after);
    conditions.extend(more.into_iter().filter_map(|(k, v)| Some((k, v?))));
    let account = take(&mut conditions, &["account", "accounts", "acct"]);
    let partition = take(&mut conditions, &["partition", "partitions"]);
    if settings.is_empty() {
        return Err(" You didn't give me anything to set".to_owned());
    }
    let of = if kind == "qos" { values::Kind::Qos } else { values::Kind::Assoc };
    if let Some(code) = refused(cx, of, &settings) {
        return Ok(code);
    }
    let parent = settings.iter().find(|(key, _)| key == "parent").map(|(_, name)| name.to_ascii_lowercase());
    let dbd = &cx.slurm.state().dbd;
    if let Some(parent) = parent.filter(|name| kind == "accounts" && !dbd.accounts.contains_key(name)) {
        return Err(format!(" Parent Account {parent} doesn't exist."));
    }
    let names = match (kind, names.is_empty(), &account) {
        ("accounts", true, Some(account)) => list(account),
        (_, true, _) => all_names(cx, kind),
        _ => names,
    };
    // What belongs to a user or an account itself, not to its associations.
    let own = |key: &str| match kind {
        "users" => ["defaultaccount", "defaultacct", "adminlevel", "admin", "defaultwckey"].contains(&key),
        "accounts" => ["description", "desc", "organization", "org"].contains(&key),
        _ => false,
    };
    let (of_itself, of_assocs) = (settings.iter().any(|s| own(&s.0)), settings.iter().any(|s| !own(&s.0)));
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
    let (mut lines, mut own_lines) = (String::new(), String::new());
    let asked = settings;
    for name in &names {
        let settings = asked.clone();
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
            Ok(()) => {
                lines += &touched;
                own_lines += &format!("  {name}\n");
            }
            Err(No::Denied) => return Err(" Error with request: Access/permission denied".to_owned()),
            Err(No::Text(text)) if text.starts_with("Unknown option") => {
                let text = format!(" {text}\n Use keyword 'where' to modify condition\n");
                // Of a QOS it is said on standard output.
                if kind != "qos" {
                    return Err(text.trim_end().to_owned());
                }
                cx.print(&text);
                return Ok(1);
            }
            Err(No::Text(text)) if text == "Nothing modified" => {}
            Err(No::Text(text)) if meaningless(cx, &asked, &text) => return Ok(1),
            Err(No::Text(text)) if text.contains("has no association with account") => {
                let account = text.rsplit(' ').next().unwrap_or_default();
                cx.print(&format!(
                    " Can't modify because these users aren't associated with new default account '{account}'...\n  U = {name} C = {}\n",
                    cluster(cx)
                ));
                return Ok(1);
            }
            Err(No::Text(text)) => return Err(format!(" Error with request: {text}")),
        }
    }
    if resets && kind != "qos" {
        let cluster = cluster(cx);
        cx.print(&format!("No cluster specified, resetting on local cluster {cluster}\n"));
        if asked.len() == 1 {
            return Ok(0);
        }
    }
    let nothing = lines.is_empty();
    if of_itself && !nothing {
        cx.print(&format!(" Modified {kind}...\n{own_lines}"));
        if !of_assocs {
            return Ok(0);
        }
    }
    cx.print(&format!("{heading}{}", if nothing { "  Nothing modified\n" } else { &lines }));
    Ok(u8::from(nothing))
}

/// Everything of a kind.
fn all_names(cx: &Cx, kind: &str) -> Vec<String> {
    let dbd = &cx.slurm.state().dbd;
    match kind {
        "users" => dbd.users.keys().cloned().collect(),
        "qos" => dbd.qos.iter().map(|q| q.name.clone()).collect(),
        _ => {
            dbd.assocs.iter().filter(|a| !a.deleted && a.user.is_none()).map(|a| a.account.clone()).collect()
        }
    }
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
    if entity(what) == Some("resources") {
        return super::resource::delete(cx, ask, rest);
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
    if names.is_empty() && account.is_none() && conditions.is_empty() {
        return Err(" No conditions given to remove, not executing.".to_owned());
    }
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
            Err(No::Text(text)) if text == "Nothing deleted" => {}
            Err(No::Text(text)) => {
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

/// A value that means nothing: Slurm complains of it, then takes the setting for an unknown one.
fn meaningless(cx: &mut Cx, settings: &[(String, String)], text: &str) -> bool {
    let of_qos = text.starts_with("You gave a bad qos");
    let is_it = |(key, value): &&(String, String)| match of_qos {
        true => key.starts_with("qos") && value.split(',').any(|name| text.contains(&format!("'{name}'"))),
        false => text.starts_with("Bad ") && text.ends_with(&format!("value: {value}")),
    };
    let Some((key, value)) = settings.iter().find(is_it) else { return false };
    let said = if of_qos {
        let known: Vec<&str> = cx.slurm.state().dbd.qos.iter().map(|q| q.name.as_str()).collect();
        format!("{} Valid QOS's are {}", text.trim_end(), known.join(","))
    } else {
        format!("Invalid value for {} ({value})", title(key).replace("Fairshare", "FairShare"))
    };
    cx.complain(&format!("sacctmgr: error: {said}"));
    cx.print(&format!(" Unknown option: {key}={value}\n Use keyword 'where' to modify condition\n"));
    true
}
