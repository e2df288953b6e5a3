//! `sacctmgr modify`, and what every change has in common.

use super::{Pair, entity, list, pairs, values};
use crate::commands::slurm::dialog::Answers;
use crate::commands::{Cx, STDIN};
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::request::Request;
use crate::slurmdbd::Change;

/// Whether and with what the question is answered.
pub struct Ask<'a> {
    pub immediate: bool,
    pub answers: &'a mut Answers,
    /// What was shown as done and waits for the answer.
    pub pending: Vec<Change>,
}

impl Ask<'_> {
    /// Whether the changes are to be made.
    pub fn commit(&mut self, cx: &mut Cx) -> bool {
        self.question(cx, "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ")
    }

    /// Makes a change, or looks on a copy what it would do until it is agreed to.
    pub fn attempt(&mut self, cx: &mut Cx, change: Change) -> Result<(), No> {
        if self.immediate {
            return apply(cx, change);
        }
        let state = cx.slurm.state();
        let by = state.user_name(cx.uid());
        match state.dbd.clone().apply(&change, &by) {
            Ok(_) => self.pending.push(change),
            Err(text) if text == "Access/permission denied" => return Err(No::Denied),
            Err(text) => return Err(No::Text(text)),
        }
        Ok(())
    }

    /// Asks about what was attempted, and makes it so.
    pub fn settle(&mut self, cx: &mut Cx) {
        if !self.pending.is_empty() && self.commit(cx) {
            for change in std::mem::take(&mut self.pending) {
                // It went well on the copy.
                apply(cx, change).ok();
            }
        }
    }

    /// Whether a question is answered with yes.
    pub fn question(&mut self, cx: &mut Cx, question: &str) -> bool {
        if self.immediate {
            return true;
        }
        let mut answer = self.answer(cx, question);
        while answer.as_ref().is_some_and(|a| !a.is_empty() && !a.starts_with(['y', 'Y', 'n', 'N'])) {
            answer = self.answer(cx, "Y or N please\n(N/y): ");
        }
        let yes = answer.is_some_and(|a| a.starts_with(['y', 'Y']));
        if !yes {
            cx.line(" Changes Discarded");
        }
        yes
    }

    /// An answer, on a line that ends as if it had been typed.
    fn answer(&mut self, cx: &mut Cx, question: &str) -> Option<String> {
        let answer = self.answers.ask(cx, question);
        if answer.is_none() || !cx.is_tty(STDIN) {
            cx.line("");
        }
        answer.map(|a| a.trim_start().to_owned())
    }
}

/// What somebody hears who may not change it.
pub(super) const DENIED: &str = "sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: \
    Access/permission denied";

/// What is said where nothing that was asked for may be changed.
const UNTOUCHED: &str = "sacctmgr: accounting_storage/slurmdbd: acct_storage_p_modify_assocs: Request didn't affect anything or your \
    user doesn't have privilege to perform this action";

/// Why a change of a user was refused.
fn denied(cx: &mut Cx, settings: &[(String, String)], name: &str) -> String {
    let state = cx.slurm.state();
    let level = settings.iter().any(|(key, _)| key.starts_with("admin"));
    let own = name == state.user_name(cx.uid());
    let why = match level {
        true if state.is_operator(cx.uid()) => "You must be a super user to modify a users admin level",
        true if own => "You can only change your own default account, default wckey nothing else",
        false if own => {
            cx.line(" Nothing modified");
            return UNTOUCHED.to_owned();
        }
        _ => return DENIED.to_owned(),
    };
    format!("sacctmgr: error: {why}\n Error with request: Access/permission denied")
}

/// Why a change did not happen.
pub(super) enum No {
    Denied,
    Text(String),
}

pub(super) fn apply(cx: &mut Cx, change: Change) -> Result<(), No> {
    cx.slurm.request(cx.uid(), Request::Accounting(change)).done().map_err(|(error, messages)| match messages
        .first()
    {
        Some(text) if text == "Access/permission denied" => No::Denied,
        _ if error == SlurmError::AccessDenied => No::Denied,
        Some(_) => No::Text(messages.join("\n")),
        None => No::Text(error.to_string()),
    })
}

/// Makes a change; its refusal in words.
pub(super) fn apply_text(cx: &mut Cx, change: Change) -> Result<(), String> {
    apply(cx, change).map_err(|no| match no {
        No::Denied => DENIED.to_owned(),
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
    match entity(what) {
        Some("resources") => return super::resource::modify(cx, ask, rest),
        Some("clusters") => {
            let (before, after) = halves(rest);
            return super::cluster::modify(cx, ask, before, after);
        }
        _ if "jobs".starts_with(&what.to_ascii_lowercase()) => return super::job::modify(cx, ask, rest),
        _ => {}
    }
    let code = modify_associations(cx, ask, what, rest)?;
    ask.settle(cx);
    Ok(code)
}

fn modify_associations(cx: &mut Cx, ask: &mut Ask, what: &str, rest: &[String]) -> Result<u8, String> {
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
    if kind == "users" && settings.iter().any(|(key, _)| key == "newname") {
        return Err("sacctmgr: error: newname is not simulated: people keep their names".to_owned());
    }
    let resets = settings.iter().any(|(key, _)| key.eq_ignore_ascii_case("rawusage"));
    if resets && kind == "users" && account.is_none() {
        return Err("sacctmgr: error: An account must be specified".to_owned());
    }
    let (mut lines, mut own_lines) = (String::new(), String::new());
    let asked = settings;
    for name in &names {
        let settings = asked.clone();
        let change = match kind {
            "accounts" => Change::ModifyAccount { name: name.clone(), settings: settings.clone() },
            "users" => Change::ModifyUser {
                name: name.clone(),
                account: account.clone(),
                partition: partition.clone(),
                settings: settings.clone(),
            },
            _ => Change::ModifyQos { name: name.clone(), settings: settings.clone() },
        };
        let mut touched = touched(cx, kind, name, account.as_deref());
        if kind == "accounts" {
            touched += &heirs(cx, name, &settings);
        }
        match ask.attempt(cx, change) {
            Ok(()) => {
                lines += &touched;
                own_lines += &format!("  {name}\n");
            }
            Err(No::Denied) => return Err(denied(cx, &asked, name)),
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

/// The users of an account for whom its new limits or QOS hold, the newest first.
fn heirs(cx: &Cx, account: &str, settings: &[(String, String)]) -> String {
    let limits = settings.iter().any(|(key, _)| key.starts_with("max"));
    let qos = settings.iter().any(|(key, _)| key.starts_with("qos"));
    let cluster = cluster(cx);
    let free = |a: &&crate::slurmdbd::Assoc| {
        a.account == account
            && ((limits && a.limits == crate::slurmdbd::Limits::default()) || (qos && a.qos.is_empty()))
    };
    let mut lines: Vec<String> = (cx.slurm.state().dbd.live().filter(free))
        .filter_map(|a| Some(format!("  C = {cluster:<10} A = {account:<20} U = {:<9}\n", a.user.as_ref()?)))
        .collect();
    lines.reverse();
    lines.concat()
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
