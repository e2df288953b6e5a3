//! `scontrol show assoc_mgr`: limits as slurmctld knows them, each with its usage in parentheses.

use crate::Cx;
use crate::slurm::jobtext::JobView;
use crate::slurm::private::PrivateKind;
use base::ids::{AssocId, QosId, Uid};
use base::order::StableSort as _;
use base::time::Limit;
use base::tres::BUILT_IN;
use slurmctld::acct_policy::{UsageOwner, Used};
use slurmdbd::{AdminLevel, Assoc, Limits, Qos};
use std::collections::BTreeMap;

/// The selection.
#[derive(Default)]
struct AssocMgrSelection {
    flags: Vec<String>,
    accounts: Vec<String>,
    users: Vec<String>,
    qos: Vec<String>,
}

impl AssocMgrSelection {
    fn of(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let list = value.split(',').filter(|v| !v.is_empty()).map(str::to_ascii_lowercase).collect();
            match key.to_ascii_lowercase().as_str() {
                "flags" | "flag" => {
                    let list: Vec<String> = list;
                    let known = |f: &&String| {
                        ["assoc", "qos", "users", "all"].iter().any(|k| k.starts_with(f.as_str()))
                    };
                    if let Some(bad) = list.iter().find(|f| !known(f)) {
                        return Err(format!(
                            "invalid flag '{bad}', valid options are 'Assoc, QOS, and/or Users'"
                        ));
                    }
                    wish.flags = list;
                }
                "accounts" | "account" => wish.accounts = list,
                "users" | "user" => wish.users = list,
                "qos" => wish.qos = list,
                _ => return Err(format!("No value given for option {word}")),
            }
        }
        Ok(wish)
    }

    fn section(&self, name: &str) -> bool {
        self.flags.is_empty()
            || self.flags.iter().any(|f| f == "all" || f.starts_with(name) || name.starts_with(f))
    }
}

fn named(list: &[String], name: &str) -> bool {
    list.is_empty() || list.iter().any(|n| n.eq_ignore_ascii_case(name))
}

/// `show assoc_mgr [flags=...] [accounts=...] [users=...] [qos=...]`.
pub fn show(cx: &mut Cx, words: &[&str]) -> Result<(), String> {
    let wish = match AssocMgrSelection::of(words) {
        Ok(wish) => wish,
        Err(text) => {
            cx.complain(&text);
            return Ok(());
        }
    };
    let view = JobView::of(cx);
    let mut out = String::from("Current Association Manager state\n");
    if wish.section("users") {
        out += "\nUser Records\n\n";
        let me = view.state.user_name(view.asker);
        let seen = |name: &str| view.sees(PrivateKind::Users) || me == name;
        let all = view.state.dbd.users.values().filter(|u| named(&wish.users, &u.name) && seen(&u.name));
        for user in all {
            let admin = match user.admin {
                AdminLevel::None => "None",
                AdminLevel::Operator => "Operator",
                AdminLevel::Administrator => "Administrator",
            };
            let who = person(&view, &user.name);
            out += &format!(
                "UserName={who} DefAccount={} DefWckey={} AdminLevel={admin}\n",
                user.default_account, user.default_wckey
            );
        }
    }
    if wish.section("assoc") {
        out += "\nAssociation Records\n\n";
        let wanted = |a: &Assoc| {
            view.sees_usage(a)
                && named(&wish.accounts, &a.account)
                && a.user.as_deref().is_none_or(|u| named(&wish.users, u))
        };
        in_tree(&view).into_iter().filter(|a| wanted(a)).for_each(|a| out += &association(&view, a));
    }
    if wish.section("qos") {
        out += "\nQOS Records\n\n";
        let all = view.state.dbd.qos.iter().filter(|q| !q.deleted && named(&wish.qos, &q.name));
        all.for_each(|q| out += &of_qos(&view, q, &wish));
    }
    cx.print(&out);
    Ok(())
}

/// `alice(1001)`.
fn person(view: &JobView, name: &str) -> String {
    let uid = view.state.people.iter().find(|p| p.1 == name).map_or(u32::MAX - 1, |p| p.0.0);
    format!("{name}({uid})")
}

/// Associations before their children: users first, both by name.
fn in_tree<'a>(view: &JobView<'a>) -> Vec<&'a Assoc> {
    let dbd = &view.state.dbd;
    let mut found = Vec::new();
    let mut stack: Vec<&Assoc> = dbd.live().filter(|a| a.parent.is_none()).collect();
    while let Some(assoc) = stack.pop() {
        found.push(assoc);
        let mut below = dbd.children(assoc.id);
        below.reverse();
        stack.extend(below);
    }
    found
}

/// All TRES of the cluster, by ID.
fn tracked(view: &JobView) -> Vec<String> {
    let gres = &view.state.cluster.global.tracked_gres;
    BUILT_IN.iter().map(|name| (*name).to_owned()).chain(gres.iter().map(|g| format!("gres/{g}"))).collect()
}

