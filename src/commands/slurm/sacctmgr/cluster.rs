//! `sacctmgr add`, `modify`, `delete` and `show cluster`.
//!
//! Clusters other than the simulated one are only names in the database, with the default limits of their
//! root association.

use super::change::{Confirmation, apply, split, take};
use super::fields::{FIELDS, SacctmgrLine, find};
use super::settings::{self, Of};
use super::tables::SacctmgrTable;
use crate::Cx;
use slurmctld::Slurmctld;
use slurmdbd::{AccountingChange, ChangeError, ClusterChange, ClusterRecord, ROOT};

const CLASSES: &[&str] = &["Capability", "Capacity", "Capapacity"];
const OWN: &[&str] = &["cluster", "clusters", "name", "names"];

/// The settings of a command: the class, and other settings in the format of the listing.
struct ClusterSettings {
    names: Vec<String>,
    class: Option<String>,
    settings: Vec<(String, String)>,
}

/// Parses names, the class and limits.
fn read(cx: &mut Cx, words: &[String]) -> Result<Result<ClusterSettings, u8>, String> {
    let (names, mut settings) = split(words, OWN);
    let class = match take(&mut settings, &["classification", "class"]) {
        None => None,
        Some(text) => {
            let lower = text.to_ascii_lowercase();
            let known = |c: &&&str| !lower.is_empty() && c.to_ascii_lowercase().starts_with(&lower);
            let class = CLASSES.iter().rev().find(known);
            Some(
                (*class.ok_or_else(|| {
                    format!(
                        "sacctmgr: error: {text} is an unknown classification, use one of {}",
                        CLASSES.join(",")
                    )
                })?)
                .to_owned(),
            )
        }
    };
    Ok(settings::read(cx, Of::Cluster, settings).map(|settings| ClusterSettings { names, class, settings }))
}

/// Writes ` Setting` with the class and the limits.
fn listed(wanted: &ClusterSettings) -> String {
    let mut out = String::new();
    if wanted.class.is_some() || !wanted.settings.is_empty() {
        out += " Setting\n";
    }
    if let Some(class) = &wanted.class {
        out += &format!("  Classification = {class}\n");
    }
    if !wanted.settings.is_empty() {
        out += "  Default Limits:\n";
    }
    for (title, text) in settings::listed(Of::Cluster, &wanted.settings) {
        out += &format!("  {title:<14}= {text}\n");
    }
    out
}

fn failed(error: ChangeError) -> String {
    match error {
        ChangeError::AccessDenied => super::change::DENIED.to_owned(),
        error => format!(" Error with request: {error}"),
    }
}

/// `add cluster NAMES [classification=C] [limits]`.
pub fn add(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let mut wanted = match read(cx, words)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    if wanted.names.is_empty() {
        return Err(" Need name of cluster to add.".to_owned());
    }
    let known = |name: &String| cx.cluster.state().dbd.cluster_record(name).is_some();
    let (old, new): (Vec<String>, Vec<String>) = wanted.names.iter().cloned().partition(known);
    for name in &old {
        cx.line(&format!(" This cluster {name} already exists.  Not adding."));
    }
    if new.is_empty() {
        return Ok(1);
    }
    let mut out = String::from(" Adding Cluster(s)\n");
    new.iter().for_each(|name| out += &format!("  Name           = {name}\n"));
    cx.print(&(out + &listed(&wanted)));
    if !ask.commit(cx) {
        return Ok(0);
    }
    for name in new {
        let classification = wanted.class.clone().unwrap_or_default();
        let settings = std::mem::take(&mut wanted.settings);
        let change = ClusterChange::Add { name, classification, settings: settings.clone() };
        wanted.settings = settings;
        apply(cx, AccountingChange::Cluster(change))
            .map_err(|error| format!(" Problem adding clusters: {error}"))?;
    }
    Ok(0)
}

