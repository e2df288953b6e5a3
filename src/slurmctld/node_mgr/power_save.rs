//! Power saving and cloud nodes: idle nodes are powered down, and jobs wait while their nodes boot. Mirrors
//! power_save.html and `SuspendTime` and related parameters of slurm.conf(5).
//!
//! Deliberate difference: a node takes [`BOOT`] from its resumption to its registration (less if `ResumeTimeout` is
//! short). The site's programs run if the files exist. A node boots once its `ResumeProgram` has succeeded; the effect
//! of that program on machines is simulated.

use crate::Slurmctld;
use crate::rpc::request::{Order, Switch};
use crate::state::edit;
use crate::state::edit::power::RebootRequest;
use crate::state::error::SlurmError;
use crate::state::job::{Ending, JobState};
use crate::state::node::{Node, NodeBase, PowerDown};
use base::hostlist;
use base::ids::{JobId, NodeId, PartId, Uid};
use base::time::{Span, Time, grid};
use config::PartConf;
use serde::{Deserialize, Serialize};

/// Added to the weight of a node that is powered down.
const OFF: u32 = 1 << 30;

/// Time from `ResumeProgram` (or a reboot) to a node's registration.
pub(crate) const BOOT: Span = Span::from_secs(15);
/// `power_save_interval`: how often idle nodes are checked.
const CHECK: Span = Span::from_secs(10);
const MINUTE: Span = Span::from_mins(1);

/// Counts the nodes switched in a minute, for `SuspendRate` and `ResumeRate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rate {
    since: Time,
    count: u32,
}

impl Rate {
    /// The first time from `now` on at which one more node may be switched.
    fn slot(&self, now: Time, rate: u32) -> Time {
        if rate == 0 || now >= self.since + MINUTE || self.count < rate {
            now.max(self.since)
        } else {
            self.since + MINUTE
        }
    }

    /// Reserves that time.
    fn take(&mut self, now: Time, rate: u32) -> Time {
        let at = self.slot(now, rate);
        if at >= self.since + MINUTE {
            *self = Self { since: at, count: 0 };
        }
        self.count = self.count.saturating_add(1);
        at
    }
}

impl Slurmctld {
    /// Whether the node may ever be powered down.
    pub(crate) fn may_be_off(&self, node: &Node) -> bool {
        node.flags.cloud || self.cluster.global.power.enabled
    }

    /// A node's weight for node selection. A node that is powered down comes after those that are up (88p).
    pub(crate) fn weight_of(&self, node: &Node) -> u32 {
        let off = node.flags.powered_down && self.may_be_off(node);
        node.conf.weight.saturating_add(if off { OFF } else { 0 })
    }

    /// When an idle node is to be powered down. None: never.
    pub(crate) fn suspend_due(&self, node: &Node) -> Option<Time> {
        let power = &self.cluster.global.power;
        let f = node.flags;
        let switched = f.powered_down || f.powering_down || f.powering_up || f.reboot_issued;
        if !power.enabled || !node.idle() || switched {
            return None;
        }
        let seconds = self.idle_time(node)?;
        if f.reboot_requested || f.maint || self.stays_on(node) {
            return None;
        }
        Some(grid(self.boot, CHECK, node.last_busy + Span::from_secs(seconds.into())))
    }

    /// `SuspendTime` of a node in seconds. None: never. If its partitions set one, the largest applies.
    #[must_use]
    pub fn idle_time(&self, node: &Node) -> Option<u32> {
        let own = self.partitions.iter().filter(|p| p.suspend_time.is_some() && p.nodes.contains(node.id.0));
        let most = own.filter_map(|p| p.suspend_time).max_by_key(|time| time.unwrap_or(u32::MAX));
        most.unwrap_or(self.cluster.global.power.suspend_time)
    }

    /// A time-out of a node: the largest of its partitions', otherwise the cluster's.
    fn time_out(&self, id: NodeId, of_part: fn(&PartConf) -> Option<u32>, else_: u32) -> Span {
        let own = self.partitions.iter().filter(|p| p.nodes.contains(id.0)).filter_map(of_part).max();
        Span::from_secs(own.unwrap_or(else_).into())
    }

    /// `PowerDownOnIdle`: powers down a node that ran a job of such a partition once it is idle.
    pub(crate) fn power_down_after(&mut self, id: NodeId, part: Option<PartId>) {
        let wanted = part.is_some_and(|part| self.partition(part).power_down_on_idle);
        let off = self.cluster.global.power.enabled && wanted && !self.stays_on(self.node(id));
        if off {
            self.edit_node(id, edit::power::want_power_down());
        }
    }

