//! `sacctmgr dump`: writes the cluster's associations to a file that `load` reads.

use super::pairs;
use crate::Cx;
use base::time::Limit;
use slurmctld::Slurmctld;
use slurmdbd::{AdminLevel, Assoc, Limits, Qos, ROOT};
use std::collections::BTreeMap;

/// The header of the file, which describes its format.
const HEAD: &str = "\
# To edit this file start with a cluster line for the new cluster
# Cluster - 'cluster_name':MaxTRESPerJob=node=50
# Followed by Accounts you want in this fashion (root is created by default)...
# Parent - 'root'
# Account - 'cs':MaxTRESPerJob=node=5:MaxJobs=4:MaxTRESMinsPerJob=cpu=20:FairShare=399:MaxWallDurationPerJob=40:Description='Computer Science':Organization='LC'
# Any of the options after a ':' can be left out and they can be in any order.
# If you want to add any sub accounts just list the Parent THAT HAS ALREADY
# BEEN CREATED before the account line in this fashion...
# Parent - 'cs'
# Account - 'test':MaxTRESPerJob=node=1:MaxJobs=1:MaxTRESMinsPerJob=cpu=1:FairShare=1:MaxWallDurationPerJob=1:Description='Test Account':Organization='Test'
# To add users to a account add a line like this after a Parent - 'line'
# User - 'lipari':MaxTRESPerJob=node=2:MaxJobs=3:MaxTRESMinsPerJob=cpu=4:FairShare=1:MaxWallDurationPerJob=1
";

/// Runs `dump`.
pub fn dump(cx: &mut Cx, words: &[String]) -> Result<u8, String> {
    let own = cx.cluster.state().dbd.cluster.clone();
    let (mut cluster, mut file) = (None, None);
    for (key, value) in pairs(words) {
        match (key.as_str(), value) {
            ("file", Some(name)) => file = Some(name),
            ("cluster" | "clusters" | "name" | "names", Some(name)) => cluster = Some(name),
            (_, Some(_)) => return Err(format!(" Unknown option: {key}")),
            (_, None) => cluster = Some(key),
        }
    }
    let Some(cluster) = cluster else {
        return Err(" We need a cluster to dump.".to_owned());
    };
    if cluster != own {
        return Err(format!(" Cluster {cluster} doesn't exist."));
    }
    if !cx.cluster.state().is_administrator(cx.uid()) {
        return Err(" Your user/uid isn't an admin and can not dump".to_owned());
    }
    let (head, tree) = text(cx.cluster.state());
    let path = file.unwrap_or_else(|| {
        let path = format!("./{cluster}.cfg");
        cx.line(&format!(" No filename given, using {path}."));
        path
    });
    let whole = format!("{HEAD}{}\n{}\n", head.join("\n"), tree.join("\n"));
    if let Err(errno) = cx.write_file(&path, whole.as_bytes()) {
        cx.complain(&format!("Can't open file {path}, {errno}"));
        return Ok(0);
    }
    cx.complain(&format!("sacctmgr: {}", head.join("\n")));
    for line in tree {
        cx.complain(&format!("sacctmgr: {line}"));
    }
    Ok(0)
}

/// The lines of QOS and cluster, then those of the association tree.
pub(super) fn text(state: &Slurmctld) -> (Vec<String>, Vec<String>) {
    let dbd = &state.dbd;
    let mut head: Vec<String> = dbd.qos.iter().filter(|q| !q.deleted).map(|q| qos(state, q)).collect();
    let root = dbd.account_assoc(ROOT);
    let line = root.map_or_else(String::new, |a| settings(state, a, true));
    head.push(format!("Cluster - '{}'{line}", dbd.cluster));
    let mut tree = Vec::new();
    let mut stack: Vec<&Assoc> = root.into_iter().collect();
    while let Some(parent) = stack.pop() {
        let below = dbd.children(parent.id);
        if below.is_empty() {
            continue;
        }
        tree.push(format!("Parent - '{}'", parent.account));
        tree.extend(below.iter().map(|a| if a.user.is_some() { user(state, a) } else { account(state, a) }));
        stack.extend(below.into_iter().rev().filter(|a| a.user.is_none()));
    }
    (head, tree)
}

fn user(state: &Slurmctld, a: &Assoc) -> String {
    let name = a.user.as_deref().unwrap_or_default();
    let partition = a.partition.as_ref().map_or_else(String::new, |p| format!(":Partition='{p}'"));
    let mut line = format!("User - '{name}'{partition}");
    if let Some(user) = state.dbd.users.get(name) {
        line += &format!(":DefaultAccount='{}'", user.default_account);
        match user.admin {
            AdminLevel::None => {}
            AdminLevel::Operator => line += ":AdminLevel='Operator'",
            AdminLevel::Administrator => line += ":AdminLevel='Administrator'",
        }
    }
    let coordinates = state.dbd.accounts.values().filter(|c| c.coordinators.iter().any(|u| u == name));
    let names: Vec<&str> = coordinates.map(|c| c.name.as_str()).collect();
    if !names.is_empty() {
        line += &format!(":Coordinator='{}'", names.join(","));
    }
    line + &settings(state, a, false)
}

