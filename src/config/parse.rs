//! Parses a whole cluster: dispatches lines to their readers, in dependency order.

use super::keys::{self, KeyUse};
use super::lines::{self, ConfigEntry, ConfigLine, DiagnosticLog, LineOptions};
use super::nodes::Nodes;
use super::partitions::Partitions;
use super::{Cluster, SiteFiles, global, gres, invalid, topology};
use base::diagnostic::Severity;

/// A line that describes an entity: its type, its name and the rest of the line.
struct EntityLine<'a> {
    line: ConfigLine<'a>,
    key: &'static str,
    name: String,
    entries: Vec<ConfigEntry<'a>>,
}

/// Reads `slurm.conf`, `gres.conf` and `topology.conf`.
pub(super) fn cluster(files: &SiteFiles) -> Cluster {
    let mut report = DiagnosticLog::default();
    if !files.0.contains_key("slurm.conf") {
        report.add(Severity::Error, "slurm.conf", 0, "No such file");
    }
    let (options, entities) = split(files, &mut report);
    let mut global = global::read(&options, &mut report);
    let (mut nodes, mut partitions) = (Nodes::new(), Partitions::new());
    // Nodes first: partitions may name nodes from later lines.
    for phase in ["NodeName", "DownNodes"] {
        for entity in entities.iter().filter(|t| t.key == phase) {
            if phase == "NodeName" {
                let entries = entity.entries.clone();
                nodes.line(&entity.line, &entity.name, entries, &global.gres_types, &mut report);
            } else {
                nodes.down(&entity.line, &entity.name, &entity.entries, &mut report);
            }
        }
    }
    if nodes.list.is_empty() {
        report.add(Severity::Error, "slurm.conf", 0, "No NodeName information available!");
    }
    if !files.0.contains_key("site.toml") {
        // A bare configuration is simulated as one machine, whose slurmds report the hardware of slurm.conf.
        nodes.share_a_machine();
        for (key, value) in [(super::MULTIPLE_SLURMD, "yes"), ("SlurmdParameters", "config_overrides")] {
            global.raw.entry(key.to_owned()).or_insert_with(|| value.to_owned());
        }
    }
    gres::read(files, &mut nodes, &mut report);
    let gres_kinds = gres::number(&mut nodes.list, &mut report);
    let topology = topology::read(files, options.text("TopologyPlugin"), &nodes, &mut report);
    for entity in entities.iter().filter(|t| t.key == "NodeSet") {
        partitions.node_set(&entity.line, &entity.name, &entity.entries, &nodes, &mut report);
    }
    for entity in entities.iter().filter(|t| t.key == "PartitionName") {
        partitions.line(&entity.line, &entity.name, entity.entries.clone(), &nodes, &mut report);
    }
    if partitions.list.is_empty() {
        report.add(Severity::Error, "slurm.conf", 0, "No PartitionName information available!");
    }
    let names: Vec<String> = partitions.list.iter().map(|partition| partition.name.clone()).collect();
    invalid::report_names(&options, &nodes, &names, &mut report);
    Cluster {
        global,
        nodes: nodes.list,
        partitions: partitions.list,
        gres_kinds,
        topology,
        constrain_devices: constrain_devices(files),
        conf_file: format!("{}/slurm.conf", files.0.get("conf_dir").map_or("/etc/slurm", |t| t.trim())),
        diagnostics: report.list,
    }
}

/// The device constraint of cgroup.conf(5). Nothing else in that file has an effect here.
fn constrain_devices(files: &SiteFiles) -> bool {
    let lines = files.0.get("cgroup.conf").map_or("", String::as_str).lines();
    let mut pairs = lines.filter_map(|line| line.split('#').next()?.split_once('='));
    pairs.any(|(key, value)| {
        key.trim().eq_ignore_ascii_case("ConstrainDevices") && value.trim().eq_ignore_ascii_case("yes")
    })
}

/// Separates global settings from entity lines.
fn split<'a>(files: &'a SiteFiles, report: &mut DiagnosticLog) -> (LineOptions<'a>, Vec<EntityLine<'a>>) {
    let (mut options, mut entities) = (LineOptions::default(), Vec::new());
    for line in lines::read(files, "slurm.conf", report) {
        let mut entries = lines::pairs(&line, report).into_iter();
        while let Some(entry) = entries.next() {
            let line_key = keys::LINE_KEYS.iter().find(|k| k.eq_ignore_ascii_case(&entry.key));
            if let Some(key) = line_key {
                if *key == "FrontendName" {
                    let message = "FrontendName has no effect in the simulation";
                    report.add(Severity::Note, line.file, line.line, message);
                }
                entities.push(EntityLine { line, key, name: entry.value, entries: entries.collect() });
                break;
            }
            set(&mut options, entry, report);
        }
    }
    (options, entities)
}

/// Stores a global setting.
fn set<'a>(options: &mut LineOptions<'a>, mut entry: ConfigEntry<'a>, report: &mut DiagnosticLog) {
    let Some((canonical, use_)) = keys::global(&entry.key) else {
        let hint = keys::like_global(&entry.key).map(|k| format!(" (did you mean {k}?)")).unwrap_or_default();
        let message = format!("Parsing error at unrecognized key: {}{hint}", entry.key);
        return report.add(Severity::Error, entry.file, entry.line, message);
    };
    entry.key = canonical.to_owned();
    match use_ {
        KeyUse::Taken => {}
        KeyUse::Ignored => {
            let message = format!("{canonical} has no effect in the simulation");
            report.add(Severity::Note, entry.file, entry.line, message);
        }
        KeyUse::Defunct => {
            let message = format!("The option \"{canonical}\" is defunct, please remove it from slurm.conf");
            return report.add(Severity::Warning, entry.file, entry.line, message);
        }
    }
    let key = canonical.to_ascii_lowercase();
    if let Some(old) = options.0.get(&key).filter(|_| !keys::REPEATED.contains(&canonical)) {
        let message =
            format!("{canonical} is specified more than once (line {}), latest value used", old.line);
        report.add(Severity::Warning, entry.file, entry.line, message);
    }
    options.0.insert(key, entry);
}
