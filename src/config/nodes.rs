//! `NodeName=` lines of slurm.conf(5): defaults, sockets and CPUs, `Gres`, `DownNodes`.

use super::lines::{ConfigEntry, ConfigLine, DiagnosticLog, LineOptions};
use super::value::{big, count, number, words};
use super::{GresConf, NodeConf, keys};
use base::diagnostic::Severity;
use base::hostlist;
use std::collections::BTreeMap;

/// Maximum number of nodes in a cluster.
pub(super) const MAX_NODES: usize = 20_000;
/// Maximum number of sockets, cores or threads of a node; Slurm stores 16 bits.
const MAX_CPUS: u32 = 65_533;
/// The default of `SlurmdPort`.
const SLURMD_PORT: u32 = 6818;
/// If one machine has several slurmds, their ports are numbered from this one + 1.
const BEFORE_PORTS: u32 = 17_000;

/// The nodes read so far, and the `DEFAULT` values for the next lines.
#[derive(Default)]
pub(super) struct Nodes<'a> {
    pub(super) list: Vec<NodeConf>,
    pub(super) index: BTreeMap<String, u32>,
    defaults: LineOptions<'a>,
    /// How many more names node lines may expand to, valid or not.
    room: usize,
}

impl<'a> Nodes<'a> {
    pub(super) fn new() -> Self {
        Self { room: 5 * MAX_NODES, ..Self::default() }
    }

    /// Gives each node its own port, because all slurmds run on one machine.
    pub(super) fn share_a_machine(&mut self) {
        for (number, node) in (1..).zip(&mut self.list).filter(|(_, node)| node.port == SLURMD_PORT) {
            node.port = BEFORE_PORTS + number;
        }
    }

    /// Reads a `NodeName=` line.
    pub(super) fn line(
        &mut self,
        line: &ConfigLine<'a>,
        names: &str,
        entries: Vec<ConfigEntry<'a>>,
        gres_types: &[String],
        report: &mut DiagnosticLog,
    ) {
        let own = checked(line, entries, keys::node, "NodeName", report);
        let mut options = self.defaults.clone();
        options.0.extend(own.0);
        if names.eq_ignore_ascii_case("DEFAULT") {
            self.defaults = options;
            return;
        }
        let all = match hostlist::expand(names) {
            Ok(all) if all.len() <= self.room => all,
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
        self.room -= all.len();
        one_each(line, &all, &options, report);
        let template = node(line, names, &options, gres_types, report);
        let ports = ports(&options);
        for (at, name) in all.into_iter().enumerate() {
            if name.contains(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))) {
                let message = format!("Invalid NodeName={name}");
                report.add(Severity::Error, line.file, line.line, message);
                continue;
            }
            if self.list.len() >= MAX_NODES {
                return report.add(
                    Severity::Error,
                    line.file,
                    line.line,
                    format!("More than {MAX_NODES} nodes; the rest is left out"),
                );
            }
            if self.index.contains_key(&name) {
                let message = format!("Duplicated NodeName {name} in the config file");
                report.add(Severity::Error, line.file, line.line, message);
                continue;
            }
            self.index.insert(name.clone(), u32::try_from(self.list.len()).unwrap_or(u32::MAX));
            let port = ports.get(at).or(ports.first()).copied().unwrap_or(template.port);
            self.list.push(NodeConf { name, port, ..template.clone() });
        }
    }

    /// Reads a `DownNodes=` line.
    pub(super) fn down(
        &mut self,
        line: &ConfigLine<'a>,
        names: &str,
        entries: &[ConfigEntry<'a>],
        report: &mut DiagnosticLog,
    ) {
        let value =
            |key: &str| entries.iter().find(|e| e.key.eq_ignore_ascii_case(key)).map(|e| e.value.clone());
        let state = value("State").unwrap_or_else(|| "DOWN".to_owned()).to_ascii_uppercase();
        let all = match hostlist::expand(names) {
            Ok(all) => all,
            Err(e) => {
                let message = format!("Invalid DownNodes={names}: {e}");
                return report.add(Severity::Error, line.file, line.line, message);
            }
        };
        for name in all {
            let node = self.index.get(&name).and_then(|i| self.list.get_mut(*i as usize));
            if let Some(node) = node {
                node.state.clone_from(&state);
                node.reason = value("Reason");
            } else {
                let message = format!("DownNodes={name} is no node of this cluster");
                return report.add(Severity::Error, line.file, line.line, message);
            }
        }
    }
}