/// `cpu=24(8),mem=N(100)`: limits with their usage.
fn pairs(view: &JobView, limits: &BTreeMap<String, u64>, used: impl Fn(&str) -> u64) -> String {
    let one = |name: &String| {
        let limit = limits.get(name).map_or_else(|| "N".to_owned(), u64::to_string);
        format!("{name}={limit}({})", used(name))
    };
    tracked(view).iter().map(one).collect::<Vec<_>>().join(",")
}

/// `cpu=8,gres/gpu=2`: limits without usage.
fn plain(view: &JobView, limits: &BTreeMap<String, u64>) -> String {
    let one = |name: &String| limits.get(name).map(|n| format!("{name}={n}"));
    tracked(view).iter().filter_map(one).collect::<Vec<_>>().join(",")
}

fn count(limit: Option<u32>, used: u32) -> String {
    format!("{}({used})", limit.map_or_else(|| "N".to_owned(), |n| n.to_string()))
}

/// A limit that is omitted if it is not set.
fn set(limit: Option<u32>, used: u32) -> String {
    limit.map_or_else(String::new, |n| format!("{n}({used})"))
}

fn minutes(limit: Option<Limit>) -> String {
    match limit {
        Some(Limit::Minutes(m)) => m.to_string(),
        Some(Limit::Unlimited) | None => String::new(),
    }
}

fn number(limit: Option<u32>) -> String {
    limit.map_or_else(String::new, |n| n.to_string())
}

/// The limits and usage of an association or a QOS.
struct Numbers<'a> {
    view: &'a JobView<'a>,
    owner: UsageOwner,
    used: Used,
}

impl<'a> Numbers<'a> {
    fn of(view: &'a JobView<'a>, owner: UsageOwner) -> Self {
        Self { view, owner, used: view.state.limits.of(owner).cloned().unwrap_or_default() }
    }

    fn held(&self, limits: &BTreeMap<String, u64>) -> String {
        let nodes = self.view.state.nodes_used_by(self.owner);
        pairs(self.view, limits, |name| if name == "node" { nodes } else { self.used.held(name) })
    }

    fn run_minutes(&self, limits: &BTreeMap<String, u64>) -> String {
        let counters = &self.view.state.limits;
        pairs(self.view, limits, |name| counters.run_seconds(&self.used, name, self.view.now) / 60)
    }

    /// The lines that associations and QOS share.
    fn group(&self, limits: &Limits, wall: f64) -> String {
        let spent = |name: &str| self.view.state.spent_minutes(self.owner, Some(name));
        let wall_limit = number(limits.grp_wall);
        let wall_limit = if wall_limit.is_empty() { "N" } else { &wall_limit };
        let between = if matches!(self.owner, UsageOwner::Qos(_)) { " " } else { "\n    " };
        format!(
            "    GrpJobs={} GrpJobsAccrue={}{between}GrpSubmitJobs={} GrpWall={wall_limit}({:.2})\n    \
             GrpTRES={}\n    GrpTRESMins={}\n    GrpTRESRunMins={}\n",
            count(limits.grp_jobs, self.used.jobs),
            count(limits.grp_jobs_accrue, self.used.accruing),
            count(limits.grp_submit, self.used.submitted),
            wall / 60.0,
            self.held(&limits.grp_tres),
            pairs(self.view, &limits.grp_tres_mins, spent),
            self.run_minutes(&limits.grp_tres_run_mins),
        )
    }
}

fn association(view: &JobView, a: &Assoc) -> String {
    let dbd = &view.state.dbd;
    let user = a.user.as_deref().map_or_else(String::new, |u| person(view, u));
    let level: u32 = match a.parent {
        Some(parent) => dbd.children(parent).iter().filter_map(|s| s.shares).sum(),
        None => 1,
    };
    let fair = a.fair;
    let shares = a.shares.map_or_else(|| "parent".to_owned(), |s| s.to_string());
    let factor = if a.user.is_some() { fair.factor } else { 0.0 };
    let (usage, effective) =
        if a.parent.is_none() { (1.0, 1.0) } else { (fair.usage.unwrap_or(0.0), fair.effective) };
    let parent = a.parent.and_then(|p| dbd.assoc(p)).filter(|_| a.user.is_none());
    let parent = parent.map_or_else(String::new, |p| format!("{}({})", p.account, p.id));
    let default = a.user.as_deref().is_some_and(|u| dbd.default_account(u) == Some(&*a.account));
    let numbers = Numbers::of(view, UsageOwner::Assoc(a.id));
    let used = &numbers.used;
    let limits = &a.limits;
    format!(
        "ClusterName={} Account={} UserName={user} Partition={} Priority={} ID={}\n    \
         SharesRaw/Norm/Level/Factor={shares}/{:.2}/{level}/{factor:.2}\n    \
         UsageRaw/Norm/Efctv={:.2}/{usage:.2}/{effective:.2}\n    \
         ParentAccount={parent} Lineage={} DefAssoc={}\n{}    \
         MaxJobs={} MaxJobsAccrue={} MaxSubmitJobs={} MaxWallPJ={}\n    \
         MaxTRESPJ={}\n    MaxTRESPN={}\n    MaxTRESMinsPJ={}\n    MinPrioThresh={}\n    Comment=(null)\n",
        dbd.cluster,
        a.account,
        a.partition.as_deref().unwrap_or(""),
        a.priority,
        a.id,
        fair.shares,
        a.usage.raw,
        lineage(view, a.id),
        if default { "Yes" } else { "No" },
        numbers.group(limits, a.usage.wall),
        set(limits.max_jobs, used.jobs),
        set(limits.max_jobs_accrue, used.accruing),
        set(limits.max_submit, used.submitted),
        minutes(limits.max_wall),
        plain(view, &limits.max_tres),
        plain(view, &limits.max_tres_per_node),
        plain(view, &limits.max_tres_mins),
        number(limits.min_prio_thresh),
    )
}

