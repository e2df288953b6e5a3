//! Fields of `sacctmgr show`: one table for accounts, users, associations and QOS.

use base::order::StableSort as _;
use base::time::{Limit, hms};
use base::tres::mem_text;
use slurmctld::Slurmctld;
use slurmdbd::{Account, Assoc, DbUser, Limits, Qos};
use std::collections::BTreeMap;

/// The subject of a line; records that do not apply are empty.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct SacctmgrLine<'a> {
    pub state: &'a Slurmctld,
    pub account: Option<&'a Account>,
    pub user: Option<&'a DbUser>,
    pub assoc: Option<&'a Assoc>,
    pub qos: Option<&'a Qos>,
    /// Levels of indentation in a tree.
    pub depth: Option<usize>,
    /// Whether coordinators are shown.
    pub coordinators: bool,
    /// Whether limits and QOS that an association inherits are shown.
    pub inherited: bool,
    /// A cluster other than the simulated one.
    pub cluster: Option<&'a str>,
}

impl<'a> SacctmgrLine<'a> {
    /// A line without a subject.
    #[must_use]
    pub const fn empty(state: &'a Slurmctld) -> Self {
        Self {
            state,
            account: None,
            user: None,
            assoc: None,
            qos: None,
            depth: None,
            coordinators: false,
            inherited: true,
            cluster: None,
        }
    }
}

/// A field.
pub struct SacctmgrField {
    /// Names in lower case; a name may be abbreviated.
    pub names: &'static [&'static str],
    /// Heading.
    pub title: &'static str,
    /// Width; negative: left-justified.
    pub width: i32,
    /// Its text.
    pub get: fn(&SacctmgrLine) -> String,
}

/// The index of the field with this name, or of the first that it abbreviates.
pub fn find(name: &str) -> Option<usize> {
    let lower = name.to_ascii_lowercase();
    let same = FIELDS.iter().position(|f| f.names.contains(&lower.as_str()));
    // `default` begins three names.
    let enough = |name: &str| lower.len() > if name.starts_with("def") { 7 } else { 2 };
    same.or_else(|| FIELDS.iter().position(|f| f.names.iter().any(|n| n.starts_with(&lower) && enough(n))))
}

/// Preferred names, in order.
pub fn names() -> Vec<&'static str> {
    FIELDS.iter().filter_map(|f| f.names.first().copied()).collect()
}

const fn f(
    names: &'static [&'static str],
    title: &'static str,
    width: i32,
    get: fn(&SacctmgrLine) -> String,
) -> SacctmgrField {
    SacctmgrField { names, title, width, get }
}

/// `cpu=100,mem=10G,gres/gpu=2`, by TRES id.
pub(super) fn tres(map: &BTreeMap<String, u64>) -> String {
    let order =
        |name: &str| ["cpu", "mem", "energy", "node", "billing"].iter().position(|n| *n == name).unwrap_or(9);
    let mut all: Vec<_> = map.iter().collect();
    all.order_by_key(|(name, _)| (order(name), name.as_str()));
    let text = |(name, n): &(&String, &u64)| {
        if name.as_str() == "mem" { format!("mem={}", mem_text(**n)) } else { format!("{name}={n}") }
    };
    all.iter().map(text).collect::<Vec<_>>().join(",")
}

fn limits<'a>(l: &SacctmgrLine<'a>) -> Option<&'a Limits> {
    l.assoc.map(|a| &a.limits).or_else(|| l.qos.map(|q| &q.limits))
}

fn map(l: &SacctmgrLine, get: impl Fn(&Limits) -> &BTreeMap<String, u64>) -> String {
    limits(l).map_or_else(String::new, |limits| tres(get(limits)))
}

/// The limit on one TRES, as the older columns show it.
fn single(l: &SacctmgrLine, name: &str, get: impl Fn(&Limits) -> &BTreeMap<String, u64>) -> String {
    let amount = limits(l).and_then(|limits| get(limits).get(name));
    amount.map_or_else(String::new, |n| if name == "mem" { mem_text(*n) } else { n.to_string() })
}

fn number(l: &SacctmgrLine, get: impl Fn(&Limits) -> Option<u32>) -> String {
    limits(l).and_then(get).map_or_else(String::new, |n| n.to_string())
}

