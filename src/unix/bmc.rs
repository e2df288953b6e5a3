//! ipmitool(1): a node's power through its management controller (`NODE-bmc`): `chassis power status`, `on`,
//! `off`, `cycle` and `reset`, for root only.
//!
//! The slurmd of a powered-off node does not respond; after `SlurmdTimeout` slurmctld sets the node down.
//! Until then the node's processes are frozen. Then they end silently.

use super::getopt::{self, Spec};
use crate::Cx;
use base::ids::{Cgroup, Pid, Uid};
use host::Signal;
use host::kernel::ProcessTarget;

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
    let host = host.strip_suffix("-bmc").unwrap_or(&host);
    let Some(node) = cx.cluster.host(host).filter(|_| cx.uid() == Uid(0)) else {
        cx.complain("Error: Unable to establish IPMI v2 / RMCP+ session");
        return 1;
    };
    let said = match verb {
        "status" => {
            cx.line(if node.is_up { "Chassis Power is on" } else { "Chassis Power is off" });
            return 0;
        }
        "off" => {
            lose_power(cx, host);
            "Down/Off"
        }
        "on" => {
            get_power(cx, host);
            "Up/On"
        }
        "cycle" | "reset" => {
            lose_power(cx, host);
            get_power(cx, host);
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

/// Nothing reports the outage: the processes of jobs freeze, logins are disconnected.
fn lose_power(cx: &mut Cx, host: &str) {
    if !cx.cluster.host(host).is_some_and(|host| host.is_up) {
        return;
    }
    let running = cx.kernel.processes().filter(|p| *p.origin.host == *host);
    let all: Vec<(Pid, bool)> = running.map(|p| (p.pid, p.origin.cgroup == Cgroup(0))).collect();
    for (pid, login) in all {
        let signal = if login { Signal::KILL } else { Signal::STOP };
        // A process that has already ended needs no signal.
        let _ = cx.kernel.kill(Uid(0), ProcessTarget::Process(pid), Some(signal));
    }
    cx.cluster.power_off(host);
}

/// The node boots and its slurmd registers.
fn get_power(cx: &mut Cx, host: &str) {
    if cx.cluster.host(host).is_some_and(|host| !host.is_up) {
        cx.cluster.power_on(host);
    }
}
