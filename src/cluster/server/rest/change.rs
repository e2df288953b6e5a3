//! Requests that change something, converted to the equivalent commands.

use super::fields::{Field, list, text};
use serde_json::{Map, Value};

/// Fields of a job and their keys in `scontrol update`.
const JOB: &[(&str, Field, &str)] = &[
    ("account", Field::Text, "Account"),
    ("admin_comment", Field::Text, "AdminComment"),
    ("begin_time", Field::Moment, "StartTime"),
    ("comment", Field::Text, "Comment"),
    ("constraints", Field::Text, "Features"),
    ("cpus_per_task", Field::Number, "CPUsPerTask"),
    ("deadline", Field::Moment, "Deadline"),
    ("dependency", Field::Text, "Dependency"),
    ("excluded_nodes", Field::List, "ExcNodeList"),
    ("extra", Field::Text, "Extra"),
    ("licenses", Field::Text, "Licenses"),
    ("mail_type", Field::List, "MailType"),
    ("mail_user", Field::Text, "MailUser"),
    ("memory_per_cpu", Field::Number, "MinMemoryCPU"),
    ("memory_per_node", Field::Number, "MinMemoryNode"),
    ("minimum_nodes", Field::Number, "NumNodes"),
    ("name", Field::Text, "JobName"),
    ("nice", Field::Number, "Nice"),
    ("partition", Field::Text, "Partition"),
    ("priority", Field::Number, "Priority"),
    ("qos", Field::Text, "QOS"),
    ("required_nodes", Field::List, "ReqNodeList"),
    ("reservation", Field::Text, "ReservationName"),
    ("tasks", Field::Number, "NumTasks"),
    ("time_limit", Field::Minutes, "TimeLimit"),
    ("time_minimum", Field::Minutes, "TimeMin"),
    ("tres_per_node", Field::Gres, "Gres"),
    ("wckey", Field::Text, "WCKey"),
];

/// Fields of a node.
const NODE: &[(&str, Field, &str)] = &[
    ("comment", Field::Text, "Comment"),
    ("extra", Field::Text, "Extra"),
    ("features", Field::List, "AvailableFeatures"),
    ("features_act", Field::List, "ActiveFeatures"),
    ("gres", Field::Text, "Gres"),
    ("reason", Field::Text, "Reason"),
    ("weight", Field::Number, "Weight"),
];

/// A command line.
type CommandWords = Vec<String>;

fn command(words: &[&str]) -> CommandWords {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Checks that a name is safe in a command line: not an option, an assignment or several names.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && !name.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '=' | ','))
}

fn pairs(table: &[(&str, Field, &str)], object: &Map<String, Value>) -> CommandWords {
    let pair = |(name, field, key): &(&str, Field, &str)| {
        object.get(*name).and_then(|value| field.option(value)).map(|value| format!("{key}={value}"))
    };
    table.iter().filter_map(pair).collect()
}

/// `POST job/{job_id}`.
pub fn update_job(id: &str, body: &Value) -> Vec<CommandWords> {
    let Some(job) = body.as_object() else { return Vec::new() };
    let mut all = Vec::new();
    let changes = pairs(JOB, job);
    if !changes.is_empty() {
        let mut words = command(&["scontrol", "update", &format!("JobId={id}")]);
        words.extend(changes);
        all.push(words);
    }
    match job.get("hold") {
        Some(Value::Bool(true)) => all.push(command(&["scontrol", "hold", id])),
        Some(Value::Bool(false)) => all.push(command(&["scontrol", "release", id])),
        _ => {}
    }
    all
}

/// `POST node/{node_name}`.
pub fn update_node(name: &str, body: &Value) -> Vec<CommandWords> {
    let Some(node) = body.as_object() else { return Vec::new() };
    let mut changes = pairs(NODE, node);
    changes.extend(node.get("state").map(list).unwrap_or_default().iter().map(|s| format!("State={s}")));
    if changes.is_empty() {
        return Vec::new();
    }
    let mut words = command(&["scontrol", "update", &format!("NodeName={name}")]);
    words.extend(changes);
    vec![words]
}

/// `POST accounts`, `users`, `associations`, `qos`: one command for each member of the list. `None`: it is malformed.
pub fn add(kind: &str, body: &Value) -> Option<Vec<CommandWords>> {
    let members = body.get(kind)?.as_array()?;
    members.iter().map(|member| add_one(kind, member)).collect()
}

