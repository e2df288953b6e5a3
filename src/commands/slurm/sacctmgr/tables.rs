//! `sacctmgr show` for entities other than accounts, users, associations and QOS: clusters, TRES, events,
//! transactions ...

use super::change::Confirmation;
use super::show::ShowSelection;
use crate::Cx;
use crate::slurm::jobtext::JobView;
use crate::slurm::listing::{Listing, name_and_width};
use crate::slurm::{nodetext, private, tres};
use base::order::StableSort as _;
use base::time::{Time, hms};
use base::tres::mem_text;
use slurmctld::Slurmctld;
use slurmctld::node::Node;
use slurmdbd::LicenseResource;

/// A table: headings with widths, the number of default columns, and lines.
pub(super) struct SacctmgrTable {
    pub columns: &'static [(&'static str, i32)],
    /// The columns without `format`.
    pub usual: Vec<usize>,
    pub rows: Vec<Vec<String>>,
}

/// Names of columns that differ from their headings.
const NAMES: &[(&str, &str)] = &[
    ("classification", "Class"),
    ("cpucount", "CPU Cnt"),
    ("defaultqos", "Def QOS"),
    ("nodenames", "NodeName"),
    ("start", "TimeStart"),
    ("end", "TimeEnd"),
];

/// Whether this module shows an entity.
pub fn is_plain(kind: &str) -> bool {
    !matches!(kind, "accounts" | "users" | "associations" | "qos")
}

/// Shows an entity.
pub fn show(cx: &mut Cx, kind: &str, wish: &ShowSelection, ask: &mut Confirmation) -> Result<u8, String> {
    let operator = cx.cluster.state().is_operator(cx.uid());
    let table = match kind {
        "clusters" => super::cluster::show(cx.cluster.state(), &wish.names),
        "tres" => known_tres(cx.cluster.state(), wish),
        "events" if !JobView::of(cx).sees(private::PrivateKind::Events) => {
            return Err("sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: Access/permission denied".to_owned());
        }
        "events" => events(cx, wish),
        "transactions" => transactions(cx.cluster.state(), wish),
        "problems" if !operator => {
            return Err(
                "sacctmgr: error: Access/permission denied\n Error with request: Access/permission denied"
                    .to_owned(),
            );
        }
        "problems" => problems(cx),
        "runawayjobs" if !operator => {
            return Err(
                "sacctmgr: error: You must have an AdminLevel>=Operator to fix runaway jobs".to_owned()
            );
        }
        "runawayjobs" => return runaway(cx, ask),
        "resources" => resources(cx.cluster.state(), wish),
        "wckeys" if !operator => {
            return Err("sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: Access/permission denied".to_owned());
        }
        "wckeys" => wckeys(cx.cluster.state(), wish),
        "federations" => SacctmgrTable { columns: FEDERATIONS, usual: first(5), rows: Vec::new() },
        "instances" => SacctmgrTable { columns: INSTANCES, usual: first(INSTANCES.len()), rows: Vec::new() },
        "reservations" => reservations(cx),
        "configuration" => {
            configuration(cx);
            return Ok(0);
        }
        "stats" if !cx.cluster.state().is_administrator(cx.uid()) => {
            return Err("sacctmgr: accounting_storage/slurmdbd: acct_storage_p_get_stats: RC:2002 Your user doesn't have \
                privilege to perform this action"
                .to_owned());
        }
        "stats" => {
            super::daemon::stats(cx);
            return Ok(0);
        }
        other => return Err(format!("sacctmgr: error: show {other} is not simulated")),
    };
    print(cx, &table, wish)
}

/// The first columns.
pub(super) fn first(count: usize) -> Vec<usize> {
    (0..count).collect()
}

const RESOURCES: &[(&str, i32)] = &[
    ("Name", 10),
    ("Server", 10),
    ("Type", 8),
    ("Count", 6),
    ("LastConsumed", 12),
    ("Allocated", 9),
    ("ServerType", 10),
    ("Cluster", 10),
    ("Allowed", 8),
    ("Flags", 20),
];
/// The columns of a cluster's share.
const SHARE: std::ops::Range<usize> = 7..9;