/// `modify cluster [where] NAMES set ...`.
pub fn modify(
    cx: &mut Cx,
    ask: &mut Confirmation,
    before: &[String],
    after: &[String],
) -> Result<u8, String> {
    // Conditions may precede `set` or follow the settings.
    let at = after.iter().position(|w| w.eq_ignore_ascii_case("where")).unwrap_or(after.len());
    let (set, more) = after.split_at(at);
    let mut wanted = match read(cx, set)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    let mut names = split(before, OWN).0;
    names.extend(split(more, OWN).0);
    if let Some(bad) = wanted.names.first() {
        cx.print(&format!(" Unknown option: {bad}\n Use keyword 'where' to modify condition\n"));
        return Ok(1);
    }
    if wanted.class.is_none() && wanted.settings.is_empty() {
        return Err(" You didn't give me anything to set".to_owned());
    }
    let all = || cx.cluster.state().dbd.clusters.iter().map(|c| c.name.clone());
    wanted.names = if names.is_empty() { all().collect() } else { names };
    cx.print(&listed(&wanted));
    if !ask.commit(cx) {
        return Ok(0);
    }
    let mut done = Vec::new();
    for name in &wanted.names {
        let (classification, settings) = (wanted.class.clone(), wanted.settings.clone());
        match apply(
            cx,
            AccountingChange::Cluster(ClusterChange::Modify { name: name.clone(), classification, settings }),
        ) {
            Ok(()) => done.push(name.clone()),
            Err(ChangeError::NothingModified) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    if done.is_empty() {
        cx.line(" Nothing modified");
        return Ok(1);
    }
    if wanted.class.is_some() {
        cx.line(" Modified cluster...");
        done.iter().for_each(|name| cx.line(&format!("  {name}")));
    }
    if !wanted.settings.is_empty() {
        cx.line(" Modified cluster defaults for associations...");
        let lines = changed(cx.cluster.state(), &done, &wanted.settings);
        lines.iter().for_each(|line| cx.line(line));
    }
    Ok(0)
}

/// The associations that a cluster's limits apply to: its root, and users who inherit them.
fn changed(state: &Slurmctld, names: &[String], settings: &[(String, String)]) -> Vec<String> {
    let inherited = settings.iter().any(|(key, _)| key.starts_with("max") || key.ends_with("qos"));
    let mut lines = Vec::new();
    for name in names {
        lines.push(format!("  C = {name:<10} A = {ROOT}"));
        if inherited && *name == state.dbd.cluster {
            let users = state.dbd.live().filter_map(|a| Some((a.user.as_ref()?, a)));
            lines.extend(
                users.map(|(user, a)| format!("  C = {name:<10} A = {:<20} U = {user:<9}", a.account)),
            );
        }
    }
    lines
}

/// `delete cluster [where] NAMES`.
pub fn delete(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (names, _) = split(words, OWN);
    if names.is_empty() {
        return Err(" No conditions given to remove, not executing.".to_owned());
    }
    let known = |name: &&String| cx.cluster.state().dbd.cluster_record(name).is_some();
    let found: Vec<String> = names.iter().filter(known).cloned().collect();
    if found.is_empty() {
        cx.line(" Nothing deleted");
        return Ok(1);
    }
    // Clusters with jobs are rejected without a question.
    let own = cx.cluster.state().dbd.cluster.clone();
    if found.contains(&own) {
        apply(cx, AccountingChange::Cluster(ClusterChange::Delete { name: own })).map_err(failed)?;
    }
    cx.line(" Deleting clusters...");
    found.iter().for_each(|name| cx.line(&format!("  {name}")));
    if !ask.commit(cx) {
        return Ok(0);
    }
    for name in found {
        apply(cx, AccountingChange::Cluster(ClusterChange::Delete { name })).map_err(failed)?;
    }
    Ok(0)
}

/// Columns that show a limit, with the corresponding association field.
const LIMITS: &[(&str, i32, &str)] = &[
    ("Share", 9, "fairshare"),
    ("GrpJobs", 7, "grpjobs"),
    ("GrpTRES", 13, "grptres"),
    ("GrpSubmit", 9, "grpsubmit"),
    ("MaxJobs", 7, "maxjobs"),
    ("MaxTRES", 13, "maxtres"),
    ("MaxSubmit", 9, "maxsubmit"),
    ("MaxWall", 11, "maxwall"),
    ("QOS", 20, "qos"),
    ("Def QOS", 9, "defaultqos"),
];

/// The number of default columns.
const USUAL: usize = 14;

const COLUMNS: &[(&str, i32)] = &[
    ("Cluster", 10),
    ("ControlHost", 15),
    ("ControlPort", 12),
    ("RPC", 5),
    ("Share", 9),
    ("GrpJobs", 7),
    ("GrpTRES", 13),
    ("GrpSubmit", 9),
    ("MaxJobs", 7),
    ("MaxTRES", 13),
    ("MaxSubmit", 9),
    ("MaxWall", 11),
    ("QOS", 20),
    ("Def QOS", 9),
    ("Class", 9),
    ("FedState", 12),
    ("FedStateRaw", 11),
    ("NodeCount", 9),
    ("NodeName", -15),
    ("Flags", 20),
    ("ID", 6),
    ("Features", 20),
    ("Federation", 10),
    ("PluginIDSelect", 14),
    ("TRES", 20),
];

/// The lines of `show cluster`.
pub fn show(state: &Slurmctld, names: &[String]) -> SacctmgrTable {
    let asked = |c: &&ClusterRecord| names.is_empty() || names.contains(&c.name);
    let rows = state.dbd.clusters.iter().filter(asked).map(|c| row(state, c)).collect();
    SacctmgrTable { columns: COLUMNS, usual: super::tables::first(USUAL), rows }
}

fn row(state: &Slurmctld, cluster: &ClusterRecord) -> Vec<String> {
    let own = cluster.name == state.dbd.cluster;
    let or = |text: &str, other: &str| if own { text } else { other }.to_owned();
    let mut row = vec![cluster.name.clone(), or("127.0.0.1", ""), or("6817", "0"), or("11520", "0")];
    row.extend(LIMITS.iter().map(|(_, _, field)| limit(state, cluster, own, field)));
    let nodes = state.nodes.len().to_string();
    let hosts = super::tables::all_nodes(state);
    let rest: [&str; 10] = [
        &cluster.classification,
        "NA",
        "0",
        if own { &nodes } else { "0" },
        if own { &hosts } else { "" },
        if own && state.cluster.global.shares_a_machine() { "MultipleSlurmd" } else { "" },
        "0",
        "",
        "",
        if own { "109" } else { "0" },
    ];
    row.extend(rest.map(str::to_owned));
    row.push(if own { super::tables::all_tres(state) } else { String::new() });
    row
}

fn limit(state: &Slurmctld, cluster: &ClusterRecord, own: bool, field: &str) -> String {
    if own {
        let line = SacctmgrLine { assoc: state.dbd.account_assoc(ROOT), ..SacctmgrLine::empty(state) };
        return find(field).and_then(|at| FIELDS.get(at)).map_or_else(String::new, |f| (f.get)(&line));
    }
    let usual = match field {
        "fairshare" => "1",
        "qos" => "normal",
        _ => "",
    };
    cluster.setting(field).unwrap_or(usual).to_owned()
}
