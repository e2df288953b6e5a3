//! Differences between the responses of the newest data parser and older ones, for the fields printed here, according
//! to the published OpenAPI descriptions (v0.0.40 to v0.0.44).

use serde_json::{Map, Value, json};

/// A change from the newest structure.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// A list of flags was a number.
    Bits,
    /// `["CR_CORE_MEMORY"]` was `["CORE", "MEMORY"]`, and `["NONE"]` was empty.
    SplitFlags,
    /// `{"set": true, "infinite": false, "number": 0.5}` was `0.5`.
    PlainNumber,
    /// Was an integer.
    Whole,
    /// A name was a number.
    Id,
    /// Times and queueing of RPCs, which are not simulated.
    Rpcs,
    /// An object with a list of nodes was that list.
    NodeList,
    /// A number was an object with that ID.
    KeyedId,
}

/// The changes for parsers older than a number: the path, with `*` for each member of a list.
const CHANGES: &[(u32, &[&str], Change)] = &[
    (45, &["partitions", "*", "cpus", "task_binding"], Change::Bits),
    (45, &["sinfo", "*", "partition", "cpus", "task_binding"], Change::Bits),
    (45, &["jobs", "*", "job_resources", "select_type"], Change::SplitFlags),
    (45, &["partitions", "*", "select_type"], Change::SplitFlags),
    (45, &["sinfo", "*", "partition", "select_type"], Change::SplitFlags),
    (45, &["shares", "shares", "*", "usage"], Change::Whole),
    (45, &["users", "*", "default", "qos"], Change::Id),
    (45, &["statistics", "rpcs_by_message_type", "*"], Change::Rpcs),
    (45, &["statistics", "rpcs_by_user", "*"], Change::Rpcs),
    (42, &["shares", "shares", "*", "fairshare", "factor"], Change::PlainNumber),
    (42, &["shares", "shares", "*", "fairshare", "level"], Change::PlainNumber),
    (41, &["jobs", "*", "job_resources", "nodes"], Change::NodeList),
    (41, &["associations", "*", "id"], Change::KeyedId),
    (42, &["shares", "shares", "*", "effective_usage"], Change::PlainNumber),
];

/// Rewrites a response for an older parser.
pub fn adapt(answer: &mut Map<String, Value>, parser: u32) {
    let mut whole = Value::Object(std::mem::take(answer));
    for (_, path, change) in CHANGES.iter().filter(|(before, ..)| parser < *before) {
        // Before v0.0.44 the default QOS of a user was a name.
        if matches!(change, Change::Id) && parser < 44 {
            continue;
        }
        visit(&mut whole, path, *change);
    }
    if let Value::Object(parts) = whole {
        *answer = parts;
    }
}

fn visit(value: &mut Value, path: &[&str], change: Change) {
    let Some((first, rest)) = path.split_first() else { return apply(value, change) };
    match value {
        Value::Array(list) if *first == "*" => list.iter_mut().for_each(|member| visit(member, rest, change)),
        Value::Object(parts) => {
            if let Some(part) = parts.get_mut(*first) {
                visit(part, rest, change);
            }
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn apply(value: &mut Value, change: Change) {
    match (change, &mut *value) {
        (Change::Bits | Change::Id, _) => *value = json!(0),
        (Change::SplitFlags, Value::Array(list)) => {
            let flags = list.iter().filter_map(Value::as_str);
            let flags = flags.flat_map(|flag| flag.trim_start_matches("CR_").split('_'));
            *list = flags.filter(|flag| *flag != "NONE").map(Value::from).collect();
        }
        (Change::PlainNumber, Value::Object(parts)) => {
            *value = parts.get("number").cloned().unwrap_or_else(|| json!(0.0));
        }
        #[allow(clippy::cast_possible_truncation, reason = "usage is far below 2^53")]
        (Change::Whole, Value::Number(number)) => *value = json!(number.as_f64().unwrap_or(0.0) as i64),
        (Change::Rpcs, Value::Object(parts)) => {
            for name in ["queued", "dropped", "cycle_last", "cycle_max", "total_time"] {
                parts.entry(name).or_insert_with(|| json!(0));
            }
            let none = || json!({ "set": true, "infinite": false, "number": 0 });
            parts.entry("average_time").or_insert_with(none);
        }
        (Change::NodeList, Value::Object(parts)) => {
            *value = parts.get("list").cloned().unwrap_or_else(|| json!(""));
        }
        (Change::KeyedId, Value::Number(id)) => {
            *value = json!({ "account": "", "cluster": "", "partition": "", "user": "", "id": id });
        }
        (
            Change::SplitFlags
            | Change::PlainNumber
            | Change::Whole
            | Change::Rpcs
            | Change::NodeList
            | Change::KeyedId,
            _,
        ) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_parsers() {
        let newest = json!({ "jobs": [{ "job_resources": {
            "select_type": ["CR_CORE_MEMORY"], "nodes": { "list": "c01" },
        } }] });
        let adapted = |parser| {
            let mut answer = newest.as_object().unwrap().clone();
            adapt(&mut answer, parser);
            Value::Object(answer)
        };
        assert_eq!(adapted(45), newest);
        let oldest =
            json!({ "jobs": [{ "job_resources": { "select_type": ["CORE", "MEMORY"], "nodes": "c01" } }] });
        assert_eq!(adapted(40), oldest);
    }
}
