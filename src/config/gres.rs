//! gres.conf(5): device files and cores for the counts in the nodes' `Gres`.
//!
//! As in Slurm, the count comes from slurm.conf alone. Difference: `AutoDetect` finds nothing.

use super::lines::{self, ConfigLine, DiagnosticLog};
use super::nodes::{MAX_NODES, Nodes, checked};
use super::value::count;
use super::{GresAffinity, GresKind, NodeConf, SiteFiles, invalid, keys};
use base::bitset::BitSet;
use base::diagnostic::Severity;
use base::hostlist;

/// Maximum core number in `Cores`.
const MAX_CORE: u32 = 65_533;

/// Maximum number of GRES types in a cluster: a request stores the acceptable ones in a 64-bit mask.
const MAX_KINDS: usize = 64;

/// Numbers the GRES types of all nodes.
pub(super) fn number(nodes: &mut [NodeConf], report: &mut DiagnosticLog) -> Vec<GresKind> {
    let mut kinds: Vec<GresKind> = Vec::new();
    for node in nodes {
        node.gres.retain_mut(|gres| {
            let known = kinds.iter().position(|k| k.name == gres.name && k.kind == gres.kind);
            let id = known.unwrap_or(kinds.len());
            if known.is_none() && id < MAX_KINDS {
                kinds.push(GresKind { name: gres.name.clone(), kind: gres.kind.clone() });
            } else if known.is_none() {
                let message = format!("More than {MAX_KINDS} kinds of GRES; others are left out");
                report.add(Severity::Error, "slurm.conf", 0, message);
            }
            gres.id = u32::try_from(id).unwrap_or(0);
            id < MAX_KINDS
        });
    }
    kinds
}

/// Applies `gres.conf` to the nodes.
pub(super) fn read(files: &SiteFiles, nodes: &mut Nodes<'_>, report: &mut DiagnosticLog) {
    let mut room = 20 * MAX_NODES;
    for line in lines::read(files, "gres.conf", report) {
        let entries = lines::pairs(&line, report);
        let options = checked(&line, entries, keys::gres, "gres.conf", report);
        invalid::report_gres(&options, report);
        let Some(name) = options.text("Name") else {
            // `AutoDetect` alone is a line.
            let others = options.0.values().find(|entry| !entry.key.eq_ignore_ascii_case("NodeName"));
            if let Some(entry) = others {
                let message = format!("{} without Name has no effect", entry.key);
                report.add(Severity::Warning, entry.file, entry.line, message);
            }
            continue;
        };
        let kind = options.text("Type");
        let devices = options.text("File").or_else(|| options.text("MultipleFiles")).unwrap_or_default();
        let devices = hostlist::expand(devices).unwrap_or_else(|e| {
            report.add(Severity::Error, line.file, line.line, format!("Invalid File: {e}"));
            Vec::new()
        });
        let cores = options.get(report, "Cores", cores).or_else(|| options.get(report, "CPUs", cores));
        let stated = options.get(report, "Count", count);
        let own_files = !devices.is_empty() && !shared(name);
        if let Some(stated) = stated.filter(|c| own_files && *c != devices.len() as u64) {
            let message = format!("Count={stated} is not the number of files");
            report.add(Severity::Warning, line.file, line.line, message);
        }
        let device = GresDevice { name, kind, files: &devices, cores: cores.as_ref() };
        match options.text("NodeName") {
            None => nodes.list.iter_mut().for_each(|node| {
                device.add_to(node);
            }),
            Some(names) => named(&line, names, &device, nodes, &mut room, report),
        }
    }
    short(files, nodes, report);
}

/// Whether several units of the GRES share a device, so that files do not determine the count.
fn shared(name: &str) -> bool {
    name.eq_ignore_ascii_case("mps") || name.eq_ignore_ascii_case("shard")
}

/// The devices of one line.
struct GresDevice<'a> {
    name: &'a str,
    kind: Option<&'a str>,
    files: &'a [String],
    cores: Option<&'a BitSet>,
}