    /// `SuspendExcNodes`, `SuspendExcParts`, `SuspendExcStates`.
    fn stays_on(&self, node: &Node) -> bool {
        let power = &self.cluster.global.power;
        let by_state = |word: &String| match word.as_str() {
            "cloud" => node.flags.cloud,
            "drain" => node.flags.drain,
            "fail" => node.flags.fail,
            "reserved" => node.flags.reserved,
            "planned" => node.flags.planned,
            "maintenance" => node.flags.maint,
            "not_responding" => !node.responding,
            _ => false,
        };
        let by_part = |name: &String| {
            self.partition_by_name(name).is_some_and(|p| self.partition(p).nodes.contains(node.id.0))
        };
        power.exc_states.iter().any(by_state)
            || power.exc_parts.iter().any(by_part)
            || power.exc_nodes.iter().any(|(list, count)| self.is_excluded_by(node, list, *count))
    }

    /// Whether the node is in a list whose first `count` nodes (none: all) stay powered up.
    fn is_excluded_by(&self, node: &Node, list: &str, count: Option<u32>) -> bool {
        let names = hostlist::expand(list).unwrap_or_default();
        if !names.contains(&node.conf.name) {
            return false;
        }
        let Some(count) = count else { return true };
        let on = |n: &&Node| !n.flags.powered_down && !n.flags.powering_down && n.up();
        let nodes = names.iter().filter_map(|n| self.node_by_name(n)).map(|id| self.node(id));
        nodes.filter(on).count() <= count as usize
    }

    /// Starts to power down a node as soon as `SuspendRate` allows.
    pub(crate) fn suspend_node(&mut self, id: NodeId, now: Time) {
        let power = &self.cluster.global.power;
        let (rate, all) = (power.suspend_rate, power.suspend_timeout);
        let timeout = self.time_out(id, |part| part.suspend_timeout, all);
        let slot = self.suspends.slot(now, rate);
        if slot > now {
            return self.edit_node(id, edit::power::wait_until(slot));
        }
        self.suspends.take(now, rate);
        self.edit_node(id, edit::power::begin_power_down(now + timeout));
        self.run_switch(Switch::Suspend, id, now);
    }

    /// Runs the site's program, once for all nodes of one moment.
    fn run_switch(&mut self, what: Switch, node: NodeId, at: Time) {
        let power = &self.cluster.global.power;
        let program = match what {
            Switch::Resume => &power.resume_program,
            Switch::Suspend => &power.suspend_program,
            Switch::Fail => &power.resume_fail_program,
        };
        if program.is_none() {
            return;
        }
        match self.orders.last_mut() {
            Some(Order::Power { what: same, nodes, at: then }) if *same == what && *then == at => {
                nodes.push(node);
            }
            Some(_) | None => self.orders.push(Order::Power { what, nodes: vec![node], at }),
        }
    }

    /// `ResumeProgram` has started for some nodes, which now have `ResumeTimeout`; or it has succeeded, and they boot.
    pub(crate) fn resuming(&mut self, nodes: &[NodeId], ended: bool, now: Time) -> Result<(), SlurmError> {
        for id in nodes.iter().copied() {
            if self.nodes.get(id.0 as usize).is_none_or(|node| !node.flags.powering_up) {
                continue;
            }
            let timeout = self.resume_timeout(id);
            let until = now + if ended { BOOT.min(Span(timeout.0 / 2)) } else { timeout };
            self.edit_node(id, edit::power::resuming(ended, until));
            self.note_node(id, now);
        }
        Ok(())
    }

    fn resume_timeout(&self, id: NodeId) -> Span {
        self.time_out(id, |part| part.resume_timeout, self.cluster.global.power.resume_timeout)
    }

    /// A resumed node did not register in time: it is down, and its jobs are requeued.
    pub(crate) fn not_resumed(&mut self, id: NodeId, now: Time) {
        self.edit_node(id, edit::power::fail_power_up());
        self.edit_node(id, edit::node::give_up("ResumeTimeout reached", now));
        self.lose_jobs(id, now);
        self.run_switch(Switch::Fail, id, now);
        self.clock.want_schedule(now);
    }

    /// A node is powered down.
    pub(crate) fn suspended(&mut self, id: NodeId) {
        self.edit_node(id, edit::power::end_power_down());
    }

    /// A node's machine was taken away. Its jobs fail or are requeued, and it is powered down until a job needs it
    /// again. Mirrors what cloud scripts do with `State=DOWN` and then `POWER_DOWN`.
    pub(crate) fn node_gone(&mut self, id: NodeId, now: Time) -> Result<(), SlurmError> {
        self.power_saving()?;
        if self.nodes.get(id.0 as usize).is_none_or(|n| n.flags.powered_down || n.flags.powering_down) {
            return Err(SlurmError::InvalidNodeName);
        }
        self.silenced(id, now);
        self.lose_jobs(id, now);
        self.edit_node(id, edit::power::lose_machine());
        self.suspended(id);
        self.note_node(id, now);
        self.clock.want_schedule(now);
        Ok(())
    }

