//! `scontrol update nodename=`. Mirrors "SPECIFICATIONS FOR UPDATE COMMAND, NODES" of scontrol(1).

use super::ask::ask;
use super::update::UpdatePair;
use crate::Cx;
use config::PartConf;
use slurmctld::request::{NodeUpdate, Request};

/// The words that `State=` accepts.
const NODE_STATES: &[&str] = &[
    "noresp",
    "cancel_reboot",
    "drain",
    "drained",
    "draining",
    "down",
    "fail",
    "failing",
    "future",
    "idle",
    "power_down",
    "power_down_asap",
    "power_down_force",
    "power_up",
    "resume",
    "undrain",
];

/// The keys of nodes.
pub const KEYS: &[&str] = &[
    "activefeatures",
    "availablefeatures",
    "certtoken",
    "comment",
    "cpubind",
    "extra",
    "features",
    "gres",
    "instanceid",
    "instancetype",
    "nodeaddr",
    "nodehostname",
    "nodename",
    "reason",
    "resumeafter",
    "state",
    "topology",
    "weight",
];

/// `update nodename=LIST ...`
pub fn nodes(cx: &mut Cx, pairs: &[UpdatePair]) -> Result<(), String> {
    if pairs.len() == 1 {
        return Err("No changes specified".to_owned());
    }
    let mut change = NodeUpdate::default();
    for UpdatePair { key, value, text } in pairs {
        if !KEYS.contains(&key.as_str()) {
            return Err(format!("Update of this parameter is not supported: {text}\nRequest aborted"));
        }
        match key.as_str() {
            "nodename" => change.nodes = (*value).to_owned(),
            "state" => {
                let lower = value.to_ascii_lowercase();
                let of_slurm = ["allocated", "error", "mixed", "unknown"];
                let base = of_slurm.iter().any(|name| lower.len() > 2 && name.starts_with(&lower));
                if !base && !NODE_STATES.contains(&lower.as_str()) {
                    return Err(format!(
                        "Invalid input: {text}\nRequest aborted\nValid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN\n\
                         Not all states are valid given a node's prior state"
                    ));
                }
                change.state = Some(match lower.as_str() {
                    "drained" | "draining" => "drain".to_owned(),
                    "failing" => "fail".to_owned(),
                    _ => lower,
                });
            }
            "reason" => change.reason = Some((*value).to_owned()),
            "weight" => {
                let bad = || format!("scontrol: error: Invalid value {text} for Weight");
                change.weight = Some(value.parse().map_err(|_| bad())?);
            }
            "comment" => change.comment = Some((*value).to_owned()),
            "extra" => change.extra = Some((*value).to_owned()),
            "availablefeatures" => change.features = Some((*value).to_owned()),
            "features" | "activefeatures" => change.active_features = Some((*value).to_owned()),
            "resumeafter" => {
                let bad = || format!("scontrol: error: Invalid ResumeAfter value: {value}");
                change.resume_after = Some(match *value {
                    "-1" => None,
                    text => Some(config::parse_seconds(text).ok_or_else(bad)?),
                });
            }
            "gres" => change.gres = Some((*value).to_owned()),
            "cpubind" => {
                // Accepts the same words as for a partition.
                let mut part = PartConf::named("");
                part.change(key, value).ok_or_else(|| format!("Invalid input: {text}\nRequest aborted"))?;
                change.names.cpu_bind = part.cpu_bind;
            }
            "nodeaddr" => change.names.address = Some((*value).to_owned()),
            "nodehostname" => change.names.host = Some((*value).to_owned()),
            "instanceid" => change.names.instance_id = Some((*value).to_owned()),
            "instancetype" => change.names.instance_type = Some((*value).to_owned()),
            "topology" => change.topology = Some((*value).to_owned()),
            "certtoken" => {
                return Err(format!("scontrol: error: {text}: not simulated of a node"));
            }
            other => return Err(format!("scontrol: error: {other} is not simulated of a node")),
        }
    }
    let needs_reason = matches!(change.state.as_deref(), Some("down" | "drain" | "fail"));
    if needs_reason && change.reason.as_ref().is_none_or(String::is_empty) {
        return Err("You must specify a reason when DOWNING or DRAINING a node. Request denied".to_owned());
    }
    let stops = matches!(change.state.as_deref(), Some("down" | "drain" | "fail"));
    if change.resume_after.flatten().is_some() && !stops {
        return Err(
            "You can only specify a resume time when DOWNING or DRAINING a node. Request denied".to_owned()
        );
    }
    ask(cx, Request::UpdateNode(Box::new(change)), "slurm_update error")
}
