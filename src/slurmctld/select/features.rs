//! `--constraint`: `intel&avx2`, `amd|intel`, with counts and brackets read as plain names for now.

use super::super::Slurmctld;
use super::super::node::Node;

/// Whether a node has what the expression asks. `&` and `,` bind tighter than `|`.
pub(super) fn satisfies(node: &Node, expression: Option<&str>) -> bool {
    let Some(expression) = expression.filter(|e| !e.is_empty()) else { return true };
    expression.split('|').any(|all| names(all).all(|name| node.conf.features.iter().any(|f| f == name)))
}

/// Whether every name in the expression is a feature of some node.
pub(crate) fn known(ctld: &Slurmctld, expression: &str) -> bool {
    expression
        .split('|')
        .flat_map(names)
        .all(|name| ctld.nodes.iter().any(|n| n.conf.features.iter().any(|f| f == name)))
}

fn names(all: &str) -> impl Iterator<Item = &str> {
    all.split(['&', ','])
        .map(|name| name.trim_matches(['[', ']', '(', ')']).split('*').next().unwrap_or(""))
        .filter(|name| !name.is_empty())
}