    /// Powers up those of a job's nodes that are powered down. Returns whether the job must wait for any.
    pub(crate) fn power_up_nodes(&mut self, nodes: &[NodeId], now: Time) -> bool {
        let mut waits = false;
        for id in nodes {
            let f = self.node(*id).flags;
            if f.powered_down {
                self.resume_node(*id, now);
                self.note_node(*id, now);
            }
            waits |= f.powered_down || f.powering_up;
        }
        waits
    }

    /// Powers up a node: it registers after [`BOOT`], or is down after `ResumeTimeout`.
    pub(crate) fn resume_node(&mut self, id: NodeId, now: Time) {
        let begin = self.resumes.take(now, self.cluster.global.power.resume_rate);
        let boot = BOOT.min(Span(self.resume_timeout(id).0 / 2));
        self.edit_node(id, edit::power::begin_power_up(begin + boot));
        self.run_switch(Switch::Resume, id, begin);
    }

    /// A resumed node registers.
    pub(crate) fn resumed(&mut self, id: NodeId, now: Time) {
        self.edit_node(id, edit::power::end_power_up(now));
        self.clock.want_schedule(now);
    }

    /// Starts the run time of jobs whose nodes are all up. Runs with the check of time limits.
    pub(crate) fn end_configuring(&mut self, now: Time) {
        let ids: Vec<JobId> = self.jobs.index().configuring.iter().copied().collect();
        for id in ids {
            let booting = |n: &NodeId| self.node(*n).flags.powering_up || self.node(*n).flags.reboot_issued;
            let preparing = self.jobs.get(id).is_some_and(|j| j.flags.preparing);
            if preparing || self.nodes_of(id).iter().any(booting) {
                continue;
            }
            self.edit_job(id, edit::life::end_configuring(now));
            self.record_update(id);
            self.launch_job(id, now);
        }
    }

    /// `power_down`, `power_down_asap`, `power_down_force`.
    pub(crate) fn power_down(&mut self, id: NodeId, how: PowerDown, now: Time) -> Result<(), SlurmError> {
        self.power_saving()?;
        let f = self.node(id).flags;
        if f.powered_down || f.powering_down {
            return Ok(());
        }
        if how == PowerDown::Force {
            let jobs: Vec<JobId> = self.node(id).jobs.keys().copied().collect();
            for job in jobs {
                let back = self.jobs.get(job).is_some_and(|j| j.requeue && j.is_batch());
                if self.jobs.get(job).is_some_and(|j| !j.flags.completing) {
                    let ending = Ending { state: JobState::NodeFail, since: now, by: Uid(0), requeue: back };
                    self.end_job(job, ending, " DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS", now);
                }
            }
        }
        self.edit_node(id, edit::power::power_down(how == PowerDown::Asap));
        Ok(())
    }

    /// `power_up`.
    pub(crate) fn power_up(&mut self, id: NodeId, now: Time) -> Result<(), SlurmError> {
        self.power_saving()?;
        self.edit_node(id, edit::power::cancel_power_down());
        let flags = self.node(id).flags;
        if flags.powered_down || flags.powering_down {
            self.resume_node(id, now);
        }
        Ok(())
    }

    fn power_saving(&self) -> Result<(), SlurmError> {
        if self.cluster.global.power.enabled { Ok(()) } else { Err(SlurmError::InvalidPowerAction) }
    }

    /// `scontrol reboot`: once the node is idle, or at once if it is.
    pub(crate) fn reboot_node(&mut self, id: NodeId, how: &crate::rpc::request::Reboot, by: Uid, now: Time) {
        let node = self.node(id);
        if node.flags.reboot_issued || node.flags.powered_down || node.base == NodeBase::Future {
            return;
        }
        let reason = match (&how.reason, how.asap) {
            (Some(text), _) => Some(text.clone()),
            (None, true) => Some("Reboot ASAP".to_owned()),
            (None, false) => None,
        };
        let request = RebootRequest { asap: how.asap, next_down: how.next_down, reason, by };
        self.edit_node(id, edit::power::want_reboot(request, now));
    }

    /// Reboots an idle node.
    pub(crate) fn issue_reboot(&mut self, id: NodeId, now: Time) {
        self.edit_node(id, edit::power::begin_reboot(now + BOOT));
        self.orders.push(Order::NodeRestarts { node: id, back: now + BOOT });
    }

    /// The node is back from its reboot.
    pub(crate) fn rebooted(&mut self, id: NodeId, now: Time) {
        self.edit_node(id, edit::power::end_reboot(now));
        self.clock.want_schedule(now);
    }

    /// `scontrol cancel_reboot`.
    pub(crate) fn cancel_reboot(&mut self, id: NodeId) -> Result<(), SlurmError> {
        let node = self.node(id);
        if !node.flags.reboot_requested {
            return Err(SlurmError::InvalidNodeStateTransition);
        }
        let undrain = node.reason.as_ref().is_some_and(|r| r.text == "Reboot ASAP");
        self.edit_node(id, edit::power::cancel_reboot(undrain));
        Ok(())
    }
}
