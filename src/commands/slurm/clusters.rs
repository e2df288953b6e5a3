//! `--clusters`: there is one cluster; its name or `all` selects it.

use super::getopt::ParsedArguments;
use crate::Cx;

/// Checks the requested clusters. `heading`: the listing starts with the cluster's name.
///
/// # Errors
/// The exit code, after the message about an unknown cluster.
pub fn asked(cx: &mut Cx, parsed: &ParsedArguments, heading: bool) -> Result<(), u8> {
    let Some((option, text)) = parsed.last_of(&["clusters", "cluster"]).filter(|(_, t)| !t.is_empty()) else {
        return Ok(());
    };
    let own = cx.cluster.state().cluster.global.cluster_name.clone();
    let source = if parsed.typed(option) { "--cluster" } else { "SLURM_CLUSTERS env" };
    for name in text.split(',').filter(|n| !n.is_empty()) {
        if !name.eq_ignore_ascii_case("all") && name != own {
            let tool = cx.name().to_owned();
            cx.complain(&unknown(&tool, name, source));
            cx.complain(&format!("{tool}: fatal: Could not get cluster information"));
            return Err(1);
        }
    }
    if heading && !parsed.has("json") && !parsed.has("yaml") {
        cx.line(&format!("CLUSTER: {own}"));
    }
    Ok(())
}

/// Whether the requested clusters include this one or are all. sacct and sreport only query the database, which
/// has no records of other clusters.
#[must_use]
pub fn names_own(cx: &Cx, parsed: &ParsedArguments) -> bool {
    let Some((_, text)) = parsed.last_of(&["clusters", "cluster"]) else { return true };
    let own = &cx.cluster.state().cluster.global.cluster_name;
    text.split(',').any(|name| name.eq_ignore_ascii_case("all") || name == own)
}

/// The message about an unknown cluster.
#[must_use]
pub fn unknown(tool: &str, name: &str, source: &str) -> String {
    format!(
        "{tool}: error: No cluster '{name}' known by database.\n{tool}: error: '{name}' can't be reached now, or it is an \
         invalid entry for {source}.  Use 'sacctmgr list clusters' to see available clusters."
    )
}
