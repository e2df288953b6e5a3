//! `sacctmgr modify`, and the code that all changes share.

use super::selection::{self, EntitySelection};
use super::settings::{self, Of};
use super::{entity, list, pairs};
use crate::slurm::dialog::Answers;
use crate::{Cx, STDIN};
use slurmctld::error::SlurmError;
use slurmctld::request::{Request, Response};
use slurmdbd::{AccountingChange, ChangeError};

/// The state of the confirmation question.
pub struct Confirmation<'a> {
    pub immediate: bool,
    pub answers: &'a mut Answers,
    /// The changes that were announced and wait for confirmation.
    pub pending: Vec<AccountingChange>,
}

impl Confirmation<'_> {
    /// Whether the changes take effect.
    pub fn commit(&mut self, cx: &mut Cx) -> bool {
        self.question(cx, "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ")
    }

    /// Applies a change. Until it is confirmed, a copy of the database takes the change.
    pub fn attempt(&mut self, cx: &mut Cx, change: AccountingChange) -> Result<(), ChangeError> {
        if self.immediate {
            return apply(cx, change);
        }
        let state = cx.cluster.state();
        let by = state.user_name(cx.uid());
        state.dbd.clone().apply(&change, &by)?;
        self.pending.push(change);
        Ok(())
    }

    /// Asks for confirmation, then commits the attempted changes.
    pub fn settle(&mut self, cx: &mut Cx) {
        if !self.pending.is_empty() && self.commit(cx) {
            for change in std::mem::take(&mut self.pending) {
                // The changes succeeded on the copy.
                apply(cx, change).ok();
            }
        }
    }

    /// Whether the answer is yes.
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

    /// Whether the answer to a question that changes nothing is yes.
    pub fn agreed(&mut self, cx: &mut Cx, question: &str) -> bool {
        if self.immediate {
            return true;
        }
        let answer = self.answer(cx, question);
        if answer.is_none() {
            // What select(2) prints if there is no terminal.
            cx.line("error: Inappropriate ioctl for device");
        }
        answer.is_some_and(|a| a.starts_with(['y', 'Y']))
    }

    /// An answer, echoed as if it had been typed.
    fn answer(&mut self, cx: &mut Cx, question: &str) -> Option<String> {
        let answer = self.answers.ask(cx, question);
        if answer.is_none() || !cx.is_tty(STDIN) {
            cx.line("");
        }
        answer.map(|a| a.trim_start().to_owned())
    }
}

/// The message for users without permission.
pub(super) const DENIED: &str = "sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: \
    Access/permission denied";

/// The message if none of the selected entities may be changed.
const UNTOUCHED: &str = "sacctmgr: accounting_storage/slurmdbd: acct_storage_p_modify_assocs: Request didn't affect anything or your \
    user doesn't have privilege to perform this action";

/// Why a change of a user is refused.
fn denied(cx: &mut Cx, settings: &[(String, String)], name: &str) -> String {
    let state = cx.cluster.state();
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

pub(super) fn apply(cx: &mut Cx, change: AccountingChange) -> Result<(), ChangeError> {
    match cx.cluster.request(cx.uid(), Request::Accounting(change)) {
        Response::Accounting(error) => Err(error),
        Response::Err { error: SlurmError::AccessDenied, .. } => Err(ChangeError::AccessDenied),
        _ => Ok(()),
    }
}

/// Applies a change; a refusal is returned as text.
pub(super) fn apply_text(cx: &mut Cx, change: AccountingChange) -> Result<(), String> {
    apply(cx, change).map_err(|error| match error {
        ChangeError::AccessDenied => DENIED.to_owned(),
        error => format!(" {error}"),
    })
}

/// Splits words into names (leading words, `name=`) and other pairs.
pub(super) fn split(words: &[String], own: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
    let (mut names, mut rest) = (Vec::new(), Vec::new());
    for (key, value) in pairs(words) {
        match value {
            None if key.eq_ignore_ascii_case("where") || key.eq_ignore_ascii_case("set") => {}
            None => names.extend(list(&key)),
            Some(value) if is_one(own, &key) => names.extend(list(&value)),
            Some(value) => rest.push((key, value)),
        }
    }
    (names, rest)
}

/// Whether a word is one of these keys. It may be abbreviated to three letters.
pub(super) fn is_one(keys: &[&str], word: &str) -> bool {
    keys.iter().any(|key| *key == word || (word.len() > 2 && key.starts_with(word)))
}

pub(super) fn take(settings: &mut Vec<(String, String)>, keys: &[&str]) -> Option<String> {
    let at = settings.iter().position(|(k, _)| is_one(keys, k))?;
    Some(settings.remove(at).1)
}

/// The message if no entity is named.
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
    cx.cluster.state().cluster.global.cluster_name.clone()
}

