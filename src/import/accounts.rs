//! Accounts, users and QOS of an imported site, as `accounts.sh` and `site.toml`.
//!
//! They come from `sacctmgr dump`, or from the tables of `sacctmgr show assoc -P` and `show qos -P`. Users and accounts
//! that appear only in the history are added, so that their jobs are accepted.

use crate::findings::ImportFindings;
use crate::history::HistoryTotals;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Maximum number of users of a site.
const MAX_USERS: usize = 2000;

/// Options of `sacctmgr add user|account` by the columns of `show assoc`.
const ASSOC: &[(&str, &str)] = &[
    ("Share", "fairshare"),
    ("Priority", "priority"),
    ("GrpJobs", "grpjobs"),
    ("GrpTRES", "grptres"),
    ("GrpSubmit", "grpsubmitjobs"),
    ("GrpWall", "grpwall"),
    ("GrpTRESMins", "grptresmins"),
    ("GrpTRESRunMins", "grptresrunmins"),
    ("MaxJobs", "maxjobs"),
    ("MaxTRES", "maxtresperjob"),
    ("MaxTRESPerNode", "maxtrespernode"),
    ("MaxSubmit", "maxsubmitjobs"),
    ("MaxWall", "maxwall"),
    ("MaxTRESMins", "maxtresminsperjob"),
    ("QOS", "qos"),
    ("Def QOS", "defaultqos"),
];
/// Options of `sacctmgr modify qos` by the columns of `show qos`, and the value that means no limit.
const QOS: &[(&str, &str, &str)] = &[
    ("Priority", "priority", "0"),
    ("GraceTime", "gracetime", "00:00:00"),
    ("Preempt", "preempt", ""),
    ("PreemptExemptTime", "preemptexempttime", ""),
    ("PreemptMode", "preemptmode", "cluster"),
    ("Flags", "flags", ""),
    ("UsageThres", "usagethreshold", ""),
    ("UsageFactor", "usagefactor", "1.000000"),
    ("GrpTRES", "grptres", ""),
    ("GrpTRESMins", "grptresmins", ""),
    ("GrpTRESRunMins", "grptresrunmins", ""),
    ("GrpJobs", "grpjobs", ""),
    ("GrpSubmit", "grpsubmitjobs", ""),
    ("GrpWall", "grpwall", ""),
    ("MaxTRES", "maxtresperjob", ""),
    ("MaxTRESPerNode", "maxtrespernode", ""),
    ("MaxTRESMins", "maxtresminsperjob", ""),
    ("MaxWall", "maxwall", ""),
    ("MaxTRESPU", "maxtresperuser", ""),
    ("MaxJobsPU", "maxjobsperuser", ""),
    ("MaxSubmitPU", "maxsubmitjobsperuser", ""),
    ("MaxTRESPA", "maxtresperaccount", ""),
    ("MaxJobsPA", "maxjobsperaccount", ""),
    ("MaxSubmitPA", "maxsubmitjobsperaccount", ""),
    ("MinTRES", "mintresperjob", ""),
];

/// An export's texts about accounts.
#[derive(Default)]
pub struct AccountTexts {
    /// Name and text of a file in the format of `sacctmgr dump`.
    pub dump: Option<(String, String)>,
    /// `sacctmgr show assoc -P`.
    pub assoc: Option<(String, String)>,
    /// `sacctmgr show qos -P`.
    pub qos: Option<(String, String)>,
}