/// Reports lists of addresses, host names or ports whose length is neither 1 nor the number of nodes.
fn one_each(line: &ConfigLine<'_>, names: &[String], options: &LineOptions<'_>, report: &mut DiagnosticLog) {
    for key in ["NodeAddr", "NodeHostname", "Port"] {
        let Some(text) = options.text(key) else { continue };
        let list =
            if key == "Port" && !text.starts_with('[') { format!("[{text}]") } else { text.to_owned() };
        let message = match hostlist::expand(&list) {
            Ok(all) if all.len() == 1 || all.len() == names.len() => continue,
            Ok(all) => format!("{key} has {} values for {} nodes", all.len(), names.len()),
            Err(why) => format!("Invalid value \"{text}\" for {key}: {why}"),
        };
        report.add(Severity::Error, line.file, line.line, message);
    }
}

/// The ports of a line's nodes: one per node, one for all nodes, or none.
fn ports(options: &LineOptions<'_>) -> Vec<u32> {
    let Some(text) = options.text("Port") else { return Vec::new() };
    let list = if text.starts_with('[') { text.to_owned() } else { format!("[{text}]") };
    let all = hostlist::expand(&list).unwrap_or_default();
    all.iter().map_while(|port| port.parse().ok()).collect()
}

impl NodeConf {
    /// Parses a node's `Gres=`; invalid parts are left out.
    #[must_use]
    pub fn parse_gres(text: &str, gres_types: &[String]) -> Vec<GresConf> {
        let line = ConfigLine { file: "", line: 0, text: String::new() };
        gres(&line, text, gres_types, &mut DiagnosticLog::default())
    }

    /// Parses a node line as in slurm.conf (`NodeName=dy[1-2] CPUs=4 State=CLOUD`); `None` if any part is
    /// invalid.
    #[must_use]
    pub fn parse_line(text: &str, gres_types: &[String]) -> Option<Vec<Self>> {
        let mut report = DiagnosticLog::default();
        let line = ConfigLine { file: "", line: 0, text: text.to_owned() };
        let mut entries = super::lines::pairs(&line, &mut report);
        let at = entries.iter().position(|e| e.key.eq_ignore_ascii_case("NodeName"))?;
        let name = entries.remove(at).value;
        let mut nodes = Nodes::new();
        nodes.line(&line, &name, entries, gres_types, &mut report);
        let wrong = report.list.iter().any(|d| d.severity == Severity::Error);
        (!wrong && !nodes.list.is_empty()).then_some(nodes.list)
    }
}

/// The options of a line with known keys. Unknown keys get a diagnostic.
pub(super) fn checked<'a>(
    line: &ConfigLine<'a>,
    entries: Vec<ConfigEntry<'a>>,
    known: fn(&str) -> Option<keys::KeyUse>,
    what: &str,
    report: &mut DiagnosticLog,
) -> LineOptions<'a> {
    let mut options = LineOptions::default();
    for entry in entries {
        match known(&entry.key) {
            None => {
                let hint = keys::like(keys::words_of(what), &entry.key);
                let hint = hint.map(|k| format!(" (did you mean {k}?)")).unwrap_or_default();
                let message = format!("Unknown option {} in a {what} line{hint}", entry.key);
                report.add(Severity::Error, line.file, line.line, message);
            }
            Some(keys::KeyUse::Ignored) => {
                let message = format!("{} of {what} lines has no effect in the simulation", entry.key);
                report.add(Severity::Note, line.file, line.line, message);
            }
            Some(keys::KeyUse::Taken | keys::KeyUse::Defunct) => {
                let key = entry.key.clone();
                if options.0.insert(entry.key.to_ascii_lowercase(), entry).is_some() {
                    let message =
                        format!("{key} is specified more than once in a {what} line, latest value used");
                    report.add(Severity::Warning, line.file, line.line, message);
                }
            }
        }
    }
    options
}