/// `/science/chemistry/0-carol/`; root's is `/`.
fn lineage(view: &JobView, id: AssocId) -> String {
    let mut parts: Vec<String> = Vec::new();
    for a in view.state.dbd.chain(id).filter(|a| a.parent.is_some()) {
        parts.push(a.user.as_ref().map_or_else(|| a.account.clone(), |u| format!("0-{u}")));
    }
    parts.reverse();
    parts.iter().fold("/".to_owned(), |text, part| text + part + "/")
}

fn of_qos(view: &JobView, qos: &Qos, wish: &AssocMgrSelection) -> String {
    let numbers = Numbers::of(view, UsageOwner::Qos(qos.id));
    let limits = &qos.limits;
    let mode = qos.preempt_mode.to_ascii_uppercase();
    let mut out = format!(
        "QOS={}({})\n    UsageRaw={:.6}\n{}    MaxWallPJ={}\n    MaxTRESPJ={}\n    MaxTRESPN={}\n    \
         MaxTRESMinsPJ={}\n    MinPrioThresh={} \n    MinTRESPJ={}\n    PreemptMode={}\n    Priority={}\n",
        qos.name,
        qos.id,
        qos.usage.raw,
        numbers.group(limits, qos.usage.wall),
        minutes(limits.max_wall),
        plain(view, &limits.max_tres),
        plain(view, &limits.max_tres_per_node),
        plain(view, &limits.max_tres_mins),
        number(limits.min_prio_thresh),
        plain(view, &limits.min_tres),
        if mode == "CLUSTER" { "OFF" } else { &mode },
        qos.priority,
    );
    out += &within(view, qos, true, |name| named(&wish.accounts, name));
    out + &within(view, qos, false, |name| named(&wish.users, name))
}

/// "Account Limits" or "User Limits" of a QOS.
fn within(view: &JobView, qos: &Qos, accounts: bool, wanted: impl Fn(&str) -> bool) -> String {
    let name = |key: u32| match accounts {
        true => view.state.dbd.assoc(AssocId(key)).map(|a| a.account.clone()).unwrap_or_default(),
        false => view.state.user_name(Uid(key)),
    };
    let mut found: Vec<(String, u32)> =
        view.state.limits.within(qos.id, accounts).map(|e| (name(e.0), e.0)).collect();
    found.retain(|e| wanted(&e.0));
    found.order();
    let (kind, short) = if accounts { ("Account", "PA") } else { ("User", "PU") };
    let mut out = format!("    {kind} Limits\n");
    if found.is_empty() {
        out += &format!("        No {kind}s\n");
    }
    for (name, key) in found {
        let heading = if accounts { name } else { format!("{name}({key})") };
        out += &format!("      {heading}\n{}", of_part(view, qos, key, accounts, short));
    }
    out
}

/// The numbers of one user or account within a QOS.
fn of_part(view: &JobView, qos: &Qos, key: u32, accounts: bool, short: &str) -> String {
    let id: QosId = qos.id;
    let owner = if accounts { UsageOwner::Account(id, AssocId(key)) } else { UsageOwner::User(id, Uid(key)) };
    let l = &qos.limits;
    let (jobs, accrue, submit, tres, run) = if accounts {
        let counts = (l.max_jobs_per_account, l.max_jobs_accrue_per_account, l.max_submit_per_account);
        (counts.0, counts.1, counts.2, &l.max_tres_per_account, &l.max_tres_run_mins_per_account)
    } else {
        let counts = (l.max_jobs, l.max_jobs_accrue, l.max_submit);
        (counts.0, counts.1, counts.2, &l.max_tres_per_user, &l.max_tres_run_mins_per_user)
    };
    let numbers = Numbers::of(view, owner);
    format!(
        "        MaxJobs{short}={} MaxJobsAccrue{short}={} MaxSubmitJobs{short}={}\n        \
         MaxTRES{short}={}\n        MaxTRESRunMins{short}={}\n",
        count(jobs, numbers.used.jobs),
        count(accrue, numbers.used.accruing),
        count(submit, numbers.used.submitted),
        numbers.held(tres),
        numbers.run_minutes(run),
    )
}
