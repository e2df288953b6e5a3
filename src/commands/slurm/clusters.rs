//! `--clusters`: there is one cluster, which is asked by its name or with `all`.

use super::getopt::Parsed;
use crate::commands::Cx;

/// Looks at the clusters asked for; `heading`: the listing is preceded by the cluster's name.
///
/// # Errors
/// The exit code, after the complaint about a cluster that nobody knows.
pub fn asked(cx: &mut Cx, parsed: &Parsed, heading: bool) -> Result<(), u8> {
    let Some((option, text)) = parsed.last_of(&["clusters", "cluster"]).filter(|(_, t)| !t.is_empty()) else {
        return Ok(());
    };
    let own = cx.slurm.state().cluster.global.cluster_name.clone();
    let source = if parsed.typed(option) { "--cluster" } else { "SLURM_CLUSTERS env" };
    for name in text.split(',').filter(|n| !n.is_empty()) {
        if !name.eq_ignore_ascii_case("all") && name != own {
            let tool = cx.name().to_owned();
            cx.complain(&unknown(&tool, name, source));
            return Err(1);
        }
    }
    if heading && !parsed.has("json") && !parsed.has("yaml") {
        cx.line(&format!("CLUSTER: {own}"));
    }
    Ok(())
}

/// Whether the clusters asked for are all or include this one; sacct and sreport only ask the database, which knows of no
/// records of others.
#[must_use]
pub fn names_own(cx: &Cx, parsed: &Parsed) -> bool {
    let Some((_, text)) = parsed.last_of(&["clusters", "cluster"]) else { return true };
    let own = &cx.slurm.state().cluster.global.cluster_name;
    text.split(',').any(|name| name.eq_ignore_ascii_case("all") || name == own)
}

/// What is said of a cluster that nobody knows.
#[must_use]
pub fn unknown(tool: &str, name: &str, source: &str) -> String {
    format!(
        "{tool}: error: No cluster '{name}' known by database.\n{tool}: error: '{name}' can't be reached now, or it is an \
         invalid entry for {source}.  Use 'sacctmgr list clusters' to see available clusters."
    )
}