fn add_one(kind: &str, member: &Value) -> Option<CommandWords> {
    let get = |name: &str| member.get(name).and_then(text);
    let name = |key: &str| get(key).filter(|name| is_name(name));
    let mut words = match kind {
        "accounts" => command(&["sacctmgr", "-i", "add", "account", &name("name")?]),
        "users" => {
            let default =
                member.get("default")?.get("account").and_then(text).filter(|name| is_name(name))?;
            command(&["sacctmgr", "-i", "add", "user", &name("name")?, &format!("Account={default}")])
        }
        "qos" => command(&["sacctmgr", "-i", "add", "qos", &name("name")?]),
        "associations" => {
            let account = name("account")?;
            match get("user") {
                Some(user) if is_name(&user) => {
                    command(&["sacctmgr", "-i", "add", "user", &user, &format!("Account={account}")])
                }
                Some(_) => return None,
                None => command(&["sacctmgr", "-i", "add", "account", &account]),
            }
        }
        _ => return None,
    };
    let mut set =
        |key: &str, value: Option<String>| words.extend(value.map(|value| format!("{key}={value}")));
    match kind {
        "accounts" => {
            set("Description", get("description"));
            set("Organization", get("organization"));
        }
        "qos" => {
            set("Description", get("description"));
            let priority = member.get("priority").and_then(|value| Field::Number.option(value));
            set("Priority", priority);
        }
        "associations" => {
            set("Partition", get("partition"));
            set("Parent", get("parent_account"));
            let shares = member.get("shares_raw").and_then(|value| Field::Number.option(value));
            set("Fairshare", shares);
        }
        _ => {}
    }
    Some(words)
}

/// `DELETE association`: the query selects it. `None`: it names no account.
pub fn remove_association(query: &[(String, String)]) -> Option<CommandWords> {
    let get = |key: &str| query.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let account = get("account").filter(|name| is_name(name))?;
    match get("user").filter(|user| !user.is_empty()) {
        Some(user) if is_name(user) => {
            let account = format!("Account={account}");
            Some(command(&["sacctmgr", "-i", "delete", "user", user, &account]))
        }
        Some(_) => None,
        None => Some(command(&["sacctmgr", "-i", "delete", "account", account])),
    }
}

/// The signal and flags of `scancel` in a query or body.
pub fn kill(id: &str, signal: Option<&str>, flags: &[String]) -> CommandWords {
    let mut words = command(&["scancel"]);
    words.extend(signal.filter(|signal| is_name(signal)).map(|signal| format!("--signal={signal}")));
    for flag in flags {
        match flag.to_ascii_uppercase().as_str() {
            "BATCH_JOB" => words.push("--batch".to_owned()),
            "FULL_JOB" => words.push("--full".to_owned()),
            "CRON_JOBS" => words.push("--cron".to_owned()),
            _ => {}
        }
    }
    words.push(id.to_owned());
    words
}

/// Filters of `GET slurmdb/jobs` and the options of sacct.
const SACCT: &[(&str, &str)] = &[
    ("account", "--accounts"),
    ("association", "--associations"),
    ("cluster", "--clusters"),
    ("constraints", "--constraints"),
    ("end_time", "--endtime"),
    ("job_name", "--name"),
    ("node", "--nodelist"),
    ("partition", "--partition"),
    ("qos", "--qos"),
    ("reason", "--reason"),
    ("start_time", "--starttime"),
    ("state", "--state"),
    ("step", "--jobs"),
    ("timelimit_max", "--timelimit-max"),
    ("timelimit_min", "--timelimit-min"),
    ("users", "--user"),
    ("wckey", "--wckeys"),
];

/// `GET slurmdb/jobs`. Without a start time, all jobs.
pub fn sacct(query: &[(String, String)]) -> CommandWords {
    let mut words = command(&["sacct", "-a"]);
    for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
        let Some((_, option)) = SACCT.iter().find(|(known, _)| known == name) else { continue };
        let value = match name.as_str() {
            "start_time" | "end_time" => {
                Field::Moment.option(&Value::String(value.clone())).unwrap_or_else(|| value.clone())
            }
            _ => value.clone(),
        };
        words.push(format!("{option}={value}"));
    }
    if !words.iter().any(|word| word.starts_with("--starttime")) {
        words.push("--starttime=1970-01-02".to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changes_are_commands() {
        let words = |all: Vec<CommandWords>| all.iter().map(|words| words.join(" ")).collect::<Vec<_>>();
        let body = json!({ "time_limit": { "set": true, "number": 9 }, "hold": true });
        assert_eq!(words(update_job("7", &body)), ["scontrol update JobId=7 TimeLimit=9", "scontrol hold 7"]);
        let body = json!({ "state": ["DRAIN"], "reason": "a b" });
        assert_eq!(words(update_node("c01", &body)), ["scontrol update NodeName=c01 Reason=a b State=DRAIN"]);
        let body = json!({ "accounts": [{ "name": "lab", "description": "x" }] });
        assert_eq!(words(add("accounts", &body).unwrap()), ["sacctmgr -i add account lab Description=x"]);
        // No name can become an option or a key.
        for name in ["-x", "a=b", "a b", ""] {
            assert!(add("accounts", &json!({ "accounts": [{ "name": name }] })).is_none(), "{name}");
        }
        assert_eq!(
            kill("7", Some("USR1"), &["BATCH_JOB".to_owned()]).join(" "),
            "scancel --signal=USR1 --batch 7"
        );
    }
}