/// A `Max*` limit, an association's own or inherited.
fn most<T>(l: &SacctmgrLine, get: impl Fn(&Limits) -> Option<T>) -> Option<T> {
    match l.assoc.filter(|_| l.inherited) {
        Some(assoc) => l.state.dbd.inherited(assoc.id, get),
        None => limits(l).and_then(get),
    }
}

fn most_number(l: &SacctmgrLine, get: impl Fn(&Limits) -> Option<u32>) -> String {
    most(l, get).map_or_else(String::new, |n| n.to_string())
}

/// The `Max*` limits on TRES, each an association's own or inherited.
fn most_map(l: &SacctmgrLine, get: impl Fn(&Limits) -> &BTreeMap<String, u64>) -> String {
    let Some(assoc) = l.assoc.filter(|_| l.inherited) else { return map(l, get) };
    let mut all = BTreeMap::new();
    for above in l.state.dbd.chain(assoc.id) {
        for (name, amount) in get(&above.limits) {
            all.entry(name.clone()).or_insert(*amount);
        }
    }
    tres(&all)
}

/// The `Max*` limit on one TRES, as the older columns show it.
fn most_single(l: &SacctmgrLine, name: &str, get: impl Fn(&Limits) -> &BTreeMap<String, u64>) -> String {
    most(l, |limits| get(limits).get(name).copied()).map_or_else(String::new, |n| n.to_string())
}

fn wall(limit: Option<Limit>) -> String {
    match limit {
        Some(Limit::Minutes(m)) => hms(i64::from(m) * 60),
        Some(Limit::Unlimited) | None => String::new(),
    }
}

/// The QOS list of an association, its own or inherited, by name.
fn qos_list(l: &SacctmgrLine) -> String {
    let mut at = l.assoc;
    while let Some(assoc) = at {
        if !assoc.qos.is_empty() {
            let name = |id| l.state.dbd.qos.iter().find(|q| q.id == id && !q.deleted).map(|q| q.name.clone());
            let mut names: Vec<String> = assoc.qos.iter().filter_map(|id| name(*id)).collect();
            names.order();
            return names.join(",");
        }
        if !l.inherited {
            return String::new();
        }
        at = assoc.parent.and_then(|id| l.state.dbd.assocs.iter().find(|a| a.id == id));
    }
    if l.assoc.is_some() { "normal".to_owned() } else { String::new() }
}

/// The default QOS of an association, its own or inherited.
fn default_qos(l: &SacctmgrLine) -> Option<base::ids::QosId> {
    let assoc = l.assoc?;
    if !l.inherited {
        return assoc.default_qos;
    }
    l.state.dbd.chain(assoc.id).find_map(|above| above.default_qos)
}

fn qos_names(l: &SacctmgrLine, ids: &[base::ids::QosId]) -> String {
    let name = |id| l.state.dbd.qos.iter().find(|q| q.id == id).map(|q| q.name.clone());
    let mut names: Vec<String> = ids.iter().filter_map(|id| name(*id)).collect();
    names.order();
    names.join(",")
}

fn account(l: &SacctmgrLine) -> String {
    let name =
        l.assoc.map(|a| a.account.as_str()).or_else(|| l.account.map(|a| a.name.as_str())).unwrap_or("");
    format!("{}{name}", " ".repeat(l.depth.unwrap_or(0)))
}

fn user(l: &SacctmgrLine) -> String {
    match l.assoc {
        Some(assoc) => assoc.user.clone().unwrap_or_default(),
        None => l.user.map_or_else(String::new, |u| u.name.clone()),
    }
}

/// The accounts that a user coordinates, or the coordinators of an account, including those of its ancestors.
fn coordinated(l: &SacctmgrLine) -> String {
    if !l.coordinators {
        return String::new();
    }
    let dbd = &l.state.dbd;
    let names: Vec<&str> = match (l.account, l.user) {
        (Some(account), _) => {
            dbd.users.keys().filter(|u| dbd.coordinates(u, &account.name)).map(String::as_str).collect()
        }
        (None, Some(user)) => {
            dbd.accounts.keys().filter(|a| dbd.coordinates(&user.name, a)).map(String::as_str).collect()
        }
        (None, None) => Vec::new(),
    };
    names.join(",")
}

fn of_qos(l: &SacctmgrLine, get: impl Fn(&Qos) -> String) -> String {
    l.qos.map_or_else(String::new, get)
}

