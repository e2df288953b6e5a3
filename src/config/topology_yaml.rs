//! topology.yaml(5), which replaces topology.conf(5): converts the cluster's default topology to lines of
//! topology.conf with their line numbers, so one parser handles both. Other topologies (`Topology=` of
//! partitions) are reported as unsupported.
//!
//! Supports the YAML of the manual page only: keys with plain values, and lists in brackets or line by line.

use super::lines::DiagnosticLog;
use base::diagnostic::Severity;

/// The file's name.
pub(super) const FILE: &str = "topology.yaml";

/// A topology of the file.
#[derive(Default)]
struct YamlTopology {
    name: String,
    line: u32,
    default: bool,
    /// `tree`, `block`, `flat` ...
    plugin: String,
    /// Lines of topology.conf with their line numbers.
    entries: Vec<(u32, String)>,
}

/// The plugin of the default topology, and its lines in the syntax of topology.conf.
pub(super) fn convert(text: &str, report: &mut DiagnosticLog) -> Option<(String, String)> {
    let mut all: Vec<YamlTopology> = Vec::new();
    for (line, content) in (1u32..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        let content = content.strip_prefix('-').map_or(content, str::trim);
        if content.is_empty() || content.chars().all(|c| c == '-') {
            continue;
        }
        let (key, value) = content.split_once(':').unwrap_or(("", content));
        let (key, value) = (key.trim(), value.trim().trim_matches(['"', '\'']));
        if key == "topology" {
            all.push(YamlTopology { name: value.to_owned(), line, ..YamlTopology::default() });
        } else if !all.last_mut().is_some_and(|topology| topology.take(line, key, value)) {
            report.add(
                Severity::Error,
                FILE,
                line,
                format!("{content} is nothing that topology.yaml has here"),
            );
        }
    }
    let at = all.iter().position(|t| t.default).or_else(|| (!all.is_empty()).then_some(0));
    let Some(at) = at else {
        report.add(Severity::Error, FILE, 0, "No topology configured");
        return None;
    };
    let chosen = all.swap_remove(at);
    for other in all {
        let message = format!("topology {} is not the cluster's default and has no effect", other.name);
        report.add(Severity::Note, FILE, other.line, message);
    }
    let mut lines = vec![String::new(); text.lines().count()];
    for (line, entry) in chosen.entries {
        if let Some(slot) = lines.get_mut(line as usize - 1) {
            *slot = entry;
        }
    }
    Some((chosen.plugin, lines.join("\n")))
}

impl YamlTopology {
    /// Processes a line; returns whether it is part of a topology.
    fn take(&mut self, line: u32, key: &str, value: &str) -> bool {
        match (key, value) {
            ("cluster_default", _) => self.default = value.eq_ignore_ascii_case("true"),
            ("tree" | "block" | "ring" | "torus3d", "") | ("flat", _) => self.plugin = key.to_owned(),
            ("switches" | "blocks", "") => {}
            ("block_sizes", _) => {
                let sizes = value.trim_matches(['[', ']']).replace(' ', "");
                self.entries.push((line, format!("BlockSizes={sizes}")));
            }
            ("switch", _) => self.entries.push((line, format!("SwitchName={value}"))),
            ("block", _) => self.entries.push((line, format!("BlockName={value}"))),
            ("children", _) => return self.add(" Switches=", value),
            ("nodes", _) => return self.add(" Nodes=", value),
            // A list item on its own line: a block size.
            ("", size) => return self.add(",", size),
            // Contents of other topology types.
            _ => return matches!(self.plugin.as_str(), "ring" | "torus3d" | "flat"),
        }
        true
    }

    /// Appends to the last entry.
    fn add(&mut self, key: &str, value: &str) -> bool {
        let Some((_, entry)) = self.entries.last_mut() else { return false };
        let sizes = entry.starts_with("BlockSizes=");
        if sizes != (key == ",") {
            return matches!(self.plugin.as_str(), "ring" | "torus3d");
        }
        entry.push_str(if entry.ends_with('=') { "" } else { key });
        entry.push_str(value);
        true
    }
}
