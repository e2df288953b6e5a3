//! `scontrol create`, `update` and `delete partitionname=`.

use super::ask::ask;
use crate::commands::Cx;
use crate::config::PartConf;
use crate::slurmctld::request::Request;

/// The name, and key and value pairs as written.
struct Wish {
    name: Option<String>,
    changes: Vec<(String, String)>,
}

/// Whether a key names a partition: `part`, `partitionname`.
pub fn names(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower.len() >= 3 && "partitionname".starts_with(&lower)
}

fn wish(args: &[&str]) -> Result<Wish, String> {
    let mut wish = Wish { name: None, changes: Vec::new() };
    for arg in args {
        let Some((key, value)) = arg.split_once('=') else {
            return Err(format!("scontrol: error: Invalid input: {arg}  Request aborted"));
        };
        if names(key) {
            wish.name = Some(value.to_owned());
            continue;
        }
        let nodes = ["nodes+", "nodes-"].iter().any(|n| key.eq_ignore_ascii_case(n));
        if !nodes && (!PartConf::has_key(key) || of_job_defaults(key)) {
            return Err(format!(
                "scontrol: error: Update of this parameter is not supported: {arg}\n\nscontrol: error: Request aborted"
            ));
        }
        if !nodes {
            check(arg, key, value)?;
        }
        wish.changes.push((key.to_owned(), value.to_owned()));
    }
    Ok(wish)
}

/// Words of `JobDefaults=`, which are keys of slurm.conf only.
fn of_job_defaults(key: &str) -> bool {
    ["DefCpuPerGPU", "DefMemPerGPU"].iter().any(|word| word.eq_ignore_ascii_case(key))
}

/// What scontrol says by itself about a value that cannot be.
fn check(arg: &str, key: &str, value: &str) -> Result<(), String> {
    let name = PartConf::key_name(key).unwrap_or(key);
    if ["Nodes", "QOS", "JobDefaults", "TRESBillingWeights"].contains(&name)
        || PartConf::named("").change(key, value).is_some()
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
        "PreemptMode" | "Exclusive" => format!("Invalid input: {arg}"),
        _ => format!("Invalid {name} value: {value}"),
    };
    Err(format!("scontrol: error: {text}"))
}

/// `update partitionname=NAME ...`
pub fn update(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    // As recorded, an error without a number is told like one with a number.
    let Wish { name, changes } =
        wish(args).map_err(|text| format!("{text}\nslurm_update error: No error"))?;
    if changes.is_empty() {
        return Err("scontrol: error: No changes specified".to_owned());
    }
    let request = Request::UpdatePartition { name: name.unwrap_or_default(), changes };
    ask(cx, request, "slurm_update error")
}

/// `create partitionname=NAME ...`
pub fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Wish { name, changes } = wish(args)?;
    let Some(name) = name.filter(|n| !n.is_empty()) else {
        return Err("scontrol: error: PartitionName must be given.".to_owned());
    };
    if name.eq_ignore_ascii_case("default") {
        return Err("scontrol: error: PartitionName cannot be \"DEFAULT\".".to_owned());
    }
    let asked = cx.slurm.request(cx.uid(), Request::CreatePartition { name, changes });
    asked.done().map_err(|(error, _)| format!("Error creating the partition: {error}"))
}

/// `delete partitionname=NAME`; `arg` as written.
pub fn delete(cx: &mut Cx, arg: &str, name: &str) -> Result<(), String> {
    let asked = cx.slurm.request(cx.uid(), Request::DeletePartition(name.to_owned()));
    asked.done().map_err(|(error, _)| format!("delete_partition {arg}: {error}"))
}