/// Splits `[where] COND set VALUES`.
fn halves(words: &[String]) -> (&[String], &[String]) {
    match words.iter().position(|w| w.eq_ignore_ascii_case("set")) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

/// Splits `VALUES [where COND]`.
fn behind_set(words: &[String]) -> (&[String], &[String]) {
    let at = words.iter().position(|word| word.eq_ignore_ascii_case("where")).unwrap_or(words.len());
    words.split_at(at)
}

/// The settings behind `set`.
fn settings_of(settings: &[String]) -> Result<Vec<(String, String)>, String> {
    let mut read = Vec::new();
    for (key, value) in pairs(settings) {
        match value {
            None if key.eq_ignore_ascii_case("set") => {}
            None => return Err(format!(" Bad format on {key}: End your option with an '=' sign")),
            Some(value) => read.push((key, value)),
        }
    }
    Ok(read)
}

/// `modify`.
pub fn modify(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
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

fn modify_associations(
    cx: &mut Cx,
    ask: &mut Confirmation,
    what: &str,
    rest: &[String],
) -> Result<u8, String> {
    let kind = entity(what)
        .filter(|k| ["accounts", "users", "qos"].contains(k))
        .ok_or_else(|| unknown_entity("modify"))?;
    let (before, after) = halves(rest);
    let (values, behind) = behind_set(after);
    let mut settings = settings_of(values)?;
    let EntitySelection { names, accounts, partitions, only_itself, .. } =
        selection::read(cx, kind, &[before, behind].concat())?;
    let renames = |(key, _): &(String, String)| "names".starts_with(key.as_str());
    if kind == "accounts" && settings.iter().any(renames) {
        return Err(" Can't modify the name of an account".to_owned());
    }
    settings.retain(|setting| kind == "users" || !renames(setting));
    if settings.is_empty() {
        return Err(" You didn't give me anything to set".to_owned());
    }
    let of = match kind {
        "qos" => Of::Qos,
        "users" => Of::User,
        _ => Of::Account,
    };
    let settings = match settings::read(cx, of, settings) {
        Ok(settings) => settings,
        Err(code) => return Ok(code),
    };
    if settings.is_empty() {
        return Err(" You didn't give me anything to set".to_owned());
    }
    let parent = settings.iter().find(|(key, _)| key == "parent").map(|(_, name)| name.to_ascii_lowercase());
    let dbd = &cx.cluster.state().dbd;
    if let Some(parent) = parent.filter(|name| kind == "accounts" && !dbd.accounts.contains_key(name)) {
        return Err(format!(" Parent Account {parent} doesn't exist."));
    }
    // Settings of a user or an account itself, not of its associations.
    let own = |key: &str| match kind {
        "users" => ["defaultaccount", "adminlevel", "defaultwckey"].contains(&key),
        "accounts" => ["description", "organization"].contains(&key),
        _ => false,
    };
    let (of_itself, of_assocs) = (settings.iter().any(|s| own(&s.0)), settings.iter().any(|s| !own(&s.0)));
    if of_assocs && only_itself {
        return Err(" There was a problem with your 'where' options.".to_owned());
    }
    let heading = match kind {
        "accounts" => " Modified account associations...\n",
        "users" => " Modified user associations...\n",
        _ => " Modified qos...\n",
    };
    if kind == "users" && settings.iter().any(|(key, _)| key == "newname") {
        return Err("sacctmgr: error: newname is not simulated: people keep their names".to_owned());
    }
    if let Some((_, key)) = settings.iter().find(|(key, _)| key == "defaultwckey").filter(|_| kind == "users")
    {
        let has =
            |name: &&String| cx.cluster.state().dbd.wckeys.iter().any(|(k, user)| k == key && user == *name);
        if let Some(name) = names.iter().find(|name| !has(name)) {
            let text = format!(
                " Can't modify because these users aren't associated with new default wckey '{key}'...\n  U = {name} C = {}\n",
                cluster(cx)
            );
            cx.print(&text);
            return Ok(1);
        }
    }
    let resets = settings.iter().any(|(key, _)| key.eq_ignore_ascii_case("rawusage"));
    if resets && kind == "users" && accounts.is_empty() {
        return Err("sacctmgr: error: An account must be specified".to_owned());
    }
    let (mut lines, mut own_lines) = (String::new(), String::new());
    let asked = settings;
    let within: Vec<Option<&String>> =
        if accounts.is_empty() { vec![None] } else { accounts.iter().map(Some).collect() };
    for (name, account) in names.iter().flat_map(|name| within.iter().map(move |account| (name, *account))) {
        let settings = asked.clone();
        let change = match kind {
            "accounts" => AccountingChange::ModifyAccount { name: name.clone(), settings: settings.clone() },
            "users" => AccountingChange::ModifyUser {
                name: name.clone(),
                account: account.cloned(),
                partition: partitions.first().cloned(),
                settings: settings.clone(),
            },
            _ => AccountingChange::ModifyQos { name: name.clone(), settings: settings.clone() },
        };
        let mut touched = changed_entities(cx, kind, name, account, &partitions);
        if kind == "accounts" {
            touched += &inheriting_users(cx, name, &settings);
        }
        match ask.attempt(cx, change) {
            Ok(()) => {
                lines += &touched;
                own_lines += &format!("  {name}\n");
            }
            Err(ChangeError::AccessDenied) => return Err(denied(cx, &asked, name)),
            Err(error @ ChangeError::UnknownOption { .. }) => {
                let text = format!(" {error}\n Use keyword 'where' to modify condition\n");
                // For a QOS the message goes to standard output.
                if kind != "qos" {
                    return Err(text.trim_end().to_owned());
                }
                cx.print(&text);
                return Ok(1);
            }
            Err(ChangeError::NothingModified) => {}
            Err(ChangeError::RawUsage) => {
                return Err(format!("{}: error: Raw usage can only be set to 0 (zero)", cx.name()));
            }
            Err(error @ ChangeError::PreemptionLoop) => {
                return Err(format!("{}: error: {error}\n Error with request: {error}", cx.name()));
            }
            Err(ChangeError::NotAssociated { account, .. }) => {
                cx.print(&format!(
                    " Can't modify because these users aren't associated with new default account '{account}'...\n  U = {name} C = {}\n",
                    cluster(cx)
                ));
                return Ok(1);
            }
            Err(error) => return Err(format!(" Error with request: {error}")),
        }
    }
    if resets {
        let cluster = cluster(cx);
        cx.print(&format!("No cluster specified, resetting on local cluster {cluster}\n"));
        if asked.len() == 1 {
            return Ok(0);
        }
    }
    let nothing = lines.is_empty();
    if nothing && of_itself && !of_assocs {
        cx.line(" Nothing modified");
        return Ok(1);
    }
    if of_itself && !nothing {
        cx.print(&format!(" Modified {kind}...\n{own_lines}"));
        if !of_assocs {
            return Ok(0);
        }
    }
    cx.print(&format!("{heading}{}", if nothing { "  Nothing modified\n" } else { &lines }));
    Ok(u8::from(nothing))
}

/// The lines that name the changed entities.
fn changed_entities(
    cx: &Cx,
    kind: &str,
    name: &str,
    account: Option<&String>,
    partitions: &[String],
) -> String {
    let dbd = &cx.cluster.state().dbd;
    let cluster = cluster(cx);
    match kind {
        "accounts" => account_line(cx, name),
        "users" => dbd
            .assocs
            .iter()
            .filter(|a| {
                !a.deleted
                    && a.user.as_deref() == Some(name)
                    && account.is_none_or(|w| *w == a.account)
                    && (partitions.is_empty() || a.partition.as_ref().is_some_and(|p| partitions.contains(p)))
            })
            .map(|a| {
                let partition = a.partition.as_ref().map_or_else(String::new, |p| format!(" P = {p}"));
                format!("  C = {cluster:<10} A = {:<20} U = {name:<9}{partition}\n", a.account)
            })
            .collect(),
        _ => format!("  {name}\n"),
    }
}

/// `C = lab A = physics of root`, if there is such an account.
pub(super) fn account_line(cx: &Cx, name: &str) -> String {
    let dbd = &cx.cluster.state().dbd;
    let Some(assoc) = dbd.account_assoc(name) else { return String::new() };
    let above = assoc.parent.and_then(|id| dbd.assoc(id));
    let of = above.map_or_else(String::new, |parent| format!(" of {}", parent.account));
    format!("  C = {:<10} A = {name}{of}\n", cluster(cx))
}

/// The users of an account who inherit its new limits or QOS, newest first.
fn inheriting_users(cx: &Cx, account: &str, settings: &[(String, String)]) -> String {
    let limits = settings.iter().any(|(key, _)| key.starts_with("max"));
    let qos = settings.iter().any(|(key, _)| key.starts_with("qos"));
    let cluster = cluster(cx);
    let free = |a: &&slurmdbd::Assoc| {
        a.account == account
            && ((limits && a.limits == slurmdbd::Limits::default()) || (qos && a.qos.is_empty()))
    };
    let mut lines: Vec<String> = (cx.cluster.state().dbd.live().filter(free))
        .filter_map(|a| Some(format!("  C = {cluster:<10} A = {account:<20} U = {:<9}\n", a.user.as_ref()?)))
        .collect();
    lines.reverse();
    lines.concat()
}
