//! Preemptible cloud machines (`[provider]` of `site.toml`). At times that follow from the seed, the provider
//! gives notice to a machine that is powered up. All processes of its jobs get SIGCONT and SIGTERM, and after
//! the notice period the machine is gone.
//!
//! Slurm itself does not know about this. The machine shuts down, which signals its processes and stops
//! slurmd's reports. A script on slurmctld's host drains the node and marks lost ones as down. Their jobs then
//! fail with NODE_FAIL, and are requeued if that is allowed (`JobRequeue`, `--requeue`).

use super::World;
use super::event::WorldEvent;
use base::diagnostic::{Diagnostic, Severity};
use base::hash::scatter;
use base::ids::{JobId, NodeId};
use base::time::Span;
use host::Signal;
use slurmctld::request::{NodeUpdate, Request, SignalScope, Target};

const MINUTE: Span = Span::from_mins(1);

impl World {
    /// Starts taking machines back. Only nodes that power saving can power up again are affected.
    #[inline(never)]
    pub(super) fn begin_provider(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        if self.ctld.cluster.global.power.enabled {
            self.queue.push(self.now + MINUTE, WorldEvent::Provider);
        } else {
            let message = "provider: slurm.conf has no ResumeProgram and SuspendProgram".to_owned();
            let (severity, file) = (Severity::Error, "site.toml".to_owned());
            diagnostics.push(Diagnostic { severity, file, line: 0, message });
        }
    }

    /// Chooses the machines that get notice in the next minute.
    #[inline(never)]
    pub(super) fn provider_minute(&mut self) {
        let Some(provider) = self.site.provider else { return };
        for id in 0..self.ctld.nodes.len() {
            let Ok(id) = u32::try_from(id).map(NodeId) else { break };
            if !self.is_on(id) || self.ctld.node(id).flags.drain {
                continue;
            }
            let thrown = scatter(&format!("{} provider {} {}", self.seed, self.now.0, id.0));
            if thrown % u64::from(provider.every) < 60 {
                let offset = Span(i64::try_from((thrown >> 32) % 60_000_000).unwrap_or(0));
                self.queue.push(self.now + offset, WorldEvent::Notice(id));
            }
        }
        self.queue.push(self.now + MINUTE, WorldEvent::Provider);
    }

    /// Whether a machine is powered up that the provider can take back.
    pub(super) fn has_machines(&self) -> bool {
        let nodes = u32::try_from(self.ctld.nodes.len()).unwrap_or(u32::MAX);
        (0..nodes).map(NodeId).any(|id| self.is_on(id) && !self.ctld.node(id).flags.drain)
    }

    fn is_on(&self, id: NodeId) -> bool {
        let f = self.ctld.node(id).flags;
        !(f.powered_down || f.powering_down || f.powering_up)
    }

    /// Gives notice: no further job starts on the machine, and its running jobs are signalled.
    #[inline(never)]
    pub(super) fn give_notice(&mut self, id: NodeId) {
        let Some(provider) = self.site.provider.filter(|_| self.is_on(id)) else { return };
        if provider.notice == 0 {
            return self.take_back(id);
        }
        self.ask(Request::UpdateNode(Box::new(NodeUpdate {
            nodes: self.ctld.node(id).conf.name.clone(),
            state: Some("drain".to_owned()),
            reason: Some(format!("taken back by the provider in {} s", provider.notice)),
            ..NodeUpdate::default()
        })));
        let jobs: Vec<JobId> = self.ctld.node(id).jobs.keys().copied().collect();
        for job in jobs {
            for signal in [Signal::CONT, Signal::TERM] {
                let target = Target { job, task: None };
                let (signal, scope) = (Some(signal), SignalScope::Full);
                self.ask(Request::Kill { target, signal, scope, many: false });
            }
        }
        self.leaving.push(id);
        self.queue.push(self.now + Span::from_secs(provider.notice.into()), WorldEvent::Gone(id));
    }

    /// The machine disappears together with its processes.
    #[inline(never)]
    pub(super) fn take_back(&mut self, id: NodeId) {
        self.leaving.retain(|leaving| *leaving != id);
        if self.is_on(id) {
            self.ask(Request::NodeGone { node: id });
            self.kill_host(id);
        }
    }
}
