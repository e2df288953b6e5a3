//! Edits of nodes: what jobs hold there, and what administrators and slurmctld set. Those of power saving and reboots
//! are in [`super::power`].

use super::NodeEdit;
use crate::state::job::NodeAlloc;
use crate::state::node::{Node, NodeBase, NodeNames, NodeReason, SLURM_USER};
use base::bitset::BitSet;
use base::ids::{JobId, Uid};
use base::time::Time;
use config::NodeConf;

/// A job starts on the node.
pub(crate) fn allocate(id: JobId, taken: &NodeAlloc, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node: &mut Node| {
        node.cores_used.union_with(&taken.cores);
        // Jobs that take turns on the same cores use no more CPUs than the node has.
        node.cpus_used = (node.cpus_used + taken.cpus).min(node.conf.cpus);
        node.mem_used += taken.memory;
        for (i, set) in &taken.gres {
            node.gres_used[*i as usize].union_with(set);
        }
        node.jobs.insert(id, taken.cpus);
        node.flags.planned = false;
        node.last_busy = now;
        node.last_response = now;
    })
}

/// The node gets back what a job held there, except for cores that other jobs also hold.
pub(crate) fn free(
    id: JobId,
    part: &NodeAlloc,
    kept: &BitSet,
    now: Time,
) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node: &mut Node| {
        node.jobs.remove(&id);
        node.suspended.remove(&id);
        node.cores_used.subtract(&part.cores);
        node.cores_used.union_with(kept);
        node.cpus_used = node.jobs.values().sum::<u32>().min(node.conf.cpus);
        node.mem_used = node.mem_used.saturating_sub(part.memory);
        for (i, set) in &part.gres {
            node.gres_used[*i as usize].subtract(set);
        }
        node.last_busy = now;
        if node.alive {
            node.last_response = now;
        }
    })
}

/// What a job holds on the node passes to another job.
pub(crate) fn hand_over(from: JobId, to: JobId, cpus: u32) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.jobs.remove(&from);
        node.jobs.insert(to, cpus);
    })
}

/// A job on the node is suspended or resumed.
pub(crate) fn suspend_job(id: JobId, suspended: bool) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        if suspended {
            node.suspended.insert(id);
        } else {
            node.suspended.remove(&id);
        }
    })
}

/// RESERVED and MAINTENANCE.
pub(crate) fn mark_reserved(reserved: bool, maint: bool) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| (node.flags.reserved, node.flags.maint) = (reserved, maint))
}

/// slurmctld drains the node. An existing reason stays.
pub(crate) fn drain_for(why: &str, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node: &mut Node| {
        node.flags.drain = true;
        node.reason.get_or_insert_with(|| reason(why, SLURM_USER, now));
    })
}

/// `State=DRAIN`.
pub(crate) fn drain() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.flags.drain = true)
}

/// `State=UNDRAIN`.
pub(crate) fn undrain() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| {
        node.flags.drain = false;
        node.reason = None;
    })
}

/// `State=FAIL`.
pub(crate) fn fail() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.flags.fail = true)
}

/// `State=DOWN`.
pub(crate) fn set_down() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| {
        node.base = NodeBase::Down;
        node.flags.planned = false;
    })
}

/// slurmctld sets the node down. An existing reason stays.
pub(crate) fn give_up(why: &str, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node: &mut Node| {
        node.base = NodeBase::Down;
        node.reason.get_or_insert_with(|| reason(why, SLURM_USER, now));
    })
}

/// `State=FUTURE`.
pub(crate) fn set_future() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.base = NodeBase::Future)
}

/// The node does not respond.
pub(crate) fn set_silent() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.responding = false)
}

/// Back to service. A node that was down does not respond until the ping at `ping`.
pub(crate) fn resume_service(ping: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.flags.drain = false;
        node.flags.fail = false;
        node.flags.power_down = false;
        node.reason = None;
        node.resume_after = None;
        if node.flags.powering_up || node.flags.powering_down {
            node.flags.powering_up = false;
            node.flags.powering_down = false;
            node.until = None;
            node.alive = true;
        }
        if matches!(node.base, NodeBase::Down | NodeBase::Unknown | NodeBase::Future) {
            // The machine of a FUTURE node exists from now on.
            node.alive |= node.base == NodeBase::Future;
            node.base = NodeBase::Idle;
            node.flags.reboot_issued = false;
            if !node.flags.powered_down {
                node.responding = false;
                node.until = Some(ping);
            }
        }
    })
}

