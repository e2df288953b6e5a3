//! Event triggers: a user registers a program that runs when a node or job enters some state. Mirrors strigger(1).
//!
//! While triggers exist, the controller compares the state with the previous check every 15 seconds.
//!
//! Deliberate differences: a node state that begins and ends between two checks goes unnoticed, and triggers for daemon
//! failures never fire because daemons never fail here.

use crate::Slurmctld;
use crate::state::error::SlurmError;
use crate::state::job::JobState;
use crate::state::node::{Node, NodeBase, SLURM_USER};

use crate::rpc::request::{Caller, Order};
pub use crate::rpc::trigger::{Resource, Trigger, TriggerEvent};
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{JobId, Uid};
use base::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Triggers are checked this often, seconds.
pub(crate) const PERIOD: i64 = 15;
/// Maximum number of triggers.
const MAX: usize = 1000;

/// All triggers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Triggers {
    last_id: u32,
    list: Vec<Trigger>,
    /// Node states at the last check. Empty without triggers.
    seen: Vec<TriggerNodeState>,
    pub(crate) last: Time,
    reconfigured: bool,
}

/// The parts of a node's state that triggers watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TriggerNodeState {
    down: bool,
    drained: bool,
    draining: bool,
    fail: bool,
}

impl TriggerNodeState {
    fn of(node: &Node) -> Self {
        let drain = node.flags.drain;
        Self {
            down: node.base == NodeBase::Down,
            drained: drain && node.jobs.is_empty(),
            draining: drain && !node.jobs.is_empty(),
            fail: node.flags.fail,
        }
    }

    /// Whether an event happened between two checks.
    const fn between(event: TriggerEvent, was: Self, is: Self) -> bool {
        match event {
            TriggerEvent::Down => is.down && !was.down,
            TriggerEvent::Up => was.down && !is.down,
            TriggerEvent::Drained => is.drained && !was.drained,
            TriggerEvent::Draining => is.draining && !was.draining,
            TriggerEvent::Resume => {
                (was.drained || was.draining || was.down) && !(is.drained || is.draining || is.down)
            }
            TriggerEvent::Fail => is.fail && !was.fail,
            TriggerEvent::Idle | TriggerEvent::Reconfig | TriggerEvent::Time | TriggerEvent::Fini => false,
            TriggerEvent::BurstBuffer | TriggerEvent::Daemon(..) => false,
        }
    }
}