/// The common properties of the nodes of a line.
fn node(
    line: &ConfigLine<'_>,
    names: &str,
    o: &LineOptions<'_>,
    gres_types: &[String],
    report: &mut DiagnosticLog,
) -> NodeConf {
    let mut size = |key| o.get(report, key, |t| number(t).filter(|n| (1..=MAX_CPUS).contains(n)));
    let (boards, threads, cores) = (size("Boards"), size("ThreadsPerCore"), size("CoresPerSocket"));
    let (sockets, per_board) = (size("Sockets"), size("SocketsPerBoard"));
    let cpus = size("CPUs").or_else(|| size("Procs"));
    let (boards, threads_per_core, cores_per_socket) =
        (boards.unwrap_or(1), threads.unwrap_or(1), cores.unwrap_or(1));
    let per_socket = u64::from(cores_per_socket) * u64::from(threads_per_core);
    let sockets = u64::from(
        sockets
            .or_else(|| per_board.map(|n| n.saturating_mul(boards)))
            .or_else(|| cpus.map(|c| u32::try_from(u64::from(c) / per_socket).unwrap_or(1)))
            .unwrap_or(1)
            .clamp(1, MAX_CPUS),
    );
    let whole = sockets * per_socket;
    let cores_in_all = sockets * u64::from(cores_per_socket);
    let cpus = match cpus.map(u64::from) {
        None => whole,
        Some(c) if c == whole || c == cores_in_all || c == sockets => c,
        Some(c) => {
            let message = format!(
                "NodeNames={names} CPUs={c} match no Sockets, Sockets*CoresPerSocket or \
                 Sockets*CoresPerSocket*ThreadsPerCore. Resetting CPUs."
            );
            report.add(Severity::Warning, line.file, line.line, message);
            whole
        }
    };
    let cpus = u32::try_from(cpus).unwrap_or(MAX_CPUS + 1);
    let cpus = if cpus > MAX_CPUS {
        report.add(Severity::Error, line.file, line.line, format!("More than {MAX_CPUS} CPUs in a node"));
        1
    } else {
        cpus
    };
    let shape = if cpus == 1 {
        (1, 1, 1)
    } else {
        (u32::try_from(sockets).unwrap_or(1), cores_per_socket, threads_per_core)
    };
    let real_memory = o.get(report, "RealMemory", |t| big(t).filter(|m| *m < 1 << 40)).unwrap_or(1).max(1);
    let mem_spec_limit = o.get(report, "MemSpecLimit", big).unwrap_or(0);
    let core_spec = o.get(report, "CoreSpecCount", number).unwrap_or(0);
    let mut contradicts = |message: String| report.add(Severity::Warning, line.file, line.line, message);
    if mem_spec_limit > 0 && mem_spec_limit >= real_memory {
        contradicts(format!("MemSpecLimit={mem_spec_limit} leaves nothing of RealMemory={real_memory}"));
    }
    if core_spec > 0 && u64::from(core_spec) >= cores_in_all {
        contradicts(format!("CoreSpecCount={core_spec} leaves none of {cores_in_all} cores"));
    }
    let features = o.text("Features").or_else(|| o.text("Feature")).map(words).unwrap_or_default();
    NodeConf {
        name: String::new(),
        sockets: shape.0,
        cores_per_socket: shape.1,
        threads_per_core: shape.2,
        cpus,
        boards,
        real_memory,
        mem_spec_limit,
        core_spec,
        tmp_disk: o.get(report, "TmpDisk", big).unwrap_or(0),
        weight: o.get(report, "Weight", number).unwrap_or(1),
        features,
        gres: gres(line, o.text("Gres").unwrap_or_default(), gres_types, report),
        state: o.get(report, "State", node_state).unwrap_or_else(|| "UNKNOWN".to_owned()),
        reason: o.text("Reason").map(str::to_owned),
        port: SLURMD_PORT,
    }
}

/// A valid initial node state.
fn node_state(text: &str) -> Option<String> {
    const STATES: &[&str] =
        &["UNKNOWN", "IDLE", "DOWN", "DRAIN", "FAIL", "FAILING", "CLOUD", "FUTURE", "EXTERNAL"];
    let upper = text.to_ascii_uppercase();
    let known = upper.is_empty() || STATES.contains(&upper.as_str());
    known.then(|| if upper.is_empty() { "UNKNOWN".to_owned() } else { upper })
}

/// Parses `gpu:a100:4(S:0-1),gpu:v100:2,scratch:no_consume:100G`.
fn gres(line: &ConfigLine<'_>, text: &str, types: &[String], report: &mut DiagnosticLog) -> Vec<GresConf> {
    let mut all: Vec<GresConf> = Vec::new();
    for item in outer_commas(text) {
        let bare = item.split_once('(').map_or(item, |(head, _)| head);
        let mut parts: Vec<&str> = bare.split(':').filter(|p| *p != "no_consume").collect();
        let amount = parts.last().and_then(|last| count(last)).filter(|_| parts.len() > 1);
        if amount.is_some() {
            parts.pop();
        }
        let (name, kind) = (parts.first().copied().unwrap_or_default(), parts.get(1).copied());
        if !types.iter().any(|t| t.eq_ignore_ascii_case(name)) {
            let message = format!("Gres={item}: gres/{name} is not among GresTypes");
            report.add(Severity::Error, line.file, line.line, message);
            continue;
        }
        let count = u32::try_from(amount.unwrap_or(1)).unwrap_or(u32::MAX);
        let no_consume = bare.split(':').any(|p| p == "no_consume");
        let kind = kind.map(str::to_owned);
        if let Some(same) = all.iter_mut().find(|g| g.name == name && g.kind == kind) {
            same.count = same.count.saturating_add(count);
        } else {
            let name = name.to_owned();
            all.push(GresConf {
                name,
                kind,
                id: 0,
                count,
                no_consume,
                files: Vec::new(),
                affinity: Vec::new(),
            });
        }
    }
    all
}

/// Splits at commas outside parentheses.
fn outer_commas(text: &str) -> Vec<&str> {
    let mut depth = 0i32;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}
