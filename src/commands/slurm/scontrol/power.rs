//! `scontrol reboot`, `cancel_reboot` and `power`.

use super::ask::ask;
use crate::Cx;
use slurmctld::request::{NodeUpdate, Reboot, Request};

/// `reboot [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] ALL|NODES`.
pub fn reboot(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let mut how = Reboot::default();
    for arg in args {
        let lower = arg.to_ascii_lowercase();
        if lower == "asap" {
            how.asap = true;
        } else if let Some(state) = lower.strip_prefix("nextstate=") {
            how.next_down = match state {
                "down" => true,
                "resume" => false,
                _ => {
                    return Err(format!(
                        "scontrol: error: Invalid state: {}\n Valid states: DOWN, RESUME",
                        &arg[10..]
                    ));
                }
            };
        } else if lower.starts_with("reason=") {
            how.reason = Some(arg[7..].to_owned());
        } else if how.nodes.is_empty() {
            how.nodes = (*arg).to_owned();
        } else {
            return Err("too many arguments for keyword:reboot".to_owned());
        }
    }
    let raw = &cx.cluster.state().cluster.global.raw;
    if !raw.iter().any(|(key, value)| key.eq_ignore_ascii_case("RebootProgram") && !value.is_empty()) {
        return Err(
            "scontrol: error: RebootProgram isn't defined\nscontrol_reboot_nodes error:Unspecified error"
                .to_owned(),
        );
    }
    if how.nodes.is_empty() {
        return Err("Missing node list. Specify ALL|<NodeList>".to_owned());
    }
    ask(cx, Request::Reboot(how), "scontrol_reboot_nodes error")
}

/// `cancel_reboot NODES`.
pub fn cancel_reboot(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(nodes) = args.first() else {
        return Err("too few arguments for keyword:cancel_reboot".to_owned());
    };
    change(cx, nodes, "cancel_reboot", None)
}

/// `power up|down [asap|force] [reason=TEXT] ALL|NODES`.
pub fn power(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let [what, rest @ .., nodes] = args else { return Err("too few arguments for keyword:power".to_owned()) };
    let (mut state, mut reason) = match what.to_ascii_lowercase().as_str() {
        "up" => ("power_up", None),
        "down" => ("power_down", None),
        _ => return Err(format!("unexpected argument: '{what}'")),
    };
    for word in rest {
        let lower = word.to_ascii_lowercase();
        match (lower.as_str(), state) {
            ("asap", "power_down") => state = "power_down_asap",
            ("force", "power_down") => state = "power_down_force",
            _ if lower.starts_with("reason=") => reason = Some(word[7..].to_owned()),
            _ => return Err(format!("unexpected argument: '{word}'")),
        }
    }
    change(cx, nodes, state, reason)
}

fn change(cx: &mut Cx, nodes: &str, state: &str, reason: Option<String>) -> Result<(), String> {
    let change = NodeUpdate {
        nodes: nodes.to_owned(),
        state: Some(state.to_owned()),
        reason,
        ..NodeUpdate::default()
    };
    let error = if state.starts_with("power") { "scontrol_power_nodes error" } else { "slurm_update error" };
    ask(cx, Request::UpdateNode(Box::new(change)), error)
        .map_err(|text| text.replace("scontrol_power_nodes error: ", "scontrol_power_nodes error:"))
}
