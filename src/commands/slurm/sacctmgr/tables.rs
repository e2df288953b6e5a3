//! What sacctmgr shows that is no account, user, association or QOS: clusters, TRES, events, transactions ...

use super::change::Ask;
use super::show::Wish;
use crate::commands::Cx;
use crate::commands::slurm::jobtext::View;
use crate::commands::slurm::listing::{Listing, name_and_width};
use crate::commands::slurm::{nodetext, private};
use crate::slurmctld::Slurmctld;
use crate::slurmctld::node::Node;
use crate::slurmdbd::Resource;

/// A table: headings with widths, and rows.
struct Table {
    columns: &'static [(&'static str, i32)],
    rows: Vec<Vec<String>>,
}

/// Whether an entity is shown by this module.
pub fn is_plain(kind: &str) -> bool {
    !matches!(kind, "accounts" | "users" | "associations" | "qos")
}

/// Shows one.
pub fn show(cx: &mut Cx, kind: &str, wish: &Wish, ask: &mut Ask) -> Result<u8, String> {
    let operator = cx.slurm.state().is_operator(cx.uid());
    let table = match kind {
        "clusters" => clusters(cx.slurm.state()),
        "tres" => tres(cx.slurm.state()),
        "events" if !View::of(cx).sees(private::Kind::Events) => {
            return Err("sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: Access/permission denied".to_owned());
        }
        "events" => events(cx),
        "transactions" => transactions(cx.slurm.state()),
        "problems" if !operator => {
            return Err(
                "sacctmgr: error: Access/permission denied\n Error with request: Access/permission denied"
                    .to_owned(),
            );
        }
        "problems" => problems(cx),
        "runawayjobs" => return runaway(cx, ask),
        "resources" => resources(cx.slurm.state(), wish),
        "wckeys" if !operator => {
            return Err("sacctmgr: error: Your user doesn't have privilege to perform this action\n Error with request: Access/permission denied".to_owned());
        }
        "wckeys" => wckeys(cx.slurm.state(), wish),
        "federations" => Table { columns: FEDERATIONS, rows: Vec::new() },
        "instances" => Table { columns: INSTANCES, rows: Vec::new() },
        "reservations" => reservations(cx),
        "configuration" => {
            configuration(cx);
            return Ok(0);
        }
        "stats" if !operator => return Err(" Error with request: Access/permission denied".to_owned()),
        "stats" => {
            super::daemon::stats(cx);
            return Ok(0);
        }
        other => return Err(format!("sacctmgr: error: show {other} is not simulated")),
    };
    print(cx, &table, wish)
}

const RESOURCES: &[(&str, i32)] = &[
    ("Name", 10),
    ("Server", 10),
    ("Type", 8),
    ("Count", 6),
    ("LastConsumed", 12),
    ("Allocated", 9),
    ("ServerType", 10),
    ("Flags", 20),
    ("Cluster", 10),
    ("Allowed", 10),
];
/// Resources, with this cluster's part if asked for.
fn resources(state: &Slurmctld, wish: &Wish) -> Table {
    let named = |r: &&Resource| wish.names.is_empty() || wish.names.contains(&r.name);
    let row = |r: &Resource| {
        let allowed = r.allowed.unwrap_or(0).to_string();
        let own =
            [r.name.clone(), r.server.clone(), "License".to_owned(), r.count.to_string(), "0".to_owned()];
        let more =
            [allowed.clone(), r.server_type.clone(), r.flags.clone(), state.dbd.cluster.clone(), allowed];
        own.into_iter().chain(more).take(if wish.with_clusters { 10 } else { 8 }).collect()
    };
    let shown =
        state.dbd.resources.iter().filter(named).filter(|r| !wish.with_clusters || r.allowed.is_some());
    let columns = if wish.with_clusters { RESOURCES } else { RESOURCES.get(..8).unwrap_or(RESOURCES) };
    Table { columns, rows: shown.map(row).collect() }
}

const FEDERATIONS: &[(&str, i32)] =
    &[("Federation", 10), ("Cluster", 10), ("ID", 2), ("Features", 20), ("FedState", 12)];
const INSTANCES: &[(&str, i32)] = &[
    ("Cluster", 10),
    ("NodeName", 20),
    ("Start", 19),
    ("End", 19),
    ("InstanceId", 20),
    ("InstanceType", 20),
    ("Extra", 20),
];

