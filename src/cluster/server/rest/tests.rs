//! A fuzz target: requests to slurmrestd become commands, and nothing in them can become an option or another command.

use super::fields::Field;
use super::{change, routes, submit};
use serde_json::{Map, Value, json};
use testing::{Random, fuzz};

const TEXTS: &[&str] = &[
    "",
    "a",
    "-x",
    "--wrap=id",
    "a b",
    "a=b",
    "a,b",
    "1-00:00:00",
    "\n",
    "\0",
    "é",
    "cn[1-99999999]",
    "gres/gpu:a100=2",
    "UNLIMITED",
    "18446744073709551616",
    "$(id)",
    "'",
    "/tmp/x",
];

/// A random value, also of types that a field does not have.
fn value(random: &mut Random, depth: u32) -> Value {
    match random.below(if depth > 2 { 6 } else { 9 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.of(&[0_i64, 1, -1, 60, i64::MAX, i64::MIN])),
        3 => json!(1e300),
        4 | 5 => json!(random.of(TEXTS)),
        6 => Value::Array((0..random.below(4)).map(|_| value(random, depth + 1)).collect()),
        7 => {
            json!({ "set": random.below(2) == 0, "infinite": random.below(3) == 0, "number": value(random, depth + 1) })
        }
        _ => {
            json!({ "name": random.of(TEXTS), "account": random.of(TEXTS), "default": value(random, depth + 1) })
        }
    }
}

fn object(random: &mut Random) -> Map<String, Value> {
    let names: Vec<&str> = submit::fields().map(|(name, _): (&str, Field)| name).collect();
    const OTHERS: &[&str] = &[
        "name",
        "account",
        "user",
        "default",
        "state",
        "reason",
        "hold",
        "time_limit",
        "minimum_nodes",
        "maximum_nodes",
        "shared",
        "open_mode",
        "kill_warning_signal",
        "kill_warning_flags",
        "kill_warning_delay",
        "description",
        "comment",
    ];
    (0..random.below(12))
        .map(|_| {
            let name = if random.below(2) == 0 { random.of(&names) } else { random.of(OTHERS) };
            (name.to_owned(), value(random, 0))
        })
        .collect()
}

#[test]
fn requests() {
    fuzz("requests", 2_000, |random| {
        let body = object(random);
        for word in submit::words(&body) {
            assert!(word.starts_with("--"), "{word:?} of {body:?}");
        }
        let whole = Value::Object(body);
        let (name, kind) =
            (random.of(TEXTS), random.of(&["accounts", "users", "qos", "associations", "nothing"]));
        let mut all = change::update_job("7", &whole);
        all.extend(change::update_node("c01", &whole));
        let list = json!({ kind: [whole, value(random, 0)] });
        all.extend(change::add(kind, &list).unwrap_or_default());
        let query: Vec<(String, String)> = (0..random.below(4))
            .map(|_| {
                (
                    random.of(&["account", "user", "cluster", "partition", "start_time", "x"]).to_owned(),
                    random.of(TEXTS).to_owned(),
                )
            })
            .collect();
        all.extend(change::remove_association(&query));
        all.push(change::kill("7", Some(name), &[name.to_owned()]));
        all.push(change::sacct(&query));
        for words in all {
            let known = ["scontrol", "sacctmgr", "scancel", "sacct"];
            assert!(words.first().is_some_and(|first| known.contains(&first.as_str())), "{words:?}");
            // What is not an option of ours is `KEY=VALUE`, a verb, or a name that was checked.
            let bad = |word: &&String| {
                word.starts_with('-') && word.contains(char::is_whitespace) && !word.contains('=')
            };
            assert!(!words.iter().any(|word| bad(&word)), "{words:?}");
        }
        let path = format!(
            "/{}/{}/{}/{name}",
            random.of(&["slurm", "slurmdb", ""]),
            random.of(&["v0.0.41", "v9", ""]),
            random.of(&["job", "jobs", "node", "", "qos"])
        );
        let _ = routes::find(random.of(&["GET", "POST", "DELETE", "", "PUT"]), &path);
    });
}