fn account(state: &Slurmctld, a: &Assoc) -> String {
    let (description, organization) = state
        .dbd
        .accounts
        .get(&a.account)
        .map_or(("", ""), |c| (c.description.as_str(), c.organization.as_str()));
    let tail = settings(state, a, false);
    format!("Account - '{}':Description='{description}':Organization='{organization}'{tail}", a.account)
}

/// Shares, limits and QOS of an association. The cluster's line always shows its QOS.
fn settings(state: &Slurmctld, a: &Assoc, cluster: bool) -> String {
    let mut line = match a.shares {
        Some(shares) => format!(":Fairshare={shares}"),
        None => ":Fairshare=parent".to_owned(),
    };
    line += &limits(&a.limits, false);
    let name = |id| state.dbd.qos_by_id(id).map(|q| q.name.clone());
    let mut names: Vec<String> = a.qos.iter().filter_map(|id| name(*id)).collect();
    if names.is_empty() && cluster {
        names.push("normal".to_owned());
    }
    if !names.is_empty() {
        use base::order::StableSort as _;
        names.order();
        line += &format!(":QOS='{}'", names.join(","));
    }
    if a.priority > 0 {
        line += &format!(":Priority={}", a.priority);
    }
    if let Some(default) = a.default_qos.and_then(name) {
        line += &format!(":DefaultQOS='{default}'");
    }
    line
}

fn qos(state: &Slurmctld, q: &Qos) -> String {
    let mut line = format!("QOS - '{}':Description='{}'", q.name, q.description);
    let mut add = |key: &str, value: Option<String>| {
        line += &value.map_or_else(String::new, |v| format!(":{key}={v}"));
    };
    add("Flags", Some(q.flag_names()).filter(|names| !names.is_empty()).map(|names| format!("'{names}'")));
    add("GraceTime", Some(q.grace_time).filter(|t| *t > 0).map(|t| t.to_string()));
    let preempts: Vec<String> =
        q.preempt.iter().filter_map(|id| Some(state.dbd.qos_by_id(*id)?.name.clone())).collect();
    add("Preempt", Some(format!("'{}'", preempts.join(","))).filter(|_| !preempts.is_empty()));
    add("PreemptMode", Some(q.preempt_mode.clone()).filter(|m| !m.is_empty() && m != "cluster"));
    add("Priority", Some(q.priority).filter(|p| *p > 0).map(|p| p.to_string()));
    add("UsageFactor", Some(q.usage_factor).filter(|f| (*f - 1.0).abs() > 1e-9).map(|f| format!("{f:.6}")));
    add("UsageThreshold", q.usage_threshold.map(|t| format!("{t:.6}")));
    add("LimitFactor", q.limit_factor.map(|f| format!("{f:.6}")));
    add("PreemptExemptTime", q.preempt_exempt_time.map(|t| t.to_string()));
    line + &limits(&q.limits, true)
}

fn limits(l: &Limits, qos: bool) -> String {
    let mut line = String::new();
    let mut add = |key: &str, value: Option<String>| {
        line += &value.map_or_else(String::new, |v| format!(":{key}={v}"));
    };
    let tres = |map: &BTreeMap<String, u64>| Some(super::fields::tres(map)).filter(|t| !t.is_empty());
    let number = |n: Option<u32>| n.map(|n| n.to_string());
    let per = |assoc: &'static str, user: &'static str| if qos { user } else { assoc };
    add("GrpTRES", tres(&l.grp_tres));
    add("GrpTRESMins", tres(&l.grp_tres_mins));
    add("GrpTRESRunMins", tres(&l.grp_tres_run_mins));
    add("GrpJobs", number(l.grp_jobs));
    add("GrpSubmitJobs", number(l.grp_submit));
    add("GrpWall", number(l.grp_wall));
    add("MaxTRESPerJob", tres(&l.max_tres));
    add("MaxTRESPerNode", tres(&l.max_tres_per_node));
    add("MaxTRESMinsPerJob", tres(&l.max_tres_mins));
    add("MaxTRESPerUser", tres(&l.max_tres_per_user));
    add("MaxTRESPerAccount", tres(&l.max_tres_per_account));
    add("MaxTRESRunMinsPerUser", tres(&l.max_tres_run_mins_per_user));
    add("MaxTRESRunMinsPerAccount", tres(&l.max_tres_run_mins_per_account));
    add("MinTRESPerJob", tres(&l.min_tres));
    add("GrpJobsAccrue", number(l.grp_jobs_accrue));
    add(per("MaxJobsAccrue", "MaxJobsAccruePU"), number(l.max_jobs_accrue));
    add("MaxJobsAccruePA", number(l.max_jobs_accrue_per_account));
    add("MinPrioThreshold", number(l.min_prio_thresh));
    add(per("MaxJobs", "MaxJobsPU"), number(l.max_jobs));
    add("MaxJobsPA", number(l.max_jobs_per_account));
    add(per("MaxSubmitJobs", "MaxSubmitJobsPU"), number(l.max_submit));
    add("MaxSubmitJobsPA", number(l.max_submit_per_account));
    add(
        "MaxWallDurationPerJob",
        l.max_wall.and_then(|w| match w {
            Limit::Minutes(m) => Some(m.to_string()),
            Limit::Unlimited => None,
        }),
    );
    line
}
