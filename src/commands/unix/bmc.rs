//! ipmitool(1): a node's power, through its management controller (`NODE-bmc`). `chassis power status`, `on`, `off`,
//! `cycle` and `reset`; root only. A node without power is one whose slurmd is silent: after `SlurmdTimeout` slurmctld
//! takes it to be down. What ran there stands still until then and ends without a word.

use super::getopt::{self, Spec};
use crate::base::ids::{Cgroup, NodeId, Pid, Uid};
use crate::commands::Cx;
use crate::host::Signal;
use crate::host::kernel::Whom;
use crate::slurmctld::node::NodeBase;
use crate::slurmctld::request::{NodeUpdate, Request};

const USAGE: &str = "usage: ipmitool -H NODE-bmc chassis power status|on|off|cycle|reset";

/// ipmitool(1)
pub fn ipmitool(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec { short: "+H:I:U:P:p:L:f:EvV", long: &[], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has('V') {
        cx.line("ipmitool version 1.8.19 (a model of sandbatch)");
        return 0;
    }
    let words: Vec<&str> = parsed.operands.iter().map(String::as_str).filter(|w| *w != "chassis").collect();
    let ["power", verb] = words[..] else {
        cx.complain(USAGE);
        return 1;
    };
    let host = parsed.value('H').unwrap_or_default().to_owned();
    let node = cx.slurm.state().node_by_name(host.strip_suffix("-bmc").unwrap_or(&host));
    let Some(node) = node.filter(|_| cx.uid() == Uid(0)) else {
        cx.complain("Error: Unable to establish IPMI v2 / RMCP+ session");
        return 1;
    };
    let said = match verb {
        "status" => {
            let on = cx.slurm.state().node(node).alive;
            cx.line(if on { "Chassis Power is on" } else { "Chassis Power is off" });
            return 0;
        }
        "off" => {
            lose_power(cx, node);
            "Down/Off"
        }
        "on" => {
            get_power(cx, node);
            "Up/On"
        }
        "cycle" | "reset" => {
            lose_power(cx, node);
            get_power(cx, node);
            if verb == "cycle" { "Cycle" } else { "Reset" }
        }
        _ => {
            cx.complain(USAGE);
            return 1;
        }
    };
    cx.line(&format!("Chassis Power Control: {said}"));
    0
}

/// Nobody hears of what stops: jobs' processes freeze, logins are cut.
fn lose_power(cx: &mut Cx, node: NodeId) {
    let state = cx.slurm.state();
    if !state.node(node).alive {
        return;
    }
    let name = state.node(node).conf.name.clone();
    let there = cx.kernel.processes().filter(|p| *p.origin.host == *name);
    let all: Vec<(Pid, bool)> = there.map(|p| (p.pid, p.origin.cgroup == Cgroup(0))).collect();
    for (pid, login) in all {
        let signal = if login { Signal::KILL } else { Signal::STOP };
        // Who is gone meanwhile needs no signal.
        let _ = cx.kernel.kill(Uid(0), Whom::Process(pid), Some(signal));
    }
    cx.slurm.request(Uid(0), Request::NodeResponding { node, up: false });
}

/// The node boots and its slurmd registers. To a slurmctld that has not missed it yet it "unexpectedly rebooted", so that its
/// jobs are lost; with `ReturnToService=2` it takes new ones at once.
fn get_power(cx: &mut Cx, node: NodeId) {
    let there = cx.slurm.state().node(node);
    if there.alive {
        return;
    }
    if there.base != NodeBase::Down {
        let change = NodeUpdate {
            nodes: there.conf.name.clone(),
            state: Some("down".to_owned()),
            reason: Some("Node unexpectedly rebooted".to_owned()),
            ..NodeUpdate::default()
        };
        cx.slurm.request(Uid(0), Request::UpdateNode(Box::new(change)));
    }
    cx.slurm.request(Uid(0), Request::NodeResponding { node, up: true });
}