/// The files of a site that create its users and accounts.
pub fn files(
    texts: &AccountTexts,
    totals: &HistoryTotals,
    findings: &mut ImportFindings,
) -> BTreeMap<String, String> {
    let mut script = String::from("# Written by `sandbatch import`.\n");
    let mut known = KnownAccounts::default();
    let mut files = BTreeMap::new();
    let mut commands = String::new();
    if let Some((_, text)) = &texts.dump {
        known.of_dump(text);
        files.insert("sacctmgr.dump".to_owned(), text.clone());
        script += "sacctmgr -i -Q load file=/etc/slurm/sacctmgr.dump > /dev/null\n";
    } else {
        if let Some((file, text)) = &texts.qos {
            qos(file, text, &mut known, &mut commands, findings);
        }
        if let Some((file, text)) = &texts.assoc {
            assoc(file, text, &mut known, &mut commands, findings);
        }
        if texts.assoc.is_none() && !totals.users.is_empty() {
            findings.guess("no `sacctmgr dump` or `show assoc`: accounts and users are those of the jobs, with equal shares", "accounts.sh", 0, "");
        }
    }
    missing(totals, &mut known, &mut commands, findings);
    if !commands.is_empty() {
        let _ = write!(script, "sacctmgr -i -Q > /dev/null << 'END'\n{commands}END\n");
    }
    files.insert("accounts.sh".to_owned(), script + "true\n");
    files.insert("site.toml".to_owned(), site_toml(&known.users, totals));
    files
}

/// The users and accounts that the commands so far have created.
#[derive(Default)]
struct KnownAccounts {
    qos: BTreeSet<String>,
    accounts: BTreeSet<String>,
    /// User and account.
    pairs: BTreeSet<(String, String)>,
    /// In order.
    users: Vec<String>,
}

impl KnownAccounts {
    fn user(&mut self, user: &str, account: &str) {
        if !self.users.iter().any(|u| u == user) && user != "root" {
            self.users.push(user.to_owned());
        }
        self.pairs.insert((user.to_owned(), account.to_owned()));
    }

    fn of_dump(&mut self, text: &str) {
        let mut parent = String::new();
        for line in text.lines() {
            let Some((kind, rest)) = line.split_once(" - '") else { continue };
            let Some(name) = rest.split('\'').next() else { continue };
            match kind.trim() {
                "QOS" => drop(self.qos.insert(name.to_owned())),
                "Account" => drop(self.accounts.insert(name.to_owned())),
                "Parent" => name.clone_into(&mut parent),
                "User" => self.user(name, &parent),
                _ => {}
            }
        }
        self.accounts.insert("root".to_owned());
    }
}

/// The rows of a table of `sacctmgr -P`, by heading.
fn table<'t>(text: &'t str, needs: &str) -> Option<Vec<(u32, BTreeMap<&'t str, &'t str>)>> {
    let mut lines = text.lines().zip(1..);
    let heading: Vec<&str> = lines.next()?.0.split('|').collect();
    heading.contains(&needs).then(|| {
        let rows = lines.filter(|(line, _)| !line.trim().is_empty());
        rows.map(|(line, number)| (number, heading.iter().copied().zip(line.split('|')).collect())).collect()
    })
}

/// A value that can be used in a command.
fn value(text: &str) -> Option<&str> {
    let text = text.trim();
    (!text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "'\"|".contains(c)))
        .then_some(text)
}

fn qos(
    file: &str,
    text: &str,
    known: &mut KnownAccounts,
    commands: &mut String,
    findings: &mut ImportFindings,
) {
    let Some(rows) = table(text, "Name") else {
        return findings.leave_out("not a table of QOS", file, 1, "");
    };
    let names: Vec<&str> = rows.iter().filter_map(|(_, row)| value(row.get("Name")?)).collect();
    for name in names.iter().filter(|name| **name != "normal") {
        let _ = writeln!(commands, "add qos {name}");
    }
    known.qos.extend(names.into_iter().map(str::to_owned));
    for (line, row) in rows {
        let Some(name) = row.get("Name").and_then(|n| value(n)) else {
            findings.leave_out("a QOS without a usable name", file, line, "");
            continue;
        };
        let mut set = String::new();
        for (column, option, none) in QOS {
            if let Some(text) = row.get(column).and_then(|v| value(v)).filter(|v| v != none) {
                let _ = write!(set, " {option}={text}");
            }
        }
        if !set.is_empty() {
            let _ = writeln!(commands, "modify qos {name} set{set}");
        }
    }
}