impl Triggers {
    /// All triggers, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Trigger> {
        self.list.iter()
    }

    /// Whether there are no triggers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Slurmctld {
    /// Event triggers.
    #[must_use]
    pub const fn triggers(&self) -> &Triggers {
        &self.triggers
    }

    /// `SlurmUser` may set triggers. If `SlurmUser` is root, every user may.
    fn may_set_triggers(&self, uid: Uid) -> bool {
        uid == SLURM_USER || self.cluster.global.raw.get("SlurmUser").is_some_and(|user| user == "root")
    }

    pub(crate) fn set_trigger(
        &mut self,
        caller: Caller,
        request: &Trigger,
        now: Time,
    ) -> Result<(), SlurmError> {
        if !self.may_set_triggers(caller.uid) || self.triggers.list.len() >= MAX {
            return Err(SlurmError::AccessDenied);
        }
        if request.job.is_some_and(|id| self.jobs.get(id).is_none_or(|j| j.state.ended())) {
            return Err(SlurmError::InvalidJobId);
        }
        let names = request.nodes.as_deref().map_or(Ok(Vec::new()), hostlist::expand);
        let known = |names: Vec<String>| names.iter().all(|n| self.node_by_name(n).is_some());
        if !names.is_ok_and(known) {
            return Err(SlurmError::InvalidNodeName);
        }
        let trigger = Trigger { id: 0, uid: caller.uid, due: None, ..request.clone() };
        if self.triggers.list.iter().any(|t| Trigger { id: 0, due: None, ..t.clone() } == trigger) {
            return Err(SlurmError::TriggerDup);
        }
        if self.triggers.list.is_empty() {
            self.triggers.seen = self.nodes.iter().map(TriggerNodeState::of).collect();
            (self.triggers.last, self.triggers.reconfigured) = (now, false);
        }
        self.triggers.last_id += 1;
        self.triggers.list.push(Trigger { id: self.triggers.last_id, ..trigger });
        Ok(())
    }

    /// Removes the triggers that match the id, job and owner, if these are given.
    pub(crate) fn clear_triggers(
        &mut self,
        caller: Caller,
        (id, job, user): (Option<u32>, Option<JobId>, Option<Uid>),
    ) -> Result<(), SlurmError> {
        let fits = |t: &Trigger| {
            id.is_none_or(|id| t.id == id)
                && (job.is_none() || t.job == job)
                && user.is_none_or(|user| t.uid == user)
        };
        let mine = |t: &Trigger| caller.uid == t.uid || caller.uid.0 == 0;
        let mut found = self.triggers.list.iter().filter(|t| fits(t)).peekable();
        if found.peek().is_none() {
            return Err(SlurmError::NoSuchTrigger);
        }
        if !found.any(mine) {
            return Err(SlurmError::AccessDenied);
        }
        self.triggers.list.retain(|t| !(fits(t) && mine(t)));
        Ok(())
    }

    /// Notes that the configuration was read again.
    pub(crate) fn note_reconfigured(&mut self) {
        self.triggers.reconfigured = true;
    }

    /// Checks all triggers.
    pub(crate) fn look_at_triggers(&mut self, now: Time) {
        self.triggers.last = now;
        let is: Vec<TriggerNodeState> = self.nodes.iter().map(TriggerNodeState::of).collect();
        let was = std::mem::replace(&mut self.triggers.seen, is);
        let mut list = std::mem::take(&mut self.triggers.list);
        for trigger in list.iter_mut().filter(|t| t.due.is_none()) {
            trigger.due = self.event(trigger, &was, now);
        }
        self.triggers.reconfigured = false;
        list.retain_mut(|trigger| {
            let over = self.can_no_longer_fire(trigger);
            if let Some((_, argument)) = trigger.due.take_if(|(at, _)| *at <= now) {
                let program = [trigger.program.as_str(), argument.as_str()].join(" ");
                self.orders.push(Order::Run { uid: trigger.uid, program });
                return trigger.permanent && !over;
            }
            trigger.due.is_some() || !over
        });
        self.triggers.list = list;
    }

    /// Whether it can never fire because its job has finished.
    fn can_no_longer_fire(&self, trigger: &Trigger) -> bool {
        trigger.job.is_some_and(|id| self.jobs.get(id).is_none_or(|j| j.state.ended() && !j.flags.completing))
    }

    /// When a trigger's program runs and with which argument, if its event has happened.
    fn event(&self, trigger: &Trigger, was: &[TriggerNodeState], now: Time) -> Option<(Time, String)> {
        let offset = Span::from_secs(trigger.offset);
        if let Some(id) = trigger.job {
            let job = self.jobs.get(id).filter(|j| !j.state.ended());
            if trigger.events.contains(&TriggerEvent::Fini) && job.is_none() {
                return Some((now + offset, id.to_string()));
            }
            let limit = job.filter(|j| j.state == JobState::Running).and_then(|j| j.end);
            if let Some(at) = limit.map(|end| end + offset).filter(|at| *at <= now)
                && trigger.events.contains(&TriggerEvent::Time)
            {
                return Some((at, id.to_string()));
            }
        }
        if trigger.events.contains(&TriggerEvent::Reconfig) && self.triggers.reconfigured {
            return Some((now + offset, "reconfig".to_owned()));
        }
        let hit = self.watched(trigger).filter(|node| self.is_hit(trigger, node, was, now));
        let names: Vec<&str> = hit.map(|node| node.conf.name.as_str()).collect();
        let idle = trigger.events.contains(&TriggerEvent::Idle);
        (!names.is_empty()).then(|| (if idle { now } else { now + offset }, hostlist::compress(&names)))
    }

    /// The nodes that a trigger watches.
    fn watched(&self, trigger: &Trigger) -> impl Iterator<Item = &Node> {
        let named = trigger.nodes.as_deref().map(|list| hostlist::expand(list).unwrap_or_default());
        let of_job = trigger.job.map(|id| {
            let parts = self.jobs.get(id).and_then(|j| j.allocation.as_ref());
            parts.map_or_else(BitSet::new, |a| a.nodes.iter().map(|n| n.node.0).collect())
        });
        self.nodes.iter().filter(move |node| {
            named.as_ref().is_none_or(|names| names.contains(&node.conf.name))
                && of_job.as_ref().is_none_or(|set| set.contains(node.id.0))
        })
    }

    fn is_hit(&self, trigger: &Trigger, node: &Node, was: &[TriggerNodeState], now: Time) -> bool {
        let is = TriggerNodeState::of(node);
        let was = was.get(node.id.0 as usize).copied().unwrap_or(is);
        let idle_since = node.last_busy.max(self.boot);
        trigger.events.iter().any(|event| match event {
            TriggerEvent::Idle => {
                node.available()
                    && node.jobs.is_empty()
                    && idle_since + Span::from_secs(trigger.offset) <= now
            }
            event => TriggerNodeState::between(*event, was, is),
        })
    }
}
