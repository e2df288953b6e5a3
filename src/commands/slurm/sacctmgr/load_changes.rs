//! The changes that `sacctmgr load` lists before it applies them: new accounts and users, associations, and changed
//! settings.

use super::fields::{FIELDS, SacctmgrLine, find};
use crate::slurm::listing::{Listing, ListingStyle};
use base::order::StableSort as _;
use slurmctld::Slurmctld;
use slurmdbd::{Account, AccountingChange, Assoc, DbUser, ROOT, Slurmdbd};

/// The columns of limits, after those that identify an association.
const LIMITS: &[&str] = &[
    "share",
    "grptresmins",
    "grptresrunmins",
    "grptres",
    "grpjobs",
    "grpjobsaccrue",
    "grpmemory",
    "grpnodes",
    "grpsubmit",
    "grpwall",
    "maxtresmins",
    "maxtres",
    "maxtrespernode",
    "maxjobs",
    "maxsubmit",
    "maxnodes",
    "maxwall",
    "qos",
    "defaultqos",
];

/// Lists the changes of a file. With `clean`, everything in the file counts as new.
pub(super) fn tables(
    state: &Slurmctld,
    changes: &[AccountingChange],
    defaults: &[(String, String)],
    clean: bool,
) -> String {
    let dbd = &state.dbd;
    let (mut next, mut out) = (dbd.clone(), String::new());
    for change in changes {
        // A change that cannot be applied is reported when it is attempted.
        next.apply(change, ROOT).ok();
    }
    if clean {
        let root: Vec<Row> = next.account_assoc(ROOT).map(|a| row(a, true)).into_iter().collect();
        out += &associations(state, &root, false);
    }
    let (mut accounts, mut users, mut of_accounts, mut of_users) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        match change {
            AccountingChange::AddAccount { name, settings, .. }
            | AccountingChange::ModifyAccount { name, settings } => {
                let new = dbd.account_assoc(name).is_none();
                accounts.extend(next.accounts.get(name).filter(|_| new));
                if new || clean {
                    of_accounts.extend(next.account_assoc(name).map(|a| row(a, shares(settings))));
                } else if let (Some(old), Some(now)) = (dbd.account_assoc(name), next.account_assoc(name)) {
                    out += &changed(state, old, now, "Account", name);
                }
            }
            AccountingChange::AddUser { name, account, settings, .. }
            | AccountingChange::ModifyUser { name, account: Some(account), settings, .. } => {
                if name == ROOT {
                    continue;
                }
                let mine = |dbd: &Slurmdbd| dbd.user_assoc(name, account, "").cloned();
                let (old, now) = (mine(dbd), mine(&next));
                if old.is_none() && !dbd.users.contains_key(name) {
                    users.push(name.clone());
                }
                let default = defaults.iter().find(|(user, _)| user == name).map(|(_, account)| account);
                if let (Some(user), Some(default)) = (dbd.users.get(name), default)
                    && user.default_account != *default
                {
                    out += &line("Default Account", "User", name, &user.default_account, default);
                }
                match (old, now) {
                    (Some(old), Some(now)) if !clean => out += &changed(state, &old, &now, "User", name),
                    (_, Some(now)) => of_users.push(row(&now, shares(settings))),
                    (_, None) => {}
                }
            }
            _ => {}
        }
    }
    out + &new_accounts(&accounts)
        + &new_users(&next, &users, changes, defaults)
        + &titled("Account Associations\n", associations(state, &of_accounts, false))
        + &titled("User Associations\n", associations(state, &of_users, true))
}

/// An association, and whether its shares were given.
type Row = (Assoc, bool);

fn row(assoc: &Assoc, shares: bool) -> Row {
    (assoc.clone(), shares)
}

fn shares(settings: &[(String, String)]) -> bool {
    settings.iter().any(|(key, _)| key.eq_ignore_ascii_case("fairshare"))
}

fn titled(title: &str, table: String) -> String {
    if table.is_empty() { table } else { format!("{title}{table}") }
}

/// A table that ends with a rule of this width.
fn ended(listing: &Listing, rule: usize, rows: &[Vec<String>]) -> String {
    let mut out = Vec::new();
    listing.head(&mut out);
    rows.iter().for_each(|row| listing.row(&mut out, &|at| row.get(at).cloned().unwrap_or_default()));
    format!("{}{}\n\n", String::from_utf8_lossy(&out), "-".repeat(rule))
}

