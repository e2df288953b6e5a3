//! The administration panel: nodes by state, partitions, reservations, QOS, accounts and settings, in the texts
//! of sinfo(1), scontrol(1) and sacctmgr(1).

use crate::session::frame::queue;
use crate::world::World;
use ::config::{GresConf, PartConf};
use base::hostlist;
use commands::slurm::jobtext::{JobView, limit_short};
use commands::slurm::nodetext;
use commands::slurm::sacctmgr::fields::{FIELDS, SacctmgrLine, find};
use commands::slurm::scontrol::config;
use commands::slurm::sshare;
use protocol::{AdminNames, AdminPicture, AdminSubject, NodeKind};
use slurmctld::Slurmctld;
use slurmctld::node::Node;
use slurmctld::reservation::Reservation;
use slurmdbd::Assoc;

/// Most rows in a frame.
const MAX_ROWS: usize = 200;
/// Maximum number of names that a form offers per kind.
const MAX_NAMES: usize = 500;
/// Maximum number of characters of a host list.
const MAX_HOSTS: usize = 300;

/// The columns of sacctmgr for a QOS.
const OF_QOS: &[&str] = &[
    "name",
    "priority",
    "preempt",
    "preemptmode",
    "gracetime",
    "usagefactor",
    "grptres",
    "maxtrespu",
    "maxjobspu",
    "maxsubmitpu",
    "maxwall",
    "flags",
];
/// The columns of sacctmgr for an association.
const OF_ASSOC: &[&str] = &[
    "account",
    "user",
    "partition",
    "share",
    "qos",
    "defaultqos",
    "grptres",
    "grpjobs",
    "maxtres",
    "maxjobs",
    "maxsubmit",
    "maxwall",
];

/// Settings that are shown and can be changed.
const SETTINGS: &[&str] = &[
    "PreemptType",
    "PreemptMode",
    "PreemptExemptTime",
    "PriorityType",
    "PriorityWeightAge",
    "PriorityWeightAssoc",
    "PriorityWeightFairShare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
    "PriorityDecayHalfLife",
    "PriorityCalcPeriod",
    "PriorityMaxAge",
    "PriorityFavorSmall",
    "PriorityFlags",
    "SchedulerParameters",
    "SlurmdTimeout",
    "ReturnToService",
    "KillWait",
    "OverTimeLimit",
    "MaxArraySize",
    "EnforcePartLimits",
    "AccountingStorageEnforce",
];

/// The current state of a subject.
pub fn picture(world: &World, subject: AdminSubject) -> AdminPicture {
    let view = queue::view(world);
    let (headings, rows, total) = match subject {
        AdminSubject::Nodes => nodes(&view),
        AdminSubject::Partitions => partitions(&view),
        AdminSubject::Reservations => reservations(&view),
        AdminSubject::Qos => qos(&view),
        AdminSubject::Accounts => accounts(&view),
        AdminSubject::Settings => settings(&view),
    };
    let ctld = view.state;
    AdminPicture {
        subject,
        headings,
        rows,
        total: u32::try_from(total).unwrap_or(u32::MAX),
        names: names(world),
        kinds: if subject == AdminSubject::Nodes { kinds(ctld) } else { Vec::new() },
        settings: if subject == AdminSubject::Settings { values(ctld) } else { Vec::new() },
    }
}

/// Headings, the first rows, and the total number of rows.
type AdminTable = (Vec<String>, Vec<Vec<String>>, usize);

fn table(headings: &[&str], mut rows: Vec<Vec<String>>) -> AdminTable {
    let total = rows.len();
    rows.truncate(MAX_ROWS);
    (headings.iter().map(|h| (*h).to_owned()).collect(), rows, total)
}