impl GresDevice<'_> {
    /// Adds the files to the first matching GRES of the node with room; returns whether the node has a GRES
    /// of that name.
    fn add_to(&self, node: &mut NodeConf) -> bool {
        let fits =
            |kind: &Option<String>| kind.is_none() || self.kind.is_none() || kind.as_deref() == self.kind;
        let mut any = false;
        let mut files = self.files.iter();
        for gres in node.gres.iter_mut().filter(|g| g.name.eq_ignore_ascii_case(self.name) && fits(&g.kind)) {
            any = true;
            let room = (gres.count as usize).saturating_sub(gres.files.len());
            let before = gres.files.len();
            gres.files.extend(files.by_ref().take(room).cloned());
            let added =
                if self.files.is_empty() { 0..gres.units() } else { index(before)..index(gres.files.len()) };
            if let Some(cores) = self.cores.filter(|_| !added.is_empty()) {
                gres.affinity.push(GresAffinity { units: added.collect(), cores: cores.clone() });
            }
        }
        any
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Applies a line with `NodeName`.
fn named(
    line: &ConfigLine<'_>,
    names: &str,
    device: &GresDevice<'_>,
    nodes: &mut Nodes<'_>,
    room: &mut usize,
    report: &mut DiagnosticLog,
) {
    let all = match hostlist::expand(names) {
        Ok(all) if all.len() <= *room => all,
        Ok(_) => return report.add(Severity::Error, line.file, line.line, "Too many nodes"),
        Err(e) => {
            return report.add(
                Severity::Error,
                line.file,
                line.line,
                format!("Invalid NodeName={names}: {e}"),
            );
        }
    };
    *room -= all.len();
    let mut missing = None;
    for name in all {
        // Unknown nodes are fine: one gres.conf may serve several clusters.
        let node = nodes.index.get(&name).and_then(|i| nodes.list.get_mut(*i as usize));
        if let Some(node) = node
            && !device.add_to(node)
        {
            missing = Some(name);
        }
    }
    if let Some(name) = missing {
        let message = format!("slurm.conf gives node {name} no such gres/{}; it is left out", device.name);
        report.add(Severity::Warning, line.file, line.line, message);
    }
}

/// Maximum number of nodes reported with too few devices.
const MAX_SHORT: usize = 50;

/// Warns of nodes with fewer device files than their count: slurmd would drain them.
fn short(files: &SiteFiles, nodes: &Nodes<'_>, report: &mut DiagnosticLog) {
    let few =
        |g: &super::GresConf| !g.files.is_empty() && g.files.len() < g.count as usize && !shared(&g.name);
    let all = nodes.list.iter().flat_map(|node| node.gres.iter().filter(|g| few(g)).map(move |g| (node, g)));
    for (node, gres) in all.take(MAX_SHORT) {
        let (name, have, want) = (&node.name, gres.files.len(), gres.count);
        let message =
            format!("gres/{} count reported lower than configured on {name} ({have} < {want})", gres.name);
        report.add(Severity::Warning, "gres.conf", last_line(files, name), message);
    }
}

/// The last line of gres.conf that names a node; 0 if there is none.
fn last_line(files: &SiteFiles, node: &str) -> u32 {
    let text = files.0.get("gres.conf").map_or("", String::as_str);
    let names = |line: &str| {
        let mut words = line.split_whitespace().filter_map(|word| word.split_once('='));
        let names = words.find(|(key, _)| key.eq_ignore_ascii_case("NodeName")).map(|(_, names)| names);
        names.and_then(|names| hostlist::expand(names).ok()).is_some_and(|all| all.iter().any(|n| n == node))
    };
    (1..).zip(text.lines()).filter(|(_, line)| names(line)).last().map_or(0, |(number, _)| number)
}

/// Parses `0-7,16-23`.
fn cores(text: &str) -> Option<BitSet> {
    let mut set = BitSet::default();
    for part in text.split(',').map(str::trim) {
        let (lo, hi) = part.split_once('-').unwrap_or((part, part));
        let (lo, hi): (u32, u32) = (lo.parse().ok()?, hi.parse().ok()?);
        if lo > hi || hi > MAX_CORE {
            return None;
        }
        (lo..=hi).for_each(|c| set.insert(c));
    }
    Some(set)
}
