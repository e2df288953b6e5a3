//! `sinfo --verbose`: what was asked for, before the listing. Labels and layout are those of a recording (82b).

use super::fields::{FIELDS, of_partition};
use super::{GROWS, Widths};
use crate::slurm::format::FormatSegment;
use crate::slurm::getopt::ParsedArguments;

const RULE: &str = "-----------------------------\n";

/// The lines about fields, with the letters or names of the fields that set them.
const FLAGS: &[(&str, &[&str])] = &[
    ("all_flag        = ", &[]),
    ("alloc_mem_flag  = ", &["allocmem"]),
    ("avail_flag      = ", &["available"]),
    ("comment_flag    = ", &["comment"]),
    ("cpus_flag       = ", &["cpus"]),
    ("default_time_flag =", &["defaulttime"]),
    ("disk_flag       = ", &["disk"]),
    ("extra_flag      = ", &["extra"]),
    ("features_flag   = ", &["features"]),
    ("features_flag_act = ", &["features_act"]),
    ("groups_flag     = ", &["groups"]),
    ("gres_flag       = ", &["gres"]),
    ("gres_used_flag  = ", &["gresused"]),
    ("job_size_flag   = ", &["size"]),
    ("max_time_flag   = ", &["time"]),
    ("memory_flag     = ", &["memory"]),
    ("partition_flag  = ", &["partition", "partitionname"]),
    ("port_flag       = ", &["port"]),
    ("priority_job_factor_flag   = ", &["priorityjobfactor"]),
    ("priority_tier_flag   = ", &["prioritytier"]),
    ("reason_flag     = ", &["reason"]),
    ("reason_timestamp_flag = ", &["timestamp"]),
    ("reason_user_flag = ", &["user", "userlong"]),
    ("reservation_flag = ", &[]),
    ("resv_name_flag   = ", &["reservation"]),
    ("root_flag       = ", &["root"]),
    ("oversubscribe_flag      = ", &["oversubscribe"]),
    ("state_flag      = ", &["statelong", "statecompact"]),
    ("statecomplete_flag = ", &["statecomplete"]),
    ("weight_flag     = ", &["weight"]),
];

/// The lines of `--verbose`.
pub(super) fn text(parsed: &ParsedArguments, parts: &[FormatSegment], widths: Widths) -> String {
    let shown =
        || parts.iter().filter_map(|part| if let FormatSegment::Field(c) = part { Some(c) } else { None });
    let has_field = |name: &str| shown().any(|c| FIELDS.get(c.at).is_some_and(|f| f.names.contains(&name)));
    let columns = shown().filter_map(|c| {
        let field = FIELDS.get(c.at)?;
        let width = match c.width {
            GROWS if of_partition(field) => widths.partition,
            GROWS => widths.node,
            width => width,
        };
        Some(format!("{}:{}{width}{}", field.names.first()?, if c.right { "." } else { "" }, c.suffix))
    });
    let given = |name: &str, none: &str| parsed.value(name).unwrap_or(none).to_owned();
    let has = |name: &str| parsed.has(name).to_string();
    let filters = ["dead", "nodes", "partition", "responding", "states"];
    let lines = [
        ("dead", has("dead")),
        ("exact", parsed.count("exact").to_string()),
        ("filtering", filters.iter().any(|name| parsed.has(name)).to_string()),
        ("format", columns.collect::<Vec<_>>().join(",")),
        ("iterate", given("iterate", "0")),
        ("long", has("long")),
        ("no_header", has("noheader")),
        ("node_field", has("Node")),
        ("node_format", has("Node")),
        ("nodes", given("nodes", "n/a")),
        ("part_field", has_field("partition").to_string()),
        ("partition", given("partition", "n/a")),
        ("responding", has("responding")),
        ("states", given("states", "(null)")),
        ("sort", given("sort", "(null)")),
        ("summarize", has("summarize")),
        ("verbose", parsed.count("verbose").to_string()),
    ];
    let mut out = RULE.to_owned();
    for (name, value) in lines {
        out += &format!("{name:<11} = {value}\n");
    }
    out += RULE;
    for (label, names) in FLAGS {
        let set = match *label {
            "all_flag        = " => parsed.has("all"),
            "reservation_flag = " => parsed.has("reservation"),
            _ => names.iter().any(|name| has_field(name)),
        };
        out += &format!("{label}{set}\n");
    }
    out + RULE + "\n"
}