/// Resources, with this cluster's share if selected.
fn resources(state: &Slurmctld, wish: &ShowSelection) -> SacctmgrTable {
    let named = |r: &&LicenseResource| wish.names.is_empty() || wish.names.contains(&r.name);
    let row = |r: &LicenseResource| {
        let allowed = r.allowed.unwrap_or(0).to_string();
        let own =
            [r.name.clone(), r.server.clone(), "License".to_owned(), r.count.to_string(), "0".to_owned()];
        let more =
            [allowed.clone(), r.server_type.clone(), state.dbd.cluster.clone(), allowed, r.flags.clone()];
        own.into_iter().chain(more).collect()
    };
    let shown =
        state.dbd.resources.iter().filter(named).filter(|r| !wish.with_clusters || r.allowed.is_some());
    let usual = (0..RESOURCES.len()).filter(|at| wish.with_clusters || !SHARE.contains(at)).collect();
    SacctmgrTable { columns: RESOURCES, usual, rows: shown.map(row).collect() }
}

const FEDERATIONS: &[(&str, i32)] = &[
    ("Federation", 10),
    ("Cluster", 10),
    ("ID", 2),
    ("Features", 20),
    ("FedState", 12),
    ("FedStateRaw", 11),
];
const INSTANCES: &[(&str, i32)] = &[
    ("Cluster", 10),
    ("NodeName", -15),
    ("TimeStart", 19),
    ("TimeEnd", 19),
    ("InstanceId", 20),
    ("InstanceType", 20),
    ("Extra", 20),
];

fn print(cx: &mut Cx, table: &SacctmgrTable, wish: &ShowSelection) -> Result<u8, String> {
    let mut listing = Listing::new(wish.style.clone());
    match &wish.format {
        None => {
            for at in &table.usual {
                let Some((title, width)) = table.columns.get(*at) else { continue };
                listing.add(*at, title, *width);
            }
        }
        Some(format) if format.is_empty() => return Err("Unknown field ''".to_owned()),
        Some(format) => {
            for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
                let (name, width) = name_and_width(word);
                let lower = name.to_ascii_lowercase();
                let bare = |title: &str| title.to_ascii_lowercase().replace(' ', "");
                let other =
                    NAMES.iter().find(|(name, _)| lower.len() > 4 && name.starts_with(&lower)).map(|n| n.1);
                let has = |wanted: &str| table.columns.iter().position(|(t, _)| bare(t) == wanted);
                // `node` is a prefix of two names.
                let enough = |name: &str| lower.len() > if name.starts_with("node") { 4 } else { 0 };
                let begins = || {
                    let fits = |t: &str| bare(t).starts_with(&lower) && enough(&bare(t));
                    table.columns.iter().position(|(t, _)| fits(t))
                };
                let found = has(&lower).or_else(begins).or_else(|| has(&bare(other?)));
                let at = found.ok_or_else(|| format!("Unknown field '{name}'"))?;
                if let Some((title, usual)) = table.columns.get(at) {
                    // Names are wider if no format is given.
                    let usual = if *title == "Name" { 10 } else { *usual };
                    listing.add(at, title, width.unwrap_or(usual));
                }
            }
        }
    }
    let mut out = Vec::new();
    listing.head(&mut out);
    for row in &table.rows {
        listing.row(&mut out, &|at| row.get(at).cloned().unwrap_or_default());
    }
    cx.out.append(&mut out);
    Ok(0)
}

/// Workload characterization keys of the selected users.
fn wckeys(state: &Slurmctld, wish: &ShowSelection) -> SacctmgrTable {
    let named = |key: &String| wish.names.is_empty() || wish.names.contains(key);
    let keys = state.dbd.wckeys.iter().filter(|(key, user)| named(key) && wish.admits("User", user));
    let rows = keys.map(|(key, user)| vec![key.clone(), state.dbd.cluster.clone(), user.clone()]).collect();
    SacctmgrTable { columns: &[("WCKey", 10), ("Cluster", 10), ("User", 10)], usual: first(3), rows }
}

fn known_tres(state: &Slurmctld, wish: &ShowSelection) -> SacctmgrTable {
    let shown =
        tres::rows(state).into_iter().filter(|(kind, name, id)| wish.plain.shows_tres(kind, name, *id));
    let rows = shown.map(|(kind, name, id)| vec![kind, name, id.to_string()]).collect();
    SacctmgrTable { columns: &[("Type", 8), ("Name", 15), ("ID", 6)], usual: first(3), rows }
}

/// All nodes as a host list.
pub(super) fn all_nodes(state: &Slurmctld) -> String {
    let names: Vec<&str> = state.nodes.iter().map(|n| n.conf.name.as_str()).collect();
    base::hostlist::compress(&names)
}

