//! Reads uploaded files as a site. Starts nothing, and does not touch the running session.

use base::diagnostic::{Diagnostic, Severity};
use base::order::StableSort as _;
use config::{Cluster, SiteFiles, SiteInfo, furnish};
use protocol::{FindingSeverity, SiteFinding, SiteReport};

/// Maximum number of reported diagnostics.
const MAX_FINDINGS: usize = 1000;

/// Summary and diagnostics of the files.
#[inline(never)]
pub fn read(files: Vec<(String, String)>) -> SiteReport {
    let (site, mut found) = furnish(SiteFiles(files.iter().cloned().collect()));
    let cluster = Cluster::parse(&site);
    let (info, problems) = SiteInfo::parse(&cluster.global.cluster_name, &site);
    found.extend(problems);
    found.extend(cluster.diagnostics.iter().cloned());
    found.order_by_key(|d| std::cmp::Reverse(d.severity));
    let brought =
        |name: &String| files.iter().any(|(own, _)| own == name || own.ends_with(&format!("/{name}")));
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    SiteReport {
        name: cluster.global.cluster_name.clone(),
        made_up: site.0.keys().filter(|name| !brought(name)).cloned().collect(),
        nodes: number(cluster.nodes.len()),
        partitions: number(cluster.partitions.len()),
        users: number(info.users.len()),
        findings: found.into_iter().take(MAX_FINDINGS).map(finding).collect(),
        files: site.0.into_iter().collect(),
    }
}

fn finding(found: Diagnostic) -> SiteFinding {
    let Diagnostic { severity, file, line, message } = found;
    let weight = match severity {
        Severity::Error => FindingSeverity::Error,
        Severity::Warning => FindingSeverity::Warning,
        Severity::Note => FindingSeverity::Note,
    };
    let location = if line == 0 { file } else { format!("{file}:{line}") };
    SiteFinding { weight, location, message }
}