/// The node is pinged.
pub(crate) fn ping() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.until = None)
}

/// The node answers again; one that had never registered does so now.
pub(crate) fn answer(now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.responding = true;
        if !node.registered() {
            (node.boot, node.slurmd_start) = (now, now);
        }
    })
}

/// slurmd starts or stops. `noticed`: slurmctld knows at once.
pub(crate) fn set_alive(alive: bool, noticed: bool, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.alive = alive;
        if noticed {
            node.responding = alive;
            node.last_response = now;
        }
    })
}

/// slurmd registers; `in_service`: the node is no longer down (`ReturnToService`).
pub(crate) fn register(in_service: bool, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.slurmd_start = now;
        if in_service {
            node.base = NodeBase::Idle;
            node.reason = None;
        }
    })
}

/// The host boots.
pub(crate) fn boot(now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| node.boot = now)
}

/// What `scontrol update nodename=` sets first. None: unchanged.
#[derive(Default)]
pub(crate) struct NodeAttributes {
    pub weight: Option<u32>,
    /// Empty: none.
    pub comment: Option<String>,
    pub extra: Option<String>,
    /// All features are active.
    pub features: Option<Vec<String>>,
    pub names: NodeNames,
}

/// `Weight=`, `Comment=`, `Extra=`, `AvailableFeatures=`.
pub(crate) fn label(labels: NodeAttributes) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        node.conf.weight = labels.weight.unwrap_or(node.conf.weight);
        if let Some(comment) = labels.comment {
            node.comment = Some(comment).filter(|c| !c.is_empty());
        }
        if let Some(extra) = labels.extra {
            node.extra = Some(extra).filter(|c| !c.is_empty());
        }
        if let Some(features) = labels.features {
            (node.conf.features, node.active) = (features, None);
        }
        node.names = std::mem::take(&mut node.names).changed(&labels.names);
    })
}

/// `ActiveFeatures=`.
pub(crate) fn set_active_features(active: Vec<String>) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| node.active = Some(active))
}

/// `Reason=`.
pub(crate) fn set_reason(text: &str, by: Uid, now: Time) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node: &mut Node| node.reason = Some(reason(text, by, now)))
}

/// `ResumeAfter=`.
pub(crate) fn set_resume_after(at: Option<Time>) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| node.resume_after = at)
}

/// `Gres=`: sets a new count for the GRES at each of these indices of the node's list. What jobs hold stays allocated.
pub(crate) fn set_gres_counts(counts: Vec<(usize, u32)>) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        for (at, count) in counts {
            let held = node.gres_used.get(at).and_then(|used| used.iter().last()).map_or(0, |last| last + 1);
            if let Some(gres) = node.conf.gres.get_mut(at) {
                gres.count = count.max(held);
            }
        }
    })
}

/// The node was made by `scontrol create`.
pub(crate) fn set_dynamic() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| node.dynamic = true)
}

/// A deleted node was created again.
pub(crate) fn replace(new: Node) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| *node = new)
}

/// The files have a different line for the node. `reshaped`: its GRES have changed, and none is in use.
pub(crate) fn configure(conf: NodeConf, reshaped: bool) -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(move |node| {
        if reshaped {
            node.gres_used = vec![BitSet::new(); conf.gres.len()];
        }
        node.conf = conf;
    })
}

/// The node is deleted, or the files no longer name it.
pub(crate) fn delete() -> NodeEdit<impl FnOnce(&mut Node)> {
    NodeEdit(|node| {
        node.base = NodeBase::Future;
        node.gone = true;
        node.reason = None;
        node.resume_after = None;
        node.until = None;
    })
}

fn reason(text: &str, by: Uid, at: Time) -> NodeReason {
    NodeReason { text: text.to_owned(), by, at }
}