/// The total of all nodes.
pub(super) fn all_tres(state: &Slurmctld) -> String {
    let sum = |get: fn(&Node) -> u64| state.nodes.iter().map(get).sum::<u64>();
    let (cpus, mem) = (sum(|n| n.conf.cpus.into()), sum(|n| n.conf.real_memory));
    let all_gres = || state.nodes.iter().flat_map(|n| &n.conf.gres);
    let gres = |name: &str| -> u64 {
        let full = |g: &&config::GresConf| {
            g.name == name || g.kind.as_ref().is_some_and(|kind| name == format!("{}:{kind}", g.name))
        };
        all_gres().filter(full).map(|g| u64::from(g.count)).sum()
    };
    let text = |(kind, name, _): (String, String, u32)| match kind.as_str() {
        "cpu" | "billing" => format!("{kind}={cpus}"),
        "mem" => format!("mem={}", mem_text(mem)),
        "node" => format!("node={}", state.nodes.len()),
        "gres" => format!("gres/{name}={}", gres(&name)),
        _ if name.is_empty() => format!("{kind}=0"),
        _ => format!("{kind}/{name}=0"),
    };
    let mut all: Vec<String> = tres::rows(state).into_iter().map(text).collect();
    all.order();
    all.join(",")
}

const EVENTS: &[(&str, i32)] = &[
    ("Cluster", 10),
    ("NodeName", -15),
    ("TimeStart", 19),
    ("TimeEnd", 19),
    ("State", 6),
    ("Reason", 30),
    ("User", 10),
    ("Cluster Nodes", 20),
    ("CPU Cnt", 7),
    ("Duration", 13),
    ("Event", 7),
    ("EventRaw", 8),
    ("StateRaw", 8),
    ("TRES", 20),
];

/// The cluster's registration, and nodes that are down or drained now.
fn events(cx: &Cx, wish: &ShowSelection) -> SacctmgrTable {
    let view = JobView::of(cx);
    let cluster = &view.state.cluster.global.cluster_name;
    let of_node = |node: &Node, since: Time, state: String, reason: &str, user: String| {
        let own = [
            cluster.clone(),
            node.conf.name.clone(),
            since.iso(),
            "Unknown".to_owned(),
            state,
            reason.to_owned(),
            user,
        ];
        let cpus = node.conf.cpus.to_string();
        let tres = format!("cpu={cpus},mem={}", mem_text(node.conf.real_memory));
        let more = [
            String::new(),
            cpus,
            hms(view.now.secs() - since.secs()),
            "Node".to_owned(),
            "2".to_owned(),
            "1".to_owned(),
            tres,
        ];
        own.into_iter().chain(more).collect::<Vec<_>>()
    };
    let boot = view.state.boot;
    let cpus = view.state.nodes.iter().map(|n| u64::from(n.conf.cpus)).sum::<u64>().to_string();
    let texts = [
        "",
        &boot.iso(),
        "Unknown",
        "",
        "Cluster Registered TRES",
        "",
        &all_nodes(view.state),
        &cpus,
        &hms(view.now.secs() - boot.secs()),
        "Cluster",
        "1",
        "0",
        &all_tres(view.state),
    ];
    let registration = std::iter::once(cluster.clone()).chain(texts.map(str::to_owned)).collect();
    let mut rows: Vec<Vec<String>> =
        if wish.plain.kind == Some("node") { Vec::new() } else { vec![registration] };
    let lost = |n: &&Node| n.reason.is_some() && !n.available();
    let plain = &wish.plain;
    let named = |n: &&Node| plain.nodes.is_empty() || plain.nodes.contains(&n.conf.name);
    for node in view.state.nodes.iter().filter(lost).filter(named) {
        let Some(reason) = &node.reason else { continue };
        let state = nodetext::state_text(view.state, node).1;
        let fits =
            plain.states.is_empty() || plain.states.iter().any(|s| state.to_ascii_lowercase().starts_with(s));
        if fits && plain.kind != Some("cluster") {
            rows.push(of_node(node, reason.at, state, &reason.text, nodetext::who(view.users, reason.by)));
        }
    }
    SacctmgrTable { columns: EVENTS, usual: first(7), rows }
}