/// Nodes grouped by state and reason, which `sinfo -R` and `sinfo` show separately.
fn nodes(view: &JobView) -> AdminTable {
    let mut groups: Vec<([String; 2], Vec<&str>)> = Vec::new();
    for node in view.state.nodes.iter().filter(|n| !n.gone) {
        let reason = node.reason.as_ref().map(|r| r.text.clone()).unwrap_or_default();
        let key = [nodetext::state_text(view.state, node).1.to_ascii_lowercase(), reason];
        match groups.iter().position(|g| g.0 == key) {
            Some(at) => groups[at].1.push(&node.conf.name),
            None if groups.len() < MAX_ROWS => groups.push((key, vec![&node.conf.name])),
            None => {}
        }
    }
    let row = |([state, reason], names): ([String; 2], Vec<&str>)| {
        vec![state, names.len().to_string(), short(hostlist::compress(&names)), reason]
    };
    table(&["STATE", "NODES", "NODELIST", "REASON"], groups.into_iter().map(row).collect())
}

/// A host list, shortened to fit into a cell.
fn short(mut hosts: String) -> String {
    if hosts.len() > MAX_HOSTS {
        let at = hosts.floor_char_boundary(MAX_HOSTS);
        hosts.truncate(at);
        hosts.push('…');
    }
    hosts
}

fn partitions(view: &JobView) -> AdminTable {
    let row = |p: &PartConf| {
        vec![
            p.name.clone(),
            nodetext::part_state(p).to_ascii_uppercase(),
            limit_short(p.max_time),
            p.default_time.map_or_else(|| "NONE".to_owned(), limit_short),
            p.priority_tier.to_string(),
            p.priority_job_factor.to_string(),
            config::partition_preempt_mode(view.state, p),
            nodetext::oversubscribe(p),
            p.qos.clone().unwrap_or_default(),
            short(view.hosts(&p.nodes)),
        ]
    };
    let headings = [
        "PartitionName",
        "State",
        "MaxTime",
        "DefaultTime",
        "PriorityTier",
        "PriorityJobFactor",
        "PreemptMode",
        "OverSubscribe",
        "QoS",
        "Nodes",
    ];
    table(&headings, view.state.partitions.iter().map(row).collect())
}

fn reservations(view: &JobView) -> AdminTable {
    let row = |r: &Reservation| {
        let (start, end) = r.window(view.now);
        vec![
            r.name.clone(),
            if r.active(view.now) { "ACTIVE" } else { "INACTIVE" }.to_owned(),
            start.iso(),
            end.iso(),
            short(view.hosts(&r.nodes)),
            r.users.text(),
            r.accounts.text(),
            r.flags.text(r.purge.secs()),
        ]
    };
    let headings =
        ["ReservationName", "State", "StartTime", "EndTime", "Nodes", "Users", "Accounts", "Flags"];
    table(&headings, view.state.reservations.iter().map(row).collect())
}

fn qos(view: &JobView) -> AdminTable {
    let line = |qos| SacctmgrLine { qos: Some(qos), ..SacctmgrLine::empty(view.state) };
    let rows = view.state.dbd.qos.iter().filter(|q| !q.deleted).map(|q| cells(&line(q), OF_QOS));
    table(&titles(OF_QOS), rows.collect())
}

fn accounts(view: &JobView) -> AdminTable {
    let tree = sshare::table(view, MAX_ROWS);
    let row = |assoc: &Assoc| {
        let depth = view.state.dbd.chain(assoc.id).count().saturating_sub(1);
        cells(
            &SacctmgrLine { assoc: Some(assoc), depth: Some(depth), ..SacctmgrLine::empty(view.state) },
            OF_ASSOC,
        )
    };
    let rows = tree.rows.iter().map(|(assoc, _)| row(assoc)).collect();
    let (headings, rows, _) = table(&titles(OF_ASSOC), rows);
    (headings, rows, view.state.dbd.live().count())
}

fn cells(line: &SacctmgrLine, names: &[&str]) -> Vec<String> {
    let fields = names.iter().filter_map(|name| FIELDS.get(find(name)?));
    fields.map(|field| (field.get)(line)).collect()
}

fn titles(names: &[&str]) -> Vec<&'static str> {
    names.iter().filter_map(|name| FIELDS.get(find(name)?)).map(|field| field.title).collect()
}