fn print(cx: &mut Cx, table: &Table, wish: &Wish) -> Result<u8, String> {
    let mut listing = Listing::new(wish.style.clone());
    match &wish.format {
        None => {
            table.columns.iter().enumerate().for_each(|(at, (title, width))| listing.add(at, title, *width))
        }
        Some(format) => {
            for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
                let (name, width) = name_and_width(word);
                let lower = name.to_ascii_lowercase();
                let bare = |title: &str| title.to_ascii_lowercase().replace(' ', "");
                let found = table.columns.iter().position(|(t, _)| bare(t).starts_with(&lower));
                let at = found.ok_or_else(|| format!("Unknown field '{name}'"))?;
                if let Some((title, usual)) = table.columns.get(at) {
                    listing.add(at, title, width.unwrap_or(*usual));
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

/// Work load keys of the users asked for.
fn wckeys(state: &Slurmctld, wish: &Wish) -> Table {
    let named = |key: &String| wish.names.is_empty() || wish.names.contains(key);
    let keys = state.dbd.wckeys.iter().filter(|(key, user)| named(key) && wish.admits("User", user));
    let rows = keys.map(|(key, user)| vec![key.clone(), state.dbd.cluster.clone(), user.clone()]).collect();
    Table { columns: &[("WCKey", 10), ("Cluster", 10), ("User", 10)], rows }
}

fn clusters(state: &Slurmctld) -> Table {
    let name = state.cluster.global.cluster_name.clone();
    let texts = ["127.0.0.1", "6817", "11520", "1", "", "", "", "", "", "", "", "normal", ""];
    let row = std::iter::once(name).chain(texts.map(str::to_owned)).collect();
    Table {
        columns: &[
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
        ],
        rows: vec![row],
    }
}

/// TRES with their kinds, names and numbers, as the database knows them.
pub fn tres_rows(state: &Slurmctld) -> Vec<(String, String, u32)> {
    let base = [
        ("cpu", "", 1),
        ("mem", "", 2),
        ("energy", "", 3),
        ("node", "", 4),
        ("billing", "", 5),
        ("fs", "disk", 6),
        ("vmem", "", 7),
        ("pages", "", 8),
    ];
    let mut rows: Vec<_> =
        base.iter().map(|(kind, name, id)| ((*kind).to_owned(), (*name).to_owned(), *id)).collect();
    let tracked = &state.cluster.global.tracked_gres;
    rows.extend((1001..).zip(tracked).map(|(id, name)| ("gres".to_owned(), name.clone(), id)));
    rows
}

fn tres(state: &Slurmctld) -> Table {
    let rows =
        tres_rows(state).into_iter().map(|(kind, name, id)| vec![kind, name, id.to_string()]).collect();
    Table { columns: &[("Type", 8), ("Name", 15), ("ID", 6)], rows }
}

/// The cluster's registration, and nodes that are down or drained now.
fn events(cx: &Cx) -> Table {
    let view = View::of(cx);
    let cluster = &view.state.cluster.global.cluster_name;
    let event = |node: &str, from: String, state: String, reason: &str, user: String| {
        vec![cluster.clone(), node.to_owned(), from, "Unknown".to_owned(), state, reason.to_owned(), user]
    };
    let mut rows =
        vec![event("", view.state.boot.iso(), String::new(), "Cluster Registered TRES", String::new())];
    let lost = |n: &&Node| n.reason.is_some() && !n.available();
    for node in view.state.nodes.iter().filter(lost) {
        let Some(reason) = &node.reason else { continue };
        let from = nodetext::reason_time(node).map_or_else(|| "Unknown".to_owned(), |t| t.iso());
        let state = nodetext::state_text(view.state, node).1;
        rows.push(event(&node.conf.name, from, state, &reason.text, nodetext::who(view.users, reason.by)));
    }
    Table {
        columns: &[
            ("Cluster", 10),
            ("NodeName", -15),
            ("TimeStart", 19),
            ("TimeEnd", 19),
            ("State", 6),
            ("Reason", 30),
            ("User", 10),
        ],
        rows,
    }
}

fn transactions(state: &Slurmctld) -> Table {
    let row = |t: &crate::slurmdbd::Transaction| {
        vec![t.time.iso(), t.action.clone(), t.actor.clone(), t.subject.clone(), t.info.clone()]
    };
    Table {
        columns: &[("Time", 19), ("Action", 20), ("Actor", 10), ("Where", 20), ("Info", 20)],
        rows: state.dbd.transactions.iter().map(row).collect(),
    }
}

fn problems(cx: &Cx) -> Table {
    let dbd = &cx.slurm.state().dbd;
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
    Table { columns: &[("Cluster", 10), ("Account", 10), ("User", 10), ("Problem", 40)], rows }
}

/// Jobs that the database thinks of as not over, and slurmctld does not know. There are none as long as both are one.
fn runaway(cx: &mut Cx, ask: &mut Ask) -> Result<u8, String> {
    let state = cx.slurm.state();
    let gone = |r: &&crate::slurmdbd::JobRecord| r.end.is_none() && state.job(r.job).is_none();
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

fn reservations(cx: &Cx) -> Table {
    let view = View::of(cx);
    let row = |r: &crate::slurmctld::reservation::Reservation| {
        let (start, end) = r.window(view.now);
        vec![
            view.state.dbd.cluster.clone(),
            r.name.clone(),
            String::new(),
            start.iso(),
            end.iso(),
            String::new(),
        ]
    };
    Table {
        columns: &[
            ("Cluster", 10),
            ("Name", 15),
            ("TRES", 30),
            ("TimeStart", 19),
            ("TimeEnd", 19),
            ("UnusedWall", 10),
        ],
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
        if cx.slurm.state().cluster.global.track_wckey { "Yes" } else { "No" }
    ));
}
