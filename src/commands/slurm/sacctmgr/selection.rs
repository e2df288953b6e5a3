//! Which entities `modify` and `delete` mean: names and conditions. Mirrors sacctmgr(1), "SPECIFICATIONS FOR ACCOUNTS, USERS, QOS".
//!
//! What an entity's own properties select cannot be combined with changes of associations, as in a real sacctmgr (22.05).

use super::{list, pairs, settings};
use crate::Cx;
use slurmdbd::Assoc;

/// A condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntityCondition {
    Name,
    Account,
    AdminLevel,
    Cluster,
    DefaultAccount,
    DefaultKey,
    Description,
    Id,
    Organization,
    Parent,
    Partition,
    PreemptMode,
    Qos,
    User,
}

use EntityCondition::{
    Account, AdminLevel, Cluster, DefaultAccount, DefaultKey, Description, Id, Name, Organization, Parent,
    Partition, PreemptMode, Qos, User,
};

const OF_USERS: &[(&str, EntityCondition)] = &[
    ("names", Name),
    ("users", Name),
    ("accounts", Account),
    ("acct", Account),
    ("adminlevels", AdminLevel),
    ("clusters", Cluster),
    ("defaultaccounts", DefaultAccount),
    ("defaultwckeys", DefaultKey),
    ("ids", Id),
    ("parents", Parent),
    ("partitions", Partition),
    ("qoslevel", Qos),
];
const OF_ACCOUNTS: &[(&str, EntityCondition)] = &[
    ("names", Name),
    ("accounts", Name),
    ("acct", Name),
    ("clusters", Cluster),
    ("descriptions", Description),
    ("ids", Id),
    ("organizations", Organization),
    ("parents", Parent),
    ("qoslevel", Qos),
    ("users", User),
];
const OF_QOS: &[(&str, EntityCondition)] = &[
    ("names", Name),
    ("qoslevel", Name),
    ("clusters", Cluster),
    ("descriptions", Description),
    ("ids", Id),
    ("preemptmode", PreemptMode),
];

/// The names of the conditions on each entity.
pub fn names() -> [(&'static str, Vec<&'static str>); 3] {
    [("accounts", OF_ACCOUNTS), ("users", OF_USERS), ("qos", OF_QOS)]
        .map(|(kind, table)| (kind, table.iter().map(|(name, _)| *name).collect()))
}

/// What was selected.
#[derive(Default)]
pub struct EntitySelection {
    /// The entities' names in lower case.
    pub names: Vec<String>,
    /// Only associations with these accounts and partitions; empty: all.
    pub accounts: Vec<String>,
    pub partitions: Vec<String>,
    /// Names or conditions were given.
    pub any: bool,
    /// Only conditions on the entities themselves were given: no associations can be changed.
    pub only_itself: bool,
    /// A condition on associations was given besides names.
    pub of_assocs: bool,
}

/// The message about a condition that an entity does not have.
pub fn unknown(kind: &str, key: &str, value: &str) -> String {
    let text = format!(" Unknown condition: {key}={value}");
    match kind {
        "accounts" | "users" => text + "\n Use keyword 'set' to modify value",
        "qos" => text + "\n Use keyword 'set' to modify SLURM_PRINT_VALUE",
        _ => text,
    }
}

/// Reads names and conditions.
///
/// # Errors
/// An unknown condition.
pub fn read(cx: &Cx, kind: &str, words: &[String]) -> Result<EntitySelection, String> {
    let table = match kind {
        "users" => OF_USERS,
        "accounts" => OF_ACCOUNTS,
        _ => OF_QOS,
    };
    let mut named: Option<Vec<String>> = None;
    let mut conditions: Vec<(EntityCondition, Vec<String>)> = Vec::new();
    for (key, value) in pairs(words) {
        let (condition, values) = match value {
            None if key.eq_ignore_ascii_case("where") || key.eq_ignore_ascii_case("set") => continue,
            None if key.to_ascii_lowercase().starts_with("with") => continue,
            None => (Name, key),
            Some(value) => {
                let known = table.iter().find(|(name, _)| !key.is_empty() && name.starts_with(&key));
                let (_, condition) = *known.ok_or_else(|| unknown(kind, &key, &value))?;
                if condition == Qos
                    && let Some(text) = settings::unknown_qos(cx, &value)
                {
                    return Err(format!("{text}\n{}", unknown(kind, &key, &value)));
                }
                (condition, value)
            }
        };
        let values = list(&values.to_ascii_lowercase());
        if condition == Name {
            named.get_or_insert_default().extend(values);
        } else {
            conditions.push((condition, values));
        }
    }
    Ok(select(cx, kind, named, &conditions))
}