fn associations(state: &Slurmctld, rows: &[Row], users: bool) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let names: &[&str] = if users { &["user", "account"] } else { &["account", "parentname"] };
    let fields: Vec<_> = names.iter().chain(LIMITS).filter_map(|name| FIELDS.get(find(name)?)).collect();
    let mut listing = Listing::new(ListingStyle::plain());
    fields.iter().enumerate().for_each(|(at, field)| listing.add(at, field.title, field.width));
    let cells = |(assoc, shares): &Row| {
        let line = SacctmgrLine { assoc: Some(assoc), inherited: false, ..SacctmgrLine::empty(state) };
        let text = |title: &str, text: String| if title == "Share" && !shares { String::new() } else { text };
        fields.iter().map(|f| text(f.title, (f.get)(&line))).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    ended(&listing, 62, &rows)
}

fn new_accounts(accounts: &[&Account]) -> String {
    if accounts.is_empty() {
        return String::new();
    }
    let mut listing = Listing::new(ListingStyle::plain());
    [("Name", 10), ("Descr", 20), ("Org", 20), ("QOS", 20)]
        .iter()
        .enumerate()
        .for_each(|(at, (title, width))| listing.add(at, title, *width));
    let cells = |a: &&Account| vec![a.name.clone(), a.description.clone(), a.organization.clone()];
    let rows: Vec<Vec<String>> = accounts.iter().map(cells).collect();
    format!("Accounts\n{}", ended(&listing, 51, &rows))
}

fn new_users(
    next: &Slurmdbd,
    names: &[String],
    changes: &[AccountingChange],
    defaults: &[(String, String)],
) -> String {
    let mut users: Vec<&DbUser> = names.iter().filter_map(|name| next.users.get(name)).collect();
    users.dedup_by_key(|user| user.name.clone());
    if users.is_empty() {
        return String::new();
    }
    let mut listing = Listing::new(ListingStyle::plain());
    let columns = [
        ("Name", 10),
        ("Def Acct", 10),
        ("Def WCKey", 10),
        ("QOS", 20),
        ("Admin", 9),
        ("Coord Accounts", 20),
    ];
    columns.iter().enumerate().for_each(|(at, (title, width))| listing.add(at, title, *width));
    let cells = |user: &&DbUser| {
        let default =
            defaults.iter().find(|(name, _)| *name == user.name).map(|(_, account)| account.clone());
        let coordinates = changes.iter().filter_map(|change| match change {
            AccountingChange::AddCoordinator { account, user: name } if *name == user.name => {
                Some(account.as_str())
            }
            _ => None,
        });
        let level = changes.iter().any(|change| match change {
            AccountingChange::AddUser { name, settings, .. } => {
                *name == user.name && settings.iter().any(|(key, _)| key.eq_ignore_ascii_case("adminlevel"))
            }
            _ => false,
        });
        let mut accounts: Vec<&str> = coordinates.collect();
        accounts.order();
        vec![
            user.name.clone(),
            default.unwrap_or_default(),
            user.default_wckey.clone(),
            String::new(),
            if level { user.admin.text() } else { "Not Set" }.to_owned(),
            accounts.join(","),
        ]
    };
    let rows: Vec<Vec<String>> = users.iter().map(cells).collect();
    format!("Users\n{}", ended(&listing, 51, &rows))
}

/// The changed settings of an association, one line each.
fn changed(state: &Slurmctld, old: &Assoc, now: &Assoc, what: &str, name: &str) -> String {
    let text = |assoc: &Assoc, field: &str| {
        let line = SacctmgrLine { assoc: Some(assoc), inherited: false, ..SacctmgrLine::empty(state) };
        find(field).and_then(|at| FIELDS.get(at)).map(|f| (f.title, (f.get)(&line)))
    };
    let mut out = String::new();
    for field in LIMITS.iter().filter(|field| !matches!(**field, "grpmemory" | "grpnodes" | "maxnodes")) {
        if let (Some((title, before)), Some((_, after))) = (text(old, field), text(now, field))
            && before != after
        {
            out += &line(title, what, name, &before, &after);
        }
    }
    out
}

/// ` Changed Default Account       for User    newbie        staff -> chemistry`.
fn line(setting: &str, what: &str, name: &str, before: &str, after: &str) -> String {
    format!(" Changed {setting:<21} for {what:<7} {name:<10} {before:>8} -> {after}\n")
}
