//! sshare's fields: one table of names, widths (negative: left-justified) and texts.

use super::rows::SshareRow;
use crate::slurm::jobtext::JobView;
use base::order::StableSort as _;
use base::tres::BUILT_IN;
use slurmctld::acct_policy::UsageOwner;

/// A field.
pub struct SshareField {
    /// Name and heading.
    pub name: &'static str,
    /// Default width.
    pub width: i32,
    /// Its text.
    pub get: fn(&JobView, &SshareRow) -> String,
}

const fn f(name: &'static str, width: i32, get: fn(&JobView, &SshareRow) -> String) -> SshareField {
    SshareField { name, width, get }
}

pub const FIELDS: &[SshareField] = &[
    f("Account", -20, |_, r| format!("{}{}", " ".repeat(r.indent), r.assoc.account)),
    f("User", 10, |_, r| r.assoc.user.clone().unwrap_or_default()),
    f("GrpTRESMins", 30, |_, r| {
        amounts(r.assoc.limits.grp_tres_mins.iter().map(|(name, most)| (name.clone(), *most)))
    }),
    f("Cluster", 10, |v, _| v.state.dbd.cluster.clone()),
    f("TRESRunMins", 30, run_minutes),
    f("EffectvUsage", 13, |_, r| format!("{:.6}", r.assoc.fair.effective)),
    f("FairShare", 10, |_, r| users_only(r, format!("{:.6}", r.assoc.fair.factor))),
    f("GrpTRESRaw", 30, used_minutes),
    f("ID", 6, |_, r| r.assoc.id.0.to_string()),
    f("LevelFS", 10, |_, r| {
        let level = r.assoc.shares.filter(|_| r.assoc.parent.is_some()).map(|_| r.assoc.fair.level);
        level.map_or_else(String::new, |l| format!("{l:.6}"))
    }),
    // priority/basic uses neither shares nor usage.
    f("NormShares", 11, |v, r| {
        let counted = v.state.cluster.global.priority.multifactor;
        if counted { format!("{:.6}", r.assoc.fair.shares) } else { String::new() }
    }),
    f("NormUsage", 11, |_, r| {
        below_root(r, r.assoc.fair.usage.map_or_else(String::new, |u| format!("{u:.6}")))
    }),
    f("Partition", 12, |_, r| r.assoc.partition.clone().unwrap_or_default()),
    f("RawShares", 10, |_, r| {
        below_root(r, r.assoc.shares.map_or_else(|| "parent".to_owned(), |s| s.to_string()))
    }),
    f("RawUsage", 11, |_, r| format!("{:.0}", r.assoc.usage.raw.trunc())),
];

/// The field with this name or prefix, and its index in the table.
pub fn find(name: &str) -> Option<(usize, &'static SshareField)> {
    let begins = |f: &SshareField| f.name.get(..name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name));
    let same = FIELDS.iter().position(|f| f.name.eq_ignore_ascii_case(name));
    let at = same.or_else(|| FIELDS.iter().position(begins))?;
    Some((at, FIELDS.get(at)?))
}

/// The output of `--helpformat`.
pub fn listing() -> String {
    let mut out = String::new();
    let mut names: Vec<&str> = FIELDS.iter().map(|f| f.name).collect();
    names.order();
    for row in names.chunks(4) {
        out += &row.iter().map(|name| format!("{name:<17}")).collect::<Vec<_>>().join(" ");
        out.push('\n');
    }
    out
}

fn below_root(row: &SshareRow, text: String) -> String {
    if row.assoc.parent.is_some() { text } else { String::new() }
}

fn users_only(row: &SshareRow, text: String) -> String {
    if row.assoc.user.is_some() { text } else { String::new() }
}

fn amounts(all: impl Iterator<Item = (String, u64)>) -> String {
    all.map(|(name, amount)| format!("{name}={amount}")).collect::<Vec<_>>().join(",")
}

/// All tracked TRES, ordered by id.
fn tracked(view: &JobView) -> impl Iterator<Item = String> {
    let gres = view.state.cluster.global.tracked_gres.iter().map(|name| format!("gres/{name}"));
    BUILT_IN.iter().map(|name| (*name).to_owned()).chain(gres)
}

/// Minutes that running jobs may still use, at the last period.
fn run_minutes(view: &JobView, row: &SshareRow) -> String {
    let counters = &view.state.limits;
    let used = counters.of(UsageOwner::Assoc(row.assoc.id));
    amounts(tracked(view).map(|name| {
        let minutes = used.map_or(0, |u| counters.run_seconds(u, &name, view.now)) / 60;
        (name, minutes)
    }))
}

/// Decayed usage in minutes.
fn used_minutes(view: &JobView, row: &SshareRow) -> String {
    let used = &row.assoc.usage.tres;
    // Not negative, and far below 2^53.
    amounts(tracked(view).map(|name| {
        let minutes = (used.get(&name).copied().unwrap_or(0.0) / 60.0) as u64;
        (name, minutes)
    }))
}