fn select(
    cx: &Cx,
    kind: &str,
    named: Option<Vec<String>>,
    conditions: &[(EntityCondition, Vec<String>)],
) -> EntitySelection {
    let itself = |c: EntityCondition| match c {
        AdminLevel | DefaultAccount | DefaultKey | Description | Organization => true,
        // Of users, a cluster alone is no selection of associations.
        Cluster => kind == "users",
        Name | Account | Id | Parent | Partition | PreemptMode | Qos | User => false,
    };
    let own = conditions.iter().any(|(c, _)| itself(*c));
    let of_assocs = conditions.iter().any(|(c, _)| !itself(*c));
    let all = || all_names(cx, kind);
    let mut selection = EntitySelection {
        any: named.is_some() || !conditions.is_empty(),
        only_itself: own && !of_assocs && named.is_none() && kind != "qos",
        of_assocs: of_assocs || conditions.iter().any(|(c, _)| *c == Cluster),
        names: named.unwrap_or_else(all),
        ..EntitySelection::default()
    };
    for (condition, values) in conditions {
        match condition {
            Account => selection.accounts.clone_from(values),
            Partition => selection.partitions.clone_from(values),
            condition => selection.names.retain(|name| holds(cx, kind, name, *condition, values)),
        }
    }
    selection
}

/// Whether an entity meets a condition.
fn holds(cx: &Cx, kind: &str, name: &str, condition: EntityCondition, values: &[String]) -> bool {
    let dbd = &cx.cluster.state().dbd;
    let is = |text: &str| values.iter().any(|value| value.eq_ignore_ascii_case(text));
    let user = || dbd.users.get(name);
    let account = || dbd.accounts.get(name);
    let qos = || dbd.qos.iter().find(|q| !q.deleted && q.name == name);
    let own = |a: &&Assoc| match kind {
        "users" => a.user.as_deref() == Some(name),
        _ => a.user.is_none() && a.account == name,
    };
    match condition {
        Cluster => kind != "qos" && is(&dbd.cluster),
        AdminLevel => user().is_some_and(|u| {
            values.iter().any(|v| u.admin.text().to_ascii_lowercase().starts_with(v.as_str()))
        }),
        DefaultAccount => dbd.default_account(name).is_some_and(is),
        DefaultKey => user().is_some_and(|u| is(&u.default_wckey)),
        Description if kind == "qos" => qos().is_some_and(|q| is(&q.description)),
        Description => account().is_some_and(|a| is(&a.description)),
        Organization => account().is_some_and(|a| is(&a.organization)),
        Id if kind == "qos" => qos().is_some_and(|q| is(&q.id.to_string())),
        Id => dbd.live().filter(own).any(|a| is(&a.id.to_string())),
        Parent => {
            let above = |a: &Assoc| a.parent.and_then(|p| dbd.assoc(p)).is_some_and(|p| is(&p.account));
            kind == "accounts" && dbd.live().filter(own).any(above)
        }
        PreemptMode => qos().is_some_and(|q| is(&q.preempt_mode)),
        Name | Account | Partition | Qos | User => false,
    }
}

/// All entities of a kind.
fn all_names(cx: &Cx, kind: &str) -> Vec<String> {
    let dbd = &cx.cluster.state().dbd;
    match kind {
        "users" => dbd.users.keys().cloned().collect(),
        "qos" => dbd.qos.iter().filter(|q| !q.deleted).map(|q| q.name.clone()).collect(),
        _ => dbd.live().filter(|a| a.user.is_none()).map(|a| a.account.clone()).collect(),
    }
}
