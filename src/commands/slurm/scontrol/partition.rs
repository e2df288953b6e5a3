//! `scontrol create`, `update` and `delete partitionname=`.

use super::ask::ask;
use crate::Cx;
use config::PartConf;
use slurmctld::request::Request;

/// The name, and key-value pairs as typed.
struct PartitionRequest {
    name: Option<String>,
    changes: Vec<(String, String)>,
    /// Errors that do not stop the command.
    complaints: Vec<String>,
}

/// Whether a key names a partition: `part`, `partitionname`.
pub fn names(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower.len() >= 3 && "partitionname".starts_with(&lower)
}

fn request_of(args: &[&str]) -> Result<PartitionRequest, String> {
    let mut wish = PartitionRequest { name: None, changes: Vec::new(), complaints: Vec::new() };
    for arg in args {
        let Some((key, value)) = arg.split_once('=') else {
            return Err(format!("scontrol: error: Invalid input: {arg}  Request aborted"));
        };
        if names(key) {
            wish.name = Some(value.to_owned());
            continue;
        }
        let nodes = ["nodes+", "nodes-"].iter().any(|n| key.eq_ignore_ascii_case(n));
        let full = PartConf::key_name(key).filter(|name| !of_job_defaults(name));
        let key = if nodes { key } else { full.unwrap_or_default() };
        if key.is_empty() {
            return Err(format!(
                "scontrol: error: Update of this parameter is not supported: {arg}\n\nscontrol: error: Request aborted"
            ));
        }
        if !nodes {
            match check(arg, key, value) {
                // Slurm reports the error and uses the largest number.
                Err(_) if key == "MinNodes" => {
                    wish.complaints.push(format!("scontrol: error: \"{value}\" is not a valid node count"));
                    wish.changes.push((key.to_owned(), u32::MAX.to_string()));
                    continue;
                }
                checked => checked?,
            }
        }
        wish.changes.push((key.to_owned(), value.to_owned()));
    }
    Ok(wish)
}

/// All keys of partitions.
pub fn keys() -> Vec<&'static str> {
    PartConf::changing_keys().filter(|key| !of_job_defaults(key)).collect()
}

/// Words of `JobDefaults=`, which are valid keys only in slurm.conf.
fn of_job_defaults(key: &str) -> bool {
    ["DefCpuPerGPU", "DefMemPerGPU"].iter().any(|word| word.eq_ignore_ascii_case(key))
}

/// scontrol's own messages about invalid values.
fn check(arg: &str, name: &str, value: &str) -> Result<(), String> {
    if ["Nodes", "QOS", "JobDefaults", "Topology", "TRESBillingWeights"].contains(&name)
        || PartConf::named("").change(name, value).is_some()
    {
        return Ok(());
    }
    let acceptable =
        |what: &str| format!("Invalid input: {arg}\nscontrol: error: Acceptable {name} values are {what}");
    let text = match name {
        "State" => acceptable("UP, DOWN, DRAIN and INACTIVE"),
        "Default" | "DisableRootJobs" | "ExclusiveUser" | "ExclusiveTopo" | "Hidden" | "LLN" | "ReqResv"
        | "RootOnly" => acceptable("YES and NO"),
        "OverSubscribe" | "Shared" => acceptable("NO, EXCLUSIVE, YES:#, and FORCE:#"),
        "MaxTime" | "DefaultTime" => format!("Invalid input {arg}"),
        "MaxNodes" | "MinNodes" | "MaxCPUsPerNode" | "MaxCPUsPerSocket" => {
            format!("Invalid numeric value \"{value}\" for {name}.")
        }
        "PreemptMode" | "Exclusive" | "CpuBind" => format!("Invalid input: {arg}"),
        _ => format!("Invalid {name} value: {value}"),
    };
    Err(format!("scontrol: error: {text}"))
}

/// `update partitionname=NAME ...`
pub fn update(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let PartitionRequest { name, changes, complaints } = request_of(args)?;
    complaints.iter().for_each(|line| cx.complain(line));
    if changes.is_empty() {
        return Err("scontrol: error: No changes specified".to_owned());
    }
    let request = Request::UpdatePartition { name: name.unwrap_or_default(), changes };
    ask(cx, request, "slurm_update error")
}

/// `create partitionname=NAME ...`
pub fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let PartitionRequest { name, changes, complaints } = request_of(args)?;
    complaints.iter().for_each(|line| cx.complain(line));
    let Some(name) = name else {
        return Err("scontrol: error: PartitionName must be given.".to_owned());
    };
    if name.eq_ignore_ascii_case("default") {
        return Err("scontrol: error: PartitionName cannot be \"DEFAULT\".".to_owned());
    }
    let asked = cx.cluster.request(cx.uid(), Request::CreatePartition { name, changes });
    asked.done().map_err(|(error, _)| format!("Error creating the partition: {error}"))
}

/// `delete partitionname=NAME`; `arg` as typed.
pub fn delete(cx: &mut Cx, arg: &str, name: &str) -> Result<(), String> {
    let asked = cx.cluster.request(cx.uid(), Request::DeletePartition(name.to_owned()));
    asked.done().map_err(|(error, _)| format!("delete_partition {arg}: {error}"))
}