fn assoc(
    file: &str,
    text: &str,
    known: &mut KnownAccounts,
    commands: &mut String,
    findings: &mut ImportFindings,
) {
    let Some(rows) = table(text, "Account") else {
        return findings.leave_out("not a table of associations", file, 1, "");
    };
    for (line, row) in rows {
        let get = |column: &str| row.get(column).and_then(|v| value(v));
        let Some(account) = get("Account") else {
            findings.leave_out("an association without a usable account", file, line, "");
            continue;
        };
        let mut set = String::new();
        for (column, option) in ASSOC {
            if let Some(text) = get(column) {
                let _ = write!(set, " {option}={text}");
            }
        }
        match get("User") {
            Some(user) => {
                let partition = get("Partition").map(|p| format!(" partition={p}")).unwrap_or_default();
                let _ = writeln!(commands, "add user {user} account={account}{partition}{set}");
                known.user(user, account);
            }
            None if account == "root" => {
                if let Some(qos) = get("QOS") {
                    let _ = writeln!(commands, "modify account root set qos={qos}");
                }
                known.accounts.insert(account.to_owned());
            }
            None => {
                let parent = get("ParentName").or_else(|| get("Par Name")).unwrap_or("root");
                let _ = writeln!(commands, "add account {account} parent={parent}{set}");
                known.accounts.insert(account.to_owned());
            }
        }
    }
}

/// Adds users and accounts that appear only in jobs.
fn missing(
    totals: &HistoryTotals,
    known: &mut KnownAccounts,
    commands: &mut String,
    findings: &mut ImportFindings,
) {
    let described = !known.accounts.is_empty();
    let mut added_qos = Vec::new();
    for qos in totals.qos.iter().filter(|q| *q != "normal") {
        if value(qos).is_some() && known.qos.insert(qos.clone()) {
            let _ = writeln!(commands, "add qos {qos}");
            findings.guess("a QOS of jobs that no list describes: without limits", "accounts.sh", 0, qos);
            added_qos.push(qos.as_str());
        }
    }
    let all: Vec<&str> = std::iter::once("normal")
        .chain(totals.qos.iter().map(String::as_str).filter(|q| *q != "normal"))
        .collect();
    let qos = if described { String::new() } else { format!(" qos={}", all.join(",")) };
    for (user, accounts) in &totals.users {
        if value(user).is_none() {
            findings.leave_out("a user whose name cannot be used", "accounts.sh", 0, user);
            continue;
        }
        if known.users.len() >= MAX_USERS && !known.users.contains(user) {
            findings.leave_out(
                "more users than a site can have: the jobs of the least busy are left out",
                "site.toml",
                0,
                user,
            );
            continue;
        }
        if !known.users.contains(user) {
            known.users.push(user.clone());
        }
        for account in accounts.iter().filter_map(|a| value(a)) {
            if known.accounts.insert(account.to_owned()) {
                let _ = writeln!(commands, "add account {account}");
                if described {
                    findings.guess("an account of jobs that no list describes", "accounts.sh", 0, account);
                }
            }
            if known.pairs.insert((user.clone(), account.to_owned())) {
                let _ = writeln!(commands, "add user {user} account={account}{qos}");
                if described {
                    findings.guess(
                        "a user of jobs who is in no list of associations",
                        "accounts.sh",
                        0,
                        user,
                    );
                }
            }
        }
    }
    if described && !added_qos.is_empty() {
        let accounts: Vec<&str> = known.accounts.iter().map(String::as_str).collect();
        let _ = writeln!(commands, "modify account {} set qos+={}", accounts.join(","), added_qos.join(","));
    }
}

/// `site.toml`: users, and whether their names are real or pseudonyms.
fn site_toml(users: &[String], totals: &HistoryTotals) -> String {
    let mut text = String::from("# Written by `sandbatch import`.\n");
    if let (Some(began), Some(ended)) = (totals.began, totals.ended) {
        let _ = writeln!(text, "# {} jobs from {began} to {ended}.", totals.jobs);
    }
    for user in users.iter().take(MAX_USERS) {
        let plain: String =
            user.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).collect();
        let _ = write!(text, "[[users]]\nname = \"{plain}\"\n");
    }
    text
}