fn settings(view: &JobView) -> AdminTable {
    let row = |key: &&str| vec![(*key).to_owned(), setting(view.state, key)];
    table(&["slurm.conf", ""], SETTINGS.iter().map(row).collect())
}

fn setting(ctld: &Slurmctld, key: &str) -> String {
    config::of(ctld, key).unwrap_or_default()
}

/// Settings in the format of slurm.conf: without units, and empty instead of `(null)`.
fn values(ctld: &Slurmctld) -> Vec<(String, String)> {
    let value = |key: &&str| {
        let shown = setting(ctld, key);
        let plain = shown.split(' ').next().filter(|text| *text != "(null)").unwrap_or_default();
        ((*key).to_owned(), plain.to_owned())
    };
    SETTINGS.iter().map(value).collect()
}

fn names(world: &World) -> AdminNames {
    let ctld = &world.ctld;
    let dbd = &ctld.dbd;
    let nodes = ctld.nodes.iter().filter(|n| !n.gone);
    let live = dbd.qos.iter().filter(|q| !q.deleted);
    AdminNames {
        nodes: some(nodes.map(|n| n.conf.name.as_str())),
        partitions: some(ctld.partitions.iter().map(|p| p.name.as_str())),
        reservations: some(ctld.reservations.iter().map(|r| r.name.as_str())),
        qos: some(live.map(|q| q.name.as_str())),
        accounts: some(dbd.accounts.keys().map(String::as_str)),
        users: some(world.site.users.iter().map(|u| u.name.as_str())),
    }
}

fn some<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.take(MAX_NAMES).map(str::to_owned).collect()
}

fn kinds(ctld: &Slurmctld) -> Vec<NodeKind> {
    ctld.partitions.iter().take(MAX_NAMES).filter_map(|part| kind(ctld, part)).collect()
}

/// A description of new nodes that resemble the last node of a partition.
fn kind(ctld: &Slurmctld, part: &PartConf) -> Option<NodeKind> {
    let last = part.nodes.iter().filter_map(|i| ctld.nodes.get(i as usize)).last()?;
    let prefix = last.conf.name.trim_end_matches(|c: char| c.is_ascii_digit());
    // Consider all nodes: another partition may continue the same names.
    let numbers = ctld.nodes.iter().filter(|n| !n.gone).filter_map(|n| n.conf.name.strip_prefix(prefix));
    let largest = numbers.filter_map(|n| n.parse::<u32>().ok()).max().unwrap_or(0);
    let digits = last.conf.name.len() - prefix.len();
    let files = last.conf.gres.iter().filter(|g| !g.files.is_empty());
    Some(NodeKind {
        partition: part.name.clone(),
        everywhere: part.all_nodes,
        prefix: prefix.to_owned(),
        next: (largest.checked_add(1)?, u32::try_from(digits).ok()?),
        shape: shape(last),
        gres: files.map(gres_line).collect(),
    })
}

/// The remaining fields of a node's line in slurm.conf.
fn shape(node: &Node) -> String {
    let conf = &node.conf;
    let mut text = format!(
        "Sockets={} CoresPerSocket={} ThreadsPerCore={} RealMemory={}",
        conf.sockets, conf.cores_per_socket, conf.threads_per_core, conf.real_memory
    );
    if !conf.gres.is_empty() {
        text = format!("{text} Gres={}", nodetext::gres(node));
    }
    if !conf.features.is_empty() {
        text = format!("{text} Feature={}", conf.features.join(","));
    }
    if conf.weight != 1 {
        text = format!("{text} Weight={}", conf.weight);
    }
    text
}

/// The remaining fields of a node's line in gres.conf.
fn gres_line(gres: &GresConf) -> String {
    let kind = gres.kind.as_ref().map(|kind| format!(" Type={kind}")).unwrap_or_default();
    format!("Name={}{kind} File={}", gres.name, hostlist::compress(&gres.files))
}
