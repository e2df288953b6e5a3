//! Edits of nodes made by power saving (power_save.html) and reboots (`scontrol reboot`).

use super::NodeEdit;
use crate::state::node::{Node, NodeBase, NodeReason};
use base::ids::Uid;
use base::time::Time;

/// The node is to be powered down once it is idle.
pub(crate) fn want_power_down() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.flags.power_down = true)
}

/// `power_down`; with `drain`, `power_down_asap`. A node that is powering up stops.
pub(crate) fn power_down(drain: bool) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.power_down = true;
        node.flags.drain |= drain;
        if node.flags.powering_up {
            node.flags.powering_up = false;
            node.until = None;
        }
    })
}

/// The node is no longer to be powered down.
pub(crate) fn cancel_power_down() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.flags.power_down = false)
}

/// The node's next transition is due at this moment.
pub(crate) fn wait_until(at: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| node.until = Some(at))
}

/// `SuspendProgram` begins.
pub(crate) fn begin_power_down(until: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.power_down = false;
        node.flags.planned = false;
        node.flags.powering_down = true;
        node.alive = false;
        node.until = Some(until);
    })
}

/// The node is powered down.
pub(crate) fn end_power_down() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| {
        node.flags.powering_down = false;
        node.flags.powered_down = true;
        node.flags.drain &= node.reason.is_some();
        node.last_busy = Time::default();
        node.responding = true;
        node.until = None;
    })
}

/// The machine was taken away.
pub(crate) fn lose_machine() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| {
        (node.flags.drain, node.flags.powering_up, node.flags.power_down) = (false, false, false);
        node.reason = None;
    })
}

/// The node is powered up and registers at `until`.
pub(crate) fn begin_power_up(until: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.powered_down = false;
        node.flags.powering_down = false;
        node.flags.power_down = false;
        node.flags.powering_up = true;
        node.until = Some(until);
    })
}

/// `ResumeProgram` has started, or has `ended` successfully: the node registers, or is set down, at `until`.
pub(crate) fn resuming(ended: bool, until: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.unanswered = !ended;
        node.until = Some(until);
    })
}

/// A node that was powered up registers.
pub(crate) fn end_power_up(now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.powering_up = false;
        register(node, now);
    })
}

/// A node that was powered up did not register in time.
pub(crate) fn fail_power_up() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| {
        node.flags.powering_up = false;
        node.flags.unanswered = false;
        node.flags.powered_down = true;
        node.until = None;
    })
}

/// What `scontrol reboot` requests.
pub(crate) struct RebootRequest {
    pub asap: bool,
    pub next_down: bool,
    /// None: unchanged.
    pub reason: Option<String>,
    pub by: Uid,
}

/// The node is to be rebooted once it is idle.
pub(crate) fn want_reboot(request: RebootRequest, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.reboot_requested = true;
        node.flags.drain |= request.asap;
        node.next_down = request.next_down;
        if let Some(text) = request.reason {
            node.reason = Some(NodeReason { text, by: request.by, at: now });
        }
    })
}

/// `scontrol cancel_reboot`; `undrain`: the request had drained the node.
pub(crate) fn cancel_reboot(undrain: bool) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.reboot_requested = false;
        if undrain {
            node.flags.drain = false;
            node.reason = None;
        }
    })
}

/// The node reboots and is back at `until`.
pub(crate) fn begin_reboot(until: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.reboot_requested = false;
        node.flags.reboot_issued = true;
        node.base = NodeBase::Down;
        node.until = Some(until);
        node.alive = false;
    })
}

/// The node is back from its reboot, in service unless it is to stay down.
pub(crate) fn end_reboot(now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.reboot_issued = false;
        node.flags.drain = false;
        register(node, now);
        if node.next_down {
            node.next_down = false;
        } else {
            node.base = NodeBase::Idle;
            node.reason = None;
        }
    })
}

/// A node whose host has just booted registers.
fn register(node: &mut Node, now: Time) {
    node.until = None;
    node.alive = true;
    node.responding = true;
    node.boot = now;
    node.slurmd_start = now;
    node.last_busy = now;
}