fn transactions(state: &Slurmctld, wish: &ShowSelection) -> SacctmgrTable {
    let row = |t: &slurmdbd::Transaction| {
        vec![t.time.iso(), t.action.clone(), t.actor.clone(), t.subject.clone(), t.info.clone()]
    };
    SacctmgrTable {
        columns: &[("Time", 19), ("Action", 20), ("Actor", 10), ("Where", 20), ("Info", 20)],
        usual: first(5),
        rows: state
            .dbd
            .transactions
            .iter()
            .filter(|t| wish.plain.shows_change(&t.actor, &t.action, t.time))
            .map(row)
            .collect(),
    }
}

fn problems(cx: &Cx) -> SacctmgrTable {
    let dbd = &cx.cluster.state().dbd;
    let row = |account: &str, user: &str, what: &str| {
        vec![dbd.cluster.clone(), account.to_owned(), user.to_owned(), what.to_owned()]
    };
    let empty =
        dbd.accounts.values().filter(|a| !dbd.live().any(|x| x.user.is_some() && x.account == a.name));
    let mut rows: Vec<_> = empty.map(|a| row(&a.name, "", "Account has no users")).collect();
    let strangers =
        dbd.live().filter(|a| a.user.as_ref().is_some_and(|u| cx.kernel.users.by_name(u).is_none()));
    rows.extend(
        strangers.map(|a| row(&a.account, a.user.as_deref().unwrap_or(""), "User does not have a uid")),
    );
    SacctmgrTable {
        columns: &[("Cluster", 10), ("Account", 10), ("User", 10), ("Problem", 40)],
        usual: first(4),
        rows,
    }
}

/// Runaway jobs: unfinished in the database, unknown to slurmctld. There are none, because both share one state.
fn runaway(cx: &mut Cx, ask: &mut Confirmation) -> Result<u8, String> {
    let state = cx.cluster.state();
    let gone = |r: &&slurmdbd::JobRecord| r.end.is_none() && state.job(r.job).is_none();
    let ids: Vec<String> = state.dbd.jobs.values().filter(gone).map(|r| r.job.to_string()).collect();
    let cluster = state.dbd.cluster.clone();
    if ids.is_empty() {
        cx.line(&format!("Runaway Jobs: No runaway jobs found on cluster {cluster}"));
        return Ok(0);
    }
    cx.line(&format!("NOTE: Runaway jobs are jobs that don't exist in the controller but have a start time and no end time in the database\n{}", ids.join(",")));
    let question = "\nWould you like to fix these runaway jobs?\n(This will set the end time for each job to the latest out of the start, eligible, or submit times, and set the state to completed.\nOnce corrected, this will trigger the rollup to reroll usage from before the earliest submit time of all the runaway jobs.)\n\n (You have 30 seconds to decide)\n(N/y): ";
    ask.question(cx, question);
    Ok(0)
}

fn reservations(cx: &Cx) -> SacctmgrTable {
    let view = JobView::of(cx);
    let row = |r: &slurmctld::reservation::Reservation| {
        let (start, end) = r.window(view.now);
        vec![
            view.state.dbd.cluster.clone(),
            r.name.clone(),
            String::new(),
            start.iso(),
            end.iso(),
            String::new(),
            view.hosts(&r.nodes),
        ]
    };
    SacctmgrTable {
        columns: &[
            ("Cluster", 10),
            ("Name", 15),
            ("TRES", 30),
            ("TimeStart", 19),
            ("TimeEnd", 19),
            ("UnusedWall", 10),
            ("NodeName", -15),
        ],
        usual: first(6),
        rows: view.state.reservations.iter().map(row).collect(),
    }
}

fn configuration(cx: &mut Cx) {
    let now = cx.now.iso();
    cx.print(&format!(
        "Configuration data as of {now}\nAccountingStorageBackupHost  = (null)\nAccountingStorageHost  = localhost\n\
         AccountingStorageParameters  = (null)\nAccountingStoragePort  = 6819\n\
         AccountingStorageType  = accounting_storage/slurmdbd\nAccountingStorageUser  = N/A\nAuthType               = auth/munge\n\
         MessageTimeout         = 10 secs\nPluginDir              = /usr/lib/slurm\nSLURM_CONF             = /etc/slurm/slurm.conf\n\
         SLURM_VERSION          = 26.05.3\nTCPTimeout             = 2 secs\nTrackWCKey             = {}\n",
        if cx.cluster.state().cluster.global.track_wckey { "Yes" } else { "No" }
    ));
}