/// All fields, by name.
#[rustfmt::skip]
pub const FIELDS: &[SacctmgrField] = &[
    f(&["account", "acct"], "Account", 10, account),
    f(&["adminlevel"], "Admin", 9, |l| l.user.map_or_else(String::new, |u| u.admin.text().to_owned())),
    f(&["cluster"], "Cluster", 10, |l| l.cluster.map_or_else(|| l.state.cluster.global.cluster_name.clone(), str::to_owned)),
    f(&["coordinators", "coordaccounts"], "Coord Accounts", 20, coordinated),
    f(&["defaultwckey", "defwckey"], "Def WCKey", 10, |l| l.user.map_or_else(String::new, |u| u.default_wckey.clone())),
    f(&["defaultaccount", "defacct"], "Def Acct", 10, |l| l.user.map_or_else(String::new, |u| u.default_account.clone())),
    f(&["defaultqos", "defqos"], "Def QOS", 9, |l| default_qos(l).map_or_else(String::new, |q| qos_names(l, &[q]))),
    f(&["description"], "Descr", 20, |l| l.account.map_or_else(|| l.qos.map_or_else(String::new, |q| q.description.clone()), |a| a.description.clone())),
    f(&["fairshare", "share", "shares", "rawshares"], "Share", 9, |l| l.assoc.map_or_else(String::new, |a| a.shares.map_or_else(|| "parent".to_owned(), |s| s.to_string()))),
    f(&["flags"], "Flags", 20, |l| of_qos(l, |q| q.flag_names())),
    f(&["gracetime"], "GraceTime", 10, |l| of_qos(l, |q| hms(q.grace_time.into()))),
    f(&["grpjobs"], "GrpJobs", 7, |l| number(l, |m| m.grp_jobs)),
    f(&["grpsubmit", "grpsubmitjobs"], "GrpSubmit", 9, |l| number(l, |m| m.grp_submit)),
    f(&["grptres"], "GrpTRES", 13, |l| map(l, |m| &m.grp_tres)),
    f(&["grptresmins"], "GrpTRESMins", 13, |l| map(l, |m| &m.grp_tres_mins)),
    f(&["grptresrunmins"], "GrpTRESRunMins", 13, |l| map(l, |m| &m.grp_tres_run_mins)),
    f(&["grpwall"], "GrpWall", 11, |l| limits(l).and_then(|m| m.grp_wall).map_or_else(String::new, |m| wall(Some(Limit::Minutes(m))))),
    f(&["id"], "ID", 6, |l| l.assoc.map_or_else(|| of_qos(l, |q| q.id.to_string()), |a| a.id.to_string())),
    f(&["limitfactor"], "LimitFactor", 11, |l| of_qos(l, |q| q.limit_factor.map_or_else(String::new, |f| format!("{f:.6}")))),
    f(&["grpjobsaccrue"], "GrpJobsAccrue", 13, |l| number(l, |m| m.grp_jobs_accrue)),
    f(&["grpcpus"], "GrpCPUs", 8, |l| single(l, "cpu", |m| &m.grp_tres)),
    f(&["grpcpumins"], "GrpCPUMins", 11, |l| single(l, "cpu", |m| &m.grp_tres_mins)),
    f(&["grpmemory"], "GrpMem", 7, |l| single(l, "mem", |m| &m.grp_tres)),
    f(&["grpnodes"], "GrpNodes", 8, |l| single(l, "node", |m| &m.grp_tres)),
    f(&["maxcpus", "maxcpusperjob"], "MaxCPUs", 8, |l| most_single(l, "cpu", |m| &m.max_tres)),
    f(&["maxcpumins", "maxcpuminsperjob"], "MaxCPUMins", 11, |l| most_single(l, "cpu", |m| &m.max_tres_mins)),
    f(&["maxnodes", "maxnodesperjob"], "MaxNodes", 8, |l| most_single(l, "node", |m| &m.max_tres)),
    f(&["maxjobsaccrue"], "MaxJobsAccrue", 13, |l| most_number(l, |m| m.max_jobs_accrue)),
    f(&["maxjobsaccruepa", "maxjobsaccrueperaccount"], "MaxJobsAccruePA", 15, |l| number(l, |m| m.max_jobs_accrue_per_account)),
    f(&["maxjobsaccruepu", "maxjobsaccrueperuser"], "MaxJobsAccruePU", 15, |l| most_number(l, |m| m.max_jobs_accrue)),
    f(&["minpriothresh", "minpriothreshold"], "MinPrioThresh", 13, |l| most_number(l, |m| m.min_prio_thresh)),
    f(&["maxjobs"], "MaxJobs", 7, |l| most_number(l, |m| m.max_jobs)),
    f(&["maxjobspa", "maxjobsperaccount"], "MaxJobsPA", 9, |l| number(l, |m| m.max_jobs_per_account)),
    f(&["maxjobspu", "maxjobsperuser"], "MaxJobsPU", 9, |l| most_number(l, |m| m.max_jobs)),
    f(&["maxsubmit", "maxsubmitjobs"], "MaxSubmit", 9, |l| most_number(l, |m| m.max_submit)),
    f(&["maxsubmitpa", "maxsubmitjobsperaccount"], "MaxSubmitPA", 11, |l| number(l, |m| m.max_submit_per_account)),
    f(&["maxsubmitpu", "maxsubmitjobspu", "maxsubmitjobsperuser"], "MaxSubmitPU", 11, |l| most_number(l, |m| m.max_submit)),
    f(&["maxtres", "maxtresperjob", "maxtrespj"], "MaxTRES", 13, |l| most_map(l, |m| &m.max_tres)),
    f(&["maxtresmins", "maxtresminsperjob"], "MaxTRESMins", 13, |l| most_map(l, |m| &m.max_tres_mins)),
    f(&["maxtrespa", "maxtresperaccount"], "MaxTRESPA", 13, |l| map(l, |m| &m.max_tres_per_account)),
    f(&["maxtrespernode", "maxtrespn"], "MaxTRESPerNode", 14, |l| most_map(l, |m| &m.max_tres_per_node)),
    f(&["maxtrespu", "maxtresperuser"], "MaxTRESPU", 13, |l| map(l, |m| &m.max_tres_per_user)),
    f(&["maxtresrunminspa", "maxtresrunminsperaccount"], "MaxTRESRunMinsPA", 22, |l| map(l, |m| &m.max_tres_run_mins_per_account)),
    f(&["maxtresrunminspu", "maxtresrunminsperuser"], "MaxTRESRunMinsPU", 22, |l| map(l, |m| &m.max_tres_run_mins_per_user)),
    f(&["maxwall", "maxwalldurationperjob"], "MaxWall", 11, |l| wall(most(l, |m| m.max_wall))),
    f(&["mintres", "mintresperjob"], "MinTRES", 13, |l| map(l, |m| &m.min_tres)),
    f(&["name"], "Name", 10, |l| of_qos(l, |q| q.name.clone())),
    f(&["organization"], "Org", 20, |l| l.account.map_or_else(String::new, |a| a.organization.clone())),
    f(&["parentid"], "ParentID", 10, |l| l.assoc.and_then(|a| a.parent).map_or_else(|| "0".to_owned(), |id| id.to_string())),
    f(&["parentname", "parent"], "ParentName", 10, |l| l.assoc.filter(|a| a.user.is_none()).and_then(|a| a.parent).and_then(|id| l.state.dbd.assocs.iter().find(|p| p.id == id)).map_or_else(String::new, |p| p.account.clone())),
    f(&["partition"], "Partition", 10, |l| l.assoc.and_then(|a| a.partition.clone()).unwrap_or_default()),
    f(&["preempt"], "Preempt", 10, |l| of_qos(l, |q| qos_names(l, &q.preempt))),
    f(&["preemptexempttime"], "PreemptExemptTime", 19, |l| of_qos(l, |q| q.preempt_exempt_time.map_or_else(String::new, |s| hms(s.into())))),
    f(&["preemptmode"], "PreemptMode", 11, |l| of_qos(l, |q| q.preempt_mode.clone())),
    f(&["priority"], "Priority", 10, |l| l.qos.map_or_else(|| l.assoc.filter(|a| a.priority > 0).map_or_else(String::new, |a| a.priority.to_string()), |q| q.priority.to_string())),
    f(&["qos", "qoslevel"], "QOS", 20, qos_list),
    f(&["usagefactor"], "UsageFactor", 11, |l| of_qos(l, |q| format!("{:.6}", q.usage_factor))),
    f(&["usagethreshold", "usagethres"], "UsageThres", 10, |l| of_qos(l, |q| q.usage_threshold.map_or_else(String::new, |t| format!("{t:.6}")))),
    f(&["user"], "User", 10, user),
];
